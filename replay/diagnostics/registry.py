"""The registry of codes: all diagnostics, read from ``codes.toml``, and the words for the verdict on a game. Each code
has a page in ``docs/codes``.

Templates are filled with the facts of a fault, which :mod:`tironian.replay.diagnostics.fact_words` puts into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from pkgutil import get_data
from typing import Any, Final, Literal, TypeAlias

from ...notation.classes import dataclass
from ...notation.diagnostic import ERROR, Severity
from ...notation.language import CARDS, GROUPS, PLAYERS, SIDES, phrase

Judgement: TypeAlias = Literal["legal", "possible", "illegal", "unreadable", "unchecked", "readable", "nothing"]
"""The word for the verdict of a check."""
LEGAL: Final = "legal"
POSSIBLE: Final = "possible"
ILLEGAL: Final = "illegal"
UNREADABLE: Final = "unreadable"
UNCHECKED: Final = "unchecked"
READABLE: Final = "readable"
"""For a game that was not judged."""
NOTHING: Final = "nothing"
"""For a text without a game, which is not counted."""
VERDICTS: Final[tuple[Judgement, ...]] = (LEGAL, POSSIBLE, ILLEGAL, UNREADABLE, UNCHECKED)
"""Of games."""


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of diagnostic. ``rule`` names the value or rule of the edition whose citation is shown.

    ``breaks`` says that nothing after it can be judged: the cards can no longer be followed. The head of
    ``codes.toml`` says what the other fields mean.
    """

    code: str
    title: str
    message: str = "{problem}"
    here: str = ""
    help: str = "{remedy}"
    rule: str = ""
    severity: Severity = ERROR
    breaks: bool = False
    odd_cards: str | None = None
    victims: bool = False
    replayable: bool = True
    announced: bool = False
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def house_rule(self, name: str) -> str:
        """Return the name of a house rule that allows it: the one that the players gave it, or the title."""
        return phrase(name) if name == self.title else name


_NAMES: Final = {
    "player": PLAYERS, "opponent": PLAYERS, "owner": PLAYERS, "won": SIDES, "group": GROUPS, "elsewhere": GROUPS,
    "card": CARDS, "expected": CARDS,
}  # fmt: skip
"""The fields that are names, where their value is a number: its forms are their attributes."""


def fill(template: str, texts: dict[str, Any]) -> str:
    """Return a template of the registry, filled with the facts of a fault in words."""
    if not template:
        return ""
    named = {name: _NAMES[name][texts[name]] for name in _NAMES if isinstance(texts.get(name), int)}
    text = phrase(template, **{**texts, **named})
    return text[:1].upper() + text[1:] if text.startswith("the Rome") else text


class Registry(Mapping[str, Code]):
    """All codes, read when the first one is needed: most records have no fault."""

    @cached_property
    def _codes(self) -> dict[str, Code]:
        import tomllib

        table = tomllib.loads((get_data(__name__, "codes.toml") or b"").decode())
        return {code: Code(code, **entry) for code, entry in table.items()}

    def __getitem__(self, code: str) -> Code:
        return self._codes[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


CODES: Final = Registry()
"""Code → what it is."""
