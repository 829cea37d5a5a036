"""Texts: their lines and the places in them, how large they may be, and which files are not texts."""

from __future__ import annotations

import re
from typing import Final

from .classes import dataclass
from .language import Messages, phrase

MAX_LINE_LENGTH: Final = 20_000
"""The most characters in a line; no line of a record comes near this."""
MAX_WORD_LENGTH: Final = 200
"""The most characters in a word without a text in quotes; no word can need that many. Comments are not words."""
MAX_GAME_LENGTH: Final = 1 << 20
"""The most bytes of a game in UTF-8. Long games have 4 kB, or a few hundred kB with a long comment on every turn."""
MAX_LINES: Final = 20_000
"""The most lines of a game. Long games have a hundred, or a few thousand with comments and alternatives on every
turn.
"""


@dataclass(frozen=True, slots=True)
class Span:
    """A place in one line: ``line`` counts from 0 in the game's source; ``start`` and ``end`` are columns from 0.

    >>> span = tironian.Span(line=0, start=3, end=5)
    >>> tironian.Source("<text>", ["1E 5A 3P"]).text(span.line)[span.start : span.end]
    '5A'
    """

    line: int
    start: int
    end: int


class Source:
    """The lines of one game. ``first`` is the 1-based number of its first line in the file called ``name``.

    >>> tironian.Source("games.tiro", ["1E 5A\\n", "*\\n"], first=12).text(1)
    '*'
    """

    __slots__ = ("_lines", "first", "later", "name")

    def __init__(self, name: str, lines: list[str] | None = None, first: int = 1) -> None:
        self.name = name
        self._lines = [] if lines is None else lines
        self.later: list[str | bytes] = []
        """Where the reader adds text: single lines, and whole chunks in UTF-8, which are seldom needed."""
        self.first = first

    @property
    def lines(self) -> list[str]:
        """Return the lines with their ends."""
        for part in self.later:
            self._lines += [part] if isinstance(part, str) else _cut(part)
        self.later.clear()
        return self._lines

    def text(self, line: int) -> str:
        """Return a line without its end; an empty text if there is no such line."""
        lines = self.lines
        return lines[line].rstrip("\r\n") if 0 <= line < len(lines) else ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Source):
            return NotImplemented
        return (self.name, self.lines, self.first) == (other.name, other.lines, other.first)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Source(name={self.name!r}, first={self.first!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Source, (self.name, self.lines, self.first)


def _cut(text: bytes) -> list[str]:
    return [f"{line}\n" for line in text[:-1].decode().split("\n")]


HEAD: Final = 4096
"""The number of bytes needed to recognise a file."""
# A record may begin with a bracket, [Event "…"], or a brace, { Played at home }; but never in a way that JSON could.
# The writer puts an empty line before a record whose first line does look like JSON.
_JSON: Final = re.compile(r'[ \t]*(?:\{\s*"[^"\n]*"\s*:|\{\s*\}\s*\Z|\[\s*[{\]])')


def is_json(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is JSON."""
    return _JSON.match(head.decode("utf-8-sig", "replace")) is not None


_OFFICE = rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|word/|xl/)"
_WEB = rb"(?i:(?:\xef\xbb\xbf)?[ \t]*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b)"
_KINDS: Final[Messages] = {
    rb"%PDF": ("a PDF document", "save it as plain text"),
    rb"\{\\rtf": ("an RTF document", "save it as plain text"),
    rb"\xd0\xcf\x11\xe0": ("an old Word or Excel document", "save it as plain text"),
    _OFFICE + rb".*word/": ("a Word document", "save it as plain text"),
    _OFFICE + rb".*xl/": ("an Excel document", "save it as plain text"),
    _OFFICE: ("an Office document", "save it as plain text"),
    rb"PK\x03\x04.{26}mimetypeapplication/epub": ("an e-book", "save it as plain text"),
    rb"PK\x03\x04.{26}mimetype": ("an OpenDocument file", "save it as plain text"),
    rb"PK\x03\x04.{26}Index/[^/]+\.iwa": ("a Pages document", "save it as plain text"),
    _WEB: ("a web page", "save it as plain text"),
    rb"\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|.{4}ftyp|RIFF.{4}WEBP": ("a picture", "type the record that it shows"),
    rb"7z\xbc\xaf|Rar!": ("an archive of an unsupported kind", "unpack it first"),
    rb"SQLite format 3|PAR1": ("a database", "give the records themselves"),
}
"""How files begin that people take for records or keep beside them → what they are, and what to do about them."""


def document(head: bytes) -> tuple[str, str] | None:
    """Return what document or picture begins with these bytes, and what to do about it; None for anything else."""
    if head[:1] == b"[":  # none begins like most records: no pattern is compiled
        return None
    said = next((said for begin, said in _KINDS.items() if re.match(begin, head, re.DOTALL)), None)
    return (phrase(said[0]), phrase(said[1])) if said else None


_SURE: Final = r"\[\s*(?:Rules|Caesar|Cleopatra)\b|\d{1,2}[RE]\s"
_FITS: Final = r"\[\s*\w+\s|\d{1,2}[RE]\s|[;|%*]|\d+\s*[-–:]\s*\d+$"


def seems_record(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is probably a record, although its name does not say so."""
    lines = [line.lstrip("> \t") for line in head.replace(b"\0", b"").decode("utf-8-sig", "replace").splitlines()]
    written = [line for line in lines if line]
    fits = [re.match(_FITS, line) is not None for line in written]
    return any(re.match(_SURE, line) for line in written) and 2 * sum(fits) >= len(written)


def foreign(head: bytes) -> tuple[str, str] | None:
    """Return what kind of file begins with these bytes, and what to do about it; None if it may be a record."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return phrase("this file is UTF-16 text"), phrase("save it as UTF-8 text")
    if kind := document(head):
        return phrase("this file is {kind}", kind=kind[0]), kind[1]
    if head[:4] in (b"PK\3\4", b"PK\5\6") or head[:2] == b"\x1f\x8b":
        remedy = phrase("unpack it first (`tiro check` and `tiro export` read it as it is)")
        return phrase("this file is compressed"), remedy
    if b"\0" in head:
        remedy = phrase("give a record in the notation, a .tiro file")
        return phrase("this is not a text file: it holds NUL bytes"), remedy
    if is_json(head):
        remedy = phrase("`tiro convert` makes a record of it")
        return phrase("this file is JSON, not a record in the notation"), remedy
    return None


def seems_foreign(text: str) -> bool:
    """Return whether a file with only this text would be taken for something other than a record."""
    return foreign(re.sub(_LONE, "?", text[:HEAD]).encode("utf-8", "surrogateescape")) is not None


_LONE: Final = "[\ud800-\udc7f\udd00-\udfff]"
"""Surrogates that stand for no byte."""
