"""Dialogues of the recorder, of its screen and of commands, as they stand in the files beside this one (README.md).

After an intended change run ``pytest tests/transcripts --snapshot-update``, and read what has changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from prose import Case, read_cases
from transcripts import played, rewrite

CASES = [case for path in sorted(Path(__file__).parent.glob("*/*.md")) for case in read_cases(path)]


def named(case: Case) -> str:
    return f"{case.path.parent.name}/{case.path.stem}: {case.title}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_transcript(case: Case, tmp_path: Path, request: pytest.FixtureRequest):
    assert case.fences, "a heading without a dialogue"
    for number, fence in enumerate(case.fences):
        folder = tmp_path / str(number)
        folder.mkdir()
        lines = played(fence, folder)
        if request.config.getoption("update_snapshots"):
            rewrite(case.path, case.title, number, lines)
        else:
            assert fence.lines == lines, f"{case.path}:{fence.line}"


def test_no_two_cases_have_the_same_name():
    assert len({*map(named, CASES)}) == len(CASES)
