"""Whether any cards explain a record: against plain enumeration of all cards that can have been there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from scale import scaled
from slip_models import with_token
from tironian import EDITION_NAMES, Record, Result, Turn, check, load_edition, parse, simulate, write
from tironian import tokens as t
from tironian.notation.cards import SOME_ACTION, SOME_INFLUENCE, high_to_low
from tironian.replay.diagnostics.registry import LEGAL
from tironian.replay.engine.headers import read_headers
from tironian.replay.knowledge.verdict import IMPOSSIBLE, judge_cards
from tironian.replay.knowledge.witness import witness_of

GAMES = scaled(6, 400)
CHUNKS = 4
INFLUENCE, ACTION = range(6), range(6, 12)

Spot = tuple[int, int, int]
"""Turn, token, and card in it."""


def cards_of(token: t.Token) -> t.Cards:
    """The cards of a token that may be unknown to somebody."""
    match token:
        case t.Place():
            return (token.card,)
        case t.Draw():
            return token.cards
        case t.Castle() if token.cards_first is not None and token.cards_second is not None:
            return token.cards_first + token.cards_second
        case t.Veto() | t.Spy() if token.draw is not None:
            return (token.draw,)
        case _:
            return ()


def with_card(record: Record, spot: Spot, card: int) -> Record:
    """The record with another card there."""
    place, at, number = spot
    token = record.turns[place].tokens[at]
    cards = [*cards_of(token)]
    cards[number] = card
    if isinstance(token, t.Place):
        token = replace(token, card=card)
    elif isinstance(token, t.Castle):
        size = len(token.cards_first or ())
        token = replace(token, cards_first=tuple(cards[:size]), cards_second=tuple(cards[size:]))
    elif isinstance(token, t.Draw):
        token = t.Draw(tuple(cards))
    else:
        assert isinstance(token, t.Veto | t.Spy)
        token = replace(token, draw=card)
    return with_token(record, place, at, token)


def spots(record: Record) -> list[Spot]:
    return [
        (place, at, number)
        for place, turn in enumerate(record.turns)
        for at, token in enumerate(turn.tokens)
        for number, _ in enumerate(cards_of(token))
    ]


def card_at(record: Record, spot: Spot) -> int:
    place, at, number = spot
    return cards_of(record.turns[place].tokens[at])[number]


def is_legal(record: Record) -> bool:
    """Whether it is without any error, as a record of which every card is known."""
    (game,) = parse(write(record))
    return not any(each.severity == "error" for each in check(game).diagnostics)


def fillings(record: Record, unknown: list[Spot]) -> Iterator[Record]:
    """The record with every card in every unknown place."""
    kinds = [INFLUENCE if card_at(record, spot) == SOME_INFLUENCE else ACTION for spot in unknown]
    for cards in product(*kinds):
        filled = record
        for spot, card in zip(unknown, cards, strict=True):
            filled = with_card(filled, spot, card)
        yield filled


def small(record: Record, rng: Random) -> Record:
    """The first turns of a game."""
    turns: tuple[Turn, ...] = record.turns[: rng.randint(6, 16)]
    headers = tuple(each for each in record.headers if each[0] != "Result")
    return replace(record, headers=(*headers, ("Result", "*"), ("View", "table")), turns=turns, result=Result())


def unknown_cards(record: Record, rng: Random) -> tuple[Record, list[Spot]]:
    """The record with up to three cards forgotten that need not lie open."""
    hidden = [
        spot
        for spot in spots(record)
        if not isinstance(token := record.turns[spot[0]].tokens[spot[1]], t.Place) or token.hidden
    ]
    unknown = rng.sample(hidden, min(len(hidden), rng.randint(1, 3)))
    for spot in unknown:
        record = with_card(record, spot, SOME_INFLUENCE if card_at(record, spot) <= 5 else SOME_ACTION)
    return record, unknown


def disturbed(record: Record, unknown: list[Spot], rng: Random) -> Record:
    """The record with a known card that is another one of its kind."""
    spot = rng.choice([each for each in spots(record) if each not in unknown])
    card = card_at(record, spot)
    return with_card(record, spot, rng.choice([each for each in (INFLUENCE if card <= 5 else ACTION) if each != card]))


def drowsy(token: t.Token, rng: Random) -> t.Token:
    """A token from which some of what everybody could see was left out: all cards, or a few of them."""
    if rng.random() < 0.6 or not isinstance(token, t.AnyVote | t.Scout):
        return token
    if rng.random() < 0.5:
        return t.Scout(token.group) if isinstance(token, t.Scout) else replace(token, rome=None, egypt=None)

    def partly(cards: t.Cards | None) -> t.Cards | None:
        return cards and high_to_low([card if rng.random() < 0.5 else SOME_INFLUENCE for card in cards])

    if isinstance(token, t.Scout):
        return replace(token, seen=partly(token.seen))
    return replace(token, rome=partly(token.rome), egypt=partly(token.egypt))


def sleepy(record: Record, rng: Random) -> Record:
    """The record as somebody kept it who missed a few things; announced actions say no more than before."""
    turns = []
    for turn in record.turns:
        vetoed = any(isinstance(token, t.Veto) for token in turn.tokens)
        turns.append(turn if vetoed else replace(turn, tokens=tuple(drowsy(token, rng) for token in turn.tokens)))
    return replace(record, turns=tuple(turns))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_verdict_is_that_of_plain_enumeration(name: str, chunk: int):
    edition = load_edition(name)
    met: Counter[bool] = Counter()
    for number in range(GAMES):
        rng = Random(f"{name} {chunk} {number}")
        record, unknown = unknown_cards(small(simulate(edition, rng.randrange(10_000)), rng), rng)
        if number % 3:
            record = disturbed(record, unknown, rng)
        if number % 2:
            record = sleepy(record, rng)
        expected = any(is_legal(filled) for filled in fillings(record, unknown))
        (game,) = parse(write(record))
        accused = any(each.severity == "error" for each in check(game).diagnostics)
        accused = accused or judge_cards(game.record, read_headers(game.record)).kind == IMPOSSIBLE
        assert accused is not expected, write(record)
        if expected:
            found = witness_of(game.record)
            assert found is not None
            assert check(parse(write(found))[0]).verdict == LEGAL, write(record)
        met[expected] += 1
    assert met[True]
    assert met[False]
