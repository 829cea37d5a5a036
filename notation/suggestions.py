"""Finds what was probably meant by text that does not fit the grammar.

Every suggestion has been tried, so the grammar can read it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final, NamedTuple

from ..grammar import advice
from .cards import CARDS, GROUP_LETTERS, GROUP_NAMES
from .language import phrase
from .word_cache import MAX_EXPECTED, Misfit, Word, read_item, read_line
from .writer import HEADER_CASE, HEADER_ORDER, header_text, unquoted

CURLY_QUOTES: Final = "“”„‟«»″❝❞＂"
MAX_LISTED: Final = 4
"""The most possible continuations that are listed, the likeliest first."""
MAX_GUESS_LENGTH: Final = 40
"""In characters; longer words are not slips."""
MAX_WORD_PARTS: Final = 6
"""The most pieces that may belong together as one word."""
_PROSE: Final = re.compile(r"[^\W\d_]{2,}[.,!?]?")


def unreadable_message(text: str, error: Misfit | None) -> str:
    """Return a sentence: what can't be read and, for an error, where it goes wrong and what could have been there."""
    shown = text if len(text) <= MAX_GUESS_LENGTH else text[: MAX_GUESS_LENGTH - 1] + "…"
    if error is None:
        return phrase("{text} can't be read", text=in_quotes(shown))
    found = in_quotes(error.found) if error.found.isascii() else sign_name(error.found[0])
    where = phrase("at {found}", found=found) if error.found else phrase("it ends too soon")
    said, expected = [phrase("{text} can't be read: {where}", text=in_quotes(shown), where=where)], error.expected
    if MAX_LISTED < len(expected) <= MAX_EXPECTED:
        said.append(phrase("expected {words} or something else", words=", ".join(expected[:MAX_LISTED])))
    elif 0 < len(expected) <= MAX_LISTED:
        said.append(phrase("expected {words}", words=join_or(expected)))
    return "; ".join(said)


def in_quotes(text: str) -> str:
    """Return a text in quotes that differ from those that it contains."""
    return phrase("‘{text}’", text=text) if set(text) & {*CURLY_QUOTES} else phrase("“{text}”", text=text)


def sign_name(sign: str) -> str:
    """Return a sign with its name: many look like those of the notation, and some are invisible."""
    name = unicodedata.name(sign, "") or phrase("a sign without a name")
    return f"{in_quotes(sign)} ({name}, U+{ord(sign):04X})"


def join_or(names: Sequence[str]) -> str:
    """Return ``a, b or c``."""
    *others, last = names
    return phrase("{names} or {last}", names=", ".join(others), last=last) if others else last


class WordProblem(NamedTuple):
    """A problem, from ``start`` to ``end``, and what to do about it."""

    start: int
    end: int
    message: str
    help: str


def word_problems(text: str, words: Sequence[Word], advise: Callable[[], bool]) -> Iterator[WordProblem]:
    """Yield what is wrong with the words, naming each slip once, however many words it affects.

    Advice is added if ``advise`` allows it: finding out what was meant takes time.
    """
    done = 0
    for place, (start, end, word, _, error) in enumerate(words):
        if error is None or start < done:
            continue
        if advise():
            found = _bracketed(text, words, place) or _glued(text, words, place) or _prose(words[place:])
            problem = found or WordProblem(
                start, end, unreadable_message(word, error), suggest_word(text, start, end, error)
            )
        else:
            problem = WordProblem(start, end, unreadable_message(word, None), "")
        yield problem
        done = problem.end


def _bracketed(text: str, words: Sequence[Word], place: int) -> WordProblem | None:
    """Return the problem of a word with spaces inside its brackets, if the brackets are closed."""
    first = words[place]
    close = text.find(")", first.end, first.start + MAX_GUESS_LENGTH)
    if close < 0 or "(" in text[first.end : close] or first.text.count("(") <= first.text.count(")"):
        return None
    run = [word for word in words[place : place + MAX_WORD_PARTS] if word.start <= close]
    if run[-1].end <= close:
        return None
    problem = unreadable_message(text[first.start : run[-1].end], None)
    message = phrase("{problem}: a space is not allowed inside brackets", problem=problem)
    help_ = suggest_word(text, first.start, first.end, first.error) if first.error else ""
    return WordProblem(first.start, run[-1].end, message, help_)


def _glued(text: str, words: Sequence[Word], place: int) -> WordProblem | None:
    """Return the problem of a word with spaces in it: its parts can't be read one by one, but can be read together.

    The first part (``=C 53:544>E``) or the last (``x 4P``) may be readable on its own, but not the parts in the middle.
    """
    for begin in (place - 1, place) if place else (place,):
        for end in range(min(begin + MAX_WORD_PARTS, len(words)), place + (begin == place), -1):
            run = words[begin:end]
            if run[-1].end - run[0].start > MAX_GUESS_LENGTH or not all(word.error for word in run[1:-1]):
                continue
            whole = "".join([word.text for word in run])
            if is_word(whole):
                problem = unreadable_message(text[run[0].start : run[-1].end], None)
                message = phrase("{problem}: a space is not allowed inside a word", problem=problem)
                return WordProblem(run[0].start, run[-1].end, message, phrase("did you mean {meant}?", meant=whole))
    return None


def _prose(words: Sequence[Word]) -> WordProblem | None:
    """Return the problem of several words of ordinary language in a row: a remark without braces."""
    run = list(takewhile(lambda word: word.error and _PROSE.fullmatch(word.text), words))
    if len(run) < 2:
        return None
    said = " ".join([word.text for word in run])
    shown = said if len(said) <= MAX_GUESS_LENGTH else f"{said[:MAX_GUESS_LENGTH]}…"
    message = phrase("{problem}: it is not a word of the notation", problem=unreadable_message(said, None))
    help_ = phrase("put a comment in braces: {{{comment}}}", comment=shown)
    return WordProblem(run[0].start, run[-1].end, message, help_)


_SIGNS: Final = str.maketrans("[]", "()")
_GROUPS: Final = {
    spelling.lower(): letter
    for letter, name in zip(GROUP_LETTERS, GROUP_NAMES, strict=True)
    for spelling in (name, name[:-1], letter)
}
"""A group's name or letter, in lower case → its letter."""
_NAMES: Final = re.compile("|".join(name for name in _GROUPS if len(name) > 1), re.I)


def suggest_word(text: str, start: int, end: int, error: Misfit) -> str:
    """Return advice on a word that can't be read: what was probably meant, or how such a word is written.

    The word is in ``text`` from ``start`` to ``end``; what comes before and after may belong to it.
    """
    word = text[start:end]
    if text.rfind("(", 0, start) > text.rfind(")", 0, start):
        return phrase("it belongs to the previous word: a space is not allowed inside brackets")
    if len(word) <= MAX_GUESS_LENGTH and (meant := list(dict.fromkeys(_intended_words(text, start, end, error)))):
        return phrase("did you mean {meant}?", meant=phrase(" or ").join(meant))
    for pattern, lack in advice()["words"].items():
        if re.fullmatch(pattern, word):
            return phrase(lack, word=word)
    if 0 < error.column <= MAX_GUESS_LENGTH and is_word(word[: error.column]):
        begin, rest = word[: error.column], word[error.column :][:MAX_GUESS_LENGTH]
        return phrase("only a space can follow {begin}: remove “{rest}” or move it", begin=begin, rest=rest)
    if re.fullmatch(r"[^\W\d_]{3,}\W?", word):
        return phrase("put a comment in braces: {{{comment}}}", comment=word)
    if error.found in tuple("06789"):
        return phrase("influence cards are 1 to 5, and p, the philosopher")
    if 0 < len(error.expected) <= MAX_LISTED:
        words = join_or(error.expected)
        if not error.found:
            return phrase("continue with {words}", words=words)
        return phrase("instead of “{found}” write {words}", found=error.found, words=words)
    return phrase("docs/notation.md lists all words; put a comment in braces: {{…}}")


def _intended_words(text: str, start: int, end: int, error: Misfit) -> Iterator[str]:
    """Yield readable words that may have been meant, from the first kind of slip that explains the word."""
    word, at = text[start:end], error.column
    near, cards = _within_brackets(text, start, end), _as_cards(word)
    for candidates, most in ((near, 1), (cards, 2), (_slips(word, error), 1), (_across(text, start, end), 1)):
        likely = list(islice((candidate for candidate in candidates if candidate != word and is_word(candidate)), most))
        if likely:
            yield from likely
            return
    if is_word(word[:at]) and is_word(word[at:]):
        yield f"{word[:at]} {word[at:]}"
        return
    parts = re.split("[,/|&]", word)
    if len(parts) > 1 and all(map(is_word, parts)):
        yield " ".join(parts)


def _as_cards(word: str) -> Iterator[str]:
    """Yield a draw without its plus; a card and a lower-case letter may also be a card at its group."""
    if len(word) < 2 or not set(word) <= CARDS.keys():
        return
    placed = re.fullmatch("[1-5psw][acp]", word)
    if not placed or word[1] != "a":
        yield f"+{word}"
    if placed:
        yield word[0] + word[1].upper()


def _slips(word: str, error: Misfit) -> Iterator[str]:
    """Yield corrections of one slip: case, wrong sign, a name instead of a letter, order, a missing or extra sign."""
    at = error.column
    yield word[:at] + word[at : at + 1].swapcase() + word[at + 1 :]
    yield word.translate(_SIGNS)
    yield from _missions(word)
    short = _NAMES.sub(lambda name: _GROUPS[name[0].lower()], word)
    yield short
    if turned := re.fullmatch(r"([ACKPQS])(\([1-5pi]\)|[1-5p])", short):
        yield turned[2] + turned[1]
    if word[:1] in "=*b":
        yield word.replace("0", "o").replace("O", "o")
        yield re.sub(r"(?<=[1-5pi])[-/;,.|](?=[1-5pi])", ":", word)
    for sign in ")>(:":
        if sign in error.expected and (sign, at) != (":", len(word)):  # a vote that stops there lacks cards
            yield word[:at] + sign + word[at:]
    yield f"({word}"
    if error.found in tuple(".,;:)"):
        yield word[:at] + word[at + 1 :]


def _missions(word: str) -> Iterator[str]:
    """Yield missions that were written with names, lower-case letters, or other signs between them."""
    if not (inside := re.fullmatch(r"[mM]\(([\w\s,;/*>?]*)\)", word)):
        return
    lowered = re.sub(r"\*+", "*", inside[1].lower())
    parts = [part for part in re.split(r"[\s,;/]+", lowered) if part]
    yield f"m({','.join(re.sub('[a-z]+', lambda name: _GROUPS.get(name[0], name[0]), part) for part in parts)})"


def _within_brackets(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the word up to its closing bracket, without the spaces inside."""
    close = text.find(")", end)
    if text.count("(", start, end) > text.count(")", start, end) and 0 < close - start <= MAX_GUESS_LENGTH:
        whole = text[start : close + 1]
        yield from _missions(whole)
        yield "".join(whole.split())


def _across(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the word joined with a neighbour, without the space between them."""
    word = text[start:end]
    after = text[end : end + MAX_GUESS_LENGTH].split()
    if after and text[end : end + 1].isspace():
        yield word + after[0]
    before = text[max(0, start - MAX_GUESS_LENGTH) : start].split()
    if before:
        yield before[-1] + word


@lru_cache(maxsize=4096)
def is_word(word: str) -> bool:
    """Return whether the grammar reads a text as one word of a turn."""
    return bool(word) and not word.isspace() and not isinstance(read_item(word), Misfit)


def begins_word(text: str) -> bool:
    """Return whether a text that is not a word ends where the grammar could go on: ``=A43`` or ``(3)``."""
    answer = read_item(text)
    return isinstance(answer, Misfit) and not answer.found


_SIDES: Final = {"r": "R", "e": "E", "rome": "R", "caesar": "R", "egypt": "E", "cleopatra": "E"}
_SIDE: Final = r"(r|e|rome|caesar|egypt|cleopatra)"
_LABELS: Final = (
    re.compile(rf"(?P<number>\d{{1,4}}|[oO])[\s.):,-]*(?P<side>{_SIDE})[.:,)]*(?!\w)", re.I),
    re.compile(r"(?P<side>[re])[\s.:-]*(?P<number>\d{1,4})[.:,)]*(?!\w)", re.I),
)
_POINTS: Final = re.compile(r"(\d{1,3})\s*[-:/‐‑‒–—−]\s*(\d{1,3})(?!\w)(\s*>\s*[REre-])?")
_WON: Final = re.compile(rf"\*\s*[>:=]*\s*{_SIDE}\s*$", re.I)
_GLUED: Final = re.compile(r"\d{1,4}[RE](?=\S)")
_OTHER_SIDE: Final = re.compile(r"(\d{1,4})\s*[A-Za-z](?!\w)")
_LIKELY: Final = (
    _POINTS,
    _WON,
    _GLUED,
    _OTHER_SIDE,
    re.compile(r"\(?[1-5pi]\)?[ACKPQS](?!\w)|[+=]\w"),
    re.compile(rf"\[\s*\w+\s+[\w\"'“„«]|\[?\s*(?:{'|'.join(HEADER_ORDER)})\s*[:=\"]", re.I),
)
"""The beginnings of lines that were meant as something: turns without their label, headers in another form."""
_HEADER: Final = re.compile(r"[^\w\"'“”]*([A-Za-z]\w*)\s*([:=]|(?=[\"“]))?\s*")


def likely_label(text: str) -> str:
    """Return the label with which a turn's line seems to begin; an empty string if it has none or a correct one."""
    for pattern in _LABELS:
        if label := pattern.match(text):
            number = "0" if label["number"] in "oO" else label["number"]
            return f"{number}{_SIDES[label['side'].lower()]}"
    return ""


def resembles(text: str) -> bool:
    """Return whether an unreadable line seems to be meant as a header, a turn or a result.

    Nothing is tried here, so this can be asked about every line of any text.
    """
    body = text.lstrip("| \t\ufeff")[: 3 * MAX_GUESS_LENGTH]
    return bool(likely_label(body)) or any(pattern.match(body) for pattern in _LIKELY)


def suggest_line(text: str) -> str:
    """Return advice on a line that can't be read at all."""
    if text.startswith("%"):
        return phrase(
            "write a ruling as % E stands R204: the arbiter's words, or with back or penalty 1 instead of stands"
        )
    bar = "| " if text.startswith("|") else ""
    body = text[1:].lstrip() if bar else text
    if not bar and (header := suggest_header(body)):
        return header
    if label := likely_label(body):
        return phrase("did you mean {meant}?", meant=f"{bar}{label}")
    if glued := _GLUED.match(body):
        return phrase("put a space after {label}", label=glued[0])
    if wrong := _OTHER_SIDE.match(body):
        return phrase(
            "the sides are R for Rome (Caesar) and E for Egypt (Cleopatra): {turn}R or {turn}E", turn=wrong[1]
        )
    if bar:
        return phrase("an alternative is a bar and a whole turn: | 7E (3)A 5Q")
    if sum(map(is_word, body.split()[:8])) > 1:
        return phrase("a turn begins with its number and its side: 3R")
    remark = text.lstrip("#/-; ")
    shown = remark if 0 < len(remark) <= MAX_GUESS_LENGTH else "…"
    return phrase("begin a comment with a semicolon: ; {comment}", comment=shown)


def suggest_header(text: str) -> str:
    """Return how to write the header that a line seems to be, or an empty string if it does not look like one."""
    is_open, begin = text.startswith("["), _HEADER.match(text)
    if not is_open and not (begin and begin[2] is not None and begin[1].lower() in HEADER_CASE):
        return ""
    if (header := intended_header(text)) and len(text) <= 3 * MAX_GUESS_LENGTH:
        return phrase("a header is written {header}", header=header_text(*header))
    if '"]' in text[:-1]:
        return phrase("nothing can follow the ] of a header")
    return phrase('a header is written [Event "…"], with nothing after it')


def intended_header(text: str) -> tuple[str, str] | None:
    """Return the name and the value of the header that an unreadable line was probably meant as; None if it is none.

    Brackets and outer quotes may be missing, and quotes and backslashes in the value need not be escaped.
    """
    begin = _HEADER.match(text)
    if begin is None or not (text.startswith("[") or begin[1].lower() in HEADER_CASE):
        return None
    value = text[begin.end() :].rstrip().removesuffix("]").rstrip()
    first, last = [end in f'"{CURLY_QUOTES}' for end in (value[:1], value[-1:])]
    if value[:1] == value[-1:] == "'":
        first = last = True
    elif value.endswith('\\"') and value.count('\\"') % 2 == 0:  # it belongs to the value, and closes a pair
        last = False
    inside = value[first : len(value) - last]
    # It may also be two headers, or have a name of several words.
    if re.search(r'"\s*[\[\]]', inside) or (not first and '"' in inside):
        return None
    header = HEADER_CASE.get(begin[1].lower(), begin[1]), unquoted(inside)
    return header if read_line(header_text(*header)) == header else None


_WORD_BREAK: Final = re.compile(r"[^\w\udc80-\udcff]")


def suggest_bytes(text: str, at: int) -> str:
    """Return advice on bytes that are not UTF-8: how the word around them reads in the Windows encoding."""
    before = _WORD_BREAK.split(text[max(0, at - MAX_GUESS_LENGTH) : at])[-1]
    word = before + _WORD_BREAK.split(text[at : at + 2 * MAX_GUESS_LENGTH - len(before)])[0]
    read = word.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
    if read.isalpha():
        return phrase(
            "`tiro fmt --encoding windows-1252` reads this as “{word}”; the bytes are kept as they are", word=read
        )
    return phrase("`tiro fmt --encoding` rewrites it as UTF-8; the bytes are kept as they are")
