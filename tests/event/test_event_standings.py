"""Standings are those of a second, naive calculation, by definitions written down by hand."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from archives import tiro
from events import Event, circle, names
from scale import scaled
from tironian.tools.event.facts import Decided
from tironian.tools.event.plan import EventPlan, Pairing, plan_text, read_plan
from tironian.tools.event.standings import StandingsTable, standings

BREAKS = ("buchholz", "sonneborn-berger", "direct-encounter", "wins", "points-for", "points-against")
HALF = Fraction(1, 2)


def plan_of(players: list[str], breaks: tuple[str, ...] = BREAKS, **points: float) -> EventPlan:
    data = {"format": "tironian-event", "version": 1, "tie-breaks": [*breaks]}
    data |= {"points": points, "players": [{"name": name} for name in players]}
    return read_plan(plan_text(data))


def simulated(rng: Random) -> tuple[EventPlan, list[Decided]]:
    """An event of a few players with games, draws, forfeits, byes, absences and games that are still open."""
    players = names(rng.choice((3, 4, 5, 6, 8, 9)))
    points = {"win": rng.choice((1, 2, 3)), "draw": rng.choice((0.5, 1)), "bye": rng.choice((0.5, 1))}
    plan = plan_of(players, tuple(rng.sample(BREAKS, rng.randint(1, len(BREAKS)))), **points)
    even = [*players, *([""] if len(players) % 2 else [])]
    decided = []
    for round_, table, one, other in circle(even, rng.randint(1, min(6, len(even) - 1))):
        if not (one and other):
            kind = rng.choice(("bye", "bye", "absent"))
            decided.append(Decided(Pairing(round_, 0, one or other, "", kind), None))
        elif rng.random() < 0.1:
            decided += [Decided(Pairing(round_, 0, name, "", "absent"), None) for name in (one, other)]
        elif rng.random() < 0.06:
            decided.append(Decided(Pairing(round_, table, one, other), None, why="there is no record"))
        elif rng.random() < 0.04:
            continue  # nobody paired them
        elif rng.random() < 0.12:
            decided.append(Decided(Pairing(round_, table, one, other), rng.choice((0, 1, 3)), None, True))
        else:
            score = rng.randint(0, 12), rng.randint(0, 12)
            decided.append(Decided(Pairing(round_, table, one, other), rng.choice((0, 0, 1, 1, 2)), score))
    return plan, decided


class Naive:
    """Points and tie-breaks of each player, each looked up from the pairings whenever it is asked for."""

    def __init__(self, plan: EventPlan, decided: list[Decided]) -> None:
        self.plan, self.value = plan, plan.points
        self.last = max((one.pairing.round for one in decided if one.winner is not None), default=0)
        self.games = [one for one in decided if one.pairing.round <= self.last]
        self.players = [player.name for player in plan.players]
        self.rounds = sorted({one.pairing.round for one in self.games})

    def game(self, player: str, round_: int) -> Decided | None:
        return next((g for g in self.games if g.pairing.round == round_ and player in g.pairing.players), None)

    def result(self, player: str, round_: int) -> str:
        """``win``, ``draw``, ``loss``, with ``forfeit-`` before it; ``bye``, ``absent``; ``open``."""
        game = self.game(player, round_)
        if game is None:
            return "absent-unpaired"
        if game.pairing.kind != "game":
            return game.pairing.kind
        if game.winner is None:
            return "open"
        if game.winner == 2:
            return "draw"
        side = 0 if player == game.pairing.caesar else 1
        return ("forfeit-" if game.forfeit else "") + ("win" if game.winner == side else "loss")

    def opponent(self, player: str, round_: int) -> str:
        game = self.game(player, round_)
        assert game is not None
        return next(iter(game.pairing.players - {player}))

    def got(self, player: str, round_: int) -> Fraction:
        return self.value.get(self.result(player, round_), Fraction(0))

    def points(self, player: str) -> Fraction:
        return sum((self.got(player, round_) for round_ in self.rounds), Fraction(0))

    def for_opponents(self, player: str) -> Fraction:
        total = self.points(player)
        for round_ in sorted(self.rounds, reverse=True):
            result = self.result(player, round_)
            if result == "open":
                continue
            if result not in ("absent", "absent-unpaired", "forfeit-loss"):
                break
            total = total - self.got(player, round_) + self.value["draw"]
        return total

    def part(self, player: str, round_: int) -> Fraction:
        result = self.result(player, round_)
        if result in ("win", "forfeit-win"):
            return Fraction(1)
        if result in ("bye", "absent"):
            got = self.got(player, round_)
            return Fraction(1) if got >= self.value["win"] else HALF if 0 < got == self.value["draw"] else Fraction(0)
        return HALF if result == "draw" else Fraction(0)

    def opposition(self, player: str, round_: int) -> Fraction:
        if self.result(player, round_) in ("win", "draw", "loss"):
            return self.for_opponents(self.opponent(player, round_))
        return self.points(player)

    def known(self, player: str) -> list[int]:
        return [round_ for round_ in self.rounds if self.result(player, round_) != "open"]

    def game_points(self, player: str, *, own: bool) -> int:
        total = 0
        for round_ in self.rounds:
            game = self.game(player, round_)
            if game and game.points and game.winner is not None:
                total += game.points[(player == game.pairing.caesar) != own]
        return total

    def break_of(self, name: str, player: str) -> Fraction:
        rounds = self.known(player)
        if name == "buchholz":
            return sum((self.opposition(player, round_) for round_ in rounds), Fraction(0))
        if name == "sonneborn-berger":
            return sum((self.part(player, round_) * self.opposition(player, round_) for round_ in rounds), Fraction(0))
        if name == "wins":
            return Fraction(sum(self.part(player, round_) == 1 for round_ in rounds))
        sign = -1 if name == "points-against" else 1
        return Fraction(sign * self.game_points(player, own=name == "points-for"))

    def direct(self, group: list[str]) -> dict[str, Fraction]:
        """The place in the games of a tied group with each other, the higher the better."""
        met = {
            pair: [r for r in self.rounds if self.result(pair[0], r) in ("win", "draw", "loss")
                   and self.opponent(pair[0], r) == pair[1]]
            for one, other in combinations(group, 2)
            for pair in ((one, other), (other, one))
        }  # fmt: skip
        own = {
            name: sum(
                (sum((self.got(name, r) for r in rounds), Fraction(0)) / len(rounds))
                for (one, _), rounds in met.items()
                if one == name and rounds
            )
            for name in group
        }
        if all(met.values()):
            return {name: Fraction(value) for name, value in own.items()}
        lacking = {name: sum(one == name and not rounds for (one, _), rounds in met.items()) for name in group}
        order, rest = {}, set(group)
        while True:
            leaders = [
                name
                for name in rest
                if all(
                    own[name] + lacking[name] * self.value["loss"] > own[other] + lacking[other] * self.value["win"]
                    for other in rest - {name}
                )
            ]
            if not leaders or len(rest) == 1:
                return {name: Fraction(order.get(name, 0)) for name in group}
            order[leaders[0]] = len(rest)
            rest.remove(leaders[0])

    def ranked(self) -> list[set[str]]:
        groups = self.split([[*self.players]], self.points)
        for name in self.plan.tie_breaks:
            if name == "direct-encounter":
                groups = [part for group in groups for part in self.split([group], self.direct(group).__getitem__)]
            else:
                groups = self.split(groups, lambda player, name=name: self.break_of(name, player))
        return [set(group) for group in groups]

    @staticmethod
    def split(groups, value) -> list[list[str]]:
        return [
            [player for player in group if value(player) == each]
            for group in groups
            for each in sorted({value(player) for player in group}, reverse=True)
        ]


def ranks(table: StandingsTable) -> list[set[str]]:
    found: dict[int, set[str]] = {}
    for score in table.scores:
        found.setdefault(score.rank, set()).add(score.name)
    return [*found.values()]


def test_standings_are_those_of_a_naive_calculation():
    for seed in range(scaled(300, 10_000)):
        plan, decided = simulated(Random(seed))
        table, naive = standings(plan, decided), Naive(plan, decided)
        assert {one.name: one.points for one in table.scores} == {one: naive.points(one) for one in naive.players}, seed
        for name in set(plan.tie_breaks) - {"direct-encounter"}:
            own = {one.name: one.values[name] for one in table.scores if name in one.values}
            sign = -1 if name == "points-against" else 1
            assert own == {player: sign * naive.break_of(name, player) for player in own}, (seed, name)
        assert ranks(table) == naive.ranked(), seed


def decided(*games: str) -> list[Decided]:
    """``1 A B 1`` for a game of round 1 that Rome's player A won; ``0``, ``½``, ``+`` and ``-`` for forfeits, ``?``."""
    found = []
    for game in games:
        round_, one, other, result = game.split()
        winner = {"1": 0, "0": 1, "½": 2, "+": 0, "-": 1, "?": None}[result]
        found.append(Decided(Pairing(int(round_), 0, one, other), winner, None, result in "+-"))
    return found


def values(name: str, *games: str) -> dict[str, float]:
    table = standings(plan_of([*"ABCD"], (name,)), decided(*games))
    return {score.name: float(score.values[name]) for score in sorted(table.scores, key=lambda one: one.name)}


ROUND_ROBIN = ("1 A B 1", "1 C D 1", "2 A C ½", "2 D B 0", "3 D A 0", "3 B C 1")


def test_buchholz_is_the_sum_of_the_opponents_points():
    assert values("buchholz", *ROUND_ROBIN) == {"A": 3.5, "B": 4.0, "C": 4.5, "D": 6.0}


def test_sonneborn_berger_is_the_points_of_the_beaten_and_half_of_those_of_the_drawn():
    assert values("sonneborn-berger", *ROUND_ROBIN) == {"A": 2.75, "B": 1.5, "C": 1.25, "D": 0.0}


def test_a_forfeit_is_a_game_against_ones_own_points():
    assert values("buchholz", "1 A B +", "1 C D 1", "2 A C 1", "2 B D 1")["A"] == 2 + 1


def test_who_stays_away_to_the_end_has_drawn_for_the_opponents():
    assert values("buchholz", "1 A B 1", "1 C D 1", "2 A C 1", "2 B D -")["A"] == 0.5 + 1


def test_a_game_that_is_open_counts_for_nobody_and_is_named():
    table = standings(plan_of([*"ABCD"], ("buchholz",)), decided("1 A B 1", "1 C D ?"))
    assert {score.name: float(score.values["buchholz"]) for score in table.scores} == {"A": 0, "B": 1, "C": 0, "D": 0}
    assert [one.pairing.players for one in table.left_out] == [{"C", "D"}]


def test_standings_after_an_earlier_round():
    plan = plan_of([*"ABCD"])
    early = standings(plan, decided(*ROUND_ROBIN), 1)
    assert early.after == 1
    assert {score.name: float(score.points) for score in early.scores} == {"A": 1, "C": 1, "B": 0, "D": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Event(tmp_path_factory.mktemp("event") / "open", 6, 3).written()


def test_text_shows_standings_and_crosstable(folder: Path):
    told = tiro("event", folder, "-j", 1, "--standings")
    assert told.exit_code == 0
    assert "after round 3" in told.output
    assert "Crosstable" in told.output
    assert "after round 1" in tiro("event", folder, "-j", 1, "--round", 1).output
    beyond = tiro("event", folder, "-j", 1, "--round", 4)
    assert (beyond.exit_code, "there are 3 rounds" in beyond.output) == (2, True)


def test_csv_has_a_row_for_each_player(folder: Path):
    rows = [*csv.DictReader(io.StringIO(tiro("event", folder, "-j", 1, "--format", "csv").stdout))]
    assert len(rows) == 6
    assert sum(float(row["points"]) for row in rows) == 9
    assert {row["round 2 side"] for row in rows} == {"caesar", "cleopatra"}
