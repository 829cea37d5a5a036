"""``tiro check``: replay every game of every file and report what is wrong."""

from __future__ import annotations

import os
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final, TextIO

import click

from ...notation.basics import dataclass, program_version, visible
from ...notation.language import Messages, phrase
from ...notation.records import ERROR, WARNING
from ..report.api import FORMATS, Selection, reporter
from ..storage.api import uninterrupted
from .common import (
    INTERRUPTED,
    NO_TEXT,
    STDIN,
    CliError,
    Output,
    completing,
    format_option,
    output_options,
    paths_argument,
    refuse_address,
    refuse_both,
    reported,
    rules_option,
    runner,
    runner_options,
    say,
    skipped_file_lines,
    sources,
)

if TYPE_CHECKING:
    from ..archive.api import Batch, Register, Sorter
    from ..report.api import GameReport, Reporter
    from ..storage.sources import InputFiles

FAILING = {ERROR: (ERROR,), WARNING: (ERROR, WARNING)}
"""Value of --fail-on → the severities that make the command end with 1."""
_FOLDERS = ("--keep-good", "--keep-bad")
LOCAL_ONLY: Final[Messages] = {
    "--resume": "STATE must be a local file, since it is constantly updated; the games can be anywhere",
    **dict.fromkeys(_FOLDERS, "games are sorted into a local folder; name one, and copy it afterwards"),
}
"""Option → why the thing that it names can't be written to an address."""
SIZE = 1 << 17
"""The bytes of text that a process takes at a time, some 120 games."""


def _codes(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes, or beginnings of codes, that an option names; raise BadParameter if no code begins with one."""
    if not given:
        return ()
    from ...replay.diagnostics.api import CODES

    names = sorted({name.strip().upper() for names in given for name in names.split(",")})
    for name in names:
        if not name or not any(code.startswith(name) for code in CODES):
            why = phrase("there is no code “{code}”; `tiro explain --list` lists all codes", code=name)
            raise click.BadParameter(why)
    return tuple(names)


@completing
def _offered() -> dict[str, str]:
    from ...replay.diagnostics.api import CODES

    return {code: phrase(CODES[code].title) for code in sorted(CODES)}


_codes_option = partial(click.option, multiple=True, callback=_codes, metavar="CODE,...", shell_complete=_offered)


@click.command()
@paths_argument
@format_option("The format of the report.", *FORMATS)
@partial(rules_option, which="records that do not name a known one")
@click.option("--infer-rules", is_flag=True, help="Judge records without a rule set by a rule set that explains them.")
@click.option("--strict", is_flag=True, help="Require canonical form too.")
@click.option(
    "--suggest", is_flag=True, help="Suggest which slips would explain a broken game; this takes a moment for each."
)
@click.option("--require-finished", is_flag=True, help="Require every game to be over.")
@runner_options
@click.option("-v", "--verbose", is_flag=True, help="Print a line for every game, including those without problems.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors and warnings: no notes, no totals.")
@_codes_option("--select", help="Report only these codes; a CODE may be a prefix, such as H or R4.")
@_codes_option("--ignore", help="Do not report these codes.")
@click.option(
    "--fail-on",
    type=click.Choice(list(FAILING)),
    default=ERROR,
    show_default=True,
    help="The lowest severity that makes the exit code 1.",
)
@click.option(
    "--witness", metavar="FILE", help="For each possible game, write to FILE a complete record that explains it."
)
@click.option("--keep-good", metavar="DIR", help="Write the games that are legal or possible to files in DIR.")
@click.option("--keep-bad", metavar="DIR", help="Write all other games to files in DIR.")
@click.option(
    "--resume",
    metavar="STATE",
    help="Remember in the file STATE what was checked, and next time check only what has changed.",
)
@output_options
def check(
    paths: tuple[str, ...],
    form: str,
    rules: str,
    infer_rules: bool,
    strict: bool,
    suggest: bool,
    require_finished: bool,
    jobs: int,
    cluster: str | None,
    verbose: bool,
    quiet: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    witness: str | None,
    keep_good: str | None,
    keep_bad: str | None,
    resume: str | None,
    output: Output,
) -> None:
    """Replay every game of every PATH and report problems.

    A PATH is a file, a folder, a pattern such as 'games/*.tiro', or - for standard input; each may be compressed
    (gzip, zstd, bzip2, xz) or an archive (zip, tar).

    A record with unknown cards is possible if some cards explain it, and illegal if none do. Games with the same moves
    are noted, wherever they are. The exit code is 1 if errors are reported, 0 if there are none (warnings count only
    with --fail-on warning, notes never), and 2 if something can't be read at all or tiro fails on a game. What --select
    and --ignore leave out does not affect the exit code; a game's verdict is unchanged.
    \f\b
    Examples:
      tiro check games/                      every text and archive in the folder
      tiro check --format sarif -o found.sarif games/
      tiro check --suggest scoresheet.tiro
      tiro check --resume season.state 'archive/**/*.tiro.gz' season.zip
      tiro check --keep-good good/ --keep-bad bad/ games/
    """
    from ..archive.api import Batch, ChunkChecker, Register

    refuse_both(verbose=verbose, quiet=quiet)
    refuse_both(rules=rules, infer_rules=infer_rules)
    written = {"-o": output.path, "--witness": witness, "--resume": resume}
    written |= {"--keep-good": keep_good, "--keep-bad": keep_bad}
    files = _sources(paths, written)
    asked = {"witness": bool(witness), "texts": bool(keep_good or keep_bad), "finished": require_finished}
    # Games with nothing to report are only counted, unless something else needs them.
    asked["brief"] = form == "text" and not (verbose or witness or asked["texts"])
    asked |= {"suggest": suggest, "infer": infer_rules}
    checker, selection = ChunkChecker(rules, strict, moves=True, **asked), Selection(select, ignore)
    demands = f"{program_version()} {checker} {selection} {keep_good} {keep_bad}" if resume else ""
    with (
        Register(resume or "", demands) as register,  # closed when the report is on disk
        output.open(inputs=files.paths()) as stream,
        Output(witness, output.force).open(inputs=files.paths()) if witness else nullcontext() as witnesses,
    ):
        report = reporter(form, stream, verbose=verbose, quiet=quiet, failing=FAILING[fail_on])
        batch = Batch(files, checker, register, runner(jobs, cluster, SIZE, paths), selection)
        run = _Run(files, register, batch, report, witnesses)
        run.go(keep_good, keep_bad, verbose=verbose)
    run.finish(resume, FAILING[fail_on], quiet=quiet)


def _sources(paths: tuple[str, ...], written: dict[str, str | None]) -> InputFiles:
    """Return the files to check. Raise BadParameter or CliError if something that the options name can't be written."""
    if written["--witness"] == STDIN and written["-o"] in (None, STDIN):
        why = phrase("the report goes to standard output; name a file here, or with -o")
        raise click.BadParameter(why, param_hint="--witness")
    if written["--resume"] and STDIN in paths:
        why = phrase("--resume can't be used with standard input; name files")
        raise click.BadParameter(why, param_hint="--resume")
    for option, name in written.items():
        refuse_address(name or "", phrase(LOCAL_ONLY[option]) if option in LOCAL_ONLY else "")
    _refuse_one_place(written)
    inputs = sources(paths)
    for folder in filter(None, map(written.get, _FOLDERS)):
        if inputs.overlaps(folder):
            raise CliError(f"{folder}: {phrase('this is inside a folder that is being read; name another one')}")
    return inputs


def _refuse_one_place(written: dict[str, str | None]) -> None:
    """Raise BadParameter if two options name the same place, or one names a place inside another's."""
    places: dict[str, str] = {}
    for option, name in written.items():
        if name is None or name == STDIN:
            continue
        if not name:
            raise click.BadParameter(phrase("the name is empty"), param_hint=option)
        place = os.path.realpath(name)
        if os.path.exists(place) and not (os.path.isfile(place) or os.path.isdir(place)):
            continue  # several things can be written to one pipe or device
        for other, other_place in places.items():
            if os.path.commonpath((place, other_place)) in (place, other_place):
                why = phrase("this overlaps with {option}; choose another place", option=visible(other))
                raise click.BadParameter(f"{visible(name)}: {why}", param_hint=option)
        places[option] = place


@dataclass
class _Run:
    """A check of some files, where its report goes, and how it ended."""

    files: InputFiles
    register: Register
    batch: Batch
    report: Reporter
    witnesses: TextIO | None
    unread: bool = False
    interrupted: bool = False

    def go(self, good: str | None, bad: str | None, *, verbose: bool) -> None:
        """Check and report each game. Ctrl-C ends this, but the finished part is still reported."""
        from ..archive.api import Sorter

        self.report.begin()
        try:
            with Sorter(good, bad, self.register) as sorter:
                self._sort(sorter, verbose=verbose)
        except KeyboardInterrupt:
            self.interrupted = True
        self.report.not_read = self.files.passed_over
        self.report.end()

    def _sort(self, sorter: Sorter, *, verbose: bool) -> None:
        """Check, report and sort each game.

        Save at the end, even after Ctrl-C, but nothing half done: the last complete state stays.
        """
        try:
            for games, shown in reported(self.batch, self.files):
                with uninterrupted():  # or a report would end in the middle of a game
                    self.report.tally.join(self.batch.counted)
                    for game in games:
                        if verbose or game.diagnostics:
                            shown.clear()
                        self._report(game)
                        sorter.add(game)
                    self.batch.settled = True
                if self.register.due():
                    sorter.save()
            sorter.finish()
        except KeyboardInterrupt:
            if self.batch.settled:
                sorter.save()
                self.register.settle()
            raise
        self.register.settle()

    def _report(self, game: GameReport) -> None:
        if game.diagnostics and not self.unread:
            from ..archive.api import LOST

            self.unread = any(fault.code in (NO_TEXT, *LOST) for fault in game.diagnostics)
        self.report.game(game)
        if self.witnesses and game.witness:
            self.witnesses.write(game.witness)

    def finish(self, resume: str | None, failing: tuple[str, ...], *, quiet: bool) -> None:
        """Say what the report doesn't say, and exit unless everything was read and no problem has a severity in
        ``failing``.
        """
        tally, before = self.report.tally, self.batch.before
        if self.register.demands_changed and not quiet:
            say(f"{resume}: {phrase('games last checked with other options or by another version were checked again')}")
        if before.games and not quiet:
            say(phrase("Checked before and unchanged: {totals}", totals=before.in_words()))
        if not quiet:
            say(*skipped_file_lines(self.files.passed_over))
        if self.interrupted:
            on = phrase("with --resume, a check can be continued")
            if resume:
                on = phrase("--resume {file} continues from here", file=resume)
            said = phrase("Interrupted after {totals}.", totals=tally.in_words())
            say(f"{said} {phrase('The rest was not checked; {how}.', how=on)}")
            raise SystemExit(INTERRUPTED)
        if self.unread:
            raise SystemExit(2)
        if not (tally.severities + before.severities).keys().isdisjoint(failing):
            raise SystemExit(1)
