"""``tiro export``: an archive as tables."""

from __future__ import annotations

import os
from importlib.util import find_spec

import click

from ...notation.build import install
from ..editions.edition import EDITION_NAMES
from .common import Trouble, runner, runner_options, say, sources
from .early_end import INTERRUPTED
from .progress_line import reported

SIZE = 1 << 20
"""Bytes of text in a part, some 1,000 games."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder to write to, a new or an empty one.")
@click.option("-f", "--force", is_flag=True, help="Overwrite an older export in DIR.")
@click.option("--rules", type=click.Choice(EDITION_NAMES), help="The rule set of records that do not name a known one.")
@runner_options
def export(paths: tuple[str, ...], output: str, force: bool, rules: str | None, jobs: int, cluster: str | None) -> None:
    """Check every game of every PATH, as `tiro check` does, and write tables of them to DIR.

    They are Parquet files: games, headers, scores, turns, events, votes and repeats. docs/archives.md describes their
    columns, and `tiro query` queries them. The exit code is 0 whatever the verdicts, and 2 if something could not be
    read or tiro fails on a game.
    \f\b
    Examples:
      tiro export games/ season.zip -o tables
      tiro query -d tables --name results
    """
    from ..archive import parquet
    from ..archive.batch import Batch
    from ..archive.chunk_reports import LOST, ChunkChecker
    from ..archive.register import Register
    from ..report import program_version
    from ..report.model import Tally
    from ..report.text import totals
    from ..storage.stores import is_address

    need_pyarrow()
    files = sources(paths)
    if files.overlaps(output):
        raise Trouble(f"{output}: it lies in a folder that is read; name another folder")
    output = output if is_address(output) else os.path.abspath(output)  # a cluster works elsewhere
    tally, unread, repeats = Tally(), 0, []
    try:
        parquet.begin(output, force=force)
        writer = parquet.TableWriter(ChunkChecker(rules or "", moves=True), output)
        with Register() as register:
            batch = Batch(files, writer, register, runner(jobs, cluster, SIZE, paths))
            for games, shown in reported(batch, files):
                for game in games:
                    faults = [fault for fault in game.diagnostics if fault.code in LOST]
                    for fault in faults:
                        shown.clear()
                        say(f"{game.file}: {fault.message}")
                    unread += len(faults)
                    tally.add(game)
                    repeats += [(game.file, game.line, *game.same_as)] if game.same_as else []
        parquet.store_repeats(output, repeats)
        parquet.write_manifest(output, tally.totals(), program_version())
    except KeyboardInterrupt:
        say(f"Interrupted after {totals(tally)}. {output} holds a part; --force writes it again.")
        raise SystemExit(INTERRUPTED) from None
    say(totals(tally))
    if unread:
        raise SystemExit(2)


def need_pyarrow() -> None:
    """Raise Trouble where pyarrow is missing."""
    if find_spec("pyarrow") is None:
        raise Trouble(f"tables need pyarrow: {install('[archive]')}")
