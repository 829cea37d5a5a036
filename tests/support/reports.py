"""A record with diagnostics to report, and a report as text: what the tests of the reports share."""

from __future__ import annotations

import io
from collections.abc import Iterable

from tironian import Diagnostic, Label, Source, Span
from tironian.tools.report import reporter
from tironian.tools.report.model import GameReport, Reporter
from tironian.tools.report.text import plain

RECORD = [
    '[Rules "2024"]\n', "\n", "1E (3)A 5Q +3x\n", "1R (p)A 4P =A3p:53>R +4s !\n", "   ; the philosopher turns it\n",
    "7R (3)A 5A =A433:52>R +34\n",
]  # fmt: skip
SOURCE = Source("games/final.tiro", RECORD, 18)


def span(line: int, text: str) -> Span:
    start = RECORD[line].index(text)
    return Span(line, start, start + len(text))


SIXTH = span(5, "(3)A")


def diagnostic(where: Span = SIXTH, *labels: Label, **more) -> Diagnostic:
    fields = {
        "code": "R204", "message": "a sixth card", "source": SOURCE, "underline_text": "the sixth card", "turn": "7R",
    }  # fmt: skip
    return Diagnostic(**{**fields, "span": where, "labels": labels, **more})


def game(*diagnostics: Diagnostic, **more) -> GameReport:
    fields = {"file": "games/final.tiro", "game": 1, "title": "Final", "edition": "2024", "events": 204}
    fields |= {"turns": 38, "verdict": "illegal" if diagnostics else "legal", "summary": "Rome 17, Egypt 13"}
    return GameReport(**{**fields, "diagnostics": diagnostics, **more})


def write(format: str, *games: GameReport, **options) -> str:
    stream = io.StringIO()
    write_all(reporter(format, stream, **options), games)
    return stream.getvalue()


def write_all(to: Reporter, games: Iterable[GameReport]) -> None:
    """Write a whole report."""
    to.begin()
    for each in games:
        to.game(each)
    to.end()


def shows(found: Diagnostic, expected: str) -> None:
    """The text form is exactly this."""
    assert plain(found) == expected.strip("\n")


def on(line: str, *marks: tuple[int, int, str], width: int = 100) -> list[str]:
    """The excerpt of one line: its row and those below it, without the gutter."""
    first, *labels = [(Span(0, start, end), text) for start, end, text in marks]
    found = Diagnostic(
        "X", "m", Source("f", [line]), first[0], underline_text=first[1], labels=tuple(Label(*each) for each in labels)
    )
    return [row[4:] for row in plain(found, width).split("\n")[3:]]
