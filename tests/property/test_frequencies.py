"""Odds against what really happens: in games of players who don't look at their cards both agree, but for chance."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random

import pytest
import tironian
from left_out_views import read
from scale import scaled
from tironian import EDITION_NAMES, State, load_edition, simulate
from tironian import tokens as t
from tironian.notation import codes
from tironian.replay.engine.headers import read_headers
from tironian.replay.knowledge.ledger import CardHistory, history_of
from tironian.replay.knowledge.outlook import Watcher
from tironian.replay.rules.moves.placing import DOWN, UP, allowed_faces
from tironian.replay.simulation import player
from tironian.replay.simulation.player import Style

CHUNKS = 4
GAMES = scaled(5, 625)
VIEWS = ("table", "caesar", "cleopatra")
LIMIT = 4.5
"""Standard errors: with some fifty figures one of them lies beyond it by chance in three thousand runs."""


@dataclass
class Tally:
    """How often something happened, against how often it should have."""

    surplus: float = 0.0
    variance: float = 0.0
    times: int = 0

    def add(self, odds: float, happened: bool) -> None:
        self.surplus += happened - odds
        self.variance += odds * (1 - odds)
        self.times += 1

    @property
    def error(self) -> float:
        return self.surplus / sqrt(self.variance) if self.variance else 0.0


def place_blindly(state: State, rng: Random, _own: Style) -> int:
    """Any card of the hand, anywhere: the odds make nothing of how somebody plays."""
    ways = allowed_faces(state)
    groups = [group for group in state.edition.groups if ways and state.room(state.active, group)]
    cards = [card for card in range(6) for _ in range(state.sides[state.active].hand[card])]
    if not (groups and cards):
        return player.NOTHING
    hidden = ways == DOWN if ways != UP | DOWN else rng.random() < 0.5
    return codes.encode(t.Place(rng.choice(cards), rng.choice(groups), hidden))[0]


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "_place", place_blindly)
    monkeypatch.setattr(player, "_action", lambda *_: (player.NOTHING, 0))
    monkeypatch.setattr(player, "_exchange", lambda *_: codes.DISCARD)


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_what_happens_is_what_was_to_be_expected(name: str, chunk: int):
    edition = load_edition(name)
    tallies: dict[str, Tally] = {}
    for number in range(GAMES):
        record = simulate(edition, 900_000 + 10_000 * chunk + number)
        game = read(record)
        log = tironian.view(game, VIEWS[number % 3]).record
        whole, part = (history_of(each, read_headers(each)) for each in (game.record, log))
        assert whole is not None
        assert part is not None
        count(whole, part, tallies)
    assert tallies["tie"].times > 15 * GAMES
    assert len(tallies) == 11
    far = {what: round(tally.error, 2) for what, tally in tallies.items() if abs(tally.error) > LIMIT}
    assert not far


def count(whole: CardHistory, part: CardHistory, tallies: dict[str, Tally]) -> None:
    """Hold what the log lets expect at each vote and draw against what the whole record says."""

    def add(what: str, odds: object, happened: bool) -> None:
        tallies.setdefault(what, Tally()).add(float(odds), happened)

    watcher = Watcher(part)
    for moment, real in zip(part.moments, whole.moments, strict=True):
        token = moment.token
        if isinstance(token, t.Vote | t.SpecialVote):
            seen = watcher.at(token.group)
            for outcome, what in enumerate(("Rome wins", "Egypt wins", "tie")):
                add(what, seen.wins[outcome], token.winner == outcome)
            for side, cards in enumerate((token.rome, token.egypt)):
                even = sum(odds for total, odds in seen.sums(side).items() if total % 2 == 0)
                wits = sum(odds for (_, count), odds in seen.spreads[side].items() if count)
                add("even sum", even, sum(cards) % 2 == 0)
                add("philosopher", wits, 0 in cards)
        elif isinstance(token, t.Draw) and real.token.cards[0] <= 5:
            odds = watcher.filters[moment.side].next_card()
            for card in range(6):
                add(f"next card {card}", odds[card], real.token.cards[0] == card)
        watcher.see(moment)
