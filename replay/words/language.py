"""The language in which sentences are said, and the names that they are filled with.

A sentence stands in English where it is said, with named fields: ``say("places {card.a} face down", card=CARDS[5])``. A
language has its own sentence for it, with the same fields in its own order, and the forms of names that it needs:
``{card.a}`` is a card with its article, ``{group.the}`` a group. A form or a sentence that it lacks is English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from ...notation.cards import CARD_NAMES, GROUP_NAMES, PLAYER_NAMES, SIDE_NAMES
from ..diagnostics.names import bare_name, card_name, group_name

P = ParamSpec("P")
R = TypeVar("R")
Forms = Mapping[str, Mapping[str, Sequence[str]]]
"""Kind of name → form → a name for each number."""


class Language(NamedTuple):
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
        forms = _LANGUAGE.get().forms.get(self._kind, {})
        return (forms[form] if form in forms else ENGLISH.forms[self._kind][form])[self._at]


CARDS: Final = tuple([Name("card", card) for card in range(len(CARD_NAMES))])
GROUPS: Final = tuple([Name("group", group) for group in range(len(GROUP_NAMES))])
SIDES: Final = tuple([Name("side", side) for side in range(len(SIDE_NAMES))])
PLAYERS: Final = tuple([Name("player", player) for player in range(len(PLAYER_NAMES))])


def say(sentence: str, /, **fields: object) -> str:
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


def remembered(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that remembers up to ``most`` results of a function, for each language apart."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=most)
        def kept(_: str, *args: Any) -> Any:
            return function(*args)  # type: ignore[call-arg]

        @wraps(function)
        def found(*args: P.args, **_: P.kwargs) -> R:
            return kept(_LANGUAGE.get().code, *args)

        return found

    return decorated
