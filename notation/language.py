"""The language of what people read, and the names that sentences are filled with.

A sentence stands in English where it is said, with named fields: ``phrase("places {card.a} face down",
card=CARDS[5])``. The catalogue of a language has its own sentence for it, with the same fields in its own order, and
``forms.toml`` beside it the forms of names that it needs: ``{card.a}`` is a card with its article, ``{group.the}`` a
group. A form or a sentence that it lacks is English. ``docs/languages.md`` says how a language is added.

A language is spoken in one context: a thread or a process that is started there speaks English, and so does a generator
that is used up outside.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from io import BytesIO
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from .cards import CARD_NAMES, GROUP_NAMES, PLAYER_NAMES, SIDE_NAMES, WRATH

if TYPE_CHECKING:
    from gettext import NullTranslations

F = TypeVar("F", bound=Callable[..., Any])
Messages: TypeAlias = Mapping[Any, Any]
"""Key → a sentence, or tuples or tables of them, which ``phrase`` is given later: all of them are in the catalogues."""
Nouns: TypeAlias = Mapping[str, tuple[str, str, str]]
"""Key → a thing by its number: none, one, and more of them; the last two are in the catalogues as one message."""
Forms: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""Kind of name → form → a name for each number."""
PSEUDO: Final = "qps"
"""A language that marks each letter, which shows what is not in the catalogues."""
BARE: Final = tuple([name.removeprefix("unknown ") for name in CARD_NAMES])
MANY: Final = tuple([{"veto": "vetoes", "spy": "spies"}.get(name, f"{name}s") for name in BARE])


class Language:
    """A language: its ``code`` and ``name``, its catalogue, None for English, and the ``forms`` of its names.

    ``figures`` has its signs for thousands and decimals.
    """

    __slots__ = ("catalogue", "code", "figures", "forms", "name")

    def __init__(
        self, code: str, name: str, catalogue: NullTranslations | None, forms: Forms, figures: Sequence[str] = ",."
    ) -> None:
        self.code, self.name, self.catalogue = code, name, catalogue
        self.forms, self.figures = forms, figures


def _with_article(card: int) -> str:
    """Return ``a 5``, ``an assassination``; ``the wrath of the gods``, as there is only one."""
    return f"{'the' if card == WRATH else 'an' if BARE[card][0] in 'ai' else 'a'} {BARE[card]}"


WITH_ARTICLE: Final = tuple([_with_article(card) for card in range(len(CARD_NAMES))])
"""``some`` is the form in which cards are listed: what somebody draws, holds or discards."""
NUMBER_WORDS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
ORDINALS: Final = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
ENGLISH: Final = Language(
    "en",
    "English",
    None,
    {
        "card": {"a": WITH_ARTICLE, "some": WITH_ARTICLE, "bare": BARE, "many": MANY, "name": CARD_NAMES},
        "group": {"the": [f"the {name}" for name in GROUP_NAMES], "bare": GROUP_NAMES},
        "side": {"name": SIDE_NAMES, "of": [f"{name}'s" for name in SIDE_NAMES]},
        "player": {"name": PLAYER_NAMES, "of": [f"{name}'s" for name in PLAYER_NAMES]},
        "number": {"word": NUMBER_WORDS, "place": ORDINALS, "beyond": ("{}th",)},
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
        names = _forms(self._kind).get(form) or ENGLISH.forms[self._kind].get(form)
        if names is None:
            raise AttributeError(f"a {self._kind} has no form {form}")
        return names[self._at]


CARDS: Final = tuple([Name("card", card) for card in range(len(CARD_NAMES))])
GROUPS: Final = tuple([Name("group", group) for group in range(len(GROUP_NAMES))])
SIDES: Final = tuple([Name("side", side) for side in range(len(SIDE_NAMES))])
PLAYERS: Final = tuple([Name("player", player) for player in range(len(PLAYER_NAMES))])


def _forms(kind: str) -> Mapping[str, Sequence[str]]:
    return _LANGUAGE.get().forms.get(kind) or ENGLISH.forms[kind]


def phrase(sentence: str, /, **fields: object) -> str:
    """Return an English sentence or clause in the language that is spoken, with its fields filled in."""
    catalogue = _LANGUAGE.get().catalogue
    # The empty text stands for the head of a catalogue.
    return (sentence if catalogue is None or not sentence else catalogue.gettext(sentence)).format(**fields)


def sense(context: str, sentence: str, /, **fields: object) -> str:
    """Return a phrase whose words mean several things in English; ``context`` says which is meant, to translators."""
    catalogue = _LANGUAGE.get().catalogue
    return (sentence if catalogue is None else catalogue.pgettext(context, sentence)).format(**fields)


def plural(one: str, many: str, number: int, /, **fields: object) -> str:
    """Return the phrase for a ``number`` of things; its field ``count`` is the number, unless it is given."""
    catalogue = _LANGUAGE.get().catalogue
    said = (one if number == 1 else many) if catalogue is None else catalogue.ngettext(one, many, number)
    return said.format(**{"count": number, **fields})


def labelled(label: str, text: object) -> str:
    """Return ``label: text``, with the colon of the language: French has a space before it."""
    return phrase("{label}: {text}", label=label, text=text)


def clauses(said: Iterable[str]) -> str:
    """Return clauses with the semicolons of the language between them."""
    return phrase("; ").join(said)


def number_word(number: int) -> str:
    """Return ``six`` for 6, ``no`` for 0, and digits for a number without a word."""
    words = _forms("number")["word"]
    return words[number] if 0 <= number < len(words) else str(number)


def ordinal(number: int) -> str:
    """Return ``sixth`` for 6, and ``12th`` for a number without a word."""
    forms = _forms("number")
    places = forms["place"]
    return places[number] if 0 <= number < len(places) else forms["beyond"][0].format(number)


def figure(value: float, form: str = "") -> str:
    """Return a number in a format of Python, such as ``.1f`` or ``,``, with the language's signs for thousands and
    decimals.
    """
    text, (thousands, decimal) = format(value, form), _LANGUAGE.get().figures
    return text if decimal == "." else text.translate({ord(","): thousands, ord("."): decimal})


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak a language for a while."""
    token = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def speak(language: Language) -> None:
    """Speak a language from here on, in this context."""
    _LANGUAGE.set(language)


def spoken() -> Language:
    """Return the language that is spoken."""
    return _LANGUAGE.get()


def remembered(most: int | None) -> Callable[[F], F]:
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


# ----------------------------------------------------------------------------------------- the languages that are there


@cache
def languages() -> Mapping[str, str]:
    """Return the languages that are complete, by their codes, each with its own name for itself; English first."""
    from importlib.resources import files

    codes = sorted([each.name for each in files("tironian.languages").iterdir() if (each / "forms.toml").is_file()])
    read = {code: _table(code) for code in codes}
    return {"en": ENGLISH.name} | {code: table["name"] for code, table in read.items() if table["complete"]}


@cache
def language(code: str) -> Language | None:
    """Return the language of a code such as ``de``; None if there is no catalogue for it."""
    if code in ("en", PSEUDO):
        return ENGLISH if code == "en" else _pseudo()
    if not (code.isalpha() and code.isascii() and 1 < len(code) < 4):  # nor the locale C
        return None
    try:
        messages, table = _data(f"{code}/LC_MESSAGES/tironian.mo"), _table(code)
    except OSError:
        return None
    from gettext import GNUTranslations

    read = GNUTranslations(BytesIO(messages))
    return Language(code, table["name"], read, table, (table["thousands"], table["decimal"]))


def chosen(wishes: Iterable[str]) -> Language:
    """Return the first language of ``wishes`` that is there, else English. A wish is a code or a locale: ``de``,
    ``de-AT``, ``de_AT.UTF-8``.
    """
    ends = str.maketrans("_.@", "---")
    found = (language(wish.translate(ends).partition("-")[0].lower()) for wish in wishes)
    return next(filter(None, found), ENGLISH)


def of_environment() -> Language:
    """Return the language that the environment asks for: TIRO_LANG, or else LC_ALL, LC_MESSAGES or LANG."""
    names = "TIRO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"
    return chosen([next(filter(None, map(os.environ.get, names)), "")])


def _table(code: str) -> Any:
    import tomllib

    return tomllib.loads(_data(f"{code}/forms.toml").decode())


def _data(path: str) -> bytes:
    """Return a file of the languages; importlib.resources would take longer. Raise OSError."""
    return cast("bytes", get_data("tironian.languages", path))


def _pseudo() -> Language:
    """Return a language in which each letter outside of fields is another one, and vowels are doubled: German is
    as long.
    """
    import re
    from gettext import NullTranslations

    plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    marks = str.maketrans(dict(zip(plain, "áƀćđéƒǵĥíĵķĺḿńóṕɋŕśťúṽẃẋýžÁƁĆĐÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼẂẊÝŽ", strict=True)))
    marks |= {ord(vowel): marks[ord(vowel)] * 2 for vowel in "aeiou"}

    def marked(text: str) -> str:
        parts = re.split(r"(\{[^{}]*\}|</?\w[^>]*>|&\w+;)", text)
        return "".join([part if part[:1] in ("{", "<", "&") else part.translate(marks) for part in parts])

    class Pseudo(NullTranslations):
        def gettext(self, message: str) -> str:
            return marked(message)

        def pgettext(self, context: str, message: str) -> str:
            return marked(message)

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return marked(msgid1 if n == 1 else msgid2)

    forms = {
        kind: {form: [marked(name) for name in names] for form, names in table.items()}
        for kind, table in ENGLISH.forms.items()
    }
    return Language(PSEUDO, "Pseudo", Pseudo(), forms)
