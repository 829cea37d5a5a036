"""Any fact of a game in words."""

from __future__ import annotations

from ..story.annotations import Annotation
from ..story.events import Event, VoteScene
from ..story.expectation import Expectation
from ..story.instead import Instead, Margin
from ..story.reasons import Reason
from ..story.timeline import Entry
from ..story.vote_tree import VoteTree
from ..story.what_if import Decision, Possibility
from .events import event_words
from .notes import annotation_words, entry_words
from .odds import win_words
from .reasons import reason_words
from .vote_tree import instead_words, margin_words, option_words, vote_title, vote_words

Fact = Event | Entry | Annotation | Expectation | VoteScene | VoteTree | Instead | Margin | Possibility | Reason


def words(fact: Fact, decision: Decision | None = None) -> str:
    """Return a fact of a game in words.

    A turn has no words of its own, but each of its events has; a tree's words are its title. A possibility needs the
    ``decision`` to which it belongs. Raise TypeError for anything else.

    >>> turn = tironian.timeline(record).entries[2]
    >>> tironian.words(turn.events[0])
    'places a 5 face up at the Consuls'
    """
    match fact:
        case Event():
            return event_words(fact)
        case Entry():
            return entry_words(fact)
        case Annotation():
            return annotation_words(fact)
        case Expectation():
            return win_words(fact)
        case VoteScene():
            said = vote_words(fact)
            return " ".join((*said.first, *said.second))
        case VoteTree():
            return vote_title(fact)
        case Instead():
            return instead_words(fact)
        case Margin():
            return margin_words(fact)
        case Reason():
            return reason_words(fact)
        case Possibility():
            if decision is None:
                raise TypeError("a possibility needs its decision: words(possibility, decision)")
            return option_words(decision, fact)
        case _:
            raise TypeError("this is not a fact of a game, such as an event of a timeline")
