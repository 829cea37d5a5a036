"""What the files of the house import, read from their source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYODIDE = ROOT / ".venv" / "node" / "node_modules" / "pyodide"
"""Where `make webassembly` puts Pyodide."""
PACKAGES = ("grammar", "notation", "replay", "schemas", "tools")
SOURCES = sorted(path for package in (*PACKAGES, "library") for path in (ROOT / package).rglob("*.py"))


@dataclass(frozen=True)
class Import:
    """One imported name: where, its full name, and whether it is imported within a function or for types only."""

    path: Path
    line: int
    module: str
    within_function: bool
    for_types: bool

    @property
    def late(self) -> bool:
        return self.within_function or self.for_types

    def __str__(self) -> str:
        return f"{name_of(self.path)}:{self.line} imports {self.module}"


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def mounted(path: Path) -> list[str]:
    """Return where a file or folder is mounted, as the parts of a dotted name without the file's suffix."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ["tironian", *parts[parts[0] == "library" :]]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


@cache
def imports_of(path: Path) -> tuple[Import, ...]:
    """Every import of a file, with relative ones spelt out."""
    nodes = [*ast.walk(tree_of(path))]
    functions = _within([node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)])
    for_types = _within([node for node in nodes if _is_for_types_only(node)])
    return tuple(
        Import(path, node.lineno, module, id(node) in functions, id(node) in for_types)
        for node in nodes
        for module in imported(node, path)
    )


def _within(outer: list[ast.AST]) -> set[int]:
    return {id(inner) for each in outer for inner in ast.walk(each)}


def _is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported(node: ast.AST, path: Path) -> Iterator[str]:
    """The full names that a statement imports: ``a.b.c`` for ``from a.b import c``."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        base = node.module.split(".") if node.module else []
        if node.level:
            package = mounted(path.parent)
            base = package[: len(package) - node.level + 1] + base
        for alias in node.names:
            yield ".".join([*base, alias.name])


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def importers(package: str, paths: list[Path]) -> list[Import]:
    """The imports, in those files, of a package or of anything in it."""
    return [found for path in paths for found in imports_of(path) if within(found.module, package)]


def room_of(path: Path) -> str:
    """Return the room of a file: its folder below ``replay/`` or ``tools/``, or else that at the root."""
    folder = path.relative_to(ROOT).parent.as_posix()
    return folder.removeprefix("replay/").removeprefix("tools/")


@cache
def files() -> dict[str, Path]:
    """Return the files by the names of their modules."""
    return {".".join(mounted(path)).removesuffix(".__init__"): path for path in SOURCES}


def file_of(found: Import) -> Path | None:
    """Return the file that an import names, or in which the imported name stands; None where it is not of the house."""
    return files().get(found.module) or files().get(found.module.rpartition(".")[0])


DOOR = re.compile(r"^\| `([a-z_/]+\.py)` \| .*? \| ([\d,]+) \|$", re.MULTILINE)
"""A row of the table of doors: the file, what it gives, and how many of its names are used."""


@cache
def doors() -> dict[Path, int]:
    """Return the doors of the rooms, with the number of names that the map allows for each."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page[page.index("## Doors") : page.index("## What each room costs")]
    return {ROOT / name: int(number.replace(",", "")) for name, number in DOOR.findall(table)}


def origin(found: Import) -> Path | None:
    """Return the file in which an imported name stands: doors only pass it on. None if it is not of the house."""
    path = file_of(found)
    if path in doors():
        name = found.module.rpartition(".")[2]
        inner = [each for each in imports_of(path) if each.module.rpartition(".")[2] == name]
        return origin(inner[0]) if inner else path
    return path


def own(path: Path) -> str:
    """Return the room of a file with all that lies in it: ``tools/desk/serving/`` is part of ``tools/desk/``."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[: 2 if parts[0] in ("replay", "tools") else 1])


@cache
def passed() -> dict[Path, set[str]]:
    """Return for each file of another room that files of ``tools`` or ``library`` import, the names that they use of
    it: those that they import, and the attributes of modules that they import.
    """
    found: dict[Path, set[str]] = {}
    for path in SOURCES:
        if not name_of(path).startswith(("tools/", "library/")) or (
            path.name == "__init__.py" and path.parent != ROOT / "library"
        ):
            continue
        modules: dict[str, Path] = {}
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom):
                for alias, module in zip(node.names, imported(node, path), strict=True):
                    file = files().get(module) or files().get(module.rpartition(".")[0])
                    if file is None or own(file) == own(path):
                        continue
                    found.setdefault(file, set()).add(alias.name)
                    inside = origin(Import(path, node.lineno, module, False, False)) if file in doors() else file
                    if inside and inside.stem == alias.name:
                        modules[alias.asname or alias.name] = file
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                found[modules[node.value.id]].add(node.attr)
    return found


def circles() -> list[list[str]]:
    """Return the files that import each other in a circle, for types alone as well, but not within functions."""
    graph = {
        path: {target for found in imports_of(path) if not found.within_function and (target := file_of(found))}
        for path in SOURCES
    }
    reach = {path: {path} for path in SOURCES}
    grows = True
    while grows:
        before = sum(map(len, reach.values()))
        for path in SOURCES:
            reach[path].update(*(reach[target] for target in graph[path]))
        grows = sum(map(len, reach.values())) > before
    around = {tuple(sorted(name_of(other) for other in reach[path] if path in reach[other])) for path in SOURCES}
    return sorted(list(each) for each in around if len(each) > 1)


def rooms() -> dict[str, set[str]]:
    """Return for each room the other rooms in whose files stands what its own files import."""
    found: dict[str, set[str]] = {room_of(path): set() for path in SOURCES}
    for path in SOURCES:
        for each in imports_of(path) if path not in doors() else ():
            if target := origin(each):
                found[room_of(path)].add(room_of(target))
    return {room: others - {room} for room, others in found.items()}


def picture() -> str:
    """Return the rooms as a Mermaid flowchart: an arrow for each import that no longer way of arrows implies.

    Raise ``graphlib.CycleError`` if rooms import each other in a circle.
    """
    graph = rooms()
    reach: dict[str, set[str]] = {}
    for room in TopologicalSorter(graph).static_order():
        reach[room] = set().union(graph[room], *(reach[other] for other in graph[room]))
    arrows = [
        f"  {room.rpartition('/')[2]} --> {other.rpartition('/')[2]}"
        for room in sorted(graph)
        for other in sorted(graph[room])
        if not any(other in reach[between] for between in graph[room])
    ]
    return "\n".join(["flowchart BT", *arrows])
