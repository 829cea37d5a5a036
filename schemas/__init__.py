"""The JSON Schemas of everything that is exchanged."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def schema_names() -> list[str]:
    """Return the names that :func:`load_schema` knows, sorted."""
    return sorted(
        entry.name.removesuffix(".schema.json")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".schema.json")
    )


def schema_text(name: str) -> str:
    """Return a schema as text. Raise KeyError for a name that is not there."""
    if name not in schema_names():
        raise KeyError(name)
    return files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")


def load_schema(name: str) -> Any:
    """Return a schema as parsed JSON. Raise KeyError for a name that is not there."""
    return json.loads(schema_text(name))


def is_valid(name: str, data: Any) -> bool:
    """Return whether data are what a schema describes. Raise KeyError for a name that is not there."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(load_schema(name)).is_valid(data)
