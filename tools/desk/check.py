"""Records checked, repaired and joined for a page in a browser, in the words of ``tiro check``, ``tiro repair`` and
``tiro merge``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from string import digits
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ...notation.basics import CARD_LETTERS, GROUP_LETTERS, SIDE_LETTERS, TIE, visible
from ...notation.language import CARDS, ENGLISH, GROUPS, SIDES, speaking
from ...notation.records import (
    COUNTS,
    ERROR,
    KINDS,
    BadLine,
    Comment,
    Diagnostic,
    Game,
    Ruling,
    Source,
    pairing_of,
    read_bytes,
    write,
)
from ...replay.checking.api import check
from ...replay.diagnostics.api import LEGAL, POSSIBLE
from ...replay.engine.api import AGAINST_NET, read_headers
from ..archive.api import WHOLE_TEXT, ChunkChecker, split
from ..recorder.api import (
    Draft,
    MenuLine,
    Phase,
    common_start,
    fault_line,
    irregular,
    place_of,
    ruled,
    ruled_side,
    with_ruling,
    with_turn,
)
from ..repair.api import MAX_REPAIRS_SHOWN, difference, find_repairs, repair_json, with_old_lines
from ..report.api import GameReport
from ..storage.sources import may_hold_games, texts_within
from .desk import DeskError, sentence

if TYPE_CHECKING:
    from ..merge.api import LogVersion

LIMITS: Final = {"bytes": 1 << 26, "games": 5000}
"""The limits, in bytes of a file and in games of all files, beyond which the page says that there are more."""
SIZE: Final = 1 << 13
"""Bytes of text that are checked for one answer: about eight games."""
TIMEOUT: Final = 15.0
"""Seconds after which a search for repairs is stopped; the page waits twice as long for an answer."""


SomeGames: TypeAlias = Iterator[tuple[list[dict[str, Any]], int]]
"""Games, some at a time, and how many bytes have been read so far."""


def checked(data: bytes, name: str, rules: str = "", first: int = 1, *, named: bool = True) -> SomeGames:
    """Yield the games in the bytes of a file, packed or not, some at a time, and how many bytes have been read so far.

    Each is a ``game`` of the report's schema, with its lines as ``text``, and ``logs``: two games that share one of
    these are probably logs of one game. ``rules`` names the rule set for records that name no known one; ``first`` is
    the number of the first line. A file that is not ``named`` itself, but lies in a named folder, may hold no games:
    then nothing is yielded.
    """
    checker, before = ChunkChecker(rules, texts=True, moves=True), 0
    if not named and may_hold_games(name) != "":
        return
    for text in texts_within(BytesIO(data), name, len(data)):
        for number, chunk in enumerate(split(text, SIZE, WHOLE_TEXT._replace(first=first))):
            before = before if number else 0
            reports = [report for report in checker.reports(chunk) if isinstance(report, GameReport)]
            for report in reports:
                report.game += before
            before += len(reports)
            yield [_shown(report) for report in reports], text.bytes_read()


_RUNS: Final = re.compile(
    rf"^\W*(mode\W+tournament|event\W+{AGAINST_NET.replace(' ', chr(92) + 'W+')})\b", re.IGNORECASE | re.MULTILINE
)
"""The header of tournament mode, or of a game against the program, however it is spelt and quoted."""


def is_running(text: str) -> bool:
    """Return whether a game in a text is not over yet, and recorded in tournament mode or against the program."""
    for game in read_bytes(BytesIO(encoded(text)), "") if _RUNS.search(text) else ():
        bad = [line.text for line in game.record.preface if isinstance(line, BadLine)]
        head = "\n".join([*bad, *map(" ".join, game.record.headers)])
        if (found := _RUNS.search(head)) and game.record.points is None:
            # The program's record of a game that it plays says so; a sheet that says so is one that was given up.
            open_end = "unterminated" if found[1].lower().startswith("event") else ""
            if read_headers(game.record).termination in ("", open_end):
                return True
    return False


def refuse_running(*texts: str) -> None:
    """Raise NoJournal if nothing may help the players of a game in these texts."""
    if any(map(is_running, texts)):
        raise DeskError(sentence("look", "not_over"))


def _shown(report: GameReport) -> dict[str, Any]:
    """Return a game as the page shows it, or the ``fault`` of one that nothing may help with. The numbers are texts,
    since they are too large for JavaScript.
    """
    if is_running(report.text):
        return {"fault": sentence("look", "not_over")}
    known = all(name.strip("?") for name in report.names)
    logs = (pairing_of(report.headers), *[log | COUNTS for log in report.logs if known])
    return report.as_json() | {"text": report.text, "logs": [str(log) for log in logs if log]}


def likely_repairs(
    text: str, name: str, rules: str = "", first: int = 1, *, seconds: float = TIMEOUT
) -> dict[str, Any]:
    """Return what a game should probably have said: at most MAX_REPAIRS_SHOWN ``repairs``, the likeliest first.

    Each is a ``repair`` of the schema of repairs, with its ``words``, the ``difference`` that it makes, and the
    repaired ``text``, as ``tiro repair -o`` writes it. ``found`` counts all repairs; ``stopped`` says that the search
    was stopped after ``seconds``. ``stands`` is the same for a game that was really played that way.
    """
    refuse_running(text)
    game = next(read_bytes(BytesIO(encoded(text)), name, first))
    if game.missing or check(game, rules).verdict in (LEGAL, POSSIBLE):
        return {"repairs": [], "stands": None, "found": 0, "stopped": False}
    found = find_repairs(game, rules, seconds=seconds)
    end = text[len(text.rstrip()) :] or "\n"
    return {
        "repairs": [
            repair_json(repair)
            | {
                "words": repair.description,
                "difference": difference(repair.record, game),
                "text": write(with_old_lines(repair.edits, game.record)).rstrip("\n") + end,
            }
            for repair in found[:MAX_REPAIRS_SHOWN]
        ],
        "stands": _standing(game, rules, end),
        "found": len(found),
        "stopped": found.stopped,
    }


def _standing(game: Game, rules: str, end: str) -> dict[str, Any] | None:
    """Return the game with a ruling that lets the faults of its first broken turn stand, in the form of a repair, with
    the comments below that turn as ``notes``; None if no ruling can.
    """
    record, verdict, known = game.record, check(game, rules), list[Diagnostic]()
    while True:
        faults = irregular([fault for fault in verdict.diagnostics if fault.severity == ERROR])
        faults = [fault for fault in faults if fault.turn == (known or faults)[0].turn]
        if any(fault.code == other.code for fault in faults for other in known):
            return None
        if not faults:
            break
        record, known = ruled(record, faults), known + faults
        verdict = check(record, rules)
    place = place_of(record, known[0].turn) if known else None
    if place is None:
        return None
    turn = record.turns[place]
    with speaking(ENGLISH):  # it is written into the record
        ruling = Ruling(ruled_side(turn), "stands", (), 0, sentence("check", "stands"))
    record = with_turn(record, place, with_ruling(turn, ruling))
    return {
        "words": [fault_line(fault) for fault in known],
        "notes": [visible(note.text) for note in turn.after if isinstance(note, Comment)],
        "difference": difference(record, game),
        "text": write(record).rstrip("\n") + end,
        "verdict": verdict.verdict,
        "summary": verdict.summary,
    }


class SentLog(NamedTuple):
    """A log of a game as the page sends it; ``view`` is its point of view if the record names none."""

    name: str
    text: str
    first: int = 1
    view: str = ""

    def game(self) -> Game:
        """Return the game of the log."""
        game = next(read_bytes(BytesIO(encoded(self.text)), self.name, self.first))
        record = game.record
        if not self.view or record.header("View"):
            return game
        return replace(game, record=replace(record, headers=(*record.headers, ("View", self.view))))


def alike(logs: Sequence[SentLog]) -> list[list[int]]:
    """Return which logs that share a number can be of one game: they name one date, and most of their turns agree."""
    from ..merge.api import are_alike, open_words

    refuse_running(*[log.text for log in logs])
    dates = [log.game().record.header("Date", "?") for log in logs]
    words, found = [open_words(log.text) for log in logs], list[list[int]]()
    for at, date in enumerate(dates):
        for group in found:
            same_day = all(date == dates[other] or "?" in date + dates[other] for other in group)
            if same_day and all(are_alike(words[at], words[other]) for other in group):
                group.append(at)
                break
        else:
            found.append([at])
    return found


def joined(logs: Sequence[SentLog], name: str, picks: Mapping[str, str]) -> dict[str, Any]:
    """Return the record joined from several logs of a game, as ``tiro merge`` writes it with these picks, in ``games``.

    It is checked, and its diagnostics are those of ``tiro merge``. ``disagreements`` say what each log has if they
    contradict each other. If the logs can't be joined, ``fault`` says why.
    """
    refuse_running(*[log.text for log in logs])
    from ..merge.api import DifferentGames, merge  # the first tap need not wait for it

    games = [log.game() for log in logs]
    if unread := next((game for game in games if game.missing), None):
        return {"fault": f"{unread.source.name}: {unread.problems[-1].message}"}
    try:
        merged = merge(games, name, seconds=TIMEOUT, picks=picks)
    except (DifferentGames, LookupError) as error:
        return {"fault": str(error.args[0])}
    report = ChunkChecker(texts=True, moves=True).report(merged.game, merged.verdict, merged.all_diagnostics)
    return {
        "games": [_shown(report)],
        "disagreements": [
            {"name": name, "said": [_version_json(said) for said in all_said]}
            for name, all_said in merged.disagreements
        ],
        "stopped": merged.stopped,
    }


def _version_json(said: LogVersion) -> dict[str, Any]:
    """Return what one log says, with its line, and the places of its words there."""
    source, line = said.places[0].source or Source("", [""]), said.places[0].span.line
    return {
        "file": visible(source.name),
        "line": source.first + line,
        "who": said.who,
        "number": str(said.number),
        "taken": said.taken,
        "allowed": said.allowed,
        "text": source.text(line),
        "places": [[place.span.start, place.span.end] for place in said.places],
    }


def continued(text: str, rules: str = "") -> dict[str, Any]:
    """Return how the word at the end of a text can go on: what is ``typed`` so far, the ``start`` shared by all the
    words that it can become, and the ``choices`` from there on, as the recorder lists them.

    At the beginning of a line the word is the label of a turn.
    """
    refuse_running(text)
    line = text[text.rfind("\n") + 1 :]
    typed = line[line.rfind(" ") + 1 :]
    draft = Draft.resumed(text[: len(text) - len(typed)], closed=typed == line)
    if not draft.record.header("Rules") and rules:
        draft = Draft.resumed(f'[Rules "{rules}"]\n{draft.text}', closed=typed == line)
    if typed == line:
        goes_on = draft.cursor.phase in (Phase.SET_UP, Phase.PLAY) and draft.cursor.label.startswith(typed)
        lines = [MenuLine(draft.cursor.label, "", True)] if goes_on else []
    else:
        lines = [line for line in draft.menu.choices(typed) if line.text]
    start = "".join(common_start([line.text for line in lines]))
    if len(lines) == 1:
        return {"typed": typed, "start": start + " " * lines[0].whole, "choices": []}
    return {"typed": typed, "start": start, "choices": [line._asdict() for line in lines]}


_FIELD: Final = re.compile(r"\{\w+:?|[%|{}]")
"""The parts of a word's form that are not among its signs."""


def keys() -> list[dict[str, str]]:
    """Return the letters and signs that words are made of, each with its name."""
    named = dict(zip(digits, digits, strict=True))
    named |= {letter: card.name for letter, card in zip(CARD_LETTERS, CARDS, strict=True)}
    named |= {letter: group.bare for letter, group in zip(GROUP_LETTERS, GROUPS, strict=True)}
    named |= {letter: side.name for letter, side in zip(SIDE_LETTERS[:TIE], SIDES, strict=True)}
    for sign in "".join([_FIELD.sub("", kind.form) for kind in KINDS.values()]):
        named.setdefault(sign, sign)
    return [{"text": text, "words": words} for text, words in named.items()]


def encoded(text: str) -> bytes:
    """Return the bytes of a text; those that were not UTF-8 are restored unchanged."""
    return text.encode("utf-8", "surrogateescape")
