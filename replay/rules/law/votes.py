"""The law of votes, busts and vote cards, and the comparison of a recorded vote with the cards that lie there."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import INFLUENCE_KINDS, ROME, TIE
from ..fault import Faults, add
from ..layout import BAG, DOUBTED, LEFT
from ..state import NOT_REACHED, State, is_among
from ..vote_outcome import WINNER, as_written, decided_by, losses_of, resolve
from .base import fits, in_order, in_play, number_of


def judge_vote(state: State, code: i64, code2: i64, place: i64, faults: Faults) -> None:
    """Note what is wrong with a vote by bust or vote card (I1–I6, J1–J3)."""
    group, cells = code >> codes.GROUP_AT & codes.GROUP, state.cells
    judge_reveal(state, code, code2, place, faults)
    if not state.rules.sizes[group]:
        add(faults, "R201", {"group": group})
    elif not cells[LEFT + group]:
        add(faults, "R202" if state.rules.gone_at_once else "R409", {"group": group})
    else:
        if not cells[BAG + group]:
            add(faults, "R407", {"group": group})
        judge_claims(state, code, code2, faults)


def judge_special_vote(state: State, code: i64, code2: i64, place: i64, faults: Faults) -> None:
    """Note what is wrong with a special vote (I7–I12, J1–J3)."""
    group = code >> codes.GROUP_AT & codes.GROUP
    if state.passive:
        add(faults, "R604", {"token": codes.decode(code, code2)})
    in_order(state, code, code2, place, faults)
    if not in_play(state, group, faults):
        return
    if not is_among(group, state.due_votes()):
        already = state.due != NOT_REACHED and state.total(group) >= state.rules.special
        add(faults, "R401", {"group": group, "count": state.total(group), "already": already})
    judge_claims(state, code, code2, faults)


def judge_reveal(state: State, code: i64, code2: i64, place: i64, faults: Faults) -> None:
    """Note what is wrong with anything drawn from the bag or turned up from the pile of vote cards."""
    if place < state.stage:
        in_order(state, code, code2, place, faults)
    if state.revealed:
        add(faults, "R406", {"token": codes.decode(code, code2)})
    elif not state.may_reveal or state.passive:
        add(faults, "R404", {"passive": state.passive, "final": state.final})


def judge_claims(state: State, code: i64, code2: i64, faults: Faults) -> None:
    """Compare what the record says about the vote with the cards that lie there (J1–J3)."""
    group = code >> codes.GROUP_AT & codes.GROUP
    rome, egypt = state.counts_at(0, group), state.counts_at(1, group)
    written = (code >> codes.WINNER_AT & codes.GROUP) - 1
    unknown = (rome | egypt) >> codes.WIDTH * codes.UNKNOWN_SLOT
    if unknown or code >> codes.ROME_AT != rome or code2 != egypt:
        if not unknown:
            slip = _likely_cause(state, code, code2, rome, egypt)
            if slip:
                shown = codes.column_of(code >> codes.ROME_AT) if code >> codes.ROME_WRITTEN_AT & 1 else None
                facts = {"owner": ROME, "group": group, "shown": shown, "there": codes.column_of(rome)}
                facts.update(slip)
                add(faults, "C901", facts)
                return
        rome = _as_shown(state, 0, group, rome, code >> codes.ROME_WRITTEN_AT & 1, code >> codes.ROME_AT, faults)
        egypt = _as_shown(state, 1, group, egypt, code >> codes.EGYPT_WRITTEN_AT & 1, code2, faults)
        if rome < 0 or egypt < 0:
            return
    if written < 0 or decided_by(state.rules, rome, egypt) & WINNER == written:
        return
    outcome = resolve(codes.column_of(rome), codes.column_of(egypt), state.edition)
    philosophers = rome & codes.CARD, egypt & codes.CARD
    add(faults, "C902", {"group": group, "outcome": outcome, "winner": written, "philosophers": philosophers})


def _likely_cause(state: State, code: i64, code2: i64, rome: i64, egypt: i64) -> dict[str, Any]:
    """Return what would make the vote right, exchanged halves or another group; nothing if neither would."""
    shown = code >> codes.ROME_AT
    # An unknown card is no reason to suspect another group, nor are cards that can lie at this one.
    if code & codes.BOTH_WRITTEN != codes.BOTH_WRITTEN or (shown | code2) >> codes.WIDTH * codes.UNKNOWN_SLOT:
        return {}
    if fits(state, 0, shown, rome) and fits(state, 1, code2, egypt):
        return {}
    if shown == egypt and code2 == rome:
        return {"swapped": True}
    if shown or code2:
        for group in state.rules.groups:
            if state.counts_at(0, group) == shown and state.counts_at(1, group) == code2:
                return {"elsewhere": group}
    return {}


def _as_shown(state: State, side: i64, group: i64, lying: i64, written: i64, shown: i64, faults: Faults) -> i64:
    """Return the counts of a side's cards, unknown ones named as the vote shows them; -1 if they stay unknown."""
    if not written:
        shown = 0
    elif not fits(state, side, shown, lying):
        facts = {"owner": side, "group": group, "shown": codes.column_of(shown), "there": codes.column_of(lying)}
        add(faults, "C901", facts)
        return -1
    elif shown != lying and state.cells[DOUBTED + side]:
        return -1 if shown >> codes.WIDTH * codes.UNKNOWN_SLOT & codes.CARD else shown
    named: i64 = 0
    for card in range(i64(INFLUENCE_KINDS)):
        one, other = lying >> codes.WIDTH * card & codes.CARD, shown >> codes.WIDTH * card & codes.CARD
        named |= (one if one > other else other) << codes.WIDTH * card
    return named if number_of(named) == number_of(lying) else -1


def depends_on_reading(state: State, code: i64, code2: i64, doubted: bool) -> bool:
    """Return whether a vote comes out differently by the cards as laid than by the cards as shown.

    ``doubted`` says that what was shown may be as wrong as what was laid.
    """
    cells, group = state.cells, code >> codes.GROUP_AT & codes.GROUP
    written = (code >> codes.WINNER_AT & codes.GROUP) - 1
    cleared = cells[LEFT + group] == 1
    rome, egypt = state.counts_at(0, group), state.counts_at(1, group)
    shown_rome = code >> codes.ROME_AT if code >> codes.ROME_WRITTEN_AT & 1 else rome
    shown_egypt = code2 if code >> codes.EGYPT_WRITTEN_AT & 1 else egypt
    if doubted or (rome | egypt) >> codes.WIDTH * codes.UNKNOWN_SLOT:
        # Any of them may have been misread, and a philosopher makes the difference.
        return not (cleared and 0 <= written < TIE)
    if number_of(rome) != number_of(shown_rome) or number_of(egypt) != number_of(shown_egypt):
        return True
    decided = _as_held(state, shown_rome, shown_egypt, written)
    for one, other in ((rome, shown_egypt), (shown_rome, egypt), (rome, egypt)):
        held = _as_held(state, one, other, written)
        if held & WINNER != decided & WINNER:
            return True
        if cleared and held & WINNER != TIE:
            continue
        if not _is_alike(losses_of(held, 0, one), losses_of(decided, 0, shown_rome), one == shown_rome):
            return True
        if not _is_alike(losses_of(held, 1, other), losses_of(decided, 1, shown_egypt), other == shown_egypt):
            return True
    return False


def _is_alike(gone: i64, other: i64, same: bool) -> bool:
    """Return whether the same cards are lost, or equally many if they come from different columns."""
    return gone == other or (not same and number_of(gone) == number_of(other))


def _as_held(state: State, rome: i64, egypt: i64, written: i64) -> i64:
    """Return how a vote between two columns came out at a table that gave it to the recorded winner."""
    decided = decided_by(state.rules, rome, egypt)
    return decided if written < 0 or written == decided & WINNER else as_written(decided, written)


def judge_no_vote(state: State, code: i64, place: i64, faults: Faults) -> None:
    """Note what is wrong with a grey bust or an orgy (I1, I4)."""
    judge_reveal(state, code, 0, place, faults)
    if not code >> codes.RESET_AT and state.blanks <= 0:
        add(faults, "R408", {"out": state.blanks_out})


def judge_put_away(state: State, code: i64, place: i64, faults: Faults) -> None:
    """Note what is wrong with putting a vote card away (I5)."""
    group = code >> codes.GROUP_AT & codes.GROUP
    judge_reveal(state, code, 0, place, faults)
    if not state.rules.sizes[group]:
        add(faults, "R201", {"group": group})
    elif state.cells[LEFT + group]:
        add(faults, "R410", {"group": group})
    elif not state.cells[BAG + group]:
        add(faults, "R411", {"group": group})
