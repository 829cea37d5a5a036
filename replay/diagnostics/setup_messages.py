"""Facts in words, as :mod:`tironian.replay.diagnostics.messages`, for headers and set-up lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ...notation import tokens as t
from ...notation.cards import CARD_LETTERS, CARD_NAMES, PLAYER_NAMES, SOME_ACTION
from ..editions.edition import Edition
from .names import bare_name, card_name, count_word, counted, one_device_name, ordinal, pile_text

Facts: TypeAlias = dict[str, Any]
Texts: TypeAlias = dict[str, Any]


def _no_header(facts: Facts, _edition: Edition | None) -> Texts:
    names, near = facts["names"], facts["near"]
    added = " ".join(f'[{name} "…"]' for name in names)
    return {
        "names": f"header {names[0]} is" if len(names) == 1 else f"headers {', '.join(names[:-1])} and {names[-1]} are",
        "remedy": f"did you mean {names[0]} instead of {near}?" if near else f"add {added}",
    }


def _not_of_the_set(facts: Facts, _edition: Edition | None) -> Texts:
    card = facts["card"]
    return {"which": f"a second {bare_name(card)}" if facts["again"] else card_name(card)}


def _no_set_up_word(facts: Facts, _edition: Edition | None) -> Texts:
    if isinstance(facts["token"], t.Hand | t.Gained | t.Spent | t.Bag):
        return {"remedy": 'it is written only in a game with [Setup "position"]'}
    return {"remedy": "move it to the turn in which it happened"}


def _first_action(facts: Facts, edition: Edition | None) -> Texts:
    owner, missing = PLAYER_NAMES[facts["side"]], facts["card"] is None
    if missing:
        return {"problem": f"{owner}'s first action card is missing", "remedy": "write + and the card"}
    card = card_name(facts["card"])
    if not facts["first"]:
        problem = f"{owner}'s first hand holds {card}, but under these rules it holds no action card"
        return {"problem": problem, "remedy": f"remove +{CARD_LETTERS[facts['card']]}"}
    if facts["second"]:
        return {"problem": f"{card} is a second action card in {owner}'s first hand", "remedy": "write just one"}
    if SOME_ACTION not in facts["first"]:
        remedy = 'experienced players may choose any card: [Rulings "experienced=yes"]'
        problem = f"{card} can't be {owner}'s first action card: it is a {bare_name(facts['first'][0])}"
        return {"problem": problem, "remedy": remedy}
    remedy = f"write one of the action cards: {pile_text(edition)}" if edition else ""
    return {"problem": f"{card} can't be {owner}'s first action card", "remedy": remedy}


def _action_order(facts: Facts, edition: Edition | None) -> Texts:
    owner = PLAYER_NAMES[facts["side"]]
    if facts["problem"] == "again":
        return {"problem": f"{owner}'s action pile already has an order", "remedy": "keep only the order that was laid"}
    if facts["problem"] == "shuffled" or edition is None:
        problem = f"{owner}'s action pile is shuffled under these rules, so nobody knows its order"
        return {"problem": problem, "remedy": "remove a(…)"}
    remedy = f"count them, the top card first: a whole pile holds {pile_text(edition)}"
    if facts["problem"] == "size":
        problem = f"{owner}'s order names {facts['count']} cards, but the action pile has {facts['size']}"
        return {"problem": problem, "remedy": remedy}
    return {"problem": f"{owner}'s order has more copies of a card than there are", "remedy": remedy}


def _no_such_action(_facts: Facts, edition: Edition | None) -> Texts:
    cards = edition.actions if edition else ()
    return {"actions": ", ".join(f"{CARD_LETTERS[card]} {CARD_NAMES[card]}" for card in cards)}


def _too_many(facts: Facts, edition: Edition | None) -> Texts:
    if "card" not in facts:
        name = one_device_name(edition, facts.get("group"), shuffles=facts.get("reset", False))
        there = f"there {'is' if facts['copies'] == 1 else 'are'} only {count_word(facts['copies'])}"
        return {"problem": f"one {name} too many in this position: {there}"}
    copies, name = facts["copies"], bare_name(facts["card"])
    if not copies:
        return {"problem": f"there is no {name} in these rules"}
    article = "an" if copies in (7, 10) else "a"  # an eighth, an eleventh
    owner = PLAYER_NAMES[facts["side"]]
    return {
        "problem": f"{article} {ordinal(copies + 1)} {name} in this position: {owner} has only {count_word(copies)}"
    }


def _missions(facts: Facts, _edition: Edition | None) -> Texts:
    count, dealt = facts["count"], facts["dealt"]
    unknown = f"m({','.join('?' * dealt)})"
    missions = f"{counted(count, 'mission')} {'are' if count > 1 else 'is'}"
    if "gone" in facts:
        due = "each side kept one when the first group was emptied"
        remedy = "write the one that was kept, or m(?) if it is unknown"
        return {"missions": missions, "due": due, "remedy": remedy, "field": "mission_choice"}
    return {
        "missions": missions,
        "due": f"each side is dealt {count_word(dealt)}",
        "remedy": f"write ? for an unknown one: {unknown}" if count < dealt else f"write {dealt}, as in {unknown}",
    }


BEFORE_TURNS: Final[dict[str, Callable[[Facts, Edition | None], Texts]]] = {
    "H201": _no_header,
    "R104": _not_of_the_set,
    "R106": _no_set_up_word,
    "R107": _first_action,
    "R108": _action_order,
    "R110": _missions,
    "R112": _too_many,
    "R113": lambda facts, _edition: {
        "won": count_word(facts["count"]),
        "size": f"only {count_word(facts['size'])}" if facts["size"] else "none",
    },
    "R114": lambda facts, _edition: {"count": counted(facts["count"], "card"), "limit": count_word(facts["limit"])},
    "R202": lambda _facts, _edition: {"remedy": "remove the cards there, or correct g(…)"},
    **dict.fromkeys(
        ("R204", "R205"), lambda _facts, _edition: {"remedy": "count the cards of this position again, on both lines"}
    ),
    "R303": _no_such_action,
}
"""Code → what its templates ask for, whether a game has begun or not."""
