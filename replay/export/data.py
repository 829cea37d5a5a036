"""What exports of data share: cards and sides in letters and words, and JSON in lines that can be compared."""

from __future__ import annotations

import json
from typing import Any, Final

from ...notation.cards import CARD_LETTERS, EGYPT, GROUP_LETTERS, ROME, TIE
from ..analysis.ballot import Ballot

SIDE_WORDS: Final = {ROME: "rome", EGYPT: "egypt", TIE: "tie"}


def side_word(side: int | None) -> str | None:
    """``rome``, ``egypt`` or ``tie``; None for None."""
    return None if side is None else SIDE_WORDS[side]


def card_letters(cards: tuple[int, ...]) -> list[str]:
    """Cards as a list of letters."""
    return [CARD_LETTERS[card] for card in cards]


def both(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> dict[str, list[str]]:
    """Rome's and Egypt's cards."""
    return {"rome": card_letters(pair[ROME]), "egypt": card_letters(pair[EGYPT])}


def vote_fields(held: Ballot) -> dict[str, Any]:
    """What a vote came to, as data."""
    outcome = held.outcome
    return {
        "group": GROUP_LETTERS[held.group],
        "special": held.special,
        "cards": both(held.columns),
        "turned_up": both(held.hidden),
        "sums": {"rome": held.rightful.sums[ROME], "egypt": held.rightful.sums[EGYPT]},
        "lower_wins": held.rightful.lower_wins,
        "winner": SIDE_WORDS[outcome.winner],
        "by_rules": SIDE_WORDS[held.rightful.winner],
        "lost": both(outcome.gone),
        "empties": held.empties,
    }


def json_lines(data: dict[str, Any], key: str) -> str:
    """An object as JSON, in ASCII, with each item of its list ``key`` on a line of its own: so two of them compare."""
    parts = []
    for name, value in data.items():
        if name == key:
            items = ",\n".join(json.dumps(item) for item in value)
            parts.append(f'"{name}": [\n{items}\n]')
        else:
            parts.append(f'"{name}": {json.dumps(value)}')
    return "{" + ",\n".join(parts) + "}\n"
