"""``tiro votes``: forms, pictures, folders and ends; and hand-checked trees."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian import VIEWS, parse, timeline, votes
from tironian.replay.story.votes import trees
from tironian.replay.words.vote_tree import vote_outline
from tironian.tools.cli.command_line import main
from tironian.tools.render import vote_graph

HOME = Path(__file__).parents[2] / "examples"
GAMES = [path for path in sorted(HOME.glob("*/*.tiro")) if path.parent.name != "broken"]
ANNOTATED = HOME / "2024" / "annotated.tiro"


def tiro(*args: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


CASES = [
    (path, view)
    for number, path in enumerate(GAMES)
    for view in (VIEWS if FULL or path.stem == "annotated" else (VIEWS[number % len(VIEWS)],))
]
"""All points of view of one game of each rule set, and one of each other example."""


@pytest.mark.parametrize(("path", "view"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_json_is_valid(path: Path, view: str):
    data = json.loads(tiro("votes", path, "--format", "json", "--as", view).stdout)
    Draft202012Validator(closed_schema("votes")).validate(data)


# --------------------------------------------------------------------------------------------------- the command


def test_all_votes_into_a_folder(tmp_path: Path):
    folder = tmp_path / "votes"
    assert tiro("votes", ANNOTATED, "--format", "svg", "--folder", folder).exit_code == 0
    page = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<p class="file">[^<]*<a href="([^"]+)"', page)
    assert re.findall(r'<a class="vote-line" href="#(vote\d+)"', page) == re.findall(r'id="(vote\d+)"', page)
    assert re.findall(r'<details [^>]*id="(vote\d+)" open>', page) == ["vote1"]
    assert 'Rome </span>5</b> : <b class="egypt"><span class="sr">Egypt </span>4</b></span> <span class="winner' in page
    assert len(links) == 22
    assert "src=" not in page  # it needs nothing but itself
    assert sorted(links) == sorted(name for name in os.listdir(folder) if name != "index.html")
    again = tiro("votes", ANNOTATED, "--format", "svg", "--folder", folder)
    assert again.exit_code == 2
    assert "--force" in again.stderr
    assert tiro("votes", ANNOTATED, "--format", "svg", "--folder", folder, "--force").exit_code == 0
    text = tmp_path / "text"
    assert tiro("votes", ANNOTATED, "--folder", text).exit_code == 0
    assert (text / "vote-01-1R.txt").read_text(encoding="utf-8").startswith("1R · vote at the Consuls")


def test_a_pdf_needs_graphviz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    result = tiro("votes", ANNOTATED, "--vote", "1", "--format", "pdf")
    assert result.exit_code == 2
    assert result.stderr == ("Error: a pdf needs Graphviz: install it (https://graphviz.org), or use --format svg\n")
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\n/bin/cat >/dev/null; echo %PDF-made-by-dot\n", encoding="ascii")
    program.chmod(0o755)
    result = tiro("votes", ANNOTATED, "--vote", "1", "--format", "pdf")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("%PDF-made-by-dot")
    program.write_text("#!/bin/sh\n/bin/cat >/dev/null; echo no fonts >&2; exit 1\n", encoding="ascii")
    assert (
        "Graphviz could not draw the vote at 1R: no fonts"
        in tiro("votes", ANNOTATED, "--vote", "1", "--format", "pdf").stderr
    )


def test_hostile_missions_are_text():
    hostile = ANNOTATED.read_text(encoding="utf-8").replace("m(each,K)", r'm("<b>&\"]|--> %% \\n",K)')
    svg = tiro("votes", "-", "--vote", "14", "--format", "svg", stdin=hostile)
    assert svg.exit_code == 0, svg.output
    words = "".join(ElementTree.fromstring(svg.stdout).itertext())
    assert '<b>&"]|--> %% \\n' in words
    chart = tiro("votes", "-", "--vote", "14", "--format", "mermaid", stdin=hostile).stdout
    assert "<b>" not in chart.replace("<br>", "")
    assert all(line.count('"') % 2 == 0 for line in chart.splitlines())


def test_a_vote_that_a_philosopher_turned_is_marked_in_the_index(tmp_path: Path):
    """Seven against nothing, and Egypt wins: without a word that would look like a mistake."""
    assert tiro("votes", ANNOTATED, "--folder", tmp_path / "votes").exit_code == 0
    page = (tmp_path / "votes" / "index.html").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if 'href="#vote7">' in line]
    assert re.search('>7</b> : .*</span>0 <span class="turner" .*<use href="#t-Ep"/></svg></span> </b>', row)
    trees_of = votes(parse(ANNOTATED.read_text(encoding="utf-8"))[0])
    turned = [tree for tree in trees_of if tree.winner < 2 and tree.sums[tree.winner] < tree.sums[1 - tree.winner]]
    assert page.count("<small>a philosopher: the lower sum wins") == len(turned) > 1
    assert page.count('class="turner"') == 2 * len(turned)


def test_the_other_ways_stand_beside_the_step_where_they_lead_off():
    """In the graph they are rows of one table, so that those that were taken make a straight line of boxes."""
    (game,) = parse(ANNOTATED.read_text(encoding="utf-8"))
    for tree in votes(game):
        node, drawn = vote_outline(tree).root, vote_graph.graph(tree)
        while node:
            ways = [way for way in node.children if not way.taken]
            assert all(not way.children for way in ways)
            assert len([way for way in node.children if way.taken]) <= 1
            assert all(f">{way.label}" in drawn for way in ways if len(way.label) <= vote_graph.WAY)
            node = next((way for way in node.children if way.taken), None)
        assert drawn.count("rank=same") == drawn.count("o [label=")


@pytest.mark.parametrize("odds", [False, True])
def test_a_tree_grown_alone_is_the_one_among_all(odds: bool):
    (game,) = parse((HOME / "1997" / "annotated.tiro").read_text(encoding="utf-8"))
    told = timeline(game)
    every = trees(told, game, odds=odds)
    for number in (1, 2, len(every)):
        assert trees(told, game, odds=odds, wanted=number) == every[number - 1 : number]
    assert trees(told, game, wanted=len(every) + 1) == ()
