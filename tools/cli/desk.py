"""``tiro desk``: opens the desk, pages on which games are recorded and checked, or writes it as a site of files."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ...notation.language import phrase
from .common import CliError, as_cli_errors, require_packages, say

if TYPE_CHECKING:
    from ssl import SSLContext

    from starlette.applications import Starlette

HOST: Final = "127.0.0.1"
PORT: Final = 8453
"""Always the same port: a browser keeps records by the site's address, and the port is part of it."""


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the desk as a site to this folder instead; there, Python runs in the browser.",
)
@click.option(
    "--pyodide",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="With -o: where Pyodide's files are, if not in the package of the extra “desk-offline”.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port to serve on; the browser keeps records for each port separately.",
)
@click.option("--open/--no-open", "opens", default=True, help="Open the browser.")
def desk(folder: Path | None, output: Path | None, pyodide: Path | None, port: int, opens: bool) -> None:
    """Record games by taps in a browser, without a network.

    Without -o, serves the desk to this machine only, at 127.0.0.1, and opens it. With a FOLDER, each game is a file
    there, which grows with every tap, and the folder is the library. Otherwise, games stay in the browser, under the
    address of the site, until they are saved as files.

    With -o, writes the site: files for any server whose address begins with https.

    \f
    Examples:

        tiro desk

        tiro desk games/

        tiro desk -o site/
    """
    if output is not None:
        if folder is not None:
            raise click.UsageError(phrase("a site keeps no folder of records: leave out the folder, or -o"))
        from ..desk.site import write_site

        with as_cli_errors(output):
            write_site(output, pyodide)
        say(
            phrase(
                "{folder}: the desk has been written; serve this folder at an address that begins with https",
                folder=output,
            ),
            err=False,
        )
        return
    require_packages("starlette", "uvicorn", what=phrase("the desk needs"))
    _serve(folder, port, opens)


def _serve(folder: Path | None, port: int, opens: bool) -> None:
    """Serve the desk, with the folder of its records if there is one, until Ctrl-C."""
    from ..desk.serving.pages import Limits, application
    from ..desk.site import TYPES, response_headers, served_site

    own = Path(click.get_app_dir("tironian"))
    with as_cli_errors(own):
        key = lasting_secret(own, "desk-key")
    with listen(port, phrase("a desk")) as listening:
        port = listening.getsockname()[1]
        origins = frozenset(f"http://{name}:{port}" for name in (HOST, "localhost"))
        address = f"http://{HOST}:{port}/#key={key}"
        limits = Limits(folder=folder and folder.absolute(), user_folder=own)
        app = application(served_site(folder), TYPES, key.encode(), origins, response_headers(), limits)
        say(phrase("The desk is at {address} , for this machine only; Ctrl-C ends it", address=address), err=False)
        if opens:
            open_secretly(address, own / "desk.html")
        serve(app, listening)


def open_secretly(address: str, page: Path) -> None:
    """Open an address in the browser by way of a ``page`` that only this user can read: an address that is handed over
    could be seen by others in the list of processes.
    """
    with as_cli_errors(page):
        page.unlink(missing_ok=True)
        _write_secret(page, f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">')
    webbrowser.open(page.as_uri())


def serve(app: Starlette, listening: socket.socket, tls: SSLContext | None = None) -> None:
    """Serve an application on a socket until Ctrl-C, by https if there is a context for it."""
    import uvicorn

    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    config.load()
    config.ssl = tls
    uvicorn.Server(config).run([listening])


def listen(port: int, what: str, host: str = HOST) -> socket.socket:
    """Return a socket that listens to this machine, or to all if ``host`` is empty. Raise CliError if that fails;
    ``what`` may be using the port.
    """
    try:
        listening = socket.create_server((host, port))
        # asyncio would set it, but not where a socket does not name its protocol: answers would wait for 40 ms.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise CliError.of(f"{HOST}:{port}", error) from None
        raise CliError(
            phrase(
                "{address} is in use, perhaps by {what} that is already open: use the address that it has printed, or "
                "choose another port with --port (the browser keeps games for each port separately)",
                address=f"{HOST}:{port}",
                what=what,
            )
        ) from None


def lasting_secret(own: Path, name: str, new: Callable[[], str] = lambda: secrets.token_urlsafe(32)) -> str:
    """Return a secret that only this user can read. It lasts, so that pages go on when their server is back."""
    place = own / name
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        if found := place.read_text(encoding="ascii"):
            return found
    place.unlink(missing_ok=True)  # an empty one, left by a full disk, would let anybody in
    _write_secret(place, new())
    return place.read_text(encoding="ascii")


def _write_secret(place: Path, text: str) -> None:
    """Write a file that only this user can read."""
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
