"""Reports of a check, with one file for each renderer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Literal, TextIO, TypeAlias

from ...notation.records import ERROR, Severity

if TYPE_CHECKING:
    from .model import Reporter

Format: TypeAlias = Literal["text", "json", "sarif", "junit", "github"]
FORMATS: Final[tuple[Format, ...]] = ("text", "json", "sarif", "junit", "github")


def wants_colour(stream: TextIO) -> bool:
    """Return whether a stream should get colours: if it is a terminal, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def reporter(
    format: str,
    stream: TextIO,
    *,
    colour: bool | None = None,
    verbose: bool = False,
    quiet: bool = False,
    failing: tuple[Severity, ...] = (ERROR,),
) -> Reporter:
    """Return a reporter that writes one of FORMATS to a stream. Raise ValueError for any other format.

    If ``colour`` is None, the terminal and NO_COLOR decide. ``verbose`` and ``quiet`` say how much is shown;
    ``failing`` are the severities that make a game fail in JUnit.
    """
    # Each renderer is imported on request: nobody has to wait for the other four.
    match format:
        case "text":
            from .text import TextReporter

            colour = wants_colour(stream) if colour is None else colour
            return TextReporter(stream, colour=colour, verbose=verbose, quiet=quiet)
        case "json":
            from .json_report import JsonReporter

            return JsonReporter(stream)
        case "sarif":
            from .sarif import SarifReporter

            return SarifReporter(stream)
        case "junit":
            from .ci import JunitReporter

            return JunitReporter(stream, failing)
        case "github":
            from .ci import GithubReporter

            return GithubReporter(stream)
        case _:
            raise ValueError(f"there is no report format {format!r}; use one of {', '.join(FORMATS)}")
