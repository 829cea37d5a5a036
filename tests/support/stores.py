"""Object stores for tests: a server on this machine that keeps buckets in memory, and fails where it is told to."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RDWR
from threading import Thread
from typing import Any

import pytest
from s3fs import S3FileSystem

DENIED = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


class Store:
    """An S3 server. Every request passes ``fault``, which names what is to go wrong: ``denied`` or ``gone``."""

    def __init__(self) -> None:
        from moto.server import ThreadedMotoServer  # which takes a second

        logging.getLogger("werkzeug").disabled = True
        self._server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self._server.start()
        self._answer, self._server._server.app = self._server._server.app, self._asked
        self._numbers = itertools.count()
        self.requests: list[str] = []
        self.fault: Callable[[str], str] = _well

    @property
    def endpoint(self) -> str:
        return "http://{}:{}".format(*self._server.get_host_and_port())

    def _asked(self, environ: dict[str, Any], start: Callable[..., object]) -> Any:
        request = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        self.requests.append(request)
        match self.fault(request):
            case "denied":
                start("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(DENIED)))])
                return [] if request.startswith("HEAD") else [DENIED]
            case "gone":
                environ["werkzeug.socket"].shutdown(SHUT_RDWR)
                raise ConnectionResetError
        return self._answer(environ, start)

    def anew(self) -> None:
        """Forget what was asked, and let nothing go wrong."""
        self.requests, self.fault = [], _well

    def bucket(self) -> str:
        """Make a new bucket and return its address."""
        name = f"bucket-{next(self._numbers)}"
        S3FileSystem().mkdir(name)
        return f"s3://{name}"

    def stop(self) -> None:
        self._server.stop()


def _well(_request: str) -> str:
    return ""


def after(count: int, method: str, fault: str) -> Callable[[str], str]:
    """Return a fault for every request after so many of a method."""
    seen = itertools.count()

    def happens(request: str) -> str:
        nonlocal lasting
        lasting = lasting or (request.startswith(method) and next(seen) >= count)
        return fault if lasting else ""

    lasting = False
    return happens


@contextmanager
def known(store: Store) -> Iterator[None]:
    """Let the libraries find the store, and nothing else, in the variables that they know."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in {
            "AWS_ENDPOINT_URL": store.endpoint,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_CONFIG_FILE": "/nowhere",
            "AWS_SHARED_CREDENTIALS_FILE": "/nowhere",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_MAX_ATTEMPTS": "1",
        }.items():
            patched.setenv(name, value)
        patched.setattr(S3FileSystem, "retries", 1)
        S3FileSystem.clear_instance_cache()
        yield
        S3FileSystem.clear_instance_cache()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


@contextmanager
def web(folder: Path, handler: type[SimpleHTTPRequestHandler] = _Quiet) -> Iterator[str]:
    """Serve a folder over http; give the address of its root, without a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield "http://{}:{}".format(*server.server_address[:2])
        finally:
            server.shutdown()
            thread.join()


class Failing(_Quiet):
    """Serves a folder, but for what is called so: ``denied``, ``broken``, and ``torn``, which ends in the middle."""

    def do_GET(self) -> None:
        if "denied" in self.path:
            self.send_error(403)
        elif "broken" in self.path:
            self.send_error(500)
        elif "torn" in self.path:
            data = Path(self.translate_path(self.path)).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
        else:
            super().do_GET()

    def do_HEAD(self) -> None:
        if "denied" in self.path:
            self.send_error(403)
        elif "broken" in self.path:
            self.send_error(500)
        else:
            super().do_HEAD()
