"""Players of five levels: how each of them chooses."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from ...notation import codes
from ...notation.cards import PLAYER_NAMES
from ...notation.codes import Codes
from ...notation.reader import as_game
from ..engine.headers import read_headers
from ..engine.replay import replay_game
from ..hidden_cards.ledger import story_of
from ..rules.moves.actions import announced_code
from ..simulation.player import next_move
from ..simulation.styles import style
from ..views.redaction import view
from .match import Match
from .options import ALLOW, GO_ON, MOVE, ON_VETO, PILE, TARGET
from .players import Pick, best, record
from .rollouts import Spot, continue_all, dealt_for, likely_worlds
from .trust import trusts
from .worlds import Belief, Beliefs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .inputs import Floats
    from .net import Net

HIGHEST: Final = 5
NOISE: Final = {2: (0.08, 0.22), 3: (0.04, 0.08)}
"""Level → by how much its values err, and how often it plays anything."""
NEAR: Final = 0.01
"""Moves that are worth so little less than the best are played as well, so that nobody can tell what lies hidden."""
SEARCHED, SEARCH_WORLDS, SEARCH_TURNS = 4, 16, 2


def player(level: int, net: Net, read: Floats, seed: int) -> Pick:
    """Return how a player of a level, 1 to 5, chooses. Raise ValueError for another level."""
    rng = Random(seed)
    if level == 1:
        return _sensible(rng)
    if level in NOISE:
        return _noisy(rng, *NOISE[level])
    if level == 4:
        return _varied(rng)
    if level == HIGHEST:
        return _searching(rng, net, read)
    raise ValueError(f"there is no level {level}; there are 1 to {HIGHEST}")


def _sensible(rng: Random) -> Pick:
    """Play at random, but not without sense, as ``tiro simulate`` does; the values are not looked at."""
    styles = style(rng), style(rng)

    def pick(match: Match, moves: list[Codes], _values: NDArray[np.float64]) -> int:
        own = styles[match.side]
        if match.kind == ON_VETO:
            vetoes = rng.random() < own.veto and len(moves) > 1
            return rng.randrange(1, len(moves)) if vetoes else moves.index((ALLOW, 0))
        if match.kind == PILE:
            return int(rng.random() < own.actions)
        if match.kind == MOVE:
            code, more = next_move(match.state, rng, styles)
            code &= ~codes.ANNOUNCED_ONLY
            if codes.ACTION_KINDS >> (code & codes.KIND) & 1:
                code, more = announced_code(code), 0
            elif code & codes.KIND not in (codes.PLACE, codes.DISCARD):
                code, more = GO_ON, 0
            return moves.index((code, more)) if (code, more) in moves else rng.randrange(len(moves))
        return rng.randrange(len(moves))

    return pick


def _noisy(rng: Random, noise: float, slips: float) -> Pick:
    def pick(_match: Match, moves: list[Codes], values: NDArray[np.float64]) -> int:
        if rng.random() < slips:
            return rng.randrange(len(moves))
        return max(range(len(moves)), key=lambda place: values[place] + rng.gauss(0, noise))

    return pick


def _varied(rng: Random) -> Pick:
    def pick(_match: Match, moves: list[Codes], values: NDArray[np.float64]) -> int:
        least = values.max() - NEAR
        return rng.choice([place for place in range(len(moves)) if values[place] >= least])

    return pick


def _searching(rng: Random, net: Net, read: Floats) -> Pick:
    """Compare the best moves as the judge does, by playing on in worlds that the player's own log allows."""

    def pick(match: Match, moves: list[Codes], values: NDArray[np.float64]) -> int:
        import numpy as np

        top = np.argsort(-values, kind="stable")[:SEARCHED].tolist()
        top = [place for place in top if values[place] >= values.max() - 0.1]
        # A spy has seen the hand, which worlds are not dealt by.
        if len(top) < 2 or match.kind == TARGET:
            return best(match, moves, values)
        belief, trust = _known(match, net, read)
        dealt = [belief.deal(rng) for _ in range(dealt_for(SEARCH_WORLDS, trust))]
        likely = likely_worlds(dealt, SEARCH_WORLDS, match.side, net, read, rng, trust)
        spot = Spot(match.kind, match.side, match.pending)
        seed = rng.getrandbits(50)
        reached = continue_all(spot, [moves[place] for place in top], likely, SEARCH_TURNS, net, read, seed)
        return top[int(reached.mean(1).argmax())]

    return pick


def _known(match: Match, net: Net, read: Floats) -> tuple[Belief, float]:
    """Return what the player who decides can tell from his own log, and how far he trusts the other side."""
    side, opening = match.side, match.opening
    assert opening is not None
    whole = record(match.state.edition, 0, *opening, match)
    log = view(as_game(whole), PLAYER_NAMES[side].lower()).record
    story, played = story_of(log, read_headers(log)), replay_game(log)
    assert story is not None
    beliefs = Beliefs(story, side)
    for moment in story.moments:
        beliefs.see(moment)
    return beliefs.now(played.steps[-1].state), trusts(log, played, side, net, read)[-1]
