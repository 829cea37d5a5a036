"""The games of several files: which of them are one game, and each of those joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final

from ...notation.reader import Game
from ...notation.source import Span
from ..checking.check import make
from .merge import Merged, merge

_NAMED: Final = ("Round", "Caesar", "Cleopatra")


def paired(files: Sequence[Sequence[Game]]) -> tuple[list[list[Game]], bool]:
    """Put the games of several files together: by round and players where these tell all games of a file apart.

    Otherwise by their order. A game that only one file has is a group of its own. Return also whether headers decided.
    """
    known = [{_key(game): game for game in games} for games in files]
    apart = all(None not in keys and len(keys) == len(games) for keys, games in zip(known, files, strict=True))
    by_headers = apart and max(map(len, files)) > 1 and bool(set(known[0]).intersection(*known[1:]))
    rows = zip_longest(*files)
    if by_headers:
        rows = [[games.get(key) for games in known] for key in dict.fromkeys(chain(*known))]
    return [[game for game in row if game is not None] for row in rows], by_headers


def _key(game: Game) -> tuple[str, ...] | None:
    """Return what tells a game from others; None where its headers don't."""
    values = tuple(game.record.header(name).strip().lower() for name in _NAMED)
    return None if any(value in ("", "?") for value in values) else values


def merge_all(
    files: Sequence[Sequence[Game]], name: str = "<joined>", picks: Mapping[str, str] | None = None
) -> tuple[list[Merged], bool]:
    """Join the games of several files; return also whether headers said which are one. Some may lack a game.

    Raise DifferentGames, as ``merge`` does, where games that were put together can't be one, and LookupError for
    ``picks`` that are of no use; they are for a single game.
    """
    groups, by_headers = paired(files)
    return [_with_lacking(merge(group, name, picks=picks), group, files) for group in groups], by_headers


def _with_lacking(merged: Merged, group: Sequence[Game], files: Sequence[Sequence[Game]]) -> Merged:
    """Return a joined game, with a warning where some file has no such game."""
    lacking = [games[0].source.name for games in files if not any(game is own for game in games for own in group)]
    if not lacking:
        return merged
    first = group[0].source
    facts = {"other": " and ".join(lacking), "one": first.name}
    warning = make("M208", facts, group[0], Span(0, 0, len(first.text(0))))
    return merged._replace(diagnostics=(warning, *merged.diagnostics))
