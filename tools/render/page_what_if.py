"""What else could have been played, for a game's page: every option with the table after it, and the recorded
alternatives.

A table is stored as what an option changes. Words and changes that recur are stored once. Everything is compressed, and
the page's script reads it when it is first needed.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.basics import GROUP_LETTERS, ROME, visible
from ...notation.language import PLAYERS, Name, phrase, plural
from ...notation.records import tokens as t
from ...replay.knowledge.api import SEES, GroupView, Letters, SideView, TableView, updated_view, view_table
from ...replay.story.api import Entry, Timeline
from ...replay.story.votes import Decision, Foresight, Possibility
from ...replay.words.api import event_sentence, the_action
from ...replay.words.votes import option_words
from .page_steps import PageStep, TablePart, changes, flat, flat_head, flat_part, names

OfOneSide: TypeAlias = t.Place | t.Discard | t.Castle
"""Moves that change only what their player has."""
_HELD: Final = SideView._fields.index("held")
"""Everything before it distinguishes a side's belongings, since it has missions as letters. The missions themselves
come last and are slow to hash.
"""
Before = tuple[dict[int, int], int]
"""Numbers for the present state of each group, and for what a side holds."""


Steps: TypeAlias = Sequence[PageStep]


class WhatIf(NamedTuple):
    """The decisions of a game from one point of view; ``foreseen`` is what :func:`foresights` returns for their
    options, empty if odds were not asked for.
    """

    decisions: Sequence[Decision] = ()
    foreseen: Sequence[Sequence[Sequence[Foresight]]] = ()


class Interned:
    """Things that recur; each is stored once and referred to by its number."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, thing: Any) -> int:
        """Return the number of a thing."""
        return self.numbers.setdefault(thing, len(self.numbers))


class Words(Interned):
    """Words; each is referred to by its number."""

    def __init__(self) -> None:
        super().__init__()
        self.of_tokens: dict[t.Token | None, tuple[int, str]] = {}

    def of_option(self, decision: Decision, option: Possibility) -> tuple[int, str]:
        """Return the number of an option's words, and its notation. The same few hundred options recur."""
        found = self.of_tokens.get(option.token)
        if found is None:
            found = self.number(visible(option_words(decision, option))), option.written
            if option.token and not isinstance(option.token, t.Veto | t.ChooseMission):  # they need more words
                self.of_tokens[option.token] = found
        return found


class Changes(Interned):
    """Changes to a table; each is a key of :func:`flat` with its new words, and is referred to by its number."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[str] = []
        self.of_parts: dict[object, list[int]] = {}
        self.of_options: dict[object, list[int]] = {}
        self.columns: dict[object, list[tuple[Letters, int | None]]] = {}
        self.seen = Interned()

    def number(self, thing: tuple[str, str]) -> int:
        """Return the number of a change."""
        number = super().number(thing)
        if number == len(self.keys):
            self.keys.append(thing[0])
        return number

    def between(self, before: TableView, after: TableView) -> list[int]:
        """Return the numbers of the changes on a table, except whose turn it is."""
        pairs = zip((*before.groups, *before.sides), (*after.groups, *after.sides), strict=True)
        found = [number for pair in pairs if pair[0] != pair[1] for number in self.of_part(*pair)]
        if (before.ended, before.bag, before.out) != (after.ended, after.bag, after.out):
            found += self._new(flat_head(before), flat_head(after))
        return found

    def of_part(self, before: GroupView | SideView, after: GroupView | SideView) -> list[int]:
        """Return the numbers of the changes at a group, or in a side's belongings."""
        pair = (before[:_HELD], after[:_HELD]) if isinstance(before, SideView) else (before, after)
        found = self.of_parts.get(pair)
        if found is None:
            found = self.of_parts[pair] = self._new(flat_part(before), flat_part(after))
        return found

    def before(self, table: TableView, side: int) -> Before:
        """Return numbers for what an option of ``side`` may change.

        Numbers are hashed faster than views, and a table has fifty options.
        """
        groups = {GROUP_LETTERS.index(view.letter): self.seen.number(view) for view in table.groups}
        return groups, self.seen.number(table.sides[side][:_HELD])

    def after(self, decision: Decision, option: Possibility, table: TableView, before: Before) -> list[int] | None:
        """Return the numbers of what an option changes on the ``table`` before it; None if they are unknown."""
        token = option.token
        if token is None:
            return None if decision.action else []
        if isinstance(token, OfOneSide):
            return self._of_one_side(decision, option, token, table, before)
        state = decision.after(option)
        if state is None:
            return None
        if isinstance(token, t.ChooseMission | t.SpecialVote):  # this may change points and missions
            return self.between(table, view_table(state, table.view))
        return self.between(table, updated_view(table, state, t.groups_of(token)))

    def but(self, keys: Collection[str], numbers: list[int] | None) -> list[int] | None:
        """Return the numbers of changes except those of some ``keys``."""
        if numbers is None or not keys:
            return numbers
        return [number for number in numbers if self.keys[number] not in keys]

    def _of_one_side(
        self, decision: Decision, option: Possibility, token: OfOneSide, table: TableView, before: Before
    ) -> list[int] | None:
        # Most options are of this kind, and their changes recur from turn to turn and from view to view.
        side, groups, (seen, own) = decision.side, t.groups_of(token), before
        there_key = option.move, side, *[seen[group] for group in groups]
        # What leaves the hand; it is the same for every castling.
        gone = t.Castle if isinstance(token, t.Castle) else token.card if isinstance(token, t.Place) else token
        there, held = self.of_options.get(there_key), self.of_options.get((own, gone))
        if there is not None and held is not None:
            return there + held
        after, changed = table, [view for view in table.groups if GROUP_LETTERS.index(view.letter) in groups]
        # The same move makes the same column of the same one, whatever the other side has there.
        again = option.move, side, SEES[table.view][side], *[(view.cards[side], view.sums[side]) for view in changed]
        if again not in self.columns or held is None:
            state = decision.after(option)
            if state is None:
                return None
            after = updated_view(table, state, groups)
            views = [view for view in after.groups if GROUP_LETTERS.index(view.letter) in groups]
            self.columns[again] = [(view.cards[side], view.sums[side]) for view in views]
        if there is None:
            pairs = [(view, _with(view, side, *each)) for view, each in zip(changed, self.columns[again], strict=True)]
            there = self.of_options[there_key] = [number for pair in pairs for number in self.of_part(*pair)]
        if held is None:
            held = self.of_options[own, gone] = self.of_part(table.sides[side], after.sides[side])
        return there + held

    def _new(self, old: TablePart, new: TablePart) -> list[int]:
        return [self.number(pair) for pair in new.items() if pair[0] != "turn" and pair[1] != old[pair[0]]]


def _with(group: GroupView, side: int, cards: Letters, total: int | None) -> GroupView:
    """Return a group with another column of a side."""
    if side == ROME:
        return GroupView(*group[:4], (cards, group.cards[1]), (total, group.sums[1]))
    return GroupView(*group[:4], (group.cards[0], cards), (group.sums[0], total))


def what_if_data(views: Iterable[tuple[Timeline, Steps, Sequence[TableView], WhatIf]]) -> dict[str, Any]:
    """Return the decisions and recorded alternatives of a game as the page's script reads them.

    Each of ``views`` has its steps, the tables that they show, and its decisions. The result has a row for each
    decision in ``views``, and the alternatives by address, from each point of view: ``lines`` are the step before them,
    and words, changes and turn of each event. Recurring things are referred to by their numbers in ``words`` and
    ``parts``.
    """
    words, parts = Words(), Changes()
    contents: list[dict[str, Any]] = []
    for timeline, steps, shown, what_if in views:
        rows = [*_rows(timeline, steps, shown, what_if, words, parts)]
        contents.append({"decisions": rows, "lines": dict(_lines(timeline, steps, words, parts))})
    return {"views": contents, "words": [*words.numbers], "parts": [*parts.numbers]}


def _rows(
    timeline: Timeline, steps: Steps, shown: Sequence[TableView], what_if: WhatIf, words: Words, parts: Changes
) -> Iterator[list[Any]]:
    """Yield a row for each decision.

    A row has the step whose table is shown, the side, the kind of action that may be vetoed (otherwise empty), whether
    the hand is seen, and the options. An option has its words, its notation, whether it was played, its changes to the
    table (null if unknown), and what it does to votes: group, and percentages for Rome and Egypt now and then.
    """
    places = before_tokens(timeline, steps)
    for number, decision in enumerate(what_if.decisions):
        place = places.get((decision.turn, decision.at))
        if place is None:
            continue
        table = timeline.table(decision.before)
        # The players saw every discarded card, but the notation has no word for some of them.
        unsaid = {} if table == shown[place] else changes(flat(shown[place]), flat(table))
        before = parts.before(table, decision.side)
        foreseen = what_if.foreseen[number] if what_if.foreseen else [()] * len(decision.options)
        options = [
            [
                *words.of_option(decision, option),
                int(option.was_played),
                parts.but(unsaid, parts.after(decision, option, table, before)),
                [*map(_percents, effects)],
            ]
            for option, effects in zip(decision.options, foreseen, strict=True)
        ]
        veto = the_action(type(decision.action)) if decision.action else ""
        yield [place, decision.side, veto, int(decision.sees_hand), options]


def choices(view: dict[str, Any]) -> list[list[Any]]:
    """Return what the page must know about each decision before it is opened: its step, the question, that question
    while what comes is hidden, and how many options there are, in words.
    """
    return [
        [step, *_asked(PLAYERS[side], veto), "" if veto else _counted(len(options), sees)]
        for step, side, veto, sees, options in view["decisions"]
    ]


def _asked(player: Name, veto: str) -> Sequence[str]:
    if veto:
        return [phrase("Could {player.name} veto {action} that comes?", player=player, action=veto)] * 2
    guess = phrase("Guess: what does {player.name} do now?", player=player)
    return phrase("What could {player.name} do now?", player=player), guess


def _counted(options: int, sees: bool) -> str:
    if sees:
        return plural("{count} move", "{count} moves", options)
    return plural("{count} move, as far as one can know", "{count} moves, as far as one can know", options)


def squeezed(data: Any) -> str:
    """Return data as a short text: JSON, compressed (zlib), in base64."""
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode())).decode()


def before_tokens(timeline: Timeline, steps: Steps) -> dict[tuple[int, int], int]:
    """Return the step whose table is shown before each token, and at the end of a turn, by places in the record."""
    places: dict[tuple[int, int], int] = {}
    for number, step in enumerate(steps):
        if step.entry is not None and step.event is not None:
            events = timeline.entries[step.entry].events
            places.setdefault((step.entry, events[step.event].at), number - 1)
            if step.event == len(events) - 1:
                places[step.entry, events[step.event].at + 1] = number
    return places


def _percents(effect: Foresight) -> list[Any]:
    """Return the group of a vote, and the chances of Rome and Egypt now and then, in percent."""
    return [GROUP_LETTERS[effect.now.group], *[round(100 * odds) for outlook in effect for odds in outlook.wins[:2]]]


def alternative_lines(entry: Entry, name: str) -> dict[str, list[Entry]]:
    """Return the alternatives of a turn by address, each with the turns that continue it."""
    lines: dict[str, list[Entry]] = {}
    for other in entry.alternatives:
        if other.label == entry.label or not lines:
            lines[f"{name}/{len(lines) + 1}"] = []
        lines[f"{name}/{len(lines)}"].append(other)
    return lines


def _lines(timeline: Timeline, steps: Steps, words: Words, parts: Changes) -> Iterator[tuple[str, list[Any]]]:
    """Yield each recorded alternative by its address: the step before it, then each event's words, changes and turn."""
    first = {step.entry: number - 1 for number, step in reversed([*enumerate(steps)])}
    for place, (entry, name) in enumerate(zip(timeline.entries, names(timeline), strict=True)):
        for address, line in alternative_lines(entry, name).items():
            row: list[Any] = [first[place]]
            before: TableView | None = None
            for other in line:
                for event in other.events:
                    before = before or timeline.table(event.before)
                    table = timeline.table(event.state)
                    said = words.number(visible(event_sentence(event, other.player)))
                    row.append([said, parts.between(before, table), other.label])
                    before = table
            yield address, row
