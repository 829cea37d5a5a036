"""What else could have been played: every move, at each decision of a game, that a point of view can know to be legal.

A decision is shown from one point of view. It comes from the record as that person would have written it, replayed
separately, so nothing that they can't know plays a part. Whatever chance or a hidden card decides stays open: a draw
only names its piles, and a spy has no card if the hand is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from ...notation import codes
from ...notation import tokens as t
from ...notation.cards import EGYPT, MAY_BE, ROME, SOME_INFLUENCE, high_to_low, unknown_card_like
from ...notation.classes import require_type
from ...notation.codes import ACTION_KINDS, ANNOUNCED_ONLY, DISCARD, GROUP, KIND, PLACE, PLACED_GROUP_AT, Codes, decode
from ...notation.reader import Game, as_game
from ...notation.record import Record
from ...notation.writer import known_text
from ..engine.headers import PLAYERS, ChosenView, read_headers
from ..engine.play import apply, judge, violations
from ..engine.replay import Replay, replay_game, walk
from ..knowledge import redaction
from ..knowledge.ledger import Moment, TableCard
from ..knowledge.outlook import GroupOutlook, Watcher, outlook_of
from ..knowledge.table_view import SEES
from ..rules.fault import Faults
from ..rules.game.game import LAST_PILE, ORDER, OVER, PILE, REPLACEMENT, TURN, due, list_moves
from ..rules.game.legal import Move, as_move, draws, subsets
from ..rules.mechanics import ImpossibleMoveError, MissingCardsError
from ..rules.mechanics.hands import change_hand
from ..rules.moves.actions import announced_code, may_veto
from ..rules.moves.move_list import MoveList
from ..rules.moves.placing import may_exchange
from ..rules.moves.votes import list_special_votes
from ..rules.state import State
from .expectation import watched

_FIRST_STEP: Final = (t.Place, t.Discard, *t.ACTIONS)
_PLACE_GROUP: Final = GROUP << PLACED_GROUP_AT
"""The bits of a placement that hold its group."""
Sees = tuple[bool, bool]
"""Whether Rome's and whether Egypt's hidden cards are seen."""


class Possibility(NamedTuple):
    """A possible move: ``token`` as its player chooses it, None to go on without one.

    ``move`` includes its outcome, as far as that is known. ``was_played`` marks the actual move.

    >>> option = tironian.what_if(record, "caesar")[0].options[0]
    >>> option.written, option.was_played
    ('(1)P', False)
    """

    token: t.Token | None
    move: Move
    was_played: bool

    @property
    def written(self) -> str:
        """Return the move in the notation; ``/`` stands for going on without one."""
        return "/" if self.token is None else known_text(self.token)


class Decision(NamedTuple):
    """A choice that ``side`` had after ``at`` tokens of the turn at index ``turn`` in the record.

    ``before`` is the state in which it was made, as the point of view knows it. ``sees_hand`` says that the hand is
    seen; otherwise the options are all moves that nothing known forbids. ``action`` is the action that ``side`` could
    veto, None if it had to choose a move of its own.

    >>> first = tironian.what_if(record, "caesar")[0]
    >>> first.side, len(first.options), tironian.words(first.options[0], first)
    (0, 50, 'places a 1 face down at the Praetors')
    """

    turn: int
    at: int
    side: int
    before: State
    options: tuple[Possibility, ...]
    sees_hand: bool
    action: t.Action | None = None

    def after(self, option: Possibility) -> State | None:
        """Return the state after an option as far as it is known; None if it is unknown."""
        require_type(option, Possibility, "one of the decision's options")
        state = self.before.copy()
        try:
            if self.action:
                apply(state, t.chosen(self.action), vetoed=True)
            if option.token is not None:
                apply(state, *option.move)
        except (ImpossibleMoveError, MissingCardsError):
            return None
        return None if self.action and option.token is None else state


def what_if(
    game: Game | Record, view: ChosenView = "", rules: str = "", played: Replay | None = None
) -> list[Decision]:
    """Return every decision of a game with a choice, as ``view`` knows it, by default as the record's writer does.

    ``rules`` names the rule set if the record's headers don't; ``played`` is the game's replay, if there is one
    already. Raise ViewNotAvailable if ``view`` saw more than the writer, ValueError if the rule set is not known.

    >>> [option.written for option in tironian.what_if(record, "cleopatra")[0].options if option.was_played]
    ['5K']
    """
    game = as_game(game)
    own = read_headers(game.record, rules).view
    if view and view != own:
        game, played = as_game(redaction.view(game, view, rules, played=played).record), None
    return [*_decisions(played or replay_game(game, rules), SEES[view or own])]


def _decisions(played: Replay, sees: Sees) -> Iterator[Decision]:
    for point in walk(played):
        state, token, place = point.before, point.step.token, point.step.place
        if point.due in (OVER, REPLACEMENT):  # a veto was a decision before
            continue
        options = _options(state, token, sees)
        if len(options) > 1:
            side = token.side if isinstance(token, t.ChooseMission) else state.active
            yield Decision(place, point.at, side, state, options, sees[side])
        if isinstance(token, t.ACTIONS):
            side = 1 - state.active
            if options := _answers(state, point.vetoed, sees[side]):
                yield Decision(place, point.at, side, state, options, sees[side], token)


def _answers(state: State, vetoed: bool, seen: bool) -> tuple[Possibility, ...]:
    """Return what the opponent can do about an action (E3, F7); nothing if it is unknown whether there is a choice."""
    if vetoed or (seen and may_veto(state)):
        return Possibility(None, Move(None), not vetoed), Possibility(t.Veto(), Move(t.Veto()), vetoed)
    return ()


def _options(state: State, token: t.Token | None, sees: Sees) -> tuple[Possibility, ...]:
    """Return what could be done in a state when this token comes next."""
    possible = [] if state.stage else _possible(state, sees)
    played = token and _as_chosen(token, state.active, sees)
    found: dict[t.Token | None, Possibility]
    found = {each.token: each for each in possible if isinstance(each.token, _FIRST_STEP)}
    if found:
        if not isinstance(possible[-1].token, _FIRST_STEP):
            found[None] = _unplayed(None)
        if not isinstance(token, _FIRST_STEP):
            played = None
        elif played not in found and _may_be_announced(state, token):
            found[played] = _unplayed(played, vetoed=True)  # before it was carried out
    else:
        found = {each: _unplayed(each) for each in _later_steps(state, token)}
    if played in found:
        found[played] = found[played]._replace(was_played=True)
    return tuple(found.values())


def _unplayed(token: t.Token | None, vetoed: bool = False) -> Possibility:
    return Possibility(token, Move(token, vetoed), False)


def _may_be_announced(state: State, token: t.Token) -> bool:
    """Return whether this is an action that may be announced and then vetoed, and whose player picks something
    later.
    """
    if not isinstance(token, t.ACTIONS) or not t.picked_fields(token.__class__):
        return False
    return not violations(state, t.chosen(token), True)


def _later_steps(state: State, token: t.Token | None) -> Sequence[t.Token | None]:
    """Return the piles, missions or groups to choose from, nothing if there is no choice."""
    kind = due(state, 0, 1)
    # A hand that is not seen is full once it is filled, so only what replaces an exchange is drawn into it.
    if kind in (PILE, LAST_PILE) and _filled(state).draw_limit():
        may_end = state.both_out() and due(state, 0, state.rules.rank[t.DRAW] + 1) == TURN
        return [*draws(state), *[None] * may_end]
    if isinstance(token, t.ChooseMission):
        return [t.ChooseMission(token.side, 1), t.ChooseMission(token.side, 2)]
    if kind == ORDER and isinstance(token, t.SpecialVote):
        listed = MoveList()
        list_special_votes(state, listed)
        return [t.chosen(decode(*pair)) for pair in listed.pairs()]
    return ()


def _possible(state: State, sees: Sees) -> list[Possibility]:
    """Return the moves that nothing known forbids; the legal ones if the hand is seen."""
    side, listed = state.active, MoveList()
    list_moves(_filled(state), listed, exchanges=False)
    legal = [pair for pair in listed.pairs() if not pair[0] & ANNOUNCED_ONLY]
    # What is picked from a hand that is not seen makes thousands of moves of a few announced ones.
    unseen = {codes.CASTLE: not sees[side], codes.SPY: not sees[1 - side]}
    told = [(announced_code(code), 0) if unseen.get(code & KIND) else (code, more) for code, more in legal]
    pairs = [*dict.fromkeys(told)]
    found: list[Possibility] = []
    if may_exchange(state):
        held = state.sides[side].cards
        found = [
            _unplayed(t.Discard(cards)) for cards in subsets(held if sees[side] else [*map(unknown_card_like, held)])
        ]
        pairs = [pair for pair in pairs if pair[0] & KIND != DISCARD]
    if not sees[side]:
        pairs = _not_refuted(state, pairs)
    return found + [_possibility(code, more, side, sees) for code, more in pairs]


def _filled(state: State) -> State:
    """Return the state with every card that an unknown card may be added to the hand. It serves to list what may be
    played; the law then says what may not.
    """
    full = state.copy()
    for owner in (0, 1):
        hand = state.sides[owner].hand
        for some, cards in MAY_BE.items():
            for card in cards if hand[some] else ():
                change_hand(full, owner, card, 1)
    return full


# The same few hundred moves recur at most decisions of a game.
@lru_cache(maxsize=1 << 12)
def _possibility(code: int, more: int, side: int, sees: Sees) -> Possibility:
    """Return a move as it is chosen, with its outcome as far as that is seen; otherwise it is only announced."""
    move = as_move(code, more)
    if move.token is None or not ACTION_KINDS >> (code & KIND) & 1:
        return _unplayed(move.token and _as_chosen(move.token, side, sees))
    token = _as_chosen(move.token, side, sees)
    if not t.picked_fields(token.__class__):
        return Possibility(token, move, False)
    return _unplayed(token, vetoed=token == t.chosen(token))


def _not_refuted(state: State, pairs: list[Codes]) -> list[Codes]:
    """Return the moves whose cards a hand may hold. They are known to be legal otherwise."""
    refuted: dict[int, Faults] = {}
    kept: list[Codes] = []
    for code, more in pairs:
        is_action = ACTION_KINDS >> (code & KIND) & 1 != 0
        if is_action or code & KIND == PLACE:
            kind = code & KIND if is_action else code & ~_PLACE_GROUP
            if kind not in refuted:
                refuted[kind] = faults_of(state, (announced_code(code), 0), is_action)
            if refuted[kind]:
                continue
        kept.append((code, more))
    return kept


def faults_of(state: State, token: Codes, vetoed: bool = False) -> Faults:
    """Return what is wrong with a token, given as its codes."""
    faults: Faults = []
    code, more = token
    judge(state, code, more, vetoed, faults)
    return faults


def _as_chosen(token: t.Token, side: int, sees: Sees) -> t.Token:
    """Return a move of ``side`` as it is chosen, before its outcome is known, with hidden cards as seen."""
    picks = [getattr(token, name) for name in t.picked_fields(token.__class__)]
    owner = side if t.KINDS[token.__class__].about is t.Audience.MOVER else 1 - side
    token = t.chosen(token, picked=sees[owner] and None not in picks)
    if isinstance(token, t.Place) and token.hidden and not sees[side]:
        return replace(token, card=SOME_INFLUENCE)
    if isinstance(token, t.Discard) and not sees[side]:
        return t.Discard(high_to_low([*map(unknown_card_like, token.cards)]))
    return token


class Foresight(NamedTuple):
    """What an option does to a vote at a group: its odds if it were held ``now``, and ``then``."""

    now: GroupOutlook
    then: GroupOutlook


def foresights(
    made: Sequence[Decision], game: Game, view: str = "", rules: str = "", played: Replay | None = None
) -> list[list[tuple[Foresight, ...]]]:
    """Return what each option of each decision does to the votes, in order; nothing for most of them.

    ``view`` is the point of view of the decisions. If it sees everything, the result is what the player who decides
    could know; otherwise only the decisions of the player whose hand it sees are included. The other arguments are as
    for :func:`what_if`.
    """
    found: list[list[tuple[Foresight, ...]]] = [[() for _ in decision.options] for decision in made]
    for side, viewpoint in enumerate(PLAYERS):
        if view in ("arbiter", viewpoint):
            own = [place for place, each in enumerate(made) if each.side == side and each.sees_hand and not each.action]
            for place, watcher in _reached(own, made, watched(game, viewpoint, rules, played)):
                found[place] = _of_options(made[place], watcher)
    return found


def _reached(
    due: list[int], made: Sequence[Decision], watching: Iterator[tuple[Watcher, Moment | None]]
) -> Iterator[tuple[int, Watcher]]:
    """Yield the place of each decision that is ``due``, with the watcher of what was seen when it was made."""
    for watcher, moment in watching:
        while due and (moment is None or (moment.turn, moment.at) >= (made[due[0]].turn, made[due[0]].at)):
            yield due.pop(0), watcher
        if not due:
            return


def _of_options(decision: Decision, watcher: Watcher) -> list[tuple[Foresight, ...]]:
    now = {group: watcher.at(group) for group in watcher.edition.groups}
    # A card can often be laid at a group both face up and face down, which makes no difference to its vote.
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
    """Yield each group where a move changes the cards, with the columns that would lie there then, by side."""
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
            yield token.group, {1 - side: struck(token, columns[1 - side][token.group])}
        case _:
            return


def struck(token: t.Token, column: Sequence[TableCard]) -> Sequence[TableCard]:
    """Return what an assassination or the wrath leaves of the opponent's column."""
    if not isinstance(token, t.Assassinate):
        return ()
    place = (token.position or 1) - 1 if token.hidden else 0
    hits = [card for card in column if (not card.up if token.hidden else card.up and card.rank == token.card)]
    hit = hits[place] if place < len(hits) else None  # after an irregularity the card need not be there
    return [card for card in column if card is not hit]
