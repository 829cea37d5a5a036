"""The report beside a record: used where it is that of the same record, made in the same way, and no other."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tironian.tools.cli.command_line import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The beginning of a game, beside which its report lies."""
    file = tmp_path / "game.tiro"
    text = (EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
    file.write_text(text.partition("\n4E ")[0] + "\n", encoding="utf-8")
    assert run(file, "--keep").exit_code == 0
    return file


def run(file: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["analyse", str(file), "--level", "quick", *words])


def report(file: Path) -> Path:
    return file.with_suffix(".insight.json")


def told(file: Path, words: str) -> None:
    """Change the report, so that it can be told from a new one."""
    data = json.loads(report(file).read_text(encoding="utf-8"))
    data["sides"][0]["ledger"]["start"] = 0.123
    data["about"] |= json.loads(words)
    report(file).write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize("words", [(), ("--as", "caesar"), ("--format", "csv"), ("--format", "html"), ("--top", "9")])
def test_what_is_kept_reads_as_what_is_new(game: Path, words: tuple[str, ...]):
    kept = run(game, *words)
    report(game).unlink()
    assert run(game, *words).output == kept.output


def test_what_is_kept_is_used(game: Path):
    told(game, "{}")
    assert "(W) from 12 %" in run(game).output


@pytest.mark.parametrize(
    "words", ['{"net": "000000000000"}', '{"seed": 7}', '{"level": "deep"}', '{"program": "0"}', '{"rules": "fr"}']
)
def test_what_was_made_otherwise_is_not_used(game: Path, words: str):
    told(game, words)
    assert "(W) from 12 %" not in run(game).output


@pytest.mark.parametrize(
    ("old", "new"), [("tie-break.tiro", "annotated.tiro"), ("[Result", '[Rulings "full_check=at_placement"]\n[Result')]
)
def test_the_report_of_another_record_is_not_used(game: Path, old: str, new: str):
    told(game, "{}")
    if old.endswith(".tiro"):
        shutil.copy(EXAMPLES / "2024" / new, game)
    else:
        game.write_text(game.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    found = run(game)
    assert "(W) from 12 %" not in found.stdout
    assert "this judges another game" in found.stderr


def test_comments_and_names_are_no_other_record(game: Path):
    told(game, "{}")
    text = game.read_text(encoding="utf-8")
    game.write_text("; a comment\n" + text.replace("[Caesar ", '[Caesar "Nobody"]\n[Was "'), encoding="utf-8")
    assert "(W) from 12 %" in run(game).output


def test_one_side_is_kept_and_both_are_wanted(game: Path):
    report(game).unlink()
    assert run(game, "--as", "caesar", "--keep").exit_code == 0
    assert "Cleopatra (" in run(game).output


def test_nothing_else_is_overwritten(game: Path):
    report(game).write_text("my own notes", encoding="utf-8")
    found = run(game, "--keep")
    assert (found.exit_code, report(game).read_text(encoding="utf-8")) == (2, "my own notes")
    assert "--force" in found.stderr
    assert run(game, "--keep", "--force").exit_code == 0
    assert report(game).read_text(encoding="utf-8").startswith("{")


@pytest.mark.parametrize("words", [("--seconds", "1"), ("--game", "2")])
def test_what_can_not_be_kept(game: Path, words: tuple[str, ...]):
    assert run(game, "--keep", *words).exit_code == 2


def test_standard_input_has_no_folder(game: Path):
    text = game.read_text(encoding="utf-8")
    found = CliRunner().invoke(main, ["analyse", "-", "--level", "quick", "--keep"], input=text)
    assert found.exit_code == 2
    assert "no folder" in found.stderr


def test_what_steers_a_terminal_is_on_no_page(game: Path):
    """A kept report can come from a stranger."""

    def changed(value: object) -> object:
        if isinstance(value, dict):
            return {
                key: value[key] if key in ("about", "side", "view", "turn", "label") else changed(value[key])
                for key in value
            }
        if isinstance(value, list):
            return [*map(changed, value)]
        return f"{value}\x1b[2J\u202e" if isinstance(value, str) and " " in value else value

    data = json.loads(report(game).read_text(encoding="utf-8"))
    report(game).write_text(json.dumps(changed(data)), encoding="utf-8")
    page = run(game, "--format", "html")
    assert page.exit_code == 0
    assert r"\x1b[2J" in page.output
    assert not {"\x1b", "\u202e"} & {*page.output}
