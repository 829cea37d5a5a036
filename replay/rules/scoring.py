"""The final scoring with its breakdown, and who has won."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy_extensions import i64

from ...notation.cards import EGYPT, ROME
from ...notation.tokens import Mission
from ..editions.edition import Edition
from . import layout
from .layout import UNKNOWN_CHOICE
from .ruleset import Ruleset, ruleset
from .state import SideCards, State

DRAWN: Final = 2
"""In place of a winner: nobody has more."""


class GroupScore(NamedTuple):
    """One side's points at one group."""

    group: int
    patricians: int
    majority: int
    whole: int
    points: int
    """All three together."""


class SideScore(NamedTuple):
    """One side's scoring: a row for each group, and its missions.

    ``missions`` says for each mission that counts whether it is fulfilled; None if that can't be told from the
    record (unknown, or in free words without a verdict). ``mission_points`` counts those that are.
    """

    rows: tuple[GroupScore, ...]
    missions: tuple[bool | None, ...]
    mission_points: int
    open_points: int
    """Points that unknown missions may add."""
    penalty: int
    patricians: int
    """How many patricians this side has won."""
    points: int
    """All points, unknown missions not counted."""

    def possible_points(self, unit_points: int) -> set[int]:
        """Return the totals that are possible, since unknown missions may be fulfilled for ``unit_points`` points."""
        sure = sum([row.points for row in self.rows]) + self.mission_points - self.penalty
        return {max(0, sure + more) for more in range(0, self.open_points + 1, unit_points)}


class Score(NamedTuple):
    """Both sides' scoring. ``winner`` is a side or DRAWN (2); ``by_tie_break`` says that patricians decided.

    ``sides`` are Rome's and Egypt's: ``points`` in all, ``mission_points``, ``penalty``, ``open_points`` that unknown
    missions may add, ``missions`` (fulfilled or not, None if that can't be told), ``patricians`` won, and ``rows``, one
    for each ``group``: its ``patricians``, ``majority`` and ``whole`` group in points, and its ``points`` together.

    >>> tironian.score(tironian.replay_game(record).steps[0].state).points
    (0, 0)
    """

    sides: tuple[SideScore, SideScore]
    winner: int
    by_tie_break: bool

    @property
    def points(self) -> tuple[int, int]:
        """Return Rome's and Egypt's points."""
        return self.sides[ROME].points, self.sides[EGYPT].points

    @property
    def is_open(self) -> bool:
        """Return whether missions that nobody wrote down could change the points."""
        return bool(self.sides[ROME].open_points or self.sides[EGYPT].open_points)


Verdicts = tuple[tuple[int, tuple[bool, ...]], ...]


def score(state: State, verdicts: Verdicts = (), penalties: tuple[int, int] = (0, 0)) -> Score:
    """Return the score of a state as if the game ended there (O1–O6, M3–M5).

    ``verdicts`` are the arbiter's verdicts on missions in free words, by side; ``penalties`` are the points that
    rulings took from Rome and Egypt.

    >>> final = tironian.replay_game(record).steps[-1].state
    >>> tironian.score(final).points == record.result.points
    True
    """
    words = dict(verdicts)
    rome = _side(state, ROME, words.get(ROME), penalties[ROME])
    egypt = _side(state, EGYPT, words.get(EGYPT), penalties[EGYPT])
    winner, by_tie_break = decide(state.edition, (rome.points, egypt.points), (rome.patricians, egypt.patricians))
    return Score((rome, egypt), winner, by_tie_break)


def public_points(state: State) -> tuple[int, int]:
    """Return Rome's and Egypt's points as everybody sees them: those for patricians won, no missions (O1–O3).

    Penalties from rulings are deducted.
    """
    rome, egypt = (_patrician_points(state, side) - state.penalties[side] for side in (ROME, EGYPT))
    return max(0, rome), max(0, egypt)


def decide(edition: Edition, points: tuple[int, int], patricians: tuple[int, int]) -> tuple[int, bool]:
    """Return the winner (or DRAWN) and whether the tie-break decided (O6)."""
    if points[0] != points[1]:
        return (ROME if points[0] > points[1] else EGYPT), False
    if edition.tie_break and patricians[0] != patricians[1]:
        return (ROME if patricians[0] > patricians[1] else EGYPT), True
    return DRAWN, False


def points_of(state: State, side: int) -> int:
    """Return a side's points as if the game ended there; negative if a mission is not known."""
    are_fulfilled = _missions_met(state.edition, SideCards(state, side), None)
    fulfilled, _ = _mission_points(state.edition, are_fulfilled)
    return -1 if None in are_fulfilled else _patrician_points(state, side) + fulfilled


def _side(state: State, side: int, verdict: tuple[bool, ...] | None, penalty: int) -> SideScore:
    cards = state.sides[side]
    rows = tuple([group_score(state.edition, group, *_shared(state, side, group)) for group in state.edition.groups])
    points = _patrician_points(state, side)
    are_fulfilled = _missions_met(state.edition, cards, verdict)
    fulfilled, unknown = _mission_points(state.edition, are_fulfilled)
    points += fulfilled - penalty
    # Nobody's points fall below zero, however much a ruling takes away.
    return SideScore(rows, are_fulfilled, fulfilled, unknown, penalty, sum(cards.won), points if points > 0 else 0)


def _missions_met(edition: Edition, cards: SideCards, verdict: tuple[bool, ...] | None) -> tuple[bool | None, ...]:
    """Return whether each mission that counts is fulfilled."""
    counting = counting_missions(edition, cards)
    if not counting:
        return ()
    won, choice = cards.won, cards.missions if cards.kept == UNKNOWN_CHOICE else ()
    return tuple([_judge(edition, won, mission, place, verdict, choice) for place, mission in enumerate(counting)])


def _mission_points(edition: Edition, are_fulfilled: tuple[bool | None, ...]) -> tuple[int, int]:
    """Return the points for missions, and those that unknown missions may add."""
    fulfilled = unknown = 0
    for unit_points in are_fulfilled:
        if unit_points is None:
            unknown += 1
        elif unit_points:
            fulfilled += 1
    if len(are_fulfilled) > 1:
        most = min(len(are_fulfilled), edition.unchosen_missions.most)
        fulfilled = min(fulfilled, most)
        unknown = min(unknown, most - fulfilled)
    return fulfilled * edition.mission_points, unknown * edition.mission_points


def _patrician_points(state: State, side: i64) -> i64:
    """Return a side's points for all groups."""
    rules = state.rules
    points: i64 = 0
    for group in rules.groups:
        own, others, left = _shared(state, side, group)
        won, majority, whole = _points_at(rules, group, own, others, left)
        points += won + majority + whole
    return points


def _shared(state: State, side: i64, group: i64) -> tuple[i64, i64, i64]:
    """Return how many patricians of a group a side has won, the other side has won, and are left."""
    cells, place = state.cells, layout.WON + group
    own, other = cells[place + layout.GROUP_ROW * side], cells[place + layout.GROUP_ROW * (1 - side)]
    return own, other, cells[layout.LEFT + group]


def group_score(edition: Edition, group: int, won: int, others: int, left: int) -> GroupScore:
    """Return a side's points for a group: it has ``won`` of the patricians, the other side ``others`` (O1–O3, N8)."""
    points = _points_at(ruleset(edition), group, won, others, left)
    return GroupScore(group, *points, sum(points))


def _points_at(rules: Ruleset, group: i64, won: i64, others: i64, left: i64) -> tuple[i64, i64, i64]:
    """Return the points for patricians, for most of a group and for all of it."""
    size = rules.sizes[group]
    majority, whole = 2 * won > size, won == size
    if rules.literal:
        majority = majority and not left
        whole = won > 0 and not others
    points: tuple[i64, i64, i64] = (won * rules.patrician_points, 0, 0)
    if majority:
        points = (points[0], rules.majority_points, 0)
    if whole:
        points = (points[0], points[1], rules.whole_points)
    return points


def counting_missions(edition: Edition, cards: SideCards) -> tuple[Mission, ...]:
    """Return the missions that count at the end: the one kept, or what the reading says of two still held (M3)."""
    held = cards.held_missions
    return held if len(held) < 2 or edition.unchosen_missions.most else ()


def _judge(
    edition: Edition,
    won: list[int],
    mission: Mission,
    place: int,
    verdict: tuple[bool, ...] | None,
    choice: tuple[Mission, ...],
) -> bool | None:
    """Return whether a mission is fulfilled; None if it isn't known well enough.

    An unknown mission is one of the ``choice``, if there was one, or else of the printed ones, if they are printed: if
    all of these give the same answer, so does it. Only what this leaves open is decided by the ``verdict``.
    """
    kind = mission.kind
    if kind not in ("text", "unknown"):
        return fulfilled(edition, won, mission)
    if kind == "unknown":
        printed = tuple([Mission("majority", group) for group in edition.mission_groups])
        answers = {_judge(edition, won, possible, 0, None, ()) for possible in choice or printed}
        if len(answers) == 1 and None not in answers:
            return answers.pop()
    return verdict[place] if verdict is not None and place < len(verdict) else None


def fulfilled(edition: Edition, won: list[int], mission: Mission) -> bool:
    """Return whether a mission written as a predicate is fulfilled by the patricians won (A5, M4)."""
    have, need = progress(edition, won, mission)
    return have >= need


def progress(edition: Edition, won: list[int], mission: Mission) -> tuple[int, int]:
    """Return how many patricians or groups of a mission are won, and how many it takes (A5, M4).

    A majority of five takes three. A mission that is not a predicate is never fulfilled: 0 of 1.
    """
    sizes, group = edition.groups, mission.group
    if group is None:
        group = -1
    match mission.kind:
        case "majority" if group in sizes:
            return won[group], sizes[group] // 2 + 1
        case "all" if group in sizes:
            return won[group], sizes[group]
        case "each":
            count = 0
            for member in sizes:
                count += won[member] > 0
            return count, len(sizes)
        case "majorities":
            count = 0
            for member, size in sizes.items():
                count += 2 * won[member] > size
            return count, mission.count or 0
        case "patricians":
            return sum(won), mission.count or 0
        case _:
            return 0, 1
