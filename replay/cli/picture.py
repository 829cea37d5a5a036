"""The table of a game, written to a stream."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.text import Text

from ..screen.board import picture
from ..table import TableView


def draw(table: TableView, head: str, stream: TextIO) -> None:
    """Write the picture of the table, as wide as the terminal is; ``head`` says which moment it is."""
    console = Console(file=stream, highlight=False)
    moment = f"over: {table.ended}" if table.ended else f"{table.turn} to play"
    heading = Text(f"{head} · {table.edition} rules · {moment} · seen by {table.view}", style="bold")
    with console.capture() as drawn:
        for part in (heading, "", picture(table, console.width)):
            console.print(part)
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())
