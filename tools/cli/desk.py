"""``tiro desk``: opens the desk, pages on which games are recorded and checked, or writes it as a site of files."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import secrets
import socket
import webbrowser
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import click

from ...notation.cards import GROUP_LETTERS, GROUP_NAMES, PLAYER_NAMES, SIDE_NAMES
from ...replay.editions.edition import EDITION_NAMES, load_edition
from ...replay.engine.headers import VIEWS
from ..render.page_steps import COLUMNS
from ..storage.sources import ARCHIVE_SUFFIXES, MISSED, TEXT_SUFFIXES
from .common import Trouble, need, say, telling

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PACKAGE: Final = "tironian_pyodide"
"""The package in the extra `desk-offline`: Pyodide's files, with their licences."""
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NOTICES: Final = "licences"
"""The folder beside Pyodide's files that a site also needs."""
SCRIPTS: Final = (
    *("desk.js", "play.js", "train.js", "check.js", "sheet.js", "event.js", "library.js", "look.js"),
    *("parts.js", "screen.js", "ask.js", "engine.js", "store.js", "watch.js"),
    *("desk.css", "check.css", "event.css", "library.css", "look.css", "manifest.webmanifest", "icon.svg"),
)
OFFLINE: Final = {"asked.js": "asked.js", "worker.js": "worker.js", "sw.js": "sw.js"}
SERVED: Final = {"asked.js": "served.js", "sw.js": "leave.js"}
"""The scripts, by their names there, that differ by who answers: Python in the browser, or the installed engine."""
SITED: Final = ("sw.js", "worker.js")
"""The scripts that know the version of a site."""
ASKING: Final = ("check", "library", "event", "look")
"""The pages besides the first one, which show Python's answers."""
PLAYED: Final = ("play", "train")
"""The pages for which the program plays or judges."""
LEFT_OUT: Final = ("replay/simulation/", "tools/cli/", "tools/desk/serving/", "tools/insight/")
"""Packages that the desk doesn't use. Nothing that it uses may import them, or Python in the browser would fail."""
PURE: Final = ("jinja2", "lark", "markupsafe", "mypy_extensions", "rich")
"""The libraries that it uses, all of them pure Python."""
PARTS: Final = ("grammar", "notation", "replay", "schemas", "tools")
KINDS: Final = (".py", ".json", ".toml", ".lark", ".typed", ".j2", ".css", ".js")
HOST: Final = "127.0.0.1"
PORT: Final = 8453
"""Always the same port: a browser keeps records by the site's address, and the port is part of it."""
TYPES: Final = {
    ".html": "text/html",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
"""The kinds of the site's files, which are not left to what a system knows about suffixes."""


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
    "pyodide",
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
            raise click.UsageError("a site keeps no folder of records: leave out the folder, or -o")
        with telling(output):
            write_site(output, pyodide)
        say(f"{output}: the desk has been written; serve this folder at an address that begins with https", err=False)
        return
    need("starlette", "uvicorn", what="the desk needs")
    _serve(folder, port, opens)


def _serve(folder: Path | None, port: int, opens: bool) -> None:
    """Serve the desk, with the folder of its records if there is one, until Ctrl-C."""
    import uvicorn

    from ..desk.serving.answering import Limits
    from ..desk.serving.pages import application

    own = Path(click.get_app_dir("tironian"))
    with telling(own):
        key = _key(own)
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        hosts = frozenset(f"{name}:{port}" for name in (HOST, "localhost"))
        address = f"http://{HOST}:{port}/#key={key}"
        limits = Limits(folder=folder and folder.absolute(), own=own)
        app = application(served_site(folder), TYPES, key.encode(), hosts, sent(), limits)
        say(f"The desk is at {address} , for this machine only; Ctrl-C ends it", err=False)
        if opens:
            # The address is not handed over: another user of this machine could see it in the list of processes.
            page = own / "desk.html"
            with telling(page):
                page.unlink(missing_ok=True)
                _write_secret(page, f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">')
            webbrowser.open(page.as_uri())
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run([listening])


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on this machine. Raise Trouble if that fails."""
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise Trouble.of(f"{HOST}:{port}", error) from None
        raise Trouble(
            f"{HOST}:{port} is in use, perhaps by a desk that is already open: use the address that it has printed, or "
            "choose another port with --port (the browser keeps games for each port separately)"
        ) from None


def _key(own: Path) -> str:
    """Return the desk's key, which only this user can read. It lasts, so that pages go on when the desk is back."""
    place = own / "desk-key"
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not place.exists():
        _write_secret(place, secrets.token_urlsafe(32))
    return place.read_text(encoding="ascii")


def _write_secret(place: Path, text: str) -> None:
    """Write a file that only this user can read."""
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)


@cache
def policy() -> str:
    """Return what the site's pages may load and run: its own files, WebAssembly, and the style and script of a game's
    page, which is shown in a frame; nothing is sent anywhere.
    """
    from ..render.page import SCRIPTS, STYLES
    from ..render.templating import sealed

    style, script = re.findall(r"'sha256-[^']+'", sealed(STYLES, SCRIPTS)["policy"])
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'wasm-unsafe-eval' {script}",
            f"style-src 'self' {style}",
            "img-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self'",
            "frame-src blob:",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def sent() -> dict[str, str]:
    """Return the headers that a server should send with each file."""
    return {
        "Content-Security-Policy": policy(),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


def write_site(output: Path, pyodide: Path | None = None) -> None:
    """Write the site to a folder, which is created if necessary.

    Raise Trouble if Pyodide's files are not found, OSError if the folder can't be written.
    """
    site = {f"pyodide/{name}": text for name, text in _pyodide_files(pyodide).items()}
    site |= {"tironian.zip": packed(), **_site(OFFLINE)}
    version = hashlib.sha256(b"".join([name.encode() + text for name, text in sorted(site.items())])).hexdigest()[:16]
    unlisted = "index.html", "sw.js"
    names = ["./", *[name for name in sorted(site) if f"/{NOTICES}/" not in name and name not in unlisted]]
    about = json.dumps({"version": version, "files": names}, separators=(",", ":"))
    for name in SITED:
        site[name] = f"const SITE = {about};\n".encode() + site[name]
    for name, text in site.items():
        place = output / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)


def served_site(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files of the desk that the installed engine answers, by their names; ``folder`` keeps its records."""
    return _site(SERVED, folder.absolute().name if folder else "")


def _site(scripts: Mapping[str, str], folder: str = "") -> dict[str, bytes]:
    """Return pages, styles and scripts, some of which are called otherwise here."""
    parts = files("tironian.desk")
    named = {name: name for name in SCRIPTS} | {**scripts}
    return {name: (parts / here).read_bytes() for name, here in named.items()} | _pages(parts, folder)


def _pyodide_files(folder: Path | None) -> dict[str, bytes]:
    """Return Pyodide's files by their names. Raise Trouble if they are not found."""
    if folder is None:
        found = find_spec(PACKAGE)
        if found is None or not found.submodule_search_locations:
            raise Trouble(
                "such a site runs Python in the browser, with Pyodide: `make desk-offline` in Tironian's own folder "
                "installs it (docs/desk.md), or name the folder of its files with --pyodide"
            )
        folder = Path(found.submodule_search_locations[0])
    missing = [name for name in PYODIDE if not (folder / name).is_file()]
    if missing:
        raise Trouble(f"{folder}: this is not Pyodide, or it is incomplete: it has no {missing[0]}")
    held = {name: (folder / name).read_bytes() for name in PYODIDE}
    return held | {f"{NOTICES}/{path.name}": path.read_bytes() for path in sorted(folder.glob(f"{NOTICES}/*"))}


def _pages(parts: Traversable, folder: str) -> dict[str, bytes]:
    """Return the pages, and how they look and draw tables."""
    from ..desk.check import LIMITS, keys
    from ..desk.desk import catalogue
    from ..render.templating import LOOK, asset

    words, editions = catalogue(), [(name, load_edition(name).title) for name in EDITION_NAMES]
    data = {
        "folder": folder,
        "suffixes": TEXT_SUFFIXES + ARCHIVE_SUFFIXES,
        "missed": MISSED,
        "most": LIMITS,
        "editions": dict(editions),
        "views": {view: title for view, (title, _) in words["views"].items()},
        "keys": keys(),
    }
    asking = {f"{name}.html": _page(parts, name, data) for name in ASKING}
    style = "".join(map(asset, (LOOK, "symbols.css", "page.css")))
    looks = {"table.css": style.encode(), "table.js": asset("table.js").encode()}
    return {**_tables(parts, editions, folder), **asking, **looks}


def _tables(parts: Traversable, editions: Sequence[tuple[str, str]], folder: str) -> dict[str, bytes]:
    """Return the pages on which games are recorded and played, with their symbols and what they need to draw tables."""
    from ..desk.desk import NAMED, VERSION, catalogue
    from ..desk.taps import DRAW, KEEP
    from ..recorder.questions import blank
    from ..render.symbols import sheet, table_data, table_symbols

    words, tables = catalogue(), [load_edition(name) for name in EDITION_NAMES]
    rules = {table.name: {**table_data(table), "begins": table.starter.rome_may_begin} for table in tables}
    groups = dict.fromkeys(group for table in tables for group in table.groups)
    data = {
        **rules[EDITION_NAMES[0]],
        "rules": rules,
        "folder": folder,
        "version": VERSION,
        "choices": [{"key": key[1], "text": words["screen"][key[1]], "by_form": key in (DRAW, KEEP)} for key in NAMED],
        "players": PLAYER_NAMES,
        "sides": SIDE_NAMES,
    }
    values: dict[str, Any] = {
        "headers": words["headers"],
        "editions": editions,
        "sheet_text": blank(EDITION_NAMES[0], {}, "????.??.??"),
        "views": [(view, *words["views"][view]) for view in reversed(VIEWS)],
        "sheet": sheet({name for table in tables for name in table_symbols(table)}),
        "lanes": [{"letter": GROUP_LETTERS[group], "name": GROUP_NAMES[group]} for group in groups],
        "table": defaultdict(str),
        "players": ("", ""),
        "device": words["table"]["busts"],
        "scored": COLUMNS.items(),
        "brief": words["desk"]["editions"],
    }
    pages = {"index.html": "desk"} | {f"{name}.html": name for name in PLAYED}
    return {name: _page(parts, page, data, **values) for name, page in pages.items()}


def _page(parts: Traversable, name: str, data: Mapping[str, Any], **values: Any) -> bytes:
    """Return a page with what all pages share, with the words of its ``name``, and with ``data`` for its script."""
    from ..desk.desk import catalogue
    from ..render.templating import as_data, filled

    known = catalogue()
    table = known["table"] if name in (*PLAYED, "desk") else {}
    words = {"heading": known[name]["title"]} | known["every"] | table | known[name]
    values |= {"name": name, "words": words, "ways": known["ways"], "policy": policy()}
    values |= {"modules": _imported(parts, f"{name}.js")}
    values |= {"data": as_data({"words": words, **data})}
    board = [("table_part", "table")] if "lanes" in values else []
    for part, source in (("top", "top"), *board, ("body", name), ("page", "page")):
        values[part] = filled((parts / f"{source}.html").read_text(encoding="utf-8"), **values)
    return values["page"].encode()


def _imported(parts: Traversable, script: str) -> list[str]:
    """Return the names of the modules that a script imports, directly or not: a browser that knows them asks for all of
    them at once.
    """
    names = [script]
    for name in names:
        text = (parts / name).read_text(encoding="utf-8")
        found = re.findall(r'^import .* from "\./(\w+\.js)";$', text, re.MULTILINE)
        names += [each for each in found if each not in names]
    return names[1:]


def packed() -> bytes:
    """Return what Python imports in the browser, as one zip file: the project's files and the libraries they need, with
    their licences.
    """
    held = {f"tironian/{name}": text for name, text in _files(files("tironian"), "") if name.count("/") == 0}
    for part in PARTS:
        for name, text in _files(files(f"tironian.{part}"), ""):
            if not f"{part}/{name}".startswith(LEFT_OUT):
                held[f"tironian/{part}/{name}"] = text
    for name in PURE:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise Trouble(f"the desk needs {name}, which is not installed")
        if spec.submodule_search_locations:
            held |= {f"{name}/{path}": text for path, text in _files(files(name), "")}
        else:
            held[f"{name}.py"] = Path(spec.origin).read_bytes()
        stated = [file for file in distribution(name).files or () if file.match("licenses/*")]
        held |= {f"{NOTICES}/{name}-{file.name}": file.read_binary() for file in stated}
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, text in sorted(held.items()):
            archive.writestr(
                ZipInfo(name), text, ZIP_DEFLATED
            )  # without a time, so that the same files give the same zip
    return out.getvalue()


def _files(folder: Traversable, above: str) -> list[tuple[str, bytes]]:
    """Return the files of a package that Python reads in the browser, by their paths within it."""
    found: list[tuple[str, bytes]] = []
    for path in folder.iterdir():
        if path.is_dir():
            found += _files(path, f"{above}{path.name}/")
        elif path.name.endswith(KINDS):
            found.append((above + path.name, path.read_bytes()))
    return found
