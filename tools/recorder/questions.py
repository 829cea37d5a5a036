"""The recorder's questions: before a game, and during it, step by step, about what only the people at the table
know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...notation.basics import GROUP_NAMES, PLAYER_NAMES, visible
from ...notation.language import ordinal
from ...notation.records import Record, Result, parse, was_changed, write
from ...notation.records import tokens as t
from ...replay.checking.api import check
from ...replay.diagnostics.api import counted, device_name, group_name, join
from ...replay.rules.api import Edition, load_edition
from ...replay.rules.game.legal import END_MOVE
from .clocks import parse_control
from .cursor import Cursor, Phase
from .draft import Draft
from .editing import undecided
from .menu import help_texts


class Question(NamedTuple):
    """A header to be asked for. An empty answer takes the default; if there is none, the header is left out."""

    name: str
    words: str
    default: str


def questions(edition: Edition, today: str) -> list[Question]:
    """Return what to ask before a game; ``today`` as headers write it: ``2026.05.31``."""
    return [
        Question(header, words, default.format(today=today))
        for header, (words, default) in help_texts()["questions"].items()
        if header != "Starts" or edition.starter.rome_may_begin
    ]


def blank(rules: str, answers: Mapping[str, str], today: str) -> str:
    """Return a record with only headers. ``answers`` maps headers to values; unanswered headers get their default."""
    given = {question.name: question.default for question in questions(load_edition(rules), today)}
    given |= {name: value.strip() for name, value in answers.items() if value.strip()}
    given["View"] = given["View"].lower()
    left_out = (("Starts", "Cleopatra"), ("View", "arbiter"))
    headers = [("Rules", rules), ("Result", "*"), *[each for each in given.items() if each[1] and each not in left_out]]
    return write(Record(tuple(headers), (), (), Result()))


def faults(text: str) -> list[str]:
    """Return what is wrong with the headers of a new record, in words, and what to write; nothing if all is well."""
    (game,) = parse(text)
    faults = [fault for fault in check(game).diagnostics if fault.code in ("H204", "H205", "H206")]
    messages = [f"{fault.message}; {fault.help}" if fault.help else fault.message for fault in faults]
    control = game.record.header("TimeControl")
    if control and parse_control(control) is None:
        messages.append(f"“{visible(control)}” can't set a clock; write seconds, as in 1800+10, or nothing")
    return messages


def asked(draft: Draft, end: str = "Enter ends the turn", veto: str = "v if it was vetoed") -> str:
    """Return a sentence about what to write down next. ``end`` and ``veto`` say how to end a turn and record a veto."""
    cursor = draft.cursor
    player = PLAYER_NAMES[cursor.side]
    match cursor.phase:
        case Phase.SET_UP:
            question = _set_up(cursor, player)
        case Phase.OVER:
            question = _over(draft)
        case Phase.BLIND:
            why = "before the game is over" if draft.by_form else "the cards can't be followed"
            question = f"{player}, not judged{' ' if draft.by_form else ': '}{why}; {end}"
        case Phase.PLAY:
            question = _play(cursor, player, end, veto)
    is_changed = draft.record.header("Checksum") and was_changed(draft.record)
    return f"{question}; the record was changed after it was signed" if is_changed else question


def _set_up(cursor: Cursor, player: str) -> str:
    match cursor.moves[0].token if cursor.moves else None:
        case t.Place(group=group):
            return f"{player}'s face-down card at {group_name(group)}"
        case t.Missions(missions):
            return f"{player}'s mission{'s, as in m(A,K)' if len(missions) > 1 else ', as in m(A)'}"
        case t.Draw():
            return f"{player}'s first action card"
        case _:
            return f"the order of {player}'s action pile; if it was shuffled, go on without it"


def _over(draft: Draft) -> str:
    record = draft.record
    if record.header("Checksum"):
        return visible(f"signed by {record.header('Signed')}")
    if draft.frame.is_broken_off:
        return f"game over, {visible(record.header('Termination'))}: check the sheet, then /sign Caesar, Cleopatra"
    if record.points is not None:
        if labels := undecided(record):
            return f"the game is over; the arbiter still has to rule on {', '.join(labels)}"
        return "the game is over: check the sheet, then /sign Caesar, Cleopatra"
    if draft.verdict.score and any(None in side.missions for side in draft.verdict.score.sides):
        return "the game is over: was the written mission fulfilled? mR+ or mR-; or write the result, 17-13"
    return "the game is over: write the result, 17-13, Rome first"


def _play(cursor: Cursor, player: str, end: str, veto: str) -> str:
    state = cursor.state
    assert state is not None  # a playable turn has one
    if cursor.pending and cursor.announced is None:
        return f"the card that {PLAYER_NAMES[1 - cursor.side]} drew for the veto"
    if cursor.pending:
        return f"{player}: the effect, or v if it was vetoed"
    tokens = [token for token in cursor.tokens if not isinstance(token, t.Veto)]
    name = device_name(state.edition)
    match next(iter(tokens), None):
        case t.ChooseMission():
            question = "which mission is kept: the first or the second?"
        case t.Draw():
            question = f"{player} draws {counted(cursor.to_draw, 'card')}"
        case t.SpecialVote():
            groups = dict.fromkeys(token.group for token in tokens if isinstance(token, t.SpecialVote))
            question = f"special vote: {', '.join(GROUP_NAMES[group] for group in groups)}"
        case t.Vote() | t.NoVote() | t.PutAway():
            question = f"the {name} that came"
        case None:
            question = f"{player}: {end}"
        case _:
            first = "plays an action" if cursor.offers(*t.ACTIONS) else "exchanges cards"
            if cursor.offers(t.Place):
                first = f"places the {ordinal(state.up + state.down + 1)} card"
            reveals = ", or draws" * (cursor.offers(t.Draw) and not cursor.offers(t.Place))
            reveals += f", or reveals the {name}" * cursor.offers(t.Vote, t.NoVote, t.PutAway)
            special = dict.fromkeys(GROUP_NAMES[token.group] for token in tokens if isinstance(token, t.SpecialVote))
            if special:
                reveals += f", or holds the special vote at the {join(special)}"
            question = f"{player} {first}{reveals}{f', or {end}' * (END_MOVE in cursor.moves)}"
    return question + f"; {veto}" * cursor.offers(t.Veto)
