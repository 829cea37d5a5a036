"""What of a token somebody can know: cards that he has not seen become ``i`` and ``a``, as in a record of his own."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...notation import tokens as t
from ...notation.cards import GROUP_LETTERS, SOME_INFLUENCE
from ...notation.record import Result, Turn
from ...notation.writer import HEADER_ORDER
from ..editions.edition import Edition
from ..editions.policies import first_action
from ..engine.headers import VIEWS
from ..rules.moves.legal import announced
from ..rules.sequences import some_of
from .table_view import SEES

HIDDEN_WORD: Final = t.Unread("…")
"""In place of a word that could not be read, and may hold anything."""
SEERS: Final = {"arbiter": "the arbiter", "caesar": "Caesar", "cleopatra": "Cleopatra", "table": "a spectator"}
"""Point of view → who looks."""
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
    own, other = SEES[view][side], SEES[view][1 - side]
    match token:
        case t.Place() if token.hidden and not own:
            return replace(token, card=SOME_INFLUENCE)
        case t.Draw() if not own:
            return t.Draw(_kinds(token.cards))
        case t.Castle(cards_first=first, cards_second=second) if not own:
            return replace(token, cards_first=first and _kinds(first), cards_second=second and _kinds(second))
        case t.Spy():
            # Both players know the hand that was looked at, its owner what he drew.
            drawn = token.draw if other or token.draw is None else some_of(token.draw)
            return replace(token, hand=token.hand if own or other else None, draw=drawn)
        case t.Veto() if token.draw is not None and not other:
            return t.Veto(some_of(token.draw))
        case t.ChooseMission() if not SEES[view][token.side]:
            return t.ChooseMission(token.side, None)
        case t.Missions() if not own:
            return t.Missions((t.Mission("unknown"),) * len(token.missions))
        case t.Hand() if not own:
            return t.Hand(tuple(sorted(_kinds(token.cards))))
        case t.ActionOrder() if not own:
            return HIDDEN_WORD
        case t.Unread():
            return HIDDEN_WORD
        case _:
            return token


def seen_tokens(turn: Turn, view: str) -> tuple[t.Token, ...]:
    """The tokens of a turn, each as ``view`` knows it."""
    if view == "arbiter":
        return turn.tokens
    pairs = zip(turn.tokens, (*turn.tokens[1:], None), strict=False)  # a turn may have no tokens
    return tuple([seen_token(token, turn.side, view, isinstance(after, t.Veto)) for token, after in pairs])


def seen_opening(turn: Turn, view: str, edition: Edition | None, *, position: bool) -> tuple[t.Token, ...]:
    """The tokens of a line of the set-up as ``view`` knows them; of an ordered pile nothing is left.

    The cards on the table come group by group: in which order somebody wrote them down may tell which they are.
    ``position`` says that the line describes the middle of a game; without an ``edition`` nothing is prescribed.
    """
    seen = seen_tokens(turn, view)
    if SEES[view][turn.side]:
        return seen
    # Where the first action card is prescribed, everybody knows it (B6).
    given = t.Draw(() if edition is None or position else first_action(edition.first_action))
    order = [*(edition.groups if edition else ()), *range(len(GROUP_LETTERS))]
    cards = [each for each in seen if isinstance(each, t.Place)]
    placed = iter(sorted(cards, key=lambda each: order.index(each.group)))
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
    return tuple(view for view in VIEWS if view == wanted or sees_no_more(view, own))


def sees_no_more(view: str, own: str) -> bool:
    """Whether a point of view sees nothing that is hidden from another one."""
    return all(seen <= there for seen, there in zip(SEES[view], SEES[own], strict=True))


def saw_less(own: str, view: str) -> str:
    """The sentence on a record that ``own`` wrote and ``view`` wants to look at, who saw more than is in it."""
    return f"{SEERS[own]} wrote this record and did not see all that {SEERS[view]} saw"


def _kinds(cards: t.Cards) -> t.Cards:
    return tuple(map(some_of, cards))
