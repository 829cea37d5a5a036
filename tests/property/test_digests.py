"""The script that holds two versions of the engine against each other: the same games, and the same line for each."""

from __future__ import annotations

from operator import ne
from pathlib import Path

import pytest
from digests import compare, judge, make, show, texts
from outputs import COMMANDS, of_game
from tironian import check, parse
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE

GAMES = 40


def test_games_are_made_again_and_judged_alike(tmp_path: Path):
    for name in ("one", "other"):
        make(tmp_path / name, GAMES, seed=3)
    assert texts(tmp_path / "one") == texts(tmp_path / "other")
    before, after = list(judge(tmp_path / "one")), list(judge(tmp_path / "other"))
    assert before == after
    assert len(before) == 2 * GAMES + 1
    assert not list(compare(before, after))


def test_what_differs_is_named(tmp_path: Path):
    make(tmp_path, 4, seed=3)
    before = list(judge(tmp_path))
    name, verdict, codes, told, _ = before[4].split("\t")
    changed = "\t".join((name, "legal?", codes, told, "0"))
    (found,) = compare(before, [*before[:4], changed, *before[5:]])
    assert found.startswith(f"{name}: verdict {verdict} → legal?; state ")
    assert list(compare(before, before[:4])) == [
        f"{line.split(chr(9))[0]}: only before" for line in sorted(before[4:8])
    ]


def test_what_people_are_shown_has_a_line_for_each_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make(tmp_path, 1, seed=3)
    monkeypatch.chdir(tmp_path)
    for made in texts(tmp_path):
        lines = [*of_game(made, COMMANDS)]
        assert lines == [*of_game(made, COMMANDS)]
        assert [line.split("\t")[1] for line in lines] == [*COMMANDS]
        other = [*of_game(made._replace(text=made.text.replace("[Round ", "[Stage ")), COMMANDS)]
        assert sum(map(ne, lines, other)) > len(COMMANDS) // 2


def test_a_game_is_shown_whole(tmp_path: Path):
    make(tmp_path, 2, seed=3)
    head, text, facts = show(tmp_path, ["h1"])
    assert head.startswith("# h1 ")
    assert [made.text for made in texts(tmp_path) if f"# {made.name}" == head] == [text]
    assert '"influence_pile": ' in facts


def test_honest_games_are_honest_and_spoilt_ones_of_every_kind(tmp_path: Path):
    make(tmp_path, GAMES, seed=4)
    honest, spoilt = texts(tmp_path)[:GAMES], texts(tmp_path)[GAMES:]
    for made in honest:
        (game,) = parse(made.text)
        assert check(game).verdict in (LEGAL, POSSIBLE), made.name
    for sign in ("position", "late", "alternatives", "broken off", "cleopatra", "without"):
        assert any(sign in made.name for made in honest), sign
    assert any("ruled" in made.name and "\n% " in made.text for made in spoilt)
    assert len({made.text for made in spoilt}) == GAMES
