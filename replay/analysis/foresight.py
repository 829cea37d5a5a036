"""What each option of a decision does to the votes, as the player who decides could tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME
from ...notation.reader import Game
from ..engine.replay import Replay
from ..hidden_cards.ledger import TableCard
from ..hidden_cards.outlook import GroupOutlook, Watcher, outlook_of
from .expectation import watched
from .what_if import Decision


class Foresight(NamedTuple):
    """What an option does to a vote at a group: how it would go if it came ``now``, and how it would ``then``."""

    now: GroupOutlook
    then: GroupOutlook


def foresights(
    made: Sequence[Decision], game: Game, view: str = "", rules: str = "", played: Replay | None = None
) -> list[list[tuple[Foresight, ...]]]:
    """Return what each option of each decision does to the votes, in their order; nothing for most of them.

    ``view`` is the point of view of the decisions. Where it sees everything, it is told what the player who decides
    could know; else only of the decisions of whose hand it sees. The other arguments are as for :func:`what_if`.
    """
    found: list[list[tuple[Foresight, ...]]] = [[() for _ in decision.options] for decision in made]
    for eyes, side in (("caesar", 0), ("cleopatra", 1)):
        if view not in ("arbiter", eyes):
            continue
        due = [place for place, each in enumerate(made) if each.side == side and each.sees_hand and not each.action]
        for watcher, moment in watched(game, eyes, rules, played):
            while due and (moment is None or (moment.turn, moment.at) >= (made[due[0]].turn, made[due[0]].at)):
                place = due.pop(0)
                found[place] = _of_options(made[place], watcher)
            if not due:
                break
    return found


def _of_options(decision: Decision, watcher: Watcher) -> list[tuple[Foresight, ...]]:
    now = {group: watcher.at(group) for group in watcher.edition.groups}
    # A card is often laid at a group both face up and face down, which makes no difference to its vote.
    then: dict[object, GroupOutlook] = {}
    found = []
    for option in decision.options:
        foreseen = []
        for group, columns in _changed(option.token, decision.side, watcher):
            spreads = [*now[group].spreads]
            for side, column in columns.items():
                spreads[side] = watcher.spread(side, column)
            key = group, *[tuple(spread.items()) for spread in spreads]
            if key not in then:
                then[key] = outlook_of(group, spreads[ROME], spreads[EGYPT], watcher.edition)
            foreseen.append(Foresight(now[group], then[key]))
        found.append(tuple(foreseen))
    return found


def _changed(
    token: t.Token | None, side: int, watcher: Watcher
) -> Iterator[tuple[int, Mapping[int, Sequence[TableCard]]]]:
    """Yield each group at which a move changes the cards, with the columns that would lie there, by side."""
    columns = watcher.tracker.columns
    match token:
        case t.Place():
            yield token.group, {side: (*columns[side][token.group], TableCard(token.card, up=True))}
        case t.Castle(cards_first=tuple(one), cards_second=tuple(other)):
            yield token.first, {side: [TableCard(card, up=False) for card in one]}
            yield token.second, {side: [TableCard(card, up=False) for card in other]}
        case t.Wrath():
            yield token.group, {ROME: (), EGYPT: ()}
        case t.Assassinate():
            struck = columns[1 - side][token.group]
            if token.hidden:
                hit = [card for card in struck if not card.up][(token.position or 1) - 1]
            else:
                hit = next(card for card in struck if card.up and card.label == token.card)
            yield token.group, {1 - side: [card for card in struck if card is not hit]}
        case _:
            return
