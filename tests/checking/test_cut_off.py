"""A record may stop anywhere: what goes on, or was given up, is no illegal game; what was cut off is told (H211)."""

from __future__ import annotations

import re

import pytest
from archives import ROOT, game
from scale import FULL, scaled
from tironian import EDITION_NAMES, check, load_edition, parse, simulate, write
from tironian.notation.cards import ROME
from tironian.replay.diagnostics import registry

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
    assert verdict.verdict == registry.LEGAL


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


def example_texts() -> list[str]:
    paths = sorted(path for name in EDITION_NAMES for path in (ROOT / "examples" / name).glob("*.tiro"))
    return [path.read_text(encoding="utf-8") for path in (paths if FULL else paths[:1])]


@pytest.mark.parametrize("seed", range(len(EDITION_NAMES)))
def test_no_game_that_stops_anywhere_is_illegal(seed: int):
    """Cut behind each word and each line: it goes on, or one side has given it up."""
    for text in [game(seed), *(example_texts() if seed == 0 else ())]:
        (one,) = parse(text)
        if check(one).verdict != registry.LEGAL or one.record.header("Setup") == "position" or "\n   %" in text:
            continue  # a ruling stands behind what it lets stand
        moves = text.index("\n0")
        words = [moves, *(each.end() for each in re.finditer(r"\S+", text[:-1]) if each.start() > moves)]
        last = text.rstrip("\n").rindex("\n")
        for end in words[:: scaled(7, 1)] + words[1 : scaled(16, 1)]:
            goes_on = re.sub(r'\[(?:Termination|Result) "[^"]*"\]\n', "", text[: min(end, last)]) + "\n"
            given_up = f'[Termination "resigned"]\n[Result "*>R"]\n{goes_on}*>R\n'
            for part in (goes_on, given_up):
                (cut_game,) = parse(part)
                if any(problem.code[0] == "N" for problem in cut_game.problems):
                    continue  # cut within a comment
                verdict = check(cut_game)
                assert verdict.verdict != registry.ILLEGAL, f"{part}\n{verdict.diagnostics}"
                assert part == goes_on or verdict.outcome.winner == ROME
