"""Shared by the full screens of ``tiro record`` and ``tiro play``: the table, what has happened, and a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.events import Resize
from textual.widgets import Static

from ..recording.menu import MenuLine
from ..views.table_view import TableView
from .board import AIRY, full_screen_board
from .pick_list import UNCHOSEN, Row
from .widgets import Panel, ResponsiveApp, ScrollPanel, bar

LEAST: Final = 3
"""The least number of lines for the message, and for a list to choose from, however long the other is."""
BELOW: Final = 5
"""How many lines both have together if the table leaves that many."""
BOARD: Final = (11, 17)
"""How many lines the table usually has, and how many with space between the groups."""
MOST: Final = 11
"""The most lines for both; further lines show what has happened."""


class TableScreen(ResponsiveApp):
    """A table, lines of what has happened, and a list to pick from."""

    ALLOW_SELECT = False
    FOOT: ClassVar[str]
    """The keys, as shown in the last line."""
    BESIDES: ClassVar[int]
    """How many lines the title, the question, the keys and the space between them take."""

    def __init__(self, title: str, *stylesheets: str) -> None:
        super().__init__(title, "table_screen.tcss", *stylesheets)
        self.notices: list[str] = []
        self.at = UNCHOSEN
        """The line of the list that is chosen; UNCHOSEN if none is, TYPING while the keys go to the input line."""
        self.back = 0
        """How many lines of what has happened are below the part that is shown."""
        self._rows: list[Row] = []
        """The list as it was drawn."""

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="title")
        with ScrollPanel(id="table"):
            yield Panel(self.show_table, id="picture")
        yield Panel(self.show_lines, id="last")
        yield from self.asking()
        yield Panel(self.show_list, id="below")
        yield Static(bar(Text(self.FOOT)), id="keys")

    def asking(self) -> ComposeResult:
        """Lay out what is above the list."""
        yield Static(id="asked")

    def on_resize(self, event: Resize) -> None:
        """Lay out the parts."""
        self.set_class(event.size.height >= AIRY, "airy")
        self.divide(event.size.height)

    def divide(self, height: int, *, is_over: bool = False) -> None:
        """Divide the lines among the parts: remaining lines go to the list, then to what has happened.

        When the game ``is_over``, the score sheet gets them.
        """
        spare = height - self.BESIDES - BOARD[height >= AIRY]
        last = max(1, min(LEAST, spare) if is_over else spare - min(MOST, max(BELOW + 1, spare // 2)))
        self._part("#last").styles.height = last
        self.query_one("#table", ScrollPanel).styles.max_height = max(LEAST + 1, height - self.BESIDES - last - BELOW)

    @property
    def choices(self) -> list[MenuLine]:
        """Return the list."""
        raise NotImplementedError

    def happened(self, width: int) -> list[Text]:
        """Return what has happened, in lines of this width."""
        raise NotImplementedError

    def show_table(self) -> None:
        """Draw the table."""
        raise NotImplementedError

    def show_list(self) -> None:
        """Draw the question, the message, and the list."""
        raise NotImplementedError

    def show_lines(self) -> None:
        """Draw the end of what has happened, as much as fits; ``back`` lines further up."""
        width, height = self._part("#last").size
        lines = self.happened(max(1, width))
        self.back = max(0, min(self.back, len(lines) - height))
        end = len(lines) - self.back
        shown = lines[max(0, end - height) : end]
        # They grow from below, where the next line appears.
        self.draw("#last", Text("\n").join([*[Text()] * (height - len(shown)), *shown]))

    def draw(self, name: str, content: RenderableType) -> None:
        """Draw a part whose size does not change."""
        self._part(name).update(content, layout=False)

    def draw_table(self, seen: TableView, marked: Collection[str] = (), *, is_over: bool) -> None:
        """Draw the table as it is ``seen``; when the game ``is_over``, the score sheet uses the space between lines."""
        panel = self._part("#picture")
        airy = self.size.height >= AIRY and not is_over
        table = full_screen_board(seen, panel.size.width or self.size.width, marked, airy=airy)
        self.divide(self.size.height, is_over=is_over)
        # Set explicitly, so that the layout is not recalculated while the height stays the same.
        panel.styles.height = len(table.split())
        panel.update(table, layout=False)

    def draw_question(self, lines: Sequence[Text]) -> None:
        """Draw what is asked."""
        self._part("#asked").styles.height = len(lines)  # set explicitly, like that of the table
        self.draw("#asked", Text("\n").join(lines))

    def choose(self, at: int) -> None:
        """Choose a line of the list."""
        self.at = at
        self.show_list()

    def pick_beside(self, pace: int) -> None:
        """Go to the choice before or after, in the same line or the next one."""
        self.choose(max(0, min(self.at + pace, len(self.choices) - 1)))

    def scroll(self, pages: int) -> None:
        """Scroll the table or, if all of it is on the screen, what has happened."""
        table = self.screen_stack[0].query_one("#table", ScrollPanel)
        if table.max_scroll_y:
            table.scroll_relative(y=pages * max(1, table.size.height - 1), animate=False)
        else:
            self.back -= pages * max(1, self._part("#last").size.height - 1)
            self.show_lines()
