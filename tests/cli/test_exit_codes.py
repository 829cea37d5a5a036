"""One rule for all commands: 1 is a fault of a record, 2 one of the call or of a file that holds no record at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian.tools.cli.command_line import exit_code_of, main

GAME = (Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")


def tiro(*args: object, stdin: bytes = b""):
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


def test_what_holds_no_game_is_counted_as_none(tmp_path: Path):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.tiro").write_text(GAME, encoding="utf-8")
    (folder / "b.tiro").write_text("; to be written\n", encoding="utf-8")
    (folder / "c.tiro").write_bytes(b"")
    report = json.loads(tiro("check", "--format", "json", folder).stdout)
    Draft202012Validator(closed_schema("report")).validate(report)
    totals = report["totals"]
    assert (totals["games"], totals["legal"], totals["unchecked"], totals["nothing"]) == (1, 1, 0, 2)
    assert [each["verdict"] for each in report["games"]] == ["legal", "nothing", "nothing"]
    assert tiro("check", folder / "b.tiro").stdout.count("no game in 1 text; 1 error") == 1
    assert f"\nnothing     {folder}/b.tiro  no game\n" in tiro("check", "-v", folder).stdout
    assert tiro("export", folder, "-o", tmp_path / "tables").exit_code == 0
    asked = "SELECT count(*) AS games FROM games"
    assert json.loads(tiro("query", "-d", tmp_path / "tables", "--format", "json", asked).stdout) == {"games": 1}


LATIN = GAME.replace('[Caesar "', '[Caesar "J\udcfcrgen ').encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "args",
    [("check",), ("fmt",), ("fmt", "--check"), ("convert",), ("view", "--as", "table"), ("show",), ("timeline",),
     ("votes",), ("repair",), ("repair", "-o", "-")],
    ids=" ".join,
)  # fmt: skip
def test_all_commands_agree_that_a_name_in_another_encoding_can_be_read(args: tuple[str, ...]):
    done = tiro(*args, "-", stdin=LATIN)
    assert done.exit_code == 0, done.output
    assert "unreadable" not in done.output
    (named,) = re.findall(rb"^.Caesar .*", LATIN, re.M)
    if args[0] in ("fmt", "view") or "-o" in args:
        assert "--check" in args or named in done.stdout_bytes


def test_a_name_in_another_encoding_is_kept_through_json(tmp_path: Path):
    (tmp_path / "a.json").write_bytes(tiro("convert", "-", stdin=LATIN).stdout_bytes)
    assert tiro("convert", tmp_path / "a.json").stdout_bytes == LATIN


def test_choices_are_listed_without_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "game.tiro"
    path.write_text(GAME, encoding="utf-8")
    assert exit_code_of(lambda: main(["view", str(path)], standalone_mode=False)) == 2
    assert "Choose from:\n  arbiter,\n  caesar," in capsys.readouterr().err
