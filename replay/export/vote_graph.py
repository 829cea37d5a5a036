"""A vote's tree as a Graphviz graph and as a picture: the way that was taken bold, the others thin and dashed."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from string import Template
from textwrap import wrap
from typing import Final

from ...notation.safe_text import visible
from ..analysis.vote_tree import Node, VoteTree
from .templating import asset

_SHAPES: Final = {
    "draw": ' style="rounded,filled"',
    "call": ' style="rounded,filled"',
    "philosophers": ' margin="0,0.03" shape=hexagon',
    "sums": ' margin="0,0.03" shape=hexagon',
}
"""Chance has round corners, a comparison is pointed at its sides, everything else is a plain box. As Graphviz reads it:
what is no word or number stands in quotes."""
_RESULTS: Final = tuple(
    f' class="taken {name}" color="{colour}" fillcolor="{colour}" fontcolor="#ffffff"'
    for name, colour in (("rome", "#9c4000"), ("egypt", "#005a8c"), ("tie", "#5b5850"))
)
"""Where a vote was won by Rome or by Egypt, or by nobody."""
_WAYS: Final = (
    ' class=rome color="#9c4000" fontcolor="#9c4000"',
    ' class=egypt color="#005a8c" fontcolor="#005a8c"',
    " class=tie",
)
"""Where it would have been."""


BOX, POINTED, BESIDE = 38, 18, 24
"""Letters in a line of a box, of a shape with pointed sides, and beside an arrow: a tree should fit a screen."""
EXPECTED: Final = "To be expected before the cards were turned up:"


class NoGraphviz(RuntimeError):
    """There is no Graphviz that could draw this: a sentence that says why, and what to do."""


def graph(tree: VoteTree, attributes: str = "") -> str:
    """Return the tree as the source of a graph, with further ``attributes`` of the graph; equal trees give equal
    source.
    """
    taken: list[str] = []
    others: list[str] = []
    for name, parent, node in numbered(tree.root):
        if node.kind == "expected":  # they stand in a table, for all of them meet in the same cards
            continue
        indent, statements = ("\t\t\t", taken) if node.taken else ("\t\t", others)
        statements.append(f"{indent}{name} [label={_label(node)}{_node_style(node)}]\n")
        if parent:
            statements.append(f"{indent}{parent} -> {name}{_edge_label(node)}\n")
    # Graphviz has one caption for a graph, which the margins take; the title is that of a frame without lines. A node
    # has the style of the part in which it is named first, even by an edge: so the taken way comes first.
    return Template(asset("vote.gv")).substitute(
        number=tree.number,
        attributes=attributes,
        margins=_caption(tree),
        title=f"<<b>{_marked(f'{tree.title}   {tree.token}')}</b>>",
        taken="".join(taken),
        others="".join(others),
    )


def numbered(root: Node) -> Iterator[tuple[str, str, Node]]:
    """Yield every node with a name of its own and its parent's, empty for the root; parents come first."""
    waiting = [("", root)]
    for number, (parent, node) in enumerate(waiting):
        name = f"n{number}"
        yield name, parent, node
        waiting += [(name, child) for child in node.children]


@lru_cache(maxsize=1 << 12)
def _marked(line: str) -> str:
    """Return a line as markup. Remembered, since most trees say the same of the branches not taken."""
    return escape(visible(line))


@lru_cache(maxsize=1 << 12)
def _broken(line: str, room: int) -> tuple[str, ...]:
    """Return a line as lines of markup with about ``room`` letters each."""
    return tuple(map(escape, wrap(visible(line), room))) if len(line) > room else (_marked(line),)


def _label(node: Node) -> str:
    room = POINTED if "hexagon" in _SHAPES.get(node.kind, "") else BOX
    title = [f"<b>{line}</b>" if node.taken else line for line in _broken(node.signed, room)]
    return f"<{'<br/>'.join([*title, *[part for line in node.lines for part in _broken(line, room)]])}>"


def _joined(parts: list[str]) -> list[str]:
    """Return the parts of a label in one line where they fit, so that a chance is never torn apart."""
    line = ", ".join(parts)
    return [line] if len(line) <= BESIDE else parts


def _edge_label(node: Node) -> str:
    """Return the label of the edge to a node as an attribute, empty where there is none."""
    parts = [*filter(None, (node.label, node.share))]
    text = "<br/>".join(part for line in _joined(parts) for part in _broken(line, BESIDE))
    label = f"<<b>{text}</b>>" if node.taken else f"<{text}>"
    return f" [label={label}]" if text else ""


def _caption(tree: VoteTree) -> str:
    """Return what would have turned the vote, as a label below the tree; beside it what was to be expected."""
    lines = tree.told
    if tree.margins:
        lines = ("The outcome would have changed with:", *[f"– {sentence}" for sentence in tree.told])
    margins = "".join([f'{_marked(line)}<br align="left"/>' for line in lines])
    if not tree.expected:
        return f"<{margins}>"
    rows = "".join(f"<tr>{''.join(map(_cell, (node.label, node.signed, *node.lines)))}</tr>" for node in tree.expected)
    head = f'<tr><td align="left" colspan="3">{EXPECTED}</td></tr>'
    table = f'<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{head}{rows}</table>'
    cells = (
        f'<td valign="top" balign="left">{margins}</td><td valign="top" width="24"></td><td valign="top">{table}</td>'
    )
    return f'<<table border="0" cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>>'


def _cell(text: str) -> str:
    return f'<td align="left">{_marked(text)}\u00a0\u00a0</td>'


def _node_style(node: Node) -> str:
    """Return the attributes in which a node differs from the others on its branch."""
    if not node.taken:
        return "" if node.winner is None else _WAYS[node.winner]
    if node.winner is not None and node.kind == "result":
        return _RESULTS[node.winner]
    return _SHAPES.get(node.kind, "")


# ------------------------------------------------------------------------------------------------------ pictures


def picture(tree: VoteTree, form: str) -> bytes:
    """Return the tree as ``svg``, ``png`` or ``pdf``. Raise NoGraphviz where nothing installed can draw it."""
    import graphviz
    from graphviz.backend import dot_command

    program, whole = dot_program()
    if form == "pdf" and not whole:
        raise NoGraphviz("a PDF needs Graphviz itself: install it (https://graphviz.org), or use --format svg")
    dot_command.DOT_BINARY = Path(program)
    source = graph(tree, "dpi=96 " if form == "png" else "")
    try:
        made = graphviz.Source(source).pipe(format=form, quiet=True)
    except (graphviz.ExecutableNotFound, graphviz.CalledProcessError, OSError) as error:
        raise NoGraphviz(f"Graphviz could not draw the vote at {tree.turn}: {error}") from error
    return _accessible(made.decode("utf-8"), tree).encode() if form == "svg" else made


@cache
def dot_program() -> tuple[str, bool]:
    """Return the program that draws, and whether it is Graphviz itself. Raise NoGraphviz where there is none.

    An installed ``dot`` comes first; else the one that the package ``graphviz-pure`` brings.
    """
    if installed := shutil.which("dot"):
        return installed, True
    for folder in (sysconfig.get_path("scripts"), os.path.dirname(sys.executable), None):
        if program := shutil.which("graphviz-pure", path=folder):
            return program, False
    raise NoGraphviz("Graphviz is not installed: pip install graphviz-pure, or install Graphviz for your system")


def _accessible(svg: str, tree: VoteTree) -> str:
    """Return the picture with a text alternative, the outline of the same tree."""
    from .vote_text import outline

    start = svg.index("<svg ")
    end = svg.index(">", start)
    words = escape("\n".join(outline(tree)))
    name = f"vote{tree.number}"
    head = (
        f'{svg[start:end]} role="img" aria-labelledby="{name}-title {name}-desc">\n'
        f'<title id="{name}-title">{escape(visible(tree.title))}</title>\n<desc id="{name}-desc">{words}</desc>'
    )
    return f"{svg[:start]}{head}\n<style>{asset('vote.css')}</style>{svg[end + 1 :]}"
