"""The annotations of hand-checked games, kind by kind (tests/annotations/README.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from blocks import Block, compose, records_of
from prose import read_cases
from tironian import Entry, parse, timeline
from tironian.replay.story.annotation_kinds import ANNOTATION_KINDS
from tironian.replay.words.notes import annotation_words

HOME = Path(__file__).parent
HEADING = re.compile(r"(fires|does not fire): (\S.*)")
CLAIM = re.compile(r";! (\w+): (\S.*)")


@dataclass
class Case:
    """A heading with its records. ``kind`` is the file's name, ``fires`` whether it must be among what is found."""

    kind: str
    fires: bool
    title: str
    blocks: list[Block]

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


def cases_in(path: Path) -> Iterator[Case]:
    for case in read_cases(path):
        heading = HEADING.fullmatch(case.title)
        assert heading, f"{path}:{case.line}: not the heading of a case: {case.title}"
        yield Case(path.stem, heading[1] == "fires", heading[2], records_of(case))


CASES = [case for path in sorted(HOME.glob("*.md")) if path.stem in ANNOTATION_KINDS for case in cases_in(path)]


def found(entries: tuple[Entry, ...]) -> list[str]:
    return [f"{entry.label} {each.kind}: {annotation_words(each)}" for entry in entries for each in entry.annotations]


def claimed(lines: list[str]) -> Iterator[str]:
    """What the claims say, each under the turn that it follows."""
    turn = ""
    for line in lines:
        if label := re.match(r"\s*(\d+[RE])\b", line):
            turn = label[1]
        elif claim := CLAIM.fullmatch(line.strip()):
            yield f"{turn} {claim[1]}: {claim[2]}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert case.blocks, "a case without a record"
    for block in case.blocks:
        options = dict(block.options)
        view = options.pop("as", "")
        edition = options.pop("rules", "2024")
        lines, _ = compose(Block(options, block.lines, block.line), edition)
        (game,) = parse("\n".join(lines))
        assert not game.problems
        told = timeline(game, view)
        assert not told.stopped
        assert found(told.entries) == [*claimed(lines)]
        kinds = {each.kind for entry in told.entries for each in entry.annotations}
        assert (case.kind in kinds) is case.fires


@pytest.mark.parametrize("kind", ANNOTATION_KINDS)
def test_every_kind_has_cases_of_both_sorts(kind: str):
    assert {case.fires for case in CASES if case.kind == kind} == {True, False}
