"""Every state of the desk: nothing keeps anybody from using it, however long its words, and however large it is shown.
No text becomes a program."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import desk_server
import pytest
from browser import Running, visits
from desk_server import Handler, offline_site
from imports import PYODIDE
from marks import COVERED, CUT, WIDE, unmarked, words_of
from pages import HOSTILE
from playwright.async_api import Page
from scale import FULL, scaled
from tapping import begun, start_of, tapped, written_by
from test_desk_browser import INJECTED, OPENING, SIZES, SMALL, Visit, bust, card, faults, group, window
from test_desk_check_browser import ALL, LEGAL, OPEN, SHEETS, SIXTH, drop
from test_desk_library_browser import small_event
from test_desk_look_browser import handed
from test_desk_tournament import SET_UP
from tironian import parse
from tironian.notation.language import PSEUDO
from tironian.tools.desk import desk
from tironian.tools.desk import site as site_module
from tironian.tools.desk.desk import VERSION
from tironian.tools.desk.site import write_site

pytestmark = [pytest.mark.slow, pytest.mark.process]


BARE = LEGAL.replace('[Rules "2024"]', "")
"""A record that names no rules."""
PROTOTYPE = ["__proto__", "constructor", "toString", "hasOwnProperty"]
"""Names that each object of JavaScript answers to, so that a look-up by one of them finds something."""
END = {"tap": "choice", "choice": "end"}
TOURNAMENT: dict[str, list[Any]] = {
    "a turn": [END, *OPENING[:2], END],
    "within a word": [card("R", "4"), group("P"), bust("A"), card("R", "4")],
    "left and back": [{"tap": "left", "at": 1_000}, {"tap": "back", "at": 61_000}],
    "over": [END, {"tap": "choice", "choice": "/end normal"}],
}
"""Taps of a player in tournament mode, who has tapped the set-up."""


@cache
def states() -> dict[str, dict[str, Any]]:
    """A journal for each kind of screen: which kinds of buttons it has, and whether a word has been begun."""
    found: dict[str, dict[str, Any]] = {}
    for rules, view, seed in [("2024", "caesar", 1), ("fr", "table", 3), ("1997", "cleopatra", 5)][: scaled(2, 3)]:
        record = written_by(view, rules, seed)
        game, taps = begun(record, view), []

        def note(screen: dict[str, Any], start: dict[str, Any], taps: list[Any]) -> None:
            kinds = [kind for kind, offered in screen["offers"].items() if offered and kind != "deeds"]
            name = ", ".join([*kinds, *["over"] * screen["over"], *["within a word"] * bool(screen["word"])])
            found.setdefault(name, {"desk": VERSION, "start": start, "taps": [*taps]})

        start = start_of(record, view)
        note(game.screen(), start, taps)
        for tap in tapped(game, record):
            taps.append(tap)
            note(game.screen(), start, taps)
    some = next(iter(found.values()))
    start = {"rules": "2024", "view": "caesar", "headers": {"Caesar": "Livia"}, "tournament": True}
    taps = [tap for each, letter in zip(SET_UP, "PQAKC", strict=True) for tap in (each, group(letter))]
    for name, more in TOURNAMENT.items():
        taps += more
        found[f"tournament, {name}"] = {"desk": VERSION, "start": start, "taps": [*taps]}
    found["refused"] = {**some, "taps": [*some["taps"], {"tap": "text", "text": "5Q 5Q 5Q"}]}
    found["of a newer desk"] = {**some, "desk": 9, "taps": [{"tap": "drum"}]}
    return found


async def shown(visit: Visit, journal: dict[str, Any]) -> None:
    """Open a journal."""
    file = {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(journal).encode()}
    await visit.page.set_input_files("#journal", files=[file])
    if journal["start"].get("tournament"):  # no table is shown
        await visit.page.wait_for_selector(f"#desk[data-read='{await visit.taken()}']:visible")
    else:
        await visit.read()


# --------------------------------------------------------------------------------------------------------- long words


def lengthened(words: str) -> str:
    """A catalogue in which each word is twice as long, as in German: values alone, and no placeholders."""

    def longer(found: re.Match[str]) -> str:
        return re.sub(r"(?<![{\w.])[^\W\d_]{2,}", lambda word: word[0] + word[0].lower(), found[0])

    lines = [line if line.startswith(("#", "[")) else re.sub(r'"[^"]*"', longer, line) for line in words.splitlines()]
    return "\n".join(lines)


LOOKS = [("long_words", "en", 2, "dark"), ("marked", PSEUDO, 1, "light"), ("served", "de", 1, "light")]
LOOKS += [("served", "fr", 1, "dark"), ("served", "en", 1, "light")]
"""Words, language, enlargement, and colours of the page of checking; in a small run long words on a phone, where there
is least room for them, and a language in which each letter is marked that is in the catalogues."""
SEEN = LOOKS if FULL else LOOKS[:2]
TYPED = {*re.findall(r"\w+", "Livia Ada Caesar Cleopatra Marcus Bernd Ohlsen Greta Vosskuhl Simulated games Open")}
TYPED |= {
    *re.findall(r"\w+", "Thursday club event unfinished fine broken It was played that way Site NAME English Dec")
}
TYPED |= {"long", "Long" * 40, "English", "Pseudo"}
"""Names, what is written into records and commands, and what the browser says in a language that it doesn't know."""


@pytest.fixture(scope="session")
def long_words(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the desk in long words."""
    place = "tironian/tools/desk/words.toml"
    words = lengthened((Path(desk.__file__).parent / "words.toml").read_text(encoding="utf-8"))
    folder = tmp_path_factory.mktemp("long") / "site"
    with pytest.MonkeyPatch.context() as patch:
        for module in (desk, site_module):
            patch.setattr(module, "catalogue", lambda: desk.tomllib.loads(words))
        write_site(folder, PYODIDE)
    short = folder / "short.zip"
    shutil.move(folder / "tironian.zip", short)
    with ZipFile(short) as given, ZipFile(folder / "tironian.zip", "w", ZIP_DEFLATED) as made:
        assert place in given.namelist()
        for name in given.namelist():
            made.writestr(name, words if name == place else given.read(name))
    with offline_site(folder, Handler) as address:
        yield address


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the desk with pages in the language that marks each letter."""
    monkeypatch.setattr(site_module, "languages", lambda: {"en": "English", PSEUDO: "Pseudo"})
    desk_server.site.cache_clear()
    with desk_server.local_desk() as address:
        yield address
    desk_server.site.cache_clear()


def page_at(address: str, name: str, code: str) -> str:
    """The address of a page in a language."""
    return address + name + (".html" if code == "en" else f".{code}.html")


async def wrong_of(page: Page, code: str, *selectors: str) -> list[Any]:
    """What is wrong with a page: it is too wide, something is cut off or too small, or has no mark, or axe-core finds
    something, but for the marked language itself.
    """
    found = [await page.evaluate(selector) for selector in (WIDE, CUT, COVERED, *selectors)] + [await faults(page)]
    if code == PSEUDO:
        found[-1] = [each for each in found[-1] if f'lang="{PSEUDO}"' not in each]
        found.append(sorted(unmarked(words_of(await page.content()), TYPED)))
    return found


@pytest.mark.parametrize("look", SEEN)
@pytest.mark.parametrize("size", [*SIZES][: scaled(1, 2)])
@visits
async def test_no_state_keeps_anybody_from_using_it(
    running: Running, size: str, look: tuple[str, str, int, Any], request: pytest.FixtureRequest, tmp_path: Path
):
    """Each state as it is, in other languages, and in long words and twice as large: nothing is cut off, no word is
    missing in the catalogues, and axe-core finds nothing.
    """
    words, code, zoom, _ = look
    address = request.getfixturevalue(words)
    width, height = (side // zoom for side in SIZES[size])
    context, visit = await window(running, viewport={"width": width, "height": height}, device_scale_factor=zoom)
    page, broken = visit.page, {}

    async def look_at(name: str) -> None:
        if any(wrong := await wrong_of(page, code, *[SMALL] * name.startswith("library"))):
            broken[name] = wrong

    for name, journal in [*states().items()][:: scaled(20, 1)]:
        await page.goto(page_at(address, "index", code))
        await page.wait_for_selector("#begin[data-games]")
        await shown(visit, journal)
        await look_at(name)
    await page.evaluate("document.querySelector('#notice .hush').click()")
    await page.tap("#more")
    await look_at("more")
    await page.goto(page_at(address, "index", code))
    await page.wait_for_selector("#kept li")
    await page.tap("#start summary")
    await look_at("begin")
    await page.goto(page_at(address, "library", code))
    await page.wait_for_selector("html[data-told]")
    await page.evaluate("window.all = (selector) => [...document.querySelectorAll(selector)]")
    await look_at("library")
    long = LEGAL.replace('[Caesar "', f'[Caesar "{"Long" * 40}')
    kept = int(await page.get_attribute("html", "data-games") or 0)
    await page.set_input_files("#files", files=[{"name": "a.tiro", "mimeType": "", "buffer": long.encode()}])
    for deed, more in ("", 1), ("#games button", 0), ("#said button", 1):
        if deed:
            await page.locator(deed).first.tap()
        await page.wait_for_selector(f"html[data-games='{kept + more}']")
        await look_at(f"library after {deed}")
    await page.goto(page_at(address, "event", code))
    await page.evaluate("window.all = (selector) => [...document.querySelectorAll(selector)]")
    await look_at("event")
    await page.set_input_files("#folder", small_event(tmp_path / "club", {"a.tiro": LEGAL, "b.tiro": BARE}))
    await page.wait_for_selector("html[data-told]")
    await look_at("event that is read")
    for name, text in ("unruled", BARE), ("look", LEGAL):
        await handed(page, page_at(address, "look", code), text)
        await page.evaluate("window.all = (selector) => [...document.querySelectorAll(selector)]")
        await page.wait_for_selector("#unruled" if text == BARE else "html[data-shown]")
        await look_at(name)
    await page.tap("#more")
    await look_at("more of a game")
    await page.tap("#to-sheet")
    await look_at("score sheet")
    assert not broken, json.dumps(broken, indent=1)
    await context.close()


@pytest.mark.parametrize("look", SEEN)
@pytest.mark.parametrize("size", [*SIZES][: scaled(1, 2)])
@visits
async def test_no_state_of_checking_keeps_anybody_from_using_it(
    running: Running, size: str, look: tuple[str, str, int, Any], request: pytest.FixtureRequest
):
    """The page of checking with nothing, with all kinds of logs, while sheets are joined, and while one is typed."""
    words, code, zoom, scheme = look
    width, height = (side // zoom for side in SIZES[size])
    viewport = {"width": width, "height": height}
    context, visit = await window(running, viewport=viewport, device_scale_factor=zoom, color_scheme=scheme)
    page, broken = visit.page, {}

    async def look_at(name: str) -> None:
        if any(wrong := await wrong_of(page, code, f"{ALL};{SMALL}")):
            broken[name] = wrong

    await page.goto(page_at(request.getfixturevalue(words), "check", code))
    await page.evaluate(f"{ALL}; null")
    await look_at("empty")
    logs = {
        "broken.tiro": SIXTH.read_text(encoding="utf-8"),
        **SHEETS,
        "unfinished.tiro": LEGAL[:-20],
        "fine.tiro": LEGAL,
    }
    curly = LEGAL.replace('"', "”") + f"1R {'x' * 300}\n"
    await drop(page, {**logs, f"{'long' * 40}.tiro": curly})
    await page.wait_for_selector(".meant li")
    await look_at("proposed")
    await page.tap("#joins button.main")
    await page.wait_for_selector(".versions")
    await look_at("joined")
    await page.evaluate(OPEN.replace("#check details", "#fine, #fine details"))  # of others repairs would be looked for
    await page.locator("#fine .join").last.tap()
    await look_at("chosen")
    await page.fill("#typed", LEGAL[: LEGAL.index("\n3R") + 4])
    await page.tap("#keys")
    await page.press("#typed", "Tab")
    await page.wait_for_selector("#offers button")
    await look_at("typed")
    assert not broken, json.dumps(broken, indent=1)
    await context.close()


# -------------------------------------------------------------------------------------------------------- hostile texts


@visits
async def test_no_text_becomes_a_program(running: Running, served: str):
    context, visit = await window(running, served)
    asked: list[str] = []
    visit.page.on("dialog", lambda dialog: asked.append(dialog.message))
    record = parse(HOSTILE)[0].record
    headers = dict(record.headers)
    texts = [value for _, value in record.headers] + [
        "<img src=x onerror=window.harmed=1>",
        "javascript:harmed=1",
        *PROTOTYPE,
    ]
    typed = [{"tap": "text", "text": text} for text in [*texts, *[f"/note {text}" for text in texts]]]
    odd = [{"tap": text} for text in texts] + [{"tap": "choice", "choice": text} for text in texts]
    odd += [{"tap": "card", "of": text, "card": text, "face": text} for text in texts] + [None, 1, [], {"tap": {}}]
    for desk_version in VERSION, VERSION + 1:
        journal = {
            "desk": desk_version,
            "start": {"rules": "2024", "view": "table", "headers": headers},
            "taps": typed + odd,
        }
        await visit.page.goto(served)
        await visit.page.wait_for_selector("#begin[data-games]")
        await shown(visit, journal)
        assert await visit.taken() == len(journal["taps"])  # the page has found nothing to add
        assert await visit.page.text_content(".side-0 .person") == headers["Caesar"]
        assert await visit.page.locator("#desk img, #desk script").count() == 0
        assert await visit.page.evaluate("window.harmed ?? null") is None
    await visit.page.goto(served)
    await visit.page.wait_for_selector("#kept li")
    for name in PROTOTYPE:
        await visit.page.evaluate("document.querySelector('.trouble').textContent = ''")
        journal = {"desk": VERSION, "start": {"rules": name, "view": "table", "headers": {}}, "taps": []}
        file = {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(journal).encode()}
        await visit.page.set_input_files("#journal", files=[file])
        await visit.page.wait_for_selector(".trouble:not(:empty):visible")
        assert await visit.page.is_visible("#begin")
    assert headers["Caesar"] in (await visit.page.text_content("#kept") or "")
    assert await visit.page.evaluate(INJECTED) is None
    assert await visit.page.evaluate("window.harmed ?? null") is None
    assert not asked
    assert not visit.complaints
    await context.close()
