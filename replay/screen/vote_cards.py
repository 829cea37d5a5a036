"""A vote as a picture for a terminal: the cards of both sides, turned up side by side."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from ...notation.cards import EGYPT, ROME, SIDE_NAMES, SIGNS
from ..analysis.telling import VoteScene
from .board import STYLES

BETWEEN: Final = 4
"""How many columns lie between the cards of both sides."""
FACE_DOWN: Final = "( ) lay face down"


def vote_cards(scene: VoteScene, width: int) -> list[Text]:
    """Return the cards of a vote and their sums as lines, side by side where that fits into ``width``."""
    rome, egypt = (_hand(scene, side) for side in (ROME, EGYPT))
    left = max(line.cell_len for line in rome) + BETWEEN
    if left + max(line.cell_len for line in egypt) > width:
        lines = [*rome, *egypt]
    else:
        for line in rome:
            line.append(" " * (left - line.cell_len))
        lines = [one.append_text(other) for one, other in zip(rome, egypt, strict=True)]
    for line in lines:
        line.rstrip()
    is_hidden = any(card.turned for column in scene.columns for card in column)
    return [*lines, *[Text(FACE_DOWN, "dim")] * is_hidden]


def _hand(scene: VoteScene, side: int) -> list[Text]:
    """Return a side with its sum, and its cards as four lines."""
    cards = scene.columns[side]
    head = Text(f"{SIGNS[side]} {SIDE_NAMES[side]}: {scene.sums[side]}", STYLES[side])
    if not cards:
        return [head, Text(), Text("  no card"), Text()]
    faces = "│".join(f"{card.word:^3}" for card in cards)
    edges = [f"{left}{between.join(['───'] * len(cards))}{right}" for left, between, right in ("┌┬┐", "└┴┘")]
    return [head, Text(edges[0]), Text(f"│{faces}│"), Text(edges[1])]
