"""What a review of timelines and vote trees found, each a case of its own."""

from __future__ import annotations

import csv
import io
import json

from blocks import Block, compose
from tironian import VIEWS, Game, Timeline, parse, timeline, votes
from tironian.notation.cards import EGYPT
from tironian.replay.story.vote_tree import trees
from tironian.tools.render.data import timeline_data, write_csv
from tironian.tools.render.timeline_text import markdown, text
from tironian.tools.render.vote_graph import mermaid, outline


def game(*lines: str, rules: str = "2024", position: bool = True, **options: str) -> Game:
    given = {"position": "", **options} if position else options
    whole, _ = compose(Block(given, list(lines), 1), rules)
    return parse("\n".join(whole))[0]


def everything(found: Game, view: str) -> str:
    """All that is written of a game for a point of view."""
    told = timeline(found, view)
    table = io.StringIO()
    write_csv(told, table)
    parts = [*text(told), *markdown(told), json.dumps(timeline_data(told)), table.getvalue()]
    for tree in trees(told):
        parts += [*outline(tree), mermaid(tree)]
    return "\n".join(parts)


def annotations(told: Timeline) -> list[str]:
    return [f"{entry.label} {each.kind}: {each.text}" for entry in told.entries for each in entry.annotations]


# ------------------------------------------------------------------------------------------------ what crashed


def test_records_that_crashed_are_told():
    opening = ("0R (1)P (2)Q (3)A (4)K (5)C m(A,12) +v", "0E (3)P (1)Q (5)A (2)K (4)C m(P,each) +v")
    for found in (
        game(*opening, "0E (3)A 5Q +3x", position=False),
        game(*opening, "0R (3)A 5Q +3x", "0E a(xxx)", position=False),
        game("0R 3A g(AA) h(12345x) m(each)", "0E 5A g(AA) h(1134sv) m(12)", "9E 1A =A3:51>E mR2", position=True),
        game("0R 3A g(AA) h(12345x)", "0E 5A g(AA) h(1134sv)", "9E 1A =A3:51>E mE1", position=True),
        game(f"{opening[0]} =A", opening[1], "1E (3)A +3", position=False),
        game("0R 3A h(12345x) m(each)", "0E (5)A (2)A h(1134sv) m(12)", "9R x(i)A (1)P =A3:2>R", starts="Caesar"),
    ):
        for view in VIEWS:
            assert everything(found, view)


# ------------------------------------------------------------------------------------------------ what leaked


def test_castling_undone_tells_nobody_what_lay_there_face_down():
    """The 5 lies face down at the Quaestors now, and only Cleopatra has seen it."""
    found = game("0R 4A 1Q h(12345v) m(each)", "0E (5)A (2)Q h(1134cv) m(12)", "9E cA(2)Q(5) 1P =A4:2>R +xs")
    castling = "does not play castling between the Aediles and the Quaestors"
    for view, knows in (("arbiter", True), ("cleopatra", True), ("caesar", False), ("table", False)):
        (tree,) = votes(found, view)
        assert [option.winner for option in tree.instead if option.words == castling] == [EGYPT] * knows
        assert not tree.margins


def test_a_vetoed_action_shows_what_was_announced():
    """Whoever wrote down more (R317) tells it the arbiter alone."""
    found = game(
        "0R 3A h(s1234x) m(each)", "0E (5)A (2)A h(1134vv) m(12)", "9R x(2)A v+3 1P =o", "9E 1P =o",
        "10R sA(52) v+3 1P",
        starts="Caesar",
    )  # fmt: skip
    for view in ("caesar", "table"):
        shown = everything(found, view)
        assert "sA(52)" not in shown
        assert "x(2)A" not in shown
        assert "it was a 2" not in shown
    assert "sA(52)" in everything(found, "arbiter")


def test_headers_of_the_recorder_s_own_are_withheld_as_comments_are():
    found = game("0R 3A h(111122)", "0E 5A h(111122)", '[CaesarMissions "twelve of them"]', "7E 1P =o +2")
    assert "twelve of them" in everything(found, "arbiter")
    assert "twelve of them" not in everything(found, "cleopatra")
    assert timeline(found, "cleopatra").withheld == 1


def test_comments_on_the_result_are_counted_as_withheld():
    found = game("0R 3A h(111122)", "0E 5A h(111122)", "7E 1P =o +2", "* {Rome held a 5}")
    assert timeline(found, "table").withheld == 1
    assert "Rome held a 5" not in everything(found, "table")


def test_a_spectator_s_own_words_are_shown_to_him():
    found = game("0R 3A h(111122)", "0E 5A h(111122)", "7E 1P zz9 =o +2", view="table")
    assert "zz9" in everything(found, "")


# ------------------------------------------------------------------------------------------------ what was wrong


def test_points_count_penalties_and_verdicts():
    found = game("0R 5A g(PPQ) h(111122)", "0E 2A g(QQ) h(111122)", "7E 1P =o +2", "   % R penalty 2 R203: for talking")
    told = timeline(found)
    last = told.entries[-1].state
    assert last is not None
    assert [side.points for side in told.table(last).sides] == [1, 2]
    assert "7E lead: Egypt takes the lead, 1-2" in annotations(told)


def test_a_turn_that_was_taken_back_costs_nothing():
    found = game(
        "0R 5A h(111122)", "0E 2A g(PP) h(111122)", "7E 1A 1P =o +22", "   % E back 2 R210: noticed", "7E 1A =o +2"
    )
    assert annotations(timeline(found)) == ["7E irregularity: the turn is taken back (R210)"]


def test_a_position_says_which_cards_lie_face_up():
    told = timeline(game("0R 3A 2A (4)A h(111122)", "0E 5A h(111122)", "7E 1P =o +2"))
    assert told.entries[0].words.startswith("places face down a 4 at the Aediles; places a 3 face up at the Aediles")


def test_a_special_vote_needs_its_cards():
    """Without the veto seven cards would lie there, and nobody would vote."""
    found = game("0R 5A 3A 2A 1A h(v11122)", "0E 3A 2A 1A h(x13344)", "9E 3A x5A v+3 *A5321:3321>R =o +44")
    (tree,) = trees(timeline(found))
    assert tree.special
    assert not any("without" in each for each in tree.told)


def test_what_was_not_in_the_bag_has_no_chance():
    (tree,) = trees(timeline(game("0R 4A h(111122)", "0E 5A h(111122) b(PQo)", "9E 1P =A4:5>E +2")))
    assert tree.root.children[0].chance is None
    assert sum(child.chance[0] for child in tree.root.children[1:] if child.chance) == 4


def test_a_tie_by_the_record_s_word_is_told_as_such():
    told = timeline(game("0R 4A h(111122)", "0E 5A h(111122)", "9E 1P =A4:5>- +2", "   % E stands C902: they agreed"))
    assert "9E tie: a tie at the Aediles according to the record, 4 to 5: the cards stay" in annotations(told)
    assert "a tie according to the record" in "\n".join(text(told))


def test_csv_has_what_was_not_carried_out():
    """A philosopher that the hand does not hold stops the replay; the row says so, and the rest of the turn stands."""
    told = timeline(game("0R 4A h(111122)", "0E 5A h(111122)", "9E (1)A pQ 5Q +2 ! @0:10:00"))
    table = io.StringIO()
    write_csv(told, table)
    rows = [*csv.DictReader(io.StringIO(table.getvalue()))]
    assert rows[-1]["notation"] == "9E pQ 5Q +2"
    assert rows[-1]["annotations"] == "irregularity"
    assert rows[-2]["marks"] == "! @0:10:00"


def test_mermaid_has_no_class_of_a_reserved_name():
    found = game("0R 4A h(111122)", "0E 5A h(111122)", "9E 1P =A4:5>E +2")
    chart = mermaid(trees(timeline(found))[0])
    assert ":::end" not in chart
    assert "classDef end" not in chart
