"""Writes records as text, in the only canonical form: ``parse(write(record))`` is the record again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from . import tokens as t
from .cards import GROUP_LETTERS, SIDE_LETTERS, letters
from .codes import BOTH_WRITTEN, KIND, ROME_AT, ROME_WRITTEN_AT, SPECIAL_VOTE, VOTE, column_of, decode, is_whole
from .movetext import Movetext
from .record import Alternative, BadLine, Comment, Follower, Record, Result, Ruling, Turn
from .source import seems_foreign
from .tokens import LETTERED, FieldType, field_kinds

HEADER_ORDER: Final = (
    "Rules", "Event", "Site", "Date", "Round", "Caesar", "Cleopatra", "Result",
    "Rulings", "HouseRules", "View", "Setup", "Starts", "Termination", "Mode", "TimeControl", "CaesarElo",
    "CleopatraElo", "Table", "Recorder", "Annotator", "Signed", "Checksum",
)  # fmt: skip
REQUIRED_HEADERS: Final = HEADER_ORDER[:8]
SIGNATURE_HEADERS: Final = HEADER_ORDER[-2:]
"""The headers about what both players agreed to at the end. They apply to one text only, not to others made from it."""
CARD_HEADERS: Final = ("Rules", "Rulings", "HouseRules", "View", "Setup", "Starts")
"""Headers that say how to read the cards: a wrong value is an error in these headers, and a warning in others."""
INDENT: Final = "   "
"""The indent of lines that follow a turn."""


def write(record: Record) -> str:
    """Return the canonical text of a record, ending with a line end."""
    text = "\n".join(_lines(record)) + "\n"
    return "\n" + text if not record.headers and seems_foreign(text) else text


def write_all(records: Iterable[Record]) -> str:
    """Return several records as one text, with an empty line between them."""
    return "\n".join(write(record) for record in records)


def _lines(record: Record) -> Iterator[str]:
    for name, value in canonical_headers(record.headers):
        yield header_text(name, value)
    if record.headers and (record.preface or record.turns or record.result):
        yield ""
    for entry in record.preface:
        yield follower_line(entry)
    for line, after in _turns(record.turns):
        yield line
        for follower in after:
            yield follower.text if isinstance(follower, BadLine) else INDENT + follower_line(follower)
    if record.result is not None:
        yield result_text(record.result)
        yield from map(follower_line, record.result.after)


def canonical_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return known headers in their canonical case and order, then the others in the order in which they were
    written.
    """
    given = list(headers)
    if tuple([name for name, _ in given]) == REQUIRED_HEADERS:
        return given
    named = [(HEADER_CASE.get(name.lower(), name), value) for name, value in given]
    return sorted(named, key=lambda header: _ORDER.get(header[0], len(_ORDER)))


HEADER_CASE: Final = {name.lower(): name for name in HEADER_ORDER}
"""A header's name in lower case → the name as written."""
_ORDER: Final = {name: place for place, name in enumerate(HEADER_ORDER)}


def header_text(name: str, value: str) -> str:
    """Return the line of a header: ``[Event "Spring cup"]``."""
    return f"[{name} {quote(value)}]"


def quote(text: str) -> str:
    """Return a text in quotes, with quotes and backslashes escaped; line ends become spaces."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + " ".join(escaped.splitlines() if "\n" in escaped or "\r" in escaped else [escaped]) + '"'


def unquoted(text: str) -> str:
    """Return what a text in quotes says; a backslash stands for itself if no quote or backslash follows."""
    return re.sub(r'\\(["\\])', r"\1", text)


def _turns(turns: Sequence[Turn]) -> Iterator[tuple[str, tuple[Follower, ...]]]:
    """Yield the line of each turn, and the lines that follow it; the turns of a movetext are written from its codes."""
    if not isinstance(turns, Movetext):
        for turn in turns:
            yield turn_text(turn), turn.after
        return
    packed = turns.packed
    for place in range(len(turns)):
        words = [f"{packed.number(place)}{SIDE_LETTERS[packed.side(place)]}"]
        codes = packed.turn_codes(place)
        for at, (code, more) in enumerate(zip(codes[::2], codes[1::2], strict=True)):
            words.append(code_text(code, more) if is_whole(code, more) else known_text(turns[place].tokens[at]))
        rest = turns.rest(place)
        yield _line(words, rest.marks, rest.notes), rest.after


def turn_text(turn: Turn) -> str:
    """Return the line of a turn, without the lines that follow it."""
    return _line([turn.label, *map(token_text, turn.tokens)], turn.marks, turn.notes)


def _line(words: list[str], marks: tuple[str, ...], notes: tuple[Comment, ...]) -> str:
    """Return a turn's label and words, with its marks and comments."""
    if not (marks or notes):
        return " ".join(words)
    parts: list[str] = []
    for place, word in enumerate(words):
        parts += [word, *[_note(note) for note in notes if note.after == place]]
    # A comment that was never closed includes whatever comes after it.
    is_open = words[-1].startswith("{") and "}" not in words[-1]
    end = -1 if is_open else len(parts)
    parts[end:end] = marks
    parts += [_note(note) for note in notes if note.after is None]
    return " ".join(parts)


def code_text(code: int, more: int) -> str:
    """Return how the token with these two codes is written, for codes that hold all its contents."""
    return _two_code_text(code, more) if more else _code_text(code)


def _two_code_text(code: int, more: int) -> str:
    """Return the word of a token that has two codes. Most votes never recur, but their halves do."""
    if code & KIND not in (VOTE, SPECIAL_VOTE) or code & BOTH_WRITTEN != BOTH_WRITTEN:
        return token_text(decode(code, more))
    bare = _code_text(code & ~(-1 << ROME_WRITTEN_AT))
    return f"{bare[:2]}{_half(code >> ROME_AT)}:{_half(more)}{bare[2:]}"


@lru_cache(maxsize=1 << 14)
def _code_text(code: int) -> str:
    return token_text(decode(code))


@lru_cache(maxsize=1 << 14)
def _half(counts: int) -> str:
    return letters(column_of(counts))


def _note(note: Comment) -> str:
    return f"; {note.text}".rstrip() if note.after is None else f"{{{note.text}}}"


def score_text(result: Result) -> str:
    """Return a result without its verdicts and comments: ``17-13``, ``17-17>E``, ``*``, ``*>R``."""
    score = "*" if result.points is None else f"{result.points[0]}-{result.points[1]}"
    return score if result.winner is None else f"{score}>{SIDE_LETTERS[result.winner]}"


def verdict_text(side: int, fulfilled: Iterable[bool | None]) -> str:
    """Return whether each mission of a side was fulfilled, as ``mR+-``."""
    return f"m{SIDE_LETTERS[side]}{''.join('+' if met else '-' for met in fulfilled)}"


def result_text(result: Result) -> str:
    """Return the result line without what follows it."""
    verdicts = [verdict_text(side, fulfilled) for side, fulfilled in result.verdicts]
    return " ".join([score_text(result), *verdicts, *map(_note, result.notes)])


def follower_line(follower: Follower) -> str:
    """Return the line of something that follows a turn or comes before the first one."""
    if isinstance(follower, Comment):
        return _note(follower)
    if isinstance(follower, Ruling):
        return ruling_text(follower)
    return f"| {turn_text(follower.turn)}" if isinstance(follower, Alternative) else follower.text


def ruling_text(ruling: Ruling) -> str:
    """Return the line of a ruling: ``% E stands R203: text``."""
    points = (str(ruling.points),) if ruling.points else ()
    head = " ".join(["%", SIDE_LETTERS[ruling.side], ruling.decision, *points, *ruling.codes])
    return f"{head}: {ruling.text}" if ruling.text else head


def token_text(token: t.Token) -> str:
    """Return one token as written. Raise ValueError if the notation has no sign for a value in it.

    >>> tironian.token_text(tironian.tokens.Place(3, tironian.Group.AEDILE, hidden=True))
    '(3)A'
    """
    return known_text(t.checked(token))


def known_text(token: t.Token) -> str:
    """Return one token as written, if it is known to be writable because it was read."""
    form, fields = _form(token.__class__, getattr(token, "hidden", False))
    try:
        return form % tuple([write(getattr(token, name)) for name, write in fields])
    except (LookupError, TypeError, AttributeError):
        raise ValueError(f"{token!r} can't be written") from None


@cache
def _form(cls: type[t.Token], hidden: bool) -> tuple[str, list[tuple[str, Callable[[Any], str]]]]:
    """Return the form of a class, with ``%s`` for each field, and the fields, each with a function that writes its
    value.
    """
    kinds, form = field_kinds(cls), t.KINDS[cls].form
    fields: list[tuple[str, Callable[[Any], str]]] = []
    for name, spec in _FIELD.findall(form):
        field_type = kinds[name].field_type
        fields.append((name, _writing(field_type, "(%)" if hidden and field_type is FieldType.CARD else spec or "%")))
    return _FIELD.sub("%s", form), fields


def _writing(field_type: FieldType, spec: str) -> Callable[[Any], str]:
    """Return a function that writes a value as the form of its token specifies."""
    if "|" in spec:
        words = spec.split("|")
        return lambda value: words[value or 0]
    if "%" not in spec:
        return spec.__mul__
    before, after = spec.split("%")
    write = _WRITTEN.get(field_type, str)
    return lambda value: "" if value is None else f"{before}{write(value)}{after}"


_FIELD: Final = re.compile(r"\{(\w+):?([^}]*)\}")


@lru_cache(maxsize=1 << 8)
def mission_text(mission: t.Mission) -> str:
    """Return a mission as written between the brackets of ``m(…)``."""
    group = GROUP_LETTERS[mission.group or 0]
    texts = {
        "majority": group,
        "all": group + "*",
        "majorities": f"{mission.count}>",
        "patricians": str(mission.count),
        "text": quote(mission.text or ""),
        "each": "each",
    }
    return texts.get(mission.kind, "?")


_WRITTEN: Final[dict[FieldType, Callable[[Any], str]]] = {
    **{field_type: codec.write for field_type, codec in LETTERED.items()},
    FieldType.MISSIONS: lambda missions: ",".join(map(mission_text, missions)),
}
"""Type of a token's field → how its value is written, unless as in Python."""
