"""The full screen of ``tiro step`` for walking through a game, with a panel that explains each step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import ClassVar, Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Column, Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Resize
from textual.widgets import Static

from ...notation.cards import PLAYER_NAMES
from ...notation.safe_text import visible
from ..analysis.telling import VoteScene
from ..analysis.timeline import PLAYED, SET_UP, Entry, Event, Remark
from ..diagnostics.names import capital, marks_text
from ..export.vote_graph import OutlineRow, outline_rows
from .board import AIRY, full_screen_board, vote_cards
from .walk import Walk
from .widgets import INTERRUPTED, Jump, Panel, ResponsiveApp, ScrollPanel, bar, help_screen, key_texts

HERE: Final = "bold reverse"
"""The style of the token that was just carried out, visible without colours too."""
SIGNS: Final = {"comment": ";", "alternative": "|", "ruling": "%", "unread": "?"}
"""Kind of remark → its sign, as in the notation."""
MARK, NO_MARK = " ▸ ", "   "
"""Shown before the current line of the record, and before the other lines."""


class Hanging:
    """A text with a sign before it and its continuation lines indented. A table would do the same, but slowly."""

    def __init__(self, sign: str, text: Text) -> None:
        self.sign, self.text = sign, text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = len(self.sign)
        for number, line in enumerate(self.text.wrap(console, max(1, options.max_width - wide))):
            yield Text.assemble((" " * wide if number else self.sign, "bold"), line)


class TurnedUp:
    """The first step of a vote: its cards side by side, and their sums."""

    def __init__(self, scene: VoteScene) -> None:
        self.scene = scene

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"{self.scene.title}: the cards are turned up", "bold")
        yield from vote_cards(self.scene, options.max_width)
        yield from map(Text, self.scene.first)


def title(walk: Walk) -> Text:
    """Return the current step and the point of view; then the players, the event and the rules of the game."""
    timeline = walk.timeline
    beyond = [f"can't be followed beyond {timeline.stopped}"] if timeline.stopped else []
    names = [timeline.header(name).strip() or "?" for name in PLAYER_NAMES]
    parts = [walk.stop.label, *beyond, f"step {walk.place} of {len(walk.stops) - 1}", f"seen by {walk.view}"]
    parts += [" – ".join(names), timeline.header("Event").strip(), f"{timeline.edition.name} rules"]
    return Text(" · ".join(visible(part) for part in parts if part not in ("", "?")))


def record(walk: Walk) -> tuple[Text, int]:
    """Return all lines of the record, with the current turn marked, and the number of that line."""
    lines: list[Text] = []
    for number, entry in enumerate(walk.timeline.entries):
        is_here = number == walk.stop.entry
        line = notation(entry, walk.event if is_here else None)
        if is_here:
            line.stylize("bold")
        lines.append(Text(MARK if is_here else NO_MARK).append_text(line))
    here = max(0, walk.stop.entry)
    if walk.timeline.result:
        is_here = walk.entry is None and walk.place > 0
        here = len(lines) if is_here else here
        lines.append(Text(f"{MARK if is_here else NO_MARK}{visible(walk.timeline.result)}", "bold" if is_here else ""))
    return Text("\n", no_wrap=True, overflow="ellipsis").join(lines), here


def story(walk: Walk) -> RenderableType:
    """Return everything about the current step."""
    entry, event = walk.entry, walk.event
    if entry is None:
        return Group(*(_end(walk) if walk.place else _beginning(walk)))
    if walk.stop.turned_up and walk.scene is not None:
        return Group(notation(entry, event), TurnedUp(walk.scene), *_spaced(_about(entry, event, decided=False)))
    if walk.scene is not None:
        words = Text.assemble((f"{walk.scene.title}: ", "bold"), " ".join(walk.scene.second))
    elif event is not None:
        words = Text(f"{visible(event.sentence(entry.player))}.")
    else:
        words = Text(f"This line is {entry.status}." if entry.status != PLAYED else "Nothing was played.")
    # How a vote was decided, as in its outline, with hanging indents for lines that don't fit.
    vote = map(_hanging, outline_rows(walk.tree)) if walk.tree else ()
    return Group(notation(entry, event), words, *_spaced(_about(entry, event), vote))


def notation(entry: Entry, event: Event | None = None) -> Text:
    """Return a turn line, with the token that was just played marked and those still to come faint."""
    text = Text.assemble((entry.label, "bold"))
    for played in entry.events:
        style = "" if event is None or played.at < event.at else HERE if played.at == event.at else "dim"
        text.append(" ").append(visible(played.token), style)
    if rest := entry.rest if entry.events else entry.play:
        text.append(f" {visible(rest)}", "dim" if event is not None else "")
    text.append(visible(f" {marks_text(entry.marks)}") if entry.marks else "")
    if entry.status not in (PLAYED, SET_UP):
        text.append(f"  ({entry.status})", "italic")
    return text


def _about(entry: Entry, event: Event | None, *, decided: bool = True) -> Iterator[Hanging]:
    """Yield what is notable in a turn: first what the current token caused, then what was written about the turn.

    What a later token causes comes with that token; what a vote causes comes when it is ``decided``.
    """
    at, last = -1, inf
    if event is not None:
        # The fault that stopped the replay belongs to a token that was not carried out; it is shown with the last one
        # that was.
        at, last = event.at, inf if event is entry.events[-1] and entry.rest else event.at
    for fact in entry.annotations:
        if decided and fact.at is not None and at <= fact.at <= last:
            yield Hanging("▸ ", Text(visible(fact.text), "bold"))
    for fact in entry.annotations:
        if fact.at is None or fact.at < at:
            yield Hanging("• ", Text(visible(fact.text)))
    yield from _written(entry.remarks)


def _hanging(row: OutlineRow) -> RenderableType:
    """Return a line of an outline; its continuation lines are aligned with the words, not with the sign."""
    sign = row.sign or "· " * row.deep
    return Hanging("  " * row.deep + sign, Text(row.words, "" if sign else "bold"))


def _written(remarks: tuple[Remark, ...]) -> Iterator[Hanging]:
    for remark in remarks:
        yield Hanging(f"{SIGNS.get(remark.kind, '·')} ", Text(visible(remark.text)))


def _spaced(*parts: Iterable[RenderableType]) -> Iterator[RenderableType]:
    """Yield the lines of each part that is not empty, below an empty line."""
    for part in map(list, parts):
        if part:
            yield from (Text(), *part)


def _beginning(walk: Walk) -> Iterator[RenderableType]:
    """Yield the set-up: its lines, the headers, and what was written before the first turn."""
    timeline = walk.timeline
    set_up = [entry for entry in timeline.entries if entry.status == SET_UP]
    yield Text("The set-up", HERE)
    for entry in set_up:
        yield notation(entry)
    facts = [Hanging("▸ ", Text(visible(fact.text), "bold")) for entry in set_up for fact in entry.annotations]
    remarks = (*timeline.preface, *[remark for entry in set_up for remark in entry.remarks])
    grid = Table.grid("", Column(overflow="fold"), padding=(0, 2, 0, 0))
    for name, value in timeline.headers:
        grid.add_row(Text(visible(name)), Text(visible(value)))
    yield from _spaced(facts, _written(remarks), [grid] if timeline.headers else [], _withheld(walk))


def _end(walk: Walk) -> Iterator[RenderableType]:
    timeline = walk.timeline
    yield Text(visible(timeline.result) or "no result", HERE)
    if timeline.ended:
        yield Text(f"The game is over: {timeline.ended}.")
    yield Text(f"{capital(timeline.summary)}.")
    yield from _spaced(_written(timeline.epilogue), _withheld(walk))


def _withheld(walk: Walk) -> list[RenderableType]:
    left_out = walk.timeline.left_out
    return [Text(f"{left_out}.", "italic")] if left_out else []


WIDE: Final = (100, 28)
"""From this many columns and lines on, the record is shown next to the story."""
STORY: Final = 7
"""The number of lines that the table must leave: for the title, the keys, a line between, and the story."""


class StepApp(ResponsiveApp):
    """Walks through one game. Its result is INTERRUPTED after Ctrl-C."""

    ALLOW_SELECT = False
    # With priority, so that a key is obeyed before the next one is read: keys typed quickly after g are meant for the
    # question that g asks.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, priority=True)
        for keys, action in (
            ("right,space,l", "walk('step', 1)"),
            ("left,backspace,h", "walk('step', -1)"),
            ("down,j", "walk('turn', 1)"),
            ("up,k", "walk('turn', -1)"),
            ("n", "walk('vote', 1)"),
            ("p,N", "walk('vote', -1)"),
            ("home", "walk('to', 0)"),
            ("end", "walk('last')"),
            ("v", "walk('next_view')"),
            ("g", "jump"),
            ("pagedown", "scroll(1)"),
            ("pageup", "scroll(-1)"),
            ("tab", "toggle_class('#table', 'reading')"),
            ("question_mark,f1", "help"),
            ("q", "leave"),
            ("ctrl+c", "leave('interrupted')"),
            ("ctrl+z", "suspend_process"),
        )
    ]

    def __init__(self, walk: Walk) -> None:
        super().__init__("tiro step", "step_screen.tcss")
        self.walk = walk

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield Static(id="title")
        with ScrollPanel(id="table"):
            yield Panel(self.show_table, id="picture")
        with Container(id="below"):
            with ScrollPanel(id="story"):
                yield Static(id="story_text")
            with ScrollPanel(id="record"):
                yield Static(id="lines")
        yield Static(bar(Text(KEYS)), id="keys")

    def on_mount(self) -> None:
        """Show where the walk begins."""
        self.show_place()

    def on_resize(self, event: Resize) -> None:
        """Put the panels where they fit."""
        width, height = event.size
        self.set_class(width >= WIDE[0] and height >= WIDE[1], "wide")
        self.query_one("#table").styles.max_height = max(3, height - STORY)

    def show_place(self) -> None:
        """Draw everything again for the current place of the walk."""
        self.show_table()
        screen = self.screen_stack[0]
        lines, here = record(self.walk)
        for name, part in (
            ("#title", bar(title(self.walk))),
            ("#lines", lines),
            ("#story_text", story(self.walk)),
        ):
            self._part(name).update(part)
        screen.query_one("#story").scroll_home(animate=False)
        panel = screen.query_one("#record")
        panel.scroll_to(y=max(0, here - panel.size.height // 2), animate=False)

    def show_table(self) -> None:
        """Draw the table, with the groups that the last token changed highlighted."""
        panel = self._part("#picture")
        width, airy = panel.size.width or self.size.width, self.size.height >= AIRY
        panel.update(full_screen_board(self.walk.table, width, self.walk.changed, airy=airy))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key is obeyed: while a dialog is open only those that end or suspend the program."""
        return len(self.screen_stack) < 2 or action == "suspend_process" or parameters == (INTERRUPTED,)

    def action_walk(self, way: str, *pace: int) -> None:
        """Call a method of the walk that goes somewhere; if it can't, ring the bell."""
        go: Callable[..., bool] = getattr(self.walk, way)
        if go(*pace):
            self.show_place()
        else:
            self.bell()

    def action_jump(self) -> None:
        """Ask for a turn, and go there."""
        self.push_screen(Jump(self.walk.go), lambda there: self.show_place() if there else None)

    def action_scroll(self, pages: int) -> None:
        """Scroll the story or, if it fits, the table."""
        for panel in (self.query_one(name, ScrollPanel) for name in ("#story", "#table")):
            if panel.display and panel.max_scroll_y:
                panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)
                return

    def action_help(self) -> None:
        """Show the keys."""
        texts = key_texts()
        self.push_screen(help_screen(texts["step"], texts["signs"], texts["board"]))

    def action_leave(self, how: str = "") -> None:
        """End it."""
        self.exit(how)


KEYS: Final = "← → step   ↑ ↓ turn   ? help   q quit   p n vote   g go to   v view   Tab text"
