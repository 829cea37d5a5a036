"""What must still be done, and how, before the standings of an event are right."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, NamedTuple

from ....notation.diagnostic import ERROR, NOTE, WARNING, Diagnostic, Fix
from ....notation.reader import parse
from ....notation.writer import header_text, write
from ...checking.check import check
from ...diagnostics.registry import LEGAL, POSSIBLE
from ...merging.merge import DifferentGames, merge
from ...processes.pool import map_in_order
from ...report.chunks import ChunkChecker
from ...report.model import GameReport, failed_report
from .plan import EVENT_FILE, EventPlan, Pairing, plan_text
from .records import SIDES, EventGames, Known, Meeting, Sheet, matched, read_sheets, with_header

KINDS: Final = {
    "unread": "a file that can't be read",
    "missing": "a game is missing",
    "sheets": "two sheets of a game",
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
OF_RESULT: Final = ("C903", "C904", "C906", "C907", "C912", "C914", "H207", "H213")
OF_END: Final = ("C905", "H211", "H212")
"""The codes for what is wrong with a result, and with the end of a game."""
_SHOWN: Final = 5
"""The most differences between two sheets that are listed."""


RESULT: Final = "result"
"""The key, in a pairing in ``event.toml``, of a result that counts whatever the record says."""


class FileEdit(NamedTuple):
    """The old and the new text of a file's ``game``-th game, or of the whole file for 0; None removes it."""

    file: str
    game: int
    was: str
    text: str | None


class ToDo(NamedTuple):
    """Something to do. ``places`` are the records it is about; ``proposes`` is the proposed solution, with its
    ``edits``.

    ``name`` is a header, or the result of the pairing, for which another value may be given. If nothing is proposed,
    the edits change nothing until a value is given.
    """

    kind: str
    says: str
    places: tuple[str, ...] = ()
    pairing: Pairing | None = None
    proposes: str = ""
    edits: tuple[FileEdit, ...] = ()
    name: str = ""
    order: str = ""

    @property
    def title(self) -> str:
        """Return in words what it is about: the pairing, or else where its records are."""
        return self.pairing.title if self.pairing else ", ".join(self.places) or KINDS[self.kind]

    @property
    def key(self) -> str:
        """Return eight characters that identify it, and stay the same as long as nothing about it changes."""
        said = "\0".join((self.kind, self.title, self.says, *self.places, self.proposes))
        return sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:8]


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


@dataclass
class EventState:
    """An event in its present state: what was found, the outcome of each pairing, and what to do, the most urgent
    first.
    """

    plan: EventPlan
    games: EventGames
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
    sheets, stopped = read_sheets(folder, plan.rules, jobs, known)
    state = EventState(plan, matched(plan, sheets, stopped=stopped), known=known)
    several, before = [_texts(one) for one in state.games.meetings if len(one.sheets) > 1], last.joined if last else {}
    new = dict(map_in_order(_joined, [texts for texts in several if texts not in before], jobs, _lost))
    state.joined = {texts: new.get(texts) or before[texts] for texts in several}
    twice, odd = _of_twice(plan, state.games.meetings)
    found = [*_of_files(state.games), *twice, *_of_strays(state.games), *_of_copies(state.games)]
    played = state.games.played_rounds()
    for meeting in state.games.meetings:
        pairing, report = meeting.pairing, state.joined.get(_texts(meeting))
        own = list(_of_meeting(plan, meeting, report))
        is_expected = pairing.kind == "game" and not pairing.result and pairing.round <= played and pairing not in odd
        if not meeting.sheets and is_expected:
            order = f"add its record, or say in {EVENT_FILE} how it ended"
            own.append(_by_result(plan, "missing", "there is no record of this game", (), pairing, order))
        state.decided.append(_decided(meeting, own, report))
        found += own
    left, order = set(refused), list(KINDS)
    state.to_do = sorted(
        [one for one in found if one.key not in left],
        key=lambda one: (order.index(one.kind), *(one.pairing or (0, 0))[:2], one.places),
    )
    return state


class Joining(NamedTuple):
    """The result of joining sheets: the text and report of the joined record, and where the sheets differ."""

    text: str
    report: GameReport | None
    differences: tuple[str, ...]


def _texts(meeting: Meeting) -> tuple[str, ...]:
    return tuple(sheet.report.text for sheet in meeting.sheets)


def _lost(_texts: tuple[str, ...]) -> Joining:
    return Joining("", None, ("these sheets could not be joined",))


def _joined(texts: tuple[str, ...]) -> Joining:
    """Join the texts of several sheets of a game."""
    games = [game for number, text in enumerate(texts, 1) for game in parse(text, f"sheet {number}")[:1]]
    try:
        merged = merge(games)
    except DifferentGames as error:
        return Joining("", None, (str(error),))
    except Exception as error:  # noqa: BLE001  # whatever strangers wrote must not cost the other games
        return Joining("", None, (failed_report(error, games[0]).diagnostics[0].message,))
    words = tuple(_said(one) for one in merged.diagnostics if one.severity != NOTE)
    report = ChunkChecker(suggest=True).report(merged.game, merged.verdict, merged.verdict.diagnostics)
    return Joining(write(merged.record), report, words)


def _said(one: Diagnostic) -> str:
    return f"{f'{one.turn}: ' if one.turn else ''}{one.message}"


def _of_files(games: EventGames) -> Iterator[ToDo]:
    for sheet in games.unread:
        fault = sheet.report.diagnostics[0]
        yield ToDo("unread", fault.message, (sheet.place,), order=fault.help)
    if games.stopped:
        yield ToDo("unread", "there are more than 20,000 records in this folder; the rest was not read")


def _of_twice(plan: EventPlan, meetings: Sequence[Meeting]) -> tuple[list[ToDo], set[Pairing]]:
    """Return who has several games in a round, and for which of the games no record is expected."""
    by_player: dict[tuple[int, str], list[Meeting]] = defaultdict(list)
    for meeting in meetings:
        for name in meeting.pairing.players:
            by_player[meeting.pairing.round, name].append(meeting)
    several = [(name, mine) for (_, name), mine in by_player.items() if len(mine) > 1]
    told: list[ToDo] = []
    odd: set[Pairing] = set()
    # First come players with a record of one game but not of the others, since that may explain the rest.
    for name, all_ in sorted(several, key=lambda one: not any(meeting.sheets for meeting in one[1])):
        mine = [one for one in all_ if one.pairing not in odd]
        if len(mine) < 2:
            continue
        first = mine[0].pairing
        titles = "; ".join(one.pairing.title for one in mine)
        says = f"{name} is paired more than once: {titles}"
        empty = [one.pairing for one in mine if not one.sheets and not one.pairing.result and one.pairing.place >= 0]
        odd |= set(empty)
        proposes, edits = "", ()
        if len(empty) == len(mine) - 1:
            gone = {pairing.place for pairing in empty}
            edits = (_plan_edit(plan, [one for at, one in enumerate(plan.data["pairings"]) if at not in gone]),)
            proposes = f"leave out what was not played: {'; '.join(pairing.title for pairing in empty)}"
        places = tuple(sheet.place for one in mine for sheet in one.sheets)
        told.append(ToDo("twice", says, places, first, proposes, edits, order=f"correct the pairings in {EVENT_FILE}"))
    return told, odd


def _of_strays(games: EventGames) -> Iterator[ToDo]:
    """Yield the games that are not paired, or not in the round that their header names."""
    for sheet in games.strays:
        yield from _of_names(sheet, None)
        if sheet.strangers:
            continue
        others = [one for one in games.meetings if one.pairing.round == sheet.round]
        busy = [name for name in sheet.names if any(name in one.pairing.players and one.sheets for one in others)]
        where = f"in round {sheet.round}" if sheet.round else "and the header Round names no round"
        says = f"{' – '.join(sheet.names)} is not paired {where}"
        if busy:
            says += f"; {' and '.join(busy)} played another game then"
        order = f"give it the right header Round, or add the pairing to {EVENT_FILE}"
        yield _by_header(sheet, "twice" if busy else "unpaired", says, None, "Round", "", order=order)
    for sheet, pairing in games.moved:
        said = f"the header Round says {sheet.header('Round') or 'nothing'}, but they are paired in {pairing.title}"
        yield _by_header(sheet, "unpaired", said, pairing, "Round", str(pairing.round))


def _by_header(
    sheet: Sheet, kind: str, says: str, pairing: Pairing | None, name: str, value: str, more: str = "", order: str = ""
) -> ToDo:
    """Return a problem that a header would solve; without a ``value``, somebody who was there must supply it."""
    text = with_header(sheet.report.text, name, value) if value else sheet.report.text
    proposes = f"{header_text(name, value)}{more}" if value else ""
    return ToDo(kind, says, (sheet.place,), pairing, proposes, (_edit(sheet, text),), name, order)


def _edit(sheet: Sheet, text: str | None) -> FileEdit:
    return FileEdit(sheet.file, sheet.report.game, sheet.report.text, text)


def _by_result(plan: EventPlan, kind: str, says: str, places: tuple[str, ...], pairing: Pairing, order: str) -> ToDo:
    """Return a problem that only the organiser can settle, with a result that counts whatever the record says."""
    edits = (FileEdit(EVENT_FILE, 0, plan.text, plan.text),) if pairing.place >= 0 else ()
    return ToDo(kind, says, places, pairing, "", edits, RESULT if edits else "", order)


def _plan_edit(plan: EventPlan, pairings: list[dict[str, Any]]) -> FileEdit:
    return FileEdit(EVENT_FILE, 0, plan.text, plan_text({**plan.data, "pairings": pairings}))


def _of_copies(games: EventGames) -> Iterator[ToDo]:
    several = Counter(os.path.dirname(sheet.file) for meeting in games.meetings for sheet in meeting.sheets)
    for one, two, pairing in games.copies:
        # A game that is among others of the event is where it belongs.
        sheet, other = sorted((one, two), key=lambda each: several[os.path.dirname(each.file)])
        says = f"this has the same moves as the game in {other.place}"
        edits = (_edit(sheet, None),)
        yield ToDo("copy", says, (sheet.place, other.place), pairing, f"leave out {sheet.place}", edits)


def _of_names(sheet: Sheet, pairing: Pairing | None) -> Iterator[ToDo]:
    for side in sheet.strangers:
        header, written = SIDES[side], sheet.header(SIDES[side])
        says = f"no player is called “{written}” ({header})" if written else f"the header {header} names no player"
        order = f"write the name as it stands in {EVENT_FILE}, or add it there to the aliases or the players"
        yield _by_header(sheet, "name", says, pairing, header, sheet.names[side], order=order)


def _of_meeting(plan: EventPlan, meeting: Meeting, joined: Joining | None) -> Iterator[ToDo]:
    """Yield what to do about the records of a pairing."""
    pairing = meeting.pairing
    if pairing.result:  # the result counts whatever the records say
        yield from _of_result(plan, meeting, joined)
        return
    other_rules = [one for sheet in meeting.sheets for one in _of_rules(plan, sheet, pairing)]
    yield from other_rules
    for sheet in meeting.sheets:
        yield from _of_names(sheet, pairing)
    if meeting.sheets and pairing.place >= 0 and meeting.sheets[0].names == (pairing.cleopatra, pairing.caesar):
        entries = [dict(entry) for entry in plan.data["pairings"]]
        entries[pairing.place] |= {"caesar": pairing.cleopatra, "cleopatra": pairing.caesar}
        says = f"{pairing.cleopatra} played Rome and {pairing.caesar} Egypt, the opposite of the pairing"
        yield ToDo("sides", says, meeting.places, pairing, "pair them as they played", (_plan_edit(plan, entries),))
    if joined:
        yield _of_sheets(meeting, joined)
    elif meeting.sheets and not other_rules:
        yield from _of_record(plan, meeting.sheets[0], pairing)


def _of_result(plan: EventPlan, meeting: Meeting, joined: Joining | None) -> Iterator[ToDo]:
    """Yield a problem if a sound record and the event name different winners, which may be a slip."""
    pairing = meeting.pairing
    report = joined.report if joined else meeting.sheets[0].report if meeting.sheets else None
    if report is None or report.outcome is None or report.verdict not in (LEGAL, POSSIBLE):
        return
    if report.outcome.winner in (None, _RESULTS.get(pairing.result, report.outcome.winner)):
        return
    if meeting.sheets[0].names != (pairing.caesar, pairing.cleopatra):
        return
    entries = [dict(entry) for entry in plan.data["pairings"]]
    del entries[pairing.place][RESULT]
    says = f"{EVENT_FILE} says {pairing.result}, but the record says {report.summary}"
    yield ToDo("result", says, meeting.places, pairing, "use the result of the record", (_plan_edit(plan, entries),))


def _of_sheets(meeting: Meeting, joined: Joining) -> ToDo:
    more = len(joined.differences) - _SHOWN
    told = [*joined.differences[:_SHOWN], *([f"and {more} more"] if more > 0 else [])] or ["they say the same"]
    says = f"{len(meeting.sheets)} sheets of this game are not joined; {'; '.join(told)}"
    order = f"tiro merge {' '.join(meeting.places)}"
    proposes, edits = "", ()
    if joined.report:
        first, *rest = meeting.sheets
        proposes = f"the joined record, which is {joined.report.verdict}: {joined.report.summary}"
        edits = (_edit(first, joined.text), *[_edit(sheet, None) for sheet in rest])
    return ToDo("sheets", says, meeting.places, meeting.pairing, proposes, edits, order=order)


def _of_rules(plan: EventPlan, sheet: Sheet, pairing: Pairing) -> Iterator[ToDo]:
    for header in ("Rules", "Rulings"):
        value, written = plan.data.get(header.lower(), ""), sheet.header(header)
        if not value or sorted(written.split()) == sorted(value.split()) or (header == "Rules" and not written):
            continue
        says = f"the header {header} says {written or 'nothing'}, but the event is played by {value}"
        verdict = check(parse(with_header(sheet.report.text, header, value))[0]).verdict
        order, sound = f"ask the players: by {value} it would be {verdict}", verdict in (LEGAL, POSSIBLE)
        yield _by_header(
            sheet, "rules", says, pairing, header, value if sound else "", f", by which it is {verdict}", order
        )


def _of_record(plan: EventPlan, sheet: Sheet, pairing: Pairing) -> Iterator[ToDo]:
    """Yield what is wrong with the play, the result or the end of a record."""
    report, outcome = sheet.report, sheet.report.outcome
    faults = [one for one in report.diagnostics if one.severity == ERROR]
    faults += [one for one in report.diagnostics if one.severity == WARNING and one.code in (*OF_RESULT, *OF_END)]
    if faults:
        first = faults[0]
        kind = "result" if first.code in OF_RESULT else "unfinished" if first.code in OF_END else "illegal"
        says = f"{_said(first)} ({first.code})"
        fixes = [fix for one in faults for fix in one.fixes]
        repairs = (_repair(plan, sheet, pairing, kind, says, fix) for fix in fixes)
        yield next(filter(None, repairs), None) or _by_result(plan, kind, says, (sheet.place,), pairing, first.help)
    elif (outcome is None or not outcome.finished) and not sheet.header("Termination"):
        order = f'say why, such as [Termination "agreed"], and who won, on the last line; or decide it in {EVENT_FILE}'
        says = "the game is not over, and nothing says why"
        yield _by_result(plan, "unfinished", says, (sheet.place,), pairing, order)
    elif outcome and outcome.finished and outcome.winner is None:
        says = "the game is over, but nobody can tell who won: cards or missions were not recorded"
        order = f"write the result on the last line, or decide it in {EVENT_FILE}"
        yield _by_result(plan, "result", says, (sheet.place,), pairing, order)


def _repair(plan: EventPlan, sheet: Sheet, pairing: Pairing, kind: str, says: str, fix: Fix) -> ToDo | None:
    """Return a problem that a repair would solve; None if the record would still break the rules."""
    lines = sheet.report.text.splitlines(keepends=True)
    for change in sorted(fix.replacements, reverse=True):
        lines[change.begin : change.end] = [change.text]
    text = "".join(lines)
    verdict = check(parse(text)[0], plan.rules)
    if verdict.verdict not in (LEGAL, POSSIBLE):
        return None
    alike = f"; {fix.alike} other repairs are equally likely" if fix.alike else ""
    proposes = f"{fix.words}; then {verdict.verdict}: {verdict.summary}{alike}"
    order = f"tiro repair {sheet.file}"
    return ToDo(kind, says, (sheet.place,), pairing, proposes, (_edit(sheet, text),), order=order)


_RESULTS: Final = {"caesar": 0, "cleopatra": 1, "draw": 2, "both": 3}


def _decided(meeting: Meeting, to_do: Sequence[ToDo], joined: Joining | None) -> Decided:
    """Return the outcome of a pairing: what the event says, or else what a sound record without open questions says."""
    pairing, sheets, places = meeting.pairing, meeting.sheets, meeting.places
    report = joined.report if joined else sheets[0].report if sheets else None
    text = (joined.text if joined else sheets[0].report.text) if report and report.verdict in (LEGAL, POSSIBLE) else ""
    if pairing.result:
        *forfeit, word = pairing.result.split()
        return Decided(pairing, _RESULTS[word], None, bool(forfeit), "", places, text)
    if not sheets:
        return Decided(pairing, None, why="there is no record")
    names = sheets[0].names
    played = pairing._replace(caesar=names[0], cleopatra=names[1])
    known = {sheet.report.outcome.winner for sheet in sheets if sheet.report.outcome}
    hindering = [
        one for one in to_do if one.kind in ("name", "rules", "illegal") or (one.kind == "result" and not text)
    ]
    if hindering:
        return Decided(played, None, why=f"{KINDS[hindering[0].kind]}: {hindering[0].says}", places=places)
    if report is None or any(sheet.names != names for sheet in sheets):
        return Decided(played, None, why="the sheets are not of one game", places=places)
    if report.verdict not in (LEGAL, POSSIBLE):
        return Decided(played, None, why=f"its record is {report.verdict}", places=places)
    if joined and len(known - {None}) > 1:
        return Decided(played, None, why="the sheets name different winners", places=places)
    if report.outcome is None or report.outcome.winner is None:
        return Decided(played, None, why="it has no result", places=places, text=text)
    points = report.outcome.points if report.outcome.by in ("points", "tie-break") else None
    return Decided(played, report.outcome.winner, points, False, "", places, text)
