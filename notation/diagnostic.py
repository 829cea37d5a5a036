"""A diagnostic: one thing to report about a record. It is a value, never an exception."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from .classes import dataclass
from .source import Source, Span

Severity: TypeAlias = Literal["error", "warning", "note", "ruled"]
ERROR: Final = "error"
WARNING: Final = "warning"
NOTE: Final = "note"
RULED: Final = "ruled"
"""An error about which the arbiter has ruled: it is listed but does not count."""
SEVERITIES: Final[tuple[Severity, ...]] = (ERROR, WARNING, NOTE, RULED)


@dataclass(frozen=True, slots=True)
class Label:
    """Another place that a diagnostic points to: ``span``, and the ``text`` to show there.

    ``source`` is the text that holds the place; None stands for the source of the diagnostic.

    >>> tironian.Label(tironian.Span(0, 3, 5), "the first card").text
    'the first card'
    """

    span: Span
    text: str
    source: Source | None = None


class Replacement(NamedTuple):
    """Lines of a source, from ``begin`` to ``end`` (from 0, exclusive), and the text that replaces them."""

    begin: int
    end: int
    text: str


class Fix(NamedTuple):
    """A change that would correct a record: in words, how many other fixes are equally likely, and the lines that it
    replaces.
    """

    description: str
    equally_likely_count: int = 0
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Diagnostic:
    """What is wrong (``message``), where (``span`` in ``source``), by which rule (``cite``), what to do (``help``).

    ``code`` is stable and has its own page. ``game`` counts games in a file from 1, ``turn`` is the turn's label or
    empty. ``severity`` is ``error``, ``warning``, ``note`` or ``ruled`` (an error about which the arbiter has ruled,
    which does not count). ``underline_text`` is the short text under the underlined place; ``rule`` names the rule
    points; ``fixes`` are repairs of the whole record, the likeliest first, if they were asked for.

    >>> source = tironian.Source("game.tiro", first=8)
    >>> print(tironian.Diagnostic("R204", "a sixth card", source, tironian.Span(2, 4, 6)))
    game.tiro:10:5 error[R204] a sixth card
    """

    code: str
    message: str
    source: Source
    span: Span
    severity: Severity = ERROR
    underline_text: str = ""
    labels: tuple[Label, ...] = ()
    rule: str = ""
    cite: str = ""
    help: str = ""
    game: int = 1
    turn: str = ""
    fixes: tuple[Fix, ...] = ()

    @property
    def line(self) -> int:
        """Return the line in the file, counted from 1."""
        return self.source.first + self.span.line

    @property
    def column(self) -> int:
        """Return the column of the first character, counted from 1."""
        return self.span.start + 1

    def __str__(self) -> str:
        from .safe_text import visible  # late: reading and checking don't show text

        place = f"{self.source.name}:{self.line}:{self.column}"
        return visible(f"{place} {self.severity}[{self.code}] {self.message}")

    def __repr__(self) -> str:
        return f"<Diagnostic {self}>"
