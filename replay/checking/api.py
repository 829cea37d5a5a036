"""What a record says and amounts to: its headers, the verdict, how it ended, and the words for both."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from ..diagnostics.fact_words import ENDINGS, words
from ..diagnostics.names import (
    Glyph, bare_name, capital, card_name, cards_text, counted, device_name, glyph, group_name, in_figures, join,
    marks_text, ordinal,
)
from ..diagnostics.registry import (
    CODES, ILLEGAL, LEGAL, NOTHING, POSSIBLE, READABLE, UNCHECKED, UNREADABLE, VERDICTS, Code, Judgement, fill,
)
from ..engine.headers import (
    AGAINST_NET, CONTROL, PLAYERS, TERMINATIONS, VIEWS, ChosenView, Frame, View, may_break_off, read_headers,
)
from ..engine.result import (
    DECISIVE, WINNERS, Closing, Outcome, account_text, agree, closing, final_score, outcome, parts, points_text,
    summary, winner_text,
)
from .canonical import look_at_bytes, strictly_all
from .check import Verdict, check, judged, make
from .inference import Inference, infer_rules, inference_note
