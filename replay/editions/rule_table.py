"""How an edition is written down: each rule in one line, its value next to where the rules say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, get_type_hints

from .choices import Choice
from .edition import Cite, Device, Edition, rule_fields

Rule: TypeAlias = tuple[Any, str] | tuple[Any, str, str]
"""A value (a choice by its word), the section of the document, or behind a colon what holds for all of it, and the rule
points that treat it (``"N4 N4a"``) where they are others than :class:`Edition` has beside the rule."""

Law: TypeAlias = str | tuple[str, str]
"""The same of a rule without a value: the section, and its points where LAWS has others."""

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
"""The rules that every edition has and no value stands for, with their points. Diagnostics cite them."""

NOT_APPLICABLE: Final = "does not apply"
"""What the text says of a rule that has no object in an edition; its value there is a neutral one."""


def edition(
    name: str,
    title: str,
    document: str,
    device: Device,
    options: Mapping[str, tuple[str, ...]],
    laws: Mapping[str, Law] | None = None,
    **rules: Rule,
) -> Edition:
    """Return an edition from its rules; ``document`` names the text that they cite, ``device`` what calls votes.

    TypeError where a rule is missing or unknown, ValueError where a choice has no such word.
    """
    known, hints = rule_fields(), get_type_hints(Edition, include_extras=True)
    laws = laws or {}
    wrong = sorted((set(known) ^ set(rules)) | (set(LAWS) ^ set(laws)))
    if wrong:
        raise TypeError(f"the {name} rules must have each field once; check {', '.join(wrong)}")

    def cite(usual: str, text: str, points: str = "") -> Cite:
        return Cite(tuple((points or usual).split()), f"{document}{'' if text[0] == ':' else ', '}{text}")

    return Edition(
        name=name,
        title=title,
        device=device,
        options=dict(options),
        cites={field: cite(hints[field].__metadata__[1], *rules[field][1:]) for field in known},
        laws={law: cite(LAWS[law], *([rule] if isinstance(rule, str) else rule)) for law, rule in laws.items()},
        **{field: _value(hints[field].__origin__, rules[field][0]) for field in known},
    )


def _value(kind: Any, written: Any) -> Any:
    return kind(written) if isinstance(kind, type) and issubclass(kind, Choice) else written
