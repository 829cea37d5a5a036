"""A judged game in words, for a terminal, and as its own record with glyphs and comments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from ...notation.basics import GROUPS, PLAYER_NAMES, TIE, visible
from ...notation.language import ENGLISH, Messages, clauses, figure, labelled, phrase, speaking
from ...notation.language import PLAYERS as PEOPLE
from ...notation.records import Comment, Record, Turn, as_game, unsigned
from ...notation.records import tokens as t
from ...replay.diagnostics.api import counted, group_name
from ...replay.engine.api import PLAYERS, Step, final_score, outcome, read_headers, replay_game, run_record
from ...replay.engine.api import summary as summed_up
from ...replay.knowledge.api import cards_of, left_of, name_of, view_table
from ...replay.rules.core import MISSION, ON_VETO
from ...replay.words.api import in_points, percent, reason_words, signed
from .account import BUSTS, DRAWS, ENDS, EVALUATOR, MOVES, OPPONENT, PILES, PLAY, REVEALS, VOTES
from .analysis import (
    FEW_DECISIONS,
    OPEN,
    Luck,
    LuckLedger,
    Report,
    SideReport,
    agreement,
    chance_before,
    comparison,
    judged_sides,
    luck,
    lucky,
    mistakes,
    strength,
    told_sides,
    unjudged,
)
from .judgement import MARKS, PRAISE, Judged
from .options import DECISION_WORDS

CAUSES: Final[Messages] = {
    PLAY: "own play: what all decisions that were not the best cost, large and small",
    DRAWS: "own draws: better or worse cards than the average of the pile",
    BUSTS: "busts and vote cards: better or worse ones than the average of those that could have come",
    REVEALS: "hidden cards: better or worse cards, or missions, than expected",
    OPPONENT: "the opponent's turns: what the other side did and drew",
    EVALUATOR: "not explained: the engine gave the same situation two different values",
}
"""The columns of the ledger in words."""
SITE_WORDS: Final[Messages] = {
    MOVES: "at later moves of a turn",
    VOTES: "before votes",
    PILES: "before draws",
    ENDS: "at the ends of turns",
}
"""Where the net does so, in words."""
ALIKE: Final = 0.02
"""A move that wins at most this much less than the best counts as equally good."""
LUCK_WORDS: Final[Messages] = {DRAWS: "cards drawn", BUSTS: "what was revealed"}


def text(report: Report, most: int = 3, marks: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of a report: for each side a summary, the ledger, the largest mistakes and pieces of luck.

    At most ``most`` of these are listed; with ``marks``, all decisions that have one of these marks.
    """
    head = [*filter(None, (ending(report), " ".join(lead(report))))]
    yield from (*head, "") if head else ()
    for side, log in told_sides(report):
        yield from _side(side, log, most, marks, report.level)
        yield ""
    yield from unjudged(report)
    yield phrase(
        "{report.rules} rules, net {report.net}, level {report.level}, seed {report.seed}. "
        "W is the chance of winning, from what the player could know, if both sides went on playing like the engine. "
        "?! means a loss of at least 5 points of W, ? of 10, ?? of 15. docs/insight.md explains how this is measured.",
        report=report,
    )


def deception() -> str:
    """Return what is said where two moves differ only in what they hide."""
    return phrase(
        "a matter of deception: the moves differ only in which cards lie face down, and the engine can't be bluffed as "
        "people can"
    )


def lead(report: Report) -> list[str]:
    """Return who was luckier and who played better, and how far to trust that; nothing if no side is judged."""
    found = comparison(report)
    if found is None:
        alone = [side for side, _ in judged_sides(report)]
        numbers = [(PEOPLE[one.side], signed(lucky(one.ledger)), round(-100 * one.ledger[PLAY])) for one in alone]
        return [phrase(_LEADS["alone"], player=player, luck=luck, lost=lost) for player, luck, lost in numbers]
    names = (*PEOPLE, None)
    said = _LEADS[found.luckier != TIE, found.better != TIE, found.luckier == found.better][bool(found.doubt)]
    said = phrase(said, luckier=names[found.luckier], better=names[found.better])
    if not found.doubt:
        return [said]
    side, _ = max(judged_sides(report), key=lambda pair: abs(pair[0].ledger[EVALUATOR]))
    return [said, phrase(_LEADS["doubt"], points=round(100 * found.doubt), player=PEOPLE[side.side])]


_LEADS: Final[Messages] = {
    (False, False, True): ("Neither side was luckier, and neither played better, by much.",) * 2,
    (True, True, True): (
        "{luckier.name} was luckier and played better.",
        "{luckier.name} seems to have been luckier and to have played better.",
    ),
    (True, True, False): (
        "{luckier.name} was luckier, but {better.name} played better.",
        "{luckier.name} seems to have been luckier, but {better.name} to have played better.",
    ),
    (True, False, False): (
        "{luckier.name} was luckier; both played about equally well.",
        "{luckier.name} seems to have been luckier; both played about equally well.",
    ),
    (False, True, False): (
        "{better.name} played better; neither was much luckier.",
        "{better.name} seems to have played better; neither was much luckier.",
    ),
    "alone": "Luck brought {player.name} {luck} points of W, the chance of winning; their own decisions cost {lost}.",
    "doubt": "{points} of {player.of} points are not explained.",
}
"""Is one side luckier, did one play better, and is it the same one → what to say if that is certain, and if not."""


def ending(report: Report) -> str:
    """Return how the game ended; nothing if that is unknown."""
    log = next(filter(None, report.log), None)
    if log is None:
        return ""
    frame = read_headers(log, report.rules)
    run = run_record(log, frame)
    counted = final_score(log, run)
    return summed_up(counted, run, outcome(log, frame, run, counted))


def _side(report: SideReport, log: Record, most: int, marks: tuple[str, ...], level: str) -> Iterator[str]:
    ledger = report.ledger
    fields = {"player": PEOPLE[report.side], "name": visible(log.header(PLAYER_NAMES[report.side]) or "?")}
    fields |= {"start": percent(ledger.start), "end": percent(ledger.end)}
    head = phrase("{player.name} ({name}): chance of winning (W) from {start} to {end}", **fields)
    yield head if ledger.complete else phrase("{course}, where the record ends", course=head)
    for sentence in summary(report, log):
        yield f"  {sentence}"
    yield f"  {phrase('what moved it, in points of W:')}"
    for cause, part in zip(CAUSES, ledger.points, strict=True):
        yield f"    {signed(part / 100):>6}  {phrase(CAUSES[cause])}"
    sites = zip(SITE_WORDS.values(), ledger.unexplained, strict=False)
    where = ", ".join(f"{signed(part)} {phrase(words)}" for words, part in sites if signed(part) != "0")
    if where:
        yield f"            {phrase('of this, {where}', where=where)}"
    if note := balance(ledger):
        yield f"    {note}"
    yield from _decisions(report, log, most, marks, level)
    yield from praised(report, log)
    for event in luck(report.curve, most):
        lucky = phrase("good luck") if event.change > 0 else phrase("bad luck")
        told = labelled(luck_words(event, log), f"{signed(event.change)}{contrast_words(event)}")
        yield f"  {labelled(log.turns[event.turn].label, f'{lucky}, {told}')}"


def balance(ledger: LuckLedger) -> str:
    """Return why a part is larger than the change as a whole; nothing if none is."""
    change = ledger.end - ledger.start
    if max(map(abs, ledger.parts), default=0) <= abs(change):
        return ""
    return phrase(
        "together {change}: a part can be larger, since each is summed over all turns and the parts cancel each other "
        "out",
        change=signed(change),
    )


def _decisions(report: SideReport, log: Record, most: int, marks: tuple[str, ...], level: str) -> Iterator[str]:
    """Yield the lines of the decisions that cost most, or of those with certain ``marks``."""
    head = phrase("the decisions marked {marks}", marks=", ".join(marks)) if marks else phrase("what cost most")
    chosen = [each for each in report.decisions if each.mark in marks] if marks else mistakes(report.decisions, most)
    if chosen:
        yield f"  {head}:"
    steps = replay_game(as_game(log)).steps if chosen else ()
    for each in chosen:
        yield from decision(each, log, chance_before(report.curve, each))
        yield from situation(each, log, report.side, steps)
    if level == "quick":
        yield f"  {phrase('at this level nothing is marked: the net alone is a few points off')}"
    elif not chosen:
        yield f"  {phrase('no decision is certain to have cost anything')}"


def summary(report: SideReport, log: Record) -> Iterator[str]:
    """Yield what can be said about a side besides its ledger."""
    lost, number = strength(report.decisions)
    fields = {"lost": figure(100 * lost, ".1f"), "decisions": counted(number, "decision")}
    fields |= {"low": percent(OPEN[0]), "high": percent(OPEN[1])}
    said = phrase("{lost} points of W lost per decision, {decisions} with W from {low} to {high}", **fields)
    few = phrase("too few to judge how strong the player is")
    yield said if number >= FEW_DECISIONS else clauses((said, few))
    as_engine, number = agreement(report.decisions)
    if as_engine is not None:
        made = {"share": percent(as_engine), "decisions": counted(number, "decision")}
        yield phrase("{share} of {decisions} as the engine would have decided", **made)
    even = next((point for point in reversed(report.curve[:-1]) if point.win >= 0.5), None)
    if report.ledger.complete and report.ledger.end < 0.5 and even is not None and even.turn > 1:
        yield phrase("the last moment with an even chance: {turn}", turn=log.turns[even.turn].label)


def luck_words(event: Luck, log: Record) -> str:
    """Return what kind of luck it was, and where it happened."""
    tokens = log.turns[event.turn].tokens
    token = tokens[event.at] if 0 <= event.at < len(tokens) else None
    match token:
        case t.Vote() | t.SpecialVote() | t.PutAway():
            place = group_name(token.group)
        case t.NoVote():
            place = phrase("no vote")
        case _:
            place = ""
    cause = phrase(LUCK_WORDS[event.cause])
    return phrase("{cause}, {place}", cause=cause, place=place) if place else cause


def contrast_words(event: Luck) -> str:
    """Return the alternative that would have made the largest difference, and what it would have changed."""
    if not event.others:
        return ""
    came, change = (min if event.change > 0 else max)(event.others, key=itemgetter(1))
    place = group_name(GROUPS[came]) if came in GROUPS else phrase("no vote")
    return f", {phrase('{place} would have been {change}', place=place, change=signed(change))}"


def decision(judged: Judged, log: Record, chance: float) -> Iterator[str]:
    """Yield the lines of a decision: what was played, what would have been better, what it cost, and why.

    ``chance`` is W before it.
    """
    label = log.turns[judged.turn].label
    # After playing on, a position is worth a little more or less than the net alone says: only one of the two is shown.
    told = phrase("cost {cost}", cost=cost(judged))
    if not judged.moves:
        told = phrase("cost {cost}; W was {chance}", cost=cost(judged), chance=percent(chance))
    yield f"    {label} {deed(judged)} {judged.mark}  {told}"
    better = judged.words if judged.best == "/" else labelled(better_text(judged), judged.words)
    yield f"       {phrase('better {move}', move=better)}"
    if judged.hiding:
        yield f"       {deception()}"
    yield from _why(judged)


def _why(judged: Judged) -> Iterator[str]:
    """Yield the lines of the reasons, and of the moves that were compared."""
    yield from (f"       {reason_words(reason)}" for reason in judged.reasons)
    if judged.moves:
        nothing = phrase("no veto") if judged.kind == DECISION_WORDS[ON_VETO] else phrase("nothing more")
        moves = [(nothing if each.text == "/" else f"{each.text} {each.then}".rstrip(), each) for each in judged.moves]
        told = ", ".join(f"{move} {percent(each.win)}" for move, each in moves)
        others = [each for each in judged.moves if each.text not in (judged.best, judged.played)]
        alike = [each.text for each in others if judged.before - each.win < ALIKE]
        if alike:
            yield f"       {phrase('about as good: {moves}', moves=', '.join(alike))}"
        error = f"{max(196 * each.error for each in judged.moves):.0f}"
        yield f"       {phrase('W with {moves}, each ± {error}', moves=told, error=error)}"


def situation(judged: Judged, log: Record, side: int, steps: Sequence[Step]) -> Iterator[str]:
    """Yield the lines of the table at a decision, as its player saw it: their own cards first, at the groups with
    patricians left.
    """
    label, before = log.turns[judged.turn].label, steps[0].state
    for step in steps:
        if step.turn is not None and step.turn.label == label and step.at >= judged.at:
            break
        before = step.state
    seen = view_table(before, PLAYERS[side])
    for group in seen.groups:
        if group.left:
            own, other = cards_of(group, side), cards_of(group, 1 - side)
            cards = phrase("{own} against {other}", own=own, other=other.replace("–", phrase("none")))
            yield f"       {name_of(group):<12} {left_of(group):<5} {cards}"
    yield f"       {phrase('in hand {cards}', cards=' '.join(seen.sides[side].hand) or phrase('nothing'))}"


def praised(report: SideReport, log: Record) -> Iterator[str]:
    """Yield the lines about decisions where the only good move was found."""
    found = [each for each in report.decisions if each.mark == PRAISE]
    if found:
        yield f"  {phrase('the only good move, found:')}"
    for each in found:
        label, by = log.turns[each.turn].label, {"points": f"{100 * each.lead:.0f}", "error": f"{196 * each.error:.0f}"}
        ahead = phrase("{points} ± {error} points ahead of the second best", **by)
        yield f"    {label} {deed(each)} {each.mark}  {ahead}"
        yield from _why(each)


def better_text(judged: Judged) -> str:
    """Return the best move and what follows it in the same turn, in the notation."""
    return f"{judged.best} {judged.then}".rstrip()


def cost(judged: Judged) -> str:
    """Return what a decision cost: ``7 ± 2 points``, or, from the net alone, ``about 7 points``."""
    count = points(judged.loss)
    if not judged.level:
        return phrase("about {points}", points=counted(count, "point"))
    return phrase("{points} ± {error} points", points=count, error=f"{196 * judged.error:.0f}")


def points(loss: float) -> int:
    """Return a loss in whole points, 0 for a gain."""
    return max(0, in_points(loss))


def deed(judged: Judged) -> str:
    """Return the move that was made, in the notation, or in words where the notation says too little."""
    is_bare = judged.played in ("/", "-") or judged.kind == DECISION_WORDS[MISSION]
    return judged.played_words if is_bare else judged.played


_ORDER: Final = (*(mark for mark, *_ in MARKS), PRAISE)


@speaking(ENGLISH)
def annotated(record: Record, report: Report) -> Record:
    """Return a record with the findings of its report, in English: a comment line on each marked decision, and the
    worst mark as a glyph.

    A glyph that is already there stays the only one. The copy does not count as signed.
    """
    marked: dict[tuple[int, str], list[Judged]] = defaultdict(list)
    for side, log in judged_sides(report):
        for each in side.decisions:
            if each.mark:
                marked[side.side, log.turns[each.turn].label].append(each)
    turns = tuple(_annotated(turn, marked) for turn in record.turns)
    return replace(record, headers=unsigned(record.headers), turns=turns)


def _annotated(turn: Turn, marked: dict[tuple[int, str], list[Judged]]) -> Turn:
    own = marked.get((turn.side, turn.label), [])
    found = [*own, *marked.get((1 - turn.side, turn.label), ())]
    if not found:
        return turn
    glyphs = [each.mark for each in own]
    marks = turn.marks
    if glyphs and all(mark.startswith("@") for mark in marks):
        marks = (*marks, min(glyphs, key=_ORDER.index))
    told = [Comment(_told(each, "" if each in own else f"{PLAYER_NAMES[1 - turn.side]}: ")) for each in found]
    return replace(turn, marks=marks, after=(*told, *turn.after))


def _told(judged: Judged, player: str) -> str:
    """Return a decision as a comment; ``player`` names the player of a decision in the other side's turn."""
    told = f"{player}{deed(judged)} {judged.mark}"
    if judged.mark == PRAISE:
        told += f" the only good move, {points(judged.lead)} points ahead of the second best"
    else:
        told += f" cost {points(judged.loss)} points; better: {judged.words} ({better_text(judged)})"
    return "; ".join((told, *map(reason_words, judged.reasons[:1])))
