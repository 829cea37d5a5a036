"""Two chess clocks beside the table, and the marks that they leave in a record."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import Final

from ...notation.cards import EGYPT, ROME
from ...notation.record import Comment, Record
from ..engine.rulings import is_taken_back
from .cursor import Phase
from .draft import Draft
from .editing import place_of, with_turn

_TIME: Final = r"\d{1,3}:[0-5]\d:[0-5]\d|\d{1,3}:[0-5]\d|\d{1,6}"
_CONTROL: Final = re.compile(rf"({_TIME})(?:\+({_TIME}))?", re.ASCII)
FLAG: Final = "the flag has fallen"
"""The comment at the turn in which a side ran out of time, which decides nothing."""
_MOST: Final = 1000 * 3600 - 1
"""The longest time that a mark can be written with."""
_KEPT: Final = re.compile(r"(-?\d{1,9}\.\d) (-?\d{1,9}\.\d)((?: \d{1,4}[RE])*)", re.ASCII)
NOW: Final[Callable[[], float]] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""What tells the seconds: the system's clock may be set meanwhile, and, where that is known, its sleep counts."""


def parse_control(text: str) -> tuple[float, float] | None:
    """Return a ``TimeControl`` as seconds for each player and seconds added for each turn; None where it is another.

    ``1800``, ``30:00`` and ``0:30:00`` are half an hour; ``1800+10`` adds ten seconds for each turn.
    """
    control = _CONTROL.fullmatch(text.strip())
    return None if control is None else (_seconds(control[1]), _seconds(control[2] or "0"))


def _seconds(text: str) -> float:
    """Return the seconds of ``1:02:33`` (hours, minutes, seconds), ``62:33`` (minutes, seconds) or seconds."""
    return reduce(lambda total, part: total * 60 + float(part), text.split(":"), 0.0)


class Clocks:
    """Two clocks of which at most one runs. A side is ROME or EGYPT; ``now`` tells the time in seconds.

    Nothing is refused: who runs out of time goes on below zero, and what comes of it is for people to decide.
    """

    def __init__(self, base: float, increment: float = 0.0, now: Callable[[], float] = NOW) -> None:
        self.base, self.increment = base, increment
        self.turn: int | None = None
        """Whose clock runs or ran last; None before the first start."""
        self._left = [base, base]
        self._now = now
        self._since: float | None = None
        self._ended: set[str] = set()

    @classmethod
    def from_record(cls, record: Record, kept: str = "", now: Callable[[], float] = NOW) -> Clocks | None:
        """Return the clocks of a game that goes on: as they were ``kept``, else as the last marks of both sides say, or
        as they were set at first.

        They stand until one is started. Return None where ``TimeControl`` says nothing that clocks can be set to.
        """
        control = parse_control(record.header("TimeControl"))
        if control is None:
            return None
        clocks = cls(*control, now)
        for turn in record.turns:
            for mark in turn.marks:
                if mark.startswith("@"):
                    clocks.set(turn.side, _seconds(mark[1:]))
                    clocks._ended.add(turn.label)
        if stood := _KEPT.fullmatch(kept):
            clocks._left = [float(stood[1]), float(stood[2])]
            clocks._ended |= {*stood[3].split()}
        return clocks

    def kept(self) -> str:
        """Return how the clocks stand: the seconds left to both, and the turns that have got their increment."""
        return " ".join([*[f"{self.left(side):.1f}" for side in (ROME, EGYPT)], *sorted(self._ended)])

    @property
    def is_running(self) -> bool:
        """Return whether one of the two runs."""
        return self._since is not None

    def start(self, side: int) -> None:
        """Let the clock of ``side`` run, whichever ran before."""
        self.pause()
        self.turn, self._since = side, self._now()

    def press(self, label: str = "") -> None:
        """End a turn: the clock that runs stops and gets its increment, the other one runs. Paused clocks stay so.

        A clock whose flag has fallen gets no more: else nobody could see afterwards that it fell. Nor does one that
        has got it for the turn with this ``label``: its end was taken back and written down again.
        """
        if self.turn is None or self._since is None:
            return
        self.pause()
        if not self.fell(self.turn) and label not in self._ended:
            self._left[self.turn] += self.increment
        self._ended |= {label} - {""}
        self.start(1 - self.turn)

    def pause(self) -> None:
        """Stop both clocks."""
        if self.turn is not None:
            self._left[self.turn] = self.left(self.turn)
        self._since = None

    def left(self, side: int) -> float:
        """Return the seconds that a side has left, less than zero where its flag has fallen."""
        gone = self._now() - self._since if self._since is not None and side == self.turn else 0.0
        return self._left[side] - gone

    def fell(self, side: int) -> bool:
        """Return whether a side has run out of time."""
        return self.left(side) <= 0

    def set(self, side: int, seconds: float) -> None:
        """Put a clock right, as an arbiter does; one that runs goes on from there."""
        self._left[side] = seconds
        if self._since is not None and side == self.turn:
            self._since = self._now()

    def mark(self, side: int) -> str:
        """Return the clock as a turn's line has it, ``@1:02:33``: whole seconds, rounded down; 0 once it fell."""
        minutes, seconds = divmod(int(min(max(self.left(side), 0), _MOST)), 60)
        return f"@{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def controlled(clocks: Clocks | None, before: Record, record: Record, now: Callable[[], float] = NOW) -> Clocks | None:
    """Return the clocks as ``TimeControl`` has them where it is not what it was before: both have as much more or less
    as it gives, so that nobody gets back the time that they thought.
    """
    text = record.header("TimeControl")
    if text == before.header("TimeControl"):
        return clocks
    control = parse_control(text)
    if clocks is None or control is None:
        return Clocks.from_record(record, now=now)
    for side in (ROME, EGYPT):
        clocks.set(side, clocks.left(side) + control[0] - clocks.base)
    clocks.base, clocks.increment = control
    return clocks


def followed(draft: Draft, clocks: Clocks) -> None:
    """Let the clock run of the side whose turn it is, and none when the game is over. Paused clocks stay so."""
    if clocks.is_running and draft.cursor.phase is Phase.OVER:
        clocks.pause()
    elif clocks.is_running and draft.cursor.side != clocks.turn:
        clocks.start(draft.cursor.side)


def timed(before: Draft, draft: Draft, clocks: Clocks) -> Draft:
    """Return the draft, if a turn is over that was not, with the clock after it; the right clock runs then."""
    place = _ended_turn(before, draft)
    if place is not None and clocks.is_running and clocks.turn == draft.record.turns[place].side:
        draft = _pressed(draft, place, clocks)
    followed(draft, clocks)
    return draft


def _pressed(draft: Draft, place: int, clocks: Clocks) -> Draft:
    """Return the draft with the clock after a turn that is over, unless one stands there."""
    last = draft.record.turns[place]
    clocks.press(last.label)
    if any(mark.startswith("@") for mark in last.marks):
        return draft
    notes = last.notes
    if clocks.fell(last.side) and not any(FLAG in (note.text for note in turn.notes) for turn in draft.record.turns):
        notes = (*notes, Comment(FLAG, len(last.tokens)))
    written = replace(last, marks=(*last.marks, clocks.mark(last.side)), notes=notes)
    return Draft(with_turn(draft.record, place, written), closed=draft.closed)


def _ended_turn(before: Draft, draft: Draft) -> int | None:
    """Return the place of the turn that was being played before, and is over now; None where it goes on."""
    was, now = before.cursor, draft.cursor
    if was.phase not in (Phase.PLAY, Phase.BLIND) or not was.number:
        return None
    if now.label == was.label and now.phase is not Phase.OVER:
        return None
    place = place_of(draft.record, was.label)
    return None if place is None or is_taken_back(draft.record.turns[place]) else place
