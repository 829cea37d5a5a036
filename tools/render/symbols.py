"""The symbols of the game: cards, backs, patricians, busts and vote cards, as parts of SVG pictures and pages.

They were drawn for this project. A picture names the symbols that it needs with :func:`card`, :func:`patrician` and
:func:`device`, contains their ``sheet`` once, and shows each with ``<use href="#…">``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from ...notation import language
from ...notation.basics import (
    ACTION_CARDS,
    CARD_LETTERS,
    CARDS,
    EGYPT,
    GROUP_LETTERS,
    GROUPS,
    INFLUENCE_CARDS,
    NUMBERS,
    PHILOSOPHER,
    ROME,
    SIDE_LETTERS,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
)
from ...notation.language import Messages, phrase, sense
from ...replay.knowledge.api import FACE_DOWN
from ...replay.rules.api import BUSTS, Device, Edition
from .templating import template, unfilled

if TYPE_CHECKING:
    from markupsafe import Markup

CARD_SIZE: Final = (44, 62)
TOKEN_SIZE: Final = (24, 24)
DEVICE_SIZE: Final = (24, 36)
"""The widths and heights that the symbols are drawn for."""
UNKNOWN: Final = ("i", "a")
"""Cards of which only the back is visible."""
PHILOSOPHY: Final = "p"
"""The symbol of the rule that the lower sum wins."""
LETTERS: Final = [CARD_LETTERS[card] for card in (*NUMBERS, PHILOSOPHER, *ACTION_CARDS)]
"""Cards that have a face."""
_LETTER: Final = '<g id="t-g{0}"><text y="8" text-anchor="middle" font-size="24" font-weight="bold">{0}</text></g>'
"""Shown by a card that has no sign of its own."""
_PART: Final = re.compile(r'^<(?:g|symbol|path) id="t-(\w+)".*$', re.MULTILINE)
_USED: Final = re.compile(r'href="#t-(\w+)"')


@lru_cache(maxsize=1 << 10)
def card(side: int, word: str) -> str:
    """Return the symbol of a card on a table: ``R5`` for ``5``, ``R5d`` for ``(5)``, ``Ri`` for ``(?)`` and ``i``.

    Raise KeyError for a word that no table has.
    """
    letter, down = _read(word)
    return f"{SIDE_LETTERS[side]}{letter}{'d' if down and letter not in UNKNOWN else ''}"


def card_title(word: str) -> str:
    """Return a card on a table in words: ``5, face down``."""
    letter, down = _read(word)
    if word == FACE_DOWN:
        return phrase("unseen card")
    named = language.CARDS[CARDS[letter]]
    return phrase("{card.name}, face down", card=named) if down else named.name


def _read(word: str) -> tuple[str, bool]:
    """Return the letter of a card and whether it lies face down."""
    letter = word.strip("()")
    if letter == "?":
        return "i", True
    return CARD_LETTERS[CARDS[letter]], letter != word


def copies(cards: Sequence[str]) -> list[tuple[str, int]]:
    """Return each kind of card with its number of copies: numbers, philosophers, action cards; within each pile,
    unknown cards come last.
    """
    return [(letter, cards.count(letter)) for letter in _IN_ORDER if letter in cards]


_ORDER: Final = (*NUMBERS, PHILOSOPHER, SOME_INFLUENCE, *ACTION_CARDS, SOME_ACTION)
_IN_ORDER: Final = [CARD_LETTERS[card] for card in _ORDER]


def patrician(group: str, side: int | None = None) -> str:
    """Return the symbol of a group's patrician: the group's letter, ``P``, or ``RP`` and ``EP`` for one that is won."""
    return (SIDE_LETTERS[side] if side is not None else "") + GROUP_LETTERS[GROUPS[group]]


def device(kind: Device, letter: str) -> str:
    """Return the symbol of a bust or vote card: a group's letter, ``o`` for no vote, ``r`` for the reset."""
    return f"{'b' if kind is BUSTS else 'v'}{letter}"


def device_title(kind: Device, letter: str) -> str:
    """Return a bust or vote card in words: ``bust of the Praetors``, ``shuffling orgy``."""
    if letter in GROUPS:
        return phrase("{device} of {group.the}", device=phrase(kind.name), group=language.GROUPS[GROUPS[letter]])
    return phrase(kind.blank if letter == "o" else kind.reset)


def device_letters(edition: Edition) -> list[str]:
    """Return the letters of all busts or vote cards of an edition."""
    return [*[GROUP_LETTERS[group] for group in edition.groups], "o", "r"]


@cache
def card_marks() -> dict[str, str]:
    """Return a table of every word for a card → its symbol, without the letter of its side."""
    words = [*CARD_LETTERS, *(f"({CARD_LETTERS[number]})" for number in INFLUENCE_CARDS), "(i)", FACE_DOWN]
    return {word: card(ROME, word)[1:] for word in words}


_SAYS: Final[Messages] = {"down": "{card}, face down"}
"""What ``table.js`` says; it fills in the fields."""


def table_data(edition: Edition) -> dict[str, Any]:
    """Return what ``table.js`` needs to draw a table: the symbols, and the names of cards, groups and busts."""
    return {
        "symbols": card_marks(),
        "cards": {
            **{letter: card.name for letter, card in zip(CARD_LETTERS, language.CARDS, strict=True)},
            "?": phrase("unseen card"),
        },
        "groups": {GROUP_LETTERS[group]: language.GROUPS[group].bare for group in edition.groups},
        "device": device(edition.device, ""),
        "devices": {letter: device_title(edition.device, letter) for letter in device_letters(edition)},
        "says": {**{key: unfilled(words) for key, words in _SAYS.items()}, "lower": sense("sum", "lower")},
    }


def legend(edition: Edition) -> list[tuple[str, str]]:
    """Return Rome's cards without a number, by symbol, with their names, and also the backs and a face-down card."""
    letters = [CARD_LETTERS[number] for number in (PHILOSOPHER, *edition.actions)]
    cards = [(card(ROME, letter), card_title(letter)) for letter in letters]
    backs = [
        (card(ROME, letter), words)
        for letter, words in zip(UNKNOWN, (phrase("unseen influence card"), phrase("unseen action card")), strict=True)
    ]
    return [*cards, (card(ROME, "(5)"), phrase("5 that lies face down")), *backs]


def table_symbols(edition: Edition) -> list[str]:
    """Return the names of all symbols that tables of an edition may show."""
    found = {f"{side}{mark}" for side in SIDE_LETTERS[:TIE] for mark in card_marks().values()}
    found |= {patrician(GROUP_LETTERS[group], side) for group in edition.groups for side in (None, ROME, EGYPT)}
    found |= {device(edition.device, letter) for letter in device_letters(edition)}
    return sorted(found | {PHILOSOPHY})


@cache
def _parts(letters: str) -> dict[str, str]:
    """Return the parts of the sheet by name, for cards with these letters."""
    parts = {found[1]: found[0] for found in _PART.finditer(template("symbols.svg.j2").render(letters=letters))}
    return {f"g{letter}": _LETTER.format(letter) for letter in letters} | parts


def sheet(wanted: Iterable[str]) -> Markup:
    """Return the definitions of symbols and their parts, in the order of the sheet; each has the id ``t-`` plus its
    name. Raise KeyError for an unknown name.
    """
    from markupsafe import Markup

    parts, needed, new = _parts("".join(LETTERS)), set[str](), set(wanted)
    while new:
        needed |= new
        new = {name for part in new for name in _USED.findall(parts[part])} - needed
    return Markup("\n".join(part for name, part in parts.items() if name in needed))
