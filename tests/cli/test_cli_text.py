"""The commands that read and write: ``tiro convert``, ``fmt``, ``explain`` and ``schema``."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from strategies import records, soup
from tironian import parse
from tironian.replay.diagnostics.registry import CODES
from tironian.schemas import load_schema, schema_names
from tironian.tools.cli.command_line import COMMANDS, HOMES, main

CANONICAL = '[Rules "2024"]\n[Event "Köln"]\n\n1E 5Q ; Grüße\n17-13\n'
LOOSE = '[event   "Köln"]\r\n[Rules "2024"]\r\n1 E  5Q;Grüße\r\n17-13'
BROKEN = '[Rules "2024"]\n\n1E 5Q zz\n17-13\n'


def tiro(*args, stdin=None):
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


# ------------------------------------------------------------------------------------------ convert


@pytest.mark.parametrize("options", [[], ["--jsonl"]])
def test_convert_several(here, options):
    text = f"{CANONICAL}\n{CANONICAL}\n{CANONICAL}"
    run = tiro("convert", "-", *options, stdin=text)
    assert run.exit_code == 0
    loaded = [json.loads(line) for line in run.stdout.splitlines()] if options else json.loads(run.stdout)
    assert len(loaded) == 3
    assert tiro("convert", "-", stdin=run.stdout).stdout == text


@pytest.mark.parametrize(
    "text", ["{ Played at home }\n" + CANONICAL, '{"quoted" words}\n1E\n', '  [Event "x"]\n1E\n', "{}\n1E\n"]
)
def test_text_is_not_taken_for_json(text):
    run = tiro("convert", "-", stdin=text)
    assert json.loads(run.stdout)["format"] == "tironian-record"


def test_convert_keeps_undecoded_bytes(here):
    raw = b'[Rules "2024"]\n\n1E 5Q ; caf\xe9\n'
    (here / "a.tiro").write_bytes(raw)
    run = tiro("convert", "a.tiro")
    assert run.exit_code == 0
    assert "\\udce9" in run.stdout
    assert tiro("convert", "-", stdin=run.stdout).stdout_bytes == raw


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[' * 100_000, "nested"),
        ('{"x": ' + "1" * 5000 + "}", "not JSON"),
    ],
)  # fmt: skip
def test_convert_refuses_json(text, told):
    run = tiro("convert", "-", "--to", "text", stdin=text)
    assert run.exit_code == 2
    assert told in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not run.stdout


HEADERS_ONLY = '[Event "a"]\n\n[Rules "2024"]\n[Event "b"]\n'


@pytest.mark.parametrize(
    "text", [HEADERS_ONLY, '[Event "a"]\n\n[Event "b"]\n[Rules "2024"]\n', CANONICAL + '\n[Rules "2024]\n1E 5A\n']
)
def test_games_of_headers_only_stay_apart(text):
    told = [game.record for game in parse(text)]
    assert len(told) == 2
    formatted = tiro("fmt", "-", stdin=text)
    assert [game.record for game in parse(formatted.stdout)] == told
    data = tiro("convert", "-", "--to", "json", stdin=text).stdout
    back = tiro("convert", "-", "--to", "text", stdin=data)
    assert [game.record for game in parse(back.stdout)] == told, back.stderr


def test_convert_never_overwrites(here):
    put(here / "a.tiro", CANONICAL)
    put(here / "b", "mine")
    run = tiro("convert", "a.tiro", "-o", "b")
    assert run.exit_code == 2
    assert (here / "b").read_text() == "mine"
    assert tiro("convert", "a.tiro", "-o", "b", "--force").exit_code == 0
    assert (here / "b").read_text(encoding="utf-8").startswith("{")
    put(here / "bad.json", '{"format": 1}')
    assert tiro("convert", "bad.json", "-o", "b", "--force").exit_code == 2
    assert (here / "b").read_text(encoding="utf-8").startswith("{")
    assert sorted(os.listdir()) == ["a.tiro", "b", "bad.json"]


def test_convert_refuses_what_is_no_text(here):
    (here / "a.tiro").write_bytes(CANONICAL.encode("utf-16"))
    run = tiro("convert", "a.tiro", "-o", "a.json")
    assert run.exit_code == 2
    assert "UTF-16" in run.stderr
    assert not (here / "a.json").exists()


# ---------------------------------------------------------------------------------------------- fmt


def test_fmt_in_place(here):
    loose = put(here / "games" / "deep" / "a.tiro", LOOSE)
    clean = put(here / "games" / "b.tiro", CANONICAL)
    other = put(here / "games" / "c.txt", LOOSE)
    loose.chmod(0o640)
    os.utime(clean, (1, 1))
    run = tiro("fmt", "games")
    assert run.exit_code == 0
    assert loose.read_bytes() == CANONICAL.encode()
    assert stat.S_IMODE(loose.stat().st_mode) == 0o640
    assert clean.stat().st_mtime == 1
    assert other.read_bytes() == LOOSE.encode()
    assert re.search(r"\b1 changed, 1 already canonical\b", run.stderr)
    assert os.listdir(loose.parent) == ["a.tiro"]


def test_fmt_follows_links(here):
    put(here / "a.tiro", LOOSE)
    (here / "link.tiro").symlink_to("a.tiro")
    assert tiro("fmt", "link.tiro").exit_code == 0
    assert (here / "link.tiro").is_symlink()
    assert (here / "a.tiro").read_bytes() == CANONICAL.encode()


@settings(max_examples=60)
@given(soup)
def test_fmt_loses_nothing(text):
    data = text.encode()
    run = tiro("fmt", "-", stdin=data)
    if not all(game.readable and not game.has_asides for game in parse(text)):
        assert run.exit_code == (2 if "N101" in run.stderr else 1)  # what could be JSON is no record at all
        assert run.stdout_bytes == data
        return
    assert run.exit_code == 0
    assert [game.record for game in parse(run.stdout_bytes.decode())] == [game.record for game in parse(text)]
    assert tiro("fmt", "-", stdin=run.stdout_bytes).stdout_bytes == run.stdout_bytes


@settings(max_examples=30)
@given(records)
def test_convert_loses_nothing(record):
    from tironian import write

    text = write(record)
    told = tiro("convert", "-", "--to", "json", stdin=text.encode())
    assert told.exit_code in (0, 1)
    assert tiro("convert", "-", stdin=told.stdout_bytes).stdout_bytes == text.encode()


# ---------------------------------------------------------------------------- explain, schema, help


def test_explain():
    code = min(CODES)
    run = tiro("explain", code.lower())
    assert run.exit_code == 0
    assert run.stdout.startswith(f"# {code}")
    listed = tiro("explain", "--list").stdout.splitlines()
    assert [line[:4] for line in listed] == sorted(CODES)
    assert all(line[6:] for line in listed)


def test_schema(here):
    assert [line.split()[0] for line in tiro("schema").stdout.splitlines()] == schema_names()
    run = tiro("schema", "record")
    assert json.loads(run.stdout) == load_schema("record")
    assert tiro("schema", "recrod").exit_code == 2
    assert tiro("schema", "record", "-o", "s.json").exit_code == 0
    assert json.loads((here / "s.json").read_text(encoding="utf-8")) == load_schema("record")


def test_the_record_schema_is_a_schema():
    schema = load_schema("record")
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "urn:tironian:schema:record:1"


def test_help_shows_every_command():
    run = tiro("--help")
    for title, commands in COMMANDS.items():
        assert f"{title}:" in run.stdout
        assert all(f"  {name} " in run.stdout for name in commands)
    assert tiro("-h").stdout == run.stdout


@pytest.mark.parametrize("command", ["convert", "fmt", "explain", "schema"])
def test_each_help_has_an_example(command):
    run = tiro(command, "-h")
    assert run.exit_code == 0
    assert f"tiro {command}" in run.stdout.partition("Examples:")[2]


@pytest.mark.process
def test_help_loads_nothing_heavy():
    call = "main(['--help'], standalone_mode=False)"
    code = f"import sys\nfrom tironian.tools.cli.command_line import main\n{call}\nprint('\\n', *sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(run.stdout.splitlines()[-1].split())
    assert not {"lark", "rich", "jsonschema"} & loaded
    assert (
        not {f"tironian.tools.cli.{HOMES.get(name, name)}" for section in COMMANDS.values() for name in section}
        & loaded
    )


def test_two_rule_sets_differ_in_their_options_too():
    told = tiro("rules", "1997", "fr", "--format", "md").stdout
    assert "| placement | — | corrected, uncorrected |" in told
    assert "full\\_check" in told
    assert "empty\\_side" not in told


def test_options_are_told_alike():
    assert "[default: (all cores)" in " ".join(tiro("check", "--help").stdout.split())
    assert "PATH..." in tiro("check", "--help").stdout
    assert "-f, --force" in tiro("rules", "--help").stdout


@pytest.mark.parametrize("args", [["timeline"], ["analyse", "--level", "quick"]], ids=" ".join)
def test_a_byte_order_mark_before_csv_only_where_it_is_wanted(here, args):
    example = Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro"
    (here / "a.tiro").write_bytes(example.read_bytes())
    without = tiro(*args, "--format", "csv", "a.tiro").stdout_bytes
    marked = tiro(*args, "--format", "csv", "--bom", "a.tiro")
    assert marked.stdout_bytes == b"\xef\xbb\xbf" + without
    tiro(*args, "--format", "csv", "--bom", "a.tiro", "-o", "a.csv")
    assert (here / "a.csv").read_bytes() == marked.stdout_bytes
    refused = tiro(*args, "--bom", "a.tiro")
    assert (refused.exit_code, "--bom needs --format csv" in refused.stderr) == (2, True)
