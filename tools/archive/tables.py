"""An archive as tables: their columns, with types, units and meaning; the rows that a game yields; and their files.

    DIR/games/part-000000.parquet, …, DIR/turns/…, DIR/events/…, DIR/votes/…, … DIR/export.json, which says whether
    everything is written

In all tables a game is named by its file and its first line there, so any process that reads a part of an archive can
write its rows without counting what others read. A part is written in one step, under a name that depends only on its
place in the archive, so repeating work after a machine was lost gives the same result.
"""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, reduce
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_type_hints

from ...notation.basics import CARD_LETTERS, GROUP_NAMES, INFLUENCE_CARDS, PHILOSOPHER, dataclass, letters
from ...notation.language import phrase
from ...notation.records import ERROR, RULED, WARNING, Movetext, code_text, known_text, score_text
from ...notation.records import tokens as t
from ...replay.checking.api import Verdict
from ...replay.diagnostics.api import UNCHECKED
from ...replay.engine.api import TERMINATIONS, VIEWS, WINNERS, is_taken_back
from ...replay.rules.api import EDITION_NAMES, Edition
from ...replay.rules.core import KIND, SPECIAL_VOTE, VOTE, Codes, VoteContent, ballot_of, decode, is_whole, winner_of
from ...replay.story.api import NOT_FOLLOWED, PLAYED, SET_UP, TAKEN_BACK
from ..report.api import SIDES, CountedGame, GameReport, failed_report
from ..storage.api import CannotRun, is_address, replacing, stores
from ..storage.sources import reason
from .checker import CheckedGame, ChunkChecker, ChunkGroup, ChunkResult, GameItem, unreadable_report

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter


_VALUES: Final[dict[str, Iterable[str]]] = {
    "events": [kind.event for kind in t.KINDS.values()],
    "groups": GROUP_NAMES,
    "cards": CARD_LETTERS,
    "editions": EDITION_NAMES,
    "views": VIEWS,
    "terminations": TERMINATIONS,
}
_LISTS: Final = {name: ", ".join(dict.fromkeys(f"`{value}`" for value in values)) for name, values in _VALUES.items()}
_TEXT: Final = (get_data(__name__, "tables.toml") or b"").decode()
_DESCRIBED: Final = tomllib.loads(re.sub(r"\{(\w+)\}", lambda listed: _LISTS[listed[1]], _TEXT))
_KEY: Final = _DESCRIBED.pop("key")
TABLES: Final[dict[str, dict[str, list[str]]]] = {name: _KEY | columns for name, columns in _DESCRIBED.items()}
"""Table → column → its type and its meaning."""
REPEATS: Final = "repeats"
"""The table that is written last, since only the whole archive shows which games occur twice."""
GROUP: Final = 1000
"""The number of games in a row group."""
LAYOUT: Final = 3
"""Increases when the tables change in a way that affects old queries."""
FORMAT: Final = "tironian-export"
_PART: Final = re.compile(r"(^|/)part-[0-9-]+\.parquet$")
MANIFEST: Final = "export.json"


def schema(name: str) -> pa.Schema:
    """Return the Arrow schema of a table, with the meaning of each column."""
    import pyarrow as pa

    names = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        pa.field(column, names if kind == "name" else pa.type_for_alias(kind), metadata={"meaning": meaning})
        for column, (kind, meaning) in TABLES[name].items()
    )


_TOKENS: Final = ("kind", "card", "group", "hidden", "count", "token")
"""The columns of events whose values are the same for all events with the same codes."""
_TURNS: Final = ("file", "line", "turn", "side", "status")
_TAKEN: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "games": {},
    "headers": {"games": tuple(_KEY)},
    "scores": {"games": tuple(_KEY)},
    "turns": {"games": tuple(_KEY)},
    "tokens": {},
    "events": {"turns": _TURNS, "tokens": _TOKENS},
    "votes": {"events": (*_TURNS, "ply")},
}
"""Table → the tables whose rows its rows belong to → the columns taken from them."""


class TableRows:
    """The rows of all tables, gathered game by game; ``games`` is the number of games.

    If a row takes values from a row of another table, only the place of that row is gathered. So an event is three
    numbers: its turn, its ply, and the contents of its codes, which are computed once, as a row of ``tokens``.
    """

    def __init__(self) -> None:
        self.games = 0
        self._rows: dict[str, list[list[Any]]] = {}
        """Table → its columns: the places of the rows from which values are taken, then its own values."""
        self._known: dict[Codes, int] = {}
        """The codes of a token → its place among the tokens."""
        self._said: list[tuple[Any, ...]] = []
        """The rows of the tokens."""
        self._votes: dict[int, tuple[type[t.AnyVote], VoteContent]] = {}
        """Place among the tokens → the class of the vote, and its contents."""
        self._begin()

    def _begin(self) -> None:
        self.games = 0
        self._rows = {name: [[] for _ in (*_TAKEN[name], *_own(name))] for name in _TAKEN}
        self._known, self._said, self._votes = {}, [], {}

    def add(self, checked: CheckedGame) -> None:
        """Add the rows of a game; none if there is no game."""
        game, verdict = checked.game, checked.verdict
        if game.missing:
            return
        place, first_turn, first_event = (len(self._rows[name][0]) for name in ("games", "turns", "events"))
        text = Movetext.of(game.record.turns)
        numbers, sides, lengths = text.packed.turns()
        turns = range(1, len(numbers) + 1), numbers, [SIDES[side] for side in sides], _statuses(text, verdict), lengths
        tokens, votes = self._tokens(text), self._votes
        voted = [(event, votes[token]) for event, token in enumerate(tokens) if token in votes]
        scores = zip(SIDES, verdict.score.sides, strict=True) if verdict.score else ()
        rows: dict[str, list[tuple[Any, ...]]] = {
            "games": [(game.source.name, checked.report.line, *_game(checked))],
            "headers": [(place, number, *header) for number, header in enumerate(game.record.headers, 1)],
            "scores": [(place, side, GROUP_NAMES[row[0]], *row[1:]) for side, score in scores for row in score.rows],
            "votes": [(first_event + event, *_vote(*vote, verdict.edition)) for event, vote in voted],
        }
        marks = zip(*[_clock_and_glyphs(text.rest(turn).marks) for turn in range(len(text))], strict=True)
        hosts = [turn for turn, length in enumerate(lengths, first_turn) for _ in range(length)]
        for name, found in rows.items():
            self._extend(name, zip(*found, strict=True))
        self._extend("turns", ([place] * len(numbers), *turns, *marks))
        self._extend("events", (hosts, tokens, range(1, len(tokens) + 1)))
        self.games += 1

    def _extend(self, name: str, columns: Iterable[Iterable[Any]]) -> None:
        """Add values to the columns of a table; none if there are no columns."""
        for column, values in zip(self._rows[name], columns, strict=False):
            column += values

    def _tokens(self, text: Movetext) -> list[int]:
        """Return the places of a game's tokens among all tokens."""
        codes: list[int] = list(text.packed.codes)
        pairs = list(zip(codes[::2], codes[1::2], strict=True))
        places: list[Any] = list(map(self._known.get, pairs))
        for at in [at for at, place in enumerate(places) if place is None]:
            places[at] = self._place(pairs[at], text, at)
        return places

    def _place(self, codes: Codes, text: Movetext, at: int) -> int:
        """Return the place of a game's token among all tokens; a new place unless its codes are known and describe it
        completely.
        """
        if codes in self._known:
            return self._known[codes]
        place = len(self._said)
        whole, kind = is_whole(*codes), codes[0] & KIND
        if kind in (VOTE, SPECIAL_VOTE):
            # Most codes occur only once, and making a token from one takes longer than everything else.
            cls, ballot = t.Vote if kind == VOTE else t.SpecialVote, ballot_of(*codes)
            said = t.KINDS[cls].event, None, GROUP_NAMES[ballot[0]], None, None, code_text(*codes)
            self._votes[place] = cls, ballot
        else:
            token = decode(*codes) if whole else text.token(at)
            said = *_event(token), known_text(token)
            if isinstance(token, t.AnyVote):
                self._votes[place] = token.__class__, (token.group, token.rome, token.egypt, token.winner)
        self._said.append(said)
        if whole:
            self._known[codes] = place
        return place

    def write(self, writers: Mapping[str, ParquetWriter]) -> None:
        """Pass everything gathered to the writers of the tables, by name, and start again."""
        import pyarrow as pa

        if not self.games:
            return
        self._extend("tokens", zip(*self._said, strict=True))
        made: dict[str, dict[str, pa.Array]] = {}
        for name, taken in _TAKEN.items():
            shape = schema("events" if name == "tokens" else name)
            found: dict[str, pa.Array] = {}
            places, own = self._rows[name][: len(taken)], self._rows[name][len(taken) :]
            for (other, columns), rows in zip(taken.items(), places, strict=True):
                at = pa.array(rows, pa.int32())
                found |= {column: made[other][column].take(at) for column in columns}
            for column, values in zip(_own(name), own, strict=True):
                found[column] = _arrow_array(values, shape.field(column).type)
            made[name] = found
            if name in writers:
                writers[name].write_table(pa.Table.from_arrays([found[column] for column in shape.names], schema=shape))
        self._begin()


def _own(name: str) -> list[str]:
    """Return the columns of a table that are not taken from another."""
    taken = {column for columns in _TAKEN[name].values() for column in columns}
    return [column for column in TABLES.get(name, _TOKENS) if column not in taken]


def arrow_table(rows: Iterable[tuple[Any, ...]], shape: pa.Schema) -> pa.Table:
    """Return rows as an Arrow table."""
    import pyarrow as pa

    columns = list(zip(*rows, strict=True)) or [()] * len(shape)
    arrays = [_arrow_array(column, field.type) for column, field in zip(columns, shape, strict=True)]
    return pa.Table.from_arrays(arrays, schema=shape)


def _arrow_array(values: Iterable[Any], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # file names and header texts need not be valid text
        return pa.array([text and text.encode("utf-8", "backslashreplace").decode() for text in values], kind)


def _game(checked: CheckedGame) -> Iterator[Any]:
    """Yield the values of a game's row, after its key."""
    record, verdict, report = checked.game.record, checked.verdict, checked.report
    outcome, sides = verdict.outcome, verdict.score.sides if verdict.score else ()
    winner = WINNERS[outcome.winner]
    points = record.result.points if record.result else None
    packed = Movetext.of(record.turns).packed
    first = next((place for place in range(len(packed)) if packed.number(place)), None)
    yield from (verdict.verdict, verdict.edition.name if verdict.edition else record.header("Rules", "?"))
    yield from (record.header(name) for name in ("Event", "Site", "Date", "Round", "Caesar", "Cleopatra"))
    yield record.header("View").strip().lower() or "arbiter"
    yield outcome.termination
    yield None if first is None else SIDES[packed.side(first)]
    yield score_text(record.result) if record.result else None
    yield from points or (None, None)
    yield outcome.finished
    yield from (winner, outcome.decided_by, winner and outcome.decided_by == "tie-break", outcome.ending)
    for field in ("points", "mission_points", "penalty"):
        yield from (getattr(side, field) for side in sides) if sides else (None, None)
    severities = [] if isinstance(report, CountedGame) else [fault.severity for fault in report.diagnostics]
    yield from (verdict.turns, verdict.events, *map(severities.count, (ERROR, WARNING, RULED)), report.moves)


def _statuses(text: Movetext, verdict: Verdict) -> list[str]:
    """Return the status of each turn line, as in the timeline."""
    packed, end = text.packed, 0 if verdict.verdict == UNCHECKED else len(text)
    if verdict.stopped:
        end = next((place for place, turn in enumerate(text) if turn.label == verdict.stopped), end)
    statuses: list[str] = []
    for place in range(len(text)):
        status = SET_UP if not packed.number(place) else PLAYED if place < end else NOT_FOLLOWED
        statuses.append(TAKEN_BACK if packed.is_followed(place) and is_taken_back(text[place]) else status)
    return statuses


def _clock_and_glyphs(marks: tuple[str, ...]) -> tuple[int | None, str]:
    """Return the seconds on a turn's clock (None without one), and its other marks."""
    if not marks:
        return None, ""
    clocks = [mark.removeprefix("@").split(":") for mark in marks if mark.startswith("@")]
    seconds = reduce(lambda total, part: 60 * total + int(float(part)), clocks[-1], 0) if clocks else None
    return seconds, " ".join(mark for mark in marks if not mark.startswith("@"))


def _event(token: t.Token) -> tuple[Any, ...]:
    """Return what a token says about its event: the kind, and the card, group, face and number of cards if it has
    them.
    """
    card, group = getattr(token, "card", None), getattr(token, "group", None)
    cards = token.cards if isinstance(token, t.Draw | t.Discard) else None
    return (
        t.KINDS[type(token)].event,
        None if card is None else CARD_LETTERS[card],
        None if group is None else GROUP_NAMES[group],
        token.hidden if isinstance(token, t.Place) else None,
        None if cards is None else len(cards),
    )


def _vote(cls: type[t.AnyVote], ballot: VoteContent, edition: Edition | None) -> tuple[Any, ...]:
    """Return the values of a vote's row, after those of its event."""
    group, rome_shown, egypt_shown, winner = ballot
    (rome_cards, rome), (egypt_cards, egypt) = _shown(rome_shown), _shown(egypt_shown)
    philosophers = flipped = None
    if rome and egypt:
        winner, flipped = _decided(winner, rome, egypt, edition)
        philosophers = rome[1] + egypt[1]
    return (
        "special" if cls is t.SpecialVote else "drawn",
        GROUP_NAMES[group],
        rome_cards,
        egypt_cards,
        rome and rome[0],
        egypt and egypt[0],
        philosophers,
        None if winner is None else _WINNERS[winner],
        flipped,
    )


_WINNERS: Final = (*SIDES, "tie")


def _decided(
    winner: int | None, rome: tuple[int, int], egypt: tuple[int, int], edition: Edition | None
) -> tuple[int | None, bool | None]:
    """Return who won a vote, and whether it was the side with less influence; None if that can't be known."""
    if winner is None and edition is not None:
        winner = winner_of(rome, egypt, edition)
    if winner is None:
        return None, None
    lead = rome[0] - egypt[0]
    return winner, (lead < 0, lead > 0, False)[winner]


@lru_cache(maxsize=1 << 14)
def _shown(cards: t.Cards | None) -> tuple[str | None, tuple[int, int] | None]:
    """Return the letters of a side's cards, their influence, and how many are philosophers; None for unknown values."""
    if cards is None:
        return None, None
    known = all(card in INFLUENCE_CARDS for card in cards)
    return letters(cards), (sum(cards), cards.count(PHILOSOPHER)) if known else None


class Part(NamedTuple):
    """A file of a table: where it is in its file system, and its size in bytes."""

    place: str
    size: int


@dataclass(frozen=True)
class TableWriter:
    """Checks the games in chunks with ``checker``, and writes their rows to ``folder``."""

    checker: ChunkChecker
    folder: str

    def __call__(self, group: ChunkGroup) -> list[ChunkResult]:
        """Return the result of each chunk of a group, after writing the rows of its games."""
        if not group.chunks:
            return []
        import pyarrow.parquet as pq

        buffers = {name: io.BytesIO() for name in TABLES if name != REPEATS}
        writers = {name: pq.ParquetWriter(buffers[name], schema(name), compression="zstd") for name in buffers}
        rows, results = TableRows(), []
        for chunk in group.chunks:
            reports: list[GameItem] = []
            for game in [unreadable_report(chunk)] if chunk.problem else self.checker.games(chunk):
                reports.append(self._added(rows, game))
                if rows.games == GROUP:
                    rows.write(writers)
            results.append(ChunkResult.of(chunk, reports))
        rows.write(writers)
        for name, writer in writers.items():
            writer.close()
            store(f"{self.folder.rstrip('/')}/{name}/part-{group.name}.parquet", buffers[name].getvalue())
        return results

    @staticmethod
    def _added(rows: TableRows, game: CheckedGame | GameReport) -> GameItem:
        """Add the rows of a game, unless the program fails on it; return its report."""
        if not isinstance(game, CheckedGame):
            return game
        try:
            rows.add(game)
        except Exception as error:  # noqa: BLE001  # this must not lose the other games
            return failed_report(error, game.game)
        return game.report


def store_repeats(folder: str, repeats: list[tuple[str, int, str, int]]) -> None:
    """Write the table of records that do not count; raise CannotRun if that fails."""
    store(f"{folder.rstrip('/')}/{REPEATS}/part-0.parquet", _packed(repeats, schema(REPEATS)))


_ARROW: Final = {str: "string", int: "int64", bool: "bool", float: "double", float | None: "double"}


def parquet_of(lines: Iterable[tuple[Any, ...]], line: type[tuple[Any, ...]]) -> bytes:
    """Return lines, all of one class of named tuples, as a Parquet file."""
    import pyarrow as pa

    kinds = get_type_hints(line).items()
    return _packed(lines, pa.schema((name, pa.type_for_alias(_ARROW[kind])) for name, kind in kinds))


def _packed(rows: Iterable[tuple[Any, ...]], shape: Any) -> bytes:
    """Return rows of a schema as a Parquet file."""
    import pyarrow.parquet as pq

    made = io.BytesIO()
    pq.write_table(arrow_table(rows, shape), made)
    return made.getvalue()


def store(path: str, data: bytes) -> None:
    """Write a file in one step, on this machine or at an address; raise CannotRun if that fails."""
    try:
        if is_address(path):
            stores.write(path, data)
        else:
            with replacing(path) as stream:
                stream.write(data)
    except Exception as error:
        raise CannotRun(f"{path}: {reason(error)}") from error


@contextmanager
def _within(folder: str) -> Iterator[tuple[Any, str]]:
    """Yield fsspec's file system of a folder, and its path there; raise CannotRun if something fails."""
    try:
        system, place = stores.system_of(folder)
        with stores.store_errors():
            system.invalidate_cache()  # other programs may have written there since it was listed
            yield system, place.rstrip("/")
    except (stores.StoreError, MemoryError) as error:
        raise CannotRun(f"{folder}: {reason(error)}") from error


def begin(folder: str, *, force: bool = False) -> None:
    """Make a folder ready for an export. It may be new or empty; with ``force``, it may hold an earlier export.

    Only the parts of the earlier export are deleted. Raise CannotRun for any other folder.
    """
    if stores.is_web(folder):
        why = phrase("files can't be written over http; name a folder, or an address such as s3://bucket/tables")
        raise CannotRun.at(folder, why)
    with _within(folder) as (system, place):
        inside = system.ls(place, detail=False) if system.isdir(place) else []
        older = _manifest(system, place) is not None
        if inside and not (force and older):
            why = phrase("it holds something other than an export; name another one")
            why = phrase("--force writes it again") if older else why
            raise CannotRun.at(folder, f"{phrase('this folder is not empty')}; {why}")
        _make(system, place)
        write_manifest(folder, {}, "", whole=False)  # before anything is deleted
        for name in TABLES:
            _make(system, f"{place}/{name}")
            for part in list(_parts(system, f"{place}/{name}")):
                system.rm_file(part.place)
        store_repeats(folder, [])  # until everything is known


def _make(system: Any, place: str) -> None:
    """Create a folder if the system has folders. A store without a root has buckets, and no bucket may be created by
    mistake.
    """
    if system.root_marker or place.startswith("/"):
        system.makedirs(place, exist_ok=True)


def exported(folder: str) -> tuple[bool, Any, dict[str, list[Part]]]:
    """Return whether an export was completed, its fsspec file system, and the parts of each table in order.

    Raise CannotRun if the folder holds no export, or one with another layout.
    """
    with _within(folder) as (system, place):
        manifest = _manifest(system, place)
        if manifest is None:
            is_there = stores.is_web(folder) or system.isdir(place)
            why = phrase("`tiro export` has not written this folder")
            raise CannotRun.at(folder, why if is_there else phrase("there is no such folder"))
        if manifest.get("layout") != LAYOUT:
            raise CannotRun.at(folder, phrase("it was written by another version of Tironian; export it again"))
        tables = {name: sorted(_parts(system, f"{place}/{name}")) for name in TABLES}
        return bool(manifest.get("whole")), system, tables


def _parts(system: Any, place: str) -> Iterator[Part]:
    """Yield the files in a folder that are named like parts; none if there is no folder, as before the first part."""
    try:
        inside = system.ls(place, detail=True)
    except FileNotFoundError:
        return
    for file in inside:
        if file["type"] == "file" and _PART.search(file["name"]):
            size = file["size"] if file["size"] is not None else system.info(file["name"])["size"]
            yield Part(file["name"], size)


def _manifest(system: Any, place: str) -> dict[str, Any] | None:
    """Return the contents of export.json; None if there is no such file, or it is not ours."""
    try:
        with stores.store_errors():
            data = system.cat_file(f"{place}/{MANIFEST}")
        manifest = json.loads(data)
    except (stores.Missing, ValueError):
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("format") == FORMAT else None


def write_manifest(folder: str, totals: dict[str, int], version: str, *, whole: bool = True) -> None:
    """Write export.json, which says whether everything is written, and holds the totals of the games."""
    manifest = {"format": FORMAT, "layout": LAYOUT, "tironian": version, "whole": whole, "totals": totals}
    store(f"{folder.rstrip('/')}/{MANIFEST}", (json.dumps(manifest, indent=2) + "\n").encode())
