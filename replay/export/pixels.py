"""SVG pictures as PNG, drawn by resvg, which the extra ``png`` installs."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ...notation.build import install

ZOOM: Final = 2
"""Pixels for each unit of a picture: enough for a projector."""


class NoResvg(RuntimeError):
    """resvg is not installed: a sentence that says so, and what to do."""


def png(svg: str) -> bytes:
    """Return a picture as PNG, as it looks in the light, with the fonts of this system.

    Raise NoResvg where resvg is not installed.
    """
    try:
        resvg = import_module("resvg_py")  # by name: type checkers would ask everybody to have it
    except ImportError:
        raise NoResvg(f"a png needs resvg: {install('[png]')}, or use --format svg") from None
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=ZOOM))
