"""From the set-up lines to the first state: the opening of every edition, or a position in the middle of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mypy_extensions import i64

from ....notation import tokens as t
from ....notation.cards import (
    ACTION_CARDS,
    CARD_KINDS,
    EGYPT,
    INFLUENCE_CARDS,
    MAY_BE,
    ROME,
    SOME_ACTION,
    SOME_INFLUENCE,
    is_known,
)
from ....notation.codes import CARD, CARD_AT, GROUP, KIND, OTHER, PLACE, PLACED_GROUP_AT
from ....notation.packed import Packed
from ...editions.edition import MAX_EDITIONS, Edition
from .. import layout
from ..ruleset import OPENING_SET, lost_blanks
from ..state import State, empty_table
from .hands import change_hand, discard, lay
from .turns import begin_turn


def start(
    edition: Edition,
    starter: int,
    rome: tuple[t.Token, ...],
    egypt: tuple[t.Token, ...],
    *,
    position: bool = False,
    number: int = 1,
) -> State:
    """Return the state before the first turn. ``rome`` and ``egypt`` are the tokens of the lines 0R and 0E.

    ``starter`` is the side that begins. ``position`` starts in the middle of a game: hands, discards and patricians are
    as written, and the piles hold what is left. ``number`` is the number of the first turn.

    >>> rome, egypt = (turn.tokens for turn in record.turns[:2])
    >>> state = tironian.start(tironian.load_edition("2024"), tironian.Side.EGYPT, rome, egypt)
    >>> state.number, state.active == tironian.Side.EGYPT
    (1, True)
    """
    state = empty_table(edition, starter)
    state.number = number
    for owner, tokens in ((ROME, rome), (EGYPT, egypt)):
        lay_out(state, owner, [t.checked(token) for token in tokens], position)
    if position:
        state.first_turn = False
        _go_on_from(state, (*rome, *egypt))
        if any(state.left):
            begin_turn(state)
        else:
            state.over = layout.BY_PATRICIANS
    return state


def conclude(state: State) -> None:
    """End the game in a position without turns if it is over, as the end of a turn would show (N2, N4a)."""
    if state.over or not state.is_out(state.active):
        return
    if state.is_out(1 - state.active):
        state.over = layout.BY_EXHAUSTION
    elif state.rules.skips_turns:
        # A player whose turns are skipped has none to begin, so the game may be over for the other.
        state.active = 1 - state.active
        begin_turn(state)


@lru_cache(maxsize=MAX_EDITIONS)
def dealt(edition: Edition, starter: i64) -> State:
    """Return the state after set-up lines in which nothing is wrong, without missions: one card lies at each group.

    Copy it before use: such states differ only in which cards lie where, in the missions, and in the order of the
    action piles.
    """
    state = empty_table(edition, starter)
    for owner in (ROME, EGYPT):
        cards = zip(OPENING_SET, edition.groups, strict=True)
        lay_out(state, owner, [t.Place(card, group, True) for card, group in cards], position=False)
    return state


def lay_valid_setup(state: State, packed: Packed, rome: i64, egypt: i64) -> None:
    """Put the cards of such set-up lines, given as their places among packed turns, into a copy of such a state."""
    state.missions = _lay_valid_setup(state, ROME, packed, rome), _lay_valid_setup(state, EGYPT, packed, egypt)


def _lay_valid_setup(state: State, owner: i64, packed: Packed, place: i64) -> tuple[t.Mission, ...]:
    """Lay the cards of such a line at its groups, and its action cards in their order; return the missions."""
    cells, codes = state.cells, packed.codes
    missions: tuple[t.Mission, ...] = ()
    for at in range(packed.begin(place), packed.begin(place + 1), 2):
        code = codes[at]
        if code & KIND == PLACE:
            cells[layout.HIDDEN + layout.GROUP_ROW * owner + (code >> PLACED_GROUP_AT & GROUP)] = code >> CARD_AT & CARD
        elif code == OTHER:
            token = packed.others[at]
            if isinstance(token, t.Missions):
                missions += token.missions
            else:
                state.orders[owner] = token.cards
    return missions


def lay_out(state: State, owner: i64, tokens: Sequence[t.Token], position: bool) -> None:
    """Lay out what the tokens of a set-up line say."""
    cells = state.cells
    seen: list[int] = []
    held: list[int] = []
    drawn = False
    missions: tuple[t.Mission, ...] = ()
    orders: list[t.Cards] = []
    for token in tokens:
        match token:
            case t.Place():
                lay(state, owner, token.group, token.card, token.hidden)
                seen.append(token.card)
            case t.Missions():
                missions += token.missions
            case t.Draw():
                held += token.cards
                drawn = True
            case t.ActionOrder():
                orders.append(token.cards)
            case t.Hand() if position:
                held += token.cards
            case t.Gained():
                for group in token.groups:
                    cells[layout.WON + layout.GROUP_ROW * owner + group] += 1
            case t.Spent():
                seen += token.cards
                for card in token.cards:
                    discard(state, owner, card)
            case _:
                pass
    state.missions = (missions, state.missions[1]) if owner == ROME else (state.missions[0], missions)
    if len(orders) == 1:  # if there are two, nobody can tell which it was
        state.orders[owner] = orders[0]
    if not (position or drawn):
        held += [card for card in state.rules.first_action if is_known(card)]
    _deal(state, owner, position, seen, held)


def _deal(state: State, owner: i64, position: bool, seen: list[int], held: list[int]) -> None:
    """Give a side its hand and its piles; ``seen`` and ``held`` as for ``_divided``."""
    cells = state.cells
    hand, unseen, cells[layout.INFLUENCE_PILE + owner], cells[layout.ACTION_PILE + owner], blurred = _divided(
        state.edition, position, seen, held
    )
    cells[layout.HAS_UNKNOWN_CARDS + owner] = int(blurred)
    for card in range(CARD_KINDS):
        cells[layout.UNSEEN + layout.CARD_ROW * owner + card] = unseen[card]
        change_hand(state, owner, card, hand[card])


def _divided(
    edition: Edition, position: bool, seen: list[int], held: list[int]
) -> tuple[list[int], list[int], int, int, bool]:
    """Return a side's hand, the copies left of each card, the number in each pile, and whether the hand is blurred.

    ``seen`` are the cards on the table and the discards, ``held`` those dealt in addition to the opening set (A2,
    A3, B6).
    """
    hand = [0] * CARD_KINDS
    unseen = [edition.copies(card) for card in (*INFLUENCE_CARDS, *ACTION_CARDS)] + [0] * len(MAY_BE)
    dealt = held if position else [*OPENING_SET, *held]
    for card in dealt:
        hand[card] += 1
    # Cards neither on the table nor in the hand nor discarded lie in the piles.
    for card in (*seen, *dealt):
        unseen[card] -= 1
    # An unknown card is one of those that were not seen.
    influence = sum([unseen[card] for card in INFLUENCE_CARDS]) + unseen[SOME_INFLUENCE]
    action = sum([unseen[card] for card in ACTION_CARDS]) + unseen[SOME_ACTION]
    blurred = unseen[SOME_INFLUENCE] + unseen[SOME_ACTION] < 0
    unseen[SOME_INFLUENCE] = unseen[SOME_ACTION] = 0
    return hand, unseen, max(influence, 0), max(action, 0), blurred


def _go_on_from(state: State, tokens: tuple[t.Token, ...]) -> None:
    edition, cells = state.edition, state.cells
    for group in edition.groups:
        won = cells[layout.WON + group] + cells[layout.WON + layout.GROUP_ROW + group]
        cells[layout.LEFT + group] = max(0, cells[layout.LEFT + group] - won)
        if not cells[layout.LEFT + group]:
            state.emptied += 1
            cells[layout.BAG + group] = 0
            # Its vote card is gone or lies on the open pile: a position does not say, so it may come back.
            cells[layout.OUT + group] = int(not state.rules.gone_at_once)
    for owner in (ROME, EGYPT):
        cells[layout.KEPT + owner] = 1 if len(state.missions[owner]) == 1 else layout.UNCHOSEN
    lost = lost_blanks(edition, state.emptied)
    state.blanks -= lost
    state.orgy_removed = lost > 0
    bags = [token for token in tokens if isinstance(token, t.Bag)]
    if bags:
        _fill_bag(state, bags)
        state.blanks_out = edition.blanks - lost - state.blanks


def _fill_bag(state: State, bags: list[t.Bag]) -> None:
    """Put into the bag what is written as being there, and beside it what else there may be (I5)."""
    cells = state.cells
    there = {group for bag in bags for group in bag.groups}
    for group in state.edition.groups:
        inside = group in there
        may_be_out = cells[layout.LEFT + group] > 0 or cells[layout.OUT + group] > 0
        cells[layout.OUT + group] = int(may_be_out and not inside)
        cells[layout.BAG + group] = int(inside)
    state.blanks = sum([bag.blanks for bag in bags])
