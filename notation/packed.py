"""The turns of a game as integers, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy_extensions import i64

from .arrays import append, vec
from .codes import GROUP_ENDS, KIND, NO_VOTE, OTHER, VOTE

_FOLLOWED: Final = 1
# As in the dice for simulated games, the part of a product that is kept is the same with and without a limit of 64
# bits.
_MASK: Final = (1 << 62) - 1
_MULTIPLIER: Final = 0x2545F4914F6CDD1D
_INCREMENT: Final = 0x14057B7EF767814F


def mixed(number: i64, word: i64) -> i64:
    """Return a 62-bit number that stands for another number and the word that follows it.

    Two numbers, or two words of at most 62 bits, never give the same result.
    """
    number ^= word
    return (number ^ number >> 31) * _MULTIPLIER & _MASK


class Packed:
    """The turns of a game: two codes for each token (:mod:`tironian.notation.codes`), and where each turn begins."""

    def __init__(self) -> None:
        self.codes: vec[i64] = vec[i64]([])
        self.begins: vec[i64] = vec[i64]([])
        self.labels: vec[i64] = vec[i64]([])
        """For each turn, its number from bit 2 on, its side at bit 1, and whether other lines follow it at bit 0."""
        self.lines: vec[i64] = vec[i64]([])
        """The line of each turn in the source of its game."""
        self.others: dict[int, Any] = {}
        """For each token without its own code: the place of the codes → the token."""

    def __len__(self) -> int:
        return len(self.labels)

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        return _packed, (list(self.codes), list(self.begins), list(self.labels), list(self.lines), self.others)

    def add(self, number: i64, side: i64, codes: list[int], line: i64, followed: bool, tokens: Sequence[Any]) -> None:
        """Add a turn by its codes; ``tokens`` are needed if one of them has no code."""
        begin: i64 = len(self.codes)
        self.end_turn(begin, number << 2 | side << 1 | (_FOLLOWED if followed else 0), line)
        for at in range(len(codes)):
            if codes[at] == OTHER and not at & 1:
                self.others[begin + at] = tokens[at >> 1]
            self.codes = append(self.codes, codes[at])

    def end_turn(self, begin: i64, label: i64, line: i64) -> None:
        """Make a turn, without lines that follow it, from the codes beginning at ``begin``."""
        self.begins = append(self.begins, begin)
        self.labels = append(self.labels, label)
        self.lines = append(self.lines, line)

    def add_codes(self, codes: vec[i64]) -> None:
        """Add codes of turns; the array now belongs to this object."""
        if not len(self.codes):
            self.codes = codes
            return
        for code in codes:
            self.codes = append(self.codes, code)

    def cut(self, end: i64) -> None:
        """Remove the codes from ``end`` on, which don't belong to a turn."""
        self.codes = self.codes[:end]
        self.others = {at: token for at, token in self.others.items() if at < end}

    def join(self, other: Packed) -> None:
        """Add turns that no other lines follow; they now belong to this object."""
        base: i64 = len(self.codes)
        self.add_codes(other.codes)
        for at, token in other.others.items():
            self.others[base + at] = token
        for place in range(len(other)):
            self.end_turn(base + other.begins[place], other.labels[place], other.lines[place])

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
        """Return where the codes of a turn begin; after the last turn, where they all end."""
        return self.begins[place] if place < len(self.begins) else len(self.codes)

    def is_same(self, place: i64, other: i64) -> bool:
        """Return whether two turns have the same number, side and tokens."""
        begin, begun = self.begin(place), self.begin(other)
        size = self.begin(place + 1) - begin
        if self.labels[place] >> 1 != self.labels[other] >> 1 or size != self.begin(other + 1) - begun:
            return False
        for at in range(size):
            if self.codes[begin + at] != self.codes[begun + at]:
                return False
            if self.others and self.others.get(begin + at) != self.others.get(begun + at):
                return False
        return True

    def turn_codes(self, place: i64) -> list[int]:
        """Return the codes of a turn."""
        codes = self.codes
        return [codes[at] for at in range(self.begin(place), self.begin(place + 1))]

    def turns(self) -> tuple[list[int], list[int], list[int]]:
        """Return for each turn its number, its side and its number of tokens."""
        numbers, sides, lengths = list[int](), list[int](), list[int]()
        for place in range(len(self.labels)):
            numbers.append(self.number(place))
            sides.append(self.side(place))
            lengths.append((self.begin(place + 1) - self.begin(place)) >> 1)
        return numbers, sides, lengths

    def turn_count(self) -> int:
        """Return the number of turns, not counting the lines of the set-up."""
        count = 0
        for label in self.labels:
            if label >> 2:
                count += 1
        return count

    def moves(self) -> i64:
        """Return the moves as a 62-bit number, the same for all records of a game except for words without a code."""
        codes, labels = self.codes, self.labels
        number: i64 = 0
        begin: i64 = 0
        for place in range(len(labels)):
            end = self.begin(place + 1)
            number = mixed(number, labels[place] >> 1 << 20 ^ end - begin)
            while begin < end:
                number ^= codes[begin]
                number = (number ^ number >> 31) * _MULTIPLIER & _MASK  # a call would double the time in Python
                if codes[begin + 1]:  # most have none; inverted, it can't be the first code of another token
                    number = mixed(number, codes[begin + 1] ^ _INCREMENT)
                begin += 2
        return mixed(number, len(labels))

    def busts(self, span: i64, fewest: i64) -> tuple[i64, i64]:
        """Return a number for the busts in the first ``span`` turns of each side, which everybody sees (turn, side and
        group of each vote), and another number for as many turns after these. A number is 0 if there are fewer than
        ``fewest`` busts.
        """
        codes, labels = self.codes, self.labels
        first: i64 = 1
        second: i64 = 1
        early: i64 = 0
        late: i64 = 0
        for place in range(len(labels)):
            turn = labels[place] >> 2
            if 0 < turn <= 2 * span:
                for at in range(self.begin(place), self.begin(place + 1), 2):
                    kind = codes[at] & KIND
                    if kind == VOTE or kind == NO_VOTE:  # noqa: SIM109  # a tuple would be made each time
                        called = labels[place] >> 1 << GROUP_ENDS | codes[at] & (1 << GROUP_ENDS) - 1
                        if turn <= span:
                            first, early = mixed(first, called), early + 1
                        else:
                            second, late = mixed(second, called), late + 1
        return first if early >= fewest else 0, second if late >= fewest else 0


def _packed(codes: list[int], begins: list[int], labels: list[int], lines: list[int], others: dict[int, Any]) -> Packed:
    """Return packed turns from their pickled form, which has lists, since arrays could not be returned to Python."""
    packed = Packed()
    packed.codes = vec[i64]([i64(code) for code in codes])
    packed.begins = vec[i64]([i64(begin) for begin in begins])
    packed.labels = vec[i64]([i64(label) for label in labels])
    packed.lines = vec[i64]([i64(line) for line in lines])
    packed.others = others
    return packed
