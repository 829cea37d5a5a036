"""Games against the net in tests: who plays which side, and a person who chooses by chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tironian import load_edition
from tironian.replay.insight.duel import Duel

WEIGHTS = Path(__file__).parents[2] / "replay" / "insight" / "weights"
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


def words_of(duel: Duel) -> list[str]:
    """The moves of a game, in the notation."""
    return [duel.offers()[place].text for place in decisions(duel)]


def typed_for(duel: Duel) -> list[str]:
    """What the person types, line by line: a move that is warned of twice."""
    return [
        text for place in decisions(duel) for text in [duel.offers()[place].text] * (1 + duel.closes_placing(place))
    ]
