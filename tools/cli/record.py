"""``tiro record``: records a game while it is being played, and loses nothing."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from ...notation.basics import visible
from ...notation.language import phrase
from ...replay.engine.api import VIEWS, read_headers
from .common import STDIN, CliError, discard_output, games_in, pairs, refuse_address, refuse_unread, rules_option, say

if TYPE_CHECKING:
    from ...notation.records import Diagnostic
    from ..recorder.api import Question, Recorder
    from ..recorder.storage import RecordStorage

Wrong = Callable[[dict[str, str]], list[str]]
"""Says what is wrong with answers."""
HELP: Final = ("help", "?")
"""Words typed by people who don't know the commands yet. A glyph ``?`` comes after the word that it is about."""
ANSWERS: Final = ("/insist", "/repair")
"""Commands that can follow a refused line."""
plain_option: Final = click.option(
    "--plain", is_flag=True, hidden=True, expose_value=False, help="Has no effect: the output is always plain lines."
)


@click.command()
@click.argument("file")
@partial(rules_option, which="a new game")
@click.option(
    "--as",
    "view",
    type=click.Choice(VIEWS),
    show_default="asked; piped: arbiter",
    help="Which hidden cards you see in a new game: none (table), one player's, or all (arbiter).",
)
@click.option(
    "--tournament",
    is_flag=True,
    help="For a player who records their own new game: no list, nothing filled in or counted, and nothing judged "
    "before the game is over.",
)
@plain_option
@click.option(
    "--header", "headers", metavar="NAME=VALUE", multiple=True, help="Set a header of a new game; repeatable."
)
def record(file: str, rules: str, view: str | None, tournament: bool, headers: tuple[str, ...]) -> None:
    """Record a game in FILE while it is being played.

    If FILE is new, you are asked who is playing; if it exists, recording picks up where it left off. Every word is on
    disk before you are asked for the next one, and FILE is a readable record at all times; FILE.trail beside it keeps
    every correction.

    Type the words of the notation. What the rules determine is filled in. A word that breaks them is explained, and
    recorded all the same if it happened. /help lists the commands. To record by taps, with the table in sight, use tiro
    desk.

    Piped input ends at the first line that is not accepted, unless the next line is /insist or /repair 1. The exit code
    is then 1, as it is for a record that breaks the rules.
    \f\b
    Examples:
      tiro record game.tiro --rules 2024                  a new game, or one to continue
      tiro record game.tiro --rules fr --as caesar        with what Caesar sees
      tiro record game.tiro --rules fr --as caesar --tournament
      tiro record game.tiro --rules 2024 < moves          from a file
    """
    from ...notation.records import parse
    from ..recorder.api import Recorder
    from ..recorder.storage import SUFFIX, RecordStorage

    refuse_elsewhere(file)
    if os.path.isfile(file) and not os.path.exists(os.path.realpath(file) + SUFFIX):
        _refuse_unfit(file)  # before there is a trail; an existing trail knows more
    given = pairs(headers, "--header", "must be written as NAME=VALUE") | ({"Mode": "tournament"} if tournament else {})
    with RecordStorage(file) as storage:
        if not storage.text.strip():
            if view or not ("View" in given or at_keyboard()):
                given["View"] = view or "arbiter"
            _begin(storage, file, rules, given)
        else:
            _say_what_stays(storage, rules, view, tournament)
        _refuse_several(file, len(parse(storage.text)))
        recorder = Recorder(storage)
        try:
            clean = _record(recorder, file)
        finally:
            recorder.note_clocks()
    if not clean:
        raise SystemExit(1)


def refuse_elsewhere(file: str) -> None:
    """Raise CliError if a record can't be kept at a path."""
    if file == STDIN:
        raise CliError(phrase("a record is kept in a file: name one"))
    refuse_address(file, phrase("a record is kept in a local file; name one, and copy it after the game"))


def _refuse_unfit(file: str) -> None:
    """Raise CliError if a file is not a record of one game, or would be lost."""
    for game in games_in(file, to_change=True):
        refuse_unread(game)
        for problem in game.problems:
            if problem.code == "N110":
                raise CliError(
                    phrase("{file}: {problem}; name a new file, or a record", file=file, problem=problem.message)
                )
        _refuse_several(file, game.number)


def _refuse_several(file: str, games: int) -> None:
    if games > 1:
        raise CliError(phrase("{file}: it holds several games; tiro record continues only a file with one", file=file))


def at_keyboard() -> bool:
    """Return whether somebody types at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def _begin(storage: RecordStorage, file: str, rules: str, given: dict[str, str]) -> None:
    """Begin a new record: ask for everything that was not given, and save its headers."""
    from datetime import date

    from ...replay.rules.api import load_edition
    from ..recorder.api import blank, faults, questions

    if not rules:
        raise click.UsageError(phrase("{file} is new: name the rule set with --rules", file=visible(file)))
    today = f"{date.today():%Y.%m.%d}"
    open_ = [question for question in questions(load_edition(rules), today) if question.name not in given]

    def text(answers: dict[str, str]) -> str:
        return blank(rules, given | answers, today)

    if problems := faults(text({})):
        raise click.BadParameter(problems[0], param_hint="--header")
    storage.keep(text(_answers(open_, lambda answers: faults(text(answers)))), "begun")


def _say_what_stays(storage: RecordStorage, rules: str, view: str | None, tournament: bool) -> None:
    """If the call asks for another rule set, point of view or mode, say that a continued record keeps its own."""
    from ...notation.records import parse

    frame = read_headers(parse(storage.text)[0].record)
    if rules and frame.edition and frame.edition.name != rules:
        said = {"name": frame.edition.name, "rules": rules}
        told = phrase("the game continues with the {name} rules; --rules {rules} has no effect", **said)
        storage.messages.append(told)
    if view and frame.view != view:
        said = {"own": frame.view, "view": view}
        storage.messages.append(phrase("the record continues as seen by {own}; --as {view} has no effect", **said))
    if tournament and not frame.tournament:
        storage.messages.append(phrase("the record continues as it was begun; --tournament has no effect"))


def _answers(open_: list[Question], wrong: Wrong) -> dict[str, str]:
    """Return the answers to the questions; ask again if one is invalid."""
    if not at_keyboard():
        return {}
    answered: dict[str, str] = {}
    for question in open_:
        while True:
            answer = answered[question.name] = click.prompt(question.words, default=question.default, err=True)
            no_command = phrase("commands come after these questions: answer, or press Enter for what is proposed")
            problems = [no_command] if answer.startswith("/") else wrong(answered)
            if not problems:
                break
            say(*problems)
    return answered


def _record(recorder: Recorder, file: str) -> bool:
    """Record the game; return whether the record has no errors and every line was accepted."""
    from ..recorder.api import fault_line

    try:
        refused = _record_lines(recorder)
    except OSError as error:
        if error.errno != errno.EIO or error.filename:
            raise
        discard_output()  # the terminal is lost: it ends as if no more lines came, and everything is kept
        return not _errors(recorder)
    if refused:
        number, line, left = refused
        about = {"file": file, "number": number, "line": line, "left": left}
        said = phrase(
            "{file}: line {number} of the input, “{line}”, was not accepted from “{left}” on: "
            "everything before that is in the record; nothing after it was read",
            **about,
        )
        if left == line:
            said = phrase(
                "{file}: line {number} of the input, “{line}”, was not accepted: "
                "everything before that is in the record; nothing after it was read",
                **about,
            )
        say(said)
    for fault in _errors(recorder):
        say(f"{file}: {fault_line(fault)}")
    return not refused and not _errors(recorder)


def _record_lines(recorder: Recorder) -> tuple[int, str, str] | None:
    """Take lines as they come, until there are no more or one says ``/quit``.

    A person at a terminal sees at once what was not accepted, and corrects it or leaves it out. Other input stops after
    the first such line, unless the next line insists on it or repairs it: later words would land in the wrong turn.
    Then the number of the line, from 1, the line, and what is not recorded of it are returned.
    """
    from ..recorder.api import Quit, Rejected, enter, run_command, split_command
    from ..recorder.storage import NotKept

    refused: tuple[int, str, str] | None = None
    patient = at_keyboard()
    _show(recorder)
    for number, line in enumerate(typed_lines(), 1):
        entered = line.strip()
        before = recorder.refusal
        if refused and not patient and not entered.startswith(ANSWERS):
            break
        try:
            if entered.lower() in HELP:
                answer = [*run_command(recorder, "/help"), "", phrase("The glyph ? comes after a word: 5Q ?")]
            else:
                answer = enter(recorder, entered)
            if recorder.refusal is None or recorder.refusal is not before:
                refused = (number, entered, recorder.left) if recorder.refusal else None
        except (NotKept, Rejected) as error:
            left = recorder.left if isinstance(error, NotKept) else split_command(entered)[1]
            answer, refused = [*error.args], (number, entered, left)
        except Quit:
            break
        _show(recorder, *answer)
    return None if patient else refused


def _show(recorder: Recorder, *lines: str) -> None:
    from ...notation.records import turn_text
    from ..recorder.api import asked

    draft, messages = recorder.draft, recorder.storage.messages
    last = [turn_text(turn) for turn in draft.record.turns[-1:]]
    say(*lines, *messages, *last, f"{draft.cursor.label}: {asked(draft)}", err=False)
    messages.clear()
    recorder.note_clocks()


def typed_lines() -> Iterator[str]:
    """Yield the lines of standard input; on a terminal, with a prompt and line editing."""
    if sys.stdin is None:
        return
    if not at_keyboard():
        yield from sys.stdin
        return
    with suppress(ImportError):
        import readline  # noqa: F401  # input() has it edit the line from now on
    with suppress(EOFError):
        while True:
            yield input("> ")


def _errors(recorder: Recorder) -> Sequence[Diagnostic]:
    """Return the errors of the record; there are none while the set-up is incomplete."""
    from ..recorder.api import Phase

    return () if recorder.draft.cursor.phase is Phase.SET_UP else recorder.draft.errors
