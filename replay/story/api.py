"""What happened in a game, and why: timelines, moments, and votes as scenes."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from .annotation_kinds import ANNOTATION_KINDS
from .annotations import Annotation
from .expectation import Expectation, Sight, odds, percent, percents, shares, sight, win_words
from .moments import NoMoment, ShownMoment, beyond, moment_shown, replayed_to_show, table_shown
from .telling import (
    OUTCOMES, Event, SceneCard, VoteScene, accounts, ahead, event_of, held_missions, instead, judged_missions,
    mission_words, missions_line, moment_words, outcome_words, token_words, told, turned_up, vote_scene,
)
from .timeline import Entry, Remark, Timeline, Untold, replayed, timeline, watchers, with_odds
from .turn_statuses import NOT_FOLLOWED, PLAYED, SET_UP, TAKEN_BACK
