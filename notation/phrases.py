"""The phrase table: every word is read by Lark once and remembered.

A game consists of few distinct words, repeated endlessly. The tables hold only what the grammar said about a word,
so they can be emptied at any time; they are, before they grow without bound.
"""

from __future__ import annotations

from typing import Final

from .parser import Header, Unreadable, parse_item, parse_line
from .record import Comment, Result
from .tokens import Token

MOST: Final = 50_000
"""Entries after which a table starts anew."""


class Words(dict[str, Token]):
    """Word → token. A word that is no token, or no word at all, raises KeyError."""

    def __missing__(self, word: str) -> Token:
        try:
            value = parse_item(word)
        except Unreadable:
            raise KeyError(word) from None
        if isinstance(value, str | Comment):
            raise KeyError(word)
        if len(self) >= MOST:
            self.clear()
        self[word] = value
        return value


class Marks(dict[str, str]):
    """Word → the same word, where it is a clock or a glyph. Any other raises KeyError."""

    def __missing__(self, word: str) -> str:
        try:
            value = parse_item(word)
        except Unreadable:
            raise KeyError(word) from None
        if not isinstance(value, str):
            raise KeyError(word)
        if len(self) >= MOST:
            self.clear()
        self[word] = value
        return value


class Labels(dict[str, tuple[int, int]]):
    """First word of a turn line → number and side. A word that is no label raises KeyError."""

    def __missing__(self, word: str) -> tuple[int, int]:
        try:
            turn = parse_line(word)
            value = (turn.number, turn.side)  # type: ignore[union-attr]
        except (Unreadable, AttributeError):
            raise KeyError(word) from None
        self[word] = value
        return value


class Lines(dict[str, "Header | Result"]):
    """Whole line → header or result; these too come back from game to game. Any other raises KeyError."""

    def __missing__(self, line: str) -> Header | Result:
        try:
            value = parse_line(line)
        except Unreadable:
            raise KeyError(line) from None
        if not isinstance(value, tuple | Result):
            raise KeyError(line)
        if len(self) >= MOST:
            self.clear()
        self[line] = value
        return value


WORDS: Final = Words()
MARKS: Final = Marks()
LABELS: Final = Labels()
LINES: Final = Lines()
