"""Recording line by line, where there is no full screen or the input comes from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...notation.writer import turn_text
from ..report.safe import visible
from .asking import asked
from .commands import Lines, Quit, Unheeded, obey, refusal_lines
from .desk import NotKept
from .recorder import Recorder

LISTED = 12
"""So many choices are shown with a question."""


def record_lines(recorder: Recorder, lines: Iterable[str], say: Callable[[str], None], told: Lines) -> bool:
    """Take lines as they come until there are no more, or one says ``/quit``; whether all of them were accepted.

    ``say`` shows a line to the recorder; ``told`` are sentences from the desk, which are shown and emptied.
    """
    refused = 0
    show(recorder, say, told)
    for line in lines:
        entered = line.strip()
        try:
            if entered.startswith("/"):
                insisted = entered == "/insist" and recorder.refusal is not None
                found = obey(recorder, entered)
                refused -= insisted
            else:
                recorder.enter(entered)
                found = refusal_lines(recorder.refusal) if recorder.refusal else []
            refused += recorder.refusal is not None
        except (NotKept, Unheeded) as error:
            found, refused = error.lines if isinstance(error, Unheeded) else [str(error)], refused + 1
        except Quit:
            break
        for each in found:
            say(each)
        show(recorder, say, told)
    return not refused


def show(recorder: Recorder, say: Callable[[str], None], told: Lines) -> None:
    """What stands in the last line, and what is asked for."""
    while told:
        say(told.pop(0))
    draft = recorder.draft
    if draft.record.turns:
        say(visible(turn_text(draft.record.turns[-1])))
    say(f"{draft.spot.label}: {asked(draft)}")
