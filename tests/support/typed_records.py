"""Recording in tests: a storage in memory, and what a recorder would type to write a given record down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from tironian import Alternative, BadLine, Comment, Record, Result, Ruling, Turn, parse, token_text, turn_text, write
from tironian.notation.writer import result_text, score_text
from tironian.tools.recorder.cursor import Phase
from tironian.tools.recorder.recorder import Recorder

EXAMPLES = Path(__file__).parents[2] / "examples"
COMPLETE = sorted(path for edition in ("2024", "1997", "fr", "taylor") for path in (EXAMPLES / edition).glob("*.tiro"))


class MemoryStorage:
    """What a storage is, without files."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.aside = self.clocks = ""
        self.done: list[tuple[str, str]] = []
        self.undone: list[list[tuple[str, str]]] = []
        self.messages: list[str] = []

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        self.done.append((self.text, self.aside))
        self.undone.clear()
        self.text, self.aside = text, aside

    def undo(self, until: Callable[[str], bool] = lambda _: True) -> bool:
        taken: list[tuple[str, str]] = []
        while self.done and not (taken and until(self.text)):
            taken.append((self.text, self.aside))
            self.text, self.aside = self.done.pop()
        self.undone += [taken] if taken else []
        return bool(taken)

    def redo(self) -> bool:
        if not self.undone:
            return False
        for standing in reversed(self.undone.pop()):
            self.done.append((self.text, self.aside))
            self.text, self.aside = standing
        return True


def record_of(path: Path) -> Record:
    (game,) = parse(path.read_text(encoding="utf-8"))
    return game.record


def headers_only(record: Record) -> str:
    """The record as it is before the game: nothing is known yet of its end."""
    headers = [(name, "*" if name == "Result" else value) for name, value in record.headers if name != "Termination"]
    return write(Record(tuple(headers), preface_before(record), (), Result()))


def preface_before(record: Record) -> tuple[Comment | BadLine, ...]:
    """What stands there before anything is typed: who sees nothing of the set-up is asked for nothing before it."""
    return record.preface if record.header("View") == "table" else ()


def recorder_of(record: Record) -> Recorder:
    return Recorder(MemoryStorage(headers_only(record)))


def entries(record: Record) -> Iterator[tuple[str, str]]:
    """What is typed, one entry after the other, with the label of its turn. Nothing typed ends an open turn."""
    there = preface_before(record)
    yield from (("", f"/note {each.text}") for each in record.preface if isinstance(each, Comment) and not there)
    for turn in record.turns:
        yield from ((turn.label, entry) for entry in turn_entries(turn))
    result = record.result
    assert result is not None
    for side, mets in result.verdicts:
        yield "end", f"m{'RE'[side]}{''.join('-+'[met] for met in mets)}"
    if record.header("Termination"):
        yield "end", f"/end {record.header('Termination')} {score_text(result)}"
    elif result.points is not None:
        yield "end", result_text(replace(result, verdicts=()))
    yield from (("end", f"/note {each.text}") for each in result.after if isinstance(each, Comment))


def turn_entries(turn: Turn) -> Iterator[str]:
    for place, token in enumerate((*turn.tokens, None)):
        yield from (note_text(note) for note in turn.notes if note.after == place)
        if token is not None:
            yield token_text(token)
    yield ""
    yield from turn.marks
    yield from (note_text(note) for note in turn.notes if note.after is None)
    for line in turn.after:
        if isinstance(line, Comment):
            yield f"/note {turn.label} {line.text}"
        elif isinstance(line, Alternative):
            yield f"| {turn_text(line.turn)}"
        elif isinstance(line, Ruling):
            points = f" {line.points}" if line.points else ""
            yield f"/rule {turn.label} {line.decision}{points} {line.text}"


def note_text(note: Comment) -> str:
    return f"; {note.text}" if note.after is None else f"{{{note.text}}}"


def bare(record: Record) -> Record:
    """The record without what was said about it."""
    turns = tuple(replace(turn, notes=(), marks=(), after=()) for turn in record.turns)
    return replace(record, preface=(), turns=turns, result=replace(record.result or Result(), notes=(), after=()))


def is_due(recorder: Recorder, label: str, entry: str) -> bool:
    """Whether something is still to be typed: not what was filled in, and no end of a turn that is over."""
    cursor = recorder.draft.cursor
    if label in ("0R", "0E") and not entry.startswith("/"):
        return cursor.phase is Phase.SET_UP and bool(entry or (cursor.label == label and not cursor.fresh))
    return bool(entry) or (cursor.label == label and not cursor.fresh)


def due(recorder: Recorder, record: Record) -> Iterator[tuple[str, str]]:
    """What has to be typed for a record, one entry after the other as they are entered, with the label of the turn."""
    for label, entry in entries(record):
        if is_due(recorder, label, entry):
            yield label, entry


def recorder_at(path: Path, label: str) -> Recorder:
    """A recorder in the middle of an example game, where a turn begins."""
    text, aside, done = recorded_until(path, label)
    storage = MemoryStorage(text)
    storage.aside, storage.done = aside, [*done]
    return Recorder(storage)


@cache
def recorded_until(path: Path, label: str) -> tuple[str, str, list[tuple[str, str]]]:
    """What a storage holds where a turn begins: the text, what lies beside it, and all that was there before."""
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for each, entry in entries(record):
        if each == label:
            assert isinstance(recorder.storage, MemoryStorage)
            return recorder.storage.text, recorder.storage.aside, recorder.storage.done
        if is_due(recorder, each, entry):
            assert recorder.enter(entry), recorder.refusal
    raise AssertionError(label)
