"""Nothing is missing: every code has its page, its examples do what they say, and every rule is cited."""

from __future__ import annotations

import gzip
import io
import re
import tempfile
from functools import cache
from pathlib import Path

import pytest
from tironian.codes import page
from tironian.notation.diagnostic import ERROR, WARNING, Diagnostic
from tironian.notation.game import LONGEST_LINE, MOST_LINES
from tironian.notation.reader import Game, parse, read_bytes
from tironian.replay.archive.batch import Batch, here
from tironian.replay.archive.chunk_reports import Judge
from tironian.replay.archive.register import Register
from tironian.replay.checking.canonical import strictly
from tironian.replay.checking.check import check
from tironian.replay.diagnostics.registry import CODES
from tironian.replay.editions.edition import EDITION_NAMES, load_edition
from tironian.replay.editions.points import POINTS
from tironian.replay.merging.pairing import merge_all
from tironian.replay.storage.sources import Found

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "codes"
HEADINGS = ["What it means", "The rule", "Wrong", "Right", "What to do"]
FENCE = re.compile(r"```(tiro|text)\n(.*?)\n```", re.S)
HEADERS = {
    "Event": "Club evening",
    "Site": "Alexandria",
    "Date": "2026.05.02",
    "Round": "1",
    "Caesar": "A. Player",
    "Cleopatra": "B. Player",
}
IN_WORDS = {
    "N101": ("﻿1E".encode("utf-16-le"), b'\xef\xbb\xbf; as UTF-8\n[Rules "2024"]\n'),
    "N102": (b'[Caesar "J\xfcrgen"]\n', '[Caesar "Jürgen"]\n'.encode()),
    "N103": (b"1E " + b"5A " * LONGEST_LINE, b"1E 5A 5A 5A\n"),
    "N108": (gzip.compress(b'[Rules "2024"]\n')[:-9], gzip.compress(b'[Rules "2024"]\n')),
    "N109": (b'[Rules "2024"]\n' + b"; word\n" * MOST_LINES, b'[Rules "2024"]\n; word\n'),
    "A101": (b'[Rules "2024"]\n\n1E (3)A\n*\n\n[Rules "2024"]\n\n1E (3)A !\n*\n', b'[Rules "2024"]\n\n1E (3)A\n*\n'),
}
ARCHIVES = {"N108", "A101"}
"""Those that are not found in a text alone."""
"""Codes whose examples can't stand on a page: the bytes that are wrong, and those that are right."""


@cache
def sections(code: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", page(code), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def example(code: str, heading: str) -> tuple[str, str]:
    """The kind and the text of the one fenced block under a heading."""
    ((kind, text),) = FENCE.findall(sections(code)[heading])
    return kind, text


def dressed(text: str) -> str:
    """A record's text with the required headers that an example leaves out."""
    rules = re.search(r'^\[Rules ".*"\]\n', text, re.M)
    if rules is None or "[Event" in text:
        return text
    last = text.splitlines()[-1].split()[0]
    points = re.match(r"\d+-\d+(>[RE])?$", last)
    wanted = {**HEADERS, "Result": last if points else "*"}
    given = [line for line in text.splitlines(keepends=True) if line.startswith("[")]
    missing = [f'[{name} "{value}"]\n' for name, value in wanted.items() if f"[{name} " not in text]
    return rules.group() + "".join(missing) + "".join(given[1:]) + text.partition(given[-1])[2]


@cache
def found(code: str, heading: str) -> tuple[Diagnostic, ...]:
    """Everything that a check says of an example, the demand for canonical form included where it is the subject."""
    games: list[Game]
    if code[0] == "M":
        return joined(example(code, heading)[1], code)
    if code in IN_WORDS:
        data = IN_WORDS[code][HEADINGS[2:4].index(heading)]
        if code in ARCHIVES:
            return checked(data)
        games = list(read_bytes(io.BytesIO(data), code))
    else:
        games = parse(dressed(example(code, heading)[1]), code)
    told = [diagnostic for game in games for diagnostic in check(game).diagnostics]
    if code == "S001":
        told += [diagnostic for game in games for diagnostic in strictly(game)]
    return tuple(told)


def checked(data: bytes) -> tuple[Diagnostic, ...]:
    """Everything that is told when a file is checked that holds these bytes."""
    with tempfile.NamedTemporaryFile() as file, Register() as register:
        Path(file.name).write_bytes(data)
        batch = Batch([Found(file.name)], Judge(moves=True), register, here(1))
        return tuple(told for games in batch.reports() for game in games for told in game.diagnostics)


def joined(text: str, name: str) -> tuple[Diagnostic, ...]:
    """Everything that is told when logs are joined that stand one behind the other; those of one view are one file."""
    files: dict[str, list[str]] = {}
    for log in re.split(r"\n\n(?=\[)", text):
        files.setdefault(re.findall(r'^\[View "(.*)"\]', log, re.M)[0], []).append(dressed(log))
    merged, _ = merge_all([parse("\n\n".join(logs), name) for logs in files.values()])
    return tuple(told for each in merged for told in (*each.diagnostics, *each.verdict.diagnostics))


@pytest.fixture(params=sorted(CODES))
def code(request: pytest.FixtureRequest) -> str:
    return request.param


def test_every_page_belongs_to_a_code_and_every_code_has_its_page():
    assert {path.stem for path in PAGES.glob("*.md")} == CODES.keys()


def test_a_page_has_its_headings(code):
    text = page(code)
    assert re.findall(r"^# (.+)$", text, re.M) == [f"{code} · {CODES[code].title}"]
    assert re.findall(r"^##+ (.+)$", text, re.M) == HEADINGS
    assert all(body.strip() for body in sections(code).values())
    assert all(len(line) <= 120 for line in text.splitlines())


def test_a_page_stands_alone(code):
    for word in ("../", "RULINGS", "/work"):
        assert word not in page(code)


def test_the_rule_is_cited_on_its_page(code):
    text = sections(code)["The rule"]
    points = set(re.findall(r"\b([A-P]\d{1,2}[abc]?)\b", text))
    assert points <= POINTS.keys()
    if rule := CODES[code].rule:
        cited = {point for name in EDITION_NAMES for point in load_edition(name).cite(rule).points}
        assert points & cited, f"{rule} is about {sorted(cited)}"


def test_examples_are_records(code):
    kinds = {example(code, heading)[0] for heading in ("Wrong", "Right")}
    assert kinds == ({"text"} if code in IN_WORDS else {"tiro"})


def test_the_wrong_example_is_wrong(code):
    told = found(code, "Wrong")
    assert code in [each.code for each in told]
    if "[Rules" not in example(code, "Wrong")[1]:
        return  # without headers there is no more to be said about a game
    others = {each.code for each in told if each.severity in (ERROR, WARNING)} - {code}
    assert all(other in page(code) for other in others), others


def test_the_right_example_is_right(code):
    if code in IN_WORDS:
        assert not [each for each in found(code, "Right") if each.code[0] == "N"]
    else:
        assert not [each for each in found(code, "Right") if each.severity in (ERROR, WARNING) or each.code == code]


def test_every_message_is_filled():
    messages = [each for code in CODES for each in found(code, "Wrong") if CODES[each.code].message]
    for each in messages:
        told = f"{each.message} {each.here} {each.help} {' '.join(label.text for label in each.labels)}"
        assert not re.search(r"[{}]|None|Choice|<", told), told
        assert each.message.strip(), each.code


def test_a_page_says_that_its_examples_lack_headers(code):
    bare = [each for heading in ("Wrong", "Right") if "[Event" not in (each := example(code, heading)[1])]
    assert ("leave out required headers" in page(code)) == any("[Rules" in each for each in bare)


@pytest.mark.parametrize(("wrong", "name"), [("Ceasar", "Caesar"), ("cleopatre", "Cleopatra"), ("Evnet", "Event")])
def test_a_misspelt_header_is_offered(wrong, name):
    headers = "".join(f'[{wrong if key == name else key} "{value}"]\n' for key, value in HEADERS.items())
    (told,) = [
        each for each in check(parse(f'[Rules "2024"]\n[Result "*"]\n{headers}')[0]).diagnostics if each.code == "H201"
    ]
    assert told.help == f"did you mean {name} by {wrong}?"
    assert told.source.text(told.span.line).startswith(f"[{wrong} ")


def test_every_error_and_warning_has_a_way_out(code):
    told = [each for each in found(code, "Wrong") if each.code == code and each.severity in (ERROR, WARNING)]
    assert all(each.help.strip() for each in told)
    assert told or CODES[code].severity not in (ERROR, WARNING)


def test_a_code_about_the_rules_has_its_rule():
    rules = {code: {each.rule for each in found(code, "Wrong") if each.code == code} for code in CODES}
    # The rest speaks of the record, and not of the play.
    assert {code for code in CODES if code[0] in "RC" and "" in rules[code]} == {"C908", "C909", "C911"}


def test_severity_is_that_of_the_registry(code):
    assert CODES[code].severity in {each.severity for each in found(code, "Wrong") if each.code == code}


def test_source_and_registry_name_the_same_codes():
    sources = [path for folder in ("notation", "replay") for path in (ROOT / folder).rglob("*.py")]
    literal = re.compile(r"""(["'])([ANSHMRC]\d{3})\1""")
    used = {hit[1] for path in sources for hit in literal.findall(path.read_text(encoding="utf-8"))}
    assert used == CODES.keys()


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_every_rule_of_a_code_is_cited(name):
    edition = load_edition(name)
    for entry in CODES.values():
        if entry.rule:
            cite = edition.cite(entry.rule)
            assert cite.text.strip(), f"{entry.code}: {entry.rule}"
            assert cite.points, f"{entry.code}: {entry.rule}"
            assert set(cite.points) <= POINTS.keys()


def test_rules_without_a_value_have_no_value():
    for edition in map(load_edition, EDITION_NAMES):
        assert not edition.cites.keys() & edition.laws.keys()
        assert edition.laws.keys() <= {entry.rule for entry in CODES.values()}
        assert load_edition(edition.name, (("empty_side", "tie"),)).laws == edition.laws


def test_a_diagnostic_about_a_rule_shows_its_citation(code):
    for each in found(code, "Wrong"):
        if CODES[each.code].rule:
            assert each.rule, each.code
            assert each.cite, each.code
