"""Honest logs with words left out: how they are judged, and how long that takes.

    python tests/property/left_out_views.py [--views 1000] [--seed 0] [--jobs 1] [--damaged] [--list FILE]

Each view is a simulated game as one of the players or a spectator saw it, broken off somewhere, with a share of some
kinds of words left out. None may be called illegal. With --damaged one card of each is changed; such a log may be
illegal. --list writes a line for each view, its verdict and its seconds, so that two versions can be compared.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from time import process_time
from typing import Final, NamedTuple

import tironian
from tironian import EDITION_NAMES, Game, Record, Result, check, load_edition, parse, simulate
from tironian import tokens as t
from tironian.notation.cards import SOME_ACTION, SOME_INFLUENCE
from tironian.notation.writer import write
from tironian.replay.diagnostics.registry import ILLEGAL

VIEWS: Final = ("caesar", "cleopatra", "table")
AIM: Final = 2.0
"""Seconds of processor time that no honest log should take longer than."""


class Seen(NamedTuple):
    """A view and what came of it."""

    seconds: float
    verdict: str
    name: str


def unnamed(cards: t.Cards, rng: Random, share: float) -> t.Cards:
    """Some of the cards without their names."""
    return tuple(_unnamed(card) if rng.random() < share else card for card in cards)


def _unnamed(card: int) -> int:
    return SOME_INFLUENCE if card < 6 or card == SOME_INFLUENCE else SOME_ACTION


def _vote(token: t.Token, rng: Random, share: float) -> t.Token:
    if isinstance(token, t.AnyVote) and rng.random() < share:
        return replace(token, rome=None, egypt=None)
    return token


def _blurred_vote(token: t.Token, rng: Random, share: float) -> t.Token:
    if isinstance(token, t.AnyVote) and token.rome is not None and token.egypt is not None:
        return replace(token, rome=unnamed(token.rome, rng, share), egypt=unnamed(token.egypt, rng, share))
    return token


def _winner(token: t.Token, rng: Random, share: float) -> t.Token:
    if isinstance(token, t.AnyVote) and rng.random() < share:
        return replace(token, winner=None)
    return token


def _draw(token: t.Token, rng: Random, share: float) -> t.Token:
    return t.Draw(unnamed(token.cards, rng, share)) if isinstance(token, t.Draw) else token


def _placed(token: t.Token, rng: Random, share: float) -> t.Token:
    if isinstance(token, t.Place) and token.hidden and rng.random() < share:
        return replace(token, card=SOME_INFLUENCE)
    return token


def _scout(token: t.Token, rng: Random, share: float) -> t.Token:
    return replace(token, seen=None) if isinstance(token, t.Scout) and rng.random() < share else token


def _castle(token: t.Token, rng: Random, share: float) -> t.Token:
    if isinstance(token, t.Castle) and token.cards_first is not None and token.cards_second is not None:
        if rng.random() < share / 3:
            return replace(token, cards_first=None, cards_second=None)
        first, second = unnamed(token.cards_first, rng, share), unnamed(token.cards_second, rng, share)
        return replace(token, cards_first=first, cards_second=second)
    return token


def _mission(token: t.Token, rng: Random, share: float) -> t.Token:
    if isinstance(token, t.Missions) and rng.random() < share:
        return t.Missions((t.Mission("unknown"),) * len(token.missions))
    return replace(token, kept=None) if isinstance(token, t.ChooseMission) and rng.random() < share else token


def _spied(token: t.Token, rng: Random, share: float) -> t.Token:
    return replace(token, hand=None) if isinstance(token, t.Spy) and rng.random() < share else token


LEFT_OUT: Final[dict[str, Callable[[t.Token, Random, float], t.Token]]] = {
    "votes": _vote, "cards of votes": _blurred_vote, "winners": _winner, "draws": _draw, "placed": _placed,
    "scouts": _scout, "castlings": _castle, "missions": _mission, "spies": _spied,
}  # fmt: skip


def read(record: Record) -> Game:
    """Read what somebody wrote down, also words that are none, which ``tironian.write`` refuses."""
    (game,) = parse(write(record))
    return game


def broken_off(record: Record, turns: int) -> Record:
    """The record as it would stand if the game had been broken off there."""
    headers = [header for header in record.headers if header[0] not in ("Result", "Termination")]
    headers += [("Result", "*"), ("Termination", "abandoned")]
    return replace(record, headers=tuple(headers), turns=record.turns[:turns], result=Result())


def rewritten(record: Record, change: Callable[[t.Token], t.Token]) -> Record:
    """The record with each of its tokens changed."""
    return replace(record, turns=tuple(replace(turn, tokens=tuple(map(change, turn.tokens))) for turn in record.turns))


def damaged(record: Record, rng: Random) -> Record:
    """The record with a card of one turn changed to another of its kind."""
    place = rng.randrange(2, len(record.turns))
    turn = record.turns[place]
    tokens = [_misread(token, rng) for token in turn.tokens]
    return replace(
        record, turns=(*record.turns[:place], replace(turn, tokens=tuple(tokens)), *record.turns[place + 1 :])
    )


def _misread(token: t.Token, rng: Random) -> t.Token:
    match token:
        case t.Place() if token.card <= 5:
            return replace(token, card=rng.randrange(6))
        case t.Draw() | t.Discard():
            return replace(token, cards=tuple(rng.randrange(6) if card < 6 else card for card in token.cards))
        case t.Vote() | t.SpecialVote() if token.rome and token.egypt:
            return replace(token, rome=tuple(sorted([rng.randrange(6), *token.rome[1:]], reverse=True)))
        case _:
            return token


def log(number: int, seed: int, *, wrong: bool) -> tuple[str, Record]:
    """One view and its name, which says all that it takes to make it again."""
    rng = Random(f"{seed} {number}")
    name = EDITION_NAMES[number % len(EDITION_NAMES)]
    view = rng.choice(VIEWS)
    record = tironian.view(read(simulate(load_edition(name), rng.randrange(10**6))), view).record
    if rng.random() < 0.8:
        record = broken_off(record, rng.randrange(3, len(record.turns)))
    kinds = rng.sample(sorted(LEFT_OUT), rng.choice((0, 1, 1, 2, 3, len(LEFT_OUT))))
    share = rng.choice((0.1, 0.3, 0.6, 1.0))

    def change(token: t.Token) -> t.Token:
        for kind in kinds:
            token = LEFT_OUT[kind](token, rng, share)
        return token

    record = rewritten(record, change)
    if wrong:
        record = damaged(record, rng)
    return (
        f"{seed}/{number} {name} {view}, {len(record.turns)} turns, {share:.0%} of {' '.join(kinds) or 'nothing'}",
        record,
    )


def judge(number: int, seed: int = 0, *, wrong: bool = False) -> Seen:
    """One view, judged."""
    name, record = log(number, seed, wrong=wrong)
    game = read(record)
    began = process_time()
    verdict = check(game)
    return Seen(process_time() - began, verdict.verdict, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first view")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--damaged", action="store_true", help="change a card in each")
    parser.add_argument("--list", metavar="FILE")
    options = parser.parse_args()
    work = partial(judge, seed=options.seed, wrong=options.damaged)
    numbers = range(options.first, options.first + options.views)
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(work, numbers, chunksize=20)) if options.jobs > 1 else list(map(work, numbers))
    if options.list:
        with open(options.list, "w", encoding="utf-8") as file:
            file.writelines(f"{seen.verdict}\t{seen.seconds:.2f}\t{seen.name}\n" for seen in found)
    found.sort(reverse=True)
    for seen in found[:10]:
        print(f"{seen.seconds:8.2f} s  {seen.verdict:<9} {seen.name}")
    verdicts = Counter(seen.verdict for seen in found)
    print(", ".join(f"{count:,} {verdict}" for verdict, count in sorted(verdicts.items())))
    above, together = sum(seen.seconds > AIM for seen in found), sum(seen.seconds for seen in found)
    print(f"{above:,} of {len(found):,} above {AIM} s; all of them together {together:.0f} s")
    accused = [seen for seen in found if seen.verdict == ILLEGAL and not options.damaged]
    for seen in accused:
        print("ACCUSED", seen.name)
    raise SystemExit(bool(accused))


if __name__ == "__main__":
    main()
