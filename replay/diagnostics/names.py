"""Names: what people call cards, groups, players, words of a turn and glyphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import INFLUENCE_CARDS, PLAYER_NAMES, SIDE_NAMES, letters
from ...notation.language import CARDS, GROUPS, Nouns, number_word, phrase, plural, remembered
from ..editions.edition import BUSTS, VOTE_CARDS, Edition

_NOUNS: Final[Nouns] = {
    "card": ("no card", "{number} card", "{number} cards"),
    "mission": ("no mission", "{number} mission", "{number} missions"),
}
"""What is counted in words."""


def count_word(number: int) -> str:
    """Return ``six`` for 6, ``none`` for 0, and digits for a number without a word."""
    return number_word(number) if number else phrase("none")


def counted(number: int, noun: str) -> str:
    """Return ``no card``, ``one card``, ``six cards``."""
    if noun not in _NOUNS:
        return f"{number_word(number)} {noun}" if number < 2 else f"{number_word(number)} {noun}s"
    none, one, many = _NOUNS[noun]
    return plural(one, many, number, number=number_word(number)) if number else phrase(none)


def group_name(group: int) -> str:
    """Return a group's name: ``the Aediles``."""
    return GROUPS[group].the


def card_name(card: int) -> str:
    """Return ``a 5``, ``an assassination``; ``the wrath of the gods``, as there is only one."""
    return CARDS[card].a


def several(card: int, count: int) -> str:
    """Return ``two 5s``, ``three vetoes``."""
    return phrase("{number} {card.many}", number=number_word(count), card=CARDS[card])


def bare_name(card: int) -> str:
    """``5``, ``assassination``; ``influence card`` for an unknown one."""
    return CARDS[card].bare


@remembered(1 << 12)
def named(cards: t.Cards) -> str:
    """Return cards by name, equal ones together: ``two 3s and a philosopher``; ``nothing`` if there are none.

    Results are kept, since most draws and losses have occurred before.
    """
    names = [
        CARDS[card].some if cards.count(card) == 1 else several(card, cards.count(card))
        for card in sorted(set(cards), key=lambda card: (card not in INFLUENCE_CARDS, -card))
    ]
    return join(names or [phrase("nothing")])


def in_figures(count: int, noun: str) -> str:
    """Return ``1 point``, ``3 points``."""
    return f"{count} {noun}{'s' * (count != 1)}"


def cards_text(cards: Iterable[int]) -> str:
    """Return ``4 3 3``; ``nothing`` if there are none."""
    return " ".join(letters(tuple(cards))) or phrase("nothing")


def join(names: Iterable[str]) -> str:
    """Return ``a, b and c``."""
    *rest, last = names
    return phrase("{names} and {last}", names=", ".join(rest), last=last) if rest else last


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def device_name(edition: Edition | None) -> str:
    """Return ``bust`` or ``vote card``, whichever these rules have."""
    return edition.device.name if edition else "bust or vote card"


def one_device_name(edition: Edition | None, group: int | None, *, shuffles: bool) -> str:
    """Return ``bust of the Praetors``, ``grey bust`` or ``shuffling orgy``: the word for what is drawn from the bag or
    the pile.
    """
    device = edition.device if edition else BUSTS
    if group is not None:
        return f"{device.name} of {group_name(group)}"
    return device.reset if shuffles else device.blank


def pile_text(edition: Edition) -> str:
    """Return the action cards of a side: ``3 x, 3 s, 1 w, 1 c and 2 v``."""
    return join(f"{count} {letters((card,))}" for card, count in edition.actions.items())


def thing(token: t.Token, edition: Edition | None) -> str:
    """Return what a word of a turn stands for, in the singular: ``the 5 face up at the Quaestors``."""
    if isinstance(token, t.Action):
        return f"the {bare_name(t.CARD_OF[type(token)])}{_where(token)}"
    match token:
        case t.Place():
            return f"the {bare_name(token.card)} face {'down' if token.hidden else 'up'}{_where(token)}"
        case t.Vote() | t.SpecialVote() | t.Veto():
            return f"the {t.KINDS[type(token)].event}{_where(token)}"
        case t.Discard():
            return f"the exchange of {cards_text(token.cards)}" if token.cards else "the pass"
        case t.NoVote():
            device = edition.device if edition else VOTE_CARDS
            return f"the {device.revealed[token.reset]}"
        case t.PutAway():
            return f"the vote card of {group_name(token.group)}"
        case t.ChooseMission():
            return f"{PLAYER_NAMES[token.side]}'s choice of a mission"
        case t.Draw():
            return f"the drawing of {cards_text(token.cards)}"
        case t.Missions():
            return "the list of missions"
        case t.ActionOrder():
            return "the order of the action pile"
        case t.Hand():
            return "the list of a hand"
        case t.Gained():
            return "the list of patricians won"
        case t.Spent():
            return "the list of discards"
        case t.Bag():
            return "the list of what is left in the bag"
        case t.Unread():
            return "this"
        case _:
            assert_never(token)


def _where(token: t.Token) -> str:
    """Return `` at the Aediles``, `` between the Aediles and the Censors``; empty for a token that names no group."""
    groups = [group_name(group) for group in t.groups_of(token)]
    if len(groups) < 2:
        return f" at {groups[0]}" if groups else ""
    return f" between {join(groups)}"


def placed_card(card: int, group: int) -> str:
    """Return ``the 5 at the Quaestors``."""
    return f"the {bare_name(card)} at {group_name(group)}"


# ------------------------------------------------------------------------------------- glyphs, as PGN numbers them

_SIGNS: Final = dict(enumerate(("!", "?", "!!", "??", "!?", "?!"), 1))
_MEANINGS: Final = {
    "!": "a good move",
    "?": "a mistake",
    "!!": "a brilliant move",
    "??": "a blunder",
    "!?": "an interesting move",
    "?!": "a dubious move",
}
_WORDS: Final = {
    **dict.fromkeys((7, 8), "the only move"),
    9: "the worst move",
    **dict.fromkeys((10, 11, 12), "even"),
    13: "unclear",
}
_SIDE_GLYPHS: Final = {
    14: "slightly better",
    16: "better",
    18: "winning",
    20: "winning overwhelmingly",
    22: "in zugzwang",
    36: "with the initiative",
    40: "attacking",
    44: "with compensation",
    132: "with counterplay",
    138: "short of time",
}
"""The keys are the numbers for White, which stands for Rome here; the next number is for Egypt."""


def glyph_text(mark: str) -> str:
    """Return a glyph or clock in readable form: ``!`` for ``$1``, ``(Rome slightly better)`` for ``$14``."""
    if not mark.startswith("$"):
        return mark
    number = int(mark[1:])
    if number in _SIGNS:
        return _SIGNS[number]
    words = _WORDS.get(number)
    for side, name in enumerate(SIDE_NAMES):
        if what := _SIDE_GLYPHS.get(number - side):
            words = f"{name} {what}"
    return f"({words})" if words else mark


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
        return Glyph(f"◷ {text[1:]}", f"{text[1:]} left on the clock")
    if text.startswith("("):
        return Glyph(text[1:-1], f"judged: {text[1:-1]}")
    return Glyph(text, _MEANINGS.get(text, "a glyph without a name"))


def marks_text(marks: Iterable[str]) -> str:
    """Return the glyphs and clocks of a turn in readable form."""
    return " ".join(map(glyph_text, marks))
