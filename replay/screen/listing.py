"""The list to pick from as it is drawn, and what is said about the keys. No screen is needed for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from rich.text import Text

from ..recording.entry import RESULT
from ..recording.menu import Choice

Line = TypeVar("Line", str, Text)
DIGITS: Final = 9
"""So many lines of the list have a key of their own."""
OPEN_SIGNS: Final = {"(": ")", "[": "]", "{": "}"}
FOOT: Final = "Enter take it  ↓ pick  F1 help  ^Q leave  ^Z undo  ^T it happened  PgUp PgDn table"
SCREEN_KEYS: Final = (
    ("Space, Enter", "enter the word; Enter alone ends the turn"),
    ("↓ ↑ 1–9", "pick from the list: digits are its lines, not cards; … opens the next list"),
    ("Esc", "back from the list; takes away what stands on the line, also what was refused"),
    ("^Z ^Y", "undo, redo"),
    ("^T", "it happened: what was refused goes in, for the arbiter to rule on"),
    ("^E", "change the last turn"),
    ("F5", "start or pause the clock"),
    ("PgUp PgDn", "more of the record, or of the table"),
    ("^Q", "leave"),
)
"""What keys do."""


def listed(found: Sequence[Choice], at: int, room: int) -> Text:
    """The choices with their keys, those around the chosen one where there are more than there is room for."""
    first = max(0, min(at - room // 2, len(found) - room)) if room > 0 else 0
    texts = [(choice.text or "Enter") + "…" * (not choice.whole) for choice in found]
    wide = max(map(len, texts), default=0)
    lines = Text()
    for number in range(first, min(len(found), first + max(room, 1))):
        here = number == at
        # A digit that is typed is a card, until the list has been gone to.
        key = str(number + 1) if number < DIGITS and at >= 0 else " "
        lines.append(f"{'▸' if here else ' '}{key}  ")
        lines.append(f"{texts[number]:<{wide}}", "bold reverse" if here else "bold")
        lines.append(f"  {found[number].words}\n")
    return lines


def cut(lines: list[Line], room: int, more: Line) -> list[Line]:
    """So many of the lines as there is room for; where there are more, the last one says so."""
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], more]


def is_word(text: str) -> bool:
    """Whether a word is complete with the space that is being typed, and can be entered."""
    text = text.strip()
    if not text or text[0] in "/|%;" or '"' in text or RESULT.match(text):
        return False
    return all(text.count(opened) == text.count(shut) for opened, shut in OPEN_SIGNS.items())
