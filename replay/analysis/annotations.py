"""Annotations: facts of a game worth a reader's attention, each computed, each of a kind that can be filtered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, PLAYER_NAMES, ROME, SIDE_NAMES, TIE
from ..edition import TaylorScoring
from ..naming import count_word, counted, group_name, join
from ..rules.scoring import so_far
from ..rules.state import State
from ..rules.vote_outcome import resolve
from ..table import SEES
from .ballot import Ballot
from .prospects import CERTAIN, IMPOSSIBLE, mission_prospect, settled
from .telling import mission_words, named


class Annotation(NamedTuple):
    """One fact. ``at`` is the index of the token in its turn, None for the turn as a whole; ``side`` whom it favours
    or concerns, None for both or nobody.
    """

    kind: str
    at: int | None
    side: int | None
    text: str


class Moment(NamedTuple):
    """A token carried out: the states before and after it, and the vote if it was one.

    ``announced`` is the action that a veto struck.
    """

    before: State
    after: State
    token: t.Token
    at: int
    ballot: Ballot | None
    announced: t.Token | None


class Annotator:
    """Watches a game token by token, with what has to be remembered between them.

    ``view`` is the point of view: what rests on cards or missions hidden from it is not told.
    """

    def __init__(self, start: State, view: str = "arbiter") -> None:
        self.sees = SEES[view]
        self.leader: int | None = None
        self.settled = False
        self.told: set[tuple[int, int, str]] = set()
        """Side, place and prospect of missions that have been told."""
        self._lead(start)
        self.settled = self._winner(start) is not None
        for _ in self._missions(start, 0):
            pass

    def punished(self, state: State) -> Iterator[Annotation]:
        """What points lost by a ruling change about the whole game; ``state`` is the first that counts them."""
        yield from self._turned(state, None)

    def notice(self, moment: Moment) -> Iterator[Annotation]:
        """The annotations of one token."""
        if moment.ballot is not None:
            for look in _AT_VOTES:
                yield from look(moment, moment.ballot)
            if moment.ballot.outcome.winner != TIE:
                yield from self._changed(moment)
        elif isinstance(moment.token, t.ChooseMission):
            yield from self._changed(moment)
        elif look := _AT_OTHERS.get(moment.token.__class__):
            yield from look(moment)

    def _changed(self, moment: Moment) -> Iterator[Annotation]:
        """What patricians won and missions kept change about the whole game."""
        yield from self._turned(moment.after, moment.at)

    def _turned(self, state: State, at: int | None) -> Iterator[Annotation]:
        before = self.leader
        if self._lead(state) and before is not None:
            rome, egypt = so_far(state)
            yield Annotation("lead", at, 1 - before, f"{SIDE_NAMES[1 - before]} takes the lead, {rome}-{egypt}")
        yield from self._missions(state, at)
        if not self.settled and not state.ended:
            winner = self._winner(state)
            if winner is not None:
                self.settled = True
                text = f"{SIDE_NAMES[winner]} wins whatever comes: {SIDE_NAMES[1 - winner]} can no longer catch up"
                yield Annotation("settled", at, winner, text)

    def _lead(self, state: State) -> bool:
        """Remember who leads; whether another one does than who led last."""
        rome, egypt = so_far(state)
        if rome == egypt:
            return False
        leader = ROME if rome > egypt else EGYPT
        changed, self.leader = leader != self.leader, leader
        return changed

    def _winner(self, state: State) -> int | None:
        return settled(state, self.sees)

    def _missions(self, state: State, at: int | None) -> Iterator[Annotation]:
        for side, cards in enumerate(state.sides):
            if not self.sees[side]:
                continue
            for place, mission in enumerate(cards.missions):
                if cards.kept is not None and len(cards.missions) > 1 and cards.kept != place + 1:
                    continue
                prospect = mission_prospect(state, side, mission)
                if prospect in (CERTAIN, IMPOSSIBLE) and (side, place, prospect) not in self.told:
                    self.told.add((side, place, prospect))
                    text = f"{PLAYER_NAMES[side]}'s mission, {mission_words(mission)}, is {prospect} now"
                    yield Annotation(f"mission_{prospect}", at, side, text)


# ------------------------------------------------------------------------------------------------------ at votes


def _philosopher(moment: Moment, ballot: Ballot) -> Iterator[Annotation]:
    """The result would have been another one without the philosophers (K2–K13)."""
    rome, egypt = ([card for card in cards if card != PHILOSOPHER] for cards in ballot.columns)
    plain = resolve(rome, egypt, moment.before.edition).winner
    if plain == ballot.rightful.winner or ballot.rightful != ballot.outcome:
        return
    counts = [cards.count(PHILOSOPHER) for cards in ballot.columns]
    there = [
        f"{name}'s {'philosopher' if count == 1 else 'philosophers'}"
        for name, count in zip(SIDE_NAMES, counts, strict=True)
        if count
    ]
    instead = "it would have been a tie" if plain == TIE else f"{SIDE_NAMES[plain]} would have won"
    verb = "turns" if sum(counts) == 1 else "turn"
    text = f"{join(there)} {verb} the vote at {group_name(ballot.group)}: {instead} without"
    yield Annotation("philosopher", moment.at, None if ballot.outcome.winner == TIE else ballot.outcome.winner, text)


def _narrow(moment: Moment, ballot: Ballot) -> Iterator[Annotation]:
    sums, winner = ballot.rightful.sums, ballot.outcome.winner
    if abs(sums[ROME] - sums[EGYPT]) == 1 and winner != TIE:
        how = "by one point" if sums[winner] > sums[1 - winner] else "with one point less"
        where = f"the vote at {group_name(ballot.group)}"
        text = f"{SIDE_NAMES[winner]} wins {where} {how}, {sums[winner]} to {sums[1 - winner]}"
        yield Annotation("narrow", moment.at, winner, text)


def _tie(moment: Moment, ballot: Ballot) -> Iterator[Annotation]:
    if ballot.outcome.winner == TIE:
        rome, egypt = ballot.rightful.sums
        why = "" if ballot.rightful.winner == TIE else " by the record's word"
        text = f"a tie at {group_name(ballot.group)}{why}, {rome} to {egypt}: the cards stay"
        yield Annotation(
            "tie", moment.at, None, text if any(ballot.columns) else f"no card at {group_name(ballot.group)}"
        )


def _special(moment: Moment, ballot: Ballot) -> Iterator[Annotation]:
    if ballot.special:
        count = sum(map(len, ballot.columns))
        text = f"{counted(count, 'card')} at {group_name(ballot.group)} call a special vote"
        yield Annotation("special", moment.at, None, text)


def _emptied(moment: Moment, ballot: Ballot) -> Iterator[Annotation]:
    if ballot.empties:
        text = f"the last patrician of {group_name(ballot.group)} is won"
        yield Annotation("emptied", moment.at, ballot.outcome.winner, text)


def _decided(moment: Moment, ballot: Ballot) -> Iterator[Annotation]:
    """A side has just won more than half of a group: the majority is its own, though by Taylor's words only later."""
    winner, group, edition = ballot.outcome.winner, ballot.group, moment.after.edition
    if winner == TIE:
        return
    won, size = moment.after.sides[winner].won[group], edition.groups[group]
    if won == size // 2 + 1:
        literal = edition.taylor_scoring is TaylorScoring.LITERAL and moment.after.left[group]
        later = ", which counts once the group is empty" if literal else ""
        text = f"{SIDE_NAMES[winner]} has the majority of {group_name(group)}, {won} of {size}{later}"
        yield Annotation("decided", moment.at, winner, text)


_AT_VOTES: Final = (_special, _philosopher, _narrow, _tie, _emptied, _decided)


# ----------------------------------------------------------------------------------------------------- elsewhere


def _veto(moment: Moment) -> Iterator[Annotation]:
    owner = 1 - moment.before.active
    what = _PREVENTED.get(moment.announced.__class__)
    prevented = what(moment.announced, moment.before) if what else "an action"
    yield Annotation("veto", moment.at, owner, f"{PLAYER_NAMES[owner]}'s veto prevents {prevented}")
    yield from _exhausted(moment)


def _struck(token: t.Assassinate, _state: State) -> str:
    if token.hidden or token.card is None:
        return f"the assassination of a hidden card at {group_name(token.group)}"
    return f"the assassination of {named((token.card,))} at {group_name(token.group)}"


def _scouted(token: t.Scout, state: State) -> str:
    count = len(state.sides[1 - state.active].hidden[token.group])
    return f"the scouting of {counted(count, 'hidden card')} at {group_name(token.group)}"


def _raged(token: t.Wrath, state: State) -> str:
    counts = [side.count(token.group) for side in state.sides]
    return (
        f"the wrath of the gods at {group_name(token.group)}, where {SIDE_NAMES[ROME]} has {count_word(counts[ROME])} "
        f"and {SIDE_NAMES[EGYPT]} {count_word(counts[EGYPT])}"
    )


def _castled(token: t.Castle, _state: State) -> str:
    return f"castling between {group_name(token.first)} and {group_name(token.second)}"


_PREVENTED: Final[dict[type, Callable[..., str]]] = {
    t.Assassinate: _struck,
    t.Scout: _scouted,
    t.Wrath: _raged,
    t.Castle: _castled,
    t.Spy: lambda _token, _state: "a look into the hand by a spy",
}


def _exhausted(moment: Moment) -> Iterator[Annotation]:
    for side in (ROME, EGYPT):
        before, after = moment.before.sides[side], moment.after.sides[side]
        if before.influence_pile and not after.influence_pile:
            yield Annotation("exhausted", moment.at, side, f"{PLAYER_NAMES[side]}'s influence pile is used up")
        if before.action_pile and not after.action_pile:
            yield Annotation("exhausted", moment.at, side, f"{PLAYER_NAMES[side]}'s action pile is used up")


_AT_OTHERS: Final[dict[type, Callable[[Moment], Iterator[Annotation]]]] = {
    t.Veto: _veto,
    t.Draw: _exhausted,
    t.Spy: _exhausted,
}
NOTED: Final = frozenset({t.Vote, t.SpecialVote, t.ChooseMission, *_AT_OTHERS})
"""The tokens at which there can be something to notice."""
