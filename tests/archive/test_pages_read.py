"""Pages of games: a page that is named gives the record in it; in a folder, none counts as a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tironian
from archives import tiro
from events import PLANTS, Event
from pages import EXAMPLES
from tironian.tools.desk.worker import DeskSession
from tironian.tools.storage.sources import InputFiles

answer = DeskSession().answer

INSIDE = "record-in-page.tiro"


@pytest.fixture(scope="module", params=["2024/annotated", "broken/last-turn-cut-short"])
def paged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A record and its page, in different folders."""
    record, page = tmp_path_factory.mktemp("records") / "a.tiro", tmp_path_factory.mktemp("pages") / "a.html"
    record.write_bytes((EXAMPLES / f"{request.param}.tiro").read_bytes())
    assert tiro("timeline", record, "--format", "html", "-o", page).exit_code == 0
    return record, page


@pytest.mark.parametrize("words", ["check", "check --format json", "repair", "convert", "view --as table", "show"])
def test_a_page_is_read_as_its_record(paged: tuple[Path, Path], words: str):
    record, page = paged
    command, *options = words.split()
    expected, done = tiro(command, record, *options), tiro(command, page, *options)
    assert done.exit_code == expected.exit_code
    assert done.stdout.replace(f"{page}/{INSIDE}", f"{record}") == expected.stdout


def test_the_library_and_the_desk_read_it(paged: tuple[Path, Path]):
    record, page = paged
    expected, found = [[*tironian.read(path)] for path in paged]
    assert [each.record for each in found] == [each.record for each in expected]
    assert [each.source.name for each in found] == [f"{page}/{INSIDE}"]
    asked = json.dumps({"ask": "check", "name": "a.html"})
    (shown,) = json.loads(answer(asked, page.read_bytes()))["games"]
    assert (shown["file"], shown["text"]) == (f"a.html/{INSIDE}", record.read_text("utf-8"))


def test_a_page_of_one_view_gives_what_it_may_know(paged: tuple[Path, Path], tmp_path: Path):
    record, page = paged[0], tmp_path / "a.html"
    tiro("timeline", record, "--as", "table", "--format", "html", "-o", page)
    seen = tiro("view", record, "--as", "table").stdout
    assert [tironian.write(each.record) for each in tironian.read(page)] == [seen]


@pytest.mark.parametrize("words", ["record", "fmt"])
def test_no_record_replaces_a_page(paged: tuple[Path, Path], words: str):
    before = paged[1].read_bytes()
    assert "this file is a web page" in tiro(words, paged[1]).output
    assert paged[1].read_bytes() == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda page: page.replace(b"default-src", b"x"),
        lambda page: page.replace(b'id="data">{', b'id="data">'),
        lambda page: page.replace(b'id="data">{', b'id="data">' + b"[" * 100_000),
        lambda page: page.replace(b'"record":"', b'"record":"\\ud800'),
        lambda page: page[: len(page) // 2],
    ],
)
def test_another_page_is_still_a_web_page(paged: tuple[Path, Path], tmp_path: Path, spoil):
    (tmp_path / "a.html").write_bytes(spoil(paged[1].read_bytes()))
    done = tiro("check", tmp_path / "a.html")
    assert (done.exit_code, "this file is a web page" in done.output) == (2, True)


@pytest.mark.parametrize("name", ["a.html", "a.tiro.html", "a.HTM"])
def test_a_page_beside_its_record_is_neither_a_copy_nor_missed(paged: tuple[Path, Path], tmp_path: Path, name: str):
    (tmp_path / "a.tiro").write_bytes(paged[0].read_bytes())
    (tmp_path / name).write_bytes(paged[1].read_bytes())
    done = tiro("check", tmp_path)
    assert "not read" not in done.output
    assert "1 game, " in done.stdout
    (tmp_path / "b.tiro").write_bytes((tmp_path / "a.tiro").read_bytes())
    (tmp_path / "a.tiro").unlink()
    assert f"not read: {tmp_path / name}: the page of a game: name it" in tiro("check", tmp_path).stderr


def test_a_site_within_its_event_changes_nothing(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 1)
    PLANTS["unfinished"](event, 1)
    folder = event.written()
    before = tiro("event", folder, "-j", 1, "--format", "json")
    tiro("event", folder, "-j", 1, "--site", tmp_path / "site")
    (tmp_path / "site" / "records.zip").unlink()  # which holds games, as any archive does
    (tmp_path / "site").rename(folder / "site")
    assert len([*(folder / "site").rglob("*.html")]) == 10
    after = tiro("event", folder, "-j", 1, "--format", "json")
    assert (after.output, after.exit_code) == (before.output, before.exit_code)
    files = InputFiles([str(folder)])
    assert [file.path for file in files if "/site/" in file.path] == []
    assert files.passed_over == []
