"""`tiro desk` writes a site that needs nothing else, and says what is missing."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from tironian.tools.cli.command_line import main
from tironian.tools.desk import site
from tironian.tools.desk.desk import catalogue
from tironian.tools.desk.site import PYODIDE, packed


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """Files that are called as Pyodide's."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in PYODIDE:
        (folder / name).write_text(name)
    return folder


def written(pyodide: Path, site: Path) -> str:
    result = CliRunner().invoke(main, ["desk", "-o", str(site), "--pyodide", str(pyodide)])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_site_holds_all_that_its_files_ask_for(pyodide: Path, tmp_path: Path):
    site = tmp_path / "site"
    assert "https" in written(pyodide, site)
    page = (site / "index.html").read_text(encoding="utf-8")
    assert all((site / name).exists() for name in re.findall(r'(?:src|href)="([\w./]+\.\w+)"', page))
    assert "unsafe" not in page.replace("wasm-unsafe-eval", "")
    listed = json.loads((site / "sw.js").read_text(encoding="utf-8").partition("=")[2].partition(";\n")[0])
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert {*listed["files"]} == there - {"index.html", "sw.js"} | {"./"}
    with ZipFile(site / "tironian.zip") as archive:
        held = archive.namelist()
    libraries = {"jinja2", "lark", "markupsafe", "mypy_extensions.py", "rich"}
    assert {name.partition("/")[0] for name in held} == {*libraries, "licences", "tironian"}
    stated = {name for name in held if name.startswith("licences/")}
    assert {name.partition("/")[2].partition("-")[0] for name in stated} == {
        name.removesuffix(".py") for name in libraries
    }


def test_the_style_of_the_pages_of_games_has_no_rule_for_a_part_of_the_desk(pyodide: Path, tmp_path: Path):
    """The desk holds that style sheet for its table; one rule for the page's own parts hid the desk's buttons."""
    site = tmp_path / "site"
    written(pyodide, site)
    own = {*re.findall(r'id="([\w-]+)"', (files("tironian.desk") / "desk.html").read_text(encoding="utf-8"))}
    style = (site / "table.css").read_text(encoding="utf-8")
    assert {*re.findall(r"(?:^|[,}])\s*#([\w-]+)", style, re.MULTILINE)}.isdisjoint(own)


def test_the_same_files_make_the_same_site_and_others_another_version(pyodide: Path, tmp_path: Path):
    for name in ("one", "two"):
        written(pyodide, tmp_path / name)
    (pyodide / PYODIDE[0]).write_text("changed")
    written(pyodide, tmp_path / "three")
    one, two, three = ((tmp_path / name / "sw.js").read_bytes() for name in ("one", "two", "three"))
    assert one == two != three
    assert packed() == packed()


def test_what_is_missing_is_said(tmp_path: Path):
    result = CliRunner().invoke(main, ["desk", "-o", str(tmp_path / "site"), "--pyodide", str(tmp_path)])
    assert result.exit_code == 2
    assert "it has no pyodide.mjs" in result.output
    assert not (tmp_path / "site").exists()


def test_without_pyodide_no_package_of_a_strangers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(site, "find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["desk", "-o", str(tmp_path / "site")])
    assert result.exit_code == 2
    assert "`make desk-offline`" in result.output
    assert "pip install" not in result.output


def test_a_call_that_can_not_be_carried_out_is_no_fault_of_the_program(pyodide: Path, tmp_path: Path):
    (file := tmp_path / "file").touch()
    for call, word in ((["--port", "65536", "--no-open"], "65535"), (["-o", str(file)], "is a file")):
        result = CliRunner().invoke(main, ["desk", *call, "--pyodide", str(pyodide)])
        assert result.exit_code == 2
        assert word in result.output
        assert "T001" not in result.output


def test_every_sentence_that_python_asks_for_exists():
    """A tap that meant nothing in a game against the program asked for one under a page that did not have it."""
    words, asked = catalogue(), re.compile(r"""(?:sentence\(|catalogue\(\)\[)["'](\w+)["'](?:, |\]\[)["'](\w+)["']""")
    sources = [path.read_text(encoding="utf-8") for path in Path(str(files("tironian.tools.desk"))).rglob("*.py")]
    pairs = {pair for source in sources for pair in asked.findall(source)}
    assert len(pairs) > 10
    assert not [pair for pair in pairs if pair[1] not in words.get(pair[0], {})]
