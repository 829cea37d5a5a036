"""``tiro repair``: what a broken record most probably should have said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ...notation.basics import as_json, file_name, on_screen
from ...notation.language import phrase, plural
from ...notation.records import write, write_all
from ..repair.api import Repair, difference, find_repairs, repair_json, with_old_lines
from .common import (
    STDIN,
    CliError,
    Output,
    Problems,
    Texts,
    expand,
    format_option,
    games_in,
    output_options,
    paths_argument,
    refuse_unread,
    rules_option,
    say,
)

if TYPE_CHECKING:
    from ...notation.records import Game, Record

SHOWN: Final = 3
"""How many repairs to show for each game by default."""


class BrokenGame(NamedTuple):
    """A game with its verdict and repairs."""

    game: Game
    verdict: str
    repairs: list[Repair]
    chosen: int | None
    """The repair that is written; None if none is."""

    def is_left(self, *, written: bool) -> bool:
        """Return whether the game stays broken: no repair was chosen to be written, or there is none."""
        return self.chosen is None if written else not self.repairs

    def written(self) -> Record:
        """Return the record with the chosen repair and a comment for each line that it changes; without a repair,
        unchanged.
        """
        record = self.game.record
        edits = () if self.chosen is None else self.repairs[self.chosen].edits
        return with_old_lines(edits, record) if edits else record


@click.command()
@paths_argument
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=SHOWN,
    show_default=True,
    help="How many repairs to show for each game.",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0), default=0.0, help="Search each game for at most this many seconds."
)
@click.option("--diff", is_flag=True, help="Show each repair as a difference between records.")
@click.option(
    "--pick", type=click.IntRange(min=1), help="Which repair -o writes; needed if several are equally likely."
)
@format_option("The format.", "text", "json")
@rules_option
@output_options
def repair(
    paths: Texts, most: int, seconds: float, diff: bool, pick: int | None, form: str, rules: str, output: Output
) -> None:
    """List the slips that would explain a broken record, the likeliest first.

    PATH is a file, a folder or “-”. Each repair has been replayed: it makes the record legal, or possible if it is a
    player's log. Nothing is changed; -o writes all games of PATH, with the broken ones repaired and each old line kept
    in a comment.

    The exit code is 1 if a broken game has no repair, or -o could not choose between several.
    \f\b
    Examples:
      tiro repair game.tiro
      tiro repair --diff game.tiro
      tiro repair game.tiro -o repaired.tiro --pick 2
    """
    broken: list[BrokenGame] = []
    records, problems = [], Problems()
    for game in chain.from_iterable(map(games_in, expand(paths))):
        refuse_unread(game)
        if game.missing:
            problems.add(game)
        records.append(game.record)
        with problems.isolate_errors(game):
            if found := _repaired(game, rules, seconds, pick):
                records[-1] = found.written()
                broken.append(found)
    left = [each for each in broken if each.is_left(written=output.path is not None)]
    if output.path is None:
        _show(broken, most, form, diff=diff)
    else:
        _write(output, paths, broken, records)
        say(*[_carried_out(each, each.chosen) for each in broken if each.chosen is not None])
        say(*[_undecided(each, pick) for each in left])
    problems.finish()
    if not broken:
        say(phrase("nothing is broken"))
    if left:
        raise SystemExit(1)


def _write(output: Output, paths: Texts, broken: list[BrokenGame], records: list[Record]) -> None:
    """Write all records; a single repaired record is written so that ``tiro record`` can undo the repair."""
    path = output.path or STDIN
    is_file = path != STDIN and (os.path.isfile(path) or not os.path.lexists(path))
    if is_file and len(records) == len(broken) == 1 and broken[0].chosen is not None:
        output.refuse(paths)
        _keep_repaired(path, broken[0].game, records[0])
    else:
        with output.open(errors="surrogateescape", inputs=paths) as out:
            out.write(write_all(records))


def _show(broken: list[BrokenGame], most: int, form: str, *, diff: bool) -> None:
    with Output().open() as out:
        if form == "json":
            out.write(f"{as_json(_data(broken, most), indent=2)}\n")
        else:
            out.writelines(on_screen(f"{line}\n", out) for each in broken for line in _lines(each, most, diff))


def _repaired(game: Game, rules: str, seconds: float, pick: int | None) -> BrokenGame | None:
    """Return a broken game with its repairs, None for a game that is not broken.

    The chosen repair is the picked one, or the likeliest if no other is equally likely.
    """
    from ...replay.checking.api import check
    from ...replay.diagnostics.api import LEGAL, POSSIBLE, UNCHECKED

    checked = check(game, rules)
    verdict, is_sound = checked.verdict, checked.verdict in (LEGAL, POSSIBLE)
    if game.missing or (is_sound and not checked.diagnostics):
        return None
    repairs = find_repairs(game, rules, seconds=seconds)
    if is_sound and not repairs:
        return None
    if repairs.stopped:
        say(f"{name_in(game)}: {phrase('the search was stopped early; there may be other repairs')}")
    if verdict == UNCHECKED and not repairs:
        say(f"{name_in(game)}: {phrase('the rule set is unknown; name it with --rules')}")
    chosen = 0 if repairs and not repairs[0].equally_likely_count else None
    if pick is not None:
        chosen = pick - 1 if pick <= len(repairs) else None
    return BrokenGame(game, verdict, repairs, chosen)


def _keep_repaired(path: str, game: Game, record: Record) -> None:
    """Write a repaired record as a change to what it was, or to the existing file: the change is in its journal, and
    ``tiro record`` can undo it. Raise CliError if that fails.
    """
    from ..recorder.storage import NotKept, RecordStorage

    try:
        with RecordStorage(path, "".join(game.source.lines)) as storage:
            storage.keep(write(record), "repaired")
            say(*storage.messages)
    except NotKept as error:
        raise CliError.of(path, error.__cause__ if isinstance(error.__cause__, OSError) else error) from None


def _carried_out(broken: BrokenGame, chosen: int) -> str:
    """Return what to say about a game that was written with a repair."""
    words = "; ".join(broken.repairs[chosen].description)
    return f"{name_in(broken.game)}: {phrase('repaired: {changes}', changes=words)}"


def _undecided(broken: BrokenGame, pick: int | None) -> str:
    """Return what to say about a game that was written unchanged."""
    why, count = phrase("no repair was found"), len(broken.repairs)
    if count and pick is not None:
        why = plural("it has only {count} repairs", "it has only {count} repairs", count)
    elif count:
        why = phrase("several repairs are equally likely; choose one with --pick")
    return f"{name_in(broken.game)}: {phrase('left as it was, since {why}', why=why)}"


def name_in(game: Game) -> str:
    """Return a game's name for messages."""
    return f"{file_name(game.source.name)}, {phrase('game {number}', number=game.number)}"


def _lines(broken: BrokenGame, most: int, diff: bool) -> Iterator[str]:
    game, repairs = broken.game, broken.repairs
    verdict = phrase(broken.verdict) + ("" if repairs else f"; {phrase('no repair was found')}")
    yield f"{name_in(game)}: {verdict}"
    for number, repair in enumerate(repairs[:most], 1):
        yield f"{number:>3}. {'; '.join(repair.description)}"
        yield f"     {phrase(repair.verdict.verdict)}: {repair.verdict.summary}"
        if diff:
            yield from (f"     {row}" for row in difference(repair.record, game))
    if repairs and repairs[0].equally_likely_count:
        alike = repairs[0].equally_likely_count + 1
        yield f"     {plural('{count} repair is likely', '{count} repairs are equally likely', alike)}"
    if (more := len(repairs) - most) > 0:
        most = len(repairs)
        yield f"     {plural('{count} more with --most {most}', '{count} more with --most {most}', more, most=most)}"
    yield ""


def _data(broken: list[BrokenGame], most: int) -> dict[str, Any]:
    return {
        "$schema": "urn:tironian:schema:repairs:1",
        "games": [
            {
                "file": file_name(each.game.source.name),
                "game": each.game.number,
                "verdict": each.verdict,
                "found": len(each.repairs),
                "repairs": [repair_json(repair) for repair in each.repairs[:most]],
            }
            for each in broken
        ],
    }
