"""The JSON Schemas of everything that is exchanged."""

from __future__ import annotations

import json
from contextlib import suppress
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


def whole_numbers(value: Any) -> Any:
    """Return a value with 1 in place of 1.0, which is the same number in JSON and for every schema."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole_numbers(one) for one in value]
    return {name: whole_numbers(one) for name, one in value.items()} if isinstance(value, dict) else value


def parsed(name: str, text: bytes) -> Any:
    """Return what a JSON text holds, or None where it is not what the schema ``name`` describes."""
    from jsonschema import Draft202012Validator

    with suppress(ValueError, RecursionError):
        data = json.loads(text, parse_constant=lambda _: None)
        if Draft202012Validator(load_schema(name)).is_valid(data):
            return data
    return None
