"""The verdict on a record, and the rule set that explains it."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .canonical import look_at_bytes, strictly_all
from .check import Verdict, check, judged, make
from .inference import Inference, infer_rules, inference_note
