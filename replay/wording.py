"""Facts in words: cards, groups and players as a person names them in a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ..notation.cards import (
    CARD_NAMES,
    EGYPT,
    GROUP_LETTERS,
    GROUP_NAMES,
    PLAYER_NAMES,
    ROME,
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
NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
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


def count_word(number: int) -> str:
    """``six``; ``none`` for 0, and numbers that have no word here in digits."""
    return ("none", *NUMBERS[1:])[number] if number < len(NUMBERS) else str(number)


def counted(number: int, noun: str) -> str:
    """``no card``, ``one card``, ``six cards``."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {noun}" if number < 2 else f"{word} {noun}s"


def group_name(group: int) -> str:
    """``the Aediles``."""
    return f"the {GROUP_NAMES[group]}"


def card_name(card: int) -> str:
    """``a 5``, ``an assassination``."""
    name = bare_name(card)
    return f"{'an' if name[0] in 'ai' else 'a'} {name}"


def bare_name(card: int) -> str:
    """``5``, ``assassination``; ``influence card`` for one that nobody knows."""
    return CARD_NAMES[card].removeprefix("unknown ")


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
        told["player_s"] = f"{told['player']}'s"
    if edition is not None:
        told["groups"] = " ".join(GROUP_LETTERS[group] for group in edition.groups)
        told["device"] = _device(edition)
        bust = told["device"] == "bust"
        told["blank"] = "the grey bust" if bust else "every orgy but the one that has all shuffled"
    for name, value in fault.facts.items():
        told.update(_WORDS[name](value) if name in _WORDS else {name: value})
    special = _SPECIAL.get(fault.code)
    if special is not None:
        told.update(special(fault.facts, state, edition))
    return told


def _device(edition: Edition) -> str:
    return "bust" if edition.missions_dealt > 1 else "vote card"


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
    "card": lambda card: {"card": card_name(card), "card_bare": bare_name(card)} if card is not None else {},
    "expected": lambda card: {"expected": card_name(card) if isinstance(card, int) else card},
    "limit": lambda limit: {"limit": count_word(limit), "next": ordinal(limit + 1)},
    "placed": lambda placed: {"next": ordinal(placed + 1)},
    "hidden": lambda hidden: {"way": "face down" if hidden else "face up"},
    "there": lambda cards: {"there": cards_text(cards)},
    "seen": lambda cards: {"seen": cards_text(cards)},
    "shown": lambda cards: {"shown": cards_text(cards)},
    "laid": lambda cards: {"laid": cards_text(cards)},
    "lifted": lambda cards: {"lifted": cards_text(cards)},
    "mission": lambda mission: {"mission": f"m({mission_text(mission)})"},
    "why": lambda why: {"why": ENDINGS.get(why, why)},
    "sides": lambda sides: {
        "owners": join(PLAYER_NAMES[side] for side in (0, 1) if sides >> side & 1),
        "choose": "choose" if sides == 3 else "chooses",
    },
    "count": lambda count: {"count": count, "number": count_word(count)},
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
        return {"problem": "in these rules no action card is in the first hand", "remedy": "strike it out"}
    if facts["card"] is None:
        return {
            "problem": f"{PLAYER_NAMES[facts['side']]}'s first action card is missing",
            "remedy": "write + and the card",
        }
    if facts["second"]:
        return {"problem": "a second action card in the first hand", "remedy": "it is just one"}
    card = card_name(facts["card"])
    if facts["rule"] is FirstAction.VETO:
        remedy = 'players who know the game may choose any: [Rulings "experienced=yes"]'
        return {"problem": f"{card} can't be the first action card: it is a veto", "remedy": remedy}
    return {"problem": f"{card} can't be in the first hand here", "remedy": "it is one action card"}


def _action_order(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    problem = {
        "shuffled": "the action pile is shuffled in these rules, so nobody knows its order",
        "size": "this order names {count} of the {size} cards of the action pile",
        "cards": "this order holds more copies of a card than there are",
    }[facts["problem"]]
    return {"problem": problem.format(**facts)}


def _not_now(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    if facts["passive"]:
        return {"why": "a passive turn"}
    return {"why": "the last turn" if facts["final"] else "the very first turn"}


def _winner(facts: dict[str, Any], _state: State | None, edition: Edition | None) -> dict[str, Any]:
    outcome: Outcome = facts["outcome"]
    sums = f"Rome {outcome.sums[0]}, Egypt {outcome.sums[1]}"
    result = "a tie" if outcome.winner == TIE else f"{SIDE_NAMES[outcome.winner]} wins"
    said = "a tie" if facts["winner"] == TIE else SIDE_NAMES[facts["winner"]]
    return {"outcome": f"{sums}: {result}", "winner": said, "reason": _reason(outcome, facts["philosophers"], edition)}


def _reason(outcome: Outcome, philosophers: tuple[int, int], edition: Edition | None) -> str:
    """Why a vote came out as it did."""
    rome, egypt = outcome.sums
    if rome == egypt:
        return "equal sums are a tie" if outcome.winner == TIE else "a philosopher against nothing wins in these rules"
    if not outcome.lower_wins:
        return "the higher sum wins" + (": the philosophers cancel each other out" if any(philosophers) else "")
    if outcome.winner != (ROME if rome < egypt else EGYPT):
        return f"the reading empty_side={edition.empty_side if edition else ''} is in force"
    return "the lower sum wins, since there are more philosophers on one side than on the other"


def _too_many(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    copies, name = facts["copies"], bare_name(facts["card"])
    if not copies:
        return {"problem": f"there is no {name} in these rules"}
    article = "an" if copies in (7, 10) else "a"  # an eighth, an eleventh
    owner = PLAYER_NAMES[facts["side"]]
    return {
        "problem": f"{article} {ordinal(copies + 1)} {name} in this position: {owner} has only {count_word(copies)}"
    }


def _missions(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    count = facts["count"]
    return {
        "missions": f"{counted(count, 'mission')} {'are' if count > 1 else 'is'}",
        "dealt": count_word(facts["dealt"]),
    }


def _victims(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    way = "face-down card" if facts["hidden"] else "face-up card"
    return {"victims": f"{'only ' if facts['count'] else ''}{counted(facts['count'], way)}"}


def _no_special(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    count = facts["count"]
    only = "" if facts["already"] or not count else "only "
    return {
        "cards": f"{only}{counted(count, 'card')} {'lie' if count > 1 else 'lies'} there",
        "again": ", but it has been held already" if facts["already"] else "",
    }


def _drawn(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    limit = facts["limit"]
    return {
        "drawn": counted(facts["drawn"], "card"),
        "allowed": f"only {count_word(limit)} may be" if limit else "none may be now",
    }


def _pile(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    return {"holds": f"holds only {counted(facts['left'], 'card')}" if facts["left"] else "is empty"}


def _missing(facts: dict[str, Any], _state: State | None, _edition: Edition | None) -> dict[str, Any]:
    missing = facts["missing"]
    return {"missing": f"{count_word(missing)} {'are' if missing > 1 else 'is'}"}


def _too_late(facts: dict[str, Any], _state: State | None, edition: Edition | None) -> dict[str, Any]:
    device = _device(edition) if edition else "bust or vote card"
    return {each: STEP_NAMES[facts[each]].format(device=device) for each in ("step", "now")}


_SPECIAL: Final[dict[str, Callable[[dict[str, Any], State | None, Edition | None], dict[str, Any]]]] = {
    "R104": lambda facts, _s, _e: {"again": " again" if facts["again"] else ""},
    "R107": _first_action,
    "R110": _missions,
    "R108": _action_order,
    "R112": _too_many,
    "R113": lambda facts, _s, _e: {
        "won": count_word(facts["count"]),
        "size": f"only {count_word(facts['size'])}" if facts["size"] else "none",
    },
    "R210": _wrong_way,
    "R301": lambda facts, _s, _e: {"after_veto": ": the vetoed one counts" if facts["vetoed"] else ""},
    "R305": _victims,
    "R401": _no_special,
    "R404": _not_now,
    "R501": _drawn,
    "R502": _pile,
    "R503": _missing,
    "R601": _too_late,
    "C902": _winner,
}
