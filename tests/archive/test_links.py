"""Links lead no command out of the folder that it was given, and nothing is made where a link points nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from archives import games, tiro

UNTIDY = games(1).replace("\n1E ", "\n1E    ")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """``in`` with a file, and with links to it, to a file outside, and to a folder outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("in", "out"):
        Path(name).mkdir()
        Path(name, "a.tiro").write_text(UNTIDY, encoding="utf-8")
    Path("in/inner.tiro").symlink_to("a.tiro")
    Path("in/outer.tiro").symlink_to(tmp_path / "out/a.tiro")
    Path("in/way").symlink_to(tmp_path / "out")
    return tmp_path


def test_fmt_follows_no_link_out_of_a_folder(folder: Path):
    done = tiro("fmt", "in")
    assert done.exit_code == 0
    assert "in/outer.tiro: a link out of in is not followed" in done.stderr
    assert Path("out/a.tiro").read_text(encoding="utf-8") == UNTIDY
    assert Path("in/a.tiro").read_text(encoding="utf-8") != UNTIDY
    assert tiro("fmt", "in/outer.tiro").exit_code == 0
    assert Path("out/a.tiro").read_text(encoding="utf-8") != UNTIDY
    assert Path("in/outer.tiro").is_symlink()


def test_check_follows_no_link_out_of_a_folder(folder: Path):
    done = tiro("check", "-j", "1", "in")
    assert done.exit_code == 2
    assert "in/outer.tiro" in done.output
    assert "a link out of the folder" in done.output
    assert "2 legal" in done.output
    assert tiro("check", "-j", "1", "in/outer.tiro").exit_code == 0


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("command", ["simulate", "convert in/a.tiro", "votes in/a.tiro --format dot"])
def test_nothing_is_made_where_a_link_points_nowhere(folder: Path, command: str, force: tuple[str, ...]):
    Path("link").symlink_to(folder / "victim")
    done = tiro(*command.split(), "-o", "link", *force)
    assert done.exit_code == 2
    assert "link: this is a dangling link" in done.stderr
    assert not Path("victim").exists()
    assert Path("link").is_symlink()
