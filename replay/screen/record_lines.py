"""The record beside the table as it is drawn, and what the recorder says about it. No screen is needed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from ...notation.cards import PLAYER_NAMES, SIGNS
from ...notation.record import Record
from ...notation.safe_text import visible
from ...notation.writer import turn_text
from ..engine.headers import VIEWS
from ..recording.beginnings import may_begin
from ..recording.cursor import Phase
from ..recording.draft import Draft
from ..recording.entry import text_of
from ..recording.questions import asked
from ..recording.recorder import Recorder, Refusal
from ..recording.score_sheet import score_in_parts, score_sheet
from ..recording.turn_steps import DONE, LATER, NOW, TurnStep, turn_steps
from .board import STYLES
from .fixed_board import GAP, folded
from .pick_list import cut

HERE: Final = "reverse"
"""How the turn that is being written is shown."""
REFUSED: Final = "bold red"
"""How it is said that something was not accepted, and the word that it was."""
BESIDES: Final = 5
"""How many lines the title, the turn, the question, the line to type on and the keys take."""
LEAST: Final = 3
"""How many lines of what is said, and of a list in which one chooses, are shown however much there is of the other."""
BELOW: Final = 5
"""How many lines both have together where the table leaves them so many."""
USUAL: Final = 24
"""How many lines a screen usually has. A lower one shows a turn above the present one, a higher one more of them."""
_BETWEEN: Final = " · "
_STEPS: Final = {DONE: "green", NOW: "bold", LATER: ""}


def written(record: Record) -> list[str]:
    """Return the lines of a record: its turns, and its result."""
    lines = [visible(turn_text(turn)) for turn in record.turns]
    if record.result is not None and record.result.points is not None:
        lines.append(visible(record.header("Result")))
    return lines


def title(recorder: Recorder, file: str, width: int) -> Text:
    """Return the turn, the clocks, whose game it is, and in which file, as far as there is room for whole words."""
    draft, clocks = recorder.draft, recorder.clocks
    header, view = draft.record.header, draft.frame.view
    parts = [draft.cursor.label]
    if clocks is not None:
        times = "   ".join(f"{name} {clocks.mark(side)[1:]}" for side, name in enumerate(PLAYER_NAMES))
        parts.append(times if clocks.is_running else f"{times}   (paused)")
    parts.append(" – ".join(map(header, PLAYER_NAMES)))
    parts += [f"seen by {view}"] * (view != VIEWS[0])
    parts += [f"{header('Rules')} rules", os.path.basename(file)]
    while len(parts) > 1 and cell_len(visible(_BETWEEN.join(parts))) > width:
        parts.pop()  # what comes later is worth less
    return Text(visible(_BETWEEN.join(parts)))


def heights(height: int, *, wide: bool) -> tuple[int, int]:
    """Return how many lines the last turns have, and the table at most: below both there is always room for the list.

    On a ``wide`` screen the record stands beside the table, with all its turns.
    """
    last = 0 if wide else max(1, 2 + (height - USUAL) // 3)
    return last, max(LEAST + 1, height - BESIDES - last - BELOW)


def tail(draft: Draft, room: int, back: int, *, marked: bool) -> Text:
    """Return as many lines of the record as there is room for, ending ``back`` lines before its end.

    ``marked``: the turn that is being written is among them, highlighted; otherwise it is left out.
    """
    lines, is_open = [Text(line) for line in written(draft.record)], not draft.cursor.fresh
    if marked and is_open and lines:
        lines[-1].stylize(HERE)
    elif not marked and is_open:
        lines = lines[:-1]
    end = len(lines) - back
    return Text("\n").join(lines[max(0, end - max(1, room)) : end])


def turn_line(draft: Draft, width: int) -> Text:
    """Return the turn that is being written, and at the right its steps: those that are done, and those to come."""
    turns, cursor = draft.record.turns, draft.cursor
    if cursor.phase is Phase.OVER and cursor.fresh:
        return Text()
    turn = visible(turn_text(turns[-1]) if turns and not cursor.fresh else cursor.label)
    due = turn_steps(draft)
    # How the turn reads is worth more than that something is done, and what is still due more than how it began.
    while any(step.stands == DONE for step in due) and width < len(turn) + GAP + _steps(due).cell_len:
        due.remove(next(step for step in due if step.stands == DONE))
    steps = _steps(due)
    room = max(len(cursor.label), width - steps.cell_len - GAP)
    if len(turn) > room:
        turn = f"…{turn[1 - room :]}"
    line = Text(turn, HERE)
    return Text.assemble(line, " " * max(GAP, width - line.cell_len - steps.cell_len), steps)


def _steps(due: Sequence[TurnStep]) -> Text:
    return Text("  ").join([Text(f"{step.stands} {step.name}", _STEPS[step.stands]) for step in due])


def question(draft: Draft, width: int) -> list[Text]:
    """Return what is asked for next, in the colour of the side that it asks, in lines of at most that width."""
    side, is_over = draft.cursor.side, draft.cursor.phase is Phase.OVER
    text = asked(draft) if is_over else f"{SIGNS[side]} {draft.cursor.label} · {asked(draft)}"
    style = "bold reverse" if is_over else f"{STYLES[side]} reverse"
    return [Text.assemble((f" {line.plain} ", style)) for line in folded(Text(text), max(1, width - GAP))]


def said(lines: Sequence[str], width: int, *, refused: bool) -> list[Text]:
    """Return what is to be said in lines of at most that width; why something was ``refused`` stands out."""
    drawn: list[Text] = []
    for text in map(visible, lines):
        indent = " " * (len(text) - len(text.lstrip()))
        style = REFUSED if refused and not drawn else ""
        drawn += [
            Text.assemble(indent, (line.plain, style)) for line in folded(Text(text.lstrip()), width - len(indent))
        ]
    return drawn


def sheet(recorder: Recorder, notices: Sequence[str], room: int, width: int) -> list[Text]:
    """Return the score sheet, or its sums where there is no room for all of it; nothing where that is said already."""
    draft = recorder.draft
    lines, parts = score_sheet(draft.record, width=recorder.width), score_in_parts(draft)
    if {lines[0], *parts[:1]} & {*notices}:
        return []
    if parts and len(lines) > room:
        lines = [*parts, "…  /sheet shows all groups"]
    return cut(said(lines, width, refused=False), room, Text("…  /sheet shows all of it"))


def no_word(recorder: Recorder, typed: str) -> Text:
    """Return that no word that may come next begins as was typed, where that is so."""
    is_so = not may_begin(recorder, typed)
    return Text(f"nothing that may come next begins with “{visible(typed)}”; Esc clears the line" * is_so)


def not_recorded(typed: str, left: str) -> str:
    """Return how many words stand on the line that were not accepted, or not kept, or typed behind such words."""
    count = len(typed.split()) if left and typed.lstrip().startswith(left) else 0
    return f"{count} word{'s' * (count > 1)} not recorded " if count else ""


def refused_word(typed: Text, refusal: Refusal | None) -> Text:
    """Return what stands on the line with the word marked that was refused, while it still stands first."""
    word = text_of(refusal.item) if refusal is not None and refusal.item is not None else ""
    start = len(typed.plain) - len(typed.plain.lstrip())
    if word and typed.plain.startswith(word, start):
        typed.stylize(REFUSED, start, start + len(word))
    return typed
