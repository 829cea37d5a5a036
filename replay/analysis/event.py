"""One token of a game carried out: what was written, what it did, and what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...notation import tokens as t
from ..engine.ballot import Ballot, Chances
from ..rules.state import State
from .expectation import Expectation

EXPECTED: Final = "; expected: "
"""What stands between the words of a vote and what was expected of it."""


class Event(NamedTuple):
    """One token carried out: as it is written, in words, and with what it brought.

    ``kind`` is the word for the token's kind; ``chances`` what could have been drawn, where something was; ``lost``
    the cards that Rome and Egypt discarded; ``odds`` what was to be expected, where it was asked for. ``deed`` is the
    token itself, ``vetoed`` where it was only announced, between the states ``before`` and after it (``state``), all
    three with what is hidden in them.

    >>> event = tironian.timeline(record).entries[2].events[0]
    >>> event.kind, event.token, event.words
    ('place', '5K', 'places a 5 face up at the Consuls')
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


def expecting(event: Event, expected: Sequence[Expectation]) -> Event:
    """Return an event with what was expected of it, in its words too where anything was open."""
    words = "; ".join(expectation.words for expectation in expected if not expectation.certain)
    return event._replace(odds=tuple(expected), words=f"{event.words}{EXPECTED}{words}" if words else event.words)
