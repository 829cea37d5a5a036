"""The same Python in WebAssembly, as a page runs it: nothing that is compiled, no process, no thread."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest
from imports import PYODIDE, ROOT

HERE = Path(__file__).parent / "webassembly"
PURE = ("lark", "mypy_extensions")
"""What the library needs there: all of it is Python."""


def pack(archive: Path) -> None:
    """Write what Python imports there, and the examples."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folders = {ROOT / folder: name for name, folder in project["tool"]["setuptools"]["package-dir"].items()}
    folders |= {ROOT / "examples": "examples", ROOT / "tests" / "support": "tests/support"}
    with ZipFile(archive, "w") as packed:
        for name in PURE:
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            if spec.submodule_search_locations:
                folders[Path(spec.origin).parent] = name
            else:
                packed.write(spec.origin, Path(spec.origin).name)
        for folder, name in folders.items():
            for path in folder.rglob("*"):
                if path.is_file() and path.suffix != ".pyc":
                    packed.write(path, Path(name.replace(".", "/")) / path.relative_to(folder))


@pytest.mark.process
@pytest.mark.slow
def test_a_page_can_read_judge_repair_tell_and_record(tmp_path: Path):
    if not (PYODIDE.exists() and shutil.which("node")):
        assert os.environ.get("CI") != "true", "CI has Node and Pyodide"
        pytest.skip("Pyodide is not installed here: make webassembly needs npm")
    pack(tmp_path / "site.zip")
    node = ["node", HERE / "run.mjs", PYODIDE, tmp_path / "site.zip", HERE / "program.py"]
    run = subprocess.run(node, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "check legal illegal", "repair True", "timeline True", "votes True", "record legal", "loaded",
    ]  # fmt: skip
