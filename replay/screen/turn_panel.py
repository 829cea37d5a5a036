"""The panel beside the table: the line with its token, the token in words, and all that was said about the turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Column, Table
from rich.text import Text

from ...notation.cards import PLAYER_NAMES
from ...notation.safe_text import visible
from ..analysis.telling import VoteScene
from ..analysis.timeline import PLAYED, SET_UP, Entry, Event, Remark
from ..diagnostics.glyphs import marks_text
from ..export.vote_graph import outline
from .vote_cards import vote_cards
from .walk import Walk

HERE: Final = "bold reverse"
"""How the token is shown that was just carried out: to be seen without colours too."""
SIGNS: Final = {"comment": ";", "alternative": "|", "ruling": "%", "unread": "?"}
"""Kind of remark → its sign, which is that of the notation."""
WITH_SUBJECT: Final = frozenset({"veto", "mission"})
"""Kinds of event whose words say who did it; all others want the player before them."""
MARK, NO_MARK = " ▸ ", "   "
"""What stands before the present line of the record, and before the others."""
DEEP: Final = 2
"""How far the way that was taken is indented in an outline; what lies beside it is further in."""


class Hanging:
    """A text with a sign before it and its continuation lines indented. A table would do the same, but slowly."""

    def __init__(self, sign: str, text: Text) -> None:
        self.sign, self.text = sign, text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = len(self.sign)
        for number, line in enumerate(self.text.wrap(console, max(1, options.max_width - wide))):
            yield Text.assemble((" " * wide if number else self.sign, "bold"), line)


class TurnedUp:
    """The first step of a vote: its cards side by side, and what they come to."""

    def __init__(self, scene: VoteScene) -> None:
        self.scene = scene

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"{self.scene.title}: the cards are turned up", "bold")
        yield from vote_cards(self.scene, options.max_width)
        yield from map(Text, self.scene.first)


def title(walk: Walk) -> Text:
    """Return the event, the players and the rules of the game."""
    timeline = walk.timeline
    names = [timeline.header(name).strip() or "?" for name in PLAYER_NAMES]
    parts = [timeline.header("Event").strip(), " – ".join(names), f"{timeline.edition.name} rules"]
    return Text(" · ".join(visible(part) for part in parts if part not in ("", "?")))


def status(walk: Walk) -> Text:
    """Return the present step, and the point of view."""
    stopped = walk.timeline.stopped
    beyond = [f"can't be followed beyond {stopped}"] if stopped else []
    parts = [walk.stop.label, *beyond, f"step {walk.place} of {len(walk.stops) - 1}", f"seen by {walk.view}"]
    return Text(" · ".join(parts))


def record(walk: Walk) -> tuple[Text, int]:
    """Return all lines of the record, the present turn marked, and the number of that line."""
    lines: list[Text] = []
    for number, entry in enumerate(walk.timeline.entries):
        is_here = number == walk.stop.entry
        line = notation(entry, walk.event if is_here else None)
        if is_here:
            line.stylize("bold")
        lines.append(Text(MARK if is_here else NO_MARK).append_text(line))
    here = max(0, walk.stop.entry)
    if walk.timeline.result:
        is_here = walk.entry is None and walk.place > 0
        here = len(lines) if is_here else here
        lines.append(Text(f"{MARK if is_here else NO_MARK}{visible(walk.timeline.result)}", "bold" if is_here else ""))
    return Text("\n", no_wrap=True, overflow="ellipsis").join(lines), here


def story(walk: Walk) -> RenderableType:
    """Return everything about the present step."""
    entry, event = walk.entry, walk.event
    if entry is None:
        return Group(*(_end(walk) if walk.place else _beginning(walk)))
    if walk.stop.turned_up and walk.scene is not None:
        return Group(notation(entry, event), TurnedUp(walk.scene), *_spaced(_about(entry, event, decided=False)))
    if walk.scene is not None:
        words = Text.assemble((f"{walk.scene.title}: ", "bold"), " ".join(walk.scene.second))
    elif event is not None:
        words = Text(sentence(entry, event))
    else:
        words = Text(f"This line is {entry.status}." if entry.status != PLAYED else "Nothing was played.")
    # How a vote was decided, as its outline tells it, with the lines hanging where they don't fit.
    vote = map(_hanging, outline(walk.tree)[1:]) if walk.tree else ()
    return Group(notation(entry, event), words, *_spaced(_about(entry, event), vote))


def notation(entry: Entry, event: Event | None = None) -> Text:
    """Return a turn line, the token that was just played marked, those still to come faint."""
    text = Text()
    here = len(entry.label)
    text.append(entry.written[:here], "bold")
    for played in entry.events:
        start = entry.written.index(played.token, here)
        text.append(visible(entry.written[here:start]))
        here = start + len(played.token)
        style = "" if event is None or played.at < event.at else HERE if played.at == event.at else "dim"
        text.append(visible(played.token), style)
    text.append(visible(entry.written[here:]), "dim" if event is not None else "")
    text.append(visible(f" {marks_text(entry.marks)}") if entry.marks else "")
    if entry.status not in (PLAYED, SET_UP):
        text.append(f"  ({entry.status})", "italic")
    return text


def sentence(entry: Entry, event: Event) -> str:
    """Return a token as a whole sentence."""
    words = visible(event.words)
    words = words[:1].upper() + words[1:] if event.kind in WITH_SUBJECT else f"{entry.player} {words}"
    return f"{words}."


def _about(entry: Entry, event: Event | None, *, decided: bool = True) -> Iterator[Hanging]:
    """Yield what is notable in a turn, first what the present token caused; then what was written about it.

    What a later token causes comes with that token; what a vote causes when it is ``decided``.
    """
    at = -1 if event is None else event.at
    stopped = event is not None and event is entry.events[-1] and bool(entry.rest)
    for fact in entry.annotations:
        # What stopped the replay belongs to a token that was not carried out: it stands with the last one that was.
        is_new = fact.at == at or (fact.at is not None and fact.at > at and (stopped or event is None))
        if is_new and decided:
            yield Hanging("▸ ", Text(visible(fact.text), "bold"))
    for fact in entry.annotations:
        if fact.at is None or fact.at < at:
            yield Hanging("• ", Text(visible(fact.text)))
    yield from _written(entry.remarks)


def _hanging(line: str) -> RenderableType:
    """Return a line of an outline; its continuation lines are aligned with the words, not with the sign."""
    words = line.lstrip()
    deep = len(line) - len(words) > DEEP
    sign = next((sign for sign in ("→ ", "or ") if words.startswith(sign)), "· " if deep else "")
    return Hanging("  " * deep + sign, Text(words.removeprefix(sign), "" if sign else "bold"))


def _written(remarks: tuple[Remark, ...]) -> Iterator[Hanging]:
    for remark in remarks:
        yield Hanging(f"{SIGNS.get(remark.kind, '·')} ", Text(visible(remark.text)))


def _spaced(*parts: Iterable[RenderableType]) -> Iterator[RenderableType]:
    """Yield the lines of each part that has some, below an empty line."""
    for part in map(list, parts):
        if part:
            yield from (Text(), *part)


def _beginning(walk: Walk) -> Iterator[RenderableType]:
    """Yield the set-up: its lines, the headers, and what was written before the first turn."""
    timeline = walk.timeline
    set_up = [entry for entry in timeline.entries if entry.status == SET_UP]
    yield Text("The set-up", HERE)
    for entry in set_up:
        yield notation(entry)
    facts = [Hanging("▸ ", Text(visible(fact.text), "bold")) for entry in set_up for fact in entry.annotations]
    remarks = (*timeline.preface, *[remark for entry in set_up for remark in entry.remarks])
    grid = Table.grid("", Column(overflow="fold"), padding=(0, 2, 0, 0))
    for name, value in timeline.headers:
        grid.add_row(Text(visible(name)), Text(visible(value)))
    yield from _spaced(facts, _written(remarks), [grid] if timeline.headers else [], _withheld(walk))


def _end(walk: Walk) -> Iterator[RenderableType]:
    timeline = walk.timeline
    yield Text(visible(timeline.result) or "no result", HERE)
    if timeline.ended:
        yield Text(f"The game is over: {timeline.ended}.")
    yield Text(f"{timeline.summary[:1].upper()}{timeline.summary[1:]}.")
    yield from _spaced(_written(timeline.epilogue), _withheld(walk))


def _withheld(walk: Walk) -> list[RenderableType]:
    left_out = walk.timeline.left_out
    return [Text(f"{left_out}.", "italic")] if left_out else []
