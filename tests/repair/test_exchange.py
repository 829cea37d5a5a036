"""A wrong starter, or a set-up on the wrong sides: found, put right, and the votes counted anew."""

from __future__ import annotations

import re

import pytest
from scale import scaled
from tironian import check, find_repairs, load_edition, parse, simulate, write
from tironian.tools.repair.edits import with_old_lines


def other_sides(text: str, label: str) -> str:
    """The text with the lines of these labels on the other side, those above them in its turn on their own."""
    return re.sub(
        rf"^((?:   \\| )?{label})([RE])(?= )", lambda line: line[1] + "ER"["RE".index(line[2])], text, flags=re.M
    )


@pytest.mark.parametrize("seed", [0, 2, *range(5, scaled(6, 60))])
@pytest.mark.parametrize(
    ("name", "lines", "starter", "said"),
    [
        ("2024", r"[1-9]\d*", "Caesar", "Cleopatra began: every turn should be the other side's (a wrong starter)"),
        ("2024", "none", "Caesar", 'the headers should say [Starts "Cleopatra"] (a wrong starter)'),
        ("1997", "none", "Caesar", 'the headers should say [Starts "Cleopatra"] (a wrong starter)'),
        ("1997", "0", "", "lines 0R and 0E should be swapped (cards of the set-up exchanged)"),
        ("taylor", "0", "", "lines 0R and 0E should be swapped (cards of the set-up exchanged)"),
    ],
)
def test_sides_that_were_exchanged_are_the_first_repair(seed: int, name: str, lines: str, starter: str, said: str):
    record = simulate(load_edition(name), seed)
    record.headers = tuple([header for header in record.headers if header[0] != "Starts"])
    if check(record).verdict != "legal":
        return  # Caesar began
    text = other_sides(write(record), lines).replace("\n\n0", f'\n[Starts "{starter}"]\n\n0' if starter else "\n\n0", 1)
    (game,) = parse(text)
    if {each.code for each in check(game).diagnostics if each.severity == "error"} <= {"C903", "C904"}:
        return  # both set-ups are alike as far as it matters, or the result alone tells them apart
    first, *_ = find_repairs(game)
    assert first.description == (said,)
    assert [turn.tokens for turn in first.record.turns] == [turn.tokens for turn in record.turns]
    assert check(first.record).score == check(record).score
    assert len(with_old_lines(first.edits, game.record).preface) <= 1


@pytest.mark.parametrize("seed", range(scaled(3, 60)))
def test_a_wrong_winner_is_likelier_than_a_wrong_starter(seed: int):
    """A short game is often legal with its sides exchanged, if its votes are counted anew. But the wrong side does not
    explain why one of them is wrong."""
    lines = write(simulate(load_edition("2024"), seed)).splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("1"))
    text = "\n".join(
        [*[line for line in lines[:begin] if not line.startswith("[Result")], *lines[begin : begin + 7], "*", ""]
    )
    for vote in re.finditer(r"(?<=>)[RE](?=[ \n])", text):
        (game,) = parse(f"{text[: vote.start()]}{'ER'['RE'.index(vote[0])]}{text[vote.end() :]}")
        if check(game).verdict == "illegal":
            first, *_ = find_repairs(game, max_repairs=40)
            assert "a wrong starter" not in first.description[0]
