"""The report of a game that lies beside its record, as ``game.insight.json``."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...notation.cards import EGYPT, ROME, SIDE_LETTERS
from ..archive.workers import cores
from ..report import program_version
from ..storage.files import replacing
from ..storage.stores import is_address
from .common import STDIN, Trouble, name_of, read_input, say, telling
from .progress_line import Meter

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..insight.analysis import Report

SUFFIX: Final = ".insight.json"


def place_of(file: str) -> Path | None:
    """Return where the report of a file's first game lies, or would; None for what has no folder here."""
    return None if file == STDIN or is_address(file) else Path(file).with_suffix(SUFFIX)


def kept_data(file: str, game: Game) -> dict[str, Any] | None:
    """Return the report that lies beside a file, as data of ``schemas/analysis.schema.json``; None where there is none.

    Say on standard error where it is not one, or that of another game.
    """
    path = place_of(file)
    if path is None or not path.is_file():
        return None
    from ..insight.analysis import number_of

    data = _valid(read_input(str(path)))
    if data is not None and data["about"]["record"] == number_of(game):
        return data
    say(f"{path}: {'this is no report of tiro analyse' if data is None else 'this judges another game'}; left out")
    return None


def _valid(text: bytes) -> dict[str, Any] | None:
    """Return a report as data; None where the text is not one."""
    from jsonschema import Draft202012Validator

    from ...schemas import load_schema

    with suppress(ValueError, RecursionError):
        data = json.loads(text, parse_constant=lambda _: None)
        if Draft202012Validator(load_schema("analysis")).is_valid(data):
            return data
    return None


def judged(
    file: str, game: Game, side: int | None, level: str, seed: int, seconds: float = 0.0, rules: str = ""
) -> Report:
    """Return the report of a game of a file: the one that lies beside it, where it was made in the same way, or a new
    one.

    Parameters and errors are those of :func:`tironian.replay.insight.analysis.analyse`; progress is shown.
    """
    from ..export.analysis_json import report_data, report_of
    from ..insight.analysis import analyse, is_seen, rules_of

    need_numpy()
    data = kept_data(file, game)
    if data is not None:
        name, net = rules_of(game, rules)
        about = {"rules": name, "net": net.name, "level": level, "seed": seed, "program": program_version()}
        sides = [each for each in data["sides"] if side in (None, SIDE_LETTERS.index(each["side"]))]
        wanted = sum(is_seen(game, one, rules) for one in (ROME, EGYPT) if side in (None, one))
        if about.items() <= data["about"].items() and len(sides) == wanted:
            kept = report_of(data | {"sides": sides}, game, rules)
            if kept is not None:
                return kept
    with Meter("decisions looked at") as shown:
        found = analyse(game, side, level, seed, seconds, rules, cores(), watch=lambda looks: shown.show(looks, looks))
    again = report_of(report_data(found), game, rules)  # so that both ways end in the same digits
    assert again is not None
    return again


def keep(file: str, report: Report, force: bool) -> None:
    """Write a report beside a file.

    Raise Trouble where that can't be, and without ``force`` also where something else lies there.
    """
    from ..export.analysis_json import report_data
    from ..export.data import json_lines

    path = place_of(file)
    if path is None:
        raise Trouble(f"{name_of(file)}: there is no folder to keep a report in; use --format json -o FILE")
    if path.exists() and not force and _valid(read_input(str(path))) is None:
        raise Trouble(f"{path}: this is no report of tiro analyse; --force overwrites it")
    with telling(path), replacing(path) as stream:
        stream.write("".join(json_lines(report_data(report), "sides")).encode())


def need_numpy() -> None:
    """Raise Trouble where numpy is missing."""
    if find_spec("numpy") is None:
        raise Trouble("this needs numpy: pip install 'tironian[insight]'")
