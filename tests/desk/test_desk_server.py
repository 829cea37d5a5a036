"""The installed engine answers the pages of the desk: as a worker does, each page by itself, and nobody else."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import multiprocessing
import os
import random
import signal
import socket
from base64 import b64decode
from collections.abc import Collection, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from desk_server import KEY, local_desk
from imports import ROOT
from scale import scaled
from tironian import load_edition, simulate, write
from tironian.tools.desk.folder import GameFolder
from tironian.tools.desk.serving.answering import ALLOWED
from tironian.tools.desk.serving.pages import MAX_PAGES, PROOF, SESSION, WAITING
from tironian.tools.desk.worker import DeskSession

pytestmark = pytest.mark.process

EXAMPLE = (ROOT / "examples/2024/annotated.tiro").read_bytes()
BROKEN = (ROOT / "examples/broken/card-not-in-hand.tiro").read_text(encoding="utf-8")
OPENING = [{"tap": "card", "of": "E", "card": "1", "face": "up"}, {"tap": "group", "group": "C"}, {"tap": "undo"}]
JOURNAL = {"desk": 1, "start": {"rules": "2024", "view": "table", "headers": {}}, "taps": OPENING[:1]}
EVENT = {
    str(path.relative_to(ROOT / "examples/event")): path.read_bytes()
    for path in sorted((ROOT / "examples/event").rglob("*"))
    if path.suffix in (".toml", ".tiro")
}
Question = tuple[dict[str, Any], bytes]


def questions(kind: str) -> list[Question]:
    """What a page of each kind asks, one after the other."""
    text = EXAMPLE.decode()
    name = next(name for name in EVENT if name.endswith(".tiro"))
    asked: dict[str, list[Question]] = {
        "desk": [
            ({"ask": "played"}, b""), ({"ask": "open", "game": "a", "journal": JOURNAL}, b""),
            *(({"ask": "take", "game": "a", "tap": tap}, b"") for tap in OPENING[1:]),
            ({"ask": "close", "game": "a"}, b""), ({"ask": "take", "game": "a", "tap": OPENING[0]}, b""),
            ({"ask": "keep", "game": "a"}, b""), ({"ask": "games"}, b""), ({"ask": "journal", "game": "a"}, b""),
            ({"ask": "go on", "name": "own.tiro"}, b""),
        ],
        "check": [
            ({"ask": "more"}, b""), ({"ask": "check", "name": "a.tiro"}, EXAMPLE), ({"ask": "more"}, b""),
            ({"ask": "repair", "name": "a.tiro", "text": BROKEN}, b""),
            ({"ask": "join", "name": "a.tiro", "logs": [{"name": each, "text": text} for each in "ab"]}, b""),
            ({"ask": "alike", "logs": [{"name": each, "text": text} for each in "ab"]}, b""),
            ({"ask": "complete", "text": '[Rules "2024"]\n1E 3'}, b""), ({"ask": "record", "journal": JOURNAL}, b""),
            ({"ask": "put", "name": "own.tiro", "text": text}, b""),
        ],
        "library": [
            ({"ask": "check", "name": "a.tiro"}, EXAMPLE), ({"ask": "zip"}, json.dumps([["a.tiro", "x"]]).encode()),
            ({"ask": "journals"}, b"no zip"), ({"ask": "record", "journal": JOURNAL}, b""),
            ({"ask": "open", "game": "a", "journal": JOURNAL}, b""), ({"ask": "keep", "game": "a"}, b""),
            ({"ask": "close", "game": "a"}, b""), ({"ask": "games"}, b""), ({"ask": "journal", "game": "a"}, b""),
            ({"ask": "put", "name": "own.tiro", "text": text}, b""), ({"ask": "folder"}, b""), ({"ask": "more"}, b""),
        ],
        "look": [
            *(({"ask": "look", "text": text, "view": view}, b"") for view in ("caesar", "arbiter")),
            ({"ask": "journal", "game": "a"}, b""), ({"ask": "text", "name": "own.tiro", "place": 0}, b""),
        ],
        "play": [
            ({"ask": "played"}, b""), ({"ask": "play", "game": "0" * 16, "made": 1, "tap": OPENING[0]}, b""),
            ({"ask": "check", "name": "a.tiro", "text": text}, b""),
            ({"ask": "put", "name": "own.tiro", "text": text}, b""),
            ({"ask": "text", "name": "own.tiro", "place": 0}, b""),
        ],
        "train": [
            ({"ask": "trained"}, b""), ({"ask": "train", "player": "Livia", "new": 3}, b""),
        ],
        "event": [
            ({"ask": "event told"}, b""), ({"ask": "event", "name": "open"}, b""),
            *(({"ask": "event file", "name": name}, data) for name, data in EVENT.items()),
            ({"ask": "event told"}, b""), ({"ask": "event text", "name": name}, b""),
        ],
    }  # fmt: skip
    return asked[kind]


class Said(NamedTuple):
    """What a server has said."""

    status: int
    text: str


class Asking:
    """Somebody who asks a desk, as a page does or otherwise."""

    def __init__(self, address: str, kind: str = "", key: str = KEY) -> None:
        self.host = urlsplit(address).netloc
        self.own: dict[str, str] = {"Origin": f"http://{self.host}"}
        if kind:
            self.own |= {SESSION: self.begun(kind, key)["session"]}

    def send(self, path: str, body: bytes = b"", method: str = "POST", **headers: str) -> Said:
        sent = {**self.own, **{name.replace("_", "-"): value for name, value in headers.items()}}
        with closing(http.client.HTTPConnection(self.host)) as connection:
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.request(method, path, body, {name: value for name, value in sent.items() if value})
            answer = connection.getresponse()
            return Said(answer.status, answer.read().decode())

    def number(self, kind: str = "desk") -> str:
        return json.loads(self.send("/session", kind.encode()).text)["number"]

    def begun(self, kind: str, key: str = KEY, number: str = "") -> dict[str, str]:
        number = number or self.number(kind)
        code = hmac.new(key.encode(), number.encode(), hashlib.sha256).hexdigest()
        return json.loads(self.send("/session", kind.encode(), **{PROOF: f"{number}.{code}"}).text)

    def ask(self, message: dict[str, Any], data: bytes = b"") -> str:
        said = self.send("/ask", json.dumps(message).encode() + b"\n" + data)
        assert said.status == 200, said
        return said.text.lstrip(" ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "own.tiro").write_bytes(EXAMPLE)
    return folder


@pytest.fixture(scope="module", params=[False, True], ids=["browser", "folder"])
def kept(request: pytest.FixtureRequest, folder: Path) -> Path | None:
    """Where the desk keeps games, unless the browser does."""
    return folder if request.param else None


@pytest.fixture(scope="module")
def desk(kept: Path | None) -> Iterator[str]:
    with local_desk(folder=kept) as address:
        yield address


def answered(asked: list[Question], folder: Path | None = None) -> list[str]:
    """What a worker answers."""
    session = DeskSession(folder and GameFolder(folder))
    return [session.answer(json.dumps(message), data) for message, data in asked]


def untimed(answer: str) -> Any:
    """An answer, with the files of a zip in its place: it has the time at which it was made."""
    said = json.loads(answer)
    if "zip" not in said:
        return said
    with ZipFile(BytesIO(b64decode(said["zip"]))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("kind", ALLOWED)
def test_every_question_is_answered_as_by_a_worker(desk: str, kept: Path | None, kind: str):
    asked = questions(kind)
    assert {message["ask"] for message, _ in asked} | {"check", "more", "record"} >= ALLOWED[kind]
    page = Asking(desk, kind)
    assert [*map(untimed, (page.ask(*each) for each in asked))] == [*map(untimed, answered(asked, kept))]
    assert page.send("/session", method="DELETE").status == 204
    assert page.send("/ask", b"{}\n").status == 410


@pytest.mark.parametrize("kind", ALLOWED)
def test_a_page_may_ask_nothing_else(desk: str, kind: str):
    page = Asking(desk, kind)
    for other in {*ALLOWED["desk"].union(*ALLOWED.values()), "sing", ""} - ALLOWED[kind]:
        assert page.send("/ask", json.dumps({"ask": other, "game": "a"}).encode() + b"\n").status == 403


@pytest.mark.parametrize("seed", range(scaled(2, 40)))
def test_pages_that_ask_at_the_same_time_get_nothing_of_each_other(desk: str, kept: Path | None, seed: int):
    """Each page's answers are those that it gets alone, whatever the other one asks in between."""
    chance = random.Random(seed)
    texts = [write(simulate(load_edition("2024"), seed * 2 + each)) for each in (0, 1)]
    kinds = chance.choices(("check", "event", "desk"), k=2)
    asked = []
    for kind, text in zip(kinds, texts, strict=True):
        own = [({"ask": "check", "name": "own.tiro", "text": text}, b"")] if kind == "check" else []
        asked.append([*questions(kind), *own])
    pages = [Asking(desk, kind) for kind in kinds]
    got: list[list[str]] = [[], []]
    while any(len(got[each]) < len(asked[each]) for each in (0, 1)):
        each = chance.choice([each for each in (0, 1) if len(got[each]) < len(asked[each])])
        got[each].append(pages[each].ask(*asked[each][len(got[each])]))
    assert got == [answered(each, kept) for each in asked]
    for page in pages:
        page.send("/session", method="DELETE")


def test_nobody_is_answered_without_the_key(desk: str):
    for key in ("", KEY[:-1], KEY.upper()):
        assert "session" not in Asking(desk).begun("desk", key)
    stranger = Asking(desk)
    number = stranger.number()
    assert "session" in stranger.begun("desk", number=number)
    assert "session" not in stranger.begun("desk", number=number), "a number counts once"
    assert "session" not in stranger.begun("desk", number="made up")
    assert stranger.send("/ask", b'{"ask": "open"}\n').status == 410
    first = stranger.number()
    for _ in range(WAITING):
        stranger.number()
    assert "session" not in stranger.begun("desk", number=first), "numbers take a bounded room"


def test_another_site_or_another_name_of_this_machine_is_refused(desk: str):
    page = Asking(desk, "desk")
    own = urlsplit(desk).netloc
    question = b'{"ask": "close", "game": "a"}\n'
    for origin in (
        "https://evil.example",
        "null",
        f"https://{own}",
        f"http://{own}.evil.example",
        f"http://{own}/",
        "",
    ):
        assert page.send("/ask", question, Origin=origin).status == 403
        assert page.send("/session", b"desk", Origin=origin).status == 403
    for host in ("evil.example", own.replace("127.0.0.1", "evil.example"), "127.0.0.1", "", f"{own}1"):
        assert page.send("/", method="GET", Host=host or "x").status == 403
        assert page.send("/ask", question, Host=host or "x").status == 403
    for method in ("PUT", "PATCH", "OPTIONS", "DELETE"):
        assert page.send("/ask", question, method=method).status in (403, 404, 405)
    assert page.send("/", method="GET", Origin="").status == 200
    assert page.ask({"ask": "close", "game": "a"}) == "{}"


def test_files_are_those_of_the_desk_alone(desk: str):
    reader = Asking(desk)
    for name in ("/..", "/../desk-key", "/%2e%2e/desk-key", "//etc/passwd", "/desk.js/", "/tironian.zip", "/x" * 2000):
        assert reader.send(name, method="GET").status == 404
    assert "unregister" in reader.send("/sw.js", method="GET", If_Modified_Since="Sun, 29 Nov 2037 00:00:00 GMT").text


def signalled(number: int, but: Collection[Any] = ()) -> None:
    """Send a signal to all processes that answer, but to some."""
    for child in multiprocessing.active_children():
        if child not in but:
            os.kill(child.pid or 0, number)
            if number == signal.SIGKILL:
                child.join()


def test_a_question_that_never_ends_costs_itself_alone():
    """Its process is stopped by a signal in the middle of its work; for the server that is one that never ends."""
    others, asked = multiprocessing.active_children(), questions("desk")
    hangs = json.dumps(asked[1][0]).encode() + b"\n"
    with local_desk(timeout=0.1) as address:
        hung = Asking(address, "desk")
        hung.ask(*asked[0])
        signalled(signal.SIGSTOP, others)
        assert hung.send("/ask", hangs) == Said(200, "")
        signalled(signal.SIGCONT, others)  # the process that waits for the next page was stopped as well
        assert hung.send("/ask", hangs) == Said(200, ""), "its process is gone"


def test_a_process_that_is_killed_costs_its_question_alone():
    others, asked = multiprocessing.active_children(), questions("desk")
    with local_desk() as address:
        page = Asking(address, "check")
        assert page.ask({"ask": "more"})
        signalled(signal.SIGKILL, others)
        assert page.send("/ask", b'{"ask": "more"}\n') == Said(200, "")
        next_one = Asking(address, "desk")
        assert [next_one.ask(*each) for each in asked] == answered(asked)


def test_one_page_too_many_takes_the_place_of_the_one_that_was_silent_for_longest(desk: str):
    pages = [Asking(desk, "desk") for _ in range(MAX_PAGES)]
    for page in pages:
        page.ask(*questions("desk")[0])
    more = Asking(desk, "desk")
    assert more.ask(*questions("desk")[0]) == answered(questions("desk")[:1])[0]
    gone = [page for page in pages if page.send("/ask", b'{"ask": "close", "game": "a"}\n').status == 410]
    assert gone == pages[:1]


def hostile(chance: random.Random, page: Asking) -> Said:
    """Send something that no page sends."""
    message, data = chance.choice([each for kind in ALLOWED for each in questions(kind)])
    text = bytearray(json.dumps(message).encode() + b"\n" + data)
    for _ in range(chance.choice((0, 1, 3, 50))):
        text[chance.randrange(len(text))] = chance.randrange(256)
    del text[chance.choice((len(text), chance.randrange(len(text)))) :]
    body = bytes(
        chance.choice((text, b"[" * 5000 + text, b"\xff" + text, b"", b'{"ask": ["open"]}', b'{"ask": 9e999}'))
    )
    headers = chance.choice(
        ({}, {"Content-Type": "x" * 3000}, {PROOF: "." * 500}, {SESSION: "\xe9"}, {"Origin": "null"})
    )
    path = chance.choice(("/ask", "/ask", "/ask", "/session", "/", "/ask/", "/nowhere"))
    return page.send(path, body, chance.choice(("POST", "POST", "POST", "GET", "DELETE")), **headers)


def test_hostile_messages_are_refused_in_peace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """None brings a 5xx or writes a file, and a page that asks afterwards is answered."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(7)
    with local_desk() as address:
        page = Asking(address, "check")
        for _ in range(scaled(200, 10_000)):
            said = hostile(chance, page)
            assert said.status in (200, 204, 400, 403, 404, 405, 410), said
            if said.status in (204, 410):
                page = Asking(address, chance.choice([*ALLOWED]))
        assert [Asking(address, "desk").ask(*each) for each in questions("desk")[:1]] == answered(questions("desk")[:1])
    assert not [*tmp_path.iterdir()]
