"""The records in an event's folder, checked on all cores, and the games that they belong to."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, TypeAlias

from ....notation.fingerprint import folded
from ....notation.writer import header_text
from ...report.chunks import ChunkChecker
from ...report.model import GameReport
from ...storage.sources import LINK, InputFile, files_at
from ..batch import Batch, local_runner
from ..register import Register
from .plan import EventPlan, Pairing

ORIGINALS: Final = "originals"
"""The folder in an event's folder that keeps the original files, with the journal of all changes."""
MOST_GAMES: Final = 20_000
"""The most games that are read from a folder; an event with a thousand players has half as many."""
MOST_ROUNDS: Final = 100
SIDES: Final = ("Caesar", "Cleopatra")
"""The headers that name the players, Rome's first."""
_TURN_SIZE: Final = 1 << 16
"""The bytes of text that a process takes at a time."""
_CLOSE: Final = 0.75
"""How similar two names must be to count as spellings of one name."""


@dataclass(slots=True, eq=False)
class Sheet:
    """A record of a game of the event, in ``file``, a path relative to the folder.

    ``names`` are the players as the event knows them, Rome's first; an unknown name is replaced with the one that is
    probably meant, and ``strangers`` says for which sides. ``round`` comes from the header, 0 for none.
    """

    file: str
    report: GameReport
    names: tuple[str, str] = ("", "")
    strangers: tuple[int, ...] = ()
    round: int = 0

    @property
    def place(self) -> str:
        """Return in words where the record is: its file, and which game of the file unless it is the first."""
        return self.file if self.report.game == 1 else f"{self.file}, game {self.report.game}"

    def header(self, name: str) -> str:
        """Return what a header says, or an empty text if there is no such header or its value is unknown."""
        value = next((value.strip() for known, value in self.report.headers if known == name), "")
        return "" if value in ("?", "-") else value


@dataclass(slots=True)
class Meeting:
    """A pairing with the records of its game."""

    pairing: Pairing
    sheets: list[Sheet] = field(default_factory=list)

    @property
    def places(self) -> tuple[str, ...]:
        """Return where the records are."""
        return tuple([sheet.place for sheet in self.sheets])


@dataclass(slots=True)
class EventGames:
    """Everything found in a folder: games by their pairings, sheets without a pairing, and files without a game.

    ``copies`` are sheets with the same moves as another one, each with that other sheet and its pairing; they belong to
    no meeting. ``moved`` are sheets whose header and pairing name different rounds.
    """

    meetings: list[Meeting]
    strays: list[Sheet]
    unread: list[Sheet]
    copies: list[tuple[Sheet, Sheet, Pairing | None]]
    moved: list[tuple[Sheet, Pairing]]
    stopped: bool = False

    def played_rounds(self) -> int:
        """Return the last round of which anything is known."""
        known = [one.pairing.round for one in self.meetings if one.sheets or one.pairing.result]
        return max((*known, *(sheet.round for sheet, _ in self.moved)), default=0)


def files_of(folder: str, passed_over: list[InputFile] | None = None) -> Iterator[InputFile]:
    """Yield the texts and archives in an event's folder. A link out of the folder becomes a file with a problem.

    Files that are not read though somebody may miss them are added to ``passed_over``.
    """
    kept = os.path.join(folder, ORIGINALS)
    for file in files_at(folder, passed_over=[] if passed_over is None else passed_over):
        if os.path.commonpath((file.path, kept)) != kept:
            problem = "a link out of the folder is not followed; put the file itself there"
            yield file._replace(problem=problem) if file.problem == LINK else file


Known: TypeAlias = dict[InputFile, list[Sheet]]
"""Records that have already been read, by their file as it was then."""


def read_sheets(folder: str, rules: str, jobs: int, known: Known) -> tuple[list[Sheet], bool]:
    """Return all records in a folder, checked, including unreadable ones, and whether there were too many.

    Files that have not changed since ``known`` are not read again; ``known`` is brought up to date.
    """
    found: Known = {file: known.get(file, []) for file in files_of(folder)}
    fresh = {file.path: found[file] for file in found if file not in known}
    checker = ChunkChecker(rules, texts=True, moves=True, suggest=True)
    count = sum(map(len, found.values()))
    with Register() as register:
        new = [file for file in found if file.path in fresh]
        for reports in Batch(new, checker, register, local_runner(jobs, _TURN_SIZE, _TURN_SIZE)).reports():
            for report in reports:
                name = report.file
                while name and name not in fresh:  # a file in an archive
                    name = os.path.dirname(name)
                fresh[name].append(Sheet(os.path.relpath(report.file, folder), report))
            if (count := count + len(reports)) > MOST_GAMES:
                break
    known.clear()
    known.update(found)
    return [sheet for sheets in found.values() for sheet in sheets][:MOST_GAMES], count > MOST_GAMES


def matched(plan: EventPlan, sheets: Sequence[Sheet], *, stopped: bool = False) -> EventGames:
    """Match records with pairings, by their players and the header Round."""
    played = [sheet for sheet in sheets if sheet.report.turns or sheet.report.headers]
    unread = [sheet for sheet in sheets if sheet not in played and sheet.report.diagnostics]
    known = plan.names()
    paired = {(one.round, name): next(iter(one.players - {name}), "") for one in plan.pairings for name in one.players}
    for sheet in played:
        sheet.round = round_of(sheet)
        _name(sheet, known, paired)
    found = EventGames([Meeting(one) for one in plan.pairings], [], unread, [], [], stopped)
    by_players: dict[frozenset[str], list[Meeting]] = defaultdict(list)
    for meeting in found.meetings:
        by_players[meeting.pairing.players].append(meeting)
    late: list[Sheet] = []
    for sheet in played:
        here = [one for one in by_players[frozenset(sheet.names)] if one.pairing.round == sheet.round]
        if here and all(sheet.names):
            here[0].sheets.append(sheet)
        elif plan.pairings or not all(sheet.names) or not sheet.round:
            late.append(sheet)
        else:  # the records say who meets whom
            meeting = Meeting(Pairing(sheet.round, 0, *sheet.names), [sheet])
            found.meetings.append(meeting)
            by_players[frozenset(sheet.names)].append(meeting)
    _set_copies_aside(found, late)
    for sheet in late:
        free = [one for one in by_players[frozenset(sheet.names)] if not one.sheets and all(sheet.names)]
        if len(free) == 1:
            free[0].sheets.append(sheet)
            found.moved.append((sheet, free[0].pairing))
        else:
            found.strays.append(sheet)
    return found


def round_of(sheet: Sheet) -> int:
    """Return the number at the start of the header Round, such as 3 for ``3.7``; 0 if it does not name a round."""
    number = re.match(r"\d{1,3}(?!\d)", sheet.header("Round"))
    return int(number[0]) if number and int(number[0]) <= MOST_ROUNDS else 0


def _name(sheet: Sheet, known: dict[str, str], paired: dict[tuple[int, str], str]) -> None:
    """Determine who played: by their names, by similar names, or by the other player's pairing."""
    written = [sheet.header(side) for side in SIDES]
    names = [known.get(folded(name), "") for name in written]
    sheet.strangers = tuple(side for side in (0, 1) if not names[side])
    for side in sheet.strangers:
        spelt, expected = folded(written[side]), paired.get((sheet.round, names[1 - side]), "")
        others = [name for name in known if known[name] != names[1 - side]]
        alike = get_close_matches(spelt, others, 1, _CLOSE) if spelt else []
        if expected and get_close_matches(spelt, [folded(expected)], 1, _CLOSE):
            alike = [folded(expected)]
        names[side] = known[alike[0]] if alike else expected
    sheet.names = names[0], names[1]


def _set_copies_aside(found: EventGames, late: list[Sheet]) -> None:
    """Take sheets with the same moves as another one out of their meetings; the first paired sheet stays."""
    first: dict[int, tuple[Sheet, Pairing | None]] = {}
    for sheets, pairing in (*[(one.sheets, one.pairing) for one in found.meetings], (late, None)):
        for sheet in [*sheets]:
            if not sheet.report.moves:
                continue
            other, its_pairing = first.setdefault(sheet.report.moves, (sheet, pairing))
            if other is not sheet:
                sheets.remove(sheet)
                found.copies.append((sheet, other, its_pairing))


def with_header(text: str, name: str, value: str) -> str:
    """Return the text of a game with a header, which replaces one of the same name or comes after the last one."""
    lines, line = text.splitlines(keepends=True), f"{header_text(name, value)}\n"
    heads = [place for place, each in enumerate(lines) if re.match(r"\s*\[[A-Za-z]+\s", each)]
    here = next((place for place in heads if re.match(rf"\s*\[{name}\s", lines[place])), None)
    if here is not None:
        lines[here] = line
    else:
        lines.insert(heads[-1] + 1 if heads else 0, line)
    return "".join(lines)
