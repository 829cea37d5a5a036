"""An edition as rows that a person can read, and as a dict that a program can.

Everything here is pure: the command ``tiro rules`` and the pages of the documentation print what it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ..notation.cards import CARD_LETTERS, CARD_NAMES, GROUP_LETTERS, GROUP_NAMES
from ..notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from .edition import (
    OPTION_FIELDS,
    Choice,
    Edition,
    EmptySide,
    ExhaustCheck,
    FullCheck,
    LonePhilosopher,
    OneOut,
    OrgyVariant,
    PlacementReading,
    SpecialTiming,
    TaylorScoring,
    UnchosenMissions,
    load_edition,
)
from .editions.table import NOT_APPLICABLE

TITLES: Final[dict[str, dict[str, str]]] = {
    "Material": {
        "groups": "Patricians",
        "influence_copies": "Influence cards of each value",
        "philosophers": "Philosophers of each side",
        "actions": "Action cards of each side",
        "blanks": "Busts or vote cards without a vote",
        "resets": "Busts or vote cards after which all go back",
        "missions_dealt": "Missions dealt to each side",
        "mission_groups": "Groups that the missions name",
        "mission_copies": "Missions for each of these groups",
    },
    "Set-up": {
        "first_action": "Action card in the starting hand",
        "experienced": "Experienced players choose that card",
        "ordered_actions": "Players may order their action pile",
        "starter": "Who begins",
    },
    "The turn": {
        "hand_limit": "Hand size",
        "order": "Order of the steps",
        "first_reveal": "Bust or vote card in the very first turn",
        "passive": "What a passive turn draws",
    },
    "Actions": {
        "placement": "Influence cards to place",
        "placement_reading": "Which text on placing counts",
        "side_limit": "Most influence cards of one side at a group",
        "total_limit": "Most influence cards of both sides at a group",
        "action_between": "Action between two placed cards",
        "action_needs_influence": "Action only with an influence card in hand",
        "assassinate_hidden": "Assassination of face-down cards",
        "null_actions": "Actions without effect",
        "spy_draw": "Drawing after a spy",
        "veto_draw": "Drawing after a veto",
    },
    "Votes": {
        "special_threshold": "Influence cards that call a special vote",
        "special_timing": "When a special vote is held",
        "special_repeat": "Eight cards left call another at once",
        "device_gone": "Bust or vote card of an emptied group goes",
        "lone_philosopher": "Only philosophers against an empty side",
        "empty_side": "Empty side against philosopher and numbers",
        "orgy_variant": "Variant with fewer orgies",
        "orgy_removal": "That variant removes its orgy",
    },
    "The end": {
        "one_out": "One player has no influence cards left",
        "full_side": "Five own cards at every group end the game for",
        "full_check": "When that ends the game",
        "exhaust_check": "When exhausted influence cards end the game",
    },
    "Scoring": {
        "patrician_points": "Points for a patrician",
        "majority_points": "Points for a majority in a group",
        "whole_points": "Further points for a whole group",
        "mission_points": "Points for a fulfilled mission",
        "taylor_scoring": "How the conditions of both bonuses are read",
        "unchosen_missions": "Two missions still held at the end",
        "tie_break": "More patricians decide between equal points",
    },
}
"""Section → field → title: every rule of an edition, in the order of the table."""

STEP_NAMES: Final = {ACT: "act", SPECIAL: "special", REVEAL: "reveal", DRAW: "draw"}
STEP_WORDS: Final = {ACT: "play cards", SPECIAL: "special vote", REVEAL: "bust or vote card", DRAW: "draw"}

CHOICE_WORDS: Final[dict[Choice, str]] = {
    PlacementReading.CORRECTED: "the corrected text: one down or two up",
    PlacementReading.UNCORRECTED: "the uncorrected text: one or two down",
    SpecialTiming.BEFORE_REVEAL: "before the bust or vote card",
    SpecialTiming.TURN_END: "after everything else in the turn",
    LonePhilosopher.TIE: "nobody wins",
    LonePhilosopher.WINS: "the philosopher wins",
    EmptySide.WINS: "the empty side wins",
    EmptySide.TIE: "nobody wins",
    EmptySide.LOSES: "the empty side loses",
    OrgyVariant.NONE: "not played",
    OrgyVariant.A: "one orgy less when two groups are gone",
    OrgyVariant.B: "one orgy less from the start",
    OneOut.SKIP_A: "skips only the placing",
    OneOut.SKIP_TURN: "skips whole turns",
    OneOut.NO_DRAWS: "skips whole turns; the other plays his hand without drawing",
    OneOut.FINAL_TURN: "the other has one final turn to place his hand",
    FullCheck.TURN_START: "at the start of that player's turn",
    FullCheck.AT_PLACEMENT: "when that player has to place",
    FullCheck.IMMEDIATE: "as soon as the last place is taken",
    ExhaustCheck.TURN_END: "at the end of the turn",
    ExhaustCheck.IMMEDIATE: "at once",
    UnchosenMissions.BEST: "the better one counts",
    UnchosenMissions.BOTH: "both count",
    UnchosenMissions.NONE: "neither counts",
    TaylorScoring.SWAPPED: "corrected: the two brackets have changed places",
    TaylorScoring.LITERAL: "as printed: majorities in finished groups only",
}
"""Choices whose own word would not explain itself."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of one edition. ``value`` is its JSON form, ``changed`` whether an option changed it.

    ``applies`` is False for a rule that has no object in this edition, such as a spy's draw without spies.
    """

    field: str
    section: str
    title: str
    value: Any
    words: str
    points: tuple[str, ...]
    cite: str
    applies: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option of an edition: its values, each with its meaning, the default first, and the chosen one."""

    name: str
    title: str
    values: tuple[tuple[str, str], ...]
    chosen: str
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule in which two editions differ."""

    left: Row
    right: Row


def rule_rows(edition: Edition) -> list[Row]:
    """Every rule of an edition, in the order of the table."""
    standard = load_edition(edition.name)
    return [
        _row(edition, standard, section, field, title)
        for section, titles in TITLES.items()
        for field, title in titles.items()
    ]


def option_rows(edition: Edition) -> list[OptionRow]:
    """Every option of an edition."""
    titles = {field: title for section in TITLES.values() for field, title in section.items()}
    rows: list[OptionRow] = []
    for name, values in edition.options.items():
        field = OPTION_FIELDS.get(name, name)
        chosen = getattr(edition, field)
        meanings = tuple((value, in_words(field, type(chosen)(value))) for value in values)
        rows.append(OptionRow(name, titles[field], meanings, str(chosen), edition.cite(field).points))
    return rows


def differences(left: Edition, right: Edition) -> list[Difference]:
    """The rules whose values differ between two editions."""
    pairs = zip(rule_rows(left), rule_rows(right), strict=True)
    return [Difference(one, other) for one, other in pairs if one.value != other.value]


def edition_json(edition: Edition) -> dict[str, Any]:
    """An edition as plain data, see ``schemas/edition.schema.json``."""
    return {
        "name": edition.name,
        "title": edition.title,
        "rules": {row.field: _rule_json(row) for row in rule_rows(edition)},
        "options": {
            row.name: {"values": [value for value, _ in row.values], "chosen": row.chosen}
            for row in option_rows(edition)
        },
    }


def differences_json(left: Edition, right: Edition) -> dict[str, Any]:
    """The differences of two editions as plain data; see ``$defs/differences`` of that schema."""
    return {
        "left": left.name,
        "right": right.name,
        "differences": {
            pair.left.field: {"left": _rule_json(pair.left), "right": _rule_json(pair.right)}
            for pair in differences(left, right)
        },
    }


def in_words(field: str, value: Any) -> str:
    """A value of a rule as a reader wants it: names instead of numbers."""
    if field in _WORDS:
        return _WORDS[field](value)
    if isinstance(value, Choice):
        return CHOICE_WORDS.get(value, str(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "no limit" if value is None else str(value)


def _row(edition: Edition, standard: Edition, section: str, field: str, title: str) -> Row:
    """One rule; ``standard`` is the edition without options."""
    value = getattr(edition, field)
    cite = edition.cite(field)
    applies = NOT_APPLICABLE not in cite.text
    return Row(
        field=field,
        section=section,
        title=title,
        value=_plain(field, value),
        words=in_words(field, value) if applies else "—",
        points=cite.points,
        cite=cite.text,
        applies=applies,
        changed=value != getattr(standard, field),
    )


def _rule_json(row: Row) -> dict[str, Any]:
    """A row without what only a table needs."""
    return {
        "value": row.value,
        "words": row.words,
        "points": list(row.points),
        "cite": row.cite,
        "applies": row.applies,
        "changed": row.changed,
    }


def _plain(field: str, value: Any) -> Any:
    """A value as JSON: letters of the notation instead of numbers, lists where the order matters."""
    if field in _PLAIN:
        return _PLAIN[field](value)
    return value.value if isinstance(value, Choice) else value


_PLAIN: Final[dict[str, Callable[[Any], Any]]] = {
    "groups": lambda groups: [{"group": GROUP_LETTERS[group], "count": count} for group, count in groups.items()],
    "actions": lambda actions: [{"card": CARD_LETTERS[card], "count": count} for card, count in actions.items()],
    "order": lambda steps: [STEP_NAMES[step] for step in steps],
    "mission_groups": lambda groups: [GROUP_LETTERS[group] for group in groups],
}
_WORDS: Final[dict[str, Callable[[Any], str]]] = {
    "groups": lambda groups: ", ".join(f"{count} {GROUP_NAMES[group]}" for group, count in groups.items()),
    "actions": lambda actions: ", ".join(f"{count} {CARD_NAMES[card]}" for card, count in actions.items()),
    "order": lambda steps: ", then ".join(STEP_WORDS[step] for step in steps),
    "mission_groups": lambda groups: ", ".join(GROUP_NAMES[group] for group in groups) or "not printed",
}
