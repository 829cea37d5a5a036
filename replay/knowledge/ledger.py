"""Ledgers: a record followed card by card, with the place of each card of a deck as far as the record says.

A player's influence cards and action cards are two decks that never mix, and the two players' decks don't mix either.
So a game has four ledgers, each of which can be explained by itself. ``docs/knowledge.md`` says how they are explained.

A ledger knows a card by its rank, its number within its deck, counted from 0: the first influence card has rank 0, and
so does the first action card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Final, NamedTuple, assert_never

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
from ...notation.classes import dataclass
from ...notation.diagnostic import ERROR, RULED
from ...notation.record import Record, Turn
from ..editions.edition import Edition
from ..engine.findings import Run, Watch
from ..engine.headers import HeaderInfo
from ..engine.play import target
from ..engine.replay import Replay
from ..engine.rulings import combined_ruling, is_taken_back
from ..engine.run import AT_END, run_record, set_up_lines
from ..rules.ruleset import OPENING_SET
from ..rules.state import State

TokenSpot = tuple[int, int]
"""A token: its turn's place among the record's turns, and its own place in the turn."""
UnseenVote = tuple[int, int, t.AnyVote]
"""A vote whose deciding cards are missing in the record, with its place, turn and token."""


class Moment(NamedTuple):
    """A token at its place: number ``at`` in turn ``turn`` of the record, a turn of ``side``.

    ``vetoed`` marks an action that was only announced. ``left`` are the columns after a vote, Rome's first, as the
    engine leaves them.
    """

    turn: int
    at: int
    token: t.Token
    side: int
    vetoed: bool = False
    left: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def spot(self) -> TokenSpot:
        """Return the place alone."""
        return self.turn, self.at


@dataclass(slots=True)
class CardHistory:
    """A record as far as its cards can be followed: the words of its set-up, and the tokens that took effect."""

    edition: Edition
    position: bool
    opening: list[Moment]
    moments: list[Moment]
    unseen: UnseenVote | None
    """The vote after the last moment, if one could not be followed."""
    faulty: bool
    """Whether anything in it breaks the rules, or was ruled to stand: then its cards may not add up."""
    ruled: bool
    """Whether anything in it was ruled to stand, even something that this writer could not see."""
    fault: TokenSpot | None
    """The first token that breaks the rules."""
    run: Run


def history_of(record: Record, header_info: HeaderInfo) -> CardHistory | None:
    """Return a record as the engine can follow it; None if it can't begin. ``header_info`` must have an edition."""
    moments, watch = moments_of()
    return history_of_run(record, header_info, run_record(record, header_info, watch), moments)


def history_of_replay(record: Record, header_info: HeaderInfo, played: Replay) -> CardHistory | None:
    """Return the story of a record that has been replayed from its first turn on."""
    moments, watch = moments_of()
    for step in played.steps:
        watch(step.place, step.turn, step.at, step.state)
    return history_of_run(record, header_info, played.run, moments)


def continued(history: CardHistory, record: Record) -> CardHistory | None:
    """Return the story of a record that continues another with a legal word in its last turn that is not a vote; None
    if only the engine can work it out.
    """
    last, at = record.turns[-1], len(record.turns) - 1
    if history.run.stopped or not last.number or is_taken_back(last):
        return None
    known = {moment.spot: moment for moment in history.moments}
    moments = [moment for moment in history.moments if moment.turn < at]
    for place, token in enumerate(last.tokens):
        same = known.get((at, place))
        left = same.left if same and isinstance(token, t.AnyVote) else None
        moments.append(Moment(at, place, token, last.side, last.is_vetoed(place), left))
    return replace(history, moments=moments)


def moments_of() -> tuple[list[Moment], Watch]:
    """Return a function that watches a record's run, and the list to which it adds every token that takes effect."""
    moments: list[Moment] = []

    def watch(place: int, turn: Turn | None, at: int, state: State) -> None:
        if turn is None or at == AT_END:
            return
        token, left = turn.tokens[at], None
        if isinstance(token, t.AnyVote):
            rome, egypt = state.sides
            left = tuple(rome.up[token.group]), tuple(egypt.up[token.group])
        moments.append(Moment(place, at, token, turn.side, turn.is_vetoed(at), left))

    return moments, watch


def history_of_run(record: Record, header_info: HeaderInfo, run: Run, moments: list[Moment]) -> CardHistory | None:
    """Return the story of a record that has been run, watched for its ``moments``; None if it can't even begin."""
    assert header_info.edition is not None
    if run.state is None:
        return None
    unseen, faults = None, []
    for finding in run.findings:
        # What an alternative omits does not count: it did not happen, and has no place among the turns.
        if finding.turn is None or (place := finding.place) < 0:
            continue
        tokens, at = finding.turn.tokens, finding.at or 0
        if at == AT_END:
            at = len(tokens) - 1
        if finding.severity == ERROR:
            faults.append((place, at))
        if finding.fault.code == "C908" and isinstance(vote := tokens[at], t.AnyVote):
            unseen = place, at, vote
    ruled = _is_ruled(record, run)
    faulty = ruled or any(finding.severity == ERROR for finding in run.findings)
    opening = list(_opening(record))
    return CardHistory(
        header_info.edition,
        header_info.position,
        opening,
        moments,
        unseen,
        faulty,
        ruled,
        min(faults, default=None),
        run,
    )


def _opening(record: Record) -> Iterator[Moment]:
    """Yield the words of the set-up; a line of it that is written again brings no further cards."""
    for place in sorted(set_up_lines(record.turns).values()):
        turn = record.turns[place]
        yield from (Moment(place, at, token, turn.side) for at, token in enumerate(turn.tokens))


def _is_ruled(record: Record, run: Run) -> bool:
    """Return whether anything was ruled to stand, even something that this writer could not see."""
    return any(finding.severity == RULED for finding in run.findings) or any(map(_is_about_cards, record.turns))


def _is_about_cards(turn: Turn) -> bool:
    """Return whether a ruling lets something about cards stand in this turn, not just the order of its steps."""
    pardon = None if is_taken_back(turn) else combined_ruling(turn)
    # These codes are about turns, missions and the end of the game.
    others = ("R6", "R7", "R8")
    return pardon is not None and not (pardon.codes and all(code.startswith(others) for code in pardon.codes))


UNKNOWN: Final = -1
"""Stands for a rank: nobody wrote down which card it was."""
RANKS: Final = max(len(INFLUENCE_CARDS), len(ACTION_CARDS))
"""How many ranks a deck can have."""


def counts_of(ranks: Sequence[int]) -> list[int]:
    """Return how many cards of each rank there are; UNKNOWN ones are not counted."""
    return [ranks.count(rank) for rank in range(RANKS)]


def one_by_one(counts: Sequence[int]) -> list[int]:
    """Return the ranks of counted cards one by one, from low to high."""
    return [rank for rank, count in enumerate(counts) for _ in range(count)]


class CardPlace(NamedTuple):
    """A card in the record: the place of its turn among the record's turns, of its token in the turn, and of the card
    in the token.

    The last is UNKNOWN if the token is not about one card in particular.
    """

    turn: int
    at: int
    card: int = UNKNOWN

    @property
    def spot(self) -> TokenSpot:
        """Return the place of the token."""
        return self.turn, self.at

    def with_places(self, cards: Iterable[int]) -> Iterator[tuple[CardPlace, int]]:
        """Yield the cards of the token, each with its own place."""
        return ((self._replace(card=place), card) for place, card in enumerate(cards))


class Arrive(NamedTuple):
    """A card comes into the hand; ``rank`` says which, or is UNKNOWN."""

    rank: int
    card_place: CardPlace


class Leave(NamedTuple):
    """A card leaves the hand; if its ``rank`` is UNKNOWN, it goes to one of the ``bags``."""

    rank: int
    card_place: CardPlace
    bags: list[int]


class Join(NamedTuple):
    """A known card is mixed with unknown ones, so it gets into one of the ``bags``."""

    rank: int
    card_place: CardPlace
    bags: list[int]


class Look(NamedTuple):
    """The hand was seen: at least this many of each card; the other cards in it were not written down."""

    counts: tuple[int, ...]
    card_place: CardPlace


Op = Arrive | Leave | Join | Look


@dataclass(slots=True)
class CardBag:
    """Cards of unknown identity that were seen together: the number of each rank, and the number of ``open`` ones,
    never seen.

    ``cards`` are its cards on the table, in the order in which they were looked at.
    """

    counts: list[int]
    open: int
    card_place: CardPlace
    cards: list[TableCard] = field(default_factory=list)


class Mix(NamedTuple):
    """Cards that were lifted and laid down again unnamed: each of ``laid`` is one of ``lifted``.

    A lifted card has the place of the op that brought it there; UNKNOWN if it had been mixed before.
    """

    lifted: list[tuple[TableCard, int]]
    laid: list[TableCard]
    card_place: CardPlace


@dataclass(slots=True, eq=False)
class TableCard:
    """A card on the table. If its ``rank`` is UNKNOWN, its identity must be found through its ``origins``.

    Origins are the places of the ops that may have brought it there: one, or several after a castling. Nothing depends
    on an unknown card without origins.
    """

    rank: int
    up: bool
    origins: tuple[int, ...] = ()


def known_ranks(column: Iterable[TableCard]) -> list[int]:
    """Return the ranks of the cards of a column whose identity is known."""
    return [card.rank for card in column if card.rank != UNKNOWN]


@dataclass(slots=True)
class Ledger:
    """One player's deck of one kind: what happened to its cards, in order, and how many copies there are of each."""

    side: int
    first: int
    copies: tuple[int, ...]
    ops: list[Op] = field(default_factory=list)
    bags: list[CardBag] = field(default_factory=list)
    mixes: list[Mix] = field(default_factory=list)
    log: list[Op | TableCard | CardBag | Mix] = field(default_factory=list)
    """Everything that happened, in order: ops (or the card, if it was laid down unnamed), bags and mixes."""

    @property
    def is_action_deck(self) -> bool:
        """Return whether these are the action cards rather than the influence cards."""
        return self.first == ACTION_CARDS[0]

    def add(self, item: Op | CardBag | Mix, card: TableCard | None = None) -> None:
        """Note one more event; ``card`` is the card that an op laid down unnamed."""
        match item:
            case CardBag():
                self.bags.append(item)
            case Mix():
                self.mixes.append(item)
            case _:
                self.ops.append(item)
        self.log.append(card or item)

    def deal(self, cards: Iterable[int], card_place: CardPlace) -> None:
        """Note that cards named by the rules came into the hand."""
        for card in cards:
            self.add(Arrive(card - self.first, card_place))


def ledgers(history: CardHistory, until: int | None = None, muted: frozenset[TokenSpot] = frozenset()) -> list[Ledger]:
    """Return the ledgers of Rome's influence and action cards, then Egypt's; for the parameters see
    :class:`CardTracker`.
    """
    tracker = CardTracker(history, until, muted)
    tracker.close()
    return tracker.books


class CardTracker:
    """Derives the four ledgers and the cards on the table (``columns``, by side and group) from a story.

    It stops before the moment ``until``; of the tokens in ``muted`` (turn, at), only the kinds of cards are used.
    """

    def __init__(
        self, history: CardHistory, until: int | None = None, muted: frozenset[TokenSpot] = frozenset()
    ) -> None:
        self.history, self.muted = history, muted
        decks = [(cards[0], [*map(history.edition.copies, cards)]) for cards in (INFLUENCE_CARDS, ACTION_CARDS)]
        self.books = [
            Ledger(side, first, (*copies, *[0] * (RANKS - len(copies))))
            for side in (ROME, EGYPT)
            for first, copies in decks
        ]
        self.columns: list[list[list[TableCard]]] = [[[] for _ in GROUP_LETTERS] for _ in (ROME, EGYPT)]
        self.orders: list[list[Arrive]] = [[], []]
        """What is left of the action piles whose order is known, the top card last."""
        for side in (ROME, EGYPT):
            self._open(side)
        for moment in history.moments[:until]:
            self.take_in(moment)

    def _open(self, side: int) -> None:
        words = [(word.token, CardPlace(*word.spot)) for word in self.history.opening if word.side == side]
        # In a position, the hand was drawn after the cards on the table and the discards, and before the rest of the
        # pile.
        words.sort(key=lambda word: (isinstance(word[0], t.ActionOrder), isinstance(word[0], t.Hand | t.Draw)))
        begin, position = words[0][1] if words else CardPlace(side, 0), self.history.position
        influence, action = self.books[2 * side : 2 * side + 2]
        # One set is laid out; the second is the first hand (B5, B6).
        one_set = () if position else OPENING_SET
        first = () if position else tuple(filter(is_known, self.history.edition.first_action.cards))
        influence.deal(one_set, begin)
        for token, card_place in words:
            self._set_up(side, token, card_place, first)
        influence.deal(one_set, begin)
        if not any(isinstance(token, t.Draw) for token, _ in words):
            action.deal(first, begin)

    def _set_up(self, side: int, token: t.Token, card_place: CardPlace, first: t.Cards) -> None:
        """Take in a word of the set-up; ``first`` are the action cards of the first hand that the rules name."""
        match token:
            case t.Place():
                if self.history.position:
                    self._draw(side, token.card, card_place)
                self._place(side, token, card_place)
            case t.Draw():
                self._draws(side, first or token.cards, card_place)
            case t.Hand() if self.history.position:
                self._draws(side, token.cards, card_place)
            case t.ActionOrder():
                pile = [
                    Arrive(self._rank_of(card, card_place), place)
                    for place, card in card_place.with_places(token.cards)
                ]
                self.orders[side] = pile[::-1]
            case t.Spent():
                for place, card in card_place.with_places(token.cards):
                    self._draw(side, card, place)
                    self._leave(side, card, place)
            case _:
                pass  # it has no cards of these decks, or does not belong in a set-up: the law refuses it

    def take_in(self, moment: Moment) -> None:
        """Advance by one token."""
        token, side = moment.token, moment.side
        card_place = CardPlace(*moment.spot)
        if isinstance(token, t.ACTIONS):
            self._leave(side, t.CARD_OF[token.__class__], card_place)
            if moment.vetoed:
                return
        if isinstance(token, t.SetUp):
            return  # taken in with the set-up
        match token:
            case t.Place():
                self._place(side, token, card_place)
            case t.Draw():
                self._draws(side, token.cards, card_place)
            case t.Discard():
                for place, card in card_place.with_places(token.cards):
                    self._leave(side, card, place)
            case t.Veto():
                self._leave(1 - side, VETO, card_place)
                self._draw_again(1 - side, token.draw, card_place)
            case t.Assassinate():
                self._assassinate(1 - side, token, card_place)
            case t.Scout():
                column = self.columns[1 - side][token.group]
                self._turn_up(1 - side, column, [card for card in column if not card.up], token.seen, card_place)
            case t.Wrath():
                self._clear(ROME, token.group, card_place)
                self._clear(EGYPT, token.group, card_place)
            case t.Castle():
                self._castle(side, token, card_place)
            case t.Spy():
                self._spy(1 - side, token, card_place)
            case t.Vote() | t.SpecialVote():
                self._vote(token, moment, card_place)
            case t.NoVote() | t.PutAway() | t.ChooseMission() | t.Unread():
                pass
            case _:
                assert_never(token)

    def see(self, side: int, group: int) -> CardBag | None:
        """End the story, and return the bag of the cards at a group that nobody had named; None if there are none."""
        bag = self._clear(side, group, CardPlace(UNKNOWN, UNKNOWN))
        self.close()
        return bag

    def close(self) -> None:
        """End the story: nobody ever saw what still lies face down."""
        for side, columns in enumerate(self.columns):
            for column in columns:
                self._bag(side, column, CardPlace(UNKNOWN, UNKNOWN))
            # The rest of an ordered pile was there all the time, so no other card of the deck can be one of these. The
            # log does not have it, since nobody drew it.
            self.books[2 * side + 1].ops += self.orders[side]

    def _clear(self, side: int, group: int, card_place: CardPlace) -> CardBag | None:
        """Note that a column's cards left without being named; return the bag of those that were never named."""
        bag = self._bag(side, self.columns[side][group], card_place)
        self.columns[side][group] = []
        return bag

    def _book(self, side: int, card: int) -> Ledger:
        return self.books[2 * side + (not is_influence(card))]

    def _rank_of(self, card: int | None, card_place: CardPlace) -> int:
        """Return the card as its rank in the ledger; UNKNOWN if it is not known, or its token is muted."""
        if card is None or not is_known(card) or card_place.spot in self.muted:
            return UNKNOWN
        return card - self._book(ROME, card).first

    def _draw(self, side: int, card: int, card_place: CardPlace) -> None:
        self._book(side, card).add(Arrive(self._rank_of(card, card_place), card_place))

    def _draws(self, side: int, cards: Sequence[int], card_place: CardPlace) -> None:
        for place, card in card_place.with_places(cards):
            book, rank = self._book(side, card), self._rank_of(card, card_place)
            if book.is_action_deck and self.orders[side]:
                ordered = self.orders[side].pop().rank
                rank = ordered if card == SOME_ACTION else rank
            book.add(Arrive(rank, place))

    def _draw_again(self, side: int, card: int | None, card_place: CardPlace) -> None:
        """Note the card drawn to replace one that was used up or taken away, if it was written down."""
        if card is not None:
            self._draws(side, (card,), card_place)

    def _leave(self, side: int, card: int, card_place: CardPlace) -> None:
        """Note that a card goes from the hand to the discards, where everybody sees it."""
        book, rank = self._book(side, card), self._rank_of(card, card_place)
        book.add(Leave(rank, card_place, [len(book.bags)] if rank == UNKNOWN else []))
        if rank == UNKNOWN:
            # Only an explanation needs this bag of one card; the log names the card in its op.
            book.bags.append(CardBag([0] * RANKS, 1, card_place))

    def _spy(self, side: int, token: t.Spy, card_place: CardPlace) -> None:
        if token.hand is not None and card_place.spot not in self.muted:
            for book in self.books[2 * side : 2 * side + 2]:
                ranks = [self._rank_of(card, card_place) for card in token.hand if self._book(side, card) is book]
                book.add(Look(tuple(counts_of(ranks)), card_place))
        if token.card is not None:
            self._leave(side, token.card, card_place)
        self._draw_again(side, token.draw, card_place)

    def _place(self, side: int, token: t.Place, card_place: CardPlace) -> None:
        book, rank = self.books[2 * side], self._rank_of(token.card, card_place)
        card = TableCard(rank, not token.hidden, (len(book.ops),) if rank == UNKNOWN else ())
        book.add(Leave(rank, card_place, []), card if rank == UNKNOWN else None)
        self.columns[side][token.group].append(card)

    def _bag(
        self, side: int, cards: list[TableCard], card_place: CardPlace, counts: Sequence[int] = (0,) * RANKS
    ) -> CardBag | None:
        """Note that the unknown ones among these cards make up exactly this many of each rank; nothing is known about
        the others.

        By default nothing is known: these are cards that nobody will see again. Return their bag, or None if there are
        none.
        """
        cards = [card for card in cards if card.origins]
        if not cards:
            return None
        book = self.books[2 * side]
        bag = CardBag([*counts], len(cards) - sum(counts), card_place, cards)
        for origin in {origin for card in cards for origin in card.origins}:
            op = book.ops[origin]
            assert isinstance(op, Leave | Join)
            op.bags.append(len(book.bags))
        book.add(bag)
        return bag

    def _name(self, side: int, card: TableCard, rank: int, card_place: CardPlace) -> None:
        """Note the identity of a card that was unknown."""
        self._bag(side, [card], card_place, counts_of([rank]))
        card.rank, card.origins = rank, ()

    def _turn_up(
        self, side: int, column: list[TableCard], cards: list[TableCard], shown: t.Cards | None, card_place: CardPlace
    ) -> None:
        """Note that cards of a column are turned up; if the record does not say which, they stay unknown."""
        for card in cards:
            card.up = True
        unknown = [card for card in cards if card.rank == UNKNOWN]
        if not unknown or shown is None or card_place.spot in self.muted:
            return
        rest = _rest(shown, cards)
        if SOME_INFLUENCE in shown:
            # Only some of them were written down: any card can be one of these.
            mixed = self._mixed(side, unknown, up=True, card_place=card_place)
            for rank, card in zip(one_by_one(rest), mixed, strict=False):
                self._name(side, card, rank, card_place)
            _exchange(column, unknown, mixed)
            return
        self._bag(side, unknown, card_place, rest if all(card.origins for card in unknown) else (0,) * RANKS)
        for card, rank in zip(unknown, one_by_one(rest), strict=False):
            card.rank, card.origins = rank, ()

    def _vote(self, token: t.AnyVote, moment: Moment, card_place: CardPlace) -> None:
        """Note a vote: everything is turned up; afterwards the remaining cards are open, and their story ends."""
        assert moment.left is not None
        quiet = card_place.spot in self.muted
        for owner, shown in enumerate((token.rome, token.egypt)):
            column = self.columns[owner][token.group]
            self._turn_up(owner, column, column[:], shown, card_place)
            self._bag(owner, column, card_place)
            left = [UNKNOWN if quiet else card for card in moment.left[owner]]
            self.columns[owner][token.group] = [TableCard(rank, True) for rank in left]

    def _assassinate(self, side: int, token: t.Assassinate, card_place: CardPlace) -> None:
        column = self.columns[side][token.group]
        struck = _assassinated(column, token)
        if not struck:
            return
        rest = struck
        if len(struck) > 1:
            rest = self._mixed(side, struck, up=not token.hidden, card_place=card_place)
        self._bag(side, rest[:1], card_place, counts_of([self._rank_of(token.card, card_place)]))
        column.remove(struck[0])
        _exchange(column, struck[1:], rest[1:])

    def _castle(self, side: int, token: t.Castle, card_place: CardPlace) -> None:
        columns = self.columns[side]
        lifted = columns[token.first] + columns[token.second]
        first, second = token.cards_first, token.cards_second
        if first is None or second is None:
            return
        ranks = [self._rank_of(card, card_place) for card in (*first, *second)]
        if UNKNOWN not in ranks:
            self._bag(side, lifted, card_place, _rest(ranks, lifted))
            laid = [TableCard(rank, False) for rank in ranks]
        else:
            laid = self._mixed(side, lifted, up=False, card_place=card_place)
            for card, rank in zip(laid, ranks, strict=True):
                if rank != UNKNOWN:
                    self._name(side, card, rank, card_place)
        columns[token.first], columns[token.second] = laid[: len(first)], laid[len(first) :]

    def _mixed(self, side: int, cards: list[TableCard], *, up: bool, card_place: CardPlace) -> list[TableCard]:
        """Return that many mixed cards: each may be any of those that were lifted."""
        book, origins = self.books[2 * side], set[int]()
        before = {card for mix in book.mixes for card in mix.laid}
        lifted: list[tuple[TableCard, int]] = []
        for card in cards:
            if card.rank == UNKNOWN:
                origins.update(card.origins)
                lifted.append((card, UNKNOWN if card in before or not card.origins else card.origins[0]))
            else:
                origins.add(len(book.ops))
                lifted.append((card, len(book.ops)))
                book.add(Join(card.rank, card_place, []))
        laid = [TableCard(UNKNOWN, up, tuple(sorted(origins))) for _ in cards]
        book.add(Mix(lifted, laid, card_place))
        return laid


def _assassinated(column: Sequence[TableCard], token: t.Assassinate) -> list[TableCard]:
    """Return the card of a column that was hit; several if the record does not say which."""
    aimed = [card for card in column if card.up != token.hidden]
    place = target([SOME_INFLUENCE if card.rank == UNKNOWN else card.rank for card in aimed], token)
    hit = [] if place is None else aimed[place : place + 1]
    if hit and (hit[0].rank != UNKNOWN or token.position is not None):
        return hit
    if token.card in (None, SOME_INFLUENCE):
        return aimed
    return [card for card in aimed if card.rank == UNKNOWN]


def _exchange(column: list[TableCard], old: Sequence[TableCard], new: Sequence[TableCard]) -> None:
    """Replace cards of a column with others, each in its place."""
    for one, other in zip(old, new, strict=True):
        column[column.index(one)] = other


def _rest(shown: Sequence[int], cards: Sequence[TableCard]) -> list[int]:
    """Return how many of each rank are shown besides the known cards."""
    known = counts_of([card.rank for card in cards])
    return [max(0, count - there) for count, there in zip(counts_of(shown), known, strict=True)]
