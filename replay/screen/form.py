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
        for keys, action in (("down", "next(1)"), ("up", "next(-1)"), ("ctrl+q,ctrl+c", "leave"))
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
        if self.focused is self.query(Input).last():
            answers = {question.name: self.query_one(f"#{question.name}", Input).value for question in self.questions}
            if wrong := self.wrong(answers):
                self.query_one("#wrong", Static).update(Text("\n".join(map(visible, wrong))))
                self.bell()
            else:
                self.exit(answers)
        else:
            self.action_next(1)

    def action_next(self, pace: int) -> None:
        """Go to another question."""
        lines = list(self.query(Input))
        here = next((place for place, line in enumerate(lines) if line is self.focused), 0)
        # At once: what a quick hand presses next counts from there.
        self.screen.set_focus(lines[(here + pace) % len(lines)])

    def action_leave(self) -> None:
        """Begin nothing."""
        self.exit(None)
