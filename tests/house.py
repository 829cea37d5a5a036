"""What each room costs, in lines of the product and of its tests; and the names that pass through the doors.

``make map`` writes them, and the picture of the rooms, into ``docs/architecture.md``, and the first sentence of each
file into ``docs/files.md``.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import Counter
from functools import cache
from itertools import takewhile
from pathlib import Path

from imports import ROOT, doors, name_of, passed, picture, room_of, tree_of

PAGE = ROOT / "docs" / "architecture.md"
FILES = ROOT / "docs" / "files.md"
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


REMARK = re.compile(r"(?:(?:#|//|--) ?(.*)|(?:/\*|\{#) ?(.*?) ?(?:\*/|#\})?)$")
"""A line of a comment in front of a file that is not Python."""


def purpose(path: Path) -> str:
    """Return the first sentence of a file's docstring, or of the comment in front of it, without its full stop."""
    if path.suffix == ".py":
        text = ast.get_docstring(tree_of(path)) or ""
    else:
        lines = map(REMARK.match, path.read_text(encoding="utf-8").splitlines())
        text = " ".join(line[1] or line[2] or "" for line in takewhile(bool, lines) if line).strip("- ")
    first = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[a-z)`\d])\. (?=[A-Z`])", first)[0].removesuffix(".").replace("|", "\\|")


def mapped() -> str:
    """Return the page of all files of the product, room by room."""
    page = ["# What is in each file", "", "Made by `make map` from the first sentence of each file."]
    every = [path for path in files() if path.relative_to(ROOT).parts[0] != "tests"]
    for folder in sorted(
        {path.parent for path in every}, key=lambda folder: (folder.name == "library", name_of(folder))
    ):
        told = {path.name: purpose(path) for path in sorted(every) if path.parent == folder}
        rows = [f"| `{name}` | {content} |" for name, content in told.items() if content and name != "__init__.py"]
        if rows:
            page += ["", f"## {name_of(folder)}/", "", "| file | content |", "|---|---|", *rows]
    return "\n".join(page) + "\n"


def main() -> None:
    """Write today's numbers, the picture and the files."""
    page, now = PAGE.read_text(encoding="utf-8"), counted()
    page = ROW.sub(lambda row: f"| `{row[1]}/` | {row[2]} | {now[row[1]][0]:,} | {now[row[1]][1]:,} |", page)
    for door in doors():
        row = f"| `{name_of(door)}` | {purpose(door)} | {len(passed().get(door, ())):,} |"
        page = re.sub(rf"^\| `{name_of(door)}` \|.*$", row, page, flags=re.MULTILINE)
    page = re.sub("```mermaid\n.*?```", f"```mermaid\n{picture()}\n```", page, flags=re.DOTALL)
    PAGE.write_text(page, encoding="utf-8")
    FILES.write_text(mapped(), encoding="utf-8")


if __name__ == "__main__":
    main()
