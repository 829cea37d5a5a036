"""Each header that has a form is held against what it means; what was probably meant is said, or nothing."""

from __future__ import annotations

from calendar import monthrange

import pytest
from archives import ROOT
from scale import scaled
from tironian import check, find_repairs, parse, write

GAME = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
TIMES = ("25:61", "24:01", "12:60", "9:5", "12:30:60")

ODD = {
    # Header → value → what it was probably meant to be: nothing if that can't be told, None if the value is right.
    "Date": {
        "2026.02.28": None, "2026.02.??": None, "2026.??.30": None, "????.02.29": None, "????.??.??": None,
        "2000.02.29": None, "2024.02.29": None,
        "2026.02.30": [], "2026.02.29": [], "1900.02.29": [], "2100.02.29": [], "2026.04.31": [], "????.02.30": [],
        "????.06.31": [], "2026.??.32": [], "2026.00.10": [], "2026.13.10": [], "2026.03.00": [], "0000.01.01": [],
        "": [], "?": [], "tomorrow": [], "12.3.26": [], "30.02.2026": [], "12 March 2026": [], "99999999": [],
        "\u0662\u0660\u0662\u0666.03.12": [],
        "2026-03-12": ["2026.03.12"], "2026/3/12": ["2026.03.12"], "12.03.2026": ["2026.03.12"],
        "2026-03-12T19:30": ["2026.03.12"], "20260312": ["2026.03.12"], " 2026.03.12": ["2026.03.12"],
        "2026.3.?": ["2026.03.??"], "2026.03": ["2026.03.??"], "2026": ["2026.??.??"],
        "13/04/2026": ["2026.04.13"], "3/3/2026": ["2026.03.03"], "03/04/2026": ["2026.04.03", "2026.03.04"],
    },
    "Result": {
        "14-14>E": None,
        "14:14>E": ["14-14>E"], "14\u201314 > e": ["14-14>E"],
        "9:15": [], "*>r": [],  # the last line contradicts it
        "1/2-1/2": [], "draw": [], "9-15-3": [], "\u0669-\u0661": [], "1000-1": [],
    },
    "View": {"arbiter": None, "Arbiter ": None, "arbitre": ["arbiter"], "Ceasar": ["caesar"], "egypt": ["cleopatra"],
             "me": []},
    "Starts": {"cleopatra": None, "Kleopatra": ["Cleopatra"], "Egypt": ["Cleopatra"], "E": ["Cleopatra"], "Livia": []},
    "Setup": {"Opening": None, "openning": ["opening"], "chess": []},
    "Mode": {"Tournament": None, "turnament": ["tournament"], "blitz": []},
    "Termination": {
        "Time forfeit": None, "resign": ["resigned"], "Resigned by Caesar": ["resigned"], "agreement": ["agreed"],
        "walkover": [],
    },
    "TimeControl": {
        "1800+10": None, "0:30:00": None, "90:00+0:30": None, "30 minutes": None, "40/7200:3600": None,
        "?": None, "": None,
        "25:61": [], "1:75:00": [], "1800+": [], "+10": [], "30:00:00:00": [],
    },
    "CaesarElo": {"1850": None, "?": None, "-": None, "1850 ": ["1850"], "12345": [], "-5": [], "strong": []},
    "CleopatraElo": {"0": None, "1850.5": []},
    "Checksum": {"3f2a": [], "3f2a 91c0 77de 04bg": []},
    **{name: {"19:30": None, "7 pm": None, "?": None, **{time: [] for time in TIMES if time != "9:5"}}
       for name in ("Time", "UTCTime", "StartTime", "EndTime")},
    **{name: {"2024.02.29": None, "spring": None, "2026.02.30": [], "2026.13.01": []}
       for name in ("UTCDate", "EventDate")},
    **{name: dict.fromkeys(("", "?", "2026.02.30", "25:61", "Final", "0", "2.3"))
       for name in ("Event", "Site", "Round", "Caesar", "Cleopatra", "Table", "Recorder", "Annotator", "Remark")},
}  # fmt: skip
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
    words = [repair.words for repair in find_repairs(record, budget=200)]
    assert words[:1] == [(f'the headers should say [{name} "{meant}"] (an unreadable word)',)]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in ODD.items() if name not in OF_CARDS for value in values]
)
def test_a_sound_record_is_repaired_where_one_value_was_meant(name: str, value: str):
    record, meant = with_value(name, value), ODD[name][value]
    repairs = find_repairs(record)
    assert len(repairs) == (meant is not None and len(meant) == 1)
    for repair in repairs:
        assert repair.words == (f'the headers should say [{name} "{meant[0]}"] (an unreadable word)',)
        assert repair.verdict.verdict == "legal"
        assert write(repair.record) == write(with_value(name, meant[0]))
        assert find_repairs(repair.record) == []
