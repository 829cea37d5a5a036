"""Where an output can't be written, its file is as it was before, or not there: never half of it, and never the text
that was to be mended. A sentence says so, and the exit code is 2.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from archives import game, tiro
from click.testing import Result

resource = pytest.importorskip("resource", reason="there are no limits of size on this system")

EXAMPLES = Path(__file__).parents[2] / "examples"
OLD = b"what was there before\n"
OUT = "out"
CALLS = ("fsync", "replace")
COMMANDS: dict[str, tuple[str, ...]] = {
    **{
        f"{name} {' '.join(more)}".strip(): (name, *more, "game.tiro", "-o", OUT, "--force")
        for name, *more in (
            ("convert",), ("view", "--as", "caesar"), ("timeline",), ("timeline", "--format", "svg"), ("votes",),
            ("show", "--format", "svg"), ("check", "-j", "1", "-v"),
        )
    },
    "analyse": ("analyse", "short.tiro", "--level", "quick", "-o", OUT, "--force"),
    "analyse --players": ("analyse", "short.tiro", "--players", "--level", "quick", "-j", "1", "-o", OUT, "--force"),
    "merge": ("merge", "caesar.tiro", "cleopatra.tiro", "-o", OUT, "--force"),
    "repair": ("repair", "broken.tiro", "-o", OUT, "--force"),
    "repair several": ("repair", "broken.tiro", "game.tiro", "-o", OUT, "--force"),
    "rules": ("rules", "-o", OUT, "--force"),
    "schema": ("schema", "record", "-o", OUT, "--force"),
    "simulate": ("simulate", "-o", OUT, "--force"),
    "check --witness": ("check", "caesar.tiro", "-j", "1", "--witness", OUT, "--force"),
}  # fmt: skip
"""What writes one file, over another."""
OTHERS: dict[str, tuple[tuple[str, ...], str]] = {
    "fmt": (("fmt", "loose.tiro"), "loose.tiro"),
    "analyse --keep": (("analyse", "short.tiro", "--level", "quick", "--keep"), "short.insight.json"),
    "drill": (("drill", "short.tiro", "--as", "caesar", "--level", "quick", "--list", "--state", OUT), OUT),
    "votes --folder": (("votes", "game.tiro", "--folder", "v"), "v/vote-01-1R.txt"),
    "check --keep-good": (("check", "game.tiro", "-j", "1", "--keep-good", "kept"), "kept/game.tiro"),
    "export": (("export", "game.tiro", "-j", "1", "-o", "tables"), "tables/games/part-000000.parquet"),
}
"""What writes under other names: a new file, or fmt over its own."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.tiro").write_text(game(0), encoding="utf-8")
    Path("loose.tiro").write_text(game(0).replace("\n1R ", "\n\n 1R  "), encoding="utf-8")
    short = (EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8").partition("\n2E ")[0]
    Path("short.tiro").write_text(f"{short}\n", encoding="utf-8")
    for name in ("caesar", "cleopatra"):
        shutil.copy(EXAMPLES / "scoresheets" / "thursday" / f"{name}.tiro", ".")
    shutil.copy(EXAMPLES / "broken" / "single-card-face-up.tiro", "broken.tiro")


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond this size: the system refuses what is written then, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def failing(name: str) -> Iterator[None]:
    """Each such call of the system fails."""

    def fail(*_args: object, **_more: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, name, fail)
        yield


def is_refused(run: Callable[[], Result], out: Path, before: bytes | None, whole: bytes) -> None:
    """At whatever byte the disk is full, and wherever the system fails, there is nothing new, and a sentence."""
    faults = [room_for(size) for size in sorted({0, 1, len(whole) // 2, len(whole) - 1})]
    for must, fault in [*((True, fault) for fault in faults), *((False, failing(name)) for name in CALLS)]:
        with fault:
            done = run()
        if not must and done.exit_code != 2:  # what does without that call
            assert out.read_bytes() == whole
            continue
        assert done.exit_code == 2, done.output
        assert isinstance(done.exception, SystemExit)
        assert done.stderr.splitlines()[-1].startswith("Error: ")
        assert (out.read_bytes() if out.exists() else None) == before
        assert not list(out.parent.glob(".*"))


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_was_there_stays(words: tuple[str, ...]):
    out = Path(OUT)
    if words[0] == "analyse":  # so that it need not be made each time
        assert tiro("analyse", "short.tiro", "--level", "quick", "--keep").exit_code == 0
    assert tiro(*words).exit_code in (0, 1)
    whole = out.read_bytes()
    for before in (OLD, None):
        out.unlink(missing_ok=True)
        Path(f"{OUT}.trail").unlink(missing_ok=True)
        if before:
            out.write_bytes(before)
        is_refused(lambda: tiro(*words), out, before, whole)
    assert tiro(*words).exit_code in (0, 1)
    assert out.read_bytes() == whole


@pytest.mark.parametrize(("words", "name"), OTHERS.values(), ids=OTHERS)
def test_nothing_half_is_written_under_another_name(words: tuple[str, ...], name: str):
    out = Path(name)
    before = out.read_bytes() if out.exists() else None
    made = ("v", "kept", "tables")

    def run() -> Result:
        for folder in made:
            shutil.rmtree(folder, ignore_errors=True)
        return tiro(*words)

    assert run().exit_code == 0
    whole = out.read_bytes()
    assert whole != before
    if before is None:
        out.unlink()
    else:
        out.write_bytes(before)
    is_refused(run, out, before, whole)
