"""The list of what may come next, without the words that would be refused."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import high_to_low
from ..knowledge.verdict import explained_columns, is_explained
from ..rules.moves.legal import Move
from .draft import Draft
from .entry import put
from .menu import Choice
from .offers import is_blurred
from .recorder import Recorder

Columns = tuple[set[t.Cards], set[t.Cards]]


class Chooser:
    """Lists what a recorder can enter next.

    A word can be legal as the cards lie and still be impossible: of cards that nobody saw it would take more than there
    are. Entering it would be refused (C913), so it is judged likewise before it is offered. That takes a millisecond,
    and so only what is shown is judged; what can be turned up at a group is found out for all words together.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._draft: Draft | None = None
        self._known: dict[str, bool] = {}
        """What was judged already of the moment that the draft is in."""
        self._columns: dict[int, Columns | None] = {}
        """What can lie at groups then."""

    def choices(self, typed: str = "") -> list[Choice]:
        """Return the lines of the list for what has been typed."""
        draft = self.recorder.draft
        if draft is not self._draft:
            self._draft, self._known, self._columns = draft, {}, {}
        if draft.state is None or not is_blurred(draft.state):
            return draft.menu.choices(typed)
        return draft.menu.choices(typed, self._stands)

    def _stands(self, text: str) -> bool:
        if text not in self._known:
            move = self.recorder.draft.menu.words.get(text)
            self._known[text] = move is None or self._is_explained(text, move)
        return self._known[text]

    def _is_explained(self, text: str, move: Move) -> bool:
        draft, token = self.recorder.draft, move.token
        assert draft.state is not None
        match token:
            case None | t.ActionOrder():
                return True
            case t.Vote(group=group, rome=rome, egypt=egypt) | t.SpecialVote(group=group, rome=rome, egypt=egypt):
                columns = self._columns_at(group)
                return columns is None or rome is None or (rome in columns[0] and egypt in columns[1])
            case t.Scout(group=group, seen=seen) if seen is not None:
                other = 1 - draft.state.active
                columns = self._columns_at(group)
                return columns is None or high_to_low((*seen, *draft.state.sides[other].up[group])) in columns[other]
            case t.Discard() if text[:-1] in draft.menu and not self._stands(text[:-1]):
                return False  # who can't give away a card can't give it away with another one
            case _:
                return is_explained(put(self.recorder.without_given(token), token), draft.frame)

    def _columns_at(self, group: int) -> Columns | None:
        if group not in self._columns:
            draft = self.recorder.draft
            self._columns[group] = explained_columns(draft.record, draft.frame, group)
        return self._columns[group]
