"""Processes that end, or are ended, at bad moments: in the middle of an answer, and with others waiting for one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tironian.tools.processes.pool import Pool

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system that kills, and named pipes"),
]
BAD = 3
"""The load with which it happens."""
CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")


@pytest.fixture(params=["fork", "spawn"], autouse=True)
def method(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each way to start processes; none of them is left, not even as a zombie."""
    usual = multiprocessing.get_start_method()
    multiprocessing.set_start_method(request.param, force=True)
    resource_tracker.ensure_running()
    before = CHILDREN.exists() and CHILDREN.read_text(encoding="ascii")
    yield request.param
    multiprocessing.set_start_method(usual, force=True)
    assert before == (CHILDREN.exists() and CHILDREN.read_text(encoding="ascii"))


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A pipe by which a process tells where it is: who reads it waits for that."""
    os.mkfifo(tmp_path / "told")
    return tmp_path / "told"


def tell(path: Path) -> None:
    path.write_text("here", encoding="ascii")


def half(then: Callable[[], object], load: int) -> int:
    """The load. Of the bad one only half of the message is written, and something happens."""
    whole = Connection._send

    def send(pipe: Connection, data: bytes) -> None:
        whole(pipe, bytes(data)[: len(data) // 2])
        then()
        signal.pause()

    if load == BAD:
        Connection._send = send
    return load


def half_once(path: Path, load: int) -> int:
    if load == BAD and path.exists():
        path.unlink()
        return half(die, load)
    return load


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    os.kill(os.getppid(), signal.SIGINT)


def orphan() -> None:
    os.kill(os.getppid(), signal.SIGKILL)


def stop(path: Path, load: int) -> int:
    if load == BAD:
        tell(path)
        os.kill(os.getpid(), signal.SIGSTOP)
    return load


def hang_or_orphan(load: int) -> int:
    """The first load is done, so that its process comes to the bad one while all others hang."""
    if load not in (0, BAD):
        signal.pause()
    return half(orphan, load)


def fail(load: int) -> object:
    if load == BAD:
        raise ValueError(f"the load {load}")
    return load


def unsendable(load: int) -> object:
    return (lambda: load) if load == BAD else load


def given_up(load: int) -> int:
    return -load


@pytest.mark.parametrize("work", [lambda path: partial(half, partial(tell, path)), lambda path: partial(stop, path)])
def test_the_end_comes_while_an_answer_is_written_or_never_comes(told: Path, work: Callable[[Path], Callable]):
    pool = Pool(work(told), 1)
    results = pool.map([0, BAD, 1, 2], given_up)
    assert next(results) == (0, 0)
    assert told.read_text(encoding="ascii") == "here"
    pool.close()
    pool.close()


def test_ctrl_c_comes_while_an_answer_is_written():
    pool = Pool(partial(half, interrupt), 2)
    with pytest.raises(KeyboardInterrupt):
        list(pool.map(range(100), given_up))
    pool.close()


def test_a_process_is_killed_while_it_writes_its_answer(tmp_path: Path):
    pool = Pool(partial(half, die), 2)
    assert list(pool.map(range(20), given_up)) == [(each, -each if each == BAD else each) for each in range(20)]
    pool.close()
    (tmp_path / "once").touch()
    pool = Pool(partial(half_once, tmp_path / "once"), 2)
    assert list(pool.map(range(20), given_up)) == [(each, each) for each in range(20)]
    pool.close()


def test_no_process_outlives_one_that_is_killed_while_it_is_answered(method: str):
    script = f"""
import multiprocessing, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_pool import Pool, given_up, hang_or_orphan
multiprocessing.set_start_method({method!r})
list(Pool(hang_or_orphan, 3).map(range(100), given_up))
"""
    # This comes to an end when no process has the pipes any more.
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGKILL, "", "")


@pytest.mark.parametrize("work", [fail, unsendable])
def test_what_the_work_raises_comes_in_its_turn(work: Callable[[int], object]):
    pool = Pool(work, 2)
    results = pool.map(range(20), given_up)
    assert [next(results) for _ in range(BAD)] == [(each, each) for each in range(BAD)]
    with pytest.raises((ValueError, AttributeError), match=r"the load 3|local object") as raised:
        next(results)
    pool.close()
    assert "pool.py" in raised.value.__notes__[0]
