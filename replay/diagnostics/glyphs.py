"""Glyphs in words: those that PGN numbers, for people to read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...notation.cards import SIDE_NAMES

_SIGNS: Final = dict(enumerate(("!", "?", "!!", "??", "!?", "?!"), 1))
_WORDS: Final = {
    **dict.fromkeys((7, 8), "the only move"),
    9: "the worst move",
    **dict.fromkeys((10, 11, 12), "even"),
    13: "unclear",
}
_OF_A_SIDE: Final = {
    14: "slightly better",
    16: "better",
    18: "winning",
    20: "winning by far",
    22: "in zugzwang",
    36: "with the initiative",
    40: "attacking",
    44: "compensated",
    132: "with counterplay",
    138: "short of time",
}
"""By the number for White, which is Rome here; the next one is for Egypt."""


def glyph_text(mark: str) -> str:
    """Return a glyph or clock as people read it: ``!`` for ``$1``, ``(Rome slightly better)`` for ``$14``."""
    if not mark.startswith("$"):
        return mark
    number = int(mark[1:])
    if number in _SIGNS:
        return _SIGNS[number]
    words = _WORDS.get(number)
    for side, name in enumerate(SIDE_NAMES):
        if what := _OF_A_SIDE.get(number - side):
            words = f"{name} {what}"
    return f"({words})" if words else mark


def marks_text(marks: Iterable[str]) -> str:
    """Return the glyphs and clocks of a turn as people read them."""
    return " ".join(map(glyph_text, marks))
