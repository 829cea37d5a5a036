"""``tiro fmt``: records into canonical form."""

from __future__ import annotations

import difflib
import io
from collections import Counter

import click

from ...notation.reader import Game, read_bytes
from ...notation.record import Record
from ...notation.safe_text import on_screen, readable, visible
from ...notation.source import Source
from ...notation.writer import write_all
from .common import STDIN, Problems, Trouble, expand, name_of, open_output, read_input, refuse_address, replacing, say


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file is not in canonical form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--encoding", metavar="NAME", help="How lines that are not UTF-8 were written, such as windows-1252.")
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
    for path in () if check or diff else paths:
        refuse_address(path, "files at an address can't be changed; use --check or --diff")
    for path in expand(paths):
        old = read_input(path)
        new = None
        with problems.bulkhead(Game(Record(), Source(name_of(path), []))):
            new = canonical(as_utf8(old, encoding, name_of(path)) if encoding else old, name_of(path), problems)
        counts["unreadable" if new is None else "clean" if new == old else "changed"] += 1
        new = old if new is None else new
        if diff:
            _show_difference(path, old, new)
        elif path == STDIN and not check:
            with open_output(None) as out:
                out.buffer.write(readable(new.decode("utf-8", "surrogateescape")).encode() if out.isatty() else new)
        if new != old and path != STDIN and not (check or diff):
            with replacing(path) as stream:
                stream.write(new)
        if new != old and (check or path != STDIN) and not diff:
            say(f"{'would change' if check else 'changed'} {name_of(path)}", err=path == STDIN)
    if any(path != STDIN for path in paths) or check:
        say(_summary(counts, check or diff))
    problems.finish()
    if check and counts["changed"]:
        raise SystemExit(1)


def as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Return a text as UTF-8, of which some lines were written in another encoding. Raise Trouble where they were not.

    A line that is UTF-8 already stays as it is: files of several people are often joined.
    """
    try:
        lines = [
            line if line.decode(errors="ignore").encode() == line else line.decode(encoding).encode()
            for line in data.splitlines(keepends=True)
        ]
    except (LookupError, ValueError) as error:
        raise Trouble(f"{name}: {error}; name another with --encoding") from None
    return b"".join(lines)


def canonical(old: bytes, name: str, problems: Problems) -> bytes | None:
    """Return the canonical form of a file's bytes, None where something can't be read, which is reported."""
    games = list(read_bytes(io.BytesIO(old), name))
    for game in games:
        problems.add(game)
    if not all(game.readable for game in games):
        return None
    new = write_all(game.record for game in games).encode("utf-8", "surrogateescape")
    # What is to take the place of someone's file is read again first: it must say the same.
    again = list(read_bytes(io.BytesIO(new), name))
    if not all(game.readable for game in again) or [game.record for game in again] != [game.record for game in games]:
        raise AssertionError("its canonical form would be read differently")
    return new


def _show_difference(path: str, old: bytes, new: bytes) -> None:
    before, after = ([*map(_line, data.splitlines(keepends=True))] for data in (old, new))
    name = visible(name_of(path))
    with open_output(None) as out:
        for line in difflib.unified_diff(before, after, name, f"{name} (canonical)"):
            out.write(on_screen(line, out))


def _line(data: bytes) -> str:
    """Return a line for a difference, with the line ends that it changes made visible."""
    text = data.decode("utf-8", "backslashreplace")
    end = "\n" if text.endswith("\n") else "\n\\ No newline at end of file\n"
    return text.removesuffix("\n").replace("\r", "\\r").replace("\ufeff", "\\ufeff") + end


def _summary(counts: Counter[str], would: bool) -> str:
    """Return the line of totals; ``would`` says that nothing was written."""
    words = {
        "changed": "would change" if would else "changed",
        "clean": "already canonical",
        "unreadable": "left as it was" if counts["unreadable"] == 1 else "left as they were",
    }
    parts = [f"{counts[kind]:,} {word}" for kind, word in words.items() if counts[kind]]
    return ", ".join(parts) or "no files"
