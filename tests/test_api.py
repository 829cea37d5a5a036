"""``docs/api.md`` is complete and true: the reference is that of the docstrings, and all code on the page runs."""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import re
import shutil
import sys
from pathlib import Path

import pytest
import tironian
from api_page import PAGE, SECTIONS, VALUES, page

ROOT = Path(__file__).parents[1]
TOUR, _, REFERENCE = PAGE.read_text(encoding="utf-8").partition("\n## Reference\n")
FENCES = re.findall(r"^```python\n(.*?)^```$", TOUR, re.M | re.S)
TABLE, PHILOSOPHERS, MOVES, REDACTED = FENCES[-4:]
LONGEST_SCRIPT = 15


@pytest.fixture
def games(tmp_path, monkeypatch):
    """A folder ``games`` and one of them as ``game.tiro`` where scripts run."""
    for edition in ("2024", "1997"):
        shutil.copytree(ROOT / "examples" / edition, tmp_path / "games" / edition)
    shutil.copy(ROOT / "examples" / "2024" / "annotated.tiro", tmp_path / "game.tiro")
    monkeypatch.chdir(tmp_path)


def printed(code: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "api.md", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def test_every_public_name_has_its_place_on_the_page():
    described = {name for names in SECTIONS.values() for name in names.split()} | set(VALUES)
    assert described == {*tironian.__all__, "__version__"}


def test_the_reference_is_that_of_the_docstrings():
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python tests/api_page.py"


def test_the_tour_runs(games):
    assert "<Game 1 of game.tiro" not in printed("".join(FENCES[:-4]))


@pytest.mark.parametrize("script", [TABLE, PHILOSOPHERS, MOVES, REDACTED], ids=["table", "votes", "moves", "redacted"])
def test_a_script_is_short_and_complete(script):
    assert len(script.splitlines()) <= LONGEST_SCRIPT
    assert "import tironian\n" in script


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.stem
)
def test_code_in_documents_needs_nothing_but_public_names(path):
    for code in re.findall(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S):
        nodes = [*ast.walk(ast.parse(code))]
        modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert modules <= {"tironian", *sys.stdlib_module_names}
        assert not [node for node in nodes if isinstance(node, ast.ImportFrom)]
        attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
        asked = {node.attr for node in attributes if ast.unparse(node.value) == "tironian"}
        assert asked <= set(tironian.__all__)


def test_a_folder_becomes_a_table(games):
    head, *rows = csv.reader(io.StringIO(printed(TABLE)))
    assert head == ["file", "game", "verdict", "summary", "first problem"]
    assert len(rows) == sum(1 for _ in Path("games").rglob("*.tiro"))
    assert {row[2] for row in rows} <= {"legal", "possible"}


def test_philosophers_turn_votes(games):
    told = re.fullmatch(r"philosophers turned (\d+) of (\d+) votes\n", printed(PHILOSOPHERS))
    assert told
    assert 0 < int(told[1]) < int(told[2])


def test_legal_moves_are_printed(games):
    moves = printed(MOVES).splitlines()
    assert "3C" in moves, "what was played there"
    assert len(moves) == len(set(moves))


def test_a_record_is_redacted(games):
    text = printed(REDACTED)
    assert '[View "table"]' in text
    assert "1E (i)P 3P +ii" in text
    assert "thunder" not in text
