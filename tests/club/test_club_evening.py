"""An evening of a club as a whole: servers that are killed, devices that die, and editors, clocks and networks that
don't behave. What was confirmed is there once, and the folder says what the page says.
"""

from __future__ import annotations

import json
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from shutil import copytree
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import pytest
from imports import ROOT
from scale import scaled
from tapping import begun, written_by
from tapping import tapped as tapped_from
from test_club_reach import line
from test_club_server import OWN, Clock, act, asked, begin, files, send, served, state, tapped, taps
from test_club_table import key_of
from tironian.tools.club.server import TOKEN
from tironian.tools.club.store import ClubStore
from tironian.tools.club.tables import STORE
from tironian.tools.desk.desk import Desk

pytestmark = pytest.mark.process


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """An event whose last round has not been played."""
    folder = Path(copytree(ROOT / "examples/event", tmp_path / "open"))
    for path in (folder / "round3").iterdir():
        path.unlink()
    return folder


@cache
def game(seed: int) -> tuple[str, list[Any]]:
    """Who begins a simulated game, where that is open, and its taps."""
    record = written_by("table", "2024", seed)
    return record.header("Starts") or "", [*tapped_from(begun(record, "table"), record)]


# ------------------------------------------------------------------------------------------------- kills and deaths


class Device:
    """A device as desk/record.js and desk/sent.js have it: it keeps each tap first, then sends it by its number. It
    sends an unanswered one again; all from the beginning after it was restarted, and where the server lacks one.
    """

    def __init__(self, pairing: str, seed: int) -> None:
        self.pairing, (self.starts, self.game) = pairing, game(seed)
        self.token, self.has_begun, self.confirmed = "", False, 0
        self.own: list[Any] = []
        self.restart()

    def restart(self) -> None:
        """Forget everything but what is kept."""
        self.kept, self.is_new, self.screens = 0, True, 0

    def lose_store(self) -> None:
        """Lose the taps, too, but not the token."""
        self.own, self.has_begun = [], False
        self.restart()

    def lose_all(self) -> None:
        self.token, self.confirmed = "", 0
        self.lose_store()

    def question(self) -> tuple[str, str, Any]:
        """What it asks next."""
        if not self.token:
            return "POST", "/table/ask", {"pairing": self.pairing}
        if not self.has_begun:
            return "GET", "/table/state", None
        if self.screens:
            return "GET", "/table/screen", None
        if self.is_new:
            return "POST", "/table/taps", {"first": 0, "taps": self.own}
        if self.kept == len(self.own) < len(self.game):
            self.own.append(self.game[self.kept])
        return "POST", "/table/taps", {"first": self.kept, "taps": self.own[self.kept :][:1]}

    def told(self, path: str, sent: Any, said: Any) -> tuple[str, str, Any] | None:
        """Learn from an answer; what else it asks then."""
        if path == "/table/ask":
            self.token = said["token"]
        elif path == "/table/state":
            if said["state"] != "admitted":
                return "POST", "/organiser/act", {"what": "admit", "key": str(said["device"]), "seen": "", "value": ""}
            if said["journal"] is None:
                return "POST", "/table/begin", {"who": "table", "starts": self.starts}
            self.own, self.has_begun = said["journal"]["taps"], True
            assert len(self.own) >= self.confirmed
            assert self.own == self.game[: len(self.own)]
        elif path == "/table/taps":
            self.kept = said["kept"]
            self.is_new = self.kept < sent["first"] + len(sent["taps"])
            self.screens = 0 if self.is_new or self.kept % 9 else 1
            assert self.kept >= self.confirmed, "what was confirmed is there"
            self.confirmed = self.kept
        elif path == "/table/screen":
            self.screens = 0
            assert "screen" in said
        return None


class Server:
    """A club as a process, which is killed and started again at the same address."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home, self.port = folder, home, free_port()
        self.start()

    def start(self) -> None:
        options = line(self.folder, self.home, "--port", str(self.port))
        self.process = subprocess.Popen(**options, stdout=subprocess.PIPE)
        assert self.process.stdout
        organiser, everybody = [self.process.stdout.readline().split()[1] for _ in range(2)]
        self.key, self.address = urlsplit(organiser).fragment.removeprefix("key="), everybody.removesuffix("/")

    def kill(self) -> None:
        """Kill it, and wait until nothing of it is left: its processes have its output, too."""
        self.process.kill()
        self.process.communicate()
        assert self.process.returncode == -signal.SIGKILL

    def send(self, token: str, method: str, path: str, body: Any = None, part: float = 1) -> socket.socket:
        """Send a request, or a part of it."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(data)}"]
        lines += [f"Origin: {self.address}"] * (method == "POST")
        lines += [f"{TOKEN}: {self.key if path.startswith('/organiser') else token}", "Connection: close", "", ""]
        whole = "\r\n".join(lines).encode() + data
        there = socket.create_connection(("127.0.0.1", self.port))
        there.sendall(whole[: int(len(whole) * part)])
        return there


def free_port() -> int:
    """A port that no connection is given by chance while the server is away."""
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port


def answer(there: socket.socket) -> bytes | None:
    """The body of an answer; None if it did not come, or not whole."""
    with there:
        got = b""
        try:
            while more := there.recv(1 << 16):
                got += more
        except ConnectionError:
            return None
    head, _, body = got.partition(b"\r\n\r\n")
    if not (length := re.search(rb"(?i)content-length: (\d+)", head)) or len(body) < int(length[1]):
        return None
    assert head.split()[1] == b"200", got
    return body


def ask(server: Server, device: Device, asked: tuple[str, str, Any] | None = None) -> None:
    """Let a device ask once, and what follows from the answer."""
    while asked := asked or device.question():
        body = answer(server.send(device.token, *asked))
        assert body is not None
        if (asked := device.told(*asked[1:], json.loads(body))) is None:
            return


def ask_in_vain(server: Server, devices: list[Device], chance: random.Random) -> None:
    """Let devices ask at once, and kill the server while it answers, or while it reads what comes in halves."""
    asking = [(each, each.question()) for each in devices]
    parts = [chance.choice((1, 1, 1, 0.5, 0)) for _ in asking]
    on_the_way = [server.send(each.token, *ask, part) for (each, ask), part in zip(asking, parts, strict=True)]
    look = server.send("", "GET", chance.choice(("/", "/organiser/view"))) if chance.random() < 0.3 else None
    said: dict[int, bytes | None] = {}
    if 1 in parts and chance.random() < 0.7:  # killed at the moment at which one of them was answered
        first = parts.index(1)
        said[first] = answer(on_the_way[first])
    server.kill()
    for place, (device, (_, path, sent)) in enumerate(asking):
        body = said[place] if place in said else answer(on_the_way[place])
        if body is not None:
            device.told(path, sent, json.loads(body))
    if look:
        look.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing can be killed like that on this system")
def test_kills_and_deaths_lose_nothing_and_double_nothing(event: Path, tmp_path: Path):
    chance, kills, deaths = random.Random(7), scaled(6, 200), scaled(4, 50)
    devices = [Device(key_of(place), place) for place in range(scaled(2, 4))]
    lost: list[tuple[str, int, list[Any]]] = []
    late: list[tuple[str, tuple[str, str, Any]]] = []
    server = Server(event, tmp_path)
    while kills or deaths:
        for _ in range(chance.randrange(5)):
            device = chance.choice(devices)
            late.append((device.token, device.question()))
            ask(server, device)
        if kills:
            ask_in_vain(server, chance.sample(devices, chance.randrange(1, len(devices) + 1)), chance)
            server.start()
            kills -= 1
        token, question = chance.choice(late or [("", ("GET", "/", None))])
        if question[1] == "/table/taps":  # it comes a second time, much later
            assert answer(server.send(token, *question)) is not None
        if deaths:
            deaths -= 1
            dying = chance.choice(devices)
            if deaths % 10 == 3:
                lost.append((dying.token, dying.confirmed, dying.game))
                dying.lose_all()
            else:
                chance.choice((dying.restart, dying.lose_store))()
    for device in devices:
        while not device.has_begun:
            ask(server, device)
        device.own = device.game  # the rest is tapped without a network
        device.restart()
        ask(server, device)
        assert device.kept == device.confirmed == len(device.game)
    view = shown(answer(server.send("", "GET", "/organiser/view")))
    expected = {}
    for device in devices:
        said = json.loads(answer(server.send(device.token, "GET", "/table/state")) or b"")
        assert said["journal"]["taps"] == device.game
        expected[said["device"]] = Desk.of(said["journal"]).kept[0]
    for token, confirmed, tapped_there in lost:
        said = json.loads(answer(server.send(token, "GET", "/table/state")) or b"{}") if token else {}
        if journal := said.get("journal"):
            assert journal["taps"] == tapped_there[: max(confirmed, len(journal["taps"]))]
            expected[said["device"]] = Desk.of(journal).kept[0]
    server.kill()
    with ClubStore(event / STORE) as store:
        written = {device.number: (event / kept[0]).read_text(encoding="utf-8")
                   for device in store.devices() if (kept := store.written(device.number))}  # fmt: skip
        assert [each for each in store.devices() if store.contradicting(each.number)] == []
    assert expected.items() <= written.items()
    assert [name for name in files(event) if "tironian" in name or name.endswith(".part")] == []
    assert told_by_line(event) == view
    assert ("Livia", "Tullia") in {names for names, _, winner in view if winner}


Result: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], str]
"""The players of a game, their points, and who won."""


def shown(page: bytes | None) -> set[Result]:
    """The games on the organiser's page."""
    assert page is not None
    side = r'<p class="(won)?">.*?<bdi>(.*?)</bdi>.*?<span class="points">(\d*)</span></p>'
    found = set[Result]()
    sides = iter(re.findall(side, unescape(page.decode())))
    for (one, name, points), (two, other, more) in zip(sides, sides, strict=True):
        found.add(((name, other), (points, more), name if one else other if two else ""))
    return found


def told_by_line(event: Path) -> set[Result]:
    """The same from the command."""
    command = [sys.executable, "-m", "tironian.tools.cli", "event", str(event), "--format", "json"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    found = set[Result]()
    for each in said["games"]:
        points = tuple(map(str, each["points"] or ("", "")))
        found.add(((each["caesar"], each["cleopatra"]), points, each.get(each["winner"] or "", "")))
    return found


# --------------------------------------------------------------------------------- editors, clocks and a bad network


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def club(event: Path, clock: Clock) -> Iterator[str]:
    with served(event, clock=clock) as address:
        yield address


def view(club: str) -> str:
    return send(club, "/organiser/view", **{TOKEN: OWN}).text


def record(event: Path, table: int, more: str = "") -> Path:
    return event / f"round3/table{table}{more}.tiro"


def recording(club: str, place: int, who: str = "table") -> tuple[str, list[Any]]:
    """A device that has begun the game of a table; its token and what it will tap."""
    token = asked(club, key_of(place))["token"]
    return token, tapped(begin(club, token, who), 60)


def test_an_editor_changes_the_folder_while_tables_record(club: str, event: Path):
    (token, own), (other, others) = recording(club, 0), recording(club, 1)
    for each, sent in ((token, own), (other, others)):
        assert taps(club, each, 0, sent[:30]).text == '{"kept":30}'
    assert "changed elsewhere" not in view(club)
    plan, theirs = event / "event.toml", record(event, 1).read_bytes() + b"% by an editor\n"
    was = plan.read_text(encoding="utf-8")
    plan.write_text(was.replace('"Gaius"', '"Gaius the Elder"'), encoding="utf-8")
    record(event, 1).write_bytes(theirs)
    for each, sent in ((token, own), (other, others)):
        assert taps(club, each, 30, sent[30:]).text == '{"kept":60}'
        assert send(club, "/table/screen", **{TOKEN: each}).status == 200
    send(club, "/")  # a guest looks first: it is not told
    for _ in range(2):
        told = view(club)
        assert "round3/table1.tiro was changed elsewhere and stays; the record is in round3/table1.ours-1.tiro" in told
        assert "device 2 records could not be written: its game is no longer in event.toml" in told
    assert record(event, 1).read_bytes() == theirs
    assert record(event, 1, ".ours-1").read_text(encoding="utf-8") == whole(club, token)
    plan.write_text(was, encoding="utf-8")
    assert "no longer in event.toml" not in view(club)
    assert record(event, 2).read_text(encoding="utf-8") == whole(club, other)


def whole(club: str, token: str) -> str:
    """The record of a device, from its journal."""
    return Desk.of(state(club, token)["journal"]).kept[0]


def test_an_hour_without_a_network(club: str, event: Path, clock: Clock):
    token, own = recording(club, 0)
    assert taps(club, token, 0, own[:20]).text == '{"kept":20}'
    clock.now += 3600
    with ClubStore(event / STORE) as store:
        assert [each.seen for each in store.devices()] == [0]
    assert taps(club, token, 0, own).text == '{"kept":60}'
    with ClubStore(event / STORE) as store:
        assert [(each.asked, each.seen) for each in store.devices()] == [(0, 3600)]
    assert state(club, token)["journal"]["taps"] == own
    assert send(club, "/").status == 200
    assert record(event, 1).read_text(encoding="utf-8") == whole(club, token)


@pytest.mark.parametrize("off", [-3_600_000, 3_600_000])
def test_a_clock_that_is_an_hour_off_changes_nothing_but_the_times(club: str, event: Path, off: int):
    """Of two devices of a game in tournament mode, which note when the page was left."""
    (token, own), other = recording(club, 0, "caesar"), asked(club, key_of(0))
    assert act(club, "admit", str(other["device"])).status == 200
    begin(club, other["token"], "caesar")
    own[20:20] = [{"tap": "left"}, {"tap": "back"}]
    timed = [tap | {"at": 1_770_000_000_000 + 1000 * number} for number, tap in enumerate(own)]
    shifted = [tap | {"at": tap["at"] + off} for tap in timed]
    for each, sent in ((token, timed), (other["token"], shifted)):
        assert taps(club, each, 0, sent).text == f'{{"kept":{len(own)}}}'
        assert state(club, each)["journal"]["taps"] == sent
    view(club)
    assert record(event, 1).read_bytes() == record(event, 1, "-device2").read_bytes()
    one, two = (
        json.loads(send(club, "/table/screen", **{TOKEN: each}).text)["screen"] for each in (token, other["token"])
    )
    assert [(each["from"] + off, each["to"] + off) for each in one["away"]] == [
        (each["from"], each["to"]) for each in two["away"]
    ]
    assert {**one, "away": []} == {**two, "away": []}
