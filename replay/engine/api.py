"""A record carried through the rules: its headers, its run, its replay step by step, and how it ended."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from .findings import AT_END, Finding, Run
from .headers import (
    AGAINST_NET, CONTROL, PLAYERS, TERMINATIONS, VIEWS, ChosenView, HeaderInfo, View, may_break_off, read_headers,
)
from .meant_values import intended_values
from .places import header_spans, token_span
from .play import apply, follow, violations
from .replay import (
    TURNED_UP, Address, Replay, Step, game_end_at, read_moment, replay_game, snapshots, table_after_turn, walk,
)
from .result import (
    DECISIVE, WINNERS, GameEnd, Outcome, account_text, agree, game_end, final_score, outcome, parts, points_text,
    summary, winner_text,
)
from .rulings import can_be_agreed, is_taken_back, rulings
from .run import first_turn, run_record, run_turns, set_up, set_up_lines, start
from .shown import Ballot, Chances, with_shown_cards, with_counts
