"""A tournament: its plan, records, state, standings and pages."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .changes import EventJournal, refused_in, standing_changes
from .facts import ROUND, FileEdit, ToDo, digits, fact_key
from .pairing import next_round
from .plain import added, clashes, plain, points_of
from .plan import EVENT_FILE, EventPlan, Pairing, event_text, plan_text, read_plan
from .records import read_folder
from .site import chips, game_row, write_site
from .standings import figure, standings
from .start import learnt
from .telling import (
    count_line,
    endings,
    event_data,
    kind_of,
    lines_of,
    possible_values,
    problem_of,
    solution_of,
    standings_lines,
    standings_rows,
    standings_table,
    to_do_lines,
)
from .todo import EventState, coming_round, edited_plan, event_state, given_result, sent_record
from .trf import read_list, trf_text
from .words import keys_of, title_of
