"""``tiro schema``: the JSON Schemas of everything that is exchanged."""

from __future__ import annotations

import click

from ...schemas import load_schema, schema_names, schema_text
from .common import Trouble, open_output, output_options


@click.command()
@click.argument("name", required=False)
@output_options
def schema(name: str | None, output: str | None, force: bool) -> None:
    """Print a JSON Schema; without NAME, list all schemas.

    NAME may also be the schema's identifier, as files name it in "$schema".

    \b
    Examples:
      tiro schema
      tiro schema record -o record.schema.json
      tiro schema urn:tironian:schema:report:1
    """
    names = schema_names()
    name = next((known for known in names if load_schema(known)["$id"] == name), name)
    if name is not None and name not in names:
        raise Trouble(f"there is no schema {name}; the schemas are {', '.join(names)}")
    with open_output(output, force) as out:
        if name is not None:
            out.write(schema_text(name))
            return
        for known in names:
            description = load_schema(known).get("description", "").partition(". ")[0].rstrip(".")
            out.write(f"{known:<10}  {description}\n")
