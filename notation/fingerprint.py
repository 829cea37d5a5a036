"""The moves of a game as one number: the same for two records whose turns say the same, however they are written."""

from __future__ import annotations

from .game import Game
from .record import Movetext
from .writer import token_text


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

    written = " ".join([token_text(token) for place in packed.unusual() for token in turns.opening(place)[1]])
    digest = blake2b(written.encode("utf-8", "surrogatepass"), digest_size=8)
    for data in packed.moves():
        digest.update(data)
    return int.from_bytes(digest.digest()) >> 1
