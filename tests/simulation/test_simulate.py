"""Simulated games: the same from the same seed, legal by the generator, and all that can happen in them does."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from click.testing import CliRunner
from scale import scaled
from tironian import (
    EDITION_NAMES,
    Move,
    Record,
    State,
    apply,
    check,
    legal_moves,
    load_edition,
    parse,
    record_of,
    replay_game,
    score,
    simulate,
    start,
    write,
    write_all,
)
from tironian import tokens as t
from tironian.notation.cards import AEDILE, EGYPT, QUAESTOR, ROME, VETO
from tironian.notation.codes import CASTLE, KIND
from tironian.replay.rules.game.legal import END_MOVE, as_move
from tironian.replay.rules.mechanics.hands import change_hand
from tironian.replay.simulation.player import next_move, random_turn_codes, style
from tironian.replay.simulation.simulator import STATS, stats
from tironian.tools.cli.command_line import main

GAMES = 150
NEVER = {
    "2024": {"passive_turns", "spy", "put_away", "ended_hand_played", "ended_final_turn"},
    "1997": {"mission_choice", "ended_hand_played", "ended_final_turn"},
    "fr": {"put_away", "mission_choice", "ended_full"},
    "taylor": {"mission_choice", "ended_final_turn"},
}
"""What the rules of an edition leave no room for."""
SELDOM = {"unterminated", "ended_hand_played"}
VARIANTS = [
    (name, option, value)
    for name in EDITION_NAMES
    for option, values in load_edition(name).options.items()
    for value in values[1:]
]


@cache
def games(name: str) -> tuple[Record, ...]:
    edition = load_edition(name)
    return tuple(simulate(edition, seed) for seed in range(GAMES))


def opening(record: Record, name: str, *options: tuple[str, str]) -> State:
    rome, egypt, *_ = record.turns
    starter = ROME if record.header("Starts") else EGYPT
    return start(load_edition(name, options), starter, rome.tokens, egypt.tokens)


def line_up(state: State, *tokens: t.Token | None) -> State:
    """A copy of the state after some tokens, each of which must be on offer."""
    state = state.copy()
    for token in tokens:
        assert Move(token) in legal_moves(state), token
        apply(state, token)
    return state


def offered(state: State, kind: type) -> list[t.Token]:
    return [token for token, _vetoed in legal_moves(state) if isinstance(token, kind)]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    edition = load_edition(name)
    again = [simulate(edition, seed) for seed in range(10)]
    assert write_all(again) == write_all(games(name)[:10])
    assert len({write(record) for record in games(name)}) == GAMES


def test_headers_may_be_left_out() -> None:
    edition = load_edition("2024")
    record = simulate(edition, 5, headers=False)
    assert record.headers == ()
    assert record.turns == simulate(edition, 5).turns


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_what_is_written_reads_back(name: str) -> None:
    records = list(games(name)[:40])
    read = parse(write_all(records))
    assert [game.record for game in read] == records
    assert not [game.problems for game in read if game.problems]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_draws_are_merged(name: str) -> None:
    tokens = [pair for record in games(name) for turn in record.turns for pair in pairwise(turn.tokens)]
    assert not [pair for pair in tokens if isinstance(pair[0], t.Draw) and isinstance(pair[1], t.Draw)]
    assert any(len(token.cards) > 2 for pair in tokens for token in pair if isinstance(token, t.Draw))


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_everything_happens(name: str) -> None:
    found = stats(games(name))
    assert tuple(found) == STATS
    missing = {kind for kind, number in found.items() if not number}
    assert missing - SELDOM == NEVER[name] - SELDOM
    assert not found["unterminated"]


def test_more_cards_than_two_groups_take_are_not_castled() -> None:
    lines = '[Rules "2024"]', '[Setup "position"]', "0R h(1)", "0E 5A 5A 4A 3A 2A 1A 5Q 5Q 4Q 3Q 2Q h(12c)"
    (game,) = parse("\n".join(lines))
    state = replay_game(game).steps[0].state
    for seed in range(60):
        rng = Random(seed)
        made = random_turn_codes(state.copy(), rng, (style(rng), style(rng)))
        castled = [{code >> 4 & 7, code >> 7 & 7} for code in made[::2] if code & KIND == CASTLE]
        assert {AEDILE, QUAESTOR} not in castled


def test_a_lone_player_may_end_with_his_hand() -> None:
    assert stats(games("taylor"))["ended_hand_played"] > 0


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_result_is_the_score(name: str) -> None:
    for record in games(name)[:30]:
        state = opening(record, name)
        for turn in record.turns[2:]:
            assert (turn.number, turn.side) == (state.number, state.active)
            for token, following in pairwise((*turn.tokens, None)):
                assert token is not None
                apply(state, token, isinstance(following, t.Veto))
            apply(state, None)
        assert state.ended
        assert record.result is not None
        assert record.result.points == score(state).points


@pytest.mark.parametrize(("name", "option", "value"), [(name, "", "") for name in EDITION_NAMES] + VARIANTS)
def test_the_player_chooses_among_legal_moves(name: str, option: str, value: str) -> None:
    edition = load_edition(name, ((option, value),) if option else ())
    record = simulate(edition, 7)
    assert record.header("Rulings") == (f"{option}={value}" if option else "")
    for seed in range(4):
        rng = Random(seed)
        state = opening(simulate(edition, seed), name, *(((option, value),) if option else ()))
        styles = (style(rng), style(rng))
        for _ in range(4000):
            move, legal = as_move(*next_move(state, rng, styles)), legal_moves(state)
            assert move in legal
            assert len(set(legal)) == len(legal)
            apply(state, *move)
            if state.ended and move == END_MOVE:
                break


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_any_legal_moves_make_a_game(name: str) -> None:
    """A walk that takes any move of any kind never stands without a move, and conserves the cards."""
    rng = Random(11)
    for record in games(name)[:4]:
        state = opening(record, name)
        for _ in range(3000):
            legal = legal_moves(state)
            assert legal
            kind = rng.choice(sorted({(str(type(move.token)), move.vetoed) for move in legal}))
            move = rng.choice([move for move in legal if (str(type(move.token)), move.vetoed) == kind])
            apply(state, *move)
            assert [cards_of(state, side) for side in (ROME, EGYPT)] == [deck(state)] * 2
            if state.ended and move == END_MOVE:
                break


def deck(state: State) -> Counter[int]:
    edition = state.edition
    numbers = Counter(dict.fromkeys(range(1, 6), edition.influence_copies))
    return numbers + Counter({0: edition.philosophers}) + Counter(edition.actions)


def cards_of(state: State, place: int) -> Counter[int]:
    side = state.sides[place]
    found = Counter(card for column in (*side.hidden, *side.up) for card in column)
    found += Counter(side.discards)
    for zone in (side.hand, side.unseen):
        found += Counter({card: copies for card, copies in enumerate(zone) if copies})
    return found


def test_chance_is_limited_to_what_is_there() -> None:
    state = opening(simulate(load_edition("1997"), 2), "1997")
    state.orders[EGYPT] = (VETO, 6, 7)
    state = line_up(state, t.Place(5, 3, False), t.Place(4, 3, False))
    drawn = {token.cards for token in offered(state, t.Draw) if isinstance(token, t.Draw)}
    assert {cards for cards in drawn if cards[0] > 5} == {(VETO,)}
    assert Move(None) not in legal_moves(state)


def test_one_card_face_up_asks_for_another() -> None:
    state = opening(simulate(load_edition("1997"), 2), "1997")
    state = line_up(state, t.Place(5, 3, False))
    assert {type(token) for token, _ in legal_moves(state)} == {t.Place}
    assert all(not token.hidden for token in offered(state, t.Place) if isinstance(token, t.Place))


def test_an_action_after_one_card_bars_the_second() -> None:
    record = next(record for record in games("2024") if not record.header("Starts"))
    state = opening(record, "2024")
    change_hand(state, EGYPT, 7, 1)
    state = line_up(state, t.Place(5, 3, False))
    assert offered(state, t.Place)
    state = line_up(state, *offered(state, t.Scout)[:1])
    assert not offered(state, t.Place)


def test_a_veto_is_announced_and_follows() -> None:
    state = opening(simulate(load_edition("2024"), 1), "2024")
    change_hand(state, state.active, 9, 1)
    castling = t.Castle(3, 4)
    assert Move(castling, True) in legal_moves(state)
    assert Move(castling) not in legal_moves(state)
    apply(state, castling, True)
    assert all(isinstance(token, t.Veto) and token.draw is not None for token, _ in legal_moves(state))


# ------------------------------------------------------------------------------------------ the command line


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["simulate", *arguments])
    return result.exit_code, result.output


def test_the_command_writes_games() -> None:
    code, text = run("--rules", "1997", "--games", "3", "--seed", "0")
    assert code == 0
    assert text == write_all(games("1997")[:3])


@pytest.mark.process
@pytest.mark.parametrize("more", [(), ("--stats",), ("--stats", "--format", "json")], ids=" ".join)
def test_many_processes_play_the_same_games(more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tironian.tools.cli.simulate.GAMES_PER_TASK", 3)
    alone, shared = (
        CliRunner().invoke(main, ["simulate", "-n", "32", "--seed", "9", "-j", jobs, *more]) for jobs in ("1", "3")
    )
    assert alone.exit_code == shared.exit_code == 0
    assert alone.stdout == shared.stdout


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_moves_that_were_played_make_the_record_of_the_game(name: str):
    for seed in range(scaled(8, 400)):
        record = simulate(load_edition(name), seed)
        rome, egypt, *turns = record.turns
        moves = [
            move
            for turn in turns
            for move in (*(Move(each, turn.is_vetoed(at)) for at, each in enumerate(turn.tokens)), Move(None))
        ]
        options = tuple((word.partition("=")[0], word.partition("=")[2]) for word in record.header("Rulings").split())
        starter = ROME if record.header("Starts") else EGYPT
        again = record_of(load_edition(name, options), starter, rome.tokens, egypt.tokens, moves, ("Livia", "Marcus"))
        assert ([*again.turns], again.result) == ([*record.turns], record.result)
        assert check(again).verdict == check(record).verdict
        assert (again.header("Rules"), again.header("Caesar")) == (name, "Livia")
