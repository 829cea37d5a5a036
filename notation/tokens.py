"""The tokens of a turn: one class for each thing that can happen at the table, with what is known about each.

A token says what was written, legal or not; it knows nothing of the rules of play.
Cards, groups and sides are the integers of :mod:`tironian.notation.cards`. ``None`` means "not written".

Each field says what it is and who can know it; ``KINDS`` has a row for each class. Code that treats all tokens alike
uses these two, so a new class needs no change there.

>>> turn = tironian.parse("7E (3)A 5Q =o +3x\\n")[0].record.turns[0]
>>> turn.tokens[0] == tironian.tokens.Place(card=3, group=tironian.Group.AEDILE, hidden=True)
True
"""
# Annotations are not postponed here: they are read while the program runs.

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from enum import Enum, auto
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from .cards import (
    ASSASSINATION,
    CARD_LETTERS,
    CASTLING,
    GROUP_LETTERS,
    SCOUT,
    SIDE_LETTERS,
    SPY,
    WRATH,
    high_to_low,
    unknown_card_like,
)
from .classes import dataclass


class Audience(Enum):
    """Whom a token concerns, as seen from the turn in which it is written."""

    ALL = auto()
    """Both sides and everybody who watches."""
    MOVER = auto()
    """The player whose turn it is."""
    OTHER = auto()
    """That player's opponent."""
    PLAYERS = auto()
    """Both players, but no spectators."""
    NAMED = auto()
    """The player named in the token's field ``side``."""
    NOBODY = auto()
    """Only the arbiter, since it may hold anything."""


class FieldType(Enum):
    """The type of a field's value."""

    GROUP = auto()
    """The group that the token names."""
    SIDE = auto()
    """The side that the token names."""
    FACE = auto()
    """Whether the card lies face down."""
    CARD = auto()
    """One card."""
    CARDS = auto()
    """Cards whose order has no meaning, or is from high to low."""
    LAID = auto()
    """Cards in the order in which they lie on the table."""
    DRAWN = auto()
    """Cards in the order in which they were drawn, which few people write down."""
    HAND = auto()
    """A hand that was looked at. Those who did not see it leave it out."""
    PILE = auto()
    """The order of a pile. Those who don't know it leave it out."""
    GROUPS = auto()
    """Groups whose order has no meaning."""
    MISSIONS = auto()
    """Missions in their order."""
    WINNER = auto()
    """A side, or a tie."""
    VALUE = auto()
    """A number or a flag that need not be written."""
    TEXT = auto()
    """A word as it was written."""


class Role(Enum):
    """Where a field's value comes from."""

    CHOSEN = auto()
    """The player names it before anything comes of it: for an action, when it is announced (E3)."""
    PICKED = auto()
    """The player picks it once an action may happen, from the cards that the word is about."""
    CHANCE = auto()
    """Chance brings it, or it is turned up. While an action is only announced, it is open."""
    DERIVED = auto()
    """The rules decide it from the rest."""


class Codec(NamedTuple):
    """How a field's values are turned into text or JSON, and back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def one_of(names: Sequence[str]) -> Codec:
    """Return the codec of a number that is written as one name from a list."""
    return Codec(dict(enumerate(names)).__getitem__, {name: number for number, name in enumerate(names)}.__getitem__)


def each_of(letters: str) -> Codec:
    """Return the codec of numbers that are written as their letters, one after another."""
    one = one_of(letters)
    return Codec(lambda numbers: "".join(map(one.write, numbers)), lambda text: tuple(map(one.read, text)))


_ALPHABETS: Final = {
    **dict.fromkeys((FieldType.GROUP, FieldType.GROUPS), GROUP_LETTERS),
    **dict.fromkeys((FieldType.SIDE, FieldType.WINNER), SIDE_LETTERS),
    **dict.fromkeys(
        (FieldType.CARD, FieldType.CARDS, FieldType.LAID, FieldType.DRAWN, FieldType.HAND, FieldType.PILE), CARD_LETTERS
    ),
}
_SINGLE: Final = (FieldType.GROUP, FieldType.SIDE, FieldType.WINNER, FieldType.CARD)
LETTERED: Final = {
    field_type: (one_of if field_type in _SINGLE else each_of)(signs) for field_type, signs in _ALPHABETS.items()
}
"""Type of a field → its codec, if it is written as letters."""


MAX_LENGTH: Final = 1 << 15
"""The largest number: it may stand for that many letters, and lines are shorter than that."""
LAST_POSITION: Final = 9
"""The last position of a hidden card in a column: a position is one digit."""


class FieldKind(NamedTuple):
    """The type of a token's field, and who can know its value.

    ``face_down`` says that only a face-down card is hidden from others. ``role`` says where the value comes from; a
    card that lies face up is named, even if its role is CAME. ``least`` and ``highest`` are the numbers for which the
    notation has signs, unless letters stand for them.
    """

    field_type: FieldType
    seen_by: Audience
    face_down: bool = False
    role: Role = Role.CHOSEN
    least: int = 0
    highest: int = MAX_LENGTH

    @property
    def most(self) -> int:
        """Return the highest number for which the notation has a sign; a negative one if the field is not a number."""
        if self.field_type in (FieldType.TEXT, FieldType.MISSIONS):
            return -1
        return len(_ALPHABETS[self.field_type]) - 1 if self.field_type in _ALPHABETS else self.highest


class TokenKind(NamedTuple):
    """A row of the table: what is true of every token in a class.

    ``step`` is the step of a turn that it belongs to, ``event`` the word for it in timelines and tables, ``form`` how
    it is written, ``about`` the owner of the cards that it is about, who knows them best; ``card`` is the action card
    that is played, None if none is; ``moves`` says that cards come to or leave the groups that it names.

    A form names fields in braces; a value that is None is left out. After a colon comes how a field is written: with
    ``%`` for the value, as words for the values from 0 on (``o|r``), or as a letter to repeat (``o``). A face-down card
    is put in brackets.
    """

    step: int
    event: str
    form: str
    about: Audience = Audience.ALL
    card: int | None = None
    moves: bool = False


@cache
def field_kinds(cls: Any) -> dict[str, FieldKind]:
    """Return the type of each field of a token's class. Raise TypeError if a field has none, or the class has no
    fields.
    """
    known: dict[str, FieldKind] = {}
    for field in fields(cls):
        (part,) = getattr(field.type, "__metadata__", (None,))
        if not isinstance(part, FieldKind):
            raise TypeError(f"{cls.__name__}.{field.name} does not say what it is")
        known[field.name] = part
    return known


Cards: TypeAlias = tuple[int, ...]

SETUP: Final = 0
ACT: Final = 1
"""Placing influence cards, the action card, the veto, passing."""
SPECIAL: Final = 2
REVEAL: Final = 3
"""Drawing the bust or turning up the vote card, and its vote."""
DRAW: Final = 4
ANY: Final = 5
"""The choice of missions follows the vote that emptied the first group, whatever kind of vote that was."""

_GROUP: Final = FieldKind(FieldType.GROUP, Audience.ALL)
_DRAWN: Final = FieldKind(FieldType.GROUP, Audience.ALL, role=Role.CHANCE)
_FACE: Final = FieldKind(FieldType.FACE, Audience.ALL)
_CARDS: Final = FieldKind(FieldType.CARDS, Audience.ALL)
_RELAID: Final = FieldKind(FieldType.LAID, Audience.MOVER, role=Role.PICKED)
_SHOWN: Final = FieldKind(FieldType.CARDS, Audience.ALL, role=Role.CHANCE)
_WINNER: Final = FieldKind(FieldType.WINNER, Audience.ALL, role=Role.DERIVED)
_VALUE: Final = FieldKind(FieldType.VALUE, Audience.ALL)
_TEXT: Final = FieldKind(FieldType.TEXT, Audience.NOBODY)


@dataclass(frozen=True, slots=True)
class Place:
    """``5Q`` face up, ``(3)A`` face down, ``(i)A`` a card that the writer does not know."""

    card: Annotated[int, FieldKind(FieldType.CARD, Audience.MOVER, face_down=True)]
    group: Annotated[int, _GROUP]
    hidden: Annotated[bool, _FACE]


@dataclass(frozen=True, slots=True)
class Assassinate:
    """``x4P``, ``x(2)P``, ``x(2)P#2``; announced only: ``xP``, ``xP#2``. ``position`` counts hidden cards from 1."""

    card: Annotated[int | None, FieldKind(FieldType.CARD, Audience.ALL, role=Role.CHANCE)]
    group: Annotated[int, _GROUP]
    hidden: Annotated[bool, _FACE]
    position: Annotated[int | None, FieldKind(FieldType.VALUE, Audience.ALL, least=1, highest=LAST_POSITION)] = None


@dataclass(frozen=True, slots=True)
class Scout:
    """``sA(52)``: the hidden cards that were turned up, from high to low; ``sA``: not written."""

    group: Annotated[int, _GROUP]
    seen: Annotated[Cards | None, _SHOWN] = None


@dataclass(frozen=True, slots=True)
class Wrath:
    """``wA``: wrath of the gods."""

    group: Annotated[int, _GROUP]


@dataclass(frozen=True, slots=True)
class Castle:
    """``cA(53)Q(1)``: the cards afterwards at both groups, oldest first; ``cAQ``: announced only."""

    first: Annotated[int, _GROUP]
    second: Annotated[int, _GROUP]
    cards_first: Annotated[Cards | None, _RELAID] = None
    cards_second: Annotated[Cards | None, _RELAID] = None


@dataclass(frozen=True, slots=True)
class Spy:
    """``y4``, ``y4+i`` with the victim's replacement, ``y[3345x]4`` with the hand seen; ``y``: announced only."""

    card: Annotated[int | None, FieldKind(FieldType.CARD, Audience.ALL, role=Role.PICKED)] = None
    draw: Annotated[int | None, FieldKind(FieldType.CARD, Audience.OTHER, role=Role.CHANCE)] = None
    hand: Annotated[Cards | None, FieldKind(FieldType.HAND, Audience.PLAYERS, role=Role.CHANCE)] = None


@dataclass(frozen=True, slots=True)
class Veto:
    """``v``, ``v+3``: the opponent vetoes the action named just before (and draws a replacement)."""

    draw: Annotated[int | None, FieldKind(FieldType.CARD, Audience.OTHER, role=Role.CHANCE)] = None


@dataclass(frozen=True, slots=True)
class Discard:
    """``-34`` discards of a passive turn; ``-`` alone (no cards): no exchange, or no influence card placed."""

    cards: Annotated[Cards, _CARDS] = ()


@dataclass(frozen=True, slots=True)
class Vote:
    """``=A433:52>R``. Shown cards from high to low; ``winner`` is a side or TIE."""

    group: Annotated[int, _DRAWN]
    rome: Annotated[Cards | None, _SHOWN] = None
    egypt: Annotated[Cards | None, _SHOWN] = None
    winner: Annotated[int | None, _WINNER] = None


@dataclass(frozen=True, slots=True)
class SpecialVote:
    """``*A433:5522>R``: a special vote, written as a vote is."""

    group: Annotated[int, _GROUP]
    rome: Annotated[Cards | None, _SHOWN] = None
    egypt: Annotated[Cards | None, _SHOWN] = None
    winner: Annotated[int | None, _WINNER] = None


@dataclass(frozen=True, slots=True)
class NoVote:
    """``=o`` grey bust or orgy; ``=r`` black bust or the orgy after which everything is shuffled (``reset``)."""

    reset: Annotated[bool, FieldKind(FieldType.VALUE, Audience.ALL, role=Role.CHANCE)]


@dataclass(frozen=True, slots=True)
class PutAway:
    """``=A-``: the vote card of an emptied group leaves the game, the next one is turned up."""

    group: Annotated[int, _DRAWN]


@dataclass(frozen=True, slots=True)
class ChooseMission:
    """``mR1``: that side keeps its first mission; ``kept`` is 1, 2 or None for ``?``."""

    side: Annotated[int, FieldKind(FieldType.SIDE, Audience.ALL, role=Role.DERIVED)]
    kept: Annotated[int | None, FieldKind(FieldType.VALUE, Audience.NAMED, least=1, highest=2)]


@dataclass(frozen=True, slots=True)
class Draw:
    """``+34``, ``+ia``: cards drawn, in order; the card's kind tells the pile."""

    cards: Annotated[Cards, FieldKind(FieldType.DRAWN, Audience.MOVER, role=Role.CHANCE)]


@dataclass(frozen=True, slots=True)
class Mission:
    """One mission as a predicate of a closed set, or as free text.

    ``kind``: ``majority`` or ``all`` (with ``group``), ``each``, ``majorities`` or ``patricians`` (with
    ``count``), ``text`` (with ``text``), ``unknown``.
    """

    kind: Annotated[str, _TEXT]
    group: Annotated[int | None, _GROUP] = None
    count: Annotated[int | None, FieldKind(FieldType.VALUE, Audience.ALL, highest=99)] = None
    text: Annotated[str | None, _TEXT] = None


@dataclass(frozen=True, slots=True)
class Missions:
    """``m(Q)``, ``m(12,A*)``: the missions dealt to a side, in the set-up."""

    missions: Annotated[tuple[Mission, ...], FieldKind(FieldType.MISSIONS, Audience.MOVER, role=Role.CHANCE)]


@dataclass(frozen=True, slots=True)
class ActionOrder:
    """``a(cvvyxw…)``: the action pile as its owner ordered it, top first."""

    cards: Annotated[Cards, FieldKind(FieldType.PILE, Audience.MOVER)]


@dataclass(frozen=True, slots=True)
class Hand:
    """``h(135xv)``: the hand, in the set-up of a position."""

    cards: Annotated[Cards, FieldKind(FieldType.CARDS, Audience.MOVER)]


@dataclass(frozen=True, slots=True)
class Gained:
    """``g(AAQ)``: patricians won so far, in the set-up of a position."""

    groups: Annotated[tuple[int, ...], FieldKind(FieldType.GROUPS, Audience.ALL)]


@dataclass(frozen=True, slots=True)
class Spent:
    """``d(55x)``: the discard pile, in the set-up of a position."""

    cards: Annotated[Cards, _CARDS]


@dataclass(frozen=True, slots=True)
class Bag:
    """``b(APoor)``: busts or vote cards that can still come, in the set-up of a position.

    ``groups`` are the groups, ``blanks`` the number of ``o``, ``resets`` the number of ``r``.
    """

    groups: Annotated[tuple[int, ...], FieldKind(FieldType.GROUPS, Audience.ALL)]
    blanks: Annotated[int, _VALUE]
    resets: Annotated[int, _VALUE]


@dataclass(frozen=True, slots=True)
class Unread:
    """A word that is not a token. It is kept as written, and the reader reports it."""

    text: Annotated[str, _TEXT]


Token: TypeAlias = (
    Place | Assassinate | Scout | Wrath | Castle | Spy | Veto | Discard | Vote | SpecialVote | NoVote | PutAway
    | ChooseMission | Draw | Missions | ActionOrder | Hand | Gained | Spent | Bag | Unread
)  # fmt: skip
AnyToken = TypeVar("AnyToken", bound=Token)
AnyVote: TypeAlias = Vote | SpecialVote
Action: TypeAlias = Assassinate | Scout | Wrath | Castle | Spy
SetUp: TypeAlias = Missions | ActionOrder | Hand | Gained | Spent | Bag
KINDS: Final[dict[type, TokenKind]] = {
    Place: TokenKind(ACT, "place", "{card}{group}", Audience.MOVER, moves=True),
    Assassinate: TokenKind(
        ACT, "assassination", "x{card}{group}{position:#%}", Audience.OTHER, ASSASSINATION, moves=True
    ),
    Scout: TokenKind(ACT, "scout", "s{group}{seen:(%)}", Audience.OTHER, SCOUT),
    Wrath: TokenKind(ACT, "wrath", "w{group}", Audience.ALL, WRATH, moves=True),
    Castle: TokenKind(
        ACT, "castling", "c{first}{cards_first:(%)}{second}{cards_second:(%)}", Audience.MOVER, CASTLING, moves=True
    ),
    Spy: TokenKind(ACT, "spy", "y{hand:[%]}{card}{draw:+%}", Audience.OTHER, SPY),
    Veto: TokenKind(ACT, "veto", "v{draw:+%}", Audience.OTHER),
    Discard: TokenKind(ACT, "discard", "-{cards}", Audience.MOVER),
    Vote: TokenKind(REVEAL, "vote", "={group}{rome}{egypt::%}{winner:>%}", moves=True),
    SpecialVote: TokenKind(SPECIAL, "special vote", "*{group}{rome}{egypt::%}{winner:>%}", moves=True),
    NoVote: TokenKind(REVEAL, "no vote", "={reset:o|r}"),
    PutAway: TokenKind(REVEAL, "put away", "={group}-"),
    ChooseMission: TokenKind(ANY, "mission", "m{side}{kept:?|1|2}", Audience.NAMED),
    Draw: TokenKind(DRAW, "draw", "+{cards}", Audience.MOVER),
    Missions: TokenKind(SETUP, "other", "m({missions})", Audience.MOVER),
    ActionOrder: TokenKind(SETUP, "other", "a({cards})", Audience.MOVER),
    Hand: TokenKind(SETUP, "other", "h({cards})", Audience.MOVER),
    Gained: TokenKind(SETUP, "other", "g({groups})"),
    Spent: TokenKind(SETUP, "other", "d({cards})"),
    Bag: TokenKind(SETUP, "other", "b({groups}{blanks:o}{resets:r})"),
    Unread: TokenKind(ANY, "other", "{text}"),
}
"""A row for each class of token."""
ACTIONS: Final = (Assassinate, Scout, Wrath, Castle, Spy)
CARD_OF: Final = {cls: kind.card for cls, kind in KINDS.items() if kind.card is not None}
"""Class of an action → the card that is played."""


def chosen(token: AnyToken, *, picked: bool = False) -> AnyToken:
    """Return a token as its player chooses it: without what comes by chance or follows, where that can be left out.

    An action is as it is announced (E3); if ``picked``, with what its player picks once it may happen. A draw names
    only the piles. Cards whose order has no meaning are from high to low. Nothing about a face-up card is unknown.
    """
    if not getattr(token, "hidden", True):
        return token
    values = [(name, change, getattr(token, name)) for name, change in _unchosen(token.__class__, picked)]
    return replace(token, **{name: None if value is None else change(value) for name, change, value in values})


@cache
def written_fields(cls: type[Token]) -> tuple[tuple[str, FieldKind], ...]:
    """Return the fields of a class that are written, in the order of its form, with their types."""
    return tuple([(name, field_kinds(cls)[name]) for name in re.findall(r"\{(\w+)", KINDS[cls].form)])


@cache
def picked_fields(cls: Any) -> tuple[str, ...]:
    """Return the fields of a class that the player of an action picks once it may happen."""
    return tuple([name for name, part in field_kinds(cls).items() if part.role is Role.PICKED])


@cache
def _unchosen(cls: type[Token], picked: bool) -> list[tuple[str, Callable[[Any], Any]]]:
    """Return the fields of a class that differ before an outcome is known, and what they are then."""
    found: list[tuple[str, Callable[[Any], Any]]] = []
    for name, types, _, _ in _parts(cls):
        part = field_kinds(cls)[name]
        if part.role is Role.CHOSEN or (picked and part.role is Role.PICKED):
            found += [(name, high_to_low)] * (part.field_type in (FieldType.CARDS, FieldType.LAID))
        elif NoneType in types:
            found.append((name, lambda _: None))
        elif part.field_type is FieldType.DRAWN:
            found.append((name, lambda cards: tuple(sorted(map(unknown_card_like, cards)))))
    return found


def checked(token: Token) -> Token:
    """Return a token. Raise ValueError if it is not a token, or a field has a value for which the notation has no
    sign.
    """
    if type(token) not in KINDS:
        raise ValueError(f"{token!r} is not a token")
    if name := _misfit(token):
        raise ValueError(f"{token!r} can't be written: the notation has no sign for that {name}")
    return token


def _misfit(thing: Token | Mission) -> str:
    """Return the name of the first field of a token or mission that can't be written; an empty text if all fields can.

    Types are checked too, since 0 and 5.0 would pass for False and 5 in Python files, but not in compiled modules.
    """
    for name, types, least, most in _parts(type(thing)):
        value = getattr(thing, name)
        if not isinstance(value, types):
            return name
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, int):
                if not least <= part <= most:
                    return name
            elif part is not value and (most >= 0 or type(part) is not Mission or _misfit(part)):
                return name
    return ""


@cache
def _parts(cls: type[Token | Mission]) -> list[tuple[str, tuple[type, ...], int, int]]:
    """Return for each field of a class its name, the types that its value may have, and the least and highest
    number.
    """
    types = {
        name: tuple([get_origin(one) or one for one in (get_args(hint) if isinstance(hint, UnionType) else (hint,))])
        for name, hint in get_type_hints(cls).items()
    }
    return [(name, types[name], part.least, part.most) for name, part in field_kinds(cls).items()]


def is_on_table(cls: type[Token | Mission], name: str) -> bool:
    """Return whether a field of a class has cards that lie at a group: influence cards alone."""
    part = field_kinds(cls)[name]
    if not _group_fields(cls) or part.field_type not in (FieldType.CARD, FieldType.CARDS, FieldType.LAID):
        return False
    return part.field_type is not FieldType.CARD or part.face_down or part.seen_by is Audience.ALL


def groups_of(token: Token) -> Cards:
    """Return the groups that a token names, in the order in which they are written."""
    return tuple([getattr(token, name) for name in _group_fields(token.__class__)])


@cache
def _group_fields(cls: type[Token | Mission]) -> list[str]:
    return [name for name, part in field_kinds(cls).items() if part.field_type is FieldType.GROUP]
