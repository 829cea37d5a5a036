"""The table as somebody sees it: which cards lie where. Nothing hidden from him is in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ...notation.cards import (
    ACTION_CARDS,
    CARD_KINDS,
    CARD_LETTERS,
    EGYPT,
    GROUP_LETTERS,
    GROUP_NAMES,
    HIGHEST,
    INFLUENCE_CARDS,
    INFLUENCE_KINDS,
    NUMBERS,
    PLAYER_NAMES,
    ROME,
    SOME_ACTION,
)
from ...notation.writer import mission_text
from ..rules.scoring import Verdicts, score, so_far
from ..rules.side import SideCards
from ..rules.state import State

Cards = tuple[str, ...]
"""Cards as their letters; one that may not be seen is ``i`` or ``a``, as in a record."""

SEES: Final[dict[str, tuple[bool, bool]]] = {
    "arbiter": (True, True),
    "caesar": (True, False),
    "cleopatra": (False, True),
    "table": (False, False),
}
"""Point of view → whether Rome's and Egypt's hidden cards are seen from it."""
FACE_DOWN: Final = "(?)"
UNSEEN_MISSION: Final = "?"


class GroupView(NamedTuple):
    """One group: its patricians left and won, and the cards of both sides, face-down ones in brackets.

    ``sums`` is the influence of Rome and Egypt, None where it rests on a card that may not be seen.
    """

    letter: str
    name: str
    left: int
    won: tuple[int, int]
    cards: tuple[Cards, Cards]
    sums: tuple[int | None, int | None]


class SideView(NamedTuple):
    """One player's hand, piles, discards, missions (``?`` for one that may not be seen) and points."""

    player: str
    hand: Cards
    influence_pile: int
    action_pile: int
    discards: Cards
    missions: Cards
    points: int


class TableView(NamedTuple):
    """The whole table from one point of view; ``turn`` is whose turn it is, ``bag`` and ``out`` are bust letters."""

    edition: str
    turn: str
    ended: str
    view: str
    groups: tuple[GroupView, ...]
    sides: tuple[SideView, SideView]
    bag: str
    out: str


def look(state: State, view: str = "arbiter", verdicts: Verdicts = ()) -> TableView:
    """The table as ``view`` (a key of SEES) sees it. KeyError for another word.

    ``verdicts`` are the arbiter's on missions in free words, which count once the game is over.
    """
    sees, points = SEES[view], so_far(state)
    return TableView(
        state.edition.name,
        f"{state.number}{'RE'[state.active]}",
        state.ended,
        view,
        _groups(state, sees),
        (_side(state, ROME, sees, points, verdicts), _side(state, EGYPT, sees, points, verdicts)),
        _device(state, state.bag, state.blanks, 1),
        _device(state, state.out, state.blanks_out, 0),
    )


def _groups(state: State, sees: tuple[bool, bool]) -> tuple[GroupView, ...]:
    rome, egypt = ((side.won, side.up, side.hidden) for side in state.sides)
    left, views = state.left, list[GroupView]()
    for group in state.edition.groups:
        (won, up, hidden), (their_won, their_up, their_hidden) = rome, egypt
        cards = (tuple(up[group]), tuple(hidden[group])), (tuple(their_up[group]), tuple(their_hidden[group]))
        views.append(_group_view(group, left[group], (won[group], their_won[group]), cards, sees))
    return tuple(views)


Pair = tuple[tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=1 << 13)
def _group_view(
    group: int, left: int, won: tuple[int, int], cards: tuple[Pair, Pair], sees: tuple[bool, bool]
) -> GroupView:
    """One group. Remembered, since from one token to the next most groups stay as they are."""
    rome, total = _column(*cards[ROME], sees[ROME])
    egypt, their_total = _column(*cards[EGYPT], sees[EGYPT])
    return GroupView(GROUP_LETTERS[group], GROUP_NAMES[group], left, won, (rome, egypt), (total, their_total))


@lru_cache(maxsize=1 << 14)
def _column(up: tuple[int, ...], hidden: tuple[int, ...], seen: bool) -> tuple[Cards, int | None]:
    """The cards of a column as they are seen, and their sum."""
    if not seen:
        hidden = (SOME_ACTION,) * len(hidden)
    cards = (*[CARD_LETTERS[card] for card in sorted(up, key=_RANK.__getitem__)], *[_DOWN[card] for card in hidden])
    known = all(card in INFLUENCE_CARDS for card in up + hidden)
    return cards, sum(up) + sum(hidden) if known else None


_RANK: Final = (*reversed(INFLUENCE_CARDS), *range(INFLUENCE_KINDS, CARD_KINDS))
_DOWN: Final = tuple([f"({letter})" if card < SOME_ACTION else FACE_DOWN for card, letter in enumerate(CARD_LETTERS)])


def _side(state: State, side: int, sees: tuple[bool, bool], won: tuple[int, int], verdicts: Verdicts) -> SideView:
    cards, seen, points = state.sides[side], sees[side], won[side]
    missions = [mission_text(mission) for mission in cards.missions] if cards.missions else []
    if cards.kept and len(missions) > 1:
        missions = [missions[cards.kept - 1]]
    # What a mission is worth would tell the others what it is, so their points are those of the patricians alone.
    if seen and state.ended:
        points = score(state, verdicts, state.penalties).sides[side].points
    return SideView(
        PLAYER_NAMES[side],
        _hand(cards, seen=seen),
        cards.influence_pile,
        cards.action_pile,
        _low_to_high(tuple(cards.discards)),
        tuple(missions) if seen else (UNSEEN_MISSION,) * (len(missions) if cards.kept is None else 1),
        points,
    )


@lru_cache(maxsize=1 << 13)
def _low_to_high(cards: tuple[int, ...]) -> Cards:
    """Numbers from low to high, philosophers behind them, unknown influence, the action cards at the end."""
    return tuple([CARD_LETTERS[card] for card in sorted(cards, key=_ORDER.__getitem__)])


_ORDER: Final = (HIGHEST + 0.25, *NUMBERS, *ACTION_CARDS, HIGHEST + 0.5, SOME_ACTION)


def _hand(cards: SideCards, *, seen: bool) -> Cards:
    """A hand; the opponent knows only from which pile each card came (G1)."""
    if seen:
        return _low_to_high(tuple([card for card, count in enumerate(cards.hand) for _ in range(count)]))
    influence = cards.influence_in_hand()
    return ("i",) * influence + ("a",) * (sum(cards.hand) - influence)


def _device(state: State, groups: list[int], blanks: int, resets: int) -> str:
    letters = [GROUP_LETTERS[group] for group in state.edition.groups if groups[group]]
    return "".join(letters) + "o" * blanks + "r" * resets
