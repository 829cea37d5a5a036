"""Where it came from: the earlier places in a record that a diagnostic points back to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from ...notation import tokens as t
from ...notation.cards import CARD_NAMES, SIDE_LETTERS
from ...notation.record import Turn
from ...notation.tokens import Who
from ..diagnostics.messages import Facts
from ..diagnostics.names import ordinal
from ..engine.findings import END, Finding

FURTHEST: Final = 2_000
"""Tokens back from a finding among which an earlier place is looked for; a whole game has some hundreds."""


class Trace(NamedTuple):
    """An earlier token and what is to be said about it; ``at`` None is the turn's label."""

    turn: Turn
    at: int | None
    text: str


def traces(finding: Finding, turns: Sequence[Turn]) -> list[Trace]:
    """Return the earlier place that matters for a finding, if there is one."""
    here, code, facts = finding.turn, finding.fault.code, finding.fault.facts
    if here is None:
        return []
    if finding.at is None and code in _TURN_BEFORE:
        place = _place_of(here, turns)
        return [Trace(turns[place - 1], None, _TURN_BEFORE[code])] if place else []
    if code in _TRACES:
        wanted, text = _TRACES[code]
        for turn, at, token in islice(_before(here, finding.at, turns), FURTHEST):
            if wanted(facts, here, turn, token):
                card, limit = CARD_NAMES[facts.get("card", 0)], ordinal(facts.get("limit", 0))
                return [Trace(turn, at, text.format(turn=turn.label, card=card, limit=limit))]
    return []


def _before(here: Turn, at: int | None, turns: Sequence[Turn]) -> Iterator[tuple[Turn, int, t.Token]]:
    """Yield all tokens before a finding, the latest first, each with its turn and index."""
    for before in reversed(range(len(here.tokens) if at == END else at or 0)):
        yield here, before, here.tokens[before]
    for place in reversed(range(_place_of(here, turns))):
        turn = turns[place]
        for before in reversed(range(len(turn.tokens))):
            yield turn, before, turn.tokens[before]


def _place_of(turn: Turn, turns: Sequence[Turn]) -> int:
    """Return how many turns stand before one; it may be an alternative, which is none of them."""
    return bisect_left(turns, turn.line, key=attrgetter("line"))


def _left_the_hand(facts: Facts, _here: Turn, turn: Turn, token: t.Token) -> bool:
    owner, card = facts["owner"], facts["card"]
    if isinstance(token, t.Place):
        return turn.side == owner and token.card == card and turn.number > 0
    if isinstance(token, t.Discard):
        return turn.side == owner and card in token.cards
    return isinstance(token, t.Spy) and turn.side != owner and token.card == card


def _touched(facts: Facts, _here: Turn, turn: Turn, token: t.Token) -> bool:
    owner, group = facts["owner"], facts["group"]
    kind = t.KINDS[type(token)]
    if not kind.moves or group not in t.groups_of(token):
        return False
    return kind.about is Who.ALL or (kind.about is Who.MOVER) == (turn.side == owner)


def _at_the_group(*kinds: type[t.Place | t.Vote | t.SpecialVote], own: bool = False) -> Wanted:
    return lambda facts, here, turn, token: (
        isinstance(token, kinds) and token.group == facts["group"] and (not own or turn.side == here.side)
    )


def _same_turn(*kinds: type) -> Wanted:
    return lambda _f, here, turn, token: turn is here and isinstance(token, kinds)


Wanted: TypeAlias = Callable[[Facts, Turn, Turn, t.Token], bool]
"""Whether a token is the one to point back to: takes the facts of a fault, its turn, and the token's turn."""

_TRACES: Final[dict[str, tuple[Wanted, str]]] = {
    "R202": (_at_the_group(t.Vote, t.SpecialVote), "the last patrician was won here, {turn}"),
    "R203": (_left_the_hand, "the last {card} left the hand here, {turn}"),
    "R204": (_at_the_group(t.Place, own=True), "the {limit} card was placed here, {turn}"),
    "R205": (_at_the_group(t.Place), "the {limit} card was placed here, {turn}"),
    "R207": (_same_turn(t.Place), "the card before it"),
    "R208": (_same_turn(t.Place), "this card"),
    "R210": (_same_turn(t.Place), "the first card"),
    "R211": (_same_turn(t.Place, t.Discard), "contradicts this"),
    "R212": (_same_turn(*t.ACTIONS), "the action"),
    "R301": (_same_turn(*t.ACTIONS), "the first"),
    "R406": (_same_turn(t.Vote, t.NoVote), "the first"),
    "R407": (_at_the_group(t.Vote), "it came here, {turn}"),
    "R408": (
        lambda _facts, _here, _turn, token: isinstance(token, t.NoVote) and not token.reset,
        "it came here, {turn}",
    ),
    "R409": (_at_the_group(t.Vote, t.SpecialVote), "the last patrician was won here, {turn}"),
    "R505": (
        lambda facts, _here, turn, token: turn.side == facts["owner"] and isinstance(token, t.ActionOrder),
        "the order that the owner chose",
    ),
    "R604": (_same_turn(t.Discard), "this makes the turn passive"),
    "R801": (_same_turn(object), "this ended the game"),
    "C901": (_touched, "these cards last changed here, {turn}"),
}
_TURN_BEFORE: Final = {"R607": "the turn before", "R801": "the last turn"}
"""Code → what is to be said of the turn before one that should not stand there."""


def label_slip(turn: Turn, due: tuple[int, int], starter: int, turns: Sequence[Turn]) -> str:
    """Return what the lines around a turn that was not ``due`` (number and side) say about how that came about."""
    place = _place_of(turn, turns)
    before = turns[place - 1] if place else None
    after = turns[place + 1] if place + 1 < len(turns) else None
    name = f"{due[0]}{SIDE_LETTERS[due[1]]}"
    side = 1 - due[1]
    following = (due[0] + (side == starter), side)
    if before is not None and (before.label, before.tokens) == (turn.label, turn.tokens):
        return "this repeats the line before: remove one of the two"
    if after is not None and (after.number, after.side) == due and (turn.number, turn.side) == following:
        return "swap this line and the next one"
    if after is not None and (after.number, after.side) == following:
        return f"did you mean {name}? The next line is {after.label}"
    return f"look for {name}, which is missing before this line"
