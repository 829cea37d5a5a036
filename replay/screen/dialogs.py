"""Dialogs over the screen: the question where to go, something to read, and the help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Input, Static

from ..recording.help_texts import help_texts
from .widgets import Dialog, edit, typed_text


class Jump(Dialog[bool]):
    """Asks for a turn. ``go`` takes what was typed and returns what is wrong with it; the result is whether it went
    there.
    """

    def __init__(self, go: Callable[[str], str]) -> None:
        super().__init__()
        self._go = go
        self._line = Input(max_length=20, compact=True)

    def compose(self) -> ComposeResult:
        """Lay out a question, an input line, and room for an error."""
        with Vertical():
            where = "a turn (7E), a token in it (7E.2), a vote before it is decided (7E.2v)"
            yield Static(Text(f"Go to {where}; Esc stays here", "bold"))
            yield self._line
            yield Static(id="wrong")

    async def pressed(self, key: Key) -> None:
        """Go there, or say why not, or type."""
        typed = bool(self._line.value.strip())
        if key.key == "escape":
            self.dismiss(False)
        elif key.key != "enter":
            await edit(self._line, key)
        elif typed and (wrong := self._go(self._line.value)):
            self.query_one("#wrong", Static).update(Text(wrong))
        else:
            self.dismiss(typed)


FRAME: Final = 5
"""So many columns of the screen a leaf leaves free: its border, a gap, and a scrollbar."""


CLOSES: Final = "Esc closes this"
SCROLLS: Final = "↑ ↓ PgUp PgDn: more of it"
SCROLLING: Final = {
    "up": "scroll_up",
    "down": "scroll_down",
    "pageup": "page_up",
    "pagedown": "page_down",
    "home": "scroll_home",
    "end": "scroll_end",
}
"""Keys → what Textual calls that."""
Typed = Callable[[Key], Awaitable[None]]


class ReadingScreen(Dialog[None]):
    """Something to read, which lies over the screen and scrolls. Any key that does not scroll closes it.

    ``typed`` gets such a key where it is one that types.
    """

    def __init__(self, content: RenderableType, typed: Typed | None = None, classes: str = "") -> None:
        super().__init__(classes=classes)
        self.content, self._typed = content, typed

    def compose(self) -> ComposeResult:
        """Lay out the content."""
        with VerticalScroll() as leaf:
            leaf.border_title, leaf.border_subtitle = CLOSES, SCROLLS
            yield Static(self.content)

    async def pressed(self, key: Key) -> None:
        """Scroll, or close it."""
        if key.key in SCROLLING:
            for leaf in self.query(VerticalScroll):  # there is none before it is drawn
                await leaf.run_action(SCROLLING[key.key])
            return
        self.dismiss()
        if self._typed and typed_text(key):
            await self._typed(key)


def help_screen(*parts: Mapping[str, str], typed: Typed | None = None) -> ReadingScreen:
    """Return a screen with the rows of each part, keys or signs and what they mean, with an empty line in between."""
    grid = Table.grid(Column(style="bold", no_wrap=True), Column(overflow="fold"), padding=(0, 2, 0, 0))
    for number, part in enumerate(parts):
        if number:
            grid.add_row()
        for name, meaning in part.items():
            grid.add_row(Text(name), Text(meaning))  # as it stands: brackets are no markup
    return ReadingScreen(grid, typed, "help")


def key_texts() -> dict[str, dict[str, str]]:
    """Return the help on keys and signs, by the parts of ``keys.toml``."""
    return help_texts(__name__, "keys.toml")
