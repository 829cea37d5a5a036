"""Whether what has been typed so far can become a word that is accepted, although no line of the list begins so."""

from __future__ import annotations

from collections import Counter

from .acceptance import with_due
from .recorder import Recorder


def may_begin(recorder: Recorder, typed: str) -> bool:
    """Return whether what was typed is a word that is accepted, or may become one.

    The list has cards in one order, and of a draw one by one; they can be typed in any order, and several in a word.
    Of words of many forms, and before the order of an action pile is complete, it is assumed that they may.
    """
    draft = recorder.draft
    if typed[0] == "@" or '"' in typed or (typed.startswith("a(") and ")" not in typed and "a(" in draft.menu):
        return True
    texts = (*draft.menu.words, *with_due(draft).menu.words, draft.cursor.label)
    if any(text.startswith(typed[0]) and Counter(typed) <= Counter(text) for text in texts):
        return True
    return recorder.elsewhere().enter(typed)
