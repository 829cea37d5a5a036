"""The phrase table: every word is read by Lark once and remembered.

A game consists of few distinct words, repeated endlessly; and of the many, draws above all, most differ only in which
cards and groups they name. To the grammar one card of a kind is as good as another, and so is one group; so Lark reads
the word with the first of them in place of all, and they are put back: a few hundred shapes stand for all there are.
Most votes never come again, but their halves do: what Rome shows there, and what Egypt shows. So the codes of the
halves are remembered, and votes are made from them.

The tables hold only what the grammar said, so they can be emptied at any time; they are, half by half, before they grow
without bound. The parser is imported when the first word is to be read: whoever works with records that were made
otherwise never waits for Lark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar
from zlib import crc32

from ..grammar import answers_text, grammar_text
from . import tokens as t
from .cards import CARDS, GROUPS, high_to_low
from .classes import dataclass
from .codes import (
    ABOVE_WINNER,
    OTHER,
    WINNER_BITS,
    Codes,
    counts_of,
    decode,
    encode,
    sequence_of,
    with_cards,
    with_castled,
    with_rome,
)
from .record import Comment, LineContent, Result, Turn
from .tokens import Token, Unread

MOST: Final = 20_000
"""Entries after which a table starts anew."""

FEW: Final = 1_000
"""Entries of a table of texts that seldom come again, and texts that a table remembers as ones that can't be read."""
LONGEST_KEPT: Final = 300
"""Characters of a text that is remembered."""

_HALF: Final = MOST // 2
"""Entries up to which votes are remembered as well."""

Shaped: TypeAlias = t.Scout | t.Draw | t.Discard | t.Castle | t.ActionOrder
"""Tokens that hold nothing but cards and groups beside what their shape says."""
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


class WordTable(Table[Token]):
    """Word → token. A word that is no token, or no word at all, raises KeyError."""

    def __missing__(self, text: str) -> Token:
        if ":" in text and text[0] in "=*":
            code, more = codes_of_word(text)
            if code != OTHER:
                token = decode(code, more)
                # Into a full table they are not put: those that come often also come early, the others never again.
                if len(self) < _HALF and len(text) <= LONGEST_KEPT:
                    self[text] = token
                return token
        return super().__missing__(text)


def _word(text: str) -> Token:
    """Return the token of a word. Raise KeyError for a mark or a comment."""
    if text[:1] in MARK_SIGNS or ";" in text or "{" in text:
        raise KeyError(text)
    value = (_by_shape(text) if text[:1] in _SHAPED else None) or read_item(text)
    if isinstance(value, str | Comment | Misfit):
        raise KeyError(text)
    return value


def _only(kind: type[Meaning], value: object, text: str) -> Meaning:
    """Return a value of a kind. Raise KeyError, for the text that says it, where it is of another."""
    if not isinstance(value, kind):
        raise KeyError(text)
    return value


def _codes(text: str) -> Codes:
    """Return the codes of a word; draws and discards by way of their shape, votes by their halves."""
    if text[:1] in ("+", "-") and (cards := sequence_of(text[1:])) >= 0:
        shape = text[0] + "1" * (len(text) - 1)
        if shape != text and (code := CODES[shape][0]) != OTHER:
            return with_cards(code, cards), 0
    if text[:1] == "c" and (castled := _CASTLED.fullmatch(text)):
        one, cards, other, others = castled.groups()
        shape = f"cA({'1' * len(cards)})A({'1' * len(others)})"
        sequences = sequence_of(cards), sequence_of(others)
        if shape != text and min(sequences) >= 0 and (known := CODES[shape])[0] != OTHER:
            return with_castled(known, (GROUPS[one], GROUPS[other]), sequences)
    token = WORDS[text]
    codes = encode(token)
    if isinstance(token, t.Spy) and codes[0] != OTHER and decode(*codes) != token:
        raise KeyError(text)  # a hand in any order: its line is read as it is
    return codes


def codes_of(words: Iterable[str]) -> list[int]:
    """Return the codes of words, two for each. KeyError where one is no token."""
    return [code for word in words for code in codes_of_word(word)]


def codes_of_word(text: str) -> Codes:
    """Return the codes of a word. KeyError where it is no token.

    Most votes never come again, but their halves do. ``get`` finds what a table holds in a third of the time that an
    index takes, since a table is a dictionary with a way to find more; the index is for what it does not hold yet.
    """
    first, colon, second = text.partition(":")
    if not colon or text[0] not in "=*":
        return CODES.get(text) or CODES[text]
    one, two = FIRST_CODES[first], SECOND_CODES[second]
    return (OTHER, 0) if one == OTHER or two < 0 else (one | two & WINNER_BITS, two >> ABOVE_WINNER)


def first_code(text: str) -> int:
    """Return the code of a vote's first half, OTHER where it has none. KeyError where it is no such half."""
    counts = counts_of(text[2:])
    if counts >= 0 and text[1:2] in GROUPS:
        shape = f"{text[0]}A{'1' * (len(text) - 2)}"
        if shape != text and (code := FIRST_CODES[shape]) != OTHER:
            return with_rome(code, GROUPS[text[1]], counts)
    vote = read_item(text + ":")
    if not isinstance(vote, t.AnyVote):
        raise KeyError(text)
    return encode(vote)[0]


def second_code(text: str) -> int:
    """Return the code of a vote's second half, -1 where it has none. KeyError where it is no such half."""
    letters, sign, winner = text.partition(">")
    if (counts := counts_of(letters)) >= 0:
        shape = f"{'1' * len(letters)}{sign}{winner}"
        if shape != text and (code := SECOND_CODES[shape]) >= 0:
            return code & WINNER_BITS | counts << ABOVE_WINNER
    code, more = encode(_only(t.Vote, read_item("=P:" + text), text))
    return code & WINNER_BITS | more << ABOVE_WINNER if code != OTHER else -1


MARK_SIGNS: Final = frozenset("@!?$")
"""What a clock or a glyph begins with. Those of comments may stand anywhere in a word, and never in a token."""
_SHAPED: Final = tuple("+-cas")
_INFLUENCE: Final = "12345pi"
_ALIKE: Final = str.maketrans(_INFLUENCE + "ACKPQS", "1" * len(_INFLUENCE) + "A" * 6)
"""In votes, castlings and scouts: one influence card is as good as another, and one group."""
_ALL_ALIKE: Final = str.maketrans("".join(CARDS), "1" * len(CARDS))
"""In draws, discards and the order of the pile: one card is as good as another."""

_CASTLED: Final = re.compile(rf"c([{''.join(GROUPS)}])\(([{_INFLUENCE}]*)\)([{''.join(GROUPS)}])\(([{_INFLUENCE}]*)\)")
_DIGITS_ALIKE: Final = str.maketrans("023456789", "1" * 9)


def _by_shape(word: str) -> Token | None:
    """Return a word's token by way of its shape, or None where Lark has to read the word itself."""
    sign = word[0]
    shape = sign + word[1:].translate(_ALIKE if sign in "cs" else _ALL_ALIKE)
    token = SHAPES[shape]
    if token is None or shape == word:
        return token
    if isinstance(token, t.Scout):
        return t.Scout(GROUPS[word[1]], token.seen and high_to_low([CARDS[letter] for letter in word[3:-1]]))
    if isinstance(token, t.Castle):
        if token.cards_first is None or token.cards_second is None:
            return None
        first, second = [GROUPS[letter] for letter in word if letter in GROUPS]
        cards = tuple([CARDS[letter] for letter in word[1:] if letter in _INFLUENCE])
        return t.Castle(first, second, cards[: len(token.cards_first)], cards[len(token.cards_first) :])
    return token.__class__(tuple([CARDS[letter] for letter in word[1:] if letter in CARDS]))


def _label(text: str) -> tuple[int, int]:
    """Return number and side of a label; digits are interchangeable, so that Lark reads one number of each length."""
    # What is glued to a label would be read with it.
    turn = _only(Turn, LINES[text.translate(_DIGITS_ALIKE)] if text[:-1].isdecimal() else None, text)
    return int(text[:-1]), turn.side


WORDS: Final = WordTable(_word)
MARKS: Final = Table(lambda text: _only(str, read_item(text), text))
"""Word → the same word, where it is a clock or a glyph. Any other raises KeyError."""
CODES: Final = Table(_codes)
"""Word that is no vote → the codes of its token. KeyError where there is no token, or its codes don't tell it whole."""
FIRST_CODES: Final = Table(first_code)
"""A vote up to its colon → its code without the winner; OTHER where it has none."""
SECOND_CODES: Final = Table(second_code)
"""A vote behind its colon → the winner as in a code, and above ABOVE_WINNER the second code; negative: it has none.
One integer, since they are looked up at every vote."""
SHAPES: Final = Table(lambda text: value if isinstance(value := read_item(text), Shaped) else None)
"""Word with its cards and groups all alike → its token; None where it is none that they can be put back into."""
LABELS: Final = Table(_label)
"""First word of a turn line → number and side. A word that is no label raises KeyError."""
HEADS: Final = Table(lambda text: _only(tuple, read_line(f'{text}""]'), text)[0])
"""What stands before a header's value, as ``[Event`` → the header's name. KeyError where it is no header."""
LINES: Final = Table(read_line, FEW)
"""Whole line → what it says; a Misfit where it doesn't fit the grammar."""
ITEMS: Final = Table(read_item, FEW)
"""Word of a turn that has others which can't be read → what it says; a Misfit where it is none either."""


@lru_cache(maxsize=1 << 10)
def read_header(line: str) -> tuple[str, str] | None:
    """Return a header whose value needs no reading, so that its beginning decides what the line says; else None.

    Remembered, since games of one file share most of their headers; so not to be called with endless lines.
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
