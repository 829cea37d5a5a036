"""``tiro merge``: logs of one game, by hand: what two words come to, what is joined, what is told, and how it ends."""

from __future__ import annotations

import json
import os
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian import Merged, check, merge, parse, to_json, write
from tironian.tools.cli.command_line import main
from tironian.tools.merge.joined_turns import join

SHEETS = Path(__file__).parents[2] / "examples" / "scoresheets" / "thursday"
HEAD = """[Rules "2024"]
[Event "Thursday table"]
[Site "Trier"]
[Date "2026.03.12"]
[Round "{round}"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]
[View "{view}"]
"""
ROME = """0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
1E (i)A 5Q +ia
1R (4)A 2P =A43:53>E +1s
2E (i)C 1Q =o +ii
*
"""
EGYPT = """0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q +3x
1R (i)A 2P =A43:53>E +ia
2E (4)C 1Q =o +51
*
"""
TURNS = """1E (3)A 5Q +3x
1R (4)A 2P =A43:53>E +1s
2E (4)C 1Q =o +51
*
"""


def log(view: str, text: str, *headers: str, round_: str = "1") -> str:
    return "\n".join([HEAD.format(view=view, round=round_) + "".join(f"{each}\n" for each in headers), text])


def joined(*texts: str) -> Merged:
    return merge([parse(text, f"{number}.tiro")[0] for number, text in enumerate(texts, 1)])


def both(rome: str = ROME, egypt: str = EGYPT) -> Merged:
    return joined(log("caesar", rome), log("cleopatra", egypt))


def turns(merged: Merged) -> str:
    """The joined record without headers and set-up."""
    return "1E" + write(merged.record).partition("\n1E")[2]


def codes(merged: Merged) -> list[str]:
    return [each.code for each in merged.diagnostics]


# ----------------------------------------------------------------------------------------------------- words


def word(text: str):
    (game,) = parse(f"1E {text}\n")
    return game.record.turns[0].tokens[0]


@pytest.mark.parametrize(
    ("one", "two", "known"),
    [
        ("(3)A", "(i)A", "(3)A"),
        ("+i", "+4", "+4"),
        ("+ix", "+4a", "+4x"),
        ("+ai", "+4x", "+4x"),
        ("+3ii", "+i4i", "+34i"),
        ("cA(ii)Q(i)", "cA(53)Q(1)", "cA(53)Q(1)"),
        ("cAQ", "cA(53)Q(1)", "cA(53)Q(1)"),
        ("sA", "sA(52)", "sA(52)"),
        ("sA(5i)", "sA(52)", "sA(52)"),
        ("y[3345x]4+i", "y4+2", "y[3345x]4+2"),
        ("y[x5433]4", "y[3345x]4", "y[x5433]4"),
        ("y", "y4", "y4"),
        ("v", "v+3", "v+3"),
        ("v+i", "v+3", "v+3"),
        ("x(i)P", "x(2)P#2", "x(2)P#2"),
        ("xP", "x(2)P", "x(2)P"),
        ("=A>R", "=A433:52", "=A433:52>R"),
        ("*A43i:52>-", "*A433:52", "*A433:52>-"),
        ("mE?", "mE2", "mE2"),
        ("m(?,?)", "m(12,A*)", "m(12,A*)"),
        ("m(?,A*)", "m(12,?)", "m(12,A*)"),
        ("a(aavw)", "a(cvaw)", "a(cvvw)"),
        ("h(ii3a)", "h(345v)", "h(345v)"),
        ("-34", "-43", "-34"),
        ("cA(ii)Q(i)", "cQ(1)A(53)", "cA(53)Q(1)"),
        ("cA(53)Q(1)", "cQ(i)A(ii)", "cA(53)Q(1)"),
        ("cAQ", "cQ(1)A(53)", "cA(53)Q(1)"),
        ("cAQ", "cQA", "cAQ"),
        ("g(AAQ)", "g(QAA)", "g(AAQ)"),
        ("b(APor)", "b(PAor)", "b(APor)"),
    ],
)
def test_a_word_says_what_any_log_knows(one: str, two: str, known: str):
    assert join(word(one), word(two)) == (word(known), True, True)
    there = join(word(two), word(one))
    assert there.agree
    assert len(repr(there.token)) == len(repr(word(known)))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("(3)A", "(4)A"),
        ("(3)A", "3A"),
        ("(3)A", "(3)P"),
        ("=A>R", "=A>E"),
        ("=A43:5>R", "=A42:5>R"),
        ("=A43:5>R", "=A433:5>R"),
        ("=o", "=r"),
        ("=o", "=A43:5>R"),
        ("+3", "+4"),
        ("+3", "+x"),
        ("+33", "+3"),
        ("+3i", "+xi"),
        ("cA(53)Q(1)", "cA(35)Q(1)"),
        ("sA()", "sA(5)"),
        ("y4+1", "y4+2"),
        ("v+1", "v+2"),
        ("mE1", "mE2"),
        ("m(A,P)", "m(A,Q)"),
        ("h(34)", "h(35)"),
        ("x4P", "x(4)P"),
        ("wA", "sA"),
        ("cA(5)Q(1)", "cQ(5)A(1)"),
        ("g(AAQ)", "g(QQA)"),
        ("b(APor)", "b(APoor)"),
    ],
)
def test_words_contradict_each_other(one: str, two: str):
    for first, second in ((one, two), (two, one)):
        found = join(word(first), word(second))
        assert not found.agree
        assert found.token == word(first)


# ----------------------------------------------------------------------------------------------------- turns


def test_both_logs_are_the_game():
    found = both()
    assert turns(found) == TURNS
    assert not found.diagnostics
    assert found.record.header("View") == ""
    assert found.is_sound


def test_one_player_and_a_spectator_are_that_player():
    table = EGYPT.replace("(3)P (1)Q (5)A (2)K (4)C m(each,Q)", "(i)P (i)Q (i)A (i)K (i)C m(?,?)")
    table = table.replace("(3)A", "(i)A").replace("+3x", "+ia").replace("(4)C", "(i)C").replace("+51", "+ii")
    found = joined(log("table", table), log("caesar", ROME))
    assert found.record.header("View") == "caesar"
    assert write(found.record) == log("caesar", ROME)


def test_a_contradiction_shows_both_places_and_believes_the_owner():
    found = both(egypt=EGYPT.replace("2P =A", "3P =A"))
    (told,) = found.diagnostics
    assert (told.code, told.turn, told.severity) == ("M101", "1R", "error")
    assert told.source.name == "1.tiro"
    assert told.source.text(told.span.line)[told.span.start : told.span.end] == "2P"
    (label,) = told.labels
    assert label.source is not None
    assert label.source.name == "2.tiro"
    assert label.source.text(label.span.line)[label.span.start : label.span.end] == "3P"
    assert "1R (4)A 2P {Cleopatra's log: 3P} =A43:53>E +1s\n" in turns(found)
    swapped = joined(log("cleopatra", EGYPT.replace("2P =A", "3P =A")), log("caesar", ROME))
    assert turns(swapped) == turns(found)
    assert not found.is_sound


def test_most_logs_outvote_one():
    found = joined(*(log("arbiter", text) for text in (EGYPT.replace(":53>E", ":53>R"), EGYPT, EGYPT)))
    assert "=A43:53>E {log 1: =A43:53>R}" in turns(found)
    assert codes(found) == ["M101"]


LINE = "1R (i)A 2P =A43:53>E +ia\n"
SLIPS = {
    "a forgotten turn": ((), (LINE, ""), "Cleopatra's log has no turn 1R: taken from Caesar's log", TURNS),
    "a log that breaks off": (
        (),
        (EGYPT[EGYPT.index("1R") :], ""),
        "Cleopatra's log has no turns 1R to 2E: taken from Caesar's log",
        "2E (i)C 1Q =o +ii\n*",
    ),
    "a turn written twice": (
        (),
        (LINE, LINE + LINE),
        "M205",
        TURNS.replace("+1s\n", "+1s\n   ; Cleopatra's log: 1R (i)A 2P =A43:53>E +ia\n"),
    ),
    "a word too much, which is kept beside": (
        (),
        ("2P =A", "2P 2P =A"),
        "M202",
        "1R (4)A 2P {Cleopatra's log: 2P} =A43:53>E +1s\n",
    ),
    "a forgotten word": ((), (" 2P =A", " =A"), "M202", TURNS),
    "a number that the rules don't allow": (
        ("2E (i)C", "3E (i)C"),
        (),
        "Caesar's log has 3E where Cleopatra's log has 2E: numbered 2E, as the rules require",
        TURNS,
    ),
    "what a log could have said": (
        ("+1s", "+1s @0:59:10"),
        ("=A43:53>E", "=A"),
        "Cleopatra's log leaves out 1 thing in its words and 1 clock that its writer could see: "
        "taken from the other logs",
        "=A43:53>E +1s @0:59:10\n",
    ),
    "two comments at the end of a line": (
        ("+1s", "+1s ; well"),
        (">E +ia", ">E +ia ; ill"),
        "",
        "+1s ; Caesar's log: well\n   ; Cleopatra's log: ill\n",
    ),
}


@pytest.mark.parametrize("case", SLIPS)
def test_slips_of_one_log(case: str):
    rome, egypt, said, part = SLIPS[case]
    found = both(ROME.replace(*rome) if rome else ROME, EGYPT.replace(*egypt) if egypt else EGYPT)
    assert said in [*[text for each in found.diagnostics for text in (each.code, each.message)], ""]
    assert len(found.diagnostics) == bool(said)
    assert turns(found) == part if part.startswith("1E") else part in turns(found)


@pytest.mark.parametrize("rome_is_wrong", [True, False])
def test_the_order_is_the_one_that_the_rules_allow(rome_is_wrong: bool):
    texts = [(ROME, "+1s =A43:53>E", "=A43:53>E +1s"), (EGYPT, "+ia =A43:53>E", "=A43:53>E +ia")]
    rome, egypt = (text.replace(right, wrong) for text, wrong, right in texts)
    found = both(rome, EGYPT) if rome_is_wrong else both(ROME, egypt)
    assert turns(found) == TURNS
    (told,) = found.diagnostics
    assert told.code == "M203"
    assert told.message.endswith(", which the rules allow")


def test_numbers_are_those_of_the_rules():
    found = both(ROME.replace("2E (i)C", "3E (i)C"))
    assert turns(found) == TURNS
    (told,) = found.diagnostics
    assert told.message == "Caesar's log has 3E where Cleopatra's log has 2E: numbered 2E, as the rules require"


# ------------------------------------------------------------------------------------------- what people said


def test_comments_are_kept_once_and_say_whose_they_are():
    rome = ROME.replace("+1s", "+1s ! ; well").replace("2P =A", "2P {at last} =A")
    egypt = EGYPT.replace("2P =A", "2P {at last} =A").replace(">E +ia\n", ">E +ia ?\n   ; why?\n   | 1R pA 2P\n")
    assert turns(both(rome, egypt)).splitlines()[1:-2] == [
        "1R (4)A 2P {at last} =A43:53>E +1s ! ; Caesar's log: well",
        "   ; Cleopatra's log: ?",
        "   ; Cleopatra's log: why?",
        "   | 1R pA 2P ; Cleopatra's log",
    ]


def test_a_ruling_counts_once():
    ruling = "\n   % R penalty 1 R503"
    found = both(ROME.replace("+1s", f"+1s{ruling}: one short"), EGYPT.replace(">E +ia", f">E +ia{ruling}: slow"))
    assert write(found.record).count("%") == 1
    assert "slow" in write(found.record)
    assert "M101" not in codes(found)
    other = both(ROME.replace("+1s", f"+1s{ruling}"), EGYPT.replace(">E +ia", ">E +ia\n   % R stands"))
    assert codes(other) == ["M101"]
    assert write(other.record).count("%") == 2


def test_headers_and_results_that_differ():
    rome, egypt = log("caesar", ROME[:-2] + "12-3 ; signed\n"), log("cleopatra", EGYPT[:-2] + "12-4\n")
    egypt = egypt.replace('"Trier"', '"Essen"').replace('"2026.03.12"', '"2026.??.??"')
    found = joined(rome, egypt)
    assert codes(found) == ["M206", "M101"]
    text = write(found.record)
    assert '[Site "Trier"]' in text
    assert '; Cleopatra\'s log: [Site "Essen"]\n' in text
    assert '[Date "2026.03.12"]' in text
    assert text.endswith("12-3 ; Caesar's log: signed\n; Cleopatra's log: 12-4\n")


def test_what_can_not_be_read_is_kept():
    found = both(ROME.replace("1Q =o", "zz =o"), EGYPT.replace("*\n", "scribble\n*\n"))
    assert codes(found) == ["N105", "N112"]
    assert "2E (4)C 1Q {Caesar's log: zz} =o +51\n   ; Cleopatra's log: scribble\n" in turns(found)
    assert not found.is_sound


# -------------------------------------------------------------------------------------------- in other words


def complaints(merged: Merged) -> list[str]:
    return [each.code for each in (*merged.diagnostics, *merged.verdict.diagnostics) if each.severity != "note"]


@pytest.mark.parametrize(
    ("rome", "egypt"),
    [
        (("+1s", "+1 +s"), ("+ia", "+ia")),
        (("+1s", "+1 +s"), ("+ia", "+ai")),
        (("+1s", "+1s"), (">E +ia", ">E +i {slowly} +a")),
        (("m(12,A)", "m(12,A)"), ("m(?,?)", "m(?) m(?)")),
        (("m(12,A)", "m(12) m(A)"), ("m(?,?)", "m(?,?)")),
    ],
)
def test_cards_in_one_word_or_in_two(rome: tuple[str, str], egypt: tuple[str, str]):
    found = joined(log("caesar", ROME.replace(*rome)), log("cleopatra", EGYPT.replace(*egypt, 1)))
    assert not complaints(found), found.diagnostics
    plain = joined(log("caesar", ROME), log("cleopatra", EGYPT))
    assert write(found.record).replace(" {Cleopatra's log: slowly}", "") == write(plain.record)


def test_a_word_that_was_forgotten_is_still_complaints():
    found = joined(log("caesar", ROME.replace("+1s", "+1 +s")), log("cleopatra", EGYPT.replace(">E +ia", ">E +i")))
    (missing,) = found.diagnostics
    assert missing.code == "M202"
    assert missing.source.text(missing.span.line)[missing.span.start : missing.span.end] == "+s"


def test_a_contradiction_behind_cards_in_two_words_has_its_place():
    found = joined(
        log("caesar", ROME.replace("=o +ii", "+i +i =o")), log("cleopatra", EGYPT.replace("=o +51", "+51 =r"))
    )
    (against,) = [each for each in found.diagnostics if each.code == "M101"]
    assert against.source.text(against.span.line)[against.span.start : against.span.end] in ("=o", "=r")


POSITION = """0R d(55) h(iiiixx) g(A) b(PQKCor)
0E h(1122xx) g(QAA)
7E (1)A 1Q =r +11
7R (i)A 2Q =r +ii
*
"""
SEATED = """0R d(55) h(1234xx) g(A)
0E h(iiiixx) g(AAQ) b(KCPQor)
7E (i)A 1Q =r +ii
7R (1)A 2Q =r +33
*
"""


def test_the_bag_of_a_position_may_stand_in_either_line():
    found = joined(log("cleopatra", POSITION, '[Setup "position"]'), log("caesar", SEATED, '[Setup "position"]'))
    assert not found.diagnostics
    assert not complaints(found)
    assert write(found.record).count("b(") == 1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_log_that_begins_as_a_position_takes_nothing_away(order: tuple[int, ...]):
    spectator = """0R (i)P (i)Q 2P (i)K (i)C (i)A h(iivvsi)
0E (i)P (i)Q (i)A (i)K (i)C h(iiiiva)
2E (i)C 1Q =o +ii
*
"""
    texts = [
        log("caesar", ROME),
        log("cleopatra", EGYPT),
        log("table", spectator, '[Setup "position"]', '[Starts "Cleopatra"]'),
    ]
    found = joined(*[texts[place] for place in order])
    assert not complaints(found), found.diagnostics
    text = write(found.record)
    assert "\n1R (4)A 2P =A43:53>E +1s\n2E (4)C 1Q =o +51\n" in text
    assert "; the table's log: 0R (i)P (i)Q 2P" in text
    assert '; the table\'s log: [Setup "position"]' in text
    assert '\n[Setup "position"]' not in text


def test_of_two_positions_the_earlier_one_begins():
    later = """0R 2Q (i)A d(55) h(iiiixx) g(A) b(PQKC)
0E 1Q (i)A h(iiiixx) g(QAA)
8E (i)A 1P =r +ii
*
"""
    earlier = POSITION.replace("*", "8E (1)A 1P =r +11\n*")
    for texts in ((later, earlier), (earlier, later)):
        views = ["table" if text is later else "cleopatra" for text in texts]
        found = joined(*[log(view, text, '[Setup "position"]') for view, text in zip(views, texts, strict=True)])
        assert not complaints(found), found.diagnostics
        assert '\n[Setup "position"]' in write(found.record)
        assert "\n7E (1)A 1Q =r +11\n" in write(found.record)


# -------------------------------------------------------------------------------------------------- the command


def tiro(*args: object, stdin: str | None = None):
    return CliRunner().invoke(main, ["merge", *map(str, args)], input=stdin)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.tiro").write_text(log("caesar", ROME), encoding="utf-8")
    (tmp_path / "e.tiro").write_text(log("cleopatra", EGYPT), encoding="utf-8")
    return tmp_path


def test_the_record_is_written_and_the_report_told(here: Path):
    done = tiro("r.tiro", "e.tiro", "-o", "game.tiro")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "1 game, 25 events: 1 legal\n"
    (game,) = parse((here / "game.tiro").read_text(encoding="utf-8"))
    assert check(game).verdict == "legal"
    assert tiro("r.tiro", "-", stdin=log("cleopatra", EGYPT)).stdout == (here / "game.tiro").read_text(encoding="utf-8")
    assert tiro("r.tiro", "e.tiro", "-o", "game.tiro").exit_code == 2
    assert tiro("r.tiro", "e.tiro", "-o", "r.tiro", "--force").exit_code == 2


def test_a_contradiction_ends_with_one_and_is_written(here: Path):
    (here / "e.tiro").write_text(log("cleopatra", EGYPT.replace("2P", "3P")), encoding="utf-8")
    done = tiro("r.tiro", "e.tiro")
    assert done.exit_code == 1
    assert "{Cleopatra's log: 3P}" in done.stdout
    for place in (
        "--> r.tiro:14:9 (game 1, turn 1R)",
        "::: e.tiro:14:9",
        "taken: these are Caesar's",
        "contradicts",
    ):
        assert place in done.stderr
    report = json.loads(tiro("r.tiro", "e.tiro", "--format", "json").stderr)
    Draft202012Validator(closed_schema("report")).validate(report)
    (told,) = report["games"][0]["diagnostics"]
    assert (told["file"], told["line"], told["column"]) == ("r.tiro", 14, 9)
    assert [(each["file"], each["line"], each["column"]) for each in told["labels"]] == [("e.tiro", 14, 9)]
    sarif = json.loads(tiro("r.tiro", "e.tiro", "--format", "sarif").stderr)
    (result,) = sarif["runs"][0]["results"]
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "e.tiro"


@pytest.mark.parametrize("form", ["junit", "github"])
def test_other_reports_name_the_code(here: Path, form: str):
    (here / "e.tiro").write_text(log("cleopatra", EGYPT.replace("2P", "3P")), encoding="utf-8")
    assert "M101" in tiro("r.tiro", "e.tiro", "--format", form).stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "there is no game in this text"),
        (json.dumps(to_json(parse(log("cleopatra", EGYPT))[0].record)), "this file is JSON"),
        ("\0\0", "not a text file"),
        (log("cleopatra", EGYPT).replace('"2024"', '"1997"'), "different games: r.tiro is played by the 2024"),
        (
            log("cleopatra", "1E 5K 1K +ss\n1R 3C 3C sP(1) =Q9:1\n2E wA 3Q =r\n*\n".replace("=Q9:1", "=Q5:1>R")),
            "different games: the turns of r.tiro and bad.tiro have too little in common",
        ),
    ],
)
def test_what_can_not_be_joined(here: Path, content: str, told: str):
    (here / "bad.tiro").write_text(content, encoding="utf-8")
    done = tiro("r.tiro", "bad.tiro", "-o", "game.tiro")
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (here / "game.tiro").exists()


def test_too_few_and_missing_files(here: Path):
    assert "at least two logs" in tiro("r.tiro").stderr
    assert "only once" in tiro("-", "-", stdin="").stderr
    for args in ((), ("r.tiro",), ("-", "-"), ("r.tiro", "gone.tiro")):
        assert tiro(*args, stdin="").exit_code == 2


def test_the_same_file_thrice(here: Path):
    done = tiro("r.tiro", "r.tiro", "r.tiro")
    assert (done.exit_code, done.stdout) == (0, log("caesar", ROME))


def test_several_games_are_found_by_their_headers_or_their_order(here: Path):
    first, second = (log("caesar", ROME, round_=number) for number in "12")
    (here / "r.tiro").write_text(f"{first}\n{second}", encoding="utf-8")
    (here / "e.tiro").write_text(log("cleopatra", EGYPT, round_="2"), encoding="utf-8")
    done = tiro("r.tiro", "e.tiro")
    assert done.exit_code == 0
    assert done.stderr.startswith("2 games, matched by their round and players\n")
    assert "warning[M208]: e.tiro has no such game: taken from r.tiro" in done.stderr
    views = [game.record.header("View") for game in parse(done.stdout)]
    assert views == ["caesar", ""]
    (here / "e.tiro").write_text(log("cleopatra", EGYPT, round_="?"), encoding="utf-8")
    done = tiro("r.tiro", "e.tiro")
    assert "matched by their order" in done.stderr
    assert [game.record.header("View") for game in parse(done.stdout)] == ["", "caesar"]


def test_the_scoresheets_of_the_example(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(SHEETS)
    done = tiro("caesar.tiro", "cleopatra.tiro")
    if os.environ.get("TIRO_UPDATE"):
        Path("joined.tiro").write_bytes(done.stdout_bytes)
        Path("report.txt").write_bytes(done.stderr_bytes)
    assert done.exit_code == 1
    assert done.stdout == Path("joined.tiro").read_text(encoding="utf-8")
    assert done.stderr == Path("report.txt").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------ whom to believe

POSSIBLE, IMPOSSIBLE = (EGYPT.replace("2E (4)C 1Q", f"2E (4)C {card}Q") for card in "25")


def test_of_two_versions_it_is_said_which_alone_is_possible():
    """The owner is believed all the same: a card that fits need not be the one that was played."""
    both_fit, one_fits = both(egypt=POSSIBLE), both(egypt=IMPOSSIBLE)
    taken = "taken: these are Cleopatra's cards"
    assert [told.here for told in both_fit.diagnostics] == [taken]
    assert [told.here for told in one_fits.diagnostics] == [
        f"{taken}, but the rules allow only 1Q here: --pick 2E=caesar takes it"
    ]
    assert "2E (4)C 5Q {Caesar's log: 1Q}" in write(one_fits.record)
    turned = both(rome=ROME.replace("2E (i)C 1Q", "2E (i)C 5Q"))  # here it is the owner's card that fits
    assert [told.here for told in turned.diagnostics] == [taken]


@pytest.mark.parametrize("name", ["caesar", "1"])
def test_a_version_can_be_picked(tmp_path: Path, name: str):
    for who, text in (("caesar", ROME), ("cleopatra", IMPOSSIBLE)):
        (tmp_path / who).write_text(log(who, text), encoding="utf-8")
    run = ["merge", str(tmp_path / "caesar"), str(tmp_path / "cleopatra"), "--pick"]
    done = CliRunner().invoke(main, [*run, f"2E={name}"])
    assert done.exit_code == 0, done.stderr
    assert "2E (4)C 1Q {Cleopatra's log: 5Q} =o +51" in done.stdout
    assert "M101" not in done.stderr
    assert CliRunner().invoke(main, [*run, "2E=cleopatra"]).exit_code == 1
    for pick, told in {
        "1E=caesar": "1E: there is no contradiction in such a turn",
        "9R=1": "9R: there is no contradiction",
        "2E=table": "2E: there is no contradiction in such a turn, or that log doesn't have it; nothing was written",
        "2E": "must be written as TURN=LOG",
    }.items():
        done = CliRunner().invoke(main, [*run, pick])
        assert (done.exit_code, done.stdout) == (2, "")
        assert told in done.stderr


def test_headers_and_the_result_can_be_picked():
    rome, egypt = log("caesar", ROME[:-2] + "12-3\n"), log("cleopatra", EGYPT[:-2] + "12-4\n").replace("Trier", "Essen")
    games = [parse(text, f"{number}.tiro")[0] for number, text in enumerate((rome, egypt), 1)]
    found = merge(games, picks={"site": "cleopatra", "Result": "2"})
    assert not found.diagnostics
    text = write(found.record)
    assert '[Site "Essen"]' in text
    assert '; Caesar\'s log: [Site "Trier"]' in text
    assert "12-4 ; Caesar's log: 12-3" in text
    assert [(each.name, [said.taken for said in each.said]) for each in found.disagreements] == [
        ("Site", ["", "taken: it was picked"]),
        ("Result", ["", "taken: it was picked"]),
    ]
    for pick in ("View", "Event", "Round"):
        with pytest.raises(LookupError):
            merge(games, picks={pick: "2"})


def test_a_disagreement_says_what_each_log_has_and_what_the_rules_allow():
    games = [parse(log(who, text), who)[0] for who, text in (("caesar", ROME), ("cleopatra", IMPOSSIBLE))]
    for picks, taken in (({}, ["", "taken: these are Cleopatra's cards"]), ({"2E": "1"}, ["taken: it was picked", ""])):
        (found,) = merge(games, picks=picks).disagreements
        assert found.name == "2E"
        assert [(said.who, said.number, said.allowed) for said in found.said] == [
            ("Caesar's log", 1, True),
            ("Cleopatra's log", 2, False),
        ]
        assert [said.taken for said in found.said] == taken
        lines = [(place.source, place.span) for said in found.said for place in said.places]
        assert [source.text(span.line)[span.start : span.end] for source, span in lines if source] == ["1Q", "5Q"]


def test_a_pick_is_for_a_single_game(tmp_path: Path):
    (tmp_path / "two").write_text(f"{log('caesar', ROME)}\n{log('caesar', ROME, round_='2')}", encoding="utf-8")
    done = CliRunner().invoke(main, ["merge", str(tmp_path / "two"), str(tmp_path / "two"), "--pick", "2E=1"])
    assert done.exit_code == 2
    assert "--pick is for logs of a single game" in done.stderr
