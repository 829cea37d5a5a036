"""The notation: text ⇄ record. It knows nothing of the rules of play."""

from . import build as build  # first, since it decides which of the other modules are taken
from .diagnostic import Diagnostic, Label
from .reader import Game, parse, read_bytes, read_games
from .record import Alternative, BadLine, Comment, Record, Result, Ruling, Turn
from .source import Source, Span
from .writer import token_text, turn_text, write, write_all

__all__ = [
    "Alternative",
    "BadLine",
    "Comment",
    "Diagnostic",
    "Game",
    "Label",
    "Record",
    "Result",
    "Ruling",
    "Source",
    "Span",
    "Turn",
    "parse",
    "read_bytes",
    "read_games",
    "token_text",
    "turn_text",
    "write",
    "write_all",
]
