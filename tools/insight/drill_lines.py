"""Mistakes to play again, line by line: the question, the cost of an answer, and when it is asked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from ...notation.basics import PLAYER_NAMES
from ...replay.diagnostics.api import capital, counted
from ...replay.words.api import percent, reason_words
from .analysis_text import DECEPTION, cost, deed, points
from .drill import AGAIN, GOOD, HARD, DrilledGame, Exercise, Posed, Review, rating_of
from .judgement import SUSPECT, Judged

ANSWERED: Final = {AGAIN: "wrong", HARD: "nearly", GOOD: "right"}
MEANING: Final = "W is your chance of winning; one point is one game in a hundred."


class Asking:
    """The position being asked, and what the answers so far were worth. Nothing is saved to a file here."""

    posed: Posed

    def __init__(self, today: date) -> None:
        self.today = today
        self.ratings: list[str] = []
        self.hinted = False

    def pose(self, game: DrilledGame, exercise: Exercise) -> None:
        """Set up a position. Raise LookupError if that can't be done."""
        self.posed, self.hinted = Posed(game, exercise), False

    def hint(self, *, numbered: bool = False) -> list[str]:
        """Return a few offers, one of which is the solution; ``numbered`` as in a list."""
        self.hinted = True
        offers, places = self.posed.offers, self.posed.hints()
        width = max(len(offers[place].text) for place in places)
        number = "{:>3}. " if numbered else "  "
        told = [f"{number.format(place + 1)}{offers[place].text:<{width}}  {offers[place].words}" for place in places]
        return ["One of these is best:", *told]

    def take(self, place: int | None) -> list[str]:
        """Rate an answer (None if the solution was shown); return what it costs, and when it is asked again."""
        posed, move, rating, told = self.posed, "", AGAIN, list[str]()
        if place is not None:
            answer = posed.answer(place)
            move, rating = answer.played, rating_of(answer, hinted=self.hinted)
            told = [*verdict_lines(posed, answer, rating)]
        posed.exercise.reviews.append(Review(self.today, move, rating))
        self.ratings.append(rating)
        return [*told, *solution_lines(posed, move), f"Asked again {when(posed.exercise.due, self.today)}."]


def title(game: DrilledGame, exercise: Exercise) -> str:
    """Return the turn of an exercise, and in which game that was."""
    return f"{game.log.turns[exercise.judged.turn].label} · {game_title(game)}"


def game_title(game: DrilledGame) -> str:
    """Return who played a game and where: ``Livia (Caesar) against Marcus, Thursday table, 2026.03.12``."""
    log, player = game.log, PLAYER_NAMES[game.side]
    own, other = (log.header(name) or "?" for name in (player, PLAYER_NAMES[1 - game.side]))
    where = [log.header(name) for name in ("Event", "Date")]
    return ", ".join([f"{own} ({player}) against {other}", *[part for part in where if part.strip("?.")]])


def verdict_lines(posed: Posed, answer: Judged, rating: str) -> Iterator[str]:
    """Yield what an answer is worth."""
    judged, said, points = posed.exercise.judged, _said(posed, answer.played), f"{cost(answer)} of W"
    if answer.played == judged.best:
        yield f"Right: {said}."
    elif answer.played == judged.played:
        yield f"As in the game: {said}. It cost {points} {answer.mark}".rstrip()
    elif rating == AGAIN:
        yield f"Worse: {said}. It costs {points} {answer.mark}".rstrip()
        yield from _why(answer)
    elif answer.loss > 0:
        near = "Nearly" if answer.loss >= SUSPECT else "Right"
        yield f"{near}: {said}. It costs {points}, which is not certainly a mistake."
    else:
        yield f"Right: {said}. No move that it was compared with is better."


def solution_lines(posed: Posed, answered: str) -> Iterator[str]:
    """Yield the best move, the move in the game, and why it was worse; leave out the ``answered`` move, which has been
    shown.
    """
    judged = posed.exercise.judged
    if answered != judged.best:
        then = f", and {judged.then} after it" if judged.then else ""
        yield f"Best: {_said(posed, judged.best)}{then}. W is {percent(judged.before)} with it."
    if answered != judged.played:
        yield f"In the game: {_said(posed, judged.played)}. It cost {cost(judged)} of W {judged.mark}".rstrip()
    yield from _why(judged)


def _said(posed: Posed, text: str) -> str:
    """Return a move in the notation, if it has one, and in words."""
    words = next(offer.words for offer in posed.offers if offer.text == text)
    return words if text == "/" else f"{text} {words}"


def _why(judged: Judged) -> Iterator[str]:
    if judged.hiding:
        yield f"   {capital(DECEPTION)}."
    elif judged.reasons:
        yield f"   Why: {'; '.join(map(reason_words, judged.reasons))}."


def list_lines(games: Iterable[DrilledGame], today: date) -> Iterator[str]:
    """Yield all exercises, game by game: when each is due, what was answered, and which decision it is."""
    for game in games:
        yield f"{game_title(game)}: {counted(len(game.exercises), 'position')}"
        for each in game.exercises:
            judged, label = each.judged, game.log.turns[each.judged.turn].label
            asked = f"asked {len(each.reviews)}×, last {ANSWERED[each.reviews[-1].rating]}" if each.reviews else "new"
            told = f"{points(judged.loss):>3} points  {label} {deed(judged)} {judged.mark}"
            yield f"   {when(each.due, today):<14}  {asked:<21}  {told}".rstrip()


def when(due: date | None, today: date) -> str:
    """Return when something is due."""
    if due is None or due <= today:
        return "now"
    return "tomorrow" if due == today + timedelta(days=1) else f"on {due}"


def end_lines(ratings: list[str], games: Iterable[DrilledGame], today: date) -> Iterator[str]:
    """Yield how many answers were right, and what comes next."""
    days = [each.due or today for game in games for each in game.exercises]
    left = sum(day <= today for day in days)
    if ratings:
        right, nearly, wrong = (ratings.count(rating) for rating in (GOOD, HARD, AGAIN))
        yield f"{len(ratings)} asked: {right} right, {nearly} nearly or with a hint, {wrong} wrong."
    elif not left:
        yield "Nothing is due." if days else "There are no certain mistakes."
    if left:
        yield f"Left for today: {left}."
    elif days:
        yield f"Next: {days.count(min(days))} {when(min(days), today)}, {len(days)} in all."
