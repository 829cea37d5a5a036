"""One token of a game carried out: what was written, what it did, and what it brought."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...notation import tokens as t
from ..engine.ballot import Ballot, Chances
from ..rules.state import State
from .expectation import Expectation

EVENT_KINDS: Final[dict[type, str]] = {
    t.Place: "place",
    t.Assassinate: "assassination",
    t.Scout: "scout",
    t.Wrath: "wrath",
    t.Castle: "castling",
    t.Spy: "spy",
    t.Veto: "veto",
    t.Discard: "discard",
    t.Vote: "vote",
    t.SpecialVote: "special vote",
    t.NoVote: "no vote",
    t.PutAway: "put away",
    t.ChooseMission: "mission",
    t.Draw: "draw",
}
"""Token → the word for what it is; ``other`` for what belongs into no turn."""


class Event(NamedTuple):
    """One token carried out: as it is written, in words, and with what it brought.

    ``kind`` is a word of EVENT_KINDS; ``chances`` what could have been drawn, where something was; ``lost`` the cards
    that Rome and Egypt discarded; ``odds`` what was to be expected, where it was asked for. ``deed`` is the token
    itself, ``vetoed`` where it was announced only, between the states ``before`` it and behind it (``state``), all
    three with what is hidden in them.
    """

    at: int
    token: str
    kind: str
    words: str
    ballot: Ballot | None
    chances: Chances | None
    lost: tuple[t.Cards, t.Cards]
    deed: t.Token
    vetoed: bool
    before: State
    state: State
    odds: tuple[Expectation, ...] = ()
