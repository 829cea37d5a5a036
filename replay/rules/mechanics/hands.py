"""Cards between hands, piles, columns and discards, with cards of unknown identity among them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from ....notation.cards import SOME_ACTION, SOME_INFLUENCE
from ....notation.codes import CARD, WIDTH
from ..layout import (
    ACTION_PILE,
    CARD_ROW,
    DISCARDS,
    DOUBTED,
    FACE_DOWN,
    GROUP_ROW,
    HAND,
    HAS_UNKNOWN_CARDS,
    HELD,
    HIDDEN,
    HIDDEN_COUNT,
    INFLUENCE,
    INFLUENCE_PILE,
    MAX_AT_GROUP,
    TOTAL,
    UNSEEN,
    UNSEEN_DISCARDS,
    UP,
    UP_COUNT,
)
from ..sequences import as_sequence, end_of, first_of, is_influence, unknown_card_like
from ..state import State

NO_COPY_LIMIT: Final = 100
"""More copies of a card than any game can ask for."""


# Exceptions of a native class have no __dict__, by which libraries carry a traceback to another process.
@mypyc_attr(native_class=False)
class ImpossibleMoveError(Exception):
    """Raised if the cards that the record names can't be there, so that the game can't be followed further.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> tironian.apply(state, tironian.tokens.Wrath(tironian.Group.AEDILE))
    Traceback (most recent call last):
    ...
    ImpossibleMoveError
    """


@mypyc_attr(native_class=False)
class MissingCardsError(Exception):
    """The record leaves out cards on which everything that follows depends; nothing in it is wrong.

    >>> issubclass(tironian.MissingCardsError, Exception)
    True
    """


def change_hand(state: State, side: i64, card: i64, by: i64) -> None:
    """Put copies of a card into a hand, or take them out if ``by`` is negative."""
    cells = state.cells
    at = HAND + CARD_ROW * side + card
    cells[at] = cells[at] + by
    cells[HELD + side] = cells[HELD + side] + by
    if is_influence(card):
        cells[INFLUENCE + side] = cells[INFLUENCE + side] + by


def take(state: State, side: i64, card: i64) -> None:
    """Take a card out of the hand. Raise ImpossibleMoveError if the hand can't hold it."""
    cells = state.cells
    if card < SOME_INFLUENCE and cells[HAND + CARD_ROW * side + card] > 0:
        change_hand(state, side, card, -1)
        return
    unknown_card = unknown_card_like(card)
    if card == unknown_card:
        forget(state, side, unknown_card)
    if cells[HAND + CARD_ROW * side + unknown_card] <= 0:
        raise ImpossibleMoveError
    change_hand(state, side, unknown_card, -1)
    if card != unknown_card:
        at = UNSEEN + CARD_ROW * side + card
        cells[at] = cells[at] - 1


def discard_from_hand(state: State, side: i64, card: i64) -> None:
    """Move a card from the hand to the discards. Raise ImpossibleMoveError if the hand can't hold it."""
    take(state, side, card)
    discard(state, side, card)


def discard(state: State, side: i64, card: i64) -> None:
    """Add a card that has left its place to the discards."""
    at = DISCARDS + CARD_ROW * side + card
    state.cells[at] = state.cells[at] + 1


def discard_unseen(state: State, side: i64, card: i64) -> None:
    """Add a card that the other side has never seen to the discards."""
    discard(state, side, card)
    at = UNSEEN_DISCARDS + CARD_ROW * side + card
    state.cells[at] = state.cells[at] + 1


def forget(state: State, side: i64, unknown_card: i64) -> None:
    """Forget which cards of a kind are in the hand: an unknown one has left it."""
    cells = state.cells
    cells[HAS_UNKNOWN_CARDS + side] = 1
    for card in range(first_of(unknown_card), end_of(unknown_card)):
        held = HAND + CARD_ROW * side + card
        count: i64 = cells[held]
        if count:
            unseen = UNSEEN + CARD_ROW * side + card
            cells[unseen] = cells[unseen] + count
            cells[HAND + CARD_ROW * side + unknown_card] = cells[HAND + CARD_ROW * side + unknown_card] + count
            cells[held] = 0


def stop_counting(state: State, side: i64, card: i64) -> None:
    """Stop counting copies of a side's cards of one kind, since a ruling let stand more than one deck can hold.

    From then on any card of that kind may be in the hand, and any may come.
    """
    forget(state, side, unknown_card_like(card))
    if is_influence(card):
        doubt(state, side)
    else:
        lift_copy_limits(state, side, SOME_ACTION)


def doubt(state: State, side: i64) -> None:
    """Believe what is seen of a side's influence cards on the table, whatever the record said before."""
    state.cells[DOUBTED + side] = 1
    lift_copy_limits(state, side, SOME_INFLUENCE)


def lift_copy_limits(state: State, side: i64, unknown_card: i64) -> None:
    """Allow as many copies of each card of a kind as any record asks for."""
    unseen = UNSEEN + CARD_ROW * side
    for card in range(first_of(unknown_card), end_of(unknown_card)):
        state.cells[unseen + card] = state.cells[unseen + card] + NO_COPY_LIMIT


def make_room_in_hand(state: State, side: i64, card: i64) -> None:
    """Make room for a card that the hand should not hold, so that what was ruled to stand can be replayed.

    If the hand has no card of its kind, it came from elsewhere. Raise ImpossibleMoveError if the pile has none either:
    such a player can only wait for the end of the game, and the loan would change how it ends.
    """
    unknown_card = unknown_card_like(card)
    stop_counting(state, side, card)
    if state.cells[HAND + CARD_ROW * side + unknown_card]:
        return
    if not state.cells[(INFLUENCE_PILE if unknown_card == SOME_INFLUENCE else ACTION_PILE) + side]:
        raise ImpossibleMoveError
    change_hand(state, side, unknown_card, 1)


def draw(state: State, side: i64, card: i64) -> None:
    """Put a card from the pile of its kind into the hand."""
    cells = state.cells
    change_hand(state, side, card, 1)
    if is_influence(card):
        cells[INFLUENCE_PILE + side] = cells[INFLUENCE_PILE + side] - 1
    else:
        cells[ACTION_PILE + side] = cells[ACTION_PILE + side] - 1
        order = state.orders[side]
        if order is not None:
            state.orders[side] = order[1:]
    if card >= SOME_INFLUENCE:
        cells[HAS_UNKNOWN_CARDS + side] = 1
    else:
        at = UNSEEN + CARD_ROW * side + card
        cells[at] = cells[at] - 1


# ------------------------------------------------------------------------------------------------------- columns


def lay(state: State, side: i64, group: i64, card: i64, hidden: bool) -> None:
    """Lay a card at a group, above those already there. Raise ImpossibleMoveError if more lie there than fit a
    sequence.
    """
    cells, at = state.cells, GROUP_ROW * side + group
    if hidden:
        at += FACE_DOWN
    count: i64 = cells[UP_COUNT + at]
    if count >= MAX_AT_GROUP:
        raise ImpossibleMoveError
    code: i64 = cells[UP + at]
    cells[UP + at] = code | card << WIDTH * count
    cells[UP_COUNT + at] = count + 1
    cells[TOTAL + group] = cells[TOTAL + group] + 1


def set_column(state: State, side: i64, group: i64, hidden: bool, cards: list[int]) -> None:
    """Set a side's face-up or face-down cards at a group. Raise ImpossibleMoveError if there are too many."""
    if len(cards) > MAX_AT_GROUP:
        raise ImpossibleMoveError
    set_sequence(state, side, group, hidden, as_sequence(cards), len(cards))


def set_sequence(state: State, side: i64, group: i64, hidden: bool, cards: i64, count: i64) -> None:
    """Set a side's face-up or face-down cards at a group to those of a sequence."""
    cells, at = state.cells, GROUP_ROW * side + group
    if hidden:
        at += FACE_DOWN
    cells[TOTAL + group] = cells[TOTAL + group] + count - cells[UP_COUNT + at]
    cells[UP + at] = cards
    cells[UP_COUNT + at] = count


def turn_up_known(state: State, side: i64, group: i64) -> None:
    """Turn up a side's face-down cards at a group, all known. Raise ImpossibleMoveError if there are too many."""
    cells, at = state.cells, GROUP_ROW * side + group
    count: i64 = cells[HIDDEN_COUNT + at]
    if not count:
        return
    up: i64 = cells[UP_COUNT + at]
    if up + count > MAX_AT_GROUP:
        raise ImpossibleMoveError
    cells[UP + at] = cells[UP + at] | cells[HIDDEN + at] << WIDTH * up
    cells[UP_COUNT + at] = up + count
    cells[HIDDEN + at] = 0
    cells[HIDDEN_COUNT + at] = 0


def clear_group(state: State, group: i64) -> None:
    """Move all influence cards at a group to their owners' discards."""
    clear_side(state, 0, group)
    clear_side(state, 1, group)


def clear_side(state: State, side: i64, group: i64) -> None:
    """Move a side's influence cards at a group to its discards."""
    cells, at = state.cells, GROUP_ROW * side + group
    cards = cells[UP + at]
    for _card in range(cells[UP_COUNT + at]):
        discard(state, side, cards & CARD)
        cards >>= WIDTH
    cards = cells[HIDDEN + at]
    for _card in range(cells[HIDDEN_COUNT + at]):
        discard_unseen(state, side, cards & CARD)
        cards >>= WIDTH
    set_sequence(state, side, group, False, 0, 0)
    set_sequence(state, side, group, True, 0, 0)


def identified(state: State, side: i64, hidden: list[int], seen: list[int]) -> list[int]:
    """Return hidden cards, those whose identity nobody had written down with the names that ``seen`` gives them.

    If the record of the cards is in doubt, what is seen counts, except for their number.
    """
    if state.cells[DOUBTED + side] and _contradict(hidden, seen):
        return seen if len(seen) == len(hidden) else hidden
    rest = without(seen, hidden)
    named: list[int] = []
    for card in hidden:
        name: i64 = card
        if card == SOME_INFLUENCE and rest:
            name = rest.pop(0)  # unknown ones stand last, and may be any known card that lies there
            if name != SOME_INFLUENCE:
                at = UNSEEN + CARD_ROW * side + name
                state.cells[at] = state.cells[at] - 1
        named.append(name)
    return named


def without(cards: list[int], others: list[int]) -> list[int]:
    """Return cards with some others taken out of them."""
    rest = cards[:]
    for card in others:
        if card in rest:
            rest.remove(card)
    return rest


def _contradict(lying: list[int], seen: list[int]) -> bool:
    """Return whether cards can't be those that were seen, whatever the unknown ones among them are."""
    strange: i64 = 0
    for card in range(SOME_INFLUENCE):
        excess: i64 = seen.count(card) - lying.count(card)
        if excess > 0:
            strange += excess
    return len(seen) != len(lying) or strange > lying.count(SOME_INFLUENCE)


def forget_column(state: State, side: i64, column: list[int]) -> list[int]:
    """Return a column whose cards nobody can name any longer: one left it, and the record does not say which."""
    state.cells[HAS_UNKNOWN_CARDS + side] = 1
    for card in column:
        if card != SOME_INFLUENCE:
            at = UNSEEN + CARD_ROW * side + card
            state.cells[at] = state.cells[at] + 1
    return [SOME_INFLUENCE] * len(column)
