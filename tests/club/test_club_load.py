"""The measured evening of many tables, in small: it goes through, and would tell of a lost tap."""

from __future__ import annotations

from pathlib import Path

import pytest
from club_load import load

pytestmark = [pytest.mark.process, pytest.mark.slow]


def test_many_tables_at_once_lose_and_double_nothing(tmp_path: Path):
    done, told = load(tmp_path, tables=3, taps=20, every=0, looks=0.01)
    assert done.bad == [], told
    assert {what: len(done.took[what]) for what in ("taps", "screen")} == {"taps": 60, "screen": 60}
    assert "ratio" in told
