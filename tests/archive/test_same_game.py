"""Which records of an archive are of one game, and which of them counts; which names are probably one player's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from archives import checked, game
from tironian import parse, view, write


def named(text: str, **headers: str) -> str:
    """A game with other headers."""
    for name, value in ({"Event": "Open", "Round": "1", "Caesar": "Ann", "Cleopatra": "Bob"} | headers).items():
        text = re.sub(rf'^\[{name} ".*"\]$', f'[{name} "{value}"]', text, flags=re.M)
    return text


def sheet(text: str, who: str) -> str:
    return write(view(parse(text)[0], who).record)


def notes(tmp_path: Path, *texts: str) -> list[tuple[list[str], int | None]]:
    """Of a file with these games, the notes on each, and the game that counts in its place."""
    (tmp_path / "a.tiro").write_text("\n".join(texts), encoding="utf-8")
    found = checked([tmp_path])
    return [
        ([f"{each.code} {each.message}" for each in report.diagnostics if each.code[0] == "A"],
         report.same_as and report.same_as[1])
        for report in found
    ]  # fmt: skip


def test_logs_of_one_game_count_once(tmp_path: Path):
    """Also with a slip in each, a turn left out, headers written otherwise, and a log of the arbiter."""
    whole = named(game(2), Caesar="Jörg  Müller")
    slip = sheet(whole, "cleopatra").replace("Jörg  Müller", "JO\u0308RG MUELLER").replace('"Open"', '"OPEN"')
    slip = re.sub(r"^8R.*\n", "", slip, flags=re.M)
    told = "A102 another log of game 1"
    spelt = "A103 “JO\u0308RG MUELLER” is probably a player of game 1"
    found = notes(tmp_path, sheet(whole, "caesar"), game(3), slip, sheet(whole, "table"), whole)
    assert [[note.partition(",")[0] for note in each] for each, _ in found] == [[], [], [told, spelt], [told], [told]]
    assert [same for _, same in found] == [None, None, 1, 1, 1]


def test_a_log_whose_text_was_changed_on_its_way_is_known_by_what_it_was_before(tmp_path: Path):
    whole = named(game(4))
    quoted = re.sub("^", "> ", sheet(whole, "cleopatra"), flags=re.M)
    (_, first), (told, same) = notes(tmp_path, sheet(whole, "caesar"), quoted)
    assert first is None
    assert (told, same) == (["A102 another log of game 1"], 1)


def test_games_of_the_same_players_in_one_round_all_count(tmp_path: Path):
    """They sat at two boards, or played again."""
    first, second = named(game(4)), named(game(8))
    found = notes(tmp_path, *(sheet(text, who) for who in ("caesar", "cleopatra") for text in (first, second)))
    told = [["A102 another log of game 1"], ["A102 another log of game 2"]]
    assert found == [([], None), ([], None), (told[0], 1), (told[1], 2)]


def test_what_does_not_count_takes_no_other_place(tmp_path: Path):
    """An illegal log, or one without a winner, comes first: the other one counts, and the next one does not."""
    whole = named(game(4))
    broken = whole.replace("\n5E ", "\n5E 5A 5A 5A ")
    cut = sheet(whole, "caesar").rpartition("\n9")[0] + "\n*\n"
    again = "A102 another log of game 1"
    assert notes(tmp_path, broken, sheet(whole, "caesar"), sheet(whole, "cleopatra")) == [
        ([], None), ([again], None), (["A102 another log of game 2"], 2)
    ]  # fmt: skip
    assert notes(tmp_path, cut, sheet(whole, "cleopatra")) == [([], None), ([again], None)]
    assert notes(tmp_path, broken, cut) == [([], None), ([again], 1)]


def test_too_little_makes_no_two_games_one(tmp_path: Path):
    """Two games that were given up early, with the same moves, can be two games."""
    short = '[Rules "2024"]\n[Caesar "Ann"]\n[Cleopatra "Bob"]\n[Round "1"]\n[Result "*>R"]\n\n1E (i)A =r +i\n*>R\n'
    assert notes(tmp_path, short, short) == [([], None), (["A101 the same moves as game 1"], None)]
    assert notes(tmp_path, game(4), game(4)) == [([], None), (["A101 the same moves as game 1"], 1)]
    assert notes(tmp_path, named(game(4)), named(game(4), Caesar="Cy"))[1] == (["A101 the same moves as game 1"], None)


@pytest.mark.parametrize(
    "other",
    [
        "Jörg  Müller", "Jörg Müller ", "Jo\u0308rg Mu\u0308ller", "jörg müller", "Joerg Mueller", "J\u200börg Müller",
        "Jörg\xa0Müller",
    ],
)  # fmt: skip
def test_names_that_differ_invisibly_are_noted_once(tmp_path: Path, other: str):
    first, again = named(game(4), Caesar="Jörg Müller"), named(game(8), Caesar=other)
    more = named(game(12), Caesar="Al", Cleopatra=other)
    found = notes(tmp_path, first, again, more, named(game(16), Caesar="Jürg Müller", Cleopatra="?"))
    told = f"A103 “{other}” is probably a player of game 1, written there with other accents, spaces or capitals"
    assert [each for each, _ in found] == [[], [told], [], []]
