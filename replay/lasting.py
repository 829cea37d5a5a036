"""Faults that go on having effects: told once, and told anew once they were put right and are made again."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..notation import tokens as t
from .law import Fault
from .state import State


@dataclass(slots=True)
class Told:
    """What has been told already and still shows.

    ``hands``: (side, code) → how many cards a hand is short of or above what it should be; ``votes``: groups whose
    special vote was forgotten; ``offset``: by how much the written turn numbers are ahead.
    """

    hands: dict[tuple[int, str], int] = field(default_factory=dict)
    votes: set[int] = field(default_factory=set)
    offset: int = 0
    late: set[int] = field(default_factory=set)
    """Sides whose choice of a mission was missing in its place."""

    def covers(self, state: State, fault: Fault) -> bool:
        """Whether a fault is only the lasting effect of one that has been told; notes it for the next time."""
        if fault.code == "R402":
            known = fault.facts["group"] in self.votes
            self.votes.add(fault.facts["group"])
            return known
        if fault.code == "R702":
            self.late.update(side for side in (0, 1) if fault.facts["sides"] >> side & 1)
        elif fault.code == "R701" and fault.facts["owner"] in self.late:
            self.late.remove(fault.facts["owner"])
            return True
        if fault.code not in ("R501", "R503"):
            return False
        cards = fault.facts["missing"] if fault.code == "R503" else fault.facts["drawn"] - fault.facts["limit"]
        known = cards <= self.hands.get((state.active, fault.code), 0)
        self.hands[state.active, fault.code] = cards
        return known

    def see(self, state: State, token: t.Token | None) -> None:
        """Forget what has been put right by this token, None for the turn's end: what comes after is a new fault."""
        if isinstance(token, t.SpecialVote):
            self.votes.discard(token.group)
        elif token is None:
            due = state.edition.special_threshold
            self.votes = {group for group in self.votes if state.total(group) >= due}
            held = sum(state.sides[state.active].hand)
            if held >= state.edition.hand_limit:
                self.hands.pop((state.active, "R503"), None)
            if held <= state.edition.hand_limit:
                self.hands.pop((state.active, "R501"), None)
