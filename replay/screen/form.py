"""The questions before a game, as a form that fills the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from ...notation.safe_text import visible
from ..recording.new_record import Question
from .widgets import SafeApp


class FormApp(SafeApp[dict[str, str]]):
    """Asks for the headers of a new record. The result maps header to answer; None where nobody wants to begin."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, priority=True)
        for keys, action in (("down", "next"), ("up", "previous"), ("ctrl+q,ctrl+c", "quit"))
    ]

    def __init__(self, questions: Sequence[Question], head: str, wrong: Callable[[dict[str, str]], list[str]]) -> None:
        """Ask the questions under a heading; ``wrong`` returns what is wrong with some answers."""
        super().__init__("tiro record", "form.tcss")
        self.wrong = wrong
        self.questions = questions
        self.head = head

    def compose(self) -> ComposeResult:
        """Lay out a line for each question."""
        with VerticalScroll():
            keys = "↑ ↓ and Enter go from line to line, Enter on the last starts the game; ^Q leaves."
            yield Static(Text(f"{visible(self.head)}\n{keys}\n"))
            for question in self.questions:
                yield Static(Text(question.words, "bold"))
                yield Input(question.default, id=question.name, compact=True)
            yield Static(id="wrong")

    def on_mount(self) -> None:
        """Begin with the first question."""
        self.query(Input).first().focus()

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Go on, or begin."""
        lines = self.query(Input)
        if self.focused is not lines.last():
            self.action_next()
            return
        answers = {question.name: line.value for question, line in zip(self.questions, lines, strict=True)}
        if wrong := self.wrong(answers):
            self.query_one("#wrong", Static).update(Text("\n".join(map(visible, wrong))))
            self.bell()
        else:
            self.exit(answers)

    # Both act at once: what a quick hand presses next counts from there.

    def action_next(self) -> None:
        """Go to the next question."""
        self.screen.focus_next(Input)

    def action_previous(self) -> None:
        """Go to the question before."""
        self.screen.focus_previous(Input)
