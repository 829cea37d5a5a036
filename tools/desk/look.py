"""A game to look at in a browser: its page, as ``tiro timeline`` writes it, its record and its score sheet."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from ...notation.records import read_bytes, write
from ...replay.engine.api import VIEWS, ChosenView, read_headers
from ...replay.knowledge.api import saw_less_message, views_for
from ...replay.knowledge.api import view as redacted
from ...replay.story.api import NoTimeline
from ..recorder.api import NARROW, Draft, score_sheet
from ..render.api import page
from .check import encoded, refuse_running
from .desk import Desk, DeskError, sentence


def recorded(journal: Any, on_progress: Callable[[], object] = lambda: None) -> str:
    """Return the record of a game recorded by taps; ``on_progress`` is called after each of them.

    Raise NoJournal if there is none, or while nothing may help its player: in tournament mode, until the game is over.
    """
    draft = Desk.of(journal, on_progress).recorder.draft
    if draft.by_form:
        raise DeskError(sentence("look", "not_over"))
    return draft.text


def game_pages(text: str, view: ChosenView = "", rules: str = "") -> dict[str, Any]:
    """Return what can be seen of the game in a text, from all ``views`` that it allows or from only one.

    These are its ``page``, its ``record`` and the lines of its ``sheet``; they contain nothing that is hidden from a
    chosen ``view``. ``rules`` names the rule set if the record names none; if neither does, ``page`` is None and
    nothing else is returned. Raise NoJournal if it can't be looked at.
    """
    refuse_running(text)
    game = next(read_bytes(BytesIO(encoded(text)), "record"))
    frame = read_headers(game.record, rules)
    if frame.edition is None and game.record.turns:
        return {"page": None}
    own = frame.view
    views = views_for(own)
    if view and view not in views:
        raise DeskError(saw_less_message(own, view) if view in VIEWS else sentence("screen", "no_message"))
    try:
        made = page(game, view, rules)
    except NoTimeline as error:
        raise DeskError(str(error)) from None
    seen = write(redacted(game, view, rules).record) if view else text
    return {"page": made, "views": views, "record": seen, "sheet": score_sheet(Draft.resumed(seen), NARROW)}
