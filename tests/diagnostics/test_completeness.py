"""Every code has its page, the examples on it do what they say, and every rule is cited."""

from __future__ import annotations

import gzip
import io
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tironian import EDITION_NAMES, Diagnostic, Game, check, infer_rules, load_edition, parse
from tironian.codes import page
from tironian.notation.diagnostic import ERROR, WARNING
from tironian.notation.reader import read_bytes
from tironian.notation.source import MAX_LINE_LENGTH, MAX_LINES
from tironian.replay.checking.canonical import canonical_faults
from tironian.replay.checking.inference import inference_note
from tironian.replay.diagnostics.registry import CODES
from tironian.tools.archive.batch import Batch, local_runner
from tironian.tools.archive.checker import ChunkChecker
from tironian.tools.archive.register import Register
from tironian.tools.cli.rulebook import POINTS
from tironian.tools.merge.merge import merge_all
from tironian.tools.report.model import internal_error
from tironian.tools.storage.sources import InputFile

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "codes"
HEADINGS = ["What it means", "The rule", "Wrong", "Right", "What to do"]
FENCE = re.compile(r"```(tiro|text)\n(.*?)\n```", re.S)
HEADERS = {
    "Event": "Club evening", "Site": "Alexandria", "Date": "2026.05.02", "Round": "1", "Caesar": "A. Player",
    "Cleopatra": "B. Player",
}  # fmt: skip
LOG = """[Rules "2024"]
[Caesar "A. Player"]
[Cleopatra "B. Player"]

1E (3)A 5Q +3x
1R (5)A 4Q =A5:3>R +1s
2E (2)P 3C =o +22
2R (4)P 1C =r +31
3E (4)C 2K =o +52
*
"""
IN_WORDS = {
    "N101": ("﻿1E".encode("utf-16-le"), b'\xef\xbb\xbf; as UTF-8\n[Rules "2024"]\n'),
    "N102": (b'[Caesar "J\xfcrgen"]\n', '[Caesar "Jürgen"]\n'.encode()),
    "N103": (b"1E " + b"5A " * MAX_LINE_LENGTH, b"1E 5A 5A 5A\n"),
    "N108": (gzip.compress(b'[Rules "2024"]\n')[:-9], gzip.compress(b'[Rules "2024"]\n')),
    "N109": (b'[Rules "2024"]\n' + b"; word\n" * MAX_LINES, b'[Rules "2024"]\n; word\n'),
    "T001": (b'[Rules "2024"]\n', b'[Rules "2024"]\n'),
    "A101": (b'[Rules "2024"]\n\n1E (3)A\n*\n\n[Rules "2024"]\n\n1E (3)A !\n*\n', b'[Rules "2024"]\n\n1E (3)A\n*\n'),
    "A102": (f"{LOG}\n{LOG.replace('(3)A', '(i)A')}".encode(), LOG.encode()),
    "A103": (f"{LOG}\n{LOG.replace('A. Player', 'A.  player')}".encode(), LOG.encode()),
}
"""Codes whose examples can't be printed on a page: the wrong bytes, then the right ones."""
ARCHIVES = {"N108", "A101", "A102", "A103"}
"""Codes that a text alone can't show; they take a check of a file."""


@cache
def sections(code: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", page(code), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def example(code: str, heading: str) -> tuple[str, str]:
    """Return the kind and the text of the one fenced block under a heading."""
    ((kind, text),) = FENCE.findall(sections(code)[heading])
    return kind, text


def with_headers(text: str) -> str:
    """Return an example with the required headers that it leaves out."""
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
def diagnostics_of(code: str, heading: str) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of an example, those of canonical form only where that is the subject."""
    games: list[Game]
    if code[0] == "M":
        return of_merged_logs(example(code, heading)[1], code)
    if code in IN_WORDS:
        data = IN_WORDS[code][HEADINGS[2:4].index(heading)]
        if code in ARCHIVES:
            return of_checked_file(data)
        games = list(read_bytes(io.BytesIO(data), code))
    else:
        games = parse(with_headers(example(code, heading)[1]), code)
    diagnostics = [diagnostic for game in games for diagnostic in check(game).diagnostics]
    if code == "H214":
        diagnostics = [inference_note(game, found) for game in games if (found := infer_rules(game))]
    if code == "T001" and heading == "Wrong":
        diagnostics = [internal_error(failed(), game.source) for game in games]
    if code == "S001":
        diagnostics += [diagnostic for game in games for diagnostic in canonical_faults(game)]
    return tuple(diagnostics)


def failed() -> Exception:
    """Return an exception that has been raised."""
    try:
        raise IndexError("list index out of range")
    except IndexError as error:
        return error


def of_checked_file(data: bytes) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of a file with these bytes."""
    with tempfile.NamedTemporaryFile() as file, Register() as register:
        Path(file.name).write_bytes(data)
        batch = Batch([InputFile(file.name)], ChunkChecker(moves=True), register, local_runner(1))
        return tuple(diagnostic for games in batch.reports() for game in games for diagnostic in game.diagnostics)


def of_merged_logs(text: str, name: str) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of merged logs. Logs follow each other; those of one view are one file."""
    files: dict[str, list[str]] = {}
    for log in re.split(r"\n\n(?=\[)", text):
        files.setdefault(re.findall(r'^\[View "(.*)"\]', log, re.M)[0], []).append(with_headers(log))
    merged, _ = merge_all([parse("\n\n".join(logs), name) for logs in files.values()])
    return tuple(diagnostic for game in merged for diagnostic in (*game.diagnostics, *game.verdict.diagnostics))


def faults_of_page(code: str) -> Iterator[str]:
    """Yield what is wrong with a page as a text: its title, its length of line, its citations."""
    text = page(code)
    if re.findall(r"^# (.+)$", text, re.M) != [f"{code} · {CODES[code].title}"]:
        yield "the title line is not the code and its title"
    yield from (f"nothing stands under {heading}" for heading, body in sections(code).items() if not body.strip())
    yield from (f"longer than 120 characters: {line}" for line in text.splitlines() if len(line) > 120)
    yield from (f"points out of the page: {word}" for word in ("../", "RULINGS", "/work") if word in text)
    points = set(re.findall(r"\b([A-P]\d{1,2}[abc]?)\b", sections(code)["The rule"]))
    yield from (f"there is no rule point {point}" for point in sorted(points - POINTS.keys()))
    if rule := CODES[code].rule:
        cited = {point for name in EDITION_NAMES for point in load_edition(name).citation(rule).points}
        if not points & cited:
            yield f"{rule} is about {sorted(cited)}, of which the page names none"


def faults_of_examples(code: str) -> Iterator[str]:
    """Yield what is wrong with the two examples of a page: their fences, and what a check says of them."""
    kinds = {example(code, heading)[0] for heading in ("Wrong", "Right")}
    if kinds != ({"text"} if code in IN_WORDS else {"tiro"}):
        yield f"the fences are {sorted(kinds)}"
    wrong, right = diagnostics_of(code, "Wrong"), diagnostics_of(code, "Right")
    if code not in {diagnostic.code for diagnostic in wrong}:
        yield "the wrong example does not show it"
    if "[Rules" in example(code, "Wrong")[1]:  # without headers there is no more to be said about a game
        others = {diagnostic.code for diagnostic in wrong if diagnostic.severity in (ERROR, WARNING)} - {code}
        yield from (
            f"the wrong example shows {other}, and the page does not say so"
            for other in sorted(others)
            if other not in page(code)
        )
    for diagnostic in right:
        serious = diagnostic.severity in (ERROR, WARNING) or diagnostic.code == code
        if diagnostic.code[0] == "N" if code in IN_WORDS else serious:
            yield f"the right example shows {diagnostic.code}"
    bare = [text for _, text in (example(code, heading) for heading in ("Wrong", "Right")) if "[Event" not in text]
    if ("leave out required headers" in page(code)) != any("[Rules" in text for text in bare):
        yield "whether the examples leave out required headers is not what the page says"


def faults_of_diagnostics(code: str) -> Iterator[str]:
    """Yield what is wrong with the diagnostics of the wrong example: severity, help, rule and citation."""
    own = [diagnostic for diagnostic in diagnostics_of(code, "Wrong") if diagnostic.code == code]
    if CODES[code].severity not in {diagnostic.severity for diagnostic in own}:
        yield f"it is never of its severity, {CODES[code].severity}"
    serious = [diagnostic for diagnostic in own if diagnostic.severity in (ERROR, WARNING)]
    if not serious and CODES[code].severity in (ERROR, WARNING):
        yield "it is neither an error nor a warning"
    yield from (f"no help: {diagnostic.message}" for diagnostic in serious if not diagnostic.help.strip())
    for diagnostic in diagnostics_of(code, "Wrong"):
        if CODES[diagnostic.code].rule and not (diagnostic.rule and diagnostic.cite):
            yield f"{diagnostic.code} comes without its rule or without its citation"


def test_every_page_belongs_to_a_code_and_every_code_has_its_page():
    assert {path.stem for path in PAGES.glob("*.md")} == CODES.keys()


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_has_its_page_and_the_page_is_true(code: str):
    assert re.findall(r"^##+ (.+)$", page(code), re.M) == HEADINGS
    faults = [*faults_of_page(code), *faults_of_examples(code), *faults_of_diagnostics(code)]
    assert not faults, "\n".join(faults)


def test_a_missing_victim_leads_to_the_vote_that_discarded_cards_there():
    opening = "0R (2)P (1)Q (4)A (3)K (5)C m(Q,12) +v\n0E (5)P (3)Q (1)A (4)K (2)C m(Q*,A*) +v\n1E 5P (2)C +23\n"
    (game,) = parse(f'[Rules "2024"]\n\n{opening}1R (4)Q 3K =A4:1>R +4x\n2E (3)P 1C =o +22\n2R x1A (4)Q =o +s\n')
    (found,) = [each for each in check(game).diagnostics if each.code == "R305"]
    assert [label.text for label in found.labels] == ["the vote that last discarded cards there, 1R"]


def test_every_message_is_filled():
    for diagnostic in (diagnostic for code in CODES for diagnostic in diagnostics_of(code, "Wrong")):
        if diagnostic.code[0] == "N":  # what can't be read is quoted as it is
            continue
        labels = " ".join(label.text for label in diagnostic.labels)
        words = f"{diagnostic.message} {diagnostic.underline_text} {diagnostic.help} {labels}"
        assert not re.search(r"[{}]|None|Choice|<", words), words
        assert diagnostic.message.strip(), diagnostic.code


@pytest.mark.parametrize(("wrong", "name"), [("Ceasar", "Caesar"), ("cleopatre", "Cleopatra"), ("Evnet", "Event")])
def test_a_misspelt_header_is_offered(wrong, name):
    headers = "".join(f'[{wrong if key == name else key} "{value}"]\n' for key, value in HEADERS.items())
    (game,) = parse(f'[Rules "2024"]\n[Result "*"]\n{headers}')
    (misspelt,) = [diagnostic for diagnostic in check(game).diagnostics if diagnostic.code == "H201"]
    assert misspelt.help == f"did you mean {name} instead of {wrong}?"
    assert misspelt.source.text(misspelt.span.line).startswith(f"[{wrong} ")


def test_a_code_about_the_rules_has_its_rule():
    rules = {code: {fault.rule for fault in diagnostics_of(code, "Wrong") if fault.code == code} for code in CODES}
    # These three concern the record, not the play.
    assert {code for code in CODES if code[0] in "RC" and "" in rules[code]} == {"C908", "C909", "C911"}


def test_source_and_registry_name_the_same_codes():
    sources = [path for folder in ("notation", "replay", "tools") for path in (ROOT / folder).rglob("*.py")]
    literal = re.compile(r"""(["'])([ANSHMRCT]\d{3})\1""")
    used = {hit[1] for path in sources for hit in literal.findall(path.read_text(encoding="utf-8"))}
    assert used == CODES.keys()


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_every_rule_of_a_code_is_cited(name):
    edition = load_edition(name)
    for entry in CODES.values():
        if entry.rule:
            cite = edition.citation(entry.rule)
            assert cite.text.strip(), f"{entry.code}: {entry.rule}"
            assert cite.points, f"{entry.code}: {entry.rule}"
            assert set(cite.points) <= POINTS.keys()


def test_rules_without_a_value_have_no_value():
    for edition in map(load_edition, EDITION_NAMES):
        assert not edition.cites.keys() & edition.laws.keys()
        assert edition.laws.keys() <= {entry.rule for entry in CODES.values()}
        assert load_edition(edition.name, (("empty_side", "tie"),)).laws == edition.laws
