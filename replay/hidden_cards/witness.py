"""The witness: one complete record that explains a log, every card in it named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import assert_never

from ...notation import tokens as t
from ...notation.cards import EGYPT, PLAYER_NAMES, ROME, SOME_INFLUENCE
from ...notation.record import Record, Result, Turn
from ...notation.signature import unsigned
from ..editions.edition import Edition, missions_of
from ..engine.headers import Frame, read_headers
from ..engine.play import apply
from ..engine.rulings import is_taken_back
from ..engine.run import run_record
from ..engine.shown import shown
from ..rules.layout import KEPT, UNCHOSEN
from ..rules.mechanics import Impossible, Unknowable
from ..rules.scoring import score
from ..rules.state import State
from .ledger import UNKNOWN, Arrive, CardBag, Leave, Ledger, Mix, Where
from .verdict import IMPOSSIBLE, Opinion, weigh
from .worlds import World

Named = dict[tuple[type, Where], int]
"""Draws, cards that left the hand or were laid down, and victims, by their places in the record → which card it was."""


def witness(opinion: Opinion, frame: Frame) -> Record | None:
    """A complete record that explains the one of which the opinion is; None where nothing does, or nobody can say.

    It has no ``View``, as an arbiter's record has none, and nobody has signed it. Where the cards could be followed
    only a part of the way, it ends there.
    """
    if opinion.kind == IMPOSSIBLE or not opinion.worlds or frame.edition is None:
        return None
    named: Named = {}
    for book, world in zip(opinion.books, opinion.worlds, strict=True):
        for op, label in zip(book.ops, world.labels, strict=True):
            if isinstance(op, Arrive | Leave) and label != UNKNOWN:
                named[op.__class__, op.where] = label + book.first
        for entry, label in _laid(book, world):
            named[Mix, entry] = label
        for bag, found in zip(book.bags, world.bags, strict=True):
            if len(found) == 1:
                named[CardBag, bag.where] = world.labels[found[0]] + book.first
    record = opinion.record
    turns = tuple(
        replace(turn, tokens=tuple(_known(token, Where(place, at), named) for at, token in enumerate(turn.tokens)))
        for place, turn in enumerate(record.turns)
    )
    headers = tuple(header for header in unsigned(record.headers) if header[0].lower() != "view")
    whole = _with_what_was_seen(replace(record, headers=headers, turns=turns), frame)
    return _with_missions(whole, frame, frame.edition)


def witness_of(record: Record, rules: str = "") -> Record | None:
    """The same for a record, with the rule set of its headers or that of ``rules``."""
    frame = read_headers(record, rules)
    return witness(weigh(record, frame), frame) if frame.edition is not None else None


def _with_what_was_seen(record: Record, frame: Frame) -> Record:
    """A legal record of which all cards are known, with every word in full that shows only some of the cards it saw.

    What was left out altogether stays so: it is derived.
    """
    state = run_record(replace(record, turns=tuple([turn for turn in record.turns if not turn.number])), frame).state
    assert state is not None
    turns = list(record.turns)
    try:
        for place, turn in enumerate(turns):
            if turn.number and not is_taken_back(turn):
                turns[place] = replace(turn, tokens=_played(state, turn.tokens))
    except (Impossible, Unknowable):
        pass  # broken off, or it leaves out cards on which everything that follows depends
    return replace(record, turns=tuple(turns))


def _played(state: State, tokens: tuple[t.Token, ...]) -> tuple[t.Token, ...]:
    """The tokens of a turn, which is carried out."""
    whole: list[t.Token] = []
    for token, following in zip(tokens, (*tokens[1:], None), strict=False):
        vetoed = isinstance(following, t.Veto)
        whole.append(token if vetoed else shown(state, token, left_out=False))
        apply(state, whole[-1], vetoed)
    apply(state, None)
    return tuple(whole)


# ---------------------------------------------------------------------------------------------- the cards of a token


def _known(token: t.Token, where: Where, named: Named) -> t.Token:
    """A token with its unknown cards named."""
    match token:
        case t.Place():
            return replace(token, card=named.get((Leave, where), token.card))
        case t.Castle():
            first, second = token.cards_first, token.cards_second
            if first is None or second is None:
                return token
            laid = _each((*first, *second), Mix, where, named)
            return replace(token, cards_first=laid[: len(first)], cards_second=laid[len(first) :])
        case t.Assassinate():
            unknown = token.card in (None, SOME_INFLUENCE)
            return replace(token, card=named.get((CardBag, where), token.card)) if unknown else token
        case t.Spy():
            unknown = token.card is not None and token.card >= SOME_INFLUENCE
            card = named.get((CardBag, where), token.card) if unknown else token.card
            return replace(token, card=card, draw=_replaced(token.draw, where, named))
        case t.Veto():
            return replace(token, draw=_replaced(token.draw, where, named))
        case t.Draw() | t.Hand() | t.Spent():
            return token.__class__(_each(token.cards, Arrive, where, named))
        case t.Discard():
            return t.Discard(_each(token.cards, Leave, where, named))
        case t.Scout() | t.Wrath() | t.Vote() | t.SpecialVote() | t.NoVote() | t.PutAway() | t.ChooseMission():
            return token
        case t.Missions() | t.ActionOrder() | t.Gained() | t.Bag() | t.Unread():
            return token
        case _:
            assert_never(token)


def _each(cards: t.Cards, kind: type, where: Where, named: Named) -> t.Cards:
    return tuple(
        card if card < SOME_INFLUENCE else named.get((kind, where._replace(card=place)), card)
        for place, card in enumerate(cards)
    )


def _replaced(card: int | None, where: Where, named: Named) -> int | None:
    """The card that was drawn after a spy or a veto, if one was."""
    return None if card is None else _each((card,), Arrive, where, named)[0]


def _laid(book: Ledger, world: World) -> Iterator[tuple[Where, int]]:
    """Where each card that was laid down without a name lies, and which it is.

    Each card that was lifted gets a place from which it can come to where it was seen at last.
    """
    lies = {place: bag for bag, found in enumerate(world.bags) for place in found}
    reach = {id(entry): {number} for number, bag in enumerate(book.bags) for entry in bag.entries}
    for mix in reversed(book.mixes):
        beyond = {bag for entry in mix.laid for bag in reach.get(id(entry), ())}
        for entry, _ in mix.lifted:
            reach.setdefault(id(entry), set()).update(beyond)
    now: dict[int, int] = {}
    for mix in book.mixes:
        cards = [now[id(entry)] if place == UNKNOWN else place for entry, place in mix.lifted]
        choices = [
            [number for number, entry in enumerate(mix.laid) if lies[card] in reach[id(entry)]] for card in cards
        ]
        for card, number in zip(cards, _matched(choices), strict=True):
            entry = mix.laid[number]
            now[id(entry)] = card
            yield entry.where, world.labels[card]


def _matched(choices: Sequence[Sequence[int]]) -> list[int]:
    """One of its choices for everybody, no two the same: augmenting paths. There is always a way for a found world."""
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
    chosen = {who: choice for choice, who in owner.items()}
    return [chosen[who] for who in range(len(choices))]


# --------------------------------------------------------------------------------------------------- missions


Way = tuple[tuple[t.Mission, ...], int | None]
"""The missions of a side, and which of them it kept."""


def _with_missions(record: Record, frame: Frame, edition: Edition) -> Record:
    """The record with missions that nobody wrote down, and choices between them, such that its result comes out."""
    state = run_record(record, frame).state
    if state is None:
        return record
    ways = [_ways(state, side, record.result or Result(), edition) for side in (ROME, EGYPT)]
    dealt = [cards.missions for cards in state.sides]
    chosen = next((each for each in product(*ways) if _are_there(each, dealt, edition)), [each[0] for each in ways])
    for side, way in enumerate(chosen):
        _choose(state, side, way)
    return replace(record, turns=tuple(replace(turn, tokens=_told(turn, state)) for turn in record.turns))


def _ways(state: State, side: int, result: Result, edition: Edition) -> list[Way]:
    """Return the ways to name a side's missions that explain its points, of the likeliest missions that do.

    Where none does (the cards could not be followed to the end), all ways come back.
    """
    cards = state.sides[side]
    before = cards.missions, cards.kept
    if cards.kept != 0 and not any(each.kind == "unknown" for each in cards.missions):
        return [before]
    found: list[Way] = []
    others = state.sides[1 - side].missions
    for pool in _pools(edition, side):
        left = [each for each in pool if others.count(each) < (edition.mission_copies or 1)]
        found = [*_named(*before, left)]
        fitting: list[Way] = []
        for way in found:
            _choose(state, side, way)
            if _fits(state, side, result, edition):
                fitting.append(way)
        _choose(state, side, before)
        if fitting:
            return fitting
    return found


def _choose(state: State, side: int, way: Way) -> None:
    missions, kept = way
    state.missions = (missions, state.missions[1]) if side == ROME else (state.missions[0], missions)
    state.cells[KEPT + side] = UNCHOSEN if kept is None else kept


def _fits(state: State, side: int, result: Result, edition: Edition) -> bool:
    """Whether a side's missions explain its points and the verdicts on them."""
    counted = score(state, result.verdicts, state.penalties).sides[side]
    signs = dict(result.verdicts).get(side, ())
    if any(said != met for said, met in zip(signs, counted.missions, strict=False)):
        return False
    return result.points is None or result.points[side] in counted.possible_points(edition.mission_points)


def _pools(edition: Edition, side: int) -> Iterator[list[t.Mission]]:
    """What an unknown mission may be: a printed or a likely one; any that can be written; one in free words (A5)."""
    pool = [*dict.fromkeys(missions_of(edition))]
    yield pool
    if not edition.mission_groups:
        pool += [t.Mission("majorities", count=count) for count in range(1, len(edition.groups) + 1)]
        pool += [t.Mission("patricians", count=count) for count in range(1, sum(edition.groups.values()) + 1)]
        yield [*dict.fromkeys(pool)]
        yield [*pool, t.Mission("text", text=f"whatever {PLAYER_NAMES[side]}'s points say")]


def _named(dealt: tuple[t.Mission, ...], kept: int | None, pool: Sequence[t.Mission]) -> Iterator[Way]:
    """Every way to name the unknown ones of the missions dealt, each unlike the others, and to have kept one."""
    for missions in product(*([each] if each.kind != "unknown" else pool for each in dealt)):
        if all(missions.count(each) == 1 for each in _new(missions, dealt)):
            for choice in range(1, len(missions) + 1) if kept == 0 else (kept,):
                yield missions, choice


def _new(missions: Sequence[t.Mission], dealt: Sequence[t.Mission]) -> list[t.Mission]:
    """The missions that were unknown when they were dealt."""
    return [each for each, before in zip(missions, dealt, strict=True) if before.kind == "unknown"]


def _are_there(ways: Sequence[Way], dealt: Sequence[tuple[t.Mission, ...]], edition: Edition) -> bool:
    """Whether both sides can have had these missions of one deck."""
    count = Counter(each for missions, _ in ways for each in missions)
    new = [each for (missions, _), before in zip(ways, dealt, strict=True) for each in _new(missions, before)]
    return all(count[each] <= (edition.mission_copies or 1) for each in new)


def _told(turn: Turn, state: State) -> tuple[t.Token, ...]:
    """The tokens of a turn with the missions as the state has them."""
    side = state.sides[turn.side]
    return tuple(
        t.Missions(side.missions)
        if isinstance(token, t.Missions)
        else replace(token, kept=state.sides[token.side].kept or None)
        if isinstance(token, t.ChooseMission)
        else token
        for token in turn.tokens
    )
