"""An archive as Parquet: a folder of parts for each table, each part written by whoever read the games in it.

    DIR/games/part-000000.parquet, …, DIR/turns/…, DIR/events/…, DIR/votes/…, …
    DIR/export.json, which says whether all is written

A part is written in one step, under a name that depends only on its place in the archive; so work that is done twice
because a machine was lost leaves the same as work done once.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from ..report.model import GameReport, failed_report
from ..storage import Unable, stores
from ..storage.files import replacing
from ..storage.stores import is_address
from ..storage.unpacking import reason
from .chunk_reports import CheckedGame, ChunkChecker, ChunkGroup, ChunkResult, unreadable_report
from .duckdb_files import Part
from .tables import REPEATS, TABLES, TableRows, arrow_table, schema

GROUP: Final = 1000
"""Games of a row group."""
LAYOUT: Final = 3
"""Counts up when the tables change in a way that old queries notice."""
FORMAT: Final = "tironian-export"
_PART: Final = re.compile(r"(^|/)part-[0-9-]+\.parquet$")
MANIFEST: Final = "export.json"


@dataclass(frozen=True)
class TableWriter:
    """Checks the games of chunks with ``checker``, and writes their rows to ``folder``."""

    checker: ChunkChecker
    folder: str

    def __call__(self, group: ChunkGroup) -> list[ChunkResult]:
        """Return the result of each chunk of a group; the rows of its games have been written then."""
        if not group.chunks:
            return []
        import pyarrow.parquet as pq

        buffers = {name: io.BytesIO() for name in TABLES if name != REPEATS}
        writers = {name: pq.ParquetWriter(buffers[name], schema(name), compression="zstd") for name in buffers}
        rows, results = TableRows(), []
        for chunk in group.chunks:
            reports = [unreadable_report(chunk)] if chunk.problem else []
            for game in () if chunk.problem else self.checker.games(chunk):
                reports.append(self._added(rows, game))
                if rows.games == GROUP:
                    rows.write(writers)
            results.append(ChunkResult.of(chunk, reports))
        rows.write(writers)
        for name, writer in writers.items():
            writer.close()
            store(f"{self.folder.rstrip('/')}/{name}/part-{group.name}.parquet", buffers[name].getvalue())
        return results

    @staticmethod
    def _added(rows: TableRows, game: CheckedGame | GameReport) -> GameReport:
        """Add the rows of a game, unless the program fails on it; return its report."""
        if isinstance(game, GameReport):
            return game
        try:
            rows.add(game)
        except Exception as error:  # noqa: BLE001  # the other games are not lost for it
            return failed_report(error, game.game)
        return game.report


def store_repeats(folder: str, repeats: list[tuple[str, int, str, int]]) -> None:
    """Write which records do not count; raise Unable where that fails."""
    store(f"{folder.rstrip('/')}/{REPEATS}/part-0.parquet", parquet_of(repeats, schema(REPEATS)))


def parquet_of(rows: Iterable[tuple[Any, ...]], shape: Any) -> bytes:
    """Return rows as a Parquet file."""
    import pyarrow.parquet as pq

    made = io.BytesIO()
    pq.write_table(arrow_table(rows, shape), made)
    return made.getvalue()


def store(path: str, data: bytes) -> None:
    """Write a file in one step, on this machine or at an address; raise Unable where that fails."""
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
    """Yield fsspec's file system of a folder, and its path there; raise Unable where something fails."""
    try:
        system, place = stores.system_of(folder)
        with stores.store_errors():
            system.invalidate_cache()  # others may have written there since it was listed
            yield system, place.rstrip("/")
    except (stores.StoreError, MemoryError) as error:
        raise Unable(f"{folder}: {reason(error)}") from error


def begin(folder: str, *, force: bool = False) -> None:
    """Make a folder ready for an export: new, empty, or with ``force`` one that holds an older export.

    The parts of the older export are deleted, and nothing else. Raise Unable for any other folder.
    """
    if stores.is_web(folder):
        raise Unable(f"{folder}: {stores.READ_ONLY}; name a folder, or an address such as s3://bucket/tables")
    with _within(folder) as (system, place):
        inside = system.ls(place, detail=False) if system.isdir(place) else []
        older = _manifest(system, place) is not None
        if inside and not (force and older):
            remedy = "--force writes it again" if older else "it holds something other than an export; name another one"
            raise Unable(f"{folder}: this folder is not empty; {remedy}")
        _make(system, place)
        write_manifest(folder, {}, "", whole=False)  # before anything is deleted
        for name in TABLES:
            _make(system, f"{place}/{name}")
            for part in list(_parts(system, f"{place}/{name}")):
                system.rm_file(part.place)
        store_repeats(folder, [])  # until all is known


def _make(system: Any, place: str) -> None:
    """Make a folder where a system has any. A store without a root has buckets, and none must be made by mistake."""
    if system.root_marker or place.startswith("/"):
        system.makedirs(place, exist_ok=True)


def exported(folder: str) -> tuple[bool, Any, dict[str, list[Part]]]:
    """Return whether an export came to its end, fsspec's file system of it, and the parts of each table in their order.

    Raise Unable where a folder holds no export, or one of another layout.
    """
    with _within(folder) as (system, place):
        manifest = _manifest(system, place)
        if manifest is None:
            is_there = stores.is_web(folder) or system.isdir(place)
            why = "`tiro export` has not written this folder" if is_there else "there is no such folder"
            raise Unable(f"{folder}: {why}")
        if manifest.get("layout") != LAYOUT:
            raise Unable(f"{folder}: it was written by another version of Tironian; export it again")
        tables = {name: sorted(_parts(system, f"{place}/{name}")) for name in TABLES}
        return bool(manifest.get("whole")), system, tables


def _parts(system: Any, place: str) -> Iterator[Part]:
    """Yield the files in a folder that are named as parts; none where there is no folder, as before the first."""
    try:
        inside = system.ls(place, detail=True)
    except FileNotFoundError:
        return
    for file in inside:
        if file["type"] == "file" and _PART.search(file["name"]):
            size = file["size"] if file["size"] is not None else system.info(file["name"])["size"]
            yield Part(file["name"], size)


def _manifest(system: Any, place: str) -> dict[str, Any] | None:
    """Return what export.json holds; None where there is none, or it is not ours."""
    try:
        with stores.store_errors():
            data = system.cat_file(f"{place}/{MANIFEST}")
        manifest = json.loads(data)
    except (stores.Missing, ValueError) as error:
        if stores.NO_BUCKET in str(error):
            raise
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("format") == FORMAT else None


def write_manifest(folder: str, totals: dict[str, int], version: str, *, whole: bool = True) -> None:
    """Write export.json, which says whether all is written, and the totals of the games."""
    manifest = {"format": FORMAT, "layout": LAYOUT, "tironian": version, "whole": whole, "totals": totals}
    store(f"{folder.rstrip('/')}/{MANIFEST}", (json.dumps(manifest, indent=2) + "\n").encode())
