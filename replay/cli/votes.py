"""``tiro votes``: the decision tree of each vote of a game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from .common import Trouble, format_option, name_of, open_output, output_options, refuse_address, replacing, telling
from .moment import ChosenGame, beyond, game_options, odds_option
from .progress_line import Meter
from .timeline import timeline_of

if TYPE_CHECKING:
    from ..analysis.timeline import Timeline
    from ..analysis.vote_tree import VoteTree


TEXTS: Final = ("text", "dot", "mermaid", "json")
BINARY: Final = ("png", "pdf")
PICTURES: Final = ("svg", *BINARY)
ENDINGS: Final = {"text": "txt", "mermaid": "mmd"}


@click.command()
@format_option("The form; svg, png and pdf hold one vote each, pdf needs Graphviz itself.", *TEXTS, *PICTURES)
@click.option("--vote", "wanted", type=click.IntRange(min=1), help="Only this vote, counted from 1.")
@click.option("--folder", metavar="DIR", help="Write each vote into a file of DIR, with an index page.")
@odds_option
@game_options
@output_options
def votes(
    chosen: ChosenGame, form: str, wanted: int | None, folder: str | None, odds: bool, output: str | None, force: bool
) -> None:
    """Draw the decision tree of each vote of FILE (- for standard input), and what would have changed its outcome.

    The exit code is 1 if the cards can be followed only part of the way; the votes up to there are drawn.
    \f\b
    Examples:
      tiro votes game.tiro                              all votes as outlines
      tiro votes game.tiro --vote 7 --format svg -o vote.svg
      tiro votes game.tiro --format png --folder votes  each into a file, with an index page
    """
    from ..analysis.vote_tree import trees as grow

    if folder is not None and output is not None:
        raise click.UsageError("--folder and -o exclude each other")
    refuse_address(folder or "")
    timeline = timeline_of(chosen, chosen.view, odds)
    trees = _wanted(grow(timeline), wanted, chosen.file)
    if folder is not None:
        _write_folder(trees, timeline, form, Path(folder), force)
    elif form in PICTURES and not trees:
        raise Trouble(f"{name_of(chosen.file)}: no vote was held in this game, so there is nothing to draw")
    elif form in PICTURES and len(trees) > 1:
        raise click.UsageError(f"one {form} holds one vote: choose it with --vote N, or use --folder DIR for all")
    else:
        with open_output(output, force, inputs=[chosen.file]) as stream:
            if form in BINARY and stream.isatty():
                raise click.UsageError(f"a {form} can't be shown on a terminal; name a file with -o")
            stream.buffer.write(_drawn(trees, timeline, form))
    chosen.end(beyond(timeline.stopped))


def _text(trees: Sequence[VoteTree], timeline: Timeline, form: str) -> str:
    match form:
        case "dot":
            from ..export.vote_graph import graph

            return "\n".join(map(graph, trees))
        case "mermaid":
            from ..export.vote_graph import fenced, mermaid

            return mermaid(trees[0]) if len(trees) == 1 else fenced(trees)
        case "json":
            from ..export.data import json_lines, votes_data

            return json_lines(votes_data(trees, timeline.edition.name, timeline.view), "votes")
        case _:
            from ..export.vote_graph import text

            return "".join(f"{line}\n" for line in text(trees))


def _wanted(trees: Sequence[VoteTree], wanted: int | None, file: str) -> Sequence[VoteTree]:
    """Return the tree of a vote by its number, or all. Raise Trouble where there is none."""
    if wanted is None:
        return trees
    if wanted > len(trees):
        many = f"only {len(trees)} votes" if len(trees) > 1 else "only one vote" if trees else "no vote"
        raise Trouble(f"{name_of(file)}: there is no vote {wanted}; the game has {many}")
    return trees[wanted - 1 : wanted]


def _drawn(trees: Sequence[VoteTree], timeline: Timeline, form: str) -> bytes:
    """Return the picture of the one tree, or the trees as text. Raise Trouble where nothing can draw it."""
    if form not in PICTURES:
        return _text(trees, timeline, form).encode("utf-8", "backslashreplace")
    from ..export.vote_graph import NoGraphviz, picture

    try:
        return picture(trees[0], form)
    except NoGraphviz as error:
        raise Trouble(str(error)) from None


def _write_folder(trees: Sequence[VoteTree], timeline: Timeline, form: str, folder: Path, force: bool) -> None:
    """Write each vote into a file of its own, and the page that shows them all."""
    from ..export.vote_index import index

    names = [f"vote-{tree.number:02}-{tree.turn}.{ENDINGS.get(form, form)}" for tree in trees]
    there = [name for name in (*names, "index.html") if (folder / name).exists()]
    if there and not force:
        raise Trouble(f"{folder / there[0]}: this file already exists; --force overwrites it")
    with telling(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with Meter("votes", len(trees)) as shown:
        for count, (tree, name) in enumerate(zip(trees, names, strict=True), 1):
            shown.show(count, count)
            with replacing(os.fspath(folder / name)) as stream:
                stream.write(_drawn([tree], timeline, form))
    with replacing(os.fspath(folder / "index.html")) as stream:
        stream.write(index(timeline, trees, names).encode("utf-8", "backslashreplace"))
