"""The table in a terminal: who would win a vote, and its colours."""

from __future__ import annotations

import re
from colorsys import rgb_to_hls
from pkgutil import get_data

import pytest
from rich.color import Color
from rich.style import Style
from tironian.replay.knowledge.table_view import GroupView, would_win
from tironian.tools.cli.screen.board import STYLES
from tironian.tools.render.page_steps import flat_part


def column(rome: str, egypt: str, sums: tuple[int | None, int | None]) -> GroupView:
    return GroupView("P", "Praetors", 3, (1, 1), (tuple(rome.split()), tuple(egypt.split())), sums)


@pytest.mark.parametrize(
    ("group", "winner", "lead"),
    [
        (column("4 2", "(5)", (6, 5)), 0, "▲ +1"), (column("4", "(?)", (4, None)), None, ""),
        (column("4", "3 1", (4, 4)), None, "◇ level"), (column("4 (p)", "3", (4, 3)), 1, "▼ lower"),
        (column("3", "4 p", (3, 4)), 0, "▲ lower"), (column("4 (p)", "3 p", (4, 3)), 0, "▲ +1"),
        (column("4 p", "", (4, 0)), None, ""), (column("", "1", (0, 1)), 1, "▼ +1"),
        (column("", "", (0, 0)), None, "empty"),
    ],
)  # fmt: skip
def test_who_would_win_a_vote_on_the_terminal_and_on_a_page(group: GroupView, winner: int | None, lead: str):
    assert would_win(group) == winner
    assert flat_part(group)["P.lead"] == lead


def test_the_sides_have_the_hues_of_the_pages():
    css = (get_data("tironian.tools.render", "templates/look.css") or b"").decode()
    for name, style in zip(("rome", "egypt"), STYLES, strict=False):
        color, found = Style.parse(style).color, re.search(rf"--{name}-mark: (#\w+);", css)
        assert color is not None
        assert found
        hues = [
            rgb_to_hls(*(part / 255 for part in each.get_truecolor()))[0] for each in (color, Color.parse(found[1]))
        ]
        assert abs(hues[0] - hues[1]) < 0.01
