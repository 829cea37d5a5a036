"""The answers to the four questions about a vote, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import PHILOSOPHER, TIE
from ...notation.language import GROUPS, PLAYERS, SIDES, Messages, figure, phrase
from ..diagnostics.names import capital, counted, join, named
from ..knowledge.redaction import VIEWER_NAMES
from ..story.answers import Luck, Needed, Turnaround, luck, needed, surprises, turnarounds
from ..story.events import ahead
from ..story.vote_tree import VoteTree
from .events import devices, outcome_words, vote_name, would_win
from .odds import in_points, percent, signed
from .vote_tree import first_result, instead_parts, margin_words, result_words, vote_words


class Answer(NamedTuple):
    """A question about a vote, and the sentences that answer it."""

    question: str
    sentences: tuple[str, ...]

    @property
    def words(self) -> str:
        """Return the answer as one text."""
        return " ".join(self.sentences)


def vote_answers(tree: VoteTree) -> tuple[Answer, ...]:
    """Return the answers to the four questions about a vote, in order."""
    return (
        Answer(phrase("Why?"), tuple(_why(tree))),
        Answer(phrase("Could it have gone otherwise?"), tuple(_otherwise(tree))),
        Answer(phrase("How likely was it?"), tuple(_likely(tree))),
        Answer(phrase("Who was lucky?"), tuple(_lucky(tree))),
    )


_MISTAKE: Final = 5
"""In points, what makes a missed move the story of a vote."""
_SAID: Final[Messages] = {
    "missed": "{player.name} missed a better move, worth {points} of the chance of winning the game.",
    "saved": "The draw saved {side.name}: {ways} of {total} {devices} would have given {other.name} a patrician.",
    "more": "Level at {sum}: one point more would have won for either side.",
    "less": "Level at {sum}: one point less would have won for either side.",
    "odds": "By what they knew then, the chance of winning this vote was {odds} with it, {played} as played.",
    "lucky": "{player.name}, by the draw: it put them {gain} patricians further ahead than the average.",
    "probably": "Probably {player.name}: the draw put them {gain} patricians further ahead than the average.",
    "against": "Hidden cards went against {player.name}, who expected to win with {odds}.",
    "well": "Hidden cards went well for {player.name}, who expected to win with {odds}.",
}


def vote_headline(tree: VoteTree) -> str:
    """Return in one sentence what decided a vote: philosophers, an action, one point, hidden cards or the draw, the
    first of them that did; otherwise whether a player could have changed it.
    """
    winner, found, missing, changes = tree.winner, luck(tree), needed(tree), [*turnarounds(tree)]
    side, loser = SIDES[winner % TIE], SIDES[1 - winner % TIE]
    if not tree.by_rules:
        return phrase("The record and the rules give this vote to different sides.")
    if tree.scene.is_turned:
        rome, egypt = [column.count(PHILOSOPHER) for column in tree.ballot.columns]
        if winner == ahead(rome, egypt):
            return phrase("{side.name} won with the lower sum, thanks to its philosopher.", side=side)
        return phrase("{loser.of} own philosopher turned the vote against it.", loser=loser)
    for change in changes:
        if change.best and (points := in_points(change.best.cost or 0.0)) >= _MISTAKE:
            return phrase(_SAID["missed"], player=PLAYERS[change.side], points=counted(points, "point"))
    if tree.margins:
        action, outcome = margin_words(tree.margins[0]), would_win(tree.margins[0].result)
        return capital(phrase("{action}, {outcome}.", action=action, outcome=outcome))
    if missing and missing.to_tie is not None and abs(missing.to_tie - tree.sums[missing.side]) == 1:
        return phrase("{loser.name} missed a tie by one point.", loser=loser)
    for surprised, odds in surprises(tree):
        fields = {"player": PLAYERS[surprised], "side": SIDES[surprised], "odds": percent(odds)}
        return phrase("Hidden cards decided it: by what {player.name} knew, {side.name} had {odds}.", **fields)
    if found and not found.open and found.side not in (None, TIE):
        fields = {"side": SIDES[found.side], "total": found.total + found.again, "devices": devices(tree.device)}
        if winner == TIE:
            fields |= {"other": SIDES[1 - found.side], "ways": found.wins[1 - found.side]}
            return phrase(_SAID["saved"], **fields)
        fields["ways"] = found.wins[winner]
        return phrase("The draw favoured {side.name}: {ways} of {total} {devices} gave it a patrician.", **fields)
    for change in changes:
        if best := change.best:
            player = PLAYERS[change.side]
            if not best.called or best.winner is None:
                return phrase("{player.name} could have prevented it.", player=player)
            if best.winner == change.side:
                return phrase("{player.name} could have won it.", player=player)
            return phrase("{player.name} could have tied it.", player=player)
    if winner == TIE:
        if missing:
            return phrase(_SAID["less" if missing.lower else "more"], sum=tree.sums[0])
        return phrase("Nobody wins anything.")
    if changes[0].seen:
        return phrase("{player.name} could do no better.", player=PLAYERS[1 - winner])
    return phrase(
        "{side.name} was ahead by {points}.", side=side, points=counted(abs(tree.sums[0] - tree.sums[1]), "point")
    )


def _why(tree: VoteTree) -> Iterator[str]:
    group, device, said = GROUPS[tree.group], phrase(tree.device.name), vote_words(tree.scene)
    yield " ".join(filter(None, (said.philosophers, said.rule or said.compared)))
    if tree.special:
        cards = counted(sum(map(len, tree.ballot.columns)), "card")
        yield capital(phrase("{cards} at {group.the} called a special vote.", cards=cards, group=group))
    elif any(lane.came for lane in tree.lanes):
        total = sum(lane.copies for lane in tree.lanes)
        fields = {"device": device, "group": group, "total": total}
        yield phrase("The {device} of {group.the} was drawn, one of {total}.", **fields)
    if not tree.by_rules:
        yield phrase("The record says otherwise: {outcome}.", outcome=outcome_words(tree.winner))
    for other in tree.beside:
        assert other.ballot is not None
        fields = {"vote": vote_name(other.ballot), "outcome": outcome_words(other.ballot.outcome.winner)}
        if other.at < tree.at:
            yield phrase("Before it in this turn: {vote}, {outcome}.", **fields)
        else:
            yield phrase("After it in this turn: {vote}, {outcome}.", **fields)
    if (sums := needed(tree)) and (said := needed_words(sums)):
        yield phrase("{sentence}.", sentence=said)


def needed_words(sums: Needed) -> str:
    """Return ``Rome needed 12 to tie, 13 to win``; empty if no sum would have done."""
    fields = {"side": SIDES[sums.side % TIE], "tie": sums.to_tie, "win": sums.to_win}
    match sums:
        case Needed(to_tie=None, to_win=None):
            return ""
        case Needed() if sums.side == TIE:
            return phrase("{win} would have won for either side", **fields)
        case Needed(to_win=None):
            return phrase("{side.name} needed {tie} to tie", **fields)
        case Needed(to_tie=None):
            return phrase("{side.name} needed {win} to win", **fields)
        case Needed(lower=True):
            return phrase("{side.name} needed {tie} to tie, {win} or less to win", **fields)
        case _:
            return phrase("{side.name} needed {tie} to tie, {win} to win", **fields)


def _otherwise(tree: VoteTree) -> Iterator[str]:
    ways = [found for found in turnarounds(tree) if found.seen]
    for found in ways:
        player = PLAYERS[found.side]
        if found.best is None:
            sentence = phrase("with the cards that they held, {player.name} had nothing better", player=player)
            if found.puts_off:
                sentence = phrase("{player.name} could have avoided this vote, but not won it", player=player)
            elsewhere = any(other.best for other in ways) or found is not ways[0]
            yield (
                capital(phrase("{sentence}.", sentence=sentence))
                if elsewhere
                else phrase("No: {sentence}.", sentence=sentence)
            )
        else:
            yield from _changed(found, tree)
    winner = tree.winner
    if winner != TIE and tree.sees[winner] and all(each.was_played for each in tree.instead if each.side == winner):
        yield phrase("{player.name} had no other way.", player=PLAYERS[winner])
    hidden = [player.name for player, seen in zip(PLAYERS, tree.sees, strict=True) if not seen]
    if hidden:
        yield phrase("What {who} could have done is shown only to those who see their cards.", who=join(hidden))


def _changed(found: Turnaround, tree: VoteTree) -> Iterator[str]:
    option, player = found.best, PLAYERS[found.side]
    assert option is not None
    castling = next((token for token in option.tokens if isinstance(token, t.Castle)), None)
    said = instead_parts(option, here=tree.group if castling else None)
    action = ", ".join((said.action, *said.qualifies))
    if castling:
        cards = castling.cards_first if castling.first == tree.group else castling.cards_second
        action = phrase("{action} and leaves {cards} here", action=action, cards=named(cards or ()))
    result = result_words(option.sums, option.winner) if option.called else phrase("this vote is not called")
    if first := first_result(option):
        result = phrase("{first}, then this one ({result})", first=first, result=result) if option.called else first
    yield phrase("Yes, if {player.name} {action}: {result}.", player=player, action=action, result=result)
    if option.missed is not None:
        yield phrase("The special vote before it ({outcome}) is not called then.", outcome=outcome_words(option.missed))
    played = next((each for each in tree.instead if each.side == found.side and each.was_played), None)
    if option.called and option.chance is not None and played and played.chance is not None:
        yield phrase(_SAID["odds"], odds=percent(option.chance), played=percent(played.chance))
    points = in_points(option.cost or 0.0)
    if points > 0:
        yield phrase("That is worth {points} of the chance of winning the game.", points=counted(points, "point"))
    elif points < 0:
        yield phrase("That costs {points} of the chance of winning the game.", points=counted(-points, "point"))
    if found.others:
        yield capital(phrase("{ways} would have changed it, too.", ways=counted(found.others, "other move")))


def _likely(tree: VoteTree) -> Iterator[str]:
    if not tree.observers:
        if tree.expecting:
            yield phrase("The cards in the record don't add up, so there are no odds.")
        else:
            yield phrase("The odds were not asked for.")
        return
    outcome = tree.winner
    name = phrase("A tie") if outcome == TIE else phrase("A win for {side.name}", side=SIDES[outcome])
    here = _shared({each.view: each.here[outcome] for each in tree.observers})
    if tree.special:
        yield phrase("{outcome}: {odds}, when the vote was called.", outcome=name, odds=here)
    else:
        fields = {"device": phrase(tree.device.name), "outcome": name, "odds": here}
        yield phrase("{outcome}: {odds}, once the {device} was drawn.", **fields)
    if turn := {each.view: each.turn[outcome] for each in tree.observers if each.turn}:
        yield phrase("Before the draw, at any group: {odds}.", odds=_shared(turn))


def _shared(odds: Mapping[str, Fraction]) -> str:
    """Return ``76 % by what Caesar knew and 8 % by what Cleopatra knew``; equal chances are given once."""
    views: dict[Fraction, list[str]] = defaultdict(list)
    for view, chance in odds.items():
        views[chance].append(phrase(VIEWER_NAMES[view]))
    return join([phrase("{odds} by what {who} knew", odds=percent(odd), who=join(who)) for odd, who in views.items()])


def _lucky(tree: VoteTree) -> Iterator[str]:
    found, device = luck(tree), phrase(tree.device.name)
    if tree.special:
        yield phrase("Nobody by a draw: no {device} was drawn for this vote.", device=device)
    elif found is None:
        yield phrase("That can't be told: the {device} that came was not there any more.", device=device)
    else:
        if found.side == TIE:
            yield phrase("Nobody by the draw: it brought about nothing unlikely.")
        elif found.side is None and tree.winner == TIE:
            yield phrase("That can't be told: it depends on hidden cards.")
        else:
            said, side = ("probably", tree.winner) if found.side is None else ("lucky", found.side)
            yield phrase(_SAID[said], player=PLAYERS[side], gain=_gain(found))
        yield _shares(found, devices(tree.device))
    for side, odds in surprises(tree):
        said = _SAID["well" if side == tree.winner else "against"]
        yield phrase(said, player=PLAYERS[side], odds=percent(odds))
    if drawn := _moved([swing and swing.drawn for swing in tree.swings]):
        yield phrase("By the analysis, the draw moved the chance of winning the game: {moved}.", moved=drawn)
    if shown := _moved([swing and swing.shown for swing in tree.swings]):
        yield phrase("By the analysis, the cards that were turned up moved it: {moved}.", moved=shown)


def _gain(found: Luck) -> str:
    """Return what a draw was worth in patricians; a range if it depends on hidden cards."""
    gain, more = abs(found.gain), Fraction(found.open, found.total)
    low, high = [round(float(each), 1) for each in (gain - more, gain + more)]
    return figure(low) if low == high else phrase("{low} to {high}", low=figure(low), high=figure(high))


def _moved(changes: Sequence[float | None]) -> str:
    """Return ``Caesar +6 points, Cleopatra −5 points``; empty if nothing moved by a point."""
    moved = [(player, signed(change)) for player, change in zip(PLAYERS, changes, strict=True) if change is not None]
    if all(points == "0" for _, points in moved):
        return ""
    return ", ".join(
        [phrase("{player.name} {points} points", player=player, points=points) for player, points in moved]
    )


def _shares(found: Luck, drawn: str) -> str:
    """Return whom each of the cards that could have come gives a patrician."""
    ways = [
        phrase("{number} for {side.name}", number=number, side=side)
        for number, side in zip(found.wins, SIDES, strict=True)
        if number
    ]
    ways += [phrase("{number} for nobody", number=found.nobody)] if found.nobody else []
    ways += [phrase("{number} open", number=found.open)] if found.open else []
    ways += [phrase("{number} already won and drawn again", number=found.again)] if found.again else []
    fields = {"total": found.total + found.again, "devices": drawn, "ways": join(ways)}
    return phrase("Of the {total} {devices} that could have come: {ways}.", **fields)
