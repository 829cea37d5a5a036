"""A record that was cut off is told from one of a game that goes on, and nobody else is warned (H211)."""

from __future__ import annotations

import pytest
from archives import game
from tironian import EDITION_NAMES, check, load_edition, parse, simulate, write
from tironian.replay.report import model

CUTS = range(1, 30, 4)


def codes(text: str) -> list[str]:
    (one,) = parse(text)
    return [each.code for each in check(one).diagnostics]


def cut(seed: int, lines: int) -> str:
    """A game without its end: so many turns less, and without its result."""
    (one,) = parse(game(seed))
    one.record.turns, one.record.result = one.record.turns[:-lines], None
    return write(one.record)


@pytest.mark.parametrize("seed", range(len(EDITION_NAMES)))
@pytest.mark.parametrize("lines", CUTS)
def test_a_record_that_was_cut_off_is_told_and_stays_legal(seed: int, lines: int):
    (one,) = parse(cut(seed, lines))
    verdict = check(one)
    assert "H211" in [each.code for each in verdict.diagnostics]
    assert verdict.verdict == model.LEGAL


@pytest.mark.parametrize("seed", range(len(EDITION_NAMES)))
def test_whoever_has_a_reason_is_not_warned(seed: int):
    (whole,) = parse(game(seed))
    result = whole.record.header("Result")
    text = cut(seed, 5)
    assert "H211" not in codes(text.replace(f'[Result "{result}"]', '[Result "*"]'))
    assert "H211" not in codes(text.replace("[Result ", '[Termination "resigned"]\n[Result '))
    assert "H211" not in codes(game(seed).rpartition(result)[0])  # over, though its last line is missing
    # Where something is wrong in the middle, nobody knows how far the game had come.
    lines = text.splitlines()
    assert "H211" not in codes("\n".join([*lines[:-3], *lines[-2:]]))


def test_the_set_up_alone():
    record = simulate(load_edition("2024"), 3)
    record.turns, record.result = record.turns[:2], None
    assert codes(write(record)) == ["H211"]
    record.turns = ()
    assert "H211" not in codes(write(record))
