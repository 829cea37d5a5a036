"""The words that are shown as a clash can't all be true, and none of them could be left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
import tironian
from blocks import compose
from left_out_views import broken_off, read
from scale import scaled
from slip_models import with_token
from test_conformance import CASES, HIDDEN
from test_worlds import disturbed, spots
from tironian import EDITION_NAMES, Game, Record, check, load_edition, parse, simulate, write
from tironian import tokens as t
from tironian.replay.engine.headers import read_headers
from tironian.replay.knowledge.explanation import explain
from tironian.replay.knowledge.ledger import history_of, ledgers
from tironian.replay.knowledge.verdict import IMPOSSIBLE, Conflict, judge_cards

CHUNKS = 4
GAMES = scaled(8, 400)
CLASHES = [
    record
    for case in CASES
    if case.path.name == HIDDEN
    for block in case.blocks
    if any("[C913]" in line for line in block.lines)
    for record in (parse("\n".join(compose(block, case.edition)[0]))[0].record,)
]


def conflict_of(record: Record) -> Conflict | None:
    return judge_cards(record, read_headers(record)).conflict


def is_explained(record: Record, side: int, believed: set[tuple[int, int]]) -> bool:
    """Whether cards of a side explain a record of which the cards in those tokens only are believed."""
    told = history_of(record, read_headers(record))
    assert told is not None
    every = {(place, at) for place, turn in enumerate(record.turns) for at, _ in enumerate(turn.tokens)}
    books = ledgers(told, None, frozenset(every - believed))
    return all(explain(book) is not None for book in books if book.side == side)


def is_irreducible(record: Record, conflict: Conflict) -> bool:
    shown = {clash.spot for clash in conflict.tokens}
    assert not is_explained(record, conflict.side, shown), write(record)
    return all(is_explained(record, conflict.side, shown - {spot}) for spot in shown)


def test_no_word_of_a_clash_could_be_left_out():
    met: Counter[int] = Counter()
    for record in CLASHES:
        conflict = conflict_of(record)
        assert conflict is not None, write(record)
        if conflict.group is None:
            assert is_irreducible(record, conflict), write(record)
            met[len(conflict.tokens)] += 1
    assert met.total() >= 8
    assert len(met) > 1


def lied(record: Record, rng: Random) -> Record:
    """The record with another card among those that a vote, a scout or a spy showed, or that were laid openly."""
    seen = [
        (place, at)
        for place, turn in enumerate(record.turns)
        for at, token in enumerate(turn.tokens)
        if isinstance(token, t.AnyVote) and token.rome and token.egypt
    ]
    if not seen or rng.random() < 0.3:
        return disturbed(record, [spot for spot in spots(record) if spot[0] < 2], rng)
    place, at = rng.choice(seen)
    token = record.turns[place].tokens[at]
    assert isinstance(token, t.AnyVote)
    assert token.rome
    cards = [*token.rome]
    cards[rng.randrange(len(cards))] = rng.randrange(6)
    token = replace(token, rome=tuple(sorted(cards, reverse=True)), winner=None)
    return with_token(record, place, at, token)


def lying_game(name: str, chunk: int, number: int) -> Game:
    rng = Random(f"{name} {chunk} {number}")
    record = lied(tironian.view(read(simulate(load_edition(name), rng.randrange(10_000))), "table").record, rng)
    return read(broken_off(record, rng.randrange(8, 30)))


@pytest.mark.parametrize("case", [("2024", 2, 43), ("1997", 1, 98), ("fr", 2, 155), ("taylor", 0, 348)])
def test_cards_that_were_seen_twice_clash_where_they_were_seen_last(case: tuple[str, int, int]):
    """The second look tells nothing new; without the first it does, and so one of the two belongs to the list."""
    game = lying_game(*case)
    conflict = conflict_of(game.record)
    assert conflict is not None
    assert is_irreducible(game.record, conflict)
    assert all(clash.cards for clash in conflict.tokens)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_no_word_of_any_clash_could_be_left_out(name: str, chunk: int):
    met = 0
    for number in range(GAMES):
        game = lying_game(name, chunk, number)
        conflict = conflict_of(game.record)
        if conflict is None or conflict.group is not None:
            continue
        met += 1
        assert is_irreducible(game.record, conflict), write(game.record)
        assert [each.code for each in check(game).diagnostics if each.severity == "error"] == ["C913"]
    assert met or GAMES < 100


def test_nothing_is_accused_where_nothing_clashes():
    for case in (case for case in CASES if case.path.name == HIDDEN):
        for block in case.blocks:
            record = parse("\n".join(compose(block, case.edition)[0]))[0].record
            clashes = judge_cards(record, read_headers(record)).kind == IMPOSSIBLE
            assert clashes is any("[C913]" in line for line in block.lines), f"{case.path}:{block.line}"
