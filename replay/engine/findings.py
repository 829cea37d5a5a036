"""The faults of a game at their places, collected while the engine plays it. Each is reported once: a fault that keeps
showing, that another explains, or that the rest of the turn corrects does not count separately.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from mypy_extensions import mypyc_attr

from ...notation import tokens as t
from ...notation.cards import SOME_ACTION, SOME_INFLUENCE
from ...notation.diagnostic import NOTE, RULED, Severity
from ...notation.record import Ruling, Turn
from ..diagnostics.fact_words import words
from ..diagnostics.registry import CODES
from ..editions.edition import Edition
from ..rules.fault import Fault
from ..rules.layout import KEPT, UNKNOWN_CHOICE
from ..rules.mechanics.hands import change_hand, draw
from ..rules.mechanics.votes import bring_back
from ..rules.sequences import unknown_card_like
from ..rules.state import State
from .rulings import combined_ruling, is_ruled, penalties, rulings

AT_END: Final = -1
"""Stands in for a token's index: after the last token."""
MAX_FAULTS: Final = 200
"""The most faults reported for one game; a text with more is not a record, and nothing after them is judged."""
_EXPLAINS: Final = {
    "R206": ("R405",),  # “-” after an action: treated as a passive turn, in which no vote card is revealed
    "R208": ("R208",),
    "R313": ("R402",),
    "R604": ("R405", "R501", "R503"),
    "R605": ("R405", "R501", "R503"),
}
"""Fault → the faults that do not count separately in the same turn."""
_LATER: Final[dict[str, tuple[type, ...]]] = {
    "R206": (t.Place,),
    "R209": (t.Place,),
    "R402": (t.SpecialVote,),
    "R405": (t.Vote, t.NoVote, t.PutAway),
}
"""The fault that something is missing → what may come too late; it is then reported where it stands (R601)."""
_NOT_IN_PASSIVE: Final = ("R206", "R402", "R405", "R501", "R603")
"""The faults of not doing what a passive turn need not do, and of drawing before the exchange."""


class ReportedFaults:
    """Faults that have been reported already and still show.

    ``hands`` maps (side, code) to the number of cards by which a hand is too small or too large; ``votes`` are groups
    whose special vote was forgotten; ``misnumbered`` is the last turn with a wrong number, and by how much it is ahead.
    """

    def __init__(self) -> None:
        self.hands: dict[tuple[int, str], int] = {}
        self.votes: set[int] = set()
        self.misnumbered: tuple[Turn | None, int] = (None, 0)
        self.unrevealed: list[tuple[list[int], int]] = []
        """For each turn that did not say what it revealed, the busts or vote cards that were out: the turn may have
        revealed the reset.
        """
        self.unwritten: dict[int, int] = {}
        """Side → the number of unrecorded draws: any card may be one of them."""
        self.borrowed: dict[int, int] = {}
        """Side → the kind of a card that was not in the hand but was let stand by a ruling, wherever it came from."""
        self.misread: Turn | None = None
        """The last turn that has a vote with cards hidden in the log, and that a ruling without codes may be about."""
        self.late: set[int] = set()
        """Sides whose choice of a mission was missing where it was due."""
        self.rested: set[int] = set()
        """Sides that wrote a pass after the end."""
        self.ran_on: bool = False
        """Whether it has been reported that the record goes on after the end."""
        self.here: JudgedTurn | None = None
        """The turn whose faults are being judged."""

    def copy(self) -> ReportedFaults:
        """Return a copy, to continue differently from here."""
        copy = ReportedFaults()
        copy.hands, copy.votes, copy.misnumbered = dict(self.hands), set(self.votes), self.misnumbered
        copy.unrevealed, copy.unwritten = self.unrevealed[:], dict(self.unwritten)
        copy.borrowed, copy.misread = dict(self.borrowed), self.misread
        copy.late, copy.rested, copy.ran_on = set(self.late), set(self.rested), self.ran_on
        return copy

    def covers(self, state: State, fault: Fault, turn: Turn, at: int, *, ruled: bool = False) -> bool:
        """Return whether a fault only repeats what has already been reported, or is reported elsewhere; remember it.

        ``at`` is the token's index, or AT_END. A vote that a ruling allowed to be left out is due again in the next
        turn; a hand that was allowed to be too small or too large stays so.
        """
        if self.here is None or turn is not self.here.turn:
            self.here = JudgedTurn(turn)
        here = self.here
        if at != AT_END and here.is_corrected_later(state, fault, at):
            if fault.code == "R501":
                here.explained.add("R503")
            return True
        explained = here.is_explained(fault, at)
        if fault.code == "R601":
            return explained
        if self._is_allowed_card(state, fault, ruled) or self._still_shows(state, fault, ruled) or explained:
            return True
        return self._came_back(state, fault) or self._was_drawn(state, fault, turn, at)

    def remember(self, state: State, fault: Fault) -> None:
        """Remember what was not written down, unless a ruling let it stand: then it did not happen."""
        if fault.code == "R405":
            self.unrevealed.append((state.out, state.blanks_out))
        elif fault.code == "R503":
            self.unwritten[state.active] = fault.facts["missing"]

    def _still_shows(self, state: State, fault: Fault, ruled: bool) -> bool:
        if fault.code == "R402":
            known = fault.facts["group"] in self.votes
            if not ruled:
                self.votes.add(fault.facts["group"])
            return known
        if fault.code == "R702":
            self.late.update(fault.facts["sides"])
        elif fault.code == "R701" and fault.facts["owner"] in self.late:
            self.late.remove(fault.facts["owner"])
            return True
        if fault.code not in ("R501", "R503"):
            return False
        cards = fault.facts["missing"] if fault.code == "R503" else fault.facts["drawn"] - fault.facts["limit"]
        known = cards <= self.hands.get((state.active, fault.code), 0)
        self.hands[state.active, fault.code] = cards
        return known

    def note_allowed_card(self, turn: Turn) -> None:
        """Remember if a ruling lets a card stand that a side should not have had in this turn."""
        for ruling in rulings(turn):
            if "R203" in ruling.codes:
                placed = ruling.side == turn.side and any(isinstance(each, t.Place | t.Discard) for each in turn.tokens)
                self.borrowed[ruling.side] = SOME_INFLUENCE if placed else SOME_ACTION

    def _is_allowed_card(self, state: State, fault: Fault, ruled: bool) -> bool:
        """Return whether one card fewer was drawn because a card that a ruling let stand did not come from the hand."""
        side = state.active
        if ruled or fault.code != "R503" or fault.facts["missing"] > 1 or side not in self.borrowed:
            return False
        change_hand(state, side, self.borrowed.pop(side), 1)
        return True

    def _came_back(self, state: State, fault: Fault) -> bool:
        """Return whether the bust or vote card would be back in the bag if a turn had not written the reset; if so,
        assume that (C2, I4).
        """
        if fault.code not in ("R407", "R408", "R411"):
            return False
        for place, (out, blanks) in enumerate(self.unrevealed):
            if blanks if fault.code == "R408" else out[fault.facts["group"]]:
                del self.unrevealed[place]
                bring_back(state, out, blanks)
                return True
        return False

    def _was_drawn(self, state: State, fault: Fault, turn: Turn, at: int) -> bool:
        """Return whether cards that the hand should not hold may be among those drawn but not recorded."""
        if fault.code != "R203" or not self.unwritten.get(fault.facts["owner"]):
            return False
        owner, card, token = fault.facts["owner"], fault.facts["card"], turn.tokens[at]
        side, some = state.sides[owner], unknown_card_like(card)
        played = token.cards.count(card) if isinstance(token, t.Discard) else 1
        short = played - side.hand[card] - (side.hand[some] if card != some else 0)
        pile = side.influence_pile if some == SOME_INFLUENCE else side.action_pile
        if not 0 < short <= min(self.unwritten[owner], pile) or (card != some and side.unseen[card] < short):
            return False
        for _ in range(short):
            draw(state, owner, some)
        self.unwritten[owner] -= short
        return True

    def is_allowed_pass(self, state: State, turn: Turn) -> bool:
        """Return whether a pass after the end need not be reported, or has been.

        It is not wrong to record that a side can't go on: each side may do so once, when its turn would come.
        """
        own = turn.side == state.active
        due = state.number + (state.has_begun() if own else turn.side == state.starter)
        skipped = state.lone and not own  # it may mean the turn that this side no longer had (N4)
        ahead = self.misnumbered[1] if self.misnumbered[0] else 0
        fits = turn.side not in self.rested and not {due, due - skipped}.isdisjoint({turn.number, turn.number - ahead})
        self.rested.add(turn.side)
        if fits or self.ran_on:
            return True
        self.ran_on = True
        return False

    def forget_corrected(self, state: State, token: t.Token | None) -> None:
        """Forget what this token (None for the turn's end) corrects: if it shows later, it is a new fault."""
        if isinstance(token, t.SpecialVote):
            self.votes.discard(token.group)
        elif token is None:
            due = state.edition.special_threshold
            self.votes = {group for group in self.votes if state.total(group) >= due}
            held = sum(state.sides[state.active].hand)
            if held >= state.edition.hand_limit:
                self.hands.pop((state.active, "R503"), None)
                self.unwritten.pop(state.active, None)
            if held <= state.edition.hand_limit:
                self.hands.pop((state.active, "R501"), None)


class JudgedTurn:
    """The contents of a turn from any token on, and what explains its faults. It is read once, since a turn may have
    thousands of faults.

    ``explained`` are codes that no longer count separately; ``steps`` are those that came too late.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.explained: set[str] = set()
        self.steps: set[int] = set()
        tokens = turn.tokens
        self._last: dict[object, int] = {}
        """The last place of each kind of token, of special votes by group, and of vetoed actions."""
        self._vetoed: dict[tuple[type, int], tuple[int, t.Token]] = {}
        self._leaving = [0, *accumulate(map(_cards_used, tokens))]
        self._drawn = [0, *accumulate(len(token.cards) if isinstance(token, t.Draw) else 0 for token in tokens)]
        """How many cards leave the hand, and how many are drawn, up to each token."""
        for at, token in enumerate(tokens):
            self._last[token.__class__] = at
            if isinstance(token, t.SpecialVote):
                self._last[t.SpecialVote, token.group] = at
            elif isinstance(token, t.Discard) and token.cards:
                self._last["exchange"] = at
            elif isinstance(token, t.Veto) and at and isinstance(before := tokens[at - 1], t.Assassinate | t.Wrath):
                self._vetoed[before.__class__, before.group] = at - 1, before

    def is_corrected_later(self, state: State, fault: Fault, at: int) -> bool:
        """Return whether the rest of the turn shows that something missing at a token was only late, or not missing."""
        match fault.code:
            case "R208":
                return self._follows(state, at + 1, fault.facts.get("held", 2) > 1)
            case code if code in _NOT_IN_PASSIVE and self._is_exchange(at):
                return True
            case "R501":
                return fault.facts["drawn"] - fault.facts["limit"] <= self._leaving[-1] - self._leaving[at + 1]
            case "R503":
                return self._drawn[-1] - self._drawn[at] >= fault.facts["missing"]
            case "R402":
                return self._holds((t.SpecialVote, fault.facts["group"]), at)
            case code:
                return any(self._holds(kind, at) for kind in _LATER.get(code, ()))

    def is_explained(self, fault: Fault, at: int) -> bool:
        """Return whether another fault in the turn says the same as this one; remember what this one says."""
        if fault.code == "R601":
            step = t.KINDS[type(fault.facts["token"])].step
            known = step in self.steps
            self.steps.add(step)
            return known
        explained = fault.code in self.explained
        if fault.code != "R206" or (at != AT_END and self.turn.tokens[at] == t.Discard()):
            self.explained.update(_EXPLAINS.get(fault.code, ()))
        return explained

    def _holds(self, kind: object, at: int) -> bool:
        """Return whether there is a token of a kind at or after a place."""
        return self._last.get(kind, -1) >= at

    def _is_exchange(self, at: int) -> bool:
        """Return whether the turn turns out to be passive, with its cards exchanged after this token."""
        return t.Place not in self._last and self._holds("exchange", at + 1)

    def _follows(self, state: State, at: int, more: bool) -> bool:
        """Return whether a second card came after a face-up one, or should have come after a vetoed action (D1, E2).

        ``more`` says whether there was a second card in the hand.
        """
        if self._holds(t.Place, at):
            return True
        return more and any(place >= at and _makes_room(state, token) for place, token in self._vetoed.values())


def _cards_used(token: t.Token) -> int:
    """Return how many cards a token uses from the hand."""
    return len(token.cards) if isinstance(token, t.Discard) else int(isinstance(token, t.Place | t.Action))


def is_open(fault: Fault, tokens: Sequence[t.Token], at: int) -> bool:
    """Return whether a fault in a turn that may be cut off could still disappear: an action makes room, or a second
    card comes.

    This is possible only when the card is placed, with ``held`` cards left: once the step is over, no card can come.
    """
    if fault.code != "R208" or fault.facts.get("held", 0) < 2:
        return False
    return all(isinstance(token, t.Action | t.Veto) for token in tokens[at + 1 :])


def _makes_room(state: State, token: t.Token) -> bool:
    """Return whether an action would have made room for the player's card, at the limit of both sides or by clearing
    the group.
    """
    if isinstance(token, t.Assassinate) and token.group in state.edition.groups:
        side, limit = state.sides[state.active], state.edition.total_limit
        return limit is not None and side.count(token.group) < state.edition.side_limit
    return isinstance(token, t.Wrath)


def recover(state: State, fault: Fault) -> None:
    """Follow the table where it continued regardless, so that what it did is not reported a second time."""
    if fault.code == "R702":
        for side in state.choosers:
            state.cells[KEPT + side] = UNKNOWN_CHOICE
        state.choosing = 0
    elif fault.code == "R505":
        state.orders[fault.facts["owner"]] = None
    elif fault.code == "R408":
        state.blanks, state.blanks_out = 1, state.blanks_out - 1


class Finding(NamedTuple):
    """A fault and its place: the turn line, and the index of the token in it (None for the label, or AT_END).

    ``place`` is the turn's index in the record, -1 for a turn that is not one of its lines.
    """

    fault: Fault
    texts: dict[str, Any]
    turn: Turn | None
    at: int | None
    severity: Severity
    place: int = -1


@mypyc_attr(allow_interpreted_subclasses=True)
class Run:
    """The result of running a game. ``state`` is None if there was no set-up to begin from.

    ``stopped`` says that the cards could not be followed to the end of the record. ``agreed`` are the codes that the
    players allow, each with their name for the house rule.
    """

    def __init__(self, edition: Edition, state: State | None = None, agreed: dict[str, str] | None = None) -> None:
        self.edition: Edition = edition
        self.state: State | None = state
        self.findings: list[Finding] = []
        self.asides: list[int] = []
        """The findings about alternatives, which did not happen."""
        self.events: int = 0
        self.stopped: bool = False
        self.penalties: tuple[int, int] = (0, 0)
        self.reported: ReportedFaults = ReportedFaults()
        self.watch: Watch | None = None
        """Called after every token that was carried out."""
        self.place: int = -1
        """The index of the turn that is being played; -1 for one that is not a line of the record."""
        self.unwatched: int = 0
        """The number of turns at the beginning for which it need not be called."""
        self.last: Turn | None = None
        """The last turn, if the game may have been broken off within it; None if it must be complete."""
        self.reached: tuple[Turn | None, int] = (None, AT_END)
        """The last token that was carried out, as its turn and index; AT_END after the whole turn, None in the set-up.
        """
        self.before: Turn | None = None
        """The last turn that has been played, not counting those that were taken back."""
        self.full: bool = False
        """Whether there are MAX_FAULTS faults, so nothing more is judged."""
        self.agreed: dict[str, str] = {} if agreed is None else agreed
        self.broken_off: bool = False
        """Whether the record says that the game was broken off."""
        self.unlaid: bool = False
        """Whether it stops before all cards of the set-up were laid."""
        self.as_counted: bool = False
        """Whether the game ended by the rules, as its result line says."""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Return what pickle needs to recreate the run in its final state."""
        found = (self.findings, self.asides, self.events, self.stopped, self.penalties)
        ended = (self.last, self.reached, self.before, self.full, self.broken_off, self.unlaid, self.as_counted)
        return _unpickle, (self.edition, self.state, self.agreed, found, ended)

    def __eq__(self, other: object) -> bool:
        """Return whether another run had the same result."""
        return isinstance(other, Run) and self.__reduce__() == other.__reduce__()

    def finding(self, fault: Fault, turn: Turn | None, at: int | None, severity: Severity | None = None) -> Finding:
        """Return a fault with its place, its words in the current state, and its own severity unless one is given."""
        texts = words(fault, self.state, self.edition)
        return Finding(fault, texts, turn, at, severity or CODES[fault.code].severity, self.place)

    def add(self, finding: Finding) -> None:
        """Note a finding, unless there are too many; the last one noted stops the run."""
        if not self.full:
            self.findings.append(finding)
        if len(self.findings) - len(self.asides) >= MAX_FAULTS:
            self.full = self.stopped = True

    def add_aside(self, finding: Finding) -> None:
        """Note what is wrong with an alternative, unless there are too many; it never stops the run."""
        if len(self.asides) < MAX_FAULTS:
            self.asides.append(len(self.findings))
            self.findings.append(finding)


def _unpickle(edition: Edition, state: State | None, agreed: dict[str, str], found: Any, ended: Any) -> Run:
    """Return a run that was pickled."""
    run = Run(edition, state, agreed)
    run.findings, run.asides, run.events, run.stopped, run.penalties = found
    run.last, run.reached, run.before, run.full, run.broken_off, run.unlaid, run.as_counted = ended
    return run


Watch = Callable[[int, Turn | None, int, State], None]
"""Takes the turn's index in the record, the turn (-1 and None for the set-up), the token's index or AT_END, and the
state after it, which will change.
"""


def note(run: Run, fault: Fault, turn: Turn | None, at: int | None, allowing_ruling: Ruling | None) -> bool:
    """Note a fault; return whether a ruling, or an agreement between the players, lets it stand."""
    pardoned = is_ruled(fault, allowing_ruling)
    let_pass: Severity = NOTE if fault.code in run.agreed else RULED
    if run.full:
        return pardoned
    run.add(run.finding(fault, turn, at, let_pass if pardoned else None))
    if CODES[fault.code].breaks and not pardoned:
        run.stopped = True
    return pardoned


def stop(run: Run, code: str, turn: Turn, at: int) -> None:
    """Note where the cards can no longer be followed, and why."""
    run.findings.append(run.finding(Fault(code, {}), turn, at))
    run.stopped = True


def ruling_for(run: Run, turn: Turn) -> Ruling | None:
    """Return the ruling that lets a turn stand, with its penalty counted, or the players' agreement."""
    rome, egypt = penalties(turn)
    run.penalties = (run.penalties[0] + rome, run.penalties[1] + egypt)
    if run.state is not None:
        run.state.penalties = run.penalties
    return combined_ruling(turn, run.agreed)
