"""Records checked and mended for a page in a browser: in the words of ``tiro check`` and ``tiro repair``."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from ....notation.reader import read_bytes
from ....notation.writer import write
from ...checking.check import check
from ...diagnostics.registry import LEGAL, POSSIBLE
from ...repair.edits import with_old_lines
from ...repair.likely import MOST, difference, repair_json
from ...repair.search import find_repairs
from ...report.chunks import WHOLE_TEXT, ChunkChecker, split
from ...report.json_report import game_json
from ...report.model import GameReport
from ...storage.sources import may_hold_games, texts_within

SIZE: Final = 1 << 13
"""Bytes of text that are checked for one answer, some eight games."""
PATIENCE: Final = 15.0
"""Seconds after which a search for repairs is given up: the page waits twice as long for an answer."""


def checked(
    data: bytes, name: str, rules: str = "", first: int = 1, *, named: bool = True
) -> Iterator[tuple[list[dict[str, Any]], int]]:
    """Yield the games in the bytes of a file, packed or not, some at a time, and how many bytes are read by then.

    Each is a ``game`` of the report's schema, with its lines as ``text``. ``rules`` names the rule set of records that
    name no known one; ``first`` is the number of the first line. A file that is not ``named``, but lies in a folder
    that is, may be none of games: then nothing is yielded.
    """
    checker, before = ChunkChecker(rules, texts=True), 0
    if not named and may_hold_games(name) != "":
        return
    for text in texts_within(BytesIO(data), name, len(data)):
        for number, chunk in enumerate(split(text, SIZE, WHOLE_TEXT._replace(first=first))):
            before = before if number else 0
            reports = [report for report in checker.reports(chunk) if isinstance(report, GameReport)]
            for report in reports:
                report.game += before
            before += len(reports)
            yield [game_json(report) | {"text": report.text} for report in reports], text.taken()


def mended(text: str, name: str, rules: str = "", first: int = 1, *, seconds: float = PATIENCE) -> dict[str, Any]:
    """Return what the game of a text probably should have said: MOST ``repairs`` at most, the likeliest first.

    Each is a ``repair`` of the schema of repairs, with its ``words``, the ``difference`` that it makes, and the
    ``text`` in which it is carried out, as ``tiro repair -o`` writes it. ``found`` counts all repairs; ``stopped`` says
    that the search was given up after some ``seconds``.
    """
    game = next(read_bytes(BytesIO(encoded(text)), name, first))
    if game.missing or check(game, rules).verdict in (LEGAL, POSSIBLE):
        return {"repairs": [], "found": 0, "stopped": False}
    found = find_repairs(game, rules, seconds=seconds)
    end = text[len(text.rstrip()) :] or "\n"
    return {
        "repairs": [
            repair_json(repair)
            | {
                "words": repair.words,
                "difference": difference(repair, game),
                "text": write(with_old_lines(repair.edits, game.record)).rstrip("\n") + end,
            }
            for repair in found[:MOST]
        ],
        "found": len(found),
        "stopped": found.stopped,
    }


def encoded(text: str) -> bytes:
    """Return the bytes of a text; those that were no UTF-8 are what they were."""
    return text.encode("utf-8", "surrogateescape")
