"""``tiro step``: what it says at each step, and where typed words lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from scale import scaled
from tironian import VIEWS
from tironian.replay.knowledge.redaction import views_for
from tironian.tools.cli.command_line import main
from walks import ANNOTATED, EXAMPLES, walk_of


def step(*words: str, typed: str = "", **env: str) -> str:
    done = CliRunner().invoke(main, ["step", *words], input=typed, env=env)
    assert done.exit_code in (0, 1), done.output
    return done.output


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*/*.tiro"))[:: scaled(12, 1)], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_every_example_is_gone_through_to_its_end(path: Path):
    if path.parent.name == "broken" and CliRunner().invoke(main, ["show", str(path)]).exit_code == 2:
        pytest.skip("nothing can be shown of it")
    walk = walk_of(path)
    steps = len(walk.stops) - 1
    said = step(str(path), typed="n\n" * (steps + 1))
    for number in range(steps + 1):
        assert f"step {number} of {steps}" in said
    assert said.rstrip().endswith(("There is nothing further that way.", "tiro check says why"))


def test_where_there_is_no_display_it_says_so_and_steps():
    said = step(
        str(ANNOTATED), "--open", typed="n\n", DISPLAY="", WAYLAND_DISPLAY="", SSH_CONNECTION="10.0.0.1 1 10.0.0.2 22"
    )
    assert "there is no display for a browser here" in said
    assert "step 1 of" in said


def test_with_a_display_the_page_of_the_game_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert "step 0" not in step(str(ANNOTATED), "--open", "--as", "caesar")
    (page,) = tmp_path.iterdir()
    assert opened == [page.as_uri()]
    assert "Marta Lindqvist" in page.read_text(encoding="utf-8")


def test_nobody_sees_more_than_they_ask_for():
    said = step(str(ANNOTATED), "--as", "table", typed="view\n" * len(VIEWS))
    assert {line.rsplit("seen by ", 1)[1].split(" · ")[0] for line in said.splitlines() if "seen by" in line} <= {
        *views_for("arbiter")
    }
