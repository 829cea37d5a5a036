"""The table from a point of view: which cards lie where. It contains nothing that is hidden from that point of view."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from ...notation.cards import (
    EGYPT,
    GROUP_LETTERS,
    GROUP_NAMES,
    INFLUENCE_CARDS,
    PLAYER_NAMES,
    ROME,
    high_to_low,
    letters,
)
from ...notation.language import sense
from ...notation.notebooks import display
from ...notation.tokens import Mission
from ...notation.writer import mission_text
from ..engine.result import GameEnd, PointParts, account
from ..rules.scoring import SideScore, public_points
from ..rules.state import SideCards, State, lying_at

Letters = tuple[str, ...]
"""Cards as their letters; a hidden one is ``i`` or ``a``, as in a record."""

SEES: Final[dict[str, tuple[bool, bool]]] = {
    "arbiter": (True, True),
    "caesar": (True, False),
    "cleopatra": (False, True),
    "table": (False, False),
}
"""Point of view → whether it sees Rome's and Egypt's hidden cards."""
FACE_DOWN: Final = "(?)"


class GroupView(NamedTuple):
    """A group: its patricians left and won, and the cards of both sides, face-down ones in brackets.

    ``sums`` is the influence of Rome and Egypt, None if it depends on a hidden card.
    """

    letter: str
    name: str
    left: int
    won: tuple[int, int]
    cards: tuple[Letters, Letters]
    sums: tuple[int | None, int | None]


class SideView(NamedTuple):
    """One player's hand, piles, discards, missions (``?`` for a hidden one) and points.

    ``held`` are the missions themselves, of the kind ``unknown`` if they are hidden. Once the game is over, ``account``
    says what the points are for, and ``met`` which of the held missions are fulfilled, as far as that can be seen;
    until then both are empty.
    """

    player: str
    hand: Letters
    influence_pile: int
    action_pile: int
    discards: Letters
    missions: Letters
    points: int
    held: tuple[Mission, ...] = ()
    account: PointParts = ()
    met: tuple[bool | None, ...] = ()


class TableView(NamedTuple):
    """The whole table from one point of view; ``turn`` says whose turn it is, ``bag`` and ``out`` are letters of busts.

    ``ended`` names the rule that ended the game, ``summary`` says how it ended, ``short`` says so without the points;
    all are empty while the game goes on.
    """

    edition: str
    turn: str
    ended: str
    view: str
    groups: tuple[GroupView, ...]
    sides: tuple[SideView, SideView]
    bag: str
    out: str
    summary: str = ""
    short: str = ""

    @property
    def mover(self) -> int | None:
        """Return the side whose turn it is, None if the game is over."""
        return None if self.ended or self.summary else "RE".index(self.turn[-1])

    def _repr_svg_(self) -> str | None:
        """Return the table as a picture, for notebooks."""
        return display(self, "picture")


def view_table(state: State, view: str = "arbiter", game_end: GameEnd | None = None) -> TableView:
    """Return the table as ``view`` (a key of SEES) sees it. Raise KeyError for any other word.

    ``game_end`` says how the game ended, which is shown only at its end.
    """
    sees, points = SEES[view], points_at(state, game_end)
    over = game_end if game_end is not None and game_end.holds(state) else None
    rome, egypt = [_side(state, side, sees, points) for side in (ROME, EGYPT)]
    if over and over.game_score:
        rome, egypt = [
            _accounted(side, own, seen=may_see, by_rules=bool(over.ending))
            for side, own, may_see in zip((rome, egypt), over.game_score.sides, sees, strict=True)
        ]
    return TableView(
        state.edition.name,
        f"{state.number}{'RE'[state.active]}",
        over.ending if over else state.ended,
        view,
        tuple(_groups(state, state.edition.groups, sees)),
        (rome, egypt),
        _device(state, state.bag, state.blanks, 1),
        _device(state, state.out, state.blanks_out, 0),
        over.summary if over else "",
        over.short if over else "",
    )


def name_of(group: GroupView) -> str:
    """Return ``Praetors P``."""
    return f"{group.name} {group.letter}"


def cards_of(group: GroupView, side: int) -> str:
    """Return ``5 2 p = 7``: a side's cards at a group, and their influence if it is known."""
    if not group.cards[side]:
        return "–"
    total = group.sums[side]
    return " ".join(group.cards[side]) + ("" if total is None else f" = {total}")


def left_of(group: GroupView) -> str:
    """Return ``■■■``: the patricians left."""
    return "■" * group.left or sense("patricians of a group", "gone")


def would_win(group: GroupView) -> int | None:
    """Return which side would win a vote at a group now; None if that is undecided or depends on the rules."""
    rome, egypt = group.sums
    if rome is None or egypt is None or rome == egypt:
        return None
    philosophers = [sum("p" in card for card in cards) for cards in group.cards]
    lower_wins = philosophers[0] != philosophers[1]
    return None if lower_wins and not all(group.cards) else int((rome < egypt) != lower_wins)


def points_at(state: State, game_end: GameEnd | None) -> tuple[int, int]:
    """Return the points of Rome and Egypt that everybody can see: for patricians, and those announced at the end."""
    return game_end.points if game_end is not None and game_end.holds(state) else public_points(state)


def updated_view(seen: TableView, state: State, groups: Iterable[int]) -> TableView:
    """Return the table of a state that differs from the ``seen`` one only at ``groups`` and in hands and piles."""
    sees = SEES[seen.view]
    views = dict(zip(state.edition.groups, seen.groups, strict=True))
    for group in groups:
        (views[group],) = _groups(state, (group,), sees)
    rome, egypt = [
        SideView._make((side.player, *_holdings(cards, seen=may_see), *side[5:]))
        for side, cards, may_see in zip(seen.sides, state.sides, sees, strict=True)
    ]
    return TableView._make((*seen[:4], tuple(views.values()), (rome, egypt), *seen[6:]))


SideColumn = tuple[int, tuple[int, ...], tuple[int, ...]]
"""What a side has at a group: patricians won, cards face up and cards face down."""


def _groups(state: State, groups: Iterable[int], sees: tuple[bool, bool]) -> list[GroupView]:
    left = state.left
    return [
        _group_view(group, left[group], lying_at(state, ROME, group), lying_at(state, EGYPT, group), sees)
        for group in groups
    ]


@lru_cache(maxsize=1 << 13)
def _group_view(group: int, left: int, rome: SideColumn, egypt: SideColumn, sees: tuple[bool, bool]) -> GroupView:
    """Return the view of a group. Cached, since most groups do not change from one token to the next."""
    cards, total = _seen_column(*rome[1:], sees[ROME])
    their_cards, their_total = _seen_column(*egypt[1:], sees[EGYPT])
    won = rome[0], egypt[0]
    return GroupView(GROUP_LETTERS[group], GROUP_NAMES[group], left, won, (cards, their_cards), (total, their_total))


@lru_cache(maxsize=1 << 14)
def _seen_column(up: tuple[int, ...], hidden: tuple[int, ...], seen: bool) -> tuple[Letters, int | None]:
    """Return the cards of a column as they are seen, and their sum."""
    down = [f"({letter})" for letter in letters(hidden)] if seen else [FACE_DOWN] * len(hidden)
    known = (seen or not hidden) and all(card in INFLUENCE_CARDS for card in up + hidden)
    return (*letters(high_to_low(up)), *down), sum(up + hidden) if known else None


def _side(state: State, side: int, sees: tuple[bool, bool], points: tuple[int, int]) -> SideView:
    cards, seen = state.sides[side], sees[side]
    held = cards.possible_missions if seen else (Mission("unknown"),) * cards.mission_count
    return SideView(
        PLAYER_NAMES[side],
        *_holdings(cards, seen=seen),
        tuple([mission_text(mission) for mission in held]),
        points[side],
        held,
    )


def _accounted(side: SideView, own: SideScore, *, seen: bool, by_rules: bool) -> SideView:
    """Return a side with what its points are for. Missions count only in a game that ended ``by_rules``."""
    told = seen and None not in own.missions
    named = [(what, each if told or what != "missions" else None) for what, each in account(own)]
    if not by_rules:
        return side._replace(account=tuple([part for part in named if part[0] != "missions"]))
    met = own.missions if seen and len(own.missions) == len(side.held) else ()
    return side._replace(account=tuple(named), met=met)


@lru_cache(maxsize=1 << 13)
def _low_to_high(cards: tuple[int, ...]) -> Letters:
    """Return letters in order: numbers from low to high, philosophers, unknown influence cards, then action cards as
    they came.
    """
    return tuple(sorted(letters(cards), key=lambda letter: (letter not in _INFLUENCE, _INFLUENCE.find(letter))))


_INFLUENCE: Final = "12345pi"


def _hand(cards: SideCards, *, seen: bool) -> Letters:
    """Return a hand; the opponent knows only which pile each card came from (G1)."""
    if seen:
        return _low_to_high(tuple(cards.cards))
    influence = cards.influence_in_hand()
    return ("i",) * influence + ("a",) * (sum(cards.hand) - influence)


def _holdings(cards: SideCards, *, seen: bool) -> tuple[Letters, int, int, Letters]:
    """Return what changes most often: a side's hand, its piles and its discards."""
    discards = _low_to_high(tuple(cards.discards))
    return _hand(cards, seen=seen), cards.influence_pile, cards.action_pile, discards


def _device(state: State, groups: list[int], blanks: int, resets: int) -> str:
    named = [GROUP_LETTERS[group] for group in state.edition.groups if groups[group]]
    return "".join(named) + "o" * blanks + "r" * resets
