"""Votes and decisions in words, and any fact of a game."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from .answers import needed_words, vote_answers, vote_headline
from .facts import words
from .vote_tree import (
    Node, VoteOutline, VoteWords, beside, instead_parts, instead_words, lane_name, margin_words, option_words,
    vote_outline, vote_words, way,
)
