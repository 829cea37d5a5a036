"""What stands around the turns: headers, the comments on the whole game, and the result."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from ...notation.cards import EGYPT, ROME
from ...notation.record import Comment, Result
from ...notation.signature import unsigned
from ...notation.writer import HEADER_CASE, result_text
from ..views.table_view import SEES
from .logs import Log
from .remarks import followers_of, notes_of, one_line, said

Written = TypeVar("Written")
_UNKNOWN: Final = ("", "?", "*", "-")
_VIEW: Final = "view"
_DEFAULT: Final = "arbiter"
_BEGINNING: Final = {"setup": "opening", "starts": "Cleopatra"}
"""Headers that say how a log begins, which is not how the joined record does, and what they are without a word."""


class HeaderClash(NamedTuple):
    """A header with another value in a later log; ``value`` is what the joined record has."""

    name: str
    value: str
    log: Log
    other: str


def joined_headers(logs: Sequence[Log]) -> tuple[tuple[tuple[str, str], ...], list[HeaderClash]]:
    """Return the headers of all logs, and those that some log has with other values.

    Of two values the one that more logs have counts, then that of the first log.
    ``View`` says what all of them together could see; the arbiter's, which needs no header, gets none. ``Signed`` and
    ``Checksum`` stay only where there is nothing to join.
    """
    # What was signed are the logs; of a single one the joined record is the same text.
    taken = unsigned if len(logs) > 1 else tuple
    every = [(log, name, value) for log in logs for name, value in taken(log.game.record.headers)]
    late = [header for header in every if header[0].late and header[1].lower() in _BEGINNING]
    given = [header for header in every if header not in late]
    first: dict[str, dict[Log, str]] = defaultdict(dict)
    for log, name, value in given:
        first[name.lower()].setdefault(log, value)
    known = tuple(any(SEES[log.view][side] for log in logs) for side in (ROME, EGYPT))
    view = next(view for view, sees in SEES.items() if sees == known)
    # Where all have the same, the header stays as it was written, and were it no point of view at all.
    own = _VIEW if len({log.game.record.header(_VIEW, _DEFAULT) for log in logs}) > 1 else None
    kept: list[tuple[str, str]] = []
    for log, name, value in given:
        values = first[name.lower()]
        # A header that a log has twice stays so; the first of the two is the one that counts.
        if name.lower() != own and log == next(iter(values)):
            kept.append((name, _best_header(list(values.values())) if value == values[log] else value))
    if own and (view != _DEFAULT or any(value.lower() == view for value in first[_VIEW].values())):
        kept.append(("View", view))
    told = {(name.lower(), value) for name, value in kept}
    best = {name.lower(): value for name, value in reversed(kept)} | ({_VIEW: view} if own else {})
    clashes = [
        HeaderClash(HEADER_CASE.get(name.lower(), name), best[name.lower()], log, value)
        for log, name, value in given
        if (name.lower(), value) not in told
        and not (value.lower() in SEES if name.lower() == own else _fits(value, best[name.lower()]))
    ]
    for log, name, value in late:
        begins = best.get(name.lower(), _BEGINNING[name.lower()])
        if value.lower() != begins.lower():
            clashes.append(HeaderClash(name, begins, log, value))
    return tuple(kept), clashes


def _best_header(values: list[str]) -> str:
    """Return the value that most logs have and that says most."""
    counts = Counter(value for value in values if not _is_unknown(value))
    if not counts:
        return values[0]
    # A value with ?? in it is less than one that fits it and has none.
    return max(counts, key=lambda value: (not any(_fits(value, other) for other in counts), counts[value]))


def _is_unknown(value: str) -> bool:
    return value in _UNKNOWN or not value.strip("?.")


def _fits(value: str, known: str) -> bool:
    """Return whether a value says less than another, and contradicts nothing."""
    if value == known or _is_unknown(value):
        return value != known
    return len(value) == len(known) and all(one in (two, "?") for one, two in zip(value, known, strict=True))


class JoinedResult(NamedTuple):
    """The result line of the joined record, which log it is from, and the logs with another."""

    result: Result | None
    base: Log
    against: tuple[Log, ...]


def joined_result(logs: Sequence[Log]) -> JoinedResult:
    """Return the result that most logs have; a missing score or verdict on a mission contradicts nothing."""
    results = {log: log.game.record.result for log in logs if log.game.record.result is not None}
    if not results:
        return JoinedResult(None, logs[0], ())
    points, against = _most({log: result.points for log, result in results.items()})
    winner, others = _most({log: result.winner for log, result in results.items() if result.points in (None, points)})
    # Two logs that differ in the points need not be told to differ in who has won.
    verdicts, more = _verdicts(results)
    wrong = [log for log in logs if log in (*against, *others, *more)]
    base = next((log for log in results if log not in wrong and results[log].points == points), next(iter(results)))
    notes = notes_of({log: result.notes for log, result in results.items()})
    within, below = one_line([*notes, *[Comment(said(log, claims(results[log]))) for log in wrong]])
    after = followers_of({log: result.after for log, result in results.items()})
    return JoinedResult(Result(points, winner, verdicts, within, (*below, *after)), base, tuple(wrong))


def claims(result: Result) -> str:
    """Return a result as text, without comments."""
    return result_text(replace(result, notes=()))


def _most(by_log: Mapping[Log, Written | None]) -> tuple[Written | None, list[Log]]:
    """Return the value that most logs have, the first of equally frequent ones, and the logs with another one."""
    values = {log: value for log, value in by_log.items() if value is not None}
    if not values:
        return None, []
    (best, _), *_ = Counter(values.values()).most_common(1)
    return best, [log for log, value in values.items() if value != best]


def _verdicts(results: Mapping[Log, Result]) -> tuple[tuple[tuple[int, tuple[bool, ...]], ...], list[Log]]:
    """Return the verdicts on each side's missions, in the order of the first log that has any."""
    verdicts = {result.verdicts for result in results.values()}
    if len(verdicts) == 1:
        return verdicts.pop(), []
    sides = dict.fromkeys(side for result in results.values() for side, _ in result.verdicts)
    most = {side: _most({log: dict(result.verdicts).get(side) for log, result in results.items()}) for side in sides}
    agreed = tuple((side, mets) for side, (mets, _) in most.items() if mets is not None)
    return agreed, [log for _, others in most.values() for log in others]
