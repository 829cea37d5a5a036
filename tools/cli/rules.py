"""``tiro rules`` and ``explain``: shows the rules of an edition, or what a diagnostic or a rule point means."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from ...notation.basics import as_json
from ...notation.language import ENGLISH, phrase, speaking
from ...replay.rules.api import EDITION_NAMES, Edition, check_option, load_edition
from .common import CliError, Output, completing, format_option, output_options, pairs, say, standard_output
from .rulebook import POINTS, TITLES, RuleRow, differences, differences_json, edition_json, option_rows, rule_rows

CHANGED_MARK = " *"


@click.command(name="rules", short_help="Show the rules of an edition, or the differences between two.")
@click.argument(
    "names",
    nargs=-1,
    metavar="[EDITION [EDITION]]",
    shell_complete=completing(lambda: {name: load_edition(name).title for name in EDITION_NAMES}),
)
@format_option("The format of the output.", "text", "json", "md")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Apply this option first; repeatable.")
@output_options
def rules(names: tuple[str, ...], form: str, settings: tuple[str, ...], output: Output) -> None:
    """Show the rules of an edition, each with its citation.

    Without a name, list the rule sets; with two names, show only the differences.

    \b
    Examples:
      tiro rules
      tiro rules 2024
      tiro rules 1997 fr --format md
      tiro rules 2024 --set full_check=immediate
    """
    editions = _editions(names, settings)
    write = {"text": _write_text, "json": _write_json, "md": _write_markdown}[form]
    with output.open() as stream:
        write(names, editions, stream)


def _editions(names: tuple[str, ...], settings: tuple[str, ...]) -> list[Edition]:
    """Return the named editions, or all, with the options applied to each that has them. Raise BadParameter if none has
    them.
    """
    if len(names) > 2:
        raise click.UsageError(phrase("Name at most two rule sets."))
    if settings and not names:
        raise click.UsageError(phrase("--set needs the name of a rule set."))
    try:
        editions = [load_edition(name) for name in names or EDITION_NAMES]
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="EDITION") from error
    for name, value in pairs(settings, "--set", phrase("must be NAME=VALUE.")).items():
        editions = _with_option(editions, name, value)
    return editions


def _with_option(editions: list[Edition], name: str, value: str) -> list[Edition]:
    having = [edition for edition in editions if name in edition.options]
    for edition in having or editions[:1]:
        if problem := check_option(edition, name, value):
            raise click.BadParameter(f"{problem}.", param_hint="--set")
    return [each.with_options({name: value}) if each in having else each for each in editions]


def _write_json(names: Sequence[str], editions: list[Edition], stream: TextIO) -> None:
    if len(names) == 2:
        data: object = differences_json(*editions)
    else:
        data = edition_json(editions[0]) if names else [edition_json(edition) for edition in editions]
    stream.write(as_json(data, indent=2) + "\n")


def _write_markdown(names: Sequence[str], editions: list[Edition], stream: TextIO) -> None:
    parts: list[str] = []
    for title, header, rows in _tables(names, editions):
        lines = [header, ["---"] * len(header), *rows] if rows else []
        parts.append(f"## {title}\n" if rows else title)
        parts += ["| " + " | ".join(_md_cell(cell) for cell in line) + " |" for line in lines]
        parts.append("")
    if note := _changed_note(editions):
        parts += [note.replace("*", r"\*"), ""]
    stream.write("\n".join(parts))


def _md_cell(text: str) -> str:
    """Return a cell's text with the special characters of Markdown tables escaped."""
    return text.replace("*", r"\*").replace("|", r"\|").replace("\n", "<br>").replace("_", r"\_")


def _write_text(names: Sequence[str], editions: list[Edition], stream: TextIO) -> None:
    """Print tables; the console detects a terminal's width and colours, a file gets 120 columns."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    width = None if stream is sys.stdout or "COLUMNS" in os.environ else 120
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    for title, header, rows in _tables(names, editions):
        if not rows:
            console.print(title)
            continue
        table = Table(
            title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, header_style="bold cyan"
        )
        for number, name in enumerate(header):
            table.add_column(name, overflow="fold", style="bold" if number == 0 else None)
        for row in rows:
            table.add_row(*row)
        console.print(table)
    if note := _changed_note(editions):
        console.print(note)


_Table = tuple[str, list[str], list[list[str]]]
"""A title, a header and rows; if there are no rows, the title is a complete sentence."""


def _tables(names: Sequence[str], editions: list[Edition]) -> list[_Table]:
    if not names:
        told = ["\n".join(f"{name}: {', '.join(values)}" for name, values in each.options.items()) for each in editions]
        rows = [[each.name, phrase(each.title), options] for each, options in zip(editions, told, strict=True)]
        return [(phrase("Rule sets"), [phrase("Name"), phrase("Title"), phrase("Options, the default first")], rows)]
    return _comparison(*editions) if len(names) == 2 else _rule_tables(editions[0])


def _rule_tables(edition: Edition) -> list[_Table]:
    named = edition.device.named_in
    rows = [
        (row.section, [named(row.title), named(_value(row)), " ".join(row.points), row.cite])
        for row in rule_rows(edition)
    ]
    rule, points = phrase("Rule"), phrase("Points")
    tables = _by_section(edition.name, [rule, phrase("Value"), points, phrase("Source")], rows)
    options = [
        [row.name, named(row.title), named(_meanings(row.values, row.chosen)), " ".join(row.points)]
        for row in option_rows(edition)
    ]
    header = [phrase("Option"), rule, phrase("Values"), points]
    return [*tables, (f"{edition.name} · {phrase('Options')}", header, options)]


def _comparison(left: Edition, right: Edition) -> list[_Table]:
    """Return a table for each section in which two editions differ, and one for their options."""
    both, header = {"left": left.name, "right": right.name}, [phrase("Rule"), left.name, right.name, phrase("Sources")]
    head = phrase("{left} and {right}", **both)
    rows = [
        (one.section, [one.title, _value(one), _value(other), f"{one.cite}\n{other.cite}"])
        for one, other in differences(left, right)
    ]
    tables = _by_section(head, header, rows)
    options = [
        [name, *(", ".join(edition.options.get(name, ())) or "—" for edition in (left, right))]
        for name in dict.fromkeys((*left.options, *right.options))
        if left.options.get(name) != right.options.get(name)
    ]
    tables.append((f"{head} · {phrase('Options')}", [phrase("Option"), left.name, right.name], options))
    same = phrase("The rules of {left} and {right} do not differ.", **both)
    return [table for table in tables if table[2]] or [(same, header, [])]


def _by_section(head: str, header: list[str], rows: list[tuple[str, list[str]]]) -> list[_Table]:
    return [(f"{head} · {phrase(each)}", header, [row for name, row in rows if name == each]) for each in TITLES]


def _value(row: RuleRow) -> str:
    """Return a value in words, marked where an option changed it."""
    return row.words + CHANGED_MARK * row.changed


def _meanings(values: tuple[tuple[str, str], ...], chosen: str) -> str:
    """Return an option's values, one on each line, the chosen one marked by an arrow."""
    return "\n".join(
        f"{'→' if value == chosen else '·'} {value if value == words else f'{value}: {words}'}"
        for value, words in values
    )


def _changed_note(editions: list[Edition]) -> str:
    """Return what the mark of changed values means, if there is one."""
    changed = any(row.changed for edition in editions for row in rule_rows(edition))
    return phrase("* changed by an option; the source is for the default.") if changed else ""


@completing
def _offered() -> dict[str, str]:
    from ...replay.diagnostics.api import CODES

    return {code: phrase(CODES[code].title) for code in sorted(CODES)} | POINTS


@click.command()
@click.argument("code", required=False, shell_complete=_offered)
@click.option("--list", "wants_list", is_flag=True, help="List all codes.")
def explain(code: str | None, wants_list: bool) -> None:
    """Explain a diagnostic code: the rule behind it, a wrong and a correct example, and what to do.

    CODE may also be a rule point, such as D4, as named in reports.

    \b
    Examples:
      tiro explain R204
      tiro explain D4
      tiro explain --list
    """
    # The package is the folder docs/codes, where type checkers don't find it.
    from ...codes import page  # type: ignore[reportMissingImports]
    from ...replay.diagnostics.api import CODES
    from ...replay.engine.api import can_be_agreed

    codes = sorted(CODES)
    if wants_list or code is None:
        say(*(f"{name}  {phrase(CODES[name].title)}" for name in codes), err=False)
        return
    wanted = code.strip().upper()
    if not wanted:
        raise CliError(phrase("name a code, such as R204; `tiro explain --list` lists all codes"))
    point = next((known for known in POINTS if known.upper() == wanted), None)
    if wanted not in codes and point is None:
        raise CliError(_no_code(code, wanted, codes))
    text = page(wanted) if point is None else _point_page(point)
    if can_be_agreed(wanted):
        header = f'`[HouseRules "{wanted}: {phrase("what the players call it")}"]`'
        text += f"\n{phrase('A table may agree to let this pass: {header}.', header=header)}\n"
    if not standard_output().isatty():
        standard_output().write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text), width=min(100, console.width))


def _point_page(point: str) -> str:
    """Return the page of a rule point, in English as the pages of the codes are, but for a sentence about it."""
    from .rulebook import SECTIONS

    sentences: list[str] = []
    for edition in map(load_edition, EDITION_NAMES):
        with speaking(ENGLISH):
            rows = [row for row in rule_rows(edition) if point in row.points and row.applies]
            sentences += [
                f"- `{edition.name}`: {edition.device.named_in(f'{row.title.lower()}: {row.words}')} ({row.cite})"
                for row in rows
            ]
        values = {row.cite for row in rows}
        texts = {law.text: None for law in edition.laws.values() if point in law.points and law.text not in values}
        sentences += [f"- `{edition.name}`: {text}" for text in texts]
    about = phrase("A rule point about “{section}”.", section=SECTIONS[point[0]])
    lines = [
        f"# {point} · {POINTS[point]}",
        "",
        f"{about} {phrase('How it is read, and why, is explained in `docs/rules.md`.')}",
        *(["", *sentences] if sentences else []),
    ]
    return "\n".join(lines) + "\n"


def _no_code(code: str, wanted: str, codes: list[str]) -> str:
    """Return that there is no such code, and which ones are similar."""
    if re.fullmatch(r"[A-Z]\d{3}", wanted):
        family = [code for code in codes if code[0] == wanted[0]]
        near = sorted(sorted(family, key=lambda code: abs(int(code[1:]) - int(wanted[1:])))[:2])
    else:
        from difflib import get_close_matches

        near = get_close_matches(wanted, codes, n=3, cutoff=0.5)
    if not near:
        return phrase("there is no code “{code}”; `tiro explain --list` lists all codes", code=code)
    return phrase("there is no code “{code}”; did you mean {others}?", code=code, others=phrase(" or ").join(near))
