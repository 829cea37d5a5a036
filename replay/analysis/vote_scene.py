"""A vote as a scene of two steps: first the cards turned up side by side and compared, then what came of it.

Whoever sits at the table learns all of it, so a scene is the same from every point of view.
"""

from __future__ import annotations

from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import CARD_LETTERS, EGYPT, GROUP_NAMES, PHILOSOPHER, ROME, SIDE_NAMES, TIE
from ...notation.codes import KIND, OTHER, encode
from ..diagnostics.names import count_word, counted, group_name
from ..engine.ballot import Ballot
from ..rules.mechanics.votes import turn_up
from ..rules.state import State
from .event import Event
from .wording import loss_words


class SceneCard(NamedTuple):
    """A card at the group of a vote. ``turned`` says that it lay face down, ``gone`` that it is discarded then."""

    card: int
    turned: bool
    gone: bool

    @property
    def word(self) -> str:
        """Return the card as a table shows it: ``(3)`` where it lay face down."""
        return f"({CARD_LETTERS[self.card]})" if self.turned else CARD_LETTERS[self.card]


class VoteScene(NamedTuple):
    """A vote. ``columns`` are the cards of Rome and Egypt, from high to low; ``sums`` is their influence.

    ``special`` says that the number of cards called it.
    ``compared``, ``philosophers`` and ``rule`` say who has more, what the philosophers come to (empty where there is
    none), and which sum wins. ``verdict`` is who wins what, ``after`` what follows from it, a sentence each. ``winner``
    is a side or TIE.

    >>> event = next(event for entry in tironian.timeline(record).entries for event in entry.events if event.ballot)
    >>> from tironian.replay.analysis.vote_scene import vote_scene
    >>> scene = vote_scene(event)
    >>> print(scene.title, scene.compared, scene.rule, scene.verdict, sep="\\n")
    Vote at the Consuls
    Rome has more: 8 to 2.
    No philosopher lies there: the higher sum wins, so Rome wins.
    Rome wins a patrician.
    """

    title: str
    group: int
    special: bool
    columns: tuple[tuple[SceneCard, ...], tuple[SceneCard, ...]]
    sums: tuple[int, int]
    compared: str
    philosophers: str
    rule: str
    verdict: str
    after: tuple[str, ...]
    winner: int

    @property
    def is_turned(self) -> bool:
        """Return whether a philosopher turned it: fewer points won."""
        return self.winner != TIE and self.sums[self.winner] < self.sums[1 - self.winner]

    @property
    def first(self) -> tuple[str, ...]:
        """Return the sentences of the first step."""
        return tuple(filter(None, (self.compared, self.philosophers, self.rule)))

    @property
    def second(self) -> tuple[str, ...]:
        """Return the sentences of the second step."""
        return (self.verdict, *self.after)


def vote_scene(event: Event) -> VoteScene:
    """Return the scene of a vote. Raise ValueError for an event that is none."""
    if event.ballot is None:
        raise ValueError("only a vote is a scene")
    return scene_between(event.before, event.ballot, event.state)


def scene_between(before: State, held: Ballot, state: State) -> VoteScene:
    """Return the scene of a vote as it was held between two states."""
    rome, egypt = (_column(held, side) for side in (ROME, EGYPT))
    return VoteScene(
        title=f"{'Special vote' if held.special else 'Vote'} at {group_name(held.group)}",
        group=held.group,
        special=held.special,
        columns=(rome, egypt),
        sums=held.rightful.sums,
        compared=_compared(held),
        philosophers=_philosophers(held),
        rule=_rule(held),
        verdict=_verdict(held),
        after=tuple(_after(before, held, state)),
        winner=held.outcome.winner,
    )


def turned_up(before: State, vote: t.Token) -> State:
    """Return the state in which all cards at the group of a vote lie face up, and nothing has come of it yet."""
    state = before.copy()
    assert isinstance(vote, t.Vote | t.SpecialVote)
    code, more = encode(vote)
    if code & KIND != OTHER:
        turn_up(state, code, more)
    return state


def _column(held: Ballot, side: int) -> tuple[SceneCard, ...]:
    turned, gone = list(held.hidden[side]), list(held.outcome.gone[side])
    cards: list[SceneCard] = []
    # Of equal cards those that lay open come first. Which of them is discarded can't be told, so it is the last.
    for card in reversed(held.columns[side]):
        was_down, leaves = card in turned, card in gone
        if was_down:
            turned.remove(card)
        if leaves:
            gone.remove(card)
        cards.append(SceneCard(card, was_down, leaves))
    return tuple(reversed(cards))


def _compared(held: Ballot) -> str:
    rome, egypt = held.rightful.sums
    if rome == egypt:
        return f"Both have {rome}." if any(held.columns) else "No card lies there."
    more, less = max(rome, egypt), min(rome, egypt)
    return f"{SIDE_NAMES[ROME if rome > egypt else EGYPT]} has more: {more} to {less}."


def _philosophers(held: Ballot) -> str:
    """Return what the philosophers come to (K7–K11)."""
    counts = [cards.count(PHILOSOPHER) for cards in held.columns]
    rome, egypt = counts
    if not rome + egypt:
        return ""
    if rome == egypt:
        return f"{'One philosopher' if rome == 1 else 'Two philosophers'} each: they cancel out."
    owner = ROME if rome > egypt else EGYPT
    if rome and egypt:
        return f"{SIDE_NAMES[owner]} has more philosophers, {count_word(counts[owner])} to {count_word(min(counts))}."
    return f"{SIDE_NAMES[owner]} has {counted(counts[owner], 'philosopher')}."


def _rule(held: Ballot) -> str:
    """Return which sum wins, by the rules of the edition, and whose it is."""
    rightful = held.rightful
    if rightful.winner == TIE:
        if rightful.sums[ROME] != rightful.sums[EGYPT]:  # K6: a philosopher against nothing
            return "A philosopher wins nothing where the other side has no card."
        return "Equal sums: nobody wins." if any(held.columns) else ""
    wins = f", so {SIDE_NAMES[rightful.winner]} wins"
    if rightful.sums[ROME] == rightful.sums[EGYPT]:
        return f"A philosopher alone wins against no card at all{wins}."
    higher = ROME if rightful.sums[ROME] > rightful.sums[EGYPT] else EGYPT
    if not rightful.lower_wins:
        any_there = any(PHILOSOPHER in cards for cards in held.columns)
        return f"{'The' if any_there else 'No philosopher lies there: the'} higher sum wins{wins}."
    if rightful.winner == higher:
        return f"Against no card at all the higher sum wins nevertheless{wins}."
    return f"The lower sum wins{wins}."


def _verdict(held: Ballot) -> str:
    winner = held.outcome.winner
    said = " according to the record" if winner != held.rightful.winner else ""
    if winner == TIE:
        return f"Nobody wins{said}." if any(held.columns) else "Nobody wins."
    return f"{SIDE_NAMES[winner]} wins {'the last patrician' if held.empties else 'a patrician'}{said}."


def _after(before: State, held: Ballot, state: State) -> list[str]:
    """Return what follows from a vote: discards, cards that stay, the group, the bust or vote card, the end (J3–J6)."""
    group, device = held.group, before.edition.device.name
    said = [f"{loss}." for loss in (loss_words(held.outcome.gone),) if loss]
    if held.outcome.winner == TIE and any(held.columns):
        said.append("All cards stay.")
    if held.empties:
        said.append(f"The {GROUP_NAMES[group]} are gone, and the cards that still lie there are discarded.")
    if state.ended:
        said.append("The game is over.")
    elif not held.special:
        where = "is out until all come back" if state.out[group] else "leaves the game"
        said.append(f"The {device} {where}.")
    return said
