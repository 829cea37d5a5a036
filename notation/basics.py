"""Cards, groups and sides, and text that is safe to show: what needs no record."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from . import cards
from .build import build_in_use, home_page, install, program_version
from .cards import (
    ACTION_CARDS, ASSASSINATION, CARDS, CARD_KINDS, CARD_LETTERS, CASTLING, EGYPT, GROUPS, GROUP_COUNT,
    GROUP_LETTERS, GROUP_NAMES, HIGHEST, INFLUENCE_CARDS, INFLUENCE_KINDS, MAY_BE, NUMBERS, PHILOSOPHER, PLAYER_NAMES,
    ROME, SCOUT, SIDE_LETTERS, SIDE_NAMES, SIGNS, SOME_ACTION, SOME_INFLUENCE, SPY, TIE, VETO, WRATH, Card, Group, Side,
    high_to_low, is_known, letters,
)
from .classes import dataclass
from .safe_text import (
    as_json, cell, encodable, file_name, json_lines, on_screen, readable, visible_char, uri, visible, visible_chars,
    visible_lines,
)
