"""What exports of data share: cards and sides in letters and words, and JSON in lines that can be compared."""

from __future__ import annotations

import json
from typing import Any

from ...notation.cards import EGYPT, GROUP_LETTERS, ROME, SIDE_LETTERS, letters
from ..engine.ballot import Ballot


def side_letter(side: int | None) -> str | None:
    """Return ``R``, ``E``, or ``-`` for a tie; None for None."""
    return None if side is None else SIDE_LETTERS[side]


def both(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> dict[str, str]:
    """Return Rome's and Egypt's cards as letters, by side."""
    return {"rome": letters(pair[ROME]), "egypt": letters(pair[EGYPT])}


def vote_fields(held: Ballot) -> dict[str, Any]:
    """Return a vote and its outcome as data."""
    outcome = held.outcome
    return {
        "group": GROUP_LETTERS[held.group],
        "special": held.special,
        "cards": both(held.columns),
        "turned_up": both(held.hidden),
        "sums": {"rome": held.rightful.sums[ROME], "egypt": held.rightful.sums[EGYPT]},
        "lower_wins": held.rightful.lower_wins,
        "winner": SIDE_LETTERS[outcome.winner],
        "by_rules": SIDE_LETTERS[held.rightful.winner],
        "lost": both(outcome.gone),
        "empties": held.empties,
    }


def json_lines(data: dict[str, Any], key: str) -> str:
    """Return an object as JSON in ASCII, with each item of its list ``key`` on its own line, so that files can be
    compared.
    """

    def text(name: str, value: Any) -> str:
        return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if name == key else json.dumps(value)

    return "{" + ",\n".join(f'"{name}": {text(name, value)}' for name, value in data.items()) + "}\n"
