"""Players that choose by the net, and games between them, many at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from ...notation import codes
from ...notation.cards import EGYPT, ROME
from ...notation.codes import Codes
from ...notation.record import Record, Turn
from ..editions.edition import Edition
from ..engine.run import start
from ..rules.state import State
from ..simulation.simulator import frame, openings, result_of
from .inputs import readings
from .match import Match
from .net import Net
from .option_batch import OptionBatch
from .values import option_values, row_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .inputs import Floats

WORLDS: Final = 1
"""Worlds in which a player tries an action out: one, since it is tried out so often."""
MOST_TURNS: Final = 240
"""A game that goes on for longer is broken off: the rules end none in which nobody does anything (N9)."""

Pick = Callable[[Match, "list[Codes]", "NDArray[np.float64]"], int]
"""Chooses one of the moves of a decision, given their values by the net; returns its place."""


def best(_match: Match, _moves: list[Codes], values: NDArray[np.float64]) -> int:
    """Return the first of the best moves."""
    return int(values.argmax())


def advance(
    matches: Sequence[Match], net: Net, read: Floats, until: int, picks: tuple[Pick, Pick] = (best, best)
) -> None:
    """Play matches on, all in step, until so many turns of each have ended or the game is over.

    ``picks`` choose for Rome and for Egypt.
    """
    batch = OptionBatch()
    while True:
        live = [match for match in matches if match.turns < until and match.wait() and match.turns < until]
        if not live:
            return
        batch.clear()
        for match in live:
            match.list_options(batch, WORLDS)
        values = option_values(batch, row_values(batch, net, read))
        begins = [*batch.decisions, len(batch.vetoes)]
        for number, match in enumerate(live):
            first, end = begins[number], begins[number + 1]
            moves = [(batch.moves[2 * at], batch.moves[2 * at + 1]) for at in range(first, end)]
            match.choose(*moves[picks[match.side](match, moves, values[first:end])])


def games(
    edition: Edition, seeds: Sequence[int], net: Net, picks: tuple[Pick, Pick] = (best, best)
) -> list[tuple[Record, Match]]:
    """Return complete games of two players, one for each seed: their records, and the matches at their ends."""
    begun = [openings(edition, Random(seed)) for seed in seeds]
    matches = [Match(start(edition, *opening), seed) for opening, seed in zip(begun, seeds, strict=True)]
    for match, opening in zip(matches, begun, strict=True):
        match.opening = opening
    advance(matches, net, readings(edition), MOST_TURNS, picks)
    return [
        (record(edition, seed, *opening, match), match)
        for opening, match, seed in zip(begun, matches, seeds, strict=True)
    ]


def record(edition: Edition, seed: int, starter: int, rome: tuple, egypt: tuple, match: Match) -> Record:  # pyright: ignore
    """Return the record of a match that was played from its set-up."""
    turns = (Turn(0, ROME, rome), Turn(0, EGYPT, egypt), *turns_of(start(edition, starter, rome, egypt), match))
    result = result_of(match.state)
    return Record(frame(edition, seed, starter, result), (), turns, result)


def turns_of(state: State, match: Match) -> list[Turn]:
    """Return the turns of a match that began in this state."""
    from ..engine.play import make_move
    from ..rules.moves.placing import with_card

    turns: list[Turn] = []
    words: list[int] = []
    number, side = state.number, state.active
    for place in range(0, len(match.moves), 2):
        code, more = match.moves[place], match.moves[place + 1]
        make_move(state, code, more)
        if code == codes.TURN_END:
            turns.append(Turn.of_codes(number, side, words))
            words = []
            number, side = state.number, state.active
            continue
        code &= ~codes.ANNOUNCED_ONLY
        before = words[-2] if words else codes.OTHER
        if code & codes.KIND == codes.DRAW == before & codes.KIND and before >> 4 & 15 < codes.MOST_CARDS:
            words[-2] = with_card(before, code >> 8)
        else:
            words += [code, more]
    if words:
        turns.append(Turn.of_codes(number, side, words))
    return turns
