"""Passes a notebook's request to show an object on to the room that makes pictures.

Tables and timelines are below the exports that draw them and may not import them. So ``export/notebook.py`` is looked
up by name, and only when a notebook asks; otherwise it is not loaded.
"""

from __future__ import annotations

from importlib import import_module


def display(value: object, form: str) -> str:
    """Return an object as a notebook shows it; ``form`` names a function in ``export/notebook.py``."""
    return getattr(import_module("tironian.replay.export.notebook"), form)(value)
