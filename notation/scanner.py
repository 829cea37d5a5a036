"""Bytes to codes: lines of turns that hold nothing but known words, read without a string for each word.

Compiled, a word of up to seven bytes is itself an integer, which an open-addressed table turns into its codes. What the
table doesn't hold is asked of the phrase table once, so the grammar alone says what is a word. In Python files the same
lines are split, and dictionaries stand in for the table.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from .arrays import COMPILED, doubled, read_i64_le, vec
from .codes import ABOVE_WINNER, OTHER, WINNER_BITS
from .packed import Packed
from .source import LONGEST_LINE, LONGEST_WORD
from .word_cache import LABELS, WORDS, codes_of_word, first_code, second_code

PADDING: Final = b"\n" + b" " * 15
"""What must follow the last line of the bytes that are scanned, for they are read eight at a time."""
_LABEL: Final = 0
_WORD: Final = 1
_FIRST: Final = 2
_SECOND: Final = 3
_MOST: Final = 1 << 15
"""Words after which the table starts anew."""
_ROME: Final = 82  # R
_EGYPT: Final = 69  # E
_EQUALS: Final = 61  # =
_STAR: Final = 42  # *
_COLON: Final = 58  # :
_SPACE: Final = 32
_END: Final = 10


class Scanner:
    """Adds turns to those of a game as long as it knows their words, and learns words on the way."""

    def __init__(self) -> None:
        self._forget()
        self._codes: vec[i64] = vec[i64]([0] * 256)
        self._begins: vec[i64] = vec[i64]([0] * 64)
        self._labels: vec[i64] = vec[i64]([0] * 64)
        self._odd: list[tuple[int, Any]] = []
        """The tokens of the present lines that have no code, each with the place of its codes."""
        self._at: i64 = 0
        """Where the codes of the present lines end."""
        self._label: i64 = 0
        self._pos: i64 = 0
        """Where the word that was found last ends, and its codes."""
        self._one: i64 = 0
        self._two: i64 = 0

    def _forget(self) -> None:
        self._longs: list[dict[bytes, tuple[int, int]]] = [{} for _ in range(_SECOND + 1)]
        """The codes of longer words, and of parts of them."""
        self._others: list[Any] = []
        """The tokens that have no code; in place of a second one they have their place here."""
        self._begin_table(1 << 10)

    def _begin_table(self, size: int) -> None:
        self._size: i64 = size
        self._used: i64 = 0
        self._keys: vec[i64] = vec[i64]([0] * size)
        self._firsts: vec[i64] = vec[i64]([0] * size)
        self._seconds: vec[i64] = vec[i64]([0] * size)

    def _asked(self, kind: int, word: bytes) -> tuple[int, int] | None:
        """Return the codes of a word, or of a part of one, as the phrase table says; None where it is no such part."""
        try:
            return self._codes_of(kind, word.decode("ascii"))
        except (KeyError, UnicodeDecodeError):
            return None

    def _codes_of(self, kind: int, word: str) -> tuple[int, int] | None:
        if kind == _LABEL:
            number, side = LABELS[word]
            return number << 2 | side << 1, 0
        if kind == _WORD:
            codes = codes_of_word(word)
            if codes[0] == OTHER:
                self._others.append(WORDS[word])
                return OTHER, len(self._others) - 1
            return codes
        if kind == _FIRST:
            code = first_code(word)
            return None if code == OTHER else (code, 0)
        code = second_code(word)
        return None if code < 0 else (code & WINNER_BITS, code >> ABOVE_WINNER)

    def scan(self, data: bytes, pos: i64, stop: i64, packed: Packed, line: i64, most: i64) -> i64:
        """Add the turns of the lines from ``pos`` on, up to ``stop``, where a line ends and PADDING follows.

        The first is the game's line number ``line``; ``most`` are added. Return where the first line begins that
        was not taken, since it holds anything else.
        """
        if not COMPILED:
            return _split(data, pos, stop, packed, line, most)
        if self._used + sum([len(known) for known in self._longs]) + len(self._others) > _MOST:
            self._forget()
        self._odd = []
        begins, labels = self._begins, self._labels
        turn: i64 = 0
        at: i64 = 0
        while pos < stop and turn < most:
            end = self._line(data, pos, at)
            if end < 0 or end > stop or end - pos > LONGEST_LINE:
                break
            if turn == len(begins):
                begins = self._begins = doubled(begins)
                labels = self._labels = doubled(labels)
            begins[turn] = at
            labels[turn] = self._label
            turn += 1
            at = self._at
            pos = end
        while self._odd and self._odd[-1][0] >= at:  # of the line that was not taken
            self._odd.pop()
        packed.extend(self._codes[:at], begins[:turn], labels[:turn], line, self._odd)
        return pos

    def _line(self, data: bytes, pos: i64, at: i64) -> i64:
        """Read a line, and put the codes of its words from ``at`` on; return where the next line begins, a negative
        number where this one holds anything but known words.
        """
        if not self._find(data, pos, _LABEL):
            return -1
        self._label = self._one
        pos = self._pos
        out = self._codes
        while data[pos] != _END:
            if data[pos] != _SPACE:
                return -1
            pos += 1
            sign: i64 = data[pos]
            if sign == _SPACE:
                continue
            first: i64 = 0
            if not self._find(data, pos, _FIRST if sign == _EQUALS or sign == _STAR else _WORD):  # noqa: SIM109
                return -1
            if data[self._pos] == _COLON:
                first = self._one
                if not self._find(data, self._pos + 1, _SECOND):
                    return -1
            pos = self._pos
            if at + 2 > len(out):
                out = self._codes = doubled(out)
            out[at] = first | self._one
            out[at + 1] = self._two
            if not out[at]:
                self._odd.append((at, self._others[self._two]))
                out[at + 1] = 0
            at += 2
        self._at = at
        return pos + 1

    def _find(self, data: bytes, pos: i64, kind: i64) -> bool:
        """Find the codes of the label, the word, or the half of a vote that begins at ``pos``, and where it ends.

        Return whether it is one; a first half need not be one: it may be a word.
        """
        printed: i64 = 0x2121212121212121
        highs: i64 = ~0x7F7F7F7F7F7F7F7F
        ones: i64 = 0x0101010101010101
        text = read_i64_le(data, pos)
        ends = (text - printed) & ~text & highs  # of the lowest byte that ends it the highest bit, and others above
        if kind == _FIRST:
            colons: i64 = 0x3A3A3A3A3A3A3A3A
            differs = text ^ colons
            ends |= (differs - ones) & ~differs & highs
        above: i64 = 0x1FFFFFFFFFFFFFF
        rest = ((ends & -ends) >> 7 & above) - 1  # the bits of the word
        if rest <= 0:
            return rest < 0 and self._find_long(data, pos, kind)
        size = (rest & ones) * ones >> 56
        if kind == _FIRST and data[pos + size] != _COLON:
            kind = _WORD
        if kind == _LABEL and data[pos + size - 1] != _ROME and data[pos + size - 1] != _EGYPT:
            return False  # a comment or the result
        key = text & rest | kind << 56
        keys, last = self._keys, self._size - 1
        mix: i64 = 0x1E3779B97F4A7C15
        place = (key ^ key >> 29) * mix >> 40 & last  # as self._place: this is the path of every word
        while keys[place] and keys[place] != key:
            place = place + 1 & last
        if not keys[place]:
            if not self._learn(key, data[pos : pos + size]):
                return False
            place = self._place(key)
        self._one = self._firsts[place]
        self._two = self._seconds[place]
        self._pos = pos + size
        return True

    def _find_long(self, data: bytes, pos: i64, kind: i64) -> bool:
        """Find the codes of what has eight bytes and more."""
        end = pos
        while data[end] > _SPACE and not (kind == _FIRST and data[end] == _COLON):
            end += 1
        if kind == _FIRST and data[end] != _COLON:
            kind = _WORD
        word, longs = data[pos:end], self._longs[kind]
        codes = longs.get(word)
        if codes is None:
            codes = self._asked(kind, word) if len(word) <= LONGEST_WORD else None
            if codes is None:
                return False
            longs[word] = codes
        self._one, self._two = codes
        self._pos = end
        return True

    def _place(self, key: i64) -> i64:
        """Return where a key lies in the table, or the free place that is its."""
        mix: i64 = 0x1E3779B97F4A7C15
        keys, last = self._keys, self._size - 1
        place = (key ^ key >> 29) * mix >> 40 & last
        while keys[place] and keys[place] != key:
            place = place + 1 & last
        return place

    def _put(self, key: i64, first: i64, second: i64) -> None:
        place = self._place(key)
        self._keys[place], self._firsts[place], self._seconds[place] = key, first, second
        self._used += 1

    def _learn(self, key: i64, word: bytes) -> bool:
        """Put a word, or a part of one, into the table; return whether it is one."""
        codes = self._asked(key >> 56, word)
        if codes is None:
            return False
        if 2 * self._used >= self._size:
            keys, firsts, seconds = self._keys, self._firsts, self._seconds
            self._begin_table(2 * len(keys))
            for at in range(len(keys)):
                if keys[at]:
                    self._put(keys[at], firsts[at], seconds[at])
        self._put(key, codes[0], codes[1])
        return True


if not COMPILED:

    def _split(data: bytes, pos: int, stop: int, packed: Packed, line: int, most: int) -> int:
        """Do as :meth:`Scanner.scan` does, word by word."""
        codes, begins, labels, others = list[int](), list[int](), list[int](), list[tuple[int, Any]]()
        while pos < stop and len(labels) < most:
            end = data.index(b"\n", pos)
            text = data[pos:end]
            if end >= stop or len(text) >= LONGEST_LINE or not text.isascii():
                break
            words = text.decode("ascii").split()
            if not words or words[0][-1] not in "RE":
                break
            try:
                label = LABELS[words[0]]
                more = [code for word in words[1:] for code in codes_of_word(word)]
            except KeyError:  # a comment, a clock or a glyph is no token, so it ends up here as well
                break
            begin = len(codes)
            others += [(begin + 2 * at, WORDS[word]) for at, word in enumerate(words[1:]) if more[2 * at] == OTHER]
            begins.append(begin)
            labels.append(label[0] << 2 | label[1] << 1)
            codes += more
            pos = end + 1
        packed.extend(codes, begins, labels, line, others)
        return pos
