"""What is asked for next, in words: whose turn it is, and what only the people at the table know."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import GROUP_NAMES, PLAYER_NAMES
from ...notation.fingerprint import was_changed
from ...notation.safe_text import visible
from ..diagnostics.names import counted, device_name, group_name, ordinal
from .arbitration import undecided
from .cursor import Cursor, Phase
from .draft import Draft


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
