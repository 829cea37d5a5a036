"""What a vote, a bust or a vote card does to cards, patricians and groups."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.cards import SOME_INFLUENCE, TIE
from ....notation.codes import CARD, GROUP, GROUP_AT, RESET_AT, ROME_AT, UNKNOWN_SLOT, WIDTH, WINNER_AT, column_of
from .. import layout
from ..sequences import counts_in, in_sequence, without_one
from ..state import State
from ..vote_outcome import WINNER, as_written, decided_by, losses_of
from .hands import MissingCardsError, clear_group, identified, set_column, turn_up_known, without


def do_vote(state: State, code: i64, code2: i64) -> None:
    """Hold the vote of a bust or vote card."""
    group = code >> GROUP_AT & GROUP
    state.revealed = True
    state.cells[layout.BAG + group] = 0
    state.cells[layout.OUT + group] = 1
    hold_vote(state, code, code2)


def do_special_vote(state: State, code: i64, code2: i64) -> None:
    """Hold a special vote."""
    group = code >> GROUP_AT & GROUP
    state.due = without_group(state.due_votes(), group)
    rules, cells = state.rules, state.cells
    decided = hold_vote(state, code, code2)
    again = rules.special_repeat and decided & WINNER != TIE
    if again and cells[layout.LEFT + group] and cells[layout.TOTAL + group] >= rules.special:
        state.due = state.due << WIDTH | group + 1


def without_group(due: i64, group: i64) -> i64:
    """Return the groups whose special vote is due, with one of them left out."""
    place: i64 = 0
    while due >> WIDTH * place:
        if (due >> WIDTH * place & CARD) == group + 1:
            return without_one(due, place)
        place += 1
    return due


def hold_vote(state: State, code: i64, code2: i64) -> i64:
    """Turn up, compare, give the patrician, discard (J2–J8); return what came of it.

    If the record names another winner, that one counts. Raise MissingCardsError if a card is not known.
    """
    cells, group = state.cells, code >> GROUP_AT & GROUP
    other = layout.GROUP_ROW + group
    unsure = (
        cells[layout.HAS_UNKNOWN_CARDS]
        | cells[layout.HAS_UNKNOWN_CARDS + 1]
        | cells[layout.DOUBTED]
        | cells[layout.DOUBTED + 1]
    )
    if unsure or cells[layout.HIDDEN_COUNT + group] or cells[layout.HIDDEN_COUNT + other]:
        turn_up(state, code, code2)
    rome = counts_in(cells[layout.UP + group], cells[layout.UP_COUNT + group])
    egypt = counts_in(cells[layout.UP + other], cells[layout.UP_COUNT + other])
    if (rome | egypt) >> WIDTH * UNKNOWN_SLOT:
        raise MissingCardsError
    decided = decided_by(state.rules, rome, egypt)
    written = (code >> WINNER_AT & GROUP) - 1
    if written >= 0 and written != decided & WINNER:
        decided = as_written(decided, written)
    winner = decided & WINNER
    if winner == TIE:
        return decided
    discard_after(state, 0, group, rome, losses_of(decided, 0, rome))
    discard_after(state, 1, group, egypt, losses_of(decided, 1, egypt))
    won = layout.WON + layout.GROUP_ROW * winner + group
    cells[won] = cells[won] + 1
    cells[layout.LEFT + group] = cells[layout.LEFT + group] - 1
    if not cells[layout.LEFT + group]:
        empty(state, group)
    return decided


def discard_after(state: State, side: i64, group: i64, counts: i64, gone: i64) -> None:
    """Discard cards of a column after a vote; the others lie there from low to high."""
    cells, at = state.cells, layout.GROUP_ROW * side + group
    lying: i64 = 0
    shift: i64 = 0
    number: i64 = 0
    card: i64 = 0
    while counts:
        off = gone & CARD
        if off:
            thrown = layout.DISCARDS + layout.CARD_ROW * side + card
            cells[thrown] = cells[thrown] + off
        for _copy in range((counts & CARD) - off):
            lying |= card << shift
            shift += 4
            number += 1
        card += 1
        counts >>= WIDTH
        gone >>= WIDTH
    cells[layout.TOTAL + group] = cells[layout.TOTAL + group] + number - cells[layout.UP_COUNT + at]
    cells[layout.UP + at] = lying
    cells[layout.UP_COUNT + at] = number


def turn_up(state: State, code: i64, code2: i64) -> None:
    """Turn all cards at a group face up; unknown ones get the names that the vote shows."""
    group = code >> GROUP_AT & GROUP
    turn_up_side(state, 0, group, code >> ROME_AT)
    turn_up_side(state, 1, group, code2)


def turn_up_side(state: State, side: i64, group: i64, counts: i64) -> None:
    """Turn all of a side's cards at a group face up; unknown ones get the names that the counts give."""
    cells, at = state.cells, layout.GROUP_ROW * side + group
    if not (cells[layout.HAS_UNKNOWN_CARDS + side] or cells[layout.DOUBTED + side]):
        turn_up_known(state, side, group)
        return
    shown = list(column_of(counts))
    up = in_sequence(cells[layout.UP + at], cells[layout.UP_COUNT + at])
    hidden = in_sequence(cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at])
    if SOME_INFLUENCE in up or cells[layout.DOUBTED + side]:
        lying = identified(state, side, up + hidden, shown)
    elif hidden:
        lying = up + identified(state, side, hidden, without(shown, up))
    else:
        return
    set_column(state, side, group, True, [])
    set_column(state, side, group, False, lying)


def empty(state: State, group: i64) -> None:
    """Clear a group whose last patrician has been won (L1, L2, L3, M1, P1)."""
    clear_group(state, group)
    state.emptied += 1
    rules, cells = state.rules, state.cells
    if rules.gone_at_once:
        cells[layout.BAG + group] = 0
        cells[layout.OUT + group] = 0
    if state.emptied == 2 and rules.orgy_at_once:
        if state.blanks_out:
            state.blanks_out -= 1
        else:
            state.blanks -= 1
        state.orgy_removed = True
    if state.emptied == 1 and rules.chooses_mission:
        for side in (0, 1):
            if len(state.missions[side]) > 1:
                state.choosing |= 1 << side
    for each in rules.groups:
        if cells[layout.LEFT + each]:
            return
    state.over = layout.BY_PATRICIANS


def do_no_vote(state: State, code: i64) -> None:
    """Reveal a grey bust or an orgy, or the reset that brings all back."""
    state.revealed = True
    if code >> RESET_AT:
        cells = state.cells
        for group in state.rules.groups:
            cells[layout.BAG + group] = cells[layout.BAG + group] + cells[layout.OUT + group]
            cells[layout.OUT + group] = 0
        state.blanks += state.blanks_out
        state.blanks_out = 0
        return
    state.blanks -= 1
    # Variant A: the first plain orgy that is revealed after two groups are gone leaves the game (P1).
    if state.rules.orgy_when_revealed and state.emptied >= 2 and not state.orgy_removed:
        state.orgy_removed = True
    else:
        state.blanks_out += 1


def bring_back(state: State, out: list[int], blanks: i64) -> None:
    """Return to the bag or the pile the busts or vote cards that were out when a reset was not written (I4).

    For each group as many as ``out`` says, unless they have come back since.
    """
    cells = state.cells
    for group in state.rules.groups:
        back: i64 = min(out[group], cells[layout.OUT + group])
        cells[layout.BAG + group] = cells[layout.BAG + group] + back
        cells[layout.OUT + group] = cells[layout.OUT + group] - back
    less: i64 = min(blanks, state.blanks_out)
    state.blanks += less
    state.blanks_out -= less


def do_put_away(state: State, code: i64) -> None:
    """Remove the vote card of an emptied group from the game."""
    state.cells[layout.BAG + (code >> GROUP_AT & GROUP)] = 0
