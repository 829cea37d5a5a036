"""A player who plays at random, but not without sense: games in which everything happens that can happen.

He asks :mod:`tironian.replay.legal` what a step demands and allows, and picks one token without listing all others:
a castling or an exchange is dealt out, not chosen from hundreds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Final, TypeVar

from ..notation import tokens as t
from ..notation.cards import ASSASSINATION, CASTLING, PHILOSOPHER, SCOUT, SPY, VETO, WRATH, high_to_low
from .edition import DeviceGone, DrawRule, Passive
from .rules.moves.effects import announced, assassinations, most, open_groups, scouts, without_effect, wraths
from .rules.moves.legal import END, Move, due_votes, may_act, outcome, owes_placement, stops_full, ways_up
from .rules.state import Side, State


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays. The first six are chances, the others weights of a choice."""

    passive: float = 0.06
    """Passing without need."""
    act: float = 0.45
    """Playing an action where one may be played."""
    veto: float = 0.4
    """Vetoing an action, with a veto in hand."""
    second: float = 0.85
    """Placing two cards where one would do."""
    hidden: float = 0.5
    """Face down rather than face up."""
    actions: float = 0.25
    """Drawing from the action pile."""
    close: float = 1.0
    """Placing where the fight is close."""
    crowd: float = 1.0
    """Placing where many cards lie."""
    high: float = 0.5
    """Placing and hitting high cards first."""


CHARACTERS: Final = (
    Style(),
    Style(passive=0.35, act=0.3, veto=0.6),
    Style(act=0.12, veto=0.1, second=0.35, hidden=0.9, actions=0.1, high=-0.5),  # saves what he has
    Style(act=0.15, actions=0.08, close=0.2, crowd=0.0, high=0.0),  # something everywhere
    Style(act=0.7, second=1.0, hidden=0.25, actions=0.3, close=0.5, crowd=4.0, high=1.0),  # in a hurry
    Style(act=0.25, second=1.0, hidden=0.1, actions=0.05, close=0.0, crowd=0.0),  # drops cards as fast as he can
)


def style(rng: Random) -> Style:
    """Somebody's way of playing: one of the characters, each weight a little off."""
    base = rng.choice(CHARACTERS)
    return Style(*[getattr(base, field.name) * rng.uniform(0.75, 1.2) for field in fields(Style)])


Styles = tuple[Style, Style]
_Thing = TypeVar("_Thing")


def next_move(state: State, rng: Random, styles: Styles) -> Move:
    """What comes next in the game: a player's choice, or chance."""
    if state.ended:
        return END
    if state.vetoed == 1:
        return Move(_veto(state, rng))
    if state.choosing:
        return Move(t.ChooseMission(0 if state.choosing & 1 else 1, rng.randint(1, 2)))
    own = styles[state.active]
    if state.stage == 0:
        move = _act(state, rng, own, styles[1 - state.active])
        if move is not None:
            return move
    for step in state.edition.order[max(state.stage, 1) :]:
        token = _STEPS[step](state, rng, own)
        if token is not None:
            return Move(token)
    return END


def _act(state: State, rng: Random, own: Style, other: Style) -> Move | None:
    """A move of the first step; None to go on."""
    idle = not (state.up or state.down or state.action)
    if _passes(state, rng, own, idle):
        return Move(_exchange(state, rng))
    done = state.final and state.no_place  # whoever says that nothing fits has played his action before
    if not done and may_act(state) and rng.random() < _eagerness(state, own):
        token = _action(state, rng, own)
        if token is not None:
            veto = state.sides[1 - state.active].hand[VETO] and rng.random() < other.veto
            return Move(announced(token), True) if veto else Move(token)
    owed = owes_placement(state)
    if owed or ((state.up or state.down) and rng.random() < own.second):
        place = _place(state, rng, own)
        if place is not None:
            return Move(place)
    if owed or state.passive or state.no_place or state.up or state.down:
        return None
    ends, compulsory = stops_full(state), state.edition.passive is Passive.NONE
    if (state.action or (compulsory and not ends)) and rng.random() < 0.5:
        return END if ends else None
    return Move(t.Discard())


def _eagerness(state: State, own: Style) -> float:
    if not state.sides[state.active].influence_in_hand():
        return max(own.act, 0.8)  # only actions in hand: nothing else makes room for other cards
    return own.act * (1.0 if state.up + state.down != 1 else 0.4)


# --------------------------------------------------------------------------------------------------- passing


def _passes(state: State, rng: Random, own: Style, idle: bool) -> bool:
    if not idle or state.passive or state.no_place or state.edition.passive is Passive.NONE:
        return False
    if state.can_place(state.active):
        return not state.final and rng.random() < own.passive
    return not state.sides[state.active].influence_in_hand() or rng.random() < 0.6


def _exchange(state: State, rng: Random) -> t.Discard:
    """Throw away what is of little use; a player who can't place anything throws away more (N10)."""
    if state.final or rng.random() < 0.15:
        return t.Discard()
    cards = [card for card, copies in enumerate(state.sides[state.active].hand) for _ in range(copies)]
    blocked = not state.can_place(state.active)
    share = 0.6 if blocked else 0.35
    precious = () if blocked else (5, VETO)
    return t.Discard(high_to_low([card for card in cards if card not in precious and rng.random() < share]))


# --------------------------------------------------------------------------------------------------- placing


def _place(state: State, rng: Random, own: Style) -> t.Place | None:
    ways = ways_up(state)
    groups = [group for group in state.edition.groups if ways and state.room(state.active, group)]
    hand = state.sides[state.active].hand
    cards = [card for card in range(6) if hand[card]]
    if not (groups and cards):
        return None
    group = _pick(rng, groups, [_appeal(state, group, own) for group in groups])
    margin = _margin(state, group)
    wit = 1.5 if margin < 0 else 0.2
    card = _pick(rng, cards, [hand[card] * (card**own.high if card else wit) for card in cards])
    hidden = ways[0] if len(ways) == 1 else rng.random() < own.hidden or card == PHILOSOPHER
    return t.Place(card, group, hidden)


def _margin(state: State, group: int) -> int:
    """How far the player believes to be ahead at a group, a card that he doesn't see counted as a 3."""
    side, other = state.sides[state.active], state.sides[1 - state.active]
    return sum(side.column(group)) - sum(other.up[group]) - 3 * len(other.hidden[group])


def _appeal(state: State, group: int, own: Style) -> float:
    closeness = (1.5 if state.bag[group] else 1.0) / (1 + abs(_margin(state, group)))
    return 0.15 + own.close * closeness + own.crowd * state.total(group) / 8


def _pick(rng: Random, things: Sequence[_Thing], weights: Sequence[float]) -> _Thing:
    return things[0] if len(things) == 1 else rng.choices(things, weights)[0]


# --------------------------------------------------------------------------------------------- action cards


def _action(state: State, rng: Random, own: Style) -> t.Action | None:
    """An action that the hand and the table allow, the useless ones seldom."""
    hand = state.sides[state.active].hand
    held = [card for card in _PLAYS if hand[card]]
    rng.shuffle(held)
    for card in held:
        token = _PLAYS[card](state, rng, own)
        if token is not None:
            return token
    return None


def _assassinate(state: State, rng: Random, own: Style) -> t.Action | None:
    targets = assassinations(state)
    worth = [1.0 if target.hidden else (0.5 + (target.card or 2)) ** (1 + own.high) for target in targets]
    return _pick(rng, targets, worth) if targets else None


def _scout(state: State, rng: Random, _own: Style) -> t.Action | None:
    groups = scouts(state)
    worth = [len(token.seen or ()) + 0.05 for token in groups]
    return _pick(rng, groups, worth) if groups and sum(worth) > rng.random() else None


def _wrath(state: State, rng: Random, _own: Style) -> t.Action | None:
    groups = wraths(state)
    worth = [max(0.05, -_margin(state, token.group)) + state.total(token.group) / 4 for token in groups]
    return _pick(rng, groups, worth) if groups and sum(worth) > 3 * rng.random() else None


def _castle(state: State, rng: Random, _own: Style) -> t.Action | None:
    side, groups = state.sides[state.active], open_groups(state)
    if len(groups) < 2:
        return None
    first, second = sorted(rng.sample(groups, 2), key=groups.index)
    cards = side.column(first) + side.column(second)
    if not cards and not (without_effect(state) and rng.random() < 0.2):
        return None
    rng.shuffle(cards)
    least = max(0, len(cards) - most(state, second))
    size = rng.randint(least, min(len(cards), most(state, first)))
    return t.Castle(first, second, high_to_low(cards[:size]), high_to_low(cards[size:]))


def _spy(state: State, rng: Random, _own: Style) -> t.Action | None:
    victim = state.sides[1 - state.active]
    hand = [card for card, copies in enumerate(victim.hand) for _ in range(copies)]
    if not hand:
        return None
    return t.Spy(rng.choice(hand), _replacement(victim, rng, state.edition.spy_draw))


def _veto(state: State, rng: Random) -> t.Veto:
    return t.Veto(_replacement(state.sides[1 - state.active], rng, state.edition.veto_draw))


def _replacement(side: Side, rng: Random, rule: DrawRule) -> int | None:
    if rule is DrawRule.NEVER or (rule is DrawRule.OPTIONAL and rng.random() < 0.15):
        return None
    return _from_pile(side, rng, 0.3)


_PLAYS: Final[dict[int, Callable[[State, Random, Style], t.Action | None]]] = {
    ASSASSINATION: _assassinate,
    SCOUT: _scout,
    WRATH: _wrath,
    CASTLING: _castle,
    SPY: _spy,
}


# -------------------------------------------------------------------------------------------------- chance


def _special(state: State, rng: Random, _own: Style) -> t.Token | None:
    due = due_votes(state)
    if not due:
        return None
    group = rng.choice(due)
    return t.SpecialVote(group, *outcome(state, group))


def _reveal(state: State, rng: Random, _own: Style) -> t.Token | None:
    """Each bust or vote card is as likely as any other."""
    if state.revealed or not state.reveals():
        return None
    late = state.edition.device_gone is DeviceGone.WHEN_REVEALED
    groups = [group for group in state.edition.groups if state.bag[group] and (late or state.left[group])]
    drawn = rng.randrange(len(groups) + state.blanks + state.edition.resets)
    if drawn >= len(groups):
        return t.NoVote(drawn >= len(groups) + state.blanks)
    group = groups[drawn]
    return t.Vote(group, *outcome(state, group)) if state.left[group] else t.PutAway(group)


def _draw(state: State, rng: Random, own: Style) -> t.Token | None:
    if not state.draw_limit():
        return None
    side = state.sides[state.active]
    card = _from_pile(side, rng, own.actions if side.influence_in_hand() > 1 else own.actions / 3)
    return None if card is None else t.Draw((card,))


def _from_pile(side: Side, rng: Random, actions: float) -> int | None:
    """A card from one of the piles, each card of it as likely as any other; of an ordered pile the top one."""
    if side.action_pile and (rng.random() < actions or not side.influence_pile):
        if side.order:
            return side.order[0]
        kinds = range(6, 12)
    elif side.influence_pile:
        kinds = range(6)
    else:
        return None
    return rng.choices(kinds, [side.unseen[card] for card in kinds])[0]


_STEPS: Final[dict[int, Callable[[State, Random, Style], t.Token | None]]] = {
    t.SPECIAL: _special,
    t.REVEAL: _reveal,
    t.DRAW: _draw,
}
