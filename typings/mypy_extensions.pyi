"""For pyright: an ``i64`` is an int. The stub that pyright brings with it makes classes of their own of them."""

from collections.abc import Callable
from typing import TypeVar

_Class = TypeVar("_Class", bound=type)
i64 = int

def mypyc_attr(*, native_class: bool = ..., allow_interpreted_subclasses: bool = ...) -> Callable[[_Class], _Class]: ...
