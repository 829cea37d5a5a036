"""A game against the net without a screen: legal, the same from the same seed, and without what nobody may know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product, zip_longest
from random import Random

import pytest
from duels import RULES, decisions, duel_of, with_other_cards
from scale import FULL, scaled
from tironian import (
    apply,
    check,
    legal_moves,
    load_edition,
    parse,
    simulate,
    start,
    timeline,
    token_text,
    tokens,
    view,
    write,
)
from tironian.notation import codes
from tironian.notation.reader import as_game
from tironian.replay.editions.edition import missions_of
from tironian.replay.knowledge.table_view import view_table
from tironian.replay.rules.core import MOVE, TARGET
from tironian.replay.simulation.simulator import openings
from tironian.replay.words.events import event_words
from tironian.tools.insight.begun import NotContinuable, game_until, settings_of
from tironian.tools.insight.duel import BLUR, Duel
from tironian.tools.insight.duel_lines import hint_lines
from tironian.tools.insight.match import Match
from tironian.tools.insight.net import evaluator
from tironian.tools.insight.players import advance, player

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
        for place, win in hinted.hint()[0]:
            assert 0 <= win <= 1
            assert 0 <= place < len(hinted.offers())
        hinted.news()
    assert write(quiet.record()) == write(hinted.record())


def test_hints_are_the_best_moves_first():
    duel = duel_of("2024", 3)
    assert duel.hint()[0] == []  # in the set-up
    duel.choose(0)
    places, wins = zip(*duel.hint()[0], strict=True)
    assert len(set(places)) == 3
    assert list(wins) == sorted(wins, reverse=True)


@pytest.mark.parametrize("rules", RULES)
def test_a_hint_counts_what_the_net_can_not_tell_apart(rules: str):
    duel = duel_of(rules, 5, 4)
    for _ in decisions(duel, 60):
        best, alike = duel.hint()
        if best:
            wins = [win for _, win in best]
            assert sum(win > wins[0] - BLUR for win in wins) == min(alike, len(wins))
            assert alike <= len(duel.offers())


@pytest.mark.parametrize(
    ("alike", "head"),
    [
        (1, "The net gives you these chances of winning:"),
        (2, "The net sees no difference between 2 of 6 moves, within 3 points:"),
        (5, "The net sees no difference between 5 of 6 moves, within 3 points:"),
        (6, "The net sees no difference between the 6 moves, within 3 points:"),
    ],
)
def test_a_hint_ranks_only_what_the_net_can_tell_apart(alike: int, head: str, monkeypatch: pytest.MonkeyPatch):
    duel = duel_of("2024", 3)  # which has six moves at first
    monkeypatch.setattr(duel, "hint", lambda: ([(4, 0.61), (1, 0.6), (2, 0.59)], alike))
    places = {1: [4, 1, 2], 2: [1, 4]}.get(alike, [1, 2, 4])
    texts = [duel.offers()[place].text for place in places]
    first, *lines = hint_lines(duel)
    assert (first, [line.split()[2] for line in lines]) == (head, texts)


# ------------------------------------------------------------------------------------------------- taken back

MOST = 10_000 if FULL else 40
"""Decisions of a game, where each is looked at closely."""


def told(duel: Duel) -> object:
    """All that the person is shown, and all that the game goes on from."""
    match = duel.match
    kept = [*match.moves], match.kind, match.side, match.pending, match.passed, match.turns, match.idle
    shown = duel.label, duel.asked(), duel.offers(), duel.table(), duel.hint(), duel.laid, [*duel.lines]
    return write(duel.record()), kept, shown, [*duel.options], [*duel.story]


@pytest.mark.parametrize("rules", RULES)
def test_undo_leaves_everything_as_it_was(rules: str):
    """Whatever is taken back was placed, exchanged or laid out; what followed a draw, a vote or an action stays."""
    taken = 0
    for seed in range(GAMES):
        duel, rng = duel_of(rules, seed, 1 + seed % 4), Random(seed)
        before: list[tuple[str, object]] = []
        quiet = duel_of(rules, seed, 1 + seed % 4)
        for place in decisions(quiet, MOST, seed):
            duel.news()
            offer, label, laying = duel.offers()[place], duel.label, duel.is_laying
            state, moves = told(duel), len(duel.match.moves)
            duel.choose(place)
            duel.news()
            made = [code & codes.KIND for code in [*duel.match.moves][moves::2]]
            free = {codes.PLACE, codes.DISCARD, codes.CASTLE, codes.CHOOSE}
            before.append((offer.text, state))
            if duel.undo():
                taken += 1
                assert free.issuperset(made)
                assert duel.is_laying == laying
                assert duel.label == label
                assert told(duel) == state
                back = rng.randrange(len(before))
                for text, earlier in reversed(before[back:-1]):
                    word = duel.undo()
                    if not word:
                        break
                    assert (word, told(duel)) == (text, earlier)
                # All the way forth again, by the words.
                at = next(at for at, (_, earlier) in enumerate(before) if earlier == told(duel))
                for text, earlier in before[at:]:
                    assert told(duel) == earlier
                    again = duel.place_of(text)
                    assert again is not None
                    duel.choose(again)
                    duel.news()
            else:
                before.clear()
                assert not laying or not duel.is_laying
        assert not duel.is_over or duel.undo() == ""
        assert write(duel.record()) == write(quiet.record())
    assert taken


def test_an_action_is_not_taken_back_though_nobody_could_veto_it():
    """Else whoever tries would learn whether the other side has a veto."""
    found = 0
    for seed in range(12):
        duel = duel_of("1997", seed, 4)
        for place in decisions(duel, seed=seed):
            if duel.match.kind == MOVE and isinstance(duel.offers()[place].token, tokens.ACTIONS):
                found += 1
                duel.choose(place)
                assert duel.undo() == ""
                break
    assert found > 3


# --------------------------------------------------------------------------------------------------- going on


def left(duel: Duel) -> Duel:
    """The same game, gone on with from the file that was left."""
    (game,) = parse(write(duel.record()))
    settings = settings_of(game.record)
    assert settings is not None
    edition, begun, _ = game_until(game)
    return Duel(edition, *settings, begun._replace(laid=bool(begun.moves or begun.pending)))


@pytest.mark.parametrize(("rules", "level"), [*zip(RULES, (1, 2, 3, 4), strict=True), *product(SOME[:1], [5])])
def test_a_game_that_was_left_goes_on_as_it_would_have(rules: str, level: int):
    """A player who has left and come back everywhere plays the same game as one who has not."""
    for seed in range(GAMES):
        quiet, duel = duel_of(rules, seed, level), duel_of(rules, seed, level)
        for number, place in enumerate(decisions(quiet, MOST if level < 5 or FULL else 6, seed)):
            text = quiet.offers()[place].text
            if not number % 3:
                again = left(duel)
                again.news()
                duel.news()
                if duel.match.moves or duel.match.pending or duel.match.passed:
                    assert told(again)[:2] == told(duel)[:2]  # pyright: ignore
                    assert again.offers() == duel.offers()
                    duel = again
            at = duel.place_of(text)
            assert at is not None
            duel.choose(at)
        assert write(duel.record()) == write(quiet.record())


@pytest.mark.parametrize("rules", RULES)
def test_a_game_begins_from_any_turn_of_another(rules: str):
    record = simulate(load_edition(rules), 3)
    for turn in record.turns[2 :: scaled(9, 2)]:
        edition, begun, side = game_until(as_game(record), turn.label)
        assert side == turn.side
        duel = Duel(edition, side, 3, 5, "You", begun)
        at = [*record.turns].index(turn)
        for _ in decisions(duel, 3):
            pass
        went = duel.record().turns
        assert went[:at] == record.turns[:at]
        assert len(went) == at or went[at].label == turn.label
        assert check(duel.record()).verdict == "legal"


def test_a_game_may_begin_after_the_last_turn_that_a_record_has():
    record = simulate(load_edition("2024"), 3)
    begun = game_until(as_game(replace(record, turns=record.turns[:7], result=None)), record.turns[7].label)[1]
    assert begun == game_until(as_game(record), record.turns[7].label)[1]


def test_what_the_words_of_a_record_leave_out_is_written_in():
    """Votes without their cards, as a writer may have them."""
    record = simulate(load_edition("2024"), 3)
    short = tuple(replace(turn, tokens=tuple(_shortened(token) for token in turn.tokens)) for turn in record.turns[:20])
    assert short != record.turns[:20]
    label = record.turns[20].label
    assert game_until(as_game(replace(record, turns=short, result=None)), label) == game_until(as_game(record), label)


def _shortened(token: tokens.Token) -> tokens.Token:
    return replace(token, rome=None, egypt=None) if isinstance(token, tokens.Vote) else token


UNFIT = {
    "what Caesar sees": lambda record: view(as_game(record), "caesar").record,
    "it has no turn “99E”": lambda record: record,
    "it breaks the rules before that": lambda record: replace(record, turns=(*record.turns[:2], *record.turns[3:])),
    "set-up is incomplete": lambda record: replace(record, turns=record.turns[1:]),
    "names no known rule set": lambda record: replace(record, headers=record.headers[1:]),
}


@pytest.mark.parametrize("why", UNFIT)
def test_what_no_game_begins_from(why: str):
    record = UNFIT[why](simulate(load_edition("2024"), 3))
    with pytest.raises(NotContinuable, match=why):
        game_until(as_game(record), "99E")


# ------------------------------------------------------------------------------------- what closes the second card


@pytest.mark.parametrize("rules", RULES)
def test_a_move_is_warned_of_where_it_closes_the_second_card(rules: str):
    """Tried out on a copy: before the move a card can be placed, after it none."""
    warned = 0
    for seed in range(scaled(3, 40)):
        duel = duel_of(rules, seed, 4)
        for _ in decisions(duel, seed=seed):
            if duel.is_laying or duel.match.kind != MOVE:
                assert not any(map(duel.closes_placing, range(len(duel.offers()))))
                continue
            if not duel.state.up + duel.state.down:
                continue
            could = any(isinstance(offer.token, tokens.Place) for offer in duel.offers())
            for place, offer in enumerate(duel.offers()):
                if isinstance(offer.token, tokens.Wrath):  # which needs nothing more to be carried out
                    after = duel.state.copy()
                    apply(after, offer.token)
                    can = any(isinstance(move.token, tokens.Place) for move in legal_moves(after))
                    assert duel.closes_placing(place) == (could and not can)
                elif not isinstance(offer.token, tokens.ACTIONS):
                    assert not duel.closes_placing(place)
                warned += duel.closes_placing(place)
    assert (warned > 0) == (not load_edition(rules).action_between)


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
        known = [(entry.label, event.token, event_words(event)) for entry in entries for event in entry.events]
        assert [*one_by_one(told, [parsed(text) for _, text, _ in told])] == [
            *one_by_one(known, [parsed(text) for _, text, _ in known])
        ]


WORDS = (
    "(1)P",
    "5A",
    "x5A",
    "xA",
    "xA#2",
    "sQ",
    "sQ(32)",
    "wA",
    "cAQ",
    "y",
    "y5",
    "-55",
    "+i",
    "+5",
    "=A5:2",
    "v",
    "nonsense",
)


@pytest.mark.parametrize("rules", RULES)
def test_what_is_shown_does_not_rest_on_hidden_cards(rules: str):
    for seed in range(GAMES):
        duel = duel_of(rules, seed)
        for number, _ in enumerate(decisions(duel, seed=seed)):
            if duel.is_laying or duel.match.kind == TARGET:  # a spy sees the hand
                continue
            kept = duel.match.state
            shown = duel.offers(), duel.asked(), duel.hint(), view_table(kept, duel.view), [*duel.options]
            reasons = [*map(duel.why_not, WORDS)]
            with_other_cards(duel, number)
            duel.list_options()
            assert shown == (
                duel.offers(), duel.asked(), duel.hint(), view_table(duel.state, duel.view), [*duel.options],
            )  # fmt: skip
            assert reasons == [*map(duel.why_not, WORDS)]
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
