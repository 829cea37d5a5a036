"""A turn in words: each token as a sentence without its subject, and what a vote came to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, assert_never

from ...notation import tokens as t
from ...notation.cards import (
    GROUP_NAMES,
    GROUPS,
    PHILOSOPHER,
    PLAYER_NAMES,
    SIDE_NAMES,
    SIGNS,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    letters,
)
from ...notation.safe_text import visible
from ..diagnostics.names import card_name, cards_text, count_word, counted, group_name, join, named, ordinal
from ..editions.edition import Edition
from ..engine.ballot import Ballot
from ..rules.state import State
from ..views.table_view import UNSEEN_MISSION, SideView


def token_words(token: t.Token, side: int, edition: Edition, ballot: Ballot | None = None, vetoed: bool = False) -> str:
    """Return a token of ``side``'s turn in words: ``places a 3 face down at the Aediles``.

    All that ``token`` says is told: a card that is hidden from the reader should be hidden in it. A vote needs its
    ``ballot``; ``vetoed`` says that an action is announced only.
    """
    if ballot is not None:
        return vote_words(ballot)
    if isinstance(token, t.Action):
        return f"{'announces' if vetoed else 'plays'} {_action(token, vetoed)}"
    if isinstance(token, t.SetUp):
        return _laid_out(token, edition)
    match token:
        case t.Place():
            return _placed(token.card, token.hidden, token.group)
        case t.Draw():
            return f"draws {drawn(token.cards)}"
        case t.Discard():
            return f"discards {named(token.cards)} to exchange" if token.cards else "exchanges or places nothing"
        case t.Veto():
            return f"{PLAYER_NAMES[1 - side]} vetoes it{_in_place(token.draw)}"
        case t.NoVote():
            name = edition.device.reset if token.reset else edition.device.blank
            return f"reveals the {name}: no vote{', and all go back' if token.reset else ''}"
        case t.PutAway():
            return f"reveals the {edition.device.name} of {group_name(token.group)}, who are gone: it leaves the game"
        case t.ChooseMission():
            which = f"the {ordinal(token.kept)}" if token.kept else "one"
            return f"{PLAYER_NAMES[token.side]} keeps {which} of two missions"
        case t.Vote() | t.SpecialVote():
            return f"a {t.KINDS[type(token)].event} at {group_name(token.group)}"
        case t.Unread():
            return "a word that could not be read"
        case _:
            assert_never(token)


def instead(old: t.Token, new: t.Token) -> str:
    """Return what should have been written in place of ``old``: ``places a 2 face up at the Aediles, not a 3``.

    It is empty where no short sentence says it.
    """
    match old, new:
        case t.Place(), t.Place():
            parts = [(card_name(p.card), f"face {_face(p.hidden)}", f"at {group_name(p.group)}") for p in (old, new)]
            wrong = [was for was, now in zip(*parts, strict=True) if was != now]
            return f"{_placed(new.card, new.hidden, new.group)}, not {' '.join(wrong)}"
        case t.Draw(), t.Draw():
            return f"draws {drawn(new.cards)}, not {drawn(old.cards)}"
        case _:
            return ""


def mission_words(mission: t.Mission) -> str:
    """Return a mission in words (A5)."""
    match mission.kind:
        case "majority":
            return f"the majority of {group_name(mission.group or 0)}"
        case "all":
            return f"all {GROUP_NAMES[mission.group or 0]}"
        case "each":
            return "a patrician of every group"
        case "majorities":
            count = mission.count or 0
            return "a majority in one group" if count == 1 else f"majorities in {count_word(count)} groups"
        case "patricians":
            return counted(mission.count or 0, "patrician")
        case "text":
            return f"“{mission.text}”"
        case _:
            return "an unknown mission"


_MISSION: Final = re.compile(r"(?P<group>[A-Z])(?P<all>\*?)|(?P<count>\d+)(?P<more>>?)|(?P<each>each)")


def held_missions(side: SideView) -> list[str]:
    """Return a side's missions in words; how many there are where they may not be seen. Safe to show."""
    if side.missions and all(mission == UNSEEN_MISSION for mission in side.missions):
        return [f"{counted(len(side.missions), 'mission').capitalize()}, not seen"]
    words = [_seen_mission(mission) for mission in side.missions]
    return [mission[:1].upper() + mission[1:] for mission in words]


def _seen_mission(text: str) -> str:
    """Return a mission in words from its text in the record."""
    found = _MISSION.fullmatch(text)
    if found is None:
        return "an unknown mission" if text == UNSEEN_MISSION else visible(text)
    if group := found["group"]:
        return mission_words(t.Mission("all" if found["all"] else "majority", GROUPS[group]))
    if count := found["count"]:
        return mission_words(t.Mission("majorities" if found["more"] else "patricians", count=int(count)))
    return mission_words(t.Mission("each"))


def vote_words(ballot: Ballot) -> str:
    """Return a vote with both columns, both sums, and what came of it."""
    kind = "special vote" if ballot.special else "vote"
    shown = ", ".join(
        f"{name} {_side_by_side(cards) or 'no card'}{f' = {total}' if len(cards) > 1 else ''}"
        for name, cards, total in zip(SIDE_NAMES, ballot.columns, ballot.rightful.sums, strict=True)
    )
    return f"{kind} at {group_name(ballot.group)}: {shown}; {verdict(ballot)}"


def verdict(ballot: Ballot) -> str:
    """Return who wins what, and why: ``Egypt wins a patrician, since the lower sum wins``."""
    outcome = ballot.outcome
    if outcome.winner == TIE and outcome.winner != ballot.rightful.winner:
        return "a tie according to the record: nobody wins"
    if outcome.winner == TIE:
        return "a tie, nobody wins" if any(ballot.columns) else "no card lies there, nobody wins"
    last = "the last patrician" if ballot.empties else "a patrician"
    why = ", since the lower sum wins" if outcome.lower_wins else ""
    if outcome.winner != ballot.rightful.winner:
        why = ", according to the record"
    return f"{SIDE_NAMES[outcome.winner]} wins {last}{why}"


def loss_words(gone: Iterable[t.Cards]) -> str:
    """Return ``Rome discards a 4, Egypt a 2``; empty where nothing is lost."""
    losses = [f"{name} {named(cards)}" for name, cards in zip(SIDE_NAMES, gone, strict=True) if cards]
    return ", ".join(losses).replace(" ", " discards ", 1)


def outcome_words(winner: int, wins: str = "wins") -> str:
    """Return ``a tie`` or ``Rome wins``."""
    return "a tie" if winner == TIE else f"{SIDE_NAMES[winner]} {wins}"


def sums_words(rome: object, egypt: object) -> str:
    """Return ``▲2 : ▼3``, both sums of a vote."""
    return " : ".join(f"{sign}{total}" for sign, total in zip(SIGNS, (rome, egypt), strict=False))


def column_words(cards: t.Cards, hidden: t.Cards) -> str:
    """Return ``4 3, face down 5``: a column, and behind it those of its cards that lay ``hidden``."""
    up = list(cards)
    for card in hidden:
        up.remove(card)
    parts = (_side_by_side(tuple(up)), f"face down {_side_by_side(hidden)}" if hidden else "")
    return ", ".join(filter(None, parts)) or "no card"


def _side_by_side(cards: t.Cards) -> str:
    """Return ``4 3 and a philosopher``."""
    numbers, count = [card for card in cards if card != PHILOSOPHER], cards.count(PHILOSOPHER)
    philosophers = "a philosopher" if count == 1 else counted(count, "philosopher") if count else ""
    return " and ".join(filter(None, (" ".join(letters(tuple(numbers))), philosophers)))


@lru_cache(maxsize=1 << 12)
def drawn(cards: t.Cards) -> str:
    """Return cards drawn by name; of cards that are not known only from which pile: ``two influence cards``."""
    known = tuple(card for card in cards if card < SOME_INFLUENCE)
    parts = (known, *[(some,) * cards.count(some) for some in (SOME_INFLUENCE, SOME_ACTION)])
    return join([named(part) for part in parts if part] or ["nothing"])


# ----------------------------------------------------------------------------------------------- one kind each


@lru_cache(maxsize=1 << 9)
def _placed(card: int, hidden: bool, group: int) -> str:
    return f"places {card_name(card)} face {_face(hidden)} at {group_name(group)}"


def _face(hidden: bool) -> str:
    return "down" if hidden else "up"


def _in_place(draw: int | None) -> str:
    """Return what was drawn in place of a card that was played or lost."""
    return f" and draws {drawn((draw,))}" if draw is not None else ""


def _laid_out(token: t.SetUp, edition: Edition) -> str:
    match token:
        case t.Missions():
            if all(mission.kind == "unknown" for mission in token.missions):
                return f"has {counted(len(token.missions), 'mission')}"
            return f"has the mission{'s' * (len(token.missions) > 1)}: {join(map(mission_words, token.missions))}"
        case t.Hand():
            return f"holds {drawn(token.cards)}"
        case t.Gained():
            won = [f"{count} of {group_name(group)}" for group, count in Counter(token.groups).items()]
            return f"has won {join(won or ['nothing'])}"
        case t.Spent():
            return f"has discarded {named(token.cards)}"
        case t.Bag():
            names = [f"the {GROUP_NAMES[group]}" for group in token.groups]
            names += [counted(token.blanks, "blank")] if token.blanks else []
            names += [counted(token.resets, "reset")] if token.resets else []
            return f"{edition.device.name}s still to come: {join(names or ['none'])}"
        case t.ActionOrder():
            return f"orders the action pile, from the top: {cards_text(token.cards)}"
        case _:
            assert_never(token)


def _action(token: t.Action, vetoed: bool) -> str:
    match token:
        case t.Assassinate(card=card):
            if card is not None and not token.hidden:
                return f"an assassination of {card_name(card)} at {group_name(token.group)}"
            place = f"the {ordinal(token.position)} hidden card" if token.position else "a hidden card"
            shown = "" if card is None or card >= SOME_INFLUENCE or vetoed else f": it was {card_name(card)}"
            return f"an assassination of {place} at {group_name(token.group)}{shown}"
        case t.Scout():
            shown = "" if vetoed or token.seen is None else f", who turns up {named(token.seen)}"
            return f"a scout at {group_name(token.group)}{shown}"
        case t.Wrath():
            return f"the wrath of the gods at {group_name(token.group)}"
        case t.Castle(cards_first=one, cards_second=other):
            first, second = group_name(token.first), group_name(token.second)
            if vetoed or one is None or other is None:
                return f"castling between {first} and {second}"
            laid = [f"{cards_text(cards)} at {group}" for cards, group in ((one, first), (other, second))]
            return f"castling: {join(laid)}, all face down"
        case t.Spy():
            if vetoed or token.card is None:
                return "a spy"
            hand = f", who sees {cards_text(token.hand)}" if token.hand is not None else ""
            return f"a spy{hand}: the opponent discards {card_name(token.card)}{_in_place(token.draw)}"
        case _:
            assert_never(token)


def prevented(token: t.Token | None, before: State) -> str:
    """Return what a veto prevented: the action ``token``, announced in the state ``before``."""
    if not isinstance(token, t.Action):
        return "an action"
    match token:
        case t.Assassinate():
            victim = "a hidden card" if token.hidden or token.card is None else named((token.card,))
            return f"the assassination of {victim} at {group_name(token.group)}"
        case t.Scout():
            count = len(before.sides[1 - before.active].hidden[token.group])
            return f"the scouting of {counted(count, 'hidden card')} at {group_name(token.group)}"
        case t.Wrath():
            rome, egypt = (count_word(side.count(token.group)) for side in before.sides)
            return f"the wrath of the gods at {group_name(token.group)}, where Rome has {rome} and Egypt {egypt}"
        case t.Castle():
            return f"castling between {group_name(token.first)} and {group_name(token.second)}"
        case t.Spy():
            return "a look into the hand by a spy"
        case _:
            assert_never(token)
