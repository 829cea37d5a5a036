"""A game against the net, line by line: what has happened, what can be chosen, and what the net would do."""

from __future__ import annotations

from collections.abc import Iterable

from .duel import BLUR, Duel, Happening
from .offered_moves import Offer

NO_HINT = "There is no hint for the set-up: the other side lays its cards as they are dealt."
RANKED = "The net gives you these chances of winning:"
NOTHING_BACK = "Only cards of this turn can be taken back, before an action, a vote or a draw."


def news_lines(news: Iterable[Happening], width: int = 12) -> list[str]:
    """Return a line for each token: its turn, its notation in a column of this ``width``, and its words."""
    return [f"{happening.label:<3} {happening.text:<{width}}  {happening.words}" for happening in news]


def hint_lines(duel: Duel) -> list[str]:
    """Return the net's best moves, with the chance of winning before each; ranked only if the net can tell them apart.

    The first line says what they are.
    """
    offers, (best, alike) = duel.offers(), duel.hint()
    if not best:
        return [NO_HINT]
    head = RANKED
    if alike > 1:
        which = f"the {alike}" if alike == len(offers) else f"{alike} of {len(offers)}"
        head = f"The net sees no difference between {which} moves, within {round(100 * BLUR)} points:"
        best = sorted(best[:alike])
    width = max([len(offers[place].text) for place, _ in best])
    return [head, *[f"{percent(win):>5}  {offers[place].text:<{width}}  {offers[place].words}" for place, win in best]]


def warning(offer: Offer) -> str:
    """Return the warning about playing an action after the first card."""
    return f"{offer.text}: after it no further card can be placed in this turn."


def percent(chance: float) -> str:
    """Return ``58 %``."""
    return f"{round(100 * chance)} %"
