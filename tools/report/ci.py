"""Reports for continuous integration: workflow commands, which GitHub Actions shows beside the lines of a pull request,
and JUnit XML, in which a file is a test suite and a game a test case.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from html import escape
from tempfile import SpooledTemporaryFile
from typing import IO, Final, TextIO

from ...notation.basics import encodable, file_name, visible, visible_lines
from ...notation.language import phrase, plural
from ...notation.records import ERROR, RULED, WARNING, Diagnostic, Severity
from ...replay.diagnostics.api import UNCHECKED
from .model import GameReport, Reporter, location_of
from .text import plain

_COMMANDS = {ERROR: "error", WARNING: "warning"}


def escape_data(text: str) -> str:
    """Return a command's message with the line ends and percent signs escaped, as GitHub requires."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as a workflow command without a line end; notes and ruled errors become notices."""
    properties = {"file": file_name(diagnostic.source.name)}
    if location := location_of(diagnostic.source, diagnostic.span):
        properties |= {"line": str(location.line), "col": str(location.column), "endColumn": str(location.end_column)}
    properties["title"] = visible(diagnostic.code)
    name = _COMMANDS.get(diagnostic.severity, "notice")
    escaped = {key: escape_data(value).replace(":", "%3A").replace(",", "%2C") for key, value in properties.items()}
    fields = ",".join(map("=".join, escaped.items()))
    return f"::{name} {fields}::{escape_data(chr(10).join(_message(diagnostic)))}"


def _message(diagnostic: Diagnostic) -> Iterator[str]:
    ruled = f"{phrase('ruled')}: " if diagnostic.severity == RULED else ""
    yield ruled + visible(diagnostic.message)
    if diagnostic.cite or diagnostic.rule:
        yield f"{phrase('rule')}: {visible(diagnostic.cite or diagnostic.rule)}"
    if diagnostic.help:
        yield f"{phrase('help')}: " + "\n".join(visible_lines(diagnostic.help))


class GithubReporter(Reporter):
    """Writes a command for each diagnostic, and no totals."""

    def game(self, report: GameReport) -> None:
        """Write the game's diagnostics."""
        super().game(report)
        for diagnostic in report.diagnostics:
            self.stream.write(encodable(command(diagnostic), self.stream) + "\n")


# Everything that XML 1.0 does not allow; most of it has already been escaped when text was made visible.
_ILLEGAL: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_MEMORY: Final = 1 << 20

BLANK_LINE: Final = "\n\n"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
PASSED: Final = "passed"


def xml(text: str) -> str:
    """Return a text for an XML element or attribute, in ASCII, with illegal characters as visible escapes."""
    legal = _ILLEGAL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
    return escape(legal).encode("ascii", "xmlcharrefreplace").decode("ascii")


class JunitReporter(Reporter):
    """Writes JUnit XML. A suite's counts come before its cases, so the cases of one file wait in a spool.

    A game fails if it has diagnostics of the severities in ``failing``.
    """

    def __init__(self, stream: TextIO, failing: tuple[Severity, ...] = (ERROR,)) -> None:
        super().__init__(stream)
        self._failing = failing
        self._outcomes: Counter[str] = Counter()
        self._file = ""
        self._spool: IO[str] | None = None

    def begin(self) -> None:
        """Write the opening of the document."""
        self.stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tiro check">\n')

    def game(self, report: GameReport) -> None:
        """Keep one game as a test case; when a new file begins, write the suite of the one before."""
        super().game(report)
        if self._spool is None or report.file != self._file:
            self._close()
            self._file = report.file
            # Open until the file's last game.
            self._spool = SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="ascii", newline="\n")  # noqa: SIM115
        self._outcomes[_outcome(report, self._failing)] += 1
        self._spool.write(_case(report, self._failing))

    def end(self) -> None:
        """Write the last suite and the end of the document."""
        self._close()
        self.stream.write("</testsuites>\n")

    def _close(self) -> None:
        """Write the current file's suite: its counts, then its cases from the spool."""
        if self._spool is None:
            return
        name, counts = xml(file_name(self._file)), self._outcomes
        self.stream.write(
            f'<testsuite name="{name}" tests="{counts.total()}" failures="{counts[FAILED]}"'
            f' errors="0" skipped="{counts[SKIPPED]}">\n'
        )
        self._spool.seek(0)
        shutil.copyfileobj(self._spool, self.stream)
        self._spool.close()
        self.stream.write("</testsuite>\n")
        self._outcomes, self._spool = Counter(), None


def _outcome(report: GameReport, failing: tuple[Severity, ...]) -> str:
    """Return how a game counts: FAILED by its diagnostics, SKIPPED if it was not checked, otherwise PASSED."""
    if report.of(*failing):
        return FAILED
    return SKIPPED if report.verdict == UNCHECKED else PASSED


def _case(report: GameReport, failing: tuple[Severity, ...]) -> str:
    """Return a game as a test case; diagnostics that make it fail are its failure, all others its output."""
    title = phrase("game {number}", number=report.game) + (f": {report.title}" if report.title else "")
    lines = [f'<testcase name="{xml(visible(title))}" classname="{xml(file_name(report.file))}" time="0">\n']
    if failures := report.of(*failing):
        said, more = visible(failures[0].message), len(failures) - 1
        if more:
            said = plural("{message} (and {count} more)", "{message} (and {count} more)", more, message=said)
        message = xml(said)
        body = xml(BLANK_LINE.join(map(plain, failures)))
        lines.append(f'<failure type="{xml(visible(failures[0].code))}" message="{message}">{body}</failure>\n')
    elif _outcome(report, failing) == SKIPPED:
        lines.append(f'<skipped message="{xml(visible(report.summary or phrase(UNCHECKED)))}"/>\n')
    if others := [diagnostic for diagnostic in report.diagnostics if diagnostic.severity not in failing]:
        lines.append(f"<system-out>{xml(BLANK_LINE.join(map(plain, others)))}</system-out>\n")
    lines.append("</testcase>\n")
    return "".join(lines)
