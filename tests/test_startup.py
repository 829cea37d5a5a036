"""What ``tiro check`` of a game without faults does not import: each of these takes longer than judging the game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAME = ROOT / "examples" / "2024" / "tie-break.tiro"
NEEDLESS = {
    "csv", "difflib", "email", "importlib.metadata", "importlib.resources", "multiprocessing", "socket", "tomllib",
    "zipfile", "rich", "jsonschema", "jinja2", "textual", "graphviz", "pyarrow", "duckdb", "fsspec", "dask",
    "tironian.notation.suggestions", "tironian.notation.recovery", "tironian.notation.jsonform",
    "tironian.replay.hidden_cards",
}  # fmt: skip
CODE = f"""
import sys
loaded = set(sys.modules)
from tironian.replay.cli.__main__ import main
sys.argv = ["tiro", "check", {str(GAME)!r}]
try:
    main()
finally:
    print(*set(sys.modules) - loaded)
"""


@pytest.mark.process
def test_the_library_loads_nothing_until_a_name_is_asked_for() -> None:
    code = "import sys; loaded = set(sys.modules); import tironian; print(*set(sys.modules) - loaded - {'__future__'})"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.split() == ["tironian"]


@pytest.mark.process
def test_a_check_loads_no_more_than_it_uses() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True)
    *_, loaded = run.stdout.splitlines()
    assert "tironian.replay.checking.check" in loaded
    assert not NEEDLESS & set(loaded.split())
