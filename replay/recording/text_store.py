"""What a recorder asks of the place where it keeps its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class TextStore(Protocol):
    """Where a recorder keeps its text: the storage of a record, or nowhere while something is only tried."""

    messages: list[str]

    @property
    def text(self) -> str:
        """Return the text that was kept last."""
        ...

    @property
    def aside(self) -> str:
        """Return what was kept beside it."""
        ...

    @property
    def clocks(self) -> str:
        """Return how the clocks stood when that was noted last."""
        ...

    def note(self, clocks: str) -> None:
        """Note how the clocks stand."""

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        """Keep a text, with what was done and at which turn, and what else is to be known of it."""

    def undo(self, until: Callable[[str], bool] = ...) -> bool:
        """Go back to an earlier text; return whether there is one."""
        ...

    def redo(self) -> bool:
        """Take the last undo back; return whether there is one."""
        ...
