"""Names: cards, groups, players and words of a turn as a person calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ...notation import tokens as t
from ...notation.cards import CARD_NAMES, GROUP_NAMES, PLAYER_NAMES, WRATH, letters
from ..editions.edition import Edition

ORDINALS: Final = (
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def ordinal(number: int) -> str:
    """``sixth``; numbers that have no word here as ``12th``."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"


def count_word(number: int) -> str:
    """``six``; ``none`` for 0, and numbers that have no word here in digits."""
    return ("none", *NUMBERS[1:])[number] if number < len(NUMBERS) else str(number)


def counted(number: int, noun: str) -> str:
    """``no card``, ``one card``, ``six cards``."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {noun}" if number < 2 else f"{word} {noun}s"


def group_name(group: int) -> str:
    """``the Aediles``."""
    return f"the {GROUP_NAMES[group]}"


def card_name(card: int) -> str:
    """``a 5``, ``an assassination``; ``the wrath of the gods``, of which there is one."""
    name = bare_name(card)
    if card == WRATH:
        return f"the {name}"
    return f"{'an' if name[0] in 'ai' else 'a'} {name}"


def several(card: int, count: int) -> str:
    """``two 5s``, ``three vetoes``."""
    name = bare_name(card)
    plural = {"veto": "vetoes", "spy": "spies"}.get(name, f"{name}s")
    return f"{count_word(count)} {plural}"


def bare_name(card: int) -> str:
    """``5``, ``assassination``; ``influence card`` for one that nobody knows."""
    return CARD_NAMES[card].removeprefix("unknown ")


def cards_text(cards: Iterable[int]) -> str:
    """``4 3 3``; ``nothing`` where there is none."""
    return " ".join(letters(tuple(cards))) or "nothing"


def join(names: Iterable[str]) -> str:
    """``a, b and c``."""
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


def device_name(edition: Edition | None) -> str:
    """``bust`` or ``vote card``, whichever these rules have."""
    if edition is None:
        return "bust or vote card"
    return "bust" if edition.missions_dealt > 1 else "vote card"


def one_device_name(edition: Edition | None, group: int | None, *, shuffles: bool) -> str:
    """``bust of the Praetors``, ``grey bust``, ``shuffling orgy``: one of what is drawn from the bag or the pile."""
    device = device_name(edition) if edition else "bust"
    if group is not None:
        return f"{device} of {group_name(group)}"
    if device == "bust":
        return "black bust" if shuffles else "grey bust"
    return "shuffling orgy" if shuffles else "plain orgy"


def pile_text(edition: Edition) -> str:
    """The action cards of a side: ``3 x, 3 s, 1 w, 1 c and 2 v``."""
    return join(f"{count} {letters((card,))}" for card, count in edition.actions.items())


def thing(token: t.Token, edition: Edition | None) -> str:
    """What a word of a turn stands for, in the singular: ``the 5 face up at the Quaestors``."""
    if isinstance(token, t.NoVote):
        names = ("grey bust", "black bust") if device_name(edition) == "bust" else ("orgy", "shuffling orgy")
        return f"the {names[token.reset]}"
    name = _THINGS.get(token.__class__)
    return name(token) if name else "this"


def placed_card(card: int, group: int) -> str:
    """``the 5 at the Quaestors``."""
    return f"the {bare_name(card)} at {group_name(group)}"


_THINGS: Final[dict[type, Callable[[Any], str]]] = {
    t.Place: lambda token: (
        f"the {bare_name(token.card)} face {'down' if token.hidden else 'up'} at {group_name(token.group)}"
    ),
    t.Assassinate: lambda token: f"the assassination at {group_name(token.group)}",
    t.Scout: lambda token: f"the scout at {group_name(token.group)}",
    t.Wrath: lambda token: f"the wrath of the gods at {group_name(token.group)}",
    t.Castle: lambda token: f"the castling between {group_name(token.first)} and {group_name(token.second)}",
    t.Spy: lambda _token: "the spy",
    t.Veto: lambda _token: "the veto",
    t.Discard: lambda token: f"the exchange of {cards_text(token.cards)}" if token.cards else "the pass",
    t.Vote: lambda token: f"the vote at {group_name(token.group)}",
    t.SpecialVote: lambda token: f"the special vote at {group_name(token.group)}",
    t.PutAway: lambda token: f"the vote card of {group_name(token.group)}",
    t.ChooseMission: lambda token: f"{PLAYER_NAMES[token.side]}'s choice of a mission",
    t.Draw: lambda token: f"the drawing of {cards_text(token.cards)}",
    t.Missions: lambda _token: "the list of missions",
    t.ActionOrder: lambda _token: "the order of the action pile",
    t.Hand: lambda _token: "the list of a hand",
    t.Gained: lambda _token: "the list of patricians won",
    t.Spent: lambda _token: "the list of discards",
    t.Bag: lambda _token: "the list of what is left in the bag",
}
