"""The votes of a game for its page: the list of them, each as a scene of two steps, and what was expected of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Final

from ...notation.cards import (
    CARD_LETTERS,
    CARD_NAMES,
    GROUP_LETTERS,
    GROUP_NAMES,
    PHILOSOPHER,
    SIDE_NAMES,
    SIGNS,
    TIE,
)
from ..analysis.expectation import percents
from ..analysis.telling import Event, SceneCard, VoteScene, vote_scene
from ..analysis.timeline import Timeline
from ..analysis.vote_tree import VoteTree
from ..views.redaction import SEERS
from .page_steps import PageStep
from .symbols import card_marks, patrician

WINNERS: Final = ("rome", "egypt", "nobody")
"""Side or TIE → the name of its colour on the page."""


def page_votes(timeline: Timeline, steps: Sequence[PageStep], trees: Sequence[VoteTree]) -> list[SimpleNamespace]:
    """Return the votes in their order for the template: scene, address of its first step, and tree if there is one."""
    votes, grown = [], {tree.number: tree for tree in trees}
    for number, step in enumerate([step for step in steps if step.is_vote], start=1):
        assert step.entry is not None
        assert step.event is not None
        entry = timeline.entries[step.entry]
        scene = vote_scene(entry.events[step.event])
        vote = SimpleNamespace(
            number=number,
            turn=entry.label,
            address=step.address,
            group=GROUP_NAMES[scene.group],
            token=patrician(GROUP_LETTERS[scene.group]),
            scene=scene,
            special=scene.special,
            turner=_turner(scene),
            winner=WINNERS[scene.winner],
            sign=SIGNS[scene.winner],
            result="nobody wins" if scene.winner == TIE else f"{SIDE_NAMES[scene.winner]} wins",
            columns=[[_card(card, side) for card in column] for side, column in zip("RE", scene.columns, strict=True)],
            tree=grown.get(number),
        )
        votes.append(vote)
    return votes


def _turner(scene: VoteScene) -> str:
    """Return the symbol of the philosopher that turned a vote, empty where none did."""
    if not scene.is_turned:
        return ""
    rome, egypt = ([each.card for each in column].count(PHILOSOPHER) for column in scene.columns)
    return _symbol("R" if rome > egypt else "E", PHILOSOPHER)


def _symbol(side: str, card: int) -> str:
    """Return the symbol of a card of ``R`` or ``E`` that lies face up."""
    return side + card_marks()[CARD_LETTERS[card]]


def _card(card: SceneCard, side: str) -> SimpleNamespace:
    """Return a card of a scene for the template: its symbol, and what is to be said of it."""
    said = [name for name, holds in (("was face down", card.turned), ("is discarded", card.gone)) if holds]
    words = ", ".join([CARD_NAMES[card.card], *said])
    letter, symbol = CARD_LETTERS[card.card], _symbol(side, card.card)
    return SimpleNamespace(letter=letter, symbol=symbol, turned=card.turned, gone=card.gone, words=words)


def odds_bars(event: Event, watching: Sequence[str]) -> list[tuple[str, list[SimpleNamespace]]]:
    """Return what was expected of a vote as bars: for whom, and the parts from left to right.

    There are no parts for those of ``watching`` who could expect nothing, and no bar for whom nothing was open.
    """
    if not event.ballot:
        return []
    known = {expectation.view: expectation for expectation in event.odds}
    return [
        (SEERS[view], [*_parts(known[view].outlook.wins)] if view in known else [])
        for view in watching
        if view not in known or not known[view].certain
    ]


def _parts(wins: Sequence[Fraction]) -> Iterator[SimpleNamespace]:
    """Yield the parts of a bar: Rome's from the left, then a tie, and Egypt's to the right end, in percent of it."""
    start, words = 0.0, percents(wins)
    for winner in (0, 2, 1):
        odds = wins[winner]
        if odds:
            width = round(100 * float(odds), 1)
            yield SimpleNamespace(
                winner=WINNERS[winner],
                sign=SIGNS[winner],
                name=(*SIDE_NAMES, "a tie")[winner],
                start=round(start, 1),
                width=width,
                words=words[winner],
            )
            start += width
