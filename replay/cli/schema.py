"""``tiro schema``: the JSON Schemas of everything that is exchanged."""

from __future__ import annotations

import click

from ...schemas import load_schema, schema_names, schema_text
from .common import Trouble, open_output, output_options


@click.command()
@click.argument("name", required=False)
@output_options
def schema(name: str | None, output: str | None, force: bool) -> None:
    """Print a JSON Schema; without NAME, list those that there are.

    \b
    Examples:
      tiro schema
      tiro schema record -o record.schema.json
    """
    names = schema_names()
    if name is not None and name not in names:
        raise Trouble(f"there is no schema {name}; there are {', '.join(names)}")
    with open_output(output, force) as out:
        if name is not None:
            out.write(schema_text(name))
            return
        for known in names:
            told = load_schema(known).get("description", "").partition(". ")[0].rstrip(".")
            out.write(f"{known:<10}  {told}\n")
