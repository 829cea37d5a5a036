"""Where it came from: the earlier places in a record that a diagnostic points back to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

from ..notation import tokens as t
from ..notation.cards import CARD_NAMES, SIDE_LETTERS
from ..notation.record import Turn
from .findings import END, Finding
from .naming import ordinal

FURTHEST: Final = 2_000
"""Tokens back from a finding among which an earlier place is looked for; a whole game has some hundreds."""


class Trace(NamedTuple):
    """An earlier token and what is to be said about it; ``at`` None is the turn's label."""

    turn: Turn
    at: int | None
    text: str


def traces(finding: Finding, turns: Sequence[Turn]) -> list[Trace]:
    """The earlier places that matter for a finding, as few as explain it."""
    trace = _TRACES.get(finding.fault.code)
    if trace is None or finding.turn is None:
        return []
    return [found for found in trace(finding, turns) if found is not None]


def _before(finding: Finding, turns: Sequence[Turn]) -> Iterator[tuple[Turn, int, t.Token]]:
    """Yield all tokens before the finding, the latest first."""
    assert finding.turn is not None
    here = finding.turn
    stop = len(here.tokens) if finding.at == END else finding.at or 0
    for at in range(stop - 1, -1, -1):
        yield here, at, here.tokens[at]
    for place in range(_place_of(here, turns) - 1, -1, -1):
        turn = turns[place]
        for at in range(len(turn.tokens) - 1, -1, -1):
            yield turn, at, turn.tokens[at]


def _place_of(turn: Turn, turns: Sequence[Turn]) -> int:
    """Return how many turns stand before one; it may be an alternative, which is none of them."""
    return bisect_left(turns, turn.line, key=attrgetter("line"))


Wanted = Callable[[Turn, t.Token], bool]


def _last(finding: Finding, turns: Sequence[Turn], wanted: Wanted, text: str) -> Trace | None:
    for turn, at, token in islice(_before(finding, turns), FURTHEST):
        if wanted(turn, token):
            return Trace(turn, at, text.format(turn=turn.label))
    return None


def _limit_reached(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    facts, here = finding.fault.facts, finding.turn
    both = finding.fault.code == "R205"

    def placed(turn: Turn, token: t.Token) -> bool:
        own = both or (here is not None and turn.side == here.side)
        return own and isinstance(token, t.Place) and token.group == facts["group"]

    return [_last(finding, turns, placed, f"the {ordinal(facts['limit'])} card was placed here, {{turn}}")]


def _left_the_hand(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    owner, card = finding.fault.facts["owner"], finding.fault.facts["card"]

    def played(turn: Turn, token: t.Token) -> bool:
        if isinstance(token, t.Place):
            return turn.side == owner and token.card == card and turn.number > 0
        if isinstance(token, t.Discard):
            return turn.side == owner and card in token.cards
        return isinstance(token, t.Spy) and turn.side != owner and token.card == card

    return [_last(finding, turns, played, f"the last {CARD_NAMES[card]} left the hand here, {{turn}}")]


def _same_turn(kinds: tuple[type, ...], text: str) -> Callable[[Finding, Sequence[Turn]], list[Trace | None]]:
    def find(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
        here = finding.turn
        return [_last(finding, turns, lambda turn, token: turn is here and isinstance(token, kinds), text)]

    return find


def _came_before(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    group = finding.fault.facts["group"]

    def came(_turn: Turn, token: t.Token) -> bool:
        return isinstance(token, t.Vote) and token.group == group

    return [_last(finding, turns, came, "it came here, {turn}")]


def _blank_before(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    def blank(_turn: Turn, token: t.Token) -> bool:
        return isinstance(token, t.NoVote) and not token.reset

    return [_last(finding, turns, blank, "it came here, {turn}")]


def _emptied(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    group = finding.fault.facts["group"]

    def voted(_turn: Turn, token: t.Token) -> bool:
        return isinstance(token, t.Vote | t.SpecialVote) and token.group == group

    return [_last(finding, turns, voted, "the last patrician was won here, {turn}")]


def _touched(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    owner, group = finding.fault.facts["owner"], finding.fault.facts["group"]

    def moved(turn: Turn, token: t.Token) -> bool:
        if isinstance(token, t.Place):
            return turn.side == owner and token.group == group
        if isinstance(token, t.Castle):
            return turn.side == owner and group in (token.first, token.second)
        if isinstance(token, t.Assassinate):
            return turn.side != owner and token.group == group
        return isinstance(token, t.Wrath | t.Vote | t.SpecialVote) and token.group == group

    return [_last(finding, turns, moved, "these cards last changed here, {turn}")]


def _game_over(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    here = finding.turn
    if finding.at is None:
        return _turn_before(finding, turns, "the last turn")
    return [_last(finding, turns, lambda turn, _token: turn is here, "this ended the game")]


def _previous_turn(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    return _turn_before(finding, turns, "the turn before")


def _turn_before(finding: Finding, turns: Sequence[Turn], text: str) -> list[Trace | None]:
    place = _place_of(finding.turn, turns) if finding.turn is not None else 0
    return [Trace(turns[place - 1], None, text)] if place else []


def _ordered(finding: Finding, turns: Sequence[Turn]) -> list[Trace | None]:
    owner = finding.fault.facts["owner"]

    def order(turn: Turn, token: t.Token) -> bool:
        return turn.side == owner and isinstance(token, t.ActionOrder)

    return [_last(finding, turns, order, "the order that the owner chose")]


_TRACES: Final[dict[str, Callable[[Finding, Sequence[Turn]], list[Trace | None]]]] = {
    "R202": _emptied,
    "R203": _left_the_hand,
    "R204": _limit_reached,
    "R205": _limit_reached,
    "R207": _same_turn((t.Place,), "the card before it"),
    "R208": _same_turn((t.Place,), "this card"),
    "R210": _same_turn((t.Place,), "the first card"),
    "R211": _same_turn((t.Place, t.Discard), "against this"),
    "R212": _same_turn(t.ACTIONS, "the action"),
    "R301": _same_turn(t.ACTIONS, "the first"),
    "R406": _same_turn((t.Vote, t.NoVote), "the first"),
    "R407": _came_before,
    "R408": _blank_before,
    "R409": _emptied,
    "R505": _ordered,
    "R604": _same_turn((t.Discard,), "this makes the turn a passive one"),
    "R607": _previous_turn,
    "R801": _game_over,
    "C901": _touched,
}


def label_slip(turn: Turn, due: tuple[int, int], starter: int, turns: Sequence[Turn]) -> str:
    """What the lines around a turn that was not ``due`` (number and side) say about how that came about."""
    place = _place_of(turn, turns)
    before = turns[place - 1] if place else None
    behind = turns[place + 1] if place + 1 < len(turns) else None
    name = f"{due[0]}{SIDE_LETTERS[due[1]]}"
    side = 1 - due[1]
    following = (due[0] + (side == starter), side)
    if before is not None and (before.label, before.tokens) == (turn.label, turn.tokens):
        return "this is the line before once more: strike out one of the two"
    if behind is not None and (behind.number, behind.side) == due and (turn.number, turn.side) == following:
        return "this line and the next one have changed places"
    if behind is not None and (behind.number, behind.side) == following:
        return f"did you mean {name}? The next line goes on with {behind.label}"
    return f"look for {name}, which is missing before this line"
