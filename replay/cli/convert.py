"""``tiro convert``: records from text to JSON and back, without loss."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final, TextIO

import click

from ...notation.reader import read_bytes
from ...notation.record import TOO_LARGE, BadLine, Comment, Game, Record
from ...notation.safe_text import as_json, on_screen
from ...notation.source import HEAD, is_json
from .common import Problems, Trouble, name_of, open_input, open_output, output_options

_HEADER: Final = re.compile(rb"\s*\[\s*[A-Za-z]")
_NOT_BLANK: Final = re.compile(r"[^ \t\r\n]")


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--to", type=click.Choice(["json", "text"]), help="The form to convert to; by default the other one.")
@click.option("--jsonl", is_flag=True, help="One record on each line, as JSON.")
@output_options
def convert(file: str, to: str | None, jsonl: bool, output: str | None, force: bool) -> None:
    """Convert records from text to JSON or from JSON to text, without loss.

    FILE is a record or a JSON file; “-” is standard input. Several games are a JSON array, or one per line (--jsonl).
    What can't be read is reported and kept, and the exit code is 1.

    \b
    Examples:
      tiro convert game.tiro -o game.json
      tiro convert game.json --to text
      tiro convert season.tiro --jsonl | grep '"side": "E"'
    """
    name = name_of(file)
    with open_input(file) as stream:
        target = to or ("json" if jsonl or not _means_json(stream.peek(HEAD)[:HEAD], name) else "text")
        if target == "text":
            with open_output(output, force, errors="surrogateescape", inputs=[file]) as out:
                _write_text(_read_json(stream, name), out, name)
            return
        problems = Problems()
        with open_output(output, force, inputs=[file]) as out:
            write_json(_read_text(stream, name, problems), out, jsonl)
    problems.finish()


def _means_json(head: bytes, name: str) -> bool:
    """Return whether a file is JSON, or should be, by its name."""
    return is_json(head) or (name.lower().endswith(".json") and not _HEADER.match(head))


def _read_text(stream: BinaryIO, name: str, problems: Problems) -> Iterator[Record]:
    """Yield the records of a text; raise Trouble for what would be lost."""
    for game in read_bytes(stream, name):
        refuse_unread(game)
        problems.add(game)
        yield game.record


def refuse_unread(game: Game) -> None:
    """Raise Trouble where the file of a game is no text, or the game is too large, since it would be lost."""
    for problem in game.problems:
        if problem.code in ("N101", TOO_LARGE):
            raise Trouble(f"{game.source.name}: {problem.message}; {problem.help}")


def write_json(records: Iterator[Record], out: TextIO, jsonl: bool) -> None:
    """Write one record as an object, several as an array that is written while they are read."""
    from ...notation.jsonform import to_json

    if jsonl:
        out.writelines(f"{as_json(to_json(record))}\n" for record in records)
        return
    texts = (as_json(to_json(record), indent=2) for record in records)
    first, second = next(texts, None), next(texts, None)
    if first is None or second is None:
        out.write(f"{first or as_json(to_json(Record()), indent=2)}\n")
        return
    out.write(f"[\n{first},\n{second}")
    out.writelines(f",\n{text}" for text in texts)
    out.write("\n]\n")


def _write_text(values: Iterable[Any], out: TextIO, name: str) -> None:
    """Write JSON values as records. Raise Trouble for one that is no record, or would be read as part of the last."""
    from ...notation.jsonform import JsonInvalid, from_json
    from ...notation.writer import write

    before: Record | None = None
    for place, value in enumerate(values, 1):
        try:
            record = from_json(value)
        except JsonInvalid as error:
            more = f" (and {len(error.problems) - 1} more)" if error.problems[1:] else ""
            raise Trouble(f"{name}: record {place}, {error.problems[0]}{more}") from None
        if before is not None:
            if not _begins_anew(before, record):
                raise Trouble(f"{name}: record {place}: if there are several games, each must begin with a header")
            out.write("\n")
        out.write(on_screen(write(record), out))
        before = record


def _begins_anew(before: Record, record: Record) -> bool:
    """Return whether a reader of the text sees that the record is not part of the one before."""
    first = record.preface[0] if record.preface else None
    if not record.headers and not (isinstance(first, BadLine) and first.text.startswith("[")):
        return False
    known = {name.lower() for name, _ in before.headers}
    comments = any(isinstance(line, Comment) for line in before.preface)
    begun = before.turns or before.result or (before.headers and comments)
    return bool(begun) or any(name.lower() in known for name, _ in record.headers)


def _read_json(stream: BinaryIO, name: str) -> Iterator[Any]:
    """Yield the records of a JSON file: one, an array of them, or one after the other."""
    data = stream.read()
    try:
        text = data.decode("utf-8-sig")
        at = 0
        while begin := _NOT_BLANK.search(text, at):
            value, at = _DECODER.raw_decode(text, begin.start())
            yield from value if isinstance(value, list) else [value]
        if not at:
            raise ValueError("it is empty")
    except UnicodeDecodeError:
        raise Trouble(f"{name}: this is not UTF-8 text") from None
    except RecursionError:
        raise Trouble(f"{name}: this is not a record: it is nested too deeply") from None
    except ValueError as error:
        hint = "; it seems to be in the notation, which tiro fmt brings into canonical form"
        raise Trouble(f"{name}: this is not JSON: {error}{hint if _HEADER.match(data) else ''}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError where a name is given twice, since one of its values would be lost."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} is given twice in one object")
    return values


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once)
