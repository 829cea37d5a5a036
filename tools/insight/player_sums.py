"""How well players played over many games: what each lost per decision, and where, with intervals; and how lucky they
were.

A row of numbers is kept for each of their games. The rows are sorted before they are added up, so the sums are the same
to the last digit in whatever order the games came.
"""

from __future__ import annotations

import csv
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import reduce
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO, TypeAlias

from ...notation.basics import GROUP_LETTERS, GROUPS, cell, dataclass, visible
from ...notation.language import GROUPS as PLACES
from ...notation.language import Messages, clauses, figure, labelled, phrase, sense
from ...notation.records import Record, Turn
from ...notation.records import tokens as t
from ...replay.diagnostics.api import counted
from ...replay.engine.api import read_headers, run_record
from ...replay.rules.api import DRAWN, State
from ...replay.rules.core import MOVE
from ...replay.words.api import percent, signed
from .account import BUSTS, DRAWS, REVEALS
from .analysis import FEW_DECISIONS, FEW_GAMES, OPEN, SideReport, agreement, counting, strength
from .judgement import MARKS, PRAISE, Judged, student
from .net import load
from .options import DECISION_WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


NAMELESS: Final = ("", "?")
PHASE, KIND, GROUP = "phase", "kind", "group"
"""The criteria by which decisions are divided."""
PHASES: Final = {"opening": 5 / 6, "middle": 1 / 2, "end": -1.0}
"""Phase of a game → more than this share of all patricians is left."""
PLACING, ACTION, PASSING = "placing", "action", "passing"
KINDS: Final = (PLACING, ACTION, PASSING, *DECISION_WORDS[MOVE + 1 :])
"""The kinds of decisions; moves are divided by what was chosen."""
PARTS: Final = (
    *((PHASE, name) for name in PHASES), *((KIND, name) for name in KINDS), *((GROUP, name) for name in GROUP_LETTERS),
)  # fmt: skip
"""The parts into which all decisions are divided."""
FEW_OF_A_PART: Final = 75
"""With fewer decisions, nothing is said about a part."""
DOUBT: Final = 0.05
"""The accepted probability of naming a weakness that does not exist."""


class GameSums(NamedTuple):
    """A player's game in numbers: the chances of winning that they lost, and in how many of the decisions that count;
    their marks; their luck by cause, and what hidden cards changed; how many of all decisions with a choice agreed with
    the engine; a 1 for the result, if it is known; and the first two again for each of PARTS.
    """

    loss: float
    decisions: float
    blunders: float
    mistakes: float
    dubious: float
    only_moves: float
    draws: float
    busts: float
    reveals: float
    agreed: float
    choices: float
    won: float
    drawn: float
    lost: float
    parts: tuple[float, ...] = (0.0,) * (2 * len(PARTS))


class PlayerLine(NamedTuple):
    """What is reported about a player under a rule set: chances from 0 to 1, marks and luck as averages per game.

    Their true loss per decision is between ``low`` and ``high``, 19 times out of 20. ``enough`` says whether there are
    enough decisions and games for that; otherwise both are None. Marks are None if none were given. ``agreement`` is
    the share of their ``choices`` (all decisions with a choice) that agree with the engine.
    """

    rules: str
    player: str
    games: int
    decisions: int
    loss_per_decision: float
    low: float | None
    high: float | None
    enough: bool
    choices: int
    agreement: float | None
    blunders: float | None
    mistakes: float | None
    dubious: float | None
    only_moves: float | None
    draws: float
    busts: float
    reveals: float
    won: int
    drawn: int
    lost: int


class PartLine(NamedTuple):
    """What is reported about a part of a player's decisions, divided ``by`` phase, kind or group; the fields are as for
    all of them.

    ``elsewhere`` is the loss per decision in the other parts, ``others`` that of other players in this part;
    ``expected`` follows from both. Each is None if there are too few decisions. ``weakness`` marks the part in which
    the player certainly loses more than expected; if there are several, the one that costs most.
    """

    rules: str
    player: str
    by: str
    part: str
    decisions: int
    loss_per_decision: float
    low: float | None
    high: float | None
    elsewhere: float | None
    others: float | None
    expected: float | None
    weakness: bool


TableLine: TypeAlias = PlayerLine | PartLine


def sums_of(report: SideReport, log: Record, winner: int | None, rules: str = "") -> GameSums:
    """Return the numbers of a judged side and its log, for a game that ``winner`` won (a side, DRAWN, or None if
    unknown).
    """
    lost, decisions = strength(report.decisions)
    as_engine, choices = agreement(report.decisions)
    marks = Counter(each.mark for each in report.decisions)
    luck = [report.ledger[cause] for cause in (DRAWS, BUSTS, REVEALS)]
    ends = [winner == report.side, winner == DRAWN, winner == 1 - report.side]
    agreed = [round((as_engine or 0.0) * choices), choices]
    parts = _parts(counting(report.decisions), log, left_by_turn(log, rules))
    given = [marks[mark] for mark in (*(mark for mark, *_ in MARKS), PRAISE)]
    return GameSums(lost * decisions, decisions, *given, *luck, *agreed, *ends, parts=parts)


def left_by_turn(log: Record, rules: str = "") -> dict[str, float]:
    """Return, for the label of each turn, the share of all patricians that was left when it began."""
    frame = read_headers(log, rules)
    assert frame.edition is not None
    whole, left, found = sum(frame.edition.groups.values()), 1.0, dict[str, float]()

    def watch(_place: int, turn: Turn | None, _at: int, state: State) -> None:
        nonlocal left
        if turn is not None:
            found.setdefault(turn.label, left)
        left = sum(state.left) / whole

    run_record(log, frame, watch)
    return found


def _parts(decisions: Sequence[Judged], log: Record, left: dict[str, float]) -> tuple[float, ...]:
    """Return what was lost in each part of some decisions, and how many there were."""
    sums = [0.0] * (2 * len(PARTS))
    for each in decisions:
        turn = log.turns[each.turn]
        token = None if each.played == "/" else turn.tokens[each.at]
        for part in _parts_of(each, token, left[turn.label]):
            place = 2 * PARTS.index(part)
            sums[place] += each.loss
            sums[place + 1] += 1
    return tuple(sums)


def _parts_of(decision: Judged, token: t.Token | None, left: float) -> Iterator[tuple[str, str]]:
    yield PHASE, next(name for name, share in PHASES.items() if left > share)
    if decision.kind != DECISION_WORDS[MOVE]:
        yield KIND, decision.kind
    elif isinstance(token, t.Place | t.Action):
        yield KIND, PLACING if isinstance(token, t.Place) else ACTION
        groups = t.groups_of(token)
        if len(groups) == 1:
            yield GROUP, GROUP_LETTERS[groups[0]]
    else:
        yield KIND, PASSING


class Evidence(NamedTuple):
    """What some games show about the losses per decision: first in all decisions, then in each of PARTS.

    Each of these has the number of games with such decisions, the sums of a game's four numbers (loss and decisions
    there, loss and decisions in the other parts), and the sums of their products with each other.
    """

    games: Floats
    sums: Floats
    products: Floats

    @classmethod
    def of(cls, rows: Floats) -> Evidence:
        """Return what these rows of numbers show."""
        import numpy as np

        parts = rows[:, _HEAD:].reshape(len(rows), len(PARTS), 2)
        whole = np.stack([parts[:, [by == other for other, _ in PARTS]].sum(1) for by, _ in PARTS], 1)
        everything = np.concatenate([rows[:, :2], np.zeros((len(rows), 2))], 1)
        numbers = np.concatenate([everything[:, None], np.concatenate([parts, whole - parts], 2)], 1)
        products = np.einsum("gpi,gpj->pij", numbers, numbers)
        return cls((numbers[:, :, 1] > 0).sum(0), numbers.sum(0), products)

    def __add__(self, other: Evidence) -> Evidence:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what the games of both show together."""
        return Evidence(*(one + more for one, more in zip(self, other, strict=True)))

    def without(self, other: Evidence) -> Evidence:
        """Return what these games show without those of another."""
        return Evidence(*(one - less for one, less in zip(self, other, strict=True)))

    def rates(self) -> tuple[Floats, Floats]:
        """Return the losses per decision here and in the other parts."""
        import numpy as np

        here, elsewhere = self.sums[:, :2], self.sums[:, 2:]
        return here[:, 0] / np.maximum(here[:, 1], 1), elsewhere[:, 0] / np.maximum(elsewhere[:, 1], 1)

    def enough(self, *, elsewhere: bool = False) -> NDArray[np.bool_]:
        """Return which parts have enough decisions and games, in the other parts too, to say something."""
        most = self.sums[:, 1::2].min(1) if elsewhere else self.sums[:, 1]
        return (most >= [FEW_DECISIONS, *(FEW_OF_A_PART for _ in PARTS)]) & (self.games >= FEW_GAMES)

    def error(self, of_rest: Floats | float = 0.0) -> Floats:
        """Return the standard error of the loss per decision, less ``of_rest`` times the loss per decision in the other
        parts.

        It compares whole games rather than decisions, since the decisions of one game are alike.
        """
        import numpy as np

        (rate, rest), (count, others) = self.rates(), np.maximum(self.sums[:, 1::2], 1).T
        factors = np.stack([1 / count, -rate / count, -of_rest / others, of_rest * rest / others], 1)
        squares = np.einsum("pi,pij,pj->p", factors, self.products, factors)
        return np.sqrt(np.maximum(squares, 0) * self.games / np.maximum(self.games - 1, 1))


_HEAD: Final = len(GameSums._fields) - 1
_WIDTH: Final = _HEAD + 2 * len(PARTS)


@dataclass
class PlayerSums:
    """What is known about the players of some games that were judged at ``level`` with ``seed``.

    ``of`` are the players to report on; if it is empty, all. ``games`` is the number of judged games, ``nameless`` the
    number of their sides without a player's name; ``left_out`` says why other games were not judged, and how many.
    """

    level: str
    seed: int
    of: tuple[str, ...] = ()
    games: int = 0
    nameless: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    _rows: dict[tuple[str, str], array[float]] = field(default_factory=dict)

    def add(self, rules: str, players: Sequence[tuple[str, GameSums]]) -> None:
        """Count a game, given the names of the players that it says something about."""
        self.games += 1
        for player, sums in players:
            if player.strip() in NAMELESS:
                self.nameless += 1
            else:
                self._rows.setdefault((rules, player), array("d")).extend((*sums[:-1], *sums.parts))

    def rules(self) -> list[str]:
        """Return the rule sets of the players' games, sorted."""
        return sorted({rules for rules, player in self._rows if self._is_told(player)})

    def unknown(self) -> list[str]:
        """Return the names of players to report on about whom nothing is known."""
        known = {player for _, player in self._rows}
        return [player for player in self.of if player not in known]

    def lines(self) -> list[PlayerLine]:
        """Return what is reported about each player: by rule set, the smallest loss first; players about whom little is
        known come last.
        """

        def order(line: PlayerLine) -> tuple[str, bool, float, str]:
            rank = line.loss_per_decision if line.enough else -line.decisions
            return line.rules, not line.enough, rank, line.player

        return sorted((self._line(*key) for key in self._rows if self._is_told(key[1])), key=order)

    def parts(self) -> list[PartLine]:
        """Return what is reported about the parts of each player's decisions that are not empty, with players as in
        ``lines``.
        """
        lines, found = self.lines(), list[PartLine]()
        for rules in self.rules():
            known = {
                player: Evidence.of(self._games_of(rules, player)) for of, player in sorted(self._rows) if of == rules
            }
            whole = reduce(Evidence.__add__, known.values())
            for line in lines:
                if line.rules == rules:
                    own = known[line.player]
                    found += _part_lines(rules, line.player, own, whole.without(own))
        return found

    def _is_told(self, player: str) -> bool:
        return not self.of or player in self.of

    def _games_of(self, rules: str, player: str) -> Floats:
        """Return the sorted rows of a player's games."""
        import numpy as np

        rows = np.array(self._rows[rules, player]).reshape(-1, _WIDTH)
        return rows[np.lexsort(rows.T)]

    def _line(self, rules: str, player: str) -> PlayerLine:
        import numpy as np

        rows = self._games_of(rules, player)
        total, mean = GameSums(*rows.sum(0)[:_HEAD].tolist()), GameSums(*np.round(rows.mean(0), 6)[:_HEAD].tolist())
        loss, low, high = intervals(Evidence.of(rows))[0]
        marks = mean[2:6] if self.level != "quick" else (None, None, None, None)
        ends = (int(total.won), int(total.drawn), int(total.lost))
        agreed = round(total.agreed / total.choices, 6) if total.choices else None
        return PlayerLine(
            rules, player, len(rows), int(total.decisions), loss, low, high, low is not None, int(total.choices),
            agreed, *marks, *mean[6:9], *ends,
        )  # fmt: skip


def intervals(evidence: Evidence) -> list[tuple[float, float | None, float | None]]:
    """Return the loss per decision, for all decisions and for each part, with the limits that contain the true value 19
    times out of 20; None if there are too few decisions or games to say.
    """
    found: list[tuple[float, float | None, float | None]] = []
    for loss, error, games, enough in zip(
        evidence.rates()[0].tolist(), evidence.error().tolist(), evidence.games.tolist(), evidence.enough(), strict=True
    ):
        low, high = None, None
        if enough:
            margin = student(games - 1) * error
            low, high = round(max(min(0.0, loss), loss - margin), 6), round(loss + margin, 6)  # nobody can really gain
        found.append((round(loss, 6), low, high))
    return found


def _part_lines(rules: str, player: str, own: Evidence, others: Evidence) -> Iterator[PartLine]:
    """Yield what is reported about the parts of a player's decisions, given what the other players' games show."""
    rest, theirs = own.rates()[1], others.rates()[0]
    has_rest, has_others = own.enough(elsewhere=True), others.enough()
    expected, tried, excess = _expected(own, others)
    worst = int(excess.argmax()) if excess.any() else -1
    compared = ((rest, has_rest), (theirs, has_others), (expected, tried))
    for place, ((by, part), (loss, low, high)) in enumerate(zip(PARTS, intervals(own)[1:], strict=True), 1):
        if count := int(own.sums[place, 1]):
            told = [round(float(value[place]), 6) if known[place] else None for value, known in compared]
            yield PartLine(rules, player, by, part, count, loss, low, high, *told, weakness=place == worst)


def _expected(own: Evidence, others: Evidence) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Return for each part the loss per decision expected of a player, if known, and by how much their decisions
    certainly cost more than that and more than other players' decisions; 0 if that is not certain.

    A part may cost everybody more than the rest, so the expected loss follows from what it costs others, compared with
    the rest of their decisions. Without others, only groups are compared, since they are much alike.
    """
    import numpy as np

    (rate, rest), (theirs, their_rest) = own.rates(), others.rates()
    compared = others.enough(elsewhere=True) & (their_rest > 0)
    tried = own.enough(elsewhere=True) & (compared | [False, *(by == GROUP for by, _ in PARTS)])
    scale = np.where(compared, their_rest, 1.0)
    ratio = np.where(compared, theirs / scale, 1.0)
    more, error = rate - rest * ratio, np.where(compared, rest * others.error(ratio) / scale, 0.0)
    # If many parts are tested, one would seem weak by chance.
    certain = more > _widened(own, DOUBT / max(1, int(tried.sum()))) * np.hypot(own.error(ratio), error)
    than_others = rate - theirs
    certain &= ~compared | (than_others > _widened(own, DOUBT) * np.hypot(own.error(), others.error()))
    excess = np.where(compared, np.minimum(more, than_others), more) * own.sums[:, 1]
    return rest * ratio, tried, np.where(tried & certain, excess, 0.0)


def _widened(own: Evidence, doubt: float) -> Floats:
    """Return how many standard errors a gap must exceed so that chance alone exceeds it with a probability of only
    ``doubt``.
    """
    import numpy as np

    return np.array([student(max(1, games - 1), NormalDist().inv_cdf(1 - doubt)) for games in own.games.tolist()])


SCHEMA: Final = "urn:tironian:schema:players:1"
PAPER, NARROWEST = 120, 80
"""The width without a terminal, and the least width of a table, in columns."""
PART_WORDS: Final[Messages] = {
    "opening": "the opening",
    "middle": "the middle of a game",
    "end": "the end of a game",
    PLACING: "placing cards",
    ACTION: "playing actions",
    PASSING: "when to place and play nothing more",
    "veto": "when to veto",
    "castling": "how to lay out a castling",
    "spy": "what a spy takes",
    "pile": "which pile to draw from",
    "mission": "which mission to keep",
    GROUP: "moves at {group.the}",
}
"""The parts of decisions in words."""
_COLUMNS: Final[Messages] = {
    "games": ("games", "deci-\nsions", "loss", "95 %", "en-\ngine"),
    "luck": ("luck:\ndraws", "busts", "hidden"),
    "parts": ("deci-\nsions", "loss", "95 %", "else-\nwhere", "others", "ex-\npected"),
    "by": ("phase", "kind", "group", "opening", "middle", "end", "placing", "action", "passing"),
    "kinds": ("veto", "castling", "spy", "pile", "mission"),
}
"""The heads of columns, and what stands in them: the names of parts, and of what divides them."""
_WEAKNESS: Final[Messages] = {
    "groups": "the largest weakness is {part}. A decision costs {lost} points, one at the other groups {expected}.",
    "others": "the largest weakness is {part}. A decision costs {lost} points; it costs other players {others}, and "
    "{expected} would be expected from the player's other decisions.",
}
_LEGEND: Final[Messages] = {
    "loss": "loss: points of W, the chance of winning, lost per decision while W was between {low} and {high}; less is "
    "better.",
    "range": "95 %: the range that holds the true value 19 times out of 20. Players whose ranges overlap may be equal.",
    "few": "too few: with fewer than {decisions} or {games} nothing is said about how strong a player is.",
    "few of a part": "too few: with fewer than {decisions} ({few} of a part) or {games} nothing is said about how "
    "strong a player is.",
    "engine": "engine: the share of all decisions with a choice that agree with the engine.",
    "marks": "Marks per game: {marks}, if that is certain; {praise} is the only good move.",
    "luck": "draws, busts: luck per game in points of W; hidden: by hidden cards, which is neither luck nor skill.",
    "parts": "elsewhere: the loss in the player's other decisions; others: that of other players in such decisions; "
    "expected: what follows from both.",
}
"""What the columns mean."""


def players_data(sums: PlayerSums) -> dict[str, Any]:
    """Return what is reported about players as the schema's object."""
    return {
        "$schema": SCHEMA,
        "about": {"level": sums.level, "seed": sums.seed, "nets": {rules: load(rules).name for rules in sums.rules()}},
        "games": sums.games,
        "nameless": sums.nameless,
        "left_out": dict(sorted(sums.left_out.items())),
        "players": [line._asdict() for line in sums.lines()],
        "parts": [line._asdict() for line in sums.parts()],
    }


def write_players_table(lines: Iterable[TableLine], line: type[TableLine], stream: TextIO) -> None:
    """Write lines of a class as rows of a table to a text stream; chances are from 0 to 1."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(line._fields)
    for each in lines:
        writer.writerow([cell(value) if isinstance(value, str) else value for value in each])


def write_players(sums: PlayerSums, stream: TextIO, *, parts: bool = False) -> None:
    """Write a readable table for each rule set, and what its columns mean; with ``parts``, also what is reported about
    the parts of each player's decisions.
    """
    from rich.console import Console

    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    console.width = max(console.width, NARROWEST) if console.is_terminal else PAPER
    lines, told = sums.lines(), sums.parts() if parts else []
    with console.capture() as drawn:
        for rules in sums.rules():
            how = {"rules": rules, "net": load(rules).name, "level": sums.level, "seed": sums.seed}
            console.print(phrase("{rules} rules, net {net}, level {level}, seed {seed}", **how), end="\n\n")
            gap = int(console.width >= PAPER)
            console.print(_table([line for line in lines if line.rules == rules], sums.level != "quick", gap))
            console.print()
            for line in lines if parts else ():
                if line.rules == rules:
                    of = [part for part in told if (part.rules, part.player) == (rules, line.player)]
                    console.print(labelled(visible(line.player), weakness_words(of)), end="\n\n")
                    console.print(_part_table(of))
                    console.print()
        for sentence in _legend(lines, parts=parts):
            console.print(sentence)
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def weakness_words(parts: Sequence[PartLine]) -> str:
    """Return sentences about a player's largest weakness, given all parts of their decisions."""
    worst = next((part for part in parts if part.weakness), None)
    if worst is None or worst.expected is None:
        if all(part.expected is None for part in parts):
            return phrase("there is not enough to compare the parts of their decisions.")
        return phrase("no part of their decisions is certainly a weakness.")
    lost, others, expected = (_points(each or 0) for each in (worst.loss_per_decision, worst.others, worst.expected))
    part = phrase(PART_WORDS[worst.part if worst.by != GROUP else GROUP], group=PLACES[GROUPS.get(worst.part, 0)])
    said = "groups" if worst.others is None or worst.expected == worst.elsewhere else "others"
    return phrase(_WEAKNESS[said], part=part, lost=lost, others=others, expected=expected)


def _table(lines: list[PlayerLine], marked: bool, gap: int) -> Any:
    marks = [*(mark for mark, *_ in MARKS), PRAISE] if marked else []
    games, luck = (map(phrase, _COLUMNS[part]) for part in ("games", "luck"))
    table = _grid([phrase("player")], [*games, *marks, *luck, phrase("won-\ndrawn-\nlost")], gap)
    for line in lines:
        agreed = "" if line.agreement is None else percent(line.agreement)
        given = [line.blunders, line.mistakes, line.dubious, line.only_moves]
        luck = [signed(part) for part in (line.draws, line.busts, line.reveals)]
        head = [visible(line.player), str(line.games), str(line.decisions), _points(line.loss_per_decision)]
        marks = [figure(mark, ".1f") for mark in given if mark is not None]
        table.add_row(*head, _between(line), agreed, *marks, *luck, f"{line.won}-{line.drawn}-{line.lost}")
    return table


def _part_table(parts: Sequence[PartLine]) -> Any:
    table = _grid([sense("column", "by"), sense("column", "part")], [*map(phrase, _COLUMNS["parts"])])
    for place, line in enumerate(parts):
        by = "" if place and parts[place - 1].by == line.by else phrase(line.by)
        name = PLACES[GROUPS[line.part]].bare if line.by == GROUP else phrase(line.part)
        compared = ["" if value is None else _points(value) for value in (line.elsewhere, line.others, line.expected)]
        head = [by, name, str(line.decisions), _points(line.loss_per_decision)]
        table.add_row(*head, _between(line), *compared)
    return table


def _grid(names: Sequence[str], heads: Sequence[str], gap: int = 1) -> Any:
    """Return an empty table with columns of names and columns of numbers, separated by a space and this much more."""
    from rich import box
    from rich.table import Column, Table

    columns = [Column(head, justify="right", vertical="bottom", no_wrap=True) for head in heads]
    texts = [Column(name, vertical="bottom", overflow="fold") for name in names]
    return Table(*texts, *columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap, 0, 0))


def _between(line: TableLine) -> str:
    return phrase("too few") if line.low is None or line.high is None else f"{_points(line.low)}–{_points(line.high)}"


def _legend(lines: list[PlayerLine], *, parts: bool) -> Iterator[str]:
    if not lines:
        yield phrase("No game can be used: none has a named player who can be judged.")
        return
    marks = [phrase("{mark}: from {points} points", mark=mark, points=round(100 * least)) for mark, least, _ in MARKS]
    fields = {"decisions": counted(FEW_DECISIONS, "decision"), "games": counted(FEW_GAMES, "game")}
    fields |= {"marks": clauses(marks), "praise": PRAISE, "few": str(FEW_OF_A_PART)}
    fields |= {"low": percent(OPEN[0]), "high": percent(OPEN[1])}
    few = ["few of a part"] if parts else ["few"] * any(not line.enough for line in lines)
    marked = ["marks"] * (lines[0].dubious is not None)
    for said in ("loss", "range", *few, "engine", *marked, "luck", *["parts"] * parts):
        yield phrase(_LEGEND[said], **fields)


def _points(chance: float) -> str:
    return figure(100 * chance, ".1f")
