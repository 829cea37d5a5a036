"""Whatever asks a command to end, and whenever: nothing half made stays, and nothing that was there is lost."""

from __future__ import annotations

import os
import re
import signal
from typing import Final

import pytest
from commands import in_all_formats, parameters
from forked import GAME, OUT, Case, Ran, commands, run_all
from scale import crossed

pytestmark = [pytest.mark.process, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")]

OLD: Final = b"what was there before\n"
NAMES: Final = ("SIGTERM", "SIGHUP", "SIGINT")
FILES: Final = "tironian.tools.storage.files"
BEGUN, COMPLETE = "tironian.tools.cli.common:Meter.__init__", f"{FILES}:_move"
"""What is called when work on many games begins, and when an output is to take its place."""
PLACES: Final = ("tempfile:mkstemp", f"{FILES}:lock", "os:fdopen", "os:fsync", COMPLETE, "os:chmod", "os:replace")
OVER: Final = ("-o", OUT, "--force")
WRITING: Final = [(*each, "--force") if each[-2:] == OVER[:2] else each for each in commands()]
PLAYERS: Final = ("--players", "--level", "quick", "-j", "1")
MANY: Final = [each for each in in_all_formats("analyse", GAME, *PLAYERS, *OVER) if not {"html", "tiro"} & {*each}]
CASES: Final = [
    *((each, BEGUN, "SIGINT") for each in (*MANY, *WRITING) if "jobs" in {of.name for of in parameters(each[0])}),
    *((*each, name) for each, name in crossed([(each, COMPLETE) for each in WRITING], NAMES)),
    *((("convert", GAME, *OVER), *each) for each in crossed(PLACES, NAMES)),
]


def case(words: tuple[str, ...], place: str, name: str) -> Case:
    return Case(words, (), f"at_call(1, {place!r}, {int(getattr(signal, name))})")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Ran]:
    return run_all(tmp_path_factory.mktemp("ended"), [case(*each) for each in CASES], **{OUT: OLD.decode()})


@pytest.mark.parametrize(("words", "place", "name"), CASES, ids=lambda each: each if isinstance(each, str) else each[0])
def test_nothing_half_made_is_left(ran: dict[Case, Ran], words: tuple[str, ...], place: str, name: str):
    done = ran[case(words, place, name)]
    assert not [each for each in done.files if each.startswith(".")]
    assert "Traceback" not in done.said
    if done.code in (0, 1, 2):  # it does not come to this place
        assert done.files[OUT] or place != BEGUN
        return
    assert done.code == 128 + getattr(signal, name)
    covered = re.search("Interrupted after ([^.;]+)", done.said)
    assert done.files[OUT] == OLD or (covered and covered[1].encode() in done.files[OUT])


def test_the_places_are_where_outputs_are_written(ran: dict[Case, Ran]):
    """Or nothing would have been tried."""
    came = [each for each in CASES if ran[case(*each)].code > 2]
    assert {place for _, place, _ in came} == {BEGUN, *PLACES}
    assert {words for words, place, _ in came if place == COMPLETE} >= {each for each in WRITING if "--force" in each}
