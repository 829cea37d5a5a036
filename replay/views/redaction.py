"""What of a token somebody can know: cards that he has not seen become ``i`` and ``a``, as in a record of his own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, assert_never

from ...notation import tokens as t
from ...notation.cards import GROUP_LETTERS
from ...notation.record import Result, Turn
from ...notation.tokens import FieldKind, Sort, Who, field_kinds
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
    """Return a token of ``side``'s turn as ``view`` knows it; ``vetoed`` says that an action was only announced.

    The arbiter sees all. Who else sees what stands with the fields of each token (B10, F2, J1). Raise TypeError for a
    token whose class does not say so.
    """
    if view == "arbiter":
        return token
    if vetoed and isinstance(token, t.ACTIONS):
        return announced(token)
    for name, part in field_kinds(token.__class__).items():
        value = getattr(token, name)
        if part.seen_by is Who.ALL or value is None or _is_seen(token, part, side, view):
            continue
        if part.sort not in _COVERS:
            return HIDDEN_WORD
        token = replace(token, **{name: _COVERS[part.sort](value)})
    return token


_COVERS: Final[dict[Sort, Callable[[Any], Any]]] = {
    Sort.CARD: some_of,
    **dict.fromkeys((Sort.LAID, Sort.DRAWN), lambda cards: tuple(map(some_of, cards))),
    Sort.CARDS: lambda cards: tuple(sorted(map(some_of, cards))),
    Sort.MISSIONS: lambda missions: (t.Mission("unknown"),) * len(missions),
    **dict.fromkeys((Sort.HAND, Sort.VALUE, Sort.WINNER), lambda _: None),
}
"""What a field is → what stands in its place for those who can't see it. Where nothing can, the whole word goes."""


def _is_seen(token: t.Token, part: FieldKind, side: int, view: str) -> bool:
    """Return whether ``view`` knows a field of a token that not everybody can know."""
    if part.face_down and not getattr(token, "hidden", True):
        return True
    sees = SEES[view]
    match part.seen_by:
        case Who.ALL:
            return True
        case Who.MOVER:
            return sees[side]
        case Who.OTHER:
            return sees[1 - side]
        case Who.PLAYERS:
            return any(sees)
        case Who.NAMED:
            return isinstance(token, t.ChooseMission) and sees[token.side]
        case Who.NOBODY:
            return False
        case _:
            assert_never(part.seen_by)


def seen_tokens(turn: Turn, view: str) -> tuple[t.Token, ...]:
    """Return the tokens of a turn, each as ``view`` knows it."""
    if view == "arbiter":
        return turn.tokens
    pairs = zip(turn.tokens, (*turn.tokens[1:], None), strict=False)  # a turn may have no tokens
    return tuple([seen_token(token, turn.side, view, isinstance(after, t.Veto)) for token, after in pairs])


def seen_opening(turn: Turn, view: str, edition: Edition | None, *, position: bool) -> tuple[t.Token, ...]:
    """Return the tokens of a line of the set-up as ``view`` knows them; of an ordered pile nothing is left.

    The cards on the table come group by group: in which order somebody wrote them down may tell which they are.
    ``position`` says that the line describes the middle of a game; without an ``edition`` nothing is prescribed.
    """
    seen = seen_tokens(turn, view)
    if SEES[view][turn.side]:
        return seen
    # Where the first action card is prescribed, everybody knows it (B6).
    given = t.Draw(() if edition is None or position else first_action(edition.first_action))
    order = [*(edition.groups if edition else ()), *range(len(GROUP_LETTERS))]
    placed = iter(
        sorted([token for token in seen if isinstance(token, t.Place)], key=lambda card: order.index(card.group))
    )
    tokens: list[t.Token] = []
    for written, token in zip(turn.tokens, seen, strict=True):
        if isinstance(token, t.Place):
            tokens.append(next(placed))
        elif not isinstance(written, t.ActionOrder):
            tokens.append(written if written == given else token)
    return tuple(tokens)


def seen_verdicts(result: Result, view: str) -> tuple[tuple[int, tuple[bool, ...]], ...]:
    """Return the arbiter's verdicts on missions that ``view`` knows.

    That there is one tells that the mission is in free words; what it says shows in the points.
    """
    return tuple([verdict for verdict in result.verdicts if SEES[view][verdict[0]]])


def left_out(count: int, view: str) -> str:
    """Return a sentence that says that ``count`` remarks are not shown, and why; an empty string for none."""
    if not count:
        return ""
    are = "1 remark or header is" if count == 1 else f"{count} remarks and headers are"
    who = "the table" if view == "table" else view.capitalize()
    return f"{are} left out: they may reveal what {who} can't see"


def views_for(own: str, wanted: str = "") -> tuple[str, ...]:
    """Return the points of view from which a record can be shown: those that see no more than its writer, ``own``.

    ``wanted`` is among them in any case; it shows unknown cards as unknown.
    """
    return tuple(view for view in VIEWS if view == wanted or sees_no_more(view, own))


def sees_no_more(view: str, own: str) -> bool:
    """Return whether ``view`` sees nothing that is hidden from ``own``."""
    return all(seen <= there for seen, there in zip(SEES[view], SEES[own], strict=True))


def saw_less(own: str, view: str) -> str:
    """Return the sentence on a record that ``own`` wrote and ``view``, who saw more, wants to look at."""
    return f"{SEERS[own]} wrote this record and did not see all that {SEERS[view]} saw"
