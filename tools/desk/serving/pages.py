"""The pages of the desk and the answers to their questions, for this machine alone.

Each request needs the host of a listed origin, and each but the reading of a page that origin: no other site can ask.
A page proves with the desk's key that it was opened by whoever started the desk. It never sends the key: the desk sends
a number that is used once, and gets a code of it (HMAC-SHA-256, RFC 2104), so that nobody who takes the desk's port
while it is off learns the key. A session that is forgotten gets the status 410: its page begins another.
"""

from __future__ import annotations

import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from anyio import create_task_group
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..check import LIMITS
from .answering import ALLOWED, Answerer, Answerers, Limits

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PROOF: Final = "x-tiro-proof"
SESSION: Final = "x-tiro-session"
MAX_PAGES: Final = 16
"""Pages that have a process each. One more takes the place of the one that asked nothing for longest."""
WAITING: Final = 1000
"""Numbers that are waiting for their code."""
MAX_SIZE: Final = LIMITS["bytes"] + 4_000_000
"""Bytes of a question: a file, and the message about it."""


@dataclass(eq=False)
class Page:
    """A page in a browser: its kind, its process, and when it asked for the last time."""

    kind: str
    answerer: Answerer
    seen: float = field(default_factory=time.monotonic)


class Guard:
    """Answers only its own pages, and sends the policy with everything."""

    def __init__(
        self, app: ASGIApp, origins: frozenset[str], sent: Mapping[str, str], open_to: Sequence[str] = ()
    ) -> None:
        """Guard an application whose pages have these origins, such as ``http://127.0.0.1:8453``. Addresses that are
        ``open_to`` programs may be asked without an origin.
        """
        self.app, self.open_to = app, open_to
        self.origins = {host_of(origin): origin for origin in origins}
        self.sent = [(name.lower().encode(), value.encode()) for name, value in sent.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request from elsewhere."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        got = {name: value.decode("latin-1") for name, value in scope["headers"]}
        own, origin = self.origins.get(got.get(b"host", "")), got.get(b"origin")
        is_open = scope["method"] == "GET" or scope["path"] in self.open_to
        is_own = own is not None and (origin == own or (origin is None and is_open))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self.sent]
            await send(message)

        return await (self.app if is_own else Response(status_code=403))(scope, receive, sending)


class LongAnswer(Response):
    """An answer that may take long: spaces come before it, so that the page knows that it is being worked on. Where it
    can't be had, nothing follows. If the page goes away, its process is ended.
    """

    def __init__(self, answerer: Answerer, message: str, data: bytes) -> None:
        """Answer a question about some bytes."""
        super().__init__(media_type="application/json")
        del self.headers["content-length"]
        self.asked = answerer, message, data

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        answerer, message, data = self.asked

        async def part(text: str = " ", *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": more})

        async def watch(group: TaskGroup) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with create_task_group() as group:
            group.start_soon(watch, group)
            try:
                said = await answerer.ask(message, data, part)
            except (EOFError, OSError):
                said = ""
            await part(said, more=False)
            group.cancel_scope.cancel()


class Pages:
    """The pages that are open, by the names of their sessions, which only they know."""

    def __init__(self, key: bytes, limits: Limits) -> None:
        """Begin without pages."""
        self.key = key
        self.numbers = deque[str](maxlen=WAITING)
        self.open: dict[str, Page] = {}
        self.limits = limits

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Have processes as long as the desk is open."""
        self.answerers = Answerers(self.limits)
        yield
        self.answerers.end()
        for page in self.open.values():
            page.answerer.end()

    def is_proven(self, proof: str) -> bool:
        """Return whether a proof is the code of a number that was sent, which can't be used again."""
        number, _, code = proof.partition(".")
        if number not in self.numbers:
            return False
        self.numbers.remove(number)
        return hmac.compare_digest(hmac.new(self.key, number.encode(), sha256).hexdigest().encode(), code.encode())

    async def begin(self, request: Request) -> Response:
        """Begin a session for a page, whose kind is the body; without a proof, send a number to be proven."""
        kind = (await body_of(request, 20) or b"").decode("ascii", "replace")
        if kind not in ALLOWED:
            return Response(status_code=400)
        if not self.is_proven(request.headers.get(PROOF, "")):
            self.numbers.append(secrets.token_urlsafe(16))
            return JSONResponse({"number": self.numbers[-1]})
        if len(self.open) >= MAX_PAGES:
            idle = [name for name, page in self.open.items() if not page.answerer.is_busy]
            if not idle:
                return JSONResponse({"isFull": True})
            self.open.pop(min(idle, key=lambda name: self.open[name].seen)).answerer.end()
        name = secrets.token_urlsafe(16)
        self.open[name] = Page(kind, await self.answerers.take())
        return JSONResponse({"session": name})

    async def leave(self, request: Request) -> Response:
        """End the session of a page that is closed."""
        if page := self.open.pop(request.headers.get(SESSION, ""), None):
            page.answerer.end()
        return Response(status_code=204)

    async def ask(self, request: Request) -> Response:
        """Answer a question: a line of JSON, and after it the bytes that it is about."""
        page = self.open.get(request.headers.get(SESSION, ""))
        if page is None:
            return Response(status_code=410)
        page.seen = time.monotonic()
        given = await body_of(request, MAX_SIZE)
        if given is None:
            return Response(status_code=413)
        line, _, data = given.partition(b"\n")
        try:
            message = line.decode()
            is_allowed = json.loads(message)["ask"] in ALLOWED[page.kind]
        except (ValueError, LookupError, TypeError, RecursionError):
            return Response(status_code=400)
        if not is_allowed:
            return Response(status_code=403)
        return LongAnswer(page.answerer, message, data)


def host_of(origin: str) -> str:
    """Return the host of an origin, with its port if it has one, as a request names it."""
    return origin.partition("://")[2]


async def body_of(request: Request, most: int) -> bytes | None:
    """Return what a request brings; None if that is more than ``most`` bytes."""
    got = bytearray()
    async for part in request.stream():
        got += part
        if len(got) > most:
            return None
    return bytes(got)


def application(
    site: Mapping[str, bytes],
    types: Mapping[str, str],
    key: bytes,
    origins: frozenset[str],
    sent: Mapping[str, str],
    limits: Limits = Limits(),  # noqa: B008 - it can't be changed
) -> Starlette:
    """Return the desk as an ASGI application: the files of its ``site``, with their ``types`` by suffix, and answers to
    whoever has the ``key``, under these ``origins``, with the headers ``sent``.
    """
    pages = Pages(key, limits)

    async def file(request: Request) -> Response:
        name = request.path_params["name"] or "index.html"
        if name not in site:
            return Response("There is no such page.\n", 404, media_type="text/plain")
        return Response(site[name], media_type=types[PurePosixPath(name).suffix])

    routes = [
        Route("/session", pages.begin, methods=["POST"]),
        Route("/session", pages.leave, methods=["DELETE"]),
        Route("/ask", pages.ask, methods=["POST"]),
        Route("/{name:path}", file),
    ]
    guard = Middleware(Guard, origins, {**sent, "Cache-Control": "no-store", "X-Frame-Options": "DENY"})
    return Starlette(routes=routes, middleware=[guard], lifespan=pages.lifespan)
