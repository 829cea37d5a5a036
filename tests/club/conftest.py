"""One browser for all tests of pages that a process runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Running, browser


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    with browser() as found:
        yield found
