"""A record that is being written: its verdict, and where it continues. It is a value: nothing changes it."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Final

from ...notation.basics import EGYPT, ROME, SIDE_LETTERS
from ...notation.language import PLAYERS, SIDES, phrase
from ...notation.records import ERROR, Diagnostic, Game, Record, Result, Turn, parse, score_text, write
from ...replay.checking.api import Verdict, check, judged
from ...replay.engine.api import VIEWS, GameEnd, HeaderInfo, Replay, Step, game_end, read_headers, run_record, snapshots
from ...replay.knowledge.api import CardHistory, history_of, history_of_run, moments_of
from ...replay.rules.api import State, decide, start
from ...replay.rules.core import ImpossibleMoveError
from .cursor import Cursor, Phase, cursor_of, has_unknown_cards
from .menu import Menu

RECENT: Final = 6
"""The steps are kept for this many lines at the end of a record; some of the lines may have been taken back."""
_ENOUGH: Final = 4
"""This many steps show where a record continues: the step before the set-up, and three around the last word."""


class Draft:
    """A record that is being written. ``closed`` says that its last turn has ended although it might go on.

    It is run once: verdict, cursor and hidden cards all come from the same ``replay``.
    """

    def __init__(self, record: Record, *, closed: bool = False, text: str | None = None) -> None:
        """Hold a record; ``text`` is the text from which it was read, if any."""
        self.text = write(record) if text is None else text
        self.closed = closed

    @classmethod
    def resumed(cls, text: str, closed: bool = False) -> Draft:
        """Return the draft of a text that was kept before: a position with both lines is set up."""
        draft = cls(Record(), closed=closed, text=text)
        lines = draft.record.turns
        draft.closed |= draft.frame.position and len(lines) == 2 and not any(turn.number for turn in lines)
        return draft

    @cached_property
    def game(self) -> Game:
        """Return the record as read from its text, so that faults have a place there."""
        return parse(self.text, "the record")[-1]

    @property
    def record(self) -> Record:
        """Return the record itself."""
        return self.game.record

    @cached_property
    def headers(self) -> HeaderInfo:
        """Return what the headers say."""
        return read_headers(self.record)

    @cached_property
    def by_form(self) -> bool:
        """Return whether words are accepted by their form alone, as in tournament mode until the record says that the
        game is over.

        A result with points says so, or a termination.
        """
        return self.headers.tournament and not self.headers.termination and self.record.points is None

    @cached_property
    def frame(self) -> HeaderInfo:
        """Return what the headers say; without a rule set as long as words are accepted ``by_form``, since it is not
        used then.
        """
        return self.headers._replace(edition=None) if self.by_form else self.headers

    @cached_property
    def replay(self) -> Replay:
        """Return the replay, made once, with the steps of the last turns. The rule set must be known."""
        skip = max(0, len(self.record.turns) - RECENT)
        played = self._replay(skip)
        # If none of the last turns was carried out, the steps before them show the table.
        return self._replay(0) if skip and len(played.steps) < _ENOUGH else played

    def _replay(self, skip: int) -> Replay:
        steps: list[Step] = []
        take = snapshots(steps, skip)
        if self.frame.view == VIEWS[0]:  # those who see all cards need no story of hidden ones
            run = run_record(self.record, self.frame, take, skip)
        else:
            self._moments, note = moments_of()

            def watch(place: int, turn: Turn | None, at: int, state: State) -> None:
                take(place, turn, at, state)
                note(place, turn, at, state)

            run = run_record(self.record, self.frame, watch)
        return Replay(tuple(steps), run, self.record)

    @cached_property
    def story(self) -> CardHistory | None:
        """Return what the hidden cards must explain; None if the game can't even begin."""
        if self.frame.view == VIEWS[0]:
            return history_of(self.record, self.frame)
        return history_of_run(self.record, self.frame, self.replay.run, self._moments)

    @cached_property
    def verdict(self) -> Verdict:
        """Return the checker's verdict."""
        if self.game.mended is not None:
            return check(self.game)
        run = None if self.frame.edition is None else self.replay.run
        return judged(self.game, self.frame, run, history=lambda: self.story)

    @cached_property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Return the errors against rules and notation."""
        return tuple([fault for fault in self.verdict.diagnostics if fault.severity == ERROR])

    @cached_property
    def cursor(self) -> Cursor:
        """Return where the record continues: nowhere once a record in tournament mode says that the game is over,
        whatever the rules say.
        """
        cursor = cursor_of(self.record, self.frame, self.closed, lambda: self.replay)
        if self.frame.tournament and not self.by_form and cursor.phase is not Phase.OVER:
            return cursor._replace(phase=Phase.OVER, fresh=True, moves=(), announced=None, pending=False)
        return cursor

    @property
    def is_over(self) -> bool:
        """Return whether the game came to an end by the rules."""
        return self.cursor.phase is Phase.OVER and self.cursor.state is not None and bool(self.cursor.state.ended)

    @cached_property
    def state(self) -> State | None:
        """Return the current table: the set-up as far as it goes; the last known table if the cards can't be followed;
        None if the rules are unknown, or the cards of the set-up are impossible.
        """
        if self.cursor.state is not None or self.frame.edition is None:
            return self.cursor.state
        if self.cursor.phase is Phase.BLIND and (steps := self.replay.steps):
            return steps[-1].state
        lines = {turn.side: turn.tokens for turn in self.record.turns if not turn.number}
        try:
            return start(self.frame.edition, self.frame.starter, lines.get(ROME, ()), lines.get(EGYPT, ()))
        except ImpossibleMoveError:
            return None

    @property
    def closing(self) -> GameEnd | None:
        """Return how the game ended, if it is over."""
        if self.cursor.phase is not Phase.OVER or self.state is None:
            return None
        return game_end(self.record, self.frame, self.replay.run, self.state)

    @cached_property
    def menu(self) -> Menu:
        """Return what may be typed next."""
        state = self.cursor.state
        unknown_cards = state is not None and has_unknown_cards(state)
        return Menu(self.cursor.moves, self.cursor.side, self.frame.edition, self._endings(), unknown_cards)

    def _endings(self) -> dict[str, str]:
        """Return the possible endings if the game is over and the cards alone don't decide the result."""
        score, state = self.verdict.score if self.is_over else None, self.cursor.state
        if score is None or state is None or self.record.points is not None:
            return {}
        judged = dict((self.record.result or Result()).verdicts)
        for side, (counted, cards) in enumerate(zip(score.sides, state.sides, strict=True)):
            in_words = "text" in [mission.kind for mission in cards.possible_missions]
            if in_words and None in counted.missions and side not in judged:
                player, letter = PLAYERS[side], SIDE_LETTERS[side]
                return {
                    f"m{letter}+": phrase("{player.of} written mission is fulfilled", player=player),
                    f"m{letter}-": phrase("{player.of} written mission is not fulfilled", player=player),
                }
        points = [sorted(side.possible_points(state.edition.mission_points)) for side in score.sides]
        rome, egypt = [side.patricians for side in score.sides]
        endings = {}
        for each in product(points[ROME], points[EGYPT]):
            winner, by_patricians = decide(state.edition, each, (rome, egypt))
            said = phrase("Rome {rome}, Egypt {egypt}", rome=each[ROME], egypt=each[EGYPT])
            more = phrase("{side.name} has more patricians", side=SIDES[winner]) if by_patricians else ""
            endings[score_text(Result(each, winner if by_patricians else None))] = "; ".join(filter(None, (said, more)))
        return endings

    def new_errors(self, before: Draft) -> list[Diagnostic]:
        """Return the errors that were not there ``before``."""
        known = {(fault.code, fault.turn, fault.message) for fault in before.errors}
        return [fault for fault in self.errors if (fault.code, fault.turn, fault.message) not in known]
