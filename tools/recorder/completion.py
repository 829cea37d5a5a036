"""Fills in what follows from an entry, and remembers what was filled in, since people may type it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...notation.records import Turn, parse, token_text
from ...notation.records import tokens as t
from ...replay.rules.game.legal import END_MOVE
from ..repair.api import counted_tokens
from .cursor import Cursor, Phase, opening_offers, unseen_lines
from .draft import Draft
from .editing import Item, counted_result, put, with_header, with_result, without


def complete(cursor: Cursor) -> t.Token | None:
    """Return the only thing that can come next if nobody has a choice; None if somebody has.

    In the set-up everything is laid out at once: the last of five cards is no choice.
    """
    if len(cursor.moves) != 1:
        return None
    token = cursor.moves[0].token
    is_choice = token is None or t.KINDS[type(token)].step == t.ACT or isinstance(token, t.ChooseMission)
    is_unknown = isinstance(token, t.Vote | t.SpecialVote) and token.rome is None
    return None if is_unknown or (is_choice and cursor.phase is Phase.PLAY) else token


def with_due(draft: Draft) -> Draft:
    """Return the draft with the special votes that are due, as far as the cards on the table decide them, and with a
    set-up line ended if possible.

    Something else could come before the votes, so they are filled in only once it is clear that nothing does.
    """
    if draft.cursor.phase is Phase.SET_UP and END_MOVE in draft.cursor.moves:
        return Draft(draft.record, closed=True)
    while votes := [token for token in draft.cursor.tokens if isinstance(token, t.SpecialVote)]:
        first, *others = votes
        if first.rome is None or any(vote.group == first.group for vote in others):
            break
        draft = Draft(put(draft, first))
    return draft


def completed(draft: Draft) -> tuple[Draft, list[t.Token]]:
    """Return a draft with everything that rules and cards determine, and the tokens that were filled in, with draws
    joined.
    """
    filled_in: list[t.Token] = []
    while draft.cursor.phase in (Phase.SET_UP, Phase.PLAY) and (token := complete(draft.cursor)):
        draft = Draft(put(draft, token))
        filled_in.append(token)
        match filled_in[-2:]:
            case [t.Draw(cards), t.Draw(more)]:
                filled_in[-2:] = [t.Draw(cards + more)]
    score = draft.verdict.score if draft.is_over else None
    if score and not draft.record.points and (result := counted_result(score)):
        draft = Draft(with_result(draft.record, result), closed=draft.closed)
    return draft, filled_in


def with_rules(draft: Draft) -> Draft:
    """Return a draft that was written by form, now that its game is over, with the set-up lines that its writer could
    not see, and with what the cards on the table determine.

    The rest stays as it was written, legal or not.
    """
    record, frame = draft.record, draft.frame
    if frame.edition is None:
        return draft
    lines = [turn for turn in record.turns if not turn.number]
    for side in {*unseen_lines(frame)} - {turn.side for turn in lines}:
        tokens: tuple[t.Token, ...] = ()
        while (token := opening_offers(frame.edition, side, tokens, frame.view)[0]) is not None:
            tokens += (token,)
        lines.append(Turn(0, side, tokens))
    lines.sort(key=lambda turn: turn.side)
    record = replace(record, turns=(*lines, *[turn for turn in record.turns if turn.number]))
    whole = counted_tokens(record)
    turns = [
        replace(turn, tokens=tuple([whole.get((place, at), token) for at, token in enumerate(turn.tokens)]))
        for place, turn in enumerate(record.turns)
    ]
    # Since the header says so, it stays when the result is counted again.
    record = with_header(record, "Termination", record.header("Termination") or "normal")
    return Draft(replace(record, turns=tuple(turns)), closed=True)


class DraftExtras(NamedTuple):
    """What the text doesn't show: that the last turn was ended although it might go on, and what was filled in there
    (``given``).

    Typing what was filled in adds nothing, as long as nothing else has been played.
    """

    closed: bool = False
    filled_in: tuple[t.Token, ...] = ()

    @classmethod
    def read(cls, text: str) -> DraftExtras:
        """Return the contents of a text; unreadable parts are left out."""
        closed, words = text.startswith("/"), text.removeprefix("/").strip()
        turns = parse(f"1E {words}\n")[-1].record.turns if words else ()
        return cls(closed, turns[0].tokens if turns else ())

    def text(self) -> str:
        """Return it in the form that the journal keeps; an empty text if there is nothing to know."""
        ended = ["/"] if self.closed else []
        return " ".join([*ended, *map(token_text, self.filled_in)])


def remaining_words(filled_in: Sequence[t.Token], item: Item) -> list[t.Token] | None:
    """Return what remains of the words ``given`` once an item has said the first of them; None if it says something
    else.

    For a vote that has been held, it is enough to name the group.
    """
    if not filled_in:
        return None
    first, *others = filled_in
    if isinstance(first, t.Draw) and isinstance(item, t.Draw):
        left = without(first.cards, item.cards)
        if left is None:
            return None
        return [t.Draw(left), *others] if left else others
    return others if item == first or (isinstance(first, t.AnyVote) and item == t.chosen(first)) else None
