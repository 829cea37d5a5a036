"""``tiro analyse``: how well a game was played, and who was lucky."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from ...notation.basics import dataclass, json_lines, visible
from ...notation.language import phrase
from ...replay.diagnostics.api import counted
from ...replay.engine.api import PLAYERS
from ..report.api import INTERNAL_ERROR
from ..storage.api import is_address, uninterrupted
from .common import (
    INTERRUPTED,
    NO_TEXT,
    STDIN,
    CliError,
    Meter,
    Output,
    as_cli_errors,
    cores,
    format_option,
    name_of,
    need_numpy,
    options_given,
    output_options,
    paths_argument,
    read_input,
    refuse_both,
    refuse_terminal,
    reported,
    require_packages,
    runner,
    runner_options,
    say,
    sources,
)
from .look import ChosenGame, choice_options

if TYPE_CHECKING:
    from ...notation.records import Game
    from ...replay.engine.api import ChosenView
    from ..archive.api import Batch
    from ..insight.api import KeptReport, PlayerSums, Report
    from ..report.api import GameReport
    from ..storage.sources import InputFiles

LEVELS: Final = ("quick", "default", "deep")
MARKS: Final = ("??", "?", "?!")
SIZE: Final = 1 << 12
"""The bytes of text that a process takes at a time, about four games: judging one takes seconds."""
PARQUET: Final = "parquet"
GAME_OPTIONS: Final = {
    "view": "--as", "number": "--game", "top": "--top", "marks": "--only", "page": "--page",
}  # fmt: skip
PLAYER_OPTIONS: Final = {"of": "--of", "parts": "--parts", "jobs": "--jobs", "cluster": "--cluster"}
"""The parameters that have no effect with ``--players``, or without it, and their options."""


def _marks(_context: click.Context, _option: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Return the marks that an option names; raise BadParameter for any other."""
    marks = tuple(part.strip() for part in (given or "").split(",") if part.strip())
    for mark in marks:
        if mark not in MARKS:
            why = phrase("“{mark}” is not a mark; use one of {marks}", mark=mark, marks=", ".join(MARKS))
            raise click.BadParameter(why, param_hint="--only")
    return marks


def level_option(help_text: str) -> Any:
    """Return an option ``--level`` (parameter ``level``)."""
    return click.option("--level", type=click.Choice(LEVELS), default="default", show_default=True, help=help_text)


@click.command()
@level_option("How closely to judge: quick uses only the net and gives no marks; deep takes a minute.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=0.0,
    help="Judge closely for at most this many seconds, and the rest quickly.",
)
@click.option("--top", type=click.IntRange(min=0), default=3, show_default=True, help="How many mistakes to list.")
@click.option("--only", "marks", metavar="MARKS", callback=_marks, help="List all decisions with these marks: '?,??'.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same report.")
@click.option("--keep", "kept", is_flag=True, help="Keep the report beside FILE, as FILE.insight.json, and reuse it.")
@click.option(
    "--page", metavar="FILE", help="With html, link to this page of the game (from tiro timeline --format html)."
)
@format_option("The format.", "text", "json", "csv", "html", "tiro", PARQUET)
@paths_argument
@click.option("--players", is_flag=True, help="Judge every game of every PATH, and report the players.")
@click.option(
    "--of",
    multiple=True,
    metavar="NAME",
    help="Only this player (as named in the headers), with the sources of their losses.",
)
@click.option(
    "--parts", is_flag=True, help="Show losses by phase, kind and group; CSV and Parquet then hold that table."
)
@runner_options
@choice_options
@output_options
def analyse(
    paths: tuple[str, ...],
    players: bool,
    of: tuple[str, ...],
    parts: bool,
    jobs: int,
    cluster: str | None,
    view: ChosenView,
    number: int | None,
    rules: str,
    level: str,
    seconds: float,
    top: int,
    marks: tuple[str, ...],
    seed: int,
    kept: bool,
    page: str | None,
    form: str,
    output: Output,
) -> None:
    """Judge how well the game in a file (- for standard input) was played, and who was lucky.

    With --players, report on the players in all games of every PATH, which can be anything that `tiro check` takes.

    Each player is judged by what they could know. A player's own record allows judging only that player, an arbiter's
    record both. --as caesar or --as cleopatra judges only that player, from the record that `tiro view` would write for
    them: nothing that is written contains, or depends on, a card that they did not see. Marks ?! ? ?? are given where a
    decision lowered the chance of winning by 5, 10 or 15 percentage points, and only where that is certain.

    A report kept beside FILE (--keep) is reused if it was made in the same way, and `tiro timeline --format html` shows
    it on the game's page.

    Illegal games are judged as far as their cards can be followed. The exit code is 1 if that is not the whole game.
    \f\b
    Examples:
      tiro analyse game.tiro
      tiro analyse game.tiro --as caesar --level deep
      tiro analyse game.tiro --keep
      tiro analyse game.tiro --format html --page game.html -o insight.html
      tiro analyse season/ --players --level quick --keep
      tiro analyse season/ --players --of Livia
    """
    for option in options_given(GAME_OPTIONS if players else PLAYER_OPTIONS):
        alone = phrase("{option} does not go with --players", option=option)
        raise click.UsageError(alone if players else phrase("{option} needs --players", option=option))
    refuse_both(f": {phrase('an incomplete report is not kept')}", keep=kept, seconds=seconds)
    if players:
        judge = {"rules": rules, "level": level, "seed": seed, "seconds": seconds, "keep": kept}
        _judge_players(paths, jobs, cluster, judge, of, parts, form, output)
        return
    chosen = ChosenGame(_only_file(paths), number or 0, view, rules, alone=True)
    if form == PARQUET:
        raise click.UsageError(phrase("parquet holds a table of players; add --players"))
    if kept and chosen.number > 1:
        raise click.UsageError(phrase("--keep is for the first game of a file; use --format json -o FILE for another"))
    if view and view not in PLAYERS:
        raise click.BadParameter(phrase("only players can be judged: name caesar or cleopatra"), param_hint="--as")
    side = PLAYERS.index(view) if view else None
    name = chosen.game.source.name  # this also refuses a point of view that saw more than the writer
    try:
        report = judged(chosen.file, chosen.whole, side, level, seed, seconds, rules)
    except ValueError as error:
        raise CliError(f"{name}: {phrase('{fault}; give --rules', fault=error)}") from None
    except LookupError as error:
        raise CliError(f"{name}: {error}") from None
    if kept:
        _keep(chosen.file, report, output.force)
    with output.open(inputs=[chosen.file]) as stream:
        if form == "text":
            from ..insight.api import text

            stream.writelines(f"{line}\n" for line in text(report, top, marks))
        else:
            _write(report, chosen, form, page or "", stream)
    chosen.end(chosen.moment(None)[1])


def _only_file(paths: tuple[str, ...]) -> str:
    """Return the only file that is named. Raise UsageError for several files, or for a folder."""
    file, *others = paths
    if others or os.path.isdir(file):
        why = phrase("name one file, and with --game its game; --players judges all games of every PATH")
        raise click.UsageError(why)
    return file


def _write(report: Report, chosen: ChosenGame, form: str, page: str, stream: TextIO) -> None:
    from ..insight.api import analysis_page, annotated, report_data, write_table

    match form:
        case "csv":
            write_table(report, stream)
        case "json":
            stream.write(json_lines(report_data(report), "sides"))
        case "tiro":
            from ...notation.records import write

            stream.write(write(annotated(chosen.game.record, report)))
        case "html":
            stream.write(analysis_page(report, page))


def _place(file: str) -> Path | None:
    """Return the path of the report on a file's first game, whether it exists or not; None for a file without a local
    folder.
    """
    from ..insight.report_files import report_path

    return None if file == STDIN or is_address(file) else report_path(file)


def kept_report(file: str, game: Game, rules: str) -> KeptReport | None:
    """Return the report kept beside a file; None if there is none.

    Raise ValueError if there is one, but the game's rule set is unknown. Say on standard error if it is not a report,
    or is a report on another game.
    """
    path = _place(file)
    if path is not None and path.is_file():
        from ..insight.api import (
            NoReport,
            kept,  # late: few games are judged
        )

        try:
            return kept(read_input(str(path)), game, rules)
        except NoReport as error:
            say(f"{path}: {phrase('{fault}; left out', fault=error)}")
    return None


def judged(
    file: str, game: Game, side: int | None, level: str, seed: int, seconds: float = 0.0, rules: str = ""
) -> Report:
    """Return the report on a game in a file: the one kept beside it if it was made in the same way, or a new one.

    The parameters and errors are the same as for :func:`tironian.tools.insight.analysis.analyse`; progress is shown.
    """
    from ..insight.api import analyse, as_kept, chosen

    need_numpy()
    found = kept_report(file, game, rules)
    if found and (report := chosen(found, game, side, level, seed, rules)):
        return report
    try:
        with Meter(phrase("decisions looked at")) as shown:
            watch = lambda looks: shown.show(looks, looks)  # noqa: E731
            return as_kept(analyse(game, side, level, seed, seconds, rules, cores(), watch=watch))
    except KeyboardInterrupt:
        say(phrase("Interrupted; {file} was not judged.", file=game.source.name))
        raise


def _keep(file: str, report: Report, force: bool) -> None:
    """Write a report beside a file.

    Raise CliError if that is impossible or, without ``force``, if something else is there.
    """
    from ..insight.api import NoReport, keep

    path = _place(file)
    if path is None:
        why = phrase("there is no folder to keep a report in; use --format json -o FILE")
        raise CliError(f"{name_of(file)}: {why}")
    try:
        with as_cli_errors(path):
            keep(report, path, force=force)
    except NoReport as error:
        raise CliError(f"{path}: {phrase('{fault}; --force overwrites it', fault=error)}") from None


def _judge_players(
    paths: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    judge: dict[str, Any],
    of: tuple[str, ...],
    parts: bool,
    form: str,
    output: Output,
) -> None:
    """Judge every game of some paths, and report on the players, or only on those named in ``of``.

    ``judge`` says how to judge the games. With ``parts``, tables show the parts of the players' decisions.
    """
    if form in ("html", "tiro"):
        why = phrase("{format} is for one game; --players allows text, json, csv and parquet", format=form)
        raise click.UsageError(why)
    alone = phrase("reports can only be kept beside files on this machine")
    refuse_both(f": {alone}", keep=judge["keep"], cluster=cluster)
    need_numpy()
    if form == PARQUET:
        require_packages("pyarrow", "fsspec", what=phrase("tables need"))
    from ..archive.api import Batch, Register
    from ..insight.api import GameJudge, PartLine, PlayerLine, PlayerSums, players_data, write_players

    files = sources(paths)
    run = _JudgedRun(PlayerSums(judge["level"], judge["seed"], of))
    with output.open(inputs=files.paths()) as stream, Register() as register:
        refuse_terminal(stream, form)
        run.go(Batch(files, GameJudge(**judge), register, runner(jobs, cluster, SIZE, paths, slow=True)), files)
        line, lines = (PartLine, run.sums.parts) if parts else (PlayerLine, run.sums.lines)
        if form == PARQUET:
            from ..archive.export import parquet_of

            stream.buffer.write(parquet_of(lines(), line))
        elif form == "csv":
            from ..insight.api import write_players_table

            write_players_table(lines(), line, stream)
        elif form == "json":
            stream.write(json_lines(players_data(run.sums), "players", "parts"))
        else:
            write_players(run.sums, stream, parts=parts or bool(of))
    run.finish()


@dataclass
class _JudgedRun:
    """Games being judged: what they show about their players, how many could be followed only in part, and the exit
    code.
    """

    sums: PlayerSums
    cut: int = 0
    code: int = 0

    def go(self, batch: Batch, files: InputFiles) -> None:
        """Judge all games. Ctrl-C ends this, but the finished part is still reported, if there is any."""
        try:
            for games, shown in reported(batch, files):
                with uninterrupted():  # or half a game would be counted
                    for game in games:
                        for sentence in self._count(game):
                            shown.clear()
                            say(f"{phrase('{file}, game {number}', file=game.file, number=game.game)}: {sentence}")
        except KeyboardInterrupt:
            if not self.sums.games:  # an empty report would replace an older one
                say(phrase("Interrupted; no game was judged, and nothing was written."))
                raise
            self.code = INTERRUPTED

    def _count(self, game: GameReport) -> list[str]:
        from ..archive.api import LOST
        from ..insight.api import FAILED, SPECTATED, JudgedGame

        if not isinstance(game, JudgedGame):
            codes = {fault.code for fault in game.diagnostics}
            self.code = max(self.code, 1 if codes.isdisjoint((NO_TEXT, *LOST)) else 2)
            if INTERNAL_ERROR in codes:
                self.sums.left_out[FAILED] += 1
            return [fault.message for fault in game.diagnostics]
        if game.left_out:
            self.sums.left_out[game.left_out] += 1
        else:
            self.sums.add(game.edition, game.players)
            self.cut += game.stopped is not None
        if game.stopped is not None or game.left_out not in ("", SPECTATED):
            self.code = max(self.code, 1)
        if game.unkept:
            self.code = 2
        return [game.unkept] if game.unkept else []

    def finish(self) -> None:
        """Say what the report doesn't say, and exit unless all games were read and followed to their end."""
        sums = self.sums
        for why, count in sums.left_out.items():
            say(phrase("Left out: {games} {why}.", games=counted(count, "game"), why=phrase(why)))
        for player in sums.unknown():
            say(phrase("No game can be used to judge a player called “{name}”.", name=visible(player)))
            self.code = max(self.code, 1)
        if sums.nameless:
            say(phrase("Left out: {sides} without a player's name.", sides=counted(sums.nameless, "side")))
        if self.cut:
            games = counted(self.cut, "game")
            say(phrase("Judged as far as the cards can be followed: {games}; tiro check says why.", games=games))
        if self.code == INTERRUPTED:
            say(phrase("Interrupted after {games}; the rest was not judged.", games=counted(sums.games, "game")))
        if self.code:
            raise SystemExit(self.code)
