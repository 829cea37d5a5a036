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


def test_an_unknown_reason_excuses_an_early_end_and_no_wrong_points():
    (one,) = parse(GAME)
    why = f'[Termination "walkover"]\n{GAME.replace("[Termination", "[Was")}'
    assert found(why) == [("warning", "H206")]
    points = str(one.record.result and one.record.result.points[0])
    assert ("error", "C903") in found(why.replace(f"\n{points}-", "\n99-").replace(f'"{points}-', '"99-'))
    early = '[Rules "2024"]\n[Termination "went home"]\n[Result "9-0>E"]\n\n0R (1)P\n9-0>E\n'
    assert found(early) == [("warning", "H206")]
    assert check(parse(early)[0]).outcome.winner == 1


@pytest.mark.parametrize("name", sorted(OF_CARDS - {"HouseRules"}))
def test_what_says_how_the_cards_are_to_be_read_is_an_error(name: str):
    headers = "".join(f'[{each} "{value}"]\n' for each, value in (("Rules", "1997"), (name, "nonsense")))
    text = headers + HIDDEN.partition("\n")[2].replace("(1)A +", "3A +")
    assert "error" in {severity for severity, _ in found(text)}


def test_what_a_table_has_agreed_on_passes_and_hides_nothing_else():
    assert found(HIDDEN)[:2] == [("error", "R210")] * 2
    text = AGREED + HIDDEN
    agreed = [("note", "R210")] * 2
    assert found(text) == [*agreed, ("error", "R208")]
    (one,) = parse(text.replace("R210: two", "R210 R208: two"))
    verdict = check(one)
    assert (verdict.verdict, len(verdict.diagnostics)) == (registry.LEGAL, 3 + 1)
    messages = [each.message for each in verdict.diagnostics if each.severity == "note"]
    assert all(message.startswith("agreed: two hidden cards without an action (C") for message in messages)
    # A name may be left out, and a ruling on the same thing is needless.
    (nameless,) = parse(text.replace(": two hidden cards without an action", ""))
    assert any(each.message.startswith("agreed: The wrong way up (") for each in check(nameless).diagnostics)
    ruled = text.replace("2E 1C", "   % R stands R210\n2E (1)C")
    assert sorted(found(ruled)) == sorted([*agreed, ("note", "C911")])
    # What could have been played is judged by the same rules.
    assert found(text.replace("2E 1C", "   | 1R (3)P (4)C\n2E (1)C")) == agreed


@pytest.mark.parametrize(
    ("value", "told", "passes"),
    [
        ("R999: what", "there is no code R999", False),
        ("C902: what", "C902 can't be agreed on", False),
        ("R203; R210", "R203 can't be agreed on", True),
        ("two hidden cards", "“two hidden cards” is not a code with a name", False),
        (" R208,R210 : a, b ; ; ", "", True),
    ],
)
def test_a_house_rule_that_means_nothing_is_told_and_the_others_count(value: str, told: str, passes: bool):
    (one,) = parse(f'[HouseRules "{value}"]\n{HIDDEN}')
    diagnostics = check(one).diagnostics
    assert [each.message for each in diagnostics if each.code == "H215"] == [f"HouseRules: {told}"] * bool(told)
    assert ("R210", "error") in {(each.code, each.severity) for each in diagnostics} or passes


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
    notes = [note.text for entry in timeline(one).entries for note in entry.annotations if note.kind == "irregularity"]
    assert [note.endswith("agreed: two hidden cards without an action") for note in notes] == [True, True]
    for who in ("table", "caesar", "cleopatra"):
        seen = view(one, who).record
        assert seen.header("HouseRules")
        assert check(seen).verdict in (registry.LEGAL, registry.POSSIBLE)
    assert merge([one.record, view(one, "caesar").record]).record.header("HouseRules")
    assert "HouseRules" in tiro("explain", "R210").stdout
    assert "HouseRules" not in tiro("explain", "R203").stdout
