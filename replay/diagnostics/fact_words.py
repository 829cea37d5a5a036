"""Facts in words: what a message says about a fault in headers, set-up or turns, and how to correct it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ...notation import tokens as t
from ...notation.cards import (
    CARD_LETTERS,
    CARD_NAMES,
    EGYPT,
    GROUP_LETTERS,
    GROUP_NAMES,
    INFLUENCE_CARDS,
    PLAYER_NAMES,
    ROME,
    SIDE_LETTERS,
    SIDE_NAMES,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    high_to_low,
    is_known,
)
from ...notation.language import ordinal
from ...notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from ...notation.writer import mission_text
from ..editions.edition import MAX_EDITIONS, Edition
from ..rules.fault import Fault
from ..rules.layout import Ending
from ..rules.state import SideCards, State
from ..rules.vote_outcome import VoteOutcome
from .names import (
    bare_name,
    card_name,
    cards_text,
    count_word,
    counted,
    group_name,
    join,
    one_device_name,
    pile_text,
    placed_card,
    thing,
)
from .registry import CODES

Facts: TypeAlias = dict[str, Any]
Texts: TypeAlias = dict[str, Any]


def _no_header(facts: Facts, _edition: Edition | None) -> Texts:
    names, near = facts["names"], facts["near"]
    added = " ".join(f'[{name} "…"]' for name in names)
    return {
        "names": f"header {names[0]} is" if len(names) == 1 else f"headers {', '.join(names[:-1])} and {names[-1]} are",
        "remedy": f"did you mean {names[0]} instead of {near}?" if near else f"add {added}",
    }


def _not_in_opening_set(facts: Facts, _edition: Edition | None) -> Texts:
    card = facts["card"]
    return {"which": f"a second {bare_name(card)}" if facts["again"] else card_name(card)}


def _no_set_up_word(facts: Facts, _edition: Edition | None) -> Texts:
    if isinstance(facts["token"], t.Hand | t.Gained | t.Spent | t.Bag):
        return {"remedy": 'it is used only in a game with [Setup "position"]'}
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
        return {
            "problem": f"{owner}'s action pile already has an order",
            "remedy": "keep only the order in which the pile was laid",
        }
    if facts["problem"] == "shuffled" or edition is None:
        problem = f"{owner}'s action pile is shuffled under these rules, so its order is unknown"
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
        cards_there = f"there {'is' if facts['copies'] == 1 else 'are'} only {count_word(facts['copies'])}"
        return {"problem": f"one {name} too many in this position: {cards_there}"}
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
    "R104": _not_in_opening_set,
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
"""Code → the words that its templates need, whether a game has begun or not."""


ENDINGS: Final[dict[str, str]] = {
    Ending.PATRICIANS: "all patricians had been won",
    Ending.EXHAUSTED: "both players were out of influence cards",
    Ending.FULL: "a player had five cards at every remaining group",
    Ending.HAND_PLAYED: "the only player with influence cards had none left in hand",
    Ending.FINAL_TURN: "the last player had taken the final turn",
}
"""Why a game is over → in words."""


def words(fault: Fault, state: State | None, edition: Edition | None) -> Texts:
    """Return the facts of a fault in words, in the form that its templates need.

    ``state`` is the state at the fault, None for a fault in headers or a set-up; ``edition`` is None if it is not
    known.
    """
    facts, texts = fault.facts, Texts()
    if edition is not None:
        texts.update(_edition_words(edition))
    if state is not None:
        player, opponent = PLAYER_NAMES[state.active], PLAYER_NAMES[1 - state.active]
        texts.update(player=player, player_s=f"{player}'s", opponent=opponent, opponent_s=f"{opponent}'s")
        texts["stands"] = f"% {SIDE_LETTERS[state.active]} stands {fault.code}"
    if "token" in facts:
        texts["thing"] = thing(facts["token"], edition)
    for name, value in facts.items():
        if name in _WORDS:
            texts.update(_WORDS[name](value))
        else:
            texts[name] = cards_text(value) if name in _CARDS else value
    if fault.code in BEFORE_TURNS:
        texts.update(BEFORE_TURNS[fault.code](facts, edition))
    if state is not None and fault.code in _IN_TURNS:
        texts.update(_IN_TURNS[fault.code](facts, state))
    return texts


@lru_cache(maxsize=MAX_EDITIONS)
def _edition_words(edition: Edition) -> Texts:
    groups = " ".join(GROUP_LETTERS[group] for group in edition.groups)
    return {"groups": groups, "device": edition.device.name, "blank": edition.device.blanks}


def _owner(owner: int) -> Texts:
    name = PLAYER_NAMES[owner]
    return {"owner": name, "owner_s": f"{name}'s", "side": SIDE_LETTERS[owner]}


_CARDS: Final = ("there", "seen", "shown", "laid", "lifted")
_WORDS: Final[dict[str, Callable[[Any], Texts]]] = {
    "owner": _owner,
    "side": _owner,
    "group": lambda group: {
        "group": group_name(group),
        "group_bare": GROUP_NAMES[group],
        "letter": GROUP_LETTERS[group],
    },
    "groups": lambda groups: {"groups": join(group_name(group) for group in groups)},
    "card": lambda card: (
        {"card": card_name(card), "card_bare": bare_name(card), "card_letter": CARD_LETTERS[card]}
        if card is not None
        else {}
    ),
    "expected": lambda card: {"expected": card_name(card) if isinstance(card, int) else card},
    "limit": lambda limit: {"limit": count_word(limit), "next": ordinal(limit + 1)},
    "placed": lambda placed: {"next": ordinal(placed + 1)},
    "mission": lambda mission: {"mission": f"m({mission_text(mission)})"},
    "why": lambda why: {"why": ENDINGS.get(why, why)},
    "sides": lambda sides: {
        "owners": join(PLAYER_NAMES[side] for side in sides),
        "choose": "choose" if len(sides) > 1 else "chooses",
    },
    "count": lambda count: {"count": count, "number": count_word(count)},
}


def _wrong_way(facts: Facts, state: State) -> Texts:
    token = facts["token"]
    return {
        "which": placed_card(token.card, token.group),
        "way": "face down" if token.hidden else "face up",
        "allowed": state.edition.placement.ways,
    }


def _kept_back(_facts: Facts, state: State) -> Texts:
    """Return what a player keeps in the last turn, and where the cards could go."""
    groups, hand = state.edition.groups, state.sides[state.active].hand
    kept = [card for card in (*INFLUENCE_CARDS, SOME_INFLUENCE) for _ in range(hand[card])]
    room = [group_name(group) for group in groups if state.room(state.active, group)]
    places = "every group" if len(room) == len(groups) else join(room or ["no group"])
    which = card_name(kept[0]) if len(kept) == 1 else cards_text(high_to_low(kept))
    return {"kept": f"{which} {'stays' if len(kept) == 1 else 'stay'} in hand", "places": places}


def _no_effect(facts: Facts, state: State) -> Texts:
    token = facts["token"]
    if isinstance(token, t.Scout):
        return {"nothing": f"no card of {PLAYER_NAMES[1 - state.active]} lies face down there"}
    cards = f"card of {PLAYER_NAMES[state.active]}" if isinstance(token, t.Castle) else "card"
    return {"nothing": f"there is no {cards} there"}


def _no_exchange(facts: Facts, state: State) -> Texts:
    if not state.rules.may_pass:
        why, remedy = "these rules allow no exchange", "if every line has exchanges, the Rules header is wrong"
    elif state.final:
        why, remedy = "this is the last turn", "the cards go back into the hand"
    else:
        why, remedy = "the turn has begun with something else", "a pass stands alone in its turn, as in -34 +12"
    return {"cards": cards_text(facts["token"].cards), "why": why, "remedy": remedy}


def _not_now(facts: Facts, _state: State) -> Texts:
    if facts["passive"]:
        return {"why": "a passive turn"}
    return {"why": "the last turn" if facts["final"] else "the very first turn"}


def _winner(facts: Facts, state: State) -> Texts:
    outcome: VoteOutcome = facts["outcome"]
    sums = f"Rome {outcome.sums[0]}, Egypt {outcome.sums[1]}"
    result = "a tie" if outcome.winner == TIE else f"{SIDE_NAMES[outcome.winner]} wins"
    said = "a tie" if facts["winner"] == TIE else SIDE_NAMES[facts["winner"]]
    return {
        "outcome": f"{sums} at {group_name(facts['group'])}: {result}",
        "winner": said,
        "reason": _reason(outcome, facts["philosophers"], state.edition),
    }


def _reason(outcome: VoteOutcome, philosophers: tuple[int, int], edition: Edition) -> str:
    rome, egypt = outcome.sums
    if rome == egypt:
        tie = outcome.winner == TIE
        return "equal sums are a tie" if tie else "under these rules a philosopher wins against an empty side"
    if not outcome.lower_wins:
        return "the higher sum wins" + (": the philosophers cancel each other out" if any(philosophers) else "")
    if outcome.winner != (ROME if rome < egypt else EGYPT):
        return f"the reading empty_side={edition.empty_side} is in force"
    return "the lower sum wins, since one side has more philosophers"


def _shown(facts: Facts, state: State) -> Texts:
    remedy = "check what was placed, moved and discarded at this group"
    if facts.get("swapped"):
        remedy = "swap the two halves: Rome's cards come before the colon"
    elif "elsewhere" in facts:
        group = facts["elsewhere"]
        remedy = f"these cards lie at the {GROUP_NAMES[group]}: did you mean {GROUP_LETTERS[group]}?"
    return {"remedy": remedy, "spent": _spent(state, facts["owner"], facts["shown"], facts["there"])}


def _victims(facts: Facts, _state: State) -> Texts:
    way = "face-down card" if facts["hidden"] else "face-up card"
    return {"victims": f"{'only ' if facts['count'] else ''}{counted(facts['count'], way)}"}


def _no_special(facts: Facts, _state: State) -> Texts:
    count = facts["count"]
    only = "" if facts["already"] or not count else "only "
    return {
        "cards": f"{only}{counted(count, 'card')} {'lie' if count > 1 else 'lies'} there",
        "again": ", but it has already been held" if facts["already"] else "",
        "remedy": "remove it: the next one comes in the next turn"
        if facts["already"]
        else "count the cards there: if more are on the table, one is missing in the record; if not, remove the vote",
    }


def _drawn(facts: Facts, state: State) -> Texts:
    limit = facts["limit"]
    return {
        "drawn": counted(facts["drawn"], "card"),
        "allowed": f"only {count_word(limit)}" if limit else "none",
        "why": _draw_limit(state) if state.may_draw else "the hand is no longer refilled",
    }


def _draw_limit(state: State) -> str:
    if state.passive and state.rules.passive_replaces:
        return "as many as were exchanged"
    return f"the hand is filled up to {count_word(state.edition.hand_limit)}"


def _missing(facts: Facts, state: State) -> Texts:
    missing = facts["missing"]
    return {"missing": f"{count_word(missing)} {'are' if missing > 1 else 'is'}", "why": _draw_limit(state)}


def _all_seen(facts: Facts, state: State) -> Texts:
    """Return where the copies of a card are if it can't have been drawn again."""
    owner, card = facts["owner"], facts["card"]
    side = state.sides[owner]
    left = side.unseen[card]
    problem = f"{PLAYER_NAMES[owner]} can't have drawn {card_name(card)}: every copy has already been seen"
    if left > 0:
        problem = f"{PLAYER_NAMES[owner]} can't have drawn so many: only {counted(left, bare_name(card))} can be left"
    remedy = f"look for a mistyped character here or at the other copies{_places(side, card)}"
    return {"problem": problem, "remedy": remedy}


def _places(side: SideCards, card: int) -> str:
    """Return where a card is according to the record: ``: one at the Quaestors and six among the discards``."""
    lying = [(side.column(group).count(card), f"at {group_name(group)}") for group in range(len(GROUP_NAMES))]
    rows = [*lying, (side.hand[card], "in hand"), (side.discards.count(card), "among the discards")]
    places = [f"{count_word(count)} {place}" for count, place in rows if count]
    return f": {join(places)}" if places else ""


def _spent(state: State, owner: int, seen: Sequence[int], cards_there: Sequence[int]) -> str:
    """Return why the unknown cards ``cards_there`` can't be the ``seen`` ones, if too few copies are left."""
    strange = Counter(seen) - Counter(cards_there)
    unknown = cards_there.count(SOME_INFLUENCE) + cards_there.count(SOME_ACTION)
    if len(seen) != len(cards_there) or strange.total() > unknown:
        return ""
    side = state.sides[owner]
    for card, count in strange.items():
        if is_known(card) and count > (left := side.unseen[card]):
            few = f"only {counted(left, bare_name(card))}" if left > 0 else f"no {bare_name(card)}"
            return f"; {few} can be left{_places(side, card)}"
    return ""


def _replaced(facts: Facts, _state: State) -> Texts:
    return {**CODES["R506"].words[facts["field"]]}


def _too_late(facts: Facts, state: State) -> Texts:
    device = state.edition.device.name
    now = {ACT: "this", SPECIAL: "the special vote", REVEAL: f"the {device}", DRAW: "the drawing of cards"}
    steps = {ACT: "cards and action", SPECIAL: "special votes", REVEAL: device, DRAW: "drawing"}
    return {"now": now[facts["now"]], "order": ", ".join(steps[step] for step in state.edition.order)}


def _nothing_to_choose(_facts: Facts, state: State) -> Texts:
    if not state.rules.chooses_mission:
        return {"remedy": "remove the word: under these rules each side has one mission from the start"}
    return {"remedy": "write the choice only directly after the vote that empties the first group"}


def _over(facts: Facts, _state: State) -> Texts:
    option = {Ending.FULL: "full_check", Ending.EXHAUSTED: "exhaust_check"}.get(facts["why"])
    other = f"; if another moment was agreed, name it in [Rulings]: {option}"
    slip = ", or look for a mistake in an earlier vote or card"
    return {"remedy": f"remove what comes after the end{other if option else slip}"}


_PLACE_ELSEWHERE: Final = "place the card elsewhere; if it is too late for that, the arbiter may write % {} stands {}"
_IN_TURNS: Final[dict[str, Callable[[Facts, State], Texts]]] = {
    "R202": lambda _facts, _state: {
        "remedy": "look for a mistyped character; a card that was placed there goes back and is placed elsewhere"
    },
    "R204": lambda _facts, state: {"remedy": _PLACE_ELSEWHERE.format(SIDE_LETTERS[state.active], "R204")},
    "R205": lambda _facts, state: {"remedy": _PLACE_ELSEWHERE.format(SIDE_LETTERS[state.active], "R205")},
    "R208": lambda facts, _state: {} if "token" in facts else {"thing": "one card face up"},
    "R209": _kept_back,
    "R210": _wrong_way,
    "R301": lambda facts, _state: {"after_veto": ": the vetoed one counts" if facts["vetoed"] else ""},
    "R305": _victims,
    "R308": _no_effect,
    "R309": lambda facts, state: {"spent": _spent(state, 1 - state.active, facts["seen"], facts["there"])},
    "R311": lambda facts, state: {"spent": _spent(state, state.active, facts["laid"], facts["lifted"])},
    "R316": lambda facts, state: {"spent": _spent(state, facts["owner"], facts["seen"], facts["there"])},
    "R401": _no_special,
    "R404": _not_now,
    "R501": _drawn,
    "R502": lambda facts, _state: {
        "holds": f"holds only {counted(facts['left'], 'card')}" if facts["left"] else "is empty"
    },
    "R503": _missing,
    "R504": _all_seen,
    "R506": _replaced,
    "R507": _replaced,
    "R601": _too_late,
    "R605": _no_exchange,
    "R701": _nothing_to_choose,
    "R801": _over,
    "C901": _shown,
    "C902": _winner,
}
"""Code → the words that its templates need, once a game has begun."""
