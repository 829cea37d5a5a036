"""Text that does not fit the grammar, and how to tell a person."""

from __future__ import annotations

from typing import Final

MOST_EXPECTED: Final = 8
"""Beyond so many things that could have stood there, a list of them helps nobody."""


class Unreadable(ValueError):  # it says what the text is
    """The text does not fit the grammar from ``column`` on; ``found`` stood there, ``expected`` could have."""

    def __init__(self, column: int, found: str, expected: tuple[str, ...]) -> None:
        super().__init__(found)
        self.column = column
        self.found = found
        self.expected = expected


def tell(text: str, error: Unreadable) -> str:
    """One sentence: what can't be read, where it goes wrong, what could have stood there."""
    shown = text if len(text) <= 40 else text[:39] + "…"
    found = f"at “{error.found}”" if error.found else "it ends too early"
    *others, last = error.expected or ("",)
    choice = f"{', '.join(others)} or {last}" if others else last
    told = f"; {choice} could have stood there" if choice and len(error.expected) <= MOST_EXPECTED else ""
    return f"“{shown}” can't be read: {found}{told}"
