"""Turns played together and token by token: the same findings and the same last state, for legal and for damaged games.

The engine follows codes for as long as nothing is wrong; a run that is watched asks it for every token.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from corpus import damaged, endgame, forgetful, misplayed
from scale import scaled
from tironian import EDITION_NAMES, State, load_edition, parse, simulate, write
from tironian.replay.engine import run as runs
from tironian.replay.engine.headers import read_headers

CHUNKS = 8

chunks = pytest.mark.parametrize("chunk", range(CHUNKS))
rule_sets = pytest.mark.parametrize("name", EDITION_NAMES)


def facts(state: State | None) -> object:
    """Everything that a state holds, in a form that can be compared."""
    if state is None:
        return None
    names = [name for name in dir(state) if name[0] != "_" and name not in ("edition", "rules", "sides")]
    return {name: value for name in names if not callable(value := getattr(state, name))}


def assert_alike(text: str) -> list[runs.Finding]:
    """Play a text both ways and compare. Comes back with what was found."""
    record = parse(text)[0].record
    frame = read_headers(record)
    together = runs.run_record(record, frame)
    for skip in (0, len(record.turns) // 2):  # from the beginning one by one, or only the second half
        one_by_one = runs.run_record(record, frame, lambda _place, _turn, _at, _state: None, skip)
        assert together.findings == one_by_one.findings, text
        assert facts(together.state) == facts(one_by_one.state), text
    return together.findings


@rule_sets
@chunks
def test_turns_together_come_to_what_tokens_come_to(name: str, chunk: int) -> None:
    rng = random.Random(f"{name} {chunk}")
    count = scaled(40, 2000) // CHUNKS
    for seed in range(chunk * count, (chunk + 1) * count):
        text = write(simulate(load_edition(name), seed))
        for trial in (text, *(make(text, rng) for make in (damaged, misplayed) for _ in range(3))):
            assert_alike(trial)


@rule_sets
@chunks
def test_turns_together_come_to_what_tokens_come_to_late_in_a_game(name: str, chunk: int) -> None:
    """Special votes, players alone, full groups and empty piles, which whole games seldom come to."""
    rng = random.Random(f"late {name} {chunk}")
    seen, found = Counter[str](), Counter[str]()
    for _ in range(scaled(120, 8000) // CHUNKS):
        text, special = endgame(name, rng)
        seen += special
        for trial in (text, forgetful(text, rng), *(damaged(text, rng) for _ in range(3))):
            found.update(finding.fault.code for finding in assert_alike(trial))
    assert seen["lone"]
    assert seen["special"]
    assert found["R402"]


PLAYED = (
    ("fr", "", "cA(554432)Q() (1)P", "R312"), ("fr", "null_actions=forbidden", "cS()C() (1)P", "R308"),
    ("fr", "null_actions=forbidden", "sS() (1)P", "R308"), ("fr", "null_actions=forbidden", "wS (1)P", "R308"),
    ("fr", "null_actions=forbidden", "wS v (1)P", "R308"), ("fr", "", "y1 (1)P", "R506"), ("1997", "", "y1 (1)P", ""),
    ("2024", "", "wP v (1)P", "R506"), ("2024", "", "wP v+3 (1)P", ""), ("1997", "", "y v (1)P", ""),
    ("1997", "", "sP(5) -1", "R605"), ("1997", "", "sP(5) wP (1)P", "R301"), ("1997", "", "x5P sP() (1)P", "R306"),
    ("1997", "", "sP(5) (1)P +4 =S- =S-", "R411"), ("1997", "", "sP(5) (1)P +4 =A-", "R410"),
    ("1997", "", "sP(5) (1)P +4 =S- =P54:1>R", ""),
)  # fmt: skip
"""Edition, reading, a turn from :data:`TABLE`, and a fault that it has."""
TABLE = """
0R (5)P 4P (3)A h(123v5)
0E (5)A 4A 3A 2A 5Q 4Q h(1xscwy) g(SSSSS) b(SPQCA)
"""


@pytest.mark.parametrize(("name", "reading", "turn", "code"), PLAYED)
def test_action_cards_and_vote_cards_one_by_one(name: str, reading: str, turn: str, code: str) -> None:
    """What a letter more or less seldom comes to: cards castled to one group, nothing drawn, nothing there."""
    table = (
        TABLE
        if name == "1997"
        else TABLE.replace(" g(SSSSS) b(SPQCA)", "").replace("wy", "w" if name == "2024" else "wy")
    )
    text = f'[Rules "{name}"]\n[Rulings "{reading}"]\n[Setup "position"]\n{table}1E {turn}\n1R (2)P\n*\n'
    codes = found_in(text)
    assert code in codes if code else not codes & {fault for *_, fault in PLAYED}


COLUMNS = ("", "2", "3", "32", "p", "pp", "2p", "3p", "32p", "3pp")


@pytest.mark.parametrize("reading", ["empty_side=wins", "empty_side=tie", "empty_side=loses"])
@rule_sets
def test_every_vote_has_one_winner(name: str, reading: str) -> None:
    """Philosophers, empty columns and ties: the rules know one winner, and plain columns go by their sums."""
    head = f'[Rules "{name}"]\n[Rulings "{reading}"]\n[Setup "position"]\n\n'
    turn = "=P{} +11" if name == "2024" else "+1 =P{}"
    for rome, egypt in product(COLUMNS, COLUMNS):
        table = "".join(
            f"0{side} {' '.join(f'{card}P' for card in cards)} h(11145)\n"
            for side, cards in (("R", rome), ("E", egypt))
        )
        right = [
            result
            for result in (">R", ">E", ">-")
            if not found_in(f"{head}{table}1E (1)A {turn.format(f'{rome}:{egypt}{result}')}\n*\n")
        ]
        assert len(right) == 1, (rome, egypt, right)
        plain = "p" not in rome + egypt
        if plain:
            sums = [sum(map(int, column)) for column in (rome, egypt)]
            assert right == [">-" if sums[0] == sums[1] else ">R" if sums[0] > sums[1] else ">E"], (rome, egypt)


def found_in(text: str) -> set[str]:
    """The codes of what both ways find."""
    return {finding.fault.code for finding in assert_alike(text)}
