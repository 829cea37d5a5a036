"""A copy of a state has every field and shares nothing that changes; what is counted on the way is what is there."""

from __future__ import annotations

import pytest
from tironian import EDITION_NAMES, SideCards, State, load_edition, parse, replay_game, simulate, start, write
from tironian.notation.tokens import Mission
from tironian.replay.rules.layout import HELD, INFLUENCE, TOTAL
from tironian.replay.rules.sequences import is_influence

FIELDS = (
    "action", "active", "blanks", "blanks_out", "cells", "choosing", "discarded", "down", "due", "edition", "emptied",
    "final", "first_turn", "lone", "may_draw", "may_reveal", "missions", "no_place", "number", "orders",
    "orgy_removed", "over", "passive", "penalties", "revealed", "rules", "stage", "starter", "up", "vetoed",
)  # fmt: skip


def opening() -> State:
    rome, egypt, *_ = simulate(load_edition("2024"), 1).turns
    return start(load_edition("2024"), 1, rome.tokens, egypt.tokens)


def test_the_fields_are_all_there_are():
    state = opening()
    if hasattr(state, "__dict__"):  # a compiled class has none
        assert sorted(vars(state)) == sorted(FIELDS)


def other_than(value: object) -> object:
    """Something of the same kind that is not the same."""
    match value:
        case bool():
            return not value
        case int():
            return value + 3
        case list():
            return [*value[:-1], (7,) if isinstance(value[-1], tuple) else 7]
        case None:
            return [1]
        case (tuple(), tuple()):
            return ((Mission("each"),), ())
        case _:
            return (3, 4)


def changed(name: str) -> State:
    """A state with another value in one field."""
    state = opening()
    if name == "cells":
        state.cells[3] = 7
    else:
        setattr(state, name, other_than(getattr(state, name)))
    return state


@pytest.mark.parametrize("name", sorted(set(FIELDS) - {"edition", "rules"}))
def test_a_copy_has_every_field_and_shares_no_list(name: str):
    state = changed(name)
    mine, copied = getattr(state, name), getattr(state.copy(), name)
    assert list(copied) == list(mine) if name == "cells" else copied == mine
    if name in ("cells", "orders"):
        assert copied is not mine


@pytest.mark.parametrize("name", sorted(set(FIELDS) - {"edition", "rules"}))
def test_states_are_equal_where_every_field_is(name: str):
    state = changed(name)
    assert state == changed(name) == state.copy()
    assert state != opening() == opening()


def test_a_state_shows_where_the_game_is():
    assert repr(opening()) == "<State 2024 1E, hands 12345v 12345v, won 0:0, left A5 C3 K3 P5 Q5>"


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_counts_that_are_kept_are_those_of_the_cards(edition: str):
    for seed in range(4):
        (game,) = parse(write(simulate(load_edition(edition), seed)))
        for step in replay_game(game).steps:
            _counts_are_right(step.state)


def _counts_are_right(state: State) -> None:
    for owner, side in enumerate(state.sides):
        hand = side.hand
        assert state.cells[HELD + owner] == sum(hand)
        assert state.cells[INFLUENCE + owner] == sum(count for card, count in enumerate(hand) if is_influence(card))
    for group in state.edition.groups:
        assert state.cells[TOTAL + group] == sum(len(side.column(group)) for side in state.sides)


def test_what_is_read_is_a_copy():
    state = opening()
    for side in state.sides:
        assert isinstance(side, SideCards)
        side.hand.clear()
        side.up.append([1])
    state.left.clear()
    assert sum(state.sides[0].hand) == state.cells[HELD] > 0
    assert len(state.left) == 6
