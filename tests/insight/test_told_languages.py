"""Reports in another language than English, in which they are kept."""

from __future__ import annotations

import pytest
import tironian
from tironian.notation.language import language, speaking
from tironian.notation.records import as_game
from tironian.replay.engine.api import replay_game, walk
from tironian.tools.insight.analysis import analyse, judged_sides, told_sides
from tironian.tools.insight.analysis_json import as_kept, report_data
from tironian.tools.insight.analysis_text import annotated, text
from tironian.tools.insight.judgement import reworded

RULES = ("2024", "1997", "fr", "taylor")
QPS = language("qps")
assert QPS is not None


@pytest.mark.parametrize("rules", RULES)
def test_moves_are_worded_from_the_notation_as_they_were_when_judged(rules: str):
    report = analyse(tironian.simulate(tironian.load_edition(rules), seed=1), level="quick")
    for side, log in judged_sides(report):
        played = replay_game(as_game(log))
        before = {(step.place, step.at): (state, step.token) for state, step in walk(played)}
        for each in side.decisions:
            place = before.get((each.turn, each.at), (played.steps[0].state, None))
            assert reworded(each, side.side, *place) == each


def test_what_is_kept_is_english_and_what_is_said_is_not():
    record = tironian.simulate(tironian.load_edition("2024"), seed=1)
    report = as_kept(analyse(record, level="quick"))
    with speaking(QPS):
        assert as_kept(analyse(record, level="quick")) == report
        said, data, noted = [*text(report)], report_data(report), annotated(record, report)
        (side, _), *_ = told_sides(report)
    assert (data, noted) == (report_data(report), annotated(record, report))
    assert side.decisions[0].words.startswith(("ṕĺááćééś", "ķééééṕś"))
    assert [line for line in said if "chance of winning" in line] == []
