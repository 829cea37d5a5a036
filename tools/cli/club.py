"""``tiro club``: serves an event to the browsers of its organiser and of everybody else."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import click

from .common import as_cli_errors, require_packages, say
from .desk import HOST, lasting_secret, listen, open_secretly, serve

PORT: Final = 8454


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port to serve on.")
@click.option("--open/--no-open", "opens", default=True, help="Open the organiser's page in the browser.")
def club(folder: Path, port: int, opens: bool) -> None:
    """Run an event in the browser.

    FOLDER is the folder of an event, with event.toml and its records, as for `tiro event`. Serves the organiser's page,
    which can do what `tiro event` can, and the public pages, to this machine only.

    \f
    Examples:

        tiro club open/

        tiro club open/ --no-open
    """
    require_packages("starlette", "uvicorn", what="the club needs")
    from ..club.server import Club, application
    from ..desk.site import response_headers

    own = Path(click.get_app_dir("tironian"))
    with as_cli_errors(own):  # each event has its own link
        token = lasting_secret(own, f"club-{sha256(str(folder.absolute()).encode()).hexdigest()[:16]}")
    served = Club(str(folder), token)
    try:
        with listen(port, "a club") as listening:
            port = listening.getsockname()[1]
            origins = frozenset(f"http://{name}:{port}" for name in (HOST, "localhost"))
            address = f"http://{HOST}:{port}/organiser#key={token}"
            sent = {name: value for name, value in response_headers().items() if name != "Content-Security-Policy"}
            say(f"Organiser: {address} (keep it to yourself)", err=False)
            say(f"Everybody: http://{HOST}:{port}/ ; both for this machine only; Ctrl-C ends it", err=False)
            if opens:
                open_secretly(address, own / "club.html")
            serve(application(served, origins, sent), listening)
    finally:
        served.close()
