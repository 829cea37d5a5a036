"""Writes records as text, and compares the text with what would be read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from reprlib import repr as short
from typing import Final

from .notation import records
from .notation.basics import high_to_low
from .notation.records import Alternative, Game, Movetext, Record, Token, Turn, parse

_PARTS: Final = ("headers", "preface", "turns", "result")


def write(game: Game | Record) -> str:
    """Return the canonical text of a game's record, ending with a line end. Headers come in canonical order and case.

    A record that would begin like another kind of file, for example with the line ``[]``, begins with an empty line.
    Raise ValueError if the record holds something that the notation can't write, such as a comment with a line end; its
    text says why.

    >>> tironian.parse(tironian.write(record))[0].record == record
    True
    """
    record = game.record if isinstance(game, Game) else game
    try:
        # What was read can be read again, so such turns need no comparison.
        is_read = isinstance(record.turns, Movetext)
        turns = () if is_read else tuple(map(_as_read, record.turns))
        made = replace(record, headers=tuple(records.canonical_headers(record.headers)), turns=turns)
        text = records.write(made)
        games = parse(text)
        text = records.write(record) if is_read else text
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"this record can't be written: {error}") from error
    for part in _PARTS:
        ours, others = (_plain(getattr(one, part)) for one in (made, games[0].record))
        if len(games) > 1 or games[0].too_large or ours != others:
            raise ValueError(f"this record can't be written: its {part} {short(ours)} would be read as {short(others)}")
    return text


def _plain(part: object) -> object:
    """Return a part of a record in a form that can be compared: a record may have been made with lists."""
    return tuple(part) if isinstance(part, Sequence) else part


def _as_read(turn: Turn) -> Turn:
    """Return a turn as it would be read: shown cards are sorted from high to low."""
    after = [replace(each, turn=_as_read(each.turn)) if isinstance(each, Alternative) else each for each in turn.after]
    return replace(turn, tokens=tuple([_high_to_low(token) for token in turn.tokens]), after=tuple(after))


def _high_to_low(token: Token) -> Token:
    shown = {name: high_to_low(cards) for name in ("rome", "egypt", "seen") if (cards := getattr(token, name, None))}
    return replace(token, **shown) if shown else token


def write_all(games: Iterable[Game | Record]) -> str:
    """Return several games as one text, with an empty line between them. Raise ValueError like ``write``.

    >>> len(tironian.parse(tironian.write_all([record, record])))
    2
    """
    return "\n".join(map(write, games))


def turn_text(turn: Turn) -> str:
    """Return the line of a turn, without the lines that follow it. Raise ValueError like ``write``.

    >>> tironian.turn_text(tironian.parse("1E 5A  +3x\\n")[0].record.turns[0])
    '1E 5A +3x'
    """
    return write(Record(turns=(replace(turn, after=()),))).strip("\n")
