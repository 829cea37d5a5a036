"""Records: their lines and tokens, how they are read, written and recognised, and what is said about them."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from . import tokens
from .allowance import Allowance, BudgetSpent, end_after
from .diagnostic import ERROR, NOTE, RULED, SEVERITIES, WARNING, Diagnostic, Fix, Label, Replacement, Severity
from .fingerprint import (
    COUNTS, folded, game_identifiers, moves_of, pairing_of, signed, spellings_of, unsigned, was_changed,
)
from .movetext import Movetext
from .packed import Packed
from .reader import SEPARATE_GAMES_HELP, as_game, parse, read_bytes, read_games
from .record import ASIDE, TOO_LARGE, Alternative, BadLine, Comment, Follower, Game, Record, Result, Ruling, Turn
from .source import HEAD, MAX_GAME_LENGTH, Source, Span, document, foreign, is_json, seems_record
from .tokens import (
    ACT, ACTIONS, KINDS, REVEAL, SPECIAL, Audience, Draw, FieldType, Mission, Role, Token, field_kinds,
    written_fields,
)
from .word_cache import WORDS, misread, parse_token, read_line
from .writer import (
    HEADER_CASE, HEADER_ORDER, CARD_HEADERS, canonical_headers, code_text, follower_line, header_text, known_text,
    result_text, ruling_text, score_text, token_text, turn_text, write, write_all,
)
