"""How the random players play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from random import Random
from typing import Final


@dataclass(frozen=True, slots=True)
class Style:
    """How a player plays. The first six are chances, the others weights of a choice."""

    passive: float = 0.06
    """Passing without need."""
    act: float = 0.45
    """Playing an action where one may be played."""
    veto: float = 0.4
    """Vetoing an action, with a veto in hand."""
    second: float = 0.85
    """Placing two cards where one would do."""
    hidden: float = 0.5
    """Face down rather than face up."""
    actions: float = 0.25
    """Drawing from the action pile."""
    close: float = 1.0
    """Placing where the fight is close."""
    crowd: float = 1.0
    """Placing where many cards lie."""
    high: float = 0.5
    """Placing and hitting high cards first."""


CHARACTERS: Final = (
    Style(),
    Style(passive=0.35, act=0.3, veto=0.6),
    Style(act=0.12, veto=0.1, second=0.35, hidden=0.9, actions=0.1, high=-0.5),  # saves cards
    Style(act=0.15, actions=0.08, close=0.2, crowd=0.0, high=0.0),  # something everywhere
    Style(act=0.7, second=1.0, hidden=0.25, actions=0.3, close=0.5, crowd=4.0, high=1.0),  # in a hurry
    Style(act=0.25, second=1.0, hidden=0.1, actions=0.05, close=0.0, crowd=0.0),  # drops cards as fast as possible
)


def style(rng: Random) -> Style:
    """Return a style of playing: one of the characters, each weight changed a little."""
    base = rng.choice(CHARACTERS)
    return Style(*[getattr(base, field.name) * rng.uniform(0.75, 1.2) for field in fields(Style)])


Styles = tuple[Style, Style]
