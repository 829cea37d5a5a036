"""A log followed from its player's point of view: every decision with its options, and every event with what it
changed.

All positions of a game are valued together in one batch. The ledger is a chain: each event changes one number, the
player's chance of winning, and is booked under its cause. So the parts add up to the result, whatever values the net
gives.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...notation.basics import VETO, high_to_low
from ...notation.records import Record, Ruling
from ...notation.records import tokens as t
from ...replay.engine.api import Replay, walk
from ...replay.knowledge.api import CardHistory, Moment
from ...replay.rules.api import State
from ...replay.rules.core import (
    MISSION,
    MOVE,
    ON_VETO,
    PILE,
    SPLIT,
    TARGET,
    MoveList,
    action_card,
    codes,
    due,
    layout,
    list_reveals,
    make_move,
    name_hand,
    turns_up,
    unknown_card_like,
    vote_at,
)
from ...replay.simulation.api import Dice
from .net import case_values, option_values
from .options import ALLOW, GO_ON, OptionBatch, list_options
from .unseen import give_card
from .worlds import Belief, Beliefs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .net import Evaluator

PLAY: Final = "play"
DRAWS: Final = "draws"
BUSTS: Final = "busts"
REVEALS: Final = "reveals"
OPPONENT: Final = "opponent"
EVALUATOR: Final = "evaluator"
COLUMNS: Final = (PLAY, DRAWS, BUSTS, REVEALS, OPPONENT, EVALUATOR)
"""The causes under which the ledger books changes in the chance of winning."""
MOVES: Final = "moves"
VOTES: Final = "votes"
PILES: Final = "piles"
ENDS: Final = "ends"
SITES: Final = (MOVES, VOTES, PILES, ENDS)
"""Where the net gives one situation two values, so no event explains the difference: at a later move of a turn and
after it, before a bust or vote card, before a draw, at the end of a turn.
"""
MOST_SPLITS: Final = 400
WORLDS, SHOWN_WORLDS = 8, 16
"""How many worlds actions and votes are tried out in."""
LEAN: Final = 24.0
"""How strongly worlds in which votes go badly are preferred: one worth a point less counts 27 % more. With this number,
what votes turn up comes to nothing on average when the net plays itself (docs/judging.md)."""


class OwnChoice(NamedTuple):
    """A decision of the player between the options from ``first`` up to ``end`` (exclusive) in the batch; ``played``
    was chosen.

    ``turn`` is the turn's place in the record. ``at`` is the place of the chosen token or, if nothing more was chosen,
    of the token that came next. ``pending`` is the action that the decision is about.
    """

    turn: int
    at: int
    kind: int
    first: int
    end: int
    played: int
    belief: Belief
    pending: int = 0


class LedgerEntry(NamedTuple):
    """A change in the ledger's number, booked under ``column``: to the value of option ``to``, to the value of the
    decision in which ``chosen`` was chosen, or to the ``mean`` of options weighted by their chances. ``others`` are
    options that chance could have brought instead.
    """

    turn: int
    at: int
    column: str
    to: int = -1
    chosen: int = -1
    mean: tuple[tuple[float, int], ...] = ()
    over: bool = False
    """Whether the game is over there."""
    others: tuple[int, ...] = ()
    site: str = MOVES
    """Its place, one of SITES; given for changes booked as EVALUATOR."""

    def worth(self, values: NDArray[np.float64]) -> float:
        """Return the number's new value, from what the options are worth."""
        if self.mean:
            return float(sum(share * values[option] for share, option in self.mean))
        return float(values[self.to if self.chosen < 0 else self.chosen])


class Showing(NamedTuple):
    """What a bust or a vote card may show: ``busts`` are its options with their shares, each with one case for each of
    the same worlds, from the case ``first`` on.
    """

    first: int
    worlds: int
    busts: tuple[tuple[float, int], ...]

    def weigh(self, values: NDArray[np.float64], cases: NDArray[np.float64]) -> None:
        """Set what the busts are worth, from the cases from ``first`` on, by giving weights to the worlds.

        Worlds dealt evenly are too hopeful, since players hide their cards well.
        """
        import numpy as np

        end = self.first + len(self.busts) * self.worlds
        by_world = cases[self.first : end].reshape(len(self.busts), self.worlds)
        worth = np.array([share for share, _ in self.busts]) @ by_world
        weights = np.exp(LEAN * (worth.min() - worth))
        for (_, option), found in zip(self.busts, np.round(by_world @ weights / weights.sum(), 6), strict=True):
            values[option] = found


@dataclass
class Account:
    """Everything to be valued in a log: ``batch`` holds all positions, ``start`` is the option of the first one."""

    side: int
    batch: OptionBatch
    start: int = 0
    choices: list[OwnChoice] = field(default_factory=list)
    entries: list[LedgerEntry] = field(default_factory=list)
    showings: list[Showing] = field(default_factory=list)
    complete: bool = False
    """Whether the log was followed to its end."""
    result: float | None = None
    """The player's result, from 0 to 1; None if the game was not finished, or not followed to its end."""
    evaluator: Evaluator = field(init=False)
    values: NDArray[np.float64] = field(init=False)
    """What the options are worth according to the net alone."""

    def value(self, evaluator: Evaluator) -> None:
        """Find out what the options are worth."""
        rows = evaluator.rows(self.batch)
        self.evaluator, self.values = evaluator, option_values(self.batch, rows)
        cases = case_values(self.batch, rows)
        for showing in self.showings:
            showing.weigh(self.values, cases)


class LogWalk:
    """Walks through a player's log."""

    def __init__(self, log: Record, played: Replay, story: CardHistory, beliefs: Beliefs, seed: int) -> None:
        """Take a log, its replay and its story; ``beliefs`` are its player's after the set-up."""
        self.log, self.played, self.story = log, played, story
        self.beliefs, self.side = beliefs, beliefs.side
        self.rng, self.dice = Random(seed), Dice(seed)
        self.account = Account(self.side, OptionBatch())
        self.where = (0, 0)

    def walk(self) -> Account:
        """Return the account."""
        account, steps, beliefs = self.account, self.played.steps, self.beliefs
        moments = iter(self.story.moments)
        account.start = self._position(steps[0].state)
        for state, step in walk(self.played):
            if state.over:
                break
            moment = None if step.token is None else next(moments, None)
            # A turn's end counts as one more token.
            self.where = (moment.turn, moment.at) if moment else (self.where[0], self.where[1] + 1)
            try:
                self._step(state, step.token, step.state, moment)
                beliefs.see(moment)
            except (ValueError, IndexError):
                return account  # no cards explain the log any more
        account.complete = not self.played.run.findings or bool(steps[-1].state.over)
        return account

    def _step(self, state: State, token: t.Token | None, after: State, moment: Moment | None) -> None:
        mine = state.active == self.side
        belief = self.beliefs.now(state)
        if state.vetoed == layout.ANNOUNCED:
            self._book(OPPONENT if mine else DRAWS, after)
            return
        if mine and not isinstance(token, _NO_GOING_ON) and due(state, 0, 0) == MOVE:
            self._choose(MOVE, belief, GO_ON)
        match token:
            case None:
                self._book(EVALUATOR if mine else OPPONENT, after, ENDS)
            case t.ChooseMission():
                self._mission(belief, token, after)
            case t.Vote() | t.NoVote() | t.PutAway():
                self._reveal(belief, token, after)
            case t.SpecialVote():
                self._special(belief, token, after)
            case t.Draw() if mine:
                self._draw(belief, token)
            case t.Place() | t.Discard() if mine:
                listed = t.Discard(high_to_low(token.cards)) if isinstance(token, t.Discard) else token
                self._choose(MOVE, belief, codes.encode(listed)[0])
                self._book(EVALUATOR, after)
            case t.Assassinate() | t.Scout() | t.Wrath() | t.Castle() | t.Spy():
                code = codes.encode(as_listed(state, t.chosen(token)))[0]
                vetoed = moment is not None and moment.vetoed
                if mine:
                    self._own_action(belief, token, code, after, vetoed)
                else:
                    self._their_action(belief, code, after, vetoed)
            case _:
                self._book(OPPONENT, after)

    def _mission(self, belief: Belief, token: t.ChooseMission, after: State) -> None:
        if token.side == self.side:
            self._choose(MISSION, belief, codes.encode(token)[0])
        self._book(EVALUATOR if token.side == self.side else OPPONENT, after)

    def _own_action(self, belief: Belief, token: t.Action, code: int, after: State, vetoed: bool) -> None:
        state = belief.state
        self._choose(MOVE, belief, code)
        if vetoed:
            return  # its effect is booked with the veto
        # It was the other side's decision not to veto.
        match token:
            case t.Castle(cards_first=tuple(one), cards_second=tuple(two)):
                laid = codes.encode(t.Castle(token.first, token.second, high_to_low(one), high_to_low(two)))
                self._choose(SPLIT, belief, laid[0], laid[1], pending=code, before=OPPONENT)
            case t.Spy(card=int(card), hand=tuple(hand)):
                known = state.copy()
                name_hand(known, 1 - self.side, codes.hand_counts(hand))
                seen = belief._replace(state=known)
                self._choose(TARGET, seen, codes.encode(t.Spy(card))[0], pending=code, before=REVEALS)
            case _:
                pass
        self._book(REVEALS if turns_up(state, code) else OPPONENT, after)

    def _their_action(self, belief: Belief, code: int, after: State, vetoed: bool) -> None:
        if belief.state.cells[layout.HAND + layout.CARD_ROW * self.side + VETO] > 0:
            self._choose(ON_VETO, belief, self._veto() if vetoed else ALLOW, pending=code, before=OPPONENT)
        if not vetoed:
            self._book(OPPONENT, after)

    def _veto(self) -> int:
        """Return the code of the following veto, which names only the pile that it draws from."""
        turn, at = self.where
        veto = next(iter(self.log.turns[turn].tokens[at + 1 :]), None)
        draw = veto.draw if isinstance(veto, t.Veto) else None
        return codes.encode(t.Veto(None if draw is None else unknown_card_like(draw)))[0]

    def _draw(self, belief: Belief, token: t.Draw) -> None:
        """Book the drawn cards one by one, each with the choice of its pile."""
        state = belief.state.copy()
        for card in token.cards:
            now = belief._replace(state=state.copy())
            if state.cells[layout.INFLUENCE_PILE + self.side] and state.cells[layout.ACTION_PILE + self.side]:
                self._choose(PILE, now, codes.encode(t.Draw((unknown_card_like(card),)))[0])
            else:
                self._entry(EVALUATOR, to=self._options(PILE, now, 0), site=PILES)
            make_move(state, *codes.encode(t.Draw((card,))))
            self._book(DRAWS, state)

    def _reveal(self, belief: Belief, token: t.Vote | t.NoVote | t.PutAway, after: State) -> None:
        """Book the actual bust against the mean of all possible ones, then the cards it turned up against the mean of
        the worlds.
        """
        batch, state = self.account.batch, belief.state
        worlds = belief.deal(self.rng, SHOWN_WORLDS)
        first, lists = len(batch.begins), []
        for world in worlds:
            listed = MoveList()
            world.revealed = False
            list_reveals(world, listed)
            lists.append(listed.pairs())
        shares, came = [], -1
        blanks = (False, int(state.blanks)), (True, state.rules.resets)
        counts = {codes.encode(t.NoVote(reset))[0]: number for reset, number in blanks}
        for place, (code, _) in enumerate(lists[0]):
            batch.option(code, 0)
            number = len(batch.vetoes) - 1
            shares.append((counts.get(code, 1), number))
            for world, listed in zip(worlds, lists, strict=True):
                batch.case()
                batch.lead(world, *listed[place], viewer=self.side)
            if t.chosen(codes.decode(code)) == t.chosen(token):
                came = number
        total = sum(share for share, _ in shares)
        if came >= 0 and total:
            mean = tuple((share / total, number) for share, number in shares)
            self.account.showings.append(Showing(first, len(worlds), mean))
            self._entry(EVALUATOR, mean=mean, site=VOTES)
            self._entry(BUSTS, to=came, others=tuple(number for _, number in shares if number != came))
        self._book(REVEALS, after)

    def _special(self, belief: Belief, token: t.SpecialVote, after: State) -> None:
        batch, worlds = self.account.batch, belief.deal(self.rng, SHOWN_WORLDS)
        first, option = len(batch.begins), len(batch.vetoes)
        batch.option(codes.SPECIAL_VOTE, 0)
        for world in worlds:
            batch.case()
            code, more = vote_at(world, codes.SPECIAL_VOTE, token.group)
            batch.lead(world, code, more, self.side)
        self.account.showings.append(Showing(first, len(worlds), ((1.0, option),)))
        self._entry(EVALUATOR, to=option, site=VOTES)
        self._book(REVEALS, after)

    def _position(self, state: State) -> int:
        batch = self.account.batch
        batch.position(state.copy(), self.side)
        return len(batch.vetoes) - 1

    def _entry(self, column: str, **told: Any) -> None:
        self.account.entries.append(LedgerEntry(*self.where, column, **told))

    def _book(self, column: str, state: State, site: str = MOVES) -> None:
        """Set the number to the value of a position."""
        if state.vetoed != layout.ANNOUNCED:
            self._entry(column, to=self._position(state), over=bool(state.over), site=site)

    def _options(self, kind: int, belief: Belief, pending: int) -> int:
        """Add the options of a decision, with actions tried out in worlds; return the first one."""
        batch, worlds = self.account.batch, belief.deal(self.rng, WORLDS) if kind in (MOVE, ON_VETO) else []
        state = worlds[0] if worlds else belief.state
        if kind == ON_VETO:
            give_card(state, state.active, action_card(pending & codes.KIND))
        first = len(batch.vetoes)
        list_options(kind, state, belief.side, pending, batch, worlds, self.dice, MOST_SPLITS)
        return first

    def _choose(
        self, kind: int, belief: Belief, code: int, more: int = 0, *, pending: int = 0, before: str = EVALUATOR
    ) -> None:
        """Book a decision: first what it was worth with the best move, then the move that was made.

        The value of a turn's first decision is what the other side has left the player, so it is booked to the other
        side. If an arbiter ruled on a turn, the rules do not say what was legal in it, so it is not judged.
        """
        if any(isinstance(line, Ruling) for line in self.log.turns[self.where[0]].after):
            return
        batch = self.account.batch
        first = self._options(kind, belief, pending)
        end = len(batch.vetoes)
        moves = batch.moves_from(first, end)
        if (code, more) not in moves:
            return  # not one of the legal ones, so it is not judged
        played = first + moves.index((code, more))
        if kind == MOVE and not belief.state.has_acted():
            before = OPPONENT
        self._entry(before, chosen=played, site=PILES if kind == PILE else MOVES)
        self._entry(PLAY, to=played)
        self.account.choices.append(OwnChoice(*self.where, kind, first, end, played, belief, pending))


_NO_GOING_ON: Final = (t.Place, t.Discard, t.ChooseMission, *t.ACTIONS)
"""Tokens before which no decision was skipped."""


def as_listed(state: State, token: t.Action) -> t.Action:
    """Return an announced action as the options list it: there, a single face-down card has no position."""
    if isinstance(token, t.Assassinate) and len(state.sides[1 - state.active].hidden[token.group]) == 1:
        return replace(token, position=None)
    return token
