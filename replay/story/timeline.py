"""The timeline: a game turn by turn, in notation and as events, with votes, annotations and the table after each turn.

Every rendering is made from this one model. It is built for one point of view and holds nothing hidden from it, except
for the states behind it, which should only be passed to :func:`tironian.replay.knowledge.table_view.look`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.classes import dataclass, require_type
from ...notation.diagnostic import ERROR, RULED
from ...notation.fingerprint import unsigned
from ...notation.language import PLAYERS, phrase
from ...notation.notebooks import display
from ...notation.reader import Game, as_game
from ...notation.record import Alternative, BadLine, Comment, Follower, Record, Result, Ruling, Turn
from ...notation.writer import result_text, ruling_text, token_text, turn_text
from ..diagnostics.fact_words import ENDINGS
from ..editions.edition import Edition
from ..engine.findings import AT_END, Finding
from ..engine.headers import ChosenView, HeaderInfo, View, read_headers
from ..engine.replay import Replay, Step, as_announced, replay_game, replay_turn
from ..engine.result import GameEnd, game_end, no_table_reason
from ..engine.rulings import is_taken_back, penalties, rulings
from ..engine.run import set_up_lines
from ..knowledge.redaction import (
    KNOWN_HEADERS,
    left_out,
    seen_opening,
    seen_tokens,
    seen_verdicts,
    sees_no_more,
    views_for,
)
from ..knowledge.table_view import TableView, points_at, view_table
from ..rules.scoring import Verdicts
from ..rules.state import State
from .annotations import NOTED, Annotation, Annotator
from .events import Event, event_of
from .expectation import Expectation, Seeing, expected
from .turn_statuses import NOT_FOLLOWED, PLAYED, SET_UP, TAKEN_BACK

_OF_STATES: Final = "a state, such as entry.state"


class Remark(NamedTuple):
    """Something that accompanies the play: a ``comment``, an ``alternative``, a ``ruling``, or an ``unread`` line.

    ``at`` is the number of tokens before a comment within the line, otherwise None; ``in_line`` says that a comment is
    in the turn's own line, possibly at its end.
    """

    kind: str
    at: int | None
    text: str
    in_line: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn line. ``play`` is its text in the notation; ``state`` is the state at its end, None if it wasn't played.

    ``tokens`` are the tokens in ``play``, without what is hidden. ``events`` are the tokens of a turn that were
    carried out; ``rest`` are those that were not, as written. ``marks`` are glyphs and clocks. ``status`` is
    ``set-up``, ``played``, ``taken back`` or ``not followed``. ``alternatives`` are the turns that the record gives as
    alternatives to this one, or as continuations of such a turn, played on a separate table.

    >>> entry = tironian.timeline(record).entries[2]
    >>> entry.label, entry.player, entry.status, entry.written
    ('1R', 'Caesar', 'played', '1R 5K (4)C +25')
    """

    number: int
    side: int
    status: str
    play: str
    tokens: tuple[t.Token, ...]
    events: tuple[Event, ...]
    rest: str
    marks: tuple[str, ...]
    remarks: tuple[Remark, ...]
    annotations: tuple[Annotation, ...]
    state: State | None
    alternatives: tuple[Entry, ...] = ()

    @property
    def label(self) -> str:
        """Return the turn's number and side: ``12E``."""
        return f"{self.number}{'RE'[self.side]}"

    @property
    def written(self) -> str:
        """Return the line as it is written."""
        return f"{self.label} {self.play}" if self.play else self.label

    @property
    def player(self) -> str:
        """Return the player: ``Caesar`` or ``Cleopatra``."""
        return PLAYERS[self.side].name


@dataclass(frozen=True, slots=True, repr=False)
class Timeline:
    """A whole game from one point of view.

    ``headers`` are as written, without the recorder's own if remarks are withheld; ``preface`` and ``epilogue`` are the
    remarks before the first and after the last line; ``result`` is the last line as written, ``summary`` the outcome
    according to the replay; ``ended`` says why the game is over, and is empty if it is not. ``stopped`` is the turn (or
    ``the set-up``) beyond which the cards could not be followed, empty if they could. ``withheld`` counts remarks left
    out because they may name what is hidden from ``view``. ``closing`` is what tables show at the end. ``expecting``
    says that odds were asked for, although some events may have none.

    >>> told = tironian.timeline(record, "table")
    >>> print(told.entries[2].written, told.summary, sep="\\n")
    1R 5K (i)C +ii
    Rome 19, Egypt 10: Rome wins
    """

    game: int
    edition: Edition
    view: View
    headers: tuple[tuple[str, str], ...]
    preface: tuple[Remark, ...]
    start: State
    entries: tuple[Entry, ...]
    result: str
    epilogue: tuple[Remark, ...]
    summary: str
    ended: str
    stopped: str
    withheld: int
    verdicts: Verdicts
    closing: GameEnd
    expecting: bool = False

    def __repr__(self) -> str:
        return f"<Timeline of game {self.game}: {len(self.entries)} turn lines, seen by {self.view}>"

    def _repr_html_(self) -> str | None:
        """Return the title, outcome and turns, for notebooks."""
        return display(self, "timeline_html")

    def header(self, name: str) -> str:
        """Return the value of a header, or empty text if there is none."""
        require_type(name, str, "the name of a header")
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def left_out(self) -> str:
        """Return a sentence about which part of the record isn't shown, and why; empty if everything is."""
        return left_out(self.withheld, self.view)

    def table(self, state: State) -> TableView:
        """Return the table of a state, as this timeline's point of view sees it."""
        require_type(state, State, _OF_STATES)
        return view_table(state, self.view, self.closing)

    def is_over(self, state: State) -> bool:
        """Return whether the table shows the game as over by the rules."""
        require_type(state, State, _OF_STATES)
        return bool(self.closing.ending if self.closing.holds(state) else state.ended)

    def points(self, state: State) -> tuple[int, int]:
        """Return Rome's and Egypt's points in a state, as the table shows them."""
        require_type(state, State, _OF_STATES)
        return points_at(state, self.closing)


class NoTimeline(ValueError):
    """Raised if a game has no timeline; the text says why.

    >>> tironian.timeline(tironian.Record())
    Traceback (most recent call last):
    ...
    NoTimeline: the rule set of this game is unknown; name it with --rules
    """


def replayed(game: Game, rules: str = "") -> Replay:
    """Return the replay of a game for its timeline. Raise NoTimeline if the rule set is not known."""
    if read_headers(game.record, rules).edition is None:
        raise NoTimeline(phrase("the rule set of this game is unknown; name it with --rules"))
    return replay_game(game, rules)


def timeline(game: Game | Record, view: ChosenView = "", rules: str = "", *, played: Replay | None = None) -> Timeline:
    """Return the timeline of a game as seen by ``view``, one of VIEWS, by default the record's writer.

    ``rules`` names the rule set if the record's headers don't; ``played`` is the game's replay if there is one already.
    Raise NoTimeline if the rule set is not known or the set-up cannot be followed.

    >>> turn = tironian.timeline(record).entries[2]
    >>> print(turn.written, *map(tironian.words, turn.events), sep="\\n")
    1R 5K (4)C +25
    places a 5 face up at the Consuls
    places a 4 face down at the Censors
    draws a 5 and a 2
    """
    game = as_game(game)
    record = game.record
    frame = read_headers(record, rules)
    played = as_announced(played or replayed(game, rules))
    if not played.steps:
        raise NoTimeline(no_table_reason(record, frame, played.run))
    view = view or frame.view
    teller = _Teller(played, record, view, frame)
    entries = tuple(teller.entries(record))
    run = played.run
    last = next((entry.label for entry in reversed(entries) if entry.status == PLAYED), phrase("the set-up"))
    end = game_end(record, frame, run, played.steps[-1].state)
    return Timeline(
        game=game.number,
        edition=teller.edition,
        view=view,
        headers=teller.headers(record),
        preface=teller.remarks(record.preface),
        start=played.steps[0].state,
        entries=entries,
        result=teller.result(record.result),
        epilogue=teller.remarks(record.result.after) if record.result else (),
        summary=end.summary,
        ended=phrase(ENDINGS[end.ending]) if end.ending in ENDINGS else "",
        stopped=last if run.stopped else "",
        withheld=teller.withheld,
        verdicts=record.result.verdicts if record.result else (),
        closing=end,
    )


def with_odds(
    timeline: Timeline, game: Game, rules: str = "", *, played: Replay | None = None, seeing: Seeing | None = None
) -> Timeline:
    """Return the timeline of a game with the odds of each vote.

    The odds are for the timeline's point of view, or for both players if it sees everything. ``rules`` and ``played``
    are as for the timeline; ``seeing`` receives everything that is seen. After an irregularity there may be no odds,
    since the cards need not add up.
    """
    known = views_for(read_headers(game.record, rules).view)
    expectations: dict[tuple[int, int], list[Expectation]] = defaultdict(list)
    for view in watchers(timeline.view):
        for place, outlook in expected(game, view, rules, played, seeing).items() if view in known else ():
            expectations[place].append(Expectation(view, outlook))
    entries = []
    for place, entry in enumerate(timeline.entries):
        events = tuple([event._replace(odds=tuple(expectations[place, event.at])) for event in entry.events])
        entries.append(replace(entry, events=events))
    return replace(timeline, entries=tuple(entries), expecting=True)


def watchers(view: str) -> tuple[str, ...]:
    """Return the points of view whose odds a timeline gives: both players for the arbiter."""
    return ("caesar", "cleopatra") if view == "arbiter" else (view,)


class _Teller:
    """Goes through a record and its replay side by side."""

    def __init__(self, played: Replay, record: Record, view: str, frame: HeaderInfo) -> None:
        self.view = view
        self.position = frame.position
        self.edition, self.agreed = played.run.edition, played.run.agreed
        self.open = sees_no_more(frame.view, view)
        """Whether the record's own words may be shown: their writer knew nothing that the reader may not know."""
        self.viewpoint = "arbiter" if self.open else view
        self.withheld = 0
        self.steps: dict[int, list[Step]] = defaultdict(list)
        for step in played.steps:
            if step.turn is not None:
                self.steps[step.place].append(step)
        self.findings: dict[int, list[Finding]] = defaultdict(list)
        for finding in played.run.findings:
            passes = finding.severity == RULED or finding.fault.code in played.run.agreed
            if finding.turn is not None and (finding.severity == ERROR or passes):
                self.findings[finding.place].append(finding)
        self.openings = set_up_lines(record.turns).values()
        self.state = played.steps[0].state
        self.annotator = Annotator(self.state, view)

    def entries(self, record: Record) -> Iterator[Entry]:
        for place, turn in enumerate(record.turns):
            status = self._status(turn, place)
            followed = status in (PLAYED, SET_UP)
            if not turn.number and status != PLAYED:
                shown = seen_opening(turn, self.viewpoint, self.edition, position=self.position)
            else:
                shown = seen_tokens(turn, self.viewpoint)
            texts = [*map(token_text, shown)]
            irregular = [*self._faults(turn, place), *self._decided(turn, status)]
            before = self.state
            if status == PLAYED and any(penalties(turn)):
                irregular += self.annotator.turned(self.steps[place][0].state, None)
            events, annotations = self._events(turn, place, shown, texts)
            yield Entry(
                turn.number,
                turn.side,
                status,
                " ".join(texts),
                shown,
                events,
                "" if status == SET_UP else " ".join(texts[len(events) :]),
                turn.marks,
                (*self.remarks(turn.notes, in_line=True), *self.remarks(turn.after)),
                (*irregular, *annotations),
                self.state if followed else None,
                tuple(self._alternatives(turn, before)) if self.open and status == PLAYED else (),
            )

    def _status(self, turn: Turn, place: int) -> str:
        if is_taken_back(turn):
            return TAKEN_BACK
        if self.steps.get(place):
            return PLAYED
        return SET_UP if place in self.openings else NOT_FOLLOWED

    def _events(
        self, turn: Turn, place: int, shown: tuple[t.Token, ...], texts: Sequence[str]
    ) -> tuple[tuple[Event, ...], tuple[Annotation, ...]]:
        events: list[Event] = []
        annotations: list[Annotation] = []
        for step in self.steps.get(place, ()):
            before, self.state = self.state, step.state
            if step.at == AT_END:
                continue
            event = event_of(turn, step, shown[step.at], texts[step.at], before)
            events.append(event)
            if event.actual.__class__ in NOTED:
                annotations += self.annotator.notice(event, turn.tokens[step.at - 1] if step.at else None)
        return tuple(events), tuple(annotations)

    def _alternatives(self, turn: Turn, before: State) -> Iterator[Entry]:
        """Yield the turns that could have been played instead of this one, as far as they can be followed."""
        state = before
        for other in [follower.turn for follower in turn.after if isinstance(follower, Alternative)]:
            if other.label == turn.label:
                state = before
            events: list[Event] = []
            for step in replay_turn(state, other):
                if step.token is not None:
                    text = token_text(step.token)
                    events.append(event_of(other, step, step.token, text, state))
                state = step.state
            texts = [*map(token_text, other.tokens)]
            play, rest = " ".join(texts), " ".join(texts[len(events) :])
            yield Entry(
                *(other.number, other.side, PLAYED, play, other.tokens, tuple(events), rest, other.marks),
                *(self.remarks(other.notes, in_line=True), (), state),
            )

    def _faults(self, turn: Turn, place: int) -> Iterator[Annotation]:
        """Yield the faults found in a turn, and whether they were let stand."""
        for finding in self.findings.get(place, ()):
            code, ruled = finding.fault.code, finding.severity == RULED
            agreed = "" if ruled else self.agreed.get(code, "")
            at = finding.at if finding.at is None or finding.at >= 0 else None
            facts = {"code": code, "finding": finding if self.open else None, "ruled": ruled, "agreed": agreed}
            yield Annotation("irregularity", at, turn.side, facts, "" if ruled or agreed else code)

    def _decided(self, turn: Turn, status: str) -> Iterator[Annotation]:
        """Yield what the arbiter decided about a turn."""
        for ruling in rulings(turn):
            if status == TAKEN_BACK and ruling.decision == "back":
                yield Annotation("irregularity", None, ruling.side, {"taken_back": ruling.codes})
            if ruling.points and status in (PLAYED, SET_UP):
                yield Annotation("irregularity", None, ruling.side, {"points": ruling.points})

    def headers(self, record: Record) -> tuple[tuple[str, str], ...]:
        """Return the headers that may be shown; the recorder's own headers may say anything, just like comments."""
        if self.open:
            return record.headers
        headers = unsigned(record.headers)
        known = tuple([header for header in headers if header[0].lower() in KNOWN_HEADERS])
        self.withheld += len(headers) - len(known)
        return known

    def result(self, line: Result | None) -> str:
        """Return the result line as written, with its comments only if remarks are shown."""
        if line is None:
            return ""
        self.withheld += 0 if self.open else len(line.notes)
        return result_text(line if self.open else Result(line.points, line.winner, seen_verdicts(line, self.viewpoint)))

    def remarks(self, lines: Iterable[Follower | Comment], *, in_line: bool = False) -> tuple[Remark, ...]:
        """Return lines and comments as remarks, without those that may reveal something hidden."""
        remarks: list[Remark] = []
        for line in lines:
            if isinstance(line, Ruling):
                bare = Ruling(line.side, line.decision, line.codes, line.points)
                remarks.append(Remark("ruling", None, ruling_text(line if self.open else bare).removeprefix("% ")))
            elif not self.open:
                self.withheld += 1
            elif isinstance(line, Comment):
                remarks.append(Remark("comment", line.after, line.text, in_line))
            elif isinstance(line, Alternative):
                remarks.append(Remark("alternative", None, turn_text(line.turn)))
            elif isinstance(line, BadLine):
                remarks.append(Remark("unread", None, line.text))
        return tuple(remarks)
