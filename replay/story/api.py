"""What happened in a game, and why: timelines, moments, and votes as scenes."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .annotation_kinds import ANNOTATION_KINDS
from .annotations import Annotation
from .events import Event, SceneCard, VoteScene, ahead, event_of, turned_up, vote_scene
from .expectation import Expectation, Sight, odds, sight
from .moments import NoMoment, ShownMoment, beyond, moment_shown, replayed_to_show, table_shown
from .reasons import Reason
from .timeline import Entry, NoTimeline, Remark, Timeline, replayed, timeline, watchers, with_odds
from .turn_statuses import NOT_FOLLOWED, PLAYED, SET_UP, TAKEN_BACK
