"""Whether any cards explain a record in which some cards are unknown, and if none do, which of its words clash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations_with_replacement, zip_longest
from math import comb, prod
from operator import itemgetter
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.allowance import BudgetSpent, end_after
from ...notation.cards import EGYPT, ROME, SOME_INFLUENCE
from ...notation.classes import dataclass
from ...notation.diagnostic import ERROR
from ...notation.language import GROUPS, PLAYERS, Messages, phrase, plural
from ...notation.record import Record
from ..diagnostics.names import count_word, named, several
from ..diagnostics.registry import CODES
from ..engine.findings import Run
from ..engine.headers import HeaderInfo
from ..engine.result import final_score, outcome, result_faults
from ..engine.rulings import combined_ruling, is_ruled
from ..rules.fault import Fault
from ..rules.vote_outcome import resolve
from .explanation import Budget, World, explain
from .ledger import (
    RANKS,
    Arrive,
    CardHistory,
    CardPlace,
    CardTracker,
    Leave,
    Ledger,
    Look,
    TokenSpot,
    UnseenVote,
    continued,
    counts_of,
    history_of,
    known_ranks,
    ledgers,
    one_by_one,
)

CERTAIN: Final = "certain"
POSSIBLE: Final = "possible"
IMPOSSIBLE: Final = "impossible"
"""Verdicts on the cards: all possible cards fit, some do, or none do."""
_WRONG_WINNER: Final = Fault("C902", {})
WAY_STEPS: Final = 200
LEDGER_STEPS: Final = 50
"""The steps of the search that take as long as following a record once more, and as keeping a ledger once more."""


class ConflictingToken(NamedTuple):
    """A token that clashes with others, and the cards that it names."""

    spot: TokenSpot
    cards: t.Cards


@dataclass(frozen=True, slots=True)
class Conflict:
    """Tokens that can't all be true of one player's deck; if any one is left out, the others can be.

    ``card`` is the card that they name more often than there are copies, None if it is not that simple; ``named`` is
    how many copies they name, including those that the player began with, and ``copies`` how many exist. ``group`` is
    the group of a vote whose result no cards that can lie there explain, otherwise None; ``by_result`` says that no
    such cards allow the record's result. The conflict appears at the last token.
    """

    side: int
    tokens: tuple[ConflictingToken, ...]
    card: int | None = None
    named: int = 0
    copies: int = 0
    group: int | None = None
    by_result: bool = False


@dataclass(frozen=True, slots=True)
class CardVerdict:
    """The verdict on the cards: CERTAIN, POSSIBLE or IMPOSSIBLE.

    ``record`` is the record that ``books`` and ``worlds`` explain: the one that was judged, with every missing vote
    filled in. ``conflict`` says why nothing explains it.
    """

    kind: str
    record: Record
    side_ledgers: tuple[Ledger, ...] = ()
    worlds: tuple[World, ...] = ()
    conflict: Conflict | None = None
    searched: bool = True
    """Whether the search was completed."""


def judge_cards(
    record: Record, header_info: HeaderInfo, seconds: float = 0.0, history: CardHistory | None = None
) -> CardVerdict:
    """Return the verdict on a record's cards, as far as they can be followed. ``header_info`` must have an edition.
    ``history`` is that of the record, if it is known already.

    A record with an irregularity in it, ruled or not, is POSSIBLE without a proof: its cards need not add up. So is a
    record whose search runs out of budget.
    """
    try:
        return _weigh(record, header_info, Budget(end=end_after(seconds)), history)
    except BudgetSpent:
        return CardVerdict(POSSIBLE, record, searched=False)


def _explained(side_ledgers: Sequence[Ledger], budget: Budget) -> tuple[World, ...] | None:
    """Return an explanation of each ledger; None if any of them has none."""
    worlds: list[World] = []
    for deck in side_ledgers:
        if (world := explain(deck, budget)) is None:
            return None
        worlds.append(world)
    return tuple(worlds)


def is_explained(record: Record, header_info: HeaderInfo, before: CardHistory | None = None) -> bool:
    """Return whether some cards explain a record as far as it can be followed. This takes far less time than
    :func:`judge_cards`.

    An irregularity in it gets the benefit of the doubt, and only what comes before a vote without cards is examined.
    ``before`` is the story without the last word, if that word is legal and not a vote; the game is not replayed then.
    """
    history, budget = (before and continued(before, record)) or history_of(record, header_info), Budget()
    try:
        return history is None or history.faulty or _explained(ledgers(history), budget) is not None
    except BudgetSpent:
        return True


def explained_columns(history: CardHistory | None, group: int) -> tuple[set[t.Cards], set[t.Cards]] | None:
    """Return the columns of Rome and of Egypt that can lie at a group, high to low; None if that is unknown."""
    budget = Budget()
    if history is None or history.faulty:
        return None
    try:
        return set(_columns(history, ROME, group, budget)), set(_columns(history, EGYPT, group, budget))
    except BudgetSpent:
        return None


def _weigh(record: Record, header_info: HeaderInfo, budget: Budget, history: CardHistory | None) -> CardVerdict:
    budget.spend(WAY_STEPS)
    history = history or history_of(record, header_info)
    if history is None or history.faulty:
        return CardVerdict(POSSIBLE, record)
    side_ledgers, searched = ledgers(history), True
    if (worlds := _explained(side_ledgers, budget)) is None:
        return CardVerdict(IMPOSSIBLE, record, conflict=_conflict(history, budget))
    if history.unseen is not None:
        try:
            opinion = _with_vote(record, header_info, history, history.unseen, budget)
            if opinion.kind != IMPOSSIBLE:
                return opinion
            conflict = _vote_conflict(record, opinion.record, header_info, history.unseen, budget)
            return CardVerdict(IMPOSSIBLE, record, conflict=conflict)
        except BudgetSpent:
            searched = False
    return CardVerdict(_kind(history, worlds), record, tuple(side_ledgers), worlds, searched=searched)


def _weigh_trial(record: Record, header_info: HeaderInfo, budget: Budget) -> CardVerdict:
    """Return the verdict on a record in which a vote was filled in as a trial: any fault then refutes it."""
    budget.spend(WAY_STEPS)
    history = history_of(record, header_info)
    if history is None or history.ruled:
        return CardVerdict(POSSIBLE, record)
    if history.faulty:
        return CardVerdict(IMPOSSIBLE, record)
    side_ledgers = ledgers(history)
    if (worlds := _explained(side_ledgers, budget)) is None:
        return CardVerdict(IMPOSSIBLE, record)
    if history.unseen is not None:
        return _with_vote(record, header_info, history, history.unseen, budget)
    if _refutes_result(record, header_info, history.run):
        return CardVerdict(IMPOSSIBLE, record)
    return CardVerdict(_kind(history, worlds), record, tuple(side_ledgers), worlds)


def _kind(history: CardHistory, worlds: Sequence[World]) -> str:
    """Return whether the cards of an explained story are certain."""
    return POSSIBLE if history.run.stopped or any(world.needed for world in worlds) else CERTAIN


def _refutes_result(record: Record, header_info: HeaderInfo, run: Run) -> bool:
    """Return whether anything in a record's result is wrong, once its missing votes are filled in."""
    counted = final_score(record, run)
    faults = result_faults(record, header_info, run, counted, outcome(record, header_info, run, counted))
    return any(CODES[code].severity == ERROR for code, _ in faults)


def _with_vote(
    record: Record, header_info: HeaderInfo, history: CardHistory, vote: UnseenVote, budget: Budget
) -> CardVerdict:
    """Return the verdict with the missing cards of a vote filled in, trying all possibilities in turn.

    If none of them is possible, its record is the last one that was tried.
    """
    place, at, token = vote
    pardoned = is_ruled(_WRONG_WINNER, combined_ruling(record.turns[place]))
    last = CardVerdict(IMPOSSIBLE, record)
    romes = _columns(history, ROME, token.group, budget, token.rome or ())
    egypts = _columns(history, EGYPT, token.group, budget, token.egypt or ())
    for rome, egypt in _pairs(romes, egypts):
        winner = resolve(rome, egypt, history.edition).winner
        if token.winner not in (None, winner):
            if not pardoned:
                continue
            winner = token.winner
        shown = replace(token, rome=rome, egypt=egypt, winner=winner)
        turn = record.turns[place]
        filled = replace(turn, tokens=(*turn.tokens[:at], shown, *turn.tokens[at + 1 :]))
        turns = (*record.turns[:place], filled, *record.turns[place + 1 :])
        last = _weigh_trial(replace(record, turns=turns), header_info, budget)
        if last.kind != IMPOSSIBLE:
            break
    return last


def _vote_conflict(
    record: Record, tried: Record, header_info: HeaderInfo, vote: UnseenVote, budget: Budget
) -> Conflict:
    """Return the conflict of a vote that no cards explain; ``tried`` is the last record that was tried."""
    place, at, token = vote
    clashes = {clash.spot: clash for clash in _conflicting_tokens(record, tried, header_info, budget)}
    clashes[place, at] = ConflictingToken((place, at), ())
    tokens = tuple([clash for _, clash in sorted(clashes.items())])
    return Conflict(ROME, tokens, group=token.group, by_result=tried is not record and len(tokens) == 1)


def _pairs(rome: Iterator[t.Cards], egypt: Iterator[t.Cards]) -> Iterator[tuple[t.Cards, t.Cards]]:
    """Yield each column of one side with each column of the other, beginning with those that come early in both."""
    columns: tuple[list[t.Cards], list[t.Cards]] = [], []
    for one, other in zip_longest(rome, egypt):
        if one is not None:
            columns[ROME].append(one)
            yield from ((one, column) for column in columns[EGYPT])
        if other is not None:
            columns[EGYPT].append(other)
            yield from ((column, other) for column in columns[ROME])


def _conflicting_tokens(
    record: Record, refuted: Record, header_info: HeaderInfo, budget: Budget
) -> Iterator[ConflictingToken]:
    """Yield the tokens that clash once votes are filled in, or the first one that then breaks the rules."""
    history = history_of(refuted, header_info)
    if history is not None and history.fault is not None:
        yield ConflictingToken(history.fault, ())
        return
    if history is None or history.faulty or _explained(ledgers(history), budget) is not None:
        return
    for clash in _conflict(history, budget).tokens:
        turn, at = clash.spot
        written = record.turns[turn].tokens[at] == refuted.turns[turn].tokens[at]
        yield clash if written else ConflictingToken(clash.spot, ())


def _columns(history: CardHistory, owner: int, group: int, budget: Budget, shown: t.Cards = ()) -> Iterator[t.Cards]:
    """Yield the columns that can lie at a group, high to low, so that the rest of that player's cards are explained.

    They are sorted by the number of ways to draw their unknown cards, so a likely one comes first. ``shown`` are the
    cards in them that were written down.
    """
    tracker = CardTracker(history)
    known = known_ranks(tracker.columns[owner][group])
    bag, deck = tracker.see(owner, group), tracker.books[2 * owner]
    left = [max(0, copies - gone) for copies, gone in zip(deck.copies, _gone(deck), strict=True)]

    def ways(cards: tuple[int, ...]) -> int:
        return prod(comb(left[rank], cards.count(rank)) for rank in set(cards))

    for cards in sorted(combinations_with_replacement(range(RANKS), bag.open if bag else 0), key=ways, reverse=True):
        if bag:
            bag.counts, bag.open = counts_of(cards), 0
        column = tuple(sorted((*known, *cards), reverse=True))
        fits = all(card >= SOME_INFLUENCE or column.count(card) >= shown.count(card) for card in shown)
        if fits and explain(deck, budget) is not None:
            yield column


def _gone(deck: Ledger) -> list[int]:
    """Return how many cards of each rank are known to have left the hand."""
    named = counts_of([op.rank for op in deck.ops if isinstance(op, Leave)])
    return [sum(counts) for counts in zip(named, *[bag.counts for bag in deck.bags], strict=True)]


def _conflict(history: CardHistory, budget: Budget) -> Conflict:
    """Return the tokens that clash, as few as can be found by leaving them out one by one within the budget."""
    budget = Budget(end=budget.end, known=budget.known)

    def is_refuted(deck: int, end: int, muted: frozenset[TokenSpot] = frozenset()) -> bool:
        """Return whether nothing explains a ledger up to a moment; keeping it is a step of its own."""
        budget.spend(LEDGER_STEPS)
        return explain(ledgers(history, end, muted)[deck], budget) is None

    def end_of(deck: int) -> int:
        """Return the number of moments after which nothing explains the ledger."""
        low, high = 0, len(history.moments)
        with suppress(BudgetSpent):
            while low < high:
                middle = (low + high) // 2
                if is_refuted(deck, middle):
                    high = middle
                else:
                    low = middle + 1
        return high

    def fewest(order: list[TokenSpot]) -> frozenset[TokenSpot]:
        """Return the tokens that remain when no more can be dropped; those at the front are dropped first."""
        kept, size = order, max(2, len(order))
        with suppress(BudgetSpent):
            while size > 1:
                size, place = size // 2, 0
                while place < len(kept):
                    fewer = kept[:place] + kept[place + size :]
                    if is_refuted(deck, end, frozenset(order).difference(fewer)):
                        kept = fewer
                    else:
                        place += size
        return frozenset(kept)

    def least(order: list[TokenSpot]) -> frozenset[TokenSpot]:
        """Return the shorter of two lists from which nothing can be left out."""
        return min(map(fewest, (order, order[::-1])), key=len)

    ends = {deck: end_of(deck) for deck, ledger in enumerate(ledgers(history)) if explain(ledger, budget) is None}
    deck, end = min(ends.items(), key=itemgetter(1))
    every = sorted({moment.spot for moment in (*history.opening, *history.moments[:end])})
    clashing = least(sorted({where.spot for where, counts in _seen(ledgers(history, end)[deck]) if any(counts)}))
    with suppress(BudgetSpent):
        if not is_refuted(deck, end, frozenset(every) - clashing):
            # A token that added nothing, such as the second of two votes over the same cards, adds something without
            # the first.
            clashing = least(every)
    return _named(history, ledgers(history, end, frozenset(every) - clashing)[deck], sorted(clashing))


def _seen(ledger: Ledger) -> list[tuple[CardPlace, Sequence[int]]]:
    """Return where a ledger's cards were named, and how many of each rank."""
    ops = [(op.card_place, op.counts if isinstance(op, Look) else counts_of([op.rank])) for op in ledger.ops]
    return [*ops, *[(bag.card_place, bag.counts) for bag in ledger.bags]]


def _named(history: CardHistory, ledger: Ledger, spots: Sequence[TokenSpot]) -> Conflict:
    """Return the conflict, with the card that would be needed too often if that is the reason."""
    clashes = tuple(ConflictingToken(spot, tuple(cards)) for spot, cards in _cards_at(history, ledger, spots).items())
    drawn, gone = counts_of([op.rank for op in ledger.ops if isinstance(op, Arrive)]), _gone(ledger)
    for rank, (count, copies) in enumerate(zip(map(max, drawn, gone), ledger.copies, strict=True)):
        if count > copies:
            return Conflict(ledger.side, clashes, rank + ledger.first, count, copies)
    return Conflict(ledger.side, clashes)


def _cards_at(history: CardHistory, ledger: Ledger, spots: Sequence[TokenSpot]) -> dict[TokenSpot, list[int]]:
    """Return the cards of a ledger that tokens name."""
    here: dict[TokenSpot, list[int]] = {spot: [] for spot in spots}
    for where, counts in _seen(ledger):
        if where.spot in here:
            here[where.spot] += [rank + ledger.first for rank in one_by_one(counts)]
    for moment in () if ledger.is_action_deck else history.moments:
        # A vote may have shown only cards that were already known.
        if isinstance(vote := moment.token, t.AnyVote) and not here.get(moment.spot, True):
            here[moment.spot] += (vote.rome, vote.egypt)[ledger.side] or ()
    return here


def conflict_fault(conflict: Conflict, record: Record) -> Fault:
    """Return the conflict as a fault of the registry: ``problem`` is a sentence."""
    return Fault("C913", {"problem": _problem(conflict, record)})


def conflict_labels(conflict: Conflict, record: Record) -> list[tuple[TokenSpot, str]]:
    """Return what to say at each of a conflict's tokens except the last, which gets the sentence itself."""
    labels, owner = [], PLAYERS[conflict.side]
    for clash in conflict.tokens[:-1]:
        turn = record.turns[clash.spot[0]].label
        if conflict.group is not None:
            said = phrase("what was shown here is not recorded, {turn}", turn=turn)
        elif conflict.card is None and _is_view(clash, record):
            said = phrase("{owner.of} hand, seen here, {turn}", owner=owner, turn=turn)
        else:
            cards = _cards(tuple(card for card in clash.cards if conflict.card in (None, card)))
            said = phrase("{cards} of {owner.of}, {turn}", cards=cards, owner=owner, turn=turn)
        labels.append((clash.spot, said))
    return labels


def _cards(cards: t.Cards) -> str:
    return named(cards) if cards else phrase("some card")


def _is_view(clash: ConflictingToken, record: Record) -> bool:
    token = record.turns[clash.spot[0]].tokens[clash.spot[1]]
    return isinstance(token, t.Spy) and token.hand is not None


_PROBLEMS: Final[Messages] = {
    "followed": "whatever was shown at {group.the}, this can't have followed",
    "claimed": "no cards that can lie at {group.the} allow the result that the record gives",
    "judged": "no cards that can lie at {group.the} explain the result of this vote",
    "hand": "this can't have been {owner.of} hand",
    "hand beside": "given the marked cards, this can't have been {owner.of} hand",
    "had": "{owner.name} can't have had {cards} here, whatever was drawn",
    "had beside": "given the marked cards, {owner.name} can't have had {cards} here",
    "copies": "these are {cards} of {owner.of}; {there}",
    "copies beside": "together these are {cards} of {owner.of}; {there}",
    "copies began": "together these, with {number} that {owner.name} began with, are {cards} of {owner.of}; {there}",
}
"""What is wrong, and whether earlier cards are part of it → how it is told."""


def _problem(conflict: Conflict, record: Record) -> str:
    last, beside = conflict.tokens[-1], " beside" * (len(conflict.tokens) > 1)
    fields: dict[str, object] = {"owner": PLAYERS[conflict.side]}
    if conflict.group is not None:
        problem = "followed" if beside else "claimed" if conflict.by_result else "judged"
        return phrase(_PROBLEMS[problem], group=GROUPS[conflict.group])
    if conflict.card is None:
        problem = "hand" if _is_view(last, record) else "had"
        return phrase(_PROBLEMS[problem + beside], cards=_cards(last.cards), **fields)
    copies, cards = conflict.copies, several(conflict.card, conflict.named)
    there = plural("there is only {number}", "there are only {number}", copies, number=count_word(copies))
    began = conflict.named - sum(clash.cards.count(conflict.card) for clash in conflict.tokens)
    problem = "copies began" if began > 0 else f"copies{beside}"
    return phrase(_PROBLEMS[problem], cards=cards, there=there, number=count_word(began), **fields)
