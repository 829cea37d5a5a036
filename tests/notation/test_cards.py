"""Which cards there are stands in one table, and nobody counts them again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from imports import SOURCES, name_of, tree_of
from tironian import cards as c
from tironian.notation import codes
from tironian.notation.tokens import ACTIONS, CARD_OF
from tironian.replay.rules.sequences import action_card

COUNTS = {c.HIGHEST, c.INFLUENCE_KINDS, c.VETO, c.SOME_INFLUENCE, c.SOME_ACTION, c.CARD_KINDS}
"""Numbers that are bounds of cards; a range or a row of so many things is one of cards."""
CARD_WORDS = {"card", "kind", "slot", "written"}
"""How variables are called that hold a card."""


def number(node: ast.expr) -> int | None:
    """The integer that stands here, as it is or as a machine integer."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "i64" and node.args:
        node = node.args[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def is_card(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in CARD_WORDS


def bare_bounds(tree: ast.AST) -> Iterator[ast.expr]:
    """Ranges, rows, comparisons and sums in which a bound of the cards stands as a bare number."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="range"), args=args) if COUNTS & {number(each) for each in args[:2]}:
                yield node
            case ast.BinOp(left=ast.List(), op=ast.Mult(), right=right) if number(right) in COUNTS:
                yield node
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mod(), right=right) if is_card(left):
                if number(right) in COUNTS:
                    yield node
            case ast.Compare(left=left, comparators=others) if any(map(is_card, (left, *others))):
                if COUNTS & {number(each) for each in (left, *others)}:
                    yield node
            case _:
                pass


def test_no_bound_of_the_cards_is_a_bare_number():
    found = [
        f"{name_of(path)}:{node.lineno}: {ast.unparse(node)}" for path in SOURCES for node in bare_bounds(tree_of(path))
    ]
    assert not found, "\n".join(found)


def test_the_tables_agree():
    assert len(c.CARD_LETTERS) == len(c.CARD_NAMES) == c.CARD_KINDS
    assert (*c.INFLUENCE_CARDS, *c.ACTION_CARDS, *c.MAY_BE) == tuple(range(c.CARD_KINDS))
    assert len(c.GROUP_LETTERS) == len(c.GROUP_NAMES) == c.GROUP_COUNT
    assert [card for card in range(c.CARD_KINDS) if c.is_influence(card)] == [*c.INFLUENCE_CARDS, c.SOME_INFLUENCE]


def test_classes_stand_in_the_order_of_their_codes():
    kinds = [codes.PLACE, codes.DRAW, codes.VOTE, codes.SPECIAL_VOTE, codes.NO_VOTE, codes.PUT_AWAY, codes.DISCARD]
    kinds += [codes.ASSASSINATE, codes.SCOUT, codes.WRATH, codes.CASTLE, codes.SPY, codes.VETO, codes.CHOOSE]
    assert kinds == [*range(1, len(codes.CLASSES) + 1)]
    assert [type(codes.decode(kind)) for kind in kinds] == [*codes.CLASSES]
    assert [kind for kind in kinds if codes.ACTION_KINDS >> kind & 1] == [
        kind for kind, cls in zip(kinds, codes.CLASSES, strict=True) if cls in ACTIONS
    ]
    cards = {kind: CARD_OF[cls] for kind, cls in zip(kinds, codes.CLASSES, strict=True) if cls in ACTIONS}
    assert {kind: action_card(kind) for kind in cards} == cards
    assert len(kinds) <= codes.KIND
    assert c.CARD_KINDS <= codes.KIND
