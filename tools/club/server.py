"""The pages of a club: what everybody may see, and the organiser's.

What a request may do is decided by its token and by ROLES, never by what it says it is. Tokens come in a header, so
they are in no address, log or history; only their hashes are kept in memory. The organiser's page is an empty frame
that anybody may load: it asks for what it shows.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from anyio import Lock
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ..desk.serving.pages import Guard, body_of
from ..event.api import write_site
from ..render.pages import sealed, template
from ..storage.api import CannotRun
from .organiser import ACCEPT, REFUSE, UNDO, Organiser, StaleError

if TYPE_CHECKING:
    from starlette.requests import Request

TOKEN: Final = "x-tiro-token"
ANYBODY, ORGANISER = "anybody", "organiser"
MAX_SIZE: Final = 10_000
"""Bytes of an action."""
KINDS: Final = {
    ".html": "text/html", ".xml": "application/atom+xml", ".zip": "application/zip", ".tiro": "text/plain",
}  # fmt: skip
"""The kinds of the files of the public pages; nothing else there is sent."""

Handler = Callable[["Request"], Awaitable[Response]]


class PublicPages:
    """The pages of an event for everybody, in a folder of their own; they are made again when the event has changed."""

    def __init__(self, organiser: Organiser) -> None:
        """Begin without pages."""
        self._organiser, self._lock = organiser, Lock()
        self._held = TemporaryDirectory(prefix="tiro-club-")
        self._made: object = None

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
        place = Path(self._held.name, *path.parts)
        return await run_sync(place.read_bytes) if place.is_file() else None

    def _make(self) -> None:
        folder = self._organiser.folder
        now = _fingerprint(folder)
        if now != self._made:
            write_site(self._organiser.state(), folder, self._held.name, self._organiser.jobs)
            self._made = now


def _fingerprint(folder: str) -> object:
    """Return something that changes with the files of a folder."""
    found: list[tuple[str, int, int]] = []
    for home, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(home, name)
            if os.path.isfile(path):
                status = os.stat(path)
                found.append((path, status.st_mtime_ns, status.st_size))
    return sorted(found)


class Club:
    """What a club's server answers, by address."""

    def __init__(self, folder: str, token: str) -> None:
        """Begin with the folder of an event, and the organiser's token. Raise CannotRun if it can't be read."""
        self.organiser = Organiser(folder)
        self.public = PublicPages(self.organiser)
        self._token = sha256(token.encode()).digest()

    def role_of(self, request: Request) -> str:
        """Return who asks, by the token."""
        given = sha256(request.headers.get(TOKEN, "").encode("latin-1")).digest()
        return ORGANISER if hmac.compare_digest(given, self._token) else ANYBODY

    async def page(self, request: Request) -> Response:
        """Send a public page."""
        name = request.path_params["name"]
        try:
            found = await self.public.read(name)
        except CannotRun as error:
            return _said(error, 503)
        if found is None:
            return Response("There is no such page.\n", 404, media_type="text/plain")
        return Response(found, media_type=KINDS[PurePosixPath(name or "index.html").suffix])

    async def frame(self, _request: Request) -> Response:
        """Send the organiser's page without what it shows."""
        parts = sealed(("event.css", "club.css"), ("club.js",))
        policy = f"{parts['policy']}; connect-src 'self'"
        return HTMLResponse(template("club.html.j2").render({**parts, "policy": policy, "heading": "Organiser"}))

    async def view(self, _request: Request) -> Response:
        """Send what the organiser's page shows."""
        try:
            return HTMLResponse(await run_sync(self.organiser.view))
        except CannotRun as error:
            return _said(error, 503)

    async def act(self, request: Request) -> Response:
        """Do what the organiser asks for, and say what was done."""
        asked = await _asked(request)
        if asked is None or asked["what"] not in (ACCEPT, REFUSE, UNDO):
            return Response(status_code=400)
        try:
            done = await run_sync(lambda: self.organiser.act(**asked))
        except StaleError:
            words = "Nothing was done: somebody changed this meanwhile. Here is how it is now."
            return Response(words, 409, media_type="text/plain")
        except CannotRun as error:
            return _said(error, 422)
        return JSONResponse({"done": done})


def _said(error: CannotRun, status: int) -> Response:
    return Response("\n".join(error.lines), status, media_type="text/plain")


async def _asked(request: Request) -> dict[str, Any] | None:
    """Return an action; None if it is not one."""
    given = await body_of(request, MAX_SIZE)
    try:
        asked = await run_sync(_decoded, given or b"")
    except (ValueError, RecursionError):
        return None
    names = ("what", "key", "seen", "value")
    is_action = (
        isinstance(asked, dict) and {*asked} == {*names} and all(isinstance(each, str) for each in asked.values())
    )
    return asked if is_action else None


def _decoded(data: bytes) -> Any:
    import json

    return json.loads(data)


ROLES: Final[Mapping[tuple[str, str], tuple[str, Callable[[Club, Request], Awaitable[Response]]]]] = {
    ("GET", "/organiser"): (ANYBODY, Club.frame),
    ("GET", "/organiser/view"): (ORGANISER, Club.view),
    ("POST", "/organiser/act"): (ORGANISER, Club.act),
    ("GET", "/{name:path}"): (ANYBODY, Club.page),
}
"""Method and address → who may use it, and what answers it."""


def new_token() -> str:
    """Return a new token of 128 bits."""
    return secrets.token_urlsafe(16)


def application(club: Club, hosts: frozenset[str], sent: Mapping[str, str]) -> Starlette:
    """Return a club as an ASGI application, under these ``hosts``, with the headers ``sent``."""

    def answering(role: str, answer: Callable[[Club, Request], Awaitable[Response]]) -> Handler:
        async def handler(request: Request) -> Response:
            if role != ANYBODY and club.role_of(request) != role:
                return Response("This is for the organiser: open the organiser’s link.\n", 403, media_type="text/plain")
            return await answer(club, request)

        return handler

    routes = [
        Route(path, answering(role, answer), methods=[method]) for (method, path), (role, answer) in ROLES.items()
    ]
    guard = Middleware(Guard, hosts, {**sent, "Cache-Control": "no-store", "X-Frame-Options": "DENY"})
    return Starlette(routes=routes, middleware=[guard])
