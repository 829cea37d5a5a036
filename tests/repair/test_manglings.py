"""What mail, word processors, keyboards and spreadsheets make of a record is one fault, with one proven repair."""

from __future__ import annotations

import html
import json
import quopri
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import Record, check, find_repairs, parse, read, write
from tironian.tools.cli.command_line import main

HOME = Path(__file__).parents[2] / "examples"
RECORDS = [
    write(next(read(path)).record)
    for path in (*sorted((HOME / "2024").glob("*.tiro"))[:2], *sorted((HOME / "1997").glob("*.tiro"))[:1])
]
Mangle = Callable[[str], str]


def line_by_line(change: Mangle) -> Mangle:
    return lambda text: "".join(f"{change(line)}\n" if line else "\n" for line in text.splitlines())


def quoted_printable(text: str) -> str:
    return quopri.encodestring(text.replace('[Event "', '[Event "Köln, ').encode()).decode()


def wrapped(width: int) -> Mangle:
    """Return what breaks lines as mail does; words and comments go on in the next line."""
    return line_by_line(
        lambda line: "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False))
    )


def with_signs(keys: str, signs: str) -> Mangle:
    """Return what exchanges signs outside of headers' values and comments."""
    table = str.maketrans(keys, signs)

    def change(line: str) -> str:
        if line.startswith("["):
            return line
        head, semicolon, note = line.partition(";")
        return re.sub(r'(\{[^}]*\}|"[^"]*")|[^{"]+', lambda part: part[1] or part[0].translate(table), head) + (
            semicolon + note
        )

    return line_by_line(change)


def curly(text: str) -> str:
    text = re.sub(r'(?m)^\[(\w+) "(.*)"\]$', "[\\1 “\\2”]", text)
    return text.replace('("', "(“").replace('")', "”)").replace('",', "”,")


def cell(line: str) -> str:
    return '"' + line.replace('"', '""') + '"' if re.search('[",]', line) else line


LETTERS = "abcdefghijklmnoprstuvwxyz"
GREEK = with_signs(f"{LETTERS}{LETTERS.upper()}Q", "αβψδεφγηιξκλμνοπρστθωςχυζΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠΡΣΤΘΩςΧΥΖ:")
RUSSIAN = "фисвуапршолдьтщзкыегмцчня"
MANGLED: dict[str, Mangle] = {
    "quoted-printable": quoted_printable,
    "HTML": line_by_line(html.escape),
    "HTML with line ends": line_by_line(lambda line: f"{html.escape(line)}<br>"),
    "quoted by mail": line_by_line(lambda line: f"> {line}"),
    "quoted twice": line_by_line(lambda line: f">> {line}"),
    "quoted by mail and shown on the web": line_by_line(lambda line: html.escape(f"> {line}")),
    "wrapped at 60": wrapped(60),
    "wrapped at 40 and quoted": lambda text: MANGLED["quoted by mail"](wrapped(40)(text)),
    "flowed": lambda text: wrapped(40)(text).replace("\n", " \n"),
    "in a fence": lambda text: f"```tiro\n{text}```\n",
    "with backslashes": line_by_line(lambda line: re.sub(r"(?<!^)([*_\[\]#>+=-])", r"\\\1", line)),
    "in a spreadsheet": line_by_line(cell),
    "in a spreadsheet, word by word": line_by_line(
        lambda line: cell(line) if line[0] in "[;|%" or '"' in line or ";" in line or "{" in line
        else ",".join(map(cell, line.split())) + ",,"
    ),
    "with apostrophes": line_by_line(lambda line: f"'{line}"),
    "curly quotes": curly,
    "German quotes": lambda text: curly(text).replace("“", "„").replace("”", "“"),
    "French quotes": lambda text: curly(text).replace("“", "«").replace("”", "»"),
    "single quotes": lambda text: re.sub(r'(?m)^\[(\w+) "(.*)"\]$', r"[\1 '\2']", text),
    "long dashes": with_signs("-", "–"),
    "signs of multiplication": with_signs("x", "×"),
    "Cyrillic letters": with_signs("AECKPSacopxys", "АЕСКРЅасорхуѕ"),
    "letters of Greek that look alike": with_signs("AEKPopxvw", "ΑΕΚΡορχνω"),
    "a Greek keyboard": GREEK,
    "a Russian keyboard": with_signs(f"{LETTERS}{LETTERS.upper()}Q", f"{RUSSIAN}{RUSSIAN.upper()}Й"),
    "full width": with_signs(
        "".join(map(chr, range(33, 127))).replace(";", "").replace("{", "").replace("}", ""),
        "".join(chr(sign + 0xFEE0) for sign in range(33, 127) if chr(sign) not in ";{}"),
    ),
    "digits in circles": with_signs("12345", "①②③④⑤"),
    "bold": with_signs("ACEKPQRS12345", "𝐀𝐂𝐄𝐊𝐏𝐐𝐑𝐒𝟏𝟐𝟑𝟒𝟓"),
    "spaces that can't be seen": line_by_line(lambda line: re.sub(r"(?<=[A-Z]) ", "\u200b ", line, count=1)),
    "a space that joins": lambda text: text.replace(" +", "\u00a0\u2060+"),
    "brackets replaced": lambda text: text.replace("(p)", "℗").replace(" 1E ", " 1E "),
}  # fmt: skip


def of(text: str) -> tuple[object, ...]:
    (game,) = parse(text)
    return told(game.record)


def told(record: Record) -> tuple[object, ...]:
    """Return headers, turns and result; where a comment stands may change, but none is lost."""
    notes = [note for turn in record.turns for note in (*turn.notes, *turn.after)]
    headers = {name: value for name, value in record.headers if name != "Event"}
    return headers, [(turn.label, turn.tokens, turn.marks) for turn in record.turns], len(notes), record.result


@pytest.mark.parametrize("text", RECORDS, ids=[f"record {number}" for number in range(len(RECORDS))])
@pytest.mark.parametrize("name", MANGLED)
def test_what_happened_on_the_way_is_one_fault_with_one_repair(name: str, text: str):
    mangled = MANGLED[name](text)
    (game,) = parse(mangled)
    if game.mended is None:
        assert told(game.record) == of(text)
        return
    verdict = check(game)
    errors = [found.code for found in verdict.diagnostics if found.severity == "error"]
    assert errors == ["N111"] * (not game.readable), verdict.diagnostics
    assert (verdict.verdict == "unreadable") is not game.readable
    first = find_repairs(game)[0]
    assert [edit.slip.value for edit in first.edits] == ["on_the_way"]
    assert told(first.record) == of(text)


HEAD = """\
[Rules "2024"]
[Event "Spring cup"]
[Site "Trier"]
[Date "2026.03.14"]
[Round "2.3"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]

"""
GAME = f"""{HEAD}\
0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q +3x
1R (4)A 2P =A43:53>E +1s
2E x2P v+5 (4)C 1Q =o +51p
*
"""
"""A game that is still going on, as it was written."""


def faults(text: str) -> list[tuple[str, int, str, str]]:
    """Return code, line, message and help of what is wrong with a text."""
    return [(each.code, each.line, each.message, each.help) for game in parse(text) for each in check(game).diagnostics]


def test_several_games_in_one_mail_are_told_apart():
    mail = "".join(f"> {line}\n" if line else ">\n" for line in f"{GAME}\n{GAME}".splitlines())
    games = parse(mail)
    assert [game.number for game in games] == [1, 2]
    assert [game.source.first for game in games] == [1, 17]
    assert [[edit.slip.value for edit in find_repairs(game)[0].edits] for game in games] == [["on_the_way"]] * 2
    assert [write(find_repairs(game)[0].record) for game in games] == [GAME, GAME]


def test_repair_writes_the_text_as_it_was(tmp_path: Path):
    (tmp_path / "sent.tiro").write_text(GREEK(GAME), encoding="utf-8")
    done = CliRunner().invoke(main, ["repair", str(tmp_path / "sent.tiro"), "-o", str(tmp_path / "whole.tiro")])
    assert done.exit_code == 0, done.output
    written = (tmp_path / "whole.tiro").read_text(encoding="utf-8")
    assert "repaired, changed in transit" in written
    assert told(parse(written)[0].record) == of(GAME)


def test_reports_and_tables_hold_the_game_as_it_was(tmp_path: Path):
    (tmp_path / "sent.tiro").write_text(curly(GAME), encoding="utf-8")
    run = CliRunner().invoke
    (report,) = json.loads(run(main, ["check", "--format", "json", str(tmp_path / "sent.tiro")]).stdout)["games"]
    assert {"name": "Caesar", "value": "Livia"} in report["headers"]
    assert [each["code"] for each in report["diagnostics"]] == ["N111"]
    run(main, ["export", str(tmp_path / "sent.tiro"), "-o", str(tmp_path / "tables")])
    asked = "SELECT caesar, events, (SELECT count(*) FROM events) AS rows FROM games"
    answer = run(main, ["query", "-d", str(tmp_path / "tables"), "--format", "json", asked])
    assert json.loads(answer.stdout) == {"caesar": "Livia", "events": 27, "rows": 27}


def test_of_another_keyboard_no_likeness_is_told():
    ((_, _, message, _),) = faults(GREEK(GAME))
    assert "(GREEK CAPITAL LETTER RHO, U+03A1); it was typed on a Greek keyboard" in message
