"""Passes a notebook's request to show an object on to the room that makes pictures, which stands far above."""

from __future__ import annotations

from collections.abc import Callable

_drawing: list[Callable[[object, str], str]] = []


def register_drawer(draw: Callable[[object, str], str]) -> None:
    """Let ``draw`` return an object in a form, for all notebooks from now on."""
    _drawing[:] = [draw]


def display(value: object, form: str) -> str | None:
    """Return an object as a notebook shows it, in one of the forms of ``tools/render/api.py``; None where nobody
    draws: a notebook then shows the object's ``repr``.
    """
    return _drawing[0](value, form) if _drawing else None
