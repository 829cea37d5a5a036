"""What can be known of hidden cards: tables and records as somebody sees them, and where cards may be."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from . import redaction
from .ledger import (
    RANKS, UNKNOWN, CardTracker, Moment, Story, moments_of, one_by_one, story_of, story_of_replay, story_of_run,
)
from .outlook import DeckState, Filter, GroupOutlook, Outlook
from .redaction import SEERS, Redaction, Unseen, left_out, saw_less, seen_token, view, views_for
from .table_view import (
    FACE_DOWN, SEES, GroupView, Letters, SideView, TableView, cards_of, left_of, look, look_again, name_of, would_win,
)
from .verdict import explained_columns, is_explained
from .witness import witness_of
