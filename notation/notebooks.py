"""Passes a notebook's request to show an object on to the room that makes pictures.

Tables and timelines are below the exports that draw them and may not import them. So ``export/notebook.py`` is looked
up by its name, and only when a notebook asks: nothing of it is loaded otherwise.
"""

from __future__ import annotations

from importlib import import_module


def display(value: object, form: str) -> str:
    """Return an object as a notebook shows it; ``form`` names a function of ``export/notebook.py``."""
    return getattr(import_module("tironian.replay.export.notebook"), form)(value)
