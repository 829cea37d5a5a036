"""``tiro check``: replays every game of every file and reports what is wrong."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

from ..edition import EDITION_NAMES
from .common import NO_TEXT, STDIN, expand, name_of, open_input, open_output, output_options
from .progress import counted

if TYPE_CHECKING:
    from ...notation.diagnostic import Diagnostic
    from ...notation.reader import Game
    from ..report.model import GameReport

EXAMPLE = """
\b
Example:
  tiro check games/                      every .tiro file in the folder
  tiro check --format sarif -o found.sarif games/
  tiro check --witness whole.tiro scoresheet.tiro
"""


@click.command(epilog=EXAMPLE)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "junit", "github"]),
    default="text",
    show_default=True,
    help="How the report is written.",
)
@click.option("--rules", type=click.Choice(EDITION_NAMES), help="The rule set of records that name no known one.")
@click.option("--strict", is_flag=True, help="Demand canonical form as well.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that share the files."
)
@click.option("-v", "--verbose", is_flag=True, help="A line for each game, also where nothing is wrong.")
@click.option(
    "--witness",
    metavar="FILE",
    help="For each game that is possible, write to FILE a complete record that explains it.",
)
@output_options
def check(
    paths: tuple[str, ...],
    form: str,
    rules: str | None,
    strict: bool,
    jobs: int,
    verbose: bool,
    witness: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Replay every game of every PATH (files, folders, - for standard input) and report problems.

    A record in which not every card is known is possible where some cards explain it, and illegal where none do.
    Ends with 1 where a record has errors, with 0 where it has none (warnings and notes don't count), and with 2 where a
    file holds no text at all.
    """
    from ..report import reporter

    files = expand(paths)
    if witness == STDIN and output in (None, STDIN):
        raise click.BadParameter(
            "the report goes to standard output; name a file here, or with -o", param_hint="--witness"
        )
    judge = partial(reports, rules=rules or "", strict=strict, witness=witness is not None)
    with (
        open_output(output, force, inputs=files) as stream,
        open_output(witness, force, inputs=files) if witness else nullcontext() as whole,
        closing(_judged(files, judge, jobs)) as games,
    ):
        report = reporter(form, stream, verbose=verbose, rule_info=_rule_info())
        report.begin()
        no_text = False
        for game in counted(games, "games"):
            no_text = no_text or any(each.code == NO_TEXT for each in game.diagnostics)
            report.game(game)
            if whole and game.witness:
                whole.write(game.witness)
        report.end()
    if no_text:
        raise SystemExit(2)
    if report.tally.severities["error"]:
        raise SystemExit(1)


def _rule_info() -> dict[str, tuple[str, str]]:
    from ..codes import CODES

    # A code's own help speaks of a place in a record; what holds for all places stands on its page.
    return {code.code: (code.title, f"`tiro explain {code.code}` tells more.") for code in CODES.values()}


def _judged(files: list[str], judge: partial[Iterator[GameReport]], jobs: int) -> Generator[GameReport, None, None]:
    """The reports of all files in their order; several processes take a file each."""
    alone = jobs == 1 or len(files) == 1 or STDIN in files
    if alone:
        for file in files:
            yield from judge(file)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    with ProcessPoolExecutor(min(jobs, len(files), os.cpu_count() or 1), initializer=_leave_interrupts) as pool:
        try:
            for found in pool.map(partial(_listed, judge), files):
                yield from found
        except BaseException:  # nobody waits any more for what the others are still judging
            for child in active_children():
                child.terminate()
            raise


def _leave_interrupts() -> None:
    """Ctrl-C goes to every process; the first one sees to the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _listed(judge: partial[Iterator[GameReport]], file: str) -> list[GameReport]:
    return list(judge(file))


def reports(path: str, rules: str, strict: bool, witness: bool = False) -> Iterator[GameReport]:
    """The reports of one file's games, as a stream; with a witness for each that is possible, if that is wanted."""
    from ...notation.reader import read_bytes

    name = name_of(path)
    with open_input(path) as stream:
        if not strict:
            yield from _reported(((game, []) for game in read_bytes(stream, name)), name, rules, witness)
            return
        from ..strict import look_at_bytes, strictly_all

        again = stream if stream.seekable() else io.BytesIO(stream.read())
        start = again.tell()
        form = look_at_bytes(again)
        again.seek(start)
        yield from _reported(strictly_all(read_bytes(again, name), form), name, rules, witness)


def _reported(
    games: Iterable[tuple[Game, list[Diagnostic]]], name: str, rules: str, witness: bool
) -> Iterator[GameReport]:
    """The reports of games, each of which comes with what is wrong with its form."""
    from .. import checker
    from ..report.model import POSSIBLE, GameReport

    for game, more in games:
        verdict = checker.check(game, rules)
        record = game.record
        found = verdict.diagnostics
        if more:
            found = tuple(sorted((*found, *more), key=lambda each: each.span.line))
        yield GameReport(
            name,
            game.number,
            f"{record.header('Caesar', '?')} – {record.header('Cleopatra', '?')}",
            verdict.edition.name if verdict.edition else record.header("Rules", "?"),
            verdict.events,
            verdict.turns,
            verdict.verdict,
            verdict.summary,
            found,
            verdict.stopped,
            _witness(game, rules) if witness and verdict.verdict == POSSIBLE else "",
        )


def _witness(game: Game, rules: str) -> str:
    """A complete record that explains a game, apart from the next by an empty line; empty where none was found."""
    from ...notation.writer import write
    from ..knowledge.witness import witness_of

    found = witness_of(game.record, rules)
    return f"{write(found)}\n" if found else ""
