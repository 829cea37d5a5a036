"""The rule sets: complete, consistent, printed as they are, and explained."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_type_hints

import pytest
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian import EDITION_NAMES, Edition, load_edition
from tironian.notation.cards import GROUP_LETTERS, VETO
from tironian.notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from tironian.replay.editions.choices import Choice, Placement
from tironian.replay.editions.edition import OPTION_FIELDS, edition_from_json, rule_fields
from tironian.tools.cli.rulebook import (
    POINTS,
    SECTIONS,
    TITLES,
    differences,
    differences_json,
    edition_json,
    option_rows,
    rule_rows,
)

OLD = ("1997", "fr", "taylor")
ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
SCHEMA = closed_schema("edition")


@pytest.fixture(params=EDITION_NAMES)
def each(request: pytest.FixtureRequest) -> Edition:
    return load_edition(request.param)


def test_every_value_has_its_warrant(each):
    assert list(each.cites) == rule_fields()
    for field, cite in each.cites.items():
        assert cite.text.strip(), field
        assert cite.points, field
        assert set(cite.points) <= POINTS.keys(), field


def test_every_value_has_its_type(each):
    hints = get_type_hints(Edition)
    for field in rule_fields():
        hint = hints[field]
        if hint in (int, bool) or (isinstance(hint, type) and issubclass(hint, Choice)):
            assert type(getattr(each, field)) is hint, field


def test_a_missing_rule_is_refused():
    with pytest.raises(TypeError, match="groups"):
        edition_from_json("none", title="", document="", device="bust", options={}, rules={}, laws={})


def test_a_misspelt_field_is_refused():
    data = json.loads((ROOT / "replay" / "editions" / "rules_2024.json").read_text(encoding="utf-8"))
    data["rules"]["groups"]["point"] = "A1"
    with pytest.raises(TypeError, match="point"):
        edition_from_json("2024", **data)


def test_material(each):
    assert sum(each.groups.values()) == 21
    assert len(each.groups) == 5
    influence = 5 * each.influence_copies + each.philosophers
    assert influence == 37
    assert influence + sum(each.actions.values()) == (47 if each.name == "2024" else 50)
    assert len(each.groups) + each.blanks + each.resets == (7 if each.name == "2024" else 8)
    assert each.actions[VETO] == 2
    assert sorted(each.order) == [ACT, SPECIAL, REVEAL, DRAW]


def test_old_missions_are_those_of_the_large_groups():
    for name in OLD:
        old = load_edition(name)
        assert len(old.mission_groups) * old.mission_copies == 6
        assert {group for group, count in old.groups.items() if count == 5} == set(old.mission_groups)


def test_order_of_the_table():
    found = ["".join(GROUP_LETTERS[group] for group in load_edition(name).groups) for name in EDITION_NAMES]
    assert found == [
        "PQAKC",
        "SPQCA",
        "SPQCA",
        "SPQCA",
    ]


def test_options_start_with_the_default_and_can_be_chosen(each):
    for name, values in each.options.items():
        field = OPTION_FIELDS.get(name, name)
        assert str(getattr(each, field)) == values[0]
        for value in values:
            assert str(getattr(each.with_options({name: value}), field)) == value


def test_an_option_carries_into_what_depends_on_it():
    assert load_edition("fr", (("placement", "uncorrected"),)).placement is Placement.ONE_OR_TWO_DOWN
    assert load_edition("2024", (("special_timing", "turn_end"),)).order == (ACT, REVEAL, DRAW, SPECIAL)
    assert load_edition("1997", (("orgy_variant", "B"),)).blanks == 1


def test_every_field_has_a_title():
    assert [field for titles in TITLES.values() for field in titles] == rule_fields()


def test_rows_mark_what_an_option_changed():
    assert not any(row.changed for row in rule_rows(load_edition("2024")))
    changed = load_edition("2024", (("special_timing", "turn_end"),))
    assert [row.field for row in rule_rows(changed) if row.changed] == ["order", "special_timing"]
    assert {row.name: row.chosen for row in option_rows(changed)}["special_timing"] == "turn_end"


def test_a_rule_without_object_shows_no_value():
    row = next(row for row in rule_rows(load_edition("2024")) if row.field == "spy_draw")
    assert (row.applies, row.words) == (False, "—")


def test_json_obeys_its_schema(each):
    Draft202012Validator.check_schema(SCHEMA)
    judge = Draft202012Validator(SCHEMA)
    judge.validate(edition_json(each))
    for name, values in each.options.items():
        judge.validate(edition_json(each.with_options({name: values[-1]})))


@pytest.mark.parametrize("spoil", ["extra", "missing", "value", "option"])
def test_the_schema_is_strict(spoil):
    data = edition_json(load_edition("2024"))
    match spoil:
        case "extra":
            data["rules"]["luck"] = data["rules"]["hand_limit"]
        case "missing":
            del data["rules"]["hand_limit"]
        case "value":
            data["rules"]["hand_limit"]["value"] = "six"
        case _:
            data["options"]["full_check"]["chosen"] = "never"
    assert not Draft202012Validator(SCHEMA).is_valid(data)


def test_differences_obey_the_schema_and_are_symmetrical():
    judge = Draft202012Validator({"$ref": "#/$defs/differences", "$defs": SCHEMA["$defs"]})
    for one in map(load_edition, EDITION_NAMES):
        assert differences(one, one) == []
        for other in map(load_edition, EDITION_NAMES):
            judge.validate(differences_json(one, other))
            assert differences(one, other) == [(left, right) for right, left in differences(other, one)]


def test_what_differs_between_1997_and_the_french_text():
    found = [left.field for left, _ in differences(load_edition("1997"), load_edition("fr"))]
    assert found == [
        "passive", "spy_draw", "veto_draw", "device_gone", "lone_philosopher", "orgy_removal",
        "one_out", "full_side", "tie_break",
    ]  # fmt: skip


def test_points_are_numbered_without_gaps():
    for letter in SECTIONS:
        numbers = [int(point[1:]) for point in POINTS if re.fullmatch(rf"{letter}\d+", point)]
        assert numbers == list(range(1, len(numbers) + 1)), letter
    assert {point[0] for point in POINTS} == SECTIONS.keys()
    assert len(POINTS) == 139


def test_every_point_is_explained_once_and_in_order():
    assert re.findall(r"^\*\*([A-P]\d+[a-c]?)\*\* (.+?)\.", DOC, re.M) == list(POINTS.items())
    headings = dict(re.findall(r"^## ([A-P])\. (.+)$", DOC, re.M))
    assert headings == SECTIONS


def test_every_option_is_explained():
    for each in map(load_edition, EDITION_NAMES):
        for name, values in each.options.items():
            line = next(line for line in DOC.splitlines() if line.startswith(f"| `{name}` |"))
            _, _, shown, sets, _, _ = line.split("|")
            assert shown.strip() == ", ".join(f"`{value}`" for value in values)
            assert each.name in sets or sets.strip() == "all"
            for value in values[1:]:
                assert f"{name}={value}" in DOC


def test_the_page_stands_alone():
    for word in ("../", "RULINGS", "/work"):
        assert word not in DOC
    assert not re.search(r"\b00[0-4]\b", DOC)
