"""The desk as a site on this machine, and a browser that opens it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Running, browser
from desk_server import local_desk, offline_site
from imports import PYODIDE
from tironian.tools.desk.site import write_site


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
def offline(site: Path) -> Iterator[str]:
    """The address of the site, whose pages Python in the browser answers."""
    with offline_site(site) as address:
        yield address


@pytest.fixture
def served() -> Iterator[str]:
    """The address of the desk that the installed engine answers."""
    with local_desk() as address:
        yield address


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    with browser() as found:
        yield found
