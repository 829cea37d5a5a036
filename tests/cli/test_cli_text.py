"""The commands that read and write: ``tiro convert``, ``fmt``, ``explain`` and ``schema``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from strategies import records, soup
from tironian import parse
from tironian.replay.diagnostics.registry import CODES
from tironian.schemas import load_schema, schema_names
from tironian.tools.cli.command_line import COMMAND_MODULES, COMMANDS, main


def tiro(*args, stdin=None):
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ------------------------------------------------------------------------------------------ convert


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


# ---------------------------------------------------------------------------------------------- fmt


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
        not {
            f"tironian.tools.cli.{COMMAND_MODULES.get(name, name)}" for section in COMMANDS.values() for name in section
        }
        & loaded
    )


def test_options_are_told_alike():
    assert "[default: (all cores)" in " ".join(tiro("check", "--help").stdout.split())
    assert "PATH..." in tiro("check", "--help").stdout
    assert "-f, --force" in tiro("rules", "--help").stdout
