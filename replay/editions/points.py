"""The rule points: every question that the rules of the game answer, or leave open, with a number of its own.

Messages, editions, conformance cases and ``docs/rules.md`` name a rule by these ids. An id never changes.
"""

from __future__ import annotations

import tomllib
from pkgutil import get_data
from typing import Final

_TABLES: Final = tomllib.loads((get_data(__name__, "points.toml") or b"").decode())
SECTIONS: Final[dict[str, str]] = {letter: table.pop("section") for letter, table in _TABLES.items()}
"""The letter of an id → what its points are about."""
POINTS: Final[dict[str, str]] = {point: title for table in _TABLES.values() for point, title in table.items()}
"""Id of a rule point → its title."""
