"""A club's folder: copies of it while it is served, and a disk that is full for a while."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from imports import ROOT
from test_club_reach import run
from test_club_server import OWN, Said, asked, begin, files, send, served, state, tables, tapped, taps
from tironian.tools.cli.club import club as command
from tironian.tools.club.folder import back_up
from tironian.tools.club.server import TOKEN
from tironian.tools.event.changes import EventJournal, standing_changes
from tironian.tools.storage import CannotRun

pytestmark = pytest.mark.process


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return Path(copytree(ROOT / "examples/event", tmp_path / "open"))


def test_a_copy_that_is_made_while_taps_come_has_every_confirmed_one_and_can_be_served(event: Path, tmp_path: Path):
    confirmed, enough, ended = 0, threading.Event(), threading.Event()
    with served(event) as club:
        token = asked(club, tables(club)[0])["token"]
        own = tapped(begin(club, token), 60) + 400 * [{"tap": "undo"}]

        def send_all() -> None:
            nonlocal confirmed
            while confirmed < len(own) and not ended.is_set():
                confirmed = json.loads(taps(club, token, confirmed, own[confirmed : confirmed + 1]).text)["kept"]
                if confirmed == 40:
                    enough.set()
                if not confirmed % 10:
                    send(club, "/")  # the record is written

        sending = threading.Thread(target=send_all)
        sending.start()
        enough.wait()
        for number in range(3):
            before = confirmed
            back_up(event, tmp_path / f"copy{number}")
            with served(tmp_path / f"copy{number}") as copied:
                there = state(copied, token)["journal"]["taps"]
                assert len(there) >= before
                assert there == own[: len(there)]
                assert send(copied, "/").status == 200
        ended.set()
        sending.join()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_copy_is_that_of_the_folder_without_what_is_of_the_moment(event: Path, tmp_path: Path):
    (event / "notes").mkdir()
    (event / "notes" / "hall.txt").write_text("Table 3 rocks.")
    (event / ".round.abcdefgh.tironian").write_text("half of a rec")
    before = files(event)
    said = CliRunner().invoke(command, [str(event), "--backup", str(tmp_path / "copy")])
    assert said.exit_code == 0, said
    assert "copy" in said.output
    copied = files(tmp_path / "copy")
    assert copied == {name: text for name, text in before.items() if "tironian" not in name} | {
        "originals/journal.jsonl": b""
    }
    with served(event) as club:
        asked(club, tables(club)[0])
        back_up(event, tmp_path / "with-devices")
    assert {"club.sqlite"} == files(tmp_path / "with-devices").keys() - copied.keys()


def test_no_copy_replaces_anything_or_is_left_half_done(event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    before = files(tmp_path)
    for out in ("there", "file", "link", "open/inside", "open", "none/copy"):
        with pytest.raises(CannotRun, match=out):
            back_up(event, tmp_path / out)
    monkeypatch.setattr("tironian.tools.club.folder._TRIES", 2)
    with EventJournal(str(event)), pytest.raises(CannotRun, match="another program"):
        back_up(event, tmp_path / "copy")
    (event / "round1" / "table1.tiro").unlink()
    os.mkfifo(event / "round1" / "table1.tiro")
    with pytest.raises(CannotRun, match="pipe"):
        back_up(event, tmp_path / "copy")
    (event / "round1" / "table1.tiro").unlink()
    left = {name for name in files(tmp_path) if "journal" not in name}
    assert left == before.keys() - {"open/round1/table1.tiro"}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@contextmanager
def full(process: int) -> Iterator[None]:
    """A disk on which a process can't make a file any longer."""
    resource = pytest.importorskip("resource")
    before = resource.prlimit(process, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    yield
    resource.prlimit(process, resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets limits for another process")
def test_on_a_full_disk_each_address_says_so_and_goes_on_afterwards(event: Path, tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    with run(event, home) as (process, (organiser, everybody)):
        club, key = everybody.removesuffix("/"), urlsplit(organiser).fragment.removeprefix("key=")
        mine, other, late, *_ = tables(club)
        token, waiting, begins = asked(club, mine)["token"], asked(club, mine)["token"], asked(club, late)["token"]
        own = tapped(begin(club, token), 60)
        assert taps(club, token, 0, own[:20]).text == '{"kept":20}'
        view = send(club, "/organiser/view", **{TOKEN: key}).text.partition('class="entry"')[2]
        first = view.partition('data-key="')[2]
        entry, seen = first.partition('"')[0], first.partition('data-seen="')[2].partition('"')[0]

        def act(what: str, number: str, seen: str = "") -> Said:
            body = {"what": what, "key": number, "seen": seen, "value": ""}
            return send(club, "/organiser/act", "POST", json.dumps(body).encode(), **{TOKEN: key})

        asks: dict[str, Any] = {
            "page": lambda: send(club, "/"),
            "view": lambda: send(club, "/organiser/view", **{TOKEN: key}),
            "frame": lambda: send(club, "/organiser"),
            "refuse": lambda: act("refuse", entry, seen),
            "admit": lambda: act("admit", "2"),
            "ask": lambda: send(club, "/table/ask", "POST", json.dumps({"pairing": other}).encode()),
            "begin": lambda: send(club, "/table/begin", "POST", b'{"who": "table", "starts": ""}', **{TOKEN: begins}),
            "screen": lambda: send(club, "/table/screen", **{TOKEN: token}),
            "state": lambda: send(club, "/table/state", **{TOKEN: token}),
            "taps": lambda: taps(club, token, 20, own[20:]),
        }
        assert asks["screen"]().status == 200, "its process has begun"
        before = files(event)
        with full(process.pid):
            said = {name: ask() for name, ask in asks.items()}
        assert {name: each.status for name, each in said.items()} == {
            "page": 503, "view": 200, "frame": 200, "refuse": 503, "admit": 503, "ask": 503, "begin": 507,
            "screen": 200, "state": 200, "taps": 507,
        }  # fmt: skip
        for name, each in said.items():
            assert each.status == 200 or (each.text.strip() and "Error" not in each.text), (name, each)
        changed = {name for name, text in files(event).items() if before.get(name) != text}
        assert changed <= {"club.sqlite-wal", "club.sqlite-shm", "originals/journal.jsonl"}, "of that, half a line"
        assert len(state(club, token)["journal"]["taps"]) == 20
        again = {name: ask() for name, ask in asks.items()}
        assert {each.status for each in again.values()} == {200}, again
        assert state(club, token)["journal"]["taps"] == own
        assert state(club, waiting)["state"] == "admitted"
        assert len(standing_changes(str(event))) == 1
    with served(event) as club:
        assert state(club, token)["journal"]["taps"] == own
        assert send(club, "/organiser/view", **{TOKEN: OWN}).status == 200
