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
from ..notation.cards import EGYPT, ROME, TIE, VETO
from ..notation.record import Turn
from .law import LAW, Found
from .mechanics import APPLY, end_turn
from .mechanics.votes import empty
from .phases import EXCHANGED, START, phase_of, write_down
from .state import Side, State
from .ticket import Ticket
from .vote import COLUMNS, resolve_sorted

_ACTIONS: Final = frozenset(t.ACTIONS)
_PLACE: Final = t.Place
_DRAW: Final = t.Draw
_NO_VOTE: Final = t.NoVote
_VOTE: Final = t.Vote
_CASTLE: Final = t.Castle
_DISCARD: Final = t.Discard
_VETO: Final = t.Veto
_SPECIAL: Final = t.SpecialVote


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
    face_up, face_down, specials, draws, votes, acts, ends, first_up = moves
    expected, starter, number = state.active, state.starter, state.number
    totals, left, bag, out, drawing = state.totals, state.left, state.bag, state.out, 5 - reveal
    one, two = state.sides
    seats = ((one, two, one.hand, one.up, one.hidden), (two, one, two.hand, two.up, two.hidden))
    phase = phase_of(state, drawing)
    crowded = max(totals) >= special  # False only where no special vote can be due any more in this turn
    dry = not (one.influence_pile and two.influence_pile)  # False only where both piles hold influence cards
    roomy = groups[0]  # where there is room, as far as anybody has looked
    over = 0  # 1 where the token that was carried out last is also the last that the lane can carry out
    # Whether all that this turn has left in the state is what the next one writes down over it. None: but for the
    # special votes, which are forgotten at its end; False: the whole turn is cleared away.
    usual: bool | None = False
    for turn in turns[place:]:
        active = turn.side
        if active != expected or turn.after or (turn.number != number and not at):
            break
        tokens = turn.tokens
        side, other, hand, up, hidden = seats[active]
        rest: Iterator[Any] = iter(tokens[at:] if at else tokens)
        for token in rest:
            kind = type(token)
            if kind is _PLACE:
                card, group = token.card, token.group
                count, held = totals[group], hand[card]
                if token.hidden:
                    following, pile = face_down[phase], hidden
                else:
                    following, pile = face_up[phase], up
                    if (
                        following == first_up
                        and (count + 2 > own or sum(hand[:6]) < 2)
                        and not _two_can_follow(state, group, rules)
                    ):
                        break
                if not following or held <= 0 or card > 5 or not left[group]:
                    break
                if count >= own and (count >= most or len(up[group]) + len(hidden[group]) >= own):
                    break
                pile[group].append(card)
                hand[card] = held - 1
                totals[group] = count = count + 1
                if count >= special:
                    crowded = True
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
                unseen, actions = side.unseen, 0
                for card in cards:
                    there = unseen[card]
                    if there <= 0:
                        break
                    unseen[card] = there - 1
                    hand[card] += 1
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
                    if not bag[group] or not _count_votes(state, token, group):
                        break
                    bag[group] = 0
                    if left[group] or not vanishes:
                        out[group] = 1
                    if not left[group] and (state.choosing or state.ended):
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
                if state.pending is not None or totals[group] < special or not _count_votes(state, token, group):
                    break
                # Nothing is placed any more in this turn, so other groups that are due are so by now.
                count, totals[group] = totals[group], 0
                due = state.crowded() if max(totals) >= special else []
                totals[group] = count
                state.pending, phase, usual, crowded = due, specials[phase], usual and None, False
                if due:
                    write_down(state, phase)
                    phase = 0
                if state.choosing or state.ended:
                    over = 1
                    break
            elif kind is _DISCARD and usual and phase == START and _exchange(side, token.cards, rules):
                phase = EXCHANGED
            else:
                usual = False
                write_down(state, phase)
                if not _less_common(state, token, tokens, len(tokens) - length_hint(rest), rules):
                    break
                if kind in _ACTIONS:
                    phase = acts[phase]
                elif kind is not _VETO:
                    phase = phase_of(state, drawing)
                crowded = crowded or kind is _CASTLE
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
            last = False
            if dry and (side.is_out() or other.is_out()):
                last = True
            elif not (left[roomy] and totals[roomy] < own):
                for roomy in groups:
                    if left[roomy] and (totals[roomy] < own or other.count(roomy) < own):
                        break
                else:
                    last = True
            place, at = place + 1, 0
            if last:
                # The game may be over, or one side plays alone.
                write_down(state, phase)
                end_turn(state)
                phase, usual, expected, number = phase_of(state, drawing), False, state.active, state.number
                crowded = max(totals) >= special
                if state.ended or state.final:
                    break
                continue
            state.active = expected = 1 - active
            if expected == starter:
                state.number = number = number + 1
            phase = START
            if not usual:
                if usual is None:
                    state.pending = None
                else:
                    state.clear_turn()
                    state.first_turn = state.lone = False
                    state.may_draw = state.may_reveal = True
                usual, crowded = True, max(totals) >= special
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
    if kind is t.PutAway:
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


def _exchange(side: Side, cards: t.Cards, rules: Ticket) -> bool:
    """Put away what a passive turn is begun with, if the hand is full and holds it."""
    hand = side.hand
    if not rules.exchanges or sum(hand) != rules.hand:
        return False
    for card in cards:
        if card > VETO or hand[card] < cards.count(card):
            return False
    for card in cards:
        hand[card] -= 1
    side.discards += cards
    return True


def _count_votes(state: State, token: t.AnyVote, group: int) -> bool:
    """The vote itself, where the record says all about it and is right."""
    ours, theirs, left = COLUMNS[token.rome], COLUMNS[token.egypt], state.left[group]
    if ours is None or theirs is None or not left:
        return False
    rome_cards, rome_sum, rome_philosophers, rome_rest, rome_lower = ours
    egypt_cards, egypt_sum, egypt_philosophers, egypt_higher, egypt_rest = theirs
    rome, egypt = state.sides
    rome_up, rome_hidden = rome.up[group], rome.hidden[group]
    lying = rome_up + rome_hidden
    lying.sort()
    if lying != rome_cards:
        return False
    egypt_up, egypt_hidden = egypt.up[group], egypt.hidden[group]
    lying = egypt_up + egypt_hidden
    lying.sort()
    if lying != egypt_cards:
        return False
    if rome_sum > egypt_sum:
        winner = ROME
    else:
        winner, rome_rest, egypt_rest = EGYPT, rome_lower, egypt_higher
    if rome_sum == egypt_sum or rome_philosophers != egypt_philosophers:
        if rome_philosophers or egypt_philosophers:
            winner = resolve_sorted(token.rome, token.egypt, state.edition).winner  # type: ignore[arg-type]
        else:
            winner = TIE
    if winner != token.winner:
        return False
    if winner == TIE:
        rome_up += rome_hidden
        egypt_up += egypt_hidden
    else:
        (rome_gone, rome_left), (egypt_gone, egypt_left) = rome_rest, egypt_rest
        rome.up[group] = rome_left[:]
        egypt.up[group] = egypt_left[:]
        rome.discards += rome_gone
        egypt.discards += egypt_gone
        state.totals[group] = len(rome_left) + len(egypt_left)
        state.sides[winner].won[group] += 1
        state.left[group] = left = left - 1
    rome_hidden.clear()
    egypt_hidden.clear()
    if not left:
        empty(state, group)
    return True
