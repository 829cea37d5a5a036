"""Data classes whose methods are created when they are first used.

``dataclasses`` creates four to six methods for each class, as text that Python compiles. That took a third of a
command's start-up time, although a command needs few of these classes and even fewer of their methods.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any


class LazyMethod:
    """A placeholder in a data class for a method that has not been used yet."""

    def __init__(self, cls: type, name: str, frozen: bool):
        self._cls, self._name, self._frozen = cls, name, frozen

    def __get__(self, instance: object, _cls: type | None = None) -> Any:
        """Replace this with the method, and return the method."""
        fields = dataclasses.fields(self._cls)
        names: dict[str, Any] = {"_put": object.__setattr__}
        if self._name == "__init__":
            text = _init(fields, names, "_put(self, {0!r}, {1})" if self._frozen else "self.{0} = {1}")
        elif self._name == "__repr__":
            shown = ", ".join([f"{field.name}={{self.{field.name}!r}}" for field in fields if field.repr])
            text = f"(self): return f'{{self.__class__.__qualname__}}({shown})'"
        else:
            compared = "".join([f"{{0}}.{field.name}, " for field in fields if field.compare])
            text = f"(self): return hash(({compared.format('self')}))"
            if self._name == "__eq__":
                same = f"({compared.format('self')}) == ({compared.format('other')})"
                text = f"(self, other): return {same} if other.__class__ is self.__class__ else NotImplemented"
        exec(f"def {self._name}{text}", names)
        method = names[self._name]
        method.__qualname__ = f"{self._cls.__qualname__}.{self._name}"
        if self._name == "__init__":
            method.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
        setattr(self._cls, self._name, method)
        return method.__get__(instance, self._cls)


def _init(fields: tuple[dataclasses.Field[Any], ...], names: dict[str, Any], assignment: str) -> str:
    """Return what follows ``def __init__``; put the defaults into its ``names``."""
    taken, lines = ["self"], ["pass"]
    for field in fields:
        name, default = field.name, f"_{field.name}"
        made = field.default_factory is not dataclasses.MISSING
        names[default] = field.default_factory if made else field.default
        absent, value = ("...", f"{default}()") if made else (default, default)
        if field.init:
            taken.append(name if names[default] is dataclasses.MISSING else f"{name}={absent}")
            value = f"{value} if {name} is ... else {name}" if made else name
        if field.init or names[default] is not dataclasses.MISSING:
            lines.append(assignment.format(name, value))
    return f"({', '.join(taken)}):\n " + "\n ".join(lines)


def require_type(value: object, cls: type, what: str) -> None:
    """Raise TypeError, which says what is needed, unless a value is of a class."""
    if not isinstance(value, cls):
        raise TypeError(f"this takes {what}, not {type(value).__name__}")


def _refuse(_self: object, name: str, _value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _reduced(self: Any) -> tuple[type, tuple[Any, ...]]:
    """Return what pickle needs to recreate an instance whose attributes can't be set."""
    return type(self), tuple([getattr(self, field.name) for field in dataclasses.fields(self)])


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: Any = None, /, *, frozen: bool = False, slots: bool = False, repr: bool = True, eq: bool = True
    ) -> Any:
        """Make a class a data class, like the function of this name in ``dataclasses``.

        A ``field`` may give its default or a factory, and say whether it is a parameter, compared and shown.
        """
        if cls is None:
            return partial(dataclass, frozen=frozen, slots=slots, repr=repr, eq=eq)
        wanted = {"__init__": True, "__repr__": repr, "__eq__": eq, "__hash__": eq and frozen}
        cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots)
        own = {name: LazyMethod(cls, name, frozen) for name, asked in wanted.items() if asked}
        if frozen:
            own |= {"__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": _reduced}
        elif eq:
            own["__hash__"] = None
        for name, method in own.items():
            if vars(cls).get(name) is None:  # a class that defines its comparison has None as its hash
                setattr(cls, name, method)
        return cls
