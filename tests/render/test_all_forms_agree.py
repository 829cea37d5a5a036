"""Pictures, texts, tables and pages of a game say the same of it: its points, whose turn it is, who won and why."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator
from functools import cache

import pytest
from click.testing import CliRunner
from pages import WHOLE
from scale import FULL
from tironian import parse, timeline
from tironian.replay.diagnostics.fact_words import ENDINGS
from tironian.replay.knowledge.redaction import views_for
from tironian.replay.words.table import moment_words
from tironian.tools.cli.command_line import main
from tironian.tools.recorder.draft import Draft
from tironian.tools.recorder.score_sheet import score_sheet
from tironian.tools.render.page import page
from tironian.tools.render.page_steps import page_steps
from tironian.tools.render.synopsis import outcome

HEAD = '[Rules "2024"]\n[Setup "position"]\n'
OVER = "0R m(K) d(11111112222222333333344444445555555pp) h(xxxsss) g({})\n0E {}d(11111112222222333333344444445555555pp)"
OVER += " h(xxxsss) g({})\n7E =o\n"
ENDS = {
    "won": OVER.format("PPPPPKKKQQ", "m(Q) ", "QQQAACC") + "16-11\n",
    "recorded": '[View "caesar"]\n' + OVER.format("PPPPPKKKQQ", "m(?) ", "QQQAACC") + "16-11\n",
    "unknown": '[View "caesar"]\n' + OVER.format("PPPPPKKKQQ", "m(?) ", "QQQAACC") + "*\n",
    "draw": OVER.format("PPPQQ", "m(A) ", "QQQAA") + "6-6\n",
    "resigned": '[Termination "resigned"]\n0R m(P) 5P h(12345v) g(PPPQ)\n0E h(12345v) g(AAA)\n8E 5P (1)A +12\n*>R\n',
    "abandoned": '[Termination "abandoned"]\n0R 5P h(12345v) g(PPPQ)\n0E h(12345v) g(AAA)\n8E 5P (1)A +12\n*\n',
    "unfinished": "0R 5P h(12345v) g(PPPQ)\n0E h(12345v) g(AAA)\n8E 5P (1)A +12\n*\n",
}
"""Games that end in the ways in which no example does."""


def texts() -> dict[str, str]:
    examples = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in WHOLE}
    positions = {}
    for name, moves in ENDS.items():
        headers = re.findall(r"^\[.*\n", moves, re.MULTILINE)
        positions[name] = HEAD + "".join(headers) + "\n" + moves[sum(map(len, headers)) :]
    return examples | positions


TEXTS = texts()


@cache
def made(name: str, view: str, *command: str) -> str:
    """What a command writes of a game."""
    first, *more = command
    ran = CliRunner().invoke(main, [first, "-", *more, "--as", view], input=TEXTS[name])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def cases() -> Iterator[tuple[str, str]]:
    """Each text from all points of view that it allows, in an ordinary run from one of them in turn."""
    for number, (name, text) in enumerate(TEXTS.items()):
        views = views_for(timeline(next(iter(parse(text)))).view)
        yield from ((name, view) for view in (views if FULL else [views[number % len(views)]]))


@pytest.mark.parametrize(("name", "view"), [*cases()])
def test_every_form_says_the_same_at_the_end(name: str, view: str):
    (game, *_) = parse(TEXTS[name])
    told = timeline(game, view)
    end = told.entries[-1].state
    assert end is not None
    table = told.table(end)
    points = tuple(side.points for side in table.sides)
    rome, egypt = points
    over = bool(told.ended or "unfinished" not in told.summary or game.record.header("Termination"))
    assert (table.mover is None) == over
    if "unknown" not in told.summary:
        assert f"Rome {rome}, Egypt {egypt}" in told.summary
    # The page's headline and its panel.
    written = page([told], [])
    data = json.loads(re.search(r'id="data">(.*?)</script>', written, re.DOTALL)[1])
    last: dict[str, str] = {}
    for patch in data["views"][0]["patches"]:
        last |= patch
    assert f"{outcome(told)}." in " ".join(written.split())
    assert (last["points.0"], last["points.1"]) == (str(rome), str(egypt))
    assert (last["verdict"], last["ended"]) == ((told.summary, told.ended) if over else ("", ""))
    assert last["total.0"] in ("", str(rome))
    # Text and pictures of the table.
    shown = " ".join(made(name, view, "show").split())
    ends = [" so far" if not over else " =" if any(dict(side.account).values()) else "" for side in table.sides]
    assert re.findall(r"points (\d+)( so far| =|)", shown) == [*zip(map(str, points), ends, strict=True)]
    assert (f"{told.summary}{f' ({told.ended})' * bool(told.ended)}" in shown) == over
    assert (f" · {moment_words(table)} · " in shown) != over
    for narrow in ((), ("--narrow",)):
        drawn = made(name, view, "show", "--format", "svg", *narrow)
        said = re.search(r"<desc[^>]*>(.*?)</desc>", drawn, re.DOTALL)[1]
        assert (told.summary in said) == over
        assert (told.ended in drawn) or not over
        assert [int(each) for each in re.findall(r"(?:Caesar|Cleopatra): (\d+) point", said)] == [*points]
        assert moment_words(table) in html.unescape(said)
        assert over or moment_words(table) in html.unescape(re.sub(r"<desc.*?</desc>", "", drawn, flags=re.DOTALL))
    # The whole game as data, as a table and as a picture.
    known = json.loads(made(name, view, "timeline", "--format", "json"))
    assert (known["summary"], known["ended"]) == (told.summary, told.ended)
    drawn = known["turns"][-1]["table"]
    assert (drawn["rome"]["points"], drawn["egypt"]["points"], drawn["turn"]) == (*points, table.turn)
    assert ENDINGS.get(drawn["ended"], "") == told.ended
    rows = [*csv.DictReader(io.StringIO(made(name, view, "timeline", "--format", "csv")))]
    assert (rows[-1]["rome_points"], rows[-1]["egypt_points"]) == (str(rome), str(egypt))
    assert f"Rome {rome}<" in made(name, view, "timeline", "--format", "svg")
    brief = made(name, view, "timeline")
    assert " ".join(told.summary.split()) in " ".join(brief.split())
    (counted,) = re.findall(r"(\d+–\d+)$", brief, re.MULTILINE)[-1:] or [f"{rome}–{egypt}"]
    assert counted == f"{rome}–{egypt}"
    stand = re.findall(r"(?:Caesar|Cleopatra) (\d+) points?, \d+ patricians?", made(name, view, "timeline", "--full"))
    assert [int(each) for each in stand[-2:]] == [*points]
    if view == told.view == "arbiter" and told.ended:
        sheet = "\n".join(score_sheet(Draft(game.record)))
        assert re.search(rf"^Points +{rome} +{egypt}$", sheet, re.MULTILINE), sheet


def test_the_forms_are_tried_on_every_kind_of_end():
    told = [timeline(next(iter(parse(text)))) for text in TEXTS.values()]
    assert {each.ended for each in told} == {"", *ENDINGS.values()}
    wins = ("Rome wins", "Egypt wins", "by the tie-break", "a draw")
    for end in (*wins, "resigned", "abandoned", ": unfinished", "not counted"):
        assert any(end in each.summary for each in told), end


def test_the_turn_is_that_of_the_next_token_in_every_form():
    (game,) = parse(TEXTS["2024/annotated"])
    for view in ("arbiter", "table"):
        told = timeline(game, view)
        for step in page_steps(told):
            if step.entry is None or step.is_vote or told.entries[step.entry].status != "played":
                continue
            table = told.table(step.state)
            entry = told.entries[step.entry]
            is_last = step.event is None or entry.events[step.event] is entry.events[-1]
            over = table.mover is None
            assert over or (table.turn == entry.label) != is_last, step.address
            if step.entry < 12:
                shown = made("2024/annotated", view, "show", "--at", step.address).partition("\n")[0]
                assert f" · {'over' if over else moment_words(table)} · " in shown
