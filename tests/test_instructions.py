"""A check of games takes no more instructions than it did, and no fewer that nobody noted."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from instructions import KEPT, counted, machinery

NEAR = 0.03
"""Part of a figure by which another may differ that counts as the same."""


@pytest.mark.process
def test_a_check_takes_the_instructions_that_it_took() -> None:
    if os.environ.get("TIRONIAN_BUILD") != "compiled":
        pytest.skip("only the compiled build is counted: make test-compiled")
    if shutil.which("valgrind") is None:
        assert os.environ.get("CI") != "true", "CI has valgrind"
        pytest.skip("valgrind is not installed here")
    kept = json.loads(KEPT.read_text(encoding="utf-8")).get(machinery())
    if kept is None:
        pytest.skip(f"nobody has counted with {machinery()}: make instructions")
    now = counted()
    far = {what: f"{kept[what]:,} → {now[what]:,}" for what in now if abs(now[what] / kept[what] - 1) > NEAR}
    assert not far, "if that is meant, make instructions keeps the new figures"
