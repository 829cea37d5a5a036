"""Random games, and the players who play them."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .dice import Dice
from .player import add_word, next_move, style
from .simulator import STATS, headers_of, openings, record_of, result_of, rulings, simulate, stats
