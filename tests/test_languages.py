"""What programs read, and what is written into records, is the same in every language."""

from __future__ import annotations

import re
import shutil
from itertools import islice
from pathlib import Path

import pytest
from many_commands import _MOMENT, OUT, cases, ran
from scale import scaled
from test_same_bytes import work as work
from tironian.notation.language import PSEUDO, language, speaking
from tironian.tools.archive.api import ChunkChecker
from tironian.tools.archive.cluster import ClusterTask, run_task
from tironian.tools.cli.common import MACHINES
from tironian.tools.storage.api import InputFile

ROOT = Path(__file__).parents[1]
FILES, PARTS = scaled(40, 8), scaled(24, 1)
"""Of so many records one is used, and of so many commands one is run."""
ENVIRONMENTS = ({"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "fr_FR.UTF-8"}, {"TIRO_LANG": "qps"})
RECORDS = ("convert", "view", "merge", "simulate", "schema")
"""Commands that write records, or other files, to standard output in any of their formats."""
MORE = [
    ("fmt", "sheets"),
    ("fmt", "sheets/table.tiro", "--diff"),
    ("convert", "sheets/caesar.tiro", "-o", f"{OUT}/caesar.json"),
    ("repair", "examples/broken/card-not-in-hand.tiro", "-o", f"{OUT}/repaired.tiro", "--pick", "1"),
    ("merge", "sheets/caesar.tiro", "sheets/cleopatra.tiro"),
    ("simulate", "-n", "2", "--seed", "5", "-o", f"{OUT}/games.tiro"),
    ("check", "examples/broken", "-j", "1", "--keep-good", f"{OUT}/good", "--keep-bad", f"{OUT}/bad"),
    ("export", "sheets", "-o", f"{OUT}/tables", "-j", "1"),
]
"""Commands that write files, whatever they say."""


def is_record(words: tuple[str, ...]) -> bool:
    """Whether a command writes records; statistics are for people."""
    return words[0] in RECORDS and "--stats" not in words


def form_of(words: tuple[str, ...]) -> str:
    """The format in which a command writes."""
    return words[words.index("--format") + 1] if "--format" in words else ""


def commands(files: list[str]) -> list[tuple[tuple[str, ...], str]]:
    """The commands whose output must not depend on the language."""
    told = [case for case in cases(files) if isinstance(case, tuple)]
    same = [
        (words, typed)
        for words, typed in told
        if form_of(words) in MACHINES or is_record(words) or words[0] in ("record", "play") or "--witness" in words
    ]
    return [*islice(same, 0, None, PARTS), *[(words, "") for words in MORE]]


def written(words: tuple[str, ...], typed: str) -> list[bytes]:
    """What a command writes for programs: its exit code, its output if it is for them, and files."""
    code, out, _, *files = ran(words, typed)
    told = form_of(words) in MACHINES or is_record(words) or "--diff" in words
    return [code, *[_MOMENT.sub(b"", each) for each in ([out] * told + files)]]


def test_what_programs_read_is_the_same_in_every_language(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    results: list[list[list[bytes]]] = []
    run: list[tuple[tuple[str, ...], str]] = []
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    for number, environment in enumerate(({"LC_ALL": "C"}, *ENVIRONMENTS)):
        folder = tmp_path / str(number)
        shutil.copytree(work, folder)
        (folder / OUT).mkdir()
        monkeypatch.chdir(folder)
        for name in ("TIRO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        files = sorted(str(path) for room in ("examples", "sheets") for path in Path(room).rglob("*.tiro"))
        run = commands(files[::FILES])
        results.append([written(*each) for each in run])
        sheets = [path.read_bytes() for path in sorted(Path("sheets").iterdir())]
        results[-1].append(sheets)
    for environment, result in zip(ENVIRONMENTS, results[1:], strict=True):
        differing = [each[0] for each, one, other in zip(run, results[0], result, strict=False) if one != other]
        assert not differing, environment
        assert result[-1] == results[0][-1], environment


def test_a_worker_of_a_cluster_speaks_the_language_of_the_run():
    file = InputFile("no.tiro", problem="")
    said = [run_task(ClusterTask(0, file, str(ROOT), language=code), ChunkChecker()) for code in ("en", PSEUDO)]
    english, marked = [each[0].reports[0].diagnostics[0].message for each in said]
    assert english == "this can't be read: there is no such file or folder"
    assert marked != english
    assert not re.search("[a-z]", marked)


def test_what_is_known_of_a_check_does_not_depend_on_its_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(ROOT / "examples" / "broken", tmp_path / "broken")
    monkeypatch.chdir(tmp_path)
    words = ("check", "broken", "--resume", "state", "-j", "1")
    Path(OUT).mkdir()
    with speaking(language(PSEUDO)):
        marked = ran(words, "")
    english = ran(words, "")
    assert b"Checked before and unchanged" in english[2]
    assert not re.search(rb"[\xc3-\xc7]", english[1] + english[2])
    assert marked[0] == english[0]
