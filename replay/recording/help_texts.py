"""The texts that are kept as data: help, openers of words, questions before a game."""

from __future__ import annotations

from functools import cache
from pkgutil import get_data
from typing import Any


@cache
def help_texts(module: str = __name__, file: str = "help.toml") -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file beside a module, each a mapping in the order of the file."""
    import tomllib

    return tomllib.loads((get_data(module, file) or b"").decode())
