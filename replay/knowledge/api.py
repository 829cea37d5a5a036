"""What can be known of hidden cards: tables and records as somebody sees them, and where cards may be."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from . import redaction
from .ledger import (
    RANKS, UNKNOWN, CardTracker, Moment, CardHistory, moments_of, one_by_one, history_of, history_of_replay,
    history_of_run,
)
from .outlook import DeckState, Filter, GroupOutlook, Outlook
from .redaction import (
    VIEWER_NAMES, Redaction, ViewNotAvailable, left_out, saw_less_message, seen_token, view, views_for,
)
from .table_view import (
    FACE_DOWN, SEES, GroupView, Letters, SideView, TableView, cards_of, left_of, name_of,
    updated_view, view_table, would_win,
)
from .verdict import explained_columns, is_explained
from .witness import witness_of
