"""A fault: one violation of the rules, with the facts for its message."""

from __future__ import annotations

from typing import Any, NamedTuple


class Fault(NamedTuple):
    """A violation of the rules: the ``code`` of its diagnostic, and the facts for its message.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> (fault,) = tironian.violations(state, tironian.tokens.Place(5, tironian.Group.SENATOR, hidden=True))
    >>> fault.code
    'R201'
    """

    code: str
    facts: dict[str, Any]


Faults = list[Fault]


def add(faults: Faults, code: str, facts: dict[str, Any]) -> None:
    """Note a fault."""
    faults.append(Fault(code, facts))
