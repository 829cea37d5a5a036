"""Shared by the full screens of ``tiro play`` and ``tiro drill``: a list of moves to choose from."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.events import Key

from ...notation.safe_text import visible
from ..insight.duel import Happening
from ..insight.offered_moves import Offer, place_of
from ..recording.menu import Menu, MenuLine
from ..views.table_view import TableView
from .board import folded
from .pick_list import CHOOSE, UNCHOSEN, choice_for, listed, moved, rows
from .table_screen import LEAST, TableScreen
from .widgets import bar, help_screen, key_texts

THINKING: Final = "thinks …"
INDENT: Final = 5
"""Width of a turn's label before what happened in it."""


class MoveScreen(TableScreen):
    """A table, and a list of moves. Subclasses say what a move does. Only Enter makes a move."""

    BESIDES = 4
    PART: ClassVar[str]
    """The part of ``keys.toml`` that explains its keys."""
    MORE_KEYS: ClassVar[dict[str, Callable[..., object]]] = {}

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.typed = ""
        """The beginning of a word, if the list has only words that begin like this."""
        self.is_thinking = False
        """Whether the program is about to answer: no key makes a move then."""
        # What the person sees does not change in the meantime.
        self._menu: Menu | None = None
        """The moves; None if there is nothing to choose."""
        self._asked = ""
        self._sheet: list[str] = []
        """What is shown instead of the list; ``_brief`` if there is no room for it."""
        self._brief: list[str] = []
        self._seen: TableView | None = None
        self._changed: set[str] = set()
        """The letters of the groups that have changed since the person moved."""
        self._warned = ""
        """What is done if it is requested again."""

    @property
    def offers(self) -> Sequence[Offer]:
        """Return the moves."""
        raise NotImplementedError

    @property
    def story(self) -> Sequence[Happening]:
        """Return what has happened."""
        raise NotImplementedError

    def heading(self) -> str:
        """Return the line at the top."""
        raise NotImplementedError

    def warning(self, place: int) -> str:
        """Return the warning about a move before it is made; empty if there is none."""
        return ""

    def play(self, place: int) -> list[str]:
        """Make a move, in the background; return what to say about it."""
        raise NotImplementedError

    def take_in(self) -> None:
        """Draw everything again after a move."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ what is shown

    def show_all(self, menu: Menu | None, asked: str, seen: TableView) -> None:
        """Draw everything again: the choices, the question, and the table."""
        self.at, self.typed, self.back, self._warned = UNCHOSEN, "", 0, ""
        self._menu, self._asked = menu, asked
        if self._seen is not None:
            pairs = zip(self._seen.groups, seen.groups, strict=True)
            self._changed = {new.letter for old, new in pairs if old != new}
        self._seen = seen
        self.show_title()
        self.show_table()
        self.show_lines()
        self.show_list()

    def show_title(self) -> None:
        """Draw the line at the top."""
        self.draw("#title", bar(Text(visible(self.heading()))))

    def show_table(self) -> None:
        """Draw the table as the person's side sees it, with changes highlighted."""
        if self._seen is not None:
            self.draw_table(self._seen, self._changed, is_over=bool(self._sheet))

    def happened(self, width: int) -> list[Text]:
        """Return the news in words, each after its turn."""
        lines: list[Text] = []
        for each in self.story:
            first, *more = folded(Text(visible(each.words)), max(1, width - INDENT))
            lines += [
                Text(f"{each.label:<{INDENT}}").append_text(first),
                *[Text(" " * INDENT).append_text(part) for part in more],
            ]
        return lines

    def show_list(self) -> None:
        """Draw the question, the message, and the list; after the game the score sheet."""
        width, height = self._part("#below").size
        self.draw_question(folded(Text(visible(self._asked), "bold"), max(1, width)))
        said = [part for line in self.notices for part in folded(Text(visible(line)), max(1, width))]
        if self._menu is None:
            sheet = self._sheet if len(said) + len(self._sheet) <= height else self._brief
            self.draw("#below", Text("\n").join([*said, *[Text(visible(line)) for line in sheet]]))
            return
        said = said[: max(1, height - LEAST)]
        choices, room = self.choices, max(1, height - len(said))
        self._rows = rows(choices, room, width)
        self.draw("#below", Text("\n").join([*said, listed(self._rows, choices, self.typed, self.at, room)]))

    @property
    def choices(self) -> list[MenuLine]:
        """Return the list: moves, or, if there are many, how their words continue."""
        return self._menu.choices(self.typed) if self._menu else []

    # ---------------------------------------------------------------------------------------------------- the keys

    async def pressed(self, key: Key) -> None:
        """Do what a key means."""
        do = (self.KEYS | self.MORE_KEYS).get(key.key)
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
        """Go to the previous or next choice, in the same line or the neighbouring one."""
        if self.choices and not self.is_thinking:
            super().pick_beside(pace)

    def take(self) -> None:
        """Make the chosen move, or open the list behind it; nothing else is done."""
        if self.is_thinking or not self.choices:
            return
        if self.at == UNCHOSEN:
            self.say(CHOOSE)
            return
        choice = self.choices[self.at]
        place = place_of(self.offers, choice.text) if choice.whole else None
        if place is None:
            self._put(choice)
        elif self._warned != choice.text and (warned := self.warning(place)):
            self._warned = choice.text
            self.say(f"{warned} Enter again plays it.")
        else:
            self.think(lambda: self.play(place), self.take_in)

    def _put(self, choice: MenuLine) -> None:
        """Choose a line of the list, or open the list behind it."""
        if not choice.whole:
            self.typed = choice.text
        self.choose(next((at for at, each in enumerate(self.choices) if each == choice), UNCHOSEN))

    def think(self, work: Callable[[], list[str]], then: Callable[[], None]) -> None:
        """Do something that may take a few seconds, show what it returns, and go on."""
        self.run_worker(self._think(work, then), exclusive=True)

    async def _think(self, work: Callable[[], list[str]], then: Callable[[], None]) -> None:
        self.is_thinking, self.notices = True, []
        self.show_title()
        said = await to_thread(work)
        self.is_thinking, self.notices = False, said
        then()

    def leave_list(self) -> None:
        """Go back to the whole list, with nothing chosen and nothing said."""
        if not self.is_thinking:
            self.at, self.typed, self._warned = UNCHOSEN, "", ""
            if self._menu is not None:
                self.notices = []
            self.show_list()

    def help(self) -> None:
        """Show the keys."""
        texts = key_texts()
        self.push_screen(help_screen(texts[self.PART], texts["board"]))

    KEYS: ClassVar[dict[str, Callable[..., object]]] = {
        "down": lambda app: app.pick(1),
        "up": lambda app: app.pick(-1),
        "left": lambda app: app.pick_beside(-1),
        "right": lambda app: app.pick_beside(1),
        "enter": lambda app: app.take(),
        "escape": lambda app: app.leave_list(),
        "backspace": lambda app: app.leave_list(),
        "f1": lambda app: app.help(),
        "pagedown": lambda app: app.scroll(1),
        "pageup": lambda app: app.scroll(-1),
    }
    """The meaning of keys on both screens; ``MORE_KEYS`` are the keys of one screen."""
