"""A timeline with odds: at each vote what was to be expected of it."""

from __future__ import annotations

from dataclasses import replace

from ...notation.reader import Game
from ..headers import read_headers
from .expectation import Expectation, expected
from .eyes import views_for
from .timeline import Event, Timeline


def with_odds(told: Timeline, game: Game, rules: str = "") -> Timeline:
    """The timeline of a game with what was to be expected of each vote: from its own point of view, or both players'
    where that sees everything. ``rules`` is as for the timeline.

    Beyond an irregularity there may be none: the cards need not add up there.
    """
    known = views_for(read_headers(game.record, rules).view)
    seats = [view for view in (("caesar", "cleopatra") if told.view == "arbiter" else (told.view,)) if view in known]
    found: dict[tuple[int, int], list[Expectation]] = {}
    for view in seats:
        for spot, outlook in expected(game, view, rules).items():
            found.setdefault(spot, []).append(Expectation(view, outlook))
    entries = tuple(
        replace(entry, events=tuple(_told(event, found.get((place, event.at), [])) for event in entry.events))
        for place, entry in enumerate(told.entries)
    )
    return replace(told, entries=entries)


def _told(event: Event, expected: list[Expectation]) -> Event:
    words = "; ".join(each.words for each in expected if not each.certain)
    return event._replace(
        odds=tuple(expected), words=f"{event.words}; to be expected was {words}" if words else event.words
    )
