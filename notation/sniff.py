"""Files that are no records, recognised by their first bytes, and texts that hardly are, by their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from .diagnostic import Diagnostic
from .game import Game
from .record import BadLine
from .source import Source, Span

HEAD: Final = 4096
"""Bytes by which a file is recognised."""
FEW: Final = 3
"""Foreign lines that any text may have by mistake."""
MOST_NAMED: Final = 8
"""Runs of foreign lines that are named."""
# A record may begin with a bracket, [Event "…"], or a brace, { Played at home }; never so that JSON could. The writer
# puts an empty line before a record whose first line does look like JSON.
_JSON: Final = re.compile(r'[ \t]*(?:\{\s*"[^"\n]*"\s*:|\{\s*\}\s*\Z|\[\s*[{\]])')
_REMEDY: Final = 'a record starts with headers such as [Rules "2024"]; docs/notation.md describes it'


def is_json(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is JSON."""
    return _JSON.match(head.decode("utf-8-sig", "replace")) is not None


def foreign(head: bytes) -> tuple[str, str] | None:
    """Return what a file is that begins with these bytes, and what to do about it; None where it may be a record."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "this file is UTF-16 text", "save it as UTF-8 text"
    if head[:4] in (b"PK\3\4", b"PK\5\6") or head[:2] == b"\x1f\x8b":
        return "this file is packed", "unpack it first; `tiro check` and `tiro export` read it as it is"
    if b"\0" in head:
        return "this is not a text file: it holds NUL bytes", "give a record in the notation, a .tiro file"
    if is_json(head):
        return "this file is JSON, not a record in the notation", "`tiro convert` makes a record of it"
    return None


def seems_foreign(text: str) -> bool:
    """Return whether a file with just this text would not be taken for a record."""
    return text[:2] in ("\udcff\udcfe", "\udcfe\udcff") or _JSON.match(text) is not None


def no_game(source: Source, game: int) -> Diagnostic:
    """Return the diagnostic of a text without any game (N107)."""
    return Diagnostic("N107", "there is no game in this text", source, Span(0, 0, 0), help=_REMEDY, game=game)


def joined_problems(game: Game, *, empty: bool) -> list[Diagnostic]:
    """Return the problems of a game, with one (N110) for all its foreign lines where these are most of it.

    Foreign lines can't be read and do not resemble a line of a record. ``empty``: nothing of a record was read.
    """
    if not game.problems:
        return game.problems
    source, record = game.source, game.record
    others = (*record.preface, *[follower for _, follower in record.followers()])
    bad = [line for line in others if isinstance(line, BadLine)]
    if len(bad) <= FEW:
        return game.problems
    from .suggestions import resembles

    lines = {line.line for line in bad if not resembles(line.text)}
    written = sum(not line.isspace() for line in source.lines)
    if len(lines) <= FEW or 2 * len(lines) <= written:
        return game.problems
    span = Span(min(lines), 0, len(source.text(min(lines))))
    if empty:
        message = f"this is no record: none of its {written:,} lines is a header, a turn or a result"
        return [Diagnostic("N110", message, source, span, help=_REMEDY, game=game.number)]
    message = f"this does not look like a record: {len(lines):,} of its {written:,} lines can't be read"
    remedy = f"give a file that holds only records, or put a semicolon before other text: {_named(source, lines)}"
    joined = Diagnostic("N110", message, source, span, help=remedy, game=game.number)
    rest = [problem for problem in game.problems if problem.code != "N104" or problem.span.line not in lines]
    return sorted([joined, *rest], key=lambda problem: (problem.span.line, problem.span.start))


def _named(source: Source, lines: Iterable[int]) -> str:
    """Return ``lines 1–29 and 45–131``, as the file counts them."""
    *runs, last = _runs(sorted(source.first + line for line in lines))
    named = ", ".join(runs[: MOST_NAMED - 1])
    if len(runs) >= MOST_NAMED:
        return f"lines {named} and others"
    return f"lines {named} and {last}" if runs else f"lines {last}"


def _runs(numbers: list[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield f"{run[0]}" if len(run) == 1 else f"{run[0]}–{run[-1]}"
