"""Each header that has a form is held against what it means; what was probably meant is said, or nothing."""

from __future__ import annotations

import json
from calendar import monthrange
from pathlib import Path

import pytest
from archives import ROOT
from scale import scaled
from tironian import check, find_repairs, parse, write

GAME = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
ODD = json.loads(Path(__file__).with_name("header_values.json").read_text(encoding="utf-8"))
"""Header → value → what it was probably meant to be: nothing if that can't be told, None if the value is right."""
OF_CARDS = {"View", "Starts", "Setup"}


def with_value(name: str, value: str):
    (game,) = parse(GAME)
    game.record.headers = (*[header for header in game.record.headers if header[0] != name], (name, value))
    return game.record


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ODD.items() for value in values])
def test_a_value_is_held_against_what_it_means(name: str, value: str):
    meant, verdict = ODD[name][value], check(with_value(name, value))
    told = [each for each in verdict.diagnostics if each.code in ("H204", "H206")]
    assert len(told) == (meant is not None)
    for each in told:
        assert each.severity == ("error" if name in OF_CARDS else "warning")
        assert value in each.message
        assert each.help.startswith("did you mean") == bool(meant)
        if meant:
            assert each.help.partition(";")[0] == f"did you mean {' or '.join(meant)}?"
    assert (verdict.verdict == "legal") == (meant is None or name not in OF_CARDS)
    for one in meant or ():  # what is proposed is right
        again = check(with_value(name, one)).diagnostics
        assert not [each for each in again if each.code in ("H204", "H206")]


@pytest.mark.parametrize(
    "year", [1, 4, 100, 400, 1582, 1600, 1900, 1999, 2000, 2023, 2024, 2026, 2100, 2400, 9999][:: scaled(3, 1)]
)
def test_a_day_is_one_of_the_calendar(year: int):
    for month in range(14):
        for day in range(33):
            exists = 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
            value = f"{year:04}.{month:02}.{day:02}"
            codes = (
                {each.code for each in check(with_value("Date", value)).diagnostics}
                if day in (0, 1, 28, 29, 30, 31, 32)
                else None
            )
            assert codes is None or ("H204" not in codes) == exists, value


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [(name, value, meant[0]) for name in sorted(OF_CARDS) for value, meant in ODD[name].items() if meant]
    + [("Rules", value, "2024") for value in ("2024 ", "2042", "the 2024 edition", "2024e", "２０２４")],
)
def test_a_header_that_says_how_to_read_the_cards_is_repaired(name: str, value: str, meant: str):
    record = with_value(name, value)
    words = [repair.description for repair in find_repairs(record, budget=200)]
    assert words[:1] == [(f'the headers should say [{name} "{meant}"] (an unreadable word)',)]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in ODD.items() if name not in OF_CARDS for value in values]
)
def test_a_sound_record_is_repaired_where_one_value_was_meant(name: str, value: str):
    record, meant = with_value(name, value), ODD[name][value]
    repairs = find_repairs(record)
    assert len(repairs) == (meant is not None and len(meant) == 1)
    for repair in repairs:
        assert repair.description == (f'the headers should say [{name} "{meant[0]}"] (an unreadable word)',)
        assert repair.verdict.verdict == "legal"
        assert write(repair.record) == write(with_value(name, meant[0]))
        assert find_repairs(repair.record) == []
