"""Votes as trees, and what could have been done instead."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .answers import Needed, needed
from .instead import Costs, Instead, Margin, Range
from .prospects import CERTAIN, IMPOSSIBLE, OPEN, mission_prospect
from .vote_tree import Coming, Observer, Swing, Swings, VoteTree, trees, votes
from .what_if import Decision, Foresight, Possibility, foresights, what_if
