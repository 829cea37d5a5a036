"""How an edition is written down: each rule in one line, its value next to where the rules say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, get_type_hints

from ..edition import Choice, Cite, Edition, rule_fields

Rule: TypeAlias = tuple[Any, str, str]
"""A value (a choice by its word), the rule points that treat it (``"N4 N4a"``), and the document and section, or the
reason."""

Law: TypeAlias = tuple[str, str]
"""A rule without a value: its points, and the document and section, or the reason."""

LAWS: Final = (
    "opening", "turn", "must_place", "emptied_group", "one_action", "assassination", "scout", "castling", "spy",
    "veto_window", "reveal", "reset", "shown", "vote_result", "piles", "mission_choice", "game_end", "scoring",
)  # fmt: skip
"""The rules that every edition has and no value stands for. Diagnostics cite them."""

NOT_APPLICABLE: Final = "does not apply"
"""What the text says of a rule that has no object in an edition; its value there is a neutral one."""


def edition(
    name: str,
    title: str,
    options: Mapping[str, tuple[str, ...]],
    laws: Mapping[str, Law] | None = None,
    **rules: Rule,
) -> Edition:
    """An edition from its rules. TypeError where a rule is missing or unknown, ValueError where a choice has no such
    word.
    """
    known, kinds = rule_fields(), get_type_hints(Edition)
    wrong = sorted((set(known) ^ set(rules)) | (set(LAWS) ^ set(laws or {})))
    if wrong:
        raise TypeError(f"the {name} rules must have each field once; check {', '.join(wrong)}")
    return Edition(
        name=name,
        title=title,
        options=dict(options),
        cites={field: Cite(tuple(rules[field][1].split()), rules[field][2]) for field in known},
        laws={law: Cite(tuple(points.split()), text) for law, (points, text) in (laws or {}).items()},
        **{field: _value(kinds[field], rules[field][0]) for field in known},
    )


def _value(kind: Any, written: Any) -> Any:
    return kind(written) if isinstance(kind, type) and issubclass(kind, Choice) else written
