"""An archive as Parquet: four folders of parts, each part written by whoever read the games in it.

    DIR/games/part-000000.parquet, …, DIR/turns/…, DIR/events/…, DIR/votes/…
    DIR/export.json, which says whether all is written

A part is written in one step, under a name that depends on its place in the archive alone; so work that is done twice,
since a machine was lost, leaves what work done once leaves.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ..files import replacing
from . import Unable
from .judging import Judge, Judged, Load, unread
from .lending import Part
from .sources import is_address
from .tables import TABLES, Rows, schema
from .unpacking import reason

GROUP: Final = 1000
"""Games of a row group."""
LAYOUT: Final = 2
"""Counts up when the tables change in a way that old queries notice."""
FORMAT: Final = "tironian-export"
_PART: Final = re.compile(r"(^|/)part-[0-9-]+\.parquet$")
MANIFEST: Final = "export.json"


@dataclass(frozen=True)
class Export:
    """Judges pieces and writes their rows; what :class:`tironian.replay.archive.judging.Judge` is to a check."""

    judge: Judge
    folder: str

    def __call__(self, load: Load) -> list[Judged]:
        """Some pieces, each with the reports of its games, whose rows have been written when it returns."""
        if not load.pieces:
            return []
        import pyarrow.parquet as pq

        buffers = {name: io.BytesIO() for name in TABLES}
        writers = {name: pq.ParquetWriter(buffers[name], schema(name), compression="zstd") for name in TABLES}
        rows, judged = Rows(), []
        for piece in load.pieces:
            reports = [unread(piece)] if piece.problem else []
            for seen in () if piece.problem else self.judge.games(piece):
                rows.add(seen)
                reports.append(seen.report)
                if rows.games == GROUP:
                    _put(rows, writers)
            judged.append(Judged.of(piece, reports))
        _put(rows, writers)
        for name, writer in writers.items():
            writer.close()
            store(f"{self.folder}/{name}/part-{load.name}.parquet", buffers[name].getvalue())
        return judged


def _put(rows: Rows, writers: dict[str, Any]) -> None:
    if rows.games:
        for name, table in rows.take().items():
            writers[name].write_table(table)


def store(path: str, data: bytes) -> None:
    """Write a file in one step, here or at an address; Unable where that fails."""
    try:
        if is_address(path):
            system, place = system_of(path)
            system.pipe_file(place, data)
        else:
            with replacing(path) as stream:
                stream.write(data)
    except Exception as error:
        raise Unable(f"{path}: {reason(error)}") from error


def system_of(path: str) -> tuple[Any, str]:
    """What reads and writes where a path lies, as fsspec has it, and the path there."""
    try:
        import fsspec
    except ImportError:
        raise Unable("this needs fsspec: pip install 'tironian[archive]'") from None
    try:
        return fsspec.core.url_to_fs(path)
    except (ValueError, ImportError) as error:
        raise Unable(f"{path}: {error}") from None


def begin(folder: str, *, force: bool = False) -> None:
    """Make a folder ready for an export; Unable where something is in it, or, with ``force``, no older export.

    Of an older export its parts are taken away, and nothing else.
    """
    system, place = system_of(folder)
    try:
        inside = system.ls(place, detail=False) if system.isdir(place) else []
        older = _manifest(system, place) is not None
        if inside and not (force and older):
            remedy = "--force writes it anew" if older else "it holds something else than an export; name another one"
            raise Unable(f"{folder}: this folder is not empty; {remedy}")
        system.makedirs(place, exist_ok=True)
        _tell(folder, {}, "", whole=False)  # before anything is taken away
        for name in TABLES:
            system.makedirs(f"{place}/{name}", exist_ok=True)
            for part in parts(folder, name):
                system.rm_file(part.place)
    except Unable:
        raise
    except Exception as error:
        raise Unable(f"{folder}: {reason(error)}") from error


def is_whole(folder: str) -> bool:
    """Whether an export came to its end; Unable where a folder holds none, or one of another layout."""
    found = _manifest(*system_of(folder))
    if found is None:
        raise Unable(f"{folder}: this is no folder that `tiro export` has written")
    if found.get("layout") != LAYOUT:
        raise Unable(f"{folder}: another version of Tironian has written it; export it again")
    return bool(found.get("whole"))


def parts(folder: str, name: str) -> list[Part]:
    """The parts of a table, in their order."""
    system, place = system_of(folder)
    return sorted(_parts(system, f"{place}/{name}"))


def _parts(system: Any, place: str) -> Iterator[Part]:
    """The files in a folder that are called as parts are."""
    for each in system.ls(place, detail=True):
        if each["type"] == "file" and _PART.search(each["name"]):
            yield Part(each["name"], each["size"])


def _manifest(system: Any, place: str) -> dict[str, Any] | None:
    try:
        with system.open(f"{place}/{MANIFEST}", "rb") as stream:
            found = json.loads(stream.read())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


def end(folder: str, totals: dict[str, int], version: str) -> None:
    """Say in the folder that all is written, and what it comes to."""
    _tell(folder, totals, version, whole=True)


def _tell(folder: str, totals: dict[str, int], version: str, *, whole: bool) -> None:
    told = {"format": FORMAT, "layout": LAYOUT, "tironian": version, "whole": whole, "totals": totals}
    store(f"{folder}/{MANIFEST}", (json.dumps(told, indent=2) + "\n").encode())
