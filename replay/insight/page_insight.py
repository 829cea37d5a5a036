"""How well a game was played, for the page that steps through it: from the report that lies beside the record."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final

from ...notation.cards import PLAYER_NAMES, SIDE_LETTERS
from ...notation.safe_text import visible
from ..analysis.expectation import percent
from ..analysis.timeline import Timeline
from ..diagnostics.glyphs import glyph
from ..export.page_steps import names, page_steps
from ..views.table_view import SEES
from .analysis_chart import WIDTHS, chart, spoken
from .analysis_text import points

MOST: Final = 3
"""Mistakes that are told."""


def insight_blocks(report: dict[str, Any], timeline: Timeline) -> list[SimpleNamespace]:
    """Return what a report, given as data, says of the sides whose cards a timeline shows, for its page."""
    known = {*names(timeline), *(step.address for step in page_steps(timeline))}
    seen = SEES[timeline.view]
    return [_block(side, known) for side in report["sides"] if seen[SIDE_LETTERS.index(side["side"])]]


def _block(side: dict[str, Any], known: set[str]) -> SimpleNamespace:
    def link(label: str, token: int) -> str:
        return next((f"#{each}" for each in (f"{label}.{token}", label) if each in known), "")

    number, decisions = SIDE_LETTERS.index(side["side"]), side["decisions"]
    links = {place: link(each["turn"], each["token"]) for place, each in enumerate(decisions) if each["mark"]}
    return SimpleNamespace(
        number=number,
        player=PLAYER_NAMES[number],
        start=percent(side["ledger"]["start"]),
        end=percent(side["ledger"]["end"]),
        spoken=spoken(side),
        charts=[chart(side, size, link, links) for size in WIDTHS],
        mistakes=[*_mistakes(decisions, links)],
    )


def _mistakes(decisions: list[dict[str, Any]], links: dict[int, str]) -> Iterator[SimpleNamespace]:
    """Yield the marked decisions that cost most, the largest first."""
    for place in sorted(links, key=lambda place: -decisions[place]["loss"])[:MOST]:
        each = decisions[place]
        yield SimpleNamespace(
            turn=each["turn"],
            href=links[place],
            mark=glyph(each["mark"]),
            points=points(each["loss"]),
            better=visible(each["best_words"]),
            why=visible(" and ".join(each["reasons"])),
        )
