"""``tiro club``: serves an event to the browsers of its organiser and of everybody else."""

from __future__ import annotations

import platform
import re
import ssl
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

import click

from ...notation.language import Messages, phrase
from .common import CliError, as_cli_errors, refuse_both, require_packages, say
from .desk import HOST, lasting_secret, listen, open_secretly, serve

PORT: Final = 8454
VALID: Final = timedelta(days=365)
"""How long a certificate is valid, from a day before the start; devices of Apple refuse more than 825 days."""
SWITCHED: Final = 0.0005
"""Seconds after which a thread lets another one run, a tenth of the usual: taps are confirmed while pages are made."""
_NAME: Final = r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?"
_PORTS: Final = {"http": 80, "https": 443}
"""The ports that no address names."""


_FORMS: Final[Messages] = {
    "host": "192.168.1.20 or club.local, without a port",
    "proxy": "https://NAME or https://NAME:PORT",
}
"""How the value of an option looks."""


def _like(pattern: str) -> Callable[[click.Context, click.Parameter, str | None], str]:
    """Return a callback that takes a name or an address as browsers write it, or nothing."""

    def read(_context: click.Context, option: click.Parameter, given: str | None) -> str:
        text = (given or "").lower().removesuffix("/")
        if text and not re.fullmatch(pattern, text):
            form = phrase(_FORMS[option.name or ""])
            raise click.BadParameter(phrase("“{given}” is not of the form {form}", given=given, form=form))
        return text

    return read


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port to serve on.")
@click.option(
    "--host",
    metavar="NAME",
    callback=_like(_NAME),
    help="Serve other devices, too, which reach this machine by this name or address.",
)
@click.option("--tls", is_flag=True, help="Serve https, with a certificate that devices must be told to trust.")
@click.option(
    "--proxy",
    metavar="URL",
    callback=_like(rf"https://{_NAME}(:\d+)?"),
    help="Serve a proxy on this machine, which has this address in the internet.",
)
@click.option(
    "--backup",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write a copy of the folder to a new folder instead, also while it is served.",
)
@click.option("--open/--no-open", "opens", default=True, help="Open the organiser's page in the browser.")
def club(folder: Path, port: int, host: str, tls: bool, proxy: str, backup: Path | None, opens: bool) -> None:
    """Run an event in the browser.

    FOLDER is the folder of an event, with event.toml and its records, as for `tiro event`. Serves the organiser's page,
    which can do what `tiro event` can, and the public pages; without --host and --proxy, to this machine only.

    \f
    Examples:

        tiro club open/

        tiro club open/ --host 192.168.1.20

        tiro club open/ --backup /media/stick/open
    """
    if backup is not None:
        from ..club.folder import back_up

        back_up(folder, backup)
        names = {"copy": backup, "folder": folder}
        say(phrase("{copy}: the copy has been written, and can be served as {folder} is", **names), err=False)
        return
    refuse_both(proxy=proxy, host=host)
    refuse_both(proxy=proxy, tls=tls)
    require_packages("starlette", "uvicorn", *["trustme"] * tls, what=phrase("the club needs"))
    from ..club.folder import only_server
    from ..club.server import Club, application
    from ..desk.site import response_headers

    own = Path(click.get_app_dir("tironian"))
    with as_cli_errors(own):  # each event has its own link
        token = lasting_secret(own, f"club-{sha256(str(folder.absolute()).encode()).hexdigest()[:16]}")
        context, authority = _certified(own, host or HOST) if tls else (None, b"")
    with only_server(folder), listen(port, phrase("a club"), "" if host else HOST) as listening:
        port = listening.getsockname()[1]
        scheme = "https" if tls else "http"
        local, other = (_origin(scheme, name, port) for name in (HOST, "localhost"))
        public = proxy.removesuffix(":443") or (host and _origin(scheme, host, port))
        with closing(Club(str(folder), token, address=public, authority=authority)) as served:
            home = public if public.startswith("https:") else local
            address = f"{home}/organiser#key={token}"
            sent = {name: value for name, value in response_headers().items() if name != "Content-Security-Policy"}
            only = [phrase("for this machine only")]
            keep = "; ".join([phrase("keep it to yourself"), *only * (home == local)])
            ends = "; ".join([f"{public or local}/ ", *only * (not public), phrase("Ctrl-C ends it")])
            say(f"{phrase('Organiser')}: {address} ({keep})", f"{phrase('Everybody')}: {ends}", err=False)
            if tls:
                print_of = sha256(ssl.PEM_cert_to_DER_cert(authority.decode())).hexdigest().upper()
                where = f"{public or local}/club-ca.crt"
                say(phrase("Certificate: {address} ; its SHA-256 is {sum}", address=where, sum=print_of), err=False)
            if opens:
                open_secretly(address, own / "club.html")
            sys.setswitchinterval(SWITCHED)
            serve(application(served, frozenset((local, other, public)) - {""}, sent), listening, context)


def _origin(scheme: str, name: str, port: int) -> str:
    """Return an origin as browsers write it."""
    return f"{scheme}://{name}" if port == _PORTS[scheme] else f"{scheme}://{name}:{port}"


def _certified(own: Path, name: str) -> tuple[ssl.SSLContext, bytes]:
    """Return what a server of this machine and a name needs for https, and the certificate that devices must trust for
    it. That one is made once; it and its key are kept in one file.
    """
    import trustme

    def new() -> str:
        made = trustme.CA(
            path_length=0, organization_name="Tironian", organization_unit_name=f"tiro club on {platform.node()}"
        )
        return (made.private_key_pem.bytes() + made.cert_pem.bytes()).decode("ascii")

    file = "club-ca.pem"
    pem = lasting_secret(own, file, new).encode()
    try:
        authority = trustme.CA.from_pem(pem, pem)
    except ValueError:
        told = phrase("{path}: this is damaged; delete it, and have devices trust the next one", path=own / file)
        raise CliError(told) from None
    context, begin = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), datetime.now(UTC) - timedelta(days=1)
    names = dict.fromkeys((name, HOST, "localhost"))
    authority.issue_cert(*names, not_before=begin, not_after=begin + VALID).configure_cert(context)
    return context, authority.cert_pem.bytes()
