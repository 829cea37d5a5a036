"""The full screen of ``tiro play``: the table, what has happened, and a list of moves to choose from."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Key

from ...notation.cards import PLAYER_NAMES, SIGNS
from ...notation.safe_text import visible
from ..insight.duel import Duel
from ..recording.draft import Draft
from ..recording.menu import Menu, MenuLine
from ..recording.score_sheet import score_sheet
from ..views.table_view import TableView
from .board import folded
from .duel_lines import NOTHING_BACK, RANKED, hint_lines, move_menu, news_lines, warning
from .pick_list import CHOOSE, UNCHOSEN, choice_for, listed, moved, rows
from .table_screen import TableScreen
from .widgets import ScrollPanel, bar, help_screen, key_texts

BESIDES: Final = 2
"""How many lines the title and the keys take."""
LEAST: Final = 3
"""How many lines of the news, where they lie below the table, and of the list there are at least."""
LEAVE: Final = "q again leaves the game as it stands; tiro play goes on with it"
THINKING: Final = "thinks …"


class PlayApp(TableScreen):
    """Plays one game. The result is INTERRUPTED where Ctrl-C ended it, else empty."""

    FOOT = "↑ ↓ pick   Enter take it   Esc back   h hint   ^Z undo   q leave   F1 help"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "leave('interrupted')", priority=True),
        Binding("ctrl+z", "undo", priority=True),
    ]

    def __init__(self, duel: Duel, name: str, keep: Callable[[], str], hints: bool) -> None:
        """``keep`` saves the record and returns a sentence where that fails; ``hints`` shows them at every decision."""
        super().__init__("tiro play")
        self.duel, self.file, self.keep, self.hints = duel, name, keep, hints
        self.kept = f"the game as far as it went is saved in {name}"
        self.typed = ""
        """The beginning of a word, where the list has only words that begin so."""
        self.is_thinking = False
        """Whether the other side is about to move: no key makes a move then."""
        # What the person sees stays as it is while the other side plays on.
        self._menu: Menu = move_menu(duel)
        self._asked = self._turn = ""
        self._sheet: list[str] = []
        self._seen: TableView | None = None
        self._changed: set[str] = set()
        """The letters of the groups that have changed since the person moved."""
        self._warned = ""
        """What is done where it is asked for once more: a move, or LEAVE."""

    def on_mount(self) -> None:
        """Begin with the opening cards."""
        self.take_in()

    def heights(self, height: int, *, wide: bool) -> tuple[int, int]:
        """Return the same; whatever the table takes, news and list keep their lines."""
        last = 0 if wide else max(LEAST, (height - BESIDES) // 6)
        return last, max(LEAST, height - BESIDES - last - 2 * LEAST)

    # ------------------------------------------------------------------------------------------------ what is shown

    def take_in(self) -> None:
        """Draw everything again after moves were made."""
        duel = self.duel
        duel.news()
        self.at, self.typed, self.back, self._warned = UNCHOSEN, "", 0, ""
        self._menu, self._asked = move_menu(duel), duel.asked()
        self._turn = "set-up" if duel.is_laying else duel.label
        if duel.is_over:
            draft = Draft(duel.record())
            self._turn, self._sheet = "over", score_sheet(draft)
            self._asked = f"The game is over. {draft.verdict.summary}. q leaves."
        if self.hints and not duel.is_over and not duel.is_laying:
            self.notices = [*self.notices, *self._hints()]
        now = duel.table()
        if self._seen is not None:
            pairs = zip(self._seen.groups, now.groups, strict=True)
            self._changed = {new.letter for old, new in pairs if old != new}
        self._seen = now
        self.show_title()
        self.show_table()
        self.show_lines()
        self.show_list()

    def show_title(self) -> None:
        """Draw the line at the top: who plays, and whether the other side thinks."""
        duel = self.duel
        you, doing = f"{SIGNS[duel.side]} {PLAYER_NAMES[duel.side]}", f" {THINKING}" if self.is_thinking else ""
        text = f" {self._turn} · you: {you} · level {duel.level}{doing} · {duel.edition.name} rules · {self.file}"
        self.draw("#title", bar(Text(visible(text))))

    def show_table(self) -> None:
        """Draw the table as the person's side sees it, what has changed highlighted."""
        if self._seen is not None:
            self.draw_table(self._seen, self._changed, is_over=bool(self._sheet))

    def happened(self, width: int) -> list[Text]:
        """Return the news."""
        return [part for line in news_lines(self.duel.story, 0) for part in folded(Text(visible(line)), width)]

    def show_list(self) -> None:
        """Draw the question, what is to be said, and the list; after the game the score sheet."""
        width, height = self._part("#below").size
        self.draw_question(folded(Text(visible(self._asked), "bold"), max(1, width)))
        said = [part for line in self.notices for part in folded(Text(visible(line)), max(1, width))]
        said = said[: max(1, height - LEAST)]
        if self._sheet:
            self.draw("#below", Text("\n").join([*said, *[Text(visible(line)) for line in self._sheet]]))
            return
        choices, room = self.choices, max(1, height - len(said))
        self._rows = rows(choices, room, width)
        self.draw("#below", Text("\n").join([*said, listed(self._rows, choices, self.typed, self.at, room)]))

    @property
    def choices(self) -> list[MenuLine]:
        """Return the list: moves, or where they are many how their words go on."""
        return [] if self._sheet else self._menu.choices(self.typed)

    # ---------------------------------------------------------------------------------------------------- the keys

    async def pressed(self, key: Key) -> None:
        """Do what a key means."""
        do = self.KEYS_OF_PLAY.get(key.key)
        if do is not None:
            do(self)
        elif not self.is_thinking and key.character and key.is_printable:
            choice = choice_for(self.choices, self.typed, key.character)
            if choice is None:
                self.bell()
            else:
                self._put(choice)

    def say(self, *lines: str) -> None:
        """Say something above the list."""
        self.notices = [*lines]
        self.show_list()

    def pick(self, pace: int) -> None:
        """Go along the list."""
        if self.choices and not self.is_thinking:
            self.choose(max(UNCHOSEN, moved(self._rows, self.at, pace)))

    def pick_beside(self, pace: int) -> None:
        """Go to the choice before or after, in the same line or the next one."""
        if self.choices and not self.is_thinking:
            super().pick_beside(pace)

    def take(self) -> None:
        """Make the move that is chosen, or open the list behind it: nothing is done that nobody chose."""
        if self.is_thinking or not self.choices:
            return
        if self.at == UNCHOSEN:
            self.say(CHOOSE)
            return
        choice = self.choices[self.at]
        place = self.duel.place_of(choice.text) if choice.whole else None
        if place is None:
            self._put(choice)
        elif self.duel.closes_placing(place) and self._warned != choice.text:
            self._warned = choice.text
            self.say(f"{warning(self.duel.offers()[place])} Enter again plays it.")
        else:
            self.run_worker(self._make(place), exclusive=True)

    def _put(self, choice: MenuLine) -> None:
        """Choose a line of the list, or open the list behind it. Only Enter makes a move."""
        if not choice.whole:
            self.typed = choice.text
        self.choose(next((at for at, each in enumerate(self.choices) if each == choice), UNCHOSEN))

    async def _make(self, place: int) -> None:
        """Make a move and have the other side answer, which may take it some seconds."""
        self.is_thinking, self.notices = True, []
        self.show_title()
        trouble = await to_thread(self._play_on, place)
        self.is_thinking = False
        self.notices = [trouble] if trouble else []
        self.take_in()

    def _play_on(self, place: int) -> str:
        self.duel.choose(place)
        return self.keep()

    def leave_list(self) -> None:
        """Go back to the whole list, with nothing chosen and nothing said."""
        if not self.is_thinking:
            self.at, self.typed, self.notices, self._warned = UNCHOSEN, "", [], ""
            self.show_list()

    def hint(self) -> None:
        """Show the best moves by the net."""
        if not self._sheet and not self.is_thinking:
            self.say(*self._hints())

    def _hints(self) -> list[str]:
        """Return hints without the line above them, for which there may be no room."""
        lines = hint_lines(self.duel)
        return lines[1:] if lines[0] == RANKED else lines

    def action_undo(self) -> None:
        """Take the last move back."""
        if self.is_thinking or len(self.screen_stack) > 1:
            return
        move = self.duel.undo()
        if not move:
            self.say(NOTHING_BACK)
            return
        trouble = self.keep()
        self.notices = [f"Taken back: {move}", *[trouble] * bool(trouble)]
        self.take_in()

    def help(self) -> None:
        """Show the keys."""
        self.push_screen(help_screen(key_texts()["play"]))

    def scroll(self, pages: int) -> None:
        """Show more of the table, or where all of it is on the screen, of the news."""
        is_cut = self.screen_stack[0].query_one("#table", ScrollPanel).max_scroll_y
        self.scroll_table(pages) if is_cut else self.scroll_lines(pages)

    def action_leave(self, how: str = "") -> None:
        """Leave the game; where it is not over that is asked once."""
        if how or self._sheet or self._warned == LEAVE:
            self.exit(how)
            return
        self._warned = LEAVE
        self.say(LEAVE)

    KEYS_OF_PLAY: ClassVar[dict[str, Callable[[PlayApp], object]]] = {
        "down": lambda app: app.pick(1),
        "up": lambda app: app.pick(-1),
        "left": lambda app: app.pick_beside(-1),
        "right": lambda app: app.pick_beside(1),
        "enter": lambda app: app.take(),
        "escape": lambda app: app.leave_list(),
        "backspace": lambda app: app.leave_list(),
        "h": lambda app: app.hint(),
        "q": lambda app: app.action_leave(),
        "f1": lambda app: app.help(),
        "pagedown": lambda app: app.scroll(1),
        "pageup": lambda app: app.scroll(-1),
    }
