"""Records without a Rules header: the rule set, or the reading, that explains them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from scale import scaled
from tironian import EDITION_NAMES, Record, check, infer_rules, load_edition, parse, simulate, view, write
from tironian.tools.cli.command_line import main


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


def told(record: Record, *options: str) -> dict:
    run = CliRunner().invoke(main, ["check", "--format", "json", *options, "-"], input=write(record).encode())
    return json.loads(run.stdout)["games"][0]


def test_the_command_says_by_what_it_judged():
    record = nameless(simulate(load_edition("fr"), 3))
    assert told(record)["verdict"] == "unchecked"
    game = told(record, "--infer-rules")
    assert (game["verdict"], game["edition"]) == ("legal", "fr")
    (note,) = game["diagnostics"]
    assert (note["code"], note["severity"]) == ("H214", "note")
    assert "judged by fr" in note["message"]
    assert '[Rules "fr"]' in note["help"]


def test_what_nothing_explains_is_judged_by_what_goes_furthest():
    record = simulate(load_edition("fr"), 4)
    text = write(nameless(record)).replace("\n16E ", "\n16E 9", 1)
    game = told(parse(text)[0].record, "--infer-rules")
    assert game["verdict"] in ("illegal", "unreadable")
    assert [entry["severity"] for entry in game["diagnostics"] if entry["code"] == "H214"] == ["warning"]


def test_two_ways_to_say_the_rules_exclude_each_other():
    run = CliRunner().invoke(main, ["check", "--infer-rules", "--rules", "fr", "-"], input=b"")
    assert run.exit_code == 2
    assert "can't be used together" in run.stderr
