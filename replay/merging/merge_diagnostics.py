"""What was assumed while logs were joined, and where they contradict each other, with a place in each of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES
from ...notation.diagnostic import Diagnostic, Label
from ...notation.record import Turn
from ...notation.writer import ruling_text, token_text
from ..checking.check import make
from ..diagnostics.names import in_figures
from ..views.redaction import seen_token
from .joined_tokens import join, owner
from .joined_turns import Column, JoinedTurn, Settled, Slot, Version
from .logs import CLOCK, HeaderClash, JoinedResult, Log, claims, ruling_clashes

LogPlace = tuple[Log, Label]
"""A log, and where it says something."""


@dataclass(slots=True)
class MergeDiagnostics:
    """Collects the diagnostics of one game, in the order of its turns."""

    logs: Sequence[Log]
    collected: list[Diagnostic] = field(default_factory=list)
    lacking: dict[Log, list[tuple[Label, Label]]] = field(default_factory=lambda: defaultdict(list))
    """Log → the words that say less than it could know: its own place, and one that says more."""
    clocks: Counter[Log] = field(default_factory=Counter)
    """Log → how many clocks it lacks."""

    def add(self, code: str, turn: str, *more: Label, **facts: str | LogPlace) -> None:
        """Add a diagnostic. Each fact that is a place names its log; the first is the place of the diagnostic."""
        (log, first), *others = [fact for fact in facts.values() if isinstance(fact, tuple)]
        words = {name: fact if isinstance(fact, str) else fact[0].who for name, fact in facts.items()}
        game, labels = log.game, (*(label for _, label in others), *more)
        self.collected.append(make(code, words, game, first.span, turn=turn, labels=labels))

    def _at(self, log: Log, column: Column, slot: Slot | None = None, text: str = "") -> LogPlace:
        """Return the place of a word, or of the label, of a turn in a log."""
        return log, log.at(column[log], None if slot is None else slot[log], text)

    def line(
        self, line: JoinedTurn, version: Version, turn: Turn, *, judged: bool, possible: Log | None = None
    ) -> None:
        """Report on one turn; ``judged`` says that only the rules could tell how it went, ``possible`` is the log whose
        words they would allow, unlike those that were taken.
        """
        why = ", which the rules allow" if judged else ""
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
            said, against = f"“{ruling_text(ruling)}”", f"“{ruling_text(other)}”"
            reason = "both are kept, and both count"
            self.add("M101", turn.label, one=mine, word=said, other=theirs, against=against, why=reason)

    def _clashes(self, line: JoinedTurn, word: Settled, turn: Turn, possible: Log | None) -> None:
        column, slot, base = line.column, word.slot, word.base
        token = column[base].tokens[slot[base]]
        side = owner(token, column[base].side)
        for log in word.against:
            said = token_text(column[log].tokens[slot[log]])
            why = "taken: most logs have this" if len(slot) > 2 else "taken: it is the first log"
            if side is not None and base.is_of(side):
                why = f"taken: these are {PLAYER_NAMES[side]}'s cards"
            if log is possible:
                name = log.view if sum(other.view == log.view for other in self.logs) == 1 else self.logs.index(log) + 1
                why += f", but the rules allow only {said} here: --pick {turn.label}={name} takes it"
            one, two = self._at(base, column, slot), self._at(log, column, slot, "contradicts it")
            self.add("M101", turn.label, one=one, word=token_text(token), other=two, against=said, why=why)

    def _lone(self, line: JoinedTurn, word: Settled, turn: Turn, *, taken: bool) -> None:
        """Report a word that some log lacks, unless it need not be written."""
        slot, token = word.slot, word.token
        silent = t.ActionOrder if turn.number else t.ActionOrder | t.Draw
        if taken and (isinstance(token, silent) or token == t.Discard()):
            return
        have = next(iter(slot))
        lacks = next(log for log in line.column if log not in slot)
        one, two = self._at(have, line.column, slot), self._at(lacks, line.column)
        left_out = ("left out, since the rules don't allow it", "a comment keeps it")
        done, way = ("taken over", "remove it if not") if taken else left_out
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

    def _lacks(self, line: JoinedTurn, word: Settled, turn: Turn) -> None:
        """Note the words that say less than their log could know."""
        slot, token = word.slot, word.token
        for log, at in slot.items():
            mine = line.column[log]
            own = mine.tokens[at]
            seen = seen_token(token, turn.side, log.view, mine.is_vetoed(at))
            known = join(own, seen)
            unread = isinstance(own, t.Unread) or isinstance(seen, t.Unread)
            if known.agree and known.token != own and not unread:
                best = next((other for other in slot if line.column[other].tokens[slot[other]] == token), log)
                self.lacking[log].append((log.at(mine, at), best.at(line.column[best], slot[best])))

    def missing(self, run: Sequence[tuple[Column, Turn]], absent: Sequence[Log], before: Mapping[Log, Turn]) -> None:
        """Report successive turns that the same logs lack. ``before`` are the last turns that these have."""
        labels = [turn.label for _, turn in run]
        have = next(iter(run[0][0]))
        other = " and ".join(log.who for log in absent)
        turns, it = f"turn {labels[0]}", "it was"
        if len(run) > 1:
            turns, it = f"turns {labels[0]} to {labels[-1]}", "they were"
        more = [log.at(before[log], None, "missing after this") if log in before else log.at_line(0) for log in absent]
        self.add("M201", labels[0], *more, other=other, turns=turns, one=self._at(have, run[0][0]), it=it)

    def left_out(self, column: Column, turn: Turn) -> None:
        """Report a turn that only some logs have, and that can't have been played."""
        log = next(iter(column))
        self.add("M205", turn.label, one=self._at(log, column), label=turn.label)

    def number(self, log: Log, column: Column, turn: Turn, *, judged: bool) -> None:
        """Report that a log counts otherwise from here on, or in this turn."""
        mine = next(other for other in column if column[other].label == turn.label)
        one, two = self._at(mine, column), self._at(log, column)
        why = ", as the rules require" if judged else ""
        self.add("M204", turn.label, other=two, against=column[log].label, one=one, label=turn.label, why=why)

    def header(self, clash: HeaderClash) -> None:
        """Report a header with two values."""
        places, start = {}, f"[{clash.name.lower()}"
        for log in self.logs:
            lines = enumerate(log.game.source.lines)
            places[log] = log.at_line(next((at for at, line in lines if line.strip().lower().startswith(start)), 0))
        other = clash.log, places.pop(clash.log)
        self.add("M206", "", *places.values(), name=clash.name, value=clash.value, other=other, against=clash.other)

    def result(self, ending: JoinedResult) -> None:
        """Report results that contradict each other."""
        base = ending.base.game.record.result
        for log in ending.against:
            other = log.game.record.result
            if base is not None and other is not None:
                one, two = (ending.base, ending.base.at_line(base.line)), (log, log.at_line(other.line))
                self.add("M101", "", one=one, word=claims(base), other=two, against=claims(other), why="taken")

    def less(self) -> None:
        """Report what each log leaves out, in one sentence each."""
        for log in self.logs:
            lacking, clocks = self.lacking[log], self.clocks[log]
            parts = [f"{in_figures(len(lacking), 'thing')} in its words"] if lacking else []
            parts += [in_figures(clocks, "clock")] if clocks else []
            if parts:
                first, *more = lacking[0] if lacking else (log.at_line(0),)
                self.add("M207", "", *more, other=(log, first), what=" and ".join(parts))
