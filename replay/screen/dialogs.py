"""Dialogs over the screen: the question where to go, something to read, and the help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ..recording.help_texts import help_texts


class Jump(ModalScreen[bool]):
    """Asks for a turn. ``go`` takes what was typed and returns what is wrong with it; the result is whether it went
    there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)")]

    def __init__(self, go: Callable[[str], str]) -> None:
        super().__init__()
        self._go = go

    def compose(self) -> ComposeResult:
        """Lay out a question, an input line, and room for an error."""
        with Vertical():
            where = "a turn (7E), a token in it (7E.2), a vote before it is decided (7E.2v)"
            yield Static(Text(f"Go to {where}; Esc stays here", "bold"))
            yield Input(max_length=20, compact=True)
            yield Static(id="wrong")

    async def on_key(self, event: Key) -> None:
        """Keep what is typed before the input line is ready."""
        line = self.query_one(Input)
        if self.focused is line:
            return
        if event.key == "enter":
            await line.action_submit()
        elif event.is_printable and event.character:
            line.insert_text_at_cursor(event.character)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go there, or say why not."""
        typed = bool(event.value.strip())
        if typed and (wrong := self._go(event.value)):
            self.query_one("#wrong", Static).update(Text(wrong))
        else:
            self.dismiss(typed)


FRAME: Final = 5
"""So many columns of the screen a leaf leaves free: its border, a gap, and a scrollbar."""


CLOSES: Final = "Esc closes this"
SCROLLS: Final = "↑ ↓ PgUp PgDn: more of it"


class ReadingScreen(ModalScreen[None]):
    """Something to read, which lies over the screen and scrolls. Any key that does not scroll closes it."""

    def __init__(self, content: RenderableType, classes: str = "") -> None:
        super().__init__(classes=classes)
        self.content = content

    def compose(self) -> ComposeResult:
        """Lay out the content."""
        with VerticalScroll() as leaf:
            leaf.border_title, leaf.border_subtitle = CLOSES, SCROLLS
            yield Static(self.content)

    def on_key(self, event: Key) -> None:
        """Close it, unless the key scrolls."""
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end"):
            event.stop()
            self.dismiss()


def help_screen(*parts: Mapping[str, str]) -> ReadingScreen:
    """Return a screen with the rows of each part, keys or signs and what they mean, with an empty line in between."""
    grid = Table.grid(Column(style="bold", no_wrap=True), Column(overflow="fold"), padding=(0, 2, 0, 0))
    for number, part in enumerate(parts):
        if number:
            grid.add_row()
        for name, meaning in part.items():
            grid.add_row(Text(name), Text(meaning))  # as it stands: brackets are no markup
    return ReadingScreen(grid, classes="help")


def key_texts() -> dict[str, dict[str, str]]:
    """Return the help on keys and signs, by the parts of ``keys.toml``."""
    return help_texts(__name__, "keys.toml")
