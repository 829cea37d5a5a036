"""The score sheet: what both players read before they sign."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import tironian
from rich.cells import cell_len
from scale import scaled
from syrupy.assertion import SnapshotAssertion
from tironian import EDITION_NAMES, Record, check, load_edition, parse, simulate, write
from tironian.tools.recorder.draft import Draft
from tironian.tools.recorder.score_sheet import WIDTH, score_sheet

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = """[Rules "2024"]
[Event "Spring cup"]
[Site "Trier"]
[Date "2026.03.14"]
[Round "2.1"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
"""
POSITION = '[Setup "position"]\n\n'


def record_of(lines: str, headers: str = POSITION) -> Record:
    (game,) = parse(f"{HEAD}{headers}{lines}\n")
    assert not game.problems
    return game.record


def annotated() -> Record:
    return parse((EXAMPLES / "2024" / "annotated.tiro").read_text(encoding="utf-8"))[0].record


def seen_by_caesar() -> Record:
    (game,) = parse((EXAMPLES / "2024" / "annotated.tiro").read_text(encoding="utf-8"))
    return tironian.view(game, "caesar").record


def tie_break() -> Record:
    return record_of("0R g(PPPQQQAKKC) h(1v) m(A)\n0E g(PPQQAAAAKCC) h(1v) m(P)\n13-13>E")


def in_words() -> Record:
    return record_of('0R g(PPPQQQAKKC) h(1v) m("more Censors than she has")\n0E g(PPQQAAAAKCC) h(1v) m(P)\n15-13 mR+')


def without_a_verdict() -> Record:
    return record_of('0R g(PPPQQQAKKC) h(1v) m("more Censors than she has")\n0E g(PPQQAAAAKCC) h(1v) m(P)\n13-13')


def resigned() -> Record:
    return record_of(
        "0R g(PP) h(12345v) m(P)\n0E g(Q) h(12345v) m(Q)\n6E (3)A 5Q =o +14\n0-1",
        '[Termination "resigned"]\n' + POSITION,
    )


def penalty() -> Record:
    return record_of(
        "0R h(12345v) g(PPPPPQQQAAKKKCC) m(P)\n0E h(12345v) g(QQAAA) m(Q)\n6E (3)C 5C =o +14\n"
        "6R (4)C 5C =C54:53>R\n   % R penalty 2: talked to the public\n*"
    )


def not_over() -> Record:
    return record_of("0R g(PP) h(12345v) m(P)\n0E g(Q) h(12345v) m(Q)\n6E (3)A 5Q =o +14\n*")


def wrong_points() -> Record:
    return record_of("0R g(PPPQQQAKKC) h(1v) m(A)\n0E g(PPQQAAAAKCC) h(1v) m(P)\n14-13")


def old_rules() -> Record:
    return parse(sorted((EXAMPLES / "taylor").glob("*.tiro"))[0].read_text(encoding="utf-8"))[0].record


def not_followed() -> Record:
    return parse((EXAMPLES / "broken" / "missing-turn.tiro").read_text(encoding="utf-8"))[0].record


def unknown_rules() -> Record:
    return replace(tie_break(), headers=tie_break().headers[1:])


SHEETS = (
    annotated, seen_by_caesar, tie_break, in_words, without_a_verdict, resigned, penalty, not_over, wrong_points,
    old_rules, not_followed, unknown_rules,
)  # fmt: skip


@pytest.mark.parametrize("record", SHEETS)
def test_the_sheet_as_players_read_it(record, snapshot: SnapshotAssertion):
    assert "\n".join(score_sheet(Draft(record()))) == snapshot


@pytest.mark.parametrize(
    ("headers", "result", "said"),
    [
        ("", "*>R", ["Caesar was awarded the game.", "The record itself says: *>R"]),
        ("", "*>-", ["The record itself says: *>-"]),
        ("", "*", ["The record itself says: *"]),
        (
            '[Termination "time forfeit"]\n',
            "*>E",
            ["Egypt wins on time, whatever the points are.", "The record itself says: *>E"],
        ),
    ],
)
def test_of_a_walkover_it_is_said_who_was_given_the_game(headers: str, result: str, said: list[str]):
    for rules in "2024", "house":
        (game,) = parse(f'[Rules "{rules}"]\n{headers}\n{result}\n')
        assert score_sheet(Draft(game.record))[3:] == ["Nothing was laid out, so nothing can be counted.", *said]


def test_nothing_written_yet_is_a_sheet_too():
    assert score_sheet(Draft(Record()))[0] == "Score sheet"


@pytest.mark.parametrize("name", ["\x1b[2JLivia", "リウィア" * 30, "x" * 300, "Livia " * 40, "\u202eaivil", "\udcff"])
def test_strangers_words_break_nothing(name: str):
    asked = [
        replace(
            record,
            headers=tuple((each, value if each in ("Rules", "Setup") else name) for each, value in record.headers),
        )
        for record in (annotated(), resigned())
    ]
    for record in asked:
        sheet = score_sheet(Draft(record))
        assert max(map(cell_len, sheet)) <= WIDTH
        assert all(line.isprintable() for line in sheet)
        players = sheet[sheet.index("") + 1 : next(at for at, line in enumerate(sheet) if "patricians" in line)]
        if name.isascii() and name.isprintable():
            # No letter is lost, however many lines it takes.
            assert "".join(line[13:43] for line in players).replace(" ", "") == f"Caesar:{name}".replace(" ", "")


def test_a_mission_of_many_words_stands_on_the_sheet_whole():
    words = "the most patricians of those that were voted on after the third black bust, and no Consul"
    record = record_of(f'0R g(PPPQQQAKKC) h(1v) m("{words}")\n0E g(PPQQAAAAKCC) h(1v) m(P)\n15-13 mR+')
    sheet = score_sheet(Draft(record))
    assert words in " ".join(line[13:43].strip() for line in sheet)
    assert max(map(cell_len, sheet)) <= WIDTH


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_sheet_says_what_the_check_says(name: str):
    for seed in range(scaled(5, 300)):
        record = simulate(load_edition(name), seed)
        sheet = score_sheet(Draft(record))
        assert max(map(cell_len, sheet)) <= WIDTH
        (points,) = [line.split()[1:] for line in sheet if line.startswith("Points")]
        assert record.result
        assert record.result.points == tuple(map(int, points))
        # Points of the groups, of missions, and what the sheet says in the end add up.
        rows = [re.findall(r"\d+", line) for line in sheet if line.startswith("All groups")]
        missions = [re.findall(r"\d+", line) for line in sheet if line.startswith("For missions")] or [["0", "0"]]
        assert [int(rows[0][3]) + int(missions[0][0]), int(rows[0][7]) + int(missions[0][1])] == list(map(int, points))
        counted = check(parse(write(record))[0]).score
        assert counted
        winner = re.search(r"^(\w+) wins|^A draw", sheet[-1])
        assert winner
        assert winner[1] == ("Caesar", "Cleopatra", None)[counted.winner]


@pytest.mark.parametrize("width", [53, 58, 64, 72, 75])
@pytest.mark.parametrize("record", SHEETS)
def test_a_narrow_sheet_says_the_same(record, width: int):
    wide, narrow = score_sheet(Draft(record())), score_sheet(Draft(record()), width=width)
    assert max(map(cell_len, narrow)) <= width

    def figures(lines: list[str]) -> list[list[str]]:
        return [line.split() for line in lines if re.match("All groups|Points|Pen|For", line)]

    assert figures(narrow) == figures(wide)
    assert wide[-1].split()[-1] == narrow[-1].split()[-1]


def test_a_winner_without_a_reason_stands_on_the_sheet():
    """Also where that side is ahead: the points do not say it, the record does."""
    sheet = score_sheet(Draft(record_of("0R h(12345v) g(P)\n0E h(12345v)\n8E 5P (1)A =o\n*>R")))
    assert "The record itself says: *>R" in sheet
