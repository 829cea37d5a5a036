"""Canonical form demanded: which lines of a game are not written as the canonical writer writes them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from ..notation.diagnostic import Diagnostic
from ..notation.reader import Game
from ..notation.source import Span
from ..notation.writer import write
from .checker import make


def strictly(game: Game) -> Iterator[Diagnostic]:
    """A diagnostic for each line that is not in canonical form; none for a game that is."""
    canonical = write(game.record).splitlines()
    lines = [game.source.text(line) for line in range(len(game.source.lines))]
    while lines and not lines[-1]:
        lines.pop()
    if lines == canonical:
        return
    matcher = SequenceMatcher(None, lines, canonical, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind != "equal":
            shown = " / ".join(canonical[first:last]) or "nothing"
            line = min(start, max(len(lines) - 1, 0))
            span = Span(line, 0, len(lines[line]) if lines and end > start else 0)
            yield make("S001", {"text": shown}, game.source, span, None, game=game.number)
