"""The names that the library offers are what they say, whatever was imported before them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import tironian.replay

SCRIPT = """
import importlib, pkgutil, tironian.replay as room
for module in pkgutil.iter_modules(room.__path__):
    if module.name != "screen":
        importlib.import_module(f"tironian.replay.{module.name}")
for name in room.__all__:
    print(name, getattr(room, name).__module__)
"""


def test_every_name_is_found():
    for name in tironian.replay.__all__:
        assert callable(getattr(tironian.replay, name)), name


@pytest.mark.process
def test_no_module_takes_the_place_of_a_name():
    """A module of the package becomes an attribute of it when it is imported, and would hide a function of its name."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    homes = dict(line.split() for line in done.stdout.splitlines())
    for name, home in homes.items():
        assert hasattr(import_module(home), name)
