"""Text that can't be read and can't move a card: clocks and results in other forms, prose around a record.

docs/notation.md has the criterion, under “What moves no card”. The reader, the engine and the repair ask here. In
doubt, a line may have been a turn.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Final

from .cards import ACTION_CARDS, CARD_LETTERS, GROUP_NAMES
from .language import phrase
from .record import Alternative, BadLine, Comment, Follower, Record, Result, Turn
from .suggestions import MAX_GUESS_LENGTH, intended_header, likely_label, suggest_header
from .tokens import Unread
from .word_cache import MARKS, is_like_mark, read_line
from .writer import CARD_HEADERS, HEADER_CASE, HEADER_ORDER, canonical_headers, follower_line, score_text

_MAX_LENGTH: Final = 400
"""The most characters of a line that are looked at."""
_SIGNS: Final = frozenset(f"12345piACKPQSREmorhgdba()[]=*+-:>#{''.join([CARD_LETTERS[card] for card in ACTION_CARDS])}")
"""The signs of a turn's words."""
_LETTERS: Final = frozenset("".join(_SIGNS).lower())
_FRAME: Final = re.compile(r"^(?:<[^<>]*>|[>#/\s\ufeff])+|<[^<>]*>\s*$")
"""What mail, HTML and programming languages put around a line."""
_NAMED: Final = re.compile(r"(?P<bracket>\[\s*)?(?P<name>[A-Za-z]\w*)(?(bracket)|\s*[:=\"“”„«])")
"""The beginning of a header, perhaps without its bracket."""
_TURN: Final = re.compile(
    r"\d{1,4}\s?[RE]\b|\d{1,4}\s*[A-Za-z](?!\w)|-\d+$|.*\b\d{1,4}[RE]\b\S*\s+[-(1-5pixswcyv+=*](?![a-z])"
)
_PAGE: Final = re.compile(
    r"[-–—|\s]*(?:page|p\.|seite|s\.)?\s*\d{1,4}(?:\s*(?:/|of|von|de)\s*\d+)?[-–—|.\s]*|\d+[./-]\d+[./-]\d+", re.I
)
"""A page's number, or a date."""
_WORD: Final = re.compile(
    rf"[1-5][ackpqs]|\([1-5pi]\)|\d{{1,4}}[re]\b|(?:{'|'.join([name[:-1] for name in GROUP_NAMES])})s?$", re.I
)
"""The beginnings of words that may be of the game whatever follows."""


@lru_cache(maxsize=1024)
def is_aside(text: str) -> bool:
    """Return whether a line that can't be read is certain to move no card.

    >>> is_aside("He missed the philosopher!"), is_aside("| better is 5Q"), is_aside("12 (3)A 5Q =o")
    (True, True, False)
    """
    if text.startswith("|") or text == "*" or intended_result(text) is not None:
        return True
    if text.startswith("%"):
        return False
    bare = _FRAME.sub("", text[:_MAX_LENGTH]).strip()
    words = bare.strip("[]").split()
    if not any(map(str.isalnum, bare)):
        return len(bare) != 1 or not bare.isprintable()
    if all(map(is_like_mark, words)):
        return True
    if (named := _NAMED.match(bare)) and (name := HEADER_CASE.get(named["name"].lower())):
        return name not in CARD_HEADERS
    if likely_label(bare) or _TURN.match(bare):
        return False
    return bool(_PAGE.fullmatch(bare)) or sum(map(_is_plain, words)) > 2 * sum(map(_may_move, words))


def _is_plain(word: str) -> bool:
    """Return whether a word is one of ordinary language, and no misspelt one of the game."""
    return any(
        not set(run.lower()) <= _LETTERS
        or (run[0].isupper() and run[0] not in _SIGNS)
        or (len(run) > 2 and run[1:].islower() and (run.istitle() or len(run) > 3 or not {"e", "o"}.isdisjoint(run)))
        for run in re.findall(r"[^\W\d_]{2,}", word)
    )


def _may_move(word: str) -> bool:
    """Return whether a word may be one of the game, perhaps a misspelt one."""
    word = word.strip(".,;!?'\"")
    if len(word) < 2 or word.isdigit() or not any(map(str.isalnum, word)):
        return False
    is_sign = set(word) <= _SIGNS and not (word.isalpha() and (word.islower() or word.istitle()))
    return is_sign or _WORD.match(word) is not None


_SIDE: Final = r"(?:rome|caesar|r|egypt|cleopatra|e)(?![^\W\d_])"
_LEAD: Final = r"[\s(\"'_>]*(?:(?:the\s+)?(?:final\s+)?(?:result|score|points|ergebnis|endstand|résultat)\b[\s:=-]*)?"
_SCORE: Final = re.compile(
    rf"(?P<lead>{_LEAD}(?P<first>{_SIDE})?\W*)(?P<one>[0-9]{{1,3}})(?:\s*(?:[-:/_‐‑‒–—−]|to)\s*|\W+(?={_SIDE}))"
    rf"(?P<second>{_SIDE}\W*)?(?P<two>[0-9]{{1,3}})(?P<won>\s*>\s*[RE-])?(?P<rest>(?![-:/–.]?[0-9])(?:\W.*)?)",
    re.I,
)
_DECORATED: Final = re.compile(r"^(\*\*|__|\[)(.*[^*_\]])(\*\*|__|\])$")
_WON: Final = re.compile(
    rf"{_LEAD}(?:(?:winner\W|\*)\W*(?P<a>{_SIDE})|(?P<b>{_SIDE})\s+(?:has |hat )?(?:w[io]ns?|gew\w+|siegt)\b)\W*.*",
    re.I,
)
_HALF: Final = r"(?:½|1/2|0[.,]5)"
_TIE: Final = (
    rf"{_LEAD}(?:(?:an?|the|game|is)\s+)*(?:draw|drawn|tied?|remis|nulle|{_HALF}\W{{1,3}}{_HALF})\W*(?:agreed\W*)?"
)
_TIE_RESULT: Final = re.compile(_TIE, re.I)


@lru_cache(maxsize=1024)
def intended_result(text: str) -> Result | None:
    """Return the result that a line means which is not written like one; None if it means none.

    ``13:15`` means ``13-15``, ``Rome wins`` means ``*>R``. The line as written becomes a comment.
    """
    head = ""
    bare = _DECORATED.sub(r"\2", text)
    if len(text) > _MAX_LENGTH or bare[:1] == "[":
        return None
    if found := _SCORE.fullmatch(bare):
        rest = found["rest"].split()
        verdicts = [*takewhile(re.compile("m[RE][+-]+").fullmatch, rest)]
        pair = found["one"], found["two"]
        turned = (found["first"] or "").lower() in ("egypt", "cleopatra", "e")
        won = (found["won"] or "").upper().replace(" ", "")
        head = " ".join([f"{'-'.join(pair[::-1] if turned else pair)}{won}", *verdicts])
        if re.fullmatch(r"\W*[-+=*:]\s*", found["lead"]) or any(map(_may_move, rest[len(verdicts) :])):
            return None
    elif found := _WON.fullmatch(text):
        head = f"*>{'R' if (found['a'] or found['b']).lower() in ('rome', 'caesar', 'r') else 'E'}"
    elif _TIE_RESULT.fullmatch(text):
        head = "*>-"
    meant = read_line(head) if head else None
    if not isinstance(meant, Result):
        return None
    return replace(meant, notes=(Comment(text),))


def remark_on(text: str) -> tuple[str, str]:
    """Return what to say about a line or a word that moves no card, and what to do about it."""
    shown = text if len(text) <= MAX_GUESS_LENGTH else f"{text[: MAX_GUESS_LENGTH - 1]}…"
    if is_like_mark(text):
        clock = intended_clock(text) or _glyph(text)
        problem = phrase("“{text}” is not written like a clock or a glyph", text=shown)
        return problem, phrase("write {word}", word=clock or f"{{{text}}}")
    if text.startswith("|"):
        problem = phrase("“{text}” can't be read; it is an alternative", text=shown)
        return problem, phrase("an alternative is a bar and a whole turn: | 7E (3)A 5Q")
    if intended_result(text):
        return phrase("“{text}” is not written like a result", text=shown), phrase(
            "write a result on its own line: Rome's points, a hyphen and Egypt's points, or * with a winner, *>R"
        )
    named = _NAMED.match(text)
    if named and named["name"].lower() in HEADER_CASE and (header := suggest_header(text)):
        return phrase("“{text}” is not written like a header", text=shown), header
    remedy = phrase("begin a comment with a semicolon: ; {comment}", comment=shown)
    return phrase("“{text}” is not part of the record", text=shown), remedy


def intended_clock(mark: str) -> str:
    """Return the clock that a misspelt one means; nothing if that can't be told."""
    time = mark.strip("@ .,;)(").lower().rstrip('s"”″ ')
    units = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)(?:m|min|['’′]))?(\d*)", time)
    if units and not time.isdigit():
        hours, minutes, rest = units.groups()
        parts = [part for part in (hours, minutes or (hours and (rest or "0")), (minutes and rest) or "0") if part]
        time = ":".join(parts) if minutes or not (hours and not rest) else f"{hours}:00:00"
    found = re.fullmatch(r"(\d{1,3})([:.,_-])(\d{1,2})(?:\2(\d{1,2}))?(?:[.,](\d{1,3}))?h?", time)
    if not found or any(part and int(part) > 59 for part in found.group(3, 4)):
        return ""
    first, _, second, third, tenths = found.groups()
    parts = [first, *[part.zfill(2) for part in (second, third) if part]]
    return f"@{':'.join(parts)}" + (f".{tenths}" if tenths else "")


def without_asides(record: Record) -> Record:
    """Return a record without what can't be read and moves no card: clocks, headers and alternatives in their form,
    repeated results dropped, everything else as comments.
    """
    headers, preface = [*record.headers], list[Comment | BadLine]()
    for line in record.preface:
        header = intended_header(line.text) if isinstance(line, BadLine) and is_aside(line.text) else None
        if header and header[0] in HEADER_ORDER and not record.header(header[0]):
            headers.append(header)
        else:
            preface += [each for each in _lines((line,), record) if isinstance(each, Comment | BadLine)]
    turns = [_turn(turn, record) if turn.marks or turn.after else turn for turn in record.turns]
    result = record.result
    if result is not None:
        notes = tuple([note for note in result.notes if _bare_result(note.text) != score_text(result)])
        result = replace(result, notes=notes, after=_lines(result.after, record))
    return Record(tuple(canonical_headers(headers)), tuple(preface), tuple(turns), result)


def _turn(turn: Turn, record: Record, aside: bool = False) -> Turn:
    """Return a turn with its asides put right; ``aside`` says that it is an alternative."""
    timed = [isinstance(line, BadLine) and is_like_mark(line.text) for line in turn.after]
    clocks = [intended_clock(follower_line(line)) if time else "" for line, time in zip(turn.after, timed, strict=True)]
    after = tuple([line for line, clock in zip(turn.after, clocks, strict=True) if not clock])
    marks = [mark if is_mark(mark) else intended_clock(mark) or _glyph(mark) for mark in turn.marks]
    lost = [mark for mark, meant in zip(turn.marks, marks, strict=True) if not meant]
    lost += [token.text for token in turn.tokens if aside and isinstance(token, Unread)]
    tokens = tuple([token for token in turn.tokens if not (aside and isinstance(token, Unread))])
    notes = [*turn.notes, *[Comment(text, len(tokens)) for text in lost if "}" not in text]]
    if ends := [text for text in lost if "}" in text]:
        said = [note.text for note in notes if note.after is None]
        notes = [note for note in notes if note.after is not None] + [Comment(" ".join([*ends, *said]))]
    notes = [note if note.after is None else Comment(note.text, min(note.after, len(tokens))) for note in notes]
    kept = tuple(filter(None, (*marks, *clocks)))
    return replace(turn, tokens=tokens, marks=kept, notes=tuple(notes), after=_lines(after, record, turn))


def is_mark(mark: str) -> bool:
    """Return whether a mark is spelt as the notation wants it."""
    try:
        return bool(MARKS[mark])
    except KeyError:
        return False


def _glyph(mark: str) -> str:
    return mark[:2] if mark[0] in "!?" and len(set(mark)) == 1 else ""


def _lines(lines: tuple[Follower, ...], record: Record, turn: Turn | None = None) -> tuple[Follower, ...]:
    """Return lines with their asides put right; those after a ``turn`` may be alternatives without its label."""
    tidy: list[Follower] = []
    for line in lines:
        if isinstance(line, Alternative):
            tidy.append(Alternative(_turn(line.turn, record, aside=True), line.line))
        elif not isinstance(line, BadLine) or not is_aside(line.text):
            tidy.append(line)
        elif line.text.startswith("|"):
            said = line.text[1:].strip()
            other = read_line(f"| {turn.label} {said}") if turn else None
            tidy.append(other if isinstance(other, Alternative) and other.turn.tokens else Comment(said or "|"))
        elif not (record.result and _bare_result(line.text) and _bare_result(line.text) == score_text(record.result)):
            tidy.append(Comment(line.text))
    return tuple(tidy)


def _bare_result(text: str) -> str:
    """Return the result in a line that says nothing else."""
    meant = read_line(text)
    meant = meant if isinstance(meant, Result) else intended_result(text)
    is_bare = not any(map(str.isalpha, re.sub(r">\s*[RE]", "", text)))
    return score_text(meant) if meant and is_bare else ""
