"""The reports for machines, and that nothing hostile gets through any of them."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import tomllib
import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace
from email.message import Message
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from archives import BROKEN, ROOT, tiro
from commands import in_all_formats
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from reports import RECORD, SIXTH, diagnostic, game, span, write
from rich.cells import cell_len
from schema_parts import closed_schema
from tironian import Diagnostic, Label, Source, Span, read, report
from tironian.codes import page
from tironian.notation.build import program_version
from tironian.notation.diagnostic import ERROR, NOTE, RULED, WARNING
from tironian.notation.safe_text import uri
from tironian.replay.diagnostics.registry import CODES, VERDICTS
from tironian.tools.report import FORMATS, reporter
from tironian.tools.report.model import GameReport, Tally
from tironian.tools.report.snippet import Excerpt
from tironian.tools.report.text import plain

# --- the machines' formats

NOT_UTF_8 = [os.fsdecode(name) for name in (b"lat\xfcn.tiro", b"lat\xe4n.tiro")]


def validate_json(text: str) -> dict:
    report = json.loads(text)
    Draft202012Validator(closed_schema("report")).validate(report)
    return report


def test_json():
    nowhere = Diagnostic("P001", "cannot be opened", Source("f"), Span(0, 0, 0))
    found = diagnostic(SIXTH, Label(span(3, "(p)A"), "fifth"), rule="D4", cite="2024, A", help="a\nb")
    report = validate_json(write("json", game(found), game(), game(nowhere, verdict="unreadable")))
    assert report["tool"] == {"name": "tiro", "version": program_version()}
    assert report["games"][0]["diagnostics"] == [
        {
            "code": "R204", "severity": "error", "message": "a sixth card", "line": 23, "column": 4, "end_column": 8,
            "turn": "7R", "here": "the sixth card",
            "labels": [{"line": 21, "column": 4, "end_column": 8, "text": "fifth"}], "rule": "D4", "cite": "2024, A",
            "help": "a\nb", "fixes": [],
        }
    ]  # fmt: skip
    assert report["games"][2]["diagnostics"][0]["line"] is None
    none = dict.fromkeys(("repeated", "possible", "unchecked", "nothing", "warnings", "notes", "ruled"), 0)
    some = {"games": 3, "events": 612, "turns": 114, "legal": 1, "illegal": 1, "unreadable": 1, "errors": 2}
    assert report["totals"] == none | some
    assert validate_json(write("json"))["games"] == []


def test_the_schema_is_strict():
    Draft202012Validator.check_schema(closed_schema("report"))
    validator = Draft202012Validator(closed_schema("report"))
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


SARIF = json.loads(Path(__file__).with_name("sarif.json").read_text(encoding="utf-8"))
"""What of the SARIF schema concerns what is written here; the whole of it is not at hand without a net."""


def validate_sarif(text: str) -> dict:
    log = json.loads(text)
    Draft202012Validator(SARIF).validate(log)
    return log["runs"][0]


def test_sarif():
    first = diagnostic(SIXTH, Label(span(3, "(p)A"), "fifth"), rule="D4")
    run = validate_sarif(write("sarif", game(first, diagnostic(severity=RULED), diagnostic(code="W1", severity=NOTE))))
    driver = run["tool"]["driver"]
    assert driver["version"] == program_version()
    assert [rule["id"] for rule in driver["rules"]] == list(CODES)
    error, ruled, note = run["results"]
    rule = driver["rules"][error["ruleIndex"]]
    assert (rule["id"], rule["shortDescription"]) == ("R204", {"text": CODES["R204"].title})
    assert rule["help"]["markdown"] == page("R204")
    assert (error["level"], error["suppressions"]) == ("error", [])
    place = error["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 23, "startColumn": 4, "endLine": 23, "endColumn": 8}
    assert error["relatedLocations"][0]["message"] == {"text": "fifth"}
    assert (ruled["level"], ruled["suppressions"][0]["kind"]) == ("note", "external")
    assert ruled["suppressions"][0]["justification"]
    assert (note["level"], "ruleIndex" in note) == ("note", False)
    assert validate_sarif(write("sarif"))["results"] == []


def test_sarif_as_code_hosts_take_it():
    """What GitHub asks of a file that it shows as alerts, beyond the schema: "SARIF support for code scanning".

    Each rule has a full description of at most 1,024 letters and a help text; each result has a message, a location
    with all four ends of its region and a relative address, and a fingerprint. There are limits to how many there are.
    """
    twice = [diagnostic(), diagnostic(), diagnostic(code="R205")]
    unplaced = diagnostic(span=Span(-1, 0, 0))
    run = validate_sarif(write("sarif", game(*twice, unplaced)))
    driver = run["tool"]["driver"]
    assert len(driver["rules"]) <= 25_000
    for rule in driver["rules"]:
        assert rule["fullDescription"]["text"] != rule["shortDescription"]["text"]
        assert "\n" not in rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
    for result in run["results"]:
        assert len(result["locations"]) <= 10
        assert len(result["relatedLocations"]) <= 1_000
        assert result["message"]["text"]
        for place in (*result["locations"], *result["relatedLocations"]):
            region = place["physicalLocation"]["region"]
            assert set(region) == {"startLine", "startColumn", "endLine", "endColumn"}
            assert all(number >= 1 for number in region.values())
            assert not urlsplit(place["physicalLocation"]["artifactLocation"]["uri"]).scheme
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len({*prints[:2]}) == 2, "two of a kind on one line are two alerts"
    assert prints[0].partition(":")[0] == prints[1].partition(":")[0] == prints[2].partition(":")[0]
    # Lines that come before move the place, and not the fingerprint.
    source = diagnostic().source
    moved = replace(diagnostic(), source=Source(source.name, source.lines, 100))
    (result,) = validate_sarif(write("sarif", game(moved)))["results"]
    assert result["partialFingerprints"]["primaryLocationLineHash"] == prints[0]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] > 100


def test_the_project_s_page_is_the_one_that_its_package_names(monkeypatch: pytest.MonkeyPatch):
    names = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    told = validate_sarif(write("sarif"))["tool"]["driver"]
    assert told.get("informationUri", "") == names.get("Homepage", "")
    package = Message()
    package["Project-URL"] = "Homepage, https://tironian.invalid/"
    monkeypatch.setattr("importlib.metadata.metadata", lambda name: package)
    assert validate_sarif(write("sarif"))["tool"]["driver"]["informationUri"] == "https://tironian.invalid/"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_what_has_no_line_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Copies of games, files that are not text, and empty ones, also under names that are not UTF-8."""
    text = (ROOT / "examples" / "2024" / "tie-break.tiro").read_bytes()
    files = {b"a.tiro": text * 2 + text.replace(b"5", b"4"), b"lat\xfcn.tiro": text, b"lat\xe4n.tiro": text}
    files |= {b"empty.tiro": b"", b"blank \xff.tiro": b"\n", b"utf16.tiro": b"\xff\xfe1", b"nul.tiro": b"a\0b"}
    for name, content in files.items():
        (tmp_path / os.fsdecode(name)).write_bytes(content)
    monkeypatch.chdir(tmp_path)

    def told() -> dict[tuple[str, ...], str]:
        found = {}
        for each in validate_sarif(report(read("."), "sarif"))["results"]:
            place, print_ = each["locations"][0]["physicalLocation"], each["partialFingerprints"]
            found[each["ruleId"], print_["primaryLocationLineHash"], place["artifactLocation"]["uri"]] = each["message"]
        return found

    first = told()
    assert {rule for rule, *_ in first} >= {"A101", "N101", "N107"}
    without_line = [mark for rule, mark, _ in first if rule in ("A101", "N101", "N107")]
    assert len({*without_line}) == len(without_line)
    assert not [mark for mark in without_line if mark.startswith(sha256(b"").hexdigest()[:16])]
    assert {uri.replace("./", "") for *_, uri in first} >= {"lat%FCn.tiro", "lat%E4n.tiro", "blank%20%FF.tiro"}
    copy = tmp_path / os.fsdecode(b"lat\xfcn.tiro")
    copy.write_bytes(b"; a comment before it\n\n" + text)
    assert first.keys() <= told().keys()


NAMING = [*in_all_formats("check", ".", "-j", "1", "-v"), *in_all_formats("repair", "--diff", *NOT_UTF_8)]


@pytest.mark.parametrize("command", NAMING, ids=ascii)
def test_every_report_tells_files_apart_whose_names_are_not_utf_8(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in NOT_UTF_8:
        (tmp_path / name).write_text(BROKEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    told = tiro(*command).stdout.replace("%25", "%")  # as GitHub wants it
    assert not [lost for lost in ("\ufffd", "\\ufffd", "&#65533;", "\\udc") if lost in told]
    named = {unquote_to_bytes(each) for each in re.findall(r"lat[^\s,\"<:]*", told)}
    assert named >= {os.fsencode(name) for name in NOT_UTF_8}


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


@pytest.mark.parametrize("form", FORMATS)
def test_the_library_returns_what_the_command_writes(form: Any, tmp_path: Path):
    twice = tmp_path / "again.tiro"
    twice.write_bytes((ROOT / "examples/1997/tie-break.tiro").read_bytes())
    paths = [f"{ROOT}/examples/broken", f"{ROOT}/examples/1997", str(twice)]
    games = [game for path in paths for game in read(path)]
    written = tiro("check", "--format", form, *paths).stdout
    if form == "json":  # games do not say which files of a folder hold none
        written = written.replace(f'"not_read": {json.dumps(json.loads(written)["not_read"])}', '"not_read": []')
    assert report(games, form) == written


def test_an_unknown_format():
    with pytest.raises(ValueError, match="there is no report format 'pdf'"):
        reporter("pdf", io.StringIO())


def test_the_counts_of_a_whole_report():
    severities = (ERROR, ERROR, WARNING, RULED)
    tally = Tally()
    for each in (game(), game(*(diagnostic(severity=each) for each in severities))):
        tally.add(each)
    totals = tally.totals()
    assert [totals[name] for name in ("games", "errors", "warnings", "notes", "ruled")] == [2, 2, 1, 0, 1]


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


@settings(max_examples=60)
@given(st.lists(games, max_size=3))
def test_no_format_minds_anything(some):
    for format in FORMATS:
        safe(write(format, *some, verbose=True))
    assert len(validate_json(write("json", *some))["games"]) == len(some)
    found = sum(len(each.diagnostics) for each in some)
    assert len(validate_sarif(write("sarif", *some))["results"]) == found
    assert len(ET.fromstring(write("junit", *some)).findall("*/testcase")) == len(some)
    assert len(write("github", *some).splitlines()) == found


@settings(max_examples=200)
@given(diagnostics, st.integers(20, 120))
def test_underlines_stay_within_their_line(found, width):
    """Every line number stands right-aligned before a bar, and every bar below the one above."""
    # What is said behind the excerpt may hold bars of its own.
    labels = tuple(replace(label, text=label.text.replace("|", "")) for label in found.labels)
    found = replace(found, message="m", underline_text="", labels=labels, rule="", cite="", help="", turn="")
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
