"""The questions before a game, as a form that fills the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from ...notation.safe_text import visible
from ..recording.new_record import Question
from .widgets import SafeApp, edit

EMPTY: Final = "(may stay empty)"
"""What an empty line says that needs no answer."""


class FormApp(SafeApp[dict[str, str]]):
    """Asks for the headers of a new record. The result maps header to answer; None where nobody wants to begin."""

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
            keys = "↑ ↓ Enter go from line to line, Enter on the last starts the game; ^Q leaves."
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
        """Go to a question, counted from 0: what is typed there replaces its answer."""
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
        """Go on behind a question, or begin."""
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
