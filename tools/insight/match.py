"""A game as a sequence of decisions."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation.basics import SOME_ACTION, SOME_INFLUENCE
from ...notation.records import Token
from ...replay.rules.api import State
from ...replay.rules.core import (
    BUST,
    EFFECT,
    LAST_PILE,
    MISSION,
    MOVE,
    ON_VETO,
    ORDER,
    OVER,
    PILE,
    SPLIT,
    TARGET,
    append,
    card_in,
    codes,
    count_outcomes,
    decider,
    due,
    effect_of,
    ends_when_full_now,
    layout,
    make_move,
    outcome_at,
    reveal_at,
    size_of,
    vec,
)
from ...replay.rules.core import actions as action_moves
from ...replay.simulation.api import Dice
from .options import ALLOW, GO_ON, MOST_SPLITS, OptionBatch, list_options
from .unseen import dealt

Opening = tuple[int, tuple[Token, ...], tuple[Token, ...]]
"""Who begins, and the set-up lines of Rome and Egypt."""
STANDSTILL: Final = 8
"""The number of empty turns after which a game counts as at a standstill; then the points so far decide."""


class Match:
    """A game that is played decision by decision: ``wait`` advances to the next one, ``choose`` makes it.

    Dice decide what comes by chance: some for the busts, and some for each pile, so two matches with the same seed have
    the same luck as long as possible. Every card of ``state`` is known. ``moves`` are the codes of everything that
    happened, two each.
    """

    def __init__(self, state: State, seed: int) -> None:
        self.state: State = state
        self.opening: Opening | None = None
        """How the game was set up, if its players need the record so far."""
        self.roll(seed)
        self.moves: vec[i64] = vec[i64]([i64(0)])[:0]
        self.kind: i64 = OVER
        self.side: i64 = 0
        """Who decides now."""
        self.pending: i64 = 0
        """The announced action."""
        self.passed: bool = False
        """Whether what was due is passed: a veto by the other side, or the rest of the first step by the player."""
        self.turns: i64 = 0
        self.idle: i64 = 0
        """The number of turns up to now in which nothing was placed, played, drawn or won."""
        self.luck: OptionBatch | None = None
        """Receives two options for each bust: the actual one, and all that were possible."""
        self.viewer: i64 = 0
        """The side that evaluates them."""
        self.noted: vec[i64] = self.moves[:0]
        """The first of each pair of options."""
        self._there: i64 = 0

    def roll(self, seed: int) -> None:
        """Continue with different dice."""
        self.dice: Dice = Dice(seed)
        self.piles: list[Dice] = [Dice(seed + 1 + pile) for pile in range(4)]
        self.busts: Dice = Dice(seed + 5)

    def copy(self) -> Match:
        """Return a copy of the game at the same decision, to go back to; its dice are new."""
        twin = Match(self.state.copy(), 0)
        twin.opening, twin.moves = self.opening, self.moves[:]
        twin.kind, twin.side, twin.pending, twin.passed = self.kind, self.side, self.pending, self.passed
        twin.turns, twin.idle, twin._there = self.turns, self.idle, self._there
        return twin

    def follow(self, code: i64, more: i64) -> None:
        """Make a given move, including one of chance; TURN_END ends the turn."""
        self._make(code, more)
        if code == codes.TURN_END:
            self.passed = False
            self.turns += 1
            self._note_standstill()

    def is_over(self) -> bool:
        """Return whether the game is over, or at a standstill, which no rule ends (N9)."""
        return self.state.over != 0 or self.idle >= STANDSTILL

    def _make(self, code: i64, more: i64) -> None:
        self.moves = append(append(self.moves, code), more)
        make_move(self.state, code, more)

    def wait(self) -> bool:
        """Play on to the next decision; return whether there is one."""
        while True:
            self.kind = OVER
            if self.is_over():
                return False
            kind = due(self.state, self.pending, 1 if self.passed else 0)
            if kind <= MISSION:
                self.kind = kind
                self.side = decider(self.state, kind)
                return True
            self._happens(kind)

    def _happens(self, kind: i64) -> None:
        """Let chance play, or end the turn."""
        state = self.state
        if kind in (ORDER, BUST):
            dice = self.busts if kind == BUST else self.dice
            count = count_outcomes(state, kind)
            came = dice.below(count)
            if kind == BUST:
                self._note_bust(came, count)
            code, more = outcome_at(state, kind, came)
            self._make(code, more)
        elif kind == LAST_PILE:
            self._draw(SOME_INFLUENCE if size_of(state, state.active, SOME_INFLUENCE) else SOME_ACTION)
        elif kind == EFFECT:
            self._make(effect_of(state, self.pending), 0)
            self._settled()
        else:
            self.follow(codes.TURN_END, 0)

    def _settled(self) -> None:
        """Note that nothing is pending any more."""
        self.pending = 0
        self.passed = False

    def _note_bust(self, came: i64, count: i64) -> None:
        luck = self.luck
        if luck is None:
            return
        self.noted = append(self.noted, len(luck.vetoes))
        for first, end in ((came, came + 1), (i64(0), count)):
            luck.option(0, 0)
            for at in range(first, end):
                code, more = reveal_at(self.state, at)
                luck.case()
                luck.lead(self.state, code, more, self.viewer)

    def _note_standstill(self) -> None:
        cells = self.state.cells
        there: i64 = 0
        for side in range(i64(2)):
            there += cells[layout.HELD + side] << 8
            there += cells[layout.INFLUENCE_PILE + side] + cells[layout.ACTION_PILE + side]
        for group in self.state.rules.groups:
            there += cells[layout.LEFT + group] << 16
        self.idle += 1
        if there != self._there:
            self.idle = 0
        self._there = there

    def _draw(self, some: i64) -> None:
        self._make(codes.DRAW | 1 << codes.COUNT_AT | self._drawn(self.state.active, some) << codes.CARDS_AT, 0)

    def _drawn(self, side: i64, some: i64) -> i64:
        """Return the card that a side draws from the pile of an unknown card."""
        if some == SOME_ACTION and self.state.orders[side]:
            return card_in(self.state, side, some, 0)  # no die is thrown, so the luck of later draws stays the same
        dice = self.piles[2 * side + some - SOME_INFLUENCE]
        return card_in(self.state, side, some, dice.below(size_of(self.state, side, some)))

    def list_options(self, batch: OptionBatch, worlds: i64) -> None:
        """Add the decision to be made; actions are tried out in this many worlds, dealt without inference."""
        tried: list[State] = []
        if self.kind == MOVE:
            tried = dealt(self.state, self.state.active, worlds, self.dice)
        list_options(self.kind, self.state, self.side, self.pending, batch, tried, self.dice, MOST_SPLITS)

    def choose(self, code: i64, more: i64) -> None:
        """Make a decision."""
        state = self.state
        kind = self.kind
        drawn: i64 = 0
        self.kind = OVER
        if kind == MOVE:
            if codes.ACTION_KINDS >> (code & codes.KIND) & 1:
                self.pending = code
            elif code == GO_ON:
                if ends_when_full_now(state):
                    self._make(codes.TURN_END, 0)
                else:
                    self.passed = True
            else:
                self._make(code, 0)
        elif kind == ON_VETO:
            if code == ALLOW:
                self.passed = True
            else:
                self._make(self.pending | codes.ANNOUNCED_ONLY, 0)
                drawn = code >> codes.VETO_DRAW_AT
                if drawn:
                    drawn = self._drawn(1 - state.active, drawn - 1) + 1
                self._make(codes.VETO | drawn << codes.VETO_DRAW_AT, 0)
                self._settled()
        elif kind == SPLIT:
            self._make(code, more)
            self._settled()
        elif kind == TARGET:
            drawn = 0
            if action_moves.replacements(state, 1 - state.active, state.rules.spy_draw) >> 1:
                some: i64 = SOME_INFLUENCE
                if not size_of(state, 1 - state.active, SOME_INFLUENCE):
                    some = SOME_ACTION
                drawn = self._drawn(1 - state.active, some) + 1
            hand: i64 = 0
            for card in range(i64(SOME_INFLUENCE)):
                hand |= state.cells[layout.HAND + layout.CARD_ROW * (1 - state.active) + card] << codes.WIDTH * card
            self._make(code | drawn << codes.SPY_DRAW_AT | 1 << codes.HAND_WRITTEN_AT, hand)
            self._settled()
        elif kind == PILE:
            self._draw(code >> codes.CARDS_AT)
        else:
            self._make(code, 0)
        if self.pending and due(state, self.pending, 1 if self.passed else 0) == EFFECT:
            self._happens(EFFECT)
