"""Something to do in an event, as facts; ``words`` has their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias

from .plan import Pairing

KINDS: Final = (
    "unread", "missing", "sheets", "illegal", "result", "unfinished", "name", "twice", "unpaired", "sides", "rules",
    "copy", "round",
)  # fmt: skip
"""The kinds of things to do, the most urgent first."""
RESULT: Final = "result"
"""The key, in a pairing in ``event.toml``, of a result that counts whatever the record says."""
ROUND: Final = "round"
"""Stands for the pairings of the next round."""
PAIRING: Final = "pairing"
"""The kind of fact that is a pairing."""
ALIAS: Final = "alias"
"""Stands for the player to whom a name of many records belongs."""


class Fact(NamedTuple):
    """A fact about an event: its ``kind``, and its particulars by name, which may be facts themselves."""

    kind: str
    facts: dict[str, Any]


Told: TypeAlias = Fact | str
"""A fact; or what is already in words, such as a name, a command or a message about a record."""


def fact(kind: str, /, **facts: Any) -> Fact:
    """Return a fact with its particulars."""
    return Fact(kind, facts)


def at_table(pairing: Pairing) -> Fact:
    """Return what a pairing's title says."""
    return Fact(PAIRING, pairing._asdict() | {"points": None})


@dataclass(frozen=True)
class Decided:
    """The outcome of a pairing: ``winner`` is a side, 2 for a draw, 3 for nobody; None if it does not count, and
    ``why`` says why.

    ``pairing`` has the sides as they were played. ``points`` are the points in the game, None if nobody counted them.
    """

    pairing: Pairing
    winner: int | None
    points: tuple[int, int] | None = None
    forfeit: bool = False
    why: Told = ""
    places: tuple[str, ...] = ()
    text: str = ""
    """The record joined from all sheets, if it follows the rules."""
    is_over: bool = True
    """Whether everybody may see the cards of the record."""
    by_score: bool = False
    """Whether only the result is known, not the moves."""


class FileEdit(NamedTuple):
    """The old and the new text of a file's ``game``-th game, or of the whole file for 0; None removes it."""

    file: str
    game: int
    was: str
    text: str | None


class ToDo(NamedTuple):
    """Something to do about a ``problem``. ``places`` are the records it is about; ``proposes`` is the proposed
    solution, with its ``edits``; ``order`` is what somebody has to do if nothing is proposed.

    ``name`` is a header, the result of the pairing, ROUND or ALIAS, for which another value may be given. If nothing is
    proposed, the edits change nothing until a value is given. ``facts`` tell it from other things of its kind: never
    words about it, nor what becomes of other things.
    """

    kind: str
    problem: Told
    places: tuple[str, ...] = ()
    pairing: Pairing | None = None
    proposes: Told = ""
    edits: tuple[FileEdit, ...] = ()
    name: str = ""
    order: Told = ""
    facts: tuple[str, ...] = ()
    alias: str = ""
    """The name that ALIAS gives to a player."""

    @property
    def key(self) -> str:
        """Return eight characters that identify it, and stay the same as long as it is there."""
        return digits(self.kind, *self.facts)


def fact_key(pairing: Pairing) -> str:
    """Return eight characters that identify a pairing, whatever becomes of the others."""
    return digits(*pairing.facts)


def digits(*texts: str) -> str:
    """Return eight characters that stand for these texts."""
    return sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()[:8]
