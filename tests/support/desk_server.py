"""The desk on this machine: answered by the installed engine, or as a site, with which Python runs in the browser."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import uvicorn
from tironian.tools.cli.desk import HOST
from tironian.tools.desk.serving.pages import Limits, application
from tironian.tools.desk.site import TYPES, response_headers, served_site

KEY = "the-key-of-all-tests"
WITH_KEY = f'if (!location.hash) history.replaceState(null, "", `${{location.href}}#key={KEY}`);'
"""Opens each page as `tiro desk` opens the first one."""
site = cache(served_site)


class Handler(SimpleHTTPRequestHandler):
    """Serves a site as any server may do, with the headers that the desk asks for."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES

    def end_headers(self) -> None:
        """Send the policy."""
        for name, value in response_headers().items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log no requests."""


class Remembering(Handler):
    """Serves the site, and what the first page of a test run says of Python's memory once it has started."""

    memory: ClassVar = b""
    key: ClassVar = ""

    def do_POST(self) -> None:
        """Keep the memory."""
        Remembering.memory = self.rfile.read(int(self.headers["content-length"]))
        Remembering.key = self.headers["x-key"]
        self.send_response(204)
        self.end_headers()

    def do_GET(self) -> None:
        """Send the memory, or a file of the site."""
        if self.path == "/memory":
            self.send_response(200)
            self.send_header("x-key", self.key)
            self.end_headers()
            self.wfile.write(self.memory)
        else:
            super().do_GET()


class Offline(str):
    """The address of a site on which Python runs in the browser."""

    __slots__ = ()


@contextmanager
def offline_site(folder: Path, handler: type[Handler] = Remembering, port: int = 0) -> Iterator[Offline]:
    """Serve a folder, mostly at a new address, so that no test meets the games of another."""
    with ThreadingHTTPServer((HOST, port), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Offline(f"http://{HOST}:{server.server_port}/")
        server.shutdown()
        thread.join()


@contextmanager
def local_desk(port: int = 0, folder: Path | None = None, own: Path | None = None, **limits: float) -> Iterator[str]:
    """Serve the desk as `tiro desk` does, in a thread."""
    with socket.create_server((HOST, port)) as listening:
        host = f"{HOST}:{listening.getsockname()[1]}"
        app = application(
            site(folder),
            TYPES,
            KEY.encode(),
            frozenset([f"http://{host}"]),
            response_headers(),
            Limits(folder=folder, user_folder=own, **limits),
        )
        server = uvicorn.Server(uvicorn.Config(app, loop="asyncio", http="h11", log_level="warning", access_log=False))
        server.config.timeout_graceful_shutdown = 1
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        yield f"http://{host}/"
        server.should_exit = True
        thread.join()
