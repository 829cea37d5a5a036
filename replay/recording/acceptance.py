"""Whether an entry may stand: the checker is asked, and what it has against it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES
from ...notation.diagnostic import Diagnostic
from ...notation.record import Record, Ruling
from ...notation.source import Span
from ...notation.writer import write
from ..diagnostics.messages import words
from ..diagnostics.names import counted
from ..diagnostics.registry import CODES, fill
from ..editions.edition import Edition
from ..engine.play import Fault, violations
from ..engine.rulings import rulings
from ..rules.law.setup import setup_violations
from .cursor import Cursor, Phase
from .draft import Draft
from .entry import counted_result, place_of, put, with_result, with_turn

UNDECIDED: Final = "it happened; the arbiter still has to rule"
"""The text of a ruling that holds an irregularity until somebody decides about it."""


def objections(before: Draft, after: Draft) -> list[Diagnostic]:
    """What speaks against the one entry by which a record differs from what it was before."""
    cursor = before.cursor
    if cursor.phase is Phase.BLIND:
        return []
    if cursor.phase is Phase.SET_UP:
        return _against_set_up(before, after)
    found = _with_missing_draw(after.new_errors(before), before, after)
    if not found and after.cursor.phase is Phase.BLIND:
        help_ = (
            "write them behind the word, as in =A433:52 (Rome's first, from high to low) or cA(53)Q(1); "
            "/insist goes on without them, and then nothing can be judged"
        )
        found = [_objection(before, "the cards that this turned up or moved are missing", help_)]
    return found


def _with_missing_draw(found: list[Diagnostic], before: Draft, after: Draft) -> list[Diagnostic]:
    """Return the objections; where the other side's turn was begun, with the draw that was forgotten before it."""
    cursor, last = before.cursor, after.record.turns[-1]
    draws = any(isinstance(move.token, t.Draw) for move in cursor.moves)
    begins = bool(last.tokens) and isinstance(last.tokens[-1], (t.Place, t.Discard, *t.ACTIONS))
    if not found or cursor.state is None or not (draws and begins):
        return found
    many = counted(cursor.state.draw_limit(), "card")
    help_ = f"{PLAYER_NAMES[cursor.side]} still has to draw {many}: write + and the cards drawn"
    return [replace(found[0], help=help_), *found[1:]]


def _objection(draft: Draft, message: str, help_: str, code: str = "") -> Diagnostic:
    """What speaks against an entry, without its place in the text."""
    return Diagnostic(code, message, draft.game.source, Span(0, 0, 0), help=help_, turn=draft.cursor.label)


def _against_set_up(before: Draft, after: Draft) -> list[Diagnostic]:
    """The faults of the last token: of an unfinished line it would be unfair to say what is missing."""
    cursor, edition = before.cursor, before.frame.edition
    line = after.record.turns[-1] if after.record.turns else None
    if edition is None or line is None or line.number:
        return after.new_errors(before)
    found = setup_violations(edition, cursor.side, line.tokens, position=False)
    return [_told(each.fault, after, edition) for each in found if each.at == len(line.tokens) - 1]


def _told(fault: Fault, draft: Draft, edition: Edition) -> Diagnostic:
    """A fault in words, without a place."""
    code, told = CODES[fault.code], words(fault, draft.cursor.state, edition)
    return _objection(draft, fill(code.message, told), fill(code.help, told), fault.code)


def against_ending(draft: Draft) -> list[Diagnostic]:
    """What speaks against the turn being over."""
    cursor, edition = draft.cursor, draft.frame.edition
    if edition is None or cursor.phase is Phase.BLIND:
        return []
    if cursor.phase is Phase.SET_UP:
        if any(move.token is None for move in cursor.moves):
            return []
        return [_objection(draft, "the set-up is not complete", "continue with what the list shows")]
    if cursor.state is None:
        return []
    found = [_told(fault, draft, edition) for fault in violations(cursor.state, None)]
    if cursor.pending and not found:
        return [_objection(draft, "the effect of the action is missing", "write it, or v for a veto")]
    return found


def ruled(record: Record, found: Sequence[Diagnostic]) -> Record:
    """The record with a ruling behind each turn against which something speaks, to be decided by the arbiter."""
    for label in dict.fromkeys(each.turn for each in found):
        if (place := place_of(record, label)) is not None:
            codes = tuple([each.code for each in found if each.turn == label and each.code])
            record = decided(record, place, Ruling(record.turns[place].side, "stands", codes, 0, UNDECIDED))
    return record


def decided(record: Record, place: int, ruling: Ruling) -> Record:
    """The record with a ruling on a turn, in place of those still to be made, whose codes it takes over."""
    turn = record.turns[place]
    open_ = [each for each in rulings(turn) if each.text == UNDECIDED]
    codes = dict.fromkeys([code for each in (*open_, ruling) for code in each.codes])
    # Of a turn that was taken back nothing stands, so it needs no list of what was wrong with it.
    ruling = replace(ruling, codes=() if ruling.decision == "back" else tuple(codes))
    rest = [each for each in turn.after if each not in open_]
    return with_turn(record, place, replace(turn, after=(*rest, ruling)))


def insisted(before: Draft, record: Record) -> Record:
    """The record with an irregular entry, held by a ruling that names everything that speaks against it."""
    known: list[Diagnostic] = []
    while True:
        found = objections(before, Draft(write(record)))
        irregular = [each for each in found if each.code[:1] not in ("", "N") and each.turn]
        if all(each in known for each in irregular):  # none is left, or none that a ruling can hold
            return record
        record, known = ruled(record, irregular), known + irregular


def undecided(record: Record) -> list[str]:
    """The labels of the turns about which an arbiter has still to rule."""
    return [turn.label for turn in record.turns if any(each.text == UNDECIDED for each in rulings(turn))]


def complete(cursor: Cursor) -> t.Token | None:
    """The one thing that can come next where nobody decides about it; None where somebody does.

    In the set-up everything is laid out at once: the last of five cards decides nothing.
    """
    if len(cursor.moves) != 1:
        return None
    token = cursor.moves[0].token
    is_choice = token is None or t.KINDS[type(token)].step == t.ACT or isinstance(token, t.ChooseMission)
    is_unknown = isinstance(token, t.Vote | t.SpecialVote) and token.rome is None
    return None if is_unknown or (is_choice and cursor.phase is Phase.PLAY) else token


def with_due_votes(draft: Draft) -> Draft:
    """Return the draft with the special votes that are due, as far as the cards on the table decide them.

    Before them something else could come, so they are filled in when it is clear that nothing does.
    """
    while votes := [move.token for move in draft.cursor.moves if isinstance(move.token, t.SpecialVote)]:
        ways = [vote for vote in votes if vote.group == votes[0].group]
        if len(ways) != 1 or ways[0].rome is None:
            break
        draft = Draft(write(put(draft, ways[0])))
    return draft


def completed(draft: Draft) -> tuple[Draft, list[t.Token]]:
    """A draft with all that rules and cards determine, and the tokens that were filled in; draws are one."""
    given: list[t.Token] = []
    while draft.cursor.phase in (Phase.SET_UP, Phase.PLAY):
        token = complete(draft.cursor)
        if token is None:
            return draft, given
        draft = Draft(write(put(draft, token)))
        last = given[-1] if given else None
        if isinstance(last, t.Draw) and isinstance(token, t.Draw):
            given[-1] = t.Draw(last.cards + token.cards)
        else:
            given.append(token)
    record = draft.record
    if draft.is_over and draft.verdict.score and not (record.result and record.result.points):
        result = counted_result(draft.verdict.score)
        if result is not None:
            draft = Draft(write(with_result(record, result)), closed=draft.closed)
    return draft, given
