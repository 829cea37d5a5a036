"""A choice of an edition has its meaning in one function, and a new member can't be forgotten there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from inspect import isfunction, signature
from typing import Any, get_type_hints

import pytest
from imports import SOURCES, name_of, tree_of
from tironian.replay.diagnostics.messages import WAYS
from tironian.replay.editions import choices, policies
from tironian.replay.editions.choices import Choice, Placement

SETS = {
    each.__name__
    for each in vars(choices).values()
    if isinstance(each, type) and issubclass(each, Choice) and each is not Choice
}
"""The names of the closed sets."""
FUNCTIONS = [each for each in vars(policies).values() if isfunction(each) and each.__module__ == policies.__name__]
POLICIES = "replay/editions/policies.py"
WORDS = {"Placement": "replay/diagnostics/messages.py"}
"""Closed set → where its members have words of their own beside their meaning."""


def decided_by(function: Any) -> type[Choice]:
    """The closed set whose members a function tells apart: the type of its first parameter."""
    return get_type_hints(function)[next(iter(signature(function).parameters))]


def test_each_closed_set_has_a_function():
    assert {decided_by(function).__name__ for function in FUNCTIONS} == SETS


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_member_has_a_meaning(function: Any):
    others = [0] * (len(signature(function).parameters) - 1)
    for member in decided_by(function):
        function(member, *others)  # or a KeyError


def test_each_way_to_place_cards_has_words():
    assert set(WAYS) == set(Placement)


def members_in(tree: ast.AST) -> Iterator[ast.Attribute]:
    """The places where a member of a closed set is named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SETS:
            yield node


def entries_in(tree: ast.AST) -> Iterator[ast.expr | None]:
    """The keys and values of the tables in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from [*node.keys, *node.values]


def test_members_are_named_only_in_the_tables_of_all_of_them():
    named_elsewhere: list[str] = []
    for path in SOURCES:
        tree, name = tree_of(path), name_of(path)
        decided = {id(each) for each in entries_in(tree)}
        named_elsewhere += [
            f"{name}:{each.lineno}"
            for each in members_in(tree)
            if id(each) not in decided or name not in (POLICIES, WORDS.get(ast.unparse(each.value)))
        ]
    assert not named_elsewhere
