"""Every command where the shell has closed standard streams: it does what it can, and no fault of its own is told."""

from __future__ import annotations

import os
from typing import Final

import pytest
from forked import GAME, OUT, Case, Ran, commands, run_all
from scale import FULL

pytestmark = [pytest.mark.process, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")]

CLOSED: Final = ((0,), (1,), (2,), (0, 1, 2)) if FULL else ((2,), (0, 1, 2))


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Ran]:
    cases = [Case(each, closed) for each in commands() for closed in ((), *CLOSED)]
    return run_all(tmp_path_factory.mktemp("closed"), cases)


@pytest.mark.parametrize("closed", CLOSED, ids=str)
@pytest.mark.parametrize("command", [*commands()], ids=" ".join)
def test_a_command_does_what_it_can(ran: dict[Case, Ran], command: tuple[str, ...], closed: tuple[int, ...]):
    done, wanted = ran[Case(command, closed)], ran[Case(command)]
    assert "T001" not in done.said
    assert "Traceback" not in done.said
    assert wanted.code in (0, 1, 2)
    if done.code != wanted.code:  # what it was to write has nowhere to go
        assert (done.code, 1 in closed, "-o" in command) == (2, True, False)
    else:
        assert done.files.keys() == wanted.files.keys()
        assert [name for name in (OUT, GAME) if done.files.get(name) != wanted.files.get(name)] == []
