"""``tiro step``, line by line: what happened at each step of a game, the table there, and how to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Column, Table
from rich.text import Text

from ....notation.basics import PLAYER_NAMES, visible
from ....notation.language import Messages, phrase
from ....replay.diagnostics.api import capital, marks_text
from ....replay.story.api import PLAYED, SET_UP, Entry, Event, Remark, VoteScene
from ....replay.words.api import annotation_words, event_sentence, viewed_by
from ....replay.words.votes import vote_words
from ...render.pages import OutlineRow, outline_rows
from .board import picture, vote_cards
from .walk import Walk

_HELP: Final[Messages] = {
    "lines": (
        "Enter or n: the next step     b: the step before      t, T: a turn on, a turn back",
        "v, V: a vote on, a vote back  7E, 7E.2: go there      first, last: the beginning, the end",
        "view: next point of view      table: draw it again    quit: leave",
    )
}
QUIT: Final = ("quit", "q")


CURRENT_STYLE: Final = "bold reverse"
"""The style of the token that was just carried out, visible without colours too."""
SIGNS: Final = {"comment": ";", "alternative": "|", "ruling": "%", "unread": "?"}
"""Kind of remark → its sign, as in the notation."""


class Hanging:
    """A text with a sign before it and its continuation lines indented. A table would do the same, but slowly."""

    def __init__(self, sign: str, text: Text) -> None:
        self.sign, self.text = sign, text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = len(self.sign)
        for number, line in enumerate(self.text.wrap(console, max(1, options.max_width - wide))):
            yield Text.assemble((" " * wide if number else self.sign, "bold"), line)


class TurnedUp:
    """The first step of a vote: its cards side by side, and their sums."""

    def __init__(self, scene: VoteScene) -> None:
        self.scene = scene

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        said = vote_words(self.scene)
        yield Text(phrase("{vote}: the cards are turned up", vote=said.title), "bold")
        yield from vote_cards(self.scene, options.max_width)
        yield from map(Text, said.first)


def title(walk: Walk) -> Text:
    """Return the current step and the point of view; then the players, the event and the rules of the game."""
    timeline = walk.timeline
    beyond = [phrase("can't be followed beyond {turn}", turn=timeline.stopped)] if timeline.stopped else []
    names = [timeline.header(name).strip() or "?" for name in PLAYER_NAMES]
    number = phrase("step {number} of {count}", number=walk.place, count=len(walk.stops) - 1)
    parts = [walk.stop.label, *beyond, number, viewed_by(walk.view), " – ".join(names)]
    parts += [timeline.header("Event").strip(), phrase("{rules} rules", rules=timeline.edition.name)]
    return Text(" · ".join(visible(part) for part in parts if part not in ("", "?")))


def story(walk: Walk) -> RenderableType:
    """Return everything about the current step."""
    entry, event = walk.entry, walk.event
    if entry is None:
        return Group(*(_end(walk) if walk.place else _beginning(walk)))
    if walk.stop.turned_up and walk.scene is not None:
        return Group(notation(entry, event), TurnedUp(walk.scene), *_spaced(_about(entry, event, decided=False)))
    if walk.scene is not None:
        vote = vote_words(walk.scene)
        words = Text.assemble((f"{vote.title}: ", "bold"), " ".join(vote.second))
    elif event is not None:
        words = Text(f"{visible(event_sentence(event, entry.player))}.")
    else:
        status = phrase("This line is {status}.", status=phrase(entry.status))
        words = Text(status if entry.status != PLAYED else phrase("Nothing was played."))
    # How a vote was decided, as in its outline, with hanging indents for lines that don't fit.
    rows = map(_hanging, outline_rows(walk.tree)) if walk.tree else ()
    return Group(notation(entry, event), words, *_spaced(_about(entry, event), rows))


def notation(entry: Entry, event: Event | None = None) -> Text:
    """Return a turn line, with the token that was just played marked and those still to come faint."""
    text = Text.assemble((entry.label, "bold"))
    for played in entry.events:
        style = "" if event is None or played.at < event.at else CURRENT_STYLE if played.at == event.at else "dim"
        text.append(" ").append(visible(played.token), style)
    if rest := entry.rest if entry.events else entry.play:
        text.append(f" {visible(rest)}", "dim" if event is not None else "")
    text.append(visible(f" {marks_text(entry.marks)}") if entry.marks else "")
    if entry.status not in (PLAYED, SET_UP):
        text.append(f"  ({phrase(entry.status)})", "italic")
    return text


def _about(entry: Entry, event: Event | None, *, decided: bool = True) -> Iterator[Hanging]:
    """Yield what is notable in a turn: first what the current token caused, then what was written about the turn.

    What a later token causes comes with that token; what a vote causes comes when it is ``decided``.
    """
    at, last = -1, inf
    if event is not None:
        # The fault that stopped the replay belongs to a token that was not carried out; it is shown with the last one
        # that was.
        at, last = event.at, inf if event is entry.events[-1] and entry.rest else event.at
    for fact in entry.annotations:
        if decided and fact.at is not None and at <= fact.at <= last:
            yield Hanging("▸ ", Text(visible(annotation_words(fact)), "bold"))
    for fact in entry.annotations:
        if fact.at is None or fact.at < at:
            yield Hanging("• ", Text(visible(annotation_words(fact))))
    yield from _written(entry.remarks)


def _hanging(row: OutlineRow) -> RenderableType:
    """Return a line of an outline; its continuation lines are aligned with the words, not with the sign."""
    sign = row.sign or "· " * row.deep
    return Hanging("  " * row.deep + sign, Text(row.words, "" if sign else "bold"))


def _written(remarks: tuple[Remark, ...]) -> Iterator[Hanging]:
    for remark in remarks:
        yield Hanging(f"{SIGNS.get(remark.kind, '·')} ", Text(visible(remark.text)))


def _spaced(*parts: Iterable[RenderableType]) -> Iterator[RenderableType]:
    """Yield the lines of each part that is not empty, below an empty line."""
    for part in map(list, parts):
        if part:
            yield from (Text(), *part)


def _beginning(walk: Walk) -> Iterator[RenderableType]:
    """Yield the set-up: its lines, the headers, and what was written before the first turn."""
    timeline = walk.timeline
    set_up = [entry for entry in timeline.entries if entry.status == SET_UP]
    yield Text(phrase("The set-up"), CURRENT_STYLE)
    for entry in set_up:
        yield notation(entry)
    facts = [
        Hanging("▸ ", Text(visible(annotation_words(fact)), "bold")) for entry in set_up for fact in entry.annotations
    ]
    remarks = (*timeline.preface, *[remark for entry in set_up for remark in entry.remarks])
    grid = Table.grid("", Column(overflow="fold"), padding=(0, 2, 0, 0))
    for name, value in timeline.headers:
        grid.add_row(Text(visible(name)), Text(visible(value)))
    yield from _spaced(facts, _written(remarks), [grid] if timeline.headers else [], _withheld(walk))


def _end(walk: Walk) -> Iterator[RenderableType]:
    timeline = walk.timeline
    yield Text(visible(timeline.result) or phrase("no result"), CURRENT_STYLE)
    if timeline.ended:
        yield Text(phrase("The game is over: {why}.", why=timeline.ended))
    yield Text(f"{capital(timeline.summary)}.")
    yield from _spaced(_written(timeline.epilogue), _withheld(walk))


def _withheld(walk: Walk) -> list[RenderableType]:
    left_out = walk.timeline.left_out
    return [Text(f"{left_out}.", "italic")] if left_out else []


def _help() -> list[str]:
    return [phrase(line) for line in _HELP["lines"]]


class Steps:
    """A walk through a game whose way is typed."""

    def __init__(self, walk: Walk, console: Console) -> None:
        """Show the steps of a walk on a console."""
        self.walk, self.console = walk, console
        self.ways: dict[str, Callable[[], bool]] = {
            **dict.fromkeys(("", "n", "next"), lambda: walk.step(1)),
            **dict.fromkeys(("b", "back"), lambda: walk.step(-1)),
            "t": lambda: walk.turn(1),
            "T": lambda: walk.turn(-1),
            "v": lambda: walk.vote(1),
            "V": lambda: walk.vote(-1),
            "first": lambda: walk.to(0),
            "last": walk.last,
            "view": walk.next_view,
            "table": lambda: True,
        }

    def go(self, typed: Iterable[str]) -> None:
        """Go as lines say, and show each step, until there are no more or one says to leave."""
        self._print(*map(Text, _help()), Text())
        self.show()
        for line in typed:
            way = line.strip()
            if way.lower() in QUIT:
                return
            if way in ("?", "help"):
                self._print(*map(Text, _help()))
            elif way in self.ways:
                self._move(self.ways[way](), phrase("There is nothing further that way."))
            else:
                wrong = self.walk.go(way)
                self._move(not wrong, f"{capital(wrong)}. {_help()[0]}" if wrong else "")

    def _move(self, moved: bool, why_not: str) -> None:
        if moved:
            self.show()
        else:
            self._print(Text(visible(why_not)))

    def show(self) -> None:
        """Show the current step: where it is, the table, and what happened."""
        walk = self.walk
        self._print(
            Text.assemble((title(walk).plain, "bold")), picture(walk.table, self.console.width), story(walk), Text()
        )

    def _print(self, *parts: RenderableType) -> None:
        with self.console.capture() as drawn:
            for part in parts:
                self.console.print(part)
        self.console.file.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())
        self.console.file.flush()
