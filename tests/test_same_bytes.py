"""The same bytes in every process: nothing that is written depends on the order in which a set is gone through.

Python's hashes of texts, and so the order of a set, differ from process to process; PYTHONHASHSEED chooses one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import NAMES, choices
from many_commands import NOT_RUN, cases, prepared
from scale import scaled

ROOT = Path(__file__).parents[1]
SEEDS = scaled(3, 5)
FILES, PARTS = scaled(40, 1), scaled(16, 1)
"""Of so many records one is used, and of so many cases one is run."""
SHARES = scaled(1, 12)
"""In so many tests, each with its share of the cases."""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared(tmp_path_factory.mktemp("work"))


def written(work: Path, seed: int, share: int) -> list[str]:
    """What is printed by a process with a hash seed."""
    folder = work.parent / f"{work.name}-{seed}-{share}"
    shutil.copytree(work, folder)
    driver = ROOT / "tests" / "support" / "many_commands.py"
    words = [sys.executable, driver, folder, FILES, share, PARTS * SHARES]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "SOURCE_DATE_EPOCH": "0", "COLUMNS": "100"}
    done = subprocess.run([*map(str, words)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(folder)
    return done.stdout.splitlines()


@pytest.mark.process
@pytest.mark.parametrize("share", range(SHARES))
def test_every_process_writes_the_same(share: int, work: Path):
    first = written(work, 0, share)
    assert len(first) > 10
    for seed in range(1, SEEDS):
        differing = [line for line, other in zip(first, written(work, seed, share), strict=True) if line != other]
        assert not differing, f"PYTHONHASHSEED={seed}"


def words_of(case: Any) -> tuple[str, ...]:
    return case[0] if isinstance(case, tuple) else ()


def test_every_command_is_run_in_every_format():
    run = [words_of(case) for case in cases(["a.tiro"])]
    assert {words[0] for words in run if words} == {*NAMES} - NOT_RUN.keys()
    assert {(words[0], form) for words in run for form in words if form in choices(words[0], "--format")} == {
        (name, form) for name in {*NAMES} - NOT_RUN.keys() for form in choices(name, "--format")
    }
