"""The browser that tests look at pages with: the one that is installed; nothing is downloaded."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser

PATIENCE = 300_000
"""Milliseconds until a browser is thought to hang over one step: far more than it takes on any machine."""
# Root may not use the sandbox, and what is shown here the tests have made. On a starved machine the watchdog thinks
# that the drawing process hangs, and ends it; after that no key is answered.
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-gpu-watchdog"]
# Each window would start two more processes for lists below the address, which nobody opens: a quarter of all processor
# time. The other features are those that Playwright turns off; of several such arguments, the last one counts.
ARGUMENTS += [
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "AvoidCorsURLLoaderRestartOnRedirect,DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,"
    "LensOverlay,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,"
    "TcpPortRandomizationWin,ThirdPartyStoragePartitioning"
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str:
    """Where the browser is. Without one a test is skipped, but where CI is set it fails: there nobody would notice."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    missing = "no Chromium is found; on Debian and Ubuntu: apt-get install chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(missing)
    pytest.skip(missing)


class Running:
    """A browser without a window, and the loop in which it is spoken to."""

    def __init__(self, loop: asyncio.AbstractEventLoop, browser: Browser) -> None:
        self.loop = loop
        self.browser = browser

    async def open(self, path: Path, **options: Any) -> Opened:
        """A file in a window of its own."""
        opened = Opened(self.browser, options)
        await opened.start(path)
        return opened


class Opened:
    """A page in the browser, with all that it asked for and complained of."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.browser = browser
        self.options = options
        self.requests: list[str] = []
        self.complaints: list[str] = []

    async def start(self, path: Path) -> None:
        self.context = await self.browser.new_context(**self.options)
        self.context.set_default_timeout(PATIENCE)
        self.page = await self.context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        await self.page.goto(path.as_uri())

    async def press(self, key: str, times: int = 1) -> None:
        """Real key presses, sent one behind the other without waiting for the picture of each."""
        await asyncio.gather(*[self.page.keyboard.down(key) for _ in range(times)])
        await self.page.keyboard.up(key)

    async def text(self, selector: str) -> str:
        """What somebody can read there."""
        return await self.page.inner_text(selector)

    async def ask(self, script: str) -> Any:
        """What a script in the page answers."""
        return await self.page.evaluate(script)

    async def close(self) -> None:
        """Nothing was fetched but the file itself, and nothing complained of."""
        assert len({url.partition("#")[0] for url in self.requests}) == 1, self.requests
        assert not self.complaints, self.complaints
        await self.context.close()


@contextmanager
def browser() -> Iterator[Running]:
    """A running browser."""
    path = chromium()
    from playwright.async_api import async_playwright

    loop = asyncio.new_event_loop()
    play = loop.run_until_complete(async_playwright().start())
    launched = play.chromium.launch(executable_path=path, args=ARGUMENTS, timeout=PATIENCE)
    found = loop.run_until_complete(launched)
    yield Running(loop, found)
    loop.run_until_complete(found.close())
    loop.run_until_complete(play.stop())
    loop.close()


def visits(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Let a test that speaks to the browser be called as any other; its first parameter is ``running``."""

    @wraps(test)
    def run(running: Running, **given: Any) -> None:
        # A key press and a script have no limit of their own: a lost answer fails this test, not all. Any other step
        # fails by itself before that, and says what it has waited for.
        running.loop.run_until_complete(asyncio.wait_for(test(running, **given), 2 * PATIENCE / 1000))

    return run
