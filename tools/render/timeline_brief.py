"""The timeline in short, for a terminal: one line for each turn, with the sums and winner of votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from ...notation.basics import SIGNS, visible
from ...notation.language import PLAYERS, SIDES, phrase
from ...notation.records import tokens as t
from ...replay.diagnostics.api import marks_text
from ...replay.engine.api import Ballot
from ...replay.rules.api import Edition
from ...replay.story.api import NOT_FOLLOWED, SET_UP, TAKEN_BACK, Entry, Timeline
from ...replay.words.api import annotation_words, brief_token, brief_vote, expected_words
from .timeline_text import asides, closing, frame, title

SIDE_STYLES: Final = ("dark_orange3", "deep_sky_blue3", "")
"""The styles of Rome, of Egypt, and of a tie."""
PAPER: Final = 80
"""The number of columns without a terminal."""
WIDEST: Final = 100
"""The most columns used on a terminal: longer lines are hard to read."""


def write_brief(timeline: Timeline, stream: TextIO, *, explain: bool = False) -> None:
    """Write a timeline in short: no wider than the terminal, and in colour only on a terminal.

    With ``explain`` the annotations are put into words, and other remarks are not mentioned.
    """
    console = Console(file=stream, highlight=False)
    console.width = min(console.width, WIDEST) if console.is_terminal else PAPER
    with console.capture() as drawn:
        for line in _head(timeline):
            console.print(line)
        turns = _turns(timeline, explain) if timeline.entries else phrase("no turn has such an annotation")
        console.print("", turns, "", sep="\n")
        for number, sentence in enumerate(closing(timeline)):
            console.print(Text(visible(sentence), style="" if number else "bold"))
        if timeline.epilogue and not explain:
            console.print(_marked(phrase(remark.kind) for remark in timeline.epilogue))
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def _head(timeline: Timeline) -> Iterator[Text]:
    """Yield the lines above the turns: the players, the rules, and how to read the lines."""
    yield Text(visible(title(timeline)), style="bold")
    yield Text(frame(timeline))
    sides = [
        (f"{sign} {player.name}, {side.name} · ", style)
        for sign, player, side, style in zip(SIGNS, PLAYERS, SIDES, SIDE_STYLES, strict=False)
    ]
    yield Text.assemble(*sides, (phrase("(…) is face down · more: --full"), "dim"))
    if timeline.preface:
        yield _marked(phrase(remark.kind) for remark in timeline.preface)


def _turns(timeline: Timeline, explain: bool) -> Table:
    """Return the turns as a table without lines: label, player, events, and the points if they have changed."""
    grid = Table.grid(
        Column(justify="right", no_wrap=True),
        Column(no_wrap=True),
        Column(ratio=1, overflow="fold"),
        Column(justify="right", no_wrap=True),
        padding=(0, 1, 0, 0),
        pad_edge=False,
        expand=True,
    )
    points = timeline.points(timeline.start)
    for entry in timeline.entries:
        before, points = points, points if entry.state is None else timeline.points(entry.state)
        parts = [_line(entry, timeline.edition)]
        if explain:
            parts += [Text(visible(annotation_words(annotation)), style="italic") for annotation in entry.annotations]
        elif beside := [word for word, _ in asides(entry)]:
            parts[0].append(" ").append(_marked(beside))
        expected = [phrase("expected: {odds}", odds=odds) for odds in map(expected_words, entry.events) if odds]
        parts += [Text(words, style="italic") for words in expected]
        sign = Text(SIGNS[entry.side], style=SIDE_STYLES[entry.side])
        changed = "" if points == before else "{}–{}".format(*points)
        grid.add_row(entry.label, sign, Text("\n").join(parts), changed)
    return grid


def _line(entry: Entry, edition: Edition) -> Text:
    """Return what happened in a turn, and its glyphs."""
    if entry.status in (TAKEN_BACK, NOT_FOLLOWED):
        return Text(visible(entry.play), style="dim")
    # A set-up line has no events, and a turn that was not followed to its end lacks some.
    told = entry.tokens if entry.status == SET_UP else entry.tokens[: len(entry.events)]
    line = Text()
    for place, token in enumerate(told):
        line.append(_joint(told[place - 1], token) if place else "")
        ballot = entry.events[place].ballot if entry.events else None
        line.append(_vote(ballot) if ballot else Text(visible(brief_token(token, entry.side, edition))))
    if entry.rest:
        line.append(f" {visible(entry.rest)}", style="dim")
    if glyphs := marks_text(mark for mark in entry.marks if not mark.startswith("@")):
        line.append(f"  {glyphs}", style="bold")
    return line


def _joint(last: t.Token, token: t.Token) -> str:
    """Return what separates two tokens: cards that are placed belong together, and a veto to its action."""
    together = isinstance(token, t.Veto) or (isinstance(token, t.Place) and isinstance(last, t.Place))
    return ", " if together else phrase("; ")


def _vote(ballot: Ballot) -> Text:
    """Return ``vote Aediles 6:1 ▲ Rome``."""
    winner, said = ballot.outcome.winner, brief_vote(ballot)
    how = f", {said.how}" if said.how else ""
    style = f"bold {SIDE_STYLES[winner]}"
    return Text.assemble((f"{said.vote} ", "bold"), (f"{SIGNS[winner]} {said.winner}", style), how)


def _marked(kinds: Iterable[str]) -> Text:
    """Return ``[narrow, 2 comments]``: what the long form would add, each kind once."""
    many = Counter(kinds)
    parts = [kind if count == 1 else f"{count} × {kind}" for kind, count in many.items()]
    return Text(f"[{', '.join(parts)}]", style="dim")
