"""The recorder: what is entered, insisted upon, corrected and taken back, each of it kept before the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.diagnostic import Diagnostic
from ...notation.reader import parse
from ...notation.record import Comment, Record, Result, Ruling, Turn
from ...notation.signature import signed
from ...notation.writer import turn_text, write
from ..engine.result import DECISIVE
from .acceptance import against_ending, completed, decided, insisted, objections, ruled, undecided, with_due_votes
from .clocks import Clocks, timed
from .cursor import Phase
from .draft import Draft
from .entry import (
    Item,
    NewTurn,
    UnreadableEntry,
    counted_result,
    in_place,
    inserted,
    items_of,
    place_of,
    put,
    rewritten,
    text_of,
    with_header,
    with_result,
    with_turn,
    without,
)
from .score_sheet import WIDTH
from .storage import RecordStorage


class Unheeded(Exception):
    """Something that is no entry and was not done; its arguments are lines that say why, and what can be done."""


class Refusal(NamedTuple):
    """An entry that was not accepted: what it was, what speaks against it, and what came behind it.

    Without an item it was the end of a turn.
    """

    item: Item | None
    objections: tuple[Diagnostic, ...]
    rest: tuple[Item, ...] = ()


class Recorder:
    """A record being written, kept on a storage. ``refusal`` is the last entry that was not accepted, if any."""

    def __init__(self, storage: RecordStorage) -> None:
        self.storage = storage
        self.draft = Draft.taken_up(storage.text)
        self.refusal: Refusal | None = None
        self.left = ""
        """What of the last entry is not in the record, as it can be typed again: refused, or not kept."""
        self.clocks = Clocks.from_record(self.draft.record)
        """Two clocks, where the game is played with some."""
        self.width = WIDTH
        """How wide a score sheet may be that is looked at."""
        self._given: list[t.Token] = []
        """What was filled in behind the last entry: who types it all the same says nothing new."""
        if not self.draft.record.turns and self.draft.frame.edition is not None:
            # Of the set-up somebody may see nothing, and then there is nothing to ask for.
            self._take(self.draft, "begun")

    # ------------------------------------------------------------------------------------------------- entering

    def enter(self, typed: str) -> bool:
        """Put what was typed into the record, word by word; whether all of it was accepted.

        Nothing typed ends the turn. What is not accepted is the ``refusal``, what came before it stays. NotKept where
        something can't be kept: that and what came behind it are then what is ``left``.
        """
        self.left = typed.strip()
        if not typed.strip():
            return self.end_turn()
        try:
            items = items_of(self.draft, typed)
        except UnreadableEntry as error:
            first, *rest = [each for each in error.items if not (isinstance(each, NewTurn) and self._is_known(each))]
            self.refusal = Refusal(first, tuple(error.problems[:1]), tuple(rest))
            self.left = _typed((first, *rest)) or self.left
            return False
        return self._enter_all(items)

    def _enter_all(self, items: Sequence[Item]) -> bool:
        self.refusal, items = None, in_place(items)
        for place, item in enumerate(items):
            if self._is_known(item):
                continue
            self.left = _typed(items[place:])
            after = self._drafted(put(self.without_given(item), item))
            found = objections(self.draft, after)
            if found and (voted := with_due_votes(self.draft)) is not self.draft:
                then = self._drafted(put(voted, item))
                after, found = (after, found) if objections(self.draft, then) else (then, [])
            if found:
                self.refusal = Refusal(item, tuple(found), tuple(items[place + 1 :]))
                return False
            self._take(after, "entry")
        self.left = ""
        return True

    def _is_known(self, item: Item) -> bool:
        """Whether an item says what stands there already."""
        cursor = self.draft.cursor
        if isinstance(item, NewTurn):
            return item == (cursor.number, cursor.side)
        if not self._given or isinstance(item, str | Comment):
            return False
        if isinstance(item, t.Place) and cursor.phase is Phase.PLAY and self._is_over:
            return False  # whatever was filled in before, this begins a turn
        if not isinstance(item, t.SpecialVote):
            # A special vote that was filled in need not be typed, but what was filled in behind it can be.
            self._given = [*dropwhile(lambda each: isinstance(each, t.SpecialVote), self._given)]
        if not self._given:
            return False
        given, *others = self._given
        if isinstance(item, t.Draw) and isinstance(given, t.Draw):
            left = without(given.cards, item.cards)
            if left is None:
                return False
            self._given = [t.Draw(left), *others] if left else others
            return True
        # Of a vote that has been held, nothing need be said but the group.
        is_vote = isinstance(given, t.Vote | t.SpecialVote)
        known = item in (given, replace(given, rome=None, egypt=None, winner=None) if is_vote else given)
        self._given = others if known else self._given
        return known

    def without_given(self, item: Item) -> Draft:
        """The draft; without what was filled in where the item says something else of the same thing."""
        given = self._given
        if not given or type(item) is not type(given[0]):
            return self.draft
        last = self.draft.record.turns[-1]
        if self._is_over and (not last.number or isinstance(item, t.Place)):
            return self.draft  # it belongs to the line that is asked for
        tokens = last.tokens
        for each in given[max(0, len(given) - len(tokens)) :][::-1]:  # it may have begun in the line before
            # Cards that were drawn stand in one word with those that had been typed before.
            whole, tokens = tokens[-1], tokens[:-1]
            if isinstance(whole, t.Draw) and isinstance(each, t.Draw) and (typed := without(whole.cards, each.cards)):
                tokens = (*tokens, t.Draw(typed))
        return Draft(write(with_turn(self.draft.record, -1, replace(last, tokens=tokens))))

    @property
    def _is_over(self) -> bool:
        """Whether the last line is over, with what was filled in there, and another one is asked for."""
        return self.draft.cursor.label != self.draft.record.turns[-1].label

    def insist(self) -> bool:
        """Put the refused entry in all the same, marked by a ruling for the arbiter to fill.

        False where nothing was refused, or what came behind it is refused in its turn.
        """
        refusal = self.refusal
        if refusal is None:
            return False
        if refusal.item is None:
            self._close(ruled(self.draft.record, refusal.objections))
            return True
        self.left = _typed((refusal.item, *refusal.rest))
        before = self.without_given(refusal.item)
        self._keep(insisted(before, put(before, refusal.item)), "insisted")
        return self._enter_all(refusal.rest)

    def end_turn(self) -> bool:
        """The turn is over, although it might go on; whether it may be."""
        cursor, self.refusal = self.draft.cursor, None
        found = against_ending(self.draft) if cursor.phase is Phase.SET_UP or not cursor.fresh else []
        voted = with_due_votes(self.draft) if found else self.draft
        if found and against_ending(voted):
            self.refusal = Refusal(None, tuple(found))
            return False
        self._close(voted.record)
        return True

    def _close(self, record: Record) -> None:
        self._take(Draft(write(record), closed=True), "entry")

    # ---------------------------------------------------------------------------------------------- correcting

    def undo(self) -> bool:
        """Take the last entry back, or the end of a turn; False where there is nothing to undo."""
        if self.draft.closed:
            self._see(Draft(self.draft.text))
            return True
        return self.storage.undo() and self._see(Draft.taken_up(self.storage.text))

    def redo(self) -> bool:
        """Take the last undo back; False where there is none."""
        return self.storage.redo() and self._see(Draft.taken_up(self.storage.text))

    def undo_turn(self) -> bool:
        """Take back in one step until the last line is gone; False where there is nothing to undo."""
        lines = len(self.draft.record.turns)
        if not self.storage.undo(lambda text: len(Draft(text).record.turns) < lines):
            return self.draft.closed and self.undo()
        return self._see(Draft.taken_up(self.storage.text))

    def line(self, label: str) -> str | None:
        """A turn's line as it can be changed; None where there is none."""
        place = self._place(label)
        return None if place is None else turn_text(self.draft.record.turns[place])

    def rewrite(self, label: str, text: str) -> None:
        """Put other lines in place of a turn, or none; what follows stays. Unheeded where the text can't be read.

        What does not fit any more shows in the draft's ``errors``; nothing is dropped.
        """
        place = self._there(label)
        self._correct(rewritten(self.draft.record, place, _turns(text) if text.strip() else ()), label)

    def insert(self, text: str) -> None:
        """Put a turn that was forgotten where its number belongs. Unheeded where the text can't be read."""
        if not text.strip():
            raise Unheeded("write the whole turn: 6R (3)A 5Q …")
        turns = _turns(text)
        self._correct(inserted(self.draft.record, turns, self.draft.frame.starter), turns[0].label)

    def _correct(self, record: Record, label: str) -> None:
        """Keep a correction; a result that was counted is counted anew."""
        result, score = self.draft.record.result, self.draft.verdict.score
        counted = counted_result(score) if score and self.draft.cursor.phase is Phase.OVER else None
        if result and counted and (result.points, result.winner) == (counted.points, counted.winner):
            record = with_result(record, replace(result, points=None, winner=None))
        self._keep(record, "edited", label)

    def _place(self, label: str) -> int | None:
        return place_of(self.draft.record, label.strip().upper())

    def _there(self, label: str) -> int:
        if (place := self._place(label)) is None:
            raise Unheeded(f"there is no turn {label}")
        return place

    # ------------------------------------------------------------------------------------- what stands beside it

    def remark(self, text: str, label: str = "") -> None:
        """A comment on a line of its own: below a turn, or where the record ends."""
        record, note = self.draft.record, Comment(text)
        place = self._place(label) if label else len(record.turns) - 1
        if place is None or place < 0:
            changed = replace(record, preface=(*record.preface, note))
        elif not label and record.result is not None and record.result.points is not None:
            changed = replace(record, result=replace(record.result, after=(*record.result.after, note)))
        else:
            turn = record.turns[place]
            changed = with_turn(record, place, replace(turn, after=(*turn.after, note)))
        self._keep(changed, "comment", label)

    def header(self, name: str, value: str) -> None:
        """Set a header; an empty value takes it away."""
        self._keep(with_header(self.draft.record, name, value), "header")
        if name.lower() == "timecontrol":
            self.clocks = Clocks.from_record(self.draft.record)

    def rule(self, label: str, decision: str, points: int = 0, text: str = "") -> None:
        """The arbiter's decision about a turn, in place of one still to be made. Unheeded without such a turn."""
        place, record = self._there(label), self.draft.record
        ruling = Ruling(record.turns[place].side, decision, (), points, text)
        self._correct(decided(record, place, ruling), label)

    def finish(self, termination: str, result: Result | None = None) -> None:
        """The game was broken off: how, and with which result."""
        record = with_header(self.draft.record, "Termination", termination)
        self._keep(with_result(record, result) if result else record, "ended")

    def sign(self, by: Sequence[str]) -> None:
        """Both agree to what stands there: who they are and a checksum go into the headers. Unheeded if it is too soon.

        A game that came to its end by the rules is said to have ended normally.
        """
        record = self.draft.record
        if not record.header("Termination"):
            if not self.draft.is_over or record.result is None or record.result.points is None:
                raise Unheeded("the game is not over", "  use /end if it was broken off; the result is missing")
            record = with_header(record, "Termination", "normal")
        if self.draft.frame.termination in DECISIVE and self.draft.verdict.outcome.winner is None:
            raise Unheeded("the winner is missing", f"  /end {self.draft.frame.termination} by Caesar, for one")
        if labels := undecided(record):
            raise Unheeded(f"the arbiter still has to rule on {', '.join(labels)}", "  /rule 7E stands …")
        self._keep(signed(record, by), "signed")

    # -------------------------------------------------------------------------------------------------- keeping

    def _keep(self, record: Record, what: str, turn: str = "") -> None:
        self._take(self._drafted(record), what, turn)

    def _drafted(self, record: Record) -> Draft:
        """The draft of a record. A turn that was over stays so when nothing has come to it but marks and remarks."""
        old, new = self.draft.record.turns, record.turns
        same = bool(old) and len(old) == len(new) and old[-1].tokens == new[-1].tokens
        return Draft(write(record), closed=self.draft.closed and same)

    def _take(self, draft: Draft, what: str, turn: str = "") -> None:
        """Keep a draft with all that follows from it; where that fails, everything is as it was."""
        draft, given = completed(draft)
        clocks = None if self.clocks is None else self.clocks.copy()
        if clocks is not None and what in ("entry", "insisted"):
            draft = timed(self.draft, draft, clocks)
        if draft.text != self.storage.text:
            self.storage.keep(draft.text, what, turn or (draft.record.turns[-1].label if draft.record.turns else ""))
        self.draft, self.clocks, self._given = draft, clocks, given
        self.refusal = None

    def _see(self, draft: Draft) -> bool:
        clocks = self.clocks
        if clocks is not None and clocks.is_running and clocks.turn != draft.cursor.side:
            clocks.start(draft.cursor.side)
        self.draft, self.refusal, self._given = draft, None, []
        return True


def _turns(text: str) -> Sequence[Turn]:
    (game, *more) = parse(text.strip() + "\n")
    if problem := next((each for each in game.problems if each.code[0] == "N"), None):
        raise Unheeded(problem.message, *[f"  {problem.help}"] * bool(problem.help))
    if more or not game.record.turns:
        raise Unheeded("that is not a turn", "  write 7E (3)A 5Q …")
    return game.record.turns


def _typed(items: Sequence[Item]) -> str:
    """Items as they can be typed again."""
    return " ".join(map(text_of, items))
