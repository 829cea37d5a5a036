"""What a decision cost: the move that was made against the best one, measured in other worlds, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

from ...notation import codes
from ...notation import tokens as t
from ..analysis.telling import told
from ..diagnostics.names import group_name
from ..rules import layout
from ..rules.moves.legal import as_move
from ..rules.state import State
from ..rules.vote_outcome import LOWER_WINS, WINNER, decided_by
from .account import Account, OwnChoice
from .offered_moves import move_token, text_of, words_of
from .options import DECISION_WORDS, ON_VETO, TARGET
from .players import Spot, begun, continue_all
from .position import MISSION_WORDS, MISSIONS, rows_of
from .snapshots import CHOICE, Snapshots
from .worlds import likely_worlds

if TYPE_CHECKING:
    pass


MARKS: Final = (("??", 0.15, 0.10), ("?", 0.10, 0.05), ("?!", 0.05, 0.025))
"""A mark, the loss from which it is given, and what the loss must exceed for certain (19 of 20)."""
CANDIDATES: Final = 3
"""Options that are compared with the move that was made, the best ones by the net alone."""
SUSPECT: Final = 0.02
"""Loss by the net alone from which a decision is looked at by playing on."""
DOUBTFUL: Final = 0.025
"""Loss by the first look from which it is looked at more closely."""
FIRST_LOOK, CLOSE_LOOK, MARKED = 4, 8, 16
"""Worlds of a first look, those that a closer look adds each time, and how many a mark rests on."""
HORIZON: Final = 2
"""Turns for which a closer look plays on."""


class Effort(NamedTuple):
    """How closely decisions are looked at: ``close`` of them, those that seem to have cost most, in up to ``worlds``
    worlds."""

    close: int
    worlds: int


EFFORTS: Final = {"quick": Effort(0, 0), "default": Effort(8, 16), "deep": Effort(1000, 128)}
"""Level → effort."""
_CERTAIN: Final = NormalDist().inv_cdf(0.975)


class Judged(NamedTuple):
    """A decision of a player, judged.

    ``turn`` is the place of the turn in the record, ``at`` of the token that was chosen, ``kind`` one of the words
    ``move``, ``veto``, ``castling``, ``spy``, ``pile`` and ``mission``, ``options`` how many there were. ``loss`` is
    how much less the ``played`` move wins than the ``best`` (both in the notation), in chances of winning; ``error`` is
    its standard error, widened for few worlds. ``level`` says how it was measured: 0 by the net alone, 1 for the rest
    of the turn, 2 for two turns, in so many ``worlds``; ``settled``, whether more of them could not change the mark.
    ``before`` is the chance of winning with the best move. ``hiding``: the two moves differ only in which card lies
    face down, and no vote turns it up at once. ``reasons`` say in words why the best move is better.

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
    reasons: tuple[str, ...] = ()

    @property
    def is_forced(self) -> bool:
        """Return whether there was no choice."""
        return self.options < 2


def mark_of(loss: float, error: float, hiding: bool) -> tuple[str, bool]:
    """Return the mark of a loss, and whether more worlds could no longer change it.

    What only hides other cards is never marked higher than ``?!``: a fixed opponent can't judge it.
    """
    for mark, least, sure in MARKS:
        if loss >= least and loss - _CERTAIN * error >= sure:
            return ("?!" if hiding else mark), loss - _CERTAIN * error >= least or mark == "??"
    return "", loss + _CERTAIN * error < MARKS[-1][1]


def student(freedom: int) -> float:
    """Return what a value of Student's distribution exceeds, up or down, once in 20 times (Cornish and Fisher)."""
    z = _CERTAIN
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def is_hiding(one: int, other: int) -> bool:
    """Return whether two moves, as codes, lay a card at the same group and differ in which card or which way up."""
    placed = one & codes.KIND == other & codes.KIND == codes.PLACE and one >> 8 & 7 == other >> 8 & 7
    hidden = (one >> 11 & 1) or (other >> 11 & 1)
    return bool(placed and hidden and (one >> 4 & 15 == other >> 4 & 15 or (one >> 11 & other >> 11 & 1)))


class Judge:
    """Judges the decisions of an account."""

    def __init__(self, account: Account, seed: int) -> None:
        self.account, self.values, self.seed = account, account.values, seed

    def all(self, effort: Effort, expired: Callable[[], bool] = lambda: False) -> tuple[Judged, ...]:
        """Return all decisions judged, in their order: those that seem to have cost something by playing on.

        Once ``expired`` says so, the rest is left as it is.
        """
        choices = self.account.choices
        found = [self.at_a_glance(choice) for choice in choices]
        if not effort.close:
            return tuple(found)
        for place, each in enumerate(found):
            # A spy has seen the hand, which worlds are not dealt by: what it takes is judged by the net alone.
            if each.loss >= SUSPECT and choices[place].kind != TARGET and not expired():
                found[place] = self.look(choices[place], FIRST_LOOK, 1)
        doubtful = [place for place, each in enumerate(found) if each.level and each.loss >= DOUBTFUL]
        doubtful.sort(key=lambda place: -found[place].loss)
        for place in doubtful[: effort.close]:
            found[place] = self._look_closely(choices[place], found[place], effort.worlds, expired)
        return tuple(found)

    def _look_closely(self, choice: OwnChoice, found: Judged, most: int, expired: Callable[[], bool]) -> Judged:
        """Return a decision judged in more and more worlds, until its mark is settled; as ``found`` if time is over."""
        trial = Trial(self, choice, HORIZON)
        while trial.count < most and not expired():
            trial.play(CLOSE_LOOK)
            found = trial.judged()
            if found.settled and (trial.count >= MARKED or not found.mark):
                break
        return found

    def at_a_glance(self, choice: OwnChoice) -> Judged:
        """Return what the net alone says: no marks, since it errs by some points."""
        values = self.values[choice.first : choice.end]
        best = choice.first + int(values.argmax())
        loss = max(0.0, float(self.values[best] - self.values[choice.played]))
        return self.judged(choice, best, float(self.values[best]), loss)._replace(settled=loss < SUSPECT)

    def look(self, choice: OwnChoice, count: int, level: int) -> Judged:
        """Return a decision judged by playing on in so many worlds, for as many turns as ``level`` says."""
        trial = Trial(self, choice, level)
        trial.play(count)
        return trial.judged()

    def judged(self, choice: OwnChoice, best: int, before: float, loss: float) -> Judged:
        batch = self.account.batch
        played, better = batch.move(choice.played), batch.move(best)
        chosen, wanted = move_token(choice.kind, *played), move_token(choice.kind, *better)
        # An action and the placing of a card may both come in one turn.
        is_action = codes.ACTION_KINDS >> (better[0] & codes.KIND) & 1
        is_before = is_action and played[0] & codes.KIND == codes.PLACE
        return Judged(
            choice.turn,
            choice.at,
            DECISION_WORDS[choice.kind],
            choice.end - choice.first,
            text_of(chosen),
            text_of(wanted),
            move_words(choice, chosen),
            f"{move_words(choice, wanted)}{', before placing' if is_before else ''}",
            before,
            loss,
            hiding=is_hiding(better[0], played[0]) and not is_near_special(choice.belief.state, played[0] >> 8 & 7),
        )


class Trial:
    """The move that was made and the best others by the net, played on for some turns in more and more worlds."""

    def __init__(self, judge: Judge, choice: OwnChoice, turns: int) -> None:
        import numpy as np

        self.judge, self.choice, self.turns = judge, choice, turns
        self.rng = Random(f"{judge.seed} {choice.turn} {choice.at} {choice.kind} {turns}")
        values = judge.values[choice.first : choice.end]
        top = [choice.first + int(place) for place in np.argsort(-values, kind="stable")[:CANDIDATES]]
        self.options = [*dict.fromkeys([choice.played, *top])]
        self.worlds: list[State] = []
        self.reached = np.zeros((len(self.options), 0))
        """What each option has come to in each world."""

    @property
    def count(self) -> int:
        """The number of worlds so far."""
        return len(self.worlds)

    def play(self, count: int) -> None:
        """Play on in so many worlds more."""
        import numpy as np

        account, belief = self.judge.account, self.choice.belief
        worlds = likely_worlds(belief, count, account.evaluator, self.rng, account.trusts[self.choice.turn])
        self.rng.shuffle(worlds)
        spot = Spot(self.choice.kind, belief.side, self.choice.pending)
        moves = [account.batch.move(option) for option in self.options]
        seed = self.rng.getrandbits(50)
        more = continue_all(spot, moves, worlds, self.turns, account.evaluator, seed)
        self.reached = np.concatenate([self.reached, more], 1)
        self.worlds += worlds

    def judged(self) -> Judged:
        """Return the decision judged. Each half of the worlds measures the move that is the best in the other half.

        So no loss is overstated by choosing. Of moves that come out alike the one that was made is the best: it costs
        nothing.
        """
        import numpy as np

        judge, reached = self.judge, self.reached
        place, lost = int(reached.mean(1).argmax()), np.zeros(self.count)
        if place:
            for chosen_in, measured_in in ((0, 1), (1, 0)):
                best = int(reached[:, chosen_in::2].mean(1).argmax())
                lost[measured_in::2] = reached[best, measured_in::2] - reached[0, measured_in::2]
        widened = student(self.count - 1) / _CERTAIN
        loss, error = lost.mean(), widened * lost.std(ddof=1) / np.sqrt(self.count)
        before = reached[place].mean().clip(0, 1)
        loss, error, before = (float(np.round(each, 6)) for each in (loss, error, before))
        found = judge.judged(self.choice, self.options[place], before, loss)
        mark, settled = mark_of(loss, error, found.hiding)
        mark = mark if self.turns == HORIZON and place else ""
        best, played = (judge.account.batch.move(self.options[option]) for option in (place, 0))
        why = reasons(self.choice, best, played, self.worlds) if mark else ()
        return found._replace(
            error=error, level=self.turns, worlds=self.count, mark=mark, settled=settled, reasons=tuple(why)
        )


LEAST: Final = 0.05
"""A difference of chances that is worth saying."""
SURE: Final = 0.9
"""Share of worlds in which something holds that is said without a number."""
MOST: Final = 2
"""Reasons that are said."""


def reasons(choice: OwnChoice, best: tuple[int, int], played: tuple[int, int], worlds: Sequence[State]) -> list[str]:
    """Return why the best move is better than the one that was made, in sentences.

    First what is plain to see, then the groups whose next vote is won more often, counted in worlds.
    """
    return [*_facts(choice, move_token(choice.kind, *played)), *_votes(choice, best, played, worlds)][:MOST]


def _facts(choice: OwnChoice, token: t.Token | None) -> Iterator[str]:
    state, side = choice.belief.state, choice.belief.side
    if isinstance(token, t.Place) and is_near_special(state, token.group):
        yield f"it was card {state.rules.special} at {group_name(token.group)}, which calls a vote there"
    if isinstance(token, t.ChooseMission) and token.kept is not None:
        shots = Snapshots()
        shots.add(state, side, CHOICE)
        _, missing, possible = rows_of(shots)[0, MISSIONS:][MISSION_WORDS * (token.kept - 1) :][:MISSION_WORDS]
        if missing > possible:
            yield "the mission that was kept can no longer be fulfilled"


def _votes(choice: OwnChoice, best: tuple[int, int], played: tuple[int, int], worlds: Sequence[State]) -> Iterator[str]:
    """Yield the groups at which a vote can come next and is won more often after the best move, most of all first."""
    found: list[tuple[float, int, str]] = []
    (won, _), (lost, lower) = (_votes_won(choice, move, worlds) for move in (best, played))
    for group in worlds[0].rules.groups:
        one, other = won[group] / len(worlds), lost[group] / len(worlds)
        may_come = worlds[0].cells[layout.BAG + group] or is_near_special(worlds[0], group)
        if one - other >= LEAST and may_come:
            chances = f"{_percent(one)} of the time, not {_percent(other)}"
            why = "; a philosopher lets the lower sum win there" if lower[group] >= SURE * len(worlds) else ""
            words = f"a vote at {group_name(group)} right after it would be won {chances}{why}"
            found.append((other - one, int(group), words))
    yield from (words for _, _, words in sorted(found))


def is_near_special(state: State, group: int) -> bool:
    """Return whether one card more calls a vote at a group."""
    return state.cells[layout.TOTAL + group] >= state.rules.special - 1


def _votes_won(choice: OwnChoice, move: tuple[int, int], worlds: Sequence[State]) -> tuple[list[int], list[int]]:
    """Return for each group in how many worlds its vote would be won after a move, and in how many by the lower sum."""
    side, won, lower = choice.belief.side, [0] * layout.GROUP_ROW, [0] * layout.GROUP_ROW
    for number, world in enumerate(worlds):
        state = begun(Spot(choice.kind, side, choice.pending), world, number, move).state
        for group in state.rules.groups:
            if state.cells[layout.LEFT + group]:
                decided = decided_by(state.rules, state.counts_at(0, group), state.counts_at(1, group))
                won[group] += decided & WINNER == side
                lower[group] += decided & LOWER_WINS != 0
    return won, lower


def move_words(choice: OwnChoice, token: t.Token | None) -> str:
    """Return an option in words, without its subject."""
    state, about = choice.belief.state, ""
    if choice.kind == ON_VETO:  # the action that is about to happen, as in "a scout at the Aediles"
        action = as_move(choice.pending & ~codes.ANNOUNCED_ONLY, 0).token
        about = told(action, state.active, state.edition).what if isinstance(action, t.Action) else "the action"
    return words_of(token, choice.kind, choice.belief.side, state.edition, about)


def _percent(chance: float) -> str:
    return f"{round(100 * chance)} %"
