"""Small changes to a Python file that make it another program: found with ast, made in the text at the spot."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

OPERATORS: Final[dict[type, tuple[str, str]]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "//"), ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "//"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"), ast.Div: ("/", "*"),
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
"""An operator → how it is written, and what is put in its place."""
_WORDS: Final = re.compile(r"#[^\n]*|is\s+not\b|not\s+in\b|\b\w+\b|<<=?|>>=?|//=?|[-+*%&|^/<>=!]=?")


@dataclass(frozen=True, slots=True)
class Change:
    """One change: the text from ``start`` to ``end`` of a file becomes ``new``. ``function`` is the one it is in."""

    path: Path
    start: int
    end: int
    old: str
    new: str
    function: str
    """The qualified name of the outermost function around it, empty where there is none."""
    number: int
    """Of the line."""

    @property
    def told(self) -> str:
        """``< → <=``."""
        return f"{' '.join(self.old.split())} → {' '.join(self.new.split())}"

    def changed(self) -> str:
        """The text of the file with the change."""
        text = text_of(self.path)
        return text[: self.start] + self.new + text[self.end :]

    def place(self, root: Path) -> str:
        return f"{self.path.relative_to(root)}:{self.number}"

    def line(self) -> str:
        return text_of(self.path).splitlines()[self.number - 1].strip()


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def changes(path: Path) -> list[Change]:
    """All changes that can be made to a file, in the order of their places."""
    finder = _Finder(path)
    finder.visit(ast.parse(text_of(path)))
    return sorted(finder.found, key=lambda change: (change.start, change.end))


class _Finder(ast.NodeVisitor):
    """What is passed by means nothing while the program runs, or is held elsewhere: types, decorators, texts."""

    def __init__(self, path: Path) -> None:
        self.path, self.text = path, text_of(path)
        self.found: list[Change] = []
        self._lines = [0]
        for line in self.text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._classes: list[str] = []
        self._function = ""

    # ------------------------------------------------------------------------------------------- where it is

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        for each in node.body:
            self.visit(each)
        self._classes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:  # made when the function is defined, so not a part of its code
                self.visit(default)
        outer, self._function = self._function, self._function or ".".join((*self._classes, node.name))
        for each in node.body:
            self.visit(each)
        self._function = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    # --------------------------------------------------------------------------------------- what is changed

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._operator(type(node.op), self._end(node.left), self._start(node.right))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._operator(type(node.op), self._end(node.target), self._start(node.value), "=")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._operator(type(node.op), self._end(left), self._start(right))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self._operator(type(operator), self._end(left), self._start(right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._put(self._start(node), self._end(node), str(not node.value))
        elif isinstance(node.value, int):
            self._put(self._start(node), self._end(node), str(node.value + 1))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._put(self._start(node), self._end(node), f"bool({self._of(node.operand)})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        """A condition turned round, where no change of its one operator does that anyhow."""
        turned = isinstance(test, ast.UnaryOp) or (
            isinstance(test, ast.Compare)
            and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn)
        )
        if not turned:
            self._put(self._start(test), self._end(test), f"(not ({self._of(test)}))")

    def _operator(self, kind: type, start: int, end: int, behind: str = "") -> None:
        """The one operator that stands between two operands, with brackets and comments perhaps."""
        if kind not in OPERATORS:
            return
        old, new = OPERATORS[kind]
        for word in _WORDS.finditer(self.text, start, end):
            if " ".join(word[0].split()) == old + behind:
                self._put(word.start(), word.end(), new + behind)
                return
        raise AssertionError(f"no {old} in {self.text[start:end]!r}")

    def _put(self, start: int, end: int, new: str) -> None:
        number = self.text.count("\n", 0, start) + 1
        self.found.append(Change(self.path, start, end, self.text[start:end], new, self._function, number))

    # -------------------------------------------------------------------------------------- places in the text

    def _start(self, node: ast.expr) -> int:
        return self._at(node.lineno, node.col_offset)

    def _end(self, node: ast.expr) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.end_lineno, node.end_col_offset)

    def _at(self, line: int, column: int) -> int:
        """A place in the text; ast counts columns in bytes."""
        begin, end = self._lines[line - 1], self._lines[line]
        return begin + len(self.text[begin:end].encode()[:column].decode())

    def _of(self, node: ast.expr) -> str:
        return self.text[self._start(node) : self._end(node)]
