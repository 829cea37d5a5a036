"""What text that can't be read may have been meant for: one sign changed, left out, added or exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import Final

from ...notation import tokens as t
from ...notation.record import Turn
from ...notation.unreadable import LONGEST_GUESS
from ...notation.word_cache import WORDS, read_line
from .slips import Slip

SIGNS: Final = "12345piACKPQSREaxswcyvmor()=*+-:>#"
"""Signs of which the words of a turn are made."""
LIKE: Final = dict(zip("0OlIPSs-B8Zz", "oo11p55=3322", strict=True))
"""A sign → one that looks like it."""
_ANY: Final = log(len(SIGNS))


def respelt(text: str) -> Iterator[tuple[str, float]]:
    """Yield texts that one slip turns into this one, each with the cost of that slip."""
    for at, sign in enumerate(text):
        before, after = text[:at], text[at + 1 :]
        for other in dict.fromkeys((LIKE.get(sign, ""), sign.swapcase())):
            if other and other != sign:
                yield before + other + after, Slip.SPELLING.cost
        yield before + after, Slip.SPELLING.cost + 1.0
        yield f"{before}({sign}){after}", Slip.BRACKETS.cost
        if after:
            yield before + after[0] + sign + after[1:], Slip.SPELLING.cost + 2.0
        for other in SIGNS:
            yield before + other + after, Slip.SPELLING.cost + 1.0 + _ANY
    for at in range(len(text) + 1):
        for sign in SIGNS:
            cost = 1.0 if sign in "()>:" else 1.0 + _ANY
            yield text[:at] + sign + text[at:], Slip.SPELLING.cost + cost


def meant_words(text: str) -> dict[t.Token, float]:
    """Return the tokens that a word may have been meant for, with the cost of each; none for one that is too long."""
    meant: dict[t.Token, float] = {}
    if len(text) <= LONGEST_GUESS:
        for word, cost in respelt(text):
            try:
                token = WORDS[word]
            except KeyError:
                continue
            meant[token] = min(cost, meant.get(token, cost))
    return meant


def meant_turns(line: str) -> Iterator[tuple[Turn, float]]:
    """Yield the turns that a line may have been meant for whose label can't be read, with the cost of each."""
    label, _, rest = line.strip().partition(" ")
    if len(label) <= LONGEST_GUESS:
        for text, cost in respelt(label):
            turn = read_line(f"{text} {rest}")
            if isinstance(turn, Turn):
                yield turn, cost
