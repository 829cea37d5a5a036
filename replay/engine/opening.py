"""The set-up of a game: its lines judged, and the first state made of them."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME
from ...notation.diagnostic import RULED, WARNING
from ...notation.movetext import Movetext, Packed
from ...notation.record import BadLine, Record, Ruling, Turn
from ..diagnostics.registry import CODES
from ..rules.fault import Fault
from ..rules.law.setup import is_plain, joint_fault, setup_violations, starter_fault
from ..rules.mechanics import Impossible
from ..rules.mechanics.setup import conclude, lay_out, start
from ..rules.state import State, empty_table
from .findings import END, Run, note, pardon_of, stop
from .headers import Frame
from .rulings import house_ruling, is_ruled, is_taken_back, let_stand, let_unseen_stand


def openings(packed: Packed) -> dict[int, int]:
    """Return side → the place of its set-up line; those stand at the head of a game, at most one for each side."""
    head: dict[int, int] = {}
    for place in range(min(2, len(packed))):
        if packed.number(place) or packed.side(place) in head:
            break
        head[packed.side(place)] = place
    return head


def set_up(run: Run, frame: Frame, record: Record, turns: Movetext, lines: dict[int, int]) -> None:
    """Judge the set-up lines and lay the cards out; mark the run as stopped where no turn can follow them (B1–B11).

    ``lines`` maps a side to the place of its set-up line in ``turns``. A game that was broken off, or has no points,
    may stop here: what it lacks is no error then, and without all the cards there is no state, but nothing is stopped.
    """
    try:
        _set_up(run, frame, record, turns, lines)
    except Impossible:
        run.state = None
        stop(run, "C909", turns[len(lines) - 1], END)


def _set_up(run: Run, frame: Frame, record: Record, turns: Movetext, lines: dict[int, int]) -> None:
    pointless = record.result is None or record.result.points is None
    may_stop = len(turns) == len(lines) and (run.broken_off or pointless)
    fault = starter_fault(run.edition, frame.starter)
    if fault and not frame.position:
        note(run, fault, None, None, next(iter(house_ruling(frame.starter, run.agreed)), None))
    if len(lines) < 2 and any(isinstance(line, BadLine) for line in record.preface):
        run.stopped = True
        return
    openings = {} if frame.position else {side: turns.opening(place) for side, place in lines.items()}
    pardons: dict[int, Ruling | None] = {}
    for side in (ROME, EGYPT):
        place = lines.get(side)
        if place is None or side not in openings or turns.packed.is_followed(place):
            pardons[side] = _judge_opening(run, frame, turns, side, place, may_stop)
        elif not is_plain(run.edition, *openings[side]):
            _judge_opening(run, frame, turns, side, place, may_stop)
    if may_stop and (len(lines) < 2 or run.unlaid):
        return
    if len(lines) < 2:
        run.stopped = True
    elif frame.position:
        _begin_position(run, frame, turns, turns[lines[ROME]], turns[lines[EGYPT]], pardons)
    elif not run.stopped:
        state = empty_table(run.edition, frame.starter)
        for side, (codes, others) in openings.items():
            lay_out(state, side, codes, others, position=False)
        _take_over(run, state, pardons)


def _judge_opening(
    run: Run, frame: Frame, turns: Movetext, side: int, place: int | None, may_stop: bool
) -> Ruling | None:
    """Judge the set-up line of a side, which ``may_stop`` anywhere; return the ruling on it."""
    if place is None:
        fault, turn = Fault("R101", {"owner": side}), turns[0] if turns else None
        if not may_stop:
            note(run, fault, turn, None, None)
        elif not run.broken_off:
            run.add(run.finding(fault, turn, None, WARNING))
        return None
    line = turns[place]
    pardon = pardon_of(run, line)
    for at, fault in setup_violations(run.edition, side, line.tokens, position=frame.position):
        if at is None and any(isinstance(token, t.Unread) for token in line.tokens):
            # What seems to be missing may be what could not be read, which has been reported.
            run.stopped = run.stopped or CODES[fault.code].breaks
        elif may_stop and _may_come(run, fault, line) and not is_ruled(fault, pardon):
            run.unlaid = run.unlaid or fault.code == "R105"
            if not run.broken_off:
                run.add(run.finding(fault, line, at, WARNING))
        else:
            note(run, fault, line, at, pardon)
    return pardon


def _may_come(run: Run, fault: Fault, line: Turn) -> bool:
    """Return whether what a set-up line lacks may still come: its missions, its first action card, or a card."""
    facts = fault.facts
    match fault.code:
        case "R105":
            return sum(isinstance(token, t.Place) for token in line.tokens) < len(run.edition.groups)
        case "R107":
            return facts["card"] is None
        case code:
            return code == "R110" and facts["count"] < facts["dealt"] and not facts.get("gone")


def _begin_position(
    run: Run, frame: Frame, turns: Movetext, rome: Turn, egypt: Turn, pardons: dict[int, Ruling | None]
) -> None:
    """Begin in the middle of a game."""
    if fault := joint_fault(run.edition, rome.tokens, egypt.tokens):
        pardon = pardons[ROME] if is_ruled(fault, pardons[ROME]) else pardons[EGYPT]
        note(run, fault, (rome, egypt)[fault.facts.get("side", ROME)], None, pardon)
    if run.stopped:
        return
    played = [turn for turn in turns[2:] if not is_taken_back(turn)]
    number = played[0].number if played else 1
    state = start(run.edition, frame.starter, rome.tokens, egypt.tokens, position=True, number=number)
    _take_over(run, state, pardons)
    if not played:
        conclude(state)
    if len(played) > 1:
        # Who began the game that the position comes from shows in how its rounds are counted.
        state.starter = played[1 if played[1].number > played[0].number else 0].side


def _take_over(run: Run, state: State, pardons: dict[int, Ruling | None]) -> None:
    """Begin with a state; what was ruled on before counts there."""
    run.state = state
    state.penalties = run.penalties
    for finding in run.findings:
        if finding.severity == RULED:
            let_stand(state, finding.fault)
    for pardon in pardons.values():
        if pardon is not None:
            let_unseen_stand(state, pardon)
