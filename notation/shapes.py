"""Words to codes by way of their shapes.

For the grammar, all cards of a kind are alike, and so are all groups. So Lark reads a word in which the first one
replaces all others, its shape, and the actual cards and groups are put into the shape's codes: about a hundred shapes
stand for all words with many forms. Votes seldom recur, but their halves do, so votes are put together from halves.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from . import codes
from .cards import CARD_LETTERS, GROUP_LETTERS, SOME_INFLUENCE
from .codes import MAX_CARDS, MAX_COPIES, OTHER, UNKNOWN_SLOT, Codes, encode
from .source import MAX_WORD_LENGTH
from .tokens import ActionOrder

_PLUS: Final = 43  # +
_MINUS: Final = 45  # -
_EQUALS: Final = 61  # =
_STAR: Final = 42  # *
_OPEN: Final = 40  # (
_CLOSE: Final = 41  # )
_SCOUT: Final = 115  # s
_CASTLING: Final = 99  # c
_NONE: Final = 255


def _places(letters: str) -> bytes:
    """Return for each byte its place among some letters, or _NONE if it is not one of them."""
    return bytes([letters.find(chr(each)) & _NONE for each in range(256)])


_INFLUENCE: Final = CARD_LETTERS[:UNKNOWN_SLOT] + CARD_LETTERS[SOME_INFLUENCE]
"""The letters of influence cards, each at its place in the counts of a column."""
_CARD: Final = _places(CARD_LETTERS)
_SLOT: Final = _places(_INFLUENCE)
_GROUP: Final = _places(GROUP_LETTERS)
_ALIKE: Final = bytes.maketrans(
    f"{_INFLUENCE}{GROUP_LETTERS}".encode(), b"1" * len(_INFLUENCE) + b"A" * len(GROUP_LETTERS)
)
"""In votes, castlings and scouts, all influence cards are alike, and so are all groups."""
_ALL_ALIKE: Final = bytes.maketrans(CARD_LETTERS.encode(), b"1" * len(CARD_LETTERS))
"""In draws and discards all cards are alike."""
_SHAPES: Final[dict[bytes, int]] = {}
"""Shape → the first code of its token. The number of cards in a shape is limited, so there are few shapes."""
# The bits of a first code that its shape alone decides, for words whose cards and groups are put in.
_GROUP_BITS: Final = codes.GROUP << codes.GROUP_AT
_HEAD_OF_ROW: Final = (1 << codes.CARDS_AT) - 1
_HEAD_OF_VOTE: Final = (1 << codes.ROME_AT) - 1 & ~_GROUP_BITS
_HEAD_OF_SCOUTING: Final = (1 << codes.SEEN_AT) - 1 & ~_GROUP_BITS
_HEAD_OF_CASTLING: Final = (1 << codes.FIRST_CARDS_AT) - 1 & ~(
    codes.GROUP << codes.GROUP_AT | codes.GROUP << codes.SECOND_AT
)


def codes_by_shape(text: str) -> Codes:
    """Return the codes of a word; ``(OTHER, 0)`` if Lark must read it itself. Raise KeyError if it is not a word."""
    word = text.encode("ascii", "replace")
    colon = word.find(b":")
    if colon < 0 or (word[0] != _EQUALS and word[0] != _STAR):
        return shaped(word)
    (first, _), (second, more) = first_half(word[:colon]), second_half(word[colon + 1 :])
    return (first | second, more) if first != OTHER and second != OTHER else (OTHER, 0)


def shaped(word: bytes) -> Codes:
    """Return the codes of a word that is not a vote, like :func:`codes_by_shape`."""
    end = len(word) - 1
    if end < 0:
        return OTHER, 0
    sign = word[0]
    if sign == _PLUS or sign == _MINUS:  # noqa: SIM109  # a tuple would be made each time
        return _row(word)
    told = end > 2 and word[2] == _OPEN and word[end] == _CLOSE
    if sign == _SCOUT and (told or end == 1):
        return _scouting(word)
    if sign == _CASTLING and told:
        return _castling(word)
    return OTHER, 0


def order_by_shape(word: bytes) -> ActionOrder | None:
    """Return the order of the action pile, if a word gives it. With some rule sets it differs in every game."""
    if not word.startswith(b"a(") or not word.endswith(b")") or len(word) > MAX_WORD_LENGTH:
        return None
    cards: list[int] = [_CARD[letter] for letter in word[2:-1]]
    if _NONE in cards:
        return None
    _known(b"a(" + b"1" * len(cards) + b")")  # or it is not a word
    return ActionOrder(tuple(cards))


def _row(word: bytes) -> Codes:
    """Return the codes of a draw or a discard."""
    cards = _sequence(word, 1, len(word))
    code = _known(word.translate(_ALL_ALIKE)) if cards >= 0 else OTHER
    return (code & _HEAD_OF_ROW | cards << codes.CARDS_AT, 0) if code != OTHER else (OTHER, 0)


def first_half(word: bytes) -> Codes:
    """Return the codes of a vote up to its colon: Egypt's cards and the winner are missing."""
    group, counts = _GROUP[word[1]] if len(word) > 1 else _NONE, _counts(word, 2, len(word))
    code = _known(word.translate(_ALIKE) + b":") if group != _NONE and counts >= 0 else OTHER
    if code == OTHER:
        return OTHER, 0
    return code & _HEAD_OF_VOTE | group << codes.GROUP_AT | counts << codes.ROME_AT, 0


def second_half(word: bytes) -> Codes:
    """Return the codes of a vote after its colon: Egypt's cards and the winner."""
    sign = word.find(b">")
    counts = _counts(word, 0, sign if sign >= 0 else len(word))
    code = _known(b"=P:" + word.translate(_ALIKE)) if counts >= 0 else OTHER
    return (code & (codes.WINNER_BITS | codes.BOTH_WRITTEN), counts) if code != OTHER else (OTHER, 0)


def _scouting(word: bytes) -> Codes:
    group, counts = _GROUP[word[1]], _counts(word, 3, len(word) - 1)
    code = _known(word.translate(_ALIKE)) if group != _NONE and counts >= 0 else OTHER
    if code == OTHER:
        return OTHER, 0
    return code & _HEAD_OF_SCOUTING | group << codes.GROUP_AT | counts << codes.SEEN_AT, 0


def _castling(word: bytes) -> Codes:
    close, end = word.find(b")"), len(word) - 1
    if close + 2 >= end or word[close + 2] != _OPEN:
        return OTHER, 0
    one, other = _GROUP[word[1]], _GROUP[word[close + 1]]
    cards, others = _sequence(word, 3, close), _sequence(word, close + 3, end)
    if one == _NONE or other == _NONE or cards < 0 or others < 0:
        return OTHER, 0
    code = _known(word.translate(_ALIKE))
    return (
        code & _HEAD_OF_CASTLING | one << codes.GROUP_AT | other << codes.SECOND_AT | cards << codes.FIRST_CARDS_AT,
        end - close - 3 | others << codes.WIDTH,
    )


def _known(shape: bytes) -> int:
    """Return the first code of a shape, as Lark reads it. Raise KeyError if it is not a word."""
    code = _SHAPES.get(shape, -1)
    if code < 0:
        from .word_cache import read_word  # it uses shapes itself

        code = _SHAPES[shape] = encode(read_word(shape.decode()))[0]
    return code


def _sequence(word: bytes, at: i64, end: i64) -> i64:
    """Return cards in their order as one integer; negative if a letter is not a card, or there are too many."""
    if end - at > MAX_CARDS:
        return -1
    code: i64 = 0
    place: i64 = 0
    while at < end:
        card: i64 = _CARD[word[at]]
        if card == _NONE:
            return -1
        code |= card << place
        place += codes.WIDTH
        at += 1
    return code


def _counts(word: bytes, at: i64, end: i64) -> i64:
    """Return how many there are of each influence card, as one integer; negative if a letter is not an influence card,
    or there are too many.
    """
    if end - at > MAX_COPIES:
        return -1
    code: i64 = 0
    one: i64 = 1
    while at < end:
        slot: i64 = _SLOT[word[at]]
        if slot == _NONE:
            return -1
        code += one << codes.WIDTH * slot
        at += 1
    return code
