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

    from .notation import cards as cards
    from .notation import tokens as tokens
    from .notation.cards import Card as Card
    from .notation.cards import Group as Group
    from .notation.cards import Side as Side
    from .notation.diagnostic import Diagnostic as Diagnostic
    from .notation.diagnostic import Label as Label
    from .notation.jsonform import JsonInvalid as JsonInvalid
    from .notation.jsonform import from_json as from_json
    from .notation.jsonform import to_json as to_json
    from .notation.reader import parse as parse
    from .notation.record import Alternative as Alternative
    from .notation.record import BadLine as BadLine
    from .notation.record import Comment as Comment
    from .notation.record import Game as Game
    from .notation.record import Record as Record
    from .notation.record import Result as Result
    from .notation.record import Ruling as Ruling
    from .notation.record import Turn as Turn
    from .notation.source import Source as Source
    from .notation.source import Span as Span
    from .notation.word_cache import parse_token as parse_token
    from .notation.writer import token_text as token_text
    from .reading import parse_turn as parse_turn
    from .reading import read as read
    from .replay.checking.check import Verdict as Verdict
    from .replay.checking.check import check as check
    from .replay.checking.inference import Inference as Inference
    from .replay.checking.inference import infer_rules as infer_rules
    from .replay.editions.edition import EDITION_NAMES as EDITION_NAMES
    from .replay.editions.edition import Edition as Edition
    from .replay.editions.edition import load_edition as load_edition
    from .replay.engine.headers import VIEWS as VIEWS
    from .replay.engine.play import apply as apply
    from .replay.engine.play import violations as violations
    from .replay.engine.replay import Replay as Replay
    from .replay.engine.replay import Step as Step
    from .replay.engine.replay import replay_game as replay_game
    from .replay.engine.result import Outcome as Outcome
    from .replay.knowledge.outlook import GroupOutlook as GroupOutlook
    from .replay.knowledge.outlook import Outlook as Outlook
    from .replay.knowledge.redaction import Redaction as Redaction
    from .replay.knowledge.redaction import Unseen as Unseen
    from .replay.knowledge.redaction import view as view
    from .replay.rules.fault import Fault as Fault
    from .replay.rules.mechanics.hands import Impossible as Impossible
    from .replay.rules.mechanics.hands import Unknowable as Unknowable
    from .replay.rules.mechanics.setup import start as start
    from .replay.rules.moves.legal import Move as Move
    from .replay.rules.moves.legal import legal_moves as legal_moves
    from .replay.rules.scoring import Score as Score
    from .replay.rules.scoring import score as score
    from .replay.rules.state import SideCards as SideCards
    from .replay.rules.state import State as State
    from .replay.simulation.simulator import simulate as simulate
    from .replay.story.annotations import Annotation as Annotation
    from .replay.story.expectation import Sight as Sight
    from .replay.story.expectation import odds as odds
    from .replay.story.telling import Event as Event
    from .replay.story.timeline import Entry as Entry
    from .replay.story.timeline import Timeline as Timeline
    from .replay.story.timeline import Untold as Untold
    from .replay.story.timeline import timeline as timeline
    from .replay.story.vote_tree import VoteTree as VoteTree
    from .replay.story.vote_tree import votes as votes
    from .replay.story.what_if import Decision as Decision
    from .replay.story.what_if import Possibility as Possibility
    from .replay.story.what_if import what_if as what_if
    from .reporting import report as report
    from .tools.insight.analysis import LuckLedger as LuckLedger
    from .tools.insight.analysis import Point as Point
    from .tools.insight.analysis import Report as Report
    from .tools.insight.analysis import SideReport as SideReport
    from .tools.insight.analysis import analyse as analyse
    from .tools.insight.judgement import Compared as Compared
    from .tools.insight.judgement import Judged as Judged
    from .tools.merge.merge import DifferentGames as DifferentGames
    from .tools.merge.merge import Merged as Merged
    from .tools.merge.merge import merge as merge
    from .tools.render.api import page as page
    from .tools.render.api import picture as picture
    from .tools.repair.search import Repair as Repair
    from .tools.repair.search import find_repairs as find_repairs
    from .writing import turn_text as turn_text
    from .writing import write as write
    from .writing import write_all as write_all

    __version__: str

_MODULES = {
    "notation": ("cards", "tokens"),
    "notation.cards": ("Card", "Group", "Side"),
    "notation.diagnostic": ("Diagnostic", "Label"),
    "notation.jsonform": ("JsonInvalid", "from_json", "to_json"),
    "notation.reader": ("parse",),
    "notation.record": ("Alternative", "BadLine", "Comment", "Game", "Record", "Result", "Ruling", "Turn"),
    "notation.source": ("Source", "Span"),
    "notation.writer": ("token_text",),
    "notation.word_cache": ("parse_token",),
    "reading": ("parse_turn", "read"),
    "replay.story.annotations": ("Annotation",),
    "replay.story.telling": ("Event",),
    "replay.story.expectation": ("Sight", "odds"),
    "replay.story.timeline": ("Entry", "Timeline", "Untold", "timeline"),
    "replay.story.vote_tree": ("VoteTree", "votes"),
    "replay.story.what_if": ("Decision", "Possibility", "what_if"),
    "replay.checking.check": ("Verdict", "check"),
    "replay.checking.inference": ("Inference", "infer_rules"),
    "replay.editions.edition": ("EDITION_NAMES", "Edition", "load_edition"),
    "replay.engine.headers": ("VIEWS",),
    "replay.engine.play": ("apply", "violations"),
    "replay.engine.result": ("Outcome",),
    "replay.engine.replay": ("Replay", "Step", "replay_game"),
    "tools.render.api": ("page", "picture"),
    "replay.knowledge.outlook": ("GroupOutlook", "Outlook"),
    "tools.insight.analysis": ("LuckLedger", "Point", "Report", "SideReport", "analyse"),
    "tools.insight.judgement": ("Compared", "Judged"),
    "tools.merge.merge": ("DifferentGames", "Merged", "merge"),
    "tools.repair.search": ("Repair", "find_repairs"),
    "replay.rules.fault": ("Fault",),
    "replay.rules.mechanics.hands": ("Impossible", "Unknowable"),
    "replay.rules.mechanics.setup": ("start",),
    "replay.rules.moves.legal": ("Move", "legal_moves"),
    "replay.rules.scoring": ("Score", "score"),
    "replay.rules.state": ("SideCards", "State"),
    "replay.simulation.simulator": ("simulate",),
    "replay.knowledge.redaction": ("Redaction", "Unseen", "view"),
    "reporting": ("report",),
    "writing": ("turn_text", "write", "write_all"),
}
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
            from .tools.report import program_version

            value = program_version()
        else:
            home = next((home for home, names in _MODULES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            # Like "from home import name": cards and tokens are modules.
            value = getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)
            if notebooks := sys.modules.get(f"{__name__}.notation.notebooks"):
                notebooks.draw_with(_draw)
            if callable(value) and not isinstance(value, type):
                from .door import guarded

                value = guarded(value)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """Return all public names, imported or not."""
        return [*__all__, "__version__"]
