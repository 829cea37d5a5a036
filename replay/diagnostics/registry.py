"""The registry of codes: every diagnostic that there is, read from ``codes.toml``. Each has a page in ``docs/codes``.

Templates are filled with the facts of a fault, put into words by :mod:`tironian.replay.diagnostics.messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pkgutil import get_data
from typing import Any, Final

from ...notation.diagnostic import ERROR


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic. ``rule`` names the value or rule of the edition whose citation is shown.

    ``breaks`` says that nothing after it can be judged: the cards can't be followed any more.
    """

    code: str
    title: str
    message: str = ""
    here: str = ""
    help: str = ""
    rule: str = ""
    severity: str = ERROR
    breaks: bool = False


def fill(template: str, texts: dict[str, Any]) -> str:
    """Return a template of the registry with the facts of a fault in words, as a sentence begins."""
    text = template.format_map(texts) if "{" in template else template
    return text[:1].upper() + text[1:] if text.startswith("the Rome") else text


class Registry(Mapping[str, Code]):
    """All codes, read when the first of them is asked for: most records have no fault."""

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
