"""A moment of a game: a step of its replay as somebody sees it, and where a record has it."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.language import phrase, plural
from ...notation.reader import Game
from ...notation.record import Turn
from ..engine.findings import AT_END
from ..engine.headers import HeaderInfo, View
from ..engine.replay import Replay, Step, as_announced, read_moment, replay_game, step_at, table_after_turn
from ..engine.result import game_end, no_table_reason
from ..engine.shown import ballot
from ..knowledge.redaction import seen_tokens
from ..knowledge.table_view import TableView, view_table
from ..rules.state import State
from .events import VoteScene, scene_between, turned_up


class NoMoment(Exception):
    """A game, or a moment of it, can't be shown; the text says why."""


class ShownMoment(NamedTuple):
    """A step in a game as ``view`` sees it. A vote also has a ``scene``, unless the moment is a whole turn.

    ``turned_up`` is the state with the cards of the vote turned up, before it is decided.
    """

    step: Step
    view: View
    scene: VoteScene | None = None
    turned_up: State | None = None

    def seen(self) -> tuple[Turn, t.Token] | None:
        """Return the turn, and its token as it is seen; a whole turn and the set-up have no token."""
        step = self.step
        if step.turn is None or step.token is None:
            return None
        return step.turn, seen_tokens(step.turn, self.view)[step.at]


def replayed_to_show(game: Game, frame: HeaderInfo, rules: str = "") -> Replay:
    """Return a game replayed as far as its cards can be followed; ``frame`` is what its headers say, and ``rules`` its
    rule set if they don't. Raise NoMoment if it can't even begin.
    """
    try:
        played = as_announced(replay_game(game, rules))
    except ValueError as error:
        raise NoMoment(phrase("{error}; give --rules", error=error)) from None
    if not played.steps:
        raise NoMoment(no_table_reason(game.record, frame, played.run))
    return played


def step_shown(game: Game, played: Replay, at: str | None) -> tuple[Step, str]:
    """Return the step of a replayed game at a moment (the last step for None), and a sentence if the record goes on but
    the replay does not. Raise ValueError if ``at`` is no moment, NoMoment if the game has no such moment.
    """
    if at is None:
        step = played.steps[-1]
        return step, beyond(phrase("the set-up") if step.turn is None else step.turn.label) * played.run.stopped
    if (wanted := read_moment(at)) is None:
        how = phrase("write 7E, 7E.2 for its second token, or 7E.2v for a vote before it is decided")
        raise ValueError(phrase("“{text}” is not a turn: {how}", text=at, how=how))
    label, tokens, turned = wanted
    if (step := step_at(played, label, tokens)) is None:
        raise NoMoment(_why_not(game, label, tokens or 0))
    if turned and not isinstance(step.token, t.Vote | t.SpecialVote):
        raise NoMoment(
            phrase("{turn}.{token} is not a vote, so no cards are turned up there", turn=label, token=tokens)
        )
    whole = tokens is not None or step.at == AT_END
    return step, "" if whole else phrase("the cards can't be followed to the end of {turn}", turn=label)


def moment_shown(game: Game, played: Replay, view: View, at: str | None) -> tuple[ShownMoment, str]:
    """Return the step at a moment as ``view`` sees it, and the sentence of :func:`step_shown`."""
    step, cut = step_shown(game, played, at)
    wanted = read_moment(at or "")
    if wanted is None or wanted.tokens is None or not isinstance(step.token, t.Vote | t.SpecialVote):
        return ShownMoment(step, view), cut
    before = next(last.state for last, each in pairwise(played.steps) if each is step)
    scene = scene_between(before, ballot(before, step.token), step.state)
    return ShownMoment(step, view, scene, turned_up(before, step.token) if wanted.turned_up else None), cut


def table_shown(game: Game, frame: HeaderInfo, played: Replay, moment: ShownMoment) -> TableView:
    """Return the table at a moment."""
    steps, step = played.steps, moment.step
    end = next((last.state for last, each in pairwise(reversed(steps)) if each is step and last.at == AT_END), None)
    closed = game_end(game.record, frame, played.run, steps[-1].state)
    return view_table(moment.turned_up or table_after_turn(step.state, end), moment.view, closed)


def beyond(turn: str) -> str:
    """Return a sentence that says up to which turn the cards can be followed."""
    return phrase("the cards can't be followed beyond {turn}", turn=turn) if turn else ""


def _why_not(game: Game, label: str, tokens: int) -> str:
    turns = [turn for turn in game.record.turns if turn.label == label]
    if not turns:
        if not game.record.turns:
            return phrase("there is no turn {turn} in this record", turn=label)
        last = game.record.turns[-1].label
        return phrase("there is no turn {turn} in this record, which ends with {last}", turn=label, last=last)
    count = max(len(turn.tokens) for turn in turns)
    if tokens > count:
        return plural("{turn} has only {count} token", "{turn} has only {count} tokens", count, turn=label)
    return phrase("the replay does not reach {turn}; tiro check says why", turn=label)
