"""``tiro event``: a tournament, from its pairings to its standings."""

from __future__ import annotations

import csv
import os
import re
from typing import IO, TYPE_CHECKING, Final, TextIO

import click

from ...notation.basics import as_json, cell, on_screen, visible
from ...notation.language import phrase, plural
from ..storage.api import CannotRun
from .common import (
    CliError,
    Output,
    Texts,
    as_cli_errors,
    format_option,
    jobs_option,
    output_options,
    replacing,
    say,
    skipped_file_lines,
)

if TYPE_CHECKING:
    from ..event.api import EventJournal, EventPlan, EventState, Pairing, ToDo

INIT: Final = "init"
LARGEST_LIST: Final = 1 << 22
"""The most bytes of a list of players that are read."""
_TABLE: Final = re.compile(r"(?:(\d{1,3})\.)?(\d{1,6})")
"""A table, with its round before it: ``2.7``."""


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[init] DIR")
@click.option("--standings", is_flag=True, help="Show the standings instead of the things to do.")
@click.option("--round", "after", type=click.IntRange(min=1), help="Show the standings after this round.")
@click.option("--accept", multiple=True, metavar="KEY[=VALUE]", help="Accept a proposal, or give another value for it.")
@click.option(
    "--refuse",
    multiple=True,
    metavar="KEY",
    help="Refuse a proposal: leave things as they are, and do not list it again.",
)
@click.option(
    "--result",
    "results",
    multiple=True,
    metavar="TABLE=RESULT",
    help="Say how a game of the last round ended, such as 7=caesar or 7=20-7; 2.7=draw is table 7 of round 2.",
)
@click.option("--undo", is_flag=True, help="Take back what was accepted or refused last.")
@click.option("--review", is_flag=True, help="Go through the things to do, one by one.")
@click.option("--pair", is_flag=True, help="Pair the next round, and add it to event.toml.")
@click.option(
    "--players",
    type=click.File("rb"),
    metavar="FILE",
    help="With init: the players, as a list or a tournament report (TRF).",
)
@click.option("--site", metavar="OUT", help="Write the pages of the event to the folder OUT.")
@format_option("The format; csv is for the standings, trf a tournament report.", "text", "json", "csv", "trf")
@jobs_option
@output_options
def event(
    words: Texts,
    standings: bool,
    after: int | None,
    accept: Texts,
    refuse: Texts,
    results: Texts,
    undo: bool,
    review: bool,
    pair: bool,
    players: IO[bytes] | None,
    site: str | None,
    form: str,
    jobs: int,
    output: Output,
) -> None:
    """Say what is missing from an event, and show the standings.

    DIR is a folder with event.toml, which says who plays whom, and the records of the games. “init” writes event.toml
    from the records there, or from a list of players: a line for each, “Name; rating; club; id”. Nothing is changed
    unless you accept it; the original files are kept in DIR/originals.

    The exit code is 1 while there is something to do.
    \f\b
    Examples:
      tiro event init open/
      tiro event init open/ --players players.txt
      tiro event open/ --pair
      tiro event open/ --result 1=caesar --result 2=7-20
      tiro event open/
      tiro event open/ --review
      tiro event open/ --standings --round 2
      tiro event open/ --site pages/
    """
    from ..event.api import ROUND, event_state, refused_in

    folder, starts = _folder(words)
    if players is not None and not starts:
        raise click.UsageError(phrase("--players is for init: tiro event init DIR --players FILE"))
    if starts:
        _start(folder, jobs, players)
        return
    if accept or refuse or results or undo or review or pair:
        _change(folder, jobs, accept, refuse, results, undo=undo, review=review, pair=pair)
        return
    plan = _plan(folder)
    state = event_state(folder, plan, jobs, refused_in(folder))
    if site is not None:
        from ..event.api import write_site

        with as_cli_errors(site):
            made, kept = write_site(state, folder, site, jobs)
        pages, first = plural("{count} game page", "{count} game pages", made), os.path.join(site, "index.html")
        told = phrase("{pages} made, {kept} kept; begin with {first}", pages=pages, kept=kept, first=first)
        say(f"{site}: {told}", err=False)
        return
    rounds = max([plan.data.get("rounds", 1), *[one.pairing.round for one in state.decided]])
    if after and after > rounds:
        raise CliError(f"--round {after}: {plural('there is {count} round', 'there are {count} rounds', rounds)}")
    with output.open() as out:
        _write(plan, state, folder, form, after or (0 if standings else None), out)
    say(*skipped_file_lines(state.passed_over))
    if state.to_do:
        wrong = [one for one in state.to_do if one.kind != ROUND]
        if wrong and (standings or after or form in ("csv", "trf")):
            told = phrase("{count} to do, which may change the standings", count=len(wrong))
            say(f"{told}: tiro event {folder}")
        raise SystemExit(1)


def _write(plan: EventPlan, state: EventState, folder: str, form: str, after: int | None, out: TextIO) -> None:
    """Write the standings after a round (0 for the last one) in a format; as text for None, the things to do."""
    from ..event.api import event_data, standings, standings_lines, standings_rows, to_do_lines, trf_text

    table = standings(plan, state.decided, after or 0)
    if form == "json":
        out.write(f"{as_json(event_data(state, table), indent=2)}\n")
    elif form == "csv":
        for row in standings_rows(plan, table):
            cells = [cell(each) if isinstance(each, str) else each for each in row]
            csv.writer(out, lineterminator="\n").writerow(cells)
    elif form == "trf":
        out.write(trf_text(plan, state.decided, table))
    else:
        lines = to_do_lines(state, folder) if after is None else standings_lines(plan, table)
        out.writelines(on_screen(f"{visible(line)}\n", out) for line in lines)


def _folder(words: Texts) -> tuple[str, bool]:
    """Return the folder that is named, and whether the event starts there."""
    *before, folder = words
    if before not in ([], [INIT]):
        raise click.UsageError(phrase("name one folder: tiro event {dir}, or tiro event init {dir}", dir=folder))
    return folder, bool(before)


def _plan(folder: str) -> EventPlan:
    from ..event.api import EVENT_FILE, event_text, read_plan

    return read_plan(event_text(folder), os.path.join(folder, EVENT_FILE))


def _start(folder: str, jobs: int, players: IO[bytes] | None) -> None:
    """Write the ``event.toml`` for a folder from a list of players, or else from its records."""
    from ..event.api import EVENT_FILE, learnt, plan_text, read_folder, read_list

    path = os.path.join(folder, EVENT_FILE)
    if not players and not os.path.isdir(folder):
        raise CliError(phrase("{folder}: there is no such folder", folder=folder))
    if os.path.lexists(path):
        raise CliError(phrase("{path}: this file already exists; rename it to begin anew", path=path))
    if players:
        data = {"name": os.path.basename(os.path.abspath(folder)), **read_list(players.read(LARGEST_LIST))}
        _write_plan(path, plan_text(data))
        facts = {"path": path, "count": len(data["players"]), "command": f"tiro event {folder} --pair"}
        facts["rounds"] = plural("{count} round", "{count} rounds", data["rounds"])
        say(phrase("wrote {path}: {count} players, {rounds}; look through it; then {command}", **facts))
        return
    sheets, passed_over, _ = read_folder(folder, "", jobs, {})
    data, notes = learnt(folder, sheets)
    if not data.get("players"):
        command = f"tiro event init {folder} --players FILE"
        raise CliError(
            f"{folder}: {phrase('no record here names its players; put such records into this folder first')}",
            phrase("before the first round: {command}, with a name on each line of FILE", command=command),
        )
    _write_plan(path, plan_text(data))
    told = phrase("wrote {path}: check and correct it; then tiro event {folder}", path=path, folder=folder)
    say(*skipped_file_lines(passed_over), *notes, told)


def _write_plan(path: str, text: str) -> None:
    from ..event.api import read_plan

    read_plan(text, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with replacing(path) as stream:
        stream.write(text.encode())


def _change(
    folder: str, jobs: int, accept: Texts, refuse: Texts, results: Texts, *, undo: bool, review: bool, pair: bool
) -> None:
    """Accept or refuse the proposal with a key, give results, pair a round, ask about everything, or undo a change."""
    from ..event.api import EventJournal, coming_round, event_state, given_result, keys_of, title_of

    _plan(folder)
    state: EventState | None = None
    later, listed = set[str](), set[str]()
    is_review = review
    with EventJournal(folder) as journal:
        if undo and not _undo(journal):
            raise SystemExit(2)
        for word in (*accept, *refuse):
            state = event_state(folder, _plan(folder), jobs, journal.refused, state)
            key, _, value = word.partition("=")
            named = [one for one in state.to_do if key in keys_of(one)]
            listed = listed or {key for one in state.to_do for key in keys_of(one)}
            if not named and key in listed:
                say(phrase("{key}: this was settled along with another one", key=key), err=False)
                continue
            if not named:
                told = phrase("no open entry has this key; {command} lists everything", command=f"tiro event {folder}")
                raise CliError(f"{key}: {told}")
            if len(named) > 1:
                which, command = "; ".join(map(title_of, named)), f"tiro event {folder} --review"
                facts = {"count": len(named), "which": which, "command": command}
                raise CliError(f"{key}: {phrase('this names {count} entries ({which}); use {command}', **facts)}")
            _decide(journal, state, named[0], value if word in accept else None)
        for word in results:
            plan = _plan(folder)
            pairing = _at_table(plan, word)
            journal.accept(given_result(plan, pairing), word.partition("=")[2])
            say(f"{pairing.title}: {word.partition('=')[2]}", err=False)
        if pair:
            one = coming_round(event_state(folder, _plan(folder), jobs, journal.refused, state))
            say(*journal.accept(one).split("; "), phrase("written to {file}", file=one.edits[0].file), err=False)
        while review:
            state = event_state(folder, _plan(folder), jobs, journal.refused, state)
            left = [one for one in state.to_do if one.key not in later]
            review = bool(left) and _ask(folder, journal, state, left, later)
            if not left:
                more = phrase("{count} left for later", count=len(later)) if later else phrase("nothing more to do")
                say(more, err=False)
        if is_review and state is not None and state.to_do:
            raise SystemExit(1)


def _at_table(plan: EventPlan, word: str) -> Pairing:
    """Return the game at a table: of the last round, or of the one that is named; of several games, the first that has
    no result.
    """
    where, _, value = word.partition("=")
    named, games = _TABLE.fullmatch(where), [one for one in plan.pairings if one.kind == "game"]
    if not named or not value:
        told = phrase("write a table and how its game ended, such as 7=caesar or 7=20-7")
        raise CliError(f"--result {word}: {told}")
    number = int(named[1] or max((one.round for one in games), default=0))
    there = [one for one in games if (one.round, one.table) == (number, int(named[2]))]
    if not there:
        told = phrase("round {round} has no table {table}", round=number, table=named[2])
        raise CliError(f"--result {word}: {told}")
    return next((one for one in there if not one.result), there[-1])


def _undo(journal: EventJournal) -> bool:
    """Undo the last change; return whether there was one."""
    told = journal.undo()
    say(phrase("undone: {told}", told=told) if told else phrase("there is nothing to undo"), err=not told)
    return bool(told)


def _decide(journal: EventJournal, state: EventState, one: ToDo, value: str | None) -> None:
    """Carry out a proposal, with another value if one is given; None refuses it."""
    from ..event.api import title_of

    if value is None:
        journal.refuse(one)
    done = phrase("it stays as it is") if value is None else journal.accept(one, value)
    say(f"{one.key}: {title_of(one)}: {done}", err=False)


def _ask(folder: str, journal: EventJournal, state: EventState, left: list[ToDo], later: set[str]) -> bool:
    """Ask what to do about the first thing that is left; return whether to go on."""
    from ..event.api import lines_of

    one, asked = left[0], phrase("a accept, r refuse, VALUE another value, u undo, Enter later, q quit")
    say("", *lines_of(one, folder), err=False)
    text = phrase("{count} to do: {answers}", count=len(left), answers=asked)
    answer = click.prompt(text, default="", show_default=False, prompt_suffix="\n> ").strip()
    try:
        if answer == "u":
            _undo(journal)
            later.clear()
        elif not answer:
            later.add(one.key)
        elif len(answer) == 1 and answer.isalpha() and answer not in "arq":  # a slip; hardly somebody's name
            say(phrase("{answer}: answer {answers}", answer=answer, answers=asked), err=False)
        elif answer != "q":
            _decide(journal, state, one, {"a": "", "r": None}.get(answer, answer))
    except CannotRun as error:
        say(*error.lines, err=False)
    return answer != "q"
