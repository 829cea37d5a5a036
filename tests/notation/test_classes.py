"""Data classes whose methods are written late behave as those of ``dataclasses``."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest
from tironian.notation import classes

WAYS = [
    {}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False}, {"slots": True, "repr": False},
]  # fmt: skip


def made(dataclass: Callable[..., Any], way: dict[str, bool]) -> Any:
    @dataclass(**way)
    class Card:
        """A card."""

        number: int
        letter: str = "A"
        places: list[int] = field(default_factory=list)
        line: int = field(default=-1, compare=False, repr=False)
        seen: int = field(default=3, init=False)

        def __str__(self) -> str:
            return f"{self.number}{self.letter}"

    return Card


def told(call: Callable[[], object]) -> object:
    """Return what a call gives, or the words of what it raises."""
    try:
        return call()
    except (TypeError, AttributeError) as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_they_do_what_those_of_python_do(way: dict[str, bool]) -> None:
    late, known = made(classes.dataclass, way), made(dataclasses.dataclass, way)
    for cls in (late, known):
        one, same, other = cls(1), cls(1, line=7), cls(2, "B", [3])
        assert (one == same, one != other) == (way.get("eq", True), True)
        assert (one == (1, "A", []), str(other), other.seen, one.places is same.places) == (False, "2B", 3, False)
        assert dataclasses.replace(other, number=4).places == [3]
    assert [each.name for each in dataclasses.fields(late)] == [each.name for each in dataclasses.fields(known)]
    assert late.__match_args__ == known.__match_args__
    assert str(inspect.signature(late)).replace("Ellipsis", "<factory>") == str(inspect.signature(known))
    if way.get("repr", True):
        assert repr(late(2, "B")) == repr(known(2, "B"))
    for act in (
        lambda cls: cls(),
        lambda cls: cls(1, seen=4),
        lambda cls: hash(cls(1)) and "hashed" if way.get("eq", True) else "by identity",
        lambda cls: hash(cls(1, "A", ())) if way.get("eq", True) else "by identity",
        lambda cls: setattr(cls(1), "number", 2),
        lambda cls: setattr(cls(1), "line", 2),
        lambda cls: cls(1) < cls(2),
    ):
        assert told(lambda act=act: act(late)) == told(lambda act=act: act(known))


@classes.dataclass(frozen=True, slots=True)
class Kept:
    """What pickle finds by its name."""

    number: int
    places: tuple[int, ...] = ()


def test_what_can_not_be_set_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2, 3)))) == Kept(1, (2, 3))


def test_a_method_is_written_when_it_is_asked_for() -> None:
    late = made(classes.dataclass, {})
    assert isinstance(vars(late)["__init__"], classes.LazyMethod)
    late(1)
    assert not isinstance(vars(late)["__init__"], classes.LazyMethod)
    assert isinstance(vars(late)["__repr__"], classes.LazyMethod)
