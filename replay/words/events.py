"""Tokens and votes in words: what was done, as far as it is seen, and what followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import (
    GROUP_NAMES,
    PHILOSOPHER,
    PLAYER_NAMES,
    SIDE_NAMES,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    is_known,
    letters,
)
from ...notation.classes import need
from ..diagnostics.names import (
    capital,
    card_name,
    cards_text,
    count_word,
    counted,
    group_name,
    join,
    named,
    one_device_name,
    ordinal,
)
from ..editions.edition import Edition
from ..engine.shown import Ballot
from ..story.events import Event, Prevented
from .odds import win_words


class Description(NamedTuple):
    """What a token did, in parts: ``verb`` and ``what`` say what was done, ``detail`` what it revealed.

    ``who`` did it, if not the player of the turn. ``came`` is what followed.
    """

    verb: str
    what: str = ""
    detail: str = ""
    who: str = ""
    came: tuple[str, ...] = ()

    @property
    def action(self) -> str:
        """Return what was done, without a subject: ``plays castling``."""
        return f"{self.verb} {self.what}" if self.verb and self.what else self.verb or self.what

    @property
    def head(self) -> str:
        """Return the words up to what followed."""
        said = f"{self.who} {self.action}" if self.who else self.action
        return f"{said}: {self.detail}" if self.detail else said

    def by(self, player: str) -> str:
        """Return the head, naming the ``player`` of the turn."""
        return self.head if self.who else f"{player} {self.head}"

    @property
    def outcome(self) -> str:
        """Return what followed, as it comes after the head: ``; Rome wins a patrician; Rome discards a 4``."""
        return "".join([f"; {clause}" for clause in self.came])

    @property
    def words(self) -> str:
        """Return it all in words: ``places a 3 face down at the Aediles``."""
        return _words(self)


@lru_cache(maxsize=1 << 12)
def _words(said: Description) -> str:
    # Cached, since the same few hundred moves recur as options at every decision.
    return said.head + said.outcome


def describe(token: t.Token, side: int, edition: Edition, vetoed: bool = False) -> Description:
    """Return what a token in ``side``'s turn did, as far as the token itself says so.

    Everything in ``token`` is put into words, so a card that is hidden from the reader must be hidden in it. ``vetoed``
    says that an action was only announced.
    """
    if isinstance(token, t.Place | t.Discard | t.Action):
        return move_description(t.chosen(token) if vetoed else token, verb="announces" if vetoed else "plays")
    if isinstance(token, t.SetUp):
        return _laid_out(token, edition)
    match token:
        case t.Draw():
            return Description("draws", drawn(token.cards))
        case t.Veto():
            return Description("vetoes", f"it{_in_place(token.draw)}", who=PLAYER_NAMES[1 - side])
        case t.NoVote():
            name = one_device_name(edition, None, shuffles=token.reset)
            return Description("reveals", f"the {name}", f"no vote{', and all go back' * token.reset}")
        case t.PutAway():
            name = one_device_name(edition, token.group, shuffles=False)
            return Description("reveals", f"the {name}, who are gone", "it leaves the game")
        case t.ChooseMission():
            which = f"the {ordinal(token.kept)}" if token.kept else "one"
            return Description("keeps", f"{which} of two missions", who=PLAYER_NAMES[token.side])
        case t.Vote() | t.SpecialVote():
            return Description("", f"a {t.KINDS[type(token)].event} at {group_name(token.group)}")
        case t.Unread():
            return Description("", "an unreadable word")
        case _:
            assert_never(token)


def move_description(token: t.Token, here: int | None = None, verb: str = "plays") -> Description:
    """Return what a move of a turn's first steps did; the group ``here`` is not named, except in a castling."""
    match token:
        case t.Place():
            return _placed(token.card, token.hidden, token.group, here)
        case t.Discard():
            return Description("discards", f"{named(token.cards)} to exchange") if token.cards else _NO_EXCHANGE
        case t.Assassinate():
            return _assassination(token, verb, here)
        case t.Scout():
            shown = "" if token.seen is None else f", who turns up {named(token.seen)}"
            return Description(verb, f"a scout{at_group(token.group, here)}{shown}")
        case t.Wrath():
            return Description(verb, f"the wrath of the gods{at_group(token.group, here)}")
        case t.Castle():
            return _castling(token, verb)
        case t.Spy(card=int(card)):
            seen = f", who sees {cards_text(token.hand)}" if token.hand is not None else ""
            return Description(verb, f"a spy{seen}", f"the opponent discards {card_name(card)}{_in_place(token.draw)}")
        case t.Spy():
            return Description(verb, "a spy")
        case _:
            raise ValueError(f"{token} is no move")


_NO_EXCHANGE: Final = Description("passes")


def at_group(group: int, here: int | None = None) -> str:
    """Return `` at the Consuls``; nothing if that is ``here``."""
    return "" if group == here else f" at {group_name(group)}"


def token_words(token: t.Token, side: int, edition: Edition, vetoed: bool = False) -> str:
    """Return a token in the words of :func:`describe`: ``places a 3 face down at the Aediles``."""
    return describe(token, side, edition, vetoed).words


def description_of(event: Event) -> Description:
    """Return what a token did in words, including what only the states before and after it show."""
    if event.ballot is not None:
        return _carried_out(event.ballot, event.lost)
    said, before, seen = describe(event.seen, event.side, event.before.edition, event.vetoed), event.before, event.seen
    match seen:
        case t.Discard(cards=()):
            return Description("passes") if event.state.passive else Description("places", "nothing")
        case t.Wrath() if not event.vetoed:
            swept = loss_words([tuple(side.column(seen.group)) for side in before.sides])
            return said._replace(detail=swept or f"no card lay at {group_name(seen.group)}")
        case t.ChooseMission(kept=int(kept)) if 0 < kept <= len(before.sides[seen.side].missions):
            return said._replace(detail=mission_words(before.sides[seen.side].missions[kept - 1]))
        case _:
            return said


def _carried_out(held: Ballot, lost: tuple[t.Cards, t.Cards]) -> Description:
    """Return a vote in words with all its costs: ``lost`` are the cards that both sides discard, all of them at an
    emptied group.
    """
    said, gone = vote_description(held), held.outcome.gone
    more = sum(map(len, lost)) > sum(map(len, gone))
    others = "the other cards are discarded with the group" * more
    return said._replace(came=tuple(filter(None, (*said.came, loss_words(gone), others))))


def event_words(event: Event) -> str:
    """Return what was done and what followed, and the odds if anything was undecided."""
    said, odds = description_of(event).words, expected_words(event)
    return f"{said}; expected: {odds}" if odds else said


def expected_words(event: Event) -> str:
    """Return the odds of a vote, if anything was undecided: ``for Caesar Rome 34 %, Egypt 60 %, a tie 6 %``."""
    return "; ".join([win_words(each) for each in event.odds if not each.certain])


def event_head(event: Event, player: str) -> str:
    """Return what was done as a sentence without a full stop, naming the ``player`` of the turn.

    The outcome of a vote is left out.
    """
    need(player, str, "a player's name")
    said = description_of(event)
    return said.by(player) if event.ballot is None else capital(said.head)


def event_sentence(event: Event, player: str) -> str:
    """Return the head as a sentence, with what followed."""
    return event_head(event, player) + description_of(event).outcome


def instead(old: t.Token, new: t.Token) -> str:
    """Return what should have been written instead of ``old``: ``places a 2 face up at the Aediles, not a 3``.

    Return nothing if no short sentence can say it.
    """
    match old, new:
        case t.Place(), t.Place():
            return f"{move_description(new).action}, not {unlike(old, new)}"
        case t.Draw(), t.Draw():
            return f"draws {drawn(new.cards)}, not {drawn(old.cards)}"
        case _:
            return ""


def unlike(old: t.Place, new: t.Place) -> str:
    """Return in what a placement differs from a new one: ``a 3 at the Consuls``."""
    parts = [(card_name(token.card), _FACES[token.hidden], f"at {group_name(token.group)}") for token in (old, new)]
    return " ".join([was for was, now in zip(*parts, strict=True) if was != now])


def prevented_words(prevented: Prevented, here: int | None = None) -> str:
    """Return what a veto prevents: ``the assassination of a 5 at the Consuls``; the group ``here`` is not named."""
    match prevented.action:
        case None:
            return "an action"
        case t.Assassinate() as token:
            victim = "a hidden card" if token.hidden or token.card is None else named((token.card,))
            return f"the assassination of {victim}{at_group(token.group, here)}"
        case t.Scout(group):
            return f"the scouting of {counted(prevented.hidden, 'hidden card')}{at_group(group, here)}"
        case t.Wrath(group):
            rome, egypt = map(count_word, prevented.cards)
            return f"the wrath of the gods{at_group(group, here)}, where Rome has {rome} and Egypt {egypt}"
        case t.Castle(first, second):
            return f"castling between {group_name(first)} and {group_name(second)}"
        case t.Spy():
            return "a look into the hand by a spy"
        case _:
            assert_never(prevented.action)


def vote_name(held: Ballot) -> str:
    """Return ``special vote at the Aediles``."""
    return f"{'special vote' if held.special else 'vote'} at {group_name(held.group)}"


def vote_description(held: Ballot) -> Description:
    """Return a vote in words: both columns, both sums, and who wins what."""
    shown = ", ".join(
        f"{name} {_side_by_side(cards) or 'no card'}{f' = {total}' if len(cards) > 1 else ''}"
        for name, cards, total in zip(SIDE_NAMES, held.columns, held.rightful.sums, strict=True)
    )
    return Description("", vote_name(held), shown, came=(_verdict(held),))


def _verdict(held: Ballot) -> str:
    """Return who wins a vote, what, and why: ``Egypt wins a patrician, since the lower sum wins``."""
    winner = held.outcome.winner
    if winner == TIE:
        if not held.by_rules:
            return "a tie according to the record: nobody wins"
        return "a tie, nobody wins" if any(held.columns) else "no card lies there, nobody wins"
    why = ", since the lower sum wins" if held.outcome.lower_wins else ""
    return f"{SIDE_NAMES[winner]} wins {prize(held)}{why if held.by_rules else ', according to the record'}"


def prize(held: Ballot) -> str:
    """Return what the winner of a vote gets."""
    return "the last patrician" if held.empties else "a patrician"


def loss_words(gone: Iterable[t.Cards]) -> str:
    """Return ``Rome discards a 4, Egypt a 2``; empty if nothing is lost."""
    losses = [(name, named(cards)) for name, cards in zip(SIDE_NAMES, gone, strict=True) if cards]
    return ", ".join(
        [f"{name} {cards}" if at else f"{name} discards {cards}" for at, (name, cards) in enumerate(losses)]
    )


OUTCOMES: Final = (*SIDE_NAMES, "a tie")
"""Side or TIE → who wins, in words."""


def outcome_words(winner: int, wins: str = "wins") -> str:
    """Return ``a tie`` or ``Rome wins``."""
    return OUTCOMES[winner] if winner == TIE else f"{OUTCOMES[winner]} {wins}"


def column_words(cards: t.Cards, hidden: t.Cards) -> str:
    """Return ``4 3, face down 5``: a column, followed by its cards that lay ``hidden``."""
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


def mission_words(mission: t.Mission) -> str:
    """Return a mission in words (A5)."""
    count = mission.count or 0
    if mission.kind == "majorities" and count == 1:
        return "a majority in one group"
    return _MISSIONS.get(mission.kind, "an unknown mission").format(
        group=GROUP_NAMES[mission.group or 0],
        count=count_word(count),
        patricians=counted(count, "patrician"),
        text=mission.text,
    )


_MISSIONS: Final = {
    "majority": "the majority of the {group}",
    "all": "all {group}",
    "each": "a patrician of every group",
    "majorities": "majorities in {count} groups",
    "patricians": "{patricians}",
    "text": "“{text}”",
}
"""Kind of mission → its words."""


@lru_cache(maxsize=1 << 12)
def drawn(cards: t.Cards) -> str:
    """Return drawn cards by name; for unknown cards, only the pile they came from: ``two influence cards``."""
    known = tuple(card for card in cards if card < SOME_INFLUENCE)
    parts = (known, *[(some,) * cards.count(some) for some in (SOME_INFLUENCE, SOME_ACTION)])
    return join([named(part) for part in parts if part] or ["nothing"])


# ----------------------------------------------------------------------------------------------- one kind each


@lru_cache(maxsize=1 << 9)
def _placed(card: int, hidden: bool, group: int, here: int | None) -> Description:
    return Description("places", f"{card_name(card)} {_FACES[hidden]}{at_group(group, here)}")


_FACES: Final = ("face up", "face down")


def _in_place(draw: int | None) -> str:
    """Return in words what was drawn to replace a card that was played or lost."""
    return f" and draws {drawn((draw,))}" if draw is not None else ""


def _laid_out(token: t.SetUp, edition: Edition) -> Description:
    match token:
        case t.Missions():
            return _dealt(token.missions)
        case t.Hand():
            return Description("holds", drawn(token.cards))
        case t.Gained():
            won = [f"{count} of {group_name(group)}" for group, count in Counter(token.groups).items()]
            return Description("has won", join(won or ["nothing"]))
        case t.Spent():
            return Description("has discarded", named(token.cards))
        case t.Bag():
            return _still_to_come(token, edition)
        case t.ActionOrder():
            return Description("orders", "the action pile, from the top", cards_text(token.cards))
        case _:
            assert_never(token)


def are_unseen(missions: Iterable[t.Mission]) -> bool:
    """Return whether nobody wrote down what missions ask for."""
    return all(mission.kind == "unknown" for mission in missions)


def _dealt(missions: Sequence[t.Mission]) -> Description:
    if are_unseen(missions):
        return Description("has", counted(len(missions), "mission"))
    return Description("has", f"the mission{'s' * (len(missions) > 1)}", join(map(mission_words, missions)))


def _still_to_come(bag: t.Bag, edition: Edition) -> Description:
    names = [f"the {GROUP_NAMES[group]}" for group in bag.groups]
    names += [counted(number, kind) for number, kind in ((bag.blanks, "blank"), (bag.resets, "reset")) if number]
    return Description("", f"{edition.device.name}s still to come", join(names or ["none"]))


def _assassination(token: t.Assassinate, verb: str, here: int | None) -> Description:
    victim, detail = f"the {ordinal(token.position)} hidden card" if token.position else "a hidden card", ""
    if token.card is not None:
        if not token.hidden:
            victim = card_name(token.card)
        elif is_known(token.card):
            detail = f"it was {card_name(token.card)}"
    return Description(verb, f"an assassination of {victim}{at_group(token.group, here)}", detail)


def _castling(token: t.Castle, verb: str) -> Description:
    first, second = group_name(token.first), group_name(token.second)
    if token.cards_first is None or token.cards_second is None:
        return Description(verb, f"castling between {first} and {second}")
    one, other = named(token.cards_first), named(token.cards_second)
    return Description(verb, "castling", f"{one} at {first} and {other} at {second}, all face down")
