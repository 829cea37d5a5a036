"""The phrase table: Lark's results are remembered, so Lark reads every word, or its shape, only once.

The tables hold only results of the grammar, so they can be emptied at any time; this happens, half by half, before they
grow without bound. The parser is imported when the first word must be read, so programs that make records in other ways
never wait for Lark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeVar
from zlib import crc32

from ..grammar import advice, answers_text, grammar_text
from . import tokens as t
from .cards import ACTION_CARDS, CARD_LETTERS
from .classes import dataclass
from .codes import OTHER, decode
from .language import phrase
from .record import Comment, LineContent, Result, Turn
from .shapes import codes_by_shape, order_by_shape
from .tokens import Token, Unread

MAX_ENTRIES: Final = 20_000
"""The number of entries after which a new table is started."""

MAX_RARE_ENTRIES: Final = 1_000
"""The most entries in a table of texts that seldom recur, and the most unreadable texts that a table remembers."""
MAX_KEPT_LENGTH: Final = 300
"""The most characters in a text that is remembered."""

Meaning = TypeVar("Meaning")
MAX_EXPECTED: Final = 8
"""If more things than this could be there, a list of them does not help."""


@dataclass
class Misfit:
    """Where a text stops fitting the grammar: ``found`` is at ``column``; ``expect`` returns the terminals that could
    have been there.
    """

    column: int
    found: str
    expect: Callable[[], tuple[str, ...]]

    @cached_property
    def _terminals(self) -> tuple[str, ...]:
        """They are computed only when needed, since that takes longer than finding the misfit."""
        return self.expect()

    @property
    def expected(self) -> tuple[str, ...]:
        """Return what could have been there, in words."""
        words, actions = advice()["terminals"], " ".join([CARD_LETTERS[card] for card in ACTION_CARDS])
        return tuple(dict.fromkeys([phrase(words[name], actions=actions) for name in self._terminals]))


def read_line(text: str) -> LineContent | Misfit:
    """Read one line like :func:`tironian.notation.parser.parse_line`; the points of a result are put back."""
    pair = _POINTS.match(text)
    if pair and pair.group() != _ANY_POINTS and isinstance(value := LINES[_ANY_POINTS + text[pair.end() :]], Result):
        rome, egypt = pair.group().split("-")
        return Result((int(rome), int(egypt)), value.winner, value.verdicts, value.notes)
    known = _answers()["lines"].get(text)
    return _value(known) if known else _lark()[0](text)


def read_item(text: str) -> Token | str | Comment | Misfit:
    """Read one word like :func:`tironian.notation.parser.parse_item`."""
    known = _answers()["items"].get(text)
    return _value(known) if known else _lark()[1](text)


@cache
def _lark() -> tuple[Callable[[str], Any], Callable[[str], Any]]:
    """Return Lark's functions that read a line and a word. Loading them takes a while."""
    from .parser import parse_item, parse_line

    return parse_line, parse_item


@cache
def _answers() -> dict[str, dict[str, list[Any]]]:
    """Return Lark's results for the commonest lines and words; nearly all games have no others."""
    kept = json.loads(answers_text())
    return kept if kept["made_of"] == crc32(grammar_text().encode()) else {"lines": {}, "items": {}}


def answers_as_text(lines: dict[str, Any], items: dict[str, Any]) -> str:
    """Return Lark's results for lines and words as the text of ``words.json``."""
    kept = {
        "made_of": crc32(grammar_text().encode()),
        "lines": {text: _kept(value) for text, value in sorted(lines.items())},
        "items": {text: _kept(value) for text, value in sorted(items.items())},
    }
    return json.dumps(kept, separators=(",", ":")) + "\n"


def _kept(value: Any) -> Any:
    """Return a value as JSON: an object becomes the name of its class and its fields."""
    if isinstance(value, tuple):
        return [*map(_kept, value)]
    if is_dataclass(value) and not isinstance(value, type):
        return [f"@{value.__class__.__name__}", *[_kept(getattr(value, field.name)) for field in fields(value)]]
    return value


def _value(kept: Any) -> Any:
    """Return the value from JSON."""
    if not isinstance(kept, list):
        return kept
    values = [*map(_value, kept)]
    made = _CLASSES.get(kept[0]) if kept and isinstance(kept[0], str) else None
    return made(*values[1:]) if made else tuple(values)


_CLASSES: Final[dict[str, Any]] = {f"@{each.__name__}": each for each in (*t.KINDS, t.Mission, Turn, Result)}


def parse_token(text: str) -> Token:
    """Return the token in a word. Raise ValueError for anything else; its text says why.

    >>> tironian.parse_token("(3)A") == tironian.tokens.Place(3, tironian.Group.AEDILE, hidden=True)
    True
    """
    value = read_item(text.strip())
    if isinstance(value, Misfit | str | Comment):
        raise misread(text.strip(), value, "a token: clocks, glyphs and comments are not")
    return value


def misread(text: str, value: object, wanted: str) -> ValueError:
    """Return the error that says why a text is not what was ``wanted``."""
    from .suggestions import unreadable_message  # advice is imported only when it is needed

    return ValueError(unreadable_message(text, value) if isinstance(value, Misfit) else f"“{text}” is not {wanted}")


class Table(dict[str, Meaning]):
    """Text → what it says, computed by ``read`` when first needed. Raises KeyError if ``read`` does.

    After ``most`` entries a new table is started, but the old entries are kept until it is full again, and move over
    when they are needed, so words in use stay and old ones go.
    """

    def __init__(self, read: Callable[[str], Meaning], most: int = MAX_ENTRIES) -> None:
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
            if len(self._refused) >= MAX_RARE_ENTRIES:
                self._refused.clear()
            if len(text) <= MAX_KEPT_LENGTH:  # finding that it can't be read takes as long as reading it
                self._refused.add(text)
            raise
        if len(text) <= MAX_KEPT_LENGTH:  # many longer ones would fill the memory
            if len(self) >= self.most:
                self._older = dict(self)
                self.clear()
            self[text] = value
        return value


def read_word(text: str) -> Token:
    """Return the token that Lark reads in a word. Raise KeyError for a mark or a comment, and if it is not a word."""
    if text[:1] in MARK_SIGNS or ";" in text or "{" in text:
        raise KeyError(text)
    value = ITEMS[text]
    if isinstance(value, str | Comment | Misfit):
        raise KeyError(text)
    return value


def _word(text: str) -> Token:
    """Return the token of a word. Raise KeyError like :func:`read_word`."""
    code, more = codes_by_shape(text)
    return decode(code, more) if code != OTHER else order_by_shape(text.encode("ascii", "replace")) or read_word(text)


def _only(kind: type[Meaning], value: object, text: str) -> Meaning:
    """Return a value if it is of this kind. Otherwise raise KeyError with the text."""
    if not isinstance(value, kind):
        raise KeyError(text)
    return value


MARK_SIGNS: Final = frozenset("@!?$")
"""The signs with which a clock or a glyph begins. The signs of comments may be anywhere in a word, but never in a
token.
"""
_DIGITS_ALIKE: Final = str.maketrans("023456789", "1" * 9)


def _label(text: str) -> tuple[int, int]:
    """Return number and side of a label; digits are interchangeable, so Lark reads only one number of each length."""
    # Otherwise, anything glued to a label would be read with it.
    turn = _only(Turn, LINES[text.translate(_DIGITS_ALIKE)] if text[:-1].isdecimal() else None, text)
    return int(text[:-1]), turn.side


WORDS: Final = Table(_word)
"""Word → token. Anything that is not a token raises KeyError."""
MARKS: Final = Table(lambda text: _only(str, read_item(text), text))
"""Word → the same word, if it is a clock or a glyph. Any other word raises KeyError."""
LABELS: Final = Table(_label)
"""First word of a turn line → number and side. A word that is not a label raises KeyError."""
HEADS: Final = Table(lambda text: _only(tuple, read_line(f'{text}""]'), text)[0])
"""What comes before a header's value, such as ``[Event`` → the header's name. Raises KeyError if it is not a header."""
LINES: Final = Table(read_line, MAX_RARE_ENTRIES)
"""Whole line → what it says; a Misfit if it doesn't fit the grammar."""
ITEMS: Final = Table(read_item, MAX_RARE_ENTRIES)
"""Word → Lark's result; a Misfit if it is not a word."""


def read_header(line: str) -> tuple[str, str] | None:
    """Return a header if its value needs no parsing, so that the beginning decides what the line says; otherwise
    None.
    """
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
"""Stands in for any points: for the grammar, all numbers are alike."""
_POINTS: Final = re.compile(r"[0-9]{1,3}-[0-9]{1,3}(?![0-9])")
_FRAGMENT: Final = re.compile(r'\{[^}]*\}?|;.*|(?:"(?:\\.|[^"\\])*+"|[^\s{;"])+|"')
"""Matches a comment, or a word including closed texts in quotes; a single quote if it is not closed."""
_FRAGMENT_WITHOUT_TEXTS: Final = re.compile(r"\{[^}]*\}?|;.*|[^\s{;]+")
_REST: Final = re.compile(r"[^\s{;]*")


def fragments(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each word and each comment of a line from ``at`` on."""
    pattern = _FRAGMENT
    while match := pattern.search(text, at):
        start, at = match.span()
        if pattern is _FRAGMENT and text[start] not in "{;" and (text[start:at] == '"' or text.startswith('"', at)):
            # An unclosed quote is a letter like any other, and no later quote is closed either. From here on no quote
            # is tried again, since each try would search to the end of the line.
            pattern = _FRAGMENT_WITHOUT_TEXTS
            rest = _REST.match(text, at)
            at = rest.end() if rest else at
        yield start, at, text[start:at]


def is_like_mark(word: str) -> bool:
    """Return whether a word is a clock or a glyph in any spelling: no word of the game begins like this."""
    return re.fullmatch(r"@ ?\S*|[!?]{3,}|\$\d*|\d{1,3}:\d\d:\d\d\S*", word) is not None


_TIME: Final = r"\d{1,3}(?:[:.,'’]\d{1,2}){1,3}[hms]?"


class Word(NamedTuple):
    """A word from ``start`` to ``end``: what it says, and, if it can't be read, the reason.

    Its item is then ``Unread``, or, for a clock or a glyph in a form that does not exist, its text.
    """

    start: int
    end: int
    text: str
    item: Token | str | Comment
    error: Misfit | None


def read_words(text: str, at: int) -> list[Word]:
    """Return the words and comments of a line from ``at`` on.

    A clock that follows another word without a space, or its @ with one, is a word of its own.
    """
    words: list[Word] = []
    for start, end, word in fragments(text, at):
        if words and words[-1].text == "@" and re.fullmatch(_TIME, word):
            start, word = words.pop().start, f"@ {word}"
        elif (
            word[0] not in "{;" and (head := word.partition("@")[0]) != word and isinstance(known := ITEMS[head], Token)
        ):
            words.append(Word(start, start + len(head), head, known, None))
            start, word = start + len(head), word[len(head) :]
        item = WORDS[word] if word in WORDS else ITEMS[word]
        error = item if isinstance(item, Misfit) else None
        if isinstance(item, Misfit):
            item = word if is_like_mark(word) else Unread(word)
        words.append(Word(start, end, word, item, error))
    return words
