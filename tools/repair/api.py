"""What a broken record was probably meant to say."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from .candidates import counted_tokens, exchanged, without_cards
from .edits import Edit, with_note, replacements, with_old_lines
from .likely import (
    HEADERS, MAX_REPAIRS_SHOWN, LikelyRepairs, WordedChange, difference, likely_repairs, repair_json, with_fixes,
)
from .search import Repair, find_repairs
from .slips import Slip, Vocabulary, intended_words
