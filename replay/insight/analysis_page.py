"""The page of a judged game: one HTML file with nothing to be fetched, that can be read without its script."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final
from urllib.parse import quote

from ...notation.cards import PLAYER_NAMES
from ...notation.record import Record
from ..analysis.expectation import percent
from ..diagnostics.glyphs import glyph
from ..diagnostics.names import counted
from ..editions.edition import load_edition
from ..export.synopsis import occasion_of, player, title
from ..export.templating import plain, sealed, template
from .analysis import Report, SideReport
from .analysis_chart import BAR_WORDS, WIDTHS, ChartLink, chart, spoken, turn_sums
from .analysis_json import side_data
from .analysis_text import CAUSES, DECEPTION, contrast_words, ending, luck_words, points, signed, summary
from .highlights import chance_before, judged_sides, luck, mistakes
from .judgement import Judged

MEASURED: Final = ("by the net alone, which errs by some points", "to the end of the turn", "for two turns")
"""Level of a decision → how it was measured."""


def analysis_page(report: Report, page: str = "") -> str:
    """Return the page of a report in HTML; its turns link to the step page of the game, a file called ``page``."""
    rules, page = load_edition(report.rules).title, quote(page)
    log = next((log for log in report.log if log is not None), Record())
    return template("analysis.html.j2").render(
        title=title(log),
        occasion=occasion_of(log, rules),
        ending=ending(report),
        sides=[_side(side, own, page) for side, own in judged_sides(report)],
        report=report,
        rules=rules,
        percent=percent,
        bar_words=BAR_WORDS,
        signed=signed,
        **sealed(("page.css", "analysis_chart.css", "analysis.css"), ("analysis.js",)),
    )


def _side(report: SideReport, log: Record, page: str) -> SimpleNamespace:
    """Return what the template needs of a side."""
    link, data = _links(log, page), side_data(report, log)
    shown = [each for each in report.decisions if not each.is_forced]
    ids = {id(each): f"{data['side']}{number}" for number, each in enumerate(shown, 1)}
    marks = {number: f"#{ids[id(each)]}" for number, each in enumerate(shown) if each.mark}
    most = max([abs(part) for part in report.ledger.parts], default=0.0)
    return SimpleNamespace(
        number=report.side,
        player=PLAYER_NAMES[report.side],
        name=plain(player(log, report.side)),
        said=[f"{sentence[:1].upper()}{sentence[1:]}." for sentence in summary(report, log)],
        ledger=report.ledger,
        causes=[
            (name, part, round(100 * part / (most or 1), 1))
            for name, part in zip(CAUSES.values(), report.ledger.parts, strict=True)
        ],
        charts=[chart(data, size, link, marks) for size in WIDTHS],
        spoken=spoken(data),
        turns=[(turn, link(turn.label, 0)) for turn in turn_sums(data)],
        decisions=[_decision(each, log, ids[id(each)], link, chance_before(report.curve, each)) for each in shown],
        mistakes=[_decision(each, log, ids[id(each)], link, 0.0) for each in mistakes(report.decisions)],
        luck=[
            (
                label := log.turns[each.turn].label,
                link(label, each.at + 1),
                luck_words(each, log),
                each.change,
                contrast_words(each),
            )
            for each in luck(report.curve)
        ],
    )


def _links(log: Record, page: str) -> ChartLink:
    """Return what makes addresses in the step page, of which there are none without its name."""
    counts = {turn.label: len(turn.tokens) for turn in log.turns}

    def link(label: str, token: int) -> str:
        if not page:
            return ""
        return f"{page}#{label}.{token}" if 0 < token <= counts[label] else f"{page}#{label}"

    return link


def _decision(judged: Judged, log: Record, name: str, link: ChartLink, chance: float) -> SimpleNamespace:
    """Return a decision for the template; ``chance`` is W before it."""
    label = log.turns[judged.turn].label
    measured = MEASURED[judged.level]
    if judged.level:
        measured = f"played on {measured} in {judged.worlds} worlds"
    return SimpleNamespace(
        id=name,
        turn=label,
        href=link(label, judged.at + 1),
        judged=judged,
        chance=chance,
        mark=glyph(judged.mark) if judged.mark else None,
        cost=f"{max(0.0, 100 * judged.loss):.1f}",
        points=points(judged.loss),
        error=f"{196 * judged.error:.0f}",
        why="; ".join((*judged.reasons, *[DECEPTION] * judged.hiding)),
        best=judged.played == judged.best or judged.loss <= 0,
        measured=f"{measured}; one of {counted(judged.options, 'legal move')}",
        unsettled=bool(judged.mark and not judged.settled),
    )
