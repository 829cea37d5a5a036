"""A game in a few sentences, for those who don't see its picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...notation.basics import PLAYER_NAMES
from ...notation.language import PLAYERS, SIDES, Messages, clauses, labelled, phrase
from ...notation.records import Record
from ...replay.diagnostics.api import capital, join
from ...replay.story.api import NOT_FOLLOWED, TAKEN_BACK, Timeline
from ...replay.words.api import synopsis
from .templating import plain

SEEN_BY: Final[Messages] = {
    "arbiter": "the arbiter, who sees every card",
    "caesar": "Caesar",
    "cleopatra": "Cleopatra",
    "table": "a spectator, who sees no hidden card",
}
"""Point of view → its name in a sentence."""
NAME_LENGTH: Final = 40
PLACE_LENGTH: Final = 90


def seen_by(view: str) -> str:
    """Return who sees a game, and how much of it: ``seen by the arbiter, who sees every card``."""
    return phrase("seen by {viewer}", viewer=phrase(SEEN_BY[view]))


def title(timeline: Timeline | Record) -> str:
    """Return ``Livia (Caesar, Rome) against Marcus (Cleopatra, Egypt)``; without names ``Caesar (Rome) against …``."""
    parts = []
    for number, (part, side) in enumerate(zip(PLAYERS, SIDES, strict=True)):
        name = plain(player(timeline, number), NAME_LENGTH)
        parts.append(f"{name} ({part.name}, {side.name})" if name else f"{part.name} ({side.name})")
    return phrase("{one} against {other}", one=parts[0], other=parts[1])


def player(timeline: Timeline | Record, side: int) -> str:
    """Return the name of a side's player in the headers, empty if there is none."""
    name = timeline.header(PLAYER_NAMES[side]).strip()
    return "" if name == "?" else name


def occasion(timeline: Timeline) -> str:
    """Return where and when the game was played, and by which rules; safe to show."""
    return occasion_of(timeline, timeline.edition.title)


def occasion_of(timeline: Timeline | Record, rules: str) -> str:
    """Return where and when the game was played, and the title of its ``rules``; safe to show."""
    given = [timeline.header(name).strip() for name in ("Event", "Site", "Date")]
    parts = [plain(text, PLACE_LENGTH) for text in given if text and text.strip("?.")]
    if (number := timeline.header("Round").strip()) and number != "?":
        parts.insert(1, phrase("round {number}", number=plain(number, 12)))
    return " · ".join([*parts, phrase(rules)])


def outcome(timeline: Timeline) -> str:
    """Return how the game ended, and why."""
    if timeline.stopped:
        return phrase("The cards can be followed only up to {turn}", turn=timeline.stopped)
    return clauses(filter(None, (capital(timeline.summary), timeline.ended)))


def sentences(timeline: Timeline) -> Iterator[str]:
    """Yield the game in a few sentences: the result, lead changes, the votes group by group."""
    yield f"{title(timeline)}, {occasion(timeline)}, {seen_by(timeline.view)}."
    yield f"{outcome(timeline)}."
    yield from synopsis(timeline)
    for status in (TAKEN_BACK, NOT_FOLLOWED):
        if turns := [entry.label for entry in timeline.entries if entry.status == status]:
            yield f"{labelled(capital(phrase(status)), join(turns))}."
