"""Dialogues: what is typed, and below it what comes; read, played and compared (tests/transcripts/README.md)."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from blocks import Block, compose, options_of
from click.testing import CliRunner
from prose import Fence, read_cases
from tironian import parse, write
from tironian.notation.cards import PLAYER_NAMES
from tironian.tools.cli.command_line import main
from tironian.tools.recorder.clocks import Clocks
from tironian.tools.recorder.commands import Rejected, enter
from tironian.tools.recorder.questions import asked
from tironian.tools.recorder.recorder import Recorder
from tironian.tools.recorder.storage import NotKept
from typed_records import EXAMPLES, MemoryStorage, recorder_at

LEFT_OUT = "…"
"""A line that stands for any number of lines."""
INPUT = re.compile(r"(?:>|\$|--)(?: .*)?")
"""A line that is typed, or in two hyphens what happens meanwhile."""


def turns_of(fence: Fence) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The lines before the dialogue, and each input with the lines that are expected below it."""
    before: list[str] = []
    turns: list[tuple[str, list[str]]] = []
    for line in fence.lines:
        if INPUT.fullmatch(line):
            turns.append((line, []))
        else:
            (turns[-1][1] if turns else before).append(line)
    return before, turns


def fits(expected: list[str], answer: list[str]) -> bool:
    """Whether these are the lines that are expected, any where some are left out."""
    parts: list[list[str]] = [[]]
    for line in expected:
        if line.strip() == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    first, *between, last = parts if len(parts) > 1 else (*parts, [])
    if len(parts) == 1 or answer[: len(first)] != first:
        return answer == first
    at = len(first)
    for part in between:
        at = next((k + len(part) for k in range(at, len(answer)) if answer[k : k + len(part)] == part), len(answer) + 1)
    return at + len(last) <= len(answer) and answer[len(answer) - len(last) :] == last


def played(fence: Fence, folder: Path) -> list[str]:
    """What the fence should say: what it says now wherever that fits."""
    before, turns = turns_of(fence)
    kind, *how = fence.info.split()
    answers = PLAYERS[kind](how, before, [typed for typed, _ in turns], folder)
    lines = [*before]
    for (typed, expected), answer in zip(turns, answers, strict=True):
        answer = [line.rstrip() for text in answer for line in text.split("\n")]
        lines += [typed, *(expected if fits(expected, answer) else answer)]
    return lines


def rewrite(path: Path, title: str, number: int, lines: list[str]) -> None:
    """Put other lines into a fence, counted from 0, of the case with that title."""
    (case,) = [case for case in read_cases(path) if case.title == title]
    fence = case.fences[number]
    text = path.read_text(encoding="utf-8").splitlines()
    text[fence.line - 1 : fence.line - 1 + len(fence.lines)] = lines
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


# ---------------------------------------------------------------------------------------------------- the recorder


def begun(how: list[str], before: list[str]) -> tuple[str, Recorder]:
    """A text and a recorder of it: in the middle of an example, ``2024/tie-break 5E``, or where some lines end."""
    if how and "/" in how[0]:
        recorder = recorder_at(EXAMPLES / f"{how[0]}.tiro", how[1])
        return recorder.draft.text, recorder
    options = options_of(how)
    edition = options.pop("rules", "2024")
    lines, _ = compose(Block(options, before, 0), edition)
    (game,) = parse("\n".join(lines) + "\n")
    text = write(game.record)
    return text, Recorder(MemoryStorage(text))


def changed(old: str, new: str) -> list[str]:
    """The lines of a record that came or became others, with a plus, and those that went, with a hyphen."""
    lines, others = old.splitlines(), new.splitlines()
    found = []
    for kind, start, end, first, last in difflib.SequenceMatcher(None, lines, others, autojunk=False).get_opcodes():
        if kind != "equal":
            found += [f"- {line}" for line in lines[start:end][last - first :] if line]
            found += [f"+ {line}" for line in others[first:last] if line]
    return found


def record(how: list[str], before: list[str], typed: Iterable[str], _folder: Path) -> Iterator[list[str]]:
    """Record line by line."""
    time = 0.0

    def with_clocks(recorder: Recorder) -> Recorder:
        kept = recorder.storage.clocks
        recorder.clocks = Clocks.from_record(recorder.draft.record, kept, lambda: time)
        return recorder

    text, recorder = begun(how, before)
    with_clocks(recorder)
    seen = what_stands(recorder)
    for line in typed:
        answer: list[str] = []
        if line == "-- anew":
            text, recorder = begun(how, before)
            seen = what_stands(with_clocks(recorder))
        elif line in ("-- opened again", "-- opened without its journal"):
            storage = MemoryStorage(recorder.storage.text)
            storage.aside = recorder.storage.aside * line.endswith("again")
            recorder = with_clocks(Recorder(storage))
        elif seconds := re.fullmatch(r"-- after (\S+) seconds", line):
            time += float(seconds[1])
        else:
            try:
                answer += enter(recorder, line[2:].replace("␤", "\n").replace("␍", "\r"))
            except (NotKept, Rejected) as error:
                answer += error.args
        answer += recorder.storage.messages
        recorder.storage.messages.clear()
        text, old = recorder.draft.text, text
        seen, before_it = what_stands(recorder), seen
        yield [*answer, *changed(old, text), *(now for now, then in zip(seen, before_it, strict=True) if now != then)]


def what_stands(recorder: Recorder) -> tuple[str, ...]:
    """What is told of a recorder where it has changed: what is not in the record, its errors, clocks, what is asked."""
    draft, clocks = recorder.draft, recorder.clocks
    wrong = [f"{fault.turn} {fault.code}".strip() for fault in draft.errors] if recorder.is_broken else []
    runs = f"; {PLAYER_NAMES[clocks.turn]}'s runs" if clocks and clocks.is_running and clocks.turn is not None else ""
    return (
        f"not recorded: {recorder.left or 'nothing'}",
        f"errors: {', '.join(wrong) or 'none'}",
        f"clocks: {clocks.mark(0)[1:]}, {clocks.mark(1)[1:]}{runs}" if clocks else "no clocks",
        f"{draft.cursor.label}: {asked(draft)}",
    )


# ------------------------------------------------------------------------------------------------------- commands


def console(_how: list[str], before: list[str], typed: Iterable[str], folder: Path) -> Iterator[list[str]]:
    """Run commands in a folder that has the examples."""
    (folder / "examples").symlink_to(EXAMPLES)
    there = Path.cwd()
    os.chdir(folder)
    try:
        for line in typed:
            yield command(line[2:])
    finally:
        os.chdir(there)


def terminal(*given: Any) -> Iterator[list[str]]:
    """The same as a terminal shows it, which marks no line."""
    for lines in console(*given):
        yield [line.removeprefix("!!").removeprefix(" ") if line[:2] == "!!" else line for line in lines]


def command(line: str) -> list[str]:
    """The lines that a command writes, those of standard error behind two exclamation marks, and a code that is not 0.

    ``tiro`` runs in this process; what stands before ``| tiro`` gives its input, and all else is the shell's.
    """
    given, _, call = line.rpartition(" | ") if re.search(r"\| (?:\w+=\S+ )*tiro ", line) else ("", "", line)
    words = shlex.split(call)
    env: dict[str, str | None] = {}
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        env[name] = value
    data = subprocess.run(given, shell=True, capture_output=True, check=True).stdout if given else b""
    if words[0] != "tiro":
        done = subprocess.run(line, shell=True, capture_output=True, check=False)
        return lines_of(done.stdout.decode(), done.stderr.decode(), done.returncode)
    done = CliRunner().invoke(main, words[1:], input=data, env=env)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return lines_of(done.stdout, done.stderr, done.exit_code)


def lines_of(out: str, errors: str, code: int) -> list[str]:
    return [*out.splitlines(), *(f"!! {line}" for line in errors.splitlines()), *[f"exit {code}"] * bool(code)]


PLAYERS: dict[str, Callable[..., Iterable[list[str]]]] = {
    "record": record,
    "console": console,
    "terminal": terminal,
}
"""How a fence begins → what plays it."""
