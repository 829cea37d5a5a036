"""Games played on at random, fast: each move is drawn without listing the others, held against the law and made.

A :class:`Playout` speaks of games in which every card is known. What chance decides, it decides as it is: each bust,
each vote card, each card of a pile is as likely as any other. Players prefer nothing, but place and act more often than
they pass, so that games come to an end.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation import codes
from ...notation.cards import (
    ASSASSINATION,
    CARD_KINDS,
    CASTLING,
    INFLUENCE_KINDS,
    ROME,
    SCOUT,
    SOME_INFLUENCE,
    VETO,
    WRATH,
)
from ...notation.tokens import DRAW, REVEAL, SPECIAL
from ..editions.choices import MAY_DRAW, MUST_DRAW
from ..engine.play import judge_move, make_move
from ..rules import layout
from ..rules.fault import Faults
from ..rules.moves.actions import announced_code, card_of, highest, laid_too, may_act, most_at
from ..rules.moves.legal import list_moves
from ..rules.moves.move_list import MoveList
from ..rules.moves.placing import DOWN, UP, may_exchange, owes_placement, stops_full, ways_up, with_card, written_at
from ..rules.moves.votes import count_reveals, count_special_votes, reveal_at, special_vote_at
from ..rules.sequences import counts_in
from ..rules.state import State
from .dice import Dice

MOST_MOVES: Final = 3000
"""The rules end no game in which nobody does anything (N9); after this many moves a playout stops."""

# How often, of 256 times.
_PASSES: Final = 16
_ACTS: Final = 112
_VETOES: Final = 112
_PLACES_MORE: Final = 216
_DRAWS_ACTION: Final = 64
_THROWN: Final = 112
_NULL: Final = 32

NOTHING: Final = -1
"""In place of a move: go on to the next step."""


class Illegal(Exception):
    """A move that was drawn as a legal one, as its codes, and what the law finds."""


class Playout:
    """A state played on from a seed; ``state`` is changed, ``moves`` counts what was played, turns' ends among it."""

    def __init__(self, state: State, seed: int) -> None:
        self.state: State = state
        self.dice: Dice = Dice(seed)
        self.moves: i64 = 0
        self.choices: i64 = 0
        """How many moves were listed, where they are."""

    def play(self, most: int = MOST_MOVES) -> bool:
        """Play up to ``most`` moves, each held against the law; return whether the game is over."""
        state, dice = self.state, self.dice
        faults: Faults = []
        left: i64 = most
        while left > 0 and not state.over:
            code, more = draw_move(state, dice)
            judge_move(state, code, more, faults)
            if faults:
                raise Illegal(code, more, faults)
            make_move(state, code, more)
            self.moves += 1
            left -= 1
        return state.over != 0

    def play_listed(self, most: int = MOST_MOVES) -> bool:
        """Play up to ``most`` moves, each one of all that are legal, listed and as likely as any other."""
        state, dice, listed = self.state, self.dice, MoveList()
        left: i64 = most
        while left > 0 and not state.over:
            list_moves(state, listed)
            at = 2 * dice.below(listed.count)
            make_move(state, listed.codes[at], listed.codes[at + 1])
            self.choices += listed.count
            self.moves += 1
            left -= 1
        return state.over != 0


def draw_move(state: State, dice: Dice) -> tuple[i64, i64]:
    """Return what comes next, drawn by chance, as the generator lists it; changes nothing but the dice."""
    if state.over:
        return codes.TURN_END, 0
    rules = state.rules
    if state.vetoed == layout.ANNOUNCED:
        return codes.VETO | _replacement(state, 1 - state.active, dice, rules.veto_draw) << 4, 0
    if state.choosing:
        side: i64 = 0
        if not state.must_choose(ROME):
            side = 1
        return codes.CHOOSE | side << 4 | 1 + dice.below(2) << 5, 0
    if not state.stage:
        code, more = _first_step(state, dice)
        if code != NOTHING:
            return code, more
    step = next_step(state)
    if step == SPECIAL:
        return special_vote_at(state, dice.below(count_special_votes(state)))
    if step == REVEAL:
        return reveal_at(state, dice.below(count_reveals(state)))
    if step == DRAW:
        return codes.DRAW | 1 << 4 | _from_pile(state, state.active, dice) << 8, 0
    return codes.TURN_END, 0


def next_step(state: State) -> i64:
    """Return which of the steps after the first comes next, SPECIAL, REVEAL or DRAW; 0 where the turn ends.

    One in which nothing can happen is passed over.
    """
    rules, cells, side = state.rules, state.cells, state.active
    place: i64 = state.stage
    if not place:
        place = 1
    while place < rules.steps:
        step = rules.order[place]
        if step == SPECIAL:
            if count_special_votes(state):
                return step
        elif step == REVEAL:
            if count_reveals(state):
                return step
        elif state.draw_limit() and cells[layout.INFLUENCE_PILE + side] + cells[layout.ACTION_PILE + side] > 0:
            return step
        place += 1
    return 0


# -------------------------------------------------------------------------------------------------- the first step


def _first_step(state: State, dice: Dice) -> tuple[i64, i64]:
    placed = state.up != 0 or state.down != 0
    if may_exchange(state) and (dice.chance(_PASSES) or not (state.can_place(state.active) or dice.chance(128))):
        return _exchange(state, dice), 0
    done = state.final and state.no_place  # a player who says that nothing fits has played an action before
    if not done and may_act(state) and dice.chance(_ACTS):
        code, more = _action(state, dice)
        if code != NOTHING:
            if state.cells[layout.HAND + layout.CARD_ROW * (1 - state.active) + VETO] and dice.chance(_VETOES):
                return announced_code(code) | codes.ANNOUNCED_ONLY, 0
            return code, more
    owed = owes_placement(state)
    if owed or (placed and dice.chance(_PLACES_MORE)):
        code = _place(state, dice)
        if code != NOTHING:
            return code, 0
    if owed or placed or state.passive or state.no_place:
        return NOTHING, 0
    full = stops_full(state)
    may_go_on = state.action != layout.NO_ACTION or not (state.rules.may_pass or full)
    if not may_go_on or dice.chance(128):
        return codes.DISCARD, 0
    if full:
        return codes.TURN_END, 0
    return NOTHING, 0


def _place(state: State, dice: Dice) -> i64:
    """Return a card placed: any group with room is as likely, and any influence card in hand."""
    ways, side, cells, groups = ways_up(state), state.active, state.cells, state.rules.groups
    if not ways or not cells[layout.INFLUENCE + side]:
        return NOTHING
    hidden: i64 = ways >> 1
    if ways == UP | DOWN:
        hidden = dice.below(2)
    free: i64 = 0
    for group in groups:
        if state.room(side, group):
            free += 1
    if not free:
        return NOTHING
    at = dice.below(free)
    chosen: i64 = 0
    for group in groups:
        if state.room(side, group):
            if not at:
                chosen = group
            at -= 1
    card = state.card_at(layout.HAND + layout.CARD_ROW * side, dice.below(cells[layout.INFLUENCE + side]))
    return codes.PLACE | card << 4 | chosen << 8 | hidden << 11


def _exchange(state: State, dice: Dice) -> i64:
    """Return a passive turn; each card of the hand may be thrown away."""
    code: i64 = codes.DISCARD
    hand = layout.HAND + layout.CARD_ROW * state.active
    for place in range(i64(CARD_KINDS)):
        card = written_at(place)
        for _copy in range(state.cells[hand + card]):
            if code >> 4 & 15 < codes.MOST_CARDS and dice.chance(_THROWN):
                code = with_card(code, card)
    return code


# ----------------------------------------------------------------------------------------------------- action cards


def _action(state: State, dice: Dice) -> tuple[i64, i64]:
    """Return an action with a card of the hand, NOTHING where that card can do nothing or the hand has none."""
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * state.active
    kinds: i64 = 0
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        if card != VETO and cells[hand + card]:
            kinds += 1
    if not kinds:
        return NOTHING, 0
    at = dice.below(kinds)
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        if card != VETO and cells[hand + card]:
            if not at:
                return _with(state, card, dice)
            at -= 1
    return NOTHING, 0


def _with(state: State, card: i64, dice: Dice) -> tuple[i64, i64]:
    if card == ASSASSINATION:
        return _assassinate(state, dice), 0
    if card == SCOUT:
        return _at_group(state, layout.HIDDEN_COUNT + layout.GROUP_ROW * (1 - state.active), codes.SCOUT, dice), 0
    if card == WRATH:
        return _at_group(state, layout.TOTAL, codes.WRATH, dice), 0
    if card == CASTLING:
        return _castle(state, dice)
    return _spy(state, dice), 0


def _assassinate(state: State, dice: Dice) -> i64:
    """Return a card of the opponent hit at a group, each there as likely."""
    cells, groups, theirs = state.cells, state.rules.groups, layout.GROUP_ROW * (1 - state.active)
    place = dice.below(len(groups))
    for _group in range(len(groups)):
        group = groups[place]
        up = cells[layout.UP_COUNT + theirs + group]
        down: i64 = 0
        if state.rules.assassinate_hidden:
            down = cells[layout.HIDDEN_COUNT + theirs + group]
        if cells[layout.LEFT + group] and up + down:
            at = dice.below(up + down)
            if at < up:
                return codes.ASSASSINATE | group << 4 | ((cells[layout.UP + theirs + group] >> 4 * at & 15) + 1) << 16
            at -= up
            card = cells[layout.HIDDEN + theirs + group] >> 4 * at & 15
            position: i64 = 0
            if down > 1:
                position = at + 1
            return codes.ASSASSINATE | group << 4 | 1 << 7 | position << 8 | (card + 1) << 16
        place += 1
        if place == len(groups):
            place = 0
    return NOTHING


def _at_group(state: State, counts: i64, kind: i64, dice: Dice) -> i64:
    """Return an action against a group where cards are counted, or against any where it may do nothing."""
    cells, groups, theirs = state.cells, state.rules.groups, layout.GROUP_ROW * (1 - state.active)
    place = dice.below(len(groups))
    null = _may_do_nothing(state, dice)
    for _group in range(len(groups)):
        group = groups[place]
        if cells[layout.LEFT + group] and (null or cells[counts + group]):
            code = kind | group << 4
            if kind == codes.SCOUT and cells[counts + group]:
                code |= 1 << 7 | counts_in(cells[layout.HIDDEN + theirs + group], cells[counts + group]) << 8
            return code
        place += 1
        if place == len(groups):
            place = 0
    return NOTHING


def _may_do_nothing(state: State, dice: Dice) -> bool:
    """Return whether an action is played where it has no effect (E8)."""
    return not state.rules.null_forbidden and dice.chance(_NULL)


def _castle(state: State, dice: Dice) -> tuple[i64, i64]:
    cells, groups, side = state.cells, state.rules.groups, state.active
    first = dice.below(len(groups) - 1)
    second = first + 1 + dice.below(len(groups) - 1 - first)
    first, second = groups[first], groups[second]
    if not (cells[layout.LEFT + first] and cells[layout.LEFT + second]):
        return NOTHING, 0
    total = state.count(side, first) + state.count(side, second)
    room, other_room = most_at(state, first), most_at(state, second)
    if total > codes.MOST_CARDS or total > room + other_room or (not total and not _may_do_nothing(state, dice)):
        return NOTHING, 0
    counts = state.counts_at(side, first) + state.counts_at(side, second)
    one: i64 = 0
    two: i64 = 0
    while counts:
        slot = highest(counts)
        if two & 15 >= other_room or (one & 15 < room and dice.below(2)):
            one = laid_too(one, card_of(slot), 1)
        else:
            two = laid_too(two, card_of(slot), 1)
        counts -= 1 << 4 * slot
    return codes.CASTLE | first << 4 | second << 7 | 1 << 10 | one << 11, two


def _spy(state: State, dice: Dice) -> i64:
    """Return a card thrown out of the opponent's hand, each as likely as any other."""
    victim = 1 - state.active
    held = state.cells[layout.HELD + victim]
    if not held:
        return NOTHING
    card = state.card_at(layout.HAND + layout.CARD_ROW * victim, dice.below(held))
    return codes.SPY | (card + 1) << 4 | _replacement(state, victim, dice, state.rules.spy_draw) << 8


# ------------------------------------------------------------------------------------------------------------ chance


def _replacement(state: State, side: i64, dice: Dice, rule: i64) -> i64:
    """Return a card drawn out of turn and one more, 0 for none."""
    if not rule & MAY_DRAW or (not rule & MUST_DRAW and dice.chance(32)):
        return 0
    return _from_pile(state, side, dice) + 1


def _from_pile(state: State, side: i64, dice: Dice) -> i64:
    """Return a card drawn from one of the piles, of an ordered one the top; -1 where both are empty."""
    cells = state.cells
    influence, actions = cells[layout.INFLUENCE_PILE + side], cells[layout.ACTION_PILE + side]
    if not (influence or actions):
        return -1
    if influence and not (actions and dice.chance(_DRAWS_ACTION)):
        return state.card_at(layout.UNSEEN + layout.CARD_ROW * side, dice.below(influence))
    order = state.orders[side]
    if order:
        return order[0]
    return state.card_at(layout.UNSEEN + layout.CARD_ROW * side, dice.below(actions), INFLUENCE_KINDS)
