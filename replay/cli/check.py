"""``tiro check``: replays every game of every file and reports what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from ..edition import EDITION_NAMES
from .common import NO_TEXT, STDIN, Trouble, crew, crew_options, open_output, output_options, sources
from .ending import INTERRUPTED
from .progress import meter, watched

if TYPE_CHECKING:
    from ..archive.batch import Batch, Progress
    from ..archive.register import Register
    from ..archive.sorting import Sorter
    from ..archive.sources import Sources
    from ..report import GameReport, Tally
    from .progress import Meter

EXAMPLE = """
\b
Examples:
  tiro check games/                      every text and archive in the folder
  tiro check --format sarif -o found.sarif games/
  tiro check --witness whole.tiro scoresheet.tiro
  tiro check --resume season.state 'archive/**/*.tiro.gz' season.zip
  tiro check --keep-good good/ --keep-bad bad/ games/
"""

SIZE = 1 << 17
"""Bytes of text that a process takes at once, some 120 games."""


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
@crew_options
@click.option("-v", "--verbose", is_flag=True, help="A line for each game, also where nothing is wrong.")
@click.option(
    "--witness",
    metavar="FILE",
    help="For each game that is possible, write to FILE a complete record that explains it.",
)
@click.option("--keep-good", metavar="DIR", help="Write the games that are legal or possible to files in DIR.")
@click.option("--keep-bad", metavar="DIR", help="Write all others to files in DIR.")
@click.option(
    "--resume", metavar="STATE", help="Note in the file STATE what was checked, and check it again only if it changed."
)
@output_options
def check(
    paths: tuple[str, ...],
    form: str,
    rules: str | None,
    strict: bool,
    jobs: int | None,
    cluster: str | None,
    verbose: bool,
    witness: str | None,
    keep_good: str | None,
    keep_bad: str | None,
    resume: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Replay every game of every PATH and report problems.

    A PATH is a file, a folder, a pattern such as 'games/*.tiro', or - for standard input; each may be compressed
    (gzip, zstd) or an archive (zip, tar).

    A record in which not every card is known is possible where some cards explain it, and illegal where none do.
    Games with the same moves are noted, wherever they stand. Ends with 1 where a record has errors, with 0 where it has
    none (warnings and notes don't count), and with 2 where something can't be read at all.
    """
    from ..archive.batch import Batch, Progress
    from ..archive.judging import UNREAD, Judge
    from ..archive.register import Register
    from ..archive.sorting import Sorter
    from ..report import program_version, reporter

    if witness == STDIN and output in (None, STDIN):
        raise click.BadParameter(
            "the report goes to standard output; name a file here, or with -o", param_hint="--witness"
        )
    files = sources(paths)
    for folder in filter(None, (keep_good, keep_bad)):
        if files.holds(folder):
            raise Trouble(f"{folder}: it lies in what is read, so that its games would be read again; name another one")
    judge = Judge(rules or "", strict, witness is not None, texts=bool(keep_good or keep_bad), moves=True)
    done = Progress()
    with (
        open_output(output, force, inputs=files.paths()) as stream,
        open_output(witness, force, inputs=files.paths()) if witness else nullcontext() as whole,
    ):
        report = reporter(form, stream, verbose=verbose, rule_info=_rule_info())
        report.begin()
        with (
            _ended_in_order(resume) as end,
            Register(resume or "", f"{program_version()} {judge} {keep_good} {keep_bad}") as register,
            Sorter(keep_good, keep_bad, register) as sorter,
            end.saved(),
        ):
            batch = end.batch = Batch(files, judge, register, crew(jobs, cluster, SIZE, paths), done)
            end.kept = (sorter, register)
            for games, shown in _shown(batch, files):
                for game in games:
                    if verbose or game.diagnostics:
                        shown.clear()
                    end.unread = end.unread or any(each.code in (NO_TEXT, UNREAD) for each in game.diagnostics)
                    report.game(game)
                    sorter.put(game)
                    if whole and game.witness:
                        whole.write(game.witness)
                if register.due():
                    sorter.save()
            sorter.save()
        report.end()
    end.tell(done, report.tally)


class _End:
    """How a check ends: early by Ctrl-C or not, and with which code."""

    def __init__(self, resume: str | None) -> None:
        self.unread = self.interrupted = False
        self.batch: Batch | None = None
        self.kept: tuple[Sorter, Register] | None = None
        self._resume = resume

    def tell(self, done: Progress, tally: Tally) -> None:
        """Say what the report doesn't, and end the program unless all is well."""
        from ..report import totals

        if done.before.games:
            click.echo(f"Checked before and not changed since: {totals(done.before)}", err=True)
        if self.interrupted:
            on = f"--resume {self._resume} goes on from here" if self._resume else "with --resume it could go on"
            click.echo(f"Interrupted after {totals(tally)}. The rest was not checked; {on}.", err=True)
            raise SystemExit(INTERRUPTED)
        if self.unread:
            raise SystemExit(2)
        if tally.severities["error"] or done.before.severities["error"]:
            raise SystemExit(1)

    @contextmanager
    def saved(self) -> Iterator[None]:
        """Save also where Ctrl-C ends the work, unless something is half done: then the last save is what holds."""
        try:
            yield
        except KeyboardInterrupt:
            if self.batch and self.kept and self.batch.settled:
                sorter, register = self.kept
                sorter.save()
                register.settle()
            raise


@contextmanager
def _ended_in_order(resume: str | None) -> Iterator[_End]:
    """Ctrl-C ends the work, and not the report of what was done."""
    from ..archive import Unable

    end = _End(resume)
    try:
        yield end
    except KeyboardInterrupt:
        end.interrupted = True
    except Unable as error:
        raise Trouble(str(error)) from None


def _shown(batch: Batch, files: Sources) -> Iterator[tuple[list[GameReport], Meter]]:
    """The reports, piece by piece, while a terminal shows how far they are."""
    total = sum(each.size for each in files) if watched() else None
    progress = batch.progress
    with meter("games", total) as shown, closing(batch.reports()) as pieces:
        for games in pieces:
            yield games, shown
            shown.show(progress.games, progress.bytes)


def _rule_info() -> dict[str, tuple[str, str]]:
    from ..codes import CODES

    # A code's own help speaks of a place in a record; what holds for all places stands on its page.
    return {code.code: (code.title, f"`tiro explain {code.code}` tells more.") for code in CODES.values()}
