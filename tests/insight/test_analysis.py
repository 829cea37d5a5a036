"""A game judged: ledgers that add up, nothing that a player could not know, the same report every time."""

from __future__ import annotations

import gc
import json
import tracemalloc
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from duels import RULES
from scale import FULL, scaled
from schema_parts import closed_schema
from tironian import Record, Report, SideReport, analyse, load_edition, parse, simulate, view, write
from tironian import tokens as t
from tironian.notation.reader import as_game
from tironian.replay.rules.core import TARGET
from tironian.tools.cli.command_line import main
from tironian.tools.insight.analysis import Luck, account_of, logs_of
from tironian.tools.insight.analysis_json import as_kept, report_data
from tironian.tools.insight.analysis_page import analysis_page
from tironian.tools.insight.analysis_text import annotated, contrast_words, text
from tironian.tools.insight.judgement import EFFORTS, MARKED, Judge, is_hiding, mark_of
from tironian.tools.insight.net import load
from tironian.tools.insight.players import games

EXAMPLES = Path(__file__).parents[2] / "examples"
VIEWS = ("caesar", "cleopatra")


@cache
def played(rules: str, count: int) -> list[Record]:
    """Games of the net against itself, and of the random players."""
    edition = load_edition(rules)
    own = [record for record, _ in games(edition, range(900, 900 + count), load(rules))]
    return own + [simulate(edition, seed) for seed in range(count)]


@cache
def judged(rules: str) -> list[tuple[Record, Report]]:
    """Games, and what the net alone says of them."""
    return [(record, analyse(record, level="quick")) for record in played(rules, scaled(1, 250))]


def judged_sides(rules: str) -> list[SideReport]:
    return [side for _, report in judged(rules) for side in sides(report)]


def cut(record: Record) -> Record:
    """Return the beginning of a game; all of it in the full run."""
    return record if FULL else replace(record, turns=tuple(record.turns)[:5], result=None)


def sides(report: Report) -> list[SideReport]:
    return [side for side in report.sides if side is not None]


def test_no_memory_is_kept_of_games_that_were_judged():
    """Thirty kilobytes of each were, where the compiled build did not give arrays back."""
    record = played("2024", 1)[0]
    record = replace(record, turns=tuple(record.turns)[:5], result=None)
    held = []
    analyse(record, level="quick")  # fills tables
    tracemalloc.start()
    try:
        for _ in range(3):
            analyse(record, level="quick")
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert held[-1] - held[0] < 20_000


@pytest.mark.parametrize("rules", RULES)
def test_every_ledger_adds_up_to_the_result(rules: str):
    for _, report in judged(rules):
        for side in sides(report):
            ledger = side.ledger
            assert abs(ledger.start + sum(ledger.parts) - ledger.end) < 1e-9
            assert all(0 <= point.win <= 1 for point in side.curve)
            if ledger.complete:
                assert ledger.end in (0, 0.5, 1)
        if report.sides[0] and report.sides[1] and report.sides[0].ledger.complete:
            assert sum(side.ledger.end for side in sides(report)) == 1


@pytest.mark.parametrize("rules", RULES)
def test_a_vote_is_luck_against_all_that_could_have_come(rules: str):
    for side in judged_sides(rules):
        votes = [(before.win, after) for before, after in pairwise(side.curve) if after.cause == "busts"]
        assert any(after.others for _, after in votes)
        for mean, after in votes:
            wins = [after.win, *[win for _, win in after.others]]
            assert min(wins) - 1e-9 < mean < max(wins) + 1e-9
        assert all(not point.others for point in side.curve if point.cause != "busts")


@pytest.mark.parametrize("rules", RULES)
def test_chances_are_certain_only_at_the_end(rules: str):
    for side in judged_sides(rules):
        wins = [point.win for point in side.curve]
        certain = next((place for place, win in enumerate(wins) if win in (0, 1)), len(wins))
        assert len(set(wins[certain:])) <= 1


@pytest.mark.parametrize("seed", [4, 10, 43])
def test_a_mission_that_decides_is_shown_at_the_end(seed: int):
    report = analyse(simulate(load_edition("2024"), seed), level="quick")
    told = {point.cause: point.win for side in sides(report) for point in side.curve[-2:]}
    assert told["reveals"] in (0, 0.5, 1)
    assert any(0 < side.curve[-2].win < 1 for side in sides(report))


def test_luck_is_told_beside_what_it_could_have_been():
    log = view(played("2024", 1)[0], "caesar").record
    event = Luck(3, 0, "busts", -0.08, (("C", 0.02), ("A", -0.05), ("=r", 0.07)))
    assert contrast_words(event) == ", no vote would have been +7"
    assert contrast_words(event._replace(change=0.08)) == ", the Aediles would have been −5"
    assert contrast_words(Luck(3, 0, "draws", 0.1)) == ""
    side = sides(analyse(log, level="quick"))[0]
    told = sides(as_kept(analyse(log, level="quick")))[0]
    assert [[came for came, _ in point.others] for point in told.curve] == [
        [came for came, _ in point.others] for point in side.curve
    ]


@pytest.mark.parametrize("level", ["quick", "default"])
def test_own_play_is_what_the_decisions_cost(level: str):
    for side in sides(analyse(cut(played("taylor", 1)[0]), level=level)):
        assert side.ledger["play"] == pytest.approx(-sum(judged.loss for judged in side.decisions))


@pytest.mark.parametrize("rules", RULES if FULL else ["2024", "fr"])
def test_a_players_own_log_gives_the_same_report(rules: str):
    for record, whole in judged(rules):
        for side, viewpoint in enumerate(VIEWS):
            alone = analyse(view(record, viewpoint).record, level="quick")
            assert alone.sides[1 - side] is None
            assert alone.sides[side] == whole.sides[side]


@pytest.mark.parametrize("rules", RULES if FULL else ["2024"])
def test_a_spectators_record_is_judged_for_nobody(rules: str):
    report = analyse(view(played(rules, 1)[0], "table").record, level="quick")
    assert report.sides == (None, None)
    assert "Nothing can be judged" in "\n".join(text(report))


def test_a_side_whose_opponent_can_not_have_had_his_cards_is_not_judged():
    """There are no fourteen cards of value 5: nobody can tell what Caesar held."""
    lines = ['[Rules "2024"]', "0R (2)P (3)Q (4)A (5)K (1)C " + "(5)P " * 13 + "m(each,K) +v"]
    lines += ["0E (2)P (3)Q (4)A (5)K (1)C m(A,P*) +v", "1E (1)P 3P +25", "*"]
    report = analyse(parse("\n".join(lines))[0], level="quick")
    assert [side is None for side in report.sides] == [False, True]
    said = "Cleopatra can't be judged: no turn can be followed with the cards of the set-up."
    assert said in text(report)
    assert said in analysis_page(report).replace("&#39;", "'")


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_processes():
    record = cut(parse((EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8"))[0].record)
    one, two = (json.dumps(report_data(analyse(record, level="default", seed=3, jobs=jobs))) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize("rules", RULES if FULL else ["fr"])
def test_no_best_move_and_no_forced_one_is_marked(rules: str):
    for record in map(cut, played(rules, scaled(1, 10))):
        for side in sides(analyse(record)):
            for judged in side.decisions:
                assert not (judged.mark and (judged.is_forced or judged.played == judged.best))
                assert not judged.mark or (judged.level == 2 and judged.worlds >= MARKED)
                assert 0 <= judged.before <= 1
                assert judged.mark in ("", "?!") or not judged.hiding


def test_marks():
    """The loss from which a mark is given, and how certain it must be."""
    assert [mark_of(0.16, 0.01, hiding) for hiding in (False, True)] == [("??", True), ("?!", True)]
    doubtful = ((0.16, 0.05), (0.12, 0.02), (0.06, 0.01), (0.06, 0.05))
    assert [mark_of(*each, False)[0] for each in doubtful] == ["?", "?", "?!", ""]
    assert mark_of(0.0, 0.0, False) == ("", True)


def test_what_only_hides_other_cards():
    assert is_hiding(t.Place(3, 2, True), t.Place(5, 2, True))
    assert is_hiding(t.Place(3, 2, True), t.Place(3, 2, False))
    assert not is_hiding(t.Place(3, 2, True), t.Place(3, 1, True))
    assert not is_hiding(t.Place(3, 2, False), t.Place(5, 2, False))
    assert not is_hiding(t.Place(3, 2, True), t.Place(5, 2, False))


def test_the_curve_ends_with_the_result_whatever_the_player_never_saw():
    """In this game the loser never sees the mission that beats her: to her eyes the last vote has won it."""
    (game,) = parse((EXAMPLES / "fr" / "annotated.tiro").read_text(encoding="utf-8"))
    rome, egypt = sides(analyse(game, level="quick"))
    assert rome.curve[-1].win == rome.ledger.end == 1
    assert egypt.curve[-1].win == egypt.ledger.end == 0


def test_nothing_is_said_of_a_turn_about_which_an_arbiter_ruled():
    (game,) = parse((EXAMPLES / "2024" / "annotated.tiro").read_text(encoding="utf-8"))
    rome, _ = sides(analyse(game, level="quick"))
    (ruled,) = [place for place, turn in enumerate(game.record.turns) if turn.label == "12R"]
    assert ruled not in {each.turn for each in rome.decisions}
    assert ruled in {point.turn for point in rome.curve}


def test_a_game_that_breaks_off_is_judged_as_far_as_it_goes():
    record = parse((EXAMPLES / "broken" / "card-not-in-hand.tiro").read_text(encoding="utf-8"))[0]
    (side, *_) = sides(analyse(record, level="quick"))
    assert not side.ledger.complete


def test_what_a_spy_takes_is_judged_by_the_net_alone():
    """The worlds that are dealt know nothing of the hand that it has seen."""
    found = 0
    for record in played("1997", 3):
        for side in (0, 1):
            account = account_of(logs_of(as_game(record))[1][side], side, 0)
            assert account is not None
            account.choices = [each for each in account.choices if each.kind == TARGET and each.end - each.first > 1]
            for each in account.choices:
                account.values[each.played] = 0.0  # as if each had been a blunder
            for judged in Judge(account, 0).all(EFFORTS["default"]):
                found += 1
                assert (judged.level, judged.mark) == (0, "")
        if found and not FULL:
            return
    assert found


def test_an_annotated_record_is_the_same_game_with_more_words():
    (game,) = parse((EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8"))
    record, report = game.record, analyse(game, level="quick")
    places = [
        next(
            at
            for at, each in enumerate(side.decisions)
            if record.turns[each.turn].side == side.side and each.options > 1
        )
        for side in sides(report)
    ]

    def marked(side: SideReport, at: int, mark: str) -> SideReport:
        decisions = [*side.decisions]
        decisions[at] = decisions[at]._replace(mark=mark, loss=0.2)
        return side._replace(decisions=tuple(decisions))

    rome, egypt = (marked(*each) for each in zip(sides(report), places, ("??", "?"), strict=True))
    turns = [record.turns[side.decisions[at].turn].label for side, at in zip((rome, egypt), places, strict=True)]
    own = replace(next(turn for turn in record.turns if turn.label == turns[1]), marks=("!!",))
    signed = replace(
        record,
        headers=(*record.headers, ("Signed", "Caesar"), ("Checksum", "0123456789abcdef")),
        turns=tuple(own if turn.label == turns[1] else turn for turn in record.turns),
    )
    (again,) = parse(write(annotated(signed, report._replace(sides=(rome, egypt)))))
    assert not again.problems
    assert again.record.headers == record.headers
    assert [turn.tokens for turn in again.record.turns] == [turn.tokens for turn in record.turns]
    told = {turn.label: turn for turn in again.record.turns}
    assert told[turns[0]].marks[-1] == "??"
    assert told[turns[1]].marks == ("!!",)
    for label in turns:
        assert "cost 20 points; better: " in str(told[label].after[0])


# ------------------------------------------------------------------------------------------------------ the command


def run(*words: str, stdin: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["analyse", *words], input=stdin)
    return result.exit_code, result.output


GAME = str(EXAMPLES / "2024" / "tie-break.tiro")


def test_the_json_is_valid():
    code, output = run(GAME, "--format", "json", "--level", "quick")
    assert code == 0
    data = json.loads(output)
    jsonschema.Draft202012Validator(closed_schema("analysis")).validate(data)
    assert [side["side"] for side in data["sides"]] == ["R", "E"]


def test_the_record_with_its_marks():
    code, output = run(GAME, "--format", "tiro", "--level", "quick")
    assert code == 0
    assert output == write(parse(Path(GAME).read_text(encoding="utf-8"))[0].record)  # which marks nothing


def test_one_side_as_text_and_as_a_table():
    code, output = run(GAME, "--as", "caesar", "--level", "quick")
    assert code == 0
    assert "\n\nCaesar (" in output
    assert "Cleopatra (" not in output
    code, table = run(GAME, "--as", "caesar", "--level", "quick", "--format", "csv")
    assert code == 0
    assert table.startswith("side,turn,token,kind,options,played,best,")
    assert {line[0] for line in table.splitlines()[1:]} == {"R"}


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ([GAME, "--as", "table"], "only players can be judged"),
        ([GAME, "--only", "!!"], "is not a mark"),
        ([str(EXAMPLES / "none.tiro")], "none.tiro"),
        ([GAME, "--level", "wise"], "wise"),
    ],
)
def test_what_can_not_be_done_is_said_in_a_sentence(words: list[str], answer: str):
    code, output = run(*words)
    assert code == 2
    assert answer in output
    assert "Traceback" not in output


def test_a_game_without_a_rule_set():
    code, output = run("-", "--level", "quick", stdin="1E (3)A 5Q\n")
    assert code in (1, 2)
    assert "Traceback" not in output


def test_the_record_is_read_back_from_text():
    """What the net plays is written and read as any record is."""
    record, report = judged("2024")[0]
    assert analyse(parse(write(record))[0], level="quick").sides == report.sides
