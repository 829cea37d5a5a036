"""What the record says about its own result, held against the replay."""

from __future__ import annotations

from typing import Any

from ..notation.cards import GROUP_LETTERS, PLAYER_NAMES, SIDE_LETTERS, SIDE_NAMES
from ..notation.diagnostic import ERROR
from ..notation.record import Record, Result
from ..notation.writer import score_text, verdict_text
from .course import Course
from .headers import Frame
from .law import Fault
from .scoring import DRAWN, Score, decide, score
from .state import State


def points_text(points: tuple[int, int]) -> str:
    """``17-13``."""
    return f"{points[0]}-{points[1]}"


def final_score(record: Record, course: Course) -> Score | None:
    """The score at the end of the replay; None where the game could not be followed to its end."""
    if course.state is None or course.stopped:
        return None
    verdicts = record.result.verdicts if record.result else ()
    return score(course.state, verdicts, course.penalties)


def breakdown(side: int, counted: Score) -> str:
    """``Caesar P 4 + Q 5 + A 5 + K 0 + C 1 + mission 2``: the points at each group, and the missions."""
    each = counted.sides[side]
    rows = " + ".join(f"{GROUP_LETTERS[row.group]} {row.points}" for row in each.rows)
    mission = f" + mission {each.mission_points}" if each.missions else ""
    penalty = f" - penalty {each.penalty}" if each.penalty else ""
    return f"{PLAYER_NAMES[side]} {rows}{mission}{penalty}"


def summary(counted: Score | None, course: Course) -> str:
    """One line on how the game came out."""
    if counted is None or course.state is None:
        return "not followed to its end"
    rome, egypt = counted.points
    head = f"Rome {rome}, Egypt {egypt}"
    if not course.state.ended:
        return f"{head}: not over"
    if counted.is_open:
        return f"{head}, unknown missions not counted"
    if counted.winner == DRAWN:
        return f"{head}: a draw"
    by = " by the tie-break" if counted.by_tie_break else ""
    return f"{head}: {SIDE_NAMES[counted.winner]} wins{by}"


def result_faults(
    record: Record, frame: Frame, course: Course, counted: Score | None
) -> list[tuple[Fault, dict[str, Any]]]:
    """What is wrong with the result, its header, and Termination."""
    found: list[tuple[Fault, dict[str, Any]]] = []
    header = record.header("Result")
    line = record.result
    if header and line is not None and header.strip() != (written := score_text(line)):
        shortened = line.points is not None and header.strip() == points_text(line.points)
        if not shortened:
            found.append((Fault("H207", {}), {"value": header, "line": written}))
    if counted is None or course.state is None:
        return found
    over = bool(course.state.ended) or course.state.ends_at_placement()
    found += _misfits(course.state, line, counted if over else None)
    regular = frame.termination in ("", "normal")
    if not over:
        if regular and line is not None and line.points is not None:
            found.append((Fault("C905", {}), {}))
        sound = regular and all(each.severity != ERROR for each in course.findings)
        if line is None and header.strip()[:1].isdigit() and sound:
            found.append((Fault("H211", {}), {"value": header, "last": record.turns[-1].label}))
        return found
    if not regular:
        # A game can be over by the rules and have been resigned before anyone saw it.
        found.append((Fault("C906", {}), {"value": record.header("Termination")}))
        return found
    if line is None or line.points is None:
        found.append((Fault("C907", {}), {"counted": points_text(counted.points)}))
        return found
    return found + _points(record, line, course, counted) + _verdicts(course, line, counted)


def _points(record: Record, line: Result, course: Course, counted: Score) -> list[tuple[Fault, dict[str, Any]]]:
    assert line.points is not None
    for written, side in zip(line.points, counted.sides, strict=True):
        if written != side.points and written not in side.possible_points(course.edition.mission_points):
            facts = {
                "written": points_text(line.points),
                "counted": points_text(counted.points),
                "breakdown": "; ".join(breakdown(place, counted) for place in (0, 1)),
            }
            return [(Fault("C903", {}), facts)]
    if line.winner is None:
        return []
    patricians = (counted.sides[0].patricians, counted.sides[1].patricians)
    winner, by_tie_break = decide(course.edition, line.points, patricians)
    if line.winner == winner and by_tie_break:
        return []
    if line.points[0] != line.points[1]:
        problem = "the points differ, so no tie-break is needed"
    elif winner == DRAWN:
        problem = "nobody wins the tie-break: the game is a draw"
    else:
        problem = f"the tie-break names {SIDE_NAMES[winner]} ({SIDE_LETTERS[winner]}), who has more patricians"
    return [(Fault("C904", {}), {"problem": problem})]


def _misfits(state: State, line: Result | None, counted: Score | None) -> list[tuple[Fault, dict[str, Any]]]:
    """Return what is odd about the verdicts: they fit no mission, or the patricians at the end (``counted``) deny them.

    The points do not depend on any of these, so the game can be as legal as its points are.
    """
    written = line.verdicts if line else ()
    problems: list[str] = []
    for side, signs in dict(written).items():
        player, cards = PLAYER_NAMES[side], state.sides[side]
        held = len(cards.missions) if cards.kept is None else 1
        met = counted.sides[side].missions[: len(signs)] if counted else ()
        word = verdict_text(side, signs)
        if sum(owner == side for owner, _ in written) > 1:
            problems.append(f"there is more than one verdict on {player}'s missions; the last one, {word}, is taken")
        elif len(signs) > held:
            missions = f"{held or 'no'} mission{'' if held == 1 else 's'}"
            problems.append(
                f"{word} has {len(signs)} sign{'' if len(signs) == 1 else 's'}, but {player} holds {missions}"
            )
        elif met != signs[: len(met)]:
            problems.append(
                f"the record says {word}, the patricians that {player} has won say {verdict_text(side, met)}"
            )
    return [(Fault("C914", {}), {"problem": problem}) for problem in problems]


def _verdicts(course: Course, line: Result, counted: Score) -> list[tuple[Fault, dict[str, Any]]]:
    assert course.state is not None
    found: list[tuple[Fault, dict[str, Any]]] = []
    rome, egypt = counted.sides
    if not line.verdicts and None not in rome.missions and None not in egypt.missions:
        return found
    told = dict(line.verdicts)
    for side, cards in enumerate(course.state.sides):
        if not any(mission.kind == "text" for mission in cards.missions):
            continue
        if None in counted.sides[side].missions:
            found.append((Fault("C912", {}), {}))
        elif side in told:
            found.append((Fault("C910", {}), {}))
    return found
