"""The keeping of ledgers: a record is followed card by card, as far as the engine can follow it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ...notation import tokens as t
from ...notation.cards import (
    ACTION_CARDS,
    EGYPT,
    GROUP_LETTERS,
    INFLUENCE_CARDS,
    ROME,
    SOME_ACTION,
    SOME_INFLUENCE,
    VETO,
    is_influence,
    is_known,
)
from ..editions.policies import first_action
from ..engine.play import target
from ..rules.ruleset import OPENING_SET
from .ledger import (
    KINDS,
    UNKNOWN,
    Arrive,
    CardBag,
    Join,
    Leave,
    Ledger,
    Look,
    Mix,
    TableCard,
    Where,
    label_of,
    one_by_one,
    single,
)
from .story import Moment, Story


def ledgers(told: Story, until: int | None = None, muted: frozenset[tuple[int, int]] = frozenset()) -> list[Ledger]:
    """Influence and action cards of Rome, then of Egypt; ``until`` and ``muted`` as for :class:`CardTracker`."""
    tracker = CardTracker(told, until, muted)
    tracker.close()
    return tracker.books


class CardTracker:
    """Keeps the four ledgers and the cards on the table (``columns``, by side and group), as a story tells them.

    ``until`` ends before that moment; ``muted`` are tokens (turn, at) of which only the kinds of cards are taken.
    """

    def __init__(self, told: Story, until: int | None = None, muted: frozenset[tuple[int, int]] = frozenset()) -> None:
        self.told, self.muted = told, muted
        edition = told.edition
        decks = [(cards[0], [*map(edition.copies, cards)]) for cards in (INFLUENCE_CARDS, ACTION_CARDS)]
        self.books = [
            Ledger(side, first, (*copies, *[0] * (KINDS - len(copies))))
            for side in (ROME, EGYPT)
            for first, copies in decks
        ]
        self.columns: list[list[list[TableCard]]] = [[[] for _ in GROUP_LETTERS] for _ in (ROME, EGYPT)]
        self.orders: list[list[Arrive]] = [[], []]
        """What is left of the action piles that were ordered, the top last."""
        self._open()
        for moment in told.moments[:until]:
            self.take_in(moment)

    # ------------------------------------------------------------------------------------------- the set-up

    def _open(self) -> None:
        edition, position = self.told.edition, self.told.position
        for side in (ROME, EGYPT):
            lines = [(token, Where(turn, at)) for owner, token, turn, at in self.told.opening if owner == side]
            # In a position the hand was drawn after what lies on the table or is discarded, and before the pile's rest.
            lines.sort(key=lambda line: (isinstance(line[0], t.ActionOrder), isinstance(line[0], t.Hand | t.Draw)))
            begin = next((where for _, where in lines), Where(side, 0))
            if not position:
                # One set is laid out, the second one is the first hand (B5, B6).
                for card in OPENING_SET:
                    self._draw(side, card, card, begin)
            first, drawn = () if position else first_action(edition.first_action), False
            for token, where in lines:
                match token:
                    case t.Place():
                        if position:
                            self._draw(side, token.card, self._said(token.card, where), where)
                        self._place(side, token, where)
                    case t.Draw():
                        drawn = True
                        prescribed = first and SOME_ACTION not in first
                        self._draws(side, first if prescribed else token.cards, where)
                    case t.Hand():
                        if position:
                            self._draws(side, token.cards, where)
                    case t.ActionOrder():
                        spots = [(where._replace(card=place), card) for place, card in enumerate(token.cards)]
                        self.orders[side] = [Arrive(self._said(card, where), spot) for spot, card in reversed(spots)]
                    case t.Spent():
                        for place, card in enumerate(token.cards):
                            self._draw(side, card, self._said(card, where), where._replace(card=place))
                            self._leave(side, card, where._replace(card=place))
                    case t.Missions() | t.Gained() | t.Bag():
                        pass  # no cards of these decks
                    case _:
                        pass  # no word of a set-up: the law refuses it
            if not position:
                for card in OPENING_SET:
                    self._draw(side, card, card, begin)
                for card in first:
                    if is_known(card) and not drawn:
                        self._draw(side, card, label_of(card), begin)

    # -------------------------------------------------------------------------------------------- the turns

    def take_in(self, moment: Moment) -> None:
        """Goes on by one token."""
        token, side = moment.token, moment.side
        where = Where(moment.turn, moment.at)
        if isinstance(token, t.ACTIONS):
            self._leave(side, t.CARD_OF[token.__class__], where)
            if moment.vetoed:
                return
        if isinstance(token, t.SetUp):
            return  # taken in with the set-up
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
                column = self.columns[1 - side][token.group]
                hidden = [entry for entry in column if not entry.up]
                self._turn_up(1 - side, column, hidden, token.seen, where)
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
            case t.NoVote() | t.PutAway() | t.ChooseMission() | t.Unread():
                pass
            case _:
                assert_never(token)

    def see(self, side: int, group: int) -> CardBag | None:
        """The end of the story, and of it the bag of the cards at a group that nobody had named; None without any."""
        bags = self.books[2 * side].bags
        before = len(bags)
        self._forget(side, self.columns[side][group], Where(UNKNOWN, UNKNOWN))
        self.columns[side][group] = []
        found = bags[-1] if len(bags) > before else None
        self.close()
        return found

    def close(self) -> None:
        """Nobody ever saw what still lies face down."""
        for side in (ROME, EGYPT):
            for column in self.columns[side]:
                self._forget(side, column, Where(UNKNOWN, UNKNOWN))
            # The rest of an ordered pile was there all the time: no other card of the deck can be one of these.
            self.books[2 * side + 1].ops += self.orders[side]

    # ---------------------------------------------------------------------------------------- hands and piles

    def _book(self, side: int, card: int) -> Ledger:
        return self.books[2 * side + (not is_influence(card))]

    def _said(self, card: int | None, where: Where) -> int:
        """The card as its label in the ledger, where it is known and its token is listened to."""
        if card is None or card >= SOME_INFLUENCE or (where.turn, where.at) in self.muted:
            return UNKNOWN
        return label_of(card)

    def _draw(self, side: int, card: int, label: int, where: Where) -> None:
        self._book(side, card).add(Arrive(label, where))

    def _draws(self, side: int, cards: Sequence[int], where: Where) -> None:
        for place, card in enumerate(cards):
            book, label = self._book(side, card), self._said(card, where)
            if book.first and self.orders[side]:
                ordered = self.orders[side].pop().label
                label = ordered if card == SOME_ACTION else label
            book.add(Arrive(label, where._replace(card=place)))

    def _leave(self, side: int, card: int, where: Where) -> None:
        """A card goes from the hand to the discards, where everybody sees it."""
        book, label = self._book(side, card), self._said(card, where)
        leave = Leave(label, where, [])
        book.add(leave)
        if label == UNKNOWN:
            leave.bags.append(len(book.bags))
            book.bags.append(CardBag([0] * KINDS, 1, where))

    def _spy(self, side: int, token: t.Spy, where: Where) -> None:
        if token.hand is not None and (where.turn, where.at) not in self.muted:
            for book in self.books[2 * side : 2 * side + 2]:
                counts = tuple([token.hand.count(book.first + label) for label in range(KINDS)])
                book.add(Look(counts, where))
        if token.card is not None:
            self._leave(side, token.card, where)
        if token.draw is not None:
            self._draws(side, (token.draw,), where)

    # --------------------------------------------------------------------------------------------- the table

    def _place(self, side: int, token: t.Place, where: Where) -> None:
        book, label = self.books[2 * side], self._said(token.card, where)
        entry = TableCard(label, where, not token.hidden)
        if label == UNKNOWN:
            entry.origins = (len(book.ops),)
        book.add(Leave(label, where, []), entry if label == UNKNOWN else None)
        self.columns[side][token.group].append(entry)

    def _bag(self, side: int, entries: list[TableCard], labels: list[int], where: Where) -> None:
        """These unknown cards, and nothing else, are so many of each label; of the others nothing is known."""
        entries = [entry for entry in entries if entry.origins]
        if not entries:
            return
        book = self.books[2 * side]
        bag = CardBag(labels, len(entries) - sum(labels), where, entries)
        for origin in {origin for entry in entries for origin in entry.origins}:
            op = book.ops[origin]
            assert isinstance(op, Leave | Join)
            op.bags.append(len(book.bags))
        book.add_bag(bag)

    def _forget(self, side: int, entries: list[TableCard], where: Where) -> None:
        """Cards that nobody will see any more."""
        self._bag(side, [entry for entry in entries if entry.label == UNKNOWN], [0] * KINDS, where)

    def _turn_up(
        self, side: int, column: list[TableCard], entries: list[TableCard], shown: t.Cards | None, where: Where
    ) -> None:
        """Cards of a column are turned up; where the record does not say which, they stay unknown."""
        for entry in entries:
            entry.up = True
        unknown = [entry for entry in entries if entry.label == UNKNOWN]
        if not unknown or shown is None or (where.turn, where.at) in self.muted:
            return
        rest = _rest(shown, entries)
        if SOME_INFLUENCE in shown:
            # Only some of them were written down: any can be one of these.
            mixed = self._mixed(side, unknown, len(unknown), up=True, where=where)
            for label, entry in zip(one_by_one(rest), mixed, strict=False):
                self._bag(side, [entry], single(label), where)
                entry.label, entry.origins = label, ()
            _exchange(column, unknown, mixed)
            return
        if all(entry.origins for entry in unknown):
            self._bag(side, unknown, rest, where)
        else:
            self._forget(side, unknown, where)
        for entry, label in zip(unknown, one_by_one(rest), strict=False):
            entry.label, entry.origins = label, ()

    def _vote(self, token: t.AnyVote, moment: Moment, where: Where) -> None:
        """All is turned up; afterwards what is left lies open, and its story is told."""
        assert moment.left is not None
        quiet = (where.turn, where.at) in self.muted
        for owner, shown in ((ROME, token.rome), (EGYPT, token.egypt)):
            column = self.columns[owner][token.group]
            self._turn_up(owner, column, column[:], shown, where)
            if quiet or any(entry.label == UNKNOWN for entry in column):
                self._forget(owner, column, where)
            left = [UNKNOWN if quiet else card for card in moment.left[owner]]
            self.columns[owner][token.group] = [TableCard(label, where, True) for label in left]

    def _strike(self, side: int, token: t.Assassinate, where: Where) -> None:
        column = self.columns[side][token.group]
        aimed = [entry for entry in column if entry.up is not token.hidden]
        cards = [SOME_INFLUENCE if entry.label == UNKNOWN else entry.label for entry in aimed]
        place = target(cards, token)
        if place is not None and place < len(aimed) and (aimed[place].label != UNKNOWN or token.position is not None):
            hit = aimed[place]
            column.remove(hit)
            if hit.label == UNKNOWN:
                self._bag(side, [hit], single(self._said(token.card, where)), where)
            return
        # One of several, and the record does not say which: the others may be any of them from now on.
        unsaid = token.card is None or token.card == SOME_INFLUENCE
        unknown = [entry for entry in aimed if unsaid or entry.label == UNKNOWN]
        if not unknown:
            return
        rest = unknown
        if len(unknown) > 1:
            rest = self._mixed(side, unknown, len(unknown), up=not token.hidden, where=where)
        self._bag(side, rest[:1], single(self._said(token.card, where)), where)
        column.remove(unknown[0])
        _exchange(column, unknown[1:], rest[1:])

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
            entries = [TableCard(label, where._replace(card=place), False) for place, label in enumerate(laid)]
        else:
            entries = self._mixed(side, lifted, len(laid), up=False, where=where)
            for place, label in enumerate(laid):
                entries[place].where = where._replace(card=place)
                if label != UNKNOWN:
                    self._bag(side, [entries[place]], single(label), where)
                    entries[place].label, entries[place].origins = label, ()
        columns[token.first], columns[token.second] = entries[: len(first)], entries[len(first) :]

    def _mixed(self, side: int, entries: list[TableCard], count: int, *, up: bool, where: Where) -> list[TableCard]:
        """Cards that were mixed: each may be any of those that were lifted."""
        book, origins = self.books[2 * side], set[int]()
        laid = [TableCard(UNKNOWN, where, up) for _ in range(count)]
        before = {id(entry) for mix in book.mixes for entry in mix.laid}
        lifted: list[tuple[TableCard, int]] = []
        for entry in entries:
            if entry.label == UNKNOWN:
                origins.update(entry.origins)
                lifted.append((entry, UNKNOWN if id(entry) in before or not entry.origins else entry.origins[0]))
            else:
                origins.add(len(book.ops))
                lifted.append((entry, len(book.ops)))
                book.add(Join(entry.label, where, []))
        for entry in laid:
            entry.origins = tuple(sorted(origins))
        book.add_mix(Mix(lifted, laid))
        return laid


def _exchange(column: list[TableCard], old: Sequence[TableCard], new: Sequence[TableCard]) -> None:
    """Entries of a column are replaced by others, each in its place."""
    for one, other in zip(old, new, strict=True):
        column[column.index(one)] = other


def _rest(shown: Sequence[int], entries: Sequence[TableCard]) -> list[int]:
    """How many of each label are shown beside the cards that are known."""
    known = [entry.label for entry in entries]
    return [max(0, shown.count(label) - known.count(label)) for label in range(KINDS)]
