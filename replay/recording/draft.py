"""A record that is being written: a text, what it comes to, and where it goes on. A value: nothing changes it."""

from __future__ import annotations

from functools import cached_property
from itertools import product

from ...notation.cards import EGYPT, PLAYER_NAMES, ROME, SIDE_LETTERS
from ...notation.diagnostic import ERROR, Diagnostic
from ...notation.reader import Game, parse
from ...notation.record import Record, Result
from ..checking.check import Verdict, check
from ..engine.headers import Frame, read_headers
from ..engine.replay import replay_game
from ..rules.mechanics import Impossible
from ..rules.mechanics.setup import start
from ..rules.state import State
from .cursor import Cursor, Phase, cursor_of
from .menu import Menu


class Draft:
    """A text that holds one record. ``closed`` says that its last turn is over although it might go on."""

    def __init__(self, text: str, *, closed: bool = False) -> None:
        self.text = text
        self.closed = closed

    @classmethod
    def taken_up(cls, text: str, closed: bool = False) -> Draft:
        """Return the draft of a text that was kept before: a position of which both lines are there is set up."""
        draft = cls(text)
        lines = draft.record.turns
        is_laid = draft.frame.position and len(lines) == 2 and not any(turn.number for turn in lines)
        return cls(text, closed=closed or is_laid)

    @cached_property
    def game(self) -> Game:
        """Return the record as it was read."""
        return parse(self.text, "the record")[-1]

    @property
    def record(self) -> Record:
        """Return the record itself."""
        return self.game.record

    @cached_property
    def frame(self) -> Frame:
        """Return what the headers say."""
        return read_headers(self.record)

    @cached_property
    def verdict(self) -> Verdict:
        """Return what the checker says about it."""
        return check(self.game)

    @cached_property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Return the errors against rules and notation."""
        return tuple([fault for fault in self.verdict.diagnostics if fault.severity == ERROR])

    @cached_property
    def cursor(self) -> Cursor:
        """Return where it goes on."""
        return cursor_of(self.game, self.frame, self.closed)

    @property
    def is_over(self) -> bool:
        """Return whether the game came to an end by the rules."""
        return self.cursor.phase is Phase.OVER and self.cursor.state is not None and bool(self.cursor.state.ended)

    @cached_property
    def state(self) -> State | None:
        """Return the table as it lies: that of the set-up as far as it goes; the last one known where the cards can't
        be followed; None where nobody knows the rules, or no table holds the cards of the set-up.
        """
        if self.cursor.state is not None or self.frame.edition is None:
            return self.cursor.state
        if self.cursor.phase is Phase.BLIND and (steps := replay_game(self.game).steps):
            return steps[-1].state
        lines = {turn.side: turn.tokens for turn in self.record.turns if not turn.number}
        try:
            return start(self.frame.edition, self.frame.starter, lines.get(ROME, ()), lines.get(EGYPT, ()))
        except Impossible:
            return None

    @cached_property
    def menu(self) -> Menu:
        """Return what may be typed next."""
        return Menu(self.cursor.moves, self.cursor.side, self.frame.edition, self._endings())

    def _endings(self) -> dict[str, str]:
        """Return what can be written where the game is over and the cards alone don't tell the result."""
        score, state = self.verdict.score if self.is_over else None, self.cursor.state
        result = self.record.result or Result()
        if score is None or state is None or result.points is not None:
            return {}
        for side, (counted, cards) in enumerate(zip(score.sides, state.sides, strict=True)):
            in_words = any(mission.kind == "text" for mission in cards.possible_missions)
            if in_words and None in counted.missions and side not in dict(result.verdicts):
                name, letter = PLAYER_NAMES[side], SIDE_LETTERS[side]
                return {
                    f"m{letter}+": f"{name}'s mission in words is fulfilled",
                    f"m{letter}-": f"{name}'s mission in words is not fulfilled",
                }
        points = [sorted(side.possible_points(state.edition.mission_points)) for side in score.sides]
        return {f"{rome}-{egypt}": f"Rome {rome}, Egypt {egypt}" for rome, egypt in product(*points)}

    def new_errors(self, before: Draft) -> list[Diagnostic]:
        """Return the errors that were not there ``before``."""
        known = {(fault.code, fault.turn, fault.message) for fault in before.errors}
        return [fault for fault in self.errors if (fault.code, fault.turn, fault.message) not in known]
