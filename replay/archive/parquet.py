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
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from ..storage import Unable, stores
from ..storage.files import replacing
from ..storage.stores import is_address
from ..storage.unpacking import reason
from .chunk_reports import Judge, Judged, Load, unread
from .duckdb_files import Part
from .tables import TABLES, Rows, schema

GROUP: Final = 1000
"""Games of a row group."""
LAYOUT: Final = 2
"""Counts up when the tables change in a way that old queries notice."""
FORMAT: Final = "tironian-export"
_PART: Final = re.compile(r"(^|/)part-[0-9-]+\.parquet$")
MANIFEST: Final = "export.json"


@dataclass(frozen=True)
class Export:
    """Judges pieces and writes their rows; what :class:`tironian.replay.archive.chunk_reports.Judge` is to a check."""

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
            store(f"{self.folder.rstrip('/')}/{name}/part-{load.name}.parquet", buffers[name].getvalue())
        return judged


def _put(rows: Rows, writers: dict[str, Any]) -> None:
    if rows.games:
        for name, table in rows.take().items():
            writers[name].write_table(table)


def store(path: str, data: bytes) -> None:
    """Write a file in one step, here or at an address; Unable where that fails."""
    try:
        if is_address(path):
            stores.write(path, data)
        else:
            with replacing(path) as stream:
                stream.write(data)
    except Exception as error:
        raise Unable(f"{path}: {reason(error)}") from error


@contextmanager
def _within(folder: str) -> Iterator[tuple[Any, str]]:
    """Give what reads and writes a folder, as fsspec has it, and its path there; Unable where something fails."""
    try:
        system, place = stores.system_of(folder)
        with stores.explained():
            system.invalidate_cache()  # others may have written there since it was listed
            yield system, place.rstrip("/")
    except (stores.StoreError, MemoryError) as error:
        raise Unable(f"{folder}: {reason(error)}") from error


def begin(folder: str, *, force: bool = False) -> None:
    """Make a folder ready for an export; Unable where something is in it, or, with ``force``, no older export.

    Of an older export its parts are taken away, and nothing else.
    """
    if stores.is_web(folder):
        raise Unable(f"{folder}: {stores.READ_ONLY}; name a folder, or an address such as s3://bucket/tables")
    with _within(folder) as (system, place):
        inside = system.ls(place, detail=False) if system.isdir(place) else []
        older = _manifest(system, place) is not None
        if inside and not (force and older):
            remedy = "--force writes it anew" if older else "it holds something else than an export; name another one"
            raise Unable(f"{folder}: this folder is not empty; {remedy}")
        _make(system, place)
        tell(folder, {}, "", whole=False)  # before anything is taken away
        for name in TABLES:
            _make(system, f"{place}/{name}")
            for part in list(_parts(system, f"{place}/{name}")):
                system.rm_file(part.place)


def _make(system: Any, place: str) -> None:
    """Make a folder where a system has any. A store without a root has buckets, and none is to be made by mistake."""
    if system.root_marker or place.startswith("/"):
        system.makedirs(place, exist_ok=True)


def is_whole(folder: str) -> bool:
    """Whether an export came to its end; Unable where a folder holds none, or one of another layout."""
    with _within(folder) as (system, place):
        found = _manifest(system, place)
    if found is None:
        raise Unable(f"{folder}: this is no folder that `tiro export` has written")
    if found.get("layout") != LAYOUT:
        raise Unable(f"{folder}: another version of Tironian has written it; export it again")
    return bool(found.get("whole"))


def parts(folder: str, name: str) -> list[Part]:
    """The parts of a table, in their order."""
    with _within(folder) as (system, place):
        return sorted(_parts(system, f"{place}/{name}"))


def _parts(system: Any, place: str) -> Iterator[Part]:
    """Give the files in a folder that are called as parts are; none where there is no folder, as before the first."""
    try:
        inside = system.ls(place, detail=True)
    except FileNotFoundError:
        return
    for each in inside:
        if each["type"] == "file" and _PART.search(each["name"]):
            size = each["size"] if each["size"] is not None else system.info(each["name"])["size"]
            yield Part(each["name"], size)


def _manifest(system: Any, place: str) -> dict[str, Any] | None:
    """Return what stands in export.json; None where there is none, or it is another's."""
    try:
        with stores.explained():
            data = system.cat_file(f"{place}/{MANIFEST}")
        found = json.loads(data)
    except (stores.Missing, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


def tell(folder: str, totals: dict[str, int], version: str, *, whole: bool = True) -> None:
    """Say in the folder whether all is written, and what it comes to."""
    told = {"format": FORMAT, "layout": LAYOUT, "tironian": version, "whole": whole, "totals": totals}
    store(f"{folder.rstrip('/')}/{MANIFEST}", (json.dumps(told, indent=2) + "\n").encode())
