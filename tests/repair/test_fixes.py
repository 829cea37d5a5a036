"""Fixes in reports: every one can be carried out by an editor, and the record is whole then."""

from __future__ import annotations

from pathlib import Path

import pytest
from scale import FULL, scaled
from test_exchange import other_sides
from tironian import check, find_repairs, load_edition, parse, simulate, write
from tironian.tools.repair.likely import with_fixes

BROKEN = sorted((Path(__file__).parents[2] / "examples" / "broken").glob("*.tiro"))
SOME = [path for path in BROKEN if FULL or path.stem in ("second-action", "header-without-quotes", "sixth-card")]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_every_fix_can_be_carried_out_by_an_editor(path: Path):
    apply_all_fixes(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("header", "line"),
    [("10-16", "16-10"), ("16-10", "10-16"), ("10-16", "*>R"), ("", "9-10")],
    ids=["header", "line", "given up", "no header"],
)
def test_a_fix_of_a_header_or_a_result_names_its_lines(header: str, line: str):
    over = "0R d(11111112222222333333344444445555555pp) h(xxxsss) g(PPPPPKKKQQ)\n"
    over += "0E d(11111112222222333333344444445555555pp) h(xxxsss) g(QQQAACC)\n7E =o\n"
    headers = (
        f'[Rules "2024"]\n[Setup "position"]\n[Result "{header}"]\n'
        if header
        else '[Rules "2024"]\n[Setup "position"]\n'
    )
    assert apply_all_fixes(f"{headers}\n{over}{line}\n")


@pytest.mark.parametrize("seed", [0, 2, *range(5, scaled(6, 60))])
@pytest.mark.parametrize(
    ("name", "lines", "starter"),
    [("2024", r"[1-9]\d*", '[Starts "Caesar"]\n'), ("1997", "0", ""), ("taylor", "0", "")],
)
def test_a_fix_of_exchanged_sides_is_the_whole_repair(seed: int, name: str, lines: str, starter: str):
    record = simulate(load_edition(name), seed)
    record.headers = tuple([header for header in record.headers if header[0] != "Starts"])
    if check(record).verdict == "legal":  # Cleopatra began
        text = other_sides(write(record), lines).replace("\n\n0", f"\n{starter}\n0", 1)
        assert apply_all_fixes(f"{{copied from the sheet}}\n{text}\n\n")


def apply_all_fixes(text: str) -> int:
    """Change the lines as each fix says: it is the record of the repair then. Return how many fixes there are."""
    count = 0
    for game in parse(text):
        repairs = {"; ".join(repair.description): repair for repair in find_repairs(game)}
        for diagnostic in with_fixes(game, check(game).diagnostics):
            for fix in diagnostic.fixes:
                lines = [f"{line.rstrip()}\n" for line in game.source.lines]
                assert fix.replacements
                for begin, end, new in sorted(fix.replacements, reverse=True):
                    lines[begin:end] = [new]
                (mended,) = parse("".join(lines))
                assert check(mended).verdict in ("legal", "possible"), fix
                assert write(mended.record) == write(repairs[fix.description].record)
                count += 1
    return count
