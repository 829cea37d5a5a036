"""What each room costs, in lines of the product and of its tests; and the names that pass through the doors.

``python tests/lines.py`` writes today's numbers into the table of rooms in ``docs/architecture.md``.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import Counter
from functools import cache
from pathlib import Path

from imports import DOOR, ROOT, doors, name_of, passed, room_of, tree_of

PAGE = ROOT / "docs" / "architecture.md"
ROW = re.compile(r"^\| `([a-z_/]+)/` \| (.+?) \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
"""A row of the table of rooms: room, purpose, lines, and lines of tests."""
FOLDERS = ("grammar", "notation", "replay", "tools", "library", "desk", "schemas")
TEXTS = {".js", ".css", ".j2", ".html", ".toml", ".sql", ".lark"}
"""Written by hand, besides Python."""
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
SILENT |= {tokenize.ENDMARKER}


def documented(path: Path) -> set[int]:
    """Return the numbers of the lines of a file's docstrings: strings that stand alone as a statement."""
    alone = [
        node.value
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    return {line for node in alone for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


@cache
def lines_of(path: Path) -> int:
    """Return the lines of a file with something besides comments and docstrings; of a text those that are not blank."""
    if path.suffix != ".py":
        return sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())
    with tokenize.open(path) as stream:
        tokens = [token for token in tokenize.generate_tokens(stream.readline) if token.type not in SILENT]
    filled = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return len(filled - documented(path))


@cache
def files() -> list[Path]:
    """Return the files of the project that are written by hand."""
    every = [path for folder in (*FOLDERS, "tests") for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [path for path in every if path.suffix == ".py" or path.suffix in TEXTS or path.name.startswith("rules_")]


def counted() -> dict[str, tuple[int, int]]:
    """Return for each room its lines, and those of its tests."""
    product, tests = Counter[str](), Counter[str]()
    for path in files():
        if path.relative_to(ROOT).parts[0] != "tests":
            product[of_product(path)] += lines_of(path)
        elif path.suffix == ".py":
            tests[tested(path)] += lines_of(path)
    return {room: (product[room], tests[room]) for room in sorted({*product, *tests})}


def of_product(path: Path) -> str:
    """Return the room that a file belongs to: queries and templates to that of the folder in which they lie."""
    while not (path.parent / "__init__.py").exists() and path.parent.parent != ROOT:
        path = path.parent
    return "pages" if (room := room_of(path)) == "desk" and path.is_relative_to(ROOT / "desk") else room


def tested(path: Path) -> str:
    """Return the room whose tests a file of ``tests`` holds; those of several rooms are ``tests``."""
    name = path.relative_to(ROOT / "tests").parent.as_posix().partition("/")[0]
    return {"screen": "cli/screen"}.get(name, name) if (ROOT / "tests" / name) in TESTED else "tests"


TESTED = {ROOT / "tests" / path.name for top in ("replay", "tools") for path in (ROOT / top).iterdir()}
TESTED |= {ROOT / "tests" / "screen", ROOT / "tests" / "notation"}


def purpose(door: Path) -> str:
    """Return the first line of a door's docstring, without its full stop."""
    return (ast.get_docstring(tree_of(door)) or "").splitlines()[0].removesuffix(".")


def main() -> None:
    """Write today's numbers into the tables."""
    page, now = PAGE.read_text(encoding="utf-8"), counted()
    page = ROW.sub(lambda row: f"| `{row[1]}/` | {row[2]} | " + " | ".join(f"{n:,}" for n in now[row[1]]) + " |", page)
    used = {
        name_of(door): f"| `{name_of(door)}` | {purpose(door)} | {len(passed().get(door, ())):,} |" for door in doors()
    }
    page = DOOR.sub(lambda row: used.get(row[1], row[0]), page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
