"""Tokens and votes in words: what was done, as far as it is seen, and what followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, SOME_ACTION, SOME_INFLUENCE, TIE, is_known, letters
from ...notation.language import CARDS, GROUPS, PLAYERS, SIDES, Messages, labelled, ordinal, phrase, remembered, sense
from ..diagnostics.names import capital, cards_text, count_word, counted, join, named
from ..editions.edition import BUSTS, Device, Edition
from ..engine.shown import Ballot
from ..rules.state import State
from ..story.events import Event, Prevented
from .odds import expected_words


class Description(NamedTuple):
    """What a token did: the ``action`` without a subject, and the ``detail`` that it revealed.

    ``who`` did it, if not the player of the turn. ``came`` is what followed. ``what`` names an action or a
    placement without a verb.
    """

    action: str
    detail: str = ""
    who: str = ""
    came: tuple[str, ...] = ()
    what: str = ""

    @property
    def head(self) -> str:
        """Return the words up to what followed."""
        return self.by(self.who) if self.who else self._with_detail(self.action)

    def by(self, player: str) -> str:
        """Return the head, naming the ``player`` of the turn."""
        return self._with_detail(phrase("{player} {action}", player=self.who or player, action=self.action))

    def _with_detail(self, said: str) -> str:
        return labelled(said, self.detail) if self.detail else said

    @property
    def outcome(self) -> str:
        """Return what followed, as it comes after the head: ``; Rome wins a patrician; Rome discards a 4``."""
        return "".join([phrase("; {clause}", clause=clause) for clause in self.came])

    @property
    def words(self) -> str:
        """Return it all in words: ``places a 3 face down at the Aediles``."""
        return self.head + self.outcome


def describe(token: t.Token, side: int, edition: Edition, vetoed: bool = False) -> Description:
    """Return what a token in ``side``'s turn did, as far as the token itself says so.

    Everything in ``token`` is put into words, so a card that is hidden from the reader must be hidden in it. ``vetoed``
    says that an action was only announced.
    """
    if isinstance(token, t.Action):
        return _announced(t.chosen(token)) if vetoed else move_description(token)
    if isinstance(token, t.Place | t.Discard):
        return move_description(token)
    if isinstance(token, t.SetUp):
        return _laid_out(token, edition)
    match token:
        case t.Draw():
            return Description(phrase("draws {cards}", cards=drawn(token.cards)))
        case t.Veto():
            return Description(_replaced(phrase("vetoes it"), token.draw), who=PLAYERS[1 - side].name)
        case t.NoVote():
            detail = phrase("no vote, and all go back") if token.reset else phrase("no vote")
            device = edition.device
            return Description(device.revealed(device.reset if token.reset else device.blank), detail)
        case t.PutAway():
            revealed = edition.device.revealed(edition.device.of_group(token.group))
            action = phrase("{revealed}, who have all been won", revealed=revealed)
            return Description(action, phrase("it leaves the game"))
        case t.ChooseMission():
            place = ordinal(token.kept) if token.kept else ""
            which = (
                phrase("keeps the {place} of two missions", place=place)
                if place
                else phrase("keeps one of two missions")
            )
            return Description(which, who=PLAYERS[token.side].name)
        case t.Vote():
            return Description(phrase("a vote at {group.the}", group=GROUPS[token.group]))
        case t.SpecialVote():
            return Description(phrase("a special vote at {group.the}", group=GROUPS[token.group]))
        case t.Unread():
            return Description(phrase("an unreadable word"))
        case _:
            assert_never(token)


@remembered(1 << 12)
def move_description(token: t.Token, here: int | None = None) -> Description:
    """Return what a move of a turn's first steps did, without the name of the group ``here`` and a castling's cards."""
    match token:
        case t.Place():
            return _placed(token.card, token.hidden, token.group, here)
        case t.Discard():
            cards = named(token.cards)
            return Description(phrase("exchanges {cards}", cards=cards) if token.cards else _passes())
        case t.Assassinate() | t.Scout() | t.Wrath() | t.Castle() | t.Spy():
            what, detail = action_words(token, here)
            return Description(phrase("plays {action}", action=what), detail, what=what)
        case _:
            raise ValueError(f"{token} is not a move")


def _passes() -> str:
    return phrase("passes")


def _announced(token: t.Action) -> Description:
    what, detail = action_words(token)
    return Description(phrase("announces {action}", action=what), detail, what=what)


def action_words(token: t.Action, here: int | None = None) -> tuple[str, str]:
    """Return an action, ``an assassination of a 5 at the Consuls``, and what it revealed."""
    match token:
        case t.Assassinate():
            return _assassination(token, here)
        case t.Scout():
            what = _at(token.group, here, "scout")
            if token.seen is None:
                return what, ""
            return phrase("{scout}, who turns up {cards}", scout=what, cards=named(token.seen)), ""
        case t.Wrath():
            return _at(token.group, here, "wrath"), ""
        case t.Castle():
            return _castling(token, here)
        case t.Spy():
            return _spy(token)
        case _:
            assert_never(token)


_AT: Final[Messages] = {
    "scout": ("a scout at {group.the}", "a scout"),
    "wrath": ("the wrath of the gods at {group.the}", "the wrath of the gods"),
    "assassination": ("an assassination of {victim} at {group.the}", "an assassination of {victim}"),
    "prevented_assassination": ("the assassination of {victim} at {group.the}", "the assassination of {victim}"),
    "prevented_scout": ("the scouting of {cards} at {group.the}", "the scouting of {cards}"),
    "places_down": ("places {card.a} face down at {group.the}", "places {card.a} face down"),
    "places_up": ("places {card.a} face up at {group.the}", "places {card.a} face up"),
    "down": ("{card.a} face down at {group.the}", "{card.a} face down"),
    "up": ("{card.a} face up at {group.the}", "{card.a} face up"),
}
"""What happened at a group, and the same without the group."""


_THE_ACTION: Final[Messages] = {
    t.Assassinate: "the assassination",
    t.Scout: "the scout",
    t.Wrath: "the wrath",
    t.Castle: "the castling",
    t.Spy: "the spy",
    t.Discard: "the discard",
}


def the_action(kind: type[t.Token]) -> str:
    """Return a kind of move as it is played or vetoed: ``the assassination``."""
    return phrase(_THE_ACTION[kind])


def _at(group: int, here: int | None, what: str, **fields: object) -> str:
    """Return what happened at a group, which is not named if it is ``here``."""
    there, bare = _AT[what]
    return phrase(bare, **fields) if group == here else phrase(there, group=GROUPS[group], **fields)


def token_words(token: t.Token, side: int, edition: Edition, vetoed: bool = False) -> str:
    """Return a token in the words of :func:`describe`: ``places a 3 face down at the Aediles``."""
    return describe(token, side, edition, vetoed).words


def choice_words(token: t.Token | None, side: int, state: State, about: str = "", *, vetoing: bool = False) -> str:
    """Return what ``side`` chooses, without its subject; None is to go on without a move.

    ``about`` is the action that it may veto, if it is ``vetoing``.
    """
    about = about or phrase("it")
    match token:
        case None if vetoing:
            return phrase("lets {action} happen", action=about)
        case None:
            return phrase("places and plays nothing more")
        case t.Veto(None):
            return phrase("vetoes {action}", action=about)
        case t.Veto(draw):
            vetoes = phrase("vetoes {action}", action=about)
            if draw == SOME_INFLUENCE:
                return phrase("{vetoes}, drawing an influence card", vetoes=vetoes)
            return phrase("{vetoes}, drawing an action card", vetoes=vetoes)
        case t.ChooseMission(_, int(kept)) if kept:
            return phrase("keeps the mission: {mission}", mission=mission_words(state.missions[side][kept - 1]))
        case t.ChooseMission():
            return describe(token, side, state.edition).action
        case _:
            return token_words(token, side, state.edition)


def description_of(event: Event) -> Description:
    """Return what a token did in words, including what only the states before and after it show."""
    if event.ballot is not None:
        return _carried_out(event.ballot, event.lost)
    said, before, seen = describe(event.seen, event.side, event.before.edition, event.vetoed), event.before, event.seen
    match seen:
        case t.Discard(cards=()):
            return Description(_passes() if event.state.passive else phrase("places nothing"))
        case t.Wrath() if not event.vetoed:
            swept = loss_words([tuple(side.column(seen.group)) for side in before.sides])
            return said._replace(detail=swept or phrase("no card lay at {group.the}", group=GROUPS[seen.group]))
        case t.ChooseMission(kept=int(kept)) if 0 < kept <= len(before.sides[seen.side].missions):
            return said._replace(detail=mission_words(before.sides[seen.side].missions[kept - 1]))
        case _:
            return said


def _carried_out(held: Ballot, lost: tuple[t.Cards, t.Cards]) -> Description:
    """Return a vote in words with all its costs: ``lost`` are the cards that both sides discard, all of them at an
    emptied group.
    """
    said, gone = vote_description(held), held.outcome.discarded
    more = sum(map(len, lost)) > sum(map(len, gone))
    others = phrase("the other cards are discarded with the group") if more else ""
    return said._replace(came=tuple(filter(None, (*said.came, loss_words(gone), others))))


def event_words(event: Event) -> str:
    """Return what was done and what followed, and the odds if anything was undecided."""
    said, odds = description_of(event).words, expected_words(event)
    return phrase("{event}; expected: {odds}", event=said, odds=odds) if odds else said


def event_parts(event: Event, player: str) -> tuple[str, str]:
    """Return what was done as a sentence without a full stop, naming the ``player`` of the turn, and what followed."""
    said = description_of(event)
    return said.by(player) if event.ballot is None else capital(said.head), said.outcome


def event_sentence(event: Event, player: str) -> str:
    """Return what was done, and what followed, as a sentence without a full stop."""
    return "".join(event_parts(event, player))


def instead(old: Sequence[t.Token], new: Sequence[t.Token], player: str, edition: Edition) -> str:
    """Return what should have been written instead of ``old`` in a turn of ``player``, as a sentence without a full
    stop: ``Caesar places a 2 face up at the Aediles, not a 3``.

    Return nothing if no short sentence can say it.
    """
    said = [describe(token, 0, edition).by(player) for token in (*old, *new) if isinstance(token, _DEEDS)]
    match [*old], [*new]:
        case [t.Place() as was], [t.Place() as now]:
            return phrase("{sentence}, not {other}", sentence=said[1], other=unlike(was, now))
        case [t.Draw() as was], [t.Draw() as now]:
            lost, drew = (tuple((Counter(x.cards) - Counter(y.cards)).elements()) for x, y in ((was, now), (now, was)))
            fields = {"player": player, "cards": drawn(drew), "others": drawn(lost)}
            if not drew:
                return phrase("{player} does not draw {others}", **fields) if lost else ""
            if lost:
                return phrase("{player} draws {cards}, not {others}", **fields)
            return phrase("{player} also draws {cards}", **fields)
        case [t.Vote() as was], [t.Vote() as now]:
            return _other_vote(was, now)
        case [t.Vote()], [t.NoVote()]:
            return phrase("no vote is held")
        case [], [t.SpecialVote(group)]:
            return phrase("a special vote is held at {group.the}", group=GROUPS[group])
        case [one, other], [first, then] if (one, other) == (then, first) and len(said) == 4:
            return phrase("first {sentence}; then {other}", sentence=said[2], other=said[3])
        case [one], [] if said:
            return phrase("“{sentence}” should not be there", sentence=said[0])
        case [], _ if len(said) == len(new):
            return join(said)
        case [t.Unread() | t.Castle()], [_] if said:
            return said[-1]
        case _:
            return ""


_DEEDS: Final = (t.Place, t.Discard, t.Assassinate, t.Scout, t.Wrath, t.Castle, t.Spy, t.Draw, t.ChooseMission)
"""What one of the players does, on their own."""


def _other_vote(old: t.Vote, new: t.Vote) -> str:
    """Return in what a vote differs from another: the group, what was shown there, or who wins it."""
    group = GROUPS[new.group]
    if old.group != new.group:
        return phrase("the vote is held at {group.the}, not at {other.the}", group=group, other=GROUPS[old.group])
    shown = [
        phrase("{side.name} shows {cards} at {group.the}", side=side, cards=_side_by_side(cards), group=group)
        for side, was, cards in zip(SIDES, (old.rome, old.egypt), (new.rome, new.egypt), strict=False)
        if cards and cards != was
    ]
    if shown or new.winner not in (ROME, EGYPT):
        return join(shown or [""])
    return phrase("{side.name} wins the vote at {group.the}", side=SIDES[new.winner], group=group)


def unlike(old: t.Place, new: t.Place) -> str:
    """Return how a placement differs from a new one: ``a 3 at the Consuls``."""
    parts = [
        (CARDS[token.card].some, _face(hidden=token.hidden), phrase("at {group.the}", group=GROUPS[token.group]))
        for token in (old, new)
    ]
    return " ".join([was for was, now in zip(*parts, strict=True) if was != now])


def prevented_words(prevented: Prevented, here: int | None = None) -> str:
    """Return what a veto prevents: ``the assassination of a 5 at the Consuls``; the group ``here`` is not named."""
    match prevented.action:
        case None:
            return phrase("an action")
        case t.Assassinate() as token:
            victim = phrase("a hidden card") if token.hidden or token.card is None else named((token.card,))
            return _at(token.group, here, "prevented_assassination", victim=victim)
        case t.Scout(group):
            cards = counted(prevented.hidden, "hidden card")
            return _at(group, here, "prevented_scout", cards=cards)
        case t.Wrath(group):
            what = _at(group, here, "wrath")
            rome, egypt = map(count_word, prevented.cards)
            return phrase("{wrath}, where Rome has {rome} and Egypt {egypt}", wrath=what, rome=rome, egypt=egypt)
        case t.Castle():
            return _castling(prevented.action, here)[0]
        case t.Spy():
            return phrase("a look at the hand by a spy")
        case _:
            assert_never(prevented.action)


def vote_name(held: Ballot) -> str:
    """Return ``special vote at the Aediles``."""
    group = GROUPS[held.group]
    return (
        phrase("special vote at {group.the}", group=group)
        if held.special
        else phrase("vote at {group.the}", group=group)
    )


def vote_description(held: Ballot) -> Description:
    """Return a vote in words: both columns, both sums, and who wins what."""
    shown = [
        phrase("{side.name} {cards} = {sum}", side=side, cards=_side_by_side(cards), sum=total)
        if len(cards) > 1
        else phrase("{side.name} {cards}", side=side, cards=_side_by_side(cards) or phrase("no card"))
        for side, cards, total in zip(SIDES, held.columns, held.correct_outcome.sums, strict=True)
    ]
    return Description(vote_name(held), ", ".join(shown), came=(_verdict(held),))


def _verdict(held: Ballot) -> str:
    """Return who wins a vote, what, and why: ``Egypt wins a patrician, since the lower sum wins``."""
    winner = held.outcome.winner
    if winner == TIE:
        if not held.by_rules:
            return phrase("a tie according to the record: nobody wins")
        return phrase("a tie: nobody wins") if any(held.columns) else phrase("no card lies there: nobody wins")
    wins = win_of(held)
    if not held.by_rules:
        return phrase("{side_wins}, according to the record", side_wins=wins)
    return phrase("{side_wins}, since the lower sum wins", side_wins=wins) if held.outcome.lower_wins else wins


def win_of(held: Ballot) -> str:
    """Return who wins a vote and what: ``Rome wins the last patrician``."""
    side = SIDES[held.outcome.winner]
    if held.empties:
        return phrase("{side.name} wins the last patrician", side=side)
    return phrase("{side.name} wins a patrician", side=side)


def loss_words(gone: Iterable[t.Cards]) -> str:
    """Return ``Rome discards a 4, Egypt a 2``; empty if nothing is lost."""
    losses = [(side, named(cards)) for side, cards in zip(SIDES, gone, strict=True) if cards]
    if len(losses) == 2:
        (_, rome), (_, egypt) = losses
        return phrase("Rome discards {rome}, Egypt {egypt}", rome=rome, egypt=egypt)
    return "".join([phrase("{side.name} discards {cards}", side=side, cards=cards) for side, cards in losses])


def outcome_words(winner: int) -> str:
    """Return ``a tie`` or ``Rome wins``."""
    return phrase("a tie") if winner == TIE else phrase("{side.name} wins", side=SIDES[winner])


def would_win(winner: int) -> str:
    """Return ``a tie`` or ``Rome would win``."""
    return phrase("a tie") if winner == TIE else phrase("{side.name} would win", side=SIDES[winner])


def outcome_name(winner: int) -> str:
    """Return ``a tie`` or ``Rome``, as a label."""
    return phrase("a tie") if winner == TIE else sense("label", "{side.name}", side=SIDES[winner])


def column_words(cards: t.Cards, hidden: t.Cards) -> str:
    """Return ``4 3, face down 5``: a column, followed by its cards that lay ``hidden``."""
    up = list(cards)
    for card in hidden:
        up.remove(card)
    parts = (_side_by_side(tuple(up)), phrase("face down {cards}", cards=_side_by_side(hidden)) if hidden else "")
    return ", ".join(filter(None, parts)) or phrase("no card")


def _side_by_side(cards: t.Cards) -> str:
    """Return ``4 3 and a philosopher``."""
    numbers, count = " ".join(letters(tuple([card for card in cards if card != PHILOSOPHER]))), cards.count(PHILOSOPHER)
    if not count:
        return numbers
    philosophers = phrase("a philosopher") if count == 1 else counted(count, "philosopher")
    return phrase("{cards} and {philosophers}", cards=numbers, philosophers=philosophers) if numbers else philosophers


def mission_words(mission: t.Mission) -> str:
    """Return a mission in words (A5)."""
    count, group = mission.count or 0, GROUPS[mission.group or 0]
    match mission.kind:
        case "majority":
            return phrase("the majority of {group.the}", group=group)
        case "all":
            return phrase("all {group.bare}", group=group)
        case "each":
            return phrase("a patrician of every group")
        case "majorities" if count == 1:
            return phrase("a majority in one group")
        case "majorities":
            return phrase("majorities in {count} groups", count=count_word(count))
        case "patricians":
            return counted(count, "patrician")
        case "text":
            return phrase("“{text}”", text=mission.text)
        case _:
            return phrase("an unknown mission")


@remembered(1 << 12)
def drawn(cards: t.Cards) -> str:
    """Return drawn cards by name; for unknown cards, only the pile they came from: ``two influence cards``."""
    known = tuple(card for card in cards if card < SOME_INFLUENCE)
    parts = (known, *[(some,) * cards.count(some) for some in (SOME_INFLUENCE, SOME_ACTION)])
    return join([named(part) for part in parts if part] or [sense("cards", "nothing")])


# ----------------------------------------------------------------------------------------------- one kind each


def _placed(card: int, hidden: bool, group: int, here: int | None) -> Description:
    places, placed = ("places_down", "down") if hidden else ("places_up", "up")
    return Description(_at(group, here, places, card=CARDS[card]), what=_at(group, here, placed, card=CARDS[card]))


def _face(*, hidden: bool) -> str:
    return phrase("face down") if hidden else phrase("face up")


def _replaced(said: str, draw: int | None) -> str:
    """Return a clause with what was drawn to replace a card that was played or lost."""
    return said if draw is None else phrase("{done} and draws {card}", done=said, card=drawn((draw,)))


def devices(device: Device) -> str:
    """Return ``busts`` or ``vote cards``."""
    return phrase("busts") if device == BUSTS else phrase("vote cards")


def _laid_out(token: t.SetUp, edition: Edition) -> Description:
    match token:
        case t.Missions():
            return _dealt(token.missions)
        case t.Hand():
            return Description(phrase("holds {cards}", cards=drawn(token.cards)))
        case t.Gained():
            won = [
                phrase("{count} of {group.the}", count=count, group=GROUPS[group])
                for group, count in Counter(token.groups).items()
            ]
            return Description(phrase("has won {patricians}", patricians=join(won or [sense("patricians", "nothing")])))
        case t.Spent():
            return Description(phrase("has discarded {cards}", cards=named(token.cards)))
        case t.Bag():
            return _still_to_come(token, edition)
        case t.ActionOrder():
            return Description(phrase("orders the action pile, from the top"), cards_text(token.cards))
        case _:
            assert_never(token)


def are_unseen(missions: Iterable[t.Mission]) -> bool:
    """Return whether nobody wrote down what missions ask for."""
    return all(mission.kind == "unknown" for mission in missions)


def _dealt(missions: Sequence[t.Mission]) -> Description:
    if are_unseen(missions):
        return Description(phrase("has {missions}", missions=counted(len(missions), "mission")))
    has = phrase("has the missions") if len(missions) > 1 else phrase("has the mission")
    return Description(has, join(map(mission_words, missions)))


def _still_to_come(bag: t.Bag, edition: Edition) -> Description:
    names = [GROUPS[group].the for group in bag.groups]
    names += [counted(number, kind) for number, kind in ((bag.blanks, "blank"), (bag.resets, "reset")) if number]
    to_come = phrase("{devices} still to come", devices=devices(edition.device))
    return Description(to_come, join(names or [sense("busts", "none")]))


def _assassination(token: t.Assassinate, here: int | None) -> tuple[str, str]:
    place = token.position
    victim = phrase("the {place} hidden card", place=ordinal(place)) if place else phrase("a hidden card")
    detail = ""
    if token.card is not None:
        if not token.hidden:
            victim = CARDS[token.card].some
        elif is_known(token.card):
            detail = phrase("it was {card.a}", card=CARDS[token.card])
    return assassination_of(victim, token.group, here), detail


def assassination_of(victim: str, group: int, here: int | None) -> str:
    """Return ``an assassination of a 5 at the Consuls``; the group ``here`` is not named."""
    return _at(group, here, "assassination", victim=victim)


def _castling(token: t.Castle, here: int | None) -> tuple[str, str]:
    groups = {"first": GROUPS[token.first], "second": GROUPS[token.second]}
    if here is not None:
        other = GROUPS[token.first if here == token.second else token.second]
        return phrase("castling with {group.the}", group=other), ""
    if token.cards_first is None or token.cards_second is None:
        return phrase("castling between {first.the} and {second.the}", **groups), ""
    cards = {"cards": named(token.cards_first), "others": named(token.cards_second)}
    where = phrase("{cards} at {first.the} and {others} at {second.the}, all face down", **groups, **cards)
    return sense("played", "castling"), where


def _spy(token: t.Spy) -> tuple[str, str]:
    if token.card is None:
        return phrase("a spy"), ""
    what = phrase("a spy") if token.hand is None else phrase("a spy, who sees {cards}", cards=cards_text(token.hand))
    return what, _replaced(phrase("the opponent discards {card.a}", card=CARDS[token.card]), token.draw)
