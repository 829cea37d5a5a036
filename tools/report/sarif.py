"""The report as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from json import dumps
from textwrap import shorten
from typing import Any, Final, TextIO

# The package is the folder docs/codes, where type checkers do not look for it.
from ...codes import page  # type: ignore[reportMissingImports]
from ...notation.basics import home_page, program_version, uri, visible
from ...notation.language import phrase
from ...notation.records import RULED, Diagnostic, Source, Span
from ...replay.diagnostics.api import CODES, Code
from .model import GameReport, Reporter, location_of

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifReporter(Reporter):
    """Writes one SARIF run, with the title and the page of every code."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._index = {code: index for index, code in enumerate(CODES)}
        self._file, self._alike = "", Counter[str]()

    def begin(self) -> None:
        """Write the tool with all its rules."""
        driver: dict[str, Any] = {"name": "tiro"}
        if version := program_version():
            driver["version"] = version
        if address := home_page():
            driver["informationUri"] = address
        driver["rules"] = [_rule(code) for code in CODES.values()]
        self.stream.write(f'{{"$schema": {dumps(SCHEMA)},\n"version": "2.1.0",\n"runs": [{{\n')
        self.stream.write(f'"tool": {{"driver": {dumps(driver)}}},\n"columnKind": "unicodeCodePoints",\n')
        self.stream.write('"results": [')

    def game(self, report: GameReport) -> None:
        """Write a result for each of the game's diagnostics."""
        super().game(report)
        for diagnostic in report.diagnostics:
            self.entry(self._result(diagnostic, report.moves))

    def end(self) -> None:
        """Write the totals into the run's properties."""
        self.stream.write(f'\n],\n"properties": {dumps(self.tally.totals())}}}]}}\n')

    def _result(self, diagnostic: Diagnostic, moves: int) -> dict[str, Any]:
        code, source = diagnostic.code, diagnostic.source
        known = {name: getattr(diagnostic, name) for name in ("turn", "rule", "cite", "help")}
        more = {name: visible(text) for name, text in known.items() if text}
        turn = f", turn {visible(diagnostic.turn)}" if diagnostic.turn else ""
        ruled = {"justification": phrase("The arbiter ruled on it; the ruling is in the record.")}
        suppressed = [{"kind": "external", "status": "accepted", **ruled}]
        logical = [{"fullyQualifiedName": f"game {diagnostic.game}{turn}"}]
        return {
            "ruleId": visible(code),
            **({"ruleIndex": self._index[code]} if code in self._index else {}),
            "level": "note" if diagnostic.severity == RULED else diagnostic.severity,
            "message": {"text": visible(diagnostic.message)},
            "locations": [
                {**_location(source, diagnostic.span, diagnostic.underline_text), "logicalLocations": logical}
            ],
            "partialFingerprints": {"primaryLocationLineHash": self._fingerprint(diagnostic, moves)},
            "relatedLocations": [
                {"id": index, **_location(label.source or source, label.span, label.text)}
                for index, label in enumerate(diagnostic.labels, 1)
            ],
            # SARIF wants suppressions on all results of a run or on none; an empty list means not suppressed.
            "suppressions": suppressed if diagnostic.severity == RULED else [],
            **({"fixes": fixes} if (fixes := [*_fixes(diagnostic)]) else {}),
            "properties": {"game": diagnostic.game, **more},
        }

    def _fingerprint(self, diagnostic: Diagnostic, moves: int) -> str:
        """Return what stays the same while other lines come and go: the line's hash, and which of equal ones it is.

        Without a line it is the hash of the file's name with the game's moves, or with the message if there are none.
        """
        if diagnostic.source.name != self._file:
            self._file, self._alike = diagnostic.source.name, Counter()
        line = diagnostic.source.text(diagnostic.span.line).strip()
        line = line or f"{diagnostic.source.name} {moves or diagnostic.message}"
        digest = sha256(line.encode(errors="backslashreplace")).hexdigest()[:16]
        self._alike[diagnostic.code + digest] += 1
        return f"{digest}:{self._alike[diagnostic.code + digest]}"


def _rule(code: Code) -> dict[str, Any]:
    """Describe a code. Its page has no address of its own, so the whole text is given instead of a ``helpUri``."""
    text = page(code.code)
    meaning = " ".join(text.partition("## What it means")[2].partition("\n## ")[0].split())
    return {
        "id": code.code,
        "shortDescription": {"text": phrase(code.title)},
        "fullDescription": {"text": shorten(meaning, 1000, placeholder=" …")},
        "help": {"text": phrase("`tiro explain {code}` says more.", code=code.code), "markdown": text},
    }


def _location(source: Source, span: Span, text: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(source.name)}}
    line, column, end = location_of(source, span) or (1, 1, 1)  # hosts do not accept a location without a region
    physical["region"] = _region(line, column, line, end)
    location: dict[str, Any] = {"physicalLocation": physical}
    return {**location, "message": {"text": visible(text)}} if text else location


def _region(line: int, column: int, end_line: int, end_column: int) -> dict[str, int]:
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fixes(diagnostic: Diagnostic) -> Iterator[dict[str, Any]]:
    """Yield the fixes that an editor can carry out: whole lines that replace others."""
    source = diagnostic.source
    for fix in diagnostic.fixes:
        if fix.replacements:
            changed = [
                {
                    "deletedRegion": _region(source.first + begin, 1, source.first + end, 1),
                    "insertedContent": {"text": text},
                }
                for begin, end, text in fix.replacements
            ]
            artifact = {"artifactLocation": {"uri": uri(source.name)}, "replacements": changed}
            yield {"description": {"text": visible(fix.description)}, "artifactChanges": [artifact]}
