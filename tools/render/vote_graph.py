"""A vote's tree as an outline, as a Graphviz graph and as a Mermaid chart.

Each shows the path that was taken, and the others beside it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from string import Template
from textwrap import wrap
from typing import Final, NamedTuple

from ...notation.basics import SIGNS, TIE, visible
from ...notation.language import clauses, labelled, phrase
from ...replay.story.votes import VoteTree
from ...replay.words.api import outcome_name
from ...replay.words.votes import Node, VoteOutline, beside, vote_answers, vote_headline, vote_outline, way, words
from ..storage.api import CannotRun
from .templating import asset, colours


class OutlineRow(NamedTuple):
    """A line of an outline: ``→ `` on the path that was taken, ``or `` beside it; ``deep`` lines are indented
    further.
    """

    sign: str
    words: str
    deep: bool


def outline_rows(tree: VoteTree) -> Iterator[OutlineRow]:
    """Yield the lines below the title of an outline: the answers, the paths, and any further remarks."""
    yield OutlineRow("", visible(vote_headline(tree)), deep=False)
    yield from [
        OutlineRow("", visible(f"{answer.question} {answer.words}"), deep=False) for answer in vote_answers(tree)
    ]
    yield from path_rows(vote_outline(tree))


def path_rows(told: VoteOutline) -> Iterator[OutlineRow]:
    """Yield the lines of the paths and of any further remarks."""
    sign, others = "", list[OutlineRow]()
    for node in way(told.root):
        yield OutlineRow(sign, visible(said(node)), deep=False)
        yield from others
        others = [OutlineRow(f"{phrase('or')} ", visible(said(child)), deep=True) for child in beside(node)]
        others += [OutlineRow("", visible(sentence), deep=True) for sentence in expectations(node.expected)]
        sign = "→ "
    yield from others
    yield from [OutlineRow("", visible(sentence), deep=False) for sentence in told.notes]


def outline(tree: VoteTree) -> list[str]:
    """Return the lines of one tree; they are also the text alternative of its picture."""
    return [vote_heading(tree), *indented(outline_rows(tree))]


def vote_heading(tree: VoteTree) -> str:
    """Return the title of a vote, and its token."""
    return visible(f"{words(tree)}   {tree.token}")


def indented(rows: Iterable[OutlineRow]) -> list[str]:
    """Return rows as lines of an outline."""
    return [f"{'      ' if row.deep else '  '}{row.sign}{row.words}" for row in rows]


def text(trees: Iterable[VoteTree]) -> Iterator[str]:
    """Yield the lines of several trees, with an empty one between them."""
    for number, tree in enumerate(trees):
        if number:
            yield ""
        yield from outline(tree)


def said(node: Node) -> str:
    """Return a node in one line: ``Quaestors, 1 of 7: one card turned up; Rome 4, face down 3; Egypt 2``."""
    label = ", ".join(filter(None, (node.label, node.share)))
    told = clauses((node.signed, *node.lines))
    return labelled(label, told) if label else told


def expectations(expected: Iterable[tuple[str, Sequence[Node]]]) -> Iterator[str]:
    """Yield a sentence for each point of view that could expect something: ``Caesar could expect: ▲ Rome 80 % (▲5 :
    ▼4), …``.
    """
    for label, results in expected:
        yield labelled(label, ", ".join([f"{node.signed} ({clauses(node.lines)})" for node in results]))


_COLOURS: Final = ("rome", "egypt", "quiet")
"""The names of the colours for Rome, for Egypt, and for a vote that nobody wins."""
BOX, EDGE, WAY, END = 38, 60, 25, 32
"""The letters in a line of a box, below it, of a path beside it and of its end: a tree should fit half a screen's
width.
"""
_TABLE: Final = '<table border="0" cellborder="0" cellspacing="0" cellpadding="2">'
_LINES: Final = '<table border="0" cellborder="0" cellspacing="0" cellpadding="1" width="{}">'
"""A table wider than its text: if lines were just broken, the longest one would be centred."""
_GAP: Final = "\u00a0\u00a0"


def graph(tree: VoteTree) -> str:
    """Return the source of a tree's graph; equal trees give equal source."""
    told = vote_outline(tree)
    taken: list[str] = []
    others: list[str] = []
    for name, parent, node in numbered(told.root):
        if not node.taken:
            continue
        style = ""
        if node.winner is not None and node.kind == "result":
            colour = _colour(node.winner)
            style = f' class=result color="{colour}" fillcolor="{colour}" fontcolor="{colours()["panel"]}"'
        taken.append(f"\t\t{name} [label={_label(node)}{style}]\n")
        if parent:
            named = _named(node)
            label = f" [label=<<b>{_lines(EDGE, named)}</b>>]" if named else ""
            taken.append(f"\t\t{parent} -> {name}{label}\n")
        if ways := beside(node):
            rows = "".join([_way(place, way) for place, way in enumerate(ways)])
            others.append(f"\t\t{{ rank=same {name} {name}o [label=<{_TABLE}{rows}</table>>] }}\n")
            others += [f"\t\t{name}:e -> {name}o:w{place}:w\n" for place in range(len(ways))]
    token = f'<font point-size="10" color="{_colour(TIE)}">{_marked(tree.token)}</font>'
    # Graphviz has one caption for a graph, which is used for the margins; the title belongs to a frame without lines.
    return Template(asset("vote.gv")).substitute(
        colours(),
        number=tree.number,
        notes=_caption(told),
        title=f"<<b>{_marked(told.title)}</b>{_GAP}{token}>",
        taken="".join(taken),
        others="".join(others),
    )


def numbered(root: Node) -> Iterator[tuple[str, str, Node]]:
    """Yield every node with its unique name and its parent's (empty for the root); parents come first."""
    waiting = [("", root)]
    for number, (parent, node) in enumerate(waiting):
        name = f"n{number}"
        yield name, parent, node
        waiting += [(name, child) for child in node.children]


@lru_cache(maxsize=1 << 12)
def _marked(line: str) -> str:
    """Return a line as markup. Cached, since most trees say the same about branches that were not taken."""
    return escape(visible(line))


@lru_cache(maxsize=1 << 12)
def _broken(line: str, room: int) -> tuple[str, ...]:
    """Return a line broken into lines of markup with about ``room`` letters each."""
    return tuple(map(escape, wrap(visible(line), room))) if len(line) > room else (_marked(line),)


def _label(node: Node) -> str:
    title = [f"<b>{line}</b>" for line in _broken(node.signed, BOX - 4)]  # bold type is wider
    lines = [*title, *[part for line in node.lines for part in _broken(line, BOX)]]
    rows = "".join([f'<tr><td align="left">{line}</td></tr>' for line in lines])
    return f"<{_LINES.format(200)}{rows}</table>>"


def _way(place: int, node: Node) -> str:
    """Return a path that was not taken as a row of the table beside the step where it branches off."""
    end = _coloured(_lines(END, node.signed, *node.lines), node.winner)
    named = _named(node)  # in one line if it fits, so that a chance is never split
    label = _lines(WAY, named) if len(named) <= WAY else _lines(WAY, node.label, node.share)
    return (
        f'<tr><td align="left" balign="left" port="w{place}" width="132">{label}\u00a0</td>'
        f'<td align="left" balign="left">{end}</td></tr>'
    )


def _lines(room: int, *lines: str) -> str:
    """Return lines as markup one below another, with about ``room`` letters each; empty ones are left out."""
    return "<br/>".join([part for line in lines if line for part in _broken(line, room)])


def _named(node: Node) -> str:
    """Return the label of the path to a node: ``Consuls · 1 of 7``."""
    return " · ".join(filter(None, (node.label, node.share)))


def _caption(told: VoteOutline) -> str:
    """Return the odds and any further remarks, as a label below the tree."""
    rows = [*map(_across, map(_marked, told.notes))]
    if told.expected:
        expected = [row for label, results in told.expected for row in _expectation(label, results)]
        rows = [_across(f"{_marked(phrase('Before the cards were turned up'))}:"), *expected, *rows]
    cells = "".join([f'<tr><td width="8"></td>{row}</tr>' for row in rows])
    return f"<{_LINES.format(1)}{cells}</table>>" if rows else '""'


def _across(line: str) -> str:
    """Return a line as a cell as wide as the columns of :func:`_expectation`, and the empty cell that fills the
    rest.
    """
    return f'<td align="left" colspan="5">{line}</td>'


def _expectation(label: str, results: Sequence[Node]) -> Iterator[str]:
    """Yield the odds as rows of cells: for whom, then for each result its winner, percentage and sums.

    A cell has one font, since Graphviz sets lines with several fonts lower.
    """
    for node in results:
        winner = "" if node.winner is None else f"{SIGNS[node.winner]} {outcome_name(node.winner)}"
        sums = clauses(node.lines)
        cells = [
            ("left", _marked(label)),
            ("left", _coloured(_GAP + _marked(winner), node.winner)),
            ("right", _coloured(_GAP + _marked(node.odds), node.winner)),
            ("left", _coloured(_GAP + _marked(sums), TIE)),
        ]
        yield "".join([f'<td align="{side}">{cell}</td>' for side, cell in cells]) + "<td></td>"
        label = ""


def _colour(winner: int) -> str:
    """Return the colour of a side, or of TIE."""
    return colours()[_COLOURS[winner]]


def _coloured(markup: str, winner: int | None) -> str:
    """Return markup in the colour of the side that wins there."""
    return markup if winner is None else f'<font color="{_colour(winner)}">{markup}</font>'


def pdf(tree: VoteTree) -> bytes:
    """Return the graph of a tree as PDF. Raise CannotRun if no Graphviz is installed, or it fails."""
    if not (program := shutil.which("dot")):
        raise CannotRun(phrase("a pdf needs Graphviz: install it (https://graphviz.org), or use --format svg"))
    made = subprocess.run([program, "-Tpdf"], input=graph(tree).encode(), capture_output=True, check=False)
    if made.returncode:
        why = visible(made.stderr.decode(errors="replace").strip())
        raise CannotRun(phrase("Graphviz could not draw the vote at {turn}: {why}", turn=tree.turn, why=why))
    return made.stdout


_SHAPES: Final = {"draw": ('(["', '"])'), "call": ('(["', '"])'), "decision": ('{{"', '"}}')}

_WINNERS: Final = ("Rome", "Egypt", "Tie")


def mermaid(tree: VoteTree) -> str:
    """Return the flowchart of one tree; any further remarks are attached below it as a note."""
    told = vote_outline(tree)
    lines, thick = [], []
    shown = (found for found in numbered(told.root) if found[-1].kind != "expected")
    for number, (name, parent, node) in enumerate(shown):
        opening, closing = _SHAPES.get(node.kind, ('["', '"]'))
        text = "<br>".join(map(_text, (node.signed, *node.lines)))
        style = ("or" if not node.taken else "taken") + ("" if node.winner is None else _WINNERS[node.winner])
        lines.append(f"  {name}{opening}{text}{closing}:::{style}\n")
        if parent:
            lines.append(f"  {parent} {_arrow(node)} {name}\n")
            if node.taken:
                thick.append(str(number - 1))
    notes = (*expectations(told.expected), *told.notes)
    # A quoted word in the chart's head, which is YAML.
    title = visible(f"{told.title}   {tree.token}").replace("\\", "\\\\").replace('"', '\\"')
    return Template(asset("vote.mmd")).substitute(
        colours(),
        title=f'"{title}"',
        nodes="".join(lines),
        notes="".join([f'  notes["{"<br>".join(map(_text, notes))}"]:::notes\n'] * bool(notes)),
        thick=f"  linkStyle {','.join(thick)} stroke:{colours()['ink']},stroke-width:3px\n" if thick else "",
    )


def _arrow(node: Node) -> str:
    label = "<br>".join(map(_text, filter(None, (node.label, node.share))))
    line = "-->" if node.taken else "-.->"
    return f'{line}|"{label}"|' if label else line


def _text(text: str) -> str:
    """Return a text for use in quotes: Mermaid's own signs become numbered entities."""
    return "".join(char if char.isalnum() or char in " .,:;()–·+?▲▼◇" else f"#{ord(char)};" for char in visible(text))


def fenced(trees: Sequence[VoteTree]) -> str:
    """Return several charts as a Markdown text, each in a fence of its own."""
    return "\n".join(f"```mermaid\n{mermaid(tree)}```\n" for tree in trees)
