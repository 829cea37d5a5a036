"""The moves of a game as one number: the same for two records whose turns say the same, however they are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .game import Game
from .phrases import WORDS, Table
from .record import Movetext, Turn
from .writer import token_text


class _Canonical(Table[str]):
    """Word of a turn line → the same as the writer writes it. KeyError for what is no token."""

    def read(self, text: str) -> str:
        return token_text(WORDS[text])


_CANONICAL: Final = _Canonical()


def moves_of(game: Game) -> int:
    """Return the turns of a game as a number of 63 bits, made from their codes; 0 where nothing was played.

    Headers, comments, clocks, glyphs, alternatives, rulings and the result are none of its business. Of two games that
    differ one in 10 ** 19 has the same number.
    """
    turns = Movetext.of(game.record.turns)
    packed = turns.packed
    if not len(packed) or not packed.number(len(packed) - 1):
        return 0
    from hashlib import blake2b  # it takes a moment to load, and only archives ask for moves

    written = " ".join([word for place in packed.unusual() for word in _words(turns[place])])
    digest = blake2b(written.encode("utf-8", "surrogatepass"), digest_size=8)
    for each in packed.moves():
        digest.update(each)
    return int.from_bytes(digest.digest()) >> 1


def _words(turn: Turn) -> Iterable[str]:
    if turn.words:
        return map(_CANONICAL.__getitem__, turn.words)
    return map(token_text, turn.tokens)
