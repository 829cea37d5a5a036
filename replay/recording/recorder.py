"""The recorder: what is entered, insisted upon, corrected and taken back, each judged and kept before the next."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import dropwhile, takewhile
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES, high_to_low
from ...notation.diagnostic import Diagnostic
from ...notation.reader import parse
from ...notation.record import Record, Ruling
from ...notation.safe_text import visible
from ...notation.source import Span
from ...notation.writer import token_text
from ..diagnostics.fact_words import words
from ..diagnostics.names import counted
from ..diagnostics.registry import CODES, fill
from ..editions.edition import Edition
from ..engine.play import Fault, violations
from ..hidden_cards.verdict import explained_columns, is_explained
from ..rules.law.setup import setup_violations
from ..rules.moves.legal import END_MOVE, announced
from .clocks import Clocks, controlled, followed, timed
from .cursor import Cursor, Phase, is_blurred, says_all_of
from .draft import Draft
from .editing import (
    UNDECIDED,
    Item,
    NewTurn,
    UnreadableEntry,
    counted_result,
    decided,
    in_place,
    items_of,
    place_of,
    put,
    text_of,
    with_result,
    with_turn,
    without,
)
from .menu import MenuLine
from .score_sheet import WIDTH
from .storage import Nowhere, TextStore


def objections(before: Draft, after: Draft) -> list[Diagnostic]:
    """Return what speaks against the one entry by which a record differs from what it was before."""
    phase = before.cursor.phase
    if phase is Phase.BLIND:
        return []
    if phase is Phase.SET_UP:
        return _against_set_up(before, after)
    if before.frame.is_broken_off and played(before) != played(after):
        help_ = "/undo, or /header Termination and nothing behind it, takes that back, and the game goes on"
        return [_objection(before, f"the game has been ended: {visible(before.frame.termination)}", help_)]
    if errors := after.new_errors(before):
        missing = _missing_draw(before, after)
        return [*[_objection(before, missing, "")] * bool(missing), *errors]
    if after.cursor.phase is not Phase.BLIND:
        return []
    help_ = (
        "write them behind the word, as in =A433:52 (Rome's first, from high to low) or cA(53)Q(1); "
        "/insist goes on without them, and then nothing can be judged"
    )
    return [_objection(before, "the cards that this turned up or moved are missing", help_)]


def played(draft: Draft) -> list[tuple[str, tuple[t.Token, ...]]]:
    """Return the words of all turns, without remarks."""
    return [(turn.label, turn.tokens) for turn in draft.record.turns]


def _missing_draw(before: Draft, after: Draft) -> str:
    """Return which draw was forgotten, if the other side's turn was begun without it; else an empty text."""
    cursor, word = before.cursor, next(reversed(after.record.turns[-1].tokens), None)
    begins = isinstance(word, (t.Place, t.Discard, *t.ACTIONS)) and word not in cursor.tokens
    if not (begins and cursor.offers(t.Draw)):
        return ""
    cards = counted(cursor.to_draw, "card")
    return f"{PLAYER_NAMES[cursor.side]} still has to draw {cards}: write + and the cards drawn"


def _objection(draft: Draft, message: str, help_: str, code: str = "") -> Diagnostic:
    """Return what speaks against an entry, without its place in the text."""
    return Diagnostic(code, message, draft.game.source, Span(0, 0, 0), help=help_, turn=draft.cursor.label)


def fault_line(fault: Diagnostic) -> str:
    """Return a fault with its turn and its code."""
    return f"{fault.turn}{': ' * bool(fault.turn)}{fault.message} [{fault.code}]"


def _against_set_up(before: Draft, after: Draft) -> list[Diagnostic]:
    """Return the faults of the last token: of an unfinished line it would be unfair to say what is missing."""
    edition = before.frame.edition
    line = after.record.turns[-1] if after.record.turns else None
    if edition is None or line is None:
        return after.new_errors(before)
    if line.number:
        return [_objection(before, "the set-up is not complete", "continue with what the list shows")]
    faults = setup_violations(edition, before.cursor.side, line.tokens, position=False)
    last = [fault for at, fault in faults if at == len(line.tokens) - 1]
    return [_in_words(fault, after, edition) for fault in last if fault.code not in dict(before.frame.agreed)]


def _in_words(fault: Fault, draft: Draft, edition: Edition) -> Diagnostic:
    code, facts = CODES[fault.code], words(fault, draft.cursor.state, edition)
    return _objection(draft, fill(code.message, facts), fill(code.help, facts), fault.code)


def against_ending(draft: Draft) -> list[Diagnostic]:
    """Return what speaks against the turn being over."""
    cursor, edition = draft.cursor, draft.frame.edition
    if cursor.phase is Phase.SET_UP and END_MOVE not in cursor.moves:
        return [_objection(draft, "the set-up is not complete", "continue with what the list shows")]
    if edition is None or cursor.state is None:
        return []
    agreed = dict(draft.frame.agreed)
    faults = [_in_words(fault, draft, edition) for fault in violations(cursor.state, None) if fault.code not in agreed]
    if cursor.pending and not faults:
        return [_objection(draft, "the effect of the action is missing", "write it, or v for a veto")]
    return faults


def ruled(record: Record, faults: Sequence[Diagnostic], vetoed: str = "") -> Record:
    """Return the record with a ruling behind each turn that has faults, to be decided by the arbiter.

    ``vetoed`` is the turn in which the other side is at fault, since it was that side's veto.
    """
    for label in dict.fromkeys(fault.turn for fault in faults):
        if (place := place_of(record, label)) is not None:
            turn = record.turns[place]
            codes = tuple([fault.code for fault in faults if fault.turn == label and fault.code])
            side = 1 - turn.side if label == vetoed else turn.side
            record = with_turn(record, place, decided(turn, Ruling(side, "stands", codes, 0, UNDECIDED)))
    return record


def insisted(before: Draft, item: Item) -> Record:
    """Return the record with an irregular entry, held by a ruling that names everything that speaks against it."""
    known: list[Diagnostic] = []
    record = put(before, item)
    vetoed = record.turns[-1].label if isinstance(item, t.Veto) else ""
    while True:
        faults = objections(before, Draft(record))
        irregular = [fault for fault in faults if fault.code[:1] not in ("", "N") and fault.turn]
        if all(fault in known for fault in irregular):  # none is left, or none that a ruling can hold
            return record
        record, known = ruled(record, irregular, vetoed), known + irregular


def complete(cursor: Cursor) -> t.Token | None:
    """Return the one thing that can come next where nobody decides about it; None where somebody does.

    In the set-up everything is laid out at once: the last of five cards decides nothing.
    """
    if len(cursor.moves) != 1:
        return None
    token = cursor.moves[0].token
    is_choice = token is None or t.KINDS[type(token)].step == t.ACT or isinstance(token, t.ChooseMission)
    is_unknown = isinstance(token, t.Vote | t.SpecialVote) and token.rome is None
    return None if is_unknown or (is_choice and cursor.phase is Phase.PLAY) else token


def with_due(draft: Draft) -> Draft:
    """Return the draft with the special votes that are due, as far as the cards on the table decide them; and with a
    line of the set-up over, where it may be.

    Before them something else could come, so they are filled in when it is clear that nothing does.
    """
    if draft.cursor.phase is Phase.SET_UP and END_MOVE in draft.cursor.moves:
        return Draft(draft.record, closed=True)
    while votes := [token for token in draft.cursor.tokens if isinstance(token, t.SpecialVote)]:
        first, *others = votes
        if first.rome is None or any(vote.group == first.group for vote in others):
            break
        draft = Draft(put(draft, first))
    return draft


def completed(draft: Draft) -> tuple[Draft, list[t.Token]]:
    """Return a draft with all that rules and cards determine, and the tokens that were filled in; draws are one."""
    given: list[t.Token] = []
    while draft.cursor.phase in (Phase.SET_UP, Phase.PLAY) and (token := complete(draft.cursor)):
        draft = Draft(put(draft, token))
        given.append(token)
        match given[-2:]:
            case [t.Draw(cards), t.Draw(more)]:
                given[-2:] = [t.Draw(cards + more)]
    score = draft.verdict.score if draft.is_over else None
    if score and not draft.record.points and (result := counted_result(score)):
        draft = Draft(with_result(draft.record, result), closed=draft.closed)
    return draft, given


class Beside(NamedTuple):
    """What no text says: that the last turn was ended though it might go on, and what was filled in there, ``given``.

    To type what was filled in is nothing new, as long as nothing else has been played.
    """

    closed: bool = False
    given: tuple[t.Token, ...] = ()

    @classmethod
    def read(cls, text: str) -> Beside:
        """Return what a text says; what can't be read there is left out."""
        closed, words = text.startswith("/"), text.removeprefix("/").strip()
        turns = parse(f"1E {words}\n")[-1].record.turns if words else ()
        return cls(closed, turns[0].tokens if turns else ())

    def text(self) -> str:
        """Return it as the journal keeps it; an empty text where there is nothing to know."""
        return " ".join([*["/"] * self.closed, *map(token_text, self.given)])


class Refusal(NamedTuple):
    """An entry that was not accepted: what it was, what speaks against it, and what came after it.

    Without an item it was the end of a turn.
    """

    item: Item | None
    objections: tuple[Diagnostic, ...]
    rest: tuple[Item, ...] = ()


class Recorder:
    """A record being written, and its storage. ``refusal`` is the last entry that was not accepted, if any."""

    def __init__(self, storage: TextStore) -> None:
        self.storage = storage
        self._take_up()
        self.left = ""
        """What of the last entry is not in the record, as it can be typed again: refused, or not kept."""
        self.clocks = Clocks.from_record(self.draft.record, storage.clocks)
        """Two clocks, where the game is played with some."""
        self.width = WIDTH
        """How wide a score sheet may be that is looked at."""
        if not self.draft.record.turns and self.draft.frame.edition is not None:
            # Of the set-up somebody may see nothing, and then there is nothing to ask for.
            self._take(self.draft, "begun")
        elif self.is_broken:
            storage.messages.append(f"{fault_line(self.draft.errors[0])}; /repair lists what would make it fit")

    @property
    def is_broken(self) -> bool:
        """Return whether turns that were recorded break the rules; a set-up that is not complete does not."""
        return any(turn.number for turn in self.draft.record.turns) and bool(self.draft.errors)

    def _take_up(self) -> None:
        beside = Beside.read(self.storage.aside)
        self._go_on(Draft.taken_up(self.storage.text, beside.closed), beside.given)

    def _go_on(self, draft: Draft, given: Sequence[t.Token] = ()) -> None:
        """Go on from a draft. ``given`` was filled in after the last entry: to type it all the same is nothing new."""
        self.draft, self._given = draft, [*given]
        self.refusal: Refusal | None = None
        # What holds as long as the draft stays: which words stand, what can lie at groups, and what is due.
        self._stands = cache(self._is_explained)
        self._columns = cache(lambda group: explained_columns(draft.story, group))
        self.due = cache(lambda: with_due(draft))

    def elsewhere(self) -> Recorder:
        """Return a recorder that goes on from here, keeps nothing and has no clocks."""
        other = copy.copy(self)
        other.storage, other.clocks = Nowhere(self.storage.text), None
        other._go_on(self.draft, self._given)
        return other

    # ------------------------------------------------------------------------------------------ what can be entered

    def choices(self, typed: str = "") -> list[MenuLine]:
        """Return the lines of the list of what can be entered, for what has been typed.

        A word can be legal as the cards lie and still be impossible: of cards that nobody saw it would take more than
        there are. Entering it would be refused (C913), so it is judged likewise before it is offered. That takes a
        millisecond, and so only what is shown is judged.
        """
        if self.draft.state is None or not is_blurred(self.draft.state):
            return self.draft.menu.choices(typed)
        return self.draft.menu.choices(typed, self._stands)

    def _is_explained(self, text: str) -> bool:
        """Return whether some cards explain a word of the menu."""
        draft = self.draft
        move = draft.menu.words.get(text)
        assert draft.state is not None
        match token := move and move.token:
            case None | t.ActionOrder():
                return True
            case t.Vote(group=group, rome=rome, egypt=egypt) | t.SpecialVote(group=group, rome=rome, egypt=egypt):
                columns = self._columns(group)
                return columns is None or rome is None or (rome in columns[0] and egypt in columns[1])
            case t.Scout(group=group, seen=seen) if seen is not None:
                other = 1 - draft.state.active
                columns = self._columns(group)
                return columns is None or high_to_low((*seen, *draft.state.sides[other].up[group])) in columns[other]
            case t.Discard() if text[:-1] in draft.menu and not self._stands(text[:-1]):
                return False  # a card that can't be given away can't be given away with another one
            case _:
                return is_explained(put(self.without_given(token), token), draft.frame)

    # ------------------------------------------------------------------------------------------------- entering

    def enter(self, typed: str) -> bool:
        """Put what was typed into the record, word by word; return whether all of it was accepted.

        Nothing typed ends the turn. What is not accepted is the ``refusal``, what came before it stays. Raise NotKept
        where something can't be kept: that and what came after it are then what is ``left``.
        """
        self.left = typed.strip()
        if not typed.strip():
            return self.end_turn()
        try:
            items = items_of(self.draft, typed)
        except UnreadableEntry as error:
            first, *rest = [item for item in error.items if not (isinstance(item, NewTurn) and self._is_known(item))]
            self.refusal = Refusal(first, tuple(error.problems[:1]), tuple(rest))
            self.left = _typed((first, *rest)) or self.left
            return False
        return self.enter_items(items)

    def enter_items(self, items: Sequence[Item]) -> bool:
        """Put items into the record, one by one; return whether all were accepted, as ``enter`` does."""
        self.refusal, items = None, in_place(items)
        while items:
            item, *rest = items
            if length := self._said_again(items):
                items = items[length:]
                continue
            if not self._is_known(item):
                self.left = _typed(items)
                after, faults = self._tried(item)
                if faults and not self._is_said(item):
                    self.refusal = Refusal(item, tuple(faults), tuple(rest))
                    return False
                if not faults:
                    self._take(after, "entry")
            items = rest
        self.left = ""
        return True

    def _tried(self, item: Item) -> tuple[Draft, list[Diagnostic]]:
        """Return the draft with an item, and what speaks against it.

        Where it can't come next, it may come after what is due, or correct what was filled in.
        """
        tried: dict[Draft, tuple[Draft, list[Diagnostic]]] = {}
        before = self.draft
        for find in (lambda: self.draft, self.due, lambda: self._before(item)):
            before = find()
            if before not in tried:
                after = self._drafted(put(before, item))
                tried[before] = after, objections(before if before.closed else self.draft, after)
            if not tried[before][1]:
                break
        return tried[before]

    def _before(self, item: Item) -> Draft:
        """Return the draft that a refused item comes after: what it corrects is gone, and a set-up line is over."""
        due = self.due() if self.draft.cursor.phase is Phase.SET_UP else self.draft
        return self.without_given(item) if isinstance(item, t.ActionOrder) or due is self.draft else due

    def _said_again(self, items: Sequence[Item]) -> int:
        """Return how many items are a line, with its label, that has been filled in and stands there as it is typed."""
        label, *words = items
        if not isinstance(label, NewTurn) or self._is_known(label):
            return 0
        words = [*takewhile(lambda item: not isinstance(item, NewTurn), words)]
        stands = any(
            (turn.number, turn.side) == label and [*turn.tokens] == words for turn in self.draft.record.turns[-2:]
        )
        return 1 + len(words) if stands else 0

    def _is_said(self, item: Item) -> bool:
        """Return whether an item says no more than the last word that was typed, with what it turned out to be."""
        turns = self._as_typed().record.turns
        last = turns[-1].tokens[-1:] if turns else ()
        if not last or not isinstance(item, t.AnyVote | t.Action):
            return False
        return (isinstance(item, t.AnyVote) or item != announced(item)) and says_all_of(last[0], item)

    def _is_known(self, item: Item) -> bool:
        """Return whether an item says what stands there already."""
        cursor = self.draft.cursor
        if isinstance(item, NewTurn):
            return item == (cursor.number, cursor.side)
        if not self._given or not isinstance(item, t.Token):
            return False
        if isinstance(item, t.Place) and cursor.phase is Phase.PLAY:
            return False  # whatever was filled in before, this begins a turn
        if not isinstance(item, t.SpecialVote):
            # A special vote that was filled in need not be typed, but what was filled in after it can be.
            self._given = [*dropwhile(lambda token: isinstance(token, t.SpecialVote), self._given)]
        left = _unsaid(self._given, item)
        self._given = self._given if left is None else left
        return left is not None

    def without_given(self, item: Item) -> Draft:
        """Return the draft; without what was filled in where the item says something else of the same thing."""
        given = self._given
        if not given or type(item) is not type(given[0]):
            return self.draft
        last = self.draft.record.turns[-1]
        # Behind a line of the set-up that is over it belongs to the line that is asked for.
        return self.draft if not last.number and self.draft.cursor.label != last.label else self._as_typed()

    def _as_typed(self) -> Draft:
        """Return the draft without what was filled in after the last entry, as far as that is in the last line."""
        given = self._given
        if not given:
            return self.draft
        last = self.draft.record.turns[-1]
        tokens = last.tokens
        for whole, token in zip(reversed(tokens), reversed(given), strict=False):  # it may begin in the line before
            tokens = tokens[:-1]
            match whole, token:
                case t.Draw(cards), t.Draw(drawn) if typed := without(cards, drawn):
                    tokens = (*tokens, t.Draw(typed))  # it had been typed before, and stands in one word with the rest
        return Draft(with_turn(self.draft.record, -1, replace(last, tokens=tokens)))

    def insist(self) -> bool:
        """Put the refused entry in all the same, marked by a ruling for the arbiter to fill.

        Return False where nothing was refused, or what came after it is refused in its turn.
        """
        refusal = self.refusal
        if refusal is None:
            return False
        if refusal.item is None:
            self._close(ruled(self.draft.record, refusal.objections))
            return True
        self.left = _typed((refusal.item, *refusal.rest))
        self.keep(insisted(self._before(refusal.item), refusal.item), "insisted")
        return self.enter_items(refusal.rest)

    def end_turn(self) -> bool:
        """End the turn, although it might go on; return whether it may be over."""
        cursor, self.refusal = self.draft.cursor, None
        if cursor.fresh and END_MOVE in cursor.moves and cursor.phase is Phase.PLAY:
            return self.enter_items([t.Discard(())])  # who would have to place and can't has ended the game (N6)
        if cursor.fresh and cursor.phase is not Phase.SET_UP:
            return True  # nothing has been begun that could end
        faults = against_ending(self.draft)
        voted = self.due() if faults else self.draft
        if faults and against_ending(voted):
            self.refusal = Refusal(None, tuple(faults))
            return False
        self._close(voted.record)
        return True

    def _close(self, record: Record) -> None:
        self._take(Draft(record, closed=True), "entry")

    # ---------------------------------------------------------------------------------------------- correcting

    def undo(self) -> bool:
        """Take the last entry back, or the end of a turn; return False where there is nothing to undo."""
        return self.storage.undo() and self._see()

    def redo(self) -> bool:
        """Take the last undo back; return False where there is none."""
        return self.storage.redo() and self._see()

    def undo_turn(self, label: str = "") -> bool:
        """Take back in one step until the last line is gone, or a turn with all that was entered since it began.

        Return False, with everything as it was, where that can't be undone.
        """
        lines = len(self.draft.record.turns)

        def is_back(text: str) -> bool:
            record = parse(text)[-1].record
            return place_of(record, label) is None if label else len(record.turns) < lines

        done = self.storage.undo(is_back) and self._see()
        if done and label and not is_back(self.draft.text):
            self.redo()
            return False
        return done

    def correct(self, record: Record, label: str) -> None:
        """Keep a correction at a turn; a result that was counted is counted anew.

        What does not fit any more shows in the draft's ``errors``; nothing is dropped.
        """
        result, score = self.draft.record.result, self.draft.verdict.score
        counted = counted_result(score) if score and self.draft.cursor.phase is Phase.OVER else None
        if result and counted and (result.points, result.winner) == (counted.points, counted.winner):
            record = with_result(record, replace(result, points=None, winner=None))
        self.keep(record, "edited", label)

    # -------------------------------------------------------------------------------------------------- keeping

    def note_clocks(self) -> None:
        """Note how the clocks stand, so that no time is given back to whoever thinks when the recording ends."""
        if self.clocks is not None:
            self.storage.clocks = self.clocks.kept()

    def keep(self, record: Record, what: str, turn: str = "") -> None:
        """Keep a record to which ``what`` was done, at a ``turn``. Raise NotKept where that fails."""
        self._take(self._drafted(record), what, turn)

    def _drafted(self, record: Record) -> Draft:
        """Return the draft of a record. A turn that was over stays so when only marks and remarks have come to it."""
        old, new = self.draft.record.turns, record.turns
        same = bool(old) and len(old) == len(new) and old[-1].tokens == new[-1].tokens
        return Draft(record, closed=self.draft.closed and same)

    def _take(self, draft: Draft, what: str, turn: str = "") -> None:
        """Keep a draft with all that follows from it; where that fails, everything is as it was."""
        if draft.closed == self.draft.closed and played(draft) == played(self.draft):
            given: list[t.Token] = self._given  # a remark is no reason to forget what was filled in
        else:
            given = []
        draft, more = completed(draft)
        given = [*given, *more]
        aside = Beside(draft.closed, tuple(given)).text()
        clocks = controlled(copy.deepcopy(self.clocks), self.draft.record, draft.record)
        if clocks is not None and what in ("entry", "insisted", "repaired"):
            draft = timed(self.draft, draft, clocks)
        elif clocks is not None:
            followed(draft, clocks)
        if (draft.text, aside) != (self.storage.text, self.storage.aside):
            label = turn or (draft.record.turns[-1].label if draft.record.turns else "")
            self.storage.keep(draft.text, what, label, aside)
        self.clocks = clocks
        self.note_clocks()
        self._go_on(draft, given)

    def _see(self) -> bool:
        """Go on from what the storage has come back to."""
        before = self.draft.record
        self._take_up()
        self.clocks = controlled(self.clocks, before, self.draft.record)
        if self.clocks is not None:
            followed(self.draft, self.clocks)
        return True


def _unsaid(given: Sequence[t.Token], item: t.Token) -> list[t.Token] | None:
    """Return what is left of the words ``given`` once an item has said the first of them; None where it says another.

    Of a vote that has been held, nothing need be said but the group.
    """
    if not given:
        return None
    first, *others = given
    if isinstance(first, t.Draw) and isinstance(item, t.Draw):
        left = without(first.cards, item.cards)
        return None if left is None else [*[t.Draw(left)] * bool(left), *others]
    bare = replace(first, rome=None, egypt=None, winner=None) if isinstance(first, t.AnyVote) else first
    return others if item in (first, bare) else None


def _typed(items: Sequence[Item]) -> str:
    """Return items as they can be typed again."""
    return " ".join(map(text_of, items))


def may_begin(recorder: Recorder, typed: str) -> bool:
    """Return whether what was typed is a word that is accepted, or may become one.

    The list has cards in one order, and of a draw one by one; they can be typed in any order, and several in a word.
    Of words of many forms, and before the order of an action pile is complete, it is assumed that they may.
    """
    draft = recorder.draft
    if typed[0] == "@" or '"' in typed or (typed.startswith("a(") and ")" not in typed and "a(" in draft.menu):
        return True
    texts = (*draft.menu.words, *recorder.due().menu.words, draft.cursor.label)
    if any(text.startswith(typed[0]) and Counter(typed) <= Counter(text) for text in texts):
        return True
    return recorder.elsewhere().enter(typed)
