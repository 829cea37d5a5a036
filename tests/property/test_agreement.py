"""The generator of legal actions and the law, written apart from each other, agree at every decision of every game.

In both directions: what the generator offers, the law allows; what it does not offer (actions of every kind, with
every card, group and position), the law refuses.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from scale import scaled
from tironian import EDITION_NAMES, Move, State, apply, legal_moves, load_edition, start, token_text, violations
from tironian import tokens as t
from tironian.notation.cards import GROUP_LETTERS, high_to_low
from tironian.replay.rules.game.legal import END_MOVE, as_move, outcome
from tironian.replay.rules.moves.actions import may_veto
from tironian.replay.simulation.player import Styles, next_move, style
from tironian.replay.simulation.simulator import openings

CARDS = range(12)
CHUNKS = 8
"""Each rule set's games in so many tests, so that several processes share them."""
MOST = 24
"""How many legal and how many other actions are tried at each decision, where there are many games."""
EVERY = scaled(4, 1)
"""Of so many decisions one is tried with all actions."""
LONGEST = 3000
"""Tokens after which a game is left; no rule ends a game in which nobody does anything (N9)."""


def options_of(name: str) -> list[tuple[tuple[str, str], ...]]:
    """No option, each one alone, and the two ends of the game that are found in mid-turn together."""
    options = load_edition(name).options
    alone = [((option, value),) for option, values in options.items() for value in values[1:]]
    both = (("exhaust_check", "immediate"), ("full_check", "at_placement"))
    return [(), *alone, *([both] if "full_check" in options else [])]


SETTINGS = [(name, options) for name in EDITION_NAMES for options in options_of(name)]


def at_groups(state: State) -> list[Move]:
    """Actions of every kind at every group, also those that the edition doesn't have."""
    found: list[Move] = []
    others = state.sides[1 - state.active].hidden
    for group in range(len(GROUP_LETTERS)):
        for card in range(6):
            found += [Move(t.Place(card, group, hidden)) for hidden in (False, True)]
            found += [Move(t.Assassinate(card, group, False), vetoed) for vetoed in (False, True)]
        hidden = others[group]
        for place, card in enumerate(hidden, 1):
            position = place if len(hidden) > 1 else None
            found.append(Move(t.Assassinate(card, group, True, position)))
            found.append(Move(t.Assassinate(None, group, True, position), True))
        if not hidden:
            found.append(Move(t.Assassinate(None, group, True), True))
        found += [Move(t.Scout(group, high_to_low(hidden) if hidden else None)), Move(t.Scout(group), True)]
        found += [Move(t.Wrath(group)), Move(t.Wrath(group), True)]
        shown = outcome(state, group)
        found += [Move(t.Vote(group, *shown)), Move(t.SpecialVote(group, *shown)), Move(t.PutAway(group))]
    return found


def castlings(state: State, rng: random.Random) -> list[Move]:
    """For each pair of groups, the announcement and one random split of every size."""
    found: list[Move] = []
    for first, second in combinations(state.edition.groups, 2):
        found.append(Move(t.Castle(first, second), True))
        cards = state.sides[state.active].column(first) + state.sides[state.active].column(second)
        rng.shuffle(cards)
        splits = [(high_to_low(cards[:cut]), high_to_low(cards[cut:])) for cut in range(len(cards) + 1)]
        found += [Move(t.Castle(first, second, *split)) for split in splits]
    return found


def anything(state: State, rng: random.Random) -> set[Move]:
    """A universe of actions, most of them illegal here; of what a spy's card may be replaced by, three at random."""
    hand = [card for card, count in enumerate(state.sides[state.active].hand) for _ in range(count)]
    found = [*at_groups(state), *castlings(state, rng), Move(t.Spy(), True), Move(t.Veto()), END_MOVE]
    found += [Move(t.NoVote(reset)) for reset in (False, True)]
    found += [Move(t.ChooseMission(side, kept)) for side in (0, 1) for kept in (1, 2)]
    found += [Move(t.Discard()), Move(t.Discard(high_to_low(hand)))]
    for card in CARDS:
        found += [Move(t.Veto(card)), Move(t.Draw((card,))), Move(t.Discard((card,)))]
        found += [Move(t.Spy(card, drawn)) for drawn in (None, *rng.sample(CARDS, 3))]
    # Whether a veto is there is judged at the veto itself, not at the action that it answers.
    return {move for move in found if not move.vetoed or may_veto(state)}


def something(state: State, rng: random.Random) -> Move:
    """One action at random, most likely illegal here."""
    groups = range(len(GROUP_LETTERS))
    group, card, vetoed = rng.choice(groups), rng.choice(CARDS), may_veto(state) and rng.random() < 0.3
    hidden = state.sides[1 - state.active].hidden[group]
    place = rng.randrange(len(hidden)) if hidden else 0
    position = place + 1 if len(hidden) > 1 else None
    first, second = sorted(rng.sample(range(len(state.edition.groups)), 2))
    pair = list(state.edition.groups)[first], list(state.edition.groups)[second]
    lying = state.sides[state.active].column(pair[0]) + state.sides[state.active].column(pair[1])
    rng.shuffle(lying)
    cut = rng.randrange(len(lying) + 1)
    shown = outcome(state, group)
    return rng.choice(
        (
            Move(t.Place(card % 6, group, rng.random() < 0.5)),
            Move(t.Place(card % 6, group, rng.random() < 0.5)),
            Move(t.Assassinate(card % 6, group, False), vetoed),
            Move(
                t.Assassinate(None if vetoed or not hidden else hidden[place], group, True, position),
                vetoed or not hidden,
            ),
            Move(t.Scout(group, None if vetoed or not hidden else high_to_low(hidden)), vetoed),
            Move(t.Wrath(group), vetoed),
            Move(t.Castle(*pair), True)
            if vetoed
            else Move(t.Castle(*pair, high_to_low(lying[:cut]), high_to_low(lying[cut:]))),
            Move(t.Spy(), True) if vetoed else Move(t.Spy(card, rng.choice((None, *CARDS)))),
            Move(t.Veto(rng.choice((None, card)))),
            Move(t.Draw((card,))),
            Move(t.Discard(rng.choice(((), (card,))))),
            Move(t.Vote(group, *shown)),
            Move(t.SpecialVote(group, *shown)),
            Move(rng.choice((t.PutAway(group), t.NoVote(False), t.NoVote(True)))),
            Move(t.ChooseMission(rng.randrange(2), rng.choice((1, 2)))),
            END_MOVE,
        )
    )


def words(move: Move) -> str:
    return token_text(move.token) if move.token else "END"


def disagreements(state: State, rng: random.Random, most: int | None) -> list[str]:
    """Where the two differ in this state; ``most`` is how many actions of each kind are tried, None for all."""
    legal = legal_moves(state)
    offered = set(legal)
    if most is None:
        tried = offered | anything(state, rng)
    else:
        tried = {*(rng.sample(legal, most) if len(legal) > most else legal)}
        others = [something(state, rng) for _ in range(most)]
        # Whether a veto is there is judged at the veto itself, not at the action that it answers.
        tried.update(move for move in others if not move.vetoed or may_veto(state))
    wrong = []
    for move in tried:
        faults = violations(state, *move)
        if bool(faults) == (move in offered):
            said = [fault.code for fault in faults]
            wrong.append(f"{words(move)} vetoed={move.vetoed} offered={move in offered} law={said}")
    return wrong


def pick(state: State, rng: random.Random, styles: Styles) -> Move:
    """What a sensible player does, or now and then any kind of action that is legal."""
    if rng.random() < 0.8:
        return as_move(*next_move(state, rng, styles))
    offered = sorted(legal_moves(state), key=repr)
    kind = rng.choice(sorted({(type(move.token).__name__, move.vetoed) for move in offered}))
    return rng.choice([move for move in offered if (type(move.token).__name__, move.vetoed) == kind])


@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=lambda value: str(value) if value else "default")
def test_generator_and_law_agree(name: str, options: tuple[tuple[str, str], ...]) -> None:
    play(name, options, range(scaled(1, 20)), most=None)


@pytest.mark.parametrize("name", EDITION_NAMES)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_they_agree_over_many_games(name: str, chunk: int) -> None:
    count = scaled(8, 2000) // CHUNKS
    play(name, (), range(1000 + chunk * count, 1000 + (chunk + 1) * count), most=MOST)


def play(name: str, options: tuple[tuple[str, str], ...], seeds: range, most: int | None) -> None:
    """Games at random, with the two compared at every decision."""
    edition = load_edition(name, options)
    for seed in seeds:
        rng = random.Random(seed)
        state = start(edition, *openings(edition, rng))
        styles = (style(rng), style(rng))
        written: list[str] = []
        while len(written) < LONGEST:
            wrong = disagreements(state, rng, most) if most or not len(written) % EVERY else []
            assert not wrong, (seed, written[-12:], wrong[:5])
            move = pick(state, rng, styles)
            apply(state, *move)
            written.append(words(move))
            if move == END_MOVE and state.ended:
                break
