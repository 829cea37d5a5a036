"""``tiro query``: questions to an archive that was exported."""

from __future__ import annotations

import csv
import datetime
import decimal
import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from .common import STDIN, Trouble, open_output, output_options, read_input

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLE = """
\b
Examples:
  tiro query -d tables --list
  tiro query -d tables --name players
  tiro query -d tables "SELECT verdict, count(*) FROM games GROUP BY verdict"
  tiro query -d tables --format csv -o all.csv "SELECT * FROM votes"
"""
MOST: Final = 10_000
"""Rows of a table for people."""
WIDE: Final = 100_000
NOTHING: Final = "–"
_NUMBER: Final = re.compile(r"-?[0-9][0-9,]*(\.[0-9]+)?")
Rows = Iterator[tuple[Any, ...]]


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

    DuckDB answers, so its SQL is the one that is meant; - reads it from standard input. docs/archives.md tells the
    columns.
    """
    from ..archive import Unable
    from ..archive.asking import AGAIN, Archive, ready

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
    if sql == STDIN:
        asked = read_input(STDIN).decode("utf-8", "replace")
    with open_output(output, force) as stream:
        if show:
            stream.write(asked)
            return
        try:
            archive = Archive(folder)
            if not archive.whole:
                click.echo(f"{folder}: its export did not come to its end; what is there is asked, {AGAIN}", err=True)
            answer = archive.ask(asked)
            _WRITERS[form](answer.columns, answer.rows(), stream)
        except Unable as error:
            raise Trouble(str(error)) from None


def _write_text(columns: list[str], rows: Rows, stream: TextIO) -> None:
    from rich.cells import cell_len
    from rich.console import Console

    shown = [[_shown(value, column) for value, column in zip(row, columns, strict=True)] for row in islice(rows, MOST)]
    more = len(shown) == MOST and next(iter(rows), None) is not None
    # Only a terminal has an edge.
    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    if not stream.isatty():
        console.width = WIDE
    widths = [max(map(cell_len, column)) for column in zip(columns, *shown, strict=True)]
    if sum(widths) + 3 * len(widths) > console.width:
        _write_records(columns, shown, console)
    else:
        _write_table(columns, shown, console)
    told = (
        f"The first {MOST:,} rows; --format csv writes all." if more else f"{len(shown):,} row{'s'[len(shown) == 1 :]}"
    )
    stream.write(f"{told}\n")


def _write_table(columns: list[str], rows: list[list[str]], console: Console) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for number, column in enumerate(columns):
        values = [row[number] for row in rows if row[number] != NOTHING]
        numbers = bool(values) and all(_NUMBER.fullmatch(value) for value in values)
        table.add_column(column, justify="right" if numbers else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _write_records(columns: list[str], rows: list[list[str]], console: Console) -> None:
    """Row by row, a line for each of its values: what is too wide for a table."""
    width = max(map(len, columns))
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            console.print(f"{column:<{width}}  {value}", soft_wrap=True)
        console.print()


def _shown(value: Any, column: str) -> str:
    from ..archive.tables import TABLES
    from ..report.safe import visible

    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and not any(column == each.name for table in TABLES.values() for each in table):
        return f"{value:,}"  # a count; what stands in the tables is to be found again as it is
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
