"""Canonical form: finds the lines of a game that are not written as the canonical writer would write them."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import BinaryIO, Final

from ...notation.classes import dataclass
from ...notation.diagnostic import Diagnostic
from ...notation.language import phrase
from ...notation.reader import Game
from ...notation.source import Span
from ...notation.writer import write
from .check import make_diagnostic

MAX_LENGTH: Final = 300
"""The most characters of canonical form that a diagnostic shows."""
MAX_COMPARED_LINES: Final = 1_000
"""The most lines of a game that are all compared with each other; in longer games, frequent lines are matched only next
to others.
"""


@dataclass(frozen=True, slots=True)
class ByteFaults:
    """What a file's bytes show but its lines don't; each such thing keeps a file from being canonical.

    ``carriage_return`` is the 0-based number of the first line that ends with CR or CR LF, None if there is none.
    """

    mark: bool = False
    carriage_return: int | None = None
    unterminated: bool = False


def scan_bytes(stream: BinaryIO) -> ByteFaults:
    """Read a stream to its end; return what its lines don't show."""
    mark, carriage_return, lines, last = False, None, 0, b""
    while chunk := stream.read(1 << 20):
        mark = mark or (not last and chunk.startswith(codecs.BOM_UTF8))
        if carriage_return is None and (at := chunk.find(b"\r")) >= 0:
            carriage_return = lines + chunk.count(b"\n", 0, at)
        lines += chunk.count(b"\n")
        last = chunk[-1:]
    return ByteFaults(mark, carriage_return, last not in (b"\n", b"\r", b""))


def all_canonical_faults(
    games: Iterable[Game], form: ByteFaults, *, whole: bool = True
) -> Iterator[tuple[Game, list[Diagnostic]]]:
    """Yield the games of a file, each with a diagnostic for whatever keeps the file from being canonical.

    ``whole`` says that no other game follows them in the file.
    """
    for game, following in pairwise(chain(games, (None,))):
        last = following is None
        if game is not None:
            yield game, [*_byte_diagnostics(game, form, last=last), *canonical_faults(game, last=last and whole)]


def _byte_diagnostics(game: Game, form: ByteFaults, *, last: bool) -> Iterator[Diagnostic]:
    source = game.source
    end = len(source.lines) - 1
    if form.mark and source.first == 1:
        yield _difference(game, Span(0, 0, 0), phrase("the same without the byte order mark at the beginning"))
    if form.carriage_return is not None and 0 <= (line := form.carriage_return - source.first + 1) <= end:
        width = len(source.text(line))
        yield _difference(
            game, Span(line, width, width), phrase("the same with LF at the end of every line, and no CR")
        )
    if form.unterminated and last:
        width = len(source.text(end))
        yield _difference(game, Span(end, width, width), phrase("the same with a line end after the last line"))


def _difference(game: Game, span: Span, text: str) -> Diagnostic:
    return make_diagnostic("S001", {"text": text}, game, span)


def canonical_faults(game: Game, *, last: bool = True) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each line that is not in canonical form; none for a game that is.

    ``last`` says whether it is the last game in its file. An empty line follows any other game.
    """
    canonical = write(game.record).removesuffix("\n").split("\n")
    if not last:
        canonical.append("")
    lines = [game.source.text(line) for line in range(len(game.source.lines))]
    if lines == canonical:
        return
    from difflib import SequenceMatcher  # late: few records are compared

    matcher = SequenceMatcher(None, lines, canonical, autojunk=len(canonical) > MAX_COMPARED_LINES)
    for kind, start, end, first, stop in matcher.get_opcodes():
        if kind != "equal":
            line = min(start, max(len(lines) - 1, 0))
            span = Span(line, 0, len(lines[line]) if lines and end > start else 0)
            yield _difference(game, span, _shown(canonical[first:stop]))


def _shown(lines: list[str]) -> str:
    """Return lines in canonical form as a diagnostic shows them."""
    shown = " / ".join(line or phrase("an empty line") for line in lines) or phrase("nothing")
    return shown if len(shown) <= MAX_LENGTH else shown[: MAX_LENGTH - 1] + "…"
