"""``tiro view``: the record as a player or a spectator would have written it. Its answers are in
``tests/transcripts/commands/view.md``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tironian
from click.testing import CliRunner, Result
from tironian import ViewNotAvailable, from_json, parse
from tironian.tools.cli.command_line import main

HOME = Path(__file__).parents[2] / "examples"
ANNOTATED = HOME / "2024" / "annotated.tiro"
SPECTATOR = HOME / "2024" / "seen-from-the-table.tiro"


def tiro(*args: object, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


LENT = """[Rules "2024"]
[View "caesar"]

0R (1)P (2)Q (3)A (4)K (5)C m(each,K) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
1E (i)Q 4P +iia
"""


@pytest.mark.parametrize("turn", ["1R sQ(33) (1)P =o +1", "1R sQ", "1R x(3)Q#1 v+i (1)P =o +1", "1R cPQ (1)P"])
@pytest.mark.parametrize("command", [("view",), ("timeline", "--format", "html"), ("show",), ("show", "--odds")])
def test_a_card_that_a_ruling_lets_stand_was_not_in_the_hand(turn: str, command: tuple[str, ...]):
    text = f"{LENT}{turn}\n   % R stands R203\n"
    done = tiro(*command, "--as", "caesar", "-", stdin=text)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.stdout


@pytest.mark.parametrize("command", [("timeline", "--format", "html"), ("timeline", "--odds"), ("votes",), ("show",)])
@pytest.mark.parametrize(("own", "view"), [("caesar", "cleopatra"), ("table", "caesar"), ("cleopatra", "arbiter")])
def test_who_saw_more_than_the_writer_is_told_what_the_record_has(command: tuple[str, ...], own: str, view: str):
    log = tiro("view", ANNOTATED, "--as", own).stdout
    done = tiro(*command, "--as", view, "-", stdin=log)
    assert (done.exit_code, "what the record lacks stays unknown" in done.stderr) == (0, True), done.exception
    assert done.stdout


def test_the_library_says_so_too():
    (game,) = parse(SPECTATOR.read_text(encoding="utf-8"))
    assert tironian.view(game, "table").record is game.record
    with pytest.raises(ViewNotAvailable, match="there is no point of view god"):
        tironian.view(game, "god")


def test_several_games_as_text_and_as_json():
    games = ANNOTATED.read_text(encoding="utf-8") + "\n" + (HOME / "1997" / "annotated.tiro").read_text("utf-8")
    text = tiro("view", "-", "--as", "caesar", stdin=games)
    assert text.exit_code == 0
    read = parse(text.stdout)
    assert [game.record.header("View") for game in read] == ["caesar", "caesar"]
    data = json.loads(tiro("view", "-", "--as", "caesar", "--format", "json", stdin=games).stdout)
    assert [from_json(each) for each in data] == [game.record for game in read]
