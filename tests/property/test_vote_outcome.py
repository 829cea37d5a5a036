"""Every vote between two small columns comes out as the rules say, written down a second time here (J2–J8, K1–K17)."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from tironian import EDITION_NAMES, Edition, load_edition
from tironian.notation.cards import EGYPT, PHILOSOPHER, ROME, TIE
from tironian.notation.codes import column_counts
from tironian.replay.editions.choices import EmptySide, LonePhilosopher
from tironian.replay.rules.ruleset import ruleset
from tironian.replay.rules.vote_outcome import (
    WINNER,
    as_written,
    decided_by,
    losses_of,
    low_to_high,
    resolve,
    winner_of,
)

COLUMNS = [cards for count in range(4) for cards in combinations_with_replacement(range(6), count)]
"""All with at most three cards, each from low to high."""
Columns = tuple[tuple[int, ...], tuple[int, ...]]


def is_turned(columns: Columns) -> bool:
    """Whether one side has more philosophers, so that the lower total wins (K2, K8–K11)."""
    return columns[0].count(PHILOSOPHER) != columns[1].count(PHILOSOPHER)


def winner_by_the_rules(columns: Columns, edition: Edition) -> int:
    rome, egypt = columns
    sums = sum(rome), sum(egypt)
    one_is_empty = bool(rome) != bool(egypt)
    if sums[0] == sums[1]:  # with one side empty the other one has nothing but philosophers (K6)
        if one_is_empty and edition.lone_philosopher is LonePhilosopher.WINS:
            return ROME if rome else EGYPT
        return TIE
    higher = ROME if sums[0] > sums[1] else EGYPT
    if not is_turned(columns):
        return higher
    if one_is_empty and edition.empty_side is not EmptySide.WINS:  # K13
        return TIE if edition.empty_side is EmptySide.TIE else higher
    return 1 - higher


def discarded(columns: Columns, higher: int) -> Columns:
    """What both lose where somebody wins and this side has the ``higher`` total (J3, J8, K3, K8–K10, K15)."""
    gone: list[tuple[int, ...]] = []
    for side, cards in enumerate(columns):
        numbers = [card for card in cards if card != PHILOSOPHER]
        number = [max(numbers) if side == higher else min(numbers)] if numbers else []
        gone.append((*[PHILOSOPHER] * cards.count(PHILOSOPHER), *number))
    return gone[0], gone[1]


@pytest.mark.parametrize("empty_side", ["wins", "tie", "loses"])
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_vote_comes_out_as_the_rules_say(name: str, empty_side: str) -> None:
    edition = load_edition(name, (("empty_side", empty_side),))
    rules, counts = ruleset(edition), {cards: column_counts(cards) for cards in COLUMNS}
    for rome in COLUMNS:
        for egypt in COLUMNS:
            columns = rome, egypt
            winner = winner_by_the_rules(columns, edition)
            gone = ((), ()) if winner == TIE else discarded(columns, ROME if sum(rome) > sum(egypt) else EGYPT)
            decided = decided_by(rules, counts[rome], counts[egypt])
            thrown = tuple(low_to_high(losses_of(decided, side, counts[columns[side]])) for side in (ROME, EGYPT))
            assert (decided & WINNER, thrown) == (winner, gone), columns
            sums = [(sum(cards), cards.count(PHILOSOPHER)) for cards in columns]
            assert winner_of(sums[0], sums[1], edition) == winner, columns
            assert resolve(rome, egypt, edition) == (winner, (sum(rome), sum(egypt)), is_turned(columns), gone)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_who_was_given_a_vote_had_the_total_that_wins_it(name: str) -> None:
    """A wrong winner that stands says which side had the higher total for the table, and so what was discarded."""
    edition = load_edition(name)
    for rome in COLUMNS:
        for egypt in COLUMNS:
            columns = rome, egypt
            right = winner_by_the_rules(columns, edition)
            for written in {ROME, EGYPT, TIE} - {right}:
                higher = 1 - written if is_turned(columns) else written
                gone = ((), ()) if written == TIE else discarded(columns, higher)
                found = resolve(rome, egypt, edition, written)
                assert (found.winner, found.discarded) == (written, gone), columns
                decided = as_written(decided_by(ruleset(edition), column_counts(rome), column_counts(egypt)), written)
                assert low_to_high(losses_of(decided, EGYPT, column_counts(egypt))) == gone[EGYPT], columns
