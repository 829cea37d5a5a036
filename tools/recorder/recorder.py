"""The recorder: entries, insisted entries, corrections and undo, each judged and kept before the next.

``cursor`` decides what may come next, ``objections`` has the objections to an entry, and ``completion`` adds what
follows from it automatically.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import dropwhile, takewhile
from typing import Literal, NamedTuple, TypeAlias

from ...notation.basics import high_to_low
from ...notation.extra import begins_word
from ...notation.records import Diagnostic, Record, parse
from ...notation.records import tokens as t
from ...replay.knowledge.api import explained_columns, is_explained
from ...replay.rules.game.legal import END_MOVE
from .clocks import NOW, Clocks, followed, timed, with_time_control
from .completion import DraftExtras, completed, remaining_words, with_due, with_rules
from .cursor import Phase, has_unknown_cards, says_all_of
from .draft import Draft
from .editing import (
    Item,
    NewTurn,
    UnreadableEntry,
    counted_result,
    in_place,
    items_of,
    place_of,
    put,
    text_of,
    unreadable,
    with_header,
    with_result,
    with_turn,
    without,
)
from .menu import MenuLine, sentence
from .objections import against_ending, fault_line, insisted, objections, played, ruled, unfinished
from .score_sheet import WIDTH
from .storage import InMemoryStore, TextStore

EditName: TypeAlias = Literal[
    "begun", "entry", "insisted", "edited", "repaired", "comment", "header", "ended", "signed"
]
"""Something done to a record in one step, in the words of its journal."""


class Refusal(NamedTuple):
    """An entry that was not accepted: what it was, the objection, and what came after it.

    If there is no item, it was the end of a turn.
    """

    item: Item | None
    objections: tuple[Diagnostic, ...]
    rest: tuple[Item, ...] = ()


class Recorder:
    """A record being written, and its storage. ``refusal`` is the last entry that was not accepted, if any."""

    def __init__(self, storage: TextStore, now: Callable[[], float] = NOW) -> None:
        """Continue from what is stored; ``now`` gives the clocks the time in seconds."""
        self.storage, self.now = storage, now
        self._load()
        self.left = ""
        """The part of the last entry that is not in the record (refused or not saved), in a form that can be typed
        again.
        """
        self.clocks = Clocks.from_record(self.draft.record, storage.clocks, now)
        """Two clocks, if the game is played with clocks."""
        self.width = WIDTH
        """The greatest width of a score sheet on the screen."""
        if not self.draft.record.turns and self.draft.frame.edition is not None:
            # The writer may see nothing of the set-up, and then there is nothing to ask for.
            self._keep_completed(self.draft, "begun")
        elif self.is_broken:
            storage.messages.append(sentence("broken", fault=fault_line(self.draft.errors[0])))

    @property
    def is_broken(self) -> bool:
        """Return whether recorded turns break the rules; an incomplete set-up does not count."""
        return any(turn.number for turn in self.draft.record.turns) and bool(self.draft.errors)

    def _load(self) -> None:
        beside = DraftExtras.read(self.storage.aside)
        self._set_draft(Draft.resumed(self.storage.text, beside.closed), beside.filled_in)

    def _set_draft(self, draft: Draft, given: Sequence[t.Token] = ()) -> None:
        """Continue from a draft. ``given`` was filled in after the last entry: typing it as well adds nothing."""
        self.draft, self._given = draft, [*given]
        self.refusal: Refusal | None = None
        # Facts that hold as long as the draft stays: which words are possible, what can lie at groups, and what is due.
        self._stands = cache(self._is_explained)
        self.columns = cache(lambda group: explained_columns(draft.story, group))
        self.due = cache(lambda: with_due(draft))
        self._as_typed = cache(self._without_all_given)

    def scratch_copy(self) -> Recorder:
        """Return a recorder that continues from here, but saves nothing and has no clocks."""
        other = copy.copy(self)
        other.storage, other.clocks = InMemoryStore(self.storage.text), None
        other._set_draft(self.draft, self._given)
        return other

    # ------------------------------------------------------------------------------------------ what can be entered

    def choices(self, typed: str = "") -> list[MenuLine]:
        """Return the lines of the list of possible entries, for the typed text.

        A word can be legal and still impossible, because it would take more unseen cards than there are. Entering it
        would be refused (C913), so it is judged in the same way before it is offered. That takes a millisecond, so only
        the words shown are judged.
        """
        return self.draft.menu.choices(typed, self.is_possible)

    def is_possible(self, text: str) -> bool:
        """Return whether a word of the menu is possible; if all cards are known, every word is."""
        return self.draft.state is None or not has_unknown_cards(self.draft.state) or self._stands(text)

    def _is_explained(self, text: str) -> bool:
        """Return whether some cards explain a word of the menu."""
        draft = self.draft
        move = draft.menu.words.get(text)
        assert draft.state is not None
        match token := move and move.token:
            case None | t.ActionOrder():
                return True
            case t.Vote(group=group, rome=rome, egypt=egypt) | t.SpecialVote(group=group, rome=rome, egypt=egypt):
                columns = self.columns(group)
                return columns is None or rome is None or (rome in columns[0] and egypt in columns[1])
            case t.Scout(group=group, seen=seen) if seen is not None:
                other = 1 - draft.state.active
                columns = self.columns(group)
                return columns is None or high_to_low((*seen, *draft.state.sides[other].up[group])) in columns[other]
            case t.Discard() if text[:-1] in draft.menu and not self._stands(text[:-1]):
                return False  # a card that can't be given away can't be given away together with another one
            case _:
                before = self.without_given(token)
                return is_explained(put(before, token), draft.frame, before.story)

    # ------------------------------------------------------------------------------------------------- entering

    def enter(self, typed: str, *, is_next: bool = False) -> bool:
        """Enter typed text into the record, word by word; return whether all of it was accepted.

        An empty text ends the turn. A word that ``is_next`` was chosen from what comes next, so it repeats nothing
        that was filled in. A word that is not accepted becomes the ``refusal``; the words before it stay.
        Raise NotKept if something can't be saved; it and the words after it are then ``left``.
        """
        self.left = typed.strip()
        if not typed.strip():
            return self.end_turn()
        try:
            items = items_of(self.draft, typed)
        except UnreadableEntry as error:
            items = [item for item in error.items if not (isinstance(item, NewTurn) and self._is_known(item))]
            if error.is_short:
                return self.enter_items(items)
            first, *rest = items
            self.refusal = Refusal(first, tuple(error.problems[:1]), tuple(rest))
            self.left = _typed((first, *rest)) or self.left
            return False
        return self.enter_items(items, is_next=is_next)

    def enter_items(self, items: Sequence[Item], *, is_next: bool = False) -> bool:
        """Enter items into the record, one by one; return whether all were accepted, like ``enter``."""
        self.refusal, items = None, in_place(items)
        while items:
            item, *rest = items
            if length := self._repeated_count(items):
                items = items[length:]
                continue
            if isinstance(item, t.Unread) and begins_word(item.text):
                token = self._only(item.text)
                if token is None:
                    self.left = _typed(items)
                    self.refusal = Refusal(item, (self._unfinished(item.text),), tuple(rest))
                    return False
                item = token
            is_known = not is_next and self._is_known(item)
            self._use_up(item)
            if not is_known:
                self.left = _typed(items)
                after, faults = self._tried(item)
                if faults and not self._repeats_last_word(item):
                    self.refusal = Refusal(item, tuple(faults), tuple(rest))
                    return False
                if not faults:
                    self._keep_completed(after, "entry")
            items = rest
        self.left = ""
        return True

    def _only(self, typed: str) -> t.Token | None:
        """Return the only token that a shortened word can mean, now or after what is due."""
        return next(filter(None, (draft.menu.only(typed) for draft in (self.draft, self.due()))), None)

    def _unfinished(self, typed: str) -> Diagnostic:
        """Return the objection to a word that may go on in several ways, or in none."""
        lists = (draft.menu.choices(typed, self.is_possible) for draft in (self.draft, self.due()))
        found = [line.label for line in next(filter(None, lists), [])]
        return unfinished(self.draft, typed, found) if found else unreadable(self.draft, typed)

    def _tried(self, item: Item) -> tuple[Draft, list[Diagnostic]]:
        """Return the draft with an item, and the objection to it.

        If the item can't come next, it may come after what is due, or correct what was filled in.
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
        """Return the draft before a refused item: what the item corrects is removed, and a set-up line is ended."""
        due = self.due() if self.draft.cursor.phase is Phase.SET_UP else self.draft
        return self.without_given(item) if isinstance(item, t.ActionOrder) or due is self.draft else due

    def _repeated_count(self, items: Sequence[Item]) -> int:
        """Return how many items form a line with its label that has already been filled in exactly as typed."""
        label, *words = items
        if not isinstance(label, NewTurn) or self._is_known(label):
            return 0
        words = [*takewhile(lambda item: not isinstance(item, NewTurn), words)]
        stands = any(
            (turn.number, turn.side) == label and [*turn.tokens] == words for turn in self.draft.record.turns[-2:]
        )
        return 1 + len(words) if stands else 0

    def _repeats_last_word(self, item: Item) -> bool:
        """Return whether an item says no more than the last typed word, including its outcome."""
        turns = self._as_typed().record.turns
        last = turns[-1].tokens[-1:] if turns else ()
        if not last or not isinstance(item, t.AnyVote | t.Action):
            return False
        return (isinstance(item, t.AnyVote) or item != t.chosen(item)) and says_all_of(last[0], item)

    def _is_known(self, item: Item) -> bool:
        """Return whether an item repeats what is already there."""
        cursor = self.draft.cursor
        if isinstance(item, NewTurn):
            return item == (cursor.number, cursor.side)
        return self._may_be_given(item) and remaining_words(self._passed_over(item), item) is not None

    def _use_up(self, item: Item) -> None:
        """Forget the filled-in words that an item repeats or skips: they can't be repeated again."""
        if self._may_be_given(item):
            given = self._passed_over(item)
            left = remaining_words(given, item)
            self._given = given if left is None else left

    def _may_be_given(self, item: Item) -> bool:
        """Return whether an item may repeat what was filled in; a placed card always begins something new."""
        return isinstance(item, t.Token) and not (isinstance(item, t.Place) and self.draft.cursor.phase is Phase.PLAY)

    def _passed_over(self, item: Item) -> list[t.Token]:
        """Return the filled-in words that an item may repeat, beginning with the first.

        A special vote that was filled in need not be typed, but words filled in after it can be.
        """
        if isinstance(item, t.SpecialVote):
            return self._given
        return [*dropwhile(lambda token: isinstance(token, t.SpecialVote), self._given)]

    def without_given(self, item: Item) -> Draft:
        """Return the draft, without what was filled in if the item says something different about the same thing."""
        given = self._given
        if not given or type(item) is not type(given[0]):
            return self.draft
        last = self.draft.record.turns[-1]
        # After a finished set-up line it belongs to the line asked for.
        return self.draft if not last.number and self.draft.cursor.label != last.label else self._as_typed()

    def _without_all_given(self) -> Draft:
        """Return the draft without the words filled in after the last entry, as far as they are in the last line."""
        given = self._given
        if not given:
            return self.draft
        last = self.draft.record.turns[-1]
        tokens = last.tokens
        for whole, token in zip(reversed(tokens), reversed(given), strict=False):  # it may begin in the previous line
            tokens = tokens[:-1]
            match whole, token:
                case t.Draw(cards), t.Draw(drawn) if typed := without(cards, drawn):
                    tokens = (*tokens, t.Draw(typed))  # it was typed before, and forms one word with the rest
        return Draft(with_turn(self.draft.record, -1, replace(last, tokens=tokens)))

    def insist(self) -> bool:
        """Record the refused entry anyway, marked by a ruling that the arbiter must complete.

        Return False if nothing was refused, or if the words after it are now refused.
        """
        refusal = self.refusal
        if refusal is None:
            return False
        if refusal.item is None:
            self._keep_ended(ruled(self.draft.record, refusal.objections))
            return True
        self.left = _typed((refusal.item, *refusal.rest))
        self.keep(insisted(self._before(refusal.item), refusal.item), "insisted")
        return self.enter_items(refusal.rest)

    def take_by_form(self) -> None:
        """Take words by their form from here on, as in tournament mode, since nothing can say now which fit."""
        cursor = self.draft.cursor
        self.keep(with_header(self.draft.record, "Mode", "tournament"), "header")
        if cursor.number and cursor.fresh:
            self.enter("")  # by their form, words would go on with the turn that is over

    def judge(self) -> tuple[Diagnostic, ...]:
        """Judge what was taken by its form, and return what does not fit; if all does, the rules count again."""
        if not self.draft.headers.tournament:
            return ()
        record = with_header(self.draft.record, "Mode", "")
        if self.draft.by_form:  # unlike a game that is over
            record = with_header(with_rules(Draft(record)).record, "Termination", "")
        judged = Draft(record, closed=self.draft.closed)
        if any(turn.number for turn in record.turns) and judged.errors:
            return judged.errors
        self._keep_completed(judged, "header")
        return ()

    def end_turn(self) -> bool:
        """End the turn, although it might go on; return whether it may be over."""
        cursor, self.refusal = self.draft.cursor, None
        if cursor.fresh and END_MOVE in cursor.moves and cursor.phase is Phase.PLAY:
            return self.enter_items([t.Discard(())])  # a player who must place but can't has ended it (N6)
        if cursor.fresh and cursor.phase is not Phase.SET_UP:
            return True  # nothing has begun that could end
        faults = against_ending(self.draft)
        voted = self.due() if faults else self.draft
        if faults and against_ending(voted):
            self.refusal = Refusal(None, tuple(faults))
            return False
        self._keep_ended(voted.record)
        return True

    def _keep_ended(self, record: Record) -> None:
        self._keep_completed(Draft(record, closed=True), "entry")

    # ---------------------------------------------------------------------------------------------- correcting

    def undo(self) -> bool:
        """Undo the last entry, or the end of a turn; return False if there is nothing to undo."""
        return self.storage.undo() and self.follow_storage()

    def redo(self) -> bool:
        """Redo what was undone last; return False if there is nothing."""
        return self.storage.redo() and self.follow_storage()

    def undo_turn(self, label: str = "") -> bool:
        """Undo in one step until the last line is gone, or a turn with everything entered since it began.

        Return False, and change nothing, if that can't be undone.
        """
        lines = len(self.draft.record.turns)

        def is_back(text: str) -> bool:
            record = parse(text)[-1].record
            return place_of(record, label) is None if label else len(record.turns) < lines

        done = self.storage.undo(is_back) and self.follow_storage()
        if done and label and not is_back(self.draft.text):
            self.redo()
            return False
        return done

    def correct(self, record: Record, label: str) -> None:
        """Save a correction at a turn; a counted result is counted again.

        The draft's ``errors`` say what no longer fits; nothing is dropped.
        """
        result, score = self.draft.record.result, self.draft.verdict.score
        counted = counted_result(score) if score and self.draft.cursor.phase is Phase.OVER else None
        if result and counted and (result.points, result.winner) == (counted.points, counted.winner):
            record = with_result(record, replace(result, points=None, winner=None))
        self.keep(record, "edited", label)

    # -------------------------------------------------------------------------------------------------- keeping

    def note_clocks(self) -> None:
        """Note the state of the clocks, so that a player who is thinking when the recording ends gets no time back."""
        if self.clocks is not None:
            self.storage.clocks = self.clocks.kept()

    def keep(self, record: Record, what: EditName, turn: str = "") -> None:
        """Save a record after ``what`` was done at a ``turn``. Raise NotKept if that fails."""
        self._keep_completed(self._drafted(record), what, turn)

    def _drafted(self, record: Record) -> Draft:
        """Return the draft of a record. A turn that was over stays over if only marks and remarks were added."""
        old, new = self.draft.record.turns, record.turns
        same = bool(old) and len(old) == len(new) and old[-1].tokens == new[-1].tokens
        return Draft(record, closed=self.draft.closed and same)

    def _keep_completed(self, draft: Draft, what: EditName, turn: str = "") -> None:
        """Save a draft with everything that follows from it; if that fails, everything stays unchanged."""
        if self.draft.by_form and draft.headers.tournament and not draft.by_form:
            draft = with_rules(draft)
        if draft.closed == self.draft.closed and played(draft) == played(self.draft):
            given: list[t.Token] = self._given  # a remark is no reason to forget the filled-in words
        else:
            given = []
        draft, more = completed(draft)
        given = [*given, *more]
        aside = DraftExtras(draft.closed, tuple(given)).text()
        clocks = with_time_control(copy.deepcopy(self.clocks), self.draft.record, draft.record, self.now)
        if clocks is not None and what in ("entry", "insisted", "repaired"):
            draft = timed(self.draft, draft, clocks)
        elif clocks is not None:
            followed(draft, clocks)
        if (draft.text, aside) != (self.storage.text, self.storage.aside):
            label = turn or (draft.record.turns[-1].label if draft.record.turns else "")
            self.storage.keep(draft.text, what, label, aside)
        self.clocks = clocks
        self.note_clocks()
        self._set_draft(draft, given)

    def follow_storage(self) -> bool:
        """Continue from the state to which the storage has returned."""
        before = self.draft.record
        self._load()
        self.clocks = with_time_control(self.clocks, before, self.draft.record, self.now)
        if self.clocks is not None:
            followed(self.draft, self.clocks)
        return True


def _typed(items: Sequence[Item]) -> str:
    """Return items in a form that can be typed again."""
    return " ".join(map(text_of, items))
