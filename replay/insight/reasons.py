"""Why one move is better than another, in numbers that were counted in the same worlds, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...notation import codes
from ...notation import tokens as t
from ...notation.cards import SOME_ACTION, SOME_INFLUENCE
from ...notation.writer import token_text
from ..analysis.telling import token_words
from ..diagnostics.names import group_name
from ..editions.edition import Edition
from ..rules import layout
from ..rules.moves.legal import as_move
from ..rules.state import State
from ..rules.vote_outcome import LOWER_WINS, WINNER, decided_by
from .account import OwnChoice
from .options import ALLOW, GO_ON, ON_VETO, PILE
from .position import MISSION_WORDS, MISSIONS, rows_of
from .rollouts import Spot, begun
from .snapshots import CHOICE, Snapshots

LEAST: Final = 0.05
"""A difference of chances that is worth saying."""
SURE: Final = 0.9
"""Share of worlds in which something holds that is said without a number."""
MOST: Final = 2
"""Reasons that are said."""


def reasons(choice: OwnChoice, best: tuple[int, int], played: tuple[int, int], worlds: Sequence[State]) -> list[str]:
    """Return why the best move is better than the one that was made, in sentences.

    First what is plain to see, then the groups whose next vote is won more often, counted in worlds.
    """
    return [*_facts(choice, move_token(choice.kind, *played)), *_votes(choice, best, played, worlds)][:MOST]


def _facts(choice: OwnChoice, token: t.Token | None) -> Iterator[str]:
    """Yield what is plain to see of a move that was made."""
    state, side = choice.belief.state, choice.belief.side
    if isinstance(token, t.Place) and is_near_special(state, token.group):
        yield f"it was card {state.rules.special} at {group_name(token.group)}, which calls a vote there"
    if isinstance(token, t.ChooseMission) and token.kept is not None:
        shots = Snapshots()
        shots.add(state, side, CHOICE)
        _, missing, possible = rows_of(shots)[0, MISSIONS:][MISSION_WORDS * (token.kept - 1) :][:MISSION_WORDS]
        if missing > possible:
            yield "the mission that was kept can no longer be fulfilled"


def _votes(choice: OwnChoice, best: tuple[int, int], played: tuple[int, int], worlds: Sequence[State]) -> Iterator[str]:
    """Yield the groups at which a vote can come next and is won more often after the best move, most of all first."""
    found: list[tuple[float, int, str]] = []
    (won, _), (lost, lower) = (_votes_won(choice, move, worlds) for move in (best, played))
    for group in worlds[0].rules.groups:
        one, other = won[group] / len(worlds), lost[group] / len(worlds)
        may_come = worlds[0].cells[layout.BAG + group] or is_near_special(worlds[0], group)
        if one - other >= LEAST and may_come:
            chances = f"{_percent(one)} of the time, not {_percent(other)}"
            why = "; a philosopher lets the lower sum win there" if lower[group] >= SURE * len(worlds) else ""
            words = f"a vote at {group_name(group)} right after it would be won {chances}{why}"
            found.append((other - one, int(group), words))
    yield from (words for _, _, words in sorted(found))


def is_near_special(state: State, group: int) -> bool:
    """Return whether one card more calls a vote at a group."""
    return state.cells[layout.TOTAL + group] >= state.rules.special - 1


def _votes_won(choice: OwnChoice, move: tuple[int, int], worlds: Sequence[State]) -> tuple[list[int], list[int]]:
    """Return for each group in how many worlds its vote would be won after a move, and in how many by the lower sum."""
    side, won, lower = choice.belief.side, [0] * layout.GROUP_ROW, [0] * layout.GROUP_ROW
    for number, world in enumerate(worlds):
        state = begun(Spot(choice.kind, side, choice.pending), world, number, move).state
        for group in state.rules.groups:
            if state.cells[layout.LEFT + group]:
                decided = decided_by(state.rules, state.counts_at(0, group), state.counts_at(1, group))
                won[group] += decided & WINNER == side
                lower[group] += decided & LOWER_WINS != 0
    return won, lower


def move_token(kind: int, code: int, more: int) -> t.Token | None:
    """Return an option of a ``kind`` of decision as it is chosen, before anybody knows what comes of it.

    None to go on without a token.
    """
    if code in (GO_ON, ALLOW):
        return None
    if kind == PILE:
        return t.Draw((SOME_INFLUENCE if code >> 4 == 1 else SOME_ACTION,))
    if kind == ON_VETO:
        return t.Veto((None, SOME_INFLUENCE, SOME_ACTION)[code >> 4])
    return as_move(code & ~codes.ANNOUNCED_ONLY, more).token


def move_words(choice: OwnChoice, token: t.Token | None) -> str:
    """Return an option in words, without its subject."""
    state, about = choice.belief.state, ""
    if choice.kind == ON_VETO:  # the action that is about to happen, as in "a scout at the Aediles"
        action = as_move(choice.pending & ~codes.ANNOUNCED_ONLY, 0).token
        about = token_words(action, state.active, state.edition) if isinstance(action, t.Action) else ""
        about = about.removeprefix("plays ") or "the action"
    return words_of(token, choice.kind, choice.belief.side, state.edition, about)


def text_of(token: t.Token | None) -> str:
    """Return what is chosen in the notation; ``/`` goes on without a token."""
    return "/" if token is None else token_text(token)


def words_of(token: t.Token | None, kind: int, side: int, edition: Edition, about: str = "it") -> str:
    """Return what ``side`` chooses in a ``kind`` of decision in words, without its subject.

    ``about`` is what it may veto.
    """
    if token is None:
        return f"lets {about} happen" if kind == ON_VETO else "places and plays nothing more"
    if isinstance(token, t.Veto):
        drawing = {None: "", SOME_INFLUENCE: ", drawing an influence card"}.get(token.draw, ", drawing an action card")
        return f"vetoes {about}{drawing}"
    return token_words(token, side, edition)


def _percent(chance: float) -> str:
    return f"{round(100 * chance)} %"
