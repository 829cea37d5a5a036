"""The course of a game: its record played through the engine once, with everything found on the way.

This is the hot path of ``check``: no snapshots, and no objects as long as nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES
from ...notation.diagnostic import RULED, WARNING
from ...notation.record import Alternative, BadLine, Movetext, Record, Ruling, Turn
from ..diagnostics.messages import words
from ..diagnostics.registry import CODES
from ..rules.fault import Fault
from ..rules.law.progress import judge_end
from ..rules.mechanics import Impossible, Unknowable
from ..rules.mechanics.turns import begin_turn, end_turn
from ..rules.sequences import some_of
from ..rules.state import State
from .fault_suppression import is_open, recover
from .findings import END, MOST_FOUND, Course, Finding, Watch, note, pardon_of
from .follow import IMPOSSIBLE, follow
from .headers import Frame
from .opening import openings, set_up
from .play import apply, violations
from .rulings import OF_VOTES, is_ruled, is_taken_back, leaves_open, let_stand, let_unseen_stand, pardon_for, rulings

NO_TURN: Final = "%|;{"
"""How lines begin that were no turns, so that the replay goes on behind them when they can't be read."""
_ACTIONS: Final = frozenset(t.ACTIONS)
_ANNOUNCED: Final = frozenset({"R307", "R315", "R506"})
"""What an announced action was to do, or what came in place of a veto, would have been written next."""
_UNREPLAYABLE: Final = frozenset(
    {"R201", "R202", "R303", "R305", "R306", "R307", "R314", "R315", "R409", "R502", "R801"}
)
"""Faults that can't be replayed even where a ruling lets them stand: the cards or groups for it do not exist."""


def run(record: Record, frame: Frame, watch: Watch | None = None) -> Course:
    """Play a record through the engine; ``frame`` must have an edition. ``watch`` is told of every step."""
    assert frame.edition is not None
    course = Course(frame.edition, watch=watch)
    turns = Movetext.of(record.turns)
    opening = openings(turns.packed)
    set_up(course, frame, record, turns, opening)
    course.broken_off = frame.termination not in ("", "normal")
    pointless = record.result is None or record.result.points is None
    if len(turns) > len(opening) and (course.broken_off or pointless):
        course.last = turns[-1]
    course.events = len(turns.packed.codes) >> 1
    if course.state is None:
        _check_words(course, turns[len(opening) :])
        return course
    if watch is not None:
        watch(None, END, course.state)
    _follow(course, course.state, turns, len(opening))
    return course


# ----------------------------------------------------------------------------------------------------- the turns


def _follow(course: Course, state: State, turns: Movetext, place: int) -> None:
    """Play all turns of a game: together as far as nothing is wrong with them, and one by one where something is."""
    told, at = course.told, 0
    while not course.stopped:
        if course.watch is None and not (told.hands or told.votes):
            begun = place
            place, at, given_up = follow(state, turns.packed, place)
            if begun < place < len(turns):
                course.before = turns[place - 1]
                course.reached = course.before, END
            if at:
                course.reached = turns[place], at - 1
            if given_up:
                _stop(
                    course,
                    "C909" if given_up == IMPOSSIBLE else "C908",
                    turns[place],
                    at if at < len(turns[place].tokens) else END,
                )
                place += 1
                break
        if place == len(turns):
            return
        turn = turns[place]
        if turn.after:
            _ruled_turn(course, turn)
        else:
            _play(course, state, turn, None, at)
        if not is_taken_back(turn):
            course.before = turn
        place, at = place + 1, 0
    _check_words(course, turns[place:])


def _play(course: Course, state: State, turn: Turn, pardon: Ruling | None, begin: int = 0) -> None:
    """Play a turn from a token on; sets ``course.stopped`` where the cards can't be followed."""
    if not begin and (turn.number != state.number or turn.side != state.active or state.ended):
        _judge_label(course, state, turn, pardon)
        if course.stopped or state.ended:
            return
    for at in (*range(begin, len(turn.tokens)), END):
        if not _step(course, state, turn, at, pardon):
            return


def _step(course: Course, state: State, turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """One token, or the turn's end, through law and mechanics; whether the game can be followed on."""
    try:
        if at != END:
            if not _go_the_full_way(course, state, turn, at, pardon):
                return False
        else:
            found: list[Fault] = []
            judge_end(state, found)
            if found and turn is course.last and _breaks_off(course, state, found, turn, END, pardon):
                return False
            if found and _report(course, state, found, turn, END, pardon):
                return False
            if course.told.hands or course.told.votes:
                course.told.see(state, None)
            end_turn(state)
    except Impossible:
        _stop(course, "C909", turn, at)
        return False
    except Unknowable:
        _stop(course, "C908", turn, at)
        return False
    course.reached = turn, at
    if course.watch is not None:
        course.watch(turn, at, state)
    return True


def _go_the_full_way(course: Course, state: State, turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """One token through law and mechanics; whether the game can be followed on."""
    tokens = turn.tokens
    token = tokens[at]
    kind = token.__class__
    if kind is t.Unread:
        # The reader has told it. What it was nobody knows, so whatever the cards seem to say from here on may be wrong.
        course.stopped = True
        return False
    vetoed = kind in _ACTIONS and at + 1 < len(tokens) and tokens[at + 1].__class__ is t.Veto
    found = violations(state, token, vetoed)
    if pardon and any(not is_ruled(fault, pardon) for fault in found) and let_unseen_stand(state, pardon):
        still = {fault.code for fault in violations(state, token, vetoed)}
        found = [fault for fault in found if is_ruled(fault, pardon) or fault.code in still]
    if found and turn is course.last:
        found = [fault for fault in found if not is_open(fault, tokens, at)]
    unsaid = turn is course.last and at == len(tokens) - 1 and all(fault.code in _ANNOUNCED for fault in found)
    if found and unsaid and _breaks_off(course, state, found, turn, at, pardon):
        return False
    codes = {fault.code for fault in found}
    may_differ = pardon is not None and leaves_open(state, token, pardon, codes)
    if found and _report(course, state, found, turn, at, pardon):
        return False
    if may_differ and pardon:
        if pardon.codes or "C901" in codes or "C902" in codes:
            raise Unknowable
        course.told.misread = turn
    apply(state, token, vetoed)
    if course.told.votes:
        course.told.see(state, token)
    return True


def _breaks_off(course: Course, state: State, found: list[Fault], turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """Whether the record ends in mid-turn. That need not be a fault: it is told where nothing says why."""
    open_ends = [fault for fault in found if not is_ruled(fault, pardon)]
    found[:] = [fault for fault in found if fault not in open_ends]
    missing = [fault for fault in open_ends if not course.told.covers(state, fault, turn, at)]
    for fault in missing if not course.broken_off else ():
        course.add(Finding(fault, words(fault, state, course.edition), turn, at, WARNING))
    return bool(missing) and not found


def _stop(course: Course, code: str, turn: Turn, at: int) -> None:
    course.findings.append(Finding(Fault(code, {}), {}, turn, at, CODES[code].severity))
    course.stopped = True


def _judge_label(course: Course, state: State, turn: Turn, pardon: Ruling | None) -> None:
    """A turn whose number or side is not the one that is due."""
    if state.ended:
        fault = Fault("R801", {"why": state.ended})
        if any(token != t.Discard() for token in turn.tokens):
            note(course, fault, turn, None, pardon)
            course.stopped = True
        elif not course.told.rests(state, turn):
            course.findings.append(Finding(fault, words(fault, state, course.edition), turn, None, WARNING))
        return
    if turn.side != state.active:
        due = (state.number, state.active, state.starter)
        facts = {"expected": PLAYER_NAMES[state.active], "written": PLAYER_NAMES[turn.side], "due": due}
        note(course, Fault("R607", facts), turn, None, pardon)
        if not course.stopped:
            state.active = turn.side
            state.number = turn.number
            begin_turn(state)
    else:
        offset = turn.number - state.number
        misnumbered, ahead = course.told.misnumbered
        if offset == ahead and course.before is misnumbered:
            # Not a slip of the pen: the table has gone on counting from there.
            state.number, course.told.misnumbered = turn.number, (None, 0)
            return
        facts = {"expected": f"{state.number}{'RE'[state.active]}", "written": turn.label}
        note(course, Fault("R606", facts), turn, None, pardon)
        course.told.misnumbered = turn, offset


def _report(course: Course, state: State, found: list[Fault], turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """Note what was found at a token; whether the game can't be followed any further."""
    for fault in found:
        if course.full:
            break
        if course.told.covers(state, fault, turn, at, ruled=is_ruled(fault, pardon)):
            continue
        told = words(fault, state, course.edition)
        pardoned = note(course, fault, turn, at, pardon, told)
        if not pardoned:
            course.told.remember(state, fault)
        if pardoned and fault.code in _UNREPLAYABLE:
            _stop(course, "C909", turn, at)
        elif pardoned:
            let_stand(state, fault)
            if fault.code == "R203":
                course.told.borrowed[fault.facts["owner"]] = some_of(fault.facts["card"])
        recover(state, fault)
    found.clear()
    return course.stopped


# -------------------------------------------------------------------------------------- rulings and alternatives


def _ruled_turn(course: Course, turn: Turn) -> None:
    """A turn with lines that follow it: rulings decide how it is judged, alternatives are tried on a copy."""
    state = course.state
    assert state is not None
    alternatives = [follower.turn for follower in turn.after if isinstance(follower, Alternative)]
    before = state.copy() if alternatives else state
    if not is_taken_back(turn):
        pardon = pardon_of(course, turn)
        known = len(course.findings)
        for ruling in rulings(turn):
            if "R203" in ruling.codes:
                course.told.borrow(turn, ruling.side)
        _play(course, state, turn, pardon)
        covered = {each.fault.code for each in course.findings[known:] if each.severity == RULED}
        unseen = pardon is not None and let_unseen_stand(state, pardon)
        stands = pardon is not None and pardon.decision == "stands"
        if stands and not (covered or unseen):
            course.add(Finding(Fault("C911", {}), {}, turn, None, CODES["C911"].severity))
        if course.told.misread is turn and covered <= OF_VOTES and (stands or covered) and not course.stopped:
            _stop(course, "C908", turn, END)
    _try_alternatives(course, before, turn, alternatives)
    if any(isinstance(follower, BadLine) and follower.text[:1] not in NO_TURN for follower in turn.after):
        # A line that can't be read may have been a turn; the reader has told it.
        course.stopped = True


def _try_alternatives(course: Course, before: State, turn: Turn, alternatives: list[Turn]) -> None:
    """Play what could have been played; it did not happen, so what is wrong with it is only a warning."""
    line: State | None = None
    for alternative in alternatives:
        if line is None or alternative.label == turn.label:
            line = before.copy()
        if course.full or len(course.asides) == MOST_FOUND:
            return
        trial = Course(course.edition, line)
        _play(trial, line, alternative, None)
        for finding in trial.findings:
            if finding.at != END:
                course.add_aside(finding._replace(severity=WARNING))


def _check_words(course: Course, turns: Sequence[Turn]) -> None:
    """What can be judged without a state: words that these rules don't have at all."""
    for turn in turns:
        if course.full:
            return
        if is_taken_back(turn):
            continue
        pardon = pardon_for(turn)
        for at, token in enumerate(turn.tokens):
            for group in t.groups_of(token):
                if group not in course.edition.groups:
                    note(course, Fault("R201", {"group": group}), turn, at, pardon)
            card = t.CARD_OF.get(type(token))
            if card is not None and card not in course.edition.actions:
                note(course, Fault("R303", {"card": card}), turn, at, pardon)
