"""A copy of a state has every field, and shares nothing that changes."""

from __future__ import annotations

from tironian.replay import load_edition, simulate
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
