"""Repairs as fixes of a diagnostic, for reports and editors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...notation.diagnostic import ERROR, Diagnostic, Fix
from ...notation.reader import Game
from .edits import replacements
from .search import find_repairs

MOST: Final = 3
"""How many repairs of a game are shown unless somebody asks for more."""


def with_fixes(game: Game, diagnostics: Sequence[Diagnostic], rules: str = "") -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a game, the first error among them with the likeliest repairs of the game as fixes."""
    found = [(repair, replacements(repair.edits, game)) for repair in find_repairs(game, rules)[:MOST]]
    fixes = tuple([Fix("; ".join(repair.words), repair.alike, lines) for repair, lines in found if lines])
    first = next((place for place, diagnostic in enumerate(diagnostics) if diagnostic.severity == ERROR), None)
    if first is None or not fixes:
        return tuple(diagnostics)
    return (*diagnostics[:first], replace(diagnostics[first], fixes=fixes), *diagnostics[first + 1 :])
