"""What full screens are made of: a table, a bar, something to look at."""

from __future__ import annotations

from collections.abc import Collection

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual.containers import VerticalScroll

from ..table import TableView
from .steady import steady


class Picture:
    """A table in whatever width it is given; ``marked`` are letters of groups to be pointed at."""

    def __init__(self, table: TableView, marked: Collection[str] = ()) -> None:
        self._table, self._marked = table, marked

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich asks for."""
        yield steady(self._table, options.max_width, self._marked)


class Bar:
    """A text on a line of its own, which it fills."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich asks for."""
        line = self.text.copy()
        line.truncate(options.max_width, overflow="ellipsis", pad=True)
        line.stylize("reverse")
        yield line


class Still(VerticalScroll, can_focus=False, can_focus_children=False):
    """Something to look at, which scrolls where it does not fit but takes no keys."""
