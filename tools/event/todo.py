"""What must still be done, and how, before the standings of an event are right."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final, NamedTuple

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
from ..storage.api import InputFile
from .plan import EVENT_FILE, Came, EventPlan, Pairing, came_of, plan_text
from .records import SIDES, EventGames, Joining, Known, Meeting, Sheet, matched, read_folder, with_header, words_of

KINDS: Final = {
    "unread": "a file that can't be read",
    "missing": "a game is missing",
    "sheets": "sheets of one game",
    "illegal": "breaks the rules",
    "result": "the result",
    "unfinished": "not finished, and no reason given",
    "name": "an unknown name",
    "twice": "a player twice in a round",
    "unpaired": "a game that is not paired",
    "sides": "sides not as paired",
    "rules": "another rule set",
    "copy": "the same game twice",
}
"""The kinds of things to do, the most urgent first."""
_OF_RESULT: Final = ("C903", "C904", "C906", "C907", "C912", "C914", "H207", "H213")
_OF_END: Final = ("C905", "H211", "H212")
"""The codes for what is wrong with a result, and with the end of a game."""
_SHOWN: Final = 5
"""The most differences between two sheets that are listed."""


RESULT: Final = "result"
"""The key, in a pairing in ``event.toml``, of a result that counts whatever the record says."""
ALIAS: Final = "alias"
"""Stands for the player to whom a name of many records belongs."""


class FileEdit(NamedTuple):
    """The old and the new text of a file's ``game``-th game, or of the whole file for 0; None removes it."""

    file: str
    game: int
    was: str
    text: str | None


class ToDo(NamedTuple):
    """Something to do. ``places`` are the records it is about; ``proposes`` is the proposed solution, with its
    ``edits``.

    ``name`` is a header, the result of the pairing, or ALIAS, for which another value may be given. If nothing is
    proposed, the edits change nothing until a value is given. ``facts`` tell it from other things of its kind: never
    words about it, nor what becomes of other things.
    """

    kind: str
    says: str
    places: tuple[str, ...] = ()
    pairing: Pairing | None = None
    proposes: str = ""
    edits: tuple[FileEdit, ...] = ()
    name: str = ""
    order: str = ""
    facts: tuple[str, ...] = ()
    alias: str = ""
    """The name that ALIAS gives to a player."""

    @property
    def title(self) -> str:
        """Return in words what it is about: the name, the pairing, or else where its records are."""
        named = f"“{self.alias}”" if self.alias else self.pairing.title if self.pairing else ""
        return named or ", ".join(self.places) or KINDS[self.kind]

    @property
    def key(self) -> str:
        """Return eight characters that identify it, and stay the same as long as it is there."""
        return _digits(self.kind, *self.facts)

    @property
    def keys(self) -> tuple[str, str]:
        """Return its key, and the one that it had when keys were made from sentences, as journals may name it."""
        return self.key, _digits(self.kind, self.title, self.says, *self.places, self.proposes)


def _digits(*texts: str) -> str:
    return sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()[:8]


@dataclass(frozen=True)
class Decided:
    """The outcome of a pairing: ``winner`` is a side, 2 for a draw, 3 for nobody; None if it does not count, and
    ``why`` says why.

    ``pairing`` has the sides as they were played. ``points`` are the points in the game, None if nobody counted them.
    """

    pairing: Pairing
    winner: int | None
    points: tuple[int, int] | None = None
    forfeit: bool = False
    why: str = ""
    places: tuple[str, ...] = ()
    text: str = ""
    """The record joined from all sheets, if it follows the rules."""
    is_over: bool = True
    """Whether everybody may see the cards of the record."""
    by_score: bool = False
    """Whether only the result is known, not the moves."""


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


def event_state(
    folder: str, plan: EventPlan, jobs: int, refused: Iterable[str] = (), last: EventState | None = None
) -> EventState:
    """Read the records of an event and return its state; ``refused`` are the keys of the things that must stay
    unchanged.

    Anything unchanged since ``last`` is neither read nor joined again.
    """
    known = last.known if last and last.plan.rules == plan.rules else {}
    sheets, passed_over, stopped = read_folder(folder, plan.rules, jobs, known)
    state = EventState(plan, matched(plan, sheets), passed_over, known=known)
    several, before = [one for one in state.games.meetings if len(one.sheets) > 1], last.joined if last else {}
    new = dict(map_in_order(_joined, [one.texts for one in several if one.texts not in before], jobs, _lost))
    for one in several:
        one.joined = state.joined[one.texts] = new.get(one.texts) or before[one.texts]
    twice, odd = _of_twice(plan, state.games.meetings)
    found = [*_of_files(state.games), *twice, *_of_strays(plan, state.games), *_of_copies(state.games)]
    found += _of_names(plan, state.games)
    if stopped:
        found.append(ToDo("unread", "there are more than 20,000 records in this folder; the rest was not read"))
    played = state.games.played_rounds()
    for meeting in state.games.meetings:
        pairing, own = meeting.pairing, list(_of_meeting(plan, meeting))
        is_expected = pairing.kind == "game" and not pairing.result and pairing.round <= played and pairing not in odd
        if not meeting.sheets and is_expected:
            order = f"add its record{_perhaps(pairing, state.games.unread)}, or say in {EVENT_FILE} how it ended"
            one = _by_result(plan, "missing", "there is no record of this game", (), pairing, order)
            own.append(one._replace(facts=pairing.facts))
        state.decided.append(_decided(plan, meeting, own))
        found += own
    marks = _marks(sheets)
    found = [one._replace(facts=tuple(marks.get(fact, fact) for fact in one.facts or one.places)) for one in found]
    left, order = set(refused), list(KINDS)
    state.to_do = sorted(
        [one for one in found if left.isdisjoint(one.keys)],
        key=lambda one: (order.index(one.kind), *(one.pairing or (0, 0))[:2], one.places),
    )
    return state


def _marks(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return for the place of each record what stays the same while other games of its file are changed or removed."""
    marks, count = dict[str, str](), Counter[str]()
    for sheet in sheets:
        lines = re.findall(r"(?m)^0[RE].*", sheet.report.text) if sheet.report.game > 1 else ()
        mark = "\n".join((sheet.file, *lines))
        count[mark] += 1
        marks[sheet.place] = f"{mark}\n{count[mark]}"
    return marks


def _perhaps(pairing: Pairing, unread: Sequence[Sheet]) -> str:
    """Return which of the files that can't be read may be the record of a game, by their names."""
    for sheet in unread:
        stem = folded(os.path.basename(sheet.file))
        is_named = any(len(word) > 2 and word in stem for name in pairing.names for word in words_of(name))
        if is_named or [*map(int, re.findall(r"\d+", stem))][:2] == [pairing.round, pairing.table]:
            return f", which may be {sheet.file}"
    return ""


def _lost(_texts: tuple[str, ...]) -> Joining:
    return Joining(None, ("these sheets could not be joined",))


def _joined(texts: tuple[str, ...]) -> Joining:
    """Join the texts of several sheets of a game."""
    games = [game for number, text in enumerate(texts, 1) for game in parse(text, f"sheet {number}")[:1]]
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
    return f"{f'{one.turn}: ' if one.turn else ''}{one.message}"


def _of_files(games: EventGames) -> Iterator[ToDo]:
    for sheet in games.unread:
        fault = sheet.report.diagnostics[0]
        yield ToDo("unread", fault.message, (sheet.place,), order=fault.help)


def _of_twice(plan: EventPlan, meetings: Sequence[Meeting]) -> tuple[list[ToDo], set[Pairing]]:
    """Return who has several games in a round, and for which of the games no record is expected."""
    found: list[ToDo] = []
    odd: set[Pairing] = set()
    # First come players with a record of one game but not of the others, since that may explain the rest.
    for name, all_ in sorted(_several(meetings), key=lambda one: not any(meeting.sheets for meeting in one[1])):
        mine = [one for one in all_ if one.pairing not in odd]
        if len(mine) < 2:
            continue
        titles = "; ".join(one.pairing.title for one in mine)
        says = f"{name} is paired more than once: {titles}"
        empty = [one.pairing for one in mine if not _is_known(one) and one.pairing.place >= 0]
        odd |= set(empty)
        proposes, edits = "", ()
        if empty and _opponents([one for one in mine if one.pairing not in empty]) == 1:
            gone = {pairing.place for pairing in empty}
            left = [one for at, one in enumerate(plan.data["pairings"]) if at not in gone]
            edits = _of_plan(plan, plan_text({**plan.data, "pairings": left}))
            proposes = f"leave out what was not played: {'; '.join(pairing.title for pairing in empty)}"
        places = tuple(sheet.place for one in mine for sheet in one.sheets)
        facts = (name, *[fact for one in mine for fact in one.pairing.facts])
        order = f"correct the pairings in {EVENT_FILE}"
        found.append(ToDo("twice", says, places, mine[0].pairing, proposes, edits, order=order, facts=facts))
    return found, odd


def _several(meetings: Sequence[Meeting]) -> Iterator[tuple[str, list[Meeting]]]:
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
        where = f"in round {sheet.round}" if sheet.round else "and its Round header names no round"
        says = f"{' – '.join(sheet.names)} is not paired {'for another game ' * again}{where}"
        if busy:
            says += f"; {' and '.join(busy)} played another game then"
        order = f"correct its Round header, or add the pairing to {EVENT_FILE}"
        one = _by_header(sheet, "twice" if busy else "unpaired", says, None, "Round", "", order=order)
        if sheet.round and not busy:
            text = plan.with_pairing(-1, round=sheet.round, caesar=sheet.names[0], cleopatra=sheet.names[1])
            edits = (*one.edits, *_of_plan(plan, text))
            one = one._replace(proposes=f"pair them in round {sheet.round}, as they played", edits=edits)
        yield one
    for sheet, pairing in games.moved:
        said = f"its Round header says {sheet.header('Round') or 'nothing'}, but they are paired in {pairing.title}"
        yield _by_header(sheet, "unpaired", said, pairing, "Round", str(pairing.round))


def _by_header(
    sheet: Sheet, kind: str, says: str, pairing: Pairing | None, name: str, value: str, more: str = "", order: str = ""
) -> ToDo:
    """Return a problem that a header would solve; without a ``value``, somebody who was there must supply it."""
    text = with_header(sheet.report.text, name, value) if value else sheet.report.text
    proposes = f"{header_text(name, value)}{more}" if value else ""
    facts = (sheet.place, name, sheet.header(name))
    return ToDo(kind, says, (sheet.place,), pairing, proposes, (_edit(sheet, text),), name, order, facts)


def _edit(sheet: Sheet, text: str | None) -> FileEdit:
    return FileEdit(sheet.file, sheet.report.game, sheet.report.text, text)


def _by_result(plan: EventPlan, kind: str, says: str, places: tuple[str, ...], pairing: Pairing, order: str) -> ToDo:
    """Return a problem that only the organiser can settle, with a result that counts whatever the record says."""
    edits = _of_plan(plan, plan.text) if pairing.place >= 0 else ()
    return ToDo(kind, says, places, pairing, "", edits, RESULT if edits else "", order)


def _of_plan(plan: EventPlan, text: str) -> tuple[FileEdit, ...]:
    return (FileEdit(EVENT_FILE, 0, plan.text, text),)


def _of_copies(games: EventGames) -> Iterator[ToDo]:
    for sheet, other, pairing in games.copies:
        what = "has the same moves as the game" if sheet.report.turns else "says only the result of the game"
        says, edits = f"this {what} in {other.place}", (_edit(sheet, None),)
        yield ToDo("copy", says, (sheet.place, other.place), pairing, f"leave out {sheet.place}", edits)


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
            order = f"write the name as it stands in {EVENT_FILE}, or add it there"
            for sheet, side, pairing in some:
                unknown = _unknown(sheet, side)
                yield _by_header(sheet, "name", unknown, pairing, SIDES[side], sheet.names[side], order=order)
            continue
        written, player, where = first.header(SIDES[at]), meant.pop(), tuple(sheet.place for sheet, *_ in some)
        edits = _of_plan(plan, plan.with_alias(player, written) if player else plan.text)
        proposes = f"“{written}” is {player}" if player else ""
        order = f"say who it is, or add the player to {EVENT_FILE}"
        says = f"no player is called “{written}”, as {len(some)} records have it"
        yield ToDo("name", says, where, None, proposes, edits, ALIAS, order, (name,), written)


def _unknown(sheet: Sheet, side: int) -> str:
    header, written = SIDES[side], sheet.header(SIDES[side])
    return f"no player is called “{written}” ({header})" if written else f"the {header} header names no player"


def _of_meeting(plan: EventPlan, meeting: Meeting) -> Iterator[ToDo]:
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
        says = f"{pairing.cleopatra} played Rome and {pairing.caesar} Egypt, the opposite of the pairing"
        edits = _of_plan(plan, plan.with_pairing(pairing.place, caesar=pairing.cleopatra, cleopatra=pairing.caesar))
        yield ToDo("sides", says, meeting.places, pairing, "pair them as they played", edits)
    if sheets[0].score:
        said = dict.fromkeys(came for sheet in sheets if (came := sheet.score))
        if len(said) > 1 or None in [came.winner for came in said]:
            scores = " and ".join(points_text(came.points) if came.points else "no points" for came in said)
            says = f"{scores}: this does not say who won"
            yield _by_result(plan, "result", says, meeting.places, pairing, "say who won")
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
        says = f"{EVENT_FILE} says {pairing.result}, but the record says {record}"
        edits = _of_plan(plan, plan.with_pairing(pairing.place, result=None))
        yield ToDo("result", says, meeting.places, pairing, "use the result of the record", edits)


def _of_sheets(meeting: Meeting, joined: Joining) -> ToDo:
    more = len(joined.differences) - _SHOWN
    told = [*joined.differences[:_SHOWN], *([f"and {more} more"] if more > 0 else [])] or ["they say the same"]
    says = f"{len(meeting.sheets)} sheets of this game are not joined; {'; '.join(told)}"
    order = f"tiro merge {' '.join(meeting.places)}"
    proposes, edits = "", ()
    if joined.report:
        first, *rest = meeting.sheets
        proposes = f"the joined record, which is {joined.report.verdict}: {joined.report.summary}"
        edits = (_edit(first, joined.report.text), *[_edit(sheet, None) for sheet in rest])
    return ToDo("sheets", says, meeting.places, meeting.pairing, proposes, edits, order=order)


def _of_rules(plan: EventPlan, sheet: Sheet, pairing: Pairing) -> Iterator[ToDo]:
    for header in ("Rules", "Rulings"):
        value, written = plan.data.get(header.lower(), ""), sheet.header(header)
        if not value or sorted(written.split()) == sorted(value.split()) or (header == "Rules" and not written):
            continue
        says = f"the {header} header says {written or 'nothing'}, but the event is played by {value}"
        verdict = check(parse(with_header(sheet.report.text, header, value))[0]).verdict
        order, sound = f"ask the players: under {value} it would be {verdict}", verdict in GOOD
        yield _by_header(
            sheet, "rules", says, pairing, header, value if sound else "", f", under which it is {verdict}", order
        )


def _of_record(plan: EventPlan, sheet: Sheet, pairing: Pairing) -> Iterator[ToDo]:
    """Yield what is wrong with the play, the result or the end of a record."""
    report, outcome = sheet.report, sheet.report.outcome
    faults = [*report.of(ERROR), *[one for one in report.of(WARNING) if one.code in (*_OF_RESULT, *_OF_END)]]
    if faults:
        first = faults[0]
        kind = "result" if first.code in _OF_RESULT else "unfinished" if first.code in _OF_END else "illegal"
        says = f"{_said(first)} ({first.code})"
        fixes = [fix for one in faults for fix in one.fixes]
        fixes += _as_counted(sheet, first.code) if kind == "result" else ()
        repairs = (_repair(plan, sheet, pairing, kind, says, fix) for fix in fixes)
        one = next(filter(None, repairs), None) or _by_result(plan, kind, says, (sheet.place,), pairing, first.help)
        if kind == "unfinished" and one.edits and (said := _as_written(report, plan.rules)):
            edits = _of_plan(plan, plan.with_pairing(pairing.place, result=said))
            one = one._replace(proposes=f"count the result as it was written, {said}", edits=edits)
        yield one._replace(facts=(sheet.place, first.code, first.turn))
    elif (outcome is None or not outcome.finished) and not sheet.header("Termination"):
        order = f'say why, such as [Termination "agreed"], and who won, on the last line; or decide it in {EVENT_FILE}'
        says = "the game is not over, and nothing says why"
        yield _by_result(plan, "unfinished", says, (sheet.place,), pairing, order)
    elif outcome and outcome.finished and outcome.winner is None:
        says = "the game is over, but nobody can tell who won: cards or missions were not recorded"
        order = f"write the result on the last line, or decide it in {EVENT_FILE}"
        yield _by_result(plan, "result", says, (sheet.place,), pairing, order)


def _as_written(report: GameReport, rules: str) -> str:
    """Return the score that a record gives although its game was not over, since its last turns may be lost. It is
    empty if it does not tell who won, or if the cards contradict it.
    """
    points = report.outcome.points if report.outcome else None
    won = [side.patricians for side in report.score.sides] if report.score else [0, 0]
    if points is None or won[0] > points[0] or won[1] > points[1]:
        return ""
    return points_text(points) if came_of(points_text(points), rules).winner is not None else ""


def _as_counted(sheet: Sheet, code: str) -> Iterator[Fix]:
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
        yield Fix(f"the result as counted, {score_text(result)}", 0, replacements([edit], game))


def _repair(plan: EventPlan, sheet: Sheet, pairing: Pairing, kind: str, says: str, fix: Fix) -> ToDo | None:
    """Return a problem that a repair would solve; None if the record would still break the rules."""
    lines = sheet.report.text.splitlines(keepends=True)
    for change in sorted(fix.replacements, reverse=True):
        lines[change.begin : change.end] = [change.text]
    text = "".join(lines)
    verdict = check(parse(text)[0], plan.rules)
    codes = {one.code for one in verdict.diagnostics}
    if verdict.verdict not in GOOD or (kind == "result" and not codes.isdisjoint(_OF_RESULT)):
        return None
    others = f"{fix.equally_likely_count} other repair{' is' if fix.equally_likely_count == 1 else 's are'}"
    alike = f"; {others} equally likely" if fix.equally_likely_count else ""
    proposes = f"{fix.description}; then {verdict.verdict}: {verdict.summary}{alike}"
    order = f"tiro repair {sheet.file}"
    return ToDo(kind, says, (sheet.place,), pairing, proposes, (_edit(sheet, text),), order=order)


def _decided(plan: EventPlan, meeting: Meeting, to_do: Sequence[ToDo]) -> Decided:
    """Return the outcome of a pairing: what the event says, or else what a sound record without open questions says."""
    pairing, sheets, places, sound = meeting.pairing, meeting.sheets, meeting.places, meeting.sound
    text, came = (sound.text, sound.outcome) if sound else ("", None)
    if pairing.result:
        said = came_of(pairing.result, plan.rules)
        return Decided(pairing, *said, "", places, text, by_score=said.points is not None and not text)
    if not sheets:
        return Decided(pairing, None, why="there is no record")
    pairing = pairing._replace(caesar=sheets[0].names[0], cleopatra=sheets[0].names[1])
    hindering = ("rules", "illegal") if sound else ("rules", "illegal", "result")
    open_ = [("name", _unknown(sheet, side)) for sheet in sheets for side in sheet.strangers]
    open_ += [(one.kind, one.says) for one in to_do if one.kind in hindering]
    winners = {sheet.report.outcome.winner for sheet in sheets if sheet.report.outcome} - {None}
    if open_:
        why = f"{KINDS[open_[0][0]]}: {open_[0][1]}"
    elif score := sheets[0].score:
        return Decided(pairing, *score, "", places, by_score=True)
    elif meeting.report is None:
        why = "the sheets are not of one game"
    elif not sound:
        why = f"its record is {meeting.report.verdict}"
    elif meeting.joined and len(winners) > 1:
        why = "the sheets name different winners"
    elif came is None or came.winner is None:
        return Decided(pairing, None, None, False, "it has no result", places, text, bool(came and came.finished))
    else:
        points = came.points if came.decided_by in ("points", "tie-break") else None
        return Decided(pairing, came.winner, points, False, "", places, text, came.finished)
    return Decided(pairing, None, why=why, places=places)
