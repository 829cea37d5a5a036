"""Messages between a page and the recorder: a question in JSON, its answer in JSON.

    {"id": 1, "ask": "open", "game": "a", "journal": {…}}       → {"id": 1, "screen": {…}}
    {"id": 2, "ask": "take", "game": "a", "tap": {…}}           → {"id": 2, "screen": {…}}
    {"id": 3, "ask": "close", "game": "a"}                      → {"id": 3}

What can't be answered gets ``{"id": 3, "fault": sentence}``. Nothing is kept here: the page has the journal.
"""

from __future__ import annotations

import json
from typing import Any, Final

from .desk import Desk, NoJournal, catalogue

_LARGEST: Final = 4_000_000
"""How many characters a message may have."""
_games: dict[str, Desk] = {}


def answer(message: str) -> str:
    """Return the answer to a message; both are JSON."""
    number: Any = None
    try:
        asked = json.loads(message) if len(message) <= _LARGEST else None
        if not isinstance(asked, dict):
            raise NoJournal(catalogue()["screen"]["no_message"])
        number = asked.get("id") if isinstance(asked.get("id"), int | str) else None
        said = {"id": number} | _answered(asked)
    except NoJournal as error:
        said = {"id": number, "fault": str(error)}
    except (ValueError, RecursionError):
        said = {"id": number, "fault": catalogue()["screen"]["no_message"]}
    except Exception as error:  # noqa: BLE001 - the page goes on recording, and can say what happened
        said = {"id": number, "fault": catalogue()["screen"]["broken"].format(f"{type(error).__name__}: {error}")}
    return json.dumps(said)


def _answered(asked: dict[str, Any]) -> dict[str, Any]:
    game = asked.get("game")
    if not isinstance(game, str):
        raise NoJournal(catalogue()["screen"]["no_game"])
    match asked.get("ask"):
        case "open":
            _games[game] = Desk.of(asked.get("journal"))
            return {"screen": _games[game].screen()}
        case "take" if game in _games:
            return {"screen": _games[game].take(asked.get("tap"))}
        case "close":
            _games.pop(game, None)
            return {}
        case "take":
            raise NoJournal(catalogue()["screen"]["no_game"])
        case _:
            raise NoJournal(catalogue()["screen"]["no_message"])
