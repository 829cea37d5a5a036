"""Finds the rule set and readings that explain a record that names no rule set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product, takewhile
from typing import Final, NamedTuple

from ...notation.allowance import Allowance, end_after
from ...notation.diagnostic import ERROR, NOTE, WARNING, Diagnostic
from ...notation.language import phrase, plural
from ...notation.reader import Game, as_game
from ...notation.record import Record
from ...notation.source import Span
from ..diagnostics.registry import LEGAL, POSSIBLE
from ..editions.edition import EDITION_NAMES, load_edition
from .check import Verdict, check, make_diagnostic

MAX_CHANGED_READINGS: Final = 2
"""The most readings that are changed at a time."""
MAX_NAMED: Final = 3
"""The most other explanations that a message names."""


class Inference(NamedTuple):
    """The rules that explain a record best, in the form that :func:`check` takes: ``1997``, or ``1997 empty_side=tie``.

    ``others`` explain it as well. ``is_explained`` is false if nothing explains it; then ``rules`` are those by which
    the record can be followed furthest. ``stopped`` says that time ran out before all readings had been tried.

    >>> text = tironian.write(record).replace('[Rules "2024"]\\n', "")
    >>> tironian.infer_rules(tironian.parse(text)[0])
    Inference(rules='2024', others=(), is_explained=True, stopped=False)
    """

    rules: str
    others: tuple[str, ...] = ()
    is_explained: bool = True
    stopped: bool = False


def infer_rules(game: Game | Record, *, seconds: float = 0.0) -> Inference | None:
    """Return the rules under which a record without a Rules header is legal (or possible if not all cards are known).

    Unchanged rule sets are tried before their readings, and one changed reading before two. Return None for a record
    that names its rule set, or that has no game. After ``seconds``, if given, no further reading is tried.

    >>> record = tironian.simulate(tironian.load_edition("fr"), seed=3)
    >>> text = tironian.write(record).replace('[Rules "fr"]\\n', "")
    >>> tironian.infer_rules(tironian.parse(text)[0])
    Inference(rules='fr', others=(), is_explained=True, stopped=False)
    """
    game = as_game(game)
    if game.too_large or not game.record.turns or any(name == "Rules" for name, _ in game.record.headers):
        return None
    time = Allowance(end=end_after(seconds))
    for changed in range(MAX_CHANGED_READINGS + 1):
        tried: dict[str, list[str]] = {}
        for rules in takewhile(lambda _: time.try_spend(), _readings(changed)):
            tried.setdefault(check(game, rules).verdict, []).append(rules)
        if explaining := tried.get(LEGAL) or tried.get(POSSIBLE):
            rules, *others = explaining
            return Inference(rules, tuple(others), stopped=time.left < 0)
        if time.left < 0:
            break
    furthest = max(EDITION_NAMES, key=lambda name: _first_error(check(game, name)))
    return Inference(furthest, (), False, time.left < 0)


def _readings(changed: int) -> Iterator[str]:
    """Yield each rule set with this many of its readings changed, in every possible way."""
    for edition in map(load_edition, EDITION_NAMES):
        for options in combinations(edition.options, changed):
            for values in product(*[edition.options[option][1:] for option in options]):
                yield " ".join([edition.name, *map("=".join, zip(options, values, strict=True))])


def _first_error(verdict: Verdict) -> int:
    """Return the line of the first error."""
    return min([entry.span.line for entry in verdict.diagnostics if entry.severity == ERROR], default=0)


def inference_note(game: Game, inference: Inference) -> Diagnostic:
    """Return the note that says which rules are used to judge a game; it is a warning if others also explain it, or if
    none do.
    """
    rules, others, is_explained, _ = inference
    name, _, options = rules.partition(" ")
    headers = f'[Rules "{name}"]' + (f' [Rulings "{options}"]' if options else "")
    if not is_explained:
        why = phrase("under which it can be followed furthest, since none explains it")
    elif others:
        left = len(others) - MAX_NAMED
        more = [phrase("{count} more", count=left)] if left > 0 else []
        named = phrase(" and ").join([*others[:MAX_NAMED], *more])
        why = plural("but {rules} explains it as well", "but {rules} explain it as well", len(others), rules=named)
    else:
        why = phrase("the only one that explains it")
    note = make_diagnostic("H214", {"rules": rules, "why": why, "headers": headers}, game, Span(0, 0, 0))
    return replace(note, severity=NOTE if is_explained and not others else WARNING)
