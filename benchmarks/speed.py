"""Speed of reading and judging, beside python-chess reading as much PGN, in one run on one core.

    .venv/bin/python benchmarks/speed.py --games 2000 --seed 1

Ours reads canonical text and replays every game through the rules. Theirs is ``chess.pgn.read_game``, which
reads movetext and plays every move on a board. One event is one token of ours, one ply is one move of theirs,
and both texts hold the same number. The two are timed in turn and the medians compared; the first pass of
ours, before its reader has seen any phrase, is told apart.
"""

from __future__ import annotations

import argparse
import gc
import io
import platform
import random
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter

import chess
import chess.pgn
from tironian.notation import Record, parse, read_games, write
from tironian.replay import check, load_edition
from tironian.replay.simulate import simulate

EDITIONS = ("2024", "1997", "fr", "taylor")


def tiro_text(games: int, seed: int) -> str:
    """Simulated games of every rule set in canonical form, one file."""
    return "\n".join(write(record) for record in tiro_records(games, seed))


def tiro_records(games: int, seed: int) -> Iterator[Record]:
    """The simulator as this benchmark uses it. Each game has a seed of its own."""
    for number in range(games):
        edition = load_edition(EDITIONS[number % len(EDITIONS)])
        yield simulate(edition, seed * 1_000_003 + number)


def count_events(text: str) -> int:
    """The tokens of all turns in a text."""
    return sum(len(turn.tokens) for game in parse(text) for turn in game.record.turns)


def pgn_text(plies: int, longest: int, seed: int) -> str:
    """Random legal chess games with exactly that many plies in all, written by python-chess."""
    rng = random.Random(seed)
    games: list[str] = []
    while plies:
        board = chess.Board()
        while len(board.move_stack) < min(plies, longest) and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        plies -= len(board.move_stack)
        games.append(str(chess.pgn.Game.from_board(board)))
    return "\n\n".join(games) + "\n"


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
    """How long one call takes, begun with a swept heap."""
    gc.collect()
    start = perf_counter()
    work(text)
    return perf_counter() - start


def main() -> None:
    """Make both texts, time them in turn, print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="games of ours, all rule sets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    ours = tiro_text(options.games, options.seed)
    first = seconds(judge_ours, ours)
    events = count_events(ours)
    longest = -(-events // options.games)
    theirs = pgn_text(events, longest, options.seed)
    print(f"Python {platform.python_version()}, python-chess {chess.__version__}, {options.rounds} rounds")
    print(f"ours    {options.games} games, {events:,} events, {len(ours):,} characters")
    print(f"theirs  {theirs.count('[Event ')} games, {events:,} plies, {len(theirs):,} characters")

    work = ((judge_ours, ours), (read_theirs, theirs), (read_ours, ours))
    rounds = [[seconds(function, text) for function, text in work] for _ in range(options.rounds)]
    judging, chess_time, reading = (median(column) for column in zip(*rounds, strict=True))
    share = reading / judging
    print(f"ours    {events / judging:12,.0f} events/s read and judged")
    print(f"        {events / first:12,.0f} events/s in the first pass")
    print(f"        {events / reading:12,.0f} events/s read only: {share:.0%} reading, {1 - share:.0%} judging")
    print(f"theirs  {events / chess_time:12,.0f} plies/s")
    print(f"ratio   {chess_time / judging:12.1f}")


if __name__ == "__main__":
    main()
