"""Mistakes as positions to play again: set up as they were, rated by what they cost, asked again when they are due."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian import Judged, Record, Report, SideReport, analyse, parse, replay_game, view, write
from tironian.replay.knowledge.table_view import view_table
from tironian.tools.insight.drill import (
    AGAIN,
    GOOD,
    HARD,
    Drill,
    DrilledGame,
    Exercise,
    Posed,
    Review,
    drill_data,
    drill_of,
    mistakes,
    number_of_moves,
    rating_of,
    waiting,
)
from tironian.tools.insight.judgement import PRAISE, mark_of

GAME = (Path(__file__).parents[2] / "examples/2024/annotated.tiro").read_text(encoding="utf-8")
DAY = date(2026, 3, 12)
EGYPT = 1


@cache
def report() -> Report:
    """The beginning of a game, judged by the net alone."""
    return analyse(parse(GAME.partition("\n6R ")[0] + "\n")[0], EGYPT, "quick")


def side() -> SideReport:
    found = report().sides[EGYPT]
    assert found is not None
    return found


def log() -> Record:
    found = report().log[EGYPT]
    assert found is not None
    return found


def game_of(*exercises: Exercise) -> DrilledGame:
    return DrilledGame(number_of_moves(log()), EGYPT, "2024", report().net, "quick", log(), [*exercises])


def costliest() -> Judged:
    """The decision that cost most."""
    return max(side().decisions, key=lambda judged: judged.loss)


def of_loss(loss: float, **more: object) -> Judged:
    return costliest()._replace(loss=loss, **more)


# ------------------------------------------------------------------------------------------------------ positions


def test_every_decision_is_set_up_as_its_player_had_it():
    open_ones = [judged for judged in side().decisions if not judged.is_forced]
    played = replay_game(view(parse(GAME)[0], "cleopatra").record)
    for judged in (*open_ones[::6], *open_ones[-2:]):
        posed = Posed(game_of(), Exercise(judged))
        texts = [offer.text for offer in posed.offers]
        assert len({*texts}) == judged.options
        assert {judged.played, judged.best} <= {*texts}
        assert posed.asked().endswith("?")
        label = log().turns[judged.turn].label
        assert {happening.label for happening in posed.news()} <= {label, log().turns[judged.turn - 1].label}
        if judged.at and "which pile" not in posed.asked().lower():
            table = view_table(played.at(f"{label}.{judged.at}").state, "cleopatra")
            assert view_table(posed.state, posed.view) == table


def test_two_cards_drawn_are_two_decisions():
    second = next(one for one in mistakes(judged._replace(loss=0.3) for judged in side().decisions) if one.number)
    first = Exercise(second.judged, 0)
    hands = [Posed(game_of(), each).state.sides[EGYPT].cards for each in (first, second)]
    assert len(hands[1]) == len(hands[0]) + 1


def test_a_log_that_does_not_lead_there():
    with pytest.raises(LookupError):
        Posed(game_of(), Exercise(costliest(), 5))
    with pytest.raises(LookupError):
        Posed(game_of(), Exercise(costliest()._replace(at=99)))


def test_an_answer_is_measured_as_the_mistake_was():
    judged = costliest()
    quick = Posed(game_of(), Exercise(judged))
    texts = [offer.text for offer in quick.offers]
    best, played = texts.index(judged.best), texts.index(judged.played)
    other = next(place for place in range(len(texts)) if place not in (best, played))
    assert (quick.answer(best).loss, quick.answer(played)) == (0, judged)
    assert (quick.answer(other).level, quick.answer(other).played) == (0, texts[other])
    assert best in quick.hints()
    assert len(quick.hints()) < len(texts)


def test_an_answer_is_looked_at_until_it_is_certain(monkeypatch: pytest.MonkeyPatch):
    """By the judge's own rule: none is called wrong for what may be chance."""
    monkeypatch.setattr("tironian.tools.insight.drill.WORLDS", 24)
    judged = costliest()
    closely = Posed(game_of(), Exercise(judged._replace(level=2, worlds=16, mark="?")))
    known = judged.best, judged.played
    places = [place for place, offer in enumerate(closely.offers) if offer.text not in known]
    answers = {place: closely.answer(place) for place in places[::4]}
    assert closely.answer(places[0]) == answers[places[0]]
    for place, answer in answers.items():
        assert (answer.level, answer.played) == (2, closely.offers[place].text)
        assert answer.worlds == 24 or (answer.settled and answer.worlds in (8, 16))
        assert answer.mark in ("", PRAISE, mark_of(answer.loss, answer.error, answer.hiding)[0])
        assert (rating_of(answer, hinted=False) == AGAIN) == answer.is_mistake


# ------------------------------------------------------------------------------------------- ratings and days


@pytest.mark.parametrize(
    ("answer", "hinted", "rating"),
    [
        ({"loss": 0.0}, False, GOOD),
        ({"loss": 0.019}, False, GOOD),
        ({"loss": 0.0}, True, HARD),
        ({"loss": 0.03}, False, HARD),
        ({"loss": 0.08, "level": 2}, False, HARD),  # which bears no mark: it is not certain
        ({"loss": 0.08, "level": 2, "mark": "?!"}, False, AGAIN),
        ({"loss": 0.08, "level": 2, "mark": "?!"}, True, AGAIN),
        ({"loss": 0.01, "level": 2, "mark": "!"}, False, GOOD),
        ({"loss": 0.08}, False, HARD),  # the net alone errs by some points
        ({"loss": 0.1}, False, AGAIN),
    ],
)
def test_ratings(answer: dict[str, float], hinted: bool, rating: str):
    assert rating_of(of_loss(**answer), hinted=hinted) == rating


def days_after(*ratings: str) -> list[int]:
    """After how many days it is due, each time answered on that day."""
    exercise, day, days = Exercise(costliest()), DAY, []
    for rating in ratings:
        exercise.reviews.append(Review(day, "", rating))
        due = exercise.due
        assert due is not None
        days.append((due - day).days)
        day = due
    return days


def test_what_is_right_comes_after_ever_longer_times_and_what_is_wrong_the_next_day():
    right = days_after(*[GOOD] * 5)
    assert right == sorted({*right})
    assert right[0] == 2
    assert days_after(AGAIN) == days_after(HARD) == [1]
    *_, before, after = days_after(GOOD, GOOD, GOOD, AGAIN)
    assert after < before
    assert days_after(*[GOOD] * 5) == right
    assert Exercise(costliest()).due is None


def test_what_is_due_comes_first_and_of_the_new_ones_the_costliest():
    new = [Exercise(of_loss(loss)) for loss in (0.1, 0.3, 0.2)]
    asked = [
        Exercise(of_loss(0.1), 0, [Review(day, "", AGAIN)]) for day in (DAY, DAY - timedelta(5), DAY + timedelta(5))
    ]
    game = game_of(*new, *asked)

    def order(today: date, most: int) -> list[Exercise]:
        return [exercise for _, exercise in waiting([game], today, most)]

    assert order(DAY + timedelta(1), 2) == [asked[1], asked[0], new[1], new[2]]
    assert order(DAY, 0) == [asked[1]]


# ------------------------------------------------------------------------------------------------- what is kept


def judged_at(level: str, *decisions: Judged) -> Report:
    return report()._replace(sides=(None, side()._replace(decisions=decisions)), level=level)


def test_answers_stay_where_a_game_is_judged_anew_and_what_is_no_mistake_any_more_goes():
    one, other = of_loss(0.3, mark="??", level=2), of_loss(0.2, mark="?", level=2, at=9)
    drill = Drill()
    game = drill.add(judged_at("default", one, other, of_loss(0.3, level=2, at=10)), EGYPT)
    assert game is not None
    assert [each.judged for each in game.exercises] == [one, other]
    game.exercises[0].reviews.append(Review(DAY, "", AGAIN))
    again = drill.add(judged_at("deep", one._replace(loss=0.25)), EGYPT)
    assert again is not None
    assert [(each.judged.loss, len(each.reviews)) for each in again.exercises] == [(0.25, 1)]
    assert len(drill.games) == 1
    assert drill.add(judged_at("deep"), 0) is None


def test_a_game_is_known_by_its_moves_and_judged_again_only_more_closely():
    drill = Drill()
    drill.add(judged_at("default", costliest()), EGYPT)
    renamed = parse(write(log()).replace("Alexandria Open", "Another place"))[0].record
    assert drill.find(renamed, EGYPT, "quick") is drill.find(log(), EGYPT, "default") is not None
    assert drill.find(log(), EGYPT, "deep") is None
    assert drill.find(log(), 0, "quick") is None
    assert drill.find(parse(GAME)[0].record, EGYPT, "quick") is None
    drill.games[number_of_moves(log()), EGYPT].net = "an older one"
    assert drill.find(log(), EGYPT, "quick") is None


def test_the_net_alone_accuses_only_of_what_is_large():
    losses = [each.judged.loss for each in mistakes(side().decisions)]
    assert all(loss >= 0.1 for loss in losses)
    assert len(losses) == sum(judged.loss >= 0.1 for judged in side().decisions)


def test_what_is_kept_is_read_again():
    reviews = [Review(DAY, "(5)K", HARD), Review(DAY + timedelta(1), "", AGAIN)]
    drill = Drill([game_of(Exercise(costliest(), 0, reviews), *mistakes(side().decisions))])
    data = drill_data(drill)
    Draft202012Validator(closed_schema("drill")).validate(data)
    again = drill_of(data)
    assert drill_data(again) == data
    data["games"][0]["moves"] = "0123456789abcdef"  # as an earlier version numbered them
    assert drill_data(drill_of(data)) == drill_data(drill)
    one, other = (each.games[number_of_moves(log()), EGYPT].exercises[0].due for each in (again, drill))
    assert one == other is not None
    data["games"][0]["rules"] = "fr"
    with pytest.raises(ValueError):
        drill_of(data)
