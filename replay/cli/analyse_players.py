"""``tiro analyse --players``: what the games of an archive say of those who played them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from ..diagnostics.names import counted
from ..report.model import OWN_FAULT
from .common import INTERRUPTED, NO_TEXT, Command, open_output, reported, runner, runner_options, say, sources
from .export import need_pyarrow
from .look import ChosenGame, choice_options

if TYPE_CHECKING:
    from ..archive.batch import Batch
    from ..insight.player_sums import PlayerSums
    from ..report.model import GameReport
    from ..storage.sources import InputFiles

SIZE: Final = 1 << 12
"""Bytes of text that a process takes at once, some four games: judging one takes seconds."""
PARQUET: Final = "parquet"
OF_A_GAME: Final = {
    "view": "--as", "number": "--game", "top": "--top", "marks": "--only", "page": "--page",
}  # fmt: skip
OF_PLAYERS: Final = {"jobs": "--jobs", "cluster": "--cluster"}
"""Parameters that say nothing with ``--players``, or without, and their options."""


def paths_options(command: Command) -> Command:
    """Give a command PATH... and ``--players``, with which all games are judged and the command is not called.

    Otherwise it is called with what ``game_options`` gives, a :class:`ChosenGame` as its first parameter. Its own
    parameters ``level``, ``seconds``, ``seed``, ``kept`` and ``form``, and those of ``output_options``, hold for both.
    """

    @wraps(command)
    def with_paths(
        paths: tuple[str, ...],
        players: bool,
        jobs: int,
        cluster: str | None,
        view: str | None,
        number: int | None,
        rules: str | None,
        **more: Any,
    ) -> None:
        source = click.get_current_context().get_parameter_source
        for name, option in (OF_A_GAME if players else OF_PLAYERS).items():
            if source(name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"{option} {'does not go with' if players else 'needs'} --players")
        if more["kept"] and more["seconds"]:
            raise click.UsageError("--keep and --seconds exclude each other: a report that was cut short is not kept")
        if players:
            both = ("level", "seconds", "seed", "kept", "form", "output", "force")
            judge_players(paths, jobs, cluster, rules or "", **{name: more[name] for name in both})
            return
        file, *others = paths
        if others or os.path.isdir(file):
            raise click.UsageError("name one file, and with --game its game; --players judges all games of every PATH")
        if more["form"] == PARQUET:
            raise click.UsageError("parquet is a table of players; add --players")
        command(ChosenGame(file, number or 0, view or "", rules or ""), **more)

    players = click.option("--players", is_flag=True, help="Judge every game of every PATH, and report the players.")
    paths = click.argument("paths", nargs=-1, required=True, metavar="PATH...")
    return paths(players(runner_options(choice_options(with_paths))))


def judge_players(
    paths: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    rules: str,
    level: str,
    seconds: float | None,
    seed: int,
    kept: bool,
    form: str,
    output: str | None,
    force: bool,
) -> None:
    """Judge every game of some paths, and write what they say of the players."""
    from .report_file import need

    if form in ("html", "tiro"):
        raise click.UsageError(f"{form} is for one game; with --players there are text, json, csv and parquet")
    if kept and cluster:
        raise click.UsageError("--keep and --cluster exclude each other: reports are kept beside files of this machine")
    need("numpy")
    if form == PARQUET:
        need_pyarrow()
    from ..archive.batch import Batch
    from ..archive.judged_games import GameJudge
    from ..archive.register import Register
    from ..insight.player_sums import PlayerSums

    judge = GameJudge(rules, brief=True, level=level, seed=seed, seconds=seconds or 0.0, keep=kept)
    files = sources(paths)
    run = _JudgedRun(PlayerSums(level, seed))
    with open_output(output, force, inputs=files.paths()) as stream, Register() as register:
        if form == PARQUET and stream.isatty():
            raise click.UsageError("parquet can't be shown on a terminal; name a file with -o")
        run.go(Batch(files, judge, register, runner(jobs, cluster, SIZE, paths, slow=True)), files)
        if form == PARQUET:
            from ..archive.judged_games import players_parquet

            stream.buffer.write(players_parquet(run.sums.lines()))
        elif form == "json":
            from ..export.data import json_lines
            from ..insight.player_sums import players_data

            stream.write(json_lines(players_data(run.sums), "players"))
        else:
            from ..insight.player_sums import write_players, write_players_table

            (write_players_table if form == "csv" else write_players)(run.sums, stream)
    run.finish()


@dataclass
class _JudgedRun:
    """Games being judged: what they say of their players, how many could be followed only in part, the exit code."""

    sums: PlayerSums
    cut: int = 0
    code: int = 0

    def go(self, batch: Batch, files: InputFiles) -> None:
        """Judge all games. Ctrl-C ends this, but not the report of what was done."""
        try:
            for games, shown in reported(batch, files):
                for game in games:
                    for sentence in self._count(game):
                        shown.clear()
                        say(f"{game.file}, game {game.game}: {sentence}")
        except KeyboardInterrupt:
            self.code = INTERRUPTED

    def _count(self, game: GameReport) -> list[str]:
        """Count a game; return what is to be said of it at once."""
        from ..archive.chunks import LOST
        from ..archive.judged_games import FAILED, SPECTATED, JudgedGame

        if not isinstance(game, JudgedGame):
            codes = [fault.code for fault in game.diagnostics]
            self.code = max(self.code, 2 if any(code in (NO_TEXT, *LOST) for code in codes) else 1)
            if OWN_FAULT in codes:
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
        """Say what the report doesn't, and exit unless all games were read and followed to their end."""
        sums = self.sums
        for why, count in sums.left_out.items():
            say(f"Left out: {counted(count, 'game')} {why}.")
        if sums.nameless:
            say(f"Left out: {counted(sums.nameless, 'side')} without the name of a player.")
        if self.cut:
            say(f"Judged as far as the cards can be followed: {counted(self.cut, 'game')}; tiro check says why.")
        if self.code == INTERRUPTED:
            say(f"Interrupted after {counted(sums.games, 'game')}; the rest was not judged.")
        if self.code:
            raise SystemExit(self.code)
