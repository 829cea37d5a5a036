"""Logs that say the same in other words, or begin elsewhere, made alike before their words are compared."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from ...notation import tokens as t
from ...notation.record import Comment, Turn
from ...notation.writer import follower_line, turn_text
from .alignment import Column
from .logs import Log
from .remarks import said

_IN_PARTS: Final[tuple[tuple[Any, str], ...]] = ((t.Draw, "cards"), (t.Missions, "missions"))
"""Kinds of words of which two in a row say the same as one, and the field that they share out."""


def evened(column: Column) -> Column:
    """Return one turn with cards in one word that some log cut otherwise: ``+4 +x`` beside ``+ia``."""
    for kind, field in _IN_PARTS:
        cuts = {tuple([len(getattr(token, field)) for token in _of(turn, kind)]) for turn in column.values()} - {()}
        if len(cuts) > 1 and len({sum(cut) for cut in cuts}) == 1:
            column = {log: _folded(turn, kind, field, log) for log, turn in column.items()}
    return column


def with_bags_together(openings: Sequence[Column], logs: Sequence[Log]) -> list[Column]:
    """Return the set-up lines with the bag in the line in which the first log has it; it may stand in either (I5)."""
    lines = [dict(column) for column in openings]
    bags = [(log, line) for log in logs for line in lines if log in line and any(_of(line[log], t.Bag))]
    for log, line in bags:
        home = bags[0][1]
        if line is home or log not in home or any(_of(home[log], t.Bag)):
            continue
        turn, target = line[log], home[log]
        bag = list(_of(turn, t.Bag))
        line[log] = _rewritten(turn, [(token, at) for at, token in enumerate(turn.tokens) if token not in bag], log)
        home[log] = _rewritten(target, [(token, at) for at, token in enumerate((*target.tokens, *bag))], log)
    return lines


def late_openings(logs: Sequence[Log]) -> Iterator[Comment]:
    """Yield the set-up lines of logs that begin behind another one's beginning, as comments on the game."""
    for log in logs:
        for turn in takewhile(lambda turn: not turn.number, log.game.record.turns if log.late else ()):
            yield Comment(said(log, turn_text(turn)))
            yield from [Comment(said(log, follower_line(follower).strip())) for follower in turn.after]


def _of(turn: Turn, kind: type) -> Iterator[t.Token]:
    return (token for token in turn.tokens if isinstance(token, kind))


def _folded(turn: Turn, kind: Any, field: str, log: Log) -> Turn:
    """Return a turn with successive words of a kind as one."""
    words: list[tuple[t.Token, int]] = []
    for at, token in enumerate(turn.tokens):
        if words and isinstance(token, kind) and isinstance(last := words[-1][0], kind):
            words[-1] = kind(getattr(last, field) + getattr(token, field)), words[-1][1]
        else:
            words.append((token, at))
    return _rewritten(turn, words, log)


def _rewritten(turn: Turn, words: Sequence[tuple[t.Token, int]], log: Log) -> Turn:
    """Return a turn with other words, each with its place among those that were written; the log remembers these."""
    places = [at for _, at in words]
    before = log.places.get(turn.line, [])
    log.places[turn.line] = [before[at] if at < len(before) else at for at in places]
    notes = tuple(
        [note if note.after is None else Comment(note.text, bisect_left(places, note.after)) for note in turn.notes]
    )
    return replace(turn, tokens=tuple([token for token, _ in words]), notes=notes)
