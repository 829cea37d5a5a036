"""Every search can be given seconds: it then gives the part of the answer that it found, and says that it stopped.

The clock is held: it goes on by a second whenever somebody looks at it, so that seconds count looks.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tironian
from click.testing import CliRunner
from test_values import LOGS, SLIP, UNNAMED, WHOLE
from tironian.tools.cli.command_line import main

HEADERS = "".join(f'[{name} "?"]\n' for name in ("Event", "Site", "Round", "Caesar", "Cleopatra"))
(CLASH,) = tironian.parse(
    f'[Rules "1997"]\n{HEADERS}[Date "2026.11.26"]\n[Result "*"]\n[View "table"]\n'
    "0R (i)S (i)P (i)Q (i)C (i)A m(?)\n0E (i)S (i)P (i)Q (i)C (i)A m(?)\n1E (i)A +i =A1:p5>R\n*\n"
)


class HeldClock:
    """A clock that goes on by a second at each look."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    held = HeldClock()
    monkeypatch.setattr("tironian.notation.allowance.clock", held)
    return held


def test_repairs_found_so_far(clock: HeldClock) -> None:
    every = tironian.find_repairs(SLIP)
    assert not every.stopped
    assert clock.looks == 0, "who gives no seconds asks no clock"
    stopped = tironian.find_repairs(SLIP, seconds=3)
    assert stopped.stopped
    assert [each.record for each in stopped] == [each.record for each in every][: len(stopped)]
    assert tironian.find_repairs(SLIP, seconds=1_000_000) == every


def test_all_readings_of_a_record_share_one_end(clock: HeldClock) -> None:
    written = tironian.write(SLIP.record)
    assert '[Rules "2024"]' in written
    (game,) = tironian.parse(written.replace('[Rules "2024"]', "[Rules 2024"))
    stopped = tironian.find_repairs(game, seconds=3)
    assert stopped.stopped


def test_repairs_until_there_are_enough() -> None:
    assert tironian.find_repairs(SLIP, max_repairs=1).stopped
    assert len(tironian.find_repairs(SLIP, max_repairs=1)) == 1
    assert not tironian.find_repairs(SLIP, max_repairs=2).stopped
    assert tironian.find_repairs(SLIP, budget=1).stopped
    assert not tironian.find_repairs(WHOLE).stopped


def test_a_log_that_was_not_searched_to_the_end_is_possible(clock: HeldClock) -> None:
    sure, unsure = tironian.check(CLASH), tironian.check(CLASH, seconds=0.5)
    assert (sure.verdict, sure.searched) == ("illegal", True)
    assert (unsure.verdict, unsure.searched, unsure.diagnostics) == ("possible", False, ())
    assert clock.looks == 2
    assert tironian.check(WHOLE, seconds=0.5).searched, "where all cards are known nothing is searched for"


def test_readings_tried_so_far(clock: HeldClock) -> None:
    every = tironian.infer_rules(UNNAMED)
    stopped = tironian.infer_rules(UNNAMED, seconds=1)
    assert every
    assert stopped
    assert (every.rules, every.is_explained, every.stopped) == ("2024", True, False)
    assert (stopped.rules, stopped.stopped) == ("2024", True)


def test_logs_are_joined_without_the_rules_when_time_is_over(clock: HeldClock) -> None:
    logs = [WHOLE, tironian.parse(tironian.write(WHOLE).replace("\n9E 5K", "\n8E 5K"))[0]]
    for given in (logs, logs[::-1]):
        every, stopped = tironian.merge(given), tironian.merge(given, seconds=0.5)
        assert not every.stopped
        assert stopped.stopped
        assert stopped.verdict.verdict != "illegal"
        assert [turn.tokens for turn in stopped.record.turns] == [turn.tokens for turn in every.record.turns]
    assert tironian.check(stopped.record).verdict == "illegal", "nothing is said of the logs, though"


def test_odds_of_a_part_of_a_game_are_none(clock: HeldClock) -> None:
    assert tironian.odds(WHOLE, "table", "3R", seconds=1_000_000) == tironian.odds(WHOLE, "table", "3R")
    with pytest.raises(TimeoutError, match="not worked out in 5 seconds"):
        tironian.odds(WHOLE, "table", "3R", seconds=5)


def test_decisions_are_judged_by_the_net_when_time_is_over(clock: HeldClock) -> None:
    pytest.importorskip("numpy")
    rome, egypt = tironian.analyse(LOGS[0], 0, seconds=0.5).sides
    assert egypt is None
    assert rome
    assert rome.stopped
    assert not any(decision.level for decision in rome.decisions)


def test_the_command_says_that_there_may_be_other_repairs(clock: HeldClock, tmp_path: Path) -> None:
    path = tmp_path / "slip.tiro"
    path.write_text(tironian.write(SLIP.record), encoding="utf-8")
    run = CliRunner().invoke(main, ["repair", str(path), "--seconds", "2"])
    assert "the search was stopped early; there may be other repairs" in run.stderr
    assert run.exit_code == 1
