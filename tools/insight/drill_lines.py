"""Mistakes to play again, line by line: the question, the cost of an answer, and when it is asked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from ...notation.basics import PLAYER_NAMES
from ...notation.language import PLAYERS, Messages, clauses, labelled, phrase
from ...replay.diagnostics.api import capital, counted
from ...replay.words.api import percent, reason_words
from .analysis import worded
from .analysis_text import cost, deception, deed, points
from .drill import AGAIN, GOOD, HARD, DrilledGame, Exercise, Posed, Review, rating_of
from .judgement import SUSPECT, Judged

ANSWERED: Final[Messages] = {
    "": "new", AGAIN: "asked {count}×, last wrong", HARD: "asked {count}×, last nearly",
    GOOD: "asked {count}×, last right",
}  # fmt: skip


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
        return [phrase("One of these is best:"), *told]

    def take(self, place: int | None) -> list[str]:
        """Rate an answer (None if the solution was shown); return what it costs, and when it is asked again."""
        posed, move, rating, told = self.posed, "", AGAIN, list[str]()
        if place is not None:
            answer = posed.answer(place)
            move, rating = answer.played, rating_of(answer, hinted=self.hinted)
            told = [*verdict_lines(posed, answer, rating)]
        posed.exercise.reviews.append(Review(self.today, move, rating))
        self.ratings.append(rating)
        again = phrase("Asked again {when}.", when=when(posed.exercise.due, self.today))
        return [*told, *solution_lines(posed, move), again]


def title(game: DrilledGame, exercise: Exercise) -> str:
    """Return the turn of an exercise, and in which game that was."""
    return f"{game.log.turns[exercise.judged.turn].label} · {game_title(game)}"


def game_title(game: DrilledGame) -> str:
    """Return who played a game and where: ``Livia (Caesar) against Marcus, Thursday table, 2026.03.12``."""
    log, player = game.log, PLAYER_NAMES[game.side]
    own, other = (log.header(name) or "?" for name in (player, PLAYER_NAMES[1 - game.side]))
    where = [log.header(name) for name in ("Event", "Date")]
    who = phrase("{own} ({player.name}) against {other}", own=own, player=PLAYERS[game.side], other=other)
    return ", ".join([who, *[part for part in where if part.strip("?.")]])


def verdict_lines(posed: Posed, answer: Judged, rating: str) -> Iterator[str]:
    """Yield what an answer is worth."""
    judged = posed.exercise.judged
    fields = {"move": _said(posed, answer.played), "cost": cost(answer), "mark": answer.mark}
    if answer.played == judged.best:
        yield phrase("Right: {move}.", **fields)
    elif answer.played == judged.played:
        yield phrase("As in the game: {move}. It cost {cost} of W {mark}", **fields).rstrip()
    elif rating == AGAIN:
        yield phrase("Worse: {move}. It costs {cost} of W {mark}", **fields).rstrip()
        yield from _why(answer)
    elif answer.loss >= SUSPECT:
        yield phrase("Nearly: {move}. It costs {cost} of W, which is not certainly a mistake.", **fields)
    elif answer.loss > 0:
        yield phrase("Right: {move}. It costs {cost} of W, which is not certainly a mistake.", **fields)
    else:
        yield phrase("Right: {move}. No move that it was compared with is better.", **fields)


def solution_lines(posed: Posed, answered: str) -> Iterator[str]:
    """Yield the best move, the move in the game, and why it was worse; leave out the ``answered`` move, which has been
    shown.
    """
    judged = posed.exercise.judged
    if answered != judged.best:
        said = _said(posed, judged.best)
        then = phrase("Best: {move}, and {then} after it.", move=said, then=judged.then)
        said = then if judged.then else phrase("Best: {move}.", move=said)
        yield f"{said} {phrase('W is {chance} with it.', chance=percent(judged.before))}"
    if answered != judged.played:
        fields = {"move": _said(posed, judged.played), "cost": cost(judged), "mark": judged.mark}
        yield phrase("In the game: {move}. It cost {cost} of W {mark}", **fields).rstrip()
    yield from _why(judged)


def _said(posed: Posed, text: str) -> str:
    """Return a move in the notation, if it has one, and in words."""
    words = next(offer.words for offer in posed.offers if offer.text == text)
    return words if text == "/" else f"{text} {words}"


def _why(judged: Judged) -> Iterator[str]:
    if judged.hiding:
        yield f"   {capital(deception())}."
    elif judged.reasons:
        yield f"   {phrase('Why: {reasons}.', reasons=clauses(map(reason_words, judged.reasons)))}"


def list_lines(games: Iterable[DrilledGame], today: date) -> Iterator[str]:
    """Yield all exercises, game by game: when each is due, what was answered, and which decision it is."""
    width = max([len(phrase(told, count=1)) for told in ANSWERED.values()])
    for game in games:
        yield labelled(game_title(game), counted(len(game.exercises), "position"))
        decisions = worded([each.judged for each in game.exercises], game.side, game.log, game.rules)
        for each, judged in zip(game.exercises, decisions, strict=True):
            kind = each.reviews[-1].rating if each.reviews else ""
            asked = phrase(ANSWERED[kind], count=len(each.reviews))
            lost = phrase("{count} points", count=f"{points(judged.loss):>3}")
            told = f"{lost}  {game.log.turns[judged.turn].label} {deed(judged)} {judged.mark}"
            yield f"   {when(each.due, today):<14}  {asked:<{width}}  {told}".rstrip()


def when(due: date | None, today: date) -> str:
    """Return when something is due."""
    if due is None or due <= today:
        return phrase("now")
    return phrase("tomorrow") if due == today + timedelta(days=1) else phrase("on {date}", date=due)


def end_lines(ratings: list[str], games: Iterable[DrilledGame], today: date) -> Iterator[str]:
    """Yield how many answers were right, and what comes next."""
    days = [each.due or today for game in games for each in game.exercises]
    left = sum(day <= today for day in days)
    if ratings:
        counts = {"all": len(ratings), **{each: ratings.count(each) for each in ANSWERED if each}}
        yield phrase("{all} asked: {good} right, {hard} nearly or with a hint, {again} wrong.", **counts)
    elif not left:
        yield phrase("Nothing is due.") if days else phrase("There are no certain mistakes.")
    if left:
        yield phrase("Left for today: {count}.", count=left)
    elif days:
        fields = {"count": days.count(min(days)), "when": when(min(days), today), "all": len(days)}
        yield phrase("Next: {count} {when}, {all} in all.", **fields)
