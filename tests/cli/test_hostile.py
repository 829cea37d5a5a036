"""Nothing that a record, a file's name or an argument says steers a terminal, by whatever command it is shown."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from archives import game, tiro
from tironian.notation.safe_text import as_json, visible, visible_char
from tironian.tools.report.snippet import Excerpt

PARTS = ("\x1b]0;owned\x07", "\x1b[66;6H", "\x9b5i", "\u200b", "\u202e", "\u2066", "\u200f", "\x7f")
EVIL = "x".join(PARTS)
ENDS = "a\x85b\u2028c\u2029d"
"""Ends of lines, for all who read them so."""
NAME = f"a\x1b[66;6H\u202e\x9b5i\u2028\nError: b{'.tiro'}"
ISOLATES = "\u2068\u2069"
"""What pages and pictures put around text that runs from right to left."""


def hostile() -> str:
    """A record in which everything that is a stranger's own words is hostile."""
    headers, _, turns = game(0).partition("\n\n")
    lines = turns.splitlines()
    for name in ("Event", "Site", "Round", "Caesar", "Cleopatra", "Annotator", "Odd"):
        headers = "\n".join(line for line in headers.splitlines() if not line.startswith(f"[{name} "))
        headers += f'\n[{name} "{EVIL}"]'
    lines[2] += f" {{{EVIL}}} ; {EVIL}"
    lines[3:3] = [f"   ; {EVIL}", f"   % E stands R203: {EVIL}"]
    return f"{headers}\n\n; {EVIL}\n" + "\n".join(lines) + "\n"


def damaged() -> str:
    """The same, and words in it that can't be read."""
    head, line, result = hostile().strip().rpartition("\n")
    return f"{head}\n99E {EVIL} (3)A\n   | 1R {EVIL}\n{EVIL}{ENDS}\n{line}{result}\n"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a hostile record of a hostile name, and an export of it in a folder of such a name."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / NAME).write_text(damaged(), encoding="utf-8")
    (folder / f"h{NAME}").write_text(hostile(), encoding="utf-8")
    tiro("export", folder / NAME, "-o", folder / f"t{NAME}")
    return folder


@pytest.fixture
def place(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, where the command runs."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(filled, tmp_path, dirs_exist_ok=True)


def unseen(text: str) -> set[str]:
    return {char for char in text if char not in "\n\t" and visible_char(char) != char}


SHOWN: list[tuple[str, ...]] = [
    *(("check", *more, NAME) for more in ((), ("-v",), ("-v", "--strict"), ("--quiet",))),
    *(("check", "--format", form, NAME) for form in ("text", "json", "sarif", "junit", "github")),
    ("check", f"no{NAME}"), ("check", "--select", EVIL, NAME), ("check", "--resume", f"no{NAME}/st", NAME),
    ("check", "--keep-good", NAME, NAME), ("check", "-o", NAME, NAME), ("check", "--rules", EVIL, NAME),
    ("explain", EVIL), ("rules", EVIL), ("schema", EVIL), (EVIL,), (f"--{EVIL}",), ("fmt", f"--{EVIL}"),
    ("fmt", "--check", NAME), ("fmt", NAME), ("fmt", f"h{NAME}"), ("fmt", f"no{NAME}"), ("convert", NAME),
    ("convert", "--jsonl", NAME), ("convert", "--to", "text", NAME), ("view", f"no{NAME}", "--as", "caesar"),
    ("merge", NAME, f"no{NAME}"),
    *(("show", *more, NAME) for more in ((), ("--as", "caesar", "--odds"), ("--at", EVIL), ("--game", "7"))),
    *(("timeline", "--format", form, f"h{NAME}") for form in ("text", "md", "json", "csv", "html", "svg")),
    *(("votes", "--format", form, f"h{NAME}") for form in ("text", "dot", "mermaid", "json")), ("timeline", NAME),
    ("votes", "--vote", "99", NAME), ("votes", "--folder", "v", NAME), ("step", NAME), ("record", NAME, "--plain"),
    ("record", f"h{NAME}", "--plain"),
    ("record", f"new{NAME}", "--rules", "2024", "--plain", "--header", f"Event={EVIL}"),
    ("record", f"new{NAME}", "--rules", "2024", "--plain", "--header", EVIL), ("record", f"new{NAME}"),
    ("record", NAME, "--plain", "--rules", "1997", "--as", "caesar"), ("simulate", "--set", EVIL),
    ("simulate", "-o", NAME), ("export", NAME, "-o", f"t{NAME}"), ("export", NAME, "-o", "u"),
    ("export", f"no{NAME}", "-o", "u"), ("query", "-d", f"no{NAME}", "SELECT 1"),
    *(
        ("query", "-d", f"t{NAME}", "--format", form, sql)
        for form in ("text", "csv", "json")
        for sql in (
            "SELECT * FROM games",
            "SELECT * FROM events",
            f"SELECT 1 AS \"{EVIL}\", [event] AS list, {{'a': event}} AS map FROM games",
            "SELECT event::INT FROM games",
            f"SELECT {EVIL}",
        )
    ),
    ("query", "-d", f"t{NAME}", "--name", EVIL), ("query", "-d", f"t{NAME}", "--memory", EVIL, "SELECT 1"),
]  # fmt: skip
TYPED = f"{EVIL}\n/edit {EVIL}\n/{EVIL}\n/header Event={EVIL}\n/find {EVIL}\n/go {EVIL}\n/insist\n/sheet\n/trail\n"


@pytest.mark.parametrize("command", SHOWN, ids=lambda command: ascii(" ".join(command))[:60])
def test_what_is_shown_is_harmless(place: Path, command: tuple[str, ...]):
    before = set(place.rglob("*"))
    done = tiro(*command, stdin=TYPED.encode() if command[0] == "record" else None)
    out, err = done.stdout_bytes.decode(), done.stderr_bytes.decode()
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert not unseen(err)
    assert unseen(out) <= (set(ISOLATES) if {"html", "svg", "dot"} & {*command} else set())
    assert "\nError: b" not in f"{out}{err}", "a name begins a line of its own"
    made = {path.name for path in set(place.rglob("*")) - before if NAME not in path.name}
    assert not unseen("".join(made))


RECORDS: list[tuple[str, ...]] = [
    ("fmt", "-"), ("fmt", "--diff", f"h{NAME}"), ("convert", "j.json", "--to", "text"),
    ("view", f"h{NAME}", "--as", "caesar", "--keep-remarks"), ("merge", f"h{NAME}", f"h{NAME}"),
]  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize("command", RECORDS, ids=lambda command: command[0])
def test_records_are_written_without_loss_and_shown_without_harm(place: Path, command: tuple[str, ...]):
    terminal = pytest.importorskip("terminals").terminal
    Path("c.tiro").write_text(hostile(), encoding="utf-8")
    assert tiro("convert", "c.tiro", "-o", "j.json").exit_code == 0
    done = tiro(*command, stdin=hostile().encode() if "-" in command else None)
    assert EVIL in done.stdout_bytes.decode(), "a pipe gets it as it is"
    run = [sys.executable, "-m", "tironian.tools.cli", *command]
    with terminal("sh", "-c", '"$@" < c.tiro', "sh", *run) as there:
        there.end()
        assert not [part for part in PARTS if part.encode() in there.output]
        assert b"\\x1b" in there.output


@pytest.mark.process
@pytest.mark.parametrize("command", [*((name, f"h{NAME}") for name in ("record", "step", "show")), ("check", NAME)])
def test_a_screen_shows_it_without_harm(place: Path, command: tuple[str, ...]):
    terminal = pytest.importorskip("terminals").terminal
    with terminal(sys.executable, "-m", "tironian.tools.cli", *command, size=(50, 200), LC_ALL="C.UTF-8") as there:
        if command[0] in ("record", "step"):
            there.wait_for("> ")
            there.press("/quit\r" if command[0] == "record" else "q\r")
        there.end()
        assert not [part for part in PARTS if part.encode() in there.output]


def test_cells_are_no_formulas(place: Path):
    sql = "SELECT '=1+1' AS \"=a\", '-x' AS b, -5 AS c, '@' AS d, chr(9) AS e, '+1' AS f, 'fine' AS g, '＝1' AS h"
    lines = tiro("query", "-d", f"t{NAME}", "--format", "csv", sql).stdout.splitlines()
    assert lines == ["'=a,b,c,d,e,f,g,h", "'=1+1,'-x,-5,'@,'\\t,'+1,fine,'＝1"]
    lines = tiro("query", "-d", f"t{NAME}", "--format", "csv", "--raw", sql).stdout.splitlines()
    assert lines == ["=a,b,c,d,e,f,g,h", "=1+1,-x,-5,@,\t,+1,fine,＝1"]
    assert tiro("query", "-d", f"t{NAME}", "--format", "json", "--raw", sql).exit_code == 2


def test_json_hides_nothing_and_loses_nothing():
    value = {EVIL: [f"{EVIL}{ENDS}é\U000e0001", "\ud800", 1]}
    text = as_json(value)
    assert not unseen(text)
    assert "\\u202e" in text
    assert "é" in text
    assert json.loads(text) == value


SHAPED = ("نمی\u200cدانم", "👩\u200d👩\u200d👧", "👩🏽\u200d⚖\ufe0f", "क्\u200dष")
UNSHAPED = ("a\u200db", "\u200dش", "ش\u200c", "ش\u200d\u200dش", "ش\u200d ش", "1\u200c2", "ش\u200f\u200dش")


def test_joiners_are_kept_where_they_shape_what_is_beside_them_and_nowhere_else():
    for text in SHAPED:
        assert visible(text) == text
    for text in UNSHAPED:
        assert "\u200c" not in visible(text)
        assert "\u200d" not in visible(text)
    assert visible("ش\u202e\u200dش") == "ش\\u202e\\u200dش"


@pytest.mark.parametrize("name", SHAPED + UNSHAPED)
def test_an_excerpt_and_json_show_joiners_as_a_screen_does(tmp_path: Path, name: str):
    (tmp_path / "a.tiro").write_text(f'[Rules "2024"]\n[Caesar "{name}"] 5\n1E 5A\n*\n', encoding="utf-8")
    line = f'[Caesar "{name}"] 5'
    assert Excerpt(line, (len(line) - 1,), 99).text == visible(line)
    assert f"2 | {visible(line)}\n" in tiro("check", tmp_path).output
    assert (as_json(name)[1:-1] == name) is (visible(name) == name)
    assert json.loads(as_json(name)) == name
