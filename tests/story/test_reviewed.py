"""What a review of timelines and vote trees found, each a case of its own."""

from __future__ import annotations

import io
import json

from blocks import Block, compose
from tironian import VIEWS, Game, parse, timeline
from tironian.replay.story.vote_tree import trees
from tironian.tools.render.data import timeline_data, write_csv
from tironian.tools.render.timeline_text import markdown, text
from tironian.tools.render.vote_graph import mermaid, outline


def game(*lines: str, rules: str = "2024", position: bool = True, **options: str) -> Game:
    given = {"position": "", **options} if position else options
    whole, _ = compose(Block(given, list(lines), 1), rules)
    return parse("\n".join(whole))[0]


def everything(found: Game, view: str) -> str:
    """All that is written of a game for a point of view."""
    told = timeline(found, view)
    table = io.StringIO()
    write_csv(told, table)
    parts = [*text(told), *markdown(told), json.dumps(timeline_data(told)), table.getvalue()]
    for tree in trees(told):
        parts += [*outline(tree), mermaid(tree)]
    return "\n".join(parts)


# ------------------------------------------------------------------------------------------------ what crashed


def test_records_that_crashed_are_told():
    opening = ("0R (1)P (2)Q (3)A (4)K (5)C m(A,12) +v", "0E (3)P (1)Q (5)A (2)K (4)C m(P,each) +v")
    for found in (
        game(*opening, "0E (3)A 5Q +3x", position=False),
        game(*opening, "0R (3)A 5Q +3x", "0E a(xxx)", position=False),
        game("0R 3A g(AA) h(12345x) m(each)", "0E 5A g(AA) h(1134sv) m(12)", "9E 1A =A3:51>E mR2", position=True),
        game("0R 3A g(AA) h(12345x)", "0E 5A g(AA) h(1134sv)", "9E 1A =A3:51>E mE1", position=True),
        game(f"{opening[0]} =A", opening[1], "1E (3)A +3", position=False),
        game("0R 3A h(12345x) m(each)", "0E (5)A (2)A h(1134sv) m(12)", "9R x(i)A (1)P =A3:2>R", starts="Caesar"),
    ):
        for view in VIEWS:
            assert everything(found, view)
