"""Which modules are in use: the compiled ones, if they are installed, or the Python files beside them; and how to
install missing libraries.

The Python files are always present and do the same. They are used if the environment has ``TIRONIAN_PURE=1``, and in a
subinterpreter: compiled modules hold objects for the whole process, and would mix objects of several interpreters.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
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
        """Return the Python file that holds the module; None if it belongs to another project, or is only a folder."""
        if not name.startswith("tironian."):
            return None
        found = (FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name) for folder in path or ())
        return next((spec for spec in found if spec and spec.loader), None)


def build_in_use() -> str:
    """Return ``compiled`` or ``pure``; all modules come from the same build."""
    from . import codes

    return "pure" if str(codes.__file__).endswith(".py") else "compiled"


def install(*libraries: str) -> str:
    """Return the command that installs libraries for this Python.

    It names the libraries rather than an extra of this package, since pip would look for the package in an index even
    if it was installed from a file.
    """
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    return f"{pip} {' '.join(libraries)}"


if PURE and PythonFiles not in sys.meta_path:
    sys.meta_path.insert(0, PythonFiles)


def program_version() -> str:
    """Return the version of the installed program; an empty string if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    with suppress(PackageNotFoundError):  # run from a checkout that is not installed
        return version("tironian")
    return ""


def home_page() -> str:
    """Return the address of the project's page, as its package names it; an empty string if it has none."""
    from importlib.metadata import PackageNotFoundError, metadata

    with suppress(PackageNotFoundError):
        addresses = metadata("tironian").get_all("Project-URL") or []
        return dict(address.split(", ", 1) for address in addresses).get("Homepage", "")
    return ""
