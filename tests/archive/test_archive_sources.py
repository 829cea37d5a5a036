"""Where texts come from, and what becomes of those that can't be read: told, passed by, and the rest is done."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest
import tironian
import zstandard
from archives import BROKEN, checked, game, games, tarred, tiro, zipped
from scale import FULL, crossed
from tironian.tools.storage import sources
from tironian.tools.storage.sources import InputFiles

GAMES = games(12)


MEMBERS = {"read me.txt": "no game", "one/a.tiro": game(0), "b.tiro": games(3, 1), "c.TIRO": games(8, 4)}
PACKED = {
    "a.tiro": GAMES.encode(), "a.tiro.gz": gzip.compress(GAMES.encode()),
    "two.tiro.gz": gzip.compress(games(6).encode() + b"\n") + gzip.compress(games(6, 6).encode()),
    "a.tiro.zst": zstandard.compress(GAMES.encode()), "a.zip": zipped(MEMBERS), "a.tar": tarred(MEMBERS),
    "a.tar.gz": tarred(MEMBERS, "w:gz"), "a.tgz": tarred(MEMBERS, "w:gz"),
    "a.tar.zst": zstandard.compress(tarred(MEMBERS)), "twice.tiro.gz": gzip.compress(gzip.compress(GAMES.encode())),
}  # fmt: skip


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[tuple]:
    path = tmp_path_factory.mktemp("plain") / "a.tiro"
    path.write_text(GAMES, encoding="utf-8")
    return told([path])


def told(paths: list, **how) -> list[tuple]:
    return [(each.title, each.edition, each.events, each.summary, each.moves) for each in checked(paths, **how)]


@pytest.mark.parametrize(("name", "jobs"), crossed(PACKED, [1, 2]))
def test_packed_or_not_the_games_are_the_same(tmp_path: Path, plain: list[tuple], name: str, jobs: int):
    path = tmp_path / name
    path.write_bytes(PACKED[name])
    assert told([path], jobs=jobs) == plain
    assert told([tmp_path], jobs=jobs) == plain


@pytest.mark.parametrize("name", PACKED)
def test_the_same_through_standard_input(name: str):
    pipe = tiro("check", "-", stdin=PACKED[name])
    assert pipe.stdout.startswith("12 games, "), pipe.output


def test_places_in_what_was_unpacked_say_so():
    assert "--> <stdin> (unpacked gzip):" in tiro("check", "-", stdin=gzip.compress(BROKEN.encode())).stdout
    assert "--> <stdin>:" in tiro("check", "-", stdin=BROKEN.encode()).stdout


@pytest.mark.process
@pytest.mark.parametrize("name", PACKED if FULL else ["a.tiro", "a.tiro.zst", "a.zip", "a.tar.gz"])
def test_the_same_from_a_file_that_is_standard_input(tmp_path: Path, name: str):
    """One way of packing of each kind in every run; the others are unpacked as these are."""
    (tmp_path / name).write_bytes(PACKED[name])
    with open(tmp_path / name, "rb") as file:
        run = [sys.executable, "-m", "tironian.tools.cli", "check", "-"]
        done = subprocess.run(run, stdin=file, capture_output=True, check=True, text=True)
    assert done.stdout == tiro("check", "-", stdin=PACKED[name]).stdout


def test_a_game_in_an_archive_is_named_by_both(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(zipped({"x/b.tiro": f"{game(1)}\n{BROKEN}"}))
    assert f"{tmp_path / 'a.zip'}/x/b.tiro:" in (out := tiro("check", tmp_path).stdout)
    assert "(game 2, turn" in out


def test_members_of_one_name_are_told_apart(tmp_path: Path):
    (tmp_path / "a.tar").write_bytes(tarred([("a.tiro", game(seed)) for seed in (1, 2, 3)]))
    names = [f"{tmp_path}/a.tar/{name}" for name in ("a.tiro", "a.tiro (2)", "a.tiro (3)")]
    assert [each.file for each in checked([tmp_path])] == names


def test_what_is_not_opened_in_an_archive_is_told(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(zipped({"a.tiro": game(1), "b.zip": "PK\3\4", "readme.txt": ""}))
    messages, legal = problems(tmp_path)
    assert legal == 1
    assert messages == ["this can't be read: an archive within an archive is not opened; unpack the outer one"]


LEFT = [
    "__MACOSX/season/._a.tiro", "__MACOSX/season/b.tiro", "season/._a.tiro", "._a.tiro.gz", ".AppleDouble/a.tiro",
    "~$a.tiro", "season/.#a.tiro", ".~a.tiro",
]  # fmt: skip
"""What a Mac, an office program and an editor leave beside records, as it lies in folders and archives."""
NEVER = [".DS_Store", "season/Thumbs.db", "desktop.ini", "a.tiro~", "#a.tiro#", ".a.tiro.swp", "a.tiro.bak"]
APPLE_DOUBLE = "\0\5\x16\7\0\2\0\0Mac OS X"


def _from_a_mac(place: Path, packed: str) -> Path:
    """Return a folder, or an archive or an address of it, with one game and what was left beside it."""
    members = {"season/a.tiro": game(1), **dict.fromkeys([*LEFT, *NEVER], APPLE_DOUBLE)}
    if packed in ("zip", "tar"):
        (place / f"a.{packed}").write_bytes(zipped(members) if packed == "zip" else tarred(members))
        return place / f"a.{packed}"
    for name, text in members.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("packed", ["zip", "tar", ""])
def test_what_systems_leave_beside_records_is_counted_and_passed_by(tmp_path: Path, packed: str):
    path = _from_a_mac(tmp_path, packed)
    done = tiro("check", path)
    assert (done.exit_code, done.stdout.splitlines()[1:]) == (0, []), done.output
    assert done.stdout.startswith("1 game, ")
    assert done.stdout.endswith(f": 1 legal; no game in {len(LEFT)} texts\n")
    assert [each.problems for each in tironian.read(path)] == [[]]


def test_what_systems_leave_in_a_store_is_passed_by_as_well():
    store = fsspec.filesystem("memory")
    for name in ("season/a.tiro", *LEFT, *NEVER):
        store.pipe_file(f"/mac/{name}", game(1).encode())
    problems = {file.path: file.problem for file in InputFiles(["memory://mac"])}
    store.rm("/mac", recursive=True)
    assert [path for path, problem in problems.items() if not problem] == ["memory:///mac/season/a.tiro"]
    assert set(problems.values()) == {"", sources.SYSTEM_FILE}
    assert len(problems) == 1 + len(LEFT)


@pytest.mark.parametrize("command", ["fmt", "repair"])
def test_a_folder_from_a_mac_is_no_trouble(tmp_path: Path, command: str):
    done = tiro(command, _from_a_mac(tmp_path, ""))
    assert done.exit_code == 0, done.output


def test_who_names_a_file_gets_it(tmp_path: Path):
    (tmp_path / "._a.tiro").write_text(game(1), encoding="utf-8")
    assert tiro("check", tmp_path / "._a.tiro").stdout.startswith("1 game, ")


@pytest.mark.parametrize("name", [b"bad\xff.tiro", b"new\nline.tiro", b"\x1b[31m.tiro"])
def test_names_need_not_be_text(tmp_path: Path, name: bytes):
    path = os.path.join(os.fsencode(tmp_path), name)
    latin = game(1).replace('[Event "', '[Event "J\udcfcrgen ').encode("utf-8", "surrogateescape")
    with open(path, "wb") as file:
        file.write(latin + b"\n" + latin)
    kept, tables = tmp_path.with_name(f"{tmp_path.name}-kept"), tmp_path.with_name(f"{tmp_path.name}-tables")
    done = tiro("check", "--resume", tmp_path / "s", "--keep-good", kept, tmp_path)
    assert done.exit_code == 0, done.output
    assert "warning[N102]" in done.stdout
    assert "note[A101]" in done.stdout
    assert [file.read_bytes().count(b"J\xfcrgen") for file in kept.rglob("*.tiro")] == [2]
    assert "unchanged: 2 games" in tiro("check", "--resume", tmp_path / "s", "--keep-good", kept, tmp_path).stderr
    assert tiro("export", tmp_path, "-o", tables).exit_code == 0
    assert '"games":2' in tiro("query", "-d", tables, "--format", "json",
                               "SELECT count(*) AS games FROM games").stdout.replace(" ", "")  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- the walk


def names(*paths: Path | str) -> list[str]:
    return [each.path for each in InputFiles(map(str, paths))]


def test_folders_patterns_and_files_give_each_file_once(tmp_path: Path):
    for name in ("b/x.tiro", "b/y.tiro.gz", "b/z.txt", "a/c/n.tiro", "a.zip"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    every = [str(tmp_path / name) for name in ("a.zip", "a/c/n.tiro", "b/x.tiro", "b/y.tiro.gz")]
    assert names(tmp_path) == every
    assert names(tmp_path, tmp_path / "b/x.tiro", tmp_path / "b") == every
    assert names(tmp_path / "b/x.tiro", tmp_path) == [every[2], every[0], every[1], every[3]]
    assert names(tmp_path / "**/*.tiro") == every[1:3]
    assert names(tmp_path / "b/*") == [every[2], every[3], str(tmp_path / "b/z.txt")]
    assert names(tmp_path / "*/x.tiro", tmp_path / "*/*/n.tiro", tmp_path / "a/c/n.tiro") == [every[2], every[1]]
    (tmp_path / "[1].tiro").write_bytes(b"")
    assert names(tmp_path / "[1].tiro") == [str(tmp_path / "[1].tiro")]


def test_a_pattern_that_fits_nothing_is_no_file():
    done = tiro("check", "no/such/*.tiro")
    assert (done.exit_code, done.stderr) == (2, "Error: no/such/*.tiro: there is no such file or folder\n")


# ------------------------------------------------------------------------------------------------------ what is damaged


def problems(folder: Path, jobs: int = 1) -> tuple[list[str], int]:
    """What can't be read in a folder, and how many games are legal all the same."""
    found = checked([folder], jobs)
    messages = [each.message for report in found for each in report.diagnostics if each.code == "N108"]
    return messages, sum(report.verdict == "legal" for report in found)


DAMAGED = {
    "torn.tiro.gz": (PACKED["a.tiro.gz"][:-900], "part of it is missing", range(1, 12)),
    "torn.tiro.zst": (PACKED["a.tiro.zst"][:-900], "", range(12)),
    "wrong.tiro.gz": (PACKED["a.tiro.gz"][:2000] + b"\0\1\2\3" * 9 + PACKED["a.tiro.gz"][2036:], "damaged", range(12)),
    "sum.tiro.gz": (PACKED["a.tiro.gz"][:-8] + bytes(8), "", range(12)),
    "no.zip": (b"PK\3\4" + bytes(100), "damaged (File is not a zip file)", range(1)),
    "torn.zip": (PACKED["a.zip"][:-30], "damaged (File is not a zip file)", range(1)),
    "member.zip": (PACKED["a.zip"].replace(b"one/a.tiro", b"xne/a.tiro", 1), "damaged", range(11, 12)),
    "torn.tar": (PACKED["a.tar"][:9000], "", range(1, 12)),
    "sum.tar": (PACKED["a.tar"][:148] + b"999999" + PACKED["a.tar"][154:], "part of it is damaged", range(12, 13)),
    "nothing.zip": (zipped({"a.txt": ""}), "there is no .tiro file in this archive", range(1)),
    "inner.tar": (tarred({"a.tiro": PACKED["a.zip"].decode("latin-1")}), "", range(1)),
    "within.zip": (zipped({"a.tiro": "PK\3\4"}), "an archive within an archive", range(1)),
    "thrice.tiro.gz": (gzip.compress(gzip.compress(gzip.compress(b""))), "compressed several times", range(1)),
}


@pytest.mark.parametrize(("name", "jobs"), crossed(DAMAGED, [1, 2]))
def test_what_is_damaged_is_told_and_the_rest_is_done(tmp_path: Path, name: str, jobs: int):
    data, reason, legal = DAMAGED[name]
    (tmp_path / "a.tiro").write_text(games(2, 50), encoding="utf-8")
    (tmp_path / name).write_bytes(data)
    (tmp_path / "z.tiro").write_text(games(2, 60), encoding="utf-8")
    messages, count = problems(tmp_path, jobs)
    if name != "inner.tar":  # that is text of some kind
        assert len(messages) == 1, messages
        assert reason in messages[0]
    assert count - 4 in legal
    done = tiro("check", "-j", jobs, tmp_path)
    assert done.exit_code in (1, 2)
    assert "Traceback" not in done.output


def test_a_game_that_is_torn_is_not_judged(tmp_path: Path):
    (tmp_path / "a.tiro.gz").write_bytes(PACKED["a.tiro.gz"][:-900])
    assert {each.verdict for each in checked([tmp_path])} == {"legal", "unreadable"}


@pytest.mark.parametrize("name", ["a.tiro.gz", "a.zip", "a.tar.gz", "a.tiro.zst"])
def test_a_bomb_does_not_go_off(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "FLOOR", 1 << 20)
    air = f"{game(1)}\n; " + " " * (40 << 20)
    make = {
        "a.tiro.gz": lambda: gzip.compress(air.encode()),
        "a.zip": lambda: zipped({"a.tiro": air, "b.tiro": air}),
        "a.tar.gz": lambda: tarred({"a.tiro": air, "b.tiro": air}, "w:gz"),
        "a.tiro.zst": lambda: zstandard.compress(air.encode()),
    }
    (tmp_path / name).write_bytes(make[name]())
    (tmp_path / "z.tiro").write_text(games(2, 60), encoding="utf-8")
    messages, legal = problems(tmp_path)
    assert messages
    assert all("more than 250 times its size" in each for each in messages)
    assert legal == 2


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such rights here")
def test_what_may_not_be_read_is_told(tmp_path: Path):
    """As somebody who is not root, whom no rights stop."""
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.tiro").write_text(games(2, len(name)), encoding="utf-8")
    (tmp_path / "secret.tiro").write_text(game(1), encoding="utf-8")
    (tmp_path / "torn.tiro.gz").write_bytes(b"\x1f\x8b")
    for each in (tmp_path / "closed", tmp_path / "secret.tiro"):
        each.chmod(0)
    for each in (tmp_path, *tmp_path.parents[:3]):
        if each.owner() != "root" or each == tmp_path:
            each.chmod(0o755)
    code = (
        "import os, sys\nfrom tironian.tools.cli.command_line import main\nos.chdir(sys.argv.pop())\n"
        "try:\n    main(['check', '-j', '1', 'open', 'torn.tiro.gz'])\nexcept SystemExit:\n    pass\n"
        "os.remove('torn.tiro.gz')\n"  # everything is loaded by now
        "if os.geteuid() == 0: os.setuid(65534)\nmain(['check', '-j', '1', '.'])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    for each in (tmp_path / "closed", tmp_path / "secret.tiro"):
        each.chmod(0o700)
    assert done.returncode == 2, done.stderr
    assert "error[N108]: this can't be read: permission denied\n --> ./closed:1:1" in done.stdout
    assert "error[N108]: this can't be read: permission denied\n --> ./secret.tiro:1:1" in done.stdout
    assert ": 2 legal; no game in 2 texts; " in done.stdout
    assert "Traceback" not in done.stderr


# ------------------------------------------------------------------------------------------------------------- links


UNTIDY = games(1).replace("\n1E ", "\n1E    ")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """``in`` with a file, and with links to it, to a file outside, and to a folder outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("in", "out"):
        Path(name).mkdir()
        Path(name, "a.tiro").write_text(UNTIDY, encoding="utf-8")
    Path("in/inner.tiro").symlink_to("a.tiro")
    Path("in/outer.tiro").symlink_to(tmp_path / "out/a.tiro")
    Path("in/way").symlink_to(tmp_path / "out")
    return tmp_path


def test_fmt_follows_no_link_out_of_a_folder(folder: Path):
    done = tiro("fmt", "in")
    assert done.exit_code == 0
    assert "in/outer.tiro: a link out of in is not followed" in done.stderr
    assert Path("out/a.tiro").read_text(encoding="utf-8") == UNTIDY
    assert Path("in/a.tiro").read_text(encoding="utf-8") != UNTIDY
    assert tiro("fmt", "in/outer.tiro").exit_code == 0
    assert Path("out/a.tiro").read_text(encoding="utf-8") != UNTIDY
    assert Path("in/outer.tiro").is_symlink()


def test_check_follows_no_link_out_of_a_folder(folder: Path):
    done = tiro("check", "-j", "1", "in")
    assert done.exit_code == 2
    assert "in/outer.tiro" in done.output
    assert "a link out of the folder" in done.output
    assert "2 legal" in done.output
    assert tiro("check", "-j", "1", "in/outer.tiro").exit_code == 0


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("command", ["simulate", "convert in/a.tiro", "votes in/a.tiro --format dot"])
def test_nothing_is_made_where_a_link_points_nowhere(folder: Path, command: str, force: tuple[str, ...]):
    Path("link").symlink_to(folder / "victim")
    done = tiro(*command.split(), "-o", "link", *force)
    assert done.exit_code == 2
    assert "link: this is a dangling link" in done.stderr
    assert not Path("victim").exists()
    assert Path("link").is_symlink()
