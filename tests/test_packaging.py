"""The wheel holds everything, under one name: a sub-package that is not listed would silently be missing.

Here the one for machines without a C compiler is made; ``make release`` makes the compiled ones as well, and installs
each into a new environment.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_string
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest
import tironian

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "library": "tironian", "grammar": "tironian/grammar", "notation": "tironian/notation", "replay": "tironian/replay",
    "tools": "tironian/tools", "schemas": "tironian/schemas", "docs/codes": "tironian/codes", "desk": "tironian/desk",
    "languages": "tironian/languages",
}  # fmt: skip


def built(work: Path, **env: str) -> Path:
    """Return a wheel built from a copy, so that nothing an earlier build left behind gets in."""
    source = work / "source"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(work), str(source)]
    run = subprocess.run(command, capture_output=True, text=True, env=CLEAN | env)
    assert run.returncode == 0, run.stdout + run.stderr
    return next(work.glob("*.whl"))


CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TIRONIAN_PURE")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a machine without a C compiler."""
    return built(tmp_path_factory.mktemp("wheel"), CC="/nonexistent")


@pytest.mark.slow
def test_the_wheel_fits_every_machine(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


@pytest.mark.slow
def test_the_wheel_holds_every_file(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        f"{target}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, target in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = sorted(wanted - packed)
    assert not missing, "\n".join(missing)
    assert {"tironian/py.typed", "tironian/grammar/tiro.lark"} <= packed


@pytest.mark.slow
def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    number = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    with ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == {"tironian", f"tironian-{number}.dist-info"}


@pytest.mark.slow
def test_the_unpacked_wheel_works(wheel: Path, tmp_path: Path) -> None:
    """Also at the root of the project, where Python looks for packages first."""
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"""
import tironian
from tironian.codes import page
from tironian.tools.archive.sql import ready_queries
from tironian.replay.diagnostics.registry import CODES
from tironian.grammar import grammar_text
from tironian.schemas import schema_names
assert tironian.__file__.startswith({str(tmp_path)!r}), tironian.__file__
assert all(hasattr(tironian, name) for name in tironian.__all__)
assert grammar_text() and schema_names() and ready_queries() and all(map(page, CODES))
"""
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


TYPED = """
import tironian
from tironian import Card, tokens

game: tironian.Game = next(tironian.read("game.tiro"))
verdict: tironian.Verdict = tironian.check(game.record)
moves: list[tironian.Move] = tironian.legal_moves(tironian.replay_game(game).at("7E.0").state)
place: tokens.Token = tokens.Place(Card.FIVE, tironian.Group.AEDILE, hidden=False)
version: str = tironian.__version__

tironian.chess
number: int = tironian.check(game)
"""


@pytest.mark.slow
def test_type_checkers_see_the_public_names(wheel: Path, tmp_path: Path) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "script.py").write_text(TYPED, encoding="utf-8")
    # With the folder itself, which only here lies above the others, as its imports say.
    settings = {
        "include": [".", "../installed/tironian/*.py"],
        "extraPaths": [str(tmp_path / "installed")],
        "reportUnusedExpression": False,
    }
    (tmp_path / "user" / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    run = subprocess.run(command, cwd=tmp_path / "user", capture_output=True, text=True, env=CLEAN)
    faults = json.loads(run.stdout)["generalDiagnostics"]
    assert [(fault["range"]["start"]["line"], fault["rule"]) for fault in faults] == [
        (10, "reportAttributeAccessIssue"),
        (11, "reportAssignmentType"),
    ], faults


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, made from the files that git knows."""
    work = tmp_path_factory.mktemp("sdist")
    for name in tracked():
        (work / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, work / "source" / name)
    run = [sys.executable, "-m", "build", "--sdist", "--outdir", str(work), str(work / "source")]
    done = subprocess.run(run, capture_output=True, text=True, env=CLEAN)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(work.glob("*.tar.gz"))


def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone: nobody knows which files belong to it")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if (ROOT / name).is_file()]


@pytest.mark.slow
def test_the_source_distribution_is_whole(sdist: Path) -> None:
    """Whoever unpacks it can do what a clone can: build, run all tests and read all documents."""
    with tarfile.open(sdist) as archive:
        members = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {name for name in tracked() if not name.startswith(".")}
    assert not sorted(wanted - members)
    strangers = {name.partition("/")[0] for name in members} - {name.partition("/")[0] for name in wanted}
    assert strangers <= {"", "PKG-INFO", "setup.cfg", "tironian.egg-info"}


@pytest.mark.slow
def test_the_source_distribution_says_nothing_of_this_machine(sdist: Path) -> None:
    """So whoever makes it of the same files makes the same bytes."""
    with tarfile.open(sdist) as archive:
        told = {(each.mtime, each.mode, each.uid, each.gid, each.uname, each.gname) for each in archive}
    assert {(mtime, uid, gid, *names) for mtime, _, uid, gid, *names in told} == {(315532800, 0, 0, "", "")}
    assert {mode for _, mode, *_ in told} <= {0o644, 0o755}
    assert sdist.read_bytes()[4:8] == (315532800).to_bytes(4, "little")


@pytest.mark.slow
def test_the_description_has_no_link_that_leads_nowhere(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        (told,) = [
            archive.extractfile(name) for name in archive.getnames() if name.count("/") == 1 and "PKG-INFO" in name
        ]
        assert told is not None
        package = message_from_string(told.read().decode())
    text = package.get_payload()
    assert "Nothing is lost" in text
    assert not re.findall(r"\]\((?!https?://)[^)]*\)", text)
    assert package["Author"] == "The Tironian authors"
    assert package["Description-Content-Type"].startswith("text/markdown")
    assert "Programming Language :: Python :: 3.11" in package.get_all("Classifier", [])
    assert not {"dev", "docs", "bench", "release"} & {*package.get_all("Provides-Extra", [])}, "these are groups"


def test_the_version_and_the_pythons_are_the_same_wherever_they_stand() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{project['version']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert version("tironian") == tironian.__version__ == project["version"]
    pythons = [each.rpartition(" :: ")[2] for each in project["classifiers"] if ":: Python :: 3." in each]
    assert project["requires-python"] == f">={pythons[0]}"
    if (ROOT / ".github").exists():  # not in a source distribution
        tests = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
        assert re.findall(r'"(3\.\d+)"', tests) == pythons
