"""What the desk says of records, how it would mend and join them, is what the commands of ``tiro`` say."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zipfile
from collections import Counter
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from scale import scaled
from slip_models import slip, uniform_slip
from tironian import EDITION_NAMES, VIEWS, check, load_edition, parse, simulate, view, write
from tironian.tools.cli.command_line import main
from tironian.tools.desk.check import checked, encoded, keys, likely_repairs
from tironian.tools.desk.worker import DeskSession
from tironian.tools.storage import sources

sys.path.append(str(Path(__file__).parents[1] / "repair"))
from test_manglings import MANGLED, RECORDS

answer = DeskSession().answer

BROKEN = sorted((Path(__file__).parents[2] / "examples" / "broken").glob("*.tiro"))
QUICK = ("second-action", "set-up-two-cards-at-one-group", "shown-cards-differ", "wrong-score", "header-without-quotes")


def broken_logs() -> dict[str, str]:
    """Logs with slips in them: those of the examples, and of simulated games."""
    found = {path.name: path.read_text(encoding="utf-8") for path in BROKEN if scaled(path.stem in QUICK, True)}
    seed = 0
    while len(found) < scaled(7, 100):
        seed += 1
        edition = load_edition(EDITION_NAMES[seed % len(EDITION_NAMES)])
        record, rng = simulate(edition, seed), Random(seed)
        kind = "uniform"
        if seed % 3:
            kind, broken = slip(record, rng, list(edition.actions), list(edition.groups))
        else:
            broken = uniform_slip(record, rng)
        if check(broken).verdict in ("illegal", "unreadable"):
            found[f"{kind}-{seed}.tiro"] = write(broken)
    return found


def sent_texts() -> dict[str, str]:
    """Texts as people send them."""
    more = [path.read_text(encoding="utf-8") for path in sorted(BROKEN[0].parents[1].glob("fr/*.tiro"))[: scaled(0, 1)]]
    return {
        f"{name} {number}.tiro": change(text)
        for number, text in enumerate([*RECORDS, *more])
        for name, change in islice(MANGLED.items(), None, None, scaled(6 + number, 1))
    }


@cache
def texts() -> dict[str, str]:
    return broken_logs() | sent_texts()


def asked(data: bytes = b"", **message: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(message), data))


def all_games(data: bytes, name: str) -> list[dict[str, Any]]:
    """What the desk says of a file, asked as the page asks."""
    said = asked(data, ask="check", name=name)
    games = said["games"]
    while said["more"]:
        said = asked(ask="more")
        games += said["games"]
    for game in games:
        del game["logs"]
    return games


def told(path: Path, *command: str) -> list[dict[str, Any]]:
    """What a command says of the games of a file, in JSON."""
    result = CliRunner().invoke(main, [*command, "--format", "json", str(path)])
    return json.loads(result.stdout)["games"]


def test_there_are_enough_logs_and_texts():
    assert len(broken_logs()) >= scaled(7, 100)
    assert len(sent_texts()) >= scaled(10, 100)
    assert sum(likely_repairs(text, name)["found"] > 0 for name, text in islice(texts().items(), 4)) == 4


@pytest.mark.parametrize("name", texts())
def test_a_broken_text_is_checked_and_mended_as_on_the_command_line(name: str, tmp_path: Path):
    text = texts()[name]
    path = tmp_path / name
    path.write_bytes(text.encode())
    games = all_games(text.encode(), str(path))
    assert "".join(game.pop("text") for game in games) == text
    assert games == told(path, "check")
    (known,) = told(path, "repair") if games[0]["verdict"] in ("illegal", "unreadable") else [None]
    found = likely_repairs(text, str(path), seconds=0)
    assert found["found"] == (known["found"] if known else 0)
    both = zip(found["repairs"], known["repairs"] if known else (), strict=True)
    for nth, (repair, of_command) in enumerate(both, 1):
        assert {key: repair[key] for key in of_command} == of_command
        assert repair["words"] == tuple(edit["words"] for edit in of_command["edits"])
        written = CliRunner().invoke(main, ["repair", str(path), "-o", "-", "--pick", str(nth)]).stdout
        assert repair["text"].rstrip() == written.rstrip()
        assert check(parse(repair["text"])[0]).verdict == repair["verdict"]


@pytest.mark.parametrize(("name", "verdict"), [("sixth-card", "legal"), ("card-of-another-edition", "illegal")])
def test_a_fault_that_was_played_stands_by_a_ruling(name: str, verdict: str):
    text = (BROKEN[0].parent / f"{name}.tiro").read_text(encoding="utf-8")
    (fault, *_) = [each for each in check(parse(text)[0]).diagnostics if each.severity == "error"]
    lines = text.splitlines(keepends=True)
    lines[fault.span.line] += "   ; the players did so\n"
    stands = likely_repairs("".join(lines), name, seconds=0.1)["stands"]
    ruling = f"   % R stands {fault.code}: It was played that way\n"
    assert stands["text"] == "".join([*lines[: fault.span.line + 1], ruling, *lines[fault.span.line + 1 :]])
    assert stands["notes"] == ["the players did so"]
    assert stands["words"] == [f"{fault.turn}: {fault.message} [{fault.code}]"]
    assert check(parse(stands["text"])[0]).verdict == stands["verdict"] == verdict


@pytest.mark.parametrize("name", ["wrong-letter", "wrong-score"])
def test_no_ruling_lets_a_form_or_a_claim_stand(name: str):
    text = (BROKEN[0].parent / f"{name}.tiro").read_text(encoding="utf-8")
    assert likely_repairs(text, name, seconds=0.1)["stands"] is None


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def legal(count: int) -> bytes:
    edition = load_edition("2024")
    return "\n".join(write(simulate(edition, seed)) for seed in range(1, count + 1)).encode()


def test_a_packed_file_is_checked_game_by_game(tmp_path: Path):
    broken = next(iter(broken_logs().values())).encode()
    inner = packed({"a.tiro": broken})
    files = {"many.tiro": legal(9), "b/broken.tiro": broken, "notes.txt": b"x", "c.tiro": b"\x89PNG", "d.tiro": inner}
    for name, data in {"a.zip": packed(files), "b.tiro.gz": gzip.compress(legal(3)), "c.zip": packed({})}.items():
        path = tmp_path / name
        path.write_bytes(data)
        games = all_games(data, str(path))
        assert all(game.pop("text") or not game["turns"] for game in games)
        assert games == told(path, "check"), name


def test_of_a_folder_only_records_are_checked():
    nothing = {"games": [], "more": False, "taken": 0}
    assert asked(b"x", ask="check", name="a/notes.txt", in_folder=True) == nothing
    assert asked(b"x", ask="check", name="__MACOSX/a.tiro", in_folder=True)["games"] == []
    assert asked(b"x", ask="check", name="a/notes.txt")["games"]


def test_what_comes_out_of_a_packed_file_is_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "FLOOR", 1 << 16)
    games = [game for some, _ in checked(packed({"a.tiro": b";\n" * (1 << 20)}), "a.zip") for game in some]
    assert "it unpacks to more than" in games[-1]["diagnostics"][0]["message"]


def test_bytes_that_are_no_utf_8_stay():
    data = 'Köln [Rules "2024"]\n1E 5A\n*\n'.encode("latin-1")
    (game,) = all_games(data, "a.tiro")
    assert encoded(game["text"]) == data


def test_a_text_is_checked_anew_where_it_stands():
    (name, text), *_ = broken_logs().items()
    (whole,) = asked(ask="check", name=name, text=text)["games"]
    asked(packed({"a.tiro": legal(9), "b.tiro": legal(9)}), ask="check", name="a.zip")
    (later,) = asked(ask="check", name=name, text=text, first=101)["games"]
    assert asked(ask="more")["games"], "the file that is being checked goes on"
    assert later["line"] == 101
    assert [(each["code"], each["line"] - 100) for each in later["diagnostics"]] == [
        (each["code"], each["line"]) for each in whole["diagnostics"]
    ]


@pytest.mark.parametrize("message", [{"text": 1}, {"name": None}, {"first": "1"}])
def test_a_message_about_a_text_that_says_nothing_is_refused(message: dict[str, Any]):
    assert asked(ask="check", **{"name": "a.tiro", "text": "1E 5A\n", **message})["fault"]
    assert asked(ask="repair", **{"name": "a.tiro", "text": "1E 5A\n", **message})["fault"]


def test_nothing_more_comes_of_a_file_that_was_checked():
    all_games(b"", "a.tiro")
    assert not asked(ask="more")["more"]
    assert not asked(ask="more")["games"]


# ---------------------------------------------------------------------------------------------------------------- join


def sheets() -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """Logs of one game by their points of view, with a slip or of two games, and what is picked where they differ."""
    folder = Path(__file__).parents[2] / "examples" / "scoresheets" / "thursday"
    thursday = {name: (folder / f"{name}.tiro").read_text(encoding="utf-8") for name in ("caesar", "cleopatra")}
    found: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        "thursday": (thursday, {}),
        "thursday, picked": (thursday, {"8R": "2", "site": "cleopatra"}),
        "results": (thursday | {"cleopatra": thursday["cleopatra"].replace("14-14>E", "14-15")}, {"Result": "2"}),
        "no game": (thursday | {"cleopatra": "?"}, {}),
        "nothing picked": (thursday, {"1E": "2"}),
    }
    for seed in range(1, scaled(6, 30) + 1):
        edition = load_edition(EDITION_NAMES[seed % len(EDITION_NAMES)])
        record, rng = simulate(edition, seed), Random(seed)
        other = simulate(edition, seed + 1000)
        if seed % 3:
            _, other = slip(record, rng, list(edition.actions), list(edition.groups))
        one, two = [*combinations(VIEWS, 2)][seed % 6]
        try:
            logs = {one: write(view(record, one).record), two: write(view(other, two).record)}
        except ValueError:  # what can't be replayed is shown to nobody
            logs = {"arbiter": write(record), "2": write(other)}
        found[f"{seed} {' '.join(logs)}"] = logs, {}
    return found


def test_there_are_enough_pairs_of_logs():
    assert len(sheets()) >= scaled(10, 35)
    known = {"disagreements": Counter[bool](), "fault": Counter[bool]()}
    for logs, picks in sheets().values():
        sent = [{"name": name, "text": text} for name, text in logs.items()]
        said = asked(ask="join", name="j", logs=sent, picks=picks)
        for key, counts in known.items():
            counts[bool(said.get(key))] += 1
    assert all(len(counts) == 2 for counts in known.values()), known


@pytest.mark.parametrize("name", sheets())
def test_logs_are_joined_as_on_the_command_line(name: str, tmp_path: Path):
    logs, picks = sheets()[name]
    paths = []
    for who, text in logs.items():
        paths.append(tmp_path / f"{who}.tiro")
        paths[-1].write_bytes(text.encode())
    options = [part for pick in picks.items() for part in ("--pick", "=".join(pick))]
    done = CliRunner().invoke(main, ["merge", *map(str, paths), *options, "--format", "json"])
    sent = [{"name": str(path), "text": text} for path, text in zip(paths, logs.values(), strict=True)]
    said = asked(ask="join", name="<joined>", logs=sent, picks=picks)
    if done.exit_code == 2:
        assert said["fault"] in done.stderr
        return
    (game,) = said["games"]
    assert game.pop("text") == done.stdout
    del game["logs"]
    assert [game] == json.loads(done.stderr)["games"]
    contradicted = {each["turn"] or "Result" for each in game["diagnostics"] if each["code"] == "M101"}
    assert contradicted <= {each["name"] for each in said["disagreements"]}
    for each in said["disagreements"]:
        assert sum(bool(one["taken"]) for one in each["said"]) >= 1
        assert all(one["text"][start:end] for one in each["said"] for start, end in one["places"])


def test_logs_of_one_game_are_known_by_a_number():
    """By event, round and players, however they are spelt; by what was called where the round is not known."""
    records = [simulate(load_edition("2024"), seed) for seed in (1, 2)]
    texts = [write(view(record, name).record) for record in records for name in ("caesar", "cleopatra")]
    texts = [text.replace('"?"]\n[Cleopatra "?"', '"Livia"]\n[Cleopatra "Iulus"') for text in texts]
    texts = [text.replace('[Round "1"]', '[Round "?"]') for text in texts]
    texts += [*sheets()["thursday"][0].values(), texts[0].replace('"Livia"', '"?"')]
    texts[5] = texts[5].replace('"Livia"', '"LÍVIA"')
    marks = [set(asked(ask="check", name="a", text=text)["games"][0]["logs"]) for text in texts]
    known = {(one, two) for one, two in combinations(range(len(texts)), 2) if marks[one] & marks[two]}
    assert known == {(0, 1), (2, 3), (4, 5)}


def test_logs_are_alike_where_date_and_most_turns_agree():
    """A number says only who met in which round: they may have met on another day, or played again."""
    one, other = sheets()["thursday"][0].values()
    again = write(simulate(load_edition("2024"), 3)).partition("\n\n")[2]

    undated, later = (re.sub(r"(?m)^\[Date .*\n", line, other) for line in ("", '[Date "1999.01.02"]\n'))
    texts = [one, f"{one.partition(chr(10) * 2)[0]}\n\n{again}", other, undated, later]
    assert asked(ask="alike", logs=[{"text": text} for text in texts]) == {"alike": [[0, 2, 3], [1], [4]]}


def test_whose_sheet_it_is_can_be_said_beside_it():
    logs, _ = sheets()["thursday"]
    bare = [{"name": name, "text": text.replace(f'[View "{name}"]\n', "")} for name, text in logs.items()]
    with_views = [{**log, "view": log["name"]} for log in bare]
    known = asked(ask="join", name="j", logs=[{"name": name, "text": text} for name, text in logs.items()])
    found = asked(ask="join", name="j", logs=with_views)
    assert found["games"][0]["text"] == known["games"][0]["text"]
    assert asked(ask="join", name="j", logs=bare)["games"][0]["text"] != known["games"][0]["text"]


@pytest.mark.parametrize(
    "message",
    [
        {"logs": 1}, {"logs": []}, {"logs": ["a"]}, {"logs": [{"text": 1}]}, {"logs": [{}], "picks": {"1E": 1}},
        {"picks": 1},
    ],
)  # fmt: skip
def test_a_message_about_logs_that_says_nothing_is_refused(message: dict[str, Any]):
    assert asked(ask="join", **{"name": "a", "logs": [{"name": "a", "text": "1E 5A\n"}], **message})["fault"]


# -------------------------------------------------------------------------------------------------------------- typing


@pytest.mark.parametrize(("rules", "view_name"), [("2024", "arbiter"), ("1997", "table"), ("fr", "caesar")])
def test_a_log_can_be_typed_by_what_is_offered(rules: str, view_name: str):
    """Each word of a game, and each label, is what is offered there, or begins as that."""
    text = write(view(simulate(load_edition(rules), 3), view_name).record)
    head, _, rest = text.partition("\n\n")
    done = f"{head}\n\n"
    for line in rest.splitlines()[: scaled(16, 60)]:
        if not line[0].isdigit() or "-" in line.split()[0]:
            break
        label, *words = line.split()
        if label[0] != "0":
            assert asked(ask="complete", text=done)["start"] == f"{label} "
            assert asked(ask="complete", text=done + label[:1])["typed"] == label[:1]
        done += f"{label} "
        for word in words:
            if word[:2] not in ("a(", "m("):
                said = asked(ask="complete", text=done)
                offered = [said["start"].strip(), *[choice["text"] for choice in said["choices"]]]
                assert any(word.startswith(each) for each in offered if each), (done, word)
                assert word.startswith(asked(ask="complete", text=done + word[:1])["start"][:1])
            done += f"{word} "
        done = f"{done.rstrip()}\n"


def test_of_rules_that_nobody_names_nothing_is_offered_but_by_those_that_are_chosen():
    assert asked(ask="complete", text="1E ")["choices"] == []
    assert asked(ask="complete", text="", rules="2024")["start"] == "0R "
    assert asked(ask="complete", text="what is this")["choices"] == []


def test_every_word_can_be_written_by_the_keys():
    known = {key["text"] for key in keys()}
    for name in EDITION_NAMES:
        for seed in range(scaled(2, 10)):
            text = write(view(simulate(load_edition(name), seed), "table").record).partition("\n\n")[2]
            words = [word for line in text.splitlines()[:-1] for word in line.split() if word[:2] not in ("m(", "@0")]
            assert {letter for word in words for letter in word} <= known


MODES = ('[Mode "tournament"]', '[mode "Tournament"]', "[Mode tournament]", "[Mode “tournament”]", '[MODE "TOURNAMENT]')
HELPS = ("check", "repair", "complete", "look", "join")


def game_in(mode: str, end: str, more: str = "") -> str:
    return f'[Rules "2024"]\n[View "caesar"]\n{mode}\n{more}\n1E 5P +i\n1R 4P\n{end}'


def helped(help_: str, text: str) -> dict[str, Any]:
    logs = [{"name": "a", "text": text}, {"name": "b", "text": text}]
    return asked(ask=help_, name="a.tiro", text=text, **({"logs": logs} if help_ == "join" else {}))


@pytest.mark.parametrize("help_", HELPS)
@pytest.mark.parametrize("mode", MODES)
def test_nobody_is_helped_with_a_game_that_runs_in_tournament_mode(mode: str, help_: str):
    """Until the record says that it is over."""
    for end in ("*\n", ""):
        said = helped(help_, game_in(mode, end))
        assert "tournament mode" in said["fault"]
        assert not said.get("games")
    for over in (
        game_in(mode, "17-13\n"),
        game_in(mode, "*\n", '[Termination "resigned"]\n'),
        game_in("; a comment: Mode tournament", "*\n"),
    ):
        assert "tournament mode" not in helped(help_, over).get("fault", "")


def test_in_a_file_the_other_games_are_checked():
    text = game_in(MODES[0], "*\n") + "\n" + game_in("", "*\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.tiro", text)
    for data in (text.encode(), packed.getvalue()):
        said = json.loads(
            answer(json.dumps({"ask": "check", "name": "a.zip" if data[:2] == b"PK" else "a.tiro"}), data)
        )
        assert "tournament mode" in said["fault"]
        assert len(said["games"]) == 1
