"""A game against the net without a screen: legal, the same from the same seed, and without what nobody may know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product, zip_longest
from random import Random

import pytest
from duels import RULES, decisions, duel_of
from scale import FULL, scaled
from tironian import check, load_edition, parse, start, timeline, token_text, tokens, write
from tironian.replay.editions.edition import missions_of
from tironian.replay.insight.duel import Duel
from tironian.replay.insight.match import Match
from tironian.replay.insight.net import evaluator
from tironian.replay.insight.options import ON_VETO, TARGET
from tironian.replay.insight.players import advance, player
from tironian.replay.insight.unseen import give_card, shuffle_unseen
from tironian.replay.rules.sequences import action_card
from tironian.replay.simulation.dice import Dice
from tironian.replay.simulation.simulator import openings
from tironian.replay.views.table_view import look

GAMES = scaled(1, 200)
SOME = RULES if FULL else RULES[:2]
"""Where the rules make no difference."""


@pytest.mark.parametrize("rules", RULES)
def test_a_game_is_legal_at_any_moment(rules: str):
    for seed in range(GAMES):
        duel = duel_of(rules, seed, 1 + seed % 4)
        for number, _ in enumerate(decisions(duel, seed=seed)):
            texts = [offer.text for offer in duel.offers()]
            assert [duel.place_of(text) for text in texts] == [*range(len(texts))]
            assert duel.asked()
            if not number % 10:
                verdict = check(duel.record())
                assert (verdict.verdict, verdict.diagnostics) == ("legal", ())
        verdict = check(duel.record())
        assert (verdict.verdict, verdict.diagnostics) == ("legal", ())
        assert duel.is_over
        assert verdict.outcome.finished


@pytest.mark.parametrize("rules", SOME)
def test_hints_change_nothing(rules: str):
    quiet, hinted = duel_of(rules, 4), duel_of(rules, 4)
    for _ in decisions(quiet):
        pass
    for _ in decisions(hinted):
        for place, win in hinted.hint().best:
            assert 0 <= win <= 1
            assert 0 <= place < len(hinted.offers())
        hinted.news()
    assert write(quiet.record()) == write(hinted.record())


def test_hints_are_the_best_moves_first():
    duel = duel_of("2024", 3)
    assert duel.hint().best == []  # in the set-up
    duel.choose(0)
    places, wins = zip(*duel.hint().best, strict=True)
    assert len(set(places)) == 3
    assert list(wins) == sorted(wins, reverse=True)


# ------------------------------------------------------------------------------------------- what nobody may know


def one_by_one(told: list[tuple[str, str, str]], written: list[tokens.Token]) -> Iterator[tuple[str, str]]:
    """Events with their labels; of draws, which may be told together, each card by itself."""
    for (label, text, words), token in zip(told, written, strict=True):
        if isinstance(token, tokens.Draw):
            for card in token.cards:
                yield label, token_text(tokens.Draw((card,)))
        else:
            yield f"{label} {text}", words


def parsed(text: str) -> tokens.Token:
    return parse(f"1E {text}")[0].record.turns[0].tokens[0]


@pytest.mark.parametrize("rules", RULES)
def test_the_news_are_what_the_timeline_tells_the_same_player(rules: str):
    """Other tests hold that no timeline tells what its point of view can't know."""
    for seed in range(GAMES):
        duel = duel_of(rules, seed, 1)
        heard = []
        for _ in decisions(duel, seed=seed):
            heard += duel.news()
        heard += duel.news()
        told = [(news.label, news.text, news.words) for news in heard]
        entries = timeline(duel.record(), view=duel.view).entries
        known = [(entry.label, event.token, event.words) for entry in entries for event in entry.events]
        assert [*one_by_one(told, [parsed(text) for _, text, _ in told])] == [
            *one_by_one(known, [parsed(text) for _, text, _ in known])
        ]


def with_other_cards(duel: Duel, seed: int) -> None:
    """Put others in place of all cards that the person can't see."""
    match, other = duel.match, 1 - duel.side
    state = match.state = match.state.copy()
    shuffle_unseen(state, duel.side, Dice(seed))
    if match.kind == ON_VETO:
        give_card(state, other, action_card(match.pending & 15))
    missions = [*state.missions]
    missions[other] = tuple(tokens.Mission("each") for _ in missions[other])
    state.missions = tuple(missions)


@pytest.mark.parametrize("rules", RULES)
def test_what_is_shown_does_not_rest_on_hidden_cards(rules: str):
    for seed in range(GAMES):
        duel = duel_of(rules, seed)
        for number, _ in enumerate(decisions(duel, seed=seed)):
            if duel.is_laying or duel.match.kind == TARGET:  # a spy sees the hand
                continue
            kept = duel.match.state
            shown = duel.offers(), duel.asked(), duel.hint(), look(kept, duel.view), [*duel.options]
            with_other_cards(duel, number)
            duel.list_options()
            assert shown == (
                duel.offers(),
                duel.asked(),
                duel.hint(),
                look(duel.state, duel.view),
                [*duel.options],
            )
            duel.match.state = kept
            duel.list_options()


def with_other_missions(duel: Duel) -> Duel:
    """Give the person missions that nobody has been dealt."""
    dealt = {side: [token for token in duel.lines[side] if isinstance(token, tokens.Missions)] for side in (0, 1)}
    left = missions_of(duel.edition)
    for token in (*dealt[0], *dealt[1]):
        for mission in token.missions:
            left.remove(mission)
    (own,) = dealt[duel.side]
    others = replace(own, missions=tuple(left[: len(own.missions)]))
    assert others.missions != own.missions
    duel.lines[duel.side] = tuple(others if token is own else token for token in duel.lines[duel.side])
    return duel


@pytest.mark.parametrize(("rules", "level"), [*product(RULES, [4]), *product(SOME, [5])])
def test_the_other_side_plays_as_if_it_did_not_know_the_persons_missions(rules: str, level: int):
    for seed in range(GAMES if level == 4 else scaled(1, 20)):
        one, two = duel_of(rules, seed, level), with_other_missions(duel_of(rules, seed, level))
        few = 1000 if level == 4 or FULL else 4
        for _ in zip_longest(decisions(one, few, seed), decisions(two, few, seed)):
            assert [*one.match.moves] == [*two.match.moves]
        assert [*one.match.moves] == [*two.match.moves]


# ------------------------------------------------------------------------------------------------------ the rest


def test_the_person_lays_his_cards_where_he_wants():
    duel = duel_of("2024", 2)
    for word in ("(5)P", "(1)Q", "(2)A", "(4)K"):
        place = duel.place_of(word)
        assert place is not None
        duel.choose(place)
    assert not duel.is_laying
    laid = [token_text(token) for token in duel.record().turns[0].tokens[:5]]
    assert laid == ["(5)P", "(1)Q", "(2)A", "(4)K", "(3)C"]
    assert check(duel.record()).verdict == "legal"


def test_the_rest_is_laid_as_dealt():
    duel = duel_of("2024", 2)
    dealt = [token for token in duel.record().turns[0].tokens if isinstance(token, tokens.Place)]
    swapped = duel.place_of(f"({dealt[1].card})P")
    assert swapped is not None
    duel.choose(swapped)
    assert "the rest" in duel.offers()[0].words
    duel.choose(0)
    laid = [token.card for token in duel.record().turns[0].tokens if isinstance(token, tokens.Place)]
    assert laid == [dealt[1].card, dealt[0].card, *[token.card for token in dealt[2:]]]


@pytest.mark.parametrize("rules", RULES)
def test_nobody_orders_the_persons_pile(rules: str):
    for seed in range(20):
        duel = duel_of(rules, seed)
        line = duel.record().turns[duel.side].tokens
        assert not any(isinstance(token, tokens.ActionOrder) for token in line)


@pytest.mark.parametrize("rules", RULES)
def test_a_game_that_stands_still_is_decided_by_its_points(rules: str):
    for seed in range(scaled(2, 6)):
        duel = duel_of(rules, seed, 1)
        for _ in decisions(duel, 20 + seed, seed):
            pass
        while duel.state.stage and duel.offers():
            duel.choose(0)
        if duel.state.over:
            continue
        duel.match.idle = 8
        record = duel.record()
        verdict = check(record)
        assert (verdict.verdict, verdict.diagnostics) == ("legal", ())
        assert record.header("Termination") == "adjudicated"
        assert verdict.outcome.winner is not None


def test_castled_cards_may_be_typed_in_any_order():
    for seed in range(20):
        duel = duel_of("1997", seed, 1)
        for _ in decisions(duel, seed=seed):
            castles = [offer.token for offer in duel.offers() if isinstance(offer.token, tokens.Castle)]
            for place, token in enumerate(castles):
                if token.cards_first is not None and len(set(token.cards_first)) > 1:
                    text = token_text(
                        tokens.Castle(token.first, token.second, token.cards_first[::-1], token.cards_second)
                    )
                    assert duel.place_of(text) == place
                    return
    raise AssertionError("nobody castled")


def test_the_strongest_player_strikes_a_card_of_the_hand_that_his_spy_sees():
    edition = load_edition("1997")
    value = evaluator(edition)
    for seed in range(40):
        match = Match(start(edition, *openings(edition, Random(seed))), seed)
        level = player(1, value, seed)

        def pick(match, moves, values, level=level):
            if match.kind == TARGET and len(moves) > 1:
                seen = player(5, value, 1)(match, moves, values)
                raise StopIteration(seen, len(moves))
            return level(match, moves, values)

        try:
            advance([match], value, 60, (pick, pick))
        except StopIteration as found:
            seen, count = found.args
            assert 0 <= seen < count
            return
    raise AssertionError("nobody played a spy")
