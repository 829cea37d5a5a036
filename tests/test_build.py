"""The modules in use are those of the build that is meant.

``TIRONIAN_BUILD`` says which that is; ``make test-compiled`` sets it, and everything else runs the Python files.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
import tironian
from click.testing import CliRunner
from imports import SOURCES, mounted, tree_of
from tironian.notation.build import build_in_use, install
from tironian.tools.cli.command_line import main

ROOT = Path(__file__).parents[1]
BUILD = os.environ.get("TIRONIAN_BUILD", "pure")


def compiled_modules() -> list[str]:
    """The modules that pyproject.toml wants compiled."""
    globs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["tironian"]["compiled"]
    paths = {path.relative_to(ROOT) for each in globs for path in ROOT.glob(each)}
    return sorted(".".join(["tironian", *path.with_suffix("").parts]).removesuffix(".__init__") for path in paths)


MODULES = compiled_modules()
FILLER = "mypyc filler docstring"
"""Of exceptions and named tuples, which mypyc makes while the module is imported."""


def test_the_table_names_modules() -> None:
    assert "tironian.notation.codes" in MODULES, "build_in_use looks at this one"
    assert not [name for name in MODULES if name.endswith("__main__")], "a compiled module can't be run by its name"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_of_the_build_that_is_meant(name: str) -> None:
    path = Path(str(import_module(name).__file__))
    assert path.name.endswith(tuple(EXTENSION_SUFFIXES)) == (BUILD == "compiled")
    assert path.exists(), "the library lies where mypyc counts wrongly from"


@pytest.mark.parametrize("name", sorted(tironian.__all__))
def test_what_is_public_says_in_every_build_what_it_takes_and_does(name: str) -> None:
    """For ``help()``, and for editors that ask the module and not its source."""
    thing = getattr(tironian, name)
    if getattr(thing, "__module__", None) not in MODULES:
        return
    path = next(path for path in SOURCES if ".".join(mounted(path)) == thing.__module__)
    (node,) = [node for node in tree_of(path).body if getattr(node, "name", "") == name]
    assert isinstance(node, ast.ClassDef | ast.FunctionDef)
    parts = [(thing, node)]
    if isinstance(node, ast.ClassDef) and thing.__doc__ != FILLER:
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
        parts += [(getattr(thing, each.name), each) for each in methods]
    for part, its in parts:
        if (told := ast.get_docstring(its)) and part.__doc__ != FILLER:
            assert inspect.getdoc(part) == told
        if isinstance(its, ast.FunctionDef) and callable(part):
            given = its.args
            named = [each.arg for each in (*given.posonlyargs, *given.args)]
            taken = inspect.signature(part).parameters.values()
            bound = named[:1] if named[:1] in (["self"], ["cls"]) and len(taken) < len(named + given.kwonlyargs) else []
            kinds = {each.name: each.kind for each in taken}
            assert [*bound, *kinds] == [*named, *(each.arg for each in given.kwonlyargs)]
            assert all(kinds[each.arg] is inspect.Parameter.KEYWORD_ONLY for each in given.kwonlyargs)


def test_the_version_says_which_build_it_is() -> None:
    assert build_in_use() == BUILD
    assert CliRunner().invoke(main, ["--version"]).output.endswith(f" ({BUILD})\n")


def test_what_is_missing_is_named_as_it_can_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever this package came from: it need not be in an index."""
    monkeypatch.setattr(sys, "executable", "/a b/python")
    assert install("numpy", "fsrs") == '"/a b/python" -m pip install numpy fsrs'
    monkeypatch.setattr("tironian.notation.build.find_spec", lambda _name: None)
    assert install("numpy") == 'uv pip install --python "/a b/python" numpy'


def test_what_is_asked_for_at_once_an_extra_brings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [{re.split("[^a-z-]", line)[0] for line in listed} for listed in project["optional-dependencies"].values()]
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    calls = re.findall(r"\b(?:install|require_packages)\(((?:['\"][a-z-]+['\"],? ?)+)", source)
    asked = {tuple(re.findall("[a-z-]+", call)) for call in calls} - {("aiohttp",)}  # which only the web needs
    assert {("resvg-py",), ("zstandard",), ("distributed",), ("pyarrow", "fsspec")} <= asked
    assert not [names for names in asked if not any(extra.issuperset(names) for extra in extras)]


@pytest.mark.process
@pytest.mark.parametrize("first", ["tironian.notation", "tironian.replay", "tironian.replay.engine.play"])
def test_the_python_files_can_be_asked_for(first: str) -> None:
    """Whatever is imported first, also where compiled modules are installed."""
    code = f"""
import json, sys
from importlib import import_module
import {first}
print(json.dumps([import_module(name).__file__ for name in {MODULES!r}]))
from tironian.notation.build import build_in_use, install
print(build_in_use())
"""
    env = os.environ | {"TIRONIAN_PURE": "1"}
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env)
    files, build = run.stdout.splitlines()
    assert all(file.endswith(".py") for file in json.loads(files)), files
    assert build == "pure"


@pytest.mark.process
def test_a_subinterpreter_takes_the_python_files_and_the_main_one_goes_on(tmp_path: Path) -> None:
    check = "import tironian; print(tironian.check(tironian.simulate(tironian.load_edition('2024'), 1)).verdict)"
    build = "from tironian.notation.build import build_in_use; print(build_in_use())"
    code = f"""
from importlib import import_module
import sys
interpreters = import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
other = interpreters.create()
interpreters.run_string(other, {check + "; " + build!r})
{check}
interpreters.destroy(other)
{check}
{build}
"""
    command = [sys.executable, "-u", "-c", code]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert run.stdout.split() == ["legal", "pure", "legal", "legal", BUILD]
