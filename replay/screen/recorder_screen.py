"""The full screen of ``tiro record``: the questions before a game, then the table, the record, a line and a list."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from ...notation.cards import PLAYER_NAMES, SIGNS, TIE
from ...notation.record import Record
from ...notation.safe_text import visible
from ...notation.writer import turn_text
from ..engine.headers import VIEWS
from ..recording.answers import change_words
from ..recording.commands import Quit, Unheeded, enter, parted, word_help
from ..recording.cursor import Phase
from ..recording.draft import Draft
from ..recording.editing import text_of
from ..recording.menu import MenuLine, help_texts
from ..recording.questions import DONE as TAKEN
from ..recording.questions import LATER, NOW, Question, TurnStep, asked, turn_steps
from ..recording.recorder import Recorder, may_begin
from ..recording.score_sheet import score_in_parts, score_sheet
from ..recording.storage import NotKept
from ..views.table_view import look
from .board import DONE, GAP, REFUSED, STYLES, folded
from .pick_list import CHOOSE, FOOT, PICKING, TYPING, UNCHOSEN, choice_for, cut, is_word, listed, moved, rows
from .table_screen import LEAST, TableScreen
from .widgets import (
    FRAME,
    ReadingScreen,
    SafeApp,
    TypingLine,
    bar,
    edit,
    help_screen,
    key_texts,
    typed_text,
)

HERE: Final = "reverse"
"""The style of the turn that is being written."""
_BETWEEN: Final = " · "
_STEPS: Final = {TAKEN: DONE, NOW: "bold", LATER: ""}


def written(record: Record) -> list[str]:
    """Return the lines of a record: its turns, and its result."""
    lines = [visible(turn_text(turn)) for turn in record.turns]
    if record.points is not None:
        lines.append(visible(record.header("Result")))
    return lines


def turn_line(draft: Draft, width: int) -> Text:
    """Return the turn that is being written and, on the right, its steps, done and still to come."""
    turns, cursor = draft.record.turns, draft.cursor
    if cursor.phase is Phase.OVER and cursor.fresh:
        return Text()
    turn = visible(turn_text(turns[-1]) if turns and not cursor.fresh else cursor.label)
    due = turn_steps(draft)
    # The text of the turn matters more than the steps done, and the steps due more than its beginning.
    done = [step for step in due if step.stands == TAKEN]
    while done and width < len(turn) + GAP + _steps(due).cell_len:
        due.remove(done.pop(0))
    steps = _steps(due)
    room = max(len(cursor.label), width - steps.cell_len - GAP)
    if len(turn) > room:
        turn = f"…{turn[1 - room :]}"
    line = Text(turn, HERE)
    return Text.assemble(line, " " * max(GAP, width - line.cell_len - steps.cell_len), steps)


def _steps(due: Sequence[TurnStep]) -> Text:
    return Text("  ").join([Text(f"{step.stands} {step.name}", _STEPS[step.stands]) for step in due])


def question(draft: Draft, width: int) -> list[Text]:
    """Return the next question, in the colour of its side, in lines of at most a given width."""
    side, is_over = draft.cursor.side, draft.cursor.phase is Phase.OVER
    text = asked(draft) if is_over else f"{SIGNS[side]} {draft.cursor.label} · {asked(draft)}"
    style = f"{STYLES[TIE if is_over else side]} reverse"
    return [Text.assemble((f" {line.plain} ", style)) for line in folded(Text(text), max(1, width - GAP))]


def said(lines: Sequence[str], width: int, *, refused: bool) -> list[Text]:
    """Return the message in lines of at most a given width; the reason for a refusal (``refused``) stands out."""
    drawn: list[Text] = []
    for text in map(visible, lines):
        indent = " " * (len(text) - len(text.lstrip()))
        style = REFUSED if refused and not drawn else ""
        drawn += [
            Text.assemble(indent, (line.plain, style)) for line in folded(Text(text.lstrip()), width - len(indent))
        ]
    return drawn


def not_recorded(typed: str, left: str) -> str:
    """Return how many words on the line were not accepted, not kept, or typed after such words."""
    count = len(typed.split()) if left and typed.lstrip().startswith(left) else 0
    return f"{count} word{'s' * (count > 1)} not recorded " if count else ""


EMPTY: Final = "(optional)"
"""Shown on an empty line that needs no answer."""


class FormApp(SafeApp[dict[str, str]]):
    """Asks for the headers of a new record. The result maps header to answer; None if the person does not want to
    begin.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q,ctrl+c", "quit", priority=True)]

    def __init__(self, questions: Sequence[Question], head: str, wrong: Callable[[dict[str, str]], list[str]]) -> None:
        """Ask the questions under a heading; ``wrong`` returns what is wrong with some answers."""
        super().__init__("tiro record", "form.tcss")
        self.wrong = wrong
        self.questions = questions
        self.head = head

    def compose(self) -> ComposeResult:
        """Lay out a line for each question, with its answer beside it."""
        with VerticalScroll():
            keys = "↑ ↓ Enter go from line to line, Enter on the last one starts the game; ^Q leaves."
            yield Static(Text(f"{visible(self.head)}\n{keys}\n"))
            for question in self.questions:
                with Horizontal():
                    yield Static(Text(question.words, "bold"))
                    yield Input(
                        question.default,
                        EMPTY * (not question.default),
                        id=question.name,
                        compact=True,
                        select_on_focus=False,
                    )
            yield Static(id="wrong")

    def on_mount(self) -> None:
        """Begin with the first question."""
        self.go(0)

    def go(self, number: int) -> None:
        """Go to a question, counted from 0; typing there replaces its answer."""
        lines = self.query(Input)
        line = lines[max(0, min(number, len(lines) - 1))]
        self.screen.set_focus(line)
        line.selection = Selection(0, len(line.value))

    async def pressed(self, key: Key) -> None:
        """Do what a key means."""
        line = self.focused
        if not isinstance(line, Input):
            return
        here = [*self.query(Input)].index(line)
        if key.key in ("up", "down"):
            self.go(here + (1 if key.key == "down" else -1))
        elif key.key == "enter":
            self.answer(here)
        else:
            await edit(line, key)

    def answer(self, number: int) -> None:
        """Go on after a question, or begin."""
        lines = self.query(Input)
        if number < len(lines) - 1:
            self.go(number + 1)
            return
        answers = {question.name: line.value for question, line in zip(self.questions, lines, strict=True)}
        if wrong := self.wrong(answers):
            self.query_one("#wrong", Static).update(Text("\n".join(map(visible, wrong))))
            self.bell()
        else:
            self.exit(answers)


DIGITS: Final = tuple("123456789")


class RecordApp(TableScreen):
    """Records one game. The result is INTERRUPTED if Ctrl-C ended it, otherwise empty."""

    FOOT = FOOT
    BESIDES = 5
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit_record", priority=True),
        Binding("ctrl+c", "quit_record('interrupted')", priority=True),
    ]

    def __init__(self, recorder: Recorder, name: str) -> None:
        super().__init__("tiro record", "recorder_screen.tcss")
        self.recorder = recorder
        self.file = name
        self.kept = f"what was recorded is safe in {name}, and tiro record {name} continues"
        self.at = TYPING
        self._is_refused = False
        """Whether the notices say why something was not accepted."""
        self._listed = ""
        """What was on the line when the list was drawn."""
        self._follows = False
        """Whether the list will be redrawn after the waiting keys."""
        self._picked = False
        """Whether the text on the line was picked from the list."""
        self._warned = ""
        """What was on the line when the person wanted to leave."""
        self._behind = ""
        """Words that were refused because the word being picked was missing: they follow it."""
        self._unwritten = ""
        """What was typed at the end of the line and must still be written there."""

    def asking(self) -> ComposeResult:
        """Lay out the turn, the question, and the line to type on."""
        yield Static(id="turn")
        yield Static(id="asked")
        with Horizontal(id="line"):
            yield Static("> ", id="prompt")
            yield TypingLine(self.follow, self.shown, id="typing")

    def on_mount(self) -> None:
        """Begin where the record continues."""
        self.show_all()
        self.line.focus()
        self.set_interval(1, self.tick)

    @property
    def line(self) -> Input:
        """Return the input line."""
        return self.query_one("#typing", Input)

    @property
    def choices(self) -> list[MenuLine]:
        """Return the list for the word being typed; there is none for a command or a remark."""
        return self.recorder.choices(self.word) if self._lists else []

    @property
    def _lists(self) -> bool:
        """Return whether a word is being typed, not a command or a remark."""
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
        self.at = min(self.at, UNCHOSEN)  # the choice was a line of another list
        self.show_lines()
        self.show_list()

    def show_table(self) -> None:
        """Draw the table in its present or last known state."""
        draft = self.recorder.draft
        if draft.state is None:
            self.draw("#picture", Text())
        else:
            seen = look(draft.state, draft.frame.view, draft.closing)
            self.draw_table(seen, is_over=draft.cursor.phase is Phase.OVER)

    def happened(self, width: int) -> list[Text]:
        """Return the record; the turn that is being written stands below it."""
        lines = [Text(line) for line in written(self.recorder.draft.record)]
        return lines[:-1] if lines and not self.recorder.draft.cursor.fresh else lines

    def tick(self) -> None:
        """Show the clocks, if there are any, and note their state."""
        if self.recorder.clocks is not None:
            self.show_title()
            self.recorder.note_clocks()

    def show_title(self) -> None:
        """Draw the turn, the clocks, the players and the file, as far as whole words fit."""
        draft, clocks = self.recorder.draft, self.recorder.clocks
        header, view = draft.record.header, draft.frame.view
        parts = [draft.cursor.label]
        if clocks is not None:
            times = "   ".join(f"{name} {clocks.mark(side)[1:]}" for side, name in enumerate(PLAYER_NAMES))
            parts.append(times if clocks.is_running else f"{times}   (paused)")
        parts.append(" – ".join(map(header, PLAYER_NAMES)))
        parts += [f"seen by {view}"] * (view != VIEWS[0])
        parts += [f"{header('Rules')} rules", os.path.basename(self.file)]
        while len(parts) > 1 and cell_len(visible(_BETWEEN.join(parts))) > self.size.width - GAP:
            parts.pop()  # later parts matter less
        self.draw("#title", bar(Text(visible(_BETWEEN.join(parts)))))

    def show_list(self) -> None:
        """Draw everything that depends on the typed text: the question, the list, the message."""
        draft = self.recorder.draft
        self._listed, self._follows = self.line.value, False
        self.line.placeholder = PICKING if self.at != TYPING else ""
        self.draw_question(question(draft, self._part("#asked").size.width or self.size.width))
        unkept = not_recorded(self.line.value, self.recorder.left)
        self._part("#prompt").styles.width = len(unkept) + 2
        self.draw("#prompt", Text.assemble((unkept, REFUSED), "> "))
        self.draw("#turn", turn_line(draft, self._part("#turn").size.width))
        # One panel of constant height for both, so that a message does not change the layout.
        width, room = self._part("#below").size
        self.recorder.width = min(width, self.size.width - FRAME)
        shown = said(self.notices, width, refused=self._is_refused)
        # The record of what was entered or refused matters more than a list that nobody is choosing from.
        is_open = self.at != TYPING and not self._is_refused
        below = self._list(max(LEAST if is_open or self._waiting else 1, room - len(shown)))
        shown = cut(shown, max(1, room - len(below.plain.splitlines())), Text("…"))
        self.draw("#below", Text("\n").join([*shown, below]))

    def _list(self, room: int) -> Text:
        """Return the choices in ``room`` lines; after the game the score sheet."""
        choices, draft = self.choices, self.recorder.draft
        self.at = min(self.at, len(choices) - 1) if choices else TYPING
        if draft.cursor.phase is Phase.OVER:
            return self._sheet(room)
        is_open = bool(draft.menu.words) and self._lists and not choices and not self._is_refused
        if is_open and self.word == self.line.value.strip() != "":
            is_none = not may_begin(self.recorder, self.word)
            word = visible(self.word)
            return Text(f"nothing that may come next begins with “{word}”; Esc clears the line" * is_none)
        self._rows = rows(choices, room, self._part("#below").size.width)
        return listed(self._rows, choices, self.word, self.at, room)

    def _sheet(self, room: int) -> Text:
        """Return the score sheet in ``room`` lines, or just its sums if it needs more; nothing if it is already
        shown.
        """
        draft, width = self.recorder.draft, self._part("#below").size.width
        lines, parts = score_sheet(draft, width=self.recorder.width), score_in_parts(draft)
        if {lines[0], *parts[:1]} & {*self.notices}:
            return Text()
        if parts and len(lines) > room:
            lines = [*parts, "…  /sheet shows all groups"]
        return Text("\n").join(cut(said(lines, width, refused=False), room, Text("…  /sheet shows all of it")))

    def follow(self) -> None:
        """Let the list follow the typed text; if more keys are waiting, as after a paste, do it once after them."""
        if self.line.value == self._listed or self._follows:
            return
        self._follows = bool(self.message_queue_size)
        self.call_later(self.show_list) if self._follows else self.show_list()

    def shown(self, typed: Text) -> Text:
        """Return the typed text, with the refused word marked as long as it comes first."""
        refusal = self.recorder.refusal
        word = text_of(refusal.item) if refusal is not None and refusal.item is not None else ""
        start = len(typed.plain) - len(typed.plain.lstrip())
        if word and typed.plain.startswith(word, start):
            typed.stylize(REFUSED, start, start + len(word))
        return typed

    @property
    def _waiting(self) -> str:
        """Return the words on the line that were refused because the word to pick from the list is missing before
        them.
        """
        refusal, left = self.recorder.refusal, self.recorder.left
        lacks = refusal is not None and not any(fault.code for fault in refusal.objections[:1])
        return self.line.value.strip() if lacks and not_recorded(self.line.value, left) else ""

    @property
    def _stands_refused(self) -> bool:
        """Return whether a refused word is on the line and marked there."""
        return bool(self.shown(Text(self.line.value)).spans)

    # ----------------------------------------------------------------------------------------------------- the keys

    async def pressed(self, key: Key) -> None:
        """Do what a key means, or pass it to the input line; plain text from all waiting keys is written there at
        once.
        """
        if self._only_lengthens(key):
            if not self._unwritten:
                self.call_later(self._write_typed)
            self._unwritten += typed_text(key)
        else:
            self._write_typed()
            await self._obey(key)

    def _only_lengthens(self, key: Key) -> bool:
        """Return whether a key only adds text at the end of the line."""
        at_end = self.line.cursor_at_end and self.line.selection.is_empty
        if self.at != TYPING or self._picked or not at_end or not typed_text(key):
            return False
        return key.key != "space" or self._waits or not is_word(self._typed)

    @property
    def _typed(self) -> str:
        """Return the text on the line, with what must still be written there."""
        return self.line.value + self._unwritten

    def _write_typed(self) -> None:
        if self._unwritten:
            text, self._unwritten = self._typed, ""
            self._write(text)

    async def _obey(self, key: Key) -> None:
        do = self.KEYS.get(key.key)
        if self.at != TYPING and self._picks(key):
            return
        if key.key == "enter" or (key.key == "space" and is_word(self.line.value) and not self._waits):
            self.enter(self.line.value)
        elif do is not None:
            do(self)
        else:
            if typed_text(key):
                self.at, self._picked = TYPING, False
            await edit(self.line, key)

    def _picks(self, key: Key) -> bool:
        """Do what a key means in the list; return whether it means anything there."""
        match key.key:
            case "enter":
                self._take()
            case "backspace":
                self.at = UNCHOSEN
                self._write("")
            case "left" | "right":
                self.pick_beside(1 if key.key == "right" else -1)
            case _:
                choice = choice_for(self.choices, self.word, key.character) if key.character else None
                if choice is not None:
                    self._put(choice)
                return choice is not None
        return True

    @property
    def _waits(self) -> bool:
        """Return whether the word being typed comes after refused ones: it waits, and nothing is judged again."""
        return self._stands_refused and self._typed.lstrip().startswith(f"{self.recorder.left} ")

    def _write(self, text: str) -> None:
        self.line.value = text
        self.line.cursor_position = len(text)

    def pick(self, pace: int) -> None:
        """Go to the list, or along it; above its first line the keys go to the input line again."""
        if self._follows:
            self.show_list()
        self.choose(moved(self._rows, self.at, pace))

    def choose(self, at: int) -> None:
        """Choose a line of the list; from then on it matters more than why something else was refused."""
        if self._is_refused and at != TYPING:
            self.notices, self._is_refused = [], False
        super().choose(at)

    def leave(self) -> None:
        """Go back to typing; delete a word that was picked from the list, or otherwise the whole line."""
        is_over = self._picked or self.at == TYPING
        self.at, self.notices, self._picked, self._is_refused, self._behind = TYPING, [], False, False, ""
        if is_over:
            self._write("")
        self.show_list()

    def _take(self) -> None:
        """Enter the choice, or put its beginning on the line; nothing else is entered."""
        if self.at == UNCHOSEN:
            self.say([CHOOSE, *[line for line in self.notices if line != CHOOSE]])
            return
        choice = self.choices[self.at]
        self._behind = self._behind or self._waiting
        self.enter(choice.text, at=UNCHOSEN) if choice.whole else self._put(choice)

    def _put(self, choice: MenuLine) -> None:
        """Put a choice, or its beginning, on the line. Enter takes it, since a key may begin a typed word."""
        self._behind = self._behind or self._waiting
        self._write(choice.text)
        self._picked = bool(choice.text)
        self.choose(next((at for at, each in enumerate(self.choices) if each.text == choice.text), UNCHOSEN))

    def enter(self, typed: str, at: int = TYPING) -> None:
        """Enter the typed text; words that are refused or not kept stay on the line. The list is then at ``at``."""
        self.at = at
        words, order = parted(typed)
        refusal = self.recorder.refusal
        if order:
            if self.obey(typed) and self.line.value == typed:
                # Words after a refused one can also be refused.
                self._write("" if self.recorder.refusal is refusal and not words else f"{self.recorder.left} ".lstrip())
        else:
            self._do(f"{typed} {self._behind}".rstrip())
            self._behind = ""
            self._write_left()
            self.show_all()

    def _write_left(self) -> None:
        """Put the words that are not in the record on the line, with a space before whatever is typed next."""
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
        """Take the proposal whose number was pressed while the proposals are listed."""
        if key.character not in DIGITS:
            await self.pressed(key)
        else:
            self._write(f"{self.line.value.strip()} /repair {key.character}".lstrip())
            self.enter(self.line.value)

    def undo(self) -> None:
        """Clear a refused word from the line; if there is none, undo what was recorded last."""
        if self._stands_refused:
            cleared, self.line.value = self.line.value.strip(), ""
            self.say([f"cleared: {cleared}, which was refused; nothing recorded was taken back"])
        else:
            self.obey("/undo")

    def insist(self) -> None:
        """Enter the line; if a word on it was refused before, insist on that word and enter what was typed after it."""
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
        """Carry out a command or enter words; return whether that was possible. ``notices`` receive the messages."""
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
        texts = key_texts()
        parts = texts["record"], help_texts()["commands"], word_help(), texts["board"]
        self.push_screen(help_screen(*parts, typed=self.pressed))

    def clock(self) -> None:
        """Start or pause the clock."""
        clocks = self.recorder.clocks
        self.obey("/clock pause" if clocks is not None and clocks.is_running else "/clock start")

    def edit_last(self) -> None:
        """Put the last line of the record on the input line, to be changed."""
        turns = self.recorder.draft.record.turns
        if turns:
            self.obey(f"/edit {turns[-1].label}")

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
    """The meaning of keys that don't type text."""

    def action_quit_record(self, how: str = "") -> None:
        """Leave; everything entered is saved already. Text on the line is not; a warning says so once."""
        self._write_typed()
        typed = self.line.value.strip()
        if typed and typed != self._warned:
            self._warned = typed
            why = "was refused and is not recorded" if self._stands_refused else "is not entered: Enter records it"
            self.say([f"“{typed}” {why}; ^Q again leaves without it"])
            return
        self.exit(how)
