"""Vote trees as data, as ``schemas/votes.schema.json`` describes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ...notation.cards import GROUP_LETTERS, SIDE_LETTERS
from ...notation.safe_text import visible
from ..analysis.margins import Margin
from ..analysis.vote_tree import Node, VoteTree
from .data import both, side_letter

SCHEMA: Final = "urn:tironian:schema:votes:1"


def votes_data(trees: Iterable[VoteTree], edition: str, view: str) -> dict[str, Any]:
    """Return the trees of one game as the schema's object."""
    return {"$schema": SCHEMA, "edition": edition, "view": view, "votes": [tree_data(tree) for tree in trees]}


def tree_data(tree: VoteTree) -> dict[str, Any]:
    """Return one tree with its margins as data."""
    return {
        "number": tree.number,
        "turn": tree.turn,
        "token": tree.token,
        "at": tree.at,
        "title": tree.title,
        "group": GROUP_LETTERS[tree.group],
        "special": tree.special,
        "winner": SIDE_LETTERS[tree.winner],
        "by_rules": tree.by_rules,
        "tree": _node(tree.root),
        "margins": [_margin(margin) for margin in tree.margins],
        "told": [visible(sentence) for sentence in tree.told],
    }


def _node(node: Node) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "label": visible(node.label),
        "title": visible(node.title),
        "lines": [visible(line) for line in node.lines],
        "taken": node.taken,
        "chance": None if node.chance is None else {"cases": node.chance[0], "of": node.chance[1]},
        "winner": side_letter(node.winner),
        "children": [_node(child) for child in node.children],
    }


def _margin(margin: Margin) -> dict[str, Any]:
    letters = {"side": side_letter(margin.side), "result": SIDE_LETTERS[margin.result], "cards": both(margin.cards)}
    return margin._asdict() | letters
