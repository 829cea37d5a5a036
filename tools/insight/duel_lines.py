"""A game against the net, line by line: what has happened, what can be chosen, and what the net would do."""

from __future__ import annotations

from collections.abc import Iterable

from ...notation.language import phrase
from .duel import BLUR, Duel, Happening
from .offered_moves import Offer


def no_hint() -> str:
    """Return why there is no hint."""
    return phrase("There is no hint for the set-up: the other side lays its cards as they are dealt.")


def nothing_back() -> str:
    """Return why nothing can be taken back."""
    return phrase("Only cards of this turn can be taken back, before an action, a vote or a draw.")


def news_lines(news: Iterable[Happening], width: int = 12) -> list[str]:
    """Return a line for each token: its turn, its notation in a column of this ``width``, and its words."""
    return [f"{happening.label:<3} {happening.text:<{width}}  {happening.words}" for happening in news]


def hint_lines(duel: Duel) -> list[str]:
    """Return the net's best moves, with the chance of winning before each; ranked only if the net can tell them apart.

    The first line says what they are.
    """
    offers, (best, alike) = duel.offers(), duel.hint()
    if not best:
        return [no_hint()]
    head = phrase("The net gives you these chances of winning:")
    if alike > 1:
        by = {"count": alike, "all": len(offers), "points": round(100 * BLUR)}
        head = phrase("The net sees no difference between the {count} moves, within {points} points:", **by)
        if alike < len(offers):
            head = phrase("The net sees no difference between {count} of {all} moves, within {points} points:", **by)
        best = sorted(best[:alike])
    width = max([len(offers[place].text) for place, _ in best])
    return [head, *[f"{percent(win):>5}  {offers[place].text:<{width}}  {offers[place].words}" for place, win in best]]


def warning(offer: Offer) -> str:
    """Return the warning about playing an action after the first card."""
    return phrase("{move}: after it no further card can be placed in this turn.", move=offer.text)


def percent(chance: float) -> str:
    """Return ``58 %``."""
    return phrase("{number} %", number=round(100 * chance))
