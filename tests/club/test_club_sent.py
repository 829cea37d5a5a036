"""Records that are sent in: judged as ``tiro check`` judges them, and kept once; the organiser decides about them."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from shutil import copytree
from urllib.parse import urlsplit

import pytest
from archives import tiro
from axe_playwright_python.async_playwright import Axe
from browser import Running, visits
from events import finished, headed
from imports import ROOT
from scale import scaled
from tapping import begun, tapped
from test_club_server import CUT, OWN, Said, act, asked, begin, files, send, served, taps
from tironian import Record, check
from tironian.tools.club import server
from tironian.tools.club.sent import MAX_RECORD
from tironian.tools.club.store import LIMITS, ClubStore
from tironian.tools.event import plain
from tironian.tools.event.changes import standing_changes
from tironian.tools.event.facts import fact_key
from tironian.tools.event.plan import Pairing, event_text, plan_text, read_plan
from tironian.tools.event.standings import standings
from tironian.tools.event.todo import event_state

pytestmark = pytest.mark.process
HONEST = (ROOT / "examples/2024/annotated.tiro").read_bytes()
BROKEN = (ROOT / "examples/broken/card-not-in-hand.tiro").read_bytes()
LOG = b"""[Event "Club evening"]
[Round "1"]
[Table "1"]
[Caesar "Anna"]
[Cleopatra "Ben"]
[Result "20-7"]

20-7
"""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return Path(copytree(ROOT / "examples/club", tmp_path / "open"))


@pytest.fixture
def club(event: Path) -> Iterator[str]:
    with served(event) as address:
        yield address


def sent(club: str, body: bytes, **headers: str) -> tuple[Said, str]:
    """Send a record as a program does, which names no origin: the answer, and the number under which it is kept."""
    host = urlsplit(club).netloc
    connection = http.client.HTTPConnection(host)
    connection.request("POST", "/records", body, {"Host": host, **headers})
    answer = connection.getresponse()
    said = Said(answer.status, answer.read().decode(errors="surrogateescape")), answer.headers.get("X-Tiro-Kept", "")
    connection.close()
    return said


def checked(body: bytes, form: str = "json") -> str:
    return tiro("check", "-", "--suggest", "--rules", "2024", "--format", form, stdin=body).stdout


def view(club: str) -> str:
    return send(club, "/organiser/view", **{server.TOKEN: OWN}).text


def inbox(club: str) -> dict[str, str]:
    """The records that wait, by their numbers, each with what stands for what it would change."""
    return dict(re.findall(r'waits" data-key="(\d+)" data-seen="(\w+)"><h3>Record', view(club)))


def test_a_record_is_judged_at_once_and_kept_once(club: str, event: Path):
    before = files(event)
    for number, body in enumerate((HONEST, BROKEN, LOG), 1):
        for _ in range(2):
            (status, text), kept = sent(club, body)
            assert (status, kept) == (200, str(number))
            assert json.loads(text) == json.loads(checked(body))
        said, _ = sent(club, body, Accept="text/plain")
        first, _, report = said.text.partition("\n\n")
        assert first.startswith(f"The organiser has it now, as record {number}.")
        assert ("only the result" in first) == (body == LOG)
        assert report == checked(body, "text")
    assert {*inbox(club)} == {"1", "2", "3"}
    after = files(event)
    assert {name: after[name] for name in before if name.startswith(("event", "round"))} == {
        name: text for name, text in before.items() if name.startswith(("event", "round"))
    }
    with ClubStore(event / "club.sqlite") as store:
        assert [store.sent_record(each).text for each in store.sent()] == [HONEST, BROKEN, LOG]


def test_a_record_counts_once_the_organiser_has_added_it(club: str, event: Path):
    sent(club, LOG)
    shown = view(club)
    assert "Anna – Ben: only the result, the first record of this game. If you add it: Anna wins 20–7" in shown
    assert act(club, "add", "1", "00000000").status == 409
    assert act(club, "add", "1", inbox(club)["1"]).status == 200
    assert (event / "sent" / "1.tiro").read_bytes() == LOG
    assert not inbox(club)
    assert len(re.findall(r'class="row finished', view(club))) == 1
    (one,) = standing_changes(str(event))
    assert act(club, "undo", "0", one.key).status == 200
    assert not (event / "sent" / "1.tiro").exists()
    assert {*inbox(club)} == {"1"}  # it waits again
    assert act(club, "aside", "1").status == 200
    assert not inbox(club)
    assert act(club, "add", "7", "").status == 404
    with ClubStore(event / "club.sqlite") as store:
        assert store.sent() == []
        assert store.sent_record(1).text == LOG


def test_nothing_is_overwritten(club: str, event: Path):
    sent(club, LOG)
    seen = inbox(club)["1"]
    (event / "sent").mkdir()
    (event / "sent" / "1.tiro").write_bytes(HONEST)
    assert act(club, "add", "1", seen).status == 409
    assert (event / "sent" / "1.tiro").read_bytes() == HONEST


def test_what_is_no_record_is_not_kept(club: str, event: Path):
    for body in (b"", b"\n\n", b"\x00" * 9, b"hello", b"%"):
        said, kept = sent(club, body)
        assert (said.status, kept) == (200, "0"), body
    assert sent(club, b"x" * (MAX_RECORD + 1))[0].status == 413
    assert sent(club, b"x" * 10_000_000)[0].status == 413
    assert sent(club, HONEST, Origin="https://evil.example")[0].status == 403
    with ClubStore(event / "club.sqlite") as store:
        assert store.sent() == []


def test_what_strangers_send_leaves_the_organiser_s_page_as_it_is(
    club: str, event: Path, monkeypatch: pytest.MonkeyPatch
):
    """Many records, many games in one, and one at which the checker itself fails."""
    with ClubStore(event / "club.sqlite") as store:
        for number in range(server.SHOWN + 5):
            store.send(LOG.replace(b"Anna", b"Anna%d" % number), 0)
        store.send(LOG * 500, 0)
    shown = view(club)
    assert shown.count("was sent in</h3>") == server.SHOWN
    assert "6 more records were sent in" in shown
    for number in range(1, server.SHOWN + 6):
        assert act(club, "aside", str(number)).status == 200
    assert 1 <= view(club).count("If you add it") <= 20

    def fails(*_: object) -> None:
        raise RecursionError("deep")

    monkeypatch.setattr(plain, "check", fails)
    sent(club, BROKEN)
    assert "record" in view(club).lower()
    assert len(inbox(club)) == 2


def test_a_full_inbox_refuses_and_says_so(event: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ClubStore.__init__, "__defaults__", (LIMITS._replace(sent=1),))
    with served(event) as club:
        assert sent(club, HONEST)[0].status == 200
        said, _ = sent(club, BROKEN)
        assert (said.status, "inbox is full" in said.text) == (429, True)
        assert sent(club, HONEST)[1] == "1"
        assert act(club, "aside", "1").status == 200
        assert sent(club, BROKEN)[1] == "2"


def test_a_record_that_does_not_arrive_is_given_up(event: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "PATIENCE", 0)
    with served(event) as club:
        connection = http.client.HTTPConnection(urlsplit(club).netloc)
        connection.putrequest("POST", "/records")
        connection.putheader("Content-Length", str(len(HONEST)))
        connection.endheaders()  # and nothing follows
        assert connection.getresponse().status == 408
        connection.close()


def variant(rng: Random) -> bytes:
    """A record as people send it: whole, broken, cut off, garbled, twice, or nothing like one."""
    body = bytearray(rng.choice((HONEST, BROKEN, LOG, LOG * 2)))
    match rng.randrange(5):
        case 0:
            body = body[: rng.randrange(len(body))]
        case 1:
            for _ in range(rng.randint(1, 60)):
                body[rng.randrange(len(body))] = rng.randrange(256)
        case 2:
            body = bytearray(rng.randbytes(rng.randrange(3_000)))
        case 3:
            body = body.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n")))
    return bytes(body)


def test_every_record_gets_the_verdict_of_the_command(club: str, event: Path):
    """In one piece or in many; what is kept is what was sent."""
    rng, kept = Random(72), dict[str, bytes]()
    for _ in range(scaled(6, 1_000)):
        body = variant(rng)
        pieces = [body[at : at + 700] for at in range(0, len(body), 700)]
        said, number = sent(club, iter(pieces) if rng.random() < 0.3 else body)  # type: ignore[arg-type]
        if said.status == 429:  # the inbox is full
            assert len(kept) == LIMITS.sent
            continue
        assert said.status == 200
        assert json.loads(said.text) == json.loads(checked(body)), body
        if number != "0":
            assert kept.setdefault(number, body) == body
    with ClubStore(event / "club.sqlite") as store:
        assert {str(each): store.sent_record(each).text for each in store.sent()} == kept
    assert not (event / "sent").exists()
    assert "Record" in view(club)


def test_an_evening_is_paired_recorded_and_sent_in_without_a_file(tmp_path: Path):
    """Three rounds of eight players: in each, a game is recorded by taps, two are sent in, and one is entered by hand.
    The organiser only presses buttons; the standings are those of the winners.
    """
    people, points = list("ABCDEFGH"), dict.fromkeys("ABCDEFGH", Fraction())
    data = {"format": "tironian-event", "version": 1, "rules": "2024", "rounds": 3, "pairing": {"system": "swiss"}}
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "event.toml").write_text(plan_text({**data, "players": [{"name": each} for each in people]}), "utf-8")
    met = set[frozenset[str]]()
    with served(folder) as club:
        for number in range(1, 4):
            key, seen = re.findall(r'id="do-(\w+)" data-key="\w+" data-seen="(\w+)"', view(club))[0]
            assert act(club, "accept", key, seen).status == 200
            plan = read_plan((folder / "event.toml").read_text(encoding="utf-8"))
            first, *two, last = (one for one in plan.pairings if one.round == number)
            met |= {one.players for one in (first, *two, last)}
            whole = finished(10 * number)
            starts, own = whole.header("Starts"), [*tapped(begun(whole, "arbiter"), whole)]
            token = asked(club, fact_key(first))["token"]
            begin(club, token, "arbiter", starts)
            assert taps(club, token, 0, own).status == 200
            for at, one in enumerate(two, 1):
                log = finished(10 * number + at)
                text = headed(log, Round=number, Caesar=one.caesar, Cleopatra=one.cleopatra)
                assert sent(club, text.encode())[0].status == 200
                (waiting,) = inbox(club).items()
                assert act(club, "add", *waiting).status == 200
                score(points, one, log)
            score(points, first, whole)
            key, seen = next(
                (key, seen)
                for key, seen in re.findall(r'class="row [^"]*" data-key="(\w+)" data-seen="(\w+)"', view(club))
                if key == fact_key(last)
            )
            assert act(club, "result", key, seen, "cleopatra").status == 200
            points[last.cleopatra] += 1
        assert "Nothing to do" in view(club)
    assert len(met) == 12
    state = event_state(str(folder), read_plan(event_text(str(folder))), 1)
    assert {one.name: one.points for one in standings(state.plan, state.decided).scores} == points
    assert not state.to_do


def score(points: dict[str, Fraction], pairing: Pairing, record: Record) -> None:
    """Give the players of a game what it brings."""
    winner = check(record).outcome.winner
    for side, name in enumerate(pairing.names):
        points[name] += Fraction(1, 2) if winner == 2 else Fraction(winner == side)


@pytest.mark.slow
@visits
async def test_a_record_is_sent_in_a_browser(running: Running, club: str, event: Path):
    for width, scheme in ((390, "light"), (1280, "dark")):
        context = await running.browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
        page = await context.new_page()
        await page.goto(f"{club}/send")
        file = {"name": "game.tiro", "mimeType": "text/plain", "buffer": BROKEN}
        await page.set_input_files("input", files=[file])
        await page.locator("form button").click()
        await page.wait_for_selector("#said pre")
        assert "The organiser has it now, as record 1." in await page.inner_text("#said")
        assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert await page.evaluate(CUT) == []
        found = await Axe().run(page)
        assert not found.violations_count, found.generate_report()
        await page.goto(f"{club}/organiser#key={OWN}")
        await page.wait_for_selector(".entry:has-text('Record 1 was sent in')")
        found = await Axe().run(page)
        assert not found.violations_count, found.generate_report()
        await context.close()
