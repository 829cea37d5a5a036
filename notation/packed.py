"""The turns of a game as integers, one after the other, and the reading of lines that hold nothing but known words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy_extensions import i64

from .arrays import append, as_bytes, vec
from .codes import OTHER, Codes
from .game import LONGEST_LINE, MOST_LINES
from .phrases import CODES, FIRST_CODES, LABELS, SECOND_CODES

_FOLLOWED: Final = 1
_SIDE: Final = 2


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
        """Whether other lines follow a turn and belong to it."""
        return self.labels[place] & _FOLLOWED != 0

    def line(self, place: i64) -> i64:
        """Return the line of a turn."""
        return self.lines[place]

    def begin(self, place: i64) -> i64:
        """Return where the codes of a turn begin; behind the last turn where they all end."""
        return self.begins[place] if place < len(self.begins) else len(self.codes)

    def codes_of(self, place: i64) -> list[int]:
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
        codes, found = self.codes, list[int]()
        for place in range(len(self.labels)):
            for at in range(self.begin(place), self.begin(place + 1), 2):
                if codes[at] == OTHER:
                    found.append(place)
                    break
        return found

    def moves(self) -> list[memoryview]:
        """Return what was played as bytes, the same for all records of it but for words that have no code."""
        labels = vec[i64]([])
        for label in self.labels:
            labels = append(labels, label >> 1)
        return [as_bytes(labels), as_bytes(self.begins), as_bytes(self.codes)]

    def take(self, lines: Iterator[str], kept: list[str], room: i64) -> tuple[str | None, int]:
        """Add turns for as long as the lines hold nothing but known words, and keep these lines.

        Return the first other line, None behind the last one, and how much of the ``room`` in bytes is left.
        """
        for line in lines:
            # What is not ASCII takes more bytes than characters.
            size = len(line)
            if size > LONGEST_LINE or size > room or not line.isascii() or len(kept) >= MOST_LINES:
                return line, room
            words = line.split()
            if not words:
                return line, room
            begin: i64 = len(self.codes)
            try:
                label: tuple[int, int] = LABELS[words[0]]
                self.codes = add_codes(self.codes, words)
            except KeyError:
                # A comment, a clock or a glyph is no token, so it ends up here as well.
                self.codes = self.codes[:begin]
                return line, room
            number: i64 = label[0]
            self.begins = append(self.begins, begin)
            self.labels = append(self.labels, number << 2 | label[1] << 1)
            self.lines = append(self.lines, len(kept))
            kept.append(line)
            room -= size
        return None, room


def add_codes(codes: vec[i64], words: list[str]) -> vec[i64]:
    """Return the codes with those of the words behind the first. KeyError where one is no token.

    Most votes never come again, but their halves do.
    """
    for place in range(1, len(words)):
        word = words[place]
        first, colon, second = word.partition(":") if word[0] in "=*" else (word, "", "")
        if colon:
            one: int = FIRST_CODES[first]
            winner, more = SECOND_CODES[second]
            if one == OTHER or winner < 0:
                codes = append(append(codes, OTHER), 0)
            else:
                codes = append(append(codes, one | winner), more)
        else:
            found: Codes = CODES[word]
            codes = append(append(codes, found[0]), found[1])
    return codes
