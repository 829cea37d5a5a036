"""The report of a game that lies beside its record, as ``game.insight.json``."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...notation.build import install
from ..processes import cores
from ..storage.files import replacing
from ..storage.stores import is_address
from .common import STDIN, Meter, Trouble, name_of, read_input, say, telling

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..insight.analysis import Report


def _place(file: str) -> Path | None:
    """Return where the report of a file's first game lies, or would; None for what has no folder here."""
    from ..insight.analysis_json import place_of

    return None if file == STDIN or is_address(file) else place_of(file)


def kept_data(file: str, game: Game) -> dict[str, Any] | None:
    """Return the report that lies beside a file, as data of ``schemas/analysis.schema.json``; None where there is none.

    Say on standard error where it is not one, or that of another game.
    """
    path = _place(file)
    if path is None or not path.is_file():
        return None
    from ..insight.analysis import number_of
    from ..insight.analysis_json import read

    data = read(read_input(str(path)))
    if data is not None and data["about"]["record"] == number_of(game):
        return data
    say(f"{path}: {'this is no report of tiro analyse' if data is None else 'this judges another game'}; left out")
    return None


def judged(
    file: str, game: Game, side: int | None, level: str, seed: int, seconds: float = 0.0, rules: str = ""
) -> Report:
    """Return the report of a game of a file: the one that lies beside it, where it was made in the same way, or a new
    one.

    Parameters and errors are those of :func:`tironian.replay.insight.analysis.analyse`; progress is shown.
    """
    from ..insight.analysis import analyse
    from ..insight.analysis_json import as_kept, chosen

    need("numpy")
    data = kept_data(file, game)
    kept = None if data is None else chosen(data, game, side, level, seed, rules)
    if kept is not None:
        return kept
    with Meter("decisions looked at") as shown:
        found = analyse(game, side, level, seed, seconds, rules, cores(), watch=lambda looks: shown.show(looks, looks))
    return as_kept(found)


def keep(file: str, report: Report, force: bool) -> None:
    """Write a report beside a file.

    Raise Trouble where that can't be, and without ``force`` also where something else lies there.
    """
    from ..insight.analysis_json import read, write

    path = _place(file)
    if path is None:
        raise Trouble(f"{name_of(file)}: there is no folder to keep a report in; use --format json -o FILE")
    if path.exists() and not force and read(read_input(str(path))) is None:
        raise Trouble(f"{path}: this is no report of tiro analyse; --force overwrites it")
    with telling(path), replacing(path) as stream:
        write(report, stream)


def need(package: str) -> None:
    """Raise Trouble where a package is missing that not everybody needs."""
    if find_spec(package) is None:
        raise Trouble(f"this needs {package}: {install('[insight]')}")
