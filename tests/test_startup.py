"""What commands don't import for a game without faults: each of these takes longer than judging the game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAME = ROOT / "examples" / "2024" / "tie-break.tiro"
NEEDLESS = {
    "csv", "difflib", "email", "importlib.metadata", "importlib.resources", "multiprocessing", "socket", "tomllib",
    "zipfile", "lark", "rich", "jsonschema", "jinja2", "pyarrow", "duckdb", "fsspec", "dask",
    "tironian.notation.suggestions", "tironian.notation.manglings", "tironian.notation.jsonform",
    "tironian.replay.knowledge", "tironian.tools.repair",
}  # fmt: skip
CODE = f"""
import sys
loaded = set(sys.modules)
from tironian.tools.cli.__main__ import main
sys.argv = ["tiro", *sys.argv[1:], {str(GAME)!r}]
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
@pytest.mark.parametrize("locale", ["", "C", "C.UTF-8", "POSIX", "es_ES.UTF-8", "de_DE.UTF-8"])
def test_a_check_loads_no_more_than_it_uses(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIRO_LANG", raising=False)
    monkeypatch.setenv("LC_ALL", locale)
    loaded = loaded_by("check")
    assert "tironian.replay.checking.check" in loaded
    assert NEEDLESS & loaded == ({"tomllib"} if locale.startswith("de") else set())


@pytest.mark.process
def test_a_game_that_the_net_alone_judges_loads_no_more_than_it_uses() -> None:
    loaded = loaded_by("analyse", "--level", "quick")
    assert "tironian.tools.insight.analysis_text" in loaded
    assert NEEDLESS & loaded == {"csv", "zipfile", "tironian.replay.knowledge"}


@pytest.mark.process
def test_the_page_of_a_legal_game_loads_no_search_for_repairs() -> None:
    loaded = loaded_by("timeline", "--format", "html")
    assert "tironian.tools.render.page" in loaded
    assert not [name for name in loaded if name.startswith("tironian.tools.repair")]


def loaded_by(*command: str) -> set[str]:
    """Return the modules that a command of the game loads."""
    run = subprocess.run([sys.executable, "-c", CODE, *command], check=True, capture_output=True, text=True)
    return set(run.stdout.splitlines()[-1].split())
