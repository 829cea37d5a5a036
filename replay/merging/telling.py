"""What was assumed while logs were joined, and where they contradict each other, with a place in each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES
from ...notation.diagnostic import Diagnostic, Label
from ...notation.record import Turn
from ...notation.writer import ruling_text, token_text
from ..analysis.eyes import seen_token
from ..checker import make
from .align import Column, Slot
from .frame import Ending, HeaderClash, claims
from .lines import Line, Version
from .logs import Log
from .texts import CLOCK, ruling_clashes
from .words import join, owner


@dataclass(slots=True)
class Telling:
    """Collects the diagnostics of one game, in the order of its turns."""

    logs: Sequence[Log]
    found: list[Diagnostic] = field(default_factory=list)
    lacking: dict[int, list[tuple[Label, Label]]] = field(default_factory=dict)
    """Log → the words that say less than it could know: its own place, and one that says more."""
    clocks: dict[int, int] = field(default_factory=dict)

    def add(self, code: str, told: dict[str, Any], first: Label, *more: Label, turn: str = "") -> None:
        """One diagnostic, its place in one log and its further places in others."""
        assert first.source is not None
        game = next((log.game.number for log in self.logs if log.game.source is first.source), 1)
        self.found.append(make(code, told, first.source, first.span, None, game=game, turn=turn, labels=more))

    # ------------------------------------------------------------------------------------------ turns

    def line(self, line: Line, version: Version, turn: Turn, *, judged: bool) -> None:
        """What is to be told about one turn; ``judged`` says that only the rules could tell how it went."""
        why = ", which the rules allow" if judged else ""
        for place, (slot, word) in enumerate(zip(line.slots, line.words, strict=True)):
            self._clashes(line, slot, word.base, word.against, turn)
            if len(slot) < len(line.column):
                self._lone(line, place, version, turn)
            self._lacks(line, slot, word.token, turn)
        self._orders(line, version, turn, why)
        self._clocks(line.column)
        after = {log: each.after for log, each in line.column.items()}
        for one, ruling, two, other in ruling_clashes(after):
            told = {"one": self.logs[one].who, "word": f"“{ruling_text(ruling)}”", "other": self.logs[two].who}
            told |= {"against": f"“{ruling_text(other)}”", "why": "both are kept, and both count"}
            places = [self.logs[log].at_line(each.line) for log, each in ((one, ruling), (two, other))]
            self.add("M101", told, *places, turn=turn.label)

    def _clashes(self, line: Line, slot: Slot, base: int, against: Sequence[int], turn: Turn) -> None:
        mine = line.column[base]
        token = mine.tokens[slot[base]]
        side = owner(token, mine.side)
        for log in against:
            other = line.column[log].tokens[slot[log]]
            why = "taken: most logs have it so" if len(slot) > 2 else "taken: it is the first log"
            if side is not None and self.logs[base].is_of(side):
                why = f"taken: these are {PLAYER_NAMES[side]}'s cards"
            told = {
                "one": self.logs[base].who,
                "word": token_text(token),
                "other": self.logs[log].who,
                "against": token_text(other),
                "why": why,
            }
            places = self.logs[base].at(mine, slot[base]), self.logs[log].at(line.column[log], slot[log], "against it")
            self.add("M101", told, *places, turn=turn.label)

    def _lone(self, line: Line, place: int, version: Version, turn: Turn) -> None:
        """A word that some log has not; nothing is told of one that need not be written."""
        slot, token = line.slots[place], line.words[place].token
        silent = (
            isinstance(token, t.ActionOrder) or token == t.Discard() or (isinstance(token, t.Draw) and not turn.number)
        )
        if silent and place in version.order:
            return
        have = next(iter(slot))
        lacks = next(log for log in line.column if log not in slot)
        taken = place in version.order
        told = {
            "one": self.logs[have].who,
            "word": token_text(token),
            "other": self.logs[lacks].who,
            "done": "taken over" if taken else "left out, since the rules don't allow it",
            "way": "take it out if not" if taken else "a comment keeps it",
        }
        places = self.logs[have].at(line.column[have], slot[have]), self.logs[lacks].at(line.column[lacks], None)
        self.add("M202", told, *places, turn=turn.label)

    def _orders(self, line: Line, version: Version, turn: Turn, why: str) -> None:
        def same(log: int) -> bool:
            own = line.order_of(log)
            places = set(own)
            return own == tuple(place for place in version.order if place in places) or places > set(version.order)

        taken = next((log for log in line.ranked if same(log)), line.ranked[0])
        for log in line.column:
            if not same(log):
                told = {"other": self.logs[log].who, "one": self.logs[taken].who, "label": turn.label, "why": why}
                places = [self.logs[each].at(line.column[each], None) for each in (log, taken)]
                self.add("M203", told, *places, turn=turn.label)

    def _lacks(self, line: Line, slot: Slot, token: t.Token, turn: Turn) -> None:
        for log, at in slot.items():
            mine = line.column[log]
            own = mine.tokens[at]
            vetoed = at + 1 < len(mine.tokens) and isinstance(mine.tokens[at + 1], t.Veto)
            seen = seen_token(token, turn.side, self.logs[log].view, vetoed)
            known = join(own, seen)
            unread = isinstance(own, t.Unread) or isinstance(seen, t.Unread)
            if known.agree and known.token != own and not unread:
                best = next((each for each in slot if line.column[each].tokens[slot[each]] == token), log)
                places = self.logs[log].at(mine, at), self.logs[best].at(line.column[best], slot[best])
                self.lacking.setdefault(log, []).append(places)

    def _clocks(self, column: Column) -> None:
        clocked = [log for log, turn in column.items() if any(mark.startswith(CLOCK) for mark in turn.marks)]
        for log in column if clocked else ():
            if log not in clocked:
                self.clocks[log] = self.clocks.get(log, 0) + 1

    # -------------------------------------------------------------------------------------- over many turns

    def missing(self, run: Sequence[tuple[Column, Turn]], absent: Sequence[int], before: Mapping[int, Turn]) -> None:
        """Turns one behind the other that the same logs have not. ``before`` are the last turns that these have."""
        labels = [turn.label for _, turn in run]
        have = next(iter(run[0][0]))
        many = len(run) > 1
        told = {
            "other": " and ".join(self.logs[log].who for log in absent),
            "turns": f"turns {labels[0]} to {labels[-1]}" if many else f"turn {labels[0]}",
            "one": self.logs[have].who,
            "it": "they were" if many else "it was",
        }
        first = self.logs[have].at(run[0][0][have], None)
        more = [
            self.logs[log].at(before[log], None, "missing behind this") if log in before else self.logs[log].at_line(0)
            for log in absent
        ]
        self.add("M201", told, first, *more, turn=labels[0])

    def left_out(self, column: Column, turn: Turn) -> None:
        """A turn that only some logs have, and that can't have been played."""
        log = next(iter(column))
        told = {"one": self.logs[log].who, "label": turn.label}
        self.add("M205", told, self.logs[log].at(column[log], None), turn=turn.label)

    def number(self, log: int, column: Column, turn: Turn, *, judged: bool) -> None:
        """A log counts otherwise from here on, or in this turn."""
        mine = next(each for each in column if column[each].label == turn.label)
        told = {
            "other": self.logs[log].who,
            "against": column[log].label,
            "one": self.logs[mine].who,
            "label": turn.label,
            "why": ", as the rules count" if judged else "",
        }
        places = self.logs[log].at(column[log], None), self.logs[mine].at(column[mine], None)
        self.add("M204", told, *places, turn=turn.label)

    def header(self, clash: HeaderClash) -> None:
        """A header with two values."""
        told = {
            "name": clash.name,
            "value": clash.value,
            "other": self.logs[clash.log].who,
            "against": clash.other,
        }
        places = [_header_place(log, clash.name) for log in self.logs]
        mine = places[clash.log]
        self.add("M206", told, mine, *(each for each in places if each is not mine))

    def result(self, ending: Ending) -> None:
        """Results that contradict each other."""
        base = self.logs[ending.base].game.record.result
        for log in ending.against:
            other = self.logs[log].game.record.result
            if base is None or other is None:
                continue
            told = {"one": self.logs[ending.base].who, "word": claims(base), "other": self.logs[log].who}
            told |= {"against": claims(other), "why": "taken"}
            places = self.logs[ending.base].at_line(base.line), self.logs[log].at_line(other.line)
            self.add("M101", told, *places)

    def less(self) -> None:
        """What each log leaves out, in one sentence each."""
        for log, each in enumerate(self.logs):
            lacking, clocks = self.lacking.get(log, []), self.clocks.get(log, 0)
            parts = [_counted(len(lacking), "thing in its words", "things in its words")] if lacking else []
            parts += [_counted(clocks, "clock", "clocks")] if clocks else []
            if parts:
                places = lacking[0] if lacking else (each.at_line(0),)
                self.add("M207", {"other": each.who, "what": " and ".join(parts)}, *places)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _header_place(log: Log, name: str) -> Label:
    lines = log.game.source.lines
    start = f"[{name.lower()}"
    return log.at_line(next((at for at, line in enumerate(lines) if line.strip().lower().startswith(start)), 0))
