"""No record ends the program: each command, given a hostile one, ends as it should.

Some eighty of them in every run, each by another command; 40,000 with TIRO_FULL=1 (``make full``). A failure names its
seed; ``tried(seed, folder, [*LOOKS])`` does all there is with that record.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from archives import tiro
from hostile import VIEWS, record
from scale import scaled
from tironian import parse, replay_game
from tironian.replay.simulation.player import random_turn_codes, style
from tironian.tools.archive.checker import ChunkChecker
from tironian.tools.archive.chunks import Chunk
from tironian.tools.archive.tables import TableRows
from tironian.tools.report.model import GameReport

CHUNKS = 4
EACH = scaled(20, 10_000)
TYPED = b"\n(1)P\n4Q\n/undo\n/redo\n/repair\n/insist\n+3\n/find Q\n/go 1E\n/sheet\n/trail\n/redo\n/note x\n.\n"

Look = Callable[[str, Path, Random], None]


def run(text: str, *args: object, stdin: bytes | None = None) -> bytes:
    """Run a command on a text, which it reads from standard input; return what it writes."""
    done = tiro(*args, stdin=text.encode() if stdin is None else stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 2)
    assert b"this is a bug in tiro" not in done.stdout_bytes + done.stderr_bytes, done.stderr
    return done.stdout_bytes


def command(*args: str) -> Look:
    """The look that a command takes; a word VIEW in it becomes a point of view, MOMENT some moment."""

    def look(text: str, _folder: Path, rng: Random) -> None:
        moment = f"{rng.randrange(12)}{rng.choice('RE')}{rng.choice(('', '.0', '.1', '.2', '.3v'))}"
        run(text, *[{"VIEW": rng.choice(VIEWS), "MOMENT": moment}.get(word, word) for word in args], "-")

    return look


def export(text: str, _folder: Path, _rng: Random) -> None:
    rows = TableRows()
    for checked in ChunkChecker(moves=True).games(Chunk("hostile.tiro", text.encode(), last=True)):
        assert not isinstance(checked, GameReport)
        rows.add(checked)


def merge(text: str, folder: Path, rng: Random) -> None:
    """A record with itself, with what somebody saw of it, or with another one."""
    one, other = folder / "one.tiro", folder / "other.tiro"
    one.write_text(text, encoding="utf-8")
    seen = run(text, "view", "--as", rng.choice(VIEWS[1:]), "-")
    other.write_bytes(rng.choice((seen, text.encode(), record(rng.randrange(1 << 20)).encode())) or b"*\n")
    run(text, "merge", one, other)


def convert(text: str, _folder: Path, _rng: Random) -> None:
    again = run(text, "convert", "-", "--to", "json")
    if again:
        run(text, "convert", "-", "--to", "text", stdin=again)


def repair(text: str, folder: Path, _rng: Random) -> None:
    file = folder / "broken.tiro"
    file.write_text(text, encoding="utf-8")
    run(text, "repair", file, "-o", folder / "repaired.tiro", "--force")


def record_on(text: str, folder: Path, _rng: Random) -> None:
    """It is taken up by the recorder."""
    for path in folder.glob("*game.tiro*"):
        path.unlink()
    file = folder / "game.tiro"
    file.write_text(text, encoding="utf-8")
    run(text, "record", file, "--plain", stdin=TYPED)


def drill(text: str, folder: Path, rng: Random) -> None:
    file = folder / "drilled.tiro"
    file.write_text(text, encoding="utf-8")
    state = folder / "drill.json"
    run(
        text, "drill", file, "--state", state, "--level", "quick", "--as", rng.choice(VIEWS[1:3]), stdin=b"?\nshow\nq\n"
    )
    state.unlink(missing_ok=True)


def play_on(text: str, _folder: Path, rng: Random) -> None:
    """Somebody plays on at random from any moment at which all cards are known."""
    for game in parse(text):
        try:
            steps = replay_game(game).steps
        except ValueError:
            continue
        if steps and not any(any(side.unseen[-2:]) or side.has_unknown_cards for side in steps[-1].state.sides):
            state = rng.choice(steps).state.copy()
            for _ in range(3):
                if not state.over and not state.choosing:
                    random_turn_codes(state, rng, (style(rng), style(rng)))


LOOKS: dict[str, Look] = {
    **{f"check {form}": command("check", "--format", form) for form in ("text", "json", "sarif", "junit", "github")},
    "check strict": command("check", "-v", "--strict", "--infer-rules", "--require-finished"),
    "check witness": command("check", "--suggest", "--witness", "/dev/null"), "fmt": command("fmt"),
    "show": command("show"), "show at": command("show", "--at", "MOMENT", "--as", "VIEW"),
    "show odds": command("show", "--as", "VIEW", "--odds"),
    "show svg": command("show", "--format", "svg", "--at", "MOMENT"),
    **{f"timeline {form}": command("timeline", "--format", form) for form in ("text", "md", "json", "csv", "svg")},
    "timeline as": command("timeline", "--full", "--odds", "--as", "VIEW"),
    "timeline html": command("timeline", "--format", "html"),
    "timeline html as": command("timeline", "--format", "html", "--as", "VIEW"),
    **{f"votes {form}": command("votes", "--format", form) for form in ("text", "dot", "mermaid", "json")},
    "votes odds": command("votes", "--odds", "--as", "VIEW"), "view": command("view", "--as", "VIEW"),
    "view json": command("view", "--as", "VIEW", "--keep-remarks", "--format", "json"), "repair": repair,
    "merge": merge, "export": export, "convert": convert, "analyse": command("analyse", "--level", "quick"),
    "analyse as": command("analyse", "--level", "quick", "--as", "caesar"), "record": record_on, "drill": drill,
    "play on": play_on,
}  # fmt: skip
"""What is done with a record, by name."""


def tried(seed: int, folder: Path, names: list[str]) -> None:
    """Do with the record of a seed all that is named."""
    rng, text = Random(seed), record(seed)
    for name in names:
        try:
            LOOKS[name](text, folder, rng)
        except Exception as error:
            raise AssertionError(f"seed {seed}, {name}: {type(error).__name__}: {error}") from error


FOUND = {
    ("check", "--suggest"): """[Rules "taylor"]
0R m(256>,?)
   % E stands: so
""",
    ("votes", "--odds", "--as", "table"): """[Rules "fr"]
0R (4)S (2)P (3)Q (1)C (5)A
0E (5)S (3)P (2)Q (4)C (1)A
1E (1)P
1R sA() +2 =P2:31>E
   % E stands
2E =Q3:2>R
2R
3E (3)P
3R
4E (4)A
4R
5E (4)A =A5:441>E
""",
    ("analyse", "--level", "quick"): """[Rules "fr"]
0R (4)S (1)P (5)Q (2)C (3)A
0E (i)S (i)P (i)Q (i)C (i)A
1E =o
""",
}
"""Commands, and the least of a record that ended them once."""


@pytest.mark.parametrize("args", FOUND)
def test_what_ended_a_command_once_does_not(args: tuple[str, ...]):
    assert run(FOUND[args], *args, "-")


@pytest.mark.parametrize(("seed", "name"), [(15533, "record"), (35261, "record"), (11134, "show odds")])
def test_what_ended_a_look_once_does_not(seed: int, name: str, tmp_path: Path):
    """Repairs of a record whose last turn was filled in; odds where more was drawn than there was."""
    tried(seed, tmp_path, [name])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_record_ends_a_command(chunk: int, tmp_path: Path):
    for seed in range(chunk * EACH, chunk * EACH + EACH):
        tried(seed, tmp_path, [[*LOOKS][seed % len(LOOKS)]])
