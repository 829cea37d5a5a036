"""Annotations: facts about a game that deserve attention. They are computed, and can be filtered by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, SOME_ACTION, SOME_INFLUENCE, TIE
from ..editions.edition import Edition
from ..engine.shown import Ballot
from ..knowledge.table_view import SEES
from ..rules.scoring import public_points
from ..rules.state import State
from ..rules.vote_outcome import resolve
from .events import Event, prevented
from .prospects import CERTAIN, IMPOSSIBLE, mission_prospect, settled


class Annotation(NamedTuple):
    """One fact that deserves attention. ``at`` is the index of the token in its turn, None for the turn as a whole;
    ``side`` is the side that it favours or concerns, None for both or neither. ``kind`` is a word such as
    ``philosopher``, ``facts`` are its particulars by name. ``code`` is the code of the fault that it reports, if no
    ruling let that stand. :func:`tironian.words` puts it into words.

    >>> entries = tironian.timeline(record).entries
    >>> notes = [note for entry in entries for note in entry.annotations if note.kind == "philosopher"]
    >>> print(tironian.words(notes[0]))
    Egypt's philosopher turns the vote at the Quaestors: Rome would have won otherwise
    """

    kind: str
    at: int | None
    side: int | None
    facts: dict[str, Any]
    code: str = ""


class Annotator:
    """Watches a game token by token, and remembers what later tokens need.

    ``view`` is the point of view: nothing is said that depends on cards or missions hidden from it.
    """

    def __init__(self, start: State, view: str = "arbiter") -> None:
        self.sees = SEES[view]
        self.leader: int | None = None
        self.settled = False
        self.reported: set[tuple[int, int, str]] = set()
        """Side, place and prospect of missions that have been reported."""
        list(self.turned(start, None))  # what is true from the beginning is not news

    def notice(self, event: Event, last: t.Token | None) -> Iterator[Annotation]:
        """Yield the annotations of one token; ``last`` is the token before it in its turn."""
        if event.ballot is not None:
            yield from _of_vote(event, event.ballot)
        if isinstance(event.actual, t.Veto):
            yield Annotation("veto", event.at, 1 - event.before.active, {"prevented": prevented(last, event.before)})
        if isinstance(event.actual, t.Veto | t.Draw | t.Spy):
            yield from _exhausted(event)
        elif event.ballot is None or event.ballot.outcome.winner != TIE:
            yield from self.turned(event.state, event.at)

    def turned(self, state: State, at: int | None) -> Iterator[Annotation]:
        """Yield the effects on the whole game of patricians won, missions kept and points lost."""
        rome, egypt = public_points(state)
        if rome != egypt:
            before, leader = self.leader, ROME if rome > egypt else EGYPT
            self.leader = leader
            if before == 1 - leader:
                yield Annotation("lead", at, leader, {"points": (rome, egypt)})
        yield from self._missions(state, at)
        if not self.settled and not state.ended:
            winner = settled(state, self.sees)
            if winner is not None:
                self.settled = True
                yield Annotation("settled", at, winner, {})

    def _missions(self, state: State, at: int | None) -> Iterator[Annotation]:
        for side, cards in enumerate(state.sides):
            if not self.sees[side]:
                continue
            for place, mission in enumerate(cards.missions):
                if cards.kept is not None and len(cards.missions) > 1 and cards.kept != place + 1:
                    continue
                prospect = mission_prospect(state, side, mission)
                if prospect in (CERTAIN, IMPOSSIBLE) and (side, place, prospect) not in self.reported:
                    self.reported.add((side, place, prospect))
                    yield Annotation(f"mission_{prospect}", at, side, {"mission": mission})


def _of_vote(event: Event, ballot: Ballot) -> Iterator[Annotation]:
    at, winner, facts = event.at, ballot.outcome.winner, {"ballot": ballot}
    if ballot.special:
        yield Annotation("special", at, None, facts)
    plain = winner_without(ballot, event.before.edition)
    if plain != ballot.correct_outcome.winner and ballot.correct_outcome == ballot.outcome:  # K2–K13
        yield Annotation("philosopher", at, None if winner == TIE else winner, facts | {"plain": plain})
    if winner == TIE:
        yield Annotation("tie", at, None, facts)
        return
    rome, egypt = ballot.correct_outcome.sums
    if abs(rome - egypt) == 1:
        yield Annotation("narrow", at, winner, facts)
    if ballot.empties:
        yield Annotation("emptied", at, winner, facts)
    if majority := _majority(event.state, winner, ballot.group):
        yield Annotation("decided", at, winner, majority)


def winner_without(ballot: Ballot, edition: Edition) -> int:
    """Return who would have won a vote without any philosopher."""
    rome, egypt = ([card for card in cards if card != PHILOSOPHER] for cards in ballot.columns)
    return resolve(rome, egypt, edition).winner


def _majority(after: State, winner: int, group: int) -> dict[str, Any]:
    """Return a group of which a side has just won more than half: its majority from now on or, by Taylor's text,
    ``later``.

    Otherwise return nothing.
    """
    edition, won = after.edition, after.sides[winner].won[group]
    size = edition.groups[group]
    if won != size // 2 + 1:
        return {}
    literal = edition.taylor_scoring.literal and after.left[group] > 0
    return {"group": group, "won": won, "size": size, "later": literal}


def _exhausted(event: Event) -> Iterator[Annotation]:
    for side, (before, after) in enumerate(zip(event.before.sides, event.state.sides, strict=True)):
        if before.influence_pile and not after.influence_pile:
            yield Annotation("exhausted", event.at, side, {"pile": SOME_INFLUENCE})
        if before.action_pile and not after.action_pile:
            yield Annotation("exhausted", event.at, side, {"pile": SOME_ACTION})


NOTED: Final = frozenset({t.Vote, t.SpecialVote, t.ChooseMission, t.Veto, t.Draw, t.Spy})
"""The tokens at which something may be noticed."""
