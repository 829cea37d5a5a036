"""What holds for every simulated game: it is legal, nothing is lost on any way, and no card comes or goes."""

from __future__ import annotations

import pytest
from scale import scaled
from tironian import (
    EDITION_NAMES,
    Edition,
    Game,
    State,
    check,
    from_json,
    load_edition,
    parse,
    replay_game,
    simulate,
    to_json,
    write,
)

CHUNKS = 8
"""Each rule set's games in so many tests, so that several processes share them."""


def games(name: str, chunk: int, small: int, full: int) -> list[Game]:
    edition = load_edition(name)
    count = scaled(small, full) // CHUNKS
    return [parse(write(simulate(edition, seed)))[0] for seed in range(chunk * count, (chunk + 1) * count)]


chunks = pytest.mark.parametrize("chunk", range(CHUNKS))
rule_sets = pytest.mark.parametrize("name", EDITION_NAMES)


@rule_sets
@chunks
def test_simulated_games_are_legal_and_survive_every_way(name: str, chunk: int) -> None:
    for game in games(name, chunk, 160, 2000):
        text = write(game.record)
        verdict = check(game)
        assert verdict.verdict == "legal", (text, verdict.diagnostics)
        assert verdict.diagnostics == (), (text, verdict.diagnostics)
        assert parse(text)[0].record == game.record
        assert write(from_json(to_json(game.record))) == text


def count_cards(state: State, side: int) -> list[int]:
    """How many of each card a side has, wherever they lie."""
    cards = state.sides[side]
    found = [sum(counts) for counts in zip(cards.hand, cards.unseen, strict=True)]
    for column in (cards.discards, *cards.up, *cards.hidden):
        for card in column:
            found[card] += 1
    return found


def whole_deck(edition: Edition) -> list[int]:
    return (
        [edition.philosophers]
        + [edition.influence_copies] * 5
        + [edition.actions.get(card, 0) for card in range(6, 14)]
    )


@rule_sets
@chunks
def test_cards_and_patricians_are_conserved_at_every_step(name: str, chunk: int) -> None:
    edition = load_edition(name)
    deck = whole_deck(edition)
    for game in games(name, chunk, 40, 2000):
        for step in replay_game(game).steps:
            state = step.state
            for side in (0, 1):
                cards = state.sides[side]
                assert count_cards(state, side) == deck, (write(game.record), step.turn)
                assert cards.influence_pile == sum(cards.unseen[:6])
                assert cards.action_pile == sum(cards.unseen[6:12])
            for group, size in edition.groups.items():
                won = state.sides[0].won[group] + state.sides[1].won[group]
                assert won + state.left[group] == size
                assert state.total(group) == state.sides[0].count(group) + state.sides[1].count(group)
