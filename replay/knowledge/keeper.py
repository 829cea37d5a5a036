"""The keeping of ledgers: a record is followed card by card, as far as the engine can follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, GROUP_LETTERS, ROME, SOME_ACTION, SOME_INFLUENCE, VETO
from ...notation.diagnostic import ERROR, RULED
from ...notation.record import Record
from ..course import END, run
from ..edition import Edition, FirstAction
from ..headers import Frame
from ..mechanics import CARD_OF
from ..mechanics.actions import target
from ..setup import OPENING_SET
from ..state import State
from .ledger import KINDS, UNKNOWN, Bag, Draw, Entry, Hand, Join, Leave, Ledger, Mix, Where


class Moment(NamedTuple):
    """A token that was carried out; ``left`` are the columns of a vote after it, as the engine leaves them."""

    turn: int
    at: int
    token: t.Token
    side: int
    vetoed: bool
    left: tuple[tuple[int, ...], tuple[int, ...]] | None


@dataclass(slots=True)
class Story:
    """A record as far as its cards can be followed; ``stopped`` says that it goes on behind that."""

    edition: Edition
    position: bool
    opening: tuple[tuple[int, t.Token, int, int], ...]
    """Side, token, and where it stands: the turn's place and the token's."""
    moments: list[Moment]
    stopped: bool
    unseen: tuple[int, int, t.AnyVote] | None
    """The vote behind the last moment, turn and token, where the record leaves out cards that decided it."""
    ruled: bool
    """Whether anything in it was ruled to stand: then its cards may not add up."""
    fault: tuple[int, int] | None
    """The first token that is against the rules, turn and token."""


def story(record: Record, frame: Frame) -> Story | None:
    """A record as the engine can follow it; None where it does not even begin. ``frame`` must have an edition."""
    assert frame.edition is not None
    places = {id(turn): place for place, turn in enumerate(record.turns)}
    moments: list[Moment] = []

    def watch(turn: Any, at: int, state: State) -> None:
        if turn is None or at == END:
            return
        token = turn.tokens[at]
        vetoed = at + 1 < len(turn.tokens) and turn.tokens[at + 1].__class__ is t.Veto
        left = None
        if isinstance(token, t.Vote | t.SpecialVote):
            rome, egypt = state.sides
            left = tuple(rome.up[token.group]), tuple(egypt.up[token.group])
        moments.append(Moment(places[id(turn)], at, token, turn.side, vetoed, left))

    course = run(record, frame, watch)
    if course.state is None:
        return None
    opening = tuple(
        [
            (turn.side, token, place, at)
            for place, turn in enumerate(record.turns[:2])
            if not turn.number
            for at, token in enumerate(turn.tokens)
        ]
    )
    ruled = any(finding.severity == RULED for finding in course.findings)
    faults = [
        (places[id(turn)], len(turn.tokens) - 1 if finding.at == END else finding.at or 0) if turn else (0, 0)
        for finding, turn in ((finding, finding.turn) for finding in course.findings)
        if finding.severity == ERROR
    ]
    unseen = None
    for finding in course.findings:
        if finding.fault.code == "C908" and finding.turn is not None and finding.at is not None:
            token = finding.turn.tokens[finding.at]
            if isinstance(token, t.Vote | t.SpecialVote):
                unseen = places[id(finding.turn)], finding.at, token
    return Story(
        frame.edition, frame.position, opening, moments, course.stopped, unseen, ruled, min(faults, default=None)
    )


def ledgers(told: Story, until: int | None = None, muted: frozenset[tuple[int, int]] = frozenset()) -> list[Ledger]:
    """Influence and action cards of Rome, then of Egypt; ``until`` and ``muted`` as for :class:`Keeper`."""
    keeper = Keeper(told, until, muted)
    keeper.close()
    return keeper.books


class Keeper:
    """Keeps the four ledgers and the cards on the table (``columns``, by side and group), as a story tells them.

    ``until`` ends before that moment; ``muted`` are tokens (turn, at) of which only the kinds of cards are taken.
    """

    def __init__(self, told: Story, until: int | None = None, muted: frozenset[tuple[int, int]] = frozenset()) -> None:
        self.told, self.muted = told, muted
        edition = told.edition
        influence = (edition.philosophers, *[edition.influence_copies] * 5)
        action = tuple(edition.actions.get(card, 0) for card in range(6, 12))
        self.books = [
            Ledger(side, first, copies) for side in (ROME, EGYPT) for first, copies in ((0, influence), (6, action))
        ]
        self.columns: list[list[list[Entry]]] = [[[] for _ in GROUP_LETTERS] for _ in (ROME, EGYPT)]
        self.orders: list[list[int]] = [[], []]
        """What is left of the action piles that their owners ordered, top first: there a draw needs no name."""
        self._open()
        for owner, token, *_ in told.opening:
            if isinstance(token, t.ActionOrder):
                self.orders[owner] = [*token.cards]
        for moment in told.moments[:until]:
            self._take_in(moment)

    # ------------------------------------------------------------------------------------------- the set-up

    def _open(self) -> None:
        edition, position = self.told.edition, self.told.position
        for side in (ROME, EGYPT):
            lines = [(token, Where(turn, at)) for owner, token, turn, at in self.told.opening if owner == side]
            begin = next((where for _, where in lines), Where(side, 0))
            if not position:
                # One set is laid out, the second one is the first hand (B5, B6).
                for card in OPENING_SET:
                    self._draw(side, card, begin)
            given = False
            for token, where in lines:
                match token:
                    case t.Place():
                        if position:
                            self._draw(side, self._said(token.card, where), where, token.card)
                        self._place(side, token, where)
                    case t.Draw():
                        given = True
                        self._draws(side, token.cards, where)
                    case t.Hand() if position:
                        self._draws(side, token.cards, where)
                    case t.Spent():
                        for place, card in enumerate(token.cards):
                            self._draw(side, self._said(card, where), where._replace(card=place), card)
                            self._leave(side, card, where._replace(card=place))
                    case _:
                        pass
            if not position:
                for card in OPENING_SET:
                    self._draw(side, card, begin)
                if edition.first_action is FirstAction.VETO and not given:
                    self._draw(side, VETO, begin)

    # -------------------------------------------------------------------------------------------- the turns

    def _take_in(self, moment: Moment) -> None:
        """One token."""
        token, side = moment.token, moment.side
        where = Where(moment.turn, moment.at)
        if isinstance(token, t.ACTIONS):
            self._leave(side, CARD_OF[token.__class__], where)
            if moment.vetoed:
                return
        match token:
            case t.Place():
                self._place(side, token, where)
            case t.Draw():
                self._draws(side, token.cards, where)
            case t.Discard():
                for place, card in enumerate(token.cards):
                    self._leave(side, card, where._replace(card=place))
            case t.Veto():
                self._leave(1 - side, VETO, where)
                if token.draw is not None:
                    self._draws(1 - side, (token.draw,), where)
            case t.Assassinate():
                self._strike(1 - side, token, where)
            case t.Scout():
                hidden = [entry for entry in self.columns[1 - side][token.group] if not entry.up]
                self._turn_up(1 - side, hidden, token.seen, where)
            case t.Wrath():
                for owner in (ROME, EGYPT):
                    self._forget(owner, self.columns[owner][token.group], where)
                    self.columns[owner][token.group] = []
            case t.Castle():
                self._castle(side, token, where)
            case t.Spy():
                self._spy(1 - side, token, where)
            case t.Vote() | t.SpecialVote():
                self._vote(token, moment, where)
            case _:
                pass

    def see(self, side: int, group: int, unknown: Sequence[int]) -> None:
        """The cards at a group that nobody had named are these, and that is the end of the story."""
        column = [entry for entry in self.columns[side][group] if entry.label == UNKNOWN]
        self._bag(side, column, [unknown.count(label) for label in range(KINDS)], Where(UNKNOWN, UNKNOWN))
        self.columns[side][group] = []
        self.close()

    def close(self) -> None:
        """Nobody ever saw what still lies face down."""
        for side in (ROME, EGYPT):
            for column in self.columns[side]:
                self._forget(side, column, Where(UNKNOWN, UNKNOWN))

    # ---------------------------------------------------------------------------------------- hands and piles

    def _book(self, side: int, card: int) -> Ledger:
        return self.books[2 * side + (5 < card < SOME_INFLUENCE or card == SOME_ACTION)]

    def _said(self, card: int, where: Where) -> int:
        """The card as its label in the ledger, where it is known and its token is listened to."""
        if card >= SOME_INFLUENCE or (where.turn, where.at) in self.muted:
            return UNKNOWN
        return card if card <= 5 else card - 6

    def _draw(self, side: int, label: int, where: Where, card: int | None = None) -> None:
        card = label if card is None else card
        if label > 5:
            label -= 6
        self._book(side, card).ops.append(Draw(label, where))

    def _draws(self, side: int, cards: Sequence[int], where: Where) -> None:
        for place, card in enumerate(cards):
            spot, book = where._replace(card=place), self._book(side, card)
            if book.first and self.orders[side]:
                top = self.orders[side].pop(0)
                card = top if card == SOME_ACTION else card
            book.ops.append(Draw(self._said(card, where), spot))

    def _leave(self, side: int, card: int, where: Where) -> None:
        """A card goes from the hand to the discards, where everybody sees it."""
        book, label = self._book(side, card), self._said(card, where)
        leave = Leave(label, where, [])
        book.ops.append(leave)
        if label == UNKNOWN:
            leave.bags.append(len(book.bags))
            book.bags.append(Bag([0] * KINDS, 1, where))

    def _spy(self, side: int, token: t.Spy, where: Where) -> None:
        if token.hand is not None and (where.turn, where.at) not in self.muted:
            for book, some in ((self.books[2 * side], SOME_INFLUENCE), (self.books[2 * side + 1], SOME_ACTION)):
                if some not in token.hand:
                    counts = tuple([token.hand.count(book.first + label) for label in range(KINDS)])
                    book.ops.append(Hand(counts, where))
        if token.card is not None:
            self._leave(side, token.card, where)
        if token.draw is not None:
            self._draws(side, (token.draw,), where)

    # --------------------------------------------------------------------------------------------- the table

    def _place(self, side: int, token: t.Place, where: Where) -> None:
        book, label = self.books[2 * side], self._said(token.card, where)
        entry = Entry(label, where, not token.hidden)
        if label == UNKNOWN:
            entry.origins = (len(book.ops),)
        book.ops.append(Leave(label, where, []))
        self.columns[side][token.group].append(entry)

    def _bag(self, side: int, entries: list[Entry], labels: list[int], where: Where) -> None:
        """These unknown cards, and nothing else, are so many of each label; of the others nothing is known."""
        entries = [entry for entry in entries if entry.origins]
        if not entries:
            return
        book = self.books[2 * side]
        bag = Bag(labels, len(entries) - sum(labels), where, entries)
        for origin in {origin for entry in entries for origin in entry.origins}:
            op = book.ops[origin]
            assert isinstance(op, Leave | Join)
            op.bags.append(len(book.bags))
        book.bags.append(bag)

    def _forget(self, side: int, entries: list[Entry], where: Where) -> None:
        """Cards that nobody will see any more."""
        self._bag(side, [entry for entry in entries if entry.label == UNKNOWN], [0] * KINDS, where)

    def _turn_up(self, side: int, entries: list[Entry], shown: t.Cards | None, where: Where) -> None:
        """Cards are turned up; where the record does not say which, they stay unknown."""
        for entry in entries:
            entry.up = True
        unknown = [entry for entry in entries if entry.label == UNKNOWN]
        if not unknown or shown is None or SOME_INFLUENCE in shown or (where.turn, where.at) in self.muted:
            return
        rest = _rest(shown, entries)
        if all(entry.origins for entry in unknown):
            self._bag(side, unknown, rest, where)
        else:
            self._forget(side, unknown, where)
        labels = [label for label, count in enumerate(rest) for _ in range(count)]
        for entry, label in zip(unknown, labels, strict=False):
            entry.label, entry.origins = label, ()

    def _vote(self, token: t.AnyVote, moment: Moment, where: Where) -> None:
        """All is turned up; afterwards what is left lies open, and its story is told."""
        assert moment.left is not None
        quiet = (where.turn, where.at) in self.muted
        for owner, shown in ((ROME, token.rome), (EGYPT, token.egypt)):
            column = self.columns[owner][token.group]
            self._turn_up(owner, column, shown, where)
            if quiet or any(entry.label == UNKNOWN for entry in column):
                self._forget(owner, column, where)
            left = [UNKNOWN if quiet else card for card in moment.left[owner]]
            self.columns[owner][token.group] = [Entry(label, where, True) for label in left]

    def _strike(self, side: int, token: t.Assassinate, where: Where) -> None:
        column = self.columns[side][token.group]
        aimed = [entry for entry in column if entry.up is not token.hidden]
        cards = [SOME_INFLUENCE if entry.label == UNKNOWN else entry.label for entry in aimed]
        place = target(cards, token)
        if place is not None and place < len(aimed) and (aimed[place].label != UNKNOWN or token.position is not None):
            hit = aimed[place]
            column.remove(hit)
            if hit.label == UNKNOWN:
                self._bag(side, [hit], self._one(token.card, where), where)
            return
        # One of several, and the record does not say which: the others may be any of them from now on.
        unknown = [entry for entry in aimed if entry.label == UNKNOWN or token.card is None]
        if not unknown:
            return
        rest = (
            self._mixed(side, unknown, len(unknown), up=not token.hidden, where=where) if len(unknown) > 1 else unknown
        )
        self._bag(side, rest[:1], self._one(token.card, where), where)
        column.remove(unknown[0])
        for old, new in zip(unknown[1:], rest[1:], strict=True):
            column[column.index(old)] = new

    def _one(self, card: int | None, where: Where) -> list[int]:
        label = UNKNOWN if card is None else self._said(card, where)
        return [int(each == label) for each in range(KINDS)]

    def _castle(self, side: int, token: t.Castle, where: Where) -> None:
        columns = self.columns[side]
        lifted = columns[token.first] + columns[token.second]
        first, second = token.cards_first, token.cards_second
        if first is None or second is None:
            return
        laid = [self._said(card, where) for card in (*first, *second)]
        unknown = [entry for entry in lifted if entry.label == UNKNOWN]
        if UNKNOWN not in laid:
            if unknown:
                self._bag(side, unknown, _rest((*first, *second), lifted), where)
            entries = [Entry(label, where._replace(card=place), False) for place, label in enumerate(laid)]
        else:
            entries = self._mixed(side, lifted, len(laid), up=False, where=where)
            for place, label in enumerate(laid):
                entries[place].where = where._replace(card=place)
                if label != UNKNOWN:
                    self._bag(side, [entries[place]], self._one(label, where), where)
                    entries[place].label, entries[place].origins = label, ()
        columns[token.first], columns[token.second] = entries[: len(first)], entries[len(first) :]

    def _mixed(self, side: int, entries: list[Entry], count: int, *, up: bool, where: Where) -> list[Entry]:
        """Cards that were mixed: each may be any of those that were lifted."""
        book, origins = self.books[2 * side], set[int]()
        laid = [Entry(UNKNOWN, where, up) for _ in range(count)]
        before = {id(entry) for mix in book.mixes for entry in mix.laid}
        lifted: list[tuple[Entry, int]] = []
        for entry in entries:
            if entry.label == UNKNOWN:
                origins.update(entry.origins)
                lifted.append((entry, UNKNOWN if id(entry) in before or not entry.origins else entry.origins[0]))
            else:
                origins.add(len(book.ops))
                lifted.append((entry, len(book.ops)))
                book.ops.append(Join(entry.label, where, []))
        for entry in laid:
            entry.origins = tuple(sorted(origins))
        book.mixes.append(Mix(lifted, laid))
        return laid


def _rest(shown: Sequence[int], entries: Sequence[Entry]) -> list[int]:
    """How many of each label are shown beside the cards that are known."""
    known = [entry.label for entry in entries]
    return [max(0, shown.count(label) - known.count(label)) for label in range(KINDS)]
