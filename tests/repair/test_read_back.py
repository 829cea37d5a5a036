"""Every repair that is shown can be read back: its record, its lines, its words, and what is written to a file."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from scale import FULL, scaled
from tironian import Game, Record, Repair, check, find_repairs, parse, write
from tironian.notation.suggestions import suggest_line
from tironian.notation.writer import canonical_headers
from tironian.tools.desk.check import likely_repairs
from tironian.tools.repair.edits import replacements, with_old_lines

TEXT = """[Rules "2024"]
[Event "Spring cup"]
[Site "Trier"]
[Date "2026.03.14"]
[Round "2.3"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]

; written at the table
0R (1)P (2)Q (3)A (4)K (5)C m("the \\"most\\" Consuls",A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q +3x ; a remark
1R (4)A 2P =A43:53>E {why} +1s
2E x2P v+5 (4)C 1Q =o +51p @0:05:02
*
"""
"""A record with every place in which a person writes freely."""

MOST = scaled(120, 300)
"""The most candidates that are followed for a text."""
SAYS = "the headers should say "
HEADER = r'\[[A-Za-z]\w* "(?:\\.|[^"\\])*"\]'


def canonical(record: Record) -> Record:
    return replace(record, headers=tuple(canonical_headers(record.headers)))


def changed(game: Game, repair: Repair) -> str:
    """The text of a game after an editor has carried out a repair."""
    lines = [f"{game.source.text(at)}\n" for at in range(len(game.source.lines))]
    fixes = replacements(repair.edits, game)
    assert fixes
    for begin, end, text in sorted(fixes, reverse=True):
        lines[begin:end] = [text]
    return "".join(lines)


def assert_read_back(text: str, budget: int = MOST) -> int:
    """Each repair of a text says what it does, and is the last one that is needed. Return how many there are."""
    count = 0
    for game in parse(text):
        for repair in find_repairs(game, budget=budget)[:3]:
            count += 1
            wanted = canonical(repair.record)
            kept = with_old_lines(repair.edits, game.record)
            for shown in (write(repair.record), changed(game, repair), write(kept)):
                (again,) = parse(shown)
                assert again.readable, (text, shown)
                assert check(again).verdict == repair.verdict.verdict, (text, shown)
                # A header value may be wrong besides; then there is one more repair, and it is the last.
                for other in find_repairs(again):
                    assert other.description != repair.description
                    assert not find_repairs(other.record)
                if shown is not write(kept):
                    assert [turn.tokens for turn in again.record.turns] == [turn.tokens for turn in wanted.turns]
                    assert again.record.headers == wanted.headers, (text, shown)
            for words in repair.description:
                if words.startswith(SAYS):
                    said = words.removeprefix(SAYS).rpartition(" (")[0]
                    assert re.fullmatch(f"(?:{HEADER} ?)+", said), (text, words)
                    for header in re.findall(HEADER, said):
                        assert set(parse(header)[0].record.headers) <= set(wanted.headers), (text, words)
    return count


UNREADABLE_HEADERS: dict[str, str | None] = {
    **json.loads(Path(__file__).with_name("unreadable_headers.json").read_text(encoding="utf-8")),
    f'[Caesar "{"L" * 500}': "L" * 500,
    **({f'[Caesar "{"L" * 19_990}"': None} if FULL else {}),
    f'[Caesar "{"L" * 30_000}"]': None,
}
"""What was written → the value that it was meant as; None where nothing is proposed."""


@pytest.mark.parametrize(("line", "meant"), UNREADABLE_HEADERS.items(), ids=range(len(UNREADABLE_HEADERS)))
def test_a_header_that_cannot_be_read_is_proposed_with_the_value_that_it_was_meant_as(line: str, meant: str | None):
    text = TEXT.replace('[Caesar "Livia"]', line)
    (game,) = parse(text)
    repairs = find_repairs(game, budget=MOST)
    if meant is None:  # the line can only be kept as a comment
        assert all(repair.record.header("Caesar", "-") == "-" for repair in repairs)
        assert all(line in write(repair.record) for repair in repairs)
        return
    assert [repair.record.header("Caesar", "-") for repair in repairs[:1]] == [meant]
    assert assert_read_back(text) == len(repairs[:3])
    for repair in repairs:
        assert repair.record.turns == game.record.turns
        assert set(game.record.headers) < set(repair.record.headers)
        advice = suggest_line(line)
        if len(line) < 100:
            (header,) = parse(advice.removeprefix("a header is written "))[0].record.headers
            assert header == ("Caesar", meant)
    told = likely_repairs(text, "game.tiro")["repairs"] if repairs and (FULL or line.endswith('\\"]')) else []
    assert {parse(each["text"])[0].record.header("Caesar") for each in told} <= {meant}


NASTY = "\"\\[]{};|%#*=+-()<>:,.'“”„»\t\x0b\x1b\x1c\x85\u2028\u200b\u0430R E0 1A5Kvm"
SEEDS = range(scaled(25, 3000))


def damaged(rng: Random) -> str:
    """The text with one to three slips of the pen, most of them where quotes, brackets and signs are."""
    text = TEXT
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.choice([place for place, sign in enumerate(text) if sign in '"[];{}()*\n' or rng.random() < 0.1])
        match rng.randrange(5):
            case 0:
                text = text[:at] + text[at + 1 :]
            case 1:
                text = text[:at] + rng.choice(NASTY) + text[at:]
            case 2:
                text = text[:at] + rng.choice(NASTY) + text[at + 1 :]
            case 3:
                text = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
            case _:
                lines = text.splitlines(keepends=True)
                line = rng.randrange(len(lines))
                lines.insert(rng.randrange(len(lines)), lines[line])
                text = "".join(lines)
    return text


@pytest.mark.parametrize("seed", SEEDS)
def test_every_repair_of_a_damaged_record_is_read_back(seed: int):
    assert_read_back(damaged(Random(seed)))


def test_damaged_records_have_repairs():
    """Otherwise the test above would say nothing."""
    found = sum(bool(find_repairs(game, budget=MOST)) for seed in SEEDS[:10] for game in parse(damaged(Random(seed))))
    assert found >= 3


def test_a_comment_that_would_not_fit_into_a_line_is_left_out():
    """What is written to a file can be read, however long the line was that a repair changed."""
    long = TEXT.replace("a remark", "x" * 19_950).replace("(3)A 5Q", "(3)A 5Q 5K")
    assert assert_read_back(long, 300)
