"""A turn in words: each token as a sentence without its subject, and what a vote came to."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from ...notation import tokens as t
from ...notation.cards import (
    GROUP_NAMES,
    PLAYER_NAMES,
    SIDE_NAMES,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
)
from ..edition import Edition
from ..naming import (
    bare_name,
    card_name,
    cards_text,
    count_word,
    counted,
    device_name,
    group_name,
    join,
    one_device_name,
    ordinal,
    several,
)
from .ballot import Ballot


def told(token: t.Token, side: int, edition: Edition, ballot: Ballot | None = None, vetoed: bool = False) -> str:
    """A token of ``side``'s turn in words: ``places a 3 face down at the Aediles``.

    ``token`` is told as far as it says: where a card is hidden from the reader it should be hidden in it. A vote needs
    its ``ballot``; ``vetoed`` says that an action is announced only.
    """
    if ballot is not None:
        return vote_told(ballot)
    tell = _TELL.get(token.__class__)
    if tell is not None:
        return tell(token, side, edition)
    sentence = _ACTION[token.__class__](token, vetoed)
    return f"announces {sentence}" if vetoed else f"plays {sentence}"


@lru_cache(maxsize=1 << 12)
def named(cards: t.Cards) -> str:
    """Cards by name, equal ones together: ``two 3s and a philosopher``; ``nothing`` where there is none.

    Remembered, since most of what is drawn and lost has been drawn and lost before.
    """
    counts = {card: cards.count(card) for card in sorted(set(cards), key=lambda card: (card > 5, -card))}
    names = [card_name(card) if count == 1 else several(card, count) for card, count in counts.items()]
    return join(names) if names else "nothing"


def mission_words(mission: t.Mission) -> str:
    """A mission in words (A5)."""
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
            return "a mission that is not known"


def vote_told(ballot: Ballot) -> str:
    """A vote with both columns, both sums, and what came of it."""
    kind = "special vote" if ballot.special else "vote"
    shown = ", ".join(
        f"{name} {cards_text(cards) if cards else 'no card'}{f' = {total}' if len(cards) > 1 else ''}"
        for name, cards, total in zip(SIDE_NAMES, ballot.columns, ballot.rightful.sums, strict=True)
    )
    return f"{kind} at {group_name(ballot.group)}: {shown}; {verdict(ballot)}"


def verdict(ballot: Ballot) -> str:
    """Who wins what, and why: ``Egypt wins a patrician, since the lower sum wins``."""
    outcome = ballot.outcome
    if outcome.winner == TIE and outcome.winner != ballot.rightful.winner:
        return "a tie, as the record has it: nobody wins"
    if outcome.winner == TIE:
        return "a tie, nobody wins" if any(ballot.columns) else "no card lies there, nobody wins"
    last = "the last patrician" if ballot.empties else "a patrician"
    why = ", since the lower sum wins" if outcome.lower_wins else ""
    if outcome.winner != ballot.rightful.winner:
        why = ", as the record has it"
    return f"{SIDE_NAMES[outcome.winner]} wins {last}{why}"


def losses_told(gone: tuple[t.Cards, t.Cards]) -> str:
    """``Rome discards a 4, Egypt a 2``; empty where nothing is lost."""
    parts = [f"{name} {{}}{named(cards)}" for name, cards in zip(SIDE_NAMES, gone, strict=True) if cards]
    return ", ".join(part.format("" if place else "discards ") for place, part in enumerate(parts))


def outcomes_told(winner: int) -> str:
    """``a tie``, ``Rome wins``."""
    return "a tie" if winner == TIE else f"{SIDE_NAMES[winner]} wins"


@lru_cache(maxsize=1 << 12)
def drawn(cards: t.Cards) -> str:
    """Cards drawn by name; of cards that are not known only from which pile: ``two influence cards``."""
    known = tuple(card for card in cards if card < SOME_INFLUENCE)
    parts = [named(known)] if known else []
    for some in (SOME_INFLUENCE, SOME_ACTION):
        if count := cards.count(some):
            name = bare_name(some)
            parts.append(f"an {name}" if count == 1 else counted(count, name))
    return join(parts) if parts else "nothing"


# ----------------------------------------------------------------------------------------------- one kind each


def _place(token: t.Place, _side: int, _edition: Edition) -> str:
    return _placed(token.card, token.hidden, token.group)


@lru_cache(maxsize=1 << 9)
def _placed(card: int, hidden: bool, group: int) -> str:
    return f"places {card_name(card)} face {'down' if hidden else 'up'} at {group_name(group)}"


def _discard(token: t.Discard, _side: int, _edition: Edition) -> str:
    return f"discards {named(token.cards)} to exchange" if token.cards else "exchanges or places nothing"


def _veto(token: t.Veto, side: int, _edition: Edition) -> str:
    new = f" and draws {drawn((token.draw,))}" if token.draw is not None else ""
    return f"{PLAYER_NAMES[1 - side]} vetoes it{new}"


def _no_vote(token: t.NoVote, _side: int, edition: Edition) -> str:
    name = one_device_name(edition, None, shuffles=token.reset)
    return f"reveals the {name}: no vote{', and all that was out goes back' if token.reset else ''}"


def _put_away(token: t.PutAway, _side: int, edition: Edition) -> str:
    return f"reveals the {device_name(edition)} of {group_name(token.group)}, who are gone: it leaves the game"


def _choose(token: t.ChooseMission, _side: int, _edition: Edition) -> str:
    which = f"the {ordinal(token.kept)}" if token.kept else "one"
    return f"{PLAYER_NAMES[token.side]} keeps {which} of two missions"


def _missions(token: t.Missions, _side: int, _edition: Edition) -> str:
    if all(each.kind == "unknown" for each in token.missions):
        return f"has {counted(len(token.missions), 'mission')}"
    word = "mission" if len(token.missions) == 1 else "missions"
    return f"has the {word}: {join([mission_words(each) for each in token.missions])}"


def _bag(token: t.Bag, _side: int, edition: Edition) -> str:
    names = [f"the {GROUP_NAMES[group]}" for group in token.groups]
    names += [f"{counted(count, name)}" for count, name in ((token.blanks, "blank"), (token.resets, "reset")) if count]
    return f"{device_name(edition)}s still to come: {join(names) if names else 'none'}"


def _hand(token: t.Hand, _side: int, _edition: Edition) -> str:
    return f"holds {drawn(token.cards)}"


def _gained(token: t.Gained, _side: int, _edition: Edition) -> str:
    counts = {group: token.groups.count(group) for group in token.groups}
    won = [f"{count} of {group_name(group)}" for group, count in counts.items()]
    return f"has won {join(won) if won else 'nothing'}"


_TELL: Final[dict[type, Callable[[Any, int, Edition], str]]] = {
    t.Place: _place,
    t.Discard: _discard,
    t.Veto: _veto,
    t.Draw: lambda token, _side, _edition: f"draws {drawn(token.cards)}",
    t.NoVote: _no_vote,
    t.PutAway: _put_away,
    t.ChooseMission: _choose,
    t.Missions: _missions,
    t.Hand: _hand,
    t.Gained: _gained,
    t.Spent: lambda token, _side, _edition: f"has discarded {named(token.cards)}",
    t.Bag: _bag,
    t.ActionOrder: lambda token, _side, _edition: f"orders the action pile, from the top: {cards_text(token.cards)}",
    t.Vote: lambda token, _side, _edition: f"a vote at {group_name(token.group)}",
    t.SpecialVote: lambda token, _side, _edition: f"a special vote at {group_name(token.group)}",
    t.Unread: lambda _token, _side, _edition: "a word that could not be read",
}


def _assassinate(token: t.Assassinate, vetoed: bool) -> str:
    where = group_name(token.group)
    place = f"the {ordinal(token.position)} hidden card" if token.position else "a hidden card"
    if token.card is None:
        return f"an assassination of {place} at {where}"
    if token.hidden:
        shown = f"an assassination of {place} at {where}"
        known = token.card < SOME_INFLUENCE and not vetoed
        return f"{shown}: it was {card_name(token.card)}" if known else shown
    return f"an assassination of {card_name(token.card)} at {where}"


def _scout(token: t.Scout, vetoed: bool) -> str:
    if vetoed or token.seen is None:
        return f"a scout at {group_name(token.group)}"
    return f"a scout at {group_name(token.group)}, who turns up {named(token.seen)}"


def _castle(token: t.Castle, vetoed: bool) -> str:
    first, second = group_name(token.first), group_name(token.second)
    if vetoed or token.cards_first is None or token.cards_second is None:
        return f"castling between {first} and {second}"
    laid = [
        f"{cards_text(cards) if cards else 'nothing'} at {group}"
        for cards, group in ((token.cards_first, first), (token.cards_second, second))
    ]
    return f"castling: {join(laid)}, all face down"


def _spy(token: t.Spy, vetoed: bool) -> str:
    if vetoed or token.card is None:
        return "a spy"
    hand = f", who sees {cards_text(token.hand)}" if token.hand is not None else ""
    new = f" and draws {drawn((token.draw,))}" if token.draw is not None else ""
    return f"a spy{hand}: the opponent discards {card_name(token.card)}{new}"


_ACTION: Final[dict[type, Callable[[Any, bool], str]]] = {
    t.Assassinate: _assassinate,
    t.Scout: _scout,
    t.Wrath: lambda token, _vetoed: f"the wrath of the gods at {group_name(token.group)}",
    t.Castle: _castle,
    t.Spy: _spy,
}
