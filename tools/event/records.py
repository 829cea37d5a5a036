"""The records in an event's folder, checked on all cores, and the games that they belong to."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from ...notation.language import phrase
from ...notation.records import ERROR, folded, header_text
from ...replay.engine.api import points_text
from ..archive.api import GOOD, Batch, ChunkChecker, Register, local_runner
from ..merge.api import are_alike, open_words
from ..report.api import GameReport
from ..storage.api import InputFile
from ..storage.sources import LINK, files_at
from .facts import Told
from .plan import SCORE, Came, EventPlan, Pairing, came_of

ORIGINALS: Final = "originals"
"""The folder in an event's folder that keeps the original files, with the journal of all changes."""
MOST_GAMES: Final = 20_000
"""The most games that are read from a folder; an event with a thousand players has half as many."""
MOST_ROUNDS: Final = 100
SIDES: Final = ("Caesar", "Cleopatra")
"""The headers that name the players, Rome's first."""
_TURN_SIZE: Final = 1 << 16
"""The bytes of text that a process takes at a time."""
_NUMBERS: Final = re.compile(r"(\d{1,3})(?!\d)[\W_]*(?:(\d{1,3})|([a-i]))?(?!\w)")
"""The round, and the table or which game of the round it is: ``3.7``, ``3/7`` or ``3b``."""
_CLOSE: Final = 0.75
_SURE: Final = 0.8
"""How similar two names must be to be proposed, or to be taken, as spellings of one name."""
_TITLES: Final = frozenset(
    ("dr", "prof", "herr", "frau", "mr", "mrs", "ms", "gm", "im", "fm", "cm", "wgm", "wim", "wfm")
)
_ASIDE: Final = re.compile(r"[\"“”„«»(\[].*?[\"“”«»)\]]|(?<!\w)'[^']*'(?!\w)")
"""A nickname in quotes or brackets."""
_COPY: Final = re.compile(r"(?i)\b(cop(y|ies|ia)|kopien?|copie|backup|bak)\b|~|\(\d+\)")
"""What programs put into the name of a copied file or folder."""


@dataclass(slots=True, eq=False)
class Sheet:
    """A record of a game of the event, in ``file``, a path relative to the folder.

    ``names`` are the players as the event knows them, Rome's first; an unknown name is replaced with the one that is
    probably meant, and ``strangers`` says for which sides. ``round`` and ``number``, the table or which game of the
    round it is, come from the headers, 0 for none.
    """

    file: str
    report: GameReport
    names: tuple[str, str] = ("", "")
    strangers: tuple[int, ...] = ()
    round: int = field(init=False)
    number: int = field(init=False)

    def __post_init__(self) -> None:
        said = _NUMBERS.match(self.header("Round").lower())
        table = re.search(r"\d{1,3}", self.header("Table"))
        self.round = self.number = 0
        if said and int(said[1]) <= MOST_ROUNDS:
            letter = ord(said[3]) - ord("a") + 1 if said[3] else 0
            self.round, self.number = int(said[1]), int(table[0] if table else said[2] or letter)

    @property
    def score(self) -> Came | None:
        """Return how its game ended if the record says only that; None if it has turns, or does not say it."""
        came, faults = self.report.outcome, self.report.of(ERROR)
        if came is None or self.report.turns or any(one.code[0] in "NH" and one.code != "H202" for one in faults):
            return None
        if came.winner is not None:
            return Came(came.winner, came.points)
        said = points_text(came.points) if came.points else self.header("Result")
        return came_of(said, self.report.edition) if SCORE.fullmatch(said) else None

    @property
    def words(self) -> list[str]:
        """Return the words that every sheet of its game has."""
        return open_words(self.report.text)

    @property
    def place(self) -> str:
        """Return in words where the record is: its file, and which game of the file unless it is the first."""
        number = self.report.game
        return self.file if number == 1 else phrase("{file}, game {number}", file=self.file, number=number)

    def header(self, name: str) -> str:
        """Return what a header says, or an empty text if there is no such header or its value is unknown."""
        value = next((value.strip() for known, value in self.report.headers if known == name), "")
        return "" if value in ("?", "-") else value


class Joining(NamedTuple):
    """The result of joining sheets: the report on the joined record, None without one, and where the sheets differ."""

    report: GameReport | None
    differences: tuple[Told, ...]


@dataclass(slots=True)
class Meeting:
    """A pairing with the records of its game, which are joined if there are several."""

    pairing: Pairing
    sheets: list[Sheet] = field(default_factory=list)
    joined: Joining | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """Return where the records are."""
        return tuple([sheet.place for sheet in self.sheets])

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts of the records."""
        return tuple([sheet.report.text for sheet in self.sheets])

    @property
    def report(self) -> GameReport | None:
        """Return what all records together say; None if there is no record, or they can't be joined."""
        return self.joined.report if self.joined else self.sheets[0].report if self.sheets else None

    @property
    def sound(self) -> GameReport | None:
        """Return what all records together say if that follows the rules."""
        return self.report if self.report and self.report.verdict in GOOD else None


@dataclass(slots=True)
class EventGames:
    """Everything found in a folder: games by their pairings, sheets without a pairing, and files without a game.

    ``copies`` are sheets with the same moves as another one, each with that other sheet and its pairing; they belong to
    no meeting. ``moved`` are sheets whose header and pairing name different rounds.
    """

    meetings: list[Meeting]
    unpaired_games: list[Sheet]
    unread: list[Sheet]
    copies: list[tuple[Sheet, Sheet, Pairing | None]]
    moved: list[tuple[Sheet, Pairing]]

    def played_rounds(self) -> int:
        """Return the last round of which anything is known."""
        known = [one.pairing.round for one in self.meetings if one.sheets or one.pairing.result]
        return max((*known, *(sheet.round for sheet, _ in self.moved)), default=0)


Known: TypeAlias = dict[InputFile, list[Sheet]]
"""Records that have already been read, by their file as it was then."""


def read_folder(folder: str, rules: str, jobs: int, known: Known) -> tuple[list[Sheet], list[InputFile], bool]:
    """Return all records in a folder, checked, including unreadable ones; the files that are not read though somebody
    may miss them; and whether there were too many records.

    Files that have not changed since ``known`` are not read again; ``known`` is brought up to date.
    """
    kept, passed_over = os.path.join(folder, ORIGINALS), list[InputFile]()
    files = [file for file in files_at(folder, passed_over=passed_over) if not file.path.startswith(f"{kept}{os.sep}")]
    link = phrase("a link out of the folder is not followed; put the file itself there")
    files = [file._replace(problem=link) if file.problem == LINK else file for file in files]
    found: Known = {file: known.get(file, []) for file in files}
    new = [file for file in files if file not in known]
    fresh = {file.path: found[file] for file in new}
    checker = ChunkChecker(rules, texts=True, moves=True, suggest=True)
    count = sum(map(len, found.values()))
    with Register() as register:
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
    sheets = [sheet for sheets in found.values() for sheet in sheets][:MOST_GAMES]
    return sheets, passed_over, count > MOST_GAMES


def matched(plan: EventPlan, sheets: Sequence[Sheet]) -> EventGames:
    """Match records with pairings: by their players, sides and the headers Round and Table."""
    played = [sheet for sheet in sheets if sheet.report.turns or sheet.report.headers]
    unread = [sheet for sheet in sheets if sheet not in played and sheet.report.diagnostics]
    known = plan.names()
    for sheet in played:
        first, second = [known.get(folded(sheet.header(side)), "") for side in SIDES]
        sheet.names, sheet.strangers = (first, second), tuple([at for at in (0, 1) if not (first, second)[at]])
    found = EventGames([Meeting(one) for one in plan.pairings], [], unread, [], [])
    by_players: dict[frozenset[str], list[Meeting]] = defaultdict(list)
    for meeting in found.meetings:
        by_players[meeting.pairing.players].append(meeting)
    alike = cache(lambda written: like(written, [*known]))
    late: list[Sheet] = []
    # What is said clearly comes first, so that what is not said can be concluded from what is left.
    for sheet in sorted(played, key=lambda one: (len(one.strangers), not one.number)):
        if sheet.strangers:
            _name(sheet, known, found.meetings, alike)
        own = by_players[frozenset(sheet.names)]
        here = _best(sheet, [one for one in own if one.pairing.round == sheet.round])
        if here and all(sheet.names):
            here.sheets.append(sheet)
        elif plan.pairings or not all(sheet.names) or not sheet.round:
            late.append(sheet)
        else:  # the records say who meets whom
            pairing = Pairing(sheet.round, 0, *sheet.names)
            equal = sum(one.pairing[:5] == pairing[:5] for one in own)
            own.append(Meeting(pairing._replace(again=equal), [sheet]))
            found.meetings.append(own[-1])
    for meeting in found.meetings:
        meeting.sheets.sort(key=lambda one: (not one.report.turns, not one.score, one.file, one.report.game))
    _set_copies_aside(found, late)
    _match_late(found, late, by_players)
    return found


def _match_late(found: EventGames, late: Sequence[Sheet], by_players: dict[frozenset[str], list[Meeting]]) -> None:
    """Match records without a pairing in their round with the only free pairing of their players; others are strays."""
    for sheet in late:
        free = [one for one in by_players[frozenset(sheet.names)] if not one.sheets and all(sheet.names)]
        free = [one for one in free if (one.pairing.caesar, one.pairing.cleopatra) == sheet.names] or free
        if len(free) == 1:
            free[0].sheets.append(sheet)
            found.moved.append((sheet, free[0].pairing))
        else:
            found.unpaired_games.append(sheet)


def _best(sheet: Sheet, meetings: Sequence[Meeting]) -> Meeting | None:
    """Return which one of the meetings of its players a record belongs to, None if it is of yet another game."""

    def fits(one: Meeting) -> tuple[bool, ...]:
        sides = (one.pairing.caesar, one.pairing.cleopatra) == sheet.names
        return bool(one.sheets and sheet.words), sides, sheet.number in (one.pairing.table, one.pairing.again + 1)

    return max([one for one in meetings if all(are_of_one(sheet, two) for two in one.sheets)], key=fits, default=None)


def are_of_one(sheet: Sheet, other: Sheet) -> bool:
    """Return whether two records can be of one game: the sides are the same, and so is most of what all could see."""
    return sheet.names == other.names and are_alike(sheet.words, other.words)


def _name(sheet: Sheet, known: dict[str, str], meetings: Sequence[Meeting], alike: Callable[[str], list[str]]) -> None:
    """Conclude who played: from similar names, from the other player's pairing, or from the free pairing."""
    names, due = [*sheet.names], _expected(sheet, meetings)
    for side in sheet.strangers:
        other, written = sheet.names[1 - side], sheet.header(SIDES[side])
        seat = due.names.index(other) ^ 1 if due and other else side
        expected = due.names[seat] if due else ""
        others = [player for player in map(known.__getitem__, alike(written) if written else ()) if player != other]
        names[side] = expected if expected in others or not others else others[0]
    sheet.names = names[0], names[1]


def _expected(sheet: Sheet, meetings: Sequence[Meeting]) -> Pairing | None:
    """Return the only pairing that a record can be of, by the player it names or by its table; None if there is not
    exactly one.
    """
    names = {*sheet.names} - {""}
    now = [one for one in meetings if one.pairing.round == sheet.round and one.pairing.cleopatra]
    now = [one for one in now if names <= one.pairing.players]
    due = [one.pairing for one in now if not one.sheets]
    if names:
        due = [due[0] if due else one.pairing for one in now[:1]]
    elif sheet.number and any(one.pairing.table for one in now):
        due = [one for one in due if one.table == sheet.number]
    return due[0] if len(due) == 1 else None


@lru_cache(maxsize=1 << 15)
def words_of(name: str) -> list[str]:
    """Return the words of a name without titles and nicknames, sorted: they may be written in any order."""
    plain = [word for word in re.findall(r"\w+", folded(_ASIDE.sub(" ", name))) if word not in _TITLES]
    return sorted(plain or re.findall(r"\w+", folded(name)) or [folded(name)])


def like(name: str, others: Sequence[str], *, sure: bool = False) -> list[str]:
    """Return the names that may be another way to write a name, the likeliest first: the same words in another order, a
    similar spelling, or, if this leaves no choice, one with initials or some names left out. If nobody will look at it,
    it must be ``sure``: more similar, and with at least two words.
    """
    own, all_ = words_of(name), {other: words_of(other) for other in others}
    spelt = {" ".join(words): other for other, words in reversed(all_.items())}
    same = [other for other, words in all_.items() if words == own]
    near = [spelt[one] for one in get_close_matches(" ".join(own), spelt, 9, _SURE if sure else _CLOSE)]
    short = {tuple(words): other for other, words in all_.items() if _is_short_for(own, words, 1 + sure)}
    same += [other for other in near if tuple(all_[other]) not in short]
    return [*dict.fromkeys(same), *(short.values() if len(short) == 1 else ())]


def _is_short_for(one: Sequence[str], other: Sequence[str], least: int) -> bool:
    """Return whether the words of the shorter name are words or initials of the other."""
    short, long = sorted((one, other), key=len)
    left = [word for word in long if word not in short]
    initials = [word for word in short if word not in long]
    for word in initials:
        if not (meant := next((each for each in left if word[0] == each[0] and 1 in (len(word), len(each))), "")):
            return False
        left.remove(meant)
    return len(short) >= least and any(len(word) > 1 for word in short if word in long)


def _set_copies_aside(found: EventGames, late: list[Sheet]) -> None:
    """Take sheets with the same moves as another one out of their meetings. The one that stays is paired, is among
    other games, and is not named as a copy.
    """
    several = Counter(os.path.dirname(sheet.file) for one in found.meetings for sheet in one.sheets)
    alike: dict[object, list[tuple[Sheet, list[Sheet], Pairing | None]]] = defaultdict(list)
    for sheets, pairing in (*[(one.sheets, one.pairing) for one in found.meetings], (late, None)):
        for sheet in sheets:
            first, came = sheets[0].report, sheet.score
            key: object = sheet.report.moves or ((sheet.round, sheet.names, came) if came else sheet.place)
            if came and first.turns and first.outcome and came[:2] == (first.outcome.winner, first.outcome.points):
                key = first.moves
            alike[key].append((sheet, sheets, pairing))
    for group in alike.values():
        stems = [os.path.basename(sheet.file).partition(".")[0] for sheet, *_ in group]
        group.sort(key=lambda one: (
            not one[0].report.turns, one[2] is None, bool(_COPY.search(one[0].file)),
            -several[os.path.dirname(one[0].file)],
            sum(stem in os.path.basename(one[0].file) for stem in stems), one[0].report.game,
        ))  # fmt: skip
        for sheet, sheets, _ in group[1:]:
            sheets.remove(sheet)
            found.copies.append((sheet, group[0][0], group[0][2]))


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
