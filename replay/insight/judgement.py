"""What a decision cost: the move that was made against the best one, measured in worlds that did not choose it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from ...notation import codes
from .account import Account, OwnChoice
from .reasons import Reason, reasons
from .rollouts import Spot, continue_all, dealt_for, likely_worlds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .inputs import Floats
    from .net import Net

MARKS: Final = (("??", 0.15, 0.10), ("?", 0.10, 0.05), ("?!", 0.05, 0.025))
"""A mark, the loss from which it is given, and what the loss must exceed for certain (19 of 20)."""
CANDIDATES: Final = 4
"""Options that are compared with the move that was made, the best ones by the net alone."""
SUSPECT: Final = 0.015
"""Loss by the net alone from which a decision is looked at by playing on."""
DOUBTFUL: Final = 0.02
"""Loss by the first look from which it is looked at more closely."""
FIRST_LOOK, CLOSE_LOOK = 8, 16
HORIZON: Final = 2
"""Turns for which a closer look plays on."""
_CERTAIN: Final = 1.96


class Judged(NamedTuple):
    """A decision of a player, judged.

    ``loss`` is how much less the played move wins than ``best``, in chances of winning; ``error`` its standard error.
    ``settled`` says whether that was measured well enough to tell which mark it deserves, ``level`` how it was
    measured: 0 by the net alone, 1 for the rest of the turn, 2 for two turns. ``before`` is the chance of winning with
    the best move.
    """

    choice: OwnChoice
    best: int
    before: float
    loss: float
    error: float
    level: int
    worlds: int
    mark: str
    settled: bool
    hiding: bool
    """Whether the two moves differ only in which card lies face down."""
    reasons: tuple[Reason, ...] = ()

    @property
    def options(self) -> int:
        """Return how many moves there were to choose from."""
        return self.choice.end - self.choice.first

    @property
    def is_forced(self) -> bool:
        """Return whether there was no choice."""
        return self.options < 2


def mark_of(loss: float, error: float, hiding: bool) -> tuple[str, bool]:
    """Return the mark of a loss, and whether more worlds could no longer change it.

    What only hides other cards is never marked higher than ``?!``: a fixed opponent can't judge it.
    """
    for mark, least, sure in MARKS:
        if loss >= least and loss - _CERTAIN * error >= sure:
            return ("?!" if hiding else mark), loss - _CERTAIN * error >= least or mark == "??"
    return "", loss + _CERTAIN * error < MARKS[-1][1]


def is_hiding(one: int, other: int) -> bool:
    """Return whether two moves, as codes, lay a card at the same group and differ in which card or which way up."""
    placed = one & codes.KIND == other & codes.KIND == codes.PLACE and one >> 8 & 7 == other >> 8 & 7
    hidden = (one >> 11 & 1) or (other >> 11 & 1)
    return bool(placed and hidden and (one >> 4 & 15 == other >> 4 & 15 or (one >> 11 & other >> 11 & 1)))


class Judge:
    """Judges the decisions of an account; ``values`` are those of its options by the net alone."""

    def __init__(
        self, account: Account, values: NDArray[np.float64], net: Net, read: Floats, seed: int, trust: float, most: int
    ) -> None:
        self.account, self.values, self.net, self.read = account, values, net, read
        self.seed, self.trust, self.most = seed, trust, most

    def at_a_glance(self, choice: OwnChoice) -> Judged:
        """Return what the net alone says: no marks, since it errs by some points."""
        values = self.values[choice.first : choice.end]
        best = choice.first + int(values.argmax())
        loss = max(0.0, float(self.values[best] - self.values[choice.played]))
        hiding = is_hiding(self.move(best)[0], self.move(choice.played)[0])
        return Judged(choice, best, float(self.values[best]), loss, 0.0, 0, 0, "", loss < SUSPECT, hiding)

    def closely(self, choice: OwnChoice, expired: Callable[[], bool] = lambda: False) -> Judged:
        """Return a decision judged by playing on, if the net alone finds anything to suspect."""
        found = self.at_a_glance(choice)
        if found.loss < SUSPECT or expired():
            return found
        rng = Random(self.seed * 1_000_003 + choice.turn * 101 + choice.at)
        found = self._look(found, rng, FIRST_LOOK, 1)
        if found.loss < DOUBTFUL:
            return found
        worlds = CLOSE_LOOK
        found = self._look(found, rng, worlds, 2)
        while not found.settled and worlds < self.most and not expired():
            worlds *= 2
            found = self._look(found, rng, worlds, 2)
        return found

    def _look(self, before: Judged, rng: Random, count: int, level: int) -> Judged:
        """Return the decision judged in new worlds: the first half chooses the best move, the second measures it."""
        import numpy as np

        choice = before.choice
        values = self.values[choice.first : choice.end]
        top = [choice.first + int(place) for place in np.argsort(-values, kind="stable")[:CANDIDATES]]
        options = [*dict.fromkeys([choice.played, *top])]
        dealt = [choice.belief.deal(rng) for _ in range(dealt_for(count, self.trust))]
        worlds = likely_worlds(dealt, count, choice.belief.side, self.net, self.read, rng, self.trust)
        moves = [self.move(option) for option in options]
        horizon = 1 if level == 1 else HORIZON
        spot = Spot(choice.kind, choice.belief.side, choice.pending)
        reached = continue_all(spot, moves, worlds, horizon, self.net, self.read, rng.getrandbits(50))
        order = rng.sample(range(count), count)
        first, second = order[: count // 2], order[count // 2 :]
        place = int(reached[:, first].mean(1).argmax())
        lost = reached[place, second] - reached[0, second]
        loss = float(np.round(lost.mean(), 6))
        error = float(np.round(lost.std(ddof=1) / np.sqrt(len(second)), 6)) if place else 0.0
        best = options[place]
        hiding = is_hiding(moves[place][0], moves[0][0])
        mark, settled = mark_of(loss, error, hiding)
        win = float(np.round(reached[place].mean(), 6))
        mark = mark if level == 2 else ""
        why = tuple(reasons(choice, moves[place], moves[0], worlds)) if mark else ()
        return Judged(choice, best, win, loss, error, level, count, mark, settled, hiding, why)

    def move(self, option: int) -> tuple[int, int]:
        moves = self.account.batch.moves
        return moves[2 * option], moves[2 * option + 1]
