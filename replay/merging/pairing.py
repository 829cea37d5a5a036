"""The games of several files: which of them are one game, and each of those joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from ...notation.reader import Game
from ...notation.source import Span
from ..checker import make
from .merge import Merged, merge

_NAMED: Final = ("Round", "Caesar", "Cleopatra")


class Pairing(NamedTuple):
    """The games of several files, those of one game together, and by what they were found: headers or their order."""

    groups: tuple[tuple[Game, ...], ...]
    by_headers: bool


def paired(files: Sequence[Sequence[Game]]) -> Pairing:
    """Put the games of several files together: by round and players where these tell all games of a file apart.

    Otherwise by their order. A game that only one file has is a group of its own.
    """
    keys = [[_key(game) for game in games] for games in files]
    told = all(None not in each and len(set(each)) == len(each) for each in keys)
    if told and max(map(len, files)) > 1 and set(keys[0]).intersection(*keys[1:]):
        order = dict.fromkeys(key for each in keys for key in each)
        found = [tuple(_with(key, games, own) for games, own in zip(files, keys, strict=True)) for key in order]
        return Pairing(tuple(tuple(each for each in group if each is not None) for group in found), True)
    rows = zip_longest(*files)
    return Pairing(tuple(tuple(each for each in row if each is not None) for row in rows), False)


def _key(game: Game) -> tuple[str, ...] | None:
    """What tells a game from others; None where its headers don't."""
    values = tuple(game.record.header(name).strip().lower() for name in _NAMED)
    return None if any(value in ("", "?") for value in values) else values


def _with(key: tuple[str, ...] | None, games: Sequence[Game], keys: Sequence[tuple[str, ...] | None]) -> Game | None:
    return games[keys.index(key)] if key in keys else None


def merge_all(files: Sequence[Sequence[Game]], name: str = "<joined>") -> tuple[list[Merged], Pairing]:
    """Join the games of several files, and say how they were found together. A game need not be in all of them.

    Raises DifferentGames, as ``merge`` does, where games that were found together can't be one.
    """
    found = paired(files)
    return [_told(merge(group, name), group, files) for group in found.groups], found


def _told(merged: Merged, group: Sequence[Game], files: Sequence[Sequence[Game]]) -> Merged:
    """What was joined, with a warning where some file has no such game."""
    lacking = [games[0].source.name for games in files if not any(game is each for game in games for each in group)]
    if not lacking:
        return merged
    first = group[0].source
    told = {"other": " and ".join(lacking), "one": first.name}
    warning = make("M208", told, first, Span(0, 0, len(first.text(0))), None, game=group[0].number)
    return merged._replace(diagnostics=(warning, *merged.diagnostics))
