"""Games as numbers: one for the moves, equal for two records whose turns say the same, however they are written; others
for what everybody at the table saw, equal for logs of the same game; and numbers for players' names, equal for two
spellings of a name. Also signatures: who agreed to a record at the end, and the checksum of its text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from mypy_extensions import i64

from .movetext import Movetext
from .packed import Packed, mixed
from .record import Game, Record
from .tokens import ActionOrder, Token
from .writer import SIGNATURE_HEADERS, canonical_headers, known_text, write

_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"})
_MARKS: Final = ("Mn", "Cf")
COUNTS: Final = 1
"""The bit of a log's number that says that the log counts."""
PART_TURNS: Final = 6
"""The number of each side's turns in a part of a game that identifies its logs; there are two such parts, since one may
contain a slip.
"""
MIN_BUSTS: Final = 4
"""The fewest busts that make a part recognisable."""


def moves_of(game: Game) -> int:
    """Return the turns of a game as a 62-bit number computed from their codes; 0 if nothing was played.

    Headers, comments, clocks, glyphs, alternatives, rulings and the result don't count. The chance that two different
    games have the same number is one in 10 ** 18, but two such games can be made on purpose.
    """
    return _moves(Movetext.of(game.record.turns).packed)


def _moves(packed: Packed) -> i64:
    if not len(packed) or not packed.number(len(packed) - 1):
        return 0
    number = packed.moves()
    for token in packed.others.values():
        if type(token) is ActionOrder:  # unlike other set-ups, these hardly ever occur again
            for card in token.cards:
                number = mixed(number, card)
            number = mixed(number, len(token.cards))
        else:
            number = mixed(number, _written(token))
    return number


def _written(token: Token) -> int:
    """Return a number for a token as written. The tokens of set-ups recur often, as the same objects."""
    known = _WRITTEN.get(id(token))
    if known is None:
        if len(_WRITTEN) >= _MAX_CACHED_WORDS:
            _WRITTEN.clear()
        known = _WRITTEN[id(token)] = token, _number(0, known_text(token))
    return known[1]


_WRITTEN: Final[dict[int, tuple[Token, int]]] = {}
"""Identity of a token → the token, which is kept so that no other gets its identity, and a number for its text."""
_MAX_CACHED_WORDS: Final = 1 << 12


def game_identifiers(game: Game, *, counts: bool) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    """Return what identifies a game: the number of its moves, the numbers of its logs, and its players; nothing if
    nothing was played. ``counts`` says whether it counts as a log.
    """
    record = game.record
    packed = Movetext.of(record.turns).packed
    moves = _moves(packed)
    if not moves:
        return 0, (), ()
    headers = record.headers
    players = _first(headers, "Caesar"), _first(headers, "Cleopatra")
    return moves, _logs(packed, headers, players, moves, counts), players


def _first(headers: tuple[tuple[str, str], ...], name: str) -> str:
    """Return the value of the first header with this name, or an empty text if there is none."""
    for known, value in headers:
        if known == name:
            return value
    return ""


def _logs(
    packed: Packed, headers: tuple[tuple[str, str], ...], players: tuple[str, str], moves: i64, counts: bool
) -> tuple[int, ...]:
    """Return numbers of which two logs of one game share at least one; none for a game that is too short.

    Each is computed from the event, the round and the players, and from what the busts in some turns called, or from
    all the ``moves`` if a player is not known. The bit COUNTS says whether the log ``counts``.
    """
    first, second = packed.busts(PART_TURNS, MIN_BUSTS)
    if not (first or second):
        return ()
    number, known = _pairing(_first(headers, "Event"), *players)
    number = mixed(number, _spelling_key(_first(headers, "Round")))
    if not known:
        return (mixed(number, moves) & ~COUNTS | counts,)
    return tuple([mixed(number, part) & ~COUNTS | counts for part in (first, second) if part])


def pairing_of(headers: tuple[tuple[str, str], ...]) -> int:
    """Return a number for the event, the round and the players, however they are spelt; 0 if the round or a player is
    not known.
    """
    number, known = _pairing(*[_first(headers, name) for name in ("Event", "Caesar", "Cleopatra")])
    round_ = _first(headers, "Round")
    return mixed(number, _spelling_key(round_)) if known and folded(round_).strip("?") else 0


@lru_cache(maxsize=10_000)
def _pairing(event: str, caesar: str, cleopatra: str) -> tuple[int, bool]:
    """Return a number for an event and its players, however they are spelt, and whether both players are known."""
    number = mixed(mixed(mixed(0, _spelling_key(event)), _spelling_key(caesar)), _spelling_key(cleopatra))
    return number, bool(folded(caesar).strip("?") and folded(cleopatra).strip("?"))


@lru_cache(maxsize=10_000)
def spellings_of(name: str) -> tuple[int, int]:
    """Return two numbers for a player's name: one for its spelling, and one that is the same for every spelling; both
    are 0 for nobody.
    """
    return (_number(1, name), _spelling_key(name)) if name.strip("? ") else (0, 0)


def _spelling_key(name: str) -> i64:
    """Return a number that is the same for every spelling of a name."""
    return _number(2, folded(name))


def folded(name: str) -> str:
    """Return a name in lower case, without accents and extra spaces, with ``ü`` and the like spelt out."""
    if name.isascii():
        return " ".join(name.lower().split())
    spelt = unicodedata.normalize("NFKC", name).casefold().translate(_SPELT_OUT)
    plain = "".join([char for char in unicodedata.normalize("NFD", spelt) if unicodedata.category(char) not in _MARKS])
    return " ".join(plain.split())


def _number(number: i64, text: str) -> i64:
    """Return a 62-bit number for a text and a ``number`` that says what kind of text it is."""
    for at in range(len(text)):
        number = mixed(number, ord(text[at]))
    return mixed(number, len(text))


CHECKSUM_FORM: Final = re.compile(r"\s*(?:[0-9a-fA-F]\s*){16}")
"""Sixteen digits in any grouping: they may have been written down by hand."""
_SIGNATURE: Final = frozenset(name.lower() for name in SIGNATURE_HEADERS)


def checksum(record: Record) -> str:
    """Return the checksum of a record's canonical text without its header ``Checksum``: ``3f2a 91c0 77de 04b1``.

    These are the first sixteen digits of its SHA-256, which can be read out and written on paper. They show that a text
    was changed, but don't protect against somebody who prepares two texts before signing.
    """
    from hashlib import sha256  # loading this takes longer than judging most records

    headers = tuple([header for header in record.headers if header[0].lower() != "checksum"])
    # Bytes that are not UTF-8 are kept as surrogates; here they count as the original bytes.
    text = write(replace(record, headers=headers)).encode("utf-8", "surrogateescape")
    digits = sha256(text).hexdigest()
    return " ".join(digits[start : start + 4] for start in range(0, 16, 4))


def signed(record: Record, by: Iterable[str]) -> Record:
    """Return the record with ``Signed``, who agreed to it (``("Caesar", "Cleopatra")``), and ``Checksum``.

    An earlier signature is replaced. The record must already have its result and termination.
    """
    agreed = replace(record, headers=(*unsigned(record.headers), ("Signed", ", ".join(by))))
    return replace(record, headers=tuple(canonical_headers([*agreed.headers, ("Checksum", checksum(agreed))])))


def unsigned(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return headers for a text that is made from a signed one but was not signed itself.

    Not even the checksum of a text with hidden cards may be passed on: trying out cards would reveal them.
    """
    return tuple([header for header in headers if header[0].lower() not in _SIGNATURE])


def was_changed(record: Record) -> bool:
    """Return whether the text differs from the one from which ``Checksum`` was computed; that header must be valid."""
    return "".join(record.header("Checksum").split()).lower() != checksum(record).replace(" ", "")
