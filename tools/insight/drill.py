"""A player's mistakes as positions to play again: the question, the cost of an answer, and when it is repeated.

Nothing here reads a file or a clock: the day is an argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from datetime import UTC, date, datetime, time
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...notation.basics import SIDE_LETTERS, dataclass
from ...notation.language import phrase
from ...notation.records import Record, as_game, moves_of, parse, write
from ...replay.engine.api import PLAYERS, View, read_headers
from ...replay.rules.api import State
from ...replay.story.api import timeline
from ...replay.words.api import event_words
from .account import Account, OwnChoice
from .analysis import LEVELS, Report, account_of
from .analysis_json import decision_data, judged_of, places_of
from .duel import Happening
from .judgement import SUSPECT, Judge, Judged
from .net import load
from .offered_moves import Offer, asked, offer_of, why_not
from .options import DECISION_WORDS

if TYPE_CHECKING:
    from fsrs import Scheduler


AGAIN, HARD, GOOD = "again", "hard", "good"
"""The ratings that FSRS gets for an answer, the worst first; its fourth rating, easy, is never used."""
SEEMS: Final = 0.10
"""The loss, according to the net, that makes a decision an exercise if it was not judged closely: the net is off by
some points.
"""
WORLDS: Final = 64
"""The most worlds in which an answer is measured while there is doubt: a person is waiting."""
HINTS: Final = 3
"""How many of the net's best options a hint lists, one of them the solution."""
SEED: Final = 0


class Review(NamedTuple):
    """An answer: its day, the move in the notation (empty if the solution was shown), and the rating."""

    day: date
    move: str
    rating: str


@dataclass
class Exercise:
    """A mistake to be played again.

    ``number`` tells apart decisions of one kind at one token, such as the piles of two drawn cards.
    """

    judged: Judged
    number: int = 0
    reviews: list[Review] = field(default_factory=list)

    @property
    def key(self) -> tuple[int, int, str, int]:
        """Return what distinguishes it from the other exercises of its game."""
        return self.judged.turn, self.judged.at, self.judged.kind, self.number

    @property
    def due(self) -> date | None:
        """Return when it is due again, according to all answers so far; None if there are none."""
        from fsrs import Card, Rating

        card = Card(card_id=0, due=datetime.min)
        for review in self.reviews:
            # By days, so that neither the hour nor the time zone matters.
            day = datetime.combine(review.day, time(), UTC)
            card, _ = _scheduler().review_card(card, Rating[review.rating.capitalize()], day)
        return card.due.date() if self.reviews else None


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    # No steps within minutes: a person who has just read a solution learns nothing from being asked again.
    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


@dataclass
class DrilledGame:
    """A game and its exercises for one side; ``moves`` is the number that identifies the moves in its player's log."""

    moves: str
    side: int
    rules: str
    net: str
    level: str
    log: Record
    exercises: list[Exercise]


class Drill:
    """All games that were judged for the drill, by the numbers of their moves and by side."""

    def __init__(self, games: Iterable[DrilledGame] = ()) -> None:
        self.games = {(game.moves, game.side): game for game in games}

    def find(self, log: Record, side: int, level: str) -> DrilledGame | None:
        """Return the game of a log if it was already judged at least as closely, with the current net."""
        game = self.games.get((number_of_moves(log), side))
        if game is None or LEVELS.index(game.level) < LEVELS.index(level) or load(game.rules).name != game.net:
            return None
        return game

    def add(self, report: Report, side: int) -> DrilledGame | None:
        """Add the mistakes of a side; return its game, or None if nothing was judged.

        Exercises that exist already keep their answers. Those that turn out not to be mistakes when judged closely are
        dropped.
        """
        judged, log = report.sides[side], report.log[side]
        if judged is None or log is None:
            return None
        moves = number_of_moves(log)
        before = self.games.get((moves, side))
        reviews = {each.key: each.reviews for each in before.exercises} if before else {}
        found = mistakes(judged.decisions)
        for each in found:
            each.reviews = reviews.get(each.key, [])
        game = DrilledGame(moves, side, report.rules, report.net, report.level, log, found)
        self.games[moves, side] = game
        return game


def number_of_moves(log: Record) -> str:
    """Return a hexadecimal number that identifies the moves in a log: the same for every file and form of the log."""
    return f"{moves_of(as_game(log)):016x}"


def mistakes(decisions: Iterable[Judged]) -> list[Exercise]:
    """Return the decisions that were wrong, as exercises."""
    found: list[Exercise] = []
    counts: Counter[tuple[int, int, str]] = Counter()
    for judged in decisions:
        if not judged.is_forced:
            place = judged.turn, judged.at, judged.kind
            if is_wrong(judged):
                found.append(Exercise(judged, counts[place]))
            counts[place] += 1
    return found


def is_wrong(judged: Judged) -> bool:
    """Return whether a move is wrong: it has a mark or, if it was not judged closely, seems to have cost as much as one
    needs.
    """
    return judged.is_mistake or (not judged.level and judged.loss >= SEEMS)


def waiting(games: Iterable[DrilledGame], today: date, new: int) -> list[tuple[DrilledGame, Exercise]]:
    """Return what to ask: the exercises that are due again, the longest overdue first, then ``new`` ones that were
    never asked, the costliest first.
    """
    everything = [(each.due, game, each) for game in games for each in game.exercises]
    again = sorted((one for one in everything if one[0] and one[0] <= today), key=itemgetter(0))
    fresh = sorted((one for one in everything if one[0] is None), key=lambda one: -one[2].judged.loss)
    return [(game, each) for _, game, each in (*again, *fresh[:new])]


def rating_of(answer: Judged, *, hinted: bool) -> str:
    """Return the rating of an answer for FSRS: it depends on what the answer certainly costs, and on whether there was
    a hint.
    """
    if is_wrong(answer):
        return AGAIN
    return HARD if hinted or answer.loss >= SUSPECT else GOOD


class Posed:
    """An exercise as it is asked: the position of its player, and what they could choose.

    Raise LookupError if the log does not lead there.
    """

    def __init__(self, game: DrilledGame, exercise: Exercise) -> None:
        self.game, self.exercise = game, exercise
        judged = exercise.judged
        turns = tuple(game.log.turns)[: judged.turn + 1]
        # Everything before it is judged again from the same seed, which gives the same options with the same values.
        walked = account_of(replace(game.log, turns=turns, result=None), game.side, SEED, game.rules)
        choices = walked.choices if walked else []
        place = judged.turn, judged.at, judged.kind
        there = [
            one for one in choices if (one.turn, one.at, DECISION_WORDS[one.kind]) == place and one.end - one.first > 1
        ]
        if walked is None or len(there) <= exercise.number:
            raise LookupError(phrase("the position can't be set up again"))
        self._account: Account = walked
        self._choice: OwnChoice = there[exercise.number]
        moves = walked.batch.moves_from(self._choice.first, self._choice.end)
        self.offers: Sequence[Offer] = [offer_of(self._choice.kind, move, self.state, game.side) for move in moves]

    def why_not(self, typed: str) -> str:
        """Return why a typed word is no move here; empty if the law does not say."""
        return why_not(self._choice.kind, self.state, typed)

    @property
    def state(self) -> State:
        """Return the table as the player knew it."""
        return self._choice.belief.state

    @property
    def view(self) -> View:
        """Return the player's point of view."""
        return PLAYERS[self.game.side]

    @property
    def decision(self) -> tuple[int, int, State]:
        """Return the kind of decision, the announced action that it is about, and the table."""
        return self._choice.kind, self._choice.pending, self.state

    def asked(self) -> str:
        """Return the question as a sentence."""
        return asked(*self.decision, self.game.side)

    def news(self) -> list[Happening]:
        """Return what happened just before: the turn of the other side, and the player's own so far."""
        log, judged = self.game.log, self.exercise.judged
        *before, now = tuple(log.turns)[: judged.turn + 1]
        cut = replace(log, turns=(*before, replace(now, tokens=now.tokens[: judged.at])), result=None)
        shown = {turn.label: turn.side for turn in (*before[-1:], now) if turn.number}
        entries = timeline(cut, self.view, self.game.rules).entries[-2:]
        return [
            Happening(entry.label, shown[entry.label], event.token, event_words(event))
            for entry in entries
            if entry.label in shown
            for event in entry.events
        ]

    def hints(self) -> list[int]:
        """Return the places of a few offers in their order, one of them the solution."""
        values = self._account.values[self._choice.first : self._choice.end].tolist()
        best = [place for place, offer in enumerate(self.offers) if offer.text == self.exercise.judged.best]
        return sorted({*best, *sorted(range(len(values)), key=lambda place: -values[place])[:HINTS]})

    def answer(self, place: int) -> Judged:
        """Return an offer judged as if it had been played; by the net alone if the mistake was judged that way."""
        judged, text = self.exercise.judged, self.offers[place].text
        if text == judged.played:
            return judged
        if text == judged.best:
            return judged._replace(played=text, played_words=judged.words, loss=0.0, error=0.0, mark="", reasons=())
        judge = Judge(self._account, SEED)
        choice = self._choice._replace(played=self._choice.first + place)
        found = judge.at_a_glance(choice)
        return judge.look_closely(choice, found, WORLDS) if judged.level else found


SCHEMA: Final = "urn:tironian:schema:drill:1"


def drill_data(drill: Drill) -> dict[str, Any]:
    """Return everything as the schema's object, with the games in the order in which they were added."""
    return {"$schema": SCHEMA, "games": [_game_data(game) for game in drill.games.values()]}


def _game_data(game: DrilledGame) -> dict[str, Any]:
    return {
        "moves": game.moves,
        "side": SIDE_LETTERS[game.side],
        "rules": game.rules,
        "net": game.net,
        "level": game.level,
        "log": write(game.log),
        "exercises": [_exercise_data(each, game.log) for each in game.exercises],
    }


def _exercise_data(exercise: Exercise, log: Record) -> dict[str, Any]:
    reviews = [review._asdict() | {"day": f"{review.day}"} for review in exercise.reviews]
    return {**decision_data(exercise.judged, log), "number": exercise.number + 1, "reviews": reviews}


def drill_of(data: dict[str, Any]) -> Drill:
    """Return what data of the schema describe. Raise ValueError if they don't fit together."""
    return Drill(map(_game, data["games"]))


def _game(data: dict[str, Any]) -> DrilledGame:
    read = parse(data["log"])
    if len(read) != 1:
        raise ValueError("a log is not one game")
    log = read[0].record
    edition = read_headers(log, data["rules"]).edition
    if edition is None or edition.name != data["rules"]:
        raise ValueError("a log has different rules")
    places = places_of(log)
    if not {each["turn"] for each in data["exercises"]} <= places.keys():
        raise ValueError("a turn is missing in a log")
    exercises = [_exercise(each, places[each["turn"]]) for each in data["exercises"]]
    # The file may come from a version that numbered moves differently.
    played = number_of_moves(log), SIDE_LETTERS.index(data["side"])
    return DrilledGame(*played, data["rules"], data["net"], data["level"], log, exercises)


def _exercise(data: dict[str, Any], turn: int) -> Exercise:
    reviews = [Review(date.fromisoformat(each["day"]), each["move"], each["rating"]) for each in data["reviews"]]
    return Exercise(judged_of(data, turn), data["number"] - 1, reviews)
