"""The parts of pictures of the table and of votes: rectangles, symbols of the game, and words that fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from ...notation.basics import install
from ...notation.language import phrase
from ...replay.rules.api import Device
from ..storage.api import CannotRun
from . import symbols
from .symbols import CARD_SIZE, DEVICE_SIZE, TOKEN_SIZE
from .templating import escaped

if TYPE_CHECKING:
    from markupsafe import Markup

STYLES: Final = ("rome", "egypt", "")
"""The classes of Rome's words, of Egypt's, and of words that belong to neither."""


@lru_cache(maxsize=1 << 13)
def px(value: float) -> str:
    """Return a length as text."""
    return f"{round(value, 1):g}"


class Shapes:
    """Collects the shapes of a picture or a part of one, as markup. ``kind`` is the kind of device that calls votes."""

    def __init__(self, kind: Device) -> None:
        self.kind = kind
        self.boxes: list[str] = []
        self.signs: list[str] = []
        self.texts: list[str] = []
        self.used: set[str] = set()
        """The names of the symbols."""

    def markup(self) -> Markup:
        """Return all shapes: rectangles below symbols, and words above them."""
        from markupsafe import Markup

        return Markup("\n".join((*self.boxes, *self.signs, *self.texts)))

    def box(self, style: str, x: float, y: float, width: float, height: float, radius: float = 0) -> None:
        """Draw a rectangle."""
        corner = f' rx="{px(radius)}"' if radius else ""
        size = f'width="{px(width)}" height="{px(height)}"'
        self.boxes.append(f'<rect class="{style}" x="{px(x)}" y="{px(y)}" {size}{corner}/>')

    def text(self, words: str, x: float, y: float, style: str = "", pressed: float = 0) -> None:
        """Draw a line of words, perhaps ``pressed`` together into so many pixels."""
        room = f' textLength="{px(pressed)}" lengthAdjust="spacingAndGlyphs"' if pressed else ""
        self.texts.append(f'<text class="{style}" x="{px(x)}" y="{px(y)}"{room}>{escaped(words)}</text>')

    def card(self, side: int, word: str, x: float, y: float, width: float, title: str = "") -> None:
        """Draw a card, a word of the table such as ``(5)``."""
        self.sign(symbols.card(side, word), x, y, width, CARD_SIZE, title or symbols.card_title(word))

    def patrician(self, group: str, side: int | None, x: float, y: float, width: float, title: str) -> None:
        """Draw a group's patrician, perhaps one that ``side`` has won."""
        self.sign(symbols.patrician(group, side), x, y, width, TOKEN_SIZE, title)

    def device(self, letter: str, x: float, y: float, width: float) -> None:
        """Draw a bust or vote card."""
        title = symbols.device_title(self.kind, letter)
        self.sign(symbols.device(self.kind, letter), x, y, width, DEVICE_SIZE, title)

    def row(self, side: int, cards: Sequence[str], x: float, y: float, width: float, room: float) -> None:
        """Draw cards side by side, overlapping if there is no room."""
        step = fitted(len(cards), width, width * 1.09, room)
        for place, word in enumerate(cards):
            self.card(side, word, x + step * place, y, width)

    def sign(self, symbol: str, x: float, y: float, width: float, size: tuple[int, int], title: str) -> None:
        """Draw a symbol by its name; ``size`` is the symbol's own width and height."""
        place = f'x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(width * size[1] / size[0])}"'
        self.signs.append(f'<use href="#t-{symbol}" {place}><title>{escaped(title)}</title></use>')
        self.used.add(symbol)


def fitted(count: int, size: float, step: float, room: float) -> float:
    """Return the distance between things of a size: ``step`` if all of them fit, otherwise less."""
    return step if count < 2 else min(step, (room - size) / (count - 1))


_WIDTHS: Final = (
    dict.fromkeys("'ijlIJ ,.·’/:;|!()[]ftr-", 0.4)
    | dict.fromkeys("mwMW%@…½", 1.0)
    | dict.fromkeys("ABCDGHKNOQRUVXZ&#+<=>×▲▼◇", 0.79)
)


@lru_cache(maxsize=1 << 12)
def width_of(words: str, size: float, *, bold: bool = False) -> float:
    """Return the greatest width of a line of words in DejaVu Sans; the other fonts of pictures are narrower."""
    return size * sum([_WIDTHS.get(char, 0.64 if char.isascii() else 1.0) for char in words]) * (1.11 if bold else 1)


@lru_cache(maxsize=1 << 12)
def broken(words: str, size: float, room: float, most: int = 9, *, bold: bool = False) -> list[str]:
    """Return words as lines that fit into ``room``, up to a given number of lines; a longer text ends in an
    ellipsis.
    """
    lines = [""]
    for word in words.split(" "):
        line = f"{lines[-1]} {word}".lstrip()
        if width_of(line, size, bold=bold) <= room or not lines[-1]:
            lines[-1] = line
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [f"{lines[most - 1]} …"]
    for place, line in enumerate(lines):
        while width_of(lines[place], size, bold=bold) > room and len(line) > 1:
            line = line.rstrip("…")[:-1]
            lines[place] = f"{line.rstrip()}…"
    return lines


ZOOM: Final = 2
"""Pixels for each unit of a picture: enough for a projector."""


def png(svg: str) -> bytes:
    """Return a picture as PNG, in the light colours, with the fonts of this system.

    Raise CannotRun if resvg is not installed.
    """
    try:
        resvg = import_module("resvg_py")  # by name: otherwise type checkers would require it
    except ImportError:
        how = install("resvg-py")
        raise CannotRun(phrase("a png needs resvg: {how}, or use --format svg", how=how)) from None
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=ZOOM))
