"""The turns of several logs as one: which turns belong together, and the words that say everything the logs know about
each.

Two words for one event become one word that says everything that either of them knows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product, starmap, takewhile
from typing import Any, Final, NamedTuple, assert_never

from ...notation.basics import dataclass, high_to_low, is_known
from ...notation.records import (
    Audience,
    Comment,
    FieldType,
    Token,
    Turn,
    field_kinds,
    follower_line,
    token_text,
    turn_text,
)
from ...notation.records import tokens as t
from ...replay.engine.api import is_taken_back
from ...replay.rules.core import unknown_card_like
from .logs import Log, attributed, followers_of, marks_of, notes_of, one_line


class JoinedToken(NamedTuple):
    """The union of two tokens. ``agree`` is False if they contradict each other: then the first one counts.

    ``alike`` says that they are of the same kind and about the same place, whatever else differs.
    """

    token: t.Token
    agree: bool
    alike: bool


@lru_cache(maxsize=1 << 14)
def join(one: t.Token, two: t.Token) -> JoinedToken:
    """Return what two logs know about the same thing. An unreadable word says nothing."""
    if one == two:
        return JoinedToken(one, True, True)
    if isinstance(one, t.Unread):
        return JoinedToken(two, True, False)
    if isinstance(two, t.Unread):
        return JoinedToken(one, True, False)
    if one.__class__ is not two.__class__:
        return JoinedToken(one, False, False)
    if isinstance(one, t.Castle) and isinstance(two, t.Castle) and (one.first, one.second) == (two.second, two.first):
        two = t.Castle(two.second, two.first, two.cards_second, two.cards_first)
    values: dict[str, Any] = {}
    agree = True
    for name, part in field_kinds(one.__class__).items():
        value, other = getattr(one, name), getattr(two, name)
        if part.field_type not in _IDENTITY:
            values[name], met = _join_values(part.field_type, value, other)
            agree = agree and met
        elif value != other:
            # They mean different things; a mixture would say what nobody has written.
            return JoinedToken(one, False, False)
    return JoinedToken(replace(one, **values), agree, True)


def agree(one: t.Token, two: t.Token) -> bool:
    """Return whether two tokens are about the same thing and don't contradict each other."""
    return join(one, two)[1:] == (True, True)


def can_stand_for(one: t.Token, two: t.Token) -> bool:
    """Return whether two tokens can be about the same thing although they contradict each other."""
    if one.__class__ is two.__class__ or isinstance(one, t.Unread) or isinstance(two, t.Unread):
        return True
    return any(isinstance(one, kinds) and isinstance(two, kinds) for kinds in _CONFUSABLE)


_IDENTITY: Final = (FieldType.GROUP, FieldType.SIDE, FieldType.FACE)
"""The fields that identify a thing: if they differ, two tokens are about different things."""
_REVEALS: Final = tuple(cls for cls, kind in t.KINDS.items() if kind.step == t.REVEAL)
_CONFUSABLE: Final = (t.ACTIONS, _REVEALS, (t.Vote, t.SpecialVote))
"""Kinds of words that may have been mistaken for each other."""


def owner(token: t.Token, side: int) -> int | None:
    """Return the side whose cards a token of ``side``'s turn is about, which knows them best; None if they belong to
    both.
    """
    match t.KINDS[token.__class__].about:
        case Audience.MOVER:
            return side
        case Audience.OTHER:
            return 1 - side
        case Audience.NAMED if isinstance(token, t.ChooseMission):
            return token.side
        case _:
            return None


JoinedValue = tuple[Any, bool]
"""A value, and whether the two that it comes from agree."""


def _join_values(field_type: FieldType, one: Any, two: Any) -> JoinedValue:
    """Return the values of a field in two logs as one; None if it was not written."""
    if one is None or two is None or one == two:
        return two if one is None else one, True
    match field_type:
        case FieldType.CARD:
            return _card(one, two)
        case FieldType.CARDS | FieldType.HAND:
            return _held(one, two)
        case FieldType.LAID | FieldType.PILE:
            return _laid(one, two)
        case FieldType.DRAWN:
            return _drawn(one, two)
        case FieldType.GROUPS:
            return one, sorted(one) == sorted(two)
        case FieldType.MISSIONS:
            return _missions(one, two)
        case FieldType.VALUE | FieldType.WINNER | FieldType.GROUP | FieldType.SIDE | FieldType.FACE | FieldType.TEXT:
            return one, False
        case _:
            assert_never(field_type)


def _card(one: int, two: int) -> JoinedValue:
    if unknown_card_like(one) != unknown_card_like(two):
        return one, False
    return (one, one == two or not is_known(two)) if is_known(one) else (two, True)


def _laid(one: t.Cards, two: t.Cards) -> JoinedValue:
    """Return cards in the order in which they lie."""
    if len(one) != len(two):
        return one, False
    met = [_card(first, second) for first, second in zip(one, two, strict=True)]
    return tuple(card for card, _ in met), all(agree for _, agree in met)


def _drawn(one: t.Cards, two: t.Cards) -> JoinedValue:
    """Return cards in the order in which they were drawn, which few people notice."""
    cards, agree = _laid(one, two)
    if agree:
        return cards, True
    held = _union(one, two)
    if held is None:
        return one, False
    # Use the order of the log that knows more of the cards; cards that are unknown there fill the open places.
    base = max(one, two, key=lambda cards: sum(map(is_known, cards)))
    rest = list((Counter(held) - Counter(filter(is_known, base))).elements())
    drawn: list[int] = []
    for card in base:
        if not is_known(card):
            card = next(other for other in rest if unknown_card_like(other) == card)
            rest.remove(card)
        drawn.append(card)
    return tuple(drawn), True


def _held(one: t.Cards, two: t.Cards) -> JoinedValue:
    """Return cards whose order has no meaning: as written by whoever knows all of them, or from high to low."""
    held = _union(one, two)
    if held is None:
        return one, False
    return next((cards for cards in (one, two) if sorted(cards) == sorted(held)), high_to_low(held)), True


def _union(one: t.Cards, two: t.Cards) -> t.Cards | None:
    """Return all cards that both know, with as many unknown ones as both allow; None if that is impossible."""
    if Counter(map(unknown_card_like, one)) != Counter(map(unknown_card_like, two)):
        return None
    known = Counter(filter(is_known, one)) | Counter(filter(is_known, two))
    rest = Counter(map(unknown_card_like, one))
    rest.subtract(map(unknown_card_like, known.elements()))
    return None if any(count < 0 for count in rest.values()) else (*known.elements(), *rest.elements())


def _missions(one: Sequence[t.Mission], two: Sequence[t.Mission]) -> JoinedValue:
    if len(one) != len(two):
        return one, False
    pairs = [(two, one) if one.kind == "unknown" else (one, two) for one, two in zip(one, two, strict=True)]
    return tuple(known for known, _ in pairs), all(two.kind == "unknown" or one == two for one, two in pairs)


Column = dict[Log, Turn]
"""A turn of the game: log → what the log says about it."""
Slot = dict[Log, int]
"""An event in a turn: log → the place of its word in the turn."""

MAX_LENGTH: Final = 500_000
"""The most pairs of words that are compared to find which turns belong together; no two logs of a game come near that.
Beyond it, turns are matched by their labels, and a turn's words by their kind: the second with the second.
"""
MAX_TURN_LENGTH: Final = 2_500
"""The most pairs of words that are compared within one turn; two turns of fifty words have that many."""
_SAME_LABEL: Final = 0.5
_OTHER_SIDE: Final = -0.8
_TAKEN_BACK: Final = -0.3
_CLASH: Final = 0.3
"""The weight of two words that contradict each other; two that agree have weight 1."""
_LEAST: Final = 0.3
"""The least evidence that two turns are the same."""


def pairs(firsts: Sequence[int], seconds: Sequence[int], worth: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """Return which places of two sequences belong together, in order, so that the total weight is greatest.

    Pairs without weight are never made; among equal solutions the one with the earliest pairs is taken, since a second
    occurrence is a repetition by mistake.
    """
    values = [[worth(one, two) for two in seconds] for one in firsts]
    best = [[0.0] * (len(seconds) + 1) for _ in range(len(firsts) + 1)]
    for first in reversed(range(len(firsts))):
        row, below = best[first], best[first + 1]
        for second in reversed(range(len(seconds))):
            value = values[first][second]
            row[second] = max(below[second], row[second + 1], value + below[second + 1] if value > 0 else 0.0)
    matched: list[tuple[int, int]] = []
    first = second = 0
    while first < len(firsts) and second < len(seconds):
        value = values[first][second]
        if value > 0 and best[first][second] == value + best[first + 1][second + 1]:
            matched.append((firsts[first], seconds[second]))
            first, second = first + 1, second + 1
        elif best[first][second] == best[first][second + 1]:
            second += 1
        else:
            first += 1
    return matched


def equals(one: Sequence[Hashable], two: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the places of equal things in two sequences, in order, as many as can be found in about linear time.

    The second of a kind counts as equal only to the second.
    """
    places = {key: place for place, key in enumerate(_counted(two))}
    ends: list[int] = []  # for each length of a run, the least place where one ends
    runs: list[Any] = []  # the runs, each as its last pair and the run before it
    for first, key in enumerate(_counted(one)):
        if (second := places.get(key)) is not None:
            length = bisect_left(ends, second)
            ends[length : length + 1] = [second]
            runs[length : length + 1] = [((first, second), runs[length - 1] if length else None)]
    matched: list[tuple[int, int]] = []
    rest = runs[-1] if runs else None
    while rest:
        pair, rest = rest
        matched.append(pair)
    return matched[::-1]


def _counted(things: Sequence[Hashable]) -> Iterator[tuple[Hashable, int]]:
    """Yield each thing with the number of equal things before it."""
    met: Counter[Hashable] = Counter()
    for thing in things:
        yield thing, met[thing]
        met[thing] += 1


def turn_columns(turns_by_log: Mapping[Log, Sequence[Turn]]) -> list[Column]:
    """Return the turns of several logs side by side, each log's in its own order."""
    columns: list[Column] = []
    for log, turns in turns_by_log.items():
        columns = _merged_columns(columns, turns, _turn_pairs(columns, turns), log)
    return columns


def _turn_pairs(columns: Sequence[Column], turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """Return which turn belongs to which column. Turns at both ends that plainly agree are not compared with all
    others.
    """
    head = _plain_run(columns, turns)
    tail = _plain_run(reversed(columns[head:]), reversed(turns[head:]))
    here, there = range(head, len(columns) - tail), range(head, len(turns) - tail)
    words = sum(1 + len(turn.tokens) for at in here for turn in columns[at].values())
    if words * sum(1 + len(turns[at].tokens) for at in there) <= MAX_LENGTH:
        middle = pairs(here, there, lambda one, two: _turn_worth(columns[one], turns[two]))
    else:
        labels = [next(iter(columns[at].values())).label for at in here]
        middle = [(here[one], there[two]) for one, two in equals(labels, [turns[at].label for at in there])]
    ends = zip(range(here.stop, len(columns)), range(there.stop, len(turns)), strict=True)
    return [*((at, at) for at in range(head)), *middle, *ends]


def _merged_columns(
    columns: Sequence[Column], turns: Sequence[Turn], matched: Iterable[tuple[int, int]], log: Log
) -> list[Column]:
    """Return the columns with one more log; turns that only this log has follow the turns that it has before them."""
    interleaved: list[Column] = []
    at = turn = 0
    for one, two in (*matched, (len(columns), len(turns))):
        interleaved += columns[at:one]
        interleaved += [{log: turn_of_log} for turn_of_log in turns[turn:two]]
        if one < len(columns):
            interleaved.append({**columns[one], log: turns[two]})
        at, turn = one + 1, two + 1
    return interleaved


def _plain_run(columns: Iterable[Column], turns: Iterable[Turn]) -> int:
    """Return how many turns, from the first on, match their columns by label and in every word."""

    def is_plain(one: Turn, two: Turn) -> bool:
        return one.label == two.label and not one.after and not two.after and likeness(one.tokens, two.tokens) == 1

    pairs = zip(columns, turns, strict=False)
    return sum(1 for _ in takewhile(lambda pair: all(is_plain(one, pair[1]) for one in pair[0].values()), pairs))


def _turn_worth(column: Column, turn: Turn) -> float:
    """Return the evidence that a turn belongs to a column; 0 if there is too little."""
    most = 0.0
    for other in column.values():
        worth = 2 * likeness(other.tokens, turn.tokens)
        if other.side != turn.side:
            worth += _OTHER_SIDE
        elif other.number == turn.number:
            worth += _SAME_LABEL
        most = max(most, worth + (_TAKEN_BACK if is_taken_back(other) != is_taken_back(turn) else 0.0))
    return most if most >= _LEAST else 0.0


def likeness(one: Sequence[Token], two: Sequence[Token]) -> float:
    """Return how similar two turns are, from 0 to 1, whatever the order of their words."""
    if not one and not two:
        return 1.0
    if len(one) * len(two) > MAX_TURN_LENGTH:
        return 2 * (Counter(one) & Counter(two)).total() / (len(one) + len(two))
    here, there, worth = list(one), list(two), 0.0
    for fit, value in ((agree, 1.0), (can_stand_for, _CLASH)):
        for token in tuple(here):
            match = next((at for at, other in enumerate(there) if fit(token, other)), None)
            if match is not None:
                here.remove(token)
                del there[match]
                worth += value
    return 2 * worth / (len(one) + len(two))


def word_slots(tokens_by_log: Mapping[Log, Sequence[Token]]) -> list[Slot]:
    """Return the words of one turn side by side: first those that agree, in any order, then possible counterparts.

    The slots are in the order of the first log; a word that only a later log has follows the word that precedes it
    there.
    """
    slots: list[Slot] = []
    for log, tokens in tokens_by_log.items():
        words = [[tokens_by_log[other][at] for other, at in slot.items()] for slot in slots]
        match = {at: slots[place] for place, at in _word_pairs(words, tokens)}
        next_place = 0
        for at in range(len(tokens)):
            if (slot := match.get(at)) is None:
                slot = {}
                slots.insert(next_place, slot)
            slot[log] = at
            places = chain(range(next_place, len(slots)), range(next_place))
            next_place = next(place for place in places if slots[place] is slot) + 1
    return slots


def _word_pairs(slots: Sequence[Sequence[Token]], tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Return which word belongs to which slot; ``slots`` holds the words of each slot so far."""

    def same(place: int, at: int) -> bool:
        return any(agree(word, tokens[at]) for word in slots[place])

    def clash(place: int, at: int) -> float:
        meant = [word for word in slots[place] if can_stand_for(word, tokens[at])]
        return 2.0 if any(join(word, tokens[at]).alike for word in meant) else float(bool(meant))

    if len(slots) * len(tokens) > MAX_TURN_LENGTH:
        return equals([words[0] for words in slots], tokens)
    # Among similar words, take the one in the same place.
    here, there = list(range(len(slots))), list(range(len(tokens)))
    matched = pairs(here, there, lambda one, two: same(one, two) * (1.001 if one == two else 1.0))
    for place, at in matched:
        here.remove(place)
        there.remove(at)
    for place in list(here):
        for at in there:
            if same(place, at):
                matched.append((place, at))
                here.remove(place)
                there.remove(at)
                break
    return matched + pairs(here, there, clash)


_IN_PARTS: Final[tuple[tuple[Any, str], ...]] = ((t.Draw, "cards"), (t.Missions, "missions"))
"""Kinds of words of which two in a row can say the same as one, and the field that they divide."""


def equalized(column: Column) -> Column:
    """Return one turn with cards joined into one word if some log divided them differently: ``+4 +x`` and ``+ia``."""
    for kind, field in _IN_PARTS:
        cuts = {
            tuple([len(getattr(token, field)) for token in _followers_of(turn, kind)]) for turn in column.values()
        } - {()}
        if len(cuts) > 1 and len({sum(cut) for cut in cuts}) == 1:
            column = {log: _folded(turn, kind, field, log) for log, turn in column.items()}
    return column


def with_bags_together(openings: Sequence[Column], logs: Sequence[Log]) -> list[Column]:
    """Return the set-up lines with the bag in the line where the first log has it; it may be in either (I5)."""
    lines = list(map(dict, openings))
    bags = [(log, line) for log in logs for line in lines if log in line and any(_followers_of(line[log], t.Bag))]
    for log, line in bags[1:]:
        home = bags[0][1]
        if log in home and not any(_followers_of(home[log], t.Bag)):
            bag, rest = list(_followers_of(line[log], t.Bag)), enumerate(line[log].tokens)
            line[log] = _rewritten(line[log], [(at, token) for at, token in rest if token not in bag], log)
            home[log] = _rewritten(home[log], [*enumerate((*home[log].tokens, *bag))], log)
    return lines


def late_openings(logs: Sequence[Log]) -> Iterator[Comment]:
    """Yield the set-up lines of logs that begin later than another log, as comments on the game."""
    for log in logs:
        for turn in takewhile(lambda turn: not turn.number, log.game.record.turns if log.late else ()):
            yield Comment(attributed(log, turn_text(turn)))
            yield from [Comment(attributed(log, follower_line(follower).strip())) for follower in turn.after]


def _followers_of(turn: Turn, kind: type) -> Iterator[t.Token]:
    return (token for token in turn.tokens if isinstance(token, kind))


def _folded(turn: Turn, kind: Any, field: str, log: Log) -> Turn:
    """Return a turn with successive words of the same kind joined into one."""
    words: list[tuple[int, t.Token]] = []
    for at, token in enumerate(turn.tokens):
        if words and isinstance(token, kind) and isinstance(last := words[-1][1], kind):
            words[-1] = words[-1][0], kind(getattr(last, field) + getattr(token, field))
        else:
            words.append((at, token))
    return _rewritten(turn, words, log)


def _rewritten(turn: Turn, words: Sequence[tuple[int, t.Token]], log: Log) -> Turn:
    """Return a turn with new words; the log remembers the place of each among the written ones."""
    places = [at for at, _ in words]
    before = log.places.get(turn.line, [])
    log.places[turn.line] = [before[at] if at < len(before) else at for at in places]
    notes = tuple(
        [note if note.after is None else Comment(note.text, bisect_left(places, note.after)) for note in turn.notes]
    )
    return replace(turn, tokens=tuple([token for _, token in words]), notes=notes)


class JoinedWord(NamedTuple):
    """A joined word. ``slot`` says where the logs have it; ``base`` is the log that counts most, and ``against`` are
    the logs that contradict it.
    """

    token: Token
    slot: Slot
    base: Log
    against: tuple[Log, ...]


class Version(NamedTuple):
    """One way to write the joined turn: its number and side, and its words in order."""

    label: tuple[int, int]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JoinedTurn:
    """A turn in all logs that have it, and its joined words."""

    column: Column
    words: tuple[JoinedWord, ...]
    ranked: tuple[Log, ...]
    """The logs, the one by the player whose turn it is first: if nothing else decides, that player knows best what
    happened.
    """
    picked: Log | None = None
    """The log that was picked in case logs contradict each other."""

    def order_of(self, log: Log) -> tuple[int, ...]:
        """Return the words that a log has, in the log's order."""
        own = [place for place, word in enumerate(self.words) if log in word.slot]
        return tuple(sorted(own, key=lambda place: self.words[place].slot[log]))

    def versions(self) -> Iterator[Version]:
        """Yield every way to write the turn that some log supports; the one with the most support comes first.

        First come all words in the order of each log; then only the words of each, since one log may have too many.
        """
        labels = Counter((self.column[log].number, self.column[log].side) for log in self.ranked)
        orders = dict.fromkeys([*map(self._filled, self.ranked), *map(self.order_of, self.ranked)])
        return starmap(Version, product([label for label, _ in labels.most_common()], orders))

    def _filled(self, log: Log) -> tuple[int, ...]:
        """Return a log's words in its order, each word that it lacks after the word that precedes it elsewhere."""
        order = list(self.order_of(log))
        for place, word in enumerate(self.words):
            if log not in word.slot:
                order.insert(order.index(place - 1) + 1 if place else 0, place)
        return tuple(order)


def joined_turn(column: Column, picked: Log | None = None) -> JoinedTurn:
    """Return a turn with each of its words joined; if logs contradict each other, the ``picked`` one is believed."""
    column = equalized(column)
    slots = word_slots({log: turn.tokens for log, turn in column.items()})
    ranked = sorted(column, key=lambda log: not log.is_of(column[log].side))
    return JoinedTurn(column, tuple(_joined_word(slot, column, picked) for slot in slots), tuple(ranked), picked)


def _joined_word(slot: Slot, column: Column, picked: Log | None) -> JoinedWord:
    """Return a word with everything known; if logs contradict each other, the picked one is believed, then the card's
    owner, then the majority.
    """
    tokens = {log: column[log].tokens[at] for log, at in slot.items()}
    first = next(iter(tokens))
    side = owner(tokens[first], column[first].side)

    def doubt(log: Log) -> tuple[bool, bool, int]:
        return log is not picked, not log.is_of(side), -sum(join(tokens[log], other).agree for other in tokens.values())

    base, *others = sorted(tokens, key=doubt)
    token = tokens[base]
    against: list[Log] = []
    for log in others:
        token, agree, _ = join(token, tokens[log])
        if not agree:
            against.append(log)
    return JoinedWord(token, slot, base, tuple(against))


def turn_of(line: JoinedTurn, version: Version) -> Turn:
    """Return the turn in one of its versions, with everything any log says about it.

    A log's differing word becomes a comment after the word, and so does a word that the version lacks.
    """
    column = line.column
    notes = {log: _placed(turn.notes, line, log, version.order) for log, turn in column.items()}
    marks, others = marks_of({log: turn.marks for log, turn in column.items()})
    notes = (*notes_of(notes), *_difference_comments(line, version))
    within, below = one_line(notes)
    turn = Turn(*version.label, tuple(line.words[place].token for place in version.order), marks, within)
    after = followers_of({log: written.after for log, written in column.items()}, turn)
    return replace(turn, after=(*below, *others, *after))


def _placed(notes: Sequence[Comment], line: JoinedTurn, log: Log, order: tuple[int, ...]) -> list[Comment]:
    """Return a log's comments, each after the word that it followed."""
    own, words_until = line.order_of(log), {place: at for at, place in enumerate(order, 1)}

    def place(after: int) -> int:
        return next((words_until[own[at]] for at in reversed(range(after)) if own[at] in words_until), 0)

    return [note if note.after is None else Comment(note.text, place(note.after)) for note in notes]


def _difference_comments(line: JoinedTurn, version: Version) -> Iterator[Comment]:
    """Yield, as comments, the differences of a log from the joined turn."""
    words_until = {place: at for at, place in enumerate(version.order, 1)}
    last = 0
    for place, word in enumerate(line.words):
        last = max(last, words_until.get(place, 0))
        for log, at in word.slot.items():
            token = line.column[log].tokens[at]
            unread = not hasattr(word.token, "text") and hasattr(token, "text")
            if place not in words_until or log in word.against or unread:
                yield Comment(attributed(log, token_text(token)), words_until.get(place, last))
