"""The answers to the four questions about a vote, held against the engine: what was missing is tried out, the draws are
counted anew, and what a side could have done is looked for among all that it could have done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from itertools import pairwise

import pytest
from scale import scaled
from tironian import (
    EDITION_NAMES,
    VIEWS,
    Game,
    State,
    VoteTree,
    analyse,
    load_edition,
    parse,
    simulate,
    timeline,
    write,
)
from tironian import tokens as t
from tironian.notation.cards import EGYPT, PHILOSOPHER, PLAYER_NAMES, ROME, TIE
from tironian.replay.engine.shown import chances
from tironian.replay.rules.vote_outcome import resolve, winner_of
from tironian.replay.story.answers import luck, needed, turnarounds
from tironian.replay.story.instead import Instead
from tironian.replay.story.vote_tree import is_open, trees
from tironian.replay.words.answers import needed_words, vote_answers
from tironian.replay.words.odds import percent
from tironian.tools.insight.analysis import costs_of, swings_of
from tironian.tools.render.vote_picture import blocks

PERCENT = re.compile(r"(?:under |over )?\d+ %")
SEEDS = range(scaled(1, 12))
"""About 20 votes in each game of each rule set, seen by four: more than a thousand votes in the full run."""


def games(name: str) -> Iterator[tuple[Game, str]]:
    for seed in SEEDS:
        (game,) = parse(write(simulate(load_edition(name), 70_000 + seed)))
        for view in VIEWS if scaled(0, 1) else (VIEWS[seed % 4], "arbiter"):
            yield game, view


def votes_of(name: str) -> Iterator[VoteTree]:
    for game, view in games(name):
        yield from trees(timeline(game, view), game, odds=True)


def ended(tree: VoteTree, loser: int, total: int) -> int:
    """Who wins if the loser's numbers add up to ``total``."""
    philosophers = [column.count(PHILOSOPHER) for column in tree.ballot.columns]
    sums = [*tree.sums]
    sums[loser] = total
    rome, egypt = zip(sums, philosophers, strict=True)
    return winner_of(rome, egypt, tree.event.before.edition)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_what_was_needed_is_the_least_that_would_have_done(name: str) -> None:
    for tree in votes_of(name):
        found = needed(tree)
        if tree.winner == TIE and tree.by_rules:
            changes = [step for step in (1, -1) if all(ended(tree, s, tree.sums[s] + step) == s for s in (ROME, EGYPT))]
            changes = changes if tree.sums[ROME] == tree.sums[EGYPT] else []
            assert (found is None) == (not changes)
            assert found is None or (found.side, found.to_win) == (TIE, tree.sums[ROME] + changes[0])
            continue
        assert (found is None) == (not tree.by_rules)
        if found is None:
            continue
        loser, had = found.side, tree.sums[found.side]
        assert loser == 1 - tree.winner
        for total, end in ((found.to_tie, TIE), (found.to_win, loser)):
            distances = [abs(other - had) for other in range(60) if ended(tree, loser, other) == end]
            if total is None:
                assert not [away for away in distances if away == 0]
            else:
                assert ended(tree, loser, total) == end
                assert abs(total - had) == min(distances)


def counted(before: State, view: str) -> tuple[int, Counter[int | None]]:
    """All draws, and whom each gives a patrician: by the cards as they lie, None where ``view`` does not know them."""
    could, ends = chances(before), Counter[int | None]()
    for group in could.groups:
        if before.left[group]:
            columns = [tuple(side.column(group)) for side in before.sides]
            known = is_open(before, group, view)
            ends[resolve(*columns, before.edition).winner if known else None] += 1
    ends[TIE] += could.blanks + could.resets
    return ends.total(), ends


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_luck_is_counted_from_the_draws(name: str) -> None:
    for tree in votes_of(name):
        found = luck(tree)
        if tree.special:
            assert found is None
            continue
        assert found is not None
        total, ends = counted(tree.event.before, tree.view)
        if not is_open(tree.event.before, tree.group, tree.view):  # but the vote itself showed its cards
            ends[None] -= 1
            ends[tree.winner] += 1
        assert (found.total, found.wins) == (total, (ends[ROME], ends[EGYPT]))
        assert (found.nobody, found.open) == (ends[TIE], ends[None])
        got = {ROME: 1, EGYPT: -1, TIE: 0}[tree.winner]
        assert found.gain == got - Fraction(ends[ROME] - ends[EGYPT], total)
        said = vote_answers(tree)[3].sentences[0]
        if found.side in (ROME, EGYPT):
            worth = [abs(found.gain) + Fraction(more * found.open, total) for more in (-1, 1)]
            numbers = [str(round(float(each), 1)) for each in dict.fromkeys(worth)]
            assert f" {' to '.join(dict.fromkeys(numbers))} patricians" in said
        lucky = set[int]()
        for rome in range(ends[None] + 1):
            share = {ROME: Fraction(ends[ROME] + rome, total), EGYPT: Fraction(ends[EGYPT] + ends[None] - rome, total)}
            half = Fraction(1, 2)
            if tree.winner == TIE:
                lucky.add(next((1 - side for side, part in share.items() if part > half), TIE))
            else:
                lucky.add(tree.winner if share[tree.winner] < half else TIE)
        assert (found.side in lucky) if found.side is not None else len(lucky) > 1


def points(winner: int, side: int) -> int:
    return {side: 1, 1 - side: -1}.get(winner, 0)


def brought(option: Instead, side: int) -> int | None:
    """The patricians that an option brings a side, less those of its opponent; None if that is open."""
    held = [option.winner] if option.called else []
    held += [option.first[1]] if option.first else []
    spared = [] if option.missed is None else [option.missed]
    if any(winner is None for winner in held):
        return None
    return sum(points(winner, side) for winner in held if winner is not None) - sum(points(one, side) for one in spared)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_it_could_have_gone_otherwise_if_an_option_does_more_for_a_side(name: str) -> None:
    for tree in votes_of(name):
        found = {each.side: each for each in turnarounds(tree)}
        assert {*found} == {ROME, EGYPT} - {tree.winner}
        for side, each in found.items():
            own = [one for one in tree.instead if one.side == side and not one.was_played]
            better = [one for one in own if (net := brought(one, side)) is not None and net > points(tree.winner, side)]
            assert each.seen == tree.sees[side]
            assert (each.best is not None) == bool(better)
            if each.best is not None:
                assert each.best in better
                assert each.others == len(better) - 1
                assert brought(each.best, side) == max(brought(one, side) or 0 for one in better)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_answers_say_what_the_picture_shows(name: str) -> None:
    """A number that is printed twice is printed alike; the lucky player is named, and nobody else."""
    for tree in votes_of(name):
        answers = [answer.words for answer in vote_answers(tree)]
        assert all(answers)
        found = luck(tree)
        drawn = unescape(" ".join([block.markup() for block in blocks(tree)]))  # without the answers above them
        written = {*PERCENT.findall(" ".join(answers))}
        assert written <= {*PERCENT.findall(drawn)}, "chances are those of the bars"
        assert {percent(each.here[tree.winner]) for each in tree.observers} <= written
        if (missing := needed(tree)) and (said := needed_words(missing)):
            assert said in answers[0]
            assert said in drawn
        for change in turnarounds(tree):
            best = change.best
            if best and best.called and all(low == high for low, high in best.sums):
                (rome, _), (egypt, _) = best.sums
                assert f"{rome}\u00a0:\u00a0{egypt}" in answers[1]
                assert f">{rome} : {egypt}" in drawn
        if found:
            total = sum(lane.copies for lane in tree.lanes)
            assert f"One of {total}, all equally likely." in drawn
            assert f", one of {total}." in answers[0]
            assert f"Of the {total} " in answers[3]
        if tree.special or found is None or found.side in (None, TIE):
            assert not any(answers[3].startswith(player) for player in PLAYER_NAMES)
        else:
            assert answers[3].startswith(PLAYER_NAMES[found.side])


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_what_an_analysis_says_of_a_vote_is_on_its_curve(name: str) -> None:
    (game,) = parse(write(simulate(load_edition(name), 70_000)))
    report = analyse(game, level="quick")
    swings = swings_of(report)
    grown = trees(timeline(game), game, costs=costs_of(report), swings=swings)
    assert any(side for tree in grown for side in tree.swings)
    for side, log in zip(report.sides, report.log, strict=True):
        assert side is not None
        assert log is not None
        for tree in grown:
            place = next(number for number, turn in enumerate(log.turns) if turn.label == tree.turn)
            moves = [
                (after.cause, after.win - before.win)
                for before, after in pairwise(side.curve)
                if (after.turn, after.at) == (place, tree.at)
            ]
            swing = tree.swings[side.side]
            for cause, at in (("busts", 0), ("reveals", 1)):
                total = sum(change for name, change in moves if name == cause)
                assert (swing or (0.0, 0.0))[at] == pytest.approx(total)


def test_every_kind_of_vote_is_among_them() -> None:
    """Drawn and special, turned by a philosopher, tied, and two in one turn."""
    kinds = Counter[str]()
    for name in EDITION_NAMES:
        for seed in range(3):
            (game,) = parse(write(simulate(load_edition(name), 70_000 + seed)))
            for tree in trees(timeline(game), game):
                kinds["special" if tree.special else "drawn"] += 1
                kinds["turned"] += tree.scene.is_turned
                kinds["tied"] += tree.winner == TIE
                kinds["two"] += bool(tree.beside)
                assert isinstance(tree.event.actual, t.Vote | t.SpecialVote)
    assert all(kinds[kind] for kind in ("special", "drawn", "turned", "tied", "two"))
