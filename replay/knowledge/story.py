"""The story of a record: its tokens one by one, as far as the engine can follow them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ...notation import tokens as t
from ...notation.diagnostic import ERROR, RULED
from ...notation.record import Record
from ..course import END, run
from ..edition import Edition
from ..headers import Frame
from ..state import State


class Moment(NamedTuple):
    """A token that was carried out; ``left`` are the columns of a vote after it, as the engine leaves them."""

    turn: int
    at: int
    token: t.Token
    side: int
    vetoed: bool
    left: tuple[tuple[int, ...], tuple[int, ...]] | None


@dataclass(slots=True)
class Story:
    """A record as far as its cards can be followed; ``stopped`` says that it goes on behind that."""

    edition: Edition
    position: bool
    opening: tuple[tuple[int, t.Token, int, int], ...]
    """Side, token, and where it stands: the turn's place and the token's."""
    moments: list[Moment]
    stopped: bool
    unseen: tuple[int, int, t.AnyVote] | None
    """The vote behind the last moment, turn and token, where the record leaves out cards that decided it."""
    faulty: bool
    """Whether anything in it is against the rules, or was ruled to stand: then its cards may not add up."""
    ruled: bool
    """Whether anything in it was ruled to stand."""
    fault: tuple[int, int] | None
    """The first token that is against the rules, turn and token."""


def story(record: Record, frame: Frame) -> Story | None:
    """A record as the engine can follow it; None where it does not even begin. ``frame`` must have an edition."""
    assert frame.edition is not None
    places = {id(turn): place for place, turn in enumerate(record.turns)}
    moments: list[Moment] = []

    def watch(turn: Any, at: int, state: State) -> None:
        if turn is None or at == END:
            return
        token = turn.tokens[at]
        vetoed = at + 1 < len(turn.tokens) and turn.tokens[at + 1].__class__ is t.Veto
        left = None
        if isinstance(token, t.Vote | t.SpecialVote):
            rome, egypt = state.sides
            left = tuple(rome.up[token.group]), tuple(egypt.up[token.group])
        moments.append(Moment(places[id(turn)], at, token, turn.side, vetoed, left))

    course = run(record, frame, watch)
    if course.state is None:
        return None
    opening = tuple(
        [
            (turn.side, token, place, at)
            for place, turn in enumerate(record.turns[:2])
            if not turn.number
            for at, token in enumerate(turn.tokens)
        ]
    )
    severities = {finding.severity for finding in course.findings}
    unseen = None
    for finding in course.findings:
        # What an alternative leaves out is of no account: it did not happen, and has no place among the turns.
        place = places.get(id(finding.turn))
        if finding.fault.code == "C908" and place is not None and finding.at is not None:
            token = record.turns[place].tokens[finding.at]
            if isinstance(token, t.Vote | t.SpecialVote):
                unseen = place, finding.at, token
    faults = [
        (places[id(turn)], len(turn.tokens) - 1 if finding.at == END else finding.at or 0)
        for finding, turn in ((finding, finding.turn) for finding in course.findings)
        if finding.severity == ERROR and turn is not None and id(turn) in places
    ]
    fault = min(faults, default=None)
    faulty, ruled = not severities.isdisjoint((ERROR, RULED)), RULED in severities
    return Story(frame.edition, frame.position, opening, moments, course.stopped, unseen, faulty, ruled, fault)
