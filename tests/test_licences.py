"""The page on licences names every library that an installation brings, with the licence that the library states."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import metadata, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
SAID = {
    "MIT License": "MIT",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
}
"""What older packages say of their licence → its SPDX name; jinja2, partd and zict lie under that BSD licence."""
UNSAID = {"resvg-py": "MIT"}
"""Those that say it only by the text that lies with them."""


def brought(extra: str) -> dict[str, str]:
    """What an extra brings beside this package: library → licence."""
    found: dict[str, str] = {}
    asked = [(Requirement(line), "") for line in EXTRAS[extra]]
    while asked:
        wanted, within = asked.pop()
        name = canonicalize_name(wanted.name)
        if wanted.marker and not wanted.marker.evaluate({"extra": within}):
            continue
        if name == "tironian":
            asked += [(Requirement(line), "") for part in wanted.extras for line in EXTRAS[part]]
        elif name not in found or wanted.extras:
            found[name] = licence(name)
            asked += [(Requirement(line), part) for part in wanted.extras or {""} for line in requires(name) or []]
    return found


def licence(name: str) -> str:
    """The licence of an installed library, by its SPDX name."""
    said = metadata(name)
    classified = [
        each.rpartition(" :: ")[2] for each in said.get_all("Classifier", []) if each.startswith("License ::")
    ]
    first = said.get("License-Expression") or (said.get("License") or "").partition("\n")[0] or "".join(classified)
    return UNSAID.get(name) or SAID.get(first, first)


def rows() -> list[str]:
    """The rows of the table, library by library."""
    known: dict[str, tuple[str, list[str]]] = {}
    for extra in EXTRAS:
        for name, stated in brought(extra).items() if extra != "desk-offline" else ():  # the page has that one in words
            known.setdefault(name, (stated, []))[1].append(extra)
    return [
        f"| {name} | {stated} | {', '.join(extras) if extras[0] else 'always'} |"
        for name, (stated, extras) in sorted(known.items())
    ]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the oldest Python needs the most")
def test_the_page_names_each_library_with_its_licence() -> None:
    head, *listed = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert head == "| library | licence | comes with |"
    assert listed[1:] == rows()
