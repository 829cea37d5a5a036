"""The language of sentences, and the names that they are filled with.

A sentence stands in English where it is said, with named fields: ``phrase("places {card.a} face down",
card=CARDS[5])``. A language has its own sentence for it, with the same fields in its own order, and the forms of names
that it needs: ``{card.a}`` is a card with its article, ``{group.the}`` a group. A form or a sentence that it lacks is
English.

Lists and numbers of things are still English, whatever the language: ``two 3s and a philosopher`` (``named``,
``counted``, ``join`` and others of :mod:`tironian.replay.diagnostics.names`). A language is spoken in one context: a
thread or a process that is started there speaks English, and so does a generator that is used up outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar, cast

from ...notation.cards import CARD_NAMES, GROUP_NAMES, PLAYER_NAMES, SIDE_NAMES
from ..diagnostics.names import bare_name, card_name, group_name

F = TypeVar("F", bound=Callable[..., Any])
Forms = Mapping[str, Mapping[str, Sequence[str]]]
"""Kind of name → form → a name for each number."""


@dataclass(frozen=True, eq=False)
class Language:
    """A language: its ``code``, English sentence → its own, and the ``forms`` of its names."""

    code: str
    sentences: Mapping[str, str]
    forms: Forms


ENGLISH: Final = Language(
    "en",
    {},
    {
        "card": {"a": [*map(card_name, range(len(CARD_NAMES)))], "bare": [*map(bare_name, range(len(CARD_NAMES)))]},
        "group": {"the": [*map(group_name, range(len(GROUP_NAMES)))], "bare": GROUP_NAMES},
        "side": {"name": SIDE_NAMES, "of": [f"{name}'s" for name in SIDE_NAMES]},
        "player": {"name": PLAYER_NAMES, "of": [f"{name}'s" for name in PLAYER_NAMES]},
    },
)
_LANGUAGE: Final = ContextVar("language", default=ENGLISH)


class Name:
    """A card, group, side or player; its attributes are its forms in the language that is spoken."""

    __slots__ = ("_at", "_kind")

    def __init__(self, kind: str, at: int) -> None:
        self._kind, self._at = kind, at

    def __getattr__(self, form: str) -> str:
        if form.startswith("_"):
            raise AttributeError(form)
        names = _LANGUAGE.get().forms.get(self._kind, {}).get(form) or ENGLISH.forms[self._kind].get(form)
        if names is None:
            raise AttributeError(f"a {self._kind} has no form {form}")
        return names[self._at]


CARDS: Final = tuple([Name("card", card) for card in range(len(CARD_NAMES))])
GROUPS: Final = tuple([Name("group", group) for group in range(len(GROUP_NAMES))])
SIDES: Final = tuple([Name("side", side) for side in range(len(SIDE_NAMES))])
PLAYERS: Final = tuple([Name("player", player) for player in range(len(PLAYER_NAMES))])


def phrase(sentence: str, /, **fields: object) -> str:
    """Return an English sentence or clause in the language that is spoken, with its fields filled in."""
    return _LANGUAGE.get().sentences.get(sentence, sentence).format(**fields)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak a language for a while."""
    token = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def remembered(most: int) -> Callable[[F], F]:
    """Return a decorator that remembers up to ``most`` results of a function, separately for each language.

    Its arguments are given by their places.
    """

    def decorated(function: F) -> F:
        @lru_cache(maxsize=most)
        def kept(_: Language, *args: Any) -> Any:
            return function(*args)

        @wraps(function)
        def found(*args: Any) -> Any:
            return kept(_LANGUAGE.get(), *args)

        return cast("F", found)

    return decorated
