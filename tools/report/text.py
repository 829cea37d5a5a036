"""The report for people: each diagnostic with the lines it is about, then one line of totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from ...notation.basics import encodable, file_name, visible, visible_lines
from ...notation.language import figure, phrase, plural, sense
from ...notation.records import ERROR, NOTE, RULED, WARNING, Diagnostic, Label
from ...replay.diagnostics.api import ILLEGAL, LEGAL, NOTHING, UNREADABLE
from .model import GameReport, Reporter
from .snippet import FRAME, PLAIN, PRIMARY, SECONDARY, StyledRow, gutter, in_source, places, snippet, where

if TYPE_CHECKING:
    from rich.console import Console

MAX_SHOWN = 20
"""The most notes of a kind, and equal faults in one line, that are shown."""
IN_FULL = 200
"""The most diagnostics of a kind that are shown with the lines they are about; later ones take one line each."""
WIDTH = 100
"""How many cells of a line are shown if the width of the terminal is unknown."""

STRONG = "strong"
_STYLES = {FRAME: "bold blue", SECONDARY: "bold blue", STRONG: "bold", PLAIN: ""}
_SEVERITY_STYLES = {ERROR: "bold red", WARNING: "bold yellow", NOTE: "bold cyan", RULED: "bold magenta"}
_VERDICT_STYLES = {LEGAL: "green", ILLEGAL: "bold red", UNREADABLE: "bold red"}


def render(
    diagnostic: Diagnostic, width: int = WIDTH, equal: Sequence[Diagnostic] = (), most: int | None = None
) -> Iterator[StyledRow]:
    """Yield one diagnostic as rows of styled texts, excerpts at most ``width`` cells wide.

    ``equal`` are others with the same code in the same line: their places are underlined as well, and each adds a row,
    or only the first ``most`` of them if that is given.
    """
    yield _head(diagnostic)
    margin = " " * gutter(diagnostic)
    yield [(f"{margin}--> ", FRAME), (_where(diagnostic), PLAIN)]
    rows = list(snippet(_with_places(diagnostic, equal[:most]), width))
    yield from rows
    notes = [*_notes(diagnostic), *(_further_row(other, diagnostic) for other in equal[:most])]
    if most is not None and len(equal) > most:
        left, count = len(equal) - most, figure(len(equal) - most, ",")
        more = plural("{count} more of these in this line", "{count} more of these in this line", left, count=count)
        notes.append((phrase("also"), f"{more}; {phrase('--verbose shows them')}"))
    if rows and notes:
        yield [(f"{margin} |", FRAME)]
    for title, text in notes:
        first, *more = visible_lines(text) or [""]
        yield [(f"{margin} = ", FRAME), (phrase("{title}:", title=title), STRONG), (f" {first}", PLAIN)]
        for line in more:
            yield [(" " * (len(margin) + len(title) + 5) + line, PLAIN)]


def plain(diagnostic: Diagnostic, width: int = WIDTH) -> str:
    """Return one diagnostic as plain text: lines without a line end after the last."""
    return "\n".join(_joined(row) for row in render(diagnostic, width))


def _joined(row: StyledRow) -> str:
    return "".join(text for text, _ in row).rstrip()


def _head(diagnostic: Diagnostic) -> StyledRow:
    """Return the row that says what is wrong: ``error[R204]: a sixth card``."""
    head = f"{phrase(diagnostic.severity)}[{visible(diagnostic.code)}]"
    return [(head, PRIMARY), (f": {visible(diagnostic.message)}", STRONG)]


def _where(diagnostic: Diagnostic) -> str:
    """Return ``games/final.tiro:23:10 (game 1, turn 7R)``, as far as it is known."""
    game = phrase("game {number}", number=diagnostic.game)
    if diagnostic.turn:
        game = phrase("game {number}, turn {turn}", number=diagnostic.game, turn=visible(diagnostic.turn))
    return f"{where(diagnostic.source, diagnostic.span)} ({game})"


def _with_places(diagnostic: Diagnostic, equal: Sequence[Diagnostic]) -> Diagnostic:
    """Return the diagnostic with the places of equal ones as labels, if those say something else."""
    said = diagnostic.underline_text
    labels = [Label(other.span, "" if other.underline_text == said else other.underline_text) for other in equal]
    return replace(diagnostic, labels=(*diagnostic.labels, *labels)) if labels else diagnostic


def _further_row(other: Diagnostic, first: Diagnostic) -> tuple[str, str]:
    """Return the row for a diagnostic with the same code and line as the ``first``: its word, and what differs."""
    word = other.source.text(other.span.line)[other.span.start : other.span.end]
    text = other.help if other.help != first.help else other.message if other.message != first.message else ""
    return phrase("also {word}", word=visible(word)).rstrip(), text or phrase("the same")


def _notes(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    """Yield title and text of the notes below the excerpt, including texts whose place can't be shown."""
    for source, span, text in places(diagnostic):
        if text and not in_source(source, span):
            yield phrase("note"), text
    cite, rule = diagnostic.cite, diagnostic.rule
    if cite or rule:
        yield phrase("rule"), f"{cite} [{rule}]" if cite and rule else cite or rule
    if diagnostic.help:
        yield phrase("help"), diagnostic.help
    if diagnostic.fixes:
        first, *others = diagnostic.fixes
        alike = first.equally_likely_count
        more = plural("{count} more as likely", "{count} more as likely", alike)
        yield phrase("probably"), first.description + (f" ({more})" if alike else "")
        yield from [(sense("another repair", "or"), fix.description) for fix in others]


class TextReporter(Reporter):
    """Writes the report for people. The words are the same with and without ``colour``.

    ``verbose`` adds a line for every game, even without problems. It shows all notes, and in full what an arbiter has
    ruled on, which otherwise gets one line, as does whatever has come up IN_FULL times. ``quiet`` leaves only errors
    and warnings.
    """

    def __init__(self, stream: TextIO, *, colour: bool = False, verbose: bool = False, quiet: bool = False) -> None:
        super().__init__(stream)
        self._verbose = verbose
        self._quiet = quiet
        self._console: Console | None = None
        if colour:
            from rich.console import Console

            # Whether to colour is already decided; the sixteen colours are those of the user's own theme.
            self._console = Console(file=stream, force_terminal=True, no_color=False, color_system="standard")
        self._width = WIDTH
        if stream.isatty():
            import shutil

            # Ten columns are kept for line numbers; a line that the terminal wraps is separated from its underline.
            self._width = min(WIDTH, max(30, shutil.get_terminal_size().columns - 10))
        self._listing = False
        """Whether the last row belongs to a list, so that what follows is set apart from it."""
        self._met: Counter[tuple[str, str]] = Counter()
        """How often each code has come up, by severity, in the order in which they first came up."""

    def game(self, report: GameReport) -> None:
        """Write the game's diagnostics; with ``verbose`` also a line for each game."""
        super().game(report)
        if self._verbose:
            self._write(_game_line(report), _VERDICT_STYLES.get(report.verdict, "yellow"))
            self._listing = True
        for first, *equal in _grouped(report.diagnostics):
            self._diagnostic(first, equal)
        if report.stopped is not None and not self._quiet:
            self._block([[(_stopped(report), PLAIN)]])

    def _diagnostic(self, diagnostic: Diagnostic, equal: Sequence[Diagnostic]) -> None:
        severity = diagnostic.severity
        if self._quiet and severity in (NOTE, RULED):
            return
        self._met[severity, diagnostic.code] += 1
        met = self._met[severity, diagnostic.code]
        if not self._verbose and severity == NOTE and met > MAX_SHOWN:
            return  # more would bury what matters
        style = _SEVERITY_STYLES.get(severity, "bold")
        if not self._verbose and (severity == RULED or met > IN_FULL):
            self._write([*_head(diagnostic), (" --> ", FRAME), (_where(diagnostic), PLAIN)], style)
            self._listing = True
            return
        self._block(render(diagnostic, self._width, equal, None if self._verbose else MAX_SHOWN), style)

    def _block(self, rows: Iterable[StyledRow], style: str = "") -> None:
        """Write rows set apart from what comes before and after."""
        for row in (*[[]] * self._listing, *rows, []):
            self._write(row, style)
        self._listing = False

    def end(self) -> None:
        """Write the totals, and where to learn more about the first error."""
        if self._quiet:
            return
        if self._listing:
            self._write([])
        for (severity, code), count in self._met.items():
            if not self._verbose and severity == NOTE and count > MAX_SHOWN:
                left = count - MAX_SHOWN
                more = plural("{count} more of these", "{count} more of these", left, count=figure(left, ","))
                said = f": {more}; {phrase('--verbose shows them')}"
                row = [(f"{phrase(NOTE)}[{visible(code)}]", PRIMARY), (said, STRONG)]
                self._write(row, _SEVERITY_STYLES[NOTE])
                self._write([])
        self._write([(self.tally.in_words(), STRONG)])
        for code in [code for severity, code in self._met if severity == ERROR][:1]:
            self._write([(phrase("`tiro explain {code}` says more.", code=visible(code)), PLAIN)])

    def _write(self, row: StyledRow, primary: str = "") -> None:
        """Write one row; ``primary`` is the style of what it is about."""
        if self._console is None:
            self.stream.write(encodable(_joined(row), self.stream) + "\n")
            return
        from rich.text import Text

        line = Text()
        for text, style in row:
            line.append(encodable(text, self.stream), primary if style == PRIMARY else _STYLES[style])
        line.rstrip()
        self._console.print(line, soft_wrap=True)


def _grouped(diagnostics: Iterable[Diagnostic]) -> Iterable[list[Diagnostic]]:
    """Return the diagnostics in order, errors and warnings with the same code in the same line together in one list.

    Those that also point to other places for an explanation stand alone.
    """
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for at, fault in enumerate(diagnostics):
        alone = fault.severity in (NOTE, RULED) or fault.labels or not in_source(fault.source, fault.span)
        key = (at,) if alone else (fault.severity, fault.code, fault.span.line, fault.turn)
        groups.setdefault(key, []).append(fault)
    return groups.values()


def _stopped(report: GameReport) -> str:
    game = f"{file_name(report.file)}, {phrase('game {number}', number=report.game)}"
    if not report.stopped:
        return f"{game}: {phrase('the cards could not be followed to the end, so the result was not checked')}"
    said = phrase("from {turn} on the cards could not be followed", turn=visible(report.stopped))
    return f"{game}: {said}; {phrase('only the words were checked there')}"


def _game_line(report: GameReport) -> StyledRow:
    """Return the row ``legal       games/final.tiro, game 1 (Alexandria Open)  Rome 17, Egypt 13: Rome wins``."""
    title = f" ({visible(report.title)})" if report.title else ""
    summary = f"  {visible(report.summary)}" if report.summary else ""
    game = f"{file_name(report.file)}, {phrase('game {number}', number=report.game)}"
    if report.verdict == NOTHING:
        game, title = file_name(report.file), ""
    return [(f"{phrase(report.verdict):<10}", PRIMARY), (f"  {game}{title}{summary}", PLAIN)]
