"""The pages of an event: standings and rounds, players, games, all records, and a feed. They need no server."""

from __future__ import annotations

import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...notation.basics import program_version
from ...notation.language import ENGLISH, PLAYERS, Messages, number_word, ordinal, phrase, plural, spoken
from ...notation.records import parse, write
from ...replay.diagnostics.api import capital, join
from ...replay.engine.api import ChosenView
from ...replay.knowledge.api import view as redacted
from ...replay.story.api import NoTimeline, replayed, timeline
from ...replay.story.votes import trees
from ..processes.pool import map_in_order
from ..render.pages import Scale, page, sealed, template, trace
from ..storage.api import CannotRun, replacing
from ..storage.sources import SITE
from .facts import Decided, Fact, fact
from .standings import PlayerScore, StandingsTable, figure, mark, points_words, standings
from .telling import standings_table
from .todo import EventState
from .words import said

RECORDS: Final = "records.zip"
_OURS: Final = re.compile(r"games/r\d+-\d+\.html")
RACE: Final = (300, 72)
"""The width and height of the picture of a game's points."""
_RESULTS: Final = ("10", "01", "½½", "00")
"""What Rome and Egypt get if Rome, Egypt, both or neither win."""


class GamePage(NamedTuple):
    """A game's page, called ``name``: the record as shown and in full, the point of view, and the program that makes
    it, with its language if that is not English.
    """

    name: str
    seen: str
    rules: str
    event: str
    viewpoint: ChosenView
    version: str
    text: str

    @property
    def sum(self) -> str:
        """Return a checksum that changes with the page, and from which no hidden card can be guessed."""
        return sha256("\0".join(self[:-1]).encode("utf-8", "surrogateescape")).hexdigest()


def write_site(state: EventState, folder: str, out: str, jobs: int) -> tuple[int, int]:
    """Write the pages of an event to a folder; return how many game pages were made, and how many were kept.

    As long as cards are secret, and as long as it is not over, a game is shown as spectators see it, and its record is
    left out. Raise CannotRun if the folder holds something else, or is inside the event's folder.
    """
    home, place = os.path.realpath(folder), os.path.realpath(out)
    if os.path.commonpath((home, place)) == home:
        why = phrase("this is inside the event's folder, whose files are being read; name another folder")
        raise CannotRun(f"{out}: {why}")
    site, known = Path(out), _known(Path(out))
    until = state.plan.data.get("secret-until", "")
    secret = until if f"{date.today():%Y.%m.%d}" < until else ""
    games = {game.name: (game, one) for one, game in _games(state, bool(secret), jobs)}
    there = {name: known[name] for name, (game, _) in games.items() if known.get(name, [""])[0] == game.sum}
    site.mkdir(parents=True, exist_ok=True)
    _save(site, there)  # the new files count only once they are complete; until it is there, the folder is empty
    for part in ("games", "players"):
        (site / part).mkdir(exist_ok=True)
    work, kept, now = [game for game, _ in games.values() if game.name not in there], len(there), datetime.now(UTC)
    for game, (text, *race) in map_in_order(_page, work, jobs, lambda _: ("",)):
        if text:
            (site / game.name).write_bytes(text.encode())
            there[game.name] = [game.sum, now.isoformat(timespec="seconds"), *race]
    for name in known.keys() - there.keys():
        (site / name).unlink()
    _write_rest(state, site, {name: one for name, (_, one) in games.items() if name in there}, there, secret)
    _save(site, there)
    return len(there) - kept, kept


def _known(site: Path) -> dict[str, list[str]]:
    """Return which game pages exist, with the checksum that each was made from, when it was made, and its race as
    :func:`_page` returns it. One that was made without its race has no checksum, so it is made again.
    """
    if not site.is_dir() or not any(site.iterdir()):
        return {}
    try:
        known = json.loads((site / SITE).read_bytes())
        games = known["games"].items()
        pages = {
            name: [str(total) * bool(race[3:]), str(made), *map(str, race)] for name, (total, made, *race) in games
        }
        return {name: entry for name, entry in pages.items() if _OURS.fullmatch(name) and (site / name).is_file()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise CannotRun(phrase("{folder}: this folder holds something else; name an empty one", folder=site)) from None


def _save(site: Path, games: dict[str, list[str]]) -> None:
    with replacing(site / SITE) as stream:
        stream.write(json.dumps({"games": games}).encode())


def _games(state: EventState, secret: bool, jobs: int) -> Iterator[tuple[Decided, GamePage]]:
    """Yield the games whose records can be followed, each with its page."""
    count, version, rules = dict[int, int](), program_version(), state.plan.rules
    version += f" {spoken().code}" * (spoken() is not ENGLISH)
    hidden = [(one.text, rules) for one in state.decided if one.text and (secret or not one.is_over)]
    seen = dict(map_in_order(_spectators, hidden, jobs, lambda _: ""))
    for one in state.decided:
        count[one.pairing.round] = number = count.get(one.pairing.round, 0) + 1
        if one.text:
            name = f"games/r{one.pairing.round}-{number}.html"
            text: str = seen.get((one.text, rules), one.text)
            viewpoint: ChosenView = "table" if (one.text, rules) in seen else ""
            yield one, GamePage(name, text, rules, state.plan.name, viewpoint, version, one.text)


def _spectators(game: tuple[str, str]) -> str:
    """Return a record as spectators would have written it."""
    text, rules = game
    return write(redacted(parse(text)[0], "table", rules).record)


def _page(game: GamePage) -> tuple[str, ...]:
    """Return the page of a game, and the race of the points: Rome's and Egypt's as the paths of an SVG picture of the
    size RACE, in words, the last turn, and how far down the paths end, in hundredths. If there is nothing to show,
    return an empty text.
    """
    try:
        read = parse(game.text)[0]
        played = replayed(read, game.rules)
        told = timeline(read, game.viewpoint, game.rules, played=played)
    except NoTimeline:
        return ("",)
    text = page([told], trees(told), records=[game.seen], home=("../index.html", game.event))
    stops = [("", told.start), *[(entry.label, entry.state) for entry in told.entries if entry.state]]
    points = [told.points(state) for _, state in stops]
    (width, height), most = RACE, max(10, *map(max, points))
    xs = [round(width * place / len(points), 1) for place in range(len(points))]
    lines = [trace(xs, side, Scale(height, (height - 2) / most), width + 9) for side in zip(*points, strict=True)]
    words = ", ".join(["–".join(map(str, pair)) for pair, _ in groupby(points)])
    return text, *lines, words, stops[-1][0], *[str(round(100 - 97 * last / most)) for last in points[-1]]


def _write_rest(
    state: EventState, site: Path, shown: dict[str, Decided], made: dict[str, list[str]], secret: str
) -> None:
    """Write everything except the game pages; this takes hardly any time."""
    plan, table = state.plan, standings(state.plan, state.decided)
    names = sorted(score.name for score in table.scores)
    players = {name: f"players/{number}.html" for number, name in enumerate(names, 1)}
    pages = {one.pairing: name for name, one in shown.items()}
    rounds: dict[int, list[SimpleNamespace]] = {}
    for one in state.decided:
        rounds.setdefault(one.pairing.round, []).append(game_row(one, pages.get(one.pairing, ""), made))
    heads, lines = standings_table(plan, table)
    ties = 3 + len(plan.tie_breaks)
    event = {"place": "", "dates": ""} | plan.data | {"name": plan.name}
    frame: dict[str, Any] = {"event": event, "players": players, "after": table.after, "lead": _lead(table)}
    frame |= {"heads": heads[:ties], "ties": [line[:ties] for line in lines], "secret": secret}
    frame |= {"ranks": {score.name: score.rank for score in table.scores}, "race": RACE, **sealed(("event.css",), ())}
    form, rows = template("event.html.j2"), sorted(rounds.items(), reverse=True)
    found = {(pairing.round, name): page for pairing, page in pages.items() for name in pairing.players}
    standing = [Line(score, figure(score.points), [*chips(score, table, found)]) for score in table.scores]
    (site / "index.html").write_bytes(form.render(**frame, rounds=rows, lines=standing, player=None, root="").encode())
    clubs = {player.name: player.club for player in plan.players}
    for line in standing:
        own = [(number, [row for row in some if line.score.name in row.names]) for number, some in rows[::-1]]
        told = {"player": line, "club": clubs.get(line.score.name), "rounds": own, "root": "../"}
        told |= {"place": capital(ordinal(line.score.rank)), "tally": _tally(line), "sums": [*_sums(line.score)]}
        (site / players[line.score.name]).write_bytes(form.render(**frame, lines=standing, **told).encode())
    (site / RECORDS).unlink(missing_ok=True)
    if not secret:
        packed = io.BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
            for name, one in [(name, one) for name, one in shown.items() if one.is_over]:
                entry, data = ZipInfo(f"{Path(name).stem}.tiro"), one.text.encode("utf-8", "surrogateescape")
                archive.writestr(entry, data, ZIP_DEFLATED)
        (site / RECORDS).write_bytes(packed.getvalue())
    entries = [(*made[name][1::-1], name, game_row(one, name, made)) for name, one in shown.items()]
    entries.sort(key=lambda entry: (entry[0], entry[2]), reverse=True)
    (site / "feed.xml").write_bytes(template("event.xml.j2").render(event=event, entries=entries).encode())


class Chip(NamedTuple):
    """A player's result in a round: the ``side`` and the opponent's name, both empty if there was none, the ``result``
    as in :func:`mark` or ``?`` for a game that does not count yet, the words for it, and the game's page.
    """

    side: int | None
    opponent: str
    result: str
    words: str
    page: str


class Line(NamedTuple):
    """A player's line in the standings, with a chip for each result."""

    score: PlayerScore
    points: str
    chips: list[Chip]


_ENDS: Final[Messages] = {
    "forfeit": "by forfeit", "bye": "bye", "absent": "absent", "score": "known by the score alone",
    "equal": "equal points: more patricians decide",
}  # fmt: skip
_RESULT_WORDS: Final[Messages] = {
    "1": "round {round}: won against {other}", "½": "round {round}: drew with {other}",
    "0": "round {round}: lost to {other}", "+": "round {round}: won by forfeit against {other}",
    "-": "round {round}: lost by forfeit to {other}", "?": "round {round}: against {other}, not counted yet",
    "": "round {round}: not paired",
}  # fmt: skip


def chips(score: PlayerScore, table: StandingsTable, pages: dict[tuple[int, str], str]) -> Iterator[Chip]:
    """Yield a player's results, round by round; ``pages`` has those of the games."""
    for number in range(1, table.after + 1):
        page = pages.get((number, score.name), "")
        for each in score.in_round(number):
            words = _RESULT_WORDS[mark(each) if each.opponent else ""]
            side = each.side if each.opponent else None
            yield Chip(side, each.opponent, mark(each), phrase(words, round=number, other=each.opponent), page)
        for one in table.left_out:
            if one.pairing.round == number and score.name in one.pairing.players:
                side = int(one.pairing.cleopatra == score.name)
                other = one.pairing.names[1 - side]
                yield Chip(side, other, "?", phrase(_RESULT_WORDS["?"], round=number, other=other), page)


def _tally(line: Line) -> str:
    """Return how many games a player won, drew and lost, and how many do not count yet."""
    counts = Counter(chip.result for chip in line.chips)
    won, lost, drawn, open_ = counts["1"] + counts["+"], counts["0"] + counts["-"], counts["½"], counts["?"]
    kinds = [(won, phrase("{count} won", count=won)), (drawn, phrase("{count} drawn", count=drawn))]
    kinds += [(lost, phrase("{count} lost", count=lost)), (open_, phrase("{count} not counted yet", count=open_))]
    games = [words for count, words in kinds if count]
    return f"{join(games)}." if games else ""


def _sums(score: PlayerScore) -> Iterator[tuple[str, str]]:
    """Yield how many of the games that they played a player won on each side, and the points of these games."""
    played = [each for each in score.rounds if each.opponent and each.is_played]
    for side, player in enumerate(PLAYERS[:2]):
        parts = [each.part for each in played if each.side == side]
        won = phrase("{won} of {count} won", won=parts.count(Fraction(1)), count=len(parts))
        yield phrase("as {player.name}", player=player), won if parts else phrase("no game")
    if played:
        own, other = sum(each.own for each in played), sum(each.other for each in played)
        yield phrase("game points for and against"), f"{own} : {other}"


def _lead(table: StandingsTable) -> str:
    """Return who leads the event."""
    if not table.after:
        return phrase("No game counts yet.")
    names = [score.name for score in table.scores if score.rank == 1]
    count, open_, rounds = len(names), len(table.left_out), table.after
    facts = {"names": join(names), "points": points_words(table.scores[0].points)}
    facts["rounds"] = plural("{number} round", "{number} rounds", rounds, number=number_word(rounds))
    if not open_:
        return plural(
            "{names} leads, with {points} after {rounds}.", "{names} lead, with {points} after {rounds}.",
            count, **facts,
        )  # fmt: skip
    number = capital(number_word(open_))
    left = plural("{number} game is not counted yet.", "{number} games are not counted yet.", open_, number=number)
    lead = plural(
        "{names} leads so far, with {points} after {rounds}.", "{names} lead so far, with {points} after {rounds}.",
        count, **facts,
    )  # fmt: skip
    return f"{lead} {left}"


def game_row(one: Decided, page: str, made: dict[str, list[str]]) -> SimpleNamespace:
    """Return a game's entry in a list: its page, its race, and for each player the name, their score, and the game's
    points.
    """
    names = [name for name in (one.pairing.caesar, one.pairing.cleopatra) if name]
    parts = ("", "") if one.winner is None else _RESULTS[one.winner]
    sides = [*zip(names, parts, one.points or ("", ""), strict=False)]
    kind = "forfeit" if one.forfeit else "" if one.pairing.kind == "game" else one.pairing.kind
    kind = "score" if one.by_score else kind
    if not kind and one.points and one.points[0] == one.points[1] and one.winner in (0, 1):
        kind = "equal"
    is_illegal = isinstance(one.why, Fact) and one.why.facts.get("kind") == fact("illegal")
    why = said(fact("illegal") if is_illegal else one.why)  # the rest names cards
    told = {"how": kind, "kind": phrase(_ENDS[kind]) if kind else "", "why": why, "is_there": bool(one.places)}
    told["table"] = one.pairing.table
    return SimpleNamespace(names=names, sides=sides, page=page, race=made.get(page, [])[2:], **told)
