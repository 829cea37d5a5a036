"""What players wrote from their seats, joined, is the game; slips of one are found by the other's log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
import tironian
from hypothesis import given, settings
from scale import scaled
from strategies import records
from tironian import (
    EDITION_NAMES,
    Alternative,
    BadLine,
    Comment,
    DifferentGames,
    Game,
    MergeResult,
    Record,
    Ruling,
    Turn,
    load_edition,
    merge,
    parse,
    simulate,
    token_text,
    write,
)
from tironian import tokens as t
from tironian.notation.fingerprint import unsigned
from tironian.notation.writer import quote, ruling_text

GAMES = scaled(2, 250)
VIEWS = ("caesar", "cleopatra", "table")


@cache
def played(name: str, seed: int) -> Record:
    return simulate(load_edition(name), seed)


def log(record: Record, name: str = "log") -> Game:
    (game,) = parse(write(record), name)
    return game


def seat(name: str, seed: int, view: str) -> Record:
    return tironian.view(log(played(name, seed)), view).record


def joined(*logs: Record) -> MergeResult:
    return merge([log(each, f"{number}.tiro") for number, each in enumerate(logs, 1)])


def codes(merged: MergeResult) -> list[str]:
    return [each.code for each in merged.diagnostics]


def bare(record: Record) -> Record:
    """A record without what was said about its turns."""
    return replace(record, turns=tuple(replace(turn, notes=(), after=()) for turn in record.turns))


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_both_players_together_know_the_game(name: str, seed: int):
    rome, egypt, table = (seat(name, seed, view) for view in VIEWS)
    whole = played(name, seed)
    for logs in ((rome, egypt), (egypt, rome), (rome, egypt, table), (table, egypt, rome), (whole, table)):
        found = joined(*logs)
        assert write(found.record) == write(whole)
        assert not found.diagnostics
        assert found.verdict.verdict == "legal"


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_who_knows_nothing_more_changes_nothing(name: str, seed: int):
    table = seat(name, seed, "table")
    for view in VIEWS:
        own = seat(name, seed, view)
        for logs in ((own, table), (table, own), (own, own, own)):
            found = joined(*logs)
            assert write(found.record) == write(own)
            assert not found.diagnostics


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_other_games_are_told_apart(name: str, seed: int):
    for one, two in ((VIEWS[0], VIEWS[1]), (VIEWS[2], VIEWS[2]), (VIEWS[0], VIEWS[2])):
        with pytest.raises(DifferentGames, match="too little in common"):
            joined(seat(name, seed, one), seat(name, seed + 1_000_000, two))


# ----------------------------------------------------------------------------------------------------- slips

Slip = Callable[[list[Turn], int, Random], bool]


def drop(turns: list[Turn], at: int, _rng: Random) -> bool:
    del turns[at]
    return True


def write_twice(turns: list[Turn], at: int, _rng: Random) -> bool:
    turns.insert(at, turns[at])
    return True


def misnumber(turns: list[Turn], at: int, _rng: Random) -> bool:
    turns[at] = replace(turns[at], number=turns[at].number + 1)
    return True


def misnumber_the_rest(turns: list[Turn], at: int, _rng: Random) -> bool:
    turns[at:] = [replace(turn, number=turn.number - 1) for turn in turns[at:]]
    return True


def swap(turns: list[Turn], at: int, rng: Random) -> bool:
    tokens = list(turns[at].tokens)
    place = rng.randrange(max(1, len(tokens) - 1))
    if len(tokens) < 2 or tokens[place] == tokens[place + 1]:
        return False
    tokens[place : place + 2] = tokens[place + 1], tokens[place]
    turns[at] = replace(turns[at], tokens=tuple(tokens))
    return True


def forget_votes(turns: list[Turn], _at: int, _rng: Random) -> bool:
    before = list(turns)
    for place, turn in enumerate(turns):
        tokens = [
            replace(token, rome=None, egypt=None) if isinstance(token, t.Vote | t.SpecialVote) else token
            for token in turn.tokens
        ]
        turns[place] = replace(turn, tokens=tuple(tokens))
    return turns != before


def alter(turns: list[Turn], at: int, _rng: Random) -> bool:
    """Egypt's player sees another card where Rome's lies open."""
    side = 0
    for place in (*range(at, len(turns)), *range(2, at)):
        tokens = list(turns[place].tokens)
        for word, token in enumerate(tokens):
            if turns[place].side == side and isinstance(token, t.Place) and not token.hidden:
                tokens[word] = replace(token, card=token.card % 5 + 1)
                turns[place] = replace(turns[place], tokens=tuple(tokens))
                return True
    return False


SLIPS: dict[str, tuple[Slip, str]] = {
    "drop": (drop, "M201"), "twice": (write_twice, "M205"), "number": (misnumber, "M204"),
    "numbers": (misnumber_the_rest, "M204"), "swap": (swap, "M203"), "votes": (forget_votes, "M207"),
    "alter": (alter, "M101"),
}  # fmt: skip


def with_slip(record: Record, slip: Slip, rng: Random) -> Record | None:
    turns = list(record.turns)
    done = slip(turns, rng.randrange(2, max(3, len(turns) - 2)), rng)
    return replace(record, turns=tuple(turns)) if done else None


def goes_on_alike(record: Record) -> bool:
    """Whether two turns follow each other that differ in their number only."""
    return any(one.side == two.side and one.tokens == two.tokens for one, two in pairwise(record.turns))


def is_restored(found: Record, whole: Record, slip: str) -> bool:
    """Whether the joined record is the game; what only the other player knew of a dropped turn nobody can know."""
    if slip == "drop":
        turns = [turn for turn, other in zip(found.turns, whole.turns, strict=True) if turn.tokens != other.tokens]
        return len(turns) <= 1 and len(found.turns) == len(whole.turns)
    if slip == "swap":
        return [sorted(map(repr, turn.tokens)) for turn in found.turns] == [
            sorted(map(repr, turn.tokens)) for turn in whole.turns
        ]
    return bare(found) == whole


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_slip_is_found_told_and_put_right(name: str, seed: int, slip: str):
    change, code = SLIPS[slip]
    record = with_slip(seat(name, seed, "cleopatra"), change, Random(seed))
    if record is None:
        pytest.skip("nothing to do it to")
    rome = seat(name, seed, "caesar")
    for logs in ((rome, record), (record, rome)):
        found = joined(*logs)
        assert code in codes(found)
        # In a row of turns that are all alike, as of who passes again and again, nobody can say which was left out.
        assert len(codes(found)) <= (4 if goes_on_alike(record) else 2)
        # What only the other player knew of a turn that he did not write down stays open.
        assert found.verdict.verdict in ("legal", "possible" if slip == "drop" else "legal")
        assert is_restored(found.record, played(name, seed), slip)
        assert found.is_sound == (code != "M101")


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_three_logs_outvote_one(name: str, seed: int):
    rng = Random(seed)
    record = with_slip(played(name, seed), alter, rng)
    if record is None:
        pytest.skip("nothing to do it to")
    whole = played(name, seed)
    for logs in ((record, whole, whole), (whole, record, whole), (whole, whole, record)):
        found = joined(*logs)
        assert codes(found) == ["M101"]
        assert bare(found.record) == whole


# ------------------------------------------------------------------------------------------- whatever was written


def told(record: Record) -> set[str]:
    """What people have said in a record, each thing as it has to stand in any other that keeps it."""
    turns = [*record.turns, *((record.result,) if record.result else ())]
    lines = [*record.preface, *(each for turn in turns for each in turn.after)]
    texts = {note.text for turn in turns for note in turn.notes}
    texts |= {quote(value) for _, value in record.headers if value}
    texts |= {mark for turn in record.turns for mark in turn.marks}
    texts |= {token.text for turn in record.turns for token in turn.tokens if isinstance(token, t.Unread)}
    for each in lines:
        match each:
            case Comment() | BadLine():
                texts.add(each.text.strip())
            case Ruling():
                texts |= {each.text, ruling_text(replace(each, text=""))}
            case Alternative():
                texts |= {token_text(token) for token in each.turn.tokens}
                texts |= {note.text for note in each.turn.notes}
    return texts


def lacks(record: Record, texts: Sequence[str]) -> list[str]:
    whole = write(record)
    return [text for text in texts if text not in whole]


def unsigned_log(record: Record, name: str = "log") -> Game:
    """A log without a signature, which was put under that text and not under a joined one."""
    return log(replace(record, headers=unsigned(record.headers)), name)


@settings(max_examples=scaled(15, 3_000))
@given(records)
def test_a_record_with_itself_is_itself(record: Record):
    first = unsigned_log(record)
    found = merge([first, unsigned_log(record)])
    assert write(found.record) == write(first.record)
    assert not {each.code for each in found.diagnostics if each.code[0] == "M"}


@settings(max_examples=scaled(15, 3_000))
@given(records, records)
def test_nothing_that_was_said_is_lost(one: Record, two: Record):
    logs = [unsigned_log(one, "one"), unsigned_log(two, "two")]
    try:
        found = merge(logs)
    except DifferentGames:
        return
    assert parse(write(found.record))[0].record == found.record
    for each in logs:
        assert not lacks(found.record, sorted(told(each.record)))
