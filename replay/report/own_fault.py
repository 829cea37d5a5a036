"""Faults of the program itself, told as diagnostics of the game on which they came to light (T001)."""

from __future__ import annotations

import re
from pathlib import PurePath
from traceback import extract_tb
from typing import Final

from ...notation.diagnostic import Diagnostic
from ...notation.reader import Game
from ...notation.safe_text import visible
from ...notation.source import Source, Span
from ..diagnostics.registry import CODES, fill
from .model import UNCHECKED, GameReport

OWN_FAULT: Final = "T001"
TRACEBACK: Final = "TIRONIAN_TRACEBACK"
"""The variable with which a command that such a fault ends shows the traceback."""
REPORT_IT: Final = f"please report it (`tiro explain {OWN_FAULT}` says how); {TRACEBACK}=1 shows the traceback"
_PLACE: Final = re.compile(r'File "(.+)", line (\d+)')
_LONGEST: Final = 200
"""Characters of an exception's message that are told."""


def own_fault(error: Exception, source: Source, game: int = 1) -> Diagnostic:
    """Return the diagnostic of a game on which the program failed. Raise the error where it only lacked memory."""
    if isinstance(error, MemoryError):
        raise error
    code = CODES[OWN_FAULT]
    place = Source(source.name, source.lines or [""], source.first)
    message = fill(code.message, {"error": told(error)})
    return Diagnostic(OWN_FAULT, message, place, Span(0, 0, len(place.text(0))), help=code.help, game=game)


def told(error: BaseException) -> str:
    """Return an exception in words, with the file and line of the program where it arose."""
    notes = "".join(getattr(error, "__notes__", ()))  # where it arose in another process
    frames = _PLACE.findall(notes) or [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    place = f"{'/'.join(PurePath(frames[-1][0]).parts[-2:])}:{frames[-1][1]}"
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return visible(f"{' '.join(what.split())[:_LONGEST]} ({place})")


def failed_report(error: Exception, game: Game) -> GameReport:
    """Return the report of a game on which the program failed: it is unchecked, and its diagnostic says why."""
    source, header = game.source, game.record.header
    title = f"{header('Caesar', '?')} – {header('Cleopatra', '?')}"
    report = GameReport(source.name, game.number, title, header("Rules", "?"), 0, 0, UNCHECKED, "", line=source.first)
    report.diagnostics = (own_fault(error, source, game.number),)
    report.text, report.headers = "".join(source.lines), game.record.headers
    return report
