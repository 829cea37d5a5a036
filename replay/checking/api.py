"""The verdict on a record, and the rule set that explains it."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .canonical import all_canonical_faults, scan_bytes
from .check import Verdict, check, judged, make_diagnostic
from .inference import Inference, infer_rules, inference_note
