"""``tiro record`` where disk, files or terminal fail it: it says so in a sentence, and loses nothing."""

from __future__ import annotations

import errno
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from journals import journal_of, names, opened
from recorders import TIRO, WIDE, Entry, accepted, begun, quiet, script, typed
from terminals import Terminal, terminal
from tironian import load_edition, write
from tironian.tools.cli.command_line import main
from tironian.tools.recorder.commands import enter
from tironian.tools.recorder.questions import questions
from tironian.tools.recorder.recorder import Recorder
from typed_records import COMPLETE, MemoryStorage, record_of

(GAME,) = [path for path in COMPLETE if path.parent.name == "2024" and path.stem == "tie-break"]
BEGUN = 80
"""So many lines of the game are there before."""
COLOURS = re.compile(rb"\x1b\[(?:\d+;)*(?:[349][0-7]|10[0-7]|[34]8)(?:;\d+)*m")


@pytest.fixture(scope="module")
def lines() -> list[Entry]:
    """The record as it stands, and what is typed then."""
    return script(record_of(GAME))[BEGUN:]


@pytest.fixture
def path(tmp_path: Path, lines: list[Entry]) -> Path:
    found = tmp_path / "game.tiro"
    found.write_text(lines[0].text, encoding="utf-8")
    return found


@contextmanager
def recording(path: Path, *before: str, **env: str) -> Iterator[Terminal]:
    with terminal(*before, *TIRO, size=WIDE, cwd=path.parent, **env) as there:
        quiet(there)
        there.wait_until(lambda: begun(there))
        yield there


def accept(there: Terminal, path: Path, lines: list[Entry]) -> None:
    """Type lines, and wait until the last of them is kept."""
    there.press(typed(lines))
    there.wait_until(lambda: path.exists() and path.read_text(encoding="utf-8") == lines[-1].text)


def leave(there: Terminal) -> int:
    there.press("/quit\r")
    code = there.end()
    assert "Traceback" not in there.text
    return code


def refused(there: Terminal, path: Path, lines: list[Entry], why: str) -> None:
    """Type a line that can't be kept; that is told, and what was there before stays."""
    there.press(typed(lines[1:2]))
    there.wait_until(lambda: why in there.text)
    there.wait_until(lambda: "nothing was changed, and the last entry was not kept" in there.text)
    assert path.read_text(encoding="utf-8") == lines[0].text
    assert there.run.poll() is None


def again(there: Terminal, path: Path, lines: list[Entry]) -> None:
    """Enter anew what was refused, and what follows; it is kept now. On the screen it still stands on the line."""
    there.press(typed(lines[1:2]))
    accept(there, path, lines[2:5])
    assert leave(there) == 0


@pytest.mark.process
def test_a_disk_that_is_full(tmp_path, path, lines):
    place = tmp_path / "disk"
    place.mkdir()
    mounted = 'mount -t tmpfs -o size=64k none "$0" && cp game.tiro "$0" && cd "$0" && exec "$@"'
    if not may_mount(place):
        pytest.skip("this system gives us no disk of our own")
    with recording(path, "unshare", "-rm", "sh", "-c", mounted, str(place)) as there:
        disk = Path(f"/proc/{there.run.pid}/root{place}")
        filler = disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as stream:
            while stream.write(bytes(512)):
                pass
        refused(there, disk / "game.tiro", lines, "game.tiro: the disk is full")
        filler.unlink()
        again(there, disk / "game.tiro", lines)


def may_mount(place: Path) -> bool:
    try:
        return not subprocess.run(
            ["unshare", "-rm", "mount", "-t", "tmpfs", "none", place], stderr=subprocess.DEVNULL, check=False
        ).returncode
    except FileNotFoundError:
        return False


@pytest.mark.process
def test_a_limit_of_size(path, lines):
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("limits can't be set from outside on this system")
    with recording(path) as there:
        before = resource.prlimit(there.run.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(there.run.pid, resource.RLIMIT_FSIZE, (journal_of(path).stat().st_size + 20, before[1]))
        refused(there, path, lines, "game.tiro: the file size limit is reached")
        resource.prlimit(there.run.pid, resource.RLIMIT_FSIZE, before)
        again(there, path, lines)
    assert opened(path) == (lines[4].text, [])


@pytest.mark.process
def test_a_second_recorder_and_a_terminal_that_is_lost(path, lines):
    with recording(path) as there:
        accept(there, path, lines[1:3])
        with terminal(*TIRO, size=WIDE, cwd=path.parent) as other:
            assert other.end() == 2
            told = "someone else is recording in this file, so nothing can be recorded; wait until that ends and"
            assert other.text == f"Error: game.tiro: {told} start again\n"
        accept(there, path, lines[3:5])
        assert there.hang_up() == 129  # as shells report SIGHUP
    assert opened(path) == (lines[4].text, [])


@pytest.mark.process
def test_files_that_change_under_its_feet(path, lines):
    def told(words: str) -> None:
        there.wait_until(lambda: words in there.text)

    with recording(path) as there:
        path.write_text("theirs\n", encoding="utf-8")
        accept(there, path, lines[1:2])
        told("game.tiro was changed by someone else: that version is now game.theirs-1.tiro")
        path.unlink()
        accept(there, path, lines[2:3])
        told("game.tiro was gone; it has been written again")
        journal_of(path).unlink()
        accept(there, path, lines[3:4])
        told("game.tiro.trail was gone; it has been written again")
        accept(there, path, lines[4:5])
        assert leave(there) == 0
    assert names(path) == ["game.theirs-1.tiro", "game.tiro", "game.tiro.trail"]
    assert path.with_name("game.theirs-1.tiro").read_text(encoding="utf-8") == "theirs\n"
    assert opened(path) == (lines[4].text, [])


@pytest.mark.process
def test_input_from_a_pipe(path, lines):
    """It needs no ``--plain``, and gets no prompt."""
    piped = "".join(f"{entry.line}\n" for entry in lines[1:])
    run = subprocess.run(TIRO, input=piped, capture_output=True, text=True, cwd=path.parent, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert not [line for line in run.stdout.splitlines() if line.startswith("> ")]
    assert path.read_text(encoding="utf-8") == write(record_of(GAME))


@pytest.mark.process
def test_an_interrupt_of_the_plain_mode(path, lines):
    with recording(path) as there:
        accept(there, path, lines[1:4])
        # The record is there before the journal says so, but the prompt comes behind both.
        there.wait_until(lambda: accepted(there.output) == 3)
        # Python misses the signal where it comes just before a line is read; whoever sits there presses again.
        assert there.end(again="\x03") == 130
        assert "Traceback" not in there.text
    assert opened(path) == (lines[3].text, [])


@pytest.mark.process
def test_a_terminal_that_can_not_be_drawn_on(path, lines):
    with terminal(*TIRO, size=WIDE, cwd=path.parent, TERM="dumb") as there:
        quiet(there)
        there.wait_until(lambda: begun(there))
        accept(there, path, lines[1:4])
        assert leave(there) == 0
    assert b"\x1b" not in there.output


def test_a_trail_brings_back_what_a_crash_made_unreadable(tmp_path: Path):
    there = tmp_path / "game.tiro"
    run = CliRunner()
    run.invoke(main, ["record", str(there), "--rules", "2024", "--plain"], input="(1)P\n")
    text = there.read_bytes()
    there.write_bytes(bytes(len(text)))
    assert run.invoke(main, ["record", str(there), "--plain"], input="/undo\n").exit_code != 2
    assert there.read_bytes() == text


def test_an_edit_by_hand_is_told_and_kept(tmp_path: Path):
    there = tmp_path / "game.tiro"
    run = CliRunner()
    run.invoke(main, ["record", str(there), "--rules", "2024", "--plain"], input="(1)P\n(2)Q\n")
    text = there.read_text()
    there.write_text(text.replace(" (2)Q", ""))
    done = run.invoke(main, ["record", str(there), "--plain"], input="")
    assert "game.tiro was changed outside the recording since 20" in done.output
    assert "its present text is kept; /undo goes back to what had been recorded" in done.output
    assert there.read_text() == text.replace(" (2)Q", "")
    run.invoke(main, ["record", str(there), "--plain"], input="/undo\n")
    assert there.read_text() == text


@pytest.mark.process
def test_a_terminal_that_is_lost_ends_it_where_that_signal_is_ignored(path: Path, lines: list[Entry]):
    with recording(path, "sh", "-c", 'trap "" HUP; exec "$0" "$@"') as there:
        accept(there, path, lines[1:3])
        assert there.hang_up() == 0
    assert opened(path) == (lines[2].text, [])


@pytest.mark.parametrize("said", range(1, 6))
def test_a_terminal_that_is_lost_while_something_is_said_ends_it_as_well(
    said: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Everything typed before is kept: the terminal goes while the ``said``-th answer is written."""
    left = iter(range(1, said))

    def say(*lines: str, err: bool = True) -> None:
        if next(left, None) is None:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("tironian.tools.cli.record.say", say)
    path, words = tmp_path / "game.tiro", ["(1)P", "(2)Q", "(3)A", "(4)K", "(1)C"]
    done = CliRunner().invoke(main, ["record", str(path), "--rules", "2024"], input="\n".join(words) + "\n")
    assert (done.exit_code, done.output) == (0, "")
    text = path.read_text(encoding="utf-8")
    assert [word for word in words if word in text] == words[: said - 1]


@pytest.mark.process
def test_a_game_of_which_everything_is_given_begins_without_a_form(tmp_path: Path):
    names = [question.name for question in questions(load_edition("2024"), "2026.03.12")]
    said = {"Starts": "Caesar", "View": "arbiter"}
    given = [f"--header={name}={said.get(name, '')}" for name in names]
    with terminal(*TIRO, "--rules", "2024", *given, size=WIDE, cwd=tmp_path) as there:
        there.wait_until(lambda: "Caesar's face-down card at the Praetors" in there.text)
        assert leave(there) == 0


@pytest.mark.process
def test_a_refused_word_and_a_record_that_a_correction_broke_are_repaired(path, lines):
    def says(there: Terminal, text: str) -> None:
        there.wait_until(lambda: path.read_text(encoding="utf-8") == text)

    recorder = Recorder(MemoryStorage(lines[0].text))
    texts = []
    for line in ("+9", "/repair 1", "/drop 3R", "/repair 1", "/undo"):
        enter(recorder, line)
        texts.append(recorder.draft.text)
    before, drawn, broken, repaired, _ = texts
    assert len({before, drawn, broken, repaired}) == 4
    assert "\n   ; repaired, a turn left out: nothing\n" in repaired
    with recording(path) as there:
        there.press("+9\r")
        there.wait_until(lambda: "did you mean" in there.text)
        there.press("/repair 1\r")
        says(there, drawn)
        there.press("/drop 3R\r")
        says(there, broken)
        there.press("/repair 1\r")
        says(there, repaired)
        there.press("/undo\r")
        says(there, broken)
        assert leave(there) == 1
