"""The tournament that docs/events.md goes through, step by step.

After an intended change run ``pytest tests/event --snapshot-update``, and read what has changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from prose import Fence, read_cases
from transcripts import INPUT, played, rewrite

DOCUMENT = Path(__file__).parents[2] / "docs" / "events.md"


def test_each_step_says_what_comes(tmp_path: Path, request: pytest.FixtureRequest):
    (case,) = [case for case in read_cases(DOCUMENT) if case.title == "A tournament, step by step"]
    lines = [line for fence in case.fences for line in fence.lines]
    now = played(Fence("console", case.line, lines), tmp_path)
    if not request.config.getoption("update_snapshots"):
        assert now == lines
        return
    ends = [place for place, line in enumerate(now) if INPUT.fullmatch(line)] + [len(now)]
    for number, fence in enumerate(case.fences):
        commands = sum(bool(INPUT.fullmatch(line)) for line in fence.lines)
        rewrite(DOCUMENT, case.title, number, now[ends[0] : ends[commands]])
        del ends[:commands]
