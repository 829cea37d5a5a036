"""The wheel holds everything, under one name: a sub-package that is not listed would silently be missing.

Every run makes the one for machines without a C compiler; the full run makes the compiled one as well, and installs
both into new environments.
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
import venv
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest
from scale import FULL

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "library": "tironian",
    "grammar": "tironian/grammar",
    "notation": "tironian/notation",
    "replay": "tironian/replay",
    "schemas": "tironian/schemas",
    "docs/codes": "tironian/codes",
    "desk": "tironian/desk",
}


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


def tiro_of(wheel: Path, folder: Path) -> Path:
    """Install the wheel into a new environment; return its command."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel]
    subprocess.run(install, check=True, capture_output=True, env=CLEAN)
    return folder / "bin" / "tiro"


@pytest.mark.slow
def test_the_wheel_fits_every_machine(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


@pytest.mark.skipif(not FULL, reason="part of the full run")
@pytest.mark.parametrize("build", ["pure", "compiled"])
def test_an_installed_wheel_checks_the_examples(build: str, wheel: Path, tmp_path: Path) -> None:
    if build == "compiled" and not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("there is no C compiler here")
    tiro = tiro_of(built(tmp_path, TIRONIAN_PURE="0") if build == "compiled" else wheel, tmp_path / "venv")
    for pure, told in ("0", build), ("1", "pure"):
        env = CLEAN | {"TIRONIAN_PURE": pure}
        version = subprocess.run([tiro, "--version"], capture_output=True, text=True, env=env)
        assert version.stdout.endswith(f" ({told})\n"), version.stdout + version.stderr
        check = [tiro, "check", ROOT / "examples" / "2024", ROOT / "examples" / "1997"]
        done = subprocess.run(check, capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stdout + done.stderr


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
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    with ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == {"tironian", f"tironian-{version}.dist-info"}


@pytest.mark.slow
def test_the_unpacked_wheel_works(wheel: Path, tmp_path: Path) -> None:
    """Also at the root of the project, where Python looks for packages first."""
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"""
import tironian
from tironian.codes import page
from tironian.replay.archive.sql import ready_queries
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
