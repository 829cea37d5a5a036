"""Vote trees and margins of simulated games, held against the engine: one way taken, its end the engine's result; every
margin turns the vote when the game is played on without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from corpus import spoilt
from scale import scaled
from tironian import (
    EDITION_NAMES,
    Event,
    Game,
    ImpossibleMoveError,
    State,
    Timeline,
    VoteTree,
    apply,
    load_edition,
    parse,
    simulate,
    timeline,
    write,
)
from tironian import tokens as t
from tironian.notation.cards import EGYPT, ROME, TIE
from tironian.notation.codes import encode
from tironian.replay.rules.layout import NOT_ENDED
from tironian.replay.rules.mechanics.hands import change_hand, set_column
from tironian.replay.rules.mechanics.votes import hold_vote
from tironian.replay.rules.vote_outcome import WINNER
from tironian.replay.story.vote_tree import trees
from tironian.replay.words.vote_tree import Node, margin_words, vote_outline
from tironian.tools.cli.command_line import main

CHUNKS = 8
GAMES = scaled(1, 125)
"""Games of each rule set and chunk: a thousand of each rule set in the full run."""
READINGS = {
    "2024": ("", "empty_side=tie", "special_repeat=yes", "empty_side=loses"),
    "1997": ("", "empty_side=loses"),
    "fr": ("", "empty_side=tie"),
    "taylor": ("",),
}
Columns = tuple[tuple[int, ...], tuple[int, ...]]


def told_games(name: str, chunk: int) -> Iterator[tuple[Game, Timeline]]:
    for number in range(GAMES):
        readings = READINGS[name]
        setting = readings[(number + chunk) % len(readings)]
        options = dict([setting.split("=")]) if setting else {}
        record = simulate(load_edition(name).with_options(options), 10_000 * chunk + number + 7)
        (game,) = parse(write(record))
        yield game, timeline(game)


def stages(told: Timeline) -> Iterator[tuple[str, Event, State]]:
    """Every event with its turn and the state before it."""
    before = told.start
    for entry in told.entries:
        for event in entry.events:
            yield entry.label, event, before
            before = event.state
        before = entry.state or before


def held(before: State, group: int, columns: Columns) -> int:
    """Who wins the vote at a group when these cards lie there: the engine holds it anew."""
    state = before.copy()
    for side, cards in enumerate(columns):
        set_column(state, side, group, True, [])
        set_column(state, side, group, False, list(cards))
    return hold_vote(state, *encode(t.Vote(group))) & WINNER


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_trees_and_margins(name: str, chunk: int):
    for game, told in told_games(name, chunk):
        all_stages = [*stages(told)]
        votes = [stage for stage in all_stages if isinstance(stage[1].actual, t.Vote | t.SpecialVote)]
        grown = trees(told, game)
        assert len(grown) == len(votes)
        for tree, (turn, event, before) in zip(grown, votes, strict=True):
            assert (tree.turn, tree.at) == (turn, event.at)
            one_way_taken(tree, before, event)
            assert held(before, tree.group, columns_of(before, tree.group)) == tree.winner
            undone_is_what_replaying_without_it_gives(tree, all_stages, event)


def one_way_taken(tree: VoteTree, before: State, event: Event) -> None:
    node = vote_outline(tree).root
    assert node.taken
    while True:
        shares = [child.chance for child in node.children if child.chance]
        if shares:
            assert sum(cases for cases, _ in shares) == shares[0][1]
            assert len({of for _, of in shares}) == 1
            assert len(shares) == len(node.children)
        taken = [child for child in node.children if child.taken]
        assert len(taken) == bool(node.children)
        for child in node.children:
            assert child.taken or not any(below.taken for below in everything(child))
        if not taken:
            break
        node = taken[0]
    won = [new.won[tree.group] - old.won[tree.group] for new, old in zip(event.state.sides, before.sides, strict=True)]
    winner = TIE if won == [0, 0] else ROME if won == [1, 0] else EGYPT
    assert node.winner == winner == tree.winner


def everything(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from everything(child)


def columns_of(before: State, group: int) -> Columns:
    rome, egypt = (tuple(side.column(group)) for side in before.sides)
    return rome, egypt


def undone_is_what_replaying_without_it_gives(
    tree: VoteTree, all_stages: list[tuple[str, Event, State]], event: Event
) -> None:
    """Take the action out of the game, or the veto against it, and let the engine play on to the vote."""
    last = next(place for place, stage in enumerate(all_stages) if stage[1] is event)
    for margin in tree.margins:
        turn = margin.turn
        assert margin_words(margin).endswith(f" {turn}")
        places = [place for place in range(last) if all_stages[place][0] == turn and is_action(all_stages[place][1])]
        place = places[-1]
        action = all_stages[place][1]
        assert (margin.at, type(margin.token)) == (action.at, type(action.actual))
        assert margin.kind == ("veto" if action.vetoed else action.kind)
        columns = without(all_stages, place, last, tree.group)
        assert columns is not None, margin
        assert margin.sums == tuple((sum(cards), sum(cards)) for cards in columns)
        assert held(all_stages[last][2], tree.group, columns) == margin.result != tree.winner


def is_action(event: Event) -> bool:
    return isinstance(event.actual, t.ACTIONS)


def without(all_stages: list[tuple[str, Event, State]], place: int, last: int, group: int) -> Columns | None:
    """The columns at the group after the tokens from ``place`` to ``last``, the first left out or let through."""
    _, action, before = all_stages[place]
    state = before.copy()
    following = all_stages[place + 1 : last]
    vetoed = bool(following) and isinstance(following[0][1].actual, t.Veto)
    if vetoed:
        actual = action.actual
        if isinstance(actual, t.Assassinate) and actual.card is None:
            hidden = state.sides[1 - state.active].hidden[actual.group]
            actual = replace(actual, card=hidden[(actual.position or 1) - 1])
        apply(state, actual)
        following = following[1:]
    for number, (_, event, was) in enumerate(following):
        token = event.actual
        state.active, state.over = was.active, NOT_ENDED
        ours = {getattr(token, name) for name in ("group", "first", "second") if hasattr(token, name)}
        if not isinstance(token, (t.Place, *t.ACTIONS)) or group not in ours:
            continue
        for side, there in enumerate(was.sides):
            for card, (held, now) in enumerate(zip(there.hand, state.sides[side].hand, strict=True)):
                change_hand(state, side, card, held - now)
            for other in set(range(6)) - {group}:
                set_column(state, side, other, False, there.up[other])
                set_column(state, side, other, True, there.hidden[other])
        if isinstance(token, t.Assassinate) and token.card is not None:
            # The same card is hit, wherever it lies now in its column.
            hidden = state.sides[1 - state.active].hidden[group]
            below = token.card in hidden and (token.hidden or token.card not in state.sides[1 - state.active].up[group])
            token = t.Assassinate(token.card, group, below, hidden.index(token.card) + 1 if below else None)
        again = number + 1 < len(following) and isinstance(following[number + 1][1].actual, t.Veto)
        try:
            apply(state, token, again)
        except ImpossibleMoveError:
            return None
    return columns_of(state, group)


@pytest.mark.parametrize("number", [52, 59, *range(1000, 1000 + scaled(2, 400))])
def test_votes_of_a_damaged_game_are_drawn_as_far_as_it_is_followed(number: int, tmp_path: Path) -> None:
    """The cards may be followed further than the game: in 52 and 59 that was a fault of the program."""
    path = tmp_path / "game.tiro"
    path.write_text(spoilt(number, 1).text, encoding="utf-8")
    drawn = ["--vote", "1", "--format", "svg", "-o", str(tmp_path / "vote.svg")]
    done = CliRunner().invoke(main, ["votes", str(path), *drawn])
    assert "T001" not in done.output
