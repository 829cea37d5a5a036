"""A club's server: who may use which address, what strangers get, and the organiser's page in a browser."""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from shutil import copytree
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
import segno
import uvicorn
from axe_playwright_python.async_playwright import Axe
from browser import Running, visits
from imports import ROOT
from scale import scaled
from tironian.tools.club.organiser import Organiser
from tironian.tools.club.server import (
    ANYBODY,
    DEVICE,
    LOOKS,
    ORGANISER,
    RESTS,
    ROLES,
    TOKEN,
    Club,
    application,
)
from tironian.tools.club.store import ClubStore
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.taps import tap_of
from tironian.tools.event.changes import standing_changes
from tironian.tools.event.facts import fact_key
from tironian.tools.event.plan import read_plan
from tironian.tools.event.site import write_site

pytestmark = pytest.mark.process
HOST = "127.0.0.1"
OWN = token_urlsafe(16)


class Said(NamedTuple):
    status: int
    text: str


@contextmanager
def served(
    folder: Path,
    origins: tuple[str, ...] = (),
    clock: Callable[[], float] = time.monotonic,
    to: str = HOST,
    port: int = 0,
) -> Iterator[str]:
    """Serve a club as `tiro club` does, in a thread; the address at which it listens, which is one of its origins."""
    club = Club(str(folder), OWN, clock, authority=b"an authority")
    with socket.create_server((to, port)) as listening:
        host = f"{HOST}:{listening.getsockname()[1]}"
        app = application(club, frozenset([f"http://{host}", *origins]), {})
        config = uvicorn.Config(app, loop="asyncio", http="h11", log_level="warning", access_log=False)
        config.proxy_headers, config.timeout_graceful_shutdown = False, 1
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        yield f"http://{host}"
        server.should_exit = True
        thread.join()
    club.close()


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return Path(copytree(ROOT / "examples/event", tmp_path / "open"))


@pytest.fixture
def club(event: Path) -> Iterator[str]:
    with served(event) as address:
        yield address


def send(club: str, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> Said:
    host = urlsplit(club).netloc
    connection = http.client.HTTPConnection(host)
    given = {"Host": host, **({"Origin": club} if method != "GET" else {})}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return Said(answer.status, text)


def asked(club: str, key: str) -> Any:
    """Ask for a table; what the server says."""
    return json.loads(send(club, "/table/ask", "POST", json.dumps({"pairing": key}).encode()).text)


def act(club: str, what: str, key: str, seen: str = "", value: str = "") -> Said:
    body = json.dumps({"what": what, "key": key, "seen": seen, "value": value}).encode()
    return send(club, "/organiser/act", "POST", body, **{TOKEN: OWN})


def state(club: str, token: str) -> Any:
    return json.loads(send(club, "/table/state", **{TOKEN: token}).text)


def begin(club: str, token: str, who: str = "table", starts: str = "") -> Any:
    """Begin the game of a device; its journal."""
    body = json.dumps({"who": who, "starts": starts}).encode()
    return json.loads(send(club, "/table/begin", "POST", body, **{TOKEN: token}).text)["journal"]


def taps(club: str, token: str, first: int, sent: list[Any]) -> Said:
    return send(club, "/table/taps", "POST", json.dumps({"first": first, "taps": sent}).encode(), **{TOKEN: token})


def tables(_club: str) -> list[str]:
    """The keys of the pairings of the event."""
    plan = read_plan((ROOT / "examples/event/event.toml").read_text(encoding="utf-8"))
    return [fact_key(each) for each in plan.pairings if each.kind == "game"]


def files(folder: Path) -> dict[str, bytes]:
    """The files of a folder, but for the one in which SQLite notes how far readers are."""
    found = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.endswith("-shm")}


def test_each_role_may_use_its_addresses_and_no_others(club: str):
    """Every address of the table, with each token, and every other method."""
    (key, *_) = tables(club)
    admitted, waiting, revoked = [asked(club, key)["token"] for _ in range(3)]
    assert act(club, "revoke", "3").status == 200
    tokens = {None: ANYBODY, "": ANYBODY, OWN[:-1]: ANYBODY, OWN.swapcase(): ANYBODY, token_urlsafe(16): ANYBODY}
    tokens |= {OWN + " x": ANYBODY, "\u00e9": ANYBODY, OWN: ORGANISER}
    tokens |= dict.fromkeys((admitted, waiting, revoked), DEVICE)
    for (method, path), (role, _) in ROLES.items():
        place = path.replace("{name:path}", "index.html")
        for token, has in tokens.items():
            headers = {} if token is None else {TOKEN: token}
            status = send(club, place, method, b"{}", **headers).status
            is_barred = path == "/table/screen" and token in (waiting, revoked)
            assert (status == 403) == (is_barred or role not in (ANYBODY, has)), (method, path, token)
            assert status in (200, 400, 403, 422)
        for other in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - {method}:
            if (other, path) not in ROLES:
                assert send(club, place, other, b"{}", **{TOKEN: OWN}).status in (404, 405), (other, path)


def test_another_site_or_another_name_of_this_machine_is_refused(club: str, event: Path):
    before = files(event)
    own = urlsplit(club).netloc
    for origin in ("https://evil.example", "null", f"https://{own}", f"{club}.evil.example", f"{club}/", ""):
        assert send(club, "/organiser/act", "POST", b"{}", **{TOKEN: OWN}, Origin=origin).status == 403
        assert send(club, "/organiser/view", **{TOKEN: OWN}, Origin=origin or "x").status == 403
    for host in ("evil.example", own.replace(HOST, "evil.example"), HOST, f"{own}1"):
        assert send(club, "/", Host=host).status == 403
    assert files(event) == before


def test_only_public_pages_are_files(club: str):
    for name in ("../event.toml", "%2e%2e/event.toml", "event.toml", "site.json", "/etc/passwd", "x" * 2000, "games"):
        assert send(club, f"/{name}").status == 404
    index = send(club, "/").text
    assert "Thursday Open" in index
    assert send(club, "/games/r1-1.html").status == 200


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def renamed(event: Path, name: str) -> None:
    """Change the name of the event, as by an editor."""
    plan = event / "event.toml"
    text = plan.read_text(encoding="utf-8")
    plan.write_text(re.sub('(?m)^name = "[^"]*"', f'name = "{name}"', text, count=1), encoding="utf-8")


def test_the_public_pages_follow_the_folder(event: Path):
    """They are compared with it once in a second."""
    clock, plan = Clock(), event / "event.toml"
    with served(event, clock=clock) as club:
        assert "Livia the First" not in send(club, "/").text
        renamed(event, "Livia the First")
        clock.now += LOOKS
        assert "Livia the First" in send(club, "/").text
        text = plan.read_text(encoding="utf-8")
        plan.write_text("no event", encoding="utf-8")
        clock.now += LOOKS
        for path in ("/", "/organiser/view", "/"):
            said = send(club, path, **{TOKEN: OWN})
            assert said.status == 503
            assert "event.toml" in said.text
        plan.write_text(text, encoding="utf-8")
        assert send(club, "/").status == 200


def test_strangers_make_the_folder_be_looked_through_once_in_a_second(event: Path):
    """What is done here is seen at once."""
    clock = Clock()
    with served(event, clock=clock) as club:
        send(club, "/")
        renamed(event, "Livia the First")
        clock.now += LOOKS * 0.9
        assert "Livia the First" not in send(club, "/").text
        assert act_on_first(club).status == 200
        assert "Livia the First" in send(club, "/").text, "after an action"
        renamed(event, "Livia the Second")
        assert "Livia the Second" not in send(club, "/").text
        token = asked(club, tables(club)[-1])["token"]
        assert taps(club, token, 0, tapped(begin(club, token), 60)).status == 200
        assert "Livia the Second" in send(club, "/").text, "after a record"


def test_pages_that_take_long_are_made_less_often(event: Path, monkeypatch: pytest.MonkeyPatch):
    clock = Clock()

    def slowly(*args: Any) -> object:
        clock.now += 2
        return write_site(*args)

    monkeypatch.setattr("tironian.tools.club.server.write_site", slowly)
    with served(event, clock=clock) as club:
        send(club, "/")
        renamed(event, "Livia the First")
        clock.now += 2 * RESTS - 2.5
        assert "Livia the First" not in send(club, "/").text
        clock.now += 0.5
        assert "Livia the First" in send(club, "/").text


def act_on_first(club: str) -> Said:
    """Leave the first thing to do as it is."""
    first = re.search(r'data-key="([^"]*)" data-seen="([^"]*)"', send(club, "/organiser/view", **{TOKEN: OWN}).text)
    assert first
    return act(club, "refuse", *first.groups())


def test_hostile_requests_change_nothing_and_break_nothing(club: str, event: Path):
    assert send(club, "/").status == 200
    before = files(event)
    chance = random.Random(71)
    whole = json.dumps({"what": "accept", "key": "0" * 8, "seen": "0" * 8, "value": "caesar"}).encode()
    paths = [path.replace("{name:path}", "games/r1-1.html") for _, path in ROLES]
    for _ in range(scaled(300, 10_000)):
        body = bytearray(whole)
        for _ in range(chance.choice((0, 1, 5, 60))):
            body[chance.randrange(len(body))] = chance.randrange(256)
        if not chance.randrange(5):
            body = bytearray(b"[" * 9_000) if chance.randrange(2) else bytearray(20_000)
        path = chance.choice(paths) + chance.choice(("", "?x=1", "/..", "%00", "//"))
        token = chance.choice((OWN, OWN, "", token_urlsafe(16)))
        said = send(club, path, chance.choice(("GET", "POST", "POST", "PUT")), bytes(body), **{TOKEN: token})
        assert said.status < 500, (path, bytes(body[:80]))
        assert OWN not in said.text
    assert {name: text for name, text in files(event).items() if "originals" not in name} == before


def test_what_is_too_long_is_refused(club: str):
    assert send(club, f"/{'x' * 2000}.html").status == 404
    assert send(club, f"/games/{'x' * 300}.html").status == 404
    for what in ("undo", "admit", "revoke", "accept"):
        assert act(club, what, "9" * 9000).status in (404, 409), what
    token = asked(club, tables(club)[0])["token"]
    begin(club, token)
    for body in (b'{"first": ' + b"9" * 9000 + b', "taps": []}', b'{"first": 0, "taps": [NaN]}', b"[" * 100_000):
        assert send(club, "/table/taps", "POST", body, **{TOKEN: token}).status in (400, 422)


def test_no_token_is_written_anywhere(club: str, event: Path, capfd: pytest.CaptureFixture[str]):
    send(club, "/organiser/view", **{TOKEN: OWN})
    send(club, "/organiser/act", "POST", b"{}", **{TOKEN: OWN})
    assert all(OWN.encode() not in data for data in files(event).values())
    assert OWN not in "".join(capfd.readouterr())


def test_a_game_is_recorded_at_a_table_with_a_bad_network(club: str, event: Path):
    """Every message is lost, doubled or late; the record is that of the taps, and the event counts it."""
    chance = random.Random(7)
    plan = read_plan((event / "event.toml").read_text(encoding="utf-8"))
    missing = next(
        each
        for each in plan.pairings
        if each.kind == "game" and f"round{each.round}/table{each.table}" not in " ".join(files(event))
    )
    token = asked(club, fact_key(missing))["token"]
    journal = begin(club, token)
    assert journal["start"]["headers"]["Caesar"] == missing.caesar
    own = tapped(journal, 60)
    done = 0
    while done < len(own):
        first = chance.choice((done, max(0, done - 3), done + 2))
        said = taps(club, token, first, own[first : first + chance.choice((1, 4, 20))])
        assert said.status == 200
        if chance.random() < 0.7:  # otherwise the answer is lost
            done = json.loads(said.text)["kept"]
    assert state(club, token)["journal"]["taps"] == own
    send(club, "/")
    place = event / f"round{missing.round}/table{missing.table}.tiro"
    assert place.read_text(encoding="utf-8") == Desk.of({**journal, "taps": own}).kept[0]
    assert "There is no record of this game" not in send(club, "/organiser/view", **{TOKEN: OWN}).text


def tapped(journal: dict[str, Any], number: int) -> list[Any]:
    """Tap at random on what is offered."""
    desk, chance, found = Desk.of(journal), random.Random(1), list[Any]()
    for _ in range(number):
        found.append(tap_of(chance.choice(sorted(desk.offered()))))
        desk.put(found[-1])
    return found


def test_the_first_device_of_a_table_records_and_others_wait(club: str):
    key, other, *_ = tables(club)
    first, second = asked(club, key), asked(club, key)
    assert [each["state"] for each in (first, second, asked(club, other))] == ["admitted", "waiting", "admitted"]
    assert "journal" not in state(club, second["token"])
    assert taps(club, second["token"], 0, []).status == 403
    assert act(club, "admit", "2").status == 200
    assert state(club, second["token"])["journal"] is None
    begin(club, second["token"])
    assert taps(club, second["token"], 0, [{"tap": "undo"}]).text == '{"kept":1}'
    assert act(club, "revoke", "1").status == 200
    assert taps(club, first["token"], 0, []).status == 403
    assert act(club, "admit", "99").status == 404
    assert act(club, "admit", "x" * 9).status == 404
    view = send(club, "/organiser/view", **{TOKEN: OWN}).text
    assert "device 1: disconnected" in view
    assert "device 2: 1 tap, now" in view


def test_what_contradicts_is_said_and_kept(club: str, event: Path):
    token = asked(club, tables(club)[0])["token"]
    begin(club, token)
    assert taps(club, token, 0, [{"tap": "undo"}, {"tap": "redo"}]).text == '{"kept":2}'
    said = taps(club, token, 1, [{"tap": "undo"}])
    assert (said.status, said.text) == (409, '{"contradicts":1}')
    assert taps(club, token, 5, [{"tap": "undo"}]).text == '{"kept":2}'
    assert asked_badly(club) == 404


def asked_badly(club: str) -> int:
    return send(club, "/table/ask", "POST", b'{"pairing": "00000000"}').status


def test_a_club_goes_on_where_it_was(event: Path):
    with served(event) as club:
        key = tables(club)[0]
        token = asked(club, key)["token"]
        journal = begin(club, token)
        taps(club, token, 0, [{"tap": "undo"}])
    with served(event) as club:
        assert state(club, token)["journal"] == {**journal, "taps": [{"tap": "undo"}]}
        assert taps(club, token, 0, [{"tap": "undo"}, {"tap": "undo"}]).text == '{"kept":2}'


def test_the_organiser_gives_a_result_edits_the_file_and_undoes_both(club: str, event: Path):
    before, text = files(event), (event / "event.toml").read_text(encoding="utf-8")
    key, *_ = tables(club)
    seen = seen_of(club, "view", key)
    assert act(club, "result", key, seen, "lots").status == 422
    assert act(club, "result", key, seen).status == 422, "there is nothing to take away"
    assert act(club, "result", key, "00000000", "7-20").status == 409
    assert act(club, "result", key, seen, "7-20").status == 200
    assert act(club, "result", key, seen, "20-7").status == 409, "that is no longer what was seen"
    plan = read_plan((event / "event.toml").read_text(encoding="utf-8"))
    assert [each.result for each in plan.pairings if each.result] == ["7-20"]
    assert act(club, "result", key, seen_of(club, "view", key)).status == 200, "the record counts again"
    assert read_plan((event / "event.toml").read_text(encoding="utf-8")).pairings == read_plan(text).pairings
    seen = seen_of(club, "file", "event.toml")
    assert act(club, "edit", "event.toml", seen, text.replace("rounds = 3", "rounds = 2")).status == 422
    assert act(club, "edit", "event.toml", "00000000", text).status == 409
    assert act(club, "edit", "event.toml", seen, f'{text}\n[[players]]\nname = "Late"\n').status == 200
    assert "Late" in send(club, "/organiser/view", **{TOKEN: OWN}).text
    for number, one in reversed([*enumerate(standing_changes(str(event)))]):
        assert act(club, "undo", str(number), one.key).status == 200
    assert {name: data for name, data in files(event).items() if name in before and "sqlite" not in name} == {
        name: data for name, data in before.items() if "sqlite" not in name
    }


def seen_of(club: str, page: str, key: str) -> str:
    """What stands for what the organiser sees of a thing."""
    found = re.search(f'data-key="{key}" data-seen="([^"]*)"', send(club, f"/organiser/{page}", **{TOKEN: OWN}).text)
    assert found
    return found[1]


def test_a_broken_file_can_be_mended_on_the_page(club: str, event: Path):
    text = (event / "event.toml").read_text(encoding="utf-8")
    (event / "event.toml").write_text("no event", encoding="utf-8")
    assert send(club, "/organiser/view", **{TOKEN: OWN}).status == 503
    assert act(club, "edit", "event.toml", seen_of(club, "file", "event.toml"), text).status == 200
    assert send(club, "/organiser/view", **{TOKEN: OWN}).status == 200


def test_the_sheets_of_a_round_lead_to_its_tables(club: str, event: Path):
    plan = read_plan((event / "event.toml").read_text(encoding="utf-8"))
    for number in (1, 2, 3):
        sheets = send(club, f"/organiser/sheets?round={number}", **{TOKEN: OWN}).text.split("<section")[1:]
        games = [each for each in plan.pairings if each.round == number]
        assert len(sheets) == len(games)
        for sheet, game in zip(sheets, games, strict=True):
            place = f"{club}/table/#ask={fact_key(game)}"
            code = segno.make(place, micro=False).svg_inline(omitsize=True, light="#fff")
            assert all(each in sheet for each in (place, code, f"Table {game.table}", game.caesar, game.cleopatra))
            assert "style=" not in sheet
    for wrong in ("?round=9", "?round=x", "?round=" + "9" * 9000, "?round=-1", ""):
        assert "Round 3 · Table 1" in send(club, f"/organiser/sheets{wrong}", **{TOKEN: OWN}).text


def test_sheets_name_the_address_of_the_club(event: Path):
    organiser = Organiser(str(event))
    plain, safe = (organiser.sheets(1, f"{kind}://192.168.1.20:8454") for kind in ("http", "https"))
    assert "http://192.168.1.20:8454/table/#ask=" in plain
    assert ["may sleep" in each for each in (plain, safe)] == [True, False]
    assert "this machine only" not in plain
    assert "this machine only" in organiser.sheets(1, "http://127.0.0.1:8454")


def test_it_is_said_when_a_device_was_last_seen(event: Path):
    now = [1000.0]

    def shown() -> str:
        return club.organiser.view(club.tables.all())

    club = Club(str(event), OWN, lambda: now[0])
    club.tables.ask(tables("")[0])
    for later, words in ((0, "now"), (59, "now"), (1, "1 min ago"), (3540, "1 h ago")):
        now[0] += later
        assert f"0 taps, {words}<" in shown()
    club.close()
    now[0] = 5.0  # the machine has been started again
    club = Club(str(event), OWN, lambda: now[0])
    assert "0 taps, not seen since the start<" in shown()
    club.close()


def test_the_numbers_of_the_page_agree(event: Path):
    for path in (event / "round3").iterdir():
        path.unlink()
    with served(event) as club:
        key = tables(club)[12]
        for place in (12, 13):
            asked(club, tables(club)[place])
        assert asked(club, key)["state"] == "waiting"
        view = send(club, "/organiser/view", **{TOKEN: OWN}).text
        (lead,) = re.findall('<p class="lead">(.*)</p>', view)
        assert lead.startswith("Round 3: 2 tables record and 5 have no device. ")
        assert len(re.findall('<li class="row recording', view)) == 2
        assert len(re.findall('<li class="row empty', view)) == 5
        count = len(re.findall('<li class="entry', view))
        assert f" {count} things wait for you." in lead
        assert re.findall('class="count">(.*?)<', view) == [str(count)]
        open_ = sum(int(whole) - int(some) for some, whole in re.findall(r"(\d+) of (\d+) games count", view)) - 7
        assert f" {open_} earlier games do not count yet." in lead
        assert f"Provisional: {open_} games are open." in view
        assert "Device 1 records there already (0 taps). Device 3 is new." in view


def test_what_is_impossible_comes_first_and_is_told_at_its_tables(club: str):
    view = send(club, "/organiser/view", **{TOKEN: OWN}).text
    first, *_ = re.findall('<li class="entry.*?</li>', view, re.DOTALL)
    assert "Impossible: Gaius has two games in round 3" in first
    rows = re.findall('<li class="row [a-z]+ clash.*?</li>', view, re.DOTALL)
    assert [re.search("</span> ([0-9])</span>", row)[1] for row in rows] == ["2", "5", "7"]  # type: ignore[index]
    assert all("is at tables" in row for row in rows)
    key, seen = re.search('data-key="([^"]*)" data-seen="([^"]*)"', first).groups()  # type: ignore[union-attr]
    assert act(club, "accept", key, seen).status == 200
    view = send(club, "/organiser/view", **{TOKEN: OWN}).text
    assert "Impossible" not in view
    assert " clash" not in view


def test_who_did_what_is_noted(event: Path):
    with served(event) as club:
        key, *_ = tables(club)
        asked(club, key)
        act(club, "revoke", "1")
        act(club, "result", key, seen_of(club, "view", key), "7-20")
        act(club, "result", key, "00000000", "20-7")
    with ClubStore(event / "club.sqlite") as store:
        noted = store.acts(9)
    assert [(each.who, each.what) for each in noted] == [
        (ORGANISER, f"result {key}: result: 7-20"), (ORGANISER, "revoke 1: device 1")
    ]  # fmt: skip


@pytest.mark.slow
@visits
async def test_the_organiser_decides_in_a_browser(running: Running, club: str, event: Path):
    before = {name: text for name, text in files(event).items() if not name.startswith("club.")}
    for width, scheme in ((390, "light"), (1280, "dark")):
        context = await running.browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
        page = await context.new_page()
        await page.goto(f"{club}/organiser#key={OWN}")
        await page.wait_for_selector(".entry")
        assert OWN not in page.url
        count = await page.locator(".entry").count()
        await page.locator("summary").first.click()
        await page.locator("[data-what=accept]").first.click()
        await page.wait_for_selector("#state:has-text('Done.')")
        assert await page.locator(".entry").count() < count
        await page.locator(".result summary").first.click()
        await page.locator(".result [placeholder]").first.fill("nonsense")
        await page.locator(".result [placeholder]").first.press("Enter")
        await page.wait_for_selector("#state.bad")
        assert "is not a result" in await page.inner_text("#state")
        await page.locator(".result select").first.select_option("draw")
        await page.locator(".result [placeholder]").first.fill("")
        await page.locator("[data-what=result]").first.click()
        await page.wait_for_selector(".row :text('by hand')")
        for _ in range(2):
            await page.locator("[data-what=undo]").first.click()
            await page.wait_for_selector("#state:has-text('Undone.')")
            await page.evaluate("tell('')")
        assert await page.locator(".entry").count() == count
        await context.close()
    assert {name: text for name, text in files(event).items() if not name.startswith(("originals", "club."))} == before


@pytest.mark.slow
@visits
async def test_the_organiser_s_pages_are_whole_and_open_to_everybody(running: Running, club: str, event: Path):
    plan, (key, *_) = event / "event.toml", tables(club)
    long = f"Livia Augusta Drusilla, called Xaveria {'of the long name' * 5}"
    plan.write_text(plan.read_text(encoding="utf-8").replace('"Livia"', f'"{long}"'), encoding="utf-8")
    assert [asked(club, key)["state"] for _ in range(3)] == ["admitted", "waiting", "waiting"]
    assert act(club, "revoke", "3").status == 200
    for width, height, scheme in ((390, 844, "light"), (390, 844, "dark"), (1280, 800, "light"), (1280, 800, "dark")):
        context = await running.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = await context.new_page()
        complaints = list[str]()
        page.on("console", lambda message, said=complaints: said.append(message.text))
        await page.goto(f"{club}/organiser#key={OWN}")
        for name, there in (("view", ".row"), ("sheets?round=1", ".sheet"), ("file", "textarea")):
            await page.evaluate(f"location.hash = '#{name}'")
            await page.wait_for_selector(there)
            await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
            assert await page.evaluate(CUT) == [], (width, name)
            found = await Axe().run(page)
            assert not found.violations_count, found.generate_report()
        assert not complaints
        await context.close()


CUT = """[...document.querySelectorAll('button, input, select, bdi, summary, label, .stage')].filter((each) => {
  const [box, own] = [each.getBoundingClientRect(), each.closest('li, section, form, nav')?.getBoundingClientRect()];
  const shown = box.width && !each.closest('.sr, .wide, pre');
  return shown && own && (box.left < own.left - 1 || box.right > own.right + 1);
}).map((each) => each.outerHTML.slice(0, 200))"""
"""What is wider than the place in which it stands."""


@pytest.mark.slow
@visits
async def test_a_new_look_keeps_what_is_typed_open_and_in_focus(running: Running, club: str, event: Path):
    page = await (await running.browser.new_context()).new_page()
    await page.goto(f"{club}/organiser#key={OWN}")
    await page.wait_for_selector(".row")
    await page.locator(".result summary").nth(2).click()
    await page.locator(".result [placeholder]").nth(2).fill("20-")
    row = await page.evaluate("document.activeElement.closest('.row').dataset.key")
    asked(club, tables(club)[-2])  # what stands on the page changes, above and below
    act(club, "accept", *first_proposal(club))
    await page.evaluate("look()")
    await page.wait_for_selector(".device")
    await page.keyboard.type("7")
    assert await page.evaluate("document.activeElement.value") == "20-7"
    assert await page.evaluate("document.activeElement.closest('.row').dataset.key") == row
    await page.evaluate("location.hash = '#file'")
    await page.locator("textarea").fill("mine")
    (event / "event.toml").write_bytes((event / "event.toml").read_bytes() + b"\n# somebody else")
    await page.evaluate("look()")
    assert await page.input_value("textarea") == "mine"
    await page.locator("[data-what=edit]").click()
    await page.wait_for_selector("#state.bad:has-text('Copy what you wrote')")
    assert await page.input_value("textarea") == "mine"
    await page.context.close()


def first_proposal(club: str) -> tuple[str, str]:
    """The key of the first thing to do for which something is proposed, and what stands for it."""
    view = send(club, "/organiser/view", **{TOKEN: OWN}).text
    entry = next(each for each in view.split('<li class="entry') if 'data-what="accept"' in each)
    found = re.search('data-key="([^"]*)" data-seen="([^"]*)"', entry)
    assert found
    return found[1], found[2]


@pytest.mark.slow
@visits
async def test_two_sheets_are_printed_on_a_page(running: Running, club: str):
    page = await (await running.browser.new_context()).new_page()
    await page.goto(f"{club}/organiser#key={OWN}")
    await page.evaluate("location.hash = '#sheets?round=1'")
    await page.wait_for_selector(".sheet")
    for form in ("A4", "Letter"):
        assert len(re.findall(rb"/Type /Page\b", await page.pdf(format=form))) == 3, form
    await page.context.close()


@pytest.mark.slow
@visits
async def test_a_page_without_the_link_shows_nothing_and_says_so(running: Running, club: str):
    page = await (await running.browser.new_context()).new_page()
    await page.goto(f"{club}/organiser")
    await page.wait_for_selector("#state.bad:has-text('organiser’s link')")
    assert not await page.inner_text("#view")
    await page.context.close()


ODD: list[Any] = [None, True, -1, 0, 1.5, 10**30, "", "x" * 3000, "\ud800\0", [], {}, [[[]]], {"tap": "undo"}, "table"]


def oddly(value: Any, chance: random.Random) -> Any:
    """A value of which something is another one, missing or doubled, or nothing is."""
    if isinstance(value, dict) and value and chance.randrange(3):
        name = chance.choice([*value])
        rest = {other: there for other, there in value.items() if other != name}
        return chance.choice((rest, rest | {name: oddly(value[name], chance)}, value | {name + "x": 1}))
    if isinstance(value, list) and value and chance.randrange(3):
        at = chance.randrange(len(value))
        return chance.choice(
            (value[:at], value + value[at:], [*value[:at], oddly(value[at], chance), *value[at + 1 :]])
        )
    return chance.choice((value, *ODD))


def test_nearly_right_requests_of_devices_write_only_what_is_right(club: str, event: Path):
    """Whatever devices send with their own tokens: no server error, and their journals have what was confirmed."""
    chance, before = random.Random(72), files(event)
    mine, other, *_ = tables(club)
    tokens = [asked(club, key)["token"] for key in (mine, mine, other)]
    assert act(club, "revoke", "3").status == 200
    own, model = tapped(begin(club, tokens[0]), 60), list[Any]()
    sizes = list[tuple[int, int]]()
    for number in range(scaled(300, 10_000)):
        at = chance.choice((len(model), len(model), max(0, len(model) - 3), len(model) + 1))
        asks: dict[str, Any] = {
            "taps": {"first": at, "taps": [*model[at:], *chance.sample(own, chance.randrange(4))]},
            "begin": {"who": "table", "starts": ""},
            "ask": {"pairing": chance.choice((mine, other))},
        }
        name = chance.choice(("taps", "taps", "taps", "begin", "ask", "screen", "state", "index.html"))
        token, method = chance.choice((*tokens[:1] * 5, *tokens, token_urlsafe(16))), "POST" if name in asks else "GET"
        body = bytearray(json.dumps(chance.choice((oddly(asks.get(name), chance), asks.get(name)))).encode())
        for _ in range(chance.choice((0, 0, 0, 1, 5))):
            body[chance.randrange(len(body))] = chance.randrange(256)
        method = chance.choice((method, method, method, "GET", "POST"))
        said = send(club, f"/table/{name}", method, bytes(body), **{TOKEN: token})
        assert said.status < 500, (name, bytes(body[:200]))
        if said.status == 200 and said.text.startswith('{"kept"'):
            taken = json.loads(body)
            if 0 <= taken["first"] <= len(model):
                model += taken["taps"][len(model) - taken["first"] :]
            assert json.loads(said.text) == {"kept": len(model)}
        if number % 100 == 99:
            sizes.append((memory(), sum(map(len, files(event).values()))))
    assert state(club, tokens[0])["journal"]["taps"] == model
    assert send(club, "/").status == 200
    assert state(club, tokens[1])["state"] == "waiting"
    left = {
        name: text for name, text in files(event).items() if not name.startswith("club.") and text != before.get(name)
    }
    assert {name for name in left if "originals" not in name} <= {"round1/table1.ours-1.tiro"}
    assert max(size for _, size in sizes) < 20_000_000, sizes
    assert sizes[-1][0] - sizes[0][0] < 100_000, sizes


def memory() -> int:
    """The most KiB that this process, in which the club runs, has used."""
    resource = pytest.importorskip("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
