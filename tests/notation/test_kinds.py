"""The table of kinds is complete: every class of token has a row, and says of each field what it is."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest
from tironian import tokens as t
from tironian.notation.kinds import Part, Who, parts

TOKENS = get_args(t.Token)


def test_every_class_of_token_has_a_row() -> None:
    assert set(t.KINDS) == set(TOKENS)


@pytest.mark.parametrize("cls", TOKENS)
def test_every_field_says_what_it_is_and_who_sees_it(cls: type) -> None:
    assert list(parts(cls)) == [field.name for field in fields(cls)]
    assert all(isinstance(part, Part) for part in parts(cls).values())


@pytest.mark.parametrize("cls", TOKENS)
def test_whose_cards_it_is_about_can_be_told(cls: type) -> None:
    whose = [t.KINDS[cls].about, *[part.seen_by for part in parts(cls).values()]]
    assert Who.NAMED not in whose or "side" in parts(cls)
    assert t.KINDS[cls].about in (Who.ALL, Who.MOVER, Who.OTHER, Who.NAMED)


def test_actions_are_the_classes_that_play_a_card() -> None:
    assert set(t.ACTIONS) == set(get_args(t.Action)) == set(t.CARD_OF)
    assert set(get_args(t.SetUp)) == {cls for cls in TOKENS if t.KINDS[cls].step == t.SETUP}
