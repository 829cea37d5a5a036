"""The rules: editions, engine, law, checker and the tools around them.

A name is imported when it is first asked for, so that the command line starts without the engine.
"""

from __future__ import annotations

import os

if os.environ.get("TIRONIAN_PURE") == "1":
    from ..notation import build as build  # before any module that may be compiled

TYPE_CHECKING = False  # typing itself takes a while, in which Ctrl-C could come

if TYPE_CHECKING:
    from typing import Any

    from .analysis.timeline import Timeline, timeline
    from .analysis.vote_tree import VoteTree, votes
    from .checking.check import Verdict, check
    from .editions.edition import Edition, load_edition
    from .engine.play import apply, violations
    from .engine.replay import Replay, Step, replay
    from .merging.merge import Merged, merge
    from .rules.mechanics.setup import start
    from .rules.scoring import Score, score
    from .rules.state import State
    from .simulation.simulator import simulate
    from .views.record_view import Redaction, redacted

_NAMES = {
    "views.record_view": ("Redaction", "redacted"),
    "analysis.timeline": ("Timeline", "timeline"),
    "analysis.vote_tree": ("VoteTree", "votes"),
    "checking.check": ("Verdict", "check"),
    "editions.edition": ("Edition", "load_edition"),
    "merging.merge": ("Merged", "merge"),
    "engine.replay": ("Replay", "Step", "replay"),
    "engine.play": ("apply", "violations"),
    "rules.scoring": ("Score", "score"),
    "rules.mechanics.setup": ("start",),
    "rules.state": ("State",),
    "simulation.simulator": ("simulate",),
}
"""Module → what it offers."""

__all__ = [
    "Edition",
    "Merged",
    "Redaction",
    "Replay",
    "Score",
    "State",
    "Step",
    "Timeline",
    "Verdict",
    "VoteTree",
    "apply",
    "check",
    "load_edition",
    "merge",
    "redacted",
    "replay",
    "score",
    "simulate",
    "start",
    "timeline",
    "violations",
    "votes",
]


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _NAMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value
