"""The list to pick from as it is drawn, and the help on keys. No screen is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final, TypeVar

from rich.text import Text

from ..recording.entry import RESULT
from ..recording.menu import Choice, shared

Line = TypeVar("Line", str, Text)
LETTERS: Final = "efjklnoqrtuz"
"""The keys of lines that have no sign of their own: letters with which no word begins or goes on."""
OPEN_SIGNS: Final = {"(": ")", "[": "]", "{": "}"}
FOOT: Final = "Enter take it  ↓ pick  F1 help  ^Q leave  ^Z undo  ^T it happened  PgUp PgDn table"
SCREEN_KEYS: Final = (
    ("Space, Enter", "enter the word; Enter alone ends the turn"),
    ("↓ ↑", "pick from the list, or press the key before a line: a digit is that card; … opens the next list"),
    ("Esc", "leave the list; clears the line, including what was refused"),
    ("^Z ^Y", "undo, redo"),
    ("^T", "it happened: record what was refused, for the arbiter to rule on"),
    ("^E", "change the last turn"),
    ("F5", "start or pause the clock"),
    ("PgUp PgDn", "more of the record, or of the table"),
    ("^Q", "leave"),
)
"""What keys do."""


def keys(choices: Sequence[Choice], typed: str) -> list[str]:
    """Return the key of each choice: the sign with which its word alone continues, else a letter; digits are cards."""
    ahead = _ahead(choices, typed)
    alone = {sign for sign, count in Counter(ahead).items() if sign and count == 1}
    letters = chain((letter for letter in LETTERS if letter not in ahead), repeat(" "))
    return [sign if sign in alone else next(letters) for sign in ahead]


def choice_for(choices: Sequence[Choice], typed: str, sign: str) -> Choice | None:
    """Return the choice that a key means, or one for all words that continue with it; None where it means nothing."""
    if sign.strip() and sign in (its := keys(choices, typed)):
        return choices[its.index(sign)]
    return Choice(_shared(choices, typed) + sign, "", whole=False) if sign in _ahead(choices, typed) else None


def _ahead(choices: Sequence[Choice], typed: str) -> list[str]:
    behind = len(_shared(choices, typed))
    return [choice.text[behind : behind + 1] for choice in choices]


def _shared(choices: Sequence[Choice], typed: str) -> str:
    """Return what all words of the list begin with. The end of a turn does not count."""
    texts = [choice.text for choice in choices if choice.text]
    return "".join(shared(texts)) if len(texts) > 1 else typed


def listed(choices: Sequence[Choice], typed: str, at: int, room: int) -> Text:
    """Return the choices with their keys; where there are too many for ``room`` lines, those around the chosen one."""
    signs = keys(choices, typed) if at >= 0 else [" "] * len(choices)
    first = max(0, min(at - room // 2, len(choices) - room)) if room > 0 else 0
    texts = [(choice.text or "Enter") + "…" * (not choice.whole) for choice in choices]
    wide = max(map(len, texts), default=0)
    lines = Text()
    for number in range(first, min(len(choices), first + max(room, 1))):
        here = number == at
        lines.append(f"{'▸' if here else ' '}{signs[number]}  ")
        lines.append(f"{texts[number]:<{wide}}", "bold reverse" if here else "bold")
        lines.append(f"  {choices[number].words}\n")
    return lines


def cut(lines: list[Line], room: int, more: Line) -> list[Line]:
    """Return as many of the lines as there is room for; where there are more, the last one says so."""
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], more]


def is_word(text: str) -> bool:
    """Return whether the typed text is a complete word, so that the space being typed enters it."""
    text = text.strip()
    if not text or text[0] in "/|%;" or '"' in text or RESULT.match(text):
        return False
    return all(text.count(opened) == text.count(shut) for opened, shut in OPEN_SIGNS.items())
