"""``tiro club`` as a process: its link is for its owner alone, lasts, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copytree
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from imports import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.process]


@contextmanager
def club(folder: Path, home: Path) -> Iterator[tuple[str, str]]:
    """The addresses that a club prints: the organiser's, and everybody's. It is ended as by Ctrl-C."""
    given = {**os.environ, "HOME": str(home), "APPDATA": str(home), "XDG_CONFIG_HOME": str(home), "TMPDIR": str(home)}
    command = [sys.executable, "-m", "tironian.tools.cli", "club", str(folder), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=given) as process:
        assert process.stdout
        words = [process.stdout.readline().split() for _ in range(2)]
        try:
            yield words[0][1], words[1][1]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def read(address: str, **headers: str) -> str:
    with urlopen(Request(address, headers=headers)) as answer:
        return answer.read().decode()


def test_the_link_is_for_its_owner_and_lasts(tmp_path: Path):
    event, home = Path(copytree(ROOT / "examples/event", tmp_path / "open")), tmp_path / "home"
    home.mkdir()
    os.umask(0o000)
    try:
        with club(event, home) as (organiser, everybody):
            key = urlsplit(organiser).fragment.removeprefix("key=")
            for place in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):  # it has ended
                    assert key.encode() not in place.read_bytes()
            assert "Thursday Open" in read(everybody)
            view = organiser.partition("#")[0] + "/view"
            assert "Thursday Open" in read(view, **{"X-Tiro-Token": key})
    finally:
        os.umask(0o022)
    left = [path for path in home.rglob("*") if path.is_file()]
    assert [path.name.partition("-")[0] for path in left] == ["club"], "the public pages are removed"
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in left)
    with club(event, home) as (again, _):
        assert key in again, "pages that are open go on with it"
    other = Path(copytree(event, tmp_path / "other"))
    with club(other, home) as (of_another, _):
        assert key not in of_another, "each event has its own"
