"""The odds of each vote, just before its cards were turned up, for somebody who did not see them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.allowance import Allowance, BudgetSpent, end_after
from ...notation.reader import Game, as_game
from ...notation.record import Record
from ..engine.headers import View, read_headers
from ..engine.replay import Replay, Step, place_in_turn, replay_game
from ..knowledge import redaction
from ..knowledge.ledger import Moment, history_of
from ..knowledge.outlook import GroupOutlook, Outlook, Watcher


class Expectation(NamedTuple):
    """A vote with its odds as ``view`` could know them."""

    view: str
    outlook: GroupOutlook

    @property
    def certain(self) -> bool:
        """Whether nothing was undecided."""
        return max(self.outlook.wins) == 1


Seeing = Callable[[str, Watcher, Moment | None], None]
"""Receives a watcher, with its point of view, before each moment of a game and after the last."""


def expected(
    game: Game, view: View, rules: str, played: Replay | None = None, seeing: Seeing | None = None
) -> dict[tuple[int, int], GroupOutlook]:
    """Return each vote, by the places of its turn and token, with its odds as ``view`` could know them.

    ``played`` is the game's replay, if there is one already; ``seeing`` receives everything that ``view`` sees.
    """
    found: dict[tuple[int, int], GroupOutlook] = {}
    for watcher, moment in watched(game, view, rules, played):
        if seeing:
            seeing(view, watcher, moment)
        if moment is not None and isinstance(moment.token, t.Vote | t.SpecialVote):
            found[moment.turn, moment.at] = watcher.at(moment.token.group)
    return found


def watched(
    game: Game, view: View, rules: str, played: Replay | None, allowance: Allowance | None = None
) -> Iterator[tuple[Watcher, Moment | None]]:
    """Yield the watcher of what ``view`` saw: just before each moment, and finally after all of them.

    It stops where the cards can't be followed or don't add up.
    """
    log = redaction.view(game, view, rules, played=played).record
    story = history_of(log, read_headers(log, rules))
    if story is None:
        return
    with suppress(ValueError):
        watcher = Watcher(story, allowance)
        for moment in story.moments:
            yield watcher, moment
            watcher.see(moment)
        yield watcher, None


class Sight(NamedTuple):
    """What ``view`` can infer at a moment. ``hidden`` are the face-down cards, in the order in which they were laid:
    owner, group, and the chance of each label; it is certain if the player laid the card, saw it, or can infer it from
    the rest.

    ``hands`` are the chances that a hand has at least one card of each label, Rome's first. ``outlook`` says how a vote
    at each group would go now, and which influence card each side draws next. A label is the number of an influence
    card; all chances are fractions.

    >>> seen = tironian.odds(record, "table", "0R")
    >>> rome, egypt = seen.outlook.next_cards
    >>> print(rome[tironian.Card.PHILOSOPHER], rome[5])
    2/27 5/27
    """

    view: View
    hidden: tuple[tuple[int, int, tuple[Fraction, ...]], ...]
    hands: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    outlook: Outlook


def odds(game: Game | Record, view: View, moment: str = "", rules: str = "", *, seconds: float = 0.0) -> Sight | None:
    """Return what ``view`` can infer about the unknown cards if every unseen card is equally likely.

    ``moment`` is as for :meth:`Replay.at`, by default the end of the record; ``rules`` names the rule set if the
    record's headers don't. Return None if the cards can't be followed that far, or don't add up. Raise ValueError if
    there is no such moment, ViewNotAvailable if ``view`` saw more than the writer, TimeoutError if ``seconds`` are
    given and run out: odds for part of the game would be wrong.

    >>> vote = tironian.odds(record, "caesar", "0R").outlook.groups[0]
    >>> print(tironian.Group(vote.group).name, *vote.wins)
    PRAETOR 3/5 1/5 1/5
    """
    game, time = as_game(game), Allowance(end=end_after(seconds))
    played = replay_game(game, rules)
    if not played.steps:
        return None
    try:
        return sight(game, view, played.at(moment) if moment else played.steps[-1], rules, played, time)
    except BudgetSpent:
        raise TimeoutError(f"the odds were not worked out in {seconds} seconds") from None


def sight(
    game: Game, view: View, step: Step, rules: str = "", played: Replay | None = None, time: Allowance | None = None
) -> Sight | None:
    """Return what ``view`` can infer after a step of the replay ``played``. It returns None and raises errors as
    :func:`odds` does.
    """
    at = place_in_turn(step)
    for watcher, moment in watched(game, view, rules, played, time):
        if moment is None or (moment.turn, moment.at) > (step.place, at):
            rome, egypt = watcher.filters
            return Sight(view, tuple(_face_down(watcher)), (rome.holds(), egypt.holds()), watcher.outlook())
    return None


def _face_down(watcher: Watcher) -> Iterator[tuple[int, int, tuple[Fraction, ...]]]:
    for side, columns in enumerate(watcher.tracker.columns):
        for group in watcher.edition.groups:
            for card in columns[group]:
                if not card.up:
                    yield side, group, watcher.filters[side].card(card)
