"""A diagnostic: one thing that is to be told about a record. A value, never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .source import Source, Span

ERROR: Final = "error"
WARNING: Final = "warning"
NOTE: Final = "note"
RULED: Final = "ruled"
"""An error about which the arbiter has ruled: it is listed, and does not count."""


@dataclass(frozen=True, slots=True)
class Label:
    """A further place that matters, with what is to be said about it.

    ``source`` is where it lies; None: where the diagnostic lies.
    """

    span: Span
    text: str
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What is wrong (``message``), where (``span`` in ``source``), by which rule (``cite``), what to do (``help``).

    ``code`` is stable and has a page of its own. ``game`` counts games in a file from 1, ``turn`` is the turn's label
    or empty. ``severity`` is ERROR, WARNING, NOTE or RULED. ``here`` is the short text under the underlined place.
    """

    code: str
    message: str
    source: Source
    span: Span
    severity: str = ERROR
    here: str = ""
    labels: tuple[Label, ...] = ()
    rule: str = ""
    cite: str = ""
    help: str = ""
    game: int = 1
    turn: str = ""
