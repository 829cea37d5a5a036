"""How a game ended, and what the record says about that, compared with the replay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.cards import EGYPT, GROUP_LETTERS, ROME, SIDE_LETTERS
from ...notation.diagnostic import ERROR
from ...notation.language import PLAYERS, SIDES, Messages, clauses, labelled, phrase, sense
from ...notation.record import Record, Result
from ...notation.writer import score_text, verdict_text
from ..diagnostics.names import in_figures
from ..rules.layout import Ending
from ..rules.scoring import DRAWN, Score, SideScore, decide, points_of, public_points, score
from ..rules.state import State
from .findings import Run
from .headers import TERMINATIONS, HeaderInfo, header_place, is_result, may_break_off

REASONS: Final = TERMINATIONS[1:]
"""The words of Termination for a game that did not end by the rules."""
DECISIVE: Final = ("resigned", "time forfeit", "rules infraction")
"""The words of Termination that say that one side has won, but not which."""
_DECIDED: Final = (*DECISIVE, "agreed", "adjudicated")
"""The words of Termination for a game that is over, though not by the rules."""


WINNERS: Final = {ROME: "rome", EGYPT: "egypt", DRAWN: "draw", None: None}
"""The words for a winner in data."""


class Outcome(NamedTuple):
    """How a game ended, for a table of results.

    ``winner`` is a side or 2 for a draw, or None if unknown. ``decided_by`` says what decided the winner: ``points`` or
    ``tie-break`` (by the rules), a word of the header Termination, or ``statement`` (the result line alone); None if
    ``winner`` is None. ``points`` are Rome's and Egypt's points: as counted by the rules, or as written down if the
    game did not end by the rules; None if there are none. ``ending`` names the rule that ended the game, None if no
    rule did. ``termination`` is the header's word, ``normal`` if there is none. ``finished`` says whether the game is
    over, by the rules or by a decision, or, if it could not be followed to its end, whether it has a result.

    >>> came = tironian.check(record).outcome
    >>> came.winner == tironian.Side.ROME, came.decided_by, came.points, str(came.ending)
    (True, 'points', (19, 10), 'patricians')
    """

    winner: int | None
    decided_by: str | None
    points: tuple[int, int] | None
    ending: str | None
    termination: str
    finished: bool


def outcome(record: Record, header_info: HeaderInfo, run: Run | None, game_score: Score | None) -> Outcome:
    """Return how a game ended; ``run`` and ``game_score`` are None if it could not be replayed.

    If a game ended by the rules, the points counted decide (O6). If unknown missions leave the points open, the
    record's own points decide, provided they are possible. In any other game the result line decides: the side after
    its ``>``, or else the side with more points if Termination says that the game was decided.
    """
    line = record.result or Result()
    termination = header_info.termination or "normal"
    ending = _ending(record, header_info, run.state) if run and run.state else None
    if game_score and run and ending and termination not in REASONS:
        return _by_rules(line, run, game_score, ending, termination)
    return _by_statement(line, ending, termination, game_score is not None)


def _by_statement(line: Result, ending: Ending | None, termination: str, is_followed: bool) -> Outcome:
    """Return how any other game ended: the result line counts."""
    winner = _stated_winner(line, termination)
    over = ending is not None or winner is not None or termination in _DECIDED
    by = termination
    if termination not in REASONS:
        by = "statement"
        over = over or not (is_followed or line.points is None)
    return Outcome(winner, None if winner is None else by, line.points, ending, termination, over)


def _stated_winner(line: Result, termination: str) -> int | None:
    """Return the winner according to the result line."""
    if line.winner is not None or not line.points or termination not in _DECIDED:
        return line.winner
    rome, egypt = line.points
    return None if rome == egypt else ROME if rome > egypt else EGYPT


def _by_rules(line: Result, run: Run, game_score: Score, ending: Ending, termination: str) -> Outcome:
    """Return how a game that ended by the rules ended."""
    points: tuple[int, int] | None = game_score.points
    if game_score.is_open:  # nobody wrote down which missions are fulfilled
        points = line.points if line.points and not _impossible(line.points, run, game_score) else None
    if points is None:
        return Outcome(None, None, None, ending, termination, True)
    winner, by_tie_break = _decided(run, game_score, points)
    return Outcome(winner, "tie-break" if by_tie_break else "points", points, ending, termination, True)


def _decided(run: Run, game_score: Score, points: tuple[int, int]) -> tuple[int, bool]:
    """Return the winner with these points, and whether the tie-break decided."""
    return decide(run.edition, points, (game_score.sides[0].patricians, game_score.sides[1].patricians))


def _ending(record: Record, header_info: HeaderInfo, state: State) -> Ending | None:
    """Return the rule that ended the game at the end of the replay, None if the game goes on.

    A player who would end it by having to place may still play an action or pass (N6), and so may one whose cards have
    no room in the final turn (N4b). In these cases the game is over if the record gives its points.
    """
    if state.ended or may_break_off(record, header_info):
        return state.ended or None
    if state.ends_at_placement():
        return Ending.FULL
    return Ending.FINAL_TURN if state.final and not state.can_place(state.active) else None


class GameEnd(NamedTuple):
    """How a game ended, to be shown with its last table: ``summary`` in a line, ``ending`` as in Outcome.

    ``short`` is the summary without points, if it says more. ``points`` are the points that everybody knows then: as
    counted, with missions known only from the result line; or, in a game that did not end by the rules, the points for
    patricians won. ``state`` is the last one, None while the game goes on; ``game_score`` is its score.
    """

    points: tuple[int, int]
    ending: str
    summary: str
    short: str
    state: State | None
    game_score: Score | None

    def holds(self, state: State) -> bool:
        """Return whether the game is over in a state."""
        return self.state is not None and (state is self.state or bool(state.ended))


def game_end(record: Record, header_info: HeaderInfo, run: Run, last: State) -> GameEnd:
    """Return how a game ended, given ``last``, the final state of its replay."""
    game_score = final_score(record, run)
    ending_outcome = outcome(record, header_info, run, game_score)
    points = _announced(game_score, last, ending_outcome)[0] if game_score else (0, 0)
    is_over = game_score is not None and (ending_outcome.finished or ending_outcome.termination in REASONS)
    told, short = _summed_up(game_score, run, ending_outcome, source=False)
    return GameEnd(points, ending_outcome.ending or "", told, short, last if is_over else None, game_score)


def _announced(game_score: Score, state: State, ending_outcome: Outcome) -> tuple[tuple[int, int], str]:
    """Return the points that everybody knows at the end of a game, and what they are."""
    if not ending_outcome.ending:  # missions are not shown yet
        points = public_points(state)
        return points, "counted" if points == game_score.points else "public"
    if not game_score.is_open:
        return game_score.points, "counted"
    if ending_outcome.points and ending_outcome.decided_by in ("points", "tie-break"):
        return ending_outcome.points, "recorded"
    return game_score.points, "open"


_SUMS: Final[Messages] = {
    "counted": "Rome {rome}, Egypt {egypt}",
    "public": "Rome {rome}, Egypt {egypt} without missions",
    "recorded": "Rome {rome}, Egypt {egypt} as recorded",
    "open": "Rome {rome}, Egypt {egypt}, unknown missions not counted",
}
"""What points are → how they are told."""


def points_text(points: tuple[int, int]) -> str:
    """Return ``17-13`` for Rome's 17 and Egypt's 13 points."""
    return f"{points[0]}-{points[1]}"


def final_score(record: Record, run: Run) -> Score | None:
    """Return the score at the end of the replay; None if the game could not be followed to its end."""
    if run.state is None or run.stopped:
        return None
    verdicts = record.result.verdicts if record.result else ()
    return score(run.state, verdicts, run.penalties)


def is_as_counted(record: Record, header_info: HeaderInfo, run: Run) -> bool:
    """Return whether a game ended by the rules exactly as its result line says, with no verdicts in the line.

    This is a quick answer for nearly every game: if true, :func:`result_faults` finds nothing.
    """
    line, state = record.result, run.state
    if line is None or line.points is None or line.verdicts or state is None or not state.over:
        return False
    if run.stopped or header_info.is_broken_off or run.penalties != (0, 0):
        return False
    points = points_of(state, ROME), points_of(state, EGYPT)
    if points != line.points:
        return False
    written, winner, place = points_text(points), line.winner, header_place(record, "Result")
    header = "" if place is None else record.headers[place][1].strip()
    if winner is None:
        return not header or agree(header, written)
    rome, egypt = state.sides
    if winner != decide(run.edition, points, (sum(rome.won), sum(egypt.won)))[0]:
        return False
    return header == record.header("Result") and agree(header, f"{written}>{SIDE_LETTERS[winner]}")


def breakdown(side: int, game_score: Score) -> str:
    """Return the points at each group, and the missions: ``Caesar P 4 + Q 5 + A 5 + K 0 + C 1 + mission 2``."""
    own = game_score.sides[side]
    rows = " + ".join(f"{GROUP_LETTERS[row.group]} {row.points}" for row in own.rows)
    mission = f" + {phrase('mission {points}', points=own.mission_points)}" if own.missions else ""
    penalty = f" - {phrase('penalty {points}', points=own.penalty)}" if own.penalty else ""
    return f"{PLAYERS[side].name} {rows}{mission}{penalty}"


PointParts: TypeAlias = tuple[tuple[str, int | None], ...]
"""What points are for, a key of PARTS, and how many (None if unknown)."""
PARTS: Final[Messages] = {
    "patricians": "patricians",
    "majorities": "majorities",
    "whole groups": "whole groups",
    "missions": "missions",
    "penalties": "penalties",
}


def account(own: SideScore) -> PointParts:
    """Return what a side's points are for: patricians, majorities, whole groups, missions, penalties."""
    sums = map(sum, zip(*[row[1:4] for row in own.rows], strict=True))
    named: list[tuple[str, int | None]] = [*zip(PARTS, sums, strict=False)]
    if own.missions:
        named.append(("missions", own.mission_points))
    if own.penalty:
        named.append(("penalties", -own.penalty))
    return tuple(named)


def account_text(points: int, named: PointParts) -> str:
    """Return ``11 = patricians 9 + majorities 2 + missions 0``, with ``?`` for unknown parts; ``0`` if there are no
    points.
    """
    told = [(what, each) for what, each in named if each != 0 or what == "missions"]
    if not told:
        return str(points)
    words = [
        f"{'-' if (each or 0) < 0 else '+'} {phrase(PARTS[what])} {'?' if each is None else abs(each)}"
        for what, each in told
    ]
    return f"{points} = {' '.join(words).removeprefix('+ ')}"


def parts(side: int, game_score: Score) -> str:
    """Return what a side's points are for: ``Caesar 11 = patricians 9 + majorities 2``."""
    own = game_score.sides[side]
    return f"{PLAYERS[side].name} {account_text(own.points, account(own))}"


def summary(game_score: Score | None, run: Run, ending_outcome: Outcome, *, source: bool = True) -> str:
    """Return one line on how the game ended, with the points that everybody knows; in the set-up there are none.

    Without ``source``, it does not say that points come from the record because missions are unknown: that would make
    no sense to readers who can see the missions.
    """
    return _summed_up(game_score, run, ending_outcome, source)[0]


def _summed_up(game_score: Score | None, run: Run, ending_outcome: Outcome, source: bool) -> tuple[str, str]:
    """Return a summary, and the part of it that says who won, or the whole if it does not say that.

    What decided comes first: the points, or, if something else decided, the winner.
    """
    won = winner_text(ending_outcome)
    if run.state is None and not run.stopped:
        return won, won
    if game_score is None or run.state is None:
        head = phrase("not followed to its end")
        return (head, head) if ending_outcome.winner is None else (labelled(head, won), won)
    points, said = _announced(game_score, run.state, ending_outcome)
    if not (source or (ending_outcome.ending is not None and ending_outcome.points is None)):
        said = "counted"
    head = phrase(_SUMS[said], rome=points[0], egypt=points[1])
    if ending_outcome.winner is None and ending_outcome.ending is not None:
        return head, head
    if ending_outcome.winner is None or ending_outcome.decided_by in ("points", "tie-break"):
        return labelled(head, won), won
    return phrase("{won}; points: {points}", won=won, points=head), won


def no_table_reason(record: Record, header_info: HeaderInfo, run: Run) -> str:
    """Return why a game without a set-up has no table to show, and who won it nevertheless."""
    if record.turns:
        return phrase("the set-up is incomplete or can't be followed; tiro check says why")
    return phrase("nothing was laid out: {won}", won=winner_text(outcome(record, header_info, run, None)))


def winner_text(ending_outcome: Outcome) -> str:
    """Return who won and how (``Rome wins, since Egypt resigned``), or that nobody did, or that it is not recorded."""
    winner, by, how = ending_outcome.winner, ending_outcome.decided_by or "", ending_outcome.termination
    if winner is None:
        said = phrase("no winner recorded") if ending_outcome.finished else sense("game", "unfinished")
        return phrase("{how}, {said}", how=phrase(_DECISIONS[how][0]), said=said) if how in REASONS[:-1] else said
    if winner != DRAWN:
        _, sentence = _DECISIONS.get(by) or _DECISIONS["points"]
        return phrase(sentence, side=SIDES[winner], other=SIDES[1 - winner])
    return phrase("a draw") if by in ("points", "statement") else phrase("a draw, {how}", how=phrase(_DECISIONS[by][0]))


_DECISIONS: Final[Messages] = {
    "tie-break": ("tie-break", "{side.name} wins by the tie-break"),
    "resigned": ("resigned", "{side.name} wins, since {other.name} resigned"),
    "time forfeit": ("time forfeit", "{side.name} wins on time"),
    "rules infraction": ("rules infraction", "{side.name} wins, since {other.name} broke the rules"),
    "agreed": ("agreed", "{side.name} wins, as agreed"),
    "adjudicated": ("adjudicated", "{side.name} wins by adjudication"),
    "abandoned": ("abandoned", "{side.name} wins, the game was abandoned"),
    "unterminated": ("unterminated", "{side.name} wins, the game was not finished"),
    "points": ("points", "{side.name} wins"),
}
"""What decided: the tie-break or a word of Termination → how it is told, and how a winner is."""


ResultFaults: TypeAlias = Iterator[tuple[str, dict[str, Any]]]
"""Codes with the values for their templates."""


def result_faults(
    record: Record, header_info: HeaderInfo, run: Run, game_score: Score | None, ending_outcome: Outcome
) -> ResultFaults:
    """Yield what is wrong with the result, its header, and Termination."""
    line = record.result
    yield from _header_faults(record, header_info, ending_outcome)
    if game_score is None or run.state is None:
        return
    for problem in _misfits(run.state, line, game_score if ending_outcome.ending else None):
        yield "C914", {"problem": problem}
    if ending_outcome.ending is None:
        if not header_info.is_broken_off:
            yield from _unfinished_faults(record, run)
    elif header_info.termination in REASONS:
        # A game can be over by the rules, yet have been resigned before anyone noticed.
        yield "C906", {"value": record.header("Termination")}
    elif line is None or line.points is None:
        yield "C907", {"counted": points_text(game_score.points)}
        if line and None not in (line.winner, ending_outcome.winner) and line.winner != ending_outcome.winner:
            yield "C904", {"problem": phrase("by the score, {won}", won=winner_text(ending_outcome))}
    else:
        yield from _points(line, line.points, run, game_score)
        yield from _verdicts(run.state, line, game_score)


def _header_faults(record: Record, header_info: HeaderInfo, ending_outcome: Outcome) -> ResultFaults:
    """Yield a fault if a header and the result line differ, or if one side has won and nothing says which."""
    header, line = record.header("Result"), record.result
    if is_result(header.strip()) and line is not None and not agree(header.strip(), written := score_text(line)):
        yield "H207", {"value": header, "line": written}
    if header_info.termination in DECISIVE and ending_outcome.winner is None:
        yield "H213", {"value": record.header("Termination")}


def _unfinished_faults(record: Record, run: Run) -> ResultFaults:
    """Yield what is wrong if a record has a result though the game is neither over nor broken off."""
    header, line = record.header("Result"), record.result
    if line is None:
        sound = all(finding.severity != ERROR for finding in run.findings)
        if sound and is_result(header.strip()) and header.strip() != "*":
            yield "H211", {"value": header, "last": record.turns[-1].label}
    elif line.points is not None:
        yield "C905", {}
    elif line.winner is not None:
        yield "H212", {"line": score_text(line)}


def _points(line: Result, points: tuple[int, int], run: Run, game_score: Score) -> ResultFaults:
    """Yield what is wrong with the points of a game that is over, or with its winner."""
    if _impossible(points, run, game_score):
        rows = clauses([breakdown(side, game_score) for side in (ROME, EGYPT)])
        yield "C903", {"written": points_text(points), "counted": points_text(game_score.points), "breakdown": rows}
        return
    winner, _ = _decided(run, game_score, points)
    if line.winner in (None, winner):
        return
    if winner == DRAWN:
        yield "C904", {"problem": phrase("nobody wins the tie-break: the game is a draw")}
        return
    fields = {"side": SIDES[winner], "letter": SIDE_LETTERS[winner]}
    if points[0] != points[1]:
        problem = phrase("these points make {side.name} ({letter}) the winner", **fields)
    else:
        problem = phrase("the tie-break names {side.name} ({letter}), who has more patricians", **fields)
    yield "C904", {"problem": problem}


def agree(one: str, other: str) -> bool:
    """Return whether two score texts say the same; either may leave out the winner, or name nobody else, as ``*>R``
    does, or ``1-0`` as in chess.
    """
    if one == other or one.partition(">")[0] == other or one == other.partition(">")[0]:
        return True
    if "*" in (one, other) or not (is_result(one) and is_result(other)):
        return False
    is_bare = any(text.partition(">")[0] in ("*", "1-0", "0-1") for text in (one, other))
    return is_bare and _winner_letter(one) == _winner_letter(other) != ""


def _winner_letter(text: str) -> str:
    """Return the letter of the winner that a score text names; ``-`` for a draw, nothing if it names none."""
    points, _, winner = text.partition(">")
    rome, _, egypt = points.partition("-")
    return winner or ("" if points == "*" or rome == egypt else "RE"[int(rome) < int(egypt)])


def _misfits(state: State, line: Result | None, game_score: Score | None) -> Iterator[str]:
    """Yield what is odd about the verdicts: they fit no mission, or the patricians at the end (``game_score``)
    contradict
    them.

    The points do not depend on any verdict, so the game can still be legal.
    """
    written = line.verdicts if line else ()
    sides = [side for side, _ in written]
    for side, signs in dict(written).items():
        held = state.sides[side].mission_count
        met = game_score.sides[side].missions[: len(signs)] if game_score else ()
        said: dict[str, Any] = {"word": verdict_text(side, signs), "player": PLAYERS[side]}
        if sides.count(side) > 1:
            yield phrase("there is more than one verdict on {player.of} missions; the last one, {word}, counts", **said)
        elif len(signs) > held:
            missions = in_figures(held, "mission") if held else phrase("no missions")
            said |= {"signs": in_figures(len(signs), "sign"), "missions": missions}
            yield phrase("{word} has {signs}, but {player.name} holds {missions}", **said)
        elif met != signs[: len(met)]:
            said |= {"due": verdict_text(side, met)}
            yield phrase("the record says {word}, but the patricians that {player.name} has won make it {due}", **said)


def _impossible(points: tuple[int, int], run: Run, game_score: Score) -> bool:
    """Return whether these points are impossible, whichever of the unknown missions are fulfilled."""
    mission = run.edition.mission_points
    return any(
        written != side.points and written not in side.possible_points(mission)
        for written, side in zip(points, game_score.sides, strict=True)
    )


def _verdicts(state: State, line: Result, game_score: Score) -> ResultFaults:
    """Yield a note for each side whose mission in free words has no verdict, or one that can't be checked."""
    decided = dict(line.verdicts)
    for side, cards in enumerate(state.sides):
        if any(mission.kind == "text" for mission in cards.missions):
            if None in game_score.sides[side].missions:
                yield "C912", {}
            elif side in decided:
                yield "C910", {}
