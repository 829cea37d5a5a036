"""What the express lane does at one stroke: exchanges, votes, action cards and vetoes, law and mechanics in one.

As the lane itself, each of these can be too modest and never too lenient: what is not plainly legal, or where cards of
unknown identity have been through a hand, nothing is done, nothing said, and False comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..notation import tokens as t
from ..notation.cards import EGYPT, ROME, TIE, VETO
from .edition import Allowed, DrawRule
from .mechanics import CARD_OF, draw
from .mechanics.actions import clear_group
from .mechanics.votes import empty
from .state import Side, State
from .ticket import Ticket
from .vote import COLUMNS, resolve_sorted

_ALLOWED: Final = Allowed.ALLOWED
_NEVER: Final = DrawRule.NEVER
_COMPULSORY: Final = DrawRule.COMPULSORY


def exchange(side: Side, cards: t.Cards, rules: Ticket) -> bool:
    """Put away what a passive turn is begun with, if the hand is full and holds it."""
    hand = side.hand
    if not rules.exchanges or sum(hand) != rules.hand:
        return False
    for card in cards:
        if card > VETO or hand[card] < cards.count(card):
            return False
    for card in cards:
        hand[card] -= 1
    side.discards += cards
    return True


def count_votes(state: State, token: t.AnyVote, group: int) -> bool:
    """The vote itself, where the record says all about it and is right."""
    ours, theirs, left = COLUMNS[token.rome], COLUMNS[token.egypt], state.left[group]
    if ours is None or theirs is None or not left:
        return False
    rome_cards, rome_sum, rome_philosophers, rome_rest, rome_lower = ours
    egypt_cards, egypt_sum, egypt_philosophers, egypt_higher, egypt_rest = theirs
    rome, egypt = state.sides
    rome_up, rome_hidden = rome.up[group], rome.hidden[group]
    lying = rome_up + rome_hidden
    lying.sort()
    if lying != rome_cards:
        return False
    egypt_up, egypt_hidden = egypt.up[group], egypt.hidden[group]
    lying = egypt_up + egypt_hidden
    lying.sort()
    if lying != egypt_cards:
        return False
    if rome_sum > egypt_sum:
        winner = ROME
    else:
        winner, rome_rest, egypt_rest = EGYPT, rome_lower, egypt_higher
    if rome_sum == egypt_sum or rome_philosophers != egypt_philosophers:
        if rome_philosophers or egypt_philosophers:
            winner = resolve_sorted(token.rome, token.egypt, state.edition).winner  # type: ignore[arg-type]
        else:
            winner = TIE
    if winner != token.winner:
        return False
    if winner == TIE:
        rome_up += rome_hidden
        egypt_up += egypt_hidden
    else:
        (rome_gone, rome_left), (egypt_gone, egypt_left) = rome_rest, egypt_rest
        rome.up[group] = rome_left[:]
        egypt.up[group] = egypt_left[:]
        rome.discards += rome_gone
        egypt.discards += egypt_gone
        state.totals[group] = len(rome_left) + len(egypt_left)
        state.sides[winner].won[group] += 1
        state.left[group] = left = left - 1
    rome_hidden.clear()
    egypt_hidden.clear()
    if not left:
        empty(state, group)
    return True


def strike(state: State, token: t.Action, side: Side, other: Side, placed: bool, vetoed: bool) -> bool:
    """Play an action card in the first step of a turn; False where nothing was done."""
    kind = type(token)
    card, hand, edition = CARD_OF[kind], side.hand, state.edition
    if hand[card] <= 0 or card not in edition.actions or state.action or side.blurred or other.blurred:
        return False
    if not placed and edition.action_needs_influence and not any(hand[:6]):
        return False
    hand[card] -= 1
    side.discards.append(card)
    if not (_announce if vetoed else _STROKES[kind])(state, token, side, other):
        hand[card] += 1
        side.discards.pop()
        return False
    state.action = 2 if placed else 1
    state.vetoed = int(vetoed)
    return True


def refuse(state: State, token: t.Veto, other: Side) -> bool:
    """Veto the action that was announced just before; False where nothing was done."""
    if state.vetoed != 1 or other.hand[VETO] <= 0 or other.blurred:
        return False
    if not _is_replaced(other, token.draw, state.edition.veto_draw):
        return False
    other.hand[VETO] -= 1
    other.discards.append(VETO)
    state.vetoed = 2
    if token.draw is not None:
        draw(other, token.draw)
    return True


def _announce(state: State, token: t.Action, _side: Side, other: Side) -> bool:
    """An action that takes no effect, of which nothing was written but where it was to be."""
    left = state.left
    match token:
        case t.Assassinate(None, group, hidden, None):
            allowed = state.edition.assassinate_hidden or not hidden
            return bool(allowed and left[group] and (other.hidden if hidden else other.up)[group])
        case t.Scout(group, None):
            return bool(left[group] and other.hidden[group])
        case t.Wrath(group):
            return bool(left[group] and state.totals[group])
        case t.Spy(None, None, None):
            return any(other.hand)
        case _:
            return False


def _assassinate(state: State, token: t.Assassinate, _side: Side, other: Side) -> bool:
    group, card = token.group, token.card
    if token.hidden and not state.edition.assassinate_hidden:
        return False
    column = (other.hidden if token.hidden else other.up)[group]
    if token.position is not None or card not in column or not state.left[group]:
        return False
    column.remove(card)
    other.discards.append(card)
    state.totals[group] -= 1
    return True


def _scout(state: State, token: t.Scout, _side: Side, other: Side) -> bool:
    group = token.group
    hidden = other.hidden[group]
    if not state.left[group] or token.seen is None or len(token.seen) != len(hidden):
        return False
    if not hidden and state.edition.null_actions is not _ALLOWED:
        return False
    if sorted(hidden) != sorted(token.seen):
        return False
    other.up[group] += hidden
    hidden.clear()
    return True


def _wrath(state: State, token: t.Wrath, _side: Side, _other: Side) -> bool:
    group = token.group
    if not state.left[group] or not (state.totals[group] or state.edition.null_actions is _ALLOWED):
        return False
    clear_group(state, group)
    return True


def _castle(state: State, token: t.Castle, side: Side, other: Side) -> bool:
    first, second, left, edition = token.first, token.second, state.left, state.edition
    if token.cards_first is None or token.cards_second is None or first == second:
        return False
    if not (left[first] and left[second]):
        return False
    lifted = side.column(first) + side.column(second)
    if not lifted or sorted(lifted) != sorted(token.cards_first + token.cards_second):
        return False
    lie = ((first, token.cards_first), (second, token.cards_second))
    for group, cards in lie:
        total = edition.total_limit
        if len(cards) > edition.side_limit or (total is not None and len(cards) + other.count(group) > total):
            return False
    for group, cards in lie:
        state.totals[group] = len(cards) + other.count(group)
        side.up[group].clear()
        side.hidden[group][:] = cards
    return True


def _spy(state: State, token: t.Spy, _side: Side, other: Side) -> bool:
    card, drawn = token.card, token.draw
    if card is None or token.hand is not None or other.hand[card] <= 0:
        return False
    if not _is_replaced(other, drawn, state.edition.spy_draw):
        return False
    other.hand[card] -= 1
    other.discards.append(card)
    if drawn is not None:
        draw(other, drawn)
    return True


def _is_replaced(side: Side, drawn: int | None, rule: DrawRule) -> bool:
    """Whether a card that is gone may be replaced by this one, or by none."""
    if drawn is None:
        return rule is not _COMPULSORY or not side.influence_pile + side.action_pile
    if rule is _NEVER or side.unseen[drawn] <= 0:
        return False
    if drawn <= 5:
        return side.influence_pile > 0
    return side.action_pile > 0 and (side.order is None or side.order[:1] == (drawn,))


_STROKES: Final[dict[type, Callable[[State, Any, Side, Side], bool]]] = {
    t.Assassinate: _assassinate,
    t.Scout: _scout,
    t.Wrath: _wrath,
    t.Castle: _castle,
    t.Spy: _spy,
}
