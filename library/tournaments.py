"""Tournaments as values: what ``tiro event`` says about the folder of an event."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .tools.event.api import (
    EVENT_FILE,
    EventState,
    event_data,
    event_state,
    event_text,
    next_round,
    read_plan,
    refused_in,
    standings,
)
from .tools.storage.api import CannotRun


def event(folder: str | os.PathLike[str], after: int = 0) -> dict[str, Any]:
    """Return what there is to do in an event, its games, and the standings ``after`` a round, 0 for the last one.

    The values are those of ``tiro event --format json``, which ``schemas/event-report.schema.json`` describes. Raise
    ValueError if the event can't be read.

    >>> first, *others = tironian.event("examples/event")["standings"]["players"]
    >>> first["rank"], first["name"]
    (1, 'Sextus')
    """
    with _explained():
        state = _state(folder)
        return event_data(state, standings(state.plan, state.decided, after))


def pair(folder: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the pairings of an event's next round as ``event.toml`` has them: each with ``round`` and ``table``,
    ``caesar`` and ``cleopatra``, or with ``round`` and ``bye``. Nothing is written.

    Raise ValueError if the round can't be paired yet, or there is none.

    >>> tironian.pair("examples/swiss")[0]
    {'round': 1, 'table': 1, 'caesar': 'Anna', 'cleopatra': 'Erik'}
    """
    with _explained():
        state = _state(folder)
        return [each.entry for each in next_round(state.plan, state.decided)]


def _state(folder: str | os.PathLike[str]) -> EventState:
    home = os.fspath(folder)
    plan = read_plan(event_text(home), os.path.join(home, EVENT_FILE))
    return event_state(home, plan, 1, refused_in(home))


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except CannotRun as error:
        raise ValueError("\n".join(error.lines)) from None
