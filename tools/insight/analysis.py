"""The judgement of a game: each side's chances, decisions, and ledger of skill and luck, from that side's own
information.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from hashlib import blake2b
from itertools import count, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ...notation.basics import EGYPT, GROUP_LETTERS, ROME, TIE
from ...notation.language import ENGLISH, phrase, spoken
from ...notation.language import PLAYERS as PEOPLE
from ...notation.records import Allowance, Game, Record, as_game, end_after, moves_of, token_text
from ...notation.records import tokens as t
from ...replay.engine.api import PLAYERS, HeaderInfo, Run, final_score, outcome, read_headers, replay_game, walk
from ...replay.knowledge.api import SEES, history_of_replay, redaction
from ...replay.rules.api import DRAWN, Edition
from ...replay.rules.core import ImpossibleMoveError, MissingCardsError, codes
from ...replay.story.votes import Swing
from ..processes.pool import Pool
from ..storage.api import CannotRun
from .account import BUSTS, COLUMNS, DRAWS, ENDS, EVALUATOR, PLAY, REVEALS, SITES, Account, LedgerEntry, LogWalk
from .judgement import EFFORTS, Judge, Judged, reworded
from .net import NEAREST, evaluator, load
from .worlds import Beliefs

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized


LEVELS: Final = tuple(EFFORTS)
TOLD: Final = ("Rules", "Rulings", "View", "Starts", "Result", "Termination")
"""The headers that a report depends on."""
Logs: TypeAlias = tuple[Record | None, Record | None]
"""A record as Caesar and as Cleopatra would have written it."""
SideTask: TypeAlias = tuple[Record, int, str, int, float, str]
"""The log of a side, the side, and how to judge it."""


class Point(NamedTuple):
    """A point on the curve: after the token ``at`` of a turn (its place in the record), the chance of winning.

    ``cause`` is the column of the ledger under which the change is booked. ``others`` lists what could have been drawn
    instead (the letter of a vote's group, or ``=o`` and ``=r`` for no vote), each with the chance of winning after it.

    >>> tironian.Point(turn=12, at=2, win=0.61, cause="draws").win
    0.61
    """

    turn: int
    at: int
    win: float
    cause: str
    others: tuple[tuple[str, float], ...] = ()


class LuckLedger(NamedTuple):
    """What moved a player's chance of winning from ``start`` to ``end``, by cause.

    ``end`` is the result if the game has one; the parts are in the order of ``COLUMNS``, and add up to ``end`` minus
    ``start``. ``unexplained`` splits the last part by where it arises, in the order of ``SITES``.

    >>> ledger = tironian.LuckLedger(0.5, (-0.1, 0.02, 0.03, 0.0, 0.1, -0.05), 0.5, complete=True)
    >>> ledger["busts"]
    0.03
    """

    start: float
    parts: tuple[float, ...]
    end: float
    complete: bool
    unexplained: tuple[float, ...] = ()

    def __getitem__(self, name: str) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the part booked under a column."""
        return self.parts[COLUMNS.index(name)]

    @property
    def points(self) -> tuple[int, ...]:
        """Return the parts in whole points, which add up to the change between the rounded start and end: the
        opponent's turns take up what rounding leaves, and busts within luck.
        """
        play, draws, _, reveals, _, rest = [round(100 * part) for part in self.parts]
        busts = round(100 * lucky(self)) - draws
        change = round(100 * self.end) - round(100 * self.start)
        return play, draws, busts, reveals, change - play - draws - busts - reveals - rest, rest


class SideReport(NamedTuple):
    """A player's report, from what they could know: the curve of their chance of winning, their decisions, and the
    ledger.

    ``stopped`` says that time ran out before all decisions had been judged by playing on.

    >>> start = tironian.Point(0, -1, 0.5, "")
    >>> tironian.SideReport(0, (start,), (), tironian.LuckLedger(0.5, (0.0,) * 6, 0.5, complete=False)).curve[0].win
    0.5
    """

    side: int
    curve: tuple[Point, ...]
    decisions: tuple[Judged, ...]
    ledger: LuckLedger
    stopped: bool = False


class Report(NamedTuple):
    """A judged game; None stands for a side whose cards the record does not show well enough.

    ``log`` is the record as each judged player would have written it; ``record`` is a number that identifies everything
    in these logs that the report depends on.

    >>> record = tironian.simulate(tironian.load_edition("2024"), seed=1)
    >>> seen = tironian.view(record, "table").record
    >>> tironian.analyse(seen, level="quick").sides
    (None, None)
    """

    sides: tuple[SideReport | None, SideReport | None]
    rules: str
    net: str
    level: str
    seed: int
    log: Logs
    record: str


def analyse(
    game: Game | Record,
    side: int | None = None,
    level: str = "default",
    seed: int = 0,
    seconds: float = 0.0,
    rules: str = "",
    jobs: int = 1,
    watch: Callable[[int], None] | None = None,
) -> Report:
    """Return the report on a game, for one side or both. This needs numpy.

    ``level`` is ``quick`` (the net alone), ``default`` or ``deep``; after ``seconds``, if given, the rest is judged by
    the net alone, and that side's report says that it was ``stopped``. ``rules`` names the rule set if the record names
    none. With two ``jobs``, both sides are judged at once. ``watch`` is called from time to time with how often a
    decision has been examined so far. docs/insight.md says what the numbers mean. Raise LookupError if there is no net
    for the rules, ValueError if the rule set is unknown.

    >>> caesar, cleopatra = "0R (2)P (3)Q (4)A (5)K (1)C m(each,K) +v", "0E (3)P (2)Q (1)A (4)K (5)C m(A,P*) +v"
    >>> lines = ['[Rules "2024"]', caesar, cleopatra, "1E (1)P 3P +25", "*"]
    >>> [game] = tironian.parse("\\n".join(lines))
    >>> report = tironian.analyse(game, level="quick")
    >>> [decision.played for decision in report.sides[1].decisions][:2]
    ['(1)P', '3P']
    """
    game = as_game(game)
    edition, logs = logs_of(game, rules, side)
    net = load(edition.name)
    tasks = [(log, one, level, seed, seconds, rules) for one, log in enumerate(logs) if log is not None]
    if jobs > 1 and len(tasks) > 1 and level != "quick":
        rome, egypt = _at_once(tasks, watch)
    else:
        looks, tell = count(1), watch or (lambda _: None)
        found = {task[1]: _of_side(*task, told=lambda: tell(next(looks))) for task in tasks}
        rome, egypt = found.get(ROME), found.get(EGYPT)
    return Report((rome, egypt), edition.name, net.name, level, seed, logs, number_of(logs))


def logs_of(game: Game, rules: str = "", side: int | None = None) -> tuple[Edition, Logs]:
    """Return the rule set of a game, and its record as each player, or only ``side``, would have written it.

    None stands for the log of a side whose cards are not in the record. Raise ValueError if the rule set is unknown.
    """
    frame = read_headers(game.record, rules)
    if frame.edition is None:
        raise ValueError(phrase("the rule set of this game is unknown: its Rules header is missing or wrong"))

    def log_of(one: int) -> Record | None:
        if side not in (None, one) or not SEES[frame.view][one]:
            return None
        return game.record if frame.view == PLAYERS[one] else redaction.view(game, PLAYERS[one], rules).record

    return frame.edition, (log_of(ROME), log_of(EGYPT))


def _at_once(tasks: Sequence[SideTask], watch: Callable[[int], None] | None) -> list[SideReport | None]:
    """Return the reports of tasks, each made in its own process. Raise CannotRun if it was killed twice."""
    from multiprocessing import Value

    looks = Value("l", 0)
    tell = (lambda: watch(looks.value)) if watch else None
    with closing(Pool(partial(_counted, looks), len(tasks))) as pool:
        return [report for _, report in pool.map(tasks, _lost, tell)]


def _counted(looks: Synchronized[int], task: SideTask) -> SideReport | None:
    """Return the report of a task, and count the looks at decisions where all processes can see them."""

    def told() -> None:
        with looks.get_lock():
            looks.value += 1

    return _of_side(*task, told=told)


def _lost(_task: SideTask) -> SideReport | None:
    raise CannotRun(phrase("the process that judged a side was killed twice, perhaps because memory ran out"))


def number_of(logs: Logs) -> str:
    """Return a hexadecimal number that identifies everything in logs that a report on them depends on: moves, rules and
    result.

    It is not computed from the whole record: by trying out cards, the other side's hidden ones could be found.
    """
    said = [
        f"{moves_of(as_game(log))} {[(name, log.header(name)) for name in TOLD]} {log.result}" for log in logs if log
    ]
    return blake2b("\n".join(said).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def account_of(log: Record, side: int, seed: int, rules: str = "") -> Account | None:
    """Return the valued account of a player's log; None if it can't be followed."""
    frame = read_headers(log, rules)
    assert frame.edition is not None
    value, game = evaluator(frame.edition), as_game(log)
    played = replay_game(game, rules)
    story = history_of_replay(game.record, frame, played)
    if story is None or len(played.steps) < 2:
        return None
    try:
        beliefs = Beliefs(story, side)
    except ValueError:  # no cards explain the set-up
        return None
    try:
        account = LogWalk(log, played, story, beliefs, seed).walk()
    except (ImpossibleMoveError, MissingCardsError):  # it lacks some of the player's own cards
        return None
    account.value(value)
    account.result = _result(log, frame, played.run, side) if account.complete else None
    return account


def _of_side(
    log: Record, side: int, level: str, seed: int, seconds: float, rules: str, told: Callable[[], None]
) -> SideReport | None:
    time = Allowance(end=end_after(seconds))
    account = account_of(log, side, seed, rules)
    if account is None:
        return None

    def expired() -> bool:
        told()
        return not time.try_spend()

    decisions = Judge(account, seed).all(EFFORTS[level], expired)
    curve, ledger = _booked(account, decisions)
    return SideReport(side, curve, decisions, ledger, stopped=time.left < 0)


def _result(log: Record, frame: HeaderInfo, run: Run, side: int) -> float | None:
    """Return a side's result according to the record: 1, 0.5 or 0; None if the game was not finished."""
    winner = outcome(log, frame, run, final_score(log, run)).winner
    return None if winner is None else 0.5 if winner == DRAWN else float(winner == side)


def _booked(account: Account, decisions: Sequence[Judged]) -> tuple[tuple[Point, ...], LuckLedger]:
    """Return the curve and the ledger: the chain of entries, with each difference booked once.

    The cost of a decision is booked as it was judged: the net alone would overrate the best of many moves.
    """
    values, result = account.values, account.result
    begin = now = float(values[account.start])
    losses = iter(decisions)
    final: float | None = None
    """The result, once the game is over."""
    sums: dict[str, float] = dict.fromkeys(COLUMNS, 0.0)
    sites: dict[str, float] = dict.fromkeys(SITES, 0.0)
    curve = [Point(0, -1, begin, "")]

    def book(
        turn: int, at: int, column: str, then: float, others: tuple[tuple[str, float], ...] = (), site: str = ENDS
    ) -> None:
        nonlocal now
        sums[column] += then - now
        if column == EVALUATOR:
            sites[site] += then - now
        now = then
        curve.append(Point(turn, at, then, column, others))

    entries: Sequence[LedgerEntry] = account.entries
    for entry in entries:
        then = entry.worth(values)
        then += next(losses).loss if entry.chosen >= 0 else 0.0
        if final is not None:
            then = final
        elif not entry.over:
            then = min(max(then, NEAREST), 1 - NEAREST)
        others = tuple((_came(account, option), float(values[option])) for option in entry.others)
        book(entry.turn, entry.at, entry.column, then, others, entry.site)
        if entry.over and final is None and result is not None:
            final = result
            if then != final:  # missions that the player had never seen are shown
                book(entry.turn, entry.at + 1, REVEALS, final)
    if result is not None:
        last = entries[-1].column if entries else EVALUATOR
        sums[last] += result - now
        if last == EVALUATOR:
            sites[ENDS] += result - now
        now = result
    return tuple(curve), LuckLedger(begin, tuple(sums.values()), now, result is not None, tuple(sites.values()))


def _came(account: Account, option: int) -> str:
    """Return what an option of a reveal brings: the letter of a group, ``=o`` or ``=r``."""
    token = codes.decode(*account.batch.move(option))
    return GROUP_LETTERS[token.group] if isinstance(token, t.Vote | t.PutAway) else token_text(token)


OPEN: Final = (0.1, 0.9)
"""The chances of winning between which a decision counts for a player's strength: a lost game can get no worse."""
FEW_DECISIONS, FEW_GAMES = 150, 3
"""With fewer decisions or games, nothing is said about a player's strength."""
LUCK: Final = (DRAWS, BUSTS)
"""The causes that are luck. Hidden cards that turn out better or worse than expected are neither luck nor skill."""
NOTABLE: Final = 0.1
"""The least difference between two sides that is named."""


class Luck(NamedTuple):
    """An event of chance: after the token ``at`` of a turn (its place in the record), what it changed.

    ``others`` are what could have been drawn instead, as in :class:`Point`, each with its change.
    """

    turn: int
    at: int
    cause: str
    change: float
    others: tuple[tuple[str, float], ...] = ()


def judged_sides(report: Report) -> list[tuple[SideReport, Record]]:
    """Return the sides that are judged, each with its log."""
    pairs = zip(report.sides, report.log, strict=True)
    return [(side, log) for side, log in pairs if side and log]


def told_sides(report: Report) -> list[tuple[SideReport, Record]]:
    """Return the sides that are judged, each with its log, in the language that is spoken."""
    return [
        (side._replace(decisions=(*worded(side.decisions, side.side, log, report.rules),)), log)
        for side, log in judged_sides(report)
    ]


def worded(decisions: Iterable[Judged], side: int, log: Record, rules: str) -> list[Judged]:
    """Return decisions with their moves in the language that is spoken, as a report has them in English."""
    if spoken() is ENGLISH:
        return [*decisions]
    played = replay_game(as_game(log), rules)
    before = {(step.place, step.at): (state, step.token) for state, step in walk(played)}
    start = played.steps[0].state, None
    return [reworded(each, side, *before.get((each.turn, each.at), start)) for each in decisions]


def unjudged(report: Report) -> list[str]:
    """Return a sentence about each side that has a log but could not be judged by it; a single one if there is no log
    at all.
    """
    if report.log == (None, None):
        return [phrase("Nothing can be judged: the record does not say what either player held.")]
    return [
        phrase("{player.name} can't be judged: no turn can be followed with the cards of the set-up.", player=player)
        for player, side, log in zip(PEOPLE, report.sides, report.log, strict=True)
        if side is None and log is not None
    ]


class Comparison(NamedTuple):
    """Both sides of a report, side by side: what ``luck`` brought and what their decisions ``lost``, in chances of
    winning. ``luckier`` and ``better`` are sides, or TIE if the difference is less than NOTABLE. ``doubt`` is what the
    engine can't explain, 0 if it is less than the differences that are named.
    """

    luck: tuple[float, float]
    lost: tuple[float, float]
    luckier: int
    better: int
    doubt: float


def lucky(ledger: LuckLedger) -> float:
    """Return what luck brought a side, in chances of winning."""
    return sum(ledger[cause] for cause in LUCK)


def comparison(report: Report) -> Comparison | None:
    """Return the comparison of both sides; None unless both are judged."""
    rome, egypt = report.sides
    if rome is None or egypt is None:
        return None
    luck = lucky(rome.ledger), lucky(egypt.ledger)
    lost = -rome.ledger[PLAY], -egypt.ledger[PLAY]
    gaps = luck[ROME] - luck[EGYPT], lost[EGYPT] - lost[ROME]
    luckier, better = [TIE if abs(gap) < NOTABLE else ROME if gap > 0 else EGYPT for gap in gaps]
    doubt = max(abs(side.ledger[EVALUATOR]) for side in (rome, egypt))
    named = [abs(gap) for gap in gaps if abs(gap) >= NOTABLE]
    return Comparison(luck, lost, luckier, better, doubt if named and doubt > min(named) else 0.0)


def mistakes(decisions: Sequence[Judged], most: int = 3) -> list[Judged]:
    """Return the costliest decisions whose mark blames the player, the worst first."""
    marked = [each for each in decisions if each.is_mistake]
    return sorted(marked, key=lambda each: (-each.loss, each.turn, each.at))[:most]


def luck(curve: Sequence[Point], most: int = 3) -> list[Luck]:
    """Return the draws, busts and vote cards that changed the chances most, the largest first."""
    found: list[Luck] = []
    for before, after in pairwise(curve):
        if after.cause in LUCK:
            others = tuple((came, win - before.win) for came, win in after.others)
            found.append(Luck(after.turn, after.at, after.cause, after.win - before.win, others))
    return sorted(found, key=lambda each: (-abs(each.change), each.turn, each.at))[:most]


def costs_of(report: Report) -> dict[tuple[str, int, str], float]:
    """Return how much better or worse each move that a report names is than what was played.

    The keys are the label of the turn, the place of the token in it, and the move in the notation.
    """
    found: dict[tuple[str, int, str], float] = {}
    for side, log in judged_sides(report):
        for each in side.decisions:
            place, wins = (log.turns[each.turn].label, each.at), {move.text: move.win for move in each.moves}
            played = wins.get(each.played, each.before - each.loss)
            found[*place, each.best] = each.loss
            found |= {(*place, move): win - played for move, win in wins.items()}
    return found


def swings_of(report: Report) -> dict[tuple[int, str, int], Swing]:
    """Return what each draw and each vote changed for the judged sides: side, turn and place of the token → swing."""
    found: dict[tuple[int, str, int], Swing] = defaultdict(lambda: Swing(0.0, 0.0))
    for side, log in judged_sides(report):
        for before, after in pairwise(side.curve):
            place, change = (side.side, log.turns[after.turn].label, after.at), after.win - before.win
            if after.cause == BUSTS:
                found[place] = Swing(found[place].drawn + change, found[place].shown)
            elif after.cause == REVEALS:
                found[place] = Swing(found[place].drawn, found[place].shown + change)
    return dict(found)


def chance_before(curve: Sequence[Point], judged: Judged) -> float:
    """Return the chance of winning at a decision on the curve, with the best move."""
    for before, after in pairwise(curve):
        if after.cause == PLAY and (after.turn, after.at) == (judged.turn, judged.at):
            return before.win
    return judged.before


def strength(decisions: Sequence[Judged]) -> tuple[float, int]:
    """Return the chance of winning that a player lost per decision, and how many there were.

    Losses that happened to be measured as gains are kept.
    """
    counted = counting(decisions)
    return (sum(each.loss for each in counted) / len(counted) if counted else 0.0), len(counted)


def counting(decisions: Sequence[Judged]) -> list[Judged]:
    """Return the decisions that count for a player's strength: those with a choice, while the game was open."""
    return [each for each in decisions if not each.is_forced and OPEN[0] < each.before < OPEN[1]]


def agreement(decisions: Sequence[Judged]) -> tuple[float | None, int]:
    """Return how often a player decided as the engine would, and how many decisions offered a choice.

    A move that was judged to cost nothing counts as the engine's. None if there was no decision.
    """
    free = [each for each in decisions if not each.is_forced]
    agreed = sum(each.loss <= 0 or each.played == each.best for each in free)
    return agreed / len(free) if free else None, len(free)
