"""The law of the action cards and of the veto."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import SOME_ACTION, SOME_INFLUENCE, SPY, VETO, high_to_low, is_influence, is_known
from ..edition import Allowed
from ..mechanics import CARD_OF, target
from ..state import Side, State
from .base import Fault, Found, fits, in_play, late_or_passive, must_hold, replacement


def _action(state: State, token: t.Action, found: Found) -> None:
    """What holds for every action card (E1–E9)."""
    side, edition, card = state.sides[state.active], state.edition, CARD_OF[token.__class__]
    if state.stage or state.passive:
        late_or_passive(state, token, found)
    if state.action:
        found.append(Fault("R301", {"card": card, "vetoed": state.vetoed == 2}))
    if not (state.up or state.down) and edition.action_needs_influence and not side.influence_in_hand():
        found.append(Fault("R302", {"card": card}))
    if card not in edition.actions:
        found.append(Fault("R303", {"card": card}))
    elif side.hand[card] <= 0:
        must_hold(state, state.active, card, found)


def assassinate(state: State, token: t.Assassinate, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    group = token.group
    if not in_play(state, group, found):
        return
    victim = state.sides[1 - state.active]
    column = (victim.hidden if token.hidden else victim.up)[group]
    if token.hidden and not state.edition.assassinate_hidden:
        found.append(Fault("R304", {"group": group}))
    elif not column or (token.position or 0) > len(column):
        facts = {"group": group, "hidden": token.hidden, "count": len(column)}
        found.append(Fault("R305", facts))
    elif vetoed and token.hidden and token.card is not None and is_known(token.card):
        found.append(Fault("R317", {"token": token}))
    elif (place := target(column, token)) is None:
        if token.card is None and not vetoed and SOME_INFLUENCE not in column:
            found.append(Fault("R307", {"group": group, "count": len(column)}))
        elif token.card is not None and is_known(token.card):
            found.append(Fault("R306", {"group": group, "card": token.card, "there": high_to_low(column)}))
    elif not _can_be(victim, column[place], token.card):
        found.append(Fault("R306", {"group": group, "card": token.card, "there": (column[place],)}))


def _can_be(side: Side, lying: int, written: int | None) -> bool:
    if written is None or written == lying or not is_known(written):
        return True
    return lying == SOME_INFLUENCE and side.unseen[written] > 0


def scout(state: State, token: t.Scout, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if not in_play(state, token.group, found):
        return
    hidden = state.sides[1 - state.active].hidden[token.group]
    if not hidden and state.edition.null_actions is Allowed.FORBIDDEN:
        found.append(Fault("R308", {"token": token}))
    if vetoed and token.seen:
        _only_announced(token, token.seen, found)
    elif token.seen is not None and not vetoed and not fits(state.sides[1 - state.active], token.seen, hidden):
        found.append(Fault("R309", {"group": token.group, "seen": token.seen, "there": high_to_low(hidden)}))


def wrath(state: State, token: t.Wrath, _vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if in_play(state, token.group, found) and not state.total(token.group):
        _no_null_action(state, token, found)


def _no_null_action(state: State, token: t.Action, found: Found) -> None:
    if state.edition.null_actions is Allowed.FORBIDDEN:
        found.append(Fault("R308", {"token": token}))


def castle(state: State, token: t.Castle, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if token.first == token.second:
        found.append(Fault("R310", {"group": token.first}))
        return
    if not (in_play(state, token.first, found) and in_play(state, token.second, found)):
        return
    side = state.sides[state.active]
    lifted = side.column(token.first) + side.column(token.second)
    if not lifted:
        _no_null_action(state, token, found)
    if token.cards_first is None or token.cards_second is None:
        return
    if vetoed:
        _only_announced(token, (*token.cards_first, *token.cards_second), found)
        return
    laid = high_to_low((*token.cards_first, *token.cards_second))
    if not fits(side, laid, lifted):
        found.append(Fault("R311", {"token": token, "laid": laid, "lifted": high_to_low(lifted)}))
    other = state.sides[1 - state.active]
    for group, cards in ((token.first, token.cards_first), (token.second, token.cards_second)):
        total = state.edition.total_limit
        if len(cards) > state.edition.side_limit:
            found.append(Fault("R312", {"group": group, "limit": state.edition.side_limit}))
        elif total is not None and len(cards) + other.count(group) > total:
            found.append(Fault("R313", {"group": group, "limit": total}))


def _only_announced(token: t.Action, cards: t.Cards, found: Found) -> None:
    """Of a vetoed action nobody sees a card; one that is written as unknown says nothing (E3, F8)."""
    if any(is_known(card) for card in cards):
        found.append(Fault("R317", {"token": token}))


def spy(state: State, token: t.Spy, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if SPY not in state.edition.actions:
        return
    owner = 1 - state.active
    victim = state.sides[owner]
    if not sum(victim.hand):
        found.append(Fault("R314", {"owner": owner}))
        return
    if vetoed:
        if token != t.Spy():
            found.append(Fault("R317", {"token": token}))
        return
    if token.card is None:
        found.append(Fault("R315", {"owner": owner}))
        return
    if token.hand is not None and not hand_fits(victim, token.hand):
        found.append(Fault("R316", {"owner": owner, "seen": token.hand, "there": hand_cards(victim)}))
    elif token.hand is not None and not _is_among(token.card, token.hand):
        found.append(Fault("R203", {"owner": owner, "card": token.card}))
    else:
        must_hold(state, owner, token.card, found)
    replacement(state, owner, token.draw, state.edition.spy_draw, "spy_draw", found)


def hand_cards(side: Side) -> t.Cards:
    """The cards of a hand, by code."""
    return tuple([card for card, count in enumerate(side.hand) for _ in range(count)])


def hand_fits(side: Side, seen: t.Cards) -> bool:
    """Whether a hand may be the one that a spy saw."""
    if len(seen) != sum(side.hand) or sum([is_influence(card) for card in seen]) != side.influence_in_hand():
        return False
    for some, kinds in ((SOME_INFLUENCE, range(6)), (SOME_ACTION, range(6, 12))):
        strange = [(card, seen.count(card) - side.hand[card]) for card in kinds if seen.count(card) > side.hand[card]]
        if sum([count for _, count in strange]) > side.hand[some]:
            return False
        if any(count > side.unseen[card] for card, count in strange):
            return False
    return True


def _is_among(card: int, seen: t.Cards) -> bool:
    """Whether a card may be one of those that a spy saw."""
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    if card == some:
        return any(is_influence(each) == is_influence(some) for each in seen)
    return card in seen or some in seen


def veto(state: State, token: t.Veto, _vetoed: bool, found: Found) -> None:
    if state.vetoed != 1:
        found.append(Fault("R319", {}))  # nobody can say whose card it would be
        return
    owner = 1 - state.active
    must_hold(state, owner, VETO, found)
    replacement(state, owner, token.draw, state.edition.veto_draw, "veto_draw", found)
