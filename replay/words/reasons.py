"""Why a move is better than another one, in words."""

from __future__ import annotations

from typing import Final

from ...notation.language import CARDS, GROUPS, Messages, clauses, ordinal, phrase
from ...notation.tokens import Mission
from ..diagnostics.names import counted
from ..story.reasons import Reason
from .events import mission_words
from .odds import percent

_SAID: Final[Messages] = {
    "calls": "the {number} card at {group.the} calls a special vote there, which would be won {often}",
    "special": "the special vote at {group.the}",
    "vote": "a vote at {group.the}",
    "move": "right after the better move {vote} would be won {odds}",
    "turn": "right after the better turn {vote} would be won {odds}",
}


def reason_words(reason: Reason) -> str:
    """Return a reason in words."""
    kind, about, (often, other) = reason.kind, reason.about, map(percent, reason.odds)
    who = phrase("the player") if reason.own else phrase("the other side")
    often = phrase("{often} of the time", often=often)
    odds = phrase("{often}, not {other}", often=often, other=other)
    if isinstance(about, Mission):
        fields = {"mission": _quoted(about), "odds": odds}
        if kind == "fulfilled":
            return phrase("two turns later {mission} is fulfilled {odds}", **fields)
        return phrase("two turns later {mission} can still be fulfilled {odds}", **fields)
    match kind:
        case "said":
            return reason.said
        case "closed":
            return phrase("after the action no second card could be placed")
        case "missions":
            return clauses([_needed(*each) for each in reason.needs])
        case "holds":
            return phrase("two turns later {who} holds {card.a} {odds}", who=who, card=CARDS[about], odds=odds)
    fields = {"who": who, "group": GROUPS[about], "odds": odds, "often": often, "number": ordinal(reason.number)}
    match kind:
        case "special":
            return phrase("it was the {number} card at {group.the}, which calls a special vote there", **fields)
        case "calls":
            return phrase(_SAID["calls"], **fields)
        case "wins":
            return phrase("within two turns {who} wins a vote at {group.the} {odds}", **fields)
        case "leads":
            return phrase("two turns later {who} has won or would win a vote at {group.the} {odds}", **fields)
        case "bare":
            return phrase("two turns later {who} is without defence at {group.the} {odds}", **fields)
    vote, said = _SAID["special" if reason.number else "vote"], _SAID["turn" if reason.by_turn else "move"]
    said = phrase(said, vote=phrase(vote, **fields), odds=odds)
    return phrase("{said}, when a philosopher lets the lower sum win", said=said) if reason.lower else said


def _needed(mission: Mission, more: int | None) -> str:
    """Return what a mission still needs."""
    said = _quoted(mission)
    if more is None:
        return phrase("{mission} can no longer be fulfilled", mission=said)
    if not more:
        return phrase("{mission} is fulfilled", mission=said)
    what = counted(more, "more group" if mission.kind in ("each", "majorities") else "more patrician")
    return phrase("{mission} needs {what}", mission=said, what=what)


def _quoted(mission: Mission) -> str:
    return phrase("“{text}”", text=mission_words(mission))
