"""All that may come next: every legal token of the player whose turn it is, made from the rules and not by trial.

This is a second, independent reading of the rules beside :mod:`tironian.replay.law`, and the tests hold the two equal
in both directions. It speaks of games in which every card is known. Chance is listed as well: each card that a pile
can still hold, each bust or vote card that can still come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, assert_never

from ....notation import tokens as t
from ....notation.cards import EGYPT, ROME, SOME_ACTION, VETO, high_to_low
from ...edition import DeviceGone, Passive, Placement
from ..state import State
from ..vote_outcome import resolve
from .effects import EFFECTS, announced, in_piles, subsets, vetoes


class Move(NamedTuple):
    """One token that may come next; ``None`` ends the turn. ``vetoed``: an action that is announced and then vetoed."""

    token: t.Token | None
    vetoed: bool = False


END: Final = Move(None)


def actions(state: State, exchanges: Sequence[t.Cards] | None = None) -> list[Move]:
    """All moves that the rules allow at this point of the game, one token at a time.

    ``exchanges``: what the hand can give away in a passive turn, where that is not to be read from the hand.
    """
    if state.ended:
        return [END]
    if state.vetoed == 1:
        return _moves(vetoes(state))
    if state.choosing:
        return _moves(choices(state))
    found: list[Move] = []
    for step in state.edition.order[state.stage :]:
        offered = _act(state, exchanges) if step == t.ACT else LATER[step](state)
        found += offered
        if step == t.ACT:
            if stops_full(state):
                break
            if stays(state):
                return found
        elif offered and not (step == t.DRAW and state.both_out()):
            return found  # a step after the first must be taken for as long as there is something to do in it
    return [*found, END]


def _moves(tokens: Iterable[t.Token]) -> list[Move]:
    return [Move(token) for token in tokens]


def choices(state: State) -> list[t.ChooseMission]:
    """Both missions of each side that has still to choose (M1, M2)."""
    return [t.ChooseMission(side, kept) for side in (ROME, EGYPT) if state.choosing >> side & 1 for kept in (1, 2)]


# ---------------------------------------------------------------------------------- placing, acting, passing


def _act(state: State, exchanges: Sequence[t.Cards] | None) -> list[Move]:
    return _moves(placements(state)) + plays(state) + _moves(passes(state, exchanges))


def stops_full(state: State) -> bool:
    """Whether going on now ends the game, because the player should place and his side is full (N6)."""
    return not state.passive and not state.up + state.down and state.ends_at_placement()


def stays(state: State) -> bool:
    """Whether the first step demands something more before the turn goes on (D8, E6, H1)."""
    if state.passive or state.no_place:
        return False
    idle = not (state.up or state.down or state.action or state.final)  # a final turn has no passive alternative
    return owes_placement(state) or (idle and state.edition.passive is not Passive.NONE)


def owes_placement(state: State) -> bool:
    """Whether a card, or one more, has to be placed (D2, D8, E6, N4b)."""
    if state.passive or state.no_place:
        return False
    if state.final:
        owed = True
    elif state.edition.placement is Placement.DOWN_OR_TWO_UP:
        owed = not state.down and state.up < 2
    else:
        owed = not state.down + state.up
    return owed and state.can_place(state.active)


def ways_up(state: State) -> list[bool]:
    """How a card may be placed now: True for face down, False for face up; none where no card may be placed."""
    if state.passive or state.no_place or (state.action == 2 and not state.edition.action_between):
        return []
    if state.final:  # N4b: any orientation, any number
        return [True, False]
    match state.edition.placement:
        case Placement.DOWN_AND_UP:
            return [True] * (not state.down) + [False] * (not state.up)
        case Placement.ONE_OR_TWO_DOWN:
            return [True] * (state.down < 2)
        case Placement.DOWN_OR_TWO_UP:
            if state.down or state.up > 1:
                return []
            first = not state.up
            return [True] * first + [False] * (not first or two_fit(state))
        case placement:
            assert_never(placement)


def two_fit(state: State) -> bool:
    """Whether there are two influence cards in hand and two free places, so that two can go face up (D2, D11)."""
    return state.sides[state.active].influence_in_hand() > 1 and state.all_room(state.active) > 1


def placements(state: State) -> list[t.Place]:
    """Every influence card in hand, at every group with room, each allowed way up (D1–D12)."""
    hand = state.sides[state.active].hand
    ways = ways_up(state)
    return [
        t.Place(card, group, hidden)
        for hidden in ways
        for group in state.edition.groups
        if state.room(state.active, group)
        for card in range(6)
        if hand[card]
    ]


def passes(state: State, exchanges: Sequence[t.Cards] | None = None) -> list[t.Discard]:
    """The passive turn with every possible exchange (H1, H3, H4), or ``-`` for placing nothing (D9, E6)."""
    if state.passive or state.no_place or state.up or state.down:
        return []
    if state.edition.passive is not Passive.NONE and not state.action and not state.final:
        held = [card for card, copies in enumerate(state.sides[state.active].hand) for _ in range(copies)]
        return [t.Discard(some) for some in (subsets(held) if exchanges is None else exchanges)]
    return [] if state.can_place(state.active) else [t.Discard()]


# --------------------------------------------------------------------------------------------- action cards


def may_act(state: State) -> bool:
    """Whether an action may be played at this point of the first step (E1, E2, E6, E7, E9)."""
    if state.action or state.passive:
        return False
    influence = state.up or state.down or state.sides[state.active].influence_in_hand()
    return bool(influence) or not state.edition.action_needs_influence


def plays(state: State) -> list[Move]:
    """Every action with everything it can bring about; and announced only, where the opponent may veto it (E3, F7)."""
    if not may_act(state):
        return []
    hand = state.sides[state.active].hand
    tokens = [token for card, effects in EFFECTS.items() if hand[card] for token in effects(state)]
    vetoed = dict.fromkeys(map(announced, tokens)) if may_veto(state) else ()
    return _moves(tokens) + [Move(token, True) for token in vetoed]


def may_veto(state: State) -> bool:
    """Whether the opponent may hold a veto (F7, N4c)."""
    hand = state.sides[1 - state.active].hand
    return hand[VETO] > 0 or hand[SOME_ACTION] > 0


# ------------------------------------------------------------------------------------------ the other steps


def due_votes(state: State) -> list[int]:
    """The groups whose special vote has still to be held this turn (H2, I7–I12)."""
    if state.passive:
        return []
    return state.crowded() if state.pending is None else state.pending


def _special(state: State) -> list[Move]:
    return [Move(t.SpecialVote(group, *outcome(state, group))) for group in due_votes(state)]


def outcome(state: State, group: int) -> tuple[t.Cards, t.Cards, int]:
    """What a vote at a group shows, and who wins it (J1, J2)."""
    rome, egypt = (side.column(group) for side in state.sides)
    return high_to_low(rome), high_to_low(egypt), resolve(rome, egypt, state.edition).winner


def _reveal(state: State) -> list[Move]:
    return _moves(reveals(state)) if state.reveals() and not state.revealed else []


def reveals(state: State) -> list[t.Token]:
    """Every bust or vote card that can come now (I1–I6)."""
    found: list[t.Token] = []
    for group in state.edition.groups:
        if state.bag[group] and state.left[group]:
            found.append(t.Vote(group, *outcome(state, group)))
        elif state.bag[group] and state.edition.device_gone is DeviceGone.WHEN_REVEALED:
            found.append(t.PutAway(group))
    if state.blanks:
        found.append(t.NoVote(False))
    if state.edition.resets:  # it is never out: what brings everything back goes back itself
        found.append(t.NoVote(True))
    return found


def _draw(state: State) -> list[Move]:
    if not state.draw_limit():
        return []
    return [Move(t.Draw((card,))) for card in in_piles(state.sides[state.active])]


LATER: Final[dict[int, Callable[[State], list[Move]]]] = {
    t.SPECIAL: _special,
    t.REVEAL: _reveal,
    t.DRAW: _draw,
}
"""Step of a turn, of those behind the first → what it offers."""
