"""What is no record is told in one sentence; what is a record with slips, or with text around it, loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import from_json, parse, to_json, write
from tironian.tools.cli.command_line import main

ROOT = Path(__file__).parents[2]
GAME = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
PROSE = "We meet on Thursdays.\nBring a friend.\nBring the game.\nThe door is around the corner.\n"


def codes(text: str) -> list[str]:
    return [each.code for game in parse(text) for each in game.problems]


@pytest.mark.parametrize("name", ["LICENSE", "pyproject.toml", "Makefile", "replay/checking/check.py"])
def test_another_file_is_told_in_one_sentence(name: str):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert codes(text) == ["N110"]
    done = CliRunner().invoke(main, ["check", str(ROOT / name)])
    assert done.exit_code == 1
    assert done.stdout.count("error[") == 1
    assert len(done.stdout.splitlines()) < 15


def test_a_document_with_a_record_in_it_is_that_record():
    done = CliRunner().invoke(main, ["check", str(ROOT / "README.md")])
    assert (done.exit_code, done.stdout.count("warning[N110]"), done.stdout.count("error[")) == (0, 1, 0)


@pytest.mark.parametrize("text", [PROSE, PROSE * 20 + GAME, GAME + PROSE * 20])
def test_nothing_is_dropped(text: str, tmp_path: Path):
    (game,) = parse(text)
    again = write(from_json(to_json(game.record)))
    assert again == write(game.record)
    assert sorted(again.split()) == sorted(text.split())
    path = tmp_path / "a.tiro"
    path.write_text(text, encoding="utf-8")
    assert CliRunner().invoke(main, ["fmt", str(path)]).exit_code == 1
    assert path.read_text(encoding="utf-8") == text
    done = CliRunner().invoke(main, ["convert", str(path)])
    assert done.exit_code == (not game.record.turns)
    assert all(line in done.stdout for line in PROSE.splitlines())
