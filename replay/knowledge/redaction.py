"""What a point of view can know about a token or a whole record: unseen cards become ``i`` and ``a``.

A record becomes what another person, who saw no more than its writer, would have written. Cards that were shown at the
table are filled in if the writer, who knew them, left them out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import GROUP_LETTERS, unknown_card_like
from ...notation.fingerprint import unsigned
from ...notation.language import Messages, phrase, plural
from ...notation.reader import Game, as_game
from ...notation.record import Alternative, BadLine, Comment, Follower, Record, Result, Ruling, Turn
from ...notation.tokens import Audience, FieldKind, FieldType, chosen, field_kinds
from ...notation.writer import HEADER_ORDER, canonical_headers
from ..editions.edition import Edition
from ..engine.headers import VIEWS, HeaderInfo, View, read_headers
from ..engine.replay import Replay, is_last, replay_game, walk
from ..engine.run import may_be_turn
from ..engine.shown import with_shown_cards
from .table_view import SEES

HIDDEN_WORD: Final = t.Unread("…")
"""Replaces an unreadable word, which may hold anything."""
VIEWER_NAMES: Final[Messages] = {
    "arbiter": "the arbiter", "caesar": "Caesar", "cleopatra": "Cleopatra", "table": "a spectator"
}  # fmt: skip
"""Point of view → who sees."""
KNOWN_HEADERS: Final = frozenset(name.lower() for name in HEADER_ORDER)
"""Headers with a defined meaning; the recorder's own headers may say anything, just like comments."""


def seen_token(token: t.Token, side: int, view: str, vetoed: bool = False) -> t.Token:
    """Return a token of ``side``'s turn as ``view`` knows it; ``vetoed`` says that an action was only announced.

    The arbiter sees everything. What others see is stated with the fields of each token (B10, F2, J1). Raise TypeError
    for a token whose class does not say so.
    """
    if view == "arbiter":
        return token
    if vetoed and isinstance(token, t.ACTIONS):
        return chosen(token)
    for name, part in field_kinds(token.__class__).items():
        value = getattr(token, name)
        if part.seen_by is Audience.ALL or value is None or _is_seen(token, part, side, view):
            continue
        if part.field_type not in _COVERS:
            return HIDDEN_WORD
        token = replace(token, **{name: _COVERS[part.field_type](value)})
    return token


_COVERS: Final[dict[FieldType, Callable[[Any], Any]]] = {
    FieldType.CARD: unknown_card_like,
    **dict.fromkeys((FieldType.LAID, FieldType.DRAWN), lambda cards: tuple(map(unknown_card_like, cards))),
    FieldType.CARDS: lambda cards: tuple(sorted(map(unknown_card_like, cards))),
    FieldType.MISSIONS: lambda missions: (t.Mission("unknown"),) * len(missions),
    **dict.fromkeys((FieldType.HAND, FieldType.VALUE, FieldType.WINNER), lambda _: None),
}
"""Type of a field → its replacement for those who can't see it. If there is no replacement, the whole word is left out.
"""


def _is_seen(token: t.Token, part: FieldKind, side: int, view: str) -> bool:
    """Return whether ``view`` knows a field of a token that is not known to everybody."""
    if part.face_down and not getattr(token, "hidden", True):
        return True
    sees = SEES[view]
    match part.seen_by:
        case Audience.ALL:
            return True
        case Audience.MOVER:
            return sees[side]
        case Audience.OTHER:
            return sees[1 - side]
        case Audience.PLAYERS:
            return any(sees)
        case Audience.NAMED:
            return isinstance(token, t.ChooseMission) and sees[token.side]
        case Audience.NOBODY:
            return False
        case _:
            assert_never(part.seen_by)


def seen_tokens(turn: Turn, view: str) -> tuple[t.Token, ...]:
    """Return the tokens of a turn, each as ``view`` knows it."""
    if view == "arbiter":
        return turn.tokens
    return tuple([seen_token(token, turn.side, view, turn.is_vetoed(at)) for at, token in enumerate(turn.tokens)])


def seen_opening(turn: Turn, view: str, edition: Edition | None, *, position: bool) -> tuple[t.Token, ...]:
    """Return the tokens in a set-up line as ``view`` knows them; the order of a pile is left out.

    The cards on the table come group by group, since the order in which they were written may reveal what they are.
    ``position`` says that the line describes the middle of a game; without an ``edition`` nothing is prescribed.
    """
    seen = seen_tokens(turn, view)
    if SEES[view][turn.side]:
        return seen
    # If the rules prescribe the first action card, everybody knows it (B6).
    given = t.Draw(() if edition is None or position else edition.first_action.cards)
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

    A verdict reveals only that the mission is in free words; the outcome shows in the points anyway.
    """
    return tuple([verdict for verdict in result.verdicts if SEES[view][verdict[0]]])


def left_out(count: int, view: str) -> str:
    """Return a sentence saying that ``count`` remarks are not shown, and why; an empty string for none."""
    if not count:
        return ""
    return plural(
        "{count} remark or header is left out: it may reveal what {who} can't see",
        "{count} remarks and headers are left out: they may reveal what {who} can't see",
        count,
        who=phrase("the table") if view == "table" else phrase(VIEWER_NAMES[view]),
    )


def views_for(own: str, wanted: str = "") -> tuple[View, ...]:
    """Return the points of view from which a record can be shown: those that see no more than ``own``, its writer's.

    ``wanted`` is always among them; it shows unknown cards as unknown.
    """
    return tuple(view for view in VIEWS if view == wanted or sees_no_more(view, own))


def sees_no_more(view: str, own: str) -> bool:
    """Return whether ``view`` sees no more than ``own``."""
    return all(seen <= there for seen, there in zip(SEES[view], SEES[own], strict=True))


def saw_less_message(own: str, view: str) -> str:
    """Return the sentence about a record by ``own`` that was requested for ``view``, who saw more."""
    writer, who = phrase(VIEWER_NAMES[own]), phrase(VIEWER_NAMES[view])
    return phrase("{writer} wrote this record and did not see everything that {who} saw", writer=writer, who=who)


class ViewNotAvailable(ValueError):
    """Raised if there is no record from a point of view because it sees more than the record's writer; the text says
    why.

    >>> tironian.view(tironian.view(record, "table").record, "caesar")
    Traceback (most recent call last):
    ...
    ViewNotAvailable: a spectator wrote this record and did not see everything that Caesar saw; possible views: table
    """


class Redaction(NamedTuple):
    """A record from another point of view.

    ``left_out_count`` counts comments, headers, alternatives, texts of rulings and unread words or lines that are not
    in the record. Signatures and the checksum are left out without being counted, since this is not the text that was
    signed. ``unfollowed_message`` is a sentence that says where shown cards could no longer be filled in; it is empty
    if nothing is missing.

    >>> tironian.view(record, "caesar").left_out_count
    0
    """

    record: Record
    left_out_count: int
    unfollowed_message: str


def view(
    game: Game | Record,
    point_of_view: View,
    rules: str = "",
    *,
    keep_remarks: bool = False,
    played: Replay | None = None,
) -> Redaction:
    """Return the record of a game as ``point_of_view`` would have written it: one of VIEWS.

    ``rules`` names the rule set if the record's headers don't. ``keep_remarks`` keeps comments, the recorder's own
    headers, texts of rulings, and alternatives, with their hidden cards redacted as in turns; unreadable parts are
    still left out. ``played`` is the game's replay, if there is one already. Raise ViewNotAvailable if this point of
    view saw more than the writer, or if there is none with this name.

    >>> redaction = tironian.view(record, "table")
    >>> print(tironian.turn_text(redaction.record.turns[0]))
    0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
    """
    game = as_game(game)
    record = game.record
    header_info = read_headers(record, rules)
    if point_of_view not in VIEWS:
        raise ViewNotAvailable(f"there is no point of view {point_of_view}; there are {', '.join(VIEWS)}")
    if point_of_view not in views_for(header_info.view):
        views = " or ".join(views_for(header_info.view))
        reason = saw_less_message(header_info.view, point_of_view)
        raise ViewNotAvailable(phrase("{reason}; possible views: {views}", reason=reason, views=views))
    if point_of_view == header_info.view:
        return Redaction(record, 0, "")
    shown: Shown = {}
    unfollowed = phrase("the rule set is unknown, so cards that were shown but not written down are not filled in")
    if header_info.edition:
        shown, unfollowed = _shown(played or replay_game(game, rules))
    scribe = _Redactor(point_of_view, header_info, keep_remarks)
    found = Record(
        scribe.headers(record),
        tuple([line for line in scribe.lines(record.preface, opening=True) if isinstance(line, Comment | BadLine)]),
        tuple([scribe.turn(turn, shown.get(place, {})) for place, turn in enumerate(record.turns)]),
        scribe.result(record.result),
    )
    return Redaction(found, scribe.left_out_count, unfollowed)


Shown = dict[int, dict[int, t.Token]]
"""A turn's index in the record → the index of a token in it → the token with the cards that it showed."""


def _shown(played: Replay) -> tuple[Shown, str]:
    """Return the cards that tokens showed but don't name (F1, F2, J1), as far as the replay goes, and why it goes no
    further.
    """
    found: Shown = defaultdict(dict)
    for point in walk(played):
        step, token = point.step, point.step.token
        if step.turn is None or token is None or isinstance(token, t.Spy):  # not everybody may see the hand
            continue
        # If the record stops at an action, it is unknown whether it was carried out (E3).
        stops = is_last(step, played) and step.at + 1 == len(step.turn.tokens)
        if not point.vetoed and not (stops and isinstance(token, t.ACTIONS) and token == chosen(token)):
            found[step.place][step.at] = with_shown_cards(point.before, token)
    if not played.run.stopped:
        return found, ""
    labels = (step.turn.label for step in reversed(played.steps) if step.turn is not None)
    return found, phrase(
        "the cards can't be followed beyond {turn}, so cards that were shown but not written down there are not "
        "filled in",
        turn=next(labels, "") or phrase("the set-up"),
    )


class _Redactor:
    """Rewrites a record for another point of view, and counts what it leaves out."""

    def __init__(self, view: str, header_info: HeaderInfo, keep: bool) -> None:
        self.view, self.header_info, self.keep = view, header_info, keep
        self.left_out_count = 0

    def headers(self, record: Record) -> tuple[tuple[str, str], ...]:
        others = [header for header in unsigned(record.headers) if header[0].lower() != "view"]
        kept = [header for header in others if self.keep or header[0].lower() in KNOWN_HEADERS]
        self.left_out_count += len(others) - len(kept)
        return tuple(canonical_headers([*kept, ("View", self.view)]))

    def turn(self, turn: Turn, shown: dict[int, t.Token]) -> Turn:
        """Return a turn line with what follows it; ``shown`` has tokens that say more than the written ones."""
        written = replace(turn, tokens=tuple([shown.get(at, token) for at, token in enumerate(turn.tokens)]))
        self.left_out_count += sum([isinstance(token, t.Unread) and token != HIDDEN_WORD for token in turn.tokens])
        if turn.number:
            tokens = seen_tokens(written, self.view)
        else:
            tokens = seen_opening(written, self.view, self.header_info.edition, position=self.header_info.position)
        most = len(tokens)  # some tokens before a comment may be gone
        kept = self.comments(turn.notes)
        notes = tuple([replace(note, after=note.after and min(note.after, most)) for note in kept])
        marks = turn.marks
        if marks and not self.keep:
            from ...notation.asides import is_mark  # late: most turns have no marks

            marks = tuple([mark for mark in marks if is_mark(mark)])  # any other may say something
            self.left_out_count += len(turn.marks) - len(marks)
        return Turn(turn.number, turn.side, tokens, marks, notes, self.lines(turn.after))

    def result(self, result: Result | None) -> Result | None:
        if result is None:
            return None
        after, notes = self.lines(result.after), self.comments(result.notes)
        return Result(result.points, result.winner, seen_verdicts(result, self.view), notes, after)

    def comments(self, notes: tuple[Comment, ...]) -> tuple[Comment, ...]:
        if self.keep:
            return notes
        self.left_out_count += len(notes)
        return ()

    def lines(self, lines: Iterable[Follower], *, opening: bool = False) -> tuple[Follower, ...]:
        """Return what remains of lines that are not turns; in the ``opening``, unreadable lines may belong to the
        set-up.
        """
        return tuple([seen for line in lines if (seen := self.line(line, opening))])

    def line(self, line: Follower, opening: bool) -> Follower | None:
        if isinstance(line, BadLine):
            # Whether it exists decides how far the game can be followed.
            self.left_out_count += line.text != HIDDEN_WORD.text
            return BadLine(HIDDEN_WORD.text) if may_be_turn(line) else None
        if isinstance(line, Ruling):
            self.left_out_count += bool(line.text) and not self.keep
            return line if self.keep else Ruling(line.side, line.decision, line.codes, line.points)
        self.left_out_count += not self.keep
        if not self.keep:
            return None
        return Alternative(self.turn(line.turn, {})) if isinstance(line, Alternative) else line
