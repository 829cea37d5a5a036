"""``tiro play`` line by line: whole games by pipes, wrong input, and the record that is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from duels import PLAYERS, RULES, decisions, duel_of, words_of
from scale import FULL, crossed, scaled
from tironian import check, parse, write
from tironian.replay.cli import common
from tironian.replay.cli.command_line import main

FIRST = "1\n" * 1000
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
    words = words_of(duel)
    numbers = [str(place + 1) for place in decisions(duel_of(rules, 7))]
    texts = ["\n".join(words), "\nhint\n".join(numbers), "\n\ntable\n".join(words)]
    for number, (typed, args) in enumerate(zip(texts, ((), ("--hints",), ("--level", "3")), strict=True)):
        file = tmp_path / f"{number}.tiro"
        done = played_on(file, rules, 7, typed, *args)
        assert done.exit_code == 0
        assert file.read_text(encoding="utf-8") == write(duel.record())


def test_the_record_is_legal_wherever_the_input_ends(tmp_path: Path):
    words = words_of(duel_of("2024", 3))
    file = tmp_path / "game.tiro"
    for count in range(0, len(words), scaled(30, 9)):
        done = played_on(file, "2024", 3, "\n".join(words[:count]), "--force")
        assert done.exit_code == 0
        assert check(parse(file.read_text(encoding="utf-8"))[0]).verdict == "legal"
        assert "not over" in done.stdout.splitlines()[-1]
        quitting = played_on(
            tmp_path / "other.tiro", "2024", 3, "\n".join([*words[:count], "quit", "1", "1"]), "--force"
        )
        assert quitting.exit_code == 0
        assert (tmp_path / "other.tiro").read_bytes() == file.read_bytes()


def test_wrong_input_is_answered_and_asked_again(tmp_path: Path):
    duel = duel_of("2024", 1)
    words = words_of(duel)
    strange = ["0", "99", "zz", "(9)P", "1E", "-1", "é", "²", '"', "5Q 5Q", "[x]", "hint me", "\x1b[2J"]
    typed = "\n".join(line for word in words for line in (strange.pop() if strange else "", word))
    done = played_on(tmp_path / "game.tiro", "2024", 1, typed)
    assert done.exit_code == 0
    assert done.stdout.count("is no move now: type a number from 1 to") == 13
    assert "\x1b" not in done.stdout
    assert (tmp_path / "game.tiro").read_text(encoding="utf-8") == write(duel.record())


def test_the_opening_cards_may_be_typed_in_one_line(tmp_path: Path):
    file = tmp_path / "game.tiro"
    done = played_on(file, "2024", 2, "(5)P (1)Q (2)A (4)K\nhelp\n")
    assert done.exit_code == 0
    assert "\n0R (5)P (1)Q (2)A (4)K (3)C " in file.read_text(encoding="utf-8")
    assert done.stdout.count("quit: leave") == 2


def test_what_follows_a_wrong_word_of_the_opening_is_not_read(tmp_path: Path):
    done = played_on(tmp_path / "game.tiro", "2024", 2, "(5)P (5)Q (1)Q\n")
    assert "“(5)Q” is no move now" in done.stdout
    assert "at the Quaestors? Your missions" in done.stdout.rpartition("no move now")[2]


def test_a_file_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "game.tiro"
    file.write_text("mine", encoding="utf-8")
    done = played_on(file, "2024", 1, "1\n")
    assert (done.exit_code, file.read_text(encoding="utf-8")) == (2, "mine")
    assert "already exists; --force overwrites it" in done.stderr
    assert play(tmp_path, "").exit_code == 2
    assert play(Path("-"), "").exit_code == 2
    assert played_on(file, "2024", 1, "1\n", "--force").exit_code == 0


def test_headers(tmp_path: Path):
    file = tmp_path / "game.tiro"
    assert played_on(file, "2024", 1, "1\n", "--name", ' Livia  "D" ', "--level", "4").exit_code == 0
    record = parse(file.read_text(encoding="utf-8"))[0].record
    named = {name: record.header(name) for name in ("Caesar", "Cleopatra", "Date", "Round", "Termination")}
    assert [*named.values()] == ["Level 4", 'Livia "D"', "????.??.??", "1", "unterminated"]


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
    assert play(tmp_path / "game.tiro", "1\n").exit_code == 0
    record = parse((tmp_path / "game.tiro").read_text(encoding="utf-8"))[0].record
    again = play(tmp_path / "again.tiro", "1\n", "--seed", record.header("Round"))
    assert again.exit_code == 0
    assert (tmp_path / "again.tiro").read_bytes() == (tmp_path / "game.tiro").read_bytes()


def test_without_numpy_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(common, "find_spec", lambda _name: None)
    done = play(tmp_path / "game.tiro", "1\n")
    assert done.exit_code == 2
    assert "-m pip install numpy fsrs" in done.stderr
    assert not (tmp_path / "game.tiro").exists()
