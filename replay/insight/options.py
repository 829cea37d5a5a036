"""What a player can choose, decision by decision, and what each option leads to, put into a batch."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation import codes
from ...notation.cards import ASSASSINATION, CASTLING, INFLUENCE_KINDS, SCOUT, SOME_INFLUENCE, SPY, VETO, WRATH
from ..engine.play import make_move
from ..rules import layout
from ..rules.moves import actions as action_moves
from ..rules.moves.move_list import MoveList
from ..rules.moves.placing import list_passes, list_placements, stays, stops_full
from ..rules.sequences import counts_in
from ..rules.state import State
from ..simulation.dice import Dice
from .option_batch import VETOED, OptionBatch
from .unseen import give_card, veto_chance

# Codes of options that are no tokens.
GO_ON: Final = codes.TURN_END
"""Place and play nothing more."""
ALLOW: Final = -1
"""Let an action happen."""

CARD_OF_KIND: Final = {
    codes.ASSASSINATE: ASSASSINATION, codes.SCOUT: SCOUT, codes.WRATH: WRATH, codes.CASTLE: CASTLING, codes.SPY: SPY,
}  # fmt: skip

# About what a decision is.
NOTHING: Final = 0
MOVE: Final = 1
ON_VETO: Final = 2
SPLIT: Final = 3
TARGET: Final = 4
PILE: Final = 5
MISSION: Final = 6
KINDS: Final = ("", "move", "veto", "castling", "spy", "pile", "mission")
"""These in words, as reports have them."""

MOST_SPLITS: Final = 60
"""Ways of a castling that are looked at, drawn by chance where there are more."""
_FEW_SPLITS: Final = 10


def list_first_step(state: State, batch: OptionBatch, worlds: list[State], dice: Dice) -> None:
    """List the options of the first step for the player whose turn it is; actions are tried out in the worlds.

    Each world is a state in which every card is known; what its owner knows is the same in all of them.
    """
    listed = MoveList()
    side = state.active
    list_placements(state, listed)
    list_passes(state, True, listed)
    for at in range(listed.count):
        code = listed.codes[2 * at]
        batch.option(code, 0)
        batch.case()
        after = state.copy()
        make_move(after, code, 0)
        batch.row(after, side)
    if action_moves.may_act(state) and not (state.final and state.no_place):
        _list_actions(state, batch, worlds, dice)
    if stops_full(state) or not stays(state):
        batch.option(GO_ON, 0)
        batch.case()
        after = state.copy()
        if stops_full(after):
            make_move(after, codes.TURN_END, 0)
            batch.row(after, side)
        else:
            batch.row(after, side, True)


def _list_actions(state: State, batch: OptionBatch, worlds: list[State], dice: Dice) -> None:
    hand = layout.HAND + layout.CARD_ROW * state.active
    veto = veto_chance(state)
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        if card == VETO or not state.cells[hand + card]:
            continue
        listed = MoveList()
        if card == CASTLING:
            _announce_castlings(state, listed)
        elif card == SPY:
            if state.cells[layout.HELD + 1 - state.active]:
                listed.add(codes.SPY, 0)
        else:
            action_moves.list_action(state, card, listed)
        last: i64 = 0
        for at in range(listed.count):
            code = action_moves.announced_code(listed.codes[2 * at])
            if code == last:
                continue
            last = code
            batch.option(code, 0, veto)
            _try_action(state, batch, code, worlds, dice)
            if veto:
                batch.case(1, VETOED)
                after = state.copy()
                suffer_veto(after, code)
                batch.row(after, state.active)


def _announce_castlings(state: State, listed: MoveList) -> None:
    groups = state.rules.groups
    for place in range(len(groups)):
        for other in range(place + 1, len(groups)):
            first, second = groups[place], groups[other]
            if state.cells[layout.LEFT + first] and state.cells[layout.LEFT + second]:
                own = state.count(state.active, first) + state.count(state.active, second)
                if own:
                    listed.add(codes.CASTLE | first << 4 | second << 7, 0)


def _try_action(state: State, batch: OptionBatch, code: i64, worlds: list[State], dice: Dice) -> None:
    """Add the cases of an action that is not vetoed."""
    kind = code & codes.KIND
    if kind == codes.CASTLE:
        batch.case()
        _add_splits(state, batch, code, _FEW_SPLITS, state.active, dice, False)
    elif not turns_up(state, code):
        batch.case()
        after = state.copy()
        make_move(after, code, 0)
        batch.row(after, state.active)
    else:
        for world in worlds:
            batch.case()
            if kind == codes.SPY:
                _add_targets(world, batch, dice, False)
            else:
                after = world.copy()
                make_move(after, with_card_named(after, code), 0)
                batch.row(after, state.active)


def turns_up(state: State, code: i64) -> bool:
    """Return whether an action shows cards of the other side that its player can't see before."""
    kind = code & codes.KIND
    if kind == codes.ASSASSINATE:
        return (code >> 7 & 1) != 0
    if kind == codes.WRATH:
        return state.cells[layout.HIDDEN_COUNT + layout.GROUP_ROW * (1 - state.active) + (code >> 4 & 7)] != 0
    return True


def with_card_named(state: State, code: i64) -> i64:
    """Return an action with the face-down cards that it strikes or turns up; others as they are."""
    if code & codes.KIND == codes.SCOUT:
        at = layout.GROUP_ROW * (1 - state.active) + (code >> 4 & 7)
        count = state.cells[layout.HIDDEN_COUNT + at]
        if count:
            return code | 1 << 7 | counts_in(state.cells[layout.HIDDEN + at], count) << 8
    if code & codes.KIND == codes.ASSASSINATE and code >> 7 & 1 and not code >> 16:
        place = code >> 8 & 255
        if place:
            place -= 1
        cards = state.cells[layout.HIDDEN + layout.GROUP_ROW * (1 - state.active) + (code >> 4 & 7)]
        return code | ((cards >> 4 * place & 15) + 1) << 16
    return code


def suffer_veto(state: State, code: i64) -> None:
    """Play an action that the other side vetoes, drawing whatever it can; it gets a veto where it has none."""
    other = 1 - state.active
    give_card(state, other, VETO)
    make_move(state, code | codes.ANNOUNCED_ONLY, 0)
    make_move(state, codes.VETO | _any(action_moves.replacements(state, other, state.rules.veto_draw)) << 4, 0)


def list_splits(state: State, batch: OptionBatch, code: i64, dice: Dice, most: i64 = MOST_SPLITS) -> None:
    """List the ways to lay out a castling that was announced, ``most`` of them."""
    _add_splits(state, batch, code, most, state.active, dice, True)


def _add_splits(
    state: State, batch: OptionBatch, code: i64, most: i64, viewer: i64, dice: Dice, as_options: bool
) -> None:
    listed = MoveList()
    action_moves.list_splits(state, code >> 4 & 7, code >> 7 & 7, listed)
    count = listed.count
    shown: i64 = 0
    for at in range(count):
        # Each way is as likely to be among those that are looked at.
        if count > most and dice.below(count - at) >= most - shown:
            continue
        shown += 1
        if as_options:
            batch.option(listed.codes[2 * at], listed.codes[2 * at + 1])
            batch.case()
        after = state.copy()
        make_move(after, listed.codes[2 * at], listed.codes[2 * at + 1])
        batch.row(after, viewer)


def list_targets(state: State, batch: OptionBatch, dice: Dice) -> None:
    """List the cards of the other side's hand that a spy can have discarded; who plays him sees the hand."""
    _add_targets(state, batch, dice, True)


def _add_targets(state: State, batch: OptionBatch, dice: Dice, as_options: bool) -> None:
    victim = 1 - state.active
    hand = layout.HAND + layout.CARD_ROW * victim
    new = _any(action_moves.replacements(state, victim, state.rules.spy_draw))
    for card in range(i64(SOME_INFLUENCE)):
        if state.cells[hand + card]:
            if as_options:
                batch.option(codes.SPY | (card + 1) << 4, 0)
                batch.case()
            after = state.copy()
            make_move(after, codes.SPY | (card + 1) << 4 | new << 8, 0)
            batch.row(after, state.active)


def list_vetoes(state: State, batch: OptionBatch, code: i64, dice: Dice) -> None:
    """List what the other side can do about an action that is announced: let it happen, or veto it, with each pile."""
    side = 1 - state.active
    batch.option(ALLOW, 0)
    kind = code & codes.KIND
    if kind == codes.CASTLE:
        batch.case()
        listed = MoveList()
        action_moves.list_splits(state, code >> 4 & 7, code >> 7 & 7, listed)
        after = state.copy()
        at = 2 * dice.below(listed.count)
        make_move(after, listed.codes[at], listed.codes[at + 1])
        batch.row(after, side)
    elif kind == codes.SPY:
        hand = layout.HAND + layout.CARD_ROW * side
        new = _any(action_moves.replacements(state, side, state.rules.spy_draw))
        for card in range(i64(SOME_INFLUENCE)):
            if state.cells[hand + card]:
                batch.case(state.cells[hand + card])
                after = state.copy()
                make_move(after, codes.SPY | (card + 1) << 4 | new << 8, 0)
                batch.row(after, side)
    else:
        batch.case()
        after = state.copy()
        make_move(after, with_card_named(state, code), 0)
        batch.row(after, side)
    drawn = action_moves.replacements(state, side, state.rules.veto_draw)
    cells, unseen = state.cells, layout.UNSEEN + layout.CARD_ROW * side
    for pile in range(i64(3)):
        begun = False
        for new in range(i64(SOME_INFLUENCE + 1)):
            if drawn >> new & 1 and pile == _pile_of(new):
                if not begun:
                    batch.option(codes.VETO | pile << 4, 0)
                    begun = True
                weight: i64 = 1
                if new:
                    weight = cells[unseen + new - 1]
                batch.case(weight)
                after = state.copy()
                make_move(after, code | codes.ANNOUNCED_ONLY, 0)
                make_move(after, codes.VETO | new << 4, 0)
                batch.row(after, side)


def _any(cards: i64) -> i64:
    """Return one of these cards and one more, 0 for none; they are bits, the lowest stands for none."""
    for card in range(i64(1), i64(SOME_INFLUENCE + 1)):
        if cards >> card & 1:
            return card
    return 0


def _pile_of(new: i64) -> i64:
    """Return from which pile a card and one more comes: 0 for none, 1 for influence cards, 2 for actions."""
    if not new:
        return 0
    if new <= INFLUENCE_KINDS:
        return 1
    return 2


def list_piles(state: State, batch: OptionBatch) -> None:
    """List the piles that the next card can be drawn from."""
    cells, side = state.cells, state.active
    unseen = layout.UNSEEN + layout.CARD_ROW * side
    possible = action_moves.in_piles(state, side)
    for pile in range(i64(1), i64(3)):
        begun = False
        for card in range(i64(SOME_INFLUENCE)):
            if possible >> card & 1 and _pile_of(card + 1) == pile:
                if not begun:
                    batch.option(codes.DRAW | pile << 4, 0)
                    begun = True
                batch.case(cells[unseen + card])
                after = state.copy()
                make_move(after, codes.DRAW | 1 << 4 | card << 8, 0)
                batch.row(after, side)


def list_missions(state: State, side: i64, batch: OptionBatch) -> None:
    """List the missions that a side can keep."""
    for kept in range(i64(1), i64(3)):
        code = codes.CHOOSE | side << 4 | kept << 5
        batch.option(code, 0)
        batch.case()
        after = state.copy()
        make_move(after, code, 0)
        batch.row(after, side)
