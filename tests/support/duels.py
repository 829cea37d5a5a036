"""Games against the net in tests: who plays which side, and a person who chooses by chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tironian import load_edition, tokens
from tironian.replay.rules.core import ON_VETO
from tironian.replay.rules.sequences import action_card
from tironian.replay.simulation.dice import Dice
from tironian.tools.insight.duel import Duel
from tironian.tools.insight.unseen import give_card, shuffle_unseen

WEIGHTS = Path(__file__).parents[2] / "tools" / "insight" / "weights"
RULES = [path.stem for path in sorted(WEIGHTS.glob("*.npz"))]
"""The rule sets that can be played."""
PLAYERS = ("caesar", "cleopatra")


def duel_of(rules: str, seed: int, level: int = 3) -> Duel:
    """A game in which the person plays one side or the other."""
    return Duel(load_edition(rules), seed % 2, level, seed)


def decisions(duel: Duel, most: int = 10_000, seed: int = 0) -> Iterator[int]:
    """Play a game, or so many decisions of it; yield each choice before it is made."""
    rng = Random(seed)
    for _decision in range(most):
        offers = duel.offers()
        if not offers:
            return
        place = rng.randrange(len(offers))
        yield place
        duel.choose(place)


def typed_for(duel: Duel) -> list[str]:
    """What the person types, line by line: a move that is warned of twice."""
    return [
        text for place in decisions(duel) for text in [duel.offers()[place].text] * (1 + duel.closes_placing(place))
    ]


def with_other_cards(duel: Duel, seed: int) -> None:
    """Put others in place of all cards that the person can't see."""
    match, other = duel.match, 1 - duel.side
    state = match.state = match.state.copy()
    shuffle_unseen(state, duel.side, Dice(seed))
    if match.kind == ON_VETO:
        give_card(state, other, action_card(match.pending & 15))
    missions = [*state.missions]
    missions[other] = tuple(tokens.Mission("each") for _ in missions[other])
    state.missions = tuple(missions)
