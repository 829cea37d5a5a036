"""Complete legal games from a seed: for tests and measurements, and as example records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from ...notation import tokens as t
from ...notation.cards import EGYPT, PLAYER_NAMES, ROME, SOME_ACTION, TIE
from ...notation.movetext import Movetext
from ...notation.record import Record, Result, Turn
from ...notation.writer import result_text
from ..editions.edition import Edition, load_edition, missions_of
from ..engine.play import apply
from ..rules.game.legal import Move
from ..rules.mechanics.setup import start
from ..rules.ruleset import OPENING_SET
from ..rules.scoring import score
from ..rules.state import State
from .player import random_turn_codes, style

TURN_LIMIT: Final = 400
"""The rules don't end a game in which nobody does anything (N9); after this many turns the record breaks off."""


def simulate(edition: Edition, seed: int, *, headers: bool = True) -> Record:
    """Return the record of a complete legal game between two random players.

    Within one version of the program, the same edition and seed give the same record. ``headers`` says whether it has
    any.

    >>> record = tironian.simulate(tironian.load_edition("1997"), seed=4)
    >>> record.header("Rules"), tironian.check(record).verdict
    ('1997', 'legal')
    """
    rng = Random(seed)
    starter, rome, egypt = openings(edition, rng)
    state = start(edition, starter, rome, egypt)
    lines = [Turn(0, ROME, rome), Turn(0, EGYPT, egypt)]
    turns = Movetext.of(lines)
    styles = (style(rng), style(rng))
    while not state.over and len(turns) - len(lines) < TURN_LIMIT:
        number, side = state.number, state.active
        turns.add(number, side, random_turn_codes(state, rng, styles))
    result = result_of(state)
    named = headers_of(edition, seed, starter, result) if headers else ()
    return Record(named, (), turns, result)


def record_of(
    edition: Edition,
    starter: int,
    rome: tuple[t.Token, ...],
    egypt: tuple[t.Token, ...],
    moves: Sequence[Move],
    names: tuple[str, str] = ("?", "?"),
) -> Record:
    """Return the record of a game that a program has played: what ``start`` is given, then the moves in their order,
    each as ``legal_moves`` gives it.

    ``names`` are those of the players, Caesar's first. Raise what ``apply`` raises; whether the moves are legal is for
    ``check`` to say.

    >>> edition, (rome, egypt) = tironian.load_edition("2024"), (turn.tokens for turn in record.turns[:2])
    >>> moves = [tironian.Move(token) for token in record.turns[2].tokens]
    >>> played = tironian.record_of(edition, tironian.Side.ROME, rome, egypt, [*moves, tironian.Move(None)])
    >>> [*played.turns] == [*record.turns][:3]
    True
    """
    state = start(edition, starter, rome, egypt)
    turns = [Turn(0, ROME, rome), Turn(0, EGYPT, egypt)]
    at, tokens = (state.number, state.active), list[t.Token]()
    for token, vetoed in moves:
        apply(state, token, vetoed)
        if token is None:
            turns.append(Turn(*at, tuple(tokens)))
            at, tokens = (state.number, state.active), []
        else:
            tokens.append(token)
    if tokens:
        turns.append(Turn(*at, tuple(tokens)))
    result = result_of(state)
    named = dict(headers_of(edition, 0, starter, result))
    del named["Event"], named["Round"]
    return Record(tuple((named | dict(zip(PLAYER_NAMES, names, strict=True))).items()), (), Movetext.of(turns), result)


def openings(edition: Edition, rng: Random) -> tuple[int, tuple[t.Token, ...], tuple[t.Token, ...]]:
    """Return who begins, and the tokens of the lines 0R and 0E; missions are dealt from one deck."""
    # Caesar begins if he may have lost the previous game (B11).
    starter = ROME if edition.starter.rome_may_begin and rng.random() < 0.3 else EGYPT
    dealt = edition.missions_dealt
    drawn = rng.sample(missions_of(edition), 2 * dealt)
    ordered = edition.ordered_actions and rng.random() < 0.5
    rome, egypt = (_setup(edition, rng, tuple(missions), ordered) for missions in (drawn[:dealt], drawn[dealt:]))
    return starter, rome, egypt


def _setup(edition: Edition, rng: Random, missions: tuple[t.Mission, ...], ordered: bool) -> tuple[t.Token, ...]:
    """Return one side's set-up: a card at each group, missions, the first action, perhaps an ordered pile."""
    cards = rng.sample(OPENING_SET, len(OPENING_SET))
    tokens: list[t.Token] = [t.Place(card, group, True) for card, group in zip(cards, edition.groups, strict=True)]
    tokens.append(t.Missions(missions))
    first = edition.first_action.cards
    if first:
        tokens.append(t.Draw((rng.choice(list(edition.actions)),) if SOME_ACTION in first else first))
    if ordered:
        pile = [card for card, copies in edition.actions.items() for _ in range(copies)]
        tokens.append(t.ActionOrder(tuple(rng.sample(pile, len(pile)))))
    return tuple(tokens)


def result_of(state: State) -> Result:
    """Return the result of a state, unknown if the game is not over."""
    if not state.ended:
        return Result()
    final = score(state)
    return Result(final.points, final.winner if final.by_tie_break else None)


def headers_of(edition: Edition, seed: int, starter: int, result: Result) -> tuple[tuple[str, str], ...]:
    """Return the headers of a simulated game; its round is the seed."""
    headers = (
        ("Rules", edition.name),
        ("Event", "Simulated games"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", str(seed)),
        ("Caesar", "?"),
        ("Cleopatra", "?"),
        ("Result", result_text(result)),
        ("Rulings", rulings(edition)),
        ("Starts", "Caesar" if starter == ROME else ""),
        ("Termination", "unterminated" if result.points is None else ""),
    )
    return tuple([header for header in headers if header[1]])


def rulings(edition: Edition) -> str:
    """Return the options in which an edition differs from its default, as a ``Rulings`` header gives them."""
    declared = edition.declared
    changed = [name for name, values in edition.options.items() if declared.get(name, values[0]) != values[0]]
    return " ".join(f"{name}={declared[name]}" for name in changed)


STATS: Final = (
    "games", "turns", "passive_turns", "placed_up", "placed_down",
    *[t.KINDS[cls].event for cls in t.ACTIONS], "veto", "nothing_placed",
    "vote", "special_vote", "tie", "philosopher_flip", "no_vote", "reset", "put_away", "mission_choice",
    "ended_patricians", "ended_exhausted", "ended_full", "ended_hand_played", "ended_final_turn", "unterminated",
)  # fmt: skip
"""The things that are counted. A flip is a vote that the lower sum won; the last six say how the games ended."""


def stats(records: Iterable[Record]) -> dict[str, int]:
    """Return how often each thing happened in simulated records, and how they ended. The records must have headers."""
    counts: Counter[str] = Counter()
    for record in records:
        counts["games"] += 1
        counts[_count(record, counts)] += 1
    return {name: counts[name] for name in STATS}


def _count(record: Record, counts: Counter[str]) -> str:
    """Replay a record and count its tokens; return how it ended."""
    pairs = (word.split("=") for word in record.header("Rulings").split())
    edition = load_edition(record.header("Rules"), tuple((name, value) for name, value in pairs))
    rome, egypt, *turns = record.turns
    starter = ROME if record.header("Starts") else EGYPT
    state = start(edition, starter, rome.tokens, egypt.tokens)
    for turn in turns:
        for at, token in enumerate(turn.tokens):
            apply(state, token, turn.is_vetoed(at))
            counts.update(_kinds(token, state))
        counts["turns"] += 1
        counts["passive_turns"] += state.passive
        apply(state, None)
    return f"ended_{state.ended}" if state.ended else "unterminated"


def _vote_kinds(token: t.AnyVote) -> list[str]:
    """Return what a vote also counts as: a tie, or a win for the lower sum."""
    if token.winner == TIE:
        return ["tie"]
    sums = (sum(token.rome or ()), sum(token.egypt or ()))
    lower = token.winner is not None and sums[token.winner] < sums[1 - token.winner]
    return ["philosopher_flip"] * lower


def _kinds(token: t.Token, state: State) -> list[str]:
    match token:
        case t.Place():
            return ["placed_down" if token.hidden else "placed_up"]
        case t.Discard():
            return ["nothing_placed"] * (not state.passive)
        case t.NoVote():
            return ["reset" if token.reset else "no_vote"]
        case t.Vote() | t.SpecialVote():
            return [t.KINDS[type(token)].event.replace(" ", "_"), *_vote_kinds(token)]
        case t.ChooseMission():
            return ["mission_choice"]
        case t.Draw():
            return []
        case _:
            return [t.KINDS[type(token)].event.replace(" ", "_")]
