"""The desk as a site of files: its pages, styles and scripts, and Python for a browser that runs it."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...notation.basics import GROUP_LETTERS, PLAYER_NAMES
from ...notation.language import ENGLISH, GROUPS, PLAYERS, SIDES, language, languages, phrase, plural, speaking, spoken
from ...replay.engine.api import VIEWS
from ...replay.rules.api import EDITION_NAMES, load_edition
from ..recorder.api import blank
from ..render.pages import (
    COLUMNS,
    LOOK,
    SCRIPTS,
    STYLES,
    as_data,
    asset,
    filled,
    sealed,
    sheet,
    table_data,
    table_symbols,
)
from ..storage.api import CannotRun
from ..storage.sources import ARCHIVE_SUFFIXES, REPORTED_FILES, TEXT_SUFFIXES
from .check import LIMITS, keys
from .desk import BLIND, NAMED, VERSION, catalogue
from .taps import DRAW, KEEP

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PACKAGE: Final = "tironian_pyodide"
"""The package in the extra `desk-offline`: Pyodide's files, with their licences."""
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NOTICES: Final = "licences"
"""The folder beside Pyodide's files that a site also needs."""
FILES: Final = (
    *("desk.js", "game.js", "play.js", "train.js", "check.js", "sheet.js", "event.js", "library.js", "look.js"),
    *("parts.js", "screen.js", "ask.js", "engine.js", "store.js", "watch.js", "language.js"),
    *("desk.css", "check.css", "event.css", "library.css", "look.css", "manifest.webmanifest", "icon.svg"),
)
OFFLINE: Final = {"asked.js": "asked.js", "worker.js": "worker.js", "sw.js": "sw.js"}
SERVED: Final = {"asked.js": "served.js", "sw.js": "leave.js"}
"""The scripts, by their names there, that differ by who answers: Python in the browser, or the installed engine."""
TABLE: Final = {"asked.js": "sent.js"}
"""Those of a table of a club."""
TABLE_FILES: Final = (
    "record.js", "game.js", "parts.js", "screen.js", "engine.js", "store.js", "watch.js", "language.js", "sw.js",
    "desk.css", "manifest.webmanifest", "icon.svg",
)  # fmt: skip
"""The other files of a table of a club."""
VERSIONED_SCRIPTS: Final = ("sw.js", "worker.js")
"""The scripts that know the version of a site."""
ANSWER_PAGES: Final = ("check", "library", "event", "look")
"""The pages besides the first one, which show Python's answers."""
PLAY_PAGES: Final = ("play", "train")
"""The pages for which the program plays or judges."""
NUMBERS: Final = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
"""A number of each kind that languages set apart, by the names of Unicode, under which scripts ask for its form."""
LEFT_OUT: Final = (
    "languages/catalogues.py", "replay/simulation/", "tools/cli/", "tools/club/", "tools/desk/serving/",
    "tools/desk/site.py", "tools/insight/",
)  # fmt: skip
"""Packages that the desk doesn't use. Nothing that it uses may import them, or Python in the browser would fail."""
PURE: Final = ("jinja2", "lark", "markupsafe", "mypy_extensions", "rich")
"""The libraries that it uses, all of them pure Python."""
PARTS: Final = ("grammar", "languages", "notation", "replay", "schemas", "tools")
KINDS: Final = (".py", ".json", ".toml", ".mo", ".lark", ".typed", ".j2", ".css", ".js")
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


@cache
def policy() -> str:
    """Return what the site's pages may load and run: its own files, WebAssembly, and the style and script of a game's
    page, which is shown in a frame; nothing is sent anywhere.
    """

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


def response_headers() -> dict[str, str]:
    """Return the headers that a server should send with each file."""
    return {"Content-Security-Policy": policy(), "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def write_site(output: Path, pyodide: Path | None = None) -> None:
    """Write the site to a folder, which is created if necessary.

    Raise CannotRun if Pyodide's files are not found, OSError if the folder can't be written.
    """
    site = {f"pyodide/{name}": text for name, text in _pyodide_files(pyodide).items()}
    site |= {"tironian.zip": packed(), **_site(OFFLINE)}
    for name, text in _versioned(site).items():
        place = output / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)


def table_site() -> dict[str, bytes]:
    """Return the files of the page on which a table of a club is recorded, by their names."""
    parts = files("tironian.desk")
    pages = _in_each(lambda: _tables(parts, ("record",), by_form=True))
    return _versioned(_looks(parts, TABLE_FILES, TABLE) | pages)


def _versioned(site: dict[str, bytes]) -> dict[str, bytes]:
    """Return a site with its version in the scripts that must know it."""
    version = hashlib.sha256(b"".join([name.encode() + text for name, text in sorted(site.items())])).hexdigest()[:16]
    unlisted = "index.html", "sw.js"
    names = ["./", *[name for name in sorted(site) if f"/{NOTICES}/" not in name and name not in unlisted]]
    about = json.dumps({"version": version, "files": names}, separators=(",", ":"))
    known = {name: site[name] for name in VERSIONED_SCRIPTS if name in site}
    return site | {name: f"const SITE = {about};\n".encode() + text for name, text in known.items()}


def served_site(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files of the desk that the installed engine answers, by their names; ``folder`` keeps its records."""
    return _site(SERVED, folder.absolute().name if folder else "")


def _site(scripts: Mapping[str, str], folder: str = "") -> dict[str, bytes]:
    """Return pages, styles and scripts, some of which are called otherwise here."""
    parts = files("tironian.desk")
    return _looks(parts, FILES, scripts) | _in_each(lambda: _pages(parts, folder))


def _pyodide_files(folder: Path | None) -> dict[str, bytes]:
    """Return Pyodide's files by their names. Raise CannotRun if they are not found."""
    if folder is None:
        found = find_spec(PACKAGE)
        if found is None or not found.submodule_search_locations:
            raise CannotRun(
                phrase(
                    "such a site runs Python in the browser, with Pyodide: `make desk-offline` in Tironian's own "
                    "folder installs it (docs/desk.md), or name the folder of its files with --pyodide"
                )
            )
        folder = Path(found.submodule_search_locations[0])
    missing = [name for name in PYODIDE if not (folder / name).is_file()]
    if missing:
        about = {"folder": folder, "file": missing[0]}
        raise CannotRun(phrase("{folder}: this is not Pyodide, or it is incomplete: it has no {file}", **about))
    held = {name: (folder / name).read_bytes() for name in PYODIDE}
    return held | {f"{NOTICES}/{path.name}": path.read_bytes() for path in sorted(folder.glob(f"{NOTICES}/*"))}


def _pages(parts: Traversable, folder: str) -> dict[str, bytes]:
    """Return the pages in the language that is spoken."""
    words = catalogue()
    data = {
        "folder": folder,
        "suffixes": TEXT_SUFFIXES + ARCHIVE_SUFFIXES,
        "missed": REPORTED_FILES,
        "most": LIMITS,
        "editions": {name: phrase(load_edition(name).title) for name in EDITION_NAMES},
        "views": {view: title for view, (title, _) in words["views"].items()},
        "keys": keys(),
    }
    asking = {_address(name): _page(parts, name, data) for name in ANSWER_PAGES}
    return _tables(parts, ("desk", *PLAY_PAGES), folder) | asking


def _in_each(pages: Callable[[], dict[str, bytes]]) -> dict[str, bytes]:
    """Return pages in each language."""
    found: dict[str, bytes] = {}
    for code in languages():
        with speaking(language(code) or ENGLISH):
            found |= pages()
    return found


def _address(name: str, code: str = "") -> str:
    """Return the file of a page in a language, by default the one that is spoken; English has names without a code."""
    stem, code = "index" if name in ("desk", "record") else name, code or spoken().code
    return f"{stem}.html" if code == ENGLISH.code else f"{stem}.{code}.html"


def _link(name: str, code: str = "") -> str:
    """Return the address by which a page is linked: the first one in English is the folder itself."""
    return "./" if (address := _address(name, code)) == "index.html" else address


def _counted(n: int) -> dict[str, str]:
    """Return what pages say about ``n`` things, in the form for that number; scripts fill in the number itself."""
    field = {"count": "{}"}
    return {
        "more_problems": plural("{count} more", "{count} more", n, **field),
        "alike": plural("{count} repair is equally likely.", "{count} repairs are equally likely.", n, **field),
        "not_sent": plural("↑ {count} not yet at the organiser’s", "↑ {count} not yet at the organiser’s", n, **field),
        "all_sent": plural("✓ {count} at the organiser’s", "✓ {count} at the organiser’s", n, **field),
        "less_likely": plural(
            "And {count} less likely one. Or write your own with “Change the text”.",
            "And {count} less likely ones. Or write your own with “Change the text”.",
            n,
            **field,
        ),
    }


def _looks(parts: Traversable, names: Sequence[str], scripts: Mapping[str, str]) -> dict[str, bytes]:
    """Return styles and scripts, some of which are called otherwise here, and how pages look and draw tables."""
    held = {name: (parts / scripts.get(name, name)).read_bytes() for name in (*names, *scripts)}
    style = "".join(map(asset, (LOOK, "symbols.css", "page.css")))
    return held | {"table.css": style.encode(), "table.js": asset("table.js").encode()}


def _tables(parts: Traversable, pages: Sequence[str], folder: str = "", *, by_form: bool = False) -> dict[str, bytes]:
    """Return the pages on which games are recorded and played, with their symbols and what they need to draw tables;
    ``by_form`` if they go on by the form of words where nobody answers.
    """
    editions = [(name, phrase(load_edition(name).title)) for name in EDITION_NAMES]
    words, tables = catalogue(), [load_edition(name) for name in EDITION_NAMES]
    rules = {table.name: {**table_data(table), "begins": table.starter.rome_may_begin} for table in tables}
    groups = dict.fromkeys(group for table in tables for group in table.groups)
    data = {
        **rules[EDITION_NAMES[0]],
        "rules": rules,
        "folder": folder,
        "by_form": by_form,
        "version": VERSION,
        "choices": [{"key": key[1], "text": words["screen"][key[1]], "by_form": key in (DRAW, KEEP)} for key in NAMED]
        + [{"key": key, "text": words["screen"][said], "by_form": True} for key, said in BLIND.items() if by_form],
        "players": PLAYER_NAMES,
        "called": [player.name for player in PLAYERS],
        "sides": [side.name for side in SIDES],
    }
    values: dict[str, Any] = {
        "headers": words["headers"],
        "editions": editions,
        "sheet_text": blank(EDITION_NAMES[0], {}, "????.??.??"),
        "views": [(view, *words["views"][view]) for view in reversed(VIEWS)],
        "sheet": sheet({name for table in tables for name in table_symbols(table)}),
        "lanes": [{"letter": GROUP_LETTERS[group], "name": GROUPS[group].bare} for group in groups],
        "table": defaultdict(str),
        "players": ("", ""),
        "scored": [(key, phrase(said)) for key, said in COLUMNS.items()],
        "called": [player.name for player in PLAYERS],
        "brief": words["desk"]["editions"],
    }
    return {_address(name): _page(parts, name, data, **values) for name in pages}


def _page(parts: Traversable, name: str, data: Mapping[str, Any], **values: Any) -> bytes:
    """Return a page with what all pages share, with the words of its ``name``, and with ``data`` for its script."""
    known = catalogue()
    table = known["table"] if name in (*PLAY_PAGES, "desk", "record") else {}
    recording = known["desk"] if name == "record" else {}
    forms = {kind: _counted(number) for kind, number in NUMBERS.items()}
    counted = {said: {kind: forms[kind][said] for kind in NUMBERS} for said in forms["other"]}
    words = known["every"] | counted | table | recording | {"heading": known[name]["title"]} | known[name]
    values |= {"name": name, "words": words, "ways": known["ways"], "policy": policy()}
    values |= {"modules": _imported(parts, f"{name}.js")}
    links = {page: _link(page) for page in ("desk", *PLAY_PAGES, *ANSWER_PAGES)}
    values |= {"data": as_data({"words": words, "pages": links, **data}), "links": links, "lang": spoken().code}
    values |= {"languages": [(code, said, _link(name, code)) for code, said in languages().items()]}
    board = [("table_part", "table")] if "lanes" in values else []
    menu = [("menu", "menu")] if name in ("desk", "record") else []
    for part, source in (("switch", "switch"), ("top", "top"), *board, *menu, ("body", name), ("page", "page")):
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
            raise CannotRun(phrase("the desk needs {name}, which is not installed", name=name))
        if spec.submodule_search_locations:
            held |= {f"{name}/{path}": text for path, text in _files(files(name), "")}
        else:
            held[f"{name}.py"] = Path(spec.origin).read_bytes()
        stated = [file for file in distribution(name).files or () if file.match("licenses/*")]
        held |= {f"{NOTICES}/{name}-{file.name}": file.read_binary() for file in stated}
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, text in sorted(held.items()):
            # Without a time, so that the same files give the same zip.
            archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)
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
