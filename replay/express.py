"""The express lane: law and mechanics in one for what happens in nearly every turn, as long as it is plainly legal.

:func:`ride` carries out the tokens of a turn one after the other and stops, with nothing half done, before the first
that is not plainly legal; that one goes the full way through :mod:`tironian.replay.law` and
:mod:`tironian.replay.mechanics`. So the lane can only be too modest, never too lenient: whatever is unusual, unknown,
unlawful or disputed is none of its business. It says nothing about the rules that is not said there, and a test
holds both ways equal over many games, legal and damaged ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import length_hint
from typing import Any, Final

from ..notation import tokens as t
from ..notation.record import Turn
from .law import LAW, Found
from .mechanics import APPLY, end_turn
from .phases import EXCHANGED, PLACED, START, phase_of, write_down
from .state import Side, State
from .strokes import count_votes, exchange, refuse, strike
from .ticket import Ticket

_ACTIONS: Final = frozenset(t.ACTIONS)
_PLACE: Final = t.Place
_DRAW: Final = t.Draw
_NO_VOTE: Final = t.NoVote
_VOTE: Final = t.Vote
_CASTLE: Final = t.Castle
_DISCARD: Final = t.Discard
_VETO: Final = t.Veto
_SPECIAL: Final = t.SpecialVote
_SPY: Final = t.Spy
_PUT_AWAY: Final = t.PutAway


def ride(state: State, turns: Sequence[Turn], place: int, at: int, rules: Ticket) -> tuple[int, int]:
    """Carry out turns from token ``at`` of the turn at ``place`` on.

    Comes back with the turn and the token that have to go the full way; the token after a turn's last one is its
    end, and the turn after the last one the record's. One function, long as it is, since a call for every token
    would cost as much as what is done for it; for the same reason what the turn has come to is written into the
    state only before somebody else reads it.
    """
    if state.ended or state.choosing or state.final or state.vetoed == 1:
        return place, at
    moves, _, most, own, reveal, special, groups, limit, _, _, repeats, orgies_stay, vanishes = rules
    face_up, face_down, specials, draws, votes, puttings, acts, ends, first_up = moves
    expected, starter, number = state.active, state.starter, state.number
    totals, left, bag, out, drawing = state.totals, state.left, state.bag, state.out, 5 - reveal
    one, two = state.sides
    seats = (
        (one, two, one.hand, one.unseen, one.up, one.hidden),
        (two, one, two.hand, two.unseen, two.up, two.hidden),
    )
    phase = phase_of(state, drawing)
    crowded = max(totals) >= special  # False only where no special vote can be due any more in this turn
    dry = not (one.influence_pile and two.influence_pile)  # False only where both piles hold influence cards
    roomy = groups[0]  # where there is room, as far as anybody has looked
    over = 0  # 1 where the token that was carried out last is also the last that the lane can carry out
    tied = False  # whether a special vote of this turn left its group crowded
    # Whether all that this turn has left in the state is what the next one writes down over it. None: but for the
    # special votes, which are forgotten at its end; False: the whole turn is cleared away.
    usual: bool | None = False
    for turn in turns[place:]:
        if turn.side != expected or turn.after or (turn.number != number and not at):
            break
        tokens = turn.tokens
        side, other, hand, unseen, up, hidden = seats[expected]
        rest: Iterator[Any] = iter(tokens[at:] if at else tokens)
        for token in rest:
            kind = type(token)
            if kind is _PLACE:
                card = token.card
                group = token.group
                count = totals[group]
                held = hand[card]
                if token.hidden:
                    following = face_down[phase]
                    pile = hidden
                else:
                    following = face_up[phase]
                    pile = up
                    if (
                        following == first_up
                        and (
                            (count + 2 > own and (roomy == group or totals[roomy] >= own or not left[roomy]))
                            or (held < 2 and sum(hand[:6]) < 2)
                        )
                        and not _two_can_follow(state, group, rules)
                    ):
                        break
                if not following or held <= 0 or card > 5 or not left[group]:
                    break
                if count >= own:
                    if count >= most or len(up[group]) + len(hidden[group]) >= own:
                        break
                    if count + 1 >= special:
                        crowded = True
                pile[group].append(card)
                hand[card] = held - 1
                totals[group] = count + 1
                phase = following
            elif kind is _DRAW:
                following = draws[phase]
                if not following or crowded:
                    write_down(state, phase)
                    if state.stage > drawing or not _may_go_on(state, drawing, rules):
                        break
                cards = token.cards
                count = len(cards)
                held = sum(hand)
                missing = (limit - held if following else _draw_limit(state, side, rules)) - count
                if missing < 0:
                    break
                actions = 0
                for card in cards:
                    there = unseen[card]
                    if there <= 0:
                        break
                    unseen[card] = there - 1
                    hand[card] = hand[card] + 1  # in three instructions less than +=
                    if card > 5:
                        actions += 1
                else:
                    pile = side.influence_pile - count + actions
                    if pile >= 0 and (not actions or _take_actions(side, cards, actions)):
                        side.influence_pile = pile
                        if not pile:
                            dry = True
                        if not following or missing:
                            write_down(state, phase)
                            state.stage, following = drawing, 0
                            if state.passive:
                                usual = False
                                if not phase:  # with one, what was written down was counted after the draw
                                    state.discarded = max(0, state.discarded - count)
                        phase = following
                        continue
                _put_back(side, cards[: sum(hand) - held])
                break
            elif kind is _VOTE or kind is _NO_VOTE:
                following = votes[phase]
                if not following or crowded:
                    write_down(state, phase)
                    if state.revealed or not state.reveals() or state.stage > reveal:
                        break
                    if not _may_go_on(state, reveal, rules):
                        break
                if kind is _VOTE:
                    group = token.group
                    if not bag[group] or not count_votes(state, token, group):
                        break
                    bag[group] = 0
                    if left[group]:
                        out[group] = 1
                    else:
                        if not vanishes:
                            out[group] = 1
                        if state.choosing or state.ended:
                            over = 1
                elif token.reset:
                    _bring_back(state, groups)
                elif state.blanks > 0 and orgies_stay:
                    state.blanks -= 1
                    state.blanks_out += 1
                else:
                    break
                if not following:
                    state.stage, state.revealed = reveal, True
                phase = following
                if over:
                    break
            elif kind is _SPECIAL and specials[phase] and not repeats:
                group = token.group
                if state.pending is not None or totals[group] < special or not count_votes(state, token, group):
                    break
                # Nothing is placed any more in this turn, so other groups that are due are so by now.
                count, totals[group] = totals[group], 0
                due = state.crowded() if max(totals) >= special else []
                totals[group] = count
                tied = count >= special
                state.pending, phase, usual, crowded = due, specials[phase], usual and None, False
                if due:
                    write_down(state, phase)
                    phase = 0
                if state.choosing or state.ended:
                    over = 1
                    break
            elif kind is _DISCARD and phase == START and not state.action and exchange(side, token.cards, rules):
                phase = EXCHANGED
            elif kind is _PUT_AWAY and puttings[phase] and not crowded:
                group = token.group
                if left[group] or not bag[group]:
                    break
                bag[group] = 0
                phase = puttings[phase]
            else:
                behind = length_hint(rest)
                if kind in _ACTIONS and acts[phase]:
                    vetoed = behind > 0 and type(tokens[-behind]) is _VETO
                    if strike(state, token, side, other, PLACED[phase], vetoed):
                        phase, usual = acts[phase], usual and None
                        crowded = crowded or kind is _CASTLE
                        if kind is _SPY:
                            dry = not (one.influence_pile and two.influence_pile)
                        continue
                elif kind is _VETO and phase and refuse(state, token, other):
                    usual = usual and None
                    dry = not (one.influence_pile and two.influence_pile)
                    continue
                usual = False
                write_down(state, phase)
                if not _less_common(state, token, tokens, len(tokens) - behind, rules):
                    break
                if kind in _ACTIONS:
                    phase = acts[phase]
                elif kind is not _VETO:
                    phase = phase_of(state, drawing)
                crowded = crowded or kind is _CASTLE or kind is _SPECIAL
                dry = not (one.influence_pile and two.influence_pile)
                if state.choosing or state.ended:
                    over = 1
                    break
        else:
            if not ends[phase]:
                write_down(state, phase)
                if not _may_go_on(state, 4, rules):
                    at = len(tokens)
                    break
            last = dry and (side.is_out() or other.is_out())
            if totals[roomy] >= own or not left[roomy]:
                for roomy in groups:
                    if left[roomy] and (totals[roomy] < own or other.count(roomy) < own):
                        break
                else:
                    last = True
            place += 1
            at = 0
            if last:
                # The game may be over, or one side plays alone.
                write_down(state, phase)
                end_turn(state)
                phase, usual, expected, number = phase_of(state, drawing), False, state.active, state.number
                crowded = max(totals) >= special
                if state.ended or state.final:
                    break
                continue
            state.active = expected = 1 - expected
            if expected == starter:
                state.number = number = number + 1
            phase = START
            if not usual:
                if usual is None:
                    state.pending = None
                    state.action = state.vetoed = 0
                else:
                    state.clear_turn()
                    state.first_turn = state.lone = False
                    state.may_draw = state.may_reveal = True
                # Other than special votes that nobody won, the lane knows nothing that lets a crowded group pass.
                crowded = (crowded or tied) and max(totals) >= special
                usual, tied = True, False
            continue
        at = len(tokens) - length_hint(rest) - 1 + over
        break
    write_down(state, phase)
    return place, at


def _may_go_on(state: State, place: int, rules: Ticket) -> bool:
    """Whether everything before a place in the turn has been done that has to be; place 4 is the turn's end."""
    stage, reveal = state.stage, rules.reveal
    if state.passive:
        return not _missing(state, rules) if place == 4 else place == 5 - reveal
    if stage < 2:
        if stage == 0 and not state.down and state.up < (2 if rules.two_up else 1):
            return False
        if max(state.totals) >= rules.special and state.pending != []:
            return False
    # Revealing and drawing are the places 2 and 3, in the edition's order.
    if place == 2:
        return True
    if reveal == 2:
        return (state.revealed or not state.may_reveal) and (place == 3 or not _missing(state, rules))
    return not (stage < 3 and _missing(state, rules)) and (place == 3 or state.revealed or not state.may_reveal)


def _missing(state: State, rules: Ticket) -> int:
    """How many cards have still to be drawn."""
    side = state.sides[state.active]
    missing = _draw_limit(state, side, rules)
    return missing if missing > 0 and (side.influence_pile or side.action_pile) else 0


def _two_can_follow(state: State, group: int, rules: Ticket) -> bool:
    """Whether a second card can follow a first one face up, at the same group or at another."""
    side = state.sides[state.active]
    if sum(side.hand[:6]) < 2:
        return False
    totals, up, hidden, most, own = state.totals, side.up, side.hidden, rules.most, rules.own
    if totals[group] + 2 <= most and len(up[group]) + len(hidden[group]) + 2 <= own:
        return True
    left = state.left
    for other in rules.groups:
        if other != group and left[other] and totals[other] < most and len(up[other]) + len(hidden[other]) < own:
            return True
    return False


def _draw_limit(state: State, side: Side, rules: Ticket) -> int:
    """How many cards may be drawn."""
    if not state.may_draw:
        return 0
    return state.discarded if state.passive and rules.replaces else rules.hand - sum(side.hand)


def _put_back(side: Side, cards: t.Cards) -> None:
    for card in cards:
        side.unseen[card] += 1
        side.hand[card] -= 1


def _take_actions(side: Side, cards: t.Cards, count: int) -> bool:
    """Take the action cards among those drawn off their pile, if it has so many and, where it was ordered, these."""
    order = side.order
    if side.action_pile < count:
        return False
    if order is not None:
        if order[:count] != tuple([card for card in cards if card > 5]):
            return False
        side.order = order[count:]
    side.action_pile -= count
    return True


def _bring_back(state: State, groups: tuple[int, ...]) -> None:
    """The reset: everything that is out goes back."""
    bag, out = state.bag, state.out
    for group in groups:
        if out[group]:
            bag[group] += out[group]
            out[group] = 0
    state.blanks += state.blanks_out
    state.blanks_out = 0


def _less_common(state: State, token: t.Token, tokens: Sequence[t.Token], following: int, rules: Ticket) -> bool:
    kind = type(token)
    if kind is _PUT_AWAY:
        return _put_away(state, token.group, rules)  # type: ignore[union-attr]
    if state.rank[kind.step] != state.stage or state.sides[0].blurred or state.sides[1].blurred:
        return False
    # Law and mechanics as they are: with every card known, what the law lets pass can be carried out.
    if kind is t.Unread or (kind is _CASTLE and token.cards_first is None):  # type: ignore[union-attr]
        return False
    found: Found = []
    vetoed = following < len(tokens) and type(tokens[following]) is _VETO and kind in _ACTIONS
    LAW[kind](state, token, vetoed, found)
    if found:
        return False
    APPLY[kind](state, token, vetoed)
    return True


def _put_away(state: State, group: int, rules: Ticket) -> bool:
    if state.revealed or state.passive or not state.may_reveal or state.stage > rules.reveal:
        return False
    if state.left[group] or not state.bag[group] or not _may_go_on(state, rules.reveal, rules):
        return False
    state.bag[group] = 0
    state.stage = rules.reveal
    return True
