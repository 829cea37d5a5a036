"""The parts of full screens: applications, dialogs, a bar, a scrolling panel, a drawn panel, an input line."""

from __future__ import annotations

import gc
import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Final, TypeVar
from unicodedata import category

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.color import Color
from textual.containers import Vertical, VerticalScroll
from textual.driver import Driver
from textual.events import Event, Key, Paste
from textual.filter import LineFilter
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ...notation.safe_text import visible
from ..report.model import REPORT_IT, TRACEBACK, told
from ..storage import Unable

INTERRUPTED: Final = "interrupted"
"""The result of a screen that Ctrl-C ended."""
REST: Final = 1.0
"""The seconds without a key after which there is time to tidy up."""
NEVER: Final = 1_000_000_000
"""How many collections of young objects come before a full collection."""
LOST: Final = 129
"""The exit code if the terminal is gone: the code that shells report for SIGHUP."""
PASTED: Final = "pasted"
"""The key that stands for a paste: its character is the whole text, in one line."""
EDITING: Final = {
    key: binding.action for binding in Input.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")
}
"""Keys that change a line → the name of the action in Textual."""


class Disarming(LineFilter):
    """Replaces characters that would control the terminal in everything that is drawn: the last barrier, after
    ``visible``.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the line made harmless, as wide as before."""
        return [
            part if part.control or visible(part.text) == part.text else Segment(_disarmed(part.text), part.style)
            for part in segments
        ]


def _disarmed(text: str) -> str:
    return "".join(char if visible(char) == char else "\ufffd" * cell_len(char) for char in text)


Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """Something that covers a screen and takes its keys."""

    async def pressed(self, key: Key) -> None:
        """Do what a key means."""
        raise NotImplementedError


class SafeApp(App[Answer]):
    """A screen in the terminal's own colours, on which no untrusted text can control the terminal."""

    ENABLE_COMMAND_PALETTE = False
    _disarming = Disarming()
    kept = "no file was changed"
    """Says what has been saved if a fault ends the screen, and how to continue."""
    _fault: BaseException | None = None

    def __init__(self, title: str, *stylesheets: str) -> None:
        super().__init__(css_path=["screens.tcss", *stylesheets], ansi_color=True)
        self.title = title

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for every line that is drawn."""
        return [*super().get_line_filters(), self._disarming]

    def get_driver_class(self) -> type[Driver]:
        """Return the reader of the terminal; bytes that are not UTF-8 become U+FFFD and do not end the screen."""
        driver = super().get_driver_class()
        names = vars(sys.modules[driver.__module__])
        if "getincrementaldecoder" in names:
            names["getincrementaldecoder"] = lambda name: partial(getincrementaldecoder(name), "replace")
        return driver

    async def pressed(self, key: Key) -> None:
        """Do what a key without a binding means, while no dialog is open."""

    async def on_event(self, event: Event) -> None:
        """Obey a key or a paste at once, before the next is read, and ignore everything after the one that leaves.

        Keys typed quickly after a key are meant for whatever that key opens, or for what appears when it closes
        something.
        """
        if isinstance(event, Paste):
            event = Key(PASTED, " ".join(event.text.splitlines()))
        if not isinstance(event, Key):
            await super().on_event(event)
        elif not self._exit and not await self._check_bindings(event.key, priority=True):
            await (self.screen if isinstance(self.screen, Dialog) else self).pressed(event)

    def run(self, **how: Any) -> Answer | None:
        """Run it until the person leaves. Raise Unable if a fault ended it, KeyboardInterrupt if Ctrl-C did."""
        answer = super().run(**how)
        if self._exit and self._fault is None:
            if answer == INTERRUPTED:
                raise KeyboardInterrupt
            return answer
        what = f", {told(self._fault)}" if self._fault else ""
        raise Unable(f"a fault of tiro ended the screen{what}; {self.kept}", REPORT_IT)

    def _handle_exception(self, error: Exception) -> None:
        self._fault = self._fault or error
        super()._handle_exception(error)

    def _print_error_renderables(self) -> None:
        if os.environ.get(TRACEBACK):
            super()._print_error_renderables()


class ResponsiveApp(SafeApp[str]):
    """A screen that answers keys at once: collecting garbage takes up to 50 ms, so it waits until no key has been
    pressed for a second. Objects that exist at the start stay to the end.
    """

    _pressed = inf
    """When the last key was pressed since tidying up."""
    _had_terminal = False
    _thresholds: tuple[int, int, int] | None = None
    """How often Python would collect garbage by itself."""

    def on_ready(self) -> None:
        """Take over garbage collection."""
        self._had_terminal = not self.is_headless and _has_terminal()
        self._thresholds = gc.get_threshold()
        gc.freeze()
        gc.set_threshold(*self._thresholds[:2], NEVER)
        self.set_interval(REST, self._tidy)

    def on_unmount(self) -> None:
        """Restore the settings of the garbage collector."""
        if self._thresholds is not None:
            gc.set_threshold(*self._thresholds)
            gc.unfreeze()

    async def on_event(self, event: Event) -> None:
        """Note when a key is pressed."""
        if isinstance(event, Key):
            self._pressed = monotonic()
        await super().on_event(event)

    def _part(self, name: str) -> Static:
        return self.screen_stack[0].query_one(name, Static)  # whatever covers it now

    def _tidy(self) -> None:
        if self._had_terminal and not _has_terminal():
            # The parent process ignores SIGHUP, and Textual would look for keys for ever. What was accepted is on disk,
            # and there is nothing left to restore, so nothing is done that could wait for the terminal.
            os._exit(LOST)
        if self._pressed < monotonic() - REST:
            self._pressed = inf
            gc.collect()


def _has_terminal() -> bool:
    return sys.__stdin__ is not None and os.isatty(sys.__stdin__.fileno())


def bar(text: Text) -> Padding:
    """Return a text as a full line in reverse colours."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return Padding(text, (0, 1), style="reverse")


class ScrollPanel(VerticalScroll, can_focus=False, can_focus_children=False):
    """A panel that scrolls if its content does not fit, but takes no keys."""


class Panel(Static):
    """A panel whose content is drawn for its size, and again when the size changes."""

    def __init__(self, draw: Callable[[], None], id: str) -> None:
        super().__init__(id=id)
        self._draw = draw

    def on_resize(self) -> None:
        """Draw the content."""
        self._draw()


def typed_text(key: Key) -> str:
    """Return what a key puts on a line: a character, even one that only joins or directs others, or pasted text."""
    text = key.character or ""
    return text if key.key == PASTED or all(char.isprintable() or category(char) == "Cf" for char in text) else ""


async def edit(line: Input, key: Key) -> None:
    """Pass a key to a line at once."""
    if text := typed_text(key):
        line.replace(text, *sorted(line.selection))
    elif action := EDITING.get(key.key):
        await line.run_action(action)


class TypingLine(Input):
    """The input line of a screen. The screen gives it its keys with :func:`edit`."""

    def __init__(self, changed: Callable[[], None], shown: Callable[[Text], Text], id: str) -> None:
        """Call ``changed`` when the text changes; ``shown`` returns the text with styles."""
        super().__init__(id=id, compact=True, highlighter=shown)  # pyright: ignore
        self._follow = changed
        # A blinking cursor would redraw the screen twice a second, perhaps just when something is entered.
        self.cursor_blink = False

    @property
    def content_width(self) -> int:
        """The width of the text: no less than the line, so that the layout stays the same while it fits."""
        return max(super().content_width, self.size.width)

    def watch_value(self) -> None:
        """Notify others at once: a message would arrive only after the line has been drawn."""
        if self.is_mounted:
            self._follow()


class Jump(Dialog[bool]):
    """Asks for a turn. ``go`` takes the typed text and returns what is wrong with it; the result says whether it went
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
        """Go there or say why not; otherwise type."""
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
"""How many columns of the screen a page leaves free: its border, a gap, and a scrollbar."""


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
"""Keys → the name of the action in Textual."""
Typed = Callable[[Key], Awaitable[None]]


class ReadingScreen(Dialog[None]):
    """Something to read, which covers the screen and scrolls. Any key that does not scroll closes it.

    ``typed`` gets such a key if it types something.
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
            grid.add_row(Text(name), Text(meaning))  # unchanged: brackets are not markup
    return ReadingScreen(grid, typed, "help")


def key_texts() -> dict[str, dict[str, str]]:
    """Return the help on keys and signs, by the parts of ``keys.toml``."""
    from ..recording.menu import help_texts  # late: tiro step shows a game without the recorder

    return help_texts(__name__, "keys.toml")
