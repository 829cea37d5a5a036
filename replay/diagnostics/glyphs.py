"""Glyphs in words: those that PGN numbers, for people to read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ...notation.cards import SIDE_NAMES

_SIGNS: Final = dict(enumerate(("!", "?", "!!", "??", "!?", "?!"), 1))
_MEANINGS: Final = {
    "!": "a good move",
    "?": "a mistake",
    "!!": "a brilliant move",
    "??": "a blunder",
    "!?": "an interesting move",
    "?!": "a dubious move",
}
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


class Glyph(NamedTuple):
    """A glyph or clock of a turn: its ``sign``, and what it means, in words."""

    sign: str
    meaning: str


def glyph(mark: str) -> Glyph:
    """Return a glyph or clock as a sign with its meaning; a position is judged by words alone, with no sign for them.

    >>> from tironian.replay.diagnostics.glyphs import glyph
    >>> glyph("$1"), glyph("@0:28:54").meaning
    (Glyph(sign='!', meaning='a good move'), '0:28:54 left on the clock')
    """
    text = glyph_text(mark)
    if text.startswith("@"):
        return Glyph(f"◷ {text[1:]}", f"{text[1:]} left on the clock")
    if text.startswith("("):
        return Glyph(text[1:-1], f"judged: {text[1:-1]}")
    return Glyph(text, _MEANINGS.get(text, "a glyph that has no name here"))


def marks_text(marks: Iterable[str]) -> str:
    """Return the glyphs and clocks of a turn as people read them."""
    return " ".join(map(glyph_text, marks))
