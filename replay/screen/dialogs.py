"""Dialogs over the screen: the question where to go, something to read, and the help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

HELP: Final = (
    ("→ Space l", "one step forward"),
    ("← Backspace h", "one step back"),
    ("↓ j", "to the end of the next turn"),
    ("↑ k", "to the end of the turn before"),
    ("n", "next vote"),
    ("p N", "vote before"),
    ("Home End", "the set-up, the end"),
    ("g", "go to a turn, 7E, or a token in it, 7E.2"),
    ("v", "change the point of view"),
    ("Tab", "show only the text, and back"),
    ("PgDn PgUp", "more of what does not fit"),
    ("q", "quit"),
)
"""Keys and what they do."""
SIGNS: Final = (
    ("▸ •", "an annotation at this token, in this turn"),
    ("; |", "a comment, an alternative"),
    ("% ?", "a ruling, a line that can't be read"),
)
"""The signs before the lines of a story."""


class Jump(ModalScreen[bool]):
    """Asks for a turn. ``go`` takes what was typed and returns what is wrong with it; the result is whether it went
    there.
    """

    CSS = """
    Jump { align: center bottom; background: transparent; }
    Jump Vertical { height: auto; padding: 0 1; border: solid ansi_default; background: ansi_default; }
    Jump Input { border: none; height: 1; padding: 0; background: ansi_default; color: ansi_default; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)")]

    def __init__(self, go: Callable[[str], str]) -> None:
        super().__init__()
        self._go = go

    def compose(self) -> ComposeResult:
        """Lay out a question, an input line, and room for an error."""
        with Vertical():
            yield Static(Text("Go to a turn (7E) or to a token in it (7E.2); Esc stays here", "bold"))
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
        if not event.value.strip():
            self.dismiss(False)
            return
        wrong = self._go(event.value)
        if wrong:
            self.query_one("#wrong", Static).update(Text(wrong))
        else:
            self.dismiss(True)


FRAME: Final = 5
"""So many columns of the screen a leaf leaves free: its border, a gap, and a scrollbar."""


class ReadingScreen(ModalScreen[None]):
    """Something to read, which lies over the screen and scrolls. Any key that does not scroll closes it."""

    CSS = """
    ReadingScreen { align: center middle; background: transparent; }
    ReadingScreen VerticalScroll { width: auto; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
        border: solid ansi_default; background: ansi_default; scrollbar-size-vertical: 1; }
    ReadingScreen Static { width: auto; max-width: 100%; }
    """

    def __init__(self, content: RenderableType) -> None:
        super().__init__()
        self.content = content

    def compose(self) -> ComposeResult:
        """Lay out the content."""
        with VerticalScroll():
            yield Static(self.content)

    def on_key(self, event: Key) -> None:
        """Close it, unless the key scrolls."""
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end"):
            event.stop()
            self.dismiss()


class Help(ReadingScreen):
    """The keys and signs, explained."""

    CSS = """
    Help VerticalScroll { width: 62; }
    """

    def __init__(self, *parts: Sequence[tuple[str, str]]) -> None:
        """Show the rows of each part, with an empty line between the parts."""
        grid = Table.grid(Column(style="bold", no_wrap=True), Column(overflow="fold"), padding=(0, 2, 0, 0))
        for place, part in enumerate(parts):
            if place:
                grid.add_row()
            for name, what in part:
                grid.add_row(Text(name), Text(what))  # as it stands: brackets are no markup
        super().__init__(grid)
