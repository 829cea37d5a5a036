"""Standings and crosstable, with the usual tie-breaks.

The definitions follow FIDE's tie-break regulations (Handbook C.07): direct encounter (article 6), Buchholz (8),
Sonneborn–Berger (9), and how unplayed rounds count for these (16). ``docs/events.md`` says what was chosen where the
regulations leave a choice or do not fit this game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, groupby
from typing import Final, NamedTuple, TypeAlias

from ...notation.language import figure as in_digits
from ...notation.language import plural
from .facts import Decided
from .plan import EventPlan

ZERO: Final = Fraction(0)
HALF: Final = Fraction(1, 2)


class RoundScore(NamedTuple):
    """A player's result in a round: the ``points``, the opponent, the side, and ``part``, 1 for a win and ½ for a draw.

    ``opponent`` is empty if there was none. ``is_played`` is False for a forfeit and a bye; ``is_voluntary`` says that
    the player stayed away. ``own`` and ``other`` are both players' points in the game; a forfeit has none.
    """

    round: int
    points: Fraction
    part: Fraction
    opponent: str = ""
    side: int = 0
    is_played: bool = True
    is_voluntary: bool = False
    own: int = 0
    other: int = 0


@dataclass(eq=False)
class PlayerScore:
    """A player's rounds and points, the rank (the best of those shared), and the tie-breaks in their order."""

    name: str
    rounds: list[RoundScore] = field(default_factory=list)
    points: Fraction = ZERO
    adjusted: Fraction = ZERO
    rank: int = 0
    values: dict[str, Fraction] = field(default_factory=dict)

    def in_round(self, number: int) -> list[RoundScore]:
        """Return the player's results in a round; nothing if their game does not count yet."""
        return [each for each in self.rounds if each.round == number]


class StandingsTable(NamedTuple):
    """The standings after a round, best player first, what does not count yet, and what is known by its score alone."""

    after: int
    scores: list[PlayerScore]
    left_out: list[Decided]
    scored: list[Decided]


def standings(plan: EventPlan, decided: Sequence[Decided], after: int = 0) -> StandingsTable:
    """Return the standings after a round, by default after the last one of which anything is known."""
    last = after or max((one.pairing.round for one in decided if one.winner is not None), default=0)
    until = [one for one in decided if one.pairing.round <= last]
    counting = [one for one in until if _counts(one)]
    left_out = [one for one in until if not _counts(one)]
    open_ = {(one.pairing.round, name) for one in left_out for name in one.pairing.players}
    rounds = {one.pairing.round for one in until}
    scores = {
        name: _player(plan, name, own, {number for number in rounds if (number, name) not in open_})
        for name, own in _results(plan, decided, counting).items()
    }
    ranked: list[PlayerScore] = []
    for group in _parted(plan, scores, list(scores.values()), ("points", *plan.tie_breaks)):
        for score in group:
            score.rank = len(ranked) + 1
        ranked += sorted(group, key=lambda each: each.name)
    return StandingsTable(last, ranked, left_out, [one for one in counting if one.by_score])


def _counts(one: Decided) -> bool:
    """Return whether a pairing counts: a game needs a result."""
    return one.winner is not None or one.pairing.kind != "game"


def _results(plan: EventPlan, decided: Sequence[Decided], counting: Sequence[Decided]) -> dict[str, list[RoundScore]]:
    """Return the results of each player in the pairings that are ``counting``; players without any are included."""
    names = [player.name for player in plan.players] + [name for one in decided for name in one.pairing.names]
    found: dict[str, list[RoundScore]] = {name: [] for name in names}
    for one in counting:
        for name, score in gained(plan, one):
            found[name].append(score)
    return found


def _player(plan: EventPlan, name: str, scores: list[RoundScore], rounds: set[int]) -> PlayerScore:
    """Return a player's score from their results. In those of the ``rounds`` without one they were not paired, which
    counts as their own wish.
    """
    away = sorted(rounds - {each.round for each in scores})
    missed = [RoundScore(number, ZERO, ZERO, is_played=False, is_voluntary=True) for number in away]
    scores += missed * plan.games
    scores.sort(key=lambda each: each.round)
    score = PlayerScore(name, scores, sum((each.points for each in scores), ZERO))
    score.adjusted = _adjusted(plan, score)
    return score


def gained(plan: EventPlan, one: Decided) -> Iterable[tuple[str, RoundScore]]:
    """Yield what each player of a pairing gets; a player without a game gets it for each game of the round."""
    pairing, points = one.pairing, plan.points
    if pairing.kind != "game":
        got = points[pairing.kind] if pairing.points is None else pairing.points / plan.games
        asked = pairing.kind == "absent" or got < points["bye"]
        part = Fraction(got >= points["win"]) or (HALF if got and got == points["draw"] else ZERO)
        for _ in range(plan.games):
            yield pairing.caesar, RoundScore(pairing.round, got, part, "", 0, False, asked)
        return
    for side, name, opponent in ((0, pairing.caesar, pairing.cleopatra), (1, pairing.cleopatra, pairing.caesar)):
        part = HALF if one.winner == 2 else Fraction(one.winner == side)
        word = "draw" if part == HALF else "win" if part else "loss"
        got = points[f"forfeit-{word}" if one.forfeit else word]
        own, other = (one.points or (0, 0))[side], (one.points or (0, 0))[1 - side]
        missed = one.forfeit and not part
        yield name, RoundScore(pairing.round, got, part, opponent, side, not one.forfeit, missed, own, other)


def _adjusted(plan: EventPlan, score: PlayerScore) -> Fraction:
    """Return a player's points as they count towards opponents' tie-breaks.

    Rounds from which they stayed away to the end count as draws (C.07, 16.3).
    """
    points = score.points
    for each in reversed(score.rounds):
        if not each.is_voluntary:
            break
        points += plan.points["draw"] - each.points
    return points


Scores: TypeAlias = dict[str, PlayerScore]


def _against(scores: Scores, score: PlayerScore, each: RoundScore) -> Fraction:
    """Return the points of the opponent in a round; in an unplayed one, the opponent counts as having the player's own
    (C.07, 16.4).
    """
    return scores[each.opponent].adjusted if each.is_played else score.points


_VALUES: Final[dict[str, Callable[[Scores, PlayerScore], Fraction | int]]] = {
    "points": lambda _, one: one.points,
    "buchholz": lambda scores, one: sum(_against(scores, one, each) for each in one.rounds),
    "sonneborn-berger": lambda scores, one: sum(_against(scores, one, each) * each.part for each in one.rounds),
    "wins": lambda _, one: sum(each.part == 1 for each in one.rounds),
    "points-for": lambda _, one: sum(each.own for each in one.rounds),
    "points-against": lambda _, one: sum(each.other for each in one.rounds),
}
_FEWER: Final = "points-against"
"""The tie-break for which a lower value is better."""


def _parted(
    plan: EventPlan, scores: Scores, group: list[PlayerScore], breaks: Sequence[str]
) -> list[list[PlayerScore]]:
    """Divide a group of players into smaller groups, best first, that none of these tie-breaks can divide further."""
    if not breaks:
        return [group]
    name, *rest = breaks
    if name == "direct-encounter":
        order = _direct(plan, group) if len(group) > 1 else {}
    else:
        for score in group:
            score.values[name] = Fraction(_VALUES[name](scores, score))
        order = {score.name: -score.values[name] if name == _FEWER else score.values[name] for score in group}
    key = lambda score: order.get(score.name, ZERO)  # noqa: E731
    parts = [[*part] for _, part in groupby(sorted(group, key=key, reverse=True), key)]
    return [small for part in parts for small in _parted(plan, scores, part, rest)]


def _direct(plan: EventPlan, group: Sequence[PlayerScore]) -> dict[str, Fraction]:
    """Return the values that order tied players by their games against each other (C.07, 6).

    If all have met, these are the points from their games, averaged if two players met several times. If not, a player
    who would be ahead of all others however the missing games had ended comes first, then the next, and so on.
    """
    names = {score.name for score in group}
    got: dict[tuple[str, str], list[Fraction]] = defaultdict(list)
    for score in group:
        for each in score.rounds:
            if each.is_played and each.opponent in names:
                got[score.name, each.opponent].append(each.points)
    own = {
        name: sum((Fraction(sum(all_), len(all_)) for (one, _), all_ in got.items() if one == name), ZERO)
        for name in names
    }
    for score in group:
        score.values["direct-encounter"] = own[score.name]
    if all(pair in got for pair in combinations(sorted(names), 2)):
        return own
    open_ = {name: len(names) - 1 - sum(one == name for one, _ in got) for name in names}
    most = {name: own[name] + open_[name] * plan.points["win"] for name in names}
    least = {name: own[name] + open_[name] * plan.points["loss"] for name in names}
    left, order = set(names), dict.fromkeys(names, ZERO)
    while len(left) > 1:
        best = max(left, key=lambda name: (least[name], name))
        if any(most[other] >= least[best] for other in left - {best}):
            break
        order[best] = Fraction(len(left))
        left.remove(best)
    return order


def mark(each: RoundScore) -> str:
    """Return a player's result in a round as one character."""
    if each.opponent and not each.is_played:
        return "+" if each.part else "-"
    return {ZERO: "0", HALF: "½", Fraction(1): "1"}[each.part]


def figure(value: Fraction) -> str:
    """Return a number of points in writing: ``2½``, ``7``, ``1.2``."""
    if value.denominator == 2:
        return f"{value.numerator // 2 or ''}½"
    return str(value.numerator) if value.denominator == 1 else in_digits(float(value), "g")


def points_words(value: Fraction) -> str:
    """Return a number of points in words: ``½ point``, ``2½ points``."""
    return plural("{points} point", "{points} points", 1 if value in (1, HALF) else 2, points=figure(value))
