"""The list of what may be typed next: the words that begin with the typed text, grouped if there are many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby, takewhile
from pkgutil import get_data
from typing import Any, Final, NamedTuple

from ...notation.basics import ACTION_CARDS, CARD_LETTERS, GROUP_LETTERS, TIE, VETO
from ...notation.language import CARDS, GROUPS, SIDES, Messages, phrase, sense
from ...notation.records import token_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import cards_text
from ...replay.rules.api import Edition
from ...replay.rules.game.legal import Move
from ...replay.words.api import describe
from .cursor import PILE

ROWS: Final = 9
"""The most words that are listed one by one, each with a number key; more are grouped by how they continue."""
_ACTIONS: Final = {CARD_LETTERS[card]: CARDS[card] for card in ACTION_CARDS if card != VETO}
_IN_WORDS: Final[Messages] = {
    "": "the turn ends here",
    "a(": "the action pile in its owner's order, top card first, with ) at the end",
}
"""What to say about a line that is not a token."""
_CARDS: Final = re.compile(r"[\dp]")
_CASTLED: Final = re.compile(rf"c([{GROUP_LETTERS}])(?:\(([\dp]*))?")
"""Matches the beginning of a castling: its first group, and the first of the cards that lie there afterwards."""


def common_start(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the items that all rows begin with."""
    return [items[0] for items in takewhile(lambda items: len(set(items)) == 1, zip(*rows, strict=False))]


class MenuLine(NamedTuple):
    """A line of the menu: the ``text`` that it makes from the typed text, and the same in ``words``.

    ``whole`` says that the text is a word that can be entered; otherwise it continues. An empty whole text ends the
    turn.
    """

    text: str
    words: str
    whole: bool

    @property
    def label(self) -> str:
        """Return the text in the form in which it is shown."""
        return (self.text or sense("key", "Enter")) + "…" * (not self.whole)


class Section(NamedTuple):
    """Lines of the menu, and above them their common beginning; it has no ``head`` if there is none."""

    head: str
    lines: list[MenuLine]


def sections(lines: Sequence[MenuLine]) -> list[Section]:
    """Return the lines in sections, each with its verb above it; the lines keep only what differs."""
    found: list[Section] = []
    for _, run in groupby(lines, key=lambda line: _verb(line.words)):
        section = _section([*run])
        if found and not section.head and not found[-1].head:
            found[-1].lines.extend(section.lines)
        else:
            found.append(section)
    return found


def grouped_by_cards(lines: Sequence[MenuLine]) -> list[Section]:
    """Return the lines in sections of those that differ only in their cards; the head has … in place of these."""
    found: list[Section] = []
    for _, run in groupby(lines, key=lambda line: _CARDS.sub("1", line.text)):
        alike = [*run]
        columns = [{*column} for column in zip(*[line.words.split() for line in alike], strict=False)]
        found.append(Section(" ".join([min(each) if len(each) == 1 else "…" for each in columns]), alike))
    return found


def _section(lines: list[MenuLine]) -> Section:
    rows = [line.words.split() for line in lines]
    common = common_start([row[:-1] for row in rows]) if len(lines) > 1 else []
    if not common:
        return Section("", lines)
    head = " ".join(common)
    head = f"{head[:1].upper()}{head[1:]}{'' if head.endswith(':') else ' …'}"
    rest = [" ".join(row[len(common) :]) for row in rows]
    return Section(head, [line._replace(words=words) for line, words in zip(lines, rest, strict=True)])


def _verb(words: str) -> list[str]:
    """Return the word that groups lines; an article belongs to the next word."""
    first = words.split()[:2]
    return first if first and first[0] in _articles() else first[:1]


def _articles() -> list[str]:
    return sense("articles, with spaces between them", "a an the").split()


def _draws_nothing(move: Move) -> bool:
    """Return whether no card is drawn to replace a lost one: that is rare, so it is listed last."""
    token = move.token
    return isinstance(token, t.Veto | t.Spy) and token.draw is None and token != t.Spy()


class Menu:
    """All words that may come next at one moment."""

    def __init__(
        self,
        moves: Sequence[Move],
        side: int,
        edition: Edition | None,
        endings: Mapping[str, str],
        unknown_cards: bool = False,
    ) -> None:
        """List what may come next. ``endings`` are further words, results and verdicts, with their meanings.
        ``unknown_cards`` says that some cards are unknown.
        """
        self.side, self.edition, self.endings = side, edition, endings
        self.words: dict[str, Move] = {}
        for move in sorted(moves, key=_draws_nothing):
            text = "" if move.token is None else "a(" if move.token == PILE else token_text(move.token)
            self.words.setdefault(text, move)
        votes = [move.token for move in moves if isinstance(move.token, t.AnyVote)]
        self._shown = Counter((type(vote), vote.group) for vote in votes)
        """The number of words for a vote: if cards are unknown, one for each way of turning them up."""
        self._begun = {"a(", *[token_text(vote) for vote in votes if unknown_cards and vote.rome is None]}
        """Words that somebody has to type on, since there are too many ways to list them."""

    def __contains__(self, text: str) -> bool:
        return text in self.words or text in self.endings

    def only(self, typed: str) -> t.Token | None:
        """Return the only token that the typed text can become; None if there are several, or none.

        If a word is already complete, only that word counts; the same is true of an announced action with a single
        outcome.
        """
        move = self.words.get(typed)
        if move is not None and not move.vetoed:
            return move.token
        tokens = [move.token for text, move in self.words.items() if text.startswith(typed) and not move.vetoed]
        return tokens[0] if len(tokens) == 1 and typed and tokens[0] != PILE else None

    def choices(self, typed: str = "", is_possible: Callable[[str], bool] = lambda _: True) -> list[MenuLine]:
        """Return the lines of the menu for the typed text: words or, if there are many, how words continue.

        Only words that can be right are listed. Grouped words are tested with ``is_possible`` until one passes.
        """
        texts = [text for text in (*self.words, *self.endings) if text.startswith(typed)]
        if len(texts) <= ROWS:
            return [self._whole(text) for text in texts if is_possible(text)]
        gathered: dict[str, list[str]] = {}
        for text in texts:
            gathered.setdefault(text[len(typed) : len(typed) + 1], []).append(text)
        lines = [self._gathered(words) for words in gathered.values() if any(map(is_possible, sorted(words, key=len)))]
        if len(lines) == 1 and not lines[0].whole:
            return self.choices(lines[0].text, is_possible)
        return lines

    def _gathered(self, words: list[str]) -> MenuLine:
        start = "".join(common_start(words))
        return self._whole(start) if len(words) == 1 else MenuLine(start, self._about(start, words), False)

    def _whole(self, text: str) -> MenuLine:
        return MenuLine(text, self.in_words(text), text not in self._begun)

    def in_words(self, text: str) -> str:
        """Return what a word says."""
        if known := self.endings.get(text):
            return known
        if text in _IN_WORDS:
            return phrase(_IN_WORDS[text])
        token, vetoed = self.words[text]
        assert token is not None
        assert self.edition is not None
        # It is recorded as played: if nothing is hidden, it is filled in at once, and a veto changes it back.
        words = describe(t.chosen(token) if vetoed else token, self.side, self.edition).words
        words = phrase("{words} (a veto may follow)", words=words) if vetoed else words
        return words + self._shown_words(token) if isinstance(token, t.AnyVote) else words

    def _shown_words(self, vote: t.AnyVote) -> str:
        """Return the cards that a vote shows, if there are several possibilities, and who wins."""
        shown = ""
        if vote.rome is not None and vote.egypt is not None and self._shown[type(vote), vote.group] > 1:
            columns = zip(SIDES, (vote.rome, vote.egypt), strict=True)
            said = [phrase("{side.name} {cards}", side=side, cards=cards_text(cards)) for side, cards in columns]
            shown = ", ".join(said)
        won = ""
        if vote.winner is not None:
            is_tie = vote.winner == TIE
            won = phrase("nobody wins") if is_tie else phrase("{side.name} wins", side=SIDES[vote.winner])
        words = "; ".join(filter(None, (shown, won)))
        return f": {words}" if words else ""

    def _about(self, start: str, texts: Iterable[str]) -> str:
        if castled := _CASTLED.fullmatch(start):
            place = GROUPS[GROUP_LETTERS.index(castled[1])]
            if not castled[2]:
                return phrase("plays castling between {group.the} and …", group=place)
            return phrase("plays castling: {cards} … at {group.the}", cards=" ".join(castled[2]), group=place)
        opener = self._opener(start)
        if len(start) == 1 and opener:
            return opener
        about = " ".join(common_start(self.in_words(text).split() for text in texts)) or opener
        group = GROUPS[GROUP_LETTERS.index(start[-1])] if start[-1] in GROUP_LETTERS else None
        if group is not None and group.bare not in about:
            about = phrase("{words} {group.the}", words=about.removesuffix(f" {_articles()[-1]}"), group=group)
        return f"{about} …".lstrip()

    def _opener(self, start: str) -> str:
        """Return what all words that begin with a character are about."""
        if start[0] == "=" and self.edition is not None:
            return self.edition.device.revealed(self.edition.device.name)
        if about := help_texts()["openers"].get(start[0]):
            return phrase(about)
        return phrase("plays {action}", action=_ACTIONS[start[0]].a) if start[0] in _ACTIONS else ""


@cache
def help_texts(module: str = __name__, file: str = "help.toml") -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file beside a module, each a mapping in the order of the file."""
    import tomllib

    return tomllib.loads((get_data(module, file) or b"").decode())


def sentence(name: str, /, **fields: object) -> str:
    """Return a sentence of ``help.toml`` by its name."""
    return phrase(help_texts()["sentences"][name], **fields)
