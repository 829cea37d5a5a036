"""A player who plays at random, but sensibly, so that everything that can happen in a game does happen.

The next move is made directly, as codes: other moves are not listed, and a castling or an exchange is dealt out instead
of being chosen from hundreds.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from mypy_extensions import i64

from ...notation import codes
from ...notation.cards import (
    ACTION_CARDS,
    ASSASSINATION,
    CASTLING,
    HIGHEST,
    INFLUENCE_CARDS,
    PHILOSOPHER,
    SCOUT,
    SOME_ACTION,
    SOME_INFLUENCE,
    SPY,
    VETO,
    high_to_low,
)
from ..editions.choices import MAY_DRAW, MUST_DRAW
from ..rules import layout
from ..rules.game import game
from ..rules.game.game import card_in, count_outcomes, due, make_move, outcome_at, size_of
from ..rules.law.actions import hand_cards
from ..rules.moves import actions
from ..rules.moves.actions import announced_code, may_act, most_at
from ..rules.moves.move_list import MoveList
from ..rules.moves.placing import DOWN, UP, allowed_faces, ends_when_full_now, must_place, with_card
from ..rules.state import State
from .dice import below, shuffle, weighted

NOTHING: Final = -1
"""Stands in for a move: go on to the next step."""


class Style(NamedTuple):
    """How a player plays. The first six values are probabilities; the others are weights in a choice."""

    passive: float = 0.06
    """Passing without being forced to."""
    act: float = 0.45
    """Playing an action when one may be played."""
    veto: float = 0.4
    """Vetoing an action with a veto in hand."""
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


Styles = tuple[Style, Style]
CHARACTERS: Final = (
    Style(),
    Style(passive=0.35, act=0.3, veto=0.6),
    Style(act=0.12, veto=0.1, second=0.35, hidden=0.9, actions=0.1, high=-0.5),  # saves cards
    Style(act=0.15, actions=0.08, close=0.2, crowd=0.0, high=0.0),  # places something everywhere
    Style(act=0.7, second=1.0, hidden=0.25, actions=0.3, close=0.5, crowd=4.0, high=1.0),  # in a hurry
    Style(act=0.25, second=1.0, hidden=0.1, actions=0.05, close=0.0, crowd=0.0),  # drops cards as fast as possible
)


def style(rng: Random) -> Style:
    """Return a style of play: one of the characters, with each weight changed a little."""
    base = rng.choice(CHARACTERS)
    return Style(*[weight * rng.uniform(0.75, 1.2) for weight in base])


def random_turn_codes(state: State, rng: Random, styles: Styles) -> list[int]:
    """Play a turn to its end; return its codes. Cards drawn one after another are one draw, ``+3x``."""
    turn: list[int] = []
    while True:
        code, more = next_move(state, rng, styles)
        make_move(state, code, more)
        if code == codes.TURN_END:
            return turn
        add_word(turn, code, more)


def add_word(turn: list[int], code: int, more: int) -> None:
    """Add what happened to the codes of a turn; a card drawn after another one joins that draw, ``+3x``."""
    code &= ~codes.ANNOUNCED_ONLY
    before = turn[-2] if turn else codes.OTHER
    if (
        code & codes.KIND == codes.DRAW == before & codes.KIND
        and before >> codes.COUNT_AT & codes.CARD < codes.MAX_CARDS
    ):
        turn[-2] = with_card(before, code >> codes.CARDS_AT)
    else:
        turn += [code, more]


def next_move(state: State, rng: Random, styles: Styles) -> tuple[int, int]:
    """Return what comes next in the game, a player's choice or chance, as the two codes of a move.

    TURN_END ends the turn; ANNOUNCED_ONLY is added to an action that is going to be vetoed.
    """
    step = due(state, 0, 1)
    if step == game.REPLACEMENT:
        drawn = _replacement(state, 1 - state.active, rng, state.rules.veto_draw)
        return codes.VETO | (drawn + 1) << codes.VETO_DRAW_AT, 0
    if step == game.MISSION:
        return codes.CHOOSE | state.choosers[0] << codes.SIDE_AT | 1 + below(rng, 2) << codes.KEPT_AT, 0
    own = styles[state.active]
    if state.stage == 0 and step != game.OVER:
        code, more = _act(state, rng, own, styles[1 - state.active])
        if code != NOTHING:
            return code, more
    if step == game.ORDER or step == game.BUST:
        return outcome_at(state, step, below(rng, count_outcomes(state, step)))
    if step == game.PILE or step == game.LAST_PILE:
        plenty = state.cells[layout.INFLUENCE + state.active] > 1
        card = _from_pile(state, state.active, rng, own.actions if plenty else own.actions / 3)
        return codes.DRAW | 1 << codes.COUNT_AT | card << codes.CARDS_AT, 0
    return codes.TURN_END, 0


def _act(state: State, rng: Random, own: Style, other: Style) -> tuple[int, int]:
    """Return what comes next in the first step of a turn; NOTHING if the step is done."""
    if _passes(state, rng, own):
        return _exchange(state, rng), 0
    code, more = _play(state, rng, own, other)
    if code != NOTHING:
        return code, more
    owed = must_place(state)
    begun = state.up + state.down > 0
    if owed or (begun and rng.random() < own.second):
        code = _place(state, rng, own)
        if code != NOTHING:
            return code, 0
    return _place_nothing(state, rng, owed or begun), 0


def _place_nothing(state: State, rng: Random, done: bool) -> int:
    """Return what a player who places nothing more does: go on if everything is ``done``, or say that nothing is
    placed.
    """
    if done or state.passive or state.no_place:
        return NOTHING
    ends, compulsory = ends_when_full_now(state), not state.rules.may_pass
    if (state.action or (compulsory and not ends)) and rng.random() < 0.5:
        return codes.TURN_END if ends else NOTHING
    return codes.DISCARD


def _play(state: State, rng: Random, own: Style, other: Style) -> tuple[int, int]:
    """Return an action, only announced if it is going to be vetoed; NOTHING if none is played."""
    done = state.final and state.no_place  # a player who says that nothing fits has already played an action
    if done or not may_act(state) or rng.random() >= _action_weight(state, own):
        return NOTHING, 0
    code, more = _action(state, rng, own)
    vetoes = state.cells[layout.HAND + layout.CARD_ROW * (1 - state.active) + VETO]
    if code != NOTHING and vetoes and rng.random() < other.veto:
        return announced_code(code) | codes.ANNOUNCED_ONLY, 0
    return code, more


def _action_weight(state: State, own: Style) -> float:
    if not state.cells[layout.INFLUENCE + state.active]:
        return max(own.act, 0.8)  # only actions in hand: nothing else makes room for other cards
    return own.act * (1.0 if state.up + state.down != 1 else 0.4)


# --------------------------------------------------------------------------------------------------- passing


def _passes(state: State, rng: Random, own: Style) -> bool:
    if state.has_acted() or state.passive or not state.rules.may_pass:
        return False
    if state.can_place(state.active):
        return not state.final and rng.random() < own.passive
    return not state.cells[layout.INFLUENCE + state.active] or rng.random() < 0.6


def _exchange(state: State, rng: Random) -> int:
    """Return a discard of cards that are of little use; a player who can't place anything discards more (N10)."""
    if state.final or rng.random() < 0.15:
        return codes.DISCARD
    blocked = not state.can_place(state.active)
    share = 0.6 if blocked else 0.35
    thrown = [
        card
        for card in hand_cards(state, state.active)
        if (blocked or (card != HIGHEST and card != VETO)) and rng.random() < share
    ]
    cards = high_to_low(thrown)
    return codes.DISCARD | len(cards) << codes.COUNT_AT | codes.sequence(cards) << codes.CARDS_AT


# --------------------------------------------------------------------------------------------------- placing


def _place(state: State, rng: Random, own: Style) -> int:
    """Return the placing of a card; NOTHING if none can be placed."""
    ways, cells, hand = allowed_faces(state), state.cells, layout.HAND + layout.CARD_ROW * state.active
    cards = [card for card in INFLUENCE_CARDS if cells[hand + card]]
    group: i64 = _group(state, rng, own) if ways and cards else NOTHING
    if group == NOTHING:
        return NOTHING
    wit, high = 1.5 if _margin(state, group) < 0 else 0.2, own.high
    worth: list[float] = [float(cells[hand + card]) * (float(card) ** high if card else wit) for card in cards]
    card = _pick(rng, cards, worth)
    hidden = ways == DOWN if ways != UP | DOWN else rng.random() < own.hidden or card == PHILOSOPHER
    return codes.PLACE | card << codes.CARD_AT | group << codes.PLACED_GROUP_AT | hidden << codes.PLACED_HIDDEN_AT


def _group(state: State, rng: Random, own: Style) -> i64:
    """Return a group with room, NOTHING if there is none: a weighted choice, without a list of the weights."""
    side, groups, close, crowd = state.active, state.rules.groups, own.close, own.crowd
    last: i64 = NOTHING
    number: i64 = 0
    total = 0.0
    for group in groups:
        if state.room(side, group):
            total += _appeal(state, group, close, crowd)
            last = group
            number += 1
    if number < 2:
        return last
    drawn = rng.random() * total
    total = 0.0
    for group in groups:
        if state.room(side, group):
            total += _appeal(state, group, close, crowd)
            if drawn < total:
                return group
    return last


def _margin(state: State, group: i64) -> i64:
    """Return how far the player thinks they are ahead at a group, each unseen card counted as a 3."""
    cells = state.cells
    own, other = layout.GROUP_ROW * state.active + group, layout.GROUP_ROW * (1 - state.active) + group
    theirs = _sum(cells[layout.UP + other], cells[layout.UP_COUNT + other]) + 3 * cells[layout.HIDDEN_COUNT + other]
    mine = _sum(cells[layout.UP + own], cells[layout.UP_COUNT + own])
    mine += _sum(cells[layout.HIDDEN + own], cells[layout.HIDDEN_COUNT + own])
    return mine - theirs


def _sum(code: i64, count: i64) -> i64:
    total: i64 = 0
    for _card in range(count):
        total += code & codes.CARD
        code >>= codes.WIDTH
    return total


def _appeal(state: State, group: i64, close: float, crowd: float) -> float:
    margin = _margin(state, group)
    if margin < 0:
        margin = -margin
    closeness = (1.5 if state.cells[layout.BAG + group] else 1.0) / float(1 + margin)
    return 0.15 + close * closeness + crowd * float(state.cells[layout.TOTAL + group]) / 8.0


def _pick(rng: Random, things: list[int], weights: list[float]) -> int:
    return things[0] if len(things) == 1 else things[weighted(rng, weights)]


# --------------------------------------------------------------------------------------------- action cards


def _action(state: State, rng: Random, own: Style) -> tuple[int, int]:
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * state.active
    held = [card for card in ACTION_CARDS if card != VETO and cells[hand + card]]
    shuffle(rng, held)
    for card in held:
        if card == CASTLING:
            code, more = _castle(state, rng)
        elif card == SPY:
            code, more = _spy(state, rng), 0
        else:
            code, more = _aim(state, rng, card, own), 0
        if code != NOTHING:
            return code, more
    return NOTHING, 0


def _aim(state: State, rng: Random, card: int, own: Style) -> int:
    """Return an action against a target, NOTHING if no target is worth it."""
    listed = MoveList()
    actions.list_action(state, card, listed)
    targets = [code for code, _ in listed.pairs()]
    worth = [_worth(state, card, code, own) for code in targets]
    if not targets or (card != ASSASSINATION and sum(worth) <= (1 if card == SCOUT else 3) * rng.random()):
        return NOTHING
    return _pick(rng, targets, worth)


def _worth(state: State, card: int, code: int, own: Style) -> float:
    group = code >> codes.GROUP_AT & codes.GROUP
    if card == ASSASSINATION:
        if code >> codes.TARGET_HIDDEN_AT & 1:
            return 1.0
        return (0.5 + ((code >> codes.TARGET_AT) - 1 or 2)) ** (1 + own.high)
    if card == SCOUT:
        return int(state.cells[layout.HIDDEN_COUNT + layout.GROUP_ROW * (1 - state.active) + group]) + 0.05
    return max(0.05, float(-_margin(state, group))) + int(state.cells[layout.TOTAL + group]) / 4


def _castle(state: State, rng: Random) -> tuple[int, int]:
    """Return a castling of two groups, as two codes; NOTHING if there is none."""
    side, groups = state.active, [group for group in state.rules.groups if state.cells[layout.LEFT + group]]
    if len(groups) < 2:
        return NOTHING, 0
    first, second = sorted(rng.sample(groups, 2), key=groups.index)
    cards = state.column(side, first) + state.column(side, second)
    room, other_room = most_at(state, first), most_at(state, second)
    if min(room, other_room) < 0 or len(cards) > room + other_room:  # a ruling can leave them so
        return NOTHING, 0
    if not cards and not (not state.rules.null_forbidden and rng.random() < 0.2):
        return NOTHING, 0
    shuffle(rng, cards)
    least = max(0, len(cards) - other_room)
    size = least + below(rng, min(len(cards), room) - least + 1)
    one, two = high_to_low(cards[:size]), high_to_low(cards[size:])
    code = codes.CASTLE | first << codes.GROUP_AT | second << codes.SECOND_AT | 1 << codes.SPLIT_WRITTEN_AT
    return code | codes.row_code(one) << codes.FIRST_COUNT_AT, codes.row_code(two)


def _spy(state: State, rng: Random) -> int:
    """Return a spy against the opponent's hand, NOTHING if the hand is empty."""
    victim = 1 - state.active
    held = state.cells[layout.HELD + victim]
    if not held:
        return NOTHING
    card = state.card_at(layout.HAND + layout.CARD_ROW * victim, below(rng, held))
    drawn = _replacement(state, victim, rng, state.rules.spy_draw)
    return codes.SPY | (card + 1) << codes.CARD_AT | (drawn + 1) << codes.SPY_DRAW_AT


def _replacement(state: State, side: i64, rng: Random, rule: i64) -> int:
    """Return a card drawn out of turn, -1 for none."""
    if not rule & MAY_DRAW or (not rule & MUST_DRAW and rng.random() < 0.15):
        return -1
    return _from_pile(state, side, rng, 0.3)


def _from_pile(state: State, side: i64, rng: Random, actions: float) -> int:
    """Return a card from one of the piles: any card with equal chance, or the top card of an ordered pile."""
    count, in_actions = size_of(state, side, SOME_INFLUENCE), size_of(state, side, SOME_ACTION)
    if in_actions and (rng.random() < actions or not count):
        return card_in(state, side, SOME_ACTION, 0 if state.orders[side] else i64(rng.random() * float(in_actions)))
    return card_in(state, side, SOME_INFLUENCE, i64(rng.random() * float(count))) if count else -1
