"""The search for repairs: edits at or before the point where a record breaks, each proven by a check of the whole
record.

An edit is kept if it lets the record be followed further, and proven if it lets the record be followed to its end. The
next edit is sought in the attempt that is likeliest and goes furthest. Budgets count candidates, not time, so a record
always gets the same repairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from heapq import heappop, heappush
from itertools import count, islice
from math import log
from operator import attrgetter, itemgetter
from typing import Final

from ...notation.basics import EGYPT, ROME, dataclass
from ...notation.extra import changes
from ...notation.records import (
    ERROR,
    Allowance,
    BudgetSpent,
    Game,
    Movetext,
    Packed,
    Record,
    Result,
    Turn,
    as_game,
    end_after,
    parse,
    score_text,
    write,
)
from ...notation.records import tokens as t
from ...replay.checking.api import Verdict, check
from ...replay.diagnostics.api import LEGAL, POSSIBLE
from ...replay.engine.api import (
    AT_END,
    Finding,
    HeaderInfo,
    Run,
    agree,
    apply,
    first_turn,
    follow,
    may_break_off,
    points_text,
    read_headers,
    rulings,
    run_turns,
    set_up,
    set_up_lines,
)
from ...replay.rules.api import EDITION_NAMES, OPTION_FIELDS, Edition, State, score
from ...replay.rules.core import encoded
from .candidates import doubled_edits, edits_at, header_edits, named, opening_edits, readings, side_edits, whole_turns
from .edits import Edit, all_words, aside_edit, counted_result, round_trips
from .slips import Slip, Vocabulary

ARRIVED: Final = 0
"""How much is left of an attempt that can be followed to its end."""


class TrialRun(Run):
    """A run that stops at its first error."""

    def add(self, finding: Finding) -> None:
        """Note a finding; an error stops the run."""
        super().add(finding)
        if finding.severity == ERROR:
            self.full = self.stopped = True

    def copy(self) -> TrialRun:
        """Return a copy, to continue differently from here."""
        assert self.state is not None
        copy = TrialRun(self.edition, self.state.copy(), self.agreed)
        copy.penalties, copy.reported, copy.broken_off = self.penalties, self.reported, self.broken_off
        return copy

    def go_on(self, turns: Sequence[Turn], packed: Packed, place: int, last: bool) -> int:
        """Play turns from a place on (``packed`` holds them as codes); return how much of them is left (``rest_of``).

        ``last`` says that the game may have been broken off within the last of them.
        """
        state = self.state
        assert state is not None
        stop, at, _ = follow(state, packed, place, len(packed))
        if stop == len(turns):
            return ARRIVED
        if at or not packed.is_followed(stop):
            return max(1, rest_of(turns, stop) - at)
        left = [replace(turn, after=tuple(rulings(turn))) if turn.after else turn for turn in turns[stop:]]
        self.last, self.reported = left[-1] if last else None, self.reported.copy()
        run_turns(self, state, Movetext.of(left), 0)
        return self._rest(left) if self.stopped and not self._is_lost() else ARRIVED

    def _is_lost(self) -> bool:
        """Return whether the game can't be followed further although nothing is wrong."""
        if not self.findings or self.findings[-1].fault.code not in ("C908", "C909"):
            return False
        return not any(finding.severity == ERROR for finding in self.findings)

    def _rest(self, turns: Sequence[Turn]) -> int:
        """Return how much of the turns is left after the last token that was carried out."""
        turn, at = self.reached
        reached = next((number for number, played in enumerate(turns) if played is turn), None)
        if reached is None:
            return rest_of(turns, 0)
        return max(1, rest_of(turns, reached + 1) if at == AT_END else rest_of(turns, reached) - at - 1)


@dataclass(slots=True)
class Attempt:
    """A record with edits. ``cost`` says how rare the undone slips are; ``header_info`` is what its headers say.

    ``rest`` is how many tokens and turn ends are left at the point where the attempt can no longer be followed.
    ``runs`` holds the run before each turn after the set-up, as far as it can be followed; ``end`` the state at the
    end.
    """

    record: Record
    header_info: HeaderInfo
    edits: tuple[Edit, ...] = ()
    cost: float = 0.0
    rest: int = ARRIVED
    runs: list[TrialRun] = field(default_factory=list)
    end: State | None = None
    _packed: Packed | None = None

    @property
    def turns(self) -> Sequence[Turn]:
        """Return the turns, including the set-up."""
        return self.record.turns

    @property
    def packed(self) -> Packed:
        """Return the turns as codes."""
        if self._packed is None:
            self._packed = packed_of(self.turns, self.may_break_off)
        return self._packed

    @property
    def may_break_off(self) -> bool:
        """Return whether the game may have been broken off within its last turn."""
        return may_break_off(self.record, self.header_info)

    @property
    def setup_line_count(self) -> int:
        """Return how many lines of the set-up there are."""
        return first_turn(set_up_lines(self.turns))

    def edited(self, edit: Edit, rest: int = ARRIVED, end: State | None = None, rules: str = "") -> Attempt:
        """Return the attempt with one more edit; ``rules`` names the rule set if the record names none."""
        record = edit.apply(self.record)
        header_info = self.header_info if edit.headers is None else read_headers(record, rules)
        return Attempt(record, header_info, (*self.edits, edit), self.cost + edit.cost, rest, [], end)

    def follow(self) -> None:
        """Follow the attempt from its set-up on, and keep the run before each turn."""
        header_info, turns = self.header_info, Movetext.of(self.turns)
        assert header_info.edition is not None
        run = TrialRun(header_info.edition, agreed=dict(header_info.agreed))
        run.broken_off = header_info.is_broken_off
        set_up(run, header_info, self.record, turns, set_up_lines(turns))
        run.findings.clear()
        self.runs, turns = [], self.turns
        if run.state is None or run.stopped:  # the set-up is wrong or lacks cards
            self.rest = rest_of(turns, 0)
            return
        for place in range(self.setup_line_count, len(turns)):
            self.runs.append(run.copy())
            last = place == len(turns) - 1 and self.may_break_off
            one = turns[place : place + 1]
            left = run.go_on(one, packed_of(one, last), 0, last)
            if left:
                self.rest = left + rest_of(turns, place + 1)
                return
            if run.stopped:
                break
        self.rest, self.end = ARRIVED, run.state

    def rest_with(self, edit: Edit, run: TrialRun) -> int:
        """Return what is left of the attempt if an edit of turns is made; ``run``, the run before the edit, is
        continued.
        """
        is_last = edit.end == len(self.turns) and self.may_break_off
        left = run.go_on(edit.turns, packed_of(edit.turns, is_last), 0, is_last)
        if left:
            return left + rest_of(self.turns, edit.end)
        return ARRIVED if run.stopped else run.go_on(self.turns, self.packed, edit.end, self.may_break_off)


def packed_of(turns: Sequence[Turn], last: bool = False) -> Packed:
    """Return turns as codes. Turns with a ruling are marked as followed, and so is the last one if ``last`` says that
    the game may have been broken off within it: codes don't say how such turns are judged.
    """
    packed = Packed()
    for turn in turns:
        packed.add(turn.number, turn.side, encoded(turn.tokens), 0, bool(rulings(turn)), turn.tokens)
    if last and turns:
        packed.follow_last()
    return packed


def rest_of(turns: Sequence[Turn], place: int) -> int:
    """Return how many tokens and turn ends there are from a turn on."""
    return sum(len(turn.tokens) + 1 for turn in turns[place:])


def plain(tokens: tuple[t.Token, ...]) -> tuple[t.Token, ...]:
    """Return tokens without what makes no difference: the order of cards drawn, and of cards placed at two groups."""
    joined: list[t.Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        if isinstance(token, t.Draw) and isinstance(before, t.Draw):
            joined[-1] = t.Draw(tuple(sorted((*before.cards, *token.cards))))
        elif isinstance(token, t.Draw):
            joined.append(t.Draw(tuple(sorted(token.cards))))
        elif isinstance(token, t.Place) and isinstance(before, t.Place) and before.group > token.group:
            joined[-1:] = [token, before]
        else:
            joined.append(token)
    return tuple(joined)


MAX_EDITS: Final = 3
"""How many slips a repair may undo."""
BUDGET: Final = 120_000
"""The most candidates that are followed."""
NEAR: Final = 4
"""How many turns before the break are tried first."""
_FAR_COST: Final = 2.0
"""The cost, in the order of the search, of turns further back."""
_PROGRESS: Final = 6.0
"""The cost, in the order of the search, of an attempt that gets no further; one that reaches the end costs nothing."""
_MAX_TURNS: Final = 20_000
"""The most turns tried as ones that may have been left out."""
_MAX_REFUTED_ATTEMPTS: Final = 2_000
"""How many attempts may reach the end and be refuted by a check of the whole record before the search ends: a check
takes as long as many candidates, and if it refutes this many, something is wrong that no edit can repair.
"""
MAX_REPAIRS: Final = 1_000
"""The number of repairs that ends the search: each holds a whole record."""
_MAX_KEPT_ATTEMPTS: Final = 40
"""The most that are examined again, since they go furthest."""
_MAX_READINGS: Final = 12
"""The most ways to read a word if no rule can tell which is meant."""
_MAX_NAMINGS: Final = 3
"""The most ways to name one by one the cards drawn in such a turn; if there are more, the cards stay unknown."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A record that differs by a few slips from the one that was written.

    It has been checked: it is legal, or possible if not everything is known.

    ``edits`` are what it changes, ``description`` the same in words, such as ``9E: 3Q should be 5Q (a wrong card)``.
    ``cost`` says how rare these slips are, as a negative logarithm, so repairs with the same cost are equally likely.
    ``equally_likely_count`` is the number of other repairs that are equally likely.

    >>> text = tironian.write(record).replace("9E 5K", "9E 4K")
    >>> [repair] = tironian.find_repairs(tironian.parse(text)[0])
    >>> repair.description, repair.verdict
    (('9E: 4K should be 5K (a wrong card)',), <legal: Rome 19, Egypt 10: Rome wins>)
    """

    edits: tuple[Edit, ...]
    record: Record
    verdict: Verdict
    cost: float
    equally_likely_count: int = 0
    description: tuple[str, ...] = ()


class Repairs(list[Repair]):
    """Repairs, the likeliest first. ``stopped`` says that the search was stopped before its end."""

    stopped = False


def find_repairs(
    game: Game | Record, rules: str = "", *, budget: int = BUDGET, seconds: float = 0.0, max_repairs: int = MAX_REPAIRS
) -> Repairs:
    """Return what a broken record most probably should have said, the likeliest first.

    Return nothing if the rule set is unknown, or if every repair would have to undo more than MAX_EDITS slips. In a
    record that is legal or possible, only things that move no card are repaired: header values, repeated turns, a
    missing result, and unreadable text.
    ``rules`` names the rule set if the record's headers name none. The search ends after ``budget`` steps, after
    ``seconds`` if given, and when it has found ``max_repairs`` repairs; if it ends for one of these reasons, the list's
    attribute ``stopped`` is set, and there may be likelier repairs.

    >>> text = tironian.write(record).replace("4R (3)P 2A", "4R 3P 2A")
    >>> for repair in tironian.find_repairs(tironian.parse(text)[0]):
    ...     print(*repair.description, repair.equally_likely_count)
    4R: 3P should be (3)P (missing or extra brackets) 1
    4R: 2A should be (2)A (missing or extra brackets) 1
    """
    return _repairs(as_game(game), rules, budget, Allowance(end=end_after(seconds)), max_repairs)


def _repairs(game: Game, rules: str, budget: int, allowance: Allowance, max_repairs: int) -> Repairs:
    """Return the repairs; all readings of a record that are tried share one time limit."""
    record = game.record
    header_info = read_headers(record, rules)
    for edit, before in _readable_before(game, known=header_info.edition is not None):
        verdict, is_tidy = check(before, rules), not before.has_asides
        repairs = _repairs(before, rules, budget, allowance, max_repairs) if is_tidy else Repairs()
        if not repairs and verdict.verdict in (LEGAL, POSSIBLE):
            repairs = Repairs([Repair((), before.record, verdict, 0.0)])
        for at, each in enumerate(repairs):
            edits, words = (edit, *each.edits), (*all_words([edit], record), *each.description)
            repairs[at] = replace(each, edits=edits, cost=each.cost + edit.cost, description=words)
        if repairs or repairs.stopped:
            return repairs
    if header_info.edition is None or game.too_large:
        return Repairs()
    verdict = check(game, rules)
    if verdict.verdict in (LEGAL, POSSIBLE):
        return Repairs(_sound_repairs(record, verdict, rules) if verdict.diagnostics else ())
    is_lost = any(diagnostic.code == "C908" for diagnostic in verdict.diagnostics)
    return Search(record, rules, header_info, header_info.edition, budget, allowance, max_repairs, is_lost).run()


def _sound_repairs(record: Record, known: Verdict, rules: str) -> Iterator[Repair]:
    """Yield the repairs of a sound record: header values in the wrong form, if it can be told what they mean, turns
    that are written twice, and the points of a game that is over.
    """
    edits, place = [*header_edits(record), *doubled_edits(record.turns)], len(record.turns)
    result = counted_result(record, known)
    if result is not None and result != record.result:
        headers = _with_result(record, result)
        edits.append(Edit(Slip.RESULT, Slip.RESULT.cost, place, place, headers=headers, result=result))
    for edit in edits:
        new = edit.apply(record)
        if (verdict := check(new, rules)).verdict in (LEGAL, POSSIBLE) and round_trips(write(new), new):
            yield Repair((edit,), new, verdict, edit.cost, 0, tuple(all_words([edit], record)))


def _readable_before(game: Game, *, known: bool) -> Iterator[tuple[Edit, Game]]:
    """Yield the game in more readable forms: as it was before its text was changed, and with its headers corrected."""
    if game.mended is not None:
        lines = tuple(changes(game.source, game.mended.source))
        yield Edit(Slip.IN_TRANSIT, Slip.IN_TRANSIT.cost, 0, 0, mended=game.mended, lines=lines), game.mended
    elif known and game.record.turns and game.has_asides:
        edit = aside_edit(game)
        assert edit.mended is not None
        yield edit, edit.mended
    elif not known:
        for edit in header_edits(game.record):
            if round_trips(write(record := edit.apply(game.record)), record):
                yield edit, as_game(record)


@dataclass(slots=True)
class Search:
    """The search for repairs of one record."""

    record: Record
    rules: str
    header_info: HeaderInfo
    edition: Edition
    budget: int
    allowance: Allowance
    max_repairs: int
    is_lost: bool
    """Whether the cards can be followed only part of the way although nothing is wrong up to that point."""
    _repairs: dict[tuple[object, ...], Repair] = field(default_factory=dict)
    _depth: int = MAX_EDITS
    _refuted: int = 0
    _heap: list[tuple[float, int, Attempt, bool]] = field(default_factory=list)
    _order: count[int] = field(default_factory=count)

    def run(self) -> Repairs:
        """Return the repairs, the likeliest first."""
        found = Repairs()
        try:
            self._search()
            found.stopped = self.budget <= 0
        except BudgetSpent:
            found.stopped = True
        repairs = sorted(self._repairs.values(), key=attrgetter("cost"))
        costs = [round(repair.cost, 6) for repair in repairs]
        for repair, cost in zip(repairs, costs, strict=True):
            words = tuple(all_words(repair.edits, self.record))
            found.append(replace(repair, equally_likely_count=costs.count(cost) - 1, description=words))
        return found

    def _search(self) -> None:
        """Find repairs until nothing is left to try. Raise BudgetSpent when time runs out or enough are found."""
        root = Attempt(self.record, self.header_info)
        root.follow()
        self._try_whole(root)
        if self.is_lost:
            self._read(root)
            if self._repairs:
                return
        self._keep(root, 0.0)
        while self._heap and self.budget > 0:
            weight, _, attempt, is_far = heappop(self._heap)
            if len(attempt.edits) >= self._depth:
                continue
            if attempt.edits and not attempt.runs:
                attempt.follow()
            last = len(attempt.runs) - 1
            if is_far:
                self._expand(attempt, range(last - NEAR, -1, -1))
                continue
            if attempt.edits:
                self._try_other_rules(attempt)
            self._expand(attempt, range(last, max(-1, last - NEAR), -1))
            heappush(self._heap, (weight + (_FAR_COST if attempt.edits else 0.0), next(self._order), attempt, True))

    def _try_whole(self, root: Attempt) -> None:
        """Try the slips that affect the whole record: its headers, sides, rules, result and set-up."""
        for edit in header_edits(self.record):
            self._prove(root.edited(edit, rules=self.rules))
        for edit in doubled_edits(self.record.turns):
            child = root.edited(edit)
            if not self._prove(child):
                child.follow()
                if child.rest < root.rest:
                    self._keep(child, child.rest / root.rest)
        for ways in side_edits(self.record, self.rules):
            any(self._prove(root.edited(edit, rules=self.rules)) for edit in ways)
        self._try_other_rules(root)
        if root.runs and root.rest == ARRIVED:
            self._arrive(root)
        self._try_openings(root)

    def _read(self, attempt: Attempt) -> None:
        """Try possible meanings of words if no rule can decide, because the cards can't be followed there."""
        for edit in sorted(readings(attempt.turns), key=attrgetter("cost"))[:_MAX_READINGS]:
            child = attempt.edited(edit)
            if not self._prove(child) and len(child.edits) < MAX_EDITS:
                self._read(child)

    def _spend(self) -> None:
        self.budget -= 1
        self.allowance.spend()

    def _keep(self, attempt: Attempt, furthest: float) -> None:
        """Keep an attempt for further trials; ``furthest`` is the share of the way that is left, from 0 to 1."""
        heappush(self._heap, (attempt.cost + _PROGRESS * furthest, next(self._order), attempt, False))

    def _expand(self, attempt: Attempt, places: Sequence[int]) -> None:
        """Try every edit of an attempt at some of the turns that can be followed."""
        vocabulary = _vocabulary(attempt.header_info)
        for place in places:
            run = attempt.runs[place]
            state = state_of(run)
            self._try_missing_turns(attempt, attempt.setup_line_count + place, run)
            for edit in edits_at(attempt.turns, attempt.setup_line_count + place, state, vocabulary):
                if self.budget <= 0:
                    return
                self._try(attempt, edit, run)

    def _try(self, attempt: Attempt, edit: Edit, before: TrialRun) -> None:
        """Follow an attempt with an edit from the run before it; keep it if the edit gets it further."""
        run = before.copy()
        rest = self._rest_with(attempt, edit, run)
        if rest == ARRIVED and (attempt.rest != ARRIVED or self._fits(state_of(run))):
            self._arrive(attempt.edited(edit, ARRIVED, run.state))
        elif rest != ARRIVED and rest < attempt.rest and len(attempt.edits) + 1 < MAX_EDITS:
            self._keep(attempt.edited(edit, rest), rest / attempt.rest)

    def _rest_with(self, attempt: Attempt, edit: Edit, run: TrialRun) -> int:
        """Return what is left of an attempt if an edit is made; the run before the edit is continued."""
        self._spend()
        return attempt.rest_with(edit, run)

    def _try_openings(self, root: Attempt) -> None:
        for edit in opening_edits(root.turns[: root.setup_line_count], _vocabulary(root.header_info)):
            self._spend()
            attempt = root.edited(edit)
            attempt.follow()
            if attempt.rest == ARRIVED:
                self._arrive(attempt)
            elif attempt.rest < root.rest:
                self._keep(attempt, attempt.rest / root.rest)

    def _try_missing_turns(self, attempt: Attempt, place: int, run: TrialRun) -> None:
        """Try the turns that may have been left out before one that was not due."""
        turn, state = attempt.turns[place], state_of(run)
        if (turn.number, turn.side) == (state.number, state.active) or state.over:
            return
        if any(edit.headers is None for edit in attempt.edits):
            return
        for with_action in (False, True):
            before = len(self._repairs)
            tried: list[tuple[int, int, Edit]] = []
            number, side = int(state.number), int(state.active)
            for tokens in islice(whole_turns(state, with_action), max(0, min(_MAX_TURNS, self.budget))):
                edit = Edit(Slip.TURN_OMITTED, 0.0, place, place, (Turn(number, side, tokens),))
                tried.append((self._rest_with(attempt, edit, run.copy()), len(tried), edit))
            cost = Slip.TURN_OMITTED.cost + log(1 + len(tried)) / 2 + with_action
            for rest, _, edit in sorted(tried, key=itemgetter(0, 1))[:_MAX_KEPT_ATTEMPTS]:
                child = attempt.edited(replace(edit, cost=cost), rest)
                if rest == ARRIVED:
                    self._prove_named(attempt, child.edits[-1], run)
                elif rest < attempt.rest:
                    self._keep(child, rest / attempt.rest)
            if len(self._repairs) > before:
                return

    def _prove_named(self, attempt: Attempt, edit: Edit, run: TrialRun) -> None:
        """Prove an attempt with a turn whose drawn cards are unknown; name them if there are few possibilities."""
        tokens = edit.turns[0].tokens
        drawn = {at: token.cards for at, token in enumerate(tokens) if isinstance(token, t.Draw)}
        at = min(drawn, default=len(tokens))
        before = state_of(run).copy()
        for token in tokens[:at]:
            apply(before, token)
        ways: list[Edit] = []
        for draw in named(before, drawn.get(at, ())):
            way = replace(edit, turns=(replace(edit.turns[0], tokens=(*tokens[:at], draw, *tokens[at + 1 :])),))
            end = run.copy()
            if self._rest_with(attempt, way, end) == ARRIVED and self._fits(state_of(end)):
                ways.append(way)
            if len(ways) > _MAX_NAMINGS:
                break
        for way in ways if 0 < len(ways) <= _MAX_NAMINGS else [edit]:
            self._prove(attempt.edited(way))

    def _fits(self, state: State) -> bool:
        """Return whether the record's points match those of the state at its end, as far as missions are known."""
        result = self.record.result
        if result is None or result.points is None or not state.over:
            return True
        sides, mission = score(state, result.verdicts, state.penalties).sides, self.edition.mission_points
        return all(points in side.possible_points(mission) for points, side in zip(result.points, sides, strict=True))

    def _arrive(self, attempt: Attempt) -> None:
        """Prove an attempt that can be followed to its end, if necessary with a different result."""
        assert attempt.end is not None
        if self._fits(attempt.end) and self._prove(attempt):
            return
        if len(attempt.edits) < self._depth:
            for edit in _other_results(attempt.record, attempt.end):
                if self._prove(attempt.edited(edit)) and attempt.end.over:
                    return

    def _try_other_rules(self, attempt: Attempt) -> None:
        """Try the rule sets that the record does not name, and the readings and variants of its own."""
        if any(edit.headers is not None for edit in attempt.edits):
            return
        tries = list(_other_rules(self.record, self.edition))
        for tried in tries:
            edit = Edit(Slip.RULES, Slip.RULES.cost + log(len(tries)), 0, 0, headers=tried)
            child = attempt.edited(edit)
            if not self._prove(child) and len(child.edits) < MAX_EDITS:
                child.follow()
                if child.rest < attempt.rest:
                    self._keep(child, child.rest / attempt.rest)

    def _prove(self, attempt: Attempt) -> bool:
        """Keep an attempt as a repair if the check finds it legal, or possible; return whether it does."""
        self._spend()
        verdict = check(attempt.record, self.rules)
        record = attempt.record
        if verdict.verdict not in (LEGAL, POSSIBLE) or not round_trips(write(record), record):
            self._refuted += 1
            if self._refuted > _MAX_REFUTED_ATTEMPTS:
                raise BudgetSpent
            return False
        self._depth = min(self._depth, len(attempt.edits))
        key = tuple([(turn.number, turn.side, plain(turn.tokens)) for turn in attempt.turns]), attempt.record.headers
        known = self._repairs.get(key)
        if known is None or attempt.cost < known.cost:
            self._repairs[key] = Repair(attempt.edits, attempt.record, verdict, attempt.cost)
        if len(self._repairs) >= self.max_repairs:
            raise BudgetSpent
        return True


def _other_rules(record: Record, edition: Edition) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield headers that name another rule set, or another reading or variant of the same one."""
    others = tuple(header for header in record.headers if header[0] not in ("Rules", "Rulings"))
    yield from ((*others, ("Rules", name)) for name in EDITION_NAMES if name != edition.name)
    for option, values in edition.options.items():
        here = getattr(edition, OPTION_FIELDS.get(option, option)).value
        for value in values:
            if value != here:
                changed = {**edition.declared, option: value}
                rulings = " ".join([f"{name}={chosen}" for name, chosen in changed.items()])
                yield (*others, ("Rules", edition.name), ("Rulings", rulings))


def _vocabulary(header_info: HeaderInfo) -> Vocabulary:
    """Return what can be written under the rules, and from the point of view, that the headers name."""
    assert header_info.edition is not None
    return Vocabulary(header_info.edition, header_info.view)


def state_of(run: TrialRun) -> State:
    """Return the state that a run has reached."""
    assert run.state is not None
    return run.state


def _other_results(record: Record, end: State) -> Iterator[Edit]:
    """Yield the edits of a wrong result: if header and line differ, one takes the other's value; then, if the game is
    over, those that give the record the points at its end, with or without a winner.
    """
    result, place, said = record.result or Result(), len(record.turns), record.header("Result")
    cost = Slip.RESULT.cost
    if record.result is not None and said and not agree(said.strip(), score_text(result)):
        if score_text(result) != "*":  # which says nothing
            yield Edit(Slip.RESULT, cost, 0, 0, headers=_with_result(record, result))
        meant = None if end.over else parse(said)[0].record.result
        if meant is not None and said != "*":
            new = replace(result, points=meant.points, winner=meant.winner)
            yield Edit(Slip.RESULT, cost, place, place, result=new)
    if end.over:
        yield from _counted_results(record, end)


def _counted_results(record: Record, end: State) -> Iterator[Edit]:
    result, place, said = record.result or Result(), len(record.turns), record.header("Result")
    points = score(end, result.verdicts, end.penalties).points
    is_unsaid = said.partition(">")[0] in ("", "?", "*", points_text(points))
    for winner in (None, ROME, EGYPT):
        new = replace(result, points=points, winner=winner)
        headers = record.headers if is_unsaid else _with_result(record, new)
        if new != record.result:
            cost = Slip.RESULT.cost + (0.0 if is_unsaid else log(4))
            yield Edit(Slip.RESULT, cost, place, place, headers=headers, result=new)


def _with_result(record: Record, result: Result) -> tuple[tuple[str, str], ...]:
    return tuple([(name, score_text(result) if name == "Result" else value) for name, value in record.headers])
