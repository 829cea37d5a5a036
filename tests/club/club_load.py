"""An evening of many tables at once, measured at a real `tiro club`: `python tests/club/club_load.py`.

Each table sends a tap every few seconds, as its page does: the tap first, then the question for the screen. The
organiser and a guest look now and then. Beside it, a server that only echoes, with the same settings, says what this
machine can do at that moment.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "support")]

from tapping import begun, tapped, written_by
from test_club_reach import run
from tironian.tools.club.server import TOKEN

ECHO = """
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from tironian.tools.cli.desk import listen, serve

async def echo(request):
    return Response(await request.body())

listening = listen(0, "an echo")
print(listening.getsockname()[1], flush=True)
serve(Starlette(routes=[Route("/", echo, methods=["POST"])]), listening)
"""


def event_of(folder: Path, tables: int) -> None:
    """Write an event of one round."""
    players = [f"Player {number:03}" for number in range(2 * tables)]
    parts = ['format = "tironian-event"\nversion = 1\nname = "Load"\nrules = "2024"\nrounds = 1\n']
    parts += [f'[[players]]\nname = "{name}"\n' for name in players]
    parts += [
        f'[[pairings]]\nround = 1\ntable = {place + 1}\ncaesar = "{players[2 * place]}"\n'
        f'cleopatra = "{players[2 * place + 1]}"\n'
        for place in range(tables)
    ]
    folder.mkdir()
    (folder / "event.toml").write_text("\n".join(parts), encoding="utf-8")


def games(number: int) -> list[tuple[str, list[Any]]]:
    """Who begins, and the taps of games; at their ends much is taken back and done again."""
    found = []
    for seed in range(number):
        record = written_by("table", "2024", seed)
        back, again = ({"tap": name} for name in ("undo", "redo"))
        more = chain.from_iterable(chain(repeat(back, 60), repeat(again, 60)) for _ in repeat(None))
        starts = record.header("Starts") or ""
        found.append((starts, [*tapped(begun(record, "table"), record), *islice(more, 2000)]))
    return found


class Line:
    """A connection that is kept, as browsers do."""

    def __init__(self, address: str, **headers: str) -> None:
        self.address, self.headers, self.there = urlsplit(address), headers, None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        for _ in range(2):  # the server may have closed it meanwhile
            try:
                return await self._ask(method, path, b"" if body is None else json.dumps(body).encode())
            except (ConnectionError, asyncio.IncompleteReadError):
                self.there = None
        raise ConnectionError(path)

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        if self.there is None:
            self.there = await asyncio.open_connection(self.address.hostname, self.address.port)
        got, put = self.there
        given = {"Host": self.address.netloc, "Content-Length": str(len(body)), **self.headers}
        if method == "POST":
            given["Origin"] = f"{self.address.scheme}://{self.address.netloc}"
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
        put.write("\r\n".join(lines).encode() + body)
        head = (await got.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        return int(head.split()[1]), await got.readexactly(length)


class Load:
    """The tables, and how long each kind of question took, in seconds."""

    def __init__(self, club: str, key: str, echo: str, every: float, looks: float) -> None:
        self.club, self.key, self.echo, self.every, self.looks = club, key, echo, every, looks
        self.took = defaultdict[str, list[float]](list)
        self.bad = list[str]()
        self.memory = list[list[int]]()

    async def timed(self, what: str, line: Line, method: str, path: str, body: Any = None) -> bytes:
        begin = time.perf_counter()
        status, said = await line.ask(method, path, body)
        self.took[what].append(time.perf_counter() - begin)
        if status != 200:
            self.bad.append(f"{what}: {status} {said[:200]!r}")
        return said

    async def table(self, pairing: str, starts: str, taps: list[Any]) -> None:
        """Record a game, tap by tap; at the end each tap is there once."""
        asked = json.loads((await Line(self.club).ask("POST", "/table/ask", {"pairing": pairing}))[1])
        line = Line(self.club, **{TOKEN: asked["token"]})
        await line.ask("POST", "/table/begin", {"who": "table", "starts": starts})
        chance, clock = random.Random(pairing), asyncio.get_running_loop()
        due = clock.time() + chance.random() * self.every
        for number, tap in enumerate(taps):
            await asyncio.sleep(max(0.0, due - clock.time()))
            due += self.every
            said = await self.timed("taps", line, "POST", "/table/taps", {"first": number, "taps": [tap]})
            if json.loads(said) != {"kept": number + 1}:
                self.bad.append(f"{pairing}: {said!r} after tap {number}")
            await self.timed("screen", line, "GET", "/table/screen")
        there = json.loads((await line.ask("GET", "/table/state"))[1])["journal"]["taps"]
        if there != taps:
            self.bad.append(f"{pairing}: {len(there)} taps of {len(taps)}, or others")

    async def again(self, what: str, every: float, line: Line, method: str, path: str, body: Any = None) -> None:
        while every:
            await self.timed(what, line, method, path, body)
            await asyncio.sleep(every)

    async def weigh(self, process: int, every: float) -> None:
        while True:
            self.memory.append(memory(process))
            await asyncio.sleep(every)

    async def all(self, pairings: list[str], number: int, process: int) -> None:
        made = games(min(10, len(pairings)))
        beside = [
            asyncio.ensure_future(each)
            for each in (
                self.again("echo", min(1.0, self.every or 0.01), Line(self.echo), "POST", "/", {"taps": []}),
                self.again("organiser", self.looks, Line(self.club, **{TOKEN: self.key}), "GET", "/organiser/view"),
                self.weigh(process, max(self.every, 0.1) * 20),
                self.again("guest", self.looks, Line(self.club), "GET", "/"),
            )
        ]  # fmt: skip
        tables = [(key, *made[place % len(made)]) for place, key in enumerate(pairings)]
        await asyncio.gather(*(self.table(key, starts, taps[:number]) for key, starts, taps in tables))
        for each in beside:
            each.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


@contextmanager
def echoing() -> Iterator[str]:
    with subprocess.Popen([sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.kill()


def memory(process: int) -> list[int]:
    """The MiB that a process and those that it has begun hold in memory, each."""
    found = list[int]()
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text()
        found.append(int(status.partition("VmRSS:")[2].split()[0]) // 1024)
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            found += memory(int(child))
        for task in Path(f"/proc/{process}/task").iterdir():
            if task.name != str(process):
                for child in (task / "children").read_text().split():
                    found += memory(int(child))
    return found


def percentile(times: list[float], part: float) -> float:
    """A percentile in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000


def load(folder: Path, tables: int, taps: int, every: float, looks: float) -> tuple[Load, str]:
    """Run it; the load, and what is to be told of it."""
    from tironian.tools.event.facts import fact_key
    from tironian.tools.event.plan import read_plan

    event_of(folder / "open", tables)
    plan = read_plan((folder / "open" / "event.toml").read_text(encoding="utf-8"))
    with run(folder / "open", folder) as (process, (organiser, everybody)), echoing() as echo:
        key = urlsplit(organiser).fragment.removeprefix("key=")
        done = Load(everybody.removesuffix("/"), key, echo, every, looks)
        asyncio.run(done.all([fact_key(each) for each in plan.pairings], taps, process.pid))
        done.memory.append(memory(process.pid))
    told = [f"{tables} tables, {taps} taps each, every {every} s; looks every {looks} s"]
    for what, times in done.took.items():
        parts = ", ".join(
            f"{name} {percentile(times, part):.1f}" for name, part in (("50", 0.5), ("99", 0.99), ("max", 1))
        )
        told.append(f"{what}: {len(times)}, ms {parts}")
    told.append(f"ratio of the 99th: {percentile(done.took['taps'], 0.99) / percentile(done.took['echo'], 0.99):.1f}")
    told.append(f"MiB of its processes: {done.memory[0]} at the beginning, {done.memory[-1]} at the end")
    told.append(f"MiB of the server: {[each[0] for each in done.memory]}")
    sizes = {path.name: path.stat().st_size for path in (folder / "open").glob("club.sqlite*")}
    told.append(f"bytes: {sizes}")
    return done, "\n".join(told + done.bad[:20])


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--taps", type=int, default=400)
    options.add_argument("--every", type=float, default=3.0)
    options.add_argument("--looks", type=float, default=5.0, help="0: nobody but the tables asks")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as held:
        done, told = load(Path(held), given.tables, given.taps, given.every, given.looks)
    print(told)
    sys.exit(bool(done.bad))
