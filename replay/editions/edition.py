"""What an edition is: one flat, complete table of values, each with the place in the rules that states it.

A difference in behaviour is a value of a closed set. Readings and house variants are values too: an edition lists
which of its values a record may change in its ``Rulings`` header (rule points are those of ``docs/rules.md``).

Each edition is a file, ``rules_<name>.json``. A rule in it has its value (a choice by its word; cards, groups and steps
as elsewhere in JSON); the section of the document that states it, or after a colon the reason for it; and its rule
points if they differ from those that :class:`Edition` or LAWS give beside it.
"""
# Annotations are not postponed here: they are read while the program runs.

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field, fields, replace
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Annotated, Any, Final

from ...notation import tokens as t
from ...notation.cards import CARDS, GROUPS, MAY_BE, NUMBERS, PHILOSOPHER
from ...notation.classes import dataclass
from ...notation.language import GROUPS as GROUP_FORMS
from ...notation.language import Messages, phrase, sense
from . import choices


@dataclass(frozen=True, slots=True)
class Citation:
    """A value's warrant: the rule points that treat it, and the document and section (or the reason)."""

    points: tuple[str, ...]
    text: str


_FORMS: Final[Messages] = {
    "the": ("the bust", "the vote card", "the bust or vote card"),
    "many": ("busts", "vote cards", "busts or vote cards"),
    "name": ("bust", "vote card", "bust or vote card"),
    "of": ("bust of {group.the}", "vote card of {group.the}"),
    "place": ("in the bag", "in the pile"),
    "coming": ("draws a bust", "turns up a vote card"),
    "blank": ("grey bust", "plain orgy"),
    "reset": ("black bust", "shuffling orgy"),
    "the_blank": ("the grey bust", "the orgy"),
    "the_reset": ("the black bust", "the shuffling orgy"),
    "blanks": ("the grey bust", "every orgy except the shuffling one"),
}
"""Form → it for each kind of device, and for either where texts are about both."""


@dataclass(frozen=True, slots=True)
class Device:
    """What an edition calls the things that call votes: busts are of the kind 0, vote cards of the kind 1.

    Other attributes are forms of the name in the language that is spoken: ``name``, and ``many`` of them; ``place``,
    where they are; ``coming``, what a player does when one is drawn; ``blank`` and ``reset``, and ``the_blank`` and
    ``the_reset`` when they are drawn; ``blanks``, all blank ones together.
    """

    kind: int

    def __getattr__(self, form: str) -> str:
        if form not in _FORMS:
            raise AttributeError(form)
        return phrase(_FORMS[form][self.kind])

    def of_group(self, group: int) -> str:
        """Return ``bust of the Praetors``."""
        return phrase(_FORMS["of"][self.kind], group=GROUP_FORMS[group])

    def revealed(self, name: str) -> str:
        """Return that a player reveals one of them by its ``name``: ``reveals the grey bust``."""
        if self.kind == 0:
            return sense("bust", "reveals the {device}", device=name)
        return sense("vote card", "reveals the {device}", device=name)

    def named_in(self, text: str) -> str:
        """Return a text about busts or vote cards with the name that the edition uses."""
        for forms in [_FORMS[form] for form in ("the", "many", "name")]:
            one, either = phrase(forms[self.kind]), phrase(forms[2])
            text = text.replace(either, one).replace(either[0].upper() + either[1:], one[0].upper() + one[1:])
        return text


BUSTS: Final = Device(0)
VOTE_CARDS: Final = Device(1)
DEVICES: Final = {"bust": BUSTS, "vote card": VOTE_CARDS}


@dataclass(frozen=True, slots=True)
class Edition:
    """One rule set, complete. Counts are numbers of cards; groups are in the order of the table.

    Each rule is listed with its title and the rule points that cover it in most editions; the first rule of a section
    also gives the section's title.

    >>> edition = tironian.load_edition("2024")
    >>> edition.side_limit, edition.citation("side_limit").points
    (5, ('D4', 'K16'))
    """

    name: str
    title: str
    device: Device
    groups: Annotated[Mapping[int, int], "Patricians", "A1 B1", "Material"]
    """Group → patricians, in the order of the table."""
    influence_copies: Annotated[int, "Influence cards of each value", "A2"]
    philosophers: Annotated[int, "Philosophers of each side", "A2"]
    actions: Annotated[Mapping[int, int], "Action cards of each side", "A3"]
    """Action card → copies."""
    blanks: Annotated[int, "Busts or vote cards without a vote", "A4 I2"]
    """Grey busts or plain orgies."""
    resets: Annotated[int, "Busts or vote cards after which all go back", "A4 I3"]
    missions_dealt: Annotated[int, "Missions dealt to each side", "A5 B2"]
    mission_groups: Annotated[tuple[int, ...], "Groups that the missions name", "A5 M4"]
    """Groups that the printed missions name; none if the missions are not printed."""
    mission_copies: Annotated[int, "Missions for each of these groups", "A5 B2"]
    first_action: Annotated[choices.FirstAction, "Action card in the starting hand", "B6", "Set-up"]
    experienced: Annotated[choices.YesNo, "Experienced players choose that card", "B6"]
    ordered_actions: Annotated[bool, "Players may order their action pile", "B8 P4"]
    starter: Annotated[choices.Starter, "Who begins", "B11"]
    hand_limit: Annotated[int, "Hand size", "C4 G1", "The turn"]
    order: Annotated[tuple[int, ...], "Order of the steps", "C1 C5 G4 I8"]
    first_reveal: Annotated[bool, "Bust or vote card in the very first turn", "C3"]
    passive: Annotated[choices.Passive, "What a passive turn draws", "H1 H3 H4 C2"]
    placement: Annotated[choices.Placement, "Influence cards to place", "D1 D2 D8 D11", "Actions"]
    placement_reading: Annotated[choices.PlacementReading, "Which text on placing counts", "D1"]
    side_limit: Annotated[int, "Most influence cards of one side at a group", "D4 K16"]
    total_limit: Annotated[int | None, "Most influence cards of both sides at a group", "D5 N7"]
    action_between: Annotated[bool, "Action between two placed cards", "E2 D13"]
    action_needs_influence: Annotated[bool, "Action only with an influence card in hand", "E6 E7"]
    assassinate_hidden: Annotated[bool, "Assassination of face-down cards", "F1"]
    null_actions: Annotated[choices.Allowed, "Actions without effect", "E5"]
    spy_draw: Annotated[choices.DrawRule, "Drawing after a spy", "F3"]
    veto_draw: Annotated[choices.DrawRule, "Drawing after a veto", "F10"]
    special_threshold: Annotated[int, "Influence cards that call a special vote", "I7", "Votes"]
    special_timing: Annotated[choices.SpecialTiming, "When a special vote is held", "C5 I8"]
    special_repeat: Annotated[choices.YesNo, "Eight remaining cards call another vote at once", "I11 I12"]
    device_gone: Annotated[choices.DeviceGone, "When the bust or vote card of an emptied group is removed", "I5 L2"]
    lone_philosopher: Annotated[choices.LonePhilosopher, "Only philosophers against an empty side", "K6"]
    empty_side: Annotated[choices.EmptySide, "Empty side against philosopher and numbers", "K13"]
    orgy_variant: Annotated[choices.OrgyVariant, "Variant with fewer orgies", "P1 P2 P3"]
    orgy_removal: Annotated[choices.OrgyRemoval, "When that variant removes its orgy", "P1"]
    one_out: Annotated[choices.OneOut, "One player has no influence cards left", "N4 N4c", "The end"]
    full_side: Annotated[choices.FullSide, "Who ends the game with five own cards at every group", "N5 N7"]
    full_check: Annotated[choices.FullCheck, "When that ends the game", "N6 D10"]
    exhaust_check: Annotated[choices.ExhaustCheck, "When exhausted influence cards end the game", "N2 N3"]
    patrician_points: Annotated[int, "Points for a patrician", "O1 N8", "Scoring"]
    majority_points: Annotated[int, "Points for a majority in a group", "O2"]
    whole_points: Annotated[int, "Further points for a whole group", "O3"]
    mission_points: Annotated[int, "Points for a fulfilled mission", "O4 M5"]
    taylor_scoring: Annotated[choices.TaylorScoring, "How the conditions of both bonuses are read", "O2"]
    unchosen_missions: Annotated[choices.UnchosenMissions, "Two missions still held at the end", "M3"]
    tie_break: Annotated[bool, "More patricians decide between equal points", "O6"]
    # what may be changed, and why each value is what it is
    options: Mapping[str, tuple[str, ...]]
    """Option of the ``Rulings`` header → its values here, the default first."""
    cites: Mapping[str, Citation]
    """Field → its warrant. Every field from ``groups`` to ``tie_break`` has one."""
    laws: Mapping[str, Citation] = field(default_factory=dict)
    """Rules that are the same in all editions, so that they need no value: key → its warrant."""
    declared: Mapping[str, str] = field(default_factory=dict)
    """The options that were changed: option → value."""

    def __hash__(self) -> int:
        return hash(self.name)  # few editions with one name are ever in use at a time

    def __reduce__(self) -> tuple[Callable[..., "Edition"], tuple[Any, ...]]:
        """Return how pickle restores it: by loading it, which gives the same object, if it was loaded; else anew."""
        options = tuple(self.declared.items())
        with suppress(ValueError):
            if load_edition(self.name, options) == self:
                return load_edition, (self.name, options)
        return Edition, tuple([getattr(self, field.name) for field in fields(self)])

    def citation(self, field: str) -> Citation:
        """Return the citation for a value, or for a rule without a value; an empty citation for anything else."""
        return self.cites.get(field) or self.laws.get(field) or Citation((), "")

    def copies(self, card: int) -> int:
        """Return how many copies of a card a side has; for an unknown one, how many cards of its kind."""
        if card in MAY_BE:
            return sum([self.copies(possible) for possible in MAY_BE[card]])
        if card == PHILOSOPHER:
            return self.philosophers
        return self.influence_copies if card in NUMBERS else self.actions.get(card, 0)

    def with_options(self, options: Mapping[str, str]) -> "Edition":
        """Return this edition with further readings and variants. Raise ValueError for a wrong one."""
        return load_edition(self.name, tuple(sorted({**self.declared, **options}.items())))


EDITION_NAMES: Final = ("2024", "1997", "fr", "taylor")
LAWS: Final = {
    "opening": "B5 B6",
    "turn": "C6 B11",
    "must_place": "D8 D9 D10",
    "emptied_group": "D12 E8 L1",
    "one_action": "E1 E9",
    "assassination": "F1 E3 K18",
    "scout": "F2 E3",
    "castling": "F4 F5",
    "spy": "F3",
    "veto_window": "E3 F7 F8 F9",
    "reveal": "C1 I1 I9 H2",
    "reset": "I3 I4",
    "shown": "J1 J5 D7",
    "vote_result": "J2 J6 K2 K7 K8 K9 K10",
    "piles": "A2 A3 G1 G2 G3",
    "mission_choice": "M1 A5",
    "game_end": "N1 N2 N5 L3",
    "scoring": "O1 O2 O3 O4 M4",
}
"""The rules that every edition has and that need no value, with their points. Diagnostics cite them."""
STEP_NAMES: Final = {t.ACT: "act", t.SPECIAL: "special", t.REVEAL: "reveal", t.DRAW: "draw"}
STEPS: Final = {name: step for step, name in STEP_NAMES.items()}


def edition_from_json(
    name: str,
    *,
    title: str,
    document: str,
    device: str,
    options: Mapping[str, list[str]],
    rules: Mapping[str, dict[str, Any]],
    laws: Mapping[str, dict[str, Any]],
) -> Edition:
    """Return the edition called ``name`` from the values of its file; ``document`` names the text that its rules cite.

    Raise TypeError if a rule is missing or unknown, ValueError if a choice has no such word.
    """
    hints: dict[str, Any] = Edition.__annotations__
    wrong = sorted((set(rule_fields()) ^ set(rules)) | (set(LAWS) ^ set(laws)))
    if wrong:
        raise TypeError(f"the {name} rules must have each field once; check {', '.join(wrong)}")

    def citation(usual: str, *, cite: str, points: str = "", value: Any = None) -> Citation:  # value: read elsewhere
        return Citation(tuple((points or usual).split()), f"{document}{'' if cite.startswith(':') else ', '}{cite}")

    return Edition(
        name=name,
        title=title,
        device=DEVICES[device],
        options={option: tuple(values) for option, values in options.items()},
        cites={field: citation(hints[field].__metadata__[1], **rules[field]) for field in rule_fields()},
        laws={law: citation(LAWS[law], **rule) for law, rule in laws.items()},
        **{field: _value(field, hints[field].__origin__, rules[field]["value"]) for field in rule_fields()},
    )


def _value(field: str, kind: Any, written: Any) -> Any:
    """Return the value of a rule from its JSON form."""
    if field in _FROM_JSON:
        return _FROM_JSON[field](written)
    return kind(written) if isinstance(kind, type) and issubclass(kind, choices.Choice) else written


_FROM_JSON: Final[dict[str, Callable[[Any], Any]]] = {
    "groups": lambda counts: {GROUPS[letter]: count for letter, count in counts.items()},
    "actions": lambda counts: {CARDS[letter]: count for letter, count in counts.items()},
    "order": lambda steps: tuple(STEPS[step] for step in steps),
    "mission_groups": lambda letters: tuple(GROUPS[letter] for letter in letters),
}


@cache
def _printed(name: str) -> Edition:
    """Return the edition called ``name`` as given in its file. Raise ValueError if there is none."""
    if name not in EDITION_NAMES:
        known = ", ".join(EDITION_NAMES)
        raise ValueError(phrase("there is no rule set “{name}”; the rule sets are {known}", name=name, known=known))
    return edition_from_json(name, **json.loads(get_data(__name__, f"rules_{name}.json") or b""))


OPTION_FIELDS: Final = {"placement": "placement_reading"}
"""Options whose field has a different name."""


def check_option(edition: Edition, name: str, value: str) -> str:
    """Return what is wrong with an option, as a sentence; empty if nothing is."""
    if name not in edition.options:
        fields = {"rules": edition.name, "name": name, "known": ", ".join(edition.options)}
        return phrase("the {rules} rules have no option “{name}”; they have {known}", **fields)
    if value not in edition.options[name]:
        values = phrase(" or ").join(edition.options[name])
        return phrase("“{name}” can be {values}, not “{value}”", name=name, values=values, value=value)
    return ""


def _apply_choices(edition: Edition) -> Edition:
    """Set the values that depend on an option's choice. Call it only once: it starts from the printed rules."""
    return replace(
        edition,
        placement=edition.placement_reading.placement or edition.placement,
        first_action=choices.FirstAction.ANY if edition.experienced.on else edition.first_action,
        order=edition.special_timing.order or edition.order,
        blanks=edition.blanks - edition.orgy_variant.left_out,
    )


MAX_EDITIONS: Final = 256
"""The number of editions that are remembered, with what follows from them: options have more combinations than that."""


@lru_cache(maxsize=MAX_EDITIONS)
def load_edition(name: str, options: tuple[tuple[str, str], ...] = ()) -> Edition:
    """Return the edition called ``name``, one of EDITION_NAMES, with some ``options`` changed: pairs of name and value.

    Raise ValueError, with a sentence to show, for an edition, an option or a value that does not exist.

    >>> tironian.load_edition("1997").hand_limit
    5
    >>> variant = tironian.load_edition("2024", (("experienced", "yes"),))
    >>> dict(variant.declared)
    {'experienced': 'yes'}
    """
    base = _printed(name)
    changed: dict[str, Any] = {}
    for option, value in options:
        if problem := check_option(base, option, value):
            raise ValueError(problem)
        place = OPTION_FIELDS.get(option, option)
        changed[place] = type(getattr(base, place))(value)
    return _apply_choices(replace(base, **changed, declared=dict(options))) if changed else base


def rule_fields() -> list[str]:
    """Return the names of the values that are rules, in the order of the table."""
    names = [field.name for field in fields(Edition)]
    return names[names.index("groups") : names.index("options")]


def missions_of(edition: Edition) -> list[t.Mission]:
    """Return the missions to deal from: the printed ones, or one of each plausible kind if none are printed (A5)."""
    if edition.mission_groups:
        return [t.Mission("majority", group) for group in edition.mission_groups for _ in range(edition.mission_copies)]
    groups = [t.Mission(kind, group) for kind in ("majority", "all") for group in edition.groups]
    return [*groups, t.Mission("each"), t.Mission("majorities", count=3), t.Mission("patricians", count=12)]
