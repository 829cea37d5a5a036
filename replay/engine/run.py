"""Plays a record through the engine once, from its set-up on, and notes every fault that shows.

This is the hot path of ``check``: it makes no snapshots, and no objects as long as nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME
from ...notation.diagnostic import RULED, WARNING
from ...notation.movetext import Movetext
from ...notation.packed import Packed
from ...notation.record import Alternative, BadLine, Follower, Record, Ruling, Turn
from ..diagnostics.registry import CODES
from ..rules.fault import Fault
from ..rules.law.setup import is_plain, joint_fault, setup_violations, starter_fault
from ..rules.mechanics import ImpossibleMoveError, MissingCardsError
from ..rules.mechanics.setup import conclude, dealt, lay_out, lay_valid_setup, start
from ..rules.mechanics.turns import begin_turn, end_turn
from ..rules.sequences import unknown_card_like
from ..rules.state import State, empty_table
from .findings import AT_END, MAX_FAULTS, Run, Watch, is_open, note, recover, ruling_for, stop
from .headers import HeaderInfo, may_break_off
from .play import IMPOSSIBLE, UNKNOWABLE, apply, follow, violations
from .rulings import (
    VOTE_FAULTS,
    combined_ruling,
    house_ruling,
    is_ruled,
    is_taken_back,
    leaves_open,
    let_stand,
    let_unseen_stand,
)

_MAX_OPENINGS: Final = 8
"""The most lines at the head of a game among which its set-up is looked for."""


def opening_places(turns: Movetext) -> dict[int, int]:
    """Return side → the place of its set-up line. Set-up lines stand at the head of a game, at most one for each
    side; the same line may be written again, and one that was taken back does not count.
    """
    head: dict[int, int] = {}
    packed = turns.packed
    for place in range(min(_MAX_OPENINGS, len(packed))):
        if packed.number(place) or len(head) == 2:
            break
        if _is_taken_back_opening(turns, place):
            continue
        before = head.setdefault(packed.side(place), place)
        if before != place and not packed.is_same(before, place):
            break
    return head


def _is_taken_back_opening(turns: Movetext, place: int) -> bool:
    packed = turns.packed
    return not packed.number(place) and packed.is_followed(place) and is_taken_back(turns[place])


def set_up_lines(turns: Sequence[Turn]) -> dict[int, int]:
    """Return side → the place of its set-up line, as :func:`opening_places`."""
    text = turns if isinstance(turns, Movetext) else Movetext.of(turns[:_MAX_OPENINGS])
    return opening_places(text)


def first_turn(openings: dict[int, int]) -> int:
    """Return the place of the first turn after the set-up lines."""
    last = -1
    for place in openings.values():
        last = place if place > last else last
    return last + 1


def set_up(run: Run, header_info: HeaderInfo, record: Record, turns: Movetext, openings: dict[int, int]) -> None:
    """Judge the set-up lines and lay the cards out; mark the run as stopped if no turn can follow them (B1–B11).

    ``openings`` maps a side to the place of its set-up line in ``turns``. A game that was broken off, or has no points,
    may stop here: missing parts are then no error, and if cards are missing there is no state, but the run is not
    marked.
    """
    try:
        _set_up(run, header_info, record, turns, openings)
    except ImpossibleMoveError:
        run.state, run.place = None, first_turn(openings) - 1
        stop(run, "C909", turns[run.place], AT_END)


def _set_up(run: Run, header_info: HeaderInfo, record: Record, turns: Movetext, openings: dict[int, int]) -> None:
    packed = turns.packed
    is_whole = len(openings) == 2
    rest = range(first_turn(openings), len(packed))  # a line that was taken back may be the last so far
    may_stop = all(_is_taken_back_opening(turns, place) for place in rest) and may_break_off(record, header_info)
    fault = starter_fault(run.edition, header_info.starter)
    if fault and not header_info.position:
        note(run, fault, None, None, house_ruling(header_info.starter, run.agreed))
    if not is_whole and any(map(may_be_turn, record.preface)):
        run.stopped = True
        return
    table = dealt(run.edition, header_info.starter)
    allowing_rulings: dict[int, Ruling | None] = {}
    for side in (ROME, EGYPT):
        if header_info.position or side not in openings or not is_plain(table, packed, openings[side]):
            allowing_rulings[side] = _judge_opening(run, header_info, turns, side, openings.get(side), may_stop)
    if may_stop and (run.unlaid or not is_whole):
        return
    if not is_whole:
        run.stopped = True
    elif header_info.position:
        _begin_position(run, header_info, turns, openings, allowing_rulings)
    elif not run.stopped:
        if allowing_rulings:
            state = empty_table(run.edition, header_info.starter)
            for side, place in openings.items():
                lay_out(state, side, turns[place].tokens, position=False)
        else:
            state = table.copy()
            lay_valid_setup(state, packed, openings[ROME], openings[EGYPT])
        _take_over(run, state, allowing_rulings)


def _judge_opening(
    run: Run, header_info: HeaderInfo, turns: Movetext, side: int, place: int | None, may_stop: bool
) -> Ruling | None:
    """Judge a side's set-up line, which ``may_stop`` anywhere; return the ruling on it."""
    if place is None:
        _note_no_opening(run, turns, side, may_stop)
        return None
    line, run.place = turns[place], place
    allowing_ruling = ruling_for(run, line)
    is_unread = any(isinstance(token, t.Unread) for token in line.tokens)
    for at, fault in setup_violations(run.edition, side, line.tokens, position=header_info.position):
        if at is None and is_unread:
            # What seems to be missing may be unreadable text, which has been reported.
            run.stopped |= CODES[fault.code].breaks
        elif may_stop and _may_come(run, fault, line) and not is_ruled(fault, allowing_ruling):
            run.unlaid |= fault.code == "R105"
            if not run.broken_off:
                run.add(run.finding(fault, line, at, WARNING))
        else:
            note(run, fault, line, at, allowing_ruling)
    return allowing_ruling


def _note_no_opening(run: Run, turns: Movetext, side: int, may_stop: bool) -> None:
    """Note that a side has no set-up line."""
    fault, turn = Fault("R101", {"owner": side}), turns[0] if turns else None
    run.place = 0 if turns else -1
    if not may_stop:
        note(run, fault, turn, None, None)
    elif not run.broken_off:
        run.add(run.finding(fault, turn, None, WARNING))


def _may_come(run: Run, fault: Fault, line: Turn) -> bool:
    """Return whether the missing part of a set-up line may still come: its missions, its first action card, or a
    card.
    """
    facts = fault.facts
    match fault.code:
        case "R105":
            return sum(isinstance(token, t.Place) for token in line.tokens) < len(run.edition.groups)
        case "R107":
            return facts["card"] is None
        case code:
            return code == "R110" and facts["count"] < facts["dealt"] and not facts.get("gone")


def _begin_position(
    run: Run,
    header_info: HeaderInfo,
    turns: Movetext,
    openings: dict[int, int],
    allowing_rulings: dict[int, Ruling | None],
) -> None:
    """Begin in the middle of a game."""
    rome, egypt = turns[openings[ROME]], turns[openings[EGYPT]]
    if fault := joint_fault(run.edition, rome.tokens, egypt.tokens):
        allowing_ruling = allowing_rulings[ROME] if is_ruled(fault, allowing_rulings[ROME]) else allowing_rulings[EGYPT]
        run.place = openings[fault.facts.get("side", ROME)]
        note(run, fault, turns[run.place], None, allowing_ruling)
    if run.stopped:
        return
    played = [turn for turn in turns[first_turn(openings) :] if not is_taken_back(turn)]
    number = played[0].number if played else 1
    state = start(run.edition, header_info.starter, rome.tokens, egypt.tokens, position=True, number=number)
    _take_over(run, state, allowing_rulings)
    if not played:
        conclude(state)
    if len(played) > 1:
        # The numbering of rounds shows who began the game that the position comes from.
        state.starter = played[1 if played[1].number > played[0].number else 0].side


def _take_over(run: Run, state: State, allowing_rulings: dict[int, Ruling | None]) -> None:
    """Begin with a state; earlier rulings count there."""
    run.state = state
    state.penalties = run.penalties
    for finding in run.findings:
        if finding.severity == RULED:
            let_stand(state, finding.fault)
    for allowing_ruling in allowing_rulings.values():
        if allowing_ruling is not None:
            let_unseen_stand(state, allowing_ruling)


def may_be_turn(line: Follower) -> bool:
    """Return whether a line can't be read and may have been a turn; the replay stops there."""
    if not isinstance(line, BadLine) or line.text[:1] in "%|;{":
        return False
    from ...notation.asides import is_aside  # late: most records can be read

    return not is_aside(line.text)


_MISREAD: Final = frozenset({"C901", "C902"})
"""The fault that shows at a vote with misread cards."""
_GIVEN_UP: Final = {IMPOSSIBLE: "C909", UNKNOWABLE: "C908"}
"""Why a token was abandoned half done → the code that says so."""


def run_record(record: Record, header_info: HeaderInfo, watch: Watch | None = None, skip: int = 0) -> Run:
    """Play a record through the engine; ``header_info`` must have an edition. ``watch`` is called after every step.

    It need not be called for the first ``skip`` turns, which saves time.
    """
    assert header_info.edition is not None
    run = Run(header_info.edition, agreed=dict(header_info.agreed))
    run.watch, run.unwatched = watch, skip
    turns = record.turns if isinstance(record.turns, Movetext) else Movetext.of(record.turns)
    packed = turns.packed
    openings = opening_places(turns)
    run.broken_off = header_info.is_broken_off
    set_up(run, header_info, record, turns, openings)
    begin = first_turn(openings)
    for place in range(begin):
        if place not in openings.values() and not is_taken_back(turns[place]):
            _note_repetition(run, turns, place)
    if len(packed) > begin and may_break_off(record, header_info):
        run.last = turns[-1]
    run.events = len(packed.codes) >> 1
    if run.state is None:
        _check_words(run, turns, begin)
        return run
    if watch is not None:
        watch(-1, None, AT_END, run.state)
    run_turns(run, run.state, turns, begin)
    return run


# ----------------------------------------------------------------------------------------------------- the turns


def run_turns(run: Run, state: State, turns: Movetext, place: int) -> None:
    """Play turns from a place on: together as long as nothing is wrong with them, and otherwise one by one."""
    reported, packed, at = run.reported, turns.packed, 0
    count = len(packed)
    together = count if run.watch is None else run.unwatched
    while not run.stopped:
        if place < together and not (reported.hands or reported.votes):
            begun = place
            place, at, given_up = follow(state, packed, place, together)
            if begun < place < count:
                run.before = turns[place - 1]
                run.reached = run.before, AT_END
            if at:
                run.reached = turns[place], at - 1
            if given_up:
                turn, run.place = turns[place], place
                stop(run, _GIVEN_UP[given_up], turn, at if at < len(turn.tokens) else AT_END)
                place += 1
                break
        if place == count:
            return
        for again in range(place, place + _repeated(state, turns, place)):
            _note_repetition(run, turns, again)
            place = again + 1
        if place == count:
            return
        turn, run.place = turns[place], place
        if turn.after:
            _follow_up(run, state, turn)
        else:
            _play(run, state, turn, combined_ruling(turn, run.agreed), at)
        if not is_taken_back(turn):
            run.before = turn
        place, at = place + 1, 0
    _check_words(run, turns, place)


_MAX_LOOKBACK_TURNS: Final = 100
"""The most turns that are looked through for one that is written again."""


def _repeated(state: State, turns: Movetext, place: int) -> int:
    """Return how many turns, from one that is not due, are the turns before them written again."""
    packed = turns.packed
    is_due = packed.side(place) == state.active and not state.ended
    if is_due and _is_due(state, packed, place):
        return 0
    for size in range(1, min(place, _MAX_LOOKBACK_TURNS, len(packed) - place) + 1):
        if packed.is_same(place - size, place):
            block = range(place, place + size)
            is_again = all(packed.is_same(at - size, at) and not is_taken_back(turns[at - size]) for at in block)
            # A player's next turn with one word or none may well be like the last, and its number a slip; but not if
            # the turn that is due comes after it.
            says_much = not is_due or any(packed.begin(at + 1) - packed.begin(at) > 2 for at in block)
            return size if is_again and (says_much or _is_due(state, packed, place + size)) else 0
    return 0


def _is_due(state: State, packed: Packed, place: int) -> bool:
    return place < len(packed) and packed.number(place) == state.number and packed.side(place) == state.active


def _note_repetition(run: Run, turns: Movetext, place: int) -> None:
    """Note a line that is written again: it moves no card."""
    turn, run.place = turns[place], place
    run.add(run.finding(Fault("R608", {"label": turn.label}), turn, None))


def _play(run: Run, state: State, turn: Turn, allowing_ruling: Ruling | None, begin: int = 0) -> None:
    """Play a turn from a token on; set ``run.stopped`` if the cards can't be followed."""
    if not begin and (turn.number != state.number or turn.side != state.active or state.ended):
        _judge_label(run, state, turn, allowing_ruling)
        if run.stopped or state.ended:
            return
    for at in (*range(begin, len(turn.tokens)), AT_END):
        if not _step(run, state, turn, at, allowing_ruling):
            return


def _step(run: Run, state: State, turn: Turn, at: int, allowing_ruling: Ruling | None) -> bool:
    """Take a token, or the turn's end, through law and mechanics; return whether the game can be followed further."""
    try:
        followed = (
            _judge_and_end(run, state, turn, allowing_ruling)
            if at == AT_END
            else _judge_and_apply(run, state, turn, at, allowing_ruling)
        )
    except ImpossibleMoveError:
        stop(run, "C909", turn, at)
        return False
    except MissingCardsError:
        stop(run, "C908", turn, at)
        return False
    if followed:
        run.reached = turn, at
        if run.watch is not None:
            run.watch(run.place, turn, at, state)
    return followed


def _judge_and_end(run: Run, state: State, turn: Turn, allowing_ruling: Ruling | None) -> bool:
    """Take the turn's end through law and mechanics; return whether the game can be followed further."""
    faults = violations(state, None)
    if faults and turn is run.last:
        faults, goes_on = _note_missing(run, state, faults, turn, AT_END, allowing_ruling)
        if not goes_on:
            return False
    if faults and _report(run, state, faults, turn, AT_END, allowing_ruling):
        return False
    if run.reported.hands or run.reported.votes:
        run.reported.forget_corrected(state, None)
    end_turn(state)
    return True


def _judge_and_apply(run: Run, state: State, turn: Turn, at: int, allowing_ruling: Ruling | None) -> bool:
    """Take a token through law and mechanics; return whether the game can be followed further."""
    token = turn.tokens[at]
    if isinstance(token, t.Unread):
        # The reader has reported it. Nobody knows what the word was, so what the cards seem to show from here on may be
        # wrong.
        run.stopped = True
        return False
    vetoed = isinstance(token, t.Action) and turn.is_vetoed(at)
    faults = violations(state, token, vetoed)
    if allowing_ruling is not None:
        faults = _unexplained(state, token, vetoed, faults, allowing_ruling)
    if faults and turn is run.last:
        faults, goes_on = _note_missing(run, state, faults, turn, at, allowing_ruling)
        if not goes_on:
            return False
    codes = {fault.code for fault in faults}
    may_differ = leaves_open(state, token, allowing_ruling, codes)
    if faults and _report(run, state, faults, turn, at, allowing_ruling):
        return False
    if may_differ:
        if (allowing_ruling and allowing_ruling.codes) or codes & _MISREAD:
            raise MissingCardsError
        run.reported.misread = turn
    apply(state, token, vetoed)
    if run.reported.votes:
        run.reported.forget_corrected(state, token)
    return True


def _unexplained(
    state: State, token: t.Token, vetoed: bool, faults: list[Fault], allowing_ruling: Ruling
) -> list[Fault]:
    """Return a token's faults without those that no longer count, as the ruling may be about unrecorded cards."""
    if all(is_ruled(fault, allowing_ruling) for fault in faults) or not let_unseen_stand(state, allowing_ruling):
        return faults
    still = {fault.code for fault in violations(state, token, vetoed)}
    return [fault for fault in faults if is_ruled(fault, allowing_ruling) or fault.code in still]


def _note_missing(
    run: Run, state: State, faults: list[Fault], turn: Turn, at: int, allowing_ruling: Ruling | None
) -> tuple[list[Fault], bool]:
    """Warn about what is missing if the record may end in mid-turn, unless it says why it ends.

    Return the remaining faults (some need not be faults yet), and whether the turn goes on.
    """
    if at != AT_END:
        faults = [fault for fault in faults if not is_open(fault, turn.tokens, at)]
        if at < len(turn.tokens) - 1 or not all(CODES[fault.code].announced for fault in faults):
            return faults, True
    left: list[Fault] = []
    missing: list[Fault] = []
    for fault in faults:
        if is_ruled(fault, allowing_ruling):
            left.append(fault)
        elif not run.reported.covers(state, fault, turn, at):
            missing.append(fault)
    if not run.broken_off:
        for fault in missing:
            run.add(run.finding(fault, turn, at, WARNING))
    return left, bool(left) or not missing


def _judge_label(run: Run, state: State, turn: Turn, allowing_ruling: Ruling | None) -> None:
    """Judge a turn with a number or side that is not due."""
    if state.ended:
        fault = Fault("R801", {"why": state.ended})
        if any(token != t.Discard() for token in turn.tokens):
            note(run, fault, turn, None, allowing_ruling)
            run.stopped = True
        elif not run.reported.is_allowed_pass(state, turn):
            run.findings.append(run.finding(fault, turn, None, WARNING))
        return
    if turn.side != state.active:
        due = (state.number, state.active, state.starter)
        note(run, Fault("R607", {"due": due}), turn, None, allowing_ruling)
        if not run.stopped:
            state.active = turn.side
            state.number = turn.number
            begin_turn(state)
    else:
        offset = turn.number - state.number
        misnumbered, ahead = run.reported.misnumbered
        if offset == ahead and run.before is misnumbered:
            # Not just a slip: the table continued counting from there.
            state.number, run.reported.misnumbered = turn.number, (None, 0)
            return
        facts = {"expected": f"{state.number}{'RE'[state.active]}", "written": turn.label}
        note(run, Fault("R606", facts), turn, None, allowing_ruling)
        run.reported.misnumbered = turn, offset


def _report(run: Run, state: State, faults: list[Fault], turn: Turn, at: int, allowing_ruling: Ruling | None) -> bool:
    """Note what is wrong at a token; return whether the game can no longer be followed."""
    for fault in faults:
        if run.full:
            break
        if run.reported.covers(state, fault, turn, at, ruled=is_ruled(fault, allowing_ruling)):
            continue
        pardoned = note(run, fault, turn, at, allowing_ruling)
        if not pardoned:
            run.reported.remember(state, fault)
        if pardoned and not CODES[fault.code].replayable:
            stop(run, "C909", turn, at)
        elif pardoned:
            let_stand(state, fault)
            if fault.code == "R203":
                run.reported.borrowed[fault.facts["owner"]] = unknown_card_like(fault.facts["card"])
        recover(state, fault)
    return run.stopped


# -------------------------------------------------------------------------------------- rulings and alternatives


def _follow_up(run: Run, state: State, turn: Turn) -> None:
    """Play a turn that has lines after it: rulings decide how it is judged, alternatives are tried on a copy."""
    alternatives = [follower.turn for follower in turn.after if isinstance(follower, Alternative)]
    before = state.copy() if alternatives else state
    if not is_taken_back(turn):
        _play_ruled(run, state, turn)
    _try_alternatives(run, before, turn, alternatives)
    if any(map(may_be_turn, turn.after)):
        # A line that can't be read may have been a turn; the reader has reported it.
        run.stopped = True


def _play_ruled(run: Run, state: State, turn: Turn) -> None:
    """Play a turn that may have been ruled on."""
    allowing_ruling = ruling_for(run, turn)
    known = len(run.findings)
    run.reported.note_allowed_card(turn)
    _play(run, state, turn, allowing_ruling)
    if allowing_ruling is not None:
        _judge_ruling(run, state, turn, allowing_ruling, known)


def _judge_ruling(run: Run, state: State, turn: Turn, allowing_ruling: Ruling, known: int) -> None:
    """Note a ruling that lets nothing stand, and stop if it may be about cards that everything after it depends on.

    ``known`` counts what was found before the turn.
    """
    covered = {finding.fault.code for finding in run.findings[known:] if finding.severity == RULED}
    unseen = let_unseen_stand(state, allowing_ruling)
    stands = allowing_ruling.decision == "stands"
    if stands and not (covered or unseen):
        run.add(run.finding(Fault("C911", {}), turn, None))
    if run.reported.misread is turn and covered <= VOTE_FAULTS and (stands or covered) and not run.stopped:
        stop(run, "C908", turn, AT_END)


def _try_alternatives(run: Run, before: State, turn: Turn, alternatives: list[Turn]) -> None:
    """Play the turns that could have been played; they did not happen, so anything wrong with them is only a
    warning.
    """
    variation: State | None = None
    for alternative in alternatives:
        if variation is None or alternative.label == turn.label:
            variation = before.copy()
        if run.full or len(run.asides) == MAX_FAULTS:
            return
        for finding in run_turn_from(variation, alternative).findings:
            if finding.at != AT_END and finding.fault.code not in run.agreed:
                run.add_aside(finding._replace(severity=WARNING))


def run_turn_from(state: State, turn: Turn, watch: Watch | None = None) -> Run:
    """Continue a turn from ``state``, which is changed; ``watch`` is called after every step."""
    run = Run(state.edition, state)
    run.watch = watch
    _play(run, state, turn, None)
    return run


def _check_words(run: Run, turns: Movetext, begin: int) -> None:
    """Judge what needs no state in the turns from ``begin`` on: words that don't exist in these rules."""
    for place in range(begin, len(turns)):
        turn, run.place = turns[place], place
        if run.full:
            return
        if is_taken_back(turn):
            continue
        allowing_ruling = combined_ruling(turn)
        for at, token in enumerate(turn.tokens):
            for group in t.groups_of(token):
                if group not in run.edition.groups:
                    note(run, Fault("R201", {"group": group}), turn, at, allowing_ruling)
            card = t.CARD_OF.get(type(token))
            if card is not None and card not in run.edition.actions:
                note(run, Fault("R303", {"card": card}), turn, at, allowing_ruling)
