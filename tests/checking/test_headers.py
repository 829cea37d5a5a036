"""Headers: only those that say how the cards are to be read can make a record illegal; a table may agree on rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from archives import ROOT, tiro
from tironian import check, merge, parse, timeline, view
from tironian.notation.writer import HEADER_ORDER
from tironian.replay.diagnostics import registry
from tironian.replay.diagnostics.registry import CODES
from tironian.replay.engine.rulings import can_be_agreed
from tironian.replay.words.notes import annotation_words

GAME = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
OF_CARDS = {"Rules", "Rulings", "HouseRules", "View", "Setup", "Starts"}
HIDDEN = """[Rules "1997"]

0R (2)S (3)P (5)Q (1)C (4)A m(S)
0E (5)S (2)P (3)Q (1)C (4)A m(P)
1E (3)A (1)A +14 =P3:2>R
1R (3)P (5)C +12 =Q5:3>R
2E 1C +p =o
"""
AGREED = '[HouseRules "R210: two hidden cards without an action"]\n'


def found(text: str) -> list[tuple[str, str]]:
    (one,) = parse(text)
    return [(each.severity, each.code) for each in check(one).diagnostics if each.code != "H201"]


@pytest.mark.parametrize("name", [name for name in HEADER_ORDER if name not in OF_CARDS])
@pytest.mark.parametrize("value", ["", "?", "nonsense", "*", "(3)A", "17", "\u00fc"])
def test_a_header_that_says_nothing_about_the_cards_is_at_most_a_warning(name: str, value: str):
    (one,) = parse(GAME)
    one.record.headers = (*[header for header in one.record.headers if header[0] != name], (name, value))
    if (name, value) == ("Result", "*"):
        return  # it says that the game goes on
    assert check(one.record).verdict == registry.LEGAL
    others = f'[{name} "{value}"]\n[{name} "another"]\n{HIDDEN.replace("(1)A +", "3A +")}'
    assert {severity for severity, code in found(others) if code[0] == "H"} <= {"warning"}


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ([("Date", "2026.05.31")], [("Date", "2026.05.32")], "H204"),
        ([("Date", "2026.05.31")], [("Date", "2026.05.31" * 2)], "H204"),
        ([("Termination", "normal")], [("Termination", "luck")], "H206"),
        ([("Signed", "?")], [("Signed", "Anna")], "H210"),
        ([("Event", "Final"), ("Event", "Final")], [("Event", "Final"), ("Event", "Heat")], "H203"),
    ],
)
def test_what_is_wrong_with_headers_shows_after_a_game_in_which_it_was_right(
    right: list[tuple[str, str]], wrong: list[tuple[str, str]], code: str
):
    (one,) = parse(GAME)
    others = [header for header in one.record.headers if header[0] != right[0][0]]
    for headers, codes in ((right, []), (wrong, [code]), (right, [])):
        one.record.headers = (*others, *headers)
        assert [each.code for each in check(one.record).diagnostics] == codes


def test_no_code_that_can_be_agreed_on_stops_the_replay_or_leaves_cards_unknown():
    """These are what an arbiter can let stand with every card still known."""
    agreeable = {code for code in CODES if can_be_agreed(code)}
    assert {"R204", "R208", "R210", "R301", "R402", "R503", "R601"} <= agreeable
    assert not any(CODES[code].breaks or code[0] != "R" for code in agreeable)
    assert agreeable.isdisjoint({"R104", "R108", "R203", "R504", "R505"})
    _, _, told = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8").partition("can be agreed on, except those")
    assert (
        set(re.findall(r"R\d{3}", told.partition("\n\n")[0])) == {code for code in CODES if code[0] == "R"} - agreeable
    )


def test_house_rules_are_seen_everywhere_and_kept(tmp_path: Path):
    text = AGREED + HIDDEN.replace("2E 1C", "2E (1)C")
    path = tmp_path / "house.tiro"
    path.write_text(text, encoding="utf-8")
    for look in ("text", "json", "sarif", "junit", "github"):
        result = tiro("check", "--format", look, path)
        assert (result.exit_code, result.stdout.count("agreed: two hidden cards without an action")) == (0, 2), look
    (one,) = parse(text)
    notes = [
        annotation_words(note)
        for entry in timeline(one).entries
        for note in entry.annotations
        if note.kind == "irregularity"
    ]
    assert [note.endswith("agreed: two hidden cards without an action") for note in notes] == [True, True]
    for who in ("table", "caesar", "cleopatra"):
        seen = view(one, who).record
        assert seen.header("HouseRules")
        assert check(seen).verdict in (registry.LEGAL, registry.POSSIBLE)
    assert merge([one.record, view(one, "caesar").record]).record.header("HouseRules")
    assert "HouseRules" in tiro("explain", "R210").stdout
    assert "HouseRules" not in tiro("explain", "R203").stdout
