"""A choice of an edition has its meaning in one function, and a new member can't be forgotten there."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from imports import ROOT, SOURCES, name_of, tree_of
from tironian.replay.editions import choices
from tironian.replay.editions.choices import Choice

SETS = sorted(
    each.__name__
    for each in vars(choices).values()
    if isinstance(each, type) and issubclass(each, Choice) and each is not Choice
)
"""The names of the closed sets."""
POLICIES = "replay/editions/policies.py"
WORDS = {"Placement": "replay/diagnostics/messages.py"}
"""Closed set → where its members have words of their own beside their meaning."""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What pyright says of a copy of the source in which each closed set has one more member: file and message."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("notation", "replay", "grammar", "schemas"):
        shutil.copytree(ROOT / folder, copy / "tironian" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "typings", copy / "typings")
    path = copy / "tironian" / "replay" / "editions" / "choices.py"
    lines: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        lines.append(line)
        if line.startswith("class ") and line.endswith("(Choice):"):
            lines.append('    ANOTHER = "another"')
    path.write_text("\n".join(lines), "utf-8")
    # Relative to the file of settings: what is absolute is left out, and everything is looked at in its place.
    asked = [f"tironian/{name}" for name in (POLICIES, *WORDS.values())]
    settings = {"include": asked, "stubPath": "typings", "pythonVersion": "3.11"}
    (copy / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(checked.stdout)["generalDiagnostics"]
    return [(Path(each["file"]).relative_to(copy / "tironian").as_posix(), each["message"]) for each in found]


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_a_new_member_is_a_type_error_wherever_it_needs_a_meaning(name: str, errors: list[tuple[str, str]]):
    refused = {file for file, message in errors if f"Literal[{name}.ANOTHER]" in message}
    assert refused == {POLICIES, *([WORDS[name]] if name in WORDS else [])}


def members_in(tree: ast.AST) -> Iterator[ast.Attribute]:
    """The places where a member of a closed set is named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SETS:
            yield node


def test_members_are_named_only_where_all_of_them_are_told_apart():
    named_elsewhere: list[str] = []
    for path in SOURCES:
        tree = tree_of(path)
        matches = [node for node in ast.walk(tree) if isinstance(node, ast.Match)]
        complete = [match for match in matches if "assert_never" in ast.unparse(match.cases[-1])]
        decided = {id(member) for match in complete for member in members_in(match)}
        named_elsewhere += [f"{name_of(path)}:{each.lineno}" for each in members_in(tree) if id(each) not in decided]
    assert not named_elsewhere
