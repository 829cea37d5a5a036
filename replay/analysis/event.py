"""One token of a game carried out: what was written, what it did, and what it brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, GROUP_NAMES, ROME
from ...notation.record import Turn
from ..engine.ballot import Ballot, Chances, ballot, chances
from ..engine.replay import Step
from ..rules.state import State
from .expectation import Expectation
from .wording import loss_words, mission_words, token_words

EXPECTED: Final = "; expected: "
"""What stands between the words of a vote and what was expected of it."""


class Event(NamedTuple):
    """One token carried out: as it is written, in words, and with what it brought.

    ``kind`` is the word for the token's kind; ``chances`` what could have been drawn, where something was; ``lost``
    the cards that Rome and Egypt discarded; ``odds`` what was to be expected, where it was asked for. ``deed`` is the
    token itself, ``vetoed`` where it was only announced, between the states ``before`` and after it (``state``), all
    three with what is hidden in them.

    >>> event = tironian.timeline(record).entries[2].events[0]
    >>> event.kind, event.token, event.words
    ('place', '5K', 'places a 5 face up at the Consuls')
    """

    at: int
    token: str
    kind: str
    words: str
    ballot: Ballot | None
    chances: Chances | None
    lost: tuple[t.Cards, t.Cards]
    deed: t.Token
    vetoed: bool
    before: State
    state: State
    odds: tuple[Expectation, ...] = ()


def expecting(event: Event, expected: Sequence[Expectation]) -> Event:
    """Return an event with what was expected of it, in its words too where anything was open."""
    words = "; ".join(expectation.words for expectation in expected if not expectation.certain)
    return event._replace(odds=tuple(expected), words=f"{event.words}{EXPECTED}{words}" if words else event.words)


_REVEALS: Final = frozenset({t.Vote, t.NoVote, t.PutAway})
_PLAIN: Final = frozenset({t.Place, t.Draw})
"""Most tokens: they lose no card, and their words say all."""


def event_of(turn: Turn, step: Step, shown: t.Token, text: str, before: State) -> Event:
    """Return the event of a step of ``turn``, whose token is to be told as ``shown``, which is written as ``text``.

    ``before`` is the state in which it was carried out. Raise ValueError for the end of a turn.
    """
    token, at, edition = step.token, step.at, before.edition
    if token is None:
        raise ValueError("the end of a turn is no event")
    kind = token.__class__
    vote = ballot(before, token) if isinstance(token, t.Vote | t.SpecialVote) else None
    vetoed = at + 1 < len(turn.tokens) and turn.tokens[at + 1].__class__ is t.Veto
    words, lost, could = token_words(shown, turn.side, edition, vote, vetoed), ((), ()), None
    if kind not in _PLAIN:
        lost = _lost(before, step.state)
        could = chances(before) if kind in _REVEALS else None
        if vote is not None:
            gone = vote.outcome.gone
            more = sum(map(len, lost)) > sum(map(len, gone))
            others = "the other cards are discarded with the group" if more else ""
            words = "; ".join(filter(None, (words, loss_words(gone), others)))
        elif isinstance(token, t.Discard) and not token.cards:
            words = "passes" if step.state.passive else "places nothing"
        elif isinstance(token, t.Wrath) and not vetoed:
            swept = loss_words([tuple(side.column(token.group)) for side in before.sides])
            words = f"{words}: {swept or f'no card lay at the {GROUP_NAMES[token.group]}'}"
        elif isinstance(shown, t.ChooseMission) and 0 < (shown.kept or 0) <= len(before.sides[shown.side].missions):
            words = f"{words}: {mission_words(before.sides[shown.side].missions[(shown.kept or 0) - 1])}"
    return Event(at, text, t.KINDS[kind].event, words, vote, could, lost, token, vetoed, before, step.state)


def _lost(before: State, after: State) -> tuple[t.Cards, t.Cards]:
    """Return the cards that both sides have discarded since, from high to low."""
    # In an order of their own: the one in which they lay would tell which of the hidden ones was which.
    news = [Counter(new.discards) - Counter(old.discards) for old, new in zip(before.sides, after.sides, strict=True)]
    return tuple(sorted(news[ROME].elements(), reverse=True)), tuple(sorted(news[EGYPT].elements(), reverse=True))
