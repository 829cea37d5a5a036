"""Plays a record through the engine once, from its set-up on, and notes every fault that shows.

This is the hot path of ``check``: it makes no snapshots, and no objects as long as nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...notation import tokens as t
from ...notation.cards import EGYPT, PLAYER_NAMES, ROME
from ...notation.diagnostic import RULED, WARNING
from ...notation.movetext import Movetext
from ...notation.packed import Packed
from ...notation.record import Alternative, BadLine, Follower, Record, Ruling, Turn
from ..diagnostics.registry import CODES
from ..rules.fault import Fault
from ..rules.law.setup import is_plain, joint_fault, setup_violations, starter_fault
from ..rules.mechanics import Impossible, Unknowable
from ..rules.mechanics.setup import conclude, dealt, lay_out, lay_plainly, start
from ..rules.mechanics.turns import begin_turn, end_turn
from ..rules.sequences import some_of
from ..rules.state import State, empty_table
from .findings import AT_END, MOST_FOUND, Run, Watch, is_open, note, pardon_of, recover, stop
from .headers import Frame, may_break_off
from .play import IMPOSSIBLE, UNKNOWABLE, apply, follow, violations
from .rulings import (
    OF_VOTES,
    house_ruling,
    is_ruled,
    is_taken_back,
    leaves_open,
    let_stand,
    let_unseen_stand,
    pardon_for,
)

_MOST_OPENINGS: Final = 8
"""The most lines at the head of a game among which its set-up is looked for."""


def opening_places(turns: Movetext) -> dict[int, int]:
    """Return side → the place of its set-up line. Set-up lines stand at the head of a game, at most one for each
    side; the same line may be written again, and one that was taken back does not count.
    """
    head: dict[int, int] = {}
    packed = turns.packed
    for place in range(min(_MOST_OPENINGS, len(packed))):
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
    text = turns if isinstance(turns, Movetext) else Movetext.of(turns[:_MOST_OPENINGS])
    return opening_places(text)


def first_turn(openings: dict[int, int]) -> int:
    """Return the place of the first turn after the set-up lines."""
    last = -1
    for place in openings.values():
        last = place if place > last else last
    return last + 1


def set_up(run: Run, frame: Frame, record: Record, turns: Movetext, openings: dict[int, int]) -> None:
    """Judge the set-up lines and lay the cards out; mark the run as stopped if no turn can follow them (B1–B11).

    ``openings`` maps a side to the place of its set-up line in ``turns``. A game that was broken off, or has no points,
    may stop here: missing parts are then no error, and if cards are missing there is no state, but the run is not
    marked.
    """
    try:
        _set_up(run, frame, record, turns, openings)
    except Impossible:
        run.state, run.place = None, first_turn(openings) - 1
        stop(run, "C909", turns[run.place], AT_END)


def _set_up(run: Run, frame: Frame, record: Record, turns: Movetext, openings: dict[int, int]) -> None:
    packed = turns.packed
    is_whole = len(openings) == 2
    rest = range(first_turn(openings), len(packed))  # a line that was taken back may be the last so far
    may_stop = all(_is_taken_back_opening(turns, place) for place in rest) and may_break_off(record, frame)
    fault = starter_fault(run.edition, frame.starter)
    if fault and not frame.position:
        note(run, fault, None, None, house_ruling(frame.starter, run.agreed))
    if not is_whole and any(map(may_be_turn, record.preface)):
        run.stopped = True
        return
    table = dealt(run.edition, frame.starter)
    pardons: dict[int, Ruling | None] = {}
    for side in (ROME, EGYPT):
        if frame.position or side not in openings or not is_plain(table, packed, openings[side]):
            pardons[side] = _judge_opening(run, frame, turns, side, openings.get(side), may_stop)
    if may_stop and (run.unlaid or not is_whole):
        return
    if not is_whole:
        run.stopped = True
    elif frame.position:
        _begin_position(run, frame, turns, openings, pardons)
    elif not run.stopped:
        if pardons:
            state = empty_table(run.edition, frame.starter)
            for side, place in openings.items():
                lay_out(state, side, turns[place].tokens, position=False)
        else:
            state = table.copy()
            lay_plainly(state, packed, openings[ROME], openings[EGYPT])
        _take_over(run, state, pardons)


def _judge_opening(
    run: Run, frame: Frame, turns: Movetext, side: int, place: int | None, may_stop: bool
) -> Ruling | None:
    """Judge a side's set-up line, which ``may_stop`` anywhere; return the ruling on it."""
    if place is None:
        _note_no_opening(run, turns, side, may_stop)
        return None
    line, run.place = turns[place], place
    pardon = pardon_of(run, line)
    is_unread = any(isinstance(token, t.Unread) for token in line.tokens)
    for at, fault in setup_violations(run.edition, side, line.tokens, position=frame.position):
        if at is None and is_unread:
            # What seems to be missing may be unreadable text, which has been reported.
            run.stopped |= CODES[fault.code].breaks
        elif may_stop and _may_come(run, fault, line) and not is_ruled(fault, pardon):
            run.unlaid |= fault.code == "R105"
            if not run.broken_off:
                run.add(run.finding(fault, line, at, WARNING))
        else:
            note(run, fault, line, at, pardon)
    return pardon


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
    run: Run, frame: Frame, turns: Movetext, openings: dict[int, int], pardons: dict[int, Ruling | None]
) -> None:
    """Begin in the middle of a game."""
    rome, egypt = turns[openings[ROME]], turns[openings[EGYPT]]
    if fault := joint_fault(run.edition, rome.tokens, egypt.tokens):
        pardon = pardons[ROME] if is_ruled(fault, pardons[ROME]) else pardons[EGYPT]
        run.place = openings[fault.facts.get("side", ROME)]
        note(run, fault, turns[run.place], None, pardon)
    if run.stopped:
        return
    played = [turn for turn in turns[first_turn(openings) :] if not is_taken_back(turn)]
    number = played[0].number if played else 1
    state = start(run.edition, frame.starter, rome.tokens, egypt.tokens, position=True, number=number)
    _take_over(run, state, pardons)
    if not played:
        conclude(state)
    if len(played) > 1:
        # The numbering of rounds shows who began the game that the position comes from.
        state.starter = played[1 if played[1].number > played[0].number else 0].side


def _take_over(run: Run, state: State, pardons: dict[int, Ruling | None]) -> None:
    """Begin with a state; earlier rulings count there."""
    run.state = state
    state.penalties = run.penalties
    for finding in run.findings:
        if finding.severity == RULED:
            let_stand(state, finding.fault)
    for pardon in pardons.values():
        if pardon is not None:
            let_unseen_stand(state, pardon)


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


def run_record(record: Record, frame: Frame, watch: Watch | None = None, skip: int = 0) -> Run:
    """Play a record through the engine; ``frame`` must have an edition. ``watch`` is called after every step.

    It need not be called for the first ``skip`` turns, which saves time.
    """
    assert frame.edition is not None
    run = Run(frame.edition, agreed=dict(frame.agreed))
    run.watch, run.unwatched = watch, skip
    turns = record.turns if isinstance(record.turns, Movetext) else Movetext.of(record.turns)
    packed = turns.packed
    openings = opening_places(turns)
    run.broken_off = frame.is_broken_off
    set_up(run, frame, record, turns, openings)
    begin = first_turn(openings)
    for place in range(begin):
        if place not in openings.values() and not is_taken_back(turns[place]):
            _note_repetition(run, turns, place)
    if len(packed) > begin and may_break_off(record, frame):
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
            _play(run, state, turn, pardon_for(turn, run.agreed), at)
        if not is_taken_back(turn):
            run.before = turn
        place, at = place + 1, 0
    _check_words(run, turns, place)


_MOST_REPEATED: Final = 100
"""The most turns that are looked through for one that is written again."""


def _repeated(state: State, turns: Movetext, place: int) -> int:
    """Return how many turns, from one that is not due, are the turns before them written again."""
    packed = turns.packed
    is_due = packed.side(place) == state.active and not state.ended
    if is_due and _is_due(state, packed, place):
        return 0
    for size in range(1, min(place, _MOST_REPEATED, len(packed) - place) + 1):
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


def _play(run: Run, state: State, turn: Turn, pardon: Ruling | None, begin: int = 0) -> None:
    """Play a turn from a token on; set ``run.stopped`` if the cards can't be followed."""
    if not begin and (turn.number != state.number or turn.side != state.active or state.ended):
        _judge_label(run, state, turn, pardon)
        if run.stopped or state.ended:
            return
    for at in (*range(begin, len(turn.tokens)), AT_END):
        if not _step(run, state, turn, at, pardon):
            return


def _step(run: Run, state: State, turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """Take a token, or the turn's end, through law and mechanics; return whether the game can be followed further."""
    try:
        followed = (
            _judge_and_end(run, state, turn, pardon) if at == AT_END else _judge_and_apply(run, state, turn, at, pardon)
        )
    except Impossible:
        stop(run, "C909", turn, at)
        return False
    except Unknowable:
        stop(run, "C908", turn, at)
        return False
    if followed:
        run.reached = turn, at
        if run.watch is not None:
            run.watch(run.place, turn, at, state)
    return followed


def _judge_and_end(run: Run, state: State, turn: Turn, pardon: Ruling | None) -> bool:
    """Take the turn's end through law and mechanics; return whether the game can be followed further."""
    faults = violations(state, None)
    if faults and turn is run.last:
        faults, goes_on = _note_missing(run, state, faults, turn, AT_END, pardon)
        if not goes_on:
            return False
    if faults and _report(run, state, faults, turn, AT_END, pardon):
        return False
    if run.reported.hands or run.reported.votes:
        run.reported.see(state, None)
    end_turn(state)
    return True


def _judge_and_apply(run: Run, state: State, turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """Take a token through law and mechanics; return whether the game can be followed further."""
    token = turn.tokens[at]
    if isinstance(token, t.Unread):
        # The reader has reported it. Nobody knows what the word was, so what the cards seem to show from here on may be
        # wrong.
        run.stopped = True
        return False
    vetoed = isinstance(token, t.Action) and turn.is_vetoed(at)
    faults = violations(state, token, vetoed)
    if pardon is not None:
        faults = _unexplained(state, token, vetoed, faults, pardon)
    if faults and turn is run.last:
        faults, goes_on = _note_missing(run, state, faults, turn, at, pardon)
        if not goes_on:
            return False
    codes = {fault.code for fault in faults}
    may_differ = leaves_open(state, token, pardon, codes)
    if faults and _report(run, state, faults, turn, at, pardon):
        return False
    if may_differ:
        if (pardon and pardon.codes) or codes & _MISREAD:
            raise Unknowable
        run.reported.misread = turn
    apply(state, token, vetoed)
    if run.reported.votes:
        run.reported.see(state, token)
    return True


def _unexplained(state: State, token: t.Token, vetoed: bool, faults: list[Fault], pardon: Ruling) -> list[Fault]:
    """Return a token's faults without those that no longer count, as the ruling may be about unrecorded cards."""
    if all(is_ruled(fault, pardon) for fault in faults) or not let_unseen_stand(state, pardon):
        return faults
    still = {fault.code for fault in violations(state, token, vetoed)}
    return [fault for fault in faults if is_ruled(fault, pardon) or fault.code in still]


def _note_missing(
    run: Run, state: State, faults: list[Fault], turn: Turn, at: int, pardon: Ruling | None
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
        if is_ruled(fault, pardon):
            left.append(fault)
        elif not run.reported.covers(state, fault, turn, at):
            missing.append(fault)
    if not run.broken_off:
        for fault in missing:
            run.add(run.finding(fault, turn, at, WARNING))
    return left, bool(left) or not missing


def _judge_label(run: Run, state: State, turn: Turn, pardon: Ruling | None) -> None:
    """Judge a turn with a number or side that is not due."""
    if state.ended:
        fault = Fault("R801", {"why": state.ended})
        if any(token != t.Discard() for token in turn.tokens):
            note(run, fault, turn, None, pardon)
            run.stopped = True
        elif not run.reported.rests(state, turn):
            run.findings.append(run.finding(fault, turn, None, WARNING))
        return
    if turn.side != state.active:
        due = (state.number, state.active, state.starter)
        facts = {"expected": PLAYER_NAMES[state.active], "written": PLAYER_NAMES[turn.side], "due": due}
        note(run, Fault("R607", facts), turn, None, pardon)
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
        note(run, Fault("R606", facts), turn, None, pardon)
        run.reported.misnumbered = turn, offset


def _report(run: Run, state: State, faults: list[Fault], turn: Turn, at: int, pardon: Ruling | None) -> bool:
    """Note what is wrong at a token; return whether the game can no longer be followed."""
    for fault in faults:
        if run.full:
            break
        if run.reported.covers(state, fault, turn, at, ruled=is_ruled(fault, pardon)):
            continue
        pardoned = note(run, fault, turn, at, pardon)
        if not pardoned:
            run.reported.remember(state, fault)
        if pardoned and not CODES[fault.code].replayable:
            stop(run, "C909", turn, at)
        elif pardoned:
            let_stand(state, fault)
            if fault.code == "R203":
                run.reported.borrowed[fault.facts["owner"]] = some_of(fault.facts["card"])
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
    pardon = pardon_of(run, turn)
    known = len(run.findings)
    run.reported.borrow(turn)
    _play(run, state, turn, pardon)
    if pardon is not None:
        _judge_ruling(run, state, turn, pardon, known)


def _judge_ruling(run: Run, state: State, turn: Turn, pardon: Ruling, known: int) -> None:
    """Note a ruling that lets nothing stand, and stop if it may be about cards that everything after it depends on.

    ``known`` counts what was found before the turn.
    """
    covered = {finding.fault.code for finding in run.findings[known:] if finding.severity == RULED}
    unseen = let_unseen_stand(state, pardon)
    stands = pardon.decision == "stands"
    if stands and not (covered or unseen):
        run.add(run.finding(Fault("C911", {}), turn, None))
    if run.reported.misread is turn and covered <= OF_VOTES and (stands or covered) and not run.stopped:
        stop(run, "C908", turn, AT_END)


def _try_alternatives(run: Run, before: State, turn: Turn, alternatives: list[Turn]) -> None:
    """Play the turns that could have been played; they did not happen, so anything wrong with them is only a
    warning.
    """
    variation: State | None = None
    for alternative in alternatives:
        if variation is None or alternative.label == turn.label:
            variation = before.copy()
        if run.full or len(run.asides) == MOST_FOUND:
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
        pardon = pardon_for(turn)
        for at, token in enumerate(turn.tokens):
            for group in t.groups_of(token):
                if group not in run.edition.groups:
                    note(run, Fault("R201", {"group": group}), turn, at, pardon)
            card = t.CARD_OF.get(type(token))
            if card is not None and card not in run.edition.actions:
                note(run, Fault("R303", {"card": card}), turn, at, pardon)
