"""``tiro simulate``: complete random games from a seed, or how often everything happens in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

import click

from ...notation.writer import write
from ..edition import EDITION_NAMES, Edition, load_edition
from .common import open_output, output_options
from .progress import counted

if TYPE_CHECKING:
    from ...notation.record import Record

EXAMPLE = """
\b
Examples:
  tiro simulate --rules 1997 --games 10 --seed 1
  tiro simulate --rules 2024 --set full_check=immediate -o games.tiro
  tiro simulate --rules fr --games 1000 --stats
"""


@click.command(epilog=EXAMPLE)
@click.option("--rules", type=click.Choice(EDITION_NAMES), default="2024", show_default=True, help="The rule set.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change an option; repeatable.")
@click.option("-n", "--games", type=click.IntRange(min=0), default=1, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the first; each has the next.")
@click.option("--stats", "counts", is_flag=True, help="Write how often everything happened, and not the games.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How --stats is written.",
)
@output_options
def simulate(
    rules: str,
    settings: tuple[str, ...],
    games: int,
    seed: int,
    counts: bool,
    form: str,
    output: str | None,
    force: bool,
) -> None:
    """Play complete legal games at random and write their records.

    The same rules, options and seed give the same bytes, always.
    """
    from ..simulator import simulate as play

    if form == "json" and not counts:
        raise click.UsageError("--format json is a form of --stats")
    edition = _edition(rules, settings)
    records = counted((play(edition, number) for number in range(seed, seed + games)), "games", games)
    with open_output(output, force) as stream:
        if counts:
            _STATS[form](records, edition, stream)
        else:
            _write_games(records, stream)


def _edition(rules: str, settings: tuple[str, ...]) -> Edition:
    options = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"“{setting}” must be NAME=VALUE.", param_hint="--set")
        options[name.strip()] = value.strip()
    try:
        return load_edition(rules).with_options(options)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--set") from error


def _write_games(records: Iterable[Record], stream: TextIO) -> None:
    """The games as they come, with an empty line between them."""
    for number, record in enumerate(records):
        stream.write(("\n" if number else "") + write(record))


def _write_table(records: Iterable[Record], edition: Edition, stream: TextIO) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from ..simulator import rulings, stats

    found = stats(records)
    table = Table(
        title=" ".join(filter(None, ("Rules", edition.name, rulings(edition)))),
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("What")
    for name in ("Number", "Per game"):
        table.add_column(name, justify="right")
    games = max(1, found["games"])
    for name, number in found.items():
        table.add_row(name.replace("_", " "), str(number), f"{number / games:.2f}")
    Console(file=stream, markup=False, emoji=False, highlight=False).print(table)


def _write_json(records: Iterable[Record], edition: Edition, stream: TextIO) -> None:
    from ..simulator import rulings, stats

    found = {"rules": edition.name, "rulings": rulings(edition), **stats(records)}
    stream.write(json.dumps(found, indent=2) + "\n")


_STATS: dict[str, Callable[[Iterable[Record], Edition, TextIO], None]] = {
    "text": _write_table,
    "json": _write_json,
}
