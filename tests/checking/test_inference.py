"""Records without a Rules header: the rule set, or the reading, that explains them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scale import scaled
from tironian import EDITION_NAMES, Record, check, infer_rules, load_edition, parse, simulate, view


def nameless(record: Record) -> Record:
    left = tuple([(name, value) for name, value in record.headers if name not in ("Rules", "Rulings")])
    return replace(record, headers=left)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_rule_set_of_a_game_is_among_those_that_explain_it(name: str):
    for seed in range(1, scaled(4, 300) + 1):
        inferred = infer_rules(nameless(simulate(load_edition(name), seed)))
        assert inferred is not None
        assert inferred.is_explained
        assert name in (inferred.rules, *inferred.others)


@pytest.mark.parametrize("point", ["caesar", "table"])
def test_what_a_viewer_saw_is_explained_too(point: str):
    inferred = infer_rules(nameless(view(simulate(load_edition("1997"), 5), point).record))
    assert inferred is not None
    assert "1997" in (inferred.rules, *inferred.others)


def test_a_reading_is_found():
    """A game that only one reading explains, among those that were played with it."""
    chosen = load_edition("1997", (("empty_side", "tie"),))
    seen = set()
    for seed in range(1, 200):
        record = nameless(simulate(chosen, seed))
        inferred = infer_rules(record)
        assert inferred is not None
        assert inferred.is_explained
        assert check(record, inferred.rules).verdict == "legal"
        seen.add(inferred.rules)
        if "1997 empty_side=tie" in seen:
            return
    pytest.fail("no game showed the reading")


def test_a_record_that_names_its_rules_is_left_alone():
    assert infer_rules(simulate(load_edition("2024"), 1)) is None
    assert infer_rules(parse("")[0]) is None
