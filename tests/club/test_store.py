"""The store of a club: taps once and in order, both sides of a contradiction, tokens nowhere, whatever ends when."""

from __future__ import annotations

import base64
import random
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scale import scaled
from tironian.tools.club.store import ADMITTED, REVOKED, WAITING, ClubStore, Contradiction, Device, Limits, Refused
from tironian.tools.storage import CannotRun

HEAD = {"desk": 2, "start": {"rules": "2024", "view": "table", "headers": {"Caesar": "Livia"}}}
SMALL = Limits(waiting=2, all_waiting=4, tap=300, taps=30, bytes=900)
NEW = count()
EXAMPLES = scaled(60, 3000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[ClubStore]:
    with ClubStore(path, SMALL) as store:
        yield store


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubStore]:
    """One store for all examples of a property, each of which has a device of its own."""
    with ClubStore(tmp_path_factory.mktemp("club") / "club.sqlite") as store:
        yield store


def begun(store: ClubStore, head: dict[str, Any] = HEAD) -> int:
    device, _ = store.ask(f"1/{next(NEW)}", 0)
    store.begin(device, head)
    return device


def taps_of(store: ClubStore, device: int) -> list[Any]:
    journal = store.journal(device)
    assert journal is not None
    return journal["taps"]


def refused(act: Callable[..., object], *values: object) -> str:
    with pytest.raises(Refused) as refusal:
        act(*values)
    return refusal.value.why


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


def at_once(*acts: Callable[[], object]) -> None:
    """Do things in threads that begin together, and raise what one of them raises."""
    errors: list[BaseException] = []
    barrier = Barrier(len(acts))

    def done(act: Callable[[], object]) -> None:
        barrier.wait()
        try:
            act()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [Thread(target=done, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


# -------------------------------------------------------------------------------------------------------- devices


def test_the_first_device_of_a_pairing_is_admitted_and_others_wait(store: ClubStore):
    one, token = store.ask("1/Livia/Marcus", 10)
    two, _ = store.ask("1/Livia/Marcus", 11)
    other, _ = store.ask("1/Julia/Gaius", 12)
    states = {each.number: each.state for each in store.devices()}
    assert states == {one: ADMITTED, two: WAITING, other: ADMITTED}
    assert store.device(token, 10) == Device(one, "1/Livia/Marcus", ADMITTED, 10, 10)


@given(acts=st.lists(st.tuples(st.sampled_from(["ask", "admit", "revoke"]), st.integers(0, 4)), max_size=30))
@settings(max_examples=scaled(30, 1000), deadline=None)
def test_admission(tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]]):
    known: dict[int, tuple[str, str]] = {}
    with ClubStore(tmp_path_factory.mktemp("club") / "club.sqlite", SMALL) as store:
        for act, number in acts:
            if act != "ask":
                assert getattr(store, act)(number) == (number in known)
                if number in known:
                    known[number] = known[number][0], {"admit": ADMITTED, "revoke": REVOKED}[act]
                continue
            pairing = f"pairing {number}"
            of_it = [state for name, state in known.values() if name == pairing]
            waits = [state for _, state in known.values()].count(WAITING)
            if of_it and of_it.count(WAITING) >= SMALL.waiting:
                assert refused(store.ask, pairing, 0) == "waiting"
            elif of_it and waits >= SMALL.all_waiting:
                assert refused(store.ask, pairing, 0) == "all_waiting"
            else:
                new, token = store.ask(pairing, 0)
                known[new] = pairing, WAITING if of_it else ADMITTED
                assert store.device(token, 0) == Device(new, *known[new], 0, 0)
            assert {each.number: (each.pairing, each.state) for each in store.devices()} == known


def test_only_so_many_wait(store: ClubStore):
    """Whoever is admitted or revoked makes room; and the first device of a pairing never waits."""
    waiting = {name: [store.ask(name, 0)[0] for _ in range(1 + SMALL.waiting)][1:] for name in ("1", "2")}
    assert refused(store.ask, "1", 0) == "waiting"
    third, _ = store.ask("3", 0)
    assert refused(store.ask, "3", 0) == "all_waiting"
    assert store.admit(waiting["1"][0])
    assert store.ask("3", 0)[0] > third
    assert refused(store.ask, "1", 0) == "all_waiting"
    assert store.revoke(waiting["2"][0])
    assert store.ask("2", 0)
    assert refused(store.ask, "2", 0) == "waiting"


def test_a_revoked_device_is_told_apart_from_an_unknown_one(store: ClubStore):
    number, token = store.ask("1", 0)
    assert store.revoke(number)
    found = store.device(token, 0)
    assert found is not None
    assert found.state == REVOKED
    store.ask("1", 0)
    assert [each.state for each in store.devices()] == [REVOKED, WAITING]
    for unknown in ("", token[:-1], token + "A", token.lower() + " ", "\ud800", "\0", "x" * 1_000_000):
        assert store.device(unknown, 0) is None


def test_when_a_device_was_seen_is_noted_now_and_then(store: ClubStore):
    """A clock that begins anew, as after a restart, counts too."""
    _, token = store.ask("1", 100)
    seen = [getattr(store.device(token, now), "seen", None) for now in (101, 104.9, 105, 107, 3, 4)]
    assert seen == [100, 100, 105, 105, 3, 3]


def test_no_token_is_in_any_file(path: Path):
    tokens = []
    with ClubStore(path) as store:
        for number in range(20):
            device, token = store.ask(f"1/{number % 10}", 0)
            tokens.append(token)
            store.device(token, number * 10)
            store.begin(device, HEAD)
            store.take(device, 0, [{"tap": "undo"}])
        store.backup(path.with_name("backup"))
        there = [*files(path).values()]
    there += files(path).values()
    assert len({*tokens}) == 20
    for token in tokens:
        raw = base64.urlsafe_b64decode(token + "==")
        assert len(raw) == 16
        assert not [data for data in there if token.encode() in data or raw in data]


# ----------------------------------------------------------------------------------------------------------- taps

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(data=st.data(), taps=st.lists(JSON, max_size=12))
@settings(max_examples=EXAMPLES, deadline=None)
def test_however_taps_are_sent_they_are_kept_once(wide: ClubStore, data: st.DataObject, taps: list[Any]):
    """In parts, again, from anywhere: after a gap nothing is taken."""
    device, kept = begun(wide), 0
    for first, end in data.draw(st.lists(st.tuples(st.integers(-1, 12), st.integers(0, 12)), max_size=8)):
        sent = taps[max(first, 0) : end]
        if 0 <= first <= kept:
            kept = max(kept, first + len(sent))
        assert wide.take(device, first, sent) == kept
        assert taps_of(wide, device) == taps[:kept]
    assert wide.take(device, kept, taps[kept:]) == len(taps)
    assert wide.journal(device) == HEAD | {"taps": taps}
    assert wide.contradicting(device) == []


@given(sends=st.lists(st.tuples(st.integers(0, 5), st.lists(st.sampled_from([1, 12]), max_size=4)), max_size=12))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_contradiction_takes_nothing_and_loses_nothing(wide: ClubStore, sends: list[tuple[int, list[int]]]):
    device, kept, differing = begun(wide), list[int](), list[tuple[int, list[int]]]()
    for first, sent in sends:
        at = next((at for at, (old, new) in enumerate(zip(kept[first:], sent, strict=False)) if old != new), None)
        if at is None:
            kept += sent[len(kept) - first :] if first <= len(kept) else []
            assert wide.take(device, first, sent) == len(kept)
        else:
            with pytest.raises(Contradiction) as found:
                wide.take(device, first, sent)
            assert found.value.number == first + at
            differing.append((first + at, sent[at:]))
        assert taps_of(wide, device) == kept
    aside = wide.contradicting(device)
    for number, version in differing:
        assert any(at == number and there[: len(version)] == version for at, there in aside)
    for number, version in aside:  # none is there twice, or as the beginning of another
        assert (number, version) in differing
        assert sum(at == number and there[: len(version)] == version for at, there in aside) == 1


def test_one_is_not_true_and_the_order_of_names_is_nothing(store: ClubStore):
    device = begun(store)
    assert store.take(device, 0, [{"tap": 1, "at": 2}]) == 1
    assert store.take(device, 0, [{"at": 2, "tap": 1}]) == 1
    with pytest.raises(Contradiction):
        store.take(device, 0, [{"at": 2, "tap": True}])


def test_one_is_not_the_beginning_of_twelve(store: ClubStore):
    device = begun(store)
    store.take(device, 0, [2])
    for version in ([1], [12], [1], [12, 3], [1, 3]):
        with pytest.raises(Contradiction):
            store.take(device, 0, version)
    assert store.contradicting(device) == [(0, [1, 3]), (0, [12, 3])]


def test_a_game_begins_once(store: ClubStore):
    device, _ = store.ask("1", 0)
    assert store.journal(device) is None
    assert refused(store.take, device, 0, [1]) == "no game"
    for _ in range(2):
        store.begin(device, HEAD)
    assert refused(store.begin, device, HEAD | {"desk": 3}) == "begun"
    assert refused(store.begin, device, HEAD | {"taps": []}) == "form"
    assert store.journal(device) == HEAD | {"taps": []}
    with pytest.raises(sqlite3.IntegrityError):
        store.begin(99, HEAD)


def test_a_record_lacks_what_came_after_it(store: ClubStore, path: Path):
    device, _ = store.ask("1", 0)
    assert store.unfiled() == []
    store.begin(device, HEAD)
    for number in range(3):
        store.take(device, 0, [1, 2][:number])
        assert store.unfiled() == [device]
        store.note_filed(device, number)
        assert store.unfiled() == []
    with ClubStore(path) as again:
        assert again.unfiled() == []


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("taps", "why"),
    [
        (["x" * 299], "tap"),
        (["é" * 60], "tap"),
        ([0] * 31, "taps"),
        (["x" * 290] * 4, "bytes"),
        ([float("nan")], "form"),
        ([float("inf")], "form"),
        ([nested(100_000)], "form"),
        ([{1, 2}], "form"),
        ([10**5000], "form"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_too_much_is_refused_whole(store: ClubStore, taps: list[Any], why: str):
    device = begun(store)
    store.take(device, 0, ["kept"])
    assert refused(store.take, device, 1, ["first", *taps]) == why
    assert taps_of(store, device) == ["kept"]
    assert store.take(device, 0, ["kept", "next"]) == 2


def test_contradictions_have_a_limit_as_well(store: ClubStore):
    """Sending the same one again does not reach it, and one that goes on is kept once."""
    device = begun(store)
    store.take(device, 0, ["a" * 250])
    for length in [*range(1, 20)] * 5:
        with pytest.raises(Contradiction):
            store.take(device, 0, ["b" * 20] * length)
    assert store.contradicting(device) == [(0, ["b" * 20] * 19)]
    assert refused(store.take, device, 0, ["c" * 250]) == "bytes"
    assert len(store.contradicting(device)) == 1


# -------------------------------------------------------------------------------------------------------- threads


def test_threads_share_it(path: Path):
    taps = [*range(scaled(60, 1000))]
    with ClubStore(path) as store:
        asked: list[tuple[int, str]] = []
        at_once(*[lambda: asked.append(store.ask("1", 0))] * 6)
        states = [each.state for each in store.devices()]
        assert sorted(states) == [ADMITTED] + [WAITING] * 5
        devices = [number for number, _ in asked[:2]]

        def send(device: int, seed: int) -> None:
            chance, kept = random.Random(seed), 0
            store.begin(device, HEAD)
            while kept < len(taps):
                first = max(0, kept - chance.randrange(5))
                kept = store.take(device, first, taps[first : kept + chance.randrange(1, 5)])

        def look() -> None:
            for _, token in asked * 5:
                assert store.device(token, 3) is not None
                for device in devices:
                    there = store.journal(device)
                    assert there is None or there["taps"] == taps[: len(there["taps"])]

        sending = [lambda device=device, seed=seed: send(device, seed) for device in devices for seed in range(3)]
        at_once(*sending, look, lambda: store.backup(path.with_name("backup")))
        assert [taps_of(store, device) for device in devices] == [taps] * 2
    with ClubStore(path.with_name("backup")) as store:
        assert len(store.devices()) == 6


def test_two_programs_share_it(path: Path):
    """As where somebody makes a copy while the server runs: each waits for the other."""
    taps = [*range(scaled(30, 300))]
    with ClubStore(path) as one, ClubStore(path) as other:
        device = begun(one)

        def send(store: ClubStore) -> None:
            for number in taps:
                assert store.take(device, number, [number]) > number

        at_once(lambda: send(one), lambda: send(other))
        assert taps_of(one, device) == taps_of(other, device) == taps


# ----------------------------------------------------------------------------------------------------------- file


def test_what_is_committed_is_on_disk(path: Path, monkeypatch: pytest.MonkeyPatch):
    """SQLite waits for the disk at each commit, as told by the numbers of its own settings."""
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: made.append(connect(*args, **options)) or made[-1])
    with ClubStore(path):
        (base,) = made
        found = [base.execute(f"PRAGMA {name}").fetchone() for name in ("synchronous", "journal_mode", "foreign_keys")]
    assert found == [(2,), ("wal",), (1,)]


def test_everything_is_there_again(path: Path):
    with ClubStore(path) as store:
        number, token = store.ask("1/Livia/Marcus", 5)
        store.begin(number, HEAD)
        store.take(number, 0, ["\ud800", {"a": "\0"}])
        with pytest.raises(Contradiction):
            store.take(number, 1, [2, 3])
        assert store.written(number) is store.intended(number) is None
        store.note_intended(number, "b.tiro", "cd")
        store.note_written(number, "a.tiro", "ab")
        for at in range(4):
            store.note("organiser", f"act {at}", at)
        store.backup(path.with_name("backup"))
    for place in (path, path.with_name("backup")):
        with ClubStore(place) as store:
            assert store.device(token, 6) == Device(number, "1/Livia/Marcus", ADMITTED, 5, 5)
            assert store.journal(number) == HEAD | {"taps": ["\ud800", {"a": "\0"}]}
            assert store.contradicting(number) == [(1, [2, 3])]
            assert (store.written(number), store.intended(number)) == (("a.tiro", "ab"), ("b.tiro", "cd"))
            assert [tuple(each) for each in store.acts(2)] == [("organiser", "act 3", 3), ("organiser", "act 2", 2)]
        with closing(sqlite3.connect(place)) as base:
            assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        if sys.platform != "win32":
            assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_only_a_file_of_a_club_is_opened(path: Path):
    with ClubStore(path):
        pass
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version=2")
    before = path.read_bytes()
    with pytest.raises(CannotRun, match="a newer version of this program wrote this file"):
        ClubStore(path)
    assert path.read_bytes() == before
    path.unlink()
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE taps (device)")
    before = path.read_bytes()
    with pytest.raises(CannotRun, match="this is not the file of a club"):
        ClubStore(path)
    assert path.read_bytes() == before
    path.write_bytes(b"no database\n" * 100)
    for place in (path, path.parent, path / "club.sqlite"):
        with pytest.raises(CannotRun, match="nothing can be kept there"):
            ClubStore(place)
    assert path.read_bytes() == b"no database\n" * 100


def test_a_closed_store_says_so(path: Path):
    store = ClubStore(path)
    store.close()
    store.close()
    with pytest.raises(CannotRun):
        store.devices()


def test_a_backup_replaces_nothing(store: ClubStore, path: Path, monkeypatch: pytest.MonkeyPatch):
    target = path.with_name("backup")
    target.write_text("kept")
    with pytest.raises(CannotRun, match="there is such a file already"):
        store.backup(target)
    assert target.read_text() == "kept"
    target.unlink()
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(f"os.{name}", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
            with pytest.raises(CannotRun, match="No space left"):
                store.backup(target)
        assert not [name for name in files(path) if "backup" in name]
    store.backup(target)
    assert [name for name in files(path) if "backup" in name] == ["backup"]


# ---------------------------------------------------------------------------------------------------------- kills


def tap(number: int) -> dict[str, Any]:
    return {"tap": "number", "number": number, "at": number * 1000}


SENDING = """
import random, sys
from pathlib import Path
from tironian.tools.club.store import ClubStore

def tap(number):
    return {"tap": "number", "number": number, "at": number * 1000}

path, device, chance = Path(sys.argv[1]), int(sys.argv[2]), random.Random(sys.argv[3])
with ClubStore(path) as store:
    kept = store.take(device, 1_000_000, [])
    while kept < 15_000:
        first = max(0, kept - chance.randrange(3))
        kept = store.take(device, first, [tap(number) for number in range(first, kept + chance.randrange(1, 4))])
        print(kept, flush=True)
"""


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing can be killed like that on this system")
def test_a_confirmed_tap_is_there_whenever_the_server_is_killed(path: Path):
    with ClubStore(path) as store:
        device = begun(store)
    chance, kills, kept = random.Random(1), scaled(8, 200), 0
    for seed in range(kills):
        command = [sys.executable, "-c", SENDING, str(path), str(device), str(seed)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = [process.stdout.readline() for _ in range(chance.randrange(1, 40))]
            process.kill()
            told += process.stdout.readlines()
        assert process.returncode == -signal.SIGKILL
        with ClubStore(path) as store:
            there = taps_of(store, device)
            assert len(there) >= int([line for line in told if line.endswith("\n")][-1]) > kept
            assert there == [tap(number) for number in range(len(there))]
            kept = len(there)


FILLING = """
import resource, signal, sys
from pathlib import Path
from tironian.tools.club.store import ClubStore
from tironian.tools.storage import CannotRun

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_011, 300_011))
with ClubStore(Path(sys.argv[1])) as store:
    device, token = store.ask("1", 0)
    store.begin(device, {})
    for number in range(4000):
        try:
            store.take(device, number, [[number, "x" * 500]])
        except CannotRun as told:
            break
        print(number, flush=True)
    else:
        sys.exit("never full")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, 300_011))
    assert store.device(token, 10).seen == 0
    assert len(store.journal(device)["taps"]) == number
"""


@pytest.mark.process
def test_a_store_that_can_not_grow_keeps_what_it_has(path: Path):
    """A limit that a shell sets; it still answers."""
    pytest.importorskip("resource", reason="there are no such limits on this system")
    run = subprocess.run([sys.executable, "-c", FILLING, str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    confirmed = [*map(int, run.stdout.split())]
    assert confirmed == [*range(len(confirmed))]
    with ClubStore(path) as store:
        assert taps_of(store, 1) == [[number, "x" * 500] for number in confirmed]
        assert store.take(1, len(confirmed), ["room again"]) == len(confirmed) + 1
