"""The kinds of annotations. They have a file of their own so that the command line can list them without loading the
engine.
"""

from __future__ import annotations

from typing import Final

from ...notation.language import Messages

ANNOTATION_KINDS: Final[Messages] = {
    "philosopher": "a philosopher changed the outcome of a vote",
    "narrow": "a vote won or lost by one point",
    "tie": "a tie",
    "special": "a special vote",
    "emptied": "a group emptied",
    "decided": "a majority that can no longer be overtaken",
    "lead": "the lead changes sides",
    "veto": "a veto, and what it prevented",
    "exhausted": "a pile exhausted",
    "mission_certain": "a mission that became certain",
    "mission_impossible": "a mission that became impossible",
    "irregularity": "an irregularity, and its ruling",
    "settled": "the winner is settled before the end",
}
"""Kind → its description, in the order in which kinds are listed; :mod:`.annotations` finds them."""
