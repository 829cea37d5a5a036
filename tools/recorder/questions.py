"""The recorder's questions: before a game, and during it, step by step, about what only the people at the table
know.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Final, NamedTuple

from ...notation.basics import visible
from ...notation.language import GROUPS, PLAYERS, Messages, Name, ordinal, phrase, sense
from ...notation.records import Record, Result, parse, was_changed, write
from ...notation.records import tokens as t
from ...replay.checking.api import check
from ...replay.diagnostics.api import counted, join
from ...replay.rules.api import Edition, load_edition
from ...replay.rules.game.legal import END_MOVE
from .clocks import parse_control
from .cursor import Cursor, Phase
from .draft import Draft
from .editing import undecided
from .menu import help_texts, sentence

_ENDED: Final[Messages] = {
    "normal": "normal", "resigned": "resigned", "time forfeit": "time forfeit", "agreed": "agreed",
    "adjudicated": "adjudicated", "abandoned": "abandoned", "rules infraction": "rules infraction",
    "unterminated": "unterminated",
}  # fmt: skip
"""The words of Termination, which people read in their language."""


class Question(NamedTuple):
    """A header to be asked for. An empty answer takes the default; if there is none, the header is left out."""

    name: str
    words: str
    default: str


def questions(edition: Edition, today: str) -> list[Question]:
    """Return what to ask before a game; ``today`` as headers write it: ``2026.05.31``."""
    return [
        Question(header, phrase(words), default.format(today=today))
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
        messages.append(sentence("no_clock", value=visible(control)))
    return messages


def ended(how: str) -> str:
    """Return a word of Termination as people read it."""
    return phrase(_ENDED[how]) if how in _ENDED else visible(how)


def asked(draft: Draft, end: str = "", veto: str = "") -> str:
    """Return a sentence about what to write down next. ``end`` and ``veto`` say how to end a turn and record a veto."""
    cursor = draft.cursor
    player = PLAYERS[cursor.side]
    end, veto = end or phrase("Enter ends the turn"), veto or phrase("v if it was vetoed")
    match cursor.phase:
        case Phase.SET_UP:
            question = _set_up(cursor, player)
        case Phase.OVER:
            question = _over(draft)
        case Phase.BLIND:
            question = phrase("{player.name}, not judged: the cards can't be followed; {end}", player=player, end=end)
            if draft.by_form:
                question = phrase("{player.name}, not judged before the game is over; {end}", player=player, end=end)
        case Phase.PLAY:
            question = _play(cursor, player, end, veto)
    if draft.record.header("Checksum") and was_changed(draft.record):
        return phrase("{question}; the record was changed after it was signed", question=question)
    return question


def _set_up(cursor: Cursor, player: Name) -> str:
    match cursor.moves[0].token if cursor.moves else None:
        case t.Place(group=group):
            return phrase("{player.of} face-down card at {group.the}", player=player, group=GROUPS[group])
        case t.Missions(missions):
            if len(missions) > 1:
                return phrase("{player.of} missions, as in m(A,K)", player=player)
            return phrase("{player.of} mission, as in m(A)", player=player)
        case t.Draw():
            return phrase("{player.of} first action card", player=player)
        case _:
            return phrase("the order of {player.of} action pile; if it was shuffled, go on without it", player=player)


def _over(draft: Draft) -> str:
    record = draft.record
    if record.header("Checksum"):
        return visible(phrase("signed by {names}", names=record.header("Signed")))
    if draft.frame.is_broken_off:
        how = ended(record.header("Termination"))
        return phrase("game over, {how}: check the sheet, then /sign Caesar, Cleopatra", how=how)
    if record.points is not None:
        if labels := undecided(record):
            return phrase("the game is over; the arbiter still has to rule on {turns}", turns=", ".join(labels))
        return phrase("the game is over: check the sheet, then /sign Caesar, Cleopatra")
    if draft.verdict.score and any(None in side.missions for side in draft.verdict.score.sides):
        return phrase("the game is over: was the written mission fulfilled? mR+ or mR-; or write the result, 17-13")
    return phrase("the game is over: write the result, 17-13, Rome first")


def _play(cursor: Cursor, player: Name, end: str, veto: str) -> str:
    state = cursor.state
    assert state is not None  # a playable turn has one
    if cursor.pending and cursor.announced is None:
        return phrase("the card that {player.name} drew for the veto", player=PLAYERS[1 - cursor.side])
    if cursor.pending:
        return phrase("{player.name}: the effect, or v if it was vetoed", player=player)
    tokens = [token for token in cursor.tokens if not isinstance(token, t.Veto)]
    device = state.edition.device
    match next(iter(tokens), None):
        case t.ChooseMission():
            question = phrase("which mission is kept: the first or the second?")
        case t.Draw():
            question = phrase("{player.name} draws {cards}", player=player, cards=counted(cursor.to_draw, "card"))
        case t.SpecialVote():
            groups = dict.fromkeys(token.group for token in tokens if isinstance(token, t.SpecialVote))
            question = phrase("special vote: {groups}", groups=", ".join([GROUPS[group].bare for group in groups]))
        case t.Vote() | t.NoVote() | t.PutAway():
            question = phrase("the {device} that came", device=device.name)
        case None:
            question = f"{player.name}: {end}"
        case _:
            ways = [phrase("plays an action") if cursor.offers(*t.ACTIONS) else phrase("exchanges cards")]
            if cursor.offers(t.Place):
                ways = [phrase("places the {place} card", place=ordinal(state.up + state.down + 1))]
            elif cursor.offers(t.Draw):
                ways.append(sense("a player does", "draws"))
            if cursor.offers(t.Vote, t.NoVote, t.PutAway):
                ways.append(device.revealed(device.name))
            special = dict.fromkeys(GROUPS[token.group].bare for token in tokens if isinstance(token, t.SpecialVote))
            if special:
                ways.append(phrase("holds the special vote at the {groups}", groups=join(special)))
            ways += [end] * (END_MOVE in cursor.moves)
            done = reduce(lambda one, other: phrase("{one}, or {other}", one=one, other=other), ways)
            question = phrase("{player.name} {ways}", player=player, ways=done)
    return question + f"; {veto}" * cursor.offers(t.Veto)
