"""The timeline as plain text, and as Markdown: the same lines, formatted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from ...notation.basics import CARD_LETTERS, PLAYER_NAMES, visible, visible_lines
from ...notation.language import GROUPS, PLAYERS, Messages, labelled, ordinal, phrase, plural
from ...replay.diagnostics.api import marks_text
from ...replay.knowledge.api import SEES, VIEWER_NAMES
from ...replay.rules.api import State
from ...replay.story.api import NOT_FOLLOWED, SET_UP, TAKEN_BACK, Entry, Remark, Sight, Timeline
from ...replay.words.api import (
    accounts,
    annotation_words,
    entry_words,
    event_words,
    outcomes_words,
    percent,
    percents,
    viewed_by,
)

_MARGIN: Final = 7
"""The indent of what is said about a turn."""
_KINDS: Final[Messages] = {
    "remarks": ("comment", "alternative", "ruling", "unread"),
    "annotations": ("philosopher", "narrow", "tie", "special", "emptied", "decided", "lead", "veto", "exhausted"),
    "more": ("mission certain", "mission impossible", "irregularity", "settled"),
}
"""What people read of the kinds of remarks and annotations."""


def text(timeline: Timeline) -> Iterator[str]:
    """Return the lines of the timeline, for a terminal or a printer."""
    lines = [title(timeline), frame(timeline), *_remark_lines(timeline.preface)]
    for entry in timeline.entries:
        lines += ["", *_turn(timeline, entry)]
    lines += ["", *closing(timeline), *_remark_lines(timeline.epilogue)]
    return map(visible, lines)


def title(timeline: Timeline) -> str:
    """Return ``Alexandria Open, 3.1: A. Player (Caesar) – B. Player (Cleopatra)``."""
    where = ", ".join(filter(None, (timeline.header("Event"), timeline.header("Round"))))
    people = [timeline.header(name) or "?" for name in PLAYER_NAMES]
    players = " – ".join([f"{name} ({player.name})" for name, player in zip(people, PLAYERS, strict=True)])
    return labelled(where, players) if where else players


def frame(timeline: Timeline) -> str:
    """Return the rules and the point of view of a timeline."""
    return phrase("{rules} rules", rules=timeline.edition.name) + f" · {viewed_by(timeline.view)}"


def closing(timeline: Timeline) -> Iterator[str]:
    """Yield how the game ended, and what is missing."""
    why = f" ({timeline.ended})" if timeline.ended else ""
    yield f"{timeline.summary}{why}"
    if timeline.closing.state:
        yield from (words for _, words in accounts(timeline.table(timeline.closing.state)))
    if timeline.result:
        yield phrase("the record's result: {result}", result=timeline.result)
    if timeline.stopped:
        yield phrase("the cards can't be followed beyond {turn}; tiro check says why", turn=timeline.stopped)
    if timeline.left_out:
        yield timeline.left_out


def standing(timeline: Timeline, entry: Entry) -> list[str]:
    """Return the state of both players after a turn, one line each; nothing for a line that was not played."""
    if entry.state is None or entry.status == SET_UP:
        return []
    lines = []
    for player, view, side in zip(PLAYERS, timeline.table(entry.state).sides, entry.state.sides, strict=True):
        points = plural("{player.name} {count} point", "{player.name} {count} points", view.points, player=player)
        won = plural("{count} patrician", "{count} patricians", sum(side.won))
        hand = phrase("hand {cards}", cards=" ".join(view.hand) or phrase("empty"))
        piles = phrase("piles {influence} + {action}", influence=view.influence_pile, action=view.action_pile)
        lines.append(f"{points}, {won} · {hand} · {piles}")
    return lines


def asides(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what is said about a turn besides its play: a word for its kind, and the text."""
    if entry.status == TAKEN_BACK:
        yield phrase("taken back"), phrase("another turn was played instead")
    elif entry.status == NOT_FOLLOWED:
        yield phrase("not followed"), phrase("the replay doesn't reach this")
    elif entry.rest:
        yield phrase("not followed"), phrase("the replay stops before {rest}", rest=entry.rest)
    for annotation in entry.annotations:
        yield phrase(annotation.kind.replace("_", " ")), annotation_words(annotation)
    for remark in entry.remarks:
        yield phrase(remark.kind), remark.text


def _turn(timeline: Timeline, entry: Entry) -> Iterator[str]:
    """Yield the lines of a turn: notation, words, events, remarks, and the state of both players."""
    pad = " " * _MARGIN
    yield " ".join([f"{entry.label:<{_MARGIN - 1}}", entry.play, marks_text(entry.marks)]).rstrip()
    if words := entry_words(entry):
        yield f"{pad}{words}"
    width = max((len(event.token) for event in entry.events), default=0)
    for event in entry.events:
        yield f"{pad}{event.token:<{min(width, 18)}}  {event_words(event)}"
    for word, said in asides(entry):
        first, *rest = visible_lines(said) or [""]
        yield f"{pad}[{word}] {first}"
        yield from (f"{pad}  {line}" for line in rest)
    yield from (f"{pad}{line}" for line in standing(timeline, entry))


def _remark_lines(remarks: tuple[Remark, ...]) -> Iterator[str]:
    for remark in remarks:
        yield from (f"[{phrase(remark.kind)}] {line}" for line in visible_lines(remark.text) or [""])


# ------------------------------------------------------------------------------------------------------ Markdown


def markdown(timeline: Timeline) -> Iterator[str]:
    """Yield the lines of the timeline in Markdown."""
    yield from (f"# {_escaped(title(timeline))}", "", _escaped(frame(timeline)))
    yield from _marked_remarks(timeline.preface)
    for entry in timeline.entries:
        yield from ("", *_marked_turn(timeline, entry))
    yield from ("", f"## {phrase('Result')}", "", *[f"- {_escaped(line)}" for line in closing(timeline)])
    yield from _marked_remarks(timeline.epilogue)


def _marked_turn(timeline: Timeline, entry: Entry) -> Iterator[str]:
    marks = f" {_escaped(marks_text(entry.marks))}" if entry.marks else ""
    yield from (f"## {entry.label} · {entry.player}{marks}", "", _code(entry.written))
    words = [_escaped(said)] if (said := entry_words(entry)) else []
    parts = [f"1. {_code(event.token)} {_escaped(event_words(event))}" for event in entry.events]
    beside = [f"- {labelled(f'**{word}**', _escaped(line))}" for word, line in asides(entry)]
    stand = ["  \n".join(map(_escaped, standing(timeline, entry)))]
    for lines in (words, parts, beside, stand):
        if any(lines):
            yield from ("", *lines)


def _marked_remarks(remarks: tuple[Remark, ...]) -> Iterator[str]:
    """Yield remarks as quotations in Markdown."""
    for remark in remarks:
        text = _escaped(remark.text)
        yield from ("", f"> {text if remark.kind == 'comment' else labelled(f'**{phrase(remark.kind)}**', text)}")


_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
_LEADING: Final = re.compile(r"^(\s*)([-+=]|\d+[.)])")


def _escaped(text: str) -> str:
    """Return untrusted text on one line, with Markdown's special characters escaped."""
    line = " ".join(visible_lines(text))
    return _LEADING.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", line))


def _code(text: str) -> str:
    """Return a text as code, in a fence longer than any fence in it."""
    line = " ".join(visible_lines(text))
    fence = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    return f"{fence} {line} {fence}" if "`" in line else f"`{line}`"


def lines(seen: Sight, state: State) -> Iterator[str]:
    """Yield the lines of an outlook; only what everybody can see is used from ``state``."""
    who = phrase(VIEWER_NAMES[seen.view])
    yield phrase("What {who} can tell if every unseen card is equally likely:", who=who)
    places: dict[tuple[int, int], int] = {}
    for side, group, odds in seen.hidden:
        place = places[side, group] = places.get((side, group), 0) + 1
        if not SEES[seen.view][side]:
            which = phrase("the {place} card face down at {group.the}", place=ordinal(place), group=GROUPS[group])
            yield f"  {labelled(f'{PLAYERS[side].name}, {which}', _chances(odds))}"
    for side, odds in enumerate(seen.hands):
        if not SEES[seen.view][side]:
            chances = _chances(odds, percent)
            yield "  " + phrase("{player.name} holds at least one: {odds}", player=PLAYERS[side], odds=chances)
    for forecast in seen.outlook.groups:
        if state.left[forecast.group]:
            chances = outcomes_words(forecast)
            yield "  " + phrase("a vote at {group.the} now: {odds}", group=GROUPS[forecast.group], odds=chances)
    for side, odds in enumerate(seen.outlook.next_cards):
        if any(odds) and state.sides[side].influence_pile:
            chances = _chances(odds)
            yield "  " + phrase("{player.of} next influence card: {odds}", player=PLAYERS[side], odds=chances)


def _chances(odds: Sequence[Fraction], each: Callable[[Fraction], str] | None = None) -> str:
    """Return ``5 40 %, 3 60 %``: from high to low, philosophers last; only ``5`` if it is certain.

    The chances are parts of a whole, unless ``each`` puts them into words one by one.
    """
    order = [*range(len(odds) - 1, 0, -1), 0]
    parts = [odds[card] for card in order]
    words = [*map(each, parts)] if each else percents(parts)
    told = [
        CARD_LETTERS[card] + (f" {said}" if odds[card] != 1 else "") for card, said in zip(order, words, strict=True)
    ]
    return ", ".join([text for text, part in zip(told, parts, strict=True) if part])
