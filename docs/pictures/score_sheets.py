"""The score sheets that people print and write on: A4 and A5, blank or with a game filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import tironian
from tironian.notation.language import GROUPS, Messages, language, languages, phrase, speaking
from tironian.notation.language import PLAYERS as NAMES

EXAMPLE = Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro"
MARGIN = 10.0
HEADING = 38.0
SCORING = 34.0
INK, QUIET, LINE, PEN = "#1c1b19", "#5b5850", "#a3a199", "#1f3a93"
PLAYERS = {"Caesar": ("#b84a00", "M0 -1.4L1.5 1.1H-1.5Z"), "Cleopatra": ("#0067a3", "M0 1.4L1.5 -1.1H-1.5Z")}
"""Each player's colour and sign; a path, since not every font has the sign."""
HEADERS: Messages = (("Event", "Round"), ("Site", "Date"), ("Caesar", "Cleopatra"), ("Rules", "Result"))
COLUMNS: Messages = (("turn", 0.0), ("cards and action", 0.08), ("votes", 0.43), ("drawn", 0.8), ("clock", 0.91))
"""What stands in a turn, and where it begins, as a share of the width."""
SCORED: Messages = (*"PQAKC", "missions", "penalty", "points")
"""Groups by their letters, and what else is counted."""
FOOT: Messages = (
    "5Q face up · (3)A face down · x4P assassination · sA(52) scout · wA wrath of the gods · cA(53)Q(1) castling",
    "v veto · =A43:53>E vote, Rome's cards first · *A… special vote · =o no vote · =r all go back · +3x draws",
)
"""The words that are needed most."""
Written = dict[str, str]
"""What is written where: at a header, in a column of a turn (``3E votes``), in the scoring (``Caesar A``)."""


@dataclass(frozen=True)
class Sheet:
    """One side of paper: its size, the turns on it, and whether it is the first and the last of a game."""

    width: float
    height: float
    turns: range
    is_first: bool = True
    is_last: bool = True


SHEETS = {
    "score-sheet-a4": Sheet(210, 297, range(18)),
    "score-sheet-a5-front": Sheet(148, 210, range(11), is_last=False),
    "score-sheet-a5-back": Sheet(148, 210, range(11, 22), is_first=False),
}


def sheets() -> Iterator[tuple[str, str]]:
    """Yield the name and the SVG of each sheet; those of other languages than English lie in folders of their own."""
    for code in languages():
        with speaking(language(code)):
            folder = "" if code == "en" else f"{code}/"
            for name, sheet in SHEETS.items():
                yield folder + name, drawn(sheet, {})
            yield f"{folder}score-sheet-example", drawn(SHEETS["score-sheet-a4"], written(EXAMPLE))


def written(path: Path) -> Written:
    """Return what stands on the sheet of a game."""
    (game,) = tironian.read(str(path))
    found = {name: game.record.header(name) for row in HEADERS for name in row}
    for turn in game.record.turns:
        label, *words = tironian.turn_text(turn).split()
        for word in words:
            column = "cards and action"
            if label[0] != "0":
                column = "votes" if word[0] in "=*m" else "drawn" if word[0] == "+" else column
            place = f"{label} {column}"
            found[place] = f"{found[place]} {word}" if place in found else word
    score = tironian.check(game).score
    assert score is not None
    for player, side in zip(PLAYERS, score.sides, strict=True):
        points = (*(row[-1] for row in side.rows), side.mission_points, -side.penalty, side.points)
        found |= {f"{player} {name}": str(each) for name, each in zip(SCORED, points, strict=True)}
    return found


def drawn(sheet: Sheet, filled: Written) -> str:
    """Return a sheet as SVG."""
    left, right, top, bottom = MARGIN, sheet.width - MARGIN, MARGIN, sheet.height - MARGIN
    parts = [f'<rect width="{sheet.width:g}" height="{sheet.height:g}" fill="#ffffff"/>']
    for number, line in enumerate(FOOT):
        parts.append(text(left, bottom - 3.2 + 3.4 * number, phrase(line), 2.9 if sheet.width > 200 else 2.35, QUIET))
    bottom -= 8
    if sheet.is_first:
        parts += heading(left, right, top, filled)
        top += HEADING
    if sheet.is_last:
        parts += scoring(left, right, bottom - SCORING + 6, filled)
        bottom -= SCORING
    parts += turns(sheet.turns, left, right, top, bottom, filled)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width:g}mm" height="{sheet.height:g}mm" '
        f'viewBox="0 0 {sheet.width:g} {sheet.height:g}" font-family="Helvetica, Arial, sans-serif">\n{body}\n</svg>\n'
    )


def heading(left: float, right: float, top: float, filled: Written) -> Iterator[str]:
    """Yield the title, and a line for each header of the record."""
    yield text(left, top + 4, phrase("Caesar & Cleopatra"), 5.2, weight="bold")
    yield text(right, top + 4, phrase("score sheet"), 3.4, QUIET, anchor="end")
    middle = (left + right) / 2
    for number, names in enumerate(HEADERS):
        line = top + 12 + 6.2 * number
        for name, start, end in zip(names, (left, middle + 2), (middle - 2, right), strict=True):
            if name in PLAYERS:
                yield sign(name, start + 1.5, line - 1)
            yield text(start + 4 * (name in PLAYERS), line, player_name(name) if name in PLAYERS else phrase(name), 3)
            yield rule(start + 21, line + 0.8, end, line + 0.8)
            yield pen(start + 22, line, filled.get(name, ""))


def turns(which: range, left: float, right: float, top: float, bottom: float, filled: Written) -> Iterator[str]:
    """Yield a row for each side's turn, with a stronger line below each pair; the set-up is turn 0."""
    places = [left + share * (right - left) for _, share in COLUMNS]
    for (name, _), place in zip(COLUMNS, places, strict=True):
        yield text(place + 1, top - 1.2, phrase(name), 2.6, QUIET)
    height = (bottom - top) / (2 * len(which))
    labels = [f"{turn}{side}" for turn in which for side in ("ER" if turn else "RE")]
    for number, label in enumerate(labels):
        line = top + height * (number + 1)
        player = [*PLAYERS]["RE".index(label[-1])]
        yield text(left + 1, line - 1.7, label, 3.2, PLAYERS[player][0], weight="bold")
        yield rule(left, line, right, line, 0.35 if number % 2 else 0.15)
        for (name, _), place in zip(COLUMNS[1:], places[1:], strict=True):
            yield pen(place + 1, line - 1.6, filled.get(f"{label} {name}", ""), 2.9 if right > 150 else 2.5)
        for place in places[1:]:
            if label[0] != "0":
                yield rule(place, line - height, place, line)
    yield rule(left, top, right, top, 0.35)


def scoring(left: float, right: float, top: float, filled: Written) -> Iterator[str]:
    """Yield the points of both sides, part by part, and where both sign."""
    wide = (right - left - 24) / len(SCORED)
    for place, name in enumerate(SCORED):
        start = left + 24 + place * wide
        said = GROUPS["ACKPQS".index(name)].bare if len(name) == 1 else phrase(name)
        yield text(start + wide / 2, top - 1.2, said, 2.6, QUIET, anchor="middle")
        for row, player in enumerate(PLAYERS):
            yield rule(start, top + 6 * row, start, top + 6 * (row + 1))
            yield pen(start + wide / 2, top + 6 * row + 4.2, filled.get(f"{player} {name}", ""), anchor="middle")
    for row, player in enumerate(PLAYERS):
        yield rule(left, top + 6 * row, right, top + 6 * row)
        yield sign(player, left + 2.5, top + 6 * row + 3)
        yield text(left + 5.5, top + 6 * row + 4.1, player_name(player), 3)
    yield rule(left, top + 12, right, top + 12)
    yield rule(right, top, right, top + 12)
    middle = (left + right) / 2
    sums = phrase("A patrician is a point, a majority one more, the whole group one more.")
    yield text(left, top + 17, sums, 2.6, QUIET)
    for player, start, end in zip(PLAYERS, (left, middle + 2), (middle - 2, right), strict=True):
        yield text(start, top + 24, phrase("signed {player}", player=player_name(player)), 3)
        yield rule(start + 29, top + 24.8, end, top + 24.8)


def player_name(player: str) -> str:
    """Return a player's name in the language of the sheet."""
    return NAMES[[*PLAYERS].index(player)].name


# ----------------------------------------------------------------------------------------------------------- marks


def text(x: float, y: float, words: str, size: float, fill: str = INK, **more: str) -> str:
    """Return words as they are printed."""
    more = {"text-anchor" if name == "anchor" else f"font-{name}": value for name, value in more.items()}
    how = "".join(f' {name}="{value}"' for name, value in more.items())
    return f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" fill="{fill}"{how}>{escape(words)}</text>'


def pen(x: float, y: float, words: str, size: float = 3.4, anchor: str = "start") -> str:
    """Return words as they are written by hand."""
    return text(x, y, words, size, PEN, style="italic", anchor=anchor) if words else ""


def rule(x1: float, y1: float, x2: float, y2: float, width: float = 0.2) -> str:
    """Return a line."""
    return f'<path d="M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}" stroke="{LINE}" stroke-width="{width:g}" fill="none"/>'


def sign(player: str, x: float, y: float) -> str:
    """Return the sign of a player."""
    colour, path = PLAYERS[player]
    return f'<path transform="translate({x:.2f} {y:.2f})" d="{path}" fill="{colour}"/>'
