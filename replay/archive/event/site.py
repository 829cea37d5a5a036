"""The pages of an event, which need no server: standings and rounds, players, games, all records, and a feed."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ....notation.reader import parse
from ...analysis.timeline import Untold, timeline
from ...export.page import page
from ...export.templating import sealed, template
from ...processes.pool import map_in_order
from ...report import program_version
from ...storage import Unable
from ...storage.files import replacing
from .standings import PlayerScore, StandingsTable, figure, mark, standings
from .telling import HEADS
from .todo import Decided, EventState

MANIFEST: Final = "site.json"
"""What was made of what, so that only what has changed is made again; and by which a site is known as ours."""
_OURS: Final = re.compile(r"games/r\d+-\d+\.html")
_RESULTS: Final = ("1 – 0", "0 – 1", "½ – ½", "0 – 0")


def write_site(state: EventState, folder: str, out: str, jobs: int) -> tuple[int, int]:
    """Write the pages of an event to a folder; return how many pages of games were made, and how many stayed.

    Raise Unable where the folder is another's, or lies in that of the event.
    """
    home, place = os.path.realpath(folder), os.path.realpath(out)
    if os.path.commonpath((home, place)) == home:
        raise Unable(f"{out}: this lies in the folder of the event, whose files are read; name another one")
    known = _known(out)
    games = [*_games(state)]
    work = [(game.page, game.text, state.plan.rules) for game in games if known.get(game.page, [""])[0] != game.sum]
    for part in ("games", "players"):
        os.makedirs(os.path.join(out, part), exist_ok=True)
    kept = {game.page: known[game.page] for game in games if known.get(game.page, [""])[0] == game.sum}
    _save(out, kept)  # what is made now is not known before it is whole
    made: dict[str, list[str]] = {}
    now, sums = datetime.now(UTC).isoformat(timespec="seconds"), {game.page: game.sum for game in games}
    for (name, *_), text in map_in_order(_page, work, jobs, lambda _: ""):
        if text:
            _write(out, name, text.encode())
            made[name] = [sums[name], now]
    there = {**kept, **made}
    for name in known.keys() - there.keys():
        os.unlink(os.path.join(out, name))
    _write_rest(state, out, [game for game in games if game.page in there], there)
    _save(out, there)
    return len(made), len(kept)


def _known(out: str) -> dict[str, list[str]]:
    """Return which pages of games there are, of which text each was made, and when."""
    if not os.path.isdir(out) or not os.listdir(out):
        return {}
    try:
        with open(os.path.join(out, MANIFEST), "rb") as stream:
            known = json.load(stream)
        pages = {name: [str(total), str(made)] for name, (total, made) in known["games"].items()}
        return {name: entry for name, entry in pages.items() if _OURS.fullmatch(name) and _is_there(out, name)}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Unable(f"{out}: this folder has something else in it; name an empty one") from None


def _is_there(out: str, name: str) -> bool:
    return os.path.isfile(os.path.join(out, name))


def _games(state: EventState) -> Iterator[SimpleNamespace]:
    """Yield the games that have a record that can be followed, with the names of their pages."""
    count: dict[int, int] = {}
    version = program_version()
    for one in state.decided:
        count[one.pairing.round] = number = count.get(one.pairing.round, 0) + 1
        if one.text:
            total = sha256(f"{version} {state.plan.rules}\n{one.text}".encode("utf-8", "surrogateescape")).hexdigest()
            name = f"r{one.pairing.round}-{number}"
            yield SimpleNamespace(decided=one, text=one.text, page=f"games/{name}.html", sum=total, name=name)


def _page(item: tuple[str, str, str]) -> str:
    """Return the page of a game, an empty text where there is nothing to tell."""
    _, text, rules = item
    try:
        return page([timeline(parse(text)[0], "", rules)], ())
    except Untold:
        return ""


def _write(out: str, name: str, data: bytes) -> None:
    with open(os.path.join(out, name), "wb") as stream:
        stream.write(data)


def _save(out: str, games: dict[str, list[str]]) -> None:
    with replacing(os.path.join(out, MANIFEST)) as stream:
        stream.write(json.dumps({"games": games}).encode())


def _write_rest(state: EventState, out: str, games: list[SimpleNamespace], made: dict[str, list[str]]) -> None:
    """Write everything but the pages of games, which takes no time."""
    table = standings(state.plan, state.decided)
    pages = {id(game.decided): game.page for game in games}
    numbers = {score.name: number for number, score in enumerate(sorted(table.scores, key=lambda one: one.name), 1)}
    players = {name: f"players/{number}.html" for name, number in numbers.items()}
    rounds: dict[int, list[SimpleNamespace]] = {}
    for one in state.decided:
        rounds.setdefault(one.pairing.round, []).append(_row(one, pages))
    event = {name: state.plan.data.get(name, "") for name in ("place", "dates", "rules")} | {"name": state.plan.name}
    frame: dict[str, Any] = {"event": event, "players": players, "table": _table(state, table)} | sealed(
        ("event.css",), ()
    )
    form = template("event.html.j2")
    rows = sorted(rounds.items())
    _write(out, "index.html", form.render(**frame, rounds=rows, player=None, root="").encode())
    for score in table.scores:
        own = [(number, [row for row in some if score.name in row.names]) for number, some in rows]
        known = next((one for one in state.plan.players if one.name == score.name), None)
        told = SimpleNamespace(name=score.name, rank=score.rank, points=figure(score.points), club=known and known.club)
        text = form.render(**frame, rounds=own, player=told, root="../")
        _write(out, players[score.name], text.encode())
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for game in games:
            archive.writestr(ZipInfo(f"{game.name}.tiro"), game.text.encode("utf-8", "surrogateescape"), ZIP_DEFLATED)
    _write(out, "records.zip", packed.getvalue())
    entries = [(made[game.page][1], game.page, made[game.page][0], _row(game.decided, pages)) for game in games]
    entries.sort(key=lambda one: one[:2], reverse=True)
    _write(out, "feed.xml", template("event.xml.j2").render(event=event, entries=entries).encode())


def _row(one: Decided, pages: dict[int, str]) -> SimpleNamespace:
    """Return what a list of games says of one."""
    result = "" if one.winner is None else _RESULTS[one.winner] + (" by forfeit" if one.forfeit else "")
    return SimpleNamespace(
        names=[name for name in (one.pairing.caesar, one.pairing.cleopatra) if name],
        result=result if one.pairing.kind == "game" else one.pairing.kind,
        points=f"{one.points[0]}-{one.points[1]}" if one.points else "",
        why=one.why,
        page=pages.get(id(one), ""),
    )


def _table(state: EventState, table: StandingsTable) -> SimpleNamespace:
    breaks = state.plan.tie_breaks
    heads = [(HEADS[name], name) for name in breaks]

    def cells(score: PlayerScore) -> list[str]:
        return [figure(score.values[name]) if name in score.values else "" for name in breaks]

    rounds = range(1, table.after + 1)
    rows = []
    for score in table.scores:
        got = {each.round: mark(each) for each in score.rounds}
        marks = [got.get(number, "?") for number in rounds]
        rows.append(
            SimpleNamespace(
                rank=score.rank, name=score.name, points=figure(score.points), cells=cells(score), marks=marks
            )
        )
    return SimpleNamespace(after=table.after, heads=heads, rounds=rounds, rows=rows)
