"""The list of what may be typed next: the words that begin as what has been typed, gathered where they are many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import ACTION_CARDS, CARD_LETTERS, CARD_NAMES, GROUP_LETTERS, PLAYER_NAMES, TIE
from ...notation.writer import token_text
from ..analysis.wording import token_words
from ..diagnostics.names import group_name
from ..editions.edition import Edition
from ..rules.moves.legal import Move
from .help_texts import help_texts
from .offers import PILE

ROWS: Final = 9
"""How many words are listed one by one, each with a number key; more are gathered by how they go on."""
_ACTIONS: Final = {CARD_LETTERS[card]: CARD_NAMES[card] for card in ACTION_CARDS}


def common_start(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the items with which all rows begin."""
    return [items[0] for items in takewhile(lambda items: len(set(items)) == 1, zip(*rows, strict=False))]


class MenuLine(NamedTuple):
    """A line of the menu: the ``text`` that it makes of what was typed, in ``words``.

    ``whole``: the text is a word that can be entered; else it goes on. An empty whole text ends the turn.
    """

    text: str
    words: str
    whole: bool

    @property
    def label(self) -> str:
        """Return the text as it is shown."""
        return (self.text or "Enter") + "…" * (not self.whole)


class Menu:
    """All words that may come next at one moment."""

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
        """Return the one token that what was typed can become; None where there are several, or none.

        A word that is complete as it stands counts alone, and so does an announced action with one outcome.
        """
        move = self.words.get(typed)
        if move is not None and not move.vetoed:
            return move.token
        tokens = [move.token for text, move in self.words.items() if text.startswith(typed) and not move.vetoed]
        return tokens[0] if len(tokens) == 1 and typed and tokens[0] != PILE else None

    def choices(self, typed: str = "", stands: Callable[[str], bool] = lambda _: True) -> list[MenuLine]:
        """Return the lines of the menu for what has been typed: words, or where they are many how words go on.

        Only words that may stand are listed. Of those that are gathered ``stands`` is asked until one does.
        """
        texts = [text for text in (*self.words, *self.endings) if text.startswith(typed)]
        if len(texts) <= ROWS:
            return _without_head([self._whole(text) for text in texts if stands(text)])
        gathered: dict[str, list[str]] = {}
        for text in texts:
            gathered.setdefault(text[len(typed) : len(typed) + 1], []).append(text)
        lines: list[MenuLine] = []
        for words in gathered.values():
            if any(stands(text) for text in sorted(words, key=len)):
                start = "".join(common_start(words))
                is_alone = len(words) == 1
                lines.append(self._whole(start) if is_alone else MenuLine(start, self._about(start, words), False))
        if len(lines) == 1 and not lines[0].whole:
            return self.choices(lines[0].text, stands)
        return _without_head(lines)

    def _whole(self, text: str) -> MenuLine:
        return MenuLine(text, self._in_words(text), text != "a(")

    def _in_words(self, text: str) -> str:
        if not text:
            return "the turn ends here"
        if text in self.endings:
            return self.endings[text]
        if text == "a(":
            return "the action pile in its owner's order, top card first, with ) at the end"
        token, vetoed = self.words[text]
        assert token is not None
        assert self.edition is not None
        words = token_words(token, self.side, self.edition, vetoed=vetoed)
        if isinstance(token, t.Vote | t.SpecialVote) and token.winner is not None:
            words += f": {'nobody' if token.winner == TIE else PLAYER_NAMES[token.winner]} wins"
        return words

    def _about(self, start: str, texts: Iterable[str]) -> str:
        """Return what several words have in common."""
        opener = help_texts()["openers"].get(start[:1]) or _ACTIONS.get(start[:1], "")
        if len(start) == 1 and opener:
            return opener
        about = " ".join(common_start(self._in_words(text).split() for text in texts)) or opener
        group = group_name(GROUP_LETTERS.index(start[-1])) if start[-1] in GROUP_LETTERS else ""
        return f"{about} {'' if group in about else group + ' '}…".lstrip()


def _without_head(lines: list[MenuLine]) -> list[MenuLine]:
    """Return the lines without what all of them say first, up to a colon: it would hide by what they differ."""
    common = " ".join(common_start(line.words.split() for line in lines)) if len(lines) > 1 else ""
    head = common.rpartition(":")[0]
    return [line._replace(words=line.words[len(head) + 1 :].lstrip()) for line in lines] if head else lines
