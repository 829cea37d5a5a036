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
from typed_records import EXAMPLES

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


def test_the_opening_cards_may_be_typed_in_one_line(tmp_path: Path):
    file = tmp_path / "game.tiro"
    done = played_on(file, "2024", 2, "(5)P (1)Q (2)A (4)K\nhelp\n")
    assert done.exit_code == 0
    assert "\n0R (5)P (1)Q (2)A (4)K (3)C " in file.read_text(encoding="utf-8")
    assert done.stdout.count("quit: leave") == 2


def test_a_number_in_the_set_up_is_a_card(tmp_path: Path):
    file = tmp_path / "game.tiro"
    done = played_on(file, "2024", 2, "5\n5\n1\n2 4\n")
    assert "“5” is not a move now: type one of / 1 2 3 4, or" in done.stdout
    assert "\n0R (5)P (1)Q (2)A (4)K (3)C " in file.read_text(encoding="utf-8")


def test_the_law_says_why_a_word_is_not_a_move(tmp_path: Path):
    done = played_on(tmp_path / "game.tiro", "2024", 4, "/\nx5P\n+i\n(1)P\n(2)P\n")
    assert [line.partition(": ")[2] for line in done.stdout.splitlines() if "not a move now" in line] == [
        "Caesar has no assassination in hand [R203, rule C4 G1]",
        "Caesar places no influence card, though there is one in hand and room for it [R206, rule D8 D9 D10]",
        "Caesar can't place the 2 at the Praetors face down [R210, rule D1 D2 D8 D11]",
    ]


def test_a_long_list_has_a_line_for_each_place(tmp_path: Path):
    done = played_on(tmp_path / "game.tiro", "2024", 4, "/\n?\n")
    assert "  … face down at the Praetors:  1. (1)P  2. (2)P" in done.stdout


def test_what_follows_a_wrong_word_of_the_opening_is_not_read(tmp_path: Path):
    done = played_on(tmp_path / "game.tiro", "2024", 2, "(5)P (5)Q (1)Q\n")
    assert "“(5)Q” is not a move now" in done.stdout
    assert "at the Quaestors? Your missions" in done.stdout.rpartition("not a move now")[2]


def test_a_file_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "game.tiro"
    file.write_text("mine", encoding="utf-8")
    done = played_on(file, "2024", 1, "/\n")
    assert (done.exit_code, file.read_text(encoding="utf-8")) == (2, "mine")
    assert "already exists, and it is not an unfinished game of tiro play: name a new file" in done.stderr
    assert "--force overwrites it" in done.stderr
    assert play(tmp_path, "").exit_code == 2
    assert play(Path("-"), "").exit_code == 2
    assert played_on(file, "2024", 1, "/\n", "--force").exit_code == 0


def test_headers(tmp_path: Path):
    file = tmp_path / "game.tiro"
    assert played_on(file, "2024", 1, "/\n", "--name", ' Livia  "D" ', "--level", "4").exit_code == 0
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


def test_a_game_that_goes_on_keeps_whose_it_is(tmp_path: Path):
    file = tmp_path / "game.tiro"
    assert played_on(file, "fr", 1, "/\n1\n", "--name", "Livia", "--level", "2").exit_code == 0
    before = parse(file.read_text(encoding="utf-8"))[0].record
    done = play(file, "1\n1\n1\n1\n")
    assert "You are Cleopatra, Caesar is level 2." in done.stdout
    after = parse(file.read_text(encoding="utf-8"))[0].record
    assert after.headers == before.headers
    assert after.turns[: len(before.turns) - 1] == before.turns[:-1]


def test_headers_are_kept_and_comments_are_not_lost(tmp_path: Path):
    file = tmp_path / "game.tiro"
    assert played_on(file, "2024", 3, "/\n1\n").exit_code == 0
    text = file.read_text(encoding="utf-8").replace('Site "?"', 'Site "at home"').replace("????.??.??", "2026.03.12")
    file.write_text(text.replace("\n[Result", '\n[Annotator "Livia"]\n[Result'), encoding="utf-8")
    assert play(file, "1\n1\n").exit_code == 0
    record = parse(file.read_text(encoding="utf-8"))[0].record
    assert [record.header(name) for name in ("Site", "Date", "Annotator")] == ["at home", "2026.03.12", "Livia"]
    noted = file.read_text(encoding="utf-8").replace("\n*", " ; well\n*")
    file.write_text(noted, encoding="utf-8")
    done = play(file, "1\n")
    assert (done.exit_code, file.read_text(encoding="utf-8")) == (2, noted)
    assert "it has comments or marks, which would be lost" in done.stderr


def test_nobody_is_called_as_the_other_side(tmp_path: Path):
    done = play(tmp_path / "game.tiro", "1\n", "--name", "Level 3")
    assert (done.exit_code, "choose another --name" in done.stderr) == (2, True)
    assert not (tmp_path / "game.tiro").exists()


def test_a_game_begins_from_a_turn_of_another(tmp_path: Path):
    source, file = EXAMPLES / "2024" / "tie-break.tiro", tmp_path / "game.tiro"
    done = play(file, "", "--from", str(source), "--at", "5e", "--seed", "4")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "You are Cleopatra, Caesar is level 3. The game continues." in done.stdout
    assert "\n5E, your turn" in done.stdout
    record, begun = (parse(path.read_text(encoding="utf-8"))[0].record for path in (source, file))
    at = [turn.label for turn in record.turns].index("5E")
    assert begun.turns == record.turns[:at]
    assert begun.header("Cleopatra") == "You"
    assert check(begun).verdict == "legal"
    assert play(file, "1\n1\n").exit_code == 0  # and goes on as any other
    assert "for the game itself" in play(source, "", "--from", str(source), "--at", "5E", "--force").stderr


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--from", str(EXAMPLES / "2024" / "tie-break.tiro"), "--at", "99E"], "it has no turn “99E”"),
        (["--from", str(EXAMPLES / "2024" / "tie-break.tiro")], "go together: --from game.tiro --at 7E"),
        (["--at", "7E"], "go together"),
        (["--from", "nowhere.tiro", "--at", "7E"], "nowhere.tiro"),
    ],
)
def test_what_no_game_begins_from(args: list[str], why: str, tmp_path: Path):
    done = play(tmp_path / "game.tiro", "", *args)
    assert done.exit_code == 2
    assert why in done.stderr
    assert not (tmp_path / "game.tiro").exists()
