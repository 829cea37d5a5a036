"""What can be said of a kind of token and of its fields, as data: the vocabulary of the table in ``tokens.py``.

Redaction, the joining of two logs, JSON, event names and columns are derived from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from enum import Enum, auto
from functools import cache
from typing import Any, Final, NamedTuple

from .cards import CARD_LETTERS, GROUP_LETTERS, SIDE_LETTERS


class Who(Enum):
    """Whom something concerns, as seen from the turn in which it is written."""

    ALL = auto()
    """Both sides and everybody who watches."""
    MOVER = auto()
    """The player whose turn it is."""
    OTHER = auto()
    """The opponent of the player whose turn it is."""
    PLAYERS = auto()
    """Both players, and no spectator."""
    NAMED = auto()
    """The player whom the token names in its field ``side``."""
    NOBODY = auto()
    """No one but the arbiter: nobody can say what it may hold."""


class Sort(Enum):
    """What the value of a field is."""

    GROUP = auto()
    """The group that is meant."""
    SIDE = auto()
    """The side that is meant."""
    FACE = auto()
    """Whether the card that is meant lies face down."""
    CARD = auto()
    """One card."""
    CARDS = auto()
    """Cards whose order means nothing, or is from high to low."""
    LAID = auto()
    """Cards in the order in which they lie."""
    DRAWN = auto()
    """Cards in the order in which they were drawn, which few people write down."""
    HAND = auto()
    """A hand that was looked at. Whoever did not see it writes nothing of it."""
    PILE = auto()
    """The order of a pile. Whoever does not know it writes nothing of it."""
    GROUPS = auto()
    """Groups whose order means nothing."""
    MISSIONS = auto()
    """Missions in their order."""
    WINNER = auto()
    """A side, or a tie."""
    VALUE = auto()
    """A number or a flag that need not be written."""
    TEXT = auto()
    """A word as it stood."""


class Codec(NamedTuple):
    """How the values of a field become text or JSON, and come back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def one_of(names: Sequence[str]) -> Codec:
    """Return the codec of a number that is written as its name in a row of them."""
    return Codec(dict(enumerate(names)).__getitem__, {name: number for number, name in enumerate(names)}.__getitem__)


def some_of(letters: str) -> Codec:
    """Return the codec of numbers that are written as their letters, one after the other."""
    one = one_of(letters)
    return Codec(lambda numbers: "".join(map(one.write, numbers)), lambda text: tuple(map(one.read, text)))


_ALPHABETS: Final = {
    **dict.fromkeys((Sort.GROUP, Sort.GROUPS), GROUP_LETTERS),
    **dict.fromkeys((Sort.SIDE, Sort.WINNER), SIDE_LETTERS),
    **dict.fromkeys((Sort.CARD, Sort.CARDS, Sort.LAID, Sort.DRAWN, Sort.HAND, Sort.PILE), CARD_LETTERS),
}
_SINGLE: Final = (Sort.GROUP, Sort.SIDE, Sort.WINNER, Sort.CARD)
LETTERED: Final = {sort: (one_of if sort in _SINGLE else some_of)(signs) for sort, signs in _ALPHABETS.items()}
"""What a field is → its codec, where letters stand for it."""


LONGEST: Final = 1 << 15
"""No number is larger: it may be as many letters, in a line that is shorter."""


class FieldKind(NamedTuple):
    """What a field of a token is, and who can know its value.

    ``face_down``: only a card face down is hidden from others. ``outcome``: the value comes of carrying an action out,
    so that it is open while the action is only announced (E3); with ``hidden`` False it was named before.
    """

    sort: Sort
    seen_by: Who
    face_down: bool = False
    outcome: bool = False

    @property
    def most(self) -> int:
        """Return the highest number that the notation has signs for; a negative one for what is no number."""
        if self.sort in (Sort.TEXT, Sort.MISSIONS):
            return -1
        return len(_ALPHABETS[self.sort]) - 1 if self.sort in _ALPHABETS else LONGEST


class TokenKind(NamedTuple):
    """A row of the table: what holds for every token of a class.

    ``step`` is the step of a turn to which it belongs, ``event`` the word for it in timelines and tables, ``form`` how
    it is written, ``about`` whose cards it is about, who knows them best; ``card`` the action card that is played, None
    where none is; ``moves`` says that cards come to, or leave, the groups that it names.

    A form names fields in braces; a value that is None is left out. Behind a colon stands how a field is written: with
    ``%`` in place of the value, as words for the values from 0 on (``o|r``), or as a letter to be repeated (``o``). The
    card of a token that lies face down comes in brackets.
    """

    step: int
    event: str
    form: str
    about: Who = Who.ALL
    card: int | None = None
    moves: bool = False


@cache
def field_kinds(cls: Any) -> dict[str, FieldKind]:
    """Return what each field of a token's class is. TypeError where one does not say so, or the class has no fields."""
    known: dict[str, FieldKind] = {}
    for field in fields(cls):
        (part,) = getattr(field.type, "__metadata__", (None,))
        if not isinstance(part, FieldKind):
            raise TypeError(f"{cls.__name__}.{field.name} does not say what it is")
        known[field.name] = part
    return known


def without_outcome(token: Any) -> Any:
    """Return an action without what comes of carrying it out. Of a card that lies face up nothing is open."""
    if not getattr(token, "hidden", True):
        return token
    return replace(token, **{name: None for name, part in field_kinds(token.__class__).items() if part.outcome})
