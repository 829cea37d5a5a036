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

    from .analysis.redact import Redaction, redacted
    from .analysis.timeline import Timeline, timeline
    from .analysis.tree import VoteTree, votes
    from .checker import Verdict, check
    from .edition import Edition, load_edition
    from .merging.merge import Merged, merge
    from .replayer import Replay, Step, replay
    from .rules.play import apply, violations
    from .rules.scoring import Score, score
    from .rules.setup import start
    from .rules.state import State
    from .simulator import simulate

_NAMES = {
    "analysis.redact": ("Redaction", "redacted"),
    "analysis.timeline": ("Timeline", "timeline"),
    "analysis.tree": ("VoteTree", "votes"),
    "checker": ("Verdict", "check"),
    "edition": ("Edition", "load_edition"),
    "merging.merge": ("Merged", "merge"),
    "replayer": ("Replay", "Step", "replay"),
    "rules.play": ("apply", "violations"),
    "rules.scoring": ("Score", "score"),
    "rules.setup": ("start",),
    "rules.state": ("State",),
    "simulator": ("simulate",),
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
