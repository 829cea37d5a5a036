"""The report for people: excerpts, underlines, colours, totals."""

from __future__ import annotations

import io
import re

import pytest
from reports import RECORD, SIXTH, diagnostic, game, on, shows, span, write, write_all
from rich.cells import cell_len
from tironian import Diagnostic, Label, Source, Span
from tironian.notation.diagnostic import NOTE, RULED, WARNING
from tironian.tools.report import FORMATS, reporter, wants_colour
from tironian.tools.report.text import plain

# --- text


def test_a_diagnostic_with_everything():
    found = diagnostic(
        span(5, "(3)A"),
        Label(span(3, "(p)A"), "the fifth was placed here"),
        rule="D4",
        cite="at most five (2024, A)",
        help="place it elsewhere, or:\n% R stands R204",
    )
    expected = """
error[R204]: a sixth card
  --> games/final.tiro:23:4 (game 1, turn 7R)
   |
21 | 1R (p)A 4P =A3p:53>R +4s !
   |    ---- the fifth was placed here
22 |    ; the philosopher turns it
23 | 7R (3)A 5A =A433:52>R +34
   |    ^^^^ the sixth card
   |
   = rule: at most five (2024, A) [D4]
   = help: place it elsewhere, or:
           % R stands R204
"""
    shows(found, expected)


def test_lines_that_are_apart_and_more_digits_below():
    found = diagnostic(
        span(2, "5Q"), Label(span(5, "5A"), "later"), source=Source("f", RECORD, 96), turn="", underline_text=""
    )
    expected = """
error[R204]: a sixth card
   --> f:98:9 (game 1)
    |
 98 | 1E (3)A 5Q +3x
    |         ^^
...
101 | 7R (3)A 5A =A433:52>R +34
    |         -- later
"""
    shows(found, expected)


def test_a_file_without_lines_has_no_excerpt_and_loses_no_text():
    found = Diagnostic("P001", "cannot be opened", Source("f"), Span(0, 0, 0), underline_text="here", rule="D4")
    shows(found, "error[P001]: cannot be opened\n --> f (game 1)\n  = note: here\n  = rule: D4")


def test_the_end_of_a_game_can_be_pointed_at():
    found = Diagnostic("P9", "no result", Source("f", ["1E 5Q"]), Span(1, 0, 0), underline_text="expected here")
    assert plain(found).endswith("  |\n2 |\n  | ^ expected here")


def test_labels_on_one_line():
    assert on("7R (3)A 5A =o", (3, 7, "first"), (8, 10, "second"), (11, 13, "third")) == [
        "7R (3)A 5A =o", "   ^^^^ -- -- third", "   |    |", "   |    second", "   first",
    ]  # fmt: skip


def test_labels_that_overlap():
    assert on("7R (3)A 5A", (4, 5, "card"), (3, 7, "word"), (3, 10, "")) == [
        "7R (3)A 5A", "   -^-----", "   ||", "   |card", "   word",
    ]  # fmt: skip
    assert on("5A", (0, 2, "one"), (0, 2, "two")) == ["5A", "^^", "|", "one", "two"]


def test_an_empty_place_shows_one_caret():
    assert on("5A", (1, 1, "here")) == ["5A", " ^ here"]
    assert on("5A", (2, 2, "end")) == ["5A", "  ^ end"]
    assert on("5A", (90, 99, "")) == ["5A", "  ^"]
    assert on("", (0, 0, "empty")) == ["", "^ empty"]


def test_where_nothing_can_be_seen_nothing_is_drawn():
    assert on("", (0, 0, "")) == []


def test_widths():
    assert on("\t5A\t4P", (1, 3, ""), (4, 6, "")) == ["    5A    4P", "    ^^    --"]
    assert on("漢字 5A", (1, 2, ""), (3, 5, "x")) == ["漢字 5A", "  ^^ -- x"]
    assert on("e\u0301e\u0301 5A", (2, 4, ""), (5, 7, "x")) == ["e\u0301e\u0301 5A", " ^ -- x"]
    assert on("e\u0301 5A", (1, 2, "accent")) == ["e\u0301 5A", "^ accent"]


def test_what_cannot_be_seen_is_written_out():
    assert on("a\x1b[31mb\ud800\u202e\x9b", (6, 7, "\x07"))[0] == r"a\x1b[31mb\ud800\u202e\x9b"
    assert on("a\x1b[31mb", (6, 7, "\x07"))[1] == r"         ^ \x07"


def test_long_lines_are_cropped_around_the_places():
    line = "a" * 500 + " 5A " + "b" * 500 + " 4P " + "c" * 500
    text, under, *_ = on(line, (501, 503, ""), (1005, 1007, "there"), width=60)
    assert cell_len(text) <= 63
    assert text.startswith("…aaa")
    assert text.endswith("ccc…")
    assert text.count("…") == 3
    assert text[under.index("^") :].startswith("5A")
    assert text[under.index("-") :].startswith("4P")


def test_a_long_place_is_cropped_too():
    text, under = on("a" * 20 + "x" * 500 + "b" * 20, (20, 520, ""), width=60)
    assert re.fullmatch("…?a+x+…x+b+…?", text)
    assert text[under.index("^") : under.rindex("^") + 1] == re.search("x.*x", text)[0]
    assert under.strip(" ^") == ""


def test_a_fine_game_says_nothing_and_the_totals_come_last():
    fine = game()
    bad = game(diagnostic(), diagnostic(severity=WARNING), diagnostic(severity=RULED), diagnostic(severity=NOTE))
    assert write("text", fine) == "1 game, 204 events: 1 legal\n"
    assert write("text") == "no games\n"
    *_, totals, more = write("text", fine, bad, fine).splitlines()
    assert totals == "3 games, 612 events: 2 legal, 1 illegal; 1 error, 1 warning, 1 note, 1 ruled"
    assert more == "`tiro explain R204` says more."


def test_no_errors_nothing_to_explain():
    assert "explain" not in write("text", game(diagnostic(severity=RULED)))


def test_verbose_tells_every_game():
    text = write("text", game(), game(diagnostic(), game=2, title=""), game(), verbose=True)
    assert text.startswith("legal       games/final.tiro, game 1 (Final)  Rome 17, Egypt 13\nillegal     games/final")
    assert "Egypt 13\n\nerror[R204]" in text
    assert "Egypt 13\n\n3 games" in text


def test_colour_changes_no_word():
    games = [
        game(),
        game(diagnostic(SIXTH, Label(span(5, "5A"), "x [red]not markup[/]"), help="a\nb")),
    ]
    coloured = write("text", *games, colour=True, verbose=True)
    assert "\x1b[1;31merror" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == write("text", *games, verbose=True)


def test_colour_is_for_terminals(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert wants_colour(terminal)
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(terminal)
    # Whoever asks for colour outright gets it.
    write_all(reporter("text", terminal, colour=True), [])
    assert "\x1b[" in terminal.getvalue()


def test_no_line_ends_in_blanks():
    found = diagnostic(SIXTH, Label(span(3, "4P"), "x"), Label(span(5, "+34"), ""), help="a\n\nb")
    assert not re.search(" $", write("text", game(found), verbose=True), re.MULTILINE)


@pytest.mark.parametrize("format", FORMATS)
def test_a_stream_that_knows_only_ascii(format):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    write_all(reporter(format, stream), [game(diagnostic(message="Zürich – 漢"), title="é")])


# --- faults that are told together


def test_equal_faults_of_one_line_are_told_together():
    first = diagnostic(help="take the 3 back")
    other = diagnostic(span(5, "5A"), help="take the 5 back")
    again = diagnostic(span(5, "+34"), help="take the 3 back", message="another")
    text = write("text", game(first, other, diagnostic(span(3, "4P")), again))
    assert (
        text
        == """\
error[R204]: a sixth card
  --> games/final.tiro:23:4 (game 1, turn 7R)
   |
23 | 7R (3)A 5A =A433:52>R +34
   |    ^^^^ --            ---
   |    |
   |    the sixth card
   |
   = help: take the 3 back
   = also 5A: take the 5 back
   = also +34: another

error[R204]: a sixth card
  --> games/final.tiro:21:9 (game 1, turn 7R)
   |
21 | 1R (p)A 4P =A3p:53>R +4s !
   |         ^^ the sixth card

1 game, 204 events: 1 illegal; 4 errors
`tiro explain R204` says more.
"""
    )


def test_faults_with_places_of_their_own_or_another_code_stand_alone():
    labelled = diagnostic(span(5, "5A"), Label(span(3, "4P"), "placed here"))
    text = write("text", game(diagnostic(), labelled, diagnostic(code="R205"), diagnostic(severity=WARNING)))
    assert (text.count("error["), text.count("warning["), text.count("also")) == (3, 1, 0)


@pytest.mark.parametrize(("verbose", "rows"), [(False, 20), (True, 30)])
def test_very_many_equal_faults_take_few_rows(verbose: bool, rows: int):
    text = write("text", game(*[diagnostic() for _ in range(31)]), verbose=verbose)
    assert text.count("= also (3)A: the same") == rows
    assert ("= also: 10 more of these in this line; --verbose shows them" in text) is not verbose


def test_what_has_come_up_very_often_takes_one_line():
    faulty = [game(diagnostic(), game=number) for number in range(1, 203)]
    text = write("text", *faulty)
    assert text.count("23 | 7R") == 200
    assert "error[R204]: a sixth card --> games/final.tiro:23:4 (game 1, turn 7R)\n\n202 games" in text
    assert write("text", *faulty, verbose=True).count("23 | 7R") == 202
