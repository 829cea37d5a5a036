"""The decision tree of each vote: what could have been done, what could have been drawn, and where each path leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, GROUP_NAMES, INFLUENCE_CARDS, PLAYER_NAMES, ROME, SIDE_NAMES, SIGNS, TIE, is_known
from ...notation.classes import dataclass
from ...notation.notebooks import display
from ...notation.reader import Game, as_game
from ...notation.record import Record
from ..diagnostics.names import capital, counted, group_name
from ..editions.edition import Device
from ..engine.headers import ChosenView
from ..engine.replay import Replay
from ..engine.shown import Ballot, ballot, chances
from ..knowledge.redaction import SEERS, Unseen
from ..knowledge.table_view import SEES
from ..rules.state import State
from .expectation import percent, percents, range_words, sum_words, sums_words
from .instead import Alternatives, Costs, Instead, Margin, Range
from .prospects import OPEN, UNKNOWN, mission_prospect
from .telling import (
    OUTCOMES,
    Event,
    VoteScene,
    column_words,
    loss_words,
    mission_words,
    outcome_words,
    philosopher_words,
    vote_name,
    vote_scene,
)
from .timeline import Entry, Timeline, replayed, timeline, with_odds
from .what_if import Decision, what_if


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree. ``label`` says what leads there (empty at the root); ``chance`` is the number of cases, and
    the number of all equally likely cases. ``winner`` is who wins the vote (a side or TIE) at its result and where a
    path ends with a vote, otherwise None. ``odds`` are the odds of an expected result, in words.

    On the path that was taken, ``kind`` is ``decision``, ``draw``, ``call``, ``cards``, ``result`` or ``kept``. Other
    nodes are an ``option`` or ``more`` of them, an end (``other vote``, ``no vote``, ``reset``, ``put away``,
    ``nobody``), or a result that was ``expected``.
    """

    kind: str
    label: str
    title: str
    lines: tuple[str, ...] = ()
    taken: bool = False
    children: tuple[Node, ...] = ()
    chance: tuple[int, int] | None = None
    winner: int | None = None
    odds: str = ""

    @property
    def share(self) -> str:
        """Return the chance in words: ``1 of 7``; empty if there is none."""
        return f"{self.chance[0]} of {self.chance[1]}" if self.chance else ""

    @property
    def signed(self) -> str:
        """Return the title, preceded by the sign of the side that wins the vote there: ``▲ Rome would win``."""
        return self.title if self.winner is None or self.kind == "kept" else f"{SIGNS[self.winner]} {self.title}"

    @property
    def expected(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """Return the results that could be expected here, for each point of view: ``Caesar could expect``, and each
        result.
        """
        results = [child for child in self.children if child.kind == "expected"]
        return tuple((label, tuple(same)) for label, same in groupby(results, lambda node: node.label))


class Coming(NamedTuple):
    """A bust or vote card that could have been drawn (all are equally likely), and the vote that it calls.

    ``kind`` is ``vote``, ``put away`` (the group is already won), ``no vote`` or ``reset`` (all go back). It has
    ``copies``. ``sums`` are Rome's and Egypt's, ``winner`` is a side or TIE, ``lower`` says that the lower sum would
    win. A field that does not apply is None, and so is the winner if it is open.
    """

    kind: str
    name: str
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


@dataclass(frozen=True, slots=True)
class VoteTree:
    """A vote of a game: its ``number``-th, the token at ``at`` in ``turn``.

    ``sums`` are Rome's and Egypt's. ``by_rules`` says that record and rules agree on the winner; only then are there
    ``margins``, earlier actions that changed the outcome: each with its ``kind`` (``veto``, or the action's word, such
    as ``assassination``), the action as a ``token`` at the place ``at`` in ``turn``, its ``words``, and ``result`` and
    ``sums`` of the vote without it (a side or TIE; for Rome and for Egypt, the lowest and the highest). ``lanes`` are
    the possible draws, none if the number of cards called the vote. ``instead`` is what each side could have done, best
    first, ``more`` how many other options Rome and Egypt had; ``sees`` says whose hands the point of view sees: options
    with other hands are not shown. ``device`` is what calls votes, ``scene`` how this one was held; ``standing`` counts
    the patricians of the group after it: Rome's, Egypt's, and those left.

    >>> tree = tironian.votes(record)[0]
    >>> tree.title, tree.token, tree.winner == tironian.Side.ROME
    ('1E · vote at the Consuls', '=K53:2>R', True)
    """

    number: int
    turn: str
    at: int
    token: str
    title: str
    group: int
    special: bool
    sums: tuple[int, int]
    winner: int
    by_rules: bool
    root: Node
    margins: tuple[Margin, ...]
    device: Device
    scene: VoteScene
    standing: tuple[int, int, int]
    lanes: tuple[Coming, ...] = ()
    observers: tuple[Observer, ...] = ()
    instead: tuple[Instead, ...] = ()
    more: tuple[int, int] = (0, 0)
    sees: tuple[bool, bool] = (True, True)

    @property
    def told(self) -> tuple[str, ...]:
        """Return further sentences: what changed the vote earlier, and what is not shown."""
        said = [] if self.by_rules else ["the record and the rules give this vote to different sides"]
        said += [f"{margin.words}: {outcome_words(margin.result, 'would win')}" for margin in self.margins]
        unseen = [PLAYER_NAMES[side] for side in (ROME, EGYPT) if not self.sees[side]]
        if unseen:
            hand = "those hands" if len(unseen) > 1 else "that hand"
            said.append(f"what {' and '.join(unseen)} could have done is shown only to those who see {hand}")
        return tuple(said)

    @property
    def expected(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """Return the odds as they were before the cards were turned up, if they were asked for."""
        return next((node.expected for node in way(self) if node.expected), ())

    def _repr_svg_(self) -> str | None:
        """Return the picture of the tree, for notebooks."""
        return display(self, "picture")


def way(tree: VoteTree) -> Iterator[Node]:
    """Yield the nodes of the path that was taken, from the root to the end."""
    node: Node | None = tree.root
    while node:
        yield node
        node = next((child for child in node.children if child.taken), None)


class _Vote(NamedTuple):
    """A vote at its place: its event, and what came before and after it in its turn."""

    timeline: Timeline
    place: int
    entry: Entry
    event: Event
    held: Ballot
    aside: Sequence[Event]
    """The vote cards of emptied groups that were turned up just before."""
    chosen: Sequence[Event]
    """The choices of missions just after it."""


def beside(node: Node) -> list[Node]:
    """Return the paths from a node that were not taken, without the expected results there."""
    return [child for child in node.children if not child.taken and child.kind != "expected"]


def votes(
    game: Game | Record, view: ChosenView = "", rules: str = "", *, odds: bool = False, costs: Costs | None = None
) -> tuple[VoteTree, ...]:
    """Return the decision tree of each vote of a game, in order, as ``view`` sees it.

    ``view`` and ``rules`` are as for ``timeline``. With ``odds``, the trees say how likely everything was for those who
    did not see all cards. ``costs`` are an analysis's results for options: turn, place of the token, and a possible
    move there → how much better that would have been. Raise Untold if the game has no timeline.

    >>> tree = tironian.votes(record)[0]
    >>> print(tree.title, *[option.words for option in tree.instead][:2], sep="\\n")
    1E · vote at the Consuls
    places a 5 face up at the Consuls
    places a 4 face down at the Consuls, rather than at the Censors
    """
    game = as_game(game)
    played = replayed(game, rules)
    return trees(timeline(game, view, rules, played=played), game, rules, played=played, odds=odds, costs=costs)


def trees(
    timeline: Timeline,
    game: Game | None = None,
    rules: str = "",
    decisions: Sequence[Decision] | None = None,
    *,
    played: Replay | None = None,
    odds: bool = False,
    costs: Costs | None = None,
    wanted: int | None = None,
) -> tuple[VoteTree, ...]:
    """Return the tree of each vote of a game, in order, from the point of view of its ``timeline``.

    ``decisions`` are what ``what_if`` returns for it and ``played`` is the game's replay, if they exist already.
    ``wanted`` is the number of the only vote to be told, from 1; if there is none, there are no trees. The other
    arguments are as for ``votes``. Without the ``game``, the trees don't show what could have been done.
    """
    places = [(vote.place, vote.event.at) for _, vote in _votes(timeline, wanted)]
    if decisions is None and game:
        with suppress(Unseen):  # the point of view saw more than the writer
            decisions = what_if(game, timeline.view, rules, played)
    alternatives = Alternatives(timeline, decisions or (), places, costs)
    if odds and game:
        timeline = with_odds(timeline, game, rules, played=played, seeing=alternatives.see)
    return tuple(_tree(number, vote, alternatives) for number, vote in _votes(timeline, wanted))


def _votes(timeline: Timeline, wanted: int | None) -> Iterator[tuple[int, _Vote]]:
    """Yield the votes of a game with their numbers, or only the ``wanted`` one."""
    number = 0
    for place, entry in enumerate(timeline.entries):
        for at, event in enumerate(entry.events):
            if event.ballot is None:
                continue
            number += 1
            if wanted in (None, number):
                aside = [other for other in entry.events[:at] if other.kind == "put away"]
                chosen = [other for other in entry.events[at + 1 :] if other.kind == "mission"]
                kept = [] if event.before.emptied else chosen
                yield number, _Vote(timeline, place, entry, event, event.ballot, aside, kept)


def _tree(number: int, vote: _Vote, alternatives: Alternatives) -> VoteTree:
    held, place, (rome, egypt) = vote.held, (vote.place, vote.event.at), vote.event.state.sides
    root = _cards(vote)
    if not held.special:
        for event in (vote.event, *reversed(vote.aside)):
            root = _draw(vote, event, root)
    else:
        lines = (f"{counted(sum(map(len, held.columns)), 'card')} at {group_name(held.group)}",)
        root = Node("call", "", "Special vote", lines, True, (root,))
    instead, more = alternatives.of(*place)
    for side in (vote.entry.side, 1 - vote.entry.side):
        root = _decision([each for each in instead if each.side == side], more[side], root)
    return VoteTree(
        number,
        vote.entry.label,
        vote.event.at,
        vote.event.token,
        f"{vote.entry.label} · {vote_name(held)}",
        held.group,
        held.special,
        held.rightful.sums,
        held.outcome.winner,
        held.by_rules,
        root,
        alternatives.undone[place] if held.by_rules else (),
        vote.timeline.edition.device,
        vote_scene(vote.event),
        (rome.won[held.group], egypt.won[held.group], vote.event.state.left[held.group]),
        () if held.special else tuple(_lanes(vote.event, vote.timeline.view)),
        tuple(_observers(vote, alternatives)),
        instead,
        more,
        SEES[vote.timeline.view],
    )


# ---------------------------------------------------------------------------------------- what could have been done


def _decision(options: Sequence[Instead], more: int, then: Node) -> Node:
    """Return what a side did before a vote, with everything that it could have done; only ``then`` if that is not
    shown.
    """
    played = next((option for option in options if option.was_played), None)
    if played is None:
        return then
    others = [_option(option) for option in options if option is not played]
    if more:
        others.append(Node("more", "", f"{counted(more, 'other option')} that would change the cards here"))
    way = replace(then, label=played.words)
    return Node("decision", "", f"{PLAYER_NAMES[played.side]} in {played.turn}", (), True, (way, *others))


def _option(option: Instead) -> Node:
    """Return an option as a path that was not taken."""
    sums = sums_words(*map(range_words, option.sums))
    unknown = any(low != high for low, high in option.sums)
    title = outcome_words(option.winner, "would win") if option.winner is not None else "open" if unknown else "no vote"
    lines = ["the lower sum wins"] * option.lower
    lines += [] if option.chance is None else [f"chance {percent(option.chance)}"]
    if option.cost:
        lines.append(f"{percent(abs(option.cost))} of the win {'better' if option.cost > 0 else 'worse'} for the game")
    return Node("option", option.words, f"{title} ({sums})", tuple(lines), winner=option.winner)


# ------------------------------------------------------------------------------------------- what could have come


def _lanes(event: Event, view: str) -> Iterator[Coming]:
    """Yield what could have been drawn instead of a bust or vote card."""
    before, could = event.before, chances(event.before)
    drawn = event.deed.group if isinstance(event.deed, t.Vote | t.PutAway) else -1
    for group in could.groups:
        name, came = GROUP_NAMES[group], group == drawn
        if not before.left[group]:
            yield Coming("put away", name, 1, came, group)
        elif came or _is_open(before, group, view):
            held = (event.ballot if came else None) or ballot(before, t.Vote(group))
            rome, egypt = held.rightful.sums
            sums = (rome, rome), (egypt, egypt)
            yield Coming("vote", name, 1, came, group, sums, held.outcome.winner, held.outcome.lower_wins)
        else:
            rome, egypt = [_between(before, side, group, seen) for side, seen in enumerate(SEES[view])]
            yield Coming("vote", name, 1, came, group, (rome, egypt))
    device = before.edition.device
    for kind, name, copies in (("no vote", device.blank, could.blanks), ("reset", device.reset, could.resets)):
        if copies:
            yield Coming(kind, name, copies, came=False)


def _between(state: State, side: int, group: int, seen: bool) -> Range:
    """Return the lowest and the highest sum that a side can have at a group, with its hidden cards ``seen`` or not."""
    column = state.sides[side].up[group] + state.sides[side].hidden[group] * seen
    known = [*filter(is_known, column)]
    unknown = state.count(side, group) - len(known)
    return sum(known), sum(known) + max(INFLUENCE_CARDS) * unknown


def _observers(vote: _Vote, alternatives: Alternatives) -> Iterator[Observer]:
    """Yield how likely the vote was, for each point of view whose odds were asked for."""
    for view, outlook in vote.event.odds:
        yield Observer(view, outlook.wins, alternatives.turn_odds.get((view, vote.place, vote.event.at)))


def _draw(vote: _Vote, event: Event, taken: Node) -> Node:
    """Return the draw of the bust or vote card, with all its possible outcomes."""
    lanes, device = [*_lanes(event, vote.timeline.view)], vote.timeline.edition.device
    total = sum(lane.copies for lane in lanes)
    assert isinstance(event.deed, t.Vote | t.SpecialVote | t.PutAway)
    # A record can name a drawn card that was not there; it has no chance then.
    share = (1, total) if any(lane.came for lane in lanes) else None
    name = GROUP_NAMES[event.deed.group]
    way = replace(taken, label=name if event is vote.event else f"{name}, already won", chance=share)
    title = f"{vote.entry.player} {device.coming}"
    others = _other_ways([lane for lane in lanes if not lane.came], total)
    return Node("draw", "", title, (f"{total} {device.place}",), True, (way, *others))


def _other_ways(lanes: Sequence[Coming], total: int) -> Iterator[Node]:
    """Yield where every other possible draw would have led; votes that nobody wins form one node."""
    gone = [lane.name for lane in lanes if lane.kind == "put away"]
    nobody = [lane for lane in lanes if lane.winner == TIE]
    for lane in lanes:
        if lane.sums is not None and lane.winner != TIE:
            wins = "a vote there" if lane.winner is None else outcome_words(lane.winner)
            why = ("the lower sum wins",) if lane.lower else ()
            title = f"{wins} ({sums_words(*map(range_words, lane.sums))})"
            yield Node("other vote", lane.name, title, why, chance=(1, total), winner=lane.winner)
    if gone:
        yield Node("put away", ", ".join(gone), "already won: the next one is turned up", chance=(len(gone), total))
    if nobody:
        sums = [f"{lane.name} {sums_words(*map(range_words, lane.sums or ()))}" for lane in nobody]
        names = ", ".join([lane.name for lane in nobody])
        yield Node("nobody", names, "nobody wins", tuple(sums), chance=(len(nobody), total), winner=TIE)
    for lane in lanes:
        if lane.kind in ("no vote", "reset"):
            lines = ("all go back",) * (lane.kind == "reset")
            yield Node(lane.kind, lane.name, "no vote", lines, chance=(lane.copies, total))


def _is_open(state: State, group: int, view: str) -> bool:
    """Return whether the point of view knows every card at a group, and the record does too."""
    return all(
        (sees or not side.hidden[group]) and all(map(is_known, side.column(group)))
        for side, sees in zip(state.sides, SEES[view], strict=True)
    )


# ----------------------------------------------------------------------------------------- how it was decided


def _cards(vote: _Vote) -> Node:
    """Return the step in which the cards are turned up, with both sums and the effect of philosophers (J1, J2)."""
    held = vote.held
    lines = [
        f"{name} {column_words(cards, hidden)}"
        for name, cards, hidden in zip(SIDE_NAMES, held.columns, held.hidden, strict=True)
    ]
    if why := philosopher_words(held):
        lines.append(why)
    ways = (_result(vote), *_other_cards(vote))
    return Node("cards", GROUP_NAMES[held.group], sums_words(*held.rightful.sums), tuple(lines), True, ways)


def _other_cards(vote: _Vote) -> Iterator[Node]:
    """Yield what would have happened with other hidden cards: one path for each result that could be expected.

    There are none for those who saw every card.
    """
    if vote.timeline.expecting and not vote.event.odds:
        lines = ("the cards don't add up in the record",)
        yield Node("expected", "To be expected", "no odds", lines, odds="no odds")
    for view, outlook in vote.event.odds:
        if _is_open(vote.event.before, vote.held.group, view):
            continue
        label = f"{capital(SEERS[view])} could expect"
        for winner, share in zip((ROME, EGYPT, TIE), percents(outlook.wins), strict=True):
            if odds := outlook.wins[winner]:
                title = f"{OUTCOMES[winner]} {'for certain' if odds == 1 else share}"
                words = "certain" if odds == 1 else share
                yield Node("expected", label, title, (sum_words(outlook, winner),), winner=winner, odds=words)


def _result(vote: _Vote) -> Node:
    """Return the effects: a patrician, discards, an emptied group, and the missions that are kept then (J3, L1, M1)."""
    held, after = vote.held, vote.event.state
    winner, group = held.outcome.winner, held.group
    title = "a tie: nobody wins" if winner == TIE else f"{SIDE_NAMES[winner]} wins a patrician"
    rome, egypt = (side.won[group] for side in after.sides)
    lines = (
        "" if held.by_rules else f"so says the record: by the rules {outcome_words(held.rightful.winner, 'would win')}",
        loss_words(held.outcome.gone),
        "the cards stay" if winner == TIE and any(held.columns) else "",
        f"{GROUP_NAMES[group]} now: Rome {rome}, Egypt {egypt}, left {after.left[group]}",
        "the group is empty, its other cards are discarded" if held.empties else "",
        "the game is over" if after.ended else "",
    )
    kept = _kept(vote, vote.chosen) if held.empties else ()
    return Node("result", "", title, tuple(filter(None, lines)), True, kept, winner=winner)


def _kept(vote: _Vote, chosen: Sequence[Event]) -> tuple[Node, ...]:
    """Return the mission that a player keeps and the one given back, then the other player's (M1)."""
    if not chosen:
        return ()
    event, *rest = chosen
    token, before = event.deed, event.before
    assert isinstance(token, t.ChooseMission)
    side, winner = token.side, vote.held.outcome.winner
    following = _kept(vote, rest)
    player, missions = PLAYER_NAMES[side], before.sides[side].missions
    sees, place = SEES[vote.timeline.view][side], token.kept or 0
    title, lines = f"{player} keeps one of two missions", () if sees else ("nobody else sees which",)
    if sees and 0 < place <= len(missions):
        kept, others = missions[place - 1], (*missions[: place - 1], *missions[place:])
        title = f"{player} keeps {_mission(before, side, kept)}"
        lines = tuple(f"gives back {_mission(before, side, mission)}" for mission in others)
    return (Node("kept", "", title, lines, True, following, winner=None if following else winner),)


def _mission(state: State, side: int, mission: t.Mission) -> str:
    """Return a mission in words, and what has been proved about it: ``all Consuls, impossible by now``."""
    prospect, words = mission_prospect(state, side, mission), mission_words(mission)
    return words if prospect in (OPEN, UNKNOWN) else f"{words}, {prospect} by now"
