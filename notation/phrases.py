"""The phrase table: every word is read by Lark once and remembered.

A game consists of few distinct words, repeated endlessly; and of the many, votes and draws above all, most differ only
in which influence cards they name. To the grammar one influence card is as good as another, so Lark reads the word
with ones in place of all, and the cards are put back: a few hundred shapes stand for all votes there are.

The tables hold only what the grammar said, so they can be emptied at any time; they are, before they grow without
bound. The parser is imported when the first word is to be read: whoever works with records that were made otherwise
never waits for Lark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from . import tokens as t
from .cards import CARDS, high_to_low
from .record import Comment, Result
from .tokens import Token
from .unreadable import Unreadable

if TYPE_CHECKING:
    from .parser import Line

MOST: Final = 20_000
"""Entries after which a table starts anew."""

Shaped: TypeAlias = t.Vote | t.SpecialVote | t.Draw | t.Discard | t.Castle
"""Tokens that hold nothing but cards beside what their shape says."""
Value = TypeVar("Value")


def read_line(text: str) -> Line:
    """One line by way of Lark, as :func:`tironian.notation.parser.parse_line`."""
    from .parser import parse_line

    return parse_line(text)


def read_item(text: str) -> Token | str | Comment:
    """One word by way of Lark, as :func:`tironian.notation.parser.parse_item`."""
    from .parser import parse_item

    return parse_item(text)


def _remember(table: dict[str, Value], key: str, value: Value) -> Value:
    if len(table) >= MOST:
        table.clear()
    table[key] = value
    return value


class Words(dict[str, Token]):
    """Word → token. A word that is no token, or no word at all, raises KeyError."""

    def __missing__(self, word: str) -> Token:
        value = _by_shape(word) if word[:1] in _SHAPED else None
        if value is None:
            try:
                value = read_item(word)
            except Unreadable:
                raise KeyError(word) from None
            if isinstance(value, str | Comment):
                raise KeyError(word)
        return _remember(self, word, value)


class Shapes(dict[str, "Shaped | None"]):
    """Word with a 1 for every influence card → its token; None where it is none that cards can be put back into."""

    def __missing__(self, shape: str) -> Shaped | None:
        try:
            value = read_item(shape)
        except Unreadable:
            value = None
        return _remember(self, shape, value if isinstance(value, Shaped) else None)


_SHAPED: Final = tuple("=*+-c")
_INFLUENCE: Final = "12345pi"
_ALIKE: Final = str.maketrans(_INFLUENCE, "1" * len(_INFLUENCE))


def _by_shape(word: str) -> Token | None:
    """A word's token by way of its shape, or None where Lark has to read the word itself."""
    shape = word[0] + word[1:].translate(_ALIKE)
    token = SHAPES[shape]
    if token is None or shape == word:
        return token
    if isinstance(token, t.Draw | t.Discard):
        return type(token)(tuple([CARDS[letter] for letter in word[1:]]))
    cards = tuple([CARDS[letter] for letter in word[1:] if letter in _INFLUENCE])
    if isinstance(token, t.Castle):
        count = len(token.cards_first or ())
        return t.Castle(token.first, token.second, cards[:count], cards[count:])
    count = len(token.rome or ())
    return type(token)(token.group, high_to_low(cards[:count]), high_to_low(cards[count:]), token.winner)


class Marks(dict[str, str]):
    """Word → the same word, where it is a clock or a glyph. Any other raises KeyError."""

    def __missing__(self, word: str) -> str:
        try:
            value = read_item(word)
        except Unreadable:
            raise KeyError(word) from None
        if not isinstance(value, str):
            raise KeyError(word)
        return _remember(self, word, value)


class Labels(dict[str, tuple[int, int]]):
    """First word of a turn line → number and side. A word that is no label raises KeyError."""

    def __missing__(self, word: str) -> tuple[int, int]:
        try:
            turn = read_line(word)
            value = (turn.number, turn.side)  # type: ignore[union-attr]
        except (Unreadable, AttributeError):
            raise KeyError(word) from None
        return _remember(self, word, value)


class Lines(dict[str, "Line"]):
    """Whole line → what it says. Headers and results, which come back from game to game, are remembered.

    Unreadable where the line doesn't fit the grammar.
    """

    def __missing__(self, line: str) -> Line:
        value = read_line(line)
        return _remember(self, line, value) if isinstance(value, tuple | Result) else value


class Heads(dict[str, str]):
    """What stands before a header's value, as ``[Event`` → the header's name; nothing where it is no header."""

    def __missing__(self, head: str) -> str:
        try:
            value = read_line(f'{head}""]')
        except Unreadable:
            return ""
        return _remember(self, head, value[0] if isinstance(value, tuple) else "")


WORDS: Final = Words()
SHAPES: Final = Shapes()
MARKS: Final = Marks()
LABELS: Final = Labels()
HEADS: Final = Heads()
LINES: Final = Lines()
