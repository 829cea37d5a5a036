"""Several people's logs as one record with everything that any of them knew; files of several games in pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from ...notation.basics import dataclass
from ...notation.language import PLAYERS, labelled, phrase, plural
from ...notation.records import (
    ERROR,
    WARNING,
    Allowance,
    BadLine,
    Comment,
    Diagnostic,
    Game,
    Label,
    Record,
    Span,
    Turn,
    as_game,
    end_after,
    header_text,
    parse,
    ruling_text,
    token_text,
    turn_text,
    write,
)
from ...notation.records import tokens as t
from ...replay.checking.api import Verdict, check, make_diagnostic
from ...replay.diagnostics.api import ILLEGAL, POSSIBLE
from ...replay.engine.api import HeaderInfo, read_headers, run_record
from ...replay.knowledge.api import seen_token
from .joined_turns import (
    Column,
    JoinedTurn,
    JoinedWord,
    Slot,
    Version,
    join,
    joined_turn,
    late_openings,
    likeness,
    owner,
    turn_columns,
    turn_of,
    with_bags_together,
)
from .logs import (
    CLOCK,
    HeaderClash,
    JoinedResult,
    Log,
    attributed,
    claims,
    followers_of,
    joined_headers,
    joined_result,
    named_logs,
    ruling_clashes,
)

_ALIKE: Final = 0.5
"""The least similarity of the turns that two logs of one game share."""
_NEAR: Final = 20
"""How many turns to look back for a turn that may have been written twice."""
_MAX_REPLAYED_TURNS: Final = 20_000
"""The most turns that are replayed to apply the rules, each time from the beginning of the game; no game comes near
that.
"""
RESULT: Final = "Result"
"""The name with which the result line is picked, and the header of that name."""
FIXED: Final = ("view", "setup", "starts")
"""Headers that follow from the logs as a whole and can't be picked."""
_LABEL_FIXES: Final = (0, False)
"""By how much a turn's number is off, and whether it should be the other side's: this gives the correct label."""


class DifferentGames(ValueError):
    """Raised if the logs can't be of the same game; the text says why.

    >>> tironian.merge(tironian.parse('[Rules "2024"]\\n*\\n[Rules "1997"]\\n*\\n'))
    Traceback (most recent call last):
    ...
    DifferentGames: these are different games: <text> is played by the 2024 rules, <text> by the 1997 rules
    """


class LogVersion(NamedTuple):
    """What a log says where logs contradict each other: whose log it is, its number, and the places of its words.

    ``taken`` says why the joined record has it; it is empty if the joined record does not. ``allowed`` says whether the
    rules allow it up to this turn; None if they were not applied.
    """

    who: str
    number: int
    places: tuple[Label, ...]
    taken: str
    allowed: bool | None = None


class Disagreement(NamedTuple):
    """A turn in which logs contradict each other, named by its label, or a header or the result, by its name.

    The name is what picks one of the ``versions``.
    """

    name: str
    versions: tuple[LogVersion, ...]


class MergeResult(NamedTuple):
    """The result of joining logs: the record, with its text as a game, the diagnostics, and its check.

    ``diagnostics`` are about the logs: contradictions are errors; assumptions are warnings and notes. ``stopped`` says
    that time ran out before the rules could decide between several ways to write a turn; the verdict is not ``illegal``
    then. ``disagreements`` are what picks can decide, including what they have decided already.

    >>> merged = tironian.merge([tironian.view(record, "caesar").record, tironian.view(record, "cleopatra").record])
    >>> merged.diagnostics, merged.verdict.verdict
    ((), 'legal')
    """

    record: Record
    game: Game
    diagnostics: tuple[Diagnostic, ...]
    verdict: Verdict
    stopped: bool = False
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics, each once: unreadable parts are already reported where they stand in the log."""
        checked = [diagnostic for diagnostic in self.verdict.diagnostics if diagnostic.code[0] != "N"]
        return (*self.diagnostics, *checked)

    @property
    def is_sound(self) -> bool:
        """Return whether the logs agree and the joined record follows the rules."""
        return not any(diagnostic.severity == ERROR for diagnostic in (*self.diagnostics, *self.verdict.diagnostics))


def merge(
    games: Sequence[Game | Record],
    name: str = "<joined>",
    *,
    seconds: float = 0.0,
    picks: Mapping[str, str] | None = None,
) -> MergeResult:
    """Join logs of one game into a record in canonical form; ``name`` is its name in diagnostics.

    Nothing that anybody has written is lost. After ``seconds``, if given, the rules no longer decide between several
    ways to write a turn. If logs contradict each other, ``picks`` says which to believe: it maps the label of a turn or
    the name of a header to a log's view or number; ``Result`` also stands for the result line. Raise DifferentGames if
    the logs are of different games, LookupError if there is nothing to pick, ValueError if there is no log.

    >>> logs = [tironian.view(record, name).record for name in ("caesar", "cleopatra")]
    >>> tironian.merge(logs).record.turns == record.turns
    True
    """
    read = [as_game(game) for game in games]
    if not read:
        raise ValueError("there is nothing to join")
    logs = named_logs(read)
    _refuse_other_rules(logs)
    diagnostics = MergeDiagnostics(logs)
    names = {name: log for number, log in enumerate(logs, 1) for name in (log.view, str(number))}
    picked = {name.lower(): names[log] for name, log in (picks or {}).items() if log in names}
    headers, clashes = joined_headers(logs, picked)
    diagnostics.headers(clashes, picked)
    time = Allowance(_MAX_REPLAYED_TURNS, end_after(seconds))
    joiner = _Joiner(logs, read_headers(Record(headers)), diagnostics, time, picked, headers)
    turns = joiner.turns()
    diagnostics.report_omissions()
    ending = joined_result(logs, picked.get(RESULT.lower()))
    diagnostics.result(ending, picked)
    if useless := [name for name in picks or {} if name.lower() not in diagnostics.decided]:
        why = phrase("the logs don't contradict each other there, or that log lacks it")
        raise LookupError(labelled(", ".join(useless), why))
    record = Record(headers, _preface(logs, clashes), turns, ending.result)
    (game, *_) = parse(write(record), name)
    unread = [problem for log in logs for problem in log.game.problems]
    verdict, stopped = check(game), time.left < 0
    if stopped and verdict.verdict == ILLEGAL:  # the other way to write a turn may be legal
        verdict.verdict, verdict.searched = POSSIBLE, False
    return MergeResult(
        game.record, game, (*unread, *diagnostics.collected), verdict, stopped, tuple(diagnostics.disagreements)
    )


def _refuse_other_rules(logs: Sequence[Log]) -> None:
    """Raise DifferentGames if logs name different rules."""
    rules = {log.game.record.header("Rules"): log for log in logs if log.game.record.header("Rules")}
    if len(rules) > 1:
        (one, first), (two, second), *_ = rules.items()
        names = {"log": first.game.source.name, "rules": one, "other": second.game.source.name, "others": two}
        why = phrase("{log} is played by the {rules} rules, {other} by the {others} rules", **names)
        raise DifferentGames(labelled(phrase("these are different games"), why))


def _preface(logs: Sequence[Log], clashes: Sequence[HeaderClash]) -> tuple[Comment | BadLine, ...]:
    """Return what comes before the turns in any log, and what the logs say about their beginnings unlike the joined
    record.
    """
    lines = followers_of({log: log.game.record.preface for log in logs})
    kept = [line for line in lines if isinstance(line, Comment | BadLine)]
    others = [Comment(attributed(clash.log, header_text(clash.name, clash.other))) for clash in clashes]
    return (*kept, *others, *late_openings(logs))


@dataclass(slots=True)
class _Joiner:
    """Joins the turns one by one, so that the rules can decide between several ways to write one."""

    logs: Sequence[Log]
    frame: HeaderInfo
    diagnostics: MergeDiagnostics
    time: Allowance
    picked: Mapping[str, Log]
    headers: tuple[tuple[str, str], ...]
    joined: list[Turn] = field(default_factory=list)
    gaps: list[tuple[Column, Turn]] = field(default_factory=list)
    """Successive turns that are missing in the same logs, ``absent``."""
    absent: tuple[Log, ...] = ()
    before: dict[Log, Turn] = field(default_factory=dict)
    offsets: dict[tuple[Log, int | None], tuple[int, bool]] = field(default_factory=dict)

    def turns(self) -> tuple[Turn, ...]:
        """Return all turns of the joined record."""
        openings, rest = _setup_and_turns(self.logs)
        columns = turn_columns(rest)
        _refuse_unrelated_logs(columns, rest)
        for column in (*with_bags_together(openings, self.logs), *columns):
            self._join(column)
        self._close_gap()
        return tuple(self.joined)

    def _join(self, column: Column) -> None:
        """Join one turn, in the version with which the rules find the fewest faults."""
        line = joined_turn(column, self._picked(column))
        versions = list(line.versions())
        absent = tuple(log for log in self.logs if log not in column and (log in self.before or not log.late))
        choices: list[Version | None] = [*versions, None] if absent and self._is_doubtful(column) else [*versions]
        best, judged = self._choose(line, choices)
        version = best or versions[0]
        turn = turn_of(line, version)
        if best is None:
            self._leave_out(column, turn)
        else:
            faults, errors = self._faults_of_logs(line, version, turn)
            self.joined.append(turn)
            self.diagnostics.disagreement(line, turn, faults)
            possible = None if line.picked else next((log for log, found in faults.items() if found < errors), None)
            self.diagnostics.line(line, version, turn, judged=judged, possible=possible)
            self._count(column, turn, judged)
            self._note_gap(column, turn, absent)
        self.before |= column

    def _is_doubtful(self, column: Column) -> bool:
        """Return whether a turn may not have been played: a side's second turn in a row, or one whose label is
        taken.
        """
        known, last = {turn.label for turn in self.joined[-_NEAR:]}, self.joined[-1].side if self.joined else None
        return any(turn.side == last or turn.label in known for turn in column.values())

    def _leave_out(self, column: Column, turn: Turn) -> None:
        """Turn a turn that can't have been played into a comment on the turn before it, with the lines that follow
        it.
        """
        self.diagnostics.left_out(column, turn)
        if self.joined:
            last, told = self.joined[-1], Comment(attributed(next(iter(column)), turn_text(turn)))
            self.joined[-1] = replace(last, after=(*last.after, told, *turn.after))

    def _picked(self, column: Column) -> Log | None:
        """Return the log that was picked for a turn in which logs contradict each other."""
        label = next((turn.label.lower() for turn in column.values() if turn.label.lower() in self.picked), "")
        log = self.picked.get(label)
        if log not in column or not any(word.against for word in joined_turn(column).words):
            return None
        self.diagnostics.decided.add(label)
        return log

    def _faults_of_logs(self, line: JoinedTurn, version: Version, turn: Turn) -> tuple[dict[Log, int], int]:
        """Return, if logs contradict each other, how many errors a turn causes in each log's words and in the words
        that were taken; nothing if the rules can't be applied.
        """
        logs = dict.fromkeys(log for word in line.words if word.against for log in word.slot)
        if not logs or not self._may_ask(len(logs) + 2):
            return {}, 0
        before = self._faults(None)[0]
        turns = {log: turn_of(joined_turn(line.column, log), version) for log in logs}
        return {log: self._faults(each)[0] - before for log, each in turns.items()}, self._faults(turn)[0] - before

    def _choose(self, line: JoinedTurn, choices: Sequence[Version | None]) -> tuple[Version | None, bool]:
        """Return the way to write a turn in which the rules find the fewest faults, and whether the faults decided."""
        if len(choices) == 1 or not self._may_ask(len(choices)):
            return choices[0], False
        faults = [self._faults(None if choice is None else turn_of(line, choice)) for choice in choices]
        least = min(faults)
        return choices[faults.index(least)], max(faults) != least

    def _may_ask(self, times: int = 1) -> bool:
        """Return whether the rules can be applied this many more times."""
        return self.frame.edition is not None and self.time.try_spend(times * (len(self.joined) + 1))

    def _faults(self, turn: Turn | None) -> tuple[int, int]:
        """Return how many errors and warnings the replay finds so far if this turn is added; for None, if no turn
        is.
        """
        turns = (*self.joined, turn) if turn else tuple(self.joined)
        run = run_record(Record(self.headers, (), turns), self.frame)
        severities = [finding.severity for finding in run.findings]
        return severities.count(ERROR), severities.count(WARNING)

    def _count(self, column: Column, turn: Turn, judged: bool) -> None:
        """Report where a log begins to number turns differently."""
        for log, own in column.items():
            offset = own.number - turn.number, own.side != turn.side
            # Reported once, whether only one player's turns are misnumbered or everybody's.
            known = [self.offsets.get((log, side), _LABEL_FIXES) for side in (None, turn.side)]
            if offset not in (_LABEL_FIXES, *known):
                self.diagnostics.number(log, column, turn, judged=judged)
            self.offsets[log, None] = self.offsets[log, turn.side] = offset

    def _note_gap(self, column: Column, turn: Turn, absent: tuple[Log, ...]) -> None:
        if absent != self.absent:
            self._close_gap()
            self.absent = absent
        if absent:
            self.gaps.append((column, turn))

    def _close_gap(self) -> None:
        if self.gaps:
            self.diagnostics.missing(self.gaps, self.absent, self.before)
        self.gaps = []


LogPlace = tuple[Log, Label]
"""A log, and a place in it."""


@dataclass(slots=True)
class MergeDiagnostics:
    """Collects the diagnostics of one game, in the order of its turns."""

    logs: Sequence[Log]
    collected: list[Diagnostic] = field(default_factory=list)
    omissions: dict[Log, list[tuple[Label, Label]]] = field(default_factory=lambda: defaultdict(list))
    """Log → the words that say less than its writer could know, each with the place of a word that says more."""
    clocks: Counter[Log] = field(default_factory=Counter)
    """Log → the number of clocks that it lacks."""
    disagreements: list[Disagreement] = field(default_factory=list)
    decided: set[str] = field(default_factory=set)
    """The names that picks have decided, in lower case."""

    def add(self, code: str, turn: str, *more: Label, **facts: str | LogPlace) -> None:
        """Add a diagnostic. Each fact that is a place names its log; the first such fact is where the diagnostic
        stands.
        """
        (log, first), *others = [fact for fact in facts.values() if isinstance(fact, tuple)]
        words = {name: fact if isinstance(fact, str) else fact[0].who for name, fact in facts.items()}
        game, labels = log.game, (*(label for _, label in others), *more)
        self.collected.append(make_diagnostic(code, words, game, first.span, turn=turn, labels=labels))

    def _at(self, log: Log, column: Column, slot: Slot | None = None, text: str = "") -> LogPlace:
        """Return the place of a turn's word, or of its label, in a log."""
        return log, log.at(column[log], None if slot is None else slot[log], text)

    def line(
        self, line: JoinedTurn, version: Version, turn: Turn, *, judged: bool, possible: Log | None = None
    ) -> None:
        """Report on one turn; ``judged`` says that only the rules could decide how it went; ``possible`` is the log
        whose words they would allow, unlike those that were taken.
        """
        why = phrase(", which the rules allow") if judged else ""
        for place, word in enumerate(line.words):
            if not line.picked:
                self._clashes(line, word, turn, possible)
            if len(word.slot) < len(line.column):
                self._lone(line, word, turn, taken=place in version.order)
            self._lacks(line, word, turn)
        self._orders(line, version, turn, why)
        clocked = {log for log, own in line.column.items() if any(mark.startswith(CLOCK) for mark in own.marks)}
        if clocked:
            self.clocks.update(line.column.keys() - clocked)
        for one, ruling, two, other in ruling_clashes(line.column):
            mine, theirs = (one, one.at_line(ruling.line)), (two, two.at_line(other.line))
            said, against = [phrase("“{text}”", text=ruling_text(each)) for each in (ruling, other)]
            reason = phrase("both are kept, and both count")
            self.add("M101", turn.label, one=mine, word=said, other=theirs, against=against, why=reason)

    def disagreement(self, line: JoinedTurn, turn: Turn, faults: Mapping[Log, int]) -> None:
        """Note a turn in which logs contradict each other; ``faults`` is how many errors each would cause."""
        words = [word for word in line.words if word.against]
        said: list[LogVersion] = []
        for log in self.logs:
            own = [word for word in words if log in word.slot]
            against = sum(log in word.against for word in own)
            taken = phrase("taken in part") if against else _why(line, own[0]) if own else ""
            places = tuple(log.at(line.column[log], word.slot[log]) for word in own)
            if own:
                taken, allowed = taken * (against < len(own)), faults[log] == 0 if log in faults else None
                said.append(LogVersion(log.who, self.logs.index(log) + 1, places, taken, allowed))
        if said:
            self.disagreements.append(Disagreement(turn.label, tuple(said)))

    def _clashes(self, line: JoinedTurn, word: JoinedWord, turn: Turn, possible: Log | None) -> None:
        column, slot, base = line.column, word.slot, word.base
        token = column[base].tokens[slot[base]]
        for log in word.against:
            said, why = token_text(column[log].tokens[slot[log]]), _why(line, word)
            if log is possible:
                name = log.view if sum(other.view == log.view for other in self.logs) == 1 else self.logs.index(log) + 1
                pick = f"{turn.label}={name}"
                why += phrase(", but the rules allow only {word} here: --pick {pick} takes it", word=said, pick=pick)
            one, two = self._at(base, column, slot), self._at(log, column, slot, phrase("contradicts it"))
            self.add("M101", turn.label, one=one, word=token_text(token), other=two, against=said, why=why)

    def _lone(self, line: JoinedTurn, word: JoinedWord, turn: Turn, *, taken: bool) -> None:
        """Report a word that is missing in some log, unless it is optional."""
        slot, token = word.slot, word.token
        silent = t.ActionOrder if turn.number else t.ActionOrder | t.Draw
        if taken and (isinstance(token, silent) or token == t.Discard()):
            return
        have = next(iter(slot))
        lacks = next(log for log in line.column if log not in slot)
        one, two = self._at(have, line.column, slot), self._at(lacks, line.column)
        done, way = phrase("left out, since the rules don't allow it"), phrase("a comment keeps it")
        if taken:
            done, way = phrase("taken over"), phrase("remove it if not")
        self.add("M202", turn.label, one=one, word=token_text(token), other=two, done=done, way=way)

    def _orders(self, line: JoinedTurn, version: Version, turn: Turn, why: str) -> None:
        def same(log: Log) -> bool:
            own = line.order_of(log)
            places = set(own)
            return own == tuple(place for place in version.order if place in places) or places > set(version.order)

        taken = next((log for log in line.ranked if same(log)), line.ranked[0])
        for log in line.column:
            if not same(log):
                other, one = self._at(log, line.column), self._at(taken, line.column)
                self.add("M203", turn.label, other=other, one=one, label=turn.label, why=why)

    def _lacks(self, line: JoinedTurn, word: JoinedWord, turn: Turn) -> None:
        """Note the words that say less than their writer could know."""
        slot, token = word.slot, word.token
        for log, at in slot.items():
            mine = line.column[log]
            own = mine.tokens[at]
            seen = seen_token(token, turn.side, log.view, mine.is_vetoed(at))
            known = join(own, seen)
            unread = isinstance(own, t.Unread) or isinstance(seen, t.Unread)
            if known.agree and known.token != own and not unread:
                best = next((other for other in slot if line.column[other].tokens[slot[other]] == token), log)
                self.omissions[log].append((log.at(mine, at), best.at(line.column[best], slot[best])))

    def missing(self, run: Sequence[tuple[Column, Turn]], absent: Sequence[Log], before: Mapping[Log, Turn]) -> None:
        """Report successive turns that the same logs lack. ``before`` are the last turns that these logs have."""
        labels = [turn.label for _, turn in run]
        have = next(iter(run[0][0]))
        other = phrase(" and ").join([log.who for log in absent])
        turns, it = phrase("turn {turn}", turn=labels[0]), phrase("it was")
        if len(run) > 1:
            turns, it = phrase("turns {turn} to {last}", turn=labels[0], last=labels[-1]), phrase("they were")
        gap = phrase("missing after this")
        more = [log.at(before[log], None, gap) if log in before else log.at_line(0) for log in absent]
        self.add("M201", labels[0], *more, other=other, turns=turns, one=self._at(have, run[0][0]), it=it)

    def left_out(self, column: Column, turn: Turn) -> None:
        """Report a turn that only some logs have and that can't have been played."""
        log = next(iter(column))
        self.add("M205", turn.label, one=self._at(log, column), label=turn.label)

    def number(self, log: Log, column: Column, turn: Turn, *, judged: bool) -> None:
        """Report that a log numbers turns differently, from here on or in this turn."""
        mine = next(other for other in column if column[other].label == turn.label)
        one, two = self._at(mine, column), self._at(log, column)
        why = phrase(", as the rules require") if judged else ""
        self.add("M204", turn.label, other=two, against=column[log].label, one=one, label=turn.label, why=why)

    def headers(self, clashes: Sequence[HeaderClash], picked: Mapping[str, Log]) -> None:
        """Report headers with two values, unless one was picked."""
        by_name: dict[str, list[HeaderClash]] = defaultdict(list)
        for clash in clashes:
            by_name[clash.name].append(clash)
        for name, several in by_name.items():
            values = {several[0].value, *[clash.other for clash in several]}
            places = {log: self._header(log, name) for log in self.logs if log.game.record.header(name) in values}
            if name.lower() not in FIXED:
                self._claimed(name, places, [clash.log for clash in several], picked)
        for clash in clashes:
            if clash.name.lower() not in self.decided:
                places = {log: self._header(log, clash.name) for log in self.logs}
                other, value = (clash.log, places.pop(clash.log)), clash.value
                self.add("M206", "", *places.values(), name=clash.name, value=value, other=other, against=clash.other)

    def _header(self, log: Log, name: str) -> Label:
        """Return the line of a header, or the first line if there is none."""
        lines, start = enumerate(log.game.source.lines), f"[{name.lower()}"
        return log.at_line(next((at for at, line in lines if line.strip().lower().startswith(start)), 0))

    def _claimed(
        self, name: str, places: Mapping[Log, Label], against: Sequence[Log], picked: Mapping[str, Log]
    ) -> None:
        """Note what logs say about the whole game."""
        taken = phrase("taken")
        if picked.get(name.lower()) in places:
            self.decided.add(name.lower())
            taken = phrase("taken: it was picked")
        numbers = {log: number for number, log in enumerate(self.logs, 1)}
        said = [LogVersion(log.who, numbers[log], (at,), "" if log in against else taken) for log, at in places.items()]
        if not any(each.name == name for each in self.disagreements):
            self.disagreements.append(Disagreement(name, tuple(said)))

    def result(self, ending: JoinedResult, picked: Mapping[str, Log]) -> None:
        """Report results that contradict each other."""
        results = {log: log.game.record.result for log in self.logs}
        places = {log: log.at_line(result.line) for log, result in results.items() if result is not None}
        if ending.against:
            self._claimed(RESULT, places, ending.against, picked)
        base = results[ending.base]
        for log in () if RESULT.lower() in self.decided else ending.against:
            other = results[log]
            if base is not None and other is not None:
                one, two = (ending.base, places[ending.base]), (log, places[log])
                self.add("M101", "", one=one, word=claims(base), other=two, against=claims(other), why=phrase("taken"))

    def report_omissions(self) -> None:
        """Report what each log leaves out, in one sentence each."""
        for log in self.logs:
            omissions, clocks = self.omissions[log], self.clocks[log]
            words = plural("{count} thing in its words", "{count} things in its words", len(omissions))
            parts = [words] if omissions else []
            parts += [plural("{count} clock", "{count} clocks", clocks)] if clocks else []
            if parts:
                first, *more = omissions[0] if omissions else (log.at_line(0),)
                self.add("M207", "", *more, other=(log, first), what=phrase(" and ").join(parts))


def _why(line: JoinedTurn, word: JoinedWord) -> str:
    """Return why a word was taken."""
    if line.picked:
        return phrase("taken: it was picked")
    side = owner(line.column[word.base].tokens[word.slot[word.base]], line.column[word.base].side)
    if side is not None and word.base.is_of(side):
        return phrase("taken: these are {player.of} cards", player=PLAYERS[side])
    return phrase("taken: most logs have this") if len(word.slot) > 2 else phrase("taken: it is the first log")


def _setup_and_turns(logs: Sequence[Log]) -> tuple[list[Column], dict[Log, list[Turn]]]:
    """Return each side's set-up lines next to each other, and all other turns of each log."""
    openings: dict[int, Column] = defaultdict(dict)
    rest: dict[Log, list[Turn]] = {log: [] for log in logs}
    for log, turns in rest.items():
        for turn in log.game.record.turns:
            if turn.number or turns or log in openings.get(turn.side, ()):
                turns.append(turn)
            elif not log.late:
                openings[turn.side][log] = turn
    return [*openings.values()], rest


def _refuse_unrelated_logs(columns: Sequence[Column], rest: Mapping[Log, Sequence[Turn]]) -> None:
    """Raise DifferentGames if logs share too little."""
    first, *others = rest
    longest = len(rest[first])
    for log in others:
        shared = [
            max(likeness(turn.tokens, column[log].tokens) for other, turn in column.items() if other is not log)
            for column in columns
            if log in column and len(column) > 1
        ]
        least = min(len(rest[log]), longest)
        longest = max(len(rest[log]), longest)
        if least and sum(shared) < _ALIKE * least:
            names = {"log": first.game.source.name, "other": log.game.source.name}
            why = phrase("the turns of {log} and {other} have too little in common", **names)
            raise DifferentGames(labelled(phrase("these are different games"), why))


_NAMED: Final = ("Round", "Caesar", "Cleopatra")


def paired(files: Sequence[Sequence[Game]]) -> tuple[list[list[Game]], bool]:
    """Match the games of several files: by round and players if these tell all games of a file apart.

    Otherwise match them by their order. A game that is in only one file forms its own group. Also return whether
    headers decided.
    """
    known = [{_key(game): game for game in games} for games in files]
    apart = all(None not in keys and len(keys) == len(games) for keys, games in zip(known, files, strict=True))
    by_headers = apart and max(map(len, files)) > 1 and bool(set(known[0]).intersection(*known[1:]))
    rows = zip_longest(*files)
    if by_headers:
        rows = [[games.get(key) for games in known] for key in dict.fromkeys(chain(*known))]
    return [list(filter(None, row)) for row in rows], by_headers


def _key(game: Game) -> tuple[str, ...] | None:
    """Return what distinguishes a game from others; None if its headers don't."""
    values = tuple(game.record.header(name).strip().lower() for name in _NAMED)
    return None if any(value in ("", "?") for value in values) else values


def merge_all(
    files: Sequence[Sequence[Game]], name: str = "<joined>", picks: Mapping[str, str] | None = None
) -> tuple[list[MergeResult], bool]:
    """Join the games of several files; also return whether headers decided which games belong together. Some files may
    lack a game.

    Like ``merge``, raise DifferentGames if matched games can't be the same, and LookupError for ``picks`` that can't be
    used; picks are for a single game.
    """
    groups, by_headers = paired(files)
    joined: list[MergeResult] = []
    for group in groups:
        merged, first = merge(group, name, picks=picks), group[0].source
        omissions = [games[0].source.name for games in files if not any(game is own for game in games for own in group)]
        if omissions:
            facts = {"other": phrase(" and ").join(omissions), "one": first.name}
            warning = make_diagnostic("M208", facts, group[0], Span(0, 0, len(first.text(0))))
            merged = merged._replace(diagnostics=(warning, *merged.diagnostics))
        joined.append(merged)
    return joined, by_headers
