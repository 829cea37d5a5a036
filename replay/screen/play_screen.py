"""The full screen of ``tiro play``: the table, what has happened, and a list of moves to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from ...notation.cards import PLAYER_NAMES, SIGNS
from ..insight.duel import Duel, Happening
from ..insight.duel_lines import NOTHING_BACK, RANKED, hint_lines, warning
from ..insight.offered_moves import Offer
from ..recording.draft import Draft
from ..recording.score_sheet import score_in_parts, score_sheet
from .move_screen import THINKING, MoveScreen
from .pick_list import move_menu

LEAVE: Final = "q again leaves the game as it is; tiro play continues it"
UNKEPT: Final = "What followed is not shown, since it could not be saved. q leaves; tiro play continues before it."
SHEET: Final = "…  q leaves, and shows all groups"


class PlayApp(MoveScreen):
    """Plays one game. The result is INTERRUPTED if Ctrl-C ended it, otherwise empty."""

    FOOT = "↑ ↓ pick   Enter take it   Esc back   h hint   ^Z undo   q leave   F1 help"
    PART = "play"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "leave('interrupted')", priority=True),
        Binding("ctrl+z", "undo", priority=True),
    ]

    def __init__(self, duel: Duel, name: str, keep: Callable[[], str], hints: bool) -> None:
        """``keep`` saves the record and returns a sentence if that fails; ``hints`` shows hints at every decision."""
        super().__init__("tiro play")
        self.duel, self.file, self.keep, self.hints = duel, name, keep, hints
        self.kept = f"the game so far is saved in {name}"
        self._turn = ""
        self._trouble = ""
        """Why the game could not be saved."""

    def on_mount(self) -> None:
        """Begin with the opening cards."""
        self.take_in()

    @property
    def offers(self) -> Sequence[Offer]:
        """Return the moves."""
        return self.duel.offers()

    @property
    def story(self) -> Sequence[Happening]:
        """Return what has happened."""
        return self.duel.story

    def take_in(self) -> None:
        """Draw everything again after moves were made."""
        duel = self.duel
        if self._trouble:  # what is not kept could be played again differently, so it is not shown
            self._menu, self._asked, self.notices = None, UNKEPT, [self._trouble]
            self.show_list()
            return
        duel.news()
        menu, asked = move_menu(duel.offers(), duel.side, duel.edition), duel.asked()
        self._turn = "set-up" if duel.is_laying else duel.label
        if duel.is_over:
            draft = Draft(duel.record())
            menu, self._turn, self._sheet = None, "over", score_sheet(draft)
            self._brief = [*score_in_parts(draft), SHEET]
            asked = f"The game is over. {draft.verdict.summary}. q leaves."
        if self.hints and not duel.is_over and not duel.is_laying:
            self.notices = [*self.notices, *self._hints()]
        self.show_all(menu, asked, duel.table())

    def heading(self) -> str:
        """Return who plays, and whether the other side is thinking."""
        duel = self.duel
        you, doing = f"{SIGNS[duel.side]} {PLAYER_NAMES[duel.side]}", f" {THINKING}" if self.is_thinking else ""
        return f"{self._turn} · you: {you} · level {duel.level}{doing} · {duel.edition.name} rules · {self.file}"

    def warning(self, place: int) -> str:
        """Return the warning for an action after which no second card can be placed."""
        return warning(self.offers[place]) if self.duel.closes_placing(place) else ""

    def play(self, place: int) -> list[str]:
        """Make a move, have the other side answer, and save the record."""
        self.duel.choose(place)
        self._trouble = self.keep()
        return []

    def hint(self) -> None:
        """Show the net's best moves."""
        if self._menu is not None and not self.is_thinking:
            self.say(*self._hints())

    def _hints(self) -> list[str]:
        """Return hints without the heading, for which there may be no room."""
        lines = hint_lines(self.duel)
        return lines[1:] if lines[0] == RANKED else lines

    def action_undo(self) -> None:
        """Undo the last move."""
        if self.is_thinking or len(self.screen_stack) > 1:
            return
        move = self.duel.undo()
        if not move:
            self.say(NOTHING_BACK)
            return
        self._trouble, self.notices = self.keep(), [f"Taken back: {move}"]
        self.take_in()

    def action_leave(self, how: str = "") -> None:
        """Leave the game; if it is not over, ask once."""
        if how or self._menu is None or self._warned == LEAVE:
            self.exit(how)
            return
        self._warned = LEAVE
        self.say(LEAVE)

    MORE_KEYS: ClassVar[dict[str, Callable[..., object]]] = {
        "h": lambda app: app.hint(),
        "q": lambda app: app.action_leave(),
    }
