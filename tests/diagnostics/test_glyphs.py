"""Glyphs that PGN numbers are told in words; what a person reads never says what only a program knows."""

from __future__ import annotations

import pytest
from archives import ROOT, tiro
from tironian.replay.diagnostics.names import marks_text

ANNOTATED = ROOT / "examples" / "2024" / "annotated.tiro"


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        (("$1",), "!"), (("$6",), "?!"), (("$10",), "(even)"), (("$14",), "(Rome slightly better)"),
        (("$19",), "(Egypt winning)"), (("$139",), "(Egypt short of time)"), (("$9",), "(the worst move)"),
        (("$0", "$24", "$255"), "$0 $24 $255"), (("@0:10:00", "!?", "$14"), "@0:10:00 !? (Rome slightly better)"),
        ((), ""),
    ],
)  # fmt: skip
def test_glyphs_in_words(marks: tuple[str, ...], told: str):
    assert marks_text(marks) == told


@pytest.mark.parametrize("form", ["text", "md"])
def test_a_timeline_shows_no_number(form: str):
    told = tiro("timeline", "--format", form, ANNOTATED).stdout
    assert "(Rome slightly better)" in told.replace("\\", "")
    assert "$14" not in told
    assert "$14" in tiro("timeline", "--format", "json", ANNOTATED).stdout  # data stay as they were written


def test_a_group_that_there_is_not_is_answered_with_those_that_there_are():
    text = '[Rules "2024"]\n\n1E 5X (1)A\n'
    done = tiro("check", "-", stdin=text.encode())
    assert "instead of “X” write a group's letter (A C K P Q S)" in done.stdout


@pytest.mark.parametrize(("view", "name"), [("cleopatra", "Cleopatra"), ("caesar", "Caesar"), ("table", "the table")])
def test_a_point_of_view_is_called_by_its_name(view: str, name: str):
    done = tiro("view", "--as", view, ANNOTATED)
    assert f"they may reveal what {name} can't see" in done.stderr
