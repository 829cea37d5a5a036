"""What happened in as few words as possible: for rows and lines that hold a whole turn, and for a game in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import CARD_LETTERS, SOME_INFLUENCE, TIE, is_known
from ...notation.language import CARDS, GROUPS, SIDES, clauses, phrase, plural, sense
from ..diagnostics.names import counted
from ..editions.edition import Edition
from ..engine.shown import Ballot
from ..knowledge.table_view import FACE_DOWN
from ..story.timeline import Timeline
from .events import outcome_name, outcome_words, token_words
from .notes import annotation_words


class BriefVote(NamedTuple):
    """``vote Aediles 6:1``, who wins it, and how; nothing about a vote that the higher sum wins by the rules."""

    vote: str
    winner: str
    how: str


def brief_vote(ballot: Ballot) -> BriefVote:
    """Return a vote in a few words."""
    winner, (rome, egypt) = ballot.outcome.winner, ballot.correct_outcome.sums
    fields = {"group": GROUPS[ballot.group], "rome": rome, "egypt": egypt}
    vote = phrase("vote {group.bare} {rome}:{egypt}", **fields)
    if ballot.special:
        vote = phrase("special vote {group.bare} {rome}:{egypt}", **fields)
    how = phrase("the lower sum") if ballot.outcome.lower_wins and winner != TIE else ""
    name = phrase("nobody") if winner == TIE else SIDES[winner].name
    return BriefVote(vote, name, how if ballot.by_rules else phrase("according to the record"))


def ballot_line(ballot: Ballot) -> str:
    """Return ``Aediles, Rome wins by a philosopher``."""
    winner, group = ballot.outcome.winner, GROUPS[ballot.group]
    if winner == TIE:
        return phrase("{group.bare}, nobody wins", group=group)
    if ballot.outcome.lower_wins:
        return phrase("{group.bare}, {side.name} wins by a philosopher", group=group, side=SIDES[winner])
    return phrase("{group.bare}, {side_wins}", group=group, side_wins=outcome_words(winner))


def brief_token(token: t.Token, side: int, edition: Edition) -> str:
    """Return in as few words as possible a token that is not a vote."""
    if isinstance(token, t.Action):
        return _action(token, side, edition)
    match token:
        case t.Place():
            return phrase("{card} {group.bare}", card=_card(token.card, hidden=token.hidden), group=GROUPS[token.group])
        case t.Draw():
            return phrase("draws {cards}", cards=_names(token.cards))
        case t.Veto():
            return phrase("vetoed")
        case t.NoVote():
            return phrase("no vote, all go back") if token.reset else phrase("no vote")
        case t.PutAway():
            return phrase("{group.bare}, all won", group=GROUPS[token.group])
        case t.Discard():
            return phrase("exchanges {cards}", cards=_names(token.cards)) if token.cards else phrase("no exchange")
        case _:
            return token_words(token, side, edition)


def _action(token: t.Action, side: int, edition: Edition) -> str:
    match token:
        case t.Assassinate():
            card = _card(SOME_INFLUENCE if token.card is None else token.card, hidden=token.hidden)
            return phrase("assassinates {card} {group.bare}", card=card, group=GROUPS[token.group])
        case t.Scout():
            scouts = phrase("scouts {group.bare}", group=GROUPS[token.group])
            return phrase("{scouts}: {cards}", scouts=scouts, cards=_names(token.seen)) if token.seen else scouts
        case t.Wrath():
            return phrase("wrath of the gods: {group.bare}", group=GROUPS[token.group])
        case t.Castle():
            return phrase(
                "castles {first.bare} and {second.bare}", first=GROUPS[token.first], second=GROUPS[token.second]
            )
        case t.Spy():
            return phrase("spies") if token.card is None else phrase("spies: {card} goes", card=_names((token.card,)))
        case _:
            return token_words(token, side, edition)


def _card(card: int, *, hidden: bool) -> str:
    """Return ``3``, ``(3)`` face down, ``(?)`` for an unknown card; a philosopher is ``p``, as in the notation."""
    if not is_known(card):
        return FACE_DOWN
    return f"({CARD_LETTERS[card]})" if hidden else CARD_LETTERS[card]


def _names(cards: t.Cards) -> str:
    """Return ``4, 1, scout``; for unknown cards, how many from which pile: ``2 influence``."""
    unknown = Counter([card for card in cards if not is_known(card)])
    names = [CARDS[card].bare for card in cards if is_known(card)]
    names += [
        plural("{count} influence", "{count} influence", count)
        if pile == SOME_INFLUENCE
        else plural("{count} action", "{count} action", count)
        for pile, count in unknown.items()
    ]
    return ", ".join(names) or sense("cards", "nothing")


def synopsis(timeline: Timeline) -> Iterator[str]:
    """Yield how often the lead changed, and when; then who won the votes, a sentence for each group."""
    notes = [(entry.label, annotation) for entry in timeline.entries for annotation in entry.annotations]
    leads = [
        phrase("in {turn} {lead}", turn=label, lead=annotation_words(note))
        for label, note in notes
        if note.kind == "lead"
    ]
    times = counted(len(leads), "time")
    changes = phrase("The lead changes {times}: {leads}.", times=times, leads=clauses(leads))
    yield changes if leads else phrase("The lead never changes sides.")
    ballots = [(entry.label, event.ballot) for entry in timeline.entries for event in entry.events if event.ballot]
    for group in timeline.edition.groups:
        votes = [_vote(label, held) for label, held in ballots if held.group == group]
        if votes:
            yield phrase("{group.bare}: {votes}.", group=GROUPS[group], votes=", ".join(votes))


def _vote(turn: str, held: Ballot) -> str:
    fields = {"turn": turn, "winner": outcome_name(held.outcome.winner)}
    return phrase("{turn} {winner} (special vote)", **fields) if held.special else phrase("{turn} {winner}", **fields)
