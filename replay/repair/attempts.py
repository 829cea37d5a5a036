"""Attempts: a record with some edits, and how far it can be followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ...notation import tokens as t
from ...notation.diagnostic import ERROR
from ...notation.packed import Packed
from ...notation.record import Movetext, Record, Turn
from ..engine.findings import END, Finding, Run
from ..engine.follow import follow
from ..engine.headers import Frame, read_headers
from ..engine.opening import openings, set_up
from ..engine.rulings import rulings
from ..engine.run import run_turns
from ..rules.state import State
from .edits import Edit

ARRIVED: Final = 0
"""What is left of an attempt that can be followed to its end."""


class TrialRun(Run):
    """A run that stops at its first error."""

    def add(self, finding: Finding) -> None:
        """Note a finding; an error stops the run."""
        super().add(finding)
        if finding.severity == ERROR:
            self.full = self.stopped = True

    def copy(self) -> TrialRun:
        """Return a copy, for another way on from here."""
        assert self.state is not None
        return TrialRun(
            self.edition,
            self.state.copy(),
            penalties=self.penalties,
            reported=self.reported,
            broken_off=self.broken_off,
            agreed=self.agreed,
        )

    def go_on(self, turns: Sequence[Turn], packed: Packed, place: int, last: bool) -> int:
        """Play turns from a place on, which ``packed`` holds as codes; return how much of them is left (``rest_of``).

        ``last`` says that the game may have been broken off within the last of them.
        """
        state = self.state
        assert state is not None
        stop, at, _ = follow(state, packed, place)
        if stop == len(turns):
            return ARRIVED
        if at or not packed.is_followed(stop):
            return max(1, rest_of(turns, stop) - at)
        left = [replace(turn, after=tuple(rulings(turn))) if turn.after else turn for turn in turns[stop:]]
        self.last, self.reported = left[-1] if last else None, self.reported.copy()
        run_turns(self, state, Movetext.of(left), 0)
        # Nobody can follow the game any further, although nothing is wrong.
        is_unseen = bool(self.findings) and self.findings[-1].fault.code in ("C908", "C909")
        if not self.stopped or (is_unseen and not any(finding.severity == ERROR for finding in self.findings)):
            return ARRIVED
        turn, at = self.reached
        reached = next((number for number, played in enumerate(left) if played is turn), None)
        if reached is None:
            return rest_of(left, 0)
        return max(1, rest_of(left, reached + 1) if at == END else rest_of(left, reached) - at - 1)


@dataclass(slots=True)
class Attempt:
    """A record with edits. ``cost`` says how seldom the slips are made that they undo; ``frame`` is what its headers
    say.

    ``rest`` is how many tokens and ends of turns are left where the attempt can't be followed any further. ``runs``
    holds the run before each turn behind the set-up, as far as it can be followed; ``end`` the state at the end.
    """

    record: Record
    frame: Frame
    edits: tuple[Edit, ...] = ()
    cost: float = 0.0
    rest: int = ARRIVED
    runs: list[TrialRun] = field(default_factory=list)
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
            self._packed = packed_of(self.turns, self.may_break_off)
        return self._packed

    @property
    def may_break_off(self) -> bool:
        """Return whether the game may have been broken off within its last turn."""
        result = self.record.result
        return self.frame.termination not in ("", "normal") or result is None or result.points is None

    @property
    def lead(self) -> int:
        """Return how many lines of the set-up there are."""
        return len(openings(self.packed))

    def edited(self, edit: Edit, rest: int = ARRIVED, end: State | None = None, rules: str = "") -> Attempt:
        """Return the attempt with one more edit; ``rules`` names the rule set of a record that names none."""
        record = edit.apply(self.record)
        frame = self.frame if edit.headers is None else read_headers(record, rules)
        return Attempt(record, frame, (*self.edits, edit), self.cost + edit.cost, rest, [], end)

    def follow(self) -> None:
        """Follow the attempt from its set-up on, and keep the run before each turn."""
        frame, turns = self.frame, Movetext.of(self.turns)
        assert frame.edition is not None
        run = TrialRun(frame.edition, broken_off=frame.termination not in ("", "normal"), agreed=dict(frame.agreed))
        set_up(run, frame, self.record, turns, openings(turns.packed))
        run.findings.clear()
        self.runs, turns = [], self.turns
        if run.state is None or run.stopped:  # the set-up is wrong or lacks cards
            self.rest = rest_of(turns, 0)
            return
        for place in range(self.lead, len(turns)):
            self.runs.append(run.copy())
            last = place == len(turns) - 1 and self.may_break_off
            one = turns[place : place + 1]
            left = run.go_on(one, packed_of(one, last), 0, last)
            if left:
                self.rest = left + rest_of(turns, place + 1)
                return
            if run.stopped:
                break
        self.rest, self.end = ARRIVED, run.state

    def rest_with(self, edit: Edit, run: TrialRun) -> int:
        """Return what is left of the attempt with an edit of turns where it stops; ``run``, the run before the edit,
        goes on.
        """
        is_last = edit.end == len(self.turns) and self.may_break_off
        left = run.go_on(edit.turns, packed_of(edit.turns, is_last), 0, is_last)
        if left:
            return left + rest_of(self.turns, edit.end)
        return ARRIVED if run.stopped else run.go_on(self.turns, self.packed, edit.end, self.may_break_off)


def packed_of(turns: Sequence[Turn], last: bool = False) -> Packed:
    """Return turns as codes. Those that are ruled on are marked as followed, and the last one if ``last`` says that the
    game may have been broken off within it: how these are to be judged their codes don't say.
    """
    packed = Packed()
    for turn in turns:
        packed.add(turn.number, turn.side, turn.codes, 0, bool(rulings(turn)))
    if last and turns:
        packed.follow_last()
    return packed


def rest_of(turns: Sequence[Turn], place: int) -> int:
    """Return how many tokens and ends of turns there are from a turn on."""
    return sum(len(turn.codes) // 2 + 1 for turn in turns[place:])


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
