"""Why one move is better than another, in numbers that were counted in the same worlds, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...notation import codes
from ...notation import tokens as t
from ...notation.cards import SOME_ACTION, SOME_INFLUENCE
from ...notation.writer import token_text
from ..analysis.wording import token_words
from ..diagnostics.names import group_name
from ..editions.edition import Edition
from ..rules import layout
from ..rules.moves.legal import as_move
from ..rules.state import State
from ..rules.vote_outcome import WINNER, decided_by
from .account import OwnChoice
from .options import ALLOW, GO_ON, ON_VETO, PILE
from .rollouts import Spot, begun

LEAST: Final = 0.03
"""A difference of chances that is worth saying."""
MOST: Final = 2
"""Reasons that are said."""


class Reason(NamedTuple):
    """The chance of winning a vote at a group if it came next: after the best move, and after the one that was made."""

    group: int
    best: float
    played: float

    @property
    def words(self) -> str:
        """Return it as a sentence without its subject."""
        return (
            f"wins the next vote at {group_name(self.group)} {_percent(self.best)} instead of {_percent(self.played)}"
        )


def reasons(choice: OwnChoice, best: tuple[int, int], played: tuple[int, int], worlds: Sequence[State]) -> list[Reason]:
    """Return the groups whose next vote differs most between two moves, with the chances counted in worlds."""
    found: list[Reason] = []
    counts = [_votes_won(choice, move, worlds) for move in (best, played)]
    for group in worlds[0].rules.groups:
        one, other = counts[0][group] / len(worlds), counts[1][group] / len(worlds)
        if abs(one - other) >= LEAST:
            found.append(Reason(int(group), one, other))
    found.sort(key=lambda reason: -abs(reason.best - reason.played))
    return found[:MOST]


def _votes_won(choice: OwnChoice, move: tuple[int, int], worlds: Sequence[State]) -> list[int]:
    """Return for each group in how many worlds its vote would be won after a move."""
    side, won = choice.belief.side, [0] * layout.GROUP_ROW
    for number, world in enumerate(worlds):
        state = begun(Spot(choice.kind, side, choice.pending), world, number, move).state
        for group in state.rules.groups:
            if state.cells[layout.LEFT + group]:
                decided = decided_by(state.rules, state.counts_at(0, group), state.counts_at(1, group))
                won[group] += decided & WINNER == side
    return won


def move_token(kind: int, code: int, more: int) -> t.Token | None:
    """Return an option of a ``kind`` of decision as it is chosen, before anybody knows what comes of it.

    None to go on without a token.
    """
    if code in (GO_ON, ALLOW):
        return None
    if kind == PILE:
        return t.Draw((SOME_INFLUENCE if code >> 4 == 1 else SOME_ACTION,))
    if kind == ON_VETO:
        drawn = (None, SOME_INFLUENCE, SOME_ACTION)[code >> 4]
        return t.Veto(drawn)
    return as_move(code & ~codes.ANNOUNCED_ONLY, more).token


def move_text(choice: OwnChoice, code: int, more: int) -> str:
    """Return an option in the notation; ``/`` goes on without a token."""
    return text_of(move_token(choice.kind, code, more))


def move_words(choice: OwnChoice, code: int, more: int) -> str:
    """Return an option in words, without its subject."""
    token = move_token(choice.kind, code, more)
    return words_of(token, choice.kind, choice.belief.side, choice.belief.state.edition)


def text_of(token: t.Token | None) -> str:
    """Return what is chosen in the notation; ``/`` goes on without a token."""
    return "/" if token is None else token_text(token)


def words_of(token: t.Token | None, kind: int, side: int, edition: Edition) -> str:
    """Return what ``side`` chooses in a ``kind`` of decision in words, without its subject."""
    if token is None:
        return "lets it happen" if kind == ON_VETO else "places and plays nothing more"
    if isinstance(token, t.Veto):
        return {None: "vetoes it", SOME_INFLUENCE: "vetoes it, drawing an influence card"}.get(
            token.draw, "vetoes it, drawing an action card"
        )
    return token_words(token, side, edition)


def _percent(chance: float) -> str:
    return f"{round(100 * chance)} %"
