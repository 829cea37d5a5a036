"""What happened in a game, in words."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from .brief import ballot_line, brief_token, brief_vote, synopsis
from .events import (
    choice_words, describe, description_of, devices, event_parts, event_sentence, event_words, instead, mission_words,
    outcome_name, outcome_words, the_action, token_words, would_win,
)
from .notes import annotation_words, entry_words, moment_name, moment_told
from .odds import expected_words, in_points, outcomes_words, percent, percents, signed
from .reasons import reason_words
from .table import accounts, held_missions, judged_missions, missions_line, moment_words, viewed_by
