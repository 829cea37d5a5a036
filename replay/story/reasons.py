"""Why a move is better than another one: facts."""

from __future__ import annotations

from typing import NamedTuple

from ...notation.tokens import Mission


class Reason(NamedTuple):
    """A fact that says why one move is better than another; :func:`tironian.words` puts it into words.

    ``about`` is the group, the card or the mission that it is about, ``odds`` how often something comes of the better
    move, and how often of the other one: a ``vote`` is won that comes right after it, or after the turn (``by_turn``),
    by the lower sum otherwise (``lower``); a vote is won within two turns (``wins``); or it holds two turns later that
    a vote has been or would be won (``leads``), that a side has no defence (``bare``), that it ``holds`` a card, or
    that a mission is ``fulfilled`` or ``possible``. ``own`` says whether that concerns the player or the other side.

    What is certain are a placing that is the ``number``-th card, with which the other move (``special``) or the better
    one (``calls``) calls a special vote; an action after which no second card could be placed (``closed``); and
    ``missions`` with what each of them ``needs``: a number of groups or patricians, None if it is impossible now. Of a
    report in a file, only the words are known (``said``).

    >>> print(tironian.words(tironian.Reason("wins", tironian.Group.AEDILE, (0.5, 0.25))))
    within two turns the player wins a vote at the Aediles 50 % of the time, not 25 %
    """

    kind: str
    about: int | Mission = 0
    odds: tuple[float, float] = (0.0, 0.0)
    own: bool = True
    number: int = 0
    by_turn: bool = False
    lower: bool = False
    needs: tuple[tuple[Mission, int | None], ...] = ()
    said: str = ""
