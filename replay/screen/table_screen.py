"""What the full screens of ``tiro record`` and ``tiro play`` share: the table, what has happened, and a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Resize
from textual.widgets import Static

from ..recording.menu import MenuLine
from ..views.table_view import TableView
from .board import AIRY, ROOMY, full_screen_board
from .pick_list import UNCHOSEN, Row
from .widgets import Panel, ResponsiveApp, ScrollPanel, bar

BESIDE: Final = 44
"""How wide the lines are that stand beside the table."""
WIDE: Final = ROOMY + BESIDE + 2
"""From here on they do."""


class TableScreen(ResponsiveApp):
    """A table, lines of what has happened, and a list to pick from."""

    ALLOW_SELECT = False
    FOOT: ClassVar[str]
    """The keys, as they are told in the last line."""

    def __init__(self, title: str, *stylesheets: str) -> None:
        super().__init__(title, "table_screen.tcss", *stylesheets)
        self.notices: list[str] = []
        self.at = UNCHOSEN
        """The line of the list that is chosen; UNCHOSEN where none is, TYPING while the keys go to the line."""
        self.back = 0
        """How many of the lines of what has happened lie below what is shown of them."""
        self._rows: list[Row] = []
        """The list as it was drawn."""

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="title")
        with Container(id="body"):
            with Container(id="left"):
                with ScrollPanel(id="table"):
                    yield Panel(self.show_table, id="picture")
                yield Panel(self.show_lines, id="last")
                yield from self.asking()
                yield Panel(self.show_list, id="below")
            yield Panel(self.show_lines, id="lines")
        yield Static(bar(Text(self.FOOT)), id="keys")

    def asking(self) -> ComposeResult:
        """Lay out what stands above the list."""
        yield Static(id="asked")

    def on_resize(self, event: Resize) -> None:
        """Lay out the parts."""
        width, height = event.size
        is_wide = width >= WIDE
        self.set_class(is_wide, "wide")
        self.set_class(height >= AIRY, "airy")
        self._part("#lines").styles.width = BESIDE
        last, table = self.heights(height, wide=is_wide)
        self._part("#last").styles.height = last
        self.query_one("#table", ScrollPanel).styles.max_height = table

    def heights(self, height: int, *, wide: bool) -> tuple[int, int]:
        """Return how many lines what has happened takes below the table, and the table at most.

        On a ``wide`` screen it stands beside the table, with all its lines.
        """
        raise NotImplementedError

    @property
    def choices(self) -> list[MenuLine]:
        """Return the list."""
        raise NotImplementedError

    def happened(self, width: int) -> list[Text]:
        """Return what has happened, in lines of that width."""
        raise NotImplementedError

    def show_table(self) -> None:
        """Draw the table."""
        raise NotImplementedError

    def show_list(self) -> None:
        """Draw the question, what is to be said, and the list."""
        raise NotImplementedError

    def show_lines(self) -> None:
        """Draw the end of what has happened, as much as there is room for; ``back`` lines further up."""
        width, height = self.lines_panel.size
        lines = self.happened(max(1, width))
        self.back = max(0, min(self.back, len(lines) - height))
        end = len(lines) - self.back
        self.lines_panel.update(Text("\n").join(lines[max(0, end - height) : end]), layout=False)

    @property
    def lines_panel(self) -> Static:
        """Return where that is drawn."""
        return self._part("#lines" if self.has_class("wide") else "#last")

    def draw(self, name: str, content: RenderableType) -> None:
        """Draw a part whose size stays as it is."""
        self._part(name).update(content, layout=False)

    def draw_table(self, seen: TableView, marked: Collection[str] = (), *, is_over: bool) -> None:
        """Draw the table as it is ``seen``; when the game ``is_over`` the score sheet takes the room between lines."""
        panel = self._part("#picture")
        airy = self.size.height >= AIRY and not is_over
        table = full_screen_board(seen, panel.size.width or self.size.width, marked, airy=airy)
        # Said and not found out, so that nothing is laid out anew while the height stays.
        panel.styles.height = len(table.split())
        panel.update(table, layout=False)

    def draw_question(self, lines: Sequence[Text]) -> None:
        """Draw what is asked."""
        self._part("#asked").styles.height = len(lines)  # said and not found out, as that of the table
        self.draw("#asked", Text("\n").join(lines))

    def choose(self, at: int) -> None:
        """Choose a line of the list."""
        self.at = at
        self.show_list()

    def pick_beside(self, pace: int) -> None:
        """Go to the choice before or after, in the same line or the next one."""
        self.choose(max(0, min(self.at + pace, len(self.choices) - 1)))

    def scroll_table(self, pages: int) -> None:
        """Show more of the table."""
        table = self.screen_stack[0].query_one("#table", ScrollPanel)
        table.scroll_relative(y=pages * max(1, table.size.height - 1), animate=False)

    def scroll_lines(self, pages: int) -> None:
        """Show more of what has happened."""
        self.back -= pages * max(1, self.lines_panel.size.height - 1)
        self.show_lines()
