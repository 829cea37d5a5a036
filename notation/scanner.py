"""Bytes to codes: lines of turns with only known words, read without a string for each word.

Compiled, a word of up to seven bytes is itself an integer, which an open-addressed table turns into its codes. In
Python files the same lines are split, and dictionaries replace the table. A new word is packed from its letters, or
read by Lark, so only the grammar decides what is a word.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from .arrays import COMPILED, append, doubled, read_i64_le, vec
from .codes import CLASSES, OTHER, Codes, decode, encode
from .packed import Packed
from .shapes import first_half, order_by_shape, second_half, shaped
from .source import MAX_LINE_LENGTH, MAX_WORD_LENGTH
from .tokens import Spy
from .word_cache import LABELS, read_word

PADDING: Final = b"\n" + b" " * 15
"""Must follow the last line of the bytes to be scanned, since they are read eight at a time."""
_LABEL: Final = 0
_WORD: Final = 1
_FIRST: Final = 2
_SECOND: Final = 3
_KINDS: Final = 4
"""The kinds of things to look up: labels, words, the halves of votes before and after the colon."""
_EQUALS: Final = 61  # =
_STAR: Final = 42  # *
_COLON: Final = 58  # :
_SPACE: Final = 32
_END: Final = 10
_ENTRY: Final = 4
"""The integers in a table entry: its key, its two codes, and an unused one."""
_SIZE: Final = _ENTRY << 10
"""The number of integers in a new table."""


class Scanner:
    """Adds turns to a game's turns as long as their words are known, and learns words on the way.

    When it has ``most`` words and parts of words, it forgets them all.
    """

    def __init__(self, most: int = 1 << 15) -> None:
        self._most = most
        self.met: list[dict[bytes, Codes]] = [{} for _ in range(_KINDS)]
        """The codes of known words, by kind; in the compiled build, only the words that don't fit into the table."""
        self.others: list[Any] = []
        """The tokens without a code; their second code is their place here."""
        self._table: vec[i64] = vec[i64]([0] * _SIZE)
        """Words of up to seven bytes, in the compiled build."""
        self._count: i64 = 0
        self._codes: vec[i64] = vec[i64]([0] * 64)
        """Room for the codes of the current lines."""
        self._one: i64 = 0
        """The codes of the last word that was looked up."""
        self._two: i64 = 0

    def __len__(self) -> int:
        """Return the number of known words and parts of words."""
        return self._count

    def _codes_of(self, kind: i64, word: bytes) -> Codes | None:
        """Return the codes of a label, a word or half a vote; None if it is not one, or the codes don't hold all of
        it.
        """
        try:
            if kind == _LABEL:
                if not word[:-1].isdigit():
                    return None  # a comment or the result
                number, side = LABELS[word.decode("ascii")]
                return number << 2 | side << 1, 0
            if kind == _FIRST:
                codes = first_half(word)
            elif kind == _SECOND:
                codes = second_half(word)
            else:
                codes = shaped(word)
            if codes[0] != OTHER:
                return codes
            if kind != _WORD:
                return None
            token = order_by_shape(word) or read_word(word.decode("ascii"))
        except (KeyError, UnicodeDecodeError):
            return None
        codes = encode(token) if token.__class__ in CLASSES else (OTHER, 0)
        if codes[0] == OTHER:
            self.others.append(token)
            return OTHER, len(self.others) - 1
        # A hand that was looked at may be written in any order, so its line is parsed as a whole.
        return codes if not isinstance(token, Spy) or decode(*codes) == token else None

    def learn(self, kind: i64, word: bytes) -> Codes | None:
        """Return the codes of a new word, and remember them; None if it is not a word."""
        if self._count >= self._most:
            self._count = 0
            self._table = vec[i64]([0] * _SIZE)
            self.others = []
            for met in self.met:
                met.clear()
        codes = self._codes_of(kind, word) if len(word) <= MAX_WORD_LENGTH else None
        if codes is None:
            return None
        self._count += 1
        if COMPILED and 0 < len(word) < 8:
            self._put(kind, word, codes)
        else:
            self.met[kind][word] = codes
        return codes

    def _put(self, kind: i64, word: bytes, codes: Codes) -> None:
        """Put a word of up to seven bytes into the table, which grows before it is half full."""
        table = self._table
        if 2 * _ENTRY * self._count >= len(table):
            self._table = vec[i64]([0] * (2 * len(table)))
            for at in range(0, len(table), _ENTRY):
                if table[at]:
                    _enter(self._table, table[at], table[at + 1], table[at + 2])
        key = kind << 56
        for place in range(len(word)):
            byte: i64 = word[place]
            key |= byte << 8 * place
        _enter(self._table, key, codes[0], codes[1])

    def scan(self, data: bytes, pos: i64, stop: i64, packed: Packed, line: i64, most: i64) -> i64:
        """Add the turns of the lines from ``pos`` on, up to ``stop``, where PADDING follows or further lines.

        The first is the game's line number ``line``; at most ``most`` are added. Return the start of the first line
        that was not taken because it holds anything else.
        """
        if not COMPILED:
            return _split(self, data, pos, stop, packed, line, most)
        printed: i64 = 0x2121212121212121
        ones: i64 = 0x0101010101010101
        highs = ones << 7
        colons: i64 = 0x3A3A3A3A3A3A3A3A
        above: i64 = 0x1FFFFFFFFFFFFFF
        mix: i64 = 0x1E3779B97F4A7C15
        table = self._table
        last = len(table) - _ENTRY
        codes = self._codes
        self._codes = vec[i64]([0] * 64)  # another thread may scan while Lark reads a word
        begins, labels, lines, base = packed.begins, packed.labels, packed.lines, i64(len(packed.codes))
        start = pos  # where the line begins, and its codes
        begin: i64 = 0
        end: i64 = 0
        most += line
        kind: i64 = _LABEL
        label: i64 = 0
        first: i64 = 0
        while pos < stop and line < most:
            text = read_i64_le(data, pos)
            ends = (text - printed) & ~text & highs  # the highest bit of the lowest byte that ends it, and others above
            if kind == _FIRST:
                differs = text ^ colons
                ends |= (differs - ones) & ~differs & highs
            rest = ((ends & -ends) >> 7 & above) - 1  # the bits of the word
            size = (rest & ones) * ones >> 56
            if kind == _FIRST and rest > 0 and data[pos + size] != _COLON:
                kind = _WORD
            key = text & rest | kind << 56
            at = (key ^ key >> 29) * mix >> 40 & last
            while table[at] != key and table[at]:
                at = at + _ENTRY & last
            if rest > 0 and table[at] == key:
                one, two = table[at + 1], table[at + 2]
                pos += size
            else:
                pos = self._ask(data, pos, kind)
                if pos < 0:
                    break
                one, two = self._one, self._two
                table = self._table
                last = len(table) - _ENTRY
            sign: i64 = data[pos]
            if kind == _LABEL:
                label = one
            elif sign == _COLON:
                first = one
                kind = _SECOND
                pos += 1
                continue
            else:
                one |= first
                first = 0
                if not one:
                    packed.others[base + end] = self.others[two]
                    two = 0
                if end + 2 > len(codes):
                    codes = doubled(codes)
                codes[end], codes[end + 1] = one, two
                end += 2
            while sign == _SPACE:
                pos += 1
                sign = data[pos]
            if sign == _EQUALS or sign == _STAR:  # noqa: SIM109  # a tuple would be made each time
                kind = _FIRST
            elif sign > _SPACE:
                kind = _WORD
            elif sign != _END or pos >= stop or pos - start >= MAX_LINE_LENGTH:
                break
            else:
                begins, labels, lines = append(begins, base + begin), append(labels, label), append(lines, line)
                line += 1
                pos += 1
                start, begin, kind = pos, end, _LABEL
        packed.begins, packed.labels, packed.lines = begins, labels, lines
        packed.add_codes(codes[:begin])
        if end > begin:
            packed.cut(base + begin)
        self._codes = codes
        return start

    def _ask(self, data: bytes, pos: i64, kind: i64) -> i64:
        """Find the codes of a word that the table doesn't hold; return where it ends, or a negative number if it is not
        a word.
        """
        end = pos
        while data[end] > _SPACE and not (kind == _FIRST and data[end] == _COLON):
            end += 1
        if kind == _FIRST and data[end] != _COLON:
            kind = _WORD
        word = data[pos:end]
        codes = self.met[kind].get(word) or self.learn(kind, word)
        if codes is None:
            return -1
        self._one, self._two = codes
        return end


def _enter(table: vec[i64], key: i64, one: i64, two: i64) -> None:
    """Put codes into a table that has room and does not hold the key."""
    mix: i64 = 0x1E3779B97F4A7C15
    last = len(table) - _ENTRY
    at = (key ^ key >> 29) * mix >> 40 & last
    while table[at]:
        at = at + _ENTRY & last
    table[at], table[at + 1], table[at + 2] = key, one, two


if not COMPILED:

    def _split(scanner: Scanner, data: bytes, pos: int, stop: int, packed: Packed, line: int, most: int) -> int:
        """Do the same as :meth:`Scanner.scan`, word by word."""
        codes, begin = packed.codes, len(packed.codes)
        labels, words, firsts, seconds = scanner.met
        for place in range(line, line + most):
            feed = data.find(b"\n", pos, stop)
            parts = data[pos:feed].split() if 0 <= feed < pos + MAX_LINE_LENGTH else []
            label = (labels.get(parts[0]) or scanner.learn(_LABEL, parts[0])) if parts else None
            if label is None:
                break
            for word in parts[1:]:
                if word[0] in b"=*" and b":" in word:
                    first, _, second = word.partition(b":")
                    one = firsts.get(first) or scanner.learn(_FIRST, first)
                    two = seconds.get(second) or scanner.learn(_SECOND, second)
                    if one is None or two is None:
                        break
                    codes += one[0] | two[0], two[1]
                    continue
                known = words.get(word) or scanner.learn(_WORD, word)
                if known is None:
                    break
                if known[0] == OTHER:
                    packed.others[len(codes)] = scanner.others[known[1]]
                    known = (OTHER, 0)
                codes += known
            else:
                packed.end_turn(begin, label[0], place)
                pos, begin = feed + 1, len(codes)
                continue
            break
        packed.cut(begin)
        return pos
