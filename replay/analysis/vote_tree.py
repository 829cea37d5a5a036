"""The decision tree of each vote: what could have come, how it was decided, and where every way not taken leads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import (
    EGYPT,
    GROUP_NAMES,
    INFLUENCE_CARDS,
    PHILOSOPHER,
    PLAYER_NAMES,
    ROME,
    SIDE_NAMES,
    SIGNS,
    SOME_INFLUENCE,
    TIE,
    high_to_low,
    is_known,
)
from ...notation.classes import dataclass
from ...notation.notebooks import display
from ...notation.reader import Game
from ...notation.record import Record
from ..diagnostics.names import bare_name, capital, card_name, counted, group_name
from ..editions.edition import Device, Edition
from ..engine.headers import ChosenView
from ..engine.shown import Ballot, Chances, ballot, chances
from ..rules.state import State
from ..rules.vote_outcome import resolve
from ..views.redaction import SEERS
from ..views.table_view import SEES
from .annotations import winner_without
from .expectation import percents, sum_words, sums_words
from .prospects import OPEN, UNKNOWN, mission_prospect
from .telling import (
    OUTCOMES,
    Event,
    VoteScene,
    ahead,
    column_words,
    loss_words,
    mission_words,
    outcome_words,
    vote_name,
    vote_scene,
)
from .timeline import Entry, Timeline, timeline


@dataclass(frozen=True, slots=True)
class Node:
    """One place in the tree. ``label`` says what leads there, empty at the root; ``chance`` in how many of how many
    equally likely cases. ``winner`` is who wins the vote (a side or TIE) at its result and where a way ends with a vote
    held, None elsewhere. ``odds`` are those of a result that was expected, in words.

    ``kind`` is ``draw``, ``call``, ``cards``, ``philosophers``, ``sums``, ``result`` or ``kept`` on the way that was
    taken; other ways end in ``other vote``, ``no vote``, ``reset``, ``put away``, ``nobody`` or ``otherwise``, or are
    a result that was ``expected``.
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
        """Return the chance in words: ``1 of 7``; empty where there is none."""
        return f"{self.chance[0]} of {self.chance[1]}" if self.chance else ""

    @property
    def signed(self) -> str:
        """Return the title that follows the sign of who wins the vote there: ``▲ Rome would win``."""
        return self.title if self.winner is None or self.kind == "kept" else f"{SIGNS[self.winner]} {self.title}"

    @property
    def expected(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """Return the results that were to be expected here: ``Caesar could expect``, and each result, for everybody."""
        results = [child for child in self.children if child.kind == "expected"]
        return tuple((label, tuple(same)) for label, same in groupby(results, lambda node: node.label))


Range = tuple[int, int]
"""The lowest and the highest that a sum can be; equal where it is known."""


class Coming(NamedTuple):
    """One bust or vote card that could have come, each as likely as any other, and the vote that it calls.

    ``kind`` is ``vote``, ``put away`` (the group is already won), ``no vote`` or ``reset`` (all go back). There are
    ``copies`` of it. ``sums`` are Rome's and Egypt's, ``winner`` is a side or TIE, ``lower`` says that the lower sum
    would win. What does not apply is None, and so is the winner where that is open.
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
    """How likely it was for ``view``, before it came.

    ``here`` are the chances of Rome, Egypt and a tie in this vote before its cards were turned up. ``turn`` are those
    of the turn's vote before the bust or vote card came, and that of no vote after them; None for a special vote.
    """

    view: str
    here: tuple[Fraction, Fraction, Fraction]
    turn: tuple[Fraction, Fraction, Fraction, Fraction] | None


class Instead(NamedTuple):
    """One thing that ``side`` could have done, with cards that it held, in the last turn in which it could.

    ``turn`` is the label of that turn: the vote's own for who moved, else the last one before it. ``tokens`` are done
    in place of the token ``at`` that place, or after the last one; none where nothing is. ``sums`` are those of this
    vote then, ``winner`` who wins it (a side or TIE; None where that is open, or no vote follows). ``chance`` is how
    likely that side was to win a vote there, as its player could tell; None where odds were not asked for. ``cost`` is
    how much better (or worse: negative) it would have been for the game by an analysis, None without one.
    """

    side: int
    turn: str
    at: int
    tokens: tuple[t.Token, ...]
    words: str
    sums: tuple[Range, Range]
    winner: int | None
    chance: Fraction | None = None
    cost: float | None = None
    was_played: bool = False


@dataclass(frozen=True, slots=True)
class VoteTree:
    """A vote of a game: the ``number``-th of it, the token at ``at`` in ``turn``.

    ``sums`` are Rome's and Egypt's. ``by_rules`` says that the record gives it to whom the rules give it; only then it
    has margins. ``lanes`` are what could have come, none where the number of cards called it. ``instead`` is what each
    side could have done, best first, ``more`` how many other options Rome and Egypt had; ``sees`` says whose hand the
    point of view sees: of the other one nothing is told. ``device`` is what votes are called by, ``scene`` how this one
    was held; ``standing`` counts the patricians of the group after it: Rome's, Egypt's, and those left.

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
        """Return the margins in words, one sentence each."""
        if not self.by_rules:
            return ("the record gives this vote to another side than the rules do",)
        if not self.margins:
            return ("no change of one card or one action would have changed the outcome",)
        return sentences(self.margins)

    @property
    def expected(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """Return what was to be expected before the cards were turned up, where that was asked for."""
        return next((node.expected for node in way(self) if node.expected), ())

    def _repr_svg_(self) -> str:
        """Return its picture, for notebooks."""
        return display(self, "vote_picture")


def way(tree: VoteTree) -> Iterator[Node]:
    """Yield the nodes of the way that was taken, from the root to its end."""
    node: Node | None = tree.root
    while node:
        yield node
        node = next((child for child in node.children if child.taken), None)


class _Vote(NamedTuple):
    """A vote in its place: its event, and what came before and after it in its turn."""

    timeline: Timeline
    entry: Entry
    event: Event
    held: Ballot
    aside: Sequence[Event]
    """The vote cards of emptied groups that were turned up just before."""
    chosen: Sequence[Event]
    """The choices of missions just after it."""
    since: Sequence[tuple[str, Event]]
    """What was done at its group since the last vote there, each with the label of its turn."""


def beside(node: Node) -> list[Node]:
    """Return the ways that lead off a node and were not taken, without what was expected there."""
    return [child for child in node.children if not child.taken and child.kind != "expected"]


def votes(game: Game | Record, view: ChosenView = "", rules: str = "") -> tuple[VoteTree, ...]:
    """Return the decision tree of each vote of a game, in order, as ``view`` sees it.

    ``view`` and ``rules`` are those of ``timeline``. Raise Untold if there is no timeline of the game.

    >>> for tree in tironian.votes(record)[:1]:
    ...     print(tree.title, *tree.told, sep="\\n")
    1E · vote at the Consuls
    a philosopher more on either side: Egypt wins
    """
    return trees(timeline(game, view, rules))


def trees(timeline: Timeline) -> tuple[VoteTree, ...]:
    """Return the tree of each vote of a game, in order, from the timeline's point of view."""
    return tuple(_tree(number, vote) for number, vote in enumerate(_votes(timeline), start=1))


def _votes(timeline: Timeline) -> Iterator[_Vote]:
    done: dict[int, list[tuple[str, Event]]] = defaultdict(list)
    for entry in timeline.entries:
        for place, event in enumerate(entry.events):
            if event.ballot is not None:
                yield _in_place(timeline, entry, place, event.ballot, done.pop(event.ballot.group, []))
            elif t.KINDS[event.deed.__class__].moves:
                for group in t.groups_of(event.deed):
                    done[group].append((entry.label, event))


def _in_place(timeline: Timeline, entry: Entry, place: int, held: Ballot, since: Sequence[tuple[str, Event]]) -> _Vote:
    event = entry.events[place]
    aside = [other for other in entry.events[:place] if other.kind == "put away"]
    chosen = [other for other in entry.events[place + 1 :] if other.kind == "mission"]
    return _Vote(timeline, entry, event, held, aside, [] if event.before.emptied else chosen, since)


def _tree(number: int, vote: _Vote) -> VoteTree:
    held, (rome, egypt) = vote.held, vote.event.state.sides
    root = _cards(vote)
    if not held.special:
        for event in (vote.event, *reversed(vote.aside)):
            root = _draw(vote, event, root)
    else:
        lines = (f"{counted(sum(map(len, held.columns)), 'card')} at {group_name(held.group)}",)
        root = Node("call", "", "Special vote", lines, True, (root,))
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
        margins(held, vote.timeline.edition, vote.since, SEES[vote.timeline.view]),
        vote.timeline.edition.device,
        vote_scene(vote.event),
        (rome.won[held.group], egypt.won[held.group], vote.event.state.left[held.group]),
        tuple(_lanes(vote)),
        tuple(_observers(vote)),
        sees=SEES[vote.timeline.view],
    )


# ------------------------------------------------------------------------------------------- what could have come


def _lanes(vote: _Vote) -> Iterator[Coming]:
    """Yield what could have come in place of the bust or vote card that called a vote."""
    if vote.held.special:
        return
    before, device = vote.event.before, vote.timeline.edition.device
    could = chances(before)
    for group in could.groups:
        name, came = GROUP_NAMES[group], group == vote.held.group
        if not before.left[group]:
            yield Coming("put away", name, 1, came, group)
        elif came or _is_open(before, group, vote.timeline.view):
            held = vote.held if came else ballot(before, t.Vote(group))
            rome, egypt = held.rightful.sums
            sums = (rome, rome), (egypt, egypt)
            yield Coming("vote", name, 1, came, group, sums, held.outcome.winner, held.rightful.lower_wins)
        else:
            rome, egypt = [_between(cards) for cards in _lying(before, group, SEES[vote.timeline.view])]
            yield Coming("vote", name, 1, came, group, (rome, egypt))
    for kind, name, copies in (("no vote", device.blank, could.blanks), ("reset", device.reset, could.resets)):
        if copies:
            yield Coming(kind, name, copies, False)


def _between(cards: Sequence[int]) -> Range:
    """Return the lowest and the highest sum of cards of which some may be unknown."""
    known = sum(filter(is_known, cards))
    return known, known + max(INFLUENCE_CARDS) * (len(cards) - sum(map(is_known, cards)))


def _observers(vote: _Vote) -> Iterator[Observer]:
    """Yield for each who was asked for odds how likely the vote was."""
    for view, outlook in vote.event.odds:
        yield Observer(view, outlook.wins, None)


def _draw(vote: _Vote, event: Event, taken: Node) -> Node:
    """Return the draw of the bust or vote card, with every way that it could have gone."""
    could, device = chances(event.before), vote.timeline.edition.device
    group = event.deed.group if isinstance(event.deed, t.Vote | t.PutAway) else -1
    # A record can say that something was drawn that was not there; then there is no chance of it.
    share = (1, could.total) if group in could.groups else None
    name = GROUP_NAMES[group] if event is vote.event else f"{GROUP_NAMES[group]}, already won"
    way = replace(taken, label=name, chance=share)
    others = (*_other_votes(vote, event.before, could, group), *_no_votes(vote, could))
    title = f"{vote.entry.player} {device.coming}"
    return Node("draw", "", title, (f"{could.total} {device.place}",), True, (way, *others))


def _other_votes(vote: _Vote, before: State, could: Chances, drawn: int) -> Iterator[Node]:
    """Yield the votes that other busts would have called, those that nobody wins together."""
    share, nobody, gone = (1, could.total), {}, []
    for group in could.groups:
        name = GROUP_NAMES[group]
        if group == drawn:
            continue
        if not before.left[group]:
            gone.append(name)
        elif not _is_open(before, group, vote.timeline.view):
            yield Node("other vote", name, "a vote there", ("its hidden cards are unknown",), chance=share)
        else:
            other = ballot(before, t.Vote(group))
            winner, sums = other.outcome.winner, sums_words(*other.rightful.sums)
            if winner == TIE:
                nobody[name] = f"{name} {sums}"
            else:
                why = ("the lower sum wins",) if other.outcome.lower_wins else ()
                title = f"{SIDE_NAMES[winner]} wins ({sums})"
                yield Node("other vote", name, title, why, chance=share, winner=winner)
    if gone:
        title = "already won: the next one is turned up"
        yield Node("put away", ", ".join(gone), title, chance=(len(gone), could.total))
    if nobody:
        share = (len(nobody), could.total)
        yield Node("nobody", ", ".join(nobody), "nobody wins", (*nobody.values(),), chance=share, winner=TIE)


def _no_votes(vote: _Vote, could: Chances) -> Iterator[Node]:
    device = vote.timeline.edition.device
    draws = (("no vote", device.blank, could.blanks, ()), ("reset", device.reset, could.resets, ("all go back",)))
    for kind, name, copies, lines in draws:
        if copies:
            yield Node(kind, name, "no vote", lines, chance=(copies, could.total))


def _is_open(state: State, group: int, view: str) -> bool:
    """Return whether the point of view knows every card at a group, and the record does too."""
    return all(
        (sees or not side.hidden[group]) and all(map(is_known, side.column(group)))
        for side, sees in zip(state.sides, SEES[view], strict=True)
    )


# ----------------------------------------------------------------------------------------- how it was decided


def _cards(vote: _Vote) -> Node:
    """Return the step in which the cards are turned up (J1)."""
    held = vote.held
    lines = tuple(
        f"{name} {column_words(cards, hidden)}"
        for name, cards, hidden in zip(SIDE_NAMES, held.columns, held.hidden, strict=True)
    )
    turned = sum(map(len, held.hidden))
    title = f"{counted(turned, 'card')} turned up" if turned else "all cards lie open"
    return Node("cards", GROUP_NAMES[held.group], title, lines, True, (_decided(vote), *_other_cards(vote)))


def _other_cards(vote: _Vote) -> Iterator[Node]:
    """Yield how it would have gone with other hidden cards: one way for each result that somebody could expect.

    Who saw every card had nothing to expect.
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


def _decided(vote: _Vote) -> Node:
    """Return how the vote is decided: first which sum wins, then which one is it (J2, K2, K8–K11).

    Where no philosopher lies there, nobody asks the first: it is folded into the second.
    """
    held = vote.held
    sums = _compared(vote)
    lower = held.rightful.lower_wins
    taken = "lower sum wins" if lower else "higher sum wins"
    if any(PHILOSOPHER in cards for cards in held.columns):
        count = sum(cards.count(PHILOSOPHER) for cards in held.columns)
        without = f"without {'it' if count == 1 else 'them'}, higher sum"
        others = _inverted(vote, without if lower else "with one more, lower sum")
        return Node("philosophers", "", _philosophers(held), (), True, (replace(sums, label=taken), *others))
    ways = (*sums.children, *_inverted(vote, "with a philosopher"))
    return Node(sums.kind, "", sums.title, (f"no philosopher: {taken}",), True, ways)


def _inverted(vote: _Vote, label: str) -> tuple[Node, ...]:
    """Return the way on which the other sum wins: without any philosopher, or with one more, Rome's or Egypt's."""
    held, edition = vote.held, vote.timeline.edition
    if held.rightful.lower_wins:
        return (_way(held, label, winner_without(held, edition)),)
    rome, egypt = held.columns
    more = ((*rome, PHILOSOPHER), egypt), (rome, (*egypt, PHILOSOPHER))
    winners = [resolve(*columns, edition).winner for columns in more]
    if winners[ROME] == winners[EGYPT]:
        return (_way(held, label, winners[ROME]),)
    return tuple(_way(held, f"{label}, {SIDE_NAMES[side]}'s", winners[side]) for side in (ROME, EGYPT))


def _way(held: Ballot, label: str, winner: int) -> Node:
    same = winner == held.rightful.winner
    title = f"the same, {outcome_words(winner)}" if same else outcome_words(winner, "would win")
    return Node("otherwise", label, title, winner=winner)


def _philosophers(held: Ballot) -> str:
    rome, egypt = (cards.count(PHILOSOPHER) for cards in held.columns)
    if not held.rightful.lower_wins:
        return "the philosophers cancel out"
    owner = SIDE_NAMES[ahead(rome, egypt)]
    if rome and egypt:
        return f"{owner} has more philosophers"
    return f"{owner} has {'a philosopher' if rome + egypt == 1 else 'two philosophers'}"


def _compared(vote: _Vote) -> Node:
    """Return the step in which the sums are compared (J2)."""
    held = vote.held
    rightful, (rome, egypt) = held.rightful, held.rightful.sums
    real, ways = ahead(rome, egypt), []
    for label, higher, winner in _LOWER_WINS if rightful.lower_wins else _HIGHER_WINS:
        if higher != winner and (rome, egypt)[higher] == 0:
            continue  # nobody has less than nothing
        if higher != real:
            ways.append(Node("otherwise", label, outcome_words(winner, "would win"), winner=winner))
            continue
        if higher == TIE and rightful.winner != TIE:
            label = "equal, a philosopher alone wins"
        if not held.by_rules:
            ways.append(Node("otherwise", label, f"by the rules {outcome_words(rightful.winner, 'would win')}"))
            label = "the record says"
        ways.insert(0, replace(_result(vote), label=label))
    return Node("sums", "", f"Rome {rome} : {egypt} Egypt", (), True, tuple(ways))


_HIGHER_WINS: Final = (("Rome has more", ROME, ROME), ("equal", TIE, TIE), ("Egypt has more", EGYPT, EGYPT))
_LOWER_WINS: Final = (("Egypt has less", ROME, EGYPT), ("equal", TIE, TIE), ("Rome has less", EGYPT, ROME))
"""What can come of a comparison: in words, the side that has more, and the one that wins. Where the lower sum wins, it
is the side that has less of which is said that it wins.
"""


def _result(vote: _Vote) -> Node:
    """Return what came of it: a patrician, discards, an emptied group, and the missions kept then (J3, L1, M1)."""
    held, after = vote.held, vote.event.state
    winner, group = held.outcome.winner, held.group
    title = "a tie: nobody wins" if winner == TIE else f"{SIDE_NAMES[winner]} wins a patrician"
    rome, egypt = (side.won[group] for side in after.sides)
    lines = (
        loss_words(held.outcome.gone),
        "the cards stay" if winner == TIE and any(held.columns) else "",
        f"{GROUP_NAMES[group]} now: Rome {rome}, Egypt {egypt}, left {after.left[group]}",
        "the group is empty, its other cards are discarded" if held.empties else "",
        "the game is over" if after.ended else "",
    )
    kept = _kept(vote, vote.chosen) if held.empties else ()
    return Node("result", "", title, tuple(filter(None, lines)), True, kept, winner=winner)


def _kept(vote: _Vote, chosen: Sequence[Event]) -> tuple[Node, ...]:
    """Return the mission that a player keeps and the one that he gives back, and then the other player's (M1)."""
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
    """Return a mission in words, and what is proved of it: ``all Consuls, impossible by now``."""
    prospect, words = mission_prospect(state, side, mission), mission_words(mission)
    return words if prospect in (OPEN, UNKNOWN) else f"{words}, {prospect} by now"


POINTS: Final = "points"
PHILOSOPHER_MORE: Final = "philosopher"
PHILOSOPHER_LESS: Final = "no philosopher"
UNDONE: Final = "undone"

Columns = tuple[t.Cards, t.Cards]


class Margin(NamedTuple):
    """One change that turns the vote to ``result`` (a side or TIE); ``cards`` are both columns after it.

    ``side`` is whose cards it changes. ``size`` counts points for POINTS, negative where there are fewer, and is 1 for
    what is done to one card or one action. ``words`` name what would have to be undone, for UNDONE.
    """

    kind: str
    side: int | None
    size: int
    result: int
    cards: Columns
    words: str = ""


def margins(
    vote: Ballot, edition: Edition, since: Sequence[tuple[str, Event]], sees: tuple[bool, bool]
) -> tuple[Margin, ...]:
    """Return the smallest changes of each kind that would have turned a vote, to each other result that they can bring.

    ``since`` is what was done at the group since its last vote, each with the label of its turn.
    Points are counted in changes of one card: another one in its place, one more, or one fewer, as far as the limits of
    the edition allow (D4, D5). ``sees`` says whether Rome's and Egypt's hidden cards may be looked at. None where the
    record gave the vote to another side than the rules do.
    """
    if not vote.by_rules:
        return ()
    return (*_points(vote, edition), *_with_philosopher(vote, edition), *_undone(vote, edition, since, sees))


def one_card_changes(column: t.Cards, room: bool) -> Iterator[tuple[int, ...]]:
    """Yield each column that differs in one card: another in its place, one more where there is ``room``, one fewer."""
    for place, card in enumerate(column):
        if place and column[place - 1] == card:
            continue
        rest = column[:place] + column[place + 1 :]
        for other in INFLUENCE_CARDS:
            if other != card:
                yield (*rest, other)
        yield rest
    if room:
        for card in INFLUENCE_CARDS:
            yield (*column, card)


def has_room(vote: Ballot, side: int, edition: Edition) -> bool:
    """Return whether one more card of a side would have been allowed at the group (D4, D5)."""
    return _may_lie(len(vote.columns[side]) + 1, len(vote.columns[1 - side]), edition)


def _may_lie(own: int, other: int, edition: Edition) -> bool:
    """Return whether so many cards of one side may lie at a group with so many of the other (D4, D5)."""
    limit = edition.total_limit
    return own <= edition.side_limit and (limit is None or own + other <= limit)


def _points(vote: Ballot, edition: Edition) -> Iterator[Margin]:
    """Yield more or fewer points on a side, by one card, philosophers left alone."""
    for side, column in enumerate(vote.columns):
        philosophers, total = column.count(PHILOSOPHER), sum(column)
        smallest: dict[tuple[bool, int], Margin] = {}
        tried: set[tuple[int, int]] = set()
        for changed in one_card_changes(column, has_room(vote, side, edition)):
            size = sum(changed) - total
            # As many cards with the same sum and as many philosophers among them fare alike.
            if changed.count(PHILOSOPHER) != philosophers or (size, len(changed)) in tried:
                continue
            tried.add((size, len(changed)))
            for margin in _turned(vote, edition, _beside(vote, side, changed), POINTS, side, size):
                best = smallest.setdefault((size > 0, margin.result), margin)
                if abs(size) < abs(best.size):
                    smallest[size > 0, margin.result] = margin
        yield from sorted(smallest.values(), key=lambda margin: abs(margin.size))


def _with_philosopher(vote: Ballot, edition: Edition) -> Iterator[Margin]:
    """Yield one philosopher more, in place of the lowest card where there is no room, or one fewer."""
    for side, column in enumerate(vote.columns):
        numbers = [card for card in column if card != PHILOSOPHER]
        rest = list(column)
        if not has_room(vote, side, edition):
            if not numbers:
                continue
            rest.remove(min(numbers))
        yield from _turned(vote, edition, _beside(vote, side, (*rest, PHILOSOPHER)), PHILOSOPHER_MORE, side)
    for side, column in enumerate(vote.columns):
        rest = list(column)
        if PHILOSOPHER in rest:
            rest.remove(PHILOSOPHER)
            yield from _turned(vote, edition, _beside(vote, side, tuple(rest)), PHILOSOPHER_LESS, side)


def _beside(vote: Ballot, side: int, changed: t.Cards) -> Columns:
    """Return a changed column beside the other one as it was."""
    rome, egypt = vote.columns
    return (changed, egypt) if side == ROME else (rome, changed)


def _turned(
    vote: Ballot, edition: Edition, columns: Columns, kind: str, side: int | None, size: int = 1, words: str = ""
) -> Iterator[Margin]:
    """Yield the change as a margin; none where the vote goes as it went, or too few cards are left to call it (I7)."""
    if vote.special and sum(map(len, columns)) < edition.special_threshold:
        return
    result = resolve(*columns, edition).winner
    if result != vote.rightful.winner:
        rome, egypt = map(high_to_low, columns)
        yield Margin(kind, side, size, result, (rome, egypt), words)


# ------------------------------------------------------------------------------------------------- what was done


def _undone(
    vote: Ballot, edition: Edition, since: Sequence[tuple[str, Event]], sees: tuple[bool, bool]
) -> Iterator[Margin]:
    """Yield actions since the last vote at the group that were played or vetoed, each taken back on its own."""
    for place, (turn, done) in enumerate(since):
        following = [later for _, later in since[place + 1 :]]
        if not isinstance(done.deed, t.Action) or _is_anywhere(done, following, vote.group, sees):
            continue
        columns = _without(vote, edition, done, following, sees)
        if columns is not None:
            yield from _turned(vote, edition, columns, UNDONE, None, words=_undoing(done, turn))


def _is_anywhere(done: Event, following: Sequence[Event], group: int, sees: tuple[bool, bool]) -> bool:
    """Return whether nobody can say where the cards of a group would lie without an action, a castling."""
    if not isinstance(done.deed, t.Castle):
        return False
    castler = done.before.active
    return (
        done.vetoed
        # What lay there face down may lie face down elsewhere now.
        or bool(done.before.sides[castler].hidden[group] and not sees[castler])
        # The card that was hit would have lain elsewhere, and perhaps another one in its place.
        or any(isinstance(later.deed, t.Assassinate) for later in following)
    )


def _without(
    vote: Ballot, edition: Edition, done: Event, following: Sequence[Event], sees: tuple[bool, bool]
) -> Columns | None:
    """Return the columns as they would have been at the vote; None where nobody can say what would have followed.

    Cards that may not be seen are looked at as little as in the record of who does not see them: they get the names
    that the vote showed, where it is certain which.
    """
    real = _lying(done.before, vote.group, sees)
    changed = [column[:] for column in real]
    _name_struck(done, changed)
    if not _carry_out(changed if done.vetoed else real, done, vote.group, edition, sees):
        return None
    for later in following:
        if not later.vetoed and not all(
            _carry_out(columns, later, vote.group, edition, sees) for columns in (changed, real)
        ):
            return None
    rome, egypt = map(_named, changed, real, vote.columns)
    return None if rome is None or egypt is None else (rome, egypt)


def _name_struck(done: Event, columns: Sequence[list[int]]) -> None:
    """Give a hidden card of the columns the name under which it was assassinated."""
    token, struck = done.deed, columns[1 - done.before.active]
    if done.vetoed:
        return
    if isinstance(token, t.Assassinate) and token.hidden and token.card is not None and SOME_INFLUENCE in struck:
        struck[struck.index(SOME_INFLUENCE)] = token.card


def _lying(state: State, group: int, sees: tuple[bool, bool]) -> list[list[int]]:
    """Return the cards of Rome and Egypt at a group, those unknown that may not be seen."""
    return [
        side.up[group] + (side.hidden[group] if seen else [SOME_INFLUENCE] * len(side.hidden[group]))
        for side, seen in zip(state.sides, sees, strict=True)
    ]


def _named(changed: list[int], real: list[int], shown: t.Cards) -> t.Cards | None:
    """Return a changed column with the names that the vote gave to the unknown cards of the real one."""
    unknown = changed.count(SOME_INFLUENCE)
    names = [*(Counter(shown) - Counter(real)).elements()]
    if unknown not in (0, len(names)) and (unknown > len(names) or len(set(names)) > 1):
        return None
    return tuple([card for card in changed if card != SOME_INFLUENCE] + names[:unknown])


def _carry_out(
    columns: Sequence[list[int]], done: Event, group: int, edition: Edition, sees: tuple[bool, bool]
) -> bool:
    """Do at the changed group what was done at the real one; return whether that could have been done."""
    token, side = done.deed, done.before.active
    own, other = columns[side], columns[1 - side]
    match token:
        case t.Place():
            own.append(token.card if sees[side] or not token.hidden else SOME_INFLUENCE)
            return _may_lie(len(own), len(other), edition)
        case t.Assassinate():
            card = _struck(done.before, token, other, sees[1 - side])
            if card not in other:
                return False
            other.remove(card)
        case t.Wrath():
            own.clear()
            other.clear()
        case t.Castle():
            if sorted(own) != sorted(_lying(done.before, group, sees)[side]):
                return False
            own[:] = _lying(done.state, group, sees)[side]
        case _:
            raise AssertionError(f"{token} moves no cards")
    return True


def _struck(before: State, token: t.Assassinate, column: Sequence[int], seen: bool) -> int:
    """Return the card of a column that an assassination hits; if it was vetoed, the one that lies where it was aimed.

    A hidden card is unknown where one of the column is.
    """
    if token.hidden and SOME_INFLUENCE in column:
        return SOME_INFLUENCE
    if token.card is not None:
        return token.card
    hidden = before.sides[1 - before.active].hidden[token.group]
    place = (token.position or 1) - 1
    known = seen and place < len(hidden) and (token.position or len(set(hidden)) == 1)
    return hidden[place] if known else SOME_INFLUENCE


def _undoing(done: Event, turn: str) -> str:
    """Return ``without the assassination of a 5 at 9R``."""
    token = done.deed
    if done.vetoed:
        return f"without {PLAYER_NAMES[1 - done.before.active]}'s veto at {turn}"
    if isinstance(token, t.Assassinate):
        victim = "a hidden card" if token.card in (None, SOME_INFLUENCE) else card_name(token.card or PHILOSOPHER)
        return f"without the assassination of {victim} at {turn}"
    return f"without the {bare_name(t.CARD_OF[type(token)])} at {turn}"


# ------------------------------------------------------------------------------------------------------ in words


def sentences(changes: Sequence[Margin]) -> tuple[str, ...]:
    """Return margins in words, those of one outcome together: ``one point more at Egypt or fewer at Rome: a tie``."""
    words = []
    for kind in (POINTS, PHILOSOPHER_MORE, PHILOSOPHER_LESS):
        alike = defaultdict(list)
        for margin in changes:
            if margin.kind == kind:
                alike[abs(margin.size), -margin.result].append(margin)
        for (size, result), same in sorted(alike.items()):
            what = f"{counted(size, 'point')} {_where(same)}" if kind == POINTS else _philosopher(same)
            words.append(f"{what}: {outcome_words(-result)}")
    return (*words, *[f"{margin.words}: {outcome_words(margin.result)}" for margin in changes if margin.kind == UNDONE])


def _where(same: Sequence[Margin]) -> str:
    """Return ``more at Egypt or fewer at Rome``."""
    more = [SIDE_NAMES[margin.side or 0] for margin in same if margin.size > 0]
    fewer = [SIDE_NAMES[margin.side or 0] for margin in same if margin.size < 0]
    parts = [f"{word} at {' or '.join(names)}" for word, names in (("more", more), ("fewer", fewer)) if names]
    return " or ".join(parts)


def _philosopher(same: Sequence[Margin]) -> str:
    """Return ``a philosopher more on either side``."""
    where = "on either side" if len(same) > 1 else f"at {SIDE_NAMES[same[0].side or 0]}"
    return f"a philosopher {'more' if same[0].kind == PHILOSOPHER_MORE else 'fewer'} {where}"
