"""A vote's tree as a Mermaid flowchart, which many wikis and code hosts draw where it stands in a text."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Final

from ...notation.safe_text import visible
from ..analysis.vote_tree import Node, VoteTree
from .templating import asset
from .vote_graph import numbered
from .vote_text import CHANGED, expectations

_SHAPES: Final = {
    "draw": ('(["', '"])'),
    "call": ('(["', '"])'),
    "philosophers": ('{{"', '"}}'),
    "sums": ('{{"', '"}}'),
}

_WINNERS: Final = ("Rome", "Egypt", "Tie")


def mermaid(tree: VoteTree) -> str:
    """Return the flowchart of one tree; its margins hang below it as a note."""
    lines, thick = [], []
    shown = (found for found in numbered(tree.root) if found[-1].kind != "expected")
    for number, (name, parent, node) in enumerate(shown):
        opening, closing = _SHAPES.get(node.kind, ('["', '"]'))
        text = "<br>".join(map(_text, (node.signed, *node.lines)))
        style = ("or" if not node.taken else "taken") + ("" if node.winner is None else _WINNERS[node.winner])
        lines.append(f"  {name}{opening}{text}{closing}:::{style}\n")
        if parent:
            lines.append(f"  {parent} {_arrow(node)} {name}\n")
            if node.taken:
                thick.append(str(number - 1))
    margins = (f"{CHANGED}:", *tree.told) if tree.margins else tree.told
    margins += tuple(expectations(tree.expected))
    # A quoted word of the chart's head, which is YAML.
    title = visible(f"{tree.title}   {tree.token}").replace("\\", "\\\\").replace('"', '\\"')
    return Template(asset("vote.mmd")).substitute(
        title=f'"{title}"',
        nodes="".join(lines),
        margins="<br>".join(map(_text, margins)),
        thick=f"  linkStyle {','.join(thick)} stroke:#1c1b19,stroke-width:3px\n" if thick else "",
    )


def _arrow(node: Node) -> str:
    label = "<br>".join(map(_text, filter(None, (node.label, node.share))))
    line = "-->" if node.taken else "-.->"
    return f'{line}|"{label}"|' if label else line


def _text(text: str) -> str:
    """Return a text for quotes: Mermaid writes its own signs as numbered entities."""
    return "".join(char if char.isalnum() or char in " .,:;()–·+?▲▼◇" else f"#{ord(char)};" for char in visible(text))


def fenced(trees: Sequence[VoteTree]) -> str:
    """Return several charts as a Markdown text, each in a fence of its own."""
    return "\n".join(f"```mermaid\n{mermaid(tree)}```\n" for tree in trees)
