"""Annotations, lines of the set-up and moments in words."""

from __future__ import annotations

from collections.abc import Sequence

from ...notation import tokens as t
from ...notation.cards import PHILOSOPHER, PLAYER_NAMES, SIDE_NAMES, SOME_INFLUENCE, TIE
from ...notation.writer import token_text
from ..diagnostics.names import card_name, counted, group_name, in_figures, join
from ..diagnostics.registry import CODES, fill
from ..engine.shown import Ballot
from ..story.annotations import Annotation
from ..story.moments import ShownMoment
from ..story.timeline import Entry
from ..story.turn_statuses import SET_UP
from .events import describe, mission_words, prevented_words, token_words, vote_name


def annotation_words(note: Annotation) -> str:
    """Return an annotation in words."""
    facts, side = note.facts, note.side
    match note.kind:
        case "irregularity":
            return _irregularity(note)
        case "special":
            ballot = facts["ballot"]
            cards = counted(sum(map(len, ballot.columns)), "card")
            return f"{cards} at {group_name(ballot.group)} call a special vote"
        case "philosopher":
            return _philosopher(facts["ballot"], facts["plain"])
        case "tie":
            return _tie(facts["ballot"])
        case "emptied":
            return f"the last patrician of {group_name(facts['ballot'].group)} is won"
    assert side is not None
    people, player = SIDE_NAMES[side], PLAYER_NAMES[side]
    match note.kind:
        case "veto":
            return f"{player}'s veto prevents {prevented_words(facts['prevented'])}"
        case "lead":
            rome, egypt = facts["points"]
            return f"{people} takes the lead, {rome}-{egypt}"
        case "settled":
            return f"{people} wins in any case: {SIDE_NAMES[1 - side]} can no longer catch up"
        case "narrow":
            return _narrow(facts["ballot"], side)
        case "decided":
            later = ", which counts once the group is empty" if facts["later"] else ""
            share = f"{facts['won']} of {facts['size']}"
            return f"{people} has the majority of {group_name(facts['group'])}, {share}{later}"
        case "exhausted":
            return f"{player}'s {'influence' if facts['pile'] == SOME_INFLUENCE else 'action'} pile is empty"
        case "mission_certain" | "mission_impossible":
            prospect = note.kind.partition("_")[2]
            return f"{player}'s mission, {mission_words(facts['mission'])}, is {prospect} now"
        case other:
            raise ValueError(f"{other} is no kind of annotation")


def _irregularity(note: Annotation) -> str:
    facts = note.facts
    if "points" in facts:
        return f"{PLAYER_NAMES[note.side or 0]} loses {in_figures(facts['points'], 'point')} by the arbiter's ruling"
    if "taken_back" in facts:
        codes = f" ({', '.join(facts['taken_back'])})" if facts["taken_back"] else ""
        return f"the turn is taken back{codes}"
    code, agreed = CODES[facts["code"]], facts["agreed"]
    text = fill(code.message, facts["finding"].texts) if facts["finding"] else code.title
    ruled = "; the arbiter lets it stand" if facts["ruled"] else f"; agreed: {agreed}" if agreed else ""
    return f"{text} ({code.code}){ruled}"


def _philosopher(ballot: Ballot, plain: int) -> str:
    counts = [cards.count(PHILOSOPHER) for cards in ballot.columns]
    names = zip(SIDE_NAMES, counts, strict=True)
    there = [f"{name}'s philosopher{'s' * (count > 1)}" for name, count in names if count]
    instead = "it would have been a tie" if plain == TIE else f"{SIDE_NAMES[plain]} would have won"
    verb = "turns" if sum(counts) == 1 else "turn"
    return f"{join(there)} {verb} the vote at {group_name(ballot.group)}: {instead} otherwise"


def _tie(ballot: Ballot) -> str:
    where, (rome, egypt) = group_name(ballot.group), ballot.rightful.sums
    why = " according to the record" * (not ballot.by_rules)
    return f"a tie at {where}{why}, {rome} to {egypt}: the cards stay" if any(ballot.columns) else f"no card at {where}"


def _narrow(ballot: Ballot, winner: int) -> str:
    own, other = ballot.rightful.sums[winner], ballot.rightful.sums[1 - winner]
    how = "by one point" if own > other else "with one point fewer"
    return f"{SIDE_NAMES[winner]} wins the vote at {group_name(ballot.group)} {how}, {own} to {other}"


def entry_words(entry: Entry) -> str:
    """Return a line of the set-up in words; empty for turns, whose events have the words."""
    if entry.status != SET_UP or entry.state is None:
        return ""
    placed = [token for token in entry.tokens if isinstance(token, t.Place) and token.hidden]
    others = [token for token in entry.tokens if token not in placed]
    said = [f"places face down {_laid_cards(placed)}"] if placed else []
    return "; ".join(said + [token_words(token, entry.side, entry.state.edition) for token in others])


def _laid_cards(placed: Sequence[t.Place]) -> str:
    """Return which cards lie where; for unseen cards, only where they lie."""
    if all(token.card == SOME_INFLUENCE for token in placed):
        return f"a card at {join([group_name(token.group) for token in placed])}"
    return join([f"{card_name(token.card)} at {group_name(token.group)}" for token in placed])


def moment_name(moment: ShownMoment) -> str:
    """Return which moment it is: ``7E, after 5Q``."""
    if (seen := moment.seen()) is None:
        return _turn(moment)
    turn, token = seen
    return f"{turn.label}, {'at' if moment.turned_up else 'after'} {token_text(token)}"


def moment_told(moment: ShownMoment) -> str:
    """Return the moment for people who don't read the notation: ``7E, after Cleopatra draws a 2 and a 1``."""
    if (seen := moment.seen()) is None:
        return _turn(moment)
    turn, token = seen
    if moment.scene:
        vote = vote_name(moment.scene.ballot)
        return f"{turn.label}, {vote}" if moment.turned_up else f"{turn.label}, after the {vote}"
    said = describe(token, turn.side, moment.step.state.edition, turn.is_vetoed(moment.step.at))
    return f"{turn.label}, after {said.who or PLAYER_NAMES[turn.side]} {said.action}"


def _turn(moment: ShownMoment) -> str:
    return "the set-up" if moment.step.turn is None else f"after {moment.step.turn.label}"
