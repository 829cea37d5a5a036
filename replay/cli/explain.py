"""``tiro explain``: what a diagnostic code means."""

from __future__ import annotations

import difflib
import re

import click

# The package is the folder docs/codes, which is not where a reader of types looks for it.
from ...codes import page  # type: ignore[reportMissingImports]
from ..diagnostics.registry import CODES
from ..editions.points import POINTS, SECTIONS
from ..engine.rulings import can_be_agreed
from .common import Trouble, say, standard_output


@click.command()
@click.argument("code", required=False)
@click.option("--list", "wants_list", is_flag=True, help="List all codes.")
def explain(code: str | None, wants_list: bool) -> None:
    """Say what a diagnostic code means: the rule behind it, a wrong and a right example, and what to do.

    CODE may also be a rule point, such as D4, which a report names with a rule.

    \b
    Examples:
      tiro explain R204
      tiro explain D4
      tiro explain --list
    """
    codes = sorted(CODES)
    if wants_list or code is None:
        say(*(f"{name}  {CODES[name].title}" for name in codes), err=False)
        return
    wanted = code.strip().upper()
    if not wanted:
        raise Trouble("name a code, such as R204; `tiro explain --list` lists all codes")
    point = next((known for known in POINTS if known.upper() == wanted), None)
    if wanted not in codes and point is None:
        raise Trouble(f"there is no code “{code}”{_near(wanted, codes)}")
    text = page(wanted) if point is None else _point_page(point)
    if can_be_agreed(wanted):
        text += f'\nA table may agree to let this pass: `[HouseRules "{wanted}: what the players call it"]`.\n'
    if not standard_output().isatty():
        standard_output().write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text), width=min(100, console.width))


def _point_page(point: str) -> str:
    from ..editions.edition import EDITION_NAMES, load_edition
    from ..editions.rulebook import rule_rows

    sentences: list[str] = []
    for edition in map(load_edition, EDITION_NAMES):
        rows = [row for row in rule_rows(edition) if point in row.points and row.applies]
        sentences += [f"- `{edition.name}`: {row.title.lower()}: {row.words} ({row.cite})" for row in rows]
        values = {row.cite for row in rows}
        texts = {law.text: None for law in edition.laws.values() if point in law.points and law.text not in values}
        sentences += [f"- `{edition.name}`: {text}" for text in texts]
    lines = [
        f"# {point} · {POINTS[point]}",
        "",
        f"A rule point on “{SECTIONS[point[0]]}”. How it is read, and why, is explained in `docs/rules.md`.",
        *(["", *sentences] if sentences else []),
    ]
    return "\n".join(lines) + "\n"


def _near(wanted: str, codes: list[str]) -> str:
    if re.fullmatch(r"[A-Z]\d{3}", wanted):
        family = [code for code in codes if code[0] == wanted[0]]
        near = sorted(sorted(family, key=lambda code: abs(int(code[1:]) - int(wanted[1:])))[:2])
    else:
        near = difflib.get_close_matches(wanted, codes, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else "; `tiro explain --list` lists all codes"
