"""A fault: one violation of the rules, with the facts that its message tells."""

from __future__ import annotations

from typing import Any, NamedTuple


class Fault(NamedTuple):
    """A violation: its code and the facts that its message tells."""

    code: str
    facts: dict[str, Any]


Found = list[Fault]


def add(found: Found, code: str, facts: dict[str, Any]) -> None:
    """Note a fault."""
    found.append(Fault(code, facts))
