"""The moves of a game as one number: the same for two records whose turns say the same, however they are written."""

from __future__ import annotations

from itertools import chain
from typing import Final

from .cards import SIDE_LETTERS
from .game import Game
from .phrases import FIRST_HALVES, LABELS, SECOND_HALVES, WORDS, Table
from .tokens import Vote
from .writer import token_text


class _Canonical(Table[str]):
    """Word of a turn line → the same as the writer writes it. KeyError for what is neither a label nor a token.

    A vote is two words here, since most votes come once and their halves again and again.
    """

    def read(self, text: str) -> str:
        if text.endswith(":"):
            make, group, rome = FIRST_HALVES[text[:-1]]
            return token_text(make(group, rome, (), None))
        if text.startswith(_SECOND):
            written = token_text(Vote(0, (), *SECOND_HALVES[text.removeprefix(_SECOND)]))
            return _SECOND + written.partition(":")[2]
        try:
            number, side = LABELS[text]
        except KeyError:
            return token_text(WORDS[text])
        return _label(number, side)


def _label(number: int, side: int) -> str:
    return f"\n{number}{SIDE_LETTERS[side]}"


_SECOND: Final = "\0"
"""What the second half of a vote begins with, so that it is no other word."""
_CANONICAL: Final = _Canonical()


def moves_of(game: Game) -> int:
    """The turns of a game as a number of 63 bits, made from their canonical text; 0 where nothing was played.

    Headers, comments, clocks, glyphs, alternatives, rulings and the result are none of its business. Of two games that
    differ one in 10 ** 19 has the same number.
    """
    turns = game.record.turns
    if not turns or not turns[-1].number:
        return 0
    lines = game.source.lines
    try:
        if any(turn.marks or turn.notes for turn in turns):
            raise KeyError
        words = list(map(_CANONICAL.__getitem__, _halved(" ".join([lines[turn.line] for turn in turns])).split()))
    except KeyError:
        written = chain.from_iterable((_label(turn.number, turn.side), *map(token_text, turn.tokens)) for turn in turns)
        words = [_halved(" ".join(written))]
    from hashlib import blake2b  # it takes a moment to load, and only archives ask for moves

    text = " ".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest()) >> 1


def _halved(text: str) -> str:
    return text.replace(":", ": " + _SECOND)
