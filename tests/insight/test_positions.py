"""Positions as rows: the same from a player's own log as from the full record, and worlds as likely as they are."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from scale import FULL, scaled
from tironian import EDITION_NAMES, Record, State, load_edition, replay_game, simulate, start, view
from tironian.replay.engine.headers import read_headers
from tironian.replay.knowledge.ledger import UNKNOWN, history_of
from tironian.replay.rules import layout
from tironian.replay.simulation.simulator import openings
from tironian.tools.insight.match import Match
from tironian.tools.insight.net import evaluator, load
from tironian.tools.insight.options import WHOLE, OptionBatch, result, settle
from tironian.tools.insight.players import advance
from tironian.tools.insight.position import GROUP_INPUTS, PLACES, REST_INPUTS, inputs, readings, rows_of, slants
from tironian.tools.insight.snapshots import ACT, Snapshots
from tironian.tools.insight.worlds import Belief, Beliefs

VIEWS = ("caesar", "cleopatra")


def row(state: State, side: int) -> list[int]:
    shots = Snapshots()
    then = state.copy()
    shots.add(then, side, settle(then))
    return rows_of(shots)[0].tolist()


def beliefs(record: Record, side: int) -> list[tuple[Belief, State]]:
    """What a player could tell before each token, and the state as it was."""
    log = view(record, VIEWS[side]).record
    story = history_of(log, read_headers(log))
    assert story is not None
    told, moments = Beliefs(story, side), iter(story.moments)
    found = []
    for (last, step), (whole, _) in zip(
        pairwise(replay_game(log).steps), pairwise(replay_game(record).steps), strict=True
    ):
        if not last.state.over and last.state.vetoed != layout.ANNOUNCED:
            found.append((told.now(last.state), whole.state))
        if step.token is not None:
            told.see(next(moments))
    return found


@pytest.mark.parametrize("rules", EDITION_NAMES)
def test_a_row_knows_no_more_than_the_player(rules: str):
    """Nor less: it is the same of his log, of the full record and of each world that he can think of."""
    rng = Random(1)
    for seed in range(scaled(1, 60)):
        record = simulate(load_edition(rules), seed)
        for side in (0, 1):
            for belief, whole in beliefs(record, side):
                known = row(belief.state, side)
                assert known == row(whole, side)
                assert known == row(belief.deal(rng, 1)[0], side)


@pytest.mark.parametrize("rules", EDITION_NAMES)
def test_a_world_is_a_state_that_the_game_can_go_on_from(rules: str):
    rng = Random(2)
    record = simulate(load_edition(rules), 5)
    for belief, _ in beliefs(record, 0)[:: scaled(7, 1)]:
        [world] = belief.deal(rng, 1)
        rome, egypt = world.sides
        for side in (rome, egypt):
            assert min(side.hand) >= 0
            assert min(side.unseen) >= 0
            assert side.hand[12] == side.hand[13] == 0
            assert sum(side.unseen[:6]) == side.influence_pile
            assert sum(side.unseen[6:12]) == side.action_pile
        match = Match(world, 1)
        batch = OptionBatch()
        while match.turns < 2 and match.wait():
            batch.clear()
            match.list_options(batch, 1)
            match.choose(batch.moves[0], batch.moves[1])


@pytest.mark.parametrize("rules", EDITION_NAMES)
def test_a_game_that_ends_is_worth_the_mean_of_what_the_other_sides_mission_may_be(rules: str):
    edition, rng, worlds, uncertain = load_edition(rules), Random(4), scaled(200, 2000), 0
    for seed in range(10, scaled(14, 210)):
        record = simulate(edition, seed)
        final = replay_game(record).steps[-1].state
        for side in (0, 1):
            batch = OptionBatch()
            batch.option(0, 0)
            batch.case()
            for state in (final, replay_game(view(record, VIEWS[side]).record).steps[-1].state):
                batch.row(state.copy(), side)
            whole, own = batch.results
            assert whole == own
            belief, came = beliefs(record, side)[-1][0], []
            for _ in range(worlds):
                then = final.copy()
                then.missions = belief.deal(rng, 1)[0].missions
                choices = []
                for kept in range(1, len(then.missions[1 - side]) + 1):
                    then.cells[layout.KEPT + 1 - side] = kept
                    choices.append(result(then, side) / 2)
                came.append(min(choices))
            assert np.mean(came) == pytest.approx(whole / WHOLE, abs=2.5 / worlds**0.5)
            uncertain += len(set(came)) > 1
    assert uncertain


def test_the_deal_is_as_likely_as_the_exact_odds():
    """Chi-square of the unknown cards on the table, of many worlds, against the odds of the filter."""
    from tironian.replay.knowledge.ledger import CardTracker
    from tironian.replay.knowledge.outlook import Filter

    worlds, tried = scaled(300, 20_000), 0
    for seed in range(scaled(2, 12)):
        record = simulate(load_edition("2024"), seed)
        log = view(record, "caesar").record
        story = history_of(log, read_headers(log))
        assert story is not None
        for until in range(20, len(story.moments), scaled(60, 40)):
            told = Beliefs(story, 0)
            for moment in story.moments[:until]:
                told.see(moment)
            steps = [step for step in replay_game(log).steps if step.token is not None or step.turn is None]
            state = steps[until].state
            deck = Filter(CardTracker(story, until).books[2])
            deck.catch_up()
            belief, rng = told.now(state), Random(seed)
            dealt = belief.deal(rng, worlds)
            for group, column in enumerate(told.tracker.columns[1]):
                hidden = [card for card in column if not card.up]
                for place, card in enumerate(hidden):
                    if card.rank != UNKNOWN:
                        continue
                    odds = [float(chance) for chance in told.filters[0].card(card)]
                    counts = Counter(world.sides[1].hidden[group][place] for world in dealt)
                    off = sum((counts[label] - worlds * p) ** 2 / (worlds * p) for label, p in enumerate(odds) if p)
                    assert not [label for label in counts if not odds[label]]
                    assert off < 30, (seed, until, group, place)  # p < .00002 for five degrees of freedom
                    tried += 1
    assert tried > 5


def test_every_input_is_filled_in():
    """Of rows that have everything, each input takes more than one value, but for those of other editions."""
    edition = load_edition("2024")
    rng, shots = Random(3), Snapshots()
    for seed in range(30):
        match = Match(_started(rng), seed)
        batch = OptionBatch()
        while match.turns < 40 and match.wait():
            batch.clear()
            match.list_options(batch, 1)
            at = rng.randrange(len(batch.vetoes))
            match.choose(batch.moves[2 * at], batch.moves[2 * at + 1])
            then = match.state.copy()
            if not match.pending:
                shots.add(then, seed % 2, settle(then, match.passed))
    read = readings(edition)
    found = inputs(rows_of(shots), read)
    assert found.shape[1] == PLACES * GROUP_INPUTS + REST_INPUTS + len(read)
    assert np.isfinite(found).all()
    assert np.abs(found).max() < 20
    constant = [place for place in range(found.shape[1] - len(read)) if len(np.unique(found[:, place])) == 1]
    assert len(constant) < 20, constant


def _started(rng: Random) -> State:
    edition = load_edition("2024")
    starter, rome, egypt = openings(edition, rng)
    return start(edition, starter, rome, egypt)


@pytest.mark.parametrize("rules", ["2024", "1997", "fr", "taylor"])
def test_each_net_has_its_card_and_all_are_small(rules: str):
    folder = Path(__file__).parents[2] / "tools/insight/weights"
    assert load(rules).name in (folder / "README.md").read_text(encoding="utf-8")
    assert sum(file.stat().st_size for file in folder.glob("*.npz")) < 300_000


@pytest.mark.parametrize("rules", ["2024", "1997", "fr", "taylor"] if FULL else ["2024"])
def test_the_chances_of_both_players_add_up_to_one_in_the_mean(rules: str):
    """A net without its correction is too hopeful for both: by .05 at the start, by .06 after three turns."""
    edition = load_edition(rules)
    value = evaluator(edition)
    openings_of = [openings(edition, Random(seed)) for seed in range(7_000_000, 7_000_000 + scaled(80, 2000))]
    matches = [Match(start(edition, *opening), 3) for opening in openings_of]
    for turns in (0, 3):
        advance(matches, value, turns)
        states = [match.state.copy() for match in matches if not match.is_over()]
        both = [value.states([state.copy() for state in states], viewer) for viewer in (0, 1)]
        assert abs(np.mean(both[0] + both[1]) - 1) < (0.005 if FULL else 0.02)


@pytest.mark.parametrize("rules", ["2024", "1997", "fr", "taylor"])
def test_the_correction_has_a_factor_for_everything_that_it_depends_on(rules: str):
    net, shots = load(rules), Snapshots()
    for number in range(8):
        match = Match(start(load_edition(rules), *openings(load_edition(rules), Random(number))), number)
        advance([match], evaluator(load_edition(rules)), number)
        shots.add(match.state, number % 2, ACT)
    assert net.even is not None
    assert slants(rows_of(shots)).shape == (8, len(net.even))
