"""The story of a record: its tokens one by one, as far as the engine can follow them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ...notation import tokens as t
from ...notation.diagnostic import ERROR, RULED
from ...notation.record import Record, Turn
from ..editions.edition import Edition
from ..engine.findings import Run
from ..engine.headers import Frame
from ..engine.rulings import is_taken_back, pardon_for
from ..engine.run import END, run_record
from ..rules.state import State


class Moment(NamedTuple):
    """A token in its place: ``turn`` among the record's turns, ``at`` in the turn of ``side``.

    ``vetoed``: it is an action that was only announced. ``left`` are the columns of a vote after it, Rome's first, as
    the engine leaves them.
    """

    turn: int
    at: int
    token: t.Token
    side: int
    vetoed: bool = False
    left: tuple[tuple[int, ...], tuple[int, ...]] | None = None


@dataclass(slots=True)
class Story:
    """A record as far as its cards can be followed: the words of its set-up, and the tokens that were carried out."""

    edition: Edition
    position: bool
    opening: list[Moment]
    moments: list[Moment]
    unseen: tuple[int, int, t.AnyVote] | None
    """The vote after the last moment, turn and token, where the record leaves out cards that decided it."""
    faulty: bool
    """Whether anything in it is against the rules, or was ruled to stand: then its cards may not add up."""
    ruled: bool
    """Whether anything in it was ruled to stand, even something that this writer could not see."""
    fault: tuple[int, int] | None
    """The first token that is against the rules, turn and token."""
    run: Run


def story_of(record: Record, frame: Frame) -> Story | None:
    """Return a record as the engine can follow it; None if it does not even begin. ``frame`` must have an edition."""
    assert frame.edition is not None
    places = {id(turn): place for place, turn in enumerate(record.turns)}
    moments: list[Moment] = []

    def watch(turn: Any, at: int, state: State) -> None:
        if turn is None or at == END:
            return
        token, left = turn.tokens[at], None
        vetoed = at + 1 < len(turn.tokens) and turn.tokens[at + 1].__class__ is t.Veto
        if isinstance(token, t.Vote | t.SpecialVote):
            rome, egypt = state.sides
            left = tuple(rome.up[token.group]), tuple(egypt.up[token.group])
        moments.append(Moment(places[id(turn)], at, token, turn.side, vetoed, left))

    run = run_record(record, frame, watch)
    if run.state is None:
        return None
    lines = [(place, turn) for place, turn in enumerate(record.turns[:2]) if not turn.number]
    opening = [Moment(place, at, token, turn.side) for place, turn in lines for at, token in enumerate(turn.tokens)]
    unseen, faults = None, []
    for finding in run.findings:
        # What an alternative leaves out is of no account: it did not happen, and has no place among the turns.
        if (place := places.get(id(finding.turn))) is None:
            continue
        tokens, at = record.turns[place].tokens, finding.at
        if finding.severity == ERROR:
            faults.append((place, len(tokens) - 1 if at == END else at or 0))
        if finding.fault.code == "C908" and at is not None and isinstance(vote := tokens[at], t.Vote | t.SpecialVote):
            unseen = place, at, vote
    heard = {id(finding.turn) for finding in run.findings if finding.severity == RULED}
    ruled = bool(heard) or any(_is_about_cards(turn) for turn in record.turns if id(turn) not in heard)
    faulty = ruled or any(finding.severity == ERROR for finding in run.findings)
    return Story(frame.edition, frame.position, opening, moments, unseen, faulty, ruled, min(faults, default=None), run)


def _is_about_cards(turn: Turn) -> bool:
    """Return whether a ruling lets something about cards stand in this turn, and not only the order of its steps."""
    pardon = None if is_taken_back(turn) else pardon_for(turn)
    # These codes are about turns, missions and the end of the game.
    others = ("R6", "R7", "R8")
    return pardon is not None and (not pardon.codes or not all(code.startswith(others) for code in pardon.codes))
