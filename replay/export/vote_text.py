"""A vote's tree as an outline: the way that was taken from top to bottom, the other ways under each step of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ...notation.safe_text import visible
from ..analysis.vote_tree import Node, VoteTree

EXPECTED: Final = "Before the cards were turned up"
CHANGED: Final = "What one card would have changed"
"""Headings of what stands below a tree."""


def outline(tree: VoteTree) -> list[str]:
    """Return the lines of one tree, its margins below it; also the text alternative of its picture."""
    lines = [f"{tree.title}   {tree.token}", *_walk(tree.root)]
    lines += [f"  {CHANGED.lower()}:", *(f"      {sentence}" for sentence in tree.told)]
    return [visible(line) for line in lines]


def text(trees: Iterable[VoteTree]) -> Iterator[str]:
    """Yield the lines of several trees, with an empty one between them."""
    for number, tree in enumerate(trees):
        if number:
            yield ""
        yield from outline(tree)


def said(node: Node) -> str:
    """Return a node in one line: ``Quaestors, 1 of 7: one card turned up; Rome 4, face down 3; Egypt 2``."""
    label = ", ".join(filter(None, (node.label, node.share)))
    return (f"{label}: " if label else "") + "; ".join((node.signed, *node.lines))


def expectations(expected: Iterable[tuple[str, Sequence[Node]]]) -> Iterator[str]:
    """Yield a sentence for each who could expect something: ``Caesar could expect: ▲ Rome 80 % (▲5 : ▼4), …``."""
    for label, results in expected:
        parts = [f"{node.signed} ({'; '.join(node.lines)})" for node in results]
        yield f"{label}: {', '.join(parts)}"


def _walk(node: Node) -> Iterator[str]:
    """Yield the lines of a node and its children, the taken branch after the others."""
    yield f"  {'→ ' if node.label or not node.children else ''}{said(node)}"
    taken = [child for child in node.children if child.taken]
    others = [f"      or {said(child)}" for child in node.children if not child.taken and child.kind != "expected"]
    others += [f"      {sentence}" for sentence in expectations(node.expected)]
    for child in taken:
        first, *rest = _walk(child)
        yield first if first.startswith("  → ") else f"  → {first.lstrip()}"
        yield from others
        yield from rest
    if not taken:
        yield from others
