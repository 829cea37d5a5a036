"""Texts that are no record, or hardly one, told by their lines: one sentence and not one for each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from .diagnostic import Diagnostic
from .game import Game
from .record import BadLine
from .source import Source, Span

FEW: Final = 3
"""So many strange lines may be slips in any text."""
MOST_NAMED: Final = 8
"""So many stretches of strange lines are named."""
_REMEDY: Final = 'a record starts with headers such as [Rules "2024"]; docs/notation.md describes it'


def no_game(source: Source, game: int) -> Diagnostic:
    """Return what to say of a text in which there is nothing."""
    return Diagnostic("N107", "there is no game in this text", source, Span(0, 0, 0), help=_REMEDY, game=game)


def told_together(game: Game, *, empty: bool) -> list[Diagnostic]:
    """Return the problems of a game with one for all its strange lines, where these are most of it.

    Strange are lines that can't be read and that nobody meant for a record. ``empty``: nothing of a record was read.
    """
    if not game.problems:
        return game.problems
    source, record = game.source, game.record
    followers = (each for host in (*record.turns, record.result) if host for each in host.after)
    bad = [each for each in (*record.preface, *followers) if isinstance(each, BadLine)]
    if len(bad) <= FEW:
        return game.problems
    from .suggestions import resembles

    strange = {each.line for each in bad if not resembles(each.text)}
    written = sum(not line.isspace() for line in source.lines)
    if len(strange) <= FEW or 2 * len(strange) <= written:
        return game.problems
    rest = [each for each in game.problems if each.code != "N104" or each.span.line not in strange]
    span = Span(min(strange), 0, len(source.text(min(strange))))
    if empty:
        message = f"this is no record: none of its {written:,} lines is a header, a turn or a result"
        return [Diagnostic("N110", message, source, span, help=_REMEDY, game=game.number)]
    message = f"this does not look like a record: {len(strange):,} of its {written:,} lines can't be read"
    remedy = f"give a file that holds only records, or put a semicolon before other text: {_stretches(source, strange)}"
    whole = Diagnostic("N110", message, source, span, help=remedy, game=game.number)
    return sorted([whole, *rest], key=lambda each: (each.span.line, each.span.start))


def _stretches(source: Source, lines: Iterable[int]) -> str:
    """``lines 1–29 and 45–131``, as the file counts them."""
    *some, last = list(_runs(sorted(source.first + line for line in lines)))
    named = ", ".join(some[: MOST_NAMED - 1])
    if len(some) >= MOST_NAMED:
        return f"lines {named} and others"
    return f"lines {named} and {last}" if some else f"lines {last}"


def _runs(numbers: list[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        each = [number for _, number in run]
        yield f"{each[0]}" if len(each) == 1 else f"{each[0]}–{each[-1]}"
