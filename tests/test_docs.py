"""What the documents show is true: games are legal, examples are of their type, the grammar is told in full."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from tironian import EDITION_NAMES, VIEWS, Card, Game, Group, check, load_edition, parse, to_json, write
from tironian.grammar import grammar_text
from tironian.notation.language import languages
from tironian.notation.writer import HEADER_ORDER, REQUIRED_HEADERS
from tironian.replay.diagnostics.registry import CODES
from tironian.replay.engine.headers import TERMINATIONS
from tironian.tools.cli.command_line import main

ROOT = Path(__file__).parents[1]
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
MERGING = (ROOT / "docs" / "merging.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
DOCUMENTS["README.md"] = README

BOXES = (ROOT / "docs" / "boxes.md").read_text(encoding="utf-8")

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
PIECES = [text for kind, text in FENCE.findall(NOTATION) if kind == "tiro"]
GAMES = [
    (name, text)
    for name, document in DOCUMENTS.items()
    if name in ("notation.md", "README.md", "cheat-sheet.md")
    for _, text in FENCE.findall(document)
    if text.startswith("[Rules ")
]
NAME = re.compile(r"\b_?[A-Z][A-Z_]+\b")
DEFINITION = re.compile(r"^(_?[a-zA-Z]\w*)(?:\.\d+)?:[ \t]*(.*(?:\n[ \t]+\|.*)*)", re.M)


def examples() -> list[tuple[str, str]]:
    """Word and type of every row of every table whose first columns are called so."""
    found: list[tuple[str, str]] = []
    within = False
    for line in NOTATION.splitlines():
        within = line.startswith("| example | type |") or (within and line.startswith("|"))
        row = re.match(r"\| `([^`]+)` \| (\w+) \|", line)
        if within and row:
            found.append((row[1], row[2]))
    return found


def definitions(text: str) -> dict[str, str]:
    """Rule or terminal → its definition on one line, without comments and without names for the alternatives."""
    text = re.sub(r"[ \t]+//.*|[ \t]*->[ \t]*\w+", "", text)
    return {name: " ".join(body.split()) for name, body in DEFINITION.findall(text)}


def spelt_out(rules: dict[str, str]) -> dict[str, str]:
    """The same without terminals that are nothing but a text: it stands where their names stood."""
    signs = {name: body for name, body in rules.items() if name.isupper() and body.startswith('"')}
    return {
        name: body if name.isupper() else NAME.sub(lambda found: signs.get(found[0], found[0]), body)
        for name, body in rules.items()
        if name not in signs
    }


def only_game(text: str) -> Game:
    (game,) = parse(text)
    return game


# ------------------------------------------------------------------------------------------------ docs/notation.md


def test_there_are_games_and_examples():
    assert len(GAMES) >= 4
    assert len(PIECES) >= 8
    assert len(examples()) >= 50


@pytest.mark.parametrize(("name", "text"), GAMES)
def test_a_game_is_canonical_and_legal(name, text):
    game = only_game(text)
    assert not game.problems
    assert write(game.record) == text
    verdict = check(game)
    assert (verdict.verdict, verdict.diagnostics) == ("legal", ()), name


@pytest.mark.parametrize("text", PIECES)
def test_a_piece_is_canonical(text):
    game = only_game(text)
    assert not game.problems
    assert write(game.record) == text


@pytest.mark.parametrize(("word", "kind"), examples())
def test_an_example_is_of_its_type(word, kind):
    game = only_game(f"1E {word}\n")
    assert not game.problems
    (token,) = to_json(game.record)["turns"][0]["tokens"]
    assert token["type"] == kind
    assert write(game.record) == f"1E {word}\n"


def test_every_type_has_an_example():
    assert {kind for _, kind in examples()} == set(definitions(grammar_text())["word"].split(" | "))


def test_the_grammar_is_told_in_full():
    """Each rule and each terminal stands in the document just as in the grammar, signs written out."""
    told: dict[str, str] = {}
    for kind, text in FENCE.findall(NOTATION):
        if kind == "ebnf":
            assert not told.keys() & definitions(text).keys()
            told |= definitions(text)
    assert told == spelt_out(definitions(grammar_text()))


def test_every_name_of_the_grammar_is_mentioned():
    names = definitions(grammar_text())
    assert len(names) > 80
    missing = [name for name in names if not re.search(rf"\b{name}\b", NOTATION)]
    assert not missing
    signs = {name: body.strip('"') for name, body in names.items() if name.isupper() and body.startswith('"')}
    assert not [name for name, sign in signs.items() if not re.search(rf"`{name}`\sis\s`{re.escape(sign)}`", NOTATION)]


def test_headers_are_told():
    section = NOTATION.partition("\n## Headers\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    told = {name: len(row) > 1 and row[1] == "yes" for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    assert told == {name: name in REQUIRED_HEADERS for name in HEADER_ORDER}
    assert all(f"`{word}`" in section for word in (*VIEWS, *TERMINATIONS))
    order = re.search(r"in this order and spelling: (.*?);", NOTATION, re.S)
    assert order is not None
    assert tuple(re.findall(r"`(\w+)`", order[1])) == HEADER_ORDER


# ----------------------------------------------------------------------------------------------- all the documents


@pytest.mark.parametrize("name", DOCUMENTS)
def test_codes_and_files_exist(name):
    text = DOCUMENTS[name]
    assert set(re.findall(r"\b[NSHMRC]\d{3}\b", text)) <= CODES.keys()
    home = ROOT if name == "README.md" else ROOT / "docs"
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (home / link).exists(), link
    for path in re.findall(r"`((?:grammar|notation|replay|schemas|docs|tests|benchmarks|examples)/[\w./-]*)`", text):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_within_a_document_lead_somewhere(name):
    text = FENCE.sub("", DOCUMENTS[name])
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


CALL = re.compile(r"(?:^|[|&;] *)(?:\$ )?(?:\.venv/bin/)?tiro ([a-z][^|<>#\n]*?)(?= {2,}|[|<>#\n])", re.M)
"""A call in a fence, up to what is said of it."""


def test_commands_and_options_that_documents_show_exist():
    found = []
    for path in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        text = path.read_text(encoding="utf-8")
        fences = [told for kind, told in FENCE.findall(text) if kind in ("", "sh", "console")]
        calls = [call for fence in fences for call in CALL.findall(fence)]
        found += [(path.name, call) for call in (*calls, *re.findall(r"(?<!`)`tiro ([a-z][^`]*)`", text))]
    assert len(found) > 250
    for page, call in found:
        name, *words = shlex.split(call)
        with click.Context(main, **main.context_settings) as above:
            command = main.get_command(above, name)
            assert command, (page, call)
            try:
                command.make_parser(click.Context(command, parent=above)).parse_args(words)
            except click.BadOptionUsage:
                pass  # in a sentence an option may stand without its value
            except click.UsageError as error:
                pytest.fail(f"{page}: {call}: {error.format_message()}")


def test_a_rule_page_has_the_anchors():
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for anchor in re.findall(r"\]\(rules\.md#([^)]+)\)", NOTATION + ARCHITECTURE):
        assert re.search(rf"^#+ {anchor}$", rules, re.M | re.I), anchor


@pytest.mark.parametrize("name", ["notation.md", "merging.md", "recording.md", "architecture.md"])
def test_a_document_stands_alone(name):
    for word in ("../shared", "RULINGS", "/work", "NOTATION.md", "ARCHITECTURE.md"):
        assert word not in DOCUMENTS[name]
    assert all(len(line) <= 120 or line.startswith("|") for line in DOCUMENTS[name].splitlines())


def test_the_glossary_is_sorted_and_names_what_exists():
    tables = DOCUMENTS["glossary.md"].split("\n## ")[1:]
    for table in tables:
        words = [row.split(" | ")[0][2:].lower() for row in table.splitlines() if row.startswith("| ")][1:]
        assert words == sorted(words)
    source = "\n".join(
        path.read_text() for room in ("notation", "replay", "tools") for path in (ROOT / room).rglob("*.py")
    )
    for name in re.findall(r"\(`(\w+)`\)", tables[1]):
        assert re.search(rf"^(class {name}\b|{name}: TypeAlias)", source, re.M), name


def test_every_benchmark_is_told():
    told = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `\.venv/bin/python benchmarks/(\w+\.py)", told, re.M)
    assert sorted(rows) == sorted(path.name for path in (ROOT / "benchmarks").glob("*.py"))
    made = [*dict.fromkeys(re.findall(r"benchmarks/(\w+\.py)", (ROOT / "Makefile").read_text(encoding="utf-8")))]
    assert made == rows[: len(made)]


# -------------------------------------------------------------------------------------------------------- README.md


def test_the_samples_of_the_library_run(tmp_path, monkeypatch):
    sample, more = [text for kind, text in FENCE.findall(README) if kind == "python"]
    (record,) = [text for name, text in GAMES if name == "README.md"]
    (tmp_path / "game.tiro").write_text(record, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        names: dict[str, object] = {}
        exec(compile(ast.parse(sample), "README.md", "exec"), names)
    lines = printed.getvalue().split("\n", 1)
    assert lines[0].startswith("legal ")
    assert lines[1] == record + "\n"
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.parse(more), "README.md", "exec"), names)
    assert "2E veto Caesar's veto prevents the assassination of a 2 at the Praetors\n" in printed.getvalue()
    assert (
        "1R · vote at the Aediles\n  places a 2 face up at the Aediles, rather than at the Praetors\n"
        in printed.getvalue()
    )


def test_the_overview_names_every_command():
    from tironian.tools.cli.command_line import COMMANDS

    told = set(re.findall(r"^\|.*\| `tiro (\w+)", DOCUMENTS["which-command.md"], re.M))
    assert told == {name for group in COMMANDS.values() for name in group}


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "pictures"))
    return runpy.run_path(str(ROOT / "docs" / "pictures" / "draw.py"))


@pytest.mark.parametrize("name", ["table", "table-narrow", "game", "vote"])
def test_the_pictures_show_what_is_drawn_now(name: str, drawing: dict[str, Any], tmp_path: Path):
    """`make pictures` draws them again."""
    drawn, kept = drawing["PICTURES"][name], ROOT / "docs" / "pictures"
    for code, folder in zip(languages(), drawing["folders"](), strict=True):
        CliRunner().invoke(main, ["--lang", code, *drawn, "-o", str(tmp_path / f"{code}.svg")])
        assert (tmp_path / f"{code}.svg").read_text() == (kept / folder / f"{name}.svg").read_text()


def test_the_score_sheets_are_those_that_are_drawn_now(drawing: dict[str, Any], tmp_path: Path):
    """`make pictures` draws them again."""
    for name, sheet in drawing["sheets"]():
        assert sheet == (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8"), name
    for folder in drawing["folders"]():
        for paper, names in drawing["PRINTED"].items():
            drawing["to_pdf"](tmp_path / "now.pdf", [folder + name for name in names])
            kept = ROOT / "docs" / "pictures" / folder / f"score-sheet-{paper}.pdf"
            assert (tmp_path / "now.pdf").read_bytes() == kept.read_bytes()


def test_each_word_of_the_cheat_sheet_is_of_the_notation():
    section = DOCUMENTS["cheat-sheet.md"].partition("\n## Words of a turn\n")[2].partition("\n## ")[0]
    words = re.findall(r"^\| `([^`]+)` \|", section, re.M)
    assert len(words) >= 20
    for word in words:
        assert not only_game(f"1E {word}\n").problems, word


@pytest.mark.process
@pytest.mark.slow
def test_the_demonstration_runs_to_its_end():
    bin_ = os.path.relpath(Path(sys.executable).parent, ROOT)
    run = ["make", "-o", ".venv/run.stamp", f"BIN={bin_}", "demo"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert len(done.stdout.splitlines()) <= 60
    named = re.findall(r"demo/[\w.-]+", done.stdout)
    assert {"demo/game.html", "demo/table.svg", "demo/broken.html"} <= {*named}
    assert all((ROOT / name).stat().st_size for name in named)


def test_every_rule_set_has_its_box_and_the_cards_are_counted_right():
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in BOXES.splitlines() if line[:2] == "| "]
    told = {line[0]: line[1:] for line in lines if len(line) == 3}
    boxes = [line for line in lines if len(line) == 4][1:]
    assert {name for box in boxes for name in re.findall(r"`(\w+)`", box[2])} == set(EDITION_NAMES)
    assert all(("not verified" in box[2]) == (box[1] == "no") for box in boxes), "what was not compared is marked so"
    for name in EDITION_NAMES:
        edition, column = load_edition(name), int(name != "2024")
        actions = sum(edition.actions.values())
        assert str(actions) in told["action cards of each side"][column]
        assert ("none" in told["action cards of each side"][column]) == (Card.SPY not in edition.actions)
        assert told["cards of each side"][column] == str(37 + actions)
        assert ("three Consuls, no Senators" in told["the five groups"][column]) == (Group.CONSUL in edition.groups)
        assert edition.device.name in told["how votes are drawn"][column]
