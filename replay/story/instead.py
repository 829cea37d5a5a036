"""What each side could have done about a vote, with the cards that it held, in its last turn before the vote.

The engine tries each option: it carries it out instead of what was done, or in addition, and then plays everything that
followed up to the vote unchanged, as far as it is legal. It uses the states and tokens that the point of view knows, so
nothing hidden from it plays a part; but the cards that the vote showed are known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, SOME_INFLUENCE, TIE, is_known
from ...notation.codes import Codes, encode
from ..engine.headers import PLAYERS
from ..engine.play import carry_out, target
from ..engine.shown import Ballot, chances, with_shown_cards
from ..knowledge.ledger import Moment, TableCard
from ..knowledge.outlook import Spread, Watcher, outlook_of
from ..knowledge.redaction import seen_token
from ..knowledge.table_view import SEES
from ..rules.mechanics import ImpossibleMoveError, MissingCardsError
from ..rules.mechanics.turns import end_turn
from ..rules.moves.actions import may_veto
from ..rules.state import State
from ..rules.vote_outcome import resolve
from .events import Event, Prevented, prevented
from .timeline import PLAYED, Entry, Timeline
from .what_if import Decision, Possibility, faults_of, struck

MOST: Final = 6
"""How many options of a side are listed; the others are counted."""
Range = tuple[int, int]
"""The lowest and the highest possible sum; equal if it is known."""
Costs = Mapping[tuple[str, int, str], float]
"""The results of an analysis: turn, place of the token in it, and a possible move there (in the notation) → how much
better that move would have been than the played one, in chances of winning.
"""
Result = tuple[tuple[Range, Range], int | None]
"""Rome's and Egypt's sums at a vote, and who wins it: a side or TIE, None if that is open."""
Columns = tuple[list[int], list[int]]
"""Rome's and Egypt's cards at a group."""
_FIRST_STEP: Final = (t.Place, *t.ACTIONS)
_MOVING: Final = {cls for cls in _FIRST_STEP if t.KINDS[cls].moves}
"""The tokens of a turn's first step that move cards."""
AS_PLAYED, MOVE, WITHOUT, VETO, ALLOW = "played", "move", "without", "veto", "allow"
"""What an option is: what was played, another move, everything but a move, a veto, or none."""
_AS_WELL, _MOVED, _OTHER = range(3)
"""What an option needs: only its card, a card from elsewhere, or another card instead of one. The first is
preferred.
"""


class Instead(NamedTuple):
    """Something that ``side`` could have done, with the cards that it held, in its last turn before the vote.

    ``turn`` is the label of that turn: the vote's own turn for the mover and for a veto, otherwise the last one before
    it. ``kind`` says what the option is: AS_PLAYED, MOVE, WITHOUT (something else), VETO or ALLOW. ``tokens`` replace
    the token at the place ``at``, or come before it if that token stays; there are none if nothing is done.
    ``replaces`` is the token that it replaces, None if it comes ``as_well``, ``action`` the one that it vetoes or
    allows. Then the other side could not have played ``lost``, and the vote is not ``called`` at all. ``first`` is the
    result of a special vote there that only then comes first, ``missed`` who won the one that then no longer does; both
    are None if there is none. ``sums`` are Rome's and Egypt's at this vote then, ``winner`` is who wins it (a side or
    TIE; None if that is open, or no vote is called). ``chance`` is how likely that
    side was to win a vote there, as far as its player could know; None if odds were not asked for, or another vote came
    first. ``cost`` is how much better it would have been for the game according to an analysis (negative: worse), None
    without one.
    """

    side: int
    turn: str
    at: int
    kind: str
    tokens: tuple[t.Token, ...]
    sums: tuple[Range, Range]
    winner: int | None
    replaces: t.Token | None = None
    action: Prevented | None = None
    as_well: bool = False
    may_be_vetoed: bool = False
    lost: tuple[t.Token, ...] = ()
    first: Result | None = None
    missed: int | None = None
    called: bool = True
    chance: Fraction | None = None
    cost: float | None = None
    was_played: bool = False

    @property
    def lower(self) -> bool:
        """Return whether the lower sum wins."""
        if self.winner in (None, TIE):
            return False
        return self.sums[self.winner] < self.sums[1 - self.winner]


class Margin(NamedTuple):
    """An action, or a veto against one, without which the vote would have gone to ``result`` (a side or TIE).

    ``sums`` are Rome's and Egypt's without it. ``kind`` is ``veto``, or the action's word, such as ``assassination``;
    ``token`` is the action, also the vetoed one, at the place ``at`` in ``turn``.
    """

    result: int
    sums: tuple[Range, Range]
    kind: str
    turn: str
    at: int
    token: t.Action


class _Done(NamedTuple):
    """A token of the game with its codes, and whether it was vetoed. ``forced`` says that its turn was irregular but
    was let stand. ``winner`` is who won it if it is a vote.
    """

    token: t.Token
    codes: Codes
    vetoed: bool
    forced: bool
    winner: int | None


Moves = tuple[tuple[t.Token | None, bool], ...]
"""What is carried out; None stands for nothing. The flag marks an action that is only announced."""


class _Option(NamedTuple):
    """Something to try at a decision: ``moves`` replace as many tokens as ``over`` says; there are none for what was
    played. ``tokens`` are its tokens from the place ``at`` on, and ``price`` is what it needs; the other fields are as
    in :class:`Instead`.
    """

    decision: Decision
    moves: Moves
    over: int
    at: int
    kind: str
    tokens: tuple[t.Token, ...]
    price: int = _OTHER
    choice: Possibility | None = None
    replaces: t.Token | None = None
    action: Prevented | None = None
    as_well: bool = False


class _Way:
    """A way to a vote while it is played: ``own`` are the cards that the deciding side had at the group when its turn
    was over, ``hits`` what it did to the other side's cards, ``lost`` and ``lost_later`` what it or the other side
    could no longer do. ``between`` says that another vote at the group came in between, ``called`` that this vote is
    called. ``extra`` are the cards at each such vote that is new, ``missed`` is who won one that no longer came.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.columns: Columns = ([], [])
        self.own: t.Cards = ()
        self.hits: list[t.Token] = []
        self.lost: list[t.Token] = []
        self.lost_later: list[t.Token] = []
        self.extra: list[Columns] = []
        self.missed: int | None = None
        self.between, self.called = False, True


class _Tried(NamedTuple):
    """An option and its effect, as in :class:`Instead`."""

    option: _Option
    way: _Way
    sums: tuple[Range, Range]
    winner: int | None
    first: Result | None
    cost: float | None
    chance: Fraction | None = None

    def key(self) -> tuple[int, Fraction, float]:
        """Return a key that sorts the options of a side, the best first."""
        order = {self.option.decision.side: 0, None: 1, TIE: 2}
        return order.get(self.winner, 3), -(self.chance or Fraction(0)), -(self.cost or 0.0)


class Alternatives:
    """The options at ``votes`` of a timeline, each given by its turn and its place there, from the ``decisions`` of its
    point of view.

    Chances come from :meth:`see`, which takes in the game as its players saw it.
    """

    def __init__(
        self,
        timeline: Timeline,
        decisions: Sequence[Decision],
        votes: Sequence[tuple[int, int]],
        costs: Costs | None = None,
    ) -> None:
        self.timeline, self.costs = timeline, costs or {}
        self.by_turn: dict[int, list[Decision]] = defaultdict(list)
        for decision in decisions:
            self.by_turn[decision.turn].append(decision)
        self.lines: dict[int, list[_Done]] = {}
        self.tried: dict[tuple[int, int], list[_Tried]] = {}
        self.undone: dict[tuple[int, int], tuple[Margin, ...]] = {}
        self.turn_odds: dict[tuple[str, int, int], tuple[Fraction, Fraction, Fraction, Fraction]] = {}
        for turn, at in votes:
            ballot = self._event(turn, at).ballot
            assert ballot is not None
            vote = _OneVote(self, turn, at, ballot)
            self.tried[turn, at] = [*vote.tried()]
            self.undone[turn, at] = tuple(vote.undone())
        self.due = {side: self._due(side) for side in (ROME, EGYPT)}

    def of(self, turn: int, at: int) -> tuple[tuple[Instead, ...], tuple[int, int]]:
        """Return the options at the vote at this place, best first for each side, and how many more each side had."""
        found: list[Instead] = []
        more = [0, 0]
        for side in (ROME, EGYPT):
            own = sorted([each for each in self.tried[turn, at] if each.option.decision.side == side], key=_Tried.key)
            kept = own[:MOST]
            if played := [each for each in own[MOST:] if not each.option.moves]:
                kept[-1:] = played
            found += map(self._fact, kept)
            more[side] = len(own) - len(kept)
        return tuple(found), (more[ROME], more[EGYPT])

    def _fact(self, tried: _Tried) -> Instead:
        option, way = tried.option, tried.way
        decision, new = option.decision, option.tokens
        return Instead(
            decision.side,
            self.timeline.entries[decision.turn].label,
            option.at,
            option.kind,
            new,
            tried.sums,
            tried.winner,
            option.replaces,
            option.action,
            option.as_well,
            option.kind == MOVE and isinstance(new[0], t.ACTIONS) and may_veto(decision.before),
            tuple(way.lost_later),
            tried.first,
            way.missed,
            way.called,
            tried.chance,
            tried.cost,
            not option.moves,
        )

    def line(self, place: int) -> list[_Done]:
        """Return the tokens of a turn as the point of view knows them."""
        if place not in self.lines:
            entry = self.timeline.entries[place]
            forced = any(note.kind == "irregularity" for note in entry.annotations)
            self.lines[place] = [self._done(entry, event, forced) for event in entry.events]
        return self.lines[place]

    def _done(self, entry: Entry, event: Event, forced: bool) -> _Done:
        actual = event.actual if event.vetoed else with_shown_cards(event.before, event.actual)
        token = seen_token(actual, entry.side, self.timeline.view, event.vetoed)
        # The result of a vote by its cards, not according to the record.
        written = replace(token, winner=None) if isinstance(token, t.Vote | t.SpecialVote) else token
        winner = event.ballot.outcome.winner if event.ballot else None
        return _Done(token, encode(written), event.vetoed, forced, winner)

    def cost_of(self, decision: Decision, option: Possibility) -> float | None:
        """Return what an analysis says about an option, if anything."""
        if not self.costs:
            return None
        return self.costs.get((self.timeline.entries[decision.turn].label, decision.at, option.written))

    # ------------------------------------------------------------------------------------------------------ chances

    def _due(self, side: int) -> list[tuple[int, int, tuple[int, int], int]]:
        """Return the options of a side with known chances, each with turn and place of its decision."""
        found = [
            (each.option.decision.turn, each.option.decision.at, vote, place)
            for vote, tried in self.tried.items()
            for place, each in enumerate(tried)
            if each.option.decision.side == side and not each.way.between and all(map(is_known, each.way.own))
        ]
        return sorted(found, reverse=True)

    def see(self, view: str, watcher: Watcher, moment: Moment | None) -> None:
        """Take in what ``view`` knew at a moment of the game, or at its end."""
        if view in PLAYERS:
            side = PLAYERS.index(view)
            due, spreads = self.due[side], dict[object, Spread]()
            while due and (moment is None or (moment.turn, moment.at) >= due[-1][:2]):
                *_, vote, place = due.pop()
                tried = self.tried[vote][place]
                self.tried[vote][place] = tried._replace(chance=self._chance(tried, side, watcher, vote, spreads))
        if moment is not None and isinstance(moment.token, t.Vote):
            self._see_turn(view, watcher, moment)

    def _chance(
        self, tried: _Tried, side: int, watcher: Watcher, vote: tuple[int, int], spreads: dict[object, Spread]
    ) -> Fraction:
        """Return how likely the side of an option was to win a vote, as far as its player could know."""
        ballot = self._event(*vote).ballot
        assert ballot is not None
        own, hits = tried.way.own, tuple(tried.way.hits)
        if (ballot.group, hits) not in spreads:
            column: Sequence[TableCard] = watcher.tracker.columns[1 - side][ballot.group]
            for hit in hits:
                column = struck(hit, column)
            spreads[ballot.group, hits] = watcher.spread(1 - side, column)
        both = [spreads[ballot.group, hits]] * 2
        both[side] = {(sum(own), own.count(PHILOSOPHER)): Fraction(1)}
        return outlook_of(ballot.group, both[ROME], both[EGYPT], watcher.edition).wins[side]

    def _see_turn(self, view: str, watcher: Watcher, moment: Moment) -> None:
        """Note how likely each outcome of a turn's vote was before the bust or vote card was drawn. The cards may be
        followed further than the game is told: then there is nothing to note.
        """
        if not any(event.at == moment.at for event in self.timeline.entries[moment.turn].events):
            return
        before = self._event(moment.turn, moment.at).before
        could, sums = chances(before), [Fraction(0)] * 3
        for group in could.groups:
            if before.left[group]:
                sums = [have + more for have, more in zip(sums, watcher.at(group).wins, strict=True)]
        rome, egypt, tie = [odds / could.total for odds in sums]
        self.turn_odds[view, moment.turn, moment.at] = rome, egypt, tie, 1 - rome - egypt - tie

    def _event(self, turn: int, at: int) -> Event:
        return next(event for event in self.timeline.entries[turn].events if event.at == at)


class _OneVote:
    """A vote for which options are tried: the token at the place ``at`` of a ``turn``."""

    def __init__(self, all_of: Alternatives, turn: int, at: int, ballot: Ballot) -> None:
        self.all_of, self.turn, self.at, self.ballot, self.group = all_of, turn, at, ballot, ballot.group
        self.entries, self.edition = all_of.timeline.entries, all_of.timeline.edition
        self.special, self.sees = encode(t.SpecialVote(self.group)), SEES[all_of.timeline.view]
        mover = self.entries[turn].side
        earlier = [place for place in range(turn) if self.entries[place].status == PLAYED]
        self.turns = [turn, *[place for place in earlier if self.entries[place].side != mover][-1:]]
        """The vote's turn, and the other side's last turn before it."""
        self.before = self._before()
        """The columns as the point of view knew them before the vote showed them; None if that can't be said."""

    def _before(self) -> Columns | None:
        for place in range(self.turn, -1, -1):
            for decision in self.all_of.by_turn[place][::-1]:
                if place < self.turn or decision.at <= self.at:
                    way = _Way(decision.before.copy())
                    with suppress(ImpossibleMoveError, MissingCardsError):
                        return way.columns if self._follow(way, decision, decision.at) else None
                    return None
        return None

    def tried(self) -> Iterator[_Tried]:
        """Yield what each side could have done: the mover in the vote's turn, the other side in its last turn before
        it.
        """
        yield from self._distinct([*self._in_turn(self.turn, self.at)])
        options = [*self._in_turn(self.turns[1], len(self.entries[self.turns[1]].tokens))] if self.turns[1:] else []
        yield from self._distinct([*options, *self._vetoes(alone=not options)])

    def _distinct(self, options: Sequence[_Option]) -> Iterator[_Tried]:
        """Yield the effects of options: one of each that look alike, leaving out those that would change nothing
        here.
        """
        seen: set[object] = set()
        for option in sorted(options, key=lambda option: option.price):
            tried = self._try(option)
            if tried is None:
                continue
            moved = tuple([_moved(token) for token in option.tokens])
            # Among the many ways to castle, one for each result is enough.
            castles = any(isinstance(token, t.Castle) for token in option.tokens) and option.moves
            key = tried.winner, moved, None if castles else tried.sums
            if key not in seen:
                seen.add(key)
                yield tried

    # ------------------------------------------------------------------------------------------------------ options

    def _in_turn(self, turn: int, end: int) -> Iterator[_Option]:
        """Yield what was done at the group in a turn before its place ``end``, and what could have been done."""
        own = [each for each in self.all_of.by_turn[turn] if each.at <= end and _is_first_step(each)]
        if not own:
            return
        last = own[-1].at
        line = self.all_of.line(turn)[:end]
        done = [(at, each.token) for at, each in enumerate(line) if not each.vetoed and self._moves(each.token)]
        tokens, at = tuple([token for _, token in done]), min([at for at, _ in done], default=last)
        yield _Option(own[-1], (), 0, at, AS_PLAYED, tokens, _AS_WELL)
        acting = [each for each in own if isinstance(_played(each).token, t.ACTIONS)]
        acting += [each for each in own[::-1] if any(isinstance(option.token, t.ACTIONS) for option in each.options)]
        for decision in own:
            yield from self._at(decision, decision in acting[:1], bool(done))

    def _at(self, decision: Decision, acts: bool, any_done: bool) -> Iterator[_Option]:
        """Yield what could have been done at a decision that moves cards at the group, or leaves them where they are.

        ``acts`` says that actions are listed here, ``any_done`` that something was done at the group in that turn.
        """
        old = _played(decision).token
        kinds = {None if old is None else self._kind(old)}
        moving = [each for each in decision.options if each.token and self._moves(each.token) and not each.move.vetoed]
        for option in sorted(moving, key=lambda option: _unlike(option.token, old)):
            new = option.token
            assert new is not None
            is_action = isinstance(new, t.ACTIONS)
            kind = self._kind(new)
            if option.was_played or kind in kinds or (is_action and not acts):
                continue
            kinds.add(kind)
            replaces = isinstance(old, t.Discard) or is_action == isinstance(old, t.ACTIONS)
            instead_of = old if replaces else None
            price = _AS_WELL if instead_of is None else _OTHER if _unlike(new, instead_of)[0] else _MOVED
            as_well = instead_of is None and any_done
            over, shown = int(price != _AS_WELL), (_seen(new, decision),)
            facts = MOVE, shown, price, option, instead_of, None, as_well
            yield _Option(decision, (option.move,), over, decision.at, *facts)
        if old is not None and self._moves(old):
            yield from self._without(decision, old)

    def _without(self, decision: Decision, old: t.Token) -> Iterator[_Option]:
        """Yield a move that leaves the cards at the group as they are, instead of what was done there."""
        options = [each for each in decision.options if not (each.token and self._moves(each.token))]
        if options := [each for each in options if not each.move.vetoed]:
            option = min(options, key=lambda option: (option.token is not None, _unlike(option.token, old)))
            yield _Option(decision, (option.move,), 1, decision.at, WITHOUT, (), choice=option, replaces=old)

    def _vetoes(self, alone: bool) -> Iterator[_Option]:
        """Yield what could have been done about the mover's actions: veto them, or let them happen.

        If there was nothing else to decide (``alone``), what was done is listed as well.
        """
        for decision in self.all_of.by_turn[self.turn]:
            action = decision.action
            if action is None or not decision.sees_hand or decision.at >= self.at or not self._moves(action):
                continue
            at = decision.at + 1
            for option in decision.options:
                veto = option.token is not None
                moves: Moves = ((t.chosen(action), True), (option.token, False)) if veto else ((action, False),)
                if not option.was_played or alone:
                    moves, over, price = ((), 0, _AS_WELL) if option.was_played else (moves, 1 if veto else 2, _OTHER)
                    kind, tokens, what = VETO if veto else ALLOW, (t.Veto(),) * veto, prevented(action, decision.before)
                    yield _Option(decision, moves, over, at, kind, tokens, price, option, action=what)

    def undone(self) -> Iterator[Margin]:
        """Yield what else was played or vetoed since the last vote at the group and changed this one."""
        for turn in range(self.turn, -1, -1):
            events = [event for event in self.entries[turn].events if turn < self.turn or event.at < self.at]
            votes = [event.at for event in events if event.ballot and event.ballot.group == self.group]
            for decision in reversed(self.all_of.by_turn[turn]):
                if decision.action is None and max(votes, default=0) <= decision.at < len(events):
                    margin = self._without_it(decision, events[decision.at].vetoed)
                    yield from [margin] if margin else []
            if votes:
                return

    def _without_it(self, decision: Decision, vetoed: bool) -> Margin | None:
        """Return the action that was played at a decision, or its veto, if the vote would have gone otherwise without
        it; None if not, or if that is among the options.
        """
        turn, entry = decision.turn, self.entries[decision.turn]
        action = self.all_of.line(turn)[decision.at].token
        if not isinstance(action, t.ACTIONS) or not self._moves(action):
            return None
        if self.sees[1 - entry.side] and turn == self.turn if vetoed else decision.sees_hand and turn in self.turns:
            return None
        moves: Moves = ((action if vetoed else None, False),)
        tried = self._try(_Option(decision, moves, 1 + vetoed, decision.at, WITHOUT, ()))
        if tried is None or tried.way.lost_later or tried.first or tried.way.missed is not None:
            return None
        if tried.winner in (None, self.ballot.correct_outcome.winner):
            return None
        kind = VETO if vetoed else t.KINDS[type(action)].event
        return Margin(tried.winner, tried.sums, kind, entry.label, decision.at, action)

    def _moves(self, token: t.Token) -> bool:
        """Return whether a token of a turn's first step moves cards at the group."""
        return type(token) in _MOVING and self.group in t.groups_of(token)

    def _hits(self, token: t.Token) -> bool:
        """Return whether a token takes the other side's cards at the group away."""
        return isinstance(token, t.Assassinate | t.Wrath) and self._moves(token)

    def _kind(self, token: t.Token) -> object:
        """Return what all moves with the same effect on the group have in common."""
        if isinstance(token, t.Castle) and token.cards_first is not None and token.cards_second is not None:
            return tuple(sorted(token.cards_first if token.first == self.group else token.cards_second))
        return (token.card, token.group) if isinstance(token, t.Place) else token

    # ------------------------------------------------------------------------------------------- what comes of it

    def _try(self, option: _Option) -> _Tried | None:
        """Return the effect of an option; None if the effect is unknown, or changes nothing or too much."""
        decision = option.decision
        done = self.all_of.line(decision.turn)[decision.at : decision.at + option.over]
        gone = [each.token for each in done if not each.vetoed and self._moves(each.token)]
        if any(isinstance(each, t.Castle) for each in gone) and not self.sees[self.entries[decision.turn].side]:
            return None  # only those who saw it know what would lie there
        way = self._played_on(option)
        if way is None or self.before is None:
            return None
        if option.moves and way.called and [*map(sorted, way.columns)] == [*map(sorted, self.before)]:
            return None
        if way.missed is not None and any(SOME_INFLUENCE in column for column in way.columns):
            return None  # the unknown card there is not one that this vote showed: the other vote would have shown it
        saved = [
            each.card
            for each in gone
            if isinstance(each, t.Assassinate) and each.hidden and each.card is not None and is_known(each.card)
        ]
        result = self._named(way.columns, decision.turn, saved)
        first = self._named(way.extra[0], decision.turn, saved) if way.extra else None
        if result is None or (way.extra and first is None) or len(way.extra) > 1:
            return None
        cost = option.choice and self.all_of.cost_of(decision, option.choice)
        return _Tried(option, way, result[0], result[1] if way.called else None, first, cost)

    def _played_on(self, option: _Option) -> _Way | None:
        """Carry out an option, and play on to the vote; return None if that is impossible."""
        decision, way = option.decision, _Way(option.decision.before.copy())
        with suppress(ImpossibleMoveError, MissingCardsError):
            for token, vetoed in option.moves:
                if token is not None:
                    carry_out(way.state, *encode(token), vetoed)
                    if decision.action is None and self._hits(token):
                        way.hits.append(token)
            if self._follow(way, decision, decision.at + option.over) and not way.lost:
                return way
        return None

    def _follow(self, way: _Way, decision: Decision, at: int) -> bool:
        """Play on from a place in a decision's turn to the vote; return whether the vote can be reached."""
        state, side = way.state, decision.side
        for place in range(decision.turn, self.turn + 1):
            if self.entries[place].status != PLAYED:
                continue
            if place > decision.turn:
                end_turn(state)
                if state.over:
                    return False
            mine = self.entries[place].side == side
            end = self.at if place == self.turn else None
            for done in self.all_of.line(place)[at if place == decision.turn else 0 : end]:
                if not self._carry_out(way, done):
                    if isinstance(done.token, t.Castle) and not mine:
                        return False
                    (way.lost if mine else way.lost_later).extend([done.token] * isinstance(done.token, _FIRST_STEP))
                elif mine and not done.vetoed and self._hits(done.token):
                    way.hits.append(done.token)
            if mine:
                way.own = tuple(state.column(side, self.group))
        if not self.ballot.special:
            self._call(way)
        elif not self._is_due(state):
            way.called = False
        way.columns = state.column(ROME, self.group), state.column(EGYPT, self.group)
        if decision.turn == self.turn:
            way.own = tuple(way.columns[side])
        return state.left[self.group] > 0

    def _carry_out(self, way: _Way, done: _Done) -> bool:
        """Carry out a token as it was played, or leave it out if it is no longer legal; return whether it was legal."""
        state, (code, more) = way.state, done.codes
        match done.token:
            case t.Draw():
                self._call(way)  # with old rules, cards are drawn between special votes and the vote card
            case t.SpecialVote() if done.token.group != self.group:
                if faults_of(state, encode(t.SpecialVote(done.token.group))):
                    return False
            case t.SpecialVote():
                if not self._is_due(state):
                    way.missed = done.winner
                    return False
                code, more = self.special
            case t.Vote() | t.NoVote() | t.PutAway():
                self._call(way)
                if isinstance(done.token, t.Vote) and done.token.group == self.group:
                    code, more = encode(t.Vote(self.group))
            case _ if not done.forced and faults_of(state, done.codes, done.vetoed):
                # A scout, or an assassin of a hidden card, finds what lies there now.
                if not isinstance(done.token, t.Scout | t.Assassinate):
                    return False
                code, more = encode(t.chosen(done.token))
                if faults_of(state, (code, more), done.vetoed):
                    return False
            case _:
                pass
        way.between |= isinstance(done.token, t.Vote | t.SpecialVote) and done.token.group == self.group
        carry_out(state, code, more, done.vetoed)
        return True

    def _is_due(self, state: State) -> bool:
        """Return whether a special vote must be held at the group."""
        return state.total(self.group) >= self.edition.special_threshold and not faults_of(state, self.special)

    def _call(self, way: _Way) -> None:
        """Hold the special vote at the group that an option brings about before something is revealed."""
        if self._is_due(way.state):
            code, more = self.special
            way.between = True
            way.extra.append((way.state.column(ROME, self.group), way.state.column(EGYPT, self.group)))
            carry_out(way.state, code, more, vetoed=False)

    def _named(self, columns: Columns, turn: int, saved: Sequence[int]) -> Result | None:
        """Return both sums of a vote and who wins it; None if some cards have no name.

        Unknown cards get the names that the vote showed, and the ``saved`` ones that were assassinated in the ``turn``
        get theirs.
        """
        assert self.before is not None
        if SOME_INFLUENCE not in columns[ROME] and SOME_INFLUENCE not in columns[EGYPT]:
            outcome = resolve(*columns, self.edition)
            rome, egypt = outcome.sums
            return ((rome, rome), (egypt, egypt)), outcome.winner
        ways: list[list[t.Cards]] = []
        for side, column in enumerate(columns):
            before, after = self.before[side], self.ballot.columns[side]
            unknown = column.count(SOME_INFLUENCE)
            if not unknown:
                ways.append([tuple(column)])
                continue
            names = [*(Counter(after) - Counter(before)).elements()]
            if before.count(SOME_INFLUENCE) != len(names):
                return None
            if side != self.entries[turn].side:
                names += saved
            if unknown > len(names):
                return None
            known = tuple(filter(is_known, column))
            ways.append([known + chosen for chosen in {*combinations(sorted(names), unknown)}])
        winners = {resolve(one, other, self.edition).winner for one, other in product(*ways)}
        rome, egypt = [(min(map(sum, way)), max(map(sum, way))) for way in ways]
        return (rome, egypt), winners.pop() if len(winners) == 1 else None


def _is_first_step(decision: Decision) -> bool:
    """Return whether a decision is about placing or playing cards, with the hand seen and the choice legal."""
    return (
        decision.action is None
        and decision.sees_hand
        and any(option.was_played for option in decision.options)
        and any(isinstance(option.token, _FIRST_STEP) for option in decision.options)
    )


def _played(decision: Decision) -> Possibility:
    return next(option for option in decision.options if option.was_played)


def _unlike(new: t.Token | None, old: t.Token | None) -> tuple[bool, bool]:
    """Return whether a different card is placed, and whether it lies the other way up."""
    if isinstance(new, t.Place) and isinstance(old, t.Place):
        return new.card != old.card, new.hidden != old.hidden
    return True, True


def _moved(token: t.Token) -> object:
    """Return what lists show for a move: the card that it moves, or its kind."""
    return (token.card, type(token)) if isinstance(token, t.Place | t.Assassinate) else type(token)


def _seen(token: t.Token, decision: Decision) -> t.Token:
    """Return a move with the hidden card that it assassinates, if the point of view sees which card that is."""
    if not isinstance(token, t.Assassinate) or not token.hidden:
        return token
    hidden = decision.before.sides[1 - decision.side].hidden[token.group]
    place = target(hidden, token)
    return token if place is None or not is_known(hidden[place]) else replace(token, card=hidden[place])
