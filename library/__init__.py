"""Tironian: read, check, replay and analyse records of the card game Caesar & Cleopatra.

>>> import tironian
>>> record = tironian.simulate(tironian.load_edition("2024"), seed=1)
>>> tironian.check(record).verdict
'legal'

Everything below can be imported from ``tironian`` itself, and nothing else is public; ``docs/stability.md`` says what
is guaranteed. Cards, groups and sides are plain integers, named by ``Card``, ``Group`` and ``Side``. Faults in a record
are values, never exceptions. A name is imported when it is first used, so ``import tironian`` takes hardly any time.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes longer than everything else here

if TYPE_CHECKING:
    from typing import Any

    from .notation.basics import Card as Card
    from .notation.basics import Group as Group
    from .notation.basics import Side as Side
    from .notation.basics import cards as cards
    from .notation.extra import InvalidJsonError as InvalidJsonError
    from .notation.extra import from_json as from_json
    from .notation.extra import to_json as to_json
    from .notation.records import Alternative as Alternative
    from .notation.records import BadLine as BadLine
    from .notation.records import Comment as Comment
    from .notation.records import Diagnostic as Diagnostic
    from .notation.records import Game as Game
    from .notation.records import Label as Label
    from .notation.records import Record as Record
    from .notation.records import Result as Result
    from .notation.records import Ruling as Ruling
    from .notation.records import Source as Source
    from .notation.records import Span as Span
    from .notation.records import Turn as Turn
    from .notation.records import parse as parse
    from .notation.records import parse_token as parse_token
    from .notation.records import token_text as token_text
    from .notation.records import tokens as tokens
    from .reading import parse_turn as parse_turn
    from .reading import read as read
    from .replay.checking.api import Inference as Inference
    from .replay.checking.api import Verdict as Verdict
    from .replay.checking.api import check as check
    from .replay.checking.api import infer_rules as infer_rules
    from .replay.engine.api import VIEWS as VIEWS
    from .replay.engine.api import Outcome as Outcome
    from .replay.engine.api import Replay as Replay
    from .replay.engine.api import Step as Step
    from .replay.engine.api import apply as apply
    from .replay.engine.api import replay_game as replay_game
    from .replay.engine.api import violations as violations
    from .replay.knowledge.api import GroupOutlook as GroupOutlook
    from .replay.knowledge.api import Outlook as Outlook
    from .replay.knowledge.api import Redaction as Redaction
    from .replay.knowledge.api import ViewNotAvailable as ViewNotAvailable
    from .replay.knowledge.api import view as view
    from .replay.rules.api import EDITION_NAMES as EDITION_NAMES
    from .replay.rules.api import Edition as Edition
    from .replay.rules.api import Fault as Fault
    from .replay.rules.api import Score as Score
    from .replay.rules.api import SideCards as SideCards
    from .replay.rules.api import State as State
    from .replay.rules.api import load_edition as load_edition
    from .replay.rules.api import score as score
    from .replay.rules.api import start as start
    from .replay.rules.core import ImpossibleMoveError as ImpossibleMoveError
    from .replay.rules.core import MissingCardsError as MissingCardsError
    from .replay.rules.game.legal import Move as Move
    from .replay.rules.game.legal import legal_moves as legal_moves
    from .replay.simulation.api import record_of as record_of
    from .replay.simulation.api import simulate as simulate
    from .replay.story.api import Annotation as Annotation
    from .replay.story.api import Entry as Entry
    from .replay.story.api import Event as Event
    from .replay.story.api import NoTimeline as NoTimeline
    from .replay.story.api import Reason as Reason
    from .replay.story.api import Sight as Sight
    from .replay.story.api import Timeline as Timeline
    from .replay.story.api import odds as odds
    from .replay.story.api import timeline as timeline
    from .replay.story.votes import Decision as Decision
    from .replay.story.votes import Possibility as Possibility
    from .replay.story.votes import VoteTree as VoteTree
    from .replay.story.votes import votes as votes
    from .replay.story.votes import what_if as what_if
    from .replay.words.votes import words as words
    from .reporting import report as report
    from .spoken import speaking as speaking
    from .tools.insight.api import Compared as Compared
    from .tools.insight.api import Judged as Judged
    from .tools.insight.api import LuckLedger as LuckLedger
    from .tools.insight.api import Point as Point
    from .tools.insight.api import Report as Report
    from .tools.insight.api import SideReport as SideReport
    from .tools.insight.api import analyse as analyse
    from .tools.merge.api import DifferentGames as DifferentGames
    from .tools.merge.api import MergeResult as MergeResult
    from .tools.merge.api import merge as merge
    from .tools.render.api import page as page
    from .tools.render.api import picture as picture
    from .tools.repair.api import Repair as Repair
    from .tools.repair.api import find_repairs as find_repairs
    from .tournaments import event as event
    from .tournaments import pair as pair
    from .writing import turn_text as turn_text
    from .writing import write as write
    from .writing import write_all as write_all

    __version__: str

# fmt: off
_MODULES = {
    "notation.basics": ("Card", "Group", "Side", "cards"),
    "notation.extra": ("InvalidJsonError", "from_json", "to_json"),
    "notation.records": (
        "Alternative", "BadLine", "Comment", "Diagnostic", "Game", "Label", "Record", "Result", "Ruling", "Source",
        "Span", "Turn", "parse", "parse_token", "token_text", "tokens",
    ),
    "reading": ("parse_turn", "read"),
    "replay.checking.api": ("Inference", "Verdict", "check", "infer_rules"),
    "replay.engine.api": ("Outcome", "Replay", "Step", "VIEWS", "apply", "replay_game", "violations"),
    "replay.knowledge.api": ("GroupOutlook", "Outlook", "Redaction", "ViewNotAvailable", "view"),
    "replay.rules.api": (
        "EDITION_NAMES", "Edition", "Fault", "Score", "SideCards", "State", "load_edition", "score", "start",
    ),
    "replay.rules.core": ("ImpossibleMoveError", "MissingCardsError"),
    "replay.rules.game.legal": ("Move", "legal_moves"),
    "replay.simulation.api": ("record_of", "simulate"),
    "replay.story.api": (
        "Annotation", "Entry", "Event", "Reason", "Sight", "Timeline", "NoTimeline", "odds", "timeline",
    ),
    "replay.story.votes": ("Decision", "Possibility", "VoteTree", "votes", "what_if"),
    "replay.words.votes": ("words",),
    "reporting": ("report",),
    "tools.insight.api": ("Compared", "Judged", "LuckLedger", "Point", "Report", "SideReport", "analyse"),
    "tools.merge.api": ("DifferentGames", "MergeResult", "merge"),
    "tools.render.api": ("page", "picture"),
    "tools.repair.api": ("Repair", "find_repairs"),
    "spoken": ("speaking",),
    "tournaments": ("event", "pair"),
    "writing": ("turn_text", "write", "write_all"),
}
# fmt: on
"""Module → the public names that it holds. The imports above say the same to type checkers."""


def _draw(value: object, form: str) -> str:
    """Return an object as a notebook shows it: the room that can is imported once one asks."""
    from .tools.render import api

    return getattr(api, form)(value)


if not TYPE_CHECKING:  # type checkers use the imports above, and with this would accept any name
    __all__ = sorted(name for names in _MODULES.values() for name in names)

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used."""
        if name == "__version__":
            from .notation.basics import program_version

            value = program_version()
        else:
            home = next((home for home, names in _MODULES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            # Like "from home import name": cards and tokens are modules.
            value = getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)
            if notebooks := sys.modules.get(f"{__name__}.notation.notebooks"):
                notebooks.register_drawer(_draw)
            if callable(value) and not isinstance(value, type):
                from .door import guarded

                value = guarded(value)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """Return all public names, imported or not."""
        return [*__all__, "__version__"]
