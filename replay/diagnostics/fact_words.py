"""Facts in words: what a message says about a fault in headers, set-up or turns, and how to correct it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ...notation import tokens as t
from ...notation.cards import (
    CARD_LETTERS,
    EGYPT,
    GROUP_COUNT,
    GROUP_LETTERS,
    INFLUENCE_CARDS,
    ROME,
    SIDE_LETTERS,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    high_to_low,
    is_known,
)
from ...notation.language import CARDS, GROUPS, PLAYERS, SIDES, Messages, Nouns, labelled, ordinal, phrase, plural
from ...notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from ...notation.writer import mission_text
from ..editions.edition import MAX_EDITIONS, Edition
from ..rules.fault import Fault
from ..rules.layout import Ending
from ..rules.state import SideCards, State
from ..rules.vote_outcome import VoteOutcome
from .names import (
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
from .registry import CODES, fill

Facts: TypeAlias = dict[str, Any]
Texts: TypeAlias = dict[str, Any]


_NUMBERS: Final[Nouns] = {
    "missions": (
        "no mission is written for {owner.name}",
        "{number} mission is written for {owner.name}",
        "{number} missions are written for {owner.name}",
    ),
    "copies": (
        "one {name} too many in this position: there are none",
        "one {name} too many in this position: there is only {number}",
        "one {name} too many in this position: there are only {number}",
    ),
    "lying": ("no card lies there", "only {number} card lies there", "only {number} cards lie there"),
    "held": (
        "no card lies there, but it has already been held",
        "{number} card lies there, but it has already been held",
        "{number} cards lie there, but it has already been held",
    ),
    "left": (
        "no {card.bare} can be left",
        "only {number} {card.bare} can be left",
        "only {number} {card.many} can be left",
    ),
}
"""Sentences that differ by the number in them."""


def _told(key: str, count: int, **fields: object) -> str:
    none, one, many = _NUMBERS[key]
    return plural(one, many, count, number=count_word(count), **fields) if count else phrase(none, **fields)


def _case(name: str, **texts: Any) -> Texts:
    """Return texts with the case of a fault, for which the registry has further ones."""
    return {"case": name, **texts}


def _no_header(facts: Facts, _edition: Edition | None) -> Texts:
    names, near = facts["names"], facts["near"]
    remedy = phrase("add {headers}", headers=" ".join(f'[{name} "…"]' for name in names))
    if near:
        remedy = phrase("did you mean {name} instead of {near}?", name=names[0], near=near)
    listed = join(names)
    problem = plural("the header {names} is missing", "the headers {names} are missing", len(names), names=listed)
    return {"problem": problem, "remedy": remedy}


def _not_in_opening_set(facts: Facts, _edition: Edition | None) -> Texts:
    card = CARDS[facts["card"]]
    return {"which": phrase("a second {card.bare}", card=card) if facts["again"] else card.a}


def _first_action(facts: Facts, edition: Edition | None) -> Texts:
    if facts["card"] is None:
        return _case("missing")
    if not facts["first"]:
        return _case("none")
    if facts["second"]:
        return _case("second")
    if SOME_ACTION not in facts["first"]:
        return _case("fixed", first=card_name(facts["first"][0]))
    return _case("other", pile=pile_text(edition)) if edition else _case("other", remedy="")


def _action_order(facts: Facts, edition: Edition | None) -> Texts:
    problem = facts["problem"]
    if problem == "again" or problem == "shuffled" or edition is None:
        return _case("again" if problem == "again" else "shuffled")
    return _case("size" if problem == "size" else "copies", pile=pile_text(edition))


def _no_such_action(_facts: Facts, edition: Edition | None) -> Texts:
    cards = edition.actions if edition else ()
    return {"actions": ", ".join(f"{CARD_LETTERS[card]} {CARDS[card].name}" for card in cards)}


def _too_many(facts: Facts, edition: Edition | None) -> Texts:
    copies = facts["copies"]
    if "card" not in facts:
        name = one_device_name(edition, facts.get("group"), shuffles=facts.get("reset", False))
        return {"problem": _told("copies", copies, name=name)}
    article = "an" if copies in (7, 10) else "a"  # an eighth, an eleventh
    return _case(article if copies else "none", place=ordinal(copies + 1), number=count_word(copies))


def _missions(facts: Facts, _edition: Edition | None) -> Texts:
    count, dealt = facts["count"], facts["dealt"]
    written = _told("missions", count, owner=PLAYERS[facts["side"]])
    if "gone" in facts:
        return _case("kept", written=written, field="mission_choice")
    unknown = f"m({','.join('?' * dealt)})"
    return _case("few" if count < dealt else "many", written=written, number=count_word(dealt), unknown=unknown)


BEFORE_TURNS: Final[dict[str, Callable[[Facts, Edition | None], Texts]]] = {
    "H201": _no_header,
    "R104": _not_in_opening_set,
    "R106": lambda facts, _edition: _case("position" if isinstance(facts["token"], _POSITION) else "turn"),
    "R107": _first_action,
    "R108": _action_order,
    "R110": _missions,
    "R112": _too_many,
    "R113": lambda facts, _edition: _case(
        "some" if facts["size"] else "none", won=count_word(facts["count"]), size=count_word(facts["size"])
    ),
    "R114": lambda facts, _edition: {"count": counted(facts["count"], "card"), "limit": count_word(facts["limit"])},
    **dict.fromkeys(("R202", "R204", "R205"), lambda _facts, _edition: _case("set_up")),
    "R303": _no_such_action,
}
"""Code → the words that its templates need, whether a game has begun or not."""
_POSITION: Final = (t.Hand, t.Gained, t.Spent, t.Bag)


ENDINGS: Final[Messages] = {
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
        texts.update(player=state.active, opponent=1 - state.active)
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
    if case := texts.pop("case", ""):
        texts.update({name: fill(text, texts) for name, text in CODES[fault.code].words[case].items()})
    return texts


@lru_cache(maxsize=MAX_EDITIONS)
def _edition_words(edition: Edition) -> Texts:
    return {"groups": " ".join(GROUP_LETTERS[group] for group in edition.groups), "device": edition.device}


_CARDS: Final = ("there", "seen", "shown", "laid", "lifted")
_WORDS: Final[dict[str, Callable[[Any], Texts]]] = {
    "owner": lambda owner: {"owner": owner, "side": SIDE_LETTERS[owner]},
    "side": lambda owner: {"owner": owner, "side": SIDE_LETTERS[owner]},
    "group": lambda group: {"group": group, "letter": GROUP_LETTERS[group]},
    "groups": lambda groups: {"groups": join(group_name(group) for group in groups)},
    "card": lambda card: {} if card is None else {"card": card, "card_letter": CARD_LETTERS[card]},
    "limit": lambda limit: {"limit": count_word(limit), "next": ordinal(limit + 1)},
    "placed": lambda placed: {"next": ordinal(placed + 1)},
    "mission": lambda mission: {"mission": f"m({mission_text(mission)})"},
    "why": lambda why: {"why": phrase(ENDINGS[why]) if why in ENDINGS else why},
    "sides": lambda sides: {"owners": join(PLAYERS[side].name for side in sides)},
    "count": lambda count: {"count": count, "number": count_word(count)},
}


def _wrong_way(facts: Facts, state: State) -> Texts:
    token = facts["token"]
    which, allowed = placed_card(token.card, token.group), phrase(state.edition.placement.ways)
    return _case("down" if token.hidden else "up", which=which, allowed=allowed)


def _kept_back(_facts: Facts, state: State) -> Texts:
    """Return what a player keeps in the last turn, and where the cards could go."""
    groups, hand = state.edition.groups, state.sides[state.active].hand
    kept = [card for card in (*INFLUENCE_CARDS, SOME_INFLUENCE) for _ in range(hand[card])]
    room = [group_name(group) for group in groups if state.room(state.active, group)]
    places = phrase("every group") if len(room) == len(groups) else join(room or [phrase("no group")])
    if len(kept) == 1:
        return {"kept": phrase("{card.a} stays in hand", card=CARDS[kept[0]]), "places": places}
    return {"kept": phrase("{cards} stay in hand", cards=cards_text(high_to_low(kept))), "places": places}


def _no_effect(facts: Facts, _state: State) -> Texts:
    return _case({t.Scout: "scout", t.Castle: "castle"}.get(type(facts["token"]), "other"))


def _no_exchange(facts: Facts, state: State) -> Texts:
    case = "last" if state.final else "begun"
    return _case(case if state.rules.may_pass else "rules", cards=cards_text(facts["token"].cards))


def _not_now(facts: Facts, _state: State) -> Texts:
    return _case("passive" if facts["passive"] else "last" if facts["final"] else "first")


def _winner(facts: Facts, state: State) -> Texts:
    outcome: VoteOutcome = facts["outcome"]
    (rome, egypt), winner = outcome.sums, outcome.winner
    said = phrase("a tie") if facts["winner"] == TIE else SIDES[facts["winner"]].name
    reason = phrase(_REASONS[_reason(outcome, facts["philosophers"])], reading=state.edition.empty_side)
    texts = {"rome": rome, "egypt": egypt, "said": said, "reason": reason}
    return _case("tie", **texts) if winner == TIE else _case("won", won=winner, **texts)


_REASONS: Final[Messages] = {
    "equal": "equal sums are a tie",
    "alone": "under these rules a philosopher wins against an empty side",
    "higher": "the higher sum wins",
    "cancelled": "the higher sum wins: the philosophers cancel each other out",
    "reading": "the reading empty_side={reading} is in force",
    "lower": "the lower sum wins, since one side has more philosophers",
}
"""Why a side wins a vote."""


def _reason(outcome: VoteOutcome, philosophers: tuple[int, int]) -> str:
    rome, egypt = outcome.sums
    if rome == egypt:
        return "equal" if outcome.winner == TIE else "alone"
    if not outcome.lower_wins:
        return "cancelled" if any(philosophers) else "higher"
    return "lower" if outcome.winner == (ROME if rome < egypt else EGYPT) else "reading"


def _shown(facts: Facts, state: State) -> Texts:
    spent = _spent(state, facts["owner"], facts["shown"], facts["there"])
    if facts.get("swapped"):
        return _case("swapped", spent=spent)
    if "elsewhere" in facts:
        return _case("elsewhere", elsewhere_letter=GROUP_LETTERS[facts["elsewhere"]], spent=spent)
    return _case("changed", spent=spent)


def _victims(facts: Facts, _state: State) -> Texts:
    count = facts["count"]
    victims = counted(count, "face-down card" if facts["hidden"] else "face-up card")
    return _case("some" if count else "none", victims=victims)


def _no_special(facts: Facts, _state: State) -> Texts:
    case = "held" if facts["already"] else "few"
    return _case(case, lying=_told("held" if facts["already"] else "lying", facts["count"]))


def _drawn(facts: Facts, state: State) -> Texts:
    limit, drawn = facts["limit"], counted(facts["drawn"], "card")
    why = _draw_limit(state) if state.may_draw else phrase("the hand is no longer refilled")
    return _case("some" if limit else "none", drawn=drawn, allowed=count_word(limit), why=why)


def _draw_limit(state: State) -> str:
    if state.passive and state.rules.passive_replaces:
        return phrase("as many as were exchanged")
    return phrase("the hand is filled up to {number}", number=count_word(state.edition.hand_limit))


def _empty(facts: Facts, _state: State) -> Texts:
    left, pile = facts["left"], facts["pile"]
    return _case(f"few_{pile}" if left else pile, cards=counted(left, "card"))


def _missing(facts: Facts, state: State) -> Texts:
    missing, player = facts["missing"], PLAYERS[state.active]
    problem = plural(
        "{player.name} draws too few cards: {number} is missing, since {why}",
        "{player.name} draws too few cards: {number} are missing, since {why}",
        missing,
        number=count_word(missing),
        player=player,
        why=_draw_limit(state),
    )
    return {"problem": problem}


def _all_seen(facts: Facts, state: State) -> Texts:
    """Return where the copies of a card are if it can't have been drawn again."""
    owner, card, side = PLAYERS[facts["owner"]], CARDS[facts["card"]], state.sides[facts["owner"]]
    left = side.unseen[facts["card"]]
    problem = phrase("{owner.name} can't have drawn {card.a}: every copy has already been seen", owner=owner, card=card)
    if left > 0:
        problem = plural(
            "{owner.name} can't have drawn so many: only {number} {card.bare} can be left",
            "{owner.name} can't have drawn so many: only {number} {card.many} can be left",
            left,
            number=count_word(left),
            owner=owner,
            card=card,
        )
    remedy = phrase("look for a mistyped character here or at the other copies")
    return {"problem": problem, "remedy": _with_places(remedy, side, facts["card"])}


def _with_places(said: str, side: SideCards, card: int) -> str:
    """Add to what is said where a card is by the record: ``…: one at the Quaestors and six among the discards``."""
    lying = [(side.column(group).count(card), group) for group in range(GROUP_COUNT)]
    places = [
        phrase("{number} at {group.the}", number=count_word(count), group=GROUPS[group])
        for count, group in lying
        if count
    ]
    if count := side.hand[card]:
        places.append(phrase("{number} in hand", number=count_word(count)))
    if count := side.discards.count(card):
        places.append(phrase("{number} among the discards", number=count_word(count)))
    return labelled(said, join(places)) if places else said


def _spent(state: State, owner: int, seen: Sequence[int], cards_there: Sequence[int]) -> str:
    """Return why the unknown cards ``cards_there`` can't be the ``seen`` ones, if too few copies are left."""
    strange = Counter(seen) - Counter(cards_there)
    unknown = cards_there.count(SOME_INFLUENCE) + cards_there.count(SOME_ACTION)
    if len(seen) != len(cards_there) or strange.total() > unknown:
        return ""
    side = state.sides[owner]
    for card, count in strange.items():
        if is_known(card) and count > (left := side.unseen[card]):
            told = _with_places(_told("left", max(left, 0), card=CARDS[card]), side, card)
            return phrase("; {clause}", clause=told)
    return ""


def _replaced(facts: Facts, _state: State) -> Texts:
    return {name: phrase(text) for name, text in CODES["R506"].words[facts["field"]].items()}


_STEPS: Final[Messages] = {ACT: "cards and action", SPECIAL: "special votes", DRAW: "drawing"}
_REACHED: Final[Messages] = {ACT: "this", SPECIAL: "the special vote", DRAW: "the drawing of cards"}
"""What a turn has reached."""


def _too_late(facts: Facts, state: State) -> Texts:
    device = state.edition.device
    now = device.the if facts["now"] == REVEAL else phrase(_REACHED[facts["now"]])
    steps = [device.name if step == REVEAL else phrase(_STEPS[step]) for step in state.edition.order]
    return {"now": now, "order": ", ".join(steps)}


def _over(facts: Facts, _state: State) -> Texts:
    option = {Ending.FULL: "full_check", Ending.EXHAUSTED: "exhaust_check"}.get(facts["why"])
    return _case("moment", option=option) if option else _case("slip")


_IN_TURNS: Final[dict[str, Callable[[Facts, State], Texts]]] = {
    **dict.fromkeys(("R202", "R204", "R205"), lambda _facts, _state: _case("turn")),
    "R208": lambda facts, _state: {} if "token" in facts else {"thing": phrase("one card face up")},
    "R209": _kept_back,
    "R210": _wrong_way,
    "R301": lambda facts, _state: _case("vetoed" if facts["vetoed"] else "second"),
    "R305": _victims,
    "R308": _no_effect,
    "R309": lambda facts, state: {"spent": _spent(state, 1 - state.active, facts["seen"], facts["there"])},
    "R311": lambda facts, state: {"spent": _spent(state, state.active, facts["laid"], facts["lifted"])},
    "R316": lambda facts, state: {"spent": _spent(state, facts["owner"], facts["seen"], facts["there"])},
    "R401": _no_special,
    "R404": _not_now,
    "R501": _drawn,
    "R502": _empty,
    "R503": _missing,
    "R504": _all_seen,
    "R506": _replaced,
    "R507": _replaced,
    "R601": _too_late,
    "R605": _no_exchange,
    "R701": lambda _facts, state: _case("later" if state.rules.chooses_mission else "one"),
    "R801": _over,
    "C901": _shown,
    "C902": _winner,
}
"""Code → the words that its templates need, once a game has begun."""
