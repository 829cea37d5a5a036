"""The pages of a club: what everybody may see, and the organiser's.

What a request may do is decided by its token and by ROLES, never by what it says it is. Tokens come in a header, so
they are in no address, log or history; only their hashes are kept in memory. The organiser's page is an empty frame
that anybody may load: it asks for what it shows.
"""

from __future__ import annotations

import hmac
import json
import math
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from anyio import Lock, fail_after, from_thread
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ..desk.serving.pages import Guard, body_of, host_of
from ..desk.site import TYPES, policy, table_site
from ..event.api import write_site
from ..render.pages import sealed, template
from ..storage.api import CannotRun
from .organiser import ACCEPT, EDIT, REFUSE, RESULT, UNDO, Organiser, StaleError
from .screens import Screens
from .sent import MAX_RECORD, PATIENCE, Checks
from .store import ADMITTED, REVOKED, WAITING, Contradiction, Device, Refused
from .tables import STORE, Tables

if TYPE_CHECKING:
    from starlette.requests import Request

TOKEN: Final = "x-tiro-token"
ANYBODY, DEVICE, ORGANISER = "anybody", "device", "organiser"
ADMIT, REVOKE, REPLACE = "admit", "revoke", "replace"
ADD, ASIDE = "add", "aside"
SHOWN: Final = 20
"""How many of the records that were sent in the organiser's page shows at once."""
RECORDS: Final = "/records"
"""Where records are sent, also by programs, which name no origin."""
MAX_SIZE: Final = 10_000
"""Bytes of what a device asks."""
MAX_EDIT: Final = 1_000_000
"""Bytes of an action of the organiser, which may hold the event's file."""
MAX_TAPS: Final = 1_000_000
"""Bytes of the taps that are sent at once."""
LOOKS: Final = 1.0
"""Seconds for which the public pages are not compared with the folder again."""
RESTS: Final = 10
"""They are not made again for so many times as long as that took: strangers must leave time to the tables."""
LOOPBACK: Final = ("127.0.0.1", "localhost")
KINDS: Final = {
    ".html": "text/html", ".xml": "application/atom+xml", ".zip": "application/zip", ".tiro": "text/plain",
}  # fmt: skip
"""The kinds of the files of the public pages; nothing else there is sent."""

Handler = Callable[["Request"], Awaitable[Response]]


class PublicPages:
    """The pages of an event for everybody, in a folder of their own; they are made again when the event has changed.

    Strangers ask for them, so the folder is looked through once in LOOKS seconds, and after what is done here; less
    often if that takes long.
    """

    def __init__(self, organiser: Organiser, clock: Callable[[], float], done: Callable[[], object]) -> None:
        """Begin without pages. ``done`` gives another value after each thing that is done here."""
        self._organiser, self._clock, self._done, self._lock = organiser, clock, done, Lock()
        self._held = TemporaryDirectory(prefix="tiro-club-")
        self._made: object = None
        self._looked: tuple[float, object] = (-math.inf, None)
        self._rests = 0.0

    def close(self) -> None:
        """Remove the pages."""
        self._held.cleanup()

    async def read(self, name: str) -> bytes | None:
        """Return a file of the pages; None if there is no such file. Raise CannotRun if the event can't be read."""
        path = PurePosixPath(name or "index.html")
        if path.is_absolute() or ".." in path.parts or path.suffix not in KINDS or "\0" in name:
            return None
        async with self._lock:
            await run_sync(self._make)
        try:
            return await run_sync(Path(self._held.name, *path.parts).read_bytes)
        except OSError:  # there is none, or there can be none of that name
            return None

    def _make(self) -> None:
        folder, looked = self._organiser.folder, (self._clock(), self._done())
        if 0 <= looked[0] - self._looked[0] < max(self._rests, LOOKS if looked[1] == self._looked[1] else 0):
            return
        now = _fingerprint(folder)
        if now != self._made:
            write_site(self._organiser.state(), folder, self._held.name, self._organiser.jobs)
            self._made = now
        self._looked, self._rests = looked, RESTS * (self._clock() - looked[0])


def _fingerprint(folder: str) -> object:
    """Return something that changes with the files of a folder, but not with each tap."""
    found: list[tuple[str, int, int]] = []
    for home, _, names in os.walk(folder):
        for name in (each for each in names if not each.startswith(STORE)):
            path = os.path.join(home, name)
            with suppress(OSError):  # it is gone already: it was only on the way to its name
                status = os.stat(path)
                found.append((path, status.st_mtime_ns, status.st_size))
    return sorted(found)


class Club:
    """What a club's server answers, by address."""

    def __init__(
        self,
        folder: str,
        token: str,
        clock: Callable[[], float] = time.monotonic,
        address: str = "",
        authority: bytes = b"",
    ) -> None:
        """Begin with the folder of an event, and the organiser's token. Raise CannotRun if it can't be read.

        ``address`` is where other devices reach it, without a slash at the end, if they do; ``authority`` the
        certificate that they must trust, if there is one.
        """
        self.address, self._authority, self._acts = address, authority, 0
        self.organiser = Organiser(folder)
        self.tables = Tables(folder, self.organiser.plan, clock)
        self.public = PublicPages(self.organiser, clock, lambda: (self._acts, self.tables.filed))
        self.screens = Screens(min(4, os.cpu_count() or 1))
        self.table_files = table_site()
        self._token = sha256(token.encode()).digest()

    def close(self) -> None:
        """End, once the application has."""
        self.screens.close()
        self.public.close()
        self.tables.store.close()

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Write at the end what is to be written."""
        self.checks = Checks()
        yield
        await run_sync(self._file)

    def _file(self) -> None:
        """Write the records that grew; the next look does it if the event can't be read or changed right now."""
        with suppress(CannotRun):
            self.tables.file(lambda device, journal: from_thread.run(self.screens.record, device, journal))

    def device_of(self, request: Request) -> Device | None:
        """Return the device that asks, by the token."""
        return self.tables.device(request.headers.get(TOKEN, ""))

    def role_of(self, request: Request) -> str:
        """Return who asks, by the token."""
        given = sha256(request.headers.get(TOKEN, "").encode("latin-1")).digest()
        if hmac.compare_digest(given, self._token):
            return ORGANISER
        return DEVICE if self.device_of(request) else ANYBODY

    async def page(self, request: Request) -> Response:
        """Send a public page."""
        name = request.path_params["name"]
        try:
            await run_sync(self._file)
            found = await self.public.read(name)
        except CannotRun as error:
            return _said(error, 503)
        if found is None:
            return Response("There is no such page.\n", 404, media_type="text/plain")
        return Response(found, media_type=KINDS[PurePosixPath(name or "index.html").suffix])

    async def authority(self, _request: Request) -> Response:
        """Send the certificate that a device must trust."""
        return Response(self._authority, 200 if self._authority else 404, media_type="application/x-x509-ca-cert")

    async def frame(self, _request: Request) -> Response:
        """Send the organiser's page without what it shows."""
        parts = sealed(("event.css", "club.css"), ("club.js",))
        policy = f"{parts['policy']}; connect-src 'self'"
        return HTMLResponse(template("club.html.j2").render({**parts, "policy": policy, "heading": "Organiser"}))

    async def view(self, request: Request) -> Response:
        """Send what the organiser's page shows, with the standings ``after`` a round."""
        after = _number(request, "after")

        def seen() -> str:
            self._file()
            store, told = self.tables.store, self.tables.told()
            numbers = self.organiser.waiting(store.sent())
            if numbers[SHOWN:]:
                told = [*told, f"{len(numbers) - SHOWN} more records were sent in; they come when others are decided"]
            sent = [one for each in numbers[:SHOWN] if (one := store.sent_record(each))]
            return self.organiser.view(told=told, tables=self.tables.all(), after=after, sent=sent)

        return await _shown(seen)

    async def sheets(self, request: Request) -> Response:
        """Send the sheets for the tables of a ``round``."""
        address, number = self.address or f"http://{request.headers['host']}", _number(request, "round")
        return await _shown(lambda: self.organiser.sheets(number, address))

    async def edited(self, _request: Request) -> Response:
        """Send the event's file to be edited."""
        return await _shown(self.organiser.file)

    async def act(self, request: Request) -> Response:
        """Do what the organiser asks for, and say what was done."""
        asked = await _asked(request, {"what": str, "key": str, "seen": str, "value": str}, MAX_EDIT)
        if asked is None or asked["what"] not in (ACCEPT, REFUSE, UNDO, RESULT, EDIT, ADD, ASIDE, *_ADMISSIONS):
            return Response(status_code=400)
        try:
            if asked["what"] in (ADD, ASIDE):
                number = _device_number(asked["key"])
                one = await run_sync(self.tables.store.sent_record, number)
                if one is None:
                    return Response(status_code=404)
                if asked["what"] == ADD:
                    done = await run_sync(self.organiser.add, one, asked["seen"])
                else:
                    await run_sync(self.tables.store.put_aside, number, not one.is_aside)
                    done = f"record {number}"
            elif asked["what"] in _ADMISSIONS:
                number, put = _device_number(asked["key"]), getattr(self.tables.store, asked["what"])
                others = (_device_number(asked["seen"]),) * (asked["what"] == REPLACE)
                if not await run_sync(put, *others, number):
                    return Response(status_code=404)
                done = f"device {number}"
            else:
                done = await run_sync(lambda: self.organiser.act(**asked))
            await run_sync(self._note, f"{asked['what']} {asked['key']}: {done}")
            self._acts += 1
        except StaleError:
            words = "Nothing was done: somebody changed this meanwhile. Here is how it is now."
            if asked["what"] == EDIT:  # the page keeps what was written
                words = "Nothing was done: the file was changed meanwhile. Copy what you wrote, then load this page."
            return Response(words, 409, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 503 if asked["what"] in _ADMISSIONS else 422)
        return JSONResponse({"done": done})

    def _note(self, what: str) -> None:
        with suppress(CannotRun):  # it is done, whether or not it can be noted
            self.tables.store.note(ORGANISER, what, time.time())

    async def send(self, _request: Request) -> Response:
        """Send the page on which a record is sent in."""
        parts = sealed(("event.css", "club.css"), ("send.js",))
        policy = f"{parts['policy']}; connect-src 'self'"
        return HTMLResponse(
            template("club_send.html.j2").render({**parts, "policy": policy, "heading": "Send a record"})
        )

    async def record(self, request: Request) -> Response:
        """Judge a record that somebody sends in, and keep it for the organiser. The answer is what ``tiro check`` says,
        as JSON, or as text for whoever asks for that; ``X-Tiro-Kept`` has the number of the record, 0 if it is none.
        """
        try:
            with fail_after(PATIENCE):
                text = await body_of(request, MAX_RECORD)
        except TimeoutError:
            return Response("The record has not arrived: send it again.\n", 408, media_type="text/plain")
        if text is None:
            return Response(f"A record has at most {MAX_RECORD:,} bytes.\n", 413, media_type="text/plain")
        kept, why, form = 0, "There is no game in it, so it is not kept.", "json"
        try:
            rules = (await run_sync(self.organiser.plan)).data.get("rules", "")
            said = await self.checks.report(text, form, rules)
            games = json.loads(said)["games"] if said else []
            if not said or any(each["turns"] or each["headers"] for each in games):
                kept = await run_sync(self.tables.store.send, text, time.time())
                why = f"The organiser has it now, as record {kept}."
                if games and all(not each["turns"] and each["outcome"] for each in games):
                    why += " It has only the result, which counts once they have added it. A whole record has more:"
            if not said or request.headers.get("accept", "").startswith("text/plain"):
                form = "text"
                said = await self.checks.report(text, form, rules) if said else b"It takes too long to check.\n"
                said = f"{why}\n\n".encode() + said
        except Refused as error:
            return Response(_NOT_KEPT[error.why], 429, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 507)
        kind = "application/json" if form == "json" else "text/plain"
        return Response(said, media_type=kind, headers={"X-Tiro-Kept": f"{kept}"})

    async def journal(self, request: Request) -> Response:
        """Take the taps of a device from a file that its page has saved."""
        asked = await _asked(request, {"desk": int, "start": dict, "taps": list}, MAX_TAPS)
        try:
            if asked is None:
                raise Refused("form")
            device = await run_sync(self.tables.add, asked)
        except Refused as error:
            return Response(_NOT_ADDED.get(error.why, _NOT_ADDED["form"]), 422, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 507)
        await run_sync(self._note, f"journal: device {device.number}")
        return JSONResponse({"done": f"device {device.number}"})

    async def ask(self, request: Request) -> Response:
        """Let a device ask for a pairing, and send it its token."""
        asked = await _asked(request, {"pairing": str})
        if asked is None:
            return Response(status_code=400)
        try:
            device, token = await run_sync(self.tables.ask, asked["pairing"])
        except Refused as error:
            return Response(f"{error.why}\n", 404 if error.why == "pairing" else 429, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 503)
        return JSONResponse({"token": token, "device": device.number, "state": device.state})

    async def state(self, request: Request) -> Response:
        """Send a device what it must know."""
        try:
            return JSONResponse(await run_sync(lambda: self.tables.state(self._device(request))))
        except CannotRun as error:
            return _said(error, 503)

    async def begin(self, request: Request) -> Response:
        """Begin the game of a device, and send it its journal."""
        asked = await _asked(request, {"who": str, "starts": str})
        if asked is None:
            return Response(status_code=400)
        device = self._device(request)
        try:
            journal = await run_sync(self.tables.begin, device, asked["who"], asked["starts"])
        except Refused as error:
            return _refused(error)
        except CannotRun as error:
            return _said(error, 507)
        return JSONResponse({"journal": journal})

    async def screen(self, request: Request) -> Response:
        """Send a device what its page shows after all taps that are kept."""
        device = self._device(request)
        journal = await run_sync(self.tables.store.journal, device.number)
        if device.state != ADMITTED or journal is None:
            return _refused(Refused("no game" if device.state == ADMITTED else device.state))
        try:
            read, said = await self.screens.after(device.number, lambda: self._journal(device))
        except (EOFError, OSError):
            return Response("The game could not be read: ask again.\n", 503, media_type="text/plain")
        return Response(said, media_type="application/json", headers={"X-Tiro-Read": str(read)})

    def _journal(self, device: Device) -> dict[str, Any]:
        return self.tables.store.journal(device.number) or {}

    async def table(self, request: Request) -> Response:
        """Send a file of the page on which a table is recorded."""
        name = request.path_params["name"] or "index.html"
        if name not in self.table_files:
            return Response("There is no such page.\n", 404, media_type="text/plain")
        kind = TYPES[PurePosixPath(name).suffix]
        return Response(self.table_files[name], media_type=kind, headers={"Content-Security-Policy": policy()})

    async def take(self, request: Request) -> Response:
        """Keep taps of a device, and say how many are kept."""
        asked = await _asked(request, {"first": int, "taps": list}, MAX_TAPS)
        if asked is None:
            return Response(status_code=400)
        try:
            kept = await run_sync(lambda: self.tables.take(self._device(request), asked["first"], asked["taps"]))
        except Contradiction as error:
            return JSONResponse({"contradicts": error.number}, 409)
        except Refused as error:
            return _refused(error)
        except CannotRun as error:
            return _said(error, 507)
        return JSONResponse({"kept": kept})

    def _device(self, request: Request) -> Device:
        device = self.device_of(request)
        assert device is not None, "its role was asked for"
        return device


def _refused(error: Refused) -> Response:
    return JSONResponse({"refused": error.why}, 403 if error.why in (WAITING, REVOKED) else 422)


def _device_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _number(request: Request, name: str) -> int:
    """Return a number of the query; 0 if it is none, or too long for a round."""
    given = request.query_params.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 4 else 0


async def _shown(make: Callable[[], str]) -> Response:
    """Send markup that is made from the event."""
    try:
        return HTMLResponse(await run_sync(make))
    except CannotRun as error:
        return _said(error, 503)


def _said(error: CannotRun, status: int) -> Response:
    return Response("\n".join(error.lines), status, media_type="text/plain")


async def _asked(request: Request, form: Mapping[str, type], most: int = MAX_SIZE) -> dict[str, Any] | None:
    """Return what is asked for, with the names and types of a ``form``; None if it is anything else."""
    given = await body_of(request, most)
    try:
        asked = await run_sync(json.loads, given or b"")
    except (ValueError, RecursionError):
        return None
    if not isinstance(asked, dict) or asked.keys() != form.keys():
        return None
    return asked if all(type(value) is form[name] for name, value in asked.items()) else None


ROLES: Final[Mapping[tuple[str, str], tuple[str, Callable[[Club, Request], Awaitable[Response]]]]] = {
    ("GET", "/organiser"): (ANYBODY, Club.frame),
    ("GET", "/organiser/view"): (ORGANISER, Club.view),
    ("GET", "/organiser/sheets"): (ORGANISER, Club.sheets),
    ("GET", "/organiser/file"): (ORGANISER, Club.edited),
    ("POST", "/organiser/act"): (ORGANISER, Club.act),
    ("POST", "/organiser/journal"): (ORGANISER, Club.journal),
    ("GET", "/send"): (ANYBODY, Club.send),
    ("POST", RECORDS): (ANYBODY, Club.record),
    ("POST", "/table/ask"): (ANYBODY, Club.ask),
    ("GET", "/table/state"): (DEVICE, Club.state),
    ("POST", "/table/begin"): (DEVICE, Club.begin),
    ("POST", "/table/taps"): (DEVICE, Club.take),
    ("GET", "/table/screen"): (DEVICE, Club.screen),
    ("GET", "/table/{name:path}"): (ANYBODY, Club.table),
    ("GET", "/club-ca.crt"): (ANYBODY, Club.authority),
    ("GET", "/{name:path}"): (ANYBODY, Club.page),
}
"""Method and address → who may use it, and what answers it."""


_ADMISSIONS: Final = (ADMIT, REVOKE, REPLACE)
"""What is done with devices; each is a method of the store."""
_FORBIDDEN: Final = {
    ORGANISER: "This is for the organiser: open the organiser’s link.\n",
    DEVICE: "This is for a device that was admitted to a table: ask for admission.\n",
}
_READABLE: Final = (
    "Others in this network could read the organiser’s key here: open the organiser’s link on the organiser’s own "
    "machine, or start the club with --tls.\n"
)


_NOT_KEPT: Final = {
    "sent": "The organiser’s inbox is full: ask them to empty it.\n",
    "busy": "Too many records are being checked: send it again in a minute.\n",
}
_NOT_ADDED: Final = {
    "form": "This is not a file that the page of a table has saved.\n",
    "pairing": "The event has no game with the players and the round of this file.\n",
}


def new_token() -> str:
    """Return a new token of 128 bits."""
    return secrets.token_urlsafe(16)


def application(club: Club, origins: frozenset[str], sent: Mapping[str, str]) -> Starlette:
    """Return a club as an ASGI application, under these ``origins``, with the headers ``sent``.

    What is the organiser's is answered over https, and on this machine, where nobody can listen.
    """
    encrypted = {host_of(each) for each in origins if each.startswith("https:")}
    local = {host_of(each) for each in origins if urlsplit(each).hostname in LOOPBACK}

    def is_readable(request: Request) -> bool:
        host, client = request.headers["host"], request.client
        return host not in encrypted and not (host in local and client is not None and client.host in LOOPBACK)

    def answering(path: str, role: str, answer: Callable[[Club, Request], Awaitable[Response]]) -> Handler:
        async def handler(request: Request) -> Response:
            if path.startswith("/organiser") and is_readable(request):  # the page, too: it would send the key
                return Response(_READABLE, 403, media_type="text/plain")
            try:
                has = ANYBODY if role == ANYBODY else await run_sync(club.role_of, request)
            except CannotRun as error:
                return _said(error, 503)
            if has != role:
                return Response(_FORBIDDEN[role], 403, media_type="text/plain")
            try:
                return await answer(club, request)
            except OSError as error:  # such as a full disk
                return Response(f"This can’t be done now: {error.strerror}.\n", 503, media_type="text/plain")

        return handler

    routes = [
        Route(path, answering(path, role, answer), methods=[method]) for (method, path), (role, answer) in ROLES.items()
    ]
    guard = Middleware(
        Guard, origins, open_to=(RECORDS,), sent={**sent, "Cache-Control": "no-store", "X-Frame-Options": "DENY"}
    )
    return Starlette(routes=routes, middleware=[guard], lifespan=club.lifespan)
