"""Records from which a game against the net can continue: where it was broken off, or from any turn of any record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Final

from ...notation.basics import EGYPT, PLAYER_NAMES, ROME, SIDE_LETTERS
from ...notation.language import PLAYERS as PEOPLE
from ...notation.language import phrase
from ...notation.records import ACTIONS, Draw, Game, Record, Turn, parse_token
from ...replay.checking.api import check
from ...replay.engine.api import (
    PLAYERS,
    apply,
    first_turn,
    read_headers,
    read_moment,
    set_up_lines,
    start,
    violations,
    with_shown_cards,
)
from ...replay.rules.api import Edition, State
from ...replay.rules.core import codes, setup_violations
from .duel import EVENT, PENDING, Begun, level_of

UNKNOWN_CARD: Final = "H208"
"""The code of a card that is unknown in the record."""


def has_remarks(record: Record) -> bool:
    """Return whether a record has comments, marks or other lines, which a continued game does not keep."""
    return bool(record.preface) or any(turn.marks or turn.notes or turn.after for turn in record.turns)


def settings_of(record: Record) -> tuple[int, int, int, str] | None:
    """Return from the headers of a game against the net the person's side, the level, the seed and the person's name;
    None for any other game.
    """
    names, seed = [record.header(name) for name in PLAYER_NAMES], record.header("Round")
    levels = [*map(level_of, names)]
    if record.header("Event") != EVENT or levels.count(0) != 1 or not (seed.isascii() and seed.isdigit()):
        return None
    side = levels.index(0)
    return side, levels[1 - side], int(seed), names[side]


def is_over(record: Record) -> bool:
    """Return whether a game has nothing left to play."""
    return record.header("Termination") == "adjudicated" or check(record).outcome.finished


class NotContinuable(ValueError):
    """Raised if no game can continue from a record: a sentence says why."""


def game_until(game: Game, at: str = "") -> tuple[Edition, Begun, int]:
    """Return the rule set of a game, the game up to the turn ``at``, as ``7E``, and whose turn it is.

    Without ``at``, the game goes up to where the record stops, perhaps within a turn. Raise NotContinuable if it can't
    be continued.
    """
    record, (edition, starter) = game.record, _rules_of(game)
    labels = [turn.label for turn in record.turns]
    moment = read_moment(at)
    label = moment.label if moment and moment.tokens is None else ""
    turns = record.turns[: labels.index(label)] if label in labels else record.turns[:]
    places = set_up_lines(turns)
    setup, turns = _set_up([turns[place] for place in places.values()], edition), turns[first_turn(places) :]
    _check_turns(record, (*setup, *turns))
    rome, egypt = (turn.tokens for turn in setup)
    state = start(edition, starter, rome, egypt)
    moves = [*_moves(state, turns)]
    left, _, word = record.header(PENDING).partition(" ") if not at else ("", "", "")
    if turns and (at or (left and left != _label(state))):
        moves.append((codes.TURN_END, 0))
        apply(state, None)
    if at and (state.over or label != _label(state)):
        why = phrase("it has no turn “{turn}”; one is written as 7E, and {last} is the last", turn=at, last=labels[-1])
        raise NotContinuable(why)
    pending = _pending(word, state) if left else None
    return edition, Begun(starter, (rome, egypt), moves, pending=pending), int(state.active)


def _rules_of(game: Game) -> tuple[Edition, int]:
    """Return the rule set of a game, and the side that starts. Raise NotContinuable if not everything can be known."""
    frame = read_headers(game.record)
    if game.problems or frame.edition is None:
        why = phrase("it can't be read in full, or names no known rule set; tiro check says what is wrong")
        raise NotContinuable(why)
    if frame.view != "arbiter":
        who = PEOPLE[PLAYERS.index(frame.view)].name if frame.view in PLAYERS else phrase("the table")
        raise NotContinuable(phrase("it is the record of what {who} sees, but all cards have to be known", who=who))
    if frame.position:
        why = phrase("it starts in the middle of a game, and everything played before would have to be known")
        raise NotContinuable(why)
    return frame.edition, frame.starter


def _set_up(turns: Sequence[Turn], edition: Edition) -> list[Turn]:
    """Return the set-up of Rome and of Egypt. Raise NotContinuable if it is not complete, or not by the rules."""
    setup = sorted(turns, key=attrgetter("side"))
    if [(turn.side, turn.number) for turn in setup] != [(ROME, 0), (EGYPT, 0)] or any(
        setup_violations(edition, turn.side, turn.tokens, position=False) for turn in setup
    ):
        raise NotContinuable(phrase("its set-up is incomplete or breaks the rules; tiro check says what is wrong"))
    return setup


def _check_turns(record: Record, turns: tuple[Turn, ...]) -> None:
    """Raise NotContinuable if some cards of these turns of a record are unknown, or if they break the rules."""
    # The result of the whole game, and what its players agreed on, don't matter here.
    headers = tuple([header for header in record.headers if header[0] in ("Rules", "Rulings", "Starts")])
    verdict = check(replace(record, headers=headers, turns=turns, result=None))
    if any(each.code == UNKNOWN_CARD for each in verdict.diagnostics):
        raise NotContinuable(phrase("not all of its cards are known"))
    if verdict.verdict != "legal" or verdict.stopped is not None:
        raise NotContinuable(phrase("it breaks the rules before that; tiro check says where"))


def _label(state: State) -> str:
    return f"{state.number}{SIDE_LETTERS[state.active]}"


def _pending(word: str, state: State) -> codes.Codes:
    """Return what was announced last in a game against the net. Raise NotContinuable if that is impossible."""
    with suppress(ValueError):
        if word == "/":
            return codes.TURN_END, 0
        action = parse_token(word)
        if isinstance(action, ACTIONS) and not violations(state, action, vetoed=True):
            return codes.encode(action)
    raise NotContinuable(phrase("the move in its header {header} can't be played there", header=PENDING))


def _moves(state: State, turns: Iterable[Turn]) -> Iterator[codes.Codes]:
    """Yield the moves of legal turns in which every card is known, with what the words leave out filled in."""
    for number, turn in enumerate(turns):
        if number:
            yield codes.TURN_END, 0
            apply(state, None)
        for at, token in enumerate(turn.tokens):
            vetoed = turn.is_vetoed(at)
            if isinstance(token, Draw):  # one card at a time, as they are drawn
                yield from [codes.encode(Draw((card,))) for card in token.cards]
            else:
                code, more = codes.encode(token if vetoed else with_shown_cards(state, token))
                yield code | codes.ANNOUNCED_ONLY if vetoed else code, more
            apply(state, token, vetoed)
