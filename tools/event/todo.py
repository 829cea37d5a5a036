"""What must still be done, and how, before the standings of an event are right."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final

from ...notation.language import clauses, labelled, phrase
from ...notation.records import (
    ERROR,
    NOTE,
    WARNING,
    Diagnostic,
    Fix,
    Result,
    folded,
    header_text,
    parse,
    score_text,
    write,
)
from ...replay.checking.api import check
from ...replay.engine.api import points_text
from ..archive.api import GOOD, ChunkChecker
from ..merge.api import DifferentGames, merge
from ..processes.pool import map_in_order
from ..repair.api import Edit, Slip, replacements
from ..report.api import GameReport, failed_report
from ..storage.api import CannotRun, InputFile
from .facts import ALIAS, KINDS, RESULT, ROUND, Decided, Fact, FileEdit, ToDo, Told, at_table, fact
from .pairing import next_round, round_text
from .plan import EVENT_FILE, Came, EventPlan, Pairing, came_of, plan_text, read_plan
from .records import SIDES, EventGames, Joining, Known, Meeting, Sheet, matched, read_folder, with_header, words_of
from .words import keys_of

_OF_RESULT: Final = ("C903", "C904", "C906", "C907", "C912", "C914", "H207", "H213")
_OF_END: Final = ("C905", "H211", "H212")
"""The codes for what is wrong with a result, and with the end of a game."""
_MANY: Final = 100
"""The most players whose next round is proposed unasked: it takes seconds, and minutes for twice as many."""
_SHOWN: Final = 5
"""The most differences between two sheets that are listed."""


@dataclass
class EventState:
    """An event in its present state: what was found, the files that were passed over, the outcome of each pairing, and
    what to do, the most urgent first.
    """

    plan: EventPlan
    games: EventGames
    passed_over: list[InputFile] = field(default_factory=list)
    decided: list[Decided] = field(default_factory=list)
    to_do: list[ToDo] = field(default_factory=list)
    known: Known = field(default_factory=dict)
    joined: dict[tuple[str, ...], Joining] = field(default_factory=dict)
    paired: tuple[object, ToDo | None] = (None, None)
    """The next round, with what it was made from."""


def event_state(
    folder: str,
    plan: EventPlan,
    jobs: int,
    refused: Iterable[str] = (),
    last: EventState | None = None,
) -> EventState:
    """Read the records of an event and return its state; ``refused`` are the keys of the things that must stay
    unchanged.

    Anything unchanged since ``last``, in the same language, is neither read nor joined again.
    """
    known = last.known if last and last.plan.rules == plan.rules else {}
    sheets, passed_over, stopped = read_folder(folder, plan.rules, jobs, known)
    state = EventState(plan, matched(plan, sheets), passed_over, known=known)
    several, before = [one for one in state.games.meetings if len(one.sheets) > 1], last.joined if last else {}
    new = dict(map_in_order(joined_of, [one.texts for one in several if one.texts not in before], jobs, _lost))
    for one in several:
        one.joined = state.joined[one.texts] = new.get(one.texts) or before[one.texts]
    twice, odd = _of_twice(plan, state.games.meetings)
    found = [*_of_files(state.games), *twice, *_of_strays(plan, state.games), *_of_copies(state.games)]
    found += _of_names(plan, state.games)
    if stopped:
        found.append(ToDo("unread", fact("too many")))
    played = state.games.played_rounds()
    for meeting in state.games.meetings:
        pairing, own = meeting.pairing, list(of_meeting(plan, meeting))
        is_expected = pairing.kind == "game" and not pairing.result and pairing.round <= played and pairing not in odd
        if not meeting.sheets and is_expected:
            order = _added(pairing, state.games.unread)
            one = _by_result(plan, "missing", fact("no record"), (), pairing, order)
            own.append(one._replace(facts=pairing.facts))
        state.decided.append(decided_of(plan, meeting, own))
        found += own
    facts = plan.text, [(one.pairing, one.winner, one.points, one.forfeit) for one in state.decided]
    state.paired = last.paired if last and last.paired[0] == facts else (facts, _due_round(plan, state.decided))
    found += filter(None, [state.paired[1]])
    marks = _marks(sheets)
    found = [one._replace(facts=tuple(marks.get(fact, fact) for fact in one.facts or one.places)) for one in found]
    left = set(refused)
    state.to_do = sorted(
        [one for one in found if left.isdisjoint(keys_of(one))],
        key=lambda one: (KINDS.index(one.kind), *(one.pairing or (0, 0))[:2], one.places),
    )
    return state


def _due_round(plan: EventPlan, decided: Sequence[Decided]) -> ToDo | None:
    """Return the next round, if the program pairs the event and all games before it count."""
    number = 1 + max((one.pairing.round for one in decided if one.pairing.kind == "game"), default=0)
    waits = any(one.winner is None and one.pairing.kind == "game" for one in decided)
    if not plan.system or waits or number > (plan.rounds or number):
        return None
    if len(plan.players) > _MANY:
        return ToDo(ROUND, fact("can be paired", round=number), order=fact("pair on request"), facts=(str(number),))
    try:
        return _round(plan, number, next_round(plan, decided))
    except CannotRun as error:
        return ToDo(ROUND, fact("can be paired", round=number), order=clauses(error.lines), facts=(str(number),))


def _round(plan: EventPlan, number: int, pairings: Sequence[Pairing]) -> ToDo:
    proposes = fact("round as follows", games=tuple(round_text(pairings).split("\n")))
    edits, facts = _of_plan(plan, plan.with_round(pairings)), (str(number), round_text(pairings))
    return ToDo(ROUND, fact("can be paired", round=number), (), None, proposes, edits, ROUND, facts=facts)


def coming_round(state: EventState) -> ToDo:
    """Return the next round, as something to do. Raise CannotRun if it can't be paired yet, or there is none."""
    pairings = next_round(state.plan, state.decided)
    return _round(state.plan, pairings[0].round, pairings)


def _marks(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return for the place of each record what stays the same while other games of its file are changed or removed."""
    marks, count = dict[str, str](), Counter[str]()
    for sheet in sheets:
        lines = re.findall(r"(?m)^0[RE].*", sheet.report.text) if sheet.report.game > 1 else ()
        mark = "\n".join((sheet.file, *lines))
        count[mark] += 1
        marks[sheet.place] = f"{mark}\n{count[mark]}"
    return marks


def _added(pairing: Pairing, unread: Sequence[Sheet]) -> Fact:
    """Return that a record is to be added; one of the files that can't be read may be it, by its name."""
    for sheet in unread:
        stem = folded(os.path.basename(sheet.file))
        is_named = any(len(word) > 2 and word in stem for name in pairing.names for word in words_of(name))
        if is_named or [*map(int, re.findall(r"\d+", stem))][:2] == [pairing.round, pairing.table]:
            return fact("add unread", place=sheet.file)
    return fact("add")


def _lost(_texts: tuple[str, ...]) -> Joining:
    return Joining(None, (fact("can't be joined"),))


def joined_of(texts: tuple[str, ...]) -> Joining:
    """Join the texts of several sheets of a game."""
    names = [phrase("sheet {number}", number=number) for number, _ in enumerate(texts, 1)]
    games = [game for name, text in zip(names, texts, strict=True) for game in parse(text, name)[:1]]
    try:
        merged = merge(games)
    except DifferentGames as error:
        return Joining(None, (str(error),))
    except Exception as error:  # noqa: BLE001  # whatever strangers wrote must not cost the other games
        return Joining(None, (failed_report(error, games[0]).diagnostics[0].message,))
    report = ChunkChecker(suggest=True).report(merged.game, merged.verdict, merged.verdict.diagnostics)
    report.text = write(merged.record)
    return Joining(report, tuple(_said(one) for one in merged.diagnostics if one.severity != NOTE))


def _said(one: Diagnostic) -> str:
    return labelled(one.turn, one.message) if one.turn else one.message


def _of_files(games: EventGames) -> Iterator[ToDo]:
    for sheet in games.unread:
        fault = sheet.report.diagnostics[0]
        yield ToDo("unread", fault.message, (sheet.place,), order=fault.help)


def _of_twice(plan: EventPlan, meetings: Sequence[Meeting]) -> tuple[list[ToDo], set[Pairing]]:
    """Return who has several games in a round, and for which of the games no record is expected."""
    found: list[ToDo] = []
    odd: set[Pairing] = set()
    # First come players with a record of one game but not of the others, since that may explain the rest.
    for name, all_ in sorted(seated_twice(meetings), key=lambda one: not any(meeting.sheets for meeting in one[1])):
        mine = [one for one in all_ if one.pairing not in odd]
        if len(mine) < 2:
            continue
        problem = fact("paired twice", name=name, titles=tuple(at_table(one.pairing) for one in mine))
        empty = [one.pairing for one in mine if not _is_known(one) and one.pairing.place >= 0]
        odd |= set(empty)
        proposes, edits = "", ()
        if empty and _opponents([one for one in mine if one.pairing not in empty]) == 1:
            gone = {pairing.place for pairing in empty}
            left = [one for at, one in enumerate(plan.data["pairings"]) if at not in gone]
            edits = _of_plan(plan, plan_text({**plan.data, "pairings": left}))
            proposes = fact("leave out pairings", titles=tuple(map(at_table, empty)))
        places = tuple(sheet.place for one in mine for sheet in one.sheets)
        facts = (name, *[fact for one in mine for fact in one.pairing.facts])
        order = fact("correct pairings")
        found.append(ToDo("twice", problem, places, mine[0].pairing, proposes, edits, order=order, facts=facts))
    return found, odd


def seated_twice(meetings: Sequence[Meeting]) -> Iterator[tuple[str, list[Meeting]]]:
    """Yield the players with more opponents in a round than others have, or with a pairing listed again of which
    nothing was played; each with their games of the round.
    """
    by_player: dict[tuple[int, str], list[Meeting]] = defaultdict(list)
    usual: dict[int, int] = {}
    for meeting in meetings:
        for name in meeting.pairing.names:
            by_player[meeting.pairing.round, name].append(meeting)
    for (round_, _), mine in by_player.items():
        if any(one.pairing.cleopatra for one in mine):
            usual[round_] = min(_opponents(mine), usual.get(round_, len(mine)))
    for (round_, name), mine in by_player.items():
        is_again = any(map(_is_known, mine)) and any(one.pairing.again and not _is_known(one) for one in mine)
        if is_again or _opponents(mine) > usual.get(round_, 1):
            yield name, mine


def _opponents(meetings: Sequence[Meeting]) -> int:
    return len({meeting.pairing.players for meeting in meetings})


def _is_known(meeting: Meeting) -> bool:
    return bool(meeting.sheets or meeting.pairing.result)


def _of_strays(plan: EventPlan, games: EventGames) -> Iterator[ToDo]:
    """Yield the games that are not paired, or not in the round that their header names."""
    for sheet in [one for one in games.unpaired_games if not one.strangers]:
        others = [one for one in games.meetings if one.pairing.round == sheet.round]
        again = any(one.pairing.players == {*sheet.names} for one in others)
        others = [one for one in others if one.sheets and one.pairing.players != {*sheet.names}]
        busy = [name for name in sheet.names if any(name in one.pairing.players for one in others)]
        known = fact("stray again" if again else "stray", players=" – ".join(sheet.names), round=sheet.round)
        lost = fact("stray again, no round" if again else "stray, no round", players=" – ".join(sheet.names))
        problem = known if sheet.round else lost
        if busy:
            problem = fact("busy", stray=problem, names=reduce(_and, busy))
        kind, order = "twice" if busy else "unpaired", fact("say the round")
        one = _by_header(sheet, kind, problem, None, "Round", "", order=order)
        if sheet.round and not busy:
            text = plan.with_pairing(-1, round=sheet.round, caesar=sheet.names[0], cleopatra=sheet.names[1])
            edits = (*one.edits, *_of_plan(plan, text))
            one = one._replace(proposes=fact("pair", round=sheet.round), edits=edits)
        yield one
    for sheet, pairing in games.moved:
        written = sheet.header("Round")
        problem = fact("other round" if written else "no round", round=written, title=at_table(pairing))
        yield _by_header(sheet, "unpaired", problem, pairing, "Round", str(pairing.round))


def _and(one: Told, other: Told) -> Fact:
    return fact("and", one=one, other=other)


def _by_header(
    sheet: Sheet, kind: str, problem: Told, pairing: Pairing | None, name: str, value: str, order: Told = ""
) -> ToDo:
    """Return a problem that a header would solve; without a ``value``, somebody who was there must supply it."""
    text = with_header(sheet.report.text, name, value) if value else sheet.report.text
    proposes = header_text(name, value) if value else ""
    facts = (sheet.place, name, sheet.header(name))
    return ToDo(kind, problem, (sheet.place,), pairing, proposes, (_edit(sheet, text),), name, order, facts)


def _edit(sheet: Sheet, text: str | None) -> FileEdit:
    return FileEdit(sheet.file, sheet.report.game, sheet.report.text, text)


def _by_result(
    plan: EventPlan, kind: str, problem: Told, places: tuple[str, ...], pairing: Pairing, order: Told
) -> ToDo:
    """Return a problem that only the organiser can settle, with a result that counts whatever the record says."""
    edits = _of_plan(plan, plan.text) if pairing.place >= 0 else ()
    return ToDo(kind, problem, places, pairing, "", edits, RESULT if edits else "", order)


def _of_plan(plan: EventPlan, text: str) -> tuple[FileEdit, ...]:
    return (FileEdit(EVENT_FILE, 0, plan.text, text),)


def given_result(plan: EventPlan, pairing: Pairing) -> ToDo:
    """Return what gives a pairing of the plan a result by hand, as the value; without one, its records count again."""
    one = _by_result(plan, RESULT, "", (), pairing, fact("say who won"))._replace(facts=pairing.facts)
    if not pairing.result:
        return one
    text = plan.with_pairing(pairing.place, result=None)
    return one._replace(proposes=fact("use the record"), edits=_of_plan(plan, text))


def edited_plan(was: str, now: str) -> ToDo:
    """Return what gives ``event.toml`` another text. Raise CannotRun, with a line for each fault, if that is wrong."""
    read_plan(now)
    edits = (FileEdit(EVENT_FILE, 0, was, now),)
    return ToDo("edited", "", (EVENT_FILE,), proposes=fact("edited"), edits=edits, facts=(EVENT_FILE,))


def sent_record(file: str, text: str, number: int) -> ToDo:
    """Return what adds a record that was sent in to the event, as a new file."""
    edits, facts = (FileEdit(file, 0, "", text),), (f"{number}",)
    return ToDo("sent", "", (file,), proposes=fact("add the record", place=file), edits=edits, facts=facts)


def _of_copies(games: EventGames) -> Iterator[ToDo]:
    for sheet, other, pairing in games.copies:
        problem = fact("same moves" if sheet.report.turns else "same result", place=other.place)
        proposes, edits = fact("leave out", place=sheet.place), (_edit(sheet, None),)
        yield ToDo("copy", problem, (sheet.place, other.place), pairing, proposes, edits)


def _of_names(plan: EventPlan, games: EventGames) -> Iterator[ToDo]:
    """Yield the names of strangers: one entry for each record, or for a name if several records mean one player."""
    places = [(sheet, one.pairing) for one in games.meetings if not one.pairing.result for sheet in one.sheets]
    groups: dict[str, list[tuple[Sheet, int, Pairing | None]]] = defaultdict(list)
    for sheet, pairing in [*places, *[(sheet, None) for sheet in games.unpaired_games]]:
        for side in sheet.strangers:
            groups[folded(sheet.header(SIDES[side])) or f"{sheet.place}\n{side}"].append((sheet, side, pairing))
    for name, some in groups.items():
        (first, at, _), meant = some[0], {sheet.names[side] for sheet, side, _ in some}
        if len(some) == 1 or len(meant) > 1:
            order = fact("write the name")
            for sheet, side, pairing in some:
                unknown = _unknown(sheet, side)
                yield _by_header(sheet, "name", unknown, pairing, SIDES[side], sheet.names[side], order=order)
            continue
        written, player, where = first.header(SIDES[at]), meant.pop(), tuple(sheet.place for sheet, *_ in some)
        edits = _of_plan(plan, plan.with_alias(player, written) if player else plan.text)
        proposes = fact("alias", written=written, player=player) if player else ""
        problem, order = fact("strangers", name=written, count=len(some)), fact("say who")
        yield ToDo("name", problem, where, None, proposes, edits, ALIAS, order, (name,), written)


def _unknown(sheet: Sheet, side: int) -> Fact:
    written = sheet.header(SIDES[side])
    return fact("stranger" if written else "nobody", name=written, header=SIDES[side])


def of_meeting(plan: EventPlan, meeting: Meeting) -> Iterator[ToDo]:
    """Yield what to do about the records of a pairing."""
    pairing, sheets = meeting.pairing, meeting.sheets
    if not sheets:
        return
    if pairing.result:  # it counts whatever the records say
        yield from _of_result(plan, meeting)
        return
    other_rules = [one for sheet in sheets for one in _of_rules(plan, sheet, pairing)]
    yield from other_rules
    if pairing.place >= 0 and sheets[0].names == (pairing.cleopatra, pairing.caesar):
        problem = fact("other sides", cleopatra=pairing.cleopatra, caesar=pairing.caesar)
        edits = _of_plan(plan, plan.with_pairing(pairing.place, caesar=pairing.cleopatra, cleopatra=pairing.caesar))
        yield ToDo("sides", problem, meeting.places, pairing, fact("change sides"), edits)
    if sheets[0].score:
        said = dict.fromkeys(came for sheet in sheets if (came := sheet.score))
        if len(said) > 1 or None in [came.winner for came in said]:
            scores = [points_text(came.points) if came.points else fact("no points") for came in said]
            problem = fact("no winner", scores=reduce(_and, scores))
            yield _by_result(plan, "result", problem, meeting.places, pairing, fact("say who won"))
    elif meeting.joined:
        yield _of_sheets(meeting, meeting.joined)
    elif not other_rules:
        yield from _of_record(plan, sheets[0], pairing)


def _of_result(plan: EventPlan, meeting: Meeting) -> Iterator[ToDo]:
    """Yield a problem if a sound record and the event name different winners, which may be a slip."""
    pairing, came = meeting.pairing, meeting.sheets[0].score
    decided, sound = came_of(pairing.result, plan.rules), meeting.sound
    if came is None and sound and sound.outcome:
        came = Came(sound.outcome.winner, sound.outcome.points)
    if came is None or meeting.report is None or meeting.sheets[0].names != pairing.names:
        return
    other_points = None not in (came.points, decided.points) and came.points != decided.points
    if came.winner not in (None, decided.winner) or other_points:
        record = points_text(came.points) if came.points else meeting.report.summary
        problem = fact("other result", result=pairing.result, record=record)
        edits = _of_plan(plan, plan.with_pairing(pairing.place, result=None))
        yield ToDo("result", problem, meeting.places, pairing, fact("use the record"), edits)


def _of_sheets(meeting: Meeting, joined: Joining) -> ToDo:
    more = len(joined.differences) - _SHOWN
    told = (*joined.differences[:_SHOWN], *[fact("more", count=more)] * (more > 0)) or fact("alike")
    problem = fact("not joined", count=len(meeting.sheets), differences=told)
    order = f"tiro merge {' '.join(meeting.places)}"
    proposes, edits = "", ()
    if joined.report:
        first, *rest = meeting.sheets
        proposes = fact("joined", verdict=joined.report.verdict, summary=joined.report.summary)
        edits = (_edit(first, joined.report.text), *[_edit(sheet, None) for sheet in rest])
    return ToDo("sheets", problem, meeting.places, meeting.pairing, proposes, edits, order=order)


def _of_rules(plan: EventPlan, sheet: Sheet, pairing: Pairing) -> Iterator[ToDo]:
    for header in ("Rules", "Rulings"):
        value, written = plan.data.get(header.lower(), ""), sheet.header(header)
        if not value or sorted(written.split()) == sorted(value.split()) or (header == "Rules" and not written):
            continue
        problem = fact("other rules" if written else "no rules", header=header, written=written, rules=value)
        verdict = check(parse(with_header(sheet.report.text, header, value))[0]).verdict
        order, is_sound = fact("ask", rules=value, verdict=verdict), verdict in GOOD
        one = _by_header(sheet, "rules", problem, pairing, header, value if is_sound else "", order)
        yield one._replace(proposes=fact("by rules", header=one.proposes, verdict=verdict) if is_sound else "")


def _of_record(plan: EventPlan, sheet: Sheet, pairing: Pairing) -> Iterator[ToDo]:
    """Yield what is wrong with the play, the result or the end of a record."""
    report, outcome = sheet.report, sheet.report.outcome
    faults = [*report.of(ERROR), *[one for one in report.of(WARNING) if one.code in (*_OF_RESULT, *_OF_END)]]
    if faults:
        first = faults[0]
        kind = "result" if first.code in _OF_RESULT else "unfinished" if first.code in _OF_END else "illegal"
        problem = fact("fault", message=first.message, code=first.code)
        if first.turn:
            problem = fact("fault in turn", turn=first.turn, message=first.message, code=first.code)
        fixes: list[tuple[Told, Fix]] = [(fix.description, fix) for one in faults for fix in one.fixes]
        fixes += _as_counted(sheet, first.code) if kind == "result" else ()
        repairs = (_repair(plan, sheet, pairing, kind, problem, *fix) for fix in fixes)
        one = next(filter(None, repairs), None) or _by_result(plan, kind, problem, (sheet.place,), pairing, first.help)
        if kind == "unfinished" and one.edits and (said := _as_written(report, plan.rules)):
            edits = _of_plan(plan, plan.with_pairing(pairing.place, result=said))
            one = one._replace(proposes=fact("as written", result=said), edits=edits)
        yield one._replace(facts=(sheet.place, first.code, first.turn))
    elif (outcome is None or not outcome.finished) and not sheet.header("Termination"):
        yield _by_result(plan, "unfinished", fact("not over"), (sheet.place,), pairing, fact("say why"))
    elif outcome and outcome.finished and outcome.winner is None:
        order = fact("write the result")
        yield _by_result(plan, "result", fact("not recorded"), (sheet.place,), pairing, order)


def _as_written(report: GameReport, rules: str) -> str:
    """Return the score that a record gives although its game was not over, since its last turns may be lost. It is
    empty if it does not tell who won, or if the cards contradict it.
    """
    points = report.outcome.points if report.outcome else None
    won = [side.patricians for side in report.score.sides] if report.score else [0, 0]
    if points is None or won[0] > points[0] or won[1] > points[1]:
        return ""
    return points_text(points) if came_of(points_text(points), rules).winner is not None else ""


def _as_counted(sheet: Sheet, code: str) -> Iterator[tuple[Fact, Fix]]:
    """Yield ways to write the result as counted, if the game ended by the rules and everything could be counted."""
    came, game = sheet.report.outcome, parse(sheet.report.text)[0]
    if came is None or came.ending is None or came.points is None:
        return
    record, old = game.record, game.record.result or Result()
    score = replace(old, points=came.points, winner=came.winner if came.points[0] == came.points[1] else None)
    new = {"Result": score_text(score)} | ({"Termination": "normal"} if code == "C906" else {})
    headers = [(name, new.pop(name, value)) for name, value in record.headers]  # the first one of a name counts
    headers += new.items()
    for result in (score, replace(score, verdicts=())):
        edit = Edit(Slip.RESULT, 0, 0, 0, headers=tuple(headers), result=result)
        yield fact("as counted", result=score_text(result)), Fix("", 0, replacements([edit], game))


def _repair(
    plan: EventPlan, sheet: Sheet, pairing: Pairing, kind: str, problem: Told, repair: Told, fix: Fix
) -> ToDo | None:
    """Return a problem that a repair would solve; None if the record would still break the rules."""
    lines = sheet.report.text.splitlines(keepends=True)
    for change in sorted(fix.replacements, reverse=True):
        lines[change.begin : change.end] = [change.text]
    text = "".join(lines)
    verdict = check(parse(text)[0], plan.rules)
    codes = {one.code for one in verdict.diagnostics}
    if verdict.verdict not in GOOD or (kind == "result" and not codes.isdisjoint(_OF_RESULT)):
        return None
    proposes = fact("repair", repair=repair, verdict=verdict.verdict, summary=verdict.summary)
    if fix.equally_likely_count:
        proposes = fact(
            "another" if fix.equally_likely_count == 1 else "others", repair=proposes, count=fix.equally_likely_count
        )
    order = f"tiro repair {sheet.file}"
    return ToDo(kind, problem, (sheet.place,), pairing, proposes, (_edit(sheet, text),), order=order)


def decided_of(plan: EventPlan, meeting: Meeting, to_do: Sequence[ToDo]) -> Decided:
    """Return the outcome of a pairing: what the event says, or else what a sound record without open questions says."""
    pairing, sheets, places, sound = meeting.pairing, meeting.sheets, meeting.places, meeting.sound
    text, came = (sound.text, sound.outcome) if sound else ("", None)
    if pairing.result:
        said = came_of(pairing.result, plan.rules)
        return Decided(pairing, *said, "", places, text, by_score=said.points is not None and not text)
    if not sheets:
        return Decided(pairing, None, why=fact("no game"))
    pairing = pairing._replace(caesar=sheets[0].names[0], cleopatra=sheets[0].names[1])
    hindering = ("rules", "illegal") if sound else ("rules", "illegal", "result")
    open_: list[tuple[str, Told]] = [("name", _unknown(sheet, side)) for sheet in sheets for side in sheet.strangers]
    open_ += [(one.kind, one.problem) for one in to_do if one.kind in hindering]
    winners = {sheet.report.outcome.winner for sheet in sheets if sheet.report.outcome} - {None}
    if open_:
        why = fact("open", kind=fact(open_[0][0]), problem=open_[0][1])
    elif score := sheets[0].score:
        return Decided(pairing, *score, "", places, by_score=True)
    elif meeting.report is None:
        why = fact("other games")
    elif not sound:
        why = fact("unsound", verdict=meeting.report.verdict)
    elif meeting.joined and len(winners) > 1:
        why = fact("other winners")
    elif came is None or came.winner is None:
        return Decided(pairing, None, None, False, fact("no result"), places, text, bool(came and came.finished))
    else:
        points = came.points if came.decided_by in ("points", "tie-break") else None
        return Decided(pairing, came.winner, points, False, "", places, text, came.finished)
    return Decided(pairing, None, why=why, places=places)
