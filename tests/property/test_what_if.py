"""What else could have been played: complete, legal, and the same for games that differ only in what can't be known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import tironian
from scale import crossed, scaled
from test_redact import EDITIONS, UNSEEN, game_of, otherwise, told_apart
from tironian import Decision, Possibility, Record, apply, legal_moves, replay_game, simulate, violations, what_if
from tironian import tokens as t
from tironian.notation.cards import SOME_INFLUENCE
from tironian.replay.engine.findings import AT_END
from tironian.replay.knowledge.table_view import SEES, view_table
from tironian.replay.rules.sequences import unknown_card_like
from tironian.replay.words.vote_tree import option_words

GAMES = scaled(1, 250)
PAIRS = scaled(1, 60)
FIRST_STEP = (t.Place, t.Discard, *t.ACTIONS)


def states(record: Record) -> dict[tuple[int, int], tironian.State]:
    """The state before each token, and before each end of a turn, by the turn's place and the token's."""
    found, played = {}, replay_game(game_of(record))
    numbers = {turn.label: place for place, turn in enumerate(record.turns) if turn.number}
    for last, step in zip(played.steps, played.steps[1:], strict=False):
        assert step.turn
        at = len(step.turn.tokens) if step.at == AT_END else step.at
        found[numbers[step.turn.label], at] = last.state
    return found


def is_legal(state: tironian.State, decision: Decision, option: Possibility) -> bool:
    token = option.token
    if decision.action:
        asked = state.copy()
        apply(asked, t.chosen(decision.action), vetoed=True)
        return token is None or any(isinstance(move.token, t.Veto) for move in legal_moves(asked))
    if token is None:
        return any(not isinstance(move.token, FIRST_STEP) for move in legal_moves(state))
    if isinstance(token, t.Spy) and token.card is not None:  # what is drawn then is left open
        return any(isinstance(move.token, t.Spy) and move.token.card == token.card for move in legal_moves(state))
    if isinstance(token, t.ACTIONS) and token == t.chosen(token):
        return not violations(state, token, vetoed=True)
    return not violations(state, token)


def key(decision: Decision) -> tuple[int, int, bool]:
    return decision.turn, decision.at, decision.action is not None


def seen(token: t.Token | None, side: int, sees: tuple[bool, bool]) -> t.Token | None:
    """A move of ``side`` as it is chosen, for somebody who sees these hands."""
    match token:
        case t.Place(hidden=True) if not sees[side]:
            return t.Place(SOME_INFLUENCE, token.group, hidden=True)
        case t.Discard() if not sees[side]:
            return t.Discard(tuple(sorted(map(unknown_card_like, token.cards))))
        case t.Castle() if not sees[side]:
            return t.chosen(token)
        case t.Spy() if not sees[1 - side]:
            return t.Spy()
        case _:
            return token


@pytest.mark.parametrize("edition", EDITIONS, ids=told_apart)
def test_what_was_played_could_be_chosen_and_every_option_is_legal(edition: tironian.Edition):
    for seed in range(GAMES):
        record = simulate(edition, seed + 31)
        truth = states(record)
        for view in ("arbiter", "caesar", "cleopatra"):
            for decision in what_if(record, view):
                state = truth[decision.turn, decision.at]
                if not decision.sees_hand:
                    continue
                assert sum(option.was_played for option in decision.options) == 1, (seed, view, decision)
                for option in decision.options:
                    assert is_legal(state, decision, option), (seed, view, record.turns[decision.turn], option)


@pytest.mark.parametrize("edition", EDITIONS, ids=told_apart)
def test_where_a_first_step_was_left_out_nothing_of_it_is_offered_later(edition: tironian.Edition):
    record = simulate(edition, 31)
    kept = [
        replace(turn, tokens=tuple([one for one in turn.tokens if not isinstance(one, FIRST_STEP)]))
        for turn in record.turns
    ]
    spoilt = replace(
        record, turns=tuple([one if turn.number > 3 else turn for one, turn in zip(kept, record.turns, strict=True)])
    )
    for decision in what_if(spoilt, "arbiter"):
        if decision.before.stage:
            assert not any(isinstance(option.token, FIRST_STEP) for option in decision.options)


@pytest.mark.parametrize("edition", EDITIONS, ids=told_apart)
def test_who_sees_less_is_told_of_every_move_that_there_was(edition: tironian.Edition):
    """All that was legal is among what somebody holds for possible who does not see the hand."""
    for seed in range(GAMES):
        record = simulate(edition, seed + 57)
        whole = {key(decision): decision for decision in what_if(record, "arbiter")}
        for view in ("caesar", "cleopatra", "table"):
            told = {key(decision): decision for decision in what_if(record, view)}
            for place, decision in whole.items():
                if decision.action or place not in told:
                    continue
                could = {option.token for option in told[place].options}
                for option in decision.options:
                    token = seen(option.token, decision.side, SEES[view])
                    if not isinstance(token, FIRST_STEP) and any(isinstance(other, FIRST_STEP) for other in could):
                        token = None  # he can't know that nothing could be played any more
                    assert token in could, (seed, view, record.turns[decision.turn], option.written)


def all_of(record: Record, view: str) -> list[object]:
    """All that is said and shown of the decisions of a game."""
    found: list[object] = []
    for decision in what_if(record, view):
        found.append((*key(decision), decision.side, decision.sees_hand, view_table(decision.before, view)))
        for option in decision.options:
            state = decision.after(option)
            found.append(
                (option.written, option_words(decision, option), option.was_played, state and view_table(state, view))
            )
    return found


@pytest.mark.parametrize(("edition", "view"), crossed(EDITIONS, [*UNSEEN]), ids=told_apart)
def test_games_that_differ_in_what_is_not_seen_have_the_same_options(edition: tironian.Edition, view: str):
    rng, differ = Random(f"what if {view}"), 0
    for seed in range(60):
        record = simulate(edition, seed + 11)
        other = otherwise(record, UNSEEN[view], rng)
        assert all_of(other, view) == all_of(record, view)
        differ += all_of(other, "arbiter") != all_of(record, "arbiter")
        if differ == PAIRS:
            break
    assert differ
