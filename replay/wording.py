"""Facts in words: cards, groups and players as a person names them in a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ..notation.cards import (
    CARD_NAMES,
    GROUP_LETTERS,
    GROUP_NAMES,
    PLAYER_NAMES,
    SIDE_LETTERS,
    SIDE_NAMES,
    TIE,
    letters,
)
from ..notation.writer import mission_text
from .edition import Edition, FirstAction, Placement
from .law import Fault
from .state import STEP_NAMES, State
from .vote import Outcome

ORDINALS: Final = (
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
ENDINGS: Final = {
    "patricians": "all patricians had been won",
    "exhausted": "both players were out of influence cards",
    "full": "a player had five cards at every remaining group",
    "hand_played": "the only player with influence cards had none left in hand",
    "final_turn": "the last player had had his last turn",
}
"""Why a game is over → in words."""


def ordinal(number: int) -> str:
    """``sixth``; numbers that have no word here as ``12th``."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"


def group_name(group: int) -> str:
    """``the Aediles``."""
    return f"the {GROUP_NAMES[group]}"


def card_name(card: int) -> str:
    """``a 5``, ``an assassination``."""
    name = CARD_NAMES[card]
    return f"{'an' if name[0] in 'au' else 'a'} {name}"


def cards_text(cards: Iterable[int]) -> str:
    """``4 3 3``; ``nothing`` where there is none."""
    return " ".join(letters(tuple(cards))) or "nothing"


def join(names: Iterable[str]) -> str:
    """``a, b and c``."""
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


def words(fault: Fault, state: State | None, edition: Edition | None) -> dict[str, Any]:
    """The facts of a fault as the words that its templates ask for."""
    told: dict[str, Any] = {}
    if state is not None:
        told["player"], told["opponent"] = PLAYER_NAMES[state.active], PLAYER_NAMES[1 - state.active]
    if edition is not None:
        told["groups"] = " ".join(GROUP_LETTERS[group] for group in edition.groups)
        told["device"] = (
            "bust" if edition.missions_dealt > 1 else "vote card"
        )
    for name, value in fault.facts.items():
        told.update(_WORDS[name](value) if name in _WORDS else {name: value})
    special = _SPECIAL.get(fault.code)
    if special is not None:
        told.update(special(fault.facts, state, edition))
    return told


def _owner(owner: int) -> dict[str, str]:
    name = PLAYER_NAMES[owner]
    return {"owner": name, "owner_s": f"{name}'s", "side": SIDE_LETTERS[owner]}


_WORDS: Final[dict[str, Callable[[Any], dict[str, Any]]]] = {
    "owner": _owner,
    "side": _owner,
    "group": lambda group: {
        "group": group_name(group),
        "group_bare": GROUP_NAMES[group],
        "letter": GROUP_LETTERS[group],
    },
    "groups": lambda groups: {"groups": join(group_name(group) for group in groups)},
    "card": lambda card: {"card": card_name(card), "card_bare": CARD_NAMES[card]} if card is not None else {},
    "expected": lambda card: {"expected": card_name(card) if isinstance(card, int) else card},
    "limit": lambda limit: {"limit": limit, "next": ordinal(limit + 1)},
    "placed": lambda placed: {"next": ordinal(placed + 1)},
    "hidden": lambda hidden: {"way": "face down" if hidden else "face up"},
    "there": lambda cards: {"there": cards_text(cards)},
    "seen": lambda cards: {"seen": cards_text(cards)},
    "shown": lambda cards: {"shown": cards_text(cards)},
    "laid": lambda cards: {"laid": cards_text(cards)},
    "lifted": lambda cards: {"lifted": cards_text(cards)},
    "mission": lambda mission: {"mission": f"m({mission_text(mission)})"},
    "why": lambda why: {"why": ENDINGS.get(why, why)},
    "step": lambda step: {"step": STEP_NAMES.get(step, "this")},
    "now": lambda step: {"now": STEP_NAMES.get(step, "its end")},
    "sides": lambda sides: {"owners": join(PLAYER_NAMES[side] for side in (0, 1) if sides >> side & 1)},
}


def _wrong_way(facts: dict[str, Any], _state: State | None, edition: Edition | None) -> dict[str, Any]:
    allowed = {
        Placement.DOWN_AND_UP: "one face down and one face up, or just one of the two",
        Placement.DOWN_OR_TWO_UP: "one face down, or two face up",
        Placement.ONE_OR_TWO_DOWN: "one or two, face down",
    }
    return {"allowed": allowed[edition.placement] if edition else ""}


def _first_action(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    if facts["rule"] is FirstAction.NONE:
        return {"problem": "there is no action card in the first hand", "remedy": "strike it out"}
    if facts["card"] is None:
        return {
            "problem": f"{PLAYER_NAMES[facts['side']]}'s first action card is missing",
            "remedy": "write + and the card",
        }
    card = card_name(facts["card"])
    if facts["rule"] is FirstAction.VETO:
        remedy = 'players who know the game may choose any: [Rulings "experienced=yes"]'
        return {"problem": f"{card} can't be the first action card: it is a veto", "remedy": remedy}
    return {"problem": f"{card} can't be in the first hand here", "remedy": "it is one action card"}


def _action_order(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    problem = {
        "shuffled": "the action pile is shuffled in these rules, so it has no order",
        "size": "{count} cards are in this order, but the pile has {size}",
        "cards": "this order holds more copies of a card than there are",
    }[facts["problem"]]
    return {"problem": problem.format(**facts)}


def _not_now(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    if facts["passive"]:
        return {"why": "a passive turn"}
    return {"why": "the last turn" if facts["final"] else "the very first turn"}


def _winner(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    outcome: Outcome = facts["outcome"]
    sums = f"Rome {outcome.sums[0]}, Egypt {outcome.sums[1]}"
    result = "a tie" if outcome.winner == TIE else f"{SIDE_NAMES[outcome.winner]} wins"
    said = "a tie" if facts["winner"] == TIE else SIDE_NAMES[facts["winner"]]
    reason = "the lower sum wins, since there are more philosophers on one side than on the other"
    if not outcome.lower_wins:
        reason = "the higher sum wins" + (
            ": the philosophers cancel each other out" if any(facts["philosophers"]) else ""
        )
    return {"outcome": f"{sums}: {result}", "winner": said, "reason": reason}


def _too_many(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    return {
        "copies_word": ordinal(facts["copies"] + 1),
        "card": CARD_NAMES[facts["card"]],
        "owner": PLAYER_NAMES[SIDE_LETTERS.index(facts["side"])],
    }


_SPECIAL: Final[dict[str, Callable[[dict[str, Any], State | None, Edition | None], dict[str, Any]]]] = {
    "R104": lambda facts, _s, _e: {"again": " again" if facts["again"] else ""},
    "R107": _first_action,
    "R108": _action_order,
    "R112": _too_many,
    "R210": _wrong_way,
    "R301": lambda facts, _s, _e: {"after_veto": ": the vetoed one counts" if facts["vetoed"] else ""},
    "R306": lambda facts, _s, _e: {"card_bare": CARD_NAMES[facts["card"]] if facts["card"] is not None else "card"},
    "R401": lambda facts, _s, _e: {"again": " and it was held already" if facts["already"] else ""},
    "R404": _not_now,
    "C902": _winner,
}
