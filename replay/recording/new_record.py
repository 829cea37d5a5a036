"""A new record: what has to be asked before the game, with sensible answers, and the record that comes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...notation.reader import parse
from ...notation.record import Record, Result
from ...notation.safe_text import visible
from ...notation.writer import write
from ..checking.check import check
from ..editions.edition import Edition, load_edition
from ..editions.policies import rome_may_begin
from .clocks import parse_control
from .help_texts import help_texts


class Question(NamedTuple):
    """A header to be asked for. An empty answer takes the default; without one the header is left out."""

    name: str
    words: str
    default: str


def questions(edition: Edition, today: str) -> list[Question]:
    """Return what to ask before a game; ``today`` as headers write it: ``2026.05.31``."""
    return [
        Question(header, words, default.format(today=today))
        for header, (words, default) in help_texts()["questions"].items()
        if header != "Starts" or rome_may_begin(edition.starter)
    ]


def blank(rules: str, answers: Mapping[str, str], today: str) -> str:
    """Return a record with nothing but headers. ``answers``: header → value; unanswered ones get their default."""
    given = {question.name: question.default for question in questions(load_edition(rules), today)}
    given |= {name: value.strip() for name, value in answers.items() if value.strip()}
    given["View"] = given["View"].lower()
    left_out = (("Starts", "Cleopatra"), ("View", "arbiter"))
    headers = [("Rules", rules), ("Result", "*"), *[each for each in given.items() if each[1] and each not in left_out]]
    return write(Record(tuple(headers), (), (), Result()))


def faults(text: str) -> list[str]:
    """Return what is wrong with the headers of a new record, in words, and what to write; nothing if all is well."""
    (game,) = parse(text)
    faults = [fault for fault in check(game).diagnostics if fault.code in ("H204", "H205", "H206")]
    messages = [f"{fault.message}; {fault.help}" if fault.help else fault.message for fault in faults]
    control = game.record.header("TimeControl")
    if control and parse_control(control) is None:
        messages.append(f"“{visible(control)}” can't set a clock; write seconds, as in 1800+10, or nothing")
    return messages
