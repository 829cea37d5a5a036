"""Which modules are in use: the compiled ones, where they are installed, or the Python files beside them.

The Python files are always there, and say the same. ``TIRONIAN_PURE=1`` in the environment takes them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import find_spec

PURE = os.environ.get("TIRONIAN_PURE") == "1" or find_spec("librt") is None


class PythonFiles:
    """Find the modules of this project as Python files only."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _target: object = None) -> ModuleSpec | None:
        """Return the Python file that holds the module; None where it is of another project, or a folder only."""
        if not name.startswith("tironian."):
            return None
        found = (FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name) for folder in path or ())
        return next((spec for spec in found if spec and spec.loader), None)


def build_in_use() -> str:
    """Return ``compiled`` or ``pure``; all modules are of the same build."""
    from . import codes

    return "pure" if str(codes.__file__).endswith(".py") else "compiled"


if PURE and PythonFiles not in sys.meta_path:
    sys.meta_path.insert(0, PythonFiles)
