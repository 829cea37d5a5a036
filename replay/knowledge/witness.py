"""The witness: one complete record that explains a log, with every card named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from ...notation import tokens as t
from ...notation.cards import EGYPT, PLAYER_NAMES, ROME
from ...notation.fingerprint import unsigned
from ...notation.record import Record, Result, Turn
from ..editions.edition import Edition, missions_of
from ..engine.headers import HeaderInfo, read_headers
from ..engine.play import apply
from ..engine.rulings import is_taken_back
from ..engine.run import run_record
from ..engine.shown import with_shown_cards
from ..rules.layout import KEPT, UNCHOSEN
from ..rules.mechanics import ImpossibleMoveError, MissingCardsError
from ..rules.scoring import score
from ..rules.state import State
from .explanation import World
from .ledger import UNKNOWN, Arrive, CardBag, CardPlace, Leave, Ledger, Mix, TableCard
from .verdict import judge_cards

Named = dict[tuple[type, CardPlace], int]
"""Where a card arrived, left the hand, was laid down or became a victim in the record → the card."""


def witness_of(record: Record, rules: str = "") -> Record | None:
    """Return a complete record that explains another; None if nothing does, or that is unknown.

    The rule set comes from the record's headers, or else from ``rules``. The result has no ``View``, like an arbiter's
    record, and no signature. If the cards could be followed only part of the way, it ends there.
    """
    header_info = read_headers(record, rules)
    if header_info.edition is None:
        return None
    opinion = judge_cards(record, header_info)
    if not opinion.worlds:
        return None
    pairs = zip(opinion.side_ledgers, opinion.worlds, strict=True)
    named = {
        place: rank + deck.first for deck, world in pairs for place, rank in _named(deck, world) if rank != UNKNOWN
    }
    record = opinion.record
    turns = tuple(
        replace(turn, tokens=tuple(_known(token, CardPlace(place, at), named) for at, token in enumerate(turn.tokens)))
        for place, turn in enumerate(record.turns)
    )
    headers = tuple(header for header in unsigned(record.headers) if header[0].lower() != "view")
    whole = _with_what_was_seen(replace(record, headers=headers, turns=turns), header_info)
    return _with_missions(whole, header_info, header_info.edition)


def _with_what_was_seen(record: Record, header_info: HeaderInfo) -> Record:
    """Return a legal record with all cards known, completing every word that showed only some of its cards.

    Words without any cards stay as they are: the cards can be derived.
    """
    state = run_record(
        replace(record, turns=tuple([turn for turn in record.turns if not turn.number])), header_info
    ).state
    assert state is not None
    turns = list(record.turns)
    # It may be broken off, or lack cards that everything after them depends on.
    with suppress(ImpossibleMoveError, MissingCardsError):
        for place, turn in enumerate(turns):
            if turn.number and not is_taken_back(turn):
                turns[place] = replace(turn, tokens=_played(state, turn))
    return replace(record, turns=tuple(turns))


def _played(state: State, turn: Turn) -> tuple[t.Token, ...]:
    """Play a turn; return its tokens, completed."""
    whole: list[t.Token] = []
    for at, token in enumerate(turn.tokens):
        vetoed = turn.is_vetoed(at)
        whole.append(token if vetoed else with_shown_cards(state, token, left_out=False))
        apply(state, whole[-1], vetoed)
    apply(state, None)
    return tuple(whole)


def _named(deck: Ledger, world: World) -> Iterator[tuple[tuple[type, CardPlace], int]]:
    """Yield where each card of the ledger stands in the record, and which card it was."""
    yield from (((op.__class__, op.card_place), rank) for op, rank in zip(deck.ops, world.ranks, strict=True))
    yield from (((Mix, card_place), rank) for card_place, rank in _laid(deck, world))
    for bag, ops in zip(deck.bags, world.bags, strict=True):
        if len(ops) == 1:
            yield (CardBag, bag.card_place), world.ranks[ops[0]]


def _known(token: t.Token, card_place: CardPlace, named: Named) -> t.Token:
    """Return a token with its unknown cards named."""
    match token:
        case t.Castle(cards_first=tuple(first), cards_second=tuple(second)):
            laid = _each((*first, *second), Mix, card_place, named)
            return replace(token, cards_first=laid[: len(first)], cards_second=laid[len(first) :])
        case t.Draw() | t.Hand() | t.Spent():
            return replace(token, cards=_each(token.cards, Arrive, card_place, named))
        case t.Discard():
            return replace(token, cards=_each(token.cards, Leave, card_place, named))
        case _:
            single = [
                name for name, part in t.field_kinds(token.__class__).items() if part.field_type is t.FieldType.CARD
            ]
            cards = {name: named.get(_place(token, name, card_place), getattr(token, name)) for name in single}
            return replace(token, **cards)


def _place(token: t.Token, name: str, card_place: CardPlace) -> tuple[type, CardPlace]:
    """Return where the field of a single card names it: a card that left the hand, became a victim, or was drawn."""
    part = t.field_kinds(token.__class__)[name]
    if part.face_down:
        return Leave, card_place
    return (CardBag, card_place) if part.seen_by is t.Audience.ALL else (Arrive, card_place._replace(card=0))


def _each(cards: t.Cards, kind: type, card_place: CardPlace, named: Named) -> t.Cards:
    return tuple(named.get((kind, place), card) for place, card in card_place.with_places(cards))


def _laid(deck: Ledger, world: World) -> Iterator[tuple[CardPlace, int]]:
    """Yield where each card that was laid down unnamed lies, and which card it is.

    Each lifted card gets a place from which it can reach the place where it was last seen.
    """
    lies = {place: bag for bag, places in enumerate(world.bags) for place in places}
    reach = _reach(deck)
    now: dict[TableCard, int] = {}
    for mix in deck.mixes:
        ops = [now[card] if op == UNKNOWN else op for card, op in mix.lifted]
        choices = [[number for number, card in enumerate(mix.laid) if lies[op] in reach[card]] for op in ops]
        for op, number in zip(ops, _matched(choices), strict=True):
            now[mix.laid[number]] = op
            yield mix.card_place._replace(card=number), world.ranks[op]


def _reach(deck: Ledger) -> dict[TableCard, set[int]]:
    """Return the bags in which each card on the table may have been seen last."""
    reach = {card: {number} for number, bag in enumerate(deck.bags) for card in bag.cards}
    for mix in reversed(deck.mixes):
        beyond = set().union(*[reach.get(card, ()) for card in mix.laid])
        for card, _ in mix.lifted:
            reach.setdefault(card, set()).update(beyond)
    return reach


def _matched(choices: Sequence[Sequence[int]]) -> list[int]:
    """Return a choice for each, no two the same, by augmenting paths. In a world there is always a solution."""
    owner: dict[int, int] = {}

    def settle(who: int, tried: set[int]) -> bool:
        for choice in choices[who]:
            if choice not in tried:
                tried.add(choice)
                if choice not in owner or settle(owner[choice], tried):
                    owner[choice] = who
                    return True
        return False

    for who in range(len(choices)):
        settle(who, set())
    return sorted(owner, key=owner.__getitem__)


Way = tuple[tuple[t.Mission, ...], int | None]
"""A side's missions, and which of them it kept."""


def _with_missions(record: Record, header_info: HeaderInfo, edition: Edition) -> Record:
    """Return the record with unrecorded missions, and the choices between them, filled in so that its result is
    right.
    """
    state = run_record(record, header_info).state
    if state is None:
        return record
    dealt = [cards.missions for cards in state.sides]
    ways = [_ways(state, side, record.result or Result(), edition) for side in (ROME, EGYPT)]
    chosen = next((pair for pair in product(*ways) if _are_there(pair, dealt, edition)), [own[0] for own in ways])
    for side, way in enumerate(chosen):
        _choose(state, side, way)

    def named(token: t.Token, side: int) -> t.Token:
        if isinstance(token, t.Missions):
            return t.Missions(state.sides[side].missions)
        if isinstance(token, t.ChooseMission):
            return replace(token, kept=state.sides[token.side].kept or None)
        return token

    turns = [replace(turn, tokens=tuple([named(token, turn.side) for token in turn.tokens])) for turn in record.turns]
    return replace(record, turns=tuple(turns))


def _ways(state: State, side: int, result: Result, edition: Edition) -> list[Way]:
    """Return the ways to name a side's missions that explain its points, with the likeliest missions that do.

    If none does (the cards could not be followed to the end), return all ways.
    """
    dealt, kept = before = state.sides[side].missions, state.sides[side].kept
    if kept != 0 and not _new(dealt, dealt):
        return [before]
    signs, others, ways = dict(result.verdicts).get(side, ()), state.sides[1 - side].missions, [before]

    def fits(way: Way) -> bool:
        """Return whether a side's missions, named that way, explain its points and the verdicts on them."""
        _choose(state, side, way)
        counted = score(state, result.verdicts, state.penalties).sides[side]
        if any(said != met for said, met in zip(signs, counted.missions, strict=False)):
            return False
        return result.points is None or result.points[side] in counted.possible_points(edition.mission_points)

    for pool in _pools(edition, side):
        left = [mission for mission in pool if others.count(mission) < (edition.mission_copies or 1)]
        # All are different.
        ways = [
            (missions, choice)
            for missions in product(*[left if mission.kind == "unknown" else [mission] for mission in dealt])
            if all(missions.count(mission) == 1 for mission in _new(missions, dealt))
            for choice in (range(1, len(missions) + 1) if kept == 0 else [kept])
        ]
        fitting = [*filter(fits, ways)]
        _choose(state, side, before)
        if fitting:
            return fitting
    return ways


def _choose(state: State, side: int, way: Way) -> None:
    missions, kept = way
    state.missions = (missions, state.missions[1]) if side == ROME else (state.missions[0], missions)
    state.cells[KEPT + side] = UNCHOSEN if kept is None else kept


def _pools(edition: Edition, side: int) -> Iterator[list[t.Mission]]:
    """Yield what an unknown mission may be: a printed or likely one; any that the notation can write; free words
    (A5).
    """
    pool = [*dict.fromkeys(missions_of(edition))]
    yield pool
    if not edition.mission_groups:
        pool += [t.Mission("majorities", count=count) for count in range(1, len(edition.groups) + 1)]
        pool += [t.Mission("patricians", count=count) for count in range(1, sum(edition.groups.values()) + 1)]
        yield [*dict.fromkeys(pool)]
        yield [*pool, t.Mission("text", text=f"whatever {PLAYER_NAMES[side]}'s points say")]


def _new(missions: Sequence[t.Mission], dealt: Sequence[t.Mission]) -> list[t.Mission]:
    """Return the missions that were unknown when they were dealt."""
    return [mission for mission, before in zip(missions, dealt, strict=True) if before.kind == "unknown"]


def _are_there(ways: Sequence[Way], dealt: Sequence[tuple[t.Mission, ...]], edition: Edition) -> bool:
    """Return whether both sides can have had these missions from one deck."""
    every = [mission for missions, _ in ways for mission in missions]
    new = [mission for (missions, _), before in zip(ways, dealt, strict=True) for mission in _new(missions, before)]
    return all(every.count(mission) <= (edition.mission_copies or 1) for mission in new)
