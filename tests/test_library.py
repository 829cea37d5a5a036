"""The library as its users meet it: what functions take and give, and how values show themselves."""

from __future__ import annotations

import io
import pydoc
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import tironian
from tironian import Card, Group, Side

EXAMPLES = Path(__file__).parents[1] / "examples"
ANNOTATED = EXAMPLES / "2024" / "annotated.tiro"
TEXT = ANNOTATED.read_text(encoding="utf-8")
WRONG = TEXT.replace("3P +25", "9P +25", 1)


def events(source) -> list[str]:
    return [game.record.header("Event") for game in tironian.read(source)]


# ------------------------------------------------------------------------------------------------------------- read


def test_a_file_is_read_by_its_path_as_text_or_path():
    (game,) = tironian.read(str(ANNOTATED))
    assert game.record == next(tironian.read(ANNOTATED)).record
    assert game.source.name == str(ANNOTATED)


def test_a_folder_is_read_with_its_archives_sorted_by_name(tmp_path):
    (tmp_path / "b.tiro").write_text('[Event "b"]\n1E 5A\n', encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("1.tiro", '[Event "a1"]\n1E 5A\n*\n\n[Event "a2"]\n1E 5A\n')
    assert events(tmp_path) == ["a1", "a2", "b"]
    assert events(f"{tmp_path}/*.tiro") == ["b"]


def test_open_files_are_read_in_both_modes_and_stay_open():
    with open(ANNOTATED, encoding="utf-8") as text, open(ANNOTATED, "rb") as binary:
        one, other = next(tironian.read(text)), next(tironian.read(binary))
        assert not text.closed
        assert not binary.closed
    assert one.record == other.record
    assert one.source.name == other.source.name == str(ANNOTATED)
    assert next(tironian.read(io.BytesIO(b"1E 5A\n"))).source.name == "<stream>"


@pytest.mark.process
def test_standard_input_is_read():
    code = "import tironian; print([len(game.record.turns) for game in tironian.read('-')])"
    run = subprocess.run(
        [sys.executable, "-c", code], input="1E 5A\n1R 5A\n", capture_output=True, text=True, check=True
    )
    assert run.stdout == "[2]\n"


def test_a_path_that_names_nothing_raises_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        tironian.read(tmp_path / "nothing.tiro")


def test_a_torn_file_is_a_problem_and_the_rest_follows(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.tiro", TEXT * 50)
    whole = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(whole[:200] + b"\0" * 50 + whole[250:])
    (tmp_path / "b.tiro").write_text(TEXT, encoding="utf-8")
    *_, torn, good = tironian.read(tmp_path)
    assert [problem.code for problem in torn.problems] == ["N108"]
    assert tironian.check(torn).verdict == "nothing"
    assert tironian.check(good).verdict == "legal"


# ------------------------------------------------------------------------------------------- games, records, numbers


@pytest.mark.parametrize(
    "function",
    [
        lambda game: tironian.check(game).summary, lambda game: len(tironian.replay_game(game).steps),
        lambda game: [entry.written for entry in tironian.timeline(game).entries],
        lambda game: [*map(tironian.words, tironian.votes(game))], lambda game: tironian.view(game, "table").record,
        lambda game: tironian.merge([game]).record, lambda game: tironian.odds(game, "caesar", "3R"),
    ],
    ids=["check", "replay_game", "timeline", "votes", "view", "merge", "odds"],
)  # fmt: skip
def test_a_record_does_where_a_game_does(function):
    (game,) = tironian.parse(TEXT)
    assert function(game.record) == function(game)


def test_enumerations_are_the_integers_of_the_notation():
    cards = tironian.cards
    assert [card.letter for card in Card] == [*cards.CARD_LETTERS]
    assert [card.value for card in Card] == [*range(len(cards.CARD_LETTERS))]
    assert [group.letter for group in Group] == [*cards.GROUP_LETTERS]
    assert [side.letter for side in Side] == ["R", "E"]
    assert [Card.from_letter(letter) for letter in cards.CARD_LETTERS] == [*Card]
    assert [Group.from_letter(letter) for letter in cards.GROUP_LETTERS] == [*Group]
    for letter in ("", "px", "P"):
        with pytest.raises(ValueError, match="is not one of the letters"):
            Card.from_letter(letter)


def test_tokens_of_names_are_tokens_of_numbers():
    place = tironian.tokens.Place(Card.FIVE, Group.QUAESTOR, False)
    assert place == tironian.tokens.Place(5, 4, False)
    assert tironian.token_text(place) == "5Q"
    state = tironian.replay_game(tironian.parse(TEXT)[0]).at("1E.0").state
    assert [fault.code for fault in tironian.violations(state, place)] == []
    tironian.apply(state, place)
    assert state.sides[Side.EGYPT].up[Group.QUAESTOR] == [5]


@pytest.mark.parametrize("text", ["5R (3)P +2", " 5R (3)P {why} +2 @1:02 ; well\n"])
def test_a_line_is_a_turn(text):
    turn = tironian.parse_turn(text)
    assert tironian.turn_text(turn) == text.strip()
    assert turn == tironian.parse(text)[0].record.turns[0]
    assert tuple(map(tironian.parse_token, ("(3)P", " +2 "))) == turn.tokens


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (tironian.parse_turn, "5G", "“5G” can't be read: at “5”; "),
        (tironian.parse_turn, "5R 5", "“5R 5” can't be read: it ends too soon; "),
        (tironian.parse_turn, "5R 5A\n5E 5A", "“5R 5A\n5E 5A” can't be read: at "),
        (tironian.parse_turn, "", "“” can't be read: "),
        (tironian.parse_turn, "; 5R 5A", "“; 5R 5A” is not the line of a turn, "),
        (tironian.parse_turn, "17-13", "“17-13” is not the line of a turn, "),
        (tironian.parse_token, "5G", "“5G” can't be read: at “G”; "),
        (tironian.parse_token, "5A 5P", "“5A 5P” can't be read: at “ ”"),
        (tironian.parse_token, "!", "“!” is not a token: "),
        (tironian.parse_token, "{why}", "“{why}” is not a token: "),
    ],
)
def test_what_is_no_turn_or_token_is_an_error(read, text, said):
    with pytest.raises(ValueError, match="^" + re.escape(said)):
        read(text)


def test_a_game_is_written_as_its_record():
    (game,) = tironian.parse(TEXT)
    assert tironian.write(game) == tironian.write(game.record) == TEXT
    assert tironian.write_all([game, game.record]) == f"{TEXT}\n{TEXT}"


@pytest.mark.parametrize("moment", ["99E", "7E.30", "never", ""])
def test_a_moment_that_is_not_there_is_an_error(moment):
    played = tironian.replay_game(tironian.parse(TEXT)[0])
    with pytest.raises(ValueError, match="the replay has no moment"):
        played.at(moment)


def test_every_legal_move_can_be_applied():
    (game,) = tironian.parse(TEXT)
    for moment in ("1E.0", "4R.0", "7E.2", "10E"):
        state = tironian.replay_game(game).at(moment).state
        for move in tironian.legal_moves(state):
            assert not tironian.violations(state, *move), str(move)
            tironian.apply(state.copy(), *move)


# ------------------------------------------------------------------------------------------ how values show themselves


def test_a_diagnostic_is_one_line():
    (game,) = tironian.parse(WRONG, "club\x1b/game.tiro")
    first = tironian.check(game).diagnostics[0]
    assert str(first).startswith(f"club\\x1b/game.tiro:{first.line}:{first.column} error[N")
    assert repr(first) == f"<Diagnostic {first}>"
    assert len(repr(first).splitlines()) == 1
    line = WRONG.splitlines()[first.line - 1]
    assert line[first.column - 1 :].startswith("9P")


def test_what_is_long_shows_itself_short():
    (game,) = tironian.parse(TEXT)
    assert repr(game) == "<Game 1 of <text>: turns=31, problems=0>"
    assert repr(game.source) == "Source(name='<text>', first=1)"
    assert repr(tironian.timeline(game, "table")) == "<Timeline of game 1: 31 turn lines, seen by table>"
    played = tironian.replay_game(game)
    assert repr(played) == f"<Replay of {len(played.steps)} steps>"


# ------------------------------------------------------------------------------------------------- the package itself


def test_help_shows_every_name():
    shown = pydoc.plain(pydoc.render_doc(tironian))
    assert not [name for name in tironian.__all__ if name not in shown]


@pytest.mark.process
def test_the_package_runs_the_command():
    run = subprocess.run([sys.executable, "-m", "tironian", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"tiro {tironian.__version__} (")


@pytest.mark.parametrize("draw", [tironian.page, tironian.picture, tironian.timeline], ids=lambda draw: draw.__name__)
def test_a_game_of_unknown_rules_is_untold(draw):
    (game,) = tironian.parse('[Rules "2099"]\n1E 5A\n*\n')
    with pytest.raises(tironian.NoTimeline, match="the rule set of this game is unknown"):
        draw(game)
