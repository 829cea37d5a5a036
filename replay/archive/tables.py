"""The tables of an archive: their columns, with types, units and meaning, and the rows that a game gives.

In all tables a game is named by its file and its first line there; so any process that reads a part of an archive can
write its rows, without counting what others read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import CARD_LETTERS, GROUP_NAMES, INFLUENCE_CARDS, TIE, letters
from ...notation.record import Record, Turn
from ...notation.writer import score_text, token_text
from ..analysis.timeline import NOT_FOLLOWED, PLAYED, SET_UP, TAKEN_BACK
from ..engine.result import WINNERS
from ..engine.rulings import is_taken_back
from ..report.json_report import SIDES
from ..report.model import UNCHECKED, GameReport
from ..rules.vote_outcome import winner_of
from .chunk_reports import CheckedGame

if TYPE_CHECKING:
    import pyarrow as pa


class Column(NamedTuple):
    """A column of a table: its name, its type (``name``: one of few strings, stored as a dictionary), its meaning."""

    name: str
    kind: str
    meaning: str


_GAME: Final = (
    Column("file", "name", "the file, or the text in an archive, as `tiro check` names it"),
    Column("line", "int64", "the line of that file on which the game begins, from 1; with `file` it names the game"),
)
TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "games": (
        *_GAME,
        Column("verdict", "name", "`legal`, `possible`, `illegal`, `unreadable` or `unchecked`"),
        Column("edition", "name", "the name of the rule set, as written if it is unknown"),
        Column("event", "name", "header Event"),
        Column("site", "name", "header Site"),
        Column("date", "string", "header Date, as written: `2026.05.02`, with `??` for unknown parts"),
        Column("round", "string", "header Round"),
        Column("caesar", "name", "header Caesar: who played Rome"),
        Column("cleopatra", "name", "header Cleopatra: who played Egypt"),
        Column("view", "name", "header View: whose record it is, `arbiter` by default"),
        Column("termination", "name", "header Termination: `normal` by default"),
        Column("starter", "name", "who began: `rome` or `egypt`; null if no turn was played"),
        Column("result", "string", "the last line as written: `17-13`, `*`; null if there is none"),
        Column("rome_points", "int16", "Rome's points in the record; null if it has none"),
        Column("egypt_points", "int16", "Egypt's points, likewise"),
        Column("finished", "bool",
               "whether the game is over, by the rules or by a decision; if it could not be followed to its "
               "end, whether it has a result"),
        Column("winner", "name",
               "`rome`, `egypt` or `draw`, by the rules, or by the result line if the game did not end by "
               "them; null if unknown"),
        Column("decided_by", "name",
               "what decided: `points`, `tie-break`, the word of the Termination header, or `statement`, the"
               " result line alone; null if `winner` is null"),
        Column("tie_break", "bool", "whether the tie-break decided; null if `winner` is null"),
        Column("ending", "name", "the rule that ended it: `patricians`, `exhausted`, `full`, `hand_played`, "
               "`final_turn`; null if none did, or the game could not be followed"),
        Column("rome_counted", "int16",
               "Rome's points at the end of the replay, without unknown missions; null if the game could not"
               " be followed to its end"),
        Column("egypt_counted", "int16", "Egypt's points, likewise"),
        Column("rome_missions", "int16", "those of them for missions"),
        Column("egypt_missions", "int16", "likewise for Egypt"),
        Column("rome_penalty", "int16", "points that rulings took from Rome"),
        Column("egypt_penalty", "int16", "likewise for Egypt"),
        Column("turns", "int32", "number of turns in the record, without the set-up"),
        Column("events", "int32", "number of tokens, with the set-up"),
        Column("errors", "int32", "number of errors"),
        Column("warnings", "int32", "number of warnings"),
        Column("ruled", "int32", "number of errors that an arbiter ruled on"),
        Column("moves", "int64", "a number shared by games with the same moves; 0 if none were played"),
    ),
    "headers": (
        *_GAME,
        Column("place", "int32", "its position among the game's headers, from 1, in canonical order"),
        Column("name", "name", "its name"),
        Column("value", "string", "its value; if a name appears twice, the first counts"),
    ),
    "scores": (
        *_GAME,
        Column("side", "name", "whose points: `rome` or `egypt`"),
        Column("group", "name", "the group"),
        Column("patricians", "int16", "points for the patricians won there, at the end of the replay"),
        Column("majority", "int16", "points for the majority"),
        Column("whole", "int16", "points for the whole group"),
        Column("points", "int16", "all three together"),
    ),
    "turns": (
        *_GAME,
        Column("turn", "int32", "the turn line within its game, from 1, the set-up included"),
        Column("number", "int16", "its number as written, 0 for the set-up"),
        Column("side", "name", "whose turn: `rome` or `egypt`"),
        Column("status", "name",
               "`set-up`, `played`, `taken back`, or `not followed` if the cards could not be followed"),
        Column("events", "int32", "number of tokens"),
        Column("clock", "int32", "seconds on the player's clock after it; null if not written"),
        Column("glyphs", "string", "its glyphs as written, such as `!`; empty if there are none"),
    ),
    "events": (
        *_GAME,
        Column("turn", "int32", "the turn line, as in `turns`"),
        Column("ply", "int32", "the token within its game, from 1"),
        Column("side", "name", "whose turn it is"),
        Column("kind", "name", "its kind: `place`, `draw`, `vote`, `special vote`, `no vote`, `assassination`, "
               "`scout`, `wrath`, `castling`, `spy`, `veto`, `discard`, `put away`, `mission`, or `other`"),
        Column("card", "name", "the letter of the card that was placed, hit or taken; null if there is none"),
        Column("group", "name", "its group; null if there is none"),
        Column("hidden", "bool", "whether a placed card lies face down; null for other kinds"),
        Column("count", "int32", "number of cards drawn or discarded; null for other kinds"),
        Column("token", "string", "the token in canonical notation"),
        Column("status", "name", "the status of the turn, as in `turns`"),
    ),
    "votes": (
        *_GAME,
        Column("turn", "int32", "the turn line, as in `turns`"),
        Column("ply", "int32", "the token, as in `events`"),
        Column("side", "name", "whose turn it was"),
        Column("trigger", "name", "`drawn` (a bust or a vote card) or `special` (eight cards at a group)"),
        Column("group", "name", "the group"),
        Column("rome_cards", "string", "Rome's cards from high to low; null if not written"),
        Column("egypt_cards", "string", "Egypt's cards, likewise"),
        Column("rome_sum", "int32", "influence, philosophers 0; null if a card is unknown"),
        Column("egypt_sum", "int32", "likewise"),
        Column("philosophers", "int32", "number of philosophers on both sides; null if a card is unknown"),
        Column("winner", "name", "`rome`, `egypt` or `tie`, as written, otherwise by the rules; null if unknown"),
        Column("flipped", "bool", "whether the lower sum won; null if unknown"),
        Column("status", "name", "the status of the turn, as in `turns`"),
    ),
}  # fmt: skip
"""Name → columns. The first table holds all games, also illegal ones; the others hold what was written."""


def schema(name: str) -> pa.Schema:
    """Return the Arrow schema of a table, with the meaning of each column."""
    import pyarrow as pa

    kinds = {"name": pa.dictionary(pa.int32(), pa.string()), "string": pa.string(), "bool": pa.bool_()}
    return pa.schema(
        pa.field(name, kinds.get(kind) or getattr(pa, kind)(), metadata={"meaning": meaning})
        for name, kind, meaning in TABLES[name]
    )


Row = tuple[Any, ...]


class TableRows:
    """The rows of all tables, gathered game by game; ``games`` is how many games they are of."""

    def __init__(self) -> None:
        self.games = 0
        self._rows: dict[str, list[Row]] = {name: [] for name in TABLES}

    def add(self, checked: CheckedGame) -> None:
        """Add the rows of a game; none where there is no game."""
        game, report = checked.game, checked.report
        if game.missing:
            return
        key = (report.file, report.line)
        self.games += 1
        self._rows["games"].append((*key, *_game(checked)))
        headers = enumerate(game.record.headers, 1)
        self._rows["headers"] += [(*key, place, name, value) for place, (name, value) in headers]
        if score := checked.verdict.score:
            for side, side_score in zip(SIDES, score.sides, strict=True):
                self._rows["scores"] += [(*key, side, GROUP_NAMES[row.group], *row[1:]) for row in side_score.rows]
        ply = 0
        turns, events, votes = self._rows["turns"], self._rows["events"], self._rows["votes"]
        for place, (turn, status) in enumerate(_turns(game.record, report), 1):
            side = SIDES[turn.side]
            clock, glyphs = _marks(turn)
            turns.append((*key, place, turn.number, side, status, len(turn.tokens), clock, glyphs))
            for token in turn.tokens:
                ply += 1
                head = (*key, place, ply, side)
                events.append((*head, *_event(token), status))
                if isinstance(token, t.AnyVote):
                    votes.append((*head, *_vote(token, checked), status))

    def take(self) -> dict[str, pa.Table]:
        """Return everything that was gathered, as Arrow tables, and begin anew."""
        import pyarrow as pa

        tables = {}
        for name, rows in self._rows.items():
            shape = schema(name)
            columns = list(zip(*rows, strict=True)) or [()] * len(shape)
            arrays = [_array(column, field.type) for column, field in zip(columns, shape, strict=True)]
            tables[name] = pa.Table.from_arrays(arrays, schema=shape)
            rows.clear()
        self.games = 0
        return tables


def _array(values: Iterable[Any], kind: pa.DataType) -> pa.Array:
    """Return values as an Arrow array."""
    import pyarrow as pa

    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # names of files and texts of headers need not be text
        return pa.array([text and text.encode("utf-8", "backslashreplace").decode() for text in values], kind)


def _game(checked: CheckedGame) -> Iterator[Any]:
    """Yield the values of a game's row, after its key."""
    record, verdict, report = checked.game.record, checked.verdict, checked.report
    outcome, sides = verdict.outcome, verdict.score.sides if verdict.score else ()
    winner = WINNERS[outcome.winner]
    points = record.result.points if record.result else None
    played = [turn for turn in record.turns if turn.number]
    yield from (report.verdict, report.edition)
    yield from (record.header(name) for name in ("Event", "Site", "Date", "Round", "Caesar", "Cleopatra"))
    yield record.header("View").strip().lower() or "arbiter"
    yield outcome.termination
    yield SIDES[played[0].side] if played else None
    yield score_text(record.result) if record.result else None
    yield from points or (None, None)
    yield outcome.finished
    yield from (winner, outcome.by, winner and outcome.by == "tie-break", outcome.ending)
    for field in ("points", "mission_points", "penalty"):
        yield from (getattr(side, field) for side in sides) if sides else (None, None)
    yield from (report.turns, report.events, *map(len, map(report.of, ("error", "warning", "ruled"))), report.moves)


def _turns(record: Record, report: GameReport) -> Iterator[tuple[Turn, str]]:
    """Yield each turn line with its status, as in the timeline."""
    lost = report.verdict == UNCHECKED
    for turn in record.turns:
        lost = lost or (report.stopped is not None and turn.label == report.stopped)
        status = SET_UP if not turn.number else NOT_FOLLOWED if lost else PLAYED
        yield turn, TAKEN_BACK if is_taken_back(turn) else status


def _marks(turn: Turn) -> tuple[int | None, str]:
    """Return the seconds on a turn's clock, None without one, and its glyphs."""
    clock, glyphs = None, []
    for mark in turn.marks:
        if mark.startswith("@"):
            clock = 0
            for part in mark[1:].split(":"):
                clock = 60 * clock + int(float(part))
        else:
            glyphs.append(mark)
    return clock, " ".join(glyphs)


def _event(token: t.Token) -> Row:
    """Return the values of an event's row, after its key."""
    card, group = getattr(token, "card", None), getattr(token, "group", None)
    cards = token.cards if isinstance(token, t.Draw | t.Discard) else None
    return (
        t.KINDS[type(token)].event,
        None if card is None else CARD_LETTERS[card],
        None if group is None else GROUP_NAMES[group],
        token.hidden if isinstance(token, t.Place) else None,
        None if cards is None else len(cards),
        token_text(token),
    )


def _vote(token: t.AnyVote, checked: CheckedGame) -> Row:
    """Return the values of a vote's row, after its key."""
    columns = (token.rome, token.egypt)
    known = [cards is not None and all(card in INFLUENCE_CARDS for card in cards) for cards in columns]
    sums = [sum(cards) if cards is not None and sure else None for cards, sure in zip(columns, known, strict=True)]
    winner, edition = token.winner, checked.verdict.edition
    if winner is None and all(known) and edition is not None:
        rome, egypt = token.rome or (), token.egypt or ()
        winner = winner_of((sum(rome), rome.count(0)), (sum(egypt), egypt.count(0)), edition)
    flipped = None
    if winner is not None and None not in sums:
        flipped = winner != TIE and sums[winner] < sums[1 - winner]  # type: ignore[operator]
    return (
        "special" if isinstance(token, t.SpecialVote) else "drawn",
        GROUP_NAMES[token.group],
        *(None if cards is None else letters(cards) for cards in columns),
        *sums,
        sum(cards.count(0) for cards in columns if cards) if all(known) else None,
        None if winner is None else "tie" if winner == TIE else SIDES[winner],
        flipped,
    )
