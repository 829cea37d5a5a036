"""Markdown of which headings are cases and fences are checked: one reader for all tests that are prose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Fence:
    """What stands between two lines of three backticks. ``line`` is the number of its first line in the file."""

    info: str
    line: int
    lines: list[str] = field(default_factory=list)


@dataclass
class Case:
    """A heading of the second level, with its prose and its fences."""

    path: Path
    title: str
    line: int
    prose: list[str] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file. What stands before the first of them introduces the file."""
    case: Case | None = None
    fence: Fence | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if fence is not None:
            if line == "```":
                fence = None
            else:
                fence.lines.append(line)
        elif line.startswith("## "):
            if case is not None:
                yield case
            case = Case(path, line.removeprefix("## "), number)
        elif line.startswith("```"):
            assert case is not None, f"{path}:{number}: a fence without a case"
            fence = Fence(line.removeprefix("```"), number + 1)
            case.fences.append(fence)
        elif case is not None and line.strip():
            case.prose.append(line)
    assert fence is None, f"{path}: the last fence has no end"
    if case is not None:
        yield case
