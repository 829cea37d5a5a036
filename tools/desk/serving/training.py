"""A person's own mistakes, asked again by taps when they are due: what `tiro drill` asks, with the same state.

    {"ask": "trained"}                                → {"players": ["Livia", …]}
    {"ask": "train", "player": "Livia", "new": 10}    → {"number": 1, "tasks": 12, "screen": {…}}
    {"ask": "train", "number": 1, "tap": {…}}         → {"number": 1, "tasks": 12, "screen": {…}}

The games of the folder are judged for it one after another, each only once, until there are enough new positions. A tap
is for the position with its ``number``, from 1: one whose answer was lost is not taken twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from ....notation.basics import GROUP_LETTERS, PLAYER_NAMES, SIDE_LETTERS
from ....notation.records import Game, read_bytes
from ....replay.diagnostics.api import capital
from ....replay.knowledge.api import view_table
from ....replay.rules.core import MOVE
from ....replay.words.api import percent, reason_words
from ...insight.api import Judged, NoReport, Report, analyse, chosen, deception, kept, points, worded
from ...insight.playing import (
    GOOD,
    HARD,
    NAME,
    Asking,
    DrilledGame,
    DrillFile,
    Exercise,
    Practice,
    Unusable,
    end_lines,
    game_title,
    waiting,
    when,
)
from ...insight.report_files import report_path
from ...recorder.api import decoded
from ...storage.sources import RECORD, files_at
from ..check import is_running
from ..desk import DeskError, sentence
from ..folder import GameFolder
from ..taps import key_of
from .playing import AS_DEALT, HINT, PageWords, TapChoice, event_lines, question, screen_of

MAX_NEW_POSITIONS: Final = 100
"""The most new positions at once."""
SHOW: Final = ("choice", "/show")
"""Shows the solution."""
NEXT: Final = ("choice", "/next")
"""Asks the next position."""


class Training:
    """The positions that a page asks."""

    def __init__(
        self,
        own: Path,
        folder: GameFolder | None = None,
        today: Callable[[], date] = date.today,
        level: str = "default",
    ) -> None:
        """Ask what is kept in the person's ``own`` folder, and the games of ``folder``, if there is one. They are
        judged at a ``level``, as by ``tiro drill``.
        """
        self.own, self.folder, self.today, self.level = own, folder, today, level
        self.tasks: list[tuple[DrilledGame, Exercise]] = []
        self.games: list[DrilledGame] = []
        self.number = 0
        self.told: list[str] = []
        """What the answer was worth; nothing as long as there is none."""
        self.said = ""

    def answer(self, asked: dict[str, Any], on_progress: Callable[[], None]) -> dict[str, Any] | None:
        """Return the answer to a message about practice; None for any other message. ``on_progress`` is called again
        and again while games are judged.
        """
        player, new, number, tap = (asked.get(name) for name in ("player", "new", "number", "tap"))
        try:
            match asked.get("ask"):
                case "trained":
                    return {"players": self._players()}
                case "train" if isinstance(player, str) and isinstance(new, int) and 0 <= new <= MAX_NEW_POSITIONS:
                    self._begin(player, new, on_progress)
                case "train" if self.tasks and isinstance(number, int) and isinstance(tap, dict):
                    if number == self.number:
                        self._take(tap)
                case "train":
                    raise DeskError(sentence("screen", "no_message"))
                case _:
                    return None
        except (Unusable, OSError) as error:
            raise DeskError(f"{NAME}: {error}") from None
        return {"number": self.number, "tasks": len(self.tasks), "screen": self._screen() if self.tasks else None} | (
            {} if self.tasks else {"ended": [*end_lines(self.ratings, self.games, self.today())]}
        )

    def _file(self) -> DrillFile:
        return DrillFile(str(self.own / NAME))

    def _records(self) -> Iterator[tuple[str, Game]]:
        """Yield the games of the folder that are over, with their files."""
        for file in files_at(str(self.folder.path)) if self.folder and self.folder.path.is_dir() else ():
            with suppress(OSError):
                data = Path(file.path).read_bytes() if file.path.endswith(RECORD) and not file.problem else b""
                if not is_running(decoded(data)):
                    yield from ((file.path, game) for game in read_bytes(BytesIO(data), file.path) if not game.missing)

    def _players(self) -> list[str]:
        """Return the players whose cards are known, those with most games first."""
        practice = self._practice("", lambda: None)
        names = [game.log.header(PLAYER_NAMES[game.side]) for game in practice.file.drill.games.values()]
        names += [game.record.header(PLAYER_NAMES[side]) for _, game in self._records() for side in practice.seen(game)]
        known = sorted({name for name in names if name.strip("?")})
        return sorted(known, key=lambda name: -names.count(name))

    def _practice(self, player: str, on_progress: Callable[[], None]) -> Practice:
        def judge(path: str, game: Game, side: int) -> Report:
            place = report_path(path) if path else None
            if place and place.is_file():
                with suppress(NoReport):
                    if found := chosen(kept(place.read_bytes(), game), game, side, self.level, 0, ""):
                        return found
            return analyse(game, side, self.level, watch=lambda _: on_progress())

        return Practice(self._file(), judge, player=player, level=self.level)

    def _begin(self, player: str, new: int, on_progress: Callable[[], None]) -> None:
        """Judge games until there are enough new positions, and ask the first one that waits."""
        practice = self._practice(player, on_progress)
        games = {(game.moves, game.side): game for game in practice.wanted_games()}
        practice.room = new - sum(not each.reviews for game in games.values() for each in game.exercises)
        for path, game in self._records():
            for side in practice.seen(game):
                if not practice.is_wanted(game.record, side):
                    continue
                with suppress(ValueError, LookupError):
                    if found := practice.judged(path, game, side):
                        games[found.moves, found.side] = found
            on_progress()
        self.file, self.games = practice.file, [*games.values()]
        self.tasks, self.number = waiting(self.games, self.today(), new), 0
        self.asking = Asking(self.today())
        self.ratings = self.asking.ratings
        if self.tasks:
            self._pose()

    def _pose(self) -> None:
        """Set up the next position."""
        self.number += 1
        self.told, self.said = [], ""
        try:
            self.asking.pose(*self.tasks[self.number - 1])
        except LookupError as error:
            self.told, self.choosing = [f"{capital(str(error.args[0]))}."], TapChoice((), 0, str)
            return
        posed = self.asking.posed
        self.choosing = TapChoice(posed.offers, int(posed.state.active), posed.why_not)

    def _take(self, tap: dict[str, Any]) -> None:
        key, self.said = key_of(tap), ""
        if self.told:
            if key == NEXT and self.number < len(self.tasks):
                self._pose()
            elif key == NEXT:
                self.tasks = []
        elif key == HINT:
            offers = self.asking.posed.offers
            self.asking.hinted = True
            which = [f"– {offers[place].words}" for place in self.asking.posed.hints()]
            self.said = "\n".join([sentence("train", "one_of"), *which])
        elif key == SHOW:
            self._answer(None)
        elif key == ("undo",):
            self.choosing.restart()
        elif key is not None and (place := self.choosing.take(key)) is not None:
            self._answer(place)

    def _answer(self, place: int | None) -> None:
        """Say what an answer costs, or the solution, and keep it."""
        posed = self.asking.posed
        answer = None if place is None else posed.answer(place)
        self.asking.take(place)
        game = posed.game
        judged, *given = worded(filter(None, (posed.exercise.judged, answer)), game.side, game.log, game.rules)
        self.told = [*_worth(judged, given[0] if given else None, self.asking.ratings[-1])]
        due = when(posed.exercise.due, self.today())
        self.told.append(sentence("train", "asked_again", when=due))
        self.file.keep()
        self.choosing = TapChoice((), 0, str)

    def _asked(self) -> str:
        """Return what the position asks."""
        posed = self.asking.posed
        kind, pending, state = posed.decision
        if kind != MOVE:
            return question(kind, pending, state, posed.game.side)
        is_begun = any(each.label.endswith(SIDE_LETTERS[posed.game.side]) for each in posed.news()[-1:])
        return sentence("train", "find_more" if is_begun else "find")

    def _screen(self) -> dict[str, Any]:
        posed = self.asking.posed
        game, judged, state = posed.game, posed.exercise.judged, posed.state
        more = [(HINT[1], sentence("train", "hint")), (SHOW[1], sentence("train", "show"))]
        best = next((offer.token for offer in posed.offers if offer.text == judged.best), None)
        group = getattr(best, "group", None) if self.told else None
        if self.told:
            more = [(NEXT[1], sentence("train", "end" if self.number == len(self.tasks) else "next"))]
        place = {"number": self.number, "count": len(self.tasks), "turn": game.log.turns[judged.turn].number}
        shown = PageWords(
            sentence("train", "heading_of", **place),
            self.told[0] if self.told else self._asked(),
            self.said,
            self.told[1:] or event_lines(posed.news(), game.side, in_full=False)[::-1],
            [*event_lines(posed.news(), game.side)[::-1], f"({game_title(game)})"],
            labels={AS_DEALT: sentence("play", "on" if state.active == game.side else "allow")},
            more=more,
            at="" if group is None else GROUP_LETTERS[group],
        )
        return screen_of(shown, view_table(state, posed.view), state.edition, game.side, self.choosing)


def _worth(judged: Judged, answer: Judged | None, rating: str) -> Iterator[str]:
    """Yield what an ``answer`` was worth (None if the solution was shown), the best move, and why it is better."""
    if answer is None:
        yield sentence("train", "solution")
    elif answer.played == judged.best:
        yield sentence("train", "best_found")
    elif rating == GOOD or (rating == HARD and not points(answer.loss)):
        yield sentence("train", "as_good")
    elif rating == HARD:
        yield sentence("train", "nearly", number=points(answer.loss))
    else:
        yield sentence("train", "worse", number=points(answer.loss))
    if answer is None or answer.played != judged.best:
        if answer:
            yield sentence("train", "yours", move=answer.played_words)
        is_good = answer is not None and rating == GOOD
        yield sentence("train", "best_too" if is_good else "best", move=judged.words, share=percent(judged.before))
    if answer is None or answer.played != judged.played:
        yield sentence("train", "in_game", move=judged.played_words, number=points(judged.loss))
    if judged.hiding:
        yield f"{capital(deception())}."
    elif judged.reasons:
        yield sentence("train", "why", reasons="; ".join(map(reason_words, judged.reasons)))
