"""The full screen of ``tiro drill``: a position that stays in view while it is asked and answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from ..diagnostics.names import capital
from ..insight.drill import DrilledGame, Exercise
from ..insight.drill_lines import MEANING, Asking, title
from ..insight.duel import Happening
from ..insight.offered_moves import Offer
from ..views.table_view import look
from .move_screen import THINKING, MoveScreen
from .pick_list import move_menu

NEXT: Final = "Enter: the next position. q leaves."
LAST: Final = "That was the last position. Enter or q leaves."


class DrillApp(MoveScreen):
    """Asks positions. The result is INTERRUPTED if Ctrl-C ended it, otherwise empty."""

    FOOT = "↑ ↓ pick   Enter take it   Esc back   h hint   g give up   q leave   F1 help"
    PART = "drill"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "leave('interrupted')", priority=True),
    ]

    def __init__(self, asking: Asking, tasks: Sequence[tuple[DrilledGame, Exercise]], keep: Callable[[], str]) -> None:
        """``keep`` saves the answers and returns a sentence if that fails."""
        super().__init__("tiro drill")
        self.session, self.tasks, self.keep = asking, tasks, keep
        self.kept = "your answers so far are kept"
        self.number = 0
        """The position that is being asked, from 1."""
        self._story: Sequence[Happening] = ()

    def on_mount(self) -> None:
        """Ask the first position."""
        self.go_on()

    @property
    def offers(self) -> Sequence[Offer]:
        """Return the moves."""
        return self.session.posed.offers

    @property
    def story(self) -> Sequence[Happening]:
        """Return what happened just before."""
        return self._story

    def go_on(self) -> None:
        """Ask the next position, or leave after the last."""
        if self.number == len(self.tasks):
            self.exit("")
            return
        self.number += 1
        self.think(self._pose, self._show_position)

    def _pose(self) -> list[str]:
        """Set up a position, which takes some time; return why that can't be done."""
        try:
            self.session.pose(*self.tasks[self.number - 1])
        except LookupError as error:
            return [str(error.args[0])]
        self._story = self.session.posed.news()
        return []

    def _show_position(self) -> None:
        if self.notices:
            self._asked = f"{capital(self.notices[0])}. {self._onward}"
            self.notices = []
            self._menu = None
            self.show_title()
            self.show_list()
            return
        posed = self.session.posed
        self.notices = [MEANING] * (self.number == 1)
        self._seen = None  # the previous position is from another game
        menu = move_menu(posed.offers, posed.game.side, posed.state.edition)
        self.show_all(menu, posed.asked(), look(posed.state, posed.view))

    def heading(self) -> str:
        """Say which position this is, and from which game."""
        doing = f" {THINKING}" * self.is_thinking
        return f"{self.number} of {len(self.tasks)}{doing} · {title(*self.tasks[self.number - 1])}"

    def play(self, place: int | None) -> list[str]:
        """Answer with a move, or None to see the solution; return what it costs."""
        told = self.session.take(place)
        trouble = self.keep()
        return [*told, *[trouble] * bool(trouble)]

    def take_in(self) -> None:
        """Say what the answer was worth, under the position."""
        self._menu, self._asked = None, self._onward
        self.show_title()
        self.show_list()

    @property
    def _onward(self) -> str:
        return NEXT if self.number < len(self.tasks) else LAST

    def take(self) -> None:
        """Answer with the chosen move; after the answer, go on."""
        if self._menu is None and not self.is_thinking:
            self.go_on()
        else:
            super().take()

    def hint(self) -> None:
        """Show a few moves, one of them the best."""
        if self._menu is not None and not self.is_thinking:
            self.say(*self.session.hint())

    def give_up(self) -> None:
        """Show the solution."""
        if self._menu is not None and not self.is_thinking:
            self.think(lambda: self.play(None), self.take_in)

    def action_leave(self, how: str = "") -> None:
        """Leave; the answers are kept."""
        self.exit(how)

    MORE_KEYS: ClassVar[dict[str, Callable[..., object]]] = {
        "h": lambda app: app.hint(),
        "g": lambda app: app.give_up(),
        "q": lambda app: app.action_leave(),
    }
