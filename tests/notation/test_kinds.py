"""The table of kinds is complete: every class of token has a row, and says of each field what it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
from imports import ROOT, SOURCES, tree_of
from tironian import tokens as t
from tironian.notation.codes import LAYOUT
from tironian.notation.tokens import Audience, FieldKind, field_kinds

TOKENS = get_args(t.Token)


def test_every_class_of_token_has_a_row() -> None:
    assert set(t.KINDS) == set(TOKENS)


@pytest.mark.parametrize("cls", TOKENS)
def test_every_field_says_what_it_is_and_who_sees_it(cls: type) -> None:
    assert list(field_kinds(cls)) == [field.name for field in fields(cls)]
    assert all(isinstance(part, FieldKind) for part in field_kinds(cls).values())


@pytest.mark.parametrize("cls", TOKENS)
def test_whose_cards_it_is_about_can_be_told(cls: type) -> None:
    whose = [t.KINDS[cls].about, *[part.seen_by for part in field_kinds(cls).values()]]
    assert Audience.NAMED not in whose or "side" in field_kinds(cls)
    assert t.KINDS[cls].about in (Audience.ALL, Audience.MOVER, Audience.OTHER, Audience.NAMED)


def test_actions_are_the_classes_that_play_a_card() -> None:
    assert set(t.ACTIONS) == set(get_args(t.Action)) == set(t.CARD_OF)
    assert set(get_args(t.SetUp)) == {cls for cls in TOKENS if t.KINDS[cls].step == t.SETUP}


SILENT = {
    ("replay/story/instead.py", "_carry_out"): "the other words are carried out where they are still legal",
    ("replay/story/what_if.py", "_changed"): "the other moves change no card of a vote",
    ("replay/words/events.py", "description_of"): "the other words say themselves all that they did",
    ("replay/words/events.py", "choice_words"): "the other moves are told as what they did",
    ("replay/words/events.py", "instead"): "where no short sentence says a repair, it is told in the notation",
    ("replay/engine/shown.py", "with_shown_cards"): "the other words show no cards that may be left out",
    ("replay/knowledge/witness.py", "_known"): "in the other words a card is one field, named as its kind says",
    ("replay/engine/play.py", "_codeless_faults"): "a word that is not a move is refused as a fault, R602",
    ("replay/rules/mechanics/setup.py", "lay_out"): "other words do nothing in a set-up, and the law refuses them",
    ("replay/words/brief.py", "_action"): "an action without a short form is told as in a full timeline",
    ("replay/words/brief.py", "brief_token"): "the other words are told as they are in a full timeline",
    ("replay/knowledge/ledger.py", "_set_up"): "other words do nothing in a set-up, and the law refuses them",
    ("tools/insight/account.py", "_step"): "what is neither an own choice nor chance is the other side's doing",
    ("tools/insight/account.py", "_own_action"): "of the other actions nothing is left to choose once they may happen",
    ("tools/insight/analysis_text.py", "luck_words"): "only votes are named by their place",
    ("tools/recorder/questions.py", "_set_up"): "only four kinds of words are offered in a set-up",
    ("tools/recorder/questions.py", "_play"): "whatever is offered first and has no step of its own begins the turn",
    ("tools/recorder/recorder.py", "_is_explained"): "the general question, which the other cases only answer faster",
    ("tools/render/vote_picture.py", "_drawn"): "of an action its card is drawn, of anything else nothing",
    ("tools/repair/slips.py", "_other_class_tokens"): "a word without a sign like it is taken for no other",
    ("replay/simulation/simulator.py", "_kinds"): "a token without a name of its own counts under that of its event",
}
"""Where tokens are told apart and those of another class pass: file and function → why that is right."""


def _functions(path: Path) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node


def _token_classes(node: ast.AST) -> list[str]:
    """The classes of tokens that a node names as ``t.Place``."""
    return [
        inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "t"
        if inner.attr in {cls.__name__ for cls in TOKENS}
    ]


def _is_loud(case: ast.match_case) -> bool:
    """Whether a case raises, or is one that the type checker proves to be out of reach."""
    (first, *_) = case.body
    called = first.value.func if isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) else None
    return isinstance(first, ast.Raise) or (isinstance(called, ast.Name) and called.id == "assert_never")


def test_a_new_class_passes_no_dispatch_unnoticed() -> None:
    silent = {
        (str(path.relative_to(ROOT)), name)
        for path in SOURCES
        for name, function in _functions(path)
        for node in ast.walk(function)
        if isinstance(node, ast.Match) and sum(bool(_token_classes(case.pattern)) for case in node.cases) > 1
        if not (ast.unparse(node.cases[-1].pattern) == "_" and _is_loud(node.cases[-1]))
    }
    assert silent == set(SILENT)


def test_there_is_one_table_only() -> None:
    """But for the bits of codes, what an action is called in a sentence, and the three kinds of words whose number or
    flag can have been meant for another.
    """
    tables = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Dict) and sum(bool(_token_classes(key)) for key in node.keys if key) > 2
    ]
    assert tables == ["notation/codes.py", "replay/words/events.py", "tools/repair/slips.py"]


def test_codes_have_the_fields_of_each_class_in_their_order() -> None:
    in_turns = {cls for cls, kind in t.KINDS.items() if kind.step != t.SETUP} - {t.Unread}
    assert {cls: list(bits) for cls, bits in LAYOUT.items()} == {cls: list(field_kinds(cls)) for cls in in_turns}
