"""``tiro export`` and ``query``: an archive as tables, and SQL queries on them."""

from __future__ import annotations

import csv
import datetime
import decimal
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

import click

from ...notation.basics import as_json, cell, program_version, visible
from ...notation.language import figure, phrase, plural, spoken
from .common import (
    INTERRUPTED,
    STDIN,
    CliError,
    Output,
    completing,
    format_option,
    output_options,
    paths_argument,
    read_input,
    reported,
    require_packages,
    rules_option,
    runner,
    runner_options,
    say,
    sources,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ..archive.export import Query

SIZE = 1 << 20
"""The bytes of text in a part, about 1,000 games."""


@click.command()
@paths_argument
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder to write to; it must be new or empty.")
@click.option("-f", "--force", is_flag=True, help="Overwrite an earlier export in DIR.")
@partial(rules_option, which="records that do not name a known one")
@runner_options
def export(paths: tuple[str, ...], output: str, force: bool, rules: str, jobs: int, cluster: str | None) -> None:
    """Check every game of every PATH, as `tiro check` does, and write tables about them to DIR.

    They are Parquet files: games, headers, scores, turns, events, votes and repeats. docs/archives.md describes their
    columns, and `tiro query` queries them. The exit code is 0 whatever the verdicts, and 2 if something could not be
    read or tiro fails on a game.
    \f\b
    Examples:
      tiro export games/ season.zip -o tables
      tiro query -d tables --name results
    """
    from ..archive.api import LOST, Batch, ChunkChecker, Register
    from ..archive.export import tables
    from ..report.api import Tally
    from ..storage.api import is_address

    require_packages("pyarrow", "fsspec", what=phrase("tables need"))
    files = sources(paths)
    if files.overlaps(output):
        raise CliError(f"{output}: {phrase('this is inside a folder that is being read; name another folder')}")
    output = output if is_address(output) else os.path.abspath(output)  # a cluster's processes run elsewhere
    tally, unread, repeats = Tally(), 0, []
    try:
        tables.begin(output, force=force)
        writer = tables.TableWriter(ChunkChecker(rules, moves=True, brief=True), output)
        with Register() as register:
            batch = Batch(files, writer, register, runner(jobs, cluster, SIZE, paths))
            for games, shown in reported(batch, files):
                tally.join(batch.counted)
                for game in games:
                    faults = [fault for fault in game.diagnostics if fault.code in LOST]
                    for fault in faults:
                        shown.clear()
                        say(f"{game.file}: {fault.message}")
                    unread += len(faults)
                    tally.add(game)
                    repeats += [(game.file, game.line, *game.same_as)] if game.same_as else []
        tables.store_repeats(output, repeats)
        tables.write_manifest(output, tally.totals(), program_version())
    except KeyboardInterrupt:
        words = {"totals": tally.in_words(), "folder": output}
        say(phrase("Interrupted after {totals}. {folder} is incomplete; --force writes it again.", **words))
        raise SystemExit(INTERRUPTED) from None
    say(tally.in_words())
    if unread:
        raise SystemExit(2)


MAX_ROWS: Final = 10_000
"""The most rows in a readable table."""
WIDE: Final = 100_000
"""The width, in characters, of a table that does not go to a terminal."""
NOTHING: Final = "–"
PLACES: Final = 3
"""The decimal places of a fraction in a readable table."""
Rows = Iterator[tuple[Any, ...]]
ColumnTexts = list[list[str]]


@completing
def _offered() -> dict[str, str]:
    from ..archive.export import ready_queries

    return {query.name: phrase(query.title) for query in ready_queries().values()}


@click.command()
@click.argument("sql", required=False, shell_complete=_offered)
@click.option(
    "-d", "--dir", "folder", default=".", show_default=True, metavar="DIR", help="The folder that `tiro export` wrote."
)
@click.option("-n", "--name", metavar="NAME", shell_complete=_offered, help="Run a ready-made query.")
@click.option("-l", "--list", "listing", is_flag=True, help="List the ready-made queries.")
@click.option("--show", is_flag=True, help="Print the SQL of the ready-made query instead of running it.")
@format_option("The format of the output; json is one object per line.", "text", "csv", "json")
@click.option(
    "--raw", is_flag=True, help="Write CSV cells unchanged, even if a spreadsheet would take them for formulas."
)
@click.option("--allow-files", is_flag=True, help="Let the query use files, the network and extensions.")
@click.option("--memory", metavar="SIZE", default="2GB", show_default=True, help="The memory that DuckDB may use.")
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
    output: Output,
) -> None:
    """Query the tables of an archive in SQL, or with the name of a ready-made query.

    SQL is in DuckDB's dialect; - reads it from standard input. The tables are games, headers, scores, turns, events,
    votes and repeats; played is games with each game once. docs/archives.md describes the columns.
    \f\b
    Examples:
      tiro query -d tables --list
      tiro query -d tables players
      tiro query -d tables "SELECT verdict, count(*) FROM games GROUP BY verdict"
      tiro query -d tables --format csv -o all.csv "SELECT * FROM votes"
    """
    from ..archive.export import ExportedTables, ready_queries

    queries = ready_queries()
    if listing:
        with output.open() as stream:
            width = max(map(len, queries))
            stream.writelines(f"{query.name:<{width}}  {phrase(query.title)}\n" for query in queries.values())
        return
    question = _question(sql, name, queries)
    if raw and form != "csv":
        raise click.UsageError(phrase("--raw needs --format csv"))
    with output.open() as stream:
        if show:
            stream.write(question)
            return
        require_packages("duckdb", "pytz", "fsspec", what=phrase("queries need"))
        with ExportedTables(folder, files=allow_files, memory=memory) as tables:
            result = tables.query(question)
            WRITERS["raw" if raw else form](result.columns, result.rows(), stream)
    if not tables.whole:
        why = phrase("this export is incomplete, so the answer covers only what is there")
        raise CliError(f"{folder}: {why}; {phrase('`tiro export --force` writes it again')}")


def _question(sql: str | None, name: str | None, queries: Mapping[str, Query]) -> str:
    """Return the requested SQL: as given, by name, or from standard input. Raise UsageError if there is none."""
    if (sql is None) == (name is None):
        raise click.UsageError(phrase("give a query in SQL, or a ready-made one with --name; --list shows those"))
    if name is not None and name not in queries:
        raise click.BadParameter(phrase("there are {names}.", names=", ".join(queries)), param_hint="--name")
    asked = name or sql or ""
    if asked in queries:
        return queries[asked].sql
    if asked.isidentifier():
        why = phrase("there is no ready-made query “{name}”, and a single word is not SQL", name=asked)
        raise click.UsageError(f"{why}; {phrase('--list shows the queries')}")
    return read_input(STDIN).decode("utf-8", "replace") if asked == STDIN else asked


def _write_text(columns: list[str], rows: Rows, stream: TextIO) -> None:
    """Write a readable table, in the widest form that fits: with gaps, with folded names, or row by row."""
    from rich.cells import cell_len
    from rich.console import Console

    shown, columns = list(islice(rows, MAX_ROWS)), list(map(visible, columns))
    more = len(shown) == MAX_ROWS and next(iter(rows), None) is not None
    values = [_formatted(column, [row[place] for row in shown]) for place, column in enumerate(columns)]
    # Only terminals have a width.
    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    if not stream.isatty():
        console.width = WIDE
    value_widths = [max(map(cell_len, column), default=0) for column in values]
    folded = [_folded(column, width) for width, column in zip(value_widths, columns, strict=True)]

    def total_width(names: list[str], gap: int) -> int:
        widths = (max(map(cell_len, name.split("\n"))) for name in names)
        return sum(map(max, value_widths, widths)) + gap * len(names)

    if total_width(columns, 3) <= console.width:
        _write_table(columns, values, console)
    elif total_width(folded, 2) <= console.width:
        _write_table(folded, values, console, padding=(0, 1, 0, 0))
    else:
        _write_records(columns, values, console)
    count = len(shown)
    said = plural("{count} row", "{count} rows", count, count=figure(count, ","))
    if more:
        said = phrase("The first {count} rows; --format csv writes all.", count=figure(MAX_ROWS, ","))
    stream.write(f"{said}\n")


def _folded(column: str, width: int) -> str:
    """Return the name of a column in lines of about ``width`` characters, broken after underscores."""
    lines = [""]
    for word in re.findall("[^_]*_*", column):
        lines = [*lines[:-1], lines[-1] + word] if len(lines[-1] + word) <= width else [*lines, word]
    return "\n".join(filter(None, lines))


def _write_table(columns: list[str], values: ColumnTexts, console: Console, **more: Any) -> None:
    """Write a table with right-aligned numbers."""
    from rich import box
    from rich.table import Table

    thousands, decimal = map(re.escape, spoken().figures)
    number = re.compile(rf"-?[0-9][0-9{thousands}]*({decimal}[0-9]+)?")
    table = Table(box=box.SIMPLE_HEAD, show_edge=not more, pad_edge=not more, **more)
    for column, column_values in zip(columns, values, strict=True):
        present = [value for value in column_values if value != NOTHING]
        is_numeric = bool(present) and all(number.fullmatch(value) for value in present)
        table.add_column(column, justify="right" if is_numeric else "left", no_wrap=True)
    for row in zip(*values, strict=True):
        table.add_row(*row)
    console.print(table)


def _write_records(columns: list[str], values: ColumnTexts, console: Console) -> None:
    """Write a line for each value of each row, for tables that are too wide."""
    width = max(map(len, columns))
    for row in zip(*values, strict=True):
        for column, value in zip(columns, row, strict=True):
            console.print(f"{column:<{width}}  {value}", soft_wrap=True)
        console.print()


def _formatted(column: str, values: list[Any]) -> list[str]:
    """Return a column's values in readable form; all fractions have as many decimal places as any of them needs, at
    most three.
    """
    from ..archive.export import TABLES

    # Numbers from the tables are shown as stored, so that they can be searched for; other whole numbers are counts.
    stored = any(column in table and table[column][0].startswith("int") for table in TABLES.values())
    integer_format = "d" if stored else ",d"
    fractions = [value for value in values if isinstance(value, float | decimal.Decimal) and math.isfinite(value)]
    places = max((len(f"{value:.{PLACES}f}".rstrip("0").partition(".")[2]) for value in fractions), default=0)
    return [_value_text(value, integer_format, f",.{places}f") for value in values]


def _value_text(value: Any, integer_format: str, fraction_format: str) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return phrase("yes") if value else phrase("no")
    if isinstance(value, int):
        return figure(value, integer_format)
    if isinstance(value, float | decimal.Decimal):
        text = figure(cast("float", value), fraction_format)
        # A value too small for these places must not look like zero.
        return text if not value or any(digit in "123456789" for digit in text) else figure(cast("float", value), ".1g")
    return visible(str(value))


def _write_csv(columns: list[str], rows: Rows, stream: TextIO) -> None:
    _write_raw([cell(column) for column in columns], (tuple(map(_cell, row)) for row in rows), stream)


def _write_raw(columns: list[str], rows: Rows, stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)


def _cell(value: Any) -> Any:
    """Return a value for a spreadsheet: numbers unchanged, and text in a form that is not taken for a formula."""
    return value if value is None or isinstance(value, int | float | decimal.Decimal) else cell(str(value))


def _write_json(columns: list[str], rows: Rows, stream: TextIO) -> None:
    for row in rows:
        values = dict(zip(columns, map(_json_value, row), strict=True))
        stream.write(as_json(values, allow_nan=False) + "\n")


def _json_value(value: Any) -> Any:
    """Return a value in a form that JSON can hold: null for numbers that are not finite, and strings as names in
    objects.
    """
    match value:
        case decimal.Decimal() | float() if not math.isfinite(value):
            return None
        case decimal.Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case dict():
            return {str(_json_value(key)): _json_value(item) for key, item in value.items()}
        case list() | tuple():
            return [_json_value(item) for item in value]
        case bytes():
            return value.hex()
        case datetime.date() | datetime.time():
            return value.isoformat()
        case None | bool() | int() | float() | str():
            return value
        case _:
            return str(value)


WRITERS: Final[dict[str, Callable[[list[str], Rows, TextIO], None]]] = {
    "text": _write_text,
    "csv": _write_csv,
    "raw": _write_raw,
    "json": _write_json,
}
