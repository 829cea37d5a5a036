"""Recording line by line, where there is no full screen or the input comes from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from ...notation.writer import turn_text
from ..report.safe import visible
from .asking import asked
from .commands import Lines, Quit, enter, obey
from .desk import NotKept
from .recorder import Recorder, Unheeded

HELP: Final = ("help", "?")
"""What somebody types who knows nothing yet. A glyph ``?`` stands behind the word that it is about."""


def record_lines(
    recorder: Recorder, lines: Iterable[str], say: Callable[[str], None], told: Lines, *, patient: bool
) -> tuple[int, str] | None:
    """Take lines as they come until there are no more, or one says ``/quit``.

    ``say`` shows a line to the recorder; ``told`` are sentences from the desk, which are shown and emptied. Who is not
    ``patient`` stops behind the first line that is not accepted, unless the next one insists on it, and is given its
    number, from 1 on, and the line: what follows it would land in the wrong turn.
    """
    refused: tuple[int, str] | None = None
    show(recorder, say, told)
    for number, line in enumerate(lines, 1):
        entered = line.strip()
        if refused and entered != "/insist" and not patient:
            break
        try:
            found = _taken_in(recorder, entered)
            refused = (number, entered) if recorder.refusal else None
        except (NotKept, Unheeded) as error:
            found, refused = [*error.args], (number, entered)
        except Quit:
            break
        for each in found:
            say(each)
        show(recorder, say, told)
    return None if patient else refused


def _taken_in(recorder: Recorder, entered: str) -> Lines:
    """Do what a line says; what is to be said about it."""
    if entered.lower() in HELP:
        return [*obey(recorder, "/help"), "", "The glyph ? stands behind a word: 5Q ?"]
    return enter(recorder, entered)


def show(recorder: Recorder, say: Callable[[str], None], told: Lines) -> None:
    """What stands in the last line, and what is asked for."""
    while told:
        say(told.pop(0))
    draft = recorder.draft
    if draft.record.turns:
        say(visible(turn_text(draft.record.turns[-1])))
    say(f"{draft.spot.label}: {asked(draft)}")
