"""The registry of codes: every diagnostic that there is, read from ``codes.toml``. Each has a page in ``docs/codes``.

Templates are filled with the facts of a fault, put into words by :mod:`tironian.replay.wording`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from ..notation.diagnostic import ERROR


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


def fill(template: str, told: dict[str, Any]) -> str:
    """A template of the registry with the facts of a fault in words, as a sentence begins."""
    text = template.format_map(told) if "{" in template else template
    return text[:1].upper() + text[1:] if text.startswith("the Rome") else text


def _load() -> dict[str, Code]:
    table = tomllib.loads(files(__name__.rpartition(".")[0]).joinpath("codes.toml").read_text(encoding="utf-8"))
    return {code: Code(code, **entry) for code, entry in table.items()}


CODES: Final = _load()
"""Code → what it is."""
