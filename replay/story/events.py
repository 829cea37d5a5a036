"""What happened, as facts: each token as it was carried out, and each vote as a scene in two steps."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import CARD_LETTERS, EGYPT, ROME, TIE
from ...notation.codes import KIND, OTHER, encode
from ...notation.record import Turn
from ..editions.edition import Device
from ..engine.replay import Step
from ..engine.shown import Ballot, Chances, ballot, chances
from ..rules.mechanics.votes import turn_up
from ..rules.state import State

if TYPE_CHECKING:
    from .expectation import Expectation


class Event(NamedTuple):
    """A token of ``side``'s turn that was carried out, with its effect; :func:`tironian.words` puts it into words.

    ``token`` is its text and ``kind`` the word for its kind. ``seen`` is the token as the point of view sees it,
    ``actual`` the token itself, ``vetoed`` if it was only announced. ``chances`` are the possible draws, if something
    was drawn; ``lost`` are the cards that Rome and Egypt discarded; ``odds`` are the odds, if they were asked for.
    ``before`` and ``state`` are the states before and after it. They and the actual token include hidden cards.

    >>> event = tironian.timeline(record).entries[2].events[0]
    >>> event.kind, event.token, tironian.words(event)
    ('place', '5K', 'places a 5 face up at the Consuls')
    """

    at: int
    token: str
    kind: str
    side: int
    seen: t.Token
    ballot: Ballot | None
    chances: Chances | None
    lost: tuple[t.Cards, t.Cards]
    actual: t.Token
    vetoed: bool
    before: State
    state: State
    odds: tuple[Expectation, ...] = ()


_REVEALS: Final = frozenset({t.Vote, t.NoVote, t.PutAway})
_PLAIN: Final = frozenset({t.Place, t.Draw})
"""Most kinds of tokens: no card is lost."""


def event_of(turn: Turn, step: Step, seen: t.Token, text: str, before: State) -> Event:
    """Return the event of a step of ``turn``; its token is ``seen`` like this, and written as ``text``.

    ``before`` is the state before the step. Raise ValueError for the end of a turn.
    """
    token, at = step.token, step.at
    if token is None:
        raise ValueError("the end of a turn is not an event")
    kind, after = token.__class__, step.state
    vote, could, lost = None, None, ((), ())
    if kind not in _PLAIN:
        lost = _lost(before, after)
        could = chances(before) if kind in _REVEALS else None
        if isinstance(token, t.Vote | t.SpecialVote):
            vote = ballot(before, token)
    word = t.KINDS[kind].event
    return Event(at, text, word, turn.side, seen, vote, could, lost, token, turn.is_vetoed(at), before, after)


def _lost(before: State, after: State) -> tuple[t.Cards, t.Cards]:
    """Return the cards that both sides have discarded since, from high to low."""
    # They are sorted: the order in which they lay would reveal which hidden card was which.
    both = [(old.discards, new.discards) for old, new in zip(before.sides, after.sides, strict=True)]
    rome, egypt = [
        sorted((Counter(now) - Counter(then)).elements(), reverse=True) if now != then else () for then, now in both
    ]
    return tuple(rome), tuple(egypt)


class Prevented(NamedTuple):
    """What a veto prevents: an ``action`` as it was announced; None if it is unknown.

    ``cards`` says how many cards Rome and Egypt have at its group, and ``hidden`` how many lie face down there on the
    other side.
    """

    action: t.Action | None
    cards: tuple[int, int] = (0, 0)
    hidden: int = 0


def prevented(token: t.Token | None, before: State) -> Prevented:
    """Return what a veto prevents: the action ``token``, announced in the state ``before``."""
    if not isinstance(token, t.Action):
        return Prevented(None)
    group, sides = getattr(token, "group", None), before.sides
    if group is None:
        return Prevented(t.chosen(token))
    rome, egypt = [side.count(group) for side in sides]
    return Prevented(t.chosen(token), (rome, egypt), len(sides[1 - before.active].hidden[group]))


def ahead(rome: int, egypt: int) -> int:
    """Return the side that has more, or TIE if both have the same."""
    return TIE if rome == egypt else ROME if rome > egypt else EGYPT


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
    """A vote. ``columns`` are the cards of Rome and Egypt, from high to low. ``device`` is what calls votes; it
    ``returns`` if it stays out until all come back, and otherwise leaves the game. ``ended`` says that the game is over
    then.

    >>> event = next(event for entry in tironian.timeline(record).entries for event in entry.events if event.ballot)
    >>> print(tironian.words(tironian.replay.story.events.vote_scene(event)))
    Rome has more: 8 to 2. No philosopher lies there: the higher sum wins, so Rome wins. Rome wins a patrician.
    """

    ballot: Ballot
    columns: tuple[tuple[SceneCard, ...], tuple[SceneCard, ...]]
    device: Device
    returns: bool
    ended: bool

    @property
    def group(self) -> int:
        """Return the group of the vote."""
        return self.ballot.group

    @property
    def special(self) -> bool:
        """Return whether the number of cards called the vote."""
        return self.ballot.special

    @property
    def sums(self) -> tuple[int, int]:
        """Return Rome's and Egypt's influence."""
        return self.ballot.correct_outcome.sums

    @property
    def winner(self) -> int:
        """Return the side that wins, or TIE."""
        return self.ballot.outcome.winner

    @property
    def is_turned(self) -> bool:
        """Return whether a philosopher turned the vote so that the lower sum won."""
        return self.winner != TIE and self.sums[self.winner] < self.sums[1 - self.winner]


def vote_scene(event: Event) -> VoteScene:
    """Return the scene of a vote. Raise ValueError for an event that is not a vote."""
    if event.ballot is None:
        raise ValueError("only a vote has a scene")
    return scene_between(event.before, event.ballot, event.state)


def scene_between(before: State, held: Ballot, state: State) -> VoteScene:
    """Return the scene of a vote held between two states."""
    rome, egypt = (_column(held, side) for side in (ROME, EGYPT))
    return VoteScene(held, (rome, egypt), before.edition.device, bool(state.out[held.group]), bool(state.ended))


def turned_up(before: State, vote: t.Token) -> State:
    """Return the state with all cards at a vote's group face up, before the vote is decided."""
    state = before.copy()
    assert isinstance(vote, t.Vote | t.SpecialVote)
    code, more = encode(vote)
    if code & KIND != OTHER:
        turn_up(state, code, more)
    return state


def _column(held: Ballot, side: int) -> tuple[SceneCard, ...]:
    turned, gone = list(held.hidden[side]), list(held.outcome.discarded[side])
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
