"""Reports of a check, with one file for each renderer."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal, TextIO, TypeAlias

from ...notation.diagnostic import ERROR, Severity

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


def program_version() -> str:
    """Return the version of the installed program; an empty string if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    with suppress(PackageNotFoundError):  # run from a checkout that is not installed
        return version("tironian")
    return ""


def home_page() -> str:
    """Return the address of the project's page, as its package names it; an empty string if it has none."""
    from importlib.metadata import PackageNotFoundError, metadata

    with suppress(PackageNotFoundError):
        addresses = metadata("tironian").get_all("Project-URL") or []
        return dict(address.split(", ", 1) for address in addresses).get("Homepage", "")
    return ""
