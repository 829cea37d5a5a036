"""A game being recorded: the draft, what may come next, what was typed, and how it is kept."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .answers import proposed_words, take
from .commands import Quit, Rejected, enter, run_command, split_command
from .cursor import PILE, Cursor, Phase
from .draft import Draft
from .editing import place_of, ruled_side, undecided, with_ruling, with_turn
from .journal import BEGUN, FOUND, decoded, digest, encoded, normalized
from .menu import MenuLine, common_start, grouped_by_cards, sections
from .objections import fault_line, irregular, ruled
from .questions import Question, asked, blank, ended, faults, questions
from .recorder import Recorder
from .score_sheet import NARROW, score_sheet
