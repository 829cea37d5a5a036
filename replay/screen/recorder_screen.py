"""The full screen of ``tiro record``: what its keys do."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Key

from ...notation.safe_text import visible
from ..recording.change_words import change_words
from ..recording.commands import Quit, Unheeded, enter, parted, word_help
from ..recording.help_texts import help_texts
from ..recording.menu import MenuLine
from ..recording.recorder import Recorder
from ..recording.storage import NotKept
from .dialogs import ReadingScreen, help_screen, key_texts
from .pick_list import CHOOSE, TYPING, UNCHOSEN, choice_for, is_word, moved
from .record_lines import LEAST
from .recorder_view import RecorderView
from .widgets import ScrollPanel, edit, typed_text

DIGITS: Final = tuple("123456789")


class RecordApp(RecorderView):
    """Records one game. The result is INTERRUPTED where Ctrl-C ended it, else empty."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit_record", priority=True),
        Binding("ctrl+c", "quit_record('interrupted')", priority=True),
    ]

    def __init__(self, recorder: Recorder, name: str) -> None:
        super().__init__(recorder, name)
        self._picked = False
        """Whether what stands on the line was picked from the list."""
        self._warned = ""
        """What stood on the line when somebody wanted to leave."""
        self._behind = ""
        """Words that were refused since what is being picked was missing: they follow it."""
        self._unwritten = ""
        """What was typed at the end of the line and has still to be written there."""

    async def pressed(self, key: Key) -> None:
        """Do what a key means, or give it to the input line: what is only written there, once for all waiting keys."""
        if self._only_lengthens(key):
            if not self._unwritten:
                self.call_later(self._write_typed)
            self._unwritten += typed_text(key)
        else:
            self._write_typed()
            await self._obey(key)

    def _only_lengthens(self, key: Key) -> bool:
        """Return whether a key does no more than put text at the end of the line."""
        at_end = self.line.cursor_at_end and self.line.selection.is_empty
        if self.at != TYPING or self._picked or not at_end or not typed_text(key):
            return False
        return key.key != "space" or self._waits or not is_word(self._typed)

    @property
    def _typed(self) -> str:
        """Return what stands on the line or is still to be written there."""
        return self.line.value + self._unwritten

    def _write_typed(self) -> None:
        if self._unwritten:
            text, self._unwritten = self._typed, ""
            self._write(text)

    async def _obey(self, key: Key) -> None:
        name, picking = key.key, self.at != TYPING
        do = self.KEYS.get(name)
        if name == "enter":
            self._take() if picking else self.enter(self.line.value)
        elif name == "space" and is_word(self.line.value) and not self._waits:
            self.enter(self.line.value)
        elif picking and name == "backspace":
            self.at = UNCHOSEN
            self._write("")
        elif picking and key.character and (choice := choice_for(self.choices, self.word, key.character)):
            self._put(choice)
        elif picking and name in ("left", "right"):
            self.pick_beside(1 if name == "right" else -1)
        elif do is not None:
            do(self)
        else:
            if typed_text(key):
                self.at, self._picked = TYPING, False
            await edit(self.line, key)

    @property
    def _waits(self) -> bool:
        """Return whether the word being typed stands behind refused ones: it waits, and nothing is judged again."""
        return self._stands_refused and self._typed.lstrip().startswith(f"{self.recorder.left} ")

    def _write(self, text: str) -> None:
        self.line.value = text
        self.line.cursor_position = len(text)

    def pick(self, pace: int) -> None:
        """Go to the list, or along it; above its first line the keys go to the input line again."""
        if self._follows:
            self.show_list()
        self._choose(moved(self._rows, self.at, pace))

    def pick_beside(self, pace: int) -> None:
        """Go to the choice before or behind, in the same line or the next one."""
        self._choose(max(0, min(self.at + pace, len(self.choices) - 1)))

    def _choose(self, at: int) -> None:
        """Choose a line of the list: from then on it is worth more than why something else was refused."""
        self.at = at
        if self._is_refused and at != TYPING:
            self.notices, self._is_refused = [], False
        self.show_list()

    def leave(self) -> None:
        """Go back to typing; delete a word that was picked from the list, or else all that is on the line."""
        is_over = self._picked or self.at == TYPING
        self.at, self.notices, self._picked, self._is_refused, self._behind = TYPING, [], False, False, ""
        if is_over:
            self._write("")
        self.show_list()

    def _take(self) -> None:
        """Enter what is chosen, or put its beginning on the line: nothing is entered that nobody chose."""
        if self.at == UNCHOSEN:
            self.say([CHOOSE, *[line for line in self.notices if line != CHOOSE]])
            return
        choice = self.choices[self.at]
        self._behind = self._behind or self._waiting
        self.enter(choice.text, at=UNCHOSEN) if choice.whole else self._put(choice)

    def _put(self, choice: MenuLine) -> None:
        """Put a choice, or its beginning, on the line. Enter takes it: a key may begin a word that somebody types."""
        self._behind = self._behind or self._waiting
        self._write(choice.text)
        self._picked = bool(choice.text)
        self._choose(next((at for at, each in enumerate(self.choices) if each.text == choice.text), UNCHOSEN))

    def enter(self, typed: str, at: int = TYPING) -> None:
        """Enter what was typed; what is refused or not kept stays on the line. The list is then at ``at``."""
        self.at = at
        words, order = parted(typed)
        refusal = self.recorder.refusal
        if order:
            if self.obey(typed) and self.line.value == typed:
                # What followed a refused word can be refused in its turn.
                self._write("" if self.recorder.refusal is refusal and not words else f"{self.recorder.left} ".lstrip())
        else:
            self._do(f"{typed} {self._behind}".rstrip())
            self._behind = ""
            self._write_left()
            self.show_all()

    def _write_left(self) -> None:
        """Put what is not in the record on the line, with a space before whatever is typed next."""
        self._write(f"{self.recorder.left} ".lstrip())

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
            takes = self._take_number if lines[0].startswith("1. ") else self.pressed
            self.push_screen(ReadingScreen(Text("\n".join(map(visible, lines))), takes))
        return True

    async def _take_number(self, key: Key) -> None:
        """Take the proposal with the number that was pressed over the list of them."""
        if key.character not in DIGITS:
            await self.pressed(key)
        else:
            self._write(f"{self.line.value.strip()} /repair {key.character}".lstrip())
            self.enter(self.line.value)

    def undo(self) -> None:
        """Clear a refused word from the line; where there is none, take back what was recorded last."""
        if self._stands_refused:
            cleared, self.line.value = self.line.value.strip(), ""
            self.say([f"cleared: {cleared}, which was refused; nothing recorded was taken back"])
        else:
            self.obey("/undo")

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
        before, refusal = self.recorder.draft, self.recorder.refusal
        try:
            self.notices = enter(self.recorder, typed)
        except Quit:
            self.exit("")
            return False
        except (NotKept, Unheeded) as error:
            self.bell()
            self.say([*error.args], refused=True)
            return False
        self._is_refused = self.recorder.refusal is not None and self.recorder.refusal is not refusal
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
        self.push_screen(help_screen(key_texts()["record"], help_texts()["commands"], word_help(), typed=self.pressed))

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
        "ctrl+z": lambda app: app.undo(),
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
        self._write_typed()
        typed = self.line.value.strip()
        if typed and typed != self._warned:
            self._warned = typed
            why = "was refused and is not recorded" if self._stands_refused else "is not entered: Enter records it"
            self.say([f"“{typed}” {why}; ^Q again leaves without it"])
            return
        self.exit(how)
