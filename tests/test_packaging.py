"""The wheel holds everything, under one name: a sub-package that is not listed would silently be missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "grammar": "tironian/grammar",
    "notation": "tironian/notation",
    "replay": "tironian/replay",
    "schemas": "tironian/schemas",
    "docs/codes": "tironian/codes",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy, so that nothing an earlier build left behind gets in."""
    work = tmp_path_factory.mktemp("wheel")
    source = work / "source"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(work), str(source)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return next(work.glob("*.whl"))


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
    assert {"tironian/notation/py.typed", "tironian/replay/py.typed", "tironian/grammar/tiro.lark"} <= packed


@pytest.mark.slow
def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    with ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == {"tironian", f"tironian-{version}.dist-info"}


@pytest.mark.slow
def test_the_unpacked_wheel_works(wheel: Path, tmp_path: Path) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import tironian.replay
from tironian.codes import page
from tironian.replay.archive.asking import ready
from tironian.replay.codes import CODES
from tironian.grammar import grammar_text
from tironian.schemas import schema_names
assert tironian.replay.__file__.startswith({str(tmp_path)!r}), tironian.replay.__file__
assert grammar_text() and schema_names() and ready() and all(map(page, CODES))
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
