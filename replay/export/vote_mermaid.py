"""A vote's tree as a Mermaid flowchart, which many wikis and code hosts draw where it stands in a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...notation.safe_text import visible
from ..analysis.vote_tree import Node, VoteTree
from .vote_graph import numbered

_SHAPES: Final = {
    "draw": ('(["', '"])'),
    "call": ('(["', '"])'),
    "philosophers": ('{{"', '"}}'),
    "sums": ('{{"', '"}}'),
}


def mermaid(tree: VoteTree) -> str:
    """Return the flowchart of one tree; its margins hang below it as a note."""
    lines = ["---", f"title: {_plain(f'{tree.title}   {tree.token}')}", "---", "flowchart LR"]
    thick = []
    for number, (name, parent, node) in enumerate(numbered(tree.root)):
        opening, closing = _SHAPES.get(node.kind, ('["', '"]'))
        text = "<br>".join(map(_text, (node.title, *node.lines)))
        style = "aside" if not node.taken else "taken" if node.children else "outcome"
        lines.append(f"  {name}{opening}{text}{closing}:::{style}")
        if parent:
            lines.append(f"  {parent} {_arrow(node)} {name}")
            if node.taken:
                thick.append(number - 1)
    margins = "<br>".join(
        map(_text, ("The outcome would have changed with:", *tree.told) if tree.margins else tree.told)
    )
    lines.append(f'  margins["{margins}"]:::margins')
    lines += [
        "  classDef taken fill:#e3edf7,stroke:#1b3a57,stroke-width:3px,color:#101010",
        "  classDef outcome fill:#1b3a57,stroke:#1b3a57,color:#ffffff",
        "  classDef aside fill:#ffffff,stroke:#8a8a8a,stroke-dasharray:4 3,color:#555555",
        "  classDef margins fill:#ffffff,stroke:none,color:#101010,text-align:left",
    ]
    if thick:
        lines.append(f"  linkStyle {','.join(map(str, thick))} stroke:#1b3a57,stroke-width:3px")
    return "\n".join(lines) + "\n"


def _arrow(node: Node) -> str:
    """Return the arrow to a node, with its label."""
    chance = f"{node.chance[0]} of {node.chance[1]}" if node.chance else ""
    label = "<br>".join(_text(part) for part in (node.label, chance) if part)
    line = "-->" if node.taken else "-.->"
    return f'{line}|"{label}"|' if label else line


def _text(text: str) -> str:
    """Return a text for quotes: Mermaid writes its own signs as numbered entities."""
    return "".join(char if char.isalnum() or char in " .,:;()–·+?" else f"#{ord(char)};" for char in visible(text))


def _plain(text: str) -> str:
    """Return a text as a quoted word of the chart's head, which is YAML."""
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def fenced(trees: Sequence[VoteTree]) -> str:
    """Return several charts as a Markdown text, each in a fence of its own."""
    return "\n".join(f"```mermaid\n{mermaid(tree)}```\n" for tree in trees)
