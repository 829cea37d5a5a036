"""``tiro votes``: forms, pictures, folders and ends; and hand-checked trees."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from blocks import Block, compose
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian import VIEWS, VoteTree, parse, timeline, votes
from tironian.notation.cards import EGYPT, ROME
from tironian.tools.cli.command_line import main
from tironian.tools.render import vote_graph
from tironian.tools.render.vote_graph import mermaid, outline

HOME = Path(__file__).parents[2] / "examples"
GAMES = [path for path in sorted(HOME.glob("*/*.tiro")) if path.parent.name != "broken"]
ANNOTATED = HOME / "2024" / "annotated.tiro"


def tiro(*args: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


def grown(*lines: str, view: str = "", rules: str = "2024", **options: str) -> tuple[VoteTree, ...]:
    whole, _ = compose(Block({"position": "", **options}, list(lines), 1), rules)
    (game,) = parse("\n".join(whole))
    assert not timeline(game, view).stopped
    return votes(game, view)


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


# --------------------------------------------------------------------------------------------- hand-checked trees


def test_a_plain_vote():
    """Eight against seven, five in the bag: what was done, what came, what of it, and each other way beside it."""
    (tree,) = grown("0R 5A 3A 2P h(111122)", "0E 4A 2A 4P h(111122) b(APKor)", "7E 1A =A53:421>R +2")
    assert outline(tree) == [
        "7E · vote at the Aediles   =A53:421>R",
        "  Cleopatra in 7E",
        "  → places a 1 face up at the Aediles: Cleopatra draws a bust; 5 in the bag",
        "      or places a 2 face down at the Aediles as well: ▼ Egypt would win (▲8 : ▼9)",
        "      or places a 1 face down at the Aediles as well: ◇ a tie (▲8 : ▼8)",
        "      or places a 2 face up at the Aediles, rather than a 1: ◇ a tie (▲8 : ▼8)",
        "      or places a 1 elsewhere: ▲ Rome would win (▲8 : ▼6)",
        "  → Aediles, 1 of 5: ▲8 : ▼7; Rome 5 3; Egypt 4 2 1",
        "      or Praetors, 1 of 5: ▼ Egypt wins (▲2 : ▼4)",
        "      or Consuls, 1 of 5: ◇ nobody wins; Consuls ▲0 : ▼0",
        "      or grey bust, 1 of 5: no vote",
        "      or black bust, 1 of 5: no vote; all go back",
        "  → ▲ Rome wins a patrician; Rome discards a 5, Egypt a 1; Aediles now: Rome 1, Egypt 0, left 4",
    ]


def test_who_wins_has_a_sign_and_a_colour_of_its_own():
    """Rome's is orange and Egypt's blue, on the way that was taken and on the others, in graphs and charts."""
    for written, letter, other in (("=A53:421>R", "R", "Egypt"), ("=A31:421>E", "E", "Rome")):
        column = "5A 3A" if letter == "R" else "3A 1A"
        (tree,) = grown(f"0R {column} 2P h(111122)", "0E 4A 2A 4P h(11112p) b(APKor)", f"7E 1A {written} +2")
        name, colour = {"R": ("▲ Rome", "#9c4000"), "E": ("▼ Egypt", "#005a8c")}[letter]
        drawn = vote_graph.graph(tree)
        (result,) = [line for line in drawn.splitlines() if f"<b>{name} wins a patrician</b>" in line]
        assert f'fillcolor="{colour}"' in result
        ways = [row for row in re.findall("<tr>.*?</tr>", drawn) if f"{other} would win" in row]
        assert ways
        assert not [line for line in ways if colour in line]
        assert f"{name} wins a patrician" in "\n".join(outline(tree))
        assert f":::taken{name[2:]}" in mermaid(tree)
        assert f":::or{other}" in mermaid(tree)


def option(tree: VoteTree, side: int, words: str) -> tuple[object, int | None]:
    """The sums and the winner of the one option with these words."""
    (found,) = [each for each in tree.instead if (each.side, each.words) == (side, words)]
    return found.sums, found.winner


def test_what_the_mover_could_have_done():
    """In place of a token, and beside it; a veto that the other side may hold is named."""
    (tree,) = grown("0R 5A 3A 2P h(v11122)", "0E 4A h(x1p335) b(APKor)", "7E 3A (1)P =A53:43>R +22")
    words = "plays an assassination of a 5 at the Aediles as well, unless vetoed"
    assert option(tree, EGYPT, words) == (((3, 3), (7, 7)), EGYPT)
    assert option(tree, EGYPT, "places a 5 face up at the Aediles, rather than a 3") == (((8, 8), (9, 9)), EGYPT)
    words = "places a philosopher face down at the Aediles, rather than a 1 at the Praetors"
    assert option(tree, EGYPT, words) == (((8, 8), (7, 7)), EGYPT)
    assert [each.words for each in tree.instead if each.was_played] == ["places a 3 face up at the Aediles"]
    assert tree.more == (0, 4)
    assert "      or four other options that would change the cards here" in outline(tree)


@pytest.mark.parametrize(("view", "cards"), [("", ["4", "3", "1"]), ("caesar", ["card"])])
def test_a_hidden_card_is_told_by_its_name(view: str, cards: list[str]):
    """To who sees it: to all others the hidden cards look alike."""
    lines = "0R 5A 2A h(x11122)", "0E (4)A (1)A (3)A h(111122) b(APKor)", "7R 1P =A52:431>E +2"
    (tree,) = grown(*lines, view=view, starts="Caesar")
    told = [each.words for each in tree.instead if "hidden" in each.words]
    assert told == [f"plays an assassination of a hidden {card} at the Aediles" for card in cards]


def test_the_words_of_an_option_are_a_deed_and_an_aside():
    (tree,) = grown("0R 5A 3A 2P h(v11122)", "0E 4A h(x1p335) b(APKor)", "7E 3A (1)P =A53:43>R +22")
    told = {each.deed: each.aside for each in tree.instead}
    assert told["plays an assassination of a 5 at the Aediles as well"] == ", unless vetoed"
    assert told["places a 5 face up at the Aediles"] == ", rather than a 3"
    assert told["places a 3 face up at the Aediles"] == ""


def test_the_lower_sum_is_said_where_it_wins():
    """Of an option with a philosopher, and not of one without."""
    (tree,) = grown("0R 5A 3A 2P h(v11122)", "0E 4A h(x1p335) b(APKor)", "7E 3A (1)P =A53:43>R +22")
    lower = {each.deed for each in tree.instead if each.lower}
    assert lower == {f"places a philosopher face {way} at the Aediles" for way in ("up", "down")}
    said = [line for line in outline(tree) if "philosopher face down at the Aediles" in line]
    assert len(said) == 1
    assert "the lower sum wins" in said[0]


def test_what_the_other_side_could_have_done():
    """In its own last turn; what the mover did then is done all the same, if it can be."""
    (tree,) = grown(
        *("0R 5A h(111122)", "0E 4A 2A h(x11122) b(APKor)", "7R 2P (1)Q =o +11", "7E x5A 1P =A:42>E +22"),
        starts="Caesar",
    )
    assert option(tree, ROME, "places a 2 face up at the Aediles, rather than at the Praetors") == (
        ((2, 2), (6, 6)),
        EGYPT,
    )
    (tree,) = grown(
        *("0R h(111255)", "0E 4A h(x11122) b(APKor)", "7R 5A (1)Q =o +11", "7E x5A 1P =A:4>E +22"), starts="Caesar"
    )
    words = "places a 2 face up at the Aediles, rather than a 5; then Cleopatra's assassination is not possible"
    assert option(tree, ROME, words) == (((2, 2), (4, 4)), EGYPT)


def test_an_assassination_that_decided():
    """With the 5 Rome would have had ten against seven: an option of this turn, a margin where it was longer ago."""
    (tree,) = grown("0R 5A (5)A h(111122)", "0E 4A 3A h(x11122)", "7E x5A 1P =A5:43>E +22")
    words = "does not play an assassination of a 5 at the Aediles"
    assert option(tree, EGYPT, words) == (((10, 10), (7, 7)), ROME)
    assert not tree.told
    (tree,) = grown("0R 5A (5)A h(111122)", "0E 4A 3A h(x11122)", "7E x5A 1P =A5:43>E +22", view="table")
    assert not tree.instead
    assert tree.told == (
        "without the assassination of a 5 at 7E: Rome would win",
        "what Caesar and Cleopatra could have done is shown only to those who see those hands",
    )


def test_a_veto_that_decided():
    """The vetoed assassination would have taken the 5: Caesar's choice in Cleopatra's turn."""
    (tree,) = grown("0R 5A 3A h(v11122)", "0E 4A 3A h(x11122)", "7E x5A v+2 1P =A53:43>R +22")
    words = "lets the assassination of a 5 at the Aediles happen"
    assert option(tree, ROME, words) == (((3, 3), (7, 7)), EGYPT)


def test_philosophers_are_told():
    (tree,) = grown("0R 5A pA h(111122)", "0E 4A h(111122)", "7E 1P =A5p:4>E +2")
    assert any("Rome has one philosopher. The lower sum wins, so Egypt wins" in line for line in outline(tree))


def test_a_vote_card_of_an_emptied_group_is_drawn_before():
    """Two draws, one behind the other; each of the cards that are left is as likely as any other."""
    (tree,) = grown("0R 5P g(SSSSS) h(11112)", "0E 4P h(11112) b(SPoor)", "7E (1)P +2 =S- =P5:41>-", rules="1997")
    first = tree.root
    assert (first.kind, first.children[0].kind) == ("decision", "draw")
    first = first.children[0]
    assert [child.chance for child in first.children] == [(1, 5), (1, 5), (2, 5), (1, 5)]
    assert [child.chance for child in first.children[0].children] == [(1, 4), (2, 4), (1, 4)]
    assert "Senators, already won" in first.children[0].label


def test_what_is_hidden_from_a_point_of_view_is_not_told():
    lines = ("0R 5A (3)P h(111122)", "0E 4A 2P h(111122) b(APor)", "7E 1A =A5:41>- +2")
    for view, words in (
        ("arbiter", "▲ Rome wins (▲3 : ▼2)"),
        ("caesar", "▲ Rome wins (▲3 : ▼2)"),
        ("table", "a vote there (▲0 to 5 : ▼2)"),
    ):
        (tree,) = grown(*lines, view=view)
        assert any(f"Praetors, 1 of 4: {words}" in line for line in outline(tree)), view


def test_a_vote_that_the_record_gives_to_another_side():
    (tree,) = grown("0R 5A 3A h(111122)", "0E 4A 2A h(111122)", "7E 1P =A53:42>E +2", "   % E stands C902: by mistake")
    assert not tree.by_rules
    assert not tree.margins
    assert tree.told == ("the record and the rules give this vote to different sides",)
    said = "  → ▼ Egypt wins a patrician; so says the record: by the rules Rome would win"
    assert any(line.startswith(said) for line in outline(tree))


# --------------------------------------------------------------------------------------------------- the command


def test_pictures_and_their_text_alternative():
    svg = tiro("votes", ANNOTATED, "--vote", "7", "--format", "svg").stdout
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    described = root.find(f"{space}desc")
    assert described is not None
    assert "Egypt has one philosopher" in (described.text or "")
    assert root.get("role") == "img"
    png = CliRunner().invoke(main, ["votes", str(ANNOTATED), "--vote", "7", "--format", "png"]).stdout_bytes
    assert png.startswith(b"\x89PNG")
    width = int.from_bytes(png[16:20], "big")
    assert width < 2700


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


def test_one_picture_into_a_file(tmp_path: Path):
    target = tmp_path / "vote.png"
    assert tiro("votes", ANNOTATED, "--vote", "2", "--format", "png", "-o", target).exit_code == 0
    assert target.read_bytes().startswith(b"\x89PNG")
    assert tiro("votes", ANNOTATED, "--vote", "2", "--format", "png", "-o", target).exit_code == 2
    assert tiro("votes", ANNOTATED, "--vote", "2", "--format", "png", "-o", target, "--force").exit_code == 0


def test_calls_that_can_t_be_carried_out(tmp_path: Path):
    assert "choose it with --vote" in tiro("votes", ANNOTATED, "--format", "svg").stderr
    late = tiro("votes", ANNOTATED, "--vote", "23")
    assert late.exit_code == 2
    assert "the game has only 22 votes" in late.stderr
    both = tiro("votes", ANNOTATED, "--folder", tmp_path / "x", "-o", tmp_path / "y")
    assert both.exit_code == 2


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


def test_several_charts_stand_in_fences():
    text = tiro("votes", ANNOTATED, "--format", "mermaid").stdout
    assert text.count("```mermaid\n") == 22
    assert text.count("\n```\n") == 22


def test_the_votes_up_to_where_a_record_stops():
    result = tiro("votes", HOME / "broken" / "missing-turn.tiro")
    assert result.exit_code == 1
    assert "can't be followed beyond" in result.stderr
    assert result.stdout.startswith("1R · vote at the Censors")


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
        node, drawn = tree.root, vote_graph.graph(tree)
        while node:
            ways = [way for way in node.children if not way.taken]
            assert all(not way.children for way in ways)
            assert len([way for way in node.children if way.taken]) <= 1
            assert all(f">{way.label}" in drawn for way in ways if len(way.label) <= vote_graph.WAY)
            node = next((way for way in node.children if way.taken), None)
        assert drawn.count("rank=same") == drawn.count("o [label=")
