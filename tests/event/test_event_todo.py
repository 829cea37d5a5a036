"""What an event lacks: each trouble that was planted is found, and none is made up."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from archives import tiro, zipped
from events import PLANTS, RULES, Event
from imports import ROOT
from jsonschema import Draft202012Validator
from scale import scaled
from schema_parts import closed_schema
from tironian import parse
from tironian.notation.diagnostic import Replacement
from tironian.tools.cli.common import cores
from tironian.tools.event.facts import RESULT, ToDo
from tironian.tools.event.plan import RESULTS, event_text, plan_text, read_plan
from tironian.tools.event.records import MOST_GAMES
from tironian.tools.event.todo import EventState, event_state
from tironian.tools.event.words import said
from tironian.tools.storage import CannotRun


def state(folder: Path, jobs: int = 1) -> EventState:
    return event_state(str(folder), read_plan(event_text(str(folder))), jobs)


def kinds(folder: Path) -> list[str]:
    return [one.kind for one in state(folder).to_do]


def test_an_event_in_order_lacks_nothing(tmp_path: Path):
    folder = Event(tmp_path / "open", 6, 2).written()
    found = state(folder)
    assert found.to_do == []
    assert all(one.winner is not None for one in found.decided)
    assert tiro("event", folder, "-j", 1).exit_code == 0


@pytest.mark.parametrize("kind", PLANTS)
def test_a_trouble_is_found_alone_and_mended_by_what_is_proposed(tmp_path: Path, kind: str):
    event = Event(tmp_path / "open", 6, 2)
    PLANTS[kind](event, 1)
    folder = event.written()
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*.*"))}
    (one,) = state(folder).to_do
    assert one.kind == kind
    assert one.problem
    assert kind == "missing" or one.places
    word = one.key if one.proposes else f"{one.key}=forfeit caesar"
    done = tiro("event", folder, "-j", 1, "--accept", word) if one.name or one.proposes else None
    if done is None:
        done = tiro("event", folder, "-j", 1, "--refuse", one.key)
    assert done.exit_code == 0, done.output
    assert tiro("event", folder, "-j", 1).exit_code == 0
    for path, data in before.items():  # what was there is there, or kept
        kept = folder / "originals" / path.relative_to(folder)
        assert data in [each.read_bytes() for each in (path, kept) if each.exists()]
    assert tiro("event", folder, "-j", 1, "--undo").exit_code == 0
    after = {path: path.read_bytes() for path in sorted(folder.rglob("*.*")) if "originals" not in path.parts}
    assert after == before


def test_all_troubles_of_a_large_event_are_found_and_none_is_made_up(tmp_path: Path):
    event = Event(tmp_path / "open", scaled(28, 200), scaled(2, 9))
    places = event.rng.sample(range(len(event.games)), len(PLANTS) * scaled(1, 5))
    # A player who is paired twice: nothing else is wrong with their games of the round, nor those of the other one.
    planted: Counter[str] = Counter()
    for place, kind in zip(places, [*PLANTS] * scaled(1, 5), strict=True):
        if kind == "twice" and event.touches(place, places):
            continue
        PLANTS[kind](event, place)
        planted[kind] += 1
    found = state(event.written(), jobs=1 if scaled(1, 0) else cores())
    assert Counter(one.kind for one in found.to_do) == planted
    by_kind = {one.kind: one for one in found.to_do}
    assert by_kind["illegal"].proposes
    assert "legal" in said(by_kind["sheets"].proposes)


def test_an_answer_is_of_the_game_whose_key_was_given_and_names_it(tmp_path: Path):
    event = Event(tmp_path / "open", 8, 1)
    for place in (1, 2, 3):
        PLANTS["missing"](event, place)
    folder = event.written()
    last = state(folder).to_do[-1]
    title = f"round 1, table 4: {' – '.join(event.games[3][2:])}"
    done = tiro("event", folder, "-j", 1, "--accept", f"{last.key}=caesar")
    assert done.output == f"{last.key}: {title}: result: caesar\n"
    assert [one.winner for one in state(folder).decided][1:] == [None, None, 0]
    assert tiro("event", folder, "--undo").output == f"undone: accept {last.key}: {title}: result: caesar\n"
    assert title in tiro("event", folder, "-j", 1, "--refuse", last.key).output


@pytest.mark.parametrize("seed", range(scaled(8, 80)))
def test_no_two_entries_have_one_key(tmp_path: Path, seed: int):
    rng, folder = Random(seed), tmp_path / "open"
    copytree(ROOT / "examples" / "event", folder)
    for path in rng.sample(sorted(folder.rglob("*.tiro")), 12):
        text = path.read_text(encoding="utf-8")
        match rng.randrange(5):
            case 0 | 1:
                path.unlink()
            case 2:
                for number in (1, 2):
                    path.with_name(f"{path.stem} {number}.tiro").write_text(text, encoding="utf-8")
            case 3:
                path.write_text(
                    re.sub(r"(?m)^\[(Caesar|Cleopatra|Round) .*\n", "", text) + "\n" + text, encoding="utf-8"
                )
            case _:
                path.write_text("\0", encoding="utf-8")
    if rng.randrange(2):
        path = folder / "event.toml"
        path.write_text(re.sub(r"(?m)^table = .*\n", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    keys = Counter(one.key for one in state(folder).to_do)
    assert len(keys) > 5
    assert set(keys.values()) == {1}


def test_a_key_of_two_entries_does_nothing_and_names_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    event = Event(tmp_path / "open", 8, 1)
    for place in (1, 2):
        PLANTS["missing"](event, place)
    folder = event.written()
    monkeypatch.setattr(ToDo, "key", "00000000")
    for word in ("--accept", "--refuse"):
        done = tiro("event", folder, "-j", 1, word, "00000000")
        assert done.exit_code == 2
        assert "names 2 entries (round 1, table 2: " in done.output
    assert len(kinds(folder)) == 2


def test_sheets_that_contradict_each_other_say_where(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["sheets"](event, 0)
    file = event.file(0).replace(".tiro", "-cleopatra.tiro")
    turn = re.search(r"^(\d+R) .*? ([1-5])[PQAKC](?= )", event.texts[file], re.MULTILINE)
    assert turn
    at = turn.start(2)
    event.texts[file] = f"{event.texts[file][:at]}{int(turn[2]) % 5 + 1}{event.texts[file][at + 1 :]}"
    (one,) = state(event.written()).to_do
    assert one.kind == "sheets"
    assert f"{turn[1]}: " in said(one.problem)


def test_sides_that_were_exchanged_are_put_right_in_every_turn(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    file = event.file(0)
    right = event.texts[file]
    turned = re.sub(r"(?m)^([1-9]\d*)([RE])(?= )", lambda turn: turn[1] + "ER"["RE".index(turn[2])], right)
    event.texts[file] = turned.replace("\n\n0", '\n[Starts "Caesar"]\n\n0', 1)
    folder = event.written()
    (one,) = state(folder).to_do
    assert "every turn should be the other side's (a wrong starter); then legal: " in said(one.proposes)
    assert tiro("event", folder, "-j", 1, "--accept", one.key).exit_code == 0
    assert kinds(folder) == []
    turns = [parse(text)[0].record.turns for text in (right, (folder / file).read_text(encoding="utf-8"))]
    assert [turn.tokens for turn in turns[0]] == [turn.tokens for turn in turns[1]]


def test_a_repair_is_proven_by_the_rules_of_the_event(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["illegal"](event, 0)
    event.edit(0, f'[Rules "{RULES}"]\n', "")
    folder = event.written()
    (one,) = state(folder).to_do
    assert "; then legal: " in said(one.proposes)
    assert tiro("event", folder, "-j", 1, "--accept", one.key).exit_code == 0
    assert kinds(folder) == []


def test_what_does_not_mend_a_record_is_not_proposed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["illegal"](event, 0)
    header = Replacement(1, 1, '[Annotator "Livia"]\n')
    monkeypatch.setattr("tironian.tools.repair.likely.replacements", lambda *_: (header,))
    (one,) = state(event.written()).to_do
    assert (one.kind, one.proposes, one.name) == ("illegal", "", RESULT)


def test_a_result_that_was_decided_counts_whatever_the_record_says(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["unfinished"](event, 0)
    PLANTS["missing"](event, 1)
    event.data["pairings"][0]["result"] = "draw"
    event.data["pairings"][1]["result"] = "forfeit cleopatra"
    found = state(event.written())
    assert found.to_do == []
    assert [(one.winner, one.forfeit) for one in found.decided] == [(2, False), (1, True)]


def test_a_round_that_was_not_played_yet_lacks_no_game(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 3)
    event.texts = {file: text for file, text in event.texts.items() if not file.startswith("round3")}
    assert kinds(event.written()) == []


@pytest.mark.parametrize(
    ("there", "says"),
    [
        (0, "waiting for four games of round 1; 0 of 8 games count\n"),
        (1, "waiting for four games of round 2; 4 of 8 games count\n"),
        (2, "nothing to do; 8 of 8 games count\n"),
    ],
)
def test_between_rounds_it_says_which_one_it_waits_for(tmp_path: Path, there: int, says: str):
    event = Event(tmp_path / "open", 8, 2)
    event.texts = {file: text for file, text in event.texts.items() if file <= f"round{there}~"}
    done = tiro("event", event.written(), "-j", 1)
    assert (done.exit_code, done.output) == (0, says)


def test_a_file_that_cant_be_read_is_a_line_and_not_the_end(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    folder = event.written()
    (folder / "bad.tiro").write_bytes(b"\xff\xfe\x00")
    (folder / "bad.zip").write_bytes(b"PK\3\4 and no more")
    (folder / "words.tiro").write_text("these are no turns\n")
    (folder / "out.tiro").symlink_to(tmp_path / "secret.tiro")
    (tmp_path / "secret.tiro").write_text(event.texts[event.file(0)])
    found = state(folder)
    assert [one.kind for one in found.to_do] == ["unread"] * 4
    assert [one.places[0] for one in found.to_do] == ["bad.tiro", "bad.zip", "out.tiro", "words.tiro"]
    assert "link" in said(found.to_do[2].problem)
    assert all(one.winner is not None for one in found.decided)


def test_games_in_an_archive_count_and_stay_as_they_are(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["name"](event, 0)
    texts, event.texts = event.texts, {}
    folder = event.written()
    (folder / "games.zip").write_bytes(zipped(dict(texts)))
    (one,) = state(folder).to_do
    assert one.kind == "name"
    done = tiro("event", folder, "-j", 1, "--accept", one.key)
    assert done.exit_code == 2
    assert "unpack them first" in done.output


def test_several_games_in_a_file_are_mended_one_by_one(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 1)
    PLANTS["name"](event, 1)
    PLANTS["copy"](event, 2)
    event.texts = {"all.tiro": "\n".join(event.texts.values())}
    folder = event.written()
    keys = [word for one in state(folder).to_do for word in ("--accept", one.key)]
    assert tiro("event", folder, "-j", 1, *keys).exit_code == 0
    assert kinds(folder) == []


def test_hostile_names_steer_nothing(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    name = "\x1b[31m</script>‮\"'=1+1"
    event.data["players"][0]["name"] = name
    for pairing in event.data["pairings"]:
        for side in ("caesar", "cleopatra"):
            pairing[side] = name if pairing[side] == event.players[0] else pairing[side]
    folder = event.written()
    for form in ("text", "json", "csv"):
        for more in ((), ("--standings",)):
            told = tiro("event", folder, "-j", 1, "--format", form, *more).output
            assert "\x1b" not in told
            assert "‮" not in told


def test_json_is_as_its_schema_says(tmp_path: Path):
    event = Event(tmp_path / "open", 28, 1)
    for place, plant in enumerate(PLANTS.values()):
        plant(event, place)
    done = tiro("event", event.written(), "-j", 1, "--format", "json")
    assert done.exit_code == 1
    data = json.loads(done.stdout)
    Draft202012Validator(closed_schema("event-report")).validate(data)
    assert {one["kind"] for one in data["to_do"]} <= set(PLANTS)


def test_an_event_starts_from_its_records(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 3)
    PLANTS["name"](event, 1)
    folder = event.written()
    (folder / "event.toml").unlink()
    missing = tiro("event", folder)
    assert missing.exit_code == 2
    assert "tiro event init" in missing.output
    done = tiro("event", "init", folder, "-j", 1)
    assert done.exit_code == 0, done.output
    assert "is taken to be" in done.output
    plan = read_plan(event_text(str(folder)))
    assert sorted(player.name for player in plan.players) == sorted(event.players)
    assert {(one.round, one.caesar, one.cleopatra) for one in plan.pairings} == {
        (number, caesar, cleopatra) for number, _, caesar, cleopatra in event.games
    }
    assert kinds(folder) == []
    assert tiro("event", "init", folder).exit_code == 2


def test_an_odd_round_is_none_of_the_event(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 3)
    event.edit(4, '[Round "2"]', '[Round "99"]')
    folder = event.written()
    (folder / "event.toml").unlink()
    assert f"{event.file(4)}: its game is not paired" in tiro("event", "init", folder, "-j", 1).output
    plan = read_plan(event_text(str(folder)))
    assert plan.data["rounds"] == 3
    assert len(plan.pairings) == len(event.games) - 1


def test_only_what_has_changed_is_read_again(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 1)
    PLANTS["sheets"](event, 0)
    folder = event.written()
    before = state(folder)
    path = folder / event.file(1)
    path.write_text(path.read_text(encoding="utf-8") + "; a comment\n", encoding="utf-8")
    found = event_state(str(folder), before.plan, 1, (), before)
    old, new = ({sheet.file: sheet for one in each.games.meetings for sheet in one.sheets} for each in (before, found))
    assert {name for name in new if new[name] is not old[name]} == {event.file(1)}
    assert found.joined == before.joined
    assert [one.key for one in found.to_do] == [one.key for one in before.to_do]
    path.unlink()
    assert len(event_state(str(folder), found.plan, 1, (), found).games.meetings[1].sheets) == 0


def test_a_game_whose_result_is_in_doubt_says_so(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 1)
    PLANTS["result"](event, 1)
    (doubtful,) = [one for one in state(event.written()).decided if one.winner is None]
    assert said(doubtful.why).startswith("the result: the Result header says 99-0")


def test_an_event_without_pairings_learns_them(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 2)
    event.data["pairings"] = []
    found = state(event.written())
    assert found.to_do == []
    assert len(found.decided) == len(event.games)


def test_what_was_written_is_read_again():
    data = {
        "format": "tironian-event", "version": 1, "name": 'a "b" \\ \x7f\u202e\U000e0001é', "tie-breaks": ["wins"],
        "points": {"win": 3, "draw": 1.5}, "players": [{"name": "Livia", "aliases": ["L.", "Ä"]}],
        "pairings": [{"round": 1, "bye": "Livia"}],
    }  # fmt: skip
    assert read_plan(plan_text(data)).data == data


def test_a_link_to_an_event_file_elsewhere_is_refused(tmp_path: Path):
    folder = Event(tmp_path / "open", 4, 1).written()
    (folder / "event.toml").rename(tmp_path / "event.toml")
    (folder / "event.toml").symlink_to(tmp_path / "event.toml")
    with pytest.raises(CannotRun, match="a link out of the folder"):
        event_text(str(folder))


def test_the_number_of_games_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = Event(tmp_path / "open", 6, 1).written()
    monkeypatch.setattr("tironian.tools.event.records.MOST_GAMES", 2)
    assert MOST_GAMES > 2
    found = state(folder)
    assert "more than" in said(found.to_do[0].problem)


def test_a_result_that_contradicts_a_sound_record_is_told_and_can_stay(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 2)
    folder = event.written()
    winner = state(folder).decided[0].winner
    other = RESULTS[1 - winner]
    event.data["pairings"][0]["result"] = other
    event.written()
    (one,) = state(folder).to_do
    assert (one.kind, f"event.toml says {other}" in said(one.problem)) == ("result", True)
    assert tiro("event", folder, "-j", 1, "--refuse", one.key).exit_code == 0
    assert tiro("event", folder, "-j", 1).exit_code == 0
    assert tiro("event", folder, "-j", 1, "--undo", "--accept", one.key).exit_code == 0
    assert state(folder).decided[0].winner == winner
    assert not state(folder).to_do


def test_who_won_may_be_said_by_name_and_in_capitals(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 2)
    PLANTS["missing"](event, 1)
    folder = event.written()
    (one,) = state(folder).to_do
    said = tiro("event", folder, "-j", 1)
    assert "or cleopatra, draw, 20-7; if it was not played, forfeit caesar" in said.output
    wrong = tiro("event", folder, "-j", 1, "--accept", f"{one.key}=14-12-1")
    assert (wrong.exit_code, "“14-12-1” is not a result; say who won" in wrong.output) == (2, True)
    for value in ("Cleopatra", one.pairing.cleopatra):
        assert tiro("event", folder, "-j", 1, "--accept", f"{one.key}={value}").exit_code == 0
        assert [each.winner for each in state(folder).decided][1] == 1
        assert tiro("event", folder, "--undo").exit_code == 0
    assert tiro("event", folder, "--undo").exit_code == 2


def test_results_are_those_of_the_schema():
    schema = json.loads((ROOT / "schemas" / "event.schema.json").read_text(encoding="utf-8"))
    form = schema["$defs"]["pairing"]["properties"]["result"]["pattern"]
    assert all(re.search(form, result) for result in (*RESULTS, "20-7", "7 : 20", "14-14>R", "14–14>-"))
    for none in ("", "forfeit", "forfeit draw", "caesar cleopatra", "20", "20-", "-7", "1000-7", "20-7>X", "20-7 R"):
        assert not re.search(form, none), none


def test_of_two_copies_the_one_among_other_games_stays(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 2)
    PLANTS["copy"](event, 1)
    (one,) = state(event.written()).to_do
    assert said(one.proposes).startswith("leave out copies/")
