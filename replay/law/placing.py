"""The law of placing influence cards, of passing and of exchanging cards."""

from __future__ import annotations

from typing import Final

from ...notation import tokens as t
from ..edition import Passive, Placement
from ..state import State
from .base import Fault, Found, holds, in_order, in_play, late_or_passive, not_held

# Bound here since a member of an enumeration is not found as quickly as a name.
_DOWN_AND_UP: Final = Placement.DOWN_AND_UP
_DOWN_OR_TWO_UP: Final = Placement.DOWN_OR_TWO_UP


def place(state: State, token: t.Place, _vetoed: bool, found: Found) -> None:
    edition = state.edition
    side = state.sides[state.active]
    group, card = token.group, token.card
    if state.stage or state.passive:
        late_or_passive(state, token, found)
    if not (side.hand[card] > 0 or holds(side, card)):
        found.append(Fault("R203", {"owner": state.active, "card": card}))
    if not state.left[group]:
        in_play(state, group, found)
    else:
        own = len(side.up[group]) + len(side.hidden[group])
        if own >= edition.side_limit:
            found.append(Fault("R204", {"card": card, "group": group, "limit": edition.side_limit}))
        elif edition.total_limit is not None and state.total(group) >= edition.total_limit:
            found.append(Fault("R205", {"card": card, "group": group, "limit": edition.total_limit}))
    if state.no_place:
        found.append(Fault("R211", {}))
    if state.final:
        return
    rule = edition.placement
    if rule is _DOWN_AND_UP:
        _down_and_up(state, token, found)
    elif rule is _DOWN_OR_TWO_UP:
        _down_or_two_up(state, token, found)
    else:
        _one_or_two_down(state, token, found)


def _down_and_up(state: State, token: t.Place, found: Found) -> None:
    up, down = state.up, state.down
    if not up and not down:
        return
    if up + down >= 2:
        found.append(Fault("R207", {"token": token, "placed": up + down}))
    elif (down if token.hidden else up) == 1:
        found.append(Fault("R210", {"token": token}))
    if state.action == 2 and up + down == 1:
        found.append(Fault("R212", {"token": token}))


def _down_or_two_up(state: State, token: t.Place, found: Found) -> None:
    up, down = state.up, state.down
    if down and token.hidden and not up:
        found.append(Fault("R210", {"token": token}))
    elif up + down >= 2:
        found.append(Fault("R207", {"token": token, "placed": up + down}))
    elif down or (up and token.hidden):
        found.append(Fault("R210", {"token": token}))
    elif not token.hidden and not up:
        held = state.sides[state.active].influence_in_hand()
        if held < 2 or not _room_for_two(state, token.group):
            found.append(Fault("R208", {"token": token, "held": held}))


def _room_for_two(state: State, group: int) -> bool:
    return state.room(state.active, group) >= 2 or state.all_room(state.active) >= 2


def _one_or_two_down(state: State, token: t.Place, found: Found) -> None:
    placed = state.up + state.down
    if placed >= 2:
        found.append(Fault("R207", {"token": token, "placed": placed}))
    if not token.hidden:
        found.append(Fault("R210", {"token": token}))


def discard(state: State, token: t.Discard, _vetoed: bool, found: Found) -> None:
    if state.stage:
        in_order(state, token, found)
    active = state.active
    found += [Fault("R203", {"owner": active, "card": card}) for card in not_held(state.sides[active], token.cards)]
    began = state.up or state.down or state.action or state.no_place
    if state.passive:
        found.append(Fault("R604", {"token": token}))
    elif state.edition.passive is Passive.NONE or began or state.final:
        if token.cards:
            found.append(Fault("R605", {"token": token}))
        elif state.up or state.down or state.no_place:
            found.append(Fault("R211", {}))
        elif state.can_place(active):
            found.append(Fault("R209" if state.final else "R206", {}))
