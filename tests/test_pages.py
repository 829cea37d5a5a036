"""What the pages of docs/ show is what comes: each page's commands are carried out in turn, in one folder.

A fence ``console`` holds commands and what they write; one with a title is a file of that name, there from the start.
After an intended change run ``pytest tests/test_pages.py --snapshot-update``, and read what has changed.
"""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from prose import Fence
from transcripts import INPUT, played

DOCS = Path(__file__).parents[1] / "docs"
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.M | re.S)
FILE = re.compile(r'^```\w+ title="([\w.-]+)"\n(.*?)^```$', re.M | re.S)
FOUND = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in sorted(DOCS.glob("**/*.md"))}
PAGES = {name: text for name, text in FOUND.items() if not name.startswith("codes/") and CONSOLE.search(text)}


@pytest.mark.parametrize("name", PAGES)
def test_each_command_writes_what_the_page_shows(
    name: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
):
    """In the language of the page, which its folder names."""
    text = PAGES[name]
    monkeypatch.setenv("TIRO_LANG", name.partition("/")[0] if "/" in name else "en")
    for file, content in FILE.findall(text):
        (tmp_path / file).write_text(content, encoding="utf-8")
    lines = [line for fence in CONSOLE.findall(text) for line in fence.splitlines()]
    now = played(Fence("terminal", 0, lines), tmp_path)
    if not request.config.getoption("update_snapshots"):
        assert now == lines
        return
    ends = [place for place, line in enumerate(now) if INPUT.fullmatch(line)] + [len(now)]

    def anew(fence: re.Match[str]) -> str:
        commands = sum(bool(INPUT.fullmatch(line)) for line in fence[0].splitlines())
        told = now[ends[0] : ends[commands]]
        del ends[:commands]
        return "".join(f"{line}\n" for line in told)

    (DOCS / name).write_text(CONSOLE.sub(anew, text), encoding="utf-8")


def test_the_pages_for_beginners_show_commands():
    shown = {"first-game.md", "two-sheets.md", "first-tournament.md", "games-on-your-site.md", "which-command.md"}
    assert shown <= PAGES.keys()


# --------------------------------------------------------------------------------------------------------- the site


class Asked(HTMLParser):
    """What a page asks for when it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            value or "" for name, value in attrs if name in ("src", "srcset") or (tag, name) == ("link", "href")
        ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it; a link that leads nowhere ends that."""
    folder = tmp_path_factory.mktemp("site")
    runpy.run_path(str(DOCS / "site" / "pages.py"))["write_pages"](folder / "build" / "pages")
    shutil.copy(DOCS.parent / "mkdocs.yml", folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    return folder / "site"


@pytest.mark.process
@pytest.mark.slow
def test_the_site_asks_for_nothing_elsewhere(site: Path):
    pages = [path for path in site.rglob("*.html") if "desk" not in path.relative_to(site).parts]
    assert len(pages) > 130
    asked = Asked()
    for path in pages:
        before = len(asked.found)
        asked.feed(path.read_text(encoding="utf-8"))
        if path.name != "404.html":  # which may be shown anywhere
            there = [url for url in asked.found[before:] if not url.startswith("data:")]
            assert not [url for url in there if not (path.parent / re.split("[?#]", url)[0]).exists()], path
    for path in site.rglob("*.css"):
        asked.found += re.findall(r"url\(['\"]?([^)]+)\)", path.read_text(encoding="utf-8"))
    assert (site / "search.js").exists(), "the search works on pages that were opened from a disk"
    assert not [url for url in asked.found if re.match(r"\w+:|//", url) and not url.startswith("data:")]


@pytest.mark.process
@pytest.mark.slow
def test_the_reference_is_filled_in(site: Path):
    for page, told in (
        ("commands", 'id="tiro-merge"'),
        ("diagnostics", 'href="codes/R204.html"'),
        ("schemas/report", "same_as"),
        ("grammar", "assassinate_up"),
        ("api", "find_repairs"),
        ("codes/R204", 'href="../rules.html#d4"'),
        ("notation", 'href="codes/N103.html"'),
    ):
        assert told in (site / f"{page}.html").read_text(encoding="utf-8"), page


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("reader", ["first-game", "first-tournament", "two-sheets", "games-on-your-site", "archives"])
def test_everyone_finds_their_page_from_the_first(reader: str, site: Path):
    assert f'href="{reader}.html"' in (site / "index.html").read_text(encoding="utf-8")
