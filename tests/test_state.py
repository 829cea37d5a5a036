"""A copy of a state has every field, and shares nothing that changes; a snapshot says the same as a copy."""

from __future__ import annotations

from tironian.notation import parse, write
from tironian.replay import load_edition, replay, simulate
from tironian.replay.course import run
from tironian.replay.headers import read_headers
from tironian.replay.setup import start
from tironian.replay.state import Side, State


def test_a_copy_is_whole_and_independent():
    rome, egypt, *_ = simulate(load_edition("2024"), 1).turns
    state = start(load_edition("2024"), 1, rome.tokens, egypt.tokens)
    state.pending = [1]
    other = state.copy()
    for kind, ours, theirs in (
        (State, state, other),
        *((Side, *pair) for pair in zip(state.sides, other.sides, strict=True)),
    ):
        for name in kind.__slots__:
            mine, copied = getattr(ours, name), getattr(theirs, name)
            if name in ("sides", "rank"):  # the steps of the edition, which nobody changes
                continue
            assert mine == copied, name
            if isinstance(mine, list):
                assert mine is not copied, name
                assert all(one is not two for one, two in zip(mine, copied, strict=True) if isinstance(one, list)), name


def test_the_snapshots_of_a_replay_are_what_copies_would_be():
    """They share what did not change: so nothing that changes later may shine through."""
    for edition in ("2024", "1997", "fr", "taylor"):
        (game,) = parse(write(simulate(load_edition(edition), 3)))
        copies: list[State] = []
        run(
            game.record,
            read_headers(game.record, ""),
            lambda _turn, _at, state, copies=copies: copies.append(state.copy()),
        )
        steps = replay(game).steps
        assert len(steps) == len(copies) > 100
        for step, copied in zip(steps, copies, strict=True):
            assert _facts(step.state) == _facts(copied)


def _facts(state: State) -> list[object]:
    of_sides = [getattr(side, name) for side in state.sides for name in Side.__slots__]
    return [getattr(state, name) for name in State.__slots__ if name != "sides"] + of_sides


def test_a_snapshot_shares_an_untouched_side_and_no_other():
    (game,) = parse(write(simulate(load_edition("fr"), 5)))
    last = replay(game).steps[60].state
    for name in Side.__slots__:
        state = last.copy()
        assert state.snapshot(last).sides[0] is last.sides[0]
        side = state.sides[0]
        old = getattr(side, name)
        new = [*old, [9]] if isinstance(old, list) else not old if isinstance(old, bool) else (old or 0, 7)
        setattr(side, name, new)
        taken = state.snapshot(last)
        assert taken.sides[0] is not last.sides[0], name
        assert getattr(taken.sides[0], name) == new, name
        assert taken.sides[1] is last.sides[1]
