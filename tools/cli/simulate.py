"""``tiro simulate``: complete random games from a seed, or statistics about them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from typing import Any, Final, TextIO

import click

from ...notation.language import figure, phrase
from ...replay.rules.api import EDITION_NAMES, Edition, load_edition
from .common import STDIN, CliError, Meter, Output, format_option, jobs_option, output_options, pairs, say

GAMES_PER_TASK: Final = 50
"""How many games a process plays before it returns them."""


@click.command()
@click.option(
    "--rules", type=click.Choice(EDITION_NAMES), default=EDITION_NAMES[0], show_default=True, help="The rule set."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change an option; repeatable.")
@click.option("-n", "--games", type=click.IntRange(min=0), default=1, show_default=True, help="How many games.")
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The seed of the first game; each later game uses the next one.",
)
@click.option("--stats", "counts", is_flag=True, help="Instead of the games, write how often each thing happened.")
@format_option("The format of --stats.", "text", "json")
@jobs_option
@output_options
def simulate(
    rules: str, settings: tuple[str, ...], games: int, seed: int, counts: bool, form: str, jobs: int, output: Output
) -> None:
    """Play complete legal games at random and write their records.

    The same rules, options and seed always give the same bytes, whatever the number of processes.
    \f\b
    Examples:
      tiro simulate --rules 1997 --games 10 --seed 1
      tiro simulate --rules 2024 --set full_check=immediate -o games.tiro
      tiro simulate --rules fr --games 1000 --stats
      tiro simulate --games 1000000 -o million.tiro
    """
    if form == "json" and not counts:
        raise click.UsageError(phrase("--format json needs --stats"))
    edition = _edition(rules, settings)
    end = seed + games
    seeds = [range(first, min(first + GAMES_PER_TASK, end)) for first in range(seed, end, GAMES_PER_TASK)]
    make = _counted if counts else _written
    try:
        with output.open() as stream, closing(_made(partial(make, edition), seeds, jobs)) as made:
            if counts:
                _write_counts(sum(made, Counter[str]()), edition, form, stream)
            else:
                stream.writelines(f"\n{text}" if number else text for number, text in enumerate(made))
    except KeyboardInterrupt:
        kept = phrase("Interrupted; nothing was written.") if counts else phrase("Interrupted; it holds whole games.")
        if output.path not in (None, STDIN):
            kept = phrase("Interrupted; {file} was not written.", file=output.path)
        say(kept)
        raise


def _made(make: Callable[[range], Any], seeds: list[range], jobs: int) -> Generator[Any, None, None]:
    """Yield what ``make`` returns for the games of all seeds in order, a few seeds at a time."""
    from ..processes.pool import map_in_order

    total = seeds[-1].stop - seeds[0].start if seeds else 0
    with Meter(phrase("games"), total) as shown, closing(map_in_order(make, seeds, jobs, _lost)) as results:
        done = 0
        for some, result in results:
            yield result
            done += len(some)
            shown.show(done, done)


def _lost(_some: range) -> Any:
    raise CliError(phrase("a process was killed twice while playing games, perhaps because memory ran out"))


def _written(edition: Edition, seeds: Iterable[int]) -> str:
    """Return the games of some seeds, with an empty line between them."""
    from ...notation.records import write
    from ...replay.simulation.api import simulate as play

    return "\n".join(write(play(edition, seed)) for seed in seeds)


def _counted(edition: Edition, seeds: Iterable[int]) -> Counter[str]:
    from ...replay.simulation.api import simulate as play
    from ...replay.simulation.api import stats

    return Counter(stats(play(edition, seed) for seed in seeds))


def _edition(rules: str, settings: tuple[str, ...]) -> Edition:
    """Return an edition with options. Raise BadParameter if it has no such option."""
    options = pairs(settings, "--set", phrase("must be NAME=VALUE."))
    try:
        return load_edition(rules).with_options(options)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--set") from error


def _write_counts(stats: Counter[str], edition: Edition, form: str, stream: TextIO) -> None:
    from ...replay.simulation.api import STATS, rulings

    if form == "json":
        counts = {"rules": edition.name, "rulings": rulings(edition), **{name: stats[name] for name in STATS}}
        stream.write(json.dumps(counts, indent=2) + "\n")
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    title = " ".join(filter(None, (phrase("Rules"), edition.name, rulings(edition))))
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column(phrase("What"))
    for name in (phrase("Number"), phrase("Per game")):
        table.add_column(name, justify="right")
    games = max(1, stats["games"])
    for name in STATS:
        table.add_row(phrase(name.replace("_", " ")), figure(stats[name]), figure(stats[name] / games, ".2f"))
    Console(file=stream, markup=False, emoji=False, highlight=False).print(table)
