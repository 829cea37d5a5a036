"""Which diagnostics a report shows, chosen by their codes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .model import GameReport
from .own_fault import OWN_FAULT

ALWAYS: Final = ("N101", "N108", OWN_FAULT)
"""Codes of what was not checked: left out, they would make it look as if it had been."""


@dataclass(frozen=True)
class Selection:
    """The codes that ``select`` names, or all where it is empty, without those that ``ignore`` names.

    Each name is a code or the beginning of some. Where both lists name a code, the longer name decides; of two that
    are equally long, the one in ``ignore``.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def shows(self, code: str) -> bool:
        """Return whether diagnostics with this code are shown."""
        return code in ALWAYS or _longest(self.select or ("",), code) > _longest(self.ignore, code)

    def of(self, report: GameReport) -> GameReport:
        """Return a report with only the diagnostics that are shown; its verdict stays."""
        shown = tuple(diagnostic for diagnostic in report.diagnostics if self.shows(diagnostic.code))
        return report if len(shown) == len(report.diagnostics) else replace(report, diagnostics=shown)


def _longest(names: tuple[str, ...], code: str) -> int:
    return max((len(name) for name in names if code.startswith(name)), default=-1)
