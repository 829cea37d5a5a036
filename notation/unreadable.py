"""Text that does not fit the grammar: its words one by one, what is wrong with it, and how to say that."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

MOST_EXPECTED: Final = 8
"""Beyond so many things that could have stood there, a list of them helps nobody."""
MOST_TOLD: Final = 4
"""Of those, so many are told, the likeliest first."""
LONGEST_GUESS: Final = 40
"""Characters; longer words are no slips of the pen."""


@dataclass
class Misfit:
    """Where a text ceases to fit the grammar: ``found`` stood at ``column``; ``expect`` tells what could have."""

    column: int
    found: str
    expect: Callable[[], tuple[str, ...]]

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """Return what could have stood there, asked for only when needed: that takes longer than to find the misfit."""
        return self.expect()


def tell(text: str, error: Misfit | None) -> str:
    """Return a sentence: what can't be read and, for an error, where it goes wrong and what could have stood there."""
    shown = text if len(text) <= LONGEST_GUESS else text[: LONGEST_GUESS - 1] + "…"
    if error is None:
        return f"“{shown}” can't be read"
    where = f"at “{error.found}”" if error.found.isascii() else f"at {sign_name(error.found[0])}"
    where = where if error.found else "it ends too early"
    choice, expected = "", error.expected
    if MOST_TOLD < len(expected) <= MOST_EXPECTED:
        choice = f"; {', '.join(expected[:MOST_TOLD])} and other things could have stood there"
    elif 0 < len(expected) <= MOST_TOLD:
        choice = f"; {join_or(expected)} could have stood there"
    return f"“{shown}” can't be read: {where}{choice}"


def sign_name(sign: str) -> str:
    """Return a sign with its name: many look like those of the notation, and some can't be seen."""
    return f"“{sign}” ({unicodedata.name(sign, 'a sign without a name')}, U+{ord(sign):04X})"


def join_or(names: tuple[str, ...]) -> str:
    """Return ``a, b or c``."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


_FRAGMENT: Final = re.compile(r'\{[^}]*\}?|;.*|(?:"(?:\\.|[^"\\])*+"|[^\s{;"])+|"')
"""A comment, or a word with the texts in quotes that are closed; a quote alone where it is not."""
_FRAGMENT_WITHOUT_TEXTS: Final = re.compile(r"\{[^}]*\}?|;.*|[^\s{;]+")
_REST: Final = re.compile(r"[^\s{;]*")


def fragments(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each word and each comment of a line from ``at`` on."""
    pattern = _FRAGMENT
    while match := pattern.search(text, at):
        start, at = match.span()
        if pattern is _FRAGMENT and text[start] not in "{;" and (text[start:at] == '"' or text.startswith('"', at)):
            # A quote that nothing closes is a letter as any other, and no later one is closed either: from here on
            # none is tried again, since each would be looked for to the end of the line.
            pattern = _FRAGMENT_WITHOUT_TEXTS
            rest = _REST.match(text, at)
            at = rest.end() if rest else at
        yield start, at, text[start:at]
