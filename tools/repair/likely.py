"""The likeliest repairs of a broken game: as fixes in a diagnostic, and in words, each with its place in the record."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ...notation.basics import file_name, visible
from ...notation.language import phrase
from ...notation.records import ASIDE, ERROR, Diagnostic, Fix, Game, Record, as_game, write
from ...notation.records import tokens as t
from ...replay.checking.api import check
from ...replay.diagnostics.api import ILLEGAL, UNREADABLE
from ...replay.engine.api import read_headers
from .edits import Edit, change_of, replacements
from .search import Repair, find_repairs

MAX_REPAIRS_SHOWN: Final = 3
"""How many repairs of a game are shown unless more are asked for."""
_BUDGET: Final = 40_000
"""The most candidates that are followed for a page, a third of what `tiro repair` follows: nobody should have to wait
for the page of a record that nothing repairs. With half of them, pages of examples would lack repairs.
"""


def with_fixes(game: Game, diagnostics: Sequence[Diagnostic], rules: str = "") -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a game; the first error has the likeliest repairs of the game as fixes."""
    found = [(repair, replacements(repair.edits, game)) for repair in find_repairs(game, rules)[:MAX_REPAIRS_SHOWN]]
    fixes = [Fix("; ".join(one.description), one.equally_likely_count, lines) for one, lines in found if lines]
    first = next((place for place, each in enumerate(diagnostics) if each.severity == ERROR), None)
    if first is None:
        first = next((place for place, each in enumerate(diagnostics) if each.code == ASIDE), None)
    if first is None or not fixes:
        return tuple(diagnostics)
    return (*diagnostics[:first], replace(diagnostics[first], fixes=tuple(fixes)), *diagnostics[first + 1 :])


def repair_json(repair: Repair) -> dict[str, Any]:
    """Return a repair as a ``repair`` object of the schema for repairs."""
    return {
        "edits": [
            {"slip": edit.slip.value, "turn": edit.turns[0].label if edit.turns else None, "words": text}
            for edit, text in zip(repair.edits, repair.description, strict=True)
        ],
        "verdict": repair.verdict.verdict,
        "summary": repair.verdict.summary,
        "cost": round(repair.cost, 3),
        "alike": repair.equally_likely_count,
        "record": write(repair.record),
    }


def difference(repaired: Record, game: Game) -> list[str]:
    """Return what a repair changes in a game's record, as the lines of a unified diff made visible."""
    before, after = (write(record).splitlines() for record in (game.record, repaired))
    name = file_name(game.source.name)
    return [*map(visible, difflib.unified_diff(before, after, name, "repaired", lineterm="", n=1))]


HEADERS: Final = -1
"""The place of everything before the turns; the place of everything after them is their number."""


class WordedChange(NamedTuple):
    """A change to a record: the correction of ``turn``, a place in ``record.turns``, from the token ``at`` on.

    ``turn`` is HEADERS for the headers, and the number of turns for the result. ``label`` names the turn if ``what``
    doesn't, ``why`` is the slip. If a change is about one turn, ``tokens`` are those that differ, as they are and as
    they should be.
    """

    label: str
    what: str
    why: str
    turn: int
    at: int
    tokens: tuple[Sequence[t.Token], Sequence[t.Token]] = ((), ())


class LikelyRepair(NamedTuple):
    """A repair in words: what it changes, and the verdict and summary of the record with these changes."""

    changes: tuple[WordedChange, ...]
    verdict: str
    summary: str


class LikelyRepairs(NamedTuple):
    """What is wrong with a game, and what it probably should have said; the likeliest ``repairs`` come first.

    ``view`` is the point of view of the record itself. Repairs are proven with everything in the record, so they must
    not be shown to anybody who sees less. ``verdict`` is the broken record's verdict, ``fault`` its first error, and
    ``turn`` the place of that error, as in a WordedChange. ``found`` counts all repairs, ``equally_likely_count`` the
    others that are as likely as the first.
    """

    view: str
    verdict: str
    fault: Diagnostic
    turn: int
    repairs: tuple[LikelyRepair, ...]
    found: int
    equally_likely_count: int


def likely_repairs(game: Game | Record, rules: str = "", *, most: int = MAX_REPAIRS_SHOWN) -> LikelyRepairs | None:
    """Return the likeliest repairs of a broken game, at most ``most``; None for a game that is not broken.

    ``rules`` names the rule set of a record whose headers name none.
    """
    game = as_game(game)
    verdict = check(game, rules)
    if verdict.verdict not in (ILLEGAL, UNREADABLE):
        return None
    fault = next(diagnostic for diagnostic in verdict.diagnostics if diagnostic.severity == ERROR)
    repairs = find_repairs(game, rules, budget=_BUDGET)
    return LikelyRepairs(
        view=read_headers(game.record, rules).view,
        verdict=verdict.verdict,
        fault=fault,
        turn=_place(fault, game.record),
        repairs=tuple([_in_words(game, repair) for repair in repairs[:most]]),
        found=len(repairs),
        equally_likely_count=repairs[0].equally_likely_count if repairs else 0,
    )


def _place(fault: Diagnostic, record: Record) -> int:
    """Return the place of the turn in or after whose line an error lies; the result is after all turns."""
    line = fault.span.line
    if record.result is not None and line >= record.result.line:
        return len(record.turns)
    return bisect_right([turn.line for turn in record.turns], line) - 1


def _in_words(game: Game, repair: Repair) -> LikelyRepair:
    worded, record = [], game.record
    # Place in the record as edited so far → place in the record as it was written.
    written = [*range(len(game.record.turns))]
    for edit in repair.edits:
        if edit.result is not None:
            place = len(game.record.turns)
        elif edit.headers is not None:
            place = HEADERS
        else:  # for a missing turn, the place of the turn after it
            place = written[edit.begin] if edit.begin < len(written) else len(game.record.turns) - 1
        why, others = phrase(edit.slip.title), _other_tokens(edit, record)
        change = WordedChange(*change_of(edit, record), why, place, edit.at, others)
        worded.append(change)
        record = edit.apply(record)
        old = written[edit.begin : edit.end] or [worded[-1].turn]
        written[edit.begin : edit.end] = [old[min(nth, len(old) - 1)] for nth in range(len(edit.turns))]
    return LikelyRepair(tuple(worded), repair.verdict.verdict, repair.verdict.summary)


def _other_tokens(edit: Edit, before: Record) -> tuple[Sequence[t.Token], Sequence[t.Token]]:
    """Return the tokens that an edit changes, and what they become; nothing if it is not about the words of a turn."""
    turns = *edit.old_turns(before), *edit.turns
    if len(turns) != 2 or len(edit.turns) != 1:
        return (), ()
    old, new = [*turns[0].tokens], [*turns[1].tokens]
    for end in (-1, 0):
        while old and new and old[end] == new[end]:
            del old[end], new[end]
    return old, new
