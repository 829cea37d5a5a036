"""What may be typed next: the words that begin as what has been typed, gathered where they are many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import GROUP_LETTERS, PLAYER_NAMES, TIE
from ...notation.writer import token_text
from ..analysis.wording import told
from ..diagnostics.names import group_name
from ..editions.edition import Edition
from ..rules.moves.legal import Move
from .offers import PILE

ROWS: Final = 9
"""So many words are listed one by one, each with a number key; more are gathered by how they go on."""
END_WORDS: Final = "the turn ends here"
OPENERS: Final = {
    "(": "place a card face down",
    "x": "assassination",
    "s": "scout",
    "w": "wrath of the gods",
    "c": "castling",
    "y": "spy",
    "v": "veto",
    "-": "exchange cards, or place nothing",
    "=": "the bust or vote card",
    "*": "special vote",
    "+": "draw a card",
    "m": "mission",
    "a": "the order of the action pile",
}
"""What words with this beginning are about, where they are too many to be listed."""


def shared(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return what several rows begin with alike."""
    return [each[0] for each in takewhile(lambda each: len(set(each)) == 1, zip(*rows, strict=False))]


class Choice(NamedTuple):
    """A line of the menu: the ``text`` that it makes of what was typed, in ``words``.

    ``whole``: the text is a word that can be entered; else it goes on. An empty whole text ends the turn.
    """

    text: str
    words: str
    whole: bool


class Menu:
    """All words that may come next, of one moment."""

    def __init__(self, moves: Sequence[Move], side: int, edition: Edition | None, endings: Mapping[str, str]) -> None:
        """``endings``: other words that may come, results and verdicts, with what they say."""
        self.side, self.edition, self.endings = side, edition, endings
        self.words: dict[str, Move] = {}
        for move in moves:
            text = "" if move.token is None else "a(" if move.token == PILE else token_text(move.token)
            self.words.setdefault(text, move)

    def __contains__(self, text: str) -> bool:
        return text in self.words or text in self.endings

    def only(self, typed: str) -> t.Token | None:
        """The one word that what was typed can become; None where there are several, or none.

        A word that is complete as it stands counts alone, and so does an announced action with one outcome.
        """
        move = self.words.get(typed)
        if move is not None and not move.vetoed:
            return move.token
        whole = [move.token for text, move in self.words.items() if text.startswith(typed) and not move.vetoed]
        return whole[0] if len(whole) == 1 and typed and whole[0] != PILE else None

    def choices(self, typed: str = "", stands: Callable[[str], bool] = lambda _: True) -> list[Choice]:
        """The lines of the menu for what has been typed: words, or where they are many how words go on.

        Only words that may stand are listed. Of those that are gathered ``stands`` is asked until one does.
        """
        texts = [text for text in (*self.words, *self.endings) if text.startswith(typed)]
        if len(texts) <= ROWS:
            return _without_head([self._whole(text) for text in texts if stands(text)])
        ways: dict[str, list[str]] = {}
        for text in texts:
            ways.setdefault(text[len(typed) : len(typed) + 1], []).append(text)
        found: list[Choice] = []
        for way in ways.values():
            start = "".join(shared(way))
            if any(stands(text) for text in sorted(way, key=len)):
                found.append(self._whole(start) if len(way) == 1 else Choice(start, self._about(start, way), False))
        if len(found) == 1 and not found[0].whole:
            return self.choices(found[0].text, stands)
        return _without_head(found)

    def _whole(self, text: str) -> Choice:
        return Choice(text, self._told(text), text != "a(")

    def _told(self, text: str) -> str:
        if not text:
            return END_WORDS
        if text in self.endings:
            return self.endings[text]
        if text == "a(":
            return "the action pile in its owner's order, top card first, with ) at the end"
        move = self.words[text]
        assert move.token is not None
        assert self.edition is not None
        words = told(move.token, self.side, self.edition, vetoed=move.vetoed)
        if isinstance(move.token, t.Vote | t.SpecialVote) and move.token.winner is not None:
            words += f": {'nobody' if move.token.winner == TIE else PLAYER_NAMES[move.token.winner]} wins"
        return words

    def _about(self, start: str, texts: Iterable[str]) -> str:
        """What several words have in common."""
        if len(start) == 1 and start in OPENERS:
            return OPENERS[start]
        words = shared([self._told(text).split() for text in texts])
        about = " ".join(words) or OPENERS.get(start[:1], "")
        group = group_name(GROUP_LETTERS.index(start[-1])) if start[-1] in GROUP_LETTERS else ""
        return f"{about} {'' if group in about else group + ' '}…".lstrip()


def _without_head(found: list[Choice]) -> list[Choice]:
    """Return the lines without what all of them say first, up to a colon: it would hide by what they differ."""
    common = " ".join(shared([each.words.split() for each in found])) if len(found) > 1 else ""
    head = common.rpartition(":")[0]
    return [each._replace(words=each.words[len(head) + 1 :].lstrip()) for each in found] if head else found
