"""The list of what may come next, without the words that would be refused."""

from __future__ import annotations

from functools import cache, partial

from ...notation import tokens as t
from ...notation.cards import high_to_low
from ..hidden_cards.verdict import explained_columns, is_explained
from .draft import Draft
from .editing import put
from .menu import MenuLine
from .offers import is_blurred
from .recorder import Recorder


class Chooser:
    """Lists what a recorder can enter next.

    A word can be legal as the cards lie and still be impossible: of cards that nobody saw it would take more than there
    are. Entering it would be refused (C913), so it is judged likewise before it is offered. That takes a millisecond,
    and so only what is shown is judged; what can be turned up at a group is found out for all words together.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._draft: Draft | None = None

    def choices(self, typed: str = "") -> list[MenuLine]:
        """Return the lines of the list for what has been typed."""
        draft = self.recorder.draft
        if draft is not self._draft:
            # What holds as long as the draft stays: which words stand, and what can lie at groups.
            self._draft = draft
            self._stands = cache(self._is_explained)
            self._columns = cache(partial(explained_columns, draft.record, draft.frame))
        if draft.state is None or not is_blurred(draft.state):
            return draft.menu.choices(typed)
        return draft.menu.choices(typed, self._stands)

    def _is_explained(self, text: str) -> bool:
        draft = self.recorder.draft
        move = draft.menu.words.get(text)
        assert draft.state is not None
        match token := move and move.token:
            case None | t.ActionOrder():
                return True
            case t.Vote(group=group, rome=rome, egypt=egypt) | t.SpecialVote(group=group, rome=rome, egypt=egypt):
                columns = self._columns(group)
                return columns is None or rome is None or (rome in columns[0] and egypt in columns[1])
            case t.Scout(group=group, seen=seen) if seen is not None:
                other = 1 - draft.state.active
                columns = self._columns(group)
                return columns is None or high_to_low((*seen, *draft.state.sides[other].up[group])) in columns[other]
            case t.Discard() if text[:-1] in draft.menu and not self._stands(text[:-1]):
                return False  # who can't give away a card can't give it away with another one
            case _:
                return is_explained(put(self.recorder.without_given(token), token), draft.frame)
