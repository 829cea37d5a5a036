"""A game between a person and a player that chooses with the net, decision by decision. No screen is needed.

A :class:`Duel` tells only what the person's side may know: cards that they have not seen are hidden, as in their own
record.

All random choices come from the seed, anew at each decision. So they depend only on the seed and the game so far:
asking for a hint or taking a move back changes nothing, and a game can be continued from its record.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from ...notation.basics import CARD_LETTERS, EGYPT, PLAYER_NAMES, ROME, SIDE_LETTERS, TIE
from ...notation.language import GROUPS, phrase, sense
from ...notation.records import Record, Result, Turn, token_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import join
from ...replay.engine.api import AGAINST_NET as EVENT
from ...replay.engine.api import Step, game_end_at, start
from ...replay.knowledge.api import TableView, seen_token, view_table
from ...replay.rules.api import DRAWN, Edition, State, score
from ...replay.rules.core import MOVE, ON_VETO, OVER, action_card, codes, make_move, may_veto
from ...replay.simulation.api import Dice, headers_of, openings, result_of
from ...replay.story.api import event_of
from ...replay.words.api import event_words, mission_words, token_words
from .match import Match
from .net import evaluator
from .offered_moves import Offer, asked, move_token, offer_of, place_of, text_of, why_not
from .options import GO_ON, OptionBatch, list_options
from .players import HIGHEST, MOST_TURNS, WORLDS, player, turns_of
from .unseen import dealt, give_card

HINTS: Final = 3
"""How many moves a hint names."""
BLUR: Final = 0.03
"""If the values of two moves differ by less than this, the net can't tell which is better (docs/judging.md, "What was
measured").
"""
HINT_WORLDS: Final = 8
"""Number of worlds in which actions are tried out for a hint."""
PENDING: Final = "Pending"
"""The header of a game that was left between a choice and its effect: the turn, and the announced action or ``/``."""
OF_THE_END: Final = ("Result", "Termination", "Signed", "Checksum", PENDING)
"""Headers that say how a record ends."""
EVERY_SPLIT: Final = 1 << 20
"""More than the number of ways to castle."""
AS_DEALT: Final = "/"
"""The choice in the set-up that lays the remaining cards in the order in which they were dealt."""


OWN: Final = 1 << codes.PLACE | 1 << codes.DISCARD | 1 << codes.CASTLE | 1 << codes.CHOOSE
"""Kinds of tokens that only carry out what the person has chosen."""


def opponent(level: int) -> str:
    """Return the name of the other side in a record: ``Level 3``."""
    return f"Level {level}"


def level_of(name: str) -> int:
    """Return the level with a name; 0 if there is none."""
    return next((level for level in range(1, HIGHEST + 1) if name == opponent(level)), 0)


class Begun(NamedTuple):
    """A game up to the point where a duel continues it: who began, the set-up lines, and the codes of the moves since.

    If it is not ``laid``, the person lays their opening cards again.
    """

    starter: int
    lines: tuple[tuple[t.Token, ...], tuple[t.Token, ...]]
    moves: list[codes.Codes]
    laid: bool = True
    headers: tuple[tuple[str, str], ...] = ()
    """The headers of its record from there on."""
    pending: codes.Codes | None = None
    """The action that was announced after the moves; GO_ON if nothing more is placed or played."""


class Happening(NamedTuple):
    """A token of the game as the person knows it: its turn's label, whose turn it was, the notation and the words."""

    label: str
    side: int
    text: str
    words: str


class Duel:
    """A game between a person, who plays ``side``, and a player of one of the levels.

    As long as :meth:`offers` returns any moves, one of them must be chosen. Forced moves are made without asking.
    ``begun`` is a game to continue. Raise LookupError if there is no net for the rules.
    """

    def __init__(
        self, edition: Edition, side: int, level: int, seed: int, name: str = "You", begun: Begun | None = None
    ) -> None:
        self.edition, self.side, self.level, self.seed, self.name = edition, side, level, seed, name
        self.view: str = PLAYER_NAMES[side].lower()
        self.evaluator = evaluator(edition)
        if begun is None:
            self.starter, *lines = openings(edition, Random(seed))
            # The person was not asked for the order of their action cards.
            lines[side] = tuple([token for token in lines[side] if not isinstance(token, t.ActionOrder)])
        else:
            self.starter, lines = begun.starter, [*begun.lines]
        self.lines: list[tuple[t.Token, ...]] = lines
        self.headers = [header for header in begun.headers if header[0] not in OF_THE_END] if begun else []
        self.laid: list[t.Place] | None = None if begun and begun.laid else []
        """The opening cards that the person has laid; None once the game has begun."""
        self.match: Match = self._begun()
        self.options: list[tuple[int, int]] = []
        self.batch = OptionBatch()
        self._open: list[Offer] = []
        self._back: list[tuple[str, Match, list[t.Place] | None, tuple[t.Token, ...]]] = []
        """The moves that can be taken back, each with the game, the laid cards and the set-up line before it."""
        self.story: list[Happening] = []
        """Everything that was shown."""
        self._told: int = 0
        self._table: State = self.match.state.copy()
        for code, more in begun.moves if begun else ():
            self.match.follow(code, more)
        if begun and begun.pending:
            self._leave_open(begun.pending[0])
        self._offer()

    def offers(self) -> list[Offer]:
        """Return the moves that the person can choose from; none when the game is over."""
        return [*self._open]

    @property
    def state(self) -> State:
        """Return the table with all its cards."""
        return self.match.state

    def table(self) -> TableView:
        """Return the table as the person sees it."""
        return view_table(self.state, self.view, game_end_at(self.record(), self.state) if self.is_over else None)

    @property
    def is_laying(self) -> bool:
        """Return whether the person is still laying their opening cards."""
        return self.laid is not None

    @property
    def label(self) -> str:
        """Return the label of the turn that is being played: ``7E``."""
        return f"{self.state.number}{SIDE_LETTERS[self.state.active]}"

    @property
    def is_over(self) -> bool:
        """Return whether the game is over, or at a standstill."""
        return not self.is_laying and (self.match.is_over() or self.match.turns >= MOST_TURNS)

    def asked(self) -> str:
        """Return what the person has to decide, as a sentence; empty when the game is over."""
        match, state = self.match, self.match.state
        if self.is_laying:
            missions = join([*map(mission_words, state.missions[self.side])] or [sense("missions", "none")])
            question = phrase("Which card do you lay face down at {group.the}?", group=GROUPS[self.next_group])
            return f"{question} {phrase('Your missions: {missions}.', missions=missions)}"
        return "" if match.kind == OVER else asked(match.kind, match.pending, state, self.side)

    def place_of(self, typed: str) -> int | None:
        """Return the place of the offer that was typed, by its name in a list or in the notation; None for none."""
        return place_of(self._open, typed)

    def why_not(self, typed: str) -> str:
        """Return why a typed word is no move now; empty if the law does not say.

        Nothing is said about cards that the person has not seen: they are dealt anew for the answer.
        """
        if self.is_laying:
            return ""
        return why_not(self.match.kind, dealt(self.state, self.side, 1, Dice(0))[0], typed)

    def hint(self) -> tuple[list[tuple[int, float]], int]:
        """Return the places of the net's best offers, each with the person's chance of winning, and how many of them it
        considers as good as the best; nothing in the set-up.
        """
        if self.is_laying or not self._open:
            return [], 0
        values = self.evaluator.options(self.batch).tolist()
        order = sorted(range(len(values)), key=lambda place: -values[place])
        best = [(place, values[place]) for place in order[:HINTS]]
        return best, sum(value > best[0][1] - BLUR for value in values)

    def closes_placing(self, place: int) -> bool:
        """Return whether an offer, given by its place, is an action after which no further card can be placed in this
        turn, though one could be placed now.
        """
        state, chosen = self.state, self._open[place].token
        if self.is_laying or not isinstance(chosen, t.ACTIONS) or not state.up + state.down:
            return False
        return not state.rules.action_between and any(isinstance(offer.token, t.Place) for offer in self._open)

    def news(self) -> list[Happening]:
        """Return what has happened since the last call, as the person knows it."""
        moves = self.match.moves
        told: list[Happening] = []
        while self._told < len(moves):
            code, more = moves[self._told], moves[self._told + 1]
            self._told += 2
            before = self._table.copy()
            make_move(self._table, code, more)
            if code == codes.TURN_END:
                continue
            token = codes.decode(code & ~codes.ANNOUNCED_ONLY, more)
            # Cards drawn one after another are shown together.
            while (
                isinstance(token, t.Draw) and self._told < len(moves) and moves[self._told] & codes.KIND == codes.DRAW
            ):
                code = moves[self._told]
                self._told += 2
                make_move(self._table, code, 0)
                token = t.Draw((*token.cards, int(code >> codes.CARDS_AT)))
            told.append(self._happening(before, token, vetoed=bool(code & codes.ANNOUNCED_ONLY)))
        self.story += told
        return told

    def say_again(self) -> None:
        """Put the story and the offers into the language that is spoken now; all of the story is news again."""
        self.story, self._told, self._table = [], 0, self._start()
        self._offer()

    def _happening(self, before: State, token: t.Token, *, vetoed: bool) -> Happening:
        side = int(before.active)
        turn = Turn(before.number, side, (token, t.Veto()) if vetoed else (token,))
        shown = seen_token(token, side, self.view, vetoed)
        text = token_text(shown)
        event = event_of(turn, Step(turn, 0, token, self._table), shown, text, before)
        return Happening(turn.label, side, text, event_words(event))

    def record(self) -> Record:
        """Return the record so far, with all cards."""
        match, state = self.match, self.match.state
        turns = turns_of(self._start(), (self.lines[ROME], self.lines[EGYPT]), match)
        result, adjudicated = result_of(state), self.is_over and not state.over
        if adjudicated:
            final = score(state)
            named = {DRAWN: TIE}.get(final.winner, final.winner)
            result = Result(final.points, named if final.points[0] == final.points[1] else None)
        headers = dict(headers_of(self.edition, self.seed, self.starter, result))
        people = [self.name, opponent(self.level)]
        if self.side == EGYPT:
            people.reverse()
        headers |= {"Event": EVENT, **dict(zip(PLAYER_NAMES, people, strict=True))}
        headers |= self.headers
        if adjudicated:
            headers["Termination"] = "adjudicated"
        if not self.is_over and (match.pending or match.passed):
            headers[PENDING] = f"{self.label} " + text_of(move_token(match.pending or GO_ON, 0))
        return Record(tuple(headers.items()), (), turns, result)

    def choose(self, place: int) -> None:
        """Make the move with this place among the offers, and let the other side play until the person has to decide
        again.
        """
        chosen, match, was_laying = self._open[place], self.match.copy(), self.is_laying
        before = (chosen.text, match, self.laid, self.lines[self.side])
        if was_laying:
            self._lay(chosen)
            answered = not self.is_laying
            self._offer()
        else:
            answered = self._make(*self.options[place])
            answered |= self._go_on()
            made = [self.match.moves[at] & codes.KIND for at in range(len(match.moves), len(self.match.moves), 2)]
            answered |= any(not OWN >> kind & 1 for kind in made)
        self._back = [] if answered else [*self._back, before]

    @property
    def can_undo(self) -> bool:
        """Return whether the person's last move can be taken back."""
        return bool(self._back)

    def undo(self) -> str:
        """Take back the person's last move; return its notation, empty if there is nothing to take back.

        This is possible within a turn, before an action, and until the other side or chance has answered, so a move
        that has shown or drawn a card can't be taken back.
        """
        if not self._back:
            return ""
        move, match, self.laid, self.lines[self.side] = self._back.pop()
        if self._told >= len(match.moves):
            del self.story[len(self.story) - (self._told - len(match.moves)) // 2 :]
            self._told, self._table = len(match.moves), match.state.copy()
        self.match = match
        self._offer()
        return move

    def _start(self) -> State:
        return start(self.edition, self.starter, *self.lines)

    def _begun(self) -> Match:
        match = Match(self._start(), self.seed)
        match.opening = (self.starter, self.lines[ROME], self.lines[EGYPT])
        return match

    def _leave_open(self, code: int) -> None:
        """Put the game where it was left after a choice that is not a move yet."""
        match = self.match
        if code == GO_ON:
            match.passed = True
            return
        # Passed only where there was something to pass, as it stood when the game was left.
        match.pending, match.passed = code, self.state.active == self.side and may_veto(self.state)

    @property
    def next_group(self) -> int:
        """Return the group of the next opening card."""
        return [*self.edition.groups][len(self.laid or ())]

    def _dealt(self) -> list[t.Place]:
        """Return the opening cards that the person has not laid yet, at the places where they were dealt."""
        own = [token for token in self.lines[self.side] if isinstance(token, t.Place)]
        return own[len(self.laid or ()) :]

    def _offer(self) -> None:
        """Determine what the person can choose."""
        if not self.is_laying:
            self._go_on()
            return
        dealt, group = self._dealt(), self.next_group
        where = " ".join(map(token_text, dealt))
        rest = phrase("lays the rest as dealt: {cards}", cards=where)
        words = rest if self.laid else phrase("lays them as dealt: {cards}", cards=where)
        self._open = [Offer(AS_DEALT, words, None, AS_DEALT)]
        for card in sorted(token.card for token in dealt):
            token = t.Place(card, group, True)
            words = token_words(token, self.side, self.edition)
            self._open.append(Offer(token_text(token), words, token, CARD_LETTERS[card]))

    def _lay(self, chosen: Offer) -> None:
        """Lay an opening card, or all that are left; the game begins with the last one."""
        laid, dealt = self.laid or [], self._dealt()
        cards = [token.card for token in dealt]
        if isinstance(chosen.token, t.Place):
            cards.remove(chosen.token.card)
            cards.insert(0, chosen.token.card)
        rest = [replace(token, card=card) for token, card in zip(dealt, cards, strict=True)]
        others = [token for token in self.lines[self.side] if not isinstance(token, t.Place)]
        self.lines[self.side] = (*laid, *rest, *others)
        self.match = self._begun()
        self._table = self.match.state.copy()
        if chosen.token is None or len(rest) < 3:
            self.laid = None
        else:
            self.laid = [*laid, rest[0]]

    def _go_on(self) -> bool:
        """Play until the person has a choice or the game is over; return whether the other side had a decision to
        make.
        """
        match, answered = self.match, False
        self._open = []
        while not self.is_over and match.wait() and not self.is_over:
            seed = Random(f"{self.seed} {len(match.moves)} {match.kind}").getrandbits(60)
            match.roll(seed)
            if match.side != self.side:
                answered = True
                match.choose(*self._answer(seed))
                continue
            self.list_options()
            if len(self.options) > 1:
                self._open = [offer_of(match.kind, move, match.state, self.side) for move in self.options]
                break
            answered |= self._make(*self.options[0])
        return answered

    def _make(self, code: int, more: int) -> bool:
        """Make a move of the person; return whether the other side answers it."""
        # The other side may veto every action. Nothing may show whether it could have done so.
        is_action = self.match.kind == MOVE and codes.ACTION_KINDS >> (code & codes.KIND) & 1
        self.match.choose(code, more)
        return bool(is_action)

    def _answer(self, seed: int) -> tuple[int, int]:
        batch = self.batch
        batch.clear()
        self.match.list_options(batch, WORLDS)
        moves = batch.moves_from(0, len(batch.vetoes))
        pick = player(self.level, self.evaluator, seed)
        return moves[pick(self.match, moves, self.evaluator.options(batch))]

    def list_options(self) -> None:
        """List what the person can do, with separate dice, so that this affects neither the game nor what they see."""
        match, batch = self.match, self.batch
        dice = Dice(self.seed * 1_000_003 + len(match.moves))
        batch.clear()
        state, worlds = match.state, []
        if match.kind == MOVE:
            worlds = dealt(state, self.side, HINT_WORLDS, dice)
        elif match.kind == ON_VETO:
            (state,) = dealt(state, self.side, 1, dice)
            give_card(state, state.active, action_card(match.pending & codes.KIND))
        list_options(match.kind, state, self.side, match.pending, batch, worlds, dice, EVERY_SPLIT)
        self.options = batch.moves_from(0, len(batch.vetoes))
