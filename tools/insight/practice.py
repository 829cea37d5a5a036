"""What is kept for practice: a file with a player's mistakes and answers, and how games get into it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import compress
from pathlib import Path
from typing import Final

from ...notation.basics import EGYPT, PLAYER_NAMES, ROME, json_lines
from ...notation.language import PLAYERS as PEOPLE
from ...notation.language import phrase
from ...notation.records import Game, Record
from ...replay.engine.api import PLAYERS, read_headers, replay_game
from ...replay.knowledge.api import SEES
from ...schemas import parsed, whole_numbers
from ..storage.api import replacing
from .analysis import Report, logs_of
from .drill import Drill, DrilledGame, drill_data, drill_of

NAME: Final = "drill.json"
"""The name of the file in a person's own folder."""


class Unusable(ValueError):
    """Raised if a file is not a state of the drill, or a game can't be judged: a sentence says why."""


class DrillFile:
    """A state file and its contents. Raise Unusable if the file exists but is not a state: it is never overwritten."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._kept = self._on_disk()
        self.drill = self._read()

    def keep(self) -> None:
        """Write the changes. Raise Unusable if another program has written the file in the meantime, OSError if writing
        fails.
        """
        data = json_lines(drill_data(self.drill), "games").encode()
        if data == self._kept:
            return
        if self._on_disk() != self._kept:
            why = phrase("another program has changed it in the meantime, so nothing was written; try again")
            raise Unusable(why)
        Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.path) as stream:
            stream.write(data)
        self._kept = data

    def _on_disk(self) -> bytes:
        return Path(self.path).read_bytes() if os.path.lexists(self.path) else b""

    def _read(self) -> Drill:
        if not self._kept:
            return Drill()
        with suppress(ValueError, RecursionError):
            if (data := parsed("drill", self._kept)) is not None:
                return drill_of(whole_numbers(data))
        why = phrase(
            "this is not a state of tiro drill, or it is damaged; it is left as it is. Name another with --state, or "
            "move it away"
        )
        raise Unusable(why)


class Practice:
    """Whose mistakes are practised, and the games that are judged for them.

    ``judge`` returns the report on a side of a game in a file; an empty name stands for no file.
    """

    def __init__(
        self,
        file: DrillFile,
        judge: Callable[[str, Game, int], Report],
        view: str = "",
        player: str = "",
        level: str = "",
        rules: str = "",
    ) -> None:
        self.file, self.judge, self.view, self.level, self.rules = file, judge, view, level, rules
        self.player = " ".join(player.split()).casefold()
        self.room: int | None = None
        """How many more new positions are wanted; None for all."""
        self.unjudged = 0
        """Games that were not judged because there were enough positions."""

    def is_wanted(self, record: Record, side: int) -> bool:
        """Return whether the mistakes of a side are asked for."""
        name = " ".join(record.header(PLAYER_NAMES[side]).split()).casefold()
        return self.view in ("", PLAYERS[side]) and self.player in ("", name)

    def seen(self, game: Game) -> list[int]:
        """Return the sides whose cards a record shows."""
        return [*compress((ROME, EGYPT), SEES[read_headers(game.record, self.rules).view])]

    def judged(self, path: str, game: Game, side: int) -> DrilledGame | None:
        """Return the mistakes of a side of a game in a file; None if there are enough new positions.

        Raise Unusable if the record has too little, ValueError or LookupError if it can't be judged.
        """
        log = logs_of(game, self.rules, side)[1][side]
        assert log is not None
        found = self.file.drill.find(log, side, self.level)
        if found is None and self.room is not None and self.room <= 0:
            self.unjudged += 1
            return None
        if found is None:
            # The report beside a file is about its first game.
            found = self.file.drill.add(self.judge(path if game.number == 1 else "", game, side), side)
            self.file.keep()
        if found is None:
            raise Unusable(phrase("the record has too little to judge {player.name}", player=PEOPLE[side]))
        if self.room is not None:
            self.room -= sum(not each.reviews for each in found.exercises)
        return found

    def followed_until(self, game: Game) -> str:
        """Return the label of the turn up to which the cards can be followed; empty if they can to the end."""
        played = replay_game(game, self.rules)
        if not played.run.stopped:
            return ""
        turn = played.steps[-1].turn if played.steps else None
        return turn.label if turn else phrase("the set-up")

    def wanted_games(self) -> Iterator[DrilledGame]:
        """Yield the games that were judged before."""
        yield from (game for game in self.file.drill.games.values() if self.is_wanted(game.log, game.side))
