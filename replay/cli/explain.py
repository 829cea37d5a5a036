"""``tiro explain``: what a diagnostic code means."""

from __future__ import annotations

import difflib
import os
import re
from importlib.resources import files
from typing import Final

import click

# The package is the folder docs/codes, which is not where a reader of types looks for it.
from tironian.codes import page  # type: ignore[reportMissingImports]

from .common import Trouble, standard_output

_CODE_PAGE: Final = re.compile(r"([A-Z]\d{3})\.md")


@click.command()
@click.argument("code", required=False)
@click.option("--list", "wants_list", is_flag=True, help="List all codes.")
def explain(code: str | None, wants_list: bool) -> None:
    """Say what a diagnostic code means: the rule behind it, a wrong and a right example, and what to do.

    \b
    Examples:
      tiro explain R204
      tiro explain --list
    """
    codes = code_names()
    if wants_list or code is None:
        for name in codes:
            click.echo(f"{name}  {_title(name)}")
        return
    wanted = code.upper()
    if wanted not in codes:
        raise Trouble(f"there is no code {code}{_near(wanted, codes)}")
    text = page(wanted)
    if not standard_output().isatty():
        click.echo(text, nl=not text.endswith("\n"))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(no_color=True if os.environ.get("NO_COLOR") else None)
    console.print(Markdown(text), width=min(100, console.width))


def code_names() -> list[str]:
    """All codes that have a page, sorted."""
    pages = files("tironian.codes").iterdir()
    return sorted(found[1] for entry in pages if (found := _CODE_PAGE.fullmatch(entry.name)))


def _title(code: str) -> str:
    """The page's first heading, without the code itself."""
    heading = page(code).partition("\n")[0].lstrip("# ")
    return heading.removeprefix(code).lstrip(" :·–—-")


def _near(wanted: str, codes: list[str]) -> str:
    near = difflib.get_close_matches(wanted, codes, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else "; `tiro explain --list` lists them all"
