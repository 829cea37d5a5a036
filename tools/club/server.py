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
import re
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

from ...notation.language import ENGLISH, PSEUDO, Messages, chosen, figure, languages, phrase, speaking, spoken
from ..desk.serving.pages import Guard, body_of, host_of
from ..desk.site import TYPES, policy, table_site
from ..event.api import write_site
from ..render.pages import as_data, sealed, template
from ..storage.api import CannotRun
from .organiser import ACCEPT, EDIT, REFUSE, RESULT, UNDO, Organiser, StaleError
from .screens import Screens
from .sent import MAX_RECORD, PATIENCE, Checks
from .store import ADMITTED, REVOKED, WAITING, Contradiction, Device, Refused
from .tables import STORE, Clock, Tables

if TYPE_CHECKING:
    from starlette.requests import Request

TOKEN: Final = "x-tiro-token"
LANG: Final = "lang"
"""In a query and a cookie: the language that a reader chose."""
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
    """The pages of an event for everybody, in a folder for each language, made again when the event has changed.

    Strangers ask for them, so the folder is looked through once in LOOKS seconds, and after what is done here; less
    often if that takes long.
    """

    def __init__(self, organiser: Organiser, clock: Clock, done: Callable[[], object]) -> None:
        """Begin without pages. ``done`` gives another value after each thing that is done here."""
        self._organiser, self._clock, self._done, self._lock = organiser, clock, done, Lock()
        self._held = TemporaryDirectory(prefix="tiro-club-")
        self._made = dict[str, object]()
        self._looked = dict[str, tuple[float, object, float]]()

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
            return await run_sync(Path(self._held.name, spoken().code, *path.parts).read_bytes)
        except OSError:  # there is none, or there can be none of that name
            return None

    def _make(self) -> None:
        folder, now, done, code = self._organiser.folder, self._clock(), self._done(), spoken().code
        at, before, rests = self._looked.get(code, (-math.inf, None, 0.0))
        if 0 <= now - at < max(rests, LOOKS if done == before else 0):
            return
        if (found := _fingerprint(folder)) != self._made.get(code):
            out = os.path.join(self._held.name, code)
            write_site(self._organiser.state(), folder, out, self._organiser.jobs)
            self._made[code] = found
        self._looked[code] = now, done, RESTS * (self._clock() - now)


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
        self, folder: str, token: str, clock: Clock = time.monotonic, address: str = "", authority: bytes = b""
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
        await run_sync(self._file)
        found = await self.public.read(name)
        if found is None:
            return _told(phrase("There is no such page."), 404)
        return Response(found, media_type=KINDS[PurePosixPath(name or "index.html").suffix])

    async def authority(self, _request: Request) -> Response:
        """Send the certificate that a device must trust."""
        return Response(self._authority, 200 if self._authority else 404, media_type="application/x-x509-ca-cert")

    async def frame(self, _request: Request) -> Response:
        """Send the organiser's page without what it shows."""
        return _framed("club.html.j2", "club.js", phrase("Organiser"))

    async def view(self, request: Request) -> Response:
        """Send what the organiser's page shows, with the standings ``after`` a round."""
        after = _number(request, "after")

        def seen() -> str:
            self._file()
            store, told = self.tables.store, self.tables.told()
            numbers = self.organiser.waiting(store.sent())
            if more := len(numbers[SHOWN:]):
                told.append(phrase("{count} more records were sent in; they come when others are decided", count=more))
            sent = [one for each in numbers[:SHOWN] if (one := store.sent_record(each))]
            return self.organiser.view(told=told, tables=self.tables.all(), after=after, sent=sent)

        return HTMLResponse(await run_sync(seen))

    async def sheets(self, request: Request) -> Response:
        """Send the sheets for the tables of a ``round``."""
        address, number = self.address or f"http://{request.headers['host']}", _number(request, "round")
        return HTMLResponse(await run_sync(self.organiser.sheets, number, address))

    async def edited(self, _request: Request) -> Response:
        """Send the event's file to be edited."""
        return HTMLResponse(await run_sync(self.organiser.file))

    async def act(self, request: Request) -> Response:
        """Do what the organiser asks for, and say what was done."""
        asked = await _asked(request, {"what": str, "key": str, "seen": str, "value": str}, MAX_EDIT)
        if asked["what"] not in (ACCEPT, REFUSE, UNDO, RESULT, EDIT, ADD, ASIDE, *_ADMISSIONS):
            raise Malformed
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
            words = phrase("Nothing was done: somebody changed this meanwhile. Here is how it is now.")
            if asked["what"] == EDIT:  # the page keeps what was written
                words = phrase(
                    "Nothing was done: the file was changed meanwhile. Copy what you wrote, then load this page."
                )
            return Response(words, 409, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 503 if asked["what"] in _ADMISSIONS else 422)
        return JSONResponse({"done": done})

    def _note(self, what: str) -> None:
        with suppress(CannotRun):  # it is done, whether or not it can be noted
            self.tables.store.note(ORGANISER, what, time.time())

    async def send(self, _request: Request) -> Response:
        """Send the page on which a record is sent in."""
        return _framed("club_send.html.j2", "send.js", phrase("Send a record"))

    async def record(self, request: Request) -> Response:
        """Judge a record that somebody sends in, and keep it for the organiser. The answer is what ``tiro check`` says,
        as JSON, or as text for whoever asks for that; ``X-Tiro-Kept`` has the number of the record, 0 if it is none.
        """
        try:
            with fail_after(PATIENCE):
                text = await body_of(request, MAX_RECORD)
        except TimeoutError:
            return _told(phrase("The record has not arrived: send it again."), 408)
        if text is None:
            return _told(phrase("A record has at most {count} bytes.", count=figure(MAX_RECORD, ",")), 413)
        kept, why, form = 0, phrase("There is no game in it, so it is not kept."), "json"
        try:
            rules = (await run_sync(self.organiser.plan)).data.get("rules", "")
            with speaking(spoken() if LANG in request.query_params else ENGLISH):
                said = await self.checks.report(text, form, rules)
            games = json.loads(said)["games"] if said else []
            if not said or any(each["turns"] or each["headers"] for each in games):
                kept = await run_sync(self.tables.store.send, text, time.time())
                why = phrase("The organiser has it now, as record {number}.", number=kept)
                if games and all(not each["turns"] and each["outcome"] for each in games):
                    why += " " + phrase(
                        "It has only the result, which counts once they have added it. A whole record has more:"
                    )
            if not said or request.headers.get("accept", "").startswith("text/plain"):
                form = "text"
                long = f"{phrase('It takes too long to check.')}\n".encode()
                said = f"{why}\n\n".encode() + (await self.checks.report(text, form, rules) if said else long)
        except Refused as error:
            return _told(phrase(_NOT_KEPT[error.why]), 429)
        kind = "application/json" if form == "json" else "text/plain"
        return Response(said, media_type=kind, headers={"X-Tiro-Kept": f"{kept}"})

    async def journal(self, request: Request) -> Response:
        """Take the taps of a device from a file that its page has saved."""
        try:
            asked = await _asked(request, {"desk": int, "start": dict, "taps": list}, MAX_TAPS)
            device = await run_sync(self.tables.add, asked)
        except Refused as error:
            return _told(phrase(_NOT_ADDED.get(error.why, _NOT_ADDED["form"])), 422)
        await run_sync(self._note, f"journal: device {device.number}")
        return JSONResponse({"done": f"device {device.number}"})

    async def ask(self, request: Request) -> Response:
        """Let a device ask for a pairing, and send it its token."""
        asked = await _asked(request, {"pairing": str})
        try:
            device, token = await run_sync(self.tables.ask, asked["pairing"])
        except Refused as error:
            return Response(f"{error.why}\n", 404 if error.why == "pairing" else 429, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 503)
        return JSONResponse({"token": token, "device": device.number, "state": device.state})

    async def state(self, request: Request) -> Response:
        """Send a device what it must know."""
        return JSONResponse(await run_sync(lambda: self.tables.state(self._device(request))))

    async def begin(self, request: Request) -> Response:
        """Begin the game of a device, and send it its journal."""
        asked = await _asked(request, {"who": str, "starts": str})
        device = self._device(request)
        return JSONResponse({"journal": await run_sync(self.tables.begin, device, asked["who"], asked["starts"])})

    async def screen(self, request: Request) -> Response:
        """Send a device what its page shows after all taps that are kept."""
        device = self._device(request)
        journal = await run_sync(self.tables.store.journal, device.number)
        if device.state != ADMITTED or journal is None:
            raise Refused("no game" if device.state == ADMITTED else device.state)
        try:
            read, said = await self.screens.after(device.number, lambda: self._journal(device))
        except (EOFError, OSError):
            return _told(phrase("The game could not be read: ask again."), 503)
        return Response(said, media_type="application/json", headers={"X-Tiro-Read": str(read)})

    def _journal(self, device: Device) -> dict[str, Any]:
        return self.tables.store.journal(device.number) or {}

    async def table(self, request: Request) -> Response:
        """Send a file of the page on which a table is recorded."""
        name = request.path_params["name"] or "index.html"
        if name not in self.table_files:
            return _told(phrase("There is no such page."), 404)
        kind = TYPES[PurePosixPath(name).suffix]
        return Response(self.table_files[name], media_type=kind, headers={"Content-Security-Policy": policy()})

    async def take(self, request: Request) -> Response:
        """Keep taps of a device, and say how many are kept."""
        asked = await _asked(request, {"first": int, "taps": list}, MAX_TAPS)
        try:
            kept = await run_sync(lambda: self.tables.take(self._device(request), asked["first"], asked["taps"]))
        except Contradiction as error:
            return JSONResponse({"contradicts": error.number}, 409)
        return JSONResponse({"kept": kept})

    def _device(self, request: Request) -> Device:
        device = self.device_of(request)
        assert device is not None, "its role was asked for"
        return device


class Malformed(Refused):
    """Raised for a request that is not of its form."""

    def __init__(self) -> None:
        super().__init__("form")


def _refused(error: Refused) -> Response:
    if isinstance(error, Malformed):
        return Response(status_code=400)
    return JSONResponse({"refused": error.why}, 403 if error.why in (WAITING, REVOKED) else 422)


def _device_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _number(request: Request, name: str) -> int:
    """Return a number of the query; 0 if it is none, or too long for a round."""
    given = request.query_params.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 4 else 0


def _framed(name: str, script: str, heading: str) -> Response:
    """Send a page without what it shows, with a script and its words."""
    parts = sealed(("event.css", "club.css"), (script,))
    words = as_data({key: phrase(text) for key, text in _WORDS[script].items()})
    parts = {**parts, "policy": f"{parts['policy']}; connect-src 'self'", "heading": heading, "words": words}
    return HTMLResponse(template(name).render(parts))


def _told(words: str, status: int) -> Response:
    return Response(f"{words}\n", status, media_type="text/plain")


def _wishes(request: Request) -> list[str]:
    """Return the languages of who asks: the one that the address names, or a cookie, or else those of the browser."""
    header = request.headers.get("accept-language", "")[:1000]
    accepted = re.findall(r"([A-Za-z]+)[-\w]*\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*(?:,|$)", header)
    accepted.sort(key=lambda each: -float(each[1] or 1))
    wishes = [request.query_params.get(LANG, ""), request.cookies.get(LANG, ""), *[code for code, _ in accepted]]
    return [each for each in wishes if each.partition("-")[0].lower() in (*languages(), PSEUDO)]


def _localized(request: Request, answer: Response) -> Response:
    """Return an answer that says what its language depends on, keeps the one that its address names, and lets a reader
    choose another.
    """
    answer.headers["Vary"], code = "Accept-Language, Cookie", spoken().code
    if request.query_params.get(LANG) == code:
        answer.set_cookie(LANG, code, 366 * 86400, samesite="lax")
    if answer.media_type == "text/html" and not request.url.path.startswith("/table/"):
        others = {each: name for each, name in languages().items() if each != code}
        links = " ".join([f'<a lang="{each}" href="?lang={each}">{name}</a>' for each, name in others.items()])
        switch = f'<nav class="languages" aria-label="{phrase("Language")}">{links}</nav>'.encode()
        answer.body = re.sub(rb"<body[^>]*>", lambda body: body[0] + switch, bytes(answer.body), count=1)
        answer.headers["Content-Length"] = str(len(answer.body))
    return answer


def _said(error: CannotRun, status: int) -> Response:
    return Response("\n".join(error.lines), status, media_type="text/plain")


async def _asked(request: Request, form: Mapping[str, type], most: int = MAX_SIZE) -> dict[str, Any]:
    """Return what is asked for, with the names and types of a ``form``. Raise Malformed if it is anything else."""
    given = await body_of(request, most)
    try:
        asked = await run_sync(json.loads, given or b"")
    except (ValueError, RecursionError):
        raise Malformed from None
    if not isinstance(asked, dict) or {name: type(value) for name, value in asked.items()} != form:
        raise Malformed
    return asked


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
_FORBIDDEN: Final[Messages] = {
    ORGANISER: "This is for the organiser: open the organiser’s link.",
    DEVICE: "This is for a device that was admitted to a table: ask for admission.",
    "readable": "Others in this network could read the organiser’s key here: open the organiser’s link on the "
    "organiser’s own machine, or start the club with --tls.",
}
_NOT_KEPT: Final[Messages] = {
    "sent": "The organiser’s inbox is full: ask them to empty it.",
    "busy": "Too many records are being checked: send it again in a minute.",
}
_NOT_ADDED: Final[Messages] = {
    "form": "This is not a file that the page of a table has saved.",
    "pairing": "The event has no game with the players and the round of this file.",
}
_WORDS: Final[Messages] = {
    "club.js": {
        "away": "The server can’t be reached. This page goes on when it is back.",
        "lost": "The server can’t be reached: nothing is known to have been done.",
        "added": "Added.", "done": "Done.", "refuse": "It stays as it is.", "undo": "Undone.", "admit": "Admitted.",
        "replace": "It goes on in its place.", "revoke": "It can’t record any more; what it sent is kept.",
    },
    "send.js": {
        "checking": "Checking …", "lost": "The server can’t be reached: the record was not sent. Send it again.",
    },
}  # fmt: skip
"""Script of a page → what it says, by name."""


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
            with speaking(chosen(_wishes(request))):
                return _localized(request, await answered(request))

        async def answered(request: Request) -> Response:
            if path.startswith("/organiser") and is_readable(request):  # the page, too: it would send the key
                return _told(phrase(_FORBIDDEN["readable"]), 403)
            try:
                has = ANYBODY if role == ANYBODY else await run_sync(club.role_of, request)
            except CannotRun as error:
                return _said(error, 503)
            if has != role:
                return _told(phrase(_FORBIDDEN[role]), 403)
            try:
                return await answer(club, request)
            except Refused as error:
                return _refused(error)
            except CannotRun as error:  # nothing could be read, or kept
                return _said(error, 507 if request.method == "POST" else 503)
            except OSError as error:  # such as a full disk
                return _told(phrase("This can’t be done now: {error}.", error=error.strerror), 503)

        return handler

    routes = [Route(path, answering(path, *entry), methods=[method]) for (method, path), entry in ROLES.items()]
    sent = {**sent, "Cache-Control": "no-store", "X-Frame-Options": "DENY"}
    guard = Middleware(Guard, origins, open_to=(RECORDS,), sent=sent)
    return Starlette(routes=routes, middleware=[guard], lifespan=club.lifespan)
