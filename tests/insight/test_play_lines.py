"""``tiro play`` line by line: whole games by pipes, wrong input, and the record that is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from duels import PLAYERS, RULES, decisions, duel_of, typed_for
from scale import FULL, crossed, scaled
from tironian import check, parse, write
from tironian.tools.cli import common
from tironian.tools.cli.command_line import main
from tironian.tools.insight.offered_moves import names

FIRST = "/\n" + "1\n" * 1000
"""What somebody types who always takes the first move."""


def play(file: Path, typed: str, *args: str) -> Result:
    return CliRunner().invoke(main, ["play", str(file), *args], input=typed)


def played_on(file: Path, rules: str, seed: int, typed: str, *args: str) -> Result:
    """Play a game of ``duel_of`` on the command line."""
    return play(file, typed, "--rules", rules, "--as", PLAYERS[seed % 2], "--seed", str(seed), *args)


@pytest.mark.parametrize(("rules", "seed"), crossed(RULES, [0, 1]))
def test_whole_games(rules: str, seed: int, tmp_path: Path):
    file = tmp_path / "game.tiro"
    done = played_on(file, rules, seed, FIRST, "--level", str(1 + seed), "--plain")
    assert (done.exit_code, done.stderr) == (0, "")
    record = parse(file.read_text(encoding="utf-8"))[0].record
    verdict = check(record)
    assert (verdict.verdict, verdict.diagnostics) == ("legal", ())
    assert verdict.outcome.finished
    assert done.stdout.rstrip().endswith(f"is saved: {verdict.summary}")
    assert "Score sheet" in done.stdout


@pytest.mark.parametrize("rules", RULES if FULL else RULES[:1])
def test_words_lead_to_the_same_game_as_numbers_and_hints_change_nothing(rules: str, tmp_path: Path):
    duel = duel_of(rules, 7)
    words = typed_for(duel)
    again = duel_of(rules, 7)
    numbers = [
        text
        for place in decisions(again)
        for text in [names(again.offers())[place]] * (1 + again.closes_placing(place))
    ]
    texts = ["\n".join(words), "\nhint\nhelp\n".join(numbers), "\n\ntable\n?\n".join(words)]
    for number, (typed, args) in enumerate(zip(texts, ((), ("--hints",), ("--level", "3")), strict=True)):
        file = tmp_path / f"{number}.tiro"
        done = played_on(file, rules, 7, typed, *args)
        assert done.exit_code == 0
        assert file.read_text(encoding="utf-8") == write(duel.record())


def test_the_record_is_legal_wherever_the_input_ends(tmp_path: Path):
    words = typed_for(duel_of("2024", 3))
    file = tmp_path / "game.tiro"
    for count in range(0, len(words), scaled(30, 9)):
        done = played_on(file, "2024", 3, "\n".join(words[:count]), "--force")
        assert done.exit_code == 0
        assert check(parse(file.read_text(encoding="utf-8"))[0]).verdict == "legal"
        assert "unfinished" in done.stdout.splitlines()[-1]
        quitting = played_on(
            tmp_path / "other.tiro", "2024", 3, "\n".join([*words[:count], "quit", "1", "1"]), "--force"
        )
        assert quitting.exit_code == 0
        assert (tmp_path / "other.tiro").read_bytes() == file.read_bytes()


def test_wrong_input_is_answered_and_asked_again(tmp_path: Path):
    duel = duel_of("2024", 1)
    words = typed_for(duel)
    strange = ["0", "99", "zz", "(9)P", "1E", "-1", "é", "²", '"', "5Q 5Q", "[x]", "hint me", "\x1b[2J"]
    typed = "\n".join(line for word in words for line in (strange.pop() if strange else "", word))
    done = played_on(tmp_path / "game.tiro", "2024", 1, typed)
    assert done.exit_code == 0
    assert done.stdout.count("is not a move now: ") == 13
    assert "\x1b" not in done.stdout
    assert (tmp_path / "game.tiro").read_text(encoding="utf-8") == write(duel.record())


@pytest.mark.parametrize("name", ["\x1b[2J", "a\\", "]", "; x", "\u202e", "?", " "])
def test_any_name_can_be_written(name: str, tmp_path: Path):
    file = tmp_path / "game.tiro"
    done = played_on(file, "2024", 0, "/\n", "--name", name)
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    (game,) = parse(file.read_text(encoding="utf-8"))
    assert not game.problems
    assert check(game).verdict == "legal"
    assert game.record.header("Caesar") == (name.strip() or "You")


def test_a_seed_is_drawn_where_none_is_given(tmp_path: Path):
    assert play(tmp_path / "game.tiro", "/\n").exit_code == 0
    record = parse((tmp_path / "game.tiro").read_text(encoding="utf-8"))[0].record
    again = play(tmp_path / "again.tiro", "/\n", "--seed", record.header("Round"))
    assert again.exit_code == 0
    assert (tmp_path / "again.tiro").read_bytes() == (tmp_path / "game.tiro").read_bytes()


def test_without_numpy_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(common, "find_spec", lambda _name: None)
    done = play(tmp_path / "game.tiro", "/\n")
    assert done.exit_code == 2
    assert "-m pip install numpy" in done.stderr
    assert not (tmp_path / "game.tiro").exists()


# --------------------------------------------------------------------------------------------------- going on


def test_a_game_that_was_left_goes_on(tmp_path: Path):
    """Leaving after every few words makes no difference; nor do options that are of no account any more."""
    words, file, whole = typed_for(duel_of("2024", 3)), tmp_path / "game.tiro", tmp_path / "whole.tiro"
    assert played_on(whole, "2024", 3, "\n".join(words)).exit_code == 0
    duel, typed, done = duel_of("2024", 3), list[str](), played_on(file, "2024", 3, "")
    for place in decisions(duel):
        if len(typed) > 12:
            done = play(file, "\n".join(typed))
            assert (done.exit_code, done.stderr) == (0, "")
            typed.clear()
        typed += [duel.offers()[place].text] * (1 + duel.closes_placing(place))
    done = play(file, "\n".join(typed), "--level", "5", "--rules", "fr")
    assert "the game continues as it was begun; these have no effect: --rules --level" in done.stderr
    assert file.read_bytes() == whole.read_bytes()
    over = play(file, "1\n")
    assert over.exit_code == 2
    assert "the game in it is over: name a new file; --from" in over.stderr
    assert file.read_bytes() == whole.read_bytes()
