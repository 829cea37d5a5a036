"""Two chess clocks at the table, and the marks that they leave in a record."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import Final

from ...notation.basics import EGYPT, ROME
from ...notation.records import Comment, Record
from ...replay.engine.api import CONTROL, is_taken_back
from .cursor import Phase
from .draft import Draft
from .editing import place_of, with_turn

FLAG: Final = "the flag has fallen"
"""The comment at the turn in which a side ran out of time; it decides nothing."""
_MOST: Final = 1000 * 3600 - 1
"""The longest time that a mark can show."""
_CLOCK_STATE: Final = re.compile(r"(-?\d{1,9}\.\d) (-?\d{1,9}\.\d)((?: \d{1,4}[RE])*)", re.ASCII)
NOW: Final[Callable[[], float]] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""The source of the time: not the system's clock, which may be set in between, but one that also counts time asleep, if
available.
"""


def parse_control(text: str) -> tuple[float, float] | None:
    """Return a ``TimeControl`` as seconds for each player and seconds added for each turn; None if it has another form.

    ``1800``, ``30:00`` and ``0:30:00`` are half an hour; ``1800+10`` adds ten seconds for each turn.
    """
    control = re.fullmatch(CONTROL, text.strip(), re.ASCII)
    return None if control is None else (_seconds(control[1]), _seconds(control[2] or "0"))


def _seconds(text: str) -> float:
    """Return the seconds of ``1:02:33`` (hours, minutes, seconds), ``62:33`` (minutes, seconds) or seconds."""
    return reduce(lambda total, part: total * 60 + float(part), text.split(":"), 0.0)


class Clocks:
    """Two clocks of which at most one runs. A side is ROME or EGYPT; ``now`` returns the time in seconds.

    Nothing is refused: a clock that runs out continues below zero, and people decide what that means.
    """

    def __init__(self, base: float, increment: float = 0.0, now: Callable[[], float] = NOW) -> None:
        self.base, self.increment = base, increment
        self.turn: int | None = None
        """Whose clock is running or ran last; None before the first start."""
        self._left = [base, base]
        self._now = now
        self._since: float | None = None
        self._ended: set[str] = set()

    @classmethod
    def from_record(cls, record: Record, kept: str = "", now: Callable[[], float] = NOW) -> Clocks | None:
        """Return the clocks of a continued game: as ``kept``, or according to both sides' last marks, or as first set.

        They are stopped until one is started. Return None if clocks can't be set to ``TimeControl``.
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
        if stood := _CLOCK_STATE.fullmatch(kept):
            clocks._left = [float(stood[1]), float(stood[2])]
            clocks._ended |= {*stood[3].split()}
        return clocks

    def kept(self) -> str:
        """Return the state of the clocks: the seconds left for both, and the turns that have received their
        increment.
        """
        return " ".join([*[f"{self.left(side):.1f}" for side in (ROME, EGYPT)], *sorted(self._ended)])

    @property
    def is_running(self) -> bool:
        """Return whether either clock is running."""
        return self._since is not None

    def start(self, side: int) -> None:
        """Start the clock of ``side``, whichever was running before."""
        self.pause()
        self.turn, self._since = side, self._now()

    def press(self, label: str = "") -> None:
        """End a turn: the running clock stops and gets its increment, and the other one runs. Paused clocks stay
        paused.

        A clock whose flag has fallen gets no increment, or nobody could see afterwards that it fell. Nor does a clock
        that already got it for the turn with this ``label``, whose end was taken back and entered again.
        """
        if self.turn is None or self._since is None:
            return
        self.pause()
        if not self.has_run_out(self.turn) and label not in self._ended:
            self._left[self.turn] += self.increment
        self._ended |= {label} - {""}
        self.start(1 - self.turn)

    def pause(self) -> None:
        """Stop both clocks."""
        if self.turn is not None:
            self._left[self.turn] = self.left(self.turn)
        self._since = None

    def left(self, side: int) -> float:
        """Return the seconds that a side has left, below zero if its flag has fallen."""
        gone = self._now() - self._since if self._since is not None and side == self.turn else 0.0
        return self._left[side] - gone

    def has_run_out(self, side: int) -> bool:
        """Return whether a side has run out of time."""
        return self.left(side) <= 0

    def set(self, side: int, seconds: float) -> None:
        """Set a clock, as an arbiter does; a running clock continues from there."""
        self._left[side] = seconds
        if self._since is not None and side == self.turn:
            self._since = self._now()

    def mark(self, side: int) -> str:
        """Return the clock as a turn's line has it, ``@1:02:33``: whole seconds, rounded down; 0 once its flag has
        fallen.
        """
        minutes, seconds = divmod(int(min(max(self.left(side), 0), _MOST)), 60)
        return f"@{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def with_time_control(
    clocks: Clocks | None, before: Record, record: Record, now: Callable[[], float] = NOW
) -> Clocks | None:
    """Return the clocks for a changed ``TimeControl``: both gain or lose the difference, so nobody gets back the time
    they have used.
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
    """Run the clock of the side whose turn it is, and no clock when the game is over. Paused clocks stay paused."""
    if clocks.is_running and draft.cursor.phase is Phase.OVER:
        clocks.pause()
    elif clocks.is_running and draft.cursor.side != clocks.turn:
        clocks.start(draft.cursor.side)


def timed(before: Draft, draft: Draft, clocks: Clocks) -> Draft:
    """Return the draft, with a clock mark if a turn has just ended. The right clock runs then."""
    place = _ended_turn(before, draft)
    if place is not None and clocks.is_running and clocks.turn == draft.record.turns[place].side:
        draft = _pressed(draft, place, clocks)
    followed(draft, clocks)
    return draft


def _pressed(draft: Draft, place: int, clocks: Clocks) -> Draft:
    """Return the draft with a clock mark after a finished turn, unless it has one."""
    last = draft.record.turns[place]
    clocks.press(last.label)
    if any(mark.startswith("@") for mark in last.marks):
        return draft
    notes = last.notes
    has_fallen = any(note.text == FLAG for turn in draft.record.turns for note in turn.notes)
    if clocks.has_run_out(last.side) and not has_fallen:
        notes = (*notes, Comment(FLAG, len(last.tokens)))
    written = replace(last, marks=(*last.marks, clocks.mark(last.side)), notes=notes)
    return Draft(with_turn(draft.record, place, written), closed=draft.closed)


def _ended_turn(before: Draft, draft: Draft) -> int | None:
    """Return the place of the turn that was in progress before and is over now; None if it goes on."""
    was, now = before.cursor, draft.cursor
    if was.phase not in (Phase.PLAY, Phase.BLIND) or not was.number:
        return None
    if now.label == was.label and now.phase is not Phase.OVER:
        return None
    place = place_of(draft.record, was.label)
    return None if place is None or is_taken_back(draft.record.turns[place]) else place
