"""The script that changes the rules to see whether tests notice: what it changes, and that it sees a failing test."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import changes
from forks import Pool

ROOT = Path(__file__).parents[1]
SAMPLE = '''
LIMIT: int | None = 5

def room(cards: list[int | None], most: int = 4) -> bool:
    """One of 5 < 6."""
    if len(cards) is not None and (most  # a comment with - and <
            < LIMIT):
        return not cards
    total = [card for card in cards if card]
    total += [1]
    return -1 if "ü" != "u" else f"{most + 1}" is not None
'''


def changed_lines(tmp_path: Path) -> dict[tuple[str, str], list[str]]:
    """The function and what is changed → the lines that are then others."""
    path = tmp_path / "sample.py"
    path.write_text(SAMPLE, encoding="utf-8")
    return {
        (change.function, f"{change.number - 1}: {change.told}"): sorted(
            set(change.changed().splitlines()) - set(SAMPLE.splitlines())
        )
        for change in changes(path)
    }


def test_each_change_is_made_in_its_place(tmp_path: Path):
    found = changed_lines(tmp_path)
    assert found["", "1: 5 → 6"] == ["LIMIT: int | None = 6"]
    assert found["", "3: 4 → 5"] == ["def room(cards: list[int | None], most: int = 5) -> bool:"]
    assert found["room", "5: is not → is"] == [
        "    if len(cards) is None and (most  # a comment with - and <",
    ]
    assert found["room", "6: < → <="] == ["            <= LIMIT):"]
    assert found["room", "7: not cards → bool(cards)"] == ["        return bool(cards)"]
    assert found["room", "8: card → (not (card))"] == ["    total = [card for card in cards if (not (card))]"]
    assert found["room", "9: += → -="] == ["    total -= [1]"]
    assert found["room", "10: != → =="] == ['    return -1 if "ü" == "u" else f"{most + 1}" is not None']


def test_types_and_texts_are_left_alone(tmp_path: Path):
    assert not [told for _, told in changed_lines(tmp_path) if "|" in told or told.startswith("4: ")]
    assert not [told for _, told in changed_lines(tmp_path) if told == "10: + → -"]


FILES = sorted(path for folder in ("replay", "tools") for path in (ROOT / folder).glob("*/*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_changed_is_still_a_program(path: Path):
    found = changes(path)
    for change in found[:: max(1, len(found) // 5)]:
        compile(change.changed(), str(path), "exec")


def test_work_in_a_process_changes_nothing_here():
    kept: list[int] = []

    def work(item: int) -> str:
        kept.append(item)
        if item == 2:
            raise SystemExit(7)
        return "even" * (item % 2 == 0)

    answers = {item: answer.told for item, answer in Pool(2).each(range(4), work)}
    assert answers == {0: "even", 1: "", 2: "an end without an answer", 3: ""}
    assert not kept
    assert Pool(1).one(lambda: len(kept)) == 0
