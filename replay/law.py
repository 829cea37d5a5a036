"""What the rules forbid. No mechanics here: nothing is changed, every violation is named, none stops the look-out.

Each function looks at one kind of token and appends a :class:`Fault` for everything that is wrong with playing it
now; for a legal token it appends nothing and makes no object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ..notation import tokens as t
from ..notation.cards import (
    PHILOSOPHER,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    VETO,
    high_to_low,
    is_influence,
    is_known,
)
from .edition import Allowed, DeviceGone, DrawRule, Passive, Placement
from .mechanics import CARD_OF, target
from .state import Side, State, is_action
from .vote import resolve


class Fault(NamedTuple):
    """A violation: its code and the facts that its message tells."""

    code: str
    facts: dict[str, Any]


Found = list[Fault]


def violations(state: State, token: t.Token | None, vetoed: bool = False) -> Found:
    """Everything that the rules forbid about this token now; None is the end of the turn. Changes nothing.

    ``vetoed`` says that an action is only announced, since a veto stands right behind it.
    """
    found: Found = []
    if token is None:
        judge_end(state, found)
    else:
        kind = token.__class__
        place = state.rank[kind.step]
        if place > state.stage or state.ended or state.choosing or state.vetoed == 1:
            judge_progress(state, token, place, found)
        if not state.ended:
            LAW[kind](state, token, vetoed, found)
    return found


def is_over(state: State) -> bool:
    """Whether the game is over here, or would be once the player had to place a card (N6)."""
    if state.ended:
        return True
    idle = state.stage == 0 and not (state.up or state.down or state.passive)
    return idle and state.ends_at_placement()


def judge_progress(state: State, token: t.Token, place: int, found: Found) -> None:
    """What must have happened before this token can come: the demands of every step that it leaves behind."""
    if state.ended or (place > state.stage and is_over(state)):
        found.append(Fault("R801", {"why": state.ended or "full"}))
        return
    if state.choosing and not isinstance(token, t.ChooseMission):
        found.append(Fault("R702", {"sides": state.choosing}))
    if state.vetoed == 1 and not isinstance(token, t.Veto):
        found.append(Fault("R318", {}))
    _leave(state, place, found)


def judge_end(state: State, found: Found) -> None:
    """What must have happened before the turn can end."""
    if is_over(state):
        return
    if state.choosing:
        found.append(Fault("R702", {"sides": state.choosing}))
    if state.vetoed == 1:
        found.append(Fault("R318", {}))
    _leave(state, len(state.edition.order), found)


def _leave(state: State, place: int, found: Found) -> None:
    """The demands of the steps from the current one up to ``place``."""
    for stage in range(state.stage, place):
        _LEAVE[state.edition.order[stage]](state, found)


def _leave_act(state: State, found: Found) -> None:
    if state.passive:
        return
    placed = state.up + state.down
    active = state.active
    if state.final:
        if state.can_place(active):
            found.append(Fault("R209", {}))
    elif not placed and state.can_place(active):
        if not state.no_place:
            found.append(Fault("R206", {}))
    elif not placed and not state.action and not state.no_place and state.edition.passive is not Passive.NONE:
        found.append(Fault("R603", {}))
    elif (
        state.up == 1
        and not state.down
        and state.edition.placement is Placement.DOWN_OR_TWO_UP
        and state.can_place(active)
    ):
        found.append(Fault("R208", {}))


def _leave_special(state: State, found: Found) -> None:
    if state.passive:
        return
    due = state.crowded() if state.pending is None else state.pending
    for group in due:
        found.append(Fault("R402", {"group": group, "count": state.total(group)}))


def _leave_reveal(state: State, found: Found) -> None:
    if not state.revealed and state.reveals():
        found.append(Fault("R405", {}))


def _leave_draw(state: State, found: Found) -> None:
    side = state.sides[state.active]
    if side.influence_pile + side.action_pile > 0:
        missing = state.draw_limit()
        if missing > 0:
            found.append(Fault("R503", {"missing": min(missing, side.influence_pile + side.action_pile)}))


_LEAVE: Final[dict[int, Callable[[State, Found], None]]] = {
    t.ACT: _leave_act,
    t.SPECIAL: _leave_special,
    t.REVEAL: _leave_reveal,
    t.DRAW: _leave_draw,
}


# ---------------------------------------------------------------------------------------- what many tokens share


def _in_play(state: State, group: int, found: Found) -> bool:
    if state.left[group]:
        return True
    if group in state.edition.groups:
        found.append(Fault("R202", {"group": group}))
    else:
        found.append(Fault("R201", {"group": group}))
    return False


def _in_order(state: State, token: t.Token, found: Found) -> None:
    place = state.rank[token.step]
    if place < state.stage:
        found.append(Fault("R601", {"step": token.step, "now": state.edition.order[state.stage]}))


def holds(side: Side, card: int) -> bool:
    """Whether a hand may hold a card, as far as the record has said what it holds."""
    if side.hand[card] > 0:
        return True
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    if card == some:
        kinds = range(0, 6) if some == SOME_INFLUENCE else range(6, 12)
        return any(side.hand[kind] for kind in kinds)
    return side.hand[some] > 0 and side.unseen[card] > 0


def _must_hold(state: State, owner: int, card: int, found: Found) -> None:
    if not holds(state.sides[owner], card):
        found.append(Fault("R203", {"owner": owner, "card": card}))


def _may_draw(side: Side, owner: int, cards: t.Cards, found: Found) -> None:
    """Whether these cards can come from the piles, one after the other (G1, G2, B8)."""
    influence = sum([is_influence(card) for card in cards])
    actions = len(cards) - influence
    if influence > side.influence_pile:
        found.append(Fault("R502", {"owner": owner, "pile": "influence", "left": side.influence_pile}))
    if actions > side.action_pile:
        found.append(Fault("R502", {"owner": owner, "pile": "action", "left": side.action_pile}))
    for card in set(cards):
        if is_known(card) and cards.count(card) > side.unseen[card]:
            found.append(Fault("R504", {"owner": owner, "card": card}))
    if actions and side.order is not None:
        drawn = [card for card in cards if is_action(card)]
        for card, expected in zip(drawn, side.order, strict=False):
            if is_known(card) and is_known(expected) and card != expected:
                found.append(Fault("R505", {"owner": owner, "card": card, "expected": expected}))
                break


# ------------------------------------------------------------------------------------------------------ placing


def _place(state: State, token: t.Place, _vetoed: bool, found: Found) -> None:
    edition = state.edition
    side = state.sides[state.active]
    group, card = token.group, token.card
    if state.stage or state.passive:
        _late_or_passive(state, token, found)
    if not (side.hand[card] > 0 or holds(side, card)):
        found.append(Fault("R203", {"owner": state.active, "card": card}))
    if not state.left[group]:
        _in_play(state, group, found)
    else:
        own = len(side.up[group]) + len(side.hidden[group])
        if own >= edition.side_limit:
            found.append(Fault("R204", {"group": group, "limit": edition.side_limit}))
        elif edition.total_limit is not None and state.total(group) >= edition.total_limit:
            found.append(Fault("R205", {"group": group, "limit": edition.total_limit}))
    if state.no_place:
        found.append(Fault("R211", {}))
    if not state.final:
        _PLACEMENT[edition.placement](state, token, found)


def _late_or_passive(state: State, token: t.Token, found: Found) -> None:
    if state.passive:
        found.append(Fault("R604", {}))
    else:
        _in_order(state, token, found)


def _down_and_up(state: State, token: t.Place, found: Found) -> None:
    up, down = state.up, state.down
    if up + down >= 2:
        found.append(Fault("R207", {"placed": up + down}))
    elif (down if token.hidden else up) == 1:
        found.append(Fault("R210", {"hidden": token.hidden}))
    if state.action == 2 and up + down == 1:
        found.append(Fault("R212", {}))


def _down_or_two_up(state: State, token: t.Place, found: Found) -> None:
    up, down = state.up, state.down
    if down and token.hidden and not up:
        found.append(Fault("R210", {"hidden": True}))
    elif up + down >= 2:
        found.append(Fault("R207", {"placed": up + down}))
    elif down or (up and token.hidden):
        found.append(Fault("R210", {"hidden": token.hidden}))
    elif not token.hidden and not up:
        side = state.sides[state.active]
        if side.influence_in_hand() < 2 or state.all_room(state.active) < 2:
            found.append(Fault("R208", {}))


def _one_or_two_down(state: State, token: t.Place, found: Found) -> None:
    placed = state.up + state.down
    if placed >= 2:
        found.append(Fault("R207", {"placed": placed}))
    if not token.hidden:
        found.append(Fault("R210", {"hidden": False}))


_PLACEMENT: Final[dict[Placement, Callable[[State, t.Place, Found], None]]] = {
    Placement.DOWN_AND_UP: _down_and_up,
    Placement.DOWN_OR_TWO_UP: _down_or_two_up,
    Placement.ONE_OR_TWO_DOWN: _one_or_two_down,
}


def _discard(state: State, token: t.Discard, _vetoed: bool, found: Found) -> None:
    if state.stage:
        _in_order(state, token, found)
    active = state.active
    for card in set(token.cards):
        side = state.sides[active]
        some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
        if side.hand[card] < token.cards.count(card) and (side.hand[some] == 0 or not holds(side, card)):
            found.append(Fault("R203", {"owner": active, "card": card}))
    began = state.up or state.down or state.action or state.no_place
    if state.passive:
        found.append(Fault("R604", {}))
    elif state.edition.passive is Passive.NONE or began or state.final:
        if token.cards:
            found.append(Fault("R605", {}))
        elif state.up or state.down:
            found.append(Fault("R211", {}))
        elif state.can_place(active):
            found.append(Fault("R209" if state.final else "R206", {}))


# ------------------------------------------------------------------------------------------------------ actions


def _action(state: State, token: t.Action, found: Found) -> None:
    """What holds for every action card (E1–E9)."""
    if state.stage or state.passive:
        _late_or_passive(state, token, found)
    if state.action:
        found.append(Fault("R301", {"vetoed": state.vetoed == 2}))
    side = state.sides[state.active]
    edition = state.edition
    if edition.action_needs_influence and not (state.up or state.down) and not side.influence_in_hand():
        found.append(Fault("R302", {}))
    card = CARD_OF[token.__class__]
    if card not in edition.actions:
        found.append(Fault("R303", {"card": card}))
    else:
        _must_hold(state, state.active, card, found)


def _assassinate(state: State, token: t.Assassinate, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    group = token.group
    if not _in_play(state, group, found):
        return
    victim = state.sides[1 - state.active]
    column = (victim.hidden if token.hidden else victim.up)[group]
    if token.hidden and not state.edition.assassinate_hidden:
        found.append(Fault("R304", {}))
    elif not column or (token.position or 0) > len(column):
        facts = {"group": group, "hidden": token.hidden, "count": len(column)}
        found.append(Fault("R305", facts))
    elif (place := target(column, token)) is None:
        if token.card is None and not vetoed:
            found.append(Fault("R307", {"group": group, "count": len(column)}))
        elif token.card is not None:
            found.append(Fault("R306", {"group": group, "card": token.card, "there": high_to_low(column)}))
    elif _contradicts(column[place], token.card) or (vetoed and token.hidden and token.card is not None):
        found.append(Fault("R306", {"group": group, "card": token.card, "there": (column[place],)}))


def _contradicts(card: int, written: int | None) -> bool:
    return written is not None and is_known(written) and is_known(card) and written != card


def _fits(shown: t.Cards, cards: list[int]) -> bool:
    """Whether cards can be those that were shown: as many, with nothing on either side that the other denies."""
    if len(shown) != len(cards):
        return False
    if sorted(shown) == sorted(cards):
        return True
    rest = list(cards)
    strange = 0
    for card in shown:
        if card in rest:
            rest.remove(card)
        else:
            strange += is_known(card)
    return strange <= rest.count(SOME_INFLUENCE)


def _scout(state: State, token: t.Scout, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if not _in_play(state, token.group, found):
        return
    hidden = state.sides[1 - state.active].hidden[token.group]
    if not hidden and state.edition.null_actions is Allowed.FORBIDDEN:
        found.append(Fault("R308", {"group": token.group}))
    if vetoed and token.seen:
        found.append(Fault("R317", {}))
    elif token.seen is not None and not vetoed and not _fits(token.seen, hidden):
        found.append(Fault("R309", {"seen": token.seen, "there": high_to_low(hidden)}))


def _wrath(state: State, token: t.Wrath, _vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if _in_play(state, token.group, found) and not state.total(token.group):
        _no_null_action(state, token.group, found)


def _no_null_action(state: State, group: int, found: Found) -> None:
    if state.edition.null_actions is Allowed.FORBIDDEN:
        found.append(Fault("R308", {"group": group}))


def _castle(state: State, token: t.Castle, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    if token.first == token.second:
        found.append(Fault("R310", {"group": token.first}))
        return
    if not (_in_play(state, token.first, found) and _in_play(state, token.second, found)):
        return
    side = state.sides[state.active]
    lifted = side.column(token.first) + side.column(token.second)
    if not lifted:
        _no_null_action(state, token.first, found)
    if token.cards_first is None or token.cards_second is None:
        return
    if vetoed:
        found.append(Fault("R317", {}))
        return
    if not _balanced((*token.cards_first, *token.cards_second), lifted):
        laid = high_to_low((*token.cards_first, *token.cards_second))
        found.append(Fault("R311", {"laid": laid, "lifted": high_to_low(lifted)}))
    other = state.sides[1 - state.active]
    for group, cards in ((token.first, token.cards_first), (token.second, token.cards_second)):
        total = state.edition.total_limit
        if len(cards) > state.edition.side_limit:
            found.append(Fault("R312", {"group": group, "limit": state.edition.side_limit}))
        elif total is not None and len(cards) + other.count(group) > total:
            found.append(Fault("R313", {"group": group, "limit": total}))


def _balanced(laid: t.Cards, lifted: list[int]) -> bool:
    if len(laid) != len(lifted):
        return False
    if SOME_INFLUENCE in laid or SOME_INFLUENCE in lifted:
        return SOME_INFLUENCE in lifted or all(laid.count(card) <= lifted.count(card) for card in laid if card <= 5)
    return sorted(laid) == sorted(lifted)


def _spy(state: State, token: t.Spy, vetoed: bool, found: Found) -> None:
    _action(state, token, found)
    owner = 1 - state.active
    victim = state.sides[owner]
    if not sum(victim.hand):
        found.append(Fault("R314", {"owner": owner}))
        return
    if vetoed:
        if token != t.Spy():
            found.append(Fault("R317", {}))
        return
    if token.card is None:
        found.append(Fault("R315", {}))
        return
    if token.hand is not None and not hand_fits(victim, token.hand):
        found.append(Fault("R316", {"owner": owner, "seen": token.hand, "there": hand_cards(victim)}))
    _must_hold(state, owner, token.card, found)
    _replacement(state, owner, token.draw, state.edition.spy_draw, "spy_draw", found)


def hand_cards(side: Side) -> t.Cards:
    """The cards of a hand, by code."""
    return tuple([card for card, count in enumerate(side.hand) for _ in range(count)])


def hand_fits(side: Side, seen: t.Cards) -> bool:
    """Whether a hand may be the one that a spy saw."""
    if len(seen) != sum(side.hand):
        return False
    for some, kinds in ((SOME_INFLUENCE, range(0, 6)), (SOME_ACTION, range(6, 12))):
        strange = sum([max(0, seen.count(card) - side.hand[card]) for card in kinds])
        if strange > side.hand[some]:
            return False
    return True


def _replacement(state: State, owner: int, card: int | None, rule: DrawRule, field: str, found: Found) -> None:
    side = state.sides[owner]
    if card is None:
        if rule is DrawRule.COMPULSORY and side.influence_pile + side.action_pile:
            found.append(Fault("R506", {"owner": owner, "field": field}))
    elif rule is DrawRule.NEVER:
        found.append(Fault("R507", {"owner": owner, "field": field}))
    else:
        _may_draw(side, owner, (card,), found)


def _veto(state: State, token: t.Veto, _vetoed: bool, found: Found) -> None:
    if state.vetoed != 1:
        found.append(Fault("R319", {}))
    owner = 1 - state.active
    _must_hold(state, owner, VETO, found)
    _replacement(state, owner, token.draw, state.edition.veto_draw, "veto_draw", found)


# -------------------------------------------------------------------------------------------------------- votes


def _vote(state: State, token: t.Vote, _vetoed: bool, found: Found) -> None:
    group = token.group
    _reveal(state, token, found)
    if group not in state.edition.groups:
        found.append(Fault("R201", {"group": group}))
    elif not state.left[group]:
        code = "R409" if state.edition.device_gone is DeviceGone.WHEN_REVEALED else "R202"
        found.append(Fault(code, {"group": group}))
    else:
        if not state.bag[group]:
            found.append(Fault("R407", {"group": group}))
        _claims(state, token, found)


def _special_vote(state: State, token: t.SpecialVote, _vetoed: bool, found: Found) -> None:
    group = token.group
    if state.passive:
        found.append(Fault("R604", {}))
    _in_order(state, token, found)
    if not _in_play(state, group, found):
        return
    due = state.crowded() if state.pending is None else state.pending
    if group not in due:
        already = state.pending is not None and state.total(group) >= state.edition.special_threshold
        found.append(Fault("R401", {"group": group, "count": state.total(group), "already": already}))
    _claims(state, token, found)


def _reveal(state: State, token: t.Token, found: Found) -> None:
    """What holds for everything that comes out of the bag or off the pile of vote cards."""
    _in_order(state, token, found)
    if state.revealed:
        found.append(Fault("R406", {}))
    elif not state.reveals():
        found.append(Fault("R404", {"passive": state.passive, "final": state.final}))


def _claims(state: State, token: t.AnyVote, found: Found) -> None:
    """What the record itself says about the vote, held against the cards that lie there (J1–J3)."""
    group = token.group
    columns = [side.column(group) for side in state.sides]
    told = True
    for owner, (shown, column) in enumerate(zip((token.rome, token.egypt), columns, strict=True)):
        if shown is not None and not _fits(shown, column):
            facts = {"owner": owner, "group": group, "shown": shown, "there": high_to_low(column)}
            found.append(Fault("C901", facts))
            told = False
    if token.winner is None or not told:
        return
    cards = [list(shown or ()) if SOME_INFLUENCE in column else column
             for shown, column in zip((token.rome, token.egypt), columns, strict=True)]  # fmt: skip
    if SOME_INFLUENCE in cards[0] or SOME_INFLUENCE in cards[1] or len(cards[0]) + len(cards[1]) < state.total(group):
        return
    outcome = resolve(cards[0], cards[1], state.edition)
    if outcome.winner != token.winner:
        philosophers = cards[0].count(PHILOSOPHER), cards[1].count(PHILOSOPHER)
        facts = {"group": group, "outcome": outcome, "winner": token.winner, "philosophers": philosophers}
        found.append(Fault("C902", {**facts, "tie": outcome.winner == TIE}))


def _no_vote(state: State, token: t.NoVote, _vetoed: bool, found: Found) -> None:
    _reveal(state, token, found)
    if not token.reset and state.blanks <= 0:
        found.append(Fault("R408", {"out": state.blanks_out}))


def _put_away(state: State, token: t.PutAway, _vetoed: bool, found: Found) -> None:
    group = token.group
    _reveal(state, token, found)
    if group not in state.edition.groups:
        found.append(Fault("R201", {"group": group}))
    elif state.left[group]:
        found.append(Fault("R410", {"group": group}))
    elif not state.bag[group]:
        found.append(Fault("R411", {"group": group}))


# ----------------------------------------------------------------------------------------- missions and drawing


def _choose(state: State, token: t.ChooseMission, _vetoed: bool, found: Found) -> None:
    if not state.choosing >> token.side & 1:
        found.append(Fault("R701", {"owner": token.side}))
    elif token.kept and token.kept > len(state.sides[token.side].missions):
        found.append(Fault("R703", {"owner": token.side, "kept": token.kept}))


def _draw(state: State, token: t.Draw, _vetoed: bool, found: Found) -> None:
    side = state.sides[state.active]
    cards = token.cards
    if state.rank[t.DRAW] < state.stage:
        _in_order(state, token, found)
    limit = state.draw_limit()
    if len(cards) > limit:
        found.append(Fault("R501", {"drawn": len(cards), "limit": limit}))
    if len(cards) == 1 and cards[0] <= 5:
        # The commonest draw by far; the same questions as in _may_draw.
        if side.influence_pile > 0 and side.unseen[cards[0]] > 0:
            return
    _may_draw(side, state.active, cards, found)


def _setup_word(state: State, token: t.Token, _vetoed: bool, found: Found) -> None:
    found.append(Fault("R602", {"token": token}))


def _unread(_state: State, _token: t.Unread, _vetoed: bool, _found: Found) -> None:
    """The reader has reported it."""


LAW: Final[dict[type, Callable[[State, Any, bool, Found], None]]] = {
    t.Place: _place,
    t.Discard: _discard,
    t.Assassinate: _assassinate,
    t.Scout: _scout,
    t.Wrath: _wrath,
    t.Castle: _castle,
    t.Spy: _spy,
    t.Veto: _veto,
    t.Vote: _vote,
    t.SpecialVote: _special_vote,
    t.NoVote: _no_vote,
    t.PutAway: _put_away,
    t.ChooseMission: _choose,
    t.Draw: _draw,
    t.Missions: _setup_word,
    t.ActionOrder: _setup_word,
    t.Hand: _setup_word,
    t.Gained: _setup_word,
    t.Spent: _setup_word,
    t.Bag: _setup_word,
    t.Unread: _unread,
}
"""Kind of token → what can be wrong with it."""
