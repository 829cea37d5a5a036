"""The list to pick from as it is drawn. No screen is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice, repeat
from typing import Final, TypeVar

from rich.text import Text

from ..recording.entry import RESULT
from ..recording.menu import MenuLine, common_start

Line = TypeVar("Line", str, Text)
LETTERS: Final = "efjklnoqrtuz"
"""The keys of lines that have no sign of their own: letters with which no word begins or goes on."""
OPEN_SIGNS: Final = {"(": ")", "[": "]", "{": "}"}
FOOT: Final = "Enter take it  ↓ pick  F1 help  ^Q leave  ^Z undo  ^T it happened  PgUp PgDn table"


def keys(choices: Sequence[MenuLine], typed: str) -> list[str]:
    """Return the key of each choice: the sign with which its word alone continues, else a letter; digits are cards."""
    signs = _next_signs(choices, typed)
    alone = {sign for sign, count in Counter(signs).items() if sign and count == 1}
    letters = chain((letter for letter in LETTERS if letter not in signs), repeat(" "))
    return [sign if sign in alone else next(letters) for sign in signs]


def choice_for(choices: Sequence[MenuLine], typed: str, sign: str) -> MenuLine | None:
    """Return the choice that a key means, or one for all words that continue with it; None where it means nothing."""
    if sign.strip() and sign in (its := keys(choices, typed)):
        return choices[its.index(sign)]
    is_next = sign in _next_signs(choices, typed)
    return MenuLine(_common(choices, typed) + sign, "", whole=False) if is_next else None


def _next_signs(choices: Sequence[MenuLine], typed: str) -> list[str]:
    length = len(_common(choices, typed))
    return [choice.text[length : length + 1] for choice in choices]


def _common(choices: Sequence[MenuLine], typed: str) -> str:
    """Return what all words of the list begin with. The end of a turn does not count."""
    texts = [choice.text for choice in choices if choice.text]
    return "".join(common_start(texts)) if len(texts) > 1 else typed


def listed(choices: Sequence[MenuLine], typed: str, at: int, room: int) -> Text:
    """Return the choices with their keys; where there are too many for ``room`` lines, those around the chosen one."""
    signs = keys(choices, typed) if at >= 0 else [" "] * len(choices)
    first = max(0, min(at - room // 2, len(choices) - room)) if room > 0 else 0
    width = max((len(choice.label) for choice in choices), default=0)
    rows = enumerate(zip(signs, choices, strict=True))
    lines = Text()
    for number, (sign, choice) in islice(rows, first, first + max(room, 1)):
        lines.append(f"{'▸' if number == at else ' '}{sign}  ")
        lines.append(f"{choice.label:<{width}}", "bold reverse" if number == at else "bold")
        lines.append(f"  {choice.words}\n")
    return lines


def cut(lines: list[Line], room: int, more: Line) -> list[Line]:
    """Return as many of the lines as there is room for; where there are more, the last one says so."""
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], more]


def is_word(text: str) -> bool:
    """Return whether the typed text is a complete word, so that the space being typed enters it."""
    text = text.strip()
    if not text or text[0] in "/|%;" or " /" in text or '"' in text or RESULT.match(text):
        return False  # a command can follow what was refused
    return all(text.count(opened) == text.count(shut) for opened, shut in OPEN_SIGNS.items())
