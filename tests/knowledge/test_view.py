"""``tiro view``: the record as a player or a spectator would have written it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tironian
from click.testing import CliRunner, Result
from tironian import VIEWS, Unseen, check, from_json, parse
from tironian.tools.cli.command_line import main

HOME = Path(__file__).parents[2] / "examples"
ANNOTATED = HOME / "2024" / "annotated.tiro"
SPECTATOR = HOME / "2024" / "seen-from-the-table.tiro"
HEADERS = '[Rules "2024"]\n[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[Caesar "A"]\n[Cleopatra "B"]\n'
POSITION = HEADERS + '[Result "*"]\n[Setup "position"]\n'
"""The head of a record from the middle of a game."""


def tiro(*args: object, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


def viewed(text: str, view: str, *options: str) -> list[str]:
    """The lines behind the headers."""
    return tiro("view", "-", "--as", view, *options, stdin=text).stdout.partition("\n\n")[2].splitlines()


def position(rome: str, egypt: str, *turns: str, headers: str = "") -> str:
    return "\n".join([POSITION + headers, f"0R {rome}", f"0E {egypt}", *turns, "*"]) + "\n"


LENT = """[Rules "2024"]
[View "caesar"]

0R (1)P (2)Q (3)A (4)K (5)C m(each,K) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
1E (i)Q 4P +iia
"""


@pytest.mark.parametrize("turn", ["1R sQ(33) (1)P =o +1", "1R sQ", "1R x(3)Q#1 v+i (1)P =o +1", "1R cPQ (1)P"])
@pytest.mark.parametrize("command", [("view",), ("timeline", "--format", "html"), ("show",), ("show", "--odds")])
def test_a_card_that_a_ruling_lets_stand_was_not_in_the_hand(turn: str, command: tuple[str, ...]):
    text = f"{LENT}{turn}\n   % R stands R203\n"
    done = tiro(*command, "--as", "caesar", "-", stdin=text)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.stdout


@pytest.mark.parametrize("command", [("timeline", "--format", "html"), ("timeline", "--odds"), ("votes",), ("show",)])
@pytest.mark.parametrize(("own", "view"), [("caesar", "cleopatra"), ("table", "caesar"), ("cleopatra", "arbiter")])
def test_who_saw_more_than_the_writer_is_told_what_the_record_has(command: tuple[str, ...], own: str, view: str):
    log = tiro("view", ANNOTATED, "--as", own).stdout
    done = tiro(*command, "--as", view, "-", stdin=log)
    assert (done.exit_code, "what the record lacks stays unknown" in done.stderr) == (0, True), done.exception
    assert done.stdout


# ---------------------------------------------------------------------------------------------- what was shown

ROME = "(3)A (3)A 2A (4)P h(1x) m(each) g(PPQ)"
EGYPT = "(5)A (1)A (2)A h(2v4) m(12) b(AKor)"


@pytest.mark.parametrize(
    ("written", "rome", "egypt"),
    [
        ("9E 4Q =A>R", "9E 4Q =A332:521>R", "9E 4Q =A332:521>R"),
        ("9E 4Q =A", "9E 4Q =A332:521", "9E 4Q =A332:521"),
        ("9R sA (1)P", "9R sA(521) (1)P", "9R sA(521) (i)P"),
        ("9R xA#2 1P", "9R x(1)A#2 1P", "9R x(1)A#2 1P"),
        ("9R x(2)A 1P", "9R x(2)A#3 1P", "9R x(2)A#3 1P"),
        ("9R x(2)A v+s 1P", "9R xA v+a 1P", "9R xA v+s 1P"),
        ("9E sP (4)Q", "9E sP(4) (i)Q", "9E sP(4) (4)Q"),
        ("9E xA 4Q", "9E x(3)A#1 4Q", "9E x(3)A#1 4Q"),
        ("9E xP 4Q", "9E x(4)P 4Q", "9E x(4)P 4Q"),
    ],
)
def test_what_was_shown_is_filled_in(written: str, rome: str, egypt: str):
    """As both players saw it, and as a spectator did, who knows of hidden cards as little as the other player each."""
    starts = '[Starts "Caesar"]\n' if "R" in written.split()[0] else ""
    rest = ("h(1xs)", "h(2xsv4)")
    text = position(ROME.replace("h(1x)", rest[0]), EGYPT.replace("h(2v4)", rest[1]), written, headers=starts)
    assert viewed(text, "caesar")[2] == rome
    assert viewed(text, "cleopatra")[2] == egypt
    for view in VIEWS:
        again = tiro("view", "-", "--as", view, stdin=text).stdout
        problems = {each.code for each in check(parse(again)[0]).diagnostics if each.severity == "error"}
        assert problems <= {each.code for each in check(parse(text)[0]).diagnostics if each.severity == "error"}


def test_beyond_the_last_card_that_can_be_followed_nothing_is_filled_in():
    text = position(ROME, EGYPT, "9E (4)Q =o +2", "9R 5K =o", "10E (2)A =A>E")
    done = tiro("view", "-", "--as", "table", stdin=text)
    assert done.exit_code == 1
    assert "game 1: the cards can't be followed beyond 9E" in done.stderr
    assert done.stdout.splitlines()[-4:] == ["9E (i)Q =o +i", "9R 5K =o", "10E (i)A =A>E", "*"]


def test_without_a_rule_set_each_word_is_redacted():
    text = position(ROME, EGYPT, "9E (4)Q =A>R +2").replace('"2024"', '"2042"')
    done = tiro("view", "-", "--as", "table", stdin=text)
    assert (done.exit_code, "the rule set is unknown" in done.stderr) == (1, True)
    assert "9E (i)Q =A>R +i" in done.stdout
    known = tiro("view", "-", "--as", "table", "--rules", "2024", stdin=text)
    assert (known.exit_code, "9E (i)Q =A332:521>R +i" in known.stdout) == (0, True)


# ------------------------------------------------------------------------------------------ what was not shown


@pytest.mark.parametrize("view", ["cleopatra", "table"])
def test_a_vetoed_assassination_does_not_tell_which_hidden_card_it_meant(view: str):
    """The vote shows a 5 and a 1; which of them lay there first knows Caesar alone, and the arbiter."""
    told = {}
    for first, second in ("51", "15"):
        cards = f"({first})A ({second})A h(1v) m(each)"
        text = position(cards, "4A h(2x3) m(12) b(AKor)", "9E xA#1 v+s (2)Q =A51:4>R +2")
        told[first] = [tiro("votes", "-", "--as", each, stdin=text).stdout for each in (view, "caesar")]
    assert told["5"][0] == told["1"][0]
    happened = "or lets the assassination of a hidden card at the Aediles happen: ▼ Egypt would win (▲1 : ▼4)"
    assert [happened in each for each in told["5"]] == [False, True]


@pytest.mark.parametrize(("card", "turned"), [("2", False), ("5", True)])
def test_a_hidden_card_counts_as_the_vote_showed_it(card: str, turned: bool):
    """Without the assassination Rome would have had 4 more than it showed, in everybody's eyes and records."""
    turns = ("9E x4P (1)Q =o +2", f"9R ({card})P =o +2", f"10E 2Q =P{card}:431>E +2")
    text = position(f"4P h({card}1) m(each)", "4P 3P 1P h(12x) m(12) b(PKor)", *turns)
    for view in VIEWS:
        for record in (text, tiro("view", "-", "--as", view, stdin=text).stdout):
            told = tiro("votes", "-", "--as", view, stdin=record).stdout
            assert ("without the assassination of a 4 at 9E: Rome would win" in told) is turned, view


def test_a_position_shows_neither_hands_nor_the_order_of_writing():
    text = position("h(13x) +v (4)C (5)A (3)A 2A d(55x) m(each) b(A)", "m(12,A*) h(2)", headers='[Starts "Caesar"]\n')
    assert viewed(text, "table")[0] == "0R h(iia) +a (i)A (i)A 2A (i)C d(55x) m(?) b(A)"
    assert viewed(text, "caesar")[:2] == ["0R h(13x) +v (4)C (5)A (3)A 2A d(55x) m(each) b(A)", "0E m(?,?) h(i)"]


def test_the_opening_comes_in_the_order_of_the_table():
    """Somebody may write it down from 1 to 5, and others would know the cards by it."""
    opening = "0R (1)C (2)A (3)P (4)K (5)Q m(A,C) +v\n0E (1)Q (2)P (3)A (4)K (5)C m(K,P) +v\n*\n"
    assert viewed(f"{HEADERS}\n{opening}", "cleopatra")[:2] == [
        "0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v",
        "0E (1)Q (2)P (3)A (4)K (5)C m(K,P) +v",
    ]
    chosen = f'{HEADERS}[Rulings "experienced=yes"]\n\n{opening.replace("+v", "+s")}'
    assert viewed(chosen, "cleopatra")[:2] == [
        "0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +a",
        "0E (1)Q (2)P (3)A (4)K (5)C m(K,P) +s",
    ]


def test_both_players_know_the_hand_that_a_spy_saw_and_one_what_was_drawn():
    text = position("(5)A h(1y) m(P)", "(4)A h(23) m(Q)", "9R y[23]3+5 1P").replace('"2024"', '"1997"')
    text = text.replace("[Setup", '[Starts "Caesar"]\n[Setup')
    assert [viewed(text, view)[2].split()[1] for view in VIEWS[1:]] == ["y[23]3+i", "y[23]3+5", "y3+i"]


def test_missions_and_verdicts_on_them():
    text = f'{HEADERS}\n0R m("most Censors",A)\n0E m(each,12)\n9R 1P =P mR1 mE2\n15-13 mR+ mE-\n'
    lines = viewed(text, "cleopatra")
    assert lines[:2] == ["0R m(?,?)", "0E m(each,12)"]
    assert lines[2].endswith("mR? mE2")
    assert lines[-1] == "15-13 mE-"


WORDS = f"""{HEADERS}[Oracle "secret"]

; secret
0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E 2A {{secret}} +1 ! ; secret
   | 1E (secret)A
   | 1E 5A {{secret}}
   % E penalty 1 R203: secret
   % secret
secret
1R 5A secret =o +2
* ; secret
; secret
"""


@pytest.mark.parametrize(("options", "left", "kept"), [((), 12, 0), (("--keep-remarks",), 4, 8)])
def test_words_that_may_name_hidden_cards(options: tuple[str, ...], left: int, kept: int):
    """All of them are left out and counted; --keep-remarks keeps those that can be read."""
    assert WORDS.count("secret") == 12
    done = tiro("view", "-", "--as", "table", *options, stdin=WORDS)
    assert done.exit_code == 1
    assert f"{left} remarks and headers are left out: they may reveal what the table can't see" in done.stderr
    assert done.stdout.count("secret") == kept
    assert "1E 2A" in done.stdout
    assert "% E penalty 1 R203" in done.stdout
    again = tiro("view", "-", "--as", "table", *options, stdin=done.stdout)
    assert (again.stdout, "left out" in again.stderr) == (done.stdout, False)


def test_alternatives_are_redacted_like_turns():
    text = position(ROME, EGYPT, "9E (4)Q =o +2", "   | 9E (2)Q 4A v+s =o")
    assert "   | 9E (i)Q 4A v+a =o" in viewed(text, "table", "--keep-remarks")


# --------------------------------------------------------------------------------------------------- whose record


def test_a_record_of_the_same_eyes_stays_as_it_is():
    for path, view in ((ANNOTATED, "arbiter"), (SPECTATOR, "table")):
        done = tiro("view", path, "--as", view)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("view", ["arbiter", "caesar", "cleopatra"])
def test_nobody_can_see_what_the_writer_did_not(view: str, tmp_path: Path):
    target = tmp_path / "out.tiro"
    games = ANNOTATED.read_text(encoding="utf-8") + "\n" + SPECTATOR.read_text(encoding="utf-8")
    done = tiro("view", "-", "--as", view, "-o", target, stdin=games)
    assert (done.exit_code, done.stdout, target.exists()) == (2, "", False)
    assert "<stdin>, game 2: a spectator wrote this record and did not see everything" in done.stderr
    assert "possible points of view: table" in done.stderr


@pytest.mark.parametrize("command", ["show", "timeline", "votes"])
def test_who_saw_more_than_the_writer_is_told_so(command: str):
    own, more = (tiro(command, SPECTATOR, *eyes) for eyes in ((), ("--as", "caesar")))
    assert not own.stderr
    assert "a spectator wrote this record and did not see everything that Caesar saw; what" in more.stderr
    assert own.exit_code == more.exit_code == 0


def test_the_library_says_so_too():
    (game,) = parse(SPECTATOR.read_text(encoding="utf-8"))
    assert tironian.view(game, "table").record is game.record
    with pytest.raises(Unseen, match="there is no point of view god"):
        tironian.view(game, "god")


# ------------------------------------------------------------------------------------------------------ the command


def test_several_games_as_text_and_as_json():
    games = ANNOTATED.read_text(encoding="utf-8") + "\n" + (HOME / "1997" / "annotated.tiro").read_text("utf-8")
    text = tiro("view", "-", "--as", "caesar", stdin=games)
    assert text.exit_code == 0
    read = parse(text.stdout)
    assert [game.record.header("View") for game in read] == ["caesar", "caesar"]
    data = json.loads(tiro("view", "-", "--as", "caesar", "--format", "json", stdin=games).stdout)
    assert [from_json(each) for each in data] == [game.record for game in read]


@pytest.mark.parametrize(
    ("last", "told"),
    [("sA", "sA"), ("xP", "xP"), ("xA#2", "xA#2"), ("sA 4Q", "sA(52) 4Q"), ("xP 4Q", "x(3)P 4Q"), ("x(3)P", "x(3)P")],
)
def test_what_was_only_announced_shows_nothing(last: str, told: str):
    opening = "\n0R (5)A (2)A (3)P h(1234cx)\n0E h(1142sx)\n"
    text = tiro("view", "-", "--as", "table", stdin=f"{POSITION}{opening}7E {last}\n*\n").stdout
    assert f"\n7E {told}\n" in text


def test_into_a_file(tmp_path: Path):
    target = tmp_path / "table.tiro"
    assert tiro("view", ANNOTATED, "--as", "table", "-o", target).exit_code == 0
    assert tiro("check", target).exit_code == 0
    assert tiro("view", ANNOTATED, "--as", "table", "-o", target).exit_code == 2
    assert tiro("view", ANNOTATED, "--as", "table", "-o", target, "--force").exit_code == 0
    assert tiro("view", target, "--as", "table", "-o", target, "--force").exit_code == 2


@pytest.mark.parametrize(
    ("args", "stdin", "code", "told"),
    [
        (("-",), "x", 2, "--as"),
        (("-", "--as", "god"), "x", 2, "god"),
        (("nowhere.tiro", "--as", "table"), "", 2, "there is no such file"),
        (("-", "--as", "table"), "{}", 2, "this file is JSON"),
        (("-", "--as", "table"), "", 1, "there is no game"),
    ],
)
def test_what_can_not_be_carried_out(args: tuple[str, ...], stdin: str, code: int, told: str):
    done = tiro("view", *args, stdin=stdin)
    assert (done.exit_code, done.stdout) == (code, "")
    assert told in done.stderr
