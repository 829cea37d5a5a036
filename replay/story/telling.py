"""A game in words: each token as it was carried out, and each vote as a scene in two steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import (
    CARD_LETTERS,
    EGYPT,
    GROUP_NAMES,
    PHILOSOPHER,
    PLAYER_NAMES,
    ROME,
    SIDE_NAMES,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    is_known,
    letters,
)
from ...notation.classes import need
from ...notation.codes import KIND, OTHER, encode
from ...notation.record import Turn
from ...notation.safe_text import visible
from ...notation.writer import mission_text
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
from ..engine.replay import Step
from ..engine.result import account_text
from ..engine.shown import Ballot, Chances, ballot, chances
from ..knowledge.table_view import SideView, TableView
from ..rules.mechanics.votes import turn_up
from ..rules.state import State

if TYPE_CHECKING:
    from .expectation import Expectation


class Told(NamedTuple):
    """What a token did, in parts: ``verb`` and ``what`` say what was done, ``detail`` what it revealed.

    ``who`` did it, if not the player of the turn. ``came`` is what followed.
    """

    verb: str
    what: str = ""
    detail: str = ""
    who: str = ""
    came: tuple[str, ...] = ()

    @property
    def deed(self) -> str:
        """Return what was done, without a subject: ``plays castling``."""
        return f"{self.verb} {self.what}" if self.verb and self.what else self.verb or self.what

    @property
    def head(self) -> str:
        """Return the words up to what followed."""
        said = f"{self.who} {self.deed}" if self.who else self.deed
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
def _words(said: Told) -> str:
    # Cached, since the same few hundred moves recur as options at every decision.
    return said.head + said.outcome


def told(token: t.Token, side: int, edition: Edition, vetoed: bool = False) -> Told:
    """Return what a token in ``side``'s turn did, as far as the token itself says so.

    Everything in ``token`` is put into words, so a card that is hidden from the reader must be hidden in it. ``vetoed``
    says that an action was only announced.
    """
    if isinstance(token, t.Action):
        return _action(t.chosen(token), "announces") if vetoed else _action(token, "plays")
    if isinstance(token, t.SetUp):
        return _laid_out(token, edition)
    match token:
        case t.Place():
            return _placed(token.card, token.hidden, token.group)
        case t.Draw():
            return Told("draws", drawn(token.cards))
        case t.Discard():
            return Told("discards", f"{named(token.cards)} to exchange") if token.cards else _NO_EXCHANGE
        case t.Veto():
            return Told("vetoes", f"it{_in_place(token.draw)}", who=PLAYER_NAMES[1 - side])
        case t.NoVote():
            name = one_device_name(edition, None, shuffles=token.reset)
            return Told("reveals", f"the {name}", f"no vote{', and all go back' * token.reset}")
        case t.PutAway():
            name = one_device_name(edition, token.group, shuffles=False)
            return Told("reveals", f"the {name}, who are gone", "it leaves the game")
        case t.ChooseMission():
            which = f"the {ordinal(token.kept)}" if token.kept else "one"
            return Told("keeps", f"{which} of two missions", who=PLAYER_NAMES[token.side])
        case t.Vote() | t.SpecialVote():
            return Told("", f"a {t.KINDS[type(token)].event} at {group_name(token.group)}")
        case t.Unread():
            return Told("", "an unreadable word")
        case _:
            assert_never(token)


_NO_EXCHANGE: Final = Told("passes")


def token_words(token: t.Token, side: int, edition: Edition, vetoed: bool = False) -> str:
    """Return a token in the words of :func:`told`: ``places a 3 face down at the Aediles``."""
    return told(token, side, edition, vetoed).words


def instead(old: t.Token, new: t.Token) -> str:
    """Return what should have been written instead of ``old``: ``places a 2 face up at the Aediles, not a 3``.

    Return nothing if no short sentence can say it.
    """
    match old, new:
        case t.Place(), t.Place():
            parts = [(card_name(p.card), _FACES[p.hidden], f"at {group_name(p.group)}") for p in (old, new)]
            wrong = [was for was, now in zip(*parts, strict=True) if was != now]
            return f"{_placed(new.card, new.hidden, new.group).deed}, not {' '.join(wrong)}"
        case t.Draw(), t.Draw():
            return f"draws {drawn(new.cards)}, not {drawn(old.cards)}"
        case _:
            return ""


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


def held_missions(side: SideView) -> list[str]:
    """Return a side's missions in words; only their number if they are hidden. Safe to show."""
    if side.held and _are_unseen(side.held):
        return [f"{capital(counted(len(side.held), 'mission'))}, not seen"]
    # A mission in free words is quoted, as in the record.
    return [
        visible(mission_text(mission)) if mission.kind == "text" else capital(mission_words(mission))
        for mission in side.held
    ]


def judged_missions(side: SideView) -> list[str]:
    """Return a side's missions in words, and, once the game is over, whether they are fulfilled. Safe to show."""
    met = side.met or (None,) * len(side.held)
    ends = ("" if each is None else ": fulfilled" if each else ": missed" for each in met)
    return [said + end for said, end in zip(held_missions(side), ends, strict=False)]


def missions_line(side: SideView) -> str:
    """Return the judged missions in one line, empty without a mission: ``all Praetors: missed``."""
    return ", ".join([said[:1].lower() + said[1:] for said in judged_missions(side)])


def accounts(table: TableView) -> Iterator[tuple[int, str]]:
    """Yield how each side's points add up: ``Rome 16 = patricians 12 + majorities 4; all Praetors: missed``.

    Yield nothing while the game goes on. Safe to show.
    """
    for number, (people, side) in enumerate(zip(SIDE_NAMES, table.sides, strict=True)):
        missions = missions_line(side) if "missions" in dict(side.account) else ""
        if missions or (side.account and any(each.points for each in table.sides)):
            points = f"{people} {account_text(side.points, side.account)}"
            yield number, "; ".join(filter(None, (points, missions)))


def moment_words(table: TableView) -> str:
    """Return whose turn it is, or how the game ended: the same in pictures and text. Safe to show."""
    if table.mover is None:
        return table.summary or "over"
    return f"{table.turn}, {table.sides[table.mover].player}'s turn"


def _are_unseen(missions: Iterable[t.Mission]) -> bool:
    return all(mission.kind == "unknown" for mission in missions)


def vote_name(held: Ballot) -> str:
    """Return ``special vote at the Aediles``."""
    return f"{'special vote' if held.special else 'vote'} at {group_name(held.group)}"


def told_vote(held: Ballot) -> Told:
    """Return a vote in words: both columns, both sums, and who wins what."""
    shown = ", ".join(
        f"{name} {_side_by_side(cards) or 'no card'}{f' = {total}' if len(cards) > 1 else ''}"
        for name, cards, total in zip(SIDE_NAMES, held.columns, held.rightful.sums, strict=True)
    )
    return Told("", vote_name(held), shown, came=(_verdict(held),))


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


def ahead(rome: int, egypt: int) -> int:
    """Return the side that has more, or TIE if both have the same."""
    return TIE if rome == egypt else ROME if rome > egypt else EGYPT


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


@lru_cache(maxsize=1 << 12)
def drawn(cards: t.Cards) -> str:
    """Return drawn cards by name; for unknown cards, only the pile they came from: ``two influence cards``."""
    known = tuple(card for card in cards if card < SOME_INFLUENCE)
    parts = (known, *[(some,) * cards.count(some) for some in (SOME_INFLUENCE, SOME_ACTION)])
    return join([named(part) for part in parts if part] or ["nothing"])


# ----------------------------------------------------------------------------------------------- one kind each


@lru_cache(maxsize=1 << 9)
def _placed(card: int, hidden: bool, group: int) -> Told:
    return Told("places", f"{card_name(card)} {_FACES[hidden]} at {group_name(group)}")


_FACES: Final = ("face up", "face down")


def _in_place(draw: int | None) -> str:
    """Return in words what was drawn to replace a card that was played or lost."""
    return f" and draws {drawn((draw,))}" if draw is not None else ""


def _laid_out(token: t.SetUp, edition: Edition) -> Told:
    match token:
        case t.Missions():
            return _dealt(token.missions)
        case t.Hand():
            return Told("holds", drawn(token.cards))
        case t.Gained():
            won = [f"{count} of {group_name(group)}" for group, count in Counter(token.groups).items()]
            return Told("has won", join(won or ["nothing"]))
        case t.Spent():
            return Told("has discarded", named(token.cards))
        case t.Bag():
            return _still_to_come(token, edition)
        case t.ActionOrder():
            return Told("orders", "the action pile, from the top", cards_text(token.cards))
        case _:
            assert_never(token)


def _dealt(missions: Sequence[t.Mission]) -> Told:
    if _are_unseen(missions):
        return Told("has", counted(len(missions), "mission"))
    return Told("has", f"the mission{'s' * (len(missions) > 1)}", join(map(mission_words, missions)))


def _still_to_come(bag: t.Bag, edition: Edition) -> Told:
    names = [f"the {GROUP_NAMES[group]}" for group in bag.groups]
    names += [counted(number, kind) for number, kind in ((bag.blanks, "blank"), (bag.resets, "reset")) if number]
    return Told("", f"{edition.device.name}s still to come", join(names or ["none"]))


def _action(token: t.Action, verb: str) -> Told:
    match token:
        case t.Assassinate():
            return _assassination(token, verb)
        case t.Scout():
            shown = "" if token.seen is None else f", who turns up {named(token.seen)}"
            return Told(verb, f"a scout at {group_name(token.group)}{shown}")
        case t.Wrath():
            return Told(verb, f"the wrath of the gods at {group_name(token.group)}")
        case t.Castle():
            return _castling(token, verb)
        case t.Spy(card=int(card)):
            seen = f", who sees {cards_text(token.hand)}" if token.hand is not None else ""
            return Told(verb, f"a spy{seen}", f"the opponent discards {card_name(card)}{_in_place(token.draw)}")
        case t.Spy():
            return Told(verb, "a spy")
        case _:
            assert_never(token)


def _assassination(token: t.Assassinate, verb: str) -> Told:
    victim, detail = f"the {ordinal(token.position)} hidden card" if token.position else "a hidden card", ""
    if token.card is not None:
        if not token.hidden:
            victim = card_name(token.card)
        elif is_known(token.card):
            detail = f"it was {card_name(token.card)}"
    return Told(verb, f"an assassination of {victim} at {group_name(token.group)}", detail)


def _castling(token: t.Castle, verb: str) -> Told:
    first, second = group_name(token.first), group_name(token.second)
    if token.cards_first is None or token.cards_second is None:
        return Told(verb, f"castling between {first} and {second}")
    one, other = named(token.cards_first), named(token.cards_second)
    return Told(verb, "castling", f"{one} at {first} and {other} at {second}, all face down")


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


class Event(NamedTuple):
    """A token that was carried out: as written, in words, and with its effect.

    ``kind`` is the word for the token's kind; ``chances`` are the possible draws, if something was drawn; ``lost`` are
    the cards that Rome and Egypt discarded; ``odds`` are the odds, if they were asked for. ``deed`` is the token
    itself, ``vetoed`` if it was only announced; ``before`` and ``state`` are the states before and after it. All three
    include hidden cards.

    >>> event = tironian.timeline(record).entries[2].events[0]
    >>> event.kind, event.token, event.words
    ('place', '5K', 'places a 5 face up at the Consuls')
    """

    at: int
    token: str
    kind: str
    told: Told
    ballot: Ballot | None
    chances: Chances | None
    lost: tuple[t.Cards, t.Cards]
    deed: t.Token
    vetoed: bool
    before: State
    state: State
    odds: tuple[Expectation, ...] = ()

    @property
    def words(self) -> str:
        """Return what was done and what followed, in words, and the odds if anything was undecided."""
        return f"{self.told.words}; expected: {self.expected}" if self.expected else self.told.words

    @property
    def expected(self) -> str:
        """Return the odds of a vote in words, if anything was undecided."""
        return "; ".join([each.words for each in self.odds if not each.certain])

    def head(self, player: str) -> str:
        """Return what was done as a sentence without a full stop, naming the ``player`` of the turn.

        The outcome of a vote is left out.
        """
        need(player, str, "a player's name")
        return self.told.by(player) if self.ballot is None else capital(self.told.head)

    def sentence(self, player: str) -> str:
        """Return the head as a sentence, with what followed."""
        return self.head(player) + self.told.outcome


_REVEALS: Final = frozenset({t.Vote, t.NoVote, t.PutAway})
_PLAIN: Final = frozenset({t.Place, t.Draw})
"""Most kinds of tokens: no card is lost, and their words say everything."""


def event_of(turn: Turn, step: Step, shown: t.Token, text: str, before: State) -> Event:
    """Return the event of a step of ``turn``; its token is described as ``shown``, and written as ``text``.

    ``before`` is the state before the step. Raise ValueError for the end of a turn.
    """
    token, at = step.token, step.at
    if token is None:
        raise ValueError("the end of a turn is not an event")
    kind, after = token.__class__, step.state
    vetoed = turn.is_vetoed(at)
    said = told(shown, turn.side, before.edition, vetoed)
    vote, could, lost = None, None, ((), ())
    if kind not in _PLAIN:
        lost = _lost(before, after)
        could = chances(before) if kind in _REVEALS else None
        if isinstance(token, t.Vote | t.SpecialVote):
            vote = ballot(before, token)
            said = _carried_out(vote, lost)
        else:
            said = _completed(said, shown, vetoed, before, after)
    return Event(at, text, t.KINDS[kind].event, said, vote, could, lost, token, vetoed, before, after)


def _carried_out(held: Ballot, lost: tuple[t.Cards, t.Cards]) -> Told:
    """Return a vote in words with all its costs: ``lost`` are the cards that both sides discard, all of them at an
    emptied group.
    """
    said, gone = told_vote(held), held.outcome.gone
    more = sum(map(len, lost)) > sum(map(len, gone))
    others = "the other cards are discarded with the group" * more
    return said._replace(came=tuple(filter(None, (*said.came, loss_words(gone), others))))


def _completed(said: Told, shown: t.Token, vetoed: bool, before: State, after: State) -> Told:
    """Return what a token did in words, including what only the states before and after it show."""
    match shown:
        case t.Discard(cards=()):
            return Told("passes") if after.passive else Told("places", "nothing")
        case t.Wrath() if not vetoed:
            swept = loss_words([tuple(side.column(shown.group)) for side in before.sides])
            return said._replace(detail=swept or f"no card lay at {group_name(shown.group)}")
        case t.ChooseMission(kept=int(kept)) if 0 < kept <= len(before.sides[shown.side].missions):
            return said._replace(detail=mission_words(before.sides[shown.side].missions[kept - 1]))
        case _:
            return said


def _lost(before: State, after: State) -> tuple[t.Cards, t.Cards]:
    """Return the cards that both sides have discarded since, from high to low."""
    # They are sorted: the order in which they lay would reveal which hidden card was which.
    both = [(old.discards, new.discards) for old, new in zip(before.sides, after.sides, strict=True)]
    rome, egypt = [
        sorted((Counter(now) - Counter(then)).elements(), reverse=True) if now != then else () for then, now in both
    ]
    return tuple(rome), tuple(egypt)


class SceneCard(NamedTuple):
    """A card at the group of a vote. ``turned`` says that it lay face down, ``gone`` that it is then discarded."""

    card: int
    turned: bool
    gone: bool

    @property
    def word(self) -> str:
        """Return the card as a table shows it: ``(3)`` if it lay face down."""
        return f"({CARD_LETTERS[self.card]})" if self.turned else CARD_LETTERS[self.card]


class VoteScene(NamedTuple):
    """A vote. ``columns`` are the cards of Rome and Egypt, from high to low; ``sums`` is their influence.

    ``special`` says that the number of cards called it. ``compared``, ``philosophers`` and ``rule`` say who has more,
    what the philosophers do (empty if there are none), and which sum wins. ``won`` says who wins what, ``after`` what
    follows, one sentence each. ``winner`` is a side or TIE.

    >>> event = next(event for entry in tironian.timeline(record).entries for event in entry.events if event.ballot)
    >>> from tironian.replay.story.telling import vote_scene
    >>> scene = vote_scene(event)
    >>> print(scene.title, scene.compared, scene.rule, scene.verdict, sep="\\n")
    Vote at the Consuls
    Rome has more: 8 to 2.
    No philosopher lies there: the higher sum wins, so Rome wins.
    Rome wins a patrician.
    """

    title: str
    group: int
    special: bool
    columns: tuple[tuple[SceneCard, ...], tuple[SceneCard, ...]]
    sums: tuple[int, int]
    compared: str
    philosophers: str
    rule: str
    won: str
    after: tuple[str, ...]
    winner: int

    @property
    def is_turned(self) -> bool:
        """Return whether a philosopher turned the vote so that the lower sum won."""
        return self.winner != TIE and self.sums[self.winner] < self.sums[1 - self.winner]

    @property
    def verdict(self) -> str:
        """Return a sentence that says who wins what."""
        return f"{self.won}."

    @property
    def first(self) -> tuple[str, ...]:
        """Return the sentences of the first step."""
        return tuple(filter(None, (self.compared, self.philosophers, self.rule)))

    @property
    def second(self) -> tuple[str, ...]:
        """Return the sentences of the second step."""
        return (self.verdict, *self.after)


def vote_scene(event: Event) -> VoteScene:
    """Return the scene of a vote. Raise ValueError for an event that is not a vote."""
    if event.ballot is None:
        raise ValueError("only a vote is a scene")
    return scene_between(event.before, event.ballot, event.state)


def scene_between(before: State, held: Ballot, state: State) -> VoteScene:
    """Return the scene of a vote held between two states."""
    rome, egypt = (_column(held, side) for side in (ROME, EGYPT))
    winner, by = held.outcome.winner, "" if held.by_rules else " according to the record"
    return VoteScene(
        title=capital(vote_name(held)),
        group=held.group,
        special=held.special,
        columns=(rome, egypt),
        sums=held.rightful.sums,
        compared=_compared(held),
        philosophers=_philosophers(held),
        rule=_rule(held),
        won=f"{'Nobody wins' if winner == TIE else f'{SIDE_NAMES[winner]} wins {prize(held)}'}{by}",
        after=tuple(_after(before, held, state)),
        winner=winner,
    )


def turned_up(before: State, vote: t.Token) -> State:
    """Return the state with all cards at a vote's group face up, before the vote is decided."""
    state = before.copy()
    assert isinstance(vote, t.Vote | t.SpecialVote)
    code, more = encode(vote)
    if code & KIND != OTHER:
        turn_up(state, code, more)
    return state


def _column(held: Ballot, side: int) -> tuple[SceneCard, ...]:
    turned, gone = list(held.hidden[side]), list(held.outcome.gone[side])
    cards: list[SceneCard] = []
    # Among equal cards, those that lay face up come first. Which one is discarded is unknown, so the last one is taken.
    for card in reversed(held.columns[side]):
        was_down, leaves = card in turned, card in gone
        if was_down:
            turned.remove(card)
        if leaves:
            gone.remove(card)
        cards.append(SceneCard(card, was_down, leaves))
    return tuple(reversed(cards))


def _compared(held: Ballot) -> str:
    rome, egypt = held.rightful.sums
    if rome == egypt:
        return f"Both have {rome}." if any(held.columns) else "No card lies there."
    return f"{SIDE_NAMES[ahead(rome, egypt)]} has more: {max(rome, egypt)} to {min(rome, egypt)}."


def _philosophers(held: Ballot) -> str:
    """Return the effect of the philosophers (K7–K11)."""
    counts = [cards.count(PHILOSOPHER) for cards in held.columns]
    rome, egypt = counts
    if not rome + egypt:
        return ""
    if rome == egypt:
        return f"{'One philosopher' if rome == 1 else 'Two philosophers'} each: they cancel out."
    owner = ahead(rome, egypt)
    if rome and egypt:
        return f"{SIDE_NAMES[owner]} has more philosophers, {count_word(counts[owner])} to {count_word(min(counts))}."
    return f"{SIDE_NAMES[owner]} has {counted(counts[owner], 'philosopher')}."


def philosopher_words(held: Ballot) -> str:
    """Return the effect of the philosophers on a vote; empty if there are none."""
    said = _philosophers(held)
    return f"{said} {_rule(held)}".rstrip(". ") if said else ""


def _rule(held: Ballot) -> str:
    """Return which sum wins by the rules of the edition, and whose sum it is."""
    rightful = held.rightful
    if rightful.winner == TIE:
        if rightful.sums[ROME] != rightful.sums[EGYPT]:  # K6: a philosopher against nothing
            return "A philosopher wins nothing if the other side has no card."
        return "Equal sums: nobody wins." if any(held.columns) else ""
    wins = f", so {SIDE_NAMES[rightful.winner]} wins"
    if rightful.sums[ROME] == rightful.sums[EGYPT]:
        return f"A philosopher alone wins against no card at all{wins}."
    if not rightful.lower_wins:
        any_there = any(PHILOSOPHER in cards for cards in held.columns)
        return f"{'The' if any_there else 'No philosopher lies there: the'} higher sum wins{wins}."
    if rightful.winner == ahead(*rightful.sums):
        return f"Against no card at all the higher sum wins nevertheless{wins}."
    return f"The lower sum wins{wins}."


def _after(before: State, held: Ballot, state: State) -> list[str]:
    """Return what follows from a vote: discards, cards that stay, the group, the bust or vote card, the end (J3–J6)."""
    group, device = held.group, before.edition.device.name
    said = [f"{loss}." for loss in (loss_words(held.outcome.gone),) if loss]
    if held.outcome.winner == TIE and any(held.columns):
        said.append("All cards stay.")
    if held.empties:
        said.append(f"The {GROUP_NAMES[group]} are gone, and the cards still there are discarded.")
    if state.ended:
        said.append("The game is over.")
    elif not held.special:
        where = "stays out until all come back" if state.out[group] else "leaves the game"
        said.append(f"The {device} {where}.")
    return said
