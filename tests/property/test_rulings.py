"""Where a card stands that a side should not have had, nobody is accused of anything that comes after it.

In these games a card was written down as another of its kind, or a pack holds other cards than it should. Where that
shows, the arbiter lets it stand, and the table plays on. All that comes after is honest, from every point of view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any, Final

import pytest
import tironian
from left_out_views import VIEWS, broken_off, read
from scale import scaled
from tironian import EDITION_NAMES, Edition, Record, Ruling, check, load_edition, simulate, write
from tironian import tokens as t
from tironian.notation.cards import VETO, is_influence
from tironian.notation.diagnostic import ERROR
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.replay.editions.choices import FirstAction
from tironian.replay.engine.headers import read_headers
from tironian.replay.engine.run import run_record

GAMES = scaled(12, 1_000)
Spot = tuple[int, int, str, int]
"""Where a card stands in a record: turn, token, field, and its place in the field."""


def spots(record: Record) -> Iterator[Spot]:
    """Every card that somebody wrote down, but for the veto that all begin with."""
    for place, turn in enumerate(record.turns):
        for at, token in enumerate(turn.tokens):
            if not turn.number and isinstance(token, t.Draw):
                continue
            for field in fields(token) if isinstance(token, _WRITTEN) else ():
                if field.name in _CARDS:
                    value = getattr(token, field.name)
                    cards = value if isinstance(value, tuple) else () if value is None else (value,)
                    yield from ((place, at, field.name, each) for each in range(len(cards)))


_CARDS: Final = ("card", "cards", "cards_first", "cards_second", "seen", "hand", "draw", "rome", "egypt")
_WRITTEN: Final = (
    *(t.Place, t.Draw, t.Discard, t.Castle, t.Scout, t.Spy, t.Veto, t.Assassinate),
    *(t.Vote, t.SpecialVote, t.ActionOrder),
)


def misread(record: Record, spot: Spot, edition: Edition, rng: Random) -> Record:
    """The record with one card taken for another."""
    place, at, name, each = spot
    turns, tokens = list(record.turns), list(record.turns[place].tokens)
    token = tokens[at]
    value: Any = getattr(token, name)
    card = value[each] if isinstance(value, tuple) else value
    kinds = list(range(6)) if is_influence(card) else list(edition.actions)
    others = [other for other in kinds if other != card]
    if not others:
        return record
    other = rng.choice(others)
    tokens[at] = replace(
        token, **{name: (*value[:each], other, *value[each + 1 :]) if isinstance(value, tuple) else other}
    )
    turns[place] = replace(turns[place], tokens=tuple(tokens))
    return replace(record, turns=tuple(turns))


def settled(record: Record, met: Counter[str]) -> tuple[Record, int]:
    """The record with a ruling on each fault where it first comes to light, and how many it took."""
    for count in range(10):
        frame = read_headers(record)
        errors = [each for each in run_record(record, frame).findings if each.severity == ERROR]
        if not errors:
            return record, count
        turn, at, facts = errors[0].turn, errors[0].at, errors[0].fault.facts
        assert turn is not None
        codes = tuple({each.fault.code: None for each in errors if each.turn is turn and each.at == at})
        met.update(codes)
        ruling = Ruling(facts.get("owner", facts.get("side", turn.side)), "stands", codes)
        changed = replace(turn, after=(*turn.after, ruling))
        record = replace(record, turns=tuple(changed if each is turn else each for each in record.turns))
    raise AssertionError(write(record))


def honest_behind_stop(record: Record, honest: Record) -> Record:
    """The record without the slips that come after the turn where the cards could no longer be followed.

    Nobody saw these, so nobody ruled on them, and a point of view that can be followed further shows them.
    """
    stops = [
        each.turn for each in run_record(record, read_headers(record)).findings if each.fault.code in ("C908", "C909")
    ]
    if not stops:
        return record
    last = next(place for place, turn in enumerate(record.turns) if turn is stops[0])
    return replace(record, turns=(*record.turns[: last + 1], *honest.turns[last + 1 :]))


def without_codes(record: Record) -> Record:
    """The record with rulings that don't say what they are about, and that name the other player."""
    turns = [
        replace(turn, after=tuple(replace(each, side=1 - each.side, codes=()) for each in turn.after))
        for turn in record.turns
    ]
    return replace(record, turns=tuple(turns))


def accuses_nobody(record: Record, rng: Random) -> None:
    """From no point of view, and wherever the record is broken off."""
    whole = read(record)
    assert not [each for each in check(whole).diagnostics if each.code == "C911"]
    for view in ("arbiter", *VIEWS):
        shown = record if view == "arbiter" else tironian.view(whole, view).record
        for log in (shown, without_codes(shown), broken_off(shown, rng.randint(2, len(shown.turns)))):
            verdict = check(read(log))
            assert verdict.verdict in (LEGAL, POSSIBLE), (view, verdict.diagnostics, write(log))


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_cards_that_were_written_down_wrong(name: str):
    """Up to three in one game: no more rulings than that, and nobody is accused behind them."""
    edition, met = load_edition(name), Counter[str]()
    for seed in range(GAMES):
        rng = Random(f"misread {name} {seed}")
        record = honest = simulate(edition, 70_000 + seed)
        cards = list(spots(record))
        slips = rng.choice((1, 1, 2, 3))
        for _ in range(slips):
            record = misread(record, rng.choice(cards), edition, rng)
        record, rulings = settled(read(record).record, met)
        assert rulings <= slips, (seed, write(record))
        if rulings:
            accuses_nobody(honest_behind_stop(record, honest), rng)
    assert met["C901"]
    assert met["R203"]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_pack_that_holds_other_cards(name: str):
    """As many as it should, but too many philosophers, and too many of some action card: one ruling for each deck."""
    edition, met = load_edition(name), Counter[str]()
    given = {VETO} if edition.first_action is FirstAction.VETO else set()
    for seed in range(GAMES // 2):
        rng = Random(f"pack {name} {seed}")
        extra = rng.choice(list(edition.actions))
        less = rng.choice([card for card in edition.actions if card != extra and card not in given])
        actions = {**edition.actions, extra: edition.actions[extra] + 1, less: edition.actions[less] - 1}
        fewer = rng.choice((0, 0, 1, 2))
        odd = replace(
            edition,
            actions=actions,
            influence_copies=edition.influence_copies - fewer,
            philosophers=edition.philosophers + 5 * fewer,
        )
        record, rulings = settled(read(simulate(odd, 80_000 + seed)).record, met)
        assert rulings <= 4, (seed, write(record))
        if rulings:
            accuses_nobody(record, rng)
    assert met["R504"]
