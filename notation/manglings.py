"""What mail, word processors, keyboards and spreadsheets do to a text in transit, and how to restore the original text.

Only unreadable text is changed, never a comment or a text in quotes; and a change is kept only if it makes more
readable. Each line keeps its number: the rest of a broken line is moved to its beginning and leaves an empty line.
"""

from __future__ import annotations

import csv
import html
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import takewhile
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from .diagnostic import ERROR, WARNING, Diagnostic, Replacement
from .language import phrase, plural
from .reader import joined_problems, start_of
from .record import ASIDE, Game
from .source import MAX_LINE_LENGTH, Source, Span
from .suggestions import CURLY_QUOTES, MAX_GUESS_LENGTH, is_word, likely_label, resembles, sign_name
from .word_cache import LINES, Misfit
from .writer import quote

TextLines: TypeAlias = list[str]
MAX_LINE_PARTS: Final = 30
"""The most lines into which one line may have been broken."""
_MAX_TRIAL_LINES: Final = 2_000
"""The most lines of a text that are joined as a trial."""


class TextDamage(NamedTuple):
    """Something that happens to texts in transit, in words, and how to undo it."""

    title: Callable[[], str]
    mend: Callable[[TextLines], TextLines]


class _Trial(NamedTuple):
    """A text with some manglings undone, its games, and how many faults they have."""

    lines: TextLines
    done: tuple[TextDamage, ...]
    games: list[Game]
    faults: int


def repair_text(game: Game, read: Callable[[TextLines], list[Game]]) -> list[Game]:
    """Return the games of a text as they were before it was changed in transit; none if it was not changed.

    If there is just one, ``game`` receives it, with a single fault that says so. ``read`` reads other lines instead of
    its own.
    """

    def tried(start: _Trial, way: TextDamage) -> list[_Trial]:
        lines = way.mend(start.lines)
        if lines in (best.lines, trial.lines):
            return []
        games = read([f"{line}\n" for line in lines])
        return [_Trial(lines, (*start.done, way), games, _faults(games))]

    best = trial = _Trial([line.rstrip("\r\n") for line in game.source.lines], (), [], _faults([game]))
    for ways in TEXT_DAMAGES:
        # A change may help only together with earlier ones; those that turn out not to be needed are left out.
        starts = [best] if trial is best else [best, trial]
        new = [each for start in starts for way in ways for each in tried(start, way)]
        trial = min(new, key=attrgetter("faults"), default=trial)
        best = trial if trial.faults < best.faults else best
    if any(fault.code == "N110" for one in best.games for fault in joined_problems(one, empty=True)):
        return []
    if len(best.games) == 1:
        game.mended = best.games[0]
        game.problems = [_fault(game, best.games[0], best.done)]
    return best.games


def _faults(games: list[Game]) -> int:
    return sum(problem.severity == ERROR or problem.code == ASIDE for game in games for problem in game.problems)


def changes(old: Source, new: Source) -> list[Replacement]:
    """Return the lines that differ between a text and its restored form; broken lines include their rest."""
    changed: list[Replacement] = []
    for at in range(len(old.lines)):
        text = new.text(at)
        if not text and changed and changed[-1].end == at and old.text(at):
            changed[-1] = changed[-1]._replace(end=at + 1)
        elif text != old.text(at):
            changed.append(Replacement(at, at + 1, f"{text}\n"))
    return changed


def _fault(game: Game, repaired: Game, done: tuple[TextDamage, ...]) -> Diagnostic:
    """Return the one fault of a text that was changed in transit, at the first place that shows it."""
    changed = changes(game.source, repaired.source)
    at, meant = changed[0].begin, changed[0].text.rstrip()
    old = game.source.text(at)
    message, place = done[0].title(), Span(at, 0, len(old))
    if done[0] is BROKEN:
        message = phrase("this is the rest of line {line}", line=game.source.first + at)
        place = Span(at + 1, 0, len(repaired.source.text(at)))
    elif done[0] in SIGNS:
        same = next((at for at, (one, other) in enumerate(zip(old, meant, strict=False)) if one != other), -1)
        quoted = old[same] in CURLY_QUOTES  # a header: such a sign is hard to read in quotes
        start = 0 if quoted else old.rfind(" ", 0, same) + 1
        word, better = (line if quoted else (line[start:].split() or [""])[0] for line in (old, meant))
        like = look_alike(old[same]) if done[0] is SIGNS[0] else f"{sign_name(old[same])}; {done[0].title()}"
        both = phrase("“{word}” should be “{better}”", word=word, better=better)
        if quoted:
            both = phrase("{word} should be {better}", word=word, better=better)
        message = f"{both}: {like or sign_name(old[same])}"
        place = Span(at, start, start + len(word))
    message += "".join([f"; {way.title()}" for way in done[1:]])
    shown = meant if len(meant) <= 3 * MAX_GUESS_LENGTH else f"{meant[: 3 * MAX_GUESS_LENGTH]}…"
    others = len(changed) - 1
    help_ = phrase("write {line}; `tiro repair` does it", line=shown)
    if others:
        help_ = plural(
            "write {line}; `tiro repair` does it, here and in {count} more place",
            "write {line}; `tiro repair` does it, here and in {count} more places",
            others,
            line=shown,
        )
    severity = WARNING if game.readable else ERROR
    return Diagnostic("N111", message, game.source, place, severity, help=help_, game=game.number)


def is_readable(line: str) -> bool:
    """Return whether a line on its own fits the grammar."""
    text = line[start_of(line) :].rstrip()
    return not text or (len(text) <= MAX_LINE_LENGTH and not isinstance(LINES[text], Misfit))


def _each(way: Callable[[str], str]) -> Callable[[TextLines], TextLines]:
    return lambda lines: [line if len(line) > MAX_LINE_LENGTH or is_readable(line) else way(line) for line in lines]


def _cell(line: str) -> str:
    """Return a row of a spreadsheet as a line."""
    line = line.lstrip("'")
    is_row = line.startswith('"') or line.count(",") > 2
    return " ".join(next(csv.reader([line]), [])).strip() if is_row and not is_readable(line) else line


def _decoded(lines: TextLines) -> TextLines:
    """Return lines with mail's encoding of non-ASCII characters undone; lines that contain anything else are left
    alone.
    """
    text = "\n".join(lines)
    if not re.search(r"=3D|=(?:20)?[ \t]*$", text, re.M) or re.search(r"=(?![0-9A-F]{2}|[ \t]*$)", text, re.M):
        return lines
    out = [line.rstrip().encode("utf-8", "surrogateescape") for line in lines]
    for at in reversed(range(len(out) - 1)):
        if out[at].endswith(b"="):
            out[at : at + 2] = [out[at][:-1] + out[at + 1], b""]
    out = [re.sub(rb"=([0-9A-F]{2})", lambda code: bytes([int(code[1], 16)]), line) for line in out]
    return [" ".join(re.split(r"[\r\n]", line.decode("utf-8", "surrogateescape"))).rstrip() for line in out]


_QUOTE: Final = f"[{CURLY_QUOTES}‘’‚'`\"]"
_ESCAPED: Final = re.compile(rf'\\([\\"{CURLY_QUOTES}])')
_HEADER: Final = re.compile(rf'\s*[\[［]\s*(\w+)\s*(?!".*"\s*\]\s*$){_QUOTE}(.*){_QUOTE}\s*[\]］]\s*')
_ZONE: Final = re.compile(
    rf'(?P<comment>[{{｛][^}}｝]*[}}｝]?|[;；\u037e].*)|(?P<text>"(?:\\.|[^"\\])*+(?:"|$))'
    rf"|[{CURLY_QUOTES}](?P<quoted>[^{CURLY_QUOTES}]*)[{CURLY_QUOTES}]|(?P<signs>[^{CURLY_QUOTES}{{｛;；\u037e\"]+|.)"
)
"""Matches a comment, a text in quotes, or other signs."""
_COMMENT: Final = str.maketrans("｛｝；\u037e", "{};;")
_LOOKALIKES: Final = {
    **dict(zip("АВЕКМНОРСТУХЅІЈԚԜасеорухѕіјԛԝһѵгкмт", "ABEKMHOPCTYXSIJQWaceopyxsijqwhvrkmt", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαεικνορτυχωγϲı", "ABEZHIKMNOPTYXCaeikvoptyxwyci", strict=True)),
    **dict(zip("×✕✖╳→⇒➔›❯⟩∗✱⁎➕∶ː⁄∕│❘∣¦‐‑‒–—−⁃‘’‚", "xxxx>>>>>>***+:://||||-------'''", strict=True)),
    **dict.fromkeys(CURLY_QUOTES, '"'),
    "©": "(c)",
    "®": "(r)",
    "℗": "(p)",
}
"""A sign → the sign that it looks like or was typed for, if Unicode does not say so."""
_INVISIBLE: Final = ("Cf", "Mn", "Me")


@lru_cache(maxsize=1024)
def notation_sign_for(sign: str) -> str:
    """Return the sign of the notation that a sign looks like: nothing if it is invisible, the sign itself if there is
    none.
    """
    parts = [part for part in unicodedata.normalize("NFKD", sign) if unicodedata.category(part) not in _INVISIBLE]
    look = "".join([_LOOKALIKES.get(part, part) for part in parts])
    return look if look.isascii() and not sign.isspace() else sign


def look_alike(text: str) -> str:
    """Return in words the first sign in a text that only looks like another; nothing if there is none."""
    for sign in text:
        # A letter with an accent looks like no other.
        if (look := notation_sign_for(sign)) != sign and unicodedata.normalize("NFD", sign) == sign:
            if not look:
                return phrase("{sign}, which is invisible", sign=sign_name(sign))
            return phrase("{sign}, which looks like {other}", sign=sign_name(sign), other=look)
    return ""


def _plain(signs: str) -> str:
    return "".join(map(notation_sign_for, signs))


def _requoted(text: str) -> str:
    """Return a text from other quotes in plain ones."""
    return quote(_ESCAPED.sub(r"\1", text))


def _signs(fold: Callable[[str], str]) -> Callable[[TextLines], TextLines]:
    """Return a function that replaces signs in lines, except in comments and texts in quotes."""

    def zone(found: re.Match[str]) -> str:
        match found.lastgroup:
            case "comment":
                return found[0][0].translate(_COMMENT) + found[0][1:-1] + found[0][1:][-1:].translate(_COMMENT)
            case "text":
                return found[0]
            case "quoted":
                return _requoted(found["quoted"])
        return fold(found[0])

    def way(line: str) -> str:
        header = _HEADER.fullmatch(line)
        head, colon, words = line.partition(":") if line.lstrip()[:1] in ("%", "％") else (line, "", "")
        new = f"[{fold(header[1])} {_requoted(header[2])}]" if header else f"{_ZONE.sub(zone, head)}{colon}{words}"
        return new if is_readable(new) or resembles(new) else line

    return _each(way)


def _keyboard(keys: str, latin: str, q: str = "(?!)") -> Callable[[TextLines], TextLines]:
    """Return a function that undoes typing on a keyboard with another alphabet; ``q`` matches what a Q became."""
    key = str.maketrans(keys + keys.upper(), latin + latin.upper())
    return _signs(lambda signs: _plain(re.sub(q, lambda word: word[0].replace(":", "Q"), signs).translate(key)))


_REMARK: Final = re.compile(r'(?:"(?:\\.|[^"\\])*+"|\{[^}]*+\}|[^";{])*+;|%[^:]*:')
_CARD: Final = re.compile(r"\(?[1-5pi]\)?[ACKPQS]|[xswc].*[ACKPQS].*")
_PUT_AWAY: Final = re.compile("=.-")


def _joined(lines: TextLines) -> TextLines:
    """Return lines with the parts that were broken off put back."""
    out, left, width = [*lines], _MAX_TRIAL_LINES, max([len(line.rstrip()) for line in lines], default=0)
    bad = [not is_readable(line) for line in out]
    for at in range(len(out)):
        end = at + 1
        while out[at].strip() and end < len(out) and bad[end] and left > 0:
            run = takewhile(lambda place: bad[place], range(end, min(len(out), end + MAX_LINE_PARTS)))
            tries = [(place, " ".join([out[at].rstrip(), *map(str.strip, lines[end : place + 1])])) for place in run]
            tries.append((end, out[at].rstrip() + lines[end].strip()))
            left -= len(tries)
            full = len(lines[end - 1].rstrip()) + 1 + len(lines[end].split()[0]) > width
            last, whole = next((each for each in tries if _belongs(out[at], lines[end], each[1], full)), (0, ""))
            if not whole:
                break
            out[at : last + 1] = [whole, *[""] * (last - at)]
            end = last + 1
    return out


def _belongs(begin: str, rest: str, whole: str, full: bool) -> bool:
    """Return whether a joined line is a proper line; ``full`` says that nothing more would have fitted into its first
    part.
    """
    if not is_readable(whole):
        return False
    if _REMARK.match(begin):  # anything fits into a comment, but no word of a game may disappear in one
        return full and not likely_label(rest) and sum(map(is_word, rest.split())) * 2 < len(rest.split())
    if begin.rfind("{") > begin.rfind("}"):
        return True
    words = whole.split()
    late = [at for at, word in enumerate(words) if word[0] in "=+" and not _PUT_AWAY.fullmatch(word)]
    # No turn has two busts, and no card is placed after one: more likely a label is missing there.
    return not late or not (any(map(_CARD.fullmatch, words[late[0] :])) or sum(words[at][0] == "=" for at in late) > 1)


BROKEN: Final = TextDamage(lambda: phrase("lines were broken"), _joined)
_GREEK: Final = "ςαβψδεφγηιξκλμνοπρστθωχυζ", "wabcdefghijklmnoprstuvxyz", r"(?<=[=*]):|(?<!\S)[^\s=*@\[][^\s:]*:\S*"
_RUSSIAN: Final = "фисвуапршолдьтщзйкыегмцчня", "abcdefghijklmnopqrstuvwxyz"
SIGNS: Final = (
    TextDamage(lambda: phrase("characters were replaced by look-alikes"), _signs(_plain)),
    TextDamage(lambda: phrase("it was typed on a Greek keyboard"), _keyboard(*_GREEK)),
    TextDamage(lambda: phrase("it was typed on a Russian keyboard"), _keyboard(*_RUSSIAN)),
)
_TAG: Final = re.compile(r"</?(?:br|p|div|span|pre|code|tt|font|blockquote)\b[^<>]*>", re.I)
_MARKDOWN: Final = re.compile(r"^\s*(?:```|~~~).*|^`+|`+$|\\(?=[^\w\s\"\\]|\s*$)")
_QUOTED: Final = re.compile(r"^\s*(?:>\s?)+")


def _unmarked(lines: TextLines) -> TextLines:
    return [html.unescape(_TAG.sub("", line)) for line in lines]


TEXT_DAMAGES: Final = (
    (TextDamage(lambda: phrase("this text is encoded for mail (quoted-printable)"), _decoded),),
    (TextDamage(lambda: phrase("this text is encoded for the web (HTML)"), _unmarked),),
    (TextDamage(lambda: phrase("an e-mail program put > before the lines"), _each(partial(_QUOTED.sub, ""))),),
    (TextDamage(lambda: phrase("the text has Markdown markup"), _each(partial(_MARKDOWN.sub, ""))),),
    (TextDamage(lambda: phrase("a spreadsheet put quotes or separators around the lines"), _each(_cell)),),
    SIGNS,
    (BROKEN,),
)
"""The order is the one in which they are undone; of several ways, the one that makes most readable is used."""
