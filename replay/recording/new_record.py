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
    """What to ask before a game; ``today`` as headers write it: ``2026.05.31``."""
    return [
        Question(header, words, default.format(today=today))
        for header, (words, default) in help_texts()["questions"].items()
        if header != "Starts" or rome_may_begin(edition.starter)
    ]


def blank(rules: str, view: str, answers: Mapping[str, str], today: str) -> str:
    """The text of a record with nothing but headers. ``answers``: header → value; unanswered ones get their default."""
    headers = [("Rules", rules), ("Result", "*"), *[("View", view)] * (view != "arbiter")]
    given = {question.name: question.default for question in questions(load_edition(rules), today)}
    given |= {name: value.strip() for name, value in answers.items() if value.strip()}
    headers += [each for each in given.items() if each[1] and each != ("Starts", "Cleopatra")]
    return write(Record(tuple(headers), (), (), Result()))


def faults(text: str) -> list[str]:
    """What is wrong with the headers of a new record, in words, and what to write; nothing where all is well."""
    (game,) = parse(text)
    found = [each for each in check(game).diagnostics if each.code in ("H204", "H205", "H206")]
    told = [f"{each.message}; {each.help}" if each.help else each.message for each in found]
    control = game.record.header("TimeControl")
    if control and parse_control(control) is None:
        told.append(f"“{visible(control)}” can't set a clock; write seconds, as in 1800+10, or nothing")
    return told
