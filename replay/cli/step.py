"""``tiro step``: a game walked through in the terminal, full screen."""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib.util import find_spec

import click

from ...notation.build import install
from .common import STDIN, Trouble
from .moment import ChosenGame, game_options


@click.command()
@click.option("--at", metavar="TURN", help="Where to begin: a turn (7E), or a token in it (7E.2).")
@game_options
def step(chosen: ChosenGame, at: str | None) -> None:
    """Step through a game of FILE (- for standard input), token by token and vote by vote.

    Arrow keys go forward and back, ? shows all keys, q quits. The exit code is 1 if the cards can be followed only part
    of the way.
    \f\b
    Example:
      tiro step game.tiro                       from the set-up, with the arrow keys
      tiro step game.tiro --at 7E --as caesar   from turn 7E on, as Caesar sees it
    """
    from ..analysis.timeline import timeline
    from ..engine.headers import read_headers
    from ..screen.walk import Walk
    from ..views.redaction import views_for

    _, cut = chosen.step(None)
    tell = partial(timeline, chosen.game, rules=chosen.rules, played=chosen.played)
    own = read_headers(chosen.game.record).view
    view = chosen.view or own
    walk = Walk(tell, view, views_for(own, view))
    if at is not None:
        chosen.step(at)
        walk.go(at)
    if why := why_no_screen():
        raise Trouble(why)
    _need_keyboard(chosen.file)
    from ..screen.step_screen import StepApp

    StepApp(walk).run()
    chosen.end(cut)


def why_no_screen() -> str:
    """Return a sentence why nothing can be drawn: not to a file or a pipe, and not without Textual; empty if it can."""
    # The screen is drawn on standard error, so that has to be a terminal as well.
    for stream, name in ((sys.stdout, "standard output"), (sys.stderr, "standard error")):
        if stream is None or not stream.isatty():
            return f"{name} is not a terminal; tiro show and tiro timeline write text"
    if os.environ.get("TERM", "") == "dumb":
        return "this terminal (TERM=dumb) can't be drawn on; tiro show and tiro timeline write text"
    if find_spec("textual") is None:
        return f"tiro step draws with Textual, which is not installed: {install('[step]')}"
    return ""


def _need_keyboard(file: str) -> None:
    """Take the keys from the terminal where standard input is something else, such as the record."""
    if sys.stdin is None:
        raise Trouble("standard input is closed, and there is no other keyboard")
    try:
        if os.isatty(0):
            return
        keys = os.open("/dev/tty", os.O_RDWR)
        os.dup2(keys, 0)
        os.close(keys)
    except OSError:
        why = "was used for the record" if file == STDIN else "is not a terminal"
        raise Trouble(f"standard input {why}, and there is no other keyboard; name a file") from None
