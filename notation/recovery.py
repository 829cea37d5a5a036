"""A turn line that doesn't fit the grammar, read word by word: what can be read, and what is wrong with the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from .record import Comment
from .suggestions import is_word, suggest_word
from .tokens import Token, Unread
from .unreadable import LONGEST_GUESS, Misfit, fragments, tell
from .word_cache import ITEMS, WORDS

MOST_GLUED: Final = 6
"""Pieces that may belong together as one word."""
_PROSE: Final = re.compile(r"[^\W\d_]{2,}[.,!?]?")


class Word(NamedTuple):
    """A word from ``start`` to ``end``: what it says, and for one that can't be read (``Unread``) the reason."""

    start: int
    end: int
    text: str
    item: Token | str | Comment
    error: Misfit | None


class WordProblem(NamedTuple):
    """One thing that is wrong from ``start`` to ``end``, and the way out."""

    start: int
    end: int
    message: str
    help: str


def read_words(text: str, at: int) -> list[Word]:
    """Return the words and comments of a line from ``at`` on."""
    return [Word(start, end, word, *_read(word)) for start, end, word in fragments(text, at)]


def _read(word: str) -> tuple[Token | str | Comment, Misfit | None]:
    """Return what a word says, and the error where it can't be read."""
    if word in WORDS:
        return WORDS[word], None
    item = ITEMS[word]
    return (Unread(word), item) if isinstance(item, Misfit) else (item, None)


def word_problems(text: str, words: Sequence[Word], advise: Callable[[], bool]) -> Iterator[WordProblem]:
    """Yield what is wrong with the words, one slip told once, however many words it has spoilt.

    Explained are those for which ``advise`` says so: to find out what was meant takes time.
    """
    place = 0
    while place < len(words):
        start, end, word, _, error = words[place]
        if error is None:
            place += 1
        elif not advise():
            yield WordProblem(start, end, tell(word, None), "")
            place += 1
        else:
            found = _bracketed(text, words, place) or _glued(text, words, place) or _prose(words, place)
            count, problem = found or (1, None)
            yield problem or WordProblem(start, end, tell(word, error), suggest_word(text, start, end, error))
            place += count


def _bracketed(text: str, words: Sequence[Word], place: int) -> tuple[int, WordProblem] | None:
    """Return a problem of a word with spaces within its brackets, as far as they are closed."""
    first = words[place]
    close = text.find(")", first.end, first.start + LONGEST_GUESS)
    if close < 0 or "(" in text[first.end : close] or first.text.count("(") <= first.text.count(")"):
        return None
    run = [word for word in words[place : place + MOST_GLUED] if word.start <= close]
    if run[-1].end <= close:
        return None
    message = f"{tell(text[first.start : run[-1].end], None)}: there is no space within brackets"
    help_ = suggest_word(text, first.start, first.end, first.error) if first.error else ""
    return len(run), WordProblem(first.start, run[-1].end, message, help_)


def _glued(text: str, words: Sequence[Word], place: int) -> tuple[int, WordProblem] | None:
    """Return a problem of a word with spaces in it: parts that can't be read one by one, but can be read together.

    The first part (``=C 53:544>E``) or the last (``x 4P``) may be readable alone, but none in the middle.
    """
    for begin in (place - 1, place) if place else (place,):
        for end in range(min(begin + MOST_GLUED, len(words)), place + (begin == place), -1):
            run = words[begin:end]
            if run[-1].end - run[0].start > LONGEST_GUESS or not all(word.error for word in run[1:-1]):
                continue
            whole = "".join([word.text for word in run])
            if is_word(whole):
                message = f"{tell(text[run[0].start : run[-1].end], None)}: there is no space within a word"
                return end - place, WordProblem(run[0].start, run[-1].end, message, f"did you mean {whole}?")
    return None


def _prose(words: Sequence[Word], place: int) -> tuple[int, WordProblem] | None:
    """Return a problem of successive words of a language: a remark without its braces."""
    run = list(takewhile(lambda word: word.error and _PROSE.fullmatch(word.text), words[place:]))
    if len(run) < 2:
        return None
    said = " ".join([word.text for word in run])
    shown = said if len(said) <= LONGEST_GUESS else f"{said[:LONGEST_GUESS]}…"
    message = f"{tell(said, None)}: it is not a word of the notation"
    return len(run), WordProblem(run[0].start, run[-1].end, message, f"put a comment in braces: {{{shown}}}")
