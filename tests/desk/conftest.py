"""The desk as a site on this machine, and a browser that opens it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import Running, browser
from desk_server import Remembering
from imports import PYODIDE
from tironian.replay.cli.desk import write_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as files; without Pyodide a test is skipped, but where CI is set it fails."""
    if not PYODIDE.exists():
        missing = "Pyodide is not installed here: make webassembly needs npm"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("desk")
    write_site(folder, PYODIDE)
    return folder


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the site, each time another one, so that no test meets the games of another."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Remembering, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    with browser() as found:
        yield found
