"""The turns of a game that was read, or made as codes: everything about a turn that is built late is built here.

A turn itself is complete and never changes. This file is not compiled: if a class inherits from Sequence, mypyc treats
every sequence as an instance of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple, overload

from .codes import OTHER, decode, encoded
from .packed import Packed
from .record import Comment, Follower, Turn
from .tokens import Token

_decoded: Final = lru_cache(maxsize=1 << 14)(decode)
"""Tokens recur often, and making one takes longer than looking it up."""


class TurnExtras(NamedTuple):
    """What a turn has besides its tokens: marks, comments on its line, and the lines that follow it."""

    marks: tuple[str, ...] = ()
    notes: tuple[Comment, ...] = ()
    after: tuple[Follower, ...] = ()


_NOTHING: Final = TurnExtras()


class Movetext(Sequence[Turn]):
    """The turns of a game as codes; a turn is made from them when it is first needed, and kept from then on."""

    __slots__ = ("_made", "_rest", "packed")

    def __init__(self) -> None:
        self.packed = Packed()
        self._rest: dict[int, TurnExtras] = {}
        self._made: dict[int, Turn] = {}

    @classmethod
    def of(cls, turns: Sequence[Turn]) -> Movetext:
        """Return turns as movetext."""
        if isinstance(turns, Movetext):
            return turns
        text = cls()
        for turn in turns:
            text.add_turn(turn)
        return text

    def add(
        self,
        number: int,
        side: int,
        codes: list[int],
        line: int = -1,
        rest: TurnExtras = _NOTHING,
        tokens: Sequence[Token] = (),
    ) -> None:
        """Add a turn by its codes; ``tokens`` are needed if one of them has no code."""
        if any(rest):
            self._rest[len(self.packed)] = rest
        self.packed.add(number, side, codes, line, bool(rest.after), tokens)

    def add_read(self, packed: Packed, rest: TurnExtras) -> None:
        """Add a turn that was read on its own, with whatever else is on its line."""
        if any(rest):
            self._rest[len(self.packed)] = rest
        self.packed.join(packed)

    def add_turn(self, turn: Turn) -> None:
        """Add a complete turn."""
        self._made[len(self.packed)] = turn
        rest = TurnExtras(turn.marks, turn.notes, turn.after)
        self.add(turn.number, turn.side, encoded(turn.tokens), turn.line, rest, turn.tokens)

    def attach_followers(self, after: tuple[Follower, ...], place: int = -1) -> None:
        """Give a turn, usually the last, the lines that follow it, which completes it."""
        last = range(len(self.packed))[place]
        self._rest[last] = self.rest(last)._replace(after=after)
        if last in self._made:
            self._made[last] = replace(self._made[last], after=after)
        if place == -1:
            self.packed.follow_last()

    def rest(self, place: int) -> TurnExtras:
        """Return what a turn has besides its tokens."""
        return self._rest.get(place, _NOTHING)

    def token(self, number: int) -> Token:
        """Return one of the tokens of all turns, counted from 0."""
        at = 2 * number
        if at in self.packed.others:
            return self.packed.others[at]
        place = next(place for place in range(len(self)) if at < self.packed.begin(place + 1))
        return self[place].tokens[(at - self.packed.begin(place)) >> 1]

    def __len__(self) -> int:
        return len(self.packed)

    @overload
    def __getitem__(self, place: int) -> Turn: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Turn, ...]: ...
    def __getitem__(self, place: int | slice) -> Turn | tuple[Turn, ...]:
        if isinstance(place, slice):
            return tuple([self[index] for index in range(*place.indices(len(self)))])
        if place < 0:
            place += len(self)
        turn = self._made.get(place)
        if turn is None:
            if not 0 <= place < len(self):
                raise IndexError("there is no such turn")
            packed = self.packed
            begin, codes = packed.begin(place), packed.turn_codes(place)
            tokens = tuple(
                _decoded(codes[at], codes[at + 1]) if codes[at] != OTHER else packed.others[begin + at]
                for at in range(0, len(codes), 2)
            )
            turn = Turn(packed.number(place), packed.side(place), tokens, *self.rest(place), packed.line(place))
            self._made[place] = turn
        return turn

    def __eq__(self, other: object) -> bool:
        return self[:] == other[:] if isinstance(other, Movetext | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self[:])
