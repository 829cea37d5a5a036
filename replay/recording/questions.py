"""What the recorder asks: before a game, and in it what only the people at the table know, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import GROUP_NAMES, PLAYER_NAMES
from ...notation.fingerprint import was_changed
from ...notation.reader import parse
from ...notation.record import Record, Result
from ...notation.safe_text import visible
from ...notation.writer import write
from ..checking.check import check
from ..diagnostics.names import counted, device_name, group_name, ordinal
from ..editions.edition import Edition, load_edition
from .arbitration import undecided
from .clocks import parse_control
from .cursor import Cursor, Phase
from .draft import Draft
from .menu import help_texts


class Question(NamedTuple):
    """A header to be asked for. An empty answer takes the default; without one the header is left out."""

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
    """Return a record with nothing but headers. ``answers``: header → value; unanswered ones get their default."""
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


def asked(draft: Draft) -> str:
    """Return a sentence on what is to be written down next."""
    cursor = draft.cursor
    player = PLAYER_NAMES[cursor.side]
    match cursor.phase:
        case Phase.SET_UP:
            question = _set_up(cursor, player)
        case Phase.OVER:
            question = _over(draft)
        case Phase.BLIND:
            question = f"{player}, not judged: the cards can't be followed; Enter ends the turn"
        case Phase.PLAY:
            question = _play(cursor, player)
    is_changed = draft.record.header("Checksum") and was_changed(draft.record)
    return f"{question}; the record was changed after it was signed" if is_changed else question


def _set_up(cursor: Cursor, player: str) -> str:
    match cursor.moves[0].token if cursor.moves else None:
        case t.Place(group=group):
            return f"{player}'s card face down at {group_name(group)}"
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
    ended = visible(record.header("Termination"))
    if ended.lower() not in ("", "normal"):
        return f"over, {ended}: check the sheet, then /sign Caesar, Cleopatra"
    if record.result is not None and record.result.points is not None:
        if labels := undecided(record):
            return f"the game is over; the arbiter still has to rule on {', '.join(labels)}"
        return "the game is over: check the sheet, then /sign Caesar, Cleopatra"
    if draft.verdict.score and any(None in side.missions for side in draft.verdict.score.sides):
        return "the game is over: was the mission in words fulfilled? mR+ or mR-; or write the result, 17-13"
    return "the game is over: write the result, 17-13, Rome first"


def _play(cursor: Cursor, player: str) -> str:
    state = cursor.state
    assert state is not None  # a turn that can be played has one
    if cursor.pending:
        if cursor.announced is None:
            return f"the card that {PLAYER_NAMES[1 - cursor.side]} drew for the veto"
        return f"{player}: the effect, or v if it was vetoed"
    tokens = [move.token for move in cursor.moves if move.token is not None]
    plain = [token for token in tokens if not isinstance(token, t.Veto)]
    name = device_name(state.edition)
    match plain[0] if plain else None:
        case t.ChooseMission():
            question = "which mission is kept: the first or the second?"
        case t.Draw():
            question = f"{player} draws {counted(cursor.to_draw, 'card')}"
        case t.SpecialVote():
            groups = dict.fromkeys(token.group for token in plain if isinstance(token, t.SpecialVote))
            question = f"special vote: {', '.join(GROUP_NAMES[group] for group in groups)}"
        case t.Vote() | t.NoVote() | t.PutAway():
            question = f"the {name} that came"
        case None:
            question = f"{player}: Enter ends the turn"
        case _:
            reveals = any(isinstance(token, t.Vote | t.NoVote | t.PutAway) for token in plain)
            ends = any(move.token is None for move in cursor.moves)
            first = "plays an action" if any(isinstance(token, t.ACTIONS) for token in tokens) else "exchanges cards"
            if any(isinstance(token, t.Place) for token in tokens):
                first = f"places the {ordinal(state.up + state.down + 1)} card"
            question = f"{player} {first}{f', or reveals the {name}' * reveals}{', or Enter ends the turn' * ends}"
    return question + "; v if it was vetoed" * (len(plain) < len(tokens))


DONE: Final = "✓"
NOW: Final = "▸"
LATER: Final = "·"


class TurnStep(NamedTuple):
    """A step of a turn, and how it stands: DONE, NOW or LATER."""

    name: str
    stands: str


def turn_steps(draft: Draft) -> list[TurnStep]:
    """Return the steps of the turn in their order (C1); none outside a turn that is judged.

    A step that was left out is not listed any more, nor is a special vote before it is due.
    """
    cursor, state = draft.cursor, draft.cursor.state
    if cursor.phase is not Phase.PLAY or state is None:
        return []
    kinds = {type(move.token) for move in cursor.moves}
    order = state.edition.order
    now = {t.KINDS[kind].step for kind in kinds if kind in t.KINDS and kind is not t.Veto}
    first = min((rank for rank, step in enumerate(order) if step in now), default=len(order))
    if state.choosing:  # between two steps
        first = state.stage + 1
    has_drawn = not cursor.fresh and any(isinstance(token, t.Draw) for token in draft.record.turns[-1].tokens)
    steps: list[TurnStep] = []
    for rank, step in enumerate(order):
        stands = NOW if step in now else DONE if rank < first else LATER
        match step:
            case t.ACT:
                steps += _act(cursor, kinds, stands)
            case t.SPECIAL if stands == NOW:
                steps.append(TurnStep("special vote", stands))
            case t.REVEAL if state.revealed or (stands != DONE and state.reveals()):
                steps.append(TurnStep(device_name(state.edition), DONE if state.revealed else stands))
            case t.DRAW if state.may_draw and (has_drawn or stands != DONE):
                steps.append(TurnStep(f"draw {cursor.to_draw}" if stands == NOW else "draw", stands))
        if state.choosing and rank == state.stage:
            steps.append(TurnStep("mission", NOW))
    return steps


def _act(cursor: Cursor, kinds: set[type[t.Token] | type[None]], stands: str) -> list[TurnStep]:
    """Return the cards placed or exchanged, and the action."""
    state = cursor.state
    assert state is not None
    count, steps = state.up + state.down, list[TurnStep]()
    if count or t.Place in kinds:
        steps += [TurnStep("first card", DONE if count else stands)]
        if count > 1 or (count and t.Place in kinds):
            steps += [TurnStep("second card", DONE if count > 1 else stands)]
    if state.passive:
        steps += [TurnStep("exchange", DONE)]
    if state.action or kinds.intersection(t.ACTIONS):
        steps += [TurnStep("action", DONE if state.action and not cursor.pending else NOW)]
    return steps
