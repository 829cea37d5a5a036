"""The list to pick from, as drawn. No screen is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ...notation.tokens import ChooseMission
from ..editions.edition import Edition
from ..recording.editing import RESULT
from ..recording.menu import Menu, MenuLine, but_for_cards, common_start, sections
from ..rules.moves.legal import Move

if TYPE_CHECKING:
    from ..insight.offered_moves import Offer

Line = TypeVar("Line", str, Text)
LETTERS: Final = "efjklnortuz"
"""The keys of lines without their own sign: letters with which no word begins or continues."""
OPEN_SIGNS: Final = {"(": ")", "[": "]", "{": "}"}
HEAD: Final = "underline"
KEY: Final = 4
"""The width of the chosen line's sign and the key, with a gap."""
GAP: Final = 2
MOST: Final = 6
"""The most columns."""
FOOT: Final = "Enter take it  ↓ pick  F1 help  ^Z undo  ^T it happened  ^Q leave  PgUp PgDn"

TYPING: Final = -2
"""Stands in for a line of the list: the keys go to the input line."""
UNCHOSEN: Final = -1
"""Stands in for a line of the list: the keys choose one, and none is chosen yet."""
PICKING: Final = "a key chooses its line, Enter takes it; Esc to type"
"""What the empty input line shows in the meantime, so that it is clear what a key does."""
CHOOSE: Final = "choose a line with the arrows, or with the key shown before it"
"""What Enter answers if no line is chosen."""


def keys(choices: Sequence[MenuLine], typed: str) -> list[str]:
    """Return the key of each choice: the sign with which only its word continues, or else a letter; digits are cards.

    If several continue in the same way, like (1)P and (2)P, it is the sign in which they differ, unless that sign means
    something else.
    """
    signs = _next_signs(choices, typed)
    alike: dict[str, list[int]] = {}
    for place, sign in enumerate(signs):
        alike.setdefault(sign, []).append(place)
    further = [*signs]
    for common, places in alike.items():
        if common and len(places) > 1:
            for place, sign in zip(places, _next_signs([choices[place] for place in places], typed), strict=True):
                further[place] = "" if sign in alike else sign
    alone = {sign for sign, count in Counter(further).items() if sign and count == 1}
    letters = chain((letter for letter in LETTERS if letter not in {*signs, *alone}), repeat(" "))
    return [sign if sign in alone else next(letters) for sign in further]


def choice_for(choices: Sequence[MenuLine], typed: str, sign: str) -> MenuLine | None:
    """Return the choice that a key means, or one for all words that continue with it; None if the key means nothing."""
    if sign.strip() and sign in (its := keys(choices, typed)):
        return choices[its.index(sign)]
    is_next = sign in _next_signs(choices, typed)
    return MenuLine(_common(choices, typed) + sign, "", whole=False) if is_next else None


def _next_signs(choices: Sequence[MenuLine], typed: str) -> list[str]:
    at = len(_common(choices, typed))
    return ["" if _is_count(choice.text, at) else choice.text[at : at + 1] for choice in choices]


def _is_count(text: str, at: int) -> bool:
    """Return whether a digit there is not a card but points, or the number of a mission or hidden card."""
    return text[at : at + 1].isdigit() and (text[0] == "m" or "#" in text[:at] or bool(RESULT.match(text)))


def _common(choices: Sequence[MenuLine], typed: str) -> str:
    """Return what all words of the list begin with. The end of a turn does not count."""
    texts = [choice.text for choice in choices if choice.text]
    return "".join(common_start(texts)) if len(texts) > 1 else typed


class Row(NamedTuple):
    """A line of the list: the common beginning of a section's choices, and the ``cells`` side by side.

    A cell has the number of a choice, its words, their largest width, and the width of the whole cell.
    """

    head: str
    cells: list[tuple[int, str, int, int]]


def rows(choices: Sequence[MenuLine], room: int, width: int) -> list[Row]:
    """Return the list in as few columns as needed for ``room`` lines of ``width`` columns.

    The words that choices share are above them, or before them if there would be too many lines. If there still are too
    many, return the shortest list.
    """
    lists = (_rows(choices, most, width, beside=beside) for beside in (False, True) for most in range(1, MOST + 1))
    best: list[Row] = []
    for found in lists:
        if not best or (len(found) < len(best) and max(map(_width, found)) <= width):
            best = found
        if len(best) <= room:
            break
    return [_cut(row, width) for row in best]


def _cut(row: Row, width: int) -> Row:
    """Return a line of the list with its words cut to fit; the notation after them stays."""
    over = _width(row) - width
    if over <= 0 or not row.cells:
        return row
    *others, (number, words, room, wide) = row.cells
    return Row(row.head, [*others, (number, words, max(1, room - over), wide - over)])


def _width(row: Row) -> int:
    return len(row.head) + sum(cell[3] + GAP for cell in row.cells) - GAP * bool(row.cells)


def _rows(choices: Sequence[MenuLine], most: int, width: int, *, beside: bool) -> list[Row]:
    """Return the list in at most this many columns, with the heads above the lines or ``beside`` them."""
    parts, lines, first = sections(choices), list[Row](), 0
    indent = max([len(part.head) + GAP for part in parts if part.head], default=0) if beside else 0
    for head, section in parts:
        label = max(len(choice.label) for choice in section)
        sizes = [KEY + cell_len(choice.words) + GAP + label for choice in section]
        columns = _columns(sizes, most, width - indent)
        lines += [Row(head, [])] if head and not beside else []
        for start in range(0, len(section), len(columns)):
            numbers = range(start, min(start + len(columns), len(section)))
            cells = [
                (first + at, section[at].words, max(1, wide - KEY - GAP - label), wide)
                for at, wide in zip(numbers, columns, strict=False)
            ]
            lines.append(Row(f"{head if not start else '':<{indent}}" if beside else "", cells))
        first += len(section)
    return lines


def _columns(sizes: Sequence[int], most: int, width: int) -> list[int]:
    """Return the width of each column, for as many columns as fit, at most ``most``."""
    for count in range(min(most, len(sizes)), 1, -1):
        columns = [max(sizes[start::count]) for start in range(count)]
        if sum(columns) + GAP * (count - 1) <= width:
            return columns
    return [max(sizes)]


def listed(lines: Sequence[Row], choices: Sequence[MenuLine], typed: str, at: int, room: int) -> Text:
    """Return the list as drawn, with keys if they choose; the part around the chosen line is shown."""
    signs = keys(choices, typed) if at != TYPING else [" "] * len(choices)
    here = next((place for place, row in enumerate(lines) if at in [cell[0] for cell in row.cells]), 0)
    first = max(0, min(here - room // 2, len(lines) - room)) if room > 0 else 0
    last = first + max(room, 1) - 1
    text = Text()
    for place, (head, cells) in enumerate(lines[first : last + 1], first):
        words = head.rstrip()
        text.append(words, HEAD).append(" " * (len(head) - len(words)))
        for number, words, room_for_words, wide in cells:
            start = len(text)
            text.append(f"{'▸' if number == at else ' '}{signs[number]}  ", "bold")
            text.append(_fitting(words, room_for_words), "bold reverse" if number == at else "")
            text.append(" " * (KEY + room_for_words + GAP - cell_len(text.plain[start:])))
            text.append(choices[number].label, "bold")
            text.append(" " * (wide + GAP - cell_len(text.plain[start:])))
        text.rstrip()
        text.append("  ↑ more" if place == first > 0 else "  ↓ more" if place == last < len(lines) - 1 else "", HEAD)
        text.append("\n")
    return text


def numbered(choices: Sequence[MenuLine], names: Sequence[str], room: int, width: int) -> list[str]:
    """Return the list as plain text, with the name of each choice, in no more columns than needed for ``room`` lines.

    If that is not enough, words that differ only in their cards share a line.
    """
    found, lines = rows(choices, room, width), list[str]()
    if len(found) > room:
        return _gathered(choices, names, width)
    for head, cells in found:
        text = head
        for number, words, room_for_words, wide in cells:
            said = set_cell_size(_fitting(words, room_for_words), room_for_words + GAP)
            cell = f"{names[number]:>{KEY - 2}}. {said}{choices[number].label}"
            text += set_cell_size(cell, max(wide, cell_len(cell)) + GAP)
        lines.append(text.rstrip())
    return lines


def _gathered(choices: Sequence[MenuLine], names: Sequence[str], width: int) -> list[str]:
    lines, unnamed = list[str](), iter(names)
    for head, section in sections(choices):
        lines += [head] if head else []
        for said, alike in but_for_cards(section):
            # The name stays with its word where a line is folded.
            cells = [f"{next(unnamed)}.\N{NO-BREAK SPACE}{line.label}" for line in alike]
            folded = wrap(f"{said}:  {'  '.join(cells)}", width, initial_indent="  ", subsequent_indent=" " * 6)
            lines += [line.replace("\N{NO-BREAK SPACE}", " ") for line in folded]
    return lines


def _fitting(words: str, room: int) -> str:
    """Return words in no more than ``room`` cells, so that the notation after them is never cut off."""
    return words if cell_len(words) <= room else f"{set_cell_size(words, room - 1)}…"


def moved(lines: Sequence[Row], at: int, down: int) -> int:
    """Return the choice a line further ``down``, or up with -1; TYPING above the first."""
    numbers = [[cell[0] for cell in row.cells] for row in lines if row.cells]
    if at < 0:
        return 0 if down > 0 and numbers else TYPING
    here = next(place for place, row in enumerate(numbers) if at in row)
    there = here + down
    if not 0 <= there < len(numbers):
        return at if down > 0 else TYPING
    return numbers[there][min(numbers[here].index(at), len(numbers[there]) - 1)]


def cut(lines: list[Line], room: int, more: Line) -> list[Line]:
    """Return as many lines as fit; if there are more, the last one says so."""
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], more]


def is_word(text: str) -> bool:
    """Return whether the typed text is a complete word, so that the space being typed enters it."""
    text = text.strip()
    if not text or text[0] in "/|%;" or " /" in text or '"' in text or RESULT.match(text):
        return False  # a command can follow a refused word
    return all(text.count(opened) == text.count(shut) for opened, shut in OPEN_SIGNS.items())


def move_menu(offers: Sequence[Offer], side: int, edition: Edition) -> Menu:
    """Return the offers as a menu; if there are many, it groups them by how their words continue."""
    moves = [Move(offer.token) for offer in offers if _says_all(offer)]
    return Menu(moves, side, edition, {offer.text: offer.words for offer in offers if not _says_all(offer)})


def _says_all(offer: Offer) -> bool:
    """Return whether the token of an offer says all that its words do."""
    return offer.token is not None and not isinstance(offer.token, ChooseMission)


def menu_lines(offers: Iterable[Offer]) -> list[MenuLine]:
    """Return offers as lines of a list to pick from."""
    return [MenuLine(offer.text, offer.words, whole=True) for offer in offers]
