"""The renderers of a check's report: what each writes, and that nothing hostile gets through any of them."""

from __future__ import annotations

import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rich.cells import cell_len
from tironian.notation.diagnostic import ERROR, NOTE, RULED, WARNING, Diagnostic, Label
from tironian.notation.source import Source, Span
from tironian.replay.report import FORMATS, VERDICTS, CheckReport, GameReport, reporter, wants_colour
from tironian.replay.report.excerpt import Excerpt
from tironian.replay.report.sarif import uri
from tironian.replay.report.text import plain
from tironian.schemas import load_schema

RECORD = [
    '[Rules "2024"]\n',
    "\n",
    "1E (3)A 5Q +3x\n",
    "1R (p)A 4P =A3p:53>R +4s !\n",
    "   ; the philosopher turns it\n",
    "7R (3)A 5A =A433:52>R +34\n",
]
SOURCE = Source("games/final.tiro", RECORD, 18)
RULES = {"R204": ("Too many cards at a group", "Place it elsewhere."), "R100": ("Another", "")}


def span(line: int, text: str) -> Span:
    start = RECORD[line].index(text)
    return Span(line, start, start + len(text))


SIXTH = span(5, "(3)A")


def diagnostic(where: Span = SIXTH, *labels: Label, **more) -> Diagnostic:
    fields = {
        "code": "R204",
        "message": "a sixth card",
        "source": SOURCE,
        "here": "the sixth card",
        "turn": "7R",
    }
    return Diagnostic(**{**fields, "span": where, "labels": labels, **more})


def game(*diagnostics: Diagnostic, **more) -> GameReport:
    fields = {"file": "games/final.tiro", "game": 1, "title": "Final", "edition": "2024", "events": 204}
    fields |= {"turns": 38, "verdict": "illegal" if diagnostics else "legal", "summary": "Rome 17, Egypt 13"}
    return GameReport(**{**fields, "diagnostics": diagnostics, **more})


def write(format: str, *games: GameReport, **options) -> str:
    stream = io.StringIO()
    reporter(format, stream, version="1.2", rule_info=RULES, **options).whole(CheckReport(list(games)))
    return stream.getvalue()


def shows(found: Diagnostic, expected: str) -> None:
    """The text form is exactly this."""
    assert plain(found) == expected.strip("\n")


def on(line: str, *marks: tuple[int, int, str], width: int = 100) -> list[str]:
    """The excerpt of one line: its row and those below it, without the gutter."""
    first, *labels = [(Span(0, start, end), text) for start, end, text in marks]
    found = Diagnostic(
        "X", "m", Source("f", [line]), first[0], here=first[1], labels=tuple(Label(*each) for each in labels)
    )
    return [row[4:] for row in plain(found, width).split("\n")[3:]]


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
    found = diagnostic(span(2, "5Q"), Label(span(5, "5A"), "later"), source=Source("f", RECORD, 96), turn="", here="")
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
    found = Diagnostic("P001", "cannot be opened", Source("f"), Span(0, 0, 0), here="here", rule="D4")
    shows(found, "error[P001]: cannot be opened\n --> f (game 1)\n  = note: here\n  = rule: D4")


def test_the_end_of_a_game_can_be_pointed_at():
    found = Diagnostic("P9", "no result", Source("f", ["1E 5Q"]), Span(1, 0, 0), here="expected here")
    assert plain(found).endswith("  |\n2 |\n  | ^ expected here")


def test_labels_on_one_line():
    assert on("7R (3)A 5A =o", (3, 7, "first"), (8, 10, "second"), (11, 13, "third")) == [
        "7R (3)A 5A =o",
        "   ^^^^ -- -- third",
        "   |    |",
        "   |    second",
        "   first",
    ]


def test_labels_that_overlap():
    assert on("7R (3)A 5A", (4, 5, "card"), (3, 7, "word"), (3, 10, "")) == [
        "7R (3)A 5A",
        "   -^-----",
        "   ||",
        "   |card",
        "   word",
    ]
    assert on("5A", (0, 2, "one"), (0, 2, "two")) == ["5A", "^^", "|", "one", "two"]


def test_an_empty_place_shows_one_caret():
    assert on("5A", (1, 1, "here")) == ["5A", " ^ here"]
    assert on("5A", (2, 2, "end")) == ["5A", "  ^ end"]
    assert on("5A", (90, 99, "")) == ["5A", "  ^"]
    assert on("", (0, 0, "")) == ["", "^"]


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
    assert more == "`tiro explain R204` tells more."


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
    reporter("text", terminal, colour=True).whole(CheckReport([]))
    assert "\x1b[" in terminal.getvalue()


def test_no_line_ends_in_blanks():
    found = diagnostic(SIXTH, Label(span(3, "4P"), "x"), Label(span(5, "+34"), ""), help="a\n\nb")
    assert not re.search(" $", write("text", game(found), verbose=True), re.MULTILINE)


@pytest.mark.parametrize("format", FORMATS)
def test_a_stream_that_knows_only_ascii(format):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    reporter(format, stream).whole(CheckReport([game(diagnostic(message="Zürich – 漢"), title="é")]))


# --- the machines' formats


def validate_json(text: str) -> dict:
    report = json.loads(text)
    Draft202012Validator(load_schema("report")).validate(report)
    return report


def test_json():
    nowhere = Diagnostic("P001", "cannot be opened", Source("f"), Span(0, 0, 0))
    found = diagnostic(SIXTH, Label(span(3, "(p)A"), "fifth"), rule="D4", cite="2024, A", help="a\nb")
    report = validate_json(write("json", game(found), game(), game(nowhere, verdict="unreadable")))
    assert report["tool"] == {"name": "tiro", "version": "1.2"}
    assert report["games"][0]["diagnostics"] == [
        {
            "code": "R204",
            "severity": "error",
            "message": "a sixth card",
            "line": 23,
            "column": 4,
            "end_column": 8,
            "turn": "7R",
            "here": "the sixth card",
            "labels": [{"line": 21, "column": 4, "end_column": 8, "text": "fifth"}],
            "rule": "D4",
            "cite": "2024, A",
            "help": "a\nb",
        }
    ]
    assert report["games"][2]["diagnostics"][0]["line"] is None
    totals = {
        "games": 3,
        "events": 612,
        "turns": 114,
        "legal": 1,
        "illegal": 1,
        "unreadable": 1,
        "unchecked": 0,
    }
    assert report["totals"] == totals | {"errors": 2, "warnings": 0, "notes": 0, "ruled": 0}
    assert validate_json(write("json"))["games"] == []


def test_the_schema_is_strict():
    Draft202012Validator.check_schema(load_schema("report"))
    validator = Draft202012Validator(load_schema("report"))
    report = validate_json(write("json", game(diagnostic())))
    for spoil in (
        lambda r: r.update(extra=1),
        lambda r: r["games"][0].update(verdict="fine"),
        lambda r: r["games"][0]["diagnostics"][0].update(line=None),
        lambda r: r["games"][0]["diagnostics"][0].update(column=0),
        lambda r: r["games"][0]["diagnostics"][0].pop("turn"),
        lambda r: r["totals"].pop("ruled"),
    ):
        spoilt = json.loads(json.dumps(report))
        spoil(spoilt)
        assert not validator.is_valid(spoilt)


_MESSAGE = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
}
_REGION = {
    "type": "object",
    "required": ["startLine", "startColumn", "endColumn"],
    "additionalProperties": {"type": "integer", "minimum": 1},
}
_LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": _MESSAGE,
        "logicalLocations": {"type": "array"},
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": r"^[\w.~%/:@!$&'()*+,;=-]*$"}},
                },
                "region": _REGION,
            },
        },
    },
}
_SUPPRESSION = {"required": ["kind"], "properties": {"kind": {"enum": ["inSource", "external"]}}}
_RESULT = {
    "type": "object",
    "required": ["ruleId", "level", "message", "locations", "suppressions"],
    "properties": {
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": _MESSAGE,
        "locations": {"type": "array", "minItems": 1, "items": _LOCATION},
        "relatedLocations": {"type": "array", "uniqueItems": True, "items": _LOCATION},
        "suppressions": {"type": "array", "items": _SUPPRESSION},
    },
}
_RUN = {
    "type": "object",
    "required": ["tool", "results", "columnKind"],
    "properties": {
        "columnKind": {"const": "unicodeCodePoints"},
        "tool": {"required": ["driver"], "properties": {"driver": {"required": ["name", "rules"]}}},
        "results": {"type": "array", "items": _RESULT},
    },
}
SARIF = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {"version": {"const": "2.1.0"}, "runs": {"type": "array", "minItems": 1, "items": _RUN}},
}
"""What of the SARIF schema concerns what is written here; the whole of it is not at hand without a net."""


def validate_sarif(text: str) -> dict:
    log = json.loads(text)
    Draft202012Validator(SARIF).validate(log)
    return log["runs"][0]


def test_sarif():
    first = diagnostic(SIXTH, Label(span(3, "(p)A"), "fifth"), rule="D4")
    run = validate_sarif(write("sarif", game(first, diagnostic(severity=RULED), diagnostic(code="W1", severity=NOTE))))
    driver = run["tool"]["driver"]
    assert driver["version"] == "1.2"
    assert [rule["id"] for rule in driver["rules"]] == ["R204", "R100"]
    assert driver["rules"][0]["shortDescription"] == {"text": "Too many cards at a group"}
    error, ruled, note = run["results"]
    assert (error["ruleIndex"], error["level"], error["suppressions"]) == (0, "error", [])
    place = error["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 23, "startColumn": 4, "endColumn": 8}
    assert error["relatedLocations"][0]["message"] == {"text": "fifth"}
    assert (ruled["level"], ruled["suppressions"][0]["kind"]) == ("note", "external")
    assert ruled["suppressions"][0]["justification"]
    assert (note["level"], "ruleIndex" in note) == ("note", False)
    assert validate_sarif(write("sarif"))["results"] == []


def test_uris():
    assert uri("games/the final.tiro") == "games/the%20final.tiro"
    assert uri("a:b#c?.tiro") == "a%3Ab%23c%3F.tiro"
    assert uri("/tmp/é.tiro") == "file:///tmp/%C3%A9.tiro"


def test_junit():
    bad = game(
        diagnostic(),
        diagnostic(message="an<other> & \x00\ufffe"),
        diagnostic(severity=RULED),
        title='"<&\x01',
    )
    open_ = game(verdict="unchecked", game=2)
    warned = game(diagnostic(severity=WARNING), verdict="legal", file="b & c.tiro")
    text = write("junit", bad, open_, game(game=3), warned)
    first, second = ET.fromstring(text)
    counts = {"tests": "3", "failures": "1", "errors": "0", "skipped": "1"}
    assert first.attrib == {"name": "games/final.tiro", **counts}
    assert second.get("name") == "b & c.tiro"
    case, unchecked, fine = first
    assert case.get("name") == 'game 1: "<&\\x01'
    assert case.find("failure").get("message") == "a sixth card (and 1 more)"
    assert r"error[R204]: an<other> & \x00\ufffe" in case.findtext("failure")
    assert case.findtext("system-out").startswith("ruled[R204]")
    assert unchecked.find("skipped") is not None
    assert len(fine) == 0
    assert second[0].findtext("system-out").startswith("warning[R204]")
    assert len(ET.fromstring(write("junit"))) == 0


def test_github():
    found = diagnostic(message="100 %\r\nodd", cite="2024, A", help="a\nb", source=Source("a,b:c%.tiro", RECORD))
    assert write("github", game(found)) == (
        "::error file=a%2Cb%3Ac%25.tiro,line=6,col=4,endColumn=8,title=R204"
        "::100 %25\\r\\nodd%0Arule: 2024, A%0Ahelp: a%0Ab\n"
    )
    levels = [diagnostic(severity=severity) for severity in (ERROR, WARNING, NOTE, RULED)]
    lines = write("github", game(*levels)).splitlines()
    assert [line.split()[0] for line in lines] == ["::error", "::warning", "::notice", "::notice"]
    assert lines[3].endswith("::ruled: a sixth card")
    nowhere = Diagnostic("P001", "m", Source("f"), Span(0, 0, 0))
    assert write("github", game(nowhere)) == "::error file=f,title=P001::m\n"


def test_an_unknown_format():
    with pytest.raises(ValueError, match="no report format 'pdf'"):
        reporter("pdf", io.StringIO())


def test_the_counts_of_a_whole_report():
    severities = (ERROR, ERROR, WARNING, RULED)
    report = CheckReport([game(), game(*(diagnostic(severity=each) for each in severities))], "1")
    assert (report.errors, report.warnings, report.notes, report.ruled) == (2, 1, 0, 1)


# --- anything at all

anything = st.text(st.characters(exclude_categories=()), max_size=40) | st.text(
    "a\t\x1b\x9b漢\u0301\ud800]>", max_size=300
)
spans = st.builds(Span, st.integers(-2, 6), st.integers(-3, 320), st.integers(-3, 320))
sources = st.builds(Source, anything, st.lists(anything, max_size=4), st.integers(1, 10**7))
diagnostics = st.builds(
    Diagnostic,
    st.sampled_from(["R204", "R100", "X\x1b"]),
    st.builds("m{}".format, anything),
    sources,
    spans,
    st.sampled_from([ERROR, WARNING, NOTE, RULED]),
    anything,
    st.lists(st.builds(Label, spans, anything), max_size=4).map(tuple),
    anything,
    anything,
    anything,
    st.integers(1, 9),
    anything,
)
games = st.builds(
    GameReport,
    anything,
    st.integers(1, 9),
    anything,
    st.just("2024"),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(VERDICTS),
    anything,
    st.lists(diagnostics, max_size=3).map(tuple),
)


def safe(text: str) -> None:
    """Nothing in it steers a terminal, hides, or cannot be encoded."""
    text.encode()
    assert not {char for char in text if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} - {"\n"}


@settings(max_examples=60, deadline=None)
@given(st.lists(games, max_size=3))
def test_no_format_minds_anything(some):
    for format in FORMATS:
        safe(write(format, *some, verbose=True))
    assert len(validate_json(write("json", *some))["games"]) == len(some)
    found = sum(len(each.diagnostics) for each in some)
    assert len(validate_sarif(write("sarif", *some))["results"]) == found
    assert len(ET.fromstring(write("junit", *some)).findall("*/testcase")) == len(some)
    assert len(write("github", *some).splitlines()) == found


@settings(max_examples=200, deadline=None)
@given(diagnostics, st.integers(20, 120))
def test_underlines_stay_within_their_line(found, width):
    """Every line number stands right-aligned before a bar, and every bar below the one above."""
    rows = plain(found, width).split("\n")
    bars = {row.index("|") for row in rows[2:] if re.match(r" *\d* \|", row)}
    assert len(bars) <= 1


@given(anything, st.integers(0, 320), st.integers(20, 120))
def test_a_column_stands_where_its_text_does(line, column, width):
    """What is shown at a column's cell begins with that column's character."""
    excerpt = Excerpt(line, [column], width)
    if column < len(line) and line[column].isprintable() and cell_len(line[column]):
        cell, left = excerpt.cell(column), excerpt.text
        while cell > 0 or not cell_len(left[0]):
            cell -= cell_len(left[0])
            left = left[1:]
        assert left[0] == line[column]
