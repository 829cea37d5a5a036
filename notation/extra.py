"""What few commands need, and what takes long to load: records as JSON, and what a text was meant to say."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .asides import is_aside, without_asides
from .jsonform import InvalidJsonError, from_json, problems_by_schema, to_json
from .manglings import changes
from .suggestions import MAX_GUESS_LENGTH, begins_word, intended_header, join_or
