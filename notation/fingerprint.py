"""Games as numbers: by their moves, the same for two records whose turns say the same, however they are written; by
what all at the table saw, the same for their logs; players by their names, the same for two ways to spell one. And what
both players agreed to at the end: who did, and the checksum of the text that they agreed to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final

from .movetext import Movetext
from .packed import Packed
from .record import Game, Record
from .tokens import Token
from .writer import SIGNATURE_HEADERS, canonical_headers, known_text, write

_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"})
_MARKS: Final = ("Mn", "Cf")
COUNTS: Final = 1
"""The bit of such a number that says that the log counts."""
SPAN: Final = 6
"""Turns of each side in a part of a game by which its logs are known: two such parts, for one may have a slip in it."""
HALF: Final = 1 + SPAN
"""The turn with which the second part begins."""
FEWEST: Final = 4
"""Busts of a part below which it says nothing."""


def moves_of(game: Game) -> int:
    """Return the turns of a game as a number of 63 bits, made from their codes; 0 where nothing was played.

    Headers, comments, clocks, glyphs, alternatives, rulings and the result are none of its business. Of two games that
    differ one in 10 ** 19 has the same number.
    """
    return _moves(Movetext.of(game.record.turns).packed)


def _moves(packed: Packed) -> int:
    if not len(packed) or not packed.number(len(packed) - 1):
        return 0
    written = " ".join([_written(token) for token in packed.others.values()])
    return _number(written.encode("utf-8", "surrogatepass") + packed.moves())


def _written(token: Token) -> str:
    """Return how a token is written. Those of set-ups come again and again, as the same objects."""
    known = _WRITTEN.get(id(token))
    if known is None:
        if len(_WRITTEN) >= _MOST_WRITTEN:
            _WRITTEN.clear()
        known = _WRITTEN[id(token)] = token, known_text(token)
    return known[1]


_WRITTEN: Final[dict[int, tuple[Token, str]]] = {}
"""Identity of a token → the token, which is kept so that no other gets its identity, and how it is written."""
_MOST_WRITTEN: Final = 1 << 12


def marks_of(game: Game, *, counts: bool) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    """Return by what a game may be known: the number of its moves, those of its logs, and its players; nothing where
    nothing was played. ``counts``: whether it counts as a log.
    """
    packed = Movetext.of(game.record.turns).packed
    moves = _moves(packed)
    if not moves:
        return 0, (), ()
    headers = dict(reversed(game.record.headers))
    return moves, _logs(packed, headers, moves, counts), (headers.get("Caesar", ""), headers.get("Cleopatra", ""))


def _logs(packed: Packed, headers: dict[str, str], moves: int, counts: bool) -> tuple[int, ...]:
    """Return numbers of which two logs of one game share one at least; none for a game too short to be known by them.

    Each is of the event, the round and the players, and of what the busts of some turns called, or of all the ``moves``
    where a player is not known. The bit COUNTS says whether the log ``counts``.
    """
    parts = [busts for busts in (packed.busts(1, HALF), packed.busts(HALF, 1 + 2 * SPAN)) if len(busts) >= FEWEST]
    if not parts:
        return ()
    named = [folded(headers.get(name, "")) for name in ("Event", "Round", "Caesar", "Cleopatra")]
    told = [str(busts) for busts in parts] if named[2].strip("?") and named[3].strip("?") else [str(moves)]
    texts = ["\0".join([*named, each]).encode("utf-8", "surrogatepass") for each in told]
    return tuple([_number(text) & ~COUNTS | counts for text in texts])


@lru_cache(maxsize=10_000)
def spellings_of(name: str) -> tuple[int, int]:
    """Return two numbers of a player's name: as it is spelt, and the same for every spelling; twice 0 for nobody."""
    known = bool(name.strip("? "))
    spelt, any_way = (_number(text.encode("utf-8", "surrogatepass")) for text in (f"=\0{name}", f"~\0{folded(name)}"))
    return (spelt, any_way) if known else (0, 0)


@lru_cache(maxsize=10_000)
def folded(name: str) -> str:
    """Return a name without capitals, accents and needless spaces, ``ü`` and the like spelt out."""
    if name.isascii():
        return " ".join(name.lower().split())
    spelt = unicodedata.normalize("NFKC", name).casefold().translate(_SPELT_OUT)
    plain = "".join([char for char in unicodedata.normalize("NFD", spelt) if unicodedata.category(char) not in _MARKS])
    return " ".join(plain.split())


def _number(data: bytes) -> int:
    """Return bytes as a number of 63 bits."""
    return int.from_bytes(_blake2b()(data, digest_size=8).digest()) >> 1


@cache
def _blake2b() -> Any:
    try:
        from _blake2 import blake2b  # hashlib, which has it from there, would load OpenSSL as well
    except ImportError:
        from hashlib import blake2b
    return blake2b


CHECKSUM_FORM: Final = re.compile(r"\s*(?:[0-9a-fA-F]\s*){16}")
"""Sixteen digits, however they are grouped: somebody may have written them down by hand."""
_SIGNATURE: Final = frozenset(name.lower() for name in SIGNATURE_HEADERS)


def checksum(record: Record) -> str:
    """Return the checksum of a record's canonical text without its header ``Checksum``: ``3f2a 91c0 77de 04b1``.

    These are the first sixteen digits of its SHA-256, which can be read out and written on paper. They show that a text
    was changed, but are no proof against somebody who prepares two texts before anybody signs.
    """
    from hashlib import sha256  # it takes longer to load than most records take to be judged

    headers = tuple([header for header in record.headers if header[0].lower() != "checksum"])
    # Bytes that are no UTF-8 are kept as surrogates: they count as the bytes that they are in the file.
    text = write(replace(record, headers=headers)).encode("utf-8", "surrogateescape")
    digits = sha256(text).hexdigest()
    return " ".join(digits[start : start + 4] for start in range(0, 16, 4))


def signed(record: Record, by: Iterable[str]) -> Record:
    """Return the record with ``Signed``, who agreed to it (``("Caesar", "Cleopatra")``), and ``Checksum``.

    An earlier signature is replaced. The record must have its result and termination by then.
    """
    agreed = replace(record, headers=(*unsigned(record.headers), ("Signed", ", ".join(by))))
    return replace(record, headers=tuple(canonical_headers([*agreed.headers, ("Checksum", checksum(agreed))])))


def unsigned(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return headers for a text that is made from a signed one, and that nobody signed.

    Of a text with hidden cards not even the checksum may be passed on: trying out cards that fit it would find them.
    """
    return tuple([header for header in headers if header[0].lower() not in _SIGNATURE])


def was_changed(record: Record) -> bool:
    """Return whether the text differs from the one of which ``Checksum``, which must be valid, was taken."""
    return "".join(record.header("Checksum").split()).lower() != checksum(record).replace(" ", "")
