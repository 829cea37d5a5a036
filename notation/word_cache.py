"""The phrase table: what Lark said is remembered, and every word, or its shape, is read by it once.

The tables hold only what the grammar said, so they can be emptied at any time; they are, half by half, before they grow
without bound. The parser is imported when the first word is to be read: whoever works with records that were made
otherwise never waits for Lark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeVar
from zlib import crc32

from ..grammar import answers_text, grammar_text
from . import tokens as t
from .classes import dataclass
from .codes import OTHER, decode
from .record import Comment, LineContent, Result, Turn
from .shapes import codes_by_shape, order_by_shape
from .tokens import Token, Unread

MOST: Final = 20_000
"""Entries after which a table starts anew."""

FEW: Final = 1_000
"""Entries of a table of texts that seldom come again, and texts that a table remembers as ones that can't be read."""
LONGEST_KEPT: Final = 300
"""Characters of a text that is remembered."""

Meaning = TypeVar("Meaning")
MOST_EXPECTED: Final = 8
"""Beyond so many things that could have stood there, a list of them helps nobody."""


@dataclass
class Misfit:
    """Where a text ceases to fit the grammar: ``found`` stood at ``column``; ``expect`` tells what could have."""

    column: int
    found: str
    expect: Callable[[], tuple[str, ...]]

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """Return what could have stood there, asked for only when needed: that takes longer than to find the misfit."""
        return self.expect()


def read_line(text: str) -> LineContent | Misfit:
    """Read one line as :func:`tironian.notation.parser.parse_line` does; the points of a result are put back."""
    pair = _POINTS.match(text)
    if pair and pair.group() != _ANY_POINTS and isinstance(value := LINES[_ANY_POINTS + text[pair.end() :]], Result):
        rome, egypt = pair.group().split("-")
        return Result((int(rome), int(egypt)), value.winner, value.verdicts, value.notes)
    known = _answers()["lines"].get(text)
    return _value(known) if known else _lark()[0](text)


def read_item(text: str) -> Token | str | Comment | Misfit:
    """Read one word as :func:`tironian.notation.parser.parse_item` does."""
    known = _answers()["items"].get(text)
    return _value(known) if known else _lark()[1](text)


@cache
def _lark() -> tuple[Callable[[str], Any], Callable[[str], Any]]:
    """Return how Lark reads a line and a word. It takes a while to load."""
    from .parser import parse_item, parse_line

    return parse_line, parse_item


@cache
def _answers() -> dict[str, dict[str, list[Any]]]:
    """Return what Lark says to the commonest lines and words, of which nearly every game has no others."""
    kept = json.loads(answers_text())
    return kept if kept["made_of"] == crc32(grammar_text().encode()) else {"lines": {}, "items": {}}


def answers_as_text(lines: dict[str, Any], items: dict[str, Any]) -> str:
    """Return what Lark says to lines and words as the text of ``words.json``."""
    kept = {
        "made_of": crc32(grammar_text().encode()),
        "lines": {text: _kept(value) for text, value in sorted(lines.items())},
        "items": {text: _kept(value) for text, value in sorted(items.items())},
    }
    return json.dumps(kept, separators=(",", ":")) + "\n"


def _kept(value: Any) -> Any:
    """Return a value as JSON has it: an object as the name of its class and its fields."""
    if isinstance(value, tuple):
        return [*map(_kept, value)]
    if is_dataclass(value) and not isinstance(value, type):
        return [f"@{value.__class__.__name__}", *[_kept(getattr(value, field.name)) for field in fields(value)]]
    return value


def _value(kept: Any) -> Any:
    """Return the value that JSON tells."""
    if not isinstance(kept, list):
        return kept
    values = [*map(_value, kept)]
    made = _CLASSES.get(kept[0]) if kept and isinstance(kept[0], str) else None
    return made(*values[1:]) if made else tuple(values)


_CLASSES: Final[dict[str, Any]] = {f"@{each.__name__}": each for each in (*t.KINDS, t.Mission, Turn, Result)}


def parse_token(text: str) -> Token:
    """Return the token that a word says. Raise ValueError, in a sentence, where it says anything else.

    >>> tironian.parse_token("(3)A") == tironian.tokens.Place(3, tironian.Group.AEDILE, hidden=True)
    True
    """
    value = read_item(text.strip())
    if isinstance(value, Misfit | str | Comment):
        raise misread(text.strip(), value, "a token: clocks, glyphs and comments are none")
    return value


def misread(text: str, value: object, wanted: str) -> ValueError:
    """Return the error that says why a text is not what was ``wanted``."""
    from .suggestions import tell  # advice is imported where somebody needs it

    return ValueError(tell(text, value) if isinstance(value, Misfit) else f"“{text}” is not {wanted}")


class Table(dict[str, Meaning]):
    """Text → what it says, worked out by ``read`` when it is first asked for. KeyError where ``read`` raises it.

    A table with ``most`` entries starts anew, but what it held is kept until it is full again, and comes back where it
    is asked for: so the words that are used stay, and those of long ago go.
    """

    def __init__(self, read: Callable[[str], Meaning], most: int = MOST) -> None:
        super().__init__()
        self.read = read
        self.most = most
        self._older: dict[str, Meaning] = {}
        self._refused: set[str] = set()

    def __missing__(self, text: str) -> Meaning:
        if text in self._refused:
            raise KeyError(text)
        try:
            value = self._older[text] if text in self._older else self.read(text)
        except KeyError:
            if len(self._refused) >= FEW:
                self._refused.clear()
            if len(text) <= LONGEST_KEPT:  # to find out that it can't be read takes as long as to read it
                self._refused.add(text)
            raise
        if len(text) <= LONGEST_KEPT:  # many longer ones would fill the memory
            if len(self) >= self.most:
                self._older = dict(self)
                self.clear()
            self[text] = value
        return value


def read_word(text: str) -> Token:
    """Return the token that Lark reads in a word. Raise KeyError for a mark or a comment, and for what is no word."""
    if text[:1] in MARK_SIGNS or ";" in text or "{" in text:
        raise KeyError(text)
    value = ITEMS[text]
    if isinstance(value, str | Comment | Misfit):
        raise KeyError(text)
    return value


def _word(text: str) -> Token:
    """Return the token of a word. Raise KeyError as :func:`read_word` does."""
    code, more = codes_by_shape(text)
    return decode(code, more) if code != OTHER else order_by_shape(text.encode("ascii", "replace")) or read_word(text)


def _only(kind: type[Meaning], value: object, text: str) -> Meaning:
    """Return a value of a kind. Raise KeyError, for the text that says it, where it is of another."""
    if not isinstance(value, kind):
        raise KeyError(text)
    return value


MARK_SIGNS: Final = frozenset("@!?$")
"""What a clock or a glyph begins with. Those of comments may stand anywhere in a word, and never in a token."""
_DIGITS_ALIKE: Final = str.maketrans("023456789", "1" * 9)


def _label(text: str) -> tuple[int, int]:
    """Return number and side of a label; digits are interchangeable, so that Lark reads one number of each length."""
    # What is glued to a label would be read with it.
    turn = _only(Turn, LINES[text.translate(_DIGITS_ALIKE)] if text[:-1].isdecimal() else None, text)
    return int(text[:-1]), turn.side


WORDS: Final = Table(_word)
"""Word → token. A word that is no token, or no word at all, raises KeyError."""
MARKS: Final = Table(lambda text: _only(str, read_item(text), text))
"""Word → the same word, where it is a clock or a glyph. Any other raises KeyError."""
LABELS: Final = Table(_label)
"""First word of a turn line → number and side. A word that is no label raises KeyError."""
HEADS: Final = Table(lambda text: _only(tuple, read_line(f'{text}""]'), text)[0])
"""What stands before a header's value, as ``[Event`` → the header's name. KeyError where it is no header."""
LINES: Final = Table(read_line, FEW)
"""Whole line → what it says; a Misfit where it doesn't fit the grammar."""
ITEMS: Final = Table(read_item, FEW)
"""Word → what Lark says of it; a Misfit where it is none."""


def read_header(line: str) -> tuple[str, str] | None:
    """Return a header whose value needs no reading, so that its beginning decides what the line says; else None."""
    parts = line.split('"', 3)
    if len(parts) != 3:
        return None
    head, value, end = parts
    if end.rstrip() != "]" or "\\" in value or not value.isprintable():
        return None
    try:
        return HEADS[head], value
    except KeyError:
        return None


_ANY_POINTS: Final = "11-11"
"""To the grammar one number is as good as another."""
_POINTS: Final = re.compile(r"[0-9]{1,3}-[0-9]{1,3}(?![0-9])")
_FRAGMENT: Final = re.compile(r'\{[^}]*\}?|;.*|(?:"(?:\\.|[^"\\])*+"|[^\s{;"])+|"')
"""A comment, or a word with the texts in quotes that are closed; a quote alone where it is not."""
_FRAGMENT_WITHOUT_TEXTS: Final = re.compile(r"\{[^}]*\}?|;.*|[^\s{;]+")
_REST: Final = re.compile(r"[^\s{;]*")


def fragments(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each word and each comment of a line from ``at`` on."""
    pattern = _FRAGMENT
    while match := pattern.search(text, at):
        start, at = match.span()
        if pattern is _FRAGMENT and text[start] not in "{;" and (text[start:at] == '"' or text.startswith('"', at)):
            # A quote that nothing closes is a letter as any other, and no later one is closed either: from here on
            # none is tried again, since each would be looked for to the end of the line.
            pattern = _FRAGMENT_WITHOUT_TEXTS
            rest = _REST.match(text, at)
            at = rest.end() if rest else at
        yield start, at, text[start:at]


class Word(NamedTuple):
    """A word from ``start`` to ``end``: what it says, and for one that can't be read (``Unread``) the reason."""

    start: int
    end: int
    text: str
    item: Token | str | Comment
    error: Misfit | None


def read_words(text: str, at: int) -> list[Word]:
    """Return the words and comments of a line from ``at`` on."""
    words: list[Word] = []
    for start, end, word in fragments(text, at):
        item = WORDS[word] if word in WORDS else ITEMS[word]
        is_bad = isinstance(item, Misfit)
        words.append(Word(start, end, word, Unread(word), item) if is_bad else Word(start, end, word, item, None))
    return words
