"""Players that choose with the net, at five levels; games between them; and options compared by playing on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from ...notation.records import Movetext, Record, Token, Turn, as_game
from ...replay.engine.api import PLAYERS, read_headers, replay_game, start
from ...replay.knowledge.api import history_of_replay, view
from ...replay.rules.api import Edition, State
from ...replay.rules.core import MOVE, ON_VETO, PILE, TARGET, Codes, action_card, announced_code, codes, make_move
from ...replay.simulation.api import add_word, headers_of, next_move, openings, result_of, style
from .match import Match
from .net import Evaluator, Net
from .options import ALLOW, GO_ON, OptionBatch, result
from .position import readings
from .unseen import give_card
from .worlds import Belief, Beliefs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


WORLDS: Final = 1
"""Number of worlds in which a player tries out an action: only one, since this happens so often."""
MOST_TURNS: Final = 240
"""A longer game is broken off: the rules have no end for a game in which nobody does anything (N9)."""

Pick = Callable[[Match, "list[Codes]", "NDArray[np.float64]"], int]
"""Chooses one of the moves of a decision, given the net's values for them; returns its place."""


def best(_match: Match, _moves: list[Codes], values: NDArray[np.float64]) -> int:
    """Return the first of the best moves."""
    return int(values.argmax())


def advance(
    matches: Sequence[Match], evaluator: Evaluator, until: int, picks: tuple[Pick, Pick] = (best, best)
) -> None:
    """Play matches on, all in step, until this many turns of each have ended or the game is over; with 0 only until the
    announced action has happened.

    ``picks`` choose for Rome and for Egypt.
    """
    batch = OptionBatch()

    def goes_on(match: Match) -> bool:
        return match.turns < until or match.pending != 0

    while True:
        live = [match for match in matches if goes_on(match) and match.wait() and goes_on(match)]
        if not live:
            return
        batch.clear()
        for match in live:
            match.list_options(batch, WORLDS)
        values = evaluator.options(batch)
        for match, (first, end) in zip(live, pairwise([*batch.decisions, len(batch.vetoes)]), strict=True):
            moves = batch.moves_from(first, end)
            match.choose(*moves[picks[match.side](match, moves, values[first:end])])


def games(
    edition: Edition, seeds: Sequence[int], net: Net, picks: tuple[Pick, Pick] = (best, best)
) -> list[tuple[Record, Match]]:
    """Play complete games between two players, one for each seed; return their records, and the matches at the end."""
    begun = [openings(edition, Random(seed)) for seed in seeds]
    matches = [Match(start(edition, *opening), seed) for opening, seed in zip(begun, seeds, strict=True)]
    for match, opening in zip(matches, begun, strict=True):
        match.opening = opening
    advance(matches, Evaluator(net, readings(edition)), MOST_TURNS, picks)
    played = zip(begun, matches, seeds, strict=True)
    return [(record(edition, seed, *opening, match), match) for opening, match, seed in played]


def record(edition: Edition, seed: int, starter: int, rome: tuple, egypt: tuple, match: Match) -> Record:  # pyright: ignore
    """Return the record of a match that was played from its set-up."""
    turns = turns_of(start(edition, starter, rome, egypt), (rome, egypt), match)
    result = result_of(match.state)
    return Record(headers_of(edition, seed, starter, result), (), turns, result)


def turns_of(state: State, lines: Sequence[tuple[Token, ...]], match: Match) -> Movetext:
    """Return the turns of a match that began in this state, after the lines of its set-up."""
    turns = Movetext.of([Turn(0, side, line) for side, line in enumerate(lines)])
    words: list[int] = []
    number, side = state.number, state.active
    for place in range(0, len(match.moves), 2):
        code, more = match.moves[place], match.moves[place + 1]
        make_move(state, code, more)
        if code == codes.TURN_END:
            turns.add(number, side, words)
            words = []
            number, side = state.number, state.active
        else:
            add_word(words, code, more)
    if words:
        turns.add(number, side, words)
    return turns


HIGHEST: Final = 5
NOISE: Final = {2: (0.08, 0.22), 3: (0.04, 0.08)}
"""Level → how much its values are off, and how often it plays a random move."""
NEAR: Final = 0.01
"""Moves worth at most this much less than the best are played too, so that nobody can infer the hidden cards."""
SEARCHED, SEARCH_WORLDS, SEARCH_TURNS = 4, 16, 2


def player(level: int, evaluator: Evaluator, seed: int) -> Pick:
    """Return how a player of a level, 1 to 5, chooses. Raise ValueError for another level."""
    rng = Random(seed)
    if level == 1:
        return _sensible(rng)
    if level in NOISE:
        return _noisy(rng, *NOISE[level])
    if level == 4:
        return _varied(rng)
    if level == HIGHEST:
        return _searching(rng, evaluator)
    raise ValueError(f"there is no level {level}; choose 1 to {HIGHEST}")


def _sensible(rng: Random) -> Pick:
    """Play at random but plausibly, as ``tiro simulate`` does; the values are ignored."""
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


def _searching(rng: Random, evaluator: Evaluator) -> Pick:
    """Compare the best moves as the judge does: by playing on in worlds that the player's own log allows."""

    def pick(match: Match, moves: list[Codes], values: NDArray[np.float64]) -> int:
        import numpy as np

        top = np.argsort(-values, kind="stable")[:SEARCHED].tolist()
        top = [place for place in top if values[place] >= values.max() - 0.1]
        # A spy has seen the hand, but worlds are dealt without that knowledge.
        if len(top) < 2 or match.kind == TARGET:
            return best(match, moves, values)
        worlds = _known(match).deal(rng, SEARCH_WORLDS)
        spot, lines = Spot(match.kind, match.side, match.pending), [(moves[place],) for place in top]
        reached = continue_all(spot, lines, worlds, SEARCH_TURNS, evaluator, rng.getrandbits(50))
        return top[int(reached.values.mean(1).argmax())]

    return pick


def _known(match: Match) -> Belief:
    """Return what the deciding player knows from their own log."""
    side, opening = match.side, match.opening
    assert opening is not None
    log = view(as_game(record(match.state.edition, 0, *opening, match)), PLAYERS[side]).record
    game = as_game(log)
    played = replay_game(game)
    story = history_of_replay(game.record, read_headers(log), played)
    assert story is not None
    beliefs = Beliefs(story, side)
    for moment in story.moments:
        beliefs.see(moment)
    return beliefs.now(played.steps[-1].state)


class Spot(NamedTuple):
    """A decision during play: its kind, its player, and the action that it is about."""

    kind: int
    side: int
    pending: int = 0


class Reached(NamedTuple):
    """What lines of moves have led to: the ``values`` for the player who decides, and the positions, both by line and
    world.
    """

    values: NDArray[np.float64]
    states: list[list[State]]


def continue_all(
    spot: Spot, lines: Sequence[Sequence[Codes]], worlds: Sequence[State], turns: int, evaluator: Evaluator, seed: int
) -> Reached:
    """Return what each of these lines of moves leads to in each world.

    The first move of a line is played, then the others as the next moves of the same turn, as far as they are legal.
    The net chooses everything else until this many turns have ended, and then values the position for the player who
    decides. The luck of busts and vote cards is subtracted: what each was worth, less the mean of all that could have
    come. This makes values differ less from world to world without changing their mean; single values may be below 0 or
    above 1.
    """
    matches = [begun(spot, world, seed + 8 * number, line[0]) for line in lines for number, world in enumerate(worlds)]
    luck = OptionBatch()
    for match in matches:
        match.luck, match.viewer = luck, spot.side
    advance(matches, evaluator, turns, _planned(spot.side, lines, matches))
    states = [match.state for match in matches]
    values = evaluator.states(states, spot.side)
    for place, match in enumerate(matches):
        if match.is_over():  # with this world's missions, since the other side has played for them
            values[place] = result(match.state, spot.side) / 2
    if luck.rows.count:
        busts = evaluator.options(luck)
        for place, match in enumerate(matches):
            for came in match.noted:
                values[place] -= busts[came] - busts[came + 1]
    count = len(worlds)
    return Reached(values.reshape(len(lines), count), [states[at : at + count] for at in range(0, len(states), count)])


def _planned(side: int, lines: Sequence[Sequence[Codes]], matches: Sequence[Match]) -> tuple[Pick, Pick]:
    """Return two players; the one of ``side`` first makes the moves of its line. Each line has the same number of
    matches.
    """
    each = len(matches) // len(lines)
    plans = {match: [*lines[place // each][1:]] for place, match in enumerate(matches)}

    def pick(match: Match, moves: list[Codes], values: NDArray[np.float64]) -> int:
        plan = plans[match]
        if plan and match.kind == MOVE and not match.turns:
            move = plan.pop(0)
            if move in moves:
                return moves.index(move)
            plan.clear()
        return best(match, moves, values)

    return (pick, best) if side == 0 else (best, pick)


def begun(spot: Spot, world: State, seed: int, move: Codes) -> Match:
    """Return a game that continues in a world with a move."""
    state = world.copy()
    if spot.kind == ON_VETO:  # the other side holds the action card that it has announced
        give_card(state, state.active, action_card(spot.pending & codes.KIND))
    match = Match(state, seed)
    match.kind, match.side, match.pending = spot
    match.choose(*move)
    return match
