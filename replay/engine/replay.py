"""``replay``: the same engine as ``check``, with a snapshot of the state after every token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from ...notation.classes import dataclass, require_type
from ...notation.notebooks import display
from ...notation.reader import Game, as_game
from ...notation.record import Record, Turn
from ...notation.tokens import Assassinate, Scout, Token, chosen
from ..rules.game.game import due
from ..rules.mechanics import ImpossibleMoveError
from ..rules.state import State
from .findings import Watch
from .headers import read_headers
from .play import apply
from .result import GameEnd, game_end
from .run import AT_END, Run, run_record, run_turn_from


@dataclass(frozen=True, slots=True)
class Step:
    """One token that was carried out. ``turn`` is None for the set-up; ``token`` is None if the turn has ended.

    ``at`` is the token's index in its turn. ``state`` is a separate copy; after the last step of a turn, it is the
    state in which the next turn begins. ``place`` is the turn's index in the record, -1 for the set-up.

    >>> step = tironian.replay_game(record).at("1E.1")
    >>> step.turn.label, step.at, tironian.token_text(step.token)
    ('1E', 0, '5A')
    """

    turn: Turn | None
    at: int
    token: Token | None
    state: State
    place: int = -1

    def _repr_svg_(self) -> str | None:
        """Return the table after the step as a picture, for notebooks."""
        return display(self, "picture")


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """A game, step by step. ``steps`` begins with the set-up; ``run`` says what is wrong with the game, and
    ``record`` is its record.

    >>> played = tironian.replay_game(record)
    >>> played.steps[0].turn is None, played.run.findings
    (True, [])
    """

    steps: tuple[Step, ...]
    run: Run
    record: Record | None = None

    def __repr__(self) -> str:
        return f"<Replay of {len(self.steps)} steps>"

    def at(self, moment: str) -> Step:
        """Return the step at ``moment``: ``7E`` is the end of that turn, ``7E.2`` its second token, ``7E.0`` the step
        before it begins; ``0R`` and ``0E`` are the set-up. Raise ValueError if the replay has no such step.
        """
        require_type(moment, str, "a moment such as 7E.2")
        wanted = read_moment(moment)
        step = step_at(self, wanted.label, wanted.tokens) if wanted and not wanted.turned_up else None
        if step is None:
            raise ValueError(f"the replay has no moment “{moment}”")
        return step


def replay_game(game: Game | Record, rules: str = "") -> Replay:
    """Replay a game token by token, as far as its cards can be followed, whether its play is legal or not.

    ``rules`` names the rule set if the record's headers don't. Raise ValueError if the rule set is not known.

    >>> played = tironian.replay_game(record)
    >>> played.at("2R").state.active == tironian.Side.EGYPT
    True
    """
    game = as_game(game)
    frame = read_headers(game.record, rules)
    if frame.edition is None:
        raise ValueError("the rule set of this game is unknown: its Rules header is missing or wrong")
    steps: list[Step] = []
    run = run_record(game.record, frame, snapshots(steps))
    run.watch = None  # a function, which can't be copied
    return Replay(tuple(steps), run, game.record)


def game_end_at(record: Record, state: State) -> GameEnd:
    """Return how a game ended, given its final ``state``. Raise ValueError if its rule set is not known."""
    return game_end(record, read_headers(record), replay_game(record).run, state)


def snapshots(steps: list[Step], skip: int = 0) -> Watch:
    """Return a function that adds each step to ``steps``, with a copy of its state, except steps of the first ``skip``
    turns.
    """

    def watch(place: int, turn: Turn | None, at: int, state: State) -> None:
        if not 0 <= place < skip:
            token = None if turn is None or at == AT_END else turn.tokens[at]
            steps.append(Step(turn, at, token, state.copy(), place))

    return watch


def place_in_turn(step: Step) -> int:
    """Return how many tokens come before a step in its turn."""
    return len(step.turn.tokens) if step.turn and step.at == AT_END else step.at


class PlayedStep(NamedTuple):
    """Something that was played, or the end of a turn: the state ``before`` it, and the ``step`` that it was."""

    before: State
    step: Step

    @property
    def due(self) -> int:
        """Return what was due (rules/game)."""
        return due(self.before, 0, 0)

    @property
    def at(self) -> int:
        """Return how many tokens come before it in its turn."""
        return place_in_turn(self.step)

    @property
    def vetoed(self) -> bool:
        """Return whether it is an action that was announced and then vetoed."""
        return self.step.turn is not None and self.step.at != AT_END and self.step.turn.is_vetoed(self.step.at)


def walk(played: Replay) -> Iterator[PlayedStep]:
    """Yield everything that was played after the set-up, turn by turn, as far as the cards can be followed."""
    for last, step in pairwise(played.steps):
        if step.turn is not None:
            yield PlayedStep(last.state, step)


def replay_turn(state: State, turn: Turn) -> tuple[Step, ...]:
    """Return the steps of a turn played on from a copy of ``state``, as far as its cards can be followed."""
    steps: list[Step] = []
    run_turn_from(state.copy(), turn, snapshots(steps))
    return tuple(steps)


def is_last(step: Step, played: Replay) -> bool:
    """Return whether a step belongs to the turn within which the record may break off."""
    return step.place == played.steps[-1].place and step.turn == played.run.last


def as_announced(played: Replay) -> Replay:
    """Return the replay without the outcome of an action at which the record breaks off (E3).

    It may still be vetoed, so the cards that it would turn up may not have been seen.
    """
    turn, steps = played.run.last, played.steps
    place = next((place for place, step in enumerate(steps) if is_last(step, played) and step.token is not None), 0)
    place += len(turn.tokens) - 1 if turn else 0
    if turn is None or not 0 < place < len(steps):
        return played
    token = steps[place].token
    if not isinstance(token, Scout | Assassinate) or token != chosen(token):
        return played
    state = steps[place - 1].state.copy()
    try:
        apply(state, token, vetoed=True)
    except ImpossibleMoveError:  # the card was not in the hand, and a ruling let it stand
        return played
    return replace(played, steps=(*steps[:place], replace(steps[place], state=state)))


TURNED_UP: Final = "v"
"""The suffix of a vote's address, as in ``7E.3v``, for its first step, in which the cards are turned up."""
_MOMENT: Final = re.compile(rf"(\d{{1,4}})([RE])(?:\.(\d{{1,3}})({TURNED_UP})?)?", re.ASCII | re.IGNORECASE)


class Address(NamedTuple):
    """The end of a turn, or its ``tokens``-th token; ``turned_up`` if that is a vote that has not been decided yet."""

    label: str
    tokens: int | None = None
    turned_up: bool = False


def read_moment(text: str) -> Address | None:
    """Return the moment that a text such as ``7E``, ``7E.2`` or ``7E.2v`` names; None for any other text."""
    parts = _MOMENT.fullmatch("".join(text.split()))
    if parts is None:
        return None
    number, side, tokens, turned_up = parts.groups()
    return Address(f"{int(number)}{side.upper()}", int(tokens) if tokens else None, bool(turned_up))


def step_at(played: Replay, label: str, tokens: int | None = None) -> Step | None:
    """Return the step after the ``tokens``-th token of the turn called ``label`` (``7E``), or its last step.

    With 0 tokens the turn has not begun: the result is the step before it. ``0R`` and ``0E`` are the table before the
    first turn. None if the replay has no such step.
    """
    if label in ("0R", "0E"):
        return played.steps[0] if played.steps else None
    places = [place for place, step in enumerate(played.steps) if step.turn is not None and step.turn.label == label]
    if tokens is None:
        return played.steps[places[-1]] if places else None
    if not tokens:
        return played.steps[places[0] - 1] if places and places[0] else None
    return next((played.steps[place] for place in reversed(places) if played.steps[place].at == tokens - 1), None)


_TABLE_FIELDS: Final = attrgetter("ended", "left", "bag", "out", "blanks", "blanks_out")
_SIDE_FIELDS: Final = attrgetter(
    "hand", "influence_pile", "action_pile", "hidden", "up", "discards", "won", "missions", "kept"
)


def table_after_turn(last: State, end: State | None) -> State:
    """Return the state that shows the table after the last token of a turn; ``end`` is the state after the turn.

    If nothing else has changed, the last token ends the turn, and it is the next player's turn.
    """
    if end is None or _TABLE_FIELDS(last) != _TABLE_FIELDS(end):
        return last
    same = all(_SIDE_FIELDS(old) == _SIDE_FIELDS(new) for old, new in zip(last.sides, end.sides, strict=True))
    return end if same else last
