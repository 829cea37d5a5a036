"""Where a recorder keeps its text: in the storage of a record, or nowhere while something is only tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from .storage import RecordStorage


class Nowhere:
    """Keeps a text for as long as something is tried, with nothing to undo and no clocks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.aside = self.clocks = ""
        self.messages: list[str] = []

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        """Take the text over."""
        self.text = text

    def undo(self, until: Callable[[str], bool] = lambda _: True) -> bool:
        """Undo nothing."""
        return False

    def redo(self) -> bool:
        """Redo nothing."""
        return False


TextStore: TypeAlias = RecordStorage | Nowhere
