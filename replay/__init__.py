"""The rules: editions, engine, law, checker and the tools around them."""

from .checker import Verdict, check
from .edition import Edition, load_edition
from .law import violations
from .mechanics import apply
from .scoring import Score, score
from .setup import start
from .state import State

__all__ = ["Edition", "Score", "State", "Verdict", "apply", "check", "load_edition", "score", "start", "violations"]
