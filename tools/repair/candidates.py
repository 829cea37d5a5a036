"""The ways in which slips may have changed a record: every edit of a turn, missing turns, swapped sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from math import log
from typing import Any, Final, TypeAlias

from ...notation.basics import EGYPT, INFLUENCE_CARDS, PLAYER_NAMES, ROME, SOME_ACTION, SOME_INFLUENCE, high_to_low
from ...notation.extra import intended_header, is_aside
from ...notation.records import ERROR, Alternative, BadLine, Comment, Follower, Record, Ruling, Turn, as_game
from ...notation.records import tokens as t
from ...replay.engine.api import (
    AT_END,
    apply,
    first_turn,
    intended_values,
    read_headers,
    replay_game,
    set_up_lines,
    walk,
    with_counts,
)
from ...replay.rules.api import State
from ...replay.rules.core import (
    ANNOUNCED_ONLY,
    DRAW,
    KIND,
    OTHER,
    TURN_END,
    ImpossibleMoveError,
    MissingCardsError,
    MoveList,
    decode,
    encoded,
    list_moves,
    make_move,
)
from ...replay.rules.game.legal import draws
from .edits import Edit
from .slips import Slip, Vocabulary, intended_turns, intended_words

_UNREAD_WORD: Final = log(10)
"""The additional cost of dropping an unreadable word: most of them meant something."""
_SECOND: Final = log(20)
"""How much likelier it is that a placed card was left out if only one is written, since nearly every turn has two."""
MAX_MISSING_CARDS: Final = 3
"""The most cards of a draw that was left out."""


def edits_at(turns: Sequence[Turn], place: int, state: State, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the edits of the turn at a place, and of its position among the others; ``state`` is the state before
    it.
    """
    turn = turns[place]
    yield from _other_words(place, turn, vocabulary)
    yield from _fewer_words(place, turn)
    yield from _exchanged_groups(place, turn)
    yield from _more_words(place, turn, state, vocabulary)
    if (turn.number, turn.side) != (state.number, state.active):
        due = replace(turn, number=state.number, side=state.active)
        yield Edit(Slip.LABEL, Slip.LABEL.cost, place, place + 1, (due,))
        yield Edit(Slip.TURN_DOUBLED, Slip.TURN_DOUBLED.cost, place, place + 1)
        if place + 1 < len(turns):
            yield Edit(Slip.TURN_ORDER, Slip.TURN_ORDER.cost, place, place + 2, (turns[place + 1], turn))
    yield from _unread_lines(place, turn)
    if place and not turns[place - 1].number:
        yield from _unread_lines(place - 1, turns[place - 1])


def opening_edits(lines: Sequence[Turn], vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the edits of the set-up lines."""
    for place, turn in enumerate(lines):
        yield from _other_words(place, turn, vocabulary)
        placed = [(at, token) for at, token in enumerate(turn.tokens) if isinstance(token, t.Place)]
        for (at, one), (other_at, other) in combinations(placed, 2):
            cost = Slip.SETUP.cost + log(2 * len(placed))
            words = {at: replace(one, card=other.card), other_at: replace(other, card=one.card)}
            yield _edit(place, turn, _with_value(turn, words), Slip.SETUP, cost, at)


def doubled_edits(turns: Sequence[Turn]) -> Iterator[Edit]:
    """Yield the removal of each block of turns that repeats the one before it; comments that only the repetition has
    are kept.
    """
    words = [(turn.number, turn.side, turn.tokens) for turn in turns]
    place = 1
    while place < len(words):
        begin = max((at for at in range(place) if words[at] == words[place]), default=place)
        size = place - begin
        if not size or words[begin:place] != words[place : place + size]:
            place += 1
            continue
        end = place
        while words[begin:place] == words[end : end + size]:
            end += size
        first, again = turns[begin:place], turns[place:end]
        said = {each for turn in first for each in (*turn.notes, *turn.after)}
        more = dict.fromkeys([each for turn in again for each in (*turn.notes, *turn.after) if each not in said])
        if not more:
            yield Edit(Slip.TURN_DOUBLED, Slip.TURN_DOUBLED.cost, place, end)
        else:
            kept = [Comment(each.text) if isinstance(each, Comment) else each for each in more]
            last = replace(first[-1], after=(*first[-1].after, *kept))
            yield Edit(Slip.TURN_DOUBLED, Slip.TURN_DOUBLED.cost, place - 1, end, (last,))
        place = end


def header_edits(record: Record) -> Iterator[Edit]:
    """Yield the record with its headers as they may have been: restored from unreadable lines, and with the values that
    were probably meant.
    """
    headers = [*record.headers]
    preface: list[Comment | BadLine] = []
    for line in record.preface:
        header = intended_header(line.text) if isinstance(line, BadLine) and not is_aside(line.text) else None
        if header:
            headers.append(header)
        else:
            preface.append(line)
    for place, (name, value) in enumerate(headers):
        meant = intended_values(name, value)
        headers[place] = name, meant[0] if len(meant) == 1 else value
    if tuple(headers) != record.headers:
        yield Edit(Slip.SPELLING, Slip.SPELLING.cost, 0, 0, headers=tuple(headers), preface=tuple(preface))


def _edit(place: int, turn: Turn, tokens: tuple[t.Token, ...], slip: Slip, cost: float, at: int) -> Edit:
    """Return the edit that gives a turn different tokens; the first that differs is at ``at``."""
    new = Turn(turn.number, turn.side, tokens, turn.marks, turn.notes, turn.after, turn.line)
    return Edit(slip, cost, place, place + 1, (new,), at)


def _with_value(turn: Turn, words: dict[int, Any]) -> tuple[t.Token, ...]:
    return tuple([words.get(at, token) for at, token in enumerate(turn.tokens)])


def _other_words(place: int, turn: Turn, vocabulary: Vocabulary) -> Iterator[Edit]:
    for at, token in enumerate(turn.tokens):
        if isinstance(token, t.Unread):
            yield from _readings_at(place, turn, at, token)
        else:
            for other, slip, cost in vocabulary.rewritings(token, turn.side):
                yield _edit(place, turn, _with_value(turn, {at: other}), slip, cost, at)


def _readings_at(place: int, turn: Turn, at: int, token: t.Unread) -> Iterator[Edit]:
    for other, cost in intended_words(token.text).items():
        yield _edit(place, turn, _with_value(turn, {at: other}), Slip.SPELLING, cost, at)


def readings(turns: Sequence[Turn]) -> Iterator[Edit]:
    """Yield what the first unreadable word may have meant."""
    for place, turn in enumerate(turns):
        for at, token in enumerate(turn.tokens):
            if isinstance(token, t.Unread):
                yield from _readings_at(place, turn, at, token)
                return


def _fewer_words(place: int, turn: Turn) -> Iterator[Edit]:
    """Yield the turn without one of its words, and with two neighbours swapped."""
    tokens = turn.tokens
    for at, token in enumerate(tokens):
        slip = Slip.DOUBLED if token in tokens[:at] or token in tokens[at + 1 :] else Slip.EXTRA
        cost = slip.cost + (_UNREAD_WORD if isinstance(token, t.Unread) else 0.0)
        yield _edit(place, turn, (*tokens[:at], *tokens[at + 1 :]), slip, cost, at)
        if at:
            swapped = (*tokens[: at - 1], token, tokens[at - 1], *tokens[at + 1 :])
            yield _edit(place, turn, swapped, Slip.ORDER, Slip.ORDER.cost, at - 1)


def _exchanged_groups(place: int, turn: Turn) -> Iterator[Edit]:
    named: list[tuple[int, Any]] = [(at, token) for at, token in enumerate(turn.tokens) if hasattr(token, "group")]
    for (at, one), (other_at, other) in combinations(named, 2):
        if one.group != other.group:
            words = {at: replace(one, group=other.group), other_at: replace(other, group=one.group)}
            yield _edit(place, turn, _with_value(turn, words), Slip.GROUPS_EXCHANGED, Slip.GROUPS_EXCHANGED.cost, at)


def _more_words(place: int, turn: Turn, state: State, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the turn with one more word, or with a different reveal, as far as the rules allow."""
    tokens, codes, state = turn.tokens, encoded(turn.tokens), state.copy()
    lone = state.rules.up_alone and sum(isinstance(token, t.Place) for token in tokens) == 1
    for at in range(len(tokens) + 1):
        vetoed = turn.is_vetoed(at - 1)
        for words, cost in _missing_words(state, vetoed, vocabulary):
            cost -= _SECOND * (lone and isinstance(words[0], t.Place))
            yield _edit(place, turn, (*tokens[:at], *words, *tokens[at:]), Slip.OMITTED, cost, at)
        yield from _other_reveals(place, turn, at, state)
        if not vetoed:
            yield from _vetoes(place, turn, at, vocabulary)
        if at == len(tokens) or codes[2 * at] & KIND == OTHER:
            return
        try:
            make_move(state, codes[2 * at] | ANNOUNCED_ONLY * turn.is_vetoed(at), codes[2 * at + 1])
        except (ImpossibleMoveError, MissingCardsError):
            return


def _other_reveals(place: int, turn: Turn, at: int, state: State) -> Iterator[Edit]:
    """Yield the turn with a vote, or a card without a vote, replaced by anything else that the rules allow there."""
    for token in turn.tokens[at : at + 1]:
        if isinstance(token, t.AnyVote | t.NoVote | t.PutAway):
            kinds = t.SpecialVote if isinstance(token, t.SpecialVote) else t.Vote | t.NoVote | t.PutAway
            others = [other for other in _options(state, False) if isinstance(other, kinds) and other != token]
            for other in others:
                cost = Slip.OTHER_WORD.cost + log(len(others))
                yield _edit(place, turn, _with_value(turn, {at: other}), Slip.OTHER_WORD, cost, at)


def _vetoes(place: int, turn: Turn, at: int, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the turn with the action before a place vetoed, and every possible card drawn for the veto."""
    tokens = turn.tokens
    if at and isinstance(tokens[at - 1], t.Action):
        cost = Slip.VETO.cost + log(1 + len(vocabulary.cards))
        for card in (None, *vocabulary.cards):
            yield _edit(place, turn, (*tokens[:at], t.Veto(card), *tokens[at:]), Slip.VETO, cost, at)


def _missing_words(state: State, vetoed: bool, vocabulary: Vocabulary) -> Iterator[tuple[tuple[t.Token, ...], float]]:
    """Yield what the rules allow in a state; each class of words is equally likely as a whole.

    They include draws of several cards and both choices of a mission; if an action is vetoed next, only announced
    actions.
    """
    options = _options(state, vetoed)
    alike: dict[type, list[Any]] = defaultdict(list)
    for token in options:
        alike[token.__class__].append(token)
    for token in options:
        cost = Slip.OMITTED.cost + log(len(alike[token.__class__]))
        yield (vocabulary.as_written(token, state.active, vetoed),), cost
    for token in vocabulary.missing_words():
        yield (token,), Slip.OMITTED.cost + log(len(vocabulary.groups))
    cards = [draw.cards[0] for draw in alike[t.Draw]]
    missing = int(state.draw_limit())
    if 1 < missing <= MAX_MISSING_CARDS:
        cost = Slip.OMITTED.cost + missing * log(max(1, len(cards)))
        for drawn in combinations_with_replacement(cards, missing):
            yield (vocabulary.as_written(t.Draw(drawn), state.active),), cost
    choices = alike[t.ChooseMission]
    for one, other in combinations(choices, 2):
        if one.side != other.side:
            yield (one, other), Slip.OMITTED.cost + log(len(choices))


def _options(state: State, announced: bool) -> list[t.Token]:
    """Return the words that the rules allow in a state: only announced actions, or all others."""
    moves = MoveList()
    list_moves(state, moves, False)
    return [
        decode(code & ~ANNOUNCED_ONLY, more)
        for code, more in moves.pairs()
        if code != TURN_END and bool(code & ANNOUNCED_ONLY) == announced
    ]


def _unread_lines(place: int, turn: Turn) -> Iterator[Edit]:
    """Yield a turn together with each turn that an unreadable line after it may have been."""
    for number, follower in enumerate(turn.after):
        if isinstance(follower, BadLine):
            before, later = turn.after[:number], turn.after[number + 1 :]
            first = replace(turn, after=before)
            for meant, cost in intended_turns(follower.text):
                yield Edit(Slip.SPELLING, cost, place, place + 1, (first, replace(meant, after=later)))


Words: TypeAlias = tuple[t.Token, ...]


def whole_turns(state: State, with_action: bool, tokens: Words = (), last: int = 0) -> Iterator[Words]:
    """Yield the tokens of each turn that may follow a state, with or without an action, and with draws as ``i`` and
    ``a``; only turns that begin with ``tokens``, which have been played.

    Placed cards come in one order only; ``last`` is the code of the last one.
    """
    moves = MoveList()
    list_moves(state, moves, False)
    drawn = False
    for code, more in moves.pairs():
        if code & KIND == DRAW:
            if not drawn:
                yield from _drawn(state, tokens)
            drawn = True
        elif code == TURN_END:
            if not with_action or any(isinstance(token, t.Action) for token in tokens):
                yield tokens
        elif not code & ANNOUNCED_ONLY:
            token = decode(code, more)
            is_placed = isinstance(token, t.Place)
            if (is_placed and code < last) or (isinstance(token, t.Action) and not with_action):
                continue
            after = state.copy()
            try:
                make_move(after, code, more)
            except (ImpossibleMoveError, MissingCardsError):
                continue
            yield from whole_turns(after, with_action, (*tokens, token), code if is_placed else last)


def _drawn(state: State, tokens: Words) -> Iterator[Words]:
    """Yield the turn with as many unknown cards drawn as the hand needs."""
    with_action = any(isinstance(token, t.Action) for token in tokens)
    for draw in draws(state):
        after = state.copy()
        apply(after, draw)
        yield from whole_turns(after, with_action, (*tokens, draw))


def named(state: State, cards: t.Cards) -> Iterator[t.Draw]:
    """Yield a draw of cards with the unknown ones named, in every way that the piles in a state allow."""
    if not cards:
        return
    unseen = state.sides[state.active].unseen
    influence = [card for card in INFLUENCE_CARDS if unseen[card] > 0]
    actions = [card for card in state.edition.actions if unseen[card] > 0]
    for some in combinations_with_replacement(influence, cards.count(SOME_INFLUENCE)):
        for others in combinations_with_replacement(actions, cards.count(SOME_ACTION)):
            drawn = (*some, *others)
            if all(drawn.count(card) <= unseen[card] for card in drawn):
                yield t.Draw(drawn)


_LINES: Final = log(50)
"""How much rarer swapped set-up lines are than a wrong starting player."""
_SPECIAL: Final = ("R401", "R402")
"""Faults of special votes: one that is not due, and one that is missing."""
_MAX_SPECIAL_VOTES: Final = 30
"""The most special votes that are dropped or added when votes get different results."""


def exchanged(record: Record, rules: str = "", *, lines: bool = False, recount: bool = True) -> Record:
    """Return a record with the other starting player and its turns on the other side; with ``lines``, its set-up lines
    are swapped instead. Its votes and scouts are counted ``recount`` if its writer saw all cards, and due special votes
    are held. ``rules`` names the rule set of a record whose headers name none.
    """
    frame = read_headers(record, rules)
    turns = [_other_side(turn) if bool(turn.number) != lines else turn for turn in record.turns]
    headers = record.headers if lines else with_starter(record, PLAYER_NAMES[1 - frame.starter])
    new = replace(record, headers=headers, turns=tuple(turns))
    return _recounted(new, rules) if recount and frame.view == "arbiter" and frame.edition is not None else new


def _recounted(record: Record, rules: str) -> Record:
    """Return a record with its votes and scouts as the cards on the table determine them, and due special votes
    held.
    """
    for place, turn in enumerate(record.turns):
        record = _with_tokens(record, place, map(without_cards, turn.tokens))
    for _ in range(_MAX_SPECIAL_VOTES):
        if (mended := _with_special_vote(record, rules)) is None:
            break
        record = mended
    for (place, at), token in counted_tokens(record, rules).items():
        record = _with_tokens(record, place, _with_value(record.turns[place], {at: token}))
    return record


def _with_special_vote(record: Record, rules: str) -> Record | None:
    """Return a record whose first error is about a special vote with the vote that is due added, or the one that is not
    removed; None if the error is about something else, or there is none.
    """
    game = as_game(record)
    fault = next((each for each in replay_game(game, rules).run.findings if each.severity == ERROR), None)
    if fault is None or fault.turn is None or fault.at is None or fault.fault.code not in _SPECIAL:
        return None
    tokens, at = [*fault.turn.tokens], len(fault.turn.tokens) if fault.at == AT_END else fault.at
    is_due = fault.fault.code == "R402"
    tokens[at : at + (not is_due)] = [t.SpecialVote(fault.fault.facts["group"])] * is_due
    return _with_tokens(game.record, fault.place, tokens)


def _with_tokens(record: Record, place: int, tokens: Iterable[t.Token]) -> Record:
    turn = replace(record.turns[place], tokens=tuple(tokens))
    return replace(record, turns=(*record.turns[:place], turn, *record.turns[place + 1 :]))


def with_starter(record: Record, player: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of a record, changed to say that a player began."""
    return (*[header for header in record.headers if header[0] != "Starts"], ("Starts", player))


def side_edits(record: Record, rules: str) -> Iterator[list[Edit]]:
    """Yield edits that explain a record by a wrong starting player, or by set-up lines on the wrong sides; use the
    first that can be proven.

    Such a slip affects the whole record, while any other could have been made at each of its words.
    """
    words = sum(len(turn.tokens) + 1 for turn in record.turns)
    cost = max(0.0, Slip.STARTER.cost - log(words + 1))
    other = PLAYER_NAMES[1 - read_headers(record, rules).starter]
    yield [Edit(Slip.STARTER, cost, 0, 0, headers=with_starter(record, other))]
    lead = first_turn(set_up_lines(record.turns))
    # Votes that are counted anew may be wrong as written, and the wrong side does not explain why.
    miscounted = _miscounted(record, rules) * Slip.WINNER.cost
    for slip, begin in (Slip.STARTER, lead), (Slip.SETUP, 0):
        cost += _LINES * (slip is Slip.SETUP)
        yield [
            Edit(slip, cost + extra, begin, len(new.turns), tuple(new.turns[begin:]), headers=new.headers)
            for new, extra in [
                (exchanged(record, rules, lines=slip is Slip.SETUP, recount=False), 0.0),
                (exchanged(record, rules, lines=slip is Slip.SETUP), miscounted),
            ]
        ]


def counted_tokens(record: Record, rules: str = "") -> dict[tuple[int, int], t.Token]:
    """Return the votes and scouts of a record, by turn and token, with what the cards on the table determine."""
    return {
        (point.step.place, point.step.at): with_counts(point.before, point.step.token)
        for point in walk(replay_game(as_game(record), rules))
        if isinstance(point.step.token, t.AnyVote | t.Scout) and not point.vetoed
    }


def _miscounted(record: Record, rules: str) -> int:
    """Return how many votes and scouts of a record differ from what the cards on its table determine, plus how many
    special votes are missing or superfluous.
    """
    replayed = replay_game(as_game(record), rules)
    count = sum(finding.fault.code in _SPECIAL for finding in replayed.run.findings)
    for before, step in walk(replayed):
        if isinstance(step.token, t.Vote | t.SpecialVote | t.Scout):
            said = zip(_vote_claims(step.token), _vote_claims(with_counts(before, t.chosen(step.token))), strict=True)
            count += any(None not in (one, two) and one != two for one, two in said)
    return count


def _vote_claims(token: t.Token) -> tuple[object, ...]:
    """Return what a vote or a scout says about cards, and who won it."""
    if isinstance(token, t.Vote | t.SpecialVote):
        return (*[cards and high_to_low(cards) for cards in (token.rome, token.egypt)], token.winner)
    return (token.seen,) if isinstance(token, t.Scout) else ()


def without_cards(token: t.Token) -> t.Token:
    """Return a vote or a scout without its cards; return any other token unchanged."""
    return t.chosen(token) if isinstance(token, t.Vote | t.SpecialVote | t.Scout) else token


def _other_side(turn: Turn) -> Turn:
    """Return a turn moved to the other side, with its rulings and alternatives."""
    after: list[Follower] = []
    for line in turn.after:
        if isinstance(line, Ruling):
            after.append(replace(line, side=1 - line.side))
        elif isinstance(line, Alternative):
            after.append(replace(line, turn=_other_side(line.turn)))
        else:
            after.append(line)
    return replace(turn, side=(EGYPT, ROME)[turn.side], after=tuple(after))
