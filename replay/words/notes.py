"""Annotations, lines of the set-up and moments in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...notation import tokens as t
from ...notation.cards import PHILOSOPHER, SOME_INFLUENCE, TIE
from ...notation.language import CARDS, GROUPS, PLAYERS, SIDES, Messages, clauses, phrase, plural
from ...notation.writer import token_text
from ..diagnostics.names import counted, join
from ..diagnostics.registry import CODES, fill
from ..engine.shown import Ballot
from ..story.annotations import Annotation
from ..story.moments import ShownMoment
from ..story.timeline import Entry
from ..story.turn_statuses import SET_UP
from .events import describe, mission_words, prevented_words, token_words, vote_name

_SAID: Final[Messages] = {
    "settled": "{side.name} wins in any case: {other.name} can no longer catch up",
    "tie": "a tie at {group.the}, {rome} to {egypt}: the cards stay",
    "written_tie": "a tie at {group.the} according to the record, {rome} to {egypt}: the cards stay",
    "narrow": "{side.name} wins the vote at {group.the} by one point, {own} to {other}",
    "fewer": "{side.name} wins the vote at {group.the} with one point fewer, {own} to {other}",
}


def annotation_words(note: Annotation) -> str:
    """Return an annotation in words."""
    facts, side = note.facts, note.side
    match note.kind:
        case "irregularity":
            return _irregularity(note)
        case "special":
            ballot = facts["ballot"]
            cards = counted(sum(map(len, ballot.columns)), "card")
            return phrase("{cards} at {group.the} call a special vote", cards=cards, group=GROUPS[ballot.group])
        case "philosopher":
            return _philosopher(facts["ballot"], facts["plain"])
        case "tie":
            return _tie(facts["ballot"])
        case "emptied":
            return phrase("the last patrician of {group.the} is won", group=GROUPS[facts["ballot"].group])
    assert side is not None
    people, player = SIDES[side], PLAYERS[side]
    match note.kind:
        case "veto":
            what = prevented_words(facts["prevented"])
            return phrase("{player.of} veto prevents {action}", player=player, action=what)
        case "lead":
            rome, egypt = facts["points"]
            return phrase("{side.name} takes the lead, {rome}-{egypt}", side=people, rome=rome, egypt=egypt)
        case "settled":
            return phrase(_SAID["settled"], side=people, other=SIDES[1 - side])
        case "narrow":
            return _narrow(facts["ballot"], side)
        case "decided":
            said = {"side": people, "group": GROUPS[facts["group"]], "won": facts["won"], "size": facts["size"]}
            majority = phrase("{side.name} has the majority of {group.the}, {won} of {size}", **said)
            if facts["later"]:
                return phrase("{majority}, which counts once the group is empty", majority=majority)
            return majority
        case "exhausted":
            if facts["pile"] == SOME_INFLUENCE:
                return phrase("{player.of} influence pile is empty", player=player)
            return phrase("{player.of} action pile is empty", player=player)
        case "mission_certain":
            mission = mission_words(facts["mission"])
            return phrase("{player.of} mission, {mission}, is certain now", player=player, mission=mission)
        case "mission_impossible":
            mission = mission_words(facts["mission"])
            return phrase("{player.of} mission, {mission}, is impossible now", player=player, mission=mission)
        case other:
            raise ValueError(other)


def _irregularity(note: Annotation) -> str:
    facts = note.facts
    if "points" in facts:
        return plural(
            "{player.name} loses {count} point by the arbiter's ruling",
            "{player.name} loses {count} points by the arbiter's ruling",
            facts["points"],
            player=PLAYERS[note.side or 0],
        )
    if "taken_back" in facts:
        codes = ", ".join(facts["taken_back"])
        return phrase("the turn is taken back ({codes})", codes=codes) if codes else phrase("the turn is taken back")
    code, agreed = CODES[facts["code"]], facts["agreed"]
    text = fill(code.message, facts["finding"].texts) if facts["finding"] else phrase(code.title)
    fault = phrase("{fault} ({code})", fault=text, code=code.code)
    if facts["ruled"]:
        return phrase("{fault}; the arbiter lets it stand", fault=fault)
    return phrase("{fault}; agreed: {ruling}", fault=fault, ruling=agreed) if agreed else fault


def _philosopher(ballot: Ballot, plain: int) -> str:
    counts = [cards.count(PHILOSOPHER) for cards in ballot.columns]
    there = [
        phrase("{side.of} philosophers", side=side) if count > 1 else phrase("{side.of} philosopher", side=side)
        for side, count in zip(SIDES, counts, strict=True)
        if count
    ]
    instead = (
        phrase("it would have been a tie") if plain == TIE else phrase("{side.name} would have won", side=SIDES[plain])
    )
    fields = {"philosophers": join(there), "group": GROUPS[ballot.group], "otherwise": instead}
    if sum(counts) == 1:
        return phrase("{philosophers} turns the vote at {group.the}: {otherwise} otherwise", **fields)
    return phrase("{philosophers} turn the vote at {group.the}: {otherwise} otherwise", **fields)


def _tie(ballot: Ballot) -> str:
    group, (rome, egypt) = GROUPS[ballot.group], ballot.correct_outcome.sums
    if not any(ballot.columns):
        return phrase("no card at {group.the}", group=group)
    return phrase(_SAID["tie" if ballot.by_rules else "written_tie"], group=group, rome=rome, egypt=egypt)


def _narrow(ballot: Ballot, winner: int) -> str:
    own, other = ballot.correct_outcome.sums[winner], ballot.correct_outcome.sums[1 - winner]
    said = _SAID["fewer" if own < other else "narrow"]
    return phrase(said, side=SIDES[winner], group=GROUPS[ballot.group], own=own, other=other)


def entry_words(entry: Entry) -> str:
    """Return a line of the set-up in words; empty for turns, whose events have the words."""
    if entry.status != SET_UP or entry.state is None:
        return ""
    placed = [token for token in entry.tokens if isinstance(token, t.Place) and token.hidden]
    others = [token for token in entry.tokens if token not in placed]
    said = [phrase("places face down {cards}", cards=_laid_cards(placed))] if placed else []
    return clauses(said + [token_words(token, entry.side, entry.state.edition) for token in others])


def _laid_cards(placed: Sequence[t.Place]) -> str:
    """Return which cards lie where; for unseen cards, only where they lie."""
    if all(token.card == SOME_INFLUENCE for token in placed):
        return phrase("a card at {groups}", groups=join([GROUPS[token.group].the for token in placed]))
    return join([phrase("{card.a} at {group.the}", card=CARDS[each.card], group=GROUPS[each.group]) for each in placed])


def moment_name(moment: ShownMoment) -> str:
    """Return which moment it is: ``7E, after 5Q``."""
    if (seen := moment.seen()) is None:
        return _turn(moment)
    turn, token = seen
    word = token_text(token)
    if moment.turned_up:
        return phrase("{turn}, at {token}", turn=turn.label, token=word)
    return phrase("{turn}, after {token}", turn=turn.label, token=word)


def moment_told(moment: ShownMoment) -> str:
    """Return the moment for people who don't read the notation: ``7E, after Cleopatra draws a 2 and a 1``."""
    if (seen := moment.seen()) is None:
        return _turn(moment)
    turn, token = seen
    if moment.scene:
        vote = vote_name(moment.scene.ballot)
        if moment.turned_up:
            return phrase("{turn}, {vote}", turn=turn.label, vote=vote)
        return phrase("{turn}, after the {vote}", turn=turn.label, vote=vote)
    said = describe(token, turn.side, moment.step.state.edition, turn.is_vetoed(moment.step.at))
    event = phrase("{player} {action}", player=said.who or PLAYERS[turn.side].name, action=said.action)
    return phrase("{turn}, after {event}", turn=turn.label, event=event)


def _turn(moment: ShownMoment) -> str:
    turn = moment.step.turn
    return phrase("the set-up") if turn is None else phrase("after {turn}", turn=turn.label)
