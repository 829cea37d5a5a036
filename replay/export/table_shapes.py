"""What a picture of a table is put together from: boxes, symbols and words, in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...notation.cards import GROUP_LETTERS
from ..analysis.vote_scene import VoteScene
from ..editions.edition import Device
from . import symbols
from .symbols import CARD_SIZE, DEVICE_SIZE, TOKEN_SIZE

DrawnShape = tuple[str, ...]
"""The class of a box, the name of a symbol or a line of words; then what the template unpacks."""


def _px(*values: float) -> Iterator[str]:
    return (f"{round(value, 1):g}" for value in values)


class TableShapes:
    """Collects the shapes of one table. ``kind`` is what its votes are called by; ``vote`` is the one that is held."""

    def __init__(self, kind: Device, vote: VoteScene | None = None, *, is_decided: bool = False) -> None:
        self.kind, self.vote, self.is_decided = kind, vote, is_decided
        self.boxes: list[DrawnShape] = []
        self.signs: list[DrawnShape] = []
        self.texts: list[DrawnShape] = []

    def box(self, style: str, x: float, y: float, width: float, height: float, radius: float = 0) -> None:
        """Draw a rectangle, below all symbols and words."""
        self.boxes.append((style, *_px(x, y, width, height, radius)))

    def text(self, words: str, x: float, y: float, style: str = "") -> None:
        """Draw a line of words, above everything else."""
        self.texts.append((words, *_px(x, y), style))

    def card(self, side: int, word: str, x: float, y: float, width: float, title: str = "") -> None:
        """Draw a card, a word of the table such as ``(5)``."""
        self._sign(symbols.card(side, word), x, y, width, CARD_SIZE, title or symbols.card_title(word))

    def patrician(self, group: str, side: int | None, x: float, y: float, width: float, title: str) -> None:
        """Draw a patrician of a group, one that ``side`` has won."""
        self._sign(symbols.patrician(group, side), x, y, width, TOKEN_SIZE, title)

    def device(self, letter: str, x: float, y: float, width: float) -> None:
        """Draw a bust or vote card."""
        title = symbols.device_title(self.kind, letter)
        self._sign(symbols.device(self.kind, letter), x, y, width, DEVICE_SIZE, title)

    def placed(self, group: str, side: int, place: int, word: str, x: float, y: float, width: float) -> None:
        """Draw a card at a group, underlined where it lay face down until the vote that is held there."""
        vote, title = self.vote, symbols.card_title(word)
        if vote and not self.is_decided and GROUP_LETTERS[vote.group] == group and vote.columns[side][place].turned:
            self.box("ty-down", x + 0.2 * width, y + width * CARD_SIZE[1] / CARD_SIZE[0] + 0.2, 0.6 * width, 2)
            title += ", was face down"
        self.card(side, word, x, y, width, title)

    def row(self, side: int, cards: Sequence[str], x: float, y: float, width: float, room: float) -> None:
        """Draw cards side by side, one over the other where there is no room."""
        step = fitted(len(cards), width, width * 1.09, room)
        for place, word in enumerate(cards):
            self.card(side, word, x + step * place, y, width)

    def discards(
        self, side: int, cards: Sequence[str], x: float, y: float, width: float, step: float, columns: int
    ) -> None:
        """Draw discards as small cards, each kind once with the number of its copies, so many columns a row."""
        for place, (letter, count) in enumerate(symbols.copies(cards)):
            across, down = place % columns, place // columns
            left, top = x + across * step, y + down * width * 1.6
            self.card(side, letter, left, top, width, f"{count} × {symbols.card_title(letter)}")
            self.text(str(count), left + width * 1.12, top + width * 0.95, "small")

    def pile(self, side: int, letter: str, count: int, x: float, y: float, width: float) -> None:
        """Draw a pile of cards face down with their number; an outline where it is empty."""
        if count:
            for lift in range(min(3, count) - 1, -1, -1):
                self.card(side, letter, x + 1.5 * lift, y - 1.5 * lift, width, f"{count} × {PILES[letter]}")
        else:
            self.box("ty-slot", x, y, width, width * CARD_SIZE[1] / CARD_SIZE[0], width / 9)
        self.text(str(count), x + width + 7, y + width * 0.85, "h3")

    def _sign(self, symbol: str, x: float, y: float, width: float, size: tuple[int, int], title: str) -> None:
        self.signs.append((symbol, *_px(x, y, width, width * size[1] / size[0]), title))


PILES: Final = {"i": "influence card in the pile", "a": "action card in the pile"}


def fitted(count: int, size: float, step: float, room: float) -> float:
    """Return how far things of a size lie apart: ``step`` where all of them fit, else less."""
    return step if count < 2 else min(step, (room - size) / (count - 1))
