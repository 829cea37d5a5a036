"""What happens to the cards. No law here: whatever is written is done, as long as the cards are there to do it with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..notation import tokens as t
from ..notation.cards import (
    ASSASSINATION,
    CASTLING,
    SCOUT,
    SOME_ACTION,
    SOME_INFLUENCE,
    SPY,
    TIE,
    VETO,
    WRATH,
    is_influence,
)
from .edition import (
    DeviceGone,
    ExhaustCheck,
    FullCheck,
    OneOut,
    OrgyRemoval,
    OrgyVariant,
    Passive,
    YesNo,
)
from .state import Side, State
from .vote import Outcome, losses, resolve

CARD_OF: Final = {
    t.Assassinate: ASSASSINATION,
    t.Scout: SCOUT,
    t.Wrath: WRATH,
    t.Castle: CASTLING,
    t.Spy: SPY,
}
"""Action token → the card that is played."""


class Impossible(Exception):
    """The cards for what is written are not there, so that nobody can say how the game went on."""


class Unknowable(Exception):
    """The record leaves out cards on which everything after depends; nothing is wrong with it."""


def apply(state: State, token: t.Token | None, vetoed: bool = False) -> None:
    """Carry out one token; None ends the turn and prepares the next.

    ``vetoed`` says that an action is only announced, since a veto stands right behind it. Impossible or Unknowable
    where the cards don't allow to go on; the state must then not be used any more.
    """
    if token is None:
        end_turn(state)
        return
    kind = token.__class__
    place = state.rank[kind.step]
    if place > state.stage:
        advance(state, place)
    APPLY[kind](state, token, vetoed)


def advance(state: State, place: int) -> None:
    """Go on to a later step of the turn."""
    if state.stage == 0 and not (state.up or state.down or state.passive):
        _end_at_placement(state)
    state.stage = place


def _end_at_placement(state: State) -> None:
    if not state.ended and state.ends_at_placement():
        state.ended = "full"


def end_turn(state: State) -> None:
    """End the turn: find the end of the game, or whose turn is next."""
    if state.ended:
        return
    advance(state, len(state.edition.order) - 1)
    if state.ended:
        return
    rome, egypt = state.sides
    if rome.is_out() and egypt.is_out():
        state.ended = "exhausted"
    elif state.final:
        state.ended = "final_turn"
    else:
        following = 1 - state.active
        if state.sides[following].is_out() and state.edition.one_out is not OneOut.SKIP_A:
            following = state.active
        if following in (state.starter, state.active):
            state.number += 1
        state.active = following
        state.first_turn = False
        begin_turn(state)


def begin_turn(state: State) -> None:
    """Prepare the turn of the active side; the game may turn out to be over (N4, N5, N6)."""
    state.clear_turn()
    rule = state.edition.one_out
    state.lone = state.sides[1 - state.active].is_out()
    state.final = state.lone and rule is OneOut.FINAL_TURN
    stuck = state.final or (state.lone and rule is OneOut.NO_DRAWS)
    if stuck and not state.sides[state.active].influence_in_hand():
        state.ended = "hand_played"
    elif (
        state.edition.full_check is not FullCheck.AT_PLACEMENT
        and state.ends_when_full()
        and state.is_full(state.active)
    ):
        state.ended = "full"


def _look_for_the_end(state: State) -> None:
    """The readings that end a game in the middle of a turn (N3, N6)."""
    edition, (rome, egypt) = state.edition, state.sides
    if state.ended:
        return
    if edition.exhaust_check is ExhaustCheck.IMMEDIATE and rome.is_out() and egypt.is_out():
        state.ended = "exhausted"
    elif edition.full_check is FullCheck.IMMEDIATE and state.ends_when_full() and state.is_full(state.active):
        state.ended = "full"


# ------------------------------------------------------------------------------------------- hands and piles


def take(side: Side, card: int) -> None:
    """A card leaves the hand."""
    hand = side.hand
    if hand[card] > 0 and card < SOME_INFLUENCE:
        hand[card] -= 1
        return
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    if card == some:
        forget(side, some)
    if hand[some] <= 0:
        raise Impossible
    hand[some] -= 1
    if card != some:
        side.unseen[card] -= 1


def forget(side: Side, some: int) -> None:
    """Nobody can say any more which cards of a kind are in the hand: one of unknown identity left it."""
    for card in range(0, 6) if some == SOME_INFLUENCE else range(6, 12):
        side.unseen[card] += side.hand[card]
        side.hand[some] += side.hand[card]
        side.hand[card] = 0


def lend(side: Side, card: int) -> None:
    """Make room for a card that the hand should not hold, so that what was ruled to stand can be replayed."""
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    forget(side, some)
    if side.hand[some]:
        return
    if some == SOME_INFLUENCE and side.influence_pile:
        side.influence_pile -= 1
    elif some == SOME_ACTION and side.action_pile:
        side.action_pile -= 1
    else:
        raise Impossible
    side.hand[some] += 1


def draw(side: Side, card: int) -> None:
    """A card comes into the hand from the pile of its kind."""
    side.hand[card] += 1
    if card <= 5 or card == SOME_INFLUENCE:
        side.influence_pile -= 1
        if card != SOME_INFLUENCE:
            side.unseen[card] -= 1
    else:
        side.action_pile -= 1
        if side.order is not None:
            side.order = side.order[1:]
        if card != SOME_ACTION:
            side.unseen[card] -= 1


def identified(side: Side, hidden: list[int], seen: t.Cards | None) -> list[int]:
    """Hidden cards with the names that ``seen`` gives to those whose identity nobody had written down."""
    if SOME_INFLUENCE not in hidden or seen is None:
        return hidden
    rest = list(seen)
    for card in hidden:
        if card in rest:
            rest.remove(card)
    named = []
    for card in hidden:
        if card == SOME_INFLUENCE and rest:
            card = rest.pop()
            if card != SOME_INFLUENCE:
                side.unseen[card] -= 1
        named.append(card)
    return named


# ------------------------------------------------------------------------------------------------ the tokens


def _place(state: State, token: t.Place, _vetoed: bool) -> None:
    side = state.sides[state.active]
    card = token.card
    hand = side.hand
    if hand[card] > 0 and card <= 5:
        hand[card] -= 1
    else:
        take(side, card)
    if token.hidden:
        side.hidden[token.group].append(card)
        state.down += 1
    else:
        side.up[token.group].append(card)
        state.up += 1
    if state.watch:
        _look_for_the_end(state)


def _play(state: State, card: int, vetoed: bool) -> bool:
    """The action card leaves the hand; whether it takes effect."""
    side = state.sides[state.active]
    take(side, card)
    side.discards[card] += 1
    state.action = 2 if state.up + state.down else 1
    state.vetoed = int(vetoed)
    return not vetoed


def _assassinate(state: State, token: t.Assassinate, vetoed: bool) -> None:
    if not _play(state, ASSASSINATION, vetoed):
        return
    victim = state.sides[1 - state.active]
    column = (victim.hidden if token.hidden else victim.up)[token.group]
    place = target(column, token)
    if place is None:
        raise Impossible
    card = column.pop(place)
    if card == SOME_INFLUENCE and token.card is not None and token.card != SOME_INFLUENCE:
        card = token.card
        victim.unseen[card] -= 1
    victim.discards[card] += 1


def target(column: list[int], token: t.Assassinate) -> int | None:
    """The place in the column of the card that an assassination hits; None where it can't be told or isn't there."""
    if token.position is not None:
        return token.position - 1 if token.position <= len(column) else None
    if token.card in column:
        return column.index(token.card)
    if SOME_INFLUENCE in column:
        return column.index(SOME_INFLUENCE)
    return 0 if token.card is None and column and len(set(column)) == 1 else None


def _scout(state: State, token: t.Scout, vetoed: bool) -> None:
    if not _play(state, SCOUT, vetoed):
        return
    victim = state.sides[1 - state.active]
    hidden = victim.hidden[token.group]
    victim.up[token.group] += identified(victim, hidden, token.seen)
    hidden.clear()


def _wrath(state: State, token: t.Wrath, vetoed: bool) -> None:
    if _play(state, WRATH, vetoed):
        _clear_group(state, token.group)


def _clear_group(state: State, group: int) -> None:
    """All influence cards of a group go to their owners' discard piles."""
    for side in state.sides:
        for column in (side.up[group], side.hidden[group]):
            for card in column:
                side.discards[card] += 1
            column.clear()


def _castle(state: State, token: t.Castle, vetoed: bool) -> None:
    if not _play(state, CASTLING, vetoed):
        return
    side = state.sides[state.active]
    lifted = side.column(token.first) + side.column(token.second)
    first, second = token.cards_first, token.cards_second
    if first is None or second is None:
        if lifted:
            raise Unknowable
        return
    laid = [*first, *second]
    if len(laid) != len(lifted):
        raise Impossible
    # What is lifted goes back among the unseen, what is laid down comes out: the known identities must balance.
    for card in lifted:
        side.unseen[card] += card < SOME_INFLUENCE
    for card in laid:
        side.unseen[card] -= card < SOME_INFLUENCE
    for group, cards in ((token.first, first), (token.second, second)):
        side.up[group].clear()
        side.hidden[group][:] = cards


def _spy(state: State, token: t.Spy, vetoed: bool) -> None:
    if not _play(state, SPY, vetoed):
        return
    if token.card is None:
        raise Unknowable
    victim = state.sides[1 - state.active]
    if token.hand is not None:
        _name_hand(victim, token.hand)
    take(victim, token.card)
    victim.discards[token.card] += 1
    if token.draw is not None:
        draw(victim, token.draw)
    if state.watch:
        _look_for_the_end(state)


def _name_hand(side: Side, cards: t.Cards) -> None:
    """Give the unknown cards of a hand the names under which a spy saw them."""
    for some in (SOME_INFLUENCE, SOME_ACTION):
        for card in range(0, 6) if some == SOME_INFLUENCE else range(6, 12):
            new = min(cards.count(card) - side.hand[card], side.hand[some])
            if new > 0:
                side.hand[some] -= new
                side.hand[card] += new
                side.unseen[card] -= new


def _veto(state: State, token: t.Veto, _vetoed: bool) -> None:
    side = state.sides[1 - state.active]
    take(side, VETO)
    side.discards[VETO] += 1
    state.vetoed = 2
    if token.draw is not None:
        draw(side, token.draw)


def _discard(state: State, token: t.Discard, _vetoed: bool) -> None:
    side = state.sides[state.active]
    for card in token.cards:
        take(side, card)
        side.discards[card] += 1
    began = state.up or state.down or state.action or state.no_place or state.final
    if state.edition.passive is not Passive.NONE and not began:
        state.passive = True
        state.discarded += len(token.cards)
        if state.watch:
            _look_for_the_end(state)
    else:
        state.no_place = True
        if state.ends_at_placement() and not state.up + state.down:
            state.ended = "full"


def _draw(state: State, token: t.Draw, _vetoed: bool) -> None:
    side = state.sides[state.active]
    hand, unseen = side.hand, side.unseen
    for card in token.cards:
        if card <= 5:
            hand[card] += 1
            unseen[card] -= 1
            side.influence_pile -= 1
        else:
            draw(side, card)
    if state.passive:
        state.discarded = max(0, state.discarded - len(token.cards))


# ------------------------------------------------------------------------------------------------- the votes


def _vote(state: State, token: t.Vote, _vetoed: bool) -> None:
    group = token.group
    state.revealed = True
    state.bag[group] = 0
    state.out[group] = 1
    hold_vote(state, token)


def _special_vote(state: State, token: t.SpecialVote, _vetoed: bool) -> None:
    if state.pending is None:
        state.pending = state.crowded()
    group = token.group
    if group in state.pending:
        state.pending.remove(group)
    outcome = hold_vote(state, token)
    again = state.edition.special_repeat is YesNo.YES and outcome.winner != TIE
    if again and state.left[group] and state.total(group) >= state.edition.special_threshold:
        state.pending.insert(0, group)


def turn_up(state: State, token: t.AnyVote) -> None:
    """All cards of the group are turned face up; those that nobody knew get the names that the vote shows."""
    for side, shown in zip(state.sides, (token.rome, token.egypt), strict=True):
        hidden, up = side.hidden[token.group], side.up[token.group]
        if SOME_INFLUENCE in up:
            up[:] = identified(side, up + hidden, shown)
            hidden.clear()
        elif hidden:
            unknown = SOME_INFLUENCE in hidden and shown is not None
            up += identified(side, hidden, _without(shown or (), up)) if unknown else hidden
            hidden.clear()


def _without(cards: t.Cards, others: list[int]) -> t.Cards:
    rest = list(cards)
    for card in others:
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def hold_vote(state: State, token: t.AnyVote) -> Outcome:
    """Turn up, compare, give the patrician, discard; the record's winner counts where it names another (J2–J8)."""
    turn_up(state, token)
    group = token.group
    rome, egypt = state.sides
    cards = (rome.up[group], egypt.up[group])
    if SOME_INFLUENCE in cards[0] or SOME_INFLUENCE in cards[1]:
        raise Unknowable
    outcome = resolve(*cards, state.edition)
    if token.winner is not None and token.winner != outcome.winner:
        outcome = as_written(outcome, token.winner, cards)
    for side, gone in zip(state.sides, outcome.gone, strict=True):
        if gone:
            up, discards = side.up[group], side.discards
            for card in gone:
                up.remove(card)
                discards[card] += 1
    if outcome.winner != TIE:
        state.sides[outcome.winner].won[group] += 1
        state.left[group] -= 1
        if not state.left[group]:
            _empty(state, group)
    return outcome


def as_written(outcome: Outcome, winner: int, cards: tuple[list[int], list[int]]) -> Outcome:
    """The outcome that the table gave the vote, right or wrong: who lost what follows from who was said to win."""
    if winner == TIE:
        return outcome._replace(winner=TIE, gone=((), ()))
    higher = 1 - winner if outcome.lower_wins else winner
    return outcome._replace(winner=winner, gone=losses(tuple(cards[0]), tuple(cards[1]), higher))


def _empty(state: State, group: int) -> None:
    """The last patrician of a group has been won (L1, L2, L3, M1, P1)."""
    _clear_group(state, group)
    state.emptied += 1
    edition = state.edition
    if edition.device_gone is DeviceGone.AT_ONCE:
        state.bag[group] = state.out[group] = 0
    if edition.orgy_variant is OrgyVariant.A and edition.orgy_removal is OrgyRemoval.AT_ONCE and state.emptied == 2:
        if state.blanks_out:
            state.blanks_out -= 1
        else:
            state.blanks -= 1
        state.orgy_removed = True
    if state.emptied == 1 and edition.missions_dealt > 1:
        state.choosing = 3
    if not any(state.left):
        state.ended = "patricians"


def _no_vote(state: State, token: t.NoVote, _vetoed: bool) -> None:
    state.revealed = True
    if token.reset:
        for group in state.edition.groups:
            state.bag[group] += state.out[group]
            state.out[group] = 0
        state.blanks += state.blanks_out
        state.blanks_out = 0
        return
    state.blanks -= 1
    if _orgy_leaves(state):
        state.orgy_removed = True
    else:
        state.blanks_out += 1


def _orgy_leaves(state: State) -> bool:
    """Variant A: the first plain orgy that is revealed after two groups are gone leaves the game (P1)."""
    edition = state.edition
    variant = edition.orgy_variant is OrgyVariant.A and edition.orgy_removal is OrgyRemoval.WHEN_REVEALED
    return variant and state.emptied >= 2 and not state.orgy_removed


def _put_away(state: State, token: t.PutAway, _vetoed: bool) -> None:
    state.bag[token.group] = 0


def _choose(state: State, token: t.ChooseMission, _vetoed: bool) -> None:
    state.choosing &= ~(1 << token.side)
    state.sides[token.side].kept = token.kept or 0


def _nothing(_state: State, _token: t.Token, _vetoed: bool) -> None:
    """Tokens that move no card."""


APPLY: Final[dict[type, Callable[[State, Any, bool], None]]] = {
    t.Place: _place,
    t.Assassinate: _assassinate,
    t.Scout: _scout,
    t.Wrath: _wrath,
    t.Castle: _castle,
    t.Spy: _spy,
    t.Veto: _veto,
    t.Discard: _discard,
    t.Draw: _draw,
    t.Vote: _vote,
    t.SpecialVote: _special_vote,
    t.NoVote: _no_vote,
    t.PutAway: _put_away,
    t.ChooseMission: _choose,
    t.Missions: _nothing,
    t.ActionOrder: _nothing,
    t.Hand: _nothing,
    t.Gained: _nothing,
    t.Spent: _nothing,
    t.Bag: _nothing,
    t.Unread: _nothing,
}
"""Kind of token → what it does."""
