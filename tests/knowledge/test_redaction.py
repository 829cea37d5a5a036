"""What a token tells somebody: a class of token that does not say who can see it is never shown."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from tironian import tokens as t
from tironian.notation.cards import EGYPT, ROME, SOME_ACTION, SOME_INFLUENCE
from tironian.notation.tokens import Audience, FieldKind, FieldType
from tironian.replay.knowledge.redaction import HIDDEN_WORD, seen_token

OTHERS = ("cleopatra", "table")


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A token of which nobody has said who can see it."""

    group: Annotated[int, FieldKind(FieldType.GROUP, Audience.ALL)]
    secret: int


@dataclass(frozen=True, slots=True)
class Declared:
    group: Annotated[int, FieldKind(FieldType.GROUP, Audience.ALL)]
    card: Annotated[int | None, FieldKind(FieldType.CARD, Audience.MOVER)]


@dataclass(frozen=True, slots=True)
class Indivisible:
    """A token whose hidden field cannot be shown in part."""

    group: Annotated[int, FieldKind(FieldType.GROUP, Audience.MOVER)]


@pytest.mark.parametrize("view", ["caesar", *OTHERS])
def test_a_class_that_does_not_say_who_sees_it_is_refused(view: str) -> None:
    invented: Any = Undeclared(0, 5)
    with pytest.raises(TypeError, match=r"Undeclared\.secret"):
        seen_token(invented, ROME, view)


@pytest.mark.parametrize("view", ["caesar", *OTHERS])
def test_what_is_no_token_at_all_is_refused(view: str) -> None:
    invented: Any = "5A"
    with pytest.raises(TypeError):
        seen_token(invented, ROME, view)


@pytest.mark.parametrize("view", OTHERS)
def test_a_class_that_says_who_sees_it_needs_nothing_else(view: str) -> None:
    invented: Any = Declared(0, 5)
    assert seen_token(invented, ROME, "caesar") == invented
    assert seen_token(invented, ROME, view) == Declared(0, SOME_INFLUENCE)
    assert seen_token(invented, EGYPT, "caesar") == Declared(0, SOME_INFLUENCE)


@pytest.mark.parametrize("view", OTHERS)
def test_what_cannot_be_shown_in_part_is_hidden_as_a_whole(view: str) -> None:
    invented: Any = Indivisible(0)
    assert seen_token(invented, ROME, view) == HIDDEN_WORD


def test_only_players_know_a_hand_that_was_looked_at() -> None:
    spy = t.Spy(card=4, draw=3, hand=(3, 4, 6))
    assert seen_token(spy, ROME, "caesar") == t.Spy(4, SOME_INFLUENCE, (3, 4, 6))
    assert seen_token(spy, ROME, "cleopatra") == spy
    assert seen_token(spy, ROME, "table") == t.Spy(4, SOME_INFLUENCE, None)


def test_a_hand_is_told_by_its_piles() -> None:
    assert seen_token(t.Hand((7, 1, 5)), ROME, "table") == t.Hand((SOME_INFLUENCE, SOME_INFLUENCE, SOME_ACTION))
