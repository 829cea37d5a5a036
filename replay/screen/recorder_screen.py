"""The full screen of ``tiro record``: the table, the record, an input line, and a list to pick from."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.events import Key, Resize
from textual.widgets import Input, Static

from ...notation.safe_text import visible
from ..recording.change_words import change_words
from ..recording.commands import Quit, Unheeded, enter, word_help
from ..recording.cursor import Phase
from ..recording.help_texts import help_texts
from ..recording.menu import MenuLine
from ..recording.recorder import Recorder
from ..recording.storage import NotKept
from ..views.table_view import look
from .dialogs import FRAME, ReadingScreen, help_screen, key_texts
from .fixed_board import AIRY, ROOMY, full_screen_board
from .pick_list import CHOOSE, FOOT, PICKING, TYPING, UNCHOSEN, Row, choice_for, cut, is_word, listed, moved, rows
from .record_lines import LEAST, heights, no_word, question, refused_word, said, sheet, tail, title, turn_line, written
from .widgets import Panel, ResponsiveApp, ScrollPanel, TypingLine, bar

RECORD: Final = 44
"""How wide the record is that stands beside the table."""
WIDE: Final = ROOMY + RECORD + 2
"""From here on it does."""


class RecordApp(ResponsiveApp):
    """Records one game. The result is INTERRUPTED where Ctrl-C ended it, else empty."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit_record", priority=True),
        Binding("ctrl+c", "quit_record('interrupted')", priority=True),
    ]

    def __init__(self, recorder: Recorder, name: str) -> None:
        super().__init__("tiro record", "recorder_screen.tcss")
        self.recorder = recorder
        self.file = name
        self.at = TYPING
        """The line of the list that is chosen; UNCHOSEN where none is, TYPING while the keys go to the line."""
        self.notices: list[str] = []
        self._is_refused = False
        """Whether they say why something was not accepted."""
        self._rows: list[Row] = []
        """The list as it was drawn."""
        self._picked = False
        """Whether what stands on the line was picked from the list."""
        self._warned = ""
        """What stood on the line when somebody wanted to leave."""
        self._listed = ""
        """What stood on the line when the list was drawn."""
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
                    yield TypingLine(self.obeyed, self.follow, self.shown, id="typing")
                yield Panel(self.show_list, id="below")
            yield Panel(self.show_lines, id="lines")
        yield Static(bar(Text(FOOT)), id="keys")

    def on_mount(self) -> None:
        """Begin where the record goes on."""
        self.show_all()
        self.line.focus()
        if self.recorder.clocks is not None:
            self.set_interval(1, self.show_title)

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

    # ------------------------------------------------------------------------------------------------ what is shown

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
        verdicts = draft.record.result.verdicts if draft.record.result else ()
        seen = look(draft.state, draft.frame.view, verdicts)
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

    def show_title(self) -> None:
        """Draw the line at the top: whose game it is, and the clocks."""
        self._part("#title").update(bar(title(self.recorder, self.file, self.size.width)), layout=False)

    def show_list(self) -> None:
        """Draw what depends on what has been typed: the question, the list, what was said."""
        draft = self.recorder.draft
        self._listed = self.line.value
        self.line.placeholder = PICKING if self.at != TYPING else ""
        panel = self._part("#asked")
        lines = question(draft, panel.size.width or self.size.width)
        panel.styles.height = len(lines)  # said and not found out, as that of the table
        panel.update(Text("\n").join(lines), layout=False)
        panel = self._part("#turn")
        panel.update(turn_line(draft, panel.size.width), layout=False)
        # One panel for both, of a height that stays, so that nothing is laid out anew when something is said.
        panel = self._part("#below")
        width, room = panel.size
        self.recorder.width = min(width, self.size.width - FRAME)
        shown = said(self.notices, width, refused=self._is_refused)
        # What was recorded or refused is worth more than a list in which nobody chooses.
        below = self._list(max(1 if self.at == TYPING or self._is_refused else LEAST, room - len(shown)))
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

    def _part(self, name: str) -> Static:
        return self.query_one(name, Static)

    # --------------------------------------------------------------------------------------------------- the keys

    def obeyed(self, event: Key) -> bool:
        """Do what a key means; return False for one that goes to the input line."""
        key, picking = event.key, self.at != TYPING
        do = self.KEYS.get(key)
        if key == "enter":
            self._take() if picking else self.enter(self.line.value)
        elif key == "space" and is_word(self.line.value):
            self.enter(self.line.value)
        elif picking and key == "backspace":
            self.at = UNCHOSEN
            self._write("")
        elif picking and event.character and (choice := choice_for(self.choices, self.word, event.character)):
            self._put(choice)
        elif picking and key in ("left", "right"):
            self.pick_beside(1 if key == "right" else -1)
        elif do is not None:
            do(self)
        else:
            if event.is_printable:
                self.at, self._picked = TYPING, False
            return False
        return True

    def follow(self) -> None:
        """Let the list follow what is typed."""
        if self.line.value != self._listed:
            self.show_list()

    def _write(self, text: str) -> None:
        """Put something on the line."""
        self.line.value = text
        self.line.cursor_position = len(text)

    def shown(self, typed: Text) -> Text:
        """Return what is being typed as it is drawn."""
        return refused_word(typed, self.recorder.refusal)

    def pick(self, pace: int) -> None:
        """Go to the list, or along it; above its first line the keys go to the input line again."""
        self.at = moved(self._rows, self.at, pace)
        self.show_list()

    def pick_beside(self, pace: int) -> None:
        """Go to the choice before or behind, in the same line or the next one."""
        self.at = max(0, min(self.at + pace, len(self.choices) - 1))
        self.show_list()

    def leave(self) -> None:
        """Go back to typing; delete a word that was picked from the list, or else all that is on the line."""
        is_over = self._picked or self.at == TYPING
        self.at, self.notices, self._picked, self._is_refused = TYPING, [], False, False
        if is_over:
            self._write("")
        self.show_list()

    def _take(self) -> None:
        """Enter what is chosen, or put its beginning on the line: nothing is entered that nobody chose."""
        if self.at == UNCHOSEN:
            self.say([CHOOSE, *[line for line in self.notices if line != CHOOSE]])
            return
        choice = self.choices[self.at]
        self.enter(choice.text, at=UNCHOSEN) if choice.whole else self._put(choice)

    def _put(self, choice: MenuLine) -> None:
        """Put a choice, or its beginning, on the line. Enter takes it: a key may begin a word that somebody types."""
        self._write(choice.text)
        self._picked = bool(choice.text)
        found = self.choices
        self.at = next((at for at, each in enumerate(found) if each.text == choice.text), UNCHOSEN)
        self.show_list()

    def enter(self, typed: str, at: int = TYPING) -> None:
        """Enter what was typed; what is refused or not kept stays on the line. ``at`` is where the list is afterwards.

        A command after what was refused is a command: the line offers no other place for it.
        """
        self.at = at
        left, space, rest = typed.partition(" /")
        refusal = self.recorder.refusal
        if typed.startswith("/"):
            if self.obey(typed) and self.line.value == typed:
                # What followed a refused word can be refused in its turn.
                self._write("" if self.recorder.refusal is refusal else f"{self.recorder.left} ".lstrip())
        elif space and self.recorder.refusal and left.strip() == self.recorder.left:
            if self.obey(f"/{rest}"):
                self._write_left()
        else:
            self._do(typed)
            self._write_left()
            self.show_all()

    def _write_left(self) -> None:
        """Put what is not in the record on the line, with a space before whatever is typed next."""
        left = self.recorder.left
        self._write(f"{left} " if left else "")

    def obey(self, typed: str) -> bool:
        """Carry out a command; return whether that was done. The input line stays as it is."""
        if not self._do(typed):
            return False
        lines = self.notices
        if len(lines) > 1 and lines[1].endswith(f": /edit {lines[0]}"):
            self._write(f"/edit {lines[0]}")
        is_long = len(lines) > self._part("#below").size.height - LEAST
        self.notices = [] if is_long else lines
        self.show_all()
        if is_long:
            self.push_screen(ReadingScreen(Text("\n".join(map(visible, lines)))))
        return True

    def insist(self) -> None:
        """Enter what is on the line; insist on it, and enter what was typed after it, where it was refused before."""
        typed, before = self.line.value, self.recorder.refusal
        if typed.strip():
            self.enter(typed)
            refusal = self.recorder.refusal
            if before is None or refusal is None or refusal.item != before.item or typed.startswith("/"):
                return
        elif before is not None and before.item is not None:
            self.say(["nothing on the line was refused"])
            return
        self.obey("/insist")
        self._write_left()
        self.show_list()

    def _do(self, typed: str) -> bool:
        """Carry out a command or enter words; return whether that was possible. ``notices`` are what is to be said."""
        before = self.recorder.draft
        try:
            self.notices = enter(self.recorder, typed)
        except Quit:
            self.exit("")
            return False
        except (NotKept, Unheeded) as error:
            self.bell()
            self.say([*error.args], refused=True)
            return False
        self._is_refused = self.recorder.refusal is not None
        if self._is_refused:
            self.bell()
        elif not self.notices and (words := change_words(before, self.recorder.draft)):
            self.notices = [words]
        return True

    def say(self, lines: list[str], *, refused: bool = False) -> None:
        """Say something below the line."""
        self.notices, self._is_refused = lines, refused
        self.show_list()

    def help(self) -> None:
        """Show the keys, the commands and the notation in short."""
        self.push_screen(help_screen(key_texts()["record"], help_texts()["commands"], word_help()))

    def clock(self) -> None:
        """Start or pause the clock."""
        clocks = self.recorder.clocks
        self.obey("/clock pause" if clocks is not None and clocks.is_running else "/clock start")

    def edit_last(self) -> None:
        """Put the last line of the record on the input line, to be changed."""
        turns = self.recorder.draft.record.turns
        if turns:
            self.obey(f"/edit {turns[-1].label}")

    def scroll(self, pages: int) -> None:
        """Show more of the record, or where that is not on the screen, of the table."""
        if self.has_class("wide"):
            self.back -= pages * max(1, self._part("#lines").size.height - 1)
            self.show_lines()
        else:
            table = self.query_one("#table", ScrollPanel)
            table.scroll_relative(y=pages * max(1, table.size.height - 1), animate=False)

    KEYS: ClassVar[dict[str, Callable[[RecordApp], object]]] = {
        "down": lambda app: app.pick(1),
        "up": lambda app: app.pick(-1),
        "escape": lambda app: app.leave(),
        "ctrl+z": lambda app: app.obey("/undo"),
        "ctrl+y": lambda app: app.obey("/redo"),
        "ctrl+t": lambda app: app.insist(),
        "ctrl+e": lambda app: app.edit_last(),
        "ctrl+r": lambda app: app.obey("/repair"),
        "f1": lambda app: app.help(),
        "f5": lambda app: app.clock(),
        "pagedown": lambda app: app.scroll(1),
        "pageup": lambda app: app.scroll(-1),
    }
    """What keys mean beside the text that is typed."""

    def action_quit_record(self, how: str = "") -> None:
        """Leave; everything entered is saved already. Text on the line is not: that is said once."""
        typed = self.line.value.strip()
        if typed and typed != self._warned:
            self._warned = typed
            self.say([f"“{typed}” is not entered: Enter records it; ^Q again leaves without it"])
            return
        self.exit(how)
