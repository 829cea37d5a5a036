"""What a decision cost, and why: the move that was made is compared with the best one in other worlds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import compress
from operator import add, itemgetter
from random import Random
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...notation.basics import ACTION_CARDS, PHILOSOPHER
from ...notation.language import ENGLISH, phrase, speaking
from ...notation.records import parse_token
from ...notation.records import tokens as t
from ...replay.rules.api import State, fulfilled, progress
from ...replay.rules.core import (
    MISSION,
    MOVE,
    ON_VETO,
    SPLIT,
    TARGET,
    WINNER,
    Codes,
    MoveList,
    codes,
    decided_by,
    due,
    layout,
    list_placements,
    make_move,
    may_act,
    sum_of,
)
from ...replay.rules.game.legal import as_move
from ...replay.story.api import Reason
from ...replay.words.api import choice_words, describe
from .account import Account, OwnChoice, as_listed
from .offered_moves import move_token, text_of
from .options import DECISION_WORDS, OptionBatch
from .players import Spot, advance, begun, continue_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MARKS: Final = (("??", 0.15, 0.10), ("?", 0.10, 0.05), ("?!", 0.05, 0.025))
"""A mark, the least loss that gets it, and what the loss must exceed with 95 % certainty."""
PRAISE: Final = "!"
"""The mark for the only good move, if the net alone did not see it."""
CANDIDATES: Final = 3
"""How many options, the best according to the net, are compared with the move that was made."""
SECONDS: Final = 2
"""How many cards are tried out as the second one of a turn before an action ends placing."""
NEAR: Final = 0.1
"""An action worth this much less than the best move is not tried out after other moves."""
SHOWN: Final = 4
"""How many moves are listed with their values."""
SUSPECT: Final = 0.02
"""The loss, according to the net, at which a decision is examined by playing on."""
DOUBTFUL: Final = 0.025
"""The loss at the first look at which it is examined more closely."""
FIRST_LOOK, CLOSE_LOOK, MARKED = 4, 8, 16
"""The worlds for a first look, those that each closer look adds, and how many a mark needs."""
HORIZON: Final = 2
"""For how many turns a closer look plays on."""
NET_ERROR, EDGE_ERROR = 0.015, 0.04
"""How far two positions after a closer look may be off against each other, as a standard error: in general, and where
the net knows least: in games that are nearly won or lost, and after castlings (docs/judging.md)."""
EDGES: Final = (0.1, 0.9)
"""The chances of winning outside which a game is nearly lost or won."""
TO_THE_END: Final = 240
"""More turns than a game has: where the net knows least, what may be a mistake is played to the end"""
LONGER: Final = 2
"""in this many times as many worlds."""


EFFORTS: Final = {"quick": (0, 0), "default": (8, 16), "deep": (1000, 128)}
"""Level → how many decisions are examined closely (those that seem to have cost most), and the most worlds used for
one.
"""
_DOUBT: Final = 0.05
"""How likely what is called certain may still be wrong."""
_CERTAIN: Final = NormalDist().inv_cdf(1 - _DOUBT / 2)


class Compared(NamedTuple):
    """A move that was compared with others: the move and what follows it in the same turn, in the notation; both in
    words; and the chance of winning with it and its standard error.

    >>> tironian.Compared("2A", "wK", "places a 2 face up at the Aediles, then …", 0.61, 0.01).win
    0.61
    """

    text: str
    then: str
    words: str
    win: float
    error: float


class Judged(NamedTuple):
    """A player's decision, with its judgement.

    ``turn`` is the turn's place in the record, ``at`` the place of the chosen token, ``kind`` one of the words
    ``move``, ``veto``, ``castling``, ``spy``, ``pile`` and ``mission``, ``options`` the number of options. ``loss`` is
    how much lower the chance of winning is with the ``played`` move than with the ``best`` (both in the notation);
    ``error`` is its standard error: that of the worlds, widened for few of them, and that of the net. ``level`` says
    how it was measured: 0 by the net alone, 1 for the rest of the turn, 2 for two turns, 3 to the end of the game, in a
    number of ``worlds``;
    ``settled`` says that more worlds could not change the mark. ``before`` is the chance of winning with the best move,
    ``then`` what follows that move in the same turn. ``moves`` are the moves that were compared by playing on, the best
    first. If the played move is the best, ``lead`` is its advantage over the second best. ``hiding`` says that the two
    moves differ only in which card lies face down, which makes no difference for a vote that can come next. ``reasons``
    are facts that say why the best move is better.

    >>> played = {"played": "(2)A", "played_words": "places a 2 face down at the Aediles"}
    >>> best = {"best": "(2)K", "words": "places a 2 face down at the Consuls"}
    >>> tironian.Judged(20, 0, "move", 47, **played, **best, before=0.44, loss=0.26, mark="??").is_forced
    False
    """

    turn: int
    at: int
    kind: str
    options: int
    played: str
    best: str
    played_words: str
    words: str
    """The best move in words."""
    before: float
    loss: float
    error: float = 0.0
    level: int = 0
    worlds: int = 0
    mark: str = ""
    settled: bool = False
    hiding: bool = False
    reasons: tuple[Reason, ...] = ()
    then: str = ""
    lead: float = 0.0
    moves: tuple[Compared, ...] = ()

    @property
    def is_mistake(self) -> bool:
        """Return whether the mark blames the player."""
        return self.mark not in ("", PRAISE)

    @property
    def is_forced(self) -> bool:
        """Return whether there was no choice."""
        return self.options < 2


def mark_of(loss: float, error: float, hiding: bool, net: float = 0.0) -> tuple[str, bool]:
    """Return the mark for a loss, and whether it is settled: more worlds could not change it.

    ``error`` is the standard error that more worlds reduce, ``net`` the one that they don't. A move that only hides
    other cards never gets more than ``?!``: a fixed opponent can't judge it.
    """
    whole = math.hypot(error, net)
    for mark, least, sure in MARKS:
        if loss >= least and loss - _CERTAIN * whole >= sure:
            return ("?!" if hiding else mark), loss - _CERTAIN * error >= least or mark == "??"
    most = loss + _CERTAIN * error
    return "", most < MARKS[-1][1] or most - _CERTAIN * net < MARKS[-1][2]


def student(freedom: float, z: float = _CERTAIN) -> float:
    """Return the value that Student's distribution exceeds as often as a normal one exceeds ``z`` (Cornish and Fisher);
    by default once in 20 times, in either direction.
    """
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def is_hiding(one: t.Token | None, other: t.Token | None) -> bool:
    """Return whether two moves lay a card at the same group but differ in the card or which way up it lies."""
    if not isinstance(one, t.Place) or not isinstance(other, t.Place) or one.group != other.group:
        return False
    return (one.hidden and other.hidden) or (one.card == other.card and one.hidden != other.hidden)


class Judge:
    """Judges the decisions of an account."""

    def __init__(self, account: Account, seed: int) -> None:
        self.account, self.values, self.seed = account, account.values, seed

    def all(self, effort: tuple[int, int], expired: Callable[[], bool] = lambda: False) -> tuple[Judged, ...]:
        """Return all decisions judged, in order; those that seem to have cost something are judged by playing on.

        Decisions that may be the only good move, although the net alone prefers another, are judged like this too. Once
        ``expired`` returns true, the rest is left unchanged.
        """
        choices, (most, worlds) = self.account.choices, effort
        found = [self.at_a_glance(choice) for choice in choices]
        if not most:
            return tuple(found)
        for place, choice in enumerate(choices):
            # A spy has seen the hand, but worlds are dealt without that knowledge: what the spy takes is judged by the
            # net alone.
            if (found[place].loss >= SUSPECT or self.closes(choice)) and choice.kind != TARGET and not expired():
                found[place] = self.look(choice, FIRST_LOOK, 1)
        doubtful = [
            place for place, each in enumerate(found) if each.level and (each.loss >= DOUBTFUL or not each.settled)
        ]
        doubtful.sort(key=lambda place: -found[place].loss)
        leading = [place for place, each in enumerate(found) if each.lead >= MARKS[-1][1]]
        leading.sort(key=lambda place: -found[place].lead)
        for place in (*doubtful[:most], *leading[: most // 2]):
            found[place] = self.look_closely(choices[place], found[place], worlds, expired)
        return tuple(found)

    def rest(self, choice: OwnChoice) -> list[Codes]:
        """Return the moves that the player made after a decision in the same turn."""
        batch = self.account.batch
        later = [each for each in self.account.choices if each.turn == choice.turn and each.at > choice.at]
        return [batch.move(each.played) for each in later if each.kind == MOVE]

    def closes(self, choice: OwnChoice) -> bool:
        """Return whether the choice was an action after the first card, although a second one could have been
        placed.
        """
        batch, state = self.account.batch, choice.belief.state
        if choice.kind != MOVE or not is_action(batch.move(choice.played)) or state.rules.action_between:
            return False
        listed, has_placed = batch.moves_from(choice.first, choice.end), state.up + state.down > 0
        return has_placed and any(map(is_placing, listed)) and not any(map(is_placing, self.rest(choice)))

    def lines(self, choice: OwnChoice) -> list[Plan]:
        """Return the moves to be compared, the one that was made first, and how the turn may continue after each.

        The net continues one move at a time and may choose badly, for example if an action ends placing. So these are
        tried out too: before a second card, the best one at each group; after a card, the plausible actions, at once
        and after a second card; after the move that was made, what the player did.
        """
        import numpy as np

        batch, values = self.account.batch, self.values[choice.first : choice.end]
        order = [choice.first + int(place) for place in np.argsort(-values, kind="stable")]
        rest = tuple(self.rest(choice))
        found = [*dict.fromkeys((Plan(choice.played), Plan(choice.played, rest)))]
        actions = [batch.move(option) for option in order if self.values[option] >= values.max() - NEAR]
        done = filter(is_action, [batch.move(choice.played), *rest])
        tried = [*dict.fromkeys([*done, *[*filter(is_action, actions)][:1]])]
        placed = [*filter(is_placing, map(batch.move, order))]
        state = choice.belief.state
        first = choice.kind == MOVE and not state.up + state.down
        for option in dict.fromkeys([choice.played, *order[:CANDIDATES]]):
            move = batch.move(option)
            found.append(Plan(option))
            if choice.kind != MOVE or not (is_placing(move) or is_action(move)):
                continue
            then = after(state, move)
            may_follow = placeable(then) if first else set[int]()
            by_group = {
                t.groups_of(codes.decode(*second)): second for second in reversed(placed) if second[0] in may_follow
            }
            best_first = sorted(by_group.values(), key=placed.index)
            own = [second for second in rest if second[0] in may_follow]
            seconds = [*dict.fromkeys([*own, *best_first])]
            found += [Plan(option, (second,)) for second in seconds]
            for action in tried if is_placing(move) and may_act(then) else ():
                found.append(Plan(option, (action,)))
                found += [
                    Plan(option, (second, action)) for second in seconds[:SECONDS] if may_act(after(then, second))
                ]
        return [*dict.fromkeys(found)]

    def look_closely(
        self, choice: OwnChoice, found: Judged, most: int, expired: Callable[[], bool] = lambda: False
    ) -> Judged:
        """Return a decision judged in more and more worlds until its mark is settled; if time runs out, return it as
        ``found``.
        """
        trial = Trial(self, choice, HORIZON)
        while trial.count < most and not expired():
            trial.play(CLOSE_LOOK)
            found = trial.judged()
            if found.settled and (trial.count >= MARKED or not found.mark):
                break
        if not found.mark and found.loss >= DOUBTFUL and self.is_edge(choice, found.before):
            best = sorted(map(trial.best_of, trial.by_option()[1:]), key=lambda place: -trial.reached[place].mean())
            kept = [trial.best_of(trial.by_option()[0]), *best[:1]]
            made = Plan(choice.played, tuple(self.rest(choice)))
            lines = [*dict.fromkeys([made, *(trial.lines[place] for place in kept)])]
            longer = Trial(self, choice, TO_THE_END, lines, trial)
            while longer.count < LONGER * most and not expired():
                longer.play(MARKED)
                found = longer.judged()
                if found.settled:
                    break
        return found

    def is_edge(self, choice: OwnChoice, before: float) -> bool:
        """Return whether the net knows little about a decision."""
        code, _ = self.account.batch.move(choice.played)
        castles = choice.kind == SPLIT or (choice.kind == MOVE and code & codes.KIND == codes.CASTLE)
        low, high = EDGES
        return castles or not low < before < high

    def at_a_glance(self, choice: OwnChoice) -> Judged:
        """Return the judgement of the net alone: without marks, since it is off by some points."""
        values = self.values[choice.first : choice.end]
        best = choice.first + int(values.argmax())
        loss = max(0.0, float(self.values[best] - self.values[choice.played]))
        return self.judged(choice, Plan(best), float(self.values[best]), loss)._replace(settled=loss < SUSPECT)

    def look(self, choice: OwnChoice, count: int, level: int) -> Judged:
        """Return a decision judged by playing on in this many worlds, for as many turns as ``level`` says."""
        trial = Trial(self, choice, level)
        trial.play(count)
        return trial.judged()

    @speaking(ENGLISH)
    def judged(self, choice: OwnChoice, best: Plan, before: float, loss: float) -> Judged:
        """Return a decision with its moves in English, as it is kept."""
        played = self.account.batch.move(choice.played)
        chosen = move_token(*played)
        place = choice.turn, choice.at, DECISION_WORDS[choice.kind], choice.end - choice.first
        text, then, words = self.told(choice, best)
        told = text_of(chosen), text, move_words(choice, chosen), words
        better = move_token(*self.account.batch.move(best.option))
        near = isinstance(chosen, t.Place) and is_near_special(choice.belief.state, chosen.group)
        hiding = is_hiding(better, chosen) and not near
        return Judged(*place, *told, before, loss, hiding=hiding, then=then)

    @speaking(ENGLISH)
    def told(self, choice: OwnChoice, line: Plan) -> tuple[str, str, str]:
        """Return a line in the notation, its first move and what follows, and in words."""
        batch = self.account.batch
        first, *rest = (move_token(*move) for move in (batch.move(line.option), *line.rest))
        words = [move_words(choice, token) for token in (first, *rest)]
        played = move_token(*batch.move(choice.played))
        return text_of(first), " ".join(map(text_of, rest)), line_words(words, first, played)


class Plan(NamedTuple):
    """A line of play: a move, as an option of the batch, and the moves that follow it in its turn if they are legal."""

    option: int
    rest: tuple[Codes, ...] = ()


def is_placing(move: Codes) -> bool:
    """Return whether a move places a card."""
    return move[0] & codes.KIND == codes.PLACE


def after(state: State, move: Codes) -> State:
    """Return the state after a card is placed; for an action, whose outcome is unknown, return it unchanged."""
    if not is_placing(move):
        return state
    then = state.copy()
    make_move(then, *move)
    return then


def placeable(state: State) -> set[int]:
    """Return the codes of the placings that are possible now: a card, a group and a way up."""
    listed = MoveList()
    list_placements(state, listed)
    return {code for code, _ in listed.pairs()}


def is_action(move: Codes) -> bool:
    """Return whether a move plays an action."""
    return bool(codes.ACTION_KINDS >> (move[0] & codes.KIND) & 1)


class Trial:
    """The move that was made and the best others according to the net, played on for some turns in more and more
    worlds.
    """

    def __init__(
        self, judge: Judge, choice: OwnChoice, turns: int, lines: Sequence[Plan] = (), near: Trial | None = None
    ) -> None:
        """Begin with no worlds; ``lines`` are those to be compared, by default the judge's. ``near`` is a shorter trial
        of the same lines, from which reasons are taken.
        """
        import numpy as np

        self.judge, self.choice, self.turns, self.near = judge, choice, turns, near or self
        self.rng = Random(f"{judge.seed} {choice.turn} {choice.at} {choice.kind} {turns}")
        self.lines = [*lines] or judge.lines(choice)
        self.worlds: list[State] = []
        self.reached = np.zeros((len(self.lines), 0))
        """What each line has led to in each world."""
        self.states: list[list[State]] = [[] for _ in self.lines]

    @property
    def count(self) -> int:
        """The number of worlds so far."""
        return len(self.worlds)

    def play(self, count: int) -> None:
        """Play on in this many more worlds."""
        import numpy as np

        account, belief = self.judge.account, self.choice.belief
        worlds = belief.deal(self.rng, count)
        spot = Spot(self.choice.kind, belief.side, self.choice.pending)
        lines = [(account.batch.move(line.option), *line.rest) for line in self.lines]
        seed = self.rng.getrandbits(50)
        more = continue_all(spot, lines, worlds, self.turns, account.evaluator, seed)
        self.reached = np.concatenate([self.reached, more.values], 1)
        self.worlds += worlds
        for known, states in zip(self.states, more.states, strict=True):
            known += states

    def by_option(self) -> list[list[int]]:
        """Return the places of each option's lines, beginning with the move that was made."""
        found: dict[int, list[int]] = {}
        for place, line in enumerate(self.lines):
            found.setdefault(line.option, []).append(place)
        return [*found.values()]

    def ahead(self, ours: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Return, world by world, how much more some lines win than others. Each half of the worlds measures the lines
        that are best in the other half, so the choice overstates nothing.
        """
        import numpy as np

        gap = np.zeros(self.count)
        for chosen_in, measured_in in ((0, 1), (1, 0)):
            one, other = (
                self.reached[places[int(self.reached[places, chosen_in::2].mean(1).argmax())], measured_in::2]
                for places in (ours, others)
            )
            gap[measured_in::2] = one - other
        return gap

    def judged(self) -> Judged:
        """Return the decision judged. Among equally good moves, the one that was made counts as the best and costs
        nothing.
        """
        import numpy as np

        judge, choice, reached = self.judge, self.choice, self.reached
        place = int(reached.mean(1).argmax())
        played, *others = self.by_option()
        is_best, widened = place in played, student(self.count - 1) / _CERTAIN
        lost, lead = np.zeros(self.count), 0.0
        if not is_best:
            lost = self.ahead(range(len(self.lines)), played)
        elif others:
            lost = self.ahead([each for places in others for each in places], played)
            lead = -float(np.round(lost.mean(), 6))
        error = float(np.round(widened * lost.std(ddof=1) / np.sqrt(self.count), 6))
        loss = 0.0 if is_best else float(np.round(lost.mean(), 6))
        before = float(np.round(reached[place].mean().clip(0, 1), 6))
        level, net = min(self.turns, HORIZON + 1), EDGE_ERROR if judge.is_edge(choice, before) else NET_ERROR
        if level > HORIZON:
            net = 0.0
        found = judge.judged(choice, self.lines[place], before, loss)
        hiding, why = found.hiding, ()
        if level >= HORIZON and not is_best:
            best, made = (judge.account.batch.move(option) for option in (self.lines[place].option, choice.played))
            hiding = hiding and not self._differ(best, made)
            mark, settled = mark_of(loss, error, hiding, net)
            why = self._reasons(place, self.best_of(played)) if mark else ()
        elif level >= HORIZON and lead:
            mark, settled = mark_of(lead, error, False, net)
            unseen = choice.first + int(judge.values[choice.first : choice.end].argmax()) != choice.played
            mark = PRAISE if mark and unseen else ""
            second = self.best_of([each for places in others for each in places])
            why = self._reasons(place, second) if mark else ()
        else:
            mark, settled = "", mark_of(loss, error, hiding, net)[1]
        # If few worlds differ, those that measure may all be alike, and seem certain that nothing was lost.
        gap = reached[place].mean() - reached[self.best_of(played)].mean()
        settled = settled and bool(mark != "" or gap < (MARKS[-1][1] if level >= HORIZON else DOUBTFUL))
        return found._replace(
            error=round(math.hypot(error, net), 6), level=level, worlds=self.count, mark=mark, settled=settled,
            reasons=why, hiding=hiding, lead=lead, moves=self._compared(),
        )  # fmt: skip

    def _reasons(self, best: int, other: int) -> tuple[Reason, ...]:
        lines = self.near.lines
        return tuple(reasons(self.near, lines.index(self.lines[best]), lines.index(self.lines[other])))

    def best_of(self, places: Sequence[int]) -> int:
        """Return the best of these lines."""
        return max(places, key=lambda place: self.reached[place].mean())

    def _compared(self) -> tuple[Compared, ...]:
        """Return the best moves, each with the best way to continue its turn."""
        import numpy as np

        means = self.reached.mean(1)
        found: list[Compared] = []
        for places in self.by_option():
            best = self.best_of(places)
            error = self.reached[best].std(ddof=1) / np.sqrt(self.count) if self.count > 1 else 0.0
            win = float(np.round(means[best].clip(0, 1), 6))
            found.append(Compared(*self.judge.told(self.choice, self.lines[best]), win, float(np.round(error, 6))))
        return tuple(sorted(found, key=lambda each: -each.win)[:SHOWN])

    def _differ(self, best: Codes, played: Codes) -> bool:
        """Return whether two ways to lay a card change how often a vote that can come next is won."""
        (won, _, called), (lost, _, _) = (_votes_won(self, [move]) for move in (best, played))
        (group,) = t.groups_of(codes.decode(*played))
        return _may_come(self.worlds[0], group, called) and abs(won[group] - lost[group]) >= LEAST * self.count


LEAST: Final = 0.05
"""A difference in chances that is worth mentioning."""
SURE: Final = 0.9
"""The share of the votes not won that must be due to a philosopher before that is mentioned."""
NOTABLE: Final = 0.1
"""A difference in how often something comes of a move that is worth mentioning."""
MOST: Final = 2
"""How many reasons are given."""


def reasons(trial: Trial, best: int, other: int) -> list[Reason]:
    """Return facts that say why the line at the place ``best`` is better than the ``other`` one.

    First come plain facts, then the groups whose next vote is won more often, then the results of playing on; all are
    counted in the same worlds. Each group is named only once.
    """
    choice, batch = trial.choice, trial.judge.account.batch
    moves = batch.move(trial.lines[best].option), batch.move(trial.lines[other].option)
    facts = [*_facts(choice, *(move_token(*move) for move in moves))]
    if trial.lines[other].option == choice.played and trial.judge.closes(choice) and is_placing(moves[0]):
        facts.append(Reason("closed"))
    found = dict[object, Reason]()
    for reason in (*_votes(trial, best, other), *_came(trial, best, other)):
        found.setdefault(reason.about, reason)
    return [*facts, *found.values()][:MOST]


def _facts(choice: OwnChoice, best: t.Token | None, token: t.Token | None) -> Iterator[Reason]:
    state, side = choice.belief.state, choice.belief.side
    special = state.rules.special
    is_elsewhere = not (isinstance(best, t.Place) and isinstance(token, t.Place) and best.group == token.group)
    if isinstance(token, t.Place) and is_elsewhere and state.cells[layout.TOTAL + token.group] == special - 1:
        yield Reason("special", token.group, number=special)
    if isinstance(best, t.ChooseMission) and isinstance(token, t.ChooseMission) and best.kept and token.kept:
        missions = [state.missions[side][kept - 1] for kept in (best.kept, token.kept)]
        if all(map(_can_be_checked, missions)):
            yield Reason("missions", needs=tuple((mission, _needed(state, side, mission)) for mission in missions))


def _can_be_checked(mission: t.Mission) -> bool:
    return mission.kind not in ("text", "unknown")


def _needed(state: State, side: int, mission: t.Mission) -> int | None:
    """Return how many groups or patricians a mission still needs; None if it can no longer be fulfilled."""
    have, need = progress(state.edition, state.sides[side].won, mission)
    return max(need - have, 0) if _may_fulfil(state, state, side, mission) else None


def _votes(trial: Trial, best: int, other: int) -> Iterator[Reason]:
    """Yield the votes that can come next and are won more often after the better line, the largest difference first.

    For the move that was made, the best or the actual continuation counts, whichever wins more often.
    """
    found = list[Reason]()
    lines = [[trial.judge.account.batch.move(line.option), *line.rest] for line in trial.lines]
    (won, _, calls), (lost, undercut, called) = (_votes_won(trial, lines[place]) for place in (best, other))
    option = trial.lines[other].option
    if option == trial.choice.played and (made := [lines[0][0], *trial.judge.rest(trial.choice)]) != lines[other]:
        lost = [*map(max, lost, _votes_won(trial, made)[0])]
    state = trial.choice.belief.state
    for group in state.rules.groups:
        one, two = won[group] / trial.count, lost[group] / trial.count
        if calls[group] == trial.count > called[group] and (one >= SURE or one - two >= LEAST):
            yield Reason("calls", int(group), (one, two), number=state.rules.special)
        elif one - two >= LEAST and _may_come(state, group, calls):
            number = state.rules.special if calls[group] == trial.count else 0
            by_turn, lower = bool(trial.lines[best].rest), undercut[group] >= SURE * (trial.count - lost[group])
            found.append(Reason("vote", int(group), (one, two), number=number, by_turn=by_turn, lower=lower))
    yield from sorted(found, key=lambda each: (each.odds[1] - each.odds[0], each.about))


def _may_come(state: State, group: int, calls: Sequence[int]) -> bool:
    """Return whether a vote at a group may come next, by a bust or since a line calls it."""
    return bool(state.cells[layout.BAG + group] or calls[group])


class _Outcome(NamedTuple):
    """Something that may come of a line within two turns: the kind of reason that it is, for which subjects and sides,
    and whether a side wants it.
    """

    happens: Callable[[State, State, int, Any], bool]
    """Returns whether it holds for a side and a subject in a position; the second state is the world it began in."""
    subjects: Sequence[Any]
    """Groups, missions or cards."""
    kind: str
    is_wanted: bool = True
    sides: tuple[bool, bool] = (True, True)
    """Whether it may concern the player who decides, and the other side."""


def _came(trial: Trial, best: int, other: int) -> Iterator[Reason]:
    """Yield what happens more often, or less, within two turns of the better line, if the difference is large enough to
    be worth mentioning, and certain although so many are looked at (Bonferroni). Of each kind, the largest difference
    comes first. For the move that was made, the best or the actual continuation counts,
    whichever does better; only groups are named to which a line's moves bring or from which they take cards.
    """
    import numpy as np

    choice, state, side = trial.choice, trial.choice.belief.state, trial.choice.belief.side
    made = Plan(choice.played, tuple(trial.judge.rest(choice)))
    is_made = trial.lines[other].option == choice.played
    places = [best, other, *(at for at, line in enumerate(trial.lines) if is_made and at != other and line == made)]
    one, *two = ([*zip(trial.states[place], trial.worlds, strict=True)] for place in places)
    touched = set[int]().union(*(_touched(trial, trial.lines[place]) for place in places))
    groups = [int(group) for group in state.rules.groups if group in touched]
    reached = [at for place in places for at in trial.states[place]]
    lasting = [group for group in groups if all(at.cells[layout.LEFT + group] for at in reached)]
    held = () if choice.kind == MISSION else state.sides[side].held_missions
    missions = [*dict.fromkeys(filter(_can_be_checked, held))]
    outcomes = (
        _Outcome(_has_fulfilled, missions, "fulfilled", sides=(True, False)),
        _Outcome(_may_fulfil, missions, "possible", sides=(True, False)),
        _Outcome(_wins, groups, "wins"),
        _Outcome(_is_bare, lasting, "bare", is_wanted=False),
        _Outcome(_leads, groups, "leads"),
        _Outcome(_holds, (PHILOSOPHER, *ACTION_CARDS), "holds", sides=(False, True)),
    )
    count = sum(sum(outcome.sides) * len(outcome.subjects) for outcome in outcomes)
    sure = student(trial.count - 1, NormalDist().inv_cdf(1 - _DOUBT / 2 / max(count, 1)))
    for outcome in outcomes:
        found = list[tuple[float, Reason]]()
        for of in compress((side, 1 - side), outcome.sides):
            for subject in outcome.subjects:
                ours, *each = (
                    np.array([outcome.happens(*at, of, subject) for at in each], float) for each in (one, *two)
                )
                sign = 1 if (of == side) == outcome.is_wanted else -1
                theirs = max(each, key=lambda made, sign=sign: sign * made.mean())
                gap = sign * (ours - theirs)
                if gap.mean() >= NOTABLE and gap.mean() >= sure * gap.std(ddof=1) / np.sqrt(len(gap)):
                    odds = float(ours.mean()), float(theirs.mean())
                    found.append((-gap.mean(), Reason(outcome.kind, subject, odds, of == side)))
        yield from (reason for _, reason in sorted(found, key=itemgetter(0)))


def _wins(state: State, world: State, side: int, group: int) -> bool:
    """Return whether a side has won a vote at a group."""
    place = layout.WON + layout.GROUP_ROW * side + group
    return state.cells[place] > world.cells[place]


def _leads(state: State, world: State, side: int, group: int) -> bool:
    """Return whether a side has won a vote at a group, or would win one now."""
    return _wins(state, world, side, group) or (_would_win(state, side, group) and state.cells[layout.LEFT + group] > 0)


def _would_win(state: State, side: int, group: int) -> bool:
    return decided_by(state.rules, state.counts_at(0, group), state.counts_at(1, group)) & WINNER == side


def _touched(trial: Trial, line: Plan) -> set[int]:
    """Return the groups that a line is about: what happens elsewhere, its moves don't explain."""
    choice = trial.choice
    if choice.kind == MISSION:
        return {*choice.belief.state.rules.groups}
    moves = [trial.judge.account.batch.move(line.option), *line.rest, (choice.pending, 0)]
    return {group for move in moves for token in [move_token(*move)] if token for group in t.groups_of(token)}


def _is_bare(state: State, _world: State, side: int, group: int) -> bool:
    """Return whether only the other side has cards at a group, and would win a vote with them."""
    return not state.count(side, group) and _would_win(state, 1 - side, group)


def _holds(state: State, _world: State, side: int, card: int) -> bool:
    """Return whether a side holds a card."""
    return state.cells[layout.HAND + layout.CARD_ROW * side + card] > 0


def _has_fulfilled(state: State, _world: State, side: int, mission: t.Mission) -> bool:
    """Return whether a side holds a mission that is fulfilled."""
    own = state.sides[side]
    return mission in own.held_missions and fulfilled(state.edition, own.won, mission)


def _may_fulfil(state: State, _world: State, side: int, mission: t.Mission) -> bool:
    """Return whether the patricians that are left could fulfil a mission."""
    return fulfilled(state.edition, [*map(add, state.sides[side].won, state.left)], mission)


def is_near_special(state: State, group: int) -> bool:
    """Return whether one more card calls a vote at a group."""
    return state.cells[layout.TOTAL + group] >= state.rules.special - 1


def _votes_won(trial: Trial, line: Sequence[Codes]) -> tuple[list[int], list[int], list[int]]:
    """Return for each group in how many worlds its vote would be won after a line, in how many the other side would win
    it with the lower sum, and in how many its cards call a special vote.

    The net chooses what follows an action, such as a veto.
    """
    choice, (won, undercut, calls) = trial.choice, ([0] * layout.GROUP_ROW for _ in range(3))
    spot = Spot(choice.kind, choice.belief.side, choice.pending)
    matches = [begun(spot, world, number, line[0]) for number, world in enumerate(trial.worlds)]
    advance(matches, trial.judge.account.evaluator, 0)
    for move in line[1:]:
        for match in matches:
            if not match.turns and due(match.state, 0, int(match.passed)) == MOVE and match.wait():
                listed = OptionBatch()
                match.list_options(listed, 1)
                if move in listed.moves_from(0, len(listed.vetoes)):
                    match.choose(*move)
        advance(matches, trial.judge.account.evaluator, 0)
    for state in (match.state for match in matches):
        for group in state.rules.groups:
            if state.cells[layout.LEFT + group]:
                columns = state.counts_at(0, group), state.counts_at(1, group)
                winner = decided_by(state.rules, *columns) & WINNER
                won[group] += winner == spot.side
                own, theirs = sum_of(columns[spot.side]), sum_of(columns[1 - spot.side])
                undercut[group] += winner == 1 - spot.side and theirs < own
                calls[group] += state.cells[layout.TOTAL + group] >= state.rules.special
    return won, undercut, calls


def move_words(choice: OwnChoice, token: t.Token | None) -> str:
    """Return an option in words, without its subject."""
    action = as_move(choice.pending & ~codes.ANNOUNCED_ONLY, 0).token if choice.kind == ON_VETO else None
    return _words_on(token, choice.belief.side, choice.belief.state, action, vetoing=choice.kind == ON_VETO)


def _words_on(token: t.Token | None, side: int, state: State, action: t.Token | None, *, vetoing: bool) -> str:
    """Return an option in words; ``action`` is the one that is about to happen, as in "a scout at the Aediles"."""
    is_known = isinstance(action, t.Action)
    about = describe(action, state.active, state.edition).what if is_known else phrase("the action")
    return choice_words(token, side, state, about, vetoing=vetoing)


def line_words(words: Sequence[str], first: t.Token | None, played: t.Token | None) -> str:
    """Return the moves of a line in words, as one; ``played`` is the move that it is compared with."""
    # An action and the placing of a card may both come in one turn.
    if len(words) == 1 and isinstance(first, t.Action) and isinstance(played, t.Place):
        return phrase("{move}, before placing", move=words[0])
    return reduce(lambda told, move: phrase("{move}, then {next}", move=told, next=move), words)


def reworded(judged: Judged, side: int, state: State, token: t.Token | None) -> Judged:
    """Return a decision with its moves in the language that is spoken, given the state before it and the token that was
    played then; unchanged if its moves are no words of the notation.
    """
    vetoing = judged.kind == DECISION_WORDS[ON_VETO]
    action = as_listed(state, t.chosen(token)) if isinstance(token, t.Action) else None
    with suppress(ValueError):
        texts = judged.played, judged.best, *judged.then.split()
        moves = [None if text == "/" else parse_token(text) for text in texts]
        played, *line = [_words_on(move, side, state, action, vetoing=vetoing) for move in moves]
        return judged._replace(played_words=played, words=line_words(line, moves[1], moves[0]))
    return judged
