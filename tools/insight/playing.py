"""Games against the net, and mistakes to play again."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .begun import NotContinuable, game_until, has_remarks, is_over, settings_of
from .drill import GOOD, HARD, DrilledGame, Exercise, waiting
from .drill_lines import Asking, end_lines, game_title, list_lines, title, when
from .duel import AS_DEALT, HINTS, Begun, Duel, Happening, level_of
from .duel_lines import hint_lines, news_lines, no_hint, nothing_back, percent, warning
from .offered_moves import Offer, asked, names, place_of
from .players import HIGHEST
from .practice import NAME, DrillFile, Practice, Unusable
