"""The full screen of ``tiro record``: the table, the record, a line to type on, and a list to pick from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.events import Resize
from textual.widgets import Input, Static

from ...notation.cards import EGYPT, PLAYER_NAMES, ROME
from ...notation.writer import turn_text
from ..recording.asking import asked
from ..recording.commands import Lines, Quit, obey, refusal_lines
from ..recording.desk import NotKept
from ..recording.menu import Choice
from ..recording.recorder import Recorder
from ..recording.sheet import score_sheet
from ..recording.spot import Kind
from ..report.safe import visible
from ..table import look
from .parts import Bar, Picture, Still

WIDE: Final = 112
"""From here on the record stands beside the table."""
TALL: Final = 30
"""From here on the whole table fits above the line and the list."""
DIGITS: Final = 9
"""So many lines of the list have a key of their own."""
PICKS: Final = tuple(map(str, range(1, DIGITS + 1)))
TYPING: Final = -1
"""In place of a line of the list: the keys go to the line."""
OPEN_SIGNS: Final = {"(": ")", "[": "]", "{": "}"}
KEYS: Final = "Enter take it   ↓ pick   Esc type   ^Z undo   ^Y redo   ^T it happened   F1 help   ^Q leave"


class Line(Input):
    """Where one types. It lets keys go by that mean something else just now."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether the line wants a key for itself."""
        app = self.app
        if isinstance(app, RecordApp) and (key == "space" or key in PICKS) and app.means(key):
            return False
        return super().check_consume_key(key, character)


class RecordApp(App[str]):
    """Records one game. ``head`` is what the title says; the result is empty."""

    CSS = """
    App, Screen { background: ansi_default; color: ansi_default; }
    Still { padding: 0 1; scrollbar-size-vertical: 1; scrollbar-color: ansi_default;
        scrollbar-background: ansi_default; }
    #title, #keys { height: 1; }
    #body { height: 1fr; layout: horizontal; }
    #left { width: 1fr; height: 1fr; }
    #table { height: auto; }
    #lines { display: none; width: 46; height: 1fr; padding: 0 1; border-left: solid ansi_default; }
    .wide #lines { display: block; }
    #asked { height: 2; padding: 0 1; text-style: bold; border-top: solid ansi_default; }
    #line { height: 1; padding: 0 1; }
    #prompt { width: 2; }
    #typing { border: none; height: 1; width: 1fr; padding: 0; background: ansi_default; color: ansi_default; }
    #told { height: auto; max-height: 16; padding: 0 1; }
    #choices { height: 1fr; min-height: 3; padding: 0 1; }
    .short #table { max-height: 8; }
    #keys { padding: 0 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, priority=True)
        for keys, action in (
            ("down", "pick(1)"),
            ("up", "pick(-1)"),
            ("escape", "leave_list"),
            ("ctrl+z", "command('/undo')"),
            ("ctrl+y", "command('/redo')"),
            ("ctrl+t", "command('/insist')"),
            ("ctrl+e", "edit_last"),
            ("f1", "command('/help')"),
            ("f5", "clock"),
            ("ctrl+q,ctrl+c", "quit_record"),
            *((key, f"digit({key})") for key in PICKS),
            ("backspace", "unpick"),
            ("space", "space"),
            ("pagedown", "scroll(1)"),
            ("pageup", "scroll(-1)"),
        )
    ]

    def __init__(self, recorder: Recorder, name: str, told: Lines) -> None:
        # The colours are the terminal's own, whatever its user has made of them.
        super().__init__(ansi_color=True)
        self.title = "tiro record"
        self.recorder = recorder
        self.file = name
        self.at = TYPING
        """The line of the list that is chosen; TYPING while the keys go to the line."""
        self.desk_told = told
        """Sentences from the desk, which are shown and emptied."""
        self.told: Lines = []
        self._said: Lines = []
        self._written = ""
        """What the program itself has put on the line."""
        self.back = 0
        """How many lines of the record lie below what is shown of it."""

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield Static(id="title")
        with Container(id="body"):
            with Container(id="left"):
                with Still(id="table"):
                    yield Static(id="picture")
                yield Static(id="asked")
                with Horizontal(id="line"):
                    yield Static("> ", id="prompt")
                    yield Line(id="typing", compact=True)
                yield Static(id="told")
                yield Static(id="choices")
            yield Static(id="lines")
        yield Static(Bar(Text(KEYS)), id="keys")

    def on_mount(self) -> None:
        """Begin where the record goes on."""
        self.show_all()
        self.line.focus()
        if self.recorder.clocks is not None:
            self.set_interval(1, self.show_title)

    def on_resize(self, event: Resize) -> None:
        """Put the parts where they fit."""
        self.set_class(event.size.width >= WIDE, "wide")
        self.set_class(event.size.height < TALL, "short")
        self.call_after_refresh(self.show_all)

    @property
    def line(self) -> Input:
        """Where one types."""
        return self.query_one("#typing", Input)

    @property
    def choices(self) -> list[Choice]:
        """The list for what has been typed."""
        return self.recorder.draft.menu.choices(self.line.value.strip())

    # ------------------------------------------------------------------------------------------------ what is shown

    def show_all(self) -> None:
        """Draw everything anew, after the record has changed."""
        self.told = [*self.desk_told, *self.told]
        self.desk_told.clear()
        draft = self.recorder.draft
        record = draft.record
        self.show_title()
        state = draft.state
        verdicts = record.result.verdicts if record.result else ()
        self._part("#picture").update(Picture(look(state, draft.view, verdicts)) if state else Text(""))
        self.back = 0
        self.show_lines()
        self.show_list()

    def show_lines(self) -> None:
        """Draw the record, as much of its end as there is room for; ``back`` lines further up."""
        panel, record = self._part("#lines"), self.recorder.draft.record
        lines = [visible(turn_text(turn)) for turn in record.turns]
        if record.result is not None and record.result.points is not None:
            lines.append(record.header("Result"))
        self.back = max(0, min(self.back, len(lines) - panel.size.height))
        end = len(lines) - self.back
        tail = lines[max(0, end - max(1, panel.size.height)) : end]
        panel.update(Text("\n".join(tail), no_wrap=True, overflow="ellipsis"), layout=False)

    def show_title(self) -> None:
        """Draw the line at the top: whose game it is, and the clocks."""
        draft, clocks = self.recorder.draft, self.recorder.clocks
        record = draft.record
        parts = [
            draft.spot.label,
            visible(f"{record.header('Caesar')} – {record.header('Cleopatra')}"),
            f"{record.header('Rules')} rules",
            self.file,
            draft.view,
        ]
        if clocks is not None:
            sides = zip(PLAYER_NAMES, (clocks.mark(ROME), clocks.mark(EGYPT)), strict=True)
            times = "   ".join(f"{name} {mark[1:]}" for name, mark in sides)
            parts.insert(1, times if clocks.is_running else f"{times}   (paused)")
        self._part("#title").update(Bar(Text(" · ".join(parts), no_wrap=True)))

    def show_list(self) -> None:
        """Draw what depends on what has been typed: the question, the list, what was said."""
        draft = self.recorder.draft
        stands = turn_text(draft.record.turns[-1]) if draft.record.turns and not draft.spot.fresh else draft.spot.label
        line = Text.assemble((visible(stands), "reverse"), "  ", asked(draft), no_wrap=True, overflow="ellipsis")
        self._part("#asked").update(line, layout=False)
        if self.told != self._said:
            self._part("#told").update(Text("\n".join(self.told)))
            self._said = self.told
        panel, found = self._part("#choices"), self.choices
        self.at = min(self.at, len(found) - 1)
        result = draft.record.result
        over = draft.spot.kind is Kind.OVER and result is not None and result.points is not None
        listed = Text("\n".join(score_sheet(draft.record))) if over else self._list(found, panel.size.height)
        panel.update(listed, layout=False)

    def _list(self, found: Sequence[Choice], room: int) -> Text:
        """The choices with their keys, those around the chosen one where there are too many."""
        first = max(0, min(self.at - room // 2, len(found) - room)) if room > 0 else 0
        texts = [(choice.text or "Enter") + "…" * (not choice.whole) for choice in found]
        wide = max(map(len, texts), default=0)
        lines = Text(no_wrap=True, overflow="ellipsis")
        for number in range(first, min(len(found), first + max(room, 1))):
            here = number == self.at
            key = str(number + 1) if number < DIGITS else " "
            lines.append(f"{'▸' if here else ' '}{key}  ")
            lines.append(f"{texts[number]:<{wide}}", "bold reverse" if here else "bold")
            lines.append(f"  {found[number].words}\n")
        return lines

    def _part(self, name: str) -> Static:
        return self.query_one(name, Static)

    # --------------------------------------------------------------------------------------------------- the keys

    def means(self, key: str) -> bool:
        """Whether a key that could be typed means something else: digits pick, a space enters the word before it."""
        return _is_word(self.line.value) if key == "space" else self.at >= 0

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key means this; else it goes to the line."""
        return action not in ("digit", "unpick", "space") or self.means(action)

    def action_digit(self, number: int) -> None:
        """Pick a line of the list by its number."""
        self._take(number - 1)

    def action_unpick(self) -> None:
        """Go back to the beginning of the word that is being picked."""
        self._write("")
        self.show_list()

    def action_space(self) -> None:
        """Enter the word before a space."""
        self.enter(self.line.value)
        if self.recorder.refusal is not None and self.line.value:
            # Who did not look up goes on typing, and nothing of it is to run together.
            self._write(f"{self.line.value} ")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Let the list follow what is typed; who types does not pick."""
        if event.value != self._written:
            self.at, self._written = TYPING, ""
        self.show_list()

    def _write(self, text: str) -> None:
        """Put something on the line."""
        self._written = self.line.value = text
        self.line.cursor_position = len(text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter what was typed, or what is chosen."""
        if self.at >= 0:
            self._take(self.at)
        else:
            self.enter(event.value)

    def action_pick(self, pace: int) -> None:
        """Go to the list, or along it; above its first line one types again."""
        self.at = max(TYPING, min(self.at + pace, len(self.choices) - 1))
        self.show_list()

    def action_leave_list(self) -> None:
        """Type again."""
        self.at, self.told = TYPING, []
        self.show_list()

    def _take(self, number: int) -> None:
        found = self.choices
        if number >= len(found):
            self.bell()
            return
        choice = found[number]
        if choice.whole:
            self.enter(choice.text, at=0)
        else:
            self._write(choice.text)
            self.at = 0 if self.choices else TYPING
            self.show_list()

    def enter(self, typed: str, at: int = TYPING) -> None:
        """Enter what was typed; what is refused stays on the line. ``at`` is where the list is afterwards."""
        self.at = at
        try:
            if typed.startswith("/"):
                self._obey(typed)
                return
            accepted = self.recorder.enter(typed)
        except NotKept as error:
            self.say([str(error)])
            return
        refusal = self.recorder.refusal
        self.told = refusal_lines(refusal) if refusal else []
        if accepted:
            self._write("")
        else:
            self.bell()
        self.show_all()

    def _obey(self, typed: str) -> None:
        try:
            lines = obey(self.recorder, typed)
        except Quit:
            self.exit("")
            return
        self._write("")
        if typed.startswith("/edit") and lines and len(lines) > 1 and lines[1].startswith("write"):
            self._write(f"/edit {lines[0]}")
        self.told = lines
        self.show_all()

    def say(self, lines: Lines) -> None:
        """Say something below the line."""
        self.told = lines
        self.show_list()

    def action_command(self, text: str) -> None:
        """A key in place of a command."""
        self.enter(text)

    def action_clock(self) -> None:
        """Start or pause the clock."""
        clocks = self.recorder.clocks
        self.enter("/clock pause" if clocks is not None and clocks.is_running else "/clock start")

    def action_edit_last(self) -> None:
        """Take the last line of the record up, to be changed."""
        turns = self.recorder.draft.record.turns
        if turns:
            self.enter(f"/edit {turns[-1].label}")

    def action_scroll(self, pages: int) -> None:
        """Show more of the record."""
        self.back -= pages * max(1, self._part("#lines").size.height - 1)
        self.show_lines()

    def action_quit_record(self) -> None:
        """Leave; everything is kept already."""
        self.exit("")


def _is_word(text: str) -> bool:
    """Whether a word is complete with the space that is being typed, and can be entered."""
    text = text.strip()
    if not text or text[0] in "/|%;" or '"' in text:
        return False
    return all(text.count(opened) == text.count(shut) for opened, shut in OPEN_SIGNS.items())
