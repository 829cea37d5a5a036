"""`tiro desk` and a browser: a server that is killed, one that hangs, its key, and the desk that was there before."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from browser import PATIENCE, Running, visits
from desk_server import Handler, local_desk, offline_site
from playwright.async_api import Route
from scale import scaled
from test_desk_browser import OPENING, RECORDED, TURN, Visit, window
from test_desk_games import begun, put, tapped, written_by

KEPT_KEY = """
new Promise((resolve) => {
  indexedDB.open("tironian-key").onsuccess = ({ target }) => {
    const asked = target.result.transaction("keys").objectStore("keys").get("desk");
    asked.onsuccess = () => resolve([asked.result.extractable, asked.result.usages]);
  };
})
"""
"""What a script of the page can do with the key: it can't be read, only used."""
pytestmark = [pytest.mark.slow, pytest.mark.process]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


class Desk(NamedTuple):
    """A running `tiro desk`, and the address that it has printed."""

    process: subprocess.Popen[str]
    address: str

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def desk(home: Path, port: int, *options: str, **environment: str) -> Iterator[Desk]:
    """Run `tiro desk` for somebody with this home."""
    command = [sys.executable, "-m", "tironian.tools.cli", "desk", "--port", str(port), *options]
    known = {name: value for name, value in os.environ.items() if name != "XDG_CONFIG_HOME"}
    given = known | {"HOME": str(home), "APPDATA": str(home)} | environment
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=given) as process:
        assert process.stdout
        try:
            yield Desk(process, process.stdout.readline().split()[4])
        finally:
            process.kill()


@pytest.mark.parametrize("folder", ["games", ""][: scaled(1, 2)])
@visits
async def test_a_server_may_be_killed_in_the_middle_of_a_game(running: Running, tmp_path: Path, folder: str):
    """No tap that was shown is lost, those tapped meanwhile count, and the page goes on when the server is back."""
    port = free_port()
    games = (written_by("table", "2024", seed) for seed in count())
    record = next(game for game in games if game.header("Starts") != "Caesar")
    taps = [*tapped(begun(record, "table"), record)][: scaled(40, 100_000)]
    times = scaled(2, 40)
    ends = [round((each + 1) * len(taps) / (times + 1)) for each in range(times + 1)]
    context = await running.browser.new_context(has_touch=True, viewport={"width": 820, "height": 1180})
    context.set_default_timeout(PATIENCE)
    visit = Visit(await context.new_page())
    for end in ends:
        with desk(tmp_path, port, "--no-open", *[str(tmp_path / folder)] * bool(folder)) as server:
            if end == ends[0]:
                await visit.begin(server.address)
                assert "key" not in visit.page.url
            await visit.page.wait_for_selector(f"#desk[data-read='{await visit.taken()}'] #offers")
            for tap in taps[await visit.taken() : end]:
                await put(visit, tap)
            if folder and end == len(taps):
                await visit.page.wait_for_selector(f"#desk[data-filed='{end}']")
            server.kill()
        if end < len(taps):
            await visit.tap(taps[end])
            await visit.page.wait_for_selector(".trouble:visible:has-text('tiro desk')")
    alone = begun(record, "table")
    for tap in taps:
        alone.take(tap)
    wanted = [line for line in alone.screen()["record"].splitlines() if line[:1].isdigit()]
    text = await visit.page.text_content("#record pre") or ""
    assert [line for line in text.splitlines() if line[:1].isdigit()] == wanted
    for place in (tmp_path / "games").glob("*.tiro"):
        assert place.read_text(encoding="utf-8") == text
    assert len([*tmp_path.glob("games/*.tiro")]) == bool(folder)
    await context.close()


@visits
async def test_a_question_that_hangs_is_given_up_and_the_game_goes_on(running: Running, served: str):
    """The process that answers is stopped in the middle of its work; the page loses patience by its own clock."""
    context, visit = await window(running)
    await visit.page.clock.install()
    await visit.begin(served)
    await visit.tap(*OPENING)
    assert await visit.read() == RECORDED[:1]
    for child in multiprocessing.active_children():
        os.kill(child.pid or 0, signal.SIGSTOP)
    await visit.tap(TURN[0])
    await visit.page.wait_for_selector("#taps > *")
    await visit.page.clock.fast_forward(1_500)
    await visit.tap(*TURN[1:])
    for child in multiprocessing.active_children():
        os.kill(child.pid or 0, signal.SIGCONT)
    await visit.page.clock.fast_forward(31_000)
    assert await visit.read() == RECORDED
    await context.close()


@visits
async def test_the_desk_of_before_gives_way_and_its_game_goes_on(running: Running, site: Path):
    """A site without a server has kept itself and a game under this address."""
    port = free_port()
    with offline_site(site, Handler, port) as address:
        context, visit = await window(running)
        await visit.begin(address)
        await visit.tap(*OPENING)
        assert await visit.read() == RECORDED[:1]
        game = visit.page.url
        await visit.page.evaluate("navigator.serviceWorker.ready.then((found) => found.active.state)")
    with local_desk(port):
        await visit.page.goto(game)
        await visit.page.wait_for_url("**renewed**")
        await visit.tap(*TURN)
        assert await visit.read() == RECORDED
        await visit.page.goto(address)
        await visit.page.wait_for_selector("#begin[data-games='1']")
        assert "Livia" in await visit.page.inner_text("#kept")
        assert await visit.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
        assert await visit.page.evaluate("caches.keys()") == []
    await context.close()


@visits
async def test_a_page_without_the_key_says_so_and_keeps_taps(running: Running, served: str):
    context = await running.browser.new_context(has_touch=True, viewport={"width": 820, "height": 1180})
    context.set_default_timeout(PATIENCE)
    visit = Visit(await context.new_page())
    await visit.begin(served)
    await visit.page.wait_for_selector(".trouble:visible:has-text('tiro desk')")
    await visit.tap(*OPENING)
    await visit.page.goto("about:blank")
    await visit.page.goto(f"{served}#key=the-key-of-all-tests")
    assert urlsplit(visit.page.url).fragment == ""
    await visit.page.click("#kept a")
    assert await visit.read() == RECORDED[:1]
    other = Visit(await context.new_page())  # a tab that was opened without the key has it from the browser
    await other.page.goto(f"{served}check.html")
    await other.page.fill("textarea", "[Rules “2024”]")
    await other.page.wait_for_selector(".verdict")
    assert await other.page.evaluate(KEPT_KEY) == [False, ["sign"]]
    await context.close()


@visits
async def test_a_question_that_the_server_refuses_is_not_asked_again(running: Running, served: str):
    context, visit = await window(running)
    asked: list[str] = []

    async def refuse(route: Route) -> None:
        asked.append(route.request.url)
        await route.fulfill(status=413)

    await context.route("**/ask", refuse)
    await visit.page.goto(f"{served}check.html")
    await visit.page.fill("textarea", "1E 1C")
    await visit.page.wait_for_selector("text=took too long to check here")
    assert len(asked) == 1
    await context.close()


def test_another_user_of_the_machine_gets_no_key(tmp_path: Path):
    """Only this user can read it, and no command line shows it."""
    opened = tmp_path / "opened"
    opener = tmp_path / "opener"
    opener.write_text(f'#!/bin/sh\necho "$@" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    opener.chmod(0o755)
    home = tmp_path / "home"
    os.umask(0o000)
    try:
        with desk(home, 0, BROWSER=f"{opener} %s") as server:
            key = urlsplit(server.address).fragment.removeprefix("key=")
            while not opened.exists():
                assert server.process.poll() is None
            address = opened.read_text().strip()
            assert address.startswith("file:")
            assert key not in address
            for place in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):  # it has ended
                    assert key.encode() not in place.read_bytes()
            assert key in Path(urlsplit(address).path).read_text()
    finally:
        os.umask(0o022)
    own = [path for path in home.rglob("*") if path.is_file()]
    assert {path.name for path in own} == {"desk-key", "desk.html"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in own)
    assert all(stat.S_IMODE(path.parent.stat().st_mode) == 0o700 for path in own)
    with desk(home, 0, "--no-open") as server:
        assert key in server.address, "pages that are open go on with it"


def test_a_desk_that_can_not_be_opened_says_what_to_do(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        command = [sys.executable, "-m", "tironian.tools.cli", "desk", "--no-open", "--port", port]
        for home, words in ((tmp_path, ("in use", "--port")), (tmp_path / "file", ("file",))):
            (tmp_path / "file").touch()
            given = {**os.environ, "HOME": str(home), "APPDATA": str(home), "XDG_CONFIG_HOME": str(home)}
            run = subprocess.run(command, capture_output=True, text=True, env=given)
            assert run.returncode == 2
            assert all(word in run.stderr for word in words)
            assert "Traceback" not in run.stderr
