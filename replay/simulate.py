"""Complete legal games from a seed: for tests, for measurements, and to show what a record looks like."""

from __future__ import annotations

from random import Random
from typing import Final

from ..notation import tokens as t
from ..notation.cards import EGYPT, ROME, VETO
from ..notation.record import Record, Result, Turn
from ..notation.writer import result_text
from .edition import OPTION_FIELDS, Edition, FirstAction, Starter
from .mechanics import apply
from .player import next_move, style
from .scoring import score
from .setup import OPENING_SET, start
from .state import State

TURN_LIMIT: Final = 400
"""The rules end no game in which nobody does anything (N9); after so many turns the record is cut."""


def simulate(edition: Edition, seed: int, *, headers: bool = True) -> Record:
    """A game of two random players. The same edition and seed give the same record, to the last byte."""
    rng = Random(seed)
    starter = _starter(edition, rng)
    rome, egypt = _setups(edition, rng)
    state = start(edition, starter, rome, egypt)
    turns = (Turn(0, ROME, rome), Turn(0, EGYPT, egypt), *_play(state, rng))
    result = _result(state)
    named = _headers(edition, seed, starter, result) if headers else ()
    return Record(named, (), turns, result)


def _play(state: State, rng: Random) -> list[Turn]:
    styles = (style(rng), style(rng))
    turns: list[Turn] = []
    while not state.ended and len(turns) < TURN_LIMIT:
        number, side = state.number, state.active
        tokens: list[t.Token] = []
        while True:
            token, vetoed = next_move(state, rng, styles)
            apply(state, token, vetoed)
            if token is None:
                break
            tokens.append(token)
        turns.append(Turn(number, side, merged(tokens)))
    return turns


def merged(tokens: list[t.Token]) -> tuple[t.Token, ...]:
    """The tokens of a turn with cards drawn one after the other in one token: ``+3 +x`` is ``+3x``."""
    found: list[t.Token] = []
    for token in tokens:
        last = found[-1] if found else None
        if isinstance(token, t.Draw) and isinstance(last, t.Draw):
            found[-1] = t.Draw(last.cards + token.cards)
        else:
            found.append(token)
    return tuple(found)


# --------------------------------------------------------------------------------------------------- set-up


def _starter(edition: Edition, rng: Random) -> int:
    """Cleopatra, and sometimes Caesar where he may have lost the game before (B11)."""
    return ROME if edition.starter is Starter.LOSER and rng.random() < 0.3 else EGYPT


def _setups(edition: Edition, rng: Random) -> tuple[tuple[t.Token, ...], tuple[t.Token, ...]]:
    """The lines 0R and 0E: missions dealt from one deck, the rest each for himself (B2, B5, B6, B8)."""
    dealt = edition.missions_dealt
    deck = _missions(edition)
    drawn = rng.sample(deck, 2 * dealt)
    ordered = edition.ordered_actions and rng.random() < 0.5
    rome = _setup(edition, rng, tuple(drawn[:dealt]), ordered)
    return rome, _setup(edition, rng, tuple(drawn[dealt:]), ordered)


def _setup(edition: Edition, rng: Random, missions: tuple[t.Mission, ...], ordered: bool) -> tuple[t.Token, ...]:
    cards = rng.sample(OPENING_SET, len(OPENING_SET))
    tokens: list[t.Token] = [t.Place(card, group, True) for card, group in zip(cards, edition.groups, strict=True)]
    tokens.append(t.Missions(missions))
    if edition.first_action is not FirstAction.NONE:
        free = edition.first_action is FirstAction.ANY
        tokens.append(t.Draw((rng.choice(list(edition.actions)) if free else VETO,)))
    if ordered:
        pile = [card for card, copies in edition.actions.items() for _ in range(copies)]
        tokens.append(t.ActionOrder(tuple(rng.sample(pile, len(pile)))))
    return tuple(tokens)


def _missions(edition: Edition) -> list[t.Mission]:
    """The missions to deal from: the printed ones, or where none are printed one of each plausible kind (A5)."""
    if edition.mission_groups:
        return [t.Mission("majority", group) for group in edition.mission_groups for _ in range(edition.mission_copies)]
    groups = [t.Mission(kind, group) for kind in ("majority", "all") for group in edition.groups]
    return [*groups, t.Mission("each"), t.Mission("majorities", count=3), t.Mission("patricians", count=12)]


# ------------------------------------------------------------------------------------------------ the frame


def _result(state: State) -> Result:
    if not state.ended:
        return Result()
    final = score(state)
    return Result(final.points, final.winner if final.by_tie_break else None)


def _headers(edition: Edition, seed: int, starter: int, result: Result) -> tuple[tuple[str, str], ...]:
    headers = [
        ("Rules", edition.name),
        ("Event", "Simulated games"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", str(seed)),
        ("Caesar", "Random"),
        ("Cleopatra", "Random"),
        ("Result", result_text(result)),
    ]
    changed = rulings(edition)
    if changed:
        headers.append(("Rulings", changed))
    if starter == ROME:
        headers.append(("Starts", "Caesar"))
    if result.points is None:
        headers.append(("Termination", "unterminated"))
    return tuple(headers)


def rulings(edition: Edition) -> str:
    """The options in which an edition differs from its default, as its ``Rulings`` header says them."""
    changed = []
    for name, values in edition.options.items():
        value = str(getattr(edition, OPTION_FIELDS.get(name, name)))
        if value != values[0]:
            changed.append(f"{name}={value}")
    return " ".join(changed)
