"""The full screen of ``tiro step``, in which one walks through a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Resize
from textual.widgets import Static

from .dialogs import Jump, help_screen, key_texts
from .fixed_board import ROOMY, full_screen_board
from .turn_panel import record, status, story, title
from .walk import Walk
from .widgets import INTERRUPTED, Panel, ResponsiveApp, ScrollPanel, bar

WIDE: Final = 112
"""From here on the table and the story stand beside each other."""
BROAD: Final = 150
"""From here on both have all the room that they want."""
TALL: Final = 22
"""From here on the whole table fits above the story, where it is roomy;"""
STACKED: Final = 40
"""and from here on where it is not."""


class StepApp(ResponsiveApp):
    """Walks through one game. Its result is INTERRUPTED after Ctrl-C."""

    ALLOW_SELECT = False
    # With priority, so that a key is obeyed before the next one is read: what a quick hand types behind g is meant
    # for the question that g asks.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, priority=True)
        for keys, action in (
            ("right,space,l", "walk('step', 1)"),
            ("left,backspace,h", "walk('step', -1)"),
            ("down,j", "walk('turn', 1)"),
            ("up,k", "walk('turn', -1)"),
            ("n", "walk('vote', 1)"),
            ("p,N", "walk('vote', -1)"),
            ("home", "walk('to', 0)"),
            ("end", "walk('last')"),
            ("v", "walk('next_view')"),
            ("g", "jump"),
            ("pagedown", "scroll(1)"),
            ("pageup", "scroll(-1)"),
            ("tab", "toggle_class('#body', 'reading')"),
            ("question_mark,f1", "help"),
            ("q", "leave"),
            ("ctrl+c", "leave('interrupted')"),
            ("ctrl+z", "suspend_process"),
        )
    ]

    def __init__(self, walk: Walk) -> None:
        super().__init__("tiro step", "step_screen.tcss")
        self.walk = walk

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="title")
        with Container(id="body"):
            with Container(id="left"):
                with ScrollPanel(id="table"):
                    yield Panel(self.show_table, id="picture")
                with ScrollPanel(id="record"):
                    yield Static(id="lines")
            with ScrollPanel(id="story"):
                yield Static(id="story_text")
        yield Static(id="status")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Show where the walk begins."""
        self.show_place()

    def on_resize(self, event: Resize) -> None:
        """Put the panels where they fit."""
        wide = event.size.width >= WIDE and event.size.height >= TALL
        self.set_class(wide, "wide")
        self.set_class(event.size.width >= BROAD, "broad")
        self.set_class(event.size.height < (TALL if event.size.width >= ROOMY else STACKED), "short")

    def show_place(self) -> None:
        """Draw everything again for the present place of the walk."""
        self.show_table()
        screen = self.screen_stack[0]
        lines, here = record(self.walk)
        for name, part in (
            ("#title", bar(title(self.walk))),
            ("#lines", lines),
            ("#story_text", story(self.walk)),
            ("#status", bar(status(self.walk))),
            ("#keys", KEYS),
        ):
            self._part(name).update(part)
        screen.query_one("#story").scroll_home(animate=False)
        panel = screen.query_one("#record")
        panel.scroll_to(y=max(0, here - panel.size.height // 2), animate=False)

    def show_table(self) -> None:
        """Draw the table, the groups that the last token changed highlighted."""
        panel = self._part("#picture")
        panel.update(full_screen_board(self.walk.table, panel.size.width or self.size.width, self.walk.changed))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key is obeyed: while a dialog is open only those that end or suspend the program."""
        return len(self.screen_stack) < 2 or action == "suspend_process" or parameters == (INTERRUPTED,)

    def action_walk(self, way: str, *pace: int) -> None:
        """Call a method of the walk that goes somewhere; where it can't, ring the bell."""
        go: Callable[..., bool] = getattr(self.walk, way)
        if go(*pace):
            self.show_place()
        else:
            self.bell()

    def action_jump(self) -> None:
        """Ask for a turn, and go there."""
        self.push_screen(Jump(self.walk.go), lambda there: self.show_place() if there else None)

    def action_scroll(self, pages: int) -> None:
        """Scroll the story, or else the table."""
        panels = [self.query_one(name, ScrollPanel) for name in ("#story", "#table")]
        if self.has_class("short"):
            panels.reverse()
        for panel in panels:
            if panel.display and panel.max_scroll_y:
                panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)
                return

    def action_help(self) -> None:
        """Show the keys."""
        texts = key_texts()
        self.push_screen(help_screen(texts["step"], texts["signs"]))

    def action_leave(self, how: str = "") -> None:
        """End it."""
        self.exit(how)


KEYS: Final = Text(
    "← → step   ↑ ↓ turn   ? help   q quit   p n vote   g go to   v view   Tab text", no_wrap=True, overflow="ellipsis"
)
