"""``tiro query``: questions to an archive that was exported."""

from __future__ import annotations

import csv
import datetime
import decimal
import math
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from ...notation.safe_text import as_json, cell, visible
from .common import STDIN, format_option, open_output, output_options, read_input, say

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLE = """
\b
Examples:
  tiro query -d tables --list
  tiro query -d tables players
  tiro query -d tables "SELECT verdict, count(*) FROM games GROUP BY verdict"
  tiro query -d tables --format csv -o all.csv "SELECT * FROM votes"
"""
MOST: Final = 10_000
"""Rows of a table for people."""
WIDE: Final = 100_000
NOTHING: Final = "–"
_NUMBER: Final = re.compile(r"-?[0-9][0-9,]*(\.[0-9]+)?")
PLACES: Final = 3
"""Of a fraction, in a table for people."""
Rows = Iterator[tuple[Any, ...]]
Columns = list[list[str]]


@click.command(epilog=EXAMPLE)
@click.argument("sql", required=False)
@click.option("-d", "--dir", "folder", default=".", show_default=True, metavar="DIR", help="What `tiro export` wrote.")
@click.option("-n", "--name", metavar="NAME", help="Ask a ready query.")
@click.option("-l", "--list", "listing", is_flag=True, help="List the ready queries.")
@click.option("--show", is_flag=True, help="Write the SQL of the ready query, to change it, and don't ask it.")
@format_option("How the answer is written; json is one object a line.", "text", "csv", "json")
@click.option("--raw", is_flag=True, help="Write CSV without disarming cells that spreadsheets take for formulas.")
@click.option("--allow-files", is_flag=True, help="Let the question reach files, the network and extensions.")
@click.option("--memory", metavar="SIZE", default="2GB", show_default=True, help="How much memory DuckDB may use.")
@output_options
def query(
    sql: str | None,
    folder: str,
    name: str | None,
    listing: bool,
    show: bool,
    form: str,
    raw: bool,
    allow_files: bool,
    memory: str,
    output: str | None,
    force: bool,
) -> None:
    """Ask the tables of an archive in SQL, or with the name of a ready question.

    DuckDB answers, so its SQL is the one that is meant; - reads it from standard input. The tables are games, headers,
    scores, turns, events and votes; docs/archives.md tells the columns.
    """
    from ..archive.sql import AGAIN, Archive, ready

    queries = ready()
    if listing:
        with open_output(output, force) as stream:
            width = max(map(len, queries))
            stream.writelines(f"{each.name:<{width}}  {each.title}\n" for each in queries.values())
        return
    if name is None and sql in queries:
        name, sql = sql, None
    if (sql is None) == (name is None):
        raise click.UsageError("give a question in SQL, or a ready one with --name; --list shows those")
    if name is not None and name not in queries:
        raise click.BadParameter(f"there are {', '.join(queries)}.", param_hint="--name")
    if raw and form != "csv":
        raise click.UsageError("--raw is about --format csv")
    asked = queries[name].sql if name is not None else sql or ""
    if sql == STDIN:
        asked = read_input(STDIN).decode("utf-8", "replace")
    with open_output(output, force) as stream:
        if show:
            stream.write(asked)
            return
        with Archive(folder, files=allow_files, memory=memory) as archive:
            if not archive.whole:
                say(f"{folder}: its export did not come to its end; what is there is asked, {AGAIN}")
            answer = archive.ask(asked)
            WRITERS["raw" if raw else form](answer.columns, answer.rows(), stream)


def _write_text(columns: list[str], rows: Rows, stream: TextIO) -> None:
    from rich.cells import cell_len
    from rich.console import Console

    found, columns = list(islice(rows, MOST)), list(map(visible, columns))
    more = len(found) == MOST and next(iter(rows), None) is not None
    values = [_shown(column, [row[place] for row in found]) for place, column in enumerate(columns)]
    # Only a terminal has an edge.
    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    if not stream.isatty():
        console.width = WIDE
    inside = [max(map(cell_len, column), default=0) for column in values]
    widths = [max(width, cell_len(column)) for width, column in zip(inside, columns, strict=True)]
    narrow = [_folded(column, width) for width, column in zip(inside, columns, strict=True)]
    least = [max(width, *map(cell_len, column.split("\n"))) for width, column in zip(inside, narrow, strict=True)]
    if sum(widths) + 3 * len(widths) <= console.width:
        _write_table(columns, values, console)
    elif sum(least) + 2 * len(least) <= console.width:
        _write_table(narrow, values, console, padding=(0, 1, 0, 0))
    else:
        _write_records(columns, values, console)
    told = (
        f"The first {MOST:,} rows; --format csv writes all." if more else f"{len(found):,} row{'s'[len(found) == 1 :]}"
    )
    stream.write(f"{told}\n")


def _folded(column: str, width: int) -> str:
    """The name of a column in lines of about that width, broken where its words end."""
    lines = [""]
    for word in re.findall("[^_]*_*", column):
        lines = [*lines[:-1], lines[-1] + word] if len(lines[-1] + word) <= width else [*lines, word]
    return "\n".join(filter(None, lines))


def _write_table(columns: list[str], values: Columns, console: Console, **more: Any) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=not more, pad_edge=not more, **more)
    for column, inside in zip(columns, values, strict=True):
        told = [value for value in inside if value != NOTHING]
        numbers = bool(told) and all(_NUMBER.fullmatch(value) for value in told)
        table.add_column(column, justify="right" if numbers else "left", no_wrap=True)
    for row in zip(*values, strict=True):
        table.add_row(*row)
    console.print(table)


def _write_records(columns: list[str], values: Columns, console: Console) -> None:
    """Row by row, a line for each of its values: what is too wide for a table."""
    width = max(map(len, columns))
    for row in zip(*values, strict=True):
        for column, value in zip(columns, row, strict=True):
            console.print(f"{column:<{width}}  {value}", soft_wrap=True)
        console.print()


def _shown(column: str, values: list[Any]) -> list[str]:
    """The values of a column as people read them, fractions to as many places as any of them needs, at most three."""
    from ..archive.tables import TABLES

    # What stands in the tables is to be found again as it is; other whole numbers are counts.
    known = any(column == each.name and each.kind.startswith("int") for table in TABLES.values() for each in table)
    whole = "d" if known else ",d"
    parts = [value for value in values if isinstance(value, float | decimal.Decimal) and math.isfinite(value)]
    places = max((len(f"{value:.{PLACES}f}".rstrip("0").partition(".")[2]) for value in parts), default=0)
    return [_told(value, whole, f",.{places}f") for value in values]


def _told(value: Any, whole: str, fraction: str) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return format(value, whole)
    if isinstance(value, float | decimal.Decimal):
        told = format(value, fraction)
        # What is too small for that, and not nothing, is not to be read as nothing.
        return told if not value or any(digit in "123456789" for digit in told) else f"{value:.1g}"
    return visible(str(value))


def _write_csv(columns: list[str], rows: Rows, stream: TextIO) -> None:
    _write_raw([cell(column) for column in columns], (tuple(map(_cell, row)) for row in rows), stream)


def _write_raw(columns: list[str], rows: Rows, stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)


def _cell(value: Any) -> Any:
    """A value for a spreadsheet: numbers as they are, and text that is no formula."""
    return value if value is None or isinstance(value, int | float | decimal.Decimal) else cell(str(value))


def _write_json(columns: list[str], rows: Rows, stream: TextIO) -> None:
    for row in rows:
        told = dict(zip(columns, map(_plain, row), strict=True))
        stream.write(as_json(told, allow_nan=False) + "\n")


def _plain(value: Any) -> Any:
    """A value as JSON has it, in which there is no number that is none, and a name is a string."""
    if isinstance(value, decimal.Decimal):
        return _plain(int(value) if value == value.to_integral_value() else float(value)) if value.is_finite() else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime.date | datetime.time | datetime.datetime):
        return value.isoformat()
    return str(value)


WRITERS: Final[dict[str, Callable[[list[str], Rows, TextIO], None]]] = {
    "text": _write_text,
    "csv": _write_csv,
    "raw": _write_raw,
    "json": _write_json,
}
