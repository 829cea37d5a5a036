"""The speed of reading and judging, compared with programs that do the same for chess and poker, in one run on one
machine.

    .venv/bin/python benchmarks/peers.py --games 2000 --seed 1

Everyone reads text and plays it through the rules: ours canonical records; python-chess and pgn-extract random
legal games of chess; pokerkit random legal hands of no-limit Texas hold'em. An event is a token of ours, a ply of
chess, an action of a hand history. Texts are made ahead, cut into slices, and the slices take turns, so that a
machine whose speed changes slows all alike. Timed is processor time, of pgn-extract that of its process with the
start. But one process is compared with two in wall time: each of two worker processes gets half of the text, and
the time is that from handing it out until both have answered. All are warm, but for the line of the first pass,
which is that of a reader that has not seen any phrase before.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import platform
import random
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

import chess.pgn
from pokerkit import HandHistory, NoLimitTexasHoldem
from tironian import Record, check, load_edition, simulate, write
from tironian.notation.reader import read_games

SLICES = 10
EDITIONS = ("2024", "1997", "fr", "taylor")
CHESS_SHARE, POKER_SHARE = 5, 20
"""The number of our events for one of theirs: their pace does not depend on the length of the text."""
PGN_COPIES = 20
"""The number of times that pgn-extract reads each slice, so that its start-up of two milliseconds does not matter."""
T = TypeVar("T")
SEATS, STACK, BLINDS = 6, 200, (1, 2)

JUDGED, ONE, TWO = "ours, read and judged", "ours, one process, wall time", "ours, two processes, wall time"
READ_GAME, BOARD_BUILDER = "python-chess, read_game", "python-chess, BoardBuilder"
POKERKIT, PGN_EXTRACT = "pokerkit, loads_all and replay", "pgn-extract -r"
AIMS = (
    ("above 500,000 events/s", 500_000, JUDGED, None),
    ("12 × python-chess, read_game", 12, JUDGED, READ_GAME),
    ("25 × pokerkit", 25, JUDGED, POKERKIT),
    ("half of pgn-extract", 0.5, JUDGED, PGN_EXTRACT),
    ("two processes at least 1.8 × one", 1.8, TWO, ONE),
)


@dataclass
class Peer:
    """A program whose pace is measured: the work of a round, slice by slice, and the time of each round."""

    name: str
    version: str
    event: str
    events: int
    games: int
    work: list[Callable[[], None]]
    clock: Callable[[], float] = process_time
    seconds: list[float] = field(default_factory=list)

    @property
    def rounds(self) -> list[float]:
        """Return the events per second, round by round."""
        return [self.events / seconds for seconds in self.seconds]

    @property
    def pace(self) -> float:
        """Return the events per second over all rounds."""
        return self.events * len(self.seconds) / sum(self.seconds)


@dataclass
class Aim:
    """A target and what was reached: events per second, or a multiple of another program's pace."""

    text: str
    least: float
    measured: float
    rounds: list[float]

    @property
    def reached(self) -> bool:
        return self.measured >= self.least

    def __str__(self) -> str:
        digits = ",.0f" if self.least > 1000 else ".2f"
        span = " to ".join(f"{end(self.rounds):{digits}}" for end in (min, max))
        found = f"{self.measured:{digits}}"
        return f"{self.text:<36}{'reached' if self.reached else 'missed':<10}{found:>12}   ({span} in a round)"


# ---------------------------------------------------------------------------------------------------- texts, made ahead


def tiro_records(games: int, seed: int) -> Iterator[Record]:
    """Return simulated games of every rule set in turn. Each game has its own seed."""
    for number in range(games):
        yield simulate(load_edition(EDITIONS[number % len(EDITIONS)]), seed * 1_000_003 + number)


def pgn_games(plies: int, longest: int, seed: int) -> list[str]:
    """Return random legal chess games with exactly this many plies in all, written by python-chess."""
    rng = random.Random(seed)
    games: list[str] = []
    while plies:
        board = chess.Board()
        while len(board.move_stack) < min(plies, longest) and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        plies -= len(board.move_stack)
        games.append(f"{chess.pgn.Game.from_board(board)}\n")
    return games


def poker_hands(actions: int, seed: int) -> list[HandHistory]:
    """Return random legal hands with at least this many actions in all. pokerkit shuffles with Python's own
    generator.
    """
    random.seed(seed)
    game = NoLimitTexasHoldem(HandHistory.automations, True, 0, BLINDS, BLINDS[-1])
    hands: list[HandHistory] = []
    while actions > 0:
        hands.append(poker_hand(game))
        actions -= len(hands[-1].actions)
    return hands


def poker_hand(game: NoLimitTexasHoldem) -> HandHistory:
    """Return one hand: calls, folds and raises are equally likely, and a raise is at most four times the smallest
    one.
    """
    state = game((STACK,) * SEATS, SEATS)
    while state.status:
        if state.can_deal_hole():
            state.deal_hole()
        elif state.can_deal_board():
            state.deal_board()
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards()
        else:
            ways: list[Callable[[], object]] = [state.check_or_call]
            if state.can_fold():
                ways.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                least = state.min_completion_betting_or_raising_to_amount
                most = min(4 * least, state.max_completion_betting_or_raising_to_amount)
                ways.append(partial(state.complete_bet_or_raise_to, random.randint(least, most)))
            random.choice(ways)()
    return HandHistory.from_game_state(game, state)


def cut(games: list[T], parts: int) -> list[list[T]]:
    """Return the games in order as this many lists."""
    return [games[len(games) * part // parts : len(games) * (part + 1) // parts] for part in range(parts)]


def joined(games: list[str], parts: int) -> list[str]:
    """Return the games in order as this many texts."""
    return ["\n".join(part) for part in cut(games, parts)]


# ----------------------------------------------------------------------------------------------- the work that is timed


def read_ours(text: str) -> None:
    """Reading alone."""
    for _ in read_games(io.StringIO(text)):
        pass


def judge_ours(text: str) -> None:
    """Read and replay fully. Simulated games are legal, so a problem is a fault of the program."""
    for game in read_games(io.StringIO(text)):
        verdict = check(game)
        if verdict.diagnostics:
            raise SystemExit(f"a simulated game is refused: {verdict.diagnostics[0]}\n{write(game.record)}")


def judge_in_workers(workers: list[ProcessPoolExecutor], texts: list[str]) -> None:
    """Do the same in workers, each with its own text."""
    answers = [worker.submit(judge_ours, text) for worker, text in zip(workers, texts, strict=True)]
    for answer in answers:
        answer.result()


def read_chess(text: str) -> None:
    """Read every game of the PGN text: moves are checked and played, and a tree is built."""
    stream = io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        if game.errors:
            raise SystemExit(f"python-chess refuses its own game: {game.errors[0]}")


def play_chess(text: str) -> None:
    """Do the same with just a board; an illegal move raises an exception."""
    stream = io.StringIO(text)
    while chess.pgn.read_game(stream, Visitor=chess.pgn.BoardBuilder):
        pass


def play_poker(text: str) -> None:
    """Read every hand of the .phh text, and apply its actions to a state up to the end."""
    for hand in HandHistory.loads_all(text):
        applied = sum(action is not None for _, action in hand.state_actions)
        if applied != len(hand.actions):
            raise SystemExit(f"pokerkit refuses its own hand: {hand.actions}")


def run_pgn_extract(program: str, path: Path) -> None:
    """Read all games of a file; -r plays them and reports errors."""
    told = subprocess.run([program, "-r", path], capture_output=True, text=True, check=True).stderr
    matched = re.search(r"(\d+) games? matched out of (\d+)", told)
    if matched is None or matched[1] != matched[2]:
        raise SystemExit(f"pgn-extract refuses a game: {told[-500:]}")


def workers_time(workers: list[ProcessPoolExecutor]) -> float:
    """Return the mean processor time of a worker: about the elapsed time if each had its own core."""
    return sum(worker.submit(process_time).result() for worker in workers) / len(workers)


def children_time() -> float:
    """Return the processor time of finished child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ------------------------------------------------------------------------------------------------------------ the peers


def our_peers(games: int, seed: int, stack: ExitStack) -> list[Peer]:
    """Return our entries: first pass, read and judged, read only, then one process and two by elapsed time."""
    events, texts = 0, []
    for record in tiro_records(games, seed):
        events += sum(len(turn.tokens) for turn in record.turns)
        texts.append(write(record))
    ours = partial(Peer, version=version("tironian"), event="tokens", events=events, games=games)
    judge = [partial(judge_ours, text) for text in joined(texts, SLICES)]
    read = [partial(read_ours, text) for text in joined(texts, SLICES)]
    alone = [partial(judge_ours, text) for text in joined(texts, 1)]
    fresh = get_context("spawn")  # a forked worker would know the phrases of this process
    workers = [stack.enter_context(ProcessPoolExecutor(1, fresh)) for _ in range(2)]
    together = [partial(judge_in_workers, workers, joined(texts, 2))]
    return [
        ours("ours, first pass", work=judge),
        ours(JUDGED, work=judge),
        ours("ours, read only", work=read),
        ours(ONE, work=alone, clock=perf_counter),
        ours(TWO, work=together, clock=perf_counter),
        ours("ours, two, processor time of each", work=together, clock=partial(workers_time, workers)),
    ]


def chess_peers(plies: int, longest: int, seed: int, stack: ExitStack) -> list[Peer]:
    """Return python-chess in two ways and, if installed, pgn-extract on the same text."""
    games = pgn_games(plies, longest, seed)
    slices = joined(games, SLICES)
    peers = [
        Peer(name, chess.__version__, "plies", plies, len(games), [partial(work, text) for text in slices])
        for name, work in ((READ_GAME, read_chess), (BOARD_BUILDER, play_chess))
    ]
    # Debian keeps it among the games, which are not on everyone's path.
    program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
    if program:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        paths = [folder / f"{number}.pgn" for number in range(SLICES)]
        for path, text in zip(paths, slices, strict=True):
            path.write_text("\n".join([text] * PGN_COPIES), encoding="utf-8")
        about = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        name = (about.stdout + about.stderr).split()[-1].removeprefix("v")
        work = [partial(run_pgn_extract, program, path) for path in paths]
        many = (plies * PGN_COPIES, len(games) * PGN_COPIES)
        peers.append(Peer(PGN_EXTRACT, name, "plies", *many, work, children_time))
    return peers


def poker_peer(actions: int, seed: int) -> Peer:
    """Return pokerkit with hands in its own notation."""
    hands = poker_hands(actions, seed)
    slices = [HandHistory.dumps_all(part) for part in cut(hands, SLICES)]
    events = sum(len(hand.actions) for hand in hands)
    work = [partial(play_poker, text) for text in slices]
    return Peer(POKERKIT, version("pokerkit"), "actions", events, len(hands), work)


def run_round(peers: list[Peer]) -> None:
    """Run each slice of every program in turn, each after a garbage collection."""
    for peer in peers:
        peer.seconds.append(0.0)
    for turn in zip(*(peer.work for peer in peers), strict=True):
        for peer, work in zip(peers, turn, strict=True):
            gc.collect()
            start = peer.clock()
            work()
            peer.seconds[-1] += peer.clock() - start


# ----------------------------------------------------------------------------------------------------------- the report


def aims(peers: list[Peer]) -> Iterator[Aim]:
    """Return the targets, as far as they were measured."""
    named = {peer.name: peer for peer in peers}
    for text, least, mine, other in AIMS:
        peer = named[mine]
        if other is None:
            yield Aim(text, least, peer.pace, peer.rounds)
        elif beside := named.get(other):
            rounds = [own / foreign for own, foreign in zip(peer.rounds, beside.rounds, strict=True)]
            yield Aim(text, least, peer.pace / beside.pace, rounds)


def as_dict(peers: list[Peer]) -> dict[str, object]:
    """Return everything that was measured."""
    (judged,) = (peer for peer in peers if peer.name == JUDGED)
    return {
        "peers": [
            {
                **{key: getattr(peer, key) for key in ("name", "version", "event", "events", "games", "seconds")},
                "events_per_second": peer.pace,
                "games_per_second": peer.pace * peer.games / peer.events,
                "ratio": judged.pace / peer.pace,
            }
            for peer in peers
        ],
        "aims": [{**vars(aim), "reached": aim.reached} for aim in aims(peers)],
    }


def as_text(peers: list[Peer]) -> Iterator[str]:
    """Return the same in two tables."""
    yield f"{'':<36}{'version':<10}{'events/s':>12}{'games/s':>10}{'ours ÷ it':>11}"
    for row in as_dict(peers)["peers"]:
        yield (
            "{name:<36}{version:<10}{events_per_second:>12,.0f}{games_per_second:>10,.0f}{ratio:>11.2f}"
            "   {events:,} {event}"
        ).format(**row)
    if PGN_EXTRACT not in {peer.name for peer in peers}:
        yield f"{PGN_EXTRACT:<36}is not installed here"
    yield ""
    yield from map(str, aims(peers))


def main() -> None:
    """Make the texts, time them slice by slice in turn, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="games of ours; the other texts go by it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="everything that was measured, for programs")
    options = parser.parse_args()
    if options.games < SLICES:
        parser.error(f"each of the {SLICES} slices needs a game")

    with ExitStack() as stack:
        ours = our_peers(options.games, options.seed, stack)
        first, judged, read, one, two, each = ours
        run_round([first])
        two.work[0]()  # the workers warm up
        theirs = [
            *chess_peers(judged.events // CHESS_SHARE, judged.events // judged.games, options.seed, stack),
            poker_peer(judged.events // POKER_SHARE, options.seed),
        ]
        for _ in range(options.rounds):
            run_round([judged, read, *theirs])
            run_round([one, two, each])

    about = {"python": platform.python_version(), "processors": os.cpu_count()}
    about |= {key: getattr(options, key) for key in ("games", "seed", "rounds")}
    if options.json:
        print(json.dumps(about | as_dict([*ours, *theirs]), indent=2))
    else:
        print(", ".join(f"{key} {value}" for key, value in about.items()), end="\n\n")
        print(*as_text([*ours, *theirs]), sep="\n")


if __name__ == "__main__":
    main()
