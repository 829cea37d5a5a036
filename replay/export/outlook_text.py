"""What somebody can tell at a moment of a game, as text: hidden cards, hands, votes, and what is drawn next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from ...notation.cards import CARD_LETTERS, PLAYER_NAMES
from ..analysis.expectation import Sight, percent, percents, win_words
from ..diagnostics.names import group_name, ordinal
from ..rules.state import State
from ..views.redaction import SEERS
from ..views.table_view import SEES


def lines(seen: Sight, state: State) -> Iterator[str]:
    """Yield the lines of an outlook; of ``state`` only what lies open to all is used."""
    yield f"What {SEERS[seen.view]} can tell, every unseen card being equally likely:"
    places: dict[tuple[int, int], int] = {}
    for side, group, odds in seen.hidden:
        place = places[side, group] = places.get((side, group), 0) + 1
        if not SEES[seen.view][side]:
            which = f"the {ordinal(place)} card face down at {group_name(group)}"
            yield f"  {PLAYER_NAMES[side]}, {which}: {_chances(odds)}"
    for side, odds in enumerate(seen.hands):
        if not SEES[seen.view][side]:
            yield f"  {PLAYER_NAMES[side]} holds at least one: {_chances(odds, percent)}"
    for forecast in seen.outlook.groups:
        if state.left[forecast.group]:
            yield f"  a vote at {group_name(forecast.group)} now: {win_words(forecast)}"
    for side, odds in enumerate(seen.outlook.next_cards):
        if any(odds) and state.sides[side].influence_pile:
            yield f"  {PLAYER_NAMES[side]}'s next influence card: {_chances(odds)}"


def _chances(odds: Sequence[Fraction], each: Callable[[Fraction], str] | None = None) -> str:
    """Return ``5 40 %, 3 60 %``: from high to low, philosophers last; ``5`` alone where it is certain.

    They are parts of a whole, unless ``each`` puts one into words by itself.
    """
    order = [*range(len(odds) - 1, 0, -1), 0]
    parts = [odds[label] for label in order]
    words = [*map(each, parts)] if each else percents(parts)
    told = [CARD_LETTERS[label] + f" {said}" * (odds[label] != 1) for label, said in zip(order, words, strict=True)]
    return ", ".join([text for text, part in zip(told, parts, strict=True) if part])
