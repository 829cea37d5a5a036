"""A club's server speaks to each reader in their language, and what it stores is the same in each."""

from __future__ import annotations

import http.client
import json
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree
from urllib.parse import urlsplit

import pytest
from browser import PATIENCE, Running, visits
from imports import ROOT
from marks import CUT, WIDE, typed_words, unmarked, words_of
from scale import scaled
from test_club_server import OWN, TOKEN, served
from test_club_table import OPENING, device, key_of
from tironian.notation.language import ENGLISH, language, phrase, speaking
from tironian.tools.event.changes import EventJournal, standing_changes
from tironian.tools.event.plan import event_text, read_plan
from tironian.tools.event.todo import EventState, event_state

pytestmark = pytest.mark.process
PAGES = {  # page → a sentence of it
    "/": "Rounds",
    "/send": "Send a record",
    "/organiser": "Sheets for the tables",
    "/organiser/view": "Leave it as it is",
    "/organiser/sheets": "Rules",
    "/organiser/file": "Keep these changes",
    "/nowhere.html": "There is no such page.",
}
PSEUDO = language("qps")
assert PSEUDO


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return Path(copytree(ROOT / "examples/event", tmp_path / "open"))


@pytest.fixture
def club(event: Path) -> Iterator[str]:
    with served(event) as address:
        yield address


def asked(club: str, path: str, **headers: str) -> tuple[str, http.client.HTTPMessage]:
    """The answer to a reader who sends these headers, and its own."""
    connection = http.client.HTTPConnection(urlsplit(club).netloc, timeout=60)
    connection.request("GET", path, headers={TOKEN: OWN} | {name.replace("_", "-"): headers[name] for name in headers})
    with connection.getresponse() as response:
        return response.read().decode(), response.headers


def test_no_reader_gets_an_answer_in_another_language(club: str):
    def wrong(number: int) -> list[str]:
        chance = random.Random(number)
        (path, sentence), at = chance.choice([*PAGES.items()]), chance.randrange(2)
        with speaking(PSEUDO):
            words = f">{sentence}<", f">{phrase(sentence)}<"
        if path == "/nowhere.html":
            words = words[0][1:-1], words[1][1:-1]
        code = ("en", "qps")[at]
        by_header = {"Accept_Language": f"xx, {code}-AT;q=0.8, {('qps', 'en')[at]};q=0.5"}
        by_cookie = {"Cookie": f"lang={code}", "Accept_Language": ("qps", "en")[at]}
        text, _ = asked(club, path, **chance.choice([by_header, by_cookie]))
        is_right = words[at] in text and words[1 - at] not in text
        if "<html" in text:
            is_right &= f'<html lang="{code}">' in text
        return [] if is_right else [f"{path} in {code}: {text[:500]}"]

    with ThreadPoolExecutor(8) as readers:
        assert [each for found in readers.map(wrong, range(scaled(100, 1000))) for each in found] == []


def test_a_language_is_chosen_by_a_link_and_kept_in_a_cookie(club: str):
    text, sent = asked(club, "/send", Accept_Language="en")
    assert sent["Vary"] == "Accept-Language, Cookie"
    assert sent["Set-Cookie"] is None
    assert '<a lang="de" href="?lang=de">Deutsch</a>' in text
    _, sent = asked(club, "/send?lang=qps", Accept_Language="en")
    assert sent["Set-Cookie"].startswith("lang=qps; ")
    for odd in ("../../etc", "x" * 5000, "%00", "*"):
        text, sent = asked(club, f"/send?lang={odd}", Accept_Language=f"{odd}, *;q=1", Cookie=f"lang={odd}")
        assert "Send a record" in text
        assert sent["Set-Cookie"] is None


def read(folder: Path, refused: tuple[str, ...] = ()) -> EventState:
    return event_state(str(folder), read_plan(event_text(str(folder))), 1, refused)


def test_keys_are_the_same_in_each_language(event: Path):
    english = read(event)
    with speaking(PSEUDO):
        pseudo = read(event)
        assert [one.key for one in pseudo.to_do] == [one.key for one in english.to_do]
        assert read(event, (english.to_do[0].key,)).to_do == pseudo.to_do[1:]


def decide_all(folder: Path) -> None:
    """Accept what is proposed, as often as something new comes of it, and refuse the rest."""
    with EventJournal(str(folder)) as journal:
        while due := [one for one in read(folder, tuple(journal.refused)).to_do if one.proposes]:
            journal.accept(due[0])
        for one in read(folder, tuple(journal.refused)).to_do:
            journal.refuse(one)


def test_what_was_done_is_told_in_each_language(event: Path):
    typed = typed_words(event)
    files, told = dict[object, dict[str, str]](), dict[object, list[str]]()
    for speech, other in ((ENGLISH, PSEUDO), (PSEUDO, ENGLISH)):
        folder = Path(copytree(event, event.with_name(speech.code)))
        with speaking(speech):
            decide_all(folder)
        told[speech] = [one.says for one in standing_changes(str(folder))]
        with speaking(other):
            told[speech, other] = [one.told for one in standing_changes(str(folder))]
        places = [path for path in sorted(folder.rglob("*")) if path.suffix in (".tiro", ".toml")]
        files[speech] = {str(path.relative_to(folder)): path.read_text() for path in places}
    assert files[ENGLISH] == files[PSEUDO]
    assert len({*told[ENGLISH]}) > 5
    assert [one for one in told[ENGLISH, PSEUDO] if unmarked(one, typed)] == []
    assert [one for one in told[PSEUDO, ENGLISH] if re.search("[áéíóúđŕ]", one)] == []
    assert re.search("[áéíóúđŕ]", told[PSEUDO][0])


def test_a_journal_of_another_version_is_told_in_its_own_words(event: Path):
    decide_all(event)
    path = event / "originals/journal.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    odd = [[], [5], [["new", {}], "x"], ["only one"], [["pairing", {"round": 1}], "x"], [["joined", {}], ""], [1, 2, 3]]
    for entry, facts in zip([entry for entry in entries if "key" in entry], odd, strict=False):
        entry["facts"] = facts
    del entries[-2]["facts"]
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    changes = standing_changes(str(event))
    with speaking(PSEUDO):
        assert [one.told == one.says for one in changes][: len(odd)] == [True] * len(odd)


@pytest.mark.slow
@pytest.mark.parametrize("code", ["qps", "de", "fr"])
@visits
async def test_on_a_phone_no_page_is_cut_off_or_lacks_a_word(running: Running, club: str, event: Path, code: str):
    typed = typed_words(event) | {"Deutsch", "English", "Dec", "Nov", "Cleopatra", "absent", "bye"}
    typed |= {name[:4] for name in typed}
    decide_all(event)
    context, table = await device(running, locale=code)
    context.set_default_timeout(PATIENCE)
    page, wrong, seen = table.page, dict[str, object](), set[str]()

    async def look_at(name: str) -> None:
        found = [await page.evaluate(WIDE), await page.evaluate(CUT)]
        if code == "qps":
            text = re.sub(r"<textarea.*?</textarea>", "", await page.content(), flags=re.S)
            found.append(sorted(unmarked(words_of(text), typed)))
        if any(found):
            wrong[name] = found

    await page.goto(f"{club}/?lang={code}")
    coming = ["/", "/send"]
    while coming:
        path = coming.pop()
        seen.add(path)
        await page.goto(club + path)
        await look_at(path)
        links = await page.evaluate("[...document.links].filter((a) => a.origin === origin).map((a) => a.pathname)")
        coming += sorted({each for each in links if each.endswith(".html")} - seen - {*coming})
    await page.goto(f"{club}/organiser#key={OWN}")
    for name, shown in (("view", "#done"), ("sheets", "svg"), ("file", "textarea")):
        await page.click(f"#club > nav a[href='#{name}']")
        await page.wait_for_selector(f"#view {shown}", state="attached")
        await page.evaluate("document.querySelectorAll('#view details').forEach((each) => { each.open = true; })")
        await look_at(f"organiser: {name}")
    if code != "qps":  # of the table's page there is none: that of the desk has the same words
        await page.goto(f"{club}/table/index.{code}.html#ask={key_of(0)}")
        await page.wait_for_selector("#start", state="visible")
        await look_at("start of a table")
        await page.tap("#start .main")
        await table.tap(*OPENING)
        await table.all_sent()
        await look_at("table")
    assert not wrong, json.dumps(wrong, indent=1)
    await context.close()
