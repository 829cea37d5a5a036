"""How an edition is written down: each rule in one line, its value next to where the rules say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from ..edition import Cite, Edition, rule_fields

Rule: TypeAlias = tuple[Any, str, str]
"""A value, the rule points that treat it (``"N4 N4a"``), and the document and section, or the reason."""

NOT_APPLICABLE: Final = "does not apply"
"""What the text says of a rule that has no object in an edition; its value there is a neutral one."""


def edition(name: str, title: str, options: Mapping[str, tuple[str, ...]], **rules: Rule) -> Edition:
    """An edition from its rules. TypeError where a rule is missing or unknown."""
    known = rule_fields()
    wrong = sorted(set(known) ^ set(rules))
    if wrong:
        raise TypeError(f"the {name} rules must have each field once; check {', '.join(wrong)}")
    return Edition(
        name=name,
        title=title,
        options=dict(options),
        cites={field: Cite(tuple(rules[field][1].split()), rules[field][2]) for field in known},
        **{field: rules[field][0] for field in known},
    )
