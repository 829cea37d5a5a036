"""What is known of a record beside its text, as its journal keeps it: ``/ +55 =o``."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.reader import parse
from ...notation.writer import token_text

END: Final = "/"
"""The end of a turn, as a move is written that ends one."""


class Beside(NamedTuple):
    """What no text says: that the last turn was ended though it might go on, and what was filled in there, ``given``.

    To type what was filled in is nothing new, as long as nothing else has been played.
    """

    closed: bool = False
    given: tuple[t.Token, ...] = ()

    @classmethod
    def read(cls, text: str) -> Beside:
        """Return what a text says; what can't be read there is left out."""
        closed, words = text.startswith(END), text.removeprefix(END).strip()
        turns = parse(f"1E {words}\n")[-1].record.turns if words else ()
        return cls(closed, turns[0].tokens if turns else ())

    def text(self) -> str:
        """Return it as the journal keeps it; an empty text where there is nothing to know."""
        return " ".join([*[END] * self.closed, *map(token_text, self.given)])
