"""The report of a game that lies beside its record, as ``game.insight.json``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Final

from ...notation.cards import EGYPT, ROME, SIDE_LETTERS
from ...notation.reader import Game
from ...schemas import parsed
from ..export.data import json_lines
from ..report import program_version
from .analysis import Report, is_seen, rules_of
from .analysis_json import report_data, report_of

SUFFIX: Final = ".insight.json"


def place_of(file: str | Path) -> Path:
    """Return where the report of a file's first game lies, or would."""
    return Path(file).with_suffix(SUFFIX)


def read(text: bytes) -> dict[str, Any] | None:
    """Return a report as data of ``schemas/analysis.schema.json``; None where the text is not one."""
    return parsed("analysis", text)


def write(report: Report, stream: BinaryIO) -> None:
    """Write a report."""
    stream.write("".join(json_lines(report_data(report), "sides")).encode())


def as_kept(report: Report, game: Game, rules: str = "") -> Report:
    """Return a report with the digits that it has when it is read again."""
    again = report_of(report_data(report), game, rules)
    assert again is not None
    return again


def chosen(data: dict[str, Any], game: Game, side: int | None, level: str, seed: int, rules: str) -> Report | None:
    """Return what data that are kept say of a side, or of both; None where they were made in another way.

    Parameters and errors are those of :func:`tironian.replay.insight.analysis.analyse`.
    """
    name, net = rules_of(game, rules)
    about = {"rules": name, "net": net.name, "level": level, "seed": seed, "program": program_version()}
    sides = [each for each in data["sides"] if side in (None, SIDE_LETTERS.index(each["side"]))]
    wanted = sum(is_seen(game, one, rules) for one in (ROME, EGYPT) if side in (None, one))
    if not about.items() <= data["about"].items() or len(sides) != wanted:
        return None
    return report_of(data | {"sides": sides}, game, rules)
