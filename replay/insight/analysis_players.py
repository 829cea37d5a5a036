"""What many judged games say of their players, as text, as a table, and as ``schemas/players.schema.json`` has it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, Final, TextIO

from ...notation.safe_text import cell, visible
from ..analysis.expectation import percent
from ..diagnostics.names import counted
from .analysis_text import signed
from .highlights import FEW_DECISIONS, FEW_GAMES, OPEN
from .judgement import MARKS
from .net import load
from .player_sums import PlayerLine, PlayerSums

SCHEMA: Final = "urn:tironian:schema:players:1"
TOO_FEW: Final = "too few"
PAPER, NARROWEST = 120, 80
"""Columns where there is no terminal, and those that a table needs."""


def players_data(sums: PlayerSums) -> dict[str, Any]:
    """Return what is said of players as the schema's object."""
    return {
        "$schema": SCHEMA,
        "about": {
            "level": sums.level,
            "seed": sums.seed,
            "nets": {rules: load(rules).name for rules in sums.rules()},
        },
        "games": sums.games,
        "nameless": sums.nameless,
        "left_out": dict(sorted(sums.left_out.items())),
        "players": [line._asdict() for line in sums.lines()],
    }


def write_players_table(sums: PlayerSums, stream: TextIO) -> None:
    """Write a row for each player and rule set to a text stream; chances are from 0 to 1."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(PlayerLine._fields)
    for line in sums.lines():
        writer.writerow([cell(value) if isinstance(value, str) else value for value in line])


def write_players(sums: PlayerSums, stream: TextIO) -> None:
    """Write a table for people for each rule set, and what its columns mean."""
    from rich.console import Console

    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    console.width = max(console.width, NARROWEST) if console.is_terminal else PAPER
    lines = sums.lines()
    with console.capture() as drawn:
        for rules in sums.rules():
            console.print(f"{rules} rules, net {load(rules).name}, level {sums.level}, seed {sums.seed}\n")
            console.print(_table([line for line in lines if line.rules == rules], marked=sums.level != "quick"))
            console.print()
        for sentence in _legend(lines):
            console.print(sentence)
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def _table(lines: list[PlayerLine], *, marked: bool) -> Any:
    from rich import box
    from rich.table import Column, Table

    marks = [mark for mark, *_ in MARKS] if marked else []
    luck = ["luck:\ndraws", "busts", "hidden"]
    heads = ["games", "deci-\nsions", "loss", "95 %", *marks, *luck, "won-\ndrawn-\nlost"]
    columns = [Column(head, justify="right", vertical="bottom", no_wrap=True) for head in heads]
    name = Column("player", vertical="bottom", overflow="fold")
    table = Table(name, *columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for line in lines:
        between = TOO_FEW if line.low is None or line.high is None else f"{_points(line.low)}–{_points(line.high)}"
        given = [f"{mark:.1f}" for mark in (line.blunders, line.mistakes, line.dubious) if mark is not None]
        luck = [signed(part) for part in (line.draws, line.busts, line.reveals)]
        head = [visible(line.player), str(line.games), str(line.decisions), _points(line.loss_per_decision)]
        table.add_row(*head, between, *given, *luck, f"{line.won}-{line.drawn}-{line.lost}")
    return table


def _legend(lines: list[PlayerLine]) -> Iterator[str]:
    if not lines:
        yield "No game says anything of a player with a name."
        return
    yield (
        f"loss: points of W, the chance of winning, lost per decision while W was between {percent(OPEN[0])} and "
        f"{percent(OPEN[1])}; less is better."
    )
    yield "95 %: where it truly lies, 19 times of 20. Where those of two players overlap, they may play equally well."
    if any(not line.enough for line in lines):
        yield (
            f"{TOO_FEW}: with fewer than {counted(FEW_DECISIONS, 'decision')} or {counted(FEW_GAMES, 'game')} nothing "
            "is said of how strong somebody plays."
        )
    marks = "; ".join([f"{mark}: from {100 * least:.0f} points" for mark, least, _ in MARKS])
    if lines[0].dubious is not None:
        yield f"Marks of a game: {marks}, where that is certain."
    yield "draws, busts, hidden: luck of a game in points of W, by cards drawn, what came up, and what lay hidden."


def _points(chance: float) -> str:
    return f"{100 * chance:.1f}"
