"""Candidates: a record with some edits, and how far it can be followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...notation import tokens as t
from ...notation.packed import Packed
from ...notation.record import Movetext, Record, Ruling, Turn
from ..engine.findings import Run
from ..engine.follow import follow
from ..engine.headers import Frame
from ..engine.opening import openings, set_up
from ..rules.state import State
from .edits import Edit

ARRIVED: Final = 0
"""What is left of an attempt that can be followed to its end."""


@dataclass(slots=True)
class Attempt:
    """A record with edits. ``cost`` says how seldom the slips are made that they undo.

    ``rest`` is how many tokens and ends of turns are left where the attempt can't be followed any further. ``states``
    holds the state before each turn behind the set-up, as far as it can be followed; ``end`` the state at the end.
    """

    record: Record
    edits: tuple[Edit, ...] = ()
    cost: float = 0.0
    rest: int = ARRIVED
    states: list[State] = field(default_factory=list)
    end: State | None = None
    _packed: Packed | None = None

    @property
    def turns(self) -> Sequence[Turn]:
        """Return the turns, the set-up among them."""
        return self.record.turns

    @property
    def packed(self) -> Packed:
        """Return the turns as codes."""
        if self._packed is None:
            self._packed = packed_of(self.turns)
        return self._packed

    @property
    def lead(self) -> int:
        """Return how many lines of the set-up there are."""
        return len(openings(self.packed))

    def edited(self, edit: Edit, rest: int = ARRIVED, end: State | None = None) -> Attempt:
        """Return the attempt with one more edit."""
        return Attempt(edit.apply(self.record), (*self.edits, edit), self.cost + edit.cost, rest, [], end)

    def follow(self, frame: Frame) -> None:
        """Follow the attempt from its set-up on, and keep the state before each turn."""
        self.states = []
        state = state_after_setup(self.record, frame)
        if state is None:
            self.rest = rest_of(self.turns, 0)
            return
        for place in range(self.lead, len(self.turns)):
            self.states.append(state.copy())
            stop, at, _ = follow(state, packed_of(self.turns[place : place + 1]), 0)
            if not stop:
                self.rest = rest_behind(rest_of(self.turns, place), at)
                self.end = None if self.rest else state
                return
        self.rest, self.end = ARRIVED, state


def packed_of(turns: Sequence[Turn]) -> Packed:
    """Return turns as codes. Other lines that follow a turn are left out unless they are rulings."""
    packed = Packed()
    for turn in turns:
        packed.add(turn.number, turn.side, turn.codes, 0, any(isinstance(line, Ruling) for line in turn.after))
    return packed


def rest_of(turns: Sequence[Turn], place: int) -> int:
    """Return how many tokens and ends of turns there are from a turn on."""
    return sum(len(turn.codes) // 2 + 1 for turn in turns[place:])


def rest_behind(rest: int, at: int) -> int:
    """Return what is left of a ``rest`` that was followed up to its token ``at``; nothing where only its last end is.

    A game that is still being played ends in mid-turn, and that is no fault.
    """
    left = rest - at
    return left if left > 1 else ARRIVED


def state_after_setup(record: Record, frame: Frame) -> State | None:
    """Return the state in which the first turn begins; None where something is wrong with the set-up."""
    assert frame.edition is not None
    run = Run(frame.edition)
    turns = Movetext.of(record.turns)
    set_up(run, frame, record, turns, openings(turns.packed))
    return None if run.stopped or run.findings else run.state


def plain(tokens: tuple[t.Token, ...]) -> tuple[t.Token, ...]:
    """Return tokens without what makes no difference: the order of cards drawn, and of cards placed at two groups."""
    joined: list[t.Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        if isinstance(token, t.Draw) and isinstance(before, t.Draw):
            joined[-1] = t.Draw(tuple(sorted((*before.cards, *token.cards))))
        elif isinstance(token, t.Draw):
            joined.append(t.Draw(tuple(sorted(token.cards))))
        elif isinstance(token, t.Place) and isinstance(before, t.Place) and before.group > token.group:
            joined[-1:] = [token, before]
        else:
            joined.append(token)
    return tuple(joined)
