"""What it would have taken to turn a vote: the smallest changes, each found by resolving the changed vote anew."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import INFLUENCE_CARDS, PHILOSOPHER, PLAYER_NAMES, ROME, SIDE_NAMES, SOME_INFLUENCE, high_to_low
from ..diagnostics.names import bare_name, card_name, counted
from ..editions.edition import Edition
from ..engine.ballot import Ballot
from ..rules.state import State
from ..rules.vote_outcome import resolve
from .event import Event
from .wording import outcome_words

POINTS: Final = "points"
PHILOSOPHER_MORE: Final = "philosopher"
PHILOSOPHER_LESS: Final = "no philosopher"
UNDONE: Final = "undone"

Columns = tuple[t.Cards, t.Cards]


class Margin(NamedTuple):
    """One change that turns the vote to ``result`` (a side or TIE); ``cards`` are both columns after it.

    ``side`` is whose cards it changes. ``size`` counts points for POINTS, negative where there are fewer, and is 1 for
    what is done to one card or one action. ``words`` name what would have to be undone, for UNDONE.
    """

    kind: str
    side: int | None
    size: int
    result: int
    cards: Columns
    words: str = ""


def margins(
    vote: Ballot, edition: Edition, since: Sequence[tuple[str, Event]], sees: tuple[bool, bool]
) -> tuple[Margin, ...]:
    """Return the smallest changes of each kind that would have turned a vote, to each other result that they can bring.

    ``since`` is what was done at the group since its last vote, each with the label of its turn.
    Points are counted in changes of one card: another one in its place, one more, or one fewer, as far as the limits of
    the edition allow (D4, D5). ``sees`` says whether Rome's and Egypt's hidden cards may be looked at. None where the
    record gave the vote to another side than the rules do.
    """
    if vote.outcome.winner != vote.rightful.winner:
        return ()
    return (*_points(vote, edition), *_philosophers(vote, edition), *_undone(vote, edition, since, sees))


def one_card_changes(column: t.Cards, room: bool) -> Iterator[tuple[int, ...]]:
    """Yield each column that differs in one card: another in its place, one more where there is ``room``, one fewer."""
    for place, card in enumerate(column):
        if place and column[place - 1] == card:
            continue
        rest = column[:place] + column[place + 1 :]
        for other in INFLUENCE_CARDS:
            if other != card:
                yield (*rest, other)
        yield rest
    if room:
        for card in INFLUENCE_CARDS:
            yield (*column, card)


def has_room(vote: Ballot, side: int, edition: Edition) -> bool:
    """Return whether one more card of a side would have been allowed at the group (D4, D5)."""
    limit = edition.total_limit
    is_full = limit is not None and sum(map(len, vote.columns)) >= limit
    return len(vote.columns[side]) < edition.side_limit and not is_full


def _points(vote: Ballot, edition: Edition) -> Iterator[Margin]:
    """Yield more or fewer points on a side, by one card, philosophers left alone."""
    for side, column in enumerate(vote.columns):
        philosophers, total = column.count(PHILOSOPHER), sum(column)
        smallest: dict[tuple[bool, int], Margin] = {}
        tried: set[tuple[int, int]] = set()
        for changed in one_card_changes(column, has_room(vote, side, edition)):
            size = sum(changed) - total
            # As many cards with the same sum and as many philosophers among them fare alike.
            if changed.count(PHILOSOPHER) != philosophers or (size, len(changed)) in tried:
                continue
            tried.add((size, len(changed)))
            for margin in _turned(vote, edition, _beside(vote, side, changed), POINTS, side, size):
                best = smallest.setdefault((size > 0, margin.result), margin)
                if abs(size) < abs(best.size):
                    smallest[size > 0, margin.result] = margin
        yield from sorted(smallest.values(), key=lambda margin: abs(margin.size))


def _philosophers(vote: Ballot, edition: Edition) -> Iterator[Margin]:
    """Yield one philosopher more, in place of the lowest card where there is no room, or one fewer."""
    for side, column in enumerate(vote.columns):
        numbers = [card for card in column if card != PHILOSOPHER]
        rest = list(column)
        if not has_room(vote, side, edition):
            if not numbers:
                continue
            rest.remove(min(numbers))
        yield from _turned(vote, edition, _beside(vote, side, (*rest, PHILOSOPHER)), PHILOSOPHER_MORE, side)
    for side, column in enumerate(vote.columns):
        rest = list(column)
        if PHILOSOPHER in rest:
            rest.remove(PHILOSOPHER)
            yield from _turned(vote, edition, _beside(vote, side, tuple(rest)), PHILOSOPHER_LESS, side)


def _beside(vote: Ballot, side: int, changed: t.Cards) -> Columns:
    """Return a changed column beside the other one as it was."""
    rome, egypt = vote.columns
    return (changed, egypt) if side == ROME else (rome, changed)


def _turned(
    vote: Ballot, edition: Edition, columns: Columns, kind: str, side: int | None, size: int = 1, words: str = ""
) -> Iterator[Margin]:
    """Yield the change as a margin; none where the vote goes as it went, or too few cards are left to call it (I7)."""
    if vote.special and sum(map(len, columns)) < edition.special_threshold:
        return
    result = resolve(*columns, edition).winner
    if result != vote.rightful.winner:
        rome, egypt = map(high_to_low, columns)
        yield Margin(kind, side, size, result, (rome, egypt), words)


# ------------------------------------------------------------------------------------------------- what was done


def _undone(
    vote: Ballot, edition: Edition, since: Sequence[tuple[str, Event]], sees: tuple[bool, bool]
) -> Iterator[Margin]:
    """Yield actions since the last vote at the group that were played or vetoed, each taken back on its own."""
    for place, (turn, done) in enumerate(since):
        if not isinstance(done.deed, t.Action):
            continue
        castler = done.before.active
        if isinstance(done.deed, t.Castle) and done.before.sides[castler].hidden[vote.group] and not sees[castler]:
            continue  # what lay there face down may lie face down elsewhere now
        columns = _without(vote, edition, done, [later for _, later in since[place + 1 :]], sees)
        if columns is not None:
            yield from _turned(vote, edition, columns, UNDONE, None, words=_undoing(done, turn))


def _without(
    vote: Ballot, edition: Edition, done: Event, following: Sequence[Event], sees: tuple[bool, bool]
) -> Columns | None:
    """Return the columns as they would have been at the vote; None where nobody can say what would have followed.

    Cards that may not be seen are looked at as little as in the record of who does not see them: they get the names
    that the vote showed, where it is certain which.
    """
    real = _lying(done.before, vote.group, sees)
    changed = [column[:] for column in real]
    token, struck = done.deed, changed[1 - done.before.active]
    if not done.vetoed and isinstance(token, t.Assassinate) and token.hidden and SOME_INFLUENCE in struck:
        # A hidden card gets the name under which it was assassinated.
        struck[struck.index(SOME_INFLUENCE)] = SOME_INFLUENCE if token.card is None else token.card
    if not _carry_out(changed if done.vetoed else real, done, vote.group, edition, sees):
        return None
    for later in following:
        if isinstance(done.deed, t.Castle) and isinstance(later.deed, t.Assassinate):
            return None  # the card that was hit would have lain elsewhere, and perhaps another one in its place
        if later.vetoed:
            continue
        if not all(_carry_out(columns, later, vote.group, edition, sees) for columns in (changed, real)):
            return None
    rome, egypt = map(_named, changed, real, vote.columns)
    return None if rome is None or egypt is None else (rome, egypt)


def _lying(state: State, group: int, sees: tuple[bool, bool]) -> list[list[int]]:
    """Return the cards of Rome and Egypt at a group, those unknown that may not be seen."""
    return [
        side.up[group] + (side.hidden[group] if seen else [SOME_INFLUENCE] * len(side.hidden[group]))
        for side, seen in zip(state.sides, sees, strict=True)
    ]


def _named(changed: list[int], real: list[int], shown: t.Cards) -> t.Cards | None:
    """Return a changed column with the names that the vote gave to the unknown cards of the real one."""
    unknown = changed.count(SOME_INFLUENCE)
    names = [*(Counter(shown) - Counter(real)).elements()]
    if unknown not in (0, len(names)) and (unknown > len(names) or len(set(names)) > 1):
        return None
    return tuple([card for card in changed if card != SOME_INFLUENCE] + names[:unknown])


def _carry_out(
    columns: Sequence[list[int]], done: Event, group: int, edition: Edition, sees: tuple[bool, bool]
) -> bool:
    """Do at the changed group what was done at the real one; return whether that could have been done."""
    token, side = done.deed, done.before.active
    own, other = columns[side], columns[1 - side]
    match token:
        case t.Place():
            own.append(token.card if sees[side] or not token.hidden else SOME_INFLUENCE)
            limit = edition.total_limit
            return len(own) <= edition.side_limit and (limit is None or len(own) + len(other) <= limit)
        case t.Assassinate():
            card = _struck(done.before, token, sees[1 - side])
            if token.hidden and SOME_INFLUENCE in other:
                card = SOME_INFLUENCE
            if card not in other:
                return False
            other.remove(card)
        case t.Wrath():
            own.clear()
            other.clear()
        case t.Castle():
            if done.vetoed or sorted(own) != sorted(_lying(done.before, group, sees)[side]):
                return False
            own[:] = _lying(done.state, group, sees)[side]
        case _:
            raise AssertionError(f"{token} moves no cards")
    return True


def _struck(before: State, token: t.Assassinate, seen: bool) -> int:
    """Return the card that an assassination hits; of one that was vetoed, the one that lies where it was aimed."""
    if token.card is not None:
        return token.card
    hidden = before.sides[1 - before.active].hidden[token.group]
    place = (token.position or 1) - 1
    known = seen and place < len(hidden) and (token.position or len(set(hidden)) == 1)
    return hidden[place] if known else SOME_INFLUENCE


def _undoing(done: Event, turn: str) -> str:
    """Return ``without the assassination of a 5 at 9R``."""
    token = done.deed
    if done.vetoed:
        return f"without {PLAYER_NAMES[1 - done.before.active]}'s veto at {turn}"
    if isinstance(token, t.Assassinate):
        victim = "a hidden card" if token.card in (None, SOME_INFLUENCE) else card_name(token.card or PHILOSOPHER)
        return f"without the assassination of {victim} at {turn}"
    return f"without the {bare_name(t.CARD_OF[type(token)])} at {turn}"


# ------------------------------------------------------------------------------------------------------ in words


def sentences(changes: Sequence[Margin]) -> tuple[str, ...]:
    """Return margins in words, those of one outcome together: ``one point more at Egypt or fewer at Rome: a tie``."""
    words = []
    for kind in (POINTS, PHILOSOPHER_MORE, PHILOSOPHER_LESS):
        alike = defaultdict(list)
        for margin in changes:
            if margin.kind == kind:
                alike[abs(margin.size), -margin.result].append(margin)
        for (size, result), same in sorted(alike.items()):
            what = f"{counted(size, 'point')} {_where(same)}" if kind == POINTS else _philosopher(same)
            words.append(f"{what}: {outcome_words(-result)}")
    return (*words, *[f"{margin.words}: {outcome_words(margin.result)}" for margin in changes if margin.kind == UNDONE])


def _where(same: Sequence[Margin]) -> str:
    """Return ``more at Egypt or fewer at Rome``."""
    more = [SIDE_NAMES[margin.side or 0] for margin in same if margin.size > 0]
    fewer = [SIDE_NAMES[margin.side or 0] for margin in same if margin.size < 0]
    parts = [f"{word} at {' or '.join(names)}" for word, names in (("more", more), ("fewer", fewer)) if names]
    return " or ".join(parts)


def _philosopher(same: Sequence[Margin]) -> str:
    """Return ``a philosopher more on either side``."""
    where = "on either side" if len(same) > 1 else f"at {SIDE_NAMES[same[0].side or 0]}"
    return f"a philosopher {'more' if same[0].kind == PHILOSOPHER_MORE else 'fewer'} {where}"
