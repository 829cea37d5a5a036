"""What of a token somebody can know: cards that he has not seen become ``i`` and ``a``, as in a record of his own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from ...notation import tokens as t
from ...notation.cards import GROUP_LETTERS, SOME_ACTION, SOME_INFLUENCE, VETO, is_influence
from ...notation.record import Result, Turn
from ...notation.writer import HEADER_ORDER
from ..edition import Edition, FirstAction
from ..headers import VIEWS
from ..rules.moves.legal import announced
from ..table import SEES

HIDDEN_WORD: Final = t.Unread("…")
"""In place of a word that could not be read, and may hold anything."""


KNOWN_HEADERS: Final = frozenset(name.lower() for name in HEADER_ORDER)
"""Those whose meaning is laid down; the recorder's own may say anything, as comments may."""


def seen_token(token: t.Token, side: int, view: str, vetoed: bool = False) -> t.Token:
    """A token of ``side``'s turn as ``view`` knows it; ``vetoed`` says that an action was announced only.

    The arbiter sees all. Cards that lie open, are discarded, or are turned up are everybody's (B10, F2, J1).
    """
    if view == "arbiter":
        return token
    if vetoed and isinstance(token, t.ACTIONS):
        return announced(token)
    redact = _REDACT.get(token.__class__)
    return token if redact is None else redact(token, side, SEES[view])


def seen_tokens(turn: Turn, view: str) -> tuple[t.Token, ...]:
    """The tokens of a turn, each as ``view`` knows it."""
    if view == "arbiter":
        return turn.tokens
    following = (*turn.tokens[1:], None)
    return tuple(
        [
            seen_token(token, turn.side, view, isinstance(after, t.Veto))
            for token, after in zip(turn.tokens, following, strict=False)
        ]
    )


def seen_opening(turn: Turn, view: str, edition: Edition | None, *, position: bool) -> tuple[t.Token, ...]:
    """The tokens of a line of the set-up as ``view`` knows them; of an ordered pile nothing is left.

    The cards on the table come group by group: in which order somebody wrote them down may tell which they are.
    ``position`` says that the line describes the middle of a game; without an ``edition`` nothing is prescribed.
    """
    seen = seen_tokens(turn, view)
    if SEES[view][turn.side]:
        return seen
    given = None
    if edition is not None and edition.first_action is FirstAction.VETO and not position:
        # Where the first action card is prescribed, everybody knows it (B6).
        given = t.Draw((VETO,))
    order = [*(edition.groups if edition else ()), *range(len(GROUP_LETTERS))]
    placed = iter(
        sorted([each for each in seen if isinstance(each, t.Place)], key=lambda each: order.index(each.group))
    )
    return tuple(
        [
            next(placed) if isinstance(token, t.Place) else written if written == given else token
            for written, token in zip(turn.tokens, seen, strict=True)
            if not isinstance(written, t.ActionOrder)
        ]
    )


def seen_verdicts(result: Result, view: str) -> tuple[tuple[int, tuple[bool, ...]], ...]:
    """The arbiter's verdicts on missions that ``view`` knows.

    That there is one tells that the mission is in free words; what it says shows in the points.
    """
    return tuple([verdict for verdict in result.verdicts if SEES[view][verdict[0]]])


def left_out(count: int, view: str) -> str:
    """That so many remarks of a record aren't shown, and why, as a sentence; empty where all are."""
    if not count:
        return ""
    are = "1 remark or header is" if count == 1 else f"{count} remarks and headers are"
    who = "the table" if view == "table" else view.capitalize()
    return f"{are} left out: they may tell what {who} can't see"


def views_for(own: str, wanted: str = "") -> tuple[str, ...]:
    """The points of view that a record can be looked at from: those that see no more than whoever wrote it.

    One that was asked for is among them in any case; it shows unknown cards as unknown.
    """
    known = SEES[own]
    return tuple(
        view
        for view in VIEWS
        if view == wanted or all(seen <= there for seen, there in zip(SEES[view], known, strict=True))
    )


def saw_less(own: str, view: str) -> str:
    """The sentence on a record that ``own`` wrote and ``view`` wants to look at, who saw more than is in it."""
    writer = {"caesar": "Caesar", "cleopatra": "Cleopatra"}.get(own, "a spectator")
    who = {"arbiter": "the arbiter", "caesar": "Caesar", "cleopatra": "Cleopatra"}[view]
    return f"{writer} wrote this record and did not see all that {who} saw"


Sees = tuple[bool, bool]


def _kind(card: int) -> int:
    return SOME_INFLUENCE if is_influence(card) else SOME_ACTION


def _kinds(cards: t.Cards | None) -> t.Cards | None:
    return None if cards is None else tuple(map(_kind, cards))


def _place(token: t.Place, side: int, sees: Sees) -> t.Token:
    return token if sees[side] or not token.hidden else replace(token, card=SOME_INFLUENCE)


def _castle(token: t.Castle, side: int, sees: Sees) -> t.Token:
    if sees[side]:
        return token
    return replace(token, cards_first=_kinds(token.cards_first), cards_second=_kinds(token.cards_second))


def _spy(token: t.Spy, side: int, sees: Sees) -> t.Token:
    """Both players know the hand that was looked at, its owner what he drew."""
    drawn = token.draw if sees[1 - side] or token.draw is None else _kind(token.draw)
    return replace(token, hand=token.hand if any(sees) else None, draw=drawn)


def _veto(token: t.Veto, side: int, sees: Sees) -> t.Token:
    return token if sees[1 - side] or token.draw is None else t.Veto(_kind(token.draw))


def _draw(token: t.Draw, side: int, sees: Sees) -> t.Token:
    return token if sees[side] else t.Draw(tuple(map(_kind, token.cards)))


def _choose(token: t.ChooseMission, _side: int, sees: Sees) -> t.Token:
    return token if sees[token.side] else t.ChooseMission(token.side, None)


def _missions(token: t.Missions, side: int, sees: Sees) -> t.Token:
    return token if sees[side] else t.Missions((t.Mission("unknown"),) * len(token.missions))


def _order(token: t.ActionOrder, side: int, sees: Sees) -> t.Token:
    return token if sees[side] else HIDDEN_WORD


def _hand(token: t.Hand, side: int, sees: Sees) -> t.Token:
    return token if sees[side] else t.Hand(tuple(sorted(map(_kind, token.cards))))


def _unread(_token: t.Unread, _side: int, _sees: Sees) -> t.Token:
    return HIDDEN_WORD


_REDACT: Final[dict[type, Callable[[Any, int, Sees], t.Token]]] = {
    t.Place: _place,
    t.Castle: _castle,
    t.Spy: _spy,
    t.Veto: _veto,
    t.Draw: _draw,
    t.ChooseMission: _choose,
    t.Missions: _missions,
    t.ActionOrder: _order,
    t.Hand: _hand,
    t.Unread: _unread,
}
