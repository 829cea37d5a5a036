"""One turn as several logs have it, as one line that says all that they know of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product, starmap
from typing import NamedTuple

from ...notation.record import Comment, Turn
from ...notation.tokens import Token
from ...notation.writer import token_text
from .alignment import Column, Slot, word_slots
from .joined_tokens import join, owner
from .logs import Log
from .normalising import evened
from .remarks import followers_of, marks_of, notes_of, one_line, said


class Settled(NamedTuple):
    """One word as it is joined. ``slot`` says where the logs have it; ``base`` is the log that counts most, and
    ``against`` are those that contradict it.
    """

    token: Token
    slot: Slot
    base: Log
    against: tuple[Log, ...]


class Version(NamedTuple):
    """One way to write the joined turn: its number and side, and which words it has in which order."""

    label: tuple[int, int]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JoinedTurn:
    """One turn in all logs that have it, and its words as they are joined."""

    column: Column
    words: tuple[Settled, ...]
    ranked: tuple[Log, ...]
    """The logs, first that of the player whose turn it is, who knows best what happened where nothing else tells."""
    picked: Log | None = None
    """The log whose words somebody chose where logs contradict each other."""

    def order_of(self, log: Log) -> tuple[int, ...]:
        """Return the words that a log has, in its order."""
        own = [place for place, word in enumerate(self.words) if log in word.slot]
        return tuple(sorted(own, key=lambda place: self.words[place].slot[log]))

    def versions(self) -> Iterator[Version]:
        """Yield every way to write the turn that some log supports; the one with most support comes first.

        First all words in the order of each log; then only the words of each, since one may have written too much.
        """
        labels = Counter((self.column[log].number, self.column[log].side) for log in self.ranked)
        orders = dict.fromkeys([*map(self._filled, self.ranked), *map(self.order_of, self.ranked)])
        return starmap(Version, product([label for label, _ in labels.most_common()], orders))

    def _filled(self, log: Log) -> tuple[int, ...]:
        """Return a log's words in its order, with each that it lacks after the word that it follows elsewhere."""
        order = list(self.order_of(log))
        for place, word in enumerate(self.words):
            if log not in word.slot:
                order.insert(order.index(place - 1) + 1 if place else 0, place)
        return tuple(order)


def joined_turn(column: Column, picked: Log | None = None) -> JoinedTurn:
    """Return a turn with each of its words joined; in a contradiction the log that was ``picked`` is believed."""
    column = evened(column)
    slots = word_slots({log: turn.tokens for log, turn in column.items()})
    ranked = sorted(column, key=lambda log: not log.is_of(column[log].side))
    return JoinedTurn(column, tuple(_settle(slot, column, picked) for slot in slots), tuple(ranked), picked)


def _settle(slot: Slot, column: Column, picked: Log | None) -> Settled:
    """Return a word with all that is known; in a contradiction the log that was picked is believed, then the card's
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
    return Settled(token, slot, base, tuple(against))


def turn_of(line: JoinedTurn, version: Version) -> Turn:
    """Return the turn in one of its versions, with everything that anybody said about it.

    What a log has otherwise becomes a comment after the word, and so does a word that the version lacks.
    """
    column = line.column
    notes = {log: _placed(turn.notes, line, log, version.order) for log, turn in column.items()}
    marks, others = marks_of({log: turn.marks for log, turn in column.items()})
    notes = (*notes_of(notes), *_otherwise(line, version))
    within, below = one_line(notes)
    turn = Turn(*version.label, tuple(line.words[place].token for place in version.order), marks, within)
    after = followers_of({log: written.after for log, written in column.items()}, turn)
    turn.after = (*below, *others, *after)
    return turn


def _placed(notes: Sequence[Comment], line: JoinedTurn, log: Log, order: tuple[int, ...]) -> list[Comment]:
    """Return a log's comments, each after the word that it followed."""
    own, behind = line.order_of(log), {place: at for at, place in enumerate(order, 1)}

    def place(after: int) -> int:
        return next((behind[own[at]] for at in reversed(range(after)) if own[at] in behind), 0)

    return [note if note.after is None else Comment(note.text, place(note.after)) for note in notes]


def _otherwise(line: JoinedTurn, version: Version) -> Iterator[Comment]:
    """Yield what some log has otherwise than the joined turn, as comments."""
    behind = {place: at for at, place in enumerate(version.order, 1)}
    last = 0
    for place, word in enumerate(line.words):
        last = max(last, behind.get(place, 0))
        for log, at in word.slot.items():
            token = line.column[log].tokens[at]
            unread = not hasattr(word.token, "text") and hasattr(token, "text")
            if place not in behind or log in word.against or unread:
                yield Comment(said(log, token_text(token)), behind.get(place, last))
