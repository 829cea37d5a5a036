"""Reports of checked games, as ``tiro check`` writes them."""

from __future__ import annotations

import io
from collections.abc import Iterable

from .notation.records import Game, Record, as_game
from .tools.archive.api import reports_of
from .tools.report.api import Format, reporter


def report(games: Iterable[Game | Record], format: Format = "text", rules: str = "", *, verbose: bool = False) -> str:
    """Check games and return the report that ``tiro check --format`` writes: text, json, sarif, junit or github.

    Games from one text must come one after another. ``rules`` names the rule set for records whose headers name none.
    ``verbose`` gives each game a line in the text. Raise ValueError if there is no such format.

    >>> print(tironian.report([record], verbose=True).partition("  ")[0])
    legal
    >>> import json
    >>> json.loads(tironian.report([record], "json"))["games"][0]["summary"]
    'Rome 19, Egypt 10: Rome wins'
    """
    stream = io.StringIO()
    writer = reporter(format, stream, colour=False, verbose=verbose)
    writer.begin()
    for each in reports_of(map(as_game, games), rules):
        writer.game(each)
    writer.end()
    return stream.getvalue()
