"""``tiro query``: questions to an archive that was exported."""

from __future__ import annotations

import csv
import datetime
import decimal
import json
from collections.abc import Callable, Iterable
from typing import Any, Final, TextIO

import click

from .common import Trouble, open_output, output_options

EXAMPLE = """
\b
Examples:
  tiro query -d tables --list
  tiro query -d tables --name players
  tiro query -d tables "SELECT edition, avg(turns) FROM games GROUP BY edition"
  tiro query -d tables --format csv -o flips.csv "SELECT * FROM votes WHERE flipped"
"""
MOST: Final = 10_000
"""Rows of a table for people."""
WIDE: Final = 100_000
Rows = Iterable[tuple[Any, ...]]


@click.command(epilog=EXAMPLE)
@click.argument("sql", required=False)
@click.option("-d", "--dir", "folder", default=".", show_default=True, metavar="DIR", help="What `tiro export` wrote.")
@click.option("-n", "--name", metavar="NAME", help="Ask a ready query.")
@click.option("-l", "--list", "listing", is_flag=True, help="List the ready queries.")
@click.option("--show", is_flag=True, help="Write the SQL of the ready query, to change it, and don't ask it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    show_default=True,
    help="How the answer is written; json is one object a line.",
)
@output_options
def query(
    sql: str | None,
    folder: str,
    name: str | None,
    listing: bool,
    show: bool,
    form: str,
    output: str | None,
    force: bool,
) -> None:
    """Ask the tables of an archive, games, turns, events and votes, in SQL.

    DuckDB answers, so its SQL is the one that is meant. docs/archives.md tells the columns.
    """
    from ..archive import Unable
    from ..archive.asking import Archive, ready

    queries = ready()
    if listing:
        with open_output(output, force) as stream:
            width = max(map(len, queries))
            stream.writelines(f"{each.name:<{width}}  {each.title}\n" for each in queries.values())
        return
    if (sql is None) == (name is None):
        raise click.UsageError("give a question in SQL, or a ready one with --name; --list shows those")
    if name is not None and name not in queries:
        raise click.BadParameter(f"there are {', '.join(queries)}.", param_hint="--name")
    asked = queries[name].sql if name is not None else sql or ""
    with open_output(output, force) as stream:
        if show:
            stream.write(asked)
            return
        try:
            archive = Archive(folder)
            if not archive.whole:
                click.echo(f"{folder}: its export did not come to its end; what is there is asked", err=True)
            answer = archive.ask(asked)
            _WRITERS[form](answer.columns, answer.rows(), stream)
        except Unable as error:
            raise Trouble(str(error)) from None


def _write_text(columns: list[str], rows: Rows, stream: TextIO) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, overflow="fold")
    count = 0
    for row in rows:
        if count == MOST:
            stream.write(f"The first {MOST:,} rows; --format csv writes all.\n")
            break
        for column, value in zip(table.columns, row, strict=True):
            if isinstance(value, int | float | decimal.Decimal) and not isinstance(value, bool):
                column.justify = "right"
        table.add_row(*(_shown(value) for value in row))
        count += 1
    # Only a terminal has an edge.
    width = None if stream.isatty() else WIDE
    Console(file=stream, width=width, markup=False, emoji=False, highlight=False).print(table)
    stream.write(f"{count:,} row{'' if count == 1 else 's'}\n")


def _shown(value: Any) -> str:
    from ..report.safe import visible

    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return visible(str(value))


def _write_csv(columns: list[str], rows: Rows, stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)


def _write_json(columns: list[str], rows: Rows, stream: TextIO) -> None:
    for row in rows:
        stream.write(json.dumps(dict(zip(columns, row, strict=True)), default=_plain, ensure_ascii=False) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime.date | datetime.time | datetime.datetime):
        return value.isoformat()
    return str(value)


_WRITERS: Final[dict[str, Callable[[list[str], Rows, TextIO], None]]] = {
    "text": _write_text,
    "csv": _write_csv,
    "json": _write_json,
}
