"""Fixes in reports: every one can be carried out by an editor, and the record is whole then."""

from __future__ import annotations

from pathlib import Path

import pytest
from scale import FULL
from tironian import check, parse
from tironian.replay.repair.likely import with_fixes

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


def apply_all_fixes(text: str) -> int:
    """Change the lines as each fix says; the record is broken no longer then. Return how many fixes there are."""
    count = 0
    for game in parse(text):
        for diagnostic in with_fixes(game, check(game).diagnostics):
            for fix in diagnostic.fixes:
                lines = [f"{line.rstrip()}\n" for line in game.source.lines]
                assert fix.replacements
                for begin, end, new in sorted(fix.replacements, reverse=True):
                    lines[begin:end] = [new]
                assert check(parse("".join(lines))[0]).verdict != "illegal", fix
                count += 1
    return count
