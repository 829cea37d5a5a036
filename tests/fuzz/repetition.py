"""Crafted inputs: a few words, lines or games said over and over, as a seed says."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, cycle, islice
from random import Random

import tironian
from reports import write_all
from tironian import EDITION_NAMES, load_edition, parse, simulate, write
from tironian.tools.archive.checker import ChunkChecker
from tironian.tools.archive.chunks import Chunk
from tironian.tools.report import reporter

LIMIT = 99_000
"""Bytes of the largest input."""
WIDEST = 19_900
"""Characters of the longest line that is read."""
VIEWS = ("arbiter", "caesar", "cleopatra", "table")
WORDS = """
1A 5Q pS 4P (1)A (5)Q (p)S (i)A (i)P x4P xpA x(2)P x(i)P x(2)P#2 xP xP#3 sA sA() sA(52) sA(i2p5) wA wQ cA(53)Q(1)
cA(ii)Q(i) cA()Q() cAQ cPP y y4 yv y4+i yx+a y[3345x]4 y[33] y[] v v+3 v+a - -34 -ia +3 +34 +ia +pxswcyvia =A =A>R
=A>E =A>- =A433:52>R =A433:52 =A:52>E =A: =Aii:i =A433p:52i>- *A433:5522>R *A>- *Q *P:3>E =o =r =A- mR1 mE2 mE?
m(12,A) m(each) m(?) m("x") a(cvv) h(135xv) g(AAQ) d(55x) b(APoor) (1)P (2)Q (3)A (4)K (5)C +v
! $4 @1:02:33 {} {a} {b;c} zz 4Z (3 =A4 +0 5Q4P x( m(13 "a { z{number} 4{number} {number}Q =A{number}:3 @{number}
""".split()  # noqa: SIM905
LONG = ("={0}", "*{0}", "+{0}", "-{0}", "y[{0}]4", "sA({0})", "cA({0})Q({0})", "m({0})", "a({0})", "h({0})", "d({0})")
LONG += ("g({0})", "b({0})", "{{{0}}}", ";{0}", "z{0}", '"{0}', "(({0}")
FILLINGS = ("3", "i", "a", "v", "A", "o", "Ar", "A3:", "1,", "?,", "A,", '"",', "p5", "xy", "3 ", "{", "(", '\\"')
LINES = """
; a remark
{in braces}
| {label} 4P
| {label} (3)A (4)Q +ii
| {label} =A =A
% R stands
% E stands R203 R206: so it was
% R back
% E penalty 2 R501
% nothing
% X stands
*
17-13>E
17-13 mR+ mE-
[Event "?"]
[Note{number} "?"]
[Event "{number}"]
[Rules "2024"]
[no header
{label}
{label} -
{label} =o
{label} (i)A (i)P =r
1R -
0R
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
word word
word {number}
{open
"
9999E 5Q
""".strip().splitlines()


Lines = Callable[[float], Iterator[str]]
"""Lines without end; the argument is the width of wide ones as a share of what it is at most."""


@dataclass(frozen=True)
class Repetition:
    """An input of any size: lines before, and then lines without end. ``name`` says what it is made of."""

    name: str
    head: str
    lines: Lines

    def text(self, size: int) -> str:
        """Return so many whole lines that they stay below ``size`` bytes, each as wide as suits that size."""
        found, left = [self.head], size - len(self.head.encode())
        for line in self.lines(size / LIMIT):
            left -= len(line.encode()) + 1
            if left < 0:
                break
            found.append(line + "\n")
        return "".join(found)


@cache
def played(name: str, seed: int, view: str) -> tuple[str, ...]:
    """The lines of a simulated game, as somebody saw it."""
    record = simulate(load_edition(name), seed)
    if view != "arbiter":
        (game,) = parse(write(record))
        record = tironian.view(game, view).record
    return tuple(write(record).splitlines())


def labels(rng: Random, body: list[str]) -> Callable[[], Iterator[str]]:
    """Return labels of turns behind those of a game: those that are due, one again and again, or one side's."""
    kind, first = rng.choice(("due", "due", "due", "same", "side")), max(0, len(body) - 2)

    def due() -> Iterator[str]:
        for number in count(first):
            yield {"due": f"{number // 2 + 1}{'ER'[number % 2]}", "same": "1E", "side": f"{number}R"}[kind]

    return due


def repetition(seed: int) -> Repetition:
    """The input of a seed."""
    rng = Random(f"repetition {seed}")
    name, view = EDITION_NAMES[seed % len(EDITION_NAMES)], rng.choice(VIEWS)
    game = played(name, rng.randrange(20), view)
    blank = game.index("")
    headers, body = list(game[:blank]), list(game[blank + 1 :])
    if rng.random() < 0.2:
        headers.append('[Setup "position"]')
    make = rng.choice((turns, turns, turns, long_words, followers, mixtures, games, headings, materials))
    start = rng.choice((0, 2, 2, 2, 2 + rng.randrange(40)))
    if make in (turns, long_words, followers):
        del body[start:]
    told, lines = make(rng, headers, body)
    begun = {games: "", headings: "", materials: "\n".join([*headers, "", ""])}
    head = begun.get(make, "\n".join([*headers, "", *body[:start], ""]))
    return Repetition(f"{seed} {make.__name__} {name} {view} {start}: {told}"[:150], head, lines)


def filled(line: str, label: str, number: int) -> str:
    """A line with its label and its number."""
    return line.replace("{label}", label).replace("{number}", str(number))


Made = tuple[str, Lines]


def turns(rng: Random, headers: list[str], body: list[str]) -> Made:
    """Turns of some words, so many in each."""
    words = [rng.choice(WORDS) for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 6)))]
    width = min(rng.choice((1, 2, 7, 40, 300, 2000, 10_000)), WIDEST // max(map(len, words)) - 1)
    due = labels(rng, body)

    def lines(share: float) -> Iterator[str]:
        wide = max(1, int(width * share)) if width > 20 else width
        for label in due():
            line = " ".join([label, *islice(cycle(words), wide)])
            yield line.replace("{number}", label[:-1])[:WIDEST]

    return f"{width} × {' '.join(words)}", lines


def long_words(rng: Random, headers: list[str], body: list[str]) -> Made:
    """Words that go on and on."""
    shape, filling, width = rng.choice(LONG), rng.choice(FILLINGS), rng.choice((10, 100, 1000, 9000))
    times, due = rng.choice((1, 20, 2000)), labels(rng, body)

    def lines(share: float) -> Iterator[str]:
        wide = width if width < 100 else min(int(width * share), WIDEST // 2 - 20)
        word = shape.format((filling * wide)[:wide])
        for label in due():
            yield " ".join([label, *[word] * min(times, WIDEST // len(word) + 1)])[:WIDEST]

    return f"{times} × {shape} with {width} of {filling}", lines


def materials(rng: Random, headers: list[str], body: list[str]) -> Made:
    """Set-up lines of a position, with more and more cards."""
    shapes = [
        (shape, filling, rng.choice((0, 3, 900, 3900)))
        for shape, filling in (
            ("h({0})", rng.choice(("3", "i", "v", "12345pxswcyv"))),
            ("d({0})", rng.choice(("3", "i", "v", "12345pxswcyv"))), ("g({0})", rng.choice(("A", "ACKPQS"))),
            ("a({0})", rng.choice(("v", "xswcyv", "a"))), ("b({0})", rng.choice(("A", "o", "ACKPQSor"))),
            ("+{0}3", rng.choice(("3", "i", "v"))), ("m({0}?)", rng.choice(("A,", "12,", "each,"))),
            ("{0}3Q", rng.choice(("(i)A ", "3Q ", "pS ", "(5)Q (3)Q "))),
        )
        if rng.random() < 0.5
    ] or [("h({0})", "3", 3900)]  # fmt: skip
    headers.append('[Setup "position"]')

    def lines(share: float) -> Iterator[str]:
        share *= min(1, WIDEST / sum(len(filling) * times + 5 for _, filling, times in shapes))
        words = [shape.format(filling * int(times * (share if times > 9 else 1))) for shape, filling, times in shapes]
        yield f"0R {' '.join(words)}"
        yield f"0E {' '.join(reversed(words))}"
        for label in labels(Random(1), [])():
            yield f"{label} {' '.join(words[-2:])}"

    return ", ".join(f"{times} × {shape} {filling}" for shape, filling, times in shapes), lines


def followers(rng: Random, headers: list[str], body: list[str]) -> Made:
    """Lines of one or two kinds behind a turn or in place of one, over and over."""
    some = [rng.choice(LINES) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    every, due = rng.choice((1, 3, 50, 10**9)), labels(rng, body)

    def lines(_share: float) -> Iterator[str]:
        label, coming = "", due()
        for number, line in enumerate(cycle(some)):
            if number % every == 0:
                label = next(coming)
                yield f"{label} -"
            yield filled(line, label, number)

    return f"every {every} {' / '.join(some)}", lines


def mixtures(rng: Random, headers: list[str], body: list[str]) -> Made:
    """The turns of a game over and over, a line of another kind behind each, or a word in each."""
    word, line, whole = rng.choice(WORDS), rng.choice(["", *LINES]), rng.random() < 0.5
    rest = body[2:-1]

    def lines(_share: float) -> Iterator[str]:
        for number, turn in enumerate(cycle(rest)):
            label, _, words = turn.partition(" ")
            if not whole:
                label = f"{number // len(rest) * len(rest) // 2 + int(label[:-1])}{label[-1]}"
            yield f"{label} {words} {word}"
            if line:
                yield filled(line, label, number)

    return f"{word} {line} {whole}", lines


def games(rng: Random, headers: list[str], body: list[str]) -> Made:
    """Games over and over: so many of their lines, a word in each, a line behind each."""
    count_, words = rng.choice((0, 2, 3, 5, 20, 100)), [rng.choice(["", "", *WORDS]) for _ in range(2)]
    line, head = rng.choice(["", "", *LINES]), rng.choice((headers, headers, headers[:1], [headers[0], headers[3]]))

    def lines(_share: float) -> Iterator[str]:
        for number in count():
            yield from head
            yield ""
            for turn in body[:count_]:
                yield f"{turn} {words[number % 2]}".strip()
            if line:
                yield filled(line, "1E", number)
            yield ""

    return f"{count_} {words} {line} {len(head)}", lines


def headings(rng: Random, headers: list[str], body: list[str]) -> Made:
    """Headers over and over."""
    names = rng.sample(("Event", "Note{number}", "Rules", "Evnt", "View", "Checksum", "Signed", "Rulings", "Result"), 2)
    value = rng.choice(("?", "{number}", "x" * 300, '\\"' * 50, "17-13", "2024", "option=value " * 20, ""))
    some, seldom = rng.choice((headers, headers[:1], [])), rng.choice((1, 10**9))

    def lines(_share: float) -> Iterator[str]:
        yield from some
        for number in count():
            name = names[number % 2 if seldom == 1 else 0].replace("{number}", str(number))
            yield f'[{name} "{value.replace("{number}", str(number))}"]'

    return f"{names} {value[:20]} {len(some)} {seldom}", lines


def checked(text: str, form: str = "text") -> int:
    """Do everything that ``tiro check`` does with a text; return the number of diagnostics."""
    reports = ChunkChecker(moves=True).reports(Chunk("crafted.tiro", text.encode(), last=True))
    write_all(reporter(form, io.StringIO(), colour=False), reports)
    return sum(len(report.diagnostics) for report in reports)
