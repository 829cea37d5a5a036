"""An edition as rows for a person to read and as a dict for a program, and the rule points that it treats.

A rule point is a numbered question that the rules of the game answer or leave open. Messages,
editions, conformance cases and ``docs/rules.md`` name a rule by these ids. An id never changes.

Everything here is pure: the command ``tiro rules`` and the pages of the documentation print what it returns.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pkgutil import get_data
from typing import Annotated, Any, Final, get_origin, get_type_hints

from ...notation.basics import CARD_LETTERS, GROUP_LETTERS, dataclass
from ...notation.language import CARDS, GROUPS, Messages, phrase, sense
from ...notation.records import ACT, REVEAL, SPECIAL
from ...replay.rules.api import OPTION_FIELDS, STEP_NAMES, Choice, Edition, load_edition

_TABLES: Final = tomllib.loads((get_data(__name__, "points.toml") or b"").decode())
SECTIONS: Final[dict[str, str]] = {letter: table.pop("section") for letter, table in _TABLES.items()}
"""The letter of an id → what its points are about."""
POINTS: Final[dict[str, str]] = {point: title for table in _TABLES.values() for point, title in table.items()}
"""Id of a rule point → its title."""


def _titles() -> dict[str, dict[str, str]]:
    titles: dict[str, dict[str, str]] = {}
    for field, hint in get_type_hints(Edition, include_extras=True).items():
        if get_origin(hint) is Annotated:
            title, _, *section = hint.__metadata__
            titles.update({name: {} for name in section})
            titles[next(reversed(titles))][field] = title
    return titles


TITLES: Final = _titles()
"""Section → field → title: every rule of an edition, in the order of the table."""
NOT_APPLICABLE: Final = "does not apply"
"""What is said about a rule that does not apply in an edition; its value there is neutral."""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule of one edition. ``value`` is its JSON form, ``changed`` whether an option changed it.

    ``applies`` is False for a rule about something this edition lacks, such as a spy's draw without spies.
    """

    field: str
    section: str
    title: str
    value: Any
    words: str
    points: list[str]
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


def rule_rows(edition: Edition) -> list[RuleRow]:
    """Return every rule of an edition, in the order of the table."""
    standard = load_edition(edition.name)
    rows: list[RuleRow] = []
    for section, titles in TITLES.items():
        for field, title in titles.items():
            value, cite = getattr(edition, field), edition.citation(field)
            applies, changed = NOT_APPLICABLE not in cite.text, value != getattr(standard, field)
            words = in_words(field, value) if applies else "—"
            plain, points = _plain(field, value), [*cite.points]
            rows.append(RuleRow(field, section, phrase(title), plain, words, points, cite.text, applies, changed))
    return rows


def option_rows(edition: Edition) -> list[OptionRow]:
    """Return every option of an edition."""
    titles = {field: title for section in TITLES.values() for field, title in section.items()}
    rows: list[OptionRow] = []
    for name, values in edition.options.items():
        field = OPTION_FIELDS.get(name, name)
        chosen = getattr(edition, field)
        meanings = tuple((value, in_words(field, type(chosen)(value))) for value in values)
        rows.append(OptionRow(name, phrase(titles[field]), meanings, str(chosen), edition.citation(field).points))
    return rows


def differences(left: Edition, right: Edition) -> list[tuple[RuleRow, RuleRow]]:
    """Return the rules whose values differ between two editions, in pairs."""
    pairs = zip(rule_rows(left), rule_rows(right), strict=True)
    return [(one, other) for one, other in pairs if one.value != other.value]


def edition_json(edition: Edition) -> dict[str, Any]:
    """Return an edition as plain data; see ``schemas/edition.schema.json``."""
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
    """Return the differences of two editions as plain data; see ``$defs/differences`` of that schema."""
    return {
        "left": left.name,
        "right": right.name,
        "differences": {
            one.field: {"left": _rule_json(one), "right": _rule_json(other)} for one, other in differences(left, right)
        },
    }


def in_words(field: str, value: Any) -> str:
    """Return a rule's value for a reader, with names instead of numbers."""
    if field in _WORDS:
        return _WORDS[field](value)
    if isinstance(value, Choice):
        return phrase(value.words)
    if isinstance(value, bool):
        return phrase("yes") if value else phrase("no")
    return phrase("no limit") if value is None else str(value)


def _rule_json(row: RuleRow) -> dict[str, Any]:
    """Return a row as JSON, without what only a table needs."""
    return {name: getattr(row, name) for name in ("value", "words", "points", "cite", "applies", "changed")}


def _plain(field: str, value: Any) -> Any:
    """Return a value as JSON: letters of the notation instead of numbers, and lists if the order matters."""
    if field in _PLAIN:
        return _PLAIN[field](value)
    return value.value if isinstance(value, Choice) else value


def _step(step: int) -> str:
    """Return the name of a step of a turn."""
    return phrase(_STEPS[step]) if step in _STEPS else sense("step of a turn", "draw")


_STEPS: Final[Messages] = {ACT: "play cards", SPECIAL: "special vote", REVEAL: "bust or vote card"}
_PLAIN: Final[dict[str, Callable[[Any], Any]]] = {
    "groups": lambda groups: [{"group": GROUP_LETTERS[group], "count": count} for group, count in groups.items()],
    "actions": lambda actions: [{"card": CARD_LETTERS[card], "count": count} for card, count in actions.items()],
    "order": lambda steps: [STEP_NAMES[step] for step in steps],
    "mission_groups": lambda groups: [GROUP_LETTERS[group] for group in groups],
}
_WORDS: Final[dict[str, Callable[[Any], str]]] = {
    "groups": lambda groups: ", ".join(f"{count} {GROUPS[group].bare}" for group, count in groups.items()),
    "actions": lambda actions: ", ".join(
        f"{count} {CARDS[card].bare if count == 1 else CARDS[card].many}" for card, count in actions.items()
    ),
    "order": lambda steps: phrase(", then ").join(map(_step, steps)),
    "mission_groups": lambda groups: ", ".join(GROUPS[group].bare for group in groups) or phrase("not printed"),
}
