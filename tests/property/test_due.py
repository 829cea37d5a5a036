"""What is said to be due agrees with the law, with the list of moves, and with what games record, in every view."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from scale import scaled
from tironian import EDITION_NAMES, VIEWS, Record, State, load_edition, replay_game, simulate, start, view, violations
from tironian import tokens as t
from tironian.notation.tokens import DRAW
from tironian.replay.rules.core import BUST, LAST_PILE, MISSION, MOVE, ORDER, OVER, PILE, TURN, due, ends_when_full_now
from tironian.replay.rules.game.game import REPLACEMENT, make_move
from tironian.replay.rules.game.legal import END_MOVE, legal_moves
from tironian.replay.simulation.player import next_move, style
from tironian.replay.simulation.simulator import openings

GAMES, CHUNKS = scaled(2, 313), 8
EVERY = scaled(3, 1)
"""Of so many states one is held against the list of moves."""
WORDS = {
    MOVE: (t.Place, t.Discard, *t.ACTIONS),
    REPLACEMENT: (t.Veto,),
    MISSION: (t.ChooseMission,),
    ORDER: (t.SpecialVote,),
    BUST: (t.Vote, t.NoVote, t.PutAway),
    PILE: (t.Draw,),
    LAST_PILE: (t.Draw,),
    TURN: (),
    OVER: (),
}
OF_THE_FIRST_STEP = {"R206", "R208", "R209", "R603"}
"""What the law says of a first step that was left too early: due doesn't know, since it is the player's decision."""


def now(state: State) -> list[int]:
    """What can come next: what is due, and what is due behind a step that may be left as it is."""
    kinds = [int(due(state, 0, 0))]
    if kinds[0] == MOVE:
        kinds.append(int(due(state, 0, 1)))
    if kinds[-1] in (PILE, LAST_PILE) and state.both_out():
        kinds.append(int(due(state, 0, state.rules.rank[DRAW] + 1)))
    return kinds


def ends(kinds: list[int], state: State) -> bool:
    """Whether the turn may end here, if its player leaves the first step."""
    return kinds[-1] in (TURN, OVER) or bool(ends_when_full_now(state))


def hold_against_the_law(state: State) -> None:
    kinds, faults = now(state), {fault.code for fault in violations(state, None)}
    if state.has_begun() or not (state.rules.may_pass and not state.final):  # else the law names only R603
        assert ends(kinds, state) == (not faults - OF_THE_FIRST_STEP), (kinds, faults)


def hold_against_the_moves(state: State) -> None:
    kinds, moves = now(state), legal_moves(state, [()])
    # “-” says that nothing is placed: it is a word, and no decision.
    ending, words = (
        END_MOVE in moves,
        {type(move.token) for move in moves if move.token != t.Discard(())} - {type(None)},
    )
    if state.no_place:
        words -= {*t.ACTIONS}  # the rules still allow one, but whoever has said “-” has said that they are done
    assert words <= {word for kind in kinds for word in WORDS[kind]}, (kinds, words)
    if kinds[0] == MOVE and not (moves and END_MOVE in moves and ends_when_full_now(state)):
        return  # whether the step may be left is not due's to say
    if kinds[0] not in (MOVE, TURN, OVER):
        assert words & {*WORDS[kinds[0]]}, (kinds, words)
    assert ending == ends(kinds, state), (kinds, words)


def hold_against_the_words(record: Record) -> int:
    steps = replay_game(record).steps
    for last, step in pairwise(steps):
        if step.token is not None and step.token != t.Discard(()):
            assert isinstance(step.token, tuple(word for kind in now(last.state) for word in WORDS[kind])), step.token
    return len(steps)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_step_in_which_nothing_can_come_is_passed_over(name: str):
    """Without a reset all busts or vote cards can be gone."""
    edition = replace(load_edition(name), resets=0)
    rng, styles, empty = Random(1), (style(Random(2)), style(Random(3))), 0
    for seed in range(8):
        state = start(edition, *openings(edition, Random(seed)))
        for _ in range(3000):
            if state.over:
                break
            empty += bool(state.may_reveal and not (state.blanks or any(state.bag)))
            hold_against_the_law(state)
            hold_against_the_moves(state)
            make_move(state, *next_move(state, rng, styles))
        assert state.over
    assert empty


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_what_is_due_is_what_the_law_demands_the_moves_offer_and_games_record(name: str, chunk: int):
    edition = load_edition(name)
    for seed in range(chunk * GAMES, (chunk + 1) * GAMES):
        record = simulate(edition, seed=seed)
        for number, step in enumerate(replay_game(record).steps):
            hold_against_the_law(step.state)
            if number % EVERY == seed % EVERY:
                hold_against_the_moves(step.state)
        for seer in VIEWS:
            assert hold_against_the_words(view(record, seer).record)
