"""``tiro fmt``, ``convert``, ``merge`` and ``schema``: records in other forms."""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO

import click

from ...notation.basics import as_json, on_screen, readable, visible
from ...notation.language import figure, phrase, plural
from ...notation.records import HEAD, BadLine, Comment, Game, Record, Source, is_json, read_bytes, write, write_all
from ..report.api import FORMATS, reporter
from .common import (
    STDIN,
    CliError,
    Output,
    Problems,
    completing,
    expand,
    format_option,
    games_in,
    name_of,
    open_input,
    output_options,
    pairs,
    paths_argument,
    read_input,
    refuse_address,
    refuse_unread,
    replacing,
    say,
)

if TYPE_CHECKING:
    from ..merge.api import MergeResult

_HEADER: Final = re.compile(rb"\s*\[\s*[A-Za-z]")
_NOT_BLANK: Final = re.compile(r"[^ \t\r\n]")


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--to", type=click.Choice(["json", "text"]), help="The format to convert to; by default the other one.")
@click.option("--jsonl", is_flag=True, help="One record on each line, as JSON.")
@output_options
def convert(file: str, to: str | None, jsonl: bool, output: Output) -> None:
    """Convert records from text to JSON or from JSON to text, without loss.

    FILE is a record or a JSON file; “-” is standard input. Several games are a JSON array, or one per line (--jsonl).
    What can't be read is reported and kept, and the exit code is 1.

    \b
    Examples:
      tiro convert game.tiro -o game.json
      tiro convert game.json --to text
      tiro convert season.tiro --jsonl | grep '"side": "E"'
    """
    from ..storage.sources import record_in_page

    with open_input(file) as stored:
        stream, name = record_in_page(stored, name_of(file))
        target = to or ("json" if jsonl or not _means_json(stream.peek(HEAD)[:HEAD], name) else "text")
        if target == "text":
            with output.open(errors="surrogateescape", inputs=[file]) as out:
                _write_text(_read_json(stream, name), out, name)
            return
        problems = Problems()

        def records() -> Iterator[Record]:
            for game in read_bytes(stream, name):
                refuse_unread(game)  # otherwise it would be lost
                problems.add(game)
                yield game.record

        with output.open(inputs=[file]) as out:
            write_json(records(), out, jsonl)
    problems.finish()


def _means_json(head: bytes, name: str) -> bool:
    """Return whether a file is JSON, or should be according to its name."""
    return is_json(head) or (name.lower().endswith(".json") and not _HEADER.match(head))


def write_json(records: Iterator[Record], out: TextIO, jsonl: bool) -> None:
    """Write one record as an object, or several as an array, writing while reading."""
    from ...notation.extra import to_json

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
    """Write JSON values as records. Raise CliError for a value that is not a record, or that would be read as part of
    the previous one.
    """
    from ...notation.extra import InvalidJsonError, from_json

    before: Record | None = None
    for place, value in enumerate(values, 1):
        try:
            record = from_json(value)
        except InvalidJsonError as error:
            said, more = error.problems[0], len(error.problems) - 1
            if more:
                said = plural("{message} (and {count} more)", "{message} (and {count} more)", more, message=said)
            raise CliError(f"{name}: {phrase('record {number}', number=place)}, {said}") from None
        if before is not None:
            if not _starts_new_record(before, record):
                why = phrase("if there are several games, each must begin with a header")
                raise CliError(f"{name}: {phrase('record {number}', number=place)}: {why}")
            out.write("\n")
        out.write(on_screen(write(record), out))
        before = record


def _starts_new_record(before: Record, record: Record) -> bool:
    """Return whether the text shows that this record is not part of the previous one."""
    known, names = map(_header_names, (before, record))
    first = next(iter(record.preface), None)
    if not (names or (isinstance(first, BadLine) and first.text.startswith("["))):
        return False
    commented = any(isinstance(line, Comment) for line in before.preface)
    return bool(before.turns or before.result or (known and commented) or known & names)


def _header_names(record: Record) -> set[str]:
    return {name.lower() for name, _ in record.headers}


def _read_json(stream: BinaryIO, name: str) -> Iterator[Any]:
    """Yield the records of a JSON file: one, an array of them, or one after another."""
    data = stream.read()
    try:
        text = data.decode("utf-8-sig")
        at = 0
        while begin := _NOT_BLANK.search(text, at):
            value, at = _DECODER.raw_decode(text, begin.start())
            yield from value if isinstance(value, list) else [value]
        if not at:
            raise ValueError(phrase("it is empty"))
    except UnicodeDecodeError:
        raise CliError(f"{name}: {phrase('this is not UTF-8 text')}") from None
    except RecursionError:
        raise CliError(f"{name}: {phrase('this is not a record: it is nested too deeply')}") from None
    except ValueError as error:
        why = phrase("this is not JSON: {error}", error=error)
        if _HEADER.match(data):
            why += f"; {phrase('it seems to be in the notation, which tiro fmt brings into canonical form')}"
        raise CliError(f"{name}: {why}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError if a name occurs twice, since one of its values would be lost."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(phrase("the name {name} is given twice in one object", name=repr(twice)))
    return values


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once)


@click.command()
@paths_argument
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file is not in canonical form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--encoding", metavar="NAME", help="The encoding of lines that are not UTF-8, such as windows-1252.")
def fmt(paths: tuple[str, ...], check: bool, diff: bool, encoding: str | None) -> None:
    """Bring records into canonical form, in place.

    PATH is a file, or a folder for all *.tiro files in it; “-” reads standard input and writes standard output.
    A file with something unreadable is left unchanged and reported (exit code 1). Bytes that are not UTF-8 are kept
    with a warning; --encoding rewrites them as UTF-8.

    \b
    Examples:
      tiro fmt games/
      tiro fmt --check --diff game.tiro
      tiro fmt - < game.tiro
      tiro fmt --encoding windows-1252 old.tiro
    """
    problems = Problems()
    counts: Counter[str] = Counter()
    dry_run = check or diff
    for path in () if dry_run else paths:
        refuse_address(path, phrase("files at an address can't be changed; use --check or --diff"))
    for path in expand(paths):
        old = read_input(path)
        new, state = _formatted(old, encoding, name_of(path), problems)
        counts[state] += 1
        if diff:
            _show_difference(path, old, new)
        elif check and new != old:
            say(phrase("would change {file}", file=name_of(path)), err=path == STDIN)
        elif not check:
            _put_in_place(path, old, new)
    if check or {*paths} != {STDIN}:
        say(_summary(counts, dry_run))
    problems.finish()
    if counts["unreadable"] or (check and counts["changed"]):
        raise SystemExit(1)


def _formatted(old: bytes, encoding: str | None, name: str, problems: Problems) -> tuple[bytes, str]:
    """Return what a file should contain, and how it is counted; a file with something unreadable should stay
    unchanged.
    """
    new = None
    with problems.isolate_errors(Game(Record(), Source(name, []))):
        new = canonical(as_utf8(old, encoding, name) if encoding else old, name, problems)
    if new is None:
        return old, "unreadable"
    return new, "clean" if new == old else "changed"


def _put_in_place(path: str, old: bytes, new: bytes) -> None:
    """Write what a file should contain: into the file if that has changed, or to standard output for ``-``."""
    if path == STDIN:
        with Output().open() as out:
            out.buffer.write(readable(new.decode("utf-8", "surrogateescape")).encode() if out.isatty() else new)
    elif new != old:
        with replacing(path) as stream:
            stream.write(new)
        say(phrase("changed {file}", file=path), err=False)


def as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Return a text as UTF-8, decoding lines that were written in another encoding. Raise CliError if they were not.

    A line that is UTF-8 already stays unchanged: files often combine text by several people.
    """
    try:
        lines = [
            line if line.decode(errors="ignore").encode() == line else line.decode(encoding).encode()
            for line in data.splitlines(keepends=True)
        ]
    except (LookupError, ValueError) as error:
        raise CliError(f"{name}: {error}; {phrase('name another with --encoding')}") from None
    return b"".join(lines)


def canonical(old: bytes, name: str, problems: Problems) -> bytes | None:
    """Return the canonical form of a file's bytes; report what can't be read, and then return None."""
    games = list(read_bytes(io.BytesIO(old), name))
    for game in games:
        problems.add(game)
    if not all(game.readable and not game.has_asides for game in games):
        return None
    new = write_all(game.record for game in games).encode("utf-8", "surrogateescape")
    # Before it replaces someone's file, the new text is read back: it must say the same.
    again = list(read_bytes(io.BytesIO(new), name))
    if not all(game.readable for game in again) or [game.record for game in again] != [game.record for game in games]:
        raise AssertionError("its canonical form would not read back the same")
    return new


def _show_difference(path: str, old: bytes, new: bytes) -> None:
    import difflib

    before, after = ([*map(_line, data.splitlines(keepends=True))] for data in (old, new))
    name = visible(name_of(path))
    with Output().open() as out:
        for line in difflib.unified_diff(before, after, name, f"{name} (canonical)"):
            out.write(on_screen(line, out))


def _line(data: bytes) -> str:
    """Return a line of a difference, with changed line ends made visible."""
    text = data.decode("utf-8", "backslashreplace")
    end = "\n" if text.endswith("\n") else "\n\\ No newline at end of file\n"
    return text.removesuffix("\n").replace("\r", "\\r").replace("\ufeff", "\\ufeff") + end


def _summary(counts: Counter[str], dry_run: bool) -> str:
    """Return the line of totals; ``dry_run`` says that nothing was written."""
    changed, clean, unreadable = shown = [figure(counts[kind], ",") for kind in ("changed", "clean", "unreadable")]
    would = plural("{count} would change", "{count} would change", counts["changed"], count=changed)
    words = [
        would if dry_run else plural("{count} changed", "{count} changed", counts["changed"], count=changed),
        plural("{count} already canonical", "{count} already canonical", counts["clean"], count=clean),
        plural("{count} left as it was", "{count} left as they were", counts["unreadable"], count=unreadable),
    ]
    return ", ".join([word for word, number in zip(words, shown, strict=True) if number != "0"]) or phrase("no files")


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG LOG...")
@format_option("The format of the report on standard error.", *FORMATS)
@click.option(
    "--pick", "picks", multiple=True, metavar="TURN=LOG", help="Which log to believe where they differ: 5E=caesar."
)
@output_options
def merge(logs: tuple[str, ...], form: str, picks: tuple[str, ...], output: Output) -> None:
    """Join several people's LOGs of one game into one record that holds everything any of them knew.

    Differences between the logs, and the check of the joined record, go to standard error. Where logs contradict each
    other, the log of the card's owner is believed, and the other version is kept in a comment; --pick believes another
    LOG, given by its view or number.

    The exit code is 1 if the logs contradict each other, have unreadable parts, or their record has errors, and 2 if
    they are of different games.
    \f\b
    Examples:
      tiro merge caesar.tiro cleopatra.tiro -o game.tiro
      tiro merge caesar.tiro cleopatra.tiro -o game.tiro --force --pick 5E=caesar
      tiro merge caesar.tiro cleopatra.tiro table.tiro --format json >game.tiro 2>report.json
    """
    if len(logs) < 2:
        raise click.UsageError(phrase("give at least two logs; `tiro fmt` brings a single one into canonical form"))
    if logs.count(STDIN) > 1:
        raise click.UsageError(phrase("standard input can be read only once"))
    from ..merge.api import DifferentGames, merge_all

    chosen = pairs(picks, "--pick", phrase("must be written as TURN=LOG"))
    files = [*map(_games_of_log, logs)]
    if chosen and max(map(len, files)) > 1:
        raise click.UsageError(phrase("--pick is for logs of a single game"))
    try:
        joined, by_headers = merge_all(files, output.path or "<joined>", chosen)
    except (DifferentGames, LookupError) as error:
        raise CliError(f"{error.args[0]}; {phrase('nothing was written')}") from None
    with output.open(errors="surrogateescape", inputs=logs) as out:
        out.write(on_screen(write_all(merged.record for merged in joined), out))
    if _report_merged(joined, by_headers, form):
        raise SystemExit(1)


def _games_of_log(path: str) -> list[Game]:
    """Return the games of a log. Raise CliError if one of them can't be read at all."""
    games = list(games_in(path))
    for game in games:
        if game.missing:
            raise CliError.unread(game.problems[-1])
    return games


def _report_merged(joined: Sequence[MergeResult], by_headers: bool, form: str) -> int:
    """Write on standard error how logs differ and what the check of each joined record says; return the number of
    errors.
    """
    from ..archive.api import ChunkChecker

    report = reporter(form, sys.stderr)
    report.begin()
    if len(joined) > 1 and form == "text":
        way = phrase("matched by their round and players") if by_headers else phrase("matched by their order")
        say(f"{plural('{count} game', '{count} games', len(joined))}, {way}", "")
    for number, merged in enumerate(joined, 1):
        report.game(replace(ChunkChecker().report(merged.game, merged.verdict, merged.all_diagnostics), game=number))
    report.end()
    return report.tally.severities["error"]


@completing
def _offered() -> dict[str, str]:
    from ...schemas import schema_names

    return dict.fromkeys(schema_names(), "")


@click.command()
@click.argument("name", required=False, shell_complete=_offered)
@output_options
def schema(name: str | None, output: Output) -> None:
    """Print a JSON Schema; without NAME, list all schemas.

    NAME may also be the identifier that files give in "$schema".

    \b
    Examples:
      tiro schema
      tiro schema record -o record.schema.json
      tiro schema urn:tironian:schema:report:1
    """
    from ...schemas import load_schema, schema_names, schema_text

    names = schema_names()
    name = next((known for known in names if load_schema(known)["$id"] == name), name)
    if name is not None and name not in names:
        raise CliError(phrase("there is no schema {name}; the schemas are {names}", name=name, names=", ".join(names)))
    with output.open() as out:
        if name is not None:
            out.write(schema_text(name))
            return
        for known in names:
            description = load_schema(known).get("description", "").partition(". ")[0].rstrip(".")
            out.write(f"{known:<10}  {description}\n")
