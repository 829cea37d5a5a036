"""Only the editions tell the members of a choice apart; everything else reads what they carry."""

from __future__ import annotations

import ast

from imports import SOURCES, name_of, room_of, tree_of
from tironian.replay.editions.choices import Choice

SETS = {each.__name__ for each in Choice.__subclasses__()}


def test_members_are_named_only_by_the_editions():
    named = [
        f"{name_of(path)}:{node.lineno}"
        for path in SOURCES
        if room_of(path) != "editions"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SETS
    ]
    assert SETS
    assert not named
