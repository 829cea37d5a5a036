"""A record with the wrong starter, or its set-up on the wrong sides: the sides exchanged, the votes counted anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import log
from typing import Final

from ...notation import tokens as t
from ...notation.cards import EGYPT, PLAYER_NAMES, ROME
from ...notation.diagnostic import ERROR
from ...notation.reader import as_game
from ...notation.record import Alternative, Follower, Record, Ruling, Turn
from ..engine.findings import END
from ..engine.headers import read_headers
from ..engine.replay import replay_game
from ..engine.shown import counted
from .edits import Edit
from .slips import Slip

_LINES: Final = log(50)
"""How much seldomer the set-up lines are exchanged than the wrong player is said to begin."""
_MOST_DUE: Final = 30
"""Special votes that are left out or added at most where votes come out otherwise."""


def exchanged(record: Record, *, lines: bool = False, anew: bool = True) -> Record:
    """Return a record with the other starter and its turns on the other side; with ``lines`` instead with the set-up
    lines exchanged. Its votes and scouts are counted ``anew`` where its writer saw all cards, and special votes are
    held where they are due.
    """
    frame = read_headers(record)
    turns = [_other_side(turn) if bool(turn.number) != lines else turn for turn in record.turns]
    headers = record.headers if lines else with_starter(record, PLAYER_NAMES[1 - frame.starter])
    new = replace(record, headers=headers, turns=tuple(turns))
    if not anew or frame.view != "arbiter" or frame.edition is None:
        return new
    for place, turn in enumerate(turns):
        new = _with_tokens(new, place, map(without_cards, turn.tokens))
    for _ in range(_MOST_DUE):
        game = as_game(new)
        fault = next((each for each in replay_game(game).run.findings if each.severity == ERROR), None)
        if fault is None or fault.turn is None or fault.at is None or fault.fault.code not in ("R401", "R402"):
            break
        tokens, at = [*fault.turn.tokens], len(fault.turn.tokens) if fault.at == END else fault.at
        is_due = fault.fault.code == "R402"
        tokens[at : at + (not is_due)] = [t.SpecialVote(fault.fault.facts["group"])] * is_due
        new = _with_tokens(game.record, [id(turn) for turn in game.record.turns].index(id(fault.turn)), tokens)
    for (place, at), token in counted_tokens(new).items():
        tokens = [*new.turns[place].tokens]
        tokens[at] = token
        new = _with_tokens(new, place, tokens)
    return new


def _with_tokens(record: Record, place: int, tokens: Iterable[t.Token]) -> Record:
    turn = replace(record.turns[place], tokens=tuple(tokens))
    return replace(record, turns=(*record.turns[:place], turn, *record.turns[place + 1 :]))


def with_starter(record: Record, player: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of a record, which say that a player began."""
    return (*[header for header in record.headers if header[0] != "Starts"], ("Starts", player))


def exchange_edits(record: Record) -> Iterator[list[Edit]]:
    """Yield what explains a record by a wrong starter, or by set-up lines on the wrong sides: edits of which the first
    one that can be proven is meant.

    Such a slip is one of the whole record, while any other could have been made at each of its words.
    """
    words = sum(len(turn.tokens) + 1 for turn in record.turns)
    cost = max(0.0, Slip.STARTER.cost - log(words + 1))
    other = PLAYER_NAMES[1 - read_headers(record).starter]
    yield [Edit(Slip.STARTER, cost, 0, 0, headers=with_starter(record, other))]
    lead = sum(not turn.number for turn in record.turns[:2])
    for slip, begin in (Slip.STARTER, lead), (Slip.SETUP, 0):
        cost += _LINES * (slip is Slip.SETUP)
        news = [exchanged(record, lines=slip is Slip.SETUP, anew=anew) for anew in (False, True)]
        yield [Edit(slip, cost, begin, len(new.turns), tuple(new.turns[begin:]), headers=new.headers) for new in news]


def counted_tokens(record: Record) -> dict[tuple[int, int], t.Token]:
    """Return the votes and scouts of a record, by turn and token, with what the cards on the table determine."""
    game = as_game(record)
    places = {id(turn): place for place, turn in enumerate(game.record.turns)}
    whole: dict[tuple[int, int], t.Token] = {}
    for last, step in pairwise(replay_game(game).steps):
        turn, token, at = step.turn, step.token, step.at
        if turn is None or not isinstance(token, t.Vote | t.SpecialVote | t.Scout):
            continue
        if not any(isinstance(each, t.Veto) for each in turn.tokens[at + 1 : at + 2]):
            whole[places[id(turn)], at] = counted(last.state, token)
    return whole


def without_cards(token: t.Token) -> t.Token:
    """Return a vote or a scout without its cards, any other token as it is."""
    match token:
        case t.Vote() | t.SpecialVote():
            return replace(token, rome=None, egypt=None, winner=None)
        case t.Scout():
            return replace(token, seen=None)
        case _:
            return token


def _other_side(turn: Turn) -> Turn:
    """Return a turn of the other side, with what was ruled about it and what could have been played."""
    after: list[Follower] = []
    for line in turn.after:
        if isinstance(line, Ruling):
            after.append(replace(line, side=1 - line.side))
        elif isinstance(line, Alternative):
            after.append(replace(line, turn=_other_side(line.turn)))
        else:
            after.append(line)
    return replace(turn, side=(EGYPT, ROME)[turn.side], after=tuple(after))
