"""``tiro show``, ``timeline``, ``votes``, ``step`` and ``view``: a game seen from any point of view."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial, wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from ...notation.basics import PLAYER_NAMES, dataclass, on_screen
from ...notation.language import Messages, phrase, plural
from ...notation.records import Record, write_all
from ...replay.engine.api import VIEWS, ChosenView, HeaderInfo, View, read_headers
from ...replay.story.api import ANNOTATION_KINDS, NoMoment, beyond, moment_shown, replayed_to_show, sight, table_shown
from .common import (
    STDIN,
    CliError,
    Command,
    Meter,
    Output,
    Problems,
    as_cli_errors,
    format_option,
    games_in,
    name_of,
    or_empty,
    output_options,
    refuse_address,
    refuse_terminal,
    refuse_unread,
    replacing,
    rules_option,
    say,
)

if TYPE_CHECKING:
    from ...notation.records import Game
    from ...replay.engine.api import Replay
    from ...replay.knowledge.api import Redaction, TableView
    from ...replay.story.api import ShownMoment, Timeline
    from ...replay.story.votes import VoteTree
    from ..render.pages import Insight

MAX_COUNTED_GAMES: Final = 1000
"""The most games that are read to say how many there are."""
_SAID: Final[Messages] = {
    "one": "{format} holds only one vote: choose it with --vote N, or use --folder DIR for all",
    "display": "there is no display for a browser here, so the game is shown step by step; "
    "tiro timeline -o writes a page",
}
odds_option: Final = click.option(
    "--odds",
    is_flag=True,
    help="Add the odds of each vote for those who don't see all cards, with all unseen cards equally likely.",
)


@dataclass(frozen=True)
class ChosenGame:
    """The game with a ``number`` in a file; 0 stands for the first one. ``view`` and ``rules`` come from the call, or
    are empty. With ``alone``, the ``game`` is only what the view would have recorded.
    """

    file: str
    number: int
    view: ChosenView
    rules: str
    alone: bool = False

    @cached_property
    def game(self) -> Game:
        """Return the game itself. Raise CliError as for ``whole``, or if the view saw more than the writer."""
        if not (self.alone and self.view):
            return self.whole
        from ...replay.knowledge.api import ViewNotAvailable
        from ...replay.knowledge.api import view as record_view

        with as_cli_errors(self.whole.source.name, ViewNotAvailable):
            return replace(self.whole, record=record_view(self.whole, self.view, self.rules).record)

    @cached_property
    def whole(self) -> Game:
        """Return the game as it is written. Raise CliError if there is none, or no text to read.

        If the call names no number and there are several games, say on standard error that this is the first.
        """
        name, number = name_of(self.file), self.number or 1
        games = games_in(self.file)
        for game in games:
            if game.missing and (game.number == number or not game.too_large):
                raise CliError.unread(game.problems[-1])
            if game.number == number:
                break
        else:
            raise CliError(f"{name}: {phrase('it has no game {number}', number=number)}")
        if not self.number:
            _say_how_many(games, name)
        return game

    @cached_property
    def frame(self) -> HeaderInfo:
        """Return what its headers say."""
        return read_headers(self.game.record, self.rules)

    @property
    def viewpoint(self) -> View:
        """Return the point of view; if the call names none, the record's."""
        return self.view or self.frame.view

    @cached_property
    def played(self) -> Replay:
        """Return the game replayed as far as its cards can be followed. Raise CliError if it can't even begin."""
        with as_cli_errors(self.game.source.name, NoMoment):
            return replayed_to_show(self.game, self.frame, self.rules)

    def warn_if_writer_saw_less(self, view: str) -> None:
        """Say on standard error that ``view`` saw more than the recorder did: unknown cards stay unknown."""
        from ...replay.knowledge.api import saw_less_message, views_for

        if view not in views_for(self.frame.view):
            said = phrase("{why}; what the record lacks stays unknown", why=saw_less_message(self.frame.view, view))
            say(f"{self.game.source.name}: {said}")

    def moment(self, at: str | None) -> tuple[ShownMoment, str]:
        """Return the step at a moment (the last step for None) as the point of view sees it, and a sentence if the
        record goes on but the replay does not. Raise CliError if there is no such moment.
        """
        try:
            with as_cli_errors(self.game.source.name, NoMoment):
                return moment_shown(self.game, self.played, self.viewpoint, at)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--at") from None

    def table(self, moment: ShownMoment) -> TableView:
        """Return the table at a moment."""
        return table_shown(self.game, self.frame, self.played, moment)

    def end(self, cut: str) -> None:
        """Say that the cards could not be followed to the end, and exit with 1; do nothing if ``cut`` is empty."""
        if cut:
            say(f"{self.game.source.name}: {phrase('{fault}; tiro check says why', fault=cut)}")
            raise SystemExit(1)


def _say_how_many(others: Iterator[Game], name: str) -> None:
    """Say on standard error that a file has other games, and how many it has in all."""
    more = 0
    with suppress(CliError):  # or as many as can be read
        for _ in islice(others, MAX_COUNTED_GAMES):
            more += 1
    if more:
        said = phrase("game 1 of {count}; --game N shows another", count=more + 1)
        if more == MAX_COUNTED_GAMES:
            said = phrase("game 1 of more than {count}; --game N shows another", count=more)
        say(f"{name}: {said}")


def write_vote(moment: ShownMoment, stream: TextIO) -> None:
    """Write a vote: its cards and how they compare, or the outcome if it has been decided."""
    from rich.console import Console

    from ...replay.words.votes import vote_words
    from .screen.board import vote_cards

    if (scene := moment.scene) is not None:
        cards = vote_cards(scene, Console(file=stream).width) if moment.turned_up else []
        said = vote_words(scene)
        lines = said.first if moment.turned_up else said.second
        stream.writelines(f"{line}\n" for line in ["", said.title, *[line.plain for line in cards], *lines])


def game_options(command: Command) -> Command:
    """Give a command FILE, ``--as``, ``--game`` and ``--rules``; its first parameter becomes a :class:`ChosenGame`."""

    @wraps(command)
    def with_game(file: str, view: ChosenView, number: int | None, rules: str, **more: Any) -> None:
        command(ChosenGame(file, number or 0, view, rules), **more)

    return click.argument("file")(choice_options(with_game))


def choice_options(command: Command) -> Command:
    """Give a command ``--as``, ``--game`` and ``--rules`` (parameters ``view``, ``number`` and ``rules``)."""
    number, told = click.IntRange(min=1), "Which game of the file; the first by default."
    game_option = click.option("--game", "number", type=number, help=told)
    views, told = click.Choice(VIEWS), "The point of view; the record's own by default."
    return click.option("--as", "view", type=views, callback=or_empty, help=told)(game_option(rules_option(command)))


@click.command()
@click.option(
    "--at",
    metavar="TURN",
    help="A turn (7E), a token in it (7E.2), or a vote with its cards turned up (7E.2v); the end by default.",
)
@click.option("--odds", is_flag=True, help="Add the odds of hidden cards, votes and draws; needs --as.")
@format_option("The format; png needs resvg.", "text", "svg", "png")
@click.option("--narrow", is_flag=True, help="Draw a picture for a phone, taller than wide.")
@game_options
@output_options
def show(chosen: ChosenGame, at: str | None, odds: bool, form: str, narrow: bool, output: Output) -> None:
    """Draw the table at a moment of the game in FILE (- for standard input).

    If the cards can be followed only part of the way, the last table that could be reached is drawn, and the exit code
    is 1. If --at names a later moment, there is no table, and the exit code is 2.
    \f\b
    Example:
      tiro show game.tiro --at 7E            the table after turn 7E
      tiro show game.tiro --at 7E.2 --as table   after its second token, as a spectator sees it
      tiro show game.tiro --at 7E.3v         a vote with its cards turned up; 7E.3 has its outcome
      tiro show game.tiro --at 7E --as caesar --odds   and what Caesar can tell of the hidden cards
      tiro show game.tiro --at 7E --format svg -o table.svg   a picture, light or dark as the reader prefers
    """
    if odds and form != "text":
        raise click.UsageError(phrase("--odds is only for text; leave out --format"))
    if narrow and form == "text":
        raise click.UsageError(phrase("--narrow is for pictures; add --format svg or png"))
    moment, cut = chosen.moment(at)
    chosen.warn_if_writer_saw_less(chosen.viewpoint)
    if odds and moment.turned_up:
        raise click.UsageError(phrase("the cards of that vote are turned up; --odds is for the moment before"))
    odds_lines = _odds(chosen, moment) if odds else []
    picture = b"" if form == "text" else _picture(chosen, moment, form, narrow=narrow)
    with output.open(inputs=[chosen.file]) as stream:
        refuse_terminal(stream, form)
        if form == "text":
            from ...replay.words.api import moment_name

            draw_table(chosen.table(moment), moment_name(moment), stream)
            write_vote(moment, stream)
        stream.buffer.write(picture)
        stream.writelines(odds_lines)
    chosen.end(cut)


def _picture(chosen: ChosenGame, moment: ShownMoment, form: str, *, narrow: bool) -> bytes:
    """Return the table as a picture. Raise CliError if nothing is installed that can make this format."""
    from ...replay.words.api import moment_told
    from ..render.api import png, table_svg

    people = [chosen.game.record.header(name).strip().removeprefix("?") for name in PLAYER_NAMES]
    decided = moment.turned_up is None
    table, words = chosen.table(moment), moment_told(moment)
    svg = table_svg(table, words, people=people, narrow=narrow, vote=moment.scene, is_decided=decided)
    return svg.encode() if form == "svg" else png(svg)


def draw_table(table: TableView, head: str, stream: TextIO) -> None:
    """Write the picture of the table, as wide as the terminal; ``head`` says which moment it is."""
    from rich.console import Console
    from rich.text import Text

    from ...replay.diagnostics.api import ENDINGS
    from ...replay.words.api import moment_words, viewed_by
    from .screen.board import picture

    console = Console(file=stream, highlight=False)
    moment = phrase("over") if table.mover is None else moment_words(table)
    rules = phrase("{rules} rules", rules=table.edition)
    heading = Text(" · ".join([head, rules, moment, viewed_by(table.view)]), style="bold")
    why = f" ({phrase(ENDINGS[table.ended])})" if table.ended else ""
    with console.capture() as drawn:
        console.print(heading)
        if table.summary:
            console.print(f"{table.summary}{why}")
        console.print()
        console.print(picture(table, console.width))
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def _odds(chosen: ChosenGame, moment: ShownMoment) -> list[str]:
    """Return what can be said about hidden cards. Raise CliError if nothing is hidden, or the cards don't add up."""
    from ...replay.knowledge.api import ViewNotAvailable
    from ..render.api import sight_lines

    if moment.view == "arbiter":
        raise click.UsageError(phrase("nothing is hidden from the arbiter; name a point of view with --as"))
    with as_cli_errors(chosen.game.source.name, ViewNotAvailable):
        seen = sight(chosen.game, moment.view, moment.step, chosen.rules, chosen.played)
    if seen is None:
        why = phrase("the cards don't add up, so nothing can be said about the hidden ones")
        raise CliError(f"{chosen.game.source.name}: {why}")
    return [f"{line}\n" for line in sight_lines(seen, moment.step.state)]


@click.command()
@format_option("The format.", "text", "md", "html", "json", "csv", "svg")
@click.option(
    "--only",
    "kinds",
    type=click.Choice(list(ANNOTATION_KINDS)),
    multiple=True,
    help="Only annotations of this kind; repeatable.",
)
@click.option(
    "--full",
    is_flag=True,
    help="In text, put each token into words, and add comments and both players' hands and piles.",
)
@odds_option
@game_options
@output_options
def timeline(chosen: ChosenGame, form: str, kinds: tuple[str, ...], full: bool, odds: bool, output: Output) -> None:
    """Show the game in FILE (- for standard input) turn by turn.

    Text has a line for each turn; --full puts each token into words and adds hands and piles. With --only, text and
    Markdown show only the turns with such annotations; the other formats show all turns, but only such annotations.

    The page (html) offers every point of view that knew no more than the recorder. With --as it has only that point of
    view, and contains nothing that is hidden from it. If the folder also has game.insight.json, the JSON of tiro
    analyse, the page shows how well the game was played. The picture (svg) shows the whole game at a glance.

    If the cards can be followed only part of the way, the timeline says where, and the exit code is 1.
    \f\b
    Examples:
      tiro timeline game.tiro                          a line a turn
      tiro timeline game.tiro --full                   each token in words
      tiro timeline game.tiro --format html -o game.html
      tiro timeline game.tiro --as table --only tie --only veto
      tiro timeline game.tiro --odds                   with the odds of each vote
    """
    from ...replay.knowledge.api import views_for
    from ..render.api import write_timeline

    played = chosen.played
    shown = timeline_of(chosen, chosen.view, odds, played)
    viewpoints = () if chosen.view else views_for(shown.view)
    others = (filtered(timeline_of(chosen, other, odds, played), kinds) for other in viewpoints if other != shown.view)
    with output.open(inputs=[chosen.file]) as stream:
        if form == "html":
            stream.write(_page(chosen, [filtered(shown, kinds), *others], odds=odds))
        else:
            shown = selected(shown, kinds) if form in ("text", "md") else filtered(shown, kinds)
            write_timeline(shown, form, stream, full=full, explain=bool(kinds))
    chosen.end(beyond(shown.stopped))


def _page(chosen: ChosenGame, views: Sequence[Timeline], *, odds: bool) -> str:
    """Return the page of a game for the points of view in ``views``; it opens with the first."""
    from ..render.api import page_of
    from .analyse import kept_report

    judged: list[Insight | None] = []
    if found := kept_report(chosen.file, chosen.game, chosen.rules):
        from ..insight.api import insight_of  # late: few games are judged

        judged = [insight_of(found.report, shown) for shown in views]
    gc.disable()  # all that a page is made of is needed to its end: to look for garbage took a sixteenth of the time
    try:
        return page_of(chosen.game, views, chosen.rules, chosen.played, judged, odds=odds, **_analysed(chosen))
    finally:
        gc.freeze()  # else the next object would start looking through all of it
        gc.enable()


def _analysed(chosen: ChosenGame) -> dict[str, Any]:
    """Return what the report kept beside the file, if there is one, says about votes and moves that were not made."""
    from .analyse import kept_report

    found = kept_report(chosen.file, chosen.game, chosen.rules)
    if not found:
        return {}
    from ..insight.api import costs_of, swings_of  # late: few games are judged

    return {"costs": costs_of(found.report), "swings": swings_of(found.report)}


def timeline_of(chosen: ChosenGame, view: ChosenView, odds: bool, played: Replay | None = None) -> Timeline:
    """Return the timeline of a game, with ``odds`` if wanted; ``played`` is its replay if there is one already.

    Raise CliError if there is none.
    """
    from ...replay.story.api import NoTimeline, with_odds
    from ...replay.story.api import timeline as tell

    with as_cli_errors(chosen.game.source.name, NoTimeline):
        made = tell(chosen.game, view, chosen.rules, played=played)
    chosen.warn_if_writer_saw_less(made.view)
    return with_odds(made, chosen.game, chosen.rules, played=played) if odds else made


def filtered(whole: Timeline, kinds: tuple[str, ...]) -> Timeline:
    """Return the timeline with only the annotations of these kinds, or with all if none is named."""
    if not kinds:
        return whole
    entries = (
        replace(entry, annotations=tuple(annotation for annotation in entry.annotations if annotation.kind in kinds))
        for entry in whole.entries
    )
    return replace(whole, entries=tuple(entries))


def selected(whole: Timeline, kinds: tuple[str, ...]) -> Timeline:
    """Return the timeline with only the turns that have annotations of these kinds, or all of it if none is named."""
    if not kinds:
        return whole
    entries = tuple(entry for entry in filtered(whole, kinds).entries if entry.annotations)
    return replace(whole, entries=entries, preface=(), epilogue=())


TEXTS: Final = ("text", "dot", "mermaid", "json")
IMAGE_FORMATS: Final = ("svg", "png")
PICTURES: Final = (*IMAGE_FORMATS, "pdf")
ENDINGS: Final = {"text": "txt", "mermaid": "mmd"}


@click.command()
@format_option("The format; svg, png and pdf hold one vote each. png needs resvg, pdf Graphviz.", *TEXTS, *PICTURES)
@click.option("--narrow", is_flag=True, help="Draw a picture for a phone, taller than wide.")
@click.option("--vote", "wanted", type=click.IntRange(min=1), help="Only this vote, counted from 1.")
@click.option("--folder", metavar="DIR", help="Write each vote to a file in DIR, with an index page.")
@odds_option
@game_options
@output_options
def votes(
    chosen: ChosenGame, form: str, narrow: bool, wanted: int | None, folder: str | None, odds: bool, output: Output
) -> None:
    """Draw the decision tree of each vote in FILE (- for standard input): what each side could have done, and what
    could have followed.

    As svg or png it is a picture that shows what could have happened, why the vote went as it did, how likely that was,
    and what each side could have done.

    If the cards can be followed only part of the way, the votes up to there are drawn, and the exit code is 1.
    \f\b
    Examples:
      tiro votes game.tiro                              all votes as outlines
      tiro votes game.tiro --vote 7 --format svg -o vote.svg
      tiro votes game.tiro --format png --folder votes  each in a file, with an index page
    """
    from ...replay.story.votes import trees as grow
    from ..render.api import votes_drawn

    if folder is not None and output.path is not None:
        raise click.UsageError(phrase("--folder and -o can't be used together"))
    refuse_address(folder or "")
    if narrow and form not in IMAGE_FORMATS:
        raise click.UsageError(phrase("--narrow is for pictures; add --format svg or png"))
    timeline = timeline_of(chosen, chosen.view, odds=False)
    with_odds, analysed = odds or form in IMAGE_FORMATS, _analysed(chosen)
    trees = grow(timeline, chosen.game, chosen.rules, odds=with_odds, wanted=wanted, **analysed)
    if wanted and not trees:
        count = len(grow(timeline))
        why = phrase("there is no vote {number}; the game has no vote", number=wanted)
        if count:
            why = plural(
                "there is no vote {number}; the game has only one vote",
                "there is no vote {number}; the game has only {count} votes",
                count,
                number=wanted,
            )
        raise CliError(f"{name_of(chosen.file)}: {why}")
    draw = partial(votes_drawn, form=form, timeline=timeline, narrow=narrow)
    if folder is not None:
        _write_folder(trees, timeline, form, Path(folder), output.force, draw)
    elif form in PICTURES and not trees:
        why = phrase("no vote was held in this game, so there is nothing to draw")
        raise CliError(f"{name_of(chosen.file)}: {why}")
    elif form in PICTURES and len(trees) > 1:
        raise click.UsageError(phrase(_SAID["one"], format=form))
    else:
        with output.open(inputs=[chosen.file]) as stream:
            refuse_terminal(stream, form)
            stream.buffer.write(draw(trees))
    chosen.end(beyond(timeline.stopped))


def _write_folder(
    trees: Sequence[VoteTree], timeline: Timeline, form: str, folder: Path, force: bool, draw: partial[bytes]
) -> None:
    """Write each vote to its own file, and a page that shows them all."""
    from ..render.api import votes_page

    names = [f"vote-{tree.number:02}-{tree.turn}.{ENDINGS.get(form, form)}" for tree in trees]
    there = [name for name in (*names, "index.html") if (folder / name).exists()]
    if there and not force:
        raise CliError(f"{folder / there[0]}: {phrase('this file already exists; --force overwrites it')}")
    with as_cli_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with Meter(phrase("votes"), len(trees)) as shown:
        for count, (tree, name) in enumerate(zip(trees, names, strict=True), 1):
            shown.show(count, count)
            with replacing(os.fspath(folder / name)) as stream:
                stream.write(draw([tree]))
    with replacing(os.fspath(folder / "index.html")) as stream:
        stream.write(votes_page(timeline, trees, names).encode("utf-8", "backslashreplace"))


@click.command()
@click.option("--at", metavar="TURN", help="Where to start: a turn (7E), or a token in it (7E.2).")
@click.option("--open", "opens", is_flag=True, help="Open the page of the game in a browser instead.")
@game_options
def step(chosen: ChosenGame, at: str | None, opens: bool) -> None:
    """Step through a game in FILE (- for standard input), token by token and vote by vote.

    Each step shows the table and what happened. Enter goes on, b goes back, t and v go to the next turn and vote, a
    turn such as 7E goes there, and quit leaves; ? lists all of it. The exit code is 1 if the cards can be followed only
    part of the way.
    \f\b
    Example:
      tiro step game.tiro                       from the set-up
      tiro step game.tiro --at 7E --as caesar   from turn 7E on, as Caesar sees it
      tiro step game.tiro --open                the page of the game, in a browser
    """
    from rich.console import Console

    from ...replay.knowledge.api import views_for
    from ...replay.story.api import timeline
    from ...replay.story.votes import trees
    from .record import typed_lines
    from .screen.step_lines import Steps
    from .screen.walk import Walk

    _, cut = chosen.moment(None)
    tell = partial(timeline, chosen.game, rules=chosen.rules, played=chosen.played)
    grow = partial(trees, game=chosen.game, rules=chosen.rules)
    walk = Walk(tell, chosen.viewpoint, views_for(chosen.frame.view, chosen.viewpoint), grow)
    if at is not None:
        chosen.moment(at)
        walk.go(at)
    if not opens or not _opened(chosen):
        if chosen.file == STDIN:
            _need_keyboard()
        with Output().open() as stream:
            Steps(walk, Console(file=stream, highlight=False)).go(typed_lines())
    chosen.end(cut)


def _opened(chosen: ChosenGame) -> bool:
    """Open the page of a game in a browser; where there is no display, say so and return False."""
    import tempfile
    import webbrowser

    from ..render.api import page

    has_display = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not has_display or "SSH_CONNECTION" in os.environ:
        say(phrase(_SAID["display"]))
        return False
    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="tiro-", encoding="utf-8", delete=False) as file:
        file.write(page(chosen.game, chosen.view, chosen.rules))
    return webbrowser.open(Path(file.name).as_uri())


def _need_keyboard() -> None:
    """Take what is typed from the terminal: standard input is the record."""
    with suppress(OSError):
        keys = os.open("/dev/tty", os.O_RDWR)
        os.dup2(keys, 0)
        os.close(keys)


@click.command()
@click.argument("file")
@click.option("--as", "view", type=click.Choice(VIEWS), required=True, help="The point of view to write for.")
@click.option(
    "--keep-remarks",
    "keep",
    is_flag=True,
    help="Keep comments, alternatives, the recorder's own headers and words of rulings, which may reveal hidden cards.",
)
@format_option("The format.", "text", "json")
@rules_option
@output_options
def view(file: str, view: View, keep: bool, form: str, rules: str, output: Output) -> None:
    """Write the games in FILE (- for standard input) as somebody with another point of view would have recorded them.

    Unseen cards become i and a; cards that were shown are filled in if the record leaves them out. Comments,
    alternatives, the recorder's own headers and the words of rulings may name hidden cards and are left out; standard
    error says so.

    The exit code is 1 if a word or line can't be read, or shown cards can't be filled in, and 2 if that person saw more
    than the writer of the record.
    \f\b
    Examples:
      tiro view game.tiro --as table -o spectators.tiro
      tiro view season.tiro --as caesar --format json
    """
    from ...replay.knowledge.api import ViewNotAvailable, left_out
    from ...replay.knowledge.api import view as record_view
    from .convert import write_json

    problems = Problems()
    redactions: list[tuple[str, Redaction]] = []
    for game in games_in(file):
        refuse_unread(game)
        problems.add(game)
        if game.record != Record():
            name = phrase("{file}, game {number}", file=name_of(file), number=game.number)
            with as_cli_errors(name, ViewNotAvailable):
                redactions.append((name, record_view(game, view, rules, keep_remarks=keep)))
    records = (redaction.record for _, redaction in redactions)
    with output.open(errors="surrogateescape", inputs=[file]) as stream:
        if form == "json":
            write_json(records, stream, jsonl=False)
        else:
            stream.write(on_screen(write_all(records), stream))
    unfollowed = [f"{name}: {each.unfollowed_message}" for name, each in redactions if each.unfollowed_message]
    say(*unfollowed)
    if sentence := left_out(sum([each.left_out_count for _, each in redactions]), view):
        if not keep:
            sentence = phrase("{sentence}; --keep-remarks keeps those that can be read", sentence=sentence)
        say(f"{name_of(file)}: {sentence}")
    problems.finish()
    if unfollowed:
        raise SystemExit(1)
