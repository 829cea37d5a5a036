"""The table as somebody sees it: which cards lie where, as rows of words. Nothing hidden from him is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..notation.cards import CARD_LETTERS, EGYPT, GROUP_LETTERS, GROUP_NAMES, PLAYER_NAMES, ROME, high_to_low, letters
from ..notation.writer import mission_text
from .scoring import score
from .state import Side, State

POINTS_OF_VIEW: Final = ("arbiter", "caesar", "cleopatra", "table")
_SEES: Final = {"arbiter": (True, True), "caesar": (True, False), "cleopatra": (False, True), "table": (False, False)}
FACE_DOWN: Final = "(?)"


@dataclass(frozen=True, slots=True)
class GroupView:
    """One group: its patricians left and won, and the cards of both sides, hidden ones in brackets."""

    letter: str
    name: str
    left: int
    won: tuple[int, int]
    cards: tuple[tuple[str, ...], tuple[str, ...]]
    sums: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class SideView:
    """One player's hand and piles, as far as they may be seen."""

    player: str
    hand: str
    influence_pile: int
    action_pile: int
    discards: str
    missions: str
    points: int


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table from one point of view."""

    edition: str
    turn: str
    ended: str
    view: str
    groups: tuple[GroupView, ...]
    sides: tuple[SideView, SideView]
    bag: str
    out: str


def look(state: State, view: str = "arbiter") -> TableView:
    """The table as ``view`` (one of POINTS_OF_VIEW) sees it. KeyError for another word."""
    sees = _SEES[view]
    groups = tuple(_group(state, group, sees) for group in state.edition.groups)
    rome, egypt = _side(state, ROME, sees[ROME]), _side(state, EGYPT, sees[EGYPT])
    return TableView(
        state.edition.name,
        f"{state.number}{'RE'[state.active]}",
        state.ended,
        view,
        groups,
        (rome, egypt),
        _device(state, state.bag, state.blanks, 1),
        _device(state, state.out, state.blanks_out, 0),
    )


def _group(state: State, group: int, sees: tuple[bool, bool]) -> GroupView:
    cards = tuple(_column(side, group, seen) for side, seen in zip(state.sides, sees, strict=True))
    sums = tuple(
        sum(card for card in side.column(group) if card <= 5) if seen or not side.hidden[group] else None
        for side, seen in zip(state.sides, sees, strict=True)
    )
    won = (state.sides[ROME].won[group], state.sides[EGYPT].won[group])
    return GroupView(
        GROUP_LETTERS[group], GROUP_NAMES[group], state.left[group], won, (cards[0], cards[1]), (sums[0], sums[1])
    )


def _column(side: Side, group: int, seen: bool) -> tuple[str, ...]:
    up = [CARD_LETTERS[card] for card in high_to_low(side.up[group])]
    hidden = [f"({CARD_LETTERS[card]})" if seen else FACE_DOWN for card in side.hidden[group]]
    return (*up, *hidden)


def _side(state: State, side: int, seen: bool) -> SideView:
    cards = state.sides[side]
    hand = _in_order(_cards(cards.hand)) if seen else f"{sum(cards.hand)} cards"
    missions = [mission_text(mission) for mission in cards.missions]
    if cards.kept and len(missions) > 1:
        missions = [missions[cards.kept - 1]]
    # What a mission is worth would tell the others what it is, so their points are those of the patricians alone.
    counted = score(state).sides[side]
    points = counted.points if seen and state.ended else counted.points - counted.mission_points
    return SideView(
        PLAYER_NAMES[side],
        hand or "empty",
        cards.influence_pile,
        cards.action_pile,
        _in_order(cards.discards) or "none",
        ", ".join(missions) if seen else "hidden",
        points,
    )


def _cards(counts: list[int]) -> list[int]:
    return [card for card, count in enumerate(counts) for _ in range(count)]


def _in_order(cards: list[int]) -> str:
    """Cards from low to high, philosophers behind the numbers, the action cards at the end."""
    return " ".join(letters(sorted(cards, key=lambda card: card or 5.5)))


def _device(state: State, groups: list[int], blanks: int, resets: int) -> str:
    letters_ = "".join(GROUP_LETTERS[group] for group in state.edition.groups if groups[group])
    return " ".join(letters_ + "o" * blanks + "r" * resets) or "none"
