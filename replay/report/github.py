"""The report as workflow commands, which GitHub Actions shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ...notation.diagnostic import ERROR, RULED, WARNING, Diagnostic
from ...notation.safe_text import encodable, visible, visible_lines
from .model import GameReport, Reporter, location_of

_COMMANDS = {ERROR: "error", WARNING: "warning"}


def escape_data(text: str) -> str:
    """Return a command's message with the line ends and percent signs escaped, as GitHub requires."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as a workflow command, without a line end; notes and ruled errors become notices."""
    properties = {"file": visible(diagnostic.source.name)}
    if location := location_of(diagnostic.source, diagnostic.span):
        properties |= {"line": str(location.line), "col": str(location.column), "endColumn": str(location.end_column)}
    properties["title"] = visible(diagnostic.code)
    name = _COMMANDS.get(diagnostic.severity, "notice")
    escaped = {key: escape_data(value).replace(":", "%3A").replace(",", "%2C") for key, value in properties.items()}
    fields = ",".join(map("=".join, escaped.items()))
    return f"::{name} {fields}::{escape_data(chr(10).join(_message(diagnostic)))}"


def _message(diagnostic: Diagnostic) -> Iterator[str]:
    ruled = "ruled: " if diagnostic.severity == RULED else ""
    yield ruled + visible(diagnostic.message)
    if diagnostic.cite or diagnostic.rule:
        yield f"rule: {visible(diagnostic.cite or diagnostic.rule)}"
    if diagnostic.help:
        yield "help: " + "\n".join(visible_lines(diagnostic.help))


class GithubReporter(Reporter):
    """Writes a command for each diagnostic, and no totals."""

    def game(self, report: GameReport) -> None:
        """Write the game's diagnostics."""
        super().game(report)
        for diagnostic in report.diagnostics:
            self.stream.write(encodable(command(diagnostic), self.stream) + "\n")
