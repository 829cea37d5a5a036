"""What the headers say: the rule set in force, whose record it is, and what is wrong with them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ...notation.cards import EGYPT, ROME
from ...notation.fingerprint import CHECKSUM_FORM, checksum, was_changed
from ...notation.language import Messages, phrase
from ...notation.record import Record
from ...notation.writer import HEADER_ORDER, REQUIRED_HEADERS, score_text
from ..diagnostics.registry import CODES
from ..editions.edition import EDITION_NAMES, Edition, check_option, load_edition
from ..rules.fault import Fault
from .rulings import can_be_agreed

View: TypeAlias = Literal["arbiter", "caesar", "cleopatra", "table"]
ChosenView: TypeAlias = View | Literal[""]
"""Points of view; an empty text stands for the record's writer."""
VIEWS: Final[tuple[View, ...]] = ("arbiter", "caesar", "cleopatra", "table")
AGAINST_NET: Final = "A game against the net"
"""The header Event of a game against the program, whose record holds all cards from the beginning."""
PLAYERS: Final[tuple[View, View]] = ("caesar", "cleopatra")
"""The points of view of Rome's and Egypt's players."""
_VIEWS: Final[dict[str, View]] = {view: view for view in VIEWS}
TERMINATIONS: Final = (
    "normal", "resigned", "time forfeit", "agreed", "adjudicated", "abandoned", "rules infraction", "unterminated",
)  # fmt: skip
WORDS: Final[dict[str, tuple[str, ...]]] = {
    "View": VIEWS,
    "Termination": TERMINATIONS,
    "Starts": ("Caesar", "Cleopatra"),
    "Setup": ("opening", "position"),
    "Mode": ("tournament",),
}
_LOWERED: Final = {name: {word.lower() for word in words} for name, words in WORDS.items()}
_HOUSE_RULES: Final = re.compile(r"([A-Z]\d{3}(?:[\s,]+[A-Z]\d{3})*)\s*(?::(.*))?")
_DAY: Final = r"(\d{4}|\?{4})\.(0[1-9]|1[0-2]|\?\?)\.(0[1-9]|[12]\d|3[01]|\?\?)"
_TIME: Final = r"\d{1,3}:[0-5]\d:[0-5]\d|\d{1,3}:[0-5]\d|\d{1,6}"
CONTROL: Final = rf"({_TIME})(?:\+({_TIME}))?"
"""Matches what clocks can be set to: the time of each player, and what is added for each turn."""
_ELO: Final = r"\d{1,4}|\?|-|"
_DAYS: Final = rf"{_DAY}|(?![\d?]+\.[\d?]+\.[\d?]+$).*"
_TIMES: Final = r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?|(?!\d+:[\d:]+$).*"
FORMS: Final[dict[str, str]] = {
    "Date": _DAY,
    "Result": r"(\d{1,3}-\d{1,3}|\*)(>[RE-])?",
    "TimeControl": rf"{CONTROL}|(?![\d:+]+$).*",
    "CaesarElo": _ELO,
    "CleopatraElo": _ELO,
    "Checksum": CHECKSUM_FORM.pattern,
    **dict.fromkeys(("EventDate", "UTCDate"), _DAYS),
    **dict.fromkeys(("Time", "UTCTime", "StartTime", "EndTime"), _TIMES),
}
"""The headers whose value has a form. TimeControl, and headers that other programs write, may also say something that
is not a day or a time in figures.
"""
_FORM_HELP: Final[Messages] = {
    "Date": "write year, month and day, as in 2026.05.31; ?? for unknown parts",
    "Result": "write 17-13, Rome first, 17-17>E, * or *>R",
    "TimeControl": "write minutes and seconds, as in 30:00 or 30:00+0:10",
    "Elo": "write a number",
    "Checksum": "write the sixteen digits, 0 to 9 and a to f, that were noted when the record was signed",
    "Time": "write a time, as in 19:30",
}
"""The end of a header's name → what to write."""


class HeaderFault(NamedTuple):
    """A fault in the header at ``place`` in ``record.headers``, or in the headers as a whole if that is None."""

    place: int | None
    fault: Fault


class HeaderInfo(NamedTuple):
    """What the headers say about a game. ``edition`` is None if it is not known."""

    edition: Edition | None
    starter: int
    view: View
    position: bool
    termination: str
    faults: tuple[HeaderFault, ...]
    agreed: tuple[tuple[str, str], ...]
    """The codes that the players agreed to allow, each with their name for the rule."""
    is_broken_off: bool
    """Whether Termination says that the game was broken off: it did not end by the rules."""
    tournament: bool
    """Whether Mode says that a player recorded their own game without help."""


def may_break_off(record: Record, header_info: HeaderInfo) -> bool:
    """Return whether a record may stop anywhere: its game was broken off, or it gives no points."""
    return header_info.is_broken_off or record.result is None or record.result.points is None


_FRAMES: Final[dict[tuple[str, ...], HeaderInfo]] = {}
"""The part of the headers that decides what they say (``_deciding``) → their frame, if nothing is wrong with them."""
_MAX_FRAMES: Final = 256
_MAX_LENGTH: Final = 1_000
"""The most characters in that part for a frame to be remembered; nearly all have fewer."""
_MAX_FORM_LENGTH: Final = 15
"""The most characters in a value with a form; nearly all have fewer. A checksum has more and is treated separately."""
_DECISIVE: Final = frozenset((*WORDS, "Rules", "Rulings", "HouseRules", "Signed"))


def read_headers(record: Record, rules: str = "") -> HeaderInfo:
    """Return the frame of a game.

    ``rules`` is the rule set for a record that names none, or an unknown one; it may have options (``1997
    empty_side=tie``).
    """
    deciding = _deciding(record.headers, rules)
    header_info = None if deciding is None else _FRAMES.get(deciding)
    if header_info is None:
        header_info = _frame(record, rules)
        is_plain = not header_info.faults and len(dict(record.headers)) == len(record.headers)
        if is_plain and deciding is not None and len("".join(deciding)) <= _MAX_LENGTH:
            if len(_FRAMES) == _MAX_FRAMES:
                _FRAMES.clear()
            _FRAMES[deciding] = header_info
    return header_info


def _deciding(headers: tuple[tuple[str, str], ...], rules: str) -> tuple[str, ...] | None:
    """Return the part of the headers that decides what they say: their names, and the values that are not merely kept.

    None if something else matters: a value has the wrong form, or is a checksum.
    """
    decisive = [rules]
    for name, value in headers:
        if name in _DECISIVE:
            decisive.append(value)
        elif name in FORMS and (len(value) > _MAX_FORM_LENGTH or not is_of_form(name, value)):
            return None
        decisive.append(name)
    return tuple(decisive)


@lru_cache(maxsize=1 << 12)
def is_of_form(name: str, value: str) -> bool:
    """Return whether the value of a header has the required form, and a day is in the calendar."""
    found = _form(name).fullmatch(value)
    return found is not None and (not name.endswith("Date") or found[1] is None or _is_day(*found.groups()))


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(FORMS[name], re.ASCII)


def _is_day(year: str, month: str, day: str) -> bool:
    """Return whether the calendar has a day with these parts, of which some may be unknown."""
    if month == "02" and day == "29" and year != "0000":
        return not year.isdigit() or (int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0))
    longest = {"02": "28", "04": "30", "06": "30", "09": "30", "11": "30"}.get(month, "31")
    return year != "0000" and (day == "??" or day <= longest)


def _frame(record: Record, rules: str) -> HeaderInfo:
    """Return the frame of a game whose headers have not been seen before."""
    faults: list[HeaderFault] = []
    # If a header is given twice, the first one counts.
    values = dict(reversed(record.headers))
    if len(values) < len(record.headers):
        for place, (name, value) in enumerate(record.headers):
            if values[name] != value:
                faults.append(HeaderFault(place, Fault("H203", {"name": name})))
    edition = _edition(record, values, rules, faults)
    words = _words(record, values, faults)
    if "Checksum" in values or "Signed" in values:
        _signature(record, values, faults)
    if not values.keys() >= _REQUIRED:
        _required(record, values, faults)
    agreed = tuple(_agreed(record, values, faults).items()) if "HouseRules" in values else ()
    return HeaderInfo(
        edition,
        ROME if words.get("Starts") == "caesar" else EGYPT,
        _VIEWS.get(words.get("View", ""), "arbiter"),
        words.get("Setup") == "position",
        words.get("Termination", ""),
        tuple(faults),
        agreed,
        words.get("Termination", "") not in ("", "normal"),
        words.get("Mode") == "tournament",
    )


def _words(record: Record, values: dict[str, str], faults: list[HeaderFault]) -> dict[str, str]:
    """Return the headers whose value is one of a few words, in lower case; note each one with a wrong form."""
    words = {name: values[name].strip().lower() for name in WORDS if name in values}
    for name, value in words.items():
        if value not in _LOWERED[name]:
            allowed = phrase("use one of {words}", words=", ".join(WORDS[name]))
            _add(
                faults,
                record,
                name,
                "H206",
                name=name,
                value=values[name],
                remedy=_advice(record, name, values[name], allowed),
            )
    for name in FORMS:
        if name in values and not is_of_form(name, values[name]):
            help_text = next(text for end, text in _FORM_HELP.items() if name.endswith(end))
            remedy = _advice(record, name, values[name], phrase(help_text))
            _add(faults, record, name, "H204", name=name, value=values[name], remedy=remedy)
    return words


def _advice(record: Record, name: str, value: str, form: str) -> str:
    """Return what the value of a header was probably meant to be; if that can't be told, its form."""
    from .meant_values import intended_values  # needed for slips of the pen only

    meant = intended_values(name, value)
    if name == "Result" and record.result is not None:  # the last line must not contradict what is proposed
        meant = [each for each in meant if each == score_text(record.result)]
    return phrase("did you mean {meant}?", meant=phrase(" or ").join(meant)) if meant else form


def is_result(text: str) -> bool:
    """Return whether a header Result says how the game ended, or that it is still going on."""
    return is_of_form("Result", text)


def _agreed(record: Record, values: dict[str, str], faults: list[HeaderFault]) -> dict[str, str]:
    """Return the codes that the players agreed to allow, each with the name of the rule."""
    agreed: dict[str, str] = {}
    for entry in map(str.strip, values["HouseRules"].split(";")):
        written = _HOUSE_RULES.fullmatch(entry)
        if entry and not written:
            problem = phrase("“{entry}” is not a code with a name", entry=entry)
            _add(faults, record, "HouseRules", "H215", problem=problem)
        codes, name = written.groups() if written else ("", "")
        for code in re.findall(r"\w+", codes):
            if can_be_agreed(code):
                agreed[code] = (name or "").strip() or CODES[code].title
            else:
                problem = phrase("there is no code {code}", code=code)
                if code in CODES:
                    problem = phrase("players can't agree to allow {code}", code=code)
                _add(faults, record, "HouseRules", "H215", problem=problem)
    return agreed


MAX_UNKNOWN_HEADERS: Final = 50
"""The most headers without a meaning that are checked for misspelling; comparing takes time, and a record has few."""
_KNOWN: Final = frozenset(HEADER_ORDER)
_REQUIRED: Final = frozenset(REQUIRED_HEADERS) - {"Rules"}


def header_place(record: Record, name: str) -> int | None:
    """Return the place in ``record.headers`` of the first header with that name; None if there is none."""
    for place, (given, _) in enumerate(record.headers):
        if given == name:
            return place
    return None


def _add(faults: list[HeaderFault], record: Record, header: str, code: str, **facts: Any) -> None:
    """Note a fault in a header, or in the headers as a whole if ``header`` is empty."""
    faults.append(HeaderFault(header_place(record, header), Fault(code, facts)))


def _signature(record: Record, values: dict[str, str], faults: list[HeaderFault]) -> None:
    """Note if the text is no longer the one that was signed, as far as can be seen."""
    if "Checksum" not in values:
        if values["Signed"].strip("?- "):
            _add(faults, record, "Signed", "H210", by=values["Signed"])
    elif CHECKSUM_FORM.fullmatch(values["Checksum"]) and was_changed(record):
        _add(faults, record, "Checksum", "H209", now=checksum(record))


def _required(record: Record, values: dict[str, str], faults: list[HeaderFault]) -> None:
    missing = []
    for name in REQUIRED_HEADERS:
        if name not in values and name != "Rules":
            if near := _misspelt_header(name, values):
                _add(faults, record, near, "H201", names=[name], near=near)
            else:
                missing.append(name)
    if missing:
        _add(faults, record, "", "H201", names=missing, near="")


def _misspelt_header(name: str, given: dict[str, str]) -> str:
    """Return the header that may be a misspelling of a missing one; nothing if none of the first unknown headers is
    similar.
    """
    strange = [other for other in given if other not in _KNOWN][:MAX_UNKNOWN_HEADERS]
    if not strange:
        return ""
    from difflib import get_close_matches  # needed for slips of the pen only

    lowered = {other.lower(): other for other in strange}
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=0.7)
    return lowered[close[0]] if close else ""


def _edition(record: Record, values: dict[str, str], rules: str, faults: list[HeaderFault]) -> Edition | None:
    """Return the edition in force, with its options; None if it is not known."""
    instead, _, given = rules.partition(" ")
    name = values.get("Rules", instead)
    if name not in EDITION_NAMES:
        _no_edition(record, values, rules, faults)
        if "Rules" not in values or instead not in EDITION_NAMES:
            return None
        name = instead
    options = _options(load_edition(name), record, values, faults)
    if given and values.get("Rules") != name:
        options = dict([part.split("=") for part in given.split()]) | options
    return load_edition(name, tuple(options.items()))


def _no_edition(record: Record, values: dict[str, str], rules: str, faults: list[HeaderFault]) -> None:
    """Note that no rule set has the given name, and which rules are used to judge the game instead."""
    instead = rules.partition(" ")[0]
    header = "Rules" if "Rules" in values else ""
    facts = {"known": ", ".join(EDITION_NAMES)}
    if name := values.get("Rules", instead):
        problem = phrase("there is no rule set “{name}”", name=name)
    elif header:
        problem = phrase("the Rules header is empty")
    else:
        problem = phrase("the Rules header is missing")
        if header := _misspelt_header("Rules", values):
            problem = phrase("the Rules header is missing, but there is a header {header}", header=header)
    if header and instead in EDITION_NAMES:
        problem = phrase("{problem}; judged by the {rules} rules", problem=problem, rules=rules)
        facts["instead"] = instead
    _add(faults, record, header, "H202", problem=problem, **facts)


def _options(edition: Edition, record: Record, values: dict[str, str], faults: list[HeaderFault]) -> dict[str, str]:
    """Return the readings and variants that the header Rulings declares."""
    options: dict[str, str] = {}
    for part in values.get("Rulings", "").split():
        option, equals, value = part.partition("=")
        problem = check_option(edition, option, value)
        if not equals:
            problem = phrase("“{part}” is not written as option=value", part=part)
        if option in options:
            problem = phrase("“{option}” is given twice", option=option)
        if problem:
            _add(faults, record, "Rulings", "H205", problem=problem, edition=edition.name)
        else:
            options[option] = value
    return options
