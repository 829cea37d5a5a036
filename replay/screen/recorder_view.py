"""What the full screen of ``tiro record`` shows: the table, the record, an input line, and a list to pick from."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.events import Resize
from textual.widgets import Input, Static

from ..engine.replay import closing_at
from ..recording.cursor import Phase
from ..recording.menu import MenuLine
from ..recording.recorder import Recorder
from ..views.table_view import look
from .dialogs import FRAME
from .fixed_board import AIRY, ROOMY, full_screen_board
from .pick_list import FOOT, PICKING, TYPING, UNCHOSEN, Row, cut, listed, rows
from .record_lines import (
    LEAST,
    REFUSED,
    heights,
    no_word,
    not_recorded,
    question,
    refused_word,
    said,
    sheet,
    tail,
    title,
    turn_line,
    written,
)
from .widgets import Panel, ResponsiveApp, ScrollPanel, TypingLine, bar

RECORD: Final = 44
"""How wide the record is that stands beside the table."""
WIDE: Final = ROOMY + RECORD + 2
"""From here on it does."""


class RecorderView(ResponsiveApp):
    """Shows a record that is being written, and what is said about it."""

    def __init__(self, recorder: Recorder, name: str) -> None:
        super().__init__("tiro record", "recorder_screen.tcss")
        self.recorder = recorder
        self.file = name
        self.kept = f"what was recorded is safe in {name}, and tiro record {name} continues"
        self.at = TYPING
        """The line of the list that is chosen; UNCHOSEN where none is, TYPING while the keys go to the line."""
        self.notices: list[str] = []
        self._is_refused = False
        """Whether they say why something was not accepted."""
        self._rows: list[Row] = []
        """The list as it was drawn."""
        self._listed = ""
        """What stood on the line when the list was drawn."""
        self._follows = False
        """Whether it will be drawn anew behind the keys that wait."""
        self.back = 0
        """How many lines of the record lie below what is shown of it."""

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="title")
        with Container(id="body"):
            with Container(id="left"):
                with ScrollPanel(id="table"):
                    yield Panel(self.show_table, id="picture")
                yield Panel(self.show_lines, id="last")
                yield Static(id="turn")
                yield Static(id="asked")
                with Horizontal(id="line"):
                    yield Static("> ", id="prompt")
                    yield TypingLine(self.follow, self.shown, id="typing")
                yield Panel(self.show_list, id="below")
            yield Panel(self.show_lines, id="lines")
        yield Static(bar(Text(FOOT)), id="keys")

    def on_mount(self) -> None:
        """Begin where the record goes on."""
        self.show_all()
        self.line.focus()
        self.set_interval(1, self.tick)

    def on_resize(self, event: Resize) -> None:
        """Lay out the parts."""
        width, height = event.size
        is_wide = width >= WIDE
        self.set_class(is_wide, "wide")
        self.set_class(height >= AIRY, "airy")
        self._part("#lines").styles.width = RECORD
        last, table = heights(height, wide=is_wide)
        self._part("#last").styles.height = last
        self.query_one("#table", ScrollPanel).styles.max_height = table

    @property
    def line(self) -> Input:
        """Return where one types."""
        return self.query_one("#typing", Input)

    @property
    def choices(self) -> list[MenuLine]:
        """Return the list for the word that is being typed; there is none for a command or a remark."""
        return self.recorder.choices(self.word) if self._lists else []

    @property
    def _lists(self) -> bool:
        """Return whether a word is being typed, and no command or remark."""
        typed = self.line.value.lstrip()
        return not (typed[:1] in ("/", "|", "%") or ";" in typed or "{" in typed)

    @property
    def word(self) -> str:
        """Return the word that is being typed."""
        return self.line.value.rpartition(" ")[2]

    def show_all(self) -> None:
        """Draw everything again, after the record has changed."""
        messages = self.recorder.storage.messages
        self.notices = [*messages, *self.notices]
        messages.clear()
        self.show_title()
        self.show_table()
        self.back = 0
        self.at = min(self.at, UNCHOSEN)  # what was chosen was a line of another list
        self.show_lines()
        self.show_list()

    def show_table(self) -> None:
        """Draw the table as it lies, or as it was last seen."""
        draft, panel = self.recorder.draft, self._part("#picture")
        if draft.state is None:
            panel.update(Text(""))
            return
        end = closing_at(draft.record, draft.state) if draft.cursor.phase is Phase.OVER else None
        seen = look(draft.state, draft.frame.view, end)
        is_airy = self.size.height >= AIRY and draft.cursor.phase is not Phase.OVER  # the sheet takes the room then
        table = full_screen_board(seen, panel.size.width or self.size.width, airy=is_airy)
        # Said and not found out, so that nothing is laid out anew while the height stays.
        panel.styles.height = len(table.split())
        panel.update(table, layout=False)

    def show_lines(self) -> None:
        """Draw the record, as much of its end as there is room for; ``back`` lines further up."""
        draft, is_wide = self.recorder.draft, self.has_class("wide")
        panel = self._part("#lines" if is_wide else "#last")
        self.back = max(0, min(self.back, len(written(draft.record)) - panel.size.height))
        panel.update(tail(draft, panel.size.height, self.back, marked=is_wide), layout=False)

    def tick(self) -> None:
        """Show the clocks, where there are any, and note how they stand."""
        if self.recorder.clocks is not None:
            self.show_title()
            self.recorder.note_clocks()

    def show_title(self) -> None:
        """Draw the line at the top: whose game it is, and the clocks."""
        self._part("#title").update(bar(title(self.recorder, self.file, self.size.width)), layout=False)

    def show_list(self) -> None:
        """Draw what depends on what has been typed: the question, the list, what was said."""
        draft = self.recorder.draft
        self._listed, self._follows = self.line.value, False
        self.line.placeholder = PICKING if self.at != TYPING else ""
        panel = self._part("#asked")
        lines = question(draft, panel.size.width or self.size.width)
        panel.styles.height = len(lines)  # said and not found out, as that of the table
        panel.update(Text("\n").join(lines), layout=False)
        unkept = not_recorded(self.line.value, self.recorder.left)
        panel = self._part("#prompt")
        panel.styles.width = len(unkept) + 2
        panel.update(Text.assemble((unkept, REFUSED), "> "), layout=False)
        panel = self._part("#turn")
        panel.update(turn_line(draft, panel.size.width), layout=False)
        # One panel for both, of a height that stays, so that nothing is laid out anew when something is said.
        panel = self._part("#below")
        width, room = panel.size
        self.recorder.width = min(width, self.size.width - FRAME)
        shown = said(self.notices, width, refused=self._is_refused)
        # What was recorded or refused is worth more than a list in which nobody chooses.
        is_open = self.at != TYPING and not self._is_refused
        below = self._list(max(LEAST if is_open or self._waiting else 1, room - len(shown)))
        shown = cut(shown, max(1, room - len(below.plain.splitlines())), Text("…"))
        panel.update(Text("\n").join([*shown, below]), layout=False)

    def _list(self, room: int) -> Text:
        """Return the choices in ``room`` lines; after the game the score sheet, unless it is shown as a message."""
        choices, draft, width = self.choices, self.recorder.draft, self._part("#below").size.width
        self.at = min(self.at, len(choices) - 1) if choices else TYPING
        if draft.cursor.phase is not Phase.OVER:
            is_open = bool(draft.menu.words) and self._lists and not choices and not self._is_refused
            if is_open and self.word == self.line.value.strip() != "":
                return no_word(self.recorder, self.word)
            self._rows = rows(choices, room, width)
            return listed(self._rows, choices, self.word, self.at, room)
        return Text("\n").join(sheet(self.recorder, self.notices, room, width))

    def follow(self) -> None:
        """Let the list follow what is typed; while more keys wait, such as those of a paste, once behind them."""
        if self.line.value == self._listed or self._follows:
            return
        self._follows = bool(self.message_queue_size)
        self.call_later(self.show_list) if self._follows else self.show_list()

    def shown(self, typed: Text) -> Text:
        """Return what is being typed as it is drawn."""
        return refused_word(typed, self.recorder.refusal)

    @property
    def _waiting(self) -> str:
        """Return the words on the line that were refused since what the list shows is missing before them."""
        refusal, left = self.recorder.refusal, self.recorder.left
        lacks = refusal is not None and not any(fault.code for fault in refusal.objections[:1])
        return self.line.value.strip() if lacks and not_recorded(self.line.value, left) else ""

    @property
    def _stands_refused(self) -> bool:
        """Return whether a refused word stands on the line, as it is shown there."""
        return bool(self.shown(Text(self.line.value)).spans)
