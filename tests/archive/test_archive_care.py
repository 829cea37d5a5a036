"""What a check writes beside its report: nothing is overwritten, nothing lost, however it is called and interrupted."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from archives import BROKEN, game, games, tiro, zipped
from tironian.tools.archive.batch import Batch, BatchEvent, FileStarted, Runner, local_runner
from tironian.tools.archive.checker import ChunkChecker
from tironian.tools.archive.chunks import text_ranges
from tironian.tools.archive.cluster import ClusterTask, run_task
from tironian.tools.archive.register import Register
from tironian.tools.storage.sources import InputFiles

LOG = Path(__file__).parents[2] / "examples" / "2024" / "seen-from-the-table.tiro"
BAD = f"{games(3)}\n{BROKEN}"


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.tiro").write_text(BAD, encoding="utf-8")


def test_into_a_device_goes_whatever_comes():
    assert tiro("check", "-f", "-o", os.devnull, "--witness", os.devnull, LOG).exit_code == 0


def test_a_report_that_was_lost_comes_again(monkeypatch: pytest.MonkeyPatch):
    """The disk is full when the last of it is written, after all has been checked."""

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        lost = tiro("check", "--resume", "S", "-o", "report", "bad.tiro")
    assert lost.exit_code == 2, lost.output
    assert not Path("report").exists()
    again = tiro("check", "--resume", "S", "-o", "report", "bad.tiro")
    assert "error[" in Path("report").read_text(encoding="utf-8"), again.output
    assert "error[" not in tiro("check", "--resume", "S", "bad.tiro").stdout


EMOJI, LONG, DEEP = "😀" * 62 + ".tiro", "x" * 240 + ".tiro", "abcdefg/" * 600 + "x.tiro"
NAMES = {
    "of strangers": ["../../out.tiro", "/etc/x.tiro", "C:\\y.tiro", "x/../z.tiro", "out.tiro", "con\nfusion.tiro"],
    "a file and a folder": ["a.tiro", "a.tiro/b.tiro", f"{'x' * 90}/{'y' * 90}.tiro"],
    "a folder called as a part of a file": ["a.tiro.part/x.tiro", "a.tiro", "b.tiro", "b.tiro.part/x.tiro"],
    **{f"that no system takes, {name[:3]}": [name, f"y{name}", "z.tiro"] for name in (EMOJI, LONG, DEEP)},
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_games_of_any_name_are_all_sorted_and_stay_in_the_folder(names: list[str]):
    Path("a.zip").write_bytes(zipped({name: game(seed) for seed, name in enumerate(names)}))
    done = tiro("check", "--keep-good", "good", "a.zip")
    assert done.exit_code == 0, done.output
    assert len([path for path in Path("good").rglob("*") if path.is_file()]) == len(names)
    assert sorted(path.name for path in Path().iterdir()) == ["a.zip", "bad.tiro", "good"]


@pytest.mark.parametrize("torn", [700, 2500])
def test_what_there_is_of_a_torn_game_is_kept(torn: int):
    whole = games(4).replace("\n", "\r\n").encode()
    Path("a.tiro.gz").write_bytes(zlib.compress(whole, 0, 31)[: 11 + 5 + torn])
    tiro("check", "--keep-good", "good", "--keep-bad", "bad", "a.tiro.gz")
    good, bad = (path.read_bytes() if path.exists() else b"" for path in (Path("good/a.tiro"), Path("bad/a.tiro")))
    words = whole[:torn].split()[:-1]
    assert b"\r" not in bad
    assert [*good.split(), *bad.split()][: len(words)] == words


@pytest.mark.parametrize(
    ("read", "kept"),
    [("**/*.tiro", "good"), ("gam*", "games/good"), ("games", "link/good"), ("link", "games/good")],
)
def test_what_is_kept_is_not_read_again(read: str, kept: str):
    Path("games").mkdir()
    Path("games/a.tiro").write_text(games(2), encoding="utf-8")
    Path("bad.tiro").unlink()
    if "link" in read + kept:
        Path("link").symlink_to("games")
    for turn in range(2):
        done = tiro("check", read, "--keep-good", kept, "--resume", "S")
        assert (done.exit_code == 2 and "is inside a folder that is being read" in done.output) or turn == 0
    assert len(list(Path().rglob("*.tiro"))) <= 2


def test_what_is_in_its_archive_no_more_is_kept_no_more():
    def pack(*names: str) -> None:
        Path("a.zip").write_bytes(zipped({name: game(seed) for seed, name in enumerate(names)}))

    def kept() -> set[str]:
        return {str(path.relative_to("good")) for path in Path("good").rglob("*.tiro")}

    options = ("--resume", "S", "--keep-good", "good")
    pack("x.tiro", "y.tiro", "z.tiro")
    tiro("check", *options, "a.zip", "bad.tiro")
    before = kept()
    assert len(before) == 4
    pack("x.tiro", "n.tiro")
    tiro("check", *options, "bad.tiro")
    assert kept() == before
    tiro("check", *options, "a.zip")
    assert kept() == {"a.zip/x.tiro", "a.zip/n.tiro", "bad.tiro"}


def test_standard_input_lies_nowhere():
    Path("bad.tiro").unlink()
    assert tiro("check", "--keep-good", ".", "-", stdin=game(1).encode()).exit_code == 0
    assert len(list(Path().glob("*.tiro"))) == 1


def test_what_cannot_be_read_this_time_keeps_what_was_sorted():
    whole, options = zipped({"x.tiro": game(1)}), ("--resume", "S", "--keep-good", "good", "a.zip")
    Path("a.zip").write_bytes(whole)
    tiro("check", *options)
    for data in (b"PK\3\4" + bytes(500), whole[:-30]):
        Path("a.zip").write_bytes(data)
        assert tiro("check", *options).exit_code == 2
        assert Path("good/a.zip/x.tiro").read_text(encoding="utf-8") == game(1)


def test_here_goes_on_with_what_a_cluster_began(tmp_path: Path):
    """A cluster cuts a file elsewhere, so that what it has of one is no place to go on from."""
    path = tmp_path / "many.tiro"
    path.write_text("\n".join([games(60)] * 20), encoding="utf-8")
    judge = ChunkChecker()

    def cluster(files: InputFiles, work: ChunkChecker, register: Register) -> Iterator[BatchEvent]:
        for found in files:
            yield FileStarted(found, register.known(found), resumable=False)
            for number, text_range in enumerate(text_ranges(found, 300 << 10)[:3]):
                yield from run_task(ClusterTask(number, found, str(tmp_path), text_range), work)
        raise KeyboardInterrupt

    def count(runner: Runner) -> int:
        done = 0
        with Register("S", "j") as register:
            batch = Batch(InputFiles([str(path)]), judge, register, runner)
            try:
                for reports in batch.reports():
                    done += len(reports)
            except KeyboardInterrupt:
                pass
            register.save()
            register.settle()
        return done

    assert 0 < count(cluster) < 1200
    assert count(local_runner(1)) == 1200
    assert count(local_runner(1)) == 0
