"""A game that is recorded by taps, for those who have its journal."""

# ruff: noqa: F401
from __future__ import annotations

from .desk import Desk, DeskError
