"""What ``import tironian`` offers: every public name is found, described with an example, and visible to tools."""

from __future__ import annotations

import ast
import doctest
import inspect
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tironian

ROOT = Path(__file__).parents[1]
CONSTANTS = {"EDITION_NAMES", "VIEWS"}
DESCRIBED = [name for name in tironian.__all__ if name not in CONSTANTS]


def test_names_are_told_to_type_checkers_as_they_are_imported() -> None:
    tree = ast.parse(Path(str(tironian.__file__)).read_text(encoding="utf-8"))
    told = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level and node.module
        for alias in node.names
        if alias.name == alias.asname
    }
    assert sorted(name for _, name in told) == tironian.__all__
    for module, name in told:
        value = getattr(tironian, name)
        behind = value.__wrapped__ if inspect.isfunction(value) else value  # a function stands behind the door
        assert getattr(import_module(f"tironian.{module}"), name) is behind, name


@pytest.mark.parametrize("name", tironian.__all__)
def test_a_name_is_found_and_listed(name: str) -> None:
    value = getattr(tironian, name)
    assert name in dir(tironian)
    if not isinstance(value, ModuleType) and name not in CONSTANTS:
        assert value.__name__ == name


def test_no_module_takes_the_place_of_a_name() -> None:
    """A module becomes an attribute of its package when it is imported, and would hide a function of its name."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    packages = tool["setuptools"]["package-dir"]
    modules = {package.split(".")[1] for package in packages if "." in package}
    modules |= {path.stem for path in (ROOT / "library").glob("*.py")}
    assert {"replay", "reading"} <= modules
    assert not modules & set(tironian.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = tironian.chess
    assert tironian.__version__


@pytest.mark.parametrize("name", DESCRIBED)
def test_a_name_is_described_with_an_example_that_works(name: str) -> None:
    value = getattr(tironian, name)
    assert ">>>" in inspect.getdoc(value)
    assert not failures_of(value, name)


def test_the_package_is_described_with_an_example_that_works() -> None:
    assert not failures_of(tironian, "tironian")


def failures_of(value: Any, name: str) -> list[str]:
    """Return what the examples of an object print otherwise than they say."""
    record = tironian.simulate(tironian.load_edition("2024"), seed=1)
    told: list[str] = []
    finder = doctest.DocTestFinder(recurse=isinstance(value, type))
    for test in finder.find(value, name, globs={"tironian": tironian, "record": record}):
        doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=told.append)
    return told
