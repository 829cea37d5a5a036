"""The faults of a game in their places, collected while the engine plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ...notation.diagnostic import NOTE, RULED
from ...notation.record import Ruling, Turn
from ..diagnostics.messages import words
from ..diagnostics.registry import CODES
from ..editions.edition import Edition
from ..rules.fault import Fault
from ..rules.state import State
from .fault_suppression import Reported
from .rulings import is_ruled, pardon_for, penalties

END: Final = -1
"""In place of a token's index: after the last one."""
MOST_FOUND: Final = 200
"""Faults that are reported of one game; what has more is no record, and after them nothing is judged."""


class Finding(NamedTuple):
    """A fault in its place: the turn line, and the index of the token there, None for its label, or END."""

    fault: Fault
    texts: dict[str, Any]
    turn: Turn | None
    at: int | None
    severity: str


@dataclass(slots=True)
class Run:
    """What came of a game. ``state`` is None where there was no set-up to begin with.

    ``stopped`` says that the cards could not be followed to the end of the record.
    """

    edition: Edition
    state: State | None = None
    findings: list[Finding] = field(default_factory=list)
    asides: list[int] = field(default_factory=list)
    """Which of the findings are about alternatives, which did not happen."""
    events: int = 0
    stopped: bool = False
    penalties: tuple[int, int] = (0, 0)
    reported: Reported = field(default_factory=Reported, compare=False)
    watch: Watch | None = field(default=None, compare=False)
    """Is called after every token that was carried out."""
    last: Turn | None = None
    """The last turn, where the game may have been broken off within it; None where it has to be finished."""
    reached: tuple[Turn | None, int] = (None, END)
    """The last token that was carried out, as its turn and index; END after the whole turn, None in the set-up."""
    before: Turn | None = None
    """The last turn that has been played, not counting those that were taken back."""
    full: bool = False
    """Whether there are MOST_FOUND faults, so that nothing more is judged."""
    agreed: dict[str, str] = field(default_factory=dict)
    """Code → what the table calls the rule of its own by which it lets that pass."""
    broken_off: bool = False
    """Whether the record says that the game was broken off."""
    unlaid: bool = False
    """Whether it stops before all cards of the set-up were laid."""

    def finding(self, fault: Fault, turn: Turn | None, at: int | None, severity: str = "") -> Finding:
        """Return a fault with its place and its words in the present state; its own severity unless one is given."""
        texts = words(fault, self.state, self.edition)
        return Finding(fault, texts, turn, at, severity or CODES[fault.code].severity)

    def add(self, finding: Finding) -> None:
        """Note a finding, unless there are too many; the last one that is noted stops the run."""
        if not self.full:
            self.findings.append(finding)
        if len(self.findings) - len(self.asides) >= MOST_FOUND:
            self.full = self.stopped = True

    def add_aside(self, finding: Finding) -> None:
        """Note what is wrong with an alternative, unless there are too many; it never stops the run."""
        if len(self.asides) < MOST_FOUND:
            self.asides.append(len(self.findings))
            self.findings.append(finding)


Watch = Callable[[Turn | None, int, State], None]
"""Takes the turn (None: the set-up), the token's index or END, and the state after it, which goes on changing."""


def note(run: Run, fault: Fault, turn: Turn | None, at: int | None, pardon: Ruling | None) -> bool:
    """Note one fault; return whether a ruling, or what the table has agreed on, lets it stand."""
    pardoned = is_ruled(fault, pardon)
    let_pass = NOTE if fault.code in run.agreed else RULED
    if run.full:
        return pardoned
    run.add(run.finding(fault, turn, at, let_pass if pardoned else ""))
    if CODES[fault.code].breaks and not pardoned:
        run.stopped = True
    return pardoned


def stop(run: Run, code: str, turn: Turn, at: int) -> None:
    """Note where the cards can't be followed any further, and why."""
    run.findings.append(run.finding(Fault(code, {}), turn, at))
    run.stopped = True


def pardon_of(run: Run, turn: Turn) -> Ruling | None:
    """Return the ruling that lets a turn stand, with its penalty counted, or what the table has agreed on."""
    rome, egypt = penalties(turn)
    run.penalties = (run.penalties[0] + rome, run.penalties[1] + egypt)
    if run.state is not None:
        run.state.penalties = run.penalties
    return pardon_for(turn, run.agreed)
