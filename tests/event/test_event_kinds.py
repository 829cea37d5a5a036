"""Kinds of events and of slips: each is made in several ways, and every game that was played counts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date, datetime, time
from itertools import product
from pathlib import Path
from zipfile import ZipFile

import pytest
from archives import tiro
from events import PLANTS, Event, finished, headed
from scale import scaled
from tironian import Record, parse, view, write
from tironian.tools.event.facts import ToDo
from tironian.tools.event.plan import event_text, plan_text, read_plan
from tironian.tools.event.records import like
from tironian.tools.event.todo import EventState, event_state
from tironian.tools.event.words import keys_of, said

PLAYERS = ["Marta Lindqvist", "Tobias Hallermann", "Jürgen Müller", "José García López"]


def state(folder: Path, refused: tuple[str, ...] = ()) -> EventState:
    return event_state(str(folder), read_plan(event_text(str(folder))), 1, refused)


def made(folder: Path, texts: dict[str, str], pairings: list[dict[str, object]], **more: object) -> Path:
    """An event in a folder, whose players are those of the pairings."""
    folder.mkdir(exist_ok=True)
    names = dict.fromkeys(str(pair[side]) for pair in pairings for side in ("caesar", "cleopatra", "bye", "absent")
                          if side in pair)  # fmt: skip
    data = {"format": "tironian-event", "version": 1, "rules": "2024", "players": [{"name": name} for name in names]}
    (folder / "event.toml").write_text(plan_text({**data, "pairings": pairings, **more}), encoding="utf-8")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def pair(caesar: str, cleopatra: str, round_: int = 1, **more: object) -> dict[str, object]:
    return {"round": round_, "caesar": caesar, "cleopatra": cleopatra, **more}


def game(number: int, caesar: str, cleopatra: str, round_: str = "1", **more: str) -> str:
    named = {"Event": "Cup", "Date": "2026.01.01", "Round": round_, "Caesar": caesar, "Cleopatra": cleopatra, **more}
    return headed(finished(number), **named)


def bare(*lines: str, caesar: str = "A", cleopatra: str = "B") -> str:
    named = {"Rules": "2024", "Event": "Cup", "Round": "1", "Caesar": caesar, "Cleopatra": cleopatra}
    heads = [f'[{name} "{value}"]' for name, value in named.items()]
    return "\n".join([*heads, *lines, ""])


def test_a_game_known_by_its_score_counts_with_its_points_and_is_marked(tmp_path: Path):
    folder = made(tmp_path / "open", {"a.tiro": bare("", "20-7")}, [pair("A", "B")], **{"tie-breaks": ["points-for"]})
    found = state(folder)
    assert [(one.winner, one.points, one.by_score) for one in found.decided] == [(0, (20, 7), True)]
    assert not found.to_do
    assert "1 by the score alone" in tiro("event", folder, "-j", 1).output
    told = tiro("event", folder, "-j", 1, "--standings").output
    assert "round 1: A – B: 20-7" in told
    assert re.search(r"A +1 +20 ", told)
    tiro("event", folder, "-j", 1, "--site", tmp_path / "site")
    assert "known by the score alone" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("value", "points"), [("20-7", (20, 7)), ("7 : 20", (7, 20)), ("14-14>-", (14, 14))])
def test_a_score_may_be_given_as_a_result(tmp_path: Path, value: str, points: tuple[int, int]):
    folder = made(tmp_path / "open", {}, [pair("A", "B"), pair("C", "D", result=value)])
    (one,) = state(folder).to_do
    assert tiro("event", folder, "-j", 1, "--accept", f"{one.key}={value}").exit_code == 0
    winner = 2 if points[0] == points[1] else int(points[0] < points[1])
    assert [(each.winner, each.points) for each in state(folder).decided] == [(winner, points)] * 2


@pytest.mark.parametrize("result", ["", "*"])
def test_a_result_that_was_not_written_is_proposed_as_counted(tmp_path: Path, result: str):
    whole = finished(3)
    text = write(Record(whole.headers, whole.preface, whole.turns, None)).replace(
        next(line for line in write(whole).splitlines() if line.startswith("[Result")), '[Result "*"]'
    )
    head = {"Event": "Cup", "Round": 1, "Caesar": "A", "Cleopatra": "B"}
    text = headed(parse(text)[0].record, **head) + (f"{result}\n" if result else "")
    folder = made(tmp_path / "open", {"a.tiro": text}, [pair("A", "B")])
    (one,) = state(folder).to_do
    assert (one.kind, "the result as counted" in said(one.proposes)) == ("result", True)
    assert tiro("event", folder, "-j", 1, "--accept", one.key).exit_code == 0
    assert not state(folder).to_do
    assert parse((folder / "a.tiro").read_text(encoding="utf-8"))[0].record.points == whole.points


def test_what_the_table_of_kinds_promises_is_proposed(tmp_path: Path):
    page = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", page, re.MULTILINE)
    assert {kind for kind, _ in rows} == {*PLANTS, "round"}
    for kind, promise in (row for row in rows if row[0] != "round"):  # it is nothing wrong: test_event_pairing has it
        event = Event(tmp_path / kind, 6, 2)
        PLANTS[kind](event, 1)
        if kind == "unfinished":
            file = event.file(1)
            event.texts[file] = (
                event.texts[file].replace('[Result "*"]', '[Result "40-7"]').replace("\n*\n", "\n40-7\n")
            )
        (one,) = state(event.written()).to_do
        assert (one.kind, bool(one.proposes)) == (kind, bool(promise.strip())), kind


MATCHES = {
    "tables": ("1.1", "1.2"), "one number missing": ("1", "1.2"), "no numbers": ("1", "1"),
    "slash": ("1/1", "1/2"), "letter": ("1a", "1b"),
}  # fmt: skip


@pytest.mark.parametrize(("rounds", "swapped", "tables"), [*product(MATCHES.values(), (True, False), (True, False))])
def test_all_games_of_a_match_count(tmp_path: Path, rounds: tuple[str, str], swapped: bool, tables: bool):
    sides = [("A", "B"), ("B", "A") if swapped else ("A", "B")]
    pairings = [pair(*side, **({"table": at + 1} if tables else {})) for at, side in enumerate(sides)]
    texts = {f"{at}.tiro": game(at, *side, rounds[at]) for at, side in enumerate(sides)}
    folder = made(tmp_path / "open", texts, pairings)
    for _ in range(2):
        found = state(folder)
        assert not found.to_do
        assert next(one.places for one in found.decided if one.pairing.caesar == "A") == ("0.tiro",)
        assert len({place for one in found.decided for place in one.places}) == 2
        rows = tiro("event", folder, "-j", 1, "--format", "csv").stdout.splitlines()
        assert all(len(row.split(",")[-2].split()) == 2 for row in rows[1:])
        (folder / "event.toml").unlink()
        assert tiro("event", "init", folder, "-j", 1).exit_code == 0
    (folder / "1.tiro").unlink()
    kinds = [one.kind for one in state(folder).to_do]
    assert kinds == (["missing"] if swapped else ["twice"])


def test_three_games_of_a_round_and_a_round_robin_in_one_round(tmp_path: Path):
    for sides in ([*"AB"], [*"BA"], [*"AB"]), [[*"AB"], [*"CD"], [*"AC"], [*"BD"], [*"AD"], [*"BC"]]:
        texts = {f"{at}.tiro": game(at, *side, f"1.{at + 1}") for at, side in enumerate(sides)}
        folder = made(tmp_path / str(len(sides)), texts, [pair(*side) for side in sides])
        found = state(folder)
        assert not found.to_do
        assert all(one.winner is not None for one in found.decided)


def test_another_game_of_two_players_is_no_sheet_of_their_first(tmp_path: Path):
    texts = {f"{at}.tiro": game(at, "A", "B") for at in (0, 1)}
    folder = made(tmp_path / "open", texts, [pair("A", "B")])
    (one,) = state(folder).to_do
    assert (one.kind, "not paired for another game" in said(one.problem)) == ("unpaired", True)
    assert tiro("event", folder, "-j", 1, "--accept", one.key).exit_code == 0
    found = state(folder)
    assert not found.to_do
    assert len(found.decided) == 2
    record = parse(game(0, "A", "B"))[0].record
    for name in ("caesar", "cleopatra"):
        (folder / f"{name}.tiro").write_text(write(view(record, name).record), encoding="utf-8")
    (folder / "0.tiro").unlink()
    assert [one.kind for one in state(folder).to_do] == ["sheets"]


WRITTEN = {
    "last first": "Lindqvist, Marta", "case": "LINDQVIST marta", "initial": "M. Lindqvist",
    "title": "Dr. Marta Lindqvist",
    "title of chess": "WGM Lindqvist, Marta",
    "nickname": "Marta “Mimi” Lindqvist", "brackets": "Marta (Mimi) Lindqvist",
}  # fmt: skip


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_name_written_in_another_way_is_one_entry_with_its_player(tmp_path: Path, written: str):
    one, *others = PLAYERS
    texts = {f"{at}.tiro": game(at, one, other, str(at)) for at, other in enumerate(others, 1)}
    texts |= {f"{at}x.tiro": game(at + 7, written, other, str(at + 3)) for at, other in enumerate(others, 1)}
    pairings = [pair(one, other, at + 1) for at, other in enumerate((*others, *others))]
    folder = made(tmp_path / "open", texts, pairings)
    (entry,) = state(folder).to_do
    assert (entry.kind, len(entry.places), said(entry.proposes)) == ("name", 3, f"“{written}” is {one}")
    assert tiro("event", folder, "-j", 1, "--accept", entry.key).exit_code == 0
    assert not state(folder).to_do
    (folder / "event.toml").unlink()
    assert tiro("event", "init", folder, "-j", 1).exit_code == 0
    assert len(read_plan(event_text(str(folder))).players) == 4


def test_names_that_may_be_two_players_stay_apart():
    assert like("M. Lindqvist", ["Marta Lindqvist", "Maria Lindqvist"], sure=True) == []
    assert like("Lindqvist", ["Marta Lindqvist"], sure=True) == []
    assert like("Lindqvist", ["Marta Lindqvist"]) == ["Marta Lindqvist"]
    assert like("Hans Peter Vogt", ["Anna Vogt", "Vogt, Hans-Peter"])[0] == "Vogt, Hans-Peter"
    assert like("Jose Garcia", ["José García"])[0] == "José García"


def test_the_free_pairing_of_the_table_is_proposed_for_a_record_without_names(tmp_path: Path):
    pairings = [pair("A", "B", table=4), pair("C", "D", table=5), pair("E", "F", table=6)]
    folder = made(tmp_path / "open", {"x.tiro": game(1, "?", "?", "1.5")}, pairings)
    found = [one for one in state(folder).to_do if one.kind == "name"]
    assert [one.proposes for one in found] == ['[Caesar "C"]', '[Cleopatra "D"]']
    keys = [word for one in found for word in ("--accept", one.key)]
    assert tiro("event", folder, "-j", 1, *keys).exit_code == 0
    assert state(folder).decided[1].winner is not None


def test_keys_stay_whatever_becomes_of_other_entries(tmp_path: Path):
    event = Event(tmp_path / "open", 28, 1)
    slow = scaled(("illegal", "sheets"), ())  # they are searched for and joined again each time
    for place, (kind, plant) in enumerate(PLANTS.items()):
        if kind not in slow:
            plant(event, place)
    event.texts["all.tiro"] = "\n".join(event.texts.pop(event.file(at)) for at in (5, 6, 11, 13))
    folder = event.written()
    before = {one.key: one for one in state(folder).to_do}
    proposed = [key for key, one in before.items() if one.proposes]
    for key in proposed[: scaled(1, len(proposed))]:
        assert tiro("event", folder, "-j", 1, "--accept", key).exit_code == 0
        left = {each.key for each in state(folder).to_do}
        assert left == before.keys() - {key}, before[key].kind
        tiro("event", folder, "--undo")
    words = [word for key, one in before.items() if one.proposes for word in ("--accept", key)]
    assert tiro("event", folder, "-j", 1, *words).exit_code == 0


def test_keys_of_sentences_in_an_old_journal_are_honoured(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 1)
    PLANTS["missing"](event, 1)
    folder = event.written()
    (one,) = state(folder).to_do
    assert keys_of(one)[0] != keys_of(one)[1]
    assert not state(folder, (keys_of(one)[1],)).to_do
    assert tiro("event", folder, "-j", 1, "--accept", f"{keys_of(one)[1]}=draw").exit_code == 0


@pytest.mark.process
def test_every_process_says_the_same(tmp_path: Path):
    texts = {"g.tiro": game(1, "A", "B"), "x.tiro": game(2, "Annа", "?", "1"), "y.tiro": game(3, "C", "D", "2")}
    pairings = [pair("A", "B"), pair("A", "B"), pair("C", "D"), pair("C", "A")]
    folder = made(tmp_path / "open", texts, pairings)
    code = "from tironian.__main__ import main; main()"
    told = {
        subprocess.run([sys.executable, "-c", code, "event", str(folder), "-j", "1"], capture_output=True,
                       env=os.environ | {"PYTHONHASHSEED": str(seed)}).stdout
        for seed in range(5)
    }  # fmt: skip
    assert len(told) == 1
    assert next(iter(told))


def test_a_bye_and_an_absence_may_have_points_of_their_own(tmp_path: Path):
    for kind in ("bye", "absent"):
        pairings = [
            pair("A", "B", result="caesar"), {"round": 1, "absent": "C"}, pair("A", "C", 2, result="caesar"),
            {"round": 2, kind: "B", "points": 0.5},
        ]  # fmt: skip
        folder = made(tmp_path / kind, {}, pairings)
        players = json.loads(tiro("event", folder, "-j", 1, "--format", "json").stdout)["standings"]["players"]
        assert {one["name"]: one["points"] for one in players} == {"A": 2, "B": 0.5, "C": 0}
        # A half-point bye that was asked for counts as a draw for the opponents, as an absence does.
        assert {one["name"]: one["tie_breaks"]["buchholz"] for one in players}["A"] == 0.5


def test_pages_of_games_that_are_not_over_know_no_hidden_card(tmp_path: Path):
    sites = []
    whole = finished(1)
    for number, swap in enumerate(("", "x")):
        turns = whole.turns[: len(whole.turns) // 2]
        text = headed(Record(whole.headers, whole.preface, turns, None), Result="*", Round=1, Caesar="A", Cleopatra="B")
        if swap:  # two cards that nobody has seen change places
            text = re.sub(r"(?m)^(0[RE].* )m\(.*?\)", r"\1m(?,?)", text)
        folder = made(tmp_path / f"open{number}", {"a.tiro": f"{text}*\n"}, [pair("A", "B")])
        assert tiro("event", folder, "-j", 1, "--site", tmp_path / f"site{number}").exit_code == 0
        site = tmp_path / f"site{number}"
        files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*.*") if path.is_file()}
        for path in site.rglob("*.json"):
            files[path.relative_to(site)] = re.sub(rb"20\d\d-\d\d-\d\dT[\d:+]*", b"", path.read_bytes())
        files[Path("feed.xml")] = re.sub(rb"20\d\d-\d\d-\d\dT[\d:+]*", b"", files[Path("feed.xml")])
        with ZipFile(site / "records.zip") as packed:
            assert packed.namelist() == []
        sites.append(files)
    assert sites[0] == sites[1]
    assert len([path for path in sites[0] if path.parts[0] == "games"]) == 1


@pytest.mark.parametrize("name", ["{} (1)", "{} copy", "{} - Kopie", "{}~", "{}.bak", "{} 2", "Copy of {}", "{}b"])
def test_the_copy_is_the_one_that_is_named_so(tmp_path: Path, name: str):
    text = game(1, "A", "B")
    folder = made(tmp_path / "open", {"r2t6.tiro": text, f"{name.format('r2t6')}.tiro": text}, [pair("A", "B")])
    (one,) = state(folder).to_do
    assert said(one.proposes) == f"leave out {name.format('r2t6')}.tiro"


def test_a_missing_game_names_the_file_that_could_not_be_read(tmp_path: Path):
    folder = made(tmp_path / "open", {"a.tiro": game(1, "C", "D")}, [pair("A", "B", table=5), pair("C", "D", table=6)])
    (folder / "r1t5.tiro").write_bytes(b"\0\1\2")
    told = [one for one in state(folder).to_do if one.kind == "missing"]
    assert ["r1t5.tiro" in said(one.order) for one in told] == [True]


ODD = [
    date(2026, 4, 1), datetime(2026, 4, 1, 10), time(10), float("nan"), float("inf"), -1, 10**400, True, 1.5, "x", [],
    [1, "x"], {}, {"a": {"b": [date(2026, 4, 1)]}}, "nan", "\0",
]  # fmt: skip
KEYS = ["format", "version", "name", "place", "dates", "rules", "rulings", "secret-until", "rounds", "tie-breaks",
        "points", "points.win", "players", "players.name", "players.aliases", "players.id", "pairings",
        "pairings.round", "pairings.table", "pairings.caesar", "pairings.bye", "pairings.result", "pairings.points",
        "unknown"]  # fmt: skip


def toml(value: object) -> str:
    """A value in TOML, numbers in hexadecimal if they are large."""
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + "}"
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case str():
            return json.dumps(value)
        case int() if value > 1 << 60:
            return hex(value)
    return value.isoformat() if isinstance(value, date | time) else str(value)


@pytest.mark.parametrize("key", KEYS)
def test_any_value_of_toml_is_taken_or_refused_in_a_sentence(tmp_path: Path, key: str):
    for value in ODD:
        data: dict[str, object] = {"format": "tironian-event", "version": 1, "players": [{"name": "A"}],
                                   "pairings": [{"round": 1, "bye": "A"}]}  # fmt: skip
        first, _, second = key.partition(".")
        inner = {"players": {"name": "A"}, "pairings": {"round": 1, "bye": "A"}}.get(first, {}) | {second: value}
        data[first] = (inner if first == "points" else [inner]) if second else value
        (tmp_path / "event.toml").write_text("\n".join(f"{name} = {toml(each)}" for name, each in data.items()))
        done = tiro("event", tmp_path, "-j", 1)
        assert done.exit_code in (0, 1, 2), (key, value)
        assert "T001" not in done.output, (key, value, done.output)
        if done.exit_code == 2:
            assert re.search(rf"event\.toml: .*({re.escape(first.split('-')[0])}|unknown|TOML)", done.output), (
                done.output
            )


@pytest.mark.parametrize("value", ["a\0.tiro", "\ud800.tiro", "\udfff"])
@pytest.mark.parametrize("field", ["file", "was", "now", "key", "says"])
def test_a_journal_with_what_no_file_can_hold_says_so(tmp_path: Path, field: str, value: str):
    folder = made(tmp_path / "open", {}, [pair("A", "B")])
    (folder / "originals").mkdir()
    swap = {"file": "a.tiro", "was": "", "now": ""}
    entry = {"what": "accept", "key": "1", "says": "x", "swaps": [swap | {field: value} if field in swap else swap]}
    text = json.dumps(entry | ({} if field in swap else {field: value}))
    (folder / "originals" / "journal.jsonl").write_text(f'{text}\n{{"what": "done"}}\n', encoding="utf-8")
    done = tiro("event", folder, "-j", 1, "--undo")
    assert done.exit_code == 2
    assert "T001" not in done.output
    assert "journal.jsonl:1" in done.output or "has changed" in done.output


def test_words_that_name_things_to_do_do_not_make_keys():
    one = ToDo("missing", "there is no record", facts=("1", "A", "B"))
    assert one.key == one._replace(problem="nothing was found", proposes="add it", order="look").key
