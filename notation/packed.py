"""The turns of a game as integers, one after the other, and the reading of lines that hold nothing but known words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mypy_extensions import i64

from .arrays import append, as_bytes, vec
from .codes import (
    ABOVE_WINNER,
    CASTLE,
    GROUP_ENDS,
    KIND,
    NO_VOTE,
    OTHER,
    SPECIAL_VOTE,
    SPY,
    VOTE,
    WINNER_BITS,
)
from .source import LONGEST_LINE, MOST_LINES
from .word_cache import CODES, FIRST_CODES, LABELS, MORE_CODES, SECOND_CODES

_FOLLOWED: Final = 1
SECOND_ASKED: Final = 1 << VOTE | 1 << SPECIAL_VOTE | 1 << CASTLE | 1 << SPY
"""Kinds of tokens that may have a second code, as bits."""
_EGYPT: Final = 69  # E
_ROME: Final = 82  # R
_EQUALS: Final = 61  # =
_STAR: Final = 42  # *


class Packed:
    """The turns of a game: two codes for each token (:mod:`tironian.notation.codes`), and where each turn begins."""

    def __init__(self) -> None:
        self.codes: vec[i64] = vec[i64]([])
        self.begins: vec[i64] = vec[i64]([])
        self.labels: vec[i64] = vec[i64]([])
        """For each turn its number from bit 2 on, its side at 1, and whether other lines follow it at 0."""
        self.lines: vec[i64] = vec[i64]([])
        """The line of each turn in the source of its game."""

    def __len__(self) -> int:
        return len(self.labels)

    def __reduce__(self) -> tuple[Any, tuple[list[int], ...]]:
        return _packed, (list(self.codes), list(self.begins), list(self.labels), list(self.lines))

    def add(self, number: i64, side: i64, codes: list[int], line: i64, followed: bool) -> None:
        """Add a turn."""
        self.begins = append(self.begins, len(self.codes))
        self.labels = append(self.labels, number << 2 | side << 1 | (_FOLLOWED if followed else 0))
        self.lines = append(self.lines, line)
        for code in codes:
            self.codes = append(self.codes, code)

    def follow_last(self) -> None:
        """Note that other lines follow the last turn."""
        last = len(self.labels) - 1
        self.labels[last] = self.labels[last] | _FOLLOWED

    def number(self, place: i64) -> i64:
        """Return the number of a turn."""
        return self.labels[place] >> 2

    def side(self, place: i64) -> i64:
        """Return the side of a turn."""
        return self.labels[place] >> 1 & 1

    def is_followed(self, place: i64) -> bool:
        """Return whether other lines follow a turn and belong to it."""
        return self.labels[place] & _FOLLOWED != 0

    def line(self, place: i64) -> i64:
        """Return the line of a turn."""
        return self.lines[place]

    def begin(self, place: i64) -> i64:
        """Return where the codes of a turn begin; behind the last turn where they all end."""
        return self.begins[place] if place < len(self.begins) else len(self.codes)

    def turn_codes(self, place: i64) -> list[int]:
        """Return the codes of a turn."""
        codes = self.codes
        return [codes[at] for at in range(self.begin(place), self.begin(place + 1))]

    def numbered(self) -> int:
        """Return how many turns there are, not counting the lines of the set-up."""
        count = 0
        for label in self.labels:
            if label >> 2:
                count += 1
        return count

    def unusual(self) -> list[int]:
        """Return the places of turns with words that have no code: the lines of the set-up above all."""
        codes, places = self.codes, list[int]()
        for place in range(len(self.labels)):
            for at in range(self.begin(place), self.begin(place + 1), 2):
                if codes[at] == OTHER:
                    places.append(place)
                    break
        return places

    def moves(self) -> list[memoryview]:
        """Return what was played as bytes, the same for all records of it but for words that have no code."""
        labels = vec[i64]([])
        for label in self.labels:
            labels = append(labels, label >> 1)
        return [as_bytes(labels), as_bytes(self.begins), as_bytes(self.codes)]

    def busts(self, end: i64) -> list[int]:
        """Return what each bust before turn number ``end`` called, which everybody sees: a number for its turn, its
        side and the vote's group.
        """
        codes, found = self.codes, list[int]()
        for place in range(len(self.labels)):
            if 0 < self.number(place) < end:
                for at in range(self.begin(place), self.begin(place + 1), 2):
                    if codes[at] & KIND in (VOTE, NO_VOTE):
                        found.append(self.labels[place] >> 1 << GROUP_ENDS | codes[at] & (1 << GROUP_ENDS) - 1)
        return found

    def take(self, lines: Iterator[str], kept: list[str], room: i64) -> tuple[str | None, int]:
        """Add turns for as long as the lines hold nothing but known words, and keep these lines.

        Return the first other line, None behind the last one, and how much of the ``room`` in bytes is left.
        """
        labels: dict[str, tuple[int, int]] = LABELS  # as a local name: it is looked up at every line
        count: i64 = len(kept)
        for line in lines:
            # What is not ASCII takes more bytes than characters.
            size = len(line)
            if size > LONGEST_LINE or size > room or not line.isascii() or count >= MOST_LINES:
                return line, room
            words = line.split()
            if not words:
                return line, room
            side = ord(words[0][-1])
            if side not in (_ROME, _EGYPT):  # no label, but a comment or the result
                return line, room
            begin: i64 = len(self.codes)
            try:
                label = labels.get(words[0]) or labels[words[0]]
                self.codes = add_codes(self.codes, words, 1)
            except KeyError:
                # A comment, a clock or a glyph is no token, so it ends up here as well.
                self.codes = self.codes[:begin]
                return line, room
            number: i64 = label[0]
            self.begins = append(self.begins, begin)
            self.labels = append(self.labels, number << 2 | label[1] << 1)
            self.lines = append(self.lines, count)
            kept.append(line)
            count += 1
            room -= size
        return None, room


def _packed(codes: list[int], begins: list[int], labels: list[int], lines: list[int]) -> Packed:
    """Return packed turns as they were pickled: Python hands over lists, for it would not get arrays back."""
    packed = Packed()
    packed.codes = vec[i64]([i64(code) for code in codes])
    packed.begins = vec[i64]([i64(begin) for begin in begins])
    packed.labels = vec[i64]([i64(label) for label in labels])
    packed.lines = vec[i64]([i64(line) for line in lines])
    return packed


def add_codes(codes: vec[i64], words: list[str], begin: i64) -> vec[i64]:
    """Return the codes with those of the words from ``begin`` on. KeyError where one is no token.

    Most votes never come again, but their halves do. ``get`` finds what a table holds in a third of the time that an
    index takes, since a table is a dictionary with a way to find more; the index is for what it does not hold yet.
    """
    known: dict[str, int] = CODES
    firsts: dict[str, int] = FIRST_CODES
    seconds: dict[str, int] = SECOND_CODES
    for place in range(begin, len(words)):
        word = words[place]
        sign = ord(word[0])
        if sign in (_EQUALS, _STAR) and ":" in word:
            first, _, second = word.partition(":")
            first_code, second_code = firsts.get(first), seconds.get(second)
            one: i64 = firsts[first] if first_code is None else first_code
            two: i64 = seconds[second] if second_code is None else second_code
            if one == OTHER or two < 0:
                codes = append(append(codes, OTHER), 0)
            else:
                codes = append(append(codes, one | two & WINNER_BITS), two >> ABOVE_WINNER)
            continue
        known_code = known.get(word)
        code: i64 = known[word] if known_code is None else known_code
        more: i64 = 0
        if SECOND_ASKED >> (code & KIND) & 1:
            more = MORE_CODES[word]
        codes = append(append(codes, code), more)
    return codes


def codes_of(words: list[str]) -> list[int]:
    """Return the codes of words. KeyError where one is no token."""
    return list(add_codes(vec[i64]([]), words, 0))
