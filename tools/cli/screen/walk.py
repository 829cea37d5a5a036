"""Walking through a game: the current place, where to go from there, and what can be seen. No screen is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ....notation.language import phrase, plural
from ....replay.engine.api import TURNED_UP, VIEWS, Address, View, read_moment
from ....replay.knowledge.api import TableView
from ....replay.rules.api import State
from ....replay.story.api import NOT_FOLLOWED, SET_UP, Entry, Event, Timeline, VoteScene, turned_up, vote_scene
from ....replay.story.votes import VoteTree, trees


class Stop(NamedTuple):
    """A place to stop: the table before the first turn, a played token, a line without tokens, or the end.

    ``label`` is typed to go there, such as ``7E.2``; ``state`` is the table, including hidden cards. ``entry`` and
    ``event`` are the indices of its line and of the token in it, -1 if there is none. ``last`` says that nothing more
    in its line follows; ``turned_up`` says that the token is a vote of which only the cards have been turned up.
    """

    label: str
    state: State
    entry: int = -1
    event: int = -1
    last: bool = True
    turned_up: bool = False


class Walk:
    """One person's way through a game.

    ``make_timeline`` makes the timeline for a point of view, ``make_trees`` its votes; they are called once for each
    point of view that is used. Each method that goes somewhere returns whether it could.
    """

    def __init__(
        self,
        make_timeline: Callable[[View], Timeline],
        view: View,
        views: tuple[View, ...] = VIEWS,
        make_trees: Callable[[Timeline], Sequence[VoteTree]] = trees,
    ) -> None:
        self._tell = cache(make_timeline)
        self._trees = cache(lambda view: make_trees(self._tell(view)))
        self.view = view
        self.views = views
        self.stops = tuple(_stops(self.timeline))
        """Every place to stop; the places are the same from every point of view."""
        self.place = 0
        self._votes = [place for place, stop in enumerate(self.stops) if stop.turned_up]

    # ------------------------------------------------------------------------------------- what is to be seen

    @property
    def timeline(self) -> Timeline:
        """Return the game from the current point of view."""
        return self._tell(self.view)

    @property
    def stop(self) -> Stop:
        """Return the current place."""
        return self.stops[self.place]

    @property
    def entry(self) -> Entry | None:
        """Return the turn line, None for the set-up and the end."""
        return self.timeline.entries[self.stop.entry] if self.stop.entry >= 0 else None

    @property
    def event(self) -> Event | None:
        """Return the token that was just played, if it was one."""
        stop = self.stop
        return self.timeline.entries[stop.entry].events[stop.event] if stop.event >= 0 else None

    @property
    def table(self) -> TableView:
        """Return the table here, as the point of view sees it."""
        return self.timeline.table(self.stop.state)

    @property
    def tree(self) -> VoteTree | None:
        """Return the decision tree of the vote that was just decided, if it was one."""
        if self.place - 1 not in self._votes:
            return None
        return self._trees(self.view)[self._votes.index(self.place - 1)]

    @property
    def scene(self) -> VoteScene | None:
        """Return the vote that is held here (in both of its steps); None elsewhere."""
        return vote_scene(self.event) if self.event is not None and self.event.ballot is not None else None

    # ---------------------------------------------------------------------------------------------- where to go

    def to(self, place: int) -> bool:
        """Go to a stop; return whether it is a different one."""
        there = 0 <= place < len(self.stops) and place != self.place
        if there:
            self.place = place
        return there

    def step(self, direction: int) -> bool:
        """Go one step forward, or back with a pace of -1."""
        return self.to(self.place + direction)

    def last(self) -> bool:
        """Go to the end."""
        return self.to(len(self.stops) - 1)

    def turn(self, direction: int) -> bool:
        """Go to the end of the next turn, or of the previous one."""
        return self._seek(direction, [place for place, stop in enumerate(self.stops) if stop.last])

    def vote(self, direction: int) -> bool:
        """Go to the point where the cards of the next or previous vote, of any kind, are turned up."""
        return self._seek(direction, self._votes)

    def _seek(self, direction: int, places: list[int]) -> bool:
        return self.to(next((place for place in places[::direction] if place * direction > self.place * direction), -1))

    def go(self, text: str) -> str:
        """Go to a moment, ``7E``, ``7E.2`` or ``7E.2v``; return what is wrong with it, empty if nothing is."""
        moment = read_moment(text)
        if moment is None:
            return phrase("write a turn, 7E, or a token in it, 7E.2; a vote before it is decided, 7E.2v")
        place = 0 if moment.label in ("0R", "0E") else self._place_of(moment)
        if place is None:
            return self._why_not(moment)
        self.place = place
        return ""

    def _place_of(self, moment: Address) -> int | None:
        """Return where a turn ends, or where one of its tokens was played; for a turn played twice, the second time."""
        label, tokens, turned_up = moment
        lines = [number for number, entry in enumerate(self.timeline.entries) if entry.label == label]
        stops = [(place, stop) for place, stop in enumerate(self.stops) if stop.entry in lines][::-1]
        if tokens == 0 and not turned_up:
            return next((place - 1 for place, stop in stops if self.stops[place - 1].entry != stop.entry), None)
        wanted = (
            place
            for place, stop in stops
            if stop.turned_up == turned_up and (stop.last if tokens is None else stop.event == tokens - 1)
        )
        return next(wanted, None)

    def _why_not(self, moment: Address) -> str:
        label, tokens, turned_up = moment
        if turned_up and self._place_of(Address(label, tokens)) is not None:
            return phrase("{turn}.{token} is not a vote", turn=label, token=tokens)
        entries = [entry for entry in self.timeline.entries if entry.label == label]
        if not entries:
            return phrase("there is no turn {turn} in this record", turn=label)
        if tokens is None or entries[-1].status == NOT_FOLLOWED:
            return phrase("the cards can't be followed to {turn}", turn=label)
        count = len(entries[-1].events)
        if label == self.timeline.stopped:
            return phrase("the cards can't be followed to {turn}.{token}", turn=label, token=tokens)
        return plural("{turn} has only {count} token", "{turn} has only {count} tokens", count, turn=label)

    def next_view(self) -> bool:
        """Change to the next point of view, at the same place."""
        here = self.views.index(self.view)
        self.view = self.views[(here + 1) % len(self.views)]
        return len(self.views) > 1


def _stops(timeline: Timeline) -> Iterator[Stop]:
    state = final = timeline.start
    yield Stop(phrase("the set-up"), state)
    for number, entry in enumerate(timeline.entries):
        for at, event in enumerate(entry.events):
            label = f"{entry.label}.{at + 1}"
            if event.ballot is not None:
                up = turned_up(event.before, event.actual)
                yield Stop(label + TURNED_UP, up, number, at, last=False, turned_up=True)
            state = event.state
            yield Stop(label, state, number, at, event is entry.events[-1])
        if not entry.events and entry.status != SET_UP:
            yield Stop(entry.label, state, number)
        final = entry.state or final  # differs from the place after the last token if the game is over
    if timeline.stopped or timeline.result or timeline.ended or timeline.epilogue:
        yield Stop(phrase("the end"), final)
