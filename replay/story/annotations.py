"""Annotations: facts about a game that deserve attention. They are computed, and can be filtered by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, PLAYER_NAMES, ROME, SIDE_NAMES, TIE
from ..diagnostics.names import counted, group_name, join
from ..editions.edition import Edition
from ..engine.shown import Ballot
from ..knowledge.table_view import SEES
from ..rules.scoring import so_far
from ..rules.state import State
from ..rules.vote_outcome import resolve
from .prospects import CERTAIN, IMPOSSIBLE, mission_prospect, settled
from .telling import Event, mission_words, prevented


class Annotation(NamedTuple):
    """One fact that deserves attention. ``at`` is the index of the token in its turn, None for the turn as a whole;
    ``side`` is the side that it favours or concerns, None for both or neither. ``kind`` is a word such as
    ``philosopher``, ``text`` the fact in words. ``code`` is the code of the fault that it reports, if no ruling let
    that stand.

    >>> entries = tironian.timeline(record).entries
    >>> [note.text for entry in entries for note in entry.annotations if note.kind == "philosopher"][:1]
    ["Egypt's philosopher turns the vote at the Quaestors: Rome would have won otherwise"]
    """

    kind: str
    at: int | None
    side: int | None
    text: str
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
        if isinstance(event.deed, t.Veto):
            owner = 1 - event.before.active
            text = f"{PLAYER_NAMES[owner]}'s veto prevents {prevented(last, event.before)}"
            yield Annotation("veto", event.at, owner, text)
        if isinstance(event.deed, t.Veto | t.Draw | t.Spy):
            yield from _exhausted(event)
        elif event.ballot is None or event.ballot.outcome.winner != TIE:
            yield from self.turned(event.state, event.at)

    def turned(self, state: State, at: int | None) -> Iterator[Annotation]:
        """Yield the effects on the whole game of patricians won, missions kept and points lost."""
        rome, egypt = so_far(state)
        if rome != egypt:
            before, leader = self.leader, ROME if rome > egypt else EGYPT
            self.leader = leader
            if before == 1 - leader:
                yield Annotation("lead", at, leader, f"{SIDE_NAMES[leader]} takes the lead, {rome}-{egypt}")
        yield from self._missions(state, at)
        if not self.settled and not state.ended:
            winner = settled(state, self.sees)
            if winner is not None:
                self.settled = True
                text = f"{SIDE_NAMES[winner]} wins in any case: {SIDE_NAMES[1 - winner]} can no longer catch up"
                yield Annotation("settled", at, winner, text)

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
                    text = f"{PLAYER_NAMES[side]}'s mission, {mission_words(mission)}, is {prospect} now"
                    yield Annotation(f"mission_{prospect}", at, side, text)


def _of_vote(event: Event, ballot: Ballot) -> Iterator[Annotation]:
    at, where, winner = event.at, group_name(ballot.group), ballot.outcome.winner
    rome, egypt = sums = ballot.rightful.sums
    if ballot.special:
        text = f"{counted(sum(map(len, ballot.columns)), 'card')} at {where} call a special vote"
        yield Annotation("special", at, None, text)
    if text := _philosopher(ballot, event.before.edition):
        yield Annotation("philosopher", at, None if winner == TIE else winner, text)
    if winner == TIE:
        why = " according to the record" * (not ballot.by_rules)
        text = f"a tie at {where}{why}, {rome} to {egypt}: the cards stay"
        yield Annotation("tie", at, None, text if any(ballot.columns) else f"no card at {where}")
        return
    if abs(rome - egypt) == 1:
        how = "by one point" if sums[winner] > sums[1 - winner] else "with one point fewer"
        text = f"{SIDE_NAMES[winner]} wins the vote at {where} {how}, {sums[winner]} to {sums[1 - winner]}"
        yield Annotation("narrow", at, winner, text)
    if ballot.empties:
        yield Annotation("emptied", at, winner, f"the last patrician of {where} is won")
    if text := _majority(event.state, winner, ballot.group):
        yield Annotation("decided", at, winner, text)


def _philosopher(ballot: Ballot, edition: Edition) -> str:
    """Return a sentence if the result would have been different without the philosophers (K2–K13), otherwise
    nothing.
    """
    plain = winner_without(ballot, edition)
    if plain == ballot.rightful.winner or ballot.rightful != ballot.outcome:
        return ""
    counts = [cards.count(PHILOSOPHER) for cards in ballot.columns]
    names = zip(SIDE_NAMES, counts, strict=True)
    there = [f"{name}'s philosopher{'s' * (count > 1)}" for name, count in names if count]
    instead = "it would have been a tie" if plain == TIE else f"{SIDE_NAMES[plain]} would have won"
    verb = "turns" if sum(counts) == 1 else "turn"
    return f"{join(there)} {verb} the vote at {group_name(ballot.group)}: {instead} otherwise"


def winner_without(ballot: Ballot, edition: Edition) -> int:
    """Return who would have won a vote without any philosopher."""
    rome, egypt = ([card for card in cards if card != PHILOSOPHER] for cards in ballot.columns)
    return resolve(rome, egypt, edition).winner


def _majority(after: State, winner: int, group: int) -> str:
    """Return a sentence if a side has just won more than half of a group: its majority from now on or, by Taylor's
    text, later.

    Otherwise return nothing.
    """
    edition, won = after.edition, after.sides[winner].won[group]
    size = edition.groups[group]
    if won != size // 2 + 1:
        return ""
    literal = edition.taylor_scoring.literal and after.left[group]
    later = ", which counts once the group is empty" if literal else ""
    return f"{SIDE_NAMES[winner]} has the majority of {group_name(group)}, {won} of {size}{later}"


def _exhausted(event: Event) -> Iterator[Annotation]:
    for side, (before, after) in enumerate(zip(event.before.sides, event.state.sides, strict=True)):
        if before.influence_pile and not after.influence_pile:
            yield Annotation("exhausted", event.at, side, f"{PLAYER_NAMES[side]}'s influence pile is empty")
        if before.action_pile and not after.action_pile:
            yield Annotation("exhausted", event.at, side, f"{PLAYER_NAMES[side]}'s action pile is empty")


NOTED: Final = frozenset({t.Vote, t.SpecialVote, t.ChooseMission, t.Veto, t.Draw, t.Spy})
"""The tokens at which something may be noticed."""
