"""The decision tree of each vote: what could have been done, what could have been drawn, and where each path leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, INFLUENCE_CARDS, ROME, is_known
from ...notation.classes import dataclass
from ...notation.notebooks import display
from ...notation.reader import Game, as_game
from ...notation.record import Record
from ..editions.edition import Device
from ..engine.headers import ChosenView
from ..engine.replay import Replay
from ..engine.shown import Ballot, ballot, chances
from ..knowledge.redaction import ViewNotAvailable
from ..knowledge.table_view import SEES
from ..rules.state import State
from .events import Event, VoteScene, vote_scene
from .instead import Alternatives, Costs, Instead, Margin, Range
from .timeline import Timeline, replayed, timeline, with_odds
from .what_if import Decision, what_if


class Coming(NamedTuple):
    """A bust or vote card that could have been drawn (all are equally likely), and the vote that it calls.

    ``kind`` is ``vote``, ``put away`` (the group is already won), ``no vote`` or ``reset`` (all go back). It has
    ``copies``. ``sums`` are Rome's and Egypt's, ``winner`` is a side or TIE, ``lower`` says that the lower sum would
    win. A field that does not apply is None, and so is the winner if it is open.
    """

    kind: str
    copies: int
    came: bool
    group: int | None = None
    sums: tuple[Range, Range] | None = None
    winner: int | None = None
    lower: bool = False


class Observer(NamedTuple):
    """How likely the vote was for ``view``, before it was held.

    ``here`` are the chances of Rome, Egypt and a tie in this vote before its cards were turned up. ``turn`` are the
    same chances before the bust or vote card was drawn, then the chance of no vote; None for a special vote.
    """

    view: str
    here: tuple[Fraction, Fraction, Fraction]
    turn: tuple[Fraction, Fraction, Fraction, Fraction] | None


class Swing(NamedTuple):
    """By how much a vote changed a side's chance of winning the game, according to an analysis: ``drawn`` by the bust
    or vote card, ``shown`` by the cards that were turned up.
    """

    drawn: float
    shown: float


Swings = Mapping[tuple[int, str, int], tuple[float, float]]
"""Side, turn, and place of the vote in it → what it changed, as a :class:`Swing`."""


class Drawn(NamedTuple):
    """A bust or vote card that was drawn, and everything that could have been drawn."""

    event: Event
    lanes: tuple[Coming, ...]


@dataclass(frozen=True, slots=True, repr=False)
class VoteTree:
    """The ``number``-th vote of a game, in the ``turn`` of ``side``, as ``view`` sees it.

    ``event`` is the vote, ``scene`` how it was held, ``beside`` the other votes of the turn, ``kept`` the missions that
    were chosen after it. ``draws`` are the bust or vote cards drawn up to it, none if the number of cards called the
    vote. ``margins`` are earlier actions that changed the outcome, none if record and rules disagree about the winner.
    ``instead`` is what each side could have done, best first, ``more`` how many other options Rome and Egypt had.
    ``expecting`` says that odds were asked for. ``swings`` are what an analysis says that the vote changed for Rome and
    Egypt. The events include hidden cards.

    >>> tree = tironian.votes(record)[0]
    >>> tree.turn, tree.token, tree.winner == tironian.Side.ROME
    ('1E', '=K53:2>R', True)
    """

    number: int
    turn: str
    side: int
    view: str
    event: Event
    scene: VoteScene
    beside: tuple[Event, ...]
    kept: tuple[Event, ...]
    draws: tuple[Drawn, ...]
    margins: tuple[Margin, ...]
    observers: tuple[Observer, ...]
    instead: tuple[Instead, ...]
    more: tuple[int, int]
    expecting: bool
    swings: tuple[Swing | None, Swing | None] = (None, None)

    @property
    def ballot(self) -> Ballot:
        """Return the vote as it was held."""
        return self.scene.ballot

    @property
    def at(self) -> int:
        """Return the place of the vote's token in its turn."""
        return self.event.at

    @property
    def token(self) -> str:
        """Return the vote in the notation."""
        return self.event.token

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
        """Return Rome's and Egypt's sums."""
        return self.scene.sums

    @property
    def winner(self) -> int:
        """Return the side that won, or TIE."""
        return self.scene.winner

    @property
    def by_rules(self) -> bool:
        """Return whether record and rules agree on the winner."""
        return self.ballot.by_rules

    @property
    def device(self) -> Device:
        """Return what calls votes."""
        return self.scene.device

    @property
    def lanes(self) -> tuple[Coming, ...]:
        """Return what could have been drawn; nothing if the number of cards called the vote."""
        return self.draws[-1].lanes if self.draws else ()

    @property
    def standing(self) -> tuple[int, int, int]:
        """Return the patricians of the group after the vote: Rome's, Egypt's, and those left."""
        state = self.event.state
        rome, egypt = [side.won[self.group] for side in state.sides]
        return rome, egypt, state.left[self.group]

    @property
    def sees(self) -> tuple[bool, bool]:
        """Return whose hands the point of view sees: options with other hands are not shown."""
        return SEES[self.view]

    def __repr__(self) -> str:
        return f"<VoteTree of vote {self.number}, {self.turn}: {self.token}, seen by {self.view}>"

    def _repr_svg_(self) -> str | None:
        """Return the picture of the tree, for notebooks."""
        return display(self, "picture")


def votes(
    game: Game | Record,
    view: ChosenView = "",
    rules: str = "",
    *,
    odds: bool = False,
    costs: Costs | None = None,
    swings: Swings | None = None,
) -> tuple[VoteTree, ...]:
    """Return the decision tree of each vote of a game, in order, as ``view`` sees it.

    ``view`` and ``rules`` are as for ``timeline``. With ``odds``, the trees say how likely everything was for those who
    did not see all cards. ``costs`` are an analysis's results for options: turn, place of the token, and a possible
    move there → how much better that would have been; ``swings`` those for votes. Raise NoTimeline if the game has no
    timeline.

    >>> tree = tironian.votes(record)[0]
    >>> print(*map(tironian.words, tree.instead[:2]), sep="\\n")
    places a 5 face up at the Consuls
    places a 4 face down at the Consuls, rather than at the Censors
    """
    game = as_game(game)
    played = replayed(game, rules)
    told = timeline(game, view, rules, played=played)
    return trees(told, game, rules, played=played, odds=odds, costs=costs, swings=swings)


def trees(
    timeline: Timeline,
    game: Game | None = None,
    rules: str = "",
    decisions: Sequence[Decision] | None = None,
    *,
    played: Replay | None = None,
    odds: bool = False,
    costs: Costs | None = None,
    swings: Swings | None = None,
    wanted: int | None = None,
) -> tuple[VoteTree, ...]:
    """Return the tree of each vote of a game, in order, from the point of view of its ``timeline``.

    ``decisions`` are what ``what_if`` returns for it and ``played`` is the game's replay, if they exist already.
    ``wanted`` is the number of the only vote to be told, from 1; if there is none, there are no trees. The other
    arguments are as for ``votes``. Without the ``game``, the trees don't show what could have been done.
    """
    places = [(place, at) for _, place, at in _votes(timeline, wanted)]
    if decisions is None and game:
        with suppress(ViewNotAvailable):  # the point of view saw more than the writer
            decisions = what_if(game, timeline.view, rules, played)
    alternatives = Alternatives(timeline, decisions or (), places, costs)
    if odds and game:
        timeline = with_odds(timeline, game, rules, played=played, seeing=alternatives.see)
    found = _votes(timeline, wanted)
    return tuple(_tree(number, place, at, timeline, alternatives, swings or {}) for number, place, at in found)


def _votes(timeline: Timeline, wanted: int | None) -> Iterator[tuple[int, int, int]]:
    """Yield the number of each vote of a game, or only of the ``wanted`` one, and the places of its turn and token."""
    number = 0
    for place, entry in enumerate(timeline.entries):
        for event in entry.events:
            number += event.ballot is not None
            if event.ballot is not None and wanted in (None, number):
                yield number, place, event.at


def _tree(number: int, place: int, at: int, timeline: Timeline, alternatives: Alternatives, swings: Swings) -> VoteTree:
    entry = timeline.entries[place]
    here = next(found for found, event in enumerate(entry.events) if event.at == at)
    event, held = entry.events[here], entry.events[here].ballot
    assert held is not None
    put_away = [other for other in entry.events[:here] if other.kind == "put away"]
    chosen = [other for other in entry.events[here + 1 :] if other.kind == "mission"]
    instead, more = alternatives.of(place, at)
    return VoteTree(
        number,
        entry.label,
        entry.side,
        timeline.view,
        event,
        vote_scene(event),
        tuple(other for other in entry.events if other.ballot is not None and other is not event),
        () if event.before.emptied else tuple(chosen),
        () if held.special else tuple(Drawn(each, (*_lanes(each, timeline.view),)) for each in (*put_away, event)),
        alternatives.undone[place, at] if held.by_rules else (),
        tuple(
            Observer(view, outlook.wins, alternatives.turn_odds.get((view, place, at))) for view, outlook in event.odds
        ),
        instead,
        more,
        timeline.expecting,
        (_swing(swings, ROME, entry.label, at, timeline.view), _swing(swings, EGYPT, entry.label, at, timeline.view)),
    )


def _swing(swings: Swings, side: int, turn: str, at: int, view: str) -> Swing | None:
    """Return what an analysis says of a vote; nothing of a side whose cards ``view`` does not see."""
    found = swings.get((side, turn, at)) if SEES[view][side] else None
    return Swing(*found) if found else None


def _lanes(event: Event, view: str) -> Iterator[Coming]:
    """Yield what could have been drawn instead of a bust or vote card."""
    before, could = event.before, chances(event.before)
    drawn = event.actual.group if isinstance(event.actual, t.Vote | t.PutAway) else -1
    for group in could.groups:
        came = group == drawn
        if not before.left[group]:
            yield Coming("put away", 1, came, group)
        elif came or is_open(before, group, view):
            held = (event.ballot if came else None) or ballot(before, t.Vote(group))
            rome, egypt = held.correct_outcome.sums
            sums = (rome, rome), (egypt, egypt)
            yield Coming("vote", 1, came, group, sums, held.outcome.winner, held.outcome.lower_wins)
        else:
            rome, egypt = [_between(before, side, group, seen) for side, seen in enumerate(SEES[view])]
            yield Coming("vote", 1, came, group, (rome, egypt))
    for kind, copies in (("no vote", could.blanks), ("reset", could.resets)):
        if copies:
            yield Coming(kind, copies, came=False)


def _between(state: State, side: int, group: int, seen: bool) -> Range:
    """Return the lowest and the highest sum that a side can have at a group, with its hidden cards ``seen`` or not."""
    column = state.sides[side].up[group] + state.sides[side].hidden[group] * seen
    known = [*filter(is_known, column)]
    unknown = state.count(side, group) - len(known)
    return sum(known), sum(known) + max(INFLUENCE_CARDS) * unknown


def is_open(state: State, group: int, view: str) -> bool:
    """Return whether the point of view knows every card at a group, and the record does too."""
    return all(
        (sees or not side.hidden[group]) and all(map(is_known, side.column(group)))
        for side, sees in zip(state.sides, SEES[view], strict=True)
    )
