"""The words of diagnostics and of games: codes, verdicts, and the names of cards and places."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from .fact_words import ENDINGS, words
from .names import (
    Glyph, capital, cards_text, counted, glyph, group_name, join,
    marks_text,
)
from .registry import (
    CODES, ILLEGAL, LEGAL, NOTHING, POSSIBLE, READABLE, UNCHECKED, UNREADABLE, VERDICTS, Code, Judgement, fill,
)
