"""Which game of a file is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .common import Trouble, name_of, open_input

if TYPE_CHECKING:
    from ...notation.reader import Game


def game_of(file: str, number: int) -> Game:
    """The ``number``-th game of a file. Trouble where there is none, or the file is no text."""
    from ...notation.reader import read_bytes

    with open_input(file) as stream:
        for game in read_bytes(stream, name_of(file)):
            for problem in game.problems:
                if problem.code in ("N101", "N107"):
                    raise Trouble(f"{name_of(file)}: {problem.message}; {problem.help}")
            if game.number == number:
                return game
    raise Trouble(f"{name_of(file)}: there is no game {number} in it")
