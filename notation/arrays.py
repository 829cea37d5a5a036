"""Arrays of machine integers in the compiled build, lists in the pure one."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

COMPILED: Final = not __file__.endswith(".py")
"""Whether this is the compiled build. mypyc takes it as true; pyright can't know."""
if COMPILED:
    from librt.strings import read_i64_le  # this is quick to read only in compiled code
    from librt.vecs import append, extend, vec

    def as_bytes(numbers: vec[i64]) -> memoryview:
        """Return the numbers as they are in memory, eight bytes each."""
        return memoryview(numbers)

    def doubled(numbers: vec[i64]) -> vec[i64]:
        """Return an array twice as long that begins with these numbers."""
        return extend(numbers, numbers)

    def put(numbers: vec[i64], at: i64, others: vec[i64]) -> None:
        """Overwrite the numbers from a place on with others."""
        for number in others:
            numbers[at] = number
            at += 1
else:
    import struct
    from builtins import list as vec

    def read_i64_le(data: bytes, pos: int) -> int:
        """Return the eight bytes from a place on as an integer, the lowest first."""
        return int.from_bytes(data[pos : pos + 8], "little", signed=True)

    def append(numbers: list[i64], number: i64) -> list[i64]:
        """Return the array with one more number; the old array must no longer be used."""
        numbers.append(number)
        return numbers

    def as_bytes(numbers: list[i64]) -> memoryview:
        """Return the numbers as they are in memory, eight bytes each."""
        return memoryview(struct.pack(f"{len(numbers)}q", *numbers))

    def doubled(numbers: list[i64]) -> list[i64]:
        """Return an array twice as long that begins with these numbers."""
        return numbers + numbers

    def put(numbers: list[i64], at: i64, others: list[i64]) -> None:
        """Overwrite the numbers from a place on with others."""
        numbers[at : at + len(others)] = others


__all__ = ["COMPILED", "append", "as_bytes", "doubled", "put", "read_i64_le", "vec"]
