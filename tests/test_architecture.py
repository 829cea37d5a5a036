"""The flow goes one way, and the house measures hold: read from the source, and from what an import loads."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("grammar", "notation", "replay", "schemas")
FILE_LINES = 400
FUNCTION_LINES = 60
EDITION_NAME = re.compile(r"\b(2024|1997|taylor|fr)\b")

TABLE_TOOLS = ("pyarrow", "duckdb", "zstandard", "fsspec", "distributed")

SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
RULES = [path for path in SOURCES if ROOT / "replay" / "rules" in path.parents]
ENGINE = [*RULES, *(path for path in SOURCES if path.parent == ROOT / "replay" and path.name != "edition.py")]
PROGRAMS = [*SOURCES, *sorted((ROOT / "benchmarks").rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


@dataclass(frozen=True)
class Import:
    """One imported name: where, its full name, and whether it is imported within a function or for types only."""

    path: Path
    line: int
    module: str
    late: bool

    def __str__(self) -> str:
        return f"{name_of(self.path)}:{self.line} imports {self.module}"


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


@cache
def imports_of(path: Path) -> tuple[Import, ...]:
    """Every import of a file, with relative ones spelt out."""
    late = {
        id(inner)
        for outer in ast.walk(tree_of(path))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) or _is_for_types_only(outer)
        for inner in ast.walk(outer)
    }
    return tuple(
        Import(path, node.lineno, module, id(node) in late)
        for node in ast.walk(tree_of(path))
        for module in imported(node, path)
    )


def _is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported(node: ast.AST, path: Path) -> Iterator[str]:
    """The full names that a statement imports: ``a.b.c`` for ``from a.b import c``."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        base = node.module.split(".") if node.module else []
        if node.level:
            package = ["tironian", *path.relative_to(ROOT).parent.parts]
            base = package[: len(package) - node.level + 1] + base
        for alias in node.names:
            yield ".".join([*base, alias.name])


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def importers(package: str, paths: list[Path]) -> list[Import]:
    """The imports, in those files, of a package or of anything in it."""
    return [found for path in paths for found in imports_of(path) if within(found.module, package)]


def strings_of(path: Path) -> Iterator[ast.Constant]:
    """String literals that are no docstrings; a string that stands alone as a statement is one."""
    alone = {id(node.value) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node


def listed(problems: list[object]) -> str:
    return "\n".join(map(str, problems))


def test_relative_imports_are_spelt_out() -> None:
    node = ast.parse("from ..notation.cards import ROME").body[0]
    assert list(imported(node, ROOT / "replay" / "edition.py")) == ["tironian.notation.cards.ROME"]
    assert list(imported(node, ROOT / "replay" / "__init__.py")) == ["tironian.notation.cards.ROME"]


@pytest.mark.parametrize("package", PACKAGES)
def test_folders_are_imported_under_the_common_name(package: str) -> None:
    """The bare folder, importable from the root, would make a second set of classes."""
    bare = importers(package, [*PROGRAMS, *TESTS])
    assert not bare, listed(bare)


def test_notation_knows_nothing_of_the_rules() -> None:
    paths = [path for path in SOURCES if ROOT / "replay" not in path.parents]
    assert not importers("tironian.replay", paths)


def test_the_rules_know_nothing_that_stands_on_them() -> None:
    known = tuple(f"tironian.replay.{name}" for name in ("rules", "edition", "editions"))
    strangers = [
        found for found in importers("tironian.replay", RULES) if not any(within(found.module, name) for name in known)
    ]
    assert RULES
    assert not strangers, listed(strangers)


@pytest.mark.parametrize("package", ["law", "mechanics"])
def test_moves_are_a_second_reading_of_the_rules(package: str) -> None:
    """What may come next is made without asking whether it may: the tests hold both equal."""
    paths = [path for path in RULES if path.parent.name == "moves"]
    assert paths
    strangers = importers(f"tironian.replay.rules.{package}", paths)
    assert not strangers, listed(strangers)


def test_nothing_but_the_command_line_imports_the_command_line() -> None:
    start = ROOT / "replay" / "__main__.py"
    paths = [path for path in SOURCES if ROOT / "replay" / "cli" not in path.parents and path != start]
    assert not importers("tironian.replay.cli", paths)


@pytest.mark.parametrize("package", ["click", "textual", "tironian.replay.screen"])
def test_recording_knows_no_screen(package: str) -> None:
    """So that a game can be recorded from anywhere."""
    paths = [path for path in SOURCES if ROOT / "replay" / "recording" in path.parents]
    assert paths
    assert not importers(package, paths)


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("lark", ("notation/parser.py",)),
        ("click", ("replay/cli/",)),
        ("textual", tuple(f"replay/screen/{name}.py" for name in ("app", "form", "parts", "prompts", "recorder"))),
        ("jsonschema", ("notation/jsonform.py", "schemas/", "replay/cli/")),
        ("jinja2", ("replay/export/",)),
        ("markupsafe", ("replay/export/",)),
        *((name, ("replay/archive/", "replay/cli/export.py")) for name in TABLE_TOOLS),
    ],
)
def test_a_dependency_has_its_place(package: str, allowed: tuple[str, ...]) -> None:
    strangers = [found for found in importers(package, SOURCES) if not name_of(found.path).startswith(allowed)]
    assert not strangers, listed(strangers)


@pytest.mark.parametrize("package", ["jsonschema", "jinja2", "markupsafe", *TABLE_TOOLS])
def test_what_is_heavy_waits_until_it_is_needed(package: str) -> None:
    early = [found for found in importers(package, SOURCES) if not found.late]
    assert not early, listed(early)


def test_people_are_told_through_one_function() -> None:
    """It makes visible what strangers wrote; files and pipes get what a command writes to its stream."""
    direct = re.compile(r"(?<!\.)\bprint\(|click\.s?echo")
    found = {name_of(path) for path in SOURCES if direct.search(path.read_text(encoding="utf-8"))}
    assert found == {"replay/cli/common.py"}


def test_the_engine_names_no_edition() -> None:
    named = [
        f"{name_of(path)}:{node.lineno} says {node.value!r}"
        for path in ENGINE
        for node in strings_of(path)
        if EDITION_NAME.search(str(node.value))
    ]
    assert not named, listed(named)


def test_tests_use_public_modules() -> None:
    private = [
        found
        for path in TESTS
        for found in imports_of(path)
        if within(found.module, "tironian") and any(part.startswith("_") for part in found.module.split("."))
    ]
    assert not private, listed(private)


@pytest.mark.parametrize("path", [*PROGRAMS, *TESTS], ids=name_of)
def test_files_and_functions_stay_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= FILE_LINES, f"{name_of(path)} has {lines} lines"
    long = [
        f"{name_of(path)}:{node.lineno} {node.name} has {length} lines"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    ]
    assert not long, listed(long)


@pytest.mark.process
def test_the_library_loads_nothing_heavy() -> None:
    code = "import sys, tironian.replay; print(*{name.partition('.')[0] for name in sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"lark", "click", "rich", "jsonschema", "textual", "jinja2", *TABLE_TOOLS} & set(run.stdout.split())


LOADS_STARTERS = re.compile(
    r"^(import subprocess|from (moments|terminals|browser|distributed|bombs) import)|importorskip\(.terminals",
    re.MULTILINE,
)
STARTERS = {"subprocess", "terminal", "tiro_where", "launched", "browser", "LocalCluster"}
"""Whatever starts processes for tests, or is a command that they start."""


def starting(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the tests of a file that reach a starter, by whatever functions and fixtures of the file."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    words = {
        each.name: {getattr(node, name, "") for node in ast.walk(each) for name in ("id", "attr", "arg")}
        for each in functions
    }
    known, reached = set(), STARTERS
    while reached - known:
        known |= reached
        reached = {name for name, mentioned in words.items() if mentioned & known}
    return [each for each in functions if each.name.startswith("test_") and each.name in known]


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda path: path.stem)
def test_tests_that_start_processes_say_so(path: Path) -> None:
    """So that ``pytest -m process`` runs all that could depend on how fast a machine is."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    everywhere = [node.value for node in tree.body if isinstance(node, ast.Assign) and "pytestmark" in ast.dump(node)]
    for test in starting(tree) if LOADS_STARTERS.search(text) else ():
        marks = {getattr(node, "attr", "") for each in (*everywhere, *test.decorator_list) for node in ast.walk(each)}
        assert "process" in marks, test.name
