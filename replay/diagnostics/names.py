"""Names: what people call cards, groups, players, words of a turn and glyphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import EGYPT, INFLUENCE_CARDS, ROME, letters
from ...notation.language import (
    CARDS,
    GROUPS,
    PLAYERS,
    SIDES,
    Messages,
    Nouns,
    number_word,
    phrase,
    plural,
    remembered,
    sense,
)
from ..editions.edition import BUSTS, VOTE_CARDS, Edition

_NOUNS: Final[Nouns] = {
    "blank": ("no blank", "{number} blank", "{number} blanks"),
    "blunder": ("no blunder", "{number} blunder", "{number} blunders"),
    "card": ("no card", "{number} card", "{number} cards"),
    "clock": ("no clock", "{number} clock", "{number} clocks"),
    "decision": ("no decision", "{number} decision", "{number} decisions"),
    "dubious move": ("no dubious move", "{number} dubious move", "{number} dubious moves"),
    "face-down card": ("no face-down card", "{number} face-down card", "{number} face-down cards"),
    "face-up card": ("no face-up card", "{number} face-up card", "{number} face-up cards"),
    "game": ("no game", "{number} game", "{number} games"),
    "hidden card": ("no hidden card", "{number} hidden card", "{number} hidden cards"),
    "legal move": ("no legal move", "{number} legal move", "{number} legal moves"),
    "mission": ("no mission", "{number} mission", "{number} missions"),
    "mistake": ("no mistake", "{number} mistake", "{number} mistakes"),
    "more card": ("no more card", "{number} more card", "{number} more cards"),
    "more group": ("no more group", "{number} more group", "{number} more groups"),
    "more patrician": ("no more patrician", "{number} more patrician", "{number} more patricians"),
    "other move": ("no other move", "{number} other move", "{number} other moves"),
    "other option": ("no other option", "{number} other option", "{number} other options"),
    "other way": ("no other way", "{number} other way", "{number} other ways"),
    "patrician": ("no patrician", "{number} patrician", "{number} patricians"),
    "philosopher": ("no philosopher", "{number} philosopher", "{number} philosophers"),
    "point": ("no point", "{number} point", "{number} points"),
    "position": ("no position", "{number} position", "{number} positions"),
    "reset": ("no reset", "{number} reset", "{number} resets"),
    "round": ("no round", "{number} round", "{number} rounds"),
    "side": ("no side", "{number} side", "{number} sides"),
    "sign": ("no sign", "{number} sign", "{number} signs"),
    "thing": ("no thing", "{number} thing", "{number} things"),
    "time": ("no time", "{number} time", "{number} times"),
}
"""What is counted, in words or figures."""


def count_word(number: int) -> str:
    """Return ``six`` for 6, ``none`` for 0, and digits for a number without a word."""
    return number_word(number) if number else phrase("none")


def counted(number: int, noun: str) -> str:
    """Return ``no card``, ``one card``, ``six cards``."""
    none, one, many = _NOUNS[noun]
    return plural(one, many, number, number=number_word(number)) if number else phrase(none)


def in_figures(count: int, noun: str) -> str:
    """Return ``1 point``, ``3 points``."""
    _, one, many = _NOUNS[noun]
    return plural(one, many, count, number=str(count))


def group_name(group: int) -> str:
    """Return a group's name: ``the Aediles``."""
    return GROUPS[group].the


def card_name(card: int) -> str:
    """Return ``a 5``, ``an assassination``; ``the wrath of the gods``, as there is only one."""
    return CARDS[card].a


def several(card: int, count: int) -> str:
    """Return ``two 5s``, ``three vetoes``."""
    return phrase("{number} {card.many}", number=number_word(count), card=CARDS[card])


@remembered(1 << 12)
def named(cards: t.Cards) -> str:
    """Return cards by name, equal ones together: ``two 3s and a philosopher``; ``nothing`` if there are none.

    Results are kept, since most draws and losses have occurred before.
    """
    names = [
        CARDS[card].some if cards.count(card) == 1 else several(card, cards.count(card))
        for card in sorted(set(cards), key=lambda card: (card not in INFLUENCE_CARDS, -card))
    ]
    return join(names or [sense("cards", "nothing")])


def cards_text(cards: Iterable[int]) -> str:
    """Return ``4 3 3``; ``nothing`` if there are none."""
    return " ".join(letters(tuple(cards))) or sense("cards", "nothing")


def join(names: Iterable[str]) -> str:
    """Return ``a, b and c``."""
    *rest, last = names
    return phrase("{names} and {last}", names=", ".join(rest), last=last) if rest else last


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def one_device_name(edition: Edition | None, group: int | None, *, shuffles: bool) -> str:
    """Return ``bust of the Praetors``, ``grey bust`` or ``shuffling orgy``: the word for what is drawn from the bag or
    the pile.
    """
    device = edition.device if edition else BUSTS
    if group is not None:
        return device.of_group(group)
    return device.reset if shuffles else device.blank


def pile_text(edition: Edition) -> str:
    """Return the action cards of a side: ``3 x, 3 s, 1 w, 1 c and 2 v``."""
    return join(f"{count} {letters((card,))}" for card, count in edition.actions.items())


def thing(token: t.Token, edition: Edition | None) -> str:
    """Return what a word of a turn stands for, in the singular: ``the 5 face up at the Quaestors``."""
    match token:
        case t.Assassinate() | t.Scout() | t.Wrath():
            return placed_card(t.CARD_OF[type(token)], token.group)
        case t.Castle():
            fields = {"first": GROUPS[token.first], "second": GROUPS[token.second]}
            return phrase("the castling between {first.the} and {second.the}", **fields)
        case t.Spy():
            return phrase("the spy")
        case t.Place():
            card, group = CARDS[token.card], GROUPS[token.group]
            if token.hidden:
                return phrase("the {card.bare} face down at {group.the}", card=card, group=group)
            return phrase("the {card.bare} face up at {group.the}", card=card, group=group)
        case t.Vote():
            return phrase("the vote at {group.the}", group=GROUPS[token.group])
        case t.SpecialVote():
            return phrase("the special vote at {group.the}", group=GROUPS[token.group])
        case t.Veto():
            return phrase("the veto")
        case t.Discard():
            cards = cards_text(token.cards)
            return phrase("the exchange of {cards}", cards=cards) if token.cards else phrase("the pass")
        case t.NoVote():
            device = edition.device if edition else VOTE_CARDS
            return device.the_reset if token.reset else device.the_blank
        case t.PutAway():
            return phrase("the vote card of {group.the}", group=GROUPS[token.group])
        case t.ChooseMission():
            return phrase("{player.of} choice of a mission", player=PLAYERS[token.side])
        case t.Draw():
            return phrase("the drawing of {cards}", cards=cards_text(token.cards))
        case t.Missions():
            return phrase("the list of missions")
        case t.ActionOrder():
            return phrase("the order of the action pile")
        case t.Hand():
            return phrase("the list of a hand")
        case t.Gained():
            return phrase("the list of patricians won")
        case t.Spent():
            return phrase("the list of discards")
        case t.Bag():
            return phrase("the list of what is left in the bag")
        case t.Unread():
            return phrase("this")
        case _:
            assert_never(token)


def placed_card(card: int, group: int) -> str:
    """Return ``the 5 at the Quaestors``."""
    return phrase("the {card.bare} at {group.the}", card=CARDS[card], group=GROUPS[group])


# ------------------------------------------------------------------------------------- glyphs, as PGN numbers them

_SIGNS: Final = dict(enumerate(("!", "?", "!!", "??", "!?", "?!"), 1))
_MEANINGS: Final[Messages] = {
    "!": "a good move",
    "?": "a mistake",
    "!!": "a brilliant move",
    "??": "a blunder",
    "!?": "an interesting move",
    "?!": "a dubious move",
}
_WORDS: Final[Messages] = {
    7: "the only move",
    8: "the only move",
    9: "the worst move",
    10: "even",
    11: "even",
    12: "even",
    13: "unclear",
}
_SIDE_GLYPHS: Final[Messages] = {
    14: "{side.name} slightly better",
    16: "{side.name} better",
    18: "{side.name} winning",
    20: "{side.name} winning overwhelmingly",
    22: "{side.name} in zugzwang",
    36: "{side.name} with the initiative",
    40: "{side.name} attacking",
    44: "{side.name} with compensation",
    132: "{side.name} with counterplay",
    138: "{side.name} short of time",
}
"""The keys are the numbers for White, which stands for Rome here; the next number is for Egypt."""


def glyph_text(mark: str) -> str:
    """Return a glyph or clock in readable form: ``!`` for ``$1``, ``(Rome slightly better)`` for ``$14``."""
    if not mark.startswith("$"):
        return mark
    number = int(mark[1:])
    if number in _SIGNS:
        return _SIGNS[number]
    if number in _WORDS:
        return f"({phrase(_WORDS[number])})"
    what = next((side for side in (ROME, EGYPT) if number - side in _SIDE_GLYPHS), None)
    return mark if what is None else f"({phrase(_SIDE_GLYPHS[number - what], side=SIDES[what])})"


class Glyph(NamedTuple):
    """A glyph or clock of a turn: its ``sign``, and what it means, in words."""

    sign: str
    meaning: str


def glyph(mark: str) -> Glyph:
    """Return a glyph or clock as a sign with its meaning; judgements of a position have only words, no sign.

    >>> from tironian.replay.diagnostics.names import glyph
    >>> glyph("$1"), glyph("@0:28:54").meaning
    (Glyph(sign='!', meaning='a good move'), '0:28:54 left on the clock')
    """
    text = glyph_text(mark)
    if text.startswith("@"):
        return Glyph(f"◷ {text[1:]}", phrase("{time} left on the clock", time=text[1:]))
    if text.startswith("("):
        return Glyph(text[1:-1], phrase("judged: {judgement}", judgement=text[1:-1]))
    return Glyph(text, phrase(_MEANINGS[text]) if text in _MEANINGS else phrase("a glyph without a name"))


def marks_text(marks: Iterable[str]) -> str:
    """Return the glyphs and clocks of a turn in readable form."""
    return " ".join(map(glyph_text, marks))
