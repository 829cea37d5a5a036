"""What was to be expected of votes: hand-checked, and the same whoever's record it is read from."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
import tironian
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scale import scaled
from schema_parts import closed_schema
from tironian import EDITION_NAMES, load_edition, odds, parse, simulate, timeline, write
from tironian.replay.story.timeline import with_odds
from tironian.replay.story.vote_tree import trees
from tironian.replay.words.events import event_words
from tironian.replay.words.odds import percent, percents
from tironian.replay.words.vote_tree import vote_outline
from tironian.tools.cli.command_line import main
from tironian.tools.render.data import timeline_data, votes_data
from tironian.tools.render.vote_graph import graph, mermaid, numbered, outline

EXAMPLES = Path(__file__).parents[2] / "examples"
OPENING = """[Rules "1997"]
[Result "*"]

0R (5)S (3)P (2)Q (1)C (4)A m(?)
0E (1)S (3)P (2)Q (5)C (4)A m(?)
1E (2)S +5 =S5:21>R
*
"""


def first_vote(text: str, view: str = "arbiter"):
    (game,) = parse(text)
    told = with_odds(timeline(game, view), game)
    return told, next(event for entry in told.entries for event in entry.events if event.ballot)


def test_the_first_vote_of_a_game():
    """Egypt has one of 1 to 5 at the Senators from the set-up and one of 1 to 5 from her hand: 25 ways for Caesar."""
    _, event = first_vote(OPENING)
    caesar, cleopatra = event.odds
    assert caesar.view == "caesar"
    # Her sum is 2, 3 or 4 in six of 25 ways, 5 in four, more in the others; Caesar knows his own 5.
    assert caesar.outlook.wins == (Fraction(6, 25), Fraction(15, 25), Fraction(4, 25))
    assert caesar.outlook.sums(0) == {5: 1}
    assert caesar.outlook.sums(1)[10] == Fraction(1, 25)
    # Cleopatra knows her 3; Caesar's card is any of 1 to 5.
    assert cleopatra.outlook.wins == (Fraction(2, 5), Fraction(2, 5), Fraction(1, 5))
    assert (
        "for Caesar Rome 24 %, Egypt 60 %, a tie 16 %; for Cleopatra Rome 40 %, Egypt 40 %, a tie 20 %"
        in event_words(event)
    )


def test_a_spectator_expects_other_things_than_the_players():
    _, event = first_vote(OPENING, "table")
    (table,) = event.odds
    assert table.view == "table"
    ways = [(rome, one + two) for rome in range(1, 6) for one in range(1, 6) for two in range(1, 6)]
    assert table.outlook.wins[0] == Fraction(sum(rome > egypt for rome, egypt in ways), len(ways))
    assert table.outlook.wins[2] == Fraction(sum(rome == egypt for rome, egypt in ways), len(ways))


def test_without_hidden_cards_nothing_is_said():
    text = (
        '[Rules "2024"]\n[Setup "position"]\n[Result "*"]\n\n0R 4Q h(12345v)\n0E 3Q h(12345x)\n'
        "6E 1Q (2)A =Q4:31>- +12\n*\n"
    )
    told, event = first_vote(text)
    assert all(each.certain for each in event.odds)
    assert "expected" not in event_words(event)
    (tree,) = trees(told)
    assert not vote_outline(tree).expected, "who saw every card had nothing to expect"
    assert not [node for plain in trees(timeline(parse(text)[0])) for node in vote_outline(plain).expected], (
        "nobody asked"
    )


def test_where_cards_don_t_add_up_the_tree_says_so():
    """Caesar played a 5 that he can't have had; Cleopatra, who never saw his hand, can still tell."""
    text = (
        '[Rules "2024"]\n[Setup "position"]\n[Result "*"]\n\n0R 4Q 3Q h(1234vv)\n0E 3Q h(12345x)\n'
        "6E (2)A =o +1\n6R 5A =Q43:3>R +1\n   % R stands R203: nobody minded\n*\n"
    )
    for view, titles in (("caesar", ["no odds"]), ("arbiter", [])):
        told, _ = first_vote(text, view)
        (tree,) = trees(told)
        assert [node.title for _, results in vote_outline(tree).expected for node in results] == titles
        for made in (graph(tree), mermaid(tree), "\n".join(outline(tree))):
            assert ("the cards don" in made) == (view == "caesar")


def test_the_tree_has_a_way_for_each_result_of_other_cards():
    told, _ = first_vote(OPENING)
    (tree,) = trees(told)
    lines = outline(tree)
    assert any(
        "Caesar could expect: ▲ Rome 24 % (▲5 : ▼2 to 4), ▼ Egypt 60 % (▲5 : ▼6 to 10)" in line for line in lines
    )
    drawn = graph(tree)
    assert "Before the cards were turned up" in drawn
    assert "▼ Egypt 60 % ▲5 : ▼6 to 10" in " ".join(re.sub("<[^>]+>", "", drawn).split())
    named = {name: node for name, _, node in numbered(vote_outline(tree).root)}
    assert [name for name in named if f"\t{name} [" in drawn] == [name for name in named if named[name].taken]
    assert not [name for name in named if not named[name].taken and f"> {name}" in drawn]
    assert all(node.share in drawn for node in named.values()), "no chance is torn apart"
    (note,) = [line for line in mermaid(tree).splitlines() if line.strip().startswith("notes[")]
    assert "▼ Egypt 60 #37;" in note
    assert mermaid(tree).count("60 #37;") == 1


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/annotated.tiro")), ids=lambda path: path.parent.name)
def test_the_data_keep_to_their_schemas(path: Path):
    (game,) = parse(path.read_text(encoding="utf-8"))
    told = with_odds(timeline(game), game)
    data = json.loads(json.dumps(timeline_data(told)))
    Draft202012Validator(closed_schema("timeline")).validate(data)
    odds = [each for turn in data["turns"] for event in turn["events"] for each in event["odds"]]
    assert odds
    assert all(sum(map(Fraction, each["wins"].values())) == 1 for each in odds)
    votes = votes_data(trees(told), told.edition.name, told.view)
    Draft202012Validator(closed_schema("votes")).validate(json.loads(json.dumps(votes)))


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_odds_need_no_more_than_the_log(name: str):
    """From the whole record and from what somebody wrote who saw less, they are the same."""
    for seed in range(2, scaled(3, 40)):
        (whole,) = parse(write(simulate(load_edition(name), seed)))
        for view in ("caesar", "cleopatra", "table"):
            (log,) = parse(write(tironian.view(whole, view).record))
            one, two = (with_odds(timeline(game, view), game) for game in (whole, log))
            assert [event.odds for entry in one.entries for event in entry.events] == [
                event.odds for entry in two.entries for event in entry.events
            ]


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1, 1000), "under 1 %"),
        (Fraction(1, 3), "33 %"),
        (Fraction(999, 1000), "over 99 %"),
    ],
)
def test_what_is_possible_is_never_nothing(odds: Fraction, words: str):
    assert percent(odds) == words
    assert percent(Fraction(1)) == "100 %"


# ----------------------------------------------------------------------------------- what can be told at a moment


def test_before_the_first_turn_a_spectator_knows_which_cards_there_are():
    (game,) = parse(OPENING)
    seen = odds(game, "table", "0R")
    assert seen is not None
    assert [odds for _, _, odds in seen.hidden] == [(0, *[Fraction(1, 5)] * 5)] * 10
    assert seen.hands == ((0, 1, 1, 1, 1, 1),) * 2
    assert seen.outlook.next_cards[0] == (Fraction(2, 27), *[Fraction(5, 27)] * 5)


def test_a_player_knows_his_own_cards_and_what_is_left_of_the_other_ones():
    """After the first vote two of Egypt's five set-up cards are known to lie among two: no more can be told of them."""
    (game,) = parse(OPENING)
    seen = odds(game, "caesar", "1E")
    assert seen is not None
    mine = [odds for side, _, odds in seen.hidden if side == 0]
    assert [odds.index(1) for odds in mine] == [3, 2, 1, 4]
    # Egypt showed 2 and 1, one from the set-up and one from the hand: each of the four others is 1 or 2 half as often.
    theirs = [odds for side, _, odds in seen.hidden if side == 1]
    assert theirs == [(0, Fraction(1, 8), Fraction(1, 8), *[Fraction(1, 4)] * 3)] * 4


def test_show_says_it(tmp_path: Path):
    file = tmp_path / "game.tiro"
    file.write_text(OPENING, encoding="utf-8")
    done = CliRunner().invoke(main, ["show", str(file), "--as", "caesar", "--odds"])
    assert done.exit_code == 0
    assert "Cleopatra, the first card face down at the Praetors: 5 25 %, 4 25 %, 3 25 %, 2 12 %, 1 12 %" in done.stdout
    assert "Caesar's next influence card: 5 19 %" in done.stdout
    again = CliRunner().invoke(main, ["show", str(file), "--odds"])
    assert again.exit_code == 2
    assert "--as" in again.stderr


def test_what_the_writer_did_not_see_can_t_be_told_for_who_did(tmp_path: Path):
    (game,) = parse(OPENING)
    file = tmp_path / "log.tiro"
    file.write_text(write(tironian.view(game, "caesar").record), encoding="utf-8")
    done = CliRunner().invoke(main, ["show", str(file), "--as", "cleopatra", "--odds"])
    assert done.exit_code == 2
    assert "did not see" in done.stderr
    assert "Traceback" not in done.stderr


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6).filter(any))
def test_equal_chances_look_equal(counts: list[int]):
    parts = [Fraction(count, sum(counts)) for count in counts]
    said = dict(zip(parts, percents(parts), strict=True))
    assert percents(parts) == [said[part] for part in parts]
    for words, part in zip(percents(parts), parts, strict=True):
        assert (words == "0 %") == (part == 0)
        assert (words == "100 %") == (part == 1)
