"""Which modules are in use: the compiled ones, where they are installed, or the Python files beside them; and how what
is missing is installed.

The Python files are always there, and say the same. ``TIRONIAN_PURE=1`` in the environment takes them, and so does a
subinterpreter: compiled modules hold objects for the whole process, and would mix those of several interpreters.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import find_spec


def _in_subinterpreter() -> bool:
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    if find_spec(name) is None:  # a Python that was built without them has none
        return False
    interpreters = import_module(name)
    return interpreters.get_current() != interpreters.get_main()


PURE = os.environ.get("TIRONIAN_PURE") == "1" or find_spec("librt") is None or _in_subinterpreter()


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


def install(*wanted: str) -> str:
    """Return the command that installs libraries, or what an extra of this package (``[png]``) brings, for this Python.

    The package is named itself only if it came from an index: what came from a folder need not be in any.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        package = distribution("tironian")
        listed = package.read_text("RECORD") and not package.read_text("direct_url.json")
        requires = [] if listed else package.requires or []
    except PackageNotFoundError:
        requires = []
    names: list[str] = []
    for name in wanted:
        brought = [line for line in requires if line.endswith(f'extra == "{name[1:-1]}"') and line[:9] != "tironian["]
        own = f'"tironian{name}"' if name.startswith("[") else name
        names += [re.split("[^A-Za-z0-9._-]", line)[0] for line in brought] or [own]
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {' '.join(names)}"


if PURE and PythonFiles not in sys.meta_path:
    sys.meta_path.insert(0, PythonFiles)
