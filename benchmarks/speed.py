"""Speed of reading and judging, beside python-chess reading as much PGN, in one run on one core.

    .venv/bin/python benchmarks/speed.py --games 2000 --seed 1

Ours reads canonical text and replays every game through the rules. Theirs is ``chess.pgn.read_game``, which
reads movetext and plays every move on a board. One event is one token of ours, one ply is one move of theirs,
and both texts hold the same number. Both are cut into slices that are timed in turn, in processor time, so that a
machine whose speed changes slows both alike; the first pass of ours, before its reader has seen any phrase, is told
apart.
"""

from __future__ import annotations

import argparse
import gc
import io
import platform
import random
from collections.abc import Callable, Iterator
from time import process_time

import chess
import chess.pgn
from tironian.notation import Record, parse, read_games, write
from tironian.replay import check, load_edition
from tironian.replay.simulator import simulate

SLICES = 20
EDITIONS = ("2024", "1997", "fr", "taylor")


def tiro_texts(games: int, seed: int) -> list[str]:
    """Simulated games of every rule set in canonical form."""
    return [write(record) for record in tiro_records(games, seed)]


def tiro_records(games: int, seed: int) -> Iterator[Record]:
    """The simulator as this benchmark uses it. Each game has a seed of its own."""
    for number in range(games):
        edition = load_edition(EDITIONS[number % len(EDITIONS)])
        yield simulate(edition, seed * 1_000_003 + number)


def count_events(text: str) -> int:
    """The tokens of all turns in a text."""
    return sum(len(turn.tokens) for game in parse(text) for turn in game.record.turns)


def pgn_games(plies: int, longest: int, seed: int) -> list[str]:
    """Random legal chess games with exactly that many plies in all, written by python-chess."""
    rng = random.Random(seed)
    games: list[str] = []
    while plies:
        board = chess.Board()
        while len(board.move_stack) < min(plies, longest) and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        plies -= len(board.move_stack)
        games.append(f"{chess.pgn.Game.from_board(board)}\n")
    return games


def read_ours(text: str) -> None:
    """Reading alone."""
    for _ in read_games(io.StringIO(text)):
        pass


def judge_ours(text: str) -> None:
    """Reading and the full replay. Simulated games are legal, so a problem is a fault of the program."""
    for game in read_games(io.StringIO(text)):
        verdict = check(game)
        if verdict.diagnostics:
            raise SystemExit(f"a simulated game is refused: {verdict.diagnostics[0]}\n{write(game.record)}")


def read_theirs(text: str) -> None:
    """Every game of the PGN text, moves checked and played."""
    stream = io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        if game.errors:
            raise SystemExit(f"python-chess refuses its own game: {game.errors[0]}")


def seconds(work: Callable[[str], None], text: str) -> float:
    """Processor time of one call, begun with a swept heap."""
    gc.collect()
    start = process_time()
    work(text)
    return process_time() - start


def slices(games: list[str]) -> list[str]:
    """The games as a few texts of about the same make."""
    return ["\n".join(games[start::SLICES]) for start in range(SLICES)]


def main() -> None:
    """Make both texts, time them slice by slice in turn, print the sums."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="games of ours, all rule sets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    texts = tiro_texts(options.games, options.seed)
    ours = slices(texts)
    first = sum(seconds(judge_ours, text) for text in ours)
    events = sum(map(count_events, ours))
    pgn = pgn_games(events, -(-events // options.games), options.seed)
    theirs = slices(pgn)
    print(f"Python {platform.python_version()}, python-chess {chess.__version__}, {options.rounds} rounds")
    print(f"ours    {options.games} games, {events:,} events, {sum(map(len, ours)):,} characters")
    print(f"theirs  {len(pgn)} games, {events:,} plies, {sum(map(len, theirs)):,} characters")

    rounds: list[tuple[float, float, float]] = []
    for _ in range(options.rounds):
        times = [
            (seconds(judge_ours, mine), seconds(read_theirs, other), seconds(read_ours, mine))
            for mine, other in zip(ours, theirs, strict=True)
        ]
        judging, chess_time, reading = (sum(column) for column in zip(*times, strict=True))
        rounds.append((judging, chess_time, reading))
    judging, chess_time, reading = (sum(column) / options.rounds for column in zip(*rounds, strict=True))
    ratios = sorted(chess_round / judging_round for judging_round, chess_round, _ in rounds)
    share = reading / judging
    print(f"ours    {events / judging:12,.0f} events/s read and judged")
    print(f"        {events / first:12,.0f} events/s in the first pass")
    print(f"        {events / reading:12,.0f} events/s read only: {share:.0%} reading, {1 - share:.0%} judging")
    print(f"theirs  {events / chess_time:12,.0f} plies/s")
    print(f"ratio   {chess_time / judging:12.1f}   ({ratios[0]:.1f} to {ratios[-1]:.1f} in a round)")


if __name__ == "__main__":
    main()
