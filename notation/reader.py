"""Text to records, game by game, as a stream. What can't be read is reported and kept, and reading continues."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import BinaryIO, Final

from .diagnostic import ERROR, WARNING, Diagnostic, Severity
from .language import Messages, figure, phrase
from .lines import LineStream, StringLines, scan_line, texts_of
from .movetext import Movetext, TurnExtras
from .record import (
    ASIDE,
    TOO_LARGE,
    Alternative,
    BadLine,
    Comment,
    Follower,
    Game,
    Record,
    Result,
    Ruling,
    Turn,
    sort_words,
)
from .source import HEAD, MAX_GAME_LENGTH, MAX_LINE_LENGTH, MAX_LINES, MAX_WORD_LENGTH, Source, Span, foreign
from .word_cache import LABELS, LINES, MARK_SIGNS, MARKS, Misfit, Word, read_header, read_words
from .writer import REQUIRED_HEADERS, canonical_headers, follower_line, score_text, write

_IN_ORDER: Final = list(REQUIRED_HEADERS)
"""The headers of nearly every game."""
MAX_REPAIRED_LINES: Final = 2_000
"""The most lines of a game for which changes made in transit are undone (N111)."""
MAX_EXPLAINED_PROBLEMS: Final = 200
"""The most problems of one game that are explained; a text with more is not a record, and the rest is kept and reported
line by line, without advice.
"""
MAX_ADVICE: Final = 500
"""The most problems of one text that get advice: finding out what was meant takes time."""
MAX_NAMED: Final = 1_000
"""The most problems of one game that are reported at all."""
SEPARATE_GAMES_HELP: Final = "put a line end before the ["
"""What to do if the next game begins on a game's last line, in English."""
_MAX_STRAY_LINES: Final = 3
"""The most foreign lines that any text may have by mistake."""
_MAX_RUNS: Final = 8
"""The most runs of foreign lines that are named."""


def parse(text: str, name: str = "<text>") -> list[Game]:
    """Return all games in a text. This never raises: each game's ``problems`` say what can't be read.

    ``name`` is what diagnostics call the text. A text without a game gives one game without turns whose ``problems``
    say so.

    >>> (game,) = tironian.parse("1E (3)A 5Q =o +3x\\n")
    >>> game.record.turns[0].label, len(game.problems)
    ('1E', 0)
    """
    data = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    return list(_games(LineStream(texts_of(data, marked=False), "surrogatepass"), name, 1))


def as_game(game: Game | Record) -> Game:
    """Return a game unchanged; return a record as a game whose source is the record's canonical text."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, Record):
        raise TypeError("this is not a game: parse the text first, tironian.parse(text)")
    return parse(write(game), "<record>")[0]


def read_bytes(stream: BinaryIO, name: str, first: int = 1) -> Iterator[Game]:
    """Yield the games of a binary stream; bytes that are not UTF-8 are kept and reported.

    ``first`` is the number of its first line, for a stream that is part of a text.
    """
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[arg-type, type-var]
    strange = foreign(buffered.peek(HEAD)[:HEAD]) if first == 1 else None
    try:
        if strange:
            source = Source(name, [""])
            yield Game(Record(), source, [Diagnostic("N101", strange[0], source, Span(0, 0, 0), help=strange[1])])
        else:
            yield from _games(LineStream(texts_of(buffered)), name, first)
    finally:
        if buffered is not stream and not buffered.closed:
            buffered.detach()  # the stream stays open: it is the caller's


def read_games(lines: Iterable[str], name: str = "<text>", first: int = 1) -> Iterator[Game]:
    """Yield the games in lines of text, each as soon as its last line has been read.

    A game begins with its headers. Only the current game is held in memory, and a game that is too large is not held at
    all (N109). A text without a game yields one game without turns whose ``problems`` say so. ``first`` is the number
    of the first line.
    """
    yield from _games(StringLines(iter(lines)), name, first)


def _games(lines: LineStream, name: str, first: int) -> Iterator[Game]:
    """Yield the games in lines."""
    for each in _builders(lines, GameBuilder(name, first, 1)):
        if isinstance(each, Game):
            yield each
        else:
            yield from _finished(each)


def _builders(lines: LineStream, builder: GameBuilder) -> Iterator[GameBuilder | Game]:
    """Yield each game's builder with all its lines, beginning with ``builder``; yield a game that is too large as a
    game.
    """
    first = lines.next() or ""
    line: str | None = first.removeprefix("\ufeff")
    while line is not None:
        if builder.is_over(line):
            whole, builder = builder.split()
            yield whole
        if builder.has_room(line):
            if glued := _glued(line, lines):
                builder.read(glued[0])
                builder.glue()
                yield builder
                builder, line = builder.next_game(-1), glued[1]
            if line.isascii() or not _is_joined(line):
                builder.read(line)
            else:
                for part in line.splitlines():
                    builder.read(part)
            if builder.begun and lines.at_header():
                yield builder
                builder = builder.next_game()
            line = builder.take(lines)
            continue
        yield too_large(builder.source, builder.count, builder.number)
        passed, line = _skip_game(line, lines)
        if line is None:
            return
        builder = builder.next_game(passed)
    yield builder


_GLUED: Final = r'(?s)[\s\ufeff]*[^\s\ufeff].*?(?=\[\s*[A-Za-z]\w*\s*"(?:\\.|[^"\\])*"\s*\]\s*$)'
"""What stands before a header on its line."""


def _is_joined(line: str) -> bool:
    """Return whether a line is several ones, with line ends of a kind that is only a space here."""
    parts = [part.strip() for part in line.splitlines()] if len(line) <= MAX_GAME_LENGTH else []
    if len(parts) < 2 or not isinstance(LINES[line.strip()], Misfit):
        return False
    return all(not part or not isinstance(LINES[part], Misfit) for part in parts)


def _glued(line: str, lines: LineStream) -> tuple[str, str] | None:
    """Return a line in two parts if the next game's first header follows the last line of a game directly.

    A comment may name a header: it is taken for one only if other headers follow.
    """
    if "[" not in line or line[0] == "[" or len(line) > MAX_LINE_LENGTH or line.lstrip()[:1] == "[":
        return None
    found = re.match(_GLUED, line)
    head = line[: found.end()].strip("\ufeff\x1a\0 \t") if found else ""
    if found is None or isinstance(LINES[head], Misfit):
        return None
    if not lines.at_header() and not isinstance(LINES[line.strip()], Misfit):
        return None
    return head, line[found.end() :]


def _finished(builder: GameBuilder) -> list[Game]:
    """Return the game that was read; if it is not a game, its problems say so.

    There may be several games that could not be told apart before changes made in transit were undone.
    """
    game = builder.finish()
    source = game.source
    is_faulty = any(each.severity == ERROR or each.code == ASIDE for each in game.problems)
    if is_faulty and len(source.lines) <= MAX_REPAIRED_LINES:
        from .manglings import repair_text

        def read(lines: list[str]) -> list[Game]:
            """Read other lines in place of the game's, without advice."""
            built = _builders(StringLines(iter(lines)), GameBuilder(source.name, source.first, game.number, 0))
            return [each if isinstance(each, Game) else each.finish() for each in built]

        if len(games := repair_text(game, read)) > 1:
            return [each for one in games for each in _separate_game(builder, one.source, one.number)]
        if games:
            return [game]
    game.problems = joined_problems(game, empty=builder.empty)
    if builder.empty and not any(problem.severity == ERROR for problem in game.problems):
        none, start = phrase("there is no game in this text"), Span(0, 0, 0)
        game.problems.append(Diagnostic("N107", none, source, start, help=_remedy(), game=game.number))
    return [game]


def _remedy() -> str:
    return phrase('a record starts with headers such as [Rules "2024"]; docs/notation.md describes it')


def _separate_game(builder: GameBuilder, repaired: Source, number: int) -> list[Game]:
    """Return the part of a game's lines that is a separate game, as it was written."""
    one = GameBuilder(repaired.name, repaired.first, number, builder.advice)
    begin = repaired.first - builder.source.first
    for line in builder.source.lines[begin : begin + len(repaired.lines)]:
        one.read(line)
    return _finished(one)


def _skip_game(line: str, lines: LineStream) -> tuple[int, str | None]:
    """Skip the rest of a game that is too large; return its number of lines, from this one on, and the next game's
    first line.

    A header after any other line, even an empty one, begins the next game.
    """
    passed, last = 1, line
    while (follower := lines.next()) is not None:
        if _is_header(follower) and not _is_header(last):
            return passed, follower
        passed, last = passed + 1, follower
    return 0, None


def _is_header(line: str) -> bool:
    """Return whether a line begins like a header; a tag such as [pgn] does not."""
    start = start_of(line)
    if line[start : start + 1] != "[" or '"' in line:
        return line[start : start + 1] == "["
    from .asides import is_aside

    return not is_aside(line[start:].rstrip())


def joined_problems(game: Game, *, empty: bool) -> list[Diagnostic]:
    """Return the problems of a game; if most of its lines are foreign, a single problem (N110) stands for all of them.

    Foreign lines can't be read and do not resemble a line of a record. ``empty`` says that no part of a record was
    read.
    """
    if not game.problems:
        return game.problems
    source, record = game.source, game.record
    others = (*record.preface, *[follower for _, follower in record.following_lines()])
    bad = [line for line in others if isinstance(line, BadLine)]
    if len(bad) <= _MAX_STRAY_LINES:
        return game.problems
    from .suggestions import resembles

    lines = {line.line for line in bad if not resembles(line.text)}
    written = sum(not line.isspace() for line in source.lines)
    if len(lines) <= _MAX_STRAY_LINES or 2 * len(lines) <= written:
        return game.problems
    span = Span(min(lines), 0, len(source.text(min(lines))))
    if empty:
        all_ = figure(written, ",")
        message = phrase("this is not a record: none of its {all} lines is a header, a turn or a result", all=all_)
        return [Diagnostic("N110", message, source, span, help=_remedy(), game=game.number)]
    numbers = {"count": figure(len(lines), ","), "all": figure(written, ",")}
    message = phrase("this does not look like a record: {count} of its {all} lines can't be read", **numbers)
    ranges = _line_ranges(source, lines)
    remedy = phrase(
        "give a file that holds only records, or put a semicolon before other text: lines {lines}", lines=ranges
    )
    from .asides import is_aside

    is_prose = bool(record.turns) and all(is_aside(line.text) for line in bad if line.line in lines)
    severity: Severity = WARNING if is_prose else ERROR
    joined = Diagnostic("N110", message, source, span, severity, help=remedy, game=game.number)
    rest = [each for each in game.problems if each.code not in ("N104", ASIDE) or each.span.line not in lines]
    return sorted([joined, *rest], key=lambda problem: (problem.span.line, problem.span.start))


def _line_ranges(source: Source, lines: Iterable[int]) -> str:
    """Return ``1–29 and 45–131``, with the line numbers of the file."""
    runs: list[str] = []
    numbers = enumerate(sorted(source.first + line for line in lines))
    for _, group in groupby(numbers, key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        runs.append(f"{run[0]}" if len(run) == 1 else f"{run[0]}–{run[-1]}")
    if len(runs) > _MAX_RUNS:
        runs[_MAX_RUNS - 1 :] = [phrase("others")]
    *rest, last = runs
    return phrase("{names} and {last}", names=", ".join(rest), last=last) if rest else last


def too_large(source: Source, lines: int, number: int) -> Game:
    """Return an empty game in place of one that exceeds the limits after this many lines."""
    message = phrase("this game has more than {number} MB, so it is not read", number=MAX_GAME_LENGTH >> 20)
    if lines >= MAX_LINES:
        message = phrase("this game has more than {number} lines, so it is not read", number=figure(MAX_LINES, ","))
    remedy = phrase("remove what does not belong to the game, or divide the file; all other games are read")
    place = Source(source.name, [""], source.first)
    problem = Diagnostic(TOO_LARGE, message, place, Span(0, 0, 0), help=remedy, game=number)
    return Game(Record(), Source(source.name, [], source.first), [problem], number)


class GameBuilder:
    """Takes the lines of one game and builds its record."""

    def __init__(self, name: str, first: int, number: int, advice: int = MAX_ADVICE) -> None:
        self.source = Source(name, [], first)
        self._parts = self.source.later
        self.number = number
        self.advice = advice
        """How many problems of the text may still get advice."""
        self.headers: list[tuple[str, str]] = []
        self.turns = Movetext()
        self.count = 0
        """The number of the game's lines so far."""
        self.result: Result | None = None
        self.problems: list[Diagnostic] = []
        self.calm = False
        """Whether the last line was a turn's, so that the next one probably is too."""
        self.begun = False
        """Whether a line other than a header has been read, so that a header begins the next game."""
        self.room = MAX_GAME_LENGTH
        """How many bytes the game may still have."""
        self._apart = (0, 0)
        """The number of lines and headers before the last empty line."""
        self._preface: list[Comment | BadLine] = []
        self._after: list[Follower] = []
        """Lines that follow the last turn or the result."""

    @property
    def empty(self) -> bool:
        """Return whether nothing except comments was read."""
        return not (self.headers or self.turns or self.result)

    def is_over(self, line: str) -> bool:
        """Return whether the line belongs to the next game: a header after any other line.

        A game with only headers ends when one of them is repeated after an empty line.
        """
        if not (self.begun or self._apart[1]) or not _is_header(line):
            return False
        if self.begun:
            return True
        header = LINES[line[start_of(line) : MAX_LINE_LENGTH].rstrip()]
        earlier = [name.lower() for name, _ in self.headers[: self._apart[1]]]
        return isinstance(header, tuple) and header[0].lower() in earlier

    def split(self) -> tuple[GameBuilder, GameBuilder]:
        """Return the finished game, and the next one with the lines that belong there.

        If a repeated header begins the next game, these are the lines between the empty line and that header.
        """
        at = self._apart[0]
        if self.begun or at == self.count:
            return self, self.next_game()
        lines = self.source.lines
        whole = GameBuilder(self.source.name, self.source.first, self.number, self.advice)
        for line in lines[:at]:
            whole.read(line)
        rest = whole.next_game()
        for line in lines[at:]:
            rest.read(line)
        return whole, rest

    def next_game(self, passed: int = 0) -> GameBuilder:
        """Return the next game's builder; ``passed`` lines after this game's belong to neither game."""
        return GameBuilder(self.source.name, self.source.first + self.count + passed, self.number + 1, self.advice)

    def glue(self) -> None:
        """Report that the next game begins on this game's last line."""
        line = self.source.text(self.count - 1)
        message = phrase("the next game begins on this line: a line end is missing before its first header")
        self._report(ASIDE, message, Span(self.count - 1, len(line), len(line)), phrase("put a line end before the ["))

    def has_room(self, line: str) -> bool:
        """Return whether the game still has room for this line."""
        return self.count < MAX_LINES and _size(line) <= self.room

    def take(self, lines: LineStream) -> str | None:
        """Take lines as long as they are ordinary; return the first other line, or None after the last."""
        if self.calm or (self._apart[1] and not self.begun and not self._preface):
            packed = self.turns.packed
            before = len(packed)
            self.room -= lines.take(packed, self._parts, self.count, self.room)
            if len(packed) > before:
                self.count += len(packed) - before
                self.begun = self.calm = True
        elif not self.begun and not self._apart[1] and lines.at_header():
            before = len(self.headers)
            self.room -= lines.take_headers(self.headers, self._parts, self.room)
            self.count += len(self.headers) - before
        return lines.next()

    def read(self, line: str) -> None:
        """Take one line, with or without its end."""
        self.calm = False
        self._parts.append(line)
        self.count += 1
        self.room -= _size(line)
        header = read_header(line) if line[:1] == "[" and len(line) <= MAX_LINE_LENGTH else None
        if header is not None:
            self.headers.append(header)
            return
        if not line or line.isspace():
            if not self.begun:
                self._apart = (self.count, len(self.headers))
            return
        if len(line) > MAX_LINE_LENGTH or self.result is not None or not self._read_quickly(line):
            self._read_slowly(line)

    def _read_quickly(self, line: str) -> bool:
        """Take a line if it is a comment, or a turn whose words are all in the phrase table."""
        head, semicolon, tail = line.partition(";")
        words = head.split()
        notes: tuple[Comment, ...] = ()
        if semicolon:
            if "{" in head or '"' in head or _UNDECODED.search(tail):
                return False
            notes = (Comment(tail.strip()),)
            if not words:
                self._note(notes[0])
                return True
        instead = words[:1] == ["|"] and bool(self.turns)
        if instead:
            del words[0]
        if not words or not words[0][:-1].isdigit() or max(map(len, words)) > MAX_WORD_LENGTH:
            return False
        marks: list[str] = []
        try:
            while words[-1][0] in MARK_SIGNS:
                marks.insert(0, MARKS[words.pop()])
        except KeyError:
            return False
        at, read = self.count - 1, Movetext()
        if not scan_line(" ".join(words), read.packed, at):
            return False
        if instead:
            self._follow(Alternative(replace(read[0], marks=tuple(marks), notes=notes), at))
        else:
            self._close_turn()
            self.turns.add_read(read.packed, TurnExtras(tuple(marks), notes))
            self.begun = self.calm = True
        return True

    def _close_turn(self) -> None:
        """Attach the following lines to the turn that they follow."""
        if self._after:
            self.turns.attach_followers((*self.turns.rest(len(self.turns) - 1).after, *self._after))
            self._after = []

    def _follow(self, follower: Follower) -> None:
        if self.turns or self.result is not None:
            self._after.append(follower)
        else:
            assert isinstance(follower, Comment | BadLine)
            self._preface.append(follower)

    def _read_slowly(self, line: str) -> None:
        """Read a line with Lark, and report what can't be read."""
        at = self.count - 1
        known = LINES.get(line.rstrip())
        if isinstance(known, Result) and not known.notes:
            self._place(known, line.rstrip(), at)
            return
        indent = start_of(line)
        text = line[indent:].rstrip()
        if not text or self._is_unreadable(text, indent, at):
            return
        value = LINES[text]
        if isinstance(value, Misfit):
            self._salvage(text, indent, at, value)
        elif isinstance(value, tuple):
            self.headers.append(value)
        elif isinstance(value, Comment):
            self._note(value)
        else:
            self._place(value, text, at)

    def _place(self, value: Turn | Result | Alternative | Ruling, text: str, at: int) -> None:
        """Add what a line says to the game; if it is in the wrong place, report it and keep the line."""
        if isinstance(value, Result):  # every game has one, and this is faster than replace
            value = Result(value.points, value.winner, value.verdicts, value.notes, (), at)
        elif isinstance(value, Alternative):
            value = Alternative(replace(value.turn, line=at), at)
        else:
            value = replace(value, line=at)
        says_more = isinstance(value, Result) and value.points is not None
        if self.result is not None and (isinstance(value, Turn) or (says_more and self.result == Result())):
            problem = phrase("the result comes before another one, which says more")
            if isinstance(value, Turn):
                problem = phrase("the result comes before turn {turn}", turn=value.label)
            held = self._reopen(problem)
            if self.turns:
                self._after = held
            else:  # before any turn only a comment can say it
                self._preface += [line if isinstance(line, Comment) else Comment(follower_line(line)) for line in held]
        if self.result is None and isinstance(value, Turn):
            self._close_turn()
            self.turns.add_turn(value)
            self.begun = self.calm = True
        elif self.result is None and isinstance(value, Result) and not self._is_of_chess(value):
            self._close_turn()
            self.begun, self.result = True, value
        elif self.result is None and self.turns and isinstance(value, Alternative | Ruling):
            self._follow(value)
        else:
            message, help_ = _MISPLACED[value.__class__]
            code = ASIDE if isinstance(value, Result | Alternative) else "N106"
            turn = self.turns[-1].label if self.turns else ""
            self._reject(code, phrase(message), text, self._whole(at), phrase(help_), turn)

    def _is_of_chess(self, result: Result) -> bool:
        """Return whether a result says only who won, 1-0 or 0-1, since the header Result has other points."""
        if result.points is None or result.points[0] + result.points[1] != 1:
            return False
        said = next((value.partition(">")[0] for name, value in self.headers if name.lower() == "result"), "")
        return said.replace("-", "").isdigit() and said != score_text(result)

    def _whole(self, at: int) -> Span:
        line = self.source.text(at)
        return Span(at, len(line) - len(line.lstrip()), len(line.rstrip()))

    def _reopen(self, problem: str) -> list[Follower]:
        """Take back the result, since something follows it; return its line, which is kept, and those after it."""
        assert self.result is not None
        at, later = self.result.line, self._after
        self.result, self._after = None, []
        self._report(ASIDE, problem, self._whole(at), phrase(_MISPLACED[Result][1]))
        # After the result they could not be read; now only a comment can say what they said there.
        is_other = [isinstance(line, BadLine) and line.text[:1] in "|%" for line in later]
        later = [Comment(follower_line(line)) if other else line for line, other in zip(later, is_other, strict=True)]
        return [BadLine(self.source.text(at).strip(), at), *later]

    def _note(self, comment: Comment) -> None:
        # Comments before a game's first header belong to it, so they don't count as its beginning.
        self.begun = self.begun or bool(self.headers)
        self._follow(comment)

    def _is_unreadable(self, text: str, indent: int, at: int) -> bool:
        """Report bytes that are not text; if the line is too long to be read, keep it. Return whether it was."""
        if undecoded := _UNDECODED.search(text):
            from .suggestions import suggest_bytes  # advice is imported only when needed

            byte = f"0x{ord(undecoded.group()[0]) & 0xFF:02x}"
            span = Span(at, indent + undecoded.start(), indent + undecoded.end())
            # The rest may still be readable: a name, a comment.
            message = phrase("byte {byte} is not UTF-8 text", byte=byte)
            self._report("N102", message, span, suggest_bytes(text, undecoded.start()), severity=WARNING)
        if len(text) > MAX_LINE_LENGTH:
            numbers = {"count": figure(len(text), ","), "most": figure(MAX_LINE_LENGTH, ",")}
            message = phrase("a line of {count} characters; no line of a record is longer than {most}", **numbers)
            span = Span(at, indent, indent + MAX_LINE_LENGTH)
            self._reject("N103", message, text, span, phrase("break it into one line per turn"))
            return True
        return False

    def _salvage(self, text: str, indent: int, at: int, error: Misfit) -> None:
        """Read what is readable in a line that doesn't fit the grammar, and report each unreadable word."""
        from .asides import is_aside, remark_on
        from .suggestions import likely_label, suggest_line, unreadable_message, word_problems

        if text[0] == "[" and (several := re.findall(_HEADERS, text)):
            rest = " ".join(re.sub(_HEADERS, " ", text).split())
            if not rest or is_aside(rest):
                self._take_headers(several, rest, at)
                return
        bar = text.startswith("|")
        begin = start_of(text, 1) if bar else 0
        lead = re.match(_LABEL_PREFIX, text[begin:])
        begin += lead.end() if lead else 0
        head = _HEAD.match(text, begin)
        turn, label = "".join(head.group().split()) if head else "", None
        with suppress(KeyError):
            label = LABELS[turn]
        if len(self.problems) >= MAX_EXPLAINED_PROBLEMS:
            self._reject("N104", unreadable_message(text, None), text, Span(at, indent, indent + len(text)))
            self.begun = self.begun or label is not None  # a header can't be mistaken for a turn
            return
        column = indent + error.column
        span = Span(at, column, column + len(error.found))
        if (head is None or label is None) and is_aside(text):
            self._reject(ASIDE, *remark_on(text)[:1], text, self._whole(at), remark_on(text)[1])
            return
        if head is None or label is None:
            advised = self._advise()
            help_ = suggest_line(text) if advised else ""
            message = unreadable_message(text, error if advised else None)
            self._reject("N104", message, text, span, help_, likely_label(text))
            return
        before = read_words(text[: head.start()], start_of(text, 1) if bar else 0)
        words = [*before, *read_words(text, head.end())]
        problems = len(self.problems)
        if before:
            message, help_ = phrase("there is something before the label"), phrase("move it to the end")
            self._report(ASIDE, message, Span(at, indent, column), help_, turn)
        score, code = self._score_at_end(words, bar), ASIDE if bar else "N105"
        for word in words:
            if word.error and isinstance(word.item, str):
                message, help_ = remark_on(word.text)
                self._report(ASIDE, message, Span(at, indent + word.start, indent + word.end), help_, turn)
        bad = [word._replace(error=None) if isinstance(word.item, str) else word for word in words]
        for start, end, message, help_ in word_problems(text, bad, self._advise):
            self._report(code, message, Span(at, indent + start, indent + end), help_, turn)
        if len(self.problems) == problems and not score:  # so a space between two words must be missing
            code = ASIDE if bar or "@" in error.found else code
            message, help_ = phrase("two words without a space between them"), phrase("put a space here")
            self._report(code, message, span, help_, turn)
        tokens, marks, notes = sort_words(word.item for word in words)
        values = Turn(*label, tokens, marks, notes)
        self._place(Alternative(values) if bar else values, text, at)
        if score:
            place = Span(at, indent + score.start, indent + score.end)
            message, help_ = phrase("a result on the line of {turn}", turn=turn), phrase(_MISPLACED[Result][1])
            self._reject(ASIDE, message, score.text, place, help_, turn)

    def _take_headers(self, headers: list[str], rest: str, at: int) -> None:
        """Take several headers of a line, and keep what else it says."""
        self.headers += [value for value in map(LINES.__getitem__, headers) if isinstance(value, tuple)]
        message = phrase("something else is on the line of a header")
        self._report(ASIDE, message, self._whole(at), phrase("each header is on a line of its own"))
        if rest:
            self._follow(BadLine(rest, at))

    def _score_at_end(self, words: list[Word], bar: bool) -> Word | None:
        """Remove and return a result after the last word of a turn, if it can't be cards."""
        last = words[-1] if words and not bar else None
        if last is None or not last.error or not (score := re.fullmatch(_SCORE, last.text)):
            return None
        said = f"{score[1]}-{score[2]}"
        is_said = any(name.lower() == "result" and value.partition(">")[0] == said for name, value in self.headers)
        may_be_cards = all(re.fullmatch("5*4*3*2*1*", points) for points in score.group(1, 2))
        return words.pop() if is_said or not may_be_cards else None

    def _advise(self) -> bool:
        """Return whether one more problem may get advice, and count it."""
        self.advice -= 1
        return self.advice >= 0 and len(self.problems) < MAX_EXPLAINED_PROBLEMS

    def _report(
        self, code: str, message: str, span: Span, help_: str = "", turn: str = "", severity: Severity = ERROR
    ) -> None:
        """Add a problem, unless enough have been reported."""
        if len(self.problems) >= MAX_NAMED:
            return
        if len(self.problems) == MAX_NAMED - 1:
            help_ = phrase(
                "{count} problems of this game are reported; other unreadable text is kept as it is", count=MAX_NAMED
            )
        severity = WARNING if code == ASIDE else severity
        problem = Diagnostic(code, message, self.source, span, severity, help=help_, game=self.number, turn=turn)
        self.problems.append(problem)

    def _reject(self, code: str, message: str, text: str, span: Span, help_: str = "", turn: str = "") -> None:
        """Report a line, and keep it. It may be a misspelt header, and so it doesn't end the headers."""
        self._report(code, message, span, help_, turn)
        self._follow(BadLine(text, span.line))

    def finish(self) -> Game:
        """Return the game read so far."""
        if self.result is None:
            self._close_turn()
            if any(problem.code == ASIDE for problem in self.problems):
                self._find_result()
        result = self.result
        if result is not None and self._after:
            result = replace(result, after=tuple(self._after))
        headers, preface = self.headers, self._preface
        if headers and preface:  # lines that begin like headers come first: after others they would begin a game
            preface.sort(key=lambda entry: not (isinstance(entry, BadLine) and entry.text.startswith("[")))
        if [name for name, _ in headers] != _IN_ORDER:
            headers = canonical_headers(headers)
        return Game(Record(tuple(headers), tuple(preface), self.turns, result), self.source, self.problems, self.number)

    def _find_result(self) -> None:
        """Take the last line that means a result as the result, unless a header says something else."""
        from .asides import intended_result

        said = next((value.strip() for name, value in self.headers if name.lower() == "result"), "")
        for place in reversed(range(len(self.turns))):
            after = self.turns.rest(place).after
            for at in reversed(range(len(after))):
                line = after[at]
                if not isinstance(line, BadLine):
                    continue
                known = LINES[line.text] if re.fullmatch(_SCORE, line.text) or line.text[:1] == "*" else None
                meant = known if isinstance(known, Result) else intended_result(line.text)
                if meant is not None and (said in ("", "?", "*") or _score(meant) in (said, said.partition(">")[0])):
                    later = after[at + 1 :] if place == len(self.turns) - 1 else ()
                    later = later if all(isinstance(each, Comment | BadLine) for each in later) else ()
                    self.turns.attach_followers((*after[:at], *after[at + 1 + len(later) :]), place)
                    self.result = replace(meant, after=later, line=line.line)
                    return


def _score(result: Result) -> str:
    return score_text(replace(result, winner=None)) if result.points else score_text(result)


_MISPLACED: Final[Messages] = {
    Result: ("a second result", "a game has one result, on its last line"),
    Ruling: ("a ruling without a turn before it", "a ruling follows the turn that it refers to"),
    Alternative: ("an alternative without a turn before it", "an alternative follows the turn that it refers to"),
}
"""What a line says → what is wrong with it if it is in the wrong place, and what to do."""


def _size(line: str) -> int:
    return len(line) if line.isascii() else len(line.encode("utf-8", "surrogatepass"))


_UNDECODED: Final = re.compile(r"[\0\udc80-\udcff]+")


_INDENT: Final = re.compile("[\\s\ufeff]*")


def start_of(line: str, start: int = 0) -> int:
    """Return where a line's text begins. Byte order marks of joined files count as space."""
    if " " < line[start : start + 1] < "\x7f":
        return start
    indent = _INDENT.match(line, start)
    return indent.end() if indent else start


_HEADERS: Final = r'\[\s*[A-Za-z]\w*\s*"(?:\\.|[^"\\])*"\s*\]'
_LABEL_PREFIX: Final = r"(?:(?:\{[^}]*\}|@[^\s{;]*)\s*)*"
"""Comments and clocks before a label."""
_SCORE: Final = r"([0-9]{1,3})[-:–—/]([0-9]{1,3})(?:>[RE-])?"
_HEAD: Final = re.compile(r"[0-9]+\s+[RE](?!\S)|[^\s{;]+")
