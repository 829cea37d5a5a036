"""The pages of an event: whole, without a dead link or a script of their own, and made again only where needed."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from archives import tiro
from events import PLANTS, Event


def planted(folder: Path) -> Event:
    """An event of one round with games that count and games that do not."""
    event = Event(folder, 6, 1)
    PLANTS["unfinished"](event, 1)
    event.data["players"][0]["club"] = "<b>Augusta</b>"
    return event


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = planted(tmp_path_factory.mktemp("event") / "open").written()
    done = tiro("event", folder, "-j", 1, "--site", folder.parent / "site")
    assert done.exit_code == 0, done.output
    return folder.parent / "site"


def test_no_link_is_dead(site: Path):
    pages = [site / "index.html", *(site / "players").iterdir()]
    assert len(pages) == 7
    for page in pages:
        links = re.findall(r'href="([^"]*)"', page.read_text(encoding="utf-8"))
        assert {
            link for link in links if not link.startswith("data:") and not (page.parent / unquote(link)).is_file()
        } == set()
    reached = set(re.findall(r'href="(games/[^"]*)"', (site / "index.html").read_text(encoding="utf-8")))
    assert reached == {f"games/{path.name}" for path in (site / "games").iterdir()}


def test_a_game_leads_back_to_its_event_and_shows_its_votes(site: Path):
    for page in (site / "games").iterdir():
        text = page.read_text(encoding="utf-8")
        assert '<nav class="home"><a href="../index.html"><bdi>Open</bdi></a></nav>' in text
        assert 'id="pictures"' in text


def face_down(page: Path) -> list[str]:
    """The cards that a page knows although they are placed face down: in the lines of its turns, and on its tables."""
    text = page.read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    lines = re.findall(r" \([1-5]\)[PQAKC]", " ".join([*re.findall(r"<code>.*?</code>", text), data]))
    return lines + re.findall(r"\([1-5]\)", json.dumps(json.loads(data)["views"][0]["patches"]))


def test_what_is_secret_until_a_day_stays_so_until_then(tmp_path: Path):
    event = planted(tmp_path / "open")
    for day, secret in (("9999.12.31", True), ("2000.01.01", False)):
        event.data["secret-until"] = day
        done = tiro("event", event.written(), "-j", 1, "--site", tmp_path / "site")
        made = "3 game pages made, 0 kept" if secret else "2 game pages made, 1 kept"
        assert made in done.output
        games = [*(tmp_path / "site" / "games").iterdir()]
        open_ = {page.name for page in games if face_down(page)}
        assert open_ == (set() if secret else {"r1-1.html", "r1-3.html"})  # the second game is not over
        assert (tmp_path / "site" / "records.zip").exists() is not secret
        assert (f"Until {day}" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")) is secret


def test_what_does_not_count_says_why(site: Path):
    assert "not counted: it has no result" in (site / "index.html").read_text(encoding="utf-8")


def test_words_of_strangers_are_words(site: Path):
    for page in (site / "players").iterdir():
        text = page.read_text(encoding="utf-8")
        assert "<b>Augusta" not in text
        assert "<script" not in text
        assert "default-src 'none'" in unescape(text)


def test_all_records_are_in_one_archive(site: Path):
    with ZipFile(io.BytesIO((site / "records.zip").read_bytes())) as archive:
        names = archive.namelist()
    assert len(names) == len([*(site / "games").iterdir()]) - 1  # one game is not over


def test_the_feed_names_each_game(site: Path):
    feed = ElementTree.fromstring((site / "feed.xml").read_text(encoding="utf-8"))
    links = [link.get("href", "") for link in feed.iter("{http://www.w3.org/2005/Atom}link")]
    assert len(links) == len([*(site / "games").iterdir()])
    assert all((site / link).is_file() for link in links)


def test_only_what_has_changed_is_made_again(tmp_path: Path):
    event = planted(tmp_path / "open")
    folder, site = event.written(), tmp_path / "site"
    assert "3 game pages made, 0 kept" in tiro("event", folder, "-j", 1, "--site", site).output
    before = (site / "games" / "r1-1.html").read_bytes()
    (site / "games" / "r1-1.html").write_bytes(before + b"<!-- as it was -->")
    path = folder / event.file(2)
    path.write_text(path.read_text(encoding="utf-8").replace('[Event "Open"]', '[Event "Final"]'), encoding="utf-8")
    assert "1 game page made, 2 kept" in tiro("event", folder, "-j", 1, "--site", site).output
    assert (site / "games" / "r1-1.html").read_bytes() == before + b"<!-- as it was -->"
    path.unlink()
    assert "0 game pages made, 2 kept" in tiro("event", folder, "-j", 1, "--site", site).output
    assert not (site / "games" / "r1-3.html").exists()


def test_a_players_page_has_what_they_did_on_each_side_and_the_race_of_each_game(site: Path):
    races = 0
    for page in (site / "players").iterdir():
        text = page.read_text(encoding="utf-8")
        sums = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text))
        assert {"as Caesar", "as Cleopatra"} <= sums.keys()
        assert len(re.findall(r"<small>rank \d+</small>", text)) == 1, "one opponent, who has a rank"
        rounds = re.findall(r'id="round-(\d+)"', text)
        assert rounds == sorted(rounds), "as they were played"
        for scores, rome, egypt in re.findall(r'turn, Rome’s first: ([^"]*)".*?d="([^"]*)".*?d="([^"]*)"', text):
            races += 1
            assert scores.startswith("0–0, ")
            assert re.fullmatch(r"(M0 72(H[\d.]+V[\d.]+)*H309V72){2}", rome + egypt)
            told = sums.get("game points for and against", "").split(" : ")
            if len(told) == 2 and "not counted" not in text:
                assert sorted(scores.split(", ")[-1].split("–")) == sorted(told)
        assert re.search(
            r"<text class=\"rome\"[^>]*>\d+</text><text class=\"egypt\"[^>]*>\d+</text>.*>turn \d+[RE]<", text
        )
    assert races == 2 * len([*(site / "games").iterdir()])


def test_tie_breaks_have_their_proper_names(site: Path):
    text = (site / "index.html").read_text(encoding="utf-8")
    names = re.search("<summary>Tie-breaks: (.*?)</summary>", text)
    assert names
    assert set(names[1].split(", ")) <= {"Buchholz", "Sonneborn-Berger", "direct encounter"}


def test_a_page_that_was_made_without_its_race_is_made_again(tmp_path: Path):
    folder, site = planted(tmp_path / "open").written(), tmp_path / "site"
    tiro("event", folder, "-j", 1, "--site", site)
    known = json.loads((site / "site.json").read_bytes())["games"]
    (site / "site.json").write_text(json.dumps({"games": {name: entry[:2] for name, entry in known.items()}}))
    assert "3 game pages made, 0 kept" in tiro("event", folder, "-j", 1, "--site", site).output
    assert "<svg" in (site / "players" / "1.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("within", [".", "site"])
def test_a_site_does_not_lie_in_the_event(tmp_path: Path, within: str):
    folder = planted(tmp_path / "open").written()
    done = tiro("event", folder, "-j", 1, "--site", folder / within)
    assert done.exit_code == 2
    assert "inside the event's folder" in done.output


@pytest.mark.parametrize("manifest", [None, "{}", "[]", '{"games": {"../../x": 1}}', '{"games": {"a": {}}}'])
def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, manifest: str | None):
    folder, site = planted(tmp_path / "open").written(), tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("mine")
    if manifest is not None:
        (site / "site.json").write_text(manifest)
    done = tiro("event", folder, "-j", 1, "--site", site)
    assert done.exit_code == 2
    assert (site / "index.html").read_text() == "mine"


def test_a_manifest_of_a_stranger_deletes_nothing_elsewhere(tmp_path: Path):
    folder, site = planted(tmp_path / "open").written(), tmp_path / "site"
    (site / "games").mkdir(parents=True)
    (tmp_path / "mine.html").write_text("mine")
    (site / "site.json").write_text(json.dumps({"games": {"games/../../mine.html": ["", ""]}}))
    tiro("event", folder, "-j", 1, "--site", site)
    assert (tmp_path / "mine.html").read_text() == "mine"
