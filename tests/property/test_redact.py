"""The record of somebody who saw less: it accuses nobody, says all that was shown, and nothing that was hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random
from shutil import which
from typing import Any

import pytest
import tironian
from click.testing import CliRunner
from corpus import damaged, endgame
from left_out_views import VIEWS, broken_off
from scale import crossed, scaled
from tironian import (
    EDITION_NAMES,
    Alternative,
    Comment,
    Edition,
    Game,
    Record,
    Result,
    Ruling,
    Turn,
    check,
    load_edition,
    parse,
    replay_game,
    simulate,
    write,
)
from tironian import tokens as t
from tironian.notation.cards import EGYPT, ROME, is_influence
from tironian.notation.fingerprint import signed
from tironian.tools.cli.command_line import main

GAMES = scaled(1, 250)
PAIRS = scaled(1, 20)
UNSEEN = {"caesar": (EGYPT,), "cleopatra": (ROME,), "table": (ROME, EGYPT)}
EDITIONS = [
    *[load_edition(name) for name in EDITION_NAMES],
    load_edition("2024").with_options({"experienced": "yes"}),
]


def told_apart(of: Edition | str) -> str:
    if isinstance(of, str):
        return of
    return f"{of.name} {' '.join(f'{name}={value}' for name, value in of.declared.items())}".strip()


def game_of(record: Record) -> Game:
    (game,) = parse(write(record))
    assert not game.problems
    return game


def shortened(record: Record) -> Record:
    """The record as an arbiter may write it who knows all cards: what was shown follows from them.

    But for an action with which it stops: shortened it would only be announced.
    """
    turns = [replace(turn, tokens=tuple(map(short, turn.tokens))) for turn in record.turns]
    last = record.turns[-1]
    if last.tokens and isinstance(last.tokens[-1], t.ACTIONS):
        turns[-1] = replace(last, tokens=(*turns[-1].tokens[:-1], last.tokens[-1]))
    return replace(record, turns=tuple(turns))


def short(token: t.Token) -> t.Token:
    match token:
        case t.Vote() | t.SpecialVote():
            return replace(token, rome=None, egypt=None)
        case t.Scout():
            return t.Scout(token.group)
        case t.Assassinate(hidden=True):
            return replace(token, card=None)
        case _:
            return token


@pytest.mark.parametrize("edition", EDITIONS, ids=told_apart)
def test_a_view_of_a_legal_game_is_legal_and_complete(edition: Edition):
    for seed in range(GAMES):
        record = simulate(edition, seed + 11)
        whole, brief = game_of(record), game_of(shortened(record))
        seen = {}
        for view in VIEWS:
            shown = tironian.view(whole, view)
            assert (shown.left_out_count, shown.unfollowed_message) == (0, "")
            again = game_of(shown.record)
            assert again.record == shown.record
            verdict = check(again)
            assert not [each for each in verdict.diagnostics if each.severity == "error"], (seed, view)
            assert not verdict.stopped
            assert tironian.view(brief, view) == shown
            assert tironian.view(again, view).record == shown.record
            seen[view] = shown.record
        for view in VIEWS:
            assert tironian.view(game_of(seen[view]), "table").record == seen["table"]
        assert tironian.view(whole, "arbiter").record == record


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_view_of_a_late_position_is_legal_under_every_reading(name: str):
    rng = Random(f"late {name}")
    for _ in range(scaled(3, 1500)):
        (game,) = parse(endgame(name, rng)[0])
        for view in VIEWS:
            shown = tironian.view(game, view)
            again = game_of(shown.record)
            assert again.record == shown.record
            assert not [each for each in check(again).diagnostics if each.severity == "error"], write(game.record)
            assert tironian.view(game_of(shortened(game.record)), view) == shown
            assert tironian.view(again, "table").record == tironian.view(game, "table").record


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_whatever_was_written_has_a_view(name: str):
    """Of damaged records too, with the same lines and without an unreadable word."""
    rng = Random(f"damaged {name}")
    for seed in range(scaled(6, 1500)):
        (game,) = parse(damaged(write(simulate(load_edition(name), seed)), rng))
        for view in VIEWS:
            shown = tironian.view(game, view)
            (again,) = parse(write(shown.record))
            assert again.record == shown.record
            assert [turn.label for turn in again.record.turns] == [turn.label for turn in game.record.turns]
            assert {token.text for turn in again.record.turns for token in turn.tokens if type(token) is t.Unread} <= {
                "…"
            }


# ------------------------------------------------------------------------------------------ what can't be told

Slot = tuple[int, int, str, int]
"""Where a card stands in a record that its owner's opponent does not see: turn, token, field, place in the field."""


def slots(record: Record, side: int) -> Iterator[Slot]:
    for at, turn in enumerate(record.turns):
        for place, token in enumerate(turn.tokens):
            for field in fields(token, turn.side == side):
                cards = getattr(token, field)
                yield from ((at, place, field, each) for each in range(len(cards) if isinstance(cards, tuple) else 1))


def fields(token: t.Token, own: bool) -> tuple[str, ...]:
    match token:
        case t.Place(hidden=True) if own:
            return ("card",)
        case t.Draw() | t.ActionOrder() | t.Hand() if own:
            return ("cards",)
        case t.Castle(cards_first=tuple()) if own:
            return ("cards_first", "cards_second")
        case t.Veto() | t.Spy() if not own and token.draw is not None:
            return ("draw",)
        case _:
            return ()


def card_at(record: Record, slot: Slot) -> int:
    at, place, field, each = slot
    value = getattr(record.turns[at].tokens[place], field)
    return value[each] if isinstance(value, tuple) else value


def put(record: Record, slot: Slot, card: int) -> Record:
    at, place, field, each = slot
    turns, tokens = list(record.turns), list(record.turns[at].tokens)
    value: Any = getattr(tokens[place], field)
    tokens[place] = replace(
        tokens[place], **{field: (*value[:each], card, *value[each + 1 :]) if isinstance(value, tuple) else card}
    )
    turns[at] = replace(turns[at], tokens=tuple(tokens))
    return replace(record, turns=tuple(turns))


def is_legal(record: Record) -> bool:
    return not [each for each in check(game_of(record)).diagnostics if each.severity == "error"]


def discards(record: Record) -> list[object]:
    """What both sides discarded at every step: it lies open, also where the notation has no word for it."""
    steps = replay_game(game_of(record)).steps
    return [[sorted(side.discards) for side in step.state.sides] for step in steps]


def otherwise(record: Record, sides: tuple[int, ...], rng: Random) -> Record:
    """Another legal game that differs only in what the opponents of ``sides`` did not see."""
    found, seen = record, discards(record)
    for side in sides:
        places = list(slots(record, side))
        for _ in range(20):
            one, two = rng.sample(places, 2)
            first, second = card_at(found, one), card_at(found, two)
            if first == second or is_influence(first) != is_influence(second):
                continue
            trial = put(put(found, one, second), two, first)
            if is_legal(trial) and discards(trial) == seen:
                found = trial
        found = in_words(found, side)
    return found


def in_words(record: Record, side: int) -> Record:
    """The record with the first mission of a side in free words, on which there is a verdict, and the same points."""
    line = next(turn for turn in record.turns if not turn.number and turn.side == side)
    dealt = next(token for token in line.tokens if isinstance(token, t.Missions)).missions
    words = t.Missions((t.Mission("text", text="more wit"), *dealt[1:]))
    tokens = tuple(words if isinstance(token, t.Missions) else token for token in line.tokens)
    turns = tuple(replace(turn, tokens=tokens) if turn is line else turn for turn in record.turns)
    assert record.result
    for fulfilled in (True, False):
        result = replace(record.result, verdicts=(*record.result.verdicts, (side, (fulfilled,))))
        trial = replace(record, turns=turns, result=result)
        if is_legal(trial) and check(game_of(trial)).summary == check(game_of(record)).summary:
            return trial
    return record


def annotated(record: Record, words: str) -> Record:
    """The record with an arbiter's words wherever he can write some, signed: its checksum is of hidden cards too."""
    last = record.turns[-1]
    after = (Comment(words), Alternative(Turn(last.number, last.side, (t.Discard(),), notes=(Comment(words),))))
    ruled = Ruling(last.side, "penalty", (), 1, words)
    turns = (*record.turns[:-1], replace(last, notes=(Comment(words, 0), Comment(words)), after=(*after, ruled)))
    result = replace(record.result or Result(), notes=(Comment(words),), after=(Comment(words),))
    headers = (*record.headers, ("Thoughts", words))
    return signed(Record(headers, (Comment(words),), turns, result), ("Caesar", "Cleopatra"))


WITH_ODDS = [
    *[("timeline", "--odds", "--format", form) for form in ("json", "html")],
    ("votes", "--odds", "--format", "json"),
]
PICTURES = ("svg", "png", *(("pdf",) if which("dot") else ()))


def shown(record: Record, view: str, command: tuple[str, ...]) -> bytes:
    done = CliRunner().invoke(main, [command[0], "-", *command[1:], "--as", view], input=write(record).encode())
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


@pytest.mark.parametrize(("edition", "view"), crossed(EDITIONS, VIEWS), ids=told_apart)
def test_odds_in_games_that_differ_in_hidden_cards_are_alike(edition: Edition, view: str):
    """To the byte; each of these takes a second."""
    for _, one, two in unlike_games(edition, view, Random(f"odds {told_apart(edition)} {view}")):
        for command in WITH_ODDS:
            assert shown(one, view, command) == shown(two, view, command), command


def unlike_games(
    edition: Edition, view: str, rng: Random, most: int = PAIRS
) -> Iterator[tuple[Record, Record, Record]]:
    """Yield games, each with two annotated forms of it that differ in what the view doesn't show."""
    games = (anywhere_broken_off(simulate(edition, seed), rng) for seed in count(101))
    pairs = ((record, otherwise(record, UNSEEN[view], rng)) for record in games)
    for record, other in islice(((one, two) for one, two in pairs if one != two), most):
        yield record, annotated(record, "he has the 5"), annotated(other, "she has a veto")


@pytest.mark.parametrize("view", VIEWS)
def test_pictures_of_games_that_differ_in_hidden_cards_are_alike(view: str, monkeypatch: pytest.MonkeyPatch):
    """To the byte, as pictures and pages of all votes too."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    rng = Random(f"pictures {view}")
    games = (anywhere_broken_off(simulate(edition, seed), rng) for seed in count(501) for edition in EDITIONS)
    pairs = ((record, otherwise(record, UNSEEN[view], rng)) for record in games)
    voted = ((one, two) for one, two in pairs if one != two and votes_of(one))
    for one, two in islice(voted, scaled(1, 60)):
        vote = str(rng.randint(1, votes_of(one)))
        for form in PICTURES:
            command = ("votes", "--odds", "--vote", vote, "--format", form)
            assert shown(one, view, command) == shown(two, view, command), command


def anywhere_broken_off(record: Record, rng: Random) -> Record:
    return broken_off(record, rng.randint(6, len(record.turns)))


def votes_of(record: Record) -> int:
    return sum(isinstance(token, t.Vote | t.SpecialVote) for turn in record.turns for token in turn.tokens)
